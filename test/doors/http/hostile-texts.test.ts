import ICAL from 'ical.js';
import { parse } from 'node-html-parser';
import { beforeAll, describe, expect, test } from 'vitest';
import { book, cancel, dayAhead, type Person, password, peopleAt, publish, type Row } from '../../support/factories';
import { newGuest } from '../../support/guests';
import { held } from '../../support/held';
import type { Arrived } from '../../support/mail-server';
import { bookedSubject } from '../../support/mails';
import { createMeetup, createParty, linkOf, meetupDraft, partyDraft, reply, rsvp } from '../../support/party-factories';
import { idOf, openEnded, submitForm, writeTemplate } from '../../support/template-factories';
import { useMail } from '../../support/use-mail';

/* Texts that are meant to do harm in each field that takes one, and the mails, calendars and pages that are made of them. */

const { mailServer, daybook } = useMail();
const { newProvider, newConsumer } = peopleAt(daybook);

const line = `<fzmark a="1">"' fzattr='1" <x@evil.test>, =?utf-8?q?=0D=0ABcc:_x?= %0d%0a; {{7*7}}`;
const lines = `${line}\r\nBcc: fzmark@evil.test\r\n\r\n--\r\nEND:VEVENT\r\nX-FZMARK:1\r\n.\r\n</p></title><script>fzmark()</script>`;
const name = (nth: number) => `${nth} ${line}`.slice(0, 80);

let addresses = 0;
async function withAddress(who: Person): Promise<Person & { email: string }> {
  const email = `person.${++addresses}@mail.test`;
  await who.api('PUT', '/api/Account/SetEmail', { email, password });
  const { mail } = await mailServer.got(email, /Is this your address/);
  const [, path = ''] = /https?:\/\/[^/\s]+(\/confirm-email\/\S+)/.exec(mail.text ?? '') ?? [];
  await (await who.browser.visit(path)).submit('Yes, this is my address');
  return { ...who, email };
}

const ours =
  /^(From|To|Reply-To|Subject|Message-ID|Auto-Submitted|List-Unsubscribe|List-Unsubscribe-Post|Date|MIME-Version|Content-Type)$/i;

/** A mail whose header, pages and entry are ours alone, whatever people have typed. */
function expectOwn({ mail, raw, to }: Arrived): void {
  const head = (raw.split('\r\n\r\n')[0] ?? '').replaceAll(/\r\n[ \t]/g, ' ');
  const names = head.split('\r\n').map((one) => one.split(':')[0] ?? '');
  expect(names.filter((one) => !ours.test(one))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
  expect(mail.from?.text).toBe('"Daybook" <book@daybook.test>');
  expect([mail.to].flat().map((one) => one?.text)).toEqual([to]);
  // What was typed is in the subject, and in the name to answer to: in one line each, and nowhere else.
  const others = [...mail.headers].filter(([header]) => header !== 'subject' && header !== 'reply-to');
  expect(JSON.stringify(others)).not.toMatch(/fzmark|evil/i);
  expect(mail.subject).not.toMatch(/[\r\n]/);
  expect(mail.replyTo?.value.map(({ address }) => address) ?? []).toEqual(
    mail.replyTo ? [expect.stringMatching(/^[\w.]+@mail\.test$/)] : [],
  );
  expect(mail.text).toContain('<fzmark');
  const html = parse(mail.html || '');
  expect(html.querySelectorAll('fzmark, script, img, [fzattr], [onclick]')).toEqual([]);
  expect(html.querySelectorAll('a').map((link) => new URL(link.getAttribute('href') ?? '').origin)).toEqual(
    html.querySelectorAll('a').map(() => daybook.url),
  );
  for (const { content } of mail.attachments) expectOwnCalendar(String(content));
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
    host = await withAddress(await newProvider({ displayName: name(1), location: name(2), description: lines }));
    guest = await withAddress(await newConsumer({ displayName: name(3) }));
    const template = idOf(await writeTemplate(host, [{ questionText: line, questionType: openEnded }], line));
    slots = await publish(host, { end: '11:30', notes: lines }, `templateId=${template}`);
  });

  test('is in no header of a mail, no markup and no line of a calendar, whatever the mail is about', async () => {
    const [first, second, third, fourth] = slots as [Row, Row, Row, Row];
    for (const slot of [first, second, third]) await book(guest, slot);
    for (const answer of [lines, `${lines} 2`]) await submitForm(guest, first, [{ question: line, answer }]);
    await cancel(guest, first, lines);
    await cancel(host, second, lines);
    const to = `/api/Appointment/Move?id=${third.id}&to=${fourth.id}`;
    expect((await host.api('PUT', to, { reason: lines })).status).toBe(200);

    const event = {
      title: line,
      description: lines,
      address: lines.slice(0, 500),
      locationUrl: 'https://maps.test/?q=%22%3E',
    };
    const party = await createParty(host, event);
    await rsvp(guest, party);
    const change = { title: `${line} 2`, address: 'Elsewhere' };
    await host.api('PUT', `/api/Party/EditParty/${party.id}`, change);
    await host.api('DELETE', `/api/Party/DeleteParty?id=${party.id}`, { reason: lines.slice(0, 500) });
    const meetup = await createMeetup(host, { ...event, attendees: [name(4), name(5)] });
    const invited = linkOf(meetup, name(4).trim());
    await host.api('PUT', `/api/meetup/SetAttendeeEmail?id=${invited.id}`, { email: 'ada@mail.test' });
    // What is called off before it has left is told as that alone.
    expectOwn(await mailServer.got('ada@mail.test', /^An invitation/));
    await reply(daybook.visitor(), invited);
    await host.api('PUT', `/api/meetup/EditMeetup/${meetup.id}`, change);
    expectOwn(await mailServer.got('ada@mail.test', /^Changed: /));
    await host.api('DELETE', `/api/meetup/DeleteMeetup?id=${meetup.id}`);

    const wanted: [to: string, subject: RegExp][] = [
      [guest.email, bookedSubject],
      [guest.email, /^Canceled: /],
      [guest.email, /^Moved: /],
      [guest.email, /^Changed: /],
      [guest.email, /^Called off: /],
      [host.email, /^Booked: /],
      [host.email, /^New answers/],
      [host.email, /^Canceled: /],
      ['ada@mail.test', /^Called off: /],
    ];
    for (const [email, subject] of wanted) expectOwn(await mailServer.got(email, subject));
  });

  test('is text alone on each page, in each file and in each preview', async () => {
    const [, , , , fifth] = slots;
    const visitor = await newGuest(daybook, { displayName: name(6) });
    const booked = (await book(visitor, fifth as Row)).json as Row;
    const party = await createParty(host, { title: line, description: lines, openTo: 'anyone' });
    const answered = (await rsvp(visitor, party)).json as { link?: string };
    const meetup = await createMeetup(host, { title: line, description: lines, attendees: [name(7)] });
    const { link: feed } = (await host.api('POST', '/api/Account/MakeFeed')).json as { link: string };
    const paths: [who: Person | null, path: string][] = [
      [null, `/with/${host.username}`],
      [null, booked.link ?? ''],
      [null, answered.link ?? ''],
      [null, `/party/${party.id}`],
      [null, `/meetup-rsvp/${linkOf(meetup, name(7).trim()).id}`],
      [guest, '/view'],
      [guest, `/view?location=${encodeURIComponent(name(2))}`],
      [guest, '/view-dash'],
      [host, '/'],
      [host, '/profile'],
      [host, '/day'],
      [host, '/week'],
      [host, '/people'],
      [host, '/news'],
      [host, '/view-templates'],
      [host, `/view-provider/${booked.id}`],
      [host, `/view-party/${party.id}`],
      [host, `/manage-meetup/${meetup.id}`],
    ];
    for (const [who, path] of paths) {
      const page = await (who?.browser ?? daybook.visitor()).get(path);
      expect([path, page.status]).toEqual([path, 200]);
      expect(
        page.$$('fzmark, [fzattr], [onclick], body script[src*=fzmark]').map(({ outerHTML }) => outerHTML),
      ).toEqual([]);
      expect(page.text).not.toMatch(/<\/?fzmark|<script>fzmark/i);
      const previews = page.$$('meta[property^="og:"], meta[name=description], link[rel=canonical]');
      expect(
        previews.filter(({ attributes }) => Object.keys(attributes).some((key) => /^(a|fzattr)$/.test(key))),
      ).toEqual([]);
    }
    for (const path of [feed, `${booked.link}/daybook.ics`, `/party/${party.id}/daybook.ics`]) {
      const { text } = await daybook.visitor().get(path);
      expect(text).toContain('BEGIN:VEVENT');
      expectOwnCalendar(text);
    }
  });
});

describe('a text that no field takes', () => {
  let host: Person;
  let guest: Person;
  let slot: Row;
  let booked: Row;
  let template: string;
  beforeAll(async () => {
    [host, guest] = await Promise.all([newProvider(), newConsumer()]);
    template = idOf(await writeTemplate(host, [{ questionText: 'Why?', questionType: openEnded }], 'Asked'));
    [slot, booked] = (await publish(host, { end: '10:00' }, `templateId=${template}`)) as [Row, Row];
    await book(guest, booked);
  });

  const inOneLine: [what: string, text: string][] = [
    ['a line break', 'Ada\r\nBcc: x@evil.test'],
    ['a line feed', 'Ada\nBcc: x@evil.test'],
    ['another line end', 'Ada\u0085Bcc: x@evil.test'],
  ];
  const inAll: [what: string, text: string][] = [
    ['a null', 'Ada\u0000Bcc'],
    ['half a character', 'Ada \ud800 Bcc'],
    ['the other half', '\udfff'],
    ['an escape', 'Ada \u001b[31m'],
    ['far too many characters', 'x'.repeat(20_000)],
  ];
  type Field = [
    what: string,
    kind: 'line' | 'lines',
    send: (text: string) => Promise<{ status: number; json: unknown }>,
  ];
  const account = (more: object) => ({
    username: 'some.body',
    displayName: 'Some Body',
    password,
    role: 'Provider',
    location: 'Lisbon',
    ...more,
  });
  const stranger = () => daybook.visitor();
  const fields: Field[] = [
    ['a full name', 'line', (displayName) => stranger().api('POST', '/api/Account/Register', account({ displayName }))],
    ['a username', 'line', (username) => stranger().api('POST', '/api/Account/Register', account({ username }))],
    ['a city', 'line', (location) => stranger().api('POST', '/api/Account/Register', account({ location }))],
    [
      'a description',
      'lines',
      (description) => stranger().api('POST', '/api/Account/Register', account({ description })),
    ],
    [
      'an address of mail',
      'line',
      (text) => stranger().api('POST', '/api/Account/Register', account({ email: `${text}@evil.test` })),
    ],
    ['a guest’s name', 'line', (displayName) => stranger().api('POST', '/api/Account/Guest', { displayName })],
    [
      'a guest’s address',
      'line',
      (text) => stranger().api('POST', '/api/Account/Guest', { displayName: 'Gus', email: `a@b.test${text}` }),
    ],
    ['an address', 'line', (text) => guest.api('PUT', '/api/Account/SetEmail', { email: `a@b.test${text}`, password })],
    [
      'a question',
      'line',
      (questionText) => host.api('POST', '/api/Checkin/CreateTemplate?templateName=T', [{ questionText }]),
    ],
    [
      'an option',
      'line',
      (text) =>
        host.api('POST', '/api/Checkin/CreateTemplate?templateName=T', [{ questionType: 1, options: ['A', text] }]),
    ],
    [
      'notes',
      'lines',
      (notes) =>
        host.api('POST', '/api/Appointment/CreateAppointment', {
          start: '15:00',
          end: '16:00',
          dates: [dayAhead(2)],
          notes,
        }),
    ],
    ['a service', 'line', (name) => host.api('POST', '/api/Service/Create', { name, minutes: 30 })],
    ['a price', 'line', (price) => host.api('POST', '/api/Service/Create', { name: 'Cut', minutes: 30, price })],
    [
      'what a service is',
      'lines',
      (description) => host.api('POST', '/api/Service/Create', { name: 'Cut', minutes: 30, description }),
    ],
    ['notes of hours', 'lines', (notes) => host.api('PUT', '/api/Appointment/SetHours', { hours: [], notes })],
    [
      'other notes',
      'lines',
      (notes) => host.api('PUT', `/api/Appointment/ChangeOpen?id=${slot.id}&for=slot`, { notes }),
    ],
    ['a reason', 'lines', (reason) => guest.api('PUT', `/api/Appointment/Cancel?id=${booked.id}`, { reason })],
    [
      'a reason to move',
      'lines',
      (reason) => host.api('PUT', `/api/Appointment/Move?id=${booked.id}&to=${slot.id}`, { reason }),
    ],
    ['a note', 'lines', (note) => host.api('PUT', `/api/Appointment/SetNote?id=${booked.id}`, { note })],
    ['a walk-in', 'line', (displayName) => host.api('POST', `/api/Appointment/BookFor?id=${slot.id}`, { displayName })],
    ['an answer', 'lines', (answer) => submitForm(guest, booked, [{ question: 'Why?', answer }])],
    ['a title', 'line', (title) => host.api('POST', '/api/Party/CreateParty', partyDraft({ title }))],
    [
      'what a party is',
      'lines',
      (description) => host.api('POST', '/api/Party/CreateParty', partyDraft({ description })),
    ],
    ['where it is', 'lines', (address) => host.api('POST', '/api/Party/CreateParty', partyDraft({ address }))],
    [
      'the map',
      'line',
      (text) => host.api('POST', '/api/Party/CreateParty', partyDraft({ locationUrl: `https://maps.test/${text}` })),
    ],
    [
      'a name of a meetup',
      'line',
      (text) => host.api('POST', '/api/meetup/CreateMeetup', meetupDraft({ attendees: ['Ada', text] })),
    ],
  ];

  test.each(fields.map(([what], place) => [what, place] as const))(
    'is refused in words, and nothing is kept: %s',
    async (_, place) => {
      const [, kind, send] = fields[place] as Field;
      const before = await held(daybook, 'one_time_keys');
      for (const [what, text] of kind === 'line' ? [...inOneLine, ...inAll] : inAll) {
        const { status, json } = await send(text);
        expect([what, status, Array.isArray(json)]).toEqual([what, 400, true]);
      }
      expect(await held(daybook, 'one_time_keys')).toEqual(before);
    },
  );

  test('in a template’s name is refused, as its address has it', async () => {
    for (const encoded of ['A%0D%0ABcc:x', 'A%00', 'A%1B', 'x'.repeat(600)]) {
      const { status } = await host.api('POST', `/api/Checkin/CreateTemplate?templateName=${encoded}`, [{}]);
      expect([encoded.slice(0, 12), status]).toEqual([encoded.slice(0, 12), 400]);
    }
  });
});
