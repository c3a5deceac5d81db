import { randomBytes } from 'node:crypto';
import { msg } from '@lingui/core/macro';
import { and, asc, desc, eq, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { newId } from '../../../db/columns';
import { insertFrom } from '../../../db/insert';
import { ownedBy } from '../../../db/owned-by';
import { deliveries, webhooks } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { conflict, invalid, notLoggedIn } from '../errors';
import { type Page, pageOf } from '../input/fields';
import { limits, pageSize } from '../input/limits';
import { type OutsideOptions, outsideAddress } from '../input/outside-address';
import { isLoggedIn, selectOwner } from '../login/sessions.server';
import { countTries, type RateLimit } from '../login/throttles.server';
import { notFound } from '../not-found';
import type { Actor } from '../profile/accounts';
import type { Seals } from '../seals.server';
import { hour, type Instant } from '../time/clock';
import type { HookKind } from './kinds';
import {
  type Delivery,
  type DeliveryState,
  tooManyWebhooks,
  type Webhook,
  type WebhookChange,
  type WebhookWish,
} from './webhooks';

type Place = { providerId: string; id: string };
export const urlPurpose = ({ providerId, id }: Place): string => `address of webhook ${id} of ${providerId}`;
export const secretPurpose = ({ providerId, id }: Place): string => `secret of webhook ${id} of ${providerId}`;

/** SQL: a row of `webhooks` is told of this kind. */
export const hears = (kind: SQL): SQL => sql`instr(kinds, '"' || ${kind} || '"') > 0`;

type Setting = OutsideOptions & { now: Instant; seals: Seals };

function publicAddress(text: string, options: OutsideOptions): string {
  const address = outsideAddress(text, options);
  if (!address)
    throw invalid('url', msg`That is no address for a webhook. It begins with https://, and its server is public.`);
  return address.href;
}

const unique = (kinds: HookKind[]): HookKind[] => [...new Set(kinds)];

const hookCount = (me: string) => sql<number>`(SELECT count(*) FROM webhooks WHERE ${ownedBy(me)})`;

/**
 * Makes a webhook. Its secret, by which the program knows that we sent something, is shown here and never again.
 * @throws DomainError invalid (the address), conflict (three webhooks), unauthenticated
 */
export async function makeWebhook(
  db: Db,
  actor: Actor,
  { url, kinds }: WebhookWish,
  { now, seals, ...options }: Setting,
): Promise<Webhook & { secret: string }> {
  const place = { providerId: actor.accountId, id: newId() };
  const address = publicAddress(url, options);
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  const made = { id: place.id, url: address, kinds: unique(kinds), madeAt: now, failingSince: null };
  const {
    stored,
    owner: [owner],
  } = await db.run({
    stored: insertFrom(
      webhooks,
      {
        ...place,
        url: seals.seal(urlPurpose(place), address),
        secret: seals.seal(secretPurpose(place), secret),
        kinds: made.kinds,
        madeAt: now,
      },
      sql`WHERE ${isLoggedIn(actor, now)} AND ${hookCount(actor.accountId)} < ${limits.webhooks}`,
    ).returning({ id: webhooks.id }),
    owner: selectOwner(actor, now),
  });
  if (!owner?.isLoggedIn) throw notLoggedIn();
  if (stored.length === 0) throw conflict(tooManyWebhooks);
  return { ...made, secret };
}

function webhookOf(row: typeof webhooks.$inferSelect, seals: Seals): Webhook {
  const { id, kinds, madeAt, failingSince } = row;
  return { id, url: seals.open(urlPurpose(row), row.url) ?? null, kinds: kinds as HookKind[], madeAt, failingSince };
}

/** Lists the actor's webhooks, the oldest first. */
export async function listWebhooks(db: Db, { accountId }: Actor, seals: Seals): Promise<Webhook[]> {
  const [rows] = await db.run(
    orm.select().from(webhooks).where(ownedBy(accountId, webhooks)).orderBy(asc(webhooks.madeAt), asc(webhooks.id)),
  );
  return rows.map((row) => webhookOf(row, seals));
}

/** @throws DomainError not_found */
export async function getWebhook(db: Db, actor: Actor, id: string, seals: Seals): Promise<Webhook> {
  const webhook = (await listWebhooks(db, actor, seals)).find((one) => one.id === id);
  if (!webhook) throw notFound('webhook');
  return webhook;
}

const isWebhook = ({ accountId }: Actor, id: string) => and(ownedBy(accountId, webhooks), eq(webhooks.id, id));

/**
 * Changes a webhook. What is on its way goes to the new address with its next try.
 * @throws DomainError invalid (the address), not_found, unauthenticated
 */
export async function editWebhook(
  db: Db,
  actor: Actor,
  id: string,
  { url, kinds }: WebhookChange,
  { now, seals, ...options }: Setting,
): Promise<Webhook> {
  const purpose = urlPurpose({ providerId: actor.accountId, id });
  const address = url === undefined ? undefined : seals.seal(purpose, publicAddress(url, options));
  const {
    changed: [changed],
    owner: [owner],
  } = await db.run({
    changed: orm
      .update(webhooks)
      .set({
        // Not empty, even where nothing changes.
        url: address ?? sql`url`,
        ...(kinds && { kinds: unique(kinds) }),
        ...(address && { failures: 0, quietUntil: 0 }),
      })
      .where(and(isWebhook(actor, id), isLoggedIn(actor, now)))
      .returning(),
    owner: selectOwner(actor, now),
  });
  if (!owner?.isLoggedIn) throw notLoggedIn();
  if (!changed) throw notFound('webhook');
  return webhookOf(changed, seals);
}

/** Ends a webhook, with all that is on its way to it. @throws DomainError not_found, unauthenticated */
export async function endWebhook(db: Db, actor: Actor, id: string, now: Instant): Promise<void> {
  const {
    ended,
    owner: [owner],
  } = await db.run({
    dropped: orm
      .delete(deliveries)
      .where(and(ownedBy(actor, deliveries), eq(deliveries.webhookId, id), isLoggedIn(actor, now))),
    ended: orm
      .delete(webhooks)
      .where(and(isWebhook(actor, id), isLoggedIn(actor, now)))
      .returning({ id: webhooks.id }),
    owner: selectOwner(actor, now),
  });
  if (!owner?.isLoggedIn) throw notLoggedIn();
  if (ended.length === 0) throw notFound('webhook');
}

// The id of a delivery is that of its webhook and its number, so the key of the table finds it.
const idLength = 22;
export const deliveryId = ({ webhookId, number }: { webhookId: string; number: number }): string => webhookId + number;

/** SQL: the row of `deliveries` with this id. */
export function isDelivery(providerId: string, id: string): SQL {
  const number = /^[1-9]\d{0,14}$/.test(id.slice(idLength)) ? Number(id.slice(idLength)) : 0;
  return and(
    eq(deliveries.providerId, providerId),
    eq(deliveries.webhookId, id.slice(0, idLength)),
    eq(deliveries.number, number),
  ) as SQL;
}

const stateOf: Record<(typeof deliveries.$inferSelect)['state'], DeliveryState> = {
  new: 'waiting',
  due: 'waiting',
  behind: 'waiting',
  sent: 'delivered',
  dead: 'failed',
};

function deliveryOf(row: typeof deliveries.$inferSelect): Delivery {
  const { kind, at, state, tries, triedAt, status, failure } = row;
  return {
    id: deliveryId(row),
    kind: kind as Delivery['kind'],
    at,
    state: stateOf[state],
    tries,
    triedAt,
    status,
    failure,
  };
}

/** A page of what a webhook was told of late, the newest first. @throws DomainError not_found */
export async function listDeliveries(
  db: Db,
  { accountId }: Actor,
  { id, page }: { id: string; page: number },
): Promise<Page<Delivery>> {
  const isOfHook = and(ownedBy(accountId, deliveries), eq(deliveries.webhookId, id));
  const { known, rows } = await db.run({
    known: orm
      .select({ id: webhooks.id })
      .from(webhooks)
      .where(isWebhook({ accountId } as Actor, id)),
    rows: orm
      .select()
      .from(deliveries)
      .where(isOfHook)
      .orderBy(desc(deliveries.number))
      .limit(pageSize + 1)
      .offset(page * pageSize),
  });
  if (known.length === 0) throw notFound('webhook');
  return pageOf(rows.map(deliveryOf));
}

type Sending = {
  now: Instant;
  isRateLimited: boolean;
  /** Sends a delivery now, and ends when its server has answered or ten seconds are over. */
  send: (providerId: string, id: string) => Promise<void>;
};

/** Limits how often a provider has us ask a server. */
const sendingLimit = (accountId: string): RateLimit => ({ bucket: `webhooks:${accountId}`, limit: 60, window: hour });

/** So long, in milliseconds, the usual sender leaves alone what is sent at once. */
const lease = 15_000;

async function sendNow(db: Db, { accountId }: Actor, id: string, { send }: Sending): Promise<Delivery> {
  await send(accountId, id);
  const [[row]] = await db.run(orm.select().from(deliveries).where(isDelivery(accountId, id)));
  // The server has said that the webhook is gone.
  if (!row) throw conflict(msg`Its server says that it is gone (410), so this webhook was ended.`);
  return deliveryOf(row);
}

/**
 * Sends a test, once.
 * @returns what came of it
 * @throws DomainError not_found, conflict (it is gone), unauthenticated, too_many
 */
export async function testWebhook(db: Db, actor: Actor, id: string, asking: Sending): Promise<Delivery> {
  const { now, isRateLimited } = asking;
  if (isRateLimited) await countTries(db, [sendingLimit(actor.accountId)], now);
  const {
    made: [made],
    owner: [owner],
  } = await db.run({
    counted: orm
      .update(webhooks)
      .set({ lastNumber: sql`last_number + 1` })
      .where(and(isWebhook(actor, id), isLoggedIn(actor, now))),
    made: insertFrom(
      deliveries,
      {
        providerId: webhooks.providerId,
        webhookId: webhooks.id,
        number: webhooks.lastNumber,
        kind: 'test',
        about: sql`'test ' || last_number`,
        data: { id },
        at: now,
        state: 'due',
        dueAt: now + lease,
      },
      sql`FROM webhooks WHERE ${isWebhook(actor, id)} AND ${isLoggedIn(actor, now)}`,
    ).returning({ number: deliveries.number }),
    owner: selectOwner(actor, now),
  });
  if (!owner?.isLoggedIn) throw notLoggedIn();
  if (!made) throw notFound('webhook');
  return sendNow(db, actor, deliveryId({ webhookId: id, number: made.number }), asking);
}

/**
 * Sends a delivery once more, or one that waits for its next try at once.
 * @returns what came of it
 * @throws DomainError not_found, conflict (it waits for an earlier one, or its webhook is gone), unauthenticated, too_many
 */
export async function sendAgain(db: Db, actor: Actor, id: string, asking: Sending): Promise<Delivery> {
  const { now, isRateLimited } = asking;
  if (isRateLimited) await countTries(db, [sendingLimit(actor.accountId)], now);
  const isThis = isDelivery(actor.accountId, id);
  const {
    found: [found],
    owner: [owner],
  } = await db.run({
    found: orm.select({ state: deliveries.state }).from(deliveries).where(isThis),
    due: orm
      .update(deliveries)
      .set({ state: 'due', dueAt: now + lease })
      .where(and(isThis, sql`state <> 'behind'`, isLoggedIn(actor, now))),
    owner: selectOwner(actor, now),
  });
  if (!owner?.isLoggedIn) throw notLoggedIn();
  if (!found) throw notFound('delivery');
  if (found.state === 'behind')
    throw conflict(msg`It waits for an earlier one about the same, so that they arrive in order.`);
  return sendNow(db, actor, id, asking);
}
