import { msg, plural } from '@lingui/core/macro';
import * as z from 'zod/mini';
import type { Fault } from '../errors';
import { fault, listRule, templateId, yesOrNo } from '../input/fields';
import { addDays, dateWords, day, type Instant, isLocalDate, type LocalDate, localTimeOf } from '../time/clock';
import { eventInstants, type Span, todayIn } from '../time/zones';
import type { Words } from '../words/words';
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
  const faultOf = (message: Words): Fault => ({ field: 'until', message });
  const first = firstCopy(party, now);
  if (!isLocalDate(until) || !isLocalDate(first.date)) return faultOf(msg`Say until which day.`);
  if (until < first.date) {
    const day = dateWords(first.date).full;
    return faultOf(msg`The first copy would be on ${day}: choose that day or a later one.`);
  }
  const weeks = Array.from({ length: mostCopies }, (_, place) => addDays(first.date, place * week));
  const dates = weeks.filter(isLocalDate);
  const last = dates.at(-1) ?? first.date;
  if (until >= addDays(last, week)) {
    const day = dateWords(last).full;
    return faultOf(
      msg`At most ${plural({ mostCopies }, { one: '# copy is', other: '# copies are' })} made at a time: choose ${day}, or an earlier day.`,
    );
  }
  return dates.filter((date) => date <= until).map((date) => copyOn(party, date, now));
}

const notOurs = msg`Choose among the days of this page.`;
const noDay = fault(msg`Tick at least one day.`);

export const weeklyInput = z.object({
  dates: z.array(z.string(fault(notOurs)).check(z.refine(isLocalDate, fault(notOurs))), noDay).check(
    listRule((list, complain) => {
      if (list.length === 0) complain(noDay);
      if (list.length > mostCopies)
        complain(
          fault(msg`At most ${plural({ mostCopies }, { one: '# copy is', other: '# copies are' })} made at a time.`),
        );
      if (new Set(list).size < list.length) complain(fault(notOurs));
    }),
  ),
  templateId,
  /** the number of the version that was shown */
  sequence: z.pipe(z.string().check(z.regex(/^\d{1,9}$/)), z.transform(Number)),
  /** Mails the invitation to each copy, to the names with an address. */
  isMailed: yesOrNo(msg`Mailing`),
});
export type WeeklyInput = z.output<typeof weeklyInput>;

export function chosenFaults(party: Pattern & Pick<Party, 'kind' | 'invited'>, copies: WeeklyDay[], now: Instant) {
  const faults: Fault[] = [];
  const first = firstCopy(party, now).date;
  const isOfWeek = ({ date }: WeeklyDay) => (Date.parse(date) - Date.parse(party.date)) % (week * day) === 0;
  if (copies.some((copy) => copy.date < first || !isOfWeek(copy))) faults.push({ field: 'dates', message: notOurs });
  const most = Math.floor(mostInvitations / Math.max(1, party.invited));
  if (party.kind === 'meetup' && copies.length > most) {
    const { invited } = party;
    const message = msg`${plural({ invited }, { one: '# name has', other: '# names have' })} at most ${plural({ mostInvitations }, { one: '# invitation', other: '# invitations' })} at a time: tick ${plural({ most }, { one: '# day', other: '# days' })} at most.`;
    faults.push({ field: 'dates', message });
  }
  return faults;
}
