import { DurableObject } from 'cloudflare:workers';
import type { DurableObjectNamespace, ExecutionContext } from '@cloudflare/workers-types';
// @ts-expect-error the built server has no types; the next line gives it those of its source
import * as build from '../build/server/index.js';
import type { Cost, Passwords } from './domain/accounts/passwords.server';
import type * as entry from './entry.server';
import type { Env as ServedEnv } from './serve.server';

// Take all of the app from the built server. A second import would bundle the app twice, and `instanceof` would not
// know the
// classes of the other copy.
const { handlersOf, serve, tidyUp, hashPassword, verifyPassword }: typeof entry = build.entry.module;

const handlerFor = handlersOf(build);

export type Env = ServedEnv & { HASHERS: DurableObjectNamespace<Hasher>; PASSWORD_PEPPER: string };

/** How many objects share the hashing: a hash blocks its object for about 100 ms. */
const hashers = 8;

/** Hashes passwords away from the Worker, whose processor time per request is short. */
export class Hasher extends DurableObject<Env> {
  /** Undefined is what a password should cost. Nothing sets it but a subclass, and the only one is a test's. */
  protected readonly cost?: Cost;

  hash(password: string) {
    return hashPassword(password, this.env.PASSWORD_PEPPER, this.cost);
  }
  verify(password: string, stored: string | null) {
    return verifyPassword(password, stored, this.env.PASSWORD_PEPPER, this.cost);
  }
}

function passwordPool({ HASHERS }: Env): Passwords {
  const any = () => HASHERS.get(HASHERS.idFromName(String(Math.floor(Math.random() * hashers))));
  return {
    hash: async (password) => any().hash(password),
    verify: async (password, stored) => any().verify(password, stored),
  };
}

export default {
  fetch: (request: Request, env: Env, after: ExecutionContext): Promise<Response> =>
    serve(request, { handlerFor, env, passwords: passwordPool(env), after }),

  scheduled: (_: unknown, env: Env): Promise<void> => tidyUp(env),
};
