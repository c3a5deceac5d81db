import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { ownedBy } from '../../../db/owned-by';
import { accounts, openDays, slots } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import { isOpen } from '../../../db/states';
import type { Appointment } from '../bookings/appointments';
import { openSlot, selectOpen } from '../bookings/appointments.server';
import { isBookable } from '../bookings/rules.server';
import { type Page, pageOf } from '../input/fields';
import { pageSize } from '../input/limits';
import type { Actor } from '../profile/accounts';
import { hour, type Instant, type LocalDate } from '../time/clock';
import { type Month, monthOf } from '../time/month';
import { todayIn } from '../time/zones';
import { busyNameFor, busyWith } from './busy-times.server';
import { isOpenOn } from './chosen-slots.server';

const ownOpen = statement<{ me: string; now: Instant; skip: number }>()(({ me, now, skip }) =>
  selectOpen()
    .where(and(ownedBy(me, slots), isOpen(slots), gt(slots.startsAt, now)))
    .orderBy(asc(slots.startsAt), asc(slots.id))
    .limit(pageSize + 1)
    .offset(skip),
);

/** Lists the actor's open slots that have not begun, by start. */
export async function listOwnOpenSlots(db: Db, actor: Actor, page: number, now: Instant): Promise<Page<Appointment>> {
  const [rows] = await db.run(ownOpen({ me: actor.accountId, now, skip: page * pageSize }));
  return pageOf(rows.map(openSlot));
}

export type OwnOpenSlot = Pick<
  Appointment,
  'id' | 'startsAt' | 'endsAt' | 'date' | 'timeZone' | 'notes' | 'templateId'
> & {
  /** The name of the event that hides the slot: blank if the event has none, null if nothing hides the slot. */
  busyWith: string | null;
};
/** A month of a provider's own open slots: how many people can book on each day, and the slots of one day. */
type OpenMonth = {
  month: Month;
  days: { date: LocalDate; count: number }[];
  months: [Month, Month] | null; // the first and the last month with open slots
  day: LocalDate | null; // the day that is shown; null without open slots
  slots: OwnOpenSlot[];
};

type View = { me: string; now: Instant; today: LocalDate; month: Month; day: LocalDate };
type Placeholders = { [Name in keyof View]: Parameters<typeof sql>[1] };

/** SQL: the first or last date with an open slot that has not begun, between `from` and `to`. */
const openDay = ({ me, now }: Placeholders, order: 'ASC' | 'DESC', from: unknown, to: unknown = sql`'9999'`) => sql`(
  SELECT local_date FROM ${openDays} WHERE ${ownedBy(me)} AND local_date BETWEEN ${from} AND ${to} AND last_at > ${now}
  ORDER BY local_date ${sql.raw(order)} LIMIT 1)`;
/** SQL: the chosen month, or the first one with open slots. */
const monthShown = (view: Placeholders) =>
  sql`coalesce(nullif(${view.month}, ''), substr(${openDay(view, 'ASC', view.today)}, 1, 7))`;
/** SQL: the chosen day, or the first one of the month with open slots. */
const dayShown = (view: Placeholders) => sql`coalesce(nullif(${view.day}, ''),
  ${openDay(view, 'ASC', sql`max(${view.today}, ${monthShown(view)} || '-01')`, sql`${monthShown(view)} || '-31'`)})`;

const edges = statement<View>()((view) =>
  orm
    .select({
      first: sql<LocalDate | null>`${openDay(view, 'ASC', view.today)}`.as('first'),
      last: sql<LocalDate | null>`${openDay(view, 'DESC', view.today)}`.as('last'),
    })
    .from(sql`(SELECT 1)`),
);

// No zone is further from UTC than this.
const largestOffset = sql.raw(String(15 * hour));
const instantOf = (month: unknown, distance: string) =>
  sql`unixepoch(${month} || '-01', ${sql.raw(`'${distance}'`)}) * 1000`;

const daysOfMonth = statement<View>()((view) =>
  orm
    .select({
      date: slots.localDate,
      count: sql<number>`count(iif(${isBookable('slots', sql`${view.now}`)}, 1, NULL))`.as('count'),
    })
    .from(slots)
    .innerJoin(accounts, eq(accounts.id, slots.providerId))
    .where(
      and(
        and(ownedBy(view.me, slots), isOpen(slots), gt(slots.startsAt, sql`${view.now}`)),
        sql`${slots.startsAt} BETWEEN ${instantOf(monthShown(view), '+0 days')} - ${largestOffset}
          AND ${instantOf(monthShown(view), '+1 month')} + ${largestOffset}`,
        sql`substr(${slots.localDate}, 1, 7) = ${monthShown(view)}`,
      ),
    )
    .groupBy(slots.localDate)
    .orderBy(asc(slots.localDate)),
);

const slotsOfDay = statement<View>()((view) => {
  const { id, startsAt, endsAt, localDate: date, timeZone, notes, templateId } = slots;
  return orm
    .select({ id, startsAt, endsAt, date, timeZone, notes, templateId, busyWith: busyWith.as('busy_with') })
    .from(slots)
    .where(sql`${isOpenOn(view.me, dayShown(view))} AND starts_at > ${view.now}`)
    .orderBy(asc(slots.startsAt), asc(slots.id));
});

/**
 * Reads the month of the chosen day, the chosen month, or the first month with open slots. It leaves out slots that
 * have begun.
 */
export async function readOpenMonth(
  db: Db,
  actor: Actor,
  { day, month }: { day?: LocalDate; month?: Month },
  now: Instant,
): Promise<OpenMonth> {
  const today = todayIn('Etc/GMT+12', now);
  const monthToShow = day ? monthOf(day) : (month ?? '');
  const values = { me: actor.accountId, now, today, month: monthToShow, day: day ?? '' };
  const [[edge], days, rows] = await db.run(edges(values), daysOfMonth(values), slotsOfDay(values));
  const { first = null, last = null } = edge ?? {};
  return {
    month: monthToShow || monthOf(first ?? todayIn(actor.timeZone, now)),
    days,
    months: first !== null && last !== null ? [monthOf(first), monthOf(last)] : null,
    day: day ?? rows[0]?.date ?? null,
    slots: rows.map((row) => ({ ...row, busyWith: busyNameFor(actor, row.busyWith) })),
  };
}
