import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { ownedBy } from '../../../db/owned-by';
import { services } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { endBrokenHolds, runAfterHolds } from '../bookings/holds.server';
import { DomainError, invalid, notLoggedIn } from '../errors';
import { fold } from '../input/fold';
import { booksOf } from '../login/acting.server';
import { isLoggedIn } from '../login/sessions.server';
import { notFound } from '../not-found';
import type { Actor } from '../profile/accounts';
import { noLinkWords, ruledByShop as ruledFields, type ServiceChange } from '../services/service-input';
import type { OwnService } from '../services/services';
import {
  hasSameName,
  isOfShop,
  isOwnService,
  namesIn,
  nameTaken,
  nameTakenBy,
  ruledByShop,
  sameName,
  selectOwn,
  tooFewSeats,
} from '../services/services.server';
import { isCurrentTemplate, noSuchTemplate } from '../templates/templates.server';
import type { Instant } from '../time/clock';
import { changeSeats, hasRoomFor, mostTaken } from './seats.server';

/**
 * Changes the given fields of a service; booked appointments stay. New seats hold for all coming slots, a new length
 * only for slots that hours publish from now on. A service of a shop changes for all who do it, except a length or price
 * that is somebody's own.
 * @throws DomainError unauthenticated, invalid (the name is taken, a video call has no link, or the shop says what the service
 * is), not_found (the service or the template), conflict (more seats are taken)
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
  const slots = { books: booksOf(actor), serviceId: id, now };
  const isFree = newName === undefined ? sql`true` : sql`${sameName(actor, newName, id)} = 0`;
  const { where: newWhere, link: newLink } = changes;
  // One of the two may stay as it is.
  const lacksLink =
    newWhere === undefined && newLink === undefined
      ? sql`false`
      : sql`EXISTS (SELECT 1 FROM services AS own WHERE ${ownedBy(actor, 'own')} AND own.id = ${id}
          AND ${newWhere ?? sql`own.place_kind`} = 'video' AND ${newLink === undefined ? sql`own.link` : sql`${newLink}`} IS NULL)`;
  const holders =
    actor.isShop && newName !== undefined
      ? namesIn(actor, sql`${hasCopy(id)} AND ${hasSameName(sql`one.account_id`, fold(newName), id)}`)
      : sql<string>`'[]'`;
  // Another owner of the shop, or somebody who has left it, may have written the questions that the service asks.
  const hasTemplate =
    newTemplate == null
      ? sql`true`
      : sql`(${isCurrentTemplate(actor, newTemplate)}
          OR EXISTS (SELECT 1 FROM services WHERE ${ownedBy(actor)} AND id = ${id} AND template_id = ${newTemplate}))`;
  const condition = and(
    isLoggedIn(actor, now),
    // Somebody in the shop may have a service of that id that is their own.
    actor.isShop ? isOwnService(actor, id) : undefined,
    hasTemplate,
    isFree,
    sql`${holders} = '[]'`,
    sql`NOT ${changesOfShop(actor, id, changes)}`,
    newSeats === undefined ? undefined : hasRoomFor(slots, newSeats),
    sql`NOT ${lacksLink}`,
  ) as SQL;
  const edited = and(ownedBy(actor, services), eq(services.id, id), condition);
  const stored = {
    ...changes,
    ...(newName !== undefined && { nameFolded: fold(newName) }),
    ...(newTemplate !== undefined && { lostTemplateId: null }),
  };
  const hasChange = Object.keys(changes).length > 0;
  const {
    service: [service],
    state: [state],
  } = await runAfterHolds(db, now, {
    state: orm
      .select({
        isLoggedIn: sql<number>`${isLoggedIn(actor, now)}`.as('is_logged_in'),
        isAllowed: sql<number>`${condition}`.as('is_allowed'),
        same: (newName === undefined ? sql<number>`0` : sameName(actor, newName, id)).as('same'),
        hasTemplate: sql<number>`${hasTemplate}`.as('has_template'),
        lacksLink: sql<number>`${lacksLink}`.as('lacks_link'),
        holders: holders.as('holders'),
        isRuled: sql<number>`${changesOfShop(actor, id, changes)}`.as('is_ruled'),
        taken: (newSeats === undefined ? sql<number>`0` : mostTaken(slots)).as('taken'),
      })
      .from(sql`(SELECT 1)`),
    // They come before the service itself, because they are compared with what it was.
    copies: hasChange && actor.isShop ? editCopies(actor, { id, stored }, condition) : undefined,
    saved: hasChange ? orm.update(services).set(stored).where(edited) : undefined,
    droppedHolds: changes.isOffered === false ? endBrokenHolds(booksOf(actor), now) : undefined,
    ...(newSeats === undefined ? {} : changeSeats(slots, newSeats, condition)),
    service: selectOwn(actor, id),
  });
  if (!state?.isLoggedIn) throw notLoggedIn();
  if (state.same > 0) throw new DomainError('invalid', [nameTaken]);
  if (state.lacksLink) throw invalid('link', noLinkWords);
  if (!service) throw notFound('service');
  if (state.isRuled) throw ruledByShop();
  if (state.holders !== '[]') throw nameTakenBy(state.holders);
  if (!state.hasTemplate) throw noSuchTemplate();
  if (!state.isAllowed) throw tooFewSeats(state.taken);
  return service;
}

/** SQL: whoever is `one` of the shop's people does the service. */
const hasCopy = (id: string) => sql`EXISTS (SELECT 1 FROM services WHERE provider_id = one.account_id AND id = ${id})`;

/** SQL: the change is of something that the shop says of the service. */
function changesOfShop(actor: Actor, id: string, changes: ServiceChange): SQL {
  const differs = ruledFields.flatMap((field) => {
    const value = changes[field];
    return value === undefined ? [] : [sql`${services[field]} IS NOT ${sql.param(value, services[field])}`];
  });
  if (differs.length === 0 || actor.isShop) return sql`false`;
  return sql`(${isOfShop(actor, id)} AND EXISTS (SELECT 1 FROM services
    WHERE ${ownedBy(actor)} AND id = ${id} AND (${sql.join(differs, sql` OR `)})))`;
}

/** Changes the service in the books of the shop's people. */
function editCopies(
  { accountId: shop }: Actor,
  { id, stored }: { id: string; stored: Partial<typeof services.$inferInsert> },
  condition: SQL,
) {
  const { minutes, price, deposit, ...common } = stored;
  const followed = Object.entries({ minutes, price, deposit }).flatMap(([column, value]) => {
    const own = sql.raw(column);
    const ofHouse = sql`(SELECT house.${own} FROM services AS house WHERE house.provider_id = ${shop} AND house.id = ${id})`;
    return value === undefined ? [] : [[column, sql`iif(${own} IS ${ofHouse}, ${value}, ${own})`] as const];
  });
  return orm
    .update(services)
    .set({ ...common, ...Object.fromEntries(followed) })
    .where(
      sql`provider_id IN (SELECT account_id FROM colleagues WHERE shop_id = ${shop}) AND id = ${id} AND ${condition}`,
    )
    .returning({ provider_id: services.providerId });
}
