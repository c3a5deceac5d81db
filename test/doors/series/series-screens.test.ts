import { beforeEach, describe, expect, test } from 'vitest';
import { newsOf } from '../../support/account-calls';
import { agenda } from '../../support/appointment-calls';
import { book, cancel, dayAhead, isoAhead, type Person, peopleAt, publish, type Row } from '../../support/factories';
import { newGuest } from '../../support/guests';
import { createCard } from '../../support/people';
import { bookWeeks, publishWeeks, weekdayOf } from '../../support/series';
import { useServer } from '../../support/use-server';
import { askedOf } from '../../support/visit';

/* The screens and calendar files of series, and standing times by the API and on the screens of the provider. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

let ana: Person;
beforeEach(async () => {
  ana = await newProvider();
});

describe('a series', () => {
  let maya: Person;
  let slots: [Row, Row, ...Row[]];
  beforeEach(async () => {
    maya = await newConsumer();
    slots = (await publishWeeks(ana, 4)) as typeof slots;
  });

  /** Entries of a calendar file, without the time of the file. */
  const entriesOf = (text: string) =>
    text
      .replaceAll(/^DTSTAMP:.*\r\n/gm, '')
      .split('BEGIN:VEVENT')
      .slice(1)
      .map((entry) => entry.replace('END:VCALENDAR\r\n', ''))
      .sort();

  test('has a calendar file with all of its entries, each as in the file of its own', async () => {
    const rows = await bookWeeks(maya, slots[0], 4);
    await cancel(maya, rows[3] as Row);
    const file = ({ id }: Row, query = '') => `/appointments/${id}/daybook.ics${query}`;
    for (const [who, screen] of [
      [maya, 'details-cancel'],
      [ana, 'details-provider'],
    ] as const) {
      const all = await (await who.browser.get(`/${screen}/${rows[1]?.id}`)).click('Add all 3 to calendar');
      const own = await Promise.all(rows.slice(0, 3).map((row) => who.browser.get(file(row))));
      expect(all.text.match(/^METHOD:\w+/m)?.[0]).toBe('METHOD:PUBLISH');
      expect(entriesOf(all.text)).toEqual(own.flatMap(({ text }) => entriesOf(text)).sort());
      expect(askedOf(all.headers).trips).toBe(1);
    }
    const stranger = await newConsumer();
    expect((await stranger.browser.get(file(rows[1] as Row, '?series=yes'))).status).toBe(404);
  });

  test('is shown, booked, and canceled from one date on, without script, by whoever has a personal link too', async () => {
    await book(maya, slots[0]);
    const again = (days: number) => maya.browser.visit(`/again/${slots[0].id}?every=7&until=${isoAhead(days)}`);
    const page = await again(24);
    expect(page.words).toContain('Free at the same time');
    const done = await page.submit('Book exactly these');
    expect(done.words).toContain('All 4 appointments are booked. No mail is sent.');
    expect(done.words).toContain('One of 4 appointments in a series');
    const none = await (await again(3)).submit('Book exactly these');
    expect(none.words).toContain('None of these dates is free.');
    expect((await ana.browser.get(`/details-provider/${slots[0].id}`)).words).toContain('One of 4 appointments');
    const asked = await maya.browser.get(`/details-cancel/${slots[0].id}`);
    expect(asked.words).toContain('Cancel the 3 later ones of its series too');
    await asked.submit('Cancel Appointment', { following: 'true' });
    expect(await agenda(maya)).toEqual([]);

    const guest = await newGuest(daybook);
    const { link } = (await book(guest, slots[1])).json as Row;
    const byLink = await daybook.visitor().visit(`${link}/again?every=14&until=${isoAhead(24)}`);
    expect((await byLink.submit('Book exactly these')).words).toContain('All 2 appointments are booked.');
    expect(await agenda(guest)).toHaveLength(2);
  });
});

describe('standing times', () => {
  type Standing = { id: string; unkept: { date: string; why: string; nearest: Row[] }[] };
  const dates = [3, 10, 17].map((days) => dayAhead(days));
  const [from = ''] = dates;
  const kept = { day: weekdayOf(from), start: '10:00', every: 7, from };
  const atTen = ({ startTime }: Row) => startTime === '10:00';
  let june: string;
  beforeEach(async () => {
    june = (await createCard(ana, { name: 'June' })).id;
  });

  const set = (list: unknown, who = ana) => who.api('PUT', `/api/People/SetStanding?id=${june}`, list);
  const get = async () => (await ana.api('GET', `/api/People/GetStanding?id=${june}`)).json as Standing[];
  const publishAll = () => publish(ana, { end: '12:00', dates });
  const screen = () => ana.browser.get(`/people/${june}/standing`);

  test('are set and listed by calls, booked, in the data of the provider, in the week and on the day sheet', async () => {
    const answer = await set([kept]);
    expect(answer).toMatchObject({ status: 200, json: [{ ...kept, until: null, service: null, unkept: [] }] });
    expect((await publishAll()).filter(atTen)).toEqual([]);
    const [{ id: seriesId } = {}] = await get();
    const booked = { startTime: '10:00', bookerName: 'June', seriesId };
    expect(await agenda(ana)).toMatchObject(dates.map((date) => ({ date, ...booked })));
    expect((await set([kept])).json).toEqual(answer.json);
    expect((await ana.api('GET', '/api/Account/Export')).json).toMatchObject({
      keptTimes: [{ personId: june, day: kept.day, minute: 600, weeks: 1 }],
      standingTimes: [],
    });
    expect((await ana.browser.get(`/week?from=${from}`)).text).toContain('June, standing');
    expect((await ana.browser.get(`/day?date=${from}`)).text).toContain('Standing time');
  });

  test('are refused where they are none, and to whoever is not their provider', async () => {
    for (const list of [
      {},
      [{ ...kept, every: 8 }],
      [{ ...kept, until: dayAhead(1) }],
      [kept, kept],
      Array.from({ length: 8 }, (_, hour) => ({ ...kept, start: `0${hour}:00` })),
    ]) {
      expect((await set(list)).status, JSON.stringify(list)).toBe(400);
    }
    expect((await set([{ ...kept, service: 'none' }])).status).toBe(404);
    const rival = await newProvider();
    expect((await set([kept], rival)).status).toBe(404);
    expect((await rival.api('GET', `/api/People/GetStanding?id=${june}`)).status).toBe(404);
    expect((await set([kept], await newConsumer())).status).toBe(403);
    expect(await get()).toEqual([]);
  });

  test('are set, shown and ended on screens, which book what is free near a date, without script', async () => {
    await book(await newConsumer(), (await publishAll()).find(atTen) as Row);
    const form = { day: String(kept.day), start: '10:00', every: '7', from: isoAhead(3) };
    const refused = await (await screen()).submit('Keep this time', { ...form, until: isoAhead(2) });
    expect(refused.status).toBe(400);
    expect(refused.words).toContain('The last day must not be before the first.');
    const made = await (await screen()).submit('Keep this time', form);
    expect(made.words).toContain('The standing times are set.');
    expect(await agenda(ana)).toHaveLength(3);
    const [{ unkept = [] } = {}] = await get();
    expect(unkept).toMatchObject([{ date: from, why: 'It is taken.' }]);
    const told = (await newsOf(ana)).filter(({ kind }) => kind === 'unkept');
    expect(told).toMatchObject([{ link: `/people/${june}` }]);
    const shown = await ana.browser.get(`/people/${june}`);
    expect(shown.words).toContain('it is taken.');
    expect((await shown.submit('main form[action$="/book"] button')).status).toBe(200);
    expect(await agenda(ana)).toHaveLength(4);
    const ended = await (await screen()).submit('main button[name="end"]');
    expect(ended.words).toContain('No standing times');
    expect([await get(), (await agenda(ana)).length]).toEqual([[], 4]);
  });
});
