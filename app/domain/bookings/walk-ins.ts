import { msg } from '@lingui/core/macro';
import * as z from 'zod/mini';
import { invalid } from '../errors';
import { walkIn } from '../guests/guests';
import { fault, flag, isObject } from '../input/fields';
import { answerList } from '../templates/answers';
import { type TimeToBook, timeToBook } from './any-time';
import { booked } from './appointments';

export const walkInBooking = z
  .object({
    ...walkIn.shape,
    displayName: z.optional(walkIn.shape.displayName),
    personId: z.optional(z.string()),
    formData: z.optional(z.nullable(answerList)),
    date: z.optional(timeToBook.shape.date),
    start: z.optional(timeToBook.shape.start),
    minutes: timeToBook.shape.minutes,
    over: z.optional(z.boolean(fault(msg`Over must be true or false.`))),
  })
  .check(
    z.refine<{ displayName?: string; personId?: string }>(
      ({ displayName, personId }) => displayName !== undefined || Boolean(personId),
      { error: fault(msg`Name is missing.`), path: ['displayName'], when: ({ value }) => isObject(value) },
    ),
  );

/** The id is left out for a time that need not be published. */
export const walkInQuery = z.object({ ...booked.shape, id: z.optional(z.string()), over: flag(msg`Over`) });

/** The published time, or the one in the body. @throws DomainError invalid (neither, or both) */
export function timeOfWalkIn(
  { id }: z.output<typeof walkInQuery>,
  body: z.output<typeof walkInBooking>,
): { id: string } | { time: TimeToBook } {
  const { date, start, minutes } = body;
  if (date === undefined && start === undefined) {
    if (!id) throw invalid('id', msg`Id is missing.`);
    return { id };
  }
  if (id) throw invalid('id', msg`Give the id of a published time, or a date and a start, but not both.`);
  if (date === undefined) throw invalid('date', msg`Date is missing.`);
  if (start === undefined) throw invalid('start', msg`Start time is missing.`);
  return { time: { date, start, minutes } };
}
