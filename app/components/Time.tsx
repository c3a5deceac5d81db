import type { ReactNode } from 'react';
import {
  dateWords,
  type Instant,
  type LocalDate,
  lengthWords,
  localDateOf,
  localTimeOf,
  machineText,
  minute,
  shortDate,
  zoneWords,
} from '../domain/time/clock';
import { useShell } from './shell';

type Span = { startsAt: Instant; endsAt: Instant; timeZone: string };

/*
 * Each time of day that we print comes from here, with its zone. Another file would have to ask the clock itself, and
 * house.test.ts sees that. A page of lines shows a hundred times, and a component costs as much again as its element,
 * so we call the inner ones as functions.
 */

const timeOf = (at: Instant, zone: string) => <time dateTime={machineText(at)}>{localTimeOf(at, zone)}</time>;
const zoneOf = (zone: string) => <span title={zone}>{zoneWords(zone)}</span>;

/** Lines break after a dot; a length stays on one line. */
const noBreak = '\u00a0';
const dot = `${noBreak}· `;

/** A zone by its place, with its full name as the title. */
export const Zone = ({ zone }: { zone: string }) => zoneOf(zone);

/** A time of day in a zone; machines can read the instant. */
export const TimeOf = ({ at, zone }: { at: Instant; zone: string }) => (
  <>
    {timeOf(at, zone)} {zoneOf(zone)}
  </>
);

/** A time of day alone, where its zone is said above. */
export const ClockTime = ({ at, zone }: { at: Instant; zone: string }) => timeOf(at, zone);

/** Day and time in one line: 'Tue 24 Nov, 11:00 to 11:30, Lisbon time', and the reader's own where it differs. */
export function WhenLine(span: Span & { date: LocalDate }) {
  const { startsAt, endsAt, timeZone, date } = span;
  const { year, readerZone } = useShell();
  return (
    <>
      <span className="whitespace-nowrap">{shortDate(date, year)}</span>, {timeOf(startsAt, timeZone)} to{' '}
      {timeOf(endsAt, timeZone)}, {zoneOf(timeZone)}
      {yourTimes(span, readerZone)}
    </>
  );
}

/** Start time and zone for a label that a screen reader says. */
export const timeWords = (at: Instant, zone: string) => `${localTimeOf(at, zone)} ${zoneWords(zone)}`;

type MomentProps = { at: Instant; zone?: string; isFull?: boolean };

/**
 * The day and time of an instant in a zone, and the reader's own time where it differs. Without a zone: the reader's own
 * time alone.
 */
export function Moment({ at, zone: given, isFull = false }: MomentProps) {
  const { readerZone, year } = useShell();
  const zone = given ?? readerZone ?? 'UTC';
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
          {timeOf(at, yours)} <span title={yours}>for you</span>
        </>
      )}
    </>
  );
}

/** Start, end and length, with the zone, and the reader's own times where they differ. */
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

/** Start and end, and the zone where it is not said elsewhere. */
export const ShortTimes = ({ startsAt, endsAt, timeZone, hasZone }: Span & { hasZone: boolean }) => (
  <>
    {timeOf(startsAt, timeZone)} to {timeOf(endsAt, timeZone)}
    {hasZone && <> {zoneOf(timeZone)}</>}
  </>
);

/** Start and end for a letter, with the zone, and the reader's own times where they differ. */
export function EventTimes(span: Span) {
  const { startsAt, endsAt, timeZone } = span;
  return (
    <>
      {timeOf(startsAt, timeZone)} to {timeOf(endsAt, timeZone)}, {zoneOf(timeZone)}
      <span className="text-sm font-normal text-muted">{yourTimes(span, useShell().readerZone)}</span>
    </>
  );
}

const isSameAt = (at: Instant, zone: string, other: string) =>
  localTimeOf(at, zone) === localTimeOf(at, other) && localDateOf(at, zone) === localDateOf(at, other);

/** The reader's zone, if the start or the end differs there; else null. */
function otherZone({ startsAt, endsAt, timeZone }: Span, readerZone: string | null): string | null {
  if (!readerZone || readerZone === timeZone) return null;
  const isSame = isSameAt(startsAt, timeZone, readerZone) && isSameAt(endsAt, timeZone, readerZone);
  return isSame ? null : readerZone;
}

type YourTime = { zone: string; start: string; end: string; day: string; isStartSame: boolean };

/**
 * A span on the reader's clocks; null if they show the same. All that prints the reader's own time takes it from here,
 * so that it never stands without its day: `day` is blank if it is the day of the span's own zone.
 */
function yourTime(span: Span, readerZone: string | null): YourTime | null {
  const { startsAt, endsAt, timeZone } = span;
  const zone = otherZone(span, readerZone);
  if (!zone) return null;
  const isStartSame = isSameAt(startsAt, timeZone, zone);
  const shown = isStartSame ? endsAt : startsAt;
  const date = localDateOf(shown, zone);
  const day = date === localDateOf(shown, timeZone) ? '' : dateWords(date).short;
  return { zone, start: localTimeOf(startsAt, zone), end: localTimeOf(endsAt, zone), day, isStartSame };
}

/** The reader's own start, or the end if only that differs. */
function yourShortTime(span: Span, readerZone: string | null): string | null {
  const yours = yourTime(span, readerZone);
  if (!yours) return null;
  const { start, end, day, isStartSame } = yours;
  return `${day && `${day}, `}${isStartSame ? `to ${end}` : start} for you`;
}

function yourTimes(span: Span, readerZone: string | null) {
  const yours = yourTime(span, readerZone);
  if (!yours) return null;
  const { startsAt, endsAt } = span;
  const { zone, day } = yours;
  return (
    <span className="block">
      {timeOf(startsAt, zone)} to {timeOf(endsAt, zone)}
      {day ? `, ${day}, ` : ' '}
      <span title={zone}>for you</span>
    </span>
  );
}

/** The reader's own times, where they differ; with the day, where that differs too. */
export function YourTimes(span: Span) {
  return yourTimes(span, useShell().readerZone);
}

/** Start, end, date and zone as facts, and the reader's own time where it differs. */
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

/** A date as a calendar leaf, with its year unless that is this year. */
export function Leaf({ date, isAnyYear }: { date: LocalDate; isAnyYear?: boolean }) {
  const { month, day, weekday, full, year } = dateWords(date);
  const isNow = useShell().year === year;
  return (
    <div className="leaf" role="img" aria-label={full}>
      <span>{month}</span>
      <span>{day}</span>
      {isNow || isAnyYear ? weekday : `${weekday} ${year}`}
    </div>
  );
}

/** The free times of one day, all in one zone. */
export type DayOfTimes = {
  date: LocalDate;
  timeZone: string;
  /** `isPressed`: a button that sends the form around it to its address, not a link. */
  times: {
    id: string;
    startsAt: Instant;
    endsAt: Instant;
    isPressed?: boolean;
    places?: number | null;
    service?: string | null;
  }[];
};

/** The free times of a day under its date and zone. Each is a link to its slot. */
export function TimesOfDay({ date, timeZone, times, to }: DayOfTimes & { to: (id: string) => string }) {
  const { readerZone } = useShell();
  const { full } = dateWords(date);
  return (
    <section className="grid gap-4">
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
            {some.map(({ id, isPressed, places = null, service = null, ...span }) => (
              <li key={id}>
                {timeTile(to(id), { ...span, timeZone }, { day: full, readerZone, isPressed, places, service })}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

/** Morning and afternoon, where a day has both and more than a few times. */
function partsOf(times: DayOfTimes['times'], zone: string): [part: string, times: DayOfTimes['times']][] {
  const isEarly = ({ startsAt }: { startsAt: Instant }) => localTimeOf(startsAt, zone) < '12';
  const [morning, afternoon] = [times.filter(isEarly), times.filter((one) => !isEarly(one))];
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
};

const placesWords = (places: number) =>
  places === 0 ? 'Full' : places === 1 ? '1 place left' : `${places} places left`;

/** True if the clocks change in between, so that start and end do not say how long it is. */
const isLengthHidden = ({ startsAt, endsAt, timeZone }: Span) => {
  const clockOf = (at: Instant) => Date.parse(`${localDateOf(at, timeZone)}T${localTimeOf(at, timeZone)}Z`);
  return clockOf(endsAt) - clockOf(startsAt) !== endsAt - startsAt;
};

/** One free time, with the reader's own beneath where it differs. A screen reader hears day and length too. */
function timeTile(to: string, span: Span, { day, readerZone, isPressed, places, service }: Tile) {
  const { startsAt, endsAt, timeZone } = span;
  const start = localTimeOf(startsAt, timeZone);
  const end = `to ${localTimeOf(endsAt, timeZone)}`;
  const yours = yourShortTime(span, readerZone);
  const length = lengthWords((endsAt - startsAt) / minute);
  const left = places === null ? null : placesWords(places);
  const label = [day, `${start} ${end}`, service, yours, length, left].filter(Boolean).join(', ');
  const words = (
    <>
      <time dateTime={machineText(startsAt)}>{start}</time>
      {` ${end}`}
      {isLengthHidden(span) && <span>{` ${length}`}</span>}
      {yours && <span>{` ${yours}`}</span>}
      {service && <span>{` ${service}`}</span>}
      {left && <span>{` ${left}`}</span>}
    </>
  );
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
