import { beforeEach, describe, expect, test } from 'vitest';
import { askedOf } from '../../support/asked';
import {
  book,
  cancel,
  dayAhead,
  type Person,
  password,
  peopleAt,
  type Row,
  rowsOf,
  writeSlot,
} from '../../support/factories';
import { newGuest } from '../../support/guests';
import { bookSeries, bookWeeks, datesOf, idsOf, preview, publishWeeks } from '../../support/series';
import { createService } from '../../support/services';
import { useServer } from '../../support/use-server';

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

let ana: Person;
let maya: Person;
let slots: [Row, Row, Row, ...Row[]];
beforeEach(async () => {
  [ana, maya] = await Promise.all([newProvider(), newConsumer()]);
  slots = (await publishWeeks(ana, 4)) as typeof slots;
});

const inThreeWeeks = dayAhead(24);
const dayAfter = (days: number) => dayAhead(days).replace(/(..)-(..)-(....)/, '$3-$1-$2');
const agenda = async (who: Person) => rowsOf(await who.api('GET', '/api/Appointment/GetBooked'));
const news = async (who: Person) =>
  (await who.api('GET', '/api/Account/GetNews')).json as { kind: string; text: string }[];

describe('PreviewSeries', () => {
  test('has each date with the slot at the same time', async () => {
    const answer = await preview(maya, slots[0], { until: inThreeWeeks });
    expect(answer.status).toBe(200);
    const dates = datesOf(answer);
    expect(dates.map(({ date }) => date)).toEqual([3, 10, 17, 24].map((days) => dayAhead(days)));
    expect(dates[0]).toEqual({ date: slots[0].date, id: slots[0].id, why: null, nearest: [] });
    expect(dates.every(({ id, why }) => id !== null && why === null)).toBe(true);
    expect(datesOf(await preview(maya, slots[0], { until: inThreeWeeks, every: '14' }))).toHaveLength(2);
  });

  test('says why a date has none, with what is near it', async () => {
    const rival = await newConsumer();
    const second = datesOf(await preview(maya, slots[1], { until: dayAhead(10) }))[1];
    await book(rival, { id: second?.id ?? '' });
    const [, taken, , , closed] = datesOf(await preview(maya, slots[1], { until: dayAhead(31) }));
    expect(taken).toMatchObject({ id: null, why: 'It is taken.' });
    expect(taken?.nearest.map(({ startTime }) => startTime).sort()).toEqual(['09:00', '10:00', '10:30']);
    expect(closed).toMatchObject({ id: null, why: 'These days are not published yet.', nearest: [] });
  });

  test('names no rule to the provider, whom none binds', async () => {
    await ana.api('PUT', '/api/Account/SetRules', { horizonDays: 30 });
    const whyOf = async (who: Person) => datesOf(await preview(who, slots[1], { until: dayAhead(45) })).at(-1)?.why;
    expect([await whyOf(maya), await whyOf(ana)]).toEqual([
      "It can't be booked yet.",
      'These days are not published yet.',
    ]);
  });

  test('names the days off of the hours', async () => {
    const off = dayAhead(10);
    const weekday = new Date(`${off.slice(6)}-${off.slice(0, 5)}T12:00Z`).getUTCDay();
    const rui = await newProvider();
    const hours = {
      hours: [{ day: weekday, start: '09:00', end: '10:00' }],
      except: [{ date: off, to: dayAhead(11), hours: [] }],
      len: 30,
      gap: 0,
      ahead: 30,
    };
    expect((await rui.api('PUT', '/api/Appointment/SetHours', hours)).status).toBe(200);
    const [first] = rowsOf(
      await maya.api('GET', `/api/Appointment/GetPage?provider=${rui.username}&dates=${dayAhead(3)}`),
    );
    const dates = datesOf(await preview(maya, first as Row, { until: dayAhead(17) }));
    expect(dates.map(({ date, why }) => [date, why])).toEqual([
      [dayAhead(3), null],
      [off, `${rui.displayName} is away on that day.`],
      [dayAhead(17), null],
    ]);
  });

  test('begins with a booking of one’s own', async () => {
    await book(maya, slots[0]);
    const dates = datesOf(await preview(maya, slots[0], { until: inThreeWeeks }));
    expect(dates[0]).toMatchObject({ id: slots[0].id, why: null });
    const other = await newConsumer();
    expect(await preview(other, slots[0], { until: inThreeWeeks })).toMatchObject({ status: 404 });
    expect(datesOf(await preview(ana, slots[0], { until: inThreeWeeks }))).toHaveLength(4);
  });

  test('refuses what is no series', async () => {
    const refused = async (query: object) => (await preview(maya, slots[0], query)).json;
    expect(await refused({ until: dayAhead(1) })).toEqual(['The last day must not be before the first.']);
    expect(await refused({ until: dayAhead(3 + 53 * 7) })).toEqual([
      'A series has at most 53 dates. Choose an earlier last day.',
    ]);
    expect(datesOf(await preview(maya, slots[0], { until: dayAhead(3 + 52 * 7) }))).toHaveLength(53);
    expect(await refused({ until: inThreeWeeks, every: '8' })).toEqual(['Choose every 7, 14, 21 or 28 days.']);
    expect(await refused({ until: '13-13-2026' })).toHaveLength(1);
    expect(await preview(maya, { id: 'none' }, { until: inThreeWeeks })).toMatchObject({ status: 404 });
  });

  test('keeps the local time where the clocks change', async () => {
    const oslo = await newProvider({ timeZone: 'Europe/Oslo' });
    const dates = ['03-18-2030', '03-25-2030', '04-01-2030'];
    await oslo.api('POST', '/api/Appointment/CreateAppointment?len=30', { start: '09:00', end: '11:00', dates });
    const [first] = rowsOf(
      await maya.api('GET', `/api/Appointment/GetPage?provider=${oslo.username}&dates=${dates[0]}`),
    ).slice(1);
    const ids = idsOf(await preview(maya, first as Row, { until: dates[2] }));
    const booked = rowsOf(await bookSeries(maya, ids));
    expect(booked.map(({ date, startTime, startsAt }) => [date, startTime, startsAt.slice(11, 16)])).toEqual([
      [dates[0], '09:30', '08:30'],
      [dates[1], '09:30', '08:30'],
      [dates[2], '09:30', '07:30'],
    ]);
  });

  test('counts the limits of the provider over all of it', async () => {
    await ana.api('PUT', '/api/Account/SetRules', { perPerson: 3, horizonDays: 20 });
    const dates = datesOf(await preview(maya, slots[0], { until: inThreeWeeks }));
    expect(dates.map(({ why }) => why)).toEqual([null, null, null, "It can't be booked yet."]);
    await book(maya, slots[1]);
    const fewer = datesOf(await preview(maya, slots[0], { until: inThreeWeeks }));
    expect(fewer[2]?.why).toMatch(/3 coming appointments/);
  });
});

describe('BookSeries', () => {
  test('books exactly these, in one trip, as one series', async () => {
    const ids = idsOf(await preview(maya, slots[0], { until: inThreeWeeks }));
    const answer = await bookSeries(maya, ids);
    expect(answer.status).toBe(201);
    const rows = rowsOf(answer);
    expect(rows.map(({ id }) => id)).toEqual(ids);
    expect(rows.every(({ status, link }) => status === 1 && link !== null)).toBe(true);
    expect(new Set(rows.map(({ seriesId }) => seriesId)).size).toBe(1);
    expect(rows[0]?.seriesId).toEqual(expect.any(String));
    expect(askedOf(answer.headers).trips).toBe(1);
    expect(await agenda(maya)).toHaveLength(4);
    expect(rowsOf(await bookSeries(maya, ids))).toEqual(rows);
    expect(await agenda(ana)).toHaveLength(4);
  });

  test('books 53 dates at once', async () => {
    const rui = await newProvider();
    const [first] = (await publishWeeks(rui, 53, { end: '09:30' })) as [Row];
    const rows = await bookWeeks(maya, first, 53);
    expect(new Set(rows.map(({ date }) => date)).size).toBe(53);
    expect(new Set(rows.map(({ startTime, seriesId }) => `${startTime} ${seriesId}`)).size).toBe(1);
    expect(await news(rui)).toHaveLength(1);
    expect((await maya.api('PUT', `/api/Appointment/Cancel?id=${rows[0]?.id}&following=true`)).status).toBe(200);
    expect(await agenda(maya)).toEqual([]);
  });

  test('tells the provider once', async () => {
    await bookWeeks(maya, slots[0], 4);
    const told = await news(ana);
    expect(told).toHaveLength(1);
    expect(told[0]?.text).toMatch(new RegExp(`^${maya.displayName} booked 4 appointments, from `));
  });

  test('books none where one date was lost, and names it', async () => {
    const ids = idsOf(await preview(maya, slots[0], { until: inThreeWeeks }));
    await book(await newConsumer(), { id: ids[2] as string });
    const answer = await bookSeries(maya, ids);
    expect(answer).toMatchObject({
      status: 409,
      json: expect.stringMatching(/^This date is not free any more: \w+day, /),
    });
    expect(await agenda(maya)).toEqual([]);
    expect(await news(ana)).toHaveLength(1);
  });

  test('makes what one has already the first of the series, and goes on with it', async () => {
    await book(maya, slots[0]);
    const ids = idsOf(await preview(maya, slots[0], { until: dayAhead(10) }));
    const rows = rowsOf(await bookSeries(maya, ids));
    expect(rows.map(({ seriesId }) => seriesId)).toEqual([rows[0]?.seriesId, rows[0]?.seriesId]);
    const longer = idsOf(await preview(maya, slots[0], { until: inThreeWeeks }));
    const all = rowsOf(await bookSeries(maya, [rows[1]?.id ?? '', ...longer.slice(1)]));
    expect(all.map(({ seriesId }) => seriesId)).toEqual(Array(3).fill(rows[0]?.seriesId));
    expect(await news(ana)).toHaveLength(3);
  });

  test('keeps to the limits, over all of it', async () => {
    const ids = idsOf(await preview(maya, slots[0], { until: inThreeWeeks }));
    await ana.api('PUT', '/api/Account/SetRules', { perPerson: 3 });
    expect(await bookSeries(maya, ids)).toMatchObject({
      status: 409,
      json: expect.stringMatching(/^You can have at most 3 coming appointments/),
    });
    expect((await bookSeries(maya, ids.slice(1))).status).toBe(201);
    await ana.api('PUT', '/api/Account/SetRules', { perPerson: null, perDay: 2 });
    const june = await newConsumer();
    expect(
      await bookSeries(
        june,
        slots.slice(1, 4).map(({ id }) => id),
      ),
    ).toMatchObject({ status: 409 });
    expect(
      (
        await bookSeries(
          june,
          slots.slice(1, 3).map(({ id }) => id),
        )
      ).status,
    ).toBe(201);
  });

  test('takes a service, and seats of a class', async () => {
    const long = await createService(ana, { minutes: 60 });
    const ids = idsOf(await preview(maya, slots[0], { until: dayAhead(10), service: long.id }));
    const booked = rowsOf(await bookSeries(maya, ids, { service: long.id }));
    expect(booked.map(({ startTime, endTime, service }) => [startTime, endTime, service?.id])).toEqual([
      ['09:00', '10:00', long.id],
      ['09:00', '10:00', long.id],
    ]);
    const overlapping = await bookSeries(maya, [slots[2].id, (slots[3] as Row).id], { service: long.id });
    expect(overlapping).toMatchObject({ status: 409, json: 'Two of these times overlap. Nothing was booked.' });

    const yoga = await createService(ana, { seats: 5, minutes: 30 });
    const dates = [4, 11].map((days) => dayAhead(days));
    await ana.api('POST', '/api/Appointment/CreateAppointment', {
      start: '09:00',
      end: '09:30',
      dates,
      serviceId: yoga.id,
    });
    const [first] = rowsOf(
      await maya.api('GET', `/api/Appointment/GetPage?provider=${ana.username}&dates=${dates[0]}`),
    );
    const classIds = idsOf(await preview(maya, first as Row, { until: dates[1], people: '3' }));
    expect(classIds).toHaveLength(2);
    const seats = rowsOf(await bookSeries(maya, classIds, { people: 3 }));
    expect(seats.map(({ people, free, slotId }) => [people, free, slotId])).toEqual(classIds.map((id) => [3, 2, id]));
    expect(rowsOf(await bookSeries(maya, classIds, { people: 3 }))).toEqual(seats);
    const june = await newConsumer();
    expect(await bookSeries(june, classIds, { people: 3 })).toMatchObject({ status: 409 });
    expect((await bookSeries(june, classIds, { people: 2 })).status).toBe(201);
  });

  test('is for guests and, by a card, for the provider', async () => {
    const guest = await newGuest(daybook, { email: 'gil@example.com' });
    const ids = idsOf(await preview(guest, slots[0], { until: dayAhead(10) }));
    expect((await bookSeries(guest, ids)).status).toBe(201);
    const { json } = await ana.api('GET', '/api/People/GetPage?q=Guest');
    const [{ id: personId }] = json as [{ id: string }];
    const more = idsOf(await preview(ana, slots[1], { until: dayAhead(10) }));
    const answer = await bookSeries(ana, more, { personId });
    expect(answer.status).toBe(201);
    expect(rowsOf(answer).map(({ bookerName, link }) => [bookerName, typeof link])).toEqual(
      Array(2).fill([guest.displayName, 'string']),
    );
    expect(await agenda(guest)).toHaveLength(4);
    expect(await bookSeries(ana, more)).toMatchObject({ status: 400 });
    expect(await bookSeries(ana, more, { personId: 'none' })).toMatchObject({ status: 404 });
    expect(await bookSeries(maya, more, { personId })).toMatchObject({ status: 403 });
    const rival = await newProvider();
    const { json: theirs } = await rival.api('POST', '/api/People/Create', { name: 'Wanda' });
    const [free] = slots.slice(3);
    expect(await bookSeries(rival, [free?.id ?? ''], { personId: (theirs as { id: string }).id })).toMatchObject({
      status: 404,
    });
  });

  test('returns the same for the same key, whatever has become of it', async () => {
    const ids = idsOf(await preview(maya, slots[0], { until: dayAhead(10) }));
    const key = { 'Idempotency-Key': 'one series' };
    const rows = rowsOf(await bookSeries(maya, ids, {}, key));
    await cancel(maya, { id: ids[1] as string });
    expect(rowsOf(await bookSeries(maya, ids, {}, key)).map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
  });

  test('refuses what is no list of times', async () => {
    expect(await bookSeries(maya, [])).toMatchObject({ status: 400 });
    expect(await bookSeries(maya, [slots[0].id, slots[0].id])).toMatchObject({ status: 400 });
    expect(
      await bookSeries(
        maya,
        Array.from({ length: 54 }, (_, n) => `id ${n}`),
      ),
    ).toMatchObject({ status: 400 });
    expect(await bookSeries(maya, ['none'])).toMatchObject({ status: 404 });
    const other = await publishWeeks(await newProvider(), 1);
    expect(await bookSeries(maya, [slots[0].id, other[0]?.id ?? ''])).toMatchObject({ status: 400 });
    expect(await agenda(maya)).toEqual([]);
  });
});

describe('Cancel', () => {
  const follow = (who: Person, { id }: { id: string }) =>
    who.api('PUT', `/api/Appointment/Cancel?id=${id}&following=true`, { reason: 'Moving away' });

  test('ends this one and the later ones of its series, and tells once', async () => {
    const rows = await bookWeeks(maya, slots[0], 4);
    await book(maya, slots[1]);
    expect(await follow(maya, rows[1] as Row)).toMatchObject({ status: 200, json: { status: 2 } });
    expect((await agenda(maya)).map(({ id }) => id)).toEqual([rows[0]?.id, slots[1].id]);
    expect((await follow(maya, rows[1] as Row)).status).toBe(200);
    const told = (await news(ana)).filter(({ kind }) => kind === 'canceled');
    expect(told.map(({ text }) => text)).toEqual([
      expect.stringMatching(new RegExp(`^${maya.displayName} canceled 3 appointments, from .*: Moving away\\.$`)),
    ]);
  });

  test('by the provider is told to the client once, and one alone by itself', async () => {
    const rows = await bookWeeks(maya, slots[0], 4);
    await cancel(ana, rows[0] as Row);
    await follow(ana, rows[2] as Row);
    const told = (await news(maya)).filter(({ kind }) => kind === 'canceled').map(({ text }) => text);
    expect(told).toHaveLength(2);
    expect(told[0]).toMatch(/canceled 2 appointments/);
    expect(await agenda(maya)).toHaveLength(1);
  });

  test('leaves what may not be canceled any more', async () => {
    await ana.api('PUT', '/api/Account/SetRules', { cancelUntil: 5 * 24 * 60 });
    const rows = await bookWeeks(maya, slots[0], 3);
    expect((await follow(maya, rows[0] as Row)).status).toBe(200);
    expect((await agenda(maya)).map(({ id }) => id)).toEqual([rows[0]?.id]);
    expect((await follow(maya, rows[0] as Row)).status).toBe(200);
    expect(await cancel(maya, rows[0] as Row)).toMatchObject({ status: 409 });
  });

  test('counts one that was moved as still one of the series', async () => {
    const rows = await bookWeeks(maya, slots[0], 3);
    const moved = await maya.api('PUT', `/api/Appointment/Move?id=${rows[1]?.id}&to=${slots[2].id}`);
    expect(moved).toMatchObject({ status: 200, json: { seriesId: rows[0]?.seriesId } });
    await follow(maya, rows[0] as Row);
    expect(await agenda(maya)).toEqual([]);
  });
});

describe('two series that cross', () => {
  test('have one whole winner, whatever their order', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => newConsumer()));
    const ids = idsOf(await preview(maya, slots[0], { until: inThreeWeeks }));
    const other = [...ids.slice(1), slots[1].id];
    const answers = await Promise.all(people.map((who, place) => bookSeries(who, place % 2 === 0 ? ids : other)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
    for (const [place, who] of people.entries()) {
      expect(await agenda(who)).toHaveLength(answers[place]?.status === 201 ? 4 : 0);
    }
  });
});

describe('a guest who logs in', () => {
  test('takes a series and a standing time along, and is booked as the account from then on', async () => {
    const guest = await newGuest(daybook, { displayName: 'Wilma' });
    const rows = await bookWeeks(guest, slots[0], 2);
    const [{ id: card }] = (await ana.api('GET', '/api/People/GetPage?q=Wilma')).json as [{ id: string }];
    const date = slots[1].date;
    const day = new Date(`${date.slice(6)}-${date.slice(0, 5)}T12:00Z`).getUTCDay();
    const standing = { day, start: slots[1].startTime, every: 7, from: date, until: dayAhead(17) };
    expect((await ana.api('PUT', `/api/People/SetStanding?id=${card}`, [standing])).status).toBe(200);
    const login = await guest.api('POST', '/api/Account/Login?join=true', { username: maya.username, password });
    expect(login.status).toBe(200);
    expect((await agenda(maya)).map(({ seriesId }) => seriesId)).toHaveLength(5);
    const [{ id: joined }] = (await ana.api('GET', `/api/People/GetPage?q=${maya.displayName}`)).json as [
      { id: string },
    ];
    await ana.api('PUT', `/api/People/SetStanding?id=${joined}`, [{ ...standing, until: null }]);
    expect(await agenda(maya)).toHaveLength(6);
    const ended = await maya.api('PUT', `/api/Appointment/Cancel?id=${rows[0]?.id}&following=true`);
    expect(ended.status).toBe(200);
    expect(new Set((await agenda(maya)).map(({ startTime }) => startTime))).toEqual(new Set([standing.start]));
  });
});

describe('the calendar file', () => {
  /** Entries by their start, without the time of the file. */
  const entriesOf = (text: string) =>
    text
      .replaceAll(/^DTSTAMP:.*\r\n/gm, '')
      .split('BEGIN:VEVENT')
      .slice(1)
      .map((entry) => entry.replace('END:VCALENDAR\r\n', ''))
      .sort();

  test('of a series has all of its entries, each as in the file of its own', async () => {
    const rows = await bookWeeks(maya, slots[0], 4);
    await cancel(maya, rows[3] as Row);
    for (const who of [maya, ana]) {
      const page = await who.browser.get(`/details-${who === ana ? 'provider' : 'cancel'}/${rows[1]?.id}`);
      const all = await page.click('Add all 3 to calendar');
      const own = await Promise.all(
        rows.slice(0, 3).map(async ({ id }) => (await who.browser.get(`/appointments/${id}/daybook.ics`)).text),
      );
      expect(all.text.match(/^METHOD:\w+/m)?.[0]).toBe('METHOD:PUBLISH');
      expect(entriesOf(all.text)).toEqual(own.flatMap(entriesOf).sort());
      expect(askedOf(all.headers).trips).toBe(1);
    }
    expect(
      (await (await newConsumer()).browser.get(`/appointments/${rows[1]?.id}/daybook.ics?series=yes`)).status,
    ).toBe(404);
    await book(maya, slots[1]);
    const alone = await maya.browser.get(`/appointments/${slots[1].id}/daybook.ics?series=yes`);
    expect(entriesOf(alone.text)).toHaveLength(1);
  });

  test('is there by a personal link, each entry with its own', async () => {
    const guest = await newGuest(daybook);
    const rows = await bookWeeks(guest, slots[0], 3);
    const link = (rows[2] as Row).link ?? '';
    const all = await (await daybook.visitor().get(link)).click('Add all 3 to calendar');
    for (const row of rows) expect(all.text.replaceAll('\r\n ', '')).toContain(row.link);
    const own = (await daybook.visitor().get(`${link}/daybook.ics`)).text;
    expect(entriesOf(all.text)).toContain(entriesOf(own)[0]);
  });
});

describe('the screens', () => {
  test('lead from a card to the same time again, after a coming appointment and after one that is over', async () => {
    const [june, nora] = [await newConsumer(), await newConsumer()];
    await writeSlot(daybook.d1, ana, { startsIn: -8 * 24 * 60, booker: june });
    await writeSlot(daybook.d1, ana, { startsIn: -7 * 24 * 60 - 60, booker: nora });
    await book(maya, slots[0]);
    const cards = (await ana.api('GET', '/api/People/GetPage?q=')).json as { id: string; name: string }[];
    const cardOf = (who: Person) => cards.find(({ name }) => name === who.displayName)?.id ?? '';
    const form = await (await ana.browser.get(`/people/${cardOf(maya)}`)).click('The same time again');
    const until = dayAfter(24);
    const dates = await form.submit('Show the dates', { until });
    const told = `${maya.displayName} reads it in their news.`;
    expect(dates.words).toContain(told);
    const done = await dates.submit('Book exactly these');
    expect(done.words).toContain(`All 4 appointments are booked. ${told}`);
    expect(await agenda(maya)).toHaveLength(4);
    // The time of the day that comes next may be over as well.
    for (const who of [june, nora]) {
      const after = await (await ana.browser.get(`/people/${cardOf(who)}`)).click('The same time again');
      expect(after.words).toContain('Last time');
      const shown = await after.submit('Show the dates', { until });
      expect(shown.words).not.toContain('It is over.');
      expect(shown.$$('.lines > li')).toHaveLength(3);
    }
  });

  test('say the reader’s own time of what is near a date, with its day', async () => {
    const reader = await newConsumer({ timeZone: 'Pacific/Kiritimati' });
    const second = datesOf(await preview(reader, slots[1], { until: dayAhead(10) }))[1];
    await book(maya, { id: second?.id ?? '' });
    await book(reader, slots[1]);
    const dates = await reader.browser.visit(`/again/${slots[1].id}?every=7&until=${dayAfter(10)}`);
    const options = dates.$$('select[name=ids] option').map(({ text }) => text);
    expect(options).toContainEqual(expect.stringMatching(/^\w+ \d+ \w+.*, 10:00 UTC, \w+ \d+ \w+.*, 00:00 for you$/));
  });

  test('show the dates, book them, and cancel the later ones, without script', async () => {
    await book(maya, slots[0]);
    const form = await maya.browser.get(`/again/${slots[0].id}`);
    expect(form.status).toBe(200);
    const page = await maya.browser.visit(`/again/${slots[0].id}?every=7&until=${dayAfter(24)}`);
    expect(page.text).toContain('Free at the same time');
    const done = await page.submit('Book exactly these');
    expect(done.text).toContain('All 4 appointments are booked.');
    const last = await maya.browser.visit(`/again/${slots[0].id}?every=7&until=${dayAfter(3)}`);
    expect((await last.submit('Book exactly these')).words).toContain('None of these dates is free.');
    expect(done.text).toContain('One of 4 appointments in a series');
    const asked = (await maya.browser.get(`/details-cancel/${slots[0].id}`)).text;
    expect(asked).toContain('Cancel the 3 later ones of its series too');
    expect((await ana.browser.get(`/details-provider/${slots[0].id}`)).text).toContain('One of 4 appointments');
    const ended = await (await maya.browser.get(`/details-cancel/${slots[0].id}`)).submit('Cancel Appointment', {
      following: 'true',
    });
    expect(ended.words).toContain(
      'The later ones of its series are canceled too. Their times are free for others again.',
    );
    expect(await agenda(maya)).toEqual([]);
  });

  test('say where the mail of a series goes', async () => {
    for (const email of [null, 'maya@example.com']) {
      const who = await newConsumer(email === null ? {} : { email });
      await book(who, slots[email === null ? 0 : 1]);
      const first = slots[email === null ? 0 : 1];
      const page = await who.browser.visit(`/again/${first.id}?every=7&until=${dayAfter(10)}`);
      const done = await page.submit('Book exactly these');
      expect(done.words).toContain(email === null ? 'No mail is sent.' : `They are mailed to ${email}.`);
    }
  });

  test('are open to whoever has a personal link', async () => {
    const guest = await newGuest(daybook);
    const { json } = await book(guest, slots[0]);
    const link = (json as Row).link ?? '';
    const stranger = daybook.visitor();
    const page = await stranger.visit(`${link}/again?every=14&until=${dayAfter(24)}`);
    const done = await page.submit('Book exactly these');
    expect(done.text).toContain('All 2 appointments are booked.');
    expect(await agenda(guest)).toHaveLength(2);
  });
});
