import { useLocation } from '@remix-run/react';

/** Earlier and later pages of a list; the rest of the address stays as it is. */
export function Pager({ page, hasMore, name = 'page' }: { page: number; hasMore: boolean; name?: string }) {
  const { pathname, search } = useLocation();
  if (page === 0 && !hasMore) return null;
  const to = (wanted: number) => {
    const query = new URLSearchParams(search);
    query.set(name, String(wanted));
    return `${pathname}?${query}`;
  };
  const look = 'inline-flex min-h-12 items-center font-semibold text-accent underline underline-offset-4';
  return (
    <nav aria-label="Pages" className="flex items-center gap-6">
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
