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

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { rival, maya, june } = useWorld(daybook, { rival: {}, maya: {}, june: {} });

/** A new provider with three open slots from nine on. */
async function threeSlots(): Promise<{ ana: Person; slots: [Row, Row, Row] }> {
  const ana = await newProvider();
  return { ana, slots: (await publish(ana, { end: '10:30' })) as [Row, Row, Row] };
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
    const [moved] = await publish({ ...ana, api: phone.api.bind(phone) }, { dates: [dayAhead(5)] });
    const nine = { startTime: '09:00', startsAt: expect.stringContaining('T09:00:00') };
    expect(moved).toMatchObject({ timeZone: 'UTC', ...nine });
  });

  test('is an entry for a calendar, which says so when it is canceled', async () => {
    const ana = await newProvider();
    const slot = await publishOne(ana);
    await book(maya, slot);
    const lines = async () => (await maya.browser.get(`/appointments/${slot.id}/daybook.ics`)).text.split('\r\n');
    const uid = `UID:${slot.id}@daybook`;
    expect(await lines()).toEqual(expect.arrayContaining([uid, `SUMMARY:${ana.displayName}`, 'STATUS:CONFIRMED']));
    await cancel(ana, slot);
    const canceled = ['METHOD:CANCEL', uid, 'SEQUENCE:1', 'STATUS:CANCELLED'];
    expect(await lines()).toEqual(expect.arrayContaining(canceled));
  });
});

describe('Get', () => {
  test('shows what is open to all, what was booked to its two sides, and what was withdrawn to its provider', async () => {
    const { ana, slots } = await threeSlots();
    for (const who of [maya, ana, rival])
      expect(await look(who, slots[0])).toMatchObject({ status: 200, json: slots[0] });
    for (const slot of slots) await book(maya, slot);
    await cancel(maya, slots[1]);
    await cancel(ana, slots[2]);
    const missing = await look(june, { id: 'no-such-appointment' });
    expect(missing).toMatchObject(nothing);
    for (const slot of slots) {
      for (const who of [maya, ana]) expect((await look(who, slot)).json).toMatchObject({ username: maya.username });
      for (const who of [june, rival]) expect((await look(who, slot)).text).toBe(missing.text);
    }
    const withdrawn = await publishOne(ana, { dates: [dayAhead(2)] });
    await cancel(ana, withdrawn);
    expect((await look(ana, withdrawn)).json).toMatchObject({ status: 2, username: null });
    expect((await look(maya, withdrawn)).text).toBe(missing.text);
  });
});

describe('Book', () => {
  test('books an open slot, which is then nobody else’s; again, it answers the same', async () => {
    const slot = await publishOne(await newProvider());
    const { username, displayName: bookerName } = maya;
    const booked = { ...slot, status: 1, free: 0, people: 1, username, bookerName, link: personalLink };
    for (const _ of ['once', 'twice']) expect(await book(maya, slot)).toMatchObject({ status: 200, json: booked });
    expect(await book(june, slot)).toMatchObject(taken);
  });

  test('of what was canceled or withdrawn is the same 409, for the one who had it too', async () => {
    const { ana, slots } = await threeSlots();
    const [one, two, three] = slots;
    for (const slot of [one, two]) await book(maya, slot);
    await cancel(maya, one);
    for (const slot of [two, three]) await cancel(ana, slot);
    for (const slot of slots) {
      for (const who of [maya, june]) expect(await book(who, slot)).toMatchObject(taken);
    }
  });

  // That nothing is booked, canceled or withdrawn from its start on: test/domain/bookings/moments.test.ts.
  test('of what has begun is a 409 that says so; of what one has had since before, it is one’s own', async () => {
    const ana = await newProvider();
    const open = await writeSlot(daybook.d1, ana, { startsIn: -1 });
    const mine = await writeSlot(daybook.d1, ana, { startsIn: -60, booker: maya });
    expect(await book(maya, open)).toMatchObject(started);
    expect(await book(june, mine)).toMatchObject(taken);
    expect(await book(maya, mine)).toMatchObject({ status: 200, json: { status: 1 } });
  });
});

describe('Cancel', () => {
  test('by the booker publishes the time again under a new id, notes and all; the old one stays as history', async () => {
    const ana = await newProvider();
    const slot = await publishOne(ana, { notes: 'Ring twice' });
    const reader = await newConsumer();
    await book(reader, slot);
    const canceled = await cancel(reader, slot);
    const { username, displayName: bookerName } = reader;
    const had = { status: 2, free: 0, people: 1, username, bookerName, canceledBy: 'consumer', link: personalLink };
    expect(canceled).toMatchObject({ status: 200, json: { ...slot, ...had } });
    const [again, ...more] = await openSlotsOf(maya, ana);
    expect(more).toEqual([]);
    expect(again).toStrictEqual({ ...slot, id: expect.any(String), slotId: again?.id });
    expect(again?.id).not.toBe(slot.id);
    expect(await cancel(reader, slot)).toMatchObject({ status: 200, json: canceled.json });
    expect(await openSlotsOf(maya, ana)).toHaveLength(1);
    const row = canceled.json as Row;
    expect(rowsOf(await ask(reader, 'GetDash'))).toStrictEqual([row]);
    expect(rowsOf(await ask(ana, 'GetDash'))).toStrictEqual([{ ...row, link: null }]);
  });

  test('by the provider, of what is booked or open, does not publish it again, once or twice', async () => {
    const ana = await newProvider();
    const [booked, open] = (await publish(ana, { end: '10:00' })) as [Row, Row];
    await book(maya, booked);
    for (const _ of ['once', 'twice']) {
      const canceled = { status: 2, free: 0, canceledBy: 'provider' };
      expect((await cancel(ana, booked)).json).toMatchObject({ ...canceled, id: booked.id, username: maya.username });
      expect((await cancel(ana, open)).json).toMatchObject({ ...open, ...canceled });
    }
    expect((await cancel(maya, booked)).status).toBe(200);
    expect(await openSlotsOf(maya, ana)).toEqual([]);
    expect(idsOf(rowsOf(await ask(maya, 'GetDash')))).toContain(booked.id);
    expect((await create(ana)).json).toStrictEqual({ created: 1, skipped: 0 });
  });

  test('after the start is a 409 that says so; what was canceled before answers the same when it is sent again', async () => {
    const ana = await newProvider();
    const running = await writeSlot(daybook.d1, ana, { startsIn: -10, booker: maya });
    for (const who of [maya, ana]) expect(await cancel(who, running)).toMatchObject(started);
    await daybook.d1.prepare(cancelBeforeStart).bind(running.id).run();
    for (const who of [ana, maya])
      expect(await cancel(who, running)).toMatchObject({ status: 200, json: { status: 2 } });
  });
});
