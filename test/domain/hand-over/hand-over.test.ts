import { env } from 'cloudflare:test';
import type { D1Database } from '@cloudflare/workers-types';
import { beforeEach, describe, expect, test } from 'vitest';
import { bookAppointment, cancelAppointment } from '../../../app/domain/bookings/book.server';
import { moveAppointment } from '../../../app/domain/bookings/move.server';
import { bookFor, walkInOf } from '../../../app/domain/bookings/walk-ins.server';
import { DomainError } from '../../../app/domain/errors';
import { handOverAppointments, previewHandOver } from '../../../app/domain/hand-over/hand-over.server';
import { leaveWith } from '../../../app/domain/hand-over/leave.server';
import { linksBy } from '../../../app/domain/links.server';
import { actorFor } from '../../../app/domain/login/acting.server';
import type { Actor } from '../../../app/domain/profile/accounts';
import type { ShopRole } from '../../../app/domain/shop/colleagues';
import { invite, join as joinShop } from '../../../app/domain/shop/joining.server';
import { openShop } from '../../../app/domain/shop/shops.server';
import type { D1 } from '../../../app/local/d1';
import { Db } from '../../../db/client';
import { brokenRules } from '../../habits/invariants';
import { failing, failingAt, meanwhile, overloaded } from '../../support/faulty-d1';
import { forgetAll, join, newDb, once, publishTimes, start, stored, year } from '../../support/history';

/* What becomes of the appointments of a colleague who is ill or leaves. */

const links = linksBy('a secret of this test');
const moment = { now: start, hasMail: true };
const date = `${year}-03-12`;
const days = { from: date, to: date };
const morning = { start: '09:00', end: '11:00', dates: [date] };

let db: Db;
let [owner, ana, ben]: Actor[] = [];
let clients: Actor[];
const at = (actor: Actor | undefined) => actor as Actor;

async function enter(name: string, role: ShopRole): Promise<Actor> {
  const person = await join(db, {
    username: name,
    displayName: name,
    timeZone: 'UTC',
    role: 'Provider',
    location: 'Lisbon',
  });
  const { key } = await invite(db, links, at(owner), { role }, once(start));
  await joinShop(db, person, key, start);
  return person;
}

const book = async (client: Actor, id: string) =>
  (await bookAppointment(db, client, { id, submitted: null }, start)).id;

/** Ana has the morning booked by three clients; Ben and the owner have the same times free. */
async function anasMorning() {
  const { ids } = await publishTimes(db, at(ana), morning);
  await publishTimes(db, at(ben), morning);
  await publishTimes(db, at(owner), morning);
  const booked: string[] = [];
  for (const [place, client] of clients.entries()) booked.push(await book(client, ids[place] as string));
  return booked;
}

const preview = (actor: Actor | undefined = owner) => previewHandOver(db, at(actor), { of: 'ana', ...days }, moment);
const handOver = (moves: { id: string; to: string }[], actor: Actor | undefined = owner) =>
  handOverAppointments(db, at(actor), { moves, reason: null }, moment);
const codeOf = (error: unknown) => (error instanceof DomainError ? error.code : error);
const providersOfBooked = () =>
  stored<{ who: string; at: number }>(
    `SELECT username AS who, starts_at AS at FROM bookings JOIN accounts ON accounts.id = provider_id
      WHERE status = 1 ORDER BY starts_at`,
  ).then((rows) => rows.map(({ who }) => who));
const messagesTo = ({ accountId }: Actor) =>
  stored<{ kind: string; data: string }>(
    "SELECT kind, data FROM messages WHERE account_id = ? AND kind = 'moved' ORDER BY id",
    accountId,
  );
const keepsItsRules = async () =>
  expect(await brokenRules(env.DB as unknown as D1Database as unknown as D1, { texts: false })).toEqual([]);

/** What a hand-over writes. */
const wholeBook = () =>
  Promise.all(
    ['bookings', 'slots', 'people', 'messages', 'colleagues', 'refusals'].map((table) =>
      stored(`SELECT * FROM ${table}`),
    ),
  );

beforeEach(async () => {
  await forgetAll();
  db = newDb();
  owner = await join(db, {
    username: 'owner',
    displayName: 'owner',
    timeZone: 'UTC',
    role: 'Provider',
    location: 'Lisbon',
  });
  await openShop(
    db,
    owner,
    { username: 'shop', displayName: 'Shop', location: 'Lisbon', address: null, phone: null },
    once(start),
  );
  ana = await enter('ana', 'colleague');
  ben = await enter('ben', 'colleague');
  clients = [];
  for (const name of ['cy', 'dee', 'eli'])
    clients.push(await join(db, { username: name, displayName: name, timeZone: 'UTC', role: 'Consumer' }));
});

describe('a preview', () => {
  test('names those who are free then, and gives each their turn', async () => {
    await anasMorning();

    const rows = await preview();

    expect(rows.map(({ takers }) => takers.map(({ username }) => username))).toEqual([
      ['owner', 'ben'],
      ['ben', 'owner'],
      ['owner', 'ben'],
    ]);
  });

  test('leaves out who has something booked then', async () => {
    await anasMorning();
    const [slot] = await stored<{ id: string }>(
      'SELECT id FROM slots WHERE provider_id = ? ORDER BY starts_at',
      at(owner).accountId,
    );
    await book(clients[1] as Actor, slot?.id as string);

    const [first] = await preview();

    expect(first?.takers.map(({ username }) => username)).toEqual(['ben']);
  });

  test('is for the desk and owners', async () => {
    await anasMorning();

    expect(await preview(ben).catch(codeOf)).toBe('not_found');
  });
});

describe('a hand-over', () => {
  test('moves exactly what was said', async () => {
    const [first, second] = (await anasMorning()) as [string, string];

    await handOver([
      { id: first, to: 'ben' },
      { id: second, to: 'owner' },
    ]);

    expect(await providersOfBooked()).toEqual(['ben', 'owner', 'ana']);
    await keepsItsRules();
  });

  test('moves nothing if one can not go', async () => {
    const [first, second] = (await anasMorning()) as [string, string];
    await cancelAppointment(db, clients[1] as Actor, { id: second, reason: null }, start);

    const refused = handOver([
      { id: first, to: 'ben' },
      { id: second, to: 'ben' },
    ]);

    expect(await refused.catch(codeOf)).toBe('conflict');
    expect(await providersOfBooked()).toEqual(['ana', 'ana']);
  });

  test('takes no time that its taker has booked', async () => {
    const [first] = (await anasMorning()) as [string];
    const [slot] = await stored<{ id: string }>(
      'SELECT id FROM slots WHERE provider_id = ? ORDER BY starts_at',
      at(ben).accountId,
    );
    await book(clients[2] as Actor, slot?.id as string);

    expect(await handOver([{ id: first, to: 'ben' }]).catch(codeOf)).toBe('conflict');
    await keepsItsRules();
  });

  test('sent again, it is the same', async () => {
    const [first] = (await anasMorning()) as [string];
    const [once] = await handOver([{ id: first, to: 'ben' }]);

    const [again] = await handOver([{ id: first, to: 'ben' }]);

    expect(again?.id).toBe(once?.id);
    expect(await messagesTo(clients[0] as Actor)).toHaveLength(1);
  });

  test('is for the desk and owners', async () => {
    const [first] = (await anasMorning()) as [string];

    expect(await handOver([{ id: first, to: 'ben' }], ben).catch(codeOf)).toBe('not_found');
    expect(await handOver([{ id: first, to: 'ben' }], ana).catch(codeOf)).toBe('not_found');
  });

  test('tells each person once', async () => {
    const { ids } = await publishTimes(db, at(ana), morning);
    await publishTimes(db, at(ben), morning);
    const [cy] = clients as [Actor];
    const moves: { id: string; to: string }[] = [];
    for (const id of ids.slice(0, 3)) moves.push({ id: await book(cy, id), to: 'ben' });

    await handOver(moves);

    for (const person of [cy, at(ana), at(ben)]) {
      const told = await messagesTo(person);
      expect(told.map(({ data }) => JSON.parse(data).count)).toEqual([3]);
    }
  });

  test('keeps the entry in calendars and the personal link', async () => {
    const [first] = (await anasMorning()) as [string];
    const [before] = await stored<{ seed: string }>('SELECT link_seed AS seed FROM bookings WHERE id = ?', first);

    const [handed] = await handOver([{ id: first, to: 'ben' }]);

    const [now] = await stored<object>(
      'SELECT link_seed AS seed, calendar_id AS entry, sequence FROM bookings WHERE id = ?',
      handed?.id,
    );
    expect(now).toEqual({ seed: before?.seed, entry: first, sequence: 1 });
  });

  test('lets its client cancel until it begins', async () => {
    const [first] = (await anasMorning()) as [string];
    const [handed] = await handOver([{ id: first, to: 'ben' }]);

    const [row] = await stored<{ until: number }>(
      'SELECT cancel_until AS until FROM bookings WHERE id = ?',
      handed?.id,
    );

    expect(row?.until).toBe(0);
  });

  test('makes a card of the client with the new colleague', async () => {
    const [first] = (await anasMorning()) as [string];

    await handOver([{ id: first, to: 'ben' }]);

    const cards = await stored<{ id: string }>('SELECT id FROM people WHERE provider_id = ?', at(ben).accountId);
    expect(cards).toEqual([{ id: clients[0]?.accountId }]);
  });
});

describe('a hand-over that fails', () => {
  const realD1 = env.DB as unknown as D1Database;
  const whole = async () => {
    expect(await providersOfBooked()).toEqual(['ben', 'ben', 'ben']);
    for (const client of clients) expect(await messagesTo(client)).toHaveLength(1);
    for (const colleague of [ana, ben]) expect(await messagesTo(at(colleague))).toHaveLength(1);
    await keepsItsRules();
  };
  const toBen = (ids: string[]) => ids.map((id) => ({ id, to: 'ben' }));
  const handOverBy = (d1: D1Database, ids: string[]) =>
    handOverAppointments(new Db(d1, 'first-primary'), at(owner), { moves: toBen(ids), reason: null }, moment);

  test('at any of its statements leaves the book as it was, and a retry completes it', async () => {
    const ids = await anasMorning();
    const before = await wholeBook();
    let place = 0;
    for (; ; place++) {
      const d1 = failingAt(realD1, place);
      const failed = await handOverBy(d1, ids).then(
        () => false,
        () => true,
      );
      if (!failed) break;
      expect(await wholeBook()).toEqual(before);
    }

    expect(place).toBeGreaterThan(8);
    await whole();
  });

  test('on the way back is whole, and a retry is the same', async () => {
    const ids = await anasMorning();

    await handOverBy(failing(realD1, [overloaded], true), ids).catch(() => undefined);

    await whole();
    expect(await handOver(toBen(ids))).toHaveLength(3);
    await whole();
  });

  test.each([
    ['stays', 'handOver'],
    ['keeps their appointments', 'cancel'],
  ] as const)('of whoever leaves at any of its statements %s, and a retry completes it', async (_, appointments) => {
    await anasMorning();
    const before = await wholeBook();
    let place = 0;
    for (; ; place++) {
      const db = new Db(failingAt(realD1, place), 'first-primary');
      const failed = await leaveWith(db, at(ana), { appointments }, moment).then(
        () => false,
        () => true,
      );
      if (!failed) break;
      expect(await wholeBook()).toEqual(before);
    }

    expect(place).toBeGreaterThan(4);
    expect(await stored('SELECT 1 FROM colleagues WHERE account_id = ?', at(ana).accountId)).toEqual([]);
    expect(await providersOfBooked()).toEqual(appointments === 'cancel' ? [] : ['owner', 'ben', 'owner']);
    await keepsItsRules();
  });
});

const freeOf = async ({ accountId }: Actor) =>
  (
    await stored<{ id: string }>(
      'SELECT id FROM slots WHERE provider_id = ? AND state = 0 ORDER BY starts_at',
      accountId,
    )
  ).map(({ id }) => id);

describe('a client moves to a colleague', () => {
  test('of the same shop', async () => {
    const [first] = (await anasMorning()) as [string];
    const [to = ''] = await freeOf(at(ben));

    await moveAppointment(db, clients[0] as Actor, { id: first, to, submitted: null, reason: null }, start);

    expect(await providersOfBooked()).toEqual(['ben', 'ana', 'ana']);
    await keepsItsRules();
  });

  test('but to nobody else', async () => {
    const [first] = (await anasMorning()) as [string];
    const [to = ''] = await freeOf(at(ben));
    await leaveWith(db, at(ben), {}, moment);

    const moved = moveAppointment(db, clients[0] as Actor, { id: first, to, submitted: null, reason: null }, start);

    expect(await moved.catch(codeOf)).toBe('not_found');
  });

  test('and a colleague alone writes into no other book', async () => {
    const [first] = (await anasMorning()) as [string];
    const [to = ''] = await freeOf(at(ben));

    const moved = moveAppointment(db, at(ana), { id: first, to, submitted: null, reason: null }, start);

    expect(codeOf(await moved.catch((error: unknown) => error))).toBe('conflict');
    expect(await providersOfBooked()).toEqual(['ana', 'ana', 'ana']);
  });
});

describe('who leaves', () => {
  const isIn = async (name: string) =>
    (await stored('SELECT 1 FROM colleagues JOIN accounts ON accounts.id = account_id WHERE username = ?', name))
      .length === 1;

  test('keeps what stays', async () => {
    await anasMorning();

    await leaveWith(db, at(ana), { appointments: 'stay' }, moment);

    expect(await isIn('ana')).toBe(false);
    expect(await providersOfBooked()).toEqual(['ana', 'ana', 'ana']);
  });

  test('hands over each, in turn', async () => {
    await anasMorning();

    await leaveWith(db, at(ana), { appointments: 'handOver' }, moment);

    expect(await isIn('ana')).toBe(false);
    expect(await providersOfBooked()).toEqual(['owner', 'ben', 'owner']);
    await keepsItsRules();
  });

  test('stays if one can go to nobody', async () => {
    const { ids } = await publishTimes(db, at(ana), morning);
    await book(clients[0] as Actor, ids[0] as string);

    expect(await leaveWith(db, at(ana), { appointments: 'handOver' }, moment).catch(codeOf)).toBe('conflict');

    expect(await isIn('ana')).toBe(true);
  });

  test('cancels all, and each client and whoever is removed are told once', async () => {
    await anasMorning();

    await leaveWith(db, at(owner), { username: 'ana', appointments: 'cancel' }, moment);

    expect(await isIn('ana')).toBe(false);
    expect(await providersOfBooked()).toEqual([]);
    const clientsAndAna = 3 + 1;
    expect(await stored("SELECT 1 FROM messages WHERE kind = 'canceled' AND is_read = 0")).toHaveLength(clientsAndAna);
  });

  describe('while the desk books for them', () => {
    /** The desk, let in to Ana's book, books her last free time for a name. */
    async function deskOf() {
      const desk = await enter('dora', 'desk');
      const { actor } = await actorFor(db, desk, { username: 'ana' });
      const [id = ''] = await freeOf(at(ana));
      const wish = { id, displayName: 'Uma', email: null, note: null, phone: null, address: null, submitted: null };
      const walkIn = walkInOf(links, actor, { ...wish, key: 'a key of one form' });
      return { book: () => bookFor(db, actor, { id }, walkIn, start) };
    }

    test('hands that over too, if it came first', async () => {
      await anasMorning();
      const desk = await deskOf();
      const leaving = new Db(meanwhile(env.DB as unknown as D1Database, 1, desk.book), 'first-primary');

      await leaveWith(leaving, at(ana), { appointments: 'handOver' }, moment);

      expect(await isIn('ana')).toBe(false);
      const providers = await providersOfBooked();
      expect(providers).toHaveLength(4);
      expect(providers).not.toContain('ana');
      await keepsItsRules();
    });

    test('books nothing, if they left first', async () => {
      await anasMorning();
      const desk = await deskOf();
      await leaveWith(db, at(ana), { appointments: 'handOver' }, moment);
      const before = await wholeBook();

      const refused = await desk.book().catch(codeOf);

      expect(refused).toBe('unauthenticated');
      expect(await wholeBook()).toEqual(before);
    });
  });

  test('is not removed by somebody who is no owner, and nothing is canceled', async () => {
    await anasMorning();

    expect(await leaveWith(db, at(ben), { username: 'ana', appointments: 'cancel' }, moment).catch(codeOf)).toBe(
      'forbidden',
    );

    expect(await providersOfBooked()).toEqual(['ana', 'ana', 'ana']);
  });
});
