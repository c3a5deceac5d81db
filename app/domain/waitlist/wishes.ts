import { msg, plural } from '@lingui/core/macro';
import * as z from 'zod/mini';
import { startIn } from '../bookings/start-in';
import {
  clockTime,
  email,
  fault,
  line,
  listRule,
  phone,
  requiredText,
  serviceId,
  timeZone,
  wireDate,
} from '../input/fields';
import { limits } from '../input/limits';
import type { WithheldMail } from '../mail/withheld-mail';
import { dateWords, type Instant, type LocalDate, type LocalTime, weekdayWords, zoneWords } from '../time/clock';
import { inWeekOrder } from '../time/week-start';
import { shortWhenWords } from '../time/when-words';
import { withCommas } from '../words/joined';
import type { Words } from '../words/words';

/** The most wishes of one person. */
export const mostWishes = 10;
/** The most wishes for one provider: each publication looks at all of them. */
export const mostInLine = 1000;

const dateOrNone = (name: string) => {
  const words = fault(msg`${name} must be a date, MM-DD-YYYY.`);
  return z.optional(z.nullable(wireDate(z.string(words), () => words)));
};
const timeOrNone = (name: string) => z.optional(z.nullable(clockTime(name, '09:00')));

const noWeekday = fault(msg`A weekday is a number from 0 for Sunday to 6.`);
const peopleWords = fault(msg`People must be a whole number from 1 to ${{ most: limits.people }}.`);

const weekdayList = z.optional(
  z.nullable(
    z.array(z.number(noWeekday), fault(msg`days must be a list of weekdays.`)).check(
      listRule((list, complain) => {
        const isDay = (day: unknown) => Number.isInteger(day) && Number(day) >= 0 && Number(day) <= 6;
        if (!list.every(isDay)) complain(noWeekday);
      }),
    ),
  ),
);

/** Strangers also say who they are, with an e-mail address. */
export const wishInput = z.object({
  provider: requiredText(msg`Provider`),
  slotId: z.optional(z.nullable(z.string(fault(msg`slotId must be text.`)))),
  service: serviceId,
  from: dateOrNone('from'),
  to: dateOrNone('to'),
  days: weekdayList,
  after: timeOrNone('after'),
  before: timeOrNone('before'),
  people: z._default(z.int(peopleWords).check(z.minimum(1, peopleWords), z.maximum(limits.people, peopleWords)), 1),
  insteadOf: z.optional(z.nullable(z.string(fault(msg`insteadOf must be text.`)))),
  phone,
  displayName: z.optional(z.nullable(line(msg`Name`, limits.displayName))),
  email,
  timeZone,
});
export type WishInput = z.output<typeof wishInput>;

export type WishedTimes = {
  slotId: string | null;
  service: string | null;
  from: LocalDate | null;
  to: LocalDate | null;
  days: number[] | null;
  after: LocalTime | null;
  before: LocalTime | null;
  people: number;
};

export type Offer = { slotId: string; startsAt: Instant; endsAt: Instant; heldUntil: Instant };

/** A wish as the person who waits sees it. */
export type Wish = {
  id: string;
  provider: string;
  providerName: Words;
  timeZone: string;
  asked: WishedTimes;
  insteadOf: string | null;
  serviceName: string | null;
  askedAt: Instant;
  fromAt: Instant; // the starts that fit, without `untilAt` itself
  untilAt: Instant;
  isOver: boolean;
  /** in line; null while a time is held, and after the wish is over */
  place: number | null;
  linkSeed: string;
  /** The start of the time that they have just let pass, which is not offered to them again. */
  passedAt: Instant | null;
  offer: Offer | null;
  /** Why the mail about the place in line, or about a held time, did not go out. */
  withheldMail: WithheldMail | null;
};

/** A wish as the provider sees it. */
export type Waiting = Wish & {
  name: string;
  username: string | null;
  email: string | null;
  phone: string | null; // given with the wish
  lang: string | null; // the language of the person, if we know it
};

type Described = Pick<Wish, 'asked' | 'insteadOf' | 'timeZone' | 'fromAt' | 'serviceName'>;

function wishedFor({ asked: { people }, serviceName }: Described): Words | null {
  if (people < 2) return serviceName;
  return serviceName
    ? msg`${serviceName} for ${plural({ people }, { one: '# person', other: '# people' })}`
    : msg`for ${plural({ people }, { one: '# person', other: '# people' })}`;
}

/** 'from Wed 2 Dec to Fri 4 Dec'. */
function datesWords({ from, to }: WishedTimes): Words | null {
  const [first, last] = [from && dateWords(from).short, to && dateWords(to).short];
  if (first && from === to) return msg`on ${first}`;
  if (first && last) return msg`from ${first} to ${last}`;
  if (first) return msg`from ${first}`;
  return last && msg`to ${last}`;
}

/** The dates, and the appointment that is to be earlier. */
function rangeWords({ asked, insteadOf, timeZone }: Described): Words | null {
  const dates = datesWords(asked);
  if (insteadOf === null) return dates;
  const when = shortWhenWords(startIn(insteadOf), timeZone);
  return dates ? msg`${dates} before your appointment on ${when}` : msg`before your appointment on ${when}`;
}

function timesOfDayWords({ days, after, before }: WishedTimes, weekStart: number): (Words | null)[] {
  const weekdays: Words | null = days && {
    list: inWeekOrder(days, (day) => day, weekStart).map((day) => ({ ...weekdayWords(day), as: 'weekday' })),
  };
  const [from, until] = [after && { clock: after }, before && { clock: before }];
  return [weekdays && msg`on ${weekdays}`, from && msg`from ${from} on`, until && msg`before ${until}`];
}

const listed = (facts: (Words | null)[]): Words => withCommas(facts.flatMap((words) => words || []));

/**
 * 'any time, from Wed 2 Dec to Fri 4 Dec, on Mon and Tue, from 09:00 on, Lisbon time'.
 * @param weekStart on which day the reader's weeks begin, 0 (Sunday) to 6
 */
export function wishWords(wish: Described, weekStart: number): Words {
  const { asked, insteadOf, timeZone, fromAt } = wish;
  const zone = zoneWords(timeZone);
  if (asked.slotId !== null) return listed([wishedFor(wish), shortWhenWords(fromAt, timeZone), zone]);
  return listed([
    wishedFor(wish),
    insteadOf !== null ? msg`an earlier time` : msg`any time`,
    rangeWords(wish),
    ...timesOfDayWords(asked, weekStart),
    insteadOf !== null || asked.after || asked.before ? zone : null,
  ]);
}
