import { DurableObject } from 'cloudflare:workers';
import type { DurableObjectNamespace, ExecutionContext } from '@cloudflare/workers-types';
// @ts-expect-error the built server has no types; the next line gives it those of its source
import * as build from '../build/server/index.js';
import type { Passwords } from './domain/accounts/passwords.server';
import type * as entry from './entry.server';
import { isOwnName, type OutboxEnv, outboxClass, sendAfter, wakeOutbox, wayOut } from './mail/outbox';
import { regionOf } from './region';
import type { Env as ServedEnv } from './serve.server';

// Take all of the app from the built server. A second import would bundle the app twice, and `instanceof` would not know
// the classes of the other copy.
const { handlersOf, rehearse, serve, tidyUp, hashingLine, passwordsBy, deliverMail, remindPeople }: typeof entry =
  build.entry.module;

const handlerFor = handlersOf(build);
await rehearse(build, handlerFor);
const { version }: { version: string } = build.assets;

export type Env = ServedEnv & OutboxEnv & { HASHERS: DurableObjectNamespace<Hasher>; PASSWORD_PEPPER: string };

/** How many objects share the hashing of a region: a hash blocks its object for about 100 ms. */
const hashers = 8;
/** How many wait for one object: the last of them for a little over a second. */
const waiting = 12;

/** Hashes passwords away from the Worker, whose processor time per request is short. */
export class Hasher extends DurableObject<Env> {
  private readonly line = hashingLine({ pepper: this.env.PASSWORD_PEPPER, atOnce: 1, waiting });

  hash(password: string) {
    return this.line.hash(password);
  }
  verify(password: string, stored: string | null) {
    return this.line.verify(password, stored);
  }
}

/**
 * The objects that hash for this request. An object stays where it was first asked for, so each region has some of its own:
 * else people in Sydney would wait for an object in Lisbon at each login.
 */
function passwordPool({ HASHERS }: Env, request: Request): Passwords {
  const region = regionOf((request as { cf?: Parameters<typeof regionOf>[0] }).cf);
  return passwordsBy(() => {
    const name = `${region ?? 'anywhere'}-${Math.floor(Math.random() * hashers)}`;
    const hasher = HASHERS.get(HASHERS.idFromName(name), { locationHint: region });
    return {
      hash: async (password) => hasher.hash(password),
      verify: async (password, stored) => hasher.verify(password, stored),
    };
  });
}

/** Reminds people, and sends what they are told by mail. */
export const Outbox = outboxClass(deliverMail, remindPeople);

/** Mail that was kept opens accounts: it is for this machine, not for those who come to it by a public name. */
const isMailbox = (env: Env, url: URL) => /^\/mail(\/|$)/.test(url.pathname) && isOwnName(env, url);

export default {
  async fetch(request: Request, env: Env, after: ExecutionContext): Promise<Response> {
    if (env.MAILBOX && isMailbox(env, new URL(request.url))) return env.MAILBOX.fetch(request);
    const passwords = passwordPool(env, request);
    const response = await serve(request, {
      handlerFor,
      env,
      passwords,
      after,
      hasMail: wayOut(env) !== undefined,
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
