import { eq, or, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { insertFrom } from '../../../db/insert';
import { feeds } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import type { Actor } from '../accounts/accounts';
import { isLoggedIn } from '../accounts/sessions.server';
import { notLoggedIn } from '../errors';
import { hashOfKey, type Links } from '../links.server';
import { oneTimeKey, type Written } from '../one-time-keys.server';
import { day, type Instant } from '../time/clock';
import { busyEntry, type Entry, entryOfAppointment, entryOfParty } from './entries';
import { type PackedBooking, type PackedParty, packedBookings, packedParties } from './feed-rows.server';

/* Feeds: all that a person has, as a calendar that their own calendar program reads again and again. */

/** Rises where a feed is written in another way, so that nobody keeps the old one. */
const format = 1;

/** The path of the feed with this key. */
const feedPath = (key: string) => `/calendar/${key}.ics`;

/** The paths of somebody's two feeds: all that they have, and only when they are busy. */
type FeedPaths = { link: string; busyLink: string };

const pathsOf = (links: Links, seed: string): FeedPaths => ({
  link: feedPath(links.keyOf(seed)),
  busyLink: feedPath(links.busyKeyOf(seed)),
});

/**
 * Makes the actor's feeds, or new addresses for them: those before are dead. Sent again with the same one-time key it makes
 * none and answers the same.
 * @throws DomainError unauthenticated
 */
export async function makeFeed(db: Db, links: Links, actor: Actor, { now, key }: Written): Promise<FeedPaths> {
  const { seed, hash } = links.make();
  const busyHash = hashOfKey(links.busyKeyOf(seed));
  const once = oneTimeKey(`${actor.accountId}:MakeFeed`, key, now);
  const [, , [stored]] = await db.run(
    once.claim(isLoggedIn(actor, now), sql`json_quote(${seed})`),
    insertFrom(
      feeds,
      { accountId: actor.accountId, keyHash: hash, seed, madeAt: now, busyHash },
      sql`WHERE ${once.answered('$')} IS NOT NULL`,
    ).onConflictDoUpdate({ target: feeds.accountId, set: { keyHash: hash, seed, madeAt: now, busyHash } }),
    once.read(),
  );
  if (!stored) throw notLoggedIn();
  return pathsOf(links, stored.replay as string);
}

const own = statement<{ me: string }>()(({ me }) =>
  orm.select({ seed: feeds.seed, busyHash: feeds.busyHash }).from(feeds).where(eq(feeds.accountId, me)),
);

/**
 * Finds the paths of the actor's feeds; undefined where they have none. One that was made before the busy feed had a key of
 * its own has no busy link.
 */
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
  // What it holds is read only where the version is another: `iif` leaves the rest alone.
  const unlessKnown = <Packed>(packed: ReturnType<typeof sql<Packed>>) =>
    sql<Packed | null>`iif(feeds.version = iif(${isBusy}, ${given.knownBusy}, ${given.known}), NULL, ${packed})`;
  const { past, coming, canceled, given: pastGiven, giving, calledOff } = packedBookings(given.today);
  const { hosted, accepted } = packedParties(given.today);
  return orm
    .select({
      version: feeds.version,
      isBusy: isBusy.as('is_busy'),
      owner: sql<string>`(SELECT display_name FROM accounts WHERE id = feeds.account_id)`.as('owner'),
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

/** A feed as it was asked for: its version, and its entries; null where the asking calendar has that version. */
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
  // What is too old to be shown changes at midnight, UTC.
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
      ([id, calendarId, sequence, startsAt, endsAt, name, location, notes, stampedAt]) =>
        entryOfAppointment(
          {
            id,
            calendarId,
            sequence,
            startsAt,
            endsAt,
            providerName: isProvider ? row.owner : name,
            bookerName: isProvider ? name : null,
            notes,
            location,
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
  const path = isHost ? (kind === 'party' ? 'view-party' : 'manage-meetup') : 'party';
  return entryOfParty(
    { id, sequence, startsAt, endsAt, title, providerName, description, address, locationUrl },
    { isCanceled: isCalledOff === 1, url: `${origin}/${path}/${id}`, stampedAt },
  );
}
