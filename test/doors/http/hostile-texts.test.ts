import ICAL from 'ical.js';
import { parse } from 'node-html-parser';
import { beforeAll, describe, expect, test } from 'vitest';
import { complaints } from '../../support/complaints';
import { book, cancel, type Person, password, peopleAt, publication, publish, type Row } from '../../support/factories';
import { newGuest } from '../../support/guests';
import type { Arrived } from '../../support/mail-server';
import { bookedSubject, confirmAddress } from '../../support/mails';
import { createMeetup, createParty, linkOf, meetupDraft, partyDraft, rsvp } from '../../support/party-factories';
import { idOf, openEnded, submitForm, writeTemplate } from '../../support/template-factories';
import { useMail } from '../../support/use-mail';
import { storedRows as rowsOfBook } from '../../support/use-server';
import type { ApiResponse, Visitor } from '../../support/visit';

/* Texts that are meant to do harm in each field that takes one, and the mails, calendars and pages that are made of them. */

const { mailServer, daybook } = useMail();
const { newProvider, newConsumer } = peopleAt(daybook);

const line = `<fzmark a="1">"' fzattr='1" <x@evil.test>, =?utf-8?q?=0D=0ABcc:_x?= %0d%0a; {{7*7}}`;
const lines = `${line}\r\nBcc: fzmark@evil.test\r\n\r\n--\r\nEND:VEVENT\r\nX-FZMARK:1\r\n.\r\n</p></title><script>fzmark()</script>`;
const name = (nth: number) => `${nth} ${line}`.slice(0, 80);

const withAddress = async (who: Promise<Person>) => confirmAddress(daybook.d1, await who);

const ours =
  /^(From|To|Reply-To|Subject|Message-ID|Auto-Submitted|List-Unsubscribe|List-Unsubscribe-Post|Date|MIME-Version|Content-Type)$/i;

/** The header of a mail has the names that are ours, each once. */
function expectOwnHeader({ raw }: Arrived): void {
  const head = (raw.split('\r\n\r\n')[0] ?? '').replaceAll(/\r\n[ \t]/g, ' ');
  const names = head.split('\r\n').map((one) => one.split(':')[0] ?? '');
  expect(names.filter((one) => !ours.test(one))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
}

/** What was typed is in the subject, and in the name to answer to: in one line each, and nowhere else. */
function expectOwnAddresses({ mail, to }: Arrived): void {
  expect(mail.from?.text).toBe('"Daybook" <book@daybook.test>');
  expect([mail.to].flat().map((one) => one?.text)).toEqual([to]);
  for (const { address } of mail.replyTo?.value ?? []) expect(address).toMatch(/^[\w.]+@mail\.test$/);
  expect(mail.subject).not.toMatch(/[\r\n]/);
  const others = [...mail.headers].filter(([header]) => header !== 'subject' && header !== 'reply-to');
  expect(JSON.stringify(others)).not.toMatch(/fzmark|evil/i);
}

function expectOwnMarkup({ mail }: Arrived): void {
  expect(mail.text).toContain('<fzmark');
  const html = parse(mail.html || '');
  expect(html.querySelectorAll('fzmark, script, img, [fzattr], [onclick]')).toEqual([]);
  for (const link of html.querySelectorAll('a'))
    expect(new URL(link.getAttribute('href') ?? '').origin).toBe(daybook.url);
}

function expectOwnCalendar(text: string): void {
  expect(text).not.toMatch(/^(X-FZMARK|BCC|--|\.)/im);
  const calendar = new ICAL.Component(ICAL.parse(text));
  for (const event of calendar.getAllSubcomponents('vevent')) {
    expect(event.getAllProperties().map((one) => one.name)).not.toContain('x-fzmark');
    expect(event.getAllSubcomponents().every((one) => one.name === 'valarm')).toBe(true);
  }
}

describe('a text that is meant to do harm', () => {
  let host: Person & { email: string };
  let guest: Person & { email: string };
  let slots: Row[];
  beforeAll(async () => {
    host = await withAddress(newProvider({ displayName: name(1), location: name(2), description: lines }));
    guest = await withAddress(newConsumer({ displayName: name(3) }));
    const template = idOf(await writeTemplate(host, [{ questionText: line, questionType: openEnded }], line));
    slots = await publish(host, { end: '11:30', notes: lines }, `templateId=${template}`);
  });

  describe('in mails', () => {
    async function writeOfBookings(): Promise<void> {
      const [first, second, third, fourth] = slots as [Row, Row, Row, Row];
      for (const slot of [first, second, third]) await book(guest, slot);
      for (const answer of [lines, `${lines} 2`]) await submitForm(guest, first, [{ question: line, answer }]);
      await cancel(guest, first, lines);
      await cancel(host, second, lines);
      const to = `/api/Appointment/Move?id=${third.id}&to=${fourth.id}`;
      expect((await host.api('PUT', to, { reason: lines })).status).toBe(200);
    }

    async function writeOfParties(): Promise<void> {
      const words = { title: line, description: lines, address: lines.slice(0, 500) };
      const party = await createParty(host, words);
      await rsvp(guest, party);
      await host.api('PUT', `/api/Party/EditParty/${party.id}`, { title: `${line} 2` });
      await host.api('DELETE', `/api/Party/DeleteParty?id=${party.id}`, { reason: words.address });
      const meetup = await createMeetup(host, { ...words, attendees: [name(4)] });
      const invited = linkOf(meetup, name(4).trim());
      await host.api('PUT', `/api/meetup/SetAttendeeEmail?id=${invited.id}`, { email: 'ada@mail.test' });
    }

    beforeAll(async () => {
      await writeOfBookings();
      await writeOfParties();
    });

    describe.each<[what: string, to: () => string, subject: RegExp]>([
      ['a booking, to who booked', () => guest.email, bookedSubject],
      ['a cancellation, to who booked', () => guest.email, /^Canceled: /],
      ['a move, to who booked', () => guest.email, /^Moved: /],
      ['a change of a party', () => guest.email, /^Changed: /],
      ['a party that is called off', () => guest.email, /^Called off: /],
      ['a booking, to the provider', () => host.email, /^Booked: /],
      ['answers', () => host.email, /^New answers/],
      ['a cancellation, to the provider', () => host.email, /^Canceled: /],
      ['an invitation', () => 'ada@mail.test', /^An invitation/],
    ])('about %s', (_, to, subject) => {
      let arrived: Arrived;
      beforeAll(async () => {
        arrived = await mailServer.got(to(), subject);
      });

      test('makes no header', () => {
        expectOwnHeader(arrived);
      });

      test('gets into no other header than the subject or the name to answer to', () => {
        expectOwnAddresses(arrived);
      });

      test('is no markup', () => {
        expectOwnMarkup(arrived);
      });

      test('makes no line of a calendar', () => {
        for (const { content } of arrived.mail.attachments) expectOwnCalendar(String(content));
      });
    });
  });

  describe('on pages', () => {
    const makeThings = async () => {
      const visitor = await newGuest(daybook, { displayName: name(6) });
      const booked = (await book(visitor, slots[4] as Row)).json as Row;
      const party = await createParty(host, { title: line, description: lines, openTo: 'anyone' });
      const ownRsvp = (await rsvp(visitor, party)).json as { link?: string };
      const meetup = await createMeetup(host, { title: line, description: lines, attendees: [name(7)] });
      const { link: feed } = (await host.api('POST', '/api/Account/MakeFeed')).json as { link: string };
      const invitation = `/meetup-rsvp/${linkOf(meetup, name(7).trim()).id}`;
      return { booked, party, rsvp: `${ownRsvp.link}`, meetup, feed, invitation };
    };
    let things: Awaited<ReturnType<typeof makeThings>>;
    beforeAll(async () => {
      things = await makeThings();
    });

    async function expectText(browser: Visitor, path: string): Promise<void> {
      const page = await browser.get(path);

      expect(page.status, path).toBe(200);
      // In a preview, too, what was typed makes no attribute.
      const made = page.$$('fzmark, [fzattr], [onclick], body script[src*=fzmark], meta[a], link[a]');
      expect(made.map(({ outerHTML }) => outerHTML)).toEqual([]);
      expect(page.text).not.toMatch(/<\/?fzmark|<script>fzmark/i);
    }

    test.each<[what: string, path: () => string]>([
      ['a provider’s page', () => `/with/${host.username}`],
      ['a booking', () => `${things.booked.link}`],
      ['an RSVP', () => things.rsvp],
      ['a party', () => `/party/${things.party.id}`],
      ['an invitation', () => things.invitation],
    ])('is text alone on each page, for strangers on that of %s', async (_, path) => {
      await expectText(daybook.visitor(), path());
    });

    test.each(['/view', `/view?location=${encodeURIComponent(name(2))}`, '/view-dash'])(
      'is text alone where clients look for providers, at %s',
      async (path) => {
        await expectText(guest.browser, path);
      },
    );

    test.each(['/', '/profile', '/day', '/week', '/people', '/news', '/view-templates'])(
      'is text alone where providers look at lists, at %s',
      async (path) => {
        await expectText(host.browser, path);
      },
    );

    test.each<[what: string, path: () => string]>([
      ['an appointment', () => `/view-provider/${things.booked.id}`],
      ['a party', () => `/view-party/${things.party.id}`],
      ['a meetup', () => `/manage-meetup/${things.meetup.id}`],
    ])('is text alone where providers look at %s', async (_, path) => {
      await expectText(host.browser, path());
    });

    test.each<[what: string, path: () => string]>([
      ['a feed', () => things.feed],
      ['a booking', () => `${things.booked.link}/daybook.ics`],
      ['a party', () => `/party/${things.party.id}/daybook.ics`],
    ])('makes no line of the calendar of %s', async (_, path) => {
      const { text } = await daybook.visitor().get(path());

      expect(text).toContain('BEGIN:VEVENT');
      expectOwnCalendar(text);
    });
  });
});

describe('a text that no field takes', () => {
  let host: Person;
  let guest: Person;
  let slot: Row;
  let booked: Row;
  beforeAll(async () => {
    [host, guest] = await Promise.all([newProvider(), newConsumer()]);
    const template = idOf(await writeTemplate(host, [{ questionText: 'Why?', questionType: openEnded }], 'Asked'));
    [slot, booked] = (await publish(host, { end: '10:00' }, `templateId=${template}`)) as [Row, Row];
    await book(guest, booked);
  });

  const inLines = ['Ada\u0000Bcc', 'Ada \ud800 Bcc', 'Ada \u001b[31m', 'x'.repeat(20_000)];
  const inOneLine = [...inLines, 'Ada\r\nBcc: x@evil.test', 'Ada\u0085Bcc: x@evil.test'];
  const inNames = [...inOneLine, 'Ad\u202ea', 'Ad \u2067a', 'Ada\u200b'];
  const texts = { lines: inLines, line: inOneLine, name: inNames };

  const asStranger = (call: string, body: object) => daybook.visitor().api('POST', `/api/Account/${call}`, body);
  const person = { username: 'some.body', displayName: 'Some Body', password, role: 'Provider', location: 'Lisbon' };
  const register = (more: object) => asStranger('Register', { ...person, ...more });
  const openGuest = (more: object) => asStranger('Guest', { displayName: 'Gus', timeZone: 'UTC', ...more });
  const ask = (question: object) => host.api('POST', '/api/Checkin/CreateTemplate?templateName=T', [question]);
  const offer = (more: object) => host.api('POST', '/api/Service/Create', { name: 'Cut', minutes: 30, ...more });
  const invite = (more: object) => host.api('POST', '/api/Party/CreateParty', partyDraft(more));
  const gather = (more: object) => host.api('POST', '/api/meetup/CreateMeetup', meetupDraft(more));
  const ofHost = (method: string, call: string, body: object) => host.api(method, `/api/Appointment/${call}`, body);
  const times = { start: '15:00', end: '16:00' };

  test.each<[what: string, kind: keyof typeof texts, send: (text: string) => Promise<ApiResponse>]>([
    ['a full name', 'name', (displayName) => register({ displayName })],
    ['a username', 'name', (username) => register({ username })],
    ['a city', 'name', (location) => register({ location })],
    ['a description', 'lines', (description) => register({ description })],
    ['an address of mail', 'line', (text) => register({ email: `${text}@evil.test` })],
    ['a guest’s name', 'name', (displayName) => openGuest({ displayName })],
    ['a guest’s address', 'line', (text) => openGuest({ email: `a@b.test${text}` })],
    ['a question', 'line', (questionText) => ask({ questionText })],
    ['an option', 'line', (text) => ask({ questionType: 1, options: ['A', text] })],
    ['notes', 'lines', (notes) => ofHost('POST', 'CreateAppointment', publication({ ...times, notes }))],
    ['a service', 'name', (name) => offer({ name })],
    ['a price', 'line', (price) => offer({ price })],
    ['notes of hours', 'lines', (notes) => ofHost('PUT', 'SetHours', { hours: [], notes })],
    ['a reason', 'lines', (reason) => cancel(guest, booked, reason)],
    ['a note', 'lines', (note) => ofHost('PUT', `SetNote?id=${booked.id}`, { note })],
    ['a walk-in', 'name', (displayName) => ofHost('POST', `BookFor?id=${slot.id}`, { displayName })],
    ['an answer', 'lines', (answer) => submitForm(guest, booked, [{ question: 'Why?', answer }])],
    ['a title', 'name', (title) => invite({ title })],
    ['what a party is', 'lines', (description) => invite({ description })],
    ['where it is', 'lines', (address) => invite({ address })],
    ['the map', 'line', (text) => invite({ locationUrl: `https://maps.test/${text}` })],
    ['a name of a meetup', 'name', (text) => gather({ attendees: ['Bea', text] })],
  ])('is refused in words, and nothing is kept: %s', async (_, kind, send) => {
    const before = await rowsOfBook(daybook, 'one_time_keys');

    for (const text of texts[kind]) expect(complaints(await send(text)), text.slice(0, 20)).not.toEqual([]);

    expect(await rowsOfBook(daybook, 'one_time_keys')).toEqual(before);
  });

  const turning = '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c';
  const unseen = '\u200b\u200c\u200d\u2060\ufeff\u00ad\u034f\u3164\u2800\u2028\ufe0f\u{e0041}\u{e0101}';
  test.each([...turning, ...unseen].map((sign) => [`U+${sign.codePointAt(0)?.toString(16)}`, sign]))(
    'has the hidden sign %s',
    async (_, sign) => {
      const { json } = await register({ displayName: `An${sign}a` });

      expect(json).toEqual([expect.stringContaining('hidden characters')]);
    },
  );

  test.each(['علی\u200cرضا', 'क्\u200dष', '👩\u200d👧 Costa', '1\ufe0f\u20e3', '葛\u{e0100}城', 'שלום'])(
    'is not %s, which needs its signs',
    async (displayName) => {
      expect(await openGuest({ displayName })).toMatchObject({ status: 201, json: { displayName } });
    },
  );
});
