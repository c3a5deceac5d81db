import { describe, expect, test } from 'vitest';
import { newsKinds, newsOf, newsTexts, setRules } from '../../support/account-calls';
import {
  book,
  cancel,
  dayAhead,
  type Person,
  password,
  peopleAt,
  publish,
  type Row,
  rowsOf,
  several,
  writeSlot,
} from '../../support/factories';
import { mailTo } from '../../support/mails';
import { createService } from '../../support/services';
import { useServer } from '../../support/use-server';
import { askedOf } from '../../support/visit';
import {
  add,
  addGuest as guestWaits,
  fullyBooked as oneFullyBooked,
  only,
  passOffer,
  takeOffer,
  type Wish,
  wishesOf,
} from '../../support/waitlist';

/* What is held for whoever waits for a time. */

const daybook = useServer({ vars: { RATE_LIMIT: 'off', MAIL_LIMITS: 'off', TIMING: 'on' } });
const people = peopleAt(daybook);
const { newProvider, newConsumer } = people;

const stranger = () => daybook.visitor();
const take = (offer: Wish['offer']) => takeOffer(stranger(), offer);
const pass = (offer: Wish['offer']) => passOffer(stranger(), offer);
const addGuest = (host: Person, wish?: object) => guestWaits(stranger(), host, wish);
const openOf = async ({ username }: Person) =>
  rowsOf(await stranger().api('GET', `/api/Public/Slots?provider=${username}`));
const timesOf = async (host: Person) => (await openOf(host)).map(({ startTime }) => startTime);
const filledOf = async (host: Person) =>
  (await newsTexts(host)).filter((text) => text.startsWith('Filled by the waitlist'));
const offerOf = async (who: Person) => (await only(who)).offer;

const fullyBooked = (details?: object) => oneFullyBooked(people, details);

const crowd = () => several(4, () => newConsumer()) as Promise<[Person, Person, Person, Person]>;

/** Clients who wait for any time of the provider's, one after the other. */
async function line(host: Person): Promise<[Person, Person, Person]> {
  const [, ...clients] = await crowd();
  for (const client of clients) expect((await add(client, host)).status).toBe(201);
  return clients;
}

/** A provider with an hour at nine, at ten and at eleven, of which each client has booked the next one. */
async function hoursOf(...clients: Person[]): Promise<{ host: Person; slots: [Row, Row, Row]; booked: Row[] }> {
  const host = await newProvider();
  const slots = await publish(host, { start: '09:00', end: '12:00', dates: [dayAhead(3)] }, 'len=60');
  const booked: Row[] = [];
  for (const [place, one] of clients.entries()) booked.push((await book(one, slots[place] as Row)).json as Row);
  return { host, slots: slots as [Row, Row, Row], booked };
}

describe('what is canceled', () => {
  test('is held for the first who waits, unlisted, and taken for everybody else', async () => {
    const { host, booker, booked } = await fullyBooked();
    const [first, second] = await line(host);
    expect((await cancel(booker, booked)).status).toBe(200);
    const offer = await offerOf(first);
    expect(offer).toMatchObject({ startsAt: booked.startsAt });
    expect(await offerOf(second)).toBeNull();
    expect(await openOf(host)).toEqual([]);
    expect((await stranger().api('GET', `/api/Public/Dates?provider=${host.username}`)).json).toEqual([]);
    expect((await book(second, { id: offer?.slotId ?? '' })).status).toBe(409);
    expect(await newsOf(first)).toMatchObject([
      { kind: 'offer', text: expect.stringContaining('held for you until') },
      { kind: 'wish' },
    ]);
    const taken = await take(offer);
    const theirs = { status: 1, username: first.username, startsAt: booked.startsAt };
    expect(taken).toMatchObject({ status: 200, json: theirs });
    expect((await take(offer)).json).toEqual(taken.json);
    expect(await wishesOf(first)).toEqual([]);
    expect((await newsOf(host)).slice(1)).toMatchObject([{ kind: 'canceled' }, { kind: 'booked' }]);
    expect((await newsOf(host))[0]?.text).toMatch(/^Filled by the waitlist: Person/);
    expect((await host.api('GET', '/api/People/GetPage')).json).toHaveLength(2);
  });

  test('is passed on, and two let pass end the wish', async () => {
    const { host, booker, booked } = await fullyBooked();
    const [first, second, third] = await line(host);
    await cancel(booker, booked);
    const offer = await offerOf(first);
    expect(await pass(offer)).toMatchObject({ status: 200, json: { offer: null, place: 1 } });
    for (const late of [pass, take]) expect((await late(offer)).status).toBe(409);
    for (const other of [second, third]) expect((await pass(await offerOf(other))).status).toBe(200);
    // Nobody else waits for it, and nobody is asked twice.
    expect(await openOf(host)).toHaveLength(1);
    await publish(host, { start: '15:00', end: '15:30', dates: [dayAhead(3)] });
    await pass(await offerOf(first));
    expect(await wishesOf(first)).toEqual([]);
  });

  test('by the provider is held where it is published again, and not where it is withdrawn', async () => {
    const { host, booked } = await fullyBooked({ end: '13:00' });
    const [other] = (await openOf(host)) as [Row];
    const again = (await book(await newConsumer(), other)).json as Row;
    const [ana] = await line(host);
    await cancel(host, booked);
    expect(await offerOf(ana)).toBeNull();
    await host.api('PUT', `/api/Appointment/Cancel?id=${again.id}&republish=true`, {});
    expect(await offerOf(ana)).not.toBeNull();
  });

  test('goes to an earlier time, and what that frees is offered on: a chain', async () => {
    const [ana, bo, cid] = await crowd();
    const { host, booked } = await hoursOf(ana, bo, cid);
    expect((await add(cid, host, { insteadOf: booked[2]?.id, before: '11:00' })).status).toBe(201);
    expect((await add(bo, host, { insteadOf: booked[1]?.id })).status).toBe(201);
    await cancel(ana, booked[0] as Row);
    // Whoever has waited longest is asked first.
    expect(await offerOf(bo)).toBeNull();
    await pass(await offerOf(cid));
    const moved = await take(await offerOf(bo));
    expect(moved).toMatchObject({ status: 200, json: { startTime: '09:00', movedFrom: booked[1]?.id } });
    const offer = await offerOf(cid);
    expect(offer).toMatchObject({ startsAt: booked[1]?.startsAt });
    expect(await take(offer)).toMatchObject({ status: 200, json: { startTime: '10:00', movedFrom: booked[2]?.id } });
    expect(await timesOf(host)).toEqual(['11:00']);
    // A chain is one line of news.
    const forward = /^Filled by the waitlist: 2 people moved forward. The last, .* moved from .*11:00 to/;
    expect(await filledOf(host)).toEqual([expect.stringMatching(forward)]);
  });

  test('is not held for a wish that its booking has overtaken, and the wish follows its booking', async () => {
    const [ana, bo] = [await newConsumer(), await newConsumer()];
    const { host, booked } = await hoursOf(ana, ana, bo);
    const [first, second, mine] = booked as [Row, Row, Row];
    expect((await add(bo, host, { insteadOf: mine.id, after: '10:00' })).status).toBe(201);
    await cancel(ana, second);
    expect(await offerOf(bo)).toMatchObject({ startsAt: second.startsAt });
    await cancel(ana, first);
    const [open] = await openOf(host);
    const moved = await bo.api('PUT', `/api/Appointment/Move?id=${mine.id}&to=${open?.id}`);
    expect(moved).toMatchObject({ status: 200, json: { startTime: '09:00' } });
    // They wait for what is before 9:00 now.
    expect(await only(bo)).toMatchObject({ offer: null, place: 1, insteadOf: (moved.json as Row).id });
    expect(await timesOf(host)).toEqual(['10:00', '11:00']);
  });
});

describe('a provider’s rules', () => {
  test('say who is offered a time: no guest where only accounts may book, and nobody who has all that one may have, unless it replaces that', async () => {
    const [booker, bo, ana] = await crowd();
    const { host, booked } = await hoursOf(booker, bo, ana);
    expect((await addGuest(host, { before: '10:00' })).status).toBe(201);
    await setRules(host, { perPerson: 1, openTo: 'accounts' });
    expect((await add(bo, host, { before: '10:00' })).status).toBe(201);
    expect((await add(ana, host, { insteadOf: booked[2]?.id })).status).toBe(201);
    await cancel(booker, booked[0] as Row);
    expect(await offerOf(bo)).toBeNull();
    expect(await take(await offerOf(ana))).toMatchObject({ status: 200, json: { startTime: '09:00' } });
  });

  test('count what is held as booked: a day is full with it', async () => {
    const [booker, ana, bo] = await crowd();
    const { host, slots, booked } = await hoursOf(booker);
    await setRules(host, { perDay: 1 });
    expect((await add(ana, host)).status).toBe(201);
    await cancel(booker, booked[0] as Row);
    expect(await openOf(host)).toEqual([]);
    expect(await book(bo, slots[1])).toMatchObject({ status: 409, json: expect.stringContaining('is full') });
    await pass(await offerOf(ana));
    // The day has room again: what is left of it is offered to whoever passed.
    expect(await offerOf(ana)).toMatchObject({ startsAt: slots[1].startsAt });
  });

  describe('that switch the waitlist off, so that nobody in line is held', () => {
    async function switchedOff() {
      const world = await fullyBooked();
      const waiter = await newConsumer();
      expect((await add(waiter, world.host)).status).toBe(201);
      await setRules(world.host, { waitlist: 'off' });
      return { ...world, waiter };
    }

    test('a time that is canceled', async () => {
      const { host, booker, booked, waiter } = await switchedOff();

      await cancel(booker, booked);

      expect(await offerOf(waiter)).toBeNull();
      expect(await timesOf(host)).toEqual(['12:00']);
    });

    test('a time that is published', async () => {
      const { host, waiter } = await switchedOff();

      await publish(host, { start: '15:00', end: '15:30', dates: [dayAhead(3)] });

      expect(await offerOf(waiter)).toBeNull();
      expect(await timesOf(host)).toEqual(['15:00']);
    });

    test('a time that the provider offers by hand', async () => {
      const { host, waiter } = await switchedOff();
      const [slot] = (await publish(host, { start: '15:00', end: '15:30', dates: [dayAhead(3)] })) as [Row];
      const { id } = await only(waiter);

      const answer = await host.api('PUT', `/api/Waitlist/Offer?id=${id}&slotId=${slot.id}`);

      expect(answer.status).toBe(409);
      expect(await offerOf(waiter)).toBeNull();
    });
  });

  test('let a class that has begun to fill take whom the list invites, though its day is full', async () => {
    const [host, ana, bo, waiter] = [await newProvider(), ...(await crowd())];
    const { id: serviceId } = await createService(host, { seats: 2, minutes: 60 });
    const [yogaClass] = (await publish(host, { end: '10:00', dates: [dayAhead(2)], serviceId })) as [Row];
    await setRules(host, { perDay: 1 });
    await book(ana, yogaClass);
    const seat = (await book(bo, yogaClass)).json as Row;
    await add(waiter, host, { slotId: yogaClass.id });

    await cancel(bo, seat);
    const offer = await offerOf(waiter);
    const taken = await take(offer);

    expect(offer).toMatchObject({ slotId: yogaClass.id });
    expect(taken).toMatchObject({ status: 200, json: { slotId: yogaClass.id } });
  });

  test('that free a time tell all whom it suits, once, by the hourly job', async () => {
    const [booker, ana, bo, cid] = await crowd();
    const { host } = await hoursOf(booker);
    await setRules(host, { notice: 30 * 24 * 60 });
    for (const who of [ana, bo]) expect((await add(who, host)).status).toBe(201);
    expect((await add(cid, host, { before: '08:00' })).status).toBe(201);
    await setRules(host, { notice: 0 });
    for (const _ of ['once', 'and again']) await daybook.scheduled();
    const told = { kind: 'offer', text: expect.stringContaining('10:00') };
    for (const who of [ana, bo]) {
      expect(await newsOf(who)).toMatchObject([told, { kind: 'wish' }]);
      expect(await offerOf(who)).toBeNull();
    }
    expect(await newsKinds(cid)).toEqual(['wish']);
    expect(await openOf(host)).toHaveLength(2);
  });
});

test('a seat of a class, and more seats, are offered', async () => {
  const host = await newProvider();
  const { id: serviceId } = await createService(host, { seats: 2, minutes: 60 });
  const [slot] = (await publish(host, { start: '10:00', end: '11:00', dates: [dayAhead(2)], serviceId })) as [Row];
  const [ana, bo, cid, dee] = await crowd();
  const wait = async (who: Person) => (await add(who, host, { slotId: slot.id })).status;
  const mine = (await book(ana, slot)).json as Row;
  expect(await wait(cid)).toBe(409);
  await book(bo, slot);
  expect([await wait(cid), await wait(dee)]).toEqual([201, 201]);
  await cancel(ana, mine);
  const offer = await offerOf(cid);
  expect([offer?.slotId, await offerOf(dee)]).toEqual([slot.id, null]);
  expect((await host.api('PUT', `/api/Service/Edit?id=${serviceId}`, { seats: 3 })).status).toBe(200);
  expect(await offerOf(dee)).not.toBeNull();
  expect(await openOf(host)).toEqual([]);
  expect(await take(offer)).toMatchObject({ status: 200, json: { slotId: slot.id, seats: 3, free: 0 } });
});

test('what is published is offered, by hand and by hours; so is what somebody leaves behind', async () => {
  const { host, booker, booked } = await fullyBooked();
  const [first, second, third, fourth] = await crowd();
  for (const who of [first, second]) await add(who, host, { to: dayAhead(9) });
  await publish(host, { start: '15:00', end: '16:30', dates: [dayAhead(4)] });
  expect(await offerOf(first)).toMatchObject({ startsAt: expect.stringContaining('T15:00') });
  expect(await offerOf(second)).toMatchObject({ startsAt: expect.stringContaining('T15:30') });
  expect(await timesOf(host)).toEqual(['16:00']);
  expect((await add(third, host, { before: '08:00' })).status).toBe(201);
  const hours = [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, start: '07:00', end: '08:00' }));
  await host.api('PUT', '/api/Appointment/SetHours', { hours, except: [], len: 30, gap: 0, ahead: 5 });
  expect(await offerOf(third)).toMatchObject({ startsAt: expect.stringContaining('T07:00') });
  await pass(await offerOf(first));
  // An account that is deleted frees what it has, and what is held for it.
  expect((await add(fourth, host, { slotId: booked.slotId })).status).toBe(201);
  const leave = async (who: Person) => (await who.api('DELETE', '/api/Account/Delete', { password })).status;
  expect(await leave(booker)).toBe(204);
  expect(await offerOf(fourth)).toMatchObject({ startsAt: booked.startsAt });
  expect(await leave(fourth)).toBe(204);
  expect((await openOf(host)).map(({ startsAt }) => startsAt)).toContain(booked.startsAt);
});

test('a provider’s page that is made after a hold began never shows its time, kept or not', async () => {
  const { host, booker, booked } = await fullyBooked({ end: '13:00' });
  const page = (rest = '') => stranger().get(`/with/${host.username}${rest}`);
  const times = async () => (await page()).$$('.slots a').map(({ text }) => text.trim().slice(0, 5));
  // The other time is free, and the page is kept.
  expect([await times(), await times()]).toEqual([['12:30'], ['12:30']]);
  const waiter = await newConsumer();
  expect((await add(waiter, host, { before: '12:30' })).status).toBe(201);
  await cancel(booker, booked);
  const offer = await offerOf(waiter);
  for (const _ of ['made anew', 'kept']) expect(await times()).toEqual(['12:30']);
  // Nor does the page of its day, or the form of the time itself.
  for (const rest of ['', `?dates=${booked.date}`]) expect((await page(rest)).text).not.toContain(offer?.slotId);
  expect((await page(`/${offer?.slotId}`)).status).toBe(409);
  await pass(offer);
  expect(await times()).toEqual(['12:00', '12:30']);
});

describe('a guest is told by mail', () => {
  test('of a time within two hours, as all whom it fits are, and the first to book has it', async () => {
    const [host, booker] = [await newProvider(), await newConsumer()];
    const booked = await writeSlot(daybook.d1, host, { startsIn: 90, booker });
    const emails = ['one', 'two'].map((name) => `${name}.${host.username}@mail.test`);
    for (const email of emails) expect((await addGuest(host, { email })).status).toBe(201);
    expect((await cancel(booker, booked)).status).toBe(200);
    const forms = await several(2, async (place) => {
      const mail = await mailTo(stranger(), emails[place] as string, /^Free for you/);
      expect(mail.text).toContain('It is not held: the first to book has it.');
      return stranger().get(mail.link('/with/'));
    });
    for (const [place, words] of ['Booked for Gus', 'Just gone'].entries()) {
      expect((await forms[place]?.submit('Book', { displayName: 'Gus' }))?.words).toContain(words);
    }
  });
});

test('what waiting costs: trips, rows read and rows written', async () => {
  const { host, booker, booked } = await fullyBooked();
  const [first, ...others] = (await several(10, () => newConsumer())) as [Person, ...Person[]];
  const wish = { from: booked.date, to: booked.date };
  const within = ({ headers }: { headers: Headers }, trips: number, read: number, written: number) => {
    const asked = askedOf(headers);
    expect(asked.trips).toBe(trips);
    expect(asked.read).toBeLessThanOrEqual(read);
    expect(asked.written).toBeLessThanOrEqual(written);
  };
  within(await add(first, host, wish), 2, 60, 8);
  for (const one of others) expect((await add(one, host, wish)).status).toBe(201);
  within(await cancel(booker, booked), 1, 220, 22);
  const { link, offer } = await only(first);
  within(await stranger().get(link), 1, 20, 0);
  within(await stranger().get(offer?.link ?? ''), 1, 10, 0);
  within(await first.browser.get('/waitlist'), 1, 30, 0);
  within(await host.browser.get('/waitlist'), 1, 300, 0);
  within(await take(offer), 2, 50, 12);
});
