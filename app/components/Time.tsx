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
 * Every time of day that is printed comes from here, and none without its zone: another file would have to ask the clock
 * itself, which house.test.ts sees. A page of lines shows a hundred of these, and a component costs as much again as the element that it makes: what other
 * components here are made of is called.
 */

const timeOf = (at: Instant, zone: string) => <time dateTime={machineText(at)}>{localTimeOf(at, zone)}</time>;
const zoneOf = (zone: string) => <span title={zone}>{zoneWords(zone)}</span>;

/** A line breaks after a dot, and a length stays in one piece. */
const noBreak = '\u00a0';
const dot = `${noBreak}· `;

/** A zone by its place; its full name on pointing. */
export const Zone = ({ zone }: { zone: string }) => zoneOf(zone);

/** An instant as a time of day in a zone, readable by machines too. */
export const TimeOf = ({ at, zone }: { at: Instant; zone: string }) => (
  <>
    {timeOf(at, zone)} {zoneOf(zone)}
  </>
);

/** The same in words alone, for a label that is heard. */
export const timeWords = (at: Instant, zone: string) => `${localTimeOf(at, zone)} ${zoneWords(zone)}`;

type MomentProps = { at: Instant; zone: string; isFull?: boolean };

/** The day and time of an instant in a zone; the reader's own beside it, where their clocks show another. */
export function Moment({ at, zone, isFull = false }: MomentProps) {
  const { readerZone, year } = useShell();
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

/** From when to when and for how long; the zone, and the reader's own times where those differ. */
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

/** As a letter says it: from when to when, the zone, and the reader's own times where those differ. */
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

/** The reader's zone, where their clocks show another time than the provider's at the start or the end. */
function otherZone({ startsAt, endsAt, timeZone }: Span, readerZone: string | null): string | null {
  if (!readerZone || readerZone === timeZone) return null;
  const isSame = isSameAt(startsAt, timeZone, readerZone) && isSameAt(endsAt, timeZone, readerZone);
  return isSame ? null : readerZone;
}

/** In one word or two: the start on the reader's clocks; the end, where it is only that which differs; null where nothing does. */
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

/** Free times of one day, all in one zone. */
export type DayOfTimes = {
  date: LocalDate;
  timeZone: string;
  times: { id: string; startsAt: Instant; endsAt: Instant }[];
};

/** The free times of a day under its date and zone, each a link: `to` is the path that it leads to, up to the slot's id. */
export function TimesOfDay({ date, timeZone, times, to }: DayOfTimes & { to: string }) {
  const { readerZone } = useShell();
  const { full, longWeekday } = dateWords(date);
  return (
    <section className="grid gap-4">
      <div className="flex items-center gap-4">
        <Leaf date={date} />
        <div>
          <h2 className="text-xl">{longWeekday}</h2>
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

/** One free time; the reader's own beneath it, where it differs. To whoever hears it the day and the length are said too. */
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
