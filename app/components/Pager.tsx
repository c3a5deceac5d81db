import { useLocation } from '@remix-run/react';

// `told` is the query parameter that says what was just done: other pages of the list don't say it again.
type Props = { page: number; hasMore: boolean; name?: string; list?: string; told?: string };

/** The rest of the address stays. */
export function Pager({ page, hasMore, name = 'page', list, told }: Props) {
  const { pathname, search } = useLocation();
  if (page === 0 && !hasMore) return null;
  const to = (page: number) => {
    const query = new URLSearchParams(search);
    if (told) query.delete(told);
    query.set(name, String(page));
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
