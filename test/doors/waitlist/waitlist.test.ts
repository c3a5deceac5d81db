import { describe, expect, test } from 'vitest';
import { askedOf } from '../../support/asked';
import {
  book,
  cancel,
  dayAhead,
  look,
  type Person,
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
import {
  add,
  keyOf,
  fullyBooked as oneFullyBooked,
  only,
  passOffer,
  takeOffer,
  type Wish,
  wishesOf,
} from '../../support/waitlist';

/* Who waits for a time, and what is held for them. */

const daybook = useServer({ vars: { RATE_LIMIT: 'off', MAIL_LIMITS: 'off', TIMING: 'on' } });
const limited = useServer({ vars: { RATE_LIMIT: undefined } });
const people = peopleAt(daybook);
const { newProvider, newConsumer } = people;

const stranger = () => daybook.visitor();
const take = (offer: Wish['offer'], body?: unknown) => takeOffer(stranger(), offer, body);
const pass = (offer: Wish['offer']) => passOffer(stranger(), offer);
const openOf = async (provider: Person) =>
  rowsOf(await stranger().api('GET', `/api/Public/Slots?provider=${provider.username}`));
const newsOf = async (who: Person) =>
  (await who.api('GET', '/api/Account/GetNews')).json as { kind: string; text: string }[];
const kinds = async (who: Person) => (await newsOf(who)).map(({ kind }) => kind);

const fullyBooked = (details?: object) => oneFullyBooked(people, details);

describe('Add', () => {
  test('notes a wish, says the place in line, and is told by news and a link', async () => {
    const { host } = await fullyBooked();
    const [first, second] = [await newConsumer(), await newConsumer()];
    const answer = await add(first, host, {
      from: dayAhead(1),
      to: dayAhead(9),
      days: [0, 1, 2, 3, 4, 5, 6],
      after: '08:00',
    });
    expect(answer).toMatchObject({
      status: 201,
      json: { place: 1, provider: host.username, after: '08:00', offer: null },
    });
    expect((answer.json as Wish).link).toMatch(/^\/waiting\/[\w-]{60,}$/);
    expect(await add(second, host)).toMatchObject({ status: 201, json: { place: 2 } });
    // The same again is the same.
    expect((await add(second, host)).json).toEqual(await only(second));
    expect(await kinds(first)).toEqual(['wish']);
    const waiting = (await host.api('GET', '/api/Waitlist/GetPage')).json as { username: string; place: number }[];
    expect(waiting.map(({ username, place }) => [username, place])).toEqual([
      [first.username, 1],
      [second.username, 2],
    ]);
  });

  test('names a fitting time that is free', async () => {
    const { host } = await fullyBooked();
    await publish(host, { start: '15:00', end: '15:30', dates: [dayAhead(3)] });
    const ana = await newConsumer();
    expect(await add(ana, host)).toMatchObject({ status: 409, json: expect.stringContaining('15:00') });
    expect(await wishesOf(ana)).toEqual([]);
    expect(await kinds(ana)).toEqual([]);
    expect((await add(ana, host, { before: '14:00' })).status).toBe(201);
  });

  test('takes ten wishes of a person, no more', async () => {
    const { host } = await fullyBooked();
    const ana = await newConsumer();
    for (let days = 1; days <= 10; days++) expect((await add(ana, host, { to: dayAhead(10 + days) })).status).toBe(201);
    expect(await add(ana, host, { to: dayAhead(30) })).toMatchObject({
      status: 409,
      json: expect.stringContaining('at most 10'),
    });
  });

  test('takes a thousand wishes for a provider, no more, and still as many for another', async () => {
    const [{ host }, { host: other }] = [await fullyBooked(), await fullyBooked()];
    const [ana, bo] = [await newConsumer(), await newConsumer()];
    expect((await add(ana, host)).status).toBe(201);
    const wish = await daybook.d1
      .prepare('SELECT * FROM wishes WHERE id = ?')
      .bind((await only(ana)).id)
      .first();
    const columns = Object.keys(wish ?? {}).join(', ');
    await daybook.d1
      .prepare(`WITH RECURSIVE n (one) AS (SELECT 1 UNION ALL SELECT one + 1 FROM n WHERE one < 999)
        INSERT INTO wishes (${columns}) SELECT ${columns.replace(/\bid\b/, "provider_id || printf('%016d', n.one)")}
        FROM wishes CROSS JOIN n WHERE id = ?`)
      .bind(wish?.id)
      .run();
    const refused = await add(bo, host);
    expect(refused).toMatchObject({ status: 409, json: expect.stringContaining('the waitlist is full') });
    expect(await wishesOf(bo)).toEqual([]);
    expect((await add(bo, other)).status).toBe(201);
    await daybook.d1.prepare('DELETE FROM wishes WHERE provider_id = ?').bind(wish?.provider_id).run();
  });

  test('refuses providers, strangers without a name or address, and what makes no sense', async () => {
    const { host, booked } = await fullyBooked();
    const ana = await newConsumer();
    expect((await add(host, host)).status).toBe(403);
    const visitor = stranger();
    const body = { provider: host.username };
    expect((await visitor.api('POST', '/api/Waitlist/Add', body)).status).toBe(401);
    expect(await visitor.api('POST', '/api/Waitlist/Add', { ...body, displayName: 'Gus' })).toMatchObject({
      status: 400,
    });
    expect((await add(ana, { ...host, username: 'nobody-such' })).status).toBe(404);
    expect((await add(ana, host, { insteadOf: booked.id })).status).toBe(404);
    expect((await add(ana, host, { slotId: 'nothing' })).status).toBe(404);
    expect((await add(ana, host, { service: 'nothing' })).status).toBe(404);
    for (const wrong of [
      { days: [7] },
      { days: 'all' },
      { after: '25:00' },
      { people: 0 },
      { to: '13-13-2030' },
      { after: '10:00', before: '09:00' },
      { from: dayAhead(5), to: dayAhead(4) },
      { to: dayAhead(-1) },
      { from: dayAhead(740) },
      { from: dayAhead(400), to: dayAhead(740) },
    ])
      expect((await add(ana, host, wrong)).status, JSON.stringify(wrong)).toBe(400);
    // What is more than a year ahead is for the rest of two years, or up to its last day.
    expect((await add(ana, host, { from: dayAhead(400) })).status).toBe(201);
    expect((await add(ana, host, { from: dayAhead(1), to: dayAhead(720) })).status).toBe(201);
    await publish(host, { start: '15:00', end: '15:30', dates: [dayAhead(710)] });
    expect((await wishesOf(ana)).filter(({ offer }) => offer)).toHaveLength(1);
    expect((await host.api('PUT', '/api/Account/SetRules', { waitlist: 'off' })).json).toMatchObject({
      waitlist: 'off',
    });
    expect((await add(ana, host)).status).toBe(409);
  });

  test('takes a guest with an address, who stops by the link', async () => {
    const { host } = await fullyBooked();
    const visitor = stranger();
    const answer = await visitor.api('POST', '/api/Waitlist/Add', {
      provider: host.username,
      displayName: 'Gus',
      email: 'gus@example.org',
    });
    expect(answer).toMatchObject({ status: 201, json: { place: 1 } });
    const waiting = (await host.api('GET', '/api/Waitlist/GetPage')).json;
    expect(waiting).toMatchObject([{ name: 'Gus', email: 'gus@example.org', username: null }]);
    const key = keyOf((answer.json as Wish).link);
    expect((await visitor.api('DELETE', `/api/Public/RemoveWish?key=${key}`)).status).toBe(204);
    expect((await visitor.api('DELETE', `/api/Public/RemoveWish?key=x${key.slice(1)}`)).status).toBe(404);
    expect((await host.api('GET', '/api/Waitlist/GetPage')).json).toEqual([]);
  });
});

describe('what is canceled', () => {
  test('is held for the first who waits, unlisted, and taken for everybody else', async () => {
    const { host, booker, booked } = await fullyBooked();
    const [first, second] = [await newConsumer(), await newConsumer()];
    await add(first, host);
    await add(second, host);
    expect((await cancel(booker, booked)).status).toBe(200);
    const { offer } = await only(first);
    expect(offer).toMatchObject({ startsAt: booked.startsAt });
    expect((await only(second)).offer).toBeNull();
    expect(await openOf(host)).toEqual([]);
    expect((await stranger().api('GET', `/api/Public/Dates?provider=${host.username}`)).json).toEqual([]);
    expect((await book(second, { id: offer?.slotId ?? '' })).status).toBe(409);
    const held = Date.parse(offer?.heldUntil ?? '') - Date.now();
    expect(held).toBeGreaterThan(29 * 60_000);
    expect(held).toBeLessThan(24 * 3_600_000);
    expect(await newsOf(first)).toMatchObject([
      { kind: 'offer', text: expect.stringContaining('held for you until') },
      { kind: 'wish' },
    ]);

    const taken = await take(offer);
    expect(taken).toMatchObject({
      status: 200,
      json: { status: 1, username: first.username, startsAt: booked.startsAt },
    });
    expect((await take(offer)).json).toEqual(taken.json);
    expect(await wishesOf(first)).toEqual([]);
    expect(await newsOf(host)).toMatchObject(
      [
        { text: expect.stringMatching(/^Filled by the waitlist: Person/) },
        { kind: 'canceled' },
        { kind: 'booked' },
      ].map((one) => expect.objectContaining(one)),
    );
    expect((await host.api('GET', '/api/People/GetPage')).json).toHaveLength(2);
  });

  test('is passed on, and two let pass end the wish', async () => {
    const { host, booker, booked } = await fullyBooked();
    const [first, second] = [await newConsumer(), await newConsumer()];
    await add(first, host);
    await add(second, host);
    await cancel(booker, booked);
    const { offer } = await only(first);
    expect(await pass(offer)).toMatchObject({ status: 200, json: { offer: null, place: 1 } });
    expect((await pass(offer)).status).toBe(409);
    expect((await take(offer)).status).toBe(409);
    const other = (await only(second)).offer;
    expect(other).toMatchObject({ startsAt: booked.startsAt });
    await pass(other);
    // Nobody else waits for it, and nobody is asked twice.
    expect(await openOf(host)).toHaveLength(1);
    await publish(host, { start: '15:00', end: '15:30', dates: [dayAhead(3)] });
    await pass((await only(first)).offer);
    expect(await wishesOf(first)).toEqual([]);
  });

  test('by the provider is held where it is published again, and not where it is withdrawn', async () => {
    const { host, booked } = await fullyBooked({ end: '13:00' });
    const [other] = await openOf(host);
    await book(await newConsumer(), other as Row);
    const ana = await newConsumer();
    await add(ana, host);
    await cancel(host, booked);
    expect((await only(ana)).offer).toBeNull();
    const mine = rowsOf(await host.api('GET', '/api/Appointment/GetBooked'));
    await host.api('PUT', `/api/Appointment/Cancel?id=${mine[0]?.id}&republish=true`, {});
    expect((await only(ana)).offer).not.toBeNull();
  });

  test('goes to an earlier time, and what that frees is offered on: a chain', async () => {
    const host = await newProvider();
    const slots = await publish(host, { start: '09:00', end: '12:00', dates: [dayAhead(3)] }, 'len=60');
    const crowd = [await newConsumer(), await newConsumer(), await newConsumer()];
    const rows: Row[] = [];
    for (const [place, one] of crowd.entries()) rows.push((await book(one, slots[place] as Row)).json as Row);
    const [, bo, cid] = crowd as [Person, Person, Person];
    expect((await add(cid, host, { insteadOf: rows[2]?.id, before: '11:00' })).status).toBe(201);
    expect((await add(bo, host, { insteadOf: rows[1]?.id })).status).toBe(201);
    await cancel(crowd[0] as Person, rows[0] as Row);
    // Whoever has waited longest is asked first.
    expect((await only(bo)).offer).toBeNull();
    await pass((await only(cid)).offer);
    const moved = await take((await only(bo)).offer);
    expect(moved).toMatchObject({ status: 200, json: { startTime: '09:00', movedFrom: rows[1]?.id } });
    const { offer } = await only(cid);
    expect(offer).toMatchObject({ startsAt: rows[1]?.startsAt });
    expect(await take(offer)).toMatchObject({ status: 200, json: { startTime: '10:00', movedFrom: rows[2]?.id } });
    expect((await openOf(host)).map(({ startTime }) => startTime)).toEqual(['11:00']);
    // A chain is one line of news.
    expect((await newsOf(host)).filter(({ text }) => text.startsWith('Filled by the waitlist'))).toMatchObject([
      {
        text: expect.stringMatching(
          /^Filled by the waitlist: 2 people moved forward. The last, .* moved from .*11:00 to/,
        ),
      },
    ]);
    const last = await newConsumer();
    expect((await add(last, host, { before: '10:00' })).status).toBe(201);
    const { json } = await look(bo, moved.json as Row);
    await cancel(bo, json as Row);
    await take((await only(last)).offer);
    expect((await newsOf(host))[0]?.text).toMatch(/^Filled by the waitlist: Person \d+ booked/);
  });

  test('and moves forward whoever follows, up to somebody new: one line says how many', async () => {
    const host = await newProvider();
    const slots = await publish(host, { start: '09:00', end: '11:00', dates: [dayAhead(3)] }, 'len=60');
    const [ana, bo, cid] = [await newConsumer(), await newConsumer(), await newConsumer()];
    const mine = (await book(ana, slots[0] as Row)).json as Row;
    const later = (await book(bo, slots[1] as Row)).json as Row;
    await add(bo, host, { insteadOf: later.id });
    await add(cid, host);
    await cancel(ana, mine);
    expect((await take((await only(bo)).offer)).status).toBe(200);
    const taken = await take((await only(cid)).offer);
    expect(taken).toMatchObject({ status: 200, json: { startTime: '10:00' } });
    const filled = (await newsOf(host)).filter(({ text }) => text.startsWith('Filled by the waitlist'));
    expect(filled.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^Filled by the waitlist: 2 people moved forward\. The last, Person \d+, booked .*10:00/),
    ]);
  });

  test('is not held for a wish that its booking has overtaken, and the wish follows its booking', async () => {
    const host = await newProvider();
    const [early, middle, late] = await publish(host, { start: '09:00', end: '12:00', dates: [dayAhead(3)] }, 'len=60');
    const [ana, bo] = [await newConsumer(), await newConsumer()];
    const [first, second] = [(await book(ana, early as Row)).json as Row, (await book(ana, middle as Row)).json as Row];
    const mine = (await book(bo, late as Row)).json as Row;
    expect((await add(bo, host, { insteadOf: mine.id, after: '10:00' })).status).toBe(201);
    await cancel(ana, second);
    expect((await only(bo)).offer).toMatchObject({ startsAt: second.startsAt });
    await cancel(ana, first);
    const [open] = await openOf(host);
    const moved = await bo.api('PUT', `/api/Appointment/Move?id=${mine.id}&to=${open?.id}`);
    expect(moved).toMatchObject({ status: 200, json: { startTime: '09:00' } });
    // They wait for what is before 9:00 now.
    expect(await only(bo)).toMatchObject({ offer: null, place: 1, insteadOf: (moved.json as Row).id });
    expect((await openOf(host)).map(({ startTime }) => startTime)).toEqual(['10:00', '11:00']);
  });

  test('is held for a wish that followed its booking to a later time, but not the time that it left', async () => {
    const host = await newProvider();
    const [early, , late] = await publish(host, { start: '09:00', end: '12:00', dates: [dayAhead(3)] }, 'len=60');
    const bo = await newConsumer();
    const mine = (await book(bo, early as Row)).json as Row;
    expect((await add(bo, host, { insteadOf: mine.id })).status).toBe(201);
    await bo.api('PUT', `/api/Appointment/Move?id=${mine.id}&to=${late?.id}`);
    expect((await only(bo)).offer).toMatchObject({ startsAt: expect.stringContaining('T10:00') });
    expect((await openOf(host)).map(({ startTime }) => startTime)).toEqual(['09:00']);
  });
});

describe('a provider’s rules', () => {
  const oneBookedOfThree = async (rules: object) => {
    const [host, booker] = [await newProvider(), await newConsumer()];
    const slots = await publish(host, { start: '09:00', end: '12:00', dates: [dayAhead(3)] }, 'len=60');
    const booked = (await book(booker, slots[0] as Row)).json as Row;
    const setRules = (change: object) => host.api('PUT', '/api/Account/SetRules', change);
    await setRules(rules);
    return { host, booker, booked, slots, setRules };
  };

  test('say who is offered a time: nobody who has all that one person may have, unless it replaces what they have', async () => {
    const { host, booker, booked, slots } = await oneBookedOfThree({ perPerson: 1 });
    const [ana, bo] = [await newConsumer(), await newConsumer()];
    await book(bo, slots[1] as Row);
    const last = (await book(ana, slots[2] as Row)).json as Row;
    expect((await add(bo, host, { before: '10:00' })).status).toBe(201);
    expect((await add(ana, host, { insteadOf: last.id })).status).toBe(201);
    await cancel(booker, booked);
    expect((await only(bo)).offer).toBeNull();
    expect(await take((await only(ana)).offer)).toMatchObject({ status: 200, json: { startTime: '09:00' } });
  });

  test('count what is held as booked: a day is full with it', async () => {
    const { host, booker, booked, slots } = await oneBookedOfThree({ perDay: 1 });
    const [ana, bo] = [await newConsumer(), await newConsumer()];
    expect((await add(ana, host)).status).toBe(201);
    await cancel(booker, booked);
    expect((await only(ana)).offer).not.toBeNull();
    expect(await openOf(host)).toEqual([]);
    expect(await book(bo, slots[1] as Row)).toMatchObject({ status: 409, json: expect.stringContaining('is full') });
    await pass((await only(ana)).offer);
    // The day has room again: what is left of it is offered to whoever passed.
    expect((await only(ana)).offer).toMatchObject({ startsAt: slots[1]?.startsAt });
  });

  test('that free a time tell all whom it suits, once, by the hourly job', async () => {
    const { host, setRules } = await oneBookedOfThree({ notice: 30 * 24 * 60 });
    const [ana, bo, cid] = [await newConsumer(), await newConsumer(), await newConsumer()];
    for (const who of [ana, bo]) expect((await add(who, host)).status).toBe(201);
    expect((await add(cid, host, { before: '08:00' })).status).toBe(201);
    await setRules({ notice: 0 });
    for (const _ of ['once', 'and again']) await daybook.scheduled();
    for (const who of [ana, bo]) {
      expect(await newsOf(who)).toMatchObject([
        { kind: 'offer', text: expect.stringContaining('10:00') },
        { kind: 'wish' },
      ]);
      expect(await only(who)).toMatchObject({ offer: null });
    }
    expect(await kinds(cid)).toEqual(['wish']);
    expect(await openOf(host)).toHaveLength(2);
  });

  test('are kept when a time comes free: no guest is offered what only accounts may book', async () => {
    const { host, booker, booked, setRules } = await oneBookedOfThree({});
    const guest = { provider: host.username, displayName: 'Gus', email: `${host.username}@mail.test`, before: '10:00' };
    expect((await stranger().api('POST', '/api/Waitlist/Add', guest)).status).toBe(201);
    const ana = await newConsumer();
    expect((await add(ana, host, { before: '10:00' })).status).toBe(201);
    await setRules({ openTo: 'accounts' });
    await cancel(booker, booked);
    expect((await only(ana)).offer).not.toBeNull();
  });
});

test('a seat of a class, and more seats, are offered', async () => {
  const host = await newProvider();
  const { id: serviceId } = await createService(host, { seats: 2, minutes: 60 });
  await host.api('POST', '/api/Appointment/CreateAppointment', {
    start: '10:00',
    end: '11:00',
    dates: [dayAhead(2)],
    serviceId,
  });
  const [slot] = await openOf(host);
  const crowd = [await newConsumer(), await newConsumer(), await newConsumer(), await newConsumer()] as const;
  const mine = (await book(crowd[0], slot as Row)).json as Row;
  expect(await add(crowd[2], host, { slotId: slot?.id })).toMatchObject({ status: 409 });
  await book(crowd[1], slot as Row);
  expect((await add(crowd[2], host, { slotId: slot?.id })).status).toBe(201);
  expect((await add(crowd[3], host, { slotId: slot?.id })).status).toBe(201);
  await cancel(crowd[0], mine);
  const { offer } = await only(crowd[2]);
  expect(offer).toMatchObject({ slotId: slot?.id });
  expect((await only(crowd[3])).offer).toBeNull();
  expect(await host.api('PUT', `/api/Service/Edit?id=${serviceId}`, { seats: 3 })).toMatchObject({ status: 200 });
  expect((await only(crowd[3])).offer).not.toBeNull();
  expect(await openOf(host)).toEqual([]);
  expect(await take(offer)).toMatchObject({ status: 200, json: { slotId: slot?.id, seats: 3, free: 0 } });
});

test('what is published is offered, by hand and by hours; so is what somebody leaves behind', async () => {
  const { host, booker, booked } = await fullyBooked();
  const [first, second, third] = [await newConsumer(), await newConsumer(), await newConsumer()];
  await add(first, host, { to: dayAhead(9) });
  await add(second, host, { to: dayAhead(9) });
  await publish(host, { start: '15:00', end: '16:30', dates: [dayAhead(4)] });
  expect((await only(first)).offer).toMatchObject({ startsAt: expect.stringContaining('T15:00') });
  expect((await only(second)).offer).toMatchObject({ startsAt: expect.stringContaining('T15:30') });
  expect((await openOf(host)).map(({ startTime }) => startTime)).toEqual(['16:00']);
  expect((await add(third, host, { before: '08:00' })).status).toBe(201);
  await host.api('PUT', '/api/Appointment/SetHours', {
    hours: [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, start: '07:00', end: '08:00' })),
    except: [],
    len: 30,
    gap: 0,
    ahead: 5,
  });
  expect((await only(third)).offer).toMatchObject({ startsAt: expect.stringContaining('T07:00') });
  await pass((await only(first)).offer);
  // An account that is deleted frees what it has.
  const fourth = await newConsumer();
  expect((await add(fourth, host, { slotId: booked.slotId })).status).toBe(201);
  expect((await booker.api('DELETE', '/api/Account/Delete', { password: 'Correct horse 1' })).status).toBe(204);
  expect((await only(fourth)).offer).toMatchObject({ startsAt: booked.startsAt });
  expect((await fourth.api('DELETE', '/api/Account/Delete', { password: 'Correct horse 1' })).status).toBe(204);
  expect((await openOf(host)).map(({ startsAt }) => startsAt)).toContain(booked.startsAt);
});

test('the provider takes a wish away, or offers a time by hand', async () => {
  const { host } = await fullyBooked();
  const ana = await newConsumer();
  await add(ana, host, { to: dayAhead(2), before: '10:00' });
  const [slot] = await publish(host, { start: '15:00', end: '15:30', dates: [dayAhead(4)] });
  const { id } = await only(ana);
  const stranger = await newProvider();
  expect((await stranger.api('PUT', `/api/Waitlist/Offer?id=${id}&slotId=${slot?.id}`)).status).toBe(404);
  expect((await stranger.api('DELETE', `/api/Waitlist/Remove?id=${id}`)).status).toBe(404);
  expect((await host.api('PUT', `/api/Waitlist/Offer?id=${id}&slotId=${slot?.id}`)).status).toBe(200);
  expect((await host.api('PUT', `/api/Waitlist/Offer?id=${id}&slotId=${slot?.id}`)).status).toBe(409);
  expect((await only(ana)).offer).toMatchObject({ slotId: slot?.id });
  expect((await host.api('DELETE', `/api/Waitlist/Remove?id=${id}`)).status).toBe(204);
  expect((await host.api('DELETE', `/api/Waitlist/Remove?id=${id}`)).status).toBe(204);
  expect(await wishesOf(ana)).toEqual([]);
  expect(await openOf(host)).toHaveLength(1);
});

test('a provider’s page that is made after a hold began never shows its time, kept or not', async () => {
  const { host, booker, booked } = await fullyBooked({ end: '13:00' });
  const page = () => stranger().get(`/with/${host.username}`);
  const shows = async () => (await page()).text.includes(`/with/${host.username}/${(await openOf(host))[0]?.id}"`);
  // The other time is free, and the page is kept.
  expect([await shows(), await shows()]).toEqual([true, true]);
  const waiter = await newConsumer();
  expect((await add(waiter, host, { before: '12:30' })).status).toBe(201);
  const times = async () => (await page()).$$('.slots a').map(({ text }) => text.trim().slice(0, 5));
  expect(await times()).toEqual(['12:30']);
  await cancel(booker, booked);
  const { offer } = await only(waiter);
  expect(offer).not.toBeNull();
  for (const _ of ['made anew', 'kept']) {
    expect(await times()).toEqual(['12:30']);
    expect((await page()).text).not.toContain(offer?.slotId);
  }
  // Nor does the page of its day, or the form of the time itself.
  const ofDay = await stranger().get(`/with/${host.username}?dates=${booked.date}`);
  expect(ofDay.text).not.toContain(offer?.slotId);
  expect((await stranger().get(`/with/${host.username}/${offer?.slotId}`)).status).toBe(409);
  await pass(offer);
  expect(await times()).toEqual(['12:00', '12:30']);
});

test('a guest is told by mail: of their place, and of the time, held until when by their own clock', async () => {
  const { host, booker, booked } = await fullyBooked();
  const email = `${host.username}@mail.test`;
  const wish = { provider: host.username, displayName: 'Gus', email, timeZone: 'Asia/Tokyo' };
  expect((await stranger().api('POST', '/api/Waitlist/Add', wish)).status).toBe(201);
  const place = (await mailTo(stranger(), email, /You are on the waitlist/)).link('/waiting/');
  expect((await stranger().get(place)).words).toContain('You are the first in line.');
  await cancel(booker, booked);
  const mail = await mailTo(stranger(), email, /^Free for you/);
  expect(mail.text).toMatch(/It is held for you until [^.]*Tokyo time/);
  expect(mail.text).toContain('This was not me');
  const page = await stranger().get(mail.link('/offer/'));
  expect((await page.submit('Take it')).words).toContain('Booked for Gus');
});

test('a time that begins within two hours is told by mail to all whom it fits, and the first to book has it', async () => {
  const [host, booker] = [await newProvider(), await newConsumer()];
  const booked = await writeSlot(daybook.d1, host, { startsIn: 90, booker });
  const emails = ['one', 'two'].map((name) => `${name}.${host.username}@mail.test`);
  for (const email of emails) {
    const wish = { provider: host.username, displayName: 'Gus', email };
    expect((await stranger().api('POST', '/api/Waitlist/Add', wish)).status).toBe(201);
  }
  expect((await cancel(booker, booked)).status).toBe(200);
  const links = [];
  for (const email of emails) {
    const mail = await mailTo(stranger(), email, /^Free for you/);
    expect(mail.text).toContain('It is not held: the first to book has it.');
    links.push(mail.link('/with/'));
  }
  const [first, second] = links.map((link) => stranger().get(link));
  expect((await (await first)?.submit('Book', { displayName: 'Gus' }))?.words).toContain('Booked for Gus');
  expect((await (await second)?.submit('Book', { displayName: 'Gus' }))?.words).toContain('Just gone');
});

test('a hold that is over is offered on by the hourly job, without anybody’s write', async () => {
  const { host, booker, booked } = await fullyBooked();
  const [first, second] = [await newConsumer(), await newConsumer()];
  await add(first, host);
  await add(second, host);
  await cancel(booker, booked);
  expect((await only(first)).offer).not.toBeNull();
  await daybook.d1.batch(
    ['bookings SET held_until = ? WHERE status = 0', 'wishes SET held_until = ? WHERE state = 1'].map((change) =>
      daybook.d1.prepare(`UPDATE ${change}`).bind(Date.now() - 1),
    ),
  );
  // The hourly job wakes the outbox.
  await daybook.scheduled();
  expect(await only(first)).toMatchObject({ offer: null, place: 1 });
  expect((await only(second)).offer).toMatchObject({ startsAt: booked.startsAt });
});

test('what waiting costs: trips, rows read and rows written', async () => {
  const { host, booker, booked } = await fullyBooked();
  const crowd = await Promise.all(Array.from({ length: 10 }, () => newConsumer()));
  const wish = { from: booked.date, to: booked.date };
  const within = ({ headers }: { headers: Headers }, trips: number, read: number, written: number) => {
    const asked = askedOf(headers);
    expect(asked.trips).toBe(trips);
    expect(asked.read).toBeLessThanOrEqual(read);
    expect(asked.written).toBeLessThanOrEqual(written);
  };
  const [first, ...others] = crowd as [Person, ...Person[]];
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

test('one network asks for 60 wishes an hour, whoever asks; then nothing is noted', async () => {
  const [host, maya] = [await peopleAt(limited).newProvider(), await peopleAt(limited).newConsumer()];
  await publish(host, { start: '15:00', end: '15:30', dates: [dayAhead(2)] });
  await limited.d1.prepare('DELETE FROM throttles').run();
  // A wish that a free time fits is refused, and counts all the same.
  const asked = await several(59, () => add(maya, host));
  expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([409]));
  expect((await add(maya, host, { before: '12:00' })).status).toBe(201);
  const visitor = limited.visitor();
  const guest = { provider: host.username, displayName: 'Gus', email: 'gus@mail.test', before: '12:00' };
  const refused = await visitor.api('POST', '/api/Waitlist/Add', guest);
  expect([refused.status, refused.headers.has('Retry-After')]).toEqual([429, true]);
  const left =
    'SELECT (SELECT count(*) FROM wishes) AS wishes, (SELECT count(*) FROM accounts WHERE username IS NULL) AS guests';
  expect(await limited.d1.prepare(left).first()).toEqual({ wishes: 1, guests: 0 });
  await limited.d1.prepare('UPDATE throttles SET ends_at = 0').run();
  expect((await visitor.api('POST', '/api/Waitlist/Add', guest)).status).toBe(201);
});

test('one address of strangers waits for so many things a day, and one mail goes to it for each', async () => {
  const { host } = await fullyBooked();
  const email = `ten.${host.username}@mail.test`;
  const wish = (days: number) =>
    stranger().api('POST', '/api/Waitlist/Add', {
      provider: host.username,
      displayName: 'Gus',
      email,
      to: dayAhead(10 + days),
    });
  for (let days = 1; days <= 10; days++) expect((await wish(days)).status).toBe(201);
  expect(await wish(11)).toMatchObject({ status: 409, json: expect.stringContaining('at most 10') });
});
