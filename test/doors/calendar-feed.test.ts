import { beforeAll, describe, expect, test } from 'vitest';
import { askedOf } from '../support/asked';
import { type CalendarEvent, readCalendar } from '../support/calendars';
import { book, cancel, dayAhead, type Person, peopleAt, publish, publishOne, type Row } from '../support/factories';
import { createMeetup, createParty, rsvp } from '../support/party-factories';
import { useServer } from '../support/use-server';

const daybook = useServer({ vars: { TIMING: 'on' } });
const { newProvider, newConsumer } = peopleAt(daybook);

const makeFeeds = async ({ api }: Person, sent = {}) => {
  const answer = await api('POST', '/api/Account/MakeFeed', undefined, sent);
  const path = expect.stringMatching(/^\/calendar\/[\w-]{20,}\.ics$/);
  expect([answer.status, answer.json]).toEqual([201, { link: path, busyLink: path }]);
  return answer.json as { link: string; busyLink: string };
};
const makeFeed = async (who: Person, sent = {}) => (await makeFeeds(who, sent)).link;
/** As a calendar program reads it: without cookies. */
const fetchFeed = (link: string, etag?: string) => daybook.visitor().get(link, etag ? { 'if-none-match': etag } : {});
const eventsOf = async (link: string) => readCalendar((await fetchFeed(link)).text).events;
const uid = ({ id }: { id: string }) => `${id}@daybook`;
const eventOf = async (link: string, thing: { id: string }) => (await eventsOf(link)).get(uid(thing)) as CalendarEvent;

let ana: Person;
let maya: Person;
beforeAll(async () => {
  [ana, maya] = await Promise.all([newProvider({ displayName: 'Ana Lima' }), newConsumer({ displayName: 'Maya Ek' })]);
});

describe('a feed', () => {
  test('holds what is booked, canceled, hosted and accepted, as the files of each have it', async () => {
    const [kept, off] = (await publish(ana, { end: '10:00', notes: 'Ring twice' })) as [Row, Row];
    for (const slot of [kept, off]) await book(maya, slot);
    await cancel(maya, off);
    const [party, declined, meetup] = [await createParty(ana), await createParty(ana), await createMeetup(ana)];
    await rsvp(maya, party);
    await rsvp(maya, declined, { accepted: false });
    const [hers, theirs] = [await makeFeed(maya), await makeFeed(ana)];

    const page = await fetchFeed(hers);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8']);
    expect(readCalendar(page.text)).toMatchObject({ method: 'PUBLISH', name: 'Daybook' });
    const mayas = await eventsOf(hers);
    expect([...mayas.keys()].sort()).toEqual([kept, off, party].map(uid).sort());
    for (const slot of [kept, off]) {
      const { text } = await maya.browser.get(`/appointments/${slot.id}/daybook.ics`);
      const { alarms: _, ...filed } = readCalendar(text).events.get(uid(slot)) as CalendarEvent;
      expect(mayas.get(uid(slot))).toMatchObject({ ...filed, description: 'Ring twice', summary: 'Ana Lima' });
    }
    expect([kept, off].map((slot) => mayas.get(uid(slot))?.status)).toEqual(['CONFIRMED', 'CANCELLED']);
    expect(mayas.get(uid(party))).toMatchObject({ summary: 'Garden party', url: `${daybook.url}/party/${party.id}` });

    const anas = await eventsOf(theirs);
    expect([...anas.keys()].sort()).toEqual([kept, off, party, declined, meetup].map(uid).sort());
    expect(anas.get(uid(kept))).toMatchObject({
      summary: 'Maya Ek',
      url: `${daybook.url}/details-provider/${kept.id}`,
      startsAt: kept.startsAt,
      endsAt: kept.endsAt,
    });
    expect(anas.get(uid(meetup))?.url).toBe(`${daybook.url}/manage-meetup/${meetup.id}`);
  });

  test('differs from the file in what it says: that has the answers, the personal link and two alarms', async () => {
    const [provider, consumer] = [await newProvider(), await newConsumer()];
    const { json } = await provider.api('POST', '/api/Checkin/CreateTemplate?templateName=T', [
      { questionText: 'Why?' },
    ]);
    const { id } = (json as { template: { id: string } }).template;
    const [slot] = (await publish(provider, { notes: 'Ring twice' }, `templateId=${id}`)) as [Row];
    const path = `/api/Appointment/Book?id=${slot.id}`;
    const { link } = (await consumer.api('PUT', path, [{ question: 'Why?', answer: 'My knee' }])).json as Row;
    const fileOf = async ({ browser }: Person) => {
      const { method, events } = readCalendar((await browser.get(`/appointments/${slot.id}/daybook.ics`)).text);
      return { method, ...(events.get(uid(slot)) as CalendarEvent) };
    };
    const [hers, theirs] = [await fileOf(consumer), await fileOf(provider)];
    expect(hers.description).toBe(`Ring twice\n\nWhy? My knee\n\n${daybook.url}${link}`);
    expect(theirs.description).toBe('Ring twice\n\nWhy? My knee');
    expect([hers.method, hers.alarms, theirs.alarms]).toEqual(['PUBLISH', [1440, 60], [1440, 60]]);
    await cancel(consumer, slot);
    const off = await fileOf(consumer);
    expect([off.method, off.status, off.alarms, off.sequence > hers.sequence]).toEqual([
      'CANCEL',
      'CANCELLED',
      [],
      true,
    ]);
    expect((await consumer.browser.get(`/details-cancel/${slot.id}`)).words).toContain('Remove from calendar');
  });

  test('that is busy tells when, and nothing of who, what or where', async () => {
    const [provider, consumer] = [await newProvider(), await newConsumer({ displayName: 'Zaphod' })];
    const slot = await publishOne(provider, { notes: 'Secret' });
    await book(consumer, slot);
    const party = await createParty(provider, { title: 'Hidden', address: 'Nowhere 1' });
    const { link, busyLink } = await makeFeeds(provider);
    const { text } = await fetchFeed(busyLink);
    // Whoever has the full link may ask for its times alone; whoever has the busy one gets nothing else.
    expect((await fetchFeed(`${link}?busy=true`)).text).toBe(text);
    for (const asked of ['?busy=false', '?busy=', '?busy=true']) {
      expect((await fetchFeed(busyLink + asked)).text).toBe(text);
    }
    expect(busyLink).not.toContain(link.slice('/calendar/'.length, -'.ics'.length));
    expect(text).not.toMatch(/Zaphod|Secret|Hidden|Nowhere|Lisbon|http|DESCRIPTION|LOCATION/);
    expect(text).not.toContain(provider.displayName);
    const busy = readCalendar(text).events;
    const full = await eventsOf(link);
    for (const thing of [slot, party]) {
      const { startsAt, endsAt, sequence } = full.get(uid(thing)) as CalendarEvent;
      expect(busy.get(uid(thing))).toMatchObject({ startsAt, endsAt, sequence, summary: 'Busy' });
    }
  });

  test('takes out what its host has called off', async () => {
    const [provider, consumer] = [await newProvider(), await newConsumer()];
    const party = await createParty(provider);
    await rsvp(consumer, party);
    const links = [await makeFeed(provider), await makeFeed(consumer)];
    const before = await Promise.all(links.map((link) => eventOf(link, party)));
    expect(before.map(({ status }) => status)).toEqual(['CONFIRMED', 'CONFIRMED']);
    await provider.api('DELETE', `/api/Party/DeleteParty?id=${party.id}`);
    for (const [place, link] of links.entries()) {
      const { status, sequence } = await eventOf(link, party);
      expect(status).toBe('CANCELLED');
      expect(sequence).toBeGreaterThan(before[place]?.sequence ?? 0);
    }
  });

  test('keeps what is moved as one entry, which moves', async () => {
    const [provider, consumer] = [await newProvider(), await newConsumer()];
    const [first, second, third] = (await publish(provider, { end: '10:30' })) as [Row, Row, Row];
    await book(consumer, first);
    const links = [await makeFeed(provider), await makeFeed(consumer)];
    let before = await eventOf(links[0] as string, first);
    const moves: [Person, Row, Row][] = [
      [consumer, first, second],
      [provider, second, third],
    ];
    for (const [who, from, to] of moves) {
      const tags = await Promise.all(links.map(async (link) => (await fetchFeed(link)).headers.get('etag') ?? ''));
      expect((await who.api('PUT', `/api/Appointment/Move?id=${from.id}&to=${to.id}`)).status).toBe(200);
      for (const [place, link] of links.entries()) {
        const page = await fetchFeed(link, tags[place]);
        expect(page.status).toBe(200);
        const { events } = readCalendar(page.text);
        expect([...events.keys()]).toEqual([uid(first)]);
        const moved = events.get(uid(first)) as CalendarEvent;
        expect([moved.status, moved.startsAt, moved.endsAt]).toEqual(['CONFIRMED', to.startsAt, to.endsAt]);
        expect(moved.sequence).toBeGreaterThan(before.sequence);
        expect(moved.url?.endsWith(to.id)).toBe(true);
      }
      before = await eventOf(links[0] as string, first);
    }
    await cancel(consumer, third);
    const off = await eventOf(links[1] as string, first);
    expect([off.status, off.sequence > before.sequence]).toEqual(['CANCELLED', true]);
  });

  test('forgets what was canceled more than 30 days ago', async () => {
    const [provider, consumer] = [await newProvider(), await newConsumer()];
    const slot = await publishOne(provider, { dates: [dayAhead(40)] });
    await book(consumer, slot);
    await cancel(provider, slot);
    const links = [await makeFeed(provider), await makeFeed(consumer)];
    for (const link of links) expect((await eventOf(link, slot)).status).toBe('CANCELLED');
    await daybook.d1
      .prepare('UPDATE slots SET canceled_at = canceled_at - 32 * 86400000 WHERE id = ?')
      .bind(slot.id)
      .run();
    for (const link of links) expect((await eventsOf(link)).size).toBe(0);
  });

  test('is 304 while nothing changes, at three rows and one trip, and new after each change', async () => {
    const [provider, consumer] = [await newProvider(), await newConsumer()];
    const slots = await publish(provider, { end: '12:00' });
    const [theirs, hers] = [await makeFeeds(provider), await makeFeeds(consumer)];
    const links = [theirs.link, hers.link];
    const busyLinks = [theirs.busyLink, hers.busyLink];
    const party = await createParty(provider);
    const changes: (() => Promise<{ status: number }>)[] = [
      () => book(consumer, slots[0] as Row),
      () => book(consumer, slots[1] as Row),
      () => cancel(consumer, slots[0] as Row),
      () => cancel(provider, slots[1] as Row),
      () => rsvp(consumer, party),
      () => provider.api('PUT', `/api/Party/EditParty/${party.id}`, { title: 'Another' }),
      () => provider.api('DELETE', `/api/Party/DeleteParty?id=${party.id}`),
    ];
    for (const [place, change] of changes.entries()) {
      const before = await Promise.all(links.map((link) => fetchFeed(link)));
      const tags = before.map(({ headers }) => headers.get('etag') ?? '');
      for (const [index, link] of links.entries()) {
        for (const tag of [tags[index] as string, `W/${tags[index]}`, `"other", ${tags[index]}`]) {
          const again = await fetchFeed(link, tag);
          expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tags[index]]);
          const { trips, read } = askedOf(again.headers);
          expect(trips).toBe(1);
          expect(read).toBeLessThanOrEqual(3);
        }
        const busy = busyLinks[index] as string;
        const busyTag = (await fetchFeed(busy)).headers.get('etag') ?? '';
        expect((await fetchFeed(busy, busyTag)).status).toBe(304);
        expect((await fetchFeed(`${link}?busy=true`, busyTag)).status).toBe(304);
        for (const [path, tag] of [
          [`${link}?busy=true`, tags[index]],
          [busy, tags[index]],
          [link, busyTag],
        ] as const) {
          expect((await fetchFeed(path, tag)).status).toBe(200);
        }
      }
      expect([200, 204]).toContain((await change()).status);
      for (const [index, link] of links.entries()) {
        // The RSVP is the guest's alone.
        if (place === 4 && index === 0) continue;
        expect([place, index, (await fetchFeed(link, tags[index])).status]).toEqual([place, index, 200]);
      }
    }
    const page = await fetchFeed(links[0] as string);
    expect(askedOf(page.headers).trips).toBe(1);
  });

  test('of somebody with 10,000 past bookings reads a bounded part of them', async () => {
    const [provider, consumer] = [await newProvider(), await newConsumer()];
    const link = await makeFeed(provider);
    await writePast(provider, consumer, 10_000);
    const slot = await publishOne(provider);
    await book(consumer, slot);
    const page = await fetchFeed(link);
    const { events } = readCalendar(page.text);
    expect(events.has(uid(slot))).toBe(true);
    expect(events.size).toBe(201);
    expect(askedOf(page.headers).read).toBeLessThan(201 * 5 + 20);
  });
});

/** As many appointments that are over, each half an hour, going back from yesterday. */
async function writePast(provider: Person, consumer: Person, many: number): Promise<void> {
  const last = Math.floor(Date.now() / 86_400_000) * 86_400_000;
  const rows =
    'FROM json_each(?1), accounts AS host, accounts AS guest WHERE host.username = ?2 AND guest.username = ?3';
  const values = JSON.stringify(Array.from({ length: many }, (_, place) => last - (place + 1) * 1_800_000));
  const run = (sql: string) => daybook.d1.prepare(sql).bind(values, provider.username, consumer.username);
  await daybook.d1.batch([
    run(`INSERT INTO slots (id, provider_id, city, starts_at, ends_at, local_date, time_zone, publication)
      SELECT 'past' || value, host.id, host.city, value, value + 1800000, date(value / 1000, 'unixepoch'), 'UTC', guest.id ${rows}`),
    run(
      `INSERT INTO bookings (slot_id, booker_id, starts_at, booked_at) SELECT 'past' || value, guest.id, value, 1 ${rows}`,
    ),
    run(`UPDATE slots SET status = 1 WHERE publication = (SELECT guest.id ${rows})`),
  ]);
}

describe('making a feed', () => {
  test('ends the one before, in all its forms', async () => {
    const { link: first, busyLink } = await makeFeeds(maya);
    const tag = (await fetchFeed(first)).headers.get('etag') ?? '';
    const { link: second, busyLink: secondBusy } = await makeFeeds(maya);
    expect(second).not.toBe(first);
    expect((await fetchFeed(secondBusy)).status).toBe(200);
    for (const link of [first, `${first}?busy=true`, busyLink]) expect((await fetchFeed(link, tag)).status).toBe(404);
    expect((await fetchFeed(second)).status).toBe(200);
  });

  test('is for whoever is logged in', async () => {
    const { status, json } = await daybook.visitor().api('POST', '/api/Account/MakeFeed');
    expect([status, json]).toEqual([401, expect.any(String)]);
  });

  test('refuses a key that is too long', async () => {
    const long = { 'idempotency-key': 'k'.repeat(201) };
    expect((await maya.api('POST', '/api/Account/MakeFeed', undefined, long)).status).toBe(400);
  });

  test('twice with one key makes one, also where another came between', async () => {
    const key = { 'idempotency-key': 'once' };
    const first = await makeFeed(maya, key);
    expect(await makeFeed(maya, key)).toBe(first);
    expect((await fetchFeed(first)).status).toBe(200);
    const other = await makeFeed(maya);
    expect(await makeFeed(maya, key)).toBe(first);
    expect([(await fetchFeed(first)).status, (await fetchFeed(other)).status]).toEqual([404, 200]);
  });

  test('keeps no key in the book, and no feed is found by a key of another form', async () => {
    const { link, busyLink } = await makeFeeds(ana);
    expect((await fetchFeed(busyLink)).status).toBe(200);
    const key = link.slice('/calendar/'.length, -'.ics'.length);
    const { results } = await daybook.d1.prepare('SELECT * FROM feeds').all();
    expect(JSON.stringify(results)).not.toContain(key);
    expect(JSON.stringify(results)).not.toContain(busyLink.slice('/calendar/'.length, -'.ics'.length));
    for (const wrong of [
      `/calendar/${key}`,
      `/calendar/${key}x.ics`,
      '/calendar/a.ics',
      '/calendar/.ics',
      '/calendar/%00.ics',
    ]) {
      expect([wrong, (await fetchFeed(wrong)).status]).toEqual([wrong, 404]);
    }
    expect((await fetchFeed(`/Calendar/${key}.ICS`)).status).toBe(200);
  });
});
