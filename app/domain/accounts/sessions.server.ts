import { and, eq, gt, type Placeholder, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { newId } from '../../../db/columns';
import { insertFrom } from '../../../db/insert';
import { accounts, cities, sessions } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import { invalid, notLoggedIn } from '../errors';
import { unreadOf } from '../messages/unread.server';
import { day, type Instant } from '../time/clock';
import type { Actor } from './accounts';

/** How long a session lasts from its last use, in milliseconds: 30 days. */
export const sessionLength = 30 * day;

/** How long a session lasts however much it is used, in milliseconds: 180 days. */
const longestSession = 180 * day;

/** The account behind a session that stands, and when the session was used last. */
export type Viewer = NonNullable<Awaited<ReturnType<typeof findViewer>>>;

/** A value, or its placeholder in a statement that is built once. */
type Given<Value> = Value | Placeholder;

/** SQL: the actor's session stands. Each write has it inside its statement. */
export function isLoggedIn(actor: { accountId: Given<string>; sessionId: Given<string> }, now: Given<number>) {
  return sql`EXISTS (SELECT 1 FROM sessions
    WHERE id = ${actor.sessionId} AND account_id = ${actor.accountId} AND expires_at > ${now})`;
}

/**
 * Reads, in the batch of a write that checks it, whether the actor's session stands: for a write that is not in the first round
 * trip, where http checks the session.
 */
export const selectStanding = (actor: Actor, now: Instant) =>
  orm.select({ isLoggedIn: sql<number>`${isLoggedIn(actor, now)}`.as('is_logged_in') }).from(sql`(SELECT 1)`);

/** SQL: the actor's zone is still that of their account; the actor's is as old as the cookie. */
export const isZoneOf = ({ accountId, timeZone }: Actor) =>
  sql`EXISTS (SELECT 1 FROM accounts WHERE id = ${accountId} AND time_zone = ${timeZone})`;

/** Reads the account's zone now, and whether the session stands, beside a write that checks `isZoneOf`. */
export const selectOwner = (actor: Actor, now: Instant) =>
  orm
    .select({ timeZone: accounts.timeZone, isLoggedIn: sql<number>`${isLoggedIn(actor, now)}`.as('is_logged_in') })
    .from(accounts)
    .where(eq(accounts.id, actor.accountId));

/**
 * Gives the actor the account's new zone, changed on another device since this cookie was made, so that the write can
 * be made again in that zone. Undefined where the zone is the same.
 * @throws DomainError unauthenticated, invalid (the reader typed times in another zone)
 */
export function inNewZone(actor: Actor, owner: Awaited<ReturnType<typeof selectOwner>>[number] | undefined) {
  if (!owner?.isLoggedIn) throw notLoggedIn();
  if (owner.timeZone === actor.timeZone) return undefined;
  if (actor.isZoneShown) {
    throw invalid(
      null,
      'You have changed your time zone since this page was opened. Please look at days and times again.',
    );
  }
  return { ...actor, timeZone: owner.timeZone };
}

/** When a session is opened, and on what device, as `deviceOf` names it. */
export type Opening = { now: Instant; device?: string | null };

/** Makes the statement that opens a session; it writes only where `condition` holds. */
export function openSession(accountId: string, { now, device = null }: Opening, condition = sql`true`) {
  const id = newId();
  const row = { id, accountId, createdAt: now, expiresAt: now + sessionLength, lastUsedAt: now, device };
  const insert = insertFrom(sessions, row, sql`WHERE ${condition}`).onConflictDoNothing();
  return { id, insert };
}

const viewer = statement<{ session: string; account: string; now: Instant }>()(({ session, account, now }) =>
  orm
    .select({
      accountId: accounts.id,
      username: accounts.username,
      displayName: accounts.displayName,
      role: accounts.role,
      timeZone: accounts.timeZone,
      location: cities.name,
      description: accounts.description,
      email: accounts.email,
      lastUsedAt: sessions.lastUsedAt,
      unread: unreadOf(account).as('unread'),
    })
    .from(sessions)
    .innerJoin(accounts, eq(accounts.id, sessions.accountId))
    .leftJoin(cities, eq(cities.folded, accounts.city))
    .where(and(eq(sessions.id, session), eq(sessions.accountId, account), gt(sessions.expiresAt, now))),
);

/** Finds the account of this session; undefined where the session was revoked, has expired or never was. */
export async function findViewer(db: Db, { sessionId, accountId }: Actor, now: Instant) {
  const [[found]] = await db.run(viewer({ session: sessionId, account: accountId, now }));
  return found;
}

/** True where the use of a session should be noted, which extends it: at most once a day. */
export function isExtensionDue(viewer: Viewer, now: Instant): boolean {
  return viewer.lastUsedAt < now - day;
}

/** Notes that a session that stands is in use, which extends it, but never past its longest life. */
export async function extendSession(db: Db, actor: Actor, now: Instant): Promise<void> {
  await db.run(
    orm
      .update(sessions)
      .set({ lastUsedAt: now, expiresAt: sql`min(${now + sessionLength}, created_at + ${longestSession})` })
      .where(and(eq(sessions.id, actor.sessionId), gt(sessions.expiresAt, now))),
  );
}

/** Makes the statement that ends a session, where `condition` holds. */
export const endSession = ({ sessionId, accountId }: Actor, condition = sql`true`) =>
  orm.delete(sessions).where(and(eq(sessions.id, sessionId), eq(sessions.accountId, accountId), condition));

/** Logs this device out. A second call changes nothing. */
export async function closeSession(db: Db, actor: Actor): Promise<void> {
  await db.run(endSession(actor));
}
