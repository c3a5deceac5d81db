import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { eq, or, sql } from 'drizzle-orm';
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
import type { WordsIn } from '../words/i18n';
import { languageOf } from '../words/languages';
import { worded } from '../words/worded';
import { busyEntry, type Entry, entryOfAppointment, entryOfParty } from './entries';
import { bookingRows, type PartyRow, packedBookings, packedParties, partyRows } from './feed-rows.server';

/** Raise this when the format of feeds changes, so that calendar programs read them again. */
const format = 4;

/** `busyLink` shows busy times only. */
type FeedPaths = { link: string; busyLink: string };

const pathsOf = (links: Links, seed: string): FeedPaths => ({
  link: paths.feed(links.keyOf(seed)),
  busyLink: paths.feed(links.busyKeyOf(seed)),
});

const recentLogin = 30 * minute;

export const needsNoPassword = (viewer: Pick<Viewer, 'username' | 'loggedInAt'>, now: Instant) =>
  isGuest(viewer) || viewer.loggedInAt > now - recentLogin;

/** SQL: the login is so recent that no password is needed. */
const isRecent = ({ accountId, sessionId }: Actor, now: Instant) => sql`(
  EXISTS (SELECT 1 FROM sessions WHERE account_id = ${accountId} AND id = ${sessionId} AND created_at > ${now - recentLogin})
  OR EXISTS (SELECT 1 FROM accounts WHERE id = ${accountId} AND password_hash IS NULL))`;

export const feedWish = z.object({ password: z.optional(ownPassword.shape.password) });

/**
 * Makes feeds, or new addresses for them. A feed outlives its session, so this takes the password or a recent login:
 * somebody at an unlocked device must not make one.
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
  if (made[0]?.seed !== seed) throw invalid('password', msg`Please give your password too: you logged in a while ago.`);
  return pathsOf(links, seed);
}

const own = statement<{ me: string }>()(({ me }) =>
  orm.select({ seed: feeds.seed, busyHash: feeds.busyHash }).from(feeds).where(eq(feeds.accountId, me)),
);

/** Finds the actor's feeds; undefined without any. An old feed has no busy link. */
export async function findOwnFeed(
  db: Db,
  links: Links,
  actor: Actor,
): Promise<{ link: string; busyLink: string | null } | undefined> {
  const [[feed]] = await db.run(own({ me: actor.accountId }));
  if (!feed) return undefined;
  const { link, busyLink } = pathsOf(links, feed.seed);
  return { link, busyLink: feed.busyHash && busyLink };
}

const byKey = statement<{ hash: string; known: number; knownBusy: number; today: Instant }>()((values) => {
  const isBusy = sql<number>`feeds.busy_hash IS ${values.hash}`;
  // `iif` leaves the entries unread if the calendar program has this version.
  const unlessKnown = <Packed>(packed: ReturnType<typeof sql<Packed>>) =>
    sql<Packed | null>`iif(feeds.version = iif(${isBusy}, ${values.knownBusy}, ${values.known}), NULL, ${packed})`;
  const { past, coming, canceled, pastAsProvider, comingAsProvider, calledOff } = packedBookings(values.today);
  const { hosted, accepted } = packedParties(values.today);
  return orm
    .select({
      version: feeds.version,
      isBusy: isBusy.as('is_busy'),
      owner: sql<string>`(SELECT display_name FROM accounts WHERE id = feeds.account_id)`
        .mapWith(accounts.displayName)
        .as('owner'),
      lang: unlessKnown(
        sql<string | null>`(SELECT coalesce(lang, read_in) FROM accounts WHERE id = feeds.account_id)`,
      ).as('owner_lang'),
      ownerAddress: sql<string | null>`(SELECT address FROM accounts WHERE id = feeds.account_id)`.as('owner_address'),
      past: unlessKnown(past).as('past'),
      coming: unlessKnown(coming).as('coming'),
      canceled: unlessKnown(canceled).as('canceled'),
      pastAsProvider: unlessKnown(pastAsProvider).as('past_as_provider'),
      comingAsProvider: unlessKnown(comingAsProvider).as('coming_as_provider'),
      calledOff: unlessKnown(calledOff).as('called_off'),
      hosted: unlessKnown(hosted).as('hosted'),
      accepted: unlessKnown(accepted).as('accepted'),
    })
    .from(feeds)
    .where(or(eq(feeds.keyHash, values.hash), eq(feeds.busyHash, values.hash)));
});

/** `entries` is null if the calendar program already has this version. */
export type Feed = { version: string; entries: null } | { version: string; name: string; entries: Entry[] };

type FeedRequest = { key: string; asksBusy: boolean; known: string[]; origin: string; wordsIn: WordsIn };

/**
 * Reads a feed: bookings and events of the last year and to come, and cancellations of 30 days. From a list that is too
 * long, it takes the entries nearest to today.
 * @param asksBusy asks for the times only; the key of a busy feed gives nothing else anyway
 * @param known the versions that the calendar program has
 * @param wordsIn words the entries in the language of the account
 */
export async function findFeed(
  db: Db,
  { key, asksBusy, known, origin, wordsIn }: FeedRequest,
  now: Instant,
): Promise<Feed | undefined> {
  // The day changes at midnight UTC, when the oldest entries leave.
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
  if (row.coming === null) return { version, entries: null };
  const i18n = await wordsIn(languageOf(row.lang) ?? 'en');

  const bookings = (text: string | null, isProvider: boolean, isCanceled = false) =>
    bookingRows.named(JSON.parse(text ?? '[]')).map(({ name, shop, usual, stampedAt, ...booking }) =>
      entryOfAppointment(
        {
          ...booking,
          providerName: isProvider ? row.owner : name || former.person,
          shop: shop === null ? null : { displayName: shop },
          bookerName: isProvider ? name || former.person : null,
          location: isProvider ? (row.ownerAddress ?? usual) : usual,
          isCanceled,
        },
        { isProvider, origin, stampedAt, i18n },
      ),
    );
  const parties = (text: string | null, isHost: boolean) =>
    partyRows.named(JSON.parse(text ?? '[]')).map((party) => partyEntry(party, isHost, { origin, i18n }));
  const entries = [
    ...bookings(row.past, false),
    ...bookings(row.coming, false),
    ...bookings(row.canceled, false, true),
    ...bookings(row.pastAsProvider, true),
    ...bookings(row.comingAsProvider, true),
    ...bookings(row.calledOff, true, true),
    ...parties(row.hosted, true),
    ...parties(row.accepted, false),
  ];
  return isBusy
    ? { version, name: worded(i18n, msg`Daybook: busy`), entries: entries.map((entry) => busyEntry(entry, i18n)) }
    : { version, name: 'Daybook', entries };
}

function partyEntry(party: PartyRow, isHost: boolean, { origin, i18n }: { origin: string; i18n: I18n }): Entry {
  const { kind, title, hostName, stampedAt, isCalledOff, ...rest } = party;
  const pathOf = isHost ? (kind === 'party' ? paths.manageParty : paths.manageMeetup) : paths.party;
  return entryOfParty(
    { ...rest, title: title || former.party, providerName: hostName || former.person },
    { isCanceled: isCalledOff === 1, url: origin + pathOf(rest.id), stampedAt, i18n },
  );
}
