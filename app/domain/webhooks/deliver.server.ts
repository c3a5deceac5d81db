import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { deliveries, webhooks } from '../../../db/schema';
import { type Built, orm, statement } from '../../../db/statement';
import { giveUpAfter, pauseAfterTries } from '../messages/retry-policy';
import type { Seals } from '../seals.server';
import { day, type Instant, machineText, minute } from '../time/clock';
import type { SendFailure } from './webhooks';
import { deliveryId, isDelivery, secretPurpose, urlPurpose } from './webhooks.server';

// One object for each provider sends, so what is told of one booking arrives in order: while an earlier delivery about it
// is on its way, later ones are `behind`.

/** What a server is sent, before it is signed. */
export type Sending = { url: string; secret: string; id: string; body: string };
export type Outcome = { status: number } | { failure: SendFailure };

export type Deliverer = {
  seals: Seals;
  send: (sending: Sending) => Promise<Outcome>;
  clock: () => Instant;
};

/** Of one webhook: a Worker may have six connections open, and a provider three webhooks. */
const atOnce = 2;

/** A server that takes nothing is left alone, so that a long queue doesn't keep us busy. */
const longestQuiet = 5 * minute;

const columns = {
  providerId: sql<string>`${deliveries.providerId}`.as('of_provider'),
  webhookId: deliveries.webhookId,
  number: deliveries.number,
  kind: deliveries.kind,
  about: deliveries.about,
  data: deliveries.data,
  at: deliveries.at,
  tries: deliveries.tries,
  url: sql<string>`${webhooks.url}`.as('sealed_url'),
  secret: sql<string>`${webhooks.secret}`.as('sealed_secret'),
  failures: webhooks.failures,
  failingSince: webhooks.failingSince,
};
const selectDue = () =>
  orm
    .select(columns)
    .from(webhooks)
    .innerJoin(deliveries, and(eq(deliveries.providerId, webhooks.providerId), eq(deliveries.webhookId, webhooks.id)));
type Due = Awaited<ReturnType<typeof selectDue>>[number];

type OfHook = { providerId: string; webhookId: string };

const dueOf = statement<OfHook & { now: Instant }>()(({ providerId, webhookId, now }) =>
  selectDue()
    .where(
      and(
        eq(webhooks.providerId, providerId),
        eq(webhooks.id, webhookId),
        sql`quiet_until <= ${now} AND due_at <= ${now} AND state <> 'behind'`,
      ),
    )
    .orderBy(asc(deliveries.dueAt), asc(deliveries.number))
    .limit(atOnce),
);

const isOf = ({ providerId, webhookId }: OfHook): SQL =>
  and(eq(deliveries.providerId, providerId), eq(deliveries.webhookId, webhookId)) as SQL;

/** The instants of the stored data, which end with `At`, as the API words them. */
const bodyOf = ({ kind, at, data }: Due): string =>
  JSON.stringify({
    type: kind,
    timestamp: machineText(at),
    data: Object.fromEntries(
      Object.entries(data).map(([name, value]) => [
        name,
        name.endsWith('At') && typeof value === 'number' ? machineText(value) : value,
      ]),
    ),
  });

async function send(due: Due, { seals, send }: Deliverer): Promise<Outcome> {
  const place = { providerId: due.providerId, id: due.webhookId };
  const url = seals.open(urlPurpose(place), due.url);
  const secret = seals.open(secretPurpose(place), due.secret);
  if (!url || !secret) return { failure: 'sealed' };
  return send({ url, secret, id: deliveryId(due), body: bodyOf(due) });
}

const isAccepted = (outcome: Outcome) => 'status' in outcome && outcome.status >= 200 && outcome.status < 300;
const isGone = (outcome: Outcome) => 'status' in outcome && outcome.status === 410;

type Tried = { due: Due; outcome: Outcome };

const run = (text: SQL) => orm.run(text) as Built;

type What = 'failing' | 'given-up' | 'gone';
/** SQL: tells the provider, of each at most once a day. */
const tell = (what: What, { providerId, webhookId, url }: Due, seals: Seals, now: Instant, condition: SQL): Built => {
  const address = seals.open(urlPurpose({ providerId, id: webhookId }), url);
  const data = { what, host: address ? new URL(address).host : '' };
  return run(sql`INSERT INTO notices (kind, once, account_id, data, at)
    SELECT 'webhook', ${`${webhookId}:${what}:${Math.floor(now / day)}`}, provider_id, ${JSON.stringify(data)}, ${now}
    FROM webhooks WHERE provider_id = ${providerId} AND id = ${webhookId} AND ${condition}`);
};

/** Ends a webhook whose server has said that it is gone, unless its address has changed meanwhile. */
async function end(db: Db, due: Due, seals: Seals, now: Instant): Promise<void> {
  const { providerId, webhookId, url } = due;
  const isSame = sql`EXISTS (SELECT 1 FROM webhooks WHERE provider_id = ${providerId} AND id = ${webhookId} AND url = ${url})`;
  await db.run(
    tell('gone', due, seals, now, isSame),
    run(sql`DELETE FROM deliveries WHERE ${isOf(due)} AND ${isSame}`),
    run(sql`DELETE FROM webhooks WHERE provider_id = ${providerId} AND id = ${webhookId} AND url = ${url}`),
  );
}

/**
 * Notes what came of deliveries of one webhook. If its server took none of them, the others wait too, and all are
 * given up that are older than two days.
 */
async function note(db: Db, tried: Tried[], { seals, clock }: Deliverer): Promise<void> {
  const now = clock();
  const [{ due: first }] = tried as [Tried];
  const { providerId, webhookId, failures } = first;
  const refused = tried.filter(({ outcome }) => !isAccepted(outcome));
  const isDown = refused.length === tried.length;
  // Whoever sends a test sees what comes of it. It is tried once, and nobody waits for it.
  const isTrouble = isDown && tried.some(({ due }) => due.kind !== 'test');
  const numbers = JSON.stringify(refused.map(({ due }) => due.number));
  const isThis = sql`provider_id = ${providerId} AND id = ${webhookId}`;
  // What is behind has not been tried: its turn comes.
  const isAmongThem = isTrouble ? sql`state <> 'behind'` : sql`number IN (SELECT value FROM json_each(${numbers}))`;
  const isGivenUp = sql`due_at IS NOT NULL AND (at < ${now - giveUpAfter} OR kind = 'test') AND ${isAmongThem}`;
  const quietUntil = now + Math.min(longestQuiet, pauseAfterTries(failures + 1));
  const health = isDown
    ? sql`UPDATE webhooks SET failures = failures + 1, failing_since = coalesce(failing_since, ${now}), quiet_until = ${quietUntil}
        WHERE ${isThis} AND ${isTrouble}`
    : sql`UPDATE webhooks SET failures = 0, failing_since = NULL, quiet_until = 0 WHERE ${isThis} AND failures > 0`;
  await db.run(
    ...tried.map(({ due, outcome }) =>
      orm
        .update(deliveries)
        .set({
          tries: due.tries + 1,
          triedAt: now,
          status: 'status' in outcome ? outcome.status : null,
          failure: 'failure' in outcome ? outcome.failure : null,
          ...(isAccepted(outcome)
            ? { state: 'sent' as const, dueAt: null }
            : { state: 'due' as const, dueAt: now + pauseAfterTries(due.tries + 1) }),
        })
        .where(isDelivery(providerId, deliveryId(due))),
    ),
    ...(refused.length > 0
      ? [
          tell('failing', first, seals, now, sql`failing_since IS NULL AND ${isTrouble}`),
          tell(
            'given-up',
            first,
            seals,
            now,
            sql`EXISTS (
            SELECT 1 FROM deliveries WHERE ${isOf(first)} AND ${isGivenUp} AND kind <> 'test')`,
          ),
          run(sql`UPDATE deliveries SET state = 'dead', due_at = NULL WHERE ${isOf(first)} AND ${isGivenUp}`),
        ]
      : []),
    run(health),
    letNextPass(first, isTrouble ? null : tried.map(({ due }) => due.about), now),
  );
}

/** SQL: what is behind nothing any more goes out. @param abouts the things about which something is over; null for all */
const letNextPass = (hook: OfHook, abouts: string[] | null, now: Instant): Built =>
  run(sql`UPDATE deliveries SET state = 'due', due_at = ${now} WHERE ${isOf(hook)} AND state = 'behind' AND due_at IS NOT NULL
    AND ${abouts ? sql`about IN (SELECT value FROM json_each(${JSON.stringify(abouts)}))` : sql`true`}
    AND NOT EXISTS (SELECT 1 FROM deliveries AS earlier WHERE earlier.provider_id = ${hook.providerId}
      AND earlier.webhook_id = ${hook.webhookId} AND earlier.about = deliveries.about AND earlier.due_at IS NOT NULL
      AND earlier.number < deliveries.number)`);

/** @returns true if its server refused something */
async function deliverTo(db: Db, hook: OfHook, deliverer: Deliverer): Promise<boolean> {
  let hasRefused = false;
  for (;;) {
    // Read anew each time: the webhook may have ended, or have another address.
    const [due] = await db.run(dueOf({ ...hook, now: deliverer.clock() }));
    if (due.length === 0) return hasRefused;
    const refused = await trySending(db, due, deliverer);
    hasRefused ||= refused > 0;
    if (refused === due.length) return true;
  }
}

/** @returns how many its server refused */
async function trySending(db: Db, due: Due[], deliverer: Deliverer): Promise<number> {
  const tried = await Promise.all(due.map(async (one) => ({ due: one, outcome: await send(one, deliverer) })));
  const gone = tried.find(({ outcome }) => isGone(outcome));
  if (gone) await end(db, gone.due, deliverer.seals, deliverer.clock());
  else await note(db, tried, deliverer);
  return tried.filter(({ outcome }) => !isAccepted(outcome)).length;
}

/**
 * Sends what is due to the webhooks of a provider. What was sent before a crash is sent again with the same id.
 * @returns when the next delivery is due, or null; and whether a server refused something, which may be news
 */
export async function deliverDue(
  db: Db,
  providerId: string,
  deliverer: Deliverer,
): Promise<{ next: Instant | null; hasRefused: boolean }> {
  const [hooks] = await db.run(
    orm.select({ webhookId: webhooks.id }).from(webhooks).where(eq(webhooks.providerId, providerId)),
  );
  const refusals = await Promise.all(hooks.map(({ webhookId }) => deliverTo(db, { providerId, webhookId }, deliverer)));
  // What waits for a webhook that is left alone has been taken up: nobody need wake its sender for it again.
  const [, [next]] = await db.run(
    orm
      .update(deliveries)
      .set({ state: 'due' })
      .where(sql`provider_id = ${providerId} AND state = 'new' AND (
        SELECT quiet_until FROM webhooks WHERE webhooks.provider_id = deliveries.provider_id AND id = webhook_id) > ${deliverer.clock()}`),
    orm
      .select({ at: sql<Instant | null>`min(max(due_at, quiet_until))`.as('next_due') })
      .from(webhooks)
      .innerJoin(deliveries, and(eq(deliveries.providerId, webhooks.providerId), eq(deliveries.webhookId, webhooks.id)))
      .where(sql`${webhooks.providerId} = ${providerId} AND due_at IS NOT NULL AND state <> 'behind'`),
  );
  return { next: next?.at ?? null, hasRefused: refusals.includes(true) };
}

/** Sends one delivery, even if its webhook is left alone just now. */
export async function deliverNow(db: Db, providerId: string, id: string, deliverer: Deliverer): Promise<void> {
  const [due] = await db.run(selectDue().where(isDelivery(providerId, id)));
  if (due.length > 0) await trySending(db, due, deliverer);
}

/** @returns the providers whose webhooks have deliveries that their sender has not taken up */
export async function listProvidersToDeliver(db: Db): Promise<string[]> {
  const [rows] = await db.run(
    orm.selectDistinct({ providerId: deliveries.providerId }).from(deliveries).where(sql`state = 'new'`),
  );
  return rows.map(({ providerId }) => providerId);
}
