import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { Db } from '../../../db/client';
import { hasId } from '../../../db/ids';
import { ownedBy } from '../../../db/owned-by';
import { accounts, bookings, messages, wishes } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { hasOffer, isInLine, isWaiting, wishState } from '../../../db/states';
import { hasWishId, isAllowedNow } from '../bookings/holds.server';
import { type Page, pageOf } from '../input/fields';
import { pageSize } from '../input/limits';
import { type Links, offerOfKey, wishOfKey } from '../links.server';
import { withheldMail } from '../mail/withheld-mail';
import { notFound } from '../not-found';
import { languageOfClient } from '../people/client-columns.server';
import type { LinkedThing } from '../people/join.server';
import type { Actor } from '../profile/accounts';
import { providerWords } from '../profile/former';
import type { HowAsked } from '../profile/rules';
import { phoneAskedAt, type Where } from '../services/where';
import type { Instant } from '../time/clock';
import { inEnglish } from '../words/english';
import type { Waiting, Wish } from './wishes';

const person = alias(accounts, 'person');

// In the line of those who wait with this provider for some of the same times.
const place = sql<number | null>`iif(${isInLine('wishes')}, 1 + (
  SELECT count(*) FROM wishes AS earlier INDEXED BY wishes_in_line WHERE earlier.provider_id = wishes.provider_id AND ${isInLine('earlier')}
    AND earlier.asked_at <= wishes.asked_at AND (earlier.asked_at < wishes.asked_at OR earlier.id < wishes.id)
    AND earlier.from_at < wishes.until_at AND earlier.until_at > wishes.from_at), NULL)`.as('place');

const columns = {
  id: sql<string>`wishes.id`.as('wish'),
  provider: sql<string>`coalesce(${accounts.username}, '')`.as('provider'),
  providerName: sql<string>`${accounts.displayName}`.mapWith(accounts.displayName).as('provider_name'),
  timeZone: sql<string>`${accounts.timeZone}`.as('provider_zone'),
  asked: wishes.asked,
  insteadOf: wishes.insteadOf,
  serviceName: sql<string | null>`(SELECT name FROM services
    WHERE services.provider_id = wishes.provider_id AND services.id = wishes.service_id)`.as('service'),
  askedAt: wishes.askedAt,
  fromAt: wishes.fromAt,
  untilAt: wishes.untilAt,
  state: wishes.state,
  place,
  linkSeed: wishes.linkSeed,
  passedAt: sql<Instant | null>`iif(wishes.let_pass > 0, wishes.passed ->> '$[#-1]', NULL)`.as('passed_last'),
  offerId: sql<string | null>`wishes.offer_id`.as('offered'),
  heldUntil: sql<Instant | null>`wishes.held_until`.as('held_until_then'),
  offerStart: sql<Instant | null>`held.starts_at`.as('held_from'),
  offerEnd: sql<Instant | null>`held.ends_at`.as('held_to'),
  slotId: sql<string | null>`coalesce(held.slot_id, held.id)`.as('held_slot'),
  where: sql<Where | null>`held.place_kind`.as('held_where'),
  hasPhone: sql<boolean>`held.phone IS NOT NULL`.mapWith(Boolean).as('has_number'),
  askPhone: accounts.askPhone,
  providerId: sql<string>`wishes.provider_id`.as('whose'),
  accountId: sql<string>`wishes.account_id`.as('who'),
  name: sql<string>`${person.displayName}`.mapWith(person.displayName).as('name'),
  username: sql<string | null>`${person.username}`.as('username'),
  withheldMail: sql<string | null>`(SELECT mail_state || ' ' || reason FROM messages
    WHERE id = iif(${hasOffer('wishes')}, 'offer:' || wishes.id || ':' || held.starts_at, 'wish:' || wishes.id)
      AND mail_state IN ('withheld', 'waiting'))`
    .mapWith(withheldMail)
    .as('withheld_mail'),
  phone: sql<string | null>`wishes.phone`.as('wish_phone'),
  lang: languageOfClient(person).as('client_lang'),
  email: sql<string | null>`iif(${person.username} IS NULL, ${person.email}, NULL)`.as('email'),
};

const held = alias(bookings, 'held');

/** With what is held for the wishes; conditions may name `accounts` (the provider) and `person`. */
export const selectWishes = () =>
  orm
    .select(columns)
    .from(wishes)
    .innerJoin(accounts, eq(accounts.id, wishes.providerId))
    .innerJoin(person, eq(person.id, wishes.accountId))
    .leftJoin(held, and(sql`wishes.offer_id IS NOT NULL`, hasId(held, wishes.offerId)));

type Row = Awaited<ReturnType<typeof selectWishes>>[number];

export function wishOf(row: Row): Waiting {
  const { offerStart, offerEnd, slotId, heldUntil, providerId: _, accountId: __, offerId: ___, ...rest } = row;
  const { state, where: ____, hasPhone: _____, askPhone: ______, ...wish } = rest;
  const isHeld =
    state === wishState.offered && offerStart !== null && offerEnd !== null && slotId !== null && heldUntil !== null;
  return {
    ...wish,
    isOver: state === wishState.over,
    providerName: inEnglish(providerWords(wish.providerName)),
    offer: isHeld ? { slotId, startsAt: offerStart, endsAt: offerEnd, heldUntil } : null,
  };
}

/** The oldest first. */
export async function listWishes(db: Db, { accountId }: Actor, now: Instant): Promise<Wish[]> {
  const { rows } = await db.run({
    rows: selectWishes()
      .where(sql`wishes.account_id = ${accountId} AND ${isWaiting('wishes')} AND wishes.ends_at > ${now}`)
      .orderBy(asc(wishes.askedAt), asc(wishes.id)),
  });
  return rows.map(wishOf);
}

/** The wishes for the actor's times, the oldest first. */
export async function listWaiting(db: Db, { accountId }: Actor, page: number, now: Instant): Promise<Page<Waiting>> {
  const { rows } = await db.run({
    rows: selectWishes()
      .where(sql`${ownedBy(accountId, 'wishes')} AND ${isWaiting('wishes')} AND wishes.ends_at > ${now}`)
      .orderBy(asc(wishes.askedAt), asc(wishes.id))
      .limit(pageSize + 1)
      .offset(page * pageSize),
  });
  return pageOf(rows.map(wishOf));
}

/** A wish of a personal link, with its person, and the booking that it has or had. */
export type LinkedWish = {
  wish: Waiting;
  accountId: string;
  providerId: string;
  offerId: string | null;
  /** Where the held time takes place; null if an appointment moves there, which has what it needs. */
  where: Where | null;
  /** Whether their provider asks for a number that they have not given yet. */
  askPhone: HowAsked;
};

async function getBy(db: Db, links: Links, { own, id }: { own: string; id: string }): Promise<LinkedWish> {
  const {
    rows: [row],
  } = await db.run({ rows: selectWishes().where(hasWishId(id)) });
  if (!row || !own || links.keyOf(row.linkSeed) !== own) throw notFound('wish');
  const { accountId, providerId, offerId } = row;
  const isMove = row.insteadOf !== null;
  const where = isMove ? null : row.where;
  const askPhone = isMove || row.hasPhone ? 'no' : phoneAskedAt(where, row.askPhone);
  return { wish: wishOf(row), accountId, providerId, offerId, where, askPhone };
}

/** By the key of a personal link. @throws DomainError not_found */
export const getWish = (db: Db, links: Links, key: string): Promise<LinkedWish> => getBy(db, links, wishOfKey(key));

export const linkedWish = ({ accountId: guestId, wish: { id, linkSeed } }: LinkedWish): LinkedThing => ({
  guestId,
  by: (owners) => ({
    isLinked: sql`EXISTS (SELECT 1 FROM wishes WHERE ${hasWishId(id)} AND link_seed = ${linkSeed} AND account_id IN ${owners})`,
    wishes: hasWishId(id),
    messages: sql`(${messages.id} = ${`wish:${id}`} OR ${messages.id} LIKE ${`offer:${id}:%`})`,
  }),
});

/** By the key of an offer, with its start. @throws DomainError not_found */
export async function getOffer(db: Db, links: Links, key: string): Promise<LinkedWish & { startsAt: Instant }> {
  const { startsAt, ...named } = offerOfKey(key);
  if (!Number.isSafeInteger(startsAt)) throw notFound('offer');
  return { ...(await getBy(db, links, named)), startsAt };
}

/** SQL: a time that the wish could have now by every rule, named `fits` in `FROM`. */
export const isFitNow = (id: string, now: Instant): SQL => sql`fits.provider_id = ${id.slice(0, -16)}
  AND fits.wish_id = ${id} AND fits.suits AND fits.starts_at >= (SELECT from_at FROM wishes WHERE ${hasWishId(id)})
  AND fits.starts_at < (SELECT until_at FROM wishes WHERE ${hasWishId(id)}) AND ${isAllowedNow(now)}`;
