import { and, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { insertFrom } from '../../../db/insert';
import { slots } from '../../../db/schema';
import { orm } from '../../../db/statement';
import type { Actor } from '../accounts/accounts';
import { isLoggedIn } from '../accounts/sessions.server';
import { notFound, notLoggedIn } from '../errors';
import { addToReplays, oneTimeKey, type Written } from '../one-time-keys.server';
import type { Instant, LocalDate } from '../time/clock';
import { type Choice, isChosen } from './chosen-slots.server';
import { limitOpenSlots, refuseTooMany } from './open-slots-limit.server';
import { publisher } from './publishing.server';
import { columnsAgain } from './republishing.server';
import { status } from './status';

/* Open slots are withdrawn, and brought back for a day. Nobody had them, so what is brought back leaves no trace. */

/** What was withdrawn: how many slots, the first and the last start, the first and the last day, and when. */
type Stored = {
  withdrawn: number;
  from: Instant | null;
  until: Instant | null;
  first: LocalDate | null;
  last: LocalDate | null;
  at: Instant;
  publication: string | null;
};
/** A withdrawal: how many slots, and the first and the last day; `brought` is how many came back, null while none did. */
export type Withdrawn = Pick<Stored, 'withdrawn' | 'first' | 'last'> & {
  /** Its one-time key. */
  by: string;
  brought: number | null;
};

/** The callers under which one-time keys of withdrawals, and of bringing back, are stored. */
const withdrawer = ({ accountId }: Actor) => `${accountId}:Withdraw`;
const bringer = ({ accountId }: Actor) => `${accountId}:BringBack`;

/**
 * Withdraws open slots that have not begun; booked ones stay. The same key again withdraws nothing and replays the result.
 * @throws DomainError unauthenticated
 */
export async function withdrawSlots(
  db: Db,
  actor: Actor,
  which: Choice,
  { now, key }: Written,
): Promise<{ withdrawn: number }> {
  const once = oneTimeKey(withdrawer(actor), key, now);
  const publication = typeof which === 'object' && 'publication' in which ? which.publication : null;
  const result = sql`(
    SELECT json_object('withdrawn', count(*), 'from', min(starts_at), 'until', max(starts_at), 'first', min(local_date),
      'last', max(local_date), 'at', ${now}, 'publication', ${publication})
    FROM slots WHERE ${isChosen(actor, which, status.canceled, now)} AND ${isOf(actor, sql`${now}`)})`;
  const [, , , , [stored]] = await db.run(
    once.claim(isLoggedIn(actor, now)),
    orm
      .update(slots)
      .set({ status: status.canceled, canceledAt: now, canceledBy: actor.accountId })
      .where(and(isChosen(actor, which, status.open, now), once.isOurs)),
    once.store(result),
    // A provider may come back to the page with the publication's result: it then says that the slots are withdrawn.
    addToReplays(
      publisher(actor),
      { isUndone: true },
      and(sql`replay ->> 'publication' = ${publication}`, isLoggedIn(actor, now)),
    ),
    once.read(),
  );
  if (!stored) throw notLoggedIn();
  db.changedPages.add(actor.accountId);
  return stored.replay as Stored;
}

/** SQL: the slot was withdrawn by the actor at that instant, and nobody had booked it. */
const isOf = ({ accountId }: Actor, at: SQL) =>
  sql`canceled_at = ${at} AND canceled_by = ${accountId} AND was_booked = 0`;

/**
 * Opens again what a withdrawal of the last day took, where it has not begun and its time is still free. Doing it twice
 * opens nothing more.
 * @param key the key of the withdrawal @returns how many are open again
 * @throws DomainError not_found (no such withdrawal of the actor's), invalid (too many open slots)
 */
export async function bringBack(db: Db, actor: Actor, key: string, now: Instant): Promise<number> {
  const { stored } = oneTimeKey(withdrawer(actor), key, now);
  const of = (field: keyof Stored) => sql`(${stored} ->> ${field})`;
  const once = oneTimeKey(bringer(actor), key, now);
  const brought = once.answered('brought');
  const isWithdrawn = sql`provider_id = ${actor.accountId} AND status = 2
    AND starts_at BETWEEN max(${of('from')}, ${now} + 1) AND ${of('until')} AND ${isOf(actor, of('at'))}`;
  const batch = db.run(
    once.claim(and(isLoggedIn(actor, now), sql`${stored} IS NOT NULL`) as SQL),
    insertFrom(
      slots,
      { id: sql`lower(hex(randomblob(16)))`, ...columnsAgain },
      sql`FROM slots WHERE ${isWithdrawn} AND ${once.isOurs} ORDER BY starts_at`,
    ),
    once.store(sql`json_object('brought', changes())`),
    // Hours do not publish a time that was withdrawn: it no longer is.
    orm.delete(slots).where(
      sql`${isWithdrawn} AND ${brought} IS NOT NULL AND EXISTS (
        SELECT 1 FROM slots AS open WHERE open.provider_id = slots.provider_id AND open.status = 0
          AND open.starts_at = slots.starts_at AND open.ends_at = slots.ends_at)`,
    ),
    ...limitOpenSlots(actor.accountId, { added: brought, isAdded: sql`${brought} IS NOT NULL` }, now),
    addToReplays(
      publisher(actor),
      { isUndone: null },
      sql`replay ->> 'publication' = ${of('publication')} AND ${brought} IS NOT NULL`,
    ),
    once.read(),
  );
  const [, , , , , , , [done]] = await batch.catch(refuseTooMany('bring'));
  if (!done) throw notFound('withdrawal');
  db.changedPages.add(actor.accountId);
  return (done.replay as { brought: number }).brought;
}

/** Finds the actor's withdrawal of the last day by its key, and how much of it was brought back. */
export async function findWithdrawn(db: Db, actor: Actor, key: string, now: Instant): Promise<Withdrawn | undefined> {
  const [[stored], [back]] = await db.run(
    oneTimeKey(withdrawer(actor), key, now).read(),
    oneTimeKey(bringer(actor), key, now).read(),
  );
  if (!stored) return undefined;
  const { withdrawn, first, last } = stored.replay as Stored;
  return { withdrawn, first, last, by: key, brought: back ? (back.replay as { brought: number }).brought : null };
}
