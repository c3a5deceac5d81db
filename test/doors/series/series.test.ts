import { beforeEach, describe, expect, test } from 'vitest';
import { newsOf, setRules } from '../../support/account-calls';
import { agenda, openSlotsOf } from '../../support/appointment-calls';
import { personalLink } from '../../support/complaints';
import {
  book,
  cancel,
  dayAhead,
  type Person,
  password,
  peopleAt,
  publish,
  type Row,
  rowsOf,
} from '../../support/factories';
import { newGuest } from '../../support/guests';
import { cardOf } from '../../support/people';
import { bookSeries, bookWeeks, datesOf, idsOf, preview, publishWeeks, weekdayOf } from '../../support/series';
import { createService } from '../../support/services';
import { useServer } from '../../support/use-server';
import { askedOf } from '../../support/visit';

/* Series by the API: what they would book, what they book, and what ends them. */

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

  test('books 53 dates at once', async () => {
    const [first] = (await publishWeeks(await newProvider(), 53, { end: '09:30' })) as [Row];
    const rows = await bookWeeks(maya, first, 53);
    expect(new Set(rows.map(({ date }) => date)).size).toBe(53);
    expect(new Set(rows.map(({ startTime, seriesId }) => `${startTime} ${seriesId}`)).size).toBe(1);
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
    const guest = await newGuest(daybook, { email: 'gil@example.com' });
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
