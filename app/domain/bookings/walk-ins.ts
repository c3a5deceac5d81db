import { msg } from '@lingui/core/macro';
import * as z from 'zod/mini';
import { invalid } from '../errors';
import { walkIn } from '../guests/guests';
import { fault, flag, isObject } from '../input/fields';
import { fold } from '../input/fold';
import { answerList } from '../templates/answers';
import { type TimeToBook, timeToBook } from './any-time';
import { booked, startsAt } from './appointments';

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

/** The id is left out for a time that need not be published, and for anyone in a shop. */
export const walkInQuery = z.object({
  ...booked.shape,
  id: z.optional(z.string()),
  shop: z.optional(z.string()),
  startsAt: z.optional(startsAt),
  over: flag(msg`Over`),
});

/**
 * The shop and the start, if anyone there will do. Each colleague has cards of their own, so the person is named.
 * @throws DomainError invalid (no start, another time too, or a card)
 */
export function shopTimeOfWalkIn(
  { id, shop, startsAt: start }: z.output<typeof walkInQuery>,
  { personId, date }: z.output<typeof walkInBooking>,
) {
  if (!shop) return undefined;
  if (start === undefined) throw invalid('startsAt', msg`The start is missing.`);
  if (id || date !== undefined)
    throw invalid('shop', msg`Give a shop and a start, or a time of one provider, but not both.`);
  if (personId) throw invalid('personId', msg`Each colleague has cards of their own. Give the name of the person.`);
  return { shop: fold(shop.trim()), start };
}

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
