import { beforeAll, describe, expect, test } from 'vitest';
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
  publishOne,
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

  describe('again with the same Idempotency-Key', () => {
    const sent = { 'idempotency-key': 'tuesday' };
    const publishTwo = (who: Person) => create(who, { end: '10:00' }, '', sent);

    test('answers the same', async () => {
      const ana = await newProvider();
      await publishTwo(ana);

      const again = await publishTwo(ana);

      expect(again).toMatchObject({ status: 201, json: { created: 2, skipped: 0 } });
      expect(await openSlotsOf(maya, ana)).toHaveLength(2);
    });

    test('is new for another caller', async () => {
      const [ana, rui] = await Promise.all([newProvider(), newProvider()]);
      await publishTwo(ana);

      expect(await publishTwo(rui)).toMatchObject({ status: 201, json: { created: 2, skipped: 0 } });
      expect(await openSlotsOf(maya, rui)).toHaveLength(2);
    });

    test('brings back nothing that was withdrawn meanwhile', async () => {
      const ana = await newProvider();
      await publishTwo(ana);
      for (const slot of await openSlotsOf(maya, ana)) await cancel(ana, slot);

      expect((await publishTwo(ana)).json).toStrictEqual({ created: 2, skipped: 0 });
      expect(await openSlotsOf(maya, ana)).toEqual([]);
    });
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

  test('takes further ranges of the days', async () => {
    const ana = await newProvider();
    const ranges = [{ start: '13:00', end: '14:00' }];

    const made = await create(ana, { ranges });

    expect(made.json).toStrictEqual({ created: 3, skipped: 0 });
    expect(startsOf(await openSlotsOf(maya, ana))).toEqual(['09:00', '13:00', '13:30']);
  });

  test('repeats the weekdays of its days until a last day', async () => {
    const ana = await newProvider();
    const sent = { dates: [dayAhead(1), dayAhead(8), dayAhead(2)], until: dayAhead(15) };

    const made = await create(ana, sent);

    expect(made.json).toStrictEqual({ created: 5, skipped: 0 });
    expect(startsOf(await openSlotsOf(maya, ana, { dates: dayAhead(15) }))).toEqual(['09:00']);
  });

  test('repeats every range of its days', async () => {
    const ana = await newProvider();
    const ranges = [{ start: '13:00', end: '14:00' }];

    await create(ana, { ranges, until: dayAhead(15) });

    expect(startsOf(await openSlotsOf(maya, ana, { dates: dayAhead(15) }))).toEqual(['09:00', '13:00', '13:30']);
  });

  test('skips all days and ranges that it has made before', async () => {
    const ana = await newProvider();
    const sent = { ranges: [{ start: '13:00', end: '14:00' }], until: dayAhead(15) };
    await create(ana, sent);

    expect((await create(ana, sent)).json).toStrictEqual({ created: 0, skipped: 9 });
  });
});

describe('GetPage', () => {
  const [one, two] = [dayAhead(5), dayAhead(6)];
  beforeAll(async () => {
    const eva = await newProvider({ username: 'Salon.Eva', displayName: 'Éva Szabó', location: 'Győr' });
    const rui = await newProvider({ username: 'rui-gyor', displayName: '100%_Rui', location: 'Évora' });
    for (const who of [eva, rui]) await publish(who, { dates: [one, two] });
  });

  const evas = ['Salon.Eva one', 'Salon.Eva two'];
  const ruis = ['rui-gyor one', 'rui-gyor two'];
  const filters: [what: string, query: Record<string, string>, found: string[]][] = [
    ['days', { dates: `${two} ${one}` }, [...evas, ...ruis]],
    ['a day and a city in any case', { dates: one, location: ' gYŐR ' }, ['Salon.Eva one']],
    ['a provider in any case', { provider: 'salon.EVA' }, evas],
    ['a provider in another city', { provider: 'salon.eva', location: 'Évora' }, []],
    ['a part of a username', { q: 'LON.e' }, evas],
    ['a part of a name in another spelling', { q: 'E\u0301VA' }, evas],
    ['signs that a pattern would read', { q: '%_r' }, ruis],
    ['all of them', { q: 'eva', provider: 'salon.eva', location: 'győr', dates: two }, ['Salon.Eva two']],
  ];
  test.each(filters)('is filtered by %s', async (_, query, found) => {
    const rows = rowsOf(await ask(maya, 'GetPage', query));

    expect(rows.map(({ provider, date }) => `${provider} ${date === one ? 'one' : 'two'}`).sort()).toEqual(found);
  });

  test('is in the order of starts', async () => {
    const rows = rowsOf(await ask(maya, 'GetPage', { dates: `${two} ${one}` }));

    expect(rows.map(({ date }) => date)).toEqual([one, one, two, two]);
  });

  test('is in the order of ids where times start together', async () => {
    const ids = idsOf(rowsOf(await ask(maya, 'GetPage', { dates: one })));

    expect(ids).toHaveLength(2);
    expect(ids).toEqual([...ids].sort());
  });
});

test('GetProviders gives the providers of a city by display name, with exactly these keys', async () => {
  const common = { location: 'Manchester', description: null };
  const zoe = { ...common, username: 'zoe', displayName: 'Zoë', description: 'Voice' };
  const doctor = { ...common, username: 'doctor', displayName: 'doctor 10' };
  for (const details of [zoe, { ...doctor, description: undefined }]) await newProvider(details);

  const found = await ask(maya, 'GetProviders', { location: ' mANCHESTER' });

  expect(found.json).toStrictEqual([doctor, zoe]);
  expect(hasMore(found)).toBe('false');
});

describe('GetLocations', () => {
  test('has the cities of providers', async () => {
    await newProvider({ location: 'Leeds' });

    expect((await ask(maya, 'GetLocations')).json).toContain('Leeds');
  });

  test('has no city where only a client lives', async () => {
    expect((await ask(maya, 'GetLocations')).json).not.toContain('Nowhere');
  });
});

const boxesOn = (page: Page) => valuesOf(page, 'id');
const openRows = (who: Person, dates = '') => openSlotsOf(maya, who, { dates });
const openIdsOf = async (who: Person) => idsOf(await openRows(who));

const [oneDay, ticked] = ['dialog#whole-day button[value=day]', 'dialog#ticked button[value=ticked]'];

describe('a button withdraws', () => {
  /** A provider with two half hours on each of three days, the second of which Maya has booked. */
  async function threeDays() {
    const ana = await newProvider();
    const dates = [dayAhead(1), dayAhead(2), dayAhead(3)];
    const [first, booked, ...later] = (await publish(ana, { end: '10:00', dates })) as [Row, Row, Row, Row, Row, Row];
    await book(maya, booked);
    const press = async (fields: Record<string, string | string[]>) => {
      const { location } = await ana.browser.post('/view-open', fields);
      return ana.browser.visit(location ?? '');
    };
    return { ana, first, booked, later, press };
  }

  test('the times that are ticked, each once', async () => {
    const { ana, first, later, press } = await threeDays();

    const page = await press({ id: [first.id, first.id] });

    expect(page.words).toContain('One time is removed.');
    expect(await openIdsOf(ana)).toEqual(idsOf(later));
  });

  test('the times of a day', async () => {
    const { ana, first, later, press } = await threeDays();

    const page = await press({ press: 'day', day: localDate(later[0]) });

    expect(page.words).toContain('2 times are removed');
    expect(await openIdsOf(ana)).toEqual(idsOf([first, ...later.slice(2)]));
  });

  test('all times', async () => {
    const { ana, press } = await threeDays();

    const page = await press({ all: 'yes' });

    expect(page.words).toContain('5 times are removed');
    expect(await openIdsOf(ana)).toEqual([]);
  });

  test('nothing that is booked', async () => {
    const { booked, press } = await threeDays();

    const page = await press({ id: [booked.id] });
    await press({ all: 'yes' });

    expect(page.words).toContain('Nothing was left');
    expect((await look(maya, booked)).json).toMatchObject({ status: 1 });
  });

  test('nothing that has begun', async () => {
    const { ana, press } = await threeDays();
    const begun = await writeSlot(daybook.d1, ana, { startsIn: -5 });

    const page = await press({ id: [begun.id] });
    await press({ all: 'yes' });

    expect(page.words).toContain('Nothing was left');
    expect((await look(ana, begun)).json).toMatchObject({ status: 0 });
  });

  test('nothing of another provider', async () => {
    const { first, press } = await threeDays();
    const other = await newProvider();
    const theirs = await publishOne(other);

    await press({ id: [theirs.id, first.id] });
    await press({ all: 'yes' });

    expect(await openIdsOf(other)).toEqual([theirs.id]);
  });
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
  expect(trips).toBe(1);
  expect(boxesOn(page)).toHaveLength(16);
  expect(read).toBeLessThan(2 * (ofMonth + 16) + 60);
});

describe('undoing a withdrawal', () => {
  const undo = 'main form:has([name=bring])';

  /** A provider with five half hours on each of two days, of whom the first three are withdrawn by one button. */
  async function threeWithdrawn() {
    const ana = await newProvider();
    const dates = [dayAhead(1), dayAhead(2)];
    const rows = await publish(ana, { start: '08:30', end: '11:00', notes: 'Ring twice', dates });
    const page = await ana.browser.visit('/view-open');
    return { ana, rows, gone: await page.submit(ticked, { id: idsOf(rows.slice(0, 3)) }) };
  }

  test('says what it brings back', async () => {
    const { gone } = await threeWithdrawn();

    expect(gone.words).toContain('Undo: bring back 3 times of');
  });

  test('brings the times back with their notes', async () => {
    const { ana, rows, gone } = await threeWithdrawn();

    const back = await gone.submit(undo);

    const factsOf = (list: Row[]) => list.map(({ startsAt, endsAt, notes }) => ({ startsAt, endsAt, notes }));
    expect(back.words).toContain('3 times are free again.');
    expect(factsOf(await openRows(ana))).toEqual(factsOf(rows));
  });

  test('brings nothing back that was withdrawn before', async () => {
    const ana = await newProvider();
    const [first, second, third] = (await publish(ana, { end: '10:30' })) as [Row, Row, Row];
    await ana.browser.post('/view-open', { id: first.id });
    const gone = await (await ana.browser.visit('/view-open')).submit(ticked, { id: [second.id] });

    await gone.submit(undo);

    const starts = (await openRows(ana)).map(({ startsAt }) => startsAt);
    expect(starts).toEqual([second.startsAt, third.startsAt]);
  });

  test('twice at once brings back once', async () => {
    const { gone } = await threeWithdrawn();

    const [back, again] = await Promise.all([gone.submit(undo), gone.submit(undo)]);

    for (const page of [back, again]) expect(page.words).toContain('3 times are free again.');
    expect(boxesOn(back)).toHaveLength(5);
  });

  test('brings back nothing that was withdrawn once more', async () => {
    const { ana, gone } = await threeWithdrawn();
    const back = await gone.submit(undo);
    await back.submit(oneDay);

    await gone.submit(undo);

    expect(await openIdsOf(ana)).toHaveLength(5);
  });

  describe('of a whole day', () => {
    async function dayWithdrawn() {
      const ana = await newProvider();
      await publish(ana, { end: '10:00' });
      const gone = await (await ana.browser.visit('/view-open')).submit(oneDay);
      return { ana, bring: gone.$(`${undo} [name=bring]`)?.getAttribute('value') ?? '' };
    }

    test('is nobody else’s', async () => {
      const { ana, bring } = await dayWithdrawn();

      expect((await rival.browser.post('/view-open', { bring })).status).toBe(404);
      expect((await maya.browser.post('/view-open', { bring })).status).toBe(403);
      expect(await openIdsOf(ana)).toEqual([]);
    });

    test('needs a withdrawal', async () => {
      const { ana } = await dayWithdrawn();

      expect((await ana.browser.post('/view-open', { bring: 'made up' })).status).toBe(404);
      expect(await openIdsOf(ana)).toEqual([]);
    });
  });
});

describe('the form of a publication', () => {
  /** Two ranges with an hour between, as their fields are sent. */
  const lunch = { start: ['09:00', '13:00'], end: ['10:00', '14:00'], len: '30', notes: '', templateId: '' };

  /** A provider with a slot at one, and what they type: those ranges tomorrow and in a week. */
  async function typedForm() {
    const ana = await newProvider();
    await publish(ana, { start: '13:00', end: '13:30' });
    const page = await (await ana.browser.visit('/create')).submit('Add a range');
    const typed = { ...lunch, once: valuesOf(page, 'once'), dates: [dayAhead(1)], until: isoAhead(8) };
    const send = async () => {
      const { location } = await ana.browser.post('/create', typed);
      return ana.browser.visit(location ?? '');
    };
    return { ana, typed, send };
  }

  test('publishes several ranges of its days', async () => {
    const { ana, send } = await typedForm();

    await send();

    expect(startsOf(await openRows(ana, dayAhead(8)))).toEqual(['09:00', '09:30', '13:00', '13:30']);
  });

  test('counts what it made over all ranges', async () => {
    const { send } = await typedForm();

    const home = await send();

    expect(home.words).toContain('7 appointments are open for booking.');
    expect(home.words).toContain('One was left out');
  });

  test('sent twice at once publishes once', async () => {
    const { ana, send } = await typedForm();

    for (const home of await Promise.all([send(), send()]))
      expect(home.words).toContain('7 appointments are open for booking.');
    expect(await openIdsOf(ana)).toHaveLength(8);
  });

  test('is refused to clients', async () => {
    const { typed } = await typedForm();

    expect((await maya.browser.post('/create', typed)).status).toBe(403);
  });

  const overlapping = { ...lunch, start: ['09:00', '09:30'], dates: [dayAhead(5)] };

  test('says which ranges overlap, beside them', async () => {
    const refused = await (await newProvider()).browser.post('/create', overlapping);

    expect(refused.status).toBe(400);
    expect(text(refused.$('#field-ranges-faults')?.text)).toContain('The ranges of a day must not overlap.');
  });

  test('publishes nothing of ranges that overlap', async () => {
    const ana = await newProvider();
    await ana.browser.post('/create', overlapping);

    expect(await openIdsOf(ana)).toEqual([]);
  });

  test('keeps the ranges that were typed', async () => {
    const refused = await (await newProvider()).browser.post('/create', overlapping);

    expect(valuesOf(refused, 'start')).toEqual(['09:00', '09:30']);
  });
});
