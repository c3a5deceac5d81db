import { msg } from '@lingui/core/macro';
import { asc, eq, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { Db } from '../../../db/client';
import { former } from '../../../db/columns';
import { providerOf, startOf } from '../../../db/ids';
import { ownedBy } from '../../../db/owned-by';
import { packed } from '../../../db/packed';
import { accounts, bookings, colleagues, hours } from '../../../db/schema';
import { startsIn } from '../../../db/starts-in';
import { orm, statementBy } from '../../../db/statement';
import { hasEnded, isBooked, isHeld, isMadeForSomebody, isOpen, stands } from '../../../db/states';
import { byOf } from '../bookings/columns.server';
import { DomainError } from '../errors';
import { isLoggedIn } from '../login/sessions.server';
import type { Actor } from '../profile/accounts';
import type { Instant, LocalDate } from '../time/clock';
import { edgesOfDay } from '../time/zones';
import {
  type BookingOfDay,
  type BookOfDay,
  type Change,
  emptyBecause,
  linesOfDay,
  mostChanges,
  type OpenTime,
} from './day-of-all';
import { mostOfDay } from './sheet.server';

const mine = alias(colleagues, 'mine');

const notAtDesk = () => new DomainError('not_found', msg`Only the desk and the owners of a shop see the day of all.`);

// A day of each book is packed into one text, because a row for each entry, each with its colleague, would cost more.

type BookingRow = Omit<BookingOfDay, 'isHeld'> & { isHeld: 0 | 1 };
const bookingRows = packed<BookingRow>({
  id: sql`id`,
  startsAt: sql`starts_at`,
  endsAt: sql`ends_at`,
  name: sql`name`,
  service: sql`service_name`,
  people: sql`people`,
  classId: sql`slot_id`,
  seats: sql`seats`,
  isHeld: sql`is_held`,
});

type OpenRow = Omit<OpenTime, 'isBusy'> & { isBusy: 0 | 1 };
const openRows = packed<OpenRow>({
  id: sql`id`,
  startsAt: sql`starts_at`,
  endsAt: sql`ends_at`,
  seats: sql`seats`,
  service: sql`service`,
  isBusy: sql`is_busy`,
});

const canceledRows = packed<Canceled>({
  id: sql`id`,
  at: sql`canceled_at`,
  startsAt: sql`starts_at`,
  client: sql`client`,
  service: sql`service_name`,
  isByProvider: sql`is_by_provider`,
  by: sql`by_member ->> 'displayName'`,
});
type Canceled = Pick<Change, 'id' | 'at' | 'startsAt' | 'client' | 'service' | 'by'> & { isByProvider: 0 | 1 };

/** SQL: up to when the member has seen what changed. */
const seen = sql`coalesce(mine.seen_at, mine.joined_at)`;
/** SQL: the member works in the books of all. */
const isAtDesk = sql`mine.role <> 'colleague'`;

/** SQL: the reader did it, in their own book or in that of a colleague. @param isByProvider SQL: the provider's side did */
const isByReader = (isByProvider: SQL, me: Placeholder) =>
  sql`(${isByProvider} AND coalesce(${bookings.actedBy}, ${bookings.providerId}) = ${me})`;
const isCanceledByProvider = sql`${bookings.canceledBy} = 'provider'`;
const isBookedByProvider = sql`iif(${bookings.movedFrom} IS NULL, ${isMadeForSomebody(bookings)}, ${bookings.movedBy} = 'provider')`;

// Whoever books all day by phone and never says that they have seen it would otherwise read all that they ever booked.
const mostLookedThrough = 100;

const limit = (rows: number) => sql.raw(`LIMIT ${rows}`);
const unpacked = (text: string): unknown[][] => JSON.parse(text);
const nameOf = (stored: string) => stored || former.person;

/** Whether all changes are read, or the newest. */
type Much = { isWhole: boolean };
const listed = ({ isWhole }: Much) => (isWhole ? mostLookedThrough : mostChanges);

type OfDay = { me: string; from: Instant; until: Instant };
const booksOfDay = statementBy<Much, OfDay>()((much, { me, from, until }) => {
  const isInBook = ownedBy(colleagues.accountId);
  const isOnDay = startsIn({ from, until });
  return orm
    .select({
      accountId: colleagues.accountId,
      username: sql<string>`${accounts.username}`.as('username'),
      displayName: accounts.displayName,
      takes: colleagues.takes,
      plan: sql`(SELECT plan FROM hours WHERE ${isInBook})`.mapWith(hours.plan).as('plan'),
      booked: sql`(SELECT ${bookingRows.list()} FROM (
        SELECT id, starts_at, ends_at, service_name, people, slot_id, ${isHeld()} AS is_held,
          iif(slot_id IS NULL AND ${isBooked()}, booker_name, NULL) AS name,
          CASE WHEN slot_id IS NOT NULL THEN (SELECT room.seats FROM slots AS room
            WHERE room.provider_id = bookings.provider_id AND room.starts_at = bookings.starts_at) END AS seats
        FROM bookings WHERE ${isInBook} AND ${stands()} AND ${isOnDay}
        ORDER BY starts_at, id ${limit(mostOfDay + 1)}))`
        .mapWith(unpacked)
        .as('booked'),
      open: sql`(SELECT ${openRows.list()} FROM (
        SELECT id, starts_at, ends_at, seats, is_busy, CASE WHEN seats > 1 AND service_id IS NOT NULL THEN (
            SELECT meant.name FROM services AS meant WHERE meant.provider_id = slots.provider_id AND meant.id = service_id) END AS service
        FROM slots INDEXED BY slots_open WHERE ${isInBook} AND ${isOpen()} AND ${isOnDay}
        ORDER BY starts_at ${limit(mostOfDay)}))`
        .mapWith(unpacked)
        .as('open'),
      canceled: sql`(SELECT ${canceledRows.list()} FROM (
        SELECT id, canceled_at, starts_at, service_name, booker_name AS client, ${isCanceledByProvider} AS is_by_provider, ${byOf} AS by_member
        FROM bookings INDEXED BY bookings_canceled WHERE ${isInBook} AND ${hasEnded()} AND canceled_at > ${seen} AND moved_to IS NULL
          AND NOT ${isByReader(isCanceledByProvider, me)}
        ORDER BY canceled_at DESC ${limit(listed(much) + 1)}))`
        .mapWith(unpacked)
        .as('canceled'),
    })
    .from(mine)
    .innerJoin(colleagues, eq(colleagues.shopId, mine.shopId))
    .innerJoin(accounts, eq(accounts.id, colleagues.accountId))
    .where(sql`${mine.accountId} = ${me} AND ${isAtDesk}`)
    .orderBy(asc(colleagues.place), asc(colleagues.joinedAt), asc(colleagues.accountId));
});

const bookedSince = statementBy<Much, { me: string }>()((much, { me }) =>
  orm
    .select({
      providerId: sql<string>`${bookings.providerId}`.as('provider_id'),
      id: sql<string>`${bookings.id}`.as('booked_id'),
      at: sql<Instant>`${bookings.bookedAt}`.as('booked_at'),
      startsAt: sql<Instant>`${bookings.startsAt}`.as('starts_at'),
      before:
        sql<Instant | null>`CASE WHEN ${bookings.movedFrom} IS NOT NULL THEN ${startOf(bookings.movedFrom)} END`.as(
          'before',
        ),
      fromId: sql<
        string | null
      >`CASE WHEN ${bookings.movedFrom} IS NOT NULL THEN ${providerOf(bookings.movedFrom)} END`.as('from_provider'),
      client: sql<string>`${bookings.bookerName}`.mapWith(bookings.bookerName).as('client'),
      service: sql<string | null>`${bookings.serviceName}`.as('service_name'),
      isByProvider: sql<boolean>`${isBookedByProvider}`.mapWith(Boolean).as('is_by_provider'),
      by: sql<string | null>`${byOf} ->> 'displayName'`.as('by_member'),
    })
    .from(
      sql`(SELECT bookings.* FROM colleagues AS mine CROSS JOIN bookings
        WHERE mine.account_id = ${me} AND ${isAtDesk} AND ${bookings.shopId} = mine.shop_id AND ${bookings.bookedAt} > ${seen}
          AND ${isBooked(bookings)}
        ORDER BY ${bookings.bookedAt} DESC ${limit(mostLookedThrough)}) AS bookings`,
    )
    .where(sql`NOT ${isByReader(isBookedByProvider, me)}`)
    .limit(listed(much) + 1),
);

export type DayOfAll = {
  books: BookOfDay[];
  /** What changed in any book since the reader last said that they have seen it, the newest first. */
  changes: Change[];
  /** There are more changes than are listed. */
  hasMore: boolean;
};

/**
 * Reads a day in the books of all colleagues of the actor's shop: of whoever takes appointments, and of whoever has some on
 * that day. Desk and owners read it.
 * @param isWhole lists a hundred changes, not the newest six
 * @throws DomainError not_found (they are in no shop, or not at its desk)
 */
export async function readDayOfAll(
  db: Db,
  actor: Actor,
  { date, isWhole = false }: { date: LocalDate; isWhole?: boolean },
  now: Instant,
): Promise<DayOfAll> {
  const much = { isWhole };
  const { accountId: me, timeZone } = actor;
  const { found, booked } = await db.run({
    found: booksOfDay(much, { me, ...edgesOfDay(date, timeZone) }),
    booked: bookedSince(much, { me }),
  });
  if (found.length === 0) throw notAtDesk();
  const people = new Map(
    found.map(({ accountId, username, displayName }) => [
      accountId,
      { username, displayName, isOwn: accountId === me },
    ]),
  );
  const books = found.flatMap(({ accountId, takes, plan, ...packedRows }): BookOfDay[] => {
    const who = people.get(accountId);
    const rows = bookingRows.named(packedRows.booked);
    const read = {
      booked: rows.slice(0, mostOfDay).map(
        (row): BookingOfDay => ({
          ...row,
          name: row.name === null ? null : nameOf(row.name),
          isHeld: row.isHeld === 1,
        }),
      ),
      open: openRows.named(packedRows.open).map((row): OpenTime => ({ ...row, isBusy: row.isBusy === 1 })),
    };
    if (!who || (!takes && read.booked.length === 0)) return [];
    return [
      {
        ...who,
        lines: linesOfDay(read, now),
        empty: emptyBecause({ ...read, plan }, date),
        isCut: rows.length > mostOfDay,
      },
    ];
  });
  const changes = [
    // Whoever has left took their book along.
    ...booked.flatMap(({ providerId, fromId, isByProvider, ...change }): Change[] => {
      const who = people.get(providerId);
      if (!who) return [];
      const by = change.by ?? (isByProvider ? who.displayName : null);
      const from = fromId === null || fromId === providerId ? null : (people.get(fromId)?.displayName ?? null);
      return [{ ...change, ...who, by, from, kind: change.before === null ? 'booked' : 'moved' }];
    }),
    ...found.flatMap(({ accountId, canceled }): Change[] => {
      const who = people.get(accountId);
      return who
        ? canceledRows.named(canceled).map(({ isByProvider, ...change }) => ({
            ...change,
            ...who,
            by: change.by ?? (isByProvider ? who.displayName : null),
            client: nameOf(change.client),
            kind: 'canceled',
            before: null,
            from: null,
          }))
        : [];
    }),
  ].sort((one, other) => other.at - one.at);
  return { books, changes: changes.slice(0, listed(much)), hasMore: changes.length > listed(much) };
}

/**
 * Remembers up to when the actor has seen what changed in the books of their shop. A repeat, or an older page, changes nothing.
 * @throws DomainError not_found (they are in no shop, or not at its desk)
 */
export async function markChangesSeen(db: Db, actor: Actor, until: Instant, now: Instant): Promise<void> {
  const { accountId: me } = actor;
  const isMine = sql`${colleagues.accountId} = ${me} AND ${colleagues.role} <> 'colleague'`;
  const [, [found]] = await db.run(
    orm
      .update(colleagues)
      .set({ seenAt: Math.min(until, now) })
      .where(sql`${isMine} AND ifnull(seen_at, 0) < ${Math.min(until, now)} AND ${isLoggedIn(actor, now)}`),
    orm.select({ role: colleagues.role }).from(colleagues).where(isMine),
  );
  if (!found) throw notAtDesk();
}
