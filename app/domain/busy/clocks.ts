import { memo } from '../memo';
import { day, type Instant, localDateOf, localTimeOf } from '../time/clock';
import { parseRule, type Steps, startsOf } from './rules';
import { type Component, type Local, localOf, textOf } from './text';

// The clocks of the time zones that a calendar names. If the clocks skip a time, it moves on by the gap; if they show a
// time twice, the first counts (RFC 5545, 3.3.5). All of Daybook does the same.

export type Clock = (at: Local) => Instant;

/** A change of clocks: offsets in milliseconds. */
type Change = { at: Instant; before: number; after: number };

function instantBy({ at, before, after }: Change, local: Local): Instant {
  if (local - before < at) return local - before;
  return local - after >= at ? local - after : local - before;
}

export const utc: Clock = (at) => at;

function offsetAt(zone: string, at: Instant): number {
  const minutes = Math.floor(at / 60_000) * 60_000;
  return Date.parse(`${localDateOf(minutes, zone)}T${localTimeOf(minutes, zone)}Z`) - minutes;
}

/** A clock that remembers the offset of each day, because asking Intl takes microseconds. */
function clockOfZone(zone: string): Clock {
  const offsets = new Map<number, number>();
  const changes = new Map<number, Change>();
  const offsetOn = (date: number) => {
    const known = offsets.get(date);
    if (known !== undefined) return known;
    const offset = offsetAt(zone, date * day);
    offsets.set(date, offset);
    return offset;
  };
  const changeIn = (first: number, last: number): Change => {
    const known = changes.get(first);
    if (known) return known;
    const before = offsetOn(first);
    let [from, until] = [first * day, last * day];
    while (until - from > 60_000) {
      const middle = Math.floor((from + until) / 120_000) * 60_000;
      if (offsetAt(zone, middle) === before) from = middle;
      else until = middle;
    }
    const change = { at: until, before, after: offsetOn(last) };
    changes.set(first, change);
    return change;
  };
  return (local) => {
    // No offset is longer than a day, so the instant lies between these two midnights.
    const first = Math.floor(local / day) - 1;
    const before = offsetOn(first);
    return offsetOn(first + 3) === before ? local - before : instantBy(changeIn(first, first + 3), local);
  };
}

const clockBy = memo<Clock>(50);

/** @throws RangeError for an unknown zone */
export const clockOf = (zone: string): Clock => clockBy(zone, () => clockOfZone(zone));

/** Reads an offset such as +0530 or +05:30, in milliseconds. */
function offsetOf(text: string): number | undefined {
  const [, sign, hours, minutes, seconds = '0'] = /^([+-])(\d\d):?(\d\d)(?::?(\d\d))?$/.exec(text) ?? [];
  if (!sign) return undefined;
  return (sign === '-' ? -1 : 1) * ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
}

type DescribedWindow = { from: Instant; until: Instant; steps: Steps };

const mostChanges = 1000;

/** Lists the changes to daylight saving time, or the changes back. */
function changesOf(observance: Component, window: DescribedWindow): Change[] | undefined {
  const first = localOf(textOf(observance, 'DTSTART'));
  const before = offsetOf(textOf(observance, 'TZOFFSETFROM'));
  const after = offsetOf(textOf(observance, 'TZOFFSETTO'));
  if (first === undefined || before === undefined || after === undefined) return undefined;
  const text = textOf(observance, 'RRULE');
  const rule = text ? parseRule(text) : null;
  if (rule === undefined) return undefined;
  const { until } = rule ?? {};
  const last = until ? localOf(until) : undefined;
  const isPast = (at: Local) => last !== undefined && at - (until?.endsWith('Z') ? before : 0) > last;
  const starts = rule ? startsOf(rule, first, window, isPast) : [];
  if (!starts) return undefined;
  const dates = observance.properties.filter(({ name }) => name === 'RDATE').flatMap(({ value }) => value.split(','));
  window.steps.take(20 * dates.length);
  return [first, ...starts, ...dates.map(localOf).filter((at) => at !== undefined)].map((at) => ({
    at: at - before,
    before,
    after,
  }));
}

/** The clock that a calendar describes in its own VTIMEZONE; undefined if we can't read it. @throws TooManySteps */
export function clockDescribed(zone: Component, { from, until, steps }: DescribedWindow): Clock | undefined {
  const year = 366 * day;
  const lists = zone.components.map((observance) =>
    changesOf(observance, { from: from - 2 * year, until: until + year, steps }),
  );
  const shownAt = ({ at, before, after }: Change) => at + Math.min(before, after);
  const changes = lists.flatMap((list) => list ?? []).sort((one, other) => shownAt(one) - shownAt(other));
  const [first] = changes;
  if (!first || lists.includes(undefined) || changes.length > mostChanges) return undefined;
  return (local) => {
    // Halves the list, because a thousand changes may be looked up for each of a hundred thousand dates.
    let [place, end] = [0, changes.length];
    while (end - place > 1) {
      const middle = (place + end) >> 1;
      if (shownAt(changes[middle] as Change) <= local) place = middle;
      else end = middle;
    }
    return instantBy(changes[place] as Change, local);
  };
}
