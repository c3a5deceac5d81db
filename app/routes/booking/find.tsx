import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { type LoaderFunctionArgs, type MetaArgs, redirect } from '@remix-run/cloudflare';
import { type ClientLoaderFunctionArgs, useLoaderData } from '@remix-run/react';
import type { Db } from '../../../db/client';
import { ButtonLink, TextLink } from '../../components/Button';
import { Card, Notice } from '../../components/Card';
import { Page } from '../../components/frame/Page';
import { i18nOfPage } from '../../components/frame/page-language';
import { tabTitle } from '../../components/frame/titled';
import { ServiceLinks } from '../../components/ServiceLinks';
import { AskForDeposit } from '../../components/times/AskForDeposit';
import { Moment } from '../../components/times/Time';
import { WebCalendars } from '../../components/times/WebCalendars';
import { useWords } from '../../components/words';
import { type OpenSlotFilter, openSlotFilter } from '../../domain/bookings/appointments';
import { depositWithCode } from '../../domain/bookings/deposit-code.server';
import { findAppointment } from '../../domain/bookings/read.server';
import { status } from '../../domain/bookings/status';
import { appointmentTitle } from '../../domain/calendar/entries';
import { parse } from '../../domain/input/fields';
import { withoutAccents } from '../../domain/input/fold';
import { mailedTo } from '../../domain/messages/ways';
import { findWays } from '../../domain/messages/ways.server';
import { notFound } from '../../domain/not-found';
import { chosenService } from '../../domain/services/services';
import { listOffered } from '../../domain/services/services.server';
import { locationOf } from '../../domain/services/where';
import { providerInShop } from '../../domain/shop/in-shop';
import { listOpenDates } from '../../domain/slots/open-dates.server';
import { freeTimeOf, listFreeTimes, listFullClasses, withFullClasses } from '../../domain/slots/open-slots.server';
import { findProvider, listCities, listProviders } from '../../domain/slots/providers.server';
import { listTimes } from '../../domain/slots/times.server';
import type { LocalDate } from '../../domain/time/clock';
import { isMonth, monthOf } from '../../domain/time/month';
import { todayIn } from '../../domain/time/zones';
import { tagOf } from '../../domain/words/i18n';
import { worded } from '../../domain/words/worded';
import type { Words } from '../../domain/words/words';
import { pageLoader } from '../../http/page.server';
import * as paths from '../../paths';
import { ChooseCity } from './ChooseCity';
import { ChooseDays } from './ChooseDays';
import { ChooseProvider } from './ChooseProvider';
import { ChooseTime } from './ChooseTime';
import { providerPath } from './paths';
import { takePrefetched } from './prefetch';
import { StepTrail } from './StepTrail';

const titles = {
  City: msg`Choose a city`,
  Provider: msg`Choose a provider`,
  Service: msg`What do you come for?`,
  Days: msg`Choose days`,
  Time: msg`Choose a time`,
};

/** Each step has a title of its own. */
export const meta = ({ data }: MetaArgs<typeof loader>) => [
  { title: tabTitle(data ? titleOf(data) : msg`Find a time`, data) },
  {
    name: 'description',
    content: worded(i18nOfPage(data), msg`Find a free time: choose a city, a provider and days.`),
  },
];

function titleOf({ step, justBooked }: { step: keyof typeof titles; justBooked?: unknown }): Words {
  const title = titles[step];
  return justBooked ? msg`Booked. ${title}` : title;
}

export async function loader(args: LoaderFunctionArgs) {
  const query = new URL(args.request.url).searchParams;
  const provider = query.get('provider')?.trim();
  if (!provider || args.context.actor?.role === 'Consumer') return find(args);
  query.delete('provider');
  query.delete('_data');
  throw redirect(paths.provider(provider) + (query.size > 0 ? `?${query}` : ''));
}

/** The query has what was chosen so far: nothing, a city, a provider, a service, or days. That decides the step. */
const find = pageLoader('Consumer', async ({ db, actor, now, hasMail, i18n }, { url }) => {
  const query = url.searchParams;
  const parameter = (name: string) => query.get(name)?.trim() || undefined;
  const filter = parse(openSlotFilter, {
    page: parameter('page'),
    q: parameter('q'),
    location: parameter('location'),
    provider: parameter('provider'),
    dates: query.getAll('dates').join(' '),
  });
  const booked = parameter('booked');
  const [justBooked, ways, step] = await Promise.all([
    booked ? findAppointment(db, actor, booked) : undefined,
    booked ? findWays(db, booked, hasMail) : undefined,
    filter.provider
      ? daysAndTimes(
          db,
          filter,
          { month: parameter('month'), service: parameter('service'), isShown: query.has('show') },
          now,
        )
      : cityOrProvider(db, filter, { now, language: tagOf(i18n) }),
  ]);
  const isBooked = justBooked?.status === status.booked;
  return {
    ...step,
    hasMail,
    mailedTo: mailedTo(ways),
    justBooked: isBooked ? justBooked : undefined,
    deposit: isBooked ? depositWithCode(justBooked) : null,
  };
});

type Reading = { now: number; language: string };

async function cityOrProvider(db: Db, { location, q, page }: OpenSlotFilter, { now, language }: Reading) {
  if (!location) return { step: 'City' as const, q: q ?? '', ...chosenBy(q ?? '', await listCities(db, language)) };
  const { rows, hasMore } = await listProviders(db, { location, q, page }, now);
  return { step: 'Provider' as const, location, q: q ?? '', page, rows, hasMore };
}

/** If there are more cities than this, the page has a search. */
const fewCities = 20;

function chosenBy(q: string, cities: string[]) {
  const plainName = withoutAccents(q);
  return {
    isLong: cities.length > fewCities,
    cities: cities.filter((city) => withoutAccents(city).includes(plainName)),
  };
}

type MonthQuery = { month?: string; service?: string; isShown: boolean };

async function daysAndTimes(db: Db, filter: OpenSlotFilter, wanted: MonthQuery, now: number) {
  const { provider: username = '', dates = [], page } = filter;
  const isTime = dates.length > 0 && !wanted.month;
  const providerFilter = { provider: username, dates, page };
  const [provider, offered, days, found, fitting, full] = await Promise.all([
    findProvider(db, username),
    listOffered(db, username),
    isTime ? Promise.resolve<LocalDate[]>([]) : listOpenDates(db, username, now, wanted.service),
    isTime ? listFreeTimes(db, providerFilter, now) : undefined,
    isTime ? listTimes(db, { ...providerFilter, service: wanted.service ?? '' }, now) : undefined,
    isTime ? listFullClasses(db, { ...providerFilter, service: wanted.service }, now) : undefined,
  ]);
  if (!provider) throw notFound('provider');
  // With whom is chosen there too.
  if (provider.isShop) throw redirect(paths.provider(provider.username, { service: wanted.service }));
  const today = todayIn(provider.timeZone, now);
  const service = chosenService(offered, wanted.service ?? '');
  if (service === null && offered.length > 1) return { step: 'Service' as const, provider, services: offered };
  const available = service && !wanted.service && !isTime ? await listOpenDates(db, username, now, service.id) : days;
  if (found && fitting && full) {
    const times = service ? { ...fitting, rows: fitting.rows.map(freeTimeOf) } : found;
    return {
      step: 'Time' as const,
      provider,
      service,
      dates,
      today,
      page,
      ...withFullClasses(times, full, { dates, page }),
    };
  }
  const month = wanted.month && isMonth(wanted.month) ? wanted.month : monthOf(dates[0] ?? available[0] ?? today);
  return {
    step: 'Days' as const,
    provider,
    service,
    today,
    available,
    dates,
    month,
    isMissing: wanted.isShown && !wanted.month,
  };
}

/** Takes the next page of times from the prefetched ones, if it is there. */
export async function clientLoader({ request, serverLoader }: ClientLoaderFunctionArgs) {
  return takePrefetched(request.url) ?? serverLoader();
}

export default function Find() {
  const shown = useLoaderData<typeof loader>();
  const { justBooked, deposit, mailedTo, hasMail, step } = shown;
  const { t } = useLingui();
  const words = useWords();
  const providerName = justBooked ? words(providerInShop(justBooked, true)) : '';
  return (
    <Page title={words(titles[step])} subtitle={subtitle(shown)}>
      {justBooked && (
        <Notice
          tone="good"
          title={
            <Trans>
              Booked: <bdi>{providerName}</bdi>, <Moment at={justBooked.startsAt} zone={justBooked.timeZone} isFull />
            </Trans>
          }
        >
          <p>{t`${{ providerName: justBooked.providerName }} has it in their book. If something comes up, you can change it here.`}</p>
          {deposit && <AskForDeposit deposit={deposit} />}
          <div className="flex flex-wrap gap-3">
            <ButtonLink to={paths.appointmentFile(justBooked.id)} isFile>
              <Trans>Add to calendar</Trans>
            </ButtonLink>
            <ButtonLink quiet to={paths.appointment(justBooked.id)}>
              <Trans>See it, or cancel it</Trans>
            </ButtonLink>
            <ButtonLink quiet to={paths.again(justBooked.id)}>
              <Trans>The same time again</Trans>
            </ButtonLink>
          </div>
          {hasMail && (
            <p className="break-words">
              {mailedTo ? t`It is mailed to ${mailedTo}.` : t`No mail is sent.`}{' '}
              <TextLink to={paths.email()}>{t`Which mails you get`}</TextLink>
            </p>
          )}
          <WebCalendars
            file={paths.appointmentFile(justBooked.id)}
            title={words(appointmentTitle(justBooked.service?.name ?? null, providerName))}
            startsAt={justBooked.startsAt}
            endsAt={justBooked.endsAt}
            location={words(locationOf(justBooked, justBooked.providerAddress, false) ?? '')}
          />
          <p>
            <Trans>
              All of yours: <TextLink to={paths.booked()}>booked appointments</TextLink>
            </Trans>
          </p>
        </Notice>
      )}
      <StepTrail
        current={step === 'Service' ? 'Days' : step}
        location={placeOf(shown)}
        provider={'provider' in shown ? shown.provider.username : undefined}
        dates={'dates' in shown ? shown.dates : undefined}
        service={('service' in shown && shown.service?.id) || null}
      />
      {step === 'City' && <ChooseCity {...shown} />}
      {step === 'Provider' && <ChooseProvider {...shown} />}
      {step === 'Service' && (
        <Card>
          <ServiceLinks services={shown.services} to={(id) => providerPath(shown.provider.username, id)} />
        </Card>
      )}
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
