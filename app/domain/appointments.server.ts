import { and, asc, desc, eq, gt, inArray, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { Db } from '../../db/client';
import { newId } from '../../db/columns';
import { RuleBroken } from '../../db/errors';
import { accounts, bookings, cities, refusals, slots } from '../../db/schema';
import type { Actor } from './accounts';
import { namedLike } from './accounts.server';
import { readAnswers } from './answers';
import type { AgendaFilter, Appointment, OpenSlotFilter, Publication } from './appointments';
import type { LocalDate } from './clock';
import { conflict, type DomainError, invalid, notFound, notLoggedIn } from './errors';
import { type Page, pageOf, pageSize } from './fields';
import { fold } from './fold';
import { oneTimeKey } from './keys.server';
import { limits } from './limits';
import type { Answer, Question } from './questions';
import { stands } from './sessions.server';
import { type Status, status } from './status';
import { findTemplateOfSlot, noSuchTemplate } from './templates.server';
import { cutDay, isRangeOrdered, todayIn } from './time';

const day = 24 * 60 * 60 * 1000;

const booker = alias(accounts, 'booker');

// Inside a batch two columns of one SQL name overwrite each other, so those of joined tables get names of their own.
const columns = {
  id: slots.id,
  provider: sql<string>`${accounts.username}`.as('provider'),
  providerName: sql<string>`${accounts.displayName}`.as('provider_name'),
  location: sql<string>`${cities.name}`.as('location'),
  username: sql<string | null>`${booker.username}`.as('booker'),
  bookerName: sql<string | null>`${booker.displayName}`.as('booker_name'),
  startsAt: slots.startsAt,
  endsAt: slots.endsAt,
  date: slots.localDate,
  timeZone: slots.timeZone,
  status: slots.status,
  notes: slots.notes,
  templateId: slots.templateId,
  answers: bookings.answers,
  bookerId: bookings.bookerId,
  canceledAt: slots.canceledAt,
};

const selectAppointments = (db: Db) =>
  db.orm
    .select(columns)
    .from(slots)
    .innerJoin(accounts, eq(accounts.id, slots.providerId))
    .innerJoin(cities, eq(cities.folded, slots.city))
    .leftJoin(bookings, eq(bookings.slotId, slots.id))
    .leftJoin(booker, eq(booker.id, bookings.bookerId));

type Row = Awaited<ReturnType<typeof selectAppointments>>[number];
const appointment = ({ bookerId: _, ...row }: Row): Appointment => ({ ...row, answers: row.answers ?? [] });

const gone = () => conflict('This appointment has just been booked by someone else.');
const started = () => conflict('This appointment has already started.');
const missing = () => notFound('appointment');

const heldBy = (actor: Actor) => eq(bookings.bookerId, actor.accountId);
const publishedBy = (actor: Actor) => eq(slots.providerId, actor.accountId);

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

/**
 * One appointment: an open one for anyone, a booked or canceled one for its booker and its provider.
 * @throws DomainError not_found
 */
export async function getAppointment(db: Db, actor: Actor, id: string): Promise<Appointment> {
  const found = await findAppointment(db, actor, id);
  if (!found) throw missing();
  return found;
}

/** A slot of the actor's own, in any state. @throws DomainError not_found */
export async function getOwnSlot(db: Db, actor: Actor, id: string): Promise<Appointment> {
  const [[row]] = await db.run(selectAppointments(db).where(and(eq(slots.id, id), publishedBy(actor))));
  if (!row) throw missing();
  return appointment(row);
}

/** As getAppointment, but undefined where there is none to see. */
export async function findAppointment(db: Db, actor: Actor, id: string): Promise<Appointment | undefined> {
  const visible = or(eq(slots.status, status.open), publishedBy(actor), heldBy(actor));
  const [[row]] = await db.run(selectAppointments(db).where(and(eq(slots.id, id), visible)));
  return row && appointment(row);
}

/** The actor's booked appointments that overlap this slot. */
export async function listOverlapping(db: Db, actor: Actor, id: string): Promise<Appointment[]> {
  const wanted = alias(slots, 'wanted');
  const [rows] = await db.run(
    selectAppointments(db)
      .innerJoin(wanted, eq(wanted.id, id))
      .where(
        and(
          heldBy(actor),
          eq(slots.status, status.booked),
          gt(bookings.startsAt, sql`${wanted.startsAt} - ${day}`),
          lt(bookings.startsAt, wanted.endsAt),
          gt(slots.endsAt, wanted.startsAt),
          sql`${slots.id} <> ${id}`,
        ),
      )
      .orderBy(asc(slots.startsAt)),
  );
  return rows.map(appointment);
}

/** The answers that came, once it is known what was asked: a form names its fields by question. */
type Sent = (questions: Question[]) => Answer[];

/**
 * Books an open slot for the actor, with the answers to its questions in the same step. Of any number who try at once
 * one wins; a repeat by the winner answers the same.
 * @param sent the answers; null books with the answers owed, which only a slot without questions allows where `isWhole`
 * @throws DomainError not_found, conflict (someone else was first, or it has begun), invalid (the answers)
 */
export async function bookAppointment(
  db: Db,
  actor: Actor,
  { id, sent, isWhole }: { id: string; sent: Sent | null; isWhole?: boolean },
  now: number,
): Promise<Appointment> {
  const answers = sent && (await readAnswersFor(db, actor, id, sent, now));
  const isComplete = isWhole && !sent ? sql`template_id IS NULL` : sql`true`;
  const [, , [row]] = await db.run(
    db.orm.insert(bookings).select(sql`
      SELECT id, ${actor.accountId}, starts_at, ${now}, ${JSON.stringify(answers ?? [])}, ${answers && now} FROM slots
      WHERE id = ${id} AND status = ${status.open} AND starts_at > ${now} AND ${isComplete} AND ${stands(actor, now)}`),
    db.orm
      .update(slots)
      .set({ status: status.booked })
      .where(
        and(
          eq(slots.id, id),
          eq(slots.status, status.open),
          sql`EXISTS (SELECT 1 FROM bookings WHERE slot_id = ${id} AND booker_id = ${actor.accountId})`,
        ),
      ),
    selectAppointments(db).where(eq(slots.id, id)),
  );
  if (!row) throw missing();
  if (row.status === status.booked && row.bookerId === actor.accountId) return appointment(row);
  refuseUnlessFree(row, now);
  throw invalid(null, 'Please answer the questions first.');
}

/** @throws DomainError conflict where a slot can't be booked (any more) */
function refuseUnlessFree({ status: state, startsAt }: Pick<Row, 'status' | 'startsAt'>, now: number): void {
  if (state !== status.open) throw gone();
  if (startsAt <= now) throw started();
}

/** Judges answers to a slot's questions after the slot itself. The slot's template never changes, so neither can they. */
async function readAnswersFor(db: Db, actor: Actor, id: string, sent: Sent, now: number): Promise<Answer[]> {
  const [[[row]], template] = await Promise.all([
    db.run(selectAppointments(db).where(eq(slots.id, id))),
    findTemplateOfSlot(db, id),
  ]);
  if (!row) throw missing();
  const isMine = row.status === status.booked && row.bookerId === actor.accountId;
  if (!isMine) refuseUnlessFree(row, now);
  const questions = template?.questions ?? [];
  return isMine ? (row.answers ?? []) : readAnswers(questions, sent(questions));
}

/**
 * Sets the answers of the actor's booked appointment, until it starts. The whole form replaces what was answered before.
 * @throws DomainError not_found (not its booker), conflict (canceled, started, or it asks nothing), invalid
 */
export async function submitAnswers(
  db: Db,
  actor: Actor,
  { id, sent }: { id: string; sent: Sent },
  now: number,
): Promise<Appointment> {
  const own = selectAppointments(db).where(and(eq(slots.id, id), heldBy(actor)));
  const [[[row]], template] = await Promise.all([db.run(own), findTemplateOfSlot(db, id)]);
  if (!row) throw missing();
  if (row.status !== status.booked) throw conflict('This appointment is canceled.');
  if (row.startsAt <= now) throw started();
  if (!template) throw conflict('This appointment asks no questions.');
  const answers = readAnswers(template.questions, sent(template.questions));
  const [, [saved]] = await db.run(
    db.orm
      .update(bookings)
      .set({ answers, answeredAt: now })
      .where(
        and(
          eq(bookings.slotId, id),
          heldBy(actor),
          sql`EXISTS (SELECT 1 FROM slots WHERE id = ${id} AND status = ${status.booked} AND starts_at > ${now})`,
          stands(actor, now),
        ),
      ),
    own,
  );
  if (saved?.status !== status.booked) throw conflict('This appointment is canceled.');
  return appointment(saved);
}

/**
 * Cancels a booked appointment, or withdraws an open slot. What a consumer cancels is published again in the same step,
 * as a new open slot with the same time, notes and template. A repeat answers the same.
 * @throws DomainError not_found (neither its booker nor its provider), conflict (it has begun)
 */
export async function cancelAppointment(db: Db, actor: Actor, id: string, now: number): Promise<Appointment> {
  const mine = sql`(provider_id = ${actor.accountId}
    OR (status <> ${status.open} AND EXISTS (SELECT 1 FROM bookings WHERE slot_id = slots.id AND booker_id = ${actor.accountId})))`;
  const justCanceledByBooker = sql`id = ${id} AND canceled_at = ${now} AND canceled_by = ${actor.accountId}
    AND provider_id <> ${actor.accountId}`;
  const [, , , [row]] = await db.run(
    db.orm
      .update(slots)
      .set({ status: status.canceled, canceledAt: now, canceledBy: actor.accountId })
      .where(
        and(
          eq(slots.id, id),
          inArray(slots.status, [status.open, status.booked]),
          gt(slots.startsAt, now),
          mine,
          stands(actor, now),
        ),
      ),
    db.orm.insert(slots).select(sql`
      SELECT ${newId()}, provider_id, (SELECT city FROM accounts WHERE id = provider_id), starts_at, ends_at, local_date,
        time_zone, ${status.open}, notes, template_id, publication, NULL, NULL
      FROM slots WHERE ${justCanceledByBooker}`),
    db.orm.insert(refusals).select(sql`
      SELECT 'not_republished' FROM slots AS old WHERE ${justCanceledByBooker} AND NOT EXISTS (
        SELECT 1 FROM slots AS new
        WHERE new.provider_id = old.provider_id AND new.status < ${status.canceled} AND new.starts_at = old.starts_at)`),
    selectAppointments(db).where(and(eq(slots.id, id), or(publishedBy(actor), heldBy(actor)))),
  );
  if (!row) throw missing();
  if (row.status !== status.canceled) throw started();
  return appointment(row);
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

/**
 * The actor's own appointments of the given states: those of their slots for a provider, those they booked for a
 * consumer. By start those that have not ended; with `past` the ended ones, newest first.
 */
export async function listAgenda(
  db: Db,
  actor: Actor,
  { states, past, page }: AgendaFilter & { states: Status[] },
  now: number,
): Promise<Page<Appointment>> {
  const isProvider = actor.role === 'Provider';
  const startsAt = isProvider ? slots.startsAt : bookings.startsAt;
  const [rows] = await db.run(
    selectAppointments(db)
      .where(
        and(
          isProvider ? publishedBy(actor) : heldBy(actor),
          inArray(slots.status, states),
          // A slot lasts a day at most, so the index by start finds what has not ended.
          past ? and(lt(startsAt, now), lte(slots.endsAt, now)) : and(gt(startsAt, now - day), gt(slots.endsAt, now)),
        ),
      )
      .orderBy(...(past ? [desc(startsAt), desc(slots.id)] : [asc(startsAt), asc(slots.id)]))
      .limit(pageSize + 1)
      .offset(page * pageSize),
  );
  return pageOf(rows.map(appointment));
}

/** What a publication of the actor's brought, by its one-time key; undefined where there is none. */
export async function findPublished(db: Db, actor: Actor, key: string, now: number): Promise<Published | undefined> {
  const [[stored]] = await db.run(oneTimeKey(db, `${actor.accountId}:CreateAppointment`, key, now).read());
  return stored?.answer as Published | undefined;
}
