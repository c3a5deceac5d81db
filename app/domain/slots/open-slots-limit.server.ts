import { msg, plural } from '@lingui/core/macro';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { RuleBroken } from '../../../db/errors';
import { insertFrom } from '../../../db/insert';
import { accounts, refusals } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { isOpen, isPublished } from '../../../db/states';
import { invalid } from '../errors';
import { limits } from '../input/limits';
import type { Instant } from '../time/clock';

// To count all open slots at each publication would read them all. So we keep an upper bound, which rises with each
// publication. When it passes the limit, it is replaced by the true number of open and booked slots; a booked slot
// opens again if a client cancels.
const openSlotsAtMost = (added: SQL, now: Instant) => sql`CASE
  WHEN open_slots_at_most + ${added} <= ${limits.openSlots} THEN open_slots_at_most + ${added}
  ELSE ${liveSlots(now)} END`;

const liveSlots = (now: Instant) => sql`(
  SELECT count(*) FROM slots WHERE provider_id = accounts.id AND ${isPublished()} AND starts_at > ${now})`;

/**
 * Raises the bound of many accounts before slots are inserted. It may be too high, because some times may not be free,
 * but never too low.
 * @param counts a JSON object of account ids and numbers
 */
export function expectSlots(counts: string, now: Instant) {
  const added = sql`json_extract(${counts}, '$."' || id || '"')`;
  return orm
    .update(accounts)
    .set({
      openSlotsAtMost: sql`${added} + CASE WHEN open_slots_at_most + ${added} <= ${limits.openSlots}
        THEN open_slots_at_most ELSE ${liveSlots(now)} END`,
    })
    .where(sql`id IN (SELECT key FROM json_each(${counts}))`);
}

/**
 * Counts slots after they were inserted, and fails the batch if there are too many.
 * @param added SQL: how many were inserted
 */
export const limitOpenSlots = (accountId: string, { added, isAdded }: { added: SQL; isAdded: SQL }, now: Instant) => ({
  counted: orm
    .update(accounts)
    .set({ openSlotsAtMost: openSlotsAtMost(added, now) })
    .where(and(eq(accounts.id, accountId), isAdded)),
  limited: insertFrom(
    refusals,
    { name: 'too_many_open_slots' },
    sql`FROM accounts WHERE id = ${accountId} AND open_slots_at_most > ${limits.openSlots} AND ${isAdded}
      AND (SELECT count(*) FROM slots WHERE provider_id = accounts.id AND ${isOpen()} AND starts_at > ${now})
        > ${limits.openSlots}`,
  ),
});

export const tooManyOpen = (field: string) =>
  invalid(
    field,
    msg`You can have at most ${plural({ most: limits.openSlots }, { one: '# free time', other: '# free times' })} at a time. Nothing was created.`,
  );

/** Turns the failure of `limitOpenSlots` into a refusal; throws any other error again. */
export const sayTooManyOpen =
  (field: string) =>
  (error: unknown): never => {
    if (error instanceof RuleBroken && error.rule === 'too_many_open_slots') throw tooManyOpen(field);
    throw error;
  };
