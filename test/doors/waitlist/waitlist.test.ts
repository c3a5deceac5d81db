import { describe, expect, test } from 'vitest';
import { newsKinds, newsOf, newsTexts, setRules } from '../../support/account-calls';
import { agenda as agendaOf } from '../../support/appointment-calls';
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
import { everyDay } from '../../support/plain-hours';
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
const openSlotsOf = async ({ username }: Person) =>
  rowsOf(await stranger().api('GET', `/api/Public/Slots?provider=${username}`));
const timesOf = async (host: Person) => (await openSlotsOf(host)).map(({ startTime }) => startTime);
const filledNewsOf = async (host: Person) =>
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

describe('what a client cancels', () => {
  /** Noon is canceled, with three in line. */
  async function canceledWithLine() {
    const { host, booker, booked } = await fullyBooked();
    const [first, second, third] = await line(host);
    const canceled = await cancel(booker, booked);
    expect(canceled.status).toBe(200);
    return { host, booked, first, second, third };
  }

  test('is held for the first who waits', async () => {
    const { booked, first, second } = await canceledWithLine();

    expect(await offerOf(first)).toMatchObject({ startsAt: booked.startsAt });
    expect(await offerOf(second)).toBeNull();
  });

  test('is in no list while it is held', async () => {
    const { host } = await canceledWithLine();

    expect(await openSlotsOf(host)).toEqual([]);
    expect((await stranger().api('GET', `/api/Public/Dates?provider=${host.username}`)).json).toEqual([]);
  });

  test('can’t be booked by others while it is held', async () => {
    const { first, second } = await canceledWithLine();
    const offer = await offerOf(first);

    expect((await book(second, { id: offer?.slotId ?? '' })).status).toBe(409);
  });

  test('is told to whom it is held for', async () => {
    const { first } = await canceledWithLine();

    expect(await newsOf(first)).toMatchObject([
      { kind: 'offer', text: expect.stringContaining('held for you until') },
      { kind: 'wish' },
    ]);
  });

  test('is booked by whoever takes the offer', async () => {
    const { host, booked, first } = await canceledWithLine();

    const taken = await take(await offerOf(first));

    const theirs = { status: 1, username: first.username, startsAt: booked.startsAt };
    expect(taken).toMatchObject({ status: 200, json: theirs });
    expect(await wishesOf(first)).toEqual([]);
    expect((await host.api('GET', '/api/People/GetPage')).json).toHaveLength(2);
  });

  test('is booked once by an offer that is taken twice', async () => {
    const { first } = await canceledWithLine();
    const offer = await offerOf(first);

    const taken = await take(offer);
    const again = await take(offer);

    expect(again.json).toEqual(taken.json);
  });

  test('is told to its provider as filled once the offer is taken', async () => {
    const { host, first } = await canceledWithLine();

    await take(await offerOf(first));

    const [filled, ...before] = await newsOf(host);
    expect(filled?.text).toMatch(/^Filled by the waitlist: Person/);
    expect(before).toMatchObject([{ kind: 'canceled' }, { kind: 'booked' }]);
  });

  test('is held for the next once the first passes it on', async () => {
    const { first, second } = await canceledWithLine();

    const passed = await pass(await offerOf(first));

    expect(passed).toMatchObject({ status: 200, json: { offer: null, place: 1 } });
    expect(await offerOf(second)).not.toBeNull();
  });

  test('can’t be taken or passed by whoever has passed it', async () => {
    const { first } = await canceledWithLine();
    const offer = await offerOf(first);
    await pass(offer);

    const passedAgain = await pass(offer);
    const taken = await take(offer);

    expect(passedAgain.status).toBe(409);
    expect(taken.status).toBe(409);
  });

  test('is free once everybody in line has passed it', async () => {
    const { host, first, second, third } = await canceledWithLine();

    for (const waiter of [first, second, third]) expect((await pass(await offerOf(waiter))).status).toBe(200);

    expect(await timesOf(host)).toEqual(['12:00']);
  });
});

test('whoever lets two offers pass waits no longer', async () => {
  const { host, booker, booked } = await fullyBooked();
  const waiter = await newConsumer();
  await add(waiter, host);
  await cancel(booker, booked);
  await pass(await offerOf(waiter));
  await publish(host, { start: '15:00', end: '15:30', dates: [dayAhead(3)] });

  await pass(await offerOf(waiter));

  expect(await wishesOf(waiter)).toEqual([]);
});

describe('what a provider cancels', () => {
  test('is held for nobody where it is withdrawn', async () => {
    const { host, booked } = await fullyBooked();
    const [ana] = await line(host);

    await cancel(host, booked);

    expect(await offerOf(ana)).toBeNull();
  });

  test('is held where it is published again', async () => {
    const { host, booked } = await fullyBooked();
    const [ana] = await line(host);

    await host.api('PUT', `/api/Appointment/Cancel?id=${booked.id}&republish=true`, {});

    expect(await offerOf(ana)).toMatchObject({ startsAt: booked.startsAt });
  });
});

describe('a wish for an earlier time', () => {
  /** Ana has nine, Bo ten and Cid eleven. Cid and then Bo wait for an earlier time, and Ana cancels. */
  async function chain() {
    const [ana, bo, cid] = await crowd();
    const { host, booked } = await hoursOf(ana, bo, cid);
    const [nine, ten, eleven] = booked as [Row, Row, Row];
    expect((await add(cid, host, { insteadOf: eleven.id, before: '11:00' })).status).toBe(201);
    expect((await add(bo, host, { insteadOf: ten.id })).status).toBe(201);
    await cancel(ana, nine);
    return { host, bo, cid, nine, ten, eleven };
  }

  test('is offered first to whoever has waited longest', async () => {
    const { bo, cid, nine } = await chain();

    expect(await offerOf(cid)).toMatchObject({ startsAt: nine.startsAt });
    expect(await offerOf(bo)).toBeNull();
  });

  test('moves the appointment that it replaces', async () => {
    const { bo, cid, ten } = await chain();
    await pass(await offerOf(cid));

    const moved = await take(await offerOf(bo));

    expect(moved).toMatchObject({ status: 200, json: { startTime: '09:00', movedFrom: ten.id } });
  });

  test('moves nothing once its appointment can’t be moved any more', async () => {
    const { cid, eleven } = await chain();
    await daybook.d1.prepare('UPDATE bookings SET cancel_until = 10 * 24 * 60 WHERE id = ?').bind(eleven.id).run();

    const taken = await take(await offerOf(cid));

    expect(taken).toMatchObject({ status: 409, json: expect.stringContaining('can’t be moved any more') });
    expect(await agendaOf(cid)).toMatchObject([{ id: eleven.id }]);
  });

  test('offers on what it frees', async () => {
    const { host, bo, cid, ten, eleven } = await chain();
    await pass(await offerOf(cid));
    await take(await offerOf(bo));

    const freed = await offerOf(cid);
    const moved = await take(freed);

    expect(freed).toMatchObject({ startsAt: ten.startsAt });
    expect(moved).toMatchObject({ status: 200, json: { startTime: '10:00', movedFrom: eleven.id } });
    expect(await timesOf(host)).toEqual(['11:00']);
  });

  test('is one line of news with the others of its chain', async () => {
    const { host, bo, cid } = await chain();
    await pass(await offerOf(cid));
    await take(await offerOf(bo));
    await take(await offerOf(cid));

    const forward = /^Filled by the waitlist: 2 people moved forward. The last, .* moved from .*11:00 to/;
    expect(await filledNewsOf(host)).toEqual([expect.stringMatching(forward)]);
  });

  /**
   * Ana has the hour at nine and Bo 45 minutes of that at ten, for a service of which this changes. Bo waits for an earlier
   * time, and Ana cancels.
   */
  async function afterChange(change: object) {
    const [ana, bo] = [await newConsumer(), await newConsumer()];
    const { host, slots, booked } = await hoursOf(ana);
    const service = await createService(host, { minutes: 45, price: '30 €' });
    const { json: ten } = await bo.api('PUT', `/api/Appointment/Book?id=${slots[1].id}&service=${service.id}`);
    await host.api('PUT', `/api/Service/Edit?id=${service.id}`, change);
    expect((await add(bo, host, { insteadOf: (ten as Row).id })).status).toBe(201);
    await cancel(ana, booked[0] as Row);
    return { bo };
  }

  test('keeps the length and the price of its appointment', async () => {
    const { bo } = await afterChange({ minutes: 30, price: '99 €' });

    const moved = await take(await offerOf(bo));

    const kept = { startTime: '09:00', endTime: '09:45', service: expect.objectContaining({ price: '30 €' }) };
    expect(moved).toMatchObject({ status: 200, json: kept });
  });

  test('is offered what its appointment fits into, though its service has become longer', async () => {
    const { bo } = await afterChange({ minutes: 90 });

    const moved = await take(await offerOf(bo));

    expect(moved).toMatchObject({ status: 200, json: { startTime: '09:00', endTime: '09:45' } });
  });

  /** Ana has nine and ten, and Bo eleven. Ten is held for Bo, who moves to nine. */
  async function overtaken() {
    const [ana, bo] = [await newConsumer(), await newConsumer()];
    const { host, booked } = await hoursOf(ana, ana, bo);
    const [nine, ten, eleven] = booked as [Row, Row, Row];
    expect((await add(bo, host, { insteadOf: eleven.id, after: '10:00' })).status).toBe(201);
    await cancel(ana, ten);
    expect(await offerOf(bo)).toMatchObject({ startsAt: ten.startsAt });
    await cancel(ana, nine);
    const [open] = await openSlotsOf(host);
    const moved = await bo.api('PUT', `/api/Appointment/Move?id=${eleven.id}&to=${open?.id}`);
    expect(moved).toMatchObject({ status: 200, json: { startTime: '09:00' } });
    return { host, bo, moved: moved.json as Row };
  }

  test('holds nothing that its appointment has overtaken', async () => {
    const { host, bo } = await overtaken();

    expect(await offerOf(bo)).toBeNull();
    expect(await timesOf(host)).toEqual(['10:00', '11:00']);
  });

  test('follows its appointment', async () => {
    const { bo, moved } = await overtaken();

    expect(await only(bo)).toMatchObject({ place: 1, insteadOf: moved.id });
  });
});

describe('a provider’s rules', () => {
  test('offer nothing to a guest where only accounts may book', async () => {
    const { host, booker, booked } = await fullyBooked();
    expect((await addGuest(host)).status).toBe(201);
    await setRules(host, { openTo: 'accounts' });

    await cancel(booker, booked);

    expect(await timesOf(host)).toEqual(['12:00']);
  });

  test('refuse a stranger before they type anything where only accounts may book', async () => {
    const { host } = await fullyBooked();
    await setRules(host, { openTo: 'accounts' });

    const page = await daybook.visitor().get(`/with/${host.username}/wait`);

    expect(page.words).toContain('with an account only. Log in');
    expect(page.$('input[name="displayName"]')).toBeNull();
  });

  test('offer nothing to whoever has all that one may have', async () => {
    const [booker, bo] = await crowd();
    const { host, booked } = await hoursOf(booker, bo);
    await setRules(host, { perPerson: 1 });
    expect((await add(bo, host, { before: '10:00' })).status).toBe(201);

    await cancel(booker, booked[0] as Row);

    expect(await offerOf(bo)).toBeNull();
  });

  test('let a time replace the only one that somebody may have', async () => {
    const [booker, ana] = await crowd();
    const { host, booked } = await hoursOf(booker, ana);
    await setRules(host, { perPerson: 1 });
    expect((await add(ana, host, { insteadOf: booked[1]?.id })).status).toBe(201);

    await cancel(booker, booked[0] as Row);

    expect(await take(await offerOf(ana))).toMatchObject({ status: 200, json: { startTime: '09:00' } });
  });

  describe('that limit a day to one appointment', () => {
    async function heldOnFullDay() {
      const [booker, ana, bo] = await crowd();
      const { host, slots, booked } = await hoursOf(booker);
      await setRules(host, { perDay: 1 });
      expect((await add(ana, host)).status).toBe(201);
      await cancel(booker, booked[0] as Row);
      return { host, slots, ana, bo };
    }

    test('count what is held as booked', async () => {
      const { host, slots, bo } = await heldOnFullDay();

      const response = await book(bo, slots[1]);

      expect(await openSlotsOf(host)).toEqual([]);
      expect(response).toMatchObject({ status: 409, json: expect.stringContaining('is full') });
    });

    test('offer the rest of the day to whoever passes a time of it', async () => {
      const { slots, ana } = await heldOnFullDay();

      await pass(await offerOf(ana));

      expect(await offerOf(ana)).toMatchObject({ startsAt: slots[1].startsAt });
    });
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

      const response = await host.api('PUT', `/api/Waitlist/Offer?id=${id}&slotId=${slot.id}`);

      expect(response.status).toBe(409);
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

  describe('that free a time', () => {
    /** Ana and Bo wait for any time, Cid for an early one. Rules forbade each time until now, and the hourly job runs twice. */
    async function freedByRules() {
      const [booker, ana, bo, cid] = await crowd();
      const { host } = await hoursOf(booker);
      await setRules(host, { notice: 30 * 24 * 60 });
      for (const waiter of [ana, bo]) expect((await add(waiter, host)).status).toBe(201);
      expect((await add(cid, host, { before: '08:00' })).status).toBe(201);
      await setRules(host, { notice: 0 });
      for (const _ of ['once', 'again']) await daybook.scheduled();
      return { host, ana, bo, cid };
    }

    test('tell all whom it suits, once', async () => {
      const { ana, bo } = await freedByRules();

      const told = { kind: 'offer', text: expect.stringContaining('10:00') };
      expect(await newsOf(ana)).toMatchObject([told, { kind: 'wish' }]);
      expect(await newsOf(bo)).toMatchObject([told, { kind: 'wish' }]);
    });

    test('tell nobody whom it does not suit', async () => {
      const { cid } = await freedByRules();

      expect(await newsKinds(cid)).toEqual(['wish']);
    });

    test('hold it for nobody', async () => {
      const { host, ana, bo } = await freedByRules();

      expect(await offerOf(ana)).toBeNull();
      expect(await offerOf(bo)).toBeNull();
      expect(await openSlotsOf(host)).toHaveLength(2);
    });
  });
});

describe('a class', () => {
  /** A class for two, full of Ana and Bo, for which Cid and Dee wait. */
  async function fullClass() {
    const host = await newProvider();
    const yoga = await createService(host, { seats: 2, minutes: 60 });
    const details = { start: '10:00', end: '11:00', dates: [dayAhead(2)], serviceId: yoga.id };
    const [slot] = (await publish(host, details)) as [Row];
    const [ana, bo, cid, dee] = await crowd();
    const seat = (await book(ana, slot)).json as Row;
    await book(bo, slot);
    for (const waiter of [cid, dee]) expect((await add(waiter, host, { slotId: slot.id })).status).toBe(201);
    return { host, yoga, slot, ana, seat, cid, dee };
  }

  test('has no line while it has a place left', async () => {
    const host = await newProvider();
    const yoga = await createService(host, { seats: 2 });
    const [slot] = (await publish(host, { dates: [dayAhead(2)], serviceId: yoga.id })) as [Row];
    await book(await newConsumer(), slot);

    expect((await add(await newConsumer(), host, { slotId: slot.id })).status).toBe(409);
  });

  test('has a seat that is canceled held for the first who waits', async () => {
    const { slot, ana, seat, cid, dee } = await fullClass();

    await cancel(ana, seat);

    expect(await offerOf(cid)).toMatchObject({ slotId: slot.id });
    expect(await offerOf(dee)).toBeNull();
  });

  test('has a new seat held for whoever waits', async () => {
    const { host, yoga, slot, cid } = await fullClass();

    const edited = await host.api('PUT', `/api/Service/Edit?id=${yoga.id}`, { seats: 3 });

    expect(edited.status).toBe(200);
    expect(await offerOf(cid)).toMatchObject({ slotId: slot.id });
    expect(await openSlotsOf(host)).toEqual([]);
  });

  test('counts what is held for others as taken', async () => {
    const { host, yoga, slot, ana, seat, cid, dee } = await fullClass();
    await cancel(ana, seat);
    await host.api('PUT', `/api/Service/Edit?id=${yoga.id}`, { seats: 3 });
    expect(await offerOf(dee)).not.toBeNull();

    const taken = await take(await offerOf(cid));

    expect(taken).toMatchObject({ status: 200, json: { slotId: slot.id, seats: 3, free: 0 } });
  });
});

describe('what is published', () => {
  test('by hand is held for those who wait, in their order', async () => {
    const host = await newProvider();
    const [first, second] = await crowd();
    for (const waiter of [first, second]) await add(waiter, host, { to: dayAhead(9) });

    await publish(host, { start: '15:00', end: '16:30', dates: [dayAhead(4)] });

    expect(await offerOf(first)).toMatchObject({ startsAt: expect.stringContaining('T15:00') });
    expect(await offerOf(second)).toMatchObject({ startsAt: expect.stringContaining('T15:30') });
    expect(await timesOf(host)).toEqual(['16:00']);
  });

  test('by hours is held for those who wait', async () => {
    const [host, waiter] = [await newProvider(), await newConsumer()];
    // Today's may begin so soon that nothing is held.
    expect((await add(waiter, host, { from: dayAhead(1), before: '08:00' })).status).toBe(201);

    const hours = everyDay('07:00', '08:00');
    await host.api('PUT', '/api/Appointment/SetHours', { hours, except: [], len: 30, gap: 0, ahead: 5 });

    expect(await offerOf(waiter)).toMatchObject({ startsAt: expect.stringContaining('T07:00') });
  });
});

describe('an account that is deleted', () => {
  const deleteAccount = (who: Person) => who.api('DELETE', '/api/Account/Delete', { password });

  test('has its time offered to those who wait', async () => {
    const { host, booker, booked } = await fullyBooked();
    const waiter = await newConsumer();
    expect((await add(waiter, host, { slotId: booked.slotId })).status).toBe(201);

    const deleted = await deleteAccount(booker);

    expect(deleted.status).toBe(204);
    expect(await offerOf(waiter)).toMatchObject({ startsAt: booked.startsAt });
  });

  test('frees what is held for it', async () => {
    const { host, booker, booked } = await fullyBooked();
    const waiter = await newConsumer();
    await add(waiter, host);
    await cancel(booker, booked);
    expect(await offerOf(waiter)).not.toBeNull();

    const deleted = await deleteAccount(waiter);

    expect(deleted.status).toBe(204);
    expect(await timesOf(host)).toEqual([booked.startTime]);
  });
});

describe('a provider’s page', () => {
  /** Noon is held for a client. Half past twelve is free, and the page was cached before. */
  async function heldNoon() {
    const { host, booker, booked } = await fullyBooked({ end: '13:00' });
    const pageOf = (rest = '') => stranger().get(`/with/${host.username}${rest}`);
    const timesOn = async () => (await pageOf()).$$('.slots a').map(({ text }) => text.trim().slice(0, 5));
    expect(await timesOn()).toEqual(['12:30']);
    expect(await timesOn()).toEqual(['12:30']);
    const waiter = await newConsumer();
    expect((await add(waiter, host, { before: '12:30' })).status).toBe(201);
    await cancel(booker, booked);
    const offer = await offerOf(waiter);
    if (!offer) throw new Error('Nothing is held.');
    return { booked, offer, pageOf, timesOn };
  }

  test('shows no held time, cached or not', async () => {
    const { timesOn } = await heldNoon();

    expect(await timesOn(), 'made anew').toEqual(['12:30']);
    expect(await timesOn(), 'cached').toEqual(['12:30']);
  });

  test('names no held time on the page of its day', async () => {
    const { booked, offer, pageOf } = await heldNoon();

    expect((await pageOf()).text).not.toContain(offer.slotId);
    expect((await pageOf(`?dates=${booked.date}`)).text).not.toContain(offer.slotId);
  });

  test('has no form for a held time', async () => {
    const { offer, pageOf } = await heldNoon();

    expect((await pageOf(`/${offer.slotId}`)).status).toBe(409);
  });

  test('shows a held time again once it is passed', async () => {
    const { offer, timesOn } = await heldNoon();

    await pass(offer);

    expect(await timesOn()).toEqual(['12:00', '12:30']);
  });
});

describe('a time within two hours', () => {
  /** Two guests wait for it, and it comes free. */
  async function freedSoon() {
    const [host, booker] = [await newProvider(), await newConsumer()];
    const booked = await writeSlot(daybook.d1, host, { startsIn: 90, booker });
    const [one, two] = ['one', 'two'].map((name) => `${name}.${host.username}@mail.test`) as [string, string];
    for (const email of [one, two]) expect((await addGuest(host, { email })).status).toBe(201);
    expect((await cancel(booker, booked)).status).toBe(200);
    const mailOf = (email: string) => mailTo(stranger(), email, /^Free for you/);
    return { mails: await Promise.all([mailOf(one), mailOf(two)]) };
  }

  test('is told to all guests whom it fits by mail, as not held', async () => {
    const { mails } = await freedSoon();

    for (const { text } of mails) expect(text).toContain('It is not held: the first to book has it.');
  });

  test('is had by the first who books it', async () => {
    const { mails } = await freedSoon();
    const openForm = (mail: (typeof mails)[number]) => stranger().get(mail.link('/with/'));
    const [first, second] = [await openForm(mails[0]), await openForm(mails[1])];

    const won = await first.submit('Book', { displayName: 'Gus' });
    const lost = await second.submit('Book', { displayName: 'Gus' });

    expect(won.words).toContain('Booked for Gus');
    expect(lost.words).toContain('Just gone');
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
  within(await stranger().get(link ?? ''), 1, 20, 0);
  within(await stranger().get(offer?.link ?? ''), 1, 10, 0);
  within(await first.browser.get('/waitlist'), 1, 30, 0);
  within(await host.browser.get('/waitlist'), 1, 300, 0);
  within(await take(offer), 2, 60, 12);
});
