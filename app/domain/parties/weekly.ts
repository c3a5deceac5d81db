import * as z from 'zod/mini';
import type { Fault } from '../errors';
import { listRule, templateId } from '../input/fields';
import { addDays, dateWords, day, type Instant, isLocalDate, type LocalDate, localTimeOf } from '../time/clock';
import { eventInstants, type Span, todayIn } from '../time/zones';
import type { Party } from './parties';
import { yesOrNo } from './party-input';

/* A party or meetup that is made again for the same weekday of other weeks. */

/** How many copies one step makes at most, and how many invitations to names. */
export const mostCopies = 26;
export const mostInvitations = 2000;

/** One copy: its day, and when it begins and ends there. */
export type WeeklyDay = Span & {
  date: LocalDate;
  /** The clocks change: it begins, ends or lasts otherwise than the one that it repeats. */
  isOtherwise: boolean;
  /** The last day to answer: as many days before as that of the one that it repeats, but not before today. */
  rsvpBy: LocalDate | null;
};

type Pattern = Pick<Party, 'date' | 'startsAt' | 'endsAt' | 'timeZone' | 'rsvpBy'>;

/** The copy for a day: at the same local times, by the rule of `eventInstants`. */
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

/** The first day for a copy: the same weekday, at least a week later, not begun at `now`. */
export function firstCopy(party: Pattern, now: Instant): WeeklyDay {
  const weeks = Math.max(1, Math.floor((now - party.startsAt) / (week * day)));
  const copy = copyOn(party, addDays(party.date, weeks * week), now);
  return copy.startsAt > now ? copy : copyOn(party, addDays(copy.date, week), now);
}

/** The days of the copies until `until`, that day included; or what is wrong with it. */
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

/** What makes the copies: the days that stay ticked, and the party as it was shown. */
export const weeklyInput = z.object({
  dates: z.array(z.string(notOurs).check(z.refine(isLocalDate, notOurs)), 'Tick at least one day.').check(
    listRule((list, complain) => {
      if (list.length === 0) complain('Tick at least one day.');
      if (list.length > mostCopies) complain(`At most ${mostCopies} copies are made at a time.`);
      if (new Set(list).size < list.length) complain(notOurs);
    }),
  ),
  templateId,
  /** Of the party, as it was shown. */
  sequence: z.pipe(z.string().check(z.regex(/^\d{1,9}$/)), z.transform(Number)),
  /** The names with an address get the invitation of each copy by mail now. */
  isMailed: yesOrNo('Mailing'),
});
export type WeeklyInput = z.output<typeof weeklyInput>;

/** What is wrong with the days that were chosen, by the party as it stands. */
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
