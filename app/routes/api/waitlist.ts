import { msg } from '@lingui/core/macro';
import * as z from 'zod/mini';
import { newId } from '../../../db/columns';
import { page, requiredText } from '../../domain/input/fields';
import { listWaiting, listWishes } from '../../domain/waitlist/read.server';
import { addWish, offerByHand, removeWish } from '../../domain/waitlist/wish.server';
import { wishInput } from '../../domain/waitlist/wishes';
import { call, callHandlers, paged } from '../../http/api.server';
import { arrivalInLine, originOf } from '../../http/login.server';
import { waitingJson, waitingShape, wishJson, wishShape } from './wish-shapes';

const wishId = z.object({ id: requiredText(msg`Id`) });

export const loader = callHandlers('Waitlist', {
  Add: call({
    method: 'POST',
    who: 'anyone',
    says: 'Waits for a time of a provider to come free: a seat in a full class, any time between two dates, or an earlier one instead of an appointment of yours. Without a login it takes `displayName` and `email`.',
    body: wishInput,
    response: wishJson,
    refuses: ['unauthenticated', 'forbidden', 'not_found', 'conflict', 'too_many'],
    status: 201,
    async run(context, { body }) {
      const { db, actor, now, links, edge } = context;
      const wisher = actor ? { actor } : { newGuest: { id: newId(), ...arrivalInLine(context) } };
      return wishShape(links)(
        await addWish(db, wisher, body, { now, origin: await originOf(context), weekStart: edge.weekStart }),
      );
    },
  }),

  GetMy: call({
    method: 'GET',
    who: 'Consumer',
    says: 'What you wait for, the oldest first, with the time that is held for you.',
    response: z.array(wishJson),
    run: async ({ db, actor, now, links }) => (await listWishes(db, actor, now)).map(wishShape(links)),
  }),

  Remove: call({
    method: 'DELETE',
    who: 'member',
    hasOf: 'colleague',
    says: 'Ends a wish: your own, or that of somebody who waits for a time of yours.',
    query: wishId,
    refuses: ['not_found'],
    status: 204,
    run: ({ db, actor, now }, { query: { id } }) => removeWish(db, actor, id, now),
  }),

  GetPage: call({
    method: 'GET',
    who: 'Provider',
    hasOf: 'colleague',
    says: 'Who waits for a time of yours, the oldest first.',
    query: z.object({ page }),
    response: waitingJson,
    isPaged: true,
    run: async ({ db, actor, now }, { query }) => paged(await listWaiting(db, actor, query.page, now), waitingShape),
  }),

  Offer: call({
    method: 'PUT',
    who: 'Provider',
    hasOf: 'colleague',
    says: 'Holds an open slot of yours for somebody who waits, whatever days and times they asked for, and tells them. What begins within two hours is not held.',
    query: z.object({ ...wishId.shape, slotId: requiredText(msg`Slot`) }),
    response: waitingJson,
    refuses: ['not_found', 'conflict'],
    run: async ({ db, actor, now }, { query }) => waitingShape(await offerByHand(db, actor, query, now)),
  }),
});
export const action = loader;
