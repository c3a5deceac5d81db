import {
  dateWords,
  type Instant,
  type LocalDate,
  lengthWords,
  localDateOf,
  localTimeOf,
  machineText,
  zoneWords,
} from '../domain/clock';
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
    {`${dot}${lengthWords(Math.round((endsAt - startsAt) / 60000)).replaceAll(' ', noBreak)}${after}`}
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

/** The reader's zone, where their clocks show another time at this instant than the provider's. */
export function otherZone(at: Instant, zone: string, readerZone: string | null): string | null {
  if (!readerZone || readerZone === zone) return null;
  const isSame =
    localTimeOf(at, zone) === localTimeOf(at, readerZone) && localDateOf(at, zone) === localDateOf(at, readerZone);
  return isSame ? null : readerZone;
}

/** As `otherZone`, for the reader of this page. */
export function useReaderZone(at: Instant, zone: string): string | null {
  return otherZone(at, zone, useShell().readerZone);
}

function yourTimes({ startsAt, endsAt, timeZone }: Span, readerZone: string | null) {
  const zone = otherZone(startsAt, timeZone, readerZone);
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

/** The small calendar leaf that a date is, everywhere. */
export function Leaf({ date }: { date: LocalDate }) {
  const { month, day, weekday, full } = dateWords(date);
  return (
    <div className="leaf">
      <span className="sr-only">{full}</span>
      <div aria-hidden="true">
        <span>{month}</span>
        <span>{day}</span>
        {weekday}
      </div>
    </div>
  );
}
