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
  zoneWords,
} from '../domain/time/clock';
import { useShell } from './shell';

type Span = { startsAt: Instant; endsAt: Instant; timeZone: string };

/*
 * A page of lines shows a hundred of these, and a component costs as much again as the element that it makes: what other
 * components here are made of is called.
 */

const timeOf = (at: Instant, zone: string) => <time dateTime={machineText(at)}>{localTimeOf(at, zone)}</time>;
const zoneOf = (zone: string) => <span title={zone}>{zoneWords(zone)}</span>;

/** An instant as a time of day in a zone, readable by machines too. */
export const TimeOf = ({ at, zone }: { at: Instant; zone: string }) => timeOf(at, zone);

/** A zone by its place; its full name on pointing. */
export const Zone = ({ zone }: { zone: string }) => zoneOf(zone);

/** A line breaks after a dot, and a length stays in one piece. */
const noBreak = '\u00a0';
const dot = `${noBreak}· `;

const spanTimes = ({ startsAt, endsAt, timeZone }: Span, after = '') => (
  <>
    {timeOf(startsAt, timeZone)} to {timeOf(endsAt, timeZone)}
    {`${dot}${lengthWords(Math.round((endsAt - startsAt) / minute)).replaceAll(' ', noBreak)}${after}`}
  </>
);

/** From when to when, in the provider's zone; and for how long. */
export const SpanTimes = (span: Span) => spanTimes(span);

/** All that a line says of its times: theirs, their zone, and the reader's own where those differ. */
export function LineTimes(span: Span) {
  const { readerZone } = useShell();
  return (
    <>
      {spanTimes(span, dot)}
      {zoneOf(span.timeZone)}
      {yourTimes(span, readerZone)}
    </>
  );
}

const isSameAt = (at: Instant, zone: string, other: string) =>
  localTimeOf(at, zone) === localTimeOf(at, other) && localDateOf(at, zone) === localDateOf(at, other);

/** The reader's zone, where their clocks show another time than the provider's at the start or the end. */
function otherZone({ startsAt, endsAt, timeZone }: Span, readerZone: string | null): string | null {
  if (!readerZone || readerZone === timeZone) return null;
  const isSame = isSameAt(startsAt, timeZone, readerZone) && isSameAt(endsAt, timeZone, readerZone);
  return isSame ? null : readerZone;
}

/** In one word or two: the start on the reader's clocks; the end, where it is only that which differs; null where nothing does. */
export function yourTime(span: Span, readerZone: string | null): string | null {
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

/** The same times on the reader's own clocks, where those differ; with the day, where that differs too. */
export function YourTimes(span: Span) {
  return yourTimes(span, useShell().readerZone);
}

/** When something is, as facts: its start, end, date and zone, and the reader's own time where that differs. */
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

/** The small calendar leaf that a date is, everywhere; with its year, where that is another than now. */
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
