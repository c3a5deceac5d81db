import { and, eq, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { recoveryCodes, secondFactors } from '../../../db/schema';
import { orm } from '../../../db/statement';
import type { Links } from '../links.server';
import type { Instant } from '../time/clock';
import { stepOfCode } from './codes.server';
import { hashOfRecoveryCode } from './recovery-codes.server';

/* What a code proves beside the password, and how it is spent. */

/** The second factor of an account as it is stored; undefined where there never was one. */
export type StoredFactor = typeof secondFactors.$inferSelect | undefined;

/** Reads the second factor of the account that `whose` finds: SQL of one id. */
export const selectFactor = (whose: SQL) =>
  orm.select().from(secondFactors).where(sql`${secondFactors.accountId} = ${whose}`);

/** A proof: the condition that it still holds when something is written, and the statements that spend it once `isDone`. */
export type Proof = { holds: SQL; spend: (isDone: SQL) => BatchItem<'sqlite'>[] };

/** SQL: logging in to this account takes a code. */
export const isFactorOn = (accountId: string | Placeholder) =>
  sql`EXISTS (SELECT 1 FROM second_factors WHERE account_id = ${accountId} AND seed IS NOT NULL)`;

/** An account without a second factor has nothing to prove, as long as it has none. */
export const nothingToProve = (accountId: string): Proof => ({
  holds: sql`NOT ${isFactorOn(accountId)}`,
  spend: () => [],
});

/**
 * The proof that a code is: one of the moment, or a recovery code. Undefined where it is none, or was used already. A recovery
 * code is looked for when it is spent.
 */
export function proofBy(
  links: Links,
  { accountId, seed, lastStep }: { accountId: string; seed: string; lastStep: number },
  code: string,
  now: Instant,
): Proof | undefined {
  const digits = code.replaceAll(/[\s-]/g, '');
  if (/^\d{6}$/.test(digits)) {
    const step = stepOfCode(links.factorSecretOf(seed), digits, now);
    if (step === undefined || step <= lastStep) return undefined;
    const isUnused = and(
      eq(secondFactors.accountId, accountId),
      eq(secondFactors.seed, seed),
      sql`${secondFactors.lastStep} < ${step}`,
    );
    return {
      holds: sql`EXISTS (SELECT 1 FROM second_factors WHERE ${isUnused})`,
      spend: (isDone) => [orm.update(secondFactors).set({ lastStep: step }).where(and(isUnused, isDone))],
    };
  }
  const hash = hashOfRecoveryCode(links, code);
  const isIt = and(eq(recoveryCodes.accountId, accountId), eq(recoveryCodes.codeHash, hash));
  return {
    holds: sql`EXISTS (SELECT 1 FROM recovery_codes WHERE ${isIt})`,
    spend: (isDone) => [orm.delete(recoveryCodes).where(and(isIt, isDone))],
  };
}
