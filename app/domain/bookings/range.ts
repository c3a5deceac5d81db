import { msg, plural } from '@lingui/core/macro';
import * as z from 'zod/mini';
import { fault, wireDate } from '../input/fields';
import { addDays, type LocalDate } from '../time/clock';

const mostDays = 366;

const from = wireDate(
  z.string(fault(msg`The first day is missing.`)),
  () => msg`The first day must be a date of the form MM-DD-YYYY.`,
);
const to = wireDate(
  z.string(fault(msg`The last day is missing.`)),
  () => msg`The last day must be a date of the form MM-DD-YYYY.`,
);

type Days = { from: LocalDate; to: LocalDate };

/** An input with a range of days. @param more what else it has */
export const daysOf = <More extends z.core.$ZodLooseShape>(more: More) =>
  z.object({ ...more, from, to }).check(
    z.refine((days) => inOrder(days as Days), { error: fault(msg`The last day is before the first.`), path: ['to'] }),
    z.refine((days) => areFew(days as Days), {
      error: fault(msg`Choose at most ${plural({ mostDays }, { one: '# day', other: '# days' })}.`),
      path: ['to'],
    }),
  );
const inOrder = ({ from, to }: Days) => from === '' || to === '' || from <= to;
const areFew = ({ from, to }: Days) => from === '' || to === '' || to < addDays(from, mostDays);

export const dayRange = daysOf({});
export type DayRange = z.output<typeof dayRange>;

export function monthAround(date: LocalDate): DayRange {
  const from = `${date.slice(0, 8)}01`;
  return { from, to: addDays(`${addDays(from, 31).slice(0, 8)}01`, -1) };
}

const daysAtOnce = 31;

/** Cuts a range of days into parts that fit into memory. */
export function partsOfRange({ from, to }: DayRange): DayRange[] {
  const parts: DayRange[] = [];
  for (let first: LocalDate = from; first <= to; first = addDays(first, daysAtOnce)) {
    const last = addDays(first, daysAtOnce - 1);
    parts.push({ from: first, to: last < to ? last : to });
  }
  return parts;
}
