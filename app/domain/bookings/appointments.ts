import * as z from 'zod/mini';
import { clockTime, flag, given, page, paragraph, parse, wholeNumber, wireDate } from '../input/fields';
import { limits } from '../input/limits';
import type { AskEmail } from '../profile/rules';
import { answerList } from '../templates/answers';
import type { Instant, LocalDate } from '../time/clock';
import { isRangeOrdered } from '../time/zones';
import type { Status } from './status';

export type Canceler = 'provider' | 'consumer';

/** A slot with its provider and, where there is one, its booker. */
export type Appointment = {
  id: string;
  provider: string;
  providerName: string;
  username: string | null;
  bookerName: string | null;
  startsAt: Instant;
  endsAt: Instant;
  date: LocalDate;
  timeZone: string;
  status: Status;
  notes: string | null;
  templateId: string | null;
  /** How many people the slot is for, and how many places are left. */
  seats: number;
  free: number;
  /** The slot that a booking is in: where it has several seats, they have the slot in common. */
  slotId: string;
  /** How many seats the booking has; null for a slot. */
  people: number | null;
  /** The booked service as it was then, or the service of a slot; null for any. */
  service: { id: string; name: string; price: string | null } | null;
  answers: { question: string; answer: string }[];
  /** When the booker answered the questions; null while answers are owed. */
  answeredAt: Instant | null;
  canceledAt: Instant | null;
  canceledBy: Canceler | null;
  /** A guest's address, for the provider they booked with; null for anybody else. */
  bookerEmail: string | null;
  /** The provider's confirmed address, for its booker; null for anybody else. */
  providerEmail: string | null;
  /** The number that was given with the booking, for its provider; null for anybody else. */
  bookerPhone: string | null;
  /** The provider's contact; null in lists. */
  providerAddress: string | null;
  providerPhone: string | null;
  /** Whether whoever books is asked for a phone number. */
  askPhone: AskEmail;
  /** The provider's own note on the booking; null for anybody else. */
  privateNote: string | null;
  /** The seed of the personal link, for its booker; null for anybody else. */
  linkSeed: string | null;
  /** Why it was canceled or moved away, in the words of whoever did. */
  cancelReason: string | null;
  /** The slots that this booking was moved from and to. */
  movedFrom: string | null;
  movedTo: string | null;
  /** The series that it is part of; null if it stands alone. */
  seriesId: string | null;
  /** Until when its booker may cancel or move it, or whoever books it now; null in lists of open slots. */
  changeableUntil: Instant | null;
  /** A booking is one entry in calendars, however often it moves: the entry's id, and the number of its last change. */
  calendarId: string;
  sequence: number;
  /** Whether the booker came, for the provider; null for anybody else, and for what is not booked or has not begun. */
  attendance: Attendance | null;
};

/** Whether the booker of an appointment came; 'unknown' until the provider says. */
export const attendances = ['seen', 'excused', 'missed', 'unknown'] as const;
export type Attendance = (typeof attendances)[number];

/** The part that one line of a list shows. */
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
  | 'cancelReason'
  | 'movedTo'
> & {
  service: string | null;
  /** The places of a class, which is one line in its provider's list. */
  places?: { seats: number; taken: number } | null;
};

/** A line of a provider's own list, which names no provider. */
export type OwnLine = Omit<ListedAppointment, 'provider' | 'providerName'>;

/** Why somebody cancels or moves an appointment; null if they don't say. */
export const reason = paragraph('Reason', limits.reason);
/** A cancellation, as its call and its form send it. */
export const cancellation = z.object({ reason });

/** A move by API: answers to the other time's questions and a reason, or the answers alone. */
export const move = z.union(
  [
    answerList,
    z.object({
      answers: z.optional(z.nullable(answerList)),
      reason: z.optional(z.nullable(z.string().check(z.meta({ maxLength: limits.reason })))),
    }),
  ],
  'The body must be a list of answers, or an object with answers and a reason.',
);

/** A move as it was sent. @throws DomainError invalid (the reason) */
export function readMove(sent: z.output<typeof move> | undefined) {
  const { answers = null, reason = null } = Array.isArray(sent) ? { answers: sent } : (sent ?? {});
  return { answers, reason: parse(cancellation, { reason }).reason };
}

/** True if a provider publishes the given up time again. */
const republish = flag;

export const moveIds = z.object({ id: given('The id'), to: given('The id of the other slot'), republish });

const { minutes } = limits;
const tooLong = `Length must be a whole number of minutes from ${minutes.min} to ${minutes.max}.`;

/** The length of a slot in minutes; null if it is missing, and so that of a service or the usual one. */
export const wholeMinutes = wholeNumber(tooLong, minutes.min, minutes.max);

export const listedDate = wireDate(
  z.string('A date must be text.'),
  (text) => `"${text.slice(0, 20)}" is not a date of the form MM-DD-YYYY.`,
);

/** Dates in order, each once. */
export const eachOnce = (dates: LocalDate[]) => [...new Set(dates)].sort();

export const range = z.object({ start: clockTime('Start time', '09:00'), end: clockTime('End time', '09:00') });

export const endsAfterStart = z.refine<z.output<typeof range>>(({ start, end }) => isRangeOrdered(start, end), {
  error: 'The end time must be after the start time.',
  path: ['end'],
  when: ({ value }) => z.safeParse(range, value).success,
});

/** A filter for open slots: all its conditions hold together. `dates` is joined by spaces. */
export const openSlotFilter = z.object({
  page,
  q: z.optional(z.string()),
  location: z.optional(z.string()),
  provider: z.optional(z.string()),
  dates: z
    .pipe(
      z.pipe(
        z.optional(z.string()),
        z.transform((sent) => sent?.split(/\s+/).filter((text) => text !== '') ?? []),
      ),
      z.pipe(
        z.array(listedDate),
        z.transform((dates) => (dates.length > 0 ? eachOnce(dates) : undefined)),
      ),
    )
    .register(z.globalRegistry, { description: 'Days, MM-DD-YYYY, with spaces between.' }),
});
export type OpenSlotFilter = z.output<typeof openSlotFilter>;

/** A filter for the actor's own appointments; `past=true` lists those that have ended. */
export const agendaFilter = z.object({
  page,
  past: flag,
});
export type AgendaFilter = z.output<typeof agendaFilter>;

export const appointmentId = z.object({ id: given('Id') });

const tooMany = `A booking is for 1 to ${limits.people} people.`;

/** A booked slot, or a service that begins with it, and for how many people. */
export const booked = z.object({
  id: given('Id'),
  service: z.pipe(
    z.optional(z.nullable(z.string('The service must be given by its id.'))),
    z.transform((id): string | null => id || null),
  ),
  people: z.pipe(
    wholeNumber(tooMany, 1, limits.people),
    z.transform((sent) => sent ?? 1),
  ),
});

export const canceledId = z.object({ id: given('Id'), republish, following: flag });

export const mark = z.object({
  id: given('Id'),
  as: z.enum(attendances, 'Mark it as seen, excused, missed or unknown.'),
});
export type Mark = z.output<typeof mark>;

/** A home counts no further, and says '500 or more'. */
export const mostCounted = 500;
