import { describe, expect, test } from 'vitest';
import { newsOf, newsTexts, setRules } from '../../support/account-calls';
import { openSlotsOf } from '../../support/appointment-calls';
import { useCalendars } from '../../support/calendar-server';
import { book, cancel, dayAhead, type Person, peopleAt, publish, type Row } from '../../support/factories';
import { createParty } from '../../support/party-factories';
import { everyDay } from '../../support/plain-hours';
import { createService } from '../../support/services';
import { useServer } from '../../support/use-server';
import { add, addGuest, only, passOffer, takeOffer, type Wish, wishesOf } from '../../support/waitlist';

/* A time that is held for somebody who waits obeys its provider. */

const daybook = useServer({ vars: { RATE_LIMIT: 'off', MAIL_LIMITS: 'off', ASK_LOOPBACK: 'on' } });
const elsewhere = useCalendars();
const { newProvider, newConsumer } = peopleAt(daybook);

const noonHours = (details: object = {}) => ({ hours: everyDay('12:00', '12:30'), ahead: 4, ...details });
const setHours = (host: Person, hours: object) => host.api('PUT', '/api/Appointment/SetHours', hours);
const timesOf = async (host: Person) => (await openSlotsOf(await newConsumer(), host)).map(({ startsAt }) => startsAt);
const heldBy = async (host: Person) =>
  ((await host.api('GET', '/api/Waitlist/GetPage')).json as Wish[]).filter(({ offer }) => offer !== null);
const bookAs = (who: Person, { id }: { id: string }, query: string) =>
  who.api('PUT', `/api/Appointment/Book?id=${id}&${query}`);

/** A barber with noon of each day by hours, and a cut. Maya has noon of the day after tomorrow, and Tomas waits for it. */
async function barber(wish: object = {}) {
  const host = await newProvider();
  const cut = await createService(host);
  await setHours(host, noonHours());
  const [maya, tomas] = await Promise.all([newConsumer(), newConsumer()]);
  const [slot] = await openSlotsOf(maya, host, { dates: dayAhead(2) });
  const booked = (await bookAs(maya, slot as Row, `service=${cut.id}`)).json as Row;
  const asked = { slotId: booked.id, service: cut.id, ...wish };
  expect((await add(tomas, host, asked)).status).toBe(201);
  return { host, cut, maya, tomas, booked };
}

/** The same, once Maya has canceled: her time is held for Tomas. */
async function barberWithHold() {
  const world = await barber();
  await cancel(world.maya, world.booked);
  const { offer } = await only(world.tomas);
  if (!offer) throw new Error('Nothing is held for Tomas.');
  return { ...world, offer };
}

type World = Awaited<ReturnType<typeof barberWithHold>>;

const noon = { date: dayAhead(2), startTime: '11:00', endTime: '13:00' };

const changes: [what: string, change: (world: World) => Promise<unknown>][] = [
  ['the provider withdraws it by its id', ({ host, offer }) => cancel(host, { id: offer.slotId })],
  ['the provider puts a party over it', ({ host }) => createParty(host, noon)],
  [
    'another calendar has something then',
    ({ host, offer }) => {
      const { url } = elsewhere.add([{ at: Date.parse(offer.startsAt) }]);
      return host.api('PUT', '/api/Account/SetBusyFeeds', { feeds: [{ name: 'Private', url }] });
    },
  ],
  [
    'the day is closed in hours',
    ({ host }) => setHours(host, noonHours({ except: [{ date: dayAhead(2), to: null, hours: [] }] })),
  ],
  [
    'its service is switched off',
    ({ host, cut }) => host.api('PUT', `/api/Service/Edit?id=${cut.id}`, { isOffered: false }),
  ],
  ['its service is deleted', ({ host, cut }) => host.api('DELETE', `/api/Service/Delete?id=${cut.id}`)],
  ['the waitlist is switched off', ({ host }) => setRules(host, { waitlist: 'off' })],
];

describe('a held time gives way when', () => {
  test.each(changes)('%s', async (_, change) => {
    const world = await barberWithHold();

    await change(world);

    expect((await only(world.tomas)).offer).toBeNull();
    expect((await takeOffer(daybook.visitor(), world.offer)).status).toBe(409);
    expect((await newsOf(world.tomas))[0]).toMatchObject({
      kind: 'offer',
      text: expect.stringContaining('is no longer available'),
    });
  });

  test('a party is moved over it', async () => {
    const { host, tomas } = await barberWithHold();
    const party = await createParty(host, { ...noon, date: dayAhead(3) });

    await host.api('PUT', `/api/Party/EditParty/${party.id}`, { date: dayAhead(2) });

    expect((await only(tomas)).offer).toBeNull();
  });

  test('the provider takes accounts only, and a guest has it', async () => {
    const { host, cut, maya, tomas, booked } = await barber();
    await host.api('DELETE', `/api/Waitlist/Remove?id=${(await only(tomas)).id}`);
    const gus = daybook.visitor();
    await addGuest(gus, host, { slotId: booked.id, service: cut.id });
    await cancel(maya, booked);

    await setRules(host, { openTo: 'accounts' });

    expect(await heldBy(host)).toEqual([]);
  });
});

describe('an offer is taken by the rules of now:', () => {
  test('not without the number that its provider asks for by now', async () => {
    const { host, tomas, offer } = await barberWithHold();
    await setRules(host, { askPhone: 'required' });

    const without = await takeOffer(daybook.visitor(), offer);
    const page = await tomas.browser.get(new URL(offer.link ?? '', daybook.url).pathname);
    const taken = await page.submit('Take it', { phone: '+351 912 345 678' });

    expect(without).toMatchObject({ status: 400, json: ['Please give a phone number: it is asked for here.'] });
    expect(taken.text).toContain('Booked');
  });
});

test('hours that take a held time away offer what they open to whoever has waited longest', async () => {
  const { host, maya, tomas, booked } = await barber();
  await host.api('DELETE', `/api/Waitlist/Remove?id=${(await only(tomas)).id}`);
  const hoursWithout = (day: number) => noonHours({ except: [{ date: dayAhead(day), to: null, hours: [] }] });
  await setHours(host, hoursWithout(3));
  const ana = await newConsumer();
  await add(ana, host, { from: dayAhead(3), to: dayAhead(3) });
  await add(tomas, host, { from: dayAhead(2), to: dayAhead(3) });
  await cancel(maya, booked);
  expect((await only(tomas)).offer).toMatchObject({ startsAt: booked.startsAt });

  await setHours(host, hoursWithout(2));

  expect((await only(tomas)).offer).toBeNull();
  expect((await only(ana)).offer).not.toBeNull();
});

test('hours that take a held time away publish another in its place, and count it', async () => {
  const { host, offer } = await barberWithHold();

  const saved = await setHours(host, noonHours({ hours: everyDay('11:45', '12:15') }));

  const day = offer.startsAt.slice(0, 10);
  const times = await timesOf(host);
  const held = (await heldBy(host)).map((wish) => wish.offer?.startsAt);
  expect([...times, ...held]).toContain(`${day}T11:45:00.000Z`);
  expect(saved.json).toMatchObject({ created: times.length + held.length });
});

test('a provider takes a held time back on the waitlist’s screen', async () => {
  const { host, tomas, booked } = await barberWithHold();

  const page = await (await host.browser.get('/waitlist')).submit('Take the time back');

  expect(page.words).toContain('The time is yours again');
  expect((await only(tomas)).offer).toBeNull();
  expect(await timesOf(host)).not.toContain(booked.startsAt);
});

describe('what nobody may have is offered to nobody:', () => {
  test('a held time that its provider has withdrawn', async () => {
    const { host, offer, booked } = await barberWithHold();
    await add(await newConsumer(), host, { from: dayAhead(2), to: dayAhead(2) });

    const withdrawn = await cancel(host, { id: offer.slotId });

    expect(withdrawn).toMatchObject({ status: 200, json: { status: 2 } });
    expect(await timesOf(host)).not.toContain(booked.startsAt);
    expect(await heldBy(host)).toEqual([]);
  });

  test('a time that is canceled on a day that was closed meanwhile', async () => {
    const { host, maya, tomas, booked } = await barber();
    await setHours(host, noonHours({ except: [{ date: dayAhead(2), to: null, hours: [] }] }));

    await cancel(maya, booked);

    expect((await only(tomas)).offer).toBeNull();
    expect(await timesOf(host)).not.toContain(booked.startsAt);
  });
});

describe('a class that is canceled to be offered again', () => {
  test.each([
    ['was full', 1],
    ['had a place left', 2],
  ])('is open with all its seats, where it %s', async (_, seats) => {
    const [host, maya] = [await newProvider(), await newConsumer()];
    const yoga = await createService(host, { seats: seats + 1 });
    const [slot] = (await publish(host, { dates: [dayAhead(2)], serviceId: yoga.id })) as [Row];
    await bookAs(maya, slot, 'people=2');

    const response = await host.api('PUT', `/api/Appointment/Cancel?id=${slot.id}&republish=true`);

    expect(response).toMatchObject({ status: 200, json: { status: 0 } });
    expect(await openSlotsOf(maya, host)).toMatchObject([{ startsAt: slot.startsAt, free: seats + 1 }]);
  });
});

test('a class that hours no longer want is called off and published again by hand', async () => {
  const [host, maya] = await Promise.all([newProvider(), newConsumer()]);
  const yoga = await createService(host, { seats: 2 });
  await setHours(host, { ...noonHours(), hours: everyDay('12:00', '12:30', yoga.id) });
  const [slot] = (await openSlotsOf(maya, host, { dates: dayAhead(2) })) as [Row];
  await book(maya, slot);
  await setHours(host, noonHours({ hours: [] }));

  const response = await host.api('PUT', `/api/Appointment/Cancel?id=${slot.id}&republish=true`);

  expect(response).toMatchObject({ status: 200, json: { status: 0 } });
  expect(await timesOf(host)).toEqual([slot.startsAt]);
});

describe('a class of which a seat is held', () => {
  async function classWithHold() {
    const host = await newProvider();
    const yoga = await createService(host, { seats: 2 });
    const [slot] = (await publish(host, { dates: [dayAhead(2)], serviceId: yoga.id })) as [Row];
    const [ana, bo, cid] = await Promise.all([newConsumer(), newConsumer(), newConsumer()]);
    const other = (await book(ana, slot)).json as Row;
    const seat = (await book(bo, slot)).json as Row;
    await add(cid, host, { slotId: slot.id, service: yoga.id });
    await cancel(bo, seat);
    const { offer } = await only(cid);
    if (!offer) throw new Error('No seat is held for Cid.');
    return { host, yoga, slot, other, ana, cid, offer };
  }

  test('gives no second place to whoever was moved into it meanwhile', async () => {
    const { host, yoga, slot, other, ana, cid, offer } = await classWithHold();
    const [later] = (await publish(host, { dates: [dayAhead(3)], serviceId: yoga.id })) as [Row];
    const booked = (await book(cid, later)).json as Row;
    await cancel(ana, other);
    expect((await host.api('PUT', `/api/Appointment/Move?id=${booked.id}&to=${slot.id}`)).status).toBe(200);

    const taken = await takeOffer(daybook.visitor(), offer);

    expect(taken).toMatchObject({ status: 409, json: 'The same person has a place in this class already.' });
  });

  test('can be called off', async () => {
    const { host, slot } = await classWithHold();

    const response = await cancel(host, slot, 'The room is wet');

    expect(response).toMatchObject({ status: 200, json: { status: 2 } });
    expect(await cancel(host, slot)).toMatchObject({ status: 200, json: { status: 2 } });
  });

  test('tells everybody when it is called off', async () => {
    const { host, slot, ana, cid, offer } = await classWithHold();

    await cancel(host, slot, 'The room is wet');

    expect((await newsTexts(ana))[0]).toContain('The room is wet');
    expect((await newsTexts(cid))[0]).toContain('is no longer available');
    expect((await takeOffer(daybook.visitor(), offer)).status).toBe(409);
  });

  test('offers the seats of those who are canceled to nobody', async () => {
    const { host, slot } = await classWithHold();
    const dora = await newConsumer();
    await add(dora, host, { slotId: slot.id });

    await cancel(host, slot);

    expect((await only(dora)).offer).toBeNull();
  });
});

describe('whoever waits', () => {
  test('for a service with a gap is offered a time whose gap is free', async () => {
    const host = await newProvider();
    const colour = await createService(host, { minutes: 60, gap: 15 });
    const [slot] = (await publish(host, { start: '09:00', end: '11:00', dates: [dayAhead(2)] }, 'len=60')) as [Row];
    const [maya, tomas] = await Promise.all([newConsumer(), newConsumer()]);
    const booked = (await bookAs(maya, slot, `service=${colour.id}`)).json as Row;
    await add(tomas, host, { service: colour.id });

    await cancel(maya, booked);

    const { offer } = await only(tomas);
    expect(offer).toMatchObject({ startsAt: booked.startsAt, endsAt: booked.endsAt });
    expect(await timesOf(host)).toEqual([]);
  });

  test('for a service with a gap is offered the time before one that comes free', async () => {
    const host = await newProvider();
    const colour = await createService(host, { minutes: 60, gap: 15 });
    const slots = await publish(host, { start: '09:00', end: '11:00', dates: [dayAhead(2)] }, 'len=60');
    const [first, second] = slots;
    const [maya, tomas] = await Promise.all([newConsumer(), newConsumer()]);
    const booked = (await bookAs(maya, second as Row, `service=${colour.id}`)).json as Row;
    await add(tomas, host, { service: colour.id, before: '10:00' });

    await cancel(maya, booked);

    expect((await only(tomas)).offer).toMatchObject({ startsAt: first?.startsAt });
  });

  test('gives the whole gap back when the offer is passed on', async () => {
    const host = await newProvider();
    const colour = await createService(host, { minutes: 60, gap: 15 });
    const [slot] = (await publish(host, { start: '09:00', end: '11:00', dates: [dayAhead(2)] }, 'len=60')) as [Row];
    const [maya, tomas] = await Promise.all([newConsumer(), newConsumer()]);
    const booked = (await bookAs(maya, slot, `service=${colour.id}`)).json as Row;
    await add(tomas, host, { slotId: booked.id, service: colour.id });
    await cancel(maya, booked);

    await passOffer(daybook.visitor(), (await only(tomas)).offer);

    expect(await timesOf(host)).toHaveLength(2);
  });

  describe('for two times of a provider that come free', () => {
    async function bothFreed() {
      const host = await newProvider();
      const slots = await publish(host, { start: '09:00', end: '10:00', dates: [dayAhead(2)] });
      const [maya, tomas] = await Promise.all([newConsumer(), newConsumer()]);
      const [nine, half] = await Promise.all(slots.map(async (slot) => (await book(maya, slot)).json as Row));
      for (const booked of [nine, half]) await add(tomas, host, { slotId: booked?.id });
      await cancel(maya, nine as Row);
      await cancel(maya, half as Row);
      const offersOfTomas = async () => (await wishesOf(tomas)).flatMap(({ offer }) => (offer ? [offer] : []));
      return { nine, half, offersOfTomas };
    }

    test('is offered the first alone', async () => {
      const { nine, offersOfTomas } = await bothFreed();

      expect(await offersOfTomas()).toMatchObject([{ startsAt: nine?.startsAt }]);
    });

    test('is offered the second once the first is passed on', async () => {
      const { half, offersOfTomas } = await bothFreed();
      const [first] = await offersOfTomas();

      await passOffer(daybook.visitor(), first ?? null);

      expect(await offersOfTomas()).toMatchObject([{ startsAt: half?.startsAt }]);
    });
  });

  test('waits no longer once they have booked a time that fits', async () => {
    const host = await newProvider();
    const [slot] = (await publish(host, { dates: [dayAhead(2)] })) as [Row];
    const [maya, tomas] = await Promise.all([newConsumer(), newConsumer()]);
    await book(maya, slot);
    await add(tomas, host, { before: '12:00' });
    const [morning, evening] = [
      { start: '09:30', end: '10:00' },
      { start: '19:00', end: '19:30' },
    ];
    await setRules(host, { waitlist: 'off' });
    const [, late] = await publish(host, { ...evening, dates: [dayAhead(2), dayAhead(3)] });
    await book(tomas, late as Row);
    expect(await wishesOf(tomas)).toHaveLength(1);

    const [early] = await publish(host, { ...morning, dates: [dayAhead(4)] });
    await book(tomas, early as Row);

    expect(await wishesOf(tomas)).toEqual([]);
  });

  test('needs an account where the provider takes accounts only', async () => {
    const { host, booked } = await barber();
    await setRules(host, { openTo: 'accounts' });
    const gus = daybook.visitor();
    await gus.api('POST', '/api/Account/Guest', { displayName: 'Gus', email: 'gus@mail.test' });

    const response = await gus.api('POST', '/api/Waitlist/Add', { provider: host.username, slotId: booked.id });

    expect(response.status).toBe(403);
  });

  test('for an earlier time keeps their service, though it is switched off', async () => {
    const { host, cut, maya, tomas, booked } = await barber();
    await host.api('DELETE', `/api/Waitlist/Remove?id=${(await only(tomas)).id}`);
    const [later] = await openSlotsOf(tomas, host, { dates: dayAhead(3) });
    const own = (await bookAs(tomas, later as Row, `service=${cut.id}`)).json as Row;
    await cancel(maya, booked);
    const [free] = await openSlotsOf(maya, host, { dates: dayAhead(2) });
    const again = (await bookAs(maya, free as Row, `service=${cut.id}`)).json as Row;
    expect(await add(tomas, host, { insteadOf: own.id, from: dayAhead(2) })).toMatchObject({ status: 201 });
    await host.api('PUT', `/api/Service/Edit?id=${cut.id}`, { isOffered: false });

    await cancel(maya, again);

    const { offer } = await only(tomas);
    expect(await takeOffer(daybook.visitor(), offer)).toMatchObject({
      status: 200,
      json: { startsAt: booked.startsAt, service: { id: cut.id } },
    });
  });
});

test('an offer is taken by the rules that a booking obeys', async () => {
  const { host, offer } = await barberWithHold();
  await setRules(host, { notice: 4 * 24 * 60 });

  const taken = await takeOffer(daybook.visitor(), offer);

  expect(taken).toMatchObject({ status: 409, json: "This appointment can't be booked any more." });
});

test('an offer is taken as long as it was offered, though its service is longer by now', async () => {
  const { host, cut, offer } = await barberWithHold();
  await host.api('PUT', `/api/Service/Edit?id=${cut.id}`, { minutes: 45, gap: 15 });

  const taken = await takeOffer(daybook.visitor(), offer);

  expect(taken).toMatchObject({ status: 200, json: { startsAt: offer.startsAt, endsAt: offer.endsAt } });
});

test('answers are judged after an offer is over', async () => {
  const { offer } = await barberWithHold();
  await passOffer(daybook.visitor(), offer);

  const taken = await takeOffer(daybook.visitor(), offer, [{ question: 'Nobody asked', answer: 'yes' }]);

  expect(taken.status).toBe(409);
});

test('a time comes free for whoever has waited longest, though its person held another that they wait for too', async () => {
  const host = await newProvider();
  const [nine, half] = (await publish(host, { dates: [dayAhead(2)], start: '09:00', end: '10:00' })) as [Row, Row];
  const [ana, eve, gil] = await Promise.all([newConsumer(), newConsumer(), newConsumer()]);
  const first = (await book(ana, nine)).json as Row;
  const second = (await book(eve, half)).json as Row;
  await add(gil, host, { slotId: second.id });
  await add(eve, host, { insteadOf: second.id });
  await add(eve, host, { from: dayAhead(2), to: dayAhead(2), after: '09:30' });
  await cancel(ana, first);
  expect((await wishesOf(eve)).find(({ offer }) => offer)?.offer).toMatchObject({ startsAt: first.startsAt });

  await host.api('PUT', `/api/Appointment/Cancel?id=${second.id}&republish=true`);

  expect((await only(gil)).offer).toMatchObject({ startsAt: second.startsAt });
});
