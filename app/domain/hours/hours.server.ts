import { and, between, eq, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { newId } from '../../../db/columns';
import { insertFrom } from '../../../db/insert';
import { accounts, slots, hours as table } from '../../../db/schema';
import { orm } from '../../../db/statement';
import type { Actor } from '../accounts/accounts';
import { inNewZone, isLoggedIn, isZoneOf, selectOwner } from '../accounts/sessions.server';
import { isIn } from '../appointments/appointments.server';
import { limitOpenSlots, refuseTooMany, tooManyOpen } from '../appointments/open-slots-limit.server';
import { status } from '../appointments/status';
import { limits } from '../input/limits';
import { isCurrentTemplate, noSuchTemplate } from '../templates/templates.server';
import { addDays, day, type Instant } from '../time/clock';
import { endOfDay, todayIn } from '../time/zones';
import type { Hours } from './hours';
import {
  countKept,
  countMissing,
  countUnwanted,
  madeByHours,
  markBooked,
  publishMissing,
  stampOf,
  timesOf,
  wantedOf,
  withdrawUnwanted,
} from './keeping.server';
import { pictured, type Standing } from './picture';
import { type WantedSlot, wantedSlots } from './wanted';

/** How many slots a change of hours creates and withdraws. */
export type Change = { created: number; withdrawn: number };

/** Slots that are booked or withdrawn are wanted too, but are not open: a few more than may be open. */
const mostWanted = limits.openSlots + 2000;

/** All that hours want from today on. @throws DomainError invalid (more than may ever be open) */
function wantedFrom(hours: Hours, zone: string, now: Instant) {
  const today = todayIn(zone, now);
  const carriedTo = addDays(today, hours.ahead);
  const wanted = wantedSlots(hours, zone, { from: today, to: carriedTo, now, most: mostWanted });
  if (wanted.length > mostWanted) throw tooManyOpen('hours');
  return { wanted, carriedTo, nextAt: endOfDay(today, zone) };
}

/** SQL: what the actor's hours have asked and said until now. */
const before = (actor: Actor, column: 'template_id' | 'notes') =>
  sql`(SELECT ${sql.identifier(column)} FROM hours WHERE provider_id = ${actor.accountId})`;

const isChanged = (actor: Actor, { templateId }: Hours) => sql`${before(actor, 'template_id')} IS NOT ${templateId}`;

/** The last statement's count. A SELECT does not change it. */
const changed = () => orm.select({ count: sql<number>`changes()`.as('count') }).from(sql`(SELECT 1)`);

/**
 * Sets the actor's hours, and publishes and withdraws slots until the book is what they want, in one transaction: see
 * `wantedSlots`. Booked slots, slots published by hand and times that the provider withdrew or canceled stay as they are.
 * Other questions replace the open slots of the hours; other notes only change them. Doing it again changes nothing.
 * @throws DomainError unauthenticated, invalid (too many open slots, another zone was shown), not_found (the template)
 */
export async function setHours(db: Db, actor: Actor, hours: Hours, now: Instant): Promise<Change> {
  const { wanted, carriedTo, nextAt } = wantedFrom(hours, actor.timeZone, now);
  const times = timesOf(wanted);
  const version = newId();
  const { notes, templateId, ...plan } = hours;
  const isAllowed = and(isLoggedIn(actor, now), isZoneOf(actor), isCurrentTemplate(actor, templateId)) as SQL;
  const row = { providerId: actor.accountId, plan, notes, templateId, version, carriedTo, nextAt };
  const batch = db.run(
    withdrawUnwanted(actor.accountId, times, { isReplaced: isChanged(actor, hours), condition: isAllowed, now }),
    changed(),
    orm
      .update(slots)
      .set({ notes })
      .where(
        and(
          eq(slots.providerId, actor.accountId),
          isIn(status.open),
          sql`publication = 'hours' AND notes IS NOT ${notes} AND ${before(actor, 'notes')} IS NOT ${notes}`,
          isAllowed,
        ),
      ),
    markBooked(actor.accountId, times, isAllowed, now),
    insertFrom(table, row, sql`WHERE ${isAllowed}`).onConflictDoUpdate({ target: table.providerId, set: row }),
    publishMissing([wantedOf(actor.accountId, stampOf(version, carriedTo), wanted)], isAllowed),
    changed(),
    ...limitOpenSlots(actor.accountId, { added: sql`changes()`, isAdded: sql`changes() > 0` }, now),
    orm.select({ version: table.version }).from(table).where(eq(table.providerId, actor.accountId)),
    selectOwner(actor, now),
  );
  const [, [withdrawn], , , , , [created], , , [saved], [owner]] = await batch.catch(refuseTooMany('hours'));
  db.changedPages.add(actor.accountId);
  if (saved?.version === version) return { created: created?.count ?? 0, withdrawn: withdrawn?.count ?? 0 };
  const moved = inNewZone(actor, owner);
  if (moved) return setHours(db, moved, hours, now);
  throw noSuchTemplate();
}

/** What a change of hours would do: how many booked slots stay although the hours do not want them, and the slots wanted. */
export type Preview = Change & { kept: number; wanted: WantedSlot[] };

/**
 * Counts what `setHours` would do, and changes nothing.
 * @throws DomainError as setHours
 */
export async function previewHours(db: Db, actor: Actor, hours: Hours, now: Instant): Promise<Preview> {
  const { wanted } = wantedFrom(hours, actor.timeZone, now);
  const times = timesOf(wanted);
  const isReplaced = isChanged(actor, hours);
  const [[missing], [unwanted], [booked], [open], [allowed], [owner]] = await db.run(
    countMissing(wantedOf(actor.accountId, '', wanted), isReplaced, now),
    countUnwanted(actor.accountId, times, isReplaced, now),
    countKept(actor.accountId, times, now),
    orm
      .select({
        count: sql<number>`CASE WHEN open_slots_at_most + ${wanted.length} <= ${limits.openSlots} THEN 0
          ELSE (SELECT count(*) FROM slots WHERE provider_id = accounts.id AND status = 0 AND starts_at > ${now}) END`.as(
          'count',
        ),
      })
      .from(accounts)
      .where(eq(accounts.id, actor.accountId)),
    orm
      .select({ template: sql<number>`${isCurrentTemplate(actor, hours.templateId)}`.as('template') })
      .from(sql`(SELECT 1)`),
    selectOwner(actor, now),
  );
  const moved = inNewZone(actor, owner);
  if (moved) return previewHours(db, moved, hours, now);
  if (!allowed?.template) throw noSuchTemplate();
  const [created, withdrawn] = [missing?.created ?? 0, unwanted?.withdrawn ?? 0];
  if (created > 0 && (open?.count ?? 0) + created - withdrawn > limits.openSlots) throw tooManyOpen('hours');
  return { created, withdrawn, kept: booked?.kept ?? 0, wanted };
}

/** Lists the actor's slots of the two weeks to come, and the times that they withdrew or canceled. */
export async function listStanding(db: Db, actor: Actor, now: Instant): Promise<Standing[]> {
  const { startsAt, endsAt, localDate: date, status: state, publication, canceledBy } = slots;
  const [rows] = await db.run(
    orm
      .select({ startsAt, endsAt, date, state, publication })
      .from(slots)
      .where(
        and(
          sql`${slots.providerId} = ${actor.accountId} AND ${state} IN (0, 1, 2)`,
          between(startsAt, now + 1, now + (pictured + 1) * day),
          sql`(${state} < 2 OR ${canceledBy} = ${slots.providerId})`,
        ),
      ),
  );
  const stateOf = ({ state, publication }: (typeof rows)[number]): Standing['state'] => {
    if (state !== status.open) return state === status.booked ? 'booked' : 'blocked';
    return publication.startsWith(madeByHours.wanted) ? 'made' : 'open';
  };
  return rows.map((row) => ({ startsAt: row.startsAt, endsAt: row.endsAt, date: row.date, state: stateOf(row) }));
}

/** Finds the actor's hours; undefined where they never set any. */
export async function findHours(db: Db, actor: Actor): Promise<Hours | undefined> {
  const [[row]] = await db.run(
    orm
      .select({ plan: table.plan, notes: table.notes, templateId: table.templateId })
      .from(table)
      .where(eq(table.providerId, actor.accountId)),
  );
  return row && { ...row.plan, notes: row.notes, templateId: row.templateId };
}
