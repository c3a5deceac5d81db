import * as z from 'zod/mini';
import { machineText } from '../../domain/time/clock';
import { hookKinds } from '../../domain/webhooks/kinds';
import {
  type Delivery,
  deliveriesFilter,
  type Webhook,
  webhookChange,
  webhookId,
  webhookWish,
} from '../../domain/webhooks/webhooks';
import {
  editWebhook,
  endWebhook,
  listDeliveries,
  listWebhooks,
  makeWebhook,
  sendAgain,
  testWebhook,
} from '../../domain/webhooks/webhooks.server';
import { call, paged } from '../../http/api.server';
import { count, instant, named } from './shape-parts';

const webhookJson = named(
  'Webhook',
  z.object({
    id: z.string(),
    url: z.nullable(z.string()),
    kinds: z.array(z.enum(hookKinds)),
    madeAt: instant,
    failingSince: z.nullable(instant),
  }),
);

const webhookShape = ({ id, url, kinds, madeAt, failingSince }: Webhook): z.output<typeof webhookJson> => ({
  id,
  url,
  kinds,
  madeAt: machineText(madeAt),
  failingSince: failingSince === null ? null : machineText(failingSince),
});

const deliveryJson = named(
  'Delivery',
  z.object({
    id: z.string(),
    type: z.enum([...hookKinds, 'test']),
    timestamp: instant,
    state: z.enum(['waiting', 'delivered', 'failed']),
    tries: count,
    triedAt: z.nullable(instant),
    status: z.nullable(count),
    failure: z.nullable(z.enum(['sealed', 'not_public', 'too_slow', 'unreachable'])),
  }),
);

const deliveryShape = ({ kind, at, triedAt, ...delivery }: Delivery): z.output<typeof deliveryJson> => ({
  ...delivery,
  type: kind,
  timestamp: machineText(at),
  triedAt: triedAt === null ? null : machineText(triedAt),
});

export const webhookCalls = {
  MakeWebhook: call({
    method: 'POST',
    who: 'Provider',
    keys: 'never',
    says: 'Makes a webhook: an address to which a POST tells your program what happens, by the Standard Webhooks specification 1.0. Its secret, by which the program verifies `webhook-signature`, is shown once. What is sent has ids and times alone: `{type, timestamp, data: {id, startsAt, endsAt, …}}`. What is told of one booking arrives in order, and perhaps more than once, under the same id. It is tried again for two days; 410 ends the webhook.',
    body: webhookWish,
    response: named('NewWebhook', z.extend(webhookJson, { secret: z.string() })),
    refuses: ['conflict'],
    status: 201,
    showsSecret: true,
    async run({ db, actor, now, seals, allowsLoopback, events }, { body }) {
      const { secret, ...made } = await makeWebhook(db, actor, body, { now, seals, allowsLoopback });
      events.push('webhook made');
      return { ...webhookShape(made), secret };
    },
  }),

  Webhooks: call({
    method: 'GET',
    who: 'Provider',
    says: 'Your webhooks, the oldest first. Their secrets are never shown again.',
    response: z.array(webhookJson),
    run: async ({ db, actor, seals }) => (await listWebhooks(db, actor, seals)).map(webhookShape),
  }),

  EditWebhook: call({
    method: 'PUT',
    who: 'Provider',
    says: 'Changes a webhook; what is left out stays. What is on its way goes to the new address with its next try.',
    query: webhookId,
    body: webhookChange,
    response: webhookJson,
    refuses: ['not_found'],
    async run({ db, actor, now, seals, allowsLoopback, events }, { query: { id }, body }) {
      const changed = await editWebhook(db, actor, id, body, { now, seals, allowsLoopback });
      events.push('webhook changed');
      return webhookShape(changed);
    },
  }),

  EndWebhook: call({
    method: 'DELETE',
    who: 'Provider',
    says: 'Ends a webhook. Nothing more is sent, and the list of what was sent goes too.',
    query: webhookId,
    refuses: ['not_found'],
    status: 204,
    async run({ db, actor, now, events }, { query: { id } }) {
      await endWebhook(db, actor, id, now);
      events.push('webhook ended');
    },
  }),

  TestWebhook: call({
    method: 'POST',
    who: 'Provider',
    says: 'Sends a test to a webhook, once, and waits up to ten seconds for what comes of it.',
    query: webhookId,
    response: deliveryJson,
    refuses: ['not_found', 'conflict'],
    run: async ({ db, actor, now, isRateLimited, webhooks }, { query: { id } }) =>
      deliveryShape(await testWebhook(db, actor, id, { now, isRateLimited, send: webhooks.send })),
  }),

  GetDeliveries: call({
    method: 'GET',
    who: 'Provider',
    says: 'What a webhook was told in the last 30 days and is yet to be told, the newest first.',
    query: deliveriesFilter,
    response: deliveryJson,
    isPaged: true,
    refuses: ['not_found'],
    run: async ({ db, actor }, { query }) => paged(await listDeliveries(db, actor, query), deliveryShape),
  }),

  SendAgain: call({
    method: 'PUT',
    who: 'Provider',
    says: 'Sends a delivery once more, under the same id, and waits up to ten seconds for what comes of it.',
    query: webhookId,
    response: deliveryJson,
    refuses: ['not_found', 'conflict'],
    run: async ({ db, actor, now, isRateLimited, webhooks }, { query: { id } }) =>
      deliveryShape(await sendAgain(db, actor, id, { now, isRateLimited, send: webhooks.send })),
  }),
};
