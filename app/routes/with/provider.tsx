import { type MetaFunction, useLoaderData } from '@remix-run/react';
import { ButtonLink, TextLink } from '../../components/Button';
import { FreeDays } from '../../components/FreeDays';
import { HomeLink, Page } from '../../components/Page';
import { Sheet } from '../../components/Sheet';
import { EventTimes, Leaf, Moment, timeWords } from '../../components/Time';
import { openSlotFilter } from '../../domain/appointments/appointments';
import type { FreeTime } from '../../domain/appointments/open-slots.server';
import { findProviderPage, type ShownParty } from '../../domain/appointments/provider-page.server';
import { notFound } from '../../domain/errors';
import { parse } from '../../domain/input/fields';
import { dateWords, zoneWords } from '../../domain/time/clock';
import { isMonth } from '../../domain/time/month';
import { keptHeaders } from '../../http/kept-pages.server';
import { answerPage } from '../../http/page.server';
import { MonthOfDays } from './MonthOfDays';
import { bookingFormPath, timesPath, withPath } from './paths';

export const handle = { isLetter: true };

/** The link preview: who, where, and the next free time in the provider's zone. */
export const meta: MetaFunction<typeof loader> = ({ data }) => {
  if (!data) return [{ title: 'Daybook' }];
  const { displayName, location, timeZone } = data.provider;
  const title = `${displayName}, ${location}`;
  const when = data.next ? `Next free: ${nextWords(data.next)}` : `Days and times in ${zoneWords(timeZone)}`;
  const about = `${when}. Book a time with ${displayName} in ${location}.`;
  return [
    { title: `${title} · Daybook` },
    { name: 'description', content: about },
    { property: 'og:title', content: title },
    { property: 'og:description', content: about },
    { property: 'og:type', content: 'website' },
    { tagName: 'link', rel: 'canonical', href: data.address },
  ];
};

/** 'Wednesday, 2 December 2026, 09:00 Lisbon time' */
const nextWords = ({ date, startsAt, timeZone }: FreeTime) =>
  `${dateWords(date).full}, ${timeWords(startsAt, timeZone)}`;

/** Shows a provider and their free time to anyone with the link. The query holds the steps: a month, and days of it. */
export const loader = answerPage('anyone', async (context, { params: { username = '' }, url }) => {
  const { db, now, actor, edge } = context;
  const query = url.searchParams;
  const filter = { page: query.get('page') ?? undefined, dates: query.getAll('dates').join(' ') };
  const { page, dates } = parse(openSlotFilter, filter);
  const wanted = query.get('month') ?? '';
  const month = isMonth(wanted) ? wanted : undefined;
  const found = await findProviderPage(db, { username, dates, month, page }, now);
  if (!found) throw notFound('provider');
  const { id: providerId, ...provider } = found.provider;
  if (!actor) {
    const isPublic = edge.timeZone === null || edge.timeZone === provider.timeZone;
    context.keptFor = { providerId, isPublic };
    Object.assign(context.pageHeaders, keptHeaders({ isPublic, madeAt: now }, now));
  }
  return { ...found, provider, page, address: url.origin + withPath(provider.username) };
});

export default function WithProvider() {
  const { provider, next, month, months, days, dates, times, page, hasMore, parties } = useLoaderData<typeof loader>();
  const { username, displayName, location, description } = provider;
  return (
    <Page title={displayName} subtitle={<bdi>{location}</bdi>} corner={<HomeLink />} isBroken>
      <Sheet>
        {description && <p className="text-left break-words whitespace-pre-line">{description}</p>}
        {next ? (
          <>
            <Next username={username} next={next} />
            <MonthOfDays username={username} month={month} months={months} days={days} dates={dates} />
            <Times username={username} isChosen={dates.length > 0} times={times} />
            <nav aria-label="More times" className="flex justify-between gap-4 empty:hidden">
              {page > 0 && <TextLink to={timesPath(username, dates, page - 1)}>Earlier times</TextLink>}
              {hasMore && <TextLink to={timesPath(username, dates, page + 1)}>Later times</TextLink>}
            </nav>
          </>
        ) : (
          <p className="text-muted">Nothing is free at the moment. Please look again later.</p>
        )}
        {parties.length > 0 && <Parties parties={parties} />}
      </Sheet>
    </Page>
  );
}

/** The next free time, one tap away. */
const Next = ({ username, next: { id, startsAt, timeZone } }: { username: string; next: FreeTime }) => (
  <div>
    <ButtonLink to={bookingFormPath(username, id)}>
      <span>
        Next free: <Moment at={startsAt} zone={timeZone} />
      </span>
    </ButtonLink>
  </div>
);

type TimesProps = { username: string; isChosen: boolean; times: FreeTime[] };

function Times({ username, isChosen, times }: TimesProps) {
  return (
    <section id="times" aria-label="Free times" className="grid gap-5 text-left">
      {times.length === 0 && (
        <p className="text-muted">{isChosen ? 'Nothing is free then any more. ' : ''}Choose a day to see its times.</p>
      )}
      <FreeDays times={times} to={withPath(username)} />
    </section>
  );
}

/** What the provider invites to, with the way to each letter. */
const Parties = ({ parties }: { parties: ShownParty[] }) => (
  <section aria-label="Invitations" className="grid gap-4 border-t border-dashed border-rule pt-5 text-left">
    <h2 className="text-xl">You are invited</h2>
    <ul className="grid gap-4">
      {parties.map(({ id, title, ...when }) => (
        <li key={id} className="flex items-center gap-4">
          <Leaf date={when.date} />
          <div className="min-w-0 flex-1">
            <h3 className="font-semibold break-words">
              <TextLink to={`/party/${id}`}>{title}</TextLink>
            </h3>
            <p className="text-sm">
              <EventTimes {...when} />
            </p>
          </div>
        </li>
      ))}
    </ul>
  </section>
);
