import { msg, plural } from '@lingui/core/macro';
import type { WhyHidden } from '../bookings/refusals';
import { type Status, status } from '../bookings/status';
import { type FeedFailure, failureWords } from '../busy/feeds';
import {
  addDays,
  dateWords,
  day,
  hour,
  type Instant,
  type LocalDate,
  type LocalTime,
  lengthWords,
  localTimeOf,
  timeWords,
  weekdayOf,
  weekdayWords,
  zoneWords,
} from '../time/clock';
import { rangeWords, spanWords } from '../time/span-words';
import { endOfDay, instantOf, type Span, startOfDay, todayIn } from '../time/zones';
import { inARow } from '../words/joined';
import type { Words } from '../words/words';
import type { Hours } from './hours';
import { isClosedOn, ownRangesOf, wantedSlots } from './planned-slots';

export type AskedTime = { date: LocalDate; time: LocalTime };

// `name` is null unless it is a party or meetup. `doubts` are the parts of its calendar that we are not sure to
// understand.
type BusySpan = Span & {
  name: string | null;
  calendar: string | null;
  readAt: Instant | null;
  failure: FeedFailure | null;
  doubts: Words[] | null;
};

/** The slots around the time, and the times that the provider withdrew or canceled. */
export type TimeContext = {
  /** `hiddenBy`: what hides an open slot at the time from clients, if something does. */
  slots: (Span & { status: Status; hiddenBy: WhyHidden | null })[];
  rules: { notice: number; horizonDays: number | null; perDay: number | null; booked: number };
  busy: BusySpan[];
};

export type Why = { short: Words; more: Words };

/** The age of a reading in whole hours, because readings are noted by the hour. */
function ageWords(age: number): Words {
  if (age < hour) return msg`We read it within the last hour.`;
  const length = lengthWords(Math.floor(age / hour) * 60);
  return msg`We read it ${length} ago.`;
}

/** How old and how certain the reading of a calendar is; empty for a party or meetup. */
const readingWords = ({ readAt, failure, doubts }: BusySpan, now: Instant): Words[] => [
  ...(readAt === null ? [] : [ageWords(now - readAt)]),
  ...(doubts ?? []),
  ...(failure ? [msg`Since then: ${{ failure: failureWords[failure] }}`] : []),
];

const over: Why = { short: msg`It is over.`, more: msg`That time has passed.` };
const tooFarAhead = msg`It is too far ahead.`;
const closed = msg`You are closed.`;

/** Says what else is at the time of the slot. */
function busyWords(slot: Span, busy: BusySpan[], zone: string, now: Instant): Why {
  const short = msg`You have something else.`;
  const other = busy.find((time) => time.startsAt < slot.endsAt && slot.startsAt < time.endsAt);
  // It was over or moved between two reads.
  if (!other) return { short, more: msg`Please look again.` };
  const [from, to] = [timeWords(other.startsAt, zone), timeWords(other.endsAt, zone)];
  const [{ name, calendar }, zoneName] = [other, zoneWords(zone)];
  const what =
    name === null
      ? msg`Something in your calendar ${{ calendar: calendar ?? '' }} is from ${{ from }} to ${{ to }} (${{ zone: zoneName }}).`
      : msg`“${name}” is from ${{ from }} to ${{ to }} (${{ zone: zoneName }}).`;
  return { short, more: inARow([what, ...readingWords(other, now)]) };
}

/** Says why clients don't see an open slot. */
function whyHidden(slot: Span, by: WhyHidden, { rules, busy }: TimeContext, zone: string, now: Instant): Why {
  const { notice, horizonDays, perDay, booked } = rules;
  switch (by) {
    case 'begun':
      return over;
    case 'service':
      return { short: msg`Its service is not offered.`, more: msg`You have switched the service of that time off.` };
    case 'notice': {
      const length = lengthWords(notice);
      return { short: msg`It is too soon.`, more: msg`Your rules ask for a notice of ${length}.` };
    }
    case 'horizonDays': {
      const more = msg`By your rules people book up to ${plural({ days: horizonDays ?? 0 }, { one: '# day', other: '# days' })} ahead.`;
      return { short: tooFarAhead, more };
    }
    case 'busy':
      return busyWords(slot, busy, zone, now);
    case 'perDay': {
      const more = msg`By your rules a day takes ${plural(
        { most: perDay ?? 0 },
        { one: '# appointment', other: '# appointments' },
      )}, and has ${booked}.`;
      return { short: msg`That day is full.`, more };
    }
  }
}

/** Says what a time of the hours would overlap. */
function overlapWords(times: Words, other: Span & { status: Status }, zone: string): Words {
  const [otherTimes, zoneName] = [spanWords(other, zone), zoneWords(zone)];
  if (other.status === status.booked) {
    return msg`${times} would overlap ${otherTimes} (${{ zone: zoneName }}), which is booked.`;
  }
  return other.status === status.open
    ? msg`${times} would overlap ${otherTimes} (${{ zone: zoneName }}), which is published.`
    : msg`${times} would overlap ${otherTimes} (${{ zone: zoneName }}), which you removed.`;
}

function whyMissing(
  { date, time }: AskedTime,
  zone: string,
  hours: Hours | null,
  around: TimeContext,
  now: Instant,
): Why {
  const at = instantOf(date, time, zone);
  const clock = (instant: Instant) => localTimeOf(instant, zone);
  const zoneName = zoneWords(zone);
  if (!hours || (hours.hours.length === 0 && hours.except.every((exception) => exception.hours.length === 0))) {
    return { short: msg`You have set no hours.`, more: msg`Nothing is published but what you publish by hand.` };
  }
  const last = addDays(todayIn(zone, now), hours.ahead);
  if (date > last) {
    const [{ ahead }, lastDay] = [hours, dateWords(last).full];
    const more = msg`Your hours publish ${plural({ days: ahead }, { one: '# day', other: '# days' })} ahead, up to ${{ date: lastDay }}.`;
    return { short: tooFarAhead, more };
  }
  const ranges = ownRangesOf(hours, date);
  const isOther = hours.except.some((exception) => exception.date <= date && date <= (exception.to ?? exception.date));
  if (isClosedOn(hours, date)) {
    const weekday = weekdayWords(weekdayOf(date));
    const closedWeekday = msg`Your week has no hours on ${{ weekday }}s.`;
    return { short: closed, more: isOther ? msg`It is one of your days off.` : closedWeekday };
  }
  const openHours = ranges.find(({ start, end }) => start <= time && (end === '00:00' || time < end));
  if (!openHours) {
    const open = ranges.map(rangeWords).reduce((first, second) => msg`${first} and ${second}`);
    return { short: closed, more: msg`On that day you are there from ${{ times: open }} (${{ zone: zoneName }}).` };
  }
  const planned = wantedSlots(hours, zone, { from: date, to: date, now, most: 1e6 });
  const slot = planned.find(([startsAt, endsAt]) => startsAt <= at && at < endsAt);
  if (slot) {
    const [startsAt, endsAt] = slot;
    const other = around.slots.find((candidate) => candidate.startsAt < endsAt && startsAt < candidate.endsAt);
    const times = spanWords({ startsAt, endsAt }, zone);
    if (!other) return { short: msg`It is not published yet.`, more: msg`Save your hours to publish ${times}.` };
    return { short: msg`Something is in the way.`, more: overlapWords(times, other, zone) };
  }
  if (endOfDay(date, zone) - startOfDay(date, zone) !== day) {
    const more = msg`So its hours have fewer or other times than usual.`;
    return { short: msg`The clocks change on that day.`, more };
  }
  const { len, gap } = openHours.cut ?? hours;
  const next = planned.find(
    ([startsAt]) => startsAt > at && (openHours.end === '00:00' || clock(startsAt) < openHours.end),
  );
  const pause = lengthWords(gap);
  if (next) return { short: msg`It is in the gap.`, more: msg`You keep ${{ length: pause }} between two times.` };
  const [end, length] = [{ clock: openHours.end }, lengthWords(len)];
  const rest = msg`What is left until ${{ end }} (${{ zone: zoneName }}) is shorter than ${length}.`;
  return { short: msg`There is no room.`, more: rest };
}

/** Says whether a time is offered, and why not. Times are those of `zone`, the provider's. */
export function whyOf(moment: AskedTime, zone: string, hours: Hours | null, around: TimeContext, now: Instant): Why {
  const at = instantOf(moment.date, moment.time, zone);
  const shown = localTimeOf(at, zone);
  const zoneName = zoneWords(zone);
  if (at <= now) return over;
  if (shown !== moment.time) {
    const [skipped, later] = [{ clock: moment.time }, { clock: shown }];
    const explanation = msg`On that day the clocks skip ${{ skipped }} and show ${{ shown: later }} (${{ zone: zoneName }}).`;
    return { short: msg`The clocks change.`, more: explanation };
  }
  const slotsAtTime = around.slots.filter(({ startsAt, endsAt }) => startsAt <= at && at < endsAt);
  const live = slotsAtTime.find((slot) => slot.status !== status.canceled);
  if (live) {
    const times = spanWords(live, zone);
    if (live.status === status.booked) {
      return { short: msg`It is booked.`, more: msg`The appointment is from ${times} (${{ zone: zoneName }}).` };
    }
    const offered = msg`People can book the time from ${times} (${{ zone: zoneName }}).`;
    if (live.hiddenBy) return whyHidden(live, live.hiddenBy, around, zone, now);
    return { short: msg`It is offered.`, more: offered };
  }
  if (slotsAtTime.length > 0) {
    const explanation = msg`Hours do not publish it again. You can publish it by hand.`;
    return { short: msg`You removed or canceled it.`, more: explanation };
  }
  return whyMissing(moment, zone, hours, around, now);
}
