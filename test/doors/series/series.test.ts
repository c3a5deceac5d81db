import { beforeEach, describe, expect, test } from 'vitest';
import { newsOf, setRules } from '../../support/account-calls';
import { agenda, idsOf as idsOfRows, openSlotsOf } from '../../support/appointment-calls';
import { complaints, nothing, personalLink } from '../../support/complaints';
import {
  book,
  cancel,
  dayAhead,
  isoAhead,
  type Person,
  password,
  peopleAt,
  publish,
  type Row,
  rowsOf,
} from '../../support/factories';
import { newGuest } from '../../support/guests';
import { cardOf, createCard } from '../../support/people';
import { bookSeries, bookWeeks, datesOf, idsOf, preview, publishWeeks, weekdayOf } from '../../support/series';
import { createService } from '../../support/services';
import { useServer } from '../../support/use-server';
import { askedOf } from '../../support/visit';
import { add, wishesOf } from '../../support/waitlist';

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

let ana: Person;
let maya: Person;
let slots: [Row, Row, Row, Row, ...Row[]];
beforeEach(async () => {
  [ana, maya] = await Promise.all([newProvider(), newConsumer()]);
  slots = (await publishWeeks(ana, 4)) as typeof slots;
});

const [inOneWeek, inThreeWeeks] = [dayAhead(10), dayAhead(24)];
const idsUntil = async (until: string, who = maya, slot = slots[0]) => idsOf(await preview(who, slot, { until }));

describe('PreviewSeries', () => {
  test('has each date with the slot at the same time, or why it has none, with what is near it', async () => {
    const [, second = ''] = await idsUntil(inOneWeek, maya, slots[1]);
    await book(await newConsumer(), { id: second });
    const answer = await preview(maya, slots[1], { until: dayAhead(31) });
    const free = { id: expect.any(String), why: null };
    const dates = datesOf(answer);
    expect(dates).toMatchObject([
      { date: dayAhead(3), ...free },
      { date: dayAhead(10), id: null, why: 'It is taken.' },
      { date: dayAhead(17), ...free },
      { date: dayAhead(24), ...free },
      { date: dayAhead(31), id: null, why: 'These days are not published yet.', nearest: [] },
    ]);
    expect(dates[1]?.nearest.map(({ startTime }) => startTime).sort()).toEqual(['09:00', '10:00', '10:30']);
    expect(datesOf(await preview(maya, slots[0], { until: inThreeWeeks, every: '14' }))).toHaveLength(2);
  });

  test('speaks of the provider to the client, and of the client to the provider', async () => {
    const [first, second = ''] = await idsUntil(inOneWeek);
    for (const id of [first as string, second]) await book(maya, { id });
    const until = inOneWeek;

    const [toMaya, toAna] = await Promise.all(
      [maya, ana].map(async (who) => datesOf(await preview(who, slots[0], { until }))),
    );

    expect(toMaya?.[1]?.why).toBe('You have this time already.');
    expect(toAna?.[1]?.why).toBe(`${maya.displayName} has this time already.`);
  });

  test('keeps the local time where the clocks change', async () => {
    const oslo = await newProvider({ timeZone: 'Europe/Oslo' });
    const dates = ['03-18-2030', '03-25-2030', '04-01-2030'] as const;
    await publish(oslo, { end: '11:00', dates });
    const [, first] = (await openSlotsOf(maya, oslo, { dates: dates[0] })) as [Row, Row];
    const booked = rowsOf(await bookSeries(maya, await idsUntil(dates[2], maya, first)));
    expect(booked.map(({ date, startTime, startsAt }) => [date, startTime, startsAt.slice(11, 16)])).toEqual([
      [dates[0], '09:30', '08:30'],
      [dates[1], '09:30', '08:30'],
      [dates[2], '09:30', '07:30'],
    ]);
  });
});

describe('BookSeries', () => {
  test('books exactly these, once, in one trip, as one series, and tells the provider once', async () => {
    const ids = await idsUntil(inThreeWeeks);
    const send = () => bookSeries(maya, ids, {}, { 'Idempotency-Key': 'one series' });
    const answer = await send();
    expect([answer.status, askedOf(answer.headers).trips]).toEqual([201, 1]);
    const rows = rowsOf(answer);
    expect(rows.map(({ id }) => id)).toEqual(ids);
    expect(new Set(rows.map(({ seriesId }) => seriesId)).size).toBe(1);
    expect(rowsOf(await bookSeries(maya, ids))).toEqual(rows);
    for (const who of [maya, ana]) expect(await agenda(who)).toHaveLength(4);
    expect((await newsOf(ana)).map(({ text }) => text)).toEqual([
      expect.stringMatching(new RegExp(`^${maya.displayName} booked 4 appointments, from `)),
    ]);
    await cancel(maya, { id: ids[1] as string });
    expect(rowsOf(await send()).map(({ id }) => id)).toEqual(ids);
  });

  test('books none where one date was lost, and names it', async () => {
    const ids = await idsUntil(inThreeWeeks);
    await book(await newConsumer(), { id: ids[2] as string });
    const lost = expect.stringMatching(/^This date is not free any more: \w+day, /);
    expect(await bookSeries(maya, ids)).toMatchObject({ status: 409, json: lost });
    expect(await agenda(maya)).toEqual([]);
    expect(await newsOf(ana)).toHaveLength(1);
  });

  test('keeps to the limits, over all of it', async () => {
    const ids = await idsUntil(inThreeWeeks);
    await setRules(ana, { perPerson: 3 });
    const limit = expect.stringMatching(/^You can have at most 3 coming appointments/);
    expect(await bookSeries(maya, ids)).toMatchObject({ status: 409, json: limit });
    expect((await bookSeries(maya, ids.slice(1))).status).toBe(201);
    await setRules(ana, { perPerson: null, perDay: 2 });
    const ofOneDay = slots.slice(1, 4).map(({ id }) => id);
    const june = await newConsumer();
    expect((await bookSeries(june, ofOneDay)).status).toBe(409);
    expect((await bookSeries(june, ofOneDay.slice(1))).status).toBe(201);
  });

  describe('of several times of a day that takes three appointments', () => {
    test('counts the time that is held for somebody who waits', async () => {
      const [june, vera] = await Promise.all([newConsumer(), newConsumer()]);
      await setRules(ana, { perDay: 1 });
      await book(june, slots[0]);
      const day = slots[0].date;
      expect((await add(vera, ana, { from: day, to: day })).status).toBe(201);
      await cancel(june, slots[0]);
      expect(await wishesOf(vera)).toMatchObject([{ offer: { startsAt: slots[0].startsAt } }]);
      await setRules(ana, { perDay: 3 });

      const three = await bookSeries(maya, idsOfRows(slots.slice(1, 4)));
      const two = await bookSeries(maya, idsOfRows(slots.slice(1, 3)));

      expect(three).toMatchObject({ status: 409, json: expect.stringMatching(/at most 3 appointments a day/) });
      expect(two.status).toBe(201);
    });

    test('counts a time that is the booker’s already once', async () => {
      await setRules(ana, { perDay: 3 });
      await book(maya, slots[0]);

      expect((await bookSeries(maya, idsOfRows(slots.slice(0, 4)))).status).toBe(409);
      expect((await bookSeries(maya, idsOfRows(slots.slice(0, 3)))).status).toBe(201);
    });
  });

  describe('with answers that are wrong', () => {
    const wrong = { formData: [{ question: 'What?', answer: 'Nothing' }] };

    test('is not found where the times are not', async () => {
      expect(await bookSeries(maya, ['none'], wrong)).toMatchObject(nothing);
    });

    test('says which dates are gone', async () => {
      const ids = await idsUntil(inThreeWeeks);
      await book(await newConsumer(), { id: ids[1] as string });

      expect((await bookSeries(maya, ids, wrong)).status).toBe(409);
    });

    test('says which limit it would pass', async () => {
      const ids = await idsUntil(inThreeWeeks);
      await setRules(ana, { perPerson: 3 });

      expect((await bookSeries(maya, ids, wrong)).status).toBe(409);
    });

    test('is refused for them, with the number that is missing, and nothing is booked', async () => {
      const ids = await idsUntil(inThreeWeeks);
      await setRules(ana, { askPhone: 'required' });

      const answer = await bookSeries(maya, ids, wrong);

      expect(complaints(answer)).toHaveLength(2);
      expect(await agenda(maya)).toEqual([]);
    });

    test('answers a repeat with what was booked', async () => {
      const ids = await idsUntil(inOneWeek);
      const booked = await bookSeries(maya, ids);

      expect(rowsOf(await bookSeries(maya, ids, wrong))).toEqual(rowsOf(booked));
    });
  });

  test('of too many times for one person says so before it asks for a number', async () => {
    const ids = await idsUntil(inThreeWeeks);
    await setRules(ana, { perPerson: 3, askPhone: 'required' });

    expect((await bookSeries(maya, ids)).status).toBe(409);
  });

  test('takes a service, of which two times may not overlap, and seats of a class', async () => {
    const { id: service } = await createService(ana, { minutes: 60 });
    const ids = idsOf(await preview(maya, slots[0], { until: inOneWeek, service }));
    const booked = rowsOf(await bookSeries(maya, ids, { service }));
    const hour = { startTime: '09:00', endTime: '10:00', service: { id: service } };
    expect(booked).toMatchObject([hour, hour]);
    const overlapping = await bookSeries(maya, [slots[2].id, slots[3].id], { service });
    expect(overlapping).toMatchObject({ status: 409, json: 'Two of these times overlap. Nothing was booked.' });

    const { id: serviceId } = await createService(ana, { seats: 5, minutes: 30 });
    const [first] = (await publish(ana, { dates: [dayAhead(4), dayAhead(11)], serviceId })) as [Row];
    const classes = idsOf(await preview(maya, first, { until: dayAhead(11), people: '3' }));
    expect(classes).toHaveLength(2);
    const seats = rowsOf(await bookSeries(maya, classes, { people: 3 }));
    expect(seats).toMatchObject(classes.map((slotId) => ({ people: 3, free: 2, slotId })));
    const june = await newConsumer();
    expect((await bookSeries(june, classes, { people: 3 })).status).toBe(409);
    expect((await bookSeries(june, classes, { people: 2 })).status).toBe(201);
  });

  test('is for guests and, by a card, for the provider', async () => {
    const guest = await newGuest(daybook);
    expect((await bookSeries(guest, await idsUntil(inOneWeek, guest))).status).toBe(201);
    const { id: personId } = await cardOf(ana, 'Guest');
    const more = await idsUntil(inOneWeek, ana, slots[1]);
    for (const [who, details, status] of [
      [ana, {}, 400],
      [ana, { personId: 'none' }, 404],
      [maya, { personId }, 403],
      [ana, { personId }, 201],
    ] as const)
      expect((await bookSeries(who, more, details)).status).toBe(status);
    const theirs = { bookerName: guest.displayName, link: personalLink };
    expect(await agenda(guest)).toMatchObject(Array(4).fill(theirs));
  });
});

test('Cancel ends this one and the later ones of its series that may be canceled, and tells once', async () => {
  const follow = (row: Row | undefined) =>
    maya.api('PUT', `/api/Appointment/Cancel?id=${row?.id}&following=true`, { reason: 'Moving away' });
  const rows = await bookWeeks(maya, slots[0], 4);
  await book(maya, slots[1]);
  expect(await follow(rows[1])).toMatchObject({ status: 200, json: { status: 2 } });
  expect((await follow(rows[1])).status).toBe(200);
  expect((await agenda(maya)).map(({ id }) => id)).toEqual([rows[0]?.id, slots[1].id]);
  expect((await newsOf(ana)).filter(({ kind }) => kind === 'canceled').map(({ text }) => text)).toEqual([
    expect.stringMatching(new RegExp(`^${maya.displayName} canceled 3 appointments, from .*: Moving away\\.$`)),
  ]);
  await setRules(ana, { cancelUntil: 5 * 24 * 60 });
  const late = await bookWeeks(maya, slots[2], 3);
  expect((await follow(late[0])).status).toBe(200);
  expect((await agenda(maya)).map(({ id }) => id)).toEqual([rows[0]?.id, slots[1].id, late[0]?.id]);
  expect(await cancel(maya, late[0] as Row)).toMatchObject({ status: 409 });
});

test('a guest who logs in takes a series and a standing time along, and is booked as the account from then on', async () => {
  const guest = await newGuest(daybook, { displayName: 'Wilma' });
  const rows = await bookWeeks(guest, slots[0], 2);
  const { date: from, startTime: start } = slots[1];
  const keep = async (who: Person, until: string | null) =>
    ana.api('PUT', `/api/People/SetStanding?id=${(await cardOf(ana, who.displayName)).id}`, [
      { day: weekdayOf(from), start, every: 7, from, until },
    ]);
  expect((await keep(guest, dayAhead(17))).status).toBe(200);
  const login = await guest.api('POST', '/api/Account/Login?join=true', { username: maya.username, password });
  expect(login.status).toBe(200);
  expect(await agenda(maya)).toHaveLength(5);
  await keep(maya, null);
  expect(await agenda(maya)).toHaveLength(6);
  const ended = await maya.api('PUT', `/api/Appointment/Cancel?id=${rows[0]?.id}&following=true`);
  expect(ended.status).toBe(200);
  expect(new Set((await agenda(maya)).map(({ startTime }) => startTime))).toEqual(new Set([start]));
});

describe('a series', () => {
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
  type Standing = { id: string; unkept: { date: string; why: string }[] };
  const dates = [3, 10, 17].map((days) => dayAhead(days));
  const [from = ''] = dates;
  const kept = { day: weekdayOf(from), start: '10:00', every: 7, from };
  const atTen = ({ startTime }: Row) => startTime === '10:00';
  let june: string;
  beforeEach(async () => {
    // Nothing is published yet.
    ana = await newProvider();
    june = (await createCard(ana, { name: 'June' })).id;
  });

  const set = (list: unknown) => ana.api('PUT', `/api/People/SetStanding?id=${june}`, list);
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

  test('are refused where they are none', async () => {
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
    expect(await get()).toEqual([]);
  });

  test('keep their ends when another is added on the screen', async () => {
    const until = dayAhead(17);
    await set([{ ...kept, until }]);

    const other = { day: String(kept.day), start: '11:00', every: '7', from: isoAhead(3) };
    await (await screen()).submit('Keep this time', other);

    expect(await get()).toMatchObject([
      { start: '10:00', until },
      { start: '11:00', until: null },
    ]);
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
