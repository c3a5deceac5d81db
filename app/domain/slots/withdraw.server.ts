import { and, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { newId } from '../../../db/columns';
import { freshId } from '../../../db/ids';
import { ownedBy } from '../../../db/owned-by';
import { slots } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { isFull, isWithdrawn, madeBy, slotState } from '../../../db/states';
import { endBrokenHolds, offerOpened, runAfterHolds } from '../bookings/holds.server';
import { notLoggedIn } from '../errors';
import { isLoggedIn } from '../login/sessions.server';
import { notFound } from '../not-found';
import { addToReplays, oneTimeKey, type Written } from '../one-time-keys.server';
import type { Actor } from '../profile/accounts';
import type { Instant, LocalDate } from '../time/clock';
import { type Choice, isChosen } from './chosen-slots.server';
import { limitOpenSlots, sayTooManyOpen } from './open-slots-limit.server';
import { publisher } from './publish.server';
import { bookStanding, farthest, spanOf } from './standing-dates.server';

// For a day a provider can bring back withdrawn slots, unless something else was published at that time.

type Stored = {
  withdrawn: number;
  from: Instant | null;
  until: Instant | null;
  first: LocalDate | null;
  last: LocalDate | null;
  at: Instant;
  publication: string | null;
};
/** `brought` is how many slots came back; null while none has. */
export type Withdrawn = Pick<Stored, 'withdrawn' | 'first' | 'last'> & {
  by: string;
  brought: number | null;
};

// The caller in the one-time keys for withdrawing and bringing back.
const withdrawer = ({ accountId }: Actor) => `${accountId}:Withdraw`;
const bringer = ({ accountId }: Actor) => `${accountId}:BringBack`;

/**
 * Withdraws the chosen slots that have not begun and are open or held; booked ones stay. With the same key again it withdraws nothing.
 * @throws DomainError unauthenticated
 */
export async function withdrawSlots(
  db: Db,
  actor: Actor,
  choice: Choice,
  { now, key }: Written,
): Promise<{ withdrawn: number }> {
  const once = oneTimeKey(withdrawer(actor), key, now);
  const publication = typeof choice === 'object' && 'publication' in choice ? choice.publication : null;
  const result = sql`(
    SELECT json_object('withdrawn', count(*), 'from', min(starts_at), 'until', max(starts_at), 'first', min(local_date),
      'last', max(local_date), 'at', ${now}, 'publication', ${publication})
    FROM slots WHERE ${isChosen(actor, choice, 'withdrawn', now)} AND ${isOf(sql`${now}`)})`;
  const {
    stored: [stored],
  } = await runAfterHolds(db, now, {
    used: once.use(isLoggedIn(actor, now)),
    marked: orm
      .update(slots)
      .set({ withdrawnAt: now })
      .where(and(isChosen(actor, choice, 'held', now), once.isOurs)),
    droppedHolds: endBrokenHolds(sql`(${actor.accountId})`, now),
    withdrawn: orm
      .update(slots)
      .set({ state: slotState.withdrawn, withdrawnAt: now })
      // A class with at least one person is not withdrawn but canceled.
      .where(and(isChosen(actor, choice, 'open', now), sql`taken = 0`, once.isOurs)),
    savedResult: once.store(result),
    // The provider may come back to the page that confirms the publication: it then says that the times are withdrawn.
    undone: addToReplays(
      publisher(actor),
      { isUndone: true },
      and(sql`replay ->> 'publication' = ${publication}`, isLoggedIn(actor, now)),
    ),
    stored: once.read(),
  });
  if (!stored) throw notLoggedIn();
  return stored.replay as Stored;
}

const isOf = (at: SQL) => sql`withdrawn_at = ${at}`;

/**
 * Opens the slots that were withdrawn within the last day, if they have not begun and their time is still free. Those that hours no
 * longer want are by hand from then on, as what is published again is. One that is booked by now opens when its booking ends. A
 * repeat opens no more.
 * @param key the key of the withdrawal
 * @returns how many are open again
 * @throws DomainError not_found (the actor has no such withdrawal), invalid (too many open slots)
 */
export async function bringBack(db: Db, actor: Actor, key: string, now: Instant): Promise<number> {
  const { stored } = oneTimeKey(withdrawer(actor), key, now);
  const storedField = (field: keyof Stored) => sql`(${stored} ->> ${field})`;
  const once = oneTimeKey(bringer(actor), key, now);
  const brought = once.result('brought');
  const isOfWithdrawal = sql`${ownedBy(actor)} AND ${isOf(storedField('at'))}
    AND starts_at BETWEEN max(${storedField('from')}, ${now} + 1) AND ${storedField('until')}`;
  const wasWithdrawn = sql`${isOfWithdrawal} AND ${isWithdrawn()}`;
  const batch = runAfterHolds(db, now, {
    used: once.use(
      and(isLoggedIn(actor, now), sql`${stored} IS NOT NULL`) as SQL,
      sql`(SELECT json_object('brought', count(*)) FROM slots WHERE ${wasWithdrawn})`,
    ),
    opened: orm
      .update(slots)
      .set({
        state: slotState.open,
        madeBy: sql`iif(made_by = ${madeBy.formerHours}, ${madeBy.hand}, made_by)`,
        id: freshId(slots.providerId, slots.startsAt),
        withdrawnAt: null,
        reason: null,
        city: sql`(SELECT city FROM accounts WHERE accounts.id = provider_id)`,
      })
      .where(sql`${wasWithdrawn} AND ${brought} IS NOT NULL`),
    // What somebody has by now is open again after them.
    taken: orm
      .update(slots)
      .set({ withdrawnAt: null })
      .where(sql`${isOfWithdrawal} AND ${isFull()} AND ${brought} IS NOT NULL`),
    standing: bookStanding(
      spanOf(actor.accountId, actor.timeZone, { from: storedField('first'), to: storedField('last') }, [
        now,
        now + farthest,
      ]),
      { now, act: newId(), condition: sql`${brought} IS NOT NULL` },
    ),
    offered: offerOpened(sql`(${actor.accountId})`, {
      from: storedField('from'),
      until: sql`${storedField('until')} + 1`,
      now,
      condition: sql`${brought} IS NOT NULL`,
    }),
    ...limitOpenSlots(actor.accountId, { added: brought, isAdded: sql`${brought} IS NOT NULL` }, now),
    redone: addToReplays(
      publisher(actor),
      { isUndone: null },
      sql`replay ->> 'publication' = ${storedField('publication')} AND ${brought} IS NOT NULL`,
    ),
    done: once.read(),
  });
  const {
    done: [done],
  } = await batch.catch(sayTooManyOpen('bring'));
  if (!done) throw notFound('withdrawal');
  return (done.replay as { brought: number }).brought;
}

/** Finds a withdrawal of the last day by its key, and how much of it was brought back. */
export async function findWithdrawn(db: Db, actor: Actor, key: string, now: Instant): Promise<Withdrawn | undefined> {
  const {
    stored: [stored],
    back: [back],
  } = await db.run({
    stored: oneTimeKey(withdrawer(actor), key, now).read(),
    back: oneTimeKey(bringer(actor), key, now).read(),
  });
  if (!stored) return undefined;
  const { withdrawn, first, last } = stored.replay as Stored;
  return { withdrawn, first, last, by: key, brought: back ? (back.replay as { brought: number }).brought : null };
}
