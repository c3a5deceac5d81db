import { msg } from '@lingui/core/macro';
import { and, or, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { hasId } from '../../../db/ids';
import { ownedBy } from '../../../db/owned-by';
import { bookings, slots } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { selectAppointment } from '../bookings/appointments.server';
import { alreadyStarted } from '../bookings/deadline';
import { status } from '../bookings/status';
import { conflict, notLoggedIn } from '../errors';
import { isLoggedIn } from '../login/sessions.server';
import { notFound } from '../not-found';
import type { Actor } from '../profile/accounts';
import { isCurrentTemplate, noSuchTemplate } from '../templates/templates.server';
import type { Instant } from '../time/clock';
import type { Change, Scope } from './change';
import { type Choice, isChosen } from './chosen-slots.server';

const columnOf = ({ accountId }: Actor, id: string, column: 'local_date' | 'publication' | 'template_id') =>
  sql`(SELECT ${sql.identifier(column)} FROM slots WHERE ${hasId(slots, id)} AND ${ownedBy(accountId)})`;

function choiceOf(actor: Actor, id: string, scope: Scope): Choice {
  if (scope === 'slot') return { ids: [id] };
  return scope === 'day'
    ? { date: columnOf(actor, id, 'local_date') }
    : { publication: columnOf(actor, id, 'publication') };
}

/**
 * Changes the notes and questions of open slots: of one, of its whole day, or of all that were published with it.
 * Booked slots stay. A repeat changes nothing. The slots may keep their questions even if the template was edited
 * since.
 * @returns how many open slots have these notes and questions now
 * @throws DomainError unauthenticated, not_found (another's slot; the template), conflict (for one slot: booked,
 * withdrawn or begun)
 */
export async function changeOpenSlots(
  db: Db,
  actor: Actor,
  { id, scope, notes, templateId }: Change & { id: string; scope: Scope },
  now: Instant,
): Promise<number> {
  const isTheirs = or(
    isCurrentTemplate(actor, templateId),
    sql`${templateId} = ${columnOf(actor, id, 'template_id')}`,
  ) as SQL;
  const isMeantHere = isChosen(actor, choiceOf(actor, id, scope), 'open', now);
  const {
    counted: [counted],
    own: [own],
    allowed: [allowed],
  } = await db.run({
    changed: orm
      .update(slots)
      .set({ notes, templateId })
      .where(
        and(
          isMeantHere,
          sql`(notes IS NOT ${notes} OR template_id IS NOT ${templateId})`,
          isTheirs,
          isLoggedIn(actor, now),
        ),
      ),
    counted: orm
      .select({ count: sql<number>`count(*)`.as('count') })
      .from(slots)
      .where(sql`${isMeantHere} AND notes IS ${notes} AND template_id IS ${templateId}`),
    own: selectAppointment(id, { booked: ownedBy(actor, bookings), free: ownedBy(actor, slots) }),
    allowed: orm
      .select({
        isTheirs: sql<number>`${isTheirs}`.as('is_theirs'),
        isLoggedIn: sql<number>`${isLoggedIn(actor, now)}`.as('is_logged_in'),
      })
      .from(sql`(SELECT 1)`),
  });
  if (!allowed?.isLoggedIn) throw notLoggedIn();
  if (!own) throw notFound('appointment');
  if (!allowed.isTheirs) throw noSuchTemplate();
  if (scope === 'slot') {
    if (own.status === status.booked) throw conflict(msg`This appointment is booked. Its notes and questions stay.`);
    if (own.status === status.canceled) throw conflict(msg`This appointment is canceled.`);
    if (own.startsAt <= now) throw alreadyStarted();
  }
  return counted?.count ?? 0;
}
