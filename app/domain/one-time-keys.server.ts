import type { SQL } from 'drizzle-orm';
import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { newId } from '../../db/columns';
import { insertFrom } from '../../db/insert';
import { oneTimeKeys } from '../../db/schema';
import { orm } from '../../db/statement';
import { day, type Instant } from './time/clock';

export type Written = { now: Instant; key: string };

/** How long a key is known, in milliseconds: so long a repeat has the first result, and what was withdrawn can be brought back. */
export const keyLength = day;

/** Adds fields to the stored results of this caller's keys, if the condition holds. */
export const addToReplays = (caller: string, additions: object, condition: SQL | undefined) =>
  orm
    .update(oneTimeKeys)
    .set({ replay: sql`json_patch(replay, ${JSON.stringify(additions)})` })
    .where(and(eq(oneTimeKeys.caller, caller), condition));

/**
 * Statements for a batch that takes effect once, however often it is sent. `use` takes an unused key, the write's own
 * statements run only if `isOurs`, `store` records their result, and `read` returns it. For a used key, `read` returns
 * the earlier result.
 */
export function oneTimeKey(caller: string, key: string, now: Instant) {
  const use = newId();
  const row = and(eq(oneTimeKeys.caller, caller), eq(oneTimeKeys.key, key));
  const oldest = now - keyLength;
  return {
    /**
     * If the result is known beforehand, passing it as `replay` saves a row. Then `result` guards the write in place
     * of `isOurs`.
     */
    use: (condition: SQL, replay?: SQL) =>
      insertFrom(
        oneTimeKeys,
        { caller, key, use, createdAt: now, ...(replay && { replay }) },
        sql`WHERE ${condition}`,
      ).onConflictDoUpdate({
        target: [oneTimeKeys.caller, oneTimeKeys.key],
        set: { use, replay: sql`excluded.replay`, createdAt: now },
        setWhere: sql`${oneTimeKeys.createdAt} <= ${oldest}`,
      }),
    isOurs: sql`EXISTS (SELECT 1 FROM one_time_keys
      WHERE caller = ${caller} AND key = ${key} AND use = ${use} AND replay IS NULL)`,
    /** SQL: a field of the result that this use of the key has stored; null if the key was used before. */
    result: (field: string) => sql`(SELECT replay ->> ${field} FROM one_time_keys
      WHERE caller = ${caller} AND key = ${key} AND use = ${use})`,
    store: (json: SQL) =>
      orm
        .update(oneTimeKeys)
        .set({ replay: json })
        .where(and(row, eq(oneTimeKeys.use, use), isNull(oneTimeKeys.replay))),
    /** SQL: the stored result as text without quotes, for another statement of the batch. */
    stored: sql`(SELECT replay ->> '$' FROM one_time_keys
      WHERE caller = ${caller} AND key = ${key} AND created_at > ${oldest})`,
    read: () =>
      orm
        .select({ replay: oneTimeKeys.replay })
        .from(oneTimeKeys)
        .where(and(row, gt(oneTimeKeys.createdAt, oldest))),
  };
}
