import { and, asc, between, eq, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { ownedBy } from '../../../db/owned-by';
import { accounts, slots } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { countOfDay } from '../bookings/rules.server';
import type { Actor } from '../profile/accounts';
import { selectBusyTimes } from '../slots/busy-times.server';
import { day } from '../time/clock';
import { instantOf } from '../time/zones';
import type { AskedTime, TimeContext } from './why';

/** Reads the slots around a time, and the rules that decide whether it is offered. A colleague reads no names. */
export async function readTimeContext(db: Db, actor: Actor, { date, time }: AskedTime): Promise<TimeContext> {
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
        state: slots.state,
      })
      .from(slots)
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
    slots: rows.map(({ state, ...row }) => ({ ...row, status: state })),
    rules: rules ?? { notice: 0, horizonDays: null, perDay: null, booked: 0 },
    busy: actor.memberId
      ? busy.map((time) => ({ ...time, name: null, calendar: null, readAt: null, failure: null, doubts: null }))
      : busy,
  };
}
