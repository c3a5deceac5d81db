import { describe, expect, test } from 'vitest';
import { brokenRules } from '../../habits/invariants';
import { bookFor, openSlotsOf } from '../../support/appointment-calls';
import { complaints } from '../../support/complaints';
import {
  book,
  cancel,
  dayAhead,
  isoAhead,
  type Person,
  peopleAt,
  publish,
  type Row,
  several,
} from '../../support/factories';
import { createParty, publishQuestions } from '../../support/party-factories';
import { cardsOf, createCard } from '../../support/people';
import { createService } from '../../support/services';
import { singleChoice } from '../../support/template-factories';
import { useServer, useWorld } from '../../support/use-server';
import { type ApiResponse, typedIn } from '../../support/visit';

/* A provider books any time at all: in a break, in the evening, right now. */

const daybook = useServer();
const { newProvider } = peopleAt(daybook);
const { maya } = useWorld(daybook, { maya: { displayName: 'Maya Ek' } });

const date = dayAhead(3);

type Body = Record<string, unknown>;
const bookAt = (who: Person, body: Body = {}, query = '', key?: string) =>
  who.api(
    'POST',
    `/api/Appointment/BookFor?${query}`,
    { date, start: '12:15', minutes: 30, displayName: 'Gus', ...body },
    key ? { 'Idempotency-Key': key } : undefined,
  );

const setHours = (who: Person, details: Body = {}) =>
  who.api('PUT', '/api/Appointment/SetHours', {
    hours: [0, 1, 2, 3, 4, 5, 6].flatMap((day) => [
      { day, start: '09:00', end: '12:00' },
      { day, start: '13:00', end: '17:00' },
    ]),
    except: [],
    len: 30,
    gap: 0,
    ahead: 10,
    ...details,
  });

/** The starts of what clients are offered of a day, as clock times. */
const offered = async (provider: Person) =>
  (await openSlotsOf(maya, provider, { dates: date })).map(({ startTime }) => startTime);

const rowOf = ({ json }: ApiResponse) => json as Row;

async function withHours(details: Body = {}) {
  const provider = await newProvider();
  expect((await setHours(provider, details)).status).toBe(200);
  return provider;
}

describe('any time', () => {
  test('is booked without being published', async () => {
    const provider = await newProvider();

    const response = await bookAt(provider, { start: '18:00' });

    expect(response.status).toBe(201);
    expect(rowOf(response)).toMatchObject({
      status: 1,
      date,
      startTime: '18:00',
      endTime: '18:30',
      bookerName: 'Gus',
      link: expect.stringMatching(/^\/booking\//),
    });
    expect(await offered(provider)).toEqual([]);
    expect(await brokenRules(daybook.d1)).toEqual([]);
  });

  test('outside of hours is refused with a sentence', async () => {
    const refused = await bookAt(await withHours());

    expect(refused.status).toBe(409);
    expect(refused.text).toContain('outside of your hours');
  });

  test.each<[where: string, body: Body, query: string]>([
    ['query', {}, 'over=true'],
    ['body', { over: true }, ''],
  ])('outside of hours is booked where the %s says that it is over them', async (_, body, query) => {
    expect((await bookAt(await withHours(), body, query)).status).toBe(201);
  });

  describe('in hours of two ranges that touch', () => {
    const touchingHours = () =>
      withHours({
        hours: [0, 1, 2, 3, 4, 5, 6].flatMap((day) => [
          { day, start: '09:00', end: '12:00' },
          { day, start: '12:00', end: '14:00' },
        ]),
      });

    test.each([
      ['over both', '11:45'],
      ['until their end', '13:30'],
    ])('is booked %s', async (_, start) => {
      expect((await bookAt(await touchingHours(), { start })).status).toBe(201);
    });

    test('is refused a minute past their end', async () => {
      expect((await bookAt(await touchingHours(), { start: '13:31' })).status).toBe(409);
    });
  });

  test('is refused on a date without hours', async () => {
    const provider = await withHours({ except: [{ date, hours: [] }] });

    expect((await bookAt(provider, { start: '10:00' })).status).toBe(409);
  });

  describe('on a date with other hours', () => {
    const otherHours = () => withHours({ except: [{ date, hours: [{ start: '12:00', end: '13:00' }] }] });

    test('is booked in them', async () => {
      expect((await bookAt(await otherHours())).status).toBe(201);
    });

    test('is refused in the usual ones', async () => {
      expect((await bookAt(await otherHours(), { start: '10:00' })).status).toBe(409);
    });
  });

  describe('over an event of one’s own', () => {
    async function withParty() {
      const provider = await newProvider();
      await createParty(provider, { title: 'Garden day', date, startTime: '12:00', endTime: '14:00' });
      return provider;
    }

    test('is refused with its name', async () => {
      const refused = await bookAt(await withParty());

      expect(refused.status).toBe(409);
      expect(refused.text).toContain('Garden day');
    });

    test('is booked where the call says so', async () => {
      expect((await bookAt(await withParty(), {}, 'over=true')).status).toBe(201);
    });
  });

  test.each(['11:45', '12:00', '12:15'])(
    'at %s, over something booked, is refused though the call says so',
    async (start) => {
      const provider = await newProvider();
      await bookAt(provider, { start: '12:00' });

      const refused = await bookAt(provider, { start }, 'over=true');

      expect(refused.status).toBe(409);
      expect(refused.text).toContain('Something is booked or held');
    },
  );

  test('may begin when something booked ends', async () => {
    const provider = await newProvider();
    await bookAt(provider, { start: '12:00' });

    expect((await bookAt(provider, { start: '12:30' })).status).toBe(201);
  });

  test('takes every open time that it touches', async () => {
    const provider = await newProvider();
    await publish(provider, { dates: [date], start: '12:00', end: '14:00', len: 30 });

    expect((await bookAt(provider, { start: '12:15', minutes: 45 })).status).toBe(201);

    expect(await offered(provider)).toEqual(['13:00', '13:30']);
    expect(await brokenRules(daybook.d1)).toEqual([]);
  });

  test('that its client cancels opens what was open in it, and no more', async () => {
    const provider = await newProvider();
    await publish(provider, { dates: [date], start: '13:00', end: '14:00', len: 30 });
    const { link } = rowOf(await bookAt(provider, { minutes: 60 }));
    const key = link?.split('/').pop();

    const canceled = await daybook.visitor().api('PUT', `/api/Public/CancelBooking?key=${key}`);

    expect(canceled.status).toBe(200);
    expect(await offered(provider)).toEqual(['13:00', '13:30']);
    expect(await brokenRules(daybook.d1)).toEqual([]);
  });

  test('that its provider cancels leaves nothing published', async () => {
    const provider = await newProvider();
    const booked = rowOf(await bookAt(provider));

    expect((await cancel(provider, booked)).status).toBe(200);

    expect(await offered(provider)).toEqual([]);
  });

  describe('with a service', () => {
    async function withCut() {
      const provider = await newProvider();
      const service = await createService(provider, { name: 'Cut', minutes: 40, gap: 20 });
      return { provider, response: await bookAt(provider, { minutes: undefined }, `service=${service.id}`) };
    }

    test('has its minutes', async () => {
      const { response } = await withCut();

      expect(rowOf(response)).toMatchObject({ startTime: '12:15', endTime: '12:55' });
    });

    test('has its name', async () => {
      const { response } = await withCut();

      expect(rowOf(response).service?.name).toBe('Cut');
    });

    test('keeps its gap free', async () => {
      const { provider } = await withCut();

      expect((await bookAt(provider, { start: '13:00' })).status).toBe(409);
      expect((await bookAt(provider, { start: '13:15' })).status).toBe(201);
    });
  });

  test('with a service that only the provider books is booked', async () => {
    const provider = await newProvider();
    const service = await createService(provider, { isOffered: false });

    expect((await bookAt(provider, {}, `service=${service.id}`)).status).toBe(201);
  });

  describe('with a service that asks', () => {
    async function bookAnswered(answer: string) {
      const provider = await newProvider();
      const templateId = await publishQuestions(provider, [
        { questionText: 'Side?', questionType: singleChoice, options: ['left', 'right'] },
      ]);
      const service = await createService(provider, { templateId });
      return bookAt(provider, { formData: [{ question: 'Side?', answer }] }, `service=${service.id}`);
    }

    test('keeps the answers', async () => {
      expect(rowOf(await bookAnswered('left'))).toMatchObject({ formData: [{ question: 'Side?', answer: 'left' }] });
    });

    test('is refused with an answer that is none', async () => {
      expect((await bookAnswered('up')).status).toBe(400);
    });
  });

  test.each([
    ['of another length', { minutes: 40 }, 400],
    ['that is a class', { seats: 8 }, 409],
  ])('is refused with a service %s', async (_, details, status) => {
    const provider = await newProvider();
    const service = await createService(provider, details);

    expect((await bookAt(provider, {}, `service=${service.id}`)).status).toBe(status);
  });

  describe('with a service at the client’s', () => {
    async function withVisits() {
      const provider = await newProvider();
      const service = await createService(provider, { where: 'theirs' });
      return { provider, query: `service=${service.id}` };
    }

    test('is refused without the address', async () => {
      const { provider, query } = await withVisits();

      const refused = await bookAt(provider, {}, query);

      expect(complaints(refused)).toEqual(['Please give the address: the appointment takes place there.']);
    });

    test('is booked there', async () => {
      const { provider, query } = await withVisits();

      expect(rowOf(await bookAt(provider, { address: 'Linden 5' }, query))).toMatchObject({
        where: 'theirs',
        place: 'Linden 5',
      });
    });
  });

  test('with a service by phone needs no number, which its provider knows', async () => {
    const provider = await newProvider();
    const service = await createService(provider, { where: 'phone' });

    expect(rowOf(await bookAt(provider, {}, `service=${service.id}`))).toMatchObject({ where: 'phone' });
  });

  test('is refused with a service of somebody else', async () => {
    const theirs = await createService(await newProvider());

    expect((await bookAt(await newProvider(), {}, `service=${theirs.id}`)).status).toBe(404);
  });

  test('is booked for a card', async () => {
    const provider = await newProvider();
    const card = await createCard(provider, { name: 'Ines' });

    const response = await bookAt(provider, { displayName: undefined, personId: card.id });

    expect(rowOf(response)).toMatchObject({ status: 1, bookerName: 'Ines' });
    expect(await cardsOf(provider)).toMatchObject([{ name: 'Ines', booked: 1 }]);
  });

  test('is bound by no limit of its provider', async () => {
    const provider = await newProvider();
    await provider.api('PUT', '/api/Account/SetRules', { perDay: 1, perPerson: 1, notice: 43_200 });

    expect((await bookAt(provider)).status).toBe(201);
    expect((await bookAt(provider, { start: '15:00' })).status).toBe(201);
  });

  const moment = (minutesFromNow: number) => {
    const text = new Date(Date.now() + minutesFromNow * 60_000).toISOString();
    return { date: `${text.slice(5, 10)}-${text.slice(0, 4)}`, start: text.slice(11, 16) };
  };

  test('may have begun', async () => {
    expect((await bookAt(await newProvider(), { ...moment(-2), minutes: 30 })).status).toBe(201);
  });

  test('may not be over', async () => {
    expect((await bookAt(await newProvider(), { ...moment(-60), minutes: 30 })).status).toBe(409);
  });

  test.each<[what: string, body: Body, query: string]>([
    ['without a date', { date: undefined }, ''],
    ['without a start', { start: undefined }, ''],
    ['without a length', { minutes: undefined }, ''],
    ['of four minutes', { minutes: 4 }, ''],
    ['on a date that is none', { date: 'x' }, ''],
    ['beside the id of a slot', {}, 'id=x'],
    ['for several people', {}, 'people=2'],
  ])('is refused %s', async (_, body, query) => {
    const provider = await newProvider();

    expect((await bookAt(provider, body, query)).status).toBe(400);
    expect(await cardsOf(provider)).toEqual([]);
  });

  test('is refused where nothing says when', async () => {
    expect((await bookFor(await newProvider(), { id: '' }, { displayName: 'Gus' })).status).toBe(400);
  });

  test('sent many times at once is booked once', async () => {
    const provider = await newProvider();

    const responses = await several(5, () => bookAt(provider, {}, '', 'one press'));

    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    expect(new Set(responses.map((response) => rowOf(response).id)).size).toBe(1);
    expect(await cardsOf(provider)).toMatchObject([{ name: 'Gus', booked: 1 }]);
  });

  describe('of many at once over each other', () => {
    async function bookAllAtOnce() {
      const provider = await newProvider();
      await publish(provider, { dates: [date], start: '12:00', end: '13:00', len: 30 });
      const [slot] = await openSlotsOf(maya, provider, { dates: date });
      const responses = await Promise.all([
        book(maya, slot as Row),
        ...['11:50', '12:05', '12:10', '12:20'].map((start) => bookAt(provider, { start })),
      ]);
      return { provider, responses };
    }

    test('one is booked', async () => {
      const { responses } = await bookAllAtOnce();

      expect(responses.filter(({ status }) => status < 300)).toHaveLength(1);
      expect(await brokenRules(daybook.d1)).toEqual([]);
    });

    test('the others leave no time of theirs open', async () => {
      const { provider } = await bookAllAtOnce();

      expect(['12:00', '12:30']).toEqual(expect.arrayContaining(await offered(provider)));
    });
  });

  test('beside hours that publish at the same time overlaps nothing', async () => {
    const provider = await newProvider();

    const [booked] = await Promise.all([
      bookAt(provider, { start: '10:15', over: true }),
      setHours(provider),
      setHours(provider, { len: 20 }),
    ]);

    expect(booked.status).toBe(201);
    expect(await offered(provider)).not.toContain('10:00');
    expect(await brokenRules(daybook.d1)).toEqual([]);
  });

  test('belongs to providers', async () => {
    expect((await bookAt(maya)).status).toBe(403);
  });
});

describe('the screens of any time', () => {
  const formAt = { date: isoAhead(3), start: '12:15', long: '30', displayName: 'Gus' };

  describe('outside of hours', () => {
    const over = `${formAt.date} ${formAt.start} ${formAt.long}`;

    test('say so', async () => {
      const refused = await (await withHours()).browser.post('/book-at', formAt);

      expect(refused.status).toBe(409);
      expect(refused.text).toContain('That is outside of your hours.');
      expect(refused.text).toContain('Book it all the same');
    });

    test('book by a second press', async () => {
      const { browser } = await withHours();

      const booked = await browser.post('/book-at', { ...formAt, over });

      expect(booked.status).toBe(303);
      expect((await browser.get(booked.headers.get('location') ?? '')).text).toContain('Gus');
    });

    test('book no other time by that press', async () => {
      const { browser } = await withHours();

      expect((await browser.post('/book-at', { ...formAt, start: '12:20', over })).status).toBe(409);
    });
  });

  test('book for a card from its own page', async () => {
    const provider = await newProvider();
    const card = await createCard(provider, { name: 'Ines' });

    expect((await provider.browser.get(`/people/${card.id}/book`)).text).toContain(`/book-at?person=${card.id}`);
    const booked = await provider.browser.post(`/book-at?person=${card.id}`, formAt);

    expect(booked.headers.get('location')).toContain('/details-provider/');
    expect(await cardsOf(provider)).toMatchObject([{ name: 'Ines', booked: 1 }]);
  });

  test('book somebody at the door from Today, in three fields', async () => {
    const provider = await withHours();

    const today = await provider.browser.get('/');

    expect(today.text).toContain('Somebody at the door');
    expect(today.text).toContain('action="/book-at"');
  });

  describe('with a service at the client’s', () => {
    const address = 'Linden 5, 2nd floor';
    const inHours = { date: formAt.date, start: '10:00' };
    async function withVisits() {
      const provider = await withHours();
      await createService(provider, { name: 'Visit', where: 'theirs' });
      return provider;
    }
    /** Books somebody at the door for the visit: the form of Today has no field for the address. */
    const atDoor = async (provider: Person) =>
      (await provider.browser.get('/')).submit('Book now', { displayName: 'Gus', start: '23:45' });

    test('ask for the address, beside its field', async () => {
      const refused = await atDoor(await withVisits());

      expect(refused.status).toBe(400);
      expect(refused.words).toContain('Please give the address: the appointment takes place there.');
      expect(refused.$('input[name=address][aria-invalid=true]')).not.toBeNull();
    });

    test('keep what was typed', async () => {
      const refused = await atDoor(await withVisits());

      expect(typedIn(refused, 'displayName')).toBe('Gus');
      expect(typedIn(refused, 'start')).toBe('23:45');
      expect(refused.$('select[name=long] option[selected]')?.text).toContain('Visit');
    });

    test('book with the address once it is typed', async () => {
      const provider = await withVisits();

      const booked = await (await atDoor(provider)).submit('Book this time', { ...inHours, address });

      expect(booked.words).toContain(`At the client’s: ${address}`);
    });

    test('ask for the address of whoever has a card, too', async () => {
      const provider = await withVisits();
      const card = await createCard(provider, { name: 'Ines' });
      const form = await provider.browser.get(`/people/${card.id}/book`);

      const refused = await form.submit('Book this time', { ...inHours, address: '' });
      const booked = await refused.submit('Book this time', { address });

      expect(refused.status).toBe(400);
      expect(typedIn(refused, 'start')).toBe(inHours.start);
      expect(booked.words).toContain(`At the client’s: ${address}`);
    });
  });

  test('book what is by phone with the number that was typed', async () => {
    const provider = await newProvider();
    await createService(provider, { name: 'Talk', where: 'phone' });
    const form = await provider.browser.get('/book-at');

    const booked = await form.submit('Book this time', {
      date: formAt.date,
      start: '12:15',
      displayName: 'Gus',
      phone: '+351 910 000 001',
    });

    expect(booked.words).toContain('By phone: you call');
    expect(booked.words).toContain('+351 910 000 001');
  });
});
