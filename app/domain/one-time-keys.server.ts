import type { SQL } from 'drizzle-orm';
import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { newId } from '../../db/columns';
import { insertFrom } from '../../db/insert';
import { oneTimeKeys } from '../../db/schema';
import { orm } from '../../db/statement';
import { day, type Instant } from './time/clock';

export type Written = { now: Instant; key: string };

export const keyLength = day;

/** Adds fields to the replays of the caller that meet the condition. */
export const addToReplays = (caller: string, additions: object, condition: SQL | undefined) =>
  orm
    .update(oneTimeKeys)
    .set({ replay: sql`json_patch(replay, ${JSON.stringify(additions)})` })
    .where(and(eq(oneTimeKeys.caller, caller), condition));

/**
 * Statements for one batch that happens once, however often it is sent: `claim` takes an unused key, the write's own
 * statements run only if `isOurs`, `store` keeps their result, and `read` returns it, or the earlier one of a used key.
 */
export function oneTimeKey(caller: string, key: string, now: Instant) {
  const claim = newId();
  const row = and(eq(oneTimeKeys.caller, caller), eq(oneTimeKeys.key, key));
  const oldest = now - keyLength;
  return {
    /** A replay that is known beforehand saves a row; then `answered` guards the effect in place of `isOurs`. */
    claim: (condition: SQL, replay?: SQL) =>
      insertFrom(
        oneTimeKeys,
        { caller, key, claim, createdAt: now, ...(replay && { replay }) },
        sql`WHERE ${condition}`,
      ).onConflictDoUpdate({
        target: [oneTimeKeys.caller, oneTimeKeys.key],
        set: { claim, replay: sql`excluded.replay`, createdAt: now },
        setWhere: sql`${oneTimeKeys.createdAt} <= ${oldest}`,
      }),
    isOurs: sql`EXISTS (SELECT 1 FROM one_time_keys
      WHERE caller = ${caller} AND key = ${key} AND claim = ${claim} AND replay IS NULL)`,
    /** SQL: a field of the replay that this use of the key stored; null for a key that was used before. */
    answered: (field: string) => sql`(SELECT replay ->> ${field} FROM one_time_keys
      WHERE caller = ${caller} AND key = ${key} AND claim = ${claim})`,
    store: (json: SQL) =>
      orm
        .update(oneTimeKeys)
        .set({ replay: json })
        .where(and(row, eq(oneTimeKeys.claim, claim), isNull(oneTimeKeys.replay))),
    /** SQL: the replay as text without quotes, for a statement of the same batch. */
    stored: sql`(SELECT replay ->> '$' FROM one_time_keys
      WHERE caller = ${caller} AND key = ${key} AND created_at > ${oldest})`,
    read: () =>
      orm
        .select({ replay: oneTimeKeys.replay })
        .from(oneTimeKeys)
        .where(and(row, gt(oneTimeKeys.createdAt, oldest))),
  };
}
