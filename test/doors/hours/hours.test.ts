import { describe, expect, test } from 'vitest';
import { wireDate } from '../../../app/domain/time/clock';
import { setRules } from '../../support/account-calls';
import { openSlotsOf } from '../../support/appointment-calls';
import { complaints } from '../../support/complaints';
import {
  book,
  cancel,
  dayAhead,
  isoAhead,
  type Person,
  peopleAt,
  type Row,
  registerCrowd,
} from '../../support/factories';
import { publishQuestions } from '../../support/party-factories';
import { everyDay } from '../../support/plain-hours';
import { useServer, useWorld } from '../../support/use-server';
import { type Page, valuesOf } from '../../support/visit';

const daybook = useServer();
const { newProvider } = peopleAt(daybook);
const { maya } = useWorld(daybook, { maya: {} });

const set = (who: Person, details: object = {}, query = '') =>
  who.api('PUT', `/api/Appointment/SetHours${query}`, { hours: everyDay('09:00', '11:00'), ahead: 3, ...details });
type Hours = { hours: unknown; except: unknown; len: number };
const hoursOf = async (who: Person) => (await who.api('GET', '/api/Appointment/GetHours')).json as Hours | null;
/** The open slots of these days: today has more or fewer. */
const open = (who: Person, days = [1, 2, 3]) =>
  openSlotsOf(maya, who, { dates: days.map((day) => dayAhead(day)).join(' ') });

describe('SetHours', () => {
  test('publishes slots for so many days on, by the ranges of each weekday, which may touch and end at midnight', async () => {
    const ana = await newProvider();
    const hours = [...everyDay('09:00', '10:30'), ...everyDay('22:00', '23:00'), ...everyDay('23:00', '00:00')];
    expect(await set(ana, { hours, gap: 15 })).toMatchObject({
      status: 200,
      json: { created: expect.any(Number), withdrawn: 0 },
    });
    const rows = await open(ana, [1, 2, 3, 4]);
    expect(rows.map(({ date, startTime, endTime }) => `${date} ${startTime}-${endTime}`)).toEqual(
      [1, 2, 3].flatMap((day) =>
        ['09:00-09:30', '09:45-10:15', '22:00-22:30', '23:00-23:30'].map((time) => `${dayAhead(day)} ${time}`),
      ),
    );
    expect((await set(ana, { hours, gap: 15 })).json).toEqual({ created: 0, withdrawn: 0 });
  });

  test('is what GetHours answers, and null before', async () => {
    const ana = await newProvider();
    expect(await hoursOf(ana)).toBeNull();
    const except = [
      { date: dayAhead(2), to: dayAhead(4), hours: [] },
      { date: dayAhead(3), to: null, hours: [{ start: '09:00', end: '10:00' }] },
    ];
    const templateId = await publishQuestions(ana, [{ questionText: 'Why?' }]);
    const given = { hours: everyDay('22:00', '00:00'), except, len: 45, gap: 5, ahead: 20, notes: 'Ring', templateId };
    await set(ana, given);
    expect(await hoursOf(ana)).toEqual(given);
    const [slot] = await openSlotsOf(maya, ana);
    expect(slot).toMatchObject({ notes: 'Ring', template: templateId });
    await ana.api('PUT', '/api/Appointment/SetHours', { hours: [] });
    const usual = { hours: [], except: [], len: 30, gap: 0, ahead: 56, notes: null, templateId: null };
    expect(await hoursOf(ana)).toEqual(usual);
  });

  test('with preview changes nothing, and answers the same counts', async () => {
    const ana = await newProvider();
    const preview = await set(ana, {}, '?preview=true');
    expect([await hoursOf(ana), await open(ana)]).toEqual([null, []]);
    expect((await set(ana)).json).toEqual(preview.json);
  });

  test('is refused with one message for one fault, also as a preview, and nothing changes', async () => {
    const ana = await newProvider();
    const onMonday = { day: 1, start: '09:00', end: '10:00' };
    const twoRanges = ['09:00', '09:30'].map((start) => ({ start, end: '10:00' }));
    const wrong: [what: string, details: object][] = [
      ['no hours', { hours: undefined }],
      ['no day', { hours: [{ ...onMonday, day: undefined }] }],
      ['an eighth day', { hours: [{ ...onMonday, day: 7 }] }],
      ['no start', { hours: [{ ...onMonday, start: undefined }] }],
      ['an end that is no time', { hours: [{ ...onMonday, end: '24:00' }] }],
      ['an end at the start', { hours: [{ ...onMonday, end: '09:00' }] }],
      ['ranges that overlap', { hours: [...everyDay('09:00', '11:00'), { day: 3, start: '10:59', end: '12:00' }] }],
      ['a range after midnight', { hours: [...everyDay('09:00', '00:00'), { day: 3, start: '23:00', end: '23:30' }] }],
      ['exceptions that are no list', { except: {} }],
      ['an exception without a date', { except: [{ to: dayAhead(1) }] }],
      ['a date in ISO form', { except: [{ date: '2031-05-05' }] }],
      ['a date that is not real', { except: [{ date: '02-30-2031' }] }],
      ['a last day before the first', { except: [{ date: dayAhead(3), to: dayAhead(2) }] }],
      ['other hours that are no list', { except: [{ date: dayAhead(3), hours: '09:00' }] }],
      ['other hours out of order', { except: [{ date: dayAhead(3), hours: [{ start: '10:00', end: '09:00' }] }] }],
      ['other hours that overlap', { except: [{ date: dayAhead(3), hours: twoRanges }] }],
      ['367 exceptions', { except: Array(367).fill({ date: dayAhead(1) }) }],
      ['4 minutes', { len: 4 }],
      ['1,441 minutes', { len: 1441 }],
      ['a gap of 241', { gap: 241 }],
      ['a negative gap', { gap: -1 }],
      ['no day ahead', { ahead: 0 }],
      ['366 days ahead', { ahead: 366 }],
      ['notes of 1,001', { notes: 'x'.repeat(1001) }],
      ['more than 10,000 slots', { hours: everyDay('00:00', '00:00'), len: 5, ahead: 60 }],
    ];
    for (const [what, details] of wrong) {
      for (const query of ['?preview=true', ''])
        expect(complaints(await set(ana, details, query)), what).toHaveLength(1);
    }
    const twice = [...everyDay('09:00', '11:00'), ...everyDay('09:00', '11:00')];
    const hours = [{ day: 9, start: 'nine', end: '10:00' }, ...twice];
    expect(complaints(await set(ana, { hours, len: 1, gap: 'wide', ahead: 0 }))).toHaveLength(6);
    expect([await hoursOf(ana), await open(ana)]).toEqual([null, []]);
  });
});

describe('at the same moment', () => {
  /** What a provider has, by its times; no two slots that live overlap. */
  async function bookOf({ username }: Person) {
    const { results } = await daybook.d1
      .prepare(
        `SELECT starts_at, ends_at, state FROM slots JOIN accounts ON accounts.id = provider_id
          WHERE username = ? AND state < 2 ORDER BY starts_at`,
      )
      .bind(username)
      .all<{ starts_at: number; ends_at: number; state: number }>();
    for (const [place, slot] of results.entries()) {
      expect(slot.starts_at).toBeGreaterThanOrEqual(results[place - 1]?.ends_at ?? 0);
    }
    return results;
  }

  test('two different hours give the one or the other, whole', async () => {
    const ana = await newProvider();
    const [early, late] = [everyDay('06:00', '10:00'), everyDay('08:15', '12:15')];
    for (let round = 0; round < 8; round++) {
      const answers = await Promise.all([early, late, early].map((hours) => set(ana, { hours })));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      const hours = (await hoursOf(ana))?.hours;
      const [first] = await open(ana);
      expect(first?.startTime).toBe(JSON.stringify(hours) === JSON.stringify(early) ? '06:00' : '08:15');
      await bookOf(ana);
      expect((await set(ana, { hours })).json).toEqual({ created: 0, withdrawn: 0 });
    }
  });

  test('hours that change and people who book: nobody loses a booking, and nothing overlaps', async () => {
    const [ana, crowd] = await Promise.all([newProvider(), registerCrowd(daybook, 12)]);
    const hours = everyDay('09:00', '15:00');
    await set(ana, { hours, len: 20 });
    const slots = await open(ana, [1]);
    const [booked, changed] = await Promise.all([
      Promise.all(crowd.map((who, place) => book(who, slots[place] as Row))),
      Promise.all([10, 25, 30].map((len) => set(ana, { hours, len }))),
    ]);
    expect(changed.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(booked.filter(({ status }) => ![200, 404].includes(status))).toEqual([]);
    const won = booked.filter(({ status }) => status === 200).length;
    expect((await bookOf(ana)).filter(({ state }) => state === 1)).toHaveLength(won);
    const len = (await hoursOf(ana))?.len;
    expect((await set(ana, { hours, len })).json).toEqual({ created: 0, withdrawn: 0 });
  });
});

const save = 'main button[name=press][value=save]';

describe('/hours, without script', () => {
  test('sets Tuesday to Saturday with a lunch break and three holidays in nine actions', async () => {
    const ana = await newProvider();
    const ticked = () => page.$$('[name=open][checked]').map((box) => Number(box.getAttribute('value')));
    let page = await ana.browser.visit('/hours'); // 1
    expect(ticked()).toEqual([1, 2, 3, 4, 5]);
    page = await page.submit('Add a break on every open day', { open: ['2', '3', '4', '5', '6'] }); // 2 and 3 tick, 4
    expect(ticked()).toEqual([2, 3, 4, 5, 6]);
    const holidays = [3, 8, 10].map(isoAhead);
    // One blank line is shown, the others open with a tap.
    expect([valuesOf(page, 'off-date').length, page.$$('details [name=off-date]').length]).toEqual([3, 2]);
    page = await page.submit(save, { 'off-date': holidays }); // 5 opens them, 6, 7, 8, and 9
    expect(page.words).toContain('Your hours are saved.');
    expect(await hoursOf(ana)).toMatchObject({
      hours: [2, 3, 4, 5, 6].flatMap((day) => [
        { day, start: '09:00', end: '12:00' },
        { day, start: '13:00', end: '17:00' },
      ]),
      except: holidays.map((date) => ({ date: wireDate(date), to: null, hours: [] })),
    });
    expect(await open(ana, [3, 8, 10])).toEqual([]);
  });

  test('shows what will change before it is saved, and changes nothing until then', async () => {
    const ana = await newProvider();
    await set(ana, { ahead: 5 });
    const [first] = (await open(ana, [1])) as [Row];
    await book(maya, first);
    const form = await ana.browser.visit('/hours');
    const starts = Object.fromEntries(everyDay('', '').map(({ day }) => [`start-${day}`, '10:00']));
    const page = await form.submit('Show what changes', starts);
    expect([new URL(page.url).hash, page.$('h2#preview')?.text]).toEqual(['#preview', 'What will change']);
    expect(page.words).toMatch(/0 new times, \d+ removed, 1 booking stays/);
    expect(page.$(`main a[href="/view-provider/${first.id}"]`)?.text).toContain(maya.displayName);
    expect(page.$$('main svg rect').length).toBeGreaterThan(20);
    expect(await open(ana, [1])).toHaveLength(3);
    // Sent twice, it says twice what it did.
    for (const saved of [await page.submit('Save these hours'), await page.submit('Save these hours')]) {
      expect(saved.path).toMatch(/^\/hours\?created=0&withdrawn=[1-9]\d*$/);
      expect(saved.words).toContain('Your hours are saved.');
    }
    expect((await open(ana, [1])).map(({ startTime }) => startTime)).toEqual(['10:00', '10:30']);
  });

  test('folds what will change by weeks, and says where nothing does', async () => {
    const ana = await newProvider();
    await set(ana, { ahead: 20 });
    const form = await ana.browser.visit('/hours');
    const weeksOf = (page: Page) =>
      page.$$('main form details').flatMap((fold) => {
        const [, change] = /^\w{3} \d+ \w+ to .*: (.*)/.exec(fold.querySelector('summary')?.text ?? '') ?? [];
        return change ? [[change, ...['li', 'svg'].map((element) => fold.querySelectorAll(element).length)]] : [];
      });
    const same = await form.submit('Show what changes', { notes: 'Ring twice' });
    expect(weeksOf(same).map(([change]) => change)).toEqual(Array(3).fill('nothing changes'));
    const longer = await form.submit('Show what changes', { ahead: '27' });
    expect(longer.words).toContain('28 new times, 0 removed');
    expect(weeksOf(longer)).toEqual([
      ['nothing changes', 7, 7],
      ['nothing changes', 7, 7],
      ['nothing changes', 7, 0],
      ['28 new', 7, 0],
    ]);
  });

  test('keeps all that was typed while a day gets a break, its hours are copied, and a range is removed', async () => {
    const form = await (await newProvider()).browser.visit('/hours');
    const typed = { 'start-1': '08:00', 'end-1': '16:00', notes: 'Ring twice', 'off-date': [isoAhead(9)], gap: '15' };
    const broken = await form.submit('main button[value="break:1"]', typed);
    expect([valuesOf(broken, 'start-1'), valuesOf(broken, 'end-1')]).toEqual([
      ['08:00', '13:00'],
      ['12:00', '16:00'],
    ]);
    const copied = await broken.submit('main button[value="copy:1"]');
    expect([valuesOf(copied, 'start-4'), valuesOf(copied, 'start-0')]).toEqual([['08:00', '13:00'], ['09:00']]);
    const removed = await copied.submit('main button[value="remove:4:0"]');
    expect(valuesOf(removed, 'start-4')).toEqual(['13:00']);
    expect(valuesOf(removed, 'off-date')[0]).toBe(isoAhead(9));
    expect([removed.$('[name=notes]')?.text, valuesOf(removed, 'gap')]).toEqual(['Ring twice', ['15']]);
    expect(valuesOf(await removed.submit('More dates'), 'off-date')).toHaveLength(7);
  });

  test('says beside the field what is wrong, and keeps what was typed', async () => {
    const ana = await newProvider();
    const form = await ana.browser.visit('/hours');
    const wrong = { 'start-2': '18:00', 'off-date': [isoAhead(5)], 'off-to': [isoAhead(4)], len: '3' };
    for (const button of ['Show what changes', save]) {
      const page = await form.submit(button, wrong);
      expect(page.status).toBe(400);
      expect(page.words).toContain('On Tuesday the end must be after the beginning.');
      expect(page.words).toContain('must not be before the first');
      expect(page.words).toContain('Length must be');
      expect(page.$('[aria-invalid][name=open]')?.getAttribute('value')).toBe('2');
      const kept = ['start-2', 'off-to', 'len'].map((name) => valuesOf(page, name)[0]);
      expect(kept).toEqual(['18:00', isoAhead(4), '3']);
    }
    expect(await hoursOf(ana)).toBeNull();
  });

  test('says nothing of what an address makes up', async () => {
    const { browser } = await newProvider();
    for (const query of ['created=abc', 'created=', 'created=1', 'created=1&withdrawn=-2', 'created=1e3&withdrawn=0'])
      expect((await browser.visit(`/hours?${query}`)).words, query).not.toContain('Your hours are saved.');
    expect((await browser.visit('/day?marked=abc')).words).not.toContain('abc');
    expect((await browser.visit('/second-factor?done=constructor')).status).toBe(200);
  });

  test('is saved by providers alone', async () => {
    expect((await maya.browser.post('/hours', { press: 'save' })).status).toBe(403);
    expect((await daybook.visitor().post('/hours', { press: 'save' })).status).toBe(303);
  });
});

describe('why a time is not offered', () => {
  test('is said for each reason', async () => {
    const ana = await newProvider();
    const expectWhy = async (ahead: number, time: string, words: string) =>
      expect((await ana.browser.visit(`/hours?date=${isoAhead(ahead)}&time=${time}`)).words).toContain(words);
    await expectWhy(1, '09:00', 'You have set no hours.');
    await set(ana, { hours: everyDay('09:00', '11:20'), except: [{ date: dayAhead(2) }], gap: 10, ahead: 5 });
    const [first, second] = (await open(ana, [1])) as [Row, Row];
    await book(maya, first);
    await cancel(ana, second);
    await expectWhy(1, '09:10', 'It is booked. ');
    await expectWhy(1, '09:45', 'You removed or canceled it.');
    await expectWhy(1, '10:15', 'It is in the gap.');
    await expectWhy(1, '10:30', 'It is offered.');
    await expectWhy(1, '11:00', 'There is no room.');
    await expectWhy(1, '11:20', 'You are closed. ');
    await expectWhy(2, '09:00', 'one of your days off');
    await expectWhy(6, '09:00', 'It is too far ahead.');
    await expectWhy(-1, '09:00', 'It is over.');
    await setRules(ana, { notice: 43_200 });
    await expectWhy(1, '10:30', 'It is too soon.');
    await setRules(ana, { notice: 0, horizonDays: 1 });
    await expectWhy(3, '09:00', 'It is too far ahead.');
    await setRules(ana, { horizonDays: null, perDay: 1 });
    await expectWhy(1, '10:30', 'That day is full.');
  });

  test('is said of a time that the clocks skip', async () => {
    const ana = await newProvider({ timeZone: 'Europe/Berlin' });
    const year = Number(dayAhead(370).slice(-4));
    const lastSunday = `${year}-03-${31 - new Date(Date.UTC(year, 2, 31)).getUTCDay()}`;
    expect((await ana.browser.visit(`/hours?date=${lastSunday}&time=02:30`)).words).toContain('The clocks change.');
  });
});
