import { msg, plural } from '@lingui/core/macro';
import * as z from 'zod/mini';
import { booked, listedDate } from '../bookings/appointments';
import { weekday } from '../hours/hours';
import { clockTime, fault, isObject, listRule } from '../input/fields';
import { limits } from '../input/limits';
import { every, type NearTime, type Step } from '../series/series';
import type { WhyMissed } from '../slots/missed';
import type { LocalDate, LocalTime } from '../time/clock';

// A standing time is kept for a client each week, or every few weeks, by the provider's own clock.

const tooManyWords = msg`A person has at most ${plural({ most: limits.standing }, { one: '# standing time', other: '# standing times' })}.`;

export const standingTime = z
  .object({
    day: weekday,
    start: clockTime(msg`Start time`, '09:00'),
    every,
    from: listedDate,
    until: z.pipe(
      z.optional(z.nullable(listedDate)),
      z.transform((date): LocalDate | null => date ?? null),
    ),
    service: booked.shape.service,
  })
  .check(
    z.refine(({ from, until }) => until === null || until >= from, {
      error: fault(msg`The last day must not be before the first.`),
      path: ['until'],
    }),
  );

export const standingList = z.array(standingTime, fault(msg`The standing times must be a list.`)).check(
  listRule((list, complain) => {
    if (list.length > limits.standing) complain(tooManyWords);
    const starts = list.flatMap((entry) =>
      isObject(entry) && typeof entry.start === 'string' && typeof entry.day !== 'object'
        ? `${Number(entry.day)} ${entry.start}`
        : [],
    );
    if (new Set(starts).size < starts.length) complain(msg`The same time stands twice on one day. Please remove one.`);
  }),
  z.meta({ maxItems: limits.standing }),
);
export type StandingInput = {
  day: number;
  start: LocalTime;
  every: Step;
  from: LocalDate;
  until: LocalDate | null;
  service: string | null;
};

/** A published date that could not be booked, with free times near it. */
type MissedDate = { date: LocalDate; why: WhyMissed; nearest: NearTime[] };

/** A standing time. Its bookings form a series with the same `id`. */
export type StandingTime = StandingInput & { id: string; serviceName: string | null; missed: MissedDate[] };
