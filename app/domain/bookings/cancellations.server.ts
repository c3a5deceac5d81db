import { and, asc, desc, eq, gt, isNull, type Placeholder, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { ownedBy } from '../../../db/owned-by';
import { bookings, slots } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import { hasEnded, literal } from '../../../db/states';
import { type Page, pageOf } from '../input/fields';
import { pageSize } from '../input/limits';
import type { Actor } from '../profile/accounts';
import type { Instant } from '../time/clock';
import { longest } from '../time/longest';
import type { By, ListedAppointment, OwnLine } from './appointments';
import { booker, byOf, json } from './columns.server';
import { isShownAsWithdrawn } from './conditions.server';
import { ownLineColumns, selectLines, withdrawnLineColumns } from './lines.server';

type Values = { me: string; now: Instant; skip: number };
type Placeholders = { [Name in keyof Values]: Placeholder };

/** SQL: the appointment may still be going on. None is longer than a day. */
const mayNotBeOver = (startsAt: unknown, now: Placeholder) =>
  sql`${startsAt} > ${now} - ${literal(longest.appointment)}`;

const ofProvider = statement<Values>()(({ me, now, skip }: Placeholders) =>
  orm
    .select({ ...ownLineColumns, by: json<By | null>(byOf, 'by_member') })
    .from(bookings)
    .innerJoin(booker, eq(booker.id, bookings.bookerId))
    .where(
      and(
        ownedBy(me, bookings),
        and(hasEnded(bookings), isNull(bookings.movedTo)),
        and(mayNotBeOver(bookings.startsAt, now), gt(bookings.endsAt, now)),
      ),
    )
    .orderBy(desc(bookings.canceledAt), desc(bookings.id))
    .limit(pageSize + 1)
    .offset(skip),
);

/** Lists canceled bookings whose time is not over yet, the newest cancellation first. */
export async function listCancellations(
  db: Db,
  { accountId }: Actor,
  page: number,
  now: Instant,
): Promise<Page<OwnLine>> {
  const { rows } = await db.run({ rows: ofProvider({ me: accountId, now, skip: page * pageSize }) });
  return pageOf(rows.map((row) => ({ ...row, by: row.by?.displayName ?? null })));
}

const calledOff = statement<Values>()(({ me, now, skip }: Placeholders) =>
  selectLines()
    .where(
      and(
        and(eq(booker.id, me), eq(bookings.bookerId, me)),
        and(hasEnded(bookings), eq(bookings.canceledBy, 'provider'), isNull(bookings.movedTo)),
        and(mayNotBeOver(bookings.startsAt, now), gt(bookings.endsAt, now)),
      ),
    )
    .orderBy(asc(bookings.startsAt), asc(bookings.id))
    .limit(pageSize + 1)
    .offset(skip),
);

/** Lists bookings that the provider canceled and whose time is not over yet, by start. */
export async function listCalledOff(
  db: Db,
  { accountId }: Actor,
  page: number,
  now: Instant,
): Promise<Page<ListedAppointment>> {
  const { rows } = await db.run({ rows: calledOff({ me: accountId, now, skip: page * pageSize }) });
  return pageOf(rows);
}

const withdrawn = statement<Values>()(({ me, now, skip }: Placeholders) =>
  orm
    .select(withdrawnLineColumns)
    .from(slots)
    .where(
      and(and(ownedBy(me, slots), isShownAsWithdrawn), and(mayNotBeOver(slots.startsAt, now), gt(slots.endsAt, now))),
    )
    .orderBy(asc(slots.startsAt), asc(slots.id))
    .limit(pageSize + 1)
    .offset(skip),
);

export async function listWithdrawn(db: Db, { accountId }: Actor, page: number, now: Instant): Promise<Page<OwnLine>> {
  const { rows } = await db.run({ rows: withdrawn({ me: accountId, now, skip: page * pageSize }) });
  return pageOf(rows);
}
