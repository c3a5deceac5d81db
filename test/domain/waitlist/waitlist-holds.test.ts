import { env } from 'cloudflare:test';
import { beforeAll, describe, expect, test } from 'vitest';
import { bookAppointment, cancelAppointment } from '../../../app/domain/bookings/book.server';
import { endHolds } from '../../../app/domain/bookings/holds.server';
import { setHouseRules } from '../../../app/domain/bookings/house-rules.server';
import { importPeople } from '../../../app/domain/bookings/import-people.server';
import { setRules } from '../../../app/domain/bookings/own-rules.server';
import { openGuest } from '../../../app/domain/guests/guests.server';
import { parse } from '../../../app/domain/input/fields';
import { linksBy } from '../../../app/domain/links.server';
import { createPerson } from '../../../app/domain/people/edit.server';
import { readTable } from '../../../app/domain/people/import';
import type { Actor } from '../../../app/domain/profile/accounts';
import { serviceInput } from '../../../app/domain/services/service-input';
import { createService } from '../../../app/domain/services/services.server';
import { invite, join as joinShop } from '../../../app/domain/shop/joining.server';
import { openShop } from '../../../app/domain/shop/shops.server';
import { setStandingTimes } from '../../../app/domain/standing/standing.server';
import { minute } from '../../../app/domain/time/clock';
import { takeOffer } from '../../../app/domain/waitlist/take.server';
import { addWish } from '../../../app/domain/waitlist/wish.server';
import { wishInput } from '../../../app/domain/waitlist/wishes';
import { remindPeople } from '../../../app/serve/mails.server';
import type { Db } from '../../../db/client';
import { bookingStatus } from '../../../db/states';
import { join, keyOfOffer, newBook, newDb, once, publishTimes, start, stored, year } from '../../support/history';

/* How long a time is held, by a clock that the test moves. */

let db: Db;
beforeAll(() => {
  db = newDb();
});

const links = linksBy('a secret of this test');
/** A class for two. */
const pair = { name: 'Class', minutes: 60, gap: 0, seats: 2 };

let worlds = 0;
/** A provider with one booked time, and people who wait for it; the booking is canceled at `now`. */
async function freed(at: string, now: string, zone: string, { notice = 0, waiters = 1 } = {}) {
  worlds += 1;
  const [moment, slotAt] = [Date.parse(now), new Date(at).toISOString()];
  const person = (name: string, timeZone: string) =>
    join(db, { username: `${name}${worlds}`, displayName: name, timeZone, role: 'Consumer' });
  const host = await join(db, {
    username: `host${worlds}`,
    displayName: 'Hanna',
    timeZone: 'UTC',
    role: 'Provider',
    location: 'Lisbon',
  });
  const booker = await person('bo', 'UTC');
  const [from, to] = [slotAt.slice(11, 16), new Date(Date.parse(at) + 30 * minute).toISOString().slice(11, 16)];
  const { ids } = await publishTimes(db, host, { start: from, end: to, dates: [slotAt.slice(0, 10)] });
  const [id = ''] = ids;
  await bookAppointment(db, booker, { id, submitted: null }, start);
  if (notice > 0) await setRules(db, host, { notice }, start);
  const waiting: Actor[] = [];
  for (let place = 0; place < waiters; place++) {
    const actor = await person(`w${place}x`, zone);
    waiting.push(actor);
    const wish = parse(wishInput, { provider: `host${worlds}` });
    await addWish(db, { actor }, wish, { now: start + place, origin: null });
  }
  await cancelAppointment(db, booker, { id, reason: null }, moment);
  const holds = await stored<{ until: number; who: string }>(
    'SELECT held_until AS until, booker_id AS who FROM bookings WHERE provider_id = ? AND status = 0',
    host.accountId,
  );
  return { host, waiting, holds, until: holds.map(({ until }) => new Date(until).toISOString()) };
}

// On 10 March at 10:00 the clocks of Los Angeles go from 2:00 to 3:00.
test.each([
  ['a quarter of the time left', '03-10T02:30', '03-09T18:30', 'UTC', '03-09T20:30'],
  ['at least half an hour', '03-09T20:32', '03-09T18:32', 'UTC', '03-09T19:02'],
  ['at most twelve hours', '03-20T12:00', '03-10T09:00', 'UTC', '03-10T21:00'],
  ['until 8:00 where it would end at night', '03-10T12:00', '03-09T20:00', 'UTC', '03-10T08:00'],
  ['until 8:00 of the reader’s clock', '03-10T18:30', '03-09T18:30', 'Asia/Kolkata', '03-10T02:30'],
  ['… after a night in which clocks change', '03-15T12:00', '03-09T19:30', 'America/Los_Angeles', '03-10T15:00'],
])('a time is held %s', async (_, at, now, zone, until) => {
  const held = await freed(`${year}-${at}:00Z`, `${year}-${now}:00Z`, zone);
  expect(held.until).toEqual([`${year}-${until}:00.000Z`]);
});

test('a time is held no longer than to its start less the notice', async () => {
  const held = await freed(`${year}-03-10T08:30:00Z`, `${year}-03-09T20:00:00Z`, 'UTC', { notice: 60 });
  expect(held.until).toEqual([`${year}-03-10T07:30:00.000Z`]);
});

test('the outbox’s alarm is due when a hold ends, and offers its time to whoever waits next', async () => {
  const { host, waiting, holds } = await freed(`${year}-03-10T02:30:00Z`, `${year}-03-09T18:30:00Z`, 'UTC', {
    waiters: 2,
  });
  const end = holds[0]?.until ?? 0;
  const heldFor = () =>
    stored('SELECT booker_id AS who FROM bookings WHERE provider_id = ? AND status = 0', host.accountId);
  await db.run(endHolds(end - 31 * minute));
  expect(await remindPeople(env, end - minute)).toBe(end);
  expect(await heldFor()).toEqual([{ who: waiting[0]?.accountId }]);
  expect(await remindPeople(env, end)).toBeGreaterThan(end);
  expect(await heldFor()).toEqual([{ who: waiting[1]?.accountId }]);
});

describe('a hold that is over, where nobody was woken to end it,', () => {
  const [at, date] = [Date.parse(`${year}-03-12T10:00:00Z`), `${year}-03-12`];
  const heldThen = async () => {
    const { host, holds } = await freed(`${year}-03-12T10:00:00Z`, `${year}-03-11T09:00:00Z`, 'UTC');
    return { host, end: holds[0]?.until ?? 0 };
  };
  const bookedThen = async (host: Actor) => {
    const sql = 'SELECT status FROM bookings WHERE provider_id = ? AND starts_at = ? AND status < 2';
    return (await stored<{ status: number }>(sql, host.accountId, at)).map(({ status }) => status);
  };

  test('is in no standing time’s way', async () => {
    const { host, end } = await heldThen();
    const card = { name: 'June', email: null, phone: null, note: null, key: 'June' };
    const { id } = await createPerson(db, links, host, card, end);
    const tuesday = { day: 2, start: '10:00', every: 7 as const, from: date, until: null, service: null };

    await setStandingTimes(db, links, host, { id, list: [tuesday] }, end);

    expect(await bookedThen(host)).toEqual([bookingStatus.booked]);
  });

  test('is in no import’s way', async () => {
    const { host, end } = await heldThen();
    const table = readTable(`Name,Start,End\nJune,${date} 10:00,${date} 10:30\n`);

    const imported = await importPeople(db, links, host, { table, preview: false }, end);

    expect(imported).toMatchObject({ new: 1, refused: 0 });
    expect(await bookedThen(host)).toEqual([bookingStatus.booked]);
  });
});

test('whoever gets a time held is told of none that begins sooner', async () => {
  const { host, guest } = await newBook();
  await addWish(db, { actor: guest }, parse(wishInput, { provider: 'host' }), { now: start, origin: null });

  // Times from 40 minutes on. What begins in less than two hours is told of, and the next one is held.
  await publishTimes(db, host, { start: '19:00', end: '22:00', dates: ['2030-03-09'] });

  const offers = await stored<{ at: number }>(
    "SELECT data ->> 'startsAt' AS at FROM messages WHERE kind = 'offer' AND account_id = ?",
    guest.accountId,
  );
  expect(offers).toEqual([{ at: Date.parse('2030-03-09T20:30:00Z') }]);
  expect(await stored('SELECT starts_at AS at FROM bookings WHERE status = 0')).toEqual(offers);
});

test('whoever cancels while an earlier time is held for them lets both times go to whoever was in line', async () => {
  const { host, guest } = await newBook();
  const other = await join(db, { username: 'other', displayName: 'Ola', timeZone: 'UTC', role: 'Consumer' });
  const date = '2030-03-11';
  const at = (time: string) => Date.parse(`${date}T${time}:00Z`);
  const { ids } = await publishTimes(db, host, { start: '09:00', end: '10:00', dates: [date] });
  const [nine = '', half = ''] = ids;
  await bookAppointment(db, other, { id: nine, submitted: null }, start);
  const { id } = await bookAppointment(db, guest, { id: half, submitted: null }, start);
  const wishFor = (actor: Actor, wish: object, now: number) =>
    addWish(db, { actor }, parse(wishInput, { provider: 'host', ...wish }), { now, origin: null });
  await wishFor(guest, { after: '09:30' }, start);
  await wishFor(guest, { insteadOf: id }, start + 1);
  await wishFor(other, { after: '09:30' }, start + 2);
  const held = () =>
    stored('SELECT booker_id AS who, starts_at AS at FROM bookings WHERE status = 0 ORDER BY starts_at');

  await cancelAppointment(db, other, { id: nine, reason: null }, start + 3);
  expect(await held()).toEqual([{ who: guest.accountId, at: at('09:00') }]);

  await cancelAppointment(db, guest, { id, reason: null }, start + 4);
  expect(await held()).toEqual([{ who: other.accountId, at: at('09:30') }]);
});

test('the offer of a class that has nobody else is not taken on a day that is full without it', async () => {
  const { host, guest } = await newBook();
  const other = await join(db, { username: 'other', displayName: 'Ola', timeZone: 'UTC', role: 'Consumer' });
  const date = '2030-03-11';
  const { id: service } = await createService(db, host, parse(serviceInput, pair), once(start));
  const { ids: classes } = await publishTimes(db, host, {
    start: '09:00',
    end: '10:00',
    dates: [date],
    len: 60,
    serviceId: service,
  });
  const { ids: times } = await publishTimes(db, host, { start: '14:00', end: '14:30', dates: [date] }, once(start));
  const [inClass, alone] = await Promise.all(
    [classes, times].map(([id = ''], place) =>
      bookAppointment(db, other, { id, submitted: null, ...(place === 0 && { service, people: 2 }) }, start),
    ),
  );
  await addWish(db, { actor: guest }, parse(wishInput, { provider: 'host' }), { now: start, origin: null });
  await cancelAppointment(db, other, { id: inClass?.id ?? '', reason: null }, start + 1);
  await setRules(db, host, { perDay: 1 }, start + 2);
  const key = await keyOfOffer(links);
  const take = () => takeOffer(db, links, { key, submitted: null }, start + 3);

  await expect(take()).rejects.toThrow('takes at most one appointment a day');
  await cancelAppointment(db, other, { id: alone?.id ?? '', reason: null }, start + 4);
  expect(await take()).toMatchObject({ startsAt: Date.parse(`${date}T09:00:00Z`) });
});

test('no guest takes a time of a provider who has joined a shop that takes accounts only since', async () => {
  const { db, host } = await newBook();
  const details = { displayName: 'Gus', email: 'gus@mail.test', timeZone: 'UTC', edgeZone: null, origin: null };
  const { actor: gus } = await openGuest(db, details, start);
  await addWish(db, { actor: gus }, parse(wishInput, { provider: 'host' }), { now: start, origin: null });
  await publishTimes(db, host, { start: '14:00', end: '14:30', dates: ['2030-03-11'] });
  const key = await keyOfOffer(links);
  const place = { displayName: 'Olga', timeZone: 'UTC', location: 'Lisbon' };
  const owner = await join(db, { ...place, username: 'olga', role: 'Provider' });
  const shop = { username: 'shop', displayName: 'Shop', location: 'Lisbon', address: null, phone: null };
  await openShop(db, owner, shop, once(start));
  await setHouseRules(db, owner, { openTo: 'accounts' }, start);
  const invitation = await invite(db, links, owner, { role: 'colleague' }, once(start));
  await joinShop(db, host, invitation.key, start);

  const taking = takeOffer(db, links, { key, submitted: null }, start + 1);

  await expect(taking).rejects.toThrow('This offer is over');
  expect(await stored('SELECT id FROM bookings')).toEqual([]);
});

test('whoever loses a hold with a canceled class gets another time of the day that it filled', async () => {
  const { host, guest } = await newBook();
  const people = await Promise.all(
    ['one', 'two'].map((name) => join(db, { username: name, displayName: name, timeZone: 'UTC', role: 'Consumer' })),
  );
  const date = '2030-03-11';
  const { id: service } = await createService(db, host, parse(serviceInput, pair), once(start));
  const { ids } = await publishTimes(db, host, {
    start: '09:00',
    end: '10:00',
    dates: [date],
    len: 60,
    serviceId: service,
  });
  await publishTimes(db, host, { start: '14:00', end: '14:30', dates: [date] }, once(start));
  await setRules(db, host, { perDay: 1 }, start);
  const [id = ''] = ids;
  const booked = [];
  for (const person of people) booked.push(await bookAppointment(db, person, { id, submitted: null, service }, start));
  await addWish(db, { actor: guest }, parse(wishInput, { provider: 'host' }), { now: start, origin: null });
  const held = () => stored('SELECT booker_id AS who, starts_at AS at FROM bookings WHERE status = 0');

  await cancelAppointment(db, people[0] as Actor, { id: booked[0]?.id ?? '', reason: null }, start + 1);
  expect(await held()).toEqual([{ who: guest.accountId, at: Date.parse(`${date}T09:00:00Z`) }]);

  await cancelAppointment(db, host, { id, reason: null }, start + 2);
  expect(await held()).toEqual([{ who: guest.accountId, at: Date.parse(`${date}T14:00:00Z`) }]);
});
