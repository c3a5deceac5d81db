import { useLocation } from '@remix-run/react';

/**
 * `name` is that of the page in the address, `list` the id of what is turned, where the screen does not begin with it;
 * `told` is what the address says has just been done, which is said once.
 */
type Props = { page: number; hasMore: boolean; name?: string; list?: string; told?: string };

/** Earlier and later pages of a list; the rest of the address stays as it is. */
export function Pager({ page, hasMore, name = 'page', list, told }: Props) {
  const { pathname, search } = useLocation();
  if (page === 0 && !hasMore) return null;
  const to = (wanted: number) => {
    const query = new URLSearchParams(search);
    if (told) query.delete(told);
    query.set(name, String(wanted));
    return `${pathname}?${query}${list ? `#${list}` : ''}`;
  };
  const look = 'inline-flex min-h-12 items-center font-semibold text-accent underline underline-offset-4';
  return (
    <nav aria-label="Pages" className="flex flex-wrap items-center gap-x-3 whitespace-nowrap">
      {page > 0 && (
        <a href={to(page - 1)} rel="prev" className={look}>
          Earlier page
        </a>
      )}
      <span className="text-sm text-muted">{`Page ${page + 1}`}</span>
      {hasMore && (
        <a href={to(page + 1)} rel="next" className={look}>
          Next page
        </a>
      )}
    </nav>
  );
}
