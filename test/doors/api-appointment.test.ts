import { beforeAll, describe, expect, test } from 'vitest';
import { complaints } from '../support/complaints';
import {
  book,
  cancel,
  dayAhead,
  look,
  type Person,
  password,
  publication,
  publish,
  publishOne,
  type Row,
  registerConsumer,
  registerProvider,
  rowsOf,
  several,
  writeSlot,
} from '../support/factories';
import { useServer } from '../support/use-server';
import type { ApiAnswer, Sent } from '../support/visit';

const daybook = useServer({ vars: { TIMING: 'on' } });

const newProvider = (details?: object) => registerProvider(daybook, details);
const newConsumer = (details?: object) => registerConsumer(daybook, details);

let maya: Person;
let june: Person;
beforeAll(async () => {
  [maya, june] = await Promise.all([newConsumer({ displayName: 'Maya Lindqvist' }), newConsumer()]);
});

/** Asks for something of /api/Appointment, with these query parameters. */
const ask = (who: Person, call: string, query: Record<string, string> = {}) =>
  who.api('GET', `/api/Appointment/${call}?${new URLSearchParams(query)}`);
const openSlotsOf = async ({ username }: Person, query: object = {}) =>
  rowsOf(await ask(maya, 'GetPage', { provider: username, ...query }));
const create = (who: Person, details: object = {}, query = '', sent?: Sent) =>
  who.api('POST', `/api/Appointment/CreateAppointment?${query}`, publication(details), sent);

const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);
const startsOf = (rows: Row[]) => rows.map(({ startTime }) => startTime);
const hasMore = ({ headers }: ApiAnswer) => headers.get('x-has-more');

const taken = { status: 409, json: 'This appointment has just been booked by someone else.' };
const started = { status: 409, json: 'This appointment has already started.' };

/** What a call answers about an appointment that there is not. */
async function nothingThere(call: (who: Person, slot: { id: string }) => Promise<ApiAnswer>, who: Person) {
  const { status, text, json } = await call(who, { id: 'no-such-appointment' });
  expect({ status, json }).toEqual({ status: 404, json: expect.any(String) });
  return { status, text };
}

test('a session that was ended writes nothing', async () => {
  const [ana, reader] = await Promise.all([newProvider(), newConsumer()]);
  const [free, booked] = (await publish(ana, { end: '10:00' })) as [Row, Row];
  await book(reader, booked);
  for (const who of [ana, reader]) {
    const cookie = who.browser.cookies.get('daybook') ?? '';
    await who.api('DELETE', '/api/Account/Logout');
    const late = [() => book(who, free), () => cancel(who, booked), () => cancel(who, free), () => create(who)];
    for (const write of late) {
      who.browser.cookies.set('daybook', cookie);
      expect(await write()).toMatchObject({ status: 401, json: expect.any(String) });
    }
  }
  const { results } = await daybook.d1
    .prepare(
      `SELECT status FROM slots WHERE provider_id = (SELECT id FROM accounts WHERE username = ?) ORDER BY starts_at`,
    )
    .bind(ana.username)
    .all();
  expect(results).toEqual([{ status: 0 }, { status: 1 }]);
});

describe('an appointment', () => {
  test('has these fifteen keys, open and booked', async () => {
    const ana = await newProvider({ displayName: 'Ana Dias', timeZone: 'America/New_York' });
    const year = dayAhead(370).slice(-4);
    const slot = await publishOne(ana, { dates: [`01-15-${year}`], notes: ' Bring\r\na towel ' });
    const open = {
      id: expect.stringMatching(/^[\w-]{20,}$/),
      provider: ana.username,
      providerName: 'Ana Dias',
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
    };
    const booked = { ...open, status: 1, username: maya.username, bookerName: 'Maya Lindqvist' };
    expect(slot).toStrictEqual(open);
    expect((await look(maya, slot)).json).toStrictEqual(open);
    expect((await book(maya, slot)).json).toStrictEqual(booked);
    expect((await look(ana, slot)).json).toStrictEqual(booked);
    expect(rowsOf(await ask(ana, 'GetBooked'))).toStrictEqual([booked]);
    expect((await cancel(ana, slot)).json).toStrictEqual({ ...booked, status: 2 });
  });

  test('keeps its time and zone when its provider moves, while new ones are in the new zone on every device', async () => {
    const ana = await newProvider({ timeZone: 'Asia/Tokyo' });
    const phone = daybook.visitor();
    await phone.api('POST', '/api/Account/Login', { username: ana.username, password });
    const slot = await publishOne(ana);
    await ana.browser.post('/profile', { intent: 'profile', displayName: 'Ana', location: 'Porto', timeZone: 'UTC' });
    expect((await look(maya, slot)).json).toStrictEqual({ ...slot, providerName: 'Ana' });
    for (const [day, device] of [ana, { ...ana, api: phone.api.bind(phone) }].entries()) {
      const [moved] = await publish(device, { dates: [dayAhead(day + 5)] });
      expect(moved).toMatchObject({
        timeZone: 'UTC',
        startTime: '09:00',
        startsAt: expect.stringContaining('T09:00:00'),
      });
    }
  });

  test('without notes has null', async () => {
    expect(await publishOne(await newProvider())).toMatchObject({ notes: null });
  });
});

describe('CreateAppointment', () => {
  test('cuts the range of each day into slots of 30 minutes', async () => {
    const ana = await newProvider();
    const answer = await create(ana, { end: '10:45', dates: [dayAhead(2), dayAhead(1)] });
    expect(answer).toMatchObject({ status: 201 });
    expect(answer.json).toStrictEqual({ created: 6, skipped: 0 });
    const rows = await openSlotsOf(ana);
    expect(rows.map(({ date, startTime, endTime }) => `${date} ${startTime}-${endTime}`)).toEqual(
      [dayAhead(1), dayAhead(2)].flatMap((day) => [`${day} 09:00-09:30`, `${day} 09:30-10:00`, `${day} 10:00-10:30`]),
    );
  });

  test.each([
    ['len=30', '09:00', '10:00', 2],
    ['len=', '09:00', '10:00', 2],
    ['len=5', '09:00', '10:00', 12],
    ['len=1440', '00:00', '00:00', 1],
    ['len=60', '22:00', '00:00', 2],
    ['len=61', '09:00', '10:00', 0],
    ['templateId=', '09:00', '10:00', 2],
    ['more=of&this=that', '09:00', '10:00', 2],
  ])('with %s from %s to %s makes %s slots', async (query, start, end, created) => {
    expect((await create(await newProvider(), { start, end }, query)).json).toStrictEqual({ created, skipped: 0 });
  });

  test('cuts in elapsed time where the clocks change', async () => {
    const year = Number(dayAhead(370).slice(-4));
    const lastSunday = (month: number) =>
      `${month}-${31 - new Date(Date.UTC(year, month - 1, 31)).getUTCDay()}-${year}`;
    const ana = await newProvider({ timeZone: 'Europe/Berlin' });
    const spring = { start: '01:00', end: '04:00', dates: [`0${lastSunday(3)}`] };
    expect((await create(ana, spring)).json).toStrictEqual({ created: 4, skipped: 0 });
    expect(startsOf(await openSlotsOf(ana))).toEqual(['01:00', '01:30', '03:00', '03:30']);
    const autumn = { start: '00:00', end: '03:00', dates: [lastSunday(10)] };
    expect((await create(ana, autumn)).json).toStrictEqual({ created: 8, skipped: 0 });
  });

  test('counts a day once that is sent twice', async () => {
    const dates = [dayAhead(1), dayAhead(2), dayAhead(1), dayAhead(1)];
    expect((await create(await newProvider(), { dates })).json).toStrictEqual({ created: 2, skipped: 0 });
    const year = Array.from({ length: 366 }, (_, index) => dayAhead(index + 1));
    expect((await create(await newProvider(), { dates: [...year, ...year] })).json).toMatchObject({ created: 366 });
  });

  test('reaches more than three years ahead', async () => {
    expect((await create(await newProvider(), { dates: [dayAhead(1200)] })).json).toMatchObject({ created: 1 });
  });

  test('of today makes what has not begun', async () => {
    const ana = await newProvider();
    const answer = await create(ana, { start: '00:00', end: '00:00', dates: [dayAhead(0)] }, 'len=5');
    const { created } = answer.json as { created: number };
    expect(answer.status).toBe(201);
    const left = (Date.parse(new Date().toISOString().slice(0, 10)) + 86_400_000 - Date.now()) / 300_000;
    expect(Math.abs(created - Math.floor(left))).toBeLessThanOrEqual(1);
    for (const { startsAt } of await openSlotsOf(ana)) expect(Date.parse(startsAt)).toBeGreaterThan(Date.now() - 5_000);
  });

  test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])('knows the past by the calendar of %s', async (timeZone) => {
    const ana = await newProvider({ timeZone });
    expect(await create(ana, { dates: [dayAhead(0, timeZone)] })).toMatchObject({ status: 201 });
    expect(complaints(await create(ana, { dates: [dayAhead(-1, timeZone)] }))).toHaveLength(1);
  });

  test('skips what overlaps an open or a booked slot, and only that', async () => {
    const ana = await newProvider();
    const [first, second] = await publish(ana, { end: '10:00' });
    await book(maya, first as Row);
    await cancel(ana, second as Row);
    // 08:50 touches the booked 09:00, 09:10 as well; 09:30 was withdrawn.
    expect((await create(ana, { start: '08:10', end: '10:10' }, 'len=20')).json).toStrictEqual({
      created: 4,
      skipped: 2,
    });
    expect(startsOf(await openSlotsOf(ana))).toEqual(['08:10', '08:30', '09:30', '09:50']);
    expect((await create(ana, { start: '09:00', end: '10:10' }, 'len=70')).json).toStrictEqual({
      created: 0,
      skipped: 1,
    });
  });

  test('lets slots of one provider touch each other, and those of two overlap', async () => {
    const [ana, rui] = await Promise.all([newProvider(), newProvider()]);
    expect((await create(ana, { start: '09:00', end: '10:00' })).json).toStrictEqual({ created: 2, skipped: 0 });
    expect((await create(ana, { start: '08:30', end: '09:00' })).json).toStrictEqual({ created: 1, skipped: 0 });
    expect((await create(ana, { start: '10:00', end: '10:30' })).json).toStrictEqual({ created: 1, skipped: 0 });
    expect((await create(rui, { start: '09:00', end: '10:00' })).json).toStrictEqual({ created: 2, skipped: 0 });
  });

  test('again publishes nothing twice', async () => {
    const ana = await newProvider();
    expect((await create(ana, { end: '11:00' })).json).toStrictEqual({ created: 4, skipped: 0 });
    expect((await create(ana, { end: '11:00' })).json).toStrictEqual({ created: 0, skipped: 4 });
    expect(await openSlotsOf(ana)).toHaveLength(4);
  });

  test('again with the same Idempotency-Key answers the same, for this caller alone', async () => {
    const [ana, rui] = await Promise.all([newProvider(), newProvider()]);
    const sent = { 'idempotency-key': 'tuesday' };
    for (const who of [ana, rui, ana]) {
      const answer = await create(who, { end: '10:00' }, '', sent);
      expect(answer).toMatchObject({ status: 201, json: { created: 2, skipped: 0 } });
    }
    expect(await openSlotsOf(ana)).toHaveLength(2);
    // What was withdrawn meanwhile does not come back.
    for (const slot of await openSlotsOf(ana)) await cancel(ana, slot);
    expect((await create(ana, { end: '10:00' }, '', sent)).json).toStrictEqual({ created: 2, skipped: 0 });
    expect(await openSlotsOf(ana)).toEqual([]);
    const longest = { 'idempotency-key': 'k'.repeat(201) };
    expect(complaints(await create(ana, {}, '', longest))).toHaveLength(1);
  });

  test('again with the same Idempotency-Key answers the same when the day is over meanwhile', async () => {
    const [west, east] = ['Pacific/Pago_Pago', 'Pacific/Kiritimati']; // where it is a day later
    const ana = await newProvider({ timeZone: west });
    const today = { start: '00:00', end: '00:00', dates: [dayAhead(0, west)] };
    const sent = { 'idempotency-key': 'late at night' };
    const first = await create(ana, today, '', sent);
    expect(first.status).toBe(201);
    await ana.browser.post('/profile', { intent: 'profile', displayName: 'Ana', location: 'Apia', timeZone: east });
    expect(complaints(await create(ana, today))).toHaveLength(1);
    expect(await create(ana, today, '', sent)).toMatchObject({ status: 201, json: first.json });
  });

  test('knows an Idempotency-Key for a day', async () => {
    const ana = await newProvider();
    const sent = { 'idempotency-key': 'yesterday' };
    await create(ana, {}, '', sent);
    await daybook.d1
      .prepare(`UPDATE one_time_keys SET created_at = created_at - 86400000 WHERE key = 'yesterday'`)
      .run();
    expect((await create(ana, {}, '', sent)).json).toStrictEqual({ created: 0, skipped: 1 });
    expect((await create(ana, {}, '', sent)).json).toStrictEqual({ created: 0, skipped: 1 });
  });

  test.each([
    ['no start', { start: undefined }],
    ['a start that is no time', { start: '24:00' }],
    ['a start with seconds', { start: '09:00:00' }],
    ['a start that is a number', { start: 9 }],
    ['no end', { end: null }],
    ['an end that is no time', { end: '9:30' }],
    ['an end at the start', { start: '09:00', end: '09:00' }],
    ['an end before the start', { start: '09:00', end: '08:59' }],
    ['no dates', { dates: undefined }],
    ['an empty list of dates', { dates: [] }],
    ['dates that are no list', { dates: dayAhead(1) }],
    ['a date that is no text', { dates: [dayAhead(1), 5] }],
    ['a date in ISO form', { dates: ['2031-05-05'] }],
    ['a date that is not real', { dates: [dayAhead(1), '02-30-2031'] }],
    ['29 February of a common year', { dates: ['02-29-2031'] }],
    ['yesterday among the dates', { dates: [dayAhead(1), dayAhead(-1)] }],
    ['367 dates', { dates: Array.from({ length: 367 }, (_, index) => dayAhead(index + 1)) }],
    [
      'more than 5,000 slots',
      { start: '00:00', end: '00:00', dates: Array.from({ length: 105 }, (_, i) => dayAhead(i + 1)) },
    ],
    ['notes of 1,001', { notes: 'x'.repeat(1001) }],
    ['notes with a NUL', { notes: 'a\u0000b' }],
    ['notes that are no text', { notes: 5 }],
  ])('with %s is refused, and nothing is created', async (_, details) => {
    const ana = await newProvider();
    expect(complaints(await create(ana, details))).toHaveLength(1);
    expect(await openSlotsOf(ana)).toEqual([]);
  });

  test.each(['4', '1441', '0', '-30', '30.5', 'abc', '1e2', '9'.repeat(20)])('refuses len=%s', async (len) => {
    const ana = await newProvider();
    expect(complaints(await create(ana, {}, `len=${len}`))).toHaveLength(1);
    expect(await openSlotsOf(ana)).toEqual([]);
  });

  test('names every fault of query and body at once', async () => {
    const broken = { start: 'nine', end: 'ten', dates: ['someday'], notes: 'x'.repeat(1001) };
    expect(complaints(await create(await newProvider(), broken, 'len=1'))).toHaveLength(5);
  });

  const [notInOrder, pastDay] = [/end time must be after/, /not in the past/];
  const backwards = { start: '10:00', end: '09:00' };

  test.each<[string, object, string, RegExp[]]>([
    ['an end before the start and a past day', { ...backwards, dates: ['01-01-2020'] }, '', [notInOrder, pastDay]],
    ['an end before the start and no date', { ...backwards, dates: ['xx'] }, '', [/"xx" is not a date/, notInOrder]],
    ['a past day and no date', { dates: ['01-01-2020', 'xx'] }, '', [/"xx" is not a date/, pastDay]],
    ['a past day and notes that are no text', { dates: ['01-01-2020'], notes: 5 }, '', [/Notes/, pastDay]],
    ['a past day and one that is no text', { dates: [5, '01-01-2020', 'xx'] }, '', [/text/, /"xx"/, pastDay]],
    ['a past day and no length', { dates: ['01-01-2020'] }, 'len=1', [/Length/, pastDay]],
    ['an end before the start and no length', backwards, 'len=1', [/Length/, notInOrder]],
    ['no start and an end before nothing', { start: 'nine', end: '00:01' }, '', [/Start time/]],
  ])('says all that is wrong at once: %s', async (_, details, query, messages) => {
    const ana = await newProvider();
    const said = messages.map((message) => expect.stringMatching(message));
    expect(complaints(await create(ana, details, query))).toEqual(said);
    expect(await openSlotsOf(ana)).toEqual([]);
  });

  test('says so on the screen too, and keeps what was typed', async () => {
    const ana = await newProvider();
    const page = await ana.browser.post('/create', { ...backwards, dates: ['01-01-2020'], notes: 'Bring a towel' });
    expect(page.status).toBe(400);
    for (const message of [notInOrder, pastDay]) expect(page.words).toMatch(message);
    expect(page.$('textarea[name=notes]')?.text).toBe('Bring a towel');
  });

  test.each([[null], [[]], ['text']])('refuses the body %j', async (body) => {
    const ana = await newProvider();
    const answer = await ana.api('POST', '/api/Appointment/CreateAppointment', body);
    expect(complaints(answer)).toEqual(['Send an object with the fields of this call.']);
  });

  test('with a template that is not there is a 404, and nothing is created', async () => {
    const ana = await newProvider();
    expect(await create(ana, {}, 'templateId=none')).toMatchObject({ status: 404, json: expect.any(String) });
    expect(await openSlotsOf(ana)).toEqual([]);
  });

  test('keeps notes of 1,000 characters, as people count them', async () => {
    const notes = '𝒩'.repeat(1000);
    expect(await publishOne(await newProvider(), { notes })).toMatchObject({ notes });
  });

  test('publishes 5,000 in one call, and lets a provider have 10,000 open ones to come', async () => {
    const ana = await newProvider();
    const days = (from: number, many: number) => Array.from({ length: many }, (_, index) => dayAhead(from + index));
    const fully = { start: '00:00', end: '16:40' }; // 200 slots of 5 minutes
    for (const from of [1, 26]) {
      const answer = await create(ana, { ...fully, dates: days(from, 25) }, 'len=5');
      expect(answer.json).toStrictEqual({ created: 5000, skipped: 0 });
    }
    const one = { dates: [dayAhead(60)] };
    expect(complaints(await create(ana, { end: '10:00', ...one }))).toHaveLength(1);
    expect(await openSlotsOf(ana, { dates: dayAhead(60) })).toEqual([]);
    // One that is booked is no longer open, so there is room for another.
    const [slot] = await openSlotsOf(ana);
    await book(maya, slot as Row);
    expect((await create(ana, one)).json).toStrictEqual({ created: 1, skipped: 0 });
    expect(complaints(await create(ana, { ...one, start: '12:00', end: '12:30' }))).toHaveLength(1);
    await cancel(maya, slot as Row);
  });
});

describe('GetPage', () => {
  test('gives 20 rows a page, by start, and says whether more follow', async () => {
    const ana = await newProvider();
    await publish(ana, { end: '12:20', dates: [dayAhead(3)] }, 'len=5'); // 40 slots
    const pages = await Promise.all(
      ['0', '1', '2', '900000'].map((page) => ask(maya, 'GetPage', { provider: ana.username, page })),
    );
    expect(pages.map((page) => [page.status, rowsOf(page).length, hasMore(page)])).toEqual([
      [200, 20, 'true'],
      [200, 20, 'false'],
      [200, 0, 'false'],
      [200, 0, 'false'],
    ]);
    const starts = pages.flatMap(rowsOf).map(({ startsAt }) => startsAt);
    expect(starts).toEqual([...new Set(starts)].sort());
    await publish(ana, { dates: [dayAhead(4)] });
    expect(hasMore(await ask(maya, 'GetPage', { provider: ana.username, page: '1' }))).toBe('true');
    expect(await openSlotsOf(ana)).toEqual(rowsOf(pages[0] as ApiAnswer));
  });

  test('orders slots that start together by id', async () => {
    const city = { location: 'Orderville' };
    const providers = await several(6, () => newProvider(city));
    await Promise.all(providers.map((provider) => publish(provider, { end: '10:00' })));
    const rows = rowsOf(await ask(maya, 'GetPage', city));
    expect(startsOf(rows)).toEqual([...Array(6).fill('09:00'), ...Array(6).fill('09:30')]);
    for (const half of [rows.slice(0, 6), rows.slice(6)]) expect(idsOf(half)).toEqual(idsOf(half).sort());
  });

  test.each(['-1', '1.5', 'x', '', ' ', '1e1', '+1', '0x1', '١'])('refuses the page %j', async (page) => {
    for (const call of ['GetPage', 'GetBooked', 'GetDash', 'GetProviders']) {
      expect(complaints(await ask(maya, call, { page })), call).toHaveLength(1);
    }
  });

  test.each(['1000000000', '10000000000', '9007199254740993', '9'.repeat(400)])(
    'has nothing on the page %s',
    async (page) => {
      const city = { location: 'Farville' };
      const ana = await newProvider(city);
      const [slot] = await publish(ana, { end: '10:00' });
      await book(maya, slot as Row);
      const lists: [Person, string, Record<string, string>][] = [
        [maya, 'GetPage', {}],
        [maya, 'GetPage', { ...city, q: 'person', dates: dayAhead(1) }],
        [maya, 'GetPage', { provider: ana.username }],
        [maya, 'GetProviders', {}],
        [maya, 'GetProviders', { ...city, q: 'person' }],
        [maya, 'GetBooked', {}],
        [ana, 'GetBooked', { past: 'true' }],
        [maya, 'GetDash', {}],
        [ana, 'GetDash', {}],
      ];
      for (const [who, call, query] of lists) {
        const answer = await ask(who, call, { ...query, page });
        expect([call, answer.status, answer.json, hasMore(answer)]).toEqual([call, 200, [], 'false']);
      }
      const screens: [Person, string][] = [
        [maya, '/view-booked?'],
        [maya, `/view?provider=${ana.username}&dates=${dayAhead(1)}&`],
        [maya, '/view?location=Farville&'],
        [ana, '/view-open?'],
      ];
      for (const [who, screen] of screens) {
        expect([screen, (await who.browser.get(`${screen}page=${page}`)).status]).toEqual([screen, 200]);
      }
    },
  );

  test.each(['2031-05-05', '02-30-2031', 'tomorrow', '5-5-2031'])('refuses the date %j', async (date) => {
    expect(complaints(await ask(maya, 'GetPage', { dates: `${dayAhead(1)} ${date}` }))).toHaveLength(1);
  });

  test('shows only what is open and has not begun', async () => {
    const ana = await newProvider();
    const [booked, withdrawn, open] = await publish(ana, { end: '10:30' });
    await book(maya, booked as Row);
    await cancel(ana, withdrawn as Row);
    await writeSlot(daybook.d1, ana, { startsIn: -10 });
    await writeSlot(daybook.d1, ana, { startsIn: -600 });
    expect(idsOf(await openSlotsOf(ana))).toEqual([open?.id]);
  });

  describe('filtered', () => {
    const town = useServer();
    let found: (query: Record<string, string>) => Promise<string[]>;

    beforeAll(async () => {
      const [reader, eva, rui] = await Promise.all([
        registerConsumer(town),
        registerProvider(town, { username: 'Salon.Eva', displayName: 'Éva Szabó', location: 'Győr' }),
        registerProvider(town, { username: 'rui-gyor', displayName: '100%_Rui', location: 'Évora' }),
      ]);
      for (const who of [eva, rui]) await publish(who, { dates: [dayAhead(5), dayAhead(6)] });
      found = async (query) => {
        const name = ({ provider }: Row) => (provider === eva.username ? 'eva' : 'rui');
        const day = ({ date }: Row) => (date === dayAhead(5) ? 'one' : 'two');
        const rows = rowsOf(await ask(reader, 'GetPage', query));
        return rows.map((row) => `${name(row)} ${day(row)}`).sort();
      };
    });

    const all = ['eva one', 'eva two', 'rui one', 'rui two'];
    test.each<[string, Record<string, string>, string[]]>([
      ['nothing', {}, all],
      ['blanks', { q: '', dates: '', location: '', provider: '' }, all],
      ['a provider', { provider: 'salon.EVA' }, ['eva one', 'eva two']],
      ['half a provider', { provider: 'salon' }, []],
      ['a city in other letters', { location: ' gYŐR ' }, ['eva one', 'eva two']],
      ['a city in other bytes', { location: 'E\u0301vora' }, ['rui one', 'rui two']],
      ['half a city', { location: 'Gy' }, []],
      ['one day', { dates: dayAhead(5) }, ['eva one', 'rui one']],
      ['two days', { dates: `${dayAhead(6)} ${dayAhead(5)}` }, all],
      ['a day without slots', { dates: dayAhead(7) }, []],
      ['a part of a username', { q: 'LON.e' }, ['eva one', 'eva two']],
      ['a part of a display name', { q: 'szabÓ' }, ['eva one', 'eva two']],
      ['a part of a name in other bytes', { q: 'E\u0301VA' }, ['eva one', 'eva two']],
      ['signs as they are', { q: '%_r' }, ['rui one', 'rui two']],
      ['a sign that is no wildcard', { q: 's%z' }, []],
      ['a city where a name is asked for', { q: 'győr' }, []],
      ['a city and a day', { location: 'Győr', dates: dayAhead(6) }, ['eva two']],
      ['a name and a day', { q: 'RUI', dates: dayAhead(6) }, ['rui two']],
      ['everything', { q: 'eva', provider: 'salon.eva', location: 'győr', dates: dayAhead(5) }, ['eva one']],
      ['a provider and another city', { provider: 'salon.eva', location: 'Évora' }, []],
      ['a provider and another name', { provider: 'salon.eva', q: 'rui' }, []],
    ])('by %s', async (_, query, expected) => {
      expect(await found(query)).toEqual(expected);
    });
  });
});

describe('GetDates', () => {
  test('gives each day that has an open slot once, the earliest first', async () => {
    const ana = await newProvider({ username: 'Dated' });
    const days = [dayAhead(20), dayAhead(375), dayAhead(740)]; // by month and day they would come the other way round
    await publish(ana, { end: '10:00', dates: days.toReversed() });
    const answer = await ask(maya, 'GetDates', { provider: 'DATED' });
    expect(answer).toMatchObject({ status: 200, json: days });
    const [first, second] = await openSlotsOf(ana);
    await book(maya, first as Row);
    expect((await ask(maya, 'GetDates', { provider: 'dated' })).json).toEqual(days);
    await cancel(ana, second as Row);
    expect((await ask(maya, 'GetDates', { provider: 'dated' })).json).toEqual(days.slice(1));
    await cancel(maya, first as Row);
    expect((await ask(maya, 'GetDates', { provider: 'dated' })).json).toEqual(days);
  });

  test('gives no day whose slots have all begun', async () => {
    const ana = await newProvider();
    await writeSlot(daybook.d1, ana, { startsIn: -5 });
    expect((await ask(maya, 'GetDates', { provider: ana.username })).json).toEqual([]);
  });

  test('of somebody who publishes nothing is empty, of nobody in particular a 400', async () => {
    for (const provider of ['nobody', maya.username]) {
      expect(await ask(maya, 'GetDates', { provider })).toMatchObject({ status: 200, json: [] });
    }
    expect(complaints(await ask(maya, 'GetDates'))).toHaveLength(1);
  });
});

describe('GetLocations', () => {
  const world = useServer();

  test('gives the cities that have a provider, A to Z, each once, as first spelt', async () => {
    const reader = await registerConsumer(world, { location: 'Nowhere' });
    expect(await ask(reader, 'GetLocations')).toMatchObject({ status: 200, json: [] });
    for (const location of ['Zürich', 'auckland', 'Bengaluru', 'BENGALURU', 'Lisbon', ' zÜRICH']) {
      await registerProvider(world, { location });
    }
    expect((await ask(reader, 'GetLocations')).json).toEqual(['auckland', 'Bengaluru', 'Lisbon', 'Zürich']);
  });
});

describe('GetProviders', () => {
  test('gives providers by display name, 20 a page, with these four keys', async () => {
    const location = 'Manchester';
    await several(21, (index) =>
      newProvider({ location, displayName: `${index % 2 ? 'doctor' : 'Doctor'} ${10 + index}` }),
    );
    const zoe = { username: 'zoe', displayName: 'Zoë', location, description: 'Voice' };
    await Promise.all([newProvider(zoe), newConsumer({ displayName: 'Doctor Who', location })]);
    const pages = await several(3, (page) =>
      ask(maya, 'GetProviders', { location: ' mANCHESTER', page: String(page) }),
    );
    expect(pages.map(hasMore)).toEqual(['true', 'false', 'false']);
    const found = pages.map(({ json }) => json as (typeof zoe)[]);
    expect(found.map(({ length }) => length)).toEqual([20, 2, 0]);
    const doctors = Array.from({ length: 21 }, (_, index) => `${index % 2 ? 'doctor' : 'Doctor'} ${10 + index}`);
    expect(found.flat().map(({ displayName }) => displayName)).toEqual([...doctors, 'Zoë']);
    expect(found[1]?.[1]).toStrictEqual(zoe);
    expect(found[0]?.[0]).toMatchObject({ description: null });
  });

  test('looks for q in username and display name, together with the city', async () => {
    const both = { location: 'Leeds' };
    await newProvider({ ...both, username: 'ink.studio', displayName: 'Ärmel' });
    await newProvider({ ...both, username: 'other', displayName: 'Ärmellos' });
    await newProvider({ location: 'Πειραιάς', username: 'street', displayName: 'Οδός Straße' });
    const found = async (query: Record<string, string>) =>
      ((await ask(maya, 'GetProviders', query)).json as { username: string }[]).map(({ username }) => username);
    expect(await found({ q: 'äRMEL' })).toEqual(['ink.studio', 'other']);
    expect(await found({ q: 'K.STU', location: 'leeds' })).toEqual(['ink.studio']);
    expect(await found({ q: 'K.STU', location: 'Lisbon' })).toEqual([]);
    expect(await found({ location: 'Atlantis' })).toEqual([]);
    for (const q of ['STRASSE', 'strasse', 'straße', 'ΟΔΌΣ', 'οδόσ s']) expect(await found({ q })).toEqual(['street']);
    for (const location of ['ΠΕΙΡΑΙΆΣ', 'πειραιάσ']) {
      expect((await ask(maya, 'GetProviders', { location })).json).toMatchObject([{ location: 'Πειραιάς' }]);
    }
  });
});

describe('Get', () => {
  test('shows an open slot to anyone logged in', async () => {
    const [ana, rui] = await Promise.all([newProvider(), newProvider()]);
    const slot = await publishOne(ana);
    for (const who of [maya, june, ana, rui]) expect(await look(who, slot)).toMatchObject({ status: 200, json: slot });
  });

  test('shows a booked or canceled one to its booker and its provider alone', async () => {
    const [ana, rui] = await Promise.all([newProvider(), newProvider()]);
    const [one, two, three] = (await publish(ana, { end: '10:30' })) as [Row, Row, Row];
    for (const slot of [one, two, three]) await book(maya, slot);
    await cancel(maya, two);
    await cancel(ana, three);
    for (const slot of [one, two, three]) {
      for (const who of [maya, ana]) expect((await look(who, slot)).json).toMatchObject({ username: maya.username });
      for (const who of [june, rui]) expect(await look(who, slot)).toMatchObject(await nothingThere(look, who));
    }
  });

  test('shows a withdrawn one to its provider alone', async () => {
    const ana = await newProvider();
    const slot = await publishOne(ana);
    await cancel(ana, slot);
    expect((await look(ana, slot)).json).toMatchObject({ status: 2, username: null });
    expect(await look(maya, slot)).toMatchObject(await nothingThere(look, maya));
  });

  test('without an id is a 400', async () => {
    expect(complaints(await ask(maya, 'Get'))).toHaveLength(1);
    for (const call of ['Book', 'Cancel']) {
      expect(complaints(await maya.api('PUT', `/api/Appointment/${call}`))).toHaveLength(1);
    }
  });
});

describe('Book', () => {
  test('books an open slot; again, it answers the same', async () => {
    const slot = await publishOne(await newProvider());
    const booked = { ...slot, status: 1, username: maya.username, bookerName: maya.displayName };
    for (const _ of ['once', 'twice']) expect(await book(maya, slot)).toMatchObject({ status: 200, json: booked });
    const { results } = await daybook.d1.prepare('SELECT * FROM bookings WHERE slot_id = ?').bind(slot.id).all();
    expect(results).toHaveLength(1);
  });

  test('of what another has booked is a 409 that says so', async () => {
    const slot = await publishOne(await newProvider());
    await book(maya, slot);
    expect(await book(june, slot)).toMatchObject(taken);
    expect((await look(maya, slot)).json).toMatchObject({ username: maya.username });
  });

  test('of what was canceled or withdrawn is the same 409, for the one who had it too', async () => {
    const ana = await newProvider();
    const [one, two, three] = (await publish(ana, { end: '10:30' })) as [Row, Row, Row];
    await book(maya, one);
    await cancel(maya, one);
    await book(maya, two);
    await cancel(ana, two);
    await cancel(ana, three);
    for (const slot of [one, two, three]) {
      for (const who of [maya, june]) expect(await book(who, slot)).toMatchObject(taken);
    }
  });

  test('of what has begun is a 409 that says so; of what one has had since before, it is one’s own', async () => {
    const ana = await newProvider();
    const open = await writeSlot(daybook.d1, ana, { startsIn: -1 });
    const mine = await writeSlot(daybook.d1, ana, { startsIn: -60, booker: maya });
    expect(await book(maya, open)).toMatchObject(started);
    expect(await book(june, mine)).toMatchObject(taken);
    expect(await book(maya, mine)).toMatchObject({ status: 200, json: { status: 1 } });
    expect((await look(maya, open)).json).toMatchObject({ status: 0, username: null });
  });

  test('of nothing is a 404', async () => {
    await nothingThere(book, maya);
  });

  test('lets one person book two slots of one time', async () => {
    const [one, two] = await several(2, async () => publishOne(await newProvider()));
    for (const slot of [one, two]) expect((await book(maya, slot as Row)).status).toBe(200);
  });
});

describe('Cancel', () => {
  test('by the booker publishes the time again under a new id, notes and all; the old one stays as history', async () => {
    const ana = await newProvider();
    const slot = await publishOne(ana, { notes: 'Ring twice' });
    const reader = await newConsumer();
    await book(reader, slot);
    const canceled = await cancel(reader, slot);
    const { username, displayName: bookerName } = reader;
    expect(canceled).toMatchObject({ status: 200, json: { ...slot, status: 2, username, bookerName } });
    const [again, ...more] = await openSlotsOf(ana);
    expect(more).toEqual([]);
    expect(again).toStrictEqual({ ...slot, id: expect.any(String) });
    expect(again?.id).not.toBe(slot.id);
    for (const who of [reader, ana]) expect(rowsOf(await ask(who, 'GetDash'))).toStrictEqual([canceled.json]);
    expect((await book(june, again as Row)).status).toBe(200);
  });

  test('twice by the booker publishes it once and answers the same', async () => {
    const ana = await newProvider();
    const slot = await publishOne(ana);
    await book(maya, slot);
    const [first, second] = [await cancel(maya, slot), await cancel(maya, slot)];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.json).toEqual(first.json);
    expect(await openSlotsOf(ana)).toHaveLength(1);
  });

  test('by the provider does not publish it again, once or twice', async () => {
    const ana = await newProvider();
    const slot = await publishOne(ana);
    await book(maya, slot);
    for (const _ of ['once', 'twice']) {
      const answer = await cancel(ana, slot);
      expect(answer).toMatchObject({ status: 200, json: { id: slot.id, status: 2, username: maya.username } });
    }
    expect((await cancel(maya, slot)).status).toBe(200);
    expect(await openSlotsOf(ana)).toEqual([]);
    expect(idsOf(rowsOf(await ask(maya, 'GetDash')))).toContain(slot.id);
  });

  test('withdraws an open slot of one’s own, once or twice', async () => {
    const ana = await newProvider();
    const slot = await publishOne(ana);
    for (const _ of ['once', 'twice']) {
      expect(await cancel(ana, slot)).toMatchObject({ status: 200, json: { ...slot, status: 2, username: null } });
    }
    expect(await openSlotsOf(ana)).toEqual([]);
    expect((await create(ana)).json).toStrictEqual({ created: 1, skipped: 0 });
  });

  test('of what is another’s is a 404, like nothing at all, and changes nothing', async () => {
    const [ana, rui] = await Promise.all([newProvider(), newProvider()]);
    const [open, booked] = (await publish(ana, { end: '10:00' })) as [Row, Row];
    await book(maya, booked);
    for (const [who, slot] of [
      [june, open],
      [rui, open],
      [june, booked],
      [rui, booked],
    ] as const) {
      expect(await cancel(who, slot)).toMatchObject(await nothingThere(cancel, who));
    }
    expect((await look(ana, open)).json).toEqual(open);
    expect((await look(ana, booked)).json).toMatchObject({ status: 1 });
  });

  test('after the start is a 409 that says so, for booker and provider', async () => {
    const ana = await newProvider();
    const running = await writeSlot(daybook.d1, ana, { startsIn: -10, booker: maya });
    const over = await writeSlot(daybook.d1, ana, { startsIn: -2000, booker: maya });
    const unsold = await writeSlot(daybook.d1, ana, { startsIn: -60 });
    for (const slot of [running, over]) {
      for (const who of [maya, ana]) expect(await cancel(who, slot)).toMatchObject(started);
      expect((await look(maya, slot)).json).toMatchObject({ status: 1 });
    }
    expect(await cancel(ana, unsold)).toMatchObject(started);
  });

  test('answers the same when repeated after the start', async () => {
    const ana = await newProvider();
    const slot = await writeSlot(daybook.d1, ana, { startsIn: -10, booker: maya });
    await daybook.d1
      .prepare('UPDATE slots SET status = 2, canceled_at = starts_at - 1, canceled_by = provider_id WHERE id = ?')
      .bind(slot.id)
      .run();
    for (const who of [ana, maya]) expect(await cancel(who, slot)).toMatchObject({ status: 200, json: { status: 2 } });
  });
});

describe('the lists of one’s own', () => {
  let ana: Person;
  let reader: Person;
  let slots: Record<'longAgo' | 'yesterday' | 'now' | 'unsold' | 'next' | 'after' | 'gone' | 'open', string>;

  beforeAll(async () => {
    [ana, reader] = await Promise.all([newProvider(), newConsumer()]);
    const write = async (startsIn: number, booker?: Person, length?: number) =>
      (await writeSlot(daybook.d1, ana, { startsIn, booker, length })).id;
    slots = {
      longAgo: await write(-4000, reader),
      yesterday: await write(-1500, reader),
      now: await write(-90, reader, 120),
      unsold: await write(-3000),
      next: await write(3000, reader),
      after: await write(3100, june),
      gone: await write(3200, reader),
      open: await write(3300),
    };
    await cancel(ana, { id: slots.gone });
  });

  const list = async (who: Person, call: string, query = {}) => idsOf(rowsOf(await ask(who, call, query)));

  test('GetBooked has what is booked and has not ended, by start', async () => {
    expect(await list(reader, 'GetBooked')).toEqual([slots.now, slots.next]);
    expect(await list(ana, 'GetBooked')).toEqual([slots.now, slots.next, slots.after]);
  });

  test('GetDash has what was canceled as well', async () => {
    expect(await list(reader, 'GetDash')).toEqual([slots.now, slots.next, slots.gone]);
    expect(await list(ana, 'GetDash')).toEqual([slots.now, slots.next, slots.after, slots.gone]);
  });

  test('with past=true they have what has ended, the newest first', async () => {
    for (const call of ['GetBooked', 'GetDash']) {
      for (const who of [reader, ana]) {
        expect(await list(who, call, { past: 'true' })).toEqual([slots.yesterday, slots.longAgo]);
      }
    }
    expect(await list(reader, 'GetBooked', { past: 'false' })).toEqual([slots.now, slots.next]);
  });

  test('are paged', async () => {
    const [rui, guest] = await Promise.all([newProvider(), newConsumer()]);
    const first = await publish(rui, { end: '10:45' }, 'len=5'); // 21 slots
    const rest = await openSlotsOf(rui, { page: '1' });
    await Promise.all([...first, ...rest].map((slot) => book(guest, slot)));
    for (const who of [rui, guest]) {
      for (const call of ['GetBooked', 'GetDash']) {
        const pages = await Promise.all(['0', '1', '2'].map((page) => ask(who, call, { page })));
        expect(pages.map((page) => [rowsOf(page).length, hasMore(page)])).toEqual([
          [20, 'true'],
          [1, 'false'],
          [0, 'false'],
        ]);
        expect(pages.flatMap((page) => idsOf(rowsOf(page)))).toEqual(idsOf([...first, ...rest]));
      }
    }
  });

  test('are empty for somebody new', async () => {
    for (const who of await Promise.all([newConsumer(), newProvider()])) {
      for (const call of ['GetBooked', 'GetDash'])
        expect(await ask(who, call)).toMatchObject({ status: 200, json: [] });
    }
  });
});
