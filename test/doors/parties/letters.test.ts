import { beforeAll, describe, expect, test } from 'vitest';
import { type CalendarEvent, readCalendar } from '../../support/calendars';
import { peopleAt, publish, type Row } from '../../support/factories';
import { classesWithoutStyle, linkPath, partyPath, stylesOf } from '../../support/letters';
import * as meetups from '../../support/meetup-calls';
import { edit } from '../../support/party-calls';
import {
  createMeetup,
  createParty,
  full,
  linkOf,
  type Party,
  publishQuestions,
  reply,
  rsvp,
} from '../../support/party-factories';
import { intake, intakeAnswers } from '../../support/template-factories';
import { held, useServer, useWorld } from '../../support/use-server';
import { contentOf, type Page, tripsOf, type Visitor } from '../../support/visit';
import { weightOf } from '../../support/weight';

/* What all letters of parties and meetups have in common: what they weigh, keep and tell, their times and calendar files. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { host, maya, june } = useWorld(daybook, {
  host: { timeZone: 'Asia/Colombo' },
  maya: { username: 'maya.l' },
  june: {},
});

describe('every letter', () => {
  let party: Party;
  let meetup: Party;
  let letters: Record<string, Page> = {};

  beforeAll(async () => {
    const template = await publishQuestions(host, intake);
    party = await createParty(host, { ...full, title: 'Midsummer night', template });
    meetup = await createMeetup(host, { ...full, title: 'Book club', attendees: ['Wilhelmina', 'Ben', 'Cem'] });
    await rsvp(maya, party, { guests: 2 }, intakeAnswers);
    await reply(daybook.visitor(), linkOf(meetup, 'Ben'));
    const stranger = daybook.visitor();
    const questions = `${partyPath(party)}?step=questions`;
    letters = {
      'a party to a stranger': await stranger.get(partyPath(party)),
      'a party to a guest': await june.browser.get(partyPath(party)),
      'its questions': await june.browser.get(questions),
      'its questions to who has answered': await maya.browser.get(questions),
      'a party to who said yes': await maya.browser.get(partyPath(party)),
      'a party to its host': await host.browser.get(partyPath(party)),
      'a meetup': await stranger.get(linkPath(linkOf(meetup, 'Wilhelmina'))),
      'a meetup to who accepted': await stranger.get(linkPath(linkOf(meetup, 'Ben'))),
      'a party that is not there': await stranger.get('/party/AAAAAAAAAAAAAAAAAAAAAA'),
      'a meetup with a dead link': await stranger.get('/meetup-rsvp/AAAAAAAAAAAAAAAAAAAAAA'),
    };
    const statuses = Object.values(letters).map(({ status }) => status);
    expect(statuses).toEqual([...Array(8).fill(200), 404, 404]);
  });

  const letter = (name: string) => letters[name] as Page;
  async function each(answer: unknown, ask: (page: Page) => unknown) {
    for (const [name, page] of Object.entries(letters)) expect([name, await ask(page)]).toEqual([name, answer]);
  }

  test('weighs at most 10 KB in one request after one trip to the database, with no script but 1 KB that its policy allows', async () => {
    await each([1, 1, 'light', 'light'], async (page) => {
      const { requests, bytes } = await weightOf(daybook.visitor(), page);
      const [, nonce] = /script-src 'nonce-([^']+)'/.exec(page.headers.get('content-security-policy') ?? '') ?? [];
      const scripts = page.$$('script');
      for (const script of scripts) expect(script.getAttribute('nonce')).toBe(nonce ?? 'some');
      const code = scripts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
      return [tripsOf(page), requests, bytes <= 10_000 ? 'light' : bytes, code <= 1024 ? 'light' : code];
    });
  });

  test('has each of its classes in its styles, which its policy allows', async () => {
    await each([], (page) => {
      stylesOf(page);
      return classesWithoutStyle(page);
    });
    for (const path of [`/with/${host.username}`, `/with/${host.username}/nothing`]) {
      expect([path, classesWithoutStyle(await daybook.visitor().get(path))]).toEqual([path, []]);
    }
  });

  test('is for no search engine, is kept by nobody, and tells no other site where it is', async () => {
    for (const page of Object.values(letters).filter(({ status }) => status === 200)) {
      const kept = ['cache-control', 'referrer-policy'].map((name) => page.headers.get(name));
      expect([...kept, contentOf(page, 'name=robots')]).toEqual([
        'private, no-store',
        'same-origin',
        expect.stringContaining('noindex'),
      ]);
      const rels = page.$$('a[href^=http]').map((link) => link.getAttribute('rel'));
      expect(rels).not.toEqual([]);
      for (const rel of rels) expect(rel).toContain('noreferrer');
    }
  });

  test('previews with title, date and place, and no guest’s name', () => {
    const day = new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Colombo', day: 'numeric', month: 'long' });
    const about = new RegExp(`${day.format(Date.parse(party.startsAt))}.*Rua da Rosa 5`);
    for (const [name, title] of [
      ['a party to a stranger', 'Midsummer night'],
      ['its questions to who has answered', 'Midsummer night'],
      ['a meetup to who accepted', 'Book club'],
    ] as const) {
      const head = letter(name).$('head')?.outerHTML;
      expect(head).not.toMatch(/Wilhelmina|Ben|Maya|maya\.l/);
      expect(contentOf(letter(name), 'property="og:title"')).toBe(title);
      expect(contentOf(letter(name), 'property="og:description"')).toMatch(about);
    }
  });

  test('answers for nobody when it is opened, whoever opens it, nor does a call that is only looked at', async () => {
    const own = meetup.invitations.map(({ id, meetupId }) => `/api/meetup/ChangeRsvp?id=${id}&meetupid=${meetupId}`);
    const letterPaths = [partyPath(party), ...meetup.invitations.map(({ id }) => `/meetup-rsvp/${id}`)];
    const paths = [...letterPaths.map((path) => `${path}?`), ...own, `/api/Party/BookRsvp?id=${party.id}`];
    const before = await held(daybook);
    for (const reader of [daybook.visitor(), maya.browser, june.browser, host.browser]) {
      for (const path of paths) {
        for (const asked of ['accepted=true&guests=1&step=questions', 'accepted=false']) {
          expect((await reader.get(`${path}&${asked}`)).status).toBeLessThan(500);
        }
      }
    }
    expect(await held(daybook)).toEqual(before);
  });

  test('says nothing of other guests', async () => {
    const { id } = linkOf(meetup, 'Wilhelmina');
    const pages = ['a party to a stranger', 'a party to a guest', 'its questions', 'a meetup'].map(letter);
    pages.push(await june.browser.get(`${partyPath(party)}?_data=routes%2Fletters%2Fparty`));
    pages.push(await june.browser.get(`/meetup-rsvp/${id}?_data=routes%2Fletters%2Fmeetup`));
    for (const { status, text } of pages) {
      expect([status, /Midsummer night|Book club/.test(text)]).toEqual([200, true]);
      expect(text).not.toMatch(/Maya|maya\.l|ألم شديد|Cem|"invited"/);
    }
  });
});

describe('the reader’s own time', () => {
  const abroad = useServer({ vars: { READER_ZONE: 'America/New_York' } });
  const peopleAbroad = peopleAt(abroad);
  /** What the clocks of some zones show at the start and the end. */
  const clocks = ({ startsAt, endsAt }: Party, ...zones: string[]) =>
    zones.flatMap((timeZone) => {
      const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
      return [startsAt, endsAt].map((at) => clock.format(Date.parse(at)));
    });
  const timesOf = (page: Page) => page.$$('main time').map(({ text }) => text);
  const nextYear = new Date().getUTCFullYear() + 1;
  /** When clocks are put forward in Europe, next year. */
  const lastSundayOfMarch = 31 - new Date(Date.UTC(nextYear, 2, 31)).getUTCDay();

  test('stands beside the host’s where the clocks differ: the account’s, else the edge’s', async () => {
    const ana = await peopleAbroad.newProvider({ timeZone: 'Asia/Colombo' });
    const anywhere = await peopleAbroad.newConsumer({ timeZone: 'Europe/Lisbon' });
    const [party, meetup] = await Promise.all([createParty(ana), createMeetup(ana)]);
    for (const [path, event] of [
      [partyPath(party), party],
      [`/meetup-rsvp/${linkOf(meetup, 'Ada').id}`, meetup],
    ] as const) {
      const stranger = await abroad.visitor().get(path);
      expect(stranger.words).toContain('Colombo time');
      expect(timesOf(stranger)).toEqual(clocks(event, 'Asia/Colombo', 'America/New_York'));
      expect(timesOf(await anywhere.browser.get(path))).toEqual(clocks(event, 'Asia/Colombo', 'Europe/Lisbon'));
      expect(timesOf(await ana.browser.get(path))).toEqual(clocks(event, 'Asia/Colombo'));
    }
    // The day too, where that is another.
    const early = await createParty(ana, { startTime: '02:00', endTime: '04:00' });
    const { words } = await abroad.visitor().get(partyPath(early));
    const day = new Intl.DateTimeFormat('en-GB', { timeZone: 'America/New_York', day: 'numeric' });
    expect(words).toMatch(new RegExp(`${day.format(Date.parse(early.startsAt))} \\w+, for you`));
  });

  test('is there too where only the end differs, in the night in which the clocks change', async () => {
    const ana = await newProvider({ timeZone: 'Europe/Lisbon' });
    const reader = await newConsumer({ timeZone: 'Atlantic/Reykjavik' });
    const date = `03-${lastSundayOfMarch - 1}-${nextYear}`;
    const party = await createParty(ana, { date, startTime: '23:00', endTime: '06:00' });
    expect(timesOf(await reader.browser.get(partyPath(party)))).toEqual(['23:00', '06:00', '23:00', '05:00']);
  });

  test('stands beside the length where the clocks change in between, because start and end don’t show it', async () => {
    const ana = await newProvider({ timeZone: 'Europe/Lisbon' });
    const night = { start: '00:30', end: '03:30', dates: [`03-${lastSundayOfMarch}-${nextYear}`] };
    const [across] = (await publish(ana, night, 'len=60')) as [Row];
    const { words } = await daybook.visitor().get(`/with/${ana.username}/${across.id}`);
    expect(words).toMatch(/00:30 to 02:30, 1 hour, Lisbon time/);
  });
});

describe('the calendar file', () => {
  /** The one event of a calendar file, as another program reads it. */
  async function eventOf(path: string, who: Visitor = daybook.visitor()) {
    const { status, headers, text } = await who.get(path);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8']);
    for (const line of text.split('\r\n')) {
      expect([line.includes('\n'), Buffer.byteLength(line) <= 75]).toEqual([false, true]);
    }
    const { method, events } = readCalendar(text);
    expect(events.size).toBe(1);
    return { ...([...events.values()][0] as CalendarEvent), method };
  }

  test.each(['party', 'meetup'])(
    'of a %s opens elsewhere, and an edit raises its SEQUENCE, not its UID',
    async (kind) => {
      const isParty = kind === 'party';
      const words = { title: 'Ünïcode, semi; colon\\ & 🎉', description: `Two lines,\nand ${'more; '.repeat(40)}` };
      const details = { ...words, address: '5 Elm Street, Kandy', startTime: '20:00', endTime: '02:00' };
      const made = await (isParty ? createParty : createMeetup)(host, details);
      const page = isParty ? partyPath(made) : `/meetup-rsvp/${linkOf(made, 'Ada').id}`;
      const change = (to: object) => (isParty ? edit : meetups.edit)(host, made, to);
      const read = () => eventOf(`${page}/daybook.ics`);
      const first = await read();
      expect(first).toEqual({
        method: 'PUBLISH',
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
      await (isParty ? rsvp(maya, made) : reply(daybook.visitor(), linkOf(made, 'Ada')));
      await change({ title: words.title });
      expect(await read()).toEqual(first);
      await change({ startTime: '21:00' });
      expect(await read()).toEqual({ ...first, sequence: 1, startsAt: made.startsAt.replace('T14:', 'T15:') });
    },
  );
});
