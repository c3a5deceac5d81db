import * as z from 'zod/mini';
import { clockTime, email, line, listRule, phone, requiredText, serviceId, timeZone, wireDate } from '../input/fields';
import { limits } from '../input/limits';
import type { WithheldMail } from '../mail/withheld-mail';
import {
  dateWords,
  type Instant,
  type LocalDate,
  type LocalTime,
  localDateOf,
  localTimeOf,
  zoneWords,
} from '../time/clock';

/** The most wishes of one person. */
export const mostWishes = 10;
/** The most wishes for one provider: each publication looks at all of them. */
export const mostInLine = 1000;

const dateOrNone = (name: string) => {
  const words = `${name} must be a date, MM-DD-YYYY.`;
  return z.optional(z.nullable(wireDate(z.string(words), () => words)));
};
const timeOrNone = (name: string) => z.optional(z.nullable(clockTime(name, '09:00')));

const weekdayList = z.optional(
  z.nullable(
    z.array(z.number('A weekday is a number from 0 for Sunday to 6.'), 'days must be a list of weekdays.').check(
      listRule((list, complain) => {
        const isDay = (day: unknown) => Number.isInteger(day) && Number(day) >= 0 && Number(day) <= 6;
        if (!list.every(isDay)) complain('A weekday is a number from 0 for Sunday to 6.');
      }),
    ),
  ),
);

/** Strangers also say who they are, with an e-mail address. */
export const wishInput = z.object({
  provider: requiredText('Provider'),
  slotId: z.optional(z.nullable(z.string('slotId must be text.'))),
  service: serviceId,
  from: dateOrNone('from'),
  to: dateOrNone('to'),
  days: weekdayList,
  after: timeOrNone('after'),
  before: timeOrNone('before'),
  people: z._default(
    z
      .int(`People must be a whole number from 1 to ${limits.people}.`)
      .check(
        z.minimum(1, `People must be a whole number from 1 to ${limits.people}.`),
        z.maximum(limits.people, `People must be a whole number from 1 to ${limits.people}.`),
      ),
    1,
  ),
  insteadOf: z.optional(z.nullable(z.string('insteadOf must be text.'))),
  phone,
  displayName: z.optional(z.nullable(line('Name', limits.displayName))),
  email,
  timeZone,
});
export type WishInput = z.output<typeof wishInput>;

export type Asked = {
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
  providerName: string;
  timeZone: string;
  asked: Asked;
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
};

const short = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** The start in a booking's id. */
export const startOfBooking = (bookingId: string): Instant => Number(bookingId.slice(-25, -12));

/** 'any time, from Wed 2 Dec to Fri 4 Dec, on Mon, Tue, from 09:00 on, Lisbon time'. */
export function wishWords({
  asked,
  insteadOf,
  timeZone,
  fromAt,
  serviceName,
}: Pick<Wish, 'asked' | 'insteadOf' | 'timeZone' | 'fromAt' | 'serviceName'>): string {
  const { from, to, days, after, before, people } = asked;
  const dayOf = (date: LocalDate) => dateWords(date).short;
  const wishedFor = [serviceName, people > 1 ? `for ${people} people` : null].filter(Boolean).join(' ');
  const words = (at: Instant) => `${dayOf(localDateOf(at, timeZone))}, ${localTimeOf(at, timeZone)}`;
  const zone = zoneWords(timeZone);
  if (asked.slotId !== null) return [wishedFor, words(fromAt), zone].filter(Boolean).join(', ');
  const range = [
    from && from === to ? `on ${dayOf(from)}` : null,
    from && from !== to ? `from ${dayOf(from)}` : null,
    to && from !== to ? `to ${dayOf(to)}` : null,
    insteadOf !== null ? `before your appointment on ${words(startOfBooking(insteadOf))}` : null,
  ].filter(Boolean);
  return [
    wishedFor,
    insteadOf !== null ? 'an earlier time' : 'any time',
    range.join(' '),
    days ? `on ${days.map((day) => short[day]).join(', ')}` : null,
    after ? `from ${after} on` : null,
    before ? `before ${before}` : null,
    insteadOf !== null || after || before ? zone : null,
  ]
    .filter(Boolean)
    .join(', ');
}
