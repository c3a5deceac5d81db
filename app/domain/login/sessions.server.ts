import { msg } from '@lingui/core/macro';
import { and, eq, gt, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { newId } from '../../../db/columns';
import { insertFrom } from '../../../db/insert';
import { accounts, cities, sessions } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import { invalid, notLoggedIn } from '../errors';
import type { Actor, Role } from '../profile/accounts';
import { day, type Instant } from '../time/clock';
import { mayActFor } from './acting.server';
import { unreadOf } from './unread.server';

/** How long a session stays open after its last use, in milliseconds. */
export const sessionLength = 30 * day;

/** How long a session stays open after the login at most, in milliseconds. */
const longestSession = 180 * day;

export type Viewer = NonNullable<Awaited<ReturnType<typeof findViewer>>>;

/** A value, or its placeholder in a statement that is built once. */
type Param<Value> = Value | Placeholder | SQL;

type Who = { accountId: Param<string>; sessionId: Param<string>; memberId?: Param<string> | undefined };

/**
 * SQL: the actor's session is open, or the key of a program is good, and they may act for whom they act for. Each write
 * checks it in its own statement.
 */
export function isLoggedIn({ accountId, sessionId, memberId }: Who, now: Param<number>) {
  const self = memberId ?? accountId;
  const isOpen = sql`(EXISTS (SELECT 1 FROM sessions
    WHERE account_id = ${self} AND id = ${sessionId} AND expires_at > ${now})
    OR EXISTS (SELECT 1 FROM keys
    WHERE account_id = ${self} AND id = ${sessionId} AND ends_at > ${now}))`;
  return memberId === undefined ? isOpen : sql`(${isOpen} AND ${mayActFor(memberId, accountId)})`;
}

/**
 * Reads whether the session is open, in the batch of a write that depends on it. For the first round trip of a request,
 * http checks the session.
 */
export const selectIsLoggedIn = (actor: Actor, now: Instant) =>
  orm.select({ isLoggedIn: sql<number>`${isLoggedIn(actor, now)}`.as('is_logged_in') }).from(sql`(SELECT 1)`);

/** SQL: the account's time zone is still the one in the actor's cookie. */
export const isZoneOf = ({ accountId, timeZone }: Actor) =>
  sql`EXISTS (SELECT 1 FROM accounts WHERE id = ${accountId} AND time_zone = ${timeZone})`;

/** Reads the account's zone and whether the session is open. It stands beside a write that checks `isZoneOf`. */
export const selectOwner = (actor: Actor, now: Instant) =>
  orm
    .select({ timeZone: accounts.timeZone, isLoggedIn: sql<number>`${isLoggedIn(actor, now)}`.as('is_logged_in') })
    .from(accounts)
    .where(eq(accounts.id, actor.accountId));

/**
 * Another device may have changed the account's zone since the cookie was made.
 * @returns the actor in the new zone, to try the write again; undefined if the zone is the same
 * @throws DomainError unauthenticated, invalid (the reader typed times in another zone)
 */
export function inNewZone(actor: Actor, owner: Awaited<ReturnType<typeof selectOwner>>[number] | undefined) {
  if (!owner?.isLoggedIn) throw notLoggedIn();
  if (owner.timeZone === actor.timeZone) return undefined;
  if (actor.isZoneShown) {
    throw invalid(
      null,
      msg`You have changed your time zone since this page was opened. Please look at days and times again.`,
    );
  }
  return { ...actor, timeZone: owner.timeZone };
}

/** `device` is a name from `deviceOf`. */
export type Opening = { now: Instant; device?: string | null };

const isSession = ({ accountId, sessionId }: { accountId: Param<string>; sessionId: Param<string> }) =>
  and(eq(sessions.accountId, accountId), eq(sessions.id, sessionId));

export const insertSession = (
  {
    accountId,
    sessionId,
    now,
    device,
  }: { accountId: Param<string>; sessionId: Param<string>; now: Param<Instant>; device: Param<string | null> },
  condition: SQL,
) =>
  insertFrom(
    sessions,
    {
      accountId,
      id: sessionId,
      createdAt: now,
      expiresAt: sql`${now} + ${sql.raw(String(sessionLength))}`,
      lastUsedAt: now,
      device,
    },
    sql`WHERE ${condition}`,
  ).onConflictDoNothing();

export const selectSession = (actor: { accountId: Param<string>; sessionId: Param<string> }) =>
  orm.select({ id: sessions.id }).from(sessions).where(isSession(actor));

/**
 * The statements that open a session. Later statements of the batch see by `isOpen` or `read` whether it was opened.
 */
export function openSession(accountId: string, { now, device = null }: Opening, condition = sql`true`) {
  const id = newId();
  return {
    id,
    insert: insertSession({ accountId, sessionId: id, now, device }, condition),
    isOpen: sql`EXISTS (SELECT 1 FROM sessions WHERE account_id = ${accountId} AND id = ${id})`,
    read: selectSession({ accountId, sessionId: id }),
  };
}

/** What a request reads of its account, by a session or by the key of a program. */
export const viewerColumns = {
  accountId: accounts.id,
  username: accounts.username,
  displayName: accounts.displayName,
  // Nobody logs in to a shop.
  role: sql<Role>`${accounts.role}`.as('role'),
  timeZone: accounts.timeZone,
  lang: accounts.lang,
  readIn: accounts.readIn,
  location: cities.name,
  address: accounts.address,
  phone: accounts.phone,
  payBy: accounts.payBy,
  description: accounts.description,
  email: accounts.email,
};

const selectViewer = statement<{ session: string; account: string; now: Instant }>()(({ session, account, now }) =>
  orm
    .select({
      ...viewerColumns,
      loggedInAt: sessions.createdAt,
      lastUsedAt: sessions.lastUsedAt,
      unread: unreadOf(account).as('unread'),
      // Of whoever is in no shop it reads no row.
      isAtDesk:
        sql<boolean>`EXISTS (SELECT 1 FROM colleagues AS mine WHERE mine.account_id = ${account} AND mine.role <> 'colleague')`
          .mapWith(Boolean)
          .as('is_at_desk'),
    })
    .from(sessions)
    .innerJoin(accounts, eq(accounts.id, sessions.accountId))
    .leftJoin(cities, eq(cities.folded, accounts.city))
    .where(and(eq(sessions.id, session), eq(sessions.accountId, account), gt(sessions.expiresAt, now))),
);

/** Reads the account of a session; undefined if the session has ended or never was. */
export async function findViewer(db: Db, { sessionId, accountId }: Actor, now: Instant) {
  const [[viewer]] = await db.run(selectViewer({ session: sessionId, account: accountId, now }));
  return viewer;
}

/** True if the session is in use and was not extended today. */
export function isExtensionDue(viewer: Viewer, now: Instant): boolean {
  return viewer.lastUsedAt < now - day;
}

export async function extendSession(db: Db, actor: Actor, now: Instant): Promise<void> {
  await db.run(
    orm
      .update(sessions)
      .set({ lastUsedAt: now, expiresAt: sql`min(${now + sessionLength}, created_at + ${longestSession})` })
      .where(and(isSession(actor), gt(sessions.expiresAt, now))),
  );
}

export const endSession = (actor: Actor, condition = sql`true`) =>
  orm.delete(sessions).where(and(isSession(actor), condition));

export async function closeSession(db: Db, actor: Actor): Promise<void> {
  await db.run(endSession(actor));
}
