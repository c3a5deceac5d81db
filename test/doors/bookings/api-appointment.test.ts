import { describe, expect, test } from 'vitest';
import { agenda, ask, create, openSlotsOf } from '../../support/appointment-calls';
import { complaints, nothing, personalLink, started, taken } from '../../support/complaints';
import {
  book,
  cancel,
  dayAhead,
  look,
  type Person,
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

test('an appointment has these twenty-eight keys, open and booked', async () => {
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

test('Get shows what is open to all, what was booked to its two sides, and what was withdrawn to its provider', async () => {
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

// That nothing is booked, canceled or withdrawn from its start on: test/domain/bookings/moments.test.ts.
test('Book refuses what is booked, canceled or withdrawn, to the one who had it too, and gives back what is one’s own', async () => {
  const { ana, slots } = await threeSlots();
  const [one, two, three] = slots;
  for (const slot of [one, two]) await book(maya, slot);
  expect(await book(june, one)).toMatchObject(taken);
  await cancel(maya, one);
  for (const slot of [two, three]) await cancel(ana, slot);
  for (const slot of slots) {
    for (const who of [maya, june]) expect(await book(who, slot)).toMatchObject(taken);
  }
  const mine = await writeSlot(daybook.d1, ana, { startsIn: -60, booker: maya });
  expect(await book(june, mine)).toMatchObject(taken);
  expect(await book(maya, mine)).toMatchObject({ status: 200, json: { status: 1 } });
});

describe('Cancel', () => {
  test('by the booker publishes the time again under a new id, notes and all; the old one stays, with its first reason', async () => {
    const [ana, reader] = [await newProvider(), await newConsumer()];
    const slot = await publishOne(ana, { notes: 'Ring twice' });
    await book(reader, slot);
    for (const stranger of [rival, june]) expect(await cancel(stranger, slot, 'Mine')).toMatchObject(nothing);
    const canceled = await cancel(reader, slot, '  I am ill. ');
    const { username, displayName: bookerName } = reader;
    const had = { free: 0, people: 1, username, bookerName, link: personalLink };
    const off = { status: 2, canceledBy: 'consumer', cancelReason: 'I am ill.' };
    expect(canceled).toMatchObject({ status: 200, json: { ...slot, ...had, ...off } });
    expect((await cancel(reader, slot, 'Second')).json).toEqual(canceled.json);
    const [again, ...more] = await openSlotsOf(maya, ana);
    expect(more).toEqual([]);
    expect(again).toStrictEqual({ ...slot, id: expect.any(String), slotId: again?.id });
    expect(again?.id).not.toBe(slot.id);
    const row = canceled.json as Row;
    expect(rowsOf(await ask(reader, 'GetDash'))).toStrictEqual([row]);
    expect(rowsOf(await ask(ana, 'GetDash'))).toStrictEqual([{ ...row, link: null }]);
  });

  test('by the provider, of what is booked or open, does not publish it again, once or twice', async () => {
    const ana = await newProvider();
    const [taken, open] = (await publish(ana, { end: '10:00' })) as [Row, Row];
    await book(maya, taken);
    const canceled = { status: 2, free: 0, canceledBy: 'provider' };
    const told = { ...canceled, id: taken.id, username: maya.username, cancelReason: 'I am ill.' };
    for (const reason of ['I am ill.', 'Second']) {
      expect((await cancel(ana, taken, reason)).json).toMatchObject(told);
      expect((await cancel(ana, open)).json).toMatchObject({ ...open, ...canceled });
    }
    expect(await cancel(maya, taken)).toMatchObject({ status: 200, json: told });
    expect(await openSlotsOf(maya, ana)).toEqual([]);
    expect((await create(ana)).json).toStrictEqual({ created: 1, skipped: 0 });
  });

  test('after the start is a 409 that says so; what was canceled before answers the same when it is sent again', async () => {
    const running = await writeSlot(daybook.d1, rival, { startsIn: -10, booker: maya });
    for (const who of [maya, rival]) expect(await cancel(who, running)).toMatchObject(started);
    await daybook.d1.prepare(cancelBeforeStart).bind(running.id).run();
    for (const who of [rival, maya]) expect((await cancel(who, running)).json).toMatchObject({ status: 2 });
  });

  test('with a reason that is too long or no text is refused, and nothing is canceled', async () => {
    const row = await publishOne(await newProvider());
    await book(maya, row);
    for (const reason of ['x'.repeat(501), 5, 'a\u0000b'])
      expect(complaints(await maya.api('PUT', `/api/Appointment/Cancel?id=${row.id}`, { reason }))).toHaveLength(1);
    expect((await look(maya, row)).json).toMatchObject({ status: 1 });
    expect((await cancel(maya, row, 'x'.repeat(500))).status).toBe(200);
  });
});
