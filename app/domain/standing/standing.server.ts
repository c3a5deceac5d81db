import { msg } from '@lingui/core/macro';
import { and, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { newId } from '../../../db/columns';
import { insertFrom } from '../../../db/insert';
import { ownedBy } from '../../../db/owned-by';
import { people, services, standingTimes as table } from '../../../db/schema';
import { orm, type Placeholders, statement } from '../../../db/statement';
import { accountToBook, readCardToBook } from '../bookings/book-for.server';
import { runAfterHolds } from '../bookings/holds.server';
import { actedBy } from '../bookings/link-owners.server';
import { invalid } from '../errors';
import type { Links } from '../links.server';
import { inNewZone, isLoggedIn, isZoneOf, selectOwner } from '../login/sessions.server';
import { notFound } from '../not-found';
import { insertBooker } from '../people/booker.server';
import { aliasOf } from '../people/card-of.server';
import type { Actor } from '../profile/accounts';
import { nearestOf, nearTimes } from '../series/nearest.server';
import type { NearTime, Step } from '../series/series';
import { hasAddressNeeded, lastAddressOf } from '../services/where.server';
import type { WhyMissed } from '../slots/missed';
import { bookStanding, farthest, spanOf } from '../slots/standing-dates.server';
import type { Instant, LocalDate } from '../time/clock';
import { minutesOf, timeOfMinutes } from '../time/ranges';
import { instantOf, todayIn } from '../time/zones';
import type { StandingInput, StandingTime } from './standing';

// The id may be that of a card that was merged into this one.
const isOf = (me: SQLWrapper, id: SQLWrapper) =>
  sql`${ownedBy(me, 'standing_times')} AND standing_times.person_id = ${aliasOf(me, id)}`;

// For at most so many dates we look for other times.
const mostShown = 26;

/** `offset`: how far the provider's clock is ahead of UTC today, in milliseconds. */
type StandingQuery = { me: string; id: string; today: LocalDate; offset: number; now: Instant };

/** SQL: a list of ReadDate, the dates from today on that could not be booked. */
const missedFrom = ({ me, today, offset, now }: Placeholders<StandingQuery>) => {
  const near = (isBefore: boolean) => {
    const asking = { now, people: sql`1`, accountId: sql`''`, provider: sql`provider`, isBound: false };
    return sql`json(iif(standing_times.service_id IS NULL, ${nearestOf(isBefore, asking, null)},
      ${nearestOf(isBefore, asking, sql`standing_times.service_id`)}))`;
  };
  // If the clocks skip a time, it has no start. Then we take the start that it would have by today's clock.
  const start = sql`coalesce(value ->> 'start', unixepoch(value ->> 'date') * 1000 + standing_times.minute * 60000 - ${offset} - 1)`;
  return sql<string>`(SELECT json_group_array(json_object(
      'date', wanted.date, 'why', wanted.why, 'before', ${near(true)}, 'after', ${near(false)}))
    FROM (SELECT value ->> 'date' AS date, value ->> 'why' AS why, json_array(${start}) AS value
      FROM json_each(standing_times.missed) WHERE value ->> 'date' >= ${today} ORDER BY date LIMIT ${sql.raw(String(mostShown))}) AS wanted
    CROSS JOIN (SELECT ${me} AS id) AS provider)`;
};

const selectStandingTimes = statement<StandingQuery>()((values) =>
  orm
    .select({
      id: table.id,
      day: table.day,
      minute: table.minute,
      weeks: table.weeks,
      from: table.fromDate,
      until: table.untilDate,
      service: table.serviceId,
      serviceName: sql<string | null>`${services.name}`.as('service_name'),
      missed: missedFrom(values).as('missed_dates'),
    })
    .from(table)
    .leftJoin(services, and(eq(services.providerId, table.providerId), eq(services.id, table.serviceId)))
    .where(sql`${isOf(values.me, values.id)} AND ifnull(${table.untilDate} >= ${values.today}, 1)`)
    .orderBy(sql`(${table.day} + 6) % 7, ${table.minute}, ${table.id}`),
);

function readingOf({ accountId: me, timeZone }: Actor, id: string, now: Instant): StandingQuery {
  const today = todayIn(timeZone, now);
  return { me, id, today, offset: Date.parse(today) - instantOf(today, '00:00', timeZone), now };
}

/** A published date that could not be booked, with the nearest times before and after. */
type ReadDate = { date: LocalDate; why: WhyMissed; before: NearTime[]; after: NearTime[] };

const standingTime = (
  { minute, weeks, missed, ...row }: ReturnType<typeof selectStandingTimes>['rows'][number],
  zone: string,
): StandingTime => {
  const start = timeOfMinutes(minute);
  const dates = (JSON.parse(missed) as ReadDate[]).map(({ date, why, before, after }) => ({
    date,
    why,
    nearest: nearTimes(instantOf(date, start, zone), [...before, ...after]),
  }));
  return { ...row, start, every: (weeks * 7) as Step, missed: dates };
};

/** Lists a client's standing times by weekday from Monday. @throws DomainError not_found */
export async function listStandingTimes(db: Db, actor: Actor, id: string, now: Instant): Promise<StandingTime[]> {
  const {
    card: [card],
    rows,
  } = await db.run({
    card: orm
      .select({ id: people.id })
      .from(people)
      .where(sql`${ownedBy(actor, people)} AND ${people.id} = ${aliasOf(sql`${actor.accountId}`, sql`${id}`)}`),
    rows: selectStandingTimes(readingOf(actor, id, now)),
  });
  if (!card) throw notFound('person');
  return rows.map((row) => standingTime(row, actor.timeZone));
}

/** SQL: the last published day, by hand or by hours. */
const lastPublished = (me: string) => sql`max(
  ifnull((SELECT local_date FROM slots WHERE ${ownedBy(me)} ORDER BY starts_at DESC LIMIT 1), ''),
  ifnull((SELECT carried_to FROM hours WHERE ${ownedBy(me)}), ''))`;

/**
 * Sets all standing times of a client, and books at once those dates that are published. A standing time that is left
 * out ends, and its bookings stay. A repeat changes nothing.
 * @throws DomainError not_found (no such card, or service), conflict (the person has left), unauthenticated, invalid
 * (another zone was shown, or no address of theirs is known for a service there)
 */
export async function setStandingTimes(
  db: Db,
  links: Links,
  actor: Actor,
  { id, list }: { id: string; list: StandingInput[] },
  now: Instant,
): Promise<StandingTime[]> {
  const me = actor.accountId;
  const standing = await readCardToBook(db, actor, id, now);
  const { newGuest, card: booker } = accountToBook(links, actor, standing, {
    id: 'standing',
    key: standing.card.id,
    note: null,
    phone: null,
    submitted: null,
  });
  const card = standing.card.id;
  const timeList = JSON.stringify(
    list.map(({ day, start, every, from, until, service }) => [
      day,
      minutesOf(start),
      every / 7,
      from,
      until,
      service,
      links.repeatableIdOf('standing', me, card, String(day), start),
    ]),
  );
  const isKnown = sql`NOT EXISTS (SELECT 1 FROM json_each(${timeList}) AS wanted WHERE wanted.value ->> 5 IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM services WHERE ${ownedBy(me, 'services')} AND services.id = wanted.value ->> 5))`;
  const isSame = sql`day = wanted.value ->> 0 AND minute = wanted.value ->> 1`;
  const address = lastAddressOf(sql`${me}`, sql`${newGuest.id}`);
  // What is there already stays, also where no address is known.
  const hasAddresses = sql`NOT EXISTS (SELECT 1 FROM json_each(${timeList}) AS wanted
    CROSS JOIN services ON ${ownedBy(me, 'services')} AND services.id = wanted.value ->> 5
    WHERE NOT ${hasAddressNeeded({ kind: sql`services.place_kind`, address })} AND NOT EXISTS (
      SELECT 1 FROM standing_times WHERE ${isOf(sql`${me}`, sql`${card}`)} AND ${isSame} AND service_id = wanted.value ->> 5))`;
  const isAllowed = and(isLoggedIn(actor, now), isZoneOf(actor), isKnown, hasAddresses) as SQL;
  const wantedField = (place: number) => sql.raw(`wanted.value ->> ${place}`);
  const today = todayIn(actor.timeZone, now);
  const {
    rows,
    given: [given],
    owner: [owner],
  } = await runAfterHolds(db, now, {
    ...insertBooker(actor, newGuest, booker, isAllowed, now),
    ended: orm
      .delete(table)
      .where(
        sql`${isOf(sql`${me}`, sql`${card}`)} AND NOT EXISTS (SELECT 1 FROM json_each(${timeList}) AS wanted WHERE ${isSame}) AND ${isAllowed}`,
      ),
    changed:
      orm.run(sql`UPDATE standing_times SET weeks = ${wantedField(2)}, from_date = ${wantedField(3)}, until_date = ${wantedField(4)}, service_id = ${wantedField(5)},
        missed = '[]', set_at = ${now}
      FROM json_each(${timeList}) AS wanted
      WHERE ${isOf(sql`${me}`, sql`${card}`)} AND ${isSame} AND ${isAllowed}
        AND (weeks, from_date, ifnull(until_date, ''), ifnull(service_id, '')) <> (${wantedField(2)}, ${wantedField(3)}, ifnull(${wantedField(4)}, ''), ifnull(${wantedField(5)}, ''))`),
    set: insertFrom(
      table,
      {
        providerId: me,
        id: wantedField(6),
        personId: card,
        bookerId: newGuest.id,
        day: wantedField(0),
        minute: wantedField(1),
        weeks: wantedField(2),
        fromDate: wantedField(3),
        untilDate: wantedField(4),
        serviceId: wantedField(5),
        setAt: now,
      },
      sql`FROM json_each(${timeList}) AS wanted WHERE ${isAllowed} AND NOT EXISTS (
        SELECT 1 FROM standing_times WHERE ${isOf(sql`${me}`, sql`${card}`)} AND ${isSame})`,
    ).onConflictDoNothing(),
    standing: bookStanding(
      spanOf(me, actor.timeZone, { from: sql`${today}`, to: lastPublished(me) }, [now, now + farthest]),
      {
        ...{ now, act: newId(), member: actedBy(actor) },
        condition: and(isAllowed, sql`t.person_id = ${card}`) as SQL,
      },
    ),
    rows: selectStandingTimes(readingOf(actor, card, now)),
    given: orm
      .select({
        isKnown: sql<number>`${isKnown}`.as('is_known'),
        hasAddresses: sql<number>`${hasAddresses}`.as('has_addresses'),
      })
      .from(sql`(SELECT 1)`),
    owner: selectOwner(actor, now),
  });
  const moved = inNewZone(actor, owner);
  if (moved) return setStandingTimes(db, links, moved, { id, list }, now);
  if (!given?.isKnown) throw notFound('service');
  if (!given.hasAddresses) {
    throw invalid(
      'service',
      msg`Book it once with their address first. A standing time goes where it was the last time.`,
    );
  }
  return rows.map((row) => standingTime(row, actor.timeZone));
}
