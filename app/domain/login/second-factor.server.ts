import { msg } from '@lingui/core/macro';
import { and, eq, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Db } from '../../../db/client';
import { insertFrom } from '../../../db/insert';
import { accounts, secondFactors } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { conflict, invalid, notLoggedIn } from '../errors';
import { requiredText } from '../input/fields';
import type { Links } from '../links.server';
import type { Actor } from '../profile/accounts';
import type { Instant } from '../time/clock';
import { secretInWords, stepOf, stepOfCode } from './codes.server';
import { triesByAccount } from './login-tries.server';
import type { Passwords } from './passwords.server';
import { nothingToProve, type Proof, proofOfCode, type StoredFactor, selectFactor } from './proofs.server';
import { tellOfFactor } from './safety.server';
import { isLoggedIn, selectOwner } from './sessions.server';
import type { Origin } from './throttles.server';

// While the second factor is off, nothing is stored: its seed follows from the session, so that the page shows the same
// secret each time.

export const passwordAndCode = z.object({
  password: requiredText(msg`Current password`),
  code: requiredText(msg`Code`),
});
type PasswordAndCode = z.output<typeof passwordAndCode>;

/** `secret` is null while the second factor is on. `codesLeft` is the number of recovery codes. */
export type SecondFactor = { secret: { text: string; link: string } | null; codesLeft: number };

const selectMe = ({ accountId }: Actor) =>
  orm
    .select({
      username: accounts.username,
      passwordHash: accounts.passwordHash,
      codesLeft: sql<number>`(SELECT count(*) FROM recovery_codes WHERE account_id = ${accountId})`.as('codes_left'),
    })
    .from(accounts)
    .where(eq(accounts.id, accountId));

/** The seed for a new second factor. After one was turned off, the next has another seed. */
const seedFor = (links: Links, { accountId, sessionId }: Actor, factor: StoredFactor) =>
  links.factorSeedOf(accountId, sessionId, String(factor?.lastStep ?? 0));

const wrongCode = () =>
  invalid('code', msg`This code is wrong, or was used already. Wait for the next one that your app shows.`);

/** Reads the actor's second factor; null for a guest, who has no login. */
export async function findSecondFactor(db: Db, links: Links, actor: Actor): Promise<SecondFactor | null> {
  const {
    me: [me],
    factor: [factor],
  } = await db.run({ me: selectMe(actor), factor: selectFactor(sql`${actor.accountId}`) });
  if (!me?.username) return null;
  const secret = factor?.seed ? null : secretInWords(links.factorSecretOf(seedFor(links, actor, factor)), me.username);
  return { secret, codesLeft: me.codesLeft };
}

async function checkPassword(
  db: Db,
  passwords: Passwords,
  actor: Actor,
  password: string,
  { now, origin }: { now: Instant; origin: Origin },
) {
  const tries = triesByAccount(actor.accountId, origin, now);
  const {
    me: [me],
    factor: [factor],
    owner: [owner],
    counted,
  } = await db.run({
    me: selectMe(actor),
    factor: selectFactor(sql`${actor.accountId}`),
    owner: selectOwner(actor, now),
    counted: tries.count,
  });
  if (!me || !owner?.isLoggedIn) throw notLoggedIn();
  if (!me.passwordHash) throw conflict(msg`A guest has no login. Register first.`);
  tries.refuse(counted);
  if (!(await passwords.verify(password, me.passwordHash)).right) {
    throw invalid('password', msg`That is not your current password.`);
  }
  return { factor: factor as StoredFactor, forget: tries.forget(counted) };
}

/**
 * Checks the password and, where the second factor is on, a code.
 * @returns the second factor, the proof of the code for the statements that need it, and statements that undo the count of the try
 * @throws DomainError invalid (the password, the code), conflict (a guest), unauthenticated, too_many
 */
export async function proofOf(
  db: Db,
  passwords: Passwords,
  links: Links,
  actor: Actor,
  { password, code }: PasswordAndCode,
  moment: { now: Instant; origin: Origin },
): Promise<Awaited<ReturnType<typeof checkPassword>> & { proof: Proof }> {
  const { accountId } = actor;
  const { factor, forget } = await checkPassword(db, passwords, actor, password, moment);
  if (!factor?.seed) return { factor, proof: nothingToProve(accountId), forget };
  const { seed, lastStep } = factor;
  const proof = proofOfCode(links, { accountId, seed, lastStep }, code, moment.now);
  if (!proof) throw wrongCode();
  return { factor, proof, forget };
}

/**
 * Turns the second factor on. The code proves that the app has the secret. A repeat changes nothing.
 * @throws DomainError invalid (the password, the code), conflict (already on, or a guest), unauthenticated, too_many
 */
export async function turnOnSecondFactor(
  db: Db,
  passwords: Passwords,
  links: Links,
  actor: Actor,
  { password, code }: PasswordAndCode,
  moment: { now: Instant; origin: Origin },
): Promise<void> {
  const { now } = moment;
  const { factor, forget } = await checkPassword(db, passwords, actor, password, moment);
  const isOnAlready = () => conflict(msg`Your login asks for a code already. Turn that off first.`);
  const digits = code.replaceAll(/[\s-]/g, '');
  if (factor?.seed) {
    // If the code is the one that was accepted last, the same form was sent twice.
    if (stepOfCode(links.factorSecretOf(factor.seed), digits, now) === factor.lastStep) return;
    throw isOnAlready();
  }
  const seed = seedFor(links, actor, factor);
  const step = stepOfCode(links.factorSecretOf(seed), digits, now);
  if (step === undefined || step <= (factor?.lastStep ?? 0)) throw wrongCode();
  const isDone = sql`EXISTS (SELECT 1 FROM second_factors WHERE account_id = ${actor.accountId} AND seed = ${seed})`;
  const {
    stored: [stored],
    owner: [owner],
  } = await db.run({
    on: insertFrom(
      secondFactors,
      { accountId: actor.accountId, seed, lastStep: step },
      sql`WHERE ${isLoggedIn(actor, now)}`,
    ).onConflictDoUpdate({
      target: secondFactors.accountId,
      set: { seed, lastStep: step },
      setWhere: sql`second_factors.seed IS NULL`,
    }),
    notice: tellOfFactor(actor.accountId, { kind: 'factor-on', step }, isDone, now),
    stored: selectFactor(sql`${actor.accountId}`),
    owner: selectOwner(actor, now),
    forget,
  });
  if (!owner?.isLoggedIn) throw notLoggedIn();
  if (stored?.seed !== seed) throw isOnAlready();
}

/**
 * Turns the second factor off. If it is off already, nothing changes.
 * @throws DomainError invalid (the password, the code), unauthenticated, too_many
 */
export async function turnOffSecondFactor(
  db: Db,
  passwords: Passwords,
  links: Links,
  actor: Actor,
  input: PasswordAndCode,
  moment: { now: Instant; origin: Origin },
): Promise<void> {
  const { now } = moment;
  const me = actor.accountId;
  const { factor, proof, forget } = await proofOf(db, passwords, links, actor, input, moment);
  if (!factor?.seed) return;
  const { seed, lastStep } = factor;
  const isOff = sql`EXISTS (SELECT 1 FROM second_factors WHERE account_id = ${me} AND seed IS NULL)`;
  const {
    stored: [stored],
    owner: [owner],
  } = await db.run({
    off: orm
      .update(secondFactors)
      .set({ seed: null, lastStep: sql`max(last_step, ${stepOf(now) + 1})` })
      .where(and(eq(secondFactors.accountId, me), eq(secondFactors.seed, seed), proof.holds, isLoggedIn(actor, now))),
    stored: selectFactor(sql`${me}`),
    owner: selectOwner(actor, now),
    notice: tellOfFactor(me, { kind: 'factor-off', step: lastStep }, isOff, now),
    spent: proof.spend(isOff),
    forget,
  });
  if (!owner?.isLoggedIn) throw notLoggedIn();
  if (stored?.seed) throw wrongCode();
}
