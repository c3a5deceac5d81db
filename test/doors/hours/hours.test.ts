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
  daysToClockChange,
  isoAhead,
  type Person,
  peopleAt,
  type Row,
  registerCrowd,
} from '../../support/factories';
import { publishQuestions } from '../../support/party-factories';
import { everyDay } from '../../support/plain-hours';
import { createService } from '../../support/services';
import { useServer, useWorld } from '../../support/use-server';
import { typedIn } from '../../support/visit';

const daybook = useServer();
const { newProvider } = peopleAt(daybook);
const { maya, rival } = useWorld(daybook, { maya: {}, rival: {} });

const set = (who: Person, details: object = {}, query = '') =>
  who.api('PUT', `/api/Appointment/SetHours${query}`, { hours: everyDay('09:00', '11:00'), ahead: 3, ...details });
type Hours = { hours: unknown; except: unknown; len: number };
const hoursOf = async (who: Person) => (await who.api('GET', '/api/Appointment/GetHours')).json as Hours | null;
/** The open slots of these days: today has more or fewer. */
const openTimesOf = (who: Person, days = [1, 2, 3]) =>
  openSlotsOf(maya, who, { dates: days.map((day) => dayAhead(day)).join(' ') });

describe('SetHours', () => {
  /** Two evening hours on every day, three days off, and other hours on one of those. */
  const evenings = () => ({
    hours: [...everyDay('22:00', '23:00'), ...everyDay('23:00', '00:00')],
    except: [
      { date: dayAhead(2), to: dayAhead(4), hours: [] },
      { date: dayAhead(3), to: null, hours: [{ start: '09:00', end: '10:00' }] },
    ],
    ...{ len: 45, gap: 5, ahead: 5, notes: 'Ring', templateId: null },
  });

  test('is what GetHours then answers', async () => {
    const ana = await newProvider();
    const templateId = await publishQuestions(ana, [{ questionText: 'Why?' }]);
    const given = { ...evenings(), templateId };

    await set(ana, given);

    expect(await hoursOf(ana)).toEqual(given);
  });

  test('publishes the times of so many days, but for the exceptions', async () => {
    const ana = await newProvider();

    await set(ana, evenings());

    const slots = await openTimesOf(ana, [1, 2, 3, 4, 5, 6]);
    const evening = (days: number) => ['22:00', '23:00'].map((start) => `${dayAhead(days)} ${start}`);
    expect(slots.map(({ date, startTime }) => `${date} ${startTime}`)).toEqual([
      ...evening(1),
      `${dayAhead(3)} 09:00`,
      ...evening(5),
    ]);
  });

  test('publishes times with their length, notes and questions', async () => {
    const ana = await newProvider();
    const templateId = await publishQuestions(ana, [{ questionText: 'Why?' }]);

    await set(ana, { ...evenings(), templateId });

    const [slot] = await openTimesOf(ana);
    expect(slot).toMatchObject({ endTime: '22:45', notes: 'Ring', template: templateId });
  });

  test('as a preview answers what it would do', async () => {
    const ana = await newProvider();

    const preview = await set(ana, evenings(), '?preview=true');

    expect(await set(ana, evenings())).toMatchObject({ status: 200, json: preview.json });
  });

  test('as a preview changes nothing', async () => {
    const ana = await newProvider();

    await set(ana, evenings(), '?preview=true');

    expect(await hoursOf(ana)).toBeNull();
    expect(await openTimesOf(ana)).toEqual([]);
  });

  test('without hours leaves the usual settings', async () => {
    const ana = await newProvider();
    await set(ana, evenings());

    await ana.api('PUT', '/api/Appointment/SetHours', { hours: [] });

    const usual = { hours: [], except: [], len: 30, gap: 0, ahead: 56, notes: null, templateId: null };
    expect(await hoursOf(ana)).toEqual(usual);
  });

  const twoRanges = ['09:00', '09:30'].map((start) => ({ start, end: '10:00' }));
  test.each<[what: string, details: object]>([
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
  ])('is refused with %s, as a preview too', async (_, details) => {
    expect(complaints(await set(rival, details, '?preview=true'))).toHaveLength(1);
    expect(complaints(await set(rival, details))).toHaveLength(1);
    expect(await hoursOf(rival)).toBeNull();
    expect(await openTimesOf(rival)).toEqual([]);
  });

  test('is refused with one message for each fault', async () => {
    const hours = [{ day: 9, start: 'nine', end: '10:00' }, ...everyDay('09:00', '11:00')];

    const refused = await set(rival, { hours, len: 1, gap: 'wide', ahead: 0 });

    expect(complaints(refused)).toHaveLength(5);
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
      const responses = await Promise.all([early, late, early].map((hours) => set(ana, { hours })));
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
      await expectRight(ana, { hours: (await hoursOf(ana))?.hours });
    }
  });

  describe('hours that change and people who book', () => {
    const hours = everyDay('09:00', '15:00');
    async function race() {
      const [ana, crowd] = await Promise.all([newProvider(), registerCrowd(daybook, 12)]);
      await set(ana, { hours, len: 20 });
      const slots = await openTimesOf(ana, [1]);
      const [booked, changed] = await Promise.all([
        Promise.all(crowd.map((who, place) => book(who, slots[place] as Row))),
        Promise.all([10, 25, 30].map((len) => set(ana, { hours, len }))),
      ]);
      return { ana, booked, changed };
    }

    test('lose nobody a booking', async () => {
      const { ana, booked } = await race();

      expect(booked.filter(({ status }) => ![200, 404].includes(status))).toEqual([]);
      expect(await agenda(ana)).toHaveLength(booked.filter(({ status }) => status === 200).length);
    });

    test('leave the hours right', async () => {
      const { ana, changed } = await race();

      expect(changed.map(({ status }) => status)).toEqual([200, 200, 200]);
      await expectRight(ana, { hours, len: (await hoursOf(ana))?.len });
    });
  });
});

const save = 'main button[name=press][value=save]';

describe('/hours, without script', () => {
  const [morning, afternoon] = [
    { start: '08:00', end: '12:00' },
    { start: '13:00', end: '16:00' },
  ];
  const monday = { open: ['1'], 'start-1': '08:00', 'end-1': '16:00' };

  test('puts a break into a day', async () => {
    const ana = await newProvider();
    const form = await ana.browser.visit('/hours');

    const broken = await form.submit('main button[value="break:1"]', monday);
    const saved = await broken.submit(save);

    expect(saved.words).toContain('Your hours are saved.');
    const ranges = [morning, afternoon].map((range) => ({ day: 1, ...range }));
    expect(await hoursOf(ana)).toMatchObject({ hours: ranges });
  });

  test('copies the ranges of a day to all that are open', async () => {
    const ana = await newProvider();
    const form = await ana.browser.visit('/hours');

    const week = { ...monday, open: ['1', '2', '3', '4', '5', '6'] };
    const broken = await form.submit('main button[value="break:1"]', week);
    await (await broken.submit('main button[value="copy:1"]')).submit(save);

    const ranges = [1, 2, 3, 4, 5, 6].flatMap((day) => [morning, afternoon].map((range) => ({ day, ...range })));
    expect(await hoursOf(ana)).toMatchObject({ hours: ranges });
  });

  test('takes a range from one day alone', async () => {
    const ana = await newProvider();
    const form = await ana.browser.visit('/hours');

    const broken = await form.submit('main button[value="break:1"]', { ...monday, open: ['1', '4'] });
    const copied = await broken.submit('main button[value="copy:1"]');
    await (await copied.submit('main button[value="remove:4:0"]')).submit(save);

    expect(await hoursOf(ana)).toMatchObject({
      hours: [
        { day: 1, ...morning },
        { day: 1, ...afternoon },
        { day: 4, ...afternoon },
      ],
    });
  });

  test('keeps holidays through the other buttons', async () => {
    const ana = await newProvider();
    const form = await ana.browser.visit('/hours');
    const holidays = [3, 8, 10].map(isoAhead);

    const broken = await form.submit('main button[value="break:1"]', { ...monday, 'off-date': holidays });
    await broken.submit(save);

    const except = holidays.map((date) => ({ date: wireDate(date), to: null, hours: [] }));
    expect(await hoursOf(ana)).toMatchObject({ except });
  });

  test('keeps the gap through the other buttons', async () => {
    const ana = await newProvider();
    const form = await ana.browser.visit('/hours');

    const broken = await form.submit('main button[value="break:1"]', { ...monday, gap: '15' });
    await broken.submit(save);

    expect(await hoursOf(ana)).toMatchObject({ gap: 15 });
  });

  /** Hours from nine to eleven whose first time tomorrow is booked, and the page of what changes if they begin at ten. */
  async function previewedChange() {
    const ana = await newProvider();
    await set(ana, { ahead: 5 });
    const [first] = (await openTimesOf(ana, [1])) as [Row];
    await book(maya, first);
    const form = await ana.browser.visit('/hours');
    const starts = Object.fromEntries(everyDay('', '').map(({ day }) => [`start-${day}`, '10:00']));
    return { ana, first, page: await form.submit('Show what changes', starts) };
  }
  const startsTomorrow = async (who: Person) => (await openTimesOf(who, [1])).map(({ startTime }) => startTime);

  test('counts what will change before it is saved', async () => {
    const { page } = await previewedChange();

    expect(page.words).toMatch(/0 new times, \d+ removed, 1 booking stays/);
  });

  test('names the bookings that stay outside of the hours', async () => {
    const { first, page } = await previewedChange();

    expect(page.$(`main a[href="/view-provider/${first.id}"]`)?.text).toContain(maya.displayName);
  });

  test('changes nothing before it is saved', async () => {
    const { ana } = await previewedChange();

    expect(await startsTomorrow(ana)).toEqual(['09:30', '10:00', '10:30']);
  });

  test('saves what was shown', async () => {
    const { ana, page } = await previewedChange();

    await page.submit('Save these hours');

    expect(await startsTomorrow(ana)).toEqual(['10:00', '10:30']);
  });

  test('says twice what it did where it is sent twice', async () => {
    const { page } = await previewedChange();

    for (const saved of [await page.submit('Save these hours'), await page.submit('Save these hours')])
      expect(saved.path).toMatch(/^\/hours\?created=0&withdrawn=[1-9]\d*$/);
  });

  describe('where something is wrong', () => {
    async function refusedForm() {
      const ana = await newProvider();
      const form = await ana.browser.visit('/hours');
      const wrong = { 'start-2': '18:00', 'off-date': [isoAhead(5)], 'off-to': [isoAhead(4)], len: '3' };
      return { ana, page: await form.submit(save, wrong) };
    }

    test('says so of each field', async () => {
      const { page } = await refusedForm();

      expect(page.status).toBe(400);
      expect(page.words).toContain('On Tuesday the end must be after');
      expect(page.words).toContain('must not be before the first');
      expect(page.words).toContain('Length must be');
    });

    test('marks the day that is wrong', async () => {
      const { page } = await refusedForm();

      expect(page.$('[aria-invalid][name=open]')?.getAttribute('value')).toBe('2');
    });

    test('keeps what was typed', async () => {
      const { page } = await refusedForm();

      expect(typedIn(page, 'start-2')).toBe('18:00');
      expect(typedIn(page, 'off-to')).toBe(isoAhead(4));
      expect(typedIn(page, 'len')).toBe('3');
    });

    test('saves nothing', async () => {
      const { ana } = await refusedForm();

      expect(await hoursOf(ana)).toBeNull();
    });
  });
});

describe('why a time is not offered', () => {
  const whyNot = async (who: Person, date: string, time: string) =>
    (await who.browser.visit(`/hours?date=${date}&time=${time}`)).words;

  test('is said where no hours are set', async () => {
    expect(await whyNot(await newProvider(), isoAhead(1), '09:00')).toContain('You have set no hours.');
  });

  /** Hours with a day off, whose first time tomorrow is booked and whose second is removed. */
  async function busyHours() {
    const ana = await newProvider();
    await set(ana, { hours: everyDay('09:00', '11:20'), except: [{ date: dayAhead(2) }], gap: 10, ahead: 5 });
    const [first, second] = (await openTimesOf(ana, [1])) as [Row, Row];
    await book(maya, first);
    await cancel(ana, second);
    return ana;
  }

  test('is said of a time that is booked', async () => {
    const ana = await busyHours();

    expect(await whyNot(ana, isoAhead(1), '09:10')).toContain('It is booked. ');
  });

  test('is said of a time that was removed', async () => {
    const ana = await busyHours();

    expect(await whyNot(ana, isoAhead(1), '09:45')).toContain('You removed or canceled it.');
  });

  test('is said of a time in the gap after another', async () => {
    const ana = await busyHours();

    expect(await whyNot(ana, isoAhead(1), '10:15')).toContain('It is in the gap.');
  });

  test('is said of a time that is offered after all', async () => {
    const ana = await busyHours();

    expect(await whyNot(ana, isoAhead(1), '10:30')).toContain('It is offered.');
  });

  test('is said of a time too near the end of the hours', async () => {
    const ana = await busyHours();

    expect(await whyNot(ana, isoAhead(1), '11:00')).toContain('There is no room.');
  });

  test('is said of a time outside of the hours', async () => {
    const ana = await busyHours();

    expect(await whyNot(ana, isoAhead(1), '11:20')).toContain('You are closed. ');
  });

  test('is said of a day off', async () => {
    const ana = await busyHours();

    expect(await whyNot(ana, isoAhead(2), '09:00')).toContain('one of your days off');
  });

  test('is said of a day that the hours do not reach', async () => {
    const ana = await busyHours();

    expect(await whyNot(ana, isoAhead(6), '09:00')).toContain('It is too far ahead.');
  });

  test('is said of a time that is over', async () => {
    const ana = await busyHours();

    expect(await whyNot(ana, isoAhead(-1), '09:00')).toContain('It is over.');
  });

  test('is said of a time within the notice', async () => {
    const ana = await busyHours();
    await setRules(ana, { notice: 43_200 });

    expect(await whyNot(ana, isoAhead(1), '10:30')).toContain('It is too soon.');
  });

  test('is said of a day that cannot be booked yet', async () => {
    const ana = await busyHours();
    await setRules(ana, { horizonDays: 1 });

    expect(await whyNot(ana, isoAhead(3), '09:00')).toContain('It is too far ahead.');
  });

  test('is said of a day with all the appointments that it may have', async () => {
    const ana = await busyHours();
    await setRules(ana, { perDay: 1 });

    expect(await whyNot(ana, isoAhead(1), '10:30')).toContain('That day is full.');
  });

  test('is said of a time whose service is switched off', async () => {
    const ana = await newProvider();
    const service = await createService(ana);
    await set(ana, { hours: everyDay('09:00', '11:00').map((hours) => ({ ...hours, serviceId: service.id })) });

    await ana.api('PUT', `/api/Service/Edit?id=${service.id}`, { isOffered: false });

    expect(await whyNot(ana, isoAhead(1), '09:10')).toContain('Its service is not offered.');
  });

  test('is said of a class with people as clients see it, though its day is full', async () => {
    const ana = await newProvider();
    const yoga = await createService(ana, { seats: 3 });
    await set(ana, { hours: everyDay('09:00', '11:00').map((hours) => ({ ...hours, serviceId: yoga.id })) });
    const [lesson] = await openTimesOf(ana, [1]);
    await book(maya, lesson as Row);

    await setRules(ana, { perDay: 1 });

    expect(await whyNot(ana, isoAhead(1), '09:10')).toContain('It is offered.');
  });

  test('is said where the clocks skip it', async () => {
    const inBerlin = await newProvider({ timeZone: 'Europe/Berlin' });

    expect(await whyNot(inBerlin, isoAhead(daysToClockChange('March')), '02:30')).toContain('The clocks change.');
  });
});
