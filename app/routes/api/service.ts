import * as z from 'zod/mini';
import { listHouse } from '../../domain/services/doers.server';
import { doerInput, serviceChange, serviceId, serviceInput, serviceOrder } from '../../domain/services/service-input';
import { createService, listServices, orderServices } from '../../domain/services/services.server';
import { deleteService } from '../../domain/slots/delete-service.server';
import { editService } from '../../domain/slots/edit-service.server';
import { setDoers } from '../../domain/slots/set-doers.server';
import { call, callHandlers } from '../../http/api.server';
import { houseServiceJson, houseServiceShape, ownServiceJson, ownServiceShape } from './shapes';

export const loader = callHandlers('Service', {
  GetMy: call({
    method: 'GET',
    who: 'Provider',
    hasOf: 'shop',
    says: 'Your services, in order. Those of a shop, named in `of`, each with `who` does it.',
    response: z.array(z.extend(ownServiceJson, { who: z.optional(houseServiceJson.shape.who) })),
    run: async ({ db, actor }) =>
      actor.isShop
        ? (await listHouse(db, actor)).map(houseServiceShape)
        : (await listServices(db, actor)).map(ownServiceShape),
  }),

  Create: call({
    method: 'POST',
    who: 'Provider',
    hasOf: 'shop',
    says: 'Creates a service: what you offer, how long it takes, and how many it is for.',
    body: serviceInput,
    response: ownServiceJson,
    refuses: ['not_found'],
    status: 201,
    run: async ({ db, actor, now }, { body, key }) =>
      ownServiceShape(await createService(db, actor, body, { now, key })),
  }),

  Edit: call({
    method: 'PUT',
    who: 'Provider',
    hasOf: 'shop',
    says: "Changes what is given of a service of your own. One of the shop's, named in `of`, changes for all who do it, but a length or price that is somebody's own stays; in their own lists these are all that they can change of it.",
    query: serviceId,
    body: serviceChange,
    response: ownServiceJson,
    refuses: ['not_found', 'conflict'],
    run: async ({ db, actor, now }, { query: { id }, body }) =>
      ownServiceShape(await editService(db, actor, { id, change: body }, now)),
  }),

  Order: call({
    method: 'PUT',
    who: 'Provider',
    hasOf: 'shop',
    says: 'Brings your services into the order of these ids.',
    body: serviceOrder,
    response: z.array(ownServiceJson),
    refuses: ['not_found'],
    run: async ({ db, actor, now }, { body }) => (await orderServices(db, actor, body, now)).map(ownServiceShape),
  }),

  Offer: call({
    method: 'PUT',
    who: 'Provider',
    hasOf: 'shop',
    says: "Says whether somebody in the shop does its service, which is then in their list too, and with a length and price of their own if these are given. Its `who` are all who do it, in the order of the shop's page. For the desk and owners, who name the shop in `of`.",
    query: serviceId,
    body: doerInput,
    response: houseServiceJson,
    refuses: ['not_found', 'conflict'],
    run: async ({ db, actor, now }, { query: { id }, body }) =>
      houseServiceShape(await setDoers(db, actor, { id, doers: [body] }, now)),
  }),

  Delete: call({
    method: 'DELETE',
    who: 'Provider',
    hasOf: 'shop',
    says: "Deletes a service that no coming time and no hours are for; one of the shop's from the lists of all who do it.",
    query: serviceId,
    refuses: ['not_found', 'conflict'],
    status: 204,
    run: ({ db, actor, now }, { query: { id } }) => deleteService(db, actor, id, now),
  }),
});
export const action = loader;
