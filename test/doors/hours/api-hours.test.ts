import { describe, expect, test } from 'vitest';
import { complaints, nothing } from '../../support/complaints';
import {
  book,
  cancel,
  dayAhead,
  look,
  type Person,
  peopleAt,
  type Row,
  registerCrowd,
  rowsOf,
} from '../../support/factories';
import { publishQuestions } from '../../support/party-factories';
import { useServer } from '../../support/use-server';
import { useWorld } from '../../support/world';

const daybook = useServer();
const { newProvider } = peopleAt(daybook);
const { maya } = useWorld(daybook, { maya: {} });

const everyDay = (start: string, end: string) => Array.from({ length: 7 }, (_, day) => ({ day, start, end }));
const set = (who: Person, details: object = {}, query = '') =>
  who.api('PUT', `/api/Appointment/SetHours${query}`, { hours: everyDay('09:00', '11:00'), ahead: 3, ...details });
const get = async (who: Person) => (await who.api('GET', '/api/Appointment/GetHours')).json;
/** The open slots from tomorrow on, of which today has more or fewer. */
const open = async ({ username }: Person, days = [1, 2, 3]) => {
  const query = new URLSearchParams({ provider: username, dates: days.map((day) => dayAhead(day)).join(' ') });
  return rowsOf(await maya.api('GET', `/api/Appointment/GetPage?${query}`));
};

describe('SetHours', () => {
  test('publishes slots for today and so many days on, by the ranges of each weekday', async () => {
    const ana = await newProvider();
    const answer = await set(ana, { hours: [...everyDay('09:00', '10:30'), ...everyDay('14:00', '15:00')], gap: 15 });
    expect(answer).toMatchObject({ status: 200, json: { created: expect.any(Number), withdrawn: 0 } });
    const rows = await open(ana, [1, 2, 3, 4]);
    expect(rows.map(({ date, startTime, endTime }) => `${date} ${startTime}-${endTime}`)).toEqual(
      [1, 2, 3].flatMap((day) =>
        ['09:00-09:30', '09:45-10:15', '14:00-14:30'].map((time) => `${dayAhead(day)} ${time}`),
      ),
    );
    expect(
      (await set(ana, { hours: [...everyDay('09:00', '10:30'), ...everyDay('14:00', '15:00')], gap: 15 })).json,
    ).toEqual({
      created: 0,
      withdrawn: 0,
    });
  });

  test('is what GetHours answers, and null before', async () => {
    const ana = await newProvider();
    expect(await get(ana)).toBeNull();
    const hours = [{ day: 1, start: '22:00', end: '00:00' }];
    const except = [
      { date: dayAhead(2), to: dayAhead(4), hours: [] },
      { date: dayAhead(3), to: null, hours: [{ start: '09:00', end: '10:00' }] },
    ];
    const templateId = await publishQuestions(ana, [{ questionText: 'Why?' }]);
    await set(ana, { hours, except, len: 45, gap: 5, ahead: 20, notes: 'Ring twice', templateId });
    const stored = { hours, except, len: 45, gap: 5, ahead: 20, notes: 'Ring twice', templateId };
    expect(await get(ana)).toEqual(stored);
    expect(rowsOf(await maya.api('GET', `/api/Appointment/GetPage?provider=${ana.username}`))[0]).toMatchObject({
      notes: 'Ring twice',
      template: templateId,
    });
    await ana.api('PUT', '/api/Appointment/SetHours', { hours: [] });
    const usual = { hours: [], except: [], len: 30, gap: 0, ahead: 56, notes: null, templateId: null };
    expect(await get(ana)).toEqual(usual);
  });

  test('with preview changes nothing, and answers the same counts', async () => {
    const ana = await newProvider();
    const preview = await set(ana, {}, '?preview=true');
    expect([await get(ana), await open(ana)]).toEqual([null, []]);
    expect((await set(ana)).json).toEqual(preview.json);
    const less = { hours: everyDay('09:30', '10:00') };
    const withdrawal = await set(ana, less, '?preview=true');
    expect(await open(ana)).toHaveLength(12);
    expect((await set(ana, less)).json).toEqual(withdrawal.json);
    expect(await open(ana)).toHaveLength(3);
  });

  test('shows what it withdrew in no list, not as canceled either', async () => {
    const ana = await newProvider();
    await set(ana);
    const [first, second] = (await open(ana)) as [Row, Row];
    await book(maya, second);
    expect((await set(ana, { hours: [] })).json).toMatchObject({ created: 0 });
    expect(await open(ana)).toEqual([]);
    expect(await look(ana, first)).toMatchObject(nothing);
    for (const who of [ana, maya]) {
      const shown = rowsOf(await who.api('GET', '/api/Appointment/GetDash')).filter(
        ({ provider }) => provider === ana.username,
      );
      expect(shown.map(({ id, status }) => [id, status])).toEqual([[second.id, 1]]);
    }
  });

  test('publishes a time again that its booker canceled, and none that the provider took back', async () => {
    const ana = await newProvider();
    await set(ana);
    const [first, second, third] = (await open(ana)) as [Row, Row, Row];
    await Promise.all([book(maya, first), book(maya, second)]);
    await cancel(maya, first);
    await cancel(ana, second);
    await cancel(ana, third);
    expect((await set(ana)).json).toEqual({ created: 0, withdrawn: 0 });
    expect((await open(ana)).slice(0, 2).map(({ startTime }) => startTime)).toEqual(['09:00', '10:30']);
  });

  test.each([
    ['no hours', { hours: undefined }],
    ['hours that are no list', { hours: 'always' }],
    ['no day', { hours: [{ start: '09:00', end: '10:00' }] }],
    ['an eighth day', { hours: [{ day: 7, start: '09:00', end: '10:00' }] }],
    ['a day by its name', { hours: [{ day: 'Monday', start: '09:00', end: '10:00' }] }],
    ['no start', { hours: [{ day: 1, end: '10:00' }] }],
    ['an end that is no time', { hours: [{ day: 1, start: '09:00', end: '24:00' }] }],
    ['an end at the start', { hours: [{ day: 1, start: '09:00', end: '09:00' }] }],
    ['ranges that overlap', { hours: [...everyDay('09:00', '11:00'), { day: 3, start: '10:59', end: '12:00' }] }],
    ['a range after midnight', { hours: [...everyDay('09:00', '00:00'), { day: 3, start: '23:00', end: '23:30' }] }],
    ['exceptions that are no list', { except: {} }],
    ['an exception without a date', { except: [{ to: dayAhead(1) }] }],
    ['a date in ISO form', { except: [{ date: '2031-05-05' }] }],
    ['a date that is not real', { except: [{ date: '02-30-2031' }] }],
    ['a last day before the first', { except: [{ date: dayAhead(3), to: dayAhead(2) }] }],
    ['other hours that are no list', { except: [{ date: dayAhead(3), hours: '09:00' }] }],
    ['other hours out of order', { except: [{ date: dayAhead(3), hours: [{ start: '10:00', end: '09:00' }] }] }],
    [
      'other hours that overlap',
      { except: [{ date: dayAhead(3), hours: ['09:00', '09:30'].map((start) => ({ start, end: '10:00' })) }] },
    ],
    ['367 exceptions', { except: Array.from({ length: 367 }, () => ({ date: dayAhead(1) })) }],
    ['4 minutes', { len: 4 }],
    ['1,441 minutes', { len: 1441 }],
    ['a gap of 241', { gap: 241 }],
    ['a gap that is negative', { gap: -1 }],
    ['no day ahead', { ahead: 0 }],
    ['366 days ahead', { ahead: 366 }],
    ['notes of 1,001', { notes: 'x'.repeat(1001) }],
    ['more than 10,000 slots', { hours: everyDay('00:00', '00:00'), len: 5, ahead: 60 }],
  ])('with %s is refused, and nothing changes', async (_, details) => {
    const ana = await newProvider();
    for (const query of ['?preview=true', '']) expect(complaints(await set(ana, details, query))).toHaveLength(1);
    expect([await get(ana), await open(ana)]).toEqual([null, []]);
  });

  test('names every fault at once', async () => {
    const hours = [
      { day: 9, start: 'nine', end: '10:00' },
      ...everyDay('09:00', '11:00'),
      ...everyDay('09:00', '11:00'),
    ];
    expect(complaints(await set(await newProvider(), { hours, len: 1, gap: 'wide', ahead: 0 }))).toHaveLength(6);
  });

  test('with a template of somebody else is a 404, and nothing changes', async () => {
    const [ana, rui] = await Promise.all([newProvider(), newProvider()]);
    const templateId = await publishQuestions(rui, [{ questionText: 'Why?' }]);
    for (const query of ['?preview=true', '']) expect(await set(ana, { templateId }, query)).toMatchObject(nothing);
    expect([await get(ana), await open(ana)]).toEqual([null, []]);
  });

  test('takes no midnight for a beginning, and touching ranges for two', async () => {
    const hours = [...everyDay('22:00', '23:00'), ...everyDay('23:00', '00:00')];
    expect(await set(await newProvider(), { hours })).toMatchObject({ status: 200 });
  });
});

describe('at the same moment', () => {
  /** What is open, by its times; no two slots of a provider that live overlap. */
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
      const answers = await Promise.all([
        set(ana, { hours: early }),
        set(ana, { hours: late }),
        set(ana, { hours: early }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      const { hours } = (await get(ana)) as { hours: unknown };
      const starts = new Set((await open(ana)).map(({ startTime }) => startTime));
      expect([...starts][0]).toBe(JSON.stringify(hours) === JSON.stringify(early) ? '06:00' : '08:15');
      await bookOf(ana);
      expect((await set(ana, { hours })).json).toEqual({ created: 0, withdrawn: 0 });
    }
  });

  test('hours that change and people who book: nobody loses a booking, and nothing overlaps', async () => {
    const [ana, crowd] = await Promise.all([newProvider(), registerCrowd(daybook, 12)]);
    await set(ana, { hours: everyDay('09:00', '15:00'), len: 20 });
    const slots = await open(ana, [1]);
    const [booked, changed] = await Promise.all([
      Promise.all(crowd.map((who, place) => book(who, slots[place] as Row))),
      Promise.all([10, 25, 30].map((len) => set(ana, { hours: everyDay('09:00', '15:00'), len }))),
    ]);
    expect(changed.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(booked.filter(({ status }) => ![200, 404].includes(status))).toEqual([]);
    const won = booked.filter(({ status }) => status === 200).length;
    expect((await bookOf(ana)).filter(({ state }) => state === 1)).toHaveLength(won);
    const { len } = (await get(ana)) as { len: number };
    expect((await set(ana, { hours: everyDay('09:00', '15:00'), len })).json).toEqual({ created: 0, withdrawn: 0 });
  });
});
