import { msg } from '@lingui/core/macro';
import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { newId } from '../../../db/columns';
import { insertFrom } from '../../../db/insert';
import { accounts, cities, keys } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import { conflict, invalid, notLoggedIn } from '../errors';
import { hashOfKey, type Links } from '../links.server';
import type { Actor } from '../profile/accounts';
import { ownLanguage } from '../profile/accounts.server';
import { day, type Instant, localDateOf } from '../time/clock';
import { endOfDay } from '../time/zones';
import { endOwn } from './end-own.server';
import { type Key, type KeyInput, keyPrefix, mostKeys, type Scope } from './keys';
import type { Passwords } from './passwords.server';
import { tellOfKey } from './safety.server';
import { proofOf } from './second-factor.server';
import { isLoggedIn, selectOwner, type Viewer, viewerColumns } from './sessions.server';
import type { Origin } from './throttles.server';
import { unreadOf } from './unread.server';

// A program that comes with a key acts as the account, with the key in place of a session: `isLoggedIn` knows both. We
// store a hash of the key alone. It has as many random bits as its hash, so nothing slower is needed.

const endless = Number.MAX_SAFE_INTEGER;

/**
 * Makes a key for a program. It is shown here and never again.
 * @throws DomainError invalid (password, code, a last day in the past), conflict (ten keys, or a guest), unauthenticated,
 * too_many
 */
export async function makeKey(
  db: Db,
  passwords: Passwords,
  links: Links,
  actor: Actor,
  { name, scope, password, code, until = null }: KeyInput,
  moment: { now: Instant; origin: Origin },
): Promise<Key & { key: string }> {
  const { now } = moment;
  const { accountId, timeZone } = actor;
  const endsAt = until ? endOfDay(until, timeZone) : endless;
  if (endsAt <= now) throw invalid('until', msg`The last day of a key can't be in the past.`);
  const { proof, forget } = await proofOf(db, passwords, links, actor, { password, code: code ?? '' }, moment);
  const id = newId();
  const key = keyPrefix + newId() + newId();
  const isMade = sql`EXISTS (SELECT 1 FROM keys WHERE account_id = ${accountId} AND id = ${id})`;
  const {
    made: [made],
    owner: [owner],
    all: [all],
  } = await db.run({
    stored: insertFrom(
      keys,
      { accountId, id, hash: hashOfKey(key), name, scope, madeAt: now, endsAt },
      sql`WHERE ${isLoggedIn(actor, now)} AND ${proof.holds} AND ${countKeys(accountId)} < ${mostKeys}`,
    ),
    spent: proof.spend(isMade),
    notice: tellOfKey(accountId, id, isMade, now),
    made: orm
      .select({ id: keys.id })
      .from(keys)
      .where(and(eq(keys.accountId, accountId), eq(keys.id, id))),
    all: orm.select({ count: countKeys(accountId).as('key_count') }).from(sql`(SELECT 1)`),
    owner: selectOwner(actor, now),
    forget,
  });
  if (!owner?.isLoggedIn) throw notLoggedIn();
  if (!made && (all?.count ?? 0) >= mostKeys)
    throw conflict(msg`You have as many keys as one may have. End one first.`);
  if (!made)
    throw invalid('code', msg`This code is wrong, or was used already. Wait for the next one that your app shows.`);
  return { id, name, scope, madeAt: now, until, usedOn: null, key };
}

const countKeys = (accountId: string) => sql<number>`(SELECT count(*) FROM keys WHERE account_id = ${accountId})`;

/** Lists the actor's keys, the oldest first, also those that are over. */
export async function listKeys(db: Db, { accountId, timeZone }: Actor): Promise<Key[]> {
  const [rows] = await db.run(
    orm.select().from(keys).where(eq(keys.accountId, accountId)).orderBy(asc(keys.madeAt), asc(keys.id)),
  );
  return rows.map(({ id, name, scope, madeAt, endsAt, usedAt }) => ({
    id,
    name,
    scope,
    madeAt,
    until: endsAt === endless ? null : localDateOf(endsAt - 1, timeZone),
    usedOn: usedAt === null ? null : localDateOf(usedAt, timeZone),
  }));
}

/** Ends a key of the actor's. @throws DomainError not_found, unauthenticated */
export const endKey = (db: Db, actor: Actor, id: string, now: Instant): Promise<void> =>
  endOwn(db, actor, { id, table: keys, kind: 'key' }, now);

const selectHolder = statement<{ hash: string; now: Instant }>()(({ hash, now }) =>
  orm
    .select({
      keyId: sql<string>`${keys.id}`.as('key_id'),
      scope: keys.scope,
      usedAt: keys.usedAt,
      ...viewerColumns,
      unread: unreadOf(accounts.id).as('unread'),
    })
    .from(keys)
    .innerJoin(accounts, eq(accounts.id, keys.accountId))
    .leftJoin(cities, eq(cities.folded, accounts.city))
    .where(and(eq(keys.hash, hash), gt(keys.endsAt, now))),
);

/** Whose key it is, and what it may do. */
type Holder = { actor: Actor; viewer: Viewer; scope: Scope };

/** Finds whose key this is; undefined if it is wrong, has ended or is over. */
export async function findHolder(db: Db, key: string, now: Instant): Promise<Holder | undefined> {
  if (!key.startsWith(keyPrefix)) return undefined;
  const [[found]] = await db.run(selectHolder({ hash: hashOfKey(key), now }));
  if (!found) return undefined;
  const { keyId, scope, usedAt, ...account } = found;
  const { accountId, role, timeZone } = account;
  return {
    actor: { accountId, sessionId: keyId, role, timeZone, ...ownLanguage(account) },
    // A key is no recent login.
    viewer: { ...account, loggedInAt: 0, lastUsedAt: usedAt ?? 0, isAtDesk: false },
    scope,
  };
}

/** Notes the day on which a key was used. */
export async function noteUse(db: Db, { accountId, sessionId }: Actor, now: Instant): Promise<void> {
  await db.run(
    orm
      .update(keys)
      .set({ usedAt: Math.floor(now / day) * day })
      .where(and(eq(keys.accountId, accountId), eq(keys.id, sessionId), gt(keys.endsAt, now))),
  );
}
