import { describe, expect, test } from 'vitest';
import { idsOf, openSlotsOf, startsOf } from '../../support/appointment-calls';
import {
  book,
  dayAhead,
  isoAhead,
  localDate,
  look,
  type Person,
  peopleAt,
  publish,
  type Row,
  writeSlot,
} from '../../support/factories';
import { words as text } from '../../support/forms';
import { useServer, useWorld } from '../../support/use-server';
import { askedOf, type Page, valuesOf } from '../../support/visit';

const daybook = useServer();
const { newProvider } = peopleAt(daybook);
const { maya, rival } = useWorld(daybook, { maya: {}, rival: {} });

type Typed = Record<string, string | string[]>;
const boxesOn = (page: Page) => valuesOf(page, 'id');
const openRows = (who: Person, dates = '') => openSlotsOf(maya, who, { dates });
const open = async (who: Person) => idsOf(await openRows(who));

/** Sends the form of a page with days of any month, and goes where that leads. */
const send = async (who: Person, page: Page, typed: Typed) => {
  const { status, location } = await who.browser.post('/create', { once: valuesOf(page, 'once')[0] ?? '', ...typed });
  expect(status).toBe(303);
  return who.browser.visit(location ?? '');
};
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
    expect(await open(ana)).toEqual([]);
  });
});

describe('the form of a publication', () => {
  /** Two ranges with an hour between, as their fields are sent. */
  const lunch = { start: ['09:00', '13:00'], end: ['10:00', '14:00'], len: '30', notes: '', templateId: '' };
  const withTwoRanges = async (who: Person) => (await who.browser.visit('/create')).submit('Add a range');

  test('takes several ranges of a day, and counts over all of them what it made and what it left out', async () => {
    const ana = await newProvider();
    await publish(ana, { start: '13:00', end: '13:30' });
    const home = await send(ana, await withTwoRanges(ana), { ...lunch, dates: [dayAhead(1), dayAhead(2)] });
    expect(home.words).toContain('7 appointments are open for booking.');
    expect(home.words).toContain('One was left out');
    expect(startsOf(await openRows(ana, dayAhead(2)))).toEqual(['09:00', '09:30', '13:00', '13:30']);
  });

  test('refuses ranges that overlap, names the field, and publishes nothing', async () => {
    const ana = await newProvider();
    const fields = { ...lunch, start: ['09:00', '09:30'], dates: [dayAhead(5)] };
    const refused = await ana.browser.post('/create', fields);
    expect(text(refused.$('#field-ranges-faults')?.text)).toContain('The ranges of a day must not overlap.');
    expect([refused.status, valuesOf(refused, 'start'), await open(ana)]).toEqual([400, fields.start, []]);
  });

  test('sent twice publishes once', async () => {
    const ana = await newProvider();
    const form = await withTwoRanges(ana);
    const typed = { ...lunch, dates: [dayAhead(1)], until: isoAhead(8) };
    for (const home of await Promise.all([send(ana, form, typed), send(ana, form, typed)])) {
      expect(home.words).toContain('8 appointments are open for booking.');
    }
  });
});
