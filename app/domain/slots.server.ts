import { and, asc, desc, eq, gt, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../db/client';
import { newId } from '../../db/columns';
import { RuleBroken } from '../../db/errors';
import { accounts, refusals, slots } from '../../db/schema';
import type { Actor } from './accounts';
import { namedLike } from './accounts.server';
import type { Appointment, OpenSlotFilter, Publication } from './appointments';
import { appointment, publishedBy, selectAppointments } from './appointments.server';
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
  const once = oneTimeKey(db, `${actor.accountId}:CreateAppointment`, key, now);
  const publication = newId();
  const isZone = sql`EXISTS (SELECT 1 FROM accounts WHERE id = ${actor.accountId} AND time_zone = ${actor.timeZone})`;
  const isTemplate = input.templateId
    ? sql`EXISTS (SELECT 1 FROM templates
        WHERE id = ${input.templateId} AND provider_id = ${actor.accountId} AND retired_at IS NULL)`
    : sql`true`;
  const answer = sql`json_object('created', changes(), 'skipped', ${cut.length} - changes(), 'publication', ${publication})`;
  const isTooMany = sql`(SELECT count(*) FROM slots
    WHERE provider_id = ${actor.accountId} AND status = 0 AND starts_at > ${now}) > ${limits.openSlots}`;

  const batch = db.run(
    // What is refused now may have been answered earlier, when it was still right.
    once.claim(and(stands(actor, now), isZone, isTemplate, fault ? sql`false` : undefined) as SQL),
    db.orm.insert(slots).select(sql`
      SELECT lower(hex(randomblob(16))), ${actor.accountId}, city, cut.value ->> 0, cut.value ->> 1, cut.value ->> 2,
        ${actor.timeZone}, 0, ${input.notes}, ${input.templateId}, ${publication}, NULL, NULL
      FROM json_each(${JSON.stringify(cut)}) AS cut, accounts
      WHERE accounts.id = ${actor.accountId} AND ${once.isOurs}
      ORDER BY cut.key`),
    once.answer(answer),
    db.orm.insert(refusals).select(sql`SELECT 'too_many_open_slots' WHERE ${isTooMany}`),
    once.read(),
    db.orm.select({ timeZone: accounts.timeZone }).from(accounts).where(eq(accounts.id, actor.accountId)),
    db.orm
      .select({ stands: sql<number>`${stands(actor, now)}`.as('stands') })
      .from(accounts)
      .limit(1),
  );
  const [, , , , [stored], [owner], [session]] = await batch.catch((error: unknown) => {
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
    for (const { startsAt, endsAt } of cutDay({ date, start, end, zone, minutes: len })) {
      if (startsAt > now) cut.push([startsAt, endsAt, date]);
    }
    if (cut.length > limits.slotsPerCall) {
      const most = limits.slotsPerCall.toLocaleString('en');
      return refuse('dates', `That is more than ${most} slots at once. Choose fewer days or a greater length.`);
    }
  }
  return { cut };
}

/** What a publication of the actor's brought, by its one-time key; undefined where there is none. */
export async function findPublished(db: Db, actor: Actor, key: string, now: number): Promise<Published | undefined> {
  const [[stored]] = await db.run(oneTimeKey(db, `${actor.accountId}:CreateAppointment`, key, now).read());
  return stored?.answer as Published | undefined;
}

/** Open slots that have not begun, by start. Unknown providers and cities have none. */
export async function listOpenSlots(db: Db, filter: OpenSlotFilter, now: number): Promise<Page<Appointment>> {
  const { provider, location, dates, q, page } = filter;
  const [rows] = await db.run(
    selectAppointments(db)
      .where(
        and(
          eq(slots.status, status.open),
          gt(slots.startsAt, now),
          provider ? eq(slots.providerId, providerId(provider)) : undefined,
          location ? eq(slots.city, fold(location.trim())) : undefined,
          dates ? sql`${slots.localDate} IN (SELECT value FROM json_each(${JSON.stringify(dates)}))` : undefined,
          q?.trim() ? namedLike(q) : undefined,
        ),
      )
      .orderBy(asc(slots.startsAt), asc(slots.id))
      .limit(pageSize + 1)
      .offset(page * pageSize),
  );
  return pageOf(rows.map(appointment));
}

/** The provider's own open slots that have not begun, by start. */
export async function listOwnOpenSlots(db: Db, actor: Actor, page: number, now: number): Promise<Page<Appointment>> {
  const [rows] = await db.run(
    selectAppointments(db)
      .where(and(publishedBy(actor), eq(slots.status, status.open), gt(slots.startsAt, now)))
      .orderBy(asc(slots.startsAt), asc(slots.id))
      .limit(pageSize + 1)
      .offset(page * pageSize),
  );
  return pageOf(rows.map(appointment));
}

const providerId = (username: string) =>
  sql`(SELECT id FROM accounts WHERE username_folded = ${fold(username.trim())} AND role = 'Provider')`;

/** The provider's local dates that have an open slot that has not begun, ascending. */
export async function listOpenDates(db: Db, provider: string, now: number): Promise<LocalDate[]> {
  const [rows] = await db.run(
    db.orm
      .selectDistinct({ date: slots.localDate })
      .from(slots)
      .where(and(eq(slots.providerId, providerId(provider)), eq(slots.status, status.open), gt(slots.startsAt, now)))
      .orderBy(asc(slots.localDate)),
  );
  return rows.map(({ date }) => date);
}

/**
 * The free slots of the same provider with the same questions that start nearest to this one, at most three before and
 * three after, by start.
 */
export async function listNearestOpen(db: Db, id: string, now: number): Promise<Appointment[]> {
  const wanted = (column: string) => sql`(SELECT ${sql.identifier(column)} FROM slots WHERE id = ${id})`;
  const open = and(
    sql`${slots.providerId} = ${wanted('provider_id')}`,
    sql`${slots.templateId} IS ${wanted('template_id')}`,
    eq(slots.status, status.open),
    gt(slots.startsAt, now),
  );
  const [before, after] = await db.run(
    selectAppointments(db)
      .where(and(open, sql`${slots.startsAt} < ${wanted('starts_at')}`))
      .orderBy(desc(slots.startsAt))
      .limit(3),
    selectAppointments(db)
      .where(and(open, sql`${slots.startsAt} >= ${wanted('starts_at')}`))
      .orderBy(asc(slots.startsAt))
      .limit(3),
  );
  return [...before.reverse(), ...after].map(appointment);
}

/** Which of the provider's open slots to withdraw: one, those of one day, of one publication, or all. */
export type Withdrawal = { id: string } | { date: LocalDate } | { publication: string } | 'all';

/** Withdraws open slots that have not begun. @returns how many */
export async function withdrawSlots(db: Db, actor: Actor, which: Withdrawal, now: number): Promise<number> {
  const chosen =
    which === 'all'
      ? undefined
      : 'id' in which
        ? eq(slots.id, which.id)
        : 'date' in which
          ? eq(slots.localDate, which.date)
          : eq(slots.publication, which.publication);
  const [withdrawn] = await db.run(
    db.orm
      .update(slots)
      .set({ status: status.canceled, canceledAt: now, canceledBy: actor.accountId })
      .where(
        and(publishedBy(actor), eq(slots.status, status.open), gt(slots.startsAt, now), chosen, stands(actor, now)),
      )
      .returning({ id: slots.id }),
  );
  return withdrawn.length;
}
