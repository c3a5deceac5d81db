import { useLoaderData } from '@remix-run/react';
import { TextLink } from '../../components/Button';
import { Page } from '../../components/Page';
import { Zone } from '../../components/Time';
import { titled } from '../../components/titled';
import { weekWords } from '../../domain/calendar/week';
import { readWeek, thisWeek } from '../../domain/calendar/week.server';
import { addDays, parseWireDate, wireDate } from '../../domain/time/clock';
import { answerPage } from '../../http/page.server';
import styles from '../../week.css?url';
import { WeekList } from './WeekList';
import { WeekPicture } from './WeekPicture';

export const links = () => [{ rel: 'stylesheet', href: styles }];
export const meta = titled('Week', 'Your appointments, parties and meetups, seven days side by side.');

export const loader = answerPage('member', async ({ db, actor, now }, { url }) => {
  const asked = (name: string) => parseWireDate(url.searchParams.get(name) ?? '');
  const from = asked('from') ?? thisWeek(actor.timeZone, now);
  const week = await readWeek(db, actor, from, now);
  const today = week.days.find(({ isToday }) => isToday)?.date;
  const day = week.days.find(({ date }) => date === asked('day'))?.date ?? today ?? from;
  return { ...week, day, isList: url.searchParams.get('as') === 'list', isProvider: actor.role === 'Provider' };
});

export default function Week() {
  const { from, zone, days, shortest, isCut, hasHours, day, isList, isProvider } = useLoaderData<typeof loader>();
  const list = isList ? '&as=list' : '';
  const weekPath = (date: string) => `/week?from=${wireDate(date)}${list}`;
  return (
    <Page title="Week" subtitle={weekWords(from)}>
      <nav aria-label="Weeks" className="no-print flex flex-wrap gap-x-6 gap-y-2">
        <TextLink to={weekPath(addDays(from, -7))}>Week before</TextLink>
        <TextLink to={`/week${isList ? '?as=list' : ''}`}>This week</TextLink>
        <TextLink to={weekPath(addDays(from, 7))}>Week after</TextLink>
        <TextLink to={`/week?from=${wireDate(from)}${isList ? '' : '&as=list'}`}>
          {isList ? 'As a picture' : 'As a list'}
        </TextLink>
        <TextLink to="/calendar">In your own calendar</TextLink>
      </nav>
      <p className="text-sm text-muted">
        Times are in <Zone zone={zone} />.{hasHours && !isList && ' What is shaded is outside your hours.'}
        {isCut && ' There is more in this week than it shows.'}
      </p>
      {isList ? (
        <WeekList days={days} isProvider={isProvider} />
      ) : (
        <WeekPicture from={from} days={days} shortest={shortest} day={day} isProvider={isProvider} />
      )}
    </Page>
  );
}
