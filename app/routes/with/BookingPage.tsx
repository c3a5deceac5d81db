import { Trans, useLingui } from '@lingui/react/macro';
import { useSearchParams } from '@remix-run/react';
import type { ReactNode } from 'react';
import { ButtonLink, TextLink } from '../../components/Button';
import { Face } from '../../components/Face';
import { HomeLink, Page } from '../../components/frame/Page';
import { Sheet } from '../../components/frame/Sheet';
import { NotInFrame, useIsFramed } from '../../components/frame/shell';
import { CallLink, MapLink } from '../../components/Reach';
import { OfferFacts, ServiceLinks } from '../../components/ServiceLinks';
import { FreeDays } from '../../components/times/FreeDays';
import { MonthOfDays } from '../../components/times/MonthOfDays';
import { Moment, type TileTime } from '../../components/times/Time';
import { useWords } from '../../components/words';
import type { Colour } from '../../domain/profile/looks';
import type { Service } from '../../domain/services/services';
import type { FreeTime } from '../../domain/slots/open-slots.server';
import { dateWords, type LocalDate } from '../../domain/time/clock';
import { datesOfMonth, type Month, monthWords } from '../../domain/time/month';
import type { Words } from '../../domain/words/words';
import { PublicFooter } from './PublicFooter';
import { monthPath, timesPath, waitPath, withPath } from './paths';
import { fullDays, WaitLink } from './WaitLink';

/** Whose page it is: a provider, or a shop. */
type Host = {
  username: string;
  displayName: string;
  location: string;
  description: string | null;
  address: string | null;
  phone: string | null;
  colour: Colour;
  /** Of a colleague: the shop, where all are. */
  inShop?: { username: string; displayName: string; address: string | null; phone: string | null } | null;
};

/** The days and times to choose from. */
type Choice = {
  next: FreeTime | null;
  month: Month;
  months: [first: Month, last: Month]; // the first and the last month that can be shown
  days: LocalDate[]; // of the month, with something free
  dates: LocalDate[]; // whose times are shown
  instead?: LocalDate | null; // a day to go to, where the month has nothing free
  times: FreeTime[];
  isClosed?: boolean;
  page: number;
  hasMore: boolean;
  today: LocalDate;
};

type Props = {
  host: Host;
  promise?: Words;
  isFestive?: boolean;
  /** What people can come for; empty where they need not say. */
  services: Service[];
  service: Service | null;
  canChange: boolean;
  /** With whom, in a shop. */
  people?: ReactNode;
  choice: Choice | null;
  /** Where a time leads. */
  to: (time: TileTime) => string;
  canWait?: boolean;
  /** Without a choice, why. */
  nothing?: ReactNode;
  /** What else the host shows; not in a frame. */
  children?: ReactNode;
};

/** Where people book who have the link: who it is, what they come for, and when. */
export function BookingPage(props: Props) {
  const { host, promise, isFestive, services, service, canChange, people, choice, nothing, children } = props;
  const words = useWords();
  const { username, displayName, location, description, colour, inShop } = host;
  const [address, phone] = [host.address ?? inShop?.address, host.phone ?? inShop?.phone];
  return (
    <div className={colour === 'red' ? undefined : `hue-${colour}`}>
      <Page title={displayName} subtitle={<bdi>{location}</bdi>} corner={<HomeLink />} breaksAnywhere>
        <Sheet isWide isFestive={isFestive}>
          <div className="plate">
            <NotInFrame>
              <Face name={displayName} />
            </NotInFrame>
            <div className="grid gap-1">
              {inShop && (
                <p>
                  <TextLink to={withPath(inShop.username)}>
                    <bdi>{inShop.displayName}</bdi>
                  </TextLink>
                </p>
              )}
              <NotInFrame>{description && <p className="break-words whitespace-pre-line">{description}</p>}</NotInFrame>
              {(address || phone) && (
                <p className="reach flex flex-wrap gap-x-6 break-words">
                  {address && <MapLink address={address} />}
                  {phone && <CallLink phone={phone} />}
                </p>
              )}
              <NotInFrame>{promise && <p className="text-sm text-muted">{words(promise)}</p>}</NotInFrame>
            </div>
          </div>
          {service && <Chosen username={username} service={service} canChange={canChange} />}
          {services.length > 0 && <Services username={username} services={services} />}
          {people}
          {choice && <TimesToChoose {...props} choice={choice} />}
          {nothing}
          <NotInFrame>{children}</NotInFrame>
        </Sheet>
        <NotInFrame>
          <PublicFooter />
        </NotInFrame>
      </Page>
    </div>
  );
}

const Services = ({ username, services }: { username: string; services: Service[] }) => (
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
        <NotInFrame>
          {service.description && <p className="break-words whitespace-pre-line">{service.description}</p>}
        </NotInFrame>
        {canChange && (
          <p>
            <TextLink to={withPath(username)}>{t`Something else`}</TextLink>
          </p>
        )}
      </div>
    </section>
  );
}
type ChosenProps = { username: string; service: Service; canChange: boolean };

/** What of the days and times is shown: in a frame first the days, then the times of one. */
function useStep(): 'all' | 'days' | 'times' {
  const isFramed = useIsFramed();
  const hasDay = useSearchParams()[0].has('dates');
  return !isFramed ? 'all' : hasDay ? 'times' : 'days';
}

/** Where the days and times begin that can be chosen. */
export const useTimesPlace = () => (useStep() === 'days' ? '#month' : '#times');

/** The next free time one tap away, and the days and times of a month. */
function TimesToChoose({ host, service, choice, to, canWait }: Props & { choice: Choice }) {
  const { t } = useLingui();
  const step = useStep();
  const { next, month, months, days, dates, instead, times, isClosed = false, page, hasMore, today } = choice;
  const { username } = host;
  const chosen = service?.id ?? null;
  const full = fullDays(instead ? datesOfMonth(month) : dates, times, today);
  return (
    <>
      {next && step !== 'times' && (
        <div>
          <ButtonLink to={to(next)}>
            <span>
              <Trans>
                Next free: <Moment at={next.startsAt} zone={next.timeZone} />
              </Trans>
            </span>
          </ButtonLink>
        </div>
      )}
      <div className="pick">
        {step === 'times' ? (
          <p>
            <TextLink to={monthPath(username, month, chosen)}>{t`Other days`}</TextLink>
          </p>
        ) : (
          <MonthOfDays
            id="month"
            today={today}
            month={month}
            months={months}
            days={days}
            dates={step === 'days' ? [] : dates}
            paths={{
              month: (shown) => monthPath(username, shown, chosen),
              day: (date) => timesPath(username, [date], 0, chosen),
              wait: canWait ? (date) => waitPath(username, { service: chosen, from: date, to: date }) : undefined,
            }}
          />
        )}
        {instead ? (
          <EmptyMonth username={username} month={month} instead={instead} service={chosen} />
        ) : (
          step !== 'days' && <Times times={times} isClosed={isClosed} to={to} />
        )}
      </div>
      {canWait && (step !== 'days' || instead) && (
        <WaitLink username={username} service={chosen} hasTimes={times.length > 0} {...full} />
      )}
      <nav aria-label={t`More times`} className="flex justify-between gap-4 empty:hidden">
        {page > 0 && <TextLink to={timesPath(username, dates, page - 1, chosen)}>{t`Earlier times`}</TextLink>}
        {hasMore && <TextLink to={timesPath(username, dates, page + 1, chosen)}>{t`Later times`}</TextLink>}
      </nav>
    </>
  );
}

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

type TimesProps = Pick<Props, 'to'> & { times: FreeTime[]; isClosed: boolean };

export function Times({ times, isClosed, to }: TimesProps) {
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
      <FreeDays times={times} to={to} />
    </section>
  );
}
