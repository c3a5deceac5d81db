import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { redirect, type SerializeFrom } from '@remix-run/cloudflare';
import { type MetaFunction, useLoaderData } from '@remix-run/react';
import { ButtonLink } from '../../components/Button';
import { i18nOfPage } from '../../components/frame/page-language';
import { languageLinks } from '../../components/frame/public-page';
import { EventTimes, Leaf, type TileTime } from '../../components/times/Time';
import { useWords } from '../../components/words';
import { openSlotFilter } from '../../domain/bookings/appointments';
import { findProviderPage, type ShownParty } from '../../domain/calendar/provider-page.server';
import { findShopPage } from '../../domain/calendar/shop-page.server';
import { parse } from '../../domain/input/fields';
import { notFound } from '../../domain/not-found';
import { promiseWords } from '../../domain/profile/rule-words';
import type { Service } from '../../domain/services/services';
import type { FreeTime } from '../../domain/slots/open-slots.server';
import { dateWords, timeWords, zoneWords } from '../../domain/time/clock';
import { datesOfMonth, isMonth } from '../../domain/time/month';
import { todayIn } from '../../domain/time/zones';
import { worded } from '../../domain/words/worded';
import type { Words } from '../../domain/words/words';
import { cacheHeaders } from '../../http/cached-pages.server';
import { pageLoader } from '../../http/page.server';
import * as paths from '../../paths';
import { BookingPage, Times } from './BookingPage';
import { bookingFormPath, waitPath, withPath } from './paths';
import { ShopPage } from './ShopPage';
import { fullDays } from './WaitLink';

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
    const { inShop } = provider;
    context.cachedFor = { providerIds: inShop ? [providerId, inShop.id] : [providerId], isPublic };
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

function WithProvider({ provider, services, service, parties, promise, ...times }: OfProvider) {
  const { username, waitlist } = provider;
  const chosen = service?.id ?? null;
  const isAsked = service === null && services.length > 1;
  const canWait = waitlist === 'on';
  const to = ({ id }: TileTime) => bookingFormPath(username, id, chosen);
  return (
    <BookingPage
      host={provider}
      promise={promise}
      isFestive={provider.head === 'festive'}
      services={isAsked ? services : []}
      service={service}
      canChange={services.length > 1}
      choice={isAsked || !times.next ? null : times}
      to={to}
      canWait={canWait}
      nothing={!isAsked && !times.next && <Nothing {...{ username, service, canWait, to }} {...times} />}
    >
      {parties.length > 0 && <Parties parties={parties} />}
    </BookingPage>
  );
}

type NothingProps = Pick<OfProvider, 'service' | 'times' | 'dates' | 'instead' | 'month' | 'today'> & {
  username: string;
  canWait: boolean;
  to: (time: TileTime) => string;
};

/** Says that nothing can be booked, and what one can do. */
function Nothing({ username, service, times, dates, instead, month, today, canWait, to }: NothingProps) {
  const { t } = useLingui();
  const words = useWords();
  const full = fullDays(instead ? datesOfMonth(month) : dates, times, today);
  return (
    <>
      <p className="text-muted">
        {words(nothingWords(service, times))}
        {!canWait && ` ${t`Please look again later.`}`}
      </p>
      {times.length > 0 && <Times times={times} isClosed={false} to={to} />}
      {canWait && (
        <div>
          <ButtonLink to={waitPath(username, { service: service?.id ?? null, ...full })}>
            <Trans>Tell me if a time comes free</Trans>
          </ButtonLink>
        </div>
      )}
    </>
  );
}

/** Why nothing can be booked: all places are taken, or nothing is free, perhaps only for so long a service. */
function nothingWords(service: Service | null, full: FreeTime[]): Words {
  if (full.length > 0) return msg`All places are taken at the moment.`;
  if (!service || service.seats > 1) return msg`Nothing is free at the moment.`;
  const { name } = service;
  return msg`Nothing is free for ${name} at the moment.`;
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
