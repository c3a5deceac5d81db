import { and, eq, gt, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { ownedBy } from '../../../db/owned-by';
import { accounts, slots } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import { isOpen } from '../../../db/states';
import { mostCounted } from '../bookings/appointments';
import { isBookable } from '../bookings/rules.server';
import type { Actor } from '../profile/accounts';
import type { Instant } from '../time/clock';

const most = sql.raw(String(mostCounted));

const open = statement<{ me: string; now: Instant }>()(({ me, now }) => {
  const isOwnOpen = and(ownedBy(me, slots), isOpen(slots), gt(slots.startsAt, now));
  return orm
    .select({
      hasOpen: sql`EXISTS (SELECT 1 FROM slots WHERE ${isOwnOpen})`.mapWith(Boolean).as('has_open'),
      bookable: sql<number>`(SELECT count(*) FROM (
        SELECT 1 FROM slots WHERE ${isOwnOpen} AND ${isBookable('slots', now)} LIMIT ${most}))`.as('bookable_count'),
    })
    .from(accounts)
    .where(eq(accounts.id, me));
});

/**
 * Says whether the actor has open slots, and how many of them people can book. It counts up to `mostCounted`, because
 * each costs a row read.
 */
export async function countOpenSlots(db: Db, { accountId }: Actor, now: Instant) {
  const [[row]] = await db.run(open({ me: accountId, now }));
  return row ?? { hasOpen: false, bookable: 0 };
}
