import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { newId } from '../../../db/columns';
import { insertFrom } from '../../../db/insert';
import { accounts, type throttles } from '../../../db/schema';
import { orm, type Placeholders, statement, statementBy } from '../../../db/statement';
import { fold, sortKey } from '../input/fold';
import { insertSession, isLoggedIn, selectSession } from '../login/sessions.server';
import { countTry, type Origin, type RateLimit, refuseTooMany } from '../login/throttles.server';
import { storedAddress } from '../messages/addresses.server';
import type { Actor } from '../profile/accounts';
import { type Account, type LoggedIn, loggedIn, selectAccount } from '../profile/accounts.server';
import { hour, type Instant } from '../time/clock';
import type { GuestDetails } from './guests';

/* Guests: accounts without a login, who book and answer as consumers do. */

/** How many guests one network may make in an hour. */
const guestsFrom = (address: string) => ({ bucket: `guest:${address}`, limit: 60, window: hour }) satisfies RateLimit;

/** Who is about to be a guest: their account's id is known beforehand, so that the same form sent twice makes one guest. */
export type Newcomer = GuestDetails & {
  id: string;
  edgeZone: string | null;
  origin: Origin;
  device?: string | null;
  /** The provider who typed the address; left out where they did. */
  emailBy?: string;
};

/** The condition that this account is a guest. */
export const isGuestAccount = (id: string | SQL) =>
  sql`EXISTS (SELECT 1 FROM accounts WHERE id = ${id} AND username IS NULL)`;

/** The row of a newcomer's account. */
const guestOf = ({ id, displayName, email, emailBy, timeZone, edgeZone }: Newcomer, now: Instant) => ({
  id,
  displayName,
  displayFolded: fold(displayName),
  displaySortKey: sortKey(displayName),
  timeZone: timeZone ?? edgeZone ?? 'UTC',
  ...storedAddress(email),
  emailBy: email === null ? null : (emailBy ?? null),
  createdAt: now,
});
type Guest = ReturnType<typeof guestOf>;

// A proxy of placeholders has every name, and lists none.
const columnsOf = (given: Placeholders<Guest>): Placeholders<Guest> => ({
  id: given.id,
  displayName: given.displayName,
  displayFolded: given.displayFolded,
  displaySortKey: given.displaySortKey,
  timeZone: given.timeZone,
  email: given.email,
  emailHash: given.emailHash,
  emailBy: given.emailBy,
  createdAt: given.createdAt,
});

const insertAccount = (guest: Guest | Placeholders<Guest>, condition: SQL) =>
  insertFrom(accounts, { ...guest, role: 'Consumer' }, sql`WHERE ${condition}`).onConflictDoNothing();

/** The statement that makes a guest's account where `condition` holds; one that is there stays as it is. */
export const insertGuest = (newcomer: Newcomer, condition: SQL, now: Instant) =>
  insertAccount(guestOf(newcomer, now), condition);

/** The actor that a newcomer is to be. */
export const actorOf = ({ id, timeZone, edgeZone }: Newcomer, sessionId: string): Actor => ({
  accountId: id,
  sessionId,
  role: 'Consumer',
  timeZone: timeZone ?? edgeZone ?? 'UTC',
  isGuest: true,
});

/** What the statements of an arrival are given, beside what their condition takes. */
type Arriving = Guest & { now: Instant; sessionId: string; device: string | null; bucket: string };

/**
 * Prepares the statements by which a newcomer becomes a guest with a session, to stand first in the batch of what they have come
 * for; they do nothing if `condition` does not hold, or where their network has made too many. The session opens in the
 * moment that makes the guest: whoever sends the same again gets none.
 */
export function arrivalsWhere<Values extends Record<string, unknown>>(
  condition: (given: Placeholders<Values & Arriving>) => SQL,
) {
  const { limit } = guestsFrom('');
  const counted = statement<Values & Arriving>()((given) =>
    countTry({ ...guestsFrom(''), bucket: given.bucket }, given.now, condition(given)),
  );
  const guest = statementBy<{ isLimited: boolean }, Values & Arriving>()(({ isLimited }, given) =>
    insertAccount(
      columnsOf(given),
      isLimited
        ? sql`(SELECT tries FROM throttles WHERE bucket = ${given.bucket}) <= ${limit} AND ${condition(given)}`
        : condition(given),
    ),
  );
  const session = statement<Arriving>()(({ id, sessionId, now, device }) =>
    insertSession(
      { accountId: id, sessionId, now, device },
      sql`EXISTS (SELECT 1 FROM accounts WHERE id = ${id} AND username IS NULL AND created_at = ${now})`,
    ),
  );
  const opened = statement<Pick<Arriving, 'id' | 'sessionId'>>()(({ id, sessionId }) =>
    selectSession({ accountId: id, sessionId }),
  );

  return (newcomer: Newcomer, values: Values, now: Instant) => {
    const { id, origin, device = null } = newcomer;
    const sessionId = newId();
    const rateLimit = origin && guestsFrom(origin.address);
    const bucket = rateLimit?.bucket ?? '';
    const given = { ...values, ...guestOf(newcomer, now), now, sessionId, device, bucket };
    return {
      /** The actor of what follows in the batch. */
      actor: actorOf(newcomer, sessionId),
      statements: {
        counted: rateLimit ? counted(given) : undefined,
        guest: guest({ isLimited: rateLimit !== null }, given),
        session: session(given),
        opened: opened({ id, sessionId }),
      },
      /** Judges what was counted. @throws DomainError too_many */
      refuseTooMany(counted: (typeof throttles.$inferSelect)[] = []) {
        if (rateLimit) refuseTooMany([rateLimit], counted, now);
      },
    };
  };
}

const arrive = arrivalsWhere(() => sql`true`);

/** Keeps the address of a guest who has given none so far, such as a provider asks for. */
export async function keepEmail(db: Db, actor: Actor, email: string, now: Instant): Promise<void> {
  await db.run(
    orm
      .update(accounts)
      .set(storedAddress(email))
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

/** Makes a guest with a session: another each time. @throws DomainError too_many */
export async function openGuest(db: Db, details: Omit<Newcomer, 'id'>, now: Instant): Promise<LoggedIn> {
  const { actor, statements, refuseTooMany } = arrive({ ...details, id: newId() }, {}, now);
  const {
    counted,
    accounts: [guest],
  } = await db.run({ ...statements, accounts: selectAccount().where(eq(accounts.id, actor.accountId)) });
  refuseTooMany(counted);
  return loggedIn(guest as Account, actor.sessionId);
}
