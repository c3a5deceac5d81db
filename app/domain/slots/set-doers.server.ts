import { msg } from '@lingui/core/macro';
import { and, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { insertFrom } from '../../../db/insert';
import { services } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { endBrokenHolds, runAfterHolds } from '../bookings/holds.server';
import { conflict, notLoggedIn } from '../errors';
import { fold } from '../input/fold';
import { limits } from '../input/limits';
import { isLoggedIn } from '../login/sessions.server';
import { notFound } from '../not-found';
import type { Actor } from '../profile/accounts';
import { getOfHouse } from '../services/doers.server';
import type { DoerInput } from '../services/service-input';
import type { HouseService } from '../services/services';
import { hasSameName, isOwnService, listNames, nameTakenBy } from '../services/services.server';
import type { Instant } from '../time/clock';
import { isUsedBy, usedByPeople } from './delete-service.server';

const tooManyOf = (names: string) =>
  conflict(msg`There are as many services as one may have in the list of ${{ names: listNames(names) }}.`);

/**
 * Says who of the shop's people does a service, and how: all of it, or nothing. What is not said of length and price is the
 * house's, or as it was. Whoever is not named goes on as before.
 * @throws DomainError unauthenticated, not_found (the service, or one of the people), invalid (the name is taken in somebody's
 * list), conflict (somebody has too many services, or coming times or hours for it)
 */
export async function setDoers(
  db: Db,
  actor: Actor,
  { id, doers }: { id: string; doers: DoerInput[] },
  now: Instant,
): Promise<HouseService> {
  const shop = actor.accountId;
  const inputs = doers.map(({ username, offered, minutes, price }) => ({
    name: fold(username.trim()),
    offered,
    minutes: minutes ?? null,
    price: price ?? null,
    hasPrice: price !== undefined,
  }));
  const wanted = sql`json_each(${JSON.stringify(inputs)}) AS doer
    CROSS JOIN accounts ON accounts.username_folded = doer.value ->> 'name'
    CROSS JOIN colleagues AS one ON one.shop_id = ${shop} AND one.account_id = accounts.id`;
  const isOffered = sql`doer.value ->> 'offered'`;
  const namesWhere = (condition: SQL) =>
    sql<string>`(SELECT json_group_array(accounts.display_name) FROM ${wanted} WHERE ${condition})`;

  const countPeople = sql<number>`(SELECT count(*) FROM ${wanted})`;
  const name = sql`(SELECT name_folded FROM services WHERE provider_id = ${shop} AND id = ${id})`;
  const holders = namesWhere(sql`${isOffered} AND ${hasSameName(sql`one.account_id`, name, id)}`);
  const full = namesWhere(sql`${isOffered} AND (SELECT count(*) FROM services AS other
    WHERE other.provider_id = one.account_id AND other.id <> ${id}) >= ${limits.services}`);
  const users = namesWhere(sql`NOT ${isOffered} AND ${isUsedBy(sql`one.account_id`, id, now)}`);
  const isAllowed = and(
    isLoggedIn(actor, now),
    isOwnService(actor, id),
    sql`${countPeople} = ${doers.length} AND ${holders} = '[]' AND ${full} = '[]' AND ${users} = '[]'`,
  ) as SQL;
  // The shop's page shows who does what.
  const changed = { provider_id: services.providerId, people_ids: sql<string>`json_array(${shop})` };

  const {
    state: [state],
  } = await runAfterHolds(db, now, {
    state: orm
      .select({
        isLoggedIn: sql<number>`${isLoggedIn(actor, now)}`.as('is_logged_in'),
        isThere: sql<number>`${isOwnService(actor, id)}`.as('is_there'),
        people: countPeople.as('people'),
        holders: holders.as('holders'),
        full: full.as('full'),
        users: users.as('users'),
      })
      .from(sql`(SELECT 1)`),
    offered: insertFrom(
      services,
      {
        providerId: sql`one.account_id`,
        id: sql`house.id`,
        name: sql`house.name`,
        nameFolded: sql`house.name_folded`,
        minutes: sql`coalesce(doer.value ->> 'minutes', own.minutes, house.minutes)`,
        gap: sql`house.gap`,
        price: sql`iif(doer.value ->> 'hasPrice', doer.value ->> 'price', iif(own.id IS NULL, house.price, own.price))`,
        deposit: sql`house.deposit`,
        description: sql`house.description`,
        seats: sql`house.seats`,
        templateId: sql`house.template_id`,
        lostTemplateId: sql`house.lost_template_id`,
        isOffered: sql`house.is_offered`,
        where: sql`house.place_kind`,
        link: sql`house.link`,
        place: sql`1 + ifnull((SELECT max(last.place) FROM services AS last WHERE last.provider_id = one.account_id), -1)`,
      },
      sql`FROM ${wanted} CROSS JOIN services AS house ON house.provider_id = ${shop} AND house.id = ${id}
        LEFT JOIN services AS own ON own.provider_id = one.account_id AND own.id = house.id
        WHERE ${isOffered} AND ${isAllowed}`,
    )
      .onConflictDoUpdate({
        target: [services.providerId, services.id],
        set: { minutes: sql`excluded.minutes`, price: sql`excluded.price` },
        setWhere: sql`services.minutes <> excluded.minutes OR services.price IS NOT excluded.price`,
      })
      .returning(changed),
    removed: orm
      .delete(services)
      .where(
        sql`provider_id IN (SELECT one.account_id FROM ${wanted} WHERE NOT ${isOffered}) AND id = ${id} AND ${isAllowed}`,
      )
      .returning(changed),
    droppedHolds: endBrokenHolds(sql`(SELECT account_id FROM colleagues WHERE shop_id = ${shop})`, now),
  });
  if (!state?.isLoggedIn) throw notLoggedIn();
  if (!state.isThere) throw notFound('service');
  if (state.people < doers.length) throw notFound('provider');
  if (state.holders !== '[]') throw nameTakenBy(state.holders);
  if (state.full !== '[]') throw tooManyOf(state.full);
  if (state.users !== '[]') throw usedByPeople(state.users);
  return getOfHouse(db, actor, id);
}
