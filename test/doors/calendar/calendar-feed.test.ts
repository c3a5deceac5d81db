import { beforeAll, describe, expect, test } from 'vitest';
import { type CalendarEvent, readCalendar } from '../../support/calendars';
import { complaints } from '../../support/complaints';
import { book, cancel, type Person, password, peopleAt, publish, publishOne, type Row } from '../../support/factories';
import { words } from '../../support/forms';
import { newGuest } from '../../support/guests';
import { createMeetup, createParty, type Party, rsvp } from '../../support/party-factories';
import { writePast } from '../../support/stored-bookings';
import { storedRows, useServer, useWorld } from '../../support/use-server';
import { askedOf, type Page, type PlainResponse } from '../../support/visit';

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { ana, maya } = useWorld(daybook, { ana: { displayName: 'Ana Lima' }, maya: { displayName: 'Maya Ek' } });

/** The link to all of a calendar, and the one to its times alone. */
type Feeds = { link: string; busyLink: string };
type Thing = { id: string };

const askForFeeds = ({ api }: Person, body?: object, sent = {}) => api('POST', '/api/Account/MakeFeed', body, sent);
async function makeFeeds(who: Person, sent = {}): Promise<Feeds> {
  const made = await askForFeeds(who, undefined, sent);
  const path = expect.stringMatching(/^\/calendar\/[\w-]{20,}\.ics$/);
  expect(made.status).toBe(201);
  expect(made.json).toEqual({ link: path, busyLink: path });
  return made.json as Feeds;
}
const makeFeed = async (who: Person) => (await makeFeeds(who)).link;
/** As a calendar program reads it: without cookies. */
const fetchFeed = (link: string, etag?: string) => daybook.visitor().get(link, etag ? { 'if-none-match': etag } : {});
const statusOf = async (link: string, etag?: string) => (await fetchFeed(link, etag)).status;
const tagOf = async (link: string) => (await fetchFeed(link)).headers.get('etag') ?? '';
const timesAlone = (link: string) => `${link}?busy=true`;

const uidOf = ({ id }: Thing) => `${id}@daybook`;
const uidsOf = (things: Thing[]) => things.map(uidOf).sort();
const uidsIn = ({ text }: { text: string }) => [...readCalendar(text).events.keys()].sort();
function entryIn({ text }: { text: string }, thing: Thing): CalendarEvent {
  const entry = readCalendar(text).events.get(uidOf(thing));
  if (!entry) throw new Error(`${thing.id} is not in the feed.`);
  return entry;
}

describe('a feed', () => {
  let feeds: { mayas: PlainResponse; anas: PlainResponse };
  let booked: Row;
  let canceled: Row;
  let accepted: Party;
  let declined: Party;
  let meetup: Party;
  beforeAll(async () => {
    [booked, canceled] = (await publish(ana, { end: '10:00', notes: 'Ring twice' })) as [Row, Row];
    await book(maya, booked);
    await book(maya, canceled);
    await cancel(maya, canceled);
    accepted = await createParty(ana);
    declined = await createParty(ana);
    meetup = await createMeetup(ana);
    await rsvp(maya, accepted);
    await rsvp(maya, declined, { accepted: false });
    feeds = { mayas: await fetchFeed(await makeFeed(maya)), anas: await fetchFeed(await makeFeed(ana)) };
  });

  test('comes as a calendar', () => {
    expect(feeds.mayas.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
  });

  test('is published in the name of Daybook', () => {
    const { method, name } = readCalendar(feeds.mayas.text);

    expect(method).toBe('PUBLISH');
    expect(name).toBe('Daybook');
  });

  test('of a client has bookings, canceled ones too, beside the parties they accepted', () => {
    expect(uidsIn(feeds.mayas)).toEqual(uidsOf([booked, canceled, accepted]));
  });

  test('of a provider has the bookings of others beside all that they host', () => {
    expect(uidsIn(feeds.anas)).toEqual(uidsOf([booked, canceled, accepted, declined, meetup]));
  });

  // The file of the appointment has more: the answers and the personal link.
  test('describes a booking to its client by the notes alone', () => {
    expect(entryIn(feeds.mayas, booked).description).toBe('Ring twice');
  });

  test('names the provider to the client', () => {
    expect(entryIn(feeds.mayas, booked).summary).toBe('Ana Lima');
  });

  test('has a booking at its time', () => {
    const { startsAt, endsAt } = booked;

    expect(entryIn(feeds.mayas, booked)).toMatchObject({ startsAt, endsAt, status: 'CONFIRMED' });
  });

  test('shows a canceled booking as canceled', () => {
    expect(entryIn(feeds.mayas, canceled).status).toBe('CANCELLED');
  });

  test('leads a guest to the page of the party', () => {
    expect(entryIn(feeds.mayas, accepted)).toMatchObject({
      summary: 'Garden party',
      url: `${daybook.url}/party/${accepted.id}`,
    });
  });

  test.each(['client', 'provider'])('has the address of the provider as the place, for the %s', async (reader) => {
    const [provider, client] = await Promise.all([newProvider(), newConsumer()]);
    await provider.api('PUT', '/api/Account/SetProfile', { address: 'Rua da Rosa 5' });
    const slot = await publishOne(provider);
    await book(client, slot);

    const feed = await fetchFeed(await makeFeed(reader === 'client' ? client : provider));

    expect(entryIn(feed, slot).location).toBe('Rua da Rosa 5');
  });

  test('names the client to the provider', () => {
    expect(entryIn(feeds.anas, booked).summary).toBe('Maya Ek');
  });

  test('leads the provider to the booking', () => {
    expect(entryIn(feeds.anas, booked).url).toBe(`${daybook.url}/details-provider/${booked.id}`);
  });

  test('leads the host to where the meetup is managed', () => {
    expect(entryIn(feeds.anas, meetup).url).toBe(`${daybook.url}/manage-meetup/${meetup.id}`);
  });
});

describe('a feed of the times alone', () => {
  let provider: Person;
  let feeds: Feeds;
  let full: PlainResponse;
  let busy: PlainResponse;
  const things: Record<string, Thing> = {};
  beforeAll(async () => {
    provider = await newProvider();
    const slot = await publishOne(provider, { notes: 'Secret' });
    await book(await newConsumer({ displayName: 'Zaphod' }), slot);
    const party = await createParty(provider, { title: 'Hidden', address: 'Nowhere 1' });
    Object.assign(things, { slot, party });
    feeds = await makeFeeds(provider);
    full = await fetchFeed(feeds.link);
    busy = await fetchFeed(feeds.busyLink);
  });

  test('tells nothing of who, what or where', () => {
    expect(busy.text).not.toMatch(/Zaphod|Secret|Hidden|Nowhere|Lisbon|http|DESCRIPTION|LOCATION/);
    expect(busy.text).not.toContain(provider.displayName);
  });

  test.each(['slot', 'party'])('has a %s at its time, as busy', (name) => {
    const thing = things[name] as Thing;
    const { startsAt, endsAt, sequence } = entryIn(full, thing);

    expect(entryIn(busy, thing)).toMatchObject({ startsAt, endsAt, sequence, summary: 'Busy' });
  });

  test('is what the full link gives where it is asked for the times alone', async () => {
    expect((await fetchFeed(timesAlone(feeds.link))).text).toBe(busy.text);
  });

  test('tells no more where it is asked for all', async () => {
    expect((await fetchFeed(`${feeds.busyLink}?busy=false`)).text).toBe(busy.text);
  });

  test('does not have the key of the full one in its link', () => {
    const fullKey = feeds.link.slice('/calendar/'.length, -'.ics'.length);

    expect(feeds.busyLink).not.toContain(fullKey);
  });
});

describe('a feed that is asked for again by its tag', () => {
  /** A provider with a party and an open slot, a client who knows both, and the feeds of the two. */
  async function hostAndClient() {
    const [provider, client] = await Promise.all([newProvider(), newConsumer()]);
    const slot = await publishOne(provider);
    const party = await createParty(provider);
    return { provider, client, slot, party, hosts: await makeFeeds(provider), clients: await makeFeeds(client) };
  }

  describe('while nothing changes', () => {
    let feeds: Feeds;
    beforeAll(async () => {
      const { client, slot, party, clients } = await hostAndClient();
      await book(client, slot);
      await rsvp(client, party);
      feeds = clients;
    });

    test.each<[how: string, write: (tag: string) => string]>([
      ['as it was given', (tag) => tag],
      ['marked as weak', (tag) => `W/${tag}`],
      ['beside another', (tag) => `"other", ${tag}`],
    ])('is not sent, the tag %s', async (_, write) => {
      const tag = await tagOf(feeds.link);

      const { status, text, headers } = await fetchFeed(feeds.link, write(tag));

      expect(status).toBe(304);
      expect(text).toBe('');
      expect(headers.get('etag')).toBe(tag);
    });

    test('takes three rows in one trip', async () => {
      const { headers } = await fetchFeed(feeds.link, await tagOf(feeds.link));

      expect(askedOf(headers).trips).toBe(1);
      expect(askedOf(headers).read).toBeLessThanOrEqual(3);
    });

    test('knows the tag of the times alone for the times alone', async () => {
      const busyTag = await tagOf(feeds.busyLink);

      expect(await statusOf(timesAlone(feeds.link), busyTag)).toBe(304);
      expect(await statusOf(feeds.link, busyTag)).toBe(200);
    });

    test('is not sent where it has no entry', async () => {
      const link = await makeFeed(await newConsumer());

      expect(await statusOf(link, await tagOf(link))).toBe(304);
    });
  });

  type World = Awaited<ReturnType<typeof hostAndClient>>;
  const callOff = ({ provider, party }: World) => provider.api('DELETE', `/api/Party/DeleteParty?id=${party.id}`);

  /** What a change leaves to be said of both feeds to whoever has their tags of before. */
  async function statusesAfter(world: World, change: () => Promise<unknown>) {
    const { hosts, clients } = world;
    const [hostsTag, clientsTag] = [await tagOf(hosts.link), await tagOf(clients.link)];
    await change();
    return { ofHost: await statusOf(hosts.link, hostsTag), ofClient: await statusOf(clients.link, clientsTag) };
  }

  test('is new to both after a booking', async () => {
    const world = await hostAndClient();

    const { ofHost, ofClient } = await statusesAfter(world, () => book(world.client, world.slot));

    expect(ofHost).toBe(200);
    expect(ofClient).toBe(200);
  });

  test('is new to the guest alone after an answer to a party', async () => {
    const world = await hostAndClient();

    const { ofHost, ofClient } = await statusesAfter(world, () => rsvp(world.client, world.party));

    expect(ofHost).toBe(304);
    expect(ofClient).toBe(200);
  });

  test('is new to both after a party is called off', async () => {
    const world = await hostAndClient();
    await rsvp(world.client, world.party);

    const { ofHost, ofClient } = await statusesAfter(world, () => callOff(world));

    expect(ofHost).toBe(200);
    expect(ofClient).toBe(200);
  });

  test('shows a party that was called off as canceled', async () => {
    const world = await hostAndClient();
    await rsvp(world.client, world.party);

    await callOff(world);

    expect(entryIn(await fetchFeed(world.clients.link), world.party).status).toBe('CANCELLED');
  });
});

describe.each(['provider', 'client'] as const)('a booking that is moved, in the feed of its %s', (reader) => {
  let first: Row;
  let second: Row;
  let before: PlainResponse;
  let after: PlainResponse;
  beforeAll(async () => {
    const people = { provider: await newProvider(), client: await newConsumer() };
    [first, second] = (await publish(people.provider, { end: '10:00' })) as [Row, Row];
    await book(people.client, first);
    const link = await makeFeed(people[reader]);
    before = await fetchFeed(link);
    const moved = await people.client.api('PUT', `/api/Appointment/Move?id=${first.id}&to=${second.id}`);
    expect(moved.status).toBe(200);
    after = await fetchFeed(link);
  });

  test('stays the one entry', () => {
    expect(uidsIn(after)).toEqual([uidOf(first)]);
  });

  test('stands at the new time', () => {
    const { startsAt, endsAt } = second;

    expect(entryIn(after, first)).toMatchObject({ startsAt, endsAt, status: 'CONFIRMED' });
  });

  test('counts its sequence up', () => {
    expect(entryIn(after, first).sequence).toBe(entryIn(before, first).sequence + 1);
  });

  test('leads to the new time', () => {
    expect(entryIn(after, first).url).toMatch(new RegExp(`${second.id}$`));
  });
});

describe('a call that makes a feed, sent again with its key', () => {
  const links: Record<string, string> = {};
  let tag = '';
  let made: Feeds;
  let rows = '';
  beforeAll(async () => {
    const who = await newConsumer();
    const sent = { 'idempotency-key': 'once' };
    const { link, busyLink } = await makeFeeds(who, sent);
    Object.assign(links, { 'the full one': link, 'the full one, asked for times': timesAlone(link), busyLink });
    tag = await tagOf(link);
    made = await makeFeeds(who, sent);
    rows = JSON.stringify(await storedRows(daybook));
  });

  test.each(['the full one', 'the full one, asked for times', 'busyLink'])('ends the feed before: %s', async (name) => {
    expect(await statusOf(links[name] as string, tag)).toBe(404);
  });

  describe.each(['link', 'busyLink'] as const)('gives a new %s,', (kind) => {
    const keyOf = () => /[\w-]{20,}/.exec(made[kind])?.[0] ?? '';

    test('which is good', async () => {
      expect(await statusOf(made[kind])).toBe(200);
    });

    test('whose key is not in the book', () => {
      expect(keyOf()).not.toBe('');
      expect(rows).not.toContain(keyOf());
    });

    test('which is good for nothing without its ending', async () => {
      expect(await statusOf(`/calendar/${keyOf()}`)).toBe(404);
    });

    test('which is good for nothing with one more letter', async () => {
      expect(await statusOf(`/calendar/${keyOf()}x.ics`)).toBe(404);
    });
  });
});

test.each<[kind: keyof Feeds, program: string]>([
  ['link', 'Open in my calendar program'],
  ['busyLink', 'Open in a calendar program'],
])('the screen of feeds subscribes a program, Google and Outlook to the %s', async (kind, program) => {
  const who = await newConsumer();
  const address = daybook.url + (await makeFeeds(who))[kind];
  const page = await who.browser.get('/calendar');

  const links = page.$(`input[value="${address}"]`)?.closest('section')?.querySelectorAll('a') ?? [];

  const inProgram = address.replace(/^http:/, 'webcal:');
  expect(Object.fromEntries(links.map((link) => [words(link.text), link.getAttribute('href')]))).toEqual({
    [program]: inProgram,
    Google: `https://calendar.google.com/calendar/r?cid=${encodeURIComponent(inProgram)}`,
    Outlook: `https://outlook.live.com/calendar/0/addfromweb?url=${encodeURIComponent(address)}`,
  });
});

describe('making a feed half an hour after the login', () => {
  const logInEarlier = ({ displayName }: Person) =>
    daybook.d1
      .prepare(
        `UPDATE sessions SET created_at = created_at - 1800000
         WHERE account_id = (SELECT id FROM accounts WHERE display_name = ?)`,
      )
      .bind(displayName)
      .run();
  /** Somebody with a feed who logged in half an hour ago. */
  async function earlierLogin() {
    const who = await newConsumer();
    const feed = await makeFeed(who);
    await logInEarlier(who);
    return { who, feed };
  }

  describe('without the right password', () => {
    const wrong = { password: 'Wrong horse 1' };
    let who: Person;
    let feed = '';
    beforeAll(async () => {
      ({ who, feed } = await earlierLogin());
    });

    test.each([
      ['no', undefined],
      ['a wrong', wrong],
    ])('is refused with %s password', async (_, body) => {
      expect(complaints(await askForFeeds(who, body))).toHaveLength(1);
    });

    test('is refused on the screen', async () => {
      const page = await who.browser.get('/calendar');

      const refused = await page.submit('Make a new link', wrong);

      expect(refused.status).toBe(400);
      expect(refused.words).toContain('not your current password');
    });

    test('leaves the feed before alone', async () => {
      await askForFeeds(who, wrong);

      expect(await statusOf(feed)).toBe(200);
    });

    test('is done on the refused screen once the password is right', async () => {
      const refused = await (await who.browser.get('/calendar')).submit('Make a new link', wrong);

      const done = await refused.submit('Make a new link', { password });

      expect(done.words).toContain('Your calendar links are ready.');
      expect(await statusOf(feed)).toBe(404);
    });
  });

  test('is done with the password', async () => {
    const { who } = await earlierLogin();

    expect((await askForFeeds(who, { password })).status).toBe(201);
  });

  test('asks a guest for no password', async () => {
    const guest = await newGuest(daybook);
    await logInEarlier(guest);

    expect((await askForFeeds(guest)).status).toBe(201);
  });
});

describe.each([
  ['stays', 'left out', false, 200],
  ['ends', 'ticked', true, 404],
])('a feed %s with a new password where its end is %s', (_stays, _ticked, endFeeds, status) => {
  const newPassword = 'Better horse 2';

  test('that is changed on the screen', async () => {
    const who = await newConsumer();
    const feed = await makeFeed(who);

    const page = await who.browser.get('/profile');
    const changed = await page.submit('Change password', { password, newPassword, endFeeds });

    expect(changed.status).toBe(200);
    expect(await statusOf(feed)).toBe(status);
  });

  test('that is set with a recovery code', async () => {
    const who = await newConsumer();
    const feed = await makeFeed(who);
    const [code] = (await who.api('POST', '/api/Account/MakeRecoveryCodes', { password })).json as string[];

    const reset = { username: who.username, code, password: newPassword, endFeeds };
    const changed = await daybook.visitor().api('PUT', '/api/Account/ResetPassword', reset);

    expect(changed.status).toBe(200);
    expect(await statusOf(feed)).toBe(status);
  });
});

describe('the links to web calendars', () => {
  const where = 'Rua da Rosa 112, Lisboa';
  type Shown = { page: Page; entry: { startsAt: string; endsAt: string }; title: string };
  const shown: Record<string, Shown> = {};
  let unanswered: Page;
  beforeAll(async () => {
    const sousa = await newProvider({ displayName: 'Ana Sousa' });
    await sousa.api('PUT', '/api/Account/SetProfile', { address: where });
    const slot = await publishOne(sousa);
    const { link } = (await book(maya, slot)).json as { link: string };
    const party = await createParty(ana, { title: 'Ten years', address: where });
    unanswered = await maya.browser.get(`/party/${party.id}`);
    await rsvp(maya, party);
    Object.assign(shown, {
      'an appointment': { page: await daybook.visitor().visit(link), entry: slot, title: 'Ana Sousa' },
      'an accepted party': {
        page: await maya.browser.get(`/party/${party.id}`),
        entry: party,
        title: 'Ten years',
      },
    });
  });

  test('are not shown before a party is accepted', () => {
    expect(unanswered.$('a[data-file]')).toBeNull();
  });

  describe.each(['an appointment', 'an accepted party'])('of %s', (name) => {
    const urls = () =>
      (shown[name] as Shown).page
        .$$('a[data-file]')
        .map((link) => new URL(link.getAttribute('href') ?? '', daybook.url));
    const fieldsFor = (host: string) =>
      Object.fromEntries(urls().find(({ hostname }) => hostname === host)?.searchParams ?? []);
    const instants = () => {
      const { startsAt, endsAt } = (shown[name] as Shown).entry;
      return { start: new Date(startsAt).toISOString(), end: new Date(endsAt).toISOString() };
    };

    test('tell Google what the entry says', () => {
      const { start, end } = instants();
      const dates = `${start}/${end}`.replaceAll(/[-:]|\.000/g, '');

      expect(fieldsFor('calendar.google.com')).toMatchObject({ text: shown[name]?.title, dates, location: where });
    });

    test('tell Outlook what the entry says', () => {
      const { start, end } = instants();

      const entry = { subject: shown[name]?.title, startdt: start, enddt: end, location: where };
      expect(fieldsFor('outlook.live.com')).toMatchObject(entry);
    });

    test('stand beside the file', () => {
      expect(urls().map(({ pathname }) => pathname)).toContainEqual(expect.stringMatching(/\/daybook\.ics$/));
    });

    test('lead back from the calendar to the letter', () => {
      const { path } = (shown[name] as Shown).page;

      expect(fieldsFor('calendar.google.com').details).toBe(daybook.url + path);
      expect(fieldsFor('outlook.live.com').body).toBe(daybook.url + path);
    });
  });
});

describe('a feed of somebody with 10,000 past bookings', () => {
  let slot: Row;
  let feed: PlainResponse;
  beforeAll(async () => {
    const [provider, client] = await Promise.all([newProvider(), newConsumer()]);
    await writePast(daybook.d1, provider, client, 10_000);
    slot = await publishOne(provider);
    await book(client, slot);
    feed = await fetchFeed(await makeFeed(provider));
  });

  test('has what comes', () => {
    expect(uidsIn(feed)).toContain(uidOf(slot));
  });

  test('has 200 of the past ones', () => {
    expect(uidsIn(feed)).toHaveLength(201);
  });

  test('reads a bounded part of them', () => {
    expect(askedOf(feed.headers).read).toBeLessThan(201 * 5 + 20);
  });
});
