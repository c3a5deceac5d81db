import { msg } from '@lingui/core/macro';
import { DomainError, Unavailable } from '../errors';
import { type Cost, hashPassword, type Passwords, type Verdict, verifyPassword } from './passwords.server';

// A hash takes a tenth of a second, so passwords wait in line. When the line is long, people get an error at once.

/** Null if too many are waiting. */
export type Hashing = {
  hash(password: string): Promise<string | null>;
  verify(password: string, stored: string | null): Promise<Verdict | null>;
};

type Line = { pepper: string; atOnce: number; waiting: number; cost?: Cost | undefined };

/** Hashes `atOnce` passwords at a time and lets `waiting` others wait. Returns null for the rest. */
export function hashingLine({ pepper, atOnce, waiting, cost }: Line): Hashing {
  const line: (() => void)[] = [];
  let running = 0;
  const inTurn = async <Result>(work: () => Promise<Result>): Promise<Result | null> => {
    if (running === atOnce && line.length >= waiting) return null;
    if (running === atOnce) await new Promise<void>((go) => line.push(go));
    else running += 1;
    try {
      // A hash blocks the Worker. Before the next one, let new requests get in line or be refused.
      await new Promise((go) => setTimeout(go, 0));
      return await work();
    } finally {
      const next = line.shift();
      if (next) next();
      else running -= 1;
    }
  };
  return {
    hash: (password) => inTurn(() => hashPassword(password, pepper, cost)),
    verify: (password, stored) => inTurn(() => verifyPassword(password, stored, pepper, cost)),
  };
}

const tooMany = msg`Many people are logging in at this moment. Please try again in a few seconds.`;

/** As Cloudflare's page on errors of Durable Objects says. */
const isOverloaded = (error: unknown) => (error as { overloaded?: boolean } | null)?.overloaded === true;

/**
 * Hashes with another `Hashing` if the first one fails.
 * @throws DomainError busy (too many wait); Unavailable if both failed
 */
export function passwordsBy(choose: () => Hashing): Passwords {
  const tryTwo = async <Result>(ask: (hashing: Hashing) => Promise<Result | null>): Promise<Result> => {
    const result = await ask(choose())
      .catch((error) => (isOverloaded(error) ? null : ask(choose())))
      .catch((error) => {
        if (isOverloaded(error)) return null;
        throw new Unavailable('hashing', { cause: error });
      });
    if (result === null) throw new DomainError('busy', tooMany, 3);
    return result;
  };
  return {
    hash: (password) => tryTwo((hashing) => hashing.hash(password)),
    verify: (password, stored) => tryTwo((hashing) => hashing.verify(password, stored)),
  };
}
