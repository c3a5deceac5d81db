import { sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { ownedBy } from '../../../db/owned-by';
import { slots } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import type { Actor } from '../profile/accounts';

const anyTime = statement<{ me: string }>()(({ me }) =>
  orm
    .select({ one: sql<number>`1`.as('one') })
    .from(slots)
    .where(ownedBy(me, slots))
    .limit(1),
);

/** True if the actor has ever published a time, by hand or by hours. */
export async function hasPublished(db: Db, { accountId }: Actor): Promise<boolean> {
  const { rows } = await db.run({ rows: anyTime({ me: accountId }) });
  return rows.length > 0;
}
