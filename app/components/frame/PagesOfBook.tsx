import { Trans, useLingui } from '@lingui/react/macro';
import { useLocation } from '@remix-run/react';
import * as paths from '../../paths';
import { TextLink } from '../Button';
import { useBookPaths } from './book-paths';

const headingId = 'whose-book';

/** Says in the heading whose book this page is of. */
export const BookOf = ({ displayName }: { displayName: string }) => (
  <strong id={headingId}>
    <Trans>
      The book of <bdi>{displayName}</bdi>
    </Trans>
  </strong>
);

/** Leads to the other pages of a colleague's book, and back to all. */
export function PagesOfBook() {
  const { t } = useLingui();
  const desk = useBookPaths();
  const { pathname } = useLocation();
  const pages = [
    [desk.day(), t`Day sheet`],
    [desk.week(), t`Week`],
    [desk.booked(), t({ message: 'Booked', context: 'several' })],
    [desk.freeTimes(), t`Free times`],
    [desk.bookAt(), t`Book for someone`],
    [desk.people(), t`People`],
    [desk.hours(), t`Hours`],
    [desk.services(), t`Services`],
  ] as const;
  return (
    <nav
      aria-labelledby={headingId}
      className="no-print flex flex-wrap items-center gap-x-5 border-b border-rule text-sm"
    >
      {pages.map(([to, words]) => (
        <a
          key={to}
          href={to}
          aria-current={to.startsWith(`${pathname}?`) ? 'page' : undefined}
          className="inline-flex min-h-11 items-center underline underline-offset-4 aria-[current=page]:font-semibold aria-[current=page]:no-underline"
        >
          {words}
        </a>
      ))}
      <TextLink to={paths.shopDay()}>
        <Trans>The day of all</Trans>
      </TextLink>
    </nav>
  );
}
