import * as z from 'zod/mini';
import type { Instant, LocalDate } from './clock';
import { isLocalTime, parseWireDate } from './clock';
import { page, paragraph } from './fields';
import { limits } from './limits';
import type { Status } from './status';

/** A slot with its provider and, where there is one, its booker. */
export type Appointment = {
  id: string;
  provider: string;
  providerName: string;
  username: string | null;
  bookerName: string | null;
  startsAt: Instant;
  endsAt: Instant;
  /** The provider's local date. */
  date: LocalDate;
  timeZone: string;
  status: Status;
  notes: string | null;
  templateId: string | null;
  answers: { question: string; answer: string }[];
  /** When the answers were given; null where they are owed. */
  answeredAt: Instant | null;
  canceledAt: Instant | null;
};

const { minutes } = limits;
const tooLong = `Length must be a whole number of minutes from ${minutes.min} to ${minutes.max}.`;

const wholeMinutes = z.pipe(
  z.optional(z.nullable(z.union([z.string(), z.number()], tooLong))),
  z.transform((sent, context): number => {
    if (sent === undefined || sent === null || sent === '') return minutes.usual;
    const length = /^\d{1,5}$/.test(String(sent).trim()) ? Number(sent) : Number.NaN;
    if (!(length >= minutes.min && length <= minutes.max)) {
      context.issues.push({ code: 'custom', input: sent, message: tooLong });
    }
    return length;
  }),
);

const clockTime = (name: string) =>
  z.string(`${name} is missing.`).check(z.refine(isLocalTime, `${name} must be a time of day such as 09:00.`));

/** A list of MM-DD-YYYY texts as local dates, each once. */
const localDates = (sent: readonly string[], complain: (date: string) => void): LocalDate[] => {
  const read = sent.map((text) => {
    const date = parseWireDate(text);
    if (!date) complain(text);
    return date;
  });
  return [...new Set(read.filter((date) => date !== null))].sort();
};

const notADate = (text: string) => `"${text.slice(0, 20)}" is not a date of the form MM-DD-YYYY.`;

const dayList = z.pipe(
  z.array(z.string('A date must be text.'), 'Choose at least one day.'),
  z.transform((sent, context): LocalDate[] => {
    const complain = (message: string) => context.issues.push({ code: 'custom', input: sent, message });
    const dates = localDates(sent, (text) => complain(notADate(text)));
    if (sent.length === 0) complain('Choose at least one day.');
    if (dates.length > limits.dates) complain(`Choose at most ${limits.dates} days.`);
    return dates;
  }),
);

const templateId = z.pipe(
  z.optional(z.nullable(z.string('The template must be given by its id.'))),
  z.transform((id): string | null => id || null),
);

/** What a provider publishes: a range of the day on each of some days, cut into slots of `len` minutes. */
export const publication = z.object({
  start: clockTime('Start time'),
  end: clockTime('End time'),
  dates: dayList,
  len: wholeMinutes,
  templateId,
  notes: paragraph('Notes', limits.notes),
});
export type Publication = z.output<typeof publication>;

/** Which open slots to list; all that is given must hold. `dates` is space-joined. */
export const openSlotFilter = z.object({
  page,
  q: z.optional(z.string()),
  location: z.optional(z.string()),
  provider: z.optional(z.string()),
  dates: z.pipe(
    z.optional(z.string()),
    z.transform((sent, context): LocalDate[] | undefined => {
      const texts = sent?.split(/\s+/).filter((text) => text !== '') ?? [];
      const dates = localDates(texts, (text) =>
        context.issues.push({ code: 'custom', input: sent, message: notADate(text) }),
      );
      return texts.length > 0 ? dates : undefined;
    }),
  ),
});
export type OpenSlotFilter = z.output<typeof openSlotFilter>;

/** Which appointments of one's own to list; `past=true` gives those that have ended. */
export const agendaFilter = z.object({
  page,
  past: z.pipe(
    z.optional(z.string()),
    z.transform((text) => text === 'true'),
  ),
});
export type AgendaFilter = z.output<typeof agendaFilter>;

export const appointmentId = z.object({ id: z.string('Id is missing.').check(z.minLength(1, 'Id is missing.')) });
