import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { brokenRules } from '../../habits/invariants';
import { newsOf, setRules } from '../../support/account-calls';
import { create as createSlots, openSlotsOf, startsOf as startTimes } from '../../support/appointment-calls';
import { calendarOf, useCalendars } from '../../support/calendar-server';
import {
  book,
  cancel,
  dayAhead,
  isoAhead,
  type Person,
  password,
  peopleAt,
  publish,
  publishOne,
  type Row,
} from '../../support/factories';
import { newGuest } from '../../support/guests';
import * as partyCalls from '../../support/party-calls';
import { createMeetup, createParty } from '../../support/party-factories';
import { held, useServer, useWorld } from '../../support/use-server';
import { askedOf } from '../../support/visit';

/*
 * What keeps a provider's time from being booked: their own parties and meetups, and other calendars, read from a server that this
 * test plays.
 */

const logged: string[] = [];
const daybook = useServer({
  vars: { ASK_LOOPBACK: 'on', LOG: 'on' },
  log({ level, message }) {
    logged.push(message);
    if (level === 'error') console.error(message);
  },
});
const limited = useServer({ vars: { ASK_LOOPBACK: 'on', RATE_LIMIT: undefined } });
const elsewhere = useCalendars();
const { newProvider } = peopleAt(daybook);
const { maya, june } = useWorld(daybook, { maya: {}, june: {} });

const [hour, day] = [3_600_000, 86_400_000];
const tomorrowAt = (hours: number) => (Math.floor(Date.now() / day) + 1) * day + hours * hour;

type Feed = { id: string; name: string; host: string; readAt: string | null; events: number; doubts: string[] };
const set = (who: Person, feeds: object[]) => who.api('PUT', '/api/Account/SetBusyFeeds', { feeds });
const feedsOf = async (who: Person) => (await who.api('GET', '/api/Account/GetBusyFeeds')).json as Feed[];
/** Gives a provider a calendar alone; `readAgain` serves another one at its address and reads that. */
async function blockedBy(who: Person, given: Parameters<typeof elsewhere.add>[0], name = 'Private') {
  const { url, change } = elsewhere.add(given);
  const answer = await set(who, [{ name, url }]);
  expect(answer.status).toBe(200);
  const [feed] = answer.json as [Feed];
  const readAgain = async (other = given) => {
    change(other);
    return ((await set(who, [{ id: feed.id, name }])).json as [Feed])[0];
  };
  return { ...feed, readAgain };
}

/** When the times that other calendars block for a provider begin. */
async function startsOf({ username }: Person) {
  const { results } = await daybook.d1
    .prepare('SELECT starts_at FROM busy_times JOIN accounts ON id = provider_id WHERE username = ? ORDER BY starts_at')
    .bind(username)
    .all<{ starts_at: number }>();
  return results.map(({ starts_at }) => starts_at);
}
const newsHere = async (who: Person) =>
  (await newsOf(who)).filter(({ kind }) => kind === 'overlap' || kind === 'unread-calendar');
/** What people are offered of a provider tomorrow. */
const offered = async (host: Person) => startTimes(await openSlotsOf(june, host, { dates: dayAhead(1) }));
const offeredDates = async (host: Person) =>
  (await maya.api('GET', `/api/Appointment/GetDates?provider=${host.username}`)).json;
const tenToTwelve = { date: dayAhead(1), startTime: '10:00', endTime: '12:00' };
/** Slots of half an hour tomorrow from nine to one. */
const morning = async (host: Person) => publish(host, { end: '13:00' }, 'len=30');

test('parties and meetups take their time out of every list until they are moved or deleted, by a rule that can be off', async () => {
  const [host, rival] = [await newProvider(), await newProvider()];
  await setRules(host, { partiesBlock: false });
  const party = await createParty(host, tenToTwelve);
  const meetup = await createMeetup(host, { ...tenToTwelve, startTime: '11:00' });
  // Another's blocks nothing.
  await createParty(rival, { ...tenToTwelve, startTime: '08:00' });
  await morning(host);
  expect(await offered(host)).toHaveLength(8);
  await setRules(host, { partiesBlock: true });
  expect(await offered(host)).toEqual(['09:00', '09:30', '12:00', '12:30']);
  await partyCalls.edit(host, party, { startTime: '08:00', endTime: '20:00' });
  expect([await offered(host), await offeredDates(host)]).toEqual([[], []]);
  const page = () => daybook.visitor().get(`/with/${host.username}`);
  expect((await page()).words).not.toContain('09:00');
  await partyCalls.edit(host, party, { date: dayAhead(2) });
  expect(await offered(host)).toEqual(['09:00', '09:30', '10:00', '10:30', '12:00', '12:30']);
  expect((await page()).words).toContain('09:00');
  await host.api('DELETE', `/api/meetup/DeleteMeetup?id=${meetup.id}`);
  await partyCalls.edit(host, party, { date: dayAhead(1), startTime: '08:00' });
  await partyCalls.remove(host, party);
  expect([(await offered(host)).length, await offeredDates(host)]).toEqual([8, [dayAhead(1)]]);
});

describe('busy time', () => {
  test('can’t be booked or moved to but by its provider, who sees what is then; what is booked stands', async () => {
    const host = await newProvider();
    const [nine, , ten, half] = (await morning(host)) as [Row, Row, Row, Row];
    await book(maya, ten);
    await createParty(host, { ...tenToTwelve, title: 'Summer party' });
    const refused = { status: 409, json: `${host.displayName} has something else at that time.` };
    expect(await book(june, half)).toMatchObject(refused);
    await book(june, nine);
    const move = (who: Person) => who.api('PUT', `/api/Appointment/Move?id=${nine.id}&to=${half.id}`);
    expect(await move(june)).toMatchObject(refused);
    const open = await host.browser.get(`/view-open?day=${isoAhead(1)}`);
    expect(open.words).toContain('Not offered: Summer party');
    const why = await host.browser.visit(`/hours?date=${isoAhead(1)}&time=10:30`);
    expect(why.words).toContain('“Summer party” is from 10:00 to 12:00');
    expect((await move(host)).status).toBe(200);
    expect(await cancel(maya, ten)).toMatchObject({ status: 200 });
    expect(await offered(host)).not.toContain('10:00');
  });

  test('begins before or after a booking of the same moment, and the book is right in any order', async () => {
    const host = await newProvider();
    const slots = await publish(host, { end: '14:00' }, 'len=15');
    const rounds = slots.map(async (slot, place) => {
      const { startTime, endTime } = slot;
      const party = () => partyCalls.create(host, { date: dayAhead(1), startTime, endTime });
      const both = place % 2 ? [book(maya, slot), party()] : [party(), book(maya, slot)];
      const statuses = (await Promise.all(both)).map(({ status }) => status).sort();
      expect(['200 201', '201 409']).toContain(statuses.join(' '));
    });
    await Promise.all(rounds);
    expect(await offered(host)).toEqual([]);
    expect(await brokenRules(daybook.d1, { texts: false })).toEqual([]);
  });
});

describe('another calendar', () => {
  test('is read at once, for each who has it, until it is left out, and nothing of its address or its events is told', async () => {
    const [eva, ana] = [await newProvider(), await newProvider()];
    const [url, other] = [[{ at: tomorrowAt(9) }, { at: tomorrowAt(15) }], [{ at: tomorrowAt(11) }]].map(
      (events) => elsewhere.add(events).url,
    );
    const answer = await set(eva, [
      { name: 'Private', url },
      { name: 'Club', url: other },
    ]);
    const feeds = answer.json as [Feed, Feed];
    const host = expect.stringMatching(/^127\.0\.0\.1:\d+$/);
    expect(feeds).toMatchObject([
      { name: 'Private', host, events: 2, doubts: [] },
      { name: 'Club', host, events: 1, doubts: [] },
    ]);
    expect(await feedsOf(eva)).toEqual(feeds);
    await set(ana, [{ name: 'Room', url }]);
    expect(await startsOf(ana)).toEqual([tomorrowAt(9), tomorrowAt(15)]);
    const own = await eva.api('GET', '/api/Account/Export');
    const { results } = await daybook.d1.prepare('SELECT * FROM busy_feeds').all();
    expect(own.text).toContain('otherCalendars');
    expect([answer.text, own.text, JSON.stringify(results)].join()).not.toMatch(/secret-|A secret/);
    // Named anew and in another order, it is asked at the address that it has.
    const turned = [
      { id: feeds[1].id, name: 'Elf' },
      { id: feeds[0].id, name: 'Private' },
    ];
    expect((await set(eva, turned)).json).toMatchObject(turned);
    expect(await startsOf(eva)).toEqual([9, 11, 15].map(tomorrowAt));
    await set(eva, turned.slice(0, 1));
    expect(await startsOf(eva)).toEqual([tomorrowAt(11)]);
  });

  test('is refused without a name or an address that may be asked, beside five others, or by another’s id', async () => {
    const [eva, rival] = [await newProvider(), await newProvider()];
    const theirs = await blockedBy(rival, []);
    const { url } = elsewhere.add([]);
    for (const feeds of [
      [{ name: 'A', url: 'https://10.0.0.1/x' }],
      [{ name: 'A' }],
      [{ name: '', url }],
      Array(6).fill({ name: 'A', url }),
    ])
      expect((await set(eva, feeds)).status, JSON.stringify(feeds)).toBe(400);
    expect((await set(eva, [{ id: theirs.id, name: 'Mine now' }])).status).toBe(404);
    expect(await feedsOf(eva)).toEqual([]);
  });

  test('keeps a time from being offered and booked while its event is there, and tells of a booking that a new one overlaps, once', async () => {
    const eva = await newProvider();
    const slot = await publishOne(eva);
    const feed = await blockedBy(eva, [{ at: tomorrowAt(9), minutes: 15 }]);
    expect([await offered(eva), (await book(maya, slot)).status]).toEqual([[], 409]);
    await feed.readAgain([{ at: tomorrowAt(12) }, { at: tomorrowAt(14) }]);
    expect([await offered(eva), (await book(maya, slot)).status]).toEqual([['09:00'], 200]);
    expect(await newsHere(eva)).toEqual([]);
    await feed.readAgain([{ at: tomorrowAt(9), minutes: 15 }, { at: tomorrowAt(14) }]);
    expect(await startsOf(eva)).toEqual([tomorrowAt(9), tomorrowAt(14)]);
    await feed.readAgain([{ at: tomorrowAt(9), minutes: 30 }]);
    expect(await newsHere(eva)).toMatchObject([
      { kind: 'overlap', text: expect.stringContaining(maya.displayName), link: `/view-provider/${slot.id}` },
    ]);
  });

  test("that can't be read blocks what it said last, says why, and after a day tells its provider once", async () => {
    const eva = await newProvider();
    const feed = await blockedBy(eva, [{ at: tomorrowAt(9) }]);
    const broken: RequestListener = (_, response) => response.writeHead(302, { Location: 'http://192.168.0.1/' }).end();
    expect((await feed.readAgain(broken)).doubts).toEqual(['Its address leads to no public server.']);
    expect([await startsOf(eva), await newsHere(eva)]).toEqual([[tomorrowAt(9)], []]);
    await daybook.d1.prepare('UPDATE busy_feeds SET read_at = read_at - 86400001 WHERE id = ?').bind(feed.id).run();
    for (const _ of ['once', 'again']) await feed.readAgain(broken);
    const text = 'We have not been able to read your calendar Private for a day. It blocks what it said last.';
    expect(await newsHere(eva)).toMatchObject([{ text, link: '/other-calendars' }]);
    // It goes with the account.
    expect(JSON.stringify(await held(daybook))).toContain(feed.id);
    expect((await eva.api('DELETE', '/api/Account/Delete', { password })).status).toBe(204);
    expect(JSON.stringify(await held(daybook))).not.toContain(feed.id);
  });

  test('says when it was read last, also where its server said that it is unchanged', async () => {
    const eva = await newProvider();
    const answered: number[] = [];
    const unlessKnown: RequestListener = ({ headers }, response) => {
      answered.push(headers['if-none-match'] === '"v1"' ? 304 : 200);
      const head = { 'Content-Type': 'text/calendar', ETag: '"v1"' };
      response.writeHead(answered.at(-1) as number, head);
      response.end(answered.at(-1) === 200 ? calendarOf([{ at: tomorrowAt(9) }]) : undefined);
    };
    const { readAt: first, readAgain } = await blockedBy(eva, unlessKnown);

    const { readAt: second } = await readAgain();
    const [{ readAt: listed }] = (await feedsOf(eva)) as [Feed];

    expect(answered).toEqual([200, 304]);
    expect(Date.parse(second as string)).toBeGreaterThan(Date.parse(first as string));
    expect(listed).toBe(second);
    expect(await startsOf(eva)).toEqual([tomorrowAt(9)]);
  });

  test('that is removed while it is read leaves nothing', async () => {
    const eva = await newProvider();
    let answer: () => void = () => undefined;
    let url = '';
    const isAsked = new Promise<void>((asked) => {
      ({ url } = elsewhere.add((_, response) => {
        const head = { 'Content-Type': 'text/calendar' };
        answer = () => response.writeHead(200, head).end(calendarOf([{ at: tomorrowAt(9) }]));
        asked();
      }));
    });
    const setting = set(eva, [{ name: 'Private', url }]);
    await isAsked;
    const removal = set(eva, []);
    await expect.poll(() => feedsOf(eva)).toEqual([]);
    answer();
    expect([(await setting).json, (await removal).json]).toEqual([[], []]);
    expect([await startsOf(eva), await feedsOf(eva)]).toEqual([[], []]);
  });
});

describe('its provider', () => {
  test('sees it in the week and on the day by the name of the calendar, with what could not be read of it', async () => {
    const ana = await newProvider();
    await publishOne(ana);
    const event = calendarOf([{ at: tomorrowAt(9), minutes: 30 }]).replace(
      /DTSTART:(\w+)Z/,
      'DTSTART;TZID=Middle Earth:$1',
    );
    await blockedBy(ana, event, 'Family');
    const week = await ana.browser.get(`/week?from=${dayAhead(1)}`);
    const drawn = week.$$('.week-item.is-busy').map((item) => item.getAttribute('aria-label'));
    expect(drawn).toEqual(['09:00 Family, to 09:30, Busy']);
    const day = await ana.browser.get(`/day?date=${dayAhead(1)}`);
    expect(day.words).toContain('09:00 to 09:30, Busy in “Family”');
    expect(day.text).not.toContain('A secret visit');
    expect((await ana.browser.visit(`/hours?date=${isoAhead(1)}&time=09:00`)).words).toContain(
      'Something in your calendar Family is from 09:00 to 09:30 (UTC). We read it within the last hour. ' +
        "1 time is in a time zone that we don't know. We read them by your own clock.",
    );
  });

  test('adds a calendar on the screen, reads what it found, and removes it', async () => {
    const eva = await newProvider();
    const { url } = elsewhere.add([{ at: tomorrowAt(9) }, { at: tomorrowAt(33) }]);
    const form = await eva.browser.visit('/other-calendars');
    const refused = await form.submit('Add and read it', { name: 'Private', url: 'https://10.0.0.1/x.ics' });
    expect(refused.words).toContain('That is no address of a calendar.');
    const added = await refused.submit('Add and read it', { url });
    expect(added.words).toContain(
      'Private: 2 events in the next 90 days, the next tomorrow at 09:00, UTC. Is that right?',
    );
    const removed = await added.submit('form:has([name=remove]) button');
    expect(removed.words).toContain('Removed. Its times are free again.');
    expect([await feedsOf(eva), await startsOf(eva)]).toEqual([[], []]);
  });
});

test('are read for a provider who presses for it 30 times an hour; then nobody is asked, and nothing changes', async () => {
  const { url, timesAsked } = elsewhere.add([{ at: tomorrowAt(9) }]);
  const eva = await peopleAt(limited).newProvider();
  const [{ id }] = (await set(eva, [{ name: 'Often', url }])).json as [Feed];
  for (let time = 2; time < 30; time++) expect((await set(eva, [{ id, name: 'Often' }])).status).toBe(200);
  expect((await eva.browser.post('/other-calendars', { again: id })).status).toBe(303);
  expect((await set(eva, [{ id, name: 'Other' }])).status).toBe(429);
  expect((await eva.browser.post('/other-calendars', { again: id })).status).toBe(429);
  expect([timesAsked(), (await feedsOf(eva)).map(({ name }) => name)]).toEqual([30, ['Often']]);
});

test('lists, pages and bookings cost as much with other calendars as without, a publication one look-up for each time', async () => {
  const ana = await newProvider();
  const slots = (await publish(ana, { end: '11:00' })) as [Row, Row, Row];
  const query = `provider=${ana.username}&dates=${dayAhead(1)}`;
  const guest = await newGuest(daybook);
  /** Of one provider, because a range of an index may end at the rows of another, whose key is random. */
  const costs = async (slot: Row) => {
    const asked = [
      await maya.api('GET', `/api/Appointment/GetPage?${query}`),
      await maya.browser.get(`/with/${ana.username}?day=${dayAhead(1)}`),
      await book(guest, slot),
      await cancel(guest, slot),
    ];
    return asked.map(({ headers }) => askedOf(headers));
  };
  const publishOn = async (days: number) =>
    askedOf((await createSlots(ana, { end: '10:00', dates: [dayAhead(days)] })).headers).read;
  // The first booking of somebody makes a card.
  await costs(slots[0]);
  await publishOn(20);
  const [published, without] = [await publishOn(21), await costs(slots[1])];
  // Each day has an event, which is over when the times begin.
  await blockedBy(
    ana,
    Array.from({ length: 30 }, (_, nth) => ({ at: tomorrowAt(1) + nth * day })),
  );
  expect(await costs(slots[2])).toEqual(without);
  // Each of the two times is looked up by the key: the event of the day before it, and where the range ends.
  expect((await publishOn(22)) - published).toBeLessThanOrEqual(2 * 3);
});

test('nothing of an address or an event is in the log, whatever becomes of it', async () => {
  const ana = await newProvider();
  const { readAgain } = await blockedBy(ana, [{ at: tomorrowAt(9) }], 'Logged');
  logged.length = 0;
  for (const status of [302, 500])
    await readAgain((_, response) => response.writeHead(status, { Location: '//10.0.0.1/' }).end());
  await expect.poll(() => logged.filter((line) => line.includes('SetBusyFeeds')).length).toBeGreaterThan(1);
  expect(logged.join('\n')).not.toMatch(/secret-|A secret visit|127\.0\.0\.1:|Logged/);
});
