import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { newId } from '../../../db/columns';
import { insertFrom } from '../../../db/insert';
import { accounts, type throttles } from '../../../db/schema';
import { orm, type Placeholders, statement, statementBy } from '../../../db/statement';
import { sortKey, withoutAccents } from '../input/fold';
import { insertSession, isLoggedIn, selectSession } from '../login/sessions.server';
import { countTry, isWithin, type Origin, type RateLimit, refuseTooMany } from '../login/throttles.server';
import { storedAddress } from '../mail/addresses.server';
import type { Actor } from '../profile/accounts';
import { type Account, type LoggedIn, loggedIn, selectAccount } from '../profile/accounts.server';
import { hour, type Instant, noZone } from '../time/clock';
import type { Language } from '../words/languages';
import type { GuestDetails } from './guests';

// A guest is an account without a login. Guests book and answer as clients do.

/** How often one network may make guests, or book and answer as them. */
export const guestLimit = { limit: 60, window: hour } satisfies Omit<RateLimit, 'bucket'>;
const bucketOf = (network: string) => `guest:${network}`;

/** A guest who will be made. The account's id is known beforehand, so that a form sent twice makes one guest. */
export type NewGuest = GuestDetails & {
  id: string;
  edgeZone: string | null;
  lang?: Language; // in which they book or answer, or in which the provider works who books for them
  origin: Origin;
  device?: string | null;
  /** The provider who books for them; left out if they book themselves. */
  emailBy?: string;
};

export const isGuestAccount = (id: string | SQL) =>
  sql`EXISTS (SELECT 1 FROM accounts WHERE id = ${id} AND username IS NULL)`;

const guestRow = ({ id, displayName, email, emailBy, timeZone, edgeZone, lang }: NewGuest, now: Instant) => ({
  id,
  displayName,
  displayPlain: withoutAccents(displayName),
  displaySortKey: sortKey(displayName),
  timeZone: timeZone ?? edgeZone ?? noZone,
  lang: lang ?? null,
  ...storedAddress(email),
  emailBy: email === null ? null : (emailBy ?? null),
  createdAt: now,
});
type Guest = ReturnType<typeof guestRow>;

// Lists the columns by name, because a rest of a proxy would be empty.
const columnsOf = (placeholders: Placeholders<Guest>): Placeholders<Guest> => ({
  id: placeholders.id,
  displayName: placeholders.displayName,
  displayPlain: placeholders.displayPlain,
  displaySortKey: placeholders.displaySortKey,
  timeZone: placeholders.timeZone,
  lang: placeholders.lang,
  email: placeholders.email,
  emailHash: placeholders.emailHash,
  emailBy: placeholders.emailBy,
  createdAt: placeholders.createdAt,
});

const insertAccount = (
  guest: (Omit<Guest, 'lang'> & { lang: Guest['lang'] | SQL }) | Placeholders<Guest>,
  condition: SQL,
) => insertFrom(accounts, { ...guest, role: 'Consumer' }, sql`WHERE ${condition}`).onConflictDoNothing();

// A provider who has chosen no language works in the one in which they last read a page.
const languageOf = ({ lang, emailBy }: NewGuest) =>
  lang ?? (emailBy ? sql`(SELECT read_in FROM accounts WHERE id = ${emailBy})` : null);

export const insertGuest = (newGuest: NewGuest, condition: SQL, now: Instant) =>
  insertAccount({ ...guestRow(newGuest, now), lang: languageOf(newGuest) }, condition);

export const actorOf = (
  { id, timeZone, edgeZone }: Pick<NewGuest, 'id' | 'edgeZone'> & Partial<Pick<NewGuest, 'timeZone'>>,
  sessionId: string,
): Actor => ({
  accountId: id,
  sessionId,
  role: 'Consumer',
  timeZone: timeZone ?? edgeZone ?? noZone,
  isGuest: true,
});

type GuestValues = Guest & { now: Instant; sessionId: string; device: string | null; bucket: string };

/**
 * Prepares the statements that make a guest with a session, if `condition` holds and the guest's network has not made
 * too many. They go before the write. A repeat opens no session. `opened` has a row if the session is open,
 * by this try or by the first: only then its cookie may be set.
 */
export function prepareGuestWhere<Shape, Values extends Record<string, unknown>>(
  condition: (shape: Shape, placeholders: Placeholders<Values & GuestValues>) => SQL,
) {
  const counted = statementBy<Shape, Values & GuestValues>()((shape, placeholders) =>
    countTry({ ...guestLimit, bucket: placeholders.bucket }, placeholders.now, condition(shape, placeholders)),
  );
  const guest = statementBy<Shape, Values & GuestValues>()((shape, placeholders) =>
    insertAccount(
      columnsOf(placeholders),
      sql`${isWithin({ ...guestLimit, bucket: placeholders.bucket })} AND ${condition(shape, placeholders)}`,
    ),
  );
  const session = statement<GuestValues>()(({ id, sessionId, now, device }) =>
    insertSession(
      { accountId: id, sessionId, now, device },
      // By this request: a batch that is sent again has the same `now`.
      sql`EXISTS (SELECT 1 FROM accounts WHERE id = ${id} AND username IS NULL AND created_at = ${now})`,
    ),
  );
  const opened = statement<Pick<GuestValues, 'id' | 'sessionId'>>()(({ id, sessionId }) =>
    selectSession({ accountId: id, sessionId }),
  );

  return (newGuest: NewGuest, shape: Shape, values: Values, now: Instant, sessionId = newId()) => {
    const { id, origin, device = null } = newGuest;
    // Without limits nothing is counted, in no bucket.
    const bucket = origin ? bucketOf(origin.address) : '';
    const filled = { ...values, ...guestRow(newGuest, now), now, sessionId, device, bucket };
    return {
      actor: actorOf(newGuest, sessionId),
      statements: {
        counted: origin ? counted(shape, filled) : undefined,
        guest: guest(shape, filled),
        session: session(filled),
        opened: opened({ id, sessionId }),
      },
      /** @throws DomainError too_many */
      refuse(counted: (typeof throttles.$inferSelect)[] = []) {
        if (origin) refuseTooMany([{ ...guestLimit, bucket }], counted, now);
      },
    };
  };
}

const prepareGuest = prepareGuestWhere<null, Record<string, never>>(() => sql`true`);

/** Stores the address of a guest who had none. */
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

/** Makes a new guest each time. @throws DomainError too_many */
export async function openGuest(db: Db, details: Omit<NewGuest, 'id'>, now: Instant): Promise<LoggedIn> {
  const { actor, statements, refuse } = prepareGuest({ ...details, id: newId() }, null, {}, now);
  const {
    counted,
    accounts: [guest],
  } = await db.run({ ...statements, accounts: selectAccount().where(eq(accounts.id, actor.accountId)) });
  refuse(counted);
  return loggedIn(guest as Account, actor.sessionId);
}
