import { and, asc, between, eq, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { accounts, slots } from '../../../db/schema';
import { orm } from '../../../db/statement';
import type { Actor } from '../accounts/accounts';
import { day } from '../time/clock';
import { instantOf } from '../time/zones';
import type { Around, AskedTime } from './why';

/** Reads what the book has around a time of the actor's, and the rules that decide whether it is offered. */
export async function readAround(db: Db, actor: Actor, { date, time }: AskedTime): Promise<Around> {
  const at = instantOf(date, time, actor.timeZone);
  const [rows, [rules]] = await db.run(
    orm
      .select({
        startsAt: slots.startsAt,
        endsAt: slots.endsAt,
        status: slots.status,
        isTakenBack: sql<boolean>`${slots.canceledBy} IS ${slots.providerId}`.mapWith(Boolean).as('is_taken_back'),
      })
      .from(slots)
      .where(
        and(
          sql`${slots.providerId} = ${actor.accountId} AND ${slots.status} IN (0, 1, 2)`,
          between(slots.startsAt, at - 2 * day, at + 2 * day),
        ),
      )
      .orderBy(asc(slots.startsAt)),
    orm
      .select({
        notice: accounts.notice,
        horizonDays: accounts.horizonDays,
        perDay: accounts.perDay,
        booked: sql<number>`(SELECT count(*) FROM slots WHERE provider_id = accounts.id AND status = 1
          AND starts_at BETWEEN ${at - 2 * day} AND ${at + 2 * day} AND local_date = ${date})`.as('booked_that_day'),
      })
      .from(accounts)
      .where(eq(accounts.id, actor.accountId)),
  );
  const slotsAround = rows.filter(({ status, isTakenBack }) => status < 2 || isTakenBack);
  return { slots: slotsAround, rules: rules ?? { notice: 0, horizonDays: null, perDay: null, booked: 0 } };
}
