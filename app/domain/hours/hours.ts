import { msg, plural } from '@lingui/core/macro';
import * as z from 'zod/mini';
import { endsAfterStart, listedDate, range, wholeMinutes } from '../bookings/appointments';
import { fault, listRule, paragraph, serviceId, templateId, wholeNumber } from '../input/fields';
import { limits } from '../input/limits';
import type { LocalDate } from '../time/clock';
import type { Cut } from '../time/cutting';
import { areOverlapping, type DayRange } from '../time/ranges';

const dayWords = fault(msg`A day is a number from 0 (Sunday) to 6 (Saturday).`);
export const weekday = z
  .pipe(
    wholeNumber(dayWords, 0, 6),
    z.transform((value, context): number => {
      if (value === null) context.issues.push({ code: 'custom', input: value, message: dayWords });
      return value ?? 0;
    }),
  )
  .register(z.globalRegistry, { type: 'integer', minimum: 0, maximum: 6, description: '0 is Sunday.' });

const weekly = z.object({ day: weekday, ...range.shape, serviceId }).check(endsAfterStart);
const daily = z.object({ ...range.shape, serviceId }).check(endsAfterStart);

const tooManyRanges = msg`A day can have at most ${plural(
  { count: limits.ranges },
  { one: '# range', other: '# ranges' },
)} of hours.`;

/** Checks a list. It skips ranges that can't be read, which have faults of their own. */
const listed = (entry: typeof weekly | typeof daily) =>
  listRule((list, complain) => {
    const days: DayRange[][] = [];
    for (const range of list) {
      const { data } = z.safeParse(entry, range);
      if (!data) continue;
      const day = 'day' in data ? data.day : 0;
      days[day] = [...(days[day] ?? []), data];
    }
    if (days.some(areOverlapping)) complain(fault(msg`The hours of a day overlap.`));
    if (days.some(({ length }) => length > limits.ranges)) {
      complain(fault(tooManyRanges));
    }
  });

const exception = z
  .object({
    date: listedDate,
    to: z.optional(z.nullable(listedDate)),
    hours: z.pipe(
      z.optional(z.nullable(z.array(daily, fault(msg`The hours of a date must be a list.`)).check(listed(daily)))),
      z.transform((ranges) => ranges ?? []),
    ),
  })
  .check(
    z.refine(({ date, to }) => !to || to >= date, {
      error: fault(msg`The last of the days must not be before the first.`),
      path: ['to'],
    }),
  );

const { gap, ahead, except } = limits.hours;
const gapWords = fault(msg`The gap must be a whole number of minutes from 0 to ${{ most: gap }}.`);
const aheadWords = fault(msg`Choose from 1 to ${{ most: ahead.max }} days ahead.`);

const tooManyExceptions = msg`There can be at most ${plural(
  { count: except },
  { one: '# exception', other: '# exceptions' },
)}.`;

export const hoursInput = z.object({
  hours: z.array(weekly, fault(msg`The hours must be a list.`)).check(listed(weekly)),
  except: z.pipe(
    z.optional(
      z.nullable(
        z.array(exception, fault(msg`The exceptions must be a list.`)).check(
          listRule((list, complain) => {
            if (list.length > except) complain(fault(tooManyExceptions));
          }),
        ),
      ),
    ),
    z.transform((list) => list ?? []),
  ),
  len: wholeMinutes,
  gap: wholeNumber(gapWords, 0, gap),
  ahead: z.pipe(
    wholeNumber(aheadWords, 1, ahead.max),
    z.transform((days) => days ?? ahead.usual),
  ),
  notes: paragraph(msg`Notes`, limits.notes),
  templateId,
  serviceId,
});
/** Hours as typed. If the length or gap is left out, it is that of the service, or the usual one. */
export type HoursInput = Omit<Hours, 'len' | 'gap' | 'cuts'> & { len: number | null; gap: number | null };

export type HoursRange = DayRange & { serviceId?: string };

/** Hours as the database has them. If two exceptions name a date, the later one in the list counts. */
export type Hours = {
  hours: (HoursRange & { day: number })[];
  /** Other hours on `date`, or on each day up to `to`. Without hours the provider is away. */
  except: { date: LocalDate; to?: LocalDate | null; hours: HoursRange[] }[];
  len: number;
  gap: number;
  ahead: number;
  notes: string | null;
  templateId: string | null;
  /** The service of each range that names none; left out for free time. */
  serviceId?: string;
  /** The length and gap of each service, by its id. */
  cuts?: Record<string, Cut>;
};
