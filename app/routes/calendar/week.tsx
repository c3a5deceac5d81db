import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useLoaderData } from '@remix-run/react';
import { useEffect } from 'react';
import { ButtonLink, TextLink } from '../../components/Button';
import { Empty } from '../../components/Card';
import { useBookPaths } from '../../components/frame/book-paths';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { Steps } from '../../components/Steps';
import { Zone } from '../../components/times/Time';
import { useWords } from '../../components/words';
import { weekWords } from '../../domain/calendar/week';
import { readWeek, thisWeek } from '../../domain/calendar/week.server';
import { listServices } from '../../domain/services/services.server';
import { addDays, parseWireDate, wireDate } from '../../domain/time/clock';
import { inBook } from '../../http/book-of.server';
import { pageLoader } from '../../http/page.server';
import * as paths from '../../paths';
import styles from '../../styles/week.css?url';
import { WeekList } from './WeekList';
import { WeekPicture } from './WeekPicture';

export const links = () => [{ rel: 'stylesheet', href: styles }];
export const meta = titled(msg`Week`, msg`Your appointments, parties and meetups, seven days side by side.`);

export const loader = pageLoader(
  'member',
  inBook(async ({ db, actor, now, edge, desk }, { url }) => {
    const dateParameter = (name: string) => parseWireDate(url.searchParams.get(name) ?? '');
    const from = dateParameter('from') ?? thisWeek(actor.timeZone, edge.weekStart, now);
    const isProvider = actor.role === 'Provider';
    const [week, services] = await Promise.all([
      readWeek(db, actor, from, now, desk),
      isProvider ? listServices(db, actor) : [],
    ]);
    const today = week.days.find(({ isToday }) => isToday)?.date;
    const day = week.days.find(({ date }) => date === dateParameter('day'))?.date ?? today ?? from;
    const isList = url.searchParams.get('as') === 'list';
    return { ...week, services: services.map(({ name }) => name), day, isList, isProvider };
  }),
);

/**
 * With script: on a phone the week opens at now, because in the evening that is far below its first hour. What is going
 * on then stands below the header, which would cut it.
 */
function useOpenAtNow() {
  useEffect(() => {
    const now = document.getElementById('now')?.getBoundingClientRect();
    if (!now || !matchMedia('(width < 37.5625rem)').matches || now.top < innerHeight / 2) return;
    const header = document.querySelector('header');
    const covered = header && getComputedStyle(header).top === '0px' ? header.offsetHeight : 0;
    scrollBy({ top: now.top - covered, behavior: 'instant' });
  }, []);
}

export default function Week() {
  const desk = useBookPaths();
  useOpenAtNow();
  const { t } = useLingui();
  const words = useWords();
  const { isCut, isList, ...week } = useLoaderData<typeof loader>();
  const { from, zone, days, isProvider } = week;
  const weekPath = (date: string, asList = isList) => desk.week({ from: wireDate(date), as: asList ? 'list' : null });
  return (
    <Page title={t`Week`} subtitle={words(weekWords(from))}>
      <Steps
        label={t`Weeks`}
        before={{ to: weekPath(addDays(from, -7)), words: t`Week before` }}
        now={{ to: isList ? desk.week({ as: 'list' }) : `${desk.week()}#now`, words: t`This week` }}
        after={{ to: weekPath(addDays(from, 7)), words: t`Week after` }}
      >
        <TextLink to={weekPath(from, !isList)}>{isList ? t`As a picture` : t`As a list`}</TextLink>
        <TextLink to={paths.feeds()}>
          <Trans>In your own calendar</Trans>
        </TextLink>
      </Steps>
      <p className="text-sm text-muted">
        <Trans>
          Times are in <Zone zone={zone} />.
        </Trans>{' '}
        {isCut && <Trans>There is more in this week than it shows.</Trans>}
      </p>
      {days.every(({ items }) => items.length === 0) && (
        <Empty
          next={
            isProvider ? (
              <ButtonLink to={desk.hours()}>
                <Trans>Set your hours</Trans>
              </ButtonLink>
            ) : (
              <ButtonLink to={paths.search()}>
                <Trans>Book an appointment</Trans>
              </ButtonLink>
            )
          }
        >
          {isProvider
            ? t`Nothing in this week. What is booked, free or kept by your own events stands here.`
            : t`Nothing in this week. What you book and where you are going stands here.`}
        </Empty>
      )}
      {isList ? <WeekList days={days} isProvider={isProvider} /> : <WeekPicture {...week} />}
    </Page>
  );
}
