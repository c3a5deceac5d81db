import { and, gt, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { ownedBy } from '../../../db/owned-by';
import { slots } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import { isOpen } from '../../../db/states';
import { mostCounted } from '../bookings/appointments';
import type { Actor } from '../profile/accounts';
import type { Instant } from '../time/clock';

const most = sql.raw(String(mostCounted));

const open = statement<{ me: string; now: Instant }>()(({ me, now }) =>
  orm
    .select({ count: sql<number>`count(*)`.as('open_count') })
    .from(
      sql`(SELECT 1 FROM slots WHERE ${and(ownedBy(me, slots), isOpen(slots), gt(slots.startsAt, now))} LIMIT ${most})`,
    ),
);

/** Counts the actor's open slots, up to `mostCounted`, because each costs a row read. */
export async function countOpenSlots(db: Db, { accountId }: Actor, now: Instant): Promise<number> {
  const [[row]] = await db.run(open({ me: accountId, now }));
  return row?.count ?? 0;
}
