import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { ownedBy } from '../../../db/owned-by';
import { services } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { endBrokenHolds } from '../bookings/holds.server';
import { DomainError, invalid, notFound, notLoggedIn } from '../errors';
import { fold } from '../input/fold';
import { isLoggedIn } from '../login/sessions.server';
import type { Actor } from '../profile/accounts';
import { noLinkWords, type ServiceChange } from '../services/service-input';
import type { OwnService } from '../services/services';
import { nameTaken, sameName, selectOwn, tooFewSeats } from '../services/services.server';
import { isCurrentTemplate, noSuchTemplate } from '../templates/templates.server';
import type { Instant } from '../time/clock';
import { changeSeats, hasRoomFor, mostTaken } from './seats.server';

/**
 * Changes the given fields of a service; booked appointments stay. New seats hold for all coming slots, a new length
 * only for slots that hours publish from now on.
 * @throws DomainError unauthenticated, invalid (the name is taken, or a video call has no link), not_found (the service or the template), conflict
 * (more seats are taken)
 */
export async function editService(
  db: Db,
  actor: Actor,
  { id, change }: { id: string; change: ServiceChange },
  now: Instant,
): Promise<OwnService> {
  const changes = Object.fromEntries(
    Object.entries(change).filter(([, value]) => value !== undefined),
  ) as ServiceChange;
  const { seats: newSeats, name: newName, templateId: newTemplate } = changes;
  const slots = { providerId: actor.accountId, serviceId: id, now };
  const isFree = newName === undefined ? sql`true` : sql`${sameName(actor, newName, id)} = 0`;
  const { where: newWhere, link: newLink } = changes;
  // One of the two may stay as it is.
  const lacksLink =
    newWhere === undefined && newLink === undefined
      ? sql`false`
      : sql`EXISTS (SELECT 1 FROM services AS own WHERE ${ownedBy(actor, 'own')} AND own.id = ${id}
          AND ${newWhere ?? sql`own.place_kind`} = 'video' AND ${newLink === undefined ? sql`own.link` : sql`${newLink}`} IS NULL)`;
  const condition = and(
    isLoggedIn(actor, now),
    isCurrentTemplate(actor, newTemplate ?? null),
    isFree,
    newSeats === undefined ? undefined : hasRoomFor(slots, newSeats),
    sql`NOT ${lacksLink}`,
  ) as SQL;
  const edited = and(eq(services.providerId, actor.accountId), eq(services.id, id), condition);
  const hasChange = Object.keys(changes).length > 0;
  const {
    service: [service],
    state: [state],
  } = await db.run({
    state: orm
      .select({
        isLoggedIn: sql<number>`${isLoggedIn(actor, now)}`.as('is_logged_in'),
        isAllowed: sql<number>`${condition}`.as('is_allowed'),
        same: (newName === undefined ? sql<number>`0` : sameName(actor, newName, id)).as('same'),
        hasTemplate: sql<number>`${isCurrentTemplate(actor, newTemplate ?? null)}`.as('has_template'),
        lacksLink: sql<number>`${lacksLink}`.as('lacks_link'),
        taken: (newSeats === undefined ? sql<number>`0` : mostTaken(slots)).as('taken'),
      })
      .from(sql`(SELECT 1)`),
    saved: hasChange
      ? orm
          .update(services)
          .set({
            ...changes,
            ...(newName !== undefined && { nameFolded: fold(newName) }),
            ...(newTemplate !== undefined && { lostTemplateId: null }),
          })
          .where(edited)
      : undefined,
    droppedHolds: changes.isOffered === false ? endBrokenHolds(sql`(${actor.accountId})`, now) : undefined,
    ...(newSeats === undefined ? {} : changeSeats(slots, newSeats, condition)),
    service: selectOwn(actor, id),
  });
  if (!state?.isLoggedIn) throw notLoggedIn();
  if (state.same > 0) throw new DomainError('invalid', [nameTaken]);
  if (state.lacksLink) throw invalid('link', noLinkWords);
  if (!service) throw notFound('service');
  if (!state.hasTemplate) throw noSuchTemplate();
  if (!state.isAllowed) throw tooFewSeats(state.taken);
  return service;
}
