import type { D1Database } from '@cloudflare/workers-types';
import { Webhook } from 'standardwebhooks';
import { Db } from '../../db/client';
import { sealsBy } from '../domain/seals.server';
import type { Instant } from '../domain/time/clock';
import {
  type Deliverer,
  deliverDue,
  deliverNow,
  listProvidersToDeliver,
  type Sending,
} from '../domain/webhooks/deliver.server';
import { type Outside, type OutsideEnv, outsideOf, sendOutside } from './outside';

type WebhooksEnv = OutsideEnv & { DB: D1Database; PASSWORD_PEPPER: string };

/** Signs and sends, by the Standard Webhooks specification 1.0. */
function post({ url, secret, id, body }: Sending, at: Date, outside: Outside) {
  const headers = {
    'Content-Type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  };
  return sendOutside({ address: url, headers, body }, outside);
}

const delivererOf = ({ PASSWORD_PEPPER, ...env }: WebhooksEnv, clock: () => Instant): Deliverer => ({
  seals: sealsBy(PASSWORD_PEPPER),
  send: (sending) => post(sending, new Date(clock()), outsideOf(env)),
  clock,
});

export const deliverWebhooks = (
  env: WebhooksEnv,
  providerId: string,
  clock: () => Instant,
): Promise<{ next: Instant | null; hasRefused: boolean }> =>
  deliverDue(new Db(env.DB, 'first-primary'), providerId, delivererOf(env, clock));

export const deliverWebhookNow = (
  env: WebhooksEnv,
  providerId: string,
  id: string,
  clock: () => Instant,
): Promise<void> => deliverNow(new Db(env.DB, 'first-primary'), providerId, id, delivererOf(env, clock));

export const providersToDeliver = ({ DB }: { DB: D1Database }): Promise<string[]> =>
  listProvidersToDeliver(new Db(DB, 'first-primary'));
