import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { newId } from '../../../db/columns';
import { insertFrom } from '../../../db/insert';
import { people, services, standingTimes as table } from '../../../db/schema';
import { orm, statementBy } from '../../../db/statement';
import { notFound } from '../errors';
import { insertGuest } from '../guests/guests.server';
import type { Links } from '../links.server';
import { inNewZone, isLoggedIn, isZoneOf, selectOwner } from '../login/sessions.server';
import { bookedAs, readMeant } from '../people/book-for.server';
import { aliasOf } from '../people/card-of.server';
import type { Actor } from '../profile/accounts';
import { nearestOf, nearTimes } from '../series/nearest.server';
import type { Step } from '../series/series';
import type { Instant, LocalTime } from '../time/clock';
import { instantOf, todayIn } from '../time/zones';
import { farthest, keepStanding, spanOf } from './keep.server';
import type { StandingInput, StandingTime } from './standing';
import type { WhyUnkept } from './unkept';

const minuteOf = (time: LocalTime) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
const timeOf = (minute: number): LocalTime =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

// The id may be that of a card that was merged into this one.
const isOf = ({ accountId: me }: Actor, id: string) =>
  sql`standing_times.provider_id = ${me} AND standing_times.person_id = ${aliasOf(sql`${me}`, sql`${id}`)}`;

const selectStandingTimes = (actor: Actor, id: string, now: Instant) =>
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
      unkept: table.unkept,
    })
    .from(table)
    .leftJoin(services, and(eq(services.providerId, table.providerId), eq(services.id, table.serviceId)))
    .where(sql`${isOf(actor, id)} AND ifnull(${table.untilDate} >= ${todayIn(actor.timeZone, now)}, 1)`)
    .orderBy(sql`(${table.day} + 6) % 7, ${table.minute}, ${table.id}`);
type Row = Awaited<ReturnType<typeof selectStandingTimes>>[number];

// The most unkept dates of a standing time that show other times.
const mostShown = 26;

type Near = { provider: string; wanted: string; service: string; now: Instant };
const nearby = statementBy<{ isService: boolean }, Near>()(({ isService }, { provider, wanted, service, now }) => {
  const near = { now, people: sql`1`, accountId: sql`''`, service: isService ? service : null, isForSomeone: true };
  return orm
    .select({
      before: sql<string>`${nearestOf(true, near)}`.as('before'),
      after: sql<string>`${nearestOf(false, near)}`.as('after'),
    })
    .from(sql`json_each(${wanted}) AS wanted CROSS JOIN accounts AS provider ON provider.id = ${provider}`)
    .orderBy(sql`wanted.key`);
});

// One trip, if there are dates that could not be kept.
async function withNearest(db: Db, actor: Actor, rows: Row[], now: Instant): Promise<StandingTime[]> {
  const today = todayIn(actor.timeZone, now);
  return Promise.all(
    rows.map(async ({ minute, weeks, unkept, ...row }): Promise<StandingTime> => {
      const dates = unkept.filter(([date]) => date >= today).slice(0, mostShown);
      const starts = dates.map(([date]) => instantOf(date, timeOf(minute), actor.timeZone));
      const startList = JSON.stringify(starts.map((at) => [at]));
      const values = { provider: actor.accountId, wanted: startList, service: row.service ?? '', now };
      const [near] = dates.length > 0 ? await db.run(nearby({ isService: row.service !== null }, values)) : [[]];
      return {
        ...row,
        start: timeOf(minute),
        every: (weeks * 7) as Step,
        unkept: dates.map(([date, why], place) => ({
          date,
          why: why as WhyUnkept,
          nearest: nearTimes(starts[place] as Instant, near[place]?.before, near[place]?.after),
        })),
      };
    }),
  );
}

/** By weekday from Monday. @throws DomainError not_found */
export async function listStandingTimes(db: Db, actor: Actor, id: string, now: Instant): Promise<StandingTime[]> {
  const {
    card: [card],
    rows,
  } = await db.run({
    card: orm
      .select({ id: people.id })
      .from(people)
      .where(
        sql`${people.providerId} = ${actor.accountId} AND ${people.id} = ${aliasOf(sql`${actor.accountId}`, sql`${id}`)}`,
      ),
    rows: selectStandingTimes(actor, id, now),
  });
  if (!card) throw notFound('person');
  return withNearest(db, actor, rows, now);
}

/** SQL: the last day published, by hand or by hours. */
const lastPublished = (me: string) => sql`max(
  ifnull((SELECT local_date FROM slots WHERE provider_id = ${me} ORDER BY starts_at DESC LIMIT 1), ''),
  ifnull((SELECT carried_to FROM hours WHERE provider_id = ${me}), ''))`;

/**
 * Sets all standing times of a client, and books at once what is published for them. A standing time that is left out
 * ends; its bookings stay. A repeat changes nothing.
 * @throws DomainError not_found (no such card, or service), conflict (the person has left), unauthenticated, invalid
 * (another zone was shown)
 */
export async function setStandingTimes(
  db: Db,
  links: Links,
  actor: Actor,
  { id, list }: { id: string; list: StandingInput[] },
  now: Instant,
): Promise<StandingTime[]> {
  const me = actor.accountId;
  const standing = await readMeant(db, actor, id, now);
  const { newcomer } = bookedAs(links, actor, standing, {
    id: 'standing',
    key: `${standing.card.id} ${standing.card.email}`,
    note: null,
    phone: null,
    submitted: null,
  });
  const card = standing.card.id;
  const timeList = JSON.stringify(
    list.map(({ day, start, every, from, until, service }) => [
      day,
      minuteOf(start),
      every / 7,
      from,
      until,
      service,
      links.guestIdOf('standing', me, card, String(day), start),
    ]),
  );
  const isKnown = sql`NOT EXISTS (SELECT 1 FROM json_each(${timeList}) AS wanted WHERE wanted.value ->> 5 IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM services WHERE services.provider_id = ${me} AND services.id = wanted.value ->> 5))`;
  const isAllowed = and(isLoggedIn(actor, now), isZoneOf(actor), isKnown) as SQL;
  const isSame = sql`day = wanted.value ->> 0 AND minute = wanted.value ->> 1`;
  const wantedField = (place: number) => sql.raw(`wanted.value ->> ${place}`);
  const today = todayIn(actor.timeZone, now);
  const {
    rows,
    known: [known],
    owner: [owner],
  } = await db.run({
    guest: insertGuest(newcomer, isAllowed, now),
    ended: orm
      .delete(table)
      .where(
        sql`${isOf(actor, card)} AND NOT EXISTS (SELECT 1 FROM json_each(${timeList}) AS wanted WHERE ${isSame}) AND ${isAllowed}`,
      ),
    changed:
      orm.run(sql`UPDATE standing_times SET weeks = ${wantedField(2)}, from_date = ${wantedField(3)}, until_date = ${wantedField(4)}, service_id = ${wantedField(5)},
        unkept = '[]', set_at = ${now}
      FROM json_each(${timeList}) AS wanted
      WHERE ${isOf(actor, card)} AND ${isSame} AND ${isAllowed}
        AND (weeks, from_date, ifnull(until_date, ''), ifnull(service_id, '')) <> (${wantedField(2)}, ${wantedField(3)}, ifnull(${wantedField(4)}, ''), ifnull(${wantedField(5)}, ''))`),
    set: insertFrom(
      table,
      {
        providerId: me,
        id: wantedField(6),
        personId: card,
        bookerId: newcomer.id,
        day: wantedField(0),
        minute: wantedField(1),
        weeks: wantedField(2),
        fromDate: wantedField(3),
        untilDate: wantedField(4),
        serviceId: wantedField(5),
        setAt: now,
      },
      sql`FROM json_each(${timeList}) AS wanted WHERE ${isAllowed} AND NOT EXISTS (
        SELECT 1 FROM standing_times WHERE ${isOf(actor, card)} AND ${isSame})`,
    ).onConflictDoNothing(),
    kept: keepStanding(
      spanOf(me, actor.timeZone, { from: sql`${today}`, to: lastPublished(me) }, [now, now + farthest]),
      { now, act: newId(), condition: and(isAllowed, sql`t.person_id = ${card}`) as SQL },
    ),
    rows: selectStandingTimes(actor, card, now),
    known: orm.select({ isKnown: sql<number>`${isKnown}`.as('is_known') }).from(sql`(SELECT 1)`),
    owner: selectOwner(actor, now),
  });
  const moved = inNewZone(actor, owner);
  if (moved) return setStandingTimes(db, links, moved, { id, list }, now);
  if (!known?.isKnown) throw notFound('service');
  db.changedPages.add(me);
  return withNearest(db, actor, rows, now);
}
