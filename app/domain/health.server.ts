import { sql } from 'drizzle-orm';
import type { Db } from '../../db/client';
import { StatementFailed } from '../../db/errors';
import { orm, statement } from '../../db/statement';
import { Unavailable } from './errors';

// The maximum, not the first of an order: SQLite looks that up.
const name = sql<string | null>`max(name)`.as('name');
const last = statement<Record<never, never>>()(() => orm.select({ name }).from(sql`d1_migrations`));

/**
 * The last migration that the database has; it may be later than the one that this code needs.
 * @throws Unavailable where it is older, or there are no tables at all
 */
export async function getMigration(db: Db, needed: string): Promise<string> {
  const applied = await db
    .run(last({}))
    .then(([[row]]) => row?.name ?? 'none')
    .catch((error) => {
      if (error instanceof StatementFailed) return 'none';
      throw error;
    });
  if (applied === 'none' || applied < needed) {
    throw new Unavailable('storage', { cause: `the last migration is ${applied}, not ${needed}` });
  }
  return applied;
}
