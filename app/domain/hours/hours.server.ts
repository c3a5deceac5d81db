import { createHash } from 'node:crypto';
import { and, between, eq, ne, or, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { newId } from '../../../db/columns';
import { insertFrom } from '../../../db/insert';
import { ownedBy } from '../../../db/owned-by';
import { accounts, bookings, slots, hours as table, templates } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { isMadeByHours, isOpen, madeBy, slotState, stands } from '../../../db/states';
import type { Appointment } from '../bookings/appointments';
import { offerOpened, runAfterHolds } from '../bookings/holds.server';
import { limits } from '../input/limits';
import { inNewZone, isLoggedIn, isZoneOf, selectOwner } from '../login/sessions.server';
import { isUntold, type Way } from '../messages/ways';
import { aboutBooking, type TextAbout } from '../people/texts.server';
import type { Actor } from '../profile/accounts';
import { areAsRead, selectAsRead } from '../services/cuts.server';
import { limitOpenSlots, sayTooManyOpen, tooManyOpen } from '../slots/open-slots-limit.server';
import { bookStanding, spansOf } from '../slots/standing-dates.server';
import { isCurrentTemplate, noSuchTemplate } from '../templates/templates.server';
import { addDays, day, type Instant } from '../time/clock';
import { endOfDay, todayIn } from '../time/zones';
import {
  type CallOff,
  callOffOutside,
  countCalledOff,
  countMissing,
  countUnwanted,
  findOutside,
  isLeftBy,
  isMarkedAsLeft,
  matchSlots,
  planOf,
  stampOf,
  timesOf,
} from './applying.server';
import { completePlan, withLengthAndGap } from './completed-plan.server';
import type { Hours, HoursInput } from './hours';
import type { ExistingSlot } from './picture';
import { type PlannedSlot, wantedSlots } from './planned-slots';

export type Change = { created: number; withdrawn: number };

/** The limit of open slots, and some more for slots that are booked or withdrawn. */
const mostWanted = limits.openSlots + 2000;

/** @throws DomainError invalid (more than may ever be open) */
function wantedFrom(hours: Hours, zone: string, now: Instant) {
  const today = todayIn(zone, now);
  const carriedTo = addDays(today, hours.ahead);
  const planned = wantedSlots(hours, zone, { from: today, to: carriedTo, now, most: mostWanted });
  if (planned.length > mostWanted) throw tooManyOpen('hours');
  return { wanted: planned, carriedTo, nextAt: endOfDay(today, zone) };
}

/** SQL: the template or the notes as they were before this change. */
const valueBefore = (actor: Actor, column: 'template_id' | 'notes') =>
  sql`(SELECT ${sql.identifier(column)} FROM hours WHERE ${ownedBy(actor)})`;

/** SQL: the questions of the slot's service, or these if it has none. */
const questionsBy = (templateId: string | null) => sql`ifnull((SELECT services.template_id FROM services
  WHERE services.provider_id = slots.provider_id AND services.id = slots.service_id), ${templateId})`;

/** A hash of the one-time key, the zone and the hours. A repeat has the same one, and changes nothing. */
const saveKeyOf = (actor: Actor, hours: Hours, key: string) =>
  createHash('sha256')
    .update(JSON.stringify([key, actor.timeZone, hours]))
    .digest('base64url');

/**
 * Sets the actor's hours, and publishes and deletes slots to match. Some slots stay: booked ones, those published by
 * hand, and times that the provider withdrew or canceled. A repeat with the same key returns the first result.
 * @param callOff bookings to cancel in the same step, where they are outside of the new hours
 * @throws DomainError unauthenticated, invalid (too many slots, another zone was shown, not the service's length),
 * not_found
 */
export async function setHours(
  db: Db,
  actor: Actor,
  input: HoursInput,
  now: Instant,
  key: string = newId(),
  callOff: CallOff | null = null,
): Promise<Change & { canceled: number }> {
  const hours = await withLengthAndGap(db, actor, input);
  const { wanted, carriedTo, nextAt } = wantedFrom(hours, actor.timeZone, now);
  const times = timesOf(wanted);
  const saveKey = saveKeyOf(actor, hours, key);
  const { notes, templateId, cuts, ...plan } = hours;
  const isAllowed = and(
    isLoggedIn(actor, now),
    isZoneOf(actor),
    isCurrentTemplate(actor, templateId),
    areAsRead(actor, cuts),
  ) as SQL;
  const isOtherNote = sql`(notes IS NOT ${notes} AND ${valueBefore(actor, 'notes')} IS NOT ${notes})`;
  const isAskedAnew = sql`(starts_at > ${now} AND taken = 0 AND template_id IS NOT ${questionsBy(templateId)}
    AND ${valueBefore(actor, 'template_id')} IS NOT ${templateId})`;
  const isRepeat = sql`EXISTS (SELECT 1 FROM hours WHERE ${ownedBy(actor)} AND version = ${saveKey})`;
  const row = {
    providerId: actor.accountId,
    plan,
    notes,
    templateId,
    lostTemplateId: null,
    saveKey,
    carriedTo,
    nextAt,
  };
  const publishing = planOf(actor.accountId, stampOf(saveKey, carriedTo), wanted);
  // Stored for a client who did not get the response, and counted before any slot comes or goes. What can be published is counted again
  // if canceled bookings or dropped holds have made room.
  const counts = {
    withdrawn: sql`(${countUnwanted(actor.accountId, times, now)})`,
    created: sql`(${countMissing(publishing, now)})`,
  };
  // Notes and questions change while the row still has the former ones to compare with. The row is stored before any slot comes or
  // goes: it counts them beforehand, and slots are published by its stamp alone. What is booked outside of the hours is marked,
  // so that it can be called off; then unwanted slots go, so that missing ones find their time free. Standing times are booked
  // before anybody in line is offered the rest. The limit comes last, because it counts what is there then.
  const batch = runAfterHolds(db, now, {
    changed: orm
      .update(slots)
      .set({
        notes: sql`iif(${isOtherNote}, ${notes}, notes)`,
        templateId: sql`iif(${isAskedAnew}, ${questionsBy(templateId)}, template_id)`,
      })
      .where(and(ownedBy(actor, slots), isOpen(slots), isMadeByHours(), or(isOtherNote, isAskedAnew), isAllowed)),
    set: insertFrom(table, { ...row, ...counts }, sql`WHERE ${isAllowed} AND NOT ${isRepeat}`).onConflictDoUpdate({
      target: table.providerId,
      set: { ...row, withdrawn: sql`excluded.withdrawn`, created: sql`excluded.created` },
    }),
    ...matchSlots(publishing, {
      times,
      condition: isAllowed,
      calledOff: callOff && callOffOutside(actor, callOff, isAllowed, now),
      stamped: orm
        .update(table)
        .set({ carriedTo, nextAt, created: counts.created })
        .where(and(ownedBy(actor, table), eq(table.saveKey, saveKey), ne(table.carriedTo, carriedTo), isAllowed)),
      now,
    }),
    standing: bookStanding(
      spansOf([{ provider: actor.accountId, zone: actor.timeZone, from: todayIn(actor.timeZone, now), to: carriedTo }]),
      { now, act: newId(), condition: isAllowed },
    ),
    offered: offerOpened(sql`(${actor.accountId})`, {
      from: now,
      until: nextAt + (hours.ahead + 2) * day,
      now,
      condition: isAllowed,
    }),
    ...limitOpenSlots(actor.accountId, { added: sql`${wanted.length}`, isAdded: isAllowed }, now),
    saved: orm
      .select({ saveKey: table.saveKey, created: table.created, withdrawn: table.withdrawn })
      .from(table)
      .where(ownedBy(actor, table)),
    canceled: callOff ? countCalledOff(actor, callOff) : undefined,
    known: cuts && selectAsRead(actor, cuts),
    owner: selectOwner(actor, now),
  });
  const {
    saved: [saved],
    canceled,
    known,
    owner: [owner],
  } = await batch.catch(sayTooManyOpen('hours'));
  if (saved?.saveKey === saveKey) {
    return { created: saved.created, withdrawn: saved.withdrawn, canceled: canceled?.[0]?.count ?? 0 };
  }
  const moved = inNewZone(actor, owner);
  if (moved || known?.[0]?.isKnown === 0) return setHours(db, moved ?? actor, input, now, key, callOff);
  throw noSuchTemplate();
}

type OutsideBooking = Pick<Appointment, 'id' | 'startsAt' | 'endsAt' | 'date' | 'timeZone'> & {
  name: string;
  phone: string | null;
  way: Way;
  /** What a text to them is about; null if they are told, or have no number. */
  about: TextAbout | null;
};
type OutsideRow = Omit<OutsideBooking, 'about'> & { lang: string | null; linkSource: string | null; count: number };
/** The first bookings outside of the hours, and how many there are. */
export type Outside = { outsideCount: number; outside: OutsideBooking[] };

const outsideFrom = (rows: OutsideRow[]): Outside => ({
  outsideCount: rows[0]?.count ?? 0,
  outside: rows.map(({ count: _, lang, linkSource, ...booking }) => ({
    ...booking,
    about: isUntold(booking.way) ? aboutBooking(booking, { lang, linkSource }, booking.phone) : null,
  })),
});

/** Lists what is booked outside of the actor's hours. */
export async function listOutside(
  db: Db,
  { accountId }: Actor,
  when: { hasMail: boolean; now: Instant },
): Promise<Outside> {
  const { rows } = await db.run({ rows: findOutside(accountId, isMarkedAsLeft, when) });
  return outsideFrom(rows);
}

export type Preview = Change & Outside & { wanted: PlannedSlot[] };

/** Counts what `setHours` would do, and changes nothing. @throws DomainError as setHours */
export async function previewHours(
  db: Db,
  actor: Actor,
  input: HoursInput,
  now: Instant,
  hasMail = true,
): Promise<Preview> {
  const hours = await withLengthAndGap(db, actor, input);
  const { wanted } = wantedFrom(hours, actor.timeZone, now);
  const times = timesOf(wanted);
  const {
    missing: [missing],
    unwanted: [unwanted],
    outside,
    open: [open],
    allowed: [allowed],
    owner: [owner],
  } = await db.run({
    missing: countMissing(planOf(actor.accountId, '', wanted), now),
    unwanted: countUnwanted(actor.accountId, times, now),
    outside: findOutside(actor.accountId, isLeftBy(times), { hasMail, now }),
    open: orm
      .select({
        count: sql<number>`CASE WHEN open_slots_at_most + ${wanted.length} <= ${limits.openSlots} THEN 0
          ELSE (SELECT count(*) FROM slots WHERE provider_id = accounts.id AND ${isOpen()} AND starts_at > ${now}) END`.as(
          'count',
        ),
      })
      .from(accounts)
      .where(eq(accounts.id, actor.accountId)),
    allowed: orm
      .select({ template: sql<number>`${isCurrentTemplate(actor, hours.templateId)}`.as('template') })
      .from(sql`(SELECT 1)`),
    owner: selectOwner(actor, now),
  });
  const moved = inNewZone(actor, owner);
  if (moved) return previewHours(db, moved, input, now, hasMail);
  if (!allowed?.template) throw noSuchTemplate();
  const [created, withdrawn] = [missing?.created ?? 0, unwanted?.withdrawn ?? 0];
  if (created > 0 && (open?.count ?? 0) + created - withdrawn > limits.openSlots) throw tooManyOpen('hours');
  return {
    created,
    withdrawn,
    ...outsideFrom(outside),
    wanted,
  };
}

/** Lists the actor's slots of the coming days, and the times that the actor withdrew or canceled. */
export async function listExistingSlots(db: Db, actor: Actor, days: number, now: Instant): Promise<ExistingSlot[]> {
  const { startsAt, endsAt, localDate: date, serviceId, state, taken, madeBy: maker } = slots;
  const takenUntil = sql<Instant | null>`iif(${taken} = 0, NULL, (SELECT max(taken_until) FROM bookings
    WHERE bookings.provider_id = ${slots.providerId} AND bookings.starts_at = ${startsAt} AND ${stands(bookings)}))`;
  const { rows } = await db.run({
    rows: orm
      .select({ startsAt, endsAt, date, serviceId, state, taken, maker, takenUntil: takenUntil.as('taken_until') })
      .from(slots)
      .where(and(ownedBy(actor, slots), between(startsAt, now + 1, now + (days + 1) * day))),
  });
  type Row = Pick<(typeof rows)[number], 'state' | 'taken' | 'maker'>;
  const stateOf = ({ state, taken, maker }: Row): ExistingSlot['state'] => {
    if (state === slotState.withdrawn) return 'blocked';
    if (state === slotState.full || taken > 0) return 'booked';
    return maker === madeBy.hand ? 'open' : 'made';
  };
  return rows.map(({ state, taken, maker, ...slot }) => ({ ...slot, state: stateOf({ state, taken, maker }) }));
}

/** Finds the name of the deleted questions that the actor's hours asked; null if they lost none. */
export async function findLostQuestions(db: Db, actor: Actor): Promise<string | null> {
  const { rows } = await db.run({
    rows: orm
      .select({ name: templates.displayName })
      .from(table)
      .innerJoin(templates, eq(templates.id, table.lostTemplateId))
      .where(ownedBy(actor, table)),
  });
  return rows[0]?.name ?? null;
}

/** Finds the actor's hours; undefined if there are none. */
export async function findHours(db: Db, actor: Actor): Promise<Hours | undefined> {
  const [[row]] = await db.run(
    orm
      .select({ plan: completePlan, notes: table.notes, templateId: table.templateId })
      .from(table)
      .where(ownedBy(actor, table)),
  );
  return row && { ...row.plan, notes: row.notes, templateId: row.templateId };
}
