import { sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { orm, statement } from '../../../db/statement';
import type { Actor } from '../profile/accounts';
import type { Doer, HouseService, Offering, OwnService } from './services';
import { getService, listServices } from './services.server';

// Each of the shop's people who does a service of the house has it in their own book too, under the same id.

/** SQL: the order of the shop's page. */
const inOrder = sql`one.place, one.joined_at, one.account_id`;

const offerings = statement<{ shop: string }>()(({ shop }) =>
  orm
    .select({
      id: sql<string>`service.id`.as('service_id'),
      username: sql<string>`accounts.username`.as('username'),
      displayName: sql<string>`accounts.display_name`.as('display_name'),
      minutes: sql<number>`service.minutes`.as('minutes'),
      price: sql<string | null>`service.price`.as('price'),
    })
    .from(sql`colleagues AS one CROSS JOIN accounts ON accounts.id = one.account_id
      CROSS JOIN services AS house ON house.provider_id = one.shop_id
      CROSS JOIN services AS service ON service.provider_id = one.account_id AND service.id = house.id`)
    .where(sql`one.shop_id = ${shop}`)
    .orderBy(inOrder),
);

const withWho = (service: OwnService, who: (Offering & { id: string })[]): HouseService => ({
  ...service,
  who: who.filter(({ id }) => id === service.id).map(({ id: _, ...one }) => one),
});

/** Lists the services of the shop that the actor acts for, each with who does it. */
export async function listHouse(db: Db, actor: Actor): Promise<HouseService[]> {
  const [house, [who]] = await Promise.all([listServices(db, actor), db.run(offerings({ shop: actor.accountId }))]);
  return house.map((service) => withWho(service, who));
}

/** Reads a service of the shop, with who does it. @throws DomainError not_found */
export async function getOfHouse(db: Db, actor: Actor, id: string): Promise<HouseService> {
  const [service, [who]] = await Promise.all([getService(db, actor, id), db.run(offerings({ shop: actor.accountId }))]);
  return withWho(service, who);
}

/** Lists the people of the shop, with how each does a service of it; `minutes` is null for whoever does not do it. */
export async function listPeopleFor(db: Db, { accountId: shop }: Actor, id: string): Promise<Doer[]> {
  const [people] = await db.run(
    orm
      .select({
        username: sql<string>`accounts.username`.as('username'),
        displayName: sql<string>`accounts.display_name`.as('display_name'),
        minutes: sql<number | null>`service.minutes`.as('minutes'),
        price: sql<string | null>`service.price`.as('price'),
      })
      .from(sql`colleagues AS one CROSS JOIN accounts ON accounts.id = one.account_id
        LEFT JOIN services AS service ON service.provider_id = one.account_id AND service.id = ${id}`)
      .where(sql`one.shop_id = ${shop}`)
      .orderBy(inOrder),
  );
  return people;
}
