import { describe, expect, test } from 'vitest';
import { agenda, ask, create, idsOf, openSlotsOf } from '../../support/appointment-calls';
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

/** The row of a slot that is published for the 15th of January, and the row once Maya has booked it. */
async function publishedRow() {
  const ana = await newProvider({ displayName: 'Ana Dias', timeZone: 'America/New_York' });
  const year = dayAhead(370).slice(-4);
  const slot = await publishOne(ana, { dates: [`01-15-${year}`], notes: ' Bring\r\na towel ' });
  const open = {
    id: expect.stringMatching(/^[\w-]{20,}$/),
    provider: ana.username,
    providerName: 'Ana Dias',
    shop: null,
    by: null,
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
    reference: null,
    paid: false,
    payLink: null,
    payTo: null,
    attendance: null,
    where: 'here',
    place: null,
  };
  const booked = { ...open, status: 1, free: 0, people: 1, username: maya.username, bookerName: 'Maya Lindqvist' };
  return { ana, slot, open, booked };
}

describe('an appointment has exactly these keys', () => {
  test('in a list of open ones', async () => {
    const { slot, open } = await publishedRow();

    expect(slot).toStrictEqual(open);
  });

  test('while it is open', async () => {
    const { slot, open } = await publishedRow();

    expect((await look(maya, slot)).json).toStrictEqual(open);
  });

  test('for whoever has booked it, with the personal link', async () => {
    const { slot, booked } = await publishedRow();

    expect((await book(maya, slot)).json).toStrictEqual({ ...booked, link: personalLink });
  });

  test('for its provider once it is booked, without the link', async () => {
    const { ana, slot, booked } = await publishedRow();
    await book(maya, slot);

    expect((await look(ana, slot)).json).toStrictEqual(booked);
    expect(await agenda(ana)).toStrictEqual([booked]);
  });

  test('once its provider has canceled it', async () => {
    const { ana, slot, booked } = await publishedRow();
    await book(maya, slot);

    expect((await cancel(ana, slot)).json).toStrictEqual({ ...booked, canceledBy: 'provider', status: 2 });
  });
});

describe('Get', () => {
  const missing = { id: 'no-such-appointment' };

  test('shows an open slot to everybody', async () => {
    const { ana, slots } = await threeSlots();

    for (const who of [maya, ana, rival])
      expect(await look(who, slots[0])).toMatchObject({ status: 200, json: slots[0] });
  });

  test('says of an unknown appointment that there is none', async () => {
    expect(await look(june, missing)).toMatchObject(nothing);
  });

  describe.each(['booked', 'canceled by the client', 'canceled by the provider'])('of what is %s', (state) => {
    async function theirs() {
      const { ana, slots } = await threeSlots();
      await book(maya, slots[0]);
      if (state === 'canceled by the client') await cancel(maya, slots[0]);
      if (state === 'canceled by the provider') await cancel(ana, slots[0]);
      return { ana, slot: slots[0] };
    }

    test('shows it to its two sides', async () => {
      const { ana, slot } = await theirs();

      for (const who of [maya, ana]) expect((await look(who, slot)).json).toMatchObject({ username: maya.username });
    });

    test('says to others the same as of an unknown one', async () => {
      const { slot } = await theirs();

      for (const who of [june, rival]) expect((await look(who, slot)).text).toBe((await look(who, missing)).text);
    });
  });

  describe('of what was withdrawn', () => {
    async function withdrawn() {
      const ana = await newProvider();
      const slot = await publishOne(ana);
      await cancel(ana, slot);
      return { ana, slot };
    }

    test('shows it to its provider', async () => {
      const { ana, slot } = await withdrawn();

      expect((await look(ana, slot)).json).toMatchObject({ status: 2, username: null });
    });

    test('says to clients the same as of an unknown one', async () => {
      const { slot } = await withdrawn();

      expect((await look(maya, slot)).text).toBe((await look(maya, missing)).text);
    });
  });
});

// That nothing is booked, canceled or withdrawn from its start on: test/domain/bookings/moments.test.ts.
describe('Book', () => {
  test('refuses what somebody else has', async () => {
    const { slots } = await threeSlots();
    await book(maya, slots[0]);

    expect(await book(june, slots[0])).toMatchObject(taken);
  });

  test('refuses what its client has canceled, to that client too', async () => {
    const { slots } = await threeSlots();
    await book(maya, slots[0]);
    await cancel(maya, slots[0]);

    for (const who of [maya, june]) expect(await book(who, slots[0])).toMatchObject(taken);
  });

  test('refuses what its provider has canceled, to its client too', async () => {
    const { ana, slots } = await threeSlots();
    await book(maya, slots[0]);
    await cancel(ana, slots[0]);

    for (const who of [maya, june]) expect(await book(who, slots[0])).toMatchObject(taken);
  });

  test('refuses what was withdrawn', async () => {
    const { ana, slots } = await threeSlots();
    await cancel(ana, slots[0]);

    for (const who of [maya, june]) expect(await book(who, slots[0])).toMatchObject(taken);
  });

  test('answers whoever has it already with what they have, though it has begun', async () => {
    const mine = await writeSlot(daybook.d1, await newProvider(), { startsIn: -60, booker: maya });

    expect(await book(maya, mine)).toMatchObject({ status: 200, json: { status: 1 } });
  });

  test('says of what somebody else has that it is taken, though it has begun', async () => {
    const theirs = await writeSlot(daybook.d1, await newProvider(), { startsIn: -60, booker: maya });

    expect(await book(june, theirs)).toMatchObject(taken);
  });
});

describe('Cancel by the booker', () => {
  async function bookedSlot() {
    const [ana, reader] = [await newProvider(), await newConsumer()];
    const slot = await publishOne(ana, { notes: 'Ring twice' });
    await book(reader, slot);
    return { ana, reader, slot };
  }

  test('answers with what they had, and why it is off', async () => {
    const { reader, slot } = await bookedSlot();

    const canceled = await cancel(reader, slot, '  I am ill. ');

    const { username, displayName: bookerName } = reader;
    const had = { free: 0, people: 1, username, bookerName, link: personalLink };
    const off = { status: 2, canceledBy: 'consumer', cancelReason: 'I am ill.' };
    expect(canceled).toMatchObject({ status: 200, json: { ...slot, ...had, ...off } });
  });

  test('keeps its first reason when it is sent again', async () => {
    const { reader, slot } = await bookedSlot();
    const canceled = await cancel(reader, slot, 'I am ill.');

    expect((await cancel(reader, slot, 'Second')).json).toEqual(canceled.json);
  });

  test('publishes the time again with its notes, under a new id', async () => {
    const { ana, reader, slot } = await bookedSlot();
    await cancel(reader, slot);

    const [again, ...more] = await openSlotsOf(maya, ana);
    expect(again).toStrictEqual({ ...slot, id: expect.any(String), slotId: again?.id });
    expect(again?.id).not.toBe(slot.id);
    expect(more).toEqual([]);
  });

  test('stays on the list of both sides', async () => {
    const { ana, reader, slot } = await bookedSlot();

    const row = (await cancel(reader, slot)).json as Row;

    expect(rowsOf(await ask(reader, 'GetDash'))).toStrictEqual([row]);
    expect(rowsOf(await ask(ana, 'GetDash'))).toStrictEqual([{ ...row, link: null }]);
  });

  test('is nobody else’s to send', async () => {
    const { reader, slot } = await bookedSlot();

    for (const stranger of [rival, june]) expect(await cancel(stranger, slot, 'Mine')).toMatchObject(nothing);
    expect((await look(reader, slot)).json).toMatchObject({ status: 1 });
  });
});

describe('Cancel by the provider', () => {
  async function oneBookedOfTwo() {
    const ana = await newProvider();
    const [booked, open] = (await publish(ana, { end: '10:00' })) as [Row, Row];
    await book(maya, booked);
    return { ana, booked, open };
  }
  const canceled = { status: 2, free: 0, canceledBy: 'provider' };

  test('of what is booked tells the client why', async () => {
    const { ana, booked } = await oneBookedOfTwo();
    const told = { ...canceled, id: booked.id, username: maya.username, cancelReason: 'I am ill.' };

    expect((await cancel(ana, booked, 'I am ill.')).json).toMatchObject(told);
    expect((await look(maya, booked)).json).toMatchObject(told);
  });

  test('keeps its first reason when it is sent again by either side', async () => {
    const { ana, booked } = await oneBookedOfTwo();
    await cancel(ana, booked, 'I am ill.');

    const first = { ...canceled, cancelReason: 'I am ill.' };
    expect((await cancel(ana, booked, 'Second')).json).toMatchObject(first);
    expect(await cancel(maya, booked)).toMatchObject({ status: 200, json: first });
  });

  test('of what is open withdraws it, once or twice', async () => {
    const { ana, open } = await oneBookedOfTwo();

    for (const _ of ['once', 'again']) expect((await cancel(ana, open)).json).toMatchObject({ ...open, ...canceled });
  });

  test('does not publish the time again', async () => {
    const { ana, booked, open } = await oneBookedOfTwo();
    for (const slot of [booked, open]) await cancel(ana, slot);

    expect(await openSlotsOf(maya, ana)).toEqual([]);
  });

  test('leaves the time for a new publication', async () => {
    const { ana, booked, open } = await oneBookedOfTwo();
    for (const slot of [booked, open, booked]) await cancel(ana, slot);

    expect((await create(ana)).json).toStrictEqual({ created: 1, skipped: 0 });
  });
});

describe('Cancel', () => {
  test('after the start is refused to both sides', async () => {
    const provider = await newProvider();
    const running = await writeSlot(daybook.d1, provider, { startsIn: -10, booker: maya });

    for (const who of [maya, provider]) expect(await cancel(who, running)).toMatchObject(started);
  });

  test('that was sent before the start answers the same after it', async () => {
    const provider = await newProvider();
    const running = await writeSlot(daybook.d1, provider, { startsIn: -10, booker: maya });
    await daybook.d1.prepare(cancelBeforeStart).bind(running.id).run();

    for (const who of [provider, maya]) expect((await cancel(who, running)).json).toMatchObject({ status: 2 });
  });

  test.each([
    ['that is too long', 'x'.repeat(501)],
    ['that is a number', 5],
    ['with a zero sign', 'a\u0000b'],
  ])('with a reason %s changes nothing', async (_, reason) => {
    const row = await publishOne(await newProvider());
    await book(maya, row);

    expect(complaints(await maya.api('PUT', `/api/Appointment/Cancel?id=${row.id}`, { reason }))).toHaveLength(1);
    expect((await look(maya, row)).json).toMatchObject({ status: 1 });
  });

  test('takes a reason of 500 signs', async () => {
    const row = await publishOne(await newProvider());
    await book(maya, row);

    expect((await cancel(maya, row, 'x'.repeat(500))).status).toBe(200);
  });
});

describe('GetDash', () => {
  /** Of a client: one that is over, one that has begun, one in a week and, canceled, one tomorrow. */
  async function fourAppointments() {
    const [ana, reader] = [await newProvider(), await newConsumer()];
    const [over, running] = await Promise.all(
      [-60, -10].map((startsIn) => writeSlot(daybook.d1, ana, { startsIn, booker: reader })),
    );
    const [later, canceled] = [
      await publishOne(ana, { dates: [dayAhead(7)] }),
      await publishOne(ana, { dates: [dayAhead(1)] }),
    ];
    for (const slot of [later, canceled]) await book(reader, slot);
    await cancel(reader, canceled);
    return { over, running, later, canceled, ids: idsOf(rowsOf(await ask(reader, 'GetDash'))) };
  }

  test('has what was canceled', async () => {
    const { canceled, ids } = await fourAppointments();

    expect(ids).toContain(canceled.id);
  });

  test('has what has begun', async () => {
    const { running, ids } = await fourAppointments();

    expect(ids).toContain(running?.id);
  });

  test('has nothing that is over', async () => {
    const { over, ids } = await fourAppointments();

    expect(ids).not.toContain(over?.id);
  });

  test('is in the order of starts', async () => {
    const { running, canceled, later, ids } = await fourAppointments();

    expect(ids).toEqual(idsOf([running as Row, canceled, later]));
  });
});
