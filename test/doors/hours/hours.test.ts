import { describe, expect, test } from 'vitest';
import { wireDate } from '../../../app/domain/time/clock';
import { brokenRules } from '../../habits/invariants';
import { setRules } from '../../support/account-calls';
import { agenda, openSlotsOf } from '../../support/appointment-calls';
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
import { valuesOf } from '../../support/visit';

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
  test('publishes what GetHours then answers, for so many days on; before, and after a preview, that is null', async () => {
    const ana = await newProvider();
    const except = [
      { date: dayAhead(2), to: dayAhead(4), hours: [] },
      { date: dayAhead(3), to: null, hours: [{ start: '09:00', end: '10:00' }] },
    ];
    const templateId = await publishQuestions(ana, [{ questionText: 'Why?' }]);
    const hours = [...everyDay('22:00', '23:00'), ...everyDay('23:00', '00:00')];
    const given = { hours, except, len: 45, gap: 5, ahead: 5, notes: 'Ring', templateId };
    const preview = await set(ana, given, '?preview=true');
    expect([await hoursOf(ana), await open(ana)]).toEqual([null, []]);
    expect(await set(ana, given)).toMatchObject({ status: 200, json: preview.json });
    expect(await hoursOf(ana)).toEqual(given);
    const slots = await open(ana, [1, 2, 3, 4, 5, 6]);
    const evening = (days: number) => ['22:00', '23:00'].map((start) => `${dayAhead(days)} ${start}`);
    expect(slots.map(({ date, startTime }) => `${date} ${startTime}`)).toEqual([
      ...evening(1),
      `${dayAhead(3)} 09:00`,
      ...evening(5),
    ]);
    expect(slots[0]).toMatchObject({ endTime: '22:45', notes: 'Ring', template: templateId });
    await ana.api('PUT', '/api/Appointment/SetHours', { hours: [] });
    const usual = { hours: [], except: [], len: 30, gap: 0, ahead: 56, notes: null, templateId: null };
    expect(await hoursOf(ana)).toEqual(usual);
  });

  test('is refused with one message for one fault, also as a preview, and nothing changes', async () => {
    const ana = await newProvider();
    const twoRanges = ['09:00', '09:30'].map((start) => ({ start, end: '10:00' }));
    const wrong: [what: string, details: object][] = [
      ['an eighth day', { hours: [{ day: 7, start: '09:00', end: '10:00' }] }],
      ['an end at the start', { hours: everyDay('09:00', '09:00').slice(0, 1) }],
      ['ranges that overlap', { hours: [...everyDay('09:00', '11:00'), { day: 3, start: '10:59', end: '12:00' }] }],
      ['a range after midnight', { hours: [...everyDay('09:00', '00:00'), { day: 3, start: '23:00', end: '23:30' }] }],
      ['a date that is not real', { except: [{ date: '02-30-2031' }] }],
      ['a last day before the first', { except: [{ date: dayAhead(3), to: dayAhead(2) }] }],
      ['other hours out of order', { except: [{ date: dayAhead(3), hours: [{ start: '10:00', end: '09:00' }] }] }],
      ['other hours that overlap', { except: [{ date: dayAhead(3), hours: twoRanges }] }],
      ['367 exceptions', { except: Array(367).fill({ date: dayAhead(1) }) }],
      ['1,441 minutes', { len: 1441 }],
      ['a gap of 241', { gap: 241 }],
      ['366 days ahead', { ahead: 366 }],
      ['notes of 1,001', { notes: 'x'.repeat(1001) }],
    ];
    for (const [what, details] of wrong)
      for (const query of ['?preview=true', ''])
        expect(complaints(await set(ana, details, query)), what).toHaveLength(1);
    const hours = [{ day: 9, start: 'nine', end: '10:00' }, ...everyDay('09:00', '11:00')];
    expect(complaints(await set(ana, { hours, len: 1, gap: 'wide', ahead: 0 }))).toHaveLength(5);
    expect([await hoursOf(ana), await open(ana)]).toEqual([null, []]);
  });
});

describe('at the same moment', () => {
  /** Hours that are set again have nothing to change, and no two times overlap. */
  async function expectRight(ana: Person, details: object): Promise<void> {
    expect((await set(ana, details)).json).toEqual({ created: 0, withdrawn: 0 });
    expect(await brokenRules(daybook.d1, { texts: false })).toEqual([]);
  }

  test('two different hours give the one or the other, whole', async () => {
    const ana = await newProvider();
    const [early, late] = [everyDay('06:00', '10:00'), everyDay('08:15', '12:15')];
    for (let round = 0; round < 8; round++) {
      const answers = await Promise.all([early, late, early].map((hours) => set(ana, { hours })));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      await expectRight(ana, { hours: (await hoursOf(ana))?.hours });
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
    expect(await agenda(ana)).toHaveLength(booked.filter(({ status }) => status === 200).length);
    await expectRight(ana, { hours, len: (await hoursOf(ana))?.len });
  });
});

const save = 'main button[name=press][value=save]';

describe('/hours, without script', () => {
  test('sets Monday to Saturday with a lunch break on all but Thursday, and three holidays', async () => {
    const ana = await newProvider();
    const form = await ana.browser.visit('/hours');
    const week = { open: ['1', '2', '3', '4', '5', '6'], 'start-1': '08:00', 'end-1': '16:00' };
    const holidays = [3, 8, 10].map(isoAhead);
    const broken = await form.submit('main button[value="break:1"]', { ...week, 'off-date': holidays, gap: '15' });
    const copied = await broken.submit('main button[value="copy:1"]');
    const removed = await copied.submit('main button[value="remove:4:0"]');
    expect((await removed.submit(save)).words).toContain('Your hours are saved.');
    const [morning, afternoon] = [
      { start: '08:00', end: '12:00' },
      { start: '13:00', end: '16:00' },
    ];
    const ranges = [1, 2, 3, 4, 5, 6].flatMap((day) => [
      { day, ...morning },
      { day, ...afternoon },
    ]);
    expect(await hoursOf(ana)).toMatchObject({
      hours: ranges.filter(({ day, start }) => day !== 4 || start === afternoon.start),
      except: holidays.map((date) => ({ date: wireDate(date), to: null, hours: [] })),
      gap: 15,
    });
  });

  test('shows what will change before it is saved, and changes nothing until then', async () => {
    const ana = await newProvider();
    await set(ana, { ahead: 5 });
    const [first] = (await open(ana, [1])) as [Row];
    await book(maya, first);
    const form = await ana.browser.visit('/hours');
    const starts = Object.fromEntries(everyDay('', '').map(({ day }) => [`start-${day}`, '10:00']));
    const page = await form.submit('Show what changes', starts);
    expect(page.words).toMatch(/0 new times, \d+ removed, 1 booking stays/);
    expect(page.$(`main a[href="/view-provider/${first.id}"]`)?.text).toContain(maya.displayName);
    expect(await open(ana, [1])).toHaveLength(3);
    // Sent twice, it says twice what it did.
    for (const saved of [await page.submit('Save these hours'), await page.submit('Save these hours')])
      expect(saved.path).toMatch(/^\/hours\?created=0&withdrawn=[1-9]\d*$/);
    expect((await open(ana, [1])).map(({ startTime }) => startTime)).toEqual(['10:00', '10:30']);
  });

  test('says beside the field what is wrong, and keeps what was typed', async () => {
    const ana = await newProvider();
    const form = await ana.browser.visit('/hours');
    const wrong = { 'start-2': '18:00', 'off-date': [isoAhead(5)], 'off-to': [isoAhead(4)], len: '3' };
    const page = await form.submit(save, wrong);
    expect(page.status).toBe(400);
    const faults = ['On Tuesday the end must be after', 'must not be before the first', 'Length must be'];
    for (const fault of faults) expect(page.words).toContain(fault);
    expect(page.$('[aria-invalid][name=open]')?.getAttribute('value')).toBe('2');
    const kept = ['start-2', 'off-to', 'len'].map((name) => valuesOf(page, name)[0]);
    expect(kept).toEqual(['18:00', isoAhead(4), '3']);
    expect(await hoursOf(ana)).toBeNull();
  });
});

test('why a time is not offered is said for each reason', async () => {
  const ana = await newProvider();
  const whyNot = async (date: string, time: string, who = ana) =>
    (await who.browser.visit(`/hours?date=${date}&time=${time}`)).words;
  expect(await whyNot(isoAhead(1), '09:00')).toContain('You have set no hours.');
  await set(ana, { hours: everyDay('09:00', '11:20'), except: [{ date: dayAhead(2) }], gap: 10, ahead: 5 });
  const [first, second] = (await open(ana, [1])) as [Row, Row];
  await book(maya, first);
  await cancel(ana, second);
  const reasons: [ahead: number, time: string, words: string, rules?: object][] = [
    [1, '09:10', 'It is booked. '],
    [1, '09:45', 'You removed or canceled it.'],
    [1, '10:15', 'It is in the gap.'],
    [1, '10:30', 'It is offered.'],
    [1, '11:00', 'There is no room.'],
    [1, '11:20', 'You are closed. '],
    [2, '09:00', 'one of your days off'],
    [6, '09:00', 'It is too far ahead.'],
    [-1, '09:00', 'It is over.'],
    [1, '10:30', 'It is too soon.', { notice: 43_200 }],
    [3, '09:00', 'It is too far ahead.', { notice: 0, horizonDays: 1 }],
    [1, '10:30', 'That day is full.', { horizonDays: null, perDay: 1 }],
  ];
  for (const [ahead, time, words, rules] of reasons) {
    if (rules) await setRules(ana, rules);
    expect(await whyNot(isoAhead(ahead), time)).toContain(words);
  }
  const year = Number(dayAhead(370).slice(-4));
  const lastSunday = `${year}-03-${31 - new Date(Date.UTC(year, 2, 31)).getUTCDay()}`;
  const inBerlin = await newProvider({ timeZone: 'Europe/Berlin' });
  expect(await whyNot(lastSunday, '02:30', inBerlin)).toContain('The clocks change.');
});
