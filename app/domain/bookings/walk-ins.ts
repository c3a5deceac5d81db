import * as z from 'zod/mini';
import { walkIn } from '../guests/guests';
import { isObject } from '../input/fields';
import { answerList } from '../templates/answers';

/** A booking for somebody who walks in or calls, with their answers. */
export const walkInBooking = z
  .object({
    ...walkIn.shape,
    displayName: z.optional(walkIn.shape.displayName),
    /** One of the provider's people, instead of a name. */
    personId: z.optional(z.string()),
    formData: z.optional(z.nullable(answerList)),
  })
  .check(
    z.refine<{ displayName?: string; personId?: string }>(
      ({ displayName, personId }) => displayName !== undefined || Boolean(personId),
      { error: 'Name is missing.', path: ['displayName'], when: ({ value }) => isObject(value) },
    ),
  );
