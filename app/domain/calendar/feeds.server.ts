import { eq, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { insertFrom } from '../../../db/insert';
import { feeds } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import type { Actor } from '../accounts/accounts';
import { isLoggedIn } from '../accounts/sessions.server';
import { notLoggedIn } from '../errors';
import { hashOfKey, type Links } from '../links.server';
import { oneTimeKey, type Written } from '../one-time-keys.server';
import { mapLink, type Party } from '../parties/parties';
import { day, type Instant } from '../time/clock';
import { busyEntry, type Entry, entryOfAppointment } from './entries';
import { type PackedBooking, type PackedParty, packedBookings, packedParties } from './feed-rows.server';

/* Feeds: all that a person has, as a calendar that their own calendar program reads again and again. */

/** Rises where a feed is written in another way, so that nobody keeps the old one. */
const format = 1;

/** The path of the feed with this key. */
const feedPath = (key: string, isBusy = false) => `/calendar/${key}.ics${isBusy ? '?busy=true' : ''}`;

/**
 * Makes the actor's feed, or a new address for it: the one before is dead. Sent again with the same one-time key it makes
 * none and answers the same.
 * @returns its path
 * @throws DomainError unauthenticated
 */
export async function makeFeed(db: Db, links: Links, actor: Actor, { now, key }: Written): Promise<string> {
  const { seed, hash } = links.make();
  const once = oneTimeKey(`${actor.accountId}:MakeFeed`, key, now);
  const [, , [stored]] = await db.run(
    once.claim(isLoggedIn(actor, now), sql`json_quote(${seed})`),
    insertFrom(
      feeds,
      { accountId: actor.accountId, keyHash: hash, seed, madeAt: now },
      sql`WHERE ${once.answered('$')} IS NOT NULL`,
    ).onConflictDoUpdate({ target: feeds.accountId, set: { keyHash: hash, seed, madeAt: now } }),
    once.read(),
  );
  if (!stored) throw notLoggedIn();
  return feedPath(links.keyOf(stored.replay as string));
}

const own = statement<{ me: string }>()(({ me }) =>
  orm.select({ seed: feeds.seed, madeAt: feeds.madeAt }).from(feeds).where(eq(feeds.accountId, me)),
);

/** Finds the path of the actor's feed, and when it was made; undefined where they have none. */
export async function findOwnFeed(db: Db, links: Links, actor: Actor) {
  const [[found]] = await db.run(own({ me: actor.accountId }));
  return found && { link: feedPath(links.keyOf(found.seed)), madeAt: found.madeAt };
}

const byKey = statement<{ hash: string; known: number; today: Instant }>()((given) => {
  // What it holds is read only where the version is another: `iif` leaves the rest alone.
  const unlessKnown = <Packed>(packed: ReturnType<typeof sql<Packed>>) =>
    sql<Packed | null>`iif(feeds.version = ${given.known}, NULL, ${packed})`;
  const { past, coming, canceled, given: pastGiven, giving, calledOff } = packedBookings(given.today);
  const { hosted, accepted } = packedParties(given.today);
  return orm
    .select({
      version: feeds.version,
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
    .where(eq(feeds.keyHash, given.hash));
});

/** A feed as it was asked for: its version, and its entries; null where the asking calendar has that version. */
export type Feed = { version: string; entries: Entry[] | null };

/**
 * Finds what the feed with this key holds: what is booked, hosted or accepted, of a year back, and what was canceled in the
 * last 30 days. Each list is bounded; of what is to come the nearest stays. Undefined where no feed has that key.
 * @param known the versions that the asking calendar has
 * @param origin the address of this Daybook, without a slash at its end
 */
export async function findFeed(
  db: Db,
  { key, isBusy, known, origin }: { key: string; isBusy: boolean; known: string[]; origin: string },
  now: Instant,
): Promise<Feed | undefined> {
  // What is too old to be shown changes at midnight, UTC.
  const today = Math.floor(now / day) * day;
  const suffix = `-${today / day}-${format}${isBusy ? '-busy' : ''}`;
  const [first] = known.filter(
    (version) => version.endsWith(suffix) && /^\d{1,15}$/.test(version.slice(0, -suffix.length)),
  );
  const knownVersion = first === undefined ? -1 : Number.parseInt(first, 10);
  const [[row]] = await db.run(byKey({ hash: hashOfKey(key), known: knownVersion, today }));
  if (!row) return undefined;
  const version = `${row.version}${suffix}`;
  if (row.coming === null) return { version, entries: null };

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
  return { version, entries: isBusy ? entries.map(busyEntry) : entries };
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
  const place: Pick<Party, 'address' | 'locationUrl'> = { address, locationUrl };
  const path = isHost ? (kind === 'party' ? 'view-party' : 'manage-meetup') : 'party';
  return {
    id,
    sequence,
    isCanceled: isCalledOff === 1,
    startsAt,
    endsAt,
    summary: title,
    providerName,
    description,
    location: address ?? mapLink(place),
    url: `${origin}/${path}/${id}`,
    stampedAt,
  };
}
