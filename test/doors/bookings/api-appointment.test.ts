import { describe, expect, test } from 'vitest';
import { agenda, ask, create, idsOf, openSlotsOf } from '../../support/appointment-calls';
import { nothing, personalLink, started, taken } from '../../support/complaints';
import {
  book,
  cancel,
  dayAhead,
  look,
  type Person,
  password,
  peopleAt,
  publish,
  publishOne,
  type Row,
  rowsOf,
  writeSlot,
} from '../../support/factories';
import { cancelBeforeStart } from '../../support/stored-bookings';
import { useServer, useWorld } from '../../support/use-server';
import type { ApiResponse } from '../../support/visit';

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { rival, maya, june } = useWorld(daybook, { rival: {}, maya: {}, june: {} });

/** A new provider with open slots from nine on. */
async function slotsOf(many: number, details: object = {}): Promise<{ ana: Person; slots: [Row, Row, Row] }> {
  const ana = await newProvider();
  const end = ['09:30', '10:00', '10:30'][many - 1];
  return { ana, slots: (await publish(ana, { end, ...details })) as [Row, Row, Row] };
}

/** What a call answers of an appointment that there is not. */
async function nothingThere(call: (who: Person, slot: { id: string }) => Promise<ApiResponse>, who: Person) {
  const { status, text, json } = await call(who, { id: 'no-such-appointment' });
  expect({ status, json }).toEqual(nothing);
  return expect.objectContaining({ status, text });
}

describe('an appointment', () => {
  test('has these twenty-eight keys, open and booked', async () => {
    const ana = await newProvider({ displayName: 'Ana Dias', timeZone: 'America/New_York' });
    const year = dayAhead(370).slice(-4);
    const slot = await publishOne(ana, { dates: [`01-15-${year}`], notes: ' Bring\r\na towel ' });
    const open = {
      id: expect.stringMatching(/^[\w-]{20,}$/),
      provider: ana.username,
      providerName: 'Ana Dias',
      startTime: '09:00',
      endTime: '09:30',
      date: `01-15-${year}`,
      status: 0,
      notes: 'Bring\na towel',
      username: null,
      bookerName: null,
      template: null,
      formData: [],
      startsAt: `${year}-01-15T14:00:00.000Z`,
      endsAt: `${year}-01-15T14:30:00.000Z`,
      timeZone: 'America/New_York',
      seats: 1,
      free: 1,
      slotId: slot.id,
      people: null,
      service: null,
      link: null,
      bookerEmail: null,
      bookerPhone: null,
      privateNote: null,
      cancelReason: null,
      canceledBy: null,
      movedFrom: null,
      seriesId: null,
      attendance: null,
    };
    const booked = { ...open, status: 1, free: 0, people: 1, username: maya.username, bookerName: 'Maya Lindqvist' };
    expect(slot).toStrictEqual(open);
    expect((await look(maya, slot)).json).toStrictEqual(open);
    expect((await book(maya, slot)).json).toStrictEqual({ ...booked, link: personalLink });
    expect((await look(ana, slot)).json).toStrictEqual(booked);
    expect(await agenda(ana)).toStrictEqual([booked]);
    expect((await cancel(ana, slot)).json).toStrictEqual({ ...booked, canceledBy: 'provider', status: 2 });
  });

  test('keeps its time and zone when its provider moves, while new ones are in the new zone on every device', async () => {
    const ana = await newProvider({ timeZone: 'Asia/Tokyo' });
    const phone = daybook.visitor();
    await phone.api('POST', '/api/Account/Login', { username: ana.username, password });
    const slot = await publishOne(ana);
    await ana.browser.post('/profile', { intent: 'profile', displayName: 'Ana', location: 'Porto', timeZone: 'UTC' });
    expect((await look(maya, slot)).json).toStrictEqual({ ...slot, providerName: 'Ana' });
    for (const [day, device] of [ana, { ...ana, api: phone.api.bind(phone) }].entries()) {
      const [moved] = await publish(device, { dates: [dayAhead(day + 5)] });
      expect(moved).toMatchObject({
        timeZone: 'UTC',
        startTime: '09:00',
        startsAt: expect.stringContaining('T09:00:00'),
      });
    }
  });

  test('is an entry for the calendar of either side, which says so when it is canceled', async () => {
    const ana = await newProvider();
    const slot = await publishOne(ana);
    await book(maya, slot);
    const entry = async ({ browser }: Person) => (await browser.get(`/appointments/${slot.id}/daybook.ics`)).text;
    const uid = `UID:${slot.id}@daybook`;
    for (const [who, other] of [
      [maya, ana],
      [ana, maya],
    ] as const) {
      const text = await entry(who);
      expect(text.split('\r\n')).toEqual(
        expect.arrayContaining([uid, `SUMMARY:${other.displayName}`, 'STATUS:CONFIRMED']),
      );
      // A calendar that is published has to say whose it is, and each line ends, the last one too.
      expect(text).toMatch(/\r\nORGANIZER[;:][\s\S]*\r\nEND:VCALENDAR\r\n$/);
    }
    await cancel(ana, slot);
    const canceled = ['METHOD:CANCEL', uid, 'SEQUENCE:1', 'STATUS:CANCELLED'];
    expect((await entry(maya)).split('\r\n')).toEqual(expect.arrayContaining(canceled));
    const file = `a[href="/appointments/${slot.id}/daybook.ics"]`;
    for (const page of [
      await maya.browser.get(`/details-cancel/${slot.id}`),
      await ana.browser.get(`/details-provider/${slot.id}`),
    ]) {
      expect(page.$(file)?.text).toBe('Remove from calendar');
    }
  });
});

describe('Get', () => {
  test('shows an open slot to anyone logged in', async () => {
    const { ana, slots } = await slotsOf(1);
    expect(slots[0]).toMatchObject({ notes: null });
    for (const who of [maya, ana, rival])
      expect(await look(who, slots[0])).toMatchObject({ status: 200, json: slots[0] });
  });

  test('shows what was booked to its booker and its provider alone, and what was withdrawn to its provider', async () => {
    const { ana, slots } = await slotsOf(3);
    for (const slot of slots) await book(maya, slot);
    await cancel(maya, slots[1]);
    await cancel(ana, slots[2]);
    for (const slot of slots) {
      for (const who of [maya, ana]) expect((await look(who, slot)).json).toMatchObject({ username: maya.username });
      for (const who of [june, rival]) expect(await look(who, slot)).toEqual(await nothingThere(look, who));
    }
    const withdrawn = await publishOne(ana, { dates: [dayAhead(2)] });
    await cancel(ana, withdrawn);
    expect((await look(ana, withdrawn)).json).toMatchObject({ status: 2, username: null });
    expect(await look(maya, withdrawn)).toEqual(await nothingThere(look, maya));
  });
});

describe('Book', () => {
  test('books an open slot, which is then nobody else’s; again, it answers the same', async () => {
    const slot = await publishOne(await newProvider());
    const { username, displayName: bookerName } = maya;
    const booked = { ...slot, status: 1, free: 0, people: 1, username, bookerName, link: personalLink };
    for (const _ of ['once', 'twice']) expect(await book(maya, slot)).toMatchObject({ status: 200, json: booked });
    expect(await book(june, slot)).toMatchObject(taken);
    const { results } = await daybook.d1.prepare('SELECT * FROM bookings WHERE id = ?').bind(slot.id).all();
    expect(results).toHaveLength(1);
    expect((await look(maya, slot)).json).toMatchObject({ username });
  });

  test('of what was canceled or withdrawn is the same 409, for the one who had it too', async () => {
    const { ana, slots } = await slotsOf(3);
    const [one, two, three] = slots;
    for (const slot of [one, two]) await book(maya, slot);
    await cancel(maya, one);
    for (const slot of [two, three]) await cancel(ana, slot);
    for (const slot of slots) {
      for (const who of [maya, june]) expect(await book(who, slot)).toMatchObject(taken);
    }
  });

  test('of what has begun is a 409 that says so; of what one has had since before, it is one’s own', async () => {
    const ana = await newProvider();
    const open = await writeSlot(daybook.d1, ana, { startsIn: -1 });
    const mine = await writeSlot(daybook.d1, ana, { startsIn: -60, booker: maya });
    expect(await book(maya, open)).toMatchObject(started);
    expect(await book(june, mine)).toMatchObject(taken);
    expect(await book(maya, mine)).toMatchObject({ status: 200, json: { status: 1 } });
    expect((await look(maya, open)).json).toMatchObject({ status: 0, username: null });
  });
});

describe('Cancel', () => {
  test('by the booker publishes the time again under a new id, notes and all; the old one stays as history', async () => {
    const ana = await newProvider();
    const slot = await publishOne(ana, { notes: 'Ring twice' });
    const reader = await newConsumer();
    await book(reader, slot);
    const canceled = await cancel(reader, slot);
    const had = {
      status: 2,
      free: 0,
      people: 1,
      username: reader.username,
      canceledBy: 'consumer',
      link: personalLink,
    };
    expect(canceled).toMatchObject({ status: 200, json: { ...slot, ...had, bookerName: reader.displayName } });
    const [again, ...more] = await openSlotsOf(maya, ana);
    expect(more).toEqual([]);
    expect(again).toStrictEqual({ ...slot, id: expect.any(String), slotId: again?.id });
    expect(again?.id).not.toBe(slot.id);
    expect(await cancel(reader, slot)).toMatchObject({ status: 200, json: canceled.json });
    expect(await openSlotsOf(maya, ana)).toHaveLength(1);
    const row = canceled.json as Row;
    expect(rowsOf(await ask(reader, 'GetDash'))).toStrictEqual([row]);
    expect(rowsOf(await ask(ana, 'GetDash'))).toStrictEqual([{ ...row, link: null }]);
    expect((await book(june, again as Row)).status).toBe(200);
  });

  test('by the provider does not publish it again, once or twice', async () => {
    const ana = await newProvider();
    const slot = await publishOne(ana);
    await book(maya, slot);
    for (const _ of ['once', 'twice']) {
      const answer = await cancel(ana, slot);
      expect(answer).toMatchObject({ status: 200, json: { id: slot.id, status: 2, username: maya.username } });
    }
    expect((await cancel(maya, slot)).status).toBe(200);
    expect(await openSlotsOf(maya, ana)).toEqual([]);
    expect(idsOf(rowsOf(await ask(maya, 'GetDash')))).toContain(slot.id);
  });

  test('withdraws an open slot of one’s own, once or twice', async () => {
    const ana = await newProvider();
    const slot = await publishOne(ana);
    for (const _ of ['once', 'twice']) {
      expect(await cancel(ana, slot)).toMatchObject({
        status: 200,
        json: { ...slot, status: 2, free: 0, username: null, canceledBy: 'provider' },
      });
    }
    expect(await openSlotsOf(maya, ana)).toEqual([]);
    expect((await create(ana)).json).toStrictEqual({ created: 1, skipped: 0 });
  });

  test('after the start is a 409 that says so, for booker and provider', async () => {
    const ana = await newProvider();
    const running = await writeSlot(daybook.d1, ana, { startsIn: -10, booker: maya });
    const unsold = await writeSlot(daybook.d1, ana, { startsIn: -60 });
    for (const who of [maya, ana]) expect(await cancel(who, running)).toMatchObject(started);
    expect((await look(maya, running)).json).toMatchObject({ status: 1 });
    expect(await cancel(ana, unsold)).toMatchObject(started);
    await daybook.d1.prepare(cancelBeforeStart).bind(running.id).run();
    // What was canceled in time answers the same when it is sent again.
    for (const who of [ana, maya])
      expect(await cancel(who, running)).toMatchObject({ status: 200, json: { status: 2 } });
  });
});
