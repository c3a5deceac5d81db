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
import { cardsOf } from '../../support/people';
import { storedRows, useServer, useWorld } from '../../support/use-server';
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
  const response = await set(who, [{ name, url }]);
  expect(response.status).toBe(200);
  const [feed] = response.json as [Feed];
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
/** What a provider's news say of other calendars. */
const calendarNewsOf = async (who: Person) =>
  (await newsOf(who)).filter(({ kind }) => kind === 'overlap' || kind === 'unread-calendar');
/** When the times begin that people are offered of a provider tomorrow. */
const offeredTimes = async (host: Person) => startTimes(await openSlotsOf(june, host, { dates: dayAhead(1) }));
const offeredDates = async (host: Person) =>
  (await maya.api('GET', `/api/Appointment/GetDates?provider=${host.username}`)).json;
const tenToTwelve = { date: dayAhead(1), startTime: '10:00', endTime: '12:00' };
/** Slots of half an hour tomorrow from nine to one. */
const publishMorning = async (host: Person) => publish(host, { end: '13:00' }, 'len=30');

describe('a provider’s own party', () => {
  /** A provider with times tomorrow morning, and a party from ten to twelve. */
  async function withParty() {
    const host = await newProvider();
    await publishMorning(host);
    return { host, party: await createParty(host, tenToTwelve) };
  }

  test('takes its time out of what is offered', async () => {
    const { host } = await withParty();

    expect(await offeredTimes(host)).toEqual(['09:00', '09:30', '12:00', '12:30']);
  });

  test('blocks nothing where the provider’s rule is off', async () => {
    const { host } = await withParty();

    await setRules(host, { partiesBlock: false });

    expect(await offeredTimes(host)).toHaveLength(8);
  });

  test('blocks again once the rule is on again', async () => {
    const { host } = await withParty();
    await setRules(host, { partiesBlock: false });

    await setRules(host, { partiesBlock: true });

    expect(await offeredTimes(host)).toEqual(['09:00', '09:30', '12:00', '12:30']);
  });

  test('takes the date of a whole day out of the dates', async () => {
    const { host, party } = await withParty();

    await partyCalls.edit(host, party, { startTime: '08:00', endTime: '20:00' });

    expect(await offeredTimes(host)).toEqual([]);
    expect(await offeredDates(host)).toEqual([]);
  });

  test('takes its times out of the provider’s page', async () => {
    const { host, party } = await withParty();

    await partyCalls.edit(host, party, { startTime: '08:00', endTime: '20:00' });

    expect((await daybook.visitor().get(`/with/${host.username}`)).words).not.toContain('09:00');
  });

  test('gives its times back when it is moved', async () => {
    const { host, party } = await withParty();

    await partyCalls.edit(host, party, { date: dayAhead(2) });

    expect(await offeredTimes(host)).toHaveLength(8);
    expect((await daybook.visitor().get(`/with/${host.username}`)).words).toContain('09:00');
  });

  test('gives its times back when it is deleted', async () => {
    const { host, party } = await withParty();

    await partyCalls.remove(host, party);

    expect(await offeredTimes(host)).toHaveLength(8);
    expect(await offeredDates(host)).toEqual([dayAhead(1)]);
  });

  describe('beside another one', () => {
    async function withTwoParties() {
      const { host, party } = await withParty();
      await createParty(host, { date: dayAhead(1), startTime: '12:30', endTime: '13:00' });
      return { host, party };
    }

    test('gives its own times back alone when it is moved', async () => {
      const { host, party } = await withTwoParties();

      await partyCalls.edit(host, party, { date: dayAhead(2) });

      expect(await offeredTimes(host)).toEqual(['09:00', '09:30', '10:00', '10:30', '11:00', '11:30', '12:00']);
    });

    test('gives its own times back alone when it is deleted', async () => {
      const { host, party } = await withTwoParties();

      await partyCalls.remove(host, party);

      expect(await offeredTimes(host)).toEqual(['09:00', '09:30', '10:00', '10:30', '11:00', '11:30', '12:00']);
    });
  });

  test('blocks nothing of another provider', async () => {
    await withParty();
    const rival = await newProvider();

    await publishMorning(rival);

    expect(await offeredTimes(rival)).toHaveLength(8);
  });
});

describe('a provider’s own meetup', () => {
  const elevenToTwelve = { ...tenToTwelve, startTime: '11:00' };

  test('takes its time out of what is offered', async () => {
    const host = await newProvider();
    await publishMorning(host);

    await createMeetup(host, elevenToTwelve);

    expect(await offeredTimes(host)).toEqual(['09:00', '09:30', '10:00', '10:30', '12:00', '12:30']);
  });

  test('gives its times back when it is deleted', async () => {
    const host = await newProvider();
    await publishMorning(host);
    const meetup = await createMeetup(host, elevenToTwelve);

    await host.api('DELETE', `/api/meetup/DeleteMeetup?id=${meetup.id}`);

    expect(await offeredTimes(host)).toHaveLength(8);
  });
});

describe('busy time', () => {
  /** A provider with times tomorrow morning, where Maya has booked ten and a party lasts until noon. */
  async function withBusyMorning() {
    const host = await newProvider();
    const [nine, , ten, half] = (await publishMorning(host)) as [Row, Row, Row, Row];
    await book(maya, ten);
    await createParty(host, { ...tenToTwelve, title: 'Summer party' });
    const refusal = { status: 409, json: `${host.displayName} has something else at that time.` };
    return { host, nine, ten, half, refusal };
  }
  const move = (who: Person, from: Row, to: Row) => who.api('PUT', `/api/Appointment/Move?id=${from.id}&to=${to.id}`);

  test('can’t be booked', async () => {
    const { half, refusal } = await withBusyMorning();

    expect(await book(june, half)).toMatchObject(refusal);
  });

  test('can’t be moved to by a client', async () => {
    const { nine, half, refusal } = await withBusyMorning();
    await book(june, nine);

    expect(await move(june, nine, half)).toMatchObject(refusal);
  });

  test('can be moved to by its provider', async () => {
    const { host, nine, half } = await withBusyMorning();
    await book(june, nine);

    expect((await move(host, nine, half)).status).toBe(200);
  });

  test('is not offered again where a booking in it ends', async () => {
    const { host, ten } = await withBusyMorning();

    expect(await cancel(maya, ten)).toMatchObject({ status: 200 });

    expect(await offeredTimes(host)).not.toContain('10:00');
  });

  test('is named to its provider in the list of open times', async () => {
    const { host } = await withBusyMorning();

    const open = await host.browser.get(`/view-open?day=${isoAhead(1)}`);

    expect(open.words).toContain('Not offered: Summer party');
  });

  test('does not count among the free times of its day', async () => {
    const { host } = await withBusyMorning();
    const offered = await offeredTimes(host);

    const open = await host.browser.get(`/view-open?day=${isoAhead(1)}`);

    expect(open.$(`a[href*="day=${isoAhead(1)}"]`)?.textContent).toContain(`${offered.length} free`);
  });

  test('is named to its provider who books a known person', async () => {
    const { host, half } = await withBusyMorning();
    const [card] = await cardsOf(host);

    const choice = await host.browser.get(`/people/${card?.id}/book?day=${dayAhead(1)}`);

    expect(choice.$(`button[value="${half.id}"]`)?.textContent).toContain('Not offered: Summer party');
  });

  test('is named to its provider who asks why a time is not offered', async () => {
    const { host } = await withBusyMorning();

    const why = await host.browser.visit(`/hours?date=${isoAhead(1)}&time=10:30`);

    expect(why.words).toContain('“Summer party” is from 10:00 to 12:00');
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

    expect(await offeredTimes(host)).toEqual([]);
    expect(await brokenRules(daybook.d1, { texts: false })).toEqual([]);
  });
});

describe('a list of other calendars', () => {
  /** A provider who has given two calendars: of nine and three o'clock, and of eleven. */
  async function withTwo() {
    const eva = await newProvider();
    const { url } = elsewhere.add([{ at: tomorrowAt(9) }, { at: tomorrowAt(15) }]);
    const { url: other } = elsewhere.add([{ at: tomorrowAt(11) }]);
    const response = await set(eva, [
      { name: 'Private', url },
      { name: 'Club', url: other },
    ]);
    return { eva, url, response, feeds: response.json as [Feed, Feed] };
  }

  test('is answered with what was read at once', async () => {
    const { feeds } = await withTwo();

    const host = expect.stringMatching(/^127\.0\.0\.1:\d+$/);
    expect(feeds).toMatchObject([
      { name: 'Private', host, events: 2, doubts: [] },
      { name: 'Club', host, events: 1, doubts: [] },
    ]);
  });

  test('is given as it was answered', async () => {
    const { eva, feeds } = await withTwo();

    expect(await feedsOf(eva)).toEqual(feeds);
  });

  test('blocks the times of each calendar', async () => {
    const { eva } = await withTwo();

    expect(await startsOf(eva)).toEqual([9, 11, 15].map(tomorrowAt));
  });

  test('may have a calendar that another provider has too', async () => {
    const { url } = await withTwo();
    const ana = await newProvider();

    await set(ana, [{ name: 'Room', url }]);

    expect(await startsOf(ana)).toEqual([tomorrowAt(9), tomorrowAt(15)]);
  });

  test('is in the provider’s own export', async () => {
    const { eva } = await withTwo();

    expect((await eva.api('GET', '/api/Account/Export')).text).toContain('otherCalendars');
  });

  test('tells no address and no event, neither in the answer, the export nor the book', async () => {
    const { eva, response } = await withTwo();

    const exported = await eva.api('GET', '/api/Account/Export');
    const { results } = await daybook.d1.prepare('SELECT * FROM busy_feeds').all();

    expect(response.text).not.toMatch(/secret-|A secret/);
    expect(exported.text).not.toMatch(/secret-|A secret/);
    expect(JSON.stringify(results)).not.toMatch(/secret-|A secret/);
  });

  test('may be named anew and turned round, and each calendar keeps its address', async () => {
    const { eva, feeds } = await withTwo();
    const turned = [
      { id: feeds[1].id, name: 'Elf' },
      { id: feeds[0].id, name: 'Private' },
    ];

    expect((await set(eva, turned)).json).toMatchObject(turned);

    expect(await startsOf(eva)).toEqual([9, 11, 15].map(tomorrowAt));
  });

  test('frees the times of a calendar that is left out', async () => {
    const { eva, feeds } = await withTwo();

    await set(eva, [{ id: feeds[1].id, name: 'Club' }]);

    expect(await startsOf(eva)).toEqual([tomorrowAt(11)]);
  });

  test.each([
    ['an address that may not be asked', () => [{ name: 'A', url: 'https://10.0.0.1/x' }]],
    ['no address', () => [{ name: 'A' }]],
    ['no name', () => [{ name: '', url: elsewhere.add([]).url }]],
    ['more than five calendars', () => Array(6).fill({ name: 'A', url: elsewhere.add([]).url })],
  ])('is refused with %s', async (_, makeFeeds) => {
    const eva = await newProvider();

    expect((await set(eva, makeFeeds())).status).toBe(400);

    expect(await feedsOf(eva)).toEqual([]);
  });

  test('is refused with a calendar of another provider', async () => {
    const [eva, rival] = [await newProvider(), await newProvider()];
    const theirs = await blockedBy(rival, []);

    expect((await set(eva, [{ id: theirs.id, name: 'Mine now' }])).status).toBe(404);

    expect(await feedsOf(eva)).toEqual([]);
  });
});

describe('an event of another calendar', () => {
  const atNine = [{ at: tomorrowAt(9), minutes: 15 }];
  /** A provider with nine o'clock tomorrow, and a calendar with this. */
  async function withCalendar(events: Parameters<typeof calendarOf>[0]) {
    const eva = await newProvider();
    const slot = await publishOne(eva);
    return { eva, slot, feed: await blockedBy(eva, events) };
  }

  test('keeps its time from being offered', async () => {
    const { eva } = await withCalendar(atNine);

    expect(await offeredTimes(eva)).toEqual([]);
  });

  test('keeps its time from being booked', async () => {
    const { slot } = await withCalendar(atNine);

    expect((await book(maya, slot)).status).toBe(409);
  });

  test('frees its time once it is no longer there', async () => {
    const { eva, slot, feed } = await withCalendar(atNine);

    await feed.readAgain([{ at: tomorrowAt(12) }]);

    expect(await offeredTimes(eva)).toEqual(['09:00']);
    expect((await book(maya, slot)).status).toBe(200);
  });

  test('is no news where no booking is at its time', async () => {
    const { eva, slot, feed } = await withCalendar([]);
    await book(maya, slot);

    await feed.readAgain([{ at: tomorrowAt(12) }, { at: tomorrowAt(14) }]);

    expect(await calendarNewsOf(eva)).toEqual([]);
  });

  test('replaces the times that it blocked before', async () => {
    const { eva, feed } = await withCalendar([{ at: tomorrowAt(12) }, { at: tomorrowAt(14) }]);

    await feed.readAgain([...atNine, { at: tomorrowAt(14) }]);

    expect(await startsOf(eva)).toEqual([tomorrowAt(9), tomorrowAt(14)]);
  });

  test('is news where it overlaps a booking', async () => {
    const { eva, slot, feed } = await withCalendar([]);
    await book(maya, slot);

    await feed.readAgain(atNine);

    expect(await calendarNewsOf(eva)).toMatchObject([
      { kind: 'overlap', text: expect.stringContaining(maya.displayName), link: `/view-provider/${slot.id}` },
    ]);
  });

  test('is news once, though it becomes longer', async () => {
    const { eva, slot, feed } = await withCalendar([]);
    await book(maya, slot);
    await feed.readAgain(atNine);

    await feed.readAgain([{ at: tomorrowAt(9), minutes: 30 }]);

    expect(await calendarNewsOf(eva)).toHaveLength(1);
  });
});

describe('a calendar that can’t be read', () => {
  const toANetwork: RequestListener = (_, response) =>
    response.writeHead(302, { Location: 'http://192.168.0.1/' }).end();
  async function withBrokenCalendar() {
    const eva = await newProvider();
    const feed = await blockedBy(eva, [{ at: tomorrowAt(9) }]);
    const broken = await feed.readAgain(toANetwork);
    return { eva, feed, broken };
  }

  test('says why', async () => {
    const { broken } = await withBrokenCalendar();

    expect(broken.doubts).toEqual(['Its address leads to no public server.']);
  });

  test('blocks what it said last', async () => {
    const { eva } = await withBrokenCalendar();

    expect(await startsOf(eva)).toEqual([tomorrowAt(9)]);
  });

  test('is no news on the first day', async () => {
    const { eva } = await withBrokenCalendar();

    expect(await calendarNewsOf(eva)).toEqual([]);
  });

  test('is news after a day, once', async () => {
    const { eva, feed } = await withBrokenCalendar();
    await daybook.d1.prepare('UPDATE busy_feeds SET read_at = read_at - 86400001 WHERE id = ?').bind(feed.id).run();

    for (const _ of ['once', 'again']) await feed.readAgain(toANetwork);

    const text = 'We have not been able to read your calendar Private for a day. It blocks what it said last.';
    expect(await calendarNewsOf(eva)).toMatchObject([{ text, link: '/other-calendars' }]);
  });
});

describe('another calendar', () => {
  test('goes with the account', async () => {
    const eva = await newProvider();
    const { id } = await blockedBy(eva, [{ at: tomorrowAt(9) }]);
    expect(JSON.stringify(await storedRows(daybook))).toContain(id);

    expect((await eva.api('DELETE', '/api/Account/Delete', { password })).status).toBe(204);

    expect(JSON.stringify(await storedRows(daybook))).not.toContain(id);
  });

  test('says when it was read last, where its server said that it is unchanged', async () => {
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
    let respond: () => void = () => undefined;
    let url = '';
    const isAsked = new Promise<void>((asked) => {
      ({ url } = elsewhere.add((_, response) => {
        const head = { 'Content-Type': 'text/calendar' };
        respond = () => response.writeHead(200, head).end(calendarOf([{ at: tomorrowAt(9) }]));
        asked();
      }));
    });
    const setting = set(eva, [{ name: 'Private', url }]);
    await isAsked;

    const removal = set(eva, []);
    await expect.poll(() => feedsOf(eva)).toEqual([]);
    respond();

    expect((await setting).json).toEqual([]);
    expect((await removal).json).toEqual([]);
    expect(await startsOf(eva)).toEqual([]);
    expect(await feedsOf(eva)).toEqual([]);
  });
});

describe('its provider', () => {
  /** A calendar with an event at nine tomorrow, in a zone that nobody knows. */
  async function withDoubtfulEvent() {
    const ana = await newProvider();
    await publishOne(ana);
    const event = calendarOf([{ at: tomorrowAt(9), minutes: 30 }]).replace(
      /DTSTART:(\w+)Z/,
      'DTSTART;TZID=Middle Earth:$1',
    );
    await blockedBy(ana, event, 'Family');
    return ana;
  }

  test('sees its events in the week by the name of the calendar', async () => {
    const ana = await withDoubtfulEvent();

    const week = await ana.browser.get(`/week?from=${dayAhead(1)}`);

    const drawn = week.$$('.week-item.is-busy').map((item) => item.getAttribute('aria-label'));
    expect(drawn).toEqual(['09:00 Family, to 09:30, Busy']);
  });

  test('sees its events on the day by the name of the calendar', async () => {
    const ana = await withDoubtfulEvent();

    const day = await ana.browser.get(`/day?date=${dayAhead(1)}`);

    expect(day.words).toContain('09:00 to 09:30, Busy in “Family”');
    expect(day.text).not.toContain('A secret visit');
  });

  test('reads why a time is not offered, with what could not be read of the calendar', async () => {
    const ana = await withDoubtfulEvent();

    const page = await ana.browser.visit(`/hours?date=${isoAhead(1)}&time=09:00`);

    expect(page.words).toContain(
      'Something in your calendar Family is from 09:00 to 09:30 (UTC). We read it within the last hour. ' +
        "1 time is in a time zone that we don't know. We read them by your own clock.",
    );
  });

  const address = () => elsewhere.add([{ at: tomorrowAt(9) }, { at: tomorrowAt(33) }]).url;

  test('adds it on the screen, and reads what it found', async () => {
    const form = await (await newProvider()).browser.visit('/other-calendars');

    const added = await form.submit('Add and read it', { name: 'Private', url: address() });

    expect(added.words).toContain(
      'Private: 2 events in the next 90 days, the next tomorrow at 09:00, UTC. Is that right?',
    );
  });

  test('is asked again on the screen for an address that is none, and need not type the name again', async () => {
    const form = await (await newProvider()).browser.visit('/other-calendars');

    const refused = await form.submit('Add and read it', { name: 'Private', url: 'https://10.0.0.1/x.ics' });

    expect(refused.words).toContain('That is no address of a calendar.');
    expect((await refused.submit('Add and read it', { url: address() })).words).toContain('Private: 2 events');
  });

  test('removes it on the screen', async () => {
    const eva = await newProvider();
    await blockedBy(eva, [{ at: tomorrowAt(9) }]);

    const form = await eva.browser.visit('/other-calendars');
    const removed = await form.submit('form:has([name=remove]) button');

    expect(removed.words).toContain('Removed. Its times are free again.');
    expect(await feedsOf(eva)).toEqual([]);
    expect(await startsOf(eva)).toEqual([]);
  });
});

describe('a provider who reads a calendar 30 times in an hour', () => {
  async function readOften() {
    const { url, timesAsked } = elsewhere.add([{ at: tomorrowAt(9) }]);
    const eva = await peopleAt(limited).newProvider();
    const [{ id }] = (await set(eva, [{ name: 'Often', url }])).json as [Feed];
    for (let time = 2; time < 30; time++) expect((await set(eva, [{ id, name: 'Often' }])).status).toBe(200);
    expect((await eva.browser.post('/other-calendars', { again: id })).status).toBe(303);
    return { eva, id, timesAsked };
  }

  test('is refused by the call, and nothing changes', async () => {
    const { eva, id, timesAsked } = await readOften();

    expect((await set(eva, [{ id, name: 'Other' }])).status).toBe(429);

    expect(timesAsked()).toBe(30);
    expect((await feedsOf(eva)).map(({ name }) => name)).toEqual(['Often']);
  });

  test('is refused on the screen, and nobody is asked', async () => {
    const { eva, id, timesAsked } = await readOften();

    expect((await eva.browser.post('/other-calendars', { again: id })).status).toBe(429);

    expect(timesAsked()).toBe(30);
  });
});

describe('with other calendars as without', () => {
  /** A provider with three open times, and what lists, pages, a booking of one and a publication cost. */
  async function measured() {
    const ana = await newProvider();
    const slots = (await publish(ana, { end: '11:00' })) as [Row, Row, Row];
    const guest = await newGuest(daybook);
    // Of one provider, because a range of an index may end at the rows of another, whose key is random.
    const query = `provider=${ana.username}&dates=${dayAhead(1)}`;
    const costs = async (slot: Row) => {
      const asked = [
        await maya.api('GET', `/api/Appointment/GetPage?${query}`),
        await maya.browser.get(`/with/${ana.username}?day=${dayAhead(1)}`),
        await book(guest, slot),
        await cancel(guest, slot),
      ];
      return asked.map(({ headers }) => askedOf(headers));
    };
    const rowsToPublishOn = async (days: number) =>
      askedOf((await createSlots(ana, { end: '10:00', dates: [dayAhead(days)] })).headers).read;
    // Each day has an event, which is over when the times begin.
    const addCalendar = () =>
      blockedBy(
        ana,
        Array.from({ length: 30 }, (_, nth) => ({ at: tomorrowAt(1) + nth * day })),
      );
    return { slots, costs, rowsToPublishOn, addCalendar };
  }

  test('lists, pages and bookings cost as much', async () => {
    const { slots, costs, addCalendar } = await measured();
    // The first booking of somebody makes a card.
    await costs(slots[0]);
    const without = await costs(slots[1]);

    await addCalendar();

    expect(await costs(slots[2])).toEqual(without);
  });

  test('a publication costs one look-up more for each time', async () => {
    const { rowsToPublishOn, addCalendar } = await measured();
    await rowsToPublishOn(20);
    const without = await rowsToPublishOn(21);

    await addCalendar();

    // Each of the two times is looked up by the key: the event of the day before it, and where the range ends.
    expect((await rowsToPublishOn(22)) - without).toBeLessThanOrEqual(2 * 3);
  });
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
