import { describe, expect, test } from 'vitest';
import { addDays, isLocalDate, wireDate } from '../../../app/domain/time/clock';
import { book, dayAhead, type Person, peopleAt, type Row, rowsOf } from '../../support/factories';
import { useServer } from '../../support/use-server';
import type { Page } from '../../support/visit';
import { useWorld } from '../../support/world';

/* The screen for hours, with scripts off. */

const daybook = useServer();
const { newProvider } = peopleAt(daybook);
const { maya } = useWorld(daybook, { maya: {} });

const iso = (ahead: number) => {
  const wire = dayAhead(ahead);
  return `${wire.slice(6)}-${wire.slice(0, 5)}`;
};
const hoursOf = async (who: Person) =>
  (await who.api('GET', '/api/Appointment/GetHours')).json as Record<string, unknown>;
const open = async ({ username }: Person, ...days: number[]) => {
  const query = new URLSearchParams({ provider: username, dates: days.map((day) => dayAhead(day)).join(' ') });
  return rowsOf(await maya.api('GET', `/api/Appointment/GetPage?${query}`));
};
const valuesOf = (page: Page, name: string) =>
  page.$$(`[name="${name}"]`).map((field) => field.getAttribute('value') ?? '');
const ticked = (page: Page) => page.$$('[name=open][checked]').map((box) => Number(box.getAttribute('value')));

describe('/hours', () => {
  test('sets Tuesday to Saturday with a lunch break and three holidays in nine actions', async () => {
    const ana = await newProvider();
    let page = await ana.browser.visit('/hours'); // 1
    expect(ticked(page)).toEqual([1, 2, 3, 4, 5]);
    page = await page.submit('Add a break on every open day', { open: ['2', '3', '4', '5', '6'] }); // 2 and 3 tick, 4
    expect(ticked(page)).toEqual([2, 3, 4, 5, 6]);
    const holidays = [3, 8, 10].map(iso);
    // One blank line is shown, the others open with a tap.
    expect([valuesOf(page, 'off-date'), page.$$('details [name=off-date]')].map(({ length }) => length)).toEqual([
      3, 2,
    ]);
    page = await page.submit('main button[name=press][value=save]', { 'off-date': holidays }); // 5 opens them, 6, 7, 8, and 9
    expect(page.words).toContain('Your hours are saved.');
    const { hours, except } = await hoursOf(ana);
    expect(hours).toEqual(
      [2, 3, 4, 5, 6].flatMap((day) => [
        { day, start: '09:00', end: '12:00' },
        { day, start: '13:00', end: '17:00' },
      ]),
    );
    expect(except).toEqual(holidays.map((date) => ({ date: wireDate(date), to: null, hours: [] })));
    expect(holidays.every(isLocalDate)).toBe(true);
    expect(await open(ana, 3, 8, 10)).toEqual([]);
  });

  test('shows what will change before it is saved, and changes nothing until then', async () => {
    const ana = await newProvider();
    const everyDay = Array.from({ length: 7 }, (_, day) => ({ day, start: '09:00', end: '11:00' }));
    await ana.api('PUT', '/api/Appointment/SetHours', { hours: everyDay, ahead: 5 });
    const [first] = (await open(ana, 1)) as [Row];
    await book(maya, first);
    const form = await ana.browser.visit('/hours');
    const starts = Object.fromEntries(everyDay.map(({ day }) => [`start-${day}`, '10:00']));
    const page = await form.submit('Show what changes', starts);
    expect([new URL(page.url).hash, page.$('h2#preview')?.text]).toEqual(['#preview', 'What will change']);
    expect(page.words).toMatch(/0 new times, \d+ removed, 1 booking stays/);
    expect(page.$(`main a[href="/view-provider/${first.id}"]`)?.text).toContain(maya.displayName);
    expect(page.$$('main svg rect').length).toBeGreaterThan(20);
    expect(valuesOf(page, 'start-2')).toEqual(['10:00']);
    expect((await open(ana, 1)).length).toBe(3);
    const saved = await page.submit('Save these hours');
    expect([saved.path, saved.words]).toEqual([
      expect.stringMatching(/^\/hours\?created=0&withdrawn=\d+$/),
      expect.stringContaining('Your hours are saved.'),
    ]);
    expect((await open(ana, 1)).map(({ startTime }) => startTime)).toEqual(['10:00', '10:30']);
  });

  test('folds what will change by weeks, and says where nothing does', async () => {
    const ana = await newProvider();
    const everyDay = Array.from({ length: 7 }, (_, day) => ({ day, start: '09:00', end: '11:00' }));
    await ana.api('PUT', '/api/Appointment/SetHours', { hours: everyDay, ahead: 20 });
    const form = await ana.browser.visit('/hours');
    const weeksOf = (page: Page) =>
      page
        .$$('main form details')
        .filter((fold) => /^\w{3} \d+ \w+ to /.test(fold.querySelector('summary')?.text ?? ''));
    const weeks = async (typed: Record<string, string>) =>
      weeksOf(await form.submit('Show what changes', typed)).map((fold) => fold.querySelector('summary')?.text ?? '');
    expect((await weeks({ notes: 'Ring twice' })).map((week) => week.replace(/.*: /, ''))).toEqual(
      Array(3).fill('nothing changes'),
    );
    const longer = await form.submit('Show what changes', { ahead: '27' });
    expect(longer.words).toContain('28 new times, 0 removed');
    const folds = weeksOf(longer);
    expect(folds.map((fold) => fold.querySelector('summary')?.text.replace(/.*: /, ''))).toEqual([
      'nothing changes',
      'nothing changes',
      'nothing changes',
      '28 new',
    ]);
    expect(folds.map((fold) => fold.querySelectorAll('li').length)).toEqual([7, 7, 7, 7]);
    expect(folds.map((fold) => fold.querySelectorAll('svg').length)).toEqual([7, 7, 0, 0]);
  });

  test('saved twice by the same form says twice what it did', async () => {
    const ana = await newProvider();
    const form = await ana.browser.visit('/hours');
    const save = () => form.submit('main button[name=press][value=save]', { ahead: '10' });
    const [first, second] = [await save(), await save()];
    expect(first.path).toMatch(/created=[1-9]\d*&withdrawn=0$/);
    expect(second.path).toBe(first.path);
  });

  test('keeps all that was typed while a day gets a break, its hours are copied, and a range is removed', async () => {
    const form = await (await newProvider()).browser.visit('/hours');
    const typed = { 'start-1': '08:00', 'end-1': '16:00', notes: 'Ring twice', 'off-date': [iso(9)], gap: '15' };
    const broken = await form.submit('main button[value="break:1"]', typed);
    expect([valuesOf(broken, 'start-1'), valuesOf(broken, 'end-1')]).toEqual([
      ['08:00', '13:00'],
      ['12:00', '16:00'],
    ]);
    const copied = await broken.submit('main button[value="copy:1"]');
    expect(valuesOf(copied, 'start-4')).toEqual(['08:00', '13:00']);
    expect(valuesOf(copied, 'start-0')).toEqual(['09:00']);
    const removed = await copied.submit('main button[value="remove:4:0"]');
    expect(valuesOf(removed, 'start-4')).toEqual(['13:00']);
    expect(valuesOf(removed, 'off-date')[0]).toBe(iso(9));
    expect(removed.$('[name=notes]')?.text).toBe('Ring twice');
    expect(valuesOf(removed, 'gap')).toEqual(['15']);
    expect(valuesOf(await removed.submit('More dates'), 'off-date')).toHaveLength(7);
  });

  test('says beside the field what is wrong, and keeps what was typed', async () => {
    const ana = await newProvider();
    const form = await ana.browser.visit('/hours');
    const wrong = { 'start-2': '18:00', 'off-date': [iso(5)], 'off-to': [iso(4)], len: '3' };
    for (const button of ['Show what changes', 'main button[name=press][value=save]']) {
      const page = await form.submit(button, wrong);
      expect(page.status).toBe(400);
      for (const words of [
        'On Tuesday the end must be after the beginning.',
        'must not be before the first',
        'Length must be',
      ]) {
        expect(page.words).toContain(words);
      }
      expect(page.$('[aria-invalid][name=open]')?.getAttribute('value')).toBe('2');
      expect([valuesOf(page, 'start-2'), valuesOf(page, 'off-to')[0], valuesOf(page, 'len')]).toEqual([
        ['18:00'],
        iso(4),
        ['3'],
      ]);
    }
    expect(await hoursOf(ana)).toBeNull();
  });

  test('says nothing of what an address makes up', async () => {
    const ana = await newProvider();
    for (const query of ['created=abc', 'created=', 'created=1', 'created=1&withdrawn=-2', 'created=1e3&withdrawn=0']) {
      expect([query, (await ana.browser.visit(`/hours?${query}`)).words.includes('Your hours are saved.')]).toEqual([
        query,
        false,
      ]);
    }
    expect((await ana.browser.visit('/day?marked=abc')).words).not.toContain('abc');
    expect((await ana.browser.visit('/second-factor?done=constructor')).status).toBe(200);
  });

  test('is for providers', async () => {
    expect((await maya.browser.get('/hours')).status).toBe(403);
    expect((await maya.browser.post('/hours', { press: 'save' })).status).toBe(403);
    expect((await daybook.visitor().post('/hours', { press: 'save' })).status).toBe(303);
  });
});

describe('why a time is not offered', () => {
  const ask = async (who: Person, ahead: number, time: string) =>
    (await who.browser.visit(`/hours?date=${iso(ahead)}&time=${time}`)).words;

  test('is said for each reason', async () => {
    const ana = await newProvider();
    expect(await ask(ana, 1, '09:00')).toContain('You have set no hours.');
    const everyDay = Array.from({ length: 7 }, (_, day) => ({ day, start: '09:00', end: '11:20' }));
    await ana.api('PUT', '/api/Appointment/SetHours', {
      hours: everyDay,
      except: [{ date: dayAhead(2) }],
      gap: 10,
      ahead: 5,
    });
    const [first, second] = (await open(ana, 1)) as [Row, Row];
    await book(maya, first);
    await ana.api('PUT', `/api/Appointment/Cancel?id=${second.id}`);
    expect(await ask(ana, 1, '09:10')).toContain('It is booked. ');
    expect(await ask(ana, 1, '09:45')).toContain('You removed or canceled it.');
    expect(await ask(ana, 1, '10:15')).toContain('It is in the gap.');
    expect(await ask(ana, 1, '10:30')).toContain('It is offered.');
    expect(await ask(ana, 1, '11:00')).toContain('There is no room.');
    expect(await ask(ana, 1, '11:20')).toContain('You are closed. ');
    expect(await ask(ana, 2, '09:00')).toContain('one of your days off');
    expect(await ask(ana, 6, '09:00')).toContain('It is too far ahead.');
    expect(await ask(ana, -1, '09:00')).toContain('It is over.');
    await ana.api('PUT', '/api/Account/SetRules', { notice: 43_200 });
    expect(await ask(ana, 1, '10:30')).toContain('It is too soon.');
    await ana.api('PUT', '/api/Account/SetRules', { notice: 0, horizonDays: 1 });
    expect(await ask(ana, 3, '09:00')).toContain('It is too far ahead.');
    await ana.api('PUT', '/api/Account/SetRules', { horizonDays: null, perDay: 1 });
    expect(await ask(ana, 1, '10:30')).toContain('That day is full.');
  });

  test('is said of a time that the clocks skip', async () => {
    const ana = await newProvider({ timeZone: 'Europe/Berlin' });
    const year = Number(dayAhead(370).slice(-4));
    const lastSunday = `${year}-03-${31 - new Date(Date.UTC(year, 2, 31)).getUTCDay()}`;
    expect((await ana.browser.visit(`/hours?date=${lastSunday}&time=02:30`)).words).toContain('The clocks change.');
    expect(addDays(lastSunday, 0)).toBe(lastSunday);
  });
});
