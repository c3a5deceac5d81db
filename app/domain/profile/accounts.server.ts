import { msg } from '@lingui/core/macro';
import { and, eq, isNull, ne, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { newId } from '../../../db/columns';
import { RuleBroken } from '../../../db/errors';
import { ownedBy } from '../../../db/owned-by';
import { accounts, cities, slots } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { isOpen } from '../../../db/states';
import { conflict, DomainError, notLoggedIn } from '../errors';
import { fold, sortKey, withoutAccents } from '../input/fold';
import type { Passwords } from '../login/passwords.server';
import { askWhoseAddress } from '../login/safety.server';
import { endSession, isLoggedIn, type Opening, openSession } from '../login/sessions.server';
import { countTries, type Origin } from '../login/throttles.server';
import { storedAddress } from '../mail/addresses.server';
import type { WithheldMail } from '../mail/withheld-mail';
import { oneTimeKey } from '../one-time-keys.server';
import { type Instant, noZone } from '../time/clock';
import { type Language, languageOf } from '../words/languages';
import { type Actor, isGuest, type ProfileChange, type Registration, type Role, takenFault } from './accounts';
import { registrationLimit } from './register.server';
import { selectWithheldQuestion } from './withheld-question.server';

const profileColumns = {
  id: accounts.id,
  username: accounts.username,
  displayName: accounts.displayName,
  role: sql<Role>`${accounts.role}`.as('role'),
  timeZone: accounts.timeZone,
  lang: accounts.lang,
  location: cities.name,
  description: accounts.description,
  address: accounts.address,
  phone: accounts.phone,
  payBy: accounts.payBy,
  email: accounts.email,
  passwordHash: accounts.passwordHash,
};

/** Selects an account with the hash of its password. */
export const selectAccount = () =>
  orm.select(profileColumns).from(accounts).leftJoin(cities, eq(cities.folded, accounts.city));

export type Account = Awaited<ReturnType<typeof selectAccount>>[number];
/** `withheldQuestion`: why the question whose address it is goes out later. */
export type Registered = LoggedIn & { withheldQuestion: WithheldMail | null };
export type LoggedIn = { account: Omit<Account, 'passwordHash'>; actor: Actor };

export function loggedIn({ passwordHash: _, ...account }: Account, sessionId: string): LoggedIn {
  const { id: accountId, role, timeZone } = account;
  const own = isGuest(account) ? { isGuest: true as const } : ownLanguage(account);
  return { account, actor: { accountId, sessionId, role, timeZone, ...own } };
}

/** What the session's cookie says of the account's language. */
export function ownLanguage({ lang }: { lang: string | null }): Pick<Actor, 'lang'> {
  const language = languageOf(lang);
  return language ? { lang: language } : {};
}

/** English is not stored, because it is what counts where nothing is. */
export const storedLanguage = (lang: Language): Language | null => (lang === 'en' ? null : lang);

/** Thrown when the form is sent again after it has registered the name. */
export class RegisteredBefore extends DomainError {
  constructor(username: string) {
    super('taken', [takenFault(username)]);
  }
}

// A city is spelt as it was first registered. If the condition does not hold, the folded name is null and the row is
// ignored, as for a known city.
export const spellCity = (name: string, condition: SQL) =>
  orm.run(sql`
    INSERT OR IGNORE INTO cities (folded, name) VALUES (CASE WHEN ${condition} THEN ${fold(name)} END, ${name})`);

/**
 * Registers an account. Its time zone is the one chosen in the form, else the edge's guess, else UTC. Its language is the
 * one that it was registered in; English leaves the choice to each device.
 * @param replaced the account that this browser was logged in to, whose session ends
 * @throws DomainError taken (the name is in use), too_many (tries); RegisteredBefore
 */
export async function registerAccount(
  db: Db,
  passwords: Passwords,
  input: Registration,
  {
    now,
    edgeZone,
    lang = 'en',
    origin,
    key,
    replaced,
    device,
  }: Opening & { key?: string; edgeZone: string | null; lang?: Language; origin: Origin; replaced?: Actor | null },
): Promise<Registered> {
  if (origin) await countTries(db, [registrationLimit(origin.address)], now);
  const { username, displayName, password, email, role, location = null, description = null } = input;
  const id = newId();
  const usernameFolded = fold(username);
  const isNew = sql`EXISTS (SELECT 1 FROM accounts WHERE id = ${id})`;
  const session = openSession(id, { now, device }, isNew);
  const once = key === undefined ? null : oneTimeKey(`Register:${usernameFolded}`, key, now);
  const account = {
    id,
    username,
    usernameFolded,
    displayName,
    displayPlain: withoutAccents(displayName),
    displaySortKey: sortKey(displayName),
    passwordHash: await passwords.hash(password),
    role,
    timeZone: input.timeZone ?? edgeZone ?? noZone,
    lang: storedLanguage(lang),
    city: location && fold(location),
    description,
    ...storedAddress(email),
    createdAt: now,
  };
  const {
    replay: [earlier] = [],
    holder: [stored],
    withheld: [question] = [],
  } = await db.run({
    city: location
      ? spellCity(location, sql`NOT EXISTS (SELECT 1 FROM accounts WHERE username_folded = ${usernameFolded})`)
      : undefined,
    account: orm.insert(accounts).values(account).onConflictDoNothing(),
    session: session.insert,
    asked: email === null ? undefined : askWhoseAddress(id, isNew, now),
    withheld: email === null ? undefined : selectWithheldQuestion(id),
    ended: replaced ? endSession(replaced, isNew) : undefined,
    used: once?.use(isNew, sql`json_quote(${id})`),
    replay: once?.read(),
    holder: selectAccount().where(eq(accounts.usernameFolded, usernameFolded)),
  });
  if (stored?.id === id) return { ...loggedIn(stored, session.id), withheldQuestion: question?.withheld ?? null };
  if (stored && earlier?.replay === stored.id) throw new RegisteredBefore(username);
  throw new DomainError('taken', [takenFault(username)]);
}

/** Notes in which language the actor reads. It counts for their mails and feeds while they have chosen none. */
export async function noteReading(db: Db, actor: Actor, language: Language, now: Instant): Promise<void> {
  await db.run(
    orm
      .update(accounts)
      .set({ readIn: storedLanguage(language) })
      .where(and(eq(accounts.id, actor.accountId), isNull(accounts.lang), isLoggedIn(actor, now))),
  );
}

const sharedClock = () =>
  conflict(
    msg`Your shop goes by one clock, so your time zone stays while others are in it. To change it, leave the shop.`,
  );

/**
 * Changes the actor's profile. If a provider moves to another city, their open slots move too. A shop in which nobody else
 * is goes by their clock.
 * @throws DomainError unauthenticated, conflict (another time zone than that of the colleagues)
 */
export async function editProfile(db: Db, actor: Actor, change: ProfileChange, now: Instant): Promise<LoggedIn> {
  const { displayName, timeZone, lang, location, payBy } = change;
  const isOwnAccount = and(eq(accounts.id, actor.accountId), isLoggedIn(actor, now));
  const set = {
    displayName,
    displayPlain: withoutAccents(displayName),
    displaySortKey: sortKey(displayName),
    ...(timeZone && { timeZone }),
    ...(lang !== undefined && { lang }),
    ...(payBy !== undefined && { payBy }),
  };
  const place = location && {
    city: fold(location),
    description: change.description ?? null,
    address: change.address ?? null,
    phone: change.phone ?? null,
  };
  const shopOfMine = sql`(SELECT shop_id FROM colleagues WHERE account_id = ${actor.accountId})`;
  const {
    account: [account],
  } = await db
    .run({
      city: location ? spellCity(location, isLoggedIn(actor, now)) : undefined,
      changed: orm
        .update(accounts)
        .set({ ...set, ...place })
        .where(isOwnAccount),
      slots: place
        ? orm
            .update(slots)
            .set({ city: place.city })
            .where(and(ownedBy(actor, slots), isOpen(slots), ne(slots.city, place.city), isLoggedIn(actor, now)))
        : undefined,
      shop: timeZone
        ? orm
            .update(accounts)
            .set({ timeZone })
            .where(
              and(
                eq(accounts.id, shopOfMine),
                eq(accounts.role, 'Shop'),
                ne(accounts.timeZone, timeZone),
                isLoggedIn(actor, now),
              ),
            )
            .returning({ provider_id: sql<string>`${accounts.id}`.as('provider_id') })
        : undefined,
      account: selectAccount().where(isOwnAccount),
    })
    .catch((error) => {
      throw error instanceof RuleBroken && error.rule === 'shop_has_one_zone' ? sharedClock() : error;
    });
  if (!account) throw notLoggedIn();
  return loggedIn(account, actor.sessionId);
}
