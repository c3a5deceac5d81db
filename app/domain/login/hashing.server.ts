import { DomainError, Unavailable } from '../errors';
import { type Cost, hashPassword, type Passwords, type Verdict, verifyPassword } from './passwords.server';

// A hash takes a tenth of a second, so passwords wait in line. If the line is long, people get an error at once.

/** Null if too many wait. */
export type Hashing = {
  hash(password: string): Promise<string | null>;
  verify(password: string, stored: string | null): Promise<Verdict | null>;
};

type Line = { pepper: string; atOnce: number; waiting: number; cost?: Cost | undefined };

/** Hashes `atOnce` passwords at a time, lets `waiting` more wait, and answers null to the rest. */
export function hashingLine({ pepper, atOnce, waiting, cost }: Line): Hashing {
  const line: (() => void)[] = [];
  let running = 0;
  const inTurn = async <Result>(work: () => Promise<Result>): Promise<Result | null> => {
    if (running === atOnce && line.length >= waiting) return null;
    if (running === atOnce) await new Promise<void>((go) => line.push(go));
    else running += 1;
    try {
      // A hash blocks a Worker. New requests get in line, or are sent away, before the next hash.
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

const tooMany = 'Many people are logging in at this moment. Please try again in a few seconds.';

/** See "Error handling" for Cloudflare's Durable Objects. */
const isOverloaded = (error: unknown) => (error as { overloaded?: boolean } | null)?.overloaded === true;

/** Tries another `Hashing` if the first failed. @throws DomainError busy (too many wait); Unavailable if both failed */
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
