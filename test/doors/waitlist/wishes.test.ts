import { describe, expect, test } from 'vitest';
import { newsKinds, newsOf, setRules } from '../../support/account-calls';
import { agenda, openSlotsOf } from '../../support/appointment-calls';
import {
  book,
  cancel,
  dayAhead,
  type Person,
  peopleAt,
  publish,
  type Row,
  several,
  writeSlot,
} from '../../support/factories';
import { publishQuestions } from '../../support/party-factories';
import { createService } from '../../support/services';
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

/* Who may wait for a time, for what, and how many, by the calls and on the screens. */

const daybook = useServer({ vars: { RATE_LIMIT: 'off', MAIL_LIMITS: 'off' } });
const limited = useServer({ vars: { RATE_LIMIT: undefined } });
const people = peopleAt(daybook);
const { newProvider, newConsumer } = people;

const stranger = () => daybook.visitor();
const addGuest = (host: Person, wish?: object, visitor = stranger()) => guestWaits(visitor, host, wish);
const fullyBooked = (details?: object) => oneFullyBooked(people, details);

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

const gus = { displayName: 'Gus', email: 'gus@mail.test' };

describe('the screens', () => {
  test('lead a guest from a page without free times to a place in line, and out of it', async () => {
    const { host } = await fullyBooked();
    const visitor = stranger();
    const page = await visitor.get(`/with/${host.username}`);
    expect(page.words).toContain('Nothing is free at the moment.');
    const form = await (await visitor.get(`/with/${host.username}/wait`)).submit('Tell me', { displayName: 'Gus' });
    expect([form.status, form.words]).toEqual([400, expect.stringContaining('Please give an e-mail address')]);
    const waiting = await form.submit('Tell me', { email: 'gus@example.org', after: '10:00', days: ['1', '2'] });
    expect(waiting.path).toMatch(/^\/waiting\//);
    expect(waiting.words).toMatch(/on Mon, Tue, from 10:00 on, UTC You are the first in line\./);
    const listed = async () => (await host.api('GET', '/api/Waitlist/GetPage')).json;
    expect(await listed()).toMatchObject([{ name: 'Gus', email: 'gus@example.org', username: null }]);
    const cutOff = keyOf(waiting.path).slice(1);
    expect((await stranger().api('DELETE', `/api/Public/RemoveWish?key=${cutOff}`)).status).toBe(404);
    expect((await waiting.submit('Stop waiting')).words).toContain('You wait no more');
    expect(await listed()).toEqual([]);
  });

  test('offer a held time, to take or to pass on; to look changes nothing', async () => {
    const { host, booker, booked } = await fullyBooked();
    const [first, second] = [await newConsumer(), await newConsumer()];
    for (const { browser } of [first, second]) {
      const form = await browser.get(`/with/${host.username}/wait`);
      expect((await form.submit('Tell me')).words).toContain('in line.');
    }
    await cancel(booker, booked);
    expect((await first.browser.get('/waitlist')).words).toContain('Held:');
    const { offer } = await only(first);
    const page = await stranger().get(offer?.link ?? '');
    expect(page.words).toContain('It is held for you until');
    // In the week once, as a time of its own kind.
    const week = await host.browser.get(`/week?from=${booked.date}`);
    const heldFor = `eld for ${first.displayName}`;
    expect(week.$$('.week-item.is-held').map(({ text }) => text)).toEqual([expect.stringContaining(heldFor)]);
    expect((await host.browser.get(`/day?date=${booked.date}`)).words).toContain(`is h${heldFor} until`);
    expect((await page.submit('Pass it on')).words).toContain('in line.');
    expect((await stranger().get(offer?.link ?? '')).words).toContain('This offer is over');
    const next = await stranger().get((await only(second)).offer?.link ?? '');
    const taken = await next.submit('Take it');
    expect([taken.path, taken.words]).toEqual([
      expect.stringMatching(/^\/booking\//),
      expect.stringContaining(`Booked for ${second.displayName}`),
    ]);
  });

  test('ask the questions of an offered time: no booking without its answers', async () => {
    const [host, booker, waiter] = [await newProvider(), await newConsumer(), await newConsumer()];
    const questionText = 'Have you been here before?';
    const templateId = await publishQuestions(host, [{ questionText, required: true }]);
    const [slot] = (await publish(host, { dates: [dayAhead(2)] }, `templateId=${templateId}`)) as [Row];
    await book(booker, slot);
    await add(waiter, host);
    await cancel(booker, slot);
    const refused = await (await stranger().get((await only(waiter)).offer?.link ?? '')).submit('Take it');
    expect([refused.status, refused.words]).toEqual([400, expect.stringContaining('needs an answer')]);
    const name = refused.$('main textarea')?.getAttribute('name') ?? '';
    expect((await refused.submit('Take it', { [name]: 'Never' })).path).toMatch(/^\/booking\//);
    expect(await agenda(host)).toMatchObject([{ formData: [{ question: questionText, answer: 'Never' }] }]);
  });

  test('let the provider see who waits, offer a time and take a wish away, once each', async () => {
    const { host } = await fullyBooked();
    const ana = await newConsumer();
    await add(ana, host, { to: dayAhead(2), before: '09:00' });
    const [slot] = (await publish(host, { start: '15:00', end: '15:30', dates: [dayAhead(4)] })) as [Row];
    const list = await host.browser.get('/waitlist');
    expect(list.words).toContain(`1. ${ana.displayName}`);
    const offered = await list.submit('Hold it for them');
    expect(offered.words).toContain('The time is held for them');
    const { id, offer } = await only(ana);
    expect(offer).toMatchObject({ slotId: slot.id });
    expect((await host.api('PUT', `/api/Waitlist/Offer?id=${id}&slotId=${slot.id}`)).status).toBe(409);
    expect((await offered.submit('Take off the list')).words).toContain('Nobody waits.');
    expect((await host.api('DELETE', `/api/Waitlist/Remove?id=${id}`)).status).toBe(204);
    expect(await openSlotsOf(ana, host)).toMatchObject([{ startsAt: slot.startsAt }]);
  });

  test('say that what begins within two hours is not held, and that they are told', async () => {
    const [host, ana] = [await newProvider(), await newConsumer()];
    await add(ana, host, { from: dayAhead(2) });
    await writeSlot(daybook.d1, host, { startsIn: 90 });

    const offered = await (await host.browser.get('/waitlist')).submit('Hold it for them');

    expect(offered.words).toContain('They are told of the time. It begins too soon to be held');
    expect((await only(ana)).offer).toBeNull();
    expect((await newsOf(ana))[0]).toMatchObject({ kind: 'offer', text: expect.stringContaining('has come free') });
  });

  test('say no where they were told of that time before', async () => {
    const [host, ana] = [await newProvider(), await newConsumer()];
    const { id } = (await add(ana, host, { from: dayAhead(2) })).json as Wish;
    const near = await writeSlot(daybook.d1, host, { startsIn: 90 });
    const offer = () => host.api('PUT', `/api/Waitlist/Offer?id=${id}&slotId=${near.id}`);
    expect(await offer()).toMatchObject({ status: 200, json: { offer: null } });

    expect((await offer()).status).toBe(409);
  });

  test('say before anything is typed that nobody can wait for what takes several times', async () => {
    const [host, maya] = [await newProvider(), await newConsumer()];
    const service = await createService(host, { minutes: 60 });
    const wait = `/with/${host.username}/wait`;
    // Without any time to compare with, one that is long enough may come.
    expect((await (await stranger().get(`${wait}?service=${service.id}`)).submit('Tell me', gus)).status).toBe(200);
    const [first] = await publish(host, { start: '12:00', end: '13:00', dates: [dayAhead(2)] });
    const booked = (await book(maya, { id: `${first?.id}&service=${service.id}` })).json as Row;
    for (const page of [
      await stranger().get(`${wait}?service=${service.id}`),
      await maya.browser.get(`${wait}?insteadOf=${booked.id}`),
      await (await stranger().get(booked.link ?? '')).click('Tell me if an earlier time comes free'),
    ]) {
      expect(page.words).toContain('This takes longer than one of the times here');
      expect(page.$('main form')).toBeNull();
    }
  });

  test('a form that comes too late offers to wait for a time that somebody has, and not for one that was taken back', async () => {
    const [host, ana] = [await newProvider(), await newConsumer()];
    const [taken, gone] = (await publish(host, { end: '10:00' })) as [Row, Row];
    const formOf = ({ id }: Row) => stranger().get(`/with/${host.username}/${id}`);
    const forms = [await formOf(taken), await formOf(gone)];
    await book(ana, taken);
    await cancel(host, gone);
    const pages = await Promise.all(forms.map((form) => form.submit('Book', { displayName: 'Gus' })));
    const wait = 'Tell me if this time comes free';
    expect(pages.map(({ status, words }) => [status, words.includes(wait)])).toEqual([
      [409, true],
      [409, false],
    ]);
    await setRules(host, { waitlist: 'off' });
    expect((await formOf(taken)).words).not.toContain(wait);
  });
});
