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
import { newGuest } from '../../support/guests';
import { publishQuestions } from '../../support/party-factories';
import { createService } from '../../support/services';
import { useServer } from '../../support/use-server';
import type { Page } from '../../support/visit';
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
  const listOf = async (host: Person) => (await host.api('GET', '/api/Waitlist/GetPage')).json;

  test('notes what somebody waits for', async () => {
    const { host } = await fullyBooked();
    const ana = await newConsumer();
    const wish = { from: dayAhead(1), to: dayAhead(9), days: [0, 1, 2, 3, 4, 5, 6], after: '08:00' };

    const response = await add(ana, host, wish);

    const noted = { place: 1, provider: host.username, after: '08:00', offer: null };
    expect(response).toMatchObject({ status: 201, json: noted });
    expect((response.json as Wish).link).toMatch(/^\/waiting\/[\w-]{60,}$/);
  });

  test('says the place in line', async () => {
    const { host } = await fullyBooked();
    const [first, second] = [await newConsumer(), await newConsumer()];
    await add(first, host);

    const response = await add(second, host);

    expect(response).toMatchObject({ status: 201, json: { place: 2 } });
    expect(await listOf(host)).toMatchObject([
      { username: first.username, place: 1 },
      { username: second.username, place: 2 },
    ]);
  });

  test('notes the same wish once', async () => {
    const { host } = await fullyBooked();
    const ana = await newConsumer();
    await add(ana, host);

    const again = await add(ana, host);

    expect(again.json).toEqual(await only(ana));
    expect(await listOf(host)).toHaveLength(1);
  });

  test('tells whoever waits in their news', async () => {
    const { host } = await fullyBooked();
    const ana = await newConsumer();

    await add(ana, host);

    expect(await newsKinds(ana)).toEqual(['wish']);
  });

  describe('where a time is free', () => {
    async function freeAtThree() {
      const host = await newProvider();
      await publish(host, { start: '15:00', end: '15:30', dates: [dayAhead(3)] });
      return { host, ana: await newConsumer() };
    }

    test('names it and notes no wish that it fits', async () => {
      const { host, ana } = await freeAtThree();

      const response = await add(ana, host);

      expect(response).toMatchObject({ status: 409, json: expect.stringContaining('15:00') });
      expect(await wishesOf(ana)).toEqual([]);
      expect(await newsKinds(ana)).toEqual([]);
    });

    test('notes a wish that it does not fit', async () => {
      const { host, ana } = await freeAtThree();

      expect((await add(ana, host, { before: '14:00' })).status).toBe(201);
    });
  });

  type Send = (host: Person, wish: object) => ReturnType<typeof add>;
  const waiters: [who: string, make: () => Promise<Send>][] = [
    [
      'person',
      async () => {
        const ana = await newConsumer();
        return (host, wish) => add(ana, host, wish);
      },
    ],
    ['address of strangers', async () => (host, wish) => addGuest(host, wish)],
  ];
  test.each(waiters)('takes ten wishes of one %s', async (_, make) => {
    const { host } = await fullyBooked();
    const send = await make();
    for (let days = 11; days <= 20; days++) expect((await send(host, { to: dayAhead(days) })).status).toBe(201);

    const eleventh = await send(host, { to: dayAhead(30) });

    expect(eleventh).toMatchObject({ status: 409, json: expect.stringContaining('at most 10') });
  });

  test('takes a thousand wishes for one provider', async () => {
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
    const forAnother = await add(bo, other);

    expect(refused).toMatchObject({ status: 409, json: expect.stringContaining('the waitlist is full') });
    expect(forAnother.status).toBe(201);
    expect(await wishesOf(bo)).toHaveLength(1);
    await daybook.d1.prepare('DELETE FROM wishes WHERE provider_id = ?').bind(wish?.provider_id).run();
  });

  test('refuses providers', async () => {
    const host = await newProvider();

    expect((await add(host, host)).status).toBe(403);
  });

  test('asks a stranger without a name to log in', async () => {
    const host = await newProvider();

    expect((await addGuest(host, { displayName: undefined, email: undefined })).status).toBe(401);
  });

  test('wants an address of a stranger', async () => {
    const host = await newProvider();

    expect((await addGuest(host, { email: undefined })).status).toBe(400);
  });

  test.each([
    ['provider', { provider: 'nobody-such' }],
    ['time', { slotId: 'nothing' }],
    ['service', { service: 'nothing' }],
  ])('finds no such %s', async (_, wish) => {
    const host = await newProvider();

    expect((await add(await newConsumer(), host, wish)).status).toBe(404);
  });

  test('wants an address of a guest who is known', async () => {
    const { host } = await fullyBooked();
    const [without, withOne] = [
      await newGuest(daybook, { email: null }),
      await newGuest(daybook, { email: 'gus@mail.test' }),
    ];

    const refused = await add(without, host);

    expect(refused).toMatchObject({ status: 400, json: ['Please give an e-mail address, so that we can tell you.'] });
    expect((await add(withOne, host)).status).toBe(201);
  });

  test('finds no appointment of somebody else to replace', async () => {
    const { host, booked } = await fullyBooked();

    expect((await add(await newConsumer(), host, { insteadOf: booked.id })).status).toBe(404);
  });

  test.each([
    ['after no time of day', { after: '25:00' }],
    ['before its own beginning', { after: '10:00', before: '09:00' }],
    ['to a day before the first', { from: dayAhead(5), to: dayAhead(4) }],
    ['to a day that is over', { to: dayAhead(-1) }],
    ['from a day in two years', { from: dayAhead(740) }],
  ])('refuses a wish %s', async (_, wish) => {
    const host = await newProvider();

    expect((await add(await newConsumer(), host, wish)).status).toBe(400);
  });

  test('is refused where the waitlist is off', async () => {
    const { host } = await fullyBooked();
    await setRules(host, { waitlist: 'off' });

    expect((await add(await newConsumer(), host)).status).toBe(409);
  });

  describe('from one network', () => {
    /** A provider with a free time, for which 60 wishes were refused within the hour. */
    async function sixtyRefused() {
      const [host, maya] = [await peopleAt(limited).newProvider(), await peopleAt(limited).newConsumer()];
      await publish(host, { start: '15:00', end: '15:30', dates: [dayAhead(2)] });
      await limited.d1.prepare('DELETE FROM throttles').run();
      const refused = await several(60, () => add(maya, host));
      expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([409]));
      return host;
    }
    const tryAsGuest = (host: Person) => addGuest(host, { before: '12:00' }, limited.visitor());
    const countOf = (table: 'wishes' | 'accounts') =>
      limited.d1.prepare(`SELECT count(*) AS many FROM ${table}`).first<number>('many');

    test('is refused after 60 tries an hour, and notes nobody', async () => {
      const host = await sixtyRefused();
      const [wishes, accounts] = [await countOf('wishes'), await countOf('accounts')];

      const response = await tryAsGuest(host);

      expect(response.status).toBe(429);
      expect(await countOf('wishes')).toBe(wishes);
      expect(await countOf('accounts')).toBe(accounts);
    });

    test('is taken again in the next hour', async () => {
      const host = await sixtyRefused();
      await limited.d1.prepare('UPDATE throttles SET ends_at = 0').run();

      expect((await tryAsGuest(host)).status).toBe(201);
    });
  });
});

const gus = { displayName: 'Gus', email: 'gus@mail.test' };

describe('the screens', () => {
  test('lead from a page without free times to the waitlist', async () => {
    const { host } = await fullyBooked();

    const page = await stranger().get(`/with/${host.username}`);

    expect(page.words).toContain('Nothing is free at the moment.');
    expect(page.$(`a[href^="/with/${host.username}/wait"]`)).not.toBeNull();
  });

  test('want an address of a guest', async () => {
    const { host } = await fullyBooked();
    const form = await stranger().get(`/with/${host.username}/wait`);

    const refused = await form.submit('Tell me', { displayName: 'Gus' });

    expect(refused.status).toBe(400);
    expect(refused.words).toContain('Please give an e-mail address');
  });

  describe('for a guest who waits', () => {
    const listOf = async (host: Person) => (await host.api('GET', '/api/Waitlist/GetPage')).json;

    async function waitingGuest() {
      const { host } = await fullyBooked();
      const form = await stranger().get(`/with/${host.username}/wait`);
      const wish = { displayName: 'Gus', email: 'gus@example.org', after: '10:00', days: ['1', '2'] };
      return { host, page: await form.submit('Tell me', wish) };
    }

    test('say what they wait for', async () => {
      const { host, page } = await waitingGuest();

      expect(page.path).toMatch(/^\/waiting\//);
      expect(page.words).toMatch(/on Mon and Tue, from 10:00 on, UTC You are the first in line\./);
      expect(await listOf(host)).toMatchObject([{ name: 'Gus', email: 'gus@example.org', username: null }]);
    });

    test('know them where the same was refused before, as a time was free', async () => {
      const { host, booker, booked } = await fullyBooked();
      const form = await stranger().get(`/with/${host.username}/wait`);
      await cancel(booker, booked);
      const refused = await form.submit('Tell me', { displayName: 'Gus', email: 'gus@example.org' });
      expect(refused.words).toContain('There is a free time that fits');
      const [free] = await openSlotsOf(booker, host);
      expect((await book(booker, free as Row)).status).toBe(200);

      const page = await form.submit('Tell me', { displayName: 'Gus', email: 'gus@example.org' });

      expect(page.path).toMatch(/^\/waiting\//);
      expect(await listOf(host)).toMatchObject([{ name: 'Gus', email: 'gus@example.org', username: null }]);
    });

    test('end the wish', async () => {
      const { host, page } = await waitingGuest();

      const ended = await page.submit('Stop waiting');

      expect(ended.words).toContain('You wait no more');
      expect(await listOf(host)).toEqual([]);
    });

    test('know no key that is cut off', async () => {
      const { host, page } = await waitingGuest();
      const cutOff = keyOf(page.path).slice(1);

      const response = await stranger().api('DELETE', `/api/Public/RemoveWish?key=${cutOff}`);

      expect(response.status).toBe(404);
      expect(await listOf(host)).toHaveLength(1);
    });
  });

  describe('of a held time', () => {
    /** Noon is held for the first of two clients, who have waited by the screen. */
    async function heldNoon() {
      const { host, booker, booked } = await fullyBooked();
      const [first, second] = [await newConsumer(), await newConsumer()];
      for (const { browser } of [first, second]) {
        const form = await browser.get(`/with/${host.username}/wait`);
        expect((await form.submit('Tell me')).words).toContain('in line.');
      }
      await cancel(booker, booked);
      const openOffer = async (who: Person) => stranger().get((await only(who)).offer?.link ?? '');
      return { host, booked, first, second, openOffer };
    }

    test('show it to the client', async () => {
      const { first, openOffer } = await heldNoon();

      expect((await first.browser.get('/waitlist')).words).toContain('Held:');
      expect((await openOffer(first)).words).toContain('It is held for you until');
    });

    test('change nothing when it is looked at', async () => {
      const { first, openOffer } = await heldNoon();
      const before = await only(first);

      await openOffer(first);

      expect(await only(first)).toEqual(before);
    });

    test('show it once in the week', async () => {
      const { host, booked, first } = await heldNoon();

      const week = await host.browser.get(`/week?from=${booked.date}`);

      const held = week.$$('.week-item.is-held').map(({ text }) => text);
      expect(held).toEqual([expect.stringContaining(`eld for ${first.displayName}`)]);
    });

    test('show it on the day', async () => {
      const { host, booked, first } = await heldNoon();

      const day = await host.browser.get(`/day?date=${booked.date}`);

      expect(day.words).toContain(`is held for ${first.displayName} until`);
    });

    test('pass it on', async () => {
      const { first, second, openOffer } = await heldNoon();
      const { offer } = await only(first);

      const passed = await (await openOffer(first)).submit('Pass it on');

      expect(passed.words).toContain('in line for other times.');
      expect((await stranger().get(offer?.link ?? '')).words).toContain('This offer is over');
      expect((await only(second)).offer).not.toBeNull();
    });

    test('book it', async () => {
      const { first, openOffer } = await heldNoon();

      const taken = await (await openOffer(first)).submit('Take it');

      expect(taken.path).toMatch(/^\/booking\//);
      expect(taken.words).toContain(`Booked for ${first.displayName}`);
    });
  });

  describe('of an offered time with questions', () => {
    const questionText = 'Have you been here before?';

    async function offerWithQuestions() {
      const [host, booker, waiter] = [await newProvider(), await newConsumer(), await newConsumer()];
      const templateId = await publishQuestions(host, [{ questionText, required: true }]);
      const [slot] = (await publish(host, { dates: [dayAhead(2)] }, `templateId=${templateId}`)) as [Row];
      await book(booker, slot);
      await add(waiter, host);
      await cancel(booker, slot);
      return { host, page: await stranger().get((await only(waiter)).offer?.link ?? '') };
    }

    test('book nothing without the answers', async () => {
      const { host, page } = await offerWithQuestions();

      const refused = await page.submit('Take it');

      expect(refused.status).toBe(400);
      expect(refused.words).toContain('needs an answer');
      expect(await agenda(host)).toEqual([]);
    });

    test('book it with the answers', async () => {
      const { host, page } = await offerWithQuestions();
      const refused = await page.submit('Take it');
      const name = refused.$('main textarea')?.getAttribute('name') ?? '';

      const booked = await refused.submit('Take it', { [name]: 'Never' });

      expect(booked.path).toMatch(/^\/booking\//);
      expect(await agenda(host)).toMatchObject([{ formData: [{ question: questionText, answer: 'Never' }] }]);
    });
  });

  describe('of a provider', () => {
    /** Ana waits for an early time, and a later one is free. */
    async function oneInLine() {
      const { host } = await fullyBooked();
      const ana = await newConsumer();
      await add(ana, host, { to: dayAhead(2), before: '09:00' });
      const [slot] = (await publish(host, { start: '15:00', end: '15:30', dates: [dayAhead(4)] })) as [Row];
      return { host, ana, slot, list: await host.browser.get('/waitlist') };
    }

    test('list who waits', async () => {
      const { ana, list } = await oneInLine();

      expect(list.words).toContain(`1. ${ana.displayName}`);
    });

    test('show who waits by their initials, as people are', async () => {
      const { list } = await oneInLine();

      expect(list.$$('main .lines > li > .face')).toHaveLength(1);
    });

    test('link to call and message whoever left a number', async () => {
      const { host } = await fullyBooked();
      await setRules(host, { askPhone: 'optional' });
      await addGuest(host, { to: dayAhead(2), phone: '+351 912 345' });

      const list = await host.browser.get('/waitlist');

      const hrefs = list.$$('main a').map((link) => link.getAttribute('href'));
      expect(hrefs).toEqual(expect.arrayContaining(['tel:+351912345', expect.stringMatching(/^sms:\+351912345\?/)]));
    });

    test('hold a time that was not asked for', async () => {
      const { ana, slot, list } = await oneInLine();

      const offered = await list.submit('Hold it for them');

      expect(offered.words).toContain('The time is held for them');
      expect((await only(ana)).offer).toMatchObject({ slotId: slot.id });
    });

    test('hold a time once', async () => {
      const { host, ana, slot, list } = await oneInLine();
      await list.submit('Hold it for them');
      const { id } = await only(ana);

      const again = await host.api('PUT', `/api/Waitlist/Offer?id=${id}&slotId=${slot.id}`);

      expect(again.status).toBe(409);
    });

    test('take a wish away and free what is held for it', async () => {
      const { host, ana, slot, list } = await oneInLine();
      const offered = await list.submit('Hold it for them');

      const removed = await offered.submit('Take off the list');

      expect(removed.words).toContain('Nobody waits.');
      expect(await openSlotsOf(ana, host)).toMatchObject([{ startsAt: slot.startsAt }]);
    });

    test('take a wish away that is gone already', async () => {
      const { host, ana, list } = await oneInLine();
      const { id } = await only(ana);
      await list.submit('Take off the list');

      expect((await host.api('DELETE', `/api/Waitlist/Remove?id=${id}`)).status).toBe(204);
    });
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

  describe('for what takes several times', () => {
    test('let somebody wait where there is no time to compare with', async () => {
      const host = await newProvider();
      const service = await createService(host, { minutes: 60 });
      const form = await stranger().get(`/with/${host.username}/wait?service=${service.id}`);

      expect((await form.submit('Tell me', gus)).status).toBe(200);
    });

    async function hourOfTwoTimes() {
      const [host, maya] = [await newProvider(), await newConsumer()];
      const service = await createService(host, { minutes: 60 });
      const [first] = await publish(host, { start: '12:00', end: '13:00', dates: [dayAhead(2)] });
      const booked = (await book(maya, { id: `${first?.id}&service=${service.id}` })).json as Row;
      return { wait: `/with/${host.username}/wait`, service, maya, booked };
    }
    type Hour = Awaited<ReturnType<typeof hourOfTwoTimes>>;

    test.each<[who: string, open: (world: Hour) => Promise<Page>]>([
      ['a stranger', ({ wait, service }) => stranger().get(`${wait}?service=${service.id}`)],
      ['a client with an appointment', ({ wait, maya, booked }) => maya.browser.get(`${wait}?insteadOf=${booked.id}`)],
      [
        'whoever has a personal link',
        async ({ booked }) => (await stranger().get(booked.link ?? '')).click('Tell me if an earlier time comes free'),
      ],
    ])('say to %s before anything is typed that nobody can wait', async (_, open) => {
      const page = await open(await hourOfTwoTimes());

      expect(page.words).toContain('This takes longer than one of the times here');
      expect(page.$('main form')).toBeNull();
    });
  });

  test('let whoever has several times in a row wait where one of them all is long enough', async () => {
    const [host, maya, tomas] = [await newProvider(), await newConsumer(), await newConsumer()];
    const service = await createService(host, { minutes: 60 });
    const [first] = await publish(host, { start: '12:00', end: '13:00', dates: [dayAhead(3)] });
    const hours = { start: '09:00', end: '10:00', dates: [dayAhead(2)] };
    const [earlier] = (await publish(host, hours, 'len=60')) as [Row];
    const booked = (await book(maya, { id: `${first?.id}&service=${service.id}` })).json as Row;
    await book(tomas, earlier);

    const page = await maya.browser.get(`/with/${host.username}/wait?insteadOf=${booked.id}`);

    expect((await page.submit('Tell me', {})).status).toBe(200);
  });

  test('are not for one that is too short, though another one were long enough', async () => {
    const [host, maya, tomas] = [await newProvider(), await newConsumer(), await newConsumer()];
    const service = await createService(host, { minutes: 60 });
    const [short] = (await publish(host, { start: '12:00', end: '12:30', dates: [dayAhead(2)] })) as [Row];
    await publish(host, { start: '09:00', end: '10:00', dates: [dayAhead(3)] }, 'len=60');
    await book(tomas, short);

    const refused = await add(maya, host, { slotId: short.id, service: service.id });

    expect(refused).toMatchObject({ status: 409, json: expect.stringContaining('takes longer than one of the times') });
  });

  describe('of a time that is gone', () => {
    const wait = 'Tell me if this time comes free';

    async function openForm() {
      const host = await newProvider();
      const [slot] = (await publish(host)) as [Row];
      const open = () => stranger().get(`/with/${host.username}/${slot.id}`);
      return { host, slot, open, form: await open() };
    }

    test('offer to wait where somebody else has booked it', async () => {
      const { slot, form } = await openForm();
      await book(await newConsumer(), slot);

      const page = await form.submit('Book', { displayName: 'Gus' });

      expect(page.status).toBe(409);
      expect(page.words).toContain(wait);
    });

    test('offer nothing where its provider has taken it back', async () => {
      const { host, slot, form } = await openForm();
      await cancel(host, slot);

      const page = await form.submit('Book', { displayName: 'Gus' });

      expect(page.status).toBe(409);
      expect(page.words).not.toContain(wait);
    });

    test('offer nothing where the waitlist is off', async () => {
      const { host, slot, open } = await openForm();
      await book(await newConsumer(), slot);
      await setRules(host, { waitlist: 'off' });

      expect((await open()).words).not.toContain(wait);
    });
  });
});
