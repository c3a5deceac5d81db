import { and, asc, between, eq, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { Db } from '../../../db/client';
import { ownedBy } from '../../../db/owned-by';
import { accounts, services, slots } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { isOpen } from '../../../db/states';
import { nobody, whyNot } from '../bookings/claimable.server';
import type { WhyHidden } from '../bookings/refusals';
import { countOfDay } from '../bookings/rules.server';
import type { Actor } from '../profile/accounts';
import { selectBusyTimes } from '../slots/busy-times.server';
import { day, type Instant } from '../time/clock';
import { instantOf } from '../time/zones';
import type { AskedTime, TimeContext } from './why';

const ruler = alias(accounts, 'ruler');
const service = alias(services, 'service');

/** Reads the slots around a time, and the rules that decide whether it is offered. A colleague reads no names. */
export async function readTimeContext(
  db: Db,
  actor: Actor,
  { date, time }: AskedTime,
  now: Instant,
): Promise<TimeContext> {
  const at = instantOf(date, time, actor.timeZone);
  const {
    rows,
    rules: [rules],
    busy,
  } = await db.run({
    rows: orm
      .select({
        startsAt: slots.startsAt,
        endsAt: slots.endsAt,
        status: slots.state,
        hiddenBy: sql<WhyHidden | null>`iif(${isOpen('slots')} AND slots.starts_at <= ${at} AND slots.ends_at > ${at},
          ${whyNot(nobody(sql`${now}`, sql`ruler`), null)}, NULL)`.as('hidden_by'),
      })
      .from(slots)
      .leftJoin(service, and(eq(service.providerId, slots.providerId), eq(service.id, slots.serviceId)))
      .innerJoin(ruler, eq(ruler.id, slots.providerId))
      .where(and(ownedBy(actor, slots), between(slots.startsAt, at - 2 * day, at + 2 * day)))
      .orderBy(asc(slots.startsAt)),
    rules: orm
      .select({
        notice: accounts.notice,
        horizonDays: accounts.horizonDays,
        perDay: accounts.perDay,
        booked: countOfDay({ provider: sql`accounts.id`, date, from: at, until: at }).as('booked_that_day'),
      })
      .from(accounts)
      .where(eq(accounts.id, actor.accountId)),
    busy: selectBusyTimes(actor.accountId, at - day, at + day),
  });
  return {
    slots: rows,
    rules: rules ?? { notice: 0, horizonDays: null, perDay: null, booked: 0 },
    busy: actor.memberId
      ? busy.map((time) => ({ ...time, name: null, calendar: null, readAt: null, failure: null, doubts: null }))
      : busy,
  };
}
