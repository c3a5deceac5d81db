import { msg } from '@lingui/core/macro';
import { and, asc, eq, gt, isNull, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Db, Named } from '../../../db/client';
import { insertFrom } from '../../../db/insert';
import {
  accounts,
  bookings,
  cities,
  colleagues,
  formerColleagues,
  messages,
  shopInvitations,
} from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import { stands } from '../../../db/states';
import { conflict, DomainError, notLoggedIn } from '../errors';
import { fold } from '../input/fold';
import { hashOfKey, type Links } from '../links.server';
import { deleteOwn } from '../login/end-own.server';
import { isLoggedIn, selectOwner } from '../login/sessions.server';
import { hashOfAddress } from '../mail/addresses.server';
import { withheldMail } from '../mail/withheld-mail';
import { sendWithheld } from '../mail/withheld-mail.server';
import { notFound } from '../not-found';
import { oneTimeKey, type Written } from '../one-time-keys.server';
import type { Actor } from '../profile/accounts';
import { day, type Instant } from '../time/clock';
import { mostPeople, type ShopRole } from './colleagues';
import { hasFormer } from './former-colleagues.server';
import type { ShopInvitation } from './shops';
import {
  colleague,
  findShop,
  getShop,
  inAShop,
  isInShop,
  isOwner,
  keepsOwner,
  lastOwner,
  type OwnShop,
  ownedShop,
  refuseOthers,
  selectShop,
  shopOf,
} from './shops.server';

/** How long the link of an invitation is good, in milliseconds. */
const goodFor = 14 * day;

const mostInvitations = 50;

// The message about an invitation is under this id, with the invitation's behind it.
const idOfMail = (id: SQL | SQLiteColumn | string) => sql`'join-shop:' || ${id}`;

const invitationColumns = {
  id: shopInvitations.id,
  role: shopInvitations.role,
  email: shopInvitations.email,
  madeAt: shopInvitations.madeAt,
  until: shopInvitations.endsAt,
  withheld: sql<
    string | null
  >`CASE WHEN ${shopInvitations.email} IS NOT NULL THEN (SELECT mail_state || ' ' || reason FROM messages
    WHERE id = ${idOfMail(sql`shop_invitations.id`)} AND mail_state IN ('withheld', 'waiting')) END`
    .mapWith(withheldMail)
    .as('withheld'),
};

/**
 * Makes a link by which one provider joins the shop, and mails it where an address is given, within the limits of mail. Sent
 * again with its key, it answers the same invitation and the same link; else the link is never shown again.
 * @throws DomainError unauthenticated, not_found (no shop, or it was taken back since), forbidden, conflict (too many are open)
 */
export async function invite(
  db: Db,
  links: Links,
  actor: Actor,
  { role, email = null }: { role: ShopRole; email?: string | null },
  { now, key: sentKey }: Written,
): Promise<ShopInvitation & { key: string }> {
  const { seed: id, hash } = links.make();
  const shopId = ownedShop(actor);
  const once = oneTimeKey(`${actor.accountId}:InviteToShop`, sentKey, now);
  const countOpen = sql`(SELECT count(*) FROM shop_invitations WHERE shop_id = ${shopId} AND ends_at > ${now} AND used_by IS NULL)`;
  const {
    owner: [owner],
    stored: [stored],
    made: [made],
    ...read
  } = await db.run({
    owner: selectOwner(actor, now),
    used: once.use(sql`${isOwner(actor, now)} AND ${countOpen} < ${mostInvitations}`, sql`${JSON.stringify({ id })}`),
    written: insertFrom(
      shopInvitations,
      { shopId, id, hash, role, email, madeBy: actor.accountId, madeAt: now, endsAt: now + goodFor },
      sql`WHERE ${once.result('id')} = ${id}`,
    ),
    mail:
      email === null
        ? undefined
        : orm.run(sql`INSERT INTO notices (kind, once, invitation_id, actor_id, data, at, email, email_hash)
            SELECT 'join-shop', id, id, made_by,
              json_object('shop', (SELECT display_name FROM accounts WHERE accounts.id = shop_id), 'role', role),
              ${now}, email, ${hashOfAddress(email)}
            FROM shop_invitations WHERE shop_id = ${shopId} AND id = ${id}`),
    stored: once.read(),
    made: orm
      .select(invitationColumns)
      .from(shopInvitations)
      .where(sql`${shopInvitations.shopId} = ${shopId} AND ${shopInvitations.id} = (${once.stored} ->> 'id')`),
    ...selectShop(actor),
  });
  refuseOthers(owner, shopOf(read));
  if (!stored) throw conflict(msg`Many invitations are open already. Take one back first.`);
  if (!made) throw notFound('invitation');
  return { ...made, key: links.keyOf(made.id) };
}

function selectOpen(actor: Actor, now: Instant) {
  const { madeAt, id } = shopInvitations;
  return orm
    .select(invitationColumns)
    .from(shopInvitations)
    .where(
      and(
        sql`${shopInvitations.shopId} = ${ownedShop(actor)}`,
        gt(shopInvitations.endsAt, now),
        isNull(shopInvitations.usedBy),
      ),
    )
    .orderBy(asc(madeAt), asc(id));
}

/** Lists the open invitations of the actor's shop, the oldest first. @throws DomainError not_found, forbidden */
export async function listInvitations(db: Db, actor: Actor, now: Instant): Promise<ShopInvitation[]> {
  const [shop, [rows]] = await Promise.all([getShop(db, actor), db.run(selectOpen(actor, now))]);
  refuseOthers({ isLoggedIn: 1 }, shop);
  return rows;
}

/**
 * Reads the actor's shop with its open invitations, which only an owner sees, and whether its desk finds somebody who has left;
 * undefined if they are in none.
 */
export async function findOwnShop(
  db: Db,
  actor: Actor,
  now: Instant,
): Promise<{ shop: OwnShop; invitations: ShopInvitation[]; hasFormer: boolean } | undefined> {
  const isAny = sql<boolean>`${hasFormer(actor)}`.mapWith(Boolean).as('has_former');
  const [shop, { invitations, former }] = await Promise.all([
    findShop(db, actor),
    db.run({ invitations: selectOpen(actor, now), former: orm.select({ isAny }).from(sql`(SELECT 1)`) }),
  ]);
  return shop && { shop, invitations, hasFormer: former[0]?.isAny === true };
}

const isOwnInvitation = (actor: Actor, id: string) =>
  sql`${shopInvitations.shopId} = ${ownedShop(actor)} AND ${shopInvitations.id} = ${id}`;

/** SQL: the message is the mail of an invitation that the actor may take back. */
const isMailOf = (actor: Actor, id: string, now: Instant) =>
  sql`${messages.id} = ${idOfMail(id)} AND ${isLoggedIn(actor, now)}
    AND EXISTS (SELECT 1 FROM shop_invitations WHERE ${isOwnInvitation(actor, id)})`;

/** Takes an invitation back. @throws DomainError unauthenticated, not_found, forbidden */
export async function uninvite(db: Db, actor: Actor, id: string, now: Instant): Promise<void> {
  const own = { table: shopInvitations, condition: isOwnInvitation(actor, id), returning: { id: shopInvitations.id } };
  const {
    owner: [owner],
    ended,
    ...read
  } = await db.run({
    forgotten: orm
      .update(messages)
      .set({ mailState: 'dropped', dueAt: null, reason: 'over', email: null })
      .where(sql`${isMailOf(actor, id, now)} AND mail_state IN ('withheld', 'waiting')`),
    ...deleteOwn(actor, own, now),
    ...selectShop(actor),
  });
  refuseOthers(owner, shopOf(read));
  if (ended.length === 0) throw notFound('invitation');
}

/** Sends the mail of an invitation that a limit withheld, now or the next day. A repeat changes nothing. */
export async function sendWithheldInvitation(db: Db, actor: Actor, id: string, now: Instant): Promise<void> {
  await db.run(sendWithheld(isMailOf(actor, id, now), now));
}

const invitationBy = statement<{ hash: string; now: Instant }>()(({ hash, now }) =>
  orm
    .select({
      role: shopInvitations.role,
      isUsed: sql<boolean>`${shopInvitations.usedBy} IS NOT NULL`.mapWith(Boolean).as('is_used'),
      displayName: accounts.displayName,
      location: cities.name,
      timeZone: accounts.timeZone,
      rules: accounts.houseRules,
      host: sql<string>`(SELECT host.display_name FROM accounts AS host WHERE host.id = ${shopInvitations.madeBy})`.as(
        'host',
      ),
    })
    .from(shopInvitations)
    .innerJoin(accounts, eq(accounts.id, shopInvitations.shopId))
    .innerJoin(cities, eq(cities.folded, accounts.city))
    .where(and(eq(shopInvitations.hash, hash), gt(shopInvitations.endsAt, now))),
);

/** Finds what the link of an invitation is for, used or not; undefined if it is wrong or over. */
export async function findInvitation(db: Db, key: string, now: Instant) {
  const [[found]] = await db.run(invitationBy({ hash: hashOfKey(key), now }));
  return found;
}

export const linkOver = () =>
  new DomainError(
    'not_found',
    msg`This link is wrong, used or over: it is good once, and for 14 days. Ask the owner of the shop for a new one.`,
  );

/** Finds to what the link of an invitation leads, and who sent it. @throws DomainError not_found (it is wrong, used or over) */
export async function getInvitation(db: Db, key: string, now: Instant) {
  const found = await findInvitation(db, key, now);
  if (!found || found.isUsed) throw linkOver();
  return found;
}

/**
 * Joins the shop that the link is for, with the actor's whole book. The link is then used; sent again, it is
 * the same.
 * @throws DomainError unauthenticated, forbidden (a client), not_found (the link), conflict (in a shop already, another time
 * zone, or the shop is full)
 */
export async function join(db: Db, actor: Actor, key: string, now: Instant): Promise<OwnShop> {
  const { accountId } = actor;
  if (actor.role !== 'Provider')
    throw new DomainError('forbidden', msg`Only somebody who offers appointments can join a shop.`);
  const hash = hashOfKey(key);
  const countPeople = sql`(SELECT count(*) FROM colleagues WHERE shop_id = invitation.shop_id)`;
  const hasRoom = sql`${countPeople} < ${mostPeople}`;
  const isSameZone = sql`(SELECT time_zone FROM accounts WHERE id = ${accountId})
    = (SELECT time_zone FROM accounts WHERE id = invitation.shop_id)`;
  const isGood = sql`invitation.hash = ${hash} AND invitation.ends_at > ${now}`;
  const {
    owner: [owner],
    state: [state],
    joined,
  } = await db.run({
    owner: selectOwner(actor, now),
    state: orm
      .select({
        isInShop: sql<number>`${isInShop(accountId)}`.as('is_in_shop'),
        isUsed: sql<number>`invitation.used_by IS NOT NULL`.as('is_used'),
        isTheirs: sql<number>`invitation.used_by IS ${accountId} AND EXISTS (SELECT 1 FROM colleagues
          WHERE account_id = ${accountId} AND shop_id = invitation.shop_id)`.as('is_theirs'),
        hasRoom: sql<number>`${hasRoom}`.as('has_room'),
        isSameZone: sql<number>`${isSameZone}`.as('is_same_zone'),
        zone: sql<string>`(SELECT time_zone FROM accounts WHERE id = invitation.shop_id)`.as('shop_zone'),
      })
      .from(sql`shop_invitations AS invitation`)
      .where(isGood),
    joined: insertFrom(
      colleagues,
      {
        shopId: sql`invitation.shop_id`,
        accountId,
        role: sql`invitation.role`,
        place: sql`1 + (SELECT max(place) FROM colleagues WHERE shop_id = invitation.shop_id)`,
        joinedAt: now,
      },
      sql`FROM shop_invitations AS invitation
        WHERE ${isGood} AND invitation.used_by IS NULL AND ${isLoggedIn(actor, now)} AND NOT ${isInShop(accountId)} AND ${hasRoom} AND ${isSameZone}`,
    ).returning(colleague.returning),
    noLongerFormer: orm
      .delete(formerColleagues)
      .where(
        sql`account_id = ${accountId} AND shop_id = (SELECT shop_id FROM colleagues WHERE account_id = ${accountId})`,
      ),
    used: orm
      .update(shopInvitations)
      .set({ usedBy: accountId })
      .where(
        sql`hash = ${hash} AND used_by IS NULL AND EXISTS (SELECT 1 FROM colleagues
          WHERE account_id = ${accountId} AND shop_id = shop_invitations.shop_id AND joined_at = ${now})`,
      ),
  });
  if (!owner?.isLoggedIn) throw notLoggedIn();
  if (joined.length > 0 || state?.isTheirs) return getShop(db, actor);
  if (!state || state.isUsed) throw linkOver();
  if (state.isInShop) throw inAShop();
  if (!state.isSameZone)
    throw conflict(
      msg`The shop's clock is that of ${state.zone}, and yours is another. Change your time zone in your profile first.`,
    );
  throw conflict(msg`The shop has as many people as one may have.`);
}

/** Statements that go along with leaving. @param isLeaving SQL: the person leaves by this write */
export type Leaver = (isLeaving: SQL) => Named;

/** Takes what is still to come out of the shop with its provider: its client goes to the provider alone, whose limit counts it. */
function takeAlong(leavers: SQL, now: Instant) {
  const isComing = sql`provider_id IN (${leavers}) AND ${stands()} AND starts_at > ${now} AND shop_id IS NOT NULL`;
  return {
    changed: orm.run(sql`UPDATE feeds SET version = version + 1
      WHERE account_id IN (SELECT booker_id FROM bookings WHERE ${isComing} UNION SELECT provider_id FROM bookings WHERE ${isComing})`),
    takenAlong: orm
      .update(bookings)
      .set({ shopId: null, sequence: sql`sequence + 1` })
      .where(isComing)
      .returning({ provider_id: bookings.providerId }),
  };
}

/**
 * Takes somebody out of the shop: the actor, or whom an owner removes. Their book, with all appointments, stays theirs, and
 * they are in no page, list, claim or right of the shop any more, nor is what is still to come. The services of the house that
 * they do stay in their list, as their own: their hours, times and appointments are for them. The desk still reads what they had
 * in the shop until now.
 * @param username of whom an owner removes; undefined for the actor
 * @param alongWith what runs before it, in the same transaction
 * @throws DomainError unauthenticated, not_found, forbidden, conflict (the last owner)
 */
export async function leaveShop(
  db: Db,
  actor: Actor,
  { username }: { username?: string | undefined },
  now: Instant,
  alongWith: Leaver = () => ({}),
): Promise<void> {
  const name = username === undefined ? undefined : fold(username.trim());
  const isThem =
    name === undefined
      ? sql`account_id = ${actor.accountId}`
      : sql`shop_id = ${ownedShop(actor)} AND account_id = (SELECT id FROM accounts WHERE username_folded = ${name})`;
  const isLeaving = sql`(${isLoggedIn(actor, now)} AND EXISTS (SELECT 1 FROM colleagues WHERE ${isThem} AND ${keepsOwner}))`;
  const {
    owner: [owner],
    ended,
    shop: ownShop,
    people,
  } = await db.run({
    ...selectShop(actor),
    along: Object.values(alongWith(isLeaving)).flatMap((statement) => statement ?? []),
    ...takeAlong(
      sql`SELECT account_id FROM colleagues WHERE ${isThem} AND ${keepsOwner} AND ${isLoggedIn(actor, now)}`,
      now,
    ),
    left: insertFrom(
      formerColleagues,
      { shopId: sql`shop_id`, accountId: sql`account_id`, leftAt: now },
      sql`FROM colleagues WHERE ${isThem} AND ${keepsOwner} AND ${isLoggedIn(actor, now)}`,
    ),
    ...deleteOwn(actor, { ...colleague, condition: sql`${isThem} AND ${keepsOwner}` }, now),
  });
  const shop = shopOf({ shop: ownShop, people });
  if (!owner?.isLoggedIn) throw notLoggedIn();
  if (ended.length > 0) return;
  if (name !== undefined) {
    refuseOthers(owner, shop);
    if (!shop.people.some((one) => fold(one.username) === name)) throw notFound('provider');
  }
  throw shop.people.length > 1
    ? lastOwner()
    : conflict(msg`Nobody else is in the shop. Close it instead: its page and its name go, and your book stays yours.`);
}
