import * as z from 'zod/mini';
import { wireDate } from '../input/fields';
import { addDays, type LocalDate } from '../time/clock';

const mostDays = 366;

const date = (name: string) =>
  wireDate(z.string(`${name} is missing.`), () => `${name} must be a date of the form MM-DD-YYYY.`);

export const dayRange = z.object({ from: date('The first day'), to: date('The last day') }).check(
  z.refine(({ from, to }) => from === '' || to === '' || from <= to, {
    error: 'The last day is before the first.',
    path: ['to'],
  }),
  z.refine(({ from, to }) => from === '' || to === '' || to < addDays(from, mostDays), {
    error: `Choose at most ${mostDays} days.`,
    path: ['to'],
  }),
);
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
