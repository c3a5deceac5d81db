import { beforeAll, describe, expect, test } from 'vitest';
import { dateWords } from '../../app/domain/time/clock';
import {
  book,
  dayAhead,
  localDate,
  look,
  type Person,
  peopleAt,
  publish,
  type Row,
  rowsOf,
  writeSlot,
} from '../support/factories';
import { words as text } from '../support/forms';
import { useServer } from '../support/use-server';
import type { Page } from '../support/visit';

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

let maya: Person;
beforeAll(async () => {
  maya = await newConsumer();
});

test('each open slot has a button of its own name to withdraw it', async () => {
  const provider = await newProvider();
  const slots = await publish(provider, { end: '10:00', dates: [dayAhead(1), dayAhead(2)] });
  const page = await provider.browser.visit('/view-open');
  const names = page.$$('main button[name=id]').map((button) => text(button.text));
  expect(names).toEqual(slots.map((slot) => `Withdraw, ${slot.startTime} UTC, ${dateWords(localDate(slot)).full}`));
});

test('a day that has passed while the form was open is let go, also where its month can be turned to no more', async () => {
  const provider = await newProvider();
  const blank = await provider.browser.visit('/create');
  const once = blank.$('input[name=once]')?.getAttribute('value') ?? '';
  const dates = [dayAhead(-40), dayAhead(40)];
  const shown = blank.$('input[name=shown]')?.getAttribute('value') ?? '';
  const typed = { once, shown, dates, start: '09:00', end: '10:00', len: '', notes: '', templateId: '' };
  const refused = await provider.browser.post('/create', typed);
  expect(refused.status).toBe(400);
  expect(refused.words).toContain('Choose days that are not in the past.');
  expect((await refused.submit('Create appointments')).words).toContain('2 appointments are open for booking.');
});

describe('a button that withdraws', () => {
  const withdraw = async (who: Person, fields: Record<string, string>) =>
    Number((await who.browser.post('/view-open', fields)).location?.split('?withdrawn=')[1]);
  const open = async ({ username }: Person) =>
    rowsOf(await maya.api('GET', `/api/Appointment/GetPage?provider=${username}`)).map(({ id }) => id);

  test('takes one, those of a day, or all, and never what is booked or another’s', async () => {
    const [ana, other] = await Promise.all([newProvider(), newProvider()]);
    const dates = [dayAhead(1), dayAhead(2), dayAhead(3)];
    const [one, booked, second, rest, ...last] = (await publish(ana, { end: '10:00', dates })) as [Row, Row, Row, Row];
    await book(maya, booked);
    const theirs = await publish(other, { end: '10:00', dates });
    const idsOf = (rows: Row[]) => rows.map(({ id }) => id);
    expect(await withdraw(ana, { id: (theirs[0] as Row).id })).toBe(0);
    expect(await withdraw(ana, { id: booked.id })).toBe(0);
    expect(await open(ana)).toEqual(idsOf([one, second, rest, ...last]));
    expect(await withdraw(ana, { id: one.id })).toBe(1);
    expect(await open(ana)).toEqual(idsOf([second, rest, ...last]));
    expect(await withdraw(ana, { date: localDate(second) })).toBe(2);
    expect(await open(ana)).toEqual(idsOf(last));
    expect(await withdraw(ana, { all: 'yes' })).toBe(2);
    expect(await open(ana)).toEqual([]);
    expect((await look(maya, booked)).json).toMatchObject({ status: 1 });
    expect(await open(other)).toEqual(idsOf(theirs));
  });

  test('leads back to the page of the list that it was on, and to the one before when nothing is left there', async () => {
    const ana = await newProvider();
    await publish(ana, { end: '13:00', dates: [1, 2, 3, 4, 5, 6].map((days) => dayAhead(days)) });
    const third = await (await (await ana.browser.visit('/view-open')).click('Next page')).click('Next page');
    const rows = (page: Page) => page.$$('main button[name=id]').length;
    expect([third.path, rows(third)]).toEqual(['/view-open?page=2', 8]);
    const less = await third.submit('main button[name=id]');
    expect([less.path, rows(less)]).toEqual(['/view-open?withdrawn=1&page=2', 7]);
    const before = await less.submit('main button[name=date]');
    expect([before.path, rows(before)]).toEqual(['/view-open?withdrawn=7&page=1', 20]);
    expect(before.words).toContain('7 slots are withdrawn.');
  });

  test('leaves what has begun as it is', async () => {
    const ana = await newProvider();
    const begun = await writeSlot(daybook.d1, ana, { startsIn: -5 });
    expect(await withdraw(ana, { id: begun.id })).toBe(0);
    expect(await withdraw(ana, { all: 'yes' })).toBe(0);
    expect((await look(ana, begun)).json).toMatchObject({ status: 0 });
  });
});

test('who comes back to a publication that was undone reads so, and is not offered to undo it again', async () => {
  const provider = await newProvider();
  const form = await provider.browser.visit('/create');
  const other = await form.submit('Create appointments', { dates: [dayAhead(2)], start: '09:00', end: '10:00' });
  const home = await form.submit('Create appointments', { dates: [dayAhead(1)], start: '09:00', end: '10:00' });
  expect(home.words).toContain('2 appointments are open for booking.');
  expect((await home.submit('Undo: withdraw them')).words).toContain('2 slots are withdrawn.');
  const back = await provider.browser.visit(home.path);
  expect(back.words).toContain('What you published is withdrawn again.');
  expect(back.words).not.toContain('Undo');
  // From a page that still stands as it was.
  expect((await home.submit('Undo: withdraw them')).words).toContain('Nothing was left to withdraw.');
  // Another one is as it was.
  expect((await provider.browser.visit(other.path)).words).toContain('2 appointments are open for booking.');
  expect((await other.submit('Undo: withdraw them')).words).toContain('2 slots are withdrawn.');
});

describe('the form of a publication', () => {
  const startsOf = async (who: Person, ...days: number[]) => {
    const query = new URLSearchParams({ provider: who.username, dates: days.map((day) => dayAhead(day)).join(' ') });
    return rowsOf(await maya.api('GET', `/api/Appointment/GetPage?${query}`)).map(({ startTime }) => startTime);
  };
  const iso = (days: number) => `${dayAhead(days).slice(6)}-${dayAhead(days).slice(0, 5)}`;
  const valuesOf = (page: Page, name: string) =>
    page.$$(`main [name="${name}"]`).map((field) => field.getAttribute('value') ?? '');
  /** Two ranges with an hour between, as their fields are sent. */
  const lunch = { start: ['09:00', '13:00'], end: ['10:00', '14:00'], len: '30', notes: '', templateId: '' };

  test('takes several ranges of a day, and counts over all of them what it made and what it left out', async () => {
    const ana = await newProvider();
    await publish(ana, { start: '13:00', end: '13:30' });
    const form = await (await ana.browser.visit('/create')).submit('Add a range');
    const home = await form.submit('Create appointments', { ...lunch, dates: [dayAhead(1), dayAhead(2)] });
    expect(home.words).toContain('7 appointments are open for booking.');
    expect(home.words).toContain('One was left out');
    expect(await startsOf(ana, 2)).toEqual(['09:00', '09:30', '13:00', '13:30']);
  });

  test('adds a range, a break, and takes one away, and keeps all that was typed', async () => {
    const ana = await newProvider();
    const typed = {
      dates: [dayAhead(1)],
      start: '08:00',
      end: '18:00',
      notes: 'Ring twice',
      until: iso(20),
      len: '45',
    };
    const broken = await (await ana.browser.visit('/create')).submit('Add a break', typed);
    expect([valuesOf(broken, 'start'), valuesOf(broken, 'end')]).toEqual([
      ['08:00', '13:00'],
      ['12:00', '18:00'],
    ]);
    const added = await broken.submit('Add a range');
    expect(valuesOf(added, 'start')).toEqual(['08:00', '13:00', '']);
    const removed = await added.submit('main button[value="remove:0"]');
    expect([valuesOf(removed, 'start'), valuesOf(removed, 'end')]).toEqual([
      ['13:00', ''],
      ['18:00', ''],
    ]);
    expect([valuesOf(removed, 'until'), valuesOf(removed, 'len')]).toEqual([[iso(20)], ['45']]);
    expect(removed.$('main textarea')?.text).toBe('Ring twice');
    expect(removed.$$('main [name=dates][checked], main [name=dates][type=hidden]')).toHaveLength(1);
    expect(await startsOf(ana, 1)).toEqual([]);
  });

  test('repeats the chosen weekdays until a last day, which is one of them', async () => {
    const ana = await newProvider();
    const typed = { ...lunch, dates: [dayAhead(1), dayAhead(3)], until: iso(15) };
    const home = await (await ana.browser.visit('/create')).submit('Create appointments', {
      ...typed,
      start: '09:00',
      end: '09:30',
    });
    expect(home.words).toContain('5 appointments are open for booking.');
    const days = (await ana.api('GET', `/api/Appointment/GetDates?provider=${ana.username}`)).json;
    expect(days).toEqual([1, 3, 8, 10, 15].map((day) => dayAhead(day)));
  });

  test.each([
    [
      'a last day before one that is chosen',
      { until: 2 },
      'until',
      'The last day must not be before a day that you choose.',
    ],
    ['more than 366 days', { until: 366 * 7 + 10 }, 'until', 'That makes more than 366 days.'],
    ['more than 5,000 slots', { until: 7 * 120, len: '5' }, 'until', 'That is more than 5,000 slots at once.'],
    ['no date', { until: 'soon' }, 'until', 'The last day must be a date.'],
    ['ranges that overlap', { start: ['09:00', '09:30'] }, 'ranges', 'The ranges of a day must not overlap.'],
    [
      'a second range that is out of order',
      { end: ['10:00', '12:00'] },
      'ranges',
      'Range 2: The end time must be after',
    ],
    ['half a range', { end: ['10:00', ''] }, 'ranges', 'Range 2: End time must be a time of day'],
    ['a blank first range', { start: ['', '13:00'], end: ['', '14:00'] }, 'start', 'Start time must be a time of day'],
  ])(
    'refuses %s, names the field, and publishes nothing',
    async (_, { until, ...wrong }: Record<string, unknown>, field, words) => {
      const ana = await newProvider();
      const form = await (await ana.browser.visit('/create')).submit('Add a range');
      const fields = { ...lunch, ...wrong, dates: [dayAhead(5)] };
      const last = typeof until === 'number' ? iso(until) : String(until ?? '');
      const refused = await ana.browser.post('/create', {
        ...fields,
        until: last,
        once: valuesOf(form, 'once')[0] ?? '',
      });
      expect([refused.status, refused.words]).toEqual([400, expect.stringContaining(words)]);
      const faults = refused.$(`#field-${field}-faults`);
      expect(text(faults?.text)).toContain(words);
      expect(refused.$(`[aria-describedby~="field-${field}-faults"]`)).not.toBeNull();
      expect(valuesOf(refused, 'start')).toEqual(fields.start);
      expect(await startsOf(ana, 5)).toEqual([]);
    },
  );

  test('sent twice publishes once, and is for providers', async () => {
    const ana = await newProvider();
    const form = await (await ana.browser.visit('/create')).submit('Add a range');
    const typed = { ...lunch, dates: [dayAhead(1)], until: iso(8) };
    const send = () => form.submit('Create appointments', typed);
    for (const home of await Promise.all([send(), send()])) {
      expect(home.words).toContain('8 appointments are open for booking.');
    }
    const { status, location } = await daybook.visitor().post('/create', typed);
    expect([status, location]).toEqual([303, expect.stringMatching('^/not-logged-in')]);
    expect((await maya.browser.post('/create', typed)).status).toBe(403);
  });

  test('is there again as it was filled in, its days blank, to publish more like it', async () => {
    const [ana, other] = await Promise.all([newProvider(), newProvider()]);
    const form = await (await ana.browser.visit('/create')).submit('Add a range');
    const typed = { ...lunch, len: '20', notes: 'Ring <twice>\n& wait', dates: [dayAhead(1)] };
    const home = await form.submit('Create appointments', typed);
    const again = await home.click('Publish more like this');
    expect([valuesOf(again, 'start'), valuesOf(again, 'end'), valuesOf(again, 'len')]).toEqual([
      lunch.start,
      lunch.end,
      ['20'],
    ]);
    expect(again.$('main textarea')?.text).toBe('Ring <twice>\n& wait');
    expect(again.$$('main [name=dates][checked], main [name=dates][type=hidden]')).toEqual([]);
    expect((await again.submit('Create appointments', { dates: [dayAhead(9)] })).words).toContain('6 appointments');
    // It is its provider's alone.
    expect(valuesOf(await other.browser.visit(again.path), 'start')).toEqual(['09:00']);
  });
});
