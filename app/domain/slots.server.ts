import { and, asc, type Column, desc, eq, gt, gte, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { type Db, orm, statement } from '../../db/client';
import { newId } from '../../db/columns';
import { RuleBroken } from '../../db/errors';
import { accounts, cityDays, openDays, refusals, slots } from '../../db/schema';
import type { Actor } from './accounts';
import { namedLike } from './accounts.server';
import type { Appointment, OpenSlotFilter, Publication } from './appointments';
import { isIn, openColumns, openSlot, publishedBy, selectOpen } from './appointments.server';
import type { LocalDate } from './clock';
import { type DomainError, invalid, notLoggedIn } from './errors';
import { type Page, pageOf, pageSize } from './fields';
import { fold } from './fold';
import { oneTimeKey } from './keys.server';
import { limits } from './limits';
import { stands } from './sessions.server';
import { status } from './status';
import { noSuchTemplate } from './templates.server';
import { cutDay, isRangeOrdered, todayIn } from './time';

/** What came of a publication; `publication` is the name under which it can be undone. */
export type Published = { created: number; skipped: number; publication: string };

/**
 * Cuts the provider's days into slots and publishes those that overlap no open or booked slot of theirs, in one atomic
 * call. Days and times are in the provider's zone; of today only what has not begun. Sent again with the same key it
 * publishes nothing and answers the same.
 * @throws DomainError invalid (a past day, an end before the start, too many slots), not_found (the template)
 */
export async function publishSlots(
  db: Db,
  actor: Actor,
  input: Publication,
  { now, key }: { now: number; key: string },
): Promise<Published> {
  const { cut, fault } = cutPublication(input, actor.timeZone, now);
  const once = oneTimeKey(`${actor.accountId}:CreateAppointment`, key, now);
  const publication = newId();
  const isZone = sql`EXISTS (SELECT 1 FROM accounts WHERE id = ${actor.accountId} AND time_zone = ${actor.timeZone})`;
  const isTemplate = input.templateId
    ? sql`EXISTS (SELECT 1 FROM templates
        WHERE id = ${input.templateId} AND provider_id = ${actor.accountId} AND retired_at IS NULL)`
    : sql`true`;
  const answer = sql`json_object('created', changes(), 'skipped', ${cut.length} - changes(), 'publication', ${publication})`;
  // Counting them each time would read them all. The bound rises with what is published and is only counted down to the
  // truth when it says that there may be too many.
  const published = once.answered('created');
  const atMost = sql`CASE WHEN open_slots_at_most + ${published} <= ${limits.openSlots}
    THEN open_slots_at_most + ${published}
    ELSE (SELECT count(*) FROM slots WHERE provider_id = accounts.id AND status = 0 AND starts_at > ${now}) END`;

  const batch = db.run(
    // What is refused now may have been answered earlier, when it was still right.
    once.claim(and(stands(actor, now), isZone, isTemplate, fault ? sql`false` : undefined) as SQL),
    orm.insert(slots).select(sql`
      SELECT lower(hex(randomblob(16))), ${actor.accountId}, city, cut.value ->> 0, cut.value ->> 1, cut.value ->> 2,
        ${actor.timeZone}, 0, ${input.notes}, ${input.templateId}, ${publication}, NULL, NULL
      FROM json_each(${JSON.stringify(cut)}) AS cut, accounts
      WHERE accounts.id = ${actor.accountId} AND ${once.isOurs}
      ORDER BY cut.key`),
    once.answer(answer),
    orm
      .update(accounts)
      .set({ openSlotsAtMost: atMost })
      .where(and(eq(accounts.id, actor.accountId), sql`${published} IS NOT NULL`)),
    orm.insert(refusals).select(sql`SELECT 'too_many_open_slots' FROM accounts
      WHERE id = ${actor.accountId} AND open_slots_at_most > ${limits.openSlots}`),
    once.read(),
    orm.select({ timeZone: accounts.timeZone }).from(accounts).where(eq(accounts.id, actor.accountId)),
    orm
      .select({ stands: sql<number>`${stands(actor, now)}`.as('stands') })
      .from(accounts)
      .limit(1),
  );
  const [, , , , , [stored], [owner], [session]] = await batch.catch((error: unknown) => {
    if (error instanceof RuleBroken && error.rule === 'too_many_open_slots') throw tooMany();
    throw error;
  });

  if (stored) return stored.answer as Published;
  if (!session?.stands || !owner) throw notLoggedIn();
  // The zone was changed on another device after this one's cookie was made: cut the days again, in the right zone.
  if (owner.timeZone !== actor.timeZone) {
    return publishSlots(db, { ...actor, timeZone: owner.timeZone }, input, { now, key });
  }
  throw fault ?? noSuchTemplate();
}

const tooMany = () =>
  invalid(
    'dates',
    `You can have at most ${limits.openSlots.toLocaleString('en')} open slots at a time. Nothing was created.`,
  );

type Cut = [startsAt: number, endsAt: number, date: LocalDate][];

/** Every slot that has not begun, or what is wrong with the publication. */
function cutPublication(input: Publication, zone: string, now: number): { cut: Cut; fault?: DomainError } {
  const refuse = (field: string, message: string) => ({ cut: [], fault: invalid(field, message) });
  const { start, end, dates, len } = input;
  if (!isRangeOrdered(start, end)) return refuse('end', 'The end time must be after the start time.');
  const today = todayIn(zone, now);
  if (dates.some((date) => date < today)) return refuse('dates', 'Choose days that are not in the past.');
  const cut: Cut = [];
  for (const date of dates) {
    const day = cutDay({ date, start, end, zone, minutes: len }).filter(({ startsAt }) => startsAt > now);
    // The last one first: then the first and the last of the day are known, and its row in open_days stays as it is.
    for (const { startsAt, endsAt } of [...day.slice(-1), ...day.slice(0, -1)]) cut.push([startsAt, endsAt, date]);
    if (cut.length > limits.slotsPerCall) {
      const most = limits.slotsPerCall.toLocaleString('en');
      return refuse('dates', `That is more than ${most} slots at once. Choose fewer days or a greater length.`);
    }
  }
  return { cut };
}

/** What a publication of the actor's brought, by its one-time key; undefined where there is none. */
export async function findPublished(db: Db, actor: Actor, key: string, now: number): Promise<Published | undefined> {
  const [[stored]] = await db.run(oneTimeKey(`${actor.accountId}:CreateAppointment`, key, now).read());
  return stored?.answer as Published | undefined;
}

type Listing = {
  provider: string;
  city: string;
  /** A JSON list. */
  dates: string;
  /** Between which instants those dates lie, wherever on earth. */
  from: number;
  until: number;
  q: string;
  now: number;
  skip: number;
};
type Given = { [Name in keyof Listing]: Placeholder };
/** Which of the filters are set; each combination is a statement of its own. */
type Shape = { provider: boolean; city: boolean; dates: boolean; q: boolean };

const isToCome = ({ now }: Given) => and(isIn(status.open), gt(slots.startsAt, now));
const isAmong = (date: Column, { dates }: Given) => sql`${date} IN (SELECT value FROM json_each(${dates}))`;
const isThere = ({ city }: Shape, given: Given) => (city ? eq(slots.city, given.city) : undefined);
const isOfDay = (day: typeof openDays | typeof cityDays) =>
  sql`${slots.startsAt} BETWEEN ${day.firstAt} AND ${day.lastAt} AND ${slots.localDate} = ${day.localDate}`;
const isWho = ({ q }: Shape, given: Given) =>
  and(
    eq(accounts.usernameFolded, given.provider),
    sql`${accounts.role} = 'Provider'`,
    q ? namedLike(given.q) : undefined,
  );

/**
 * A page of open slots, each combination of filters read along an index, so that nothing is read that is not shown:
 * by start those of one provider, of a city or of all; those of chosen days day by day, from where each day begins.
 */
const openSlots = (shape: Shape) =>
  statement<Listing>()((given) => {
    const { provider, city, dates, q } = shape;
    const byStart = [asc(slots.startsAt), asc(slots.id)];
    const rows = () => {
      if (provider && dates) {
        return orm
          .select(openColumns)
          .from(accounts)
          .crossJoin(openDays)
          .crossJoin(slots)
          .where(
            and(
              isWho(shape, given),
              and(
                eq(openDays.providerId, accounts.id),
                isAmong(openDays.localDate, given),
                gt(openDays.lastAt, given.now),
              ),
              and(eq(slots.providerId, accounts.id), isToCome(given), isOfDay(openDays), isThere(shape, given)),
            ),
          )
          .orderBy(asc(openDays.localDate), ...byStart);
      }
      if (provider)
        return selectOpen()
          .where(and(isWho(shape, given), isToCome(given), isThere(shape, given)))
          .orderBy(...byStart);
      if (q) {
        return selectOpen()
          .where(sql`${slots.id} IN ${earliestOf(shape, given)}`)
          .orderBy(...byStart);
      }
      if (city && dates) {
        return orm
          .select(openColumns)
          .from(cityDays)
          .crossJoin(slots)
          .innerJoin(accounts, eq(accounts.id, slots.providerId))
          .where(
            and(
              and(eq(cityDays.city, given.city), isAmong(cityDays.localDate, given), gt(cityDays.lastAt, given.now)),
              and(isThere(shape, given), isToCome(given), isOfDay(cityDays)),
            ),
          )
          .orderBy(asc(cityDays.localDate), ...byStart);
      }
      const isThen = sql`${slots.startsAt} BETWEEN ${given.from} AND ${given.until}`;
      return selectOpen()
        .where(
          and(isToCome(given), isThere(shape, given), dates ? and(isThen, isAmong(slots.localDate, given)) : undefined),
        )
        .orderBy(...byStart);
    };
    return q && !provider
      ? rows()
      : rows()
          .limit(pageSize + 1)
          .offset(given.skip);
  });

/**
 * The slots of a page of those whose provider's name is searched for: the earliest one of each such provider (and of
 * each chosen day) waits in a queue; whichever leaves it is followed by the next of the same provider.
 */
function earliestOf({ city, dates }: Shape, given: Given): SQL {
  const next = (of: string, condition: SQL) => sql`slots.id = (
    SELECT id FROM slots WHERE provider_id = ${sql.raw(of)}.provider_id AND status = 0 AND ${condition}
    ORDER BY starts_at LIMIT 1)`;
  const isDay = (of: string) => (dates ? sql`AND local_date = ${sql.raw(of)}.local_date` : sql``);
  return sql`(
    WITH RECURSIVE named AS (
      SELECT DISTINCT provider_id FROM provider_names WHERE ending >= ${given.q} AND ending < ${given.q} || char(1114111)
    ), queue AS (
      SELECT slots.id, slots.provider_id, slots.starts_at, slots.local_date
      FROM named
        ${city ? sql`JOIN accounts ON accounts.id = provider_id AND accounts.city = ${given.city}` : sql``}
        ${
          dates
            ? sql`JOIN open_days AS day ON day.provider_id = named.provider_id
                AND local_date IN (SELECT value FROM json_each(${given.dates})) AND last_at > ${given.now}
              JOIN slots ON ${next('day', sql`starts_at > ${given.now} AND starts_at BETWEEN first_at AND last_at ${isDay('day')}`)}`
            : sql`JOIN slots ON ${next('named', sql`starts_at > ${given.now}`)}`
        }
      UNION ALL
      SELECT slots.id, slots.provider_id, slots.starts_at, slots.local_date
      FROM queue JOIN slots ON ${next('queue', sql`starts_at > queue.starts_at ${isDay('queue')}`)}
      ORDER BY 3, 1 LIMIT ${sql.raw(String(pageSize + 1))} OFFSET ${given.skip}
    ) SELECT id FROM queue)`;
}

const listings = new Map<string, ReturnType<typeof openSlots>>();
const halfDay = 14 * 60 * 60 * 1000;

/**
 * Open slots that have not begun, by start; unknown providers and cities have none. Where a provider or a city has slots
 * in two time zones, chosen days follow each other day by day.
 */
export async function listOpenSlots(db: Db, filter: OpenSlotFilter, now: number): Promise<Page<Appointment>> {
  const { provider, location, dates, q, page } = filter;
  const shape: Shape = {
    provider: Boolean(provider),
    city: Boolean(location),
    dates: Boolean(dates),
    q: Boolean(q?.trim()),
  };
  const key = JSON.stringify(shape);
  const select = listings.get(key) ?? openSlots(shape);
  listings.set(key, select);
  const [rows] = await db.run(
    select({
      provider: fold(provider?.trim() ?? ''),
      city: fold(location?.trim() ?? ''),
      dates: JSON.stringify(dates ?? []),
      from: Date.parse(dates?.[0] ?? '') - halfDay,
      until: Date.parse(dates?.at(-1) ?? '') + 24 * 60 * 60 * 1000 + halfDay,
      q: fold(q?.trim() ?? ''),
      now,
      skip: page * pageSize,
    }),
  );
  return pageOf(rows.map(openSlot).sort((one, other) => one.startsAt - other.startsAt));
}

const ownOpen = statement<{ me: string; now: number; skip: number }>()(({ me, now, skip }) =>
  selectOpen()
    .where(and(eq(slots.providerId, me), isIn(status.open), gt(slots.startsAt, now)))
    .orderBy(asc(slots.startsAt), asc(slots.id))
    .limit(pageSize + 1)
    .offset(skip),
);

/** The provider's own open slots that have not begun, by start. */
export async function listOwnOpenSlots(db: Db, actor: Actor, page: number, now: number): Promise<Page<Appointment>> {
  const [rows] = await db.run(ownOpen({ me: actor.accountId, now, skip: page * pageSize }));
  return pageOf(rows.map(openSlot));
}

const openDates = statement<{ provider: string; earliest: string; now: number }>()(({ provider, earliest, now }) =>
  orm
    .select({ date: openDays.localDate })
    .from(openDays)
    .where(
      and(
        sql`${openDays.providerId} = (SELECT id FROM accounts WHERE username_folded = ${provider} AND role = 'Provider')`,
        gte(openDays.localDate, earliest),
        gt(openDays.lastAt, now),
      ),
    )
    .orderBy(asc(openDays.localDate)),
);

/** The provider's local dates that have an open slot that has not begun, ascending. */
export async function listOpenDates(db: Db, provider: string, now: number): Promise<LocalDate[]> {
  // Nowhere is it an earlier date; days that are over are so not read.
  const earliest = todayIn('Etc/GMT+12', now);
  const [rows] = await db.run(openDates({ provider: fold(provider.trim()), earliest, now }));
  return rows.map(({ date }) => date);
}

/** How many of the nearest free slots are looked at for some with the same questions. */
const nearby = sql.raw('50');

const nearest = (isBefore: boolean) =>
  statement<{ id: string; now: number }>()(({ id, now }) => {
    const wanted = (column: string) => sql`(SELECT ${sql.identifier(column)} FROM slots WHERE id = ${id})`;
    return selectOpen()
      .where(
        and(
          sql`${slots.id} IN (SELECT id FROM slots
            WHERE provider_id = ${wanted('provider_id')} AND status = 0 AND starts_at > ${now}
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
 * The free slots of the same provider with the same questions that start nearest to this one, at most three before and
 * three after, by start.
 */
export async function listNearestOpen(db: Db, id: string, now: number): Promise<Appointment[]> {
  const [before, after] = await db.run(nearestBefore({ id, now }), nearestAfter({ id, now }));
  return [...before.reverse(), ...after].map(openSlot);
}

/** Which of the provider's open slots to withdraw: one, those of one day, of one publication, or all. */
export type Withdrawal = { id: string } | { date: LocalDate } | { publication: string } | 'all';

const dayOf = ({ accountId }: Actor, date: LocalDate, end: 'first_at' | 'last_at') =>
  sql`(SELECT ${sql.identifier(end)} FROM open_days WHERE provider_id = ${accountId} AND local_date = ${date})`;

/** Withdraws open slots that have not begun. @returns how many */
export async function withdrawSlots(db: Db, actor: Actor, which: Withdrawal, now: number): Promise<number> {
  const chosen =
    which === 'all'
      ? undefined
      : 'id' in which
        ? eq(slots.id, which.id)
        : 'date' in which
          ? and(
              eq(slots.localDate, which.date),
              sql`${slots.startsAt} BETWEEN ${dayOf(actor, which.date, 'first_at')} AND ${dayOf(actor, which.date, 'last_at')}`,
            )
          : eq(slots.publication, which.publication);
  const [withdrawn] = await db.run(
    orm
      .update(slots)
      .set({ status: status.canceled, canceledAt: now, canceledBy: actor.accountId })
      .where(and(publishedBy(actor), isIn(status.open), gt(slots.startsAt, now), chosen, stands(actor, now)))
      .returning({ id: slots.id }),
  );
  return withdrawn.length;
}
