import { and, asc, desc, eq, type Placeholder, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { accounts, slots } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import type { DomainError } from '../errors';
import type { Instant, LocalDate } from '../time/clock';
import type { Appointment } from './appointments';
import { openColumns, openSlot, selectOpen } from './appointments.server';
import { isInTimeOf, lastStart } from './bookable.server';
import { started } from './deadline';
import { gone, ruledOut } from './refusals';
import { status } from './status';

/** What a page shows someone who comes too late for a slot: why, whose it is, and what is free instead. */
export type Late = { refusal: DomainError; provider: string; providerName: string; nearest: Appointment[] };

/** SQL: the slot can't be booked (any more, or yet). Nothing more is read of a slot that can. */
const isLate = (now: Placeholder) => sql`(status <> ${sql.raw(String(status.open))}
  OR NOT ${isInTimeOf(sql`slots.provider_id`, sql`slots.starts_at`, now)})`;

const lateSlot = statement<{ id: string; now: Instant }>()(({ id, now }) =>
  orm
    .select({
      status: slots.status,
      startsAt: slots.startsAt,
      date: slots.localDate,
      isTooFar: sql<number>`(${slots.startsAt} > ${lastStart(now)})`.as('is_too_far'),
      provider: openColumns.provider,
      providerName: accounts.displayName,
    })
    .from(slots)
    .innerJoin(accounts, eq(accounts.id, slots.providerId))
    .where(and(eq(slots.id, id), isLate(now))),
);

/** How many of the nearest free slots we search for some with the same questions. */
const nearby = sql.raw('50');

const nearest = (isBefore: boolean) =>
  statement<{ id: string; now: Instant }>()(({ id, now }) => {
    const wanted = (column: string) =>
      sql`(SELECT ${sql.identifier(column)} FROM slots WHERE id = ${id} AND ${isLate(now)})`;
    return selectOpen()
      .where(
        and(
          sql`${slots.id} IN (SELECT id FROM slots
            WHERE provider_id = ${wanted('provider_id')} AND status = 0
              AND ${isInTimeOf(sql`slots.provider_id`, sql`slots.starts_at`, now)}
              AND starts_at ${isBefore ? sql`<` : sql`>=`} ${wanted('starts_at')}
            ORDER BY starts_at ${isBefore ? sql`DESC` : sql``} LIMIT ${nearby})`,
          sql`${slots.templateId} IS ${wanted('template_id')}`,
        ),
      )
      .orderBy(isBefore ? desc(slots.startsAt) : asc(slots.startsAt))
      .limit(3);
  });
const [nearestBefore, nearestAfter] = [nearest(true), nearest(false)];

/**
 * Reads why a slot can't be booked any more, in the words of bookAppointment, and the nearest free slots of the same
 * provider with the same questions: at most three before and three after, by start. Undefined where the slot can be
 * booked, or where there is no such slot.
 */
export async function findLate(db: Db, id: string, now: Instant): Promise<Late | undefined> {
  const [[late], before, after] = await db.run(
    lateSlot({ id, now }),
    nearestBefore({ id, now }),
    nearestAfter({ id, now }),
  );
  if (!late) return undefined;
  const { provider, providerName } = late;
  const refusal = late.status === status.open ? notInTime(late, now) : gone();
  return { refusal, provider, providerName, nearest: [...before.reverse(), ...after].map(openSlot) };
}

type Untimely = { startsAt: Instant; isTooFar: number; providerName: string; date: LocalDate };

function notInTime({ startsAt, isTooFar, ...slot }: Untimely, now: Instant): DomainError {
  if (startsAt <= now) return started();
  return ruledOut({ rule: isTooFar ? 'horizonDays' : 'notice', perPerson: null, perDay: null, ...slot });
}
