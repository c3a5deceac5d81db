import { and, eq, ne, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { newId } from '../../../db/columns';
import { accounts, cities, slots } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { DomainError, notLoggedIn } from '../errors';
import { fold, sortKey } from '../input/fold';
import { askWhoseAddress } from '../messages/safety.server';
import { oneTimeKey, type Written } from '../one-time-keys.server';
import type { Instant } from '../time/clock';
import { type Actor, isGuest, type ProfileChange, type Registration, takenFault } from './accounts';
import type { Passwords } from './passwords.server';
import { registrations } from './registration.server';
import { endSession, isLoggedIn, type Opening, openSession } from './sessions.server';
import { countTries, type Origin } from './throttles.server';

const profileColumns = {
  id: accounts.id,
  username: accounts.username,
  displayName: accounts.displayName,
  role: accounts.role,
  timeZone: accounts.timeZone,
  location: cities.name,
  description: accounts.description,
  email: accounts.email,
  passwordHash: accounts.passwordHash,
};

/** An account with what its owner sees of it, and the hash of its password. */
export const selectAccount = () =>
  orm.select(profileColumns).from(accounts).leftJoin(cities, eq(cities.folded, accounts.city));

/** A row of selectAccount. */
export type Account = Awaited<ReturnType<typeof selectAccount>>[number];
/** An account that has just logged in, with its new session. */
export type LoggedIn = { account: Omit<Account, 'passwordHash'>; actor: Actor };

/** An account that has just logged in by that session. */
export function loggedIn({ passwordHash: _, ...account }: Account, sessionId: string): LoggedIn {
  const { id: accountId, role, timeZone } = account;
  return { account, actor: { accountId, sessionId, role, timeZone, ...(isGuest(account) && { isGuest: true }) } };
}

/** A new session for whoever has proved by a password, sent twice, that the account is theirs. */
export async function logInAnew(db: Db, account: Account, opening: Opening): Promise<LoggedIn> {
  const { id, insert } = openSession(account.id, opening);
  await db.run(insert);
  return loggedIn(account, id);
}

/**
 * The statement that spells a city as it is first registered. `condition` is that the registration itself is written: a
 * city without its folded name is ignored, like one that is there.
 */
const spellCity = (name: string, condition: SQL) =>
  orm.run(sql`
    INSERT OR IGNORE INTO cities (folded, name) VALUES (CASE WHEN ${condition} THEN ${fold(name)} END, ${name})`);

/**
 * Makes an account and logs it in. The zone is the form's choice, else what the edge saw, else UTC. Sent again with the
 * same key, name and password it is a login.
 * @param replaced whose session this browser has so far: its cookie goes, and so does the session
 * @throws DomainError taken (the name is in use), too_many
 */
export async function registerAccount(
  db: Db,
  passwords: Passwords,
  input: Registration,
  {
    now,
    edgeZone,
    origin,
    key,
    replaced,
    device,
  }: Written & Opening & { edgeZone: string | null; origin: Origin; replaced?: Actor | null },
): Promise<LoggedIn> {
  if (origin) await countTries(db, [registrations(origin.address)], now);
  const { username, displayName, password, email, role, location = null, description = null } = input;
  const id = newId();
  const usernameFolded = fold(username);
  const isNew = sql`EXISTS (SELECT 1 FROM accounts WHERE id = ${id})`;
  const session = openSession(id, { now, device }, isNew);
  const once = oneTimeKey(`Register:${usernameFolded}`, key, now);
  const account = {
    id,
    username,
    usernameFolded,
    displayName,
    displayFolded: fold(displayName),
    displaySortKey: sortKey(displayName),
    passwordHash: await passwords.hash(password),
    role,
    timeZone: input.timeZone ?? edgeZone ?? 'UTC',
    city: location && fold(location),
    description,
    email,
    createdAt: now,
  };
  const results = await db.run(
    selectAccount().where(eq(accounts.usernameFolded, usernameFolded)),
    ...(location
      ? [spellCity(location, sql`NOT EXISTS (SELECT 1 FROM accounts WHERE username_folded = ${usernameFolded})`)]
      : []),
    orm.insert(accounts).values(account).onConflictDoNothing({ target: accounts.usernameFolded }),
    session.insert,
    ...(email === null ? [] : [askWhoseAddress(id, isNew, now)]),
    once.claim(isNew),
    once.store(sql`json_quote(${id})`),
    ...(replaced ? [endSession(replaced, isNew)] : []),
    once.read(),
    selectAccount().where(eq(accounts.usernameFolded, usernameFolded)),
  );
  const [held] = results.at(-1) as Account[];
  const [earlier] = results.at(-2) as { replay: unknown }[];
  if (held?.id === id) return loggedIn(held, session.id);
  if (held && earlier?.replay === held.id && (await passwords.verify(password, held.passwordHash)).right) {
    return logInAnew(db, held, { now, device });
  }
  throw new DomainError('taken', [takenFault(username)]);
}

/**
 * Changes what is given of the actor's profile. A provider's open slots move to a new city with them.
 * @throws DomainError unauthenticated
 */
export async function editProfile(db: Db, actor: Actor, change: ProfileChange, now: Instant): Promise<LoggedIn> {
  const { displayName, timeZone, location } = change;
  const mine = and(eq(accounts.id, actor.accountId), isLoggedIn(actor, now));
  const set = {
    displayName,
    displayFolded: fold(displayName),
    displaySortKey: sortKey(displayName),
    ...(timeZone && { timeZone }),
  };
  const results = await db.run(
    ...(location
      ? [
          spellCity(location, isLoggedIn(actor, now)),
          orm
            .update(accounts)
            .set({ ...set, city: fold(location), description: change.description ?? null })
            .where(mine),
          orm
            .update(slots)
            .set({ city: fold(location) })
            .where(
              and(
                eq(slots.providerId, actor.accountId),
                eq(slots.status, 0),
                ne(slots.city, fold(location)),
                isLoggedIn(actor, now),
              ),
            ),
        ]
      : [orm.update(accounts).set(set).where(mine)]),
    selectAccount().where(mine),
  );
  const [account] = results.at(-1) as Account[];
  if (!account) throw notLoggedIn();
  db.changedPages.add(actor.accountId);
  return loggedIn(account, actor.sessionId);
}
