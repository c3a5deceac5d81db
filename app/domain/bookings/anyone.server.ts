import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { bookings, templates } from '../../../db/schema';
import { orm, statement, statementBy } from '../../../db/statement';
import { isBooked } from '../../../db/states';
import type { Template } from '../templates/questions';
import { selectTemplates } from '../templates/templates.server';
import type { Instant } from '../time/clock';
import { selectBookings } from './appointments.server';
import { whyNot } from './claimable.server';
import { type Claimed, claimedBy, selectClaimed } from './claimed.server';
import { findTemplateOfSlot } from './template-of.server';
import type { Terms } from './terms';
import { type Anyone, timesInShop } from './turn.server';

// What stands beside a claim of anyone's time in a shop.

/** A time of one provider, or of anyone in a shop. */
export type Wanted = { id: string } | { anyone: Anyone };

/** What a claim is made of: an id, which is blank where anyone will do. */
export const asOne = (wanted: Wanted): { id: string; anyone?: Anyone } => ({
  id: 'id' in wanted ? wanted.id : '',
  ...('anyone' in wanted && { anyone: wanted.anyone }),
});

type OfPerson = Anyone & { accountId: string };

/** The appointment that the person has in the shop at that start, whoever has it. */
export const ownInShop = statement<OfPerson>()(({ shop, start, accountId }) =>
  selectBookings().where(
    and(
      and(eq(bookings.bookerId, accountId), isBooked(bookings)),
      sql`${bookings.startsAt} = ${start} AND ${bookings.shopId} = (SELECT id FROM accounts WHERE username_folded = ${shop})`,
    ),
  ),
);

type Asking = { accountId: string; service: string | null; terms: Terms | null; people: number };

const someTime = statementBy<
  { isService: boolean },
  OfPerson & { service: string; terms: string; people: number; now: Instant }
>()(({ isService }, { shop, start, service, accountId, people, terms, now }) => {
  const wantedService = isService ? service : null;
  const why = whyNot({ people, now, accountId, terms, provider: sql`provider`, isBound: true }, wantedService);
  return orm
    .select({ id: sql<string>`slots.id`.as('some_time') })
    .from(sql`${timesInShop({ shop, start, service: wantedService })} ORDER BY ${why} IS NOT NULL, turn.place LIMIT 1`);
});

/**
 * Reads the time of somebody in the shop after a claim that was refused: one that is free, if there is one, so that the
 * refusal names what else was wrong. Undefined if nobody there has published that time.
 */
export async function findSomeTime(
  db: Db,
  anyone: Anyone,
  { service, terms, ...asking }: Asking,
  now: Instant,
): Promise<Claimed | undefined> {
  const values = { ...anyone, ...asking, service: service ?? '', terms: JSON.stringify(terms), now };
  const [[found]] = await db.run(someTime({ isService: service !== null }, values));
  if (!found) return undefined;
  const [rows] = await db.run(selectClaimed(found.id, { ...asking, service, terms }, now));
  return claimedBy(rows, asking.accountId);
}

/** Reads the time as the person finds it: their own appointment, or why they can't have one. */
export async function findWanted(db: Db, wanted: Wanted, asking: Asking, now: Instant): Promise<Claimed | undefined> {
  if ('anyone' in wanted) return findSomeTime(db, wanted.anyone, asking, now);
  const [rows] = await db.run(selectClaimed(wanted.id, asking, now));
  return claimedBy(rows, asking.accountId);
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

/** Finds the template whose questions are asked there: in a shop those of its service. Undefined if none are. */
export async function findTemplateOfWanted(
  db: Db,
  wanted: Wanted,
  service: string | null,
): Promise<Template | undefined> {
  if ('id' in wanted) return findTemplateOfSlot(db, wanted.id, service);
  if (service === null) return undefined;
  const [[template]] = await db.run(templateOfHouse({ shop: wanted.anyone.shop, service }));
  return template;
}
