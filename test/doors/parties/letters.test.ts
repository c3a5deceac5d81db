import ICAL from 'ical.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { dump } from '../../../app/local/database';
import { type CalendarEvent, readCalendar } from '../../support/calendars';
import { book, dayAhead, peopleAt, publish, type Row } from '../../support/factories';
import { classesWithoutStyle, linkPath, partyPath, stylesOf } from '../../support/letters';
import * as meetups from '../../support/meetup-calls';
import { edit } from '../../support/party-calls';
import {
  createMeetup,
  createParty,
  endParty,
  full,
  linkOf,
  type Party,
  publishQuestions,
  reply,
  rsvp,
} from '../../support/party-factories';
import { intake, intakeAnswers } from '../../support/template-factories';
import { useServer, useWorld } from '../../support/use-server';
import { contentOf, type Page, tripsOf, type Visitor } from '../../support/visit';
import { weightOf } from '../../support/weight';

/* What all letters of parties and meetups have in common: what they weigh, keep and tell, their times and calendar files. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { host, rival, maya, june } = useWorld(daybook, {
  host: { timeZone: 'Asia/Colombo' },
  rival: {},
  maya: { username: 'maya.l' },
  june: {},
});

describe('every letter', () => {
  let party: Party;
  let plain: Party;
  let meetup: Party;
  let letters: Record<string, Page> = {};

  beforeAll(async () => {
    const template = await publishQuestions(host, intake);
    [party, plain, meetup] = await Promise.all([
      createParty(host, { ...full, title: 'Midsummer night', template }),
      createParty(host, { title: 'Plain party' }),
      createMeetup(host, { ...full, title: 'Book club', attendees: ['Wilhelmina', 'Ben', 'Cem'] }),
    ]);
    await rsvp(maya, party, { guests: 2 }, intakeAnswers);
    await rsvp(maya, plain, { accepted: false });
    await reply(daybook.visitor(), linkOf(meetup, 'Ben'));
    const over = await createParty(host, { title: 'Over' });
    await endParty(daybook.d1, over);
    const open = async ({ browser }: { browser: Visitor }, path: string, status = 200) => {
      const page = await browser.get(path);
      expect([path, page.status]).toEqual([path, status]);
      return page;
    };
    const stranger = { browser: daybook.visitor() };
    const questions = `${partyPath(party)}?step=questions`;
    letters = {
      'a party to a stranger': await open(stranger, partyPath(party)),
      'a party to a guest': await open(june, partyPath(party)),
      'its questions': await open(june, questions),
      'its questions to who has answered': await open(maya, questions),
      'its questions unanswered': await june.browser.post(partyPath(party), { accepted: 'true' }),
      'a party to who said yes': await open(maya, partyPath(party)),
      'a party to who said no': await open(maya, partyPath(plain)),
      'a party to its host': await open(host, partyPath(party)),
      'a party that is over': await open(stranger, partyPath(over)),
      'a party that is not there': await open(stranger, '/party/AAAAAAAAAAAAAAAAAAAAAA', 404),
      'a party with a link that is cut off': await open(stranger, partyPath(party).slice(0, -1), 404),
      'a meetup': await open(stranger, linkPath(linkOf(meetup, 'Wilhelmina'))),
      'a meetup to who accepted': await open(stranger, linkPath(linkOf(meetup, 'Ben'))),
      'a meetup to who is logged in': await open(june, linkPath(linkOf(meetup, 'Cem'))),
      'a meetup with a wrong link': await open(stranger, '/meetup-rsvp/nonsense', 400),
      'a meetup with a dead link': await open(stranger, '/meetup-rsvp/AAAAAAAAAAAAAAAAAAAAAA', 404),
    };
    expect(letters['its questions unanswered']?.status).toBe(400);
  });

  const letter = (name: string) => letters[name] as Page;
  /** Expects the same of each letter, or of those that were found. */
  async function each(answer: unknown, ask: (page: Page) => unknown, statuses = [200, 400, 404]) {
    const asked = Object.entries(letters).filter(([, { status }]) => statuses.includes(status));
    expect(asked.length).toBeGreaterThan(5);
    for (const [name, page] of asked) expect([name, await ask(page)]).toEqual([name, answer]);
  }

  test('has at most 1 KB of script in it, with the nonce of its policy, and no other code', async () => {
    await each([], (page) => page.$$('script[src], link[rel=modulepreload]').map(({ outerHTML }) => outerHTML));
    await each(true, (page) => {
      const scripts = page.$$('script');
      const [, nonce] = /script-src 'nonce-([^']+)'/.exec(page.headers.get('content-security-policy') ?? '') ?? [];
      expect(nonce).toBeTruthy();
      for (const script of scripts) expect(script.getAttribute('nonce')).toBe(nonce);
      stylesOf(page);
      for (const element of page.$$('*')) {
        expect(Object.keys(element.attributes).filter((name) => /^on/i.test(name))).toEqual([]);
      }
      return scripts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0) <= 1024;
    });
  });

  test('has each of its classes in its styles, which its policy allows', async () => {
    await each([], classesWithoutStyle);
    const [taken, free] = (await publish(host, { dates: [dayAhead(2)], end: '10:00' })) as [Row, Row];
    await book(maya, taken);
    for (const [path, status] of [
      [`/with/${host.username}/${taken.id}`, 409],
      [`/with/${host.username}`, 200],
      [`/with/${host.username}/${free.id}`, 200],
    ] as const) {
      const page = await daybook.visitor().get(path);
      expect([path, page.status, classesWithoutStyle(page)]).toEqual([path, status, []]);
    }
  });

  test('weighs at most 10 KB in one request, after one trip to the database, or none where its link leads nowhere', async () => {
    await each([1, 'light'], async (page) => {
      const { requests, bytes } = await weightOf(daybook.visitor(), page);
      return [requests, bytes <= 10_000 ? 'light' : bytes];
    });
    await each(1, tripsOf, [200, 404]);
    expect(tripsOf(letter('a meetup with a wrong link'))).toBe(0);
  });

  test('is for no search engine, is kept by nobody, and tells no other site where it is', async () => {
    const kept = (page: Page) => ['cache-control', 'referrer-policy'].map((name) => page.headers.get(name));
    await each(['private, no-store', 'same-origin'], kept, [200]);
    await each(true, (page) => contentOf(page, 'name=robots').includes('noindex'), [200]);
  });

  test('previews with title, date and place, and no guest’s name', () => {
    const shown = (name: string) => {
      const page = letter(name);
      const head = page.$('head')?.outerHTML ?? '';
      expect(head).not.toMatch(new RegExp(`Wilhelmina|Ben|Maya|maya\\.l|${june.displayName}|${june.username}`));
      return { title: contentOf(page, 'property="og:title"'), about: contentOf(page, 'property="og:description"') };
    };
    const day = new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Colombo', day: 'numeric', month: 'long' });
    const about = expect.stringMatching(new RegExp(`${day.format(Date.parse(party.startsAt))}.*Rua da Rosa 5`));
    const parties = ['a party to a stranger', 'a party to who said yes', 'its questions to who has answered'];
    for (const name of parties) expect(shown(name)).toEqual({ title: 'Midsummer night', about });
    for (const name of ['a meetup', 'a meetup to who accepted']) {
      expect(shown(name)).toEqual({ title: 'Book club', about });
    }
  });

  test('leads to the map without a referrer', () => {
    const links = Object.values(letters).flatMap((page) => page.$$('a[href^=http]'));
    expect(links.length).toBeGreaterThan(5);
    for (const link of links) {
      expect(link.getAttribute('href')).not.toContain(daybook.url);
      expect(link.getAttribute('rel')?.split(' ')).toContain('noreferrer');
    }
  });

  test('has no button that does nothing', async () => {
    await each([], (page) =>
      page.$$('button').filter((button) => {
        const target = button.getAttribute('popovertarget');
        return target === undefined ? button.closest('form') === null : page.$(`#${target}`) === null;
      }),
    );
  });

  test('sends its main answer where Enter is pressed', () => {
    for (const [name, words] of [
      ['a party to a stranger', 'Log in'],
      ['its questions', 'RSVP'],
      ['its questions unanswered', 'RSVP'],
      ['a meetup', 'Accept'],
    ] as const) {
      const [first] = letter(name).$$('main form:first-of-type button:not([disabled])');
      expect([name, first?.text]).toEqual([name, words]);
    }
  });

  test('answers for nobody when it is opened, nor does anything it leads to, whoever opens it', async () => {
    const readers: [string, Visitor][] = [
      ['a mail scanner', daybook.visitor()],
      ['a guest', maya.browser],
      ['somebody who has not answered', june.browser],
      ['the host', host.browser],
      ['another provider', rival.browser],
    ];
    const query = 'accepted=true&guests=2&step=questions&rsvp=true&answer=1';
    const letterPaths = [partyPath(party), partyPath(plain), ...meetup.invitations.map(linkPath)];
    const paths = letterPaths.flatMap((path) => [
      path,
      ...[query, 'accepted=false'].map((asked) => `${path}${path.includes('?') ? '&' : '?'}${asked}`),
    ]);
    const calls = meetup.invitations.map(
      ({ id, meetupId }) => `/api/meetup/ChangeRsvp?id=${id}&meetupid=${meetupId}&accepted=true&name=Ben`,
    );
    calls.push(`/api/Party/BookRsvp?id=${plain.id}&accepted=true`);
    const before = await dump(daybook.d1);
    expect(before).toMatchObject({ invitations: expect.any(Array), sessions: expect.any(Array) });
    for (const [who, reader] of readers) {
      const opened = new Set<string>();
      const waiting = [...paths, ...calls];
      for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
        // Each week leads to the next, without an end: one of them is enough.
        const place = path.replace(/^(\/(?:week|day|create))\b.*/, '$1');
        if (opened.has(place)) continue;
        opened.add(place);
        const page = await reader.get(path);
        expect([who, path, page.status < 500]).toEqual([who, path, true]);
        const links = page.$$('a[href]').map((link) => new URL(link.getAttribute('href') ?? '', page.url));
        const own = links.filter(({ origin }) => origin === daybook.url);
        waiting.push(...own.map(({ pathname, search }) => pathname + search));
      }
      expect(opened.size).toBeGreaterThan(paths.length + calls.length + 3);
    }
    expect(await dump(daybook.d1)).toEqual(before);
  });

  test('shows what was written as it was written', async () => {
    const evil = '<script>alert(1)</script>"\'&amp;';
    const texts = { title: evil, description: evil, address: evil };
    const [dangerous, named] = [
      await createParty(host, texts),
      await createMeetup(host, { ...texts, attendees: [evil] }),
    ];
    for (const path of [partyPath(dangerous), `/meetup-rsvp/${linkOf(named, evil).id}`]) {
      const page = await maya.browser.get(path);
      expect(page.$$('script')).toHaveLength(1);
      expect(page.$('main h2')?.text).toBe(evil);
      expect(page.words.split(evil).length).toBeGreaterThan(3);
      expect(contentOf(page, 'property="og:title"')).toBe(evil);
    }
  });

  test('says nothing of other guests', async () => {
    for (const name of ['a party to a stranger', 'a party to a guest', 'its questions', 'a meetup']) {
      expect(letter(name).text).not.toMatch(/Maya|maya\.l|ألم شديد|Cem/);
    }
    for (const [path, route] of [
      [partyPath(party), 'party'],
      [`/meetup-rsvp/${linkOf(meetup, 'Wilhelmina').id}`, 'meetup'],
    ]) {
      const { status, text } = await june.browser.get(`${path}?_data=routes%2Fletters%2F${route}`);
      expect([status, text.includes('"title"')]).toEqual([200, true]);
      expect(text).not.toMatch(/Maya|maya\.l|ألم شديد|Cem|"invited"/);
    }
  });
});

describe('the reader’s own time', () => {
  const abroad = useServer({ vars: { READER_ZONE: 'America/New_York' } });
  const peopleAbroad = peopleAt(abroad);
  /** What the clocks and calendars of a zone show. */
  const clock = (at: string, timeZone: string) =>
    new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(Date.parse(at));
  const day = (at: string, timeZone: string) =>
    new Intl.DateTimeFormat('en-GB', { timeZone, day: 'numeric', month: 'short' })
      .format(Date.parse(at))
      .replace('Sept', 'Sep');
  const timesOf = (page: Page) => page.$$('main time').map(({ text }) => text);
  const both = ({ startsAt, endsAt }: Party, ...zones: string[]) =>
    zones.flatMap((zone) => [clock(startsAt, zone), clock(endsAt, zone)]);
  const nextYear = new Date().getUTCFullYear() + 1;
  /** When clocks are put forward in Europe, next year. */
  const lastSundayOfMarch = 31 - new Date(Date.UTC(nextYear, 2, 31)).getUTCDay();

  test('stands beside the host’s where the clocks differ: the account’s, else the edge’s', async () => {
    const [ana, anywhere] = await Promise.all([
      peopleAbroad.newProvider({ timeZone: 'Asia/Colombo' }),
      peopleAbroad.newConsumer({ timeZone: 'Europe/Lisbon' }),
    ]);
    const [party, meetup] = await Promise.all([createParty(ana), createMeetup(ana)]);
    for (const [path, event] of [
      [partyPath(party), party],
      [`/meetup-rsvp/${linkOf(meetup, 'Ada').id}`, meetup],
    ] as const) {
      const stranger = await abroad.visitor().get(path);
      expect(stranger.words).toContain('Colombo time');
      expect(timesOf(stranger)).toEqual(both(event, 'Asia/Colombo', 'America/New_York'));
      expect(timesOf(await anywhere.browser.get(path))).toEqual(both(event, 'Asia/Colombo', 'Europe/Lisbon'));
      expect(timesOf(await ana.browser.get(path))).toEqual(both(event, 'Asia/Colombo'));
    }
    // The day too, where that is another.
    const early = await createParty(ana, { startTime: '02:00', endTime: '04:00' });
    const [there, here] = ['America/New_York', 'Asia/Colombo'].map((zone) => day(early.startsAt, zone));
    expect(there).not.toBe(here);
    expect((await abroad.visitor().get(partyPath(early))).words).toContain(`${there}, for you`);
  });

  test('is there too where only the end differs, in the night in which the clocks change', async () => {
    const ana = await newProvider({ timeZone: 'Europe/Lisbon' });
    const reader = await newConsumer({ timeZone: 'Atlantic/Reykjavik' });
    const date = `03-${lastSundayOfMarch - 1}-${nextYear}`;
    const party = await createParty(ana, { date, startTime: '23:00', endTime: '06:00' });
    expect(timesOf(await reader.browser.get(partyPath(party)))).toEqual(['23:00', '06:00', '23:00', '05:00']);
  });

  test('stands beside the length where the clocks change in between, because start and end don’t show it', async () => {
    const ana = await peopleAbroad.newProvider({ timeZone: 'Europe/Lisbon' });
    const night = { start: '00:30', end: '03:30', dates: [`03-${lastSundayOfMarch}-${nextYear}`] };
    const [across, after] = (await publish(ana, night, 'len=60')) as [Row, Row];
    const wordsOf = async ({ id }: Row) => (await abroad.visitor().get(`/with/${ana.username}/${id}`)).words;
    expect(await wordsOf(across)).toMatch(/00:30 to 02:30, 1 hour, Lisbon time/);
    expect(await wordsOf(after)).toMatch(/02:30 to 03:30, Lisbon time/);
  });

  test('is left out where the clocks are the same, or where nobody knows it', async () => {
    const timeZone = 'America/Toronto';
    for (const door of [abroad, daybook]) {
      const party = await createParty(await peopleAt(door).newProvider({ timeZone }));
      expect(timesOf(await door.visitor().get(partyPath(party)))).toEqual(both(party, timeZone));
    }
  });
});

describe('the calendar file', () => {
  /** The one event of a calendar file, as another program reads it. */
  async function eventOf(path: string, who: Visitor = daybook.visitor()) {
    const { status, headers, text } = await who.get(path);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8']);
    expect(headers.get('content-disposition')).toBe('attachment; filename="daybook.ics"');
    expect(text.endsWith('\r\nEND:VCALENDAR\r\n')).toBe(true);
    for (const line of text.split('\r\n')) {
      expect([line.includes('\n'), Buffer.byteLength(line) <= 75]).toEqual([false, true]);
    }
    const { method, events } = readCalendar(text);
    const [event, ...more] = [...events.values()] as [CalendarEvent];
    expect(more).toEqual([]);
    const component = new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent');
    const stamp = component?.getFirstPropertyValue('dtstamp') as ICAL.Time;
    expect(Math.abs(stamp.toJSDate().getTime() - Date.now())).toBeLessThan(60_000);
    const organizer = component?.getFirstProperty('organizer');
    return { ...event, method, organizer: [organizer?.getParameter('cn'), organizer?.getFirstValue()] };
  }

  const words = { title: 'Ünïcode, semi; colon\\ & 🎉', description: `Two lines,\nand ${'more; '.repeat(40)}` };
  const details = { ...words, address: '5 Elm Street, Kandy', startTime: '20:00', endTime: '02:00' };

  test.each(['party', 'meetup'])(
    'of a %s opens elsewhere, and an edit raises its SEQUENCE, not its UID',
    async (kind) => {
      const isParty = kind === 'party';
      const made = await (isParty ? createParty : createMeetup)(host, details);
      const page = isParty ? `/party/${made.id}` : `/meetup-rsvp/${linkOf(made, 'Ada').id}`;
      const change = (to: object) => (isParty ? edit : meetups.edit)(host, made, to);
      const read = () => eventOf(`${page}/daybook.ics`);

      const first = await read();
      expect(first).toEqual({
        method: 'PUBLISH',
        organizer: [made.providerName, expect.stringMatching(/^mailto:[^@]+@[^@]+\.invalid$/)],
        uid: expect.stringMatching(/.{20,}/),
        sequence: 0,
        summary: words.title,
        description: words.description.trim(),
        location: '5 Elm Street, Kandy',
        url: `${daybook.url}${page}`,
        status: 'CONFIRMED',
        startsAt: made.startsAt,
        endsAt: made.endsAt,
        alarms: [],
      });
      const shouted = page.replace(/^\/[^/]+/, (name) => name.toUpperCase());
      expect(await eventOf(`${shouted}/daybook.ics/`)).toEqual(first);
      await (isParty ? rsvp(maya, made) : reply(daybook.visitor(), linkOf(made, 'Ada')));
      await change({ title: words.title });
      expect(await read()).toEqual(first);

      expect((await change({ startTime: '21:00' })).status).toBe(200);
      const moved = await read();
      expect(moved).toEqual({ ...first, sequence: moved.sequence, startsAt: made.startsAt.replace('T14:', 'T15:') });
      expect(moved.sequence).toBeGreaterThan(first.sequence);
      await change({ title: 'Other' });
      const last = await read();
      expect([last.uid, last.sequence > moved.sequence]).toEqual([first.uid, true]);
    },
  );

  test('is whole whatever its organizer is called', async () => {
    const displayName = `Bo "the" Höst; a, b: c\\d ${'and so on '.repeat(5)}`;
    const party = await createParty(await newProvider({ displayName }));
    const { organizer } = await eventOf(`/party/${party.id}/daybook.ics`);
    expect(organizer).toEqual([displayName.trim().replaceAll(/["\\]/g, "'"), 'mailto:organizer@daybook.invalid']);
  });

  test('is the same one behind the link after a yes and behind the one on the first page', async () => {
    const party = await createParty(host);
    const home = await (await june.browser.get(partyPath(party))).submit('RSVP');
    const letter = await june.browser.get(partyPath(party));
    const hrefs = [home, letter].map((page) => page.$('main a[href$=".ics"]')?.getAttribute('href') ?? '');
    expect(hrefs[0]).toBe(hrefs[1]);
    expect(await eventOf(hrefs[0] ?? '', june.browser)).toMatchObject({ summary: 'Garden party', location: null });
  });
});
