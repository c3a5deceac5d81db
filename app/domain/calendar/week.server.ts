import { msg } from '@lingui/core/macro';
import { type Placeholder, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { ownedBy } from '../../../db/owned-by';
import { accounts, bookings, busyFeeds, busyTimes, hours, invitations, parties, slots } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import { isBooked, isHeld, isNotBusy, isOpen } from '../../../db/states';
import { type BookPaths, bookPaths } from '../../book-paths';
import * as paths from '../../paths';
import { isFirstOfClass } from '../bookings/lines.server';
import { openSpans } from '../hours/planned-slots';
import type { Actor } from '../profile/accounts';
import { serviceName } from '../slots/open-slots.server';
import { addDays, day, type Instant, type LocalDate, localDateOf, weekdayOf, wireDate } from '../time/clock';
import { edgesOfDay, edgesOfDays, instantOf, todayIn } from '../time/zones';
import type { Words } from '../words/words';
import { type DaySpan, datesFrom, drawDay, hoursOf, type WeekDay, type WeekItem } from './week';

/** A picture of more items would be unreadable. */
export const most = { slots: 400, parties: 60 };

type Placeholders = { [Name in 'me' | 'from' | 'until']: Placeholder };
type Found = Omit<WeekItem, 'to' | 'name'> & { name: string | null };

const column = {
  id: (value: unknown) => sql<string>`${value}`.as('id'),
  kind: (value: WeekItem['kind']) => sql<WeekItem['kind']>`${sql.raw(`'${value}'`)}`.as('kind'),
  startsAt: (value: unknown) => sql<Instant>`${value}`.as('starts_at'),
  endsAt: (value: unknown) => sql<Instant>`${value}`.as('ends_at'),
  name: (value: unknown) => sql<string | null>`${value}`,
};
const columnsOf = (table: typeof slots | typeof bookings, kind: 'open' | 'booked' | 'held', name: unknown) => ({
  id: column.id(table.id),
  kind: column.kind(kind),
  startsAt: column.startsAt(table.startsAt),
  endsAt: column.endsAt(table.endsAt),
  name: column.name(name).mapWith(accounts.displayName).as('name'),
});
const service = sql<string | null>`${bookings.serviceName}`.as('service_name');
const limit = (rows: number) => sql.raw(` LIMIT ${rows}`);
/** SQL: nothing lasts longer than a day. */
const isNear = (startsAt: unknown, { from, until }: Placeholders) =>
  sql`${startsAt} > ${from} - ${sql.raw(String(day))} AND ${startsAt} < ${until}`;

const open = (values: Placeholders) =>
  orm
    .select({ ...columnsOf(slots, 'open', sql`NULL`), service: serviceName })
    .from(slots)
    .where(sql`${ownedBy(values.me, slots)} AND ${isOpen(slots)} AND ${slots.taken} = 0 AND ${isNotBusy('slots')}
      AND ${isNear(slots.startsAt, values)}
      ORDER BY ${slots.startsAt}${limit(most.slots)}`);

/** The provider's bookings. A class is one item, with the number of people. */
const providerBookings = (values: Placeholders) =>
  orm
    .select({
      ...columnsOf(bookings, 'booked', sql`iif(${bookings.slotId} IS NULL, ${accounts.displayName}, NULL)`),
      id: column.id(sql`coalesce(${bookings.slotId}, ${bookings.id})`),
      service,
      isStanding: sql<boolean>`${bookings.standingId} IS NOT NULL AND ${bookings.slotId} IS NULL`
        .mapWith(Boolean)
        .as('is_standing'),
      // Seats that are held are no people yet.
      people: sql<number | null>`CASE WHEN ${bookings.slotId} IS NOT NULL THEN (SELECT taken FROM slots
          WHERE slots.provider_id = ${bookings.providerId} AND slots.starts_at = ${bookings.startsAt})
        - (SELECT coalesce(sum(hold.people), 0) FROM bookings AS hold INDEXED BY bookings_held
          WHERE hold.provider_id = ${bookings.providerId} AND ${isHeld('hold')} AND hold.slot_id = ${bookings.slotId}) END`.as(
        'people',
      ),
    })
    .from(bookings)
    .crossJoin(accounts)
    .where(sql`${ownedBy(values.me, bookings)} AND ${isNear(bookings.startsAt, values)}
      AND ${accounts.id} = ${bookings.bookerId}
      AND ${isBooked(bookings)} AND ${isFirstOfClass}
      ORDER BY ${bookings.startsAt}${limit(most.slots)}`);

const consumerBookings = (values: Placeholders) =>
  orm
    .select({ ...columnsOf(bookings, 'booked', accounts.displayName), service })
    .from(bookings)
    .crossJoin(accounts)
    .where(sql`${bookings.bookerId} = ${values.me} AND ${isBooked(bookings)} AND ${isNear(bookings.startsAt, values)}
      AND ${accounts.id} = ${bookings.providerId}
      ORDER BY ${bookings.startsAt}${limit(most.slots)}`);

const eventColumns = {
  id: column.id(parties.id),
  kind: sql<WeekItem['kind']>`${parties.kind}`.as('kind'),
  startsAt: column.startsAt(parties.startsAt),
  endsAt: column.endsAt(parties.endsAt),
  name: column.name(parties.title).mapWith(parties.title).as('name'),
};

const hosted = (kind: 'party' | 'meetup', values: Placeholders) =>
  orm
    .select({ ...eventColumns, kind: column.kind(kind) })
    .from(parties)
    .where(sql`${ownedBy(values.me, parties)} AND ${parties.kind} = ${sql.raw(`'${kind}'`)}
      AND ${isNear(parties.startsAt, values)} AND ${parties.deletedAt} IS NULL
      ORDER BY ${parties.startsAt}${limit(most.parties)}`);

const accepted = (values: Placeholders) =>
  orm
    .select(eventColumns)
    .from(invitations)
    .crossJoin(parties)
    .where(sql`${invitations.accountId} = ${values.me} AND ${invitations.accepted} = 1
      AND ${isNear(invitations.partyStartsAt, values)} AND ${parties.id} = ${invitations.partyId}
      AND ${parties.deletedAt} IS NULL
      ORDER BY ${invitations.partyStartsAt}${limit(most.parties)}`);

// Without the own parties and meetups, which are items already.
const busy = (values: Placeholders) =>
  orm
    .select({
      id: sql<string>`${busyTimes.source} || ' ' || ${busyTimes.startsAt}`.as('id'),
      kind: column.kind('busy'),
      startsAt: column.startsAt(busyTimes.startsAt),
      endsAt: column.endsAt(busyTimes.endsAt),
      name: column.name(busyFeeds.name).mapWith(busyFeeds.name).as('name'),
    })
    .from(busyTimes)
    .innerJoin(
      busyFeeds,
      sql`${busyFeeds.providerId} = ${busyTimes.providerId} AND ${busyFeeds.id} = ${busyTimes.source}`,
    )
    .where(sql`${ownedBy(values.me, busyTimes)} AND ${isNear(busyTimes.startsAt, values)}
      ORDER BY ${busyTimes.startsAt}${limit(most.slots)}`);

const holdsOfWeek = (values: Placeholders) =>
  orm
    .select(columnsOf(bookings, 'held', accounts.displayName))
    .from(bookings)
    .crossJoin(accounts)
    .where(sql`${ownedBy(values.me, bookings)} AND ${isHeld(bookings)} AND ${isNear(bookings.startsAt, values)}
      AND ${accounts.id} = ${bookings.bookerId}
      ORDER BY ${bookings.startsAt}${limit(most.slots)}`);

const plan = statement<{ me: string }>()(({ me }) =>
  orm.select({ plan: hours.plan }).from(hours).where(ownedBy(me, hours)),
);

type Values = { me: string; from: Instant; until: Instant };
const lists = {
  open: statement<Values>()(open),
  providerBookings: statement<Values>()(providerBookings),
  consumerBookings: statement<Values>()(consumerBookings),
  party: statement<Values>()((values) => hosted('party', values)),
  meetup: statement<Values>()((values) => hosted('meetup', values)),
  accepted: statement<Values>()(accepted),
  busy: statement<Values>()(busy),
  held: statement<Values>()(holdsOfWeek),
};

export type Week = {
  from: LocalDate;
  zone: string;
  days: WeekDay[];
  /** In hours. */
  shortest: number;
  isCut: boolean;
};

export function thisWeek(zone: string, weekStart: number, now: Instant): LocalDate {
  const today = todayIn(zone, now);
  return addDays(today, -((weekdayOf(today) - weekStart + 7) % 7));
}

/**
 * Reads a week in the actor's zone: a provider's slots, bookings, events and closed hours, or a client's bookings and
 * invitations. Who works in the book of a colleague reads only that something of the colleague's own is then.
 * @param desk leads to the pages of the same book
 */
export async function readWeek(
  db: Db,
  actor: Actor,
  from: LocalDate,
  now: Instant,
  desk: BookPaths = bookPaths(),
): Promise<Week> {
  const zone = actor.timeZone;
  const dates = datesFrom(from);
  const last = dates.at(-1) ?? from;
  const values = { me: actor.accountId, ...edgesOfDays(from, last, zone) };
  const isProvider = actor.role === 'Provider';
  const mine = { accepted: lists.accepted(values) };
  const [{ accepted, ...own }, [[set]]] = await Promise.all([
    isProvider
      ? db.run({
          open: lists.open(values),
          booked: lists.providerBookings(values),
          busy: lists.busy(values),
          held: lists.held(values),
          party: lists.party(values),
          meetup: lists.meetup(values),
          ...mine,
        })
      : db.run({ booked: lists.consumerBookings(values), ...mine }),
    isProvider ? db.run(plan({ me: actor.accountId })) : [[]],
  ]);
  const ownLists = Object.values(own) as Found[][];
  const isCut = [...ownLists, accepted].some((rows) => rows.length === mostOf(rows[0]?.kind));
  const items = [
    ...ownLists
      .flat()
      .map((row) => (actor.memberId ? withoutName(row) : row))
      .map((row): WeekItem => ({ ...row, name: nameOf(row), to: pageOf(row, actor, desk) })),
    ...(actor.memberId ? [] : accepted).map((row): WeekItem => ({ ...row, to: paths.party(row.id) })),
  ].filter(({ endsAt }) => endsAt > values.from);
  const whole = dates.map((date) => ({
    date,
    ...edgesOfDay(date, zone),
    open: set ? openSpans(set.plan, date, zone) : null,
  }));
  const { first, last: end } = hoursOf([...items, ...whole.flatMap(({ open }) => open ?? [])], whole, zone);
  const today = todayIn(zone, now);
  const clock = (hours: number) => `${String(hours).padStart(2, '0')}:00`;
  const days = whole.map(({ date, from, until, open }) => {
    const span: DaySpan = {
      date,
      from: first === 0 ? from : instantOf(date, clock(first), zone),
      until: end === 24 ? until : instantOf(date, clock(end), zone),
    };
    return drawDay(span, items, { zone, now, isToday: date === today, open, desk });
  });
  const shortest = Math.min(1, ...days.flatMap(({ items }) => items.map(({ height }) => height)));
  return { from, zone, days, shortest, isCut };
}

const mostOf = (kind: WeekItem['kind'] | undefined) =>
  kind === 'party' || kind === 'meetup' ? most.parties : most.slots;

function nameOf({ kind, name }: Found): Words | null {
  if (kind !== 'held') return name;
  return name === null ? msg`Held for the waitlist` : msg`Held for ${name}`;
}

const isOwnAffair = (kind: WeekItem['kind']) => kind === 'busy' || kind === 'party' || kind === 'meetup';
const withoutName = (row: Found): Found => (isOwnAffair(row.kind) ? { ...row, kind: 'busy', name: null } : row);

function pageOf({ id, kind, startsAt }: Found, { role, memberId, timeZone }: Actor, desk: BookPaths): string {
  if (kind === 'held') return desk.waitlist();
  if (kind === 'busy' && memberId) return desk.day({ date: wireDate(localDateOf(startsAt, timeZone)) });
  if (kind === 'busy') return paths.otherCalendars();
  if (kind === 'party') return paths.manageParty(id);
  if (kind === 'meetup') return paths.manageMeetup(id);
  return role === 'Provider' ? desk.providerDetails(id) : paths.appointment(id);
}
