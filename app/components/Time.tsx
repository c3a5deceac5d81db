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

/** An instant as a time of day in a zone, readable by machines too. */
export function TimeOf({ at, zone }: { at: Instant; zone: string }) {
  return <time dateTime={machineText(at)}>{localTimeOf(at, zone)}</time>;
}

/** A zone by its place; its full name on pointing. */
export function Zone({ zone }: { zone: string }) {
  return <span title={zone}>{zoneWords(zone)}</span>;
}

/** From when to when, in the provider's zone; and for how long. */
export function SpanTimes({ startsAt, endsAt, timeZone, children = '' }: Span & { children?: string }) {
  return (
    <>
      <TimeOf at={startsAt} zone={timeZone} /> to <TimeOf at={endsAt} zone={timeZone} />
      {` · ${lengthWords(Math.round((endsAt - startsAt) / 60000))}${children}`}
    </>
  );
}

/** All that a line says of its times: theirs, their zone, and the reader's own where those differ. */
export function LineTimes(span: Span) {
  return (
    <>
      <SpanTimes {...span}>{' · '}</SpanTimes>
      <Zone zone={span.timeZone} />
      <YourTimes {...span} />
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

/** The same times on the reader's own clocks, where those differ; with the day, where that differs too. */
export function YourTimes({ startsAt, endsAt, timeZone }: Span) {
  const zone = useReaderZone(startsAt, timeZone);
  if (!zone) return null;
  const yourDate = localDateOf(startsAt, zone);
  return (
    <span className="block">
      <TimeOf at={startsAt} zone={zone} /> to <TimeOf at={endsAt} zone={zone} />
      {yourDate === localDateOf(startsAt, timeZone) ? ' ' : `, ${dateWords(yourDate).short}, `}
      <span title={zone}>for you</span>
    </span>
  );
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
