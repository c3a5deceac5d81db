import { msg, plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { createElement, Fragment, type ReactNode } from 'react';
import {
  timeWords as clockWords,
  dateWords,
  type Instant,
  isSameAt,
  type LocalDate,
  lengthWords,
  localDateOf,
  localTimeOf,
  machineText,
  minute,
  otherZone,
  type Times as Span,
  shortDate,
  zoneWords,
} from '../../domain/time/clock';
import { withCommas } from '../../domain/words/joined';
import type { Words } from '../../domain/words/words';
import { useShell } from '../frame/shell';
import { useWords } from '../words';

// All times of day on screens come from this file, so that none lacks its zone; house.test.ts checks that. Lists print
// hundreds of times and a component costs as much as its element, so the inner ones are plain functions.

/** What says things in the reader's language: `useWords()`. */
type Say = (words: Words) => string;

const timeOf = (say: Say, at: Instant, zone: string) => (
  <time dateTime={machineText(at)}>{say(clockWords(at, zone))}</time>
);
const zoneOf = (say: Say, zone: string) => <span title={zone}>{say(zoneWords(zone))}</span>;
const forYou = (say: Say, zone: string) => (
  <span title={zone}>{say(msg({ message: 'for you', context: 'after a time, in the place of its zone' }))}</span>
);

// Signs that stand in a message for elements.
const [first, second, third, fourth] = ['①', '②', '③', '④'];
const patterns = {
  moment: msg`${{ time: first }} ${{ zone: second }}`,
  momentOfDay: msg`${{ date: third }}, ${{ time: first }} ${{ zone: second }}`,
  span: msg`${{ start: first }} to ${{ end: second }}`,
  spanInZone: msg`${{ start: first }} to ${{ end: second }} ${{ zone: third }}`,
  spanAndZone: msg`${{ start: first }} to ${{ end: second }}, ${{ zone: third }}`,
  spanDayAndZone: msg`${{ start: first }} to ${{ end: second }}, ${{ date: fourth }}, ${{ zone: third }}`,
  spanOfDay: msg`${{ date: fourth }}, ${{ start: first }} to ${{ end: second }}, ${{ zone: third }}`,
};

/** A message with elements in the places of its signs, as Trans makes it, without Trans's cost in a long list. */
const filled = (say: Say, pattern: Words, ...elements: ReactNode[]) =>
  createElement(
    Fragment,
    null,
    ...say(pattern)
      .split(/([①-④])/)
      .map((part) => elements['①②③④'.indexOf(part || ' ')] ?? part),
  );

const fromTo = (say: Say, { startsAt, endsAt, timeZone }: Span) =>
  filled(say, patterns.span, timeOf(say, startsAt, timeZone), timeOf(say, endsAt, timeZone));

/** Lines break after a dot, but never inside a length. */
const noBreak = '\u00a0';
const dot = `${noBreak}· `;

export function Zone({ zone }: { zone: string }) {
  return zoneOf(useWords(), zone);
}

export function TimeOf({ at, zone }: { at: Instant; zone: string }) {
  const say = useWords();
  return filled(say, patterns.moment, timeOf(say, at, zone), zoneOf(say, zone));
}

export function ClockTime({ at, zone }: { at: Instant; zone: string }) {
  return timeOf(useWords(), at, zone);
}

/** 'Tue 24 Nov, 11:00 to 11:30, Lisbon time', and the reader's own time if it differs. */
export function WhenLine(span: Span) {
  const say = useWords();
  const { readerZone, year } = useShell();
  return whenLine(say, span, zoneOf(say, span.timeZone), yourTimes(say, span, readerZone), year);
}

/** The same with the reader's own time first, and the appointment's below it. */
export function OwnWhenLine(span: Span) {
  const say = useWords();
  const { readerZone, year } = useShell();
  const yours = otherZone(span, readerZone);
  const zone = zoneOf(say, span.timeZone);
  if (!yours) return whenLine(say, span, zone, null, year);
  const own = { ...span, timeZone: yours };
  return whenLine(say, own, forYou(say, yours), timesElsewhere(say, own, span.timeZone, zone), year);
}

const whenLine = (say: Say, span: Span, whose: ReactNode, elsewhere: ReactNode, year: string) => {
  const { startsAt, endsAt, timeZone } = span;
  const date = <span className="whitespace-nowrap">{say(shortDate(localDateOf(startsAt, timeZone), year))}</span>;
  const zone = isLengthHidden(span) ? (
    <>
      {`${say(lengthOf(span))}, `}
      {whose}
    </>
  ) : (
    whose
  );
  return (
    <>
      {filled(say, patterns.spanOfDay, timeOf(say, startsAt, timeZone), timeOf(say, endsAt, timeZone), zone, date)}
      {elsewhere}
    </>
  );
};

/** The zone whose clock the reader looks at: their own if it shows another time than the appointment's. */
export const useOwnZone = (span: Span): string => otherZone(span, useShell().readerZone) ?? span.timeZone;

/** A moment as plain text: 'Fri 4 Dec, 20:00 Lisbon time, Sat 5 Dec, 01:30 for you'. */
export function momentText(at: Instant, zone: string, readerZone: string | null): Words {
  const date = dateWords(localDateOf(at, zone)).short;
  const time = timeWords(at, zone);
  const yours = yourShortTime({ startsAt: at, endsAt: at, timeZone: zone }, readerZone);
  return yours ? msg`${date}, ${time}, ${yours}` : msg`${date}, ${time}`;
}

/** '20:00 Lisbon time'. */
export function timeWords(at: Instant, zoneName: string): Words {
  const [time, zone] = [clockWords(at, zoneName), zoneWords(zoneName)];
  return msg`${time} ${zone}`;
}

type MomentProps = { at: Instant; zone?: string; isFull?: boolean };

/** A moment in a zone, and in the reader's own time if that differs. Without a zone, only the reader's own. */
export function Moment({ at, zone: ownZone, isFull = false }: MomentProps) {
  const say = useWords();
  const { readerZone, year } = useShell();
  const zone = ownZone ?? readerZone ?? 'UTC';
  const date = localDateOf(at, zone);
  const dayIn = (date: LocalDate) => say(isFull ? dateWords(date).full : shortDate(date, year));
  const yours = otherZone({ startsAt: at, endsAt: at, timeZone: zone }, readerZone);
  const yourDate = yours && localDateOf(at, yours);
  return (
    <>
      {filled(say, patterns.momentOfDay, timeOf(say, at, zone), zoneOf(say, zone), dayIn(date))}
      {yours && yourDate && (
        <>
          {', '}
          {yourDate === date
            ? filled(say, patterns.moment, timeOf(say, at, yours), forYou(say, yours))
            : filled(say, patterns.momentOfDay, timeOf(say, at, yours), forYou(say, yours), dayIn(yourDate))}
        </>
      )}
    </>
  );
}

export function SpanTimes(span: Span) {
  const say = useWords();
  const length = say(lengthOf(span)).replaceAll(' ', noBreak);
  return (
    <>
      {fromTo(say, span)}
      {`${dot}${length}${dot}`}
      {zoneOf(say, span.timeZone)}
      {yourTimes(say, span, useShell().readerZone)}
    </>
  );
}

/** Beside the leaf of its date: the times large, then how long and whose clock. */
export function HeadTimes(span: Span) {
  const say = useWords();
  return (
    <>
      <span className="block text-lg font-semibold">{fromTo(say, span)}</span>
      <span className="block text-sm text-muted">
        {say(lengthOf(span))}
        {dot}
        {zoneOf(say, span.timeZone)}
      </span>
      {yourTimes(say, span, useShell().readerZone)}
    </>
  );
}

export function ShortTimes({ hasZone, ...span }: Span & { hasZone: boolean }) {
  const say = useWords();
  return (
    <>
      {fromTo(say, span)}
      {isLengthHidden(span) && `, ${say(lengthOf(span))}`}
      {hasZone && <> {zoneOf(say, span.timeZone)}</>}
    </>
  );
}

export function EventTimes(span: Span) {
  const say = useWords();
  const { startsAt, endsAt, timeZone } = span;
  const [start, end] = [timeOf(say, startsAt, timeZone), timeOf(say, endsAt, timeZone)];
  return (
    <>
      {filled(say, patterns.spanAndZone, start, end, zoneOf(say, timeZone))}
      <span className="text-sm font-normal text-muted">{yourTimes(say, span, useShell().readerZone)}</span>
    </>
  );
}

type YourTime = { zone: string; start: Words; end: Words; date: Words | null; isStartSame: boolean };

// Every place that shows the reader's own time uses this, so that the day is never missing. It is null if the reader's
// clock shows the same time; `date` is null if the day is the same.
function yourTime(span: Span, readerZone: string | null): YourTime | null {
  const { startsAt, endsAt, timeZone } = span;
  const zone = otherZone(span, readerZone);
  if (!zone) return null;
  const isStartSame = isSameAt(startsAt, timeZone, zone);
  const instant = isStartSame ? endsAt : startsAt;
  const day = localDateOf(instant, zone);
  const date = day === localDateOf(instant, timeZone) ? null : dateWords(day).short;
  return { zone, start: clockWords(startsAt, zone), end: clockWords(endsAt, zone), date, isStartSame };
}

/** The reader's time of the start, or of the end if only that differs. */
function yourShortTime(span: Span, readerZone: string | null): Words | null {
  const yours = yourTime(span, readerZone);
  if (!yours) return null;
  const { start, end, date, isStartSame } = yours;
  if (isStartSame) return date ? msg`${date}, to ${end} for you` : msg`to ${end} for you`;
  return date ? msg`${date}, ${start} for you` : msg`${start} for you`;
}

const yourTimes = (say: Say, span: Span, readerZone: string | null) =>
  readerZone && timesElsewhere(say, span, readerZone, forYou(say, readerZone));

/** The times by the clock of another zone, if it shows others. */
function timesElsewhere(say: Say, span: Span, other: string, whose: ReactNode) {
  const elsewhere = yourTime(span, other);
  if (!elsewhere) return null;
  const { zone, date } = elsewhere;
  const [start, end] = [timeOf(say, span.startsAt, zone), timeOf(say, span.endsAt, zone)];
  return (
    <span className="block">
      {date
        ? filled(say, patterns.spanDayAndZone, start, end, whose, say(date))
        : filled(say, patterns.spanInZone, start, end, whose)}
    </span>
  );
}

export function YourTimes(span: Span) {
  return yourTimes(useWords(), span, useShell().readerZone);
}

export function useTimeFacts(span: Span & { date: LocalDate }): [name: string, what: ReactNode][] {
  const { t } = useLingui();
  const say = useWords();
  const { startsAt, endsAt, timeZone, date } = span;
  const yours = yourTimes(say, span, useShell().readerZone);
  return [
    [t`Start`, timeOf(say, startsAt, timeZone)],
    [t`End`, timeOf(say, endsAt, timeZone)],
    [t`Date`, say(dateWords(date).full)],
    [t`Time zone`, zoneOf(say, timeZone)],
    ...(yours ? [[t`Your time`, yours] as [string, ReactNode]] : []),
  ];
}

export function Leaf({ date, hidesYear }: { date: LocalDate; hidesYear?: boolean }) {
  const say = useWords();
  const { month, day, weekday, full, year } = dateWords(date);
  const isNow = useShell().year === year;
  return (
    <div className="leaf" role="img" aria-label={say(full)}>
      <span>{say(month)}</span>
      <span>{say(day)}</span>
      {isNow || hidesYear ? say(weekday) : `${say(weekday)} ${year}`}
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

/** The time that a tile leads to. */
export type TileTime = Pick<DayOfTimes['times'][number], 'id' | 'startsAt'>;

/** A field that a pressed time sends to the form's own address. */
type Sent = { name: string; value: string };

export function TimesOfDay({ date, timeZone, times, to }: DayOfTimes & { to: (time: TileTime) => Sent | string }) {
  const say = useWords();
  const { readerZone } = useShell();
  const day = say(dateWords(date).full);
  return (
    <section className="grid content-start gap-4">
      <div className="flex items-center gap-4">
        <Leaf date={date} />
        <div>
          <h2 className="text-xl">{day}</h2>
          <p className="text-sm text-muted">{zoneOf(say, timeZone)}</p>
        </div>
      </div>
      {partsOf(times, timeZone).map(([part, some]) => (
        <div key={part} className="grid gap-2">
          {part && <h3 className="font-sans text-sm text-muted">{say(parts[part])}</h3>}
          <ul className="tiles slots grid grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-3">
            {some.map(({ id, isPressed, places = null, service = null, busyWith = null, ...span }) => (
              <li key={id}>
                {timeTile(
                  say,
                  to({ id, startsAt: span.startsAt }),
                  { ...span, timeZone },
                  { day, readerZone, isPressed, places, service, busyWith },
                )}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

const parts = { morning: msg`Morning`, afternoon: msg`Afternoon` };

function partsOf(
  times: DayOfTimes['times'],
  zone: string,
): [part: keyof typeof parts | '', times: DayOfTimes['times']][] {
  const isEarly = ({ startsAt }: { startsAt: Instant }) => localTimeOf(startsAt, zone) < '12';
  const [morning, afternoon] = [times.filter(isEarly), times.filter((time) => !isEarly(time))];
  if (times.length < 5 || morning.length === 0 || afternoon.length === 0) return [['', times]];
  return [
    ['morning', morning],
    ['afternoon', afternoon],
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

const notOfferedWords = (busyWith: string): Words =>
  busyWith ? msg`Not offered: ${busyWith}` : msg`Not offered: you have something else`;

const placesWords = (places: number): Words =>
  places === 0 ? msg`Full` : msg({ message: plural({ places }, { one: '# place left', other: '# places left' }) });

const lengthOf = ({ startsAt, endsAt }: Span): Words => lengthWords(Math.round((endsAt - startsAt) / minute));

// If the clocks change in between, the reader can't work out the length from start and end.
const isLengthHidden = ({ startsAt, endsAt, timeZone }: Span) => {
  const clockOf = (at: Instant) => Date.parse(`${localDateOf(at, timeZone)}T${localTimeOf(at, timeZone)}Z`);
  return clockOf(endsAt) - clockOf(startsAt) !== endsAt - startsAt;
};

/** A time as a tile. A screen reader also hears its day and length. */
function timeTile(
  say: Say,
  to: Sent | string,
  span: Span,
  { day, readerZone, isPressed, places, service, busyWith }: Tile,
) {
  const { startsAt, endsAt, timeZone } = span;
  const [start, end] = [clockWords(startsAt, timeZone), clockWords(endsAt, timeZone)];
  const yourWords = yourShortTime(span, readerZone);
  const yours = yourWords && say(yourWords);
  const length = say(lengthOf(span));
  const placesLeft = places === null ? null : say(placesWords(places));
  const busy = busyWith === null ? null : say(notOfferedWords(busyWith));
  const times = say(msg`${start} to ${end}`);
  const label = say(withCommas([day, times, service, yours, length, placesLeft, busy].flatMap((fact) => fact || [])));
  const words = (
    <>
      {filled(say, patterns.span, timeOf(say, startsAt, timeZone), say(end))}
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
