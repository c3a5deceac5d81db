import { msg } from '@lingui/core/macro';
import { and, eq, isNull, ne, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { accounts, bookings, feeds, invitations, messages, sessions, standingTimes, wishes } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { conflict, DomainError, notLoggedIn } from '../errors';
import { isGuestAccount } from '../guests/guests.server';
import { fold, sortKey, withoutAccents } from '../input/fold';
import type { Links } from '../links.server';
import { type FirstStep, logIn, logInByCode } from '../login/log-in.server';
import type { Passwords } from '../login/passwords.server';
import { askWhoseAddress } from '../login/safety.server';
import { endSession, isLoggedIn, type Opening, openSession, selectIsLoggedIn } from '../login/sessions.server';
import { countTries, type Origin } from '../login/throttles.server';
import { storedAddress } from '../mail/addresses.server';
import { oneTimeKey } from '../one-time-keys.server';
import { type Actor, type Credentials, type Registration, takenFault } from '../profile/accounts';
import {
  type Account,
  type LoggedIn,
  loggedIn,
  type Registered,
  selectAccount,
  storedLanguage,
} from '../profile/accounts.server';
import { registrationLimit } from '../profile/register.server';
import { selectWithheldQuestion } from '../profile/withheld-question.server';
import type { Instant } from '../time/clock';
import type { Language } from '../words/languages';
import { aliasOf } from './card-of.server';

// A guest becomes a registered client in two ways: by registering, which keeps the guest's account, or by logging in,
// which moves bookings and RSVPs to the other account.

/**
 * Gives a guest's account a username and a password. Bookings and links stay, sessions end.
 * @throws DomainError conflict (a provider has no bookings), taken (the name is in use), unauthenticated, too_many
 */
export async function registerGuest(
  db: Db,
  passwords: Passwords,
  guest: Actor,
  { username, displayName, password, email, role, timeZone }: Registration,
  { now, device, lang = 'en', origin, key }: Opening & { lang?: Language; origin: Origin; key?: string },
): Promise<Registered> {
  if (role === 'Provider') {
    throw conflict(msg`You are here as a guest. Register as a client to keep what you have booked, or log out first.`);
  }
  if (origin) await countTries(db, [registrationLimit(origin.address)], now);
  const usernameFolded = fold(username);
  const passwordHash = await passwords.hash(password);
  const isThisGuest = eq(accounts.id, guest.accountId);
  const isRegistered = sql`EXISTS (SELECT 1 FROM accounts WHERE id = ${guest.accountId} AND password_hash = ${passwordHash})`;
  const session = openSession(guest.accountId, { now, device }, isRegistered);
  // The same key as in registerAccount, which looks for the name when the form is sent again.
  const writeKey = key === undefined ? null : oneTimeKey(`Register:${usernameFolded}`, key, now);
  const {
    reader: [reader],
    account: [account],
    withheld: [question],
  } = await db.run({
    registered: orm
      .update(accounts)
      .set({
        username,
        usernameFolded,
        displayName,
        displayPlain: withoutAccents(displayName),
        displaySortKey: sortKey(displayName),
        passwordHash,
        lang: storedLanguage(lang),
        ...(timeZone && { timeZone }),
        ...(email !== null && {
          ...storedAddress(email),
          emailBy: null,
          emailConfirmedAt: sql`iif(email = ${email}, email_confirmed_at, NULL)`,
        }),
      })
      .where(
        and(
          isThisGuest,
          isNull(accounts.username),
          sql`NOT EXISTS (SELECT 1 FROM accounts WHERE username_folded = ${usernameFolded})`,
          isLoggedIn(guest, now),
        ),
      ),
    invitations: orm
      .update(invitations)
      .set({
        username,
        // From now on mail goes to the account's address.
        email: sql`iif(${email !== null ? 1 : 0}, NULL, email)`,
        emailHash: sql`iif(${email !== null ? 1 : 0}, NULL, email_hash)`,
      })
      .where(and(eq(invitations.accountId, guest.accountId), isRegistered)),
    wishes: orm
      .update(wishes)
      .set({ askedBy: guest.accountId })
      .where(and(eq(wishes.accountId, guest.accountId), isRegistered)),
    used: writeKey?.use(isRegistered, sql`json_quote(${guest.accountId})`),
    // Ask the owner of the address too, if it came with the booking.
    question: askWhoseAddress(guest.accountId, isRegistered, now),
    withheld: selectWithheldQuestion(guest.accountId),
    reader: selectIsLoggedIn(guest, now),
    // All sessions of the guest were opened without a password, so they end.
    session: session.insert,
    ended: orm
      .delete(sessions)
      .where(and(eq(sessions.accountId, guest.accountId), ne(sessions.id, session.id), isRegistered)),
    account: selectAccount().where(isThisGuest),
  });
  if (account?.passwordHash === passwordHash)
    return { ...loggedIn(account, session.id), withheldQuestion: question?.withheld ?? null };
  if (!reader?.isLoggedIn) throw notLoggedIn();
  throw new DomainError('taken', [takenFault(username)]);
}

const isGuestHere = (guest: Actor, now: Instant) => and(isGuestAccount(guest.accountId), isLoggedIn(guest, now)) as SQL;

export type Login = ({ credentials: Credentials } | { step: FirstStep; code: string }) & { join: boolean };

/**
 * Logs in and ends the session `replaced`. With `join`, the guest's bookings and RSVPs move to the account.
 * @throws DomainError as logIn and logInByCode; conflict (a provider can't have a guest's bookings)
 */
export function logInHere(
  db: Db,
  passwords: Passwords,
  links: Links,
  login: Login,
  { now, origin, device, replaced }: Opening & { origin: Origin; replaced: Actor | null },
): Promise<LoggedIn> {
  const extraStatements = async (account: Account, isOpen: SQL) => {
    if (!replaced) return [];
    // The statements of `join` need the guest's session, so it ends after them.
    const endGuestSession = endSession(replaced, isOpen);
    if (!replaced.isGuest || !login.join) return [endGuestSession];
    if (account.role === 'Consumer') return [...joinGuest(replaced, account, isOpen, now), endGuestSession];
    const [[guestHere]] = await db.run(
      orm
        .select({ id: accounts.id })
        .from(accounts)
        .where(and(eq(accounts.id, replaced.accountId), isGuestHere(replaced, now))),
    );
    if (guestHere) throw conflict(msg`A provider’s account can’t take over bookings. Log in without joining them.`);
    return [endGuestSession];
  };
  const opening = { now, origin, device };
  return 'step' in login
    ? logInByCode(db, links, login, opening, extraStatements)
    : logIn(db, passwords, links, login.credentials, opening, extraStatements);
}

/** What moves from a guest to an account. All are SQL conditions on the guest's rows. */
type Moving = { bookings: SQL; wishes: SQL; rsvps: SQL; messages: SQL };

const [all, none] = [sql`true`, sql`false`];
const everything: Moving = { bookings: all, wishes: all, rsvps: all, messages: all };

/** What one personal link opens. `by` gets SQL: a list of the guest and the account, because it has to hold after the move too. */
export type LinkedThing = { guestId: string; by: (owners: SQL) => Partial<Moving> & { isLinked: SQL } };

/**
 * Moves what a personal link opens from its guest to the account of the reader, as a login with `join` moves all of a
 * guest. The link still opens it. A guest who has nothing left ends.
 * @throws DomainError conflict (a provider can't have it, or it is another account's), unauthenticated
 */
export async function moveLinkedToAccount(
  db: Db,
  actor: Actor,
  { guestId, by }: LinkedThing,
  now: Instant,
): Promise<void> {
  if (actor.role === 'Provider')
    throw conflict(msg`A provider’s account can’t take over bookings. Log in as a client.`);
  const { accountId: me } = actor;
  if (guestId === me) return;
  const { isLinked, ...moving } = by(sql`(${guestId}, ${me})`);
  const mayMove = and(isGuestAccount(guestId), isLoggedIn(actor, now), isLinked) as SQL;
  const {
    guest: [guest],
    reader: [reader],
  } = await db.run({
    guest: orm
      .select({ id: accounts.id })
      .from(accounts)
      .where(sql`${accounts.id} = ${guestId} AND ${isGuestAccount(guestId)}`),
    reader: selectIsLoggedIn(actor, now),
    moved: moveToAccount(
      guestId,
      me,
      { bookings: none, wishes: none, rsvps: none, messages: none, ...moving },
      mayMove,
    ),
  });
  if (!reader?.isLoggedIn) throw notLoggedIn();
  if (!guest) throw conflict(msg`This is in another account already.`);
}

const joinGuest = (guest: Actor, account: Account, isOpen: SQL, now: Instant) =>
  moveToAccount(guest.accountId, account.id, everything, and(isGuestHere(guest, now), isOpen) as SQL);

// Moves bookings, wishes and RSVPs of a guest to an account. If both answered the same party, the later RSVP stays. The
// guest's row stays without content, because deleting it would search every slot for references.
function moveToAccount(guestId: string, id: string, moving: Moving, mayJoin: SQL) {
  const isWhole = moving === everything;
  const sameParty = (invitee: string, isLater = sql`true`) => sql`EXISTS (
    SELECT 1 FROM invitations AS other WHERE other.party_id = invitations.party_id AND other.invitee = ${invitee} AND ${isLater})`;
  const movedBookings = sql`FROM bookings WHERE booker_id = ${guestId} AND ${moving.bookings}`;
  const ofAccount = (column: string) => sql`(SELECT ${sql.identifier(column)} FROM accounts WHERE id = ${id})`;
  const isEmptied = isWhole
    ? mayJoin
    : (and(
        mayJoin,
        sql`NOT EXISTS (SELECT 1 FROM bookings WHERE booker_id = ${guestId})
          AND NOT EXISTS (SELECT 1 FROM wishes WHERE account_id = ${guestId})
          AND NOT EXISTS (SELECT 1 FROM invitations WHERE account_id = ${guestId})
          AND NOT EXISTS (SELECT 1 FROM standing_times WHERE booker_id = ${guestId})`,
      ) as SQL);
  const hasEnded = sql`EXISTS (SELECT 1 FROM accounts WHERE id = ${guestId} AND username IS NULL AND display_name = '')`;
  return [
    orm
      .update(messages)
      .set({ actorId: id })
      .where(
        and(
          sql`${messages.accountId} IN (SELECT provider_id ${movedBookings})`,
          isWhole ? undefined : sql`${messages.bookingId} IN (SELECT id ${movedBookings})`,
          and(eq(messages.actorId, guestId), mayJoin),
        ),
      ),
    // On a merged card the account is in the guest's place.
    orm.run(sql`UPDATE OR IGNORE person_aliases SET alias = ${id} WHERE alias = ${guestId} AND ${mayJoin}
      AND provider_id IN (SELECT provider_id ${movedBookings})
      AND NOT EXISTS (SELECT 1 FROM bookings WHERE booker_id = ${guestId} AND provider_id = person_aliases.provider_id
        AND NOT ifnull(${moving.bookings}, false))`),
    // Before the bookings: the card of the guest goes with the last of them, unless a standing time is for it.
    isWhole
      ? orm
          .update(standingTimes)
          .set({
            bookerId: id,
            personId: sql`iif(${standingTimes.personId} = ${guestId}, ${aliasOf(standingTimes.providerId, sql`${id}`)}, ${standingTimes.personId})`,
          })
          .where(and(eq(standingTimes.bookerId, guestId), mayJoin))
      : undefined,
    orm
      .update(bookings)
      .set({
        bookerId: id,
        bookerName: ofAccount('display_name'),
        ...storedAddress(null),
        personId: sql`iif(${bookings.personId} = ${guestId}, ${aliasOf(bookings.providerId, sql`${id}`)}, ${bookings.personId})`,
      })
      .where(and(eq(bookings.bookerId, guestId), moving.bookings, mayJoin)),
    orm
      .update(wishes)
      .set({ accountId: id, askedBy: id })
      .where(and(eq(wishes.accountId, guestId), moving.wishes, mayJoin)),
    orm
      .delete(invitations)
      .where(
        and(
          eq(invitations.accountId, id),
          moving.rsvps,
          sameParty(guestId, sql`other.rsvp_at > invitations.rsvp_at`),
          mayJoin,
        ),
      ),
    orm.delete(invitations).where(and(eq(invitations.accountId, guestId), moving.rsvps, sameParty(id), mayJoin)),
    orm
      .update(invitations)
      .set({
        accountId: id,
        invitee: id,
        username: ofAccount('username'),
        name: ofAccount('display_name'),
        nameSortKey: ofAccount('display_sort_key'),
        ...storedAddress(null),
      })
      .where(and(eq(invitations.accountId, guestId), moving.rsvps, mayJoin)),
    // The news move without the guest's address, so nobody needs to ask whose address it is.
    orm.delete(messages).where(and(eq(messages.accountId, guestId), eq(messages.kind, 'confirm-email'), isEmptied)),
    orm
      .update(messages)
      .set({ accountId: id, email: null, mailState: null, dueAt: null })
      .where(and(eq(messages.accountId, guestId), moving.messages, mayJoin)),
    orm
      .update(accounts)
      .set({ displayName: '', displayPlain: '', displaySortKey: '', ...storedAddress(null), emailBy: null })
      .where(and(eq(accounts.id, guestId), isEmptied)),
    orm.delete(feeds).where(and(eq(feeds.accountId, guestId), hasEnded)),
    orm.delete(sessions).where(and(eq(sessions.accountId, guestId), hasEnded)),
  ].filter((write) => write !== undefined);
}
