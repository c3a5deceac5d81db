import { msg, plural } from '@lingui/core/macro';
import * as z from 'zod/mini';
import { eachOnce, endsAfterStart, listedDate, range, wholeMinutes } from '../bookings/appointments';
import type { Fault } from '../errors';
import {
  carriedWords,
  fault,
  listRule,
  paragraph,
  serviceId,
  templateId,
  textsAmong,
  wireDate,
  wireDateWords,
} from '../input/fields';
import { limits } from '../input/limits';
import type { Actor } from '../profile/accounts';
import { addDays, type Instant, isLocalDate, type LocalDate, localDateOf } from '../time/clock';
import { areOverlapping, type DayRange } from '../time/ranges';

// A publication cuts ranges of time into slots, on one day or several.

const dayList = z.pipe(
  z.array(listedDate, fault(msg`Choose at least one day.`)).check(
    listRule((dates, complain) => {
      if (dates.length === 0) complain(msg`Choose at least one day.`);
      if (new Set(textsAmong(dates)).size > limits.dates)
        complain(msg`Choose at most ${plural({ most: limits.dates }, { one: '# day', other: '# days' })}.`);
    }),
    z.meta({ minItems: 1 }),
  ),
  z.transform(eachOnce),
);

const days = z.object({ dates: z.array(z.catch(listedDate, '')) });

export const pastDaysFault: Fault = { field: 'dates', message: msg`Choose days that are not in the past.` };

/**
 * Reports past days only beside other faults. Alone they are left to publishSlots, because a repeat with the same key may
 * come after the day.
 */
export function pastDays({ timeZone }: Actor, input: unknown, now: Instant): Fault[] {
  const { success, data } = z.safeParse(days, input);
  const today = localDateOf(now, timeZone);
  return success && data.dates.some((date) => date !== '' && date < today) ? [pastDaysFault] : [];
}

const furtherRange = z
  .object(range.shape, fault(msg`A range is an object with a start and an end.`))
  .check(endsAfterStart);

const isBlank = (value: unknown) => {
  const { start, end } = (value ?? {}) as Partial<DayRange>;
  return start === '' && end === '';
};

// A form may send blank ranges, which are left out. Each fault names its range.
const furtherRanges = z
  .pipe(
    z.optional(z.nullable(z.array(z.unknown(), fault(msg`The ranges must be a list.`)))),
    z.transform((list, context): DayRange[] => {
      const ranges: DayRange[] = [];
      for (const [place, entry] of (list ?? []).entries()) {
        if (isBlank(entry)) continue;
        const { success, data, error } = z.safeParse(furtherRange, entry);
        if (success) ranges.push(data);
        for (const { message } of error?.issues ?? []) {
          // The first of them is the second range of the day.
          const [number, wrong] = [place + 2, carriedWords(message)];
          context.issues.push({ code: 'custom', input: entry, message: fault(msg`Range ${number}: ${wrong}`) });
        }
      }
      return ranges;
    }),
  )
  .register(z.globalRegistry, {
    type: ['array', 'null'],
    items: { type: 'object', properties: { start: { type: 'string' }, end: { type: 'string' } } },
    description: 'Further ranges of the same days, each with a start and an end.',
  });

const lastDay = wireDate(z.string(), () => msg`The last day must be a date.`);
// Null if the publication does not repeat.
const until = z
  .pipe(
    z.optional(z.nullable(z.string(fault(msg`The last day must be text.`)))),
    z.transform((text, context): LocalDate | null => {
      if (!text) return null;
      const { success, data } = z.safeParse(lastDay, text);
      if (!success)
        context.issues.push({ code: 'custom', input: text, message: fault(msg`The last day must be a date.`) });
      return data ?? null;
    }),
  )
  .register(z.globalRegistry, { ...wireDateWords, type: ['string', 'null'] });

/** The chosen days, and the same weekdays up to `until`, in order. */
export function repeatedDays({ dates, until }: { dates: LocalDate[]; until?: LocalDate | null }): LocalDate[] {
  if (!until) return dates;
  const days = new Set(dates);
  for (const date of dates) {
    for (let next = addDays(date, 7); next <= until && days.size <= limits.dates; next = addDays(next, 7))
      days.add(next);
  }
  return [...days].sort();
}

type Days = { dates: LocalDate[]; until?: LocalDate | null };
const isDate = (value: unknown) => typeof value === 'string' && isLocalDate(value);
// Skips days that can't be read, which have faults of their own.
const areDaysReadable = ({ value }: { value: unknown }) => {
  const { dates, until } = (value ?? {}) as Partial<Days>;
  return Array.isArray(dates) && dates.every(isDate) && isDate(until);
};
const untilCheck = z.refine<Days>(({ dates, until }) => dates.every((date) => date <= (until ?? '')), {
  error: fault(msg`The last day must not be before a day that you choose.`),
  path: ['until'],
  when: areDaysReadable,
});
const daysLimitCheck = z.refine<Days>((input) => repeatedDays(input).length <= limits.dates, {
  error: fault(
    msg`That makes more than ${plural({ most: limits.dates }, { one: '# day', other: '# days' })}. Choose an earlier last day.`,
  ),
  path: ['until'],
  when: areDaysReadable,
});

const allRanges = z.object({ ...range.shape, ranges: z.optional(z.array(range)) });
type Ranges = DayRange & { ranges?: DayRange[] };
/** All ranges of a day, by start. */
export const rangesOf = ({ start, end, ranges = [] }: Ranges): DayRange[] =>
  [{ start, end }, ...ranges].toSorted((one, other) => (one.start < other.start ? -1 : 1));

// Skips ranges that can't be read, which have faults of their own.
const areRangesReadable = ({ value }: { value: unknown }) => z.safeParse(allRanges, value).success;
const overlapCheck = z.refine<Ranges>((input) => !areOverlapping(rangesOf(input)), {
  error: fault(msg`The ranges of a day must not overlap.`),
  path: ['ranges'],
  when: areRangesReadable,
});
const rangesLimitCheck = z.refine<Ranges>((input) => rangesOf(input).length <= limits.ranges, {
  error: fault(msg`A day can have at most ${plural({ most: limits.ranges }, { one: '# range', other: '# ranges' })}.`),
  path: ['ranges'],
  when: areRangesReadable,
});

export const publicationBody = z
  .object({
    ...range.shape,
    ranges: furtherRanges,
    dates: dayList,
    until,
    notes: paragraph(msg`Notes`, limits.notes),
    serviceId,
  })
  .check(endsAfterStart, overlapCheck, rangesLimitCheck, untilCheck, daysLimitCheck);
export const publicationQuery = z.object({ len: wholeMinutes, templateId });

/** A publication as a form sends it. `len` is in minutes; if it is null, the service decides, or the usual length. */
export const publication = z
  .object({ ...publicationBody.shape, ...publicationQuery.shape })
  .check(endsAfterStart, overlapCheck, rangesLimitCheck, untilCheck, daysLimitCheck);

type FullPublication = z.output<typeof publication>;
type Optional = 'ranges' | 'until' | 'serviceId';
export type Publication = Omit<FullPublication, Optional> & Partial<Pick<FullPublication, Optional>>;
