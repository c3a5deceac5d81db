import { beforeEach, describe, expect, test } from 'vitest';
import { book, dayAhead, type Person, peopleAt, publish, type Row, rowsOf } from '../../support/factories';
import { useServer } from '../../support/use-server';

/* Standing times by the API, and on the screens of the provider. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

let ana: Person;
let june: string;
beforeEach(async () => {
  ana = await newProvider();
  june = ((await ana.api('POST', '/api/People/Create', { name: 'June' })).json as { id: string }).id;
});

type Standing = { id: string; day: number; start: string; unkept: { date: string; why: string; nearest: Row[] }[] };
const dates = [3, 10, 17].map((days) => dayAhead(days));
const weekday = new Date(`${dates[0]?.slice(6)}-${dates[0]?.slice(0, 5)}T12:00Z`).getUTCDay();
const kept = { day: weekday, start: '10:00', every: 7, from: dates[0] };
const set = (list: object[], who = ana) => who.api('PUT', `/api/People/SetStanding?id=${june}`, list);
const get = async () => (await ana.api('GET', `/api/People/GetStanding?id=${june}`)).json as Standing[];
const agenda = async (who: Person) => rowsOf(await who.api('GET', '/api/Appointment/GetBooked'));
const free = async (date = dates[0]) =>
  rowsOf(await ana.api('GET', `/api/Appointment/GetPage?provider=${ana.username}&dates=${date}`));
const news = async () =>
  (await ana.api('GET', '/api/Account/GetNews')).json as { kind: string; text: string; link: string }[];

describe('the calls', () => {
  test('set and list them, and book what is published before anyone sees it', async () => {
    const answer = await set([kept]);
    expect(answer).toMatchObject({ status: 200, json: [{ ...kept, until: null, service: null, unkept: [] }] });
    await publish(ana, { start: '09:00', end: '12:00', dates });
    const rows = await agenda(ana);
    expect(rows.map(({ date, startTime, bookerName }) => [date, startTime, bookerName])).toEqual(
      dates.map((date) => [date, '10:00', 'June']),
    );
    expect(new Set(rows.map(({ seriesId }) => seriesId))).toEqual(new Set([(await get())[0]?.id]));
    expect((await free()).map(({ startTime }) => startTime)).not.toContain('10:00');
    expect((await set([kept])).json).toEqual(answer.json);
    expect(await agenda(ana)).toHaveLength(3);
  });

  test('say what could not be kept, with what is free near it', async () => {
    await publish(ana, { start: '09:00', end: '12:00', dates });
    const taken = (await free()).find(({ startTime }) => startTime === '10:00') as Row;
    await book(await newConsumer(), taken);
    const [standing] = (await set([kept])).json as Standing[];
    expect(standing?.unkept).toMatchObject([{ date: dates[0], why: 'It is taken.' }]);
    expect(standing?.unkept[0]?.nearest.map(({ startTime }) => startTime).sort()).toEqual(['09:00', '09:30', '10:30']);
    const told = (await news()).filter(({ kind }) => kind === 'unkept');
    expect(told).toMatchObject([{ link: `/people/${june}` }]);
    await set([kept]);
    expect((await news()).filter(({ kind }) => kind === 'unkept')).toHaveLength(1);
  });

  test('refuse what is none, and whoever is not the provider', async () => {
    const refused = async (list: unknown) => (await set(list as object[])).status;
    expect(await refused({})).toBe(400);
    expect(await refused([{ ...kept, every: 8 }])).toBe(400);
    expect(await refused([{ ...kept, day: 7 }])).toBe(400);
    expect(await refused([{ ...kept, start: '25:00' }])).toBe(400);
    expect(await refused([{ ...kept, until: dayAhead(1) }])).toBe(400);
    expect(await refused([kept, kept])).toBe(400);
    expect(await refused(Array.from({ length: 8 }, (_, hour) => ({ ...kept, start: `0${hour}:00` })))).toBe(400);
    expect(await refused([{ ...kept, service: 'none' }])).toBe(404);
    const [rival, client] = await Promise.all([newProvider(), newConsumer()]);
    expect(await set([kept], rival)).toMatchObject({ status: 404 });
    expect(await set([kept], client)).toMatchObject({ status: 403 });
    expect(await get()).toEqual([]);
  });

  test('leave what is canceled alone, and end with all that follow', async () => {
    await set([kept]);
    await publish(ana, { start: '09:00', end: '12:00', dates: dates.slice(0, 2) });
    const [first, second] = await agenda(ana);
    await ana.api('PUT', `/api/Appointment/Cancel?id=${first?.id}&republish=true`);
    await set([kept]);
    expect(await agenda(ana)).toHaveLength(1);
    await ana.api('PUT', `/api/Appointment/Cancel?id=${second?.id}&following=true`);
    await publish(ana, { start: '09:00', end: '12:00', dates: [dates[2]] });
    expect(await agenda(ana)).toEqual([]);
  });

  test('are in the data of the provider', async () => {
    await set([kept]);
    const data = (await ana.api('GET', '/api/Account/Export')).json as { keptTimes: object[]; standingTimes: object[] };
    expect(data.keptTimes).toMatchObject([{ personId: june, day: weekday, minute: 600, weeks: 1 }]);
    expect(data.standingTimes).toEqual([]);
  });
});

describe('the screens', () => {
  test('set, show and end one, and book what is free near a date, without script', async () => {
    await publish(ana, { start: '09:00', end: '12:00', dates });
    await book(await newConsumer(), (await free()).find(({ startTime }) => startTime === '10:00') as Row);
    const card = await ana.browser.get(`/people/${june}`);
    expect(card.text).toContain('Keep a time each week');
    const form = await ana.browser.get(`/people/${june}/standing`);
    const [month, day, year] = (dates[0] as string).split('-');
    const made = await form.submit('Keep this time', {
      day: String(weekday),
      start: '10:00',
      every: '7',
      from: `${year}-${month}-${day}`,
    });
    expect(made.text).toContain('The standing times are set.');
    expect(made.text).toContain('because it is taken'.slice(8));
    expect(await agenda(ana)).toHaveLength(3);
    const told = (await news()).find(({ kind }) => kind === 'unkept');
    expect(told?.text).toContain('Their card shows what is free near it.');
    const shown = await ana.browser.get(told?.link ?? '');
    expect(shown.words).toContain('it is taken.');
    const near = await shown.submit('main form[action$="/book"] button');
    expect(near.status).toBe(200);
    expect(await agenda(ana)).toHaveLength(4);
    const ended = await (await ana.browser.get(`/people/${june}/standing`)).submit('main button[name="end"]');
    expect(ended.text).toContain('No standing times');
    expect(await get()).toEqual([]);
    expect(await agenda(ana)).toHaveLength(4);
  });

  test('say in the week and on the day sheet what they are', async () => {
    await set([kept]);
    await publish(ana, { start: '09:00', end: '12:00', dates });
    const week = await ana.browser.get(`/week?from=${dates[0]}`);
    expect(week.text).toContain('June, standing');
    const sheet = await ana.browser.get(`/day?date=${dates[0]}`);
    expect(sheet.text).toContain('Standing time');
  });

  test('refuse a form beside its fields', async () => {
    const form = await ana.browser.get(`/people/${june}/standing`);
    const refused = await form.submit('Keep this time', { from: '2030-02-02', until: '2030-01-01' });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('The last day must not be before the first.');
  });
});
