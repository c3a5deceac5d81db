import { env } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bookAppointment, cancelAppointment } from '../../../app/domain/bookings/book.server';
import { moveAppointment } from '../../../app/domain/bookings/move.server';
import { getAppointment } from '../../../app/domain/bookings/read.server';
import { readBookingChoice, readMoveChoice } from '../../../app/domain/calendar/move-choice.server';
import { findProviderPage } from '../../../app/domain/calendar/provider-page.server';
import type { Actor } from '../../../app/domain/profile/accounts';
import { listOpenSlots } from '../../../app/domain/slots/open-slots.server';
import { withdrawSlots } from '../../../app/domain/slots/withdraw.server';
import type { Db } from '../../../db/client';
import { brokenRules } from '../../habits/invariants';
import { join, newBook, once, publishTimes, start, stored, year } from '../../support/history';

/* Classes, of which each seat is a booking, and services that take several slots of free time. */

const date = `${year}-03-12`;
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

type Booking = Awaited<ReturnType<typeof bookAppointment>>;
type Slot = { id: string; state: number; taken: number };
const slotAt = async (time: string) =>
  (await stored<Slot>('SELECT id, state, taken FROM slots WHERE starts_at = ?', at(time)))[0] as Slot;
const idAt = async (time: string) => (await slotAt(time)).id;
/** The state of each slot, one digit each: 0 is open, 1 taken, 2 withdrawn. */
const slotStates = async () =>
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
const appointmentOf = (actor: Actor, id: string) => getAppointment(db, actor, id);
const listedSlots = async () => {
  const filter = { provider: 'host', location: undefined, q: undefined, dates: undefined, page: 0 };
  return (await listOpenSlots(db, filter, start)).rows;
};
/** The times that the provider's page shows before anybody has chosen a day. */
const firstTimesOfPage = async () => {
  const page = await findProviderPage(db, { username: 'host', page: 0 }, start);
  return page?.times.map(({ id }) => id);
};
/** The messages about cancellations by the provider that nobody has read. */
const cancellationMessages = () =>
  stored("SELECT 1 FROM messages WHERE kind = 'canceled' AND is_read = 0 AND actor_id = ?", host.accountId);

afterEach(async () => expect(await brokenRules(env.DB, { texts: false })).toEqual([]));

describe('a class', () => {
  beforeEach(() => addService('class', { minutes: 60, seats: 3 }));

  describe('of three seats, two of them booked', () => {
    let id: string;
    let booking: Booking;
    beforeEach(async () => {
      id = await addClass('18:00', '19:00', 3);
      booking = await book(maya, id, { people: 2 });
    });

    test('gives the booker a booking of its own', () => {
      expect(booking.id).not.toBe(id);
      expect(booking).toMatchObject({ status: 1, slotId: id, people: 2, service: { name: 'A class' } });
    });

    test('tells the booker how many seats are left', () => {
      expect(booking).toMatchObject({ seats: 3, free: 1 });
    });

    test('stays open to others, who do not see how many come', async () => {
      expect(await appointmentOf(ines, id)).toMatchObject({ id, status: 0, seats: 3, free: 1, people: null });
    });

    test('refuses more people than it has seats', async () => {
      await expect(book(tomas, id, { people: 2 })).rejects.toThrow('There is only one place left');
    });

    test('shows the booking to nobody else', async () => {
      await expect(appointmentOf(ines, booking.id)).rejects.toThrow();
    });
  });

  describe('that is full', () => {
    let id: string;
    let last: Booking;
    beforeEach(async () => {
      id = await addClass('18:00', '19:00', 3);
      await book(maya, id, { people: 2 });
      last = await book(tomas, id);
    });

    test('says so', async () => {
      expect(await appointmentOf(ines, id)).toMatchObject({ id, status: 1, free: 0 });
    });

    test('is not booked', async () => {
      await expect(book(ines, id)).rejects.toThrow('This class is full.');
    });

    test('is on the page of its provider after the last free time of its day', async () => {
      const { ids } = await publish('09:00', '09:30');

      expect(await firstTimesOfPage()).toEqual([ids[0], id]);
    });

    test('is on the page of its provider though an earlier day has times that nobody can book', async () => {
      await addService('other', { minutes: 60, seats: 2 });
      const { ids: others } = await publish('18:00', '19:00', 60, [`${year}-03-11`]);
      await stored("UPDATE slots SET service_id = 'other', seats = 2 WHERE id = ?", others[0]);
      await setService('other', 'is_offered = 0');
      const { ids } = await publish('09:00', '09:30');

      expect(await firstTimesOfPage()).toEqual([ids[0], id]);
    });

    test('is not listed', async () => {
      expect(await listedSlots()).toEqual([]);
    });

    test('is listed again when a seat is given back', async () => {
      await cancel(tomas, last.id);

      expect(await listedSlots()).toMatchObject([{ id, free: 1 }]);
    });

    test('is booked again when a seat is given back', async () => {
      await cancel(tomas, last.id);

      expect(await book(ines, id)).toMatchObject({ status: 1, slotId: id });
    });
  });

  /** What its provider can book on that day, for a person or for somebody new. */
  const choiceFor = (person = '') =>
    readBookingChoice(db, host, { service: null, person, month: date.slice(0, 7), day: date }, start);

  test('that is switched off is still among the times that its provider books for somebody', async () => {
    const id = await addClass('18:00', '19:00', 3);
    await setService('class', 'is_offered = 0');

    expect((await choiceFor()).times).toMatchObject([{ id }]);
    await expect(book(maya, id)).rejects.toThrow('not offered');
  });

  test('is named among its provider’s free times', async () => {
    const id = await addClass('18:00', '19:00', 3);

    expect((await choiceFor()).times).toMatchObject([{ id, className: 'A class' }]);
  });

  test('is none that its provider can book for who booked a place of it', async () => {
    await book(maya, await addClass('18:00', '19:00', 3));

    expect((await choiceFor(maya.accountId)).times).toEqual([]);
    expect((await choiceFor(tomas.accountId)).times).toHaveLength(1);
  });

  describe('to which three bookers come', () => {
    let id: string;
    let first: Booking;
    beforeEach(async () => {
      id = await addClass('18:00', '19:00', 8);
      first = await book(maya, id);
      await book(tomas, id, { people: 3 });
      await book(ines, id);
    });

    test('is no time to which its own booking can move', async () => {
      const { times, nearest } = await readMoveChoice(db, { id: first.id }, { day: date }, start);

      expect(times).toEqual([]);
      expect(nearest).toEqual([]);
    });

    test('is no time to which somebody can move who has a place in it', async () => {
      const other = await book(maya, await addClass('19:00', '20:00', 8));

      const { times } = await readMoveChoice(db, { id: other.id }, { day: date }, start);

      expect(times).toEqual([]);
    });

    test.each([
      ['a booker', () => maya],
      ['the provider', () => host],
    ])('takes nobody twice by a move of %s', async (_, mover) => {
      const other = await book(maya, await addClass('19:00', '20:00', 8));

      await expect(move(mover(), other.id, id)).rejects.toThrow('The same person has a place in this class already.');
      expect(await slotAt('18:00')).toMatchObject({ taken: 5 });
    });

    test('is not canceled as a whole by a booker', async () => {
      await expect(cancel(maya, id)).rejects.toThrow();
      expect(await slotAt('18:00')).toMatchObject({ taken: 5 });
    });

    test('is not withdrawn', async () => {
      expect(await withdrawSlots(db, host, { ids: [id] }, once(start))).toMatchObject({ withdrawn: 0 });
    });

    test('is canceled as a whole by its provider', async () => {
      expect(await cancel(host, id)).toMatchObject({ id, status: 2 });

      const canceled = { status: 2, canceledBy: 'provider', cancelReason: 'Ill' };
      expect(await appointmentOf(maya, first.id)).toMatchObject(canceled);
    });

    test('tells each booker of its cancellation', async () => {
      await cancel(host, id);

      expect(await cancellationMessages()).toHaveLength(3);
    });

    test('answers a cancellation that is sent again', async () => {
      await cancel(host, id);

      expect(await cancel(host, id)).toMatchObject({ id, status: 2 });
      expect(await cancellationMessages()).toHaveLength(3);
    });
  });

  test('has the seats back of a booking that its provider cancels', async () => {
    const id = await addClass('18:00', '19:00', 8);
    await book(maya, id);
    const other = await book(tomas, id, { people: 3 });

    await cancel(host, other.id);

    expect(await slotAt('18:00')).toMatchObject({ id, state: 0, taken: 1 });
  });

  test('tells nobody twice whose booking was canceled before', async () => {
    const id = await addClass('18:00', '19:00', 8);
    await book(maya, id);
    const other = await book(tomas, id, { people: 3 });
    await cancel(host, other.id);
    await book(ines, id);

    await cancel(host, id);

    expect(await cancellationMessages()).toHaveLength(3);
  });

  describe('on two dates', () => {
    let from: string;
    let to: string;
    let booking: Booking;
    beforeEach(async () => {
      from = await addClass('18:00', '19:00', 2);
      to = await addClass('20:00', '21:00', 3);
      booking = await book(maya, from);
    });

    test('is not moved as a whole', async () => {
      await expect(move(host, from, to)).rejects.toThrow("A class can't be moved as a whole");
    });

    test('lets nobody move a seat into free time', async () => {
      const { ids } = await publish('09:00', '10:00');

      await expect(move(maya, booking.id, ids[0] as string)).rejects.toThrow();
    });

    test('lets the booker move a seat to the other date', async () => {
      const moved = await move(maya, booking.id, to);

      expect(moved).toMatchObject({ slotId: to, movedFrom: booking.id, status: 1 });
    });

    test('keeps the calendar entry of a seat that moves', async () => {
      expect(await move(maya, booking.id, to)).toMatchObject({ calendarId: booking.id });
    });

    test('answers a move that is sent again', async () => {
      const moved = await move(maya, booking.id, to);

      expect(await move(maya, booking.id, to)).toMatchObject({ id: moved.id });
    });

    test('lets the provider move a seat', async () => {
      const moved = await move(maya, booking.id, to);

      expect(await move(host, moved.id, from)).toMatchObject({ slotId: from });
    });
  });
});

describe('a service that needs three slots', () => {
  let id: string;
  let rest: string;
  beforeEach(async () => {
    await addService('colour', { minutes: 75 });
    await publish('09:00', '12:00');
    [id, rest] = [await idAt('09:30'), await idAt('10:00')];
  });

  test('is one booking that ends when it ends', async () => {
    const booking = await book(maya, id, { service: 'colour' });

    const service = { name: 'A colour', price: '60 €' };
    expect(booking).toMatchObject({ id, endsAt: at('10:45'), service });
  });

  test('takes all three', async () => {
    await book(maya, id, { service: 'colour' });

    expect(await slotStates()).toBe('011100');
  });

  test('answers a booking that is sent again', async () => {
    const booking = await book(maya, id, { service: 'colour' });

    expect(await book(maya, id, { service: 'colour' })).toEqual(booking);
    expect(await slotStates()).toBe('011100');
  });

  test('lets nobody book a part of its time', async () => {
    await book(maya, id, { service: 'colour' });

    await expect(book(tomas, rest)).rejects.toThrow('just been booked by someone else');
  });

  test('has no appointment at a slot in its middle', async () => {
    await book(maya, id, { service: 'colour' });

    await expect(appointmentOf(maya, rest)).rejects.toThrow();
  });

  test('is refused where it would run into a booking', async () => {
    await book(maya, id, { service: 'colour' });

    await expect(book(tomas, await idAt('09:00'), { service: 'colour' })).rejects.toThrow('not enough free time');
  });

  test('gives all its slots back when it is canceled', async () => {
    await book(maya, id, { service: 'colour' });

    await cancel(maya, id);

    expect(await slotStates()).toBe('000000');
  });

  test('leaves slots with other ids when it is canceled', async () => {
    await book(maya, id, { service: 'colour' });

    await cancel(maya, id);

    expect([await idAt('09:30'), await idAt('10:00')]).not.toContain(id);
    await expect(appointmentOf(tomas, rest)).rejects.toThrow();
  });
});

describe('a service with a gap after it', () => {
  beforeEach(async () => {
    await addService('massage', { minutes: 60, gap: 30 });
    await publish('09:00', '11:00');
  });

  test('keeps the gap free of bookings', async () => {
    await book(maya, await idAt('09:00'), { service: 'massage' });

    expect(await slotStates()).toBe('1110');
  });

  test('is refused where there is no room for it', async () => {
    const last = await idAt('10:30');

    await expect(book(tomas, last, { service: 'massage' })).rejects.toThrow('not enough free time');
  });

  test('is booked where its gap is not published', async () => {
    expect(await book(tomas, await idAt('10:00'), { service: 'massage' })).toMatchObject({ endsAt: at('11:00') });
  });

  test('leaves no time to publish in its gap', async () => {
    await book(tomas, await idAt('10:00'), { service: 'massage' });

    expect(await publish('11:00', '12:30')).toMatchObject({ created: 2 });
  });

  test('gives its gap back when it is canceled', async () => {
    await book(maya, await idAt('09:00'), { service: 'massage' });

    await cancel(maya, await idAt('09:00'));

    expect(await slotStates()).toBe('0000');
    await book(tomas, await idAt('10:00'), { service: 'massage' });
  });
});

describe('free time', () => {
  let id: string;
  beforeEach(async () => {
    await addService('colour');
    await publish('09:00', '11:00');
    id = await idAt('09:00');
  });

  test('is not booked for a service that does not exist', async () => {
    await expect(book(maya, id, { service: 'none' })).rejects.toThrow('not offered');
  });

  test('is not booked for a service that is no longer offered', async () => {
    await setService('colour', 'is_offered = 0');

    await expect(book(maya, id, { service: 'colour' })).rejects.toThrow('not offered');
  });

  test('is not booked for a service with seats', async () => {
    await addService('class', { seats: 8 });

    await expect(book(maya, id, { service: 'class' })).rejects.toThrow('not offered at this time');
  });

  test('is not booked for two people', async () => {
    await expect(book(maya, id, { people: 2 })).rejects.toThrow('only one place');
  });

  test('is booked for as long as the service is now, not as when the form was opened', async () => {
    await setService('colour', 'minutes = 45');

    expect(await book(maya, id, { service: 'colour' })).toMatchObject({ endsAt: at('09:45') });
  });

  test('that is booked names its service after that is deleted', async () => {
    await book(maya, id, { service: 'colour' });

    await stored("DELETE FROM services WHERE id = 'colour'");

    expect(await appointmentOf(maya, id)).toMatchObject({ service: { id: 'colour', name: 'A colour' } });
  });
});

describe('a service over pauses between slots', () => {
  /** Slots at 09:00, 09:40 and 10:30 of 29 minutes each, by hours whose gap is a quarter of an hour. */
  beforeEach(async () => {
    await addService('colour', { minutes: 60 });
    await publish('09:00', '09:30', 29);
    await publish('09:40', '10:10', 29);
    await publish('10:30', '10:59', 29);
    const plan = JSON.stringify({ hours: [], except: [], len: 30, gap: 15, ahead: 7 });
    const hours = "INSERT INTO hours (provider_id, plan, version, carried_to, next_at) VALUES (?, ?, 'v', '', 9e15)";
    await stored(hours, host.accountId, plan);
  });

  test('bridges one that is no longer than the gap of the hours', async () => {
    expect(await book(maya, await idAt('09:00'), { service: 'colour' })).toMatchObject({ endsAt: at('10:00') });
    expect(await slotStates()).toBe('110');
  });

  test('does not bridge a longer one', async () => {
    await expect(book(maya, await idAt('09:40'), { service: 'colour' })).rejects.toThrow('not enough free time');
  });
});

describe('a booked service that moves', () => {
  let booking: Booking;
  let later: string;
  beforeEach(async () => {
    await addService('colour');
    await publish('09:00', '13:00');
    booking = await book(maya, await idAt('09:00'), { service: 'colour' });
    later = await idAt('09:30');
  });

  test('may move onto a part of its own time', async () => {
    expect(await move(maya, booking.id, later)).toMatchObject({ id: later, endsAt: at('11:00') });
    expect(await slotStates()).toBe('01110000');
  });

  test('is shown parts of its own time to its client as the notice allows', async () => {
    const shown = async () =>
      (await readMoveChoice(db, { id: booking.id }, { day: date }, start)).times.map(({ startsAt }) => startsAt);
    expect(await shown()).toContain(at('09:30'));

    const untilThen = (at('09:45') - start) / 60_000;
    await stored('UPDATE accounts SET notice = ? WHERE id = ?', untilThen, host.accountId);

    expect(await shown()).not.toContain(at('09:30'));
    expect(await shown()).toContain(at('10:00'));
  });

  describe('on a day that takes no more appointments', () => {
    const shown = async () => {
      const { days, times } = await readMoveChoice(db, { id: booking.id }, { day: date }, start);
      return {
        isDayShown: days.includes(date),
        parts: times.some(({ startsAt }) => startsAt < at('10:30')),
        others: times.some(({ startsAt }) => startsAt >= at('10:30')),
      };
    };

    test.each([
      ['full', 1],
      ['fuller than it may be', 2],
    ])('moves within it where that is %s', async (_, booked) => {
      if (booked > 1) await book(tomas, await idAt('12:30'));
      await stored('UPDATE accounts SET per_day = 1 WHERE id = ?', host.accountId);

      expect(await shown()).toEqual({ isDayShown: true, parts: true, others: true });
      expect(await move(maya, booking.id, await idAt('11:00'))).toMatchObject({ date });
    });
  });

  test('keeps its length when the service is shorter now', async () => {
    await setService('colour', 'minutes = 30');

    expect(await move(maya, booking.id, later)).toMatchObject({ endsAt: at('11:00') });
  });

  test('keeps its name when the service has another now', async () => {
    await setService('colour', "name = 'Other'");

    expect(await move(maya, booking.id, later)).toMatchObject({ service: { name: 'A colour' } });
  });

  test('answers a move that is sent again', async () => {
    const moved = await move(maya, booking.id, later);

    expect(await move(maya, booking.id, later)).toEqual(moved);
    expect(await slotStates()).toBe('01110000');
  });

  test('leaves time that is free when the booker moves it', async () => {
    await move(maya, booking.id, await idAt('11:00'));

    expect(await slotStates()).toBe('00001110');
  });

  test('leaves time that is withdrawn when the provider moves it', async () => {
    await move(maya, booking.id, later);

    expect(await move(host, later, await idAt('09:00'))).toMatchObject({ endsAt: at('10:30') });
    expect(await slotStates()).toBe('11120000');
  });

  test('stays where it is when the other time is too short', async () => {
    await book(tomas, await idAt('11:30'));

    await expect(move(maya, booking.id, await idAt('11:00'))).rejects.toThrow('not enough free time');
    expect(await appointmentOf(maya, booking.id)).toMatchObject({ status: 1 });
  });

  test('is not moved by somebody else', async () => {
    await expect(move(tomas, booking.id, await idAt('12:00'))).rejects.toThrow();
  });
});
