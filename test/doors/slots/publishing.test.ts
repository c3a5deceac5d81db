import { describe, expect, test } from 'vitest';
import { ask, create, hasMore, idsOf, openSlotsOf, startsOf } from '../../support/appointment-calls';
import { complaints } from '../../support/complaints';
import {
  book,
  cancel,
  dayAhead,
  isoAhead,
  localDate,
  look,
  type Person,
  peopleAt,
  publish,
  type Row,
  rowsOf,
  writeSlot,
} from '../../support/factories';
import { words as text } from '../../support/forms';
import { useServer, useWorld } from '../../support/use-server';
import { askedOf, type Page, valuesOf } from '../../support/visit';

/* Calls and forms that publish, list and withdraw slots. What lists hold: test/domain/bookings/lists.test.ts. */

const daybook = useServer();
const { newProvider } = peopleAt(daybook);
const { maya, rival } = useWorld(daybook, { maya: { location: 'Nowhere' }, rival: {} });

describe('CreateAppointment', () => {
  test.each([
    ['len=5', '09:00', '10:00', 12],
    ['len=1440', '00:00', '00:00', 1],
    ['len=61', '09:00', '10:00', 0],
  ])('with %s from %s to %s makes %s slots', async (query, start, end, created) => {
    expect((await create(await newProvider(), { start, end }, query)).json).toStrictEqual({ created, skipped: 0 });
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
    const made = await create(ana, { start: '08:10', end: '10:10' }, 'len=20');
    expect(made.json).toStrictEqual({ created: 4, skipped: 2 });
    expect(startsOf(await openSlotsOf(maya, ana))).toEqual(['08:10', '08:30', '09:30', '09:50']);
  });

  test('again with the same Idempotency-Key answers the same, for this caller alone', async () => {
    const [ana, rui] = await Promise.all([newProvider(), newProvider()]);
    const sent = { 'idempotency-key': 'tuesday' };
    for (const who of [ana, rui, ana]) {
      const answer = await create(who, { end: '10:00' }, '', sent);
      expect(answer).toMatchObject({ status: 201, json: { created: 2, skipped: 0 } });
    }
    expect(await openSlotsOf(maya, ana)).toHaveLength(2);
    // What was withdrawn meanwhile does not come back.
    for (const slot of await openSlotsOf(maya, ana)) await cancel(ana, slot);
    expect((await create(ana, { end: '10:00' }, '', sent)).json).toStrictEqual({ created: 2, skipped: 0 });
    expect(await openSlotsOf(maya, ana)).toEqual([]);
  });

  const backwards = { start: '10:00', end: '09:00', dates: ['01-01-2020'] };
  const days = (many: number) => Array.from({ length: many }, (_, index) => dayAhead(index + 1));

  test.each<[string, object, ...RegExp[]]>([
    ['no start', { start: undefined }, /Start time is missing/],
    ['no dates', { dates: undefined }, /at least one day/],
    ['a date that is not real', { dates: [dayAhead(1), '02-30-2031'] }, /is not a date/],
    ['yesterday among the dates', { dates: [dayAhead(1), dayAhead(-1)] }, /not in the past/],
    ['367 dates', { dates: days(367) }, /at most 366 days/],
    ['more than 5,000 slots', { start: '00:00', end: '00:00', dates: days(105) }, /5,000/],
    ['notes of 1,001', { notes: 'x'.repeat(1001) }, /1,?000/],
    ['a range that overlaps the first', { ranges: [{ start: '09:15', end: '10:00' }] }, /must not overlap/],
    ['a last day before the days', { until: dayAhead(0) }, /not be before/],
    ['a last day that makes more than 366', { until: dayAhead(366 * 7 + 1) }, /more than 366 days/],
    ['an end before the start and a past day', backwards, /end time must be after/, /not in the past/],
  ])('is refused with %s, and creates nothing', async (_, details, ...messages) => {
    const ana = await newProvider();
    const said = messages.map((message) => expect.stringMatching(message));
    expect(complaints(await create(ana, details))).toEqual(said);
    expect(await openSlotsOf(maya, ana)).toEqual([]);
  });

  test('may send further ranges of the days, and a day until which their weekdays repeat', async () => {
    const ana = await newProvider();
    const ranges = [{ start: '13:00', end: '14:00' }];
    const sent = { ranges, dates: [dayAhead(1), dayAhead(8), dayAhead(2)], until: dayAhead(15) };
    expect((await create(ana, sent)).json).toStrictEqual({ created: 15, skipped: 0 });
    expect((await create(ana, sent)).json).toStrictEqual({ created: 0, skipped: 15 });
    expect(startsOf(await openSlotsOf(maya, ana, { dates: dayAhead(15) }))).toEqual(['09:00', '13:00', '13:30']);
  });
});

test('GetPage is filtered by provider, city, days and a part of a name, alone or together', async () => {
  const eva = await newProvider({ username: 'Salon.Eva', displayName: 'Éva Szabó', location: 'Győr' });
  const rui = await newProvider({ username: 'rui-gyor', displayName: '100%_Rui', location: 'Évora' });
  const [one, two] = [dayAhead(5), dayAhead(6)];
  for (const who of [eva, rui]) await publish(who, { dates: [one, two] });
  const [evas, ruis] = [eva, rui].map(({ username }) => [`${username} one`, `${username} two`]) as [string[], string[]];
  const filters: [query: Record<string, string>, found: string[]][] = [
    [{ dates: `${two} ${one}` }, [...evas, ...ruis]],
    [{ dates: one, location: ' gYŐR ' }, evas.slice(0, 1)],
    [{ provider: 'salon.EVA' }, evas],
    [{ provider: 'salon.eva', location: 'Évora' }, []],
    [{ q: 'LON.e' }, evas],
    [{ q: 'E\u0301VA' }, evas],
    [{ q: '%_r' }, ruis],
    [{ q: 'eva', provider: 'salon.eva', location: 'győr', dates: two }, evas.slice(1)],
  ];
  for (const [query, found] of filters) {
    const rows = rowsOf(await ask(maya, 'GetPage', query));
    expect(rows.map(({ provider, date }) => `${provider} ${date === one ? 'one' : 'two'}`).sort()).toEqual(found);
  }
});

test('GetProviders gives the providers of a city by display name, with these four keys, and GetLocations the city', async () => {
  const common = { location: 'Manchester', description: null };
  const zoe = { ...common, username: 'zoe', displayName: 'Zoë', description: 'Voice' };
  const doctor = { ...common, username: 'doctor', displayName: 'doctor 10' };
  for (const one of [zoe, { ...doctor, description: undefined }]) await newProvider(one);
  const found = await ask(maya, 'GetProviders', { location: ' mANCHESTER' });
  expect([found.json, hasMore(found)]).toStrictEqual([[doctor, zoe], 'false']);
  const cities = (await ask(maya, 'GetLocations')).json as string[];
  expect([cities.includes('Manchester'), cities.includes('Nowhere')]).toEqual([true, false]);
});

type Typed = Record<string, string | string[]>;
const boxesOn = (page: Page) => valuesOf(page, 'id');
const openRows = (who: Person, dates = '') => openSlotsOf(maya, who, { dates });
const open = async (who: Person) => idsOf(await openRows(who));

const [oneDay, ticked] = ['dialog#whole-day button[value=day]', 'dialog#ticked button[value=ticked]'];

test('a button withdraws some, those of a day, or all, and never what is booked, has begun, or is another’s', async () => {
  const ana = await newProvider();
  const dates = [dayAhead(1), dayAhead(2), dayAhead(3)];
  const [one, booked, second, rest, ...last] = (await publish(ana, { end: '10:00', dates })) as [Row, Row, Row, Row];
  const begun = await writeSlot(daybook.d1, ana, { startsIn: -5 });
  await book(maya, booked);
  const theirs = idsOf(await publish(rival, { end: '10:00', dates }));
  const [their] = theirs as [string];
  for (const [fields, words, left] of [
    [{ id: [their, booked.id, begun.id] }, 'Nothing was left', [one, second, rest, ...last]],
    [{ id: [one.id, their, one.id] }, 'One time is removed.', [second, rest, ...last]],
    [{ press: 'day', day: localDate(second) }, '2 times are removed', last],
    [{ all: 'yes' }, '2 times are removed', []],
  ] as [Typed, string, Row[]][]) {
    const { location } = await ana.browser.post('/view-open', fields);
    expect((await ana.browser.visit(location ?? '')).words).toContain(words);
    expect(await open(ana)).toEqual(idsOf(left));
  }
  expect(await open(rival)).toEqual(theirs);
  expect((await look(maya, booked)).json).toMatchObject({ status: 1 });
  expect((await look(ana, begun)).json).toMatchObject({ status: 0 });
});

test('open slots read those of the month and of the day, but none of another', async () => {
  const ana = await newProvider();
  const [year, month] = isoAhead(200).split('-');
  const dates = Array.from({ length: 20 }, (_, at) => `${month}-${String(at + 1).padStart(2, '0')}-${year}`);
  await publish(ana, { end: '17:00', dates });
  await publish(ana, { end: '17:00', dates: Array.from({ length: 100 }, (_, at) => dayAhead(240 + at)) });
  const page = await ana.browser.get(`/view-open?day=${year}-${month}-05`);
  const { trips, read } = askedOf(page.headers);
  const ofMonth = 20 * 16;
  expect([trips, boxesOn(page).length]).toEqual([1, 16]);
  expect(read).toBeLessThan(2 * (ofMonth + 16) + 60);
});

describe('undoing a withdrawal', () => {
  const undo = 'main form:has([name=bring])';

  test('says what it brings back, and brings it back with its notes and questions, once', async () => {
    const ana = await newProvider();
    const dates = [dayAhead(1), dayAhead(2)];
    const rows = await publish(ana, { start: '08:30', end: '11:00', notes: 'Ring twice', dates });
    await ana.browser.post('/view-open', { id: (rows.shift() as Row).id });
    const page = await ana.browser.visit('/view-open');
    const gone = await page.submit(ticked, { id: idsOf(rows.slice(0, 3)) });
    expect(gone.words).toContain('Undo: bring back 3 times of');
    const [back, again] = await Promise.all([gone.submit(undo), gone.submit(undo)]);
    for (const one of [back, again]) expect(one.words).toContain('3 times are free again.');
    expect(boxesOn(back)).toHaveLength(4);
    const seen = (list: Row[]) => list.map(({ startsAt, endsAt, notes }) => ({ startsAt, endsAt, notes }));
    expect(seen(await openRows(ana))).toEqual(seen(rows));
    // Withdrawn anew, it stays so: the undo was of the first time.
    await back.submit(oneDay);
    await gone.submit(undo);
    expect(await open(ana)).toHaveLength(5);
  });

  test('is nobody else’s, and of a withdrawal only', async () => {
    const ana = await newProvider();
    await publish(ana, { end: '10:00' });
    const gone = await (await ana.browser.visit('/view-open')).submit(oneDay);
    const bring = gone.$(`${undo} [name=bring]`)?.getAttribute('value') ?? '';
    expect((await rival.browser.post('/view-open', { bring })).status).toBe(404);
    expect((await ana.browser.post('/view-open', { bring: 'made up' })).status).toBe(404);
    expect((await maya.browser.post('/view-open', { bring })).status).toBe(403);
    expect(await open(ana)).toEqual([]);
  });
});

describe('the form of a publication', () => {
  /** Two ranges with an hour between, as their fields are sent. */
  const lunch = { start: ['09:00', '13:00'], end: ['10:00', '14:00'], len: '30', notes: '', templateId: '' };

  test('takes several ranges of a day, counts over all of them what it made, publishes once, and is for providers', async () => {
    const ana = await newProvider();
    await publish(ana, { start: '13:00', end: '13:30' });
    const page = await (await ana.browser.visit('/create')).submit('Add a range');
    const typed = { ...lunch, once: valuesOf(page, 'once'), dates: [dayAhead(1)], until: isoAhead(8) };
    for (const { location } of await Promise.all([1, 2].map(() => ana.browser.post('/create', typed)))) {
      const home = await ana.browser.visit(location ?? '');
      expect(home.words).toContain('7 appointments are open for booking.');
      expect(home.words).toContain('One was left out');
    }
    expect(startsOf(await openRows(ana, dayAhead(8)))).toEqual(['09:00', '09:30', '13:00', '13:30']);
    expect((await maya.browser.post('/create', typed)).status).toBe(403);
  });

  test('refuses ranges that overlap, names the field, and publishes nothing', async () => {
    const ana = await newProvider();
    const fields = { ...lunch, start: ['09:00', '09:30'], dates: [dayAhead(5)] };
    const refused = await ana.browser.post('/create', fields);
    expect(text(refused.$('#field-ranges-faults')?.text)).toContain('The ranges of a day must not overlap.');
    expect([refused.status, valuesOf(refused, 'start'), await open(ana)]).toEqual([400, fields.start, []]);
  });
});
