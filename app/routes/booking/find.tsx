import { type LoaderFunctionArgs, type MetaArgs, redirect } from '@remix-run/cloudflare';
import { type ClientLoaderFunctionArgs, useLoaderData } from '@remix-run/react';
import type { Db } from '../../../db/client';
import { ButtonLink, TextLink } from '../../components/Button';
import { Notice } from '../../components/Card';
import { Page } from '../../components/Page';
import { Moment } from '../../components/Time';
import { tabTitle } from '../../components/titled';
import { findProvider, listCities, listProviders } from '../../domain/accounts/providers.server';
import { type OpenSlotFilter, openSlotFilter } from '../../domain/appointments/appointments';
import { listOpenDates } from '../../domain/appointments/open-dates.server';
import { listFreeTimes } from '../../domain/appointments/open-slots.server';
import { findAppointment } from '../../domain/appointments/reading.server';
import { status } from '../../domain/appointments/status';
import { notFound } from '../../domain/errors';
import { parse } from '../../domain/input/fields';
import { fold } from '../../domain/input/fold';
import type { LocalDate } from '../../domain/time/clock';
import { isMonth, monthOf } from '../../domain/time/month';
import { todayIn } from '../../domain/time/zones';
import { answerPage } from '../../http/page.server';
import { takeAhead } from './ahead';
import { ChooseCity } from './ChooseCity';
import { ChooseDays } from './ChooseDays';
import { ChooseProvider } from './ChooseProvider';
import { ChooseTime } from './ChooseTime';
import { StepTrail } from './StepTrail';

const titles = { City: 'Choose a city', Provider: 'Choose a provider', Days: 'Choose days', Time: 'Choose a time' };

/** Each step has a title of its own. */
export const meta = ({ data }: MetaArgs<typeof loader>) => [
  { title: tabTitle(data ? (data.justBooked ? 'Booked. ' : '') + titles[data.step] : 'Find a time', data) },
  { name: 'description', content: 'Find a free time: choose a city, a provider and days.' },
];

/** A reader who is no consumer goes from a provider's link to the provider's public page. */
export async function loader(args: LoaderFunctionArgs) {
  const query = new URL(args.request.url).searchParams;
  const provider = query.get('provider')?.trim();
  if (!provider || args.context.actor?.role === 'Consumer') return find(args);
  query.delete('provider');
  query.delete('_data');
  throw redirect(`/with/${encodeURIComponent(provider)}${query.size > 0 ? `?${query}` : ''}`);
}

/** The query says which of the four steps it is: it has nothing, a city, a provider, or days. */
const find = answerPage('Consumer', async ({ db, actor, now }, { url }) => {
  const query = url.searchParams;
  const given = (name: string) => query.get(name)?.trim() || undefined;
  const filter = parse(openSlotFilter, {
    page: given('page'),
    q: given('q'),
    location: given('location'),
    provider: given('provider'),
    dates: query.getAll('dates').join(' '),
  });
  const booked = given('booked');
  const [justBooked, step] = await Promise.all([
    booked ? findAppointment(db, actor, booked) : undefined,
    filter.provider
      ? daysAndTimes(db, filter, { month: given('month'), isShown: query.has('show') }, now)
      : cityOrProvider(db, filter, now),
  ]);
  return { ...step, justBooked: justBooked?.status === status.booked ? justBooked : undefined };
});

async function cityOrProvider(db: Db, { location, q, page }: OpenSlotFilter, now: number) {
  if (!location) return { step: 'City' as const, q: q ?? '', ...chosenBy(q ?? '', await listCities(db)) };
  const { rows, hasMore } = await listProviders(db, { location, q, page }, now);
  return { step: 'Provider' as const, location, q: q ?? '', page, rows, hasMore };
}

/** More cities than this get a search. */
const fewCities = 20;

function chosenBy(q: string, cities: string[]) {
  const wanted = fold(q);
  return { isLong: cities.length > fewCities, cities: cities.filter((city) => fold(city).includes(wanted)) };
}

async function daysAndTimes(db: Db, filter: OpenSlotFilter, wanted: { month?: string; isShown: boolean }, now: number) {
  const { provider: username = '', dates = [], page } = filter;
  const isTime = dates.length > 0 && !wanted.month;
  const [provider, available, found] = await Promise.all([
    findProvider(db, username),
    isTime ? Promise.resolve<LocalDate[]>([]) : listOpenDates(db, username, now),
    isTime ? listFreeTimes(db, { provider: username, dates, page }, now) : undefined,
  ]);
  if (!provider) throw notFound('provider');
  if (found) {
    return { step: 'Time' as const, provider, dates, page, times: found.rows, hasMore: found.hasMore };
  }
  const today = todayIn(provider.timeZone, now);
  const month = wanted.month && isMonth(wanted.month) ? wanted.month : monthOf(dates[0] ?? available[0] ?? today);
  return {
    step: 'Days' as const,
    provider,
    today,
    available,
    dates,
    month,
    isMissing: wanted.isShown && !wanted.month,
  };
}

/** The next page of times may be prefetched. */
export async function clientLoader({ request, serverLoader }: ClientLoaderFunctionArgs) {
  return takeAhead(request.url) ?? serverLoader();
}

export default function Find() {
  const shown = useLoaderData<typeof loader>();
  const { justBooked, step } = shown;
  return (
    <Page title={titles[step]} subtitle={subtitle(shown)}>
      {justBooked && (
        <Notice
          tone="good"
          title={
            <>
              Booked: <bdi>{justBooked.providerName}</bdi>,{' '}
              <Moment at={justBooked.startsAt} zone={justBooked.timeZone} isFull />
            </>
          }
        >
          <div className="flex flex-wrap gap-3">
            <ButtonLink to={`/appointments/${justBooked.id}/daybook.ics`} isFile>
              Add to calendar
            </ButtonLink>
            <ButtonLink quiet to={`/details-cancel/${justBooked.id}`}>
              See it, or cancel it
            </ButtonLink>
          </div>
          <p>
            All of yours: <TextLink to="/view-booked">booked appointments</TextLink>
          </p>
        </Notice>
      )}
      <StepTrail
        current={step}
        location={placeOf(shown)}
        provider={'provider' in shown ? shown.provider.username : undefined}
        dates={'dates' in shown ? shown.dates : undefined}
      />
      {step === 'City' && <ChooseCity {...shown} />}
      {step === 'Provider' && <ChooseProvider {...shown} />}
      {step === 'Days' && <ChooseDays {...shown} />}
      {step === 'Time' && <ChooseTime {...shown} />}
    </Page>
  );
}

type Shown = ReturnType<typeof useLoaderData<typeof loader>>;

function placeOf(shown: Shown): string | undefined {
  if ('provider' in shown) return shown.provider.location;
  return 'location' in shown ? shown.location : undefined;
}

function subtitle(shown: Shown) {
  const place = <bdi>{placeOf(shown)}</bdi>;
  if (!('provider' in shown)) return placeOf(shown) && place;
  return (
    <>
      {place} · <bdi>{shown.provider.displayName}</bdi>
    </>
  );
}
