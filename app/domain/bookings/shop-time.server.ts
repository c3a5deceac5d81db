import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { accounts, bookings, slots, templates } from '../../../db/schema';
import { orm, statement, statementBy } from '../../../db/statement';
import { isBooked } from '../../../db/states';
import type { Rules } from '../profile/rules';
import type { Where } from '../services/where';
import { asBookedFor } from '../slots/services-at';
import type { Template } from '../templates/questions';
import { selectTemplates } from '../templates/templates.server';
import type { Instant } from '../time/clock';
import type { Words } from '../words/words';
import type { Appointment } from './appointments';
import { openSlot, selectBookings } from './appointments.server';
import { whyNot } from './claimable.server';
import { changeableUntilIfBooked, contactColumns, openColumns } from './columns.server';
import { type Asking, type FoundTime, isBookedBy, ownOrFirst, selectFoundTime } from './found-time.server';
import { asManyAsTheyMay, type WhyNot } from './refusals';
import { countingName } from './rules.server';
import { type ShopTime, takesIn, timesInShops } from './turn.server';

// A time in a shop that names nobody: as its form shows it, and as it stands beside a claim.

type OfPerson = ShopTime & { accountId: string };

/** The appointment that the person has in the shop at that start, whoever has it. */
export const ownInShop = statement<OfPerson>()(({ shop, start, accountId }) =>
  selectBookings().where(
    and(
      and(eq(bookings.bookerId, accountId), isBooked(bookings)),
      sql`${bookings.startsAt} = ${start} AND ${bookings.shopId} = (SELECT id FROM accounts WHERE username_folded = ${shop})`,
    ),
  ),
);

const someTime = statementBy<
  { isService: boolean },
  OfPerson & { service: string; terms: string; people: number; now: Instant }
>()(({ isService }, { shop, start, service, accountId, people, terms, now }) => {
  const wantedService = isService ? service : null;
  const why = whyNot({ people, now, accountId, terms, provider: sql`provider`, isBound: true }, wantedService);
  // The one row first, so that what is shown of it is read once.
  const some = sql`(SELECT slots.provider_id AS some_provider, slots.starts_at AS some_start, service.minutes AS some_minutes,
      service.name AS some_name, service.price AS some_price, service.deposit AS some_deposit, service.place_kind AS some_where,
      ${why} AS some_why
    FROM ${timesInShops({ start, service: wantedService })} WHERE ${takesIn(shop)}
    ORDER BY some_why IS NOT NULL, some_why <> 'perPerson', some_why <> 'changed', turn.place LIMIT 1) AS some`;
  return orm
    .select({
      ...openColumns,
      openTo: accounts.openTo,
      askEmail: accounts.askEmail,
      perPerson: accounts.perPerson,
      countingName: countingName(sql`accounts`).as('counting_name'),
      ...contactColumns,
      changeableUntil: changeableUntilIfBooked.as('changeable_until'),
      minutes: sql<number | null>`some_minutes`.as('some_minutes'),
      price: sql<string | null>`some_price`.as('some_price'),
      deposit: sql<string | null>`some_deposit`.as('some_deposit'),
      serviceName: sql<string | null>`some_name`.as('some_name'),
      where: sql<Where | null>`some_where`.as('some_where'),
      why: sql<WhyNot | null>`some_why`.as('some_why'),
    })
    .from(some)
    .crossJoin(slots)
    .innerJoin(accounts, eq(accounts.id, slots.providerId))
    .where(sql`${slots.providerId} = some_provider AND ${slots.startsAt} = some_start`);
});

const valuesOf = (shopTime: ShopTime, { accountId, service, terms = null, people = 1 }: Asking, now: Instant) => ({
  ...shopTime,
  accountId,
  people,
  service: service ?? '',
  terms: JSON.stringify(terms),
  now,
});

/** A time in a shop as its form shows it, why nobody is free for it, and the limit of the person that is the reason; null if somebody is. */
type FoundShopTime = Pick<Rules, 'openTo' | 'askEmail' | 'askPhone'> & {
  appointment: Appointment;
  why: WhyNot | null;
  limit: Words | null;
};

/**
 * Finds a time in a shop as somebody has it who is free for what was asked, or else who would be but for the limit of
 * appointments that a person may have with them or does it otherwise than the form said, or else as anybody has it. Undefined if nobody
 * there has published that time.
 */
export async function findShopTime(
  db: Db,
  shopTime: ShopTime,
  asking: Asking,
  now: Instant,
): Promise<FoundShopTime | undefined> {
  const { service: id = null } = asking;
  const [[row]] = await db.run(someTime({ isService: id !== null }, valuesOf(shopTime, asking, now)));
  if (!row) return undefined;
  const {
    openTo,
    askEmail,
    askPhone,
    perPerson,
    countingName: name,
    providerAddress,
    providerPhone,
    payBy: _,
    changeableUntil,
    ...rest
  } = row;
  const { minutes, price, deposit, serviceName, where, why, ...slot } = rest;
  const time = { ...openSlot(slot), changeableUntil, providerAddress, providerPhone };
  return {
    appointment:
      id === null || minutes === null || serviceName === null || where === null
        ? time
        : asBookedFor(time, { id, name: serviceName, minutes, price, deposit, where }),
    openTo,
    askEmail,
    askPhone,
    why,
    limit: why === 'perPerson' ? asManyAsTheyMay(name, perPerson ?? 0) : null,
  };
}

/**
 * Reads the time of somebody in the shop after a claim that was refused: one that is free, if there is one, so that the
 * refusal names what else was wrong. Undefined if nobody there has published that time.
 */
export async function findSomeTime(
  db: Db,
  shopTime: ShopTime,
  asking: Asking,
  now: Instant,
): Promise<FoundTime | undefined> {
  const found = await findShopTime(db, shopTime, asking, now);
  if (!found) return undefined;
  const [rows] = await db.run(selectFoundTime(found.appointment.id, asking, now));
  const row = ownOrFirst(rows, asking.accountId);
  // It was free, and somebody has booked it between the two reads.
  const isLost = found.why === null && row && row.why !== null && !isBookedBy(row, asking.accountId);
  return isLost ? findSomeTime(db, shopTime, asking, now) : row;
}

const shopNamed = statement<{ shop: string }>()(({ shop }) =>
  orm
    .select({ timeZone: accounts.timeZone })
    .from(accounts)
    .where(and(eq(accounts.usernameFolded, shop), eq(accounts.role, 'Shop'))),
);

/** Finds a shop. @param shop its username, folded */
export async function findShop(db: Db, shop: string): Promise<{ timeZone: string } | undefined> {
  const [[found]] = await db.run(shopNamed({ shop }));
  return found;
}

const templateOfHouse = statement<{ shop: string; service: string }>()(({ shop, service }) =>
  selectTemplates().where(
    eq(
      templates.id,
      sql`(SELECT template_id FROM services
        WHERE provider_id = (SELECT id FROM accounts WHERE username_folded = ${shop}) AND id = ${service})`,
    ),
  ),
);

/** Finds the template whose questions a service of the shop asks. Undefined if it asks none. */
export async function findTemplateOfHouse(db: Db, shop: string, service: string): Promise<Template | undefined> {
  const [[template]] = await db.run(templateOfHouse({ shop, service }));
  return template;
}
