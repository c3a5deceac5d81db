import { describe, expect, test } from 'vitest';
import { dateWords } from '../../../app/domain/time/clock';
import { askedOf } from '../../support/asked';
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
} from '../../support/factories';
import { words as text } from '../../support/forms';
import { useServer } from '../../support/use-server';
import type { Page } from '../../support/visit';
import { useWorld } from '../../support/world';

const daybook = useServer();
const { newProvider } = peopleAt(daybook);
const { maya } = useWorld(daybook, { maya: {} });

const valuesOf = (page: Page, name: string) =>
  page.$$(`main [name="${name}"]`).map((field) => field.getAttribute('value') ?? '');
/** Sends the form of a page with days of any month, and goes where that leads. */
const send = async (who: Person, page: Page, typed: Record<string, string | string[]>) => {
  const { status, location } = await who.browser.post('/create', { once: valuesOf(page, 'once')[0] ?? '', ...typed });
  expect(status).toBe(303);
  return who.browser.visit(location ?? '');
};

test('each open slot of the day has a box of its own name, and a link to book it for someone', async () => {
  const provider = await newProvider();
  const slots = await publish(provider, { end: '10:00', dates: [dayAhead(1), dayAhead(2)] });
  const page = await provider.browser.visit('/view-open');
  const boxes = page.$$('main label').filter((label) => label.querySelector('[name=id]'));
  expect(boxes.map((label) => text(label.text))).toEqual(['09:00 to 09:30', '09:30 to 10:00']);
  const first = slots[0] as Row;
  expect(page.$('main fieldset legend')?.text).toBe(`Free times, ${dateWords(localDate(first)).full}`);
  expect(text(page.$(`a[href="/details-provider/${first.id}#for-someone"]`)?.text)).toBe(
    `Book for someone, 09:00 UTC, ${dateWords(localDate(first)).full}`,
  );
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

const open = async ({ username }: Person) =>
  rowsOf(await maya.api('GET', `/api/Appointment/GetPage?provider=${username}`)).map(({ id }) => id);
const boxesOn = (page: Page) => page.$$('main input[name=id]').map((field) => field.getAttribute('value') ?? '');
const dayWords = (row: Row) => {
  const { longWeekday, day, longMonth } = dateWords(localDate(row));
  return `${longWeekday} ${day} ${longMonth}`;
};

describe('a button that withdraws', () => {
  /** Sends what the buttons send; returns how many slots the page after it says are removed. */
  const withdraw = async (who: Person, fields: Record<string, string | string[]>) => {
    const { status, location } = await who.browser.post('/view-open', fields);
    expect(status).toBe(303);
    const { words } = await who.browser.visit(location ?? '');
    if (words.includes('One time is removed.')) return 1;
    return Number(/(\d+) times are removed/.exec(words)?.[1] ?? (words.includes('Nothing was left') ? 0 : Number.NaN));
  };

  test('takes some, those of a day, or all, and never what is booked or another’s', async () => {
    const [ana, other] = await Promise.all([newProvider(), newProvider()]);
    const dates = [dayAhead(1), dayAhead(2), dayAhead(3)];
    const [one, booked, second, rest, ...last] = (await publish(ana, { end: '10:00', dates })) as [Row, Row, Row, Row];
    await book(maya, booked);
    const theirs = await publish(other, { end: '10:00', dates });
    const idsOf = (rows: Row[]) => rows.map(({ id }) => id);
    expect(await withdraw(ana, { id: [(theirs[0] as Row).id, booked.id] })).toBe(0);
    expect(await open(ana)).toEqual(idsOf([one, second, rest, ...last]));
    expect(await withdraw(ana, { id: [one.id, (theirs[0] as Row).id, one.id] })).toBe(1);
    expect(await open(ana)).toEqual(idsOf([second, rest, ...last]));
    expect(await withdraw(ana, { press: 'day', day: localDate(second) })).toBe(2);
    expect(await open(ana)).toEqual(idsOf(last));
    expect(await withdraw(ana, { all: 'yes' })).toBe(2);
    expect(await open(ana)).toEqual([]);
    expect((await look(maya, booked)).json).toMatchObject({ status: 1 });
    expect(await open(other)).toEqual(idsOf(theirs));
  });

  test('asks first, and with nothing ticked says so', async () => {
    const ana = await newProvider();
    const slots = await publish(ana, { end: '10:00' });
    const page = await ana.browser.visit('/view-open');
    const dialog = page.$('dialog#ticked');
    expect(dialog?.hasAttribute('popover')).toBe(true);
    expect(page.$('button[popovertarget=ticked]')?.getAttribute('type')).toBe('button');
    // Enter in a box presses the first button of the form.
    const form = page.$$('main form').find((one) => one.querySelector('[name=id]'));
    expect(form?.querySelector('button[type=submit], button:not([type])')?.getAttribute('value')).toBe('ask');
    const asked = await ana.browser.post('/view-open', { press: 'ask', id: (slots[1] as Row).id });
    expect(asked.$$('[name=id][checked]').map((box) => box.getAttribute('value'))).toEqual([slots[1]?.id]);
    const refused = await ana.browser.post('/view-open', { press: 'ticked', day: localDate(slots[0] as Row) });
    expect([refused.status, refused.words]).toEqual([400, expect.stringContaining('Tick the times')]);
    expect(await open(ana)).toHaveLength(2);
    const { location } = await daybook.visitor().post('/view-open', { press: 'ticked', id: (slots[0] as Row).id });
    expect(location).toMatch(/^\/not-logged-in/);
    expect((await maya.browser.post('/view-open', { press: 'ticked', id: (slots[0] as Row).id })).status).toBe(403);
  });

  test('leads back to the day that it was on, also when nothing is left there', async () => {
    const ana = await newProvider();
    const rows = await publish(ana, { end: '10:30', dates: [1, 2, 40].map((days) => dayAhead(days)) });
    const second = rows[3] as Row;
    const page = await ana.browser.visit(`/view-open?day=${localDate(second)}`);
    const less = await page.submit('dialog#ticked button[value=ticked]', { id: [second.id] });
    expect(boxesOn(less)).toEqual(rows.slice(4, 6).map(({ id }) => id));
    const none = await less.submit('dialog#whole-day button[value=day]');
    expect(none.words).toContain('2 times are removed.');
    expect(none.words).toContain('No free times on this day.');
    expect(new URL(none.url).searchParams.get('day')).toBe(localDate(second));
    // The strip has the days that are left, with how many each has.
    const later = await ana.browser.visit(`/view-open?day=${localDate(rows.at(-1) as Row)}`);
    const day = later.$('nav[aria-label="Days with free times"] [aria-current=date]');
    expect(text(day?.text)).toMatch(/^\w{3} \d+, \w+ \d{4}: 3 free$/);
    expect(boxesOn(await later.click('nav[aria-label="Days with free times"] ol a'))).toHaveLength(3);
  });

  test('leaves what has begun as it is', async () => {
    const ana = await newProvider();
    const begun = await writeSlot(daybook.d1, ana, { startsIn: -5 });
    expect(await withdraw(ana, { id: begun.id })).toBe(0);
    expect(await withdraw(ana, { all: 'yes' })).toBe(0);
    expect((await look(ana, begun)).json).toMatchObject({ status: 0 });
  });
});

test('open slots are one round trip, and read those of the month and of the day, but none of another', async () => {
  const ana = await newProvider();
  const from = (await publish(ana, { start: '00:00', end: '00:00', dates: [dayAhead(200)] }, 'len=60'))[0] as Row;
  const [year, month] = localDate(from).split('-');
  const days = Array.from({ length: 20 }, (_, at) => `${month}-${String(at + 1).padStart(2, '0')}-${year}`);
  await publish(ana, { end: '17:00', dates: days });
  await publish(ana, { end: '17:00', dates: Array.from({ length: 100 }, (_, at) => dayAhead(240 + at)) });
  const page = await ana.browser.get(`/view-open?day=${year}-${month}-05`);
  const { trips, read } = askedOf(page.headers);
  const counted = page.$$('nav[aria-label="Days with free times"] ol a').map((day) => {
    return Number(/: (\d+) free/.exec(day.text)?.[1]);
  });
  const shown = counted.reduce((sum, count) => sum + count, 0);
  expect([trips, shown >= 320, boxesOn(page).length]).toEqual([1, true, counted[4]]);
  expect(read).toBeLessThan(2 * (shown + boxesOn(page).length) + 60);
});

describe('undoing a withdrawal', () => {
  const undo = 'main form:has([name=bring])';

  test('says what it brings back, and brings it back with its notes and questions, once', async () => {
    const ana = await newProvider();
    const rows = await publish(ana, { end: '11:00', notes: 'Ring twice', dates: [dayAhead(1), dayAhead(2)] });
    const first = rows[0] as Row;
    const page = await ana.browser.visit('/view-open');
    const gone = await page.submit('dialog#ticked button[value=ticked]', { id: rows.slice(0, 3).map(({ id }) => id) });
    expect(gone.words).toContain(`Undo: bring back 3 times of ${dayWords(first)}`);
    const [back, again] = await Promise.all([gone.submit(undo), gone.submit(undo)]);
    for (const one of [back, again]) expect(one.words).toContain('3 times are free again.');
    expect(boxesOn(back)).toHaveLength(4);
    const all = rowsOf(await maya.api('GET', `/api/Appointment/GetPage?provider=${ana.username}`));
    const seen = (list: Row[]) => list.map(({ startsAt, endsAt, notes }) => ({ startsAt, endsAt, notes }));
    expect(seen(all)).toEqual(seen(rows));
    // Withdrawn anew, it stays so: the undo was of the first time.
    const anew = await back.submit('dialog#whole-day button[value=day]');
    expect((await gone.submit(undo)).words).toContain('3 times are free again.');
    expect(await open(ana)).toHaveLength(4);
    expect((await anew.submit('button[name=all]')).status).toBe(200);
  });

  test('brings back of a publication or of all days what is still free, and the publication can be undone again', async () => {
    const ana = await newProvider();
    const form = await ana.browser.visit('/create');
    const dates = [dayAhead(3), dayAhead(4)];
    const home = await send(ana, form, { dates, start: '09:00', end: '10:00' });
    const gone = await home.submit('Undo: remove them');
    expect(gone.words).toMatch(/Undo: bring back 4 times from \w+ \d+ \w+ to \w+ \d+ \w+/);
    await publish(ana, { start: '09:15', end: '09:45', dates: [dayAhead(3)] });
    const back = await gone.submit(undo);
    expect(back.words).toContain('2 times are free again.');
    expect(back.words).toContain('The rest has begun, or overlaps');
    expect((await ana.browser.visit(home.path)).words).toContain('4 appointments are open for booking.');
    expect((await ana.browser.visit(gone.path)).words).not.toContain('Undo');
  });

  test('is nobody else’s, and of a withdrawal only', async () => {
    const [ana, other] = await Promise.all([newProvider(), newProvider()]);
    await publish(ana, { end: '10:00' });
    const gone = await (await ana.browser.visit('/view-open')).submit('dialog#whole-day button[value=day]');
    const bring = gone.$(`${undo} [name=bring]`)?.getAttribute('value') ?? '';
    expect((await other.browser.post('/view-open', { bring })).status).toBe(404);
    expect((await ana.browser.post('/view-open', { bring: 'made up' })).status).toBe(404);
    expect((await maya.browser.post('/view-open', { bring })).status).toBe(403);
    expect((await daybook.visitor().post('/view-open', { bring })).location).toMatch(/^\/not-logged-in/);
    expect((await other.browser.visit(gone.path)).words).not.toContain('is removed');
    expect(await open(ana)).toEqual([]);
  });
});

test('who comes back to a publication that was undone reads so, and is not offered to undo it again', async () => {
  const provider = await newProvider();
  const form = await provider.browser.visit('/create');
  const other = await send(provider, form, { dates: [dayAhead(2)], start: '09:00', end: '10:00' });
  const home = await send(provider, form, { dates: [dayAhead(1)], start: '09:00', end: '10:00' });
  expect(home.words).toContain('2 appointments are open for booking.');
  expect((await home.submit('Undo: remove them')).words).toContain('2 times are removed.');
  const back = await provider.browser.visit(home.path);
  expect(back.words).toContain('What you published is removed again.');
  expect(back.words).not.toContain('Undo');
  // From a page that still stands as it was.
  expect((await home.submit('Undo: remove them')).words).toContain('2 times are removed.');
  // Another one is as it was.
  expect((await provider.browser.visit(other.path)).words).toContain('2 appointments are open for booking.');
  expect((await other.submit('Undo: remove them')).words).toContain('2 times are removed.');
});

describe('the form of a publication', () => {
  const startsOf = async (who: Person, ...days: number[]) => {
    const query = new URLSearchParams({ provider: who.username, dates: days.map((day) => dayAhead(day)).join(' ') });
    return rowsOf(await maya.api('GET', `/api/Appointment/GetPage?${query}`)).map(({ startTime }) => startTime);
  };
  const iso = (days: number) => `${dayAhead(days).slice(6)}-${dayAhead(days).slice(0, 5)}`;
  /** Two ranges with an hour between, as their fields are sent. */
  const lunch = { start: ['09:00', '13:00'], end: ['10:00', '14:00'], len: '30', notes: '', templateId: '' };

  test('takes several ranges of a day, and counts over all of them what it made and what it left out', async () => {
    const ana = await newProvider();
    await publish(ana, { start: '13:00', end: '13:30' });
    const form = await (await ana.browser.visit('/create')).submit('Add a range');
    const home = await send(ana, form, { ...lunch, dates: [dayAhead(1), dayAhead(2)] });
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
    const broken = await ana.browser.post('/create', { ...typed, press: 'break' });
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
    const home = await send(ana, await ana.browser.visit('/create'), { ...typed, start: '09:00', end: '09:30' });
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
    ['more than 5,000 slots', { until: 7 * 300, len: '5' }, 'until', 'That is more than 5,000 times at once.'],
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
    for (const home of await Promise.all([send(ana, form, typed), send(ana, form, typed)])) {
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
    const home = await send(ana, form, typed);
    const again = await home.click('Publish more like this');
    expect([valuesOf(again, 'start'), valuesOf(again, 'end'), valuesOf(again, 'len')]).toEqual([
      lunch.start,
      lunch.end,
      ['20'],
    ]);
    expect(again.$('main textarea')?.text).toBe('Ring <twice>\n& wait');
    expect(again.$$('main [name=dates][checked], main [name=dates][type=hidden]')).toEqual([]);
    expect((await send(ana, again, { ...typed, dates: [dayAhead(9)] })).words).toContain('6 appointments');
    // It is its provider's alone.
    expect(valuesOf(await other.browser.visit(again.path), 'start')).toEqual(['09:00']);
  });
});
