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

/** The same in words, for a label that a screen reader says. */
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

/** The start on the reader's clocks, in short; the end, if only the end differs; null where neither does. */
function yourTime(span: Span, readerZone: string | null): string | null {
  const { startsAt, endsAt, timeZone } = span;
  const zone = otherZone(span, readerZone);
  if (!zone) return null;
  const time = isSameAt(startsAt, timeZone, zone) ? `to ${localTimeOf(endsAt, zone)}` : localTimeOf(startsAt, zone);
  return `${time} for you`;
}

function yourTimes(span: Span, readerZone: string | null) {
  const { startsAt, endsAt, timeZone } = span;
  const zone = otherZone(span, readerZone);
  if (!zone) return null;
  const yourDate = localDateOf(startsAt, zone);
  return (
    <span className="block">
      {timeOf(startsAt, zone)} to {timeOf(endsAt, zone)}
      {yourDate === localDateOf(startsAt, timeZone) ? ' ' : `, ${dateWords(yourDate).short}, `}
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
  times: { id: string; startsAt: Instant; endsAt: Instant }[];
};

/** The free times of a day under its date and zone. Each is a link to `to` and the slot's id. */
export function TimesOfDay({ date, timeZone, times, to }: DayOfTimes & { to: string }) {
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
      <ul className="tiles slots grid grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-3">
        {times.map(({ id, ...span }) => (
          <li key={id}>{timeLink(`${to}/${id}`, { ...span, timeZone }, full, readerZone)}</li>
        ))}
      </ul>
    </section>
  );
}

/** One free time, with the reader's own beneath where it differs. A screen reader hears day and length too. */
function timeLink(to: string, span: Span, day: string, readerZone: string | null) {
  const { startsAt, endsAt, timeZone } = span;
  const start = localTimeOf(startsAt, timeZone);
  const end = `to ${localTimeOf(endsAt, timeZone)}`;
  const yours = yourTime(span, readerZone);
  const label = [day, `${start} ${end}`, yours, lengthWords((endsAt - startsAt) / minute)].filter(Boolean).join(', ');
  return (
    <a href={to} aria-label={label}>
      <time dateTime={machineText(startsAt)}>{start}</time>
      {` ${end}`}
      {yours && <span>{` ${yours}`}</span>}
    </a>
  );
}
