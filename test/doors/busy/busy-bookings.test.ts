import { describe, expect, test } from 'vitest';
import { askedOf } from '../../support/asked';
import { calendarOf, type Served, useCalendars } from '../../support/calendar-server';
import {
  book,
  cancel,
  dayAhead,
  look,
  type Person,
  peopleAt,
  publication,
  publish,
  type Row,
  rowsOf,
} from '../../support/factories';
import { newGuest } from '../../support/guests';
import { bookSeries, bookWeeks, datesOf, preview, publishWeeks } from '../../support/series';
import { createService } from '../../support/services';
import { useServer } from '../../support/use-server';
import { useWorld } from '../../support/world';

/* Another calendar over a class, a series, a move, and what a provider looks at; and what all of it costs. */

const logged: string[] = [];
const daybook = useServer({
  vars: { ASK_LOOPBACK: 'on', TIMING: 'on', LOG: 'on' },
  log: ({ message }) => void logged.push(message),
});
const elsewhere = useCalendars();
const { newProvider, newConsumer } = peopleAt(daybook);
const { maya, june } = useWorld(daybook, { maya: {}, june: {} });

type Feed = { id: string; name: string; events: number; doubts: string[] };
let calendars = 0;
/** Gives a provider a calendar with these events, or another text. */
async function blockedBy(who: Person, events: Served[] | string, name = 'Private'): Promise<Feed> {
  calendars += 1;
  const path = `/secret-${calendars}.ics`;
  elsewhere.serve(path, typeof events === 'string' ? events : calendarOf(events));
  const answer = await who.api('PUT', '/api/Account/SetBusyFeeds', { feeds: [{ name, url: elsewhere.at(path) }] });
  expect(answer.status).toBe(200);
  return (answer.json as [Feed])[0];
}

const at = ({ startsAt }: Row): Served => ({ at: Date.parse(startsAt), minutes: 30 });
const isoDate = (ahead: number) => dayAhead(ahead).replace(/(..)-(..)-(....)/, '$3-$1-$2');
const overlapsOf = async (who: Person) =>
  ((await who.api('GET', '/api/Account/GetNews')).json as { kind: string; text: string }[])
    .filter(({ kind }) => kind === 'overlap')
    .map(({ text }) => text);

describe('an event of another calendar', () => {
  test('over a class leaves those who come in it, tells of each, and lets nobody else in', async () => {
    const asha = await newProvider();
    const yoga = await createService(asha, { name: 'Yoga', minutes: 60, seats: 8 });
    const hour = { start: '07:00', end: '08:00', dates: [dayAhead(2)], serviceId: yoga.id };
    const [slot] = (await publish(asha, hour)) as [Row];
    for (const who of [maya, june]) expect((await book(who, slot)).status).toBe(200);
    await blockedBy(asha, [at(slot)]);
    const late = await newConsumer();
    expect(await book(late, slot)).toMatchObject({ status: 409 });
    const query = `provider=${asha.username}&dates=${dayAhead(2)}`;
    expect((await late.api('GET', `/api/Public/Slots?${query}&full=true`)).json).toEqual([]);
    expect(rowsOf(await asha.api('GET', '/api/Appointment/GetBooked')).map(({ status }) => status)).toEqual([1, 1]);
    const news = await overlapsOf(asha);
    expect(news.map((text) => [maya, june].filter(({ displayName }) => text.includes(displayName)).length)).toEqual([
      1, 1,
    ]);
  });

  test('takes its date out of a series to come, and leaves one that is booked', async () => {
    const ana = await newProvider();
    const [first] = (await publishWeeks(ana, 3)) as [Row, ...Row[]];
    const booked = await bookWeeks(maya, first, 2);
    await blockedBy(ana, [
      { at: Date.parse(first.startsAt) + 7 * 86_400_000, minutes: 60 },
      { at: Date.parse(first.startsAt) + 14 * 86_400_000, minutes: 60 },
    ]);
    const [, second, third] = datesOf(await preview(maya, first, { until: dayAhead(17) }));
    expect(third).toMatchObject({ id: null, why: `${ana.displayName} has something else then.` });
    expect(third?.nearest.map(({ startTime }) => startTime)).toEqual(['10:00', '10:30', '11:00']);
    expect((await look(maya, booked[1] as Row)).json).toMatchObject({ status: 1 });
    expect(second?.date).toBe(dayAhead(10));
    expect(await overlapsOf(ana)).toHaveLength(1);
  });

  test('that comes between the dates of a series and its booking keeps all of them from being booked', async () => {
    const ana = await newProvider();
    const [first] = (await publishWeeks(ana, 3)) as [Row, ...Row[]];
    const ids = datesOf(await preview(maya, first, { until: dayAhead(17) })).map(({ id }) => id as string);
    await blockedBy(ana, [{ at: Date.parse(first.startsAt) + 7 * 86_400_000, minutes: 30 }]);
    const refused = await bookSeries(maya, ids);
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('Nothing was booked.')]);
    expect((await look(ana, first)).json).toMatchObject({ status: 0 });
  });

  test('over a booking lets it be moved away, and nothing be moved there; the freed time is not offered', async () => {
    const ana = await newProvider();
    const [nine, ten, eleven] = (await publish(ana, { end: '12:00' }, 'len=60')) as [Row, Row, Row];
    await book(maya, nine);
    await blockedBy(ana, [at(nine), at(ten)]);
    const move = (to: Row) => maya.api('PUT', `/api/Appointment/Move?id=${nine.id}&to=${to.id}`);
    expect(await move(ten)).toMatchObject({
      status: 409,
      json: `${ana.displayName} has something else at that time.`,
    });
    expect((await move(eleven)).status).toBe(200);
    const query = `provider=${ana.username}&dates=${dayAhead(1)}`;
    expect(rowsOf(await june.api('GET', `/api/Appointment/GetPage?${query}`))).toEqual([]);
    expect((await cancel(maya, eleven)).status).toBe(200);
    const open = rowsOf(await june.api('GET', `/api/Appointment/GetPage?${query}`));
    expect(open.map(({ startTime }) => startTime)).toEqual(['11:00']);
  });

  test('is not what the provider has here: their own entries block nothing', async () => {
    const ana = await newProvider();
    const [nine, ten] = (await publish(ana, { end: '11:00' }, 'len=60')) as [Row, Row];
    await book(maya, nine);
    const made = (await ana.api('POST', '/api/Account/MakeFeed', { password: 'Correct horse 1' })).json;
    const { link } = made as { link: string };
    const own = await (await fetch(daybook.url + new URL(link, daybook.url).pathname)).text();
    expect(own).toContain('BEGIN:VEVENT');
    expect(await blockedBy(ana, own)).toMatchObject({ events: 0, doubts: [] });
    await cancel(maya, nine);
    const query = `provider=${ana.username}&dates=${dayAhead(1)}`;
    const open = rowsOf(await june.api('GET', `/api/Appointment/GetPage?${query}`));
    expect(open.map(({ startTime }) => startTime)).toEqual([nine.startTime, ten.startTime]);
  });
});

describe('its provider', () => {
  test('sees it in the week, as a picture and as a list, and on the day, by the name of the calendar', async () => {
    const ana = await newProvider();
    const [slot] = (await publish(ana)) as [Row];
    await blockedBy(ana, [at(slot)], 'Family');
    for (const view of ['', '&as=list']) {
      const week = await ana.browser.get(`/week?from=${dayAhead(1)}${view}`);
      expect(week.words).toContain('Family');
      expect(week.$('main a[href="/other-calendars"]')).not.toBeNull();
    }
    const drawn = (await ana.browser.get(`/week?from=${dayAhead(1)}`)).$$('.week-item.is-busy');
    expect(drawn.map((item) => item.getAttribute('aria-label'))).toEqual(['09:00 Family, to 09:30, Busy']);
    const day = await ana.browser.get(`/day?date=${dayAhead(1)}`);
    expect(day.words).toContain('09:00 to 09:30, Busy in “Family”');
    expect(day.text).not.toContain('A secret visit');
  });

  test('reads why a time is not offered, with what could not be read of the calendar', async () => {
    const ana = await newProvider();
    const [slot] = (await publish(ana)) as [Row];
    const event = calendarOf([at(slot)]).replace(/DTSTART:(\d+T\d+)Z/, 'DTSTART;TZID=Middle Earth Time:$1');
    const { doubts } = await blockedBy(ana, event);
    expect(doubts).toEqual(["1 time is in a time zone that we don't know. We read them by your own clock."]);
    const ask = async () => (await ana.browser.visit(`/hours?date=${isoDate(1)}&time=09:00`)).words;
    expect(await ask()).toContain(`We read it within the last hour. ${doubts[0]}`);
    elsewhere.serve(`/secret-${calendars}.ics`, (_, response) => response.writeHead(500).end());
    const [{ id }] = (await ana.api('GET', '/api/Account/GetBusyFeeds')).json as [Feed];
    await ana.api('PUT', '/api/Account/SetBusyFeeds', { feeds: [{ id, name: 'Private' }] });
    expect(await ask()).toContain('Since then: Its server has a problem.');
  });
});

test('lists, pages and bookings cost as much with other calendars as without, a publication one look-up for each time', async () => {
  const ana = await newProvider();
  const slots = (await publish(ana, { end: '11:00' })) as [Row, Row, ...Row[]];
  const query = `provider=${ana.username}&dates=${dayAhead(1)}`;
  const lists = [`/api/Appointment/GetPage?${query}`, `/api/Appointment/GetDates?${query}`];
  const guest = await newGuest(daybook);
  const publishOn = async (days: number) => {
    const details = publication({ end: '10:00', dates: [dayAhead(days)] });
    return askedOf((await ana.api('POST', '/api/Appointment/CreateAppointment', details)).headers).read;
  };
  /** Of one provider, because a range of an index may end at the rows of another, whose key is random. */
  const costs = async (slot: Row) => {
    const asked = [];
    for (const path of lists) asked.push(await maya.api('GET', path));
    asked.push(await maya.browser.get(`/with/${ana.username}?day=${dayAhead(1)}`));
    asked.push(await book(guest, slot), await cancel(guest, slot));
    return asked.map(({ headers }) => askedOf(headers));
  };
  // The first booking of somebody makes a card.
  await costs(slots[0]);
  await publishOn(20);
  const publishedWithout = await publishOn(21);
  const without = await costs(slots[1]);
  // Each day has an event, which is over when the times begin.
  const midnight = Date.parse(`${isoDate(1)}T00:00:00Z`);
  await blockedBy(
    ana,
    Array.from({ length: 30 }, (_, nth) => ({ at: midnight + nth * 86_400_000 + 3_600_000 })),
  );
  expect(await costs(slots[2] as Row)).toEqual(without);
  // Each of the two times is looked up by the key: the event of the day before it, and where the range ends.
  expect((await publishOn(22)) - publishedWithout).toBeLessThanOrEqual(2 * 3);
});

test('nothing of an address or an event is in the log, whatever becomes of it', async () => {
  const ana = await newProvider();
  await blockedBy(ana, [{ at: Date.now() + 86_400_000 }], 'Logged');
  for (const status of [302, 401, 500]) {
    elsewhere.serve('/secret-log.ics', (_, response) => response.writeHead(status, { Location: '//10.0.0.1/' }).end());
    const url = elsewhere.at('/secret-log.ics');
    const { json } = await ana.api('PUT', '/api/Account/SetBusyFeeds', { feeds: [{ name: 'Logged', url }] });
    expect((json as [Feed])[0].doubts).toHaveLength(1);
  }
  await expect.poll(() => logged.filter((line) => line.includes('SetBusyFeeds')).length).toBeGreaterThan(3);
  expect(logged.join('\n')).not.toMatch(/secret-|A secret visit|127\.0\.0\.1:|Logged/);
});
