import { DurableObject } from 'cloudflare:workers';
import type { DurableObjectNamespace, ExecutionContext } from '@cloudflare/workers-types';
// @ts-expect-error the built server has no types; the next line adds those of its source
import * as build from '../build/server/index.js';
import type { Passwords } from './domain/login/passwords.server';
import type * as entry from './entry.server';
import { logFault } from './http/log.server';
import { hasMailService, type OutboxEnv, outboxClass, sendAfter, wakeOutbox } from './mail/outbox-object';
import { mailSettingFaults } from './mail/settings';
import { type CalendarsEnv, calendarsClass, readCalendarsOf } from './serve/calendars-object';
import { regionOf } from './serve/region';
import type { Env as ServedEnv } from './serve/serve.server';
import { sendWebhookNow, type WebhooksEnv, wakeWebhooks, webhooksClass } from './serve/webhooks-object';

// Everything of the app comes from the built server. A second import would bundle the app twice, and `instanceof` would
// not recognize the other copy's classes.
const {
  handlersOf,
  rehearse,
  serve,
  tidyUp,
  hashingLine,
  passwordsBy,
  deliverMail,
  remindPeople,
  readCalendars,
  deliverWebhooks,
  deliverWebhookNow,
  providersToDeliver,
}: typeof entry = build.entry.module;

const handlerFor = handlersOf(build);
await rehearse(build, handlerFor);
const { version }: { version: string } = build.assets;

export type Env = ServedEnv &
  OutboxEnv &
  CalendarsEnv &
  WebhooksEnv & { HASHERS: DurableObjectNamespace<Hasher>; PASSWORD_PEPPER: string };

// A hash blocks its object for about 100 ms.
const hashers = 8;
// The last in line at an object waits a little over a second.
const waiting = 12;

/** Hashes passwords in a Durable Object, because a request has little processor time. */
export class Hasher extends DurableObject<Env> {
  private readonly line = hashingLine({ pepper: this.env.PASSWORD_PEPPER, atOnce: 1, waiting });

  hash(password: string) {
    return this.line.hash(password);
  }
  verify(password: string, stored: string | null) {
    return this.line.verify(password, stored);
  }
}

// An object stays near its first user. If all regions shared the objects, a login in Sydney could wait for one in
// Lisbon.
function passwordPool({ HASHERS }: Env, request: Request): Passwords {
  return passwordsBy(() => {
    const region = regionOf((request as { cf?: Parameters<typeof regionOf>[0] }).cf);
    const name = `${region ?? 'anywhere'}-${Math.floor(Math.random() * hashers)}`;
    const hasher = HASHERS.get(HASHERS.idFromName(name), { locationHint: region });
    return {
      hash: async (password) => hasher.hash(password),
      verify: async (password, stored) => hasher.verify(password, stored),
    };
  });
}

export const Outbox = outboxClass<Env>(deliverMail, remindPeople, (env) => wakeWebhooks(env, providersToDeliver));

export const Calendars = calendarsClass<Env>(readCalendars, (env) => wakeOutbox(env));

export const Webhooks = webhooksClass<Env>(deliverWebhooks, deliverWebhookNow, (env) => wakeOutbox(env));

let areSettingsChecked = false;

/** Logs wrong settings once for each isolate. Otherwise mail would just be off, and nobody would know. */
function checkSettings(env: Env): void {
  if (areSettingsChecked) return;
  areSettingsChecked = true;
  for (const { setting, fault } of mailSettingFaults(env, { hasBinding: env.EMAIL !== undefined })) {
    logFault({ message: 'wrong setting', setting, cause: fault });
  }
}

export default {
  async fetch(request: Request, env: Env, after: ExecutionContext): Promise<Response> {
    checkSettings(env);
    const passwords = passwordPool(env, request);
    const response = await serve(request, {
      handlerFor,
      env,
      passwords,
      readCalendars: (providerId) => readCalendarsOf(env, providerId),
      sendWebhookNow: (providerId, id) => sendWebhookNow(env, providerId, id),
      after,
      hasMail: hasMailService(env),
      version,
    });
    sendAfter(request, response, env, after);
    return response;
  },

  async scheduled(_: unknown, env: Env): Promise<void> {
    await tidyUp(env);
    await wakeOutbox(env);
  },
};
