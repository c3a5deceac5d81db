import { redirect } from '@remix-run/cloudflare';
import { type MetaFunction, useLoaderData } from '@remix-run/react';
import { ButtonLink, TextLink } from '../../components/Button';
import { Face } from '../../components/Face';
import { HomeLink, Page } from '../../components/frame/Page';
import { Sheet } from '../../components/frame/Sheet';
import { CallLink, MapLink } from '../../components/Reach';
import { OfferFacts, ServiceLinks } from '../../components/ServiceLinks';
import { FreeDays } from '../../components/times/FreeDays';
import { MonthOfDays } from '../../components/times/MonthOfDays';
import { EventTimes, Leaf, Moment, timeWords } from '../../components/times/Time';
import { openSlotFilter } from '../../domain/bookings/appointments';
import { findProviderPage, type ShownParty } from '../../domain/calendar/provider-page.server';
import { notFound } from '../../domain/errors';
import { parse } from '../../domain/input/fields';
import { promiseWords } from '../../domain/profile/rule-words';
import type { OfferedService, Service } from '../../domain/services/services';
import type { FreeTime } from '../../domain/slots/open-slots.server';
import { dateWords, type LocalDate, zoneWords } from '../../domain/time/clock';
import { datesOfMonth, isMonth, type Month, monthWords } from '../../domain/time/month';
import { todayIn } from '../../domain/time/zones';
import { cacheHeaders } from '../../http/cached-pages.server';
import { pageLoader } from '../../http/page.server';
import * as paths from '../../paths';
import { PublicFooter } from './PublicFooter';
import { bookingFormPath, monthPath, timesPath, waitPath, withPath } from './paths';
import { fullDays, WaitLink } from './WaitLink';

export const handle = { isLetter: true };

/** The link preview: who, where, and the next free time in the provider's zone. */
export const meta: MetaFunction<typeof loader> = ({ data }) => {
  if (!data) return [{ title: 'Daybook' }];
  const { displayName, location, timeZone } = data.provider;
  const title = `${displayName}, ${location}`;
  const when = data.next ? `Next free: ${nextWords(data.next)}` : `Days and times in ${zoneWords(timeZone)}`;
  const description = `${when}. Book a time with ${displayName} in ${location}.`;
  return [
    { title: `${title} · Daybook` },
    { name: 'description', content: description },
    { property: 'og:title', content: title },
    { property: 'og:description', content: description },
    { property: 'og:type', content: 'website' },
    { property: 'og:image', content: data.picture },
    { tagName: 'link', rel: 'canonical', href: data.address },
  ];
};

/** 'Wednesday, 2 December 2026, 09:00 Lisbon time' */
const nextWords = ({ date, startsAt, timeZone }: FreeTime) =>
  `${dateWords(date).full}, ${timeWords(startsAt, timeZone)}`;

/** Shows a provider and their free time to anyone with the link. The query holds the steps: a month, and days of it. */
export const loader = pageLoader('anyone', async (context, { params: { username = '' }, url }) => {
  const { db, now, actor, edge } = context;
  const query = url.searchParams;
  const filter = { page: query.get('page') ?? undefined, dates: query.getAll('dates').join(' ') };
  const { page, dates } = parse(openSlotFilter, filter);
  const monthParameter = query.get('month') ?? '';
  const month = isMonth(monthParameter) ? monthParameter : undefined;
  const service = query.get('service') ?? '';
  const providerPage = await findProviderPage(db, { username, dates, month, service, page }, now);
  if (!providerPage) throw notFound('provider');
  // Another service may still be offered.
  if (service && !providerPage.service) throw redirect(withPath(providerPage.provider.username));
  const { id: providerId, ...provider } = providerPage.provider;
  if (!actor) {
    const isPublic = edge.timeZone === null || edge.timeZone === provider.timeZone;
    context.cachedFor = { providerId, isPublic };
    Object.assign(context.pageHeaders, cacheHeaders({ isPublic, madeAt: now }, now));
  }
  const today = todayIn(provider.timeZone, now);
  return {
    ...providerPage,
    provider,
    page,
    today,
    promise: promiseWords({ ...provider, hasMail: context.hasMail }),
    address: url.origin + withPath(provider.username),
    picture: new URL('/pictures/og.png', url).href,
  };
});

export default function WithProvider() {
  const {
    provider,
    services,
    service,
    next,
    month,
    months,
    days,
    instead,
    dates,
    times,
    isClosed,
    page,
    hasMore,
    parties,
    today,
    promise,
  } = useLoaderData<typeof loader>();
  const chosen = service?.id ?? null;
  const isAsked = service === null && services.length > 1;
  const canWait = provider.waitlist === 'on';
  const daysInView = instead ? datesOfMonth(month) : dates;
  const full = fullDays(daysInView, times, today);
  const { username, displayName, location, description, address, phone, colour, head } = provider;
  return (
    <div className={colour === 'red' ? undefined : `hue-${colour}`}>
      <Page title={displayName} subtitle={<bdi>{location}</bdi>} corner={<HomeLink />} breaksAnywhere>
        <Sheet isWide isFestive={head === 'festive'}>
          <div className="plate">
            <Face name={displayName} />
            <div className="grid gap-1">
              {description && <p className="break-words whitespace-pre-line">{description}</p>}
              {(address || phone) && (
                <p className="flex flex-wrap gap-x-6 break-words">
                  {address && <MapLink address={address} />}
                  {phone && <CallLink phone={phone} />}
                </p>
              )}
              <p className="text-sm text-muted">{promise}</p>
            </div>
          </div>
          {service && <Chosen username={username} service={service} canChange={services.length > 1} />}
          {isAsked ? (
            <Services username={username} services={services} />
          ) : next ? (
            <>
              <Next username={username} next={next} service={chosen} />
              <div className="pick">
                <MonthOfDays
                  id="month"
                  today={today}
                  month={month}
                  months={months}
                  days={days}
                  dates={dates}
                  paths={{
                    month: (to) => monthPath(username, to, chosen),
                    day: (date) => timesPath(username, [date], 0, chosen),
                    wait: canWait ? (date) => waitPath(username, { service: chosen, from: date, to: date }) : undefined,
                  }}
                />
                {instead ? (
                  <EmptyMonth username={username} month={month} instead={instead} service={chosen} />
                ) : (
                  <Times username={username} times={times} service={chosen} isClosed={isClosed} />
                )}
              </div>
              {canWait && <WaitLink username={username} service={chosen} hasTimes={times.length > 0} {...full} />}
              <nav aria-label="More times" className="flex justify-between gap-4 empty:hidden">
                {page > 0 && <TextLink to={timesPath(username, dates, page - 1, chosen)}>Earlier times</TextLink>}
                {hasMore && <TextLink to={timesPath(username, dates, page + 1, chosen)}>Later times</TextLink>}
              </nav>
            </>
          ) : (
            <>
              <p className="text-muted">
                {nothingWords(service, times)}
                {!canWait && ' Please look again later.'}
              </p>
              {times.length > 0 && <Times username={username} times={times} service={chosen} isClosed={false} />}
              {canWait && (
                <div>
                  <ButtonLink to={waitPath(username, { service: chosen, ...full })}>
                    Tell me if a time comes free
                  </ButtonLink>
                </div>
              )}
            </>
          )}
          {parties.length > 0 && <Parties parties={parties} />}
        </Sheet>
        <PublicFooter />
      </Page>
    </div>
  );
}

/** The reason why nothing can be booked: all is taken, or no free stretch is as long as the service. */
function nothingWords(service: Service | null, full: FreeTime[]): string {
  if (full.length > 0) return 'All places are taken at the moment.';
  if (!service || service.seats > 1) return 'Nothing is free at the moment.';
  return `No free stretch is long enough for ${service.name} at the moment.`;
}

const Services = ({ username, services }: { username: string; services: OfferedService[] }) => (
  <section aria-labelledby="services" className="grid gap-3 text-left">
    <h2 id="services" className="text-xl">
      What do you come for?
    </h2>
    <ServiceLinks services={services} to={(id) => withPath(username, id)} />
  </section>
);

/** The chosen service, or the only one, as the tile that was pressed. */
const Chosen = ({
  username,
  service,
  canChange,
}: {
  username: string;
  service: OfferedService;
  canChange: boolean;
}) => (
  <section aria-label="What you come for" className="offers text-left">
    <p className="chosen">
      <OfferFacts {...service} />
    </p>
    <div className="grid content-center gap-1">
      {service.description && <p className="break-words whitespace-pre-line">{service.description}</p>}
      {canChange && (
        <p>
          <TextLink to={withPath(username)}>Something else</TextLink>
        </p>
      )}
    </div>
  </section>
);

/** The next free time, one tap away. */
type NextProps = { username: string; next: FreeTime; service: string | null };
const Next = ({ username, next: { id, startsAt, timeZone }, service }: NextProps) => (
  <div>
    <ButtonLink to={bookingFormPath(username, id, service)}>
      <span>
        Next free: <Moment at={startsAt} zone={timeZone} />
      </span>
    </ButtonLink>
  </div>
);

type EmptyMonthProps = { username: string; month: Month; instead: LocalDate; service: string | null };

/** Says that a month has nothing free, and leads to a day that has. */
const EmptyMonth = ({ username, month, instead, service }: EmptyMonthProps) => (
  <section id="times" aria-label="Free times" className="grid justify-items-center gap-3">
    <p>Nothing is free in {monthWords(month)}.</p>
    <ButtonLink quiet to={timesPath(username, [instead], 0, service)}>
      {`Next free day: ${dateWords(instead).full}`}
    </ButtonLink>
  </section>
);

type TimesProps = { username: string; times: FreeTime[]; service: string | null; isClosed: boolean };

function Times({ username, times, service, isClosed }: TimesProps) {
  return (
    <section id="times" aria-label="Free times" className="grid gap-5 text-left">
      {times.length === 0 && (
        <p className="text-muted">
          {isClosed ? 'Closed on that day.' : 'Nothing is free then any more.'} Choose a day to see its times.
        </p>
      )}
      <FreeDays times={times} to={(id) => bookingFormPath(username, id, service)} />
    </section>
  );
}

/** The provider's public parties, with the way to each letter. */
const Parties = ({ parties }: { parties: ShownParty[] }) => (
  <section aria-label="Invitations" className="grid gap-4 border-t border-dashed border-rule pt-5 text-left">
    <h2 className="text-xl">You are invited</h2>
    <ul className="grid gap-4">
      {parties.map(({ id, title, ...when }) => (
        <li key={id} className="flex items-center gap-4">
          <Leaf date={when.date} />
          <div className="min-w-0 flex-1">
            <h3 className="font-semibold break-words">
              <a href={paths.party(id)} className="underline-offset-4 hover:underline">
                {title}
              </a>
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
