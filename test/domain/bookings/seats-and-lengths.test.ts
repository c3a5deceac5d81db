import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, test } from 'vitest';
import { bookAppointment, cancelAppointment } from '../../../app/domain/bookings/book.server';
import { moveAppointment } from '../../../app/domain/bookings/move.server';
import { getAppointment } from '../../../app/domain/bookings/read.server';
import type { Actor } from '../../../app/domain/profile/accounts';
import { listOpenSlots } from '../../../app/domain/slots/open-slots.server';
import { withdrawSlots } from '../../../app/domain/slots/withdraw.server';
import { brokenRules } from '../../habits/invariants';
import { forgetAll, join, joinHost, newDb, publishTimes, start, stored } from '../../support/history';

/* Classes, of which each seat is a booking, and services that take several slots of free time. */

const minute = 60_000;
const date = '2030-03-12';
const at = (time: string) => Date.parse(`${date}T${time}Z`);

let db: ReturnType<typeof newDb>;
let host: Actor;
let [maya, tomas, ines]: Actor[] = [];
const who = (actor: Actor | undefined) => actor as Actor;

beforeEach(async () => {
  await forgetAll();
  db = newDb();
  const person = (username: string) => join(db, { username, displayName: username, timeZone: 'UTC', role: 'Consumer' });
  host = await joinHost(db);
  [maya, tomas, ines] = [await person('maya'), await person('tomas'), await person('ines')];
});

const publish = (from: string, to: string, len = 30, dates = [date]) =>
  publishTimes(db, host, { start: from, end: to, dates, len });

type Service = { minutes?: number; gap?: number; seats?: number };
const addService = (id: string, { minutes = 90, gap = 0, seats = 1 }: Service = {}) =>
  env.DB.prepare(
    `INSERT INTO services (provider_id, id, name, name_folded, minutes, gap, price, seats) VALUES (?, ?, ?, ?, ?, ?, '60 €', ?)`,
  )
    .bind(host.accountId, id, `A ${id}`, id, minutes, gap, seats)
    .run();

const slotAt = async (time: string) => {
  const of = 'SELECT id, state, taken, seats FROM slots WHERE starts_at = ?';
  const [slot] = await stored<{ id: string; state: number; taken: number; seats: number }>(of, at(time));
  if (!slot) throw new Error(`Nothing begins at ${time}.`);
  return slot;
};
const idAt = async (time: string) => (await slotAt(time)).id;
const states = async () =>
  (await stored<{ state: number }>('SELECT state FROM slots ORDER BY starts_at')).map(({ state }) => state).join('');

/** A class of so many seats at that time. */
async function addClass(time: string, seats: number): Promise<string> {
  await addService(`class${seats}`, { minutes: 60, seats });
  await publish(time, `${Number(time.slice(0, 2)) + 1}:${time.slice(3)}`.padStart(5, '0'), 60);
  await env.DB.prepare('UPDATE slots SET service_id = ?, seats = ? WHERE starts_at = ?')
    .bind(`class${seats}`, seats, at(time))
    .run();
  return idAt(time);
}

const book = (actor: Actor | undefined, id: string, more: { service?: string; people?: number } = {}, now = start) =>
  bookAppointment(db, who(actor), { id, ...more, submitted: null }, now);
const cancel = (actor: Actor | undefined, id: string, republish = false) =>
  cancelAppointment(db, who(actor), { id, reason: 'Ill', republish }, start);
const move = (actor: Actor | undefined, id: string, to: string) =>
  moveAppointment(db, who(actor), { id, to, submitted: null, reason: null }, start);
const open = async (dates?: string[]) =>
  (await listOpenSlots(db, { provider: 'host', location: undefined, q: undefined, dates, page: 0 }, start)).rows;

const expectWhole = async () => expect(await brokenRules(env.DB, { texts: false })).toEqual([]);

describe('a class', () => {
  test('keeps its id, counts its seats, and says when it is full', async () => {
    const id = await addClass('18:00', 3);
    const mine = await book(maya, id, { people: 2 });
    expect(mine).toMatchObject({ status: 1, seats: 3, free: 1, slotId: id, people: 2, service: { name: 'A class3' } });
    expect(mine.id).not.toBe(id);
    expect(await getAppointment(db, who(ines), id)).toMatchObject({ id, status: 0, seats: 3, free: 1, people: null });
    await expect(book(tomas, id, { people: 2 })).rejects.toThrow('There is only one place left');
    await book(tomas, id);
    expect(await getAppointment(db, who(ines), id)).toMatchObject({ id, status: 1, free: 0 });
    await expect(book(ines, id)).rejects.toThrow('This class is full.');
    expect(await open()).toEqual([]);
    await expectWhole();
    // A seat that is given back can be had at once, under the same id.
    await cancel(tomas, (await book(tomas, id)).id);
    expect(await open()).toMatchObject([{ id, free: 1 }]);
    await book(ines, id);
    await expect(getAppointment(db, who(ines), mine.id)).rejects.toThrow();
    await expectWhole();
  });

  test('has one winner of its last seat', async () => {
    const id = await addClass('18:00', 2);
    await book(ines, id);
    const ends = await Promise.allSettled([book(maya, id), book(tomas, id)]);
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await slotAt('18:00')).toMatchObject({ state: 1, taken: 2 });
    await expectWhole();
  });

  test('is canceled as a whole by its provider, who tells all; one booking alone frees its seats', async () => {
    const id = await addClass('18:00', 8);
    const [one, other] = [await book(maya, id), await book(tomas, id, { people: 3 })];
    await cancel(host, other.id);
    expect(await slotAt('18:00')).toMatchObject({ id, state: 0, taken: 1 });
    await book(ines, id);
    await expect(cancel(maya, id)).rejects.toThrow();
    expect(await withdrawSlots(db, host, { ids: [id] }, { now: start, key: 'w' })).toMatchObject({ withdrawn: 0 });
    expect(await cancel(host, id)).toMatchObject({ id, status: 2, cancelReason: 'Ill' });
    expect(await cancel(host, id)).toMatchObject({ id, status: 2 });
    const canceled = { status: 2, canceledBy: 'provider', cancelReason: 'Ill' };
    expect(await getAppointment(db, who(maya), one.id)).toMatchObject(canceled);
    const told = "SELECT 1 FROM messages WHERE kind = 'canceled' AND is_read = 0 AND actor_id = ?";
    expect(await stored(told, host.accountId)).toHaveLength(3);
    await expectWhole();
  });

  test('lets a person move a seat to another date of it, and not into free time', async () => {
    const [from, to] = [await addClass('18:00', 2), await addClass('20:00', 3)];
    await publish('09:00', '10:00');
    await env.DB.prepare("UPDATE slots SET service_id = 'class2' WHERE id = ?").bind(to).run();
    const mine = await book(maya, from);
    await expect(move(host, from, to)).rejects.toThrow("A class can't be moved as a whole");
    await expect(move(maya, mine.id, await idAt('09:00'))).rejects.toThrow();
    const moved = await move(maya, mine.id, to);
    expect(moved).toMatchObject({ slotId: to, movedFrom: mine.id, status: 1, calendarId: mine.id });
    expect(await move(maya, mine.id, to)).toMatchObject({ id: moved.id });
    expect(await move(host, moved.id, from)).toMatchObject({ slotId: from });
    expect(await slotAt('20:00')).toMatchObject({ taken: 0 });
    await expectWhole();
  });
});

describe('a service', () => {
  test('takes as many slots as it needs, in one booking that ends when it ends', async () => {
    await addService('colour', { minutes: 75 });
    await publish('09:00', '12:00');
    const id = await idAt('09:30');
    const rest = await slotAt('10:00');
    const booking = await book(maya, id, { service: 'colour' });
    const service = { name: 'A colour', price: '60 €' };
    expect(booking).toMatchObject({ id, startsAt: at('09:30'), endsAt: at('10:45'), service });
    expect(await states()).toBe('011100');
    expect(await book(maya, id, { service: 'colour' })).toMatchObject({ id });
    await expect(book(tomas, rest.id)).rejects.toThrow('just been booked by someone else');
    await expect(getAppointment(db, who(maya), rest.id)).rejects.toThrow();
    await expect(book(tomas, await idAt('09:00'), { service: 'colour' })).rejects.toThrow('not enough free time');
    await expectWhole();
    await cancel(maya, id);
    expect(await states()).toBe('000000');
    expect([await idAt('09:30'), await idAt('10:00')]).not.toContain(id);
    await expect(getAppointment(db, who(tomas), rest.id)).rejects.toThrow();
    await expectWhole();
  });

  test('keeps the time after it free, which need not be published', async () => {
    await addService('massage', { minutes: 60, gap: 30 });
    await publish('09:00', '11:00');
    await book(maya, await idAt('09:00'), { service: 'massage' });
    expect(await states()).toBe('1110');
    await expect(book(tomas, await idAt('10:30'), { service: 'massage' })).rejects.toThrow('not enough free time');
    await cancel(maya, await idAt('09:00')).catch(() => undefined);
    const last = await slotAt('10:30');
    await publish('11:00', '11:30');
    await book(tomas, last.id, { service: 'massage' });
    expect(await publish('11:30', '12:30')).toMatchObject({ created: 1 });
    await expectWhole();
  });

  test('is refused where it is not offered, has seats, or another has a part of the time', async () => {
    await addService('colour');
    await addService('class', { seats: 8 });
    await publish('09:00', '11:00');
    const id = await idAt('09:00');
    await expect(book(maya, id, { service: 'none' })).rejects.toThrow('not offered');
    await expect(book(maya, id, { service: 'class' })).rejects.toThrow('not enough free time');
    await expect(book(maya, id, { people: 2 })).rejects.toThrow('only one place');
    await env.DB.prepare("UPDATE services SET is_offered = 0 WHERE id = 'colour'").run();
    await expect(book(maya, id, { service: 'colour' })).rejects.toThrow('not offered');
    // It was made shorter while the form was open: the booking is as long as it is now.
    await env.DB.prepare("UPDATE services SET is_offered = 1, minutes = 45 WHERE id = 'colour'").run();
    expect(await book(maya, id, { service: 'colour' })).toMatchObject({ endsAt: at('09:45') });
    // What was booked stays as it was.
    await env.DB.prepare("DELETE FROM services WHERE id = 'colour'").run();
    expect(await getAppointment(db, who(maya), id)).toMatchObject({ service: { id: 'colour', name: 'A colour' } });
  });

  test('bridges the pauses of the hours, and no longer ones', async () => {
    await addService('colour', { minutes: 60 });
    for (const [from, to] of [
      ['09:00', '09:30'],
      ['09:40', '10:10'],
      ['10:30', '10:59'],
    ] as const)
      await publish(from, to, 29);
    const plan = JSON.stringify({ hours: [], except: [], len: 30, gap: 15, ahead: 7 });
    const hours = "INSERT INTO hours (provider_id, plan, version, carried_to, next_at) VALUES (?, ?, 'v', '', 9e15)";
    await env.DB.prepare(hours).bind(host.accountId, plan).run();
    await expect(book(maya, await idAt('09:40'), { service: 'colour' })).rejects.toThrow('not enough free time');
    expect(await book(maya, await idAt('09:00'), { service: 'colour' })).toMatchObject({ endsAt: at('10:00') });
    expect(await states()).toBe('110');
  });

  test('moves with its minutes, also onto a part of its own time', async () => {
    await addService('colour');
    await publish('09:00', '13:00');
    const mine = await book(maya, await idAt('09:00'), { service: 'colour' });
    await env.DB.prepare("UPDATE services SET minutes = 30, name = 'Other' WHERE id = 'colour'").run();
    const later = await slotAt('09:30');
    const moved = await move(maya, mine.id, later.id);
    const service = { name: 'A colour' };
    expect(moved).toMatchObject({ id: later.id, startsAt: at('09:30'), endsAt: at('11:00'), service });
    expect(await states()).toBe('01110000');
    await expectWhole();
    expect(await move(maya, mine.id, later.id)).toMatchObject({ id: later.id });
    // Its provider gives up what it leaves.
    const back = await move(host, moved.id, await idAt('09:00'));
    expect(back).toMatchObject({ endsAt: at('10:30') });
    expect(await states()).toBe('11120000');
    await book(tomas, await idAt('11:30'));
    await expect(move(maya, back.id, await idAt('11:00'))).rejects.toThrow('not enough free time');
    expect(await getAppointment(db, who(maya), back.id)).toMatchObject({ status: 1 });
    await expectWhole();
    await expect(move(tomas, back.id, await idAt('12:00'))).rejects.toThrow();
  });

  test('runs through a change of the clocks as long as it takes', async () => {
    await env.DB.prepare("UPDATE accounts SET time_zone = 'Europe/Lisbon' WHERE id = ?").bind(host.accountId).run();
    host = { ...host, timeZone: 'Europe/Lisbon' };
    await addService('night', { minutes: 90 });
    // The clock springs from 01:00 to 02:00.
    await publish('00:00', '03:00', 30, ['2030-03-31']);
    const slots = await stored<{ id: string; starts_at: number }>('SELECT id, starts_at FROM slots ORDER BY starts_at');
    expect(slots).toHaveLength(4);
    const booking = await book(maya, slots[1]?.id ?? '', { service: 'night' });
    expect(booking.endsAt - booking.startsAt).toBe(90 * minute);
    expect(await states()).toBe('0111');
  });
});
