import { msg, plural } from '@lingui/core/macro';
import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { newId } from '../../../db/columns';
import { providerOf } from '../../../db/ids';
import { insertFrom } from '../../../db/insert';
import { ownedBy } from '../../../db/owned-by';
import { accounts, services } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import { DomainError, type Fault, invalid, notLoggedIn } from '../errors';
import { fold } from '../input/fold';
import { limits } from '../input/limits';
import { isLoggedIn } from '../login/sessions.server';
import { notFound } from '../not-found';
import { oneTimeKey, type Written } from '../one-time-keys.server';
import type { Actor } from '../profile/accounts';
import { isCurrentTemplate, noSuchTemplate } from '../templates/templates.server';
import type { Instant } from '../time/clock';
import type { ServiceInput } from './service-input';
import type { OwnService, Service } from './services';

const { id, name, minutes, gap, price, deposit, description, seats, templateId, isOffered, where, link } = services;
export const serviceColumns = {
  id,
  name,
  minutes,
  gap,
  price,
  deposit,
  description,
  seats,
  templateId,
  isOffered,
  where,
};

const ownColumns = {
  ...serviceColumns,
  link,
  lostQuestions: sql<
    string | null
  >`(SELECT lost.display_name FROM templates AS lost WHERE lost.id = services.lost_template_id)`.as('lost_questions'),
  ofShop: sql<string | null>`(SELECT shop.display_name FROM colleagues AS mine
    CROSS JOIN services AS house ON house.provider_id = mine.shop_id AND house.id = services.id
    CROSS JOIN accounts AS shop ON shop.id = mine.shop_id WHERE mine.account_id = services.provider_id)`.as('of_shop'),
};

/** SQL: the actor has the service as one of their shop's people; the shop says what it is. */
export const isOfShop = (actor: Actor, id: string) =>
  sql<number>`EXISTS (SELECT 1 FROM colleagues AS mine
    CROSS JOIN services AS house ON house.provider_id = mine.shop_id AND house.id = ${id}
    WHERE mine.account_id = ${actor.accountId})`;

export const ruledByShop = (field: string | null = null) =>
  invalid(field, msg`This is a service of the shop. It is changed there.`);

/** SQL: the names of the shop's people for whom the condition is true of `one`, their row in it. */
export const namesIn = (actor: Actor, condition: SQL) =>
  sql<string>`(SELECT json_group_array(accounts.display_name) FROM colleagues AS one
    CROSS JOIN accounts ON accounts.id = one.account_id WHERE one.shop_id = ${actor.accountId} AND ${condition})`;

/** Names as a message lists them. @param json as namesIn gives them; undefined for nobody */
export const listNames = (json: string | undefined): { list: string[] } => ({ list: JSON.parse(json ?? '[]') });

const ofActor = statement<{ me: string }>()(({ me }) =>
  orm.select(ownColumns).from(services).where(ownedBy(me, services)).orderBy(asc(services.place), asc(services.id)),
);
export const selectOwn = (actor: Actor, id: string | SQL) =>
  orm
    .select(ownColumns)
    .from(services)
    .where(and(ownedBy(actor, services), eq(services.id, id)));

export async function listServices(db: Db, actor: Actor): Promise<OwnService[]> {
  const [rows] = await db.run(ofActor({ me: actor.accountId }));
  return rows;
}

/** Reads a service of the actor's. @throws DomainError not_found */
export async function getService(db: Db, actor: Actor, id: string): Promise<OwnService> {
  const [[service]] = await db.run(selectOwn(actor, id));
  if (!service) throw notFound('service');
  return service;
}

const offered = statement<{ username: string }>()(({ username }) =>
  orm
    .select(serviceColumns)
    .from(accounts)
    .crossJoin(services)
    .where(
      and(eq(accounts.usernameFolded, username), eq(services.providerId, accounts.id), eq(services.isOffered, true)),
    )
    .orderBy(asc(services.place), asc(services.id)),
);

/** Lists the services that people can book; empty if there is no such provider. */
export async function listOffered(db: Db, username: string): Promise<Service[]> {
  const [rows] = await db.run(offered({ username: fold(username.trim()) }));
  return rows;
}

const offeredAt = statement<{ slotId: string }>()(({ slotId }) =>
  orm
    .select(serviceColumns)
    .from(services)
    .where(and(sql`${services.providerId} = ${providerOf(slotId)}`, eq(services.isOffered, true)))
    .orderBy(asc(services.place), asc(services.id)),
);

export async function listOfferedAt(db: Db, slotId: string): Promise<Service[]> {
  const { rows } = await db.run({ rows: offeredAt({ slotId }) });
  return rows;
}

/** SQL: the service is one of the actor's. */
export const isOwnService = (actor: Actor, id: string) =>
  sql`EXISTS (SELECT 1 FROM services WHERE ${ownedBy(actor)} AND id = ${id})`;

export const nameTaken: Fault = { field: 'name', message: msg`You have a service of that name already.` };
const tooMany: Fault = {
  field: null,
  message: msg`You can have at most ${plural({ most: limits.services }, { one: '# service', other: '# services' })}.`,
};

/** SQL: the number of the actor's other services with that name. */
export const sameName = (actor: Actor, name: string, id: string) =>
  sql<number>`(SELECT count(*) FROM services
    WHERE ${ownedBy(actor)} AND name_folded = ${fold(name)} AND id <> ${id})`;

/** SQL: whoever has the account has another service of that name. */
export const hasSameName = (account: SQL, name: string | SQL, id: string) =>
  sql`EXISTS (SELECT 1 FROM services AS other
    WHERE other.provider_id = ${account} AND other.name_folded = ${name} AND other.id <> ${id})`;

export const nameTakenBy = (names: string | undefined) =>
  invalid('name', msg`There is another service of that name in the list of ${{ names: listNames(names) }}.`);

const countOwn = (actor: Actor) => sql<number>`(SELECT count(*) FROM services WHERE ${ownedBy(actor)})`;

/**
 * Adds a service to the end of the list. With the same key again it creates nothing.
 * @throws DomainError unauthenticated, invalid (the name is taken, too many services), not_found (the template)
 */
export async function createService(
  db: Db,
  actor: Actor,
  input: ServiceInput,
  { now, key }: Written,
): Promise<OwnService> {
  const service = { id: newId(), ...input };
  const once = oneTimeKey(`${actor.accountId}:CreateService`, key, now);
  const isNew = sql`${sameName(actor, input.name, service.id)} = 0 AND ${countOwn(actor)} < ${limits.services}`;
  const {
    stored: [stored],
    state: [state],
  } = await db.run({
    state: orm
      .select({
        isLoggedIn: sql<number>`${isLoggedIn(actor, now)}`.as('is_logged_in'),
        same: sameName(actor, input.name, service.id).as('same'),
        count: countOwn(actor).as('own'),
      })
      .from(sql`(SELECT 1)`),
    used: once.use(
      and(isLoggedIn(actor, now), isNew, isCurrentTemplate(actor, input.templateId)) as SQL,
      sql`${JSON.stringify(service)}`,
    ),
    created: insertFrom(
      services,
      {
        ...service,
        providerId: actor.accountId,
        nameFolded: fold(service.name),
        place: sql`1 + ifnull((SELECT max(place) FROM services WHERE ${ownedBy(actor)}), -1)`,
      },
      sql`WHERE ${once.result('id')} = ${service.id}`,
    ),
    stored: once.read(),
  });
  if (stored) return { ...(stored.replay as Omit<OwnService, 'lostQuestions'>), lostQuestions: null };
  if (!state?.isLoggedIn) throw notLoggedIn();
  const faults = [...(state.same > 0 ? [nameTaken] : []), ...(state.count >= limits.services ? [tooMany] : [])];
  throw faults.length > 0 ? new DomainError('invalid', faults) : noSuchTemplate();
}

export const tooFewSeats = (taken: number) =>
  new DomainError('conflict', [
    {
      field: 'seats',
      message: msg({
        message: plural(
          { taken },
          {
            one: "# person is booked into a coming time of this service, so it can't be for fewer.",
            other: "# people are booked into a coming time of this service, so it can't be for fewer.",
          },
        ),
      }),
    },
  ]);

/**
 * Sorts the actor's services. Those that are not named come last, in their old order.
 * @throws DomainError unauthenticated, not_found (one of them)
 */
export async function orderServices(db: Db, actor: Actor, ids: string[], now: Instant): Promise<OwnService[]> {
  const order = JSON.stringify(ids);
  const areOwn = sql`NOT EXISTS (SELECT 1 FROM json_each(${order}) AS named WHERE NOT EXISTS (
    SELECT 1 FROM services WHERE ${ownedBy(actor)} AND id = named.value))`;
  const {
    state: [state],
    rows,
  } = await db.run({
    state: orm
      .select({
        isLoggedIn: sql<number>`${isLoggedIn(actor, now)}`.as('is_logged_in'),
        areOwn: sql<number>`${areOwn}`.as('are_own'),
      })
      .from(sql`(SELECT 1)`),
    ordered: orm.run(sql`UPDATE services SET place = ranked.new_place
      FROM (
        SELECT own.id AS ranked_id, row_number() OVER (ORDER BY named.key IS NULL, named.key, own.place, own.id) - 1 AS new_place
        FROM services AS own LEFT JOIN json_each(${order}) AS named ON named.value = own.id
        WHERE ${ownedBy(actor, 'own')}) AS ranked
      WHERE ${ownedBy(actor)} AND id = ranked_id AND place <> new_place
        AND ${areOwn} AND ${isLoggedIn(actor, now)}`),
    rows: ofActor({ me: actor.accountId }),
  });
  if (!state?.isLoggedIn) throw notLoggedIn();
  if (!state.areOwn) throw notFound('service');
  return rows;
}
