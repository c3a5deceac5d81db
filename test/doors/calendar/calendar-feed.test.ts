import { describe, expect, test } from 'vitest';
import { type CalendarEvent, readCalendar } from '../../support/calendars';
import { complaints } from '../../support/complaints';
import { book, cancel, type Person, password, peopleAt, publish, publishOne, type Row } from '../../support/factories';
import { newGuest } from '../../support/guests';
import { createMeetup, createParty, rsvp } from '../../support/party-factories';
import { writePast } from '../../support/stored-bookings';
import { held, useServer, useWorld } from '../../support/use-server';
import { askedOf, type Page } from '../../support/visit';

const daybook = useServer();
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

const { ana, maya } = useWorld(daybook, { ana: { displayName: 'Ana Lima' }, maya: { displayName: 'Maya Ek' } });

describe('a feed', () => {
  test('holds what is booked, canceled, hosted and accepted', async () => {
    const [kept, off] = (await publish(ana, { end: '10:00', notes: 'Ring twice' })) as [Row, Row];
    for (const slot of [kept, off]) await book(maya, slot);
    await cancel(maya, off);
    const [party, declined, meetup] = [await createParty(ana), await createParty(ana), await createMeetup(ana)];
    await rsvp(maya, party);
    await rsvp(maya, declined, { accepted: false });
    const page = await fetchFeed(await makeFeed(maya));
    expect(page.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    const { method, name, events } = readCalendar(page.text);
    expect([method, name]).toEqual(['PUBLISH', 'Daybook']);
    expect([...events.keys()].sort()).toEqual([kept, off, party].map(uid).sort());
    const { startsAt, endsAt } = kept;
    // Less than the file of the appointment, which has the answers and the personal link.
    const entry = { startsAt, endsAt, description: 'Ring twice', summary: 'Ana Lima', status: 'CONFIRMED' };
    expect(events.get(uid(kept))).toMatchObject(entry);
    expect(events.get(uid(off))?.status).toBe('CANCELLED');
    expect(events.get(uid(party))).toMatchObject({ summary: 'Garden party', url: `${daybook.url}/party/${party.id}` });
    const anas = await eventsOf(await makeFeed(ana));
    expect([...anas.keys()].sort()).toEqual([kept, off, party, declined, meetup].map(uid).sort());
    const url = `${daybook.url}/details-provider/${kept.id}`;
    expect(anas.get(uid(kept))).toMatchObject({ summary: 'Maya Ek', url });
    expect(anas.get(uid(meetup))?.url).toBe(`${daybook.url}/manage-meetup/${meetup.id}`);
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
    expect((await fetchFeed(`${busyLink}?busy=false`)).text).toBe(text);
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

  test('is 304 while nothing changes, at three rows and one trip, and new after each change', async () => {
    const [provider, consumer] = [await newProvider(), await newConsumer()];
    const [slot] = (await publish(provider, { end: '12:00' })) as [Row];
    const [theirs, hers] = [await makeFeeds(provider), await makeFeeds(consumer)];
    const party = await createParty(provider);
    const tagOf = async (link: string) => (await fetchFeed(link)).headers.get('etag') ?? '';
    // An answer to a party is the guest's alone.
    for (const [change, hosts] of [
      [() => book(consumer, slot), 200],
      [() => rsvp(consumer, party), 304],
      [() => provider.api('DELETE', `/api/Party/DeleteParty?id=${party.id}`), 200],
    ] as const) {
      const [tag, busyTag] = [await tagOf(hers.link), await tagOf(hers.busyLink)];
      const hostsTag = await tagOf(theirs.link);
      for (const known of [tag, `W/${tag}`, `"other", ${tag}`]) {
        const { status, text, headers } = await fetchFeed(hers.link, known);
        expect([status, text, headers.get('etag'), askedOf(headers).trips]).toEqual([304, '', tag, 1]);
        expect(askedOf(headers).read).toBeLessThanOrEqual(3);
      }
      // The times alone have a tag of their own.
      expect((await fetchFeed(`${hers.link}?busy=true`, busyTag)).status).toBe(304);
      expect((await fetchFeed(hers.link, busyTag)).status).toBe(200);
      await change();
      expect((await fetchFeed(hers.link, tag)).status).toBe(200);
      expect((await fetchFeed(theirs.link, hostsTag)).status).toBe(hosts);
    }
    expect((await eventOf(hers.link, party)).status).toBe('CANCELLED');
  });

  test('keeps what is moved as one entry, which moves', async () => {
    const [provider, consumer] = [await newProvider(), await newConsumer()];
    const [first, second] = (await publish(provider, { end: '10:00' })) as [Row, Row];
    await book(consumer, first);
    const link = await makeFeed(provider);
    const { sequence } = await eventOf(link, first);
    expect((await consumer.api('PUT', `/api/Appointment/Move?id=${first.id}&to=${second.id}`)).status).toBe(200);
    const { startsAt, endsAt } = second;
    const moved = { uid: uid(first), status: 'CONFIRMED', startsAt, endsAt, sequence: sequence + 1 };
    for (const feed of [link, await makeFeed(consumer)]) {
      const url = expect.stringMatching(new RegExp(`${second.id}$`));
      expect([...(await eventsOf(feed)).values()]).toMatchObject([{ ...moved, url }]);
    }
  });

  test('of somebody with 10,000 past bookings reads a bounded part of them', async () => {
    const [provider, consumer] = [await newProvider(), await newConsumer()];
    const link = await makeFeed(provider);
    await writePast(daybook.d1, provider, consumer, 10_000);
    const slot = await publishOne(provider);
    await book(consumer, slot);
    const page = await fetchFeed(link);
    const { events } = readCalendar(page.text);
    expect(events.has(uid(slot))).toBe(true);
    expect(events.size).toBe(201);
    expect(askedOf(page.headers).read).toBeLessThan(201 * 5 + 20);
  });
});

describe('making a feed', () => {
  test('ends the one before, in all its forms, also by a call that is sent again; no key is in the book', async () => {
    // A key of a call makes no difference.
    const sent = { 'idempotency-key': 'once' };
    const { link: first, busyLink } = await makeFeeds(maya, sent);
    const tag = (await fetchFeed(first)).headers.get('etag') ?? '';
    const second = await makeFeeds(maya, sent);
    for (const link of [first, `${first}?busy=true`, busyLink]) expect((await fetchFeed(link, tag)).status).toBe(404);
    const rows = JSON.stringify(await held(daybook));
    for (const link of [second.link, second.busyLink]) {
      const [key = ''] = /[\w-]{20,}/.exec(link) ?? [];
      expect([(await fetchFeed(link)).status, rows.includes(key)]).toEqual([200, false]);
      for (const wrong of [key, `${key}x.ics`]) expect((await fetchFeed(`/calendar/${wrong}`)).status, wrong).toBe(404);
    }
  });

  test('asks for the password where the login is older than half an hour, by the call and on the screen', async () => {
    const [who, guest] = [await newConsumer(), await newGuest(daybook)];
    const feed = await makeFeed(who);
    const older = `UPDATE sessions SET created_at = created_at - 1800000
      WHERE account_id IN (SELECT id FROM accounts WHERE display_name IN (?1, ?2))`;
    await daybook.d1.prepare(older).bind(who.displayName, guest.displayName).run();
    for (const body of [undefined, { password: 'Wrong horse 1' }])
      expect(complaints(await who.api('POST', '/api/Account/MakeFeed', body))).toHaveLength(1);
    expect((await fetchFeed(feed)).status).toBe(200);
    const page = await who.browser.get('/calendar');
    const refused = await page.submit('Make a new link', { password: 'Wrong horse 1' });
    expect([refused.status, refused.words]).toEqual([400, expect.stringContaining('not your current password')]);
    expect((await refused.submit('Make a new link', { password })).words).toContain('Your calendar links are ready.');
    expect((await fetchFeed(feed)).status).toBe(404);
    expect((await who.api('POST', '/api/Account/MakeFeed', { password })).status).toBe(201);
    // A guest has none.
    await makeFeed(guest);
  });
});

test.each([
  ['stays', false, 200],
  ['ends', true, 404],
])('a feed %s with a new password where that is ticked: %j', async (_, endFeeds, status) => {
  const newPassword = 'Better horse 2';
  const [changes, resets] = [await newConsumer(), await newConsumer()];
  const feeds = [await makeFeed(changes), await makeFeed(resets)];
  const page = await changes.browser.get('/profile');
  expect((await page.submit('Change password', { password, newPassword, endFeeds })).status).toBe(200);
  const [code] = (await resets.api('POST', '/api/Account/MakeRecoveryCodes', { password })).json as string[];
  const reset = { username: resets.username, code, password: newPassword, endFeeds };
  expect((await daybook.visitor().api('PUT', '/api/Account/ResetPassword', reset)).status).toBe(200);
  for (const feed of feeds) expect((await fetchFeed(feed)).status).toBe(status);
});

/** The links that add the same to the calendars of Google and Outlook, beside the file, compared with the entry. */
function expectLinks(page: Page, { startsAt, endsAt }: { startsAt: string; endsAt: string }, title: string): void {
  const urls = page.$$('a[data-file]').map((link) => new URL(link.getAttribute('href') ?? '', daybook.url));
  const told = (host: string) => Object.fromEntries(urls.find(({ hostname }) => hostname === host)?.searchParams ?? []);
  const [startdt, enddt] = [startsAt, endsAt].map((instant) => new Date(instant).toISOString());
  const dates = `${startdt}/${enddt}`.replaceAll(/[-:]|\.000/g, '');
  expect(told('calendar.google.com')).toMatchObject({ text: title, dates, location: where });
  expect(told('outlook.live.com')).toMatchObject({ subject: title, startdt, enddt, location: where });
  expect(urls.filter(({ pathname }) => pathname.endsWith('/daybook.ics'))).not.toEqual([]);
  // No link tells another company how to change the booking.
  const outside = urls.filter(({ origin }) => origin !== daybook.url).map(({ href }) => decodeURIComponent(href));
  expect(outside.filter((href) => /booking\/|answer\/|meetup-rsvp\//.test(href))).toEqual([]);
}

const where = 'Rua da Rosa 112, Lisboa';

test('an appointment and a party have links to web calendars for whoever comes', async () => {
  const sousa = await newProvider({ displayName: 'Ana Sousa' });
  await sousa.api('PUT', '/api/Account/SetProfile', { address: where });
  const slot = await publishOne(sousa);
  const { link } = (await book(maya, slot)).json as { link: string };
  expectLinks(await daybook.visitor().visit(link), slot, 'Ana Sousa');
  const party = await createParty(ana, { title: 'Ten years', address: where });
  expect((await maya.browser.get(`/party/${party.id}`)).$('a[data-file]')).toBeNull();
  await rsvp(maya, party);
  expectLinks(await maya.browser.get(`/party/${party.id}`), party, 'Ten years');
});
