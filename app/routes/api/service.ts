import * as z from 'zod/mini';
import { serviceChange, serviceId, serviceInput, serviceOrder } from '../../domain/services/service-input';
import { createService, deleteService, listServices, orderServices } from '../../domain/services/services.server';
import { editService } from '../../domain/slots/edit-service.server';
import { call, callHandlers } from '../../http/api.server';
import { ownServiceJson, ownServiceShape } from './shapes';

export const loader = callHandlers('Service', {
  GetMy: call({
    method: 'GET',
    who: 'Provider',
    hasOf: true,
    says: 'Your services, in order.',
    response: z.array(ownServiceJson),
    run: async ({ db, actor }) => (await listServices(db, actor)).map(ownServiceShape),
  }),

  Create: call({
    method: 'POST',
    who: 'Provider',
    hasOf: true,
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
    hasOf: true,
    says: 'Changes what is given of a service of your own.',
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
    hasOf: true,
    says: 'Brings your services into the order of these ids.',
    body: serviceOrder,
    response: z.array(ownServiceJson),
    refuses: ['not_found'],
    run: async ({ db, actor, now }, { body }) => (await orderServices(db, actor, body, now)).map(ownServiceShape),
  }),

  Delete: call({
    method: 'DELETE',
    who: 'Provider',
    hasOf: true,
    says: 'Deletes a service that no coming time and no hours are for.',
    query: serviceId,
    refuses: ['not_found', 'conflict'],
    status: 204,
    run: ({ db, actor, now }, { query: { id } }) => deleteService(db, actor, id, now),
  }),
});
export const action = loader;
