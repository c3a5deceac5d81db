import { describe, expect, test } from 'vitest';
import { type CalendarEvent, readCalendar } from '../../support/calendars';
import { complaints } from '../../support/complaints';
import {
  book,
  cancel,
  dayAhead,
  type Person,
  password,
  peopleAt,
  publish,
  publishOne,
  type Row,
} from '../../support/factories';
import { newGuest } from '../../support/guests';
import { createMeetup, createParty, publishQuestions, rsvp } from '../../support/party-factories';
import { writePast } from '../../support/stored-bookings';
import { useServer, useWorld } from '../../support/use-server';
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
    const templateId = await publishQuestions(provider, [{ questionText: 'Why?' }]);
    const [slot] = (await publish(provider, { notes: 'Ring twice' }, `templateId=${templateId}`)) as [Row];
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
    expect(off).toMatchObject({ method: 'CANCEL', status: 'CANCELLED', alarms: [] });
    expect(off.sequence).toBeGreaterThan(hers.sequence);
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
    const read = () => Promise.all(links.map((link) => eventOf(link, party)));
    const before = await read();
    expect(before.map(({ status }) => status)).toEqual(['CONFIRMED', 'CONFIRMED']);
    await provider.api('DELETE', `/api/Party/DeleteParty?id=${party.id}`);
    for (const [place, { status, sequence }] of (await read()).entries()) {
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
      .prepare('UPDATE bookings SET canceled_at = canceled_at - 32 * 86400000 WHERE id = ?')
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

/** As if they had logged in half an hour ago. */
const age = ({ displayName }: Person) =>
  daybook.d1
    .prepare(
      'UPDATE sessions SET created_at = created_at - 1800000 WHERE account_id = (SELECT id FROM accounts WHERE display_name = ?)',
    )
    .bind(displayName)
    .run();

describe('making a feed', () => {
  test('ends the one before, in all its forms, also by a call that is sent again', async () => {
    // A key of a call makes no difference.
    const sent = { 'idempotency-key': 'once' };
    const { link: first, busyLink } = await makeFeeds(maya, sent);
    const tag = (await fetchFeed(first)).headers.get('etag') ?? '';
    const { link: second, busyLink: secondBusy } = await makeFeeds(maya, sent);
    expect(second).not.toBe(first);
    expect((await fetchFeed(secondBusy)).status).toBe(200);
    for (const link of [first, `${first}?busy=true`, busyLink]) expect((await fetchFeed(link, tag)).status).toBe(404);
    expect((await fetchFeed(second)).status).toBe(200);
  });

  test('asks for the password where the login is older than half an hour, by the call and on the screen', async () => {
    const who = await newConsumer();
    const feed = await makeFeed(who);
    await age(who);
    for (const body of [undefined, {}, { password: 'Wrong horse 1' }]) {
      expect(complaints(await who.api('POST', '/api/Account/MakeFeed', body))).toEqual([
        expect.stringMatching(/password/),
      ]);
    }
    expect((await fetchFeed(feed)).status).toBe(200);
    const page = await who.browser.get('/calendar');
    const refused = await page.submit('Make a new link', { password: 'Wrong horse 1' });
    expect([refused.status, refused.words]).toEqual([400, expect.stringContaining('not your current password')]);
    expect((await refused.submit('Make a new link', { password })).words).toContain('Your calendar links are ready.');
    expect((await fetchFeed(feed)).status).toBe(404);
    expect((await who.api('POST', '/api/Account/MakeFeed', { password })).status).toBe(201);
  });

  test('asks nobody who has just logged in, and no guest', async () => {
    const [who, guest] = [await newConsumer(), await newGuest(daybook)];
    await age(guest);
    for (const { browser } of [who, guest])
      expect((await browser.get('/calendar')).$('input[name=password]')).toBeNull();
    await makeFeed(guest);
  });

  test('keeps no key in the book, and no feed is found by a key of another form', async () => {
    const { link, busyLink } = await makeFeeds(ana);
    expect((await fetchFeed(busyLink)).status).toBe(200);
    const key = link.slice('/calendar/'.length, -'.ics'.length);
    const { results } = await daybook.d1.prepare('SELECT * FROM feeds').all();
    expect(JSON.stringify(results)).not.toContain(key);
    expect(JSON.stringify(results)).not.toContain(busyLink.slice('/calendar/'.length, -'.ics'.length));
    for (const wrong of [key, `${key}x.ics`, 'a.ics', '.ics', '%00.ics'])
      expect((await fetchFeed(`/calendar/${wrong}`)).status, wrong).toBe(404);
    expect((await fetchFeed(`/Calendar/${key}.ICS`)).status).toBe(200);
  });
});

describe('a new password', () => {
  const newPassword = 'Better horse 2';

  test('ends the feeds where that is ticked, and no others: on the profile, and by a recovery code on the screen and by the call', async () => {
    const makeCode = async ({ api }: Person) =>
      ((await api('POST', '/api/Account/MakeRecoveryCodes', { password })).json as string[])[0] ?? '';
    const ways: ((who: Person, endFeeds: boolean) => Promise<unknown>)[] = [
      async ({ browser }, endFeeds) =>
        (await browser.get('/profile')).submit('Change password', { password, newPassword, endFeeds }),
      async (who, endFeeds) => {
        const page = await daybook.visitor().get('/reset-password');
        const fields = { username: who.username, code: await makeCode(who), password: newPassword, endFeeds };
        expect((await page.submit('Set the new password', fields)).path).toBe('/login?reset=yes');
      },
      async (who, endFeeds) => {
        const body = { username: who.username, code: await makeCode(who), password: newPassword, endFeeds };
        expect((await daybook.visitor().api('PUT', '/api/Account/ResetPassword', body)).status).toBe(200);
      },
    ];
    for (const [place, change] of ways.entries()) {
      for (const [endFeeds, status] of [
        [false, 200],
        [true, 404],
      ] as const) {
        const who = await newConsumer();
        const feed = await makeFeed(who);
        await change(who, endFeeds);
        expect([place, (await fetchFeed(feed)).status]).toEqual([place, status]);
        if (place === 0 && endFeeds) expect((await who.browser.get('/profile')).$('input[name=endFeeds]')).toBeNull();
      }
    }
  });
});

/* Beside each file for a calendar stand links that add the same to the calendars of Google, Outlook and Apple. */

const stamped = (instant: string) => `${instant.slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
type Entry = { startsAt: string; endsAt: string };

/** Finds the links, and compares what they tell those calendars with the entry. */
function expectLinks(page: Page, { startsAt, endsAt }: Entry, title: string, location: string): void {
  const hrefs = page.$$('a[data-file]').map((link) => new URL(link.getAttribute('href') ?? '', daybook.url));
  const at = (host: string) => hrefs.find(({ hostname }) => hostname === host);
  const google = at('calendar.google.com')?.searchParams;
  const dates = `${stamped(startsAt)}/${stamped(endsAt)}`;
  expect([google?.get('text'), google?.get('dates'), google?.get('location')]).toEqual([title, dates, location]);
  const outlook = at('outlook.live.com')?.searchParams;
  expect([outlook?.get('subject'), outlook?.get('startdt'), outlook?.get('enddt'), outlook?.get('location')]).toEqual([
    title,
    new Date(startsAt).toISOString(),
    new Date(endsAt).toISOString(),
    location,
  ]);
  expect(hrefs.filter(({ pathname }) => pathname.endsWith('/daybook.ics'))).not.toEqual([]);
  // No link tells another company how to change the booking.
  const outside = hrefs.filter(({ origin }) => origin !== daybook.url).map(({ href }) => decodeURIComponent(href));
  expect(outside.filter((href) => /booking\/|answer\/|meetup-rsvp\//.test(href))).toEqual([]);
}

const where = 'Rua da Rosa 112, Lisboa';

test('an appointment has links to web calendars where it was just booked, on its page, and at its personal link', async () => {
  const sousa = await newProvider({ displayName: 'Ana Sousa' });
  await sousa.api('PUT', '/api/Account/SetProfile', { address: where });
  const [slot, other] = (await publish(sousa, { end: '10:00' })) as [Row, Row];
  await book(maya, slot);
  expectLinks(await maya.browser.get(`/view?booked=${slot.id}`), slot, 'Ana Sousa', where);
  expectLinks(await maya.browser.get(`/details-cancel/${slot.id}`), slot, 'Ana Sousa', where);
  const guest = await newGuest(daybook);
  const { link } = (await book(guest, other)).json as { link: string };
  expectLinks(await daybook.visitor().visit(link), other, 'Ana Sousa', where);
});

test('a party and a meetup have them for whoever comes', async () => {
  const party = await createParty(ana, { title: 'Ten years', address: where });
  expect((await daybook.visitor().get(`/party/${party.id}`)).$('a[href*="calendar.google.com"]')).toBeNull();
  expect((await rsvp(maya, party)).status).toBe(200);
  expectLinks(await maya.browser.get(`/party/${party.id}`), party, 'Ten years', where);
  const meetup = await createMeetup(ana, { title: 'Open chairs', address: where, attendees: ['Pia'] });
  const id = meetup.attendees[0]?.id ?? '';
  const letter = await daybook.visitor().get(`/meetup-rsvp/${id}`);
  expect(letter.$('a[href*="calendar.google.com"]')).toBeNull();
  expectLinks(await letter.submit('Accept'), meetup, 'Open chairs', where);
});
