import { beforeEach, describe, expect, test } from 'vitest';
import { bookAppointment } from '../../../app/domain/bookings/book.server';
import { markChangesSeen, readDayOfAll } from '../../../app/domain/calendar/day-of-all.server';
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

describe('the day of all', () => {
  test('reads two rows for each appointment and each free time, and a few for each colleague', async () => {
    await markChangesSeen(db, host, start + 100, start + 100);
    const reader = newDb();

    const { books } = await readDayOfAll(reader, host, date, start);

    expect(books.map(({ lines }) => lines.length)).toEqual([8, 8, 8, 8, 8]);
    expect(reader.tally.trips).toBe(1);
    expect(reader.tally.rowsRead).toBeLessThanOrEqual(111);
  });
});
