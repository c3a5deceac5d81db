import { and, eq, or, type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Db } from '../../../db/client';
import { former } from '../../../db/columns';
import { insertFrom } from '../../../db/insert';
import { accounts, feeds } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import * as paths from '../../paths';
import { invalid, notLoggedIn } from '../errors';
import { hashOfKey, type Links } from '../links.server';
import { checkOwnPassword, ownPassword } from '../login/own-password.server';
import type { Passwords } from '../login/passwords.server';
import { isLoggedIn, selectOwner, type Viewer } from '../login/sessions.server';
import type { Origin } from '../login/throttles.server';
import { type Actor, isGuest } from '../profile/accounts';
import { day, type Instant, minute } from '../time/clock';
import { busyEntry, type Entry, entryOfAppointment, entryOfParty } from './entries';
import { type PackedBooking, type PackedParty, packedBookings, packedParties } from './feed-rows.server';

/* Feeds: a person's bookings and events, for the calendar program that reads them again and again. */

/** Rises when feeds are written in another way, so that nobody keeps an old one. */
const format = 2;

/** The feed with all details, and the one with busy times only. */
type FeedPaths = { link: string; busyLink: string };

const pathsOf = (links: Links, seed: string): FeedPaths => ({
  link: paths.feed(links.keyOf(seed)),
  busyLink: paths.feed(links.busyKeyOf(seed)),
});

/** So long after a login nobody is asked for the password again to make a feed. */
const recently = 30 * minute;

/** True if this viewer needs no password to make a feed. */
export const needsNoPassword = (viewer: Pick<Viewer, 'username' | 'loggedInAt'>, now: Instant) =>
  isGuest(viewer) || viewer.loggedInAt > now - recently;

/** SQL: the actor needs no password. */
const isRecent = ({ accountId, sessionId }: Actor, now: Instant) => sql`(
  EXISTS (SELECT 1 FROM sessions WHERE account_id = ${accountId} AND id = ${sessionId} AND created_at > ${now - recently})
  OR EXISTS (SELECT 1 FROM accounts WHERE id = ${accountId} AND password_hash IS NULL))`;

/** The password may be left out for half an hour after a login. */
export const feedWish = z.object({ password: z.optional(ownPassword.shape.password) });

/**
 * Makes the actor's feeds, or new addresses for them, which ends the old ones. A feed outlasts its session, so it takes the
 * password or a recent login: a session that somebody found open must not become one.
 * @throws DomainError unauthenticated, invalid (the password), too_many
 */
export async function makeFeed(
  db: Db,
  { passwords, links }: { passwords: Passwords; links: Links },
  actor: Actor,
  { password }: z.output<typeof feedWish>,
  { now, origin }: { now: Instant; origin: Origin },
): Promise<FeedPaths> {
  const isProved = password !== undefined && !actor.isGuest;
  const [forget] = isProved ? await checkOwnPassword(db, passwords, actor, password, { now, origin }) : [];
  const { seed, hash } = links.make();
  const busyHash = hashOfKey(links.busyKeyOf(seed));
  const { made, owner } = await db.run({
    store: insertFrom(
      feeds,
      { accountId: actor.accountId, keyHash: hash, seed, madeAt: now, busyHash },
      sql`WHERE ${isLoggedIn(actor, now)} AND ${isProved ? sql`true` : isRecent(actor, now)}`,
    ).onConflictDoUpdate({ target: feeds.accountId, set: { keyHash: hash, seed, madeAt: now, busyHash } }),
    made: orm.select({ seed: feeds.seed }).from(feeds).where(eq(feeds.accountId, actor.accountId)),
    owner: selectOwner(actor, now),
    forget,
  });
  if (!owner[0]?.isLoggedIn) throw notLoggedIn();
  if (made[0]?.seed !== seed) throw invalid('password', 'Please give your password too: you logged in a while ago.');
  return pathsOf(links, seed);
}

/** The statement that ends the feeds of an account where `condition` holds. */
export const endFeeds = (accountId: string, condition: SQL) =>
  orm.delete(feeds).where(and(eq(feeds.accountId, accountId), condition));

const own = statement<{ me: string }>()(({ me }) =>
  orm.select({ seed: feeds.seed, busyHash: feeds.busyHash }).from(feeds).where(eq(feeds.accountId, me)),
);

/** Finds the paths of the actor's feeds; undefined without any. An older feed has no busy link. */
export async function findOwnFeed(
  db: Db,
  links: Links,
  actor: Actor,
): Promise<{ link: string; busyLink: string | null } | undefined> {
  const [[found]] = await db.run(own({ me: actor.accountId }));
  if (!found) return undefined;
  const { link, busyLink } = pathsOf(links, found.seed);
  return { link, busyLink: found.busyHash && busyLink };
}

const byKey = statement<{ hash: string; known: number; knownBusy: number; today: Instant }>()((given) => {
  const isBusy = sql<number>`feeds.busy_hash IS ${given.hash}`;
  // The entries are read only for another version: `iif` leaves them alone.
  const unlessKnown = <Packed>(packed: ReturnType<typeof sql<Packed>>) =>
    sql<Packed | null>`iif(feeds.version = iif(${isBusy}, ${given.knownBusy}, ${given.known}), NULL, ${packed})`;
  const { past, coming, canceled, given: pastGiven, giving, calledOff } = packedBookings(given.today);
  const { hosted, accepted } = packedParties(given.today);
  return orm
    .select({
      version: feeds.version,
      isBusy: isBusy.as('is_busy'),
      owner: sql<string>`(SELECT display_name FROM accounts WHERE id = feeds.account_id)`
        .mapWith(accounts.displayName)
        .as('owner'),
      ownerAddress: sql<string | null>`(SELECT address FROM accounts WHERE id = feeds.account_id)`.as('owner_address'),
      past: unlessKnown(past).as('past'),
      coming: unlessKnown(coming).as('coming'),
      canceled: unlessKnown(canceled).as('canceled'),
      given: unlessKnown(pastGiven).as('given'),
      giving: unlessKnown(giving).as('giving'),
      calledOff: unlessKnown(calledOff).as('called_off'),
      hosted: unlessKnown(hosted).as('hosted'),
      accepted: unlessKnown(accepted).as('accepted'),
    })
    .from(feeds)
    .where(or(eq(feeds.keyHash, given.hash), eq(feeds.busyHash, given.hash)));
});

/** `entries` is null if the asking calendar has this version. */
export type Feed = { version: string; isBusy: boolean; entries: Entry[] | null };

/**
 * Finds what the feed with this key holds: what is booked, hosted or accepted, of a year back, and what was canceled in the
 * last 30 days. Each list is bounded; of what is to come the nearest stays. Undefined where no feed has that key.
 * @param asksBusy only the times are asked for; the key of a busy feed gives no more in any case
 * @param known the versions that the asking calendar has
 * @param origin the address of this Daybook, without a slash at its end
 */
export async function findFeed(
  db: Db,
  { key, asksBusy, known, origin }: { key: string; asksBusy: boolean; known: string[]; origin: string },
  now: Instant,
): Promise<Feed | undefined> {
  // The oldest entries leave at midnight, UTC.
  const today = Math.floor(now / day) * day;
  const [full, busy] = [`-${today / day}-${format}`, `-${today / day}-${format}-busy`];
  const versionIn = (suffix: string) => {
    const [first = '-1'] = known.filter(
      (version) => version.endsWith(suffix) && /^\d{1,15}$/.test(version.slice(0, -suffix.length)),
    );
    return Number.parseInt(first, 10);
  };
  const knownBusy = versionIn(busy);
  const versions = { known: asksBusy ? knownBusy : versionIn(full), knownBusy };
  const [[row]] = await db.run(byKey({ hash: hashOfKey(key), ...versions, today }));
  if (!row) return undefined;
  const isBusy = asksBusy || row.isBusy === 1;
  const version = `${row.version}${isBusy ? busy : full}`;
  if (row.coming === null) return { version, isBusy, entries: null };

  const bookings = (text: string | null, isProvider: boolean, isCanceled = false) =>
    (JSON.parse(text ?? '[]') as PackedBooking[]).map(
      ([id, calendarId, sequence, startsAt, endsAt, name, place, notes, service, stampedAt]) =>
        entryOfAppointment(
          {
            id,
            calendarId,
            sequence,
            startsAt,
            endsAt,
            providerName: isProvider ? row.owner : name || former.person,
            bookerName: isProvider ? name || former.person : null,
            notes,
            service,
            location: isProvider ? (row.ownerAddress ?? place) : place,
            isCanceled,
          },
          { isProvider, origin, stampedAt },
        ),
    );
  const parties = (text: string | null, isHost: boolean) =>
    (JSON.parse(text ?? '[]') as PackedParty[]).map((packed) => partyEntry(packed, isHost, origin));
  const entries = [
    ...bookings(row.past, false),
    ...bookings(row.coming, false),
    ...bookings(row.canceled, false, true),
    ...bookings(row.given, true),
    ...bookings(row.giving, true),
    ...bookings(row.calledOff, true, true),
    ...parties(row.hosted, true),
    ...parties(row.accepted, false),
  ];
  return { version, isBusy, entries: isBusy ? entries.map(busyEntry) : entries };
}

/** The entry of a party or meetup, for its host or for who comes. */
function partyEntry(packed: PackedParty, isHost: boolean, origin: string): Entry {
  const [
    id,
    kind,
    startsAt,
    endsAt,
    title,
    providerName,
    description,
    address,
    locationUrl,
    sequence,
    stampedAt,
    isCalledOff,
  ] = packed;
  const pathOf = isHost ? (kind === 'party' ? paths.manageParty : paths.manageMeetup) : paths.party;
  return entryOfParty(
    {
      id,
      sequence,
      startsAt,
      endsAt,
      title: title || former.party,
      providerName: providerName || former.person,
      description,
      address,
      locationUrl,
    },
    { isCanceled: isCalledOff === 1, url: origin + pathOf(id), stampedAt },
  );
}
