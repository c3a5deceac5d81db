import { env } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bookAppointment, cancelAppointment } from '../../../app/domain/bookings/book.server';
import { moveAppointment } from '../../../app/domain/bookings/move.server';
import { getAppointment } from '../../../app/domain/bookings/read.server';
import type { Actor } from '../../../app/domain/profile/accounts';
import { listOpenSlots } from '../../../app/domain/slots/open-slots.server';
import { withdrawSlots } from '../../../app/domain/slots/withdraw.server';
import type { Db } from '../../../db/client';
import { brokenRules } from '../../habits/invariants';
import { join, newBook, once, publishTimes, start, stored } from '../../support/history';

/* Classes, of which each seat is a booking, and services that take several slots of free time. */

const date = '2030-03-12';
const at = (time: string) => Date.parse(`${date}T${time}Z`);

let db: Db;
let [host, maya, tomas, ines] = [] as unknown as [Actor, Actor, Actor, Actor];
beforeEach(async () => {
  ({ db, host, guest: maya } = await newBook());
  const person = (username: string) => join(db, { username, displayName: username, timeZone: 'UTC', role: 'Consumer' });
  [tomas, ines] = [await person('tomas'), await person('ines')];
});

const publish = (from: string, to: string, len = 30, dates = [date]) =>
  publishTimes(db, host, { start: from, end: to, dates, len });

const addService = (id: string, { minutes = 90, gap = 0, seats = 1 } = {}) =>
  stored(
    `INSERT INTO services (provider_id, id, name, name_folded, minutes, gap, price, seats)
     VALUES (?1, ?2, 'A ' || ?2, ?2, ?3, ?4, '60 €', ?5)`,
    ...[host.accountId, id, minutes, gap, seats],
  );
const setService = (id: string, change: string) => stored(`UPDATE services SET ${change} WHERE id = ?`, id);

type Slot = { id: string; state: number; taken: number };
const slotAt = async (time: string) =>
  (await stored<Slot>('SELECT id, state, taken FROM slots WHERE starts_at = ?', at(time)))[0] as Slot;
const idAt = async (time: string) => (await slotAt(time)).id;
const states = async () =>
  (await stored<Slot>('SELECT state FROM slots ORDER BY starts_at')).map(({ state }) => state).join('');

/** A class of so many seats at that time. */
async function addClass(start: string, end: string, seats: number): Promise<string> {
  const { ids } = await publish(start, end, 60);
  await stored("UPDATE slots SET service_id = 'class', seats = ? WHERE id = ?", seats, ids[0]);
  return ids[0] as string;
}

const book = (actor: Actor, id: string, more: { service?: string; people?: number } = {}) =>
  bookAppointment(db, actor, { id, ...more, submitted: null }, start);
const cancel = (actor: Actor, id: string) => cancelAppointment(db, actor, { id, reason: 'Ill' }, start);
const move = (actor: Actor, id: string, to: string) =>
  moveAppointment(db, actor, { id, to, submitted: null, reason: null }, start);
const look = (actor: Actor, id: string) => getAppointment(db, actor, id);

afterEach(async () => expect(await brokenRules(env.DB, { texts: false })).toEqual([]));

describe('a class', () => {
  beforeEach(() => addService('class', { minutes: 60, seats: 3 }));

  test('keeps its id, counts its seats, says when it is full, and has those again that are given back', async () => {
    const id = await addClass('18:00', '19:00', 3);
    const mine = await book(maya, id, { people: 2 });
    expect(mine).toMatchObject({ status: 1, seats: 3, free: 1, slotId: id, people: 2, service: { name: 'A class' } });
    expect(mine.id).not.toBe(id);
    expect(await look(ines, id)).toMatchObject({ id, status: 0, seats: 3, free: 1, people: null });
    await expect(book(tomas, id, { people: 2 })).rejects.toThrow('There is only one place left');
    const other = await book(tomas, id);
    expect(await look(ines, id)).toMatchObject({ id, status: 1, free: 0 });
    await expect(book(ines, id)).rejects.toThrow('This class is full.');
    const filter = { provider: 'host', location: undefined, q: undefined, dates: undefined, page: 0 };
    expect((await listOpenSlots(db, filter, start)).rows).toEqual([]);
    await cancel(tomas, other.id);
    expect((await listOpenSlots(db, filter, start)).rows).toMatchObject([{ id, free: 1 }]);
    await book(ines, id);
    await expect(look(ines, mine.id)).rejects.toThrow();
  });

  test('is canceled as a whole by its provider, who tells all; one booking alone frees its seats', async () => {
    const id = await addClass('18:00', '19:00', 8);
    const [one, other] = [await book(maya, id), await book(tomas, id, { people: 3 })];
    await cancel(host, other.id);
    expect(await slotAt('18:00')).toMatchObject({ id, state: 0, taken: 1 });
    await book(ines, id);
    await expect(cancel(maya, id)).rejects.toThrow();
    expect(await withdrawSlots(db, host, { ids: [id] }, once(start))).toMatchObject({ withdrawn: 0 });
    for (const _ of ['once', 'again']) expect(await cancel(host, id)).toMatchObject({ id, status: 2 });
    const canceled = { status: 2, canceledBy: 'provider', cancelReason: 'Ill' };
    expect(await look(maya, one.id)).toMatchObject(canceled);
    const told = "SELECT 1 FROM messages WHERE kind = 'canceled' AND is_read = 0 AND actor_id = ?";
    expect(await stored(told, host.accountId)).toHaveLength(3);
  });

  test('lets a person move a seat to another date of it, and not into free time', async () => {
    const [from, to] = [await addClass('18:00', '19:00', 2), await addClass('20:00', '21:00', 3)];
    const { ids } = await publish('09:00', '10:00');
    const mine = await book(maya, from);
    await expect(move(host, from, to)).rejects.toThrow("A class can't be moved as a whole");
    await expect(move(maya, mine.id, ids[0] as string)).rejects.toThrow();
    const moved = await move(maya, mine.id, to);
    expect(moved).toMatchObject({ slotId: to, movedFrom: mine.id, status: 1, calendarId: mine.id });
    expect(await move(maya, mine.id, to)).toMatchObject({ id: moved.id });
    expect(await move(host, moved.id, from)).toMatchObject({ slotId: from });
  });
});

describe('a service', () => {
  test('takes as many slots as it needs, in one booking that ends when it ends', async () => {
    await addService('colour', { minutes: 75 });
    await publish('09:00', '12:00');
    const [id, rest] = [await idAt('09:30'), await idAt('10:00')];
    const service = { name: 'A colour', price: '60 €' };
    for (const _ of ['once', 'again'])
      expect(await book(maya, id, { service: 'colour' })).toMatchObject({ id, endsAt: at('10:45'), service });
    expect(await states()).toBe('011100');
    await expect(book(tomas, rest)).rejects.toThrow('just been booked by someone else');
    await expect(look(maya, rest)).rejects.toThrow();
    await expect(book(tomas, await idAt('09:00'), { service: 'colour' })).rejects.toThrow('not enough free time');
    await cancel(maya, id);
    expect(await states()).toBe('000000');
    expect([await idAt('09:30'), await idAt('10:00')]).not.toContain(id);
    await expect(look(tomas, rest)).rejects.toThrow();
  });

  test('keeps the time after it free, which need not be published', async () => {
    await addService('massage', { minutes: 60, gap: 30 });
    await publish('09:00', '11:00');
    await book(maya, await idAt('09:00'), { service: 'massage' });
    expect(await states()).toBe('1110');
    const last = await idAt('10:30');
    await expect(book(tomas, last, { service: 'massage' })).rejects.toThrow('not enough free time');
    await cancel(maya, await idAt('09:00'));
    await book(tomas, await idAt('10:00'), { service: 'massage' });
    expect(await publish('11:00', '12:30')).toMatchObject({ created: 2 });
  });

  test('is refused where it is not offered, has seats, or another has a part of the time', async () => {
    await addService('colour');
    await addService('class', { seats: 8 });
    await publish('09:00', '11:00');
    const id = await idAt('09:00');
    await expect(book(maya, id, { service: 'none' })).rejects.toThrow('not offered');
    await expect(book(maya, id, { service: 'class' })).rejects.toThrow('not enough free time');
    await expect(book(maya, id, { people: 2 })).rejects.toThrow('only one place');
    await setService('colour', 'is_offered = 0');
    await expect(book(maya, id, { service: 'colour' })).rejects.toThrow('not offered');
    // It was made shorter while the form was open: the booking is as long as it is now.
    await setService('colour', 'is_offered = 1, minutes = 45');
    expect(await book(maya, id, { service: 'colour' })).toMatchObject({ endsAt: at('09:45') });
    // What was booked stays as it was.
    await stored("DELETE FROM services WHERE id = 'colour'");
    expect(await look(maya, id)).toMatchObject({ service: { id: 'colour', name: 'A colour' } });
  });

  test('bridges the pauses of the hours, and no longer ones', async () => {
    await addService('colour', { minutes: 60 });
    await publish('09:00', '09:30', 29);
    await publish('09:40', '10:10', 29);
    await publish('10:30', '10:59', 29);
    const plan = JSON.stringify({ hours: [], except: [], len: 30, gap: 15, ahead: 7 });
    const hours = "INSERT INTO hours (provider_id, plan, version, carried_to, next_at) VALUES (?, ?, 'v', '', 9e15)";
    await stored(hours, host.accountId, plan);
    await expect(book(maya, await idAt('09:40'), { service: 'colour' })).rejects.toThrow('not enough free time');
    expect(await book(maya, await idAt('09:00'), { service: 'colour' })).toMatchObject({ endsAt: at('10:00') });
    expect(await states()).toBe('110');
  });

  test('moves with its minutes, also onto a part of its own time; its provider gives up what it leaves', async () => {
    await addService('colour');
    await publish('09:00', '13:00');
    const mine = await book(maya, await idAt('09:00'), { service: 'colour' });
    await setService('colour', "minutes = 30, name = 'Other'");
    const later = await idAt('09:30');
    const service = { name: 'A colour' };
    for (const _ of ['once', 'again'])
      expect(await move(maya, mine.id, later)).toMatchObject({ id: later, endsAt: at('11:00'), service });
    expect(await states()).toBe('01110000');
    const back = await move(host, later, await idAt('09:00'));
    expect(back).toMatchObject({ endsAt: at('10:30') });
    expect(await states()).toBe('11120000');
    await book(tomas, await idAt('11:30'));
    await expect(move(maya, back.id, await idAt('11:00'))).rejects.toThrow('not enough free time');
    expect(await look(maya, back.id)).toMatchObject({ status: 1 });
    await expect(move(tomas, back.id, await idAt('12:00'))).rejects.toThrow();
  });
});
