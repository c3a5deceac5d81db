import { describe, expect, test } from 'vitest';
import { brokenRules } from '../../habits/invariants';
import { bookFor, openSlotsOf } from '../../support/appointment-calls';
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
import type { ApiResponse } from '../../support/visit';

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

  test('outside of hours is refused with a sentence, unless over is true', async () => {
    const provider = await withHours();

    expect(await bookAt(provider)).toMatchObject({
      status: 409,
      text: expect.stringContaining('outside of your hours'),
    });
    expect((await bookAt(provider, {}, 'over=true')).status).toBe(201);
    expect((await bookAt(provider, { start: '18:00', over: true })).status).toBe(201);
  });

  test('is within hours over ranges that touch, and outside by a minute', async () => {
    const provider = await withHours({
      hours: [0, 1, 2, 3, 4, 5, 6].flatMap((day) => [
        { day, start: '09:00', end: '12:00' },
        { day, start: '12:00', end: '14:00' },
      ]),
    });

    expect((await bookAt(provider, { start: '11:45' })).status).toBe(201);
    expect((await bookAt(provider, { start: '13:31' })).status).toBe(409);
    expect((await bookAt(provider, { start: '13:30' })).status).toBe(201);
  });

  test('follows the hours of a date that is an exception', async () => {
    const closed = await withHours({ except: [{ date, hours: [] }] });
    const open = await withHours({ except: [{ date, hours: [{ start: '12:00', end: '13:00' }] }] });

    expect((await bookAt(closed, { start: '10:00' })).status).toBe(409);
    expect((await bookAt(open)).status).toBe(201);
    expect((await bookAt(open, { start: '10:00' })).status).toBe(409);
  });

  test('over an event of one’s own is refused with its name, unless over is true', async () => {
    const provider = await newProvider();
    await createParty(provider, { title: 'Garden day', date, startTime: '12:00', endTime: '14:00' });

    expect(await bookAt(provider)).toMatchObject({ status: 409, text: expect.stringContaining('Garden day') });
    expect((await bookAt(provider, {}, 'over=true')).status).toBe(201);
  });

  test('over something booked is refused even if over is true', async () => {
    const provider = await newProvider();
    await bookAt(provider, { start: '12:00' });

    for (const start of ['11:45', '12:00', '12:15'])
      expect(await bookAt(provider, { start }, 'over=true')).toMatchObject({
        status: 409,
        text: expect.stringContaining('Something is booked or held'),
      });
    expect((await bookAt(provider, { start: '12:30' })).status).toBe(201);
  });

  test('takes the open times that it covers, and those that it cuts', async () => {
    const provider = await newProvider();
    await publish(provider, { dates: [date], start: '12:00', end: '14:00', len: 30 });

    expect((await bookAt(provider, { start: '12:15', minutes: 45 })).status).toBe(201);

    expect(await offered(provider)).toEqual(['13:00', '13:30']);
    expect(await brokenRules(daybook.d1)).toEqual([]);
  });

  test('that is canceled leaves nothing published, and opens what was open in it', async () => {
    const provider = await newProvider();
    await publish(provider, { dates: [date], start: '13:00', end: '14:00', len: 30 });
    const { link } = rowOf(await bookAt(provider, { minutes: 60 }));
    expect(await offered(provider)).toEqual(['13:30']);

    const key = link?.split('/').pop();
    expect((await daybook.visitor().api('PUT', `/api/Public/CancelBooking?key=${key}`)).status).toBe(200);

    expect(await offered(provider)).toEqual(['13:00', '13:30']);
    expect(await brokenRules(daybook.d1)).toEqual([]);
  });

  test('that its provider cancels leaves nothing published', async () => {
    const provider = await newProvider();
    const booked = rowOf(await bookAt(provider));

    expect((await cancel(provider, booked)).status).toBe(200);

    expect(await offered(provider)).toEqual([]);
  });

  test('with a service has its minutes, gap and name', async () => {
    const provider = await newProvider();
    const service = await createService(provider, { name: 'Cut', minutes: 40, gap: 20 });

    const response = await bookAt(provider, { minutes: undefined }, `service=${service.id}`);

    expect(rowOf(response)).toMatchObject({ startTime: '12:15', endTime: '12:55', service: { name: 'Cut' } });
    expect((await bookAt(provider, { start: '13:00' })).status).toBe(409);
    expect((await bookAt(provider, { start: '13:15' })).status).toBe(201);
  });

  test('with a service that only the provider books is booked', async () => {
    const provider = await newProvider();
    const service = await createService(provider, { isOffered: false });

    expect((await bookAt(provider, {}, `service=${service.id}`)).status).toBe(201);
  });

  test('with the questions of a service keeps the answers', async () => {
    const provider = await newProvider();
    const templateId = await publishQuestions(provider, [
      { questionText: 'Side?', questionType: singleChoice, options: ['left', 'right'] },
    ]);
    const service = await createService(provider, { templateId });
    const formData = [{ question: 'Side?', answer: 'left' }];

    expect(rowOf(await bookAt(provider, { formData }, `service=${service.id}`))).toMatchObject({ formData });
    expect(
      (
        await bookAt(
          provider,
          { start: '14:00', formData: [{ question: 'Side?', answer: 'up' }] },
          `service=${service.id}`,
        )
      ).status,
    ).toBe(400);
  });

  test('is refused for another length than the service’s, a class, and a service of others', async () => {
    const [provider, other] = [await newProvider(), await newProvider()];
    const [cut, yoga, theirs] = [
      await createService(provider, { minutes: 40 }),
      await createService(provider, { seats: 8 }),
      await createService(other),
    ];

    expect((await bookAt(provider, {}, `service=${cut.id}`)).status).toBe(400);
    expect((await bookAt(provider, {}, `service=${yoga.id}`)).status).toBe(409);
    expect((await bookAt(provider, {}, `service=${theirs.id}`)).status).toBe(404);
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

  test('may have begun, but not be over', async () => {
    const provider = await newProvider();
    const at = (minutes: number) => {
      const text = new Date(Date.now() + minutes * 60_000).toISOString();
      return { date: `${text.slice(5, 10)}-${text.slice(0, 4)}`, start: text.slice(11, 16) };
    };

    expect((await bookAt(provider, { ...at(-60), minutes: 30 })).status).toBe(409);
    expect((await bookAt(provider, { ...at(-2), minutes: 30 })).status).toBe(201);
  });

  test('needs a date, a start, a length, and no id beside it', async () => {
    const provider = await newProvider();

    for (const body of [
      { date: undefined },
      { start: undefined },
      { minutes: undefined },
      { minutes: 4 },
      { date: 'x' },
    ])
      expect((await bookAt(provider, body)).status).toBe(400);
    expect((await bookAt(provider, {}, 'id=x')).status).toBe(400);
    expect((await bookAt(provider, {}, 'people=2')).status).toBe(400);
    expect((await bookFor(provider, { id: '' }, { displayName: 'Gus' })).status).toBe(400);
    expect(await cardsOf(provider)).toEqual([]);
  });

  test('sent twice, or many times at once, is booked once', async () => {
    const provider = await newProvider();

    const responses = await several(5, () => bookAt(provider, {}, '', 'one press'));

    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    expect(new Set(responses.map((response) => rowOf(response).id)).size).toBe(1);
    expect(await cardsOf(provider)).toMatchObject([{ name: 'Gus', booked: 1 }]);
  });

  test('of many at once over each other, one is booked, and nothing stays open of the others', async () => {
    const provider = await newProvider();
    await publish(provider, { dates: [date], start: '12:00', end: '13:00', len: 30 });
    const [slot] = await openSlotsOf(maya, provider, { dates: date });

    const [first, ...others] = await Promise.all([
      book(maya, slot as Row),
      ...['11:50', '12:05', '12:10', '12:20'].map((start) => bookAt(provider, { start })),
    ]);

    expect([first, ...others].filter((response) => response && response.status < 300)).toHaveLength(1);
    expect(await brokenRules(daybook.d1)).toEqual([]);
    expect((await offered(provider)).every((start) => ['12:00', '12:30'].includes(start ?? ''))).toBe(true);
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

  test('say what the time is over, and book it with the second press', async () => {
    const provider = await withHours();
    const { browser } = provider;

    const refused = await browser.post('/book-at', formAt);
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('That is outside of your hours.');
    expect(refused.text).toContain('Book it all the same');

    const over = `${formAt.date} ${formAt.start} ${formAt.long}`;
    const other = await browser.post('/book-at', { ...formAt, start: '12:20', over });
    expect(other.status).toBe(409);
    const booked = await browser.post('/book-at', { ...formAt, over });
    expect(booked.status).toBe(303);
    expect((await browser.get(booked.headers.get('location') ?? '')).text).toContain('Gus');
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
});
