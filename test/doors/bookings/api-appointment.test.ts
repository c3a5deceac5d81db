import { describe, expect, test } from 'vitest';
import { agenda } from '../../support/appointment-calls';
import { nothing, personalLink, taken } from '../../support/complaints';
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
  writeSlot,
} from '../../support/factories';
import { useServer, useWorld } from '../../support/use-server';

const daybook = useServer();
const { newProvider } = peopleAt(daybook);
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

  test('keeps its time and zone when its provider moves, while new ones are in the new zone', async () => {
    const ana = await newProvider({ timeZone: 'Asia/Tokyo' });
    const slot = await publishOne(ana);
    await ana.api('PUT', '/api/Account/SetProfile', { displayName: 'Ana', timeZone: 'UTC' });
    expect((await look(maya, slot)).json).toStrictEqual({ ...slot, providerName: 'Ana' });
    expect(await publishOne(ana, { dates: [dayAhead(5)] })).toMatchObject({ timeZone: 'UTC', startTime: '09:00' });
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
