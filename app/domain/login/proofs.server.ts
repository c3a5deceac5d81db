import { and, eq, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { recoveryCodes, secondFactors } from '../../../db/schema';
import { orm } from '../../../db/statement';
import type { Links } from '../links.server';
import type { Instant } from '../time/clock';
import { stepOfCode } from './codes.server';
import { hashOfRecoveryCode } from './recovery-codes.server';

/** The stored second factor; undefined if the account never had one. */
export type StoredFactor = typeof secondFactors.$inferSelect | undefined;

export const selectFactor = (accountId: SQL) =>
  orm.select().from(secondFactors).where(sql`${secondFactors.accountId} = ${accountId}`);

/**
 * The proof that somebody knows a code. `holds` is the condition for statements that need it; `spend` uses up the code
 * if `isDone`.
 */
export type Proof = { holds: SQL; spend: (isDone: SQL) => BatchItem<'sqlite'>[] };

export const isFactorOn = (accountId: string | Placeholder) =>
  sql`EXISTS (SELECT 1 FROM second_factors WHERE account_id = ${accountId} AND seed IS NOT NULL)`;

export const nothingToProve = (accountId: string): Proof => ({
  holds: sql`NOT ${isFactorOn(accountId)}`,
  spend: () => [],
});

/**
 * Makes a proof of a typed code; undefined if a code of an app is wrong or used. Whether a recovery code is there, the statements find.
 */
export function proofOfCode(
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
  const isThisCode = and(eq(recoveryCodes.accountId, accountId), eq(recoveryCodes.codeHash, hash));
  return {
    holds: sql`EXISTS (SELECT 1 FROM recovery_codes WHERE ${isThisCode})`,
    spend: (isDone) => [orm.delete(recoveryCodes).where(and(isThisCode, isDone))],
  };
}
