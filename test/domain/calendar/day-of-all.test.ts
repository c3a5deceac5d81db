import { beforeEach, describe, expect, test } from 'vitest';
import { bookAppointment, cancelAppointment } from '../../../app/domain/bookings/book.server';
import { moveAppointment } from '../../../app/domain/bookings/move.server';
import { bookFor, walkInOf } from '../../../app/domain/bookings/walk-ins.server';
import { markChangesSeen, readDayOfAll } from '../../../app/domain/calendar/day-of-all.server';
import { linksBy } from '../../../app/domain/links.server';
import { actorFor } from '../../../app/domain/login/acting.server';
import type { Actor } from '../../../app/domain/profile/accounts';
import { openShop } from '../../../app/domain/shop/shops.server';
import type { Db } from '../../../db/client';
import { join, newBook, newDb, once, publishTimes, start, stored, year } from '../../support/history';

const date = `${year}-06-12`;
const place = { timeZone: 'Europe/Lisbon', location: 'Lisbon' } as const;

let db: Db;
let host: Actor;
let guest: Actor;
let colleagues: Actor[];
/** A shop of five with two free hours each; every first one is booked. */
beforeEach(async () => {
  ({ db, host, guest } = await newBook('Europe/Lisbon'));
  const shop = { username: 'shop', displayName: 'Shop', location: 'Lisbon', address: null, phone: null };
  const { id } = await openShop(db, host, shop, once(start));
  colleagues = [host];
  for (let one = 1; one < 5; one++) {
    const name = `colleague-${one}`;
    const actor = await join(db, { username: name, displayName: name, role: 'Provider', ...place });
    await stored(
      "INSERT INTO colleagues (shop_id, account_id, role, place, joined_at) VALUES (?, ?, 'colleague', ?, ?)",
      ...[id, actor.accountId, one, start],
    );
    colleagues.push(actor);
  }
  for (const actor of colleagues) {
    const times = { start: '09:00', end: '17:00', dates: [date], len: 60 };
    const { ids } = await publishTimes(db, actor, times);
    for (const [at, slot] of ids.entries())
      if (at % 2 === 0) await bookAppointment(db, guest, { id: slot, submitted: null }, start + 1 + at);
  }
});

const idsOf = async (query: string, { accountId }: Actor) =>
  (await stored<{ id: string }>(query, accountId)).map(({ id }) => id);
const bookedOf = (actor: Actor) =>
  idsOf('SELECT id FROM bookings WHERE provider_id = ? AND status = 1 ORDER BY starts_at', actor);
const freeOf = (actor: Actor) =>
  idsOf('SELECT id FROM slots WHERE provider_id = ? AND state = 0 ORDER BY starts_at', actor);
const canceledSeenBy = async (actor: Actor) =>
  (await readDayOfAll(db, actor, { date }, start)).changes
    .filter(({ kind }) => kind === 'canceled')
    .map(({ kind, by }) => [kind, by]);
const walkIn = (actor: Actor, id: string) =>
  walkInOf(linksBy('a secret'), actor, {
    ...{ id, key: id, displayName: 'Uma', email: null, note: null, phone: null, address: null, submitted: null },
  });

/** Somebody at the desk, who joined before anything was booked. */
async function desk(): Promise<Actor> {
  const dora = await join(db, { username: 'dora', displayName: 'dora', role: 'Provider', ...place });
  await stored(
    `INSERT INTO colleagues (shop_id, account_id, role, takes, place, joined_at)
      SELECT shop_id, ?, 'desk', 0, 9, ? FROM colleagues LIMIT 1`,
    ...[dora.accountId, start],
  );
  return dora;
}

describe('the day of all', () => {
  test('leaves out what its reader did, and names them to others', async () => {
    const { changes: before } = await readDayOfAll(db, host, { date }, start);
    const [booked] = await bookedOf(colleagues[1] as Actor);
    const { actor: acting } = await actorFor(db, host, { username: 'colleague-1' });

    await cancelAppointment(db, acting, { id: booked ?? '', reason: null }, start + 50);

    expect(before.map(({ by }) => by)).toEqual(before.map(() => null));
    expect(await canceledSeenBy(host)).toEqual([]);
    expect(await canceledSeenBy(await desk())).toEqual([['canceled', 'Host']]);
  });

  test('leaves out what its reader did in their own book, and names them to others', async () => {
    const [booked] = await bookedOf(host);

    await cancelAppointment(db, host, { id: booked ?? '', reason: null }, start + 50);

    expect(await canceledSeenBy(host)).toEqual([]);
    expect(await canceledSeenBy(await desk())).toEqual([['canceled', 'Host']]);
  });

  test('says nobody of the shop for what a client did', async () => {
    const [booked] = await bookedOf(host);

    await cancelAppointment(db, guest, { id: booked ?? '', reason: null }, start + 50);

    expect(await canceledSeenBy(host)).toEqual([['canceled', null]]);
  });

  test('leaves out whom its reader booked and moved, and names them to others', async () => {
    const dora = await desk();
    await markChangesSeen(db, host, start + 100, start + 100);
    await markChangesSeen(db, dora, start + 100, start + 100);
    const { actor: acting } = await actorFor(db, dora, { username: 'colleague-1' });
    const [first, second, third] = await freeOf(colleagues[1] as Actor);

    await bookFor(db, acting, { id: first ?? '' }, walkIn(acting, first ?? ''), start + 200);
    const { id } = await bookFor(db, acting, { id: second ?? '' }, walkIn(acting, second ?? ''), start + 201);
    await moveAppointment(db, acting, { id, to: third ?? '', submitted: null, reason: null }, start + 202);

    const seenBy = async (actor: Actor) =>
      (await readDayOfAll(db, actor, { date }, start)).changes.map(({ kind, by }) => [kind, by]);
    expect(await seenBy(dora)).toEqual([]);
    expect(await seenBy(host)).toEqual([
      ['moved', 'dora'],
      ['booked', 'dora'],
    ]);
  });

  test('lists the six newest changes, and all of them to whoever asks', async () => {
    const newest = await readDayOfAll(db, host, { date }, start);
    const all = await readDayOfAll(db, host, { date, isWhole: true }, start);

    expect([newest.changes.length, newest.hasMore]).toEqual([6, true]);
    expect([all.changes.length, all.hasMore]).toEqual([20, false]);
    expect(all.changes.slice(0, 6)).toEqual(newest.changes);
  });

  test('says from whom an appointment came', async () => {
    const dora = await desk();
    const [booked] = await bookedOf(colleagues[1] as Actor);
    const [, free] = await freeOf(colleagues[2] as Actor);
    const { actor: acting } = await actorFor(db, host, { username: 'colleague-1' });

    await moveAppointment(db, acting, { id: booked ?? '', to: free ?? '', submitted: null, reason: null }, start + 50);

    const [moved] = (await readDayOfAll(db, dora, { date }, start)).changes;
    expect(moved).toMatchObject({ kind: 'moved', displayName: 'colleague-2', from: 'colleague-1' });
  });

  test('reads two rows for each appointment and each free time, and a few for each colleague', async () => {
    await markChangesSeen(db, host, start + 100, start + 100);
    const reader = newDb();

    const { books } = await readDayOfAll(reader, host, { date }, start);

    expect(books.map(({ lines }) => lines.length)).toEqual([8, 8, 8, 8, 8]);
    expect(reader.tally.trips).toBe(1);
    expect(reader.tally.rowsRead).toBeLessThanOrEqual(111);
  });
});
