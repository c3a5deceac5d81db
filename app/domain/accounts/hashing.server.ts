import { DomainError, Unavailable } from '../errors';
import { type Cost, hashPassword, type Passwords, type Verdict, verifyPassword } from './passwords.server';

/*
 * Where passwords are hashed there is a line. A hash takes a tenth of a second, so whoever would have to wait long is told
 * so at once, and the rest of the product has the processor.
 */

/** As Passwords, done elsewhere; null where too many wait for it. */
export type Hashing = {
  hash(password: string): Promise<string | null>;
  verify(password: string, stored: string | null): Promise<Verdict | null>;
};

type Line = { pepper: string; atOnce: number; waiting: number; cost?: Cost | undefined };

/** Hashes so many passwords at once, lets so many more wait, and answers null to the rest. */
export function hashingLine({ pepper, atOnce, waiting, cost }: Line): Hashing {
  const line: (() => void)[] = [];
  let running = 0;
  const inTurn = async <Done>(work: () => Promise<Done>): Promise<Done | null> => {
    if (running === atOnce && line.length >= waiting) return null;
    if (running === atOnce) await new Promise<void>((go) => line.push(go));
    else running += 1;
    try {
      // In a Worker a hash stops everything: whoever has come meanwhile gets in line, or is sent away, before the next.
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

/** Of a Durable Object that has more calls than it takes; see Cloudflare's "Error handling" for these objects. */
const isOverloaded = (error: unknown) => (error as { overloaded?: boolean } | null)?.overloaded === true;

/**
 * Passwords by whatever hashes them, asked for a second time where it failed.
 * @throws DomainError busy, where too many wait; Unavailable where it failed twice
 */
export function passwordsBy(choose: () => Hashing): Passwords {
  const twice = async <Done>(ask: (hashing: Hashing) => Promise<Done | null>): Promise<Done> => {
    const done = await ask(choose())
      .catch((error) => (isOverloaded(error) ? null : ask(choose())))
      .catch((error) => {
        if (isOverloaded(error)) return null;
        throw new Unavailable('hashing', { cause: error });
      });
    if (done === null) throw new DomainError('busy', tooMany, 3);
    return done;
  };
  return {
    hash: (password) => twice((hashing) => hashing.hash(password)),
    verify: (password, stored) => twice((hashing) => hashing.verify(password, stored)),
  };
}
