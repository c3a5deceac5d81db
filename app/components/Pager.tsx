import { Trans, useLingui } from '@lingui/react/macro';
import { useLocation } from '@remix-run/react';

// `doneParam` is the query parameter that makes the page say what was just done. Other pages of the list drop it.
type Props = { page: number; hasMore: boolean; name?: string; list?: string; doneParam?: string };

export function Pager({ page, hasMore, name = 'page', list, doneParam }: Props) {
  const { t } = useLingui();
  const { pathname, search } = useLocation();
  if (page === 0 && !hasMore) return null;
  const to = (page: number) => {
    const query = new URLSearchParams(search);
    if (doneParam) query.delete(doneParam);
    query.set(name, String(page));
    return `${pathname}?${query}${list ? `#${list}` : ''}`;
  };
  const number = page + 1;
  const look = 'inline-flex min-h-12 items-center font-semibold underline underline-offset-4';
  return (
    <nav aria-label={t`Pages`} className="flex flex-wrap items-center gap-x-3 whitespace-nowrap">
      {page > 0 && (
        <a href={to(page - 1)} rel="prev" className={look}>
          <Trans>Earlier page</Trans>
        </a>
      )}
      <span className="text-sm text-muted">
        <Trans>Page {number}</Trans>
      </span>
      {hasMore && (
        <a href={to(page + 1)} rel="next" className={look}>
          <Trans>Next page</Trans>
        </a>
      )}
    </nav>
  );
}
