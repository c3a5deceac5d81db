import { and, eq, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Db } from '../../../db/client';
import { insertFrom } from '../../../db/insert';
import { accounts, secondFactors } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { conflict, invalid, notLoggedIn } from '../errors';
import { given } from '../input/fields';
import type { Links } from '../links.server';
import { tellOfFactor } from '../messages/safety.server';
import type { Instant } from '../time/clock';
import type { Actor } from './accounts';
import { secretInWords, stepOf, stepOfCode } from './codes.server';
import { triesByAccount } from './login-tries.server';
import type { Passwords } from './passwords.server';
import { proofBy, type StoredFactor, selectFactor } from './proofs.server';
import { isLoggedIn, selectOwner } from './sessions.server';
import type { Origin } from './throttles.server';

/*
 * A second factor: a login then needs a code that an app of the owner shows. Nothing is stored before it is turned on: until
 * then the seed follows from the session, so that its page shows the same secret each time.
 */

/** What turning it on and off takes. */
export const passwordAndCode = z.object({ password: given('Current password'), code: given('Code') });
type PasswordAndCode = z.output<typeof passwordAndCode>;

/** What the screen shows: the secret while it is off, and how many recovery codes are left. */
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

/** The seed of the one that this session would turn on. It is another after each that was turned off. */
const seedFor = (links: Links, { accountId, sessionId }: Actor, factor: StoredFactor) =>
  links.factorSeedOf(accountId, sessionId, String(factor?.lastStep ?? 0));

const wrongCode = () =>
  invalid('code', 'This code is wrong, or was used already. Wait for the next one that your app shows.');

/** Reads the actor's second factor. @throws DomainError conflict (a guest has no login) */
export async function getSecondFactor(db: Db, links: Links, actor: Actor): Promise<SecondFactor> {
  const [[me], [factor]] = await db.run(selectMe(actor), selectFactor(sql`${actor.accountId}`));
  if (!me?.username) throw conflict('A guest has no login. Register first.');
  const secret = factor?.seed ? null : secretInWords(links.factorSecretOf(seedFor(links, actor, factor)), me.username);
  return { secret, codesLeft: me.codesLeft };
}

/** Reads what a change needs to know, counts it as a try, and checks the password. */
async function look(
  db: Db,
  passwords: Passwords,
  actor: Actor,
  password: string,
  { now, origin }: { now: Instant; origin: Origin },
) {
  const tries = triesByAccount(actor.accountId, origin, now);
  const [[me], [factor], [owner], ...counted] = await db.run(
    selectMe(actor),
    selectFactor(sql`${actor.accountId}`),
    selectOwner(actor, now),
    ...tries.count,
  );
  if (!me || !owner?.isLoggedIn) throw notLoggedIn();
  if (!me.passwordHash) throw conflict('A guest has no login. Register first.');
  tries.check(counted);
  if (!(await passwords.verify(password, me.passwordHash)).right) {
    throw invalid('password', 'That is not your current password.');
  }
  return { factor: factor as StoredFactor, forget: tries.forget(counted) };
}

/**
 * Turns the actor's second factor on, by a code that the app shows: so it has the secret. Sent again it changes nothing.
 * @throws DomainError invalid (the password, the code), conflict (another one is on, or a guest), unauthenticated, too_many
 */
export async function turnOnSecondFactor(
  db: Db,
  passwords: Passwords,
  links: Links,
  actor: Actor,
  { password, code }: PasswordAndCode,
  opening: { now: Instant; origin: Origin },
): Promise<void> {
  const { now } = opening;
  const { factor, forget } = await look(db, passwords, actor, password, opening);
  const isOnAlready = () => conflict('Your login asks for a code already. Turn that off first.');
  const digits = code.replaceAll(/[\s-]/g, '');
  if (factor?.seed) {
    // The same form, sent again: its code is the last that was used.
    if (stepOfCode(links.factorSecretOf(factor.seed), digits, now) === factor.lastStep) return;
    throw isOnAlready();
  }
  const seed = seedFor(links, actor, factor);
  const step = stepOfCode(links.factorSecretOf(seed), digits, now);
  if (step === undefined || step <= (factor?.lastStep ?? 0)) throw wrongCode();
  const isDone = sql`EXISTS (SELECT 1 FROM second_factors WHERE account_id = ${actor.accountId} AND seed = ${seed})`;
  const [, , after, [owner]] = await db.run(
    insertFrom(
      secondFactors,
      { accountId: actor.accountId, seed, lastStep: step },
      sql`WHERE ${isLoggedIn(actor, now)}`,
    ).onConflictDoUpdate({
      target: secondFactors.accountId,
      set: { seed, lastStep: step },
      setWhere: sql`second_factors.seed IS NULL`,
    }),
    tellOfFactor(actor.accountId, { kind: 'factor-on', step }, isDone, now),
    selectFactor(sql`${actor.accountId}`),
    selectOwner(actor, now),
    ...forget,
  );
  if (!owner?.isLoggedIn) throw notLoggedIn();
  if (after[0]?.seed !== seed) throw isOnAlready();
}

/**
 * Turns the actor's second factor off, by the password and a code or a recovery code. Where it is off already it changes
 * nothing.
 * @throws DomainError invalid (the password, the code), unauthenticated, too_many
 */
export async function turnOffSecondFactor(
  db: Db,
  passwords: Passwords,
  links: Links,
  actor: Actor,
  { password, code }: PasswordAndCode,
  opening: { now: Instant; origin: Origin },
): Promise<void> {
  const { now } = opening;
  const me = actor.accountId;
  const { factor, forget } = await look(db, passwords, actor, password, opening);
  if (!factor?.seed) return;
  const { seed, lastStep } = factor;
  const proof = proofBy(links, { accountId: me, seed, lastStep }, code, now);
  if (!proof) throw wrongCode();
  const isOff = sql`EXISTS (SELECT 1 FROM second_factors WHERE account_id = ${me} AND seed IS NULL)`;
  const [, [after], [owner]] = await db.run(
    orm
      .update(secondFactors)
      .set({ seed: null, lastStep: sql`max(last_step, ${stepOf(now) + 1})` })
      .where(and(eq(secondFactors.accountId, me), eq(secondFactors.seed, seed), proof.holds, isLoggedIn(actor, now))),
    selectFactor(sql`${me}`),
    selectOwner(actor, now),
    tellOfFactor(me, { kind: 'factor-off', step: lastStep }, isOff, now),
    ...proof.spend(isOff),
    ...forget,
  );
  if (!owner?.isLoggedIn) throw notLoggedIn();
  if (after?.seed) throw wrongCode();
}
