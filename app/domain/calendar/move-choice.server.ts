import { and, asc, desc, eq, type Placeholder, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { hasId } from '../../../db/ids';
import { accounts, bookings, hours, openDays, slots } from '../../../db/schema';
import { orm, statementBy } from '../../../db/statement';
import { isClosed, isNotBusy, isOpen } from '../../../db/states';
import { hasBookable, hasNotBusy } from '../bookings/bookable-days.server';
import { whyNot } from '../bookings/claimable.server';
import { openColumns } from '../bookings/columns.server';
import { columnsOfMoved, isPartOfOld, whyNotForOld } from '../bookings/movable.server';
import { lastOfChain } from '../bookings/moves.server';
import { isBookable, isDayOfOld } from '../bookings/rules.server';
import { columnsOfService, questionsOf, slotWithService } from '../bookings/slot-with-service.server';
import { isOfColleague, mayGoTo } from '../bookings/with-colleague.server';
import { completePlan } from '../hours/completed-plan.server';
import { isClosedOn } from '../hours/planned-slots';
import { fold } from '../input/fold';
import { bookingOfKey } from '../links.server';
import { aliasOf, bookerOf } from '../people/card-of.server';
import type { Actor } from '../profile/accounts';
import { busyNameFor, busyWith } from '../slots/busy-times.server';
import { isOpenOn } from '../slots/chosen-slots.server';
import type { Instant, LocalDate } from '../time/clock';
import type { Month } from '../time/month';
import { todayIn } from '../time/zones';
import type { MoveChoice, OtherTime } from './moving';

// `by`: the query finds the booking by its id, by the id in its link, or from a wanted slot that is no longer open. A
// 'new' one has only its provider, whose id is the anchor.
// `isOwn`: the provider moves it or makes it, so no rule applies.
// `isWithOther`: it moves to a colleague of its provider.
type Shape = { isOwn: boolean; by: 'id' | 'link' | 'lost' | 'new'; isService?: boolean; isWithOther?: boolean };
type Values = {
  anchor: string;
  now: Instant;
  today: LocalDate;
  month: Month;
  day: LocalDate;
  other: string;
  member: string;
} & Chosen;
type Chosen = { service: string; person: string };
type Placeholders = { [Name in keyof Values]: Placeholder };

const ofAnchor = (
  { by }: Shape,
  { anchor, now, today }: Placeholders,
  column: 'provider_id' | 'starts_at' | 'local_date',
) => {
  if (by === 'new') return { provider_id: anchor, starts_at: now, local_date: today }[column];
  const name = sql.identifier(column);
  if (by === 'link') {
    return sql`(SELECT ${name} FROM ${lastOfChain(anchor)} CROSS JOIN ${bookings} WHERE ${hasId(bookings, sql`last_id`)})`;
  }
  return sql`(SELECT ${name} FROM ${bookings} WHERE ${hasId(bookings, anchor)}
    UNION ALL SELECT ${name} FROM ${slots} WHERE ${hasId(slots, anchor)} ${by === 'lost' ? sql`AND ${isClosed()}` : sql``} LIMIT 1)`;
};

/** SQL: the account is the provider, or the colleague with whom it will be. */
const isProvider = (shape: Shape, values: Placeholders) =>
  shape.isWithOther
    ? sql`${accounts.usernameFolded} = ${values.other}`
    : sql`${accounts.id} = ${ofAnchor(shape, values, 'provider_id')}`;

/** A booking may move within its day, however full that is. One that is not there yet has no day. */
const exceptionFor = ({ by }: Shape) => (by === 'id' || by === 'link' ? isDayOfOld : undefined);

/** A list of new times marks those in which the provider has something else; other lists leave them out. */
const isFree = (shape: Shape, { now }: Placeholders) => {
  const { isOwn, by } = shape;
  if (!isOwn) return isBookable('slots', now, accounts, exceptionFor(shape));
  return and(by === 'new' ? undefined : isNotBusy('slots'), sql`${slots.startsAt} > ${now}`);
};

/** SQL: the booking that moves, and its service. A wanted slot stands in for a booking like it. */
const fromOld = ({ by, isWithOther }: Shape, { anchor }: Placeholders) => {
  if (by === 'new') return sql`(SELECT NULL) AS old`;
  const bookingBy = {
    id: sql`SELECT bookings.* FROM bookings WHERE ${hasId(bookings, anchor)}`,
    link: sql`SELECT bookings.* FROM ${lastOfChain(anchor)} CROSS JOIN bookings WHERE ${hasId(bookings, sql`last_id`)}`,
    lost: sql`SELECT slots.provider_id, slots.starts_at, slots.ends_at, slots.ends_at AS taken_until, 1 AS people, slots.service_id,
      NULL AS slot_id, NULL AS booker_id, NULL AS id, NULL AS local_date FROM slots WHERE ${hasId(slots, anchor)}`,
  };
  return sql`(${bookingBy[by]}) AS old LEFT JOIN services AS service
    ON service.provider_id = ${isWithOther ? accounts.id : sql`old.provider_id`} AND service.id = old.service_id`;
};

const wantedService = ({ isService }: Shape, { service }: Placeholders) => (isService ? service : null);
const slotsFor = (shape: Shape, values: Placeholders) =>
  shape.by === 'new' ? slotWithService(wantedService(shape, values)) : sql`${slots}`;

/**
 * SQL: the booking can move there.
 * @param isListed true if `isFree` asks for the provider's rules
 */
const fits = (shape: Shape, values: Placeholders, isListed = true) => {
  const [{ isOwn, by, isWithOther }, { now, person }] = [shape, values];
  const provider = sql`accounts`;
  if (by === 'new') {
    const personId = aliasOf(sql`accounts.id`, sql`${person}`);
    const accountId = bookerOf(sql`accounts.id`, personId);
    const asking = { people: sql`1`, now, accountId, personId, provider, isBound: false, mayBeOff: true };
    return sql`${whyNot(asking, wantedService(shape, values))} IS NULL`;
  }
  const asking = { me: isOwn ? sql`old.provider_id` : sql`''`, now, provider };
  const fitsOld = sql`${whyNotForOld(asking, isListed ? false : !isOwn)} IS NULL`;
  if (!isWithOther) return fitsOld;
  return sql`${isOfColleague} AND ${mayGoTo(provider, values.member)} AND ${fitsOld}`;
};

const hasFree = (shape: Shape, { now }: Placeholders) => {
  const { isOwn, by } = shape;
  if (by === 'new') return sql`open_days.last_at > ${now}`;
  return isOwn ? hasNotBusy(now) : hasBookable(now, exceptionFor(shape));
};

/** SQL: the booking fits somewhere on the day. On the day it has now, it may use a part of its own time. */
const hasFitting = (shape: Shape, values: Placeholders) => {
  const isOnDay = sql`EXISTS (
    SELECT 1 FROM ${slotsFor(shape, values)} WHERE slots.provider_id = ${accounts.id} AND slots.local_date = open_days.local_date AND ${isOpen('slots')}
      AND slots.starts_at BETWEEN open_days.first_at AND open_days.last_at AND ${isFree(shape, values)} AND ${fits(shape, values)})`;
  if (shape.by === 'new' || shape.isWithOther) return isOnDay;
  return sql`(old.service_id IS NULL OR open_days.local_date = ${ofAnchor(shape, values, 'local_date')} OR ${isOnDay})`;
};

const columns = ({ by, isService }: Shape) => ({
  id: sql<string>`${slots.id}`.as('slot_id'),
  provider: openColumns.provider,
  startsAt: sql<Instant>`${slots.startsAt}`.as('would_start_at'),
  endsAt: sql<Instant>`${by !== 'new' ? columnsOfMoved.endsAt : isService ? columnsOfService.endsAt : slots.endsAt}`.as(
    'would_end_at',
  ),
  date: sql<LocalDate>`${slots.localDate}`.as('on_day'),
  timeZone: sql<string>`${slots.timeZone}`.as('in_zone'),
  templateId: sql<string | null>`${questionsOf({ isService: true })}`.as('template_id'),
  busyWith: sql<string | null>`${by === 'new' ? busyWith : sql`NULL`}`.as('busy_with'),
  className: sql<string | null>`${by === 'new' ? sql`iif(slots.seats > 1, service.name, NULL)` : sql`NULL`}`.as(
    'class_name',
  ),
});

const selectFitting = (shape: Shape, values: Placeholders) =>
  orm.select(columns(shape)).from(accounts).crossJoin(fromOld(shape, values)).crossJoin(slotsFor(shape, values));

const nearby = 3;

const nearest = (isBefore: boolean) =>
  statementBy<Shape, Values>()((shape, values) =>
    selectFitting(shape, values)
      .where(
        and(
          and(
            isProvider(shape, values),
            eq(slots.providerId, accounts.id),
            isOpen(slots),
            isFree(shape, values),
            fits(shape, values),
          ),
          sql`${slots.startsAt} ${sql.raw(isBefore ? '<' : '>=')} ${ofAnchor(shape, values, 'starts_at')}`,
        ),
      )
      .orderBy(isBefore ? desc(slots.startsAt) : asc(slots.startsAt), asc(slots.id))
      .limit(nearby),
  );
const [nearestBefore, nearestAfter] = [nearest(true), nearest(false)];

const firstMonth = (shape: Shape, values: Placeholders) =>
  sql`coalesce(nullif(${values.month}, ''), substr(${ofAnchor(shape, values, 'local_date')}, 1, 7))`;

const freeDays = statementBy<Shape, Values>()((shape, values) =>
  orm
    .select({ date: openDays.localDate })
    .from(accounts)
    .crossJoin(fromOld(shape, values))
    .crossJoin(openDays)
    .where(
      and(
        and(isProvider(shape, values), eq(openDays.providerId, accounts.id), hasFree(shape, values)),
        hasFitting(shape, values),
        sql`${openDays.localDate} BETWEEN max(${values.today}, ${firstMonth(shape, values)} || '-01')
          AND date(${firstMonth(shape, values)} || '-01', '+2 months', '-1 day')`,
      ),
    )
    .orderBy(asc(openDays.localDate)),
);

const edges = statementBy<Shape, Values>()((shape, values) => {
  const edge = (order: 'ASC' | 'DESC') =>
    sql<LocalDate | null>`(SELECT local_date FROM open_days
      WHERE provider_id = ${accounts.id} AND local_date >= ${values.today} AND ${hasFree(shape, values)}
        AND ${hasFitting(shape, values)}
      ORDER BY local_date ${sql.raw(order)} LIMIT 1)`.as(order === 'ASC' ? 'first_day' : 'last_day');
  return orm
    .select({ first: edge('ASC'), last: edge('DESC') })
    .from(accounts)
    .crossJoin(fromOld(shape, values))
    .where(isProvider(shape, values));
});

/** A day has at most 288 slots, one every five minutes. */
const mostOfDay = 288;

const laterParts = statementBy<Shape, Values>()((shape, values) =>
  selectFitting(shape, values)
    .where(
      and(
        isProvider(shape, values),
        sql`${slots.providerId} = ${accounts.id} AND ${slots.startsAt} > old.starts_at AND ${slots.startsAt} < old.taken_until`,
        // They are taken, so `isFree` has not asked for the rules.
        and(isPartOfOld, fits(shape, values, false)),
      ),
    )
    .orderBy(asc(slots.startsAt))
    .limit(mostOfDay),
);

const planOf = statementBy<Shape, Values>()((shape, values) =>
  orm
    .select({ plan: completePlan })
    .from(hours)
    .where(sql`${hours.providerId} = ${ofAnchor(shape, values, 'provider_id')}`),
);

const timesOfDay = statementBy<Shape, Values>()((shape, values) =>
  selectFitting(shape, values)
    .where(
      and(isProvider(shape, values), isOpenOn(accounts.id, values.day), isFree(shape, values), fits(shape, values)),
    )
    .orderBy(asc(slots.startsAt), asc(slots.id))
    .limit(mostOfDay),
);

export type Moved = { id: string } | { key: string };

const anchorOf = (moved: Moved): [Shape['by'], anchor: string] =>
  'key' in moved ? ['link', bookingOfKey(moved.key)] : ['id', moved.id];

/**
 * Reads the days and times to which a booking can move. The caller checks that the booking is the reader's.
 * @param member who moves it from the provider's side; left out for its client
 * @param month the first of two months to show; the booking's own if left out
 * @param other the username of the colleague with whom it will be; its own provider if left out
 */
export async function readMoveChoice(
  db: Db,
  moved: Moved,
  { member, month, day, other }: { member?: string | undefined; month?: Month; day?: LocalDate; other?: string },
  now: Instant,
): Promise<MoveChoice> {
  const [by, anchor] = anchorOf(moved);
  const shape = { isOwn: member !== undefined, by, ...(other !== undefined && { isWithOther: true }) };
  return readChoice(db, shape, { anchor, month, day, other, member, service: '', person: '' }, now);
}

/**
 * Reads the days and times at which the actor can book somebody, whatever their own rules say.
 * @param person their card; blank if they have none
 * @param service the service to book; null for each slot as it is
 * @param month the first of two months to show
 */
export async function readBookingChoice(
  db: Db,
  actor: Actor,
  { service, person, month, day }: { service: string | null; person: string; month: Month; day?: LocalDate },
  now: Instant,
): Promise<MoveChoice> {
  const shape = { isOwn: true, by: 'new' as const, isService: service !== null };
  const choice = await readChoice(
    db,
    shape,
    { anchor: actor.accountId, month, day, service: service ?? '', person },
    now,
  );
  const asShown = (time: OtherTime) => ({ ...time, busyWith: busyNameFor(actor, time.busyWith) });
  return { ...choice, nearest: choice.nearest.map(asShown), times: choice.times.map(asShown) };
}

async function readChoice(
  db: Db,
  shape: Shape,
  {
    month,
    day,
    other,
    member = '',
    ...given
  }: Chosen & { anchor: string } & Partial<Pick<Values, 'month' | 'day' | 'other' | 'member'>>,
  now: Instant,
): Promise<MoveChoice> {
  const values = {
    ...given,
    member,
    now,
    today: todayIn('Etc/GMT+12', now),
    month: month ?? '',
    day: day ?? '',
    other: fold(other?.trim() ?? ''),
  };
  const isMove = shape.by !== 'new';
  const {
    before = [],
    after,
    days,
    edges: [edge],
    times,
    parts = [],
    plans: [own] = [],
  } = await db.run({
    before: isMove ? nearestBefore(shape, values) : undefined,
    after: nearestAfter(shape, values),
    days: freeDays(shape, values),
    edges: edges(shape, values),
    times: timesOfDay(shape, values),
    parts: isMove && !shape.isWithOther ? laterParts(shape, values) : undefined,
    plans: day && !shape.isWithOther ? planOf(shape, values) : undefined,
  });
  const byStart = (one: OtherTime, other: OtherTime) => one.startsAt - other.startsAt;
  const ofDay = [...times, ...parts.filter(({ date }) => date === day)].sort(byStart);
  return {
    nearest: [...before.reverse(), ...[...parts, ...after].sort(byStart).slice(0, nearby)],
    days: days.map(({ date }) => date),
    edges: edge?.first && edge.last ? [edge.first, edge.last] : null,
    times: ofDay,
    isClosed: ofDay.length === 0 && day !== undefined && own !== undefined && isClosedOn(own.plan, day),
  };
}

/** Lists free times near a lost one; empty if its slot is still open. */
export async function listNearestTo(db: Db, to: string, isOwn: boolean, now: Instant): Promise<OtherTime[]> {
  const shape = { isOwn, by: 'lost' as const };
  const values = { anchor: to, now, today: '', month: '', day: '', other: '', member: '', service: '', person: '' };
  const [before, after] = await db.run(nearestBefore(shape, values), nearestAfter(shape, values));
  return [...before.reverse(), ...after];
}
