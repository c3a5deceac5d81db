import { msg, plural } from '@lingui/core/macro';
import * as z from 'zod/mini';
import {
  clockTime,
  fault,
  flag,
  page,
  paragraph,
  parse,
  phone,
  requiredText,
  wholeNumber,
  wireDate,
} from '../input/fields';
import { limits } from '../input/limits';
import { type Attendance, attendances } from '../people/attendance-words';
import type { Payee } from '../profile/iban';
import type { HowAsked } from '../profile/rules';
import type { Where } from '../services/where';
import type { ShopInShort } from '../shop/in-shop';
import { answerList } from '../templates/answers';
import type { Instant, LocalDate } from '../time/clock';
import { isRangeOrdered } from '../time/zones';
import type { Words } from '../words/words';
import type { Status } from './status';
import type { Terms } from './terms';

type Canceler = 'provider' | 'consumer';

/**
 * How many minutes of a provider's day were taken and published when their turn came; in a series also how many dates it
 * had.
 */
export type Turn = [taken: number, published: number] | [taken: number, published: number, dates: number];

/** Whoever of the shop booked, moved or canceled it last for its provider. */
export type By = { username: string; displayName: string };

/** A booking, or a slot that nobody has booked. */
export type Appointment = {
  id: string;
  provider: string;
  providerName: string;
  /** The shop under whose name it was booked; null for free time. */
  shop: ShopInShort | null;
  username: string | null;
  bookerName: string | null;
  startsAt: Instant;
  endsAt: Instant;
  date: LocalDate;
  timeZone: string;
  status: Status;
  notes: string | null;
  templateId: string | null;
  seats: number;
  free: number;
  /** The id of the booking's slot, which all bookings of a class share. */
  slotId: string;
  /** How many seats the booking takes; null for a slot. */
  people: number | null;
  /** The booked service as it was then, or the service of a slot; null if the slot is free time. */
  service: { id: string; name: string; price: string | null; deposit: string | null } | null;
  where: Where;
  /** The video link, or the client's address: for the two whose booking it is. */
  place: string | null;
  answers: { question: string; answer: string }[];
  /** When the client answered the questions; null if they still have to. */
  answeredAt: Instant | null;
  canceledAt: Instant | null;
  canceledBy: Canceler | null;
  /** A guest's address, for their provider alone. */
  bookerEmail: string | null;
  /** The provider's confirmed address, for their client alone. */
  providerEmail: string | null;
  /** The phone number given with the booking, for the provider alone. */
  bookerPhone: string | null;
  providerAddress: string | null;
  providerPhone: string | null;
  askPhone: HowAsked;
  privateNote: string | null;
  /** The personal link's seed and the first booking's id, with a space between; for the client alone. */
  linkSource: string | null;
  cancelReason: string | null;
  /** Ids of the bookings before and after a move. */
  movedFrom: string | null;
  movedTo: string | null;
  seriesId: string | null;
  /** The provider has noted that the deposit has come. */
  paid: boolean;
  /** How the client pays the deposit, for the client alone. */
  payBy: Payee | null;
  /** Why this provider has it, where the booker asked for anyone in a shop; null elsewhere. */
  why: Words | null;
  /** For the provider's side alone; null if nobody acted for the provider. */
  by: By | null;
  /** The booker may cancel or move until then; null in lists of open slots. */
  changeableUntil: Instant | null;
  /**
   * The id of the calendar entry, which stays the same when the booking moves, and a number that rises with each
   * change.
   */
  calendarId: string;
  sequence: number;
  /** Only the provider sees it, and only after the start. */
  attendance: Attendance | null;
};

export type ListedAppointment = Pick<
  Appointment,
  | 'id'
  | 'provider'
  | 'providerName'
  | 'bookerName'
  | 'startsAt'
  | 'endsAt'
  | 'date'
  | 'timeZone'
  | 'notes'
  | 'canceledAt'
  | 'canceledBy'
  | 'movedTo'
> & {
  /** For the client. */
  shop?: Pick<ShopInShort, 'displayName'> | null;
  service: string | null;
  /** The places of a class. Its provider's list has one line for the whole class. */
  places?: { seats: number; taken: number } | null;
  /** The provider's mark; null if nothing is marked. A class has none, but its people have. */
  attendance?: Attendance | null;
};

export type OwnLine = Omit<ListedAppointment, 'provider' | 'providerName' | 'shop'> & {
  /** The name of whoever of the shop canceled it for the provider; null if nobody did. */
  by?: string | null;
};

export const reason = paragraph(msg`Reason`, limits.reason);
export const cancellation = z.object({ reason });

export const move = z.union(
  [
    answerList,
    z.object({
      answers: z.optional(z.nullable(answerList)),
      reason: z.optional(z.nullable(z.string().check(z.meta({ maxLength: limits.reason })))),
    }),
  ],
  fault(msg`The body must be a list of answers, or an object with answers and a reason.`),
);

export function readMove(request: z.output<typeof move> | undefined) {
  const { answers = null, reason = null } = Array.isArray(request) ? { answers: request } : (request ?? {});
  return { answers, reason: parse(cancellation, { reason }).reason };
}

/** True if a provider wants the old time to be published again. */
const republish = flag(msg`Publishing it again`);

export const moveIds = z.object({
  id: requiredText(msg`The id`),
  to: requiredText(msg`The id of the other slot`),
  republish,
});

const { minutes } = limits;
const { min: least, max: most } = minutes;
const tooLong = msg`Length must be a whole number of minutes from ${least} to ${most}.`;

/** The length of a slot in minutes. If it is null, the service decides, or the usual length. */
export const wholeMinutes = wholeNumber(tooLong, minutes.min, minutes.max);

export const listedDate = wireDate(
  z.string(fault(msg`A date must be text.`)),
  (text) => msg`"${{ start: text.slice(0, 20) }}" is not a date of the form MM-DD-YYYY.`,
);

export const eachOnce = (dates: LocalDate[]) => [...new Set(dates)].sort();

export const range = z.object({ start: clockTime(msg`Start time`, '09:00'), end: clockTime(msg`End time`, '09:00') });

export const endsAfterStart = z.refine<z.output<typeof range>>(({ start, end }) => isRangeOrdered(start, end), {
  error: fault(msg`The end time must be after the start time.`),
  path: ['end'],
  when: ({ value }) => z.safeParse(range, value).success,
});

/** Filters open slots; all conditions must hold. `dates` is a list separated by spaces. */
export const openSlotFilter = z.object({
  page,
  q: z.optional(z.string()),
  location: z.optional(z.string()),
  provider: z.optional(z.string()),
  dates: z
    .pipe(
      z.pipe(
        z.optional(z.string()),
        z.transform((value) => value?.split(/\s+/).filter((text) => text !== '') ?? []),
      ),
      z.pipe(
        z.array(listedDate),
        z.transform((dates) => (dates.length > 0 ? eachOnce(dates) : undefined)),
      ),
    )
    .register(z.globalRegistry, { description: 'Days, MM-DD-YYYY, with spaces between.' }),
});
export type OpenSlotFilter = z.output<typeof openSlotFilter>;

export const agendaFilter = z.object({
  page,
  past: flag(msg`Past`),
});
export type AgendaFilter = z.output<typeof agendaFilter>;

export const appointmentId = z.object({ id: requiredText(msg`Id`) });

const tooMany = msg`A booking is for 1 to ${plural({ most: limits.people }, { one: '# person', other: '# people' })}.`;

export const booked = z.object({
  id: requiredText(msg`Id`),
  service: z.pipe(
    z.optional(z.nullable(z.string(fault(msg`The service must be given by its id.`)))),
    z.transform((id): string | null => id || null),
  ),
  people: z.pipe(
    wholeNumber(tooMany, 1, limits.people),
    z.transform((people) => people ?? 1),
  ),
});

export const startsAt = z
  .pipe(
    requiredText(msg`The start`),
    z.transform((text, context): Instant => {
      const at = Date.parse(text);
      if (Number.isNaN(at)) {
        context.issues.push({
          code: 'custom',
          input: text,
          message: fault(msg`The start must be an instant, such as 2027-01-30T09:00:00Z.`),
        });
      }
      return at;
    }),
  )
  .register(z.globalRegistry, { type: 'string', format: 'date-time' });

/** What is booked with anyone in a shop. */
export const anyoneBooked = z.object({
  shop: requiredText(msg`Shop`),
  startsAt,
  service: booked.shape.service,
  people: booked.shape.people,
  phone,
});

/** The terms in a form; null if it said none. */
export const termsShown = z.pipe(
  z.optional(z.string()),
  z.transform((text = ''): Terms | null => {
    const [, minutes, price = '', deposit] = /^(\d{1,4})(?: ([^\t]*))?(?:\t(.*))?$/.exec(text) ?? [];
    return minutes === undefined ? null : { minutes: Number(minutes), price, deposit };
  }),
);

export const canceledId = z.object({
  id: requiredText(msg`Id`),
  republish,
  following: flag(msg`Canceling what follows`),
});

export const mark = z.object({
  id: requiredText(msg`Id`),
  as: z.enum(attendances, fault(msg`Mark it as seen, excused, missed or unknown.`)),
});
export type Mark = z.output<typeof mark>;

export const paidMark = z.object({ paid: z.boolean(fault(msg`Paid must be true or false.`)) });

/** The home page counts no further, and says '500 or more'. */
export const mostCounted = 500;
