import * as z from 'zod/mini';
import type { Fault } from '../errors';
import { listRule, templateId, yesOrNo } from '../input/fields';
import { addDays, dateWords, day, type Instant, isLocalDate, type LocalDate, localTimeOf } from '../time/clock';
import { eventInstants, type Span, todayIn } from '../time/zones';
import type { Party } from './parties';

// Copies of a party or meetup on the same weekday of other weeks.

/** The most copies at a time, and the most invitations. */
const mostCopies = 26;
const mostInvitations = 2000;

export type WeeklyDay = Span & {
  date: LocalDate;
  /** True if a change of clocks gives the copy other local times or another length than the original. */
  isOtherwise: boolean;
  /** The last day for RSVPs: as many days before the event as the original's, but not before today. */
  rsvpBy: LocalDate | null;
};

type Pattern = Pick<Party, 'date' | 'startsAt' | 'endsAt' | 'timeZone' | 'rsvpBy'>;

export function copyOn(party: Pattern, date: LocalDate, now: Instant): WeeklyDay {
  const { startsAt, endsAt, timeZone: zone } = party;
  const [start, end] = [localTimeOf(startsAt, zone), localTimeOf(endsAt, zone)];
  const span = eventInstants({ date, start, end, zone });
  const isOtherwise =
    localTimeOf(span.startsAt, zone) !== start ||
    localTimeOf(span.endsAt, zone) !== end ||
    span.endsAt - span.startsAt !== endsAt - startsAt;
  const shifted = party.rsvpBy && addDays(party.rsvpBy, (Date.parse(date) - Date.parse(party.date)) / day);
  const today = todayIn(zone, now);
  return { date, ...span, isOtherwise, rsvpBy: shifted && shifted < today ? today : shifted };
}

const week = 7;

/** The first copy that has not begun, at least a week after the original. */
export function firstCopy(party: Pattern, now: Instant): WeeklyDay {
  const weeks = Math.max(1, Math.floor((now - party.startsAt) / (week * day)));
  const copy = copyOn(party, addDays(party.date, weeks * week), now);
  return copy.startsAt > now ? copy : copyOn(party, addDays(copy.date, week), now);
}

/** The copies up to and including a day, or the fault of that day. */
export function weeklyDays(party: Pattern, until: string, now: Instant): WeeklyDay[] | Fault {
  const fault = (message: string): Fault => ({ field: 'until', message });
  if (!isLocalDate(until)) return fault('Say until which day.');
  const first = firstCopy(party, now);
  if (until < first.date) {
    return fault(`The first copy would be on ${dateWords(first.date).full}: choose that day or a later one.`);
  }
  const last = addDays(first.date, (mostCopies - 1) * week);
  if (until >= addDays(last, week)) {
    return fault(`At most ${mostCopies} copies are made at a time: choose ${dateWords(last).full}, or an earlier day.`);
  }
  const dates = Array.from({ length: mostCopies }, (_, place) => addDays(first.date, place * week));
  return dates.filter((date) => date <= until && isLocalDate(date)).map((date) => copyOn(party, date, now));
}

const notOurs = 'Choose among the days of this page.';

export const weeklyInput = z.object({
  dates: z.array(z.string(notOurs).check(z.refine(isLocalDate, notOurs)), 'Tick at least one day.').check(
    listRule((list, complain) => {
      if (list.length === 0) complain('Tick at least one day.');
      if (list.length > mostCopies) complain(`At most ${mostCopies} copies are made at a time.`);
      if (new Set(list).size < list.length) complain(notOurs);
    }),
  ),
  templateId,
  /** the number of the version that was shown */
  sequence: z.pipe(z.string().check(z.regex(/^\d{1,9}$/)), z.transform(Number)),
  /** Mails the invitation to each copy, to the names with an address. */
  isMailed: yesOrNo('Mailing'),
});
export type WeeklyInput = z.output<typeof weeklyInput>;

export function chosenFaults(party: Pattern & Pick<Party, 'kind' | 'invited'>, copies: WeeklyDay[], now: Instant) {
  const faults: Fault[] = [];
  const first = firstCopy(party, now).date;
  const isOfWeek = ({ date }: WeeklyDay) => (Date.parse(date) - Date.parse(party.date)) % (week * day) === 0;
  if (copies.some((copy) => copy.date < first || !isOfWeek(copy))) faults.push({ field: 'dates', message: notOurs });
  const most = Math.floor(mostInvitations / Math.max(1, party.invited));
  if (party.kind === 'meetup' && copies.length > most) {
    const message = `${party.invited} names have at most ${mostInvitations.toLocaleString('en')} invitations at a time: tick ${most} days at most.`;
    faults.push({ field: 'dates', message });
  }
  return faults;
}
