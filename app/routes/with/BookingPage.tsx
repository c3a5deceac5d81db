import { Trans, useLingui } from '@lingui/react/macro';
import { useSearchParams } from '@remix-run/react';
import type { ReactNode } from 'react';
import { ButtonLink, TextLink } from '../../components/Button';
import { Face } from '../../components/Face';
import { roomOfFrame } from '../../components/frame/frame-groups';
import { HomeLink, Page } from '../../components/frame/Page';
import { Parts, useFrameGroups } from '../../components/frame/Parts';
import { Sheet } from '../../components/frame/Sheet';
import { NotInFrame, useIsFramed, useShell } from '../../components/frame/shell';
import { CallLink, MapLink } from '../../components/Reach';
import { OfferFacts, useServiceLists } from '../../components/ServiceLinks';
import { FreeDays } from '../../components/times/FreeDays';
import { MonthOfDays } from '../../components/times/MonthOfDays';
import { Moment, type TileTime } from '../../components/times/Time';
import { useWords } from '../../components/words';
import type { Colour } from '../../domain/profile/looks';
import type { Service } from '../../domain/services/services';
import type { FreeTime } from '../../domain/slots/open-slots.server';
import { dateWords, type LocalDate, otherZone } from '../../domain/time/clock';
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
  /** With whom, in a shop: the tiles in as many lists as a frame of another site needs. */
  people?: ReactNode[];
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
  const { host, promise, isFestive, service, canChange, nothing, children } = props;
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
          <Choices {...props} />
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

/** What they come for, with whom, and when. In a frame of another site the days come first, and a day's times alone. */
function Choices(props: Props) {
  const { host, services, people = [], choice } = props;
  const { t } = useLingui();
  const step = useStep();
  const lists = useServiceLists({ services, to: (id) => withPath(host.username, id) });
  const offers = lists.map((content) => ({
    content: (
      <section aria-label={t`What do you come for?`} className="grid gap-3 text-start">
        <h2 className="text-xl">{t`What do you come for?`}</h2>
        {content}
      </section>
    ),
  }));
  const persons = people.map((content, place) => ({ content, asked: place === 0 ? t`With whom?` : undefined }));
  const times = choice ? [{ content: <TimesToChoose {...props} choice={choice} /> }] : [];
  const parts = {
    all: [...offers, ...persons, ...times],
    days: [...times, ...offers, ...persons],
    times: times.length > 0 ? times : [...offers, ...persons],
  };
  return <Parts parts={parts[step]} />;
}

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
          step !== 'days' && (
            <Times
              times={times}
              isClosed={isClosed}
              to={to}
              earlier={
                page > 0 && <TextLink to={timesPath(username, dates, page - 1, chosen)}>{t`Earlier times`}</TextLink>
              }
              later={hasMore && <TextLink to={timesPath(username, dates, page + 1, chosen)}>{t`Later times`}</TextLink>}
            />
          )
        )}
      </div>
      {canWait && (step !== 'days' || instead) && (
        <WaitLink username={username} service={chosen} hasTimes={times.length > 0} {...full} />
      )}
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

type TimesProps = Pick<Props, 'to'> & {
  times: FreeTime[];
  isClosed: boolean;
  /** The ways to the page of times before this one, and after it. */
  earlier?: ReactNode;
  later?: ReactNode;
};

export function Times({ times, isClosed, to, earlier, later }: TimesProps) {
  const { t } = useLingui();
  const { readerZone } = useShell();
  // Beside the times: the places that are left, and the reader's own time.
  const linesOf = (time: FreeTime) => 2 + (time.places === null ? 0 : 1) + (otherZone(time, readerZone) ? 1 : 0);
  const groups = useFrameGroups(times, linesOf, roomOfFrame.times);
  const lists = groups.length > 0 ? groups : [[]];
  return (
    <section id="times" aria-label={t`Free times`} className="grid gap-5 text-start">
      {times.length === 0 && (
        <p className="text-muted">
          {isClosed
            ? t`Closed on that day. Choose a day to see its times.`
            : t`Nothing is free then any more. Choose a day to see its times.`}
        </p>
      )}
      <Parts
        parts={lists.map((some, place) => ({
          content: (
            <>
              <FreeDays times={some} to={to} />
              <nav aria-label={t`More times`} className="flex justify-between gap-4 empty:hidden">
                {place === 0 && earlier}
                {place === lists.length - 1 && later}
              </nav>
            </>
          ),
        }))}
        next={t`Later times`}
        back={t`Earlier times`}
      />
    </section>
  );
}
