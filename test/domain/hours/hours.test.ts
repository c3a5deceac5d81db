import { env } from 'cloudflare:test';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { bookAppointment, cancelAppointment } from '../../../app/domain/bookings/book.server';
import { carryHours } from '../../../app/domain/hours/carrying.server';
import type { HoursInput } from '../../../app/domain/hours/hours';
import { findHours, previewHours, setHours } from '../../../app/domain/hours/hours.server';
import type { Actor } from '../../../app/domain/profile/accounts';
import type { Service } from '../../../app/domain/services/services';
import { createService, deleteService, editService } from '../../../app/domain/services/services.server';
import { withdrawSlots } from '../../../app/domain/slots/withdraw.server';
import { createTemplate } from '../../../app/domain/templates/templates.server';
import { addDays, day, hour, localTimeOf, minute } from '../../../app/domain/time/clock';
import { todayIn } from '../../../app/domain/time/zones';
import type { Db } from '../../../db/client';
import { deleteFrom, newBook, once, publishTimes, start, stored } from '../../support/history';
import { anyPlan, everyDay, plainlyWanted } from '../../support/plain-hours';

/* The book becomes what hours want, whatever stands in it. */

const zone = 'America/Los_Angeles';
let db: Db;
let host: Actor;
let guest: Actor;
beforeEach(async () => {
  ({ db, host, guest } = await newBook(zone));
});

const today = todayIn(zone, start);
const tomorrow = addDays(today, 1);
const hours = (details: Partial<HoursInput> = {}): HoursInput => ({
  hours: everyDay('12:00', '13:00'),
  except: [],
  len: null,
  gap: null,
  ahead: 3,
  notes: null,
  templateId: null,
  ...details,
});
const set = (details?: Partial<HoursInput>, now = start) => setHours(db, host, hours(details), now);

type Slot = {
  id: string;
  starts_at: number;
  ends_at: number;
  state: number;
  notes: string | null;
  template_id: string | null;
  made_by: number;
  local_date: string;
  seats: number;
  service_id: string | null;
};
const slots = (more = '') => stored<Slot>(`SELECT * FROM slots ${more} ORDER BY starts_at`);
const open = () => slots('WHERE state = 0');
const questions = [{ questionText: 'Why?', questionType: 2 as const, options: null, required: false }];
const template = (key: string) =>
  createTemplate(db, host, { displayName: key, questions }, { now: start, key }).then(({ id }) => id);

describe('setting hours', () => {
  test('publishes what they want; again, from an ended session or with a template that is not there, changes nothing', async () => {
    expect(await previewHours(db, host, hours(), start)).toMatchObject({ created: 8, withdrawn: 0, kept: 0 });
    expect(await set()).toEqual({ created: 8, withdrawn: 0 });
    const before = await slots();
    expect(await set()).toEqual({ created: 0, withdrawn: 0 });
    const gone = { ...host, sessionId: 'gone' };
    const without = hours({ hours: [], templateId: 'none' });
    for (const ask of [setHours, previewHours]) {
      await expect(ask(db, gone, hours({ hours: [] }), start)).rejects.toThrow(/not logged in/);
      await expect(ask(db, host, without, start)).rejects.toThrow(/not there any more/);
    }
    expect([await slots(), await findHours(db, host)]).toEqual([before, hours({ len: 30, gap: 0 })]);
  });

  test('leaves booked slots and those published by hand, and takes no time from them', async () => {
    await publishTimes(db, host, { start: '12:15', end: '12:45', dates: [tomorrow] });
    expect(await set()).toEqual({ created: 6, withdrawn: 0 });
    const [, , , booked] = await open();
    await bookAppointment(db, guest, { id: String(booked?.id), submitted: null }, start);
    const outside = [{ id: booked?.id, startsAt: booked?.starts_at }];
    const preview = await previewHours(db, host, hours({ hours: [] }), start);
    expect(preview).toMatchObject({ withdrawn: 5, kept: 1, outside });
    expect(await set({ hours: [] })).toEqual({ created: 0, withdrawn: 5 });
    expect(await slots()).toMatchObject([
      { state: 0, made_by: 0 },
      { state: 1, made_by: 2 },
    ]);
  });

  test('gives open slots other notes and other questions as they are', async () => {
    const templateId = await template('asked');
    await set();
    const before = await open();
    expect(await set({ notes: 'Ring twice', templateId })).toEqual({ created: 0, withdrawn: 0 });
    expect(await open()).toEqual(before.map((slot) => ({ ...slot, notes: 'Ring twice', template_id: templateId })));
  });

  test('sent again by whoever lost the answer says again what it did, and another change with the same key is made', async () => {
    const send = (details?: Partial<HoursInput>) => setHours(db, host, hours(details), start, 'sent twice');
    for (const _ of ['sent', 'sent again']) expect(await send()).toEqual({ created: 8, withdrawn: 0 });
    const later = { hours: everyDay('12:30', '13:30') };
    expect(await send(later)).toEqual({ created: 4, withdrawn: 4 });
    const stands = await slots();
    expect(await send(later)).toEqual({ created: 4, withdrawn: 4 });
    expect(await slots()).toEqual(stands);
    expect(await send()).toEqual({ created: 4, withdrawn: 4 });
  });

  test('takes up to 10,000 coming open slots, and else changes nothing', async () => {
    const full = { hours: everyDay('00:00', '16:40'), len: 5 };
    expect(await set({ ...full, ahead: 49 })).toEqual({ created: 9_863, withdrawn: 0 });
    const [before] = await stored('SELECT count(*) AS count, max(starts_at) AS last FROM slots');
    for (const ask of [previewHours, setHours]) {
      const more = ask(db, host, hours({ ...full, ahead: 50 }), start);
      await expect(more).rejects.toThrow(/at most 10,000 free times/);
    }
    expect(await stored('SELECT count(*) AS count, max(starts_at) AS last FROM slots')).toEqual([before]);
    expect(await set({ ...full, ahead: 48 })).toEqual({ created: 0, withdrawn: 200 });
    expect(await findHours(db, host)).toMatchObject({ ahead: 48 });
  });
});

describe('hours for services', () => {
  const usual = { price: null, description: null, templateId: null, isOffered: true, gap: 0, minutes: 30, seats: 1 };
  const make = (details: Partial<Service>) =>
    createService(db, host, { ...usual, name: crypto.randomUUID(), ...details }, once(start));
  /** When the open slots of the last day begin, with their minutes, their seats and what they are for. */
  const lastDay = async () => {
    const [{ local_date: last }] = (await slots('WHERE state = 0')).slice(-1) as [Slot];
    return (await slots(`WHERE state = 0 AND local_date = '${last}'`)).map((slot) => {
      const minutes = (slot.ends_at - slot.starts_at) / minute;
      return [localTimeOf(slot.starts_at, zone), minutes, slot.seats, slot.service_id];
    });
  };

  test('are cut by the length and gap of the service, with its seats and questions; the job follows a change of them', async () => {
    const templateId = await template('asked');
    const yoga = await make({ minutes: 20, gap: 10, seats: 8, templateId });
    await set({ serviceId: yoga.id });
    expect(await lastDay()).toEqual(['12:00', '12:30'].map((time) => [time, 20, 8, yoga.id]));
    const before = await slots();
    expect(before.every(({ template_id }) => template_id === templateId)).toBe(true);
    expect(await findHours(db, host)).toMatchObject({ serviceId: yoga.id, len: 20, gap: 10 });
    expect(await set({ serviceId: yoga.id })).toEqual({ created: 0, withdrawn: 0 });
    expect(await slots()).toEqual(before);
    await carryHours(db, start + day);
    expect(await slots()).toHaveLength(before.length + 2);
    await editService(db, host, { id: yoga.id, change: { minutes: 60, seats: 5 } }, start + day + hour);
    await carryHours(db, start + day + hour);
    expect(await lastDay()).toEqual([['12:00', 60, 5, yoga.id]]);
  });

  test('have ranges of their own for a class, beside free time and on other dates', async () => {
    const yoga = await make({ minutes: 60, seats: 8 });
    const ranges = [...everyDay('09:00', '10:00'), ...everyDay('18:00', '19:00', yoga.id)];
    await set({ hours: ranges });
    expect(await lastDay()).toEqual([
      ['09:00', 30, 1, null],
      ['09:30', 30, 1, null],
      ['18:00', 60, 8, yoga.id],
    ]);
    const other = [{ start: '07:00', end: '09:00', serviceId: yoga.id }];
    await set({ hours: ranges, except: [{ date: '2030-01-01', to: '2040-01-01', hours: other }] });
    expect(await lastDay()).toEqual(['07:00', '08:00'].map((time) => [time, 60, 8, yoga.id]));
  });

  test('keep a service from being deleted, and let it go with them', async () => {
    const { id } = await make({});
    await set({ hours: everyDay('09:00', '09:10', id) });
    await expect(deleteService(db, host, id, start)).rejects.toThrow('Your hours are for this service.');
    await set({ hours: [] });
    await deleteService(db, host, id, start);
  });

  test('keep a class that people come to and hours want no longer, until they cancel', async () => {
    const { id: serviceId } = await make({ seats: 8 });
    await set({ serviceId });
    const [first] = (await slots()) as [Slot];
    const booking = await bookAppointment(db, guest, { id: first.id, submitted: null }, start);
    const [taken, ...others] = await slots();
    expect(await set({ hours: [] })).toEqual({ created: 0, withdrawn: others.length });
    expect(await slots()).toEqual([{ ...taken, made_by: 2 }]);
    await cancelAppointment(db, guest, { id: booking.id, reason: null }, start);
    await carryHours(db, start + 1);
    expect(await slots()).toEqual([]);
  });
});

test('hours of 112 slots cost one round trip, twenty rows read for each, and five written for each that is new', async () => {
  const week = (from: number): Partial<HoursInput> => ({
    hours: [],
    except: [{ date: addDays(today, from), to: addDays(today, from + 6), hours: [{ start: '09:00', end: '17:00' }] }],
    ahead: 28,
  });
  const asked: [() => Promise<unknown>, read: number, written: number][] = [
    [() => previewHours(db, host, hours(week(2)), start), 459, 0],
    [() => set(week(2)), 2265, 479],
    [() => set(week(2)), 2831, 3],
    [() => set(week(3)), 2958, 88],
  ];
  for (const [ask, read, written] of asked) {
    const before = { ...db.tally };
    await ask();
    const { trips, rowsRead, rowsWritten } = db.tally;
    expect(trips - before.trips).toBe(1);
    // Which slot of a day goes first is chance, and so is a row here and there.
    expect(Math.abs(rowsRead - before.rowsRead - read)).toBeLessThan(25);
    expect(Math.abs(rowsWritten - before.rowsWritten - written)).toBeLessThan(25);
  }
});

describe('any hours, in any book', () => {
  const what = fc.constantFrom('book', 'withdraw', 'cancel', 'call off', 'hand');
  const inBook = fc.record({ what, at: fc.nat(999) });
  const change = fc.record({ plan: anyPlan(today), later: fc.nat(30), between: fc.array(inBook, { maxLength: 6 }) });

  async function happen({ what, at }: { what: string; at: number }, now: number, key: string): Promise<void> {
    if (what === 'hand') {
      const dates = [addDays(todayIn(zone, now), at % 9)];
      await publishTimes(db, host, { start: '11:10', end: '13:00', dates, len: 45 }, { now, key });
      return;
    }
    const state = what === 'book' || what === 'withdraw' ? 0 : 1;
    const coming = await slots(`WHERE state = ${state} AND starts_at > ${now}`);
    const chosen = coming[at % Math.max(1, coming.length)];
    if (!chosen) return;
    if (what === 'book') await bookAppointment(db, guest, { id: chosen.id, submitted: null }, now);
    if (what === 'withdraw') await withdrawSlots(db, host, { ids: [chosen.id] }, once(now));
    if (what === 'cancel') await cancelAppointment(db, guest, { id: chosen.id, reason: null }, now);
    if (what === 'call off') await cancelAppointment(db, host, { id: chosen.id, reason: null }, now);
  }

  test('are in it afterwards what they want, less what is taken', async () => {
    const books = Math.ceil(Number(env.CASES) / 25);
    let made = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        await deleteFrom(['bookings', 'messages', 'slots', 'open_days', 'city_days', 'hours', 'one_time_keys']);
        let now = start;
        for (const [place, { plan, later, between }] of changes.entries()) {
          now += later * hour;
          for (const [n, one] of between.entries()) await happen(one, now, `${place} ${n} ${now}`);
          const before = await slots();
          const isOpen = (slot: Slot) => slot.state === 0 && slot.made_by > 0 && slot.starts_at > now;
          const taken = before.filter((slot) => !isOpen(slot));
          const from = todayIn(zone, now);
          const wanted = plainlyWanted(plan, zone, { from, to: addDays(from, plan.ahead), now }).filter(
            ({ from, to }) => !taken.some((slot) => slot.starts_at < to && from < slot.ends_at),
          );
          const isThere = (slot: Slot) => wanted.some(({ from, to }) => from === slot.starts_at && to === slot.ends_at);
          const staying = before.filter((slot) => isOpen(slot) && isThere(slot)).length;
          const expected = { created: wanted.length - staying, withdrawn: before.filter(isOpen).length - staying };
          expect(await previewHours(db, host, hours(plan), now)).toMatchObject(expected);
          expect(await set(plan, now)).toEqual(expected);
          const after = await slots();
          expect(after.filter(isOpen).map(({ starts_at, ends_at }) => [starts_at, ends_at])).toEqual(
            wanted.map(({ from, to }) => [from, to]),
          );
          const others = (list: Slot[]) => list.filter((slot) => !isOpen(slot)).map(({ id, state }) => [id, state]);
          expect(others(after)).toEqual(others(before));
          expect(await set(plan, now)).toEqual({ created: 0, withdrawn: 0 });
          const days = (table: string) => stored(`SELECT DISTINCT local_date AS date FROM ${table} ORDER BY date`);
          expect(await days('open_days')).toEqual(await days('slots WHERE state = 0'));
          made += wanted.length;
        }
      }),
      { numRuns: books },
    );
    expect(made).toBeGreaterThan(10 * books);
  }, 900_000);
});
