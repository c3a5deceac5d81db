import type { SQL } from 'drizzle-orm';
import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { orm } from '../../db/client';
import { newId } from '../../db/columns';
import { insertFrom } from '../../db/insert';
import { oneTimeKeys } from '../../db/schema';
import { day, type Instant } from './time/clock';

/** When something is written, and the one-time key under which it is written once. */
export type Written = { now: Instant; key: string };

/** How long a key keeps its replay, in milliseconds: 24 hours. */
export const keyLength = day;

/** Adds to those replays of a caller for which `condition` holds. */
export const addToReplays = (caller: string, also: object, condition: SQL | undefined) =>
  orm
    .update(oneTimeKeys)
    .set({ replay: sql`json_patch(replay, ${JSON.stringify(also)})` })
    .where(and(eq(oneTimeKeys.caller, caller), condition));

/**
 * One use of a one-time key by one caller. In one batch: `claim` takes the key, unless it was used before; the effect's
 * own statements run only where `isOurs` holds; `store` keeps what came of it, the replay; `read` gives the replay, which
 * is the earlier one where the key was used before. Sent again, the batch has no second effect.
 */
export function oneTimeKey(caller: string, key: string, now: Instant) {
  const claim = newId();
  const row = and(eq(oneTimeKeys.caller, caller), eq(oneTimeKeys.key, key));
  const oldest = now - keyLength;
  return {
    /** Takes the key where it is free, or older than a day, and `condition` holds. */
    claim: (condition: SQL) =>
      insertFrom(oneTimeKeys, { caller, key, claim, createdAt: now }, sql`WHERE ${condition}`).onConflictDoUpdate({
        target: [oneTimeKeys.caller, oneTimeKeys.key],
        set: { claim, replay: null, createdAt: now },
        setWhere: sql`${oneTimeKeys.createdAt} <= ${oldest}`,
      }),
    isOurs: sql`EXISTS (SELECT 1 FROM one_time_keys
      WHERE caller = ${caller} AND key = ${key} AND claim = ${claim} AND replay IS NULL)`,
    /** A field of the replay that this use of the key has stored; null where the key was used before. */
    answered: (field: string) => sql`(SELECT replay ->> ${field} FROM one_time_keys
      WHERE caller = ${caller} AND key = ${key} AND claim = ${claim})`,
    store: (json: SQL) =>
      orm
        .update(oneTimeKeys)
        .set({ replay: json })
        .where(and(row, eq(oneTimeKeys.claim, claim), isNull(oneTimeKeys.replay))),
    /** The replay inside a statement of the same batch, as SQL reads it: text without its quotes. */
    stored: sql`(SELECT replay ->> '$' FROM one_time_keys
      WHERE caller = ${caller} AND key = ${key} AND created_at > ${oldest})`,
    read: () =>
      orm
        .select({ replay: oneTimeKeys.replay })
        .from(oneTimeKeys)
        .where(and(row, gt(oneTimeKeys.createdAt, oldest))),
  };
}
