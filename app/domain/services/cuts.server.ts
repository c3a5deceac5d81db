import { msg } from '@lingui/core/macro';
import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { ownedBy } from '../../../db/owned-by';
import { services } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { DomainError, type Fault } from '../errors';
import type { Actor } from '../profile/accounts';
import { lengthWords } from '../time/clock';
import type { Cut } from '../time/cutting';

// We cut time into slots before the statement that writes them. The statement then checks that the services have not
// changed.

/** The length and gap of each service, by its id. */
export type Cuts = Record<string, Cut>;

export const noSuchService = () =>
  new DomainError('not_found', [{ field: 'serviceId', message: msg`There is no such service any more.` }]);

export function otherLength(len: number): Fault {
  const length = lengthWords(len);
  return { field: 'len', message: msg`The length is that of the service, ${length}. Leave it out.` };
}
export function otherGap(gap: number): Fault {
  const length = lengthWords(gap);
  return { field: 'gap', message: msg`The gap is that of the service, ${length}. Leave it out.` };
}

/** Reads the lengths and gaps of services, without those that don't exist. */
export async function readCuts(db: Db, actor: Actor, ids: string[]): Promise<Cuts> {
  const { id, minutes, gap } = services;
  const [rows] = await db.run(
    orm
      .select({ id, minutes, gap })
      .from(services)
      .where(sql`${ownedBy(actor, services)} AND ${id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`),
  );
  return Object.fromEntries(rows.map((row) => [row.id, { len: row.minutes, gap: row.gap }]));
}

/** SQL: the services still have the lengths and gaps that were read. */
export const areAsRead = ({ accountId }: Actor, cuts: Cuts | undefined): SQL =>
  cuts === undefined
    ? sql`true`
    : sql`NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(cuts)}) AS known WHERE NOT EXISTS (
        SELECT 1 FROM services WHERE ${ownedBy(accountId, 'services')} AND services.id = known.key
          AND services.minutes = known.value ->> 'len' AND services.gap = known.value ->> 'gap'))`;

/** Reads the services again, beside a write that checks `areAsRead`. */
export const selectAsRead = (actor: Actor, cuts: Cuts) =>
  orm.select({ isKnown: sql<number>`${areAsRead(actor, cuts)}`.as('is_known') }).from(sql`(SELECT 1)`);
