import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { insertFrom } from '../../../db/insert';
import { accounts } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { conflict } from '../errors';
import { fold, sortKey } from '../input/fold';
import { hour, type Instant } from '../time/clock';
import type { Actor } from './accounts';
import { type Account, type LoggedIn, loggedIn, selectAccount } from './accounts.server';
import type { GuestDetails } from './guests';
import { isLoggedIn, openSession } from './sessions.server';
import { countTry, type Origin, type RateLimit, refuseTooMany } from './throttles.server';

/* Guests: accounts without a login, who book and answer as consumers do. */

/** How many guests one network may make in an hour. */
const guestsFrom = (address: string): RateLimit => ({ bucket: `guest:${address}`, limit: 60, window: hour });

/** Who is about to be a guest: their account's id is known beforehand, so that the same form sent twice makes one guest. */
export type Newcomer = GuestDetails & { id: string; edgeZone: string | null; origin: Origin; device?: string | null };

/** The condition that this account is a guest. */
export const isGuestAccount = (id: string | SQL) =>
  sql`EXISTS (SELECT 1 FROM accounts WHERE id = ${id} AND username IS NULL)`;

/** The statement that makes a guest's account where `condition` holds; one that is there stays as it is. */
export function insertGuest({ id, displayName, email, timeZone, edgeZone }: Newcomer, condition: SQL, now: Instant) {
  const guest = {
    id,
    displayName,
    displayFolded: fold(displayName),
    displaySortKey: sortKey(displayName),
    role: 'Consumer' as const,
    timeZone: timeZone ?? edgeZone ?? 'UTC',
    email,
    createdAt: now,
  };
  return insertFrom(accounts, guest, sql`WHERE ${condition}`).onConflictDoNothing();
}

/** The actor that a newcomer is to be. */
export const actorOf = ({ id, timeZone, edgeZone }: Newcomer, sessionId: string): Actor => ({
  accountId: id,
  sessionId,
  role: 'Consumer',
  timeZone: timeZone ?? edgeZone ?? 'UTC',
  isGuest: true,
});

/**
 * The statements by which a newcomer becomes a guest with a session, to stand first in the batch of what they have come
 * for; they do nothing where `condition` does not hold, or where their network has made too many.
 */
export function arrival(newcomer: Newcomer, condition: SQL, now: Instant) {
  const { id, origin, device } = newcomer;
  const session = openSession(id, { now, device }, isGuestAccount(id));
  const rateLimit = origin && guestsFrom(origin.address);
  const isWithin = rateLimit
    ? sql`(SELECT tries FROM throttles WHERE bucket = ${rateLimit.bucket}) <= ${rateLimit.limit}`
    : sql`true`;
  return {
    actor: actorOf(newcomer, session.id),
    statements: [
      ...(rateLimit ? [countTry(rateLimit, now)] : []),
      insertGuest(newcomer, sql`${isWithin} AND ${condition}`, now),
      session.insert,
    ],
    /** Takes the results of those statements off the batch's. @throws DomainError too_many */
    rest(results: unknown[]): unknown[] {
      const [counted] = results as [{ bucket: string; tries: number; endsAt: Instant }[]];
      if (rateLimit) refuseTooMany([rateLimit], [counted[0]], now);
      return results.slice(rateLimit ? 3 : 2);
    },
  };
}

/** Keeps the address of a guest who has given none so far, such as a provider asks for. */
export async function keepEmail(db: Db, actor: Actor, email: string, now: Instant): Promise<void> {
  await db.run(
    orm
      .update(accounts)
      .set({ email })
      .where(
        and(
          eq(accounts.id, actor.accountId),
          isNull(accounts.username),
          isNull(accounts.email),
          isLoggedIn(actor, now),
        ),
      ),
  );
}

/** Makes a guest with a session. Sent again with the same key the same guest is answered. @throws DomainError too_many */
export async function openGuest(db: Db, newcomer: Newcomer, now: Instant): Promise<LoggedIn> {
  const { actor, statements, rest } = arrival(newcomer, sql`true`, now);
  const results = await db.run(...statements, selectAccount().where(eq(accounts.id, newcomer.id)));
  const [[guest]] = rest(results) as [Account[]];
  if (!guest || guest.username !== null) throw conflict('This guest has an account by now: log in.');
  return loggedIn(guest, actor.sessionId);
}
