import { beforeEach, describe, expect, test } from 'vitest';
import { newsOf, newsTexts, setRules } from '../../support/account-calls';
import { agenda, idsOf as idsOfRows, openSlotsOf } from '../../support/appointment-calls';
import { complaints, nothing, personalLink } from '../../support/complaints';
import {
  book,
  cancel,
  dayAhead,
  daysToClockChange,
  isoAhead,
  type Person,
  password,
  peopleAt,
  publish,
  type Row,
  rowsOf,
  writeSlot,
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
  test('has the slot at the same time of each date', async () => {
    const dates = datesOf(await preview(maya, slots[1], { until: inThreeWeeks }));

    const free = { id: expect.any(String), why: null };
    expect(dates).toMatchObject([3, 10, 17, 24].map((days) => ({ date: dayAhead(days), ...free })));
  });

  test('says where a date is taken, with what is near it', async () => {
    const [, second = ''] = await idsUntil(inOneWeek, maya, slots[1]);
    await book(await newConsumer(), { id: second });

    const [, taken] = datesOf(await preview(maya, slots[1], { until: inOneWeek }));

    expect(taken).toMatchObject({ date: inOneWeek, id: null, why: 'It is taken.' });
    expect(taken?.nearest.map(({ startTime }) => startTime).sort()).toEqual(['09:00', '10:00', '10:30']);
  });

  test('says where a date is not published yet', async () => {
    const last = datesOf(await preview(maya, slots[1], { until: dayAhead(31) })).at(-1);

    expect(last).toMatchObject({
      date: dayAhead(31),
      id: null,
      why: 'These days are not published yet.',
      nearest: [],
    });
  });

  test('has every second week where that is asked for', async () => {
    const dates = datesOf(await preview(maya, slots[0], { until: inThreeWeeks, every: '14' }));

    expect(dates.map(({ date }) => date)).toEqual([dayAhead(3), dayAhead(17)]);
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

  test('says where the provider is away', async () => {
    const until = dayAhead(31);
    await ana.api('PUT', '/api/Appointment/SetHours', { hours: [], except: [{ date: until }] });

    const [toMaya, toAna] = await Promise.all(
      [maya, ana].map(async (who) => datesOf(await preview(who, slots[0], { until })).at(-1)),
    );

    expect(toMaya).toMatchObject({ date: until, why: `${ana.displayName} is away on that day.` });
    expect(toAna).toMatchObject({ date: until, why: 'You are away on that day.' });
  });

  test('keeps the local time where the clocks change', async () => {
    const oslo = await newProvider({ timeZone: 'Europe/Oslo' });
    const change = daysToClockChange('March');
    const dates = [dayAhead(change - 13), dayAhead(change - 6), dayAhead(change + 1)] as const;
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
  test('books exactly these in one trip', async () => {
    const ids = await idsUntil(inThreeWeeks);

    const response = await bookSeries(maya, ids);

    expect(response.status).toBe(201);
    expect(idsOfRows(rowsOf(response))).toEqual(ids);
    expect(askedOf(response.headers).trips).toBe(1);
    expect(await agenda(ana)).toHaveLength(4);
  });

  test('makes one series of them', async () => {
    const rows = rowsOf(await bookSeries(maya, await idsUntil(inThreeWeeks)));

    expect(new Set(rows.map(({ seriesId }) => seriesId)).size).toBe(1);
  });

  test('tells the provider once', async () => {
    await bookSeries(maya, await idsUntil(inThreeWeeks));

    expect(await newsTexts(ana)).toEqual([
      expect.stringMatching(new RegExp(`^${maya.displayName} booked 4 appointments, from `)),
    ]);
  });

  test('books once what is sent twice', async () => {
    const ids = await idsUntil(inThreeWeeks);
    const first = await bookSeries(maya, ids);

    const second = await bookSeries(maya, ids);

    expect(rowsOf(second)).toEqual(rowsOf(first));
    expect(await agenda(maya)).toHaveLength(4);
  });

  test('answers the same key as before, though one is canceled meanwhile', async () => {
    const ids = await idsUntil(inThreeWeeks);
    const send = () => bookSeries(maya, ids, {}, { 'Idempotency-Key': 'one series' });
    await send();
    await cancel(maya, { id: ids[1] as string });

    expect(idsOfRows(rowsOf(await send()))).toEqual(ids);
  });

  test('books none where one date was lost, and names it', async () => {
    const ids = await idsUntil(inThreeWeeks);
    await book(await newConsumer(), { id: ids[2] as string });

    const response = await bookSeries(maya, ids);

    const lost = expect.stringMatching(/^This date is not free any more: \w+day, /);
    expect(response).toMatchObject({ status: 409, json: lost });
    expect(await agenda(maya)).toEqual([]);
    expect(await newsOf(ana)).toHaveLength(1);
  });

  test('keeps to the limit of one person over all of it', async () => {
    const ids = await idsUntil(inThreeWeeks);
    await setRules(ana, { perPerson: 3 });

    const four = await bookSeries(maya, ids);
    const three = await bookSeries(maya, ids.slice(1));

    const limit = expect.stringMatching(/^You can have at most 3 coming appointments/);
    expect(four).toMatchObject({ status: 409, json: limit });
    expect(three.status).toBe(201);
  });

  test('keeps to the limit of a day over all of it', async () => {
    await setRules(ana, { perDay: 2 });
    const ofOneDay = idsOfRows(slots.slice(1, 4));

    const three = await bookSeries(maya, ofOneDay);
    const two = await bookSeries(maya, ofOneDay.slice(1));

    expect(three.status).toBe(409);
    expect(two.status).toBe(201);
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

      const response = await bookSeries(maya, ids, wrong);

      expect(complaints(response)).toHaveLength(2);
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

  test('takes a service', async () => {
    const { id: service } = await createService(ana, { minutes: 60 });
    const ids = idsOf(await preview(maya, slots[0], { until: inOneWeek, service }));

    const booked = rowsOf(await bookSeries(maya, ids, { service }));

    const hour = { startTime: '09:00', endTime: '10:00', service: { id: service } };
    expect(booked).toMatchObject([hour, hour]);
  });

  test('refuses two times of a service that overlap', async () => {
    const { id: service } = await createService(ana, { minutes: 60 });

    const response = await bookSeries(maya, [slots[2].id, slots[3].id], { service });

    expect(response).toMatchObject({ status: 409, json: 'Two of these times overlap. Nothing was booked.' });
    expect(await agenda(maya)).toEqual([]);
  });

  describe('of a class', () => {
    /** Maya has three of the five seats of two weeks. */
    async function threeOfFiveSeats() {
      const { id: serviceId } = await createService(ana, { seats: 5, minutes: 30 });
      const [first] = (await publish(ana, { dates: [dayAhead(4), dayAhead(11)], serviceId })) as [Row];
      const classes = idsOf(await preview(maya, first, { until: dayAhead(11), people: '3' }));
      expect(classes).toHaveLength(2);
      return { classes, seats: rowsOf(await bookSeries(maya, classes, { people: 3 })) };
    }

    test('takes seats', async () => {
      const { classes, seats } = await threeOfFiveSeats();

      expect(seats).toMatchObject(classes.map((slotId) => ({ people: 3, free: 2, slotId })));
    });

    test('takes no more seats than are left', async () => {
      const { classes } = await threeOfFiveSeats();
      const vera = await newConsumer();

      const three = await bookSeries(vera, classes, { people: 3 });
      const two = await bookSeries(vera, classes, { people: 2 });

      expect(three.status).toBe(409);
      expect(two.status).toBe(201);
    });
  });

  test('is for guests', async () => {
    const guest = await newGuest(daybook);

    const response = await bookSeries(guest, await idsUntil(inOneWeek, guest));

    expect(response.status).toBe(201);
    expect(await agenda(guest)).toMatchObject([{ link: personalLink }, { link: personalLink }]);
  });

  describe('for the client of a card', () => {
    /** A guest has nine o'clock of two weeks, and a card by it. */
    async function guestWithCard() {
      const guest = await newGuest(daybook);
      await bookSeries(guest, await idsUntil(inOneWeek, guest));
      const { id: personId } = await cardOf(ana, 'Guest');
      return { guest, personId, ids: await idsUntil(inOneWeek, ana, slots[1]) };
    }

    test('is for the provider', async () => {
      const { guest, personId, ids } = await guestWithCard();

      const response = await bookSeries(ana, ids, { personId });

      expect(response.status).toBe(201);
      const theirs = { bookerName: guest.displayName, link: personalLink };
      expect(await agenda(guest)).toMatchObject([theirs, theirs, theirs, theirs]);
    });

    test('is for no client', async () => {
      const { personId, ids } = await guestWithCard();

      expect((await bookSeries(maya, ids, { personId })).status).toBe(403);
    });

    test('wants a card', async () => {
      const { ids } = await guestWithCard();

      expect((await bookSeries(ana, ids)).status).toBe(400);
    });

    test('finds no card that is not there', async () => {
      const { ids } = await guestWithCard();

      expect((await bookSeries(ana, ids, { personId: 'none' })).status).toBe(404);
    });
  });
});

describe('Cancel with what follows', () => {
  const cancelFrom = (row: Row | undefined) =>
    maya.api('PUT', `/api/Appointment/Cancel?id=${row?.id}&following=true`, { reason: 'Moving away' });

  test('ends this one and the later ones of its series', async () => {
    const rows = await bookWeeks(maya, slots[0], 4);
    await book(maya, slots[1]);

    const response = await cancelFrom(rows[1]);

    expect(response).toMatchObject({ status: 200, json: { status: 2 } });
    expect(idsOfRows(await agenda(maya))).toEqual([rows[0]?.id, slots[1].id]);
  });

  test('answers a repeat the same', async () => {
    const rows = await bookWeeks(maya, slots[0], 4);
    await cancelFrom(rows[1]);

    expect((await cancelFrom(rows[1])).status).toBe(200);
    expect(await agenda(maya)).toHaveLength(1);
  });

  test('tells the provider once, though it is sent twice', async () => {
    const rows = await bookWeeks(maya, slots[0], 4);

    await cancelFrom(rows[1]);
    await cancelFrom(rows[1]);

    const told = (await newsOf(ana)).filter(({ kind }) => kind === 'canceled').map(({ text }) => text);
    expect(told).toEqual([
      expect.stringMatching(new RegExp(`^${maya.displayName} canceled 3 appointments, from .*: Moving away\\.$`)),
    ]);
  });

  test('leaves what may not be canceled any more', async () => {
    await setRules(ana, { cancelUntil: 5 * 24 * 60 });
    const [near] = (await bookWeeks(maya, slots[2], 3)) as [Row];

    const response = await cancelFrom(near);

    expect(response.status).toBe(200);
    expect(idsOfRows(await agenda(maya))).toEqual([near.id]);
    expect((await cancel(maya, near)).status).toBe(409);
  });

  test('is refused where nothing may be canceled any more', async () => {
    await setRules(ana, { cancelUntil: 5 * 24 * 60 });
    await book(maya, slots[2]);

    const response = await cancelFrom(slots[2]);

    expect(response.status).toBe(409);
    expect(idsOfRows(await agenda(maya))).toEqual([slots[2].id]);
  });
});

describe('a guest who logs in', () => {
  const setStandingTime = async (who: Person, until: string | null) => {
    const { date: from, startTime: start } = slots[1];
    return ana.api('PUT', `/api/People/SetStanding?id=${(await cardOf(ana, who.displayName)).id}`, [
      { day: weekdayOf(from), start, every: 7, from, until },
    ]);
  };

  /** A guest of a series of two and a standing time of three dates becomes Maya. */
  async function joined() {
    const guest = await newGuest(daybook, { displayName: 'Wilma' });
    const rows = await bookWeeks(guest, slots[0], 2);
    expect((await setStandingTime(guest, dayAhead(17))).status).toBe(200);
    const login = await guest.api('POST', '/api/Account/Login?join=true', { username: maya.username, password });
    expect(login.status).toBe(200);
    return rows;
  }

  test('takes a series and a standing time along', async () => {
    await joined();

    expect(await agenda(maya)).toHaveLength(5);
  });

  test('is booked as the account from then on', async () => {
    await joined();

    await setStandingTime(maya, null);

    expect(await agenda(maya)).toHaveLength(6);
  });

  test('can cancel the series as the account', async () => {
    const [row] = await joined();

    const ended = await maya.api('PUT', `/api/Appointment/Cancel?id=${row?.id}&following=true`);

    expect(ended.status).toBe(200);
    const startsLeft = (await agenda(maya)).map(({ startTime }) => startTime);
    expect(new Set(startsLeft)).toEqual(new Set([slots[1].startTime]));
  });
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

  describe('has a calendar file', () => {
    const fileOf = ({ id }: Row, query = '') => `/appointments/${id}/daybook.ics${query}`;

    /** A series of four whose last is canceled. */
    async function seriesOfThree() {
      const rows = await bookWeeks(maya, slots[0], 4);
      await cancel(maya, rows[3] as Row);
      return rows.slice(0, 3) as [Row, Row, Row];
    }

    const sides = [
      ['booker', 'details-cancel'],
      ['provider', 'details-provider'],
    ] as const;
    describe.each(sides)('for the %s', (side, screen) => {
      const reader = () => (side === 'booker' ? maya : ana).browser;
      const fileOfSeries = async ([, second]: [Row, Row, Row]) =>
        (await reader().visit(`/${screen}/${second.id}`)).click('Add all 3 to calendar');

      test('with all of its entries, each as in the file of its own', async () => {
        const rows = await seriesOfThree();

        const { text } = await fileOfSeries(rows);

        const own = await Promise.all(rows.map((row) => reader().get(fileOf(row))));
        expect(entriesOf(text)).toEqual(own.flatMap((file) => entriesOf(file.text)).sort());
      });

      test('that publishes, and asks for nothing', async () => {
        const { text } = await fileOfSeries(await seriesOfThree());

        expect(text.match(/^METHOD:\w+/m)?.[0]).toBe('METHOD:PUBLISH');
      });

      test('in one round trip', async () => {
        const { headers } = await fileOfSeries(await seriesOfThree());

        expect(askedOf(headers).trips).toBe(1);
      });
    });

    test('for no stranger', async () => {
      const [, second] = await seriesOfThree();
      const stranger = await newConsumer();

      expect((await stranger.browser.get(fileOf(second, '?series=yes'))).status).toBe(404);
    });
  });

  describe('on its screens, without script,', () => {
    const againFrom = (days: number) => maya.browser.visit(`/again/${slots[0].id}?every=7&until=${isoAhead(days)}`);

    async function bookedOnScreen() {
      await book(maya, slots[0]);
      const page = await againFrom(24);
      return { page, done: await page.submit('Book these 3 more') };
    }

    test('is shown before it is booked', async () => {
      const { page } = await bookedOnScreen();

      expect(page.words).toContain('Free at the same time');
    });

    test('is booked', async () => {
      const { done } = await bookedOnScreen();

      expect(done.words).toContain('All 4 appointments are booked. No mail is sent.');
      expect(await agenda(maya)).toHaveLength(4);
    });

    test('is named on each of its appointments', async () => {
      const { done } = await bookedOnScreen();

      const providers = await ana.browser.get(`/details-provider/${slots[0].id}`);
      expect(done.words).toContain('One of 4 appointments in a series');
      expect(providers.words).toContain('One of 4 appointments');
    });

    test('has no button where none of its dates is free', async () => {
      await bookedOnScreen();

      const page = await againFrom(3);

      expect(page.words).toContain('None of these dates can be booked.');
      expect(page.words).not.toContain('Book ');
    });

    /** Maya has the first of four times, and somebody else the second. */
    async function secondTaken() {
      await book(maya, slots[0]);
      await book(await newConsumer(), { id: (await idsUntil(inOneWeek))[1] as string });
    }

    test('is not booked where none of its dates is free and none is chosen instead', async () => {
      await secondTaken();

      const none = await (await againFrom(10)).submit('Book what I chose');

      expect(none.status).toBe(400);
      expect(none.words).toContain('None of these dates can be booked.');
    });

    test('counts on its button what can be had, and marks what can’t', async () => {
      await secondTaken();

      const page = await againFrom(24);

      const lines = page.$$('.lines li').map(({ structuredText }) => structuredText.includes("Can't be booked"));
      expect(lines).toEqual([false, true, false, false]);
      expect((await page.submit('Book these 2 more')).words).toContain('All 3 appointments are booked.');
    });

    describe('asks how long', () => {
      /** The dates that are shown for a choice; the form sends the field of the other choice too. */
      const datesFor = async (choice: Record<string, string>, { id } = slots[0] as { id: string }) =>
        (await maya.browser.get(`/again/${id}`)).submit('Show the dates', choice);

      test('by how many times', async () => {
        const page = await datesFor({ ends: 'times', times: '3', until: isoAhead(24) });

        expect(page.$$('.lines li')).toHaveLength(3);
        expect(page.words).toContain('Book these 3');
      });

      test('by a last day', async () => {
        const page = await datesFor({ ends: 'until', times: '3', until: isoAhead(10) });

        expect(page.$$('.lines li')).toHaveLength(2);
        expect(page.words).toContain('Book these 2');
      });

      test('and counts from the next date where the first is over', async () => {
        const over = await writeSlot(daybook.d1, ana, { startsIn: -60, booker: maya });

        const page = await datesFor({ ends: 'times', times: '3' }, over);

        expect(page.$$('.lines li')).toHaveLength(3);
      });

      test.each(['0', '54', 'many', ''])('and refuses "%s" times', async (times) => {
        const page = await datesFor({ ends: 'times', times });

        expect(page.words).toContain('A series has 1 to 53 times.');
        expect(page.$$('.lines li')).toEqual([]);
      });
    });

    test('is canceled from one date on', async () => {
      await bookedOnScreen();
      const asked = await maya.browser.get(`/details-cancel/${slots[0].id}`);

      await asked.submit('Cancel Appointment', { following: 'true' });

      expect(asked.words).toContain('Cancel the 3 later ones of its series too');
      expect(await agenda(maya)).toEqual([]);
    });

    test('is booked by whoever has a personal link', async () => {
      const guest = await newGuest(daybook);
      const { link } = (await book(guest, slots[1])).json as Row;
      const page = await daybook.visitor().visit(`${link}/again?every=14&until=${isoAhead(24)}`);

      const done = await page.submit('Book one more');

      expect(done.words).toContain('All 2 appointments are booked.');
      expect(await agenda(guest)).toHaveLength(2);
    });
  });
});

describe('standing times', () => {
  type Standing = { id: string; missed: { date: string; why: string }[] };
  const dates = [3, 10, 17].map((days) => dayAhead(days));
  const [from = ''] = dates;
  const weekly = { day: weekdayOf(from), start: '10:00', every: 7, from };
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

  test('are set and listed by calls', async () => {
    const response = await set([weekly]);

    expect(response).toMatchObject({ status: 200, json: [{ ...weekly, until: null, service: null, missed: [] }] });
    expect(await get()).toEqual(response.json);
  });

  test('are set once by a repeat', async () => {
    const first = await set([weekly]);
    await publishAll();

    const second = await set([weekly]);

    expect(second.json).toEqual(first.json);
    expect(await agenda(ana)).toHaveLength(3);
  });

  test('are booked from what is published', async () => {
    await set([weekly]);

    const open = await publishAll();

    const [{ id: seriesId } = {}] = await get();
    const booked = { startTime: '10:00', bookerName: 'June', seriesId };
    expect(open.filter(atTen)).toEqual([]);
    expect(await agenda(ana)).toMatchObject(dates.map((date) => ({ date, ...booked })));
  });

  test('are in the data of the provider', async () => {
    await set([weekly]);

    expect((await ana.api('GET', '/api/Account/Export')).json).toMatchObject({
      keptTimes: [{ personId: june, day: weekly.day, minute: 600, weeks: 1 }],
      standingTimes: [],
    });
  });

  test('are marked in the week', async () => {
    await set([weekly]);
    await publishAll();

    expect((await ana.browser.get(`/week?from=${from}`)).text).toContain('June, standing');
  });

  test('are marked on the day sheet', async () => {
    await set([weekly]);
    await publishAll();

    expect((await ana.browser.get(`/day?date=${from}`)).text).toContain('Standing time');
  });

  test.each([
    ['no list', {}],
    ['a step of eight days', [{ ...weekly, every: 8 }]],
    ['an end before the beginning', [{ ...weekly, until: dayAhead(1) }]],
    ['the same time twice', [weekly, weekly]],
    ['eight of one person', Array.from({ length: 8 }, (_, hour) => ({ ...weekly, start: `0${hour}:00` }))],
  ])('are refused: %s', async (_, list) => {
    expect((await set(list)).status).toBe(400);
    expect(await get()).toEqual([]);
  });

  test('are refused for a service that is not there', async () => {
    expect((await set([{ ...weekly, service: 'none' }])).status).toBe(404);
    expect(await get()).toEqual([]);
  });

  test('keep their ends when another is added on the screen', async () => {
    const until = dayAhead(17);
    await set([{ ...weekly, until }]);

    const other = { day: String(weekly.day), start: '11:00', every: '7', from: isoAhead(3) };
    await (await screen()).submit('Keep this time', other);

    expect(await get()).toMatchObject([
      { start: '10:00', until },
      { start: '11:00', until: null },
    ]);
  });

  describe('on their screen', () => {
    const form = { day: String(weekly.day), start: '10:00', every: '7', from: isoAhead(3) };

    test('are refused with an end before the beginning', async () => {
      const refused = await (await screen()).submit('Keep this time', { ...form, until: isoAhead(2) });

      expect(refused.status).toBe(400);
      expect(refused.words).toContain('The last day must not be before the first.');
      expect(await get()).toEqual([]);
    });

    /** The first date is taken by somebody else before June's time is set. */
    async function firstDateTaken() {
      await book(await newConsumer(), (await publishAll()).find(atTen) as Row);
      return (await screen()).submit('Keep this time', form);
    }

    test('are set and booked where they are free', async () => {
      const page = await firstDateTaken();

      expect(page.words).toContain('The standing times are set.');
      expect((await agenda(ana)).filter(({ bookerName }) => bookerName === 'June')).toHaveLength(2);
    });

    test('say on which date they can’t be kept', async () => {
      await firstDateTaken();

      const [{ missed = [] } = {}] = await get();
      expect(missed).toMatchObject([{ date: from, why: 'It is taken.' }]);
      expect((await ana.browser.get(`/people/${june}`)).words).toContain('it is taken.');
    });

    test('tell of a date that can’t be kept by a link to the card', async () => {
      await firstDateTaken();

      const told = (await newsOf(ana)).filter(({ kind }) => kind === 'missed');
      expect(told).toMatchObject([{ link: `/people/${june}` }]);
    });

    test('offer what is free near a date, to book it at once', async () => {
      await firstDateTaken();
      const card = await ana.browser.get(`/people/${june}`);

      const booked = await card.submit('main form[action$="/book"] button');

      expect(booked.status).toBe(200);
      expect((await agenda(ana)).filter(({ bookerName }) => bookerName === 'June')).toHaveLength(3);
    });

    test('end, and leave what is booked', async () => {
      await set([weekly]);
      await publishAll();

      const ended = await (await screen()).submit('main button[name="end"]');

      expect(ended.words).toContain('No standing times');
      expect(await get()).toEqual([]);
      expect(await agenda(ana)).toHaveLength(3);
    });
  });
});
