import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { services } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { DomainError, type Fault } from '../errors';
import type { Actor } from '../profile/accounts';
import { lengthWords } from '../time/clock';
import type { Cut } from '../time/cutting';

/* How the time of services is cut. Slots are cut before the statement that writes them, which then asks whether that still holds. */

/** The length and gap of services, by their ids. */
export type Cuts = Record<string, Cut>;

/** The service is not one of the actor's; the fault names the field. */
export const noSuchService = () =>
  new DomainError('not_found', [{ field: 'serviceId', message: 'There is no such service any more.' }]);

/** Somebody gives a length beside a service. */
export const otherLength = (len: number): Fault => ({
  field: 'len',
  message: `The length is that of the service, ${lengthWords(len)}. Leave it out.`,
});
/** Somebody gives a gap beside a service. */
export const otherGap = (gap: number): Fault => ({
  field: 'gap',
  message: `The gap is that of the service, ${lengthWords(gap)}. Leave it out.`,
});

/** Reads how the time of these services of the actor's is cut; those that there are not are missing. */
export async function readCuts(db: Db, { accountId }: Actor, ids: string[]): Promise<Cuts> {
  const { id, minutes, gap } = services;
  const [rows] = await db.run(
    orm
      .select({ id, minutes, gap })
      .from(services)
      .where(
        sql`${services.providerId} = ${accountId} AND ${id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
      ),
  );
  return Object.fromEntries(rows.map((row) => [row.id, { len: row.minutes, gap: row.gap }]));
}

/** SQL: the services are still cut as they were read. */
export const areAsRead = ({ accountId }: Actor, cuts: Cuts | undefined): SQL =>
  cuts === undefined
    ? sql`true`
    : sql`NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(cuts)}) AS known WHERE NOT EXISTS (
        SELECT 1 FROM services WHERE services.provider_id = ${accountId} AND services.id = known.key
          AND services.minutes = known.value ->> 'len' AND services.gap = known.value ->> 'gap'))`;

/** Reads, beside a write that checks `areAsRead`, whether that holds. */
export const selectAsRead = (actor: Actor, cuts: Cuts) =>
  orm.select({ isKnown: sql<number>`${areAsRead(actor, cuts)}`.as('is_known') }).from(sql`(SELECT 1)`);
