import { msg } from '@lingui/core/macro';
import { type BookPaths, bookPaths } from '../../book-paths';
import {
  addDays,
  hour,
  type Instant,
  type LocalDate,
  type LocalTime,
  localTimeOf,
  minute,
  wireDate,
} from '../time/clock';
import { spanWords } from '../time/span-words';
import type { Words } from '../words/words';

// A week drawn as time. Lengths are in hours, and the screen scales them.

export type WeekItem = {
  id: string;
  kind: 'open' | 'booked' | 'party' | 'meetup' | 'busy' | 'held';
  startsAt: Instant;
  endsAt: Instant;
  /** The person or event; null for an open time. */
  name: Words | null;
  service?: string | null;
  people?: number | null;
  isStanding?: boolean;
  to: string;
};

/** In hours from the top of the day. */
type Placed = { top: number; height: number };

/** `left` and `width` are shares of the column. */
export type PlacedItem = WeekItem &
  Placed & {
    /** By the reader's clock. */
    start: LocalTime;
    end: LocalTime;
    isPast: boolean;
    left: number;
    width: number;
    /** The free times of which it consists; none if it is something else. */
    slots: (Placed & { id: string })[];
  };

export type WeekDay = {
  date: LocalDate;
  isToday: boolean;
  /** In hours of elapsed time. */
  height: number;
  ticks: { top: number; time: LocalTime }[];
  items: PlacedItem[];
  /** The place of the line for now; null on other days. */
  now: number | null;
  /** Where the day is read from: now, or the start of what has just begun. */
  opensAt: number | null;
  free: { top: number; height: number; date: string; time: LocalTime }[];
  /** Empty if the provider set no hours. */
  closed: { top: number; height: number }[];
  /** The hours of the day, none if it is closed; null if no hours are set. */
  hours: Words[] | null;
};

type OpenSpans = { startsAt: Instant; endsAt: Instant }[] | null;

export type DaySpan = { date: LocalDate; from: Instant; until: Instant };

export function hoursOf(items: Pick<WeekItem, 'startsAt' | 'endsAt'>[], days: DaySpan[], zone: string) {
  let [first, last] = [8, 18];
  for (const { from, until } of days) {
    for (const { startsAt, endsAt } of items) {
      if (endsAt <= from || startsAt >= until) continue;
      // What began the day before is drawn there: only its end reaches into this day, so the day need not begin at
      // midnight. If the clocks skip midnight, a day begins at one.
      const startHour = startsAt === from ? 0 : Number(localTimeOf(startsAt, zone).slice(0, 2));
      const start = startsAt < from ? first : startHour;
      const end = endsAt >= until ? 24 : Number(localTimeOf(endsAt - minute, zone).slice(0, 2)) + 1;
      first = Math.min(first, start);
      last = Math.max(last, end);
    }
  }
  return { first, last };
}

type Block = WeekItem & { isPast: boolean; slots: WeekItem[] };

// The pause that some leave between two appointments doesn't end their free time.
const longestPause = 15 * minute;

/** Joins free times of one kind that follow each other, so that they are read as one. In the order of their starts. */
function blocksOf(items: WeekItem[], date: LocalDate, { now, desk }: { now: Instant; desk: BookPaths }): Block[] {
  const blocks: Block[] = [];
  for (const item of [...items].sort((one, other) => one.startsAt - other.startsAt || one.endsAt - other.endsAt)) {
    const isFree = item.kind === 'open';
    const isPast = (isFree ? item.startsAt : item.endsAt) <= now;
    const last = blocks.at(-1);
    const pause = last ? item.startsAt - last.endsAt : -1;
    const isSame = last?.kind === 'open' && last.service === item.service && last.isPast === isPast;
    if (isFree && last && isSame && pause >= 0 && pause <= longestPause) {
      last.slots.push(item);
      last.endsAt = item.endsAt;
      // What is over isn't in that list any more.
      if (!isPast) last.to = desk.freeTimes({ day: date });
    } else {
      blocks.push({ ...item, isPast, slots: isFree ? [item] : [] });
    }
  }
  return blocks;
}

function lanes(items: Block[]): { item: Block; lane: number; of: number }[] {
  const placed: { item: Block; lane: number; of: number }[] = [];
  let group: typeof placed = [];
  let groupEnds = Number.NEGATIVE_INFINITY;
  const close = () => {
    const lanes = 1 + Math.max(0, ...group.map(({ lane }) => lane));
    placed.push(...group.map((placedItem) => ({ ...placedItem, of: lanes })));
    group = [];
  };
  for (const item of items) {
    if (item.startsAt >= groupEnds) {
      close();
      groupEnds = item.endsAt;
    }
    const busy = new Set(group.filter((other) => other.item.endsAt > item.startsAt).map(({ lane }) => lane));
    let lane = 0;
    while (busy.has(lane)) lane++;
    group.push({ item, lane, of: 1 });
    groupEnds = Math.max(groupEnds, item.endsAt);
  }
  close();
  return placed;
}

/** Places the items of a day. An hour is 60 minutes that pass, so the day of a clock change is longer or shorter. */
export function drawDay(
  { date, from, until }: DaySpan,
  items: WeekItem[],
  {
    zone,
    now,
    isToday,
    open,
    desk = bookPaths(),
  }: { zone: string; now: Instant; isToday: boolean; open: OpenSpans; desk?: BookPaths },
): WeekDay {
  const at = (instant: Instant) => (Math.min(Math.max(instant, from), until) - from) / hour;
  const own = items.filter(({ startsAt, endsAt }) => startsAt < until && endsAt > from);
  const placed = (span: { startsAt: Instant; endsAt: Instant }) => ({
    top: at(span.startsAt),
    height: at(span.endsAt) - at(span.startsAt),
  });
  const blocks = blocksOf(own, date, { now, desk });
  const isNow = isToday && now >= from && now < until;
  const justBegun = blocks.filter(
    ({ startsAt, endsAt }) => startsAt <= now && startsAt > now - 2 * hour && endsAt > now,
  );
  const ticks = [];
  const free = [];
  for (let tick = from; tick < until; tick += hour) {
    const time = localTimeOf(tick, zone);
    ticks.push({ top: at(tick), time });
    const end = Math.min(tick + hour, until);
    if (tick >= now && !own.some(({ startsAt, endsAt }) => startsAt < end && endsAt > tick)) {
      free.push({ top: at(tick), height: (end - tick) / hour, date: wireDate(date), time });
    }
  }
  return {
    date,
    isToday,
    height: (until - from) / hour,
    ticks,
    items: lanes(blocks).map(({ item, lane, of }) => ({
      ...item,
      ...placed(item),
      start: localTimeOf(item.startsAt, zone),
      end: localTimeOf(item.endsAt, zone),
      left: lane / of,
      width: 1 / of,
      slots: item.slots.map((slot) => ({ id: slot.id, ...placed(slot) })),
    })),
    now: isNow ? at(now) : null,
    opensAt: isNow ? Math.min(at(now), ...justBegun.map(({ startsAt }) => at(startsAt))) : null,
    free,
    closed: closedOf(open, at, (until - from) / hour),
    hours: open?.map((span) => spanWords(span, zone)) ?? null,
  };
}

function closedOf(open: OpenSpans, at: (instant: Instant) => number, height: number): WeekDay['closed'] {
  if (!open) return [];
  const closed = [];
  let top = 0;
  for (const { startsAt, endsAt } of open) {
    if (at(startsAt) > top) closed.push({ top, height: at(startsAt) - top });
    top = Math.max(top, at(endsAt));
  }
  return top < height ? [...closed, { top, height: height - top }] : closed;
}

export const datesFrom = (from: LocalDate): LocalDate[] =>
  Array.from({ length: 7 }, (_, later) => addDays(from, later));

/** '29 November to 5 December 2026'. */
export function weekWords(from: LocalDate): Words {
  const to = addDays(from, 6);
  const isOneYear = from.slice(0, 4) === to.slice(0, 4);
  const first: Words = { date: from, as: isOneYear ? 'dayAndMonth' : 'dayMonthYear' };
  const last: Words = { date: to, as: 'dayMonthYear' };
  return msg`${first} to ${last}`;
}
