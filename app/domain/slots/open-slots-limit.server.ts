import { and, eq, type SQL, sql } from 'drizzle-orm';
import { RuleBroken } from '../../../db/errors';
import { insertFrom } from '../../../db/insert';
import { accounts, refusals } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { invalid } from '../errors';
import { limits } from '../input/limits';
import type { Instant } from '../time/clock';

// Counting all open slots at each publication would read them all, so an upper bound rises with each. When it passes
// the limit, it becomes the true count: open slots, and booked ones, which open again when a consumer cancels.
const openSlotsAtMost = (added: SQL, now: Instant) => sql`CASE
  WHEN open_slots_at_most + ${added} <= ${limits.openSlots} THEN open_slots_at_most + ${added}
  ELSE ${liveSlots(now)} END`;

const liveSlots = (now: Instant) => sql`(
  SELECT count(*) FROM slots WHERE provider_id = accounts.id AND state < 2 AND starts_at > ${now})`;

/**
 * Raises the bound of many accounts before slots are inserted; never below the truth, as some may not be free.
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
 * Counts slots after they were inserted, and fails the batch if they are too many.
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
      AND (SELECT count(*) FROM slots WHERE provider_id = accounts.id AND state = 0 AND starts_at > ${now})
        > ${limits.openSlots}`,
  ),
});

export const tooManyOpen = (field: string) =>
  invalid(
    field,
    `You can have at most ${limits.openSlots.toLocaleString('en')} free times at a time. Nothing was created.`,
  );

/** Turns the failure of `limitOpenSlots` into a refusal in words; other errors pass. */
export const refuseTooMany =
  (field: string) =>
  (error: unknown): never => {
    if (error instanceof RuleBroken && error.rule === 'too_many_open_slots') throw tooManyOpen(field);
    throw error;
  };
