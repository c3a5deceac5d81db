import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { redirect, type SerializeFrom } from '@remix-run/cloudflare';
import { type MetaFunction, useLoaderData } from '@remix-run/react';
import { ButtonLink, TextLink } from '../../components/Button';
import { Face } from '../../components/Face';
import { HomeLink, Page } from '../../components/frame/Page';
import { i18nOfPage } from '../../components/frame/page-language';
import { languageLinks } from '../../components/frame/public-page';
import { Sheet } from '../../components/frame/Sheet';
import { useShell } from '../../components/frame/shell';
import { CallLink, MapLink } from '../../components/Reach';
import { OfferFacts, ServiceLinks } from '../../components/ServiceLinks';
import { FreeDays } from '../../components/times/FreeDays';
import { MonthOfDays } from '../../components/times/MonthOfDays';
import { EventTimes, Leaf, Moment } from '../../components/times/Time';
import { useWords } from '../../components/words';
import { openSlotFilter } from '../../domain/bookings/appointments';
import { findProviderPage, type ShownParty } from '../../domain/calendar/provider-page.server';
import { findShopPage } from '../../domain/calendar/shop-page.server';
import { notFound } from '../../domain/errors';
import { parse } from '../../domain/input/fields';
import { promiseWords } from '../../domain/profile/rule-words';
import type { OfferedService, Service } from '../../domain/services/services';
import type { FreeTime } from '../../domain/slots/open-slots.server';
import { dateWords, type LocalDate, timeWords, zoneWords } from '../../domain/time/clock';
import { datesOfMonth, isMonth, type Month, monthWords } from '../../domain/time/month';
import { todayIn } from '../../domain/time/zones';
import { worded } from '../../domain/words/worded';
import type { Words } from '../../domain/words/words';
import { cacheHeaders } from '../../http/cached-pages.server';
import { pageLoader } from '../../http/page.server';
import * as paths from '../../paths';
import { PublicFooter } from './PublicFooter';
import { bookingFormPath, monthPath, timesPath, waitPath, withPath } from './paths';
import { ShopPage } from './ShopPage';
import { fullDays, WaitLink } from './WaitLink';

export const handle = { isLetter: true };

/** The link preview: who, where, and the next free time in the provider's zone. */
export const meta: MetaFunction<typeof loader> = ({ data }) => {
  if (!data) return [{ title: 'Daybook' }];
  const { displayName, location } = data.provider;
  const title = `${displayName}, ${location}`;
  const description = worded(i18nOfPage(data), previewWords(data.provider, data.next));
  return [
    { title: `${title} · Daybook` },
    { name: 'description', content: description },
    { property: 'og:title', content: title },
    { property: 'og:description', content: description },
    { property: 'og:type', content: 'website' },
    { property: 'og:image', content: data.picture },
    ...languageLinks(data.address),
  ];
};

type Previewed = { displayName: string; location: string; timeZone: string };

function previewWords({ displayName, location, timeZone }: Previewed, next: FreeTime | null): Words {
  const zone = zoneWords(next?.timeZone ?? timeZone);
  if (!next) return msg`Days and times in ${zone}. Book a time with ${displayName} in ${location}.`;
  const day = dateWords(next.date).full;
  const time = timeWords(next.startsAt, next.timeZone);
  return msg`Next free: ${day}, ${time} ${zone}. Book a time with ${displayName} in ${location}.`;
}

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
  const { people } = providerPage.provider;
  if (people) {
    const shopPage = await findShopPage(db, { username, people, dates, month, service, page }, now);
    if (!shopPage) throw notFound('provider');
    const { shop } = shopPage;
    if (service && !shopPage.service) throw redirect(withPath(shop.username));
    if (!actor) {
      const isPublic = edge.timeZone === null || edge.timeZone === shop.timeZone;
      context.cachedFor = { providerIds: [shop.id, ...shop.people.map(({ id }) => id)], isPublic };
      Object.assign(context.pageHeaders, cacheHeaders({ isPublic, madeAt: now }, now));
    }
    return {
      ofShop: { ...shopPage, page, today: todayIn(shop.timeZone, now) },
      provider: providerPage.provider,
      next: shopPage.next,
      ...pageOfSite(url, shop.username),
    };
  }
  // Another service may still be offered.
  if (service && !providerPage.service) throw redirect(withPath(providerPage.provider.username));
  const { id: providerId, ...provider } = providerPage.provider;
  if (!actor) {
    const isPublic = edge.timeZone === null || edge.timeZone === provider.timeZone;
    context.cachedFor = { providerIds: [providerId], isPublic };
    Object.assign(context.pageHeaders, cacheHeaders({ isPublic, madeAt: now }, now));
  }
  const today = todayIn(provider.timeZone, now);
  return {
    ofShop: null,
    ...providerPage,
    provider,
    page,
    today,
    promise: promiseWords({ ...provider, hasMail: context.hasMail }),
    ...pageOfSite(url, provider.username),
  };
});

/** What previews of links name. */
const pageOfSite = (url: URL, username: string) => ({
  address: url.origin + withPath(username),
  picture: new URL('/pictures/og.png', url).href,
});

export default function With() {
  const data = useLoaderData<typeof loader>();
  return data.ofShop ? <ShopPage {...data.ofShop} /> : <WithProvider {...data} />;
}

type OfProvider = Extract<SerializeFrom<typeof loader>, { ofShop: null }>;

function WithProvider({
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
}: OfProvider) {
  const { t } = useLingui();
  const words = useWords();
  // In a frame there is room for the booking alone.
  const isFramed = useShell().framed !== undefined;
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
              <p className="text-sm text-muted">{words(promise)}</p>
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
              <nav aria-label={t`More times`} className="flex justify-between gap-4 empty:hidden">
                {page > 0 && <TextLink to={timesPath(username, dates, page - 1, chosen)}>{t`Earlier times`}</TextLink>}
                {hasMore && <TextLink to={timesPath(username, dates, page + 1, chosen)}>{t`Later times`}</TextLink>}
              </nav>
            </>
          ) : (
            <>
              <p className="text-muted">
                {words(nothingWords(service, times))}
                {!canWait && ` ${t`Please look again later.`}`}
              </p>
              {times.length > 0 && <Times username={username} times={times} service={chosen} isClosed={false} />}
              {canWait && (
                <div>
                  <ButtonLink to={waitPath(username, { service: chosen, ...full })}>
                    <Trans>Tell me if a time comes free</Trans>
                  </ButtonLink>
                </div>
              )}
            </>
          )}
          {parties.length > 0 && !isFramed && <Parties parties={parties} />}
        </Sheet>
        {!isFramed && <PublicFooter />}
      </Page>
    </div>
  );
}

/** The reason why nothing can be booked: all is taken, or no free stretch is as long as the service. */
function nothingWords(service: Service | null, full: FreeTime[]): Words {
  if (full.length > 0) return msg`All places are taken at the moment.`;
  if (!service || service.seats > 1) return msg`Nothing is free at the moment.`;
  const { name } = service;
  return msg`No free stretch is long enough for ${name} at the moment.`;
}

const Services = ({ username, services }: { username: string; services: OfferedService[] }) => (
  <section aria-labelledby="services" className="grid gap-3 text-start">
    <h2 id="services" className="text-xl">
      <Trans>What do you come for?</Trans>
    </h2>
    <ServiceLinks services={services} to={(id) => withPath(username, id)} />
  </section>
);

/** The chosen service, or the only one, as the tile that was pressed. */
function Chosen({ username, service, canChange }: ChosenProps) {
  const { t } = useLingui();
  return (
    <section aria-label={t`What you come for`} className="offers text-start">
      <p className="chosen">
        <OfferFacts {...service} />
      </p>
      <div className="grid content-center gap-1">
        {service.description && <p className="break-words whitespace-pre-line">{service.description}</p>}
        {canChange && (
          <p>
            <TextLink to={withPath(username)}>{t`Something else`}</TextLink>
          </p>
        )}
      </div>
    </section>
  );
}
type ChosenProps = { username: string; service: OfferedService; canChange: boolean };

/** The next free time, one tap away. */
type NextProps = { username: string; next: FreeTime; service: string | null };
const Next = ({ username, next: { id, startsAt, timeZone }, service }: NextProps) => (
  <div>
    <ButtonLink to={bookingFormPath(username, id, service)}>
      <span>
        <Trans>
          Next free: <Moment at={startsAt} zone={timeZone} />
        </Trans>
      </span>
    </ButtonLink>
  </div>
);

type EmptyMonthProps = { username: string; month: Month; instead: LocalDate; service: string | null };

/** Says that a month has nothing free, and leads to a day that has. */
function EmptyMonth({ username, month, instead, service }: EmptyMonthProps) {
  const { t } = useLingui();
  const words = useWords();
  const monthName = words(monthWords(month));
  const day = words(dateWords(instead).full);
  return (
    <section id="times" aria-label={t`Free times`} className="grid justify-items-center gap-3">
      <p>{t`Nothing is free in ${monthName}.`}</p>
      <ButtonLink quiet to={timesPath(username, [instead], 0, service)}>
        {t`Next free day: ${day}`}
      </ButtonLink>
    </section>
  );
}

type TimesProps = { username: string; times: FreeTime[]; service: string | null; isClosed: boolean };

function Times({ username, times, service, isClosed }: TimesProps) {
  const { t } = useLingui();
  return (
    <section id="times" aria-label={t`Free times`} className="grid gap-5 text-start">
      {times.length === 0 && (
        <p className="text-muted">
          {isClosed
            ? t`Closed on that day. Choose a day to see its times.`
            : t`Nothing is free then any more. Choose a day to see its times.`}
        </p>
      )}
      <FreeDays times={times} to={(id) => bookingFormPath(username, id, service)} />
    </section>
  );
}

/** The provider's public parties, with the way to each letter. */
function Parties({ parties }: { parties: ShownParty[] }) {
  const { t } = useLingui();
  return (
    <section aria-label={t`Invitations`} className="grid gap-4 border-t border-dashed border-rule pt-5 text-start">
      <h2 className="text-xl">{t`You are invited`}</h2>
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
}
