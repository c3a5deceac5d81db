import { getTableName } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { markAttendance } from '../../../app/domain/bookings/attendance.server';
import { bookAppointment, cancelAppointment } from '../../../app/domain/bookings/book.server';
import { bookAt } from '../../../app/domain/bookings/book-at.server';
import { bookForPerson } from '../../../app/domain/bookings/book-for.server';
import { importPeople } from '../../../app/domain/bookings/import-people.server';
import { moveAppointment } from '../../../app/domain/bookings/move.server';
import { markPaid } from '../../../app/domain/bookings/paid.server';
import { bookFor, replaceBookingLink, setNote, walkInOf } from '../../../app/domain/bookings/walk-ins.server';
import { setHours } from '../../../app/domain/hours/hours.server';
import { linksBy } from '../../../app/domain/links.server';
import { actorFor } from '../../../app/domain/login/acting.server';
import { sentenceOf } from '../../../app/domain/messages/messages';
import { listNews } from '../../../app/domain/messages/news.server';
import { leaseDue } from '../../../app/domain/messages/outbox.server';
import { createPerson, editPerson } from '../../../app/domain/people/edit.server';
import { readTable } from '../../../app/domain/people/import';
import { mergePeople } from '../../../app/domain/people/merge.server';
import type { Actor } from '../../../app/domain/profile/accounts';
import { bookSeries } from '../../../app/domain/series/book-series.server';
import { createService, orderServices } from '../../../app/domain/services/services.server';
import { openShop } from '../../../app/domain/shop/shops.server';
import { changeOpenSlots } from '../../../app/domain/slots/change.server';
import { deleteService } from '../../../app/domain/slots/delete-service.server';
import { editService } from '../../../app/domain/slots/edit-service.server';
import { bringBack, withdrawSlots } from '../../../app/domain/slots/withdraw.server';
import { setStandingTimes } from '../../../app/domain/standing/standing.server';
import { addDays, day } from '../../../app/domain/time/clock';
import { todayIn } from '../../../app/domain/time/zones';
import { addWish, offerByHand, removeWish } from '../../../app/domain/waitlist/wish.server';
import { english, inEnglish } from '../../../app/domain/words/english';
import type { Db } from '../../../db/client';
import * as schema from '../../../db/schema';
import { join, newBook, once, publishTimes, start, stored, year } from '../../support/history';

/* Whoever works at the desk of a shop writes in a colleague's book, as long as they work there. */

const links = linksBy('a secret of this test');
const date = addDays(todayIn('UTC', start), 2);
const nextWeek = addDays(date, 7);
const wish = { note: null, phone: null, address: null, submitted: null };
const cut = { name: 'Cut', minutes: 30, gap: 0, seats: 1, price: null, description: null, templateId: null } as const;

async function newShop() {
  const { db, host: owner, guest: client } = await newBook();
  const details = { timeZone: 'UTC', role: 'Provider', location: 'Lisbon' } as const;
  const [ana, desk] = [
    await join(db, { username: 'ana', displayName: 'Ana', ...details }),
    await join(db, { username: 'dora', displayName: 'Dora Desk', ...details }),
  ];
  const shop = { username: 'shop', displayName: 'Shop', location: 'Lisbon', address: null, phone: null };
  await openShop(db, owner, shop, once(start));
  const enter = `INSERT INTO colleagues (shop_id, account_id, role, takes, place, joined_at)
    SELECT shop_id, ?, ?, 1, ?, 1 FROM colleagues WHERE role = 'owner' RETURNING account_id`;
  await stored(enter, ana.accountId, 'colleague', 1);
  await stored(enter, desk.accountId, 'desk', 2);
  const [first = '', second = '', third = ''] = (
    await publishTimes(db, ana, { start: '09:00', end: '10:30', dates: [date] })
  ).ids;
  const [later = ''] = (await publishTimes(db, ana, { start: '09:00', end: '09:30', dates: [nextWeek] })).ids;
  const booked = await bookAppointment(db, client, { id: first, submitted: null }, start);
  const makeCard = (name: string) =>
    createPerson(db, links, ana, { name, email: null, phone: null, note: null, key: name }, start);
  const [gus, ida] = [await makeCard('Gus'), await makeCard('Ida')];
  const service = await createService(db, ana, serviceOf('Cut'), once(start));
  const waiting = await addWish(
    db,
    { actor: client },
    { ...wishOf('ana'), from: addDays(date, 20), to: addDays(date, 21) },
    { now: start, origin: null },
  );
  const { actor: acting } = await actorFor(db, desk, { username: 'ana' });
  const things = { first, second, third, later, booked: booked.id, gus: gus.id, ida: ida.id, service: service.id };
  return { db, ana, desk, client, acting, ...things, wish: waiting.id };
}

const serviceOf = (name: string) => ({ ...cut, name }) as unknown as Parameters<typeof createService>[2];
const wishOf = (provider: string) => ({ provider }) as unknown as Parameters<typeof addWish>[2];

type Shop = Awaited<ReturnType<typeof newShop>>;
let shop: Shop;
beforeEach(async () => {
  shop = await newShop();
});

const removeFromDesk = ({ desk }: Shop) =>
  stored("UPDATE colleagues SET role = 'colleague' WHERE account_id = ? RETURNING role", desk.accountId);

/** Every row of the book. */
async function allRows() {
  const tables = Object.values(schema).map((table) => getTableName(table as SQLiteTable));
  const rows = await Promise.all(tables.map((table) => stored(`SELECT * FROM ${table}`)));
  return Object.fromEntries(tables.map((table, place) => [table, rows[place]]));
}

const monday = { day: 1, start: '09:00', end: '10:00' };
const hours = { hours: [monday], except: [], len: 30, gap: 0, ahead: 14, notes: null, templateId: null };
const standing = { day: 3, start: '15:00', every: 7, from: date, until: null, service: null };
const isOver = start + 3 * day;

type Write = (db: Db, actor: Actor, shop: Shop) => Promise<unknown>;
const writes: Record<string, Write> = {
  'publishing times': (db, actor) => publishTimes(db, actor, { start: '20:00', end: '21:00', dates: [date] }),
  'booking a time for a name': (db, actor, { second }) =>
    bookFor(
      db,
      actor,
      { id: second },
      walkInOf(links, actor, { ...wish, id: second, key: 'k', displayName: 'Uma', email: null }),
      start,
    ),
  'booking a time for one of their people': (db, actor, { second, gus }) =>
    bookForPerson(db, links, actor, { ...wish, id: second, key: 'k', personId: gus, service: null, people: 1 }, start),
  'booking at any time': (db, actor, { gus }) =>
    bookAt(
      db,
      links,
      actor,
      {
        ...wish,
        ...{ time: { date, start: '18:00', minutes: 30 }, who: { personId: gus }, service: null, people: 1 },
        ...{ isOver: true, key: 'k' },
      } as Parameters<typeof bookAt>[3],
      start,
    ),
  'booking a series': (db, actor, { second, later, gus }) =>
    bookSeries(
      db,
      actor,
      { ids: [second, later], personId: gus, service: null, people: 1, phone: null, address: null, formData: null },
      { links, key: 'k', now: start },
    ),
  'moving an appointment': (db, actor, { booked, third }) =>
    moveAppointment(db, actor, { id: booked, to: third, submitted: null, reason: null }, start),
  'canceling an appointment': (db, actor, { booked }) =>
    cancelAppointment(db, actor, { id: booked, reason: null }, start),
  'changing free times': (db, actor, { second }) =>
    changeOpenSlots(db, actor, { id: second, scope: 'slot', notes: 'Ring twice', templateId: null }, start),
  'a note on an appointment': (db, actor, { booked }) => setNote(db, actor, { id: booked, note: 'Short' }, start),
  'a new personal link': (db, actor, { booked }) => replaceBookingLink(db, links, actor, booked, start),
  'marking who came': (db, actor, { booked }) => markAttendance(db, actor, { id: booked, as: 'seen' }, isOver),
  'setting hours': (db, actor) =>
    setHours(db, actor, hours as unknown as Parameters<typeof setHours>[2], start, 'a key of one form'),
  'setting standing times': (db, actor, { gus }) =>
    setStandingTimes(db, links, actor, { id: gus, list: [standing as never] }, start),
  'writing a card': (db, actor) =>
    createPerson(db, links, actor, { name: 'Wanda', email: null, phone: null, note: null, key: 'k' }, start),
  'editing a card': (db, actor, { gus }) => editPerson(db, actor, { id: gus, note: 'Short' }, start),
  'making one card of two': (db, actor, { gus, ida }) => mergePeople(db, actor, { id: gus, into: ida }, start),
  'importing people': (db, actor) =>
    importPeople(
      db,
      links,
      actor,
      { table: readTable('Name\nWanda\n'), preview: false, dates: null } as unknown as Parameters<
        typeof importPeople
      >[3],
      start,
    ),
  'making a service': (db, actor) => createService(db, actor, serviceOf('Colour'), once(start)),
  'editing a service': (db, actor, { service }) =>
    editService(db, actor, { id: service, change: { price: '25 €' } }, start),
  'deleting a service': (db, actor, { service }) => deleteService(db, actor, service, start),
  'offering a time to somebody who waits': (db, actor, { wish: id, second }) =>
    offerByHand(db, actor, { id, slotId: second }, start),
  'taking somebody out of the waitlist': (db, actor, { wish: id }) => removeWish(db, actor, id, start),
  'removing free times': (db, actor, { second }) => withdrawSlots(db, actor, { ids: [second] }, once(start)),
};

describe.each(Object.entries(writes))('%s', (_, write) => {
  test('is done at the desk in a colleague’s book', async () => {
    const before = await allRows();

    await write(shop.db, shop.acting, shop);

    expect(await allRows()).not.toEqual(before);
  });

  test('writes nothing once they are at the desk no more, though the request has begun', async () => {
    await removeFromDesk(shop);
    const before = await allRows();

    await write(shop.db, shop.acting, shop).catch(() => null);

    expect(await allRows()).toEqual(before);
  });
});

test('what the desk imports into a colleague’s book says that they did it', async () => {
  const { db, acting } = shop;
  const table = readTable(`Name,Start,End\nWanda,${year}-07-01 06:00,${year}-07-01 06:30\n`);

  await importPeople(db, links, acting, { table, preview: false }, start);

  const wanda = "SELECT acted_by AS by FROM bookings JOIN people ON people.id = person_id AND people.name = 'Wanda'";
  expect(await stored(wanda)).toEqual([{ by: acting.memberId }]);
});

test('a deposit is noted at the desk, and by nobody who is there no more', async () => {
  const { db, acting, booked } = shop;
  const paid = () => stored('SELECT paid FROM bookings WHERE id = ?', booked);
  await stored("UPDATE bookings SET deposit = '10 €', service_name = 'Cut' WHERE id = ? RETURNING id", booked);

  await markPaid(db, acting, { id: booked, paid: true }, start);
  expect(await paid()).toEqual([{ paid: 1 }]);

  await removeFromDesk(shop);
  await markPaid(db, acting, { id: booked, paid: false }, start).catch(() => null);
  expect(await paid()).toEqual([{ paid: 1 }]);
});

test('the order of services is that of the desk, and of nobody who is there no more', async () => {
  const { db, acting, service } = shop;
  const { id: colour } = await createService(db, acting, serviceOf('Colour'), once(start));
  const order = () => stored('SELECT id FROM services ORDER BY place');

  await orderServices(db, acting, [colour, service], start);
  expect(await order()).toEqual([{ id: colour }, { id: service }]);

  await removeFromDesk(shop);
  await orderServices(db, acting, [service, colour], start).catch(() => null);
  expect(await order()).toEqual([{ id: colour }, { id: service }]);
});

test('removed times are brought back at the desk, and by nobody who is there no more', async () => {
  const { db, acting, second } = shop;
  const isOpen = () => stored('SELECT state FROM slots WHERE starts_at = ?', Number(second.slice(-25, -12)));
  const removal = once(start);
  await withdrawSlots(db, acting, { ids: [second] }, removal);
  const removed = await isOpen();

  await removeFromDesk(shop);
  await bringBack(db, acting, removal.key, start).catch(() => null);

  expect(await isOpen()).toEqual(removed);
});

describe('who did it', () => {
  const newsOf = async (who: Actor) =>
    (await listNews(shop.db, who, 0)).rows.map(({ kind, other, client }) => [kind, other, client ?? null]);

  test('is told to the colleague: a series in one message', async () => {
    await writes['booking a series']?.(shop.db, shop.acting, shop);

    expect(await newsOf(shop.ana)).toContainEqual(['booked', 'Dora Desk', 'Gus']);
    expect((await newsOf(shop.ana)).filter(([, , client]) => client === 'Gus')).toHaveLength(1);
  });

  test('is told to nobody where appointments were brought along in a table', async () => {
    const { db, acting, ana } = shop;
    const table = readTable(`name,date,start,minutes\nWanda,${date},18:00,30\n`);
    const before = await newsOf(ana);

    const { appointments } = await importPeople(db, links, acting, { table, preview: false }, start);

    expect(appointments).toBe(1);
    expect(await newsOf(ana)).toEqual(before);
  });

  test('is told to the colleague: the dates of a standing time in one message', async () => {
    const { db, ana } = shop;
    await publishTimes(db, ana, {
      start: '15:00',
      end: '15:30',
      dates: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13].map((days) => addDays(date, days)),
    });

    await writes['setting standing times']?.(db, shop.acting, shop);

    expect((await newsOf(ana)).filter(([kind, other]) => kind === 'booked' && other === 'Dora Desk')).toHaveLength(1);
    expect(await stored('SELECT DISTINCT acted_by FROM bookings WHERE standing_id IS NOT NULL')).toEqual([
      { acted_by: shop.desk.accountId },
    ]);
  });

  test('is not told of what the colleague does alone', async () => {
    const before = await newsOf(shop.ana);

    await writes['booking a time for a name']?.(shop.db, shop.ana, shop);

    expect(await newsOf(shop.ana)).toEqual(before);
  });

  test('is the client, once the client moves what the desk had booked', async () => {
    const { db, acting, client, booked, second, third } = shop;
    const { id } = await moveAppointment(db, acting, { id: booked, to: second, submitted: null, reason: null }, start);

    await moveAppointment(db, client, { id, to: third, submitted: null, reason: null }, start);

    expect((await newsOf(shop.ana)).filter(([kind]) => kind === 'moved')).toEqual(
      expect.arrayContaining([
        ['moved', 'Dora Desk', 'Guest'],
        ['moved', 'Guest', null],
      ]),
    );
    expect(await stored('SELECT acted_by FROM bookings WHERE status = 1')).toEqual([{ acted_by: null }]);
  });
});

describe('what the desk cancels in one action', () => {
  /** Two more clients, and all three with an appointment at the start of these slots. */
  async function bookAll({ db, client }: Shop, ids: string[]) {
    const details = { timeZone: 'UTC', role: 'Consumer' } as const;
    const others = [
      await join(db, { username: 'cy', displayName: 'Cy', ...details }),
      await join(db, { username: 'dee', displayName: 'Dee', ...details }),
    ];
    const booked: string[] = [];
    for (const [place, who] of [client, ...others].entries())
      booked.push((await bookAppointment(db, who, { id: ids[place] ?? '', submitted: null }, start)).id);
    return { booked, clients: [client, ...others] };
  }
  const canceledFor = async ({ db }: Shop, actor: Actor) =>
    (await listNews(db, actor, 0)).rows
      .filter(({ kind }) => kind === 'canceled')
      .map((one) => inEnglish(sentenceOf(one)));
  const everyDay = (end: string) => [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, start: '11:00', end }));
  const callOff = async (ids: string[]) => {
    const { db, acting } = shop;
    await setHours(db, acting, { ...hours, hours: everyDay('11:30') }, start, 'shorter', { ids, reason: 'Ana is ill' });
  };
  const freeAt11 = async () => {
    const { db, ana } = shop;
    await setHours(db, ana, { ...hours, hours: everyDay('14:00') }, start);
    const slots = await stored<{ id: string }>(
      'SELECT id FROM slots WHERE provider_id = ? AND local_date = ? AND made_by = 1 ORDER BY starts_at',
      ana.accountId,
      date,
    );
    return slots.slice(1, 4).map(({ id }) => id);
  };

  test('is one message to the colleague, with how many it is about and no client of them', async () => {
    const { booked } = await bookAll(shop, await freeAt11());

    await callOff(booked);

    expect(await canceledFor(shop, shop.ana)).toEqual([
      expect.stringMatching(
        /^Dora Desk canceled 3 appointments, from \w+, .* 11:30 to 12:00, .*, to \w+, .*: Ana is ill\.$/,
      ),
    ]);
  });

  test('is one message to each client', async () => {
    const { booked, clients } = await bookAll(shop, await freeAt11());

    await callOff(booked);

    for (const client of clients)
      expect(await canceledFor(shop, client)).toEqual([expect.stringMatching(/^Ana canceled the appointment on /)]);
  });

  test('is all in the calendar of the mail to the colleague', async () => {
    const { db, ana } = shop;
    await stored("UPDATE accounts SET email = 'ana@mail.test', email_confirmed_at = 1 WHERE id = ?", ana.accountId);
    const { booked } = await bookAll(shop, await freeAt11());

    await callOff(booked);

    const { leased } = await leaseDue(db, 50, async () => english, start + day);
    const mail = leased.find(({ to, message }) => to === 'ana@mail.test' && message.kind === 'canceled');
    expect(mail?.several.map(({ id }) => id)).toEqual(booked);
  });

  test('is as before where it is one', async () => {
    const { booked } = await bookAll(shop, await freeAt11());

    await callOff(booked.slice(0, 1));

    expect(await canceledFor(shop, shop.ana)).toEqual([
      expect.stringMatching(/^Dora Desk canceled the appointment with Guest: .*\. Ana is ill\.$/),
    ]);
  });

  test('is one message to the colleague for a class', async () => {
    const { db, ana, acting } = shop;
    const yoga = await createService(db, ana, { ...serviceOf('Yoga'), minutes: 60, seats: 8 }, once(start));
    const { ids } = await publishTimes(db, ana, {
      start: '18:00',
      end: '19:00',
      dates: [date],
      serviceId: yoga.id,
      len: 60,
    });
    const [id = ''] = ids;
    await bookAll(shop, [id, id, id]);

    await cancelAppointment(db, acting, { id, reason: null }, start);

    expect(await canceledFor(shop, ana)).toEqual([
      expect.stringMatching(/^Dora Desk canceled 3 appointments on \w+, .* 18:00 to 19:00, .*\.$/),
    ]);
  });
});
