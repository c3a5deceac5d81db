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
  minute,
  weekdayOf,
  weekdays,
  zoneWords,
} from '../time/clock';
import { endOfDay, instantOf, type Span, startOfDay, todayIn } from '../time/zones';
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
  doubts: string[] | null;
};

/** The slots around the time, and the times that the provider withdrew or canceled. */
export type TimeContext = {
  slots: (Span & { status: Status })[];
  rules: { notice: number; horizonDays: number | null; perDay: number | null; booked: number };
  busy: BusySpan[];
};

export type Why = { short: string; more: string };

/** The age of a reading in whole hours, because readings are noted by the hour. */
const ageWords = (age: number) =>
  age < hour ? 'within the last hour' : `${lengthWords(Math.floor(age / hour) * 60)} ago`;

/** How old and how certain the reading of a calendar is; empty for a party or meetup. */
const readingWords = ({ readAt, failure, doubts }: BusySpan, now: Instant): string[] => [
  ...(readAt === null ? [] : [`We read it ${ageWords(now - readAt)}.`]),
  ...(doubts ?? []),
  ...(failure ? [`Since then: ${failureWords[failure]}`] : []),
];

/** Why clients don't see an open slot. */
function whyHidden(slot: Span, { rules, busy }: TimeContext, zone: string, now: Instant): Why | undefined {
  const { notice, horizonDays, perDay, booked } = rules;
  if (slot.startsAt < now + notice * minute) {
    return { short: 'It is too soon.', more: `Your rules ask for a notice of ${lengthWords(notice)}.` };
  }
  if (horizonDays !== null && slot.startsAt > now + horizonDays * day) {
    return { short: 'It is too far ahead.', more: `By your rules people book up to ${horizonDays} days ahead.` };
  }
  const other = busy.find((time) => time.startsAt < slot.endsAt && slot.startsAt < time.endsAt);
  if (other) {
    const [from, to] = [other.startsAt, other.endsAt].map((at) => localTimeOf(at, zone));
    const what = other.name === null ? `Something in your calendar ${other.calendar}` : `“${other.name}”`;
    const explanation = [`${what} is from ${from} to ${to} (${zoneWords(zone)}).`, ...readingWords(other, now)].join(
      ' ',
    );
    return { short: 'You have something else.', more: explanation };
  }
  if (perDay !== null && booked >= perDay) {
    return { short: 'That day is full.', more: `By your rules a day takes ${perDay} appointments, and has ${booked}.` };
  }
  return undefined;
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
  if (!hours || (hours.hours.length === 0 && hours.except.every((exception) => exception.hours.length === 0))) {
    return { short: 'You have set no hours.', more: 'Nothing is published but what you publish by hand.' };
  }
  const last = addDays(todayIn(zone, now), hours.ahead);
  if (date > last) {
    const words = dateWords(last).full;
    return { short: 'It is too far ahead.', more: `Your hours publish ${hours.ahead} days ahead, up to ${words}.` };
  }
  const ranges = ownRangesOf(hours, date);
  const isOther = hours.except.some((exception) => exception.date <= date && date <= (exception.to ?? exception.date));
  if (isClosedOn(hours, date)) {
    const closedWeekday = `Your week has no hours on ${weekdays[weekdayOf(date)]}s.`;
    return { short: 'You are closed.', more: isOther ? 'It is one of your days off.' : closedWeekday };
  }
  const openHours = ranges.find(({ start, end }) => start <= time && (end === '00:00' || time < end));
  if (!openHours) {
    const open = ranges.map(({ start, end }) => `${start} to ${end}`).join(' and ');
    return { short: 'You are closed.', more: `On that day you are there from ${open} (${zoneWords(zone)}).` };
  }
  const planned = wantedSlots(hours, zone, { from: date, to: date, now, most: 1e6 });
  const slot = planned.find(([startsAt, endsAt]) => startsAt <= at && at < endsAt);
  if (slot) {
    const [startsAt, endsAt] = slot;
    const other = around.slots.find((candidate) => candidate.startsAt < endsAt && startsAt < candidate.endsAt);
    const what = !other
      ? ''
      : other.status === status.booked
        ? 'is booked'
        : other.status === status.open
          ? 'is published'
          : 'you removed';
    const span = `${clock(startsAt)} to ${clock(endsAt)}`;
    if (!other) return { short: 'It is not published yet.', more: `Save your hours to publish ${span}.` };
    const otherTimes = `${clock(other.startsAt)} to ${clock(other.endsAt)} (${zoneWords(zone)})`;
    return { short: 'Something is in the way.', more: `${span} would overlap ${otherTimes}, which ${what}.` };
  }
  if (endOfDay(date, zone) - startOfDay(date, zone) !== day) {
    return { short: 'The clocks change on that day.', more: 'So its hours have fewer or other times than usual.' };
  }
  const { len, gap } = openHours.cut ?? hours;
  const next = planned.find(
    ([startsAt]) => startsAt > at && (openHours.end === '00:00' || clock(startsAt) < openHours.end),
  );
  if (next) return { short: 'It is in the gap.', more: `You keep ${lengthWords(gap)} between two times.` };
  const rest = `What is left until ${openHours.end} (${zoneWords(zone)}) is shorter than ${lengthWords(len)}.`;
  return { short: 'There is no room.', more: rest };
}

/** Says whether a time is offered, and why not. Times are those of `zone`, the provider's. */
export function whyOf(moment: AskedTime, zone: string, hours: Hours | null, around: TimeContext, now: Instant): Why {
  const at = instantOf(moment.date, moment.time, zone);
  const shown = localTimeOf(at, zone);
  if (at <= now) return { short: 'It is over.', more: 'That time has passed.' };
  if (shown !== moment.time) {
    const explanation = `On that day the clocks skip ${moment.time} and show ${shown} (${zoneWords(zone)}).`;
    return { short: 'The clocks change.', more: explanation };
  }
  const slotsAtTime = around.slots.filter(({ startsAt, endsAt }) => startsAt <= at && at < endsAt);
  const live = slotsAtTime.find((slot) => slot.status !== status.canceled);
  const span = live && `${localTimeOf(live.startsAt, zone)} to ${localTimeOf(live.endsAt, zone)} (${zoneWords(zone)})`;
  if (live?.status === status.booked) return { short: 'It is booked.', more: `The appointment is from ${span}.` };
  if (live) {
    const hidden = whyHidden(live, around, zone, now);
    return hidden ?? { short: 'It is offered.', more: `People can book the time from ${span}.` };
  }
  if (slotsAtTime.length > 0) {
    const explanation = 'Hours do not publish it again. You can publish it by hand.';
    return { short: 'You removed or canceled it.', more: explanation };
  }
  return whyMissing(moment, zone, hours, around, now);
}
