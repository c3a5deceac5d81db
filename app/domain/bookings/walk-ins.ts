import * as z from 'zod/mini';
import { walkIn } from '../guests/guests';
import { isObject } from '../input/fields';
import { answerList } from '../templates/answers';

export const walkInBooking = z
  .object({
    ...walkIn.shape,
    displayName: z.optional(walkIn.shape.displayName),
    personId: z.optional(z.string()),
    formData: z.optional(z.nullable(answerList)),
  })
  .check(
    z.refine<{ displayName?: string; personId?: string }>(
      ({ displayName, personId }) => displayName !== undefined || Boolean(personId),
      { error: 'Name is missing.', path: ['displayName'], when: ({ value }) => isObject(value) },
    ),
  );
