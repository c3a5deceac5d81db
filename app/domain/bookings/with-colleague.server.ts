import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { Db } from '../../../db/client';
import { hasId, providerIn } from '../../../db/ids';
import { accounts, bookings } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import { mayActFor } from '../login/acting.server';
import { tellHowMany } from '../series/message.server';
import type { Instant } from '../time/clock';
import { columnsOfMoved } from './movable.server';
import { takesPerson } from './rules.server';
import { inMinutes } from './slot-with-service.server';

// A booking may go to another colleague of its provider's shop, whether its client moves it or the desk hands it over.

/** SQL: the service is that of the booking `old` as it was booked, or as its provider does it now. */
const isSameService = sql`(service.price IS old.price AND service.minutes * ${inMinutes} = old.ends_at - old.starts_at
  OR EXISTS (SELECT 1 FROM services AS former WHERE former.provider_id = old.provider_id AND former.id = old.service_id
    AND former.price IS service.price AND former.minutes = service.minutes))`;

/** SQL: what `service` says is what the booking `old` is for, where it takes place too. */
const isTheSame = sql`(old.service_id IS NULL OR service.id = old.service_id AND service.is_offered AND ${isSameService}
  AND service.place_kind = coalesce(old.place_kind, 'here'))`;

/**
 * SQL: the slot is of another colleague in the shop of the booking `old`, who takes appointments and does the same for the same
 * price, as long. The query joins the slot by `slotWithService(old.service_id)`; whether it is free says `whyNotForOld`.
 */
export const isOfColleague = sql`(slots.provider_id <> old.provider_id
  AND EXISTS (SELECT 1 FROM colleagues AS former CROSS JOIN colleagues AS taker ON taker.shop_id = former.shop_id
    WHERE former.account_id = old.provider_id AND taker.account_id = slots.provider_id AND taker.takes)
  AND ${columnsOfMoved.endsAt} - slots.starts_at = old.ends_at - old.starts_at
  AND (slots.seats = 1 OR old.slot_id IS NOT NULL)
  AND ${isTheSame})`;

/**
 * SQL: whoever moves the booking `old` may move it to this colleague: its client, where they are taken, with an account or
 * without; from the provider's side, into a book in which they act.
 * @param colleague the alias of their account
 * @param member SQL: who moves it from the provider's side; blank for its client
 */
export const mayGoTo = (colleague: SQL, member: SQL | Placeholder | string): SQL =>
  sql`iif(${member} = '', ${takesPerson(colleague, sql`old.booker_id`)}, ${mayActFor(member, sql`${colleague}.id`)})`;

const colleaguesOf = statement<{ id: string; member: string }>()(({ id, member }) =>
  orm
    .select({ username: sql<string>`${accounts.username}`.as('username'), displayName: accounts.displayName })
    .from(sql`bookings AS old CROSS JOIN colleagues AS former ON former.account_id = old.provider_id
      CROSS JOIN colleagues AS taker ON taker.shop_id = former.shop_id AND taker.takes AND taker.account_id <> old.provider_id
      LEFT JOIN services AS service ON service.provider_id = taker.account_id AND service.id = old.service_id`)
    .innerJoin(accounts, sql`${accounts.id} = taker.account_id`)
    .where(sql`${hasId(alias(bookings, 'old'), id)} AND ${isTheSame} AND ${mayGoTo(sql`accounts`, member)}`)
    .orderBy(sql`taker.place`),
);

type ColleagueInShort = { username: string; displayName: string };

/**
 * Lists the colleagues who do the same for the same price as a booking, in the order of the shop. Its client finds only those who take
 * them, with an account or without.
 * @param member who would move it there from the provider's side; undefined for its client
 */
export async function listColleaguesFor(db: Db, id: string, member?: string): Promise<ColleagueInShort[]> {
  const [rows] = await db.run(colleaguesOf({ id, member: member ?? '' }));
  return rows;
}

/** The booking is in the book of a colleague now. */
export const isPassedOn = ({ id, movedTo }: { id: string; movedTo: string | null }): boolean =>
  movedTo !== null && providerIn(movedTo) !== providerIn(id);

const gone = alias(bookings, 'gone');
const taken = alias(bookings, 'taken');

/** SQL: the bookings that this write has moved, as `gone` and as `taken`. @param ids JSON of the ids that they had */
const movedBy = (ids: string, act: string) => sql`json_each(${ids}) AS moved
  CROSS JOIN bookings AS gone ON ${hasId(gone, sql`moved.value`)} AND gone.told_with = ${act}
  CROSS JOIN bookings AS taken ON ${hasId(taken, sql`gone.moved_to`)}`;

type Act = {
  /** JSON of the ids that the bookings had. */
  ids: string;
  /** The `told_with` of the bookings, old and new. */
  act: string;
  memberId: string;
};

/**
 * Tells whoever has the bookings now, and whoever had them, who moved them; not whoever did it. Adds to the one message of each
 * client how many it is about. Triggers have written that earlier in the batch.
 */
export const tellOfPassedOn = ({ ids, act, memberId }: Act, now: Instant) => [
  orm.run(sql`INSERT INTO notices (kind, once, account_id, booking_id, actor_id, data, at)
    SELECT 'moved', ${act} || ':' || taken.provider_id, taken.provider_id, min(taken.id), ${memberId},
      json_object('startsAt', min(gone.starts_at), 'endsAt', min(gone.ends_at), 'from', former.display_name,
        'count', count(*), 'last', max(taken.starts_at), 'isActed', iif(count(*) = 1, 1, NULL)), ${now}
    FROM ${movedBy(ids, act)} CROSS JOIN accounts AS former ON former.id = gone.provider_id
    WHERE taken.provider_id <> ${memberId} GROUP BY taken.provider_id`),
  orm.run(sql`INSERT INTO notices (kind, once, account_id, booking_id, actor_id, data, at)
    SELECT 'moved', ${act} || ':' || provider_id, provider_id, min(gone_id), ${memberId},
      json_object('to', json_group_array(DISTINCT taker), 'count', count(*), 'last', max(starts_at),
        'isActed', iif(count(*) = 1, 1, NULL)), ${now}
    FROM (SELECT gone.provider_id, gone.id AS gone_id, gone.starts_at, taker.display_name AS taker
      FROM ${movedBy(ids, act)} CROSS JOIN accounts AS taker ON taker.id = taken.provider_id
      WHERE gone.provider_id <> ${memberId})
    GROUP BY provider_id`),
  tellHowMany(
    'moved',
    sql`(told.provider_id, told.starts_at, told.id) IN (SELECT taken.provider_id, taken.starts_at, taken.id FROM ${movedBy(ids, act)})`,
    act,
    sql`told.booker_id`,
  ),
];
