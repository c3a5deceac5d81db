import type { ReactNode } from 'react';
import {
  dateWords,
  type Instant,
  isSameAt,
  type LocalDate,
  lengthWords,
  localDateOf,
  localTimeOf,
  machineText,
  minute,
  shortDate,
  zoneWords,
} from '../../domain/time/clock';
import { useShell } from '../frame/shell';

type Span = { startsAt: Instant; endsAt: Instant; timeZone: string };

// All times of day on screens come from this file, so that none lacks its zone; house.test.ts checks that. Lists print
// hundreds of times and a component costs as much as its element, so the inner ones are plain functions.

const timeOf = (at: Instant, zone: string) => <time dateTime={machineText(at)}>{localTimeOf(at, zone)}</time>;
const zoneOf = (zone: string) => <span title={zone}>{zoneWords(zone)}</span>;
const forYou = (zone: string) => <span title={zone}>for you</span>;

/** Lines break after a dot, but never inside a length. */
const noBreak = '\u00a0';
const dot = `${noBreak}· `;

export const Zone = ({ zone }: { zone: string }) => zoneOf(zone);

export const TimeOf = ({ at, zone }: { at: Instant; zone: string }) => (
  <>
    {timeOf(at, zone)} {zoneOf(zone)}
  </>
);

export const ClockTime = ({ at, zone }: { at: Instant; zone: string }) => timeOf(at, zone);

/** 'Tue 24 Nov, 11:00 to 11:30, Lisbon time', and the reader's own time if it differs. */
export function WhenLine(span: Span) {
  return whenLine(span, zoneOf(span.timeZone), yourTimes(span, useShell().readerZone), useShell().year);
}

/** The same with the reader's own time first, and the appointment's below it. */
export function OwnWhenLine(span: Span) {
  const { readerZone, year } = useShell();
  const yours = otherZone(span, readerZone);
  if (!yours) return whenLine(span, zoneOf(span.timeZone), null, year);
  const own = { ...span, timeZone: yours };
  return whenLine(own, forYou(yours), timesElsewhere(own, span.timeZone, zoneOf(span.timeZone)), year);
}

const whenLine = (span: Span, whose: ReactNode, elsewhere: ReactNode, year: string) => {
  const { startsAt, endsAt, timeZone } = span;
  return (
    <>
      <span className="whitespace-nowrap">{shortDate(localDateOf(startsAt, timeZone), year)}</span>,{' '}
      {timeOf(startsAt, timeZone)} to {timeOf(endsAt, timeZone)}
      {isLengthHidden(span) && `, ${lengthWords((endsAt - startsAt) / minute)}`}, {whose}
      {elsewhere}
    </>
  );
};

/** The zone whose clock the reader looks at: their own if it shows another time than the appointment's. */
export const useOwnZone = (span: Span): string => otherZone(span, useShell().readerZone) ?? span.timeZone;

/** A moment as plain text: 'Fri 4 Dec, 20:00 Lisbon time, Sat 5 Dec, 01:30 for you'. */
export function momentText(at: Instant, zone: string, readerZone: string | null): string {
  const yours = yourShortTime({ startsAt: at, endsAt: at, timeZone: zone }, readerZone);
  return [`${dateWords(localDateOf(at, zone)).short}, ${timeWords(at, zone)}`, yours].filter(Boolean).join(', ');
}

export const timeWords = (at: Instant, zone: string) => `${localTimeOf(at, zone)} ${zoneWords(zone)}`;

type MomentProps = { at: Instant; zone?: string; isFull?: boolean };

/** A moment in a zone, and in the reader's own time if that differs. Without a zone, only the reader's own. */
export function Moment({ at, zone: ownZone, isFull = false }: MomentProps) {
  const { readerZone, year } = useShell();
  const zone = ownZone ?? readerZone ?? 'UTC';
  const date = localDateOf(at, zone);
  const dayIn = (date: LocalDate) => (isFull ? dateWords(date).full : shortDate(date, year));
  const yours = readerZone && !isSameAt(at, zone, readerZone) ? readerZone : null;
  const yourDate = yours && localDateOf(at, yours);
  return (
    <>
      {`${dayIn(date)}, `}
      {timeOf(at, zone)} {zoneOf(zone)}
      {yours && yourDate && (
        <>
          {yourDate === date ? ', ' : `, ${dayIn(yourDate)}, `}
          {timeOf(at, yours)} {forYou(yours)}
        </>
      )}
    </>
  );
}

export function SpanTimes(span: Span) {
  const { startsAt, endsAt, timeZone } = span;
  const length = lengthWords(Math.round((endsAt - startsAt) / minute)).replaceAll(' ', noBreak);
  return (
    <>
      {timeOf(startsAt, timeZone)} to {timeOf(endsAt, timeZone)}
      {`${dot}${length}${dot}`}
      {zoneOf(timeZone)}
      {yourTimes(span, useShell().readerZone)}
    </>
  );
}

/** Beside the leaf of its date: the times large, then how long and whose clock. */
export function HeadTimes(span: Span) {
  const { startsAt, endsAt, timeZone } = span;
  return (
    <>
      <span className="block text-lg font-semibold">
        {timeOf(startsAt, timeZone)} to {timeOf(endsAt, timeZone)}
      </span>
      <span className="block text-sm text-muted">
        {lengthWords(Math.round((endsAt - startsAt) / minute))}
        {dot}
        {zoneOf(timeZone)}
      </span>
      {yourTimes(span, useShell().readerZone)}
    </>
  );
}

export const ShortTimes = ({ hasZone, ...span }: Span & { hasZone: boolean }) => (
  <>
    {timeOf(span.startsAt, span.timeZone)} to {timeOf(span.endsAt, span.timeZone)}
    {isLengthHidden(span) && `, ${lengthWords((span.endsAt - span.startsAt) / minute)}`}
    {hasZone && <> {zoneOf(span.timeZone)}</>}
  </>
);

export function EventTimes(span: Span) {
  const { startsAt, endsAt, timeZone } = span;
  return (
    <>
      {timeOf(startsAt, timeZone)} to {timeOf(endsAt, timeZone)}, {zoneOf(timeZone)}
      <span className="text-sm font-normal text-muted">{yourTimes(span, useShell().readerZone)}</span>
    </>
  );
}

function otherZone({ startsAt, endsAt, timeZone }: Span, readerZone: string | null): string | null {
  if (!readerZone || readerZone === timeZone) return null;
  const isSame = isSameAt(startsAt, timeZone, readerZone) && isSameAt(endsAt, timeZone, readerZone);
  return isSame ? null : readerZone;
}

type YourTime = { zone: string; start: string; end: string; day: string; isStartSame: boolean };

// Every place that shows the reader's own time uses this, so that the day is never missing. It is null if the reader's
// clock shows the same time; `day` is blank if the day is the same.
function yourTime(span: Span, readerZone: string | null): YourTime | null {
  const { startsAt, endsAt, timeZone } = span;
  const zone = otherZone(span, readerZone);
  if (!zone) return null;
  const isStartSame = isSameAt(startsAt, timeZone, zone);
  const instant = isStartSame ? endsAt : startsAt;
  const date = localDateOf(instant, zone);
  const day = date === localDateOf(instant, timeZone) ? '' : dateWords(date).short;
  return { zone, start: localTimeOf(startsAt, zone), end: localTimeOf(endsAt, zone), day, isStartSame };
}

/** The reader's time of the start, or of the end if only that differs. */
function yourShortTime(span: Span, readerZone: string | null): string | null {
  const yours = yourTime(span, readerZone);
  if (!yours) return null;
  const { start, end, day, isStartSame } = yours;
  return `${day && `${day}, `}${isStartSame ? `to ${end}` : start} for you`;
}

const yourTimes = (span: Span, readerZone: string | null) =>
  readerZone && timesElsewhere(span, readerZone, forYou(readerZone));

/** The times by the clock of another zone, if it shows others. */
function timesElsewhere(span: Span, other: string, whose: ReactNode) {
  const elsewhere = yourTime(span, other);
  if (!elsewhere) return null;
  const { startsAt, endsAt } = span;
  const { zone, day } = elsewhere;
  return (
    <span className="block">
      {timeOf(startsAt, zone)} to {timeOf(endsAt, zone)}
      {day ? `, ${day}, ` : ' '}
      {whose}
    </span>
  );
}

export function YourTimes(span: Span) {
  return yourTimes(span, useShell().readerZone);
}

export function useTimeFacts(span: Span & { date: LocalDate }): [name: string, what: ReactNode][] {
  const { startsAt, endsAt, timeZone, date } = span;
  const yours = yourTimes(span, useShell().readerZone);
  return [
    ['Start', timeOf(startsAt, timeZone)],
    ['End', timeOf(endsAt, timeZone)],
    ['Date', dateWords(date).full],
    ['Time zone', zoneOf(timeZone)],
    ...(yours ? [['Your time', yours] as [string, ReactNode]] : []),
  ];
}

export function Leaf({ date, hidesYear }: { date: LocalDate; hidesYear?: boolean }) {
  const { month, day, weekday, full, year } = dateWords(date);
  const isNow = useShell().year === year;
  return (
    <div className="leaf" role="img" aria-label={full}>
      <span>{month}</span>
      <span>{day}</span>
      {isNow || hidesYear ? weekday : `${weekday} ${year}`}
    </div>
  );
}

export type DayOfTimes = {
  date: LocalDate;
  timeZone: string;
  /** `isPressed`: the time is a button that sends the form, not a link. */
  times: {
    id: string;
    startsAt: Instant;
    endsAt: Instant;
    isPressed?: boolean;
    places?: number | null;
    service?: string | null;
    /** What the provider has then, or '' if it has no name. Only they see it. */
    busyWith?: string | null;
  }[];
};

/** A field that a pressed time sends to the form's own address. */
type Sent = { name: string; value: string };

export function TimesOfDay({ date, timeZone, times, to }: DayOfTimes & { to: (id: string) => Sent | string }) {
  const { readerZone } = useShell();
  const { full } = dateWords(date);
  return (
    <section className="grid content-start gap-4">
      <div className="flex items-center gap-4">
        <Leaf date={date} />
        <div>
          <h2 className="text-xl">{full}</h2>
          <p className="text-sm text-muted">{zoneOf(timeZone)}</p>
        </div>
      </div>
      {partsOf(times, timeZone).map(([part, some]) => (
        <div key={part} className="grid gap-2">
          {part && <h3 className="font-sans text-sm text-muted">{part}</h3>}
          <ul className="tiles slots grid grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-3">
            {some.map(({ id, isPressed, places = null, service = null, busyWith = null, ...span }) => (
              <li key={id}>
                {timeTile(
                  to(id),
                  { ...span, timeZone },
                  { day: full, readerZone, isPressed, places, service, busyWith },
                )}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

function partsOf(times: DayOfTimes['times'], zone: string): [part: string, times: DayOfTimes['times']][] {
  const isEarly = ({ startsAt }: { startsAt: Instant }) => localTimeOf(startsAt, zone) < '12';
  const [morning, afternoon] = [times.filter(isEarly), times.filter((time) => !isEarly(time))];
  if (times.length < 5 || morning.length === 0 || afternoon.length === 0) return [['', times]];
  return [
    ['Morning', morning],
    ['Afternoon', afternoon],
  ];
}

type Tile = {
  day: string;
  readerZone: string | null;
  isPressed?: boolean;
  places: number | null;
  service: string | null;
  busyWith: string | null;
};

const notOfferedWords = (busyWith: string) => `Not offered: ${busyWith || 'you have something else'}`;

const placesWords = (places: number) =>
  places === 0 ? 'Full' : places === 1 ? '1 place left' : `${places} places left`;

// If the clocks change in between, the reader can't work out the length from start and end.
const isLengthHidden = ({ startsAt, endsAt, timeZone }: Span) => {
  const clockOf = (at: Instant) => Date.parse(`${localDateOf(at, timeZone)}T${localTimeOf(at, timeZone)}Z`);
  return clockOf(endsAt) - clockOf(startsAt) !== endsAt - startsAt;
};

/** A time as a tile. A screen reader also hears its day and length. */
function timeTile(to: Sent | string, span: Span, { day, readerZone, isPressed, places, service, busyWith }: Tile) {
  const { startsAt, endsAt, timeZone } = span;
  const start = localTimeOf(startsAt, timeZone);
  const end = `to ${localTimeOf(endsAt, timeZone)}`;
  const yours = yourShortTime(span, readerZone);
  const length = lengthWords((endsAt - startsAt) / minute);
  const placesLeft = places === null ? null : placesWords(places);
  const busy = busyWith === null ? null : notOfferedWords(busyWith);
  const label = [day, `${start} ${end}`, service, yours, length, placesLeft, busy].filter(Boolean).join(', ');
  const words = (
    <>
      <time dateTime={machineText(startsAt)}>{start}</time>
      {` ${end}`}
      {isLengthHidden(span) && <span>{` ${length}`}</span>}
      {yours && <span>{` ${yours}`}</span>}
      {service && <span>{` ${service}`}</span>}
      {placesLeft && <span>{` ${placesLeft}`}</span>}
      {busy && <span className="text-warn wrap-anywhere">{` ${busy}`}</span>}
    </>
  );
  if (typeof to !== 'string') {
    return (
      <button type="submit" {...to} aria-label={label}>
        {words}
      </button>
    );
  }
  return isPressed ? (
    <button type="submit" formAction={to} aria-label={label}>
      {words}
    </button>
  ) : (
    <a href={to} aria-label={label}>
      {words}
    </a>
  );
}
