import { describe, expect, test } from 'vitest';
import { newsKinds, setRules } from '../../support/account-calls';
import { dayAhead, type Person, peopleAt, publish, several } from '../../support/factories';
import { useServer } from '../../support/use-server';
import {
  add,
  addGuest as guestWaits,
  keyOf,
  fullyBooked as oneFullyBooked,
  only,
  type Wish,
  wishesOf,
} from '../../support/waitlist';

/* Who may wait for a time, for what, and how many. */

const daybook = useServer({ vars: { RATE_LIMIT: 'off', MAIL_LIMITS: 'off' } });
const limited = useServer({ vars: { RATE_LIMIT: undefined } });
const people = peopleAt(daybook);
const { newConsumer } = people;

const addGuest = (host: Person, wish?: object, visitor = daybook.visitor()) => guestWaits(visitor, host, wish);
const fullyBooked = () => oneFullyBooked(people);

describe('Add', () => {
  test('notes a wish once, says the place in line, and tells it by news and a link', async () => {
    const { host } = await fullyBooked();
    const [first, second] = [await newConsumer(), await newConsumer()];
    const wish = { from: dayAhead(1), to: dayAhead(9), days: [0, 1, 2, 3, 4, 5, 6], after: '08:00' };
    const noted = { place: 1, provider: host.username, after: '08:00', offer: null };
    const answer = await add(first, host, wish);
    expect(answer).toMatchObject({ status: 201, json: noted });
    expect((answer.json as Wish).link).toMatch(/^\/waiting\/[\w-]{60,}$/);
    expect(await add(second, host)).toMatchObject({ status: 201, json: { place: 2 } });
    expect((await add(second, host)).json).toEqual(await only(second));
    expect(await newsKinds(first)).toEqual(['wish']);
    expect((await host.api('GET', '/api/Waitlist/GetPage')).json).toMatchObject([
      { username: first.username, place: 1 },
      { username: second.username, place: 2 },
    ]);
  });

  test('names a fitting time that is free', async () => {
    const { host } = await fullyBooked();
    await publish(host, { start: '15:00', end: '15:30', dates: [dayAhead(3)] });
    const ana = await newConsumer();
    expect(await add(ana, host)).toMatchObject({ status: 409, json: expect.stringContaining('15:00') });
    expect([await wishesOf(ana), await newsKinds(ana)]).toEqual([[], []]);
    expect((await add(ana, host, { before: '14:00' })).status).toBe(201);
  });

  test('takes ten wishes of a person, or of one address of strangers, and no more', async () => {
    const { host } = await fullyBooked();
    const ana = await newConsumer();
    for (const send of [(wish: object) => add(ana, host, wish), (wish: object) => addGuest(host, wish)]) {
      for (let days = 11; days <= 20; days++) expect((await send({ to: dayAhead(days) })).status).toBe(201);
      const refused = await send({ to: dayAhead(30) });
      expect(refused).toMatchObject({ status: 409, json: expect.stringContaining('at most 10') });
    }
  });

  test('takes a thousand wishes for a provider, no more, and still as many for another', async () => {
    const [{ host }, { host: other }] = [await fullyBooked(), await fullyBooked()];
    const [ana, bo] = [await newConsumer(), await newConsumer()];
    expect((await add(ana, host)).status).toBe(201);
    const wish = await daybook.d1
      .prepare('SELECT * FROM wishes WHERE id = ?')
      .bind((await only(ana)).id)
      .first<Record<string, unknown>>();
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
    expect((await addGuest(host, { displayName: undefined, email: undefined })).status).toBe(401);
    expect((await addGuest(host, { email: undefined })).status).toBe(400);
    const refused: [status: number, wishes: object[]][] = [
      [404, [{ provider: 'nobody-such' }, { insteadOf: booked.id }, { slotId: 'nothing' }, { service: 'nothing' }]],
      [400, [{ after: '25:00' }, { after: '10:00', before: '09:00' }]],
      [400, [{ from: dayAhead(5), to: dayAhead(4) }, { to: dayAhead(-1) }, { from: dayAhead(740) }]],
    ];
    for (const [status, wishes] of refused)
      for (const wish of wishes) expect((await add(ana, host, wish)).status, JSON.stringify(wish)).toBe(status);
    await setRules(host, { waitlist: 'off' });
    expect((await add(ana, host)).status).toBe(409);
  });

  test('takes a guest with an address, who stops by the link', async () => {
    const { host } = await fullyBooked();
    const { link } = (await addGuest(host)).json as Wish;
    const waiting = async () => (await host.api('GET', '/api/Waitlist/GetPage')).json;
    expect(await waiting()).toMatchObject([{ name: 'Gus', email: `${host.username}@mail.test`, username: null }]);
    const remove = async (key: string) =>
      (await daybook.visitor().api('DELETE', `/api/Public/RemoveWish?key=${key}`)).status;
    expect([await remove(`x${keyOf(link).slice(1)}`), await remove(keyOf(link))]).toEqual([404, 204]);
    expect(await waiting()).toEqual([]);
  });

  test('takes 60 wishes an hour of one network, those that are refused too; then nothing is noted', async () => {
    const [host, maya] = [await peopleAt(limited).newProvider(), await peopleAt(limited).newConsumer()];
    await publish(host, { start: '15:00', end: '15:30', dates: [dayAhead(2)] });
    await limited.d1.prepare('DELETE FROM throttles').run();
    const refused = await several(60, () => add(maya, host));
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([409]));
    const wish = { before: '12:00' };
    expect((await addGuest(host, wish, limited.visitor())).status).toBe(429);
    const left = 'SELECT (SELECT count(*) FROM wishes) AS wishes, (SELECT count(*) FROM accounts) AS people';
    expect(await limited.d1.prepare(left).first()).toEqual({ wishes: 0, people: 2 });
    await limited.d1.prepare('UPDATE throttles SET ends_at = 0').run();
    expect((await addGuest(host, wish, limited.visitor())).status).toBe(201);
  });
});
