import { type MetaFunction, useLoaderData } from '@remix-run/react';
import { ButtonLink, TextLink } from '../../components/Button';
import { HomeLink, Page } from '../../components/Page';
import { Sheet } from '../../components/Sheet';
import { Moment, TimesOfDay, timeWords } from '../../components/Time';
import { openSlotFilter } from '../../domain/appointments/appointments';
import type { FreeTime } from '../../domain/appointments/open-slots.server';
import { findProviderPage } from '../../domain/appointments/provider-page.server';
import { notFound } from '../../domain/errors';
import { parse } from '../../domain/input/fields';
import { dateWords, zoneWords } from '../../domain/time/clock';
import { isMonth } from '../../domain/time/month';
import { answerPage } from '../../http/page.server';
import { MonthOfDays } from './MonthOfDays';
import { timesPath, withPath } from './paths';

export const handle = { isLetter: true };

/** The link preview: who, where, and the next free time in the provider's zone. */
export const meta: MetaFunction<typeof loader> = ({ data }) => {
  if (!data) return [{ title: 'Daybook' }];
  const { displayName, location, timeZone, username } = data.provider;
  const title = `${displayName}, ${location}`;
  const when = data.next ? `Next free: ${nextWords(data.next)}` : `Days and times in ${zoneWords(timeZone)}`;
  const about = `${when}. Book a time with ${displayName} in ${location}.`;
  return [
    { title: `${title} · Daybook` },
    { name: 'description', content: about },
    { property: 'og:title', content: title },
    { property: 'og:description', content: about },
    { property: 'og:type', content: 'website' },
    { tagName: 'link', rel: 'canonical', href: withPath(username) },
  ];
};

/** 'Wednesday, 2 December 2026, 09:00 Lisbon time' */
const nextWords = ({ date, startsAt, timeZone }: FreeTime) =>
  `${dateWords(date).full}, ${timeWords(startsAt, timeZone)}`;

/** Shows a provider and their free time to anyone with the link. The query holds the steps: a month, and days of it. */
export const loader = answerPage('anyone', async ({ db, now }, { params: { username = '' }, url }) => {
  const query = url.searchParams;
  const filter = { page: query.get('page') ?? undefined, dates: query.getAll('dates').join(' ') };
  const { page, dates } = parse(openSlotFilter, filter);
  const wanted = query.get('month') ?? '';
  const month = isMonth(wanted) ? wanted : undefined;
  const found = await findProviderPage(db, { username, dates, month, page }, now);
  if (!found) throw notFound('provider');
  return { ...found, page };
});

export default function WithProvider() {
  const { provider, next, month, months, days, dates, times, page, hasMore } = useLoaderData<typeof loader>();
  const { username, displayName, location, description } = provider;
  return (
    <Page title={displayName} subtitle={<bdi>{location}</bdi>} corner={<HomeLink />}>
      <Sheet>
        {description && <p className="text-left break-words whitespace-pre-line">{description}</p>}
        {next ? (
          <>
            <Next next={next} />
            <MonthOfDays username={username} month={month} months={months} days={days} dates={dates} />
            <Times isChosen={dates.length > 0} times={times} />
            <nav aria-label="More times" className="flex justify-between gap-4 empty:hidden">
              {page > 0 && <TextLink to={timesPath(username, dates, page - 1)}>Earlier times</TextLink>}
              {hasMore && <TextLink to={timesPath(username, dates, page + 1)}>Later times</TextLink>}
            </nav>
          </>
        ) : (
          <p className="text-muted">Nothing is free at the moment. Please look again later.</p>
        )}
      </Sheet>
    </Page>
  );
}

/** The next free time, one tap away. */
const Next = ({ next: { id, startsAt, timeZone } }: { next: FreeTime }) => (
  <div>
    <ButtonLink to={`/details/${id}`}>
      <span>
        Next free: <Moment at={startsAt} zone={timeZone} />
      </span>
    </ButtonLink>
  </div>
);

type TimesProps = { isChosen: boolean; times: FreeTime[] };

/** The free times under their days. Where a day has times in two zones, each zone has its heading. */
function Times({ isChosen, times }: TimesProps) {
  const days = [...new Map(times.map(({ date, timeZone }) => [`${date} ${timeZone}`, { date, timeZone }])).values()];
  return (
    <section id="times" aria-label="Free times" className="grid gap-5 text-left">
      {days.length === 0 && (
        <p className="text-muted">{isChosen ? 'Nothing is free then any more. ' : ''}Choose a day to see its times.</p>
      )}
      {days.map(({ date, timeZone }) => (
        <TimesOfDay
          key={`${date} ${timeZone}`}
          date={date}
          timeZone={timeZone}
          times={times.filter((time) => time.date === date && time.timeZone === timeZone)}
          to="/details"
        />
      ))}
    </section>
  );
}
