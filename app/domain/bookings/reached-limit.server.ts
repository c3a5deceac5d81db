import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { hasId } from '../../../db/ids';
import { accounts, slots } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import type { Instant } from '../time/clock';
import type { Words } from '../words/words';
import { asManyAsTheyMay } from './refusals';
import { countingName, hasAllTheyMay } from './rules.server';

const limit = statement<{ id: string; accountId: string; now: Instant }>()(({ id, accountId, now }) =>
  orm
    .select({ name: countingName(sql`accounts`).as('counting_name'), perPerson: accounts.perPerson })
    .from(slots)
    .innerJoin(accounts, eq(accounts.id, slots.providerId))
    .where(and(hasId(slots, id), hasAllTheyMay(sql`accounts`, { accountId, now }))),
);

export async function findReachedLimit(
  db: Db,
  { id, accountId }: { id: string; accountId: string },
  now: Instant,
): Promise<Words | null> {
  const [[reached]] = await db.run(limit({ id, accountId, now }));
  return reached ? asManyAsTheyMay(reached.name, reached.perPerson ?? 0) : null;
}
