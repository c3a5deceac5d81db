import { and, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { orm, statementBy } from '../../../db/statement';
import { isOpen } from '../../../db/states';
import { columnsOfService, slotWithService, unfit } from '../bookings/claimable.server';
import { pageOf } from '../input/fields';
import { pageSize } from '../input/limits';
import type { Actor } from '../profile/accounts';
import type { Instant, LocalDate } from '../time/clock';

const freeTimes = statementBy<{ isService: boolean }, { me: string; service: string; now: Instant; skip: number }>()(
  ({ isService }, { me, service, now, skip }) =>
    orm
      .select({
        id: sql<string>`slots.id`.as('slot_id'),
        startsAt: sql<Instant>`slots.starts_at`.as('would_start_at'),
        endsAt: sql<Instant>`${isService ? columnsOfService.endsAt : sql`slots.ends_at`}`.as('would_end_at'),
        date: sql<LocalDate>`slots.local_date`.as('on_day'),
        timeZone: sql<string>`slots.time_zone`.as('in_zone'),
      })
      .from(slotWithService(isService ? service : null))
      .where(
        and(
          sql`slots.provider_id = ${me} AND ${isOpen('slots')} AND slots.starts_at > ${now}`,
          sql`${unfit(isService ? service : null)} IS NULL`,
        ),
      )
      .orderBy(sql`slots.starts_at`)
      .limit(pageSize + 1)
      .offset(skip),
);

/**
 * Lists the actor's open slots, or those that a service fits into, but no class of a service that is not offered. The
 * actor's own rules hide none.
 */
export async function listOwnFreeTimes(
  db: Db,
  actor: Actor,
  { service, page }: { service: string | null; page: number },
  now: Instant,
) {
  const values = { me: actor.accountId, service: service ?? '', now, skip: page * pageSize };
  const [rows] = await db.run(freeTimes({ isService: service !== null }, values));
  return pageOf(rows);
}
