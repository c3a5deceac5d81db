import { setTimeout as sleep } from 'node:timers/promises';
import ICAL from 'ical.js';
import { parse } from 'node-html-parser';
import { afterEach, describe, expect, test } from 'vitest';
import { expectConsoleError } from '../../support/console';
import { book, cancel, dayAhead, type Person, password, peopleAt, publish, publishOne } from '../../support/factories';
import type { Arrived } from '../../support/mail-server';
import { bookedSubject } from '../../support/mails';
import { useMail } from '../../support/use-mail';

/* A real mail server, and what it gets. */

const { mailServer, daybook } = useMail({ isShared: false });
const { newProvider, newConsumer } = peopleAt(daybook);

afterEach(() => mailServer.behave('take'));

let addresses = 0;
const pathIn = ({ mail }: Arrived, path: string) => {
  const [found] = new RegExp(`https?://[^/\\s]+(${path}\\S+)`).exec(mail.text ?? '')?.slice(1) ?? [];
  if (!found) throw new Error(`There is no link to ${path} in this mail:\n${mail.text}`);
  return found;
};

/** Gives somebody an address that they have confirmed. */
async function withAddress<Who extends Person>(who: Who): Promise<Who & { email: string }> {
  const email = `person.${++addresses}@mail.test`;
  await who.api('PUT', '/api/Account/SetEmail', { email, password });
  const asked = await mailServer.got(email, /Is this your address/);
  await (await who.browser.visit(pathIn(asked, '/confirm-email/'))).submit('Yes, this is my address');
  return { ...who, email };
}

const stateOf = (email: string, kind: string) =>
  daybook.d1
    .prepare('SELECT mail_state, tries FROM messages WHERE email = ? AND kind = ?')
    .bind(email, kind)
    .first<{ mail_state: string; tries: number }>();
/** Lets the time of the next try come. */
async function tryAgain(): Promise<void> {
  await daybook.d1.prepare("UPDATE messages SET due_at = 1 WHERE mail_state IN ('due', 'leased')").run();
  await daybook.scheduled();
}
/** Waits until a mail has that state. */
async function becomes(email: string, kind: string, state: string): Promise<number> {
  for (let attempt = 0; attempt < 500; attempt++) {
    const found = await stateOf(email, kind);
    if (found?.mail_state === state) return found.tries;
    await sleep(20);
  }
  throw new Error(`It is ${JSON.stringify(await stateOf(email, kind))}.`);
}

/** How many mails are taken, and neither sent nor put back so far. */
const beingSent = () =>
  daybook.d1.prepare("SELECT count(*) AS n FROM messages WHERE mail_state = 'leased'").first<number>('n');

const plain = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
const headersOf = ({ raw }: Arrived) =>
  (raw.split('\r\n\r\n')[0] ?? '')
    .replaceAll(/\r\n[ \t]/g, ' ')
    .split('\r\n')
    .map((line) => line.split(':')[0]);

/** What every mail must be, whatever people have typed. */
function expectPlainMail(arrived: Arrived, to: string): void {
  const { mail } = arrived;
  expect(arrived.to).toBe(to);
  expect([mail.to].flat().map((one) => one?.text)).toEqual([to]);
  expect(mail.from?.text).toBe('"Daybook" <book@daybook.test>');
  expect(
    headersOf(arrived).filter(
      (name) =>
        !/^(From|To|Reply-To|Subject|Message-ID|Auto-Submitted|List-Unsubscribe|List-Unsubscribe-Post|Date|MIME-Version|Content-Type)$/i.test(
          name ?? '',
        ),
    ),
  ).toEqual([]);
  expect(mail.html).not.toMatch(/<img|<script|src=|@import|url\(/i);
  const html = parse(mail.html || '');
  for (const link of html.querySelectorAll('a')) {
    const href = link.getAttribute('href') ?? '';
    expect(mail.text).toContain(href);
    link.replaceWith(link.text.startsWith('To end') ? ` To end these mails: ${href}` : `${link.text}: ${href}`);
  }
  const words = (html.querySelector('body')?.structuredText ?? '').replaceAll('\n', ' ');
  expect(plain(words)).toBe(plain((mail.text ?? '').replace('\n-- \n', '\n')));
}

describe('a mail', () => {
  test('is one that others can read, with the same words in text and HTML, whatever people have typed', async () => {
    const evil = 'Eve" <eve@evil.test>, <b>& Bcc: x@evil.test';
    const host = await withAddress(await newProvider({ displayName: evil }));
    const guest = await withAddress(await newConsumer({ displayName: evil }));
    const slot = await publishOne(host, { notes: '</p><script>alert(1)</script>\nBcc: x@evil.test' });
    await book(guest, slot);
    const title = `${evil} Ünïcode 🦷 ${'long '.repeat(20)}`;
    const party = { title, date: dayAhead(3), startTime: '18:00', endTime: '21:00', description: evil };
    const { id } = (await host.api('POST', '/api/Party/CreateParty', party)).json as { id: string };
    await guest.api('PUT', `/api/Party/BookRsvp?id=${id}&accepted=true`);
    await host.api('PUT', `/api/Party/EditParty/${id}`, { address: `5 Elm Street\nBcc: x@evil.test` });
    await cancel(host, slot);
    await host.api('DELETE', `/api/Party/DeleteParty?id=${id}`);
    for (const subject of [bookedSubject, /^Changed: /, /^Canceled: /, /^Called off: /]) {
      const arrived = await mailServer.got(guest.email, subject);
      expectPlainMail(arrived, guest.email);
      expect(arrived.mail.subject).toContain(evil);
      const header = arrived.mail.headers.get('list') as { unsubscribe?: { url?: string } } | undefined;
      expect(header?.unsubscribe?.url).toBe(/https?:\S+\/unsubscribe\/\S+/.exec(arrived.mail.text ?? '')?.[0]);
      expect(arrived.raw).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    }
    expectPlainMail(await mailServer.got(host.email, /^Booked: /), host.email);
    expectPlainMail(await mailServer.got(host.email, /Is this your address/), host.email);
    expect(new Set(mailServer.arrived.map(({ mail }) => mail.messageId)).size).toBe(mailServer.arrived.length);
  });
});

/** The calendar entry of a mail, which is there as a part and as a file; undefined where it has none. */
function entryIn({ mail, raw }: Arrived) {
  const files = mail.attachments.filter(({ contentType }) => /calendar|ics/.test(contentType));
  if (files.length === 0) return undefined;
  const parts = [...raw.matchAll(/Content-Type: text\/calendar;[^\r]*(?:\r\n[ \t][^\r]*)*/gi)].map(
    ([header]) => header,
  );
  const [text, ...others] = [...new Set(files.map(({ content }) => content.toString()))];
  expect([others, parts.length > 0]).toEqual([[], true]);
  const calendar = new ICAL.Component(ICAL.parse(text ?? ''));
  const method = String(calendar.getFirstPropertyValue('method'));
  for (const header of parts) expect(header).toMatch(new RegExp(`method="?${method}"?`, 'i'));
  return { method, ...entryOf(calendar) };
}

function entryOf(calendar: ICAL.Component) {
  const event = calendar.getFirstSubcomponent('vevent');
  const value = (name: string) => String(event?.getFirstPropertyValue(name));
  const [uid, sequence, status] = [value('uid'), Number(value('sequence')), value('status')];
  const [start, end] = [value('dtstart'), value('dtend')];
  return { uid, sequence, status, start, end, summary: value('summary'), attendee: value('attendee') };
}

describe('the calendar entry of a mail', () => {
  const fileOf = async (who: Person, { id }: { id: string }) => {
    const { text } = await who.browser.get(`/appointments/${id}/daybook.ics`);
    const { attendee: _, ...entry } = entryOf(new ICAL.Component(ICAL.parse(text)));
    return entry;
  };

  test('is the one of the file, booked and canceled, for both', async () => {
    const host = await withAddress(await newProvider({ displayName: 'Karla, "K"; Ärztin' }));
    const guest = await withAddress(await newConsumer({ displayName: 'Maya' }));
    const slot = await publishOne(host, { notes: 'Bring the card; and, please, time.\nSecond line' });
    await book(guest, slot);
    const [forGuest, forHost] = [
      entryIn(await mailServer.got(guest.email, bookedSubject)),
      entryIn(await mailServer.got(host.email, /^Booked: /)),
    ];
    expect(forGuest).toMatchObject({ ...(await fileOf(guest, slot)), method: 'REQUEST', status: 'CONFIRMED' });
    expect(forGuest?.attendee).toBe(`mailto:${guest.email}`);
    expect(forHost).toMatchObject({ ...(await fileOf(host, slot)), method: 'REQUEST', summary: 'Maya' });
    await cancel(host, slot);
    const gone = entryIn(await mailServer.got(guest.email, /^Canceled/));
    expect(gone).toMatchObject({ ...(await fileOf(guest, slot)), method: 'CANCEL', status: 'CANCELLED' });
    expect([gone?.uid, gone?.sequence]).toEqual([forGuest?.uid, (forGuest?.sequence ?? 0) + 1]);
  });

  test('stays the same entry where the appointment is moved, by whomever', async () => {
    const host = await withAddress(await newProvider());
    const guest = await withAddress(await newConsumer());
    const slots = await publish(host, { end: '11:00' });
    const [first, second, third] = slots;
    if (!first || !second || !third) throw new Error('Three slots were to be published.');
    await book(guest, first);
    const before = entryIn(await mailServer.got(guest.email, bookedSubject));
    const move = (who: Person, from: { id: string }, to: { id: string }) =>
      who.api('PUT', `/api/Appointment/Move?id=${from.id}&to=${to.id}`);
    expect((await move(guest, first, second)).status).toBe(200);
    const moved = entryIn(await mailServer.got(host.email, /^Moved/));
    expect(moved).toMatchObject({ ...(await fileOf(host, second)), method: 'REQUEST', uid: before?.uid });
    expect(moved?.sequence).toBeGreaterThan(before?.sequence ?? 0);
    await mailServer.got(guest.email, /^Moved/);
    const known = mailServer.arrived.length;
    expect((await move(host, second, third)).status).toBe(200);
    const again = await mailServer.got(guest.email, /^Moved/, known);
    expect(entryIn(again)).toMatchObject({ ...(await fileOf(guest, third)), method: 'REQUEST', uid: before?.uid });
  });

  test('is not in a mail of what was canceled before it left, nor in others', async () => {
    const [host, guest] = [await newProvider(), await withAddress(await newConsumer())];
    mailServer.behave('refuse for now');
    const slot = await publishOne(host);
    await book(guest, slot);
    await becomes(guest.email, 'booked', 'due');
    await cancel(guest, slot);
    mailServer.behave('take');
    await tryAgain();
    expect(entryIn(await mailServer.got(guest.email, bookedSubject))).toBeUndefined();
    expect(entryIn(await mailServer.got(guest.email, /^Canceled/))?.method).toBe('CANCEL');
    expect(entryIn(await mailServer.got(guest.email, /Is this your/))).toBeUndefined();
  });

  test('is a guest’s too, with the link that is theirs', async () => {
    const host = await newProvider();
    const [stranger, email] = [daybook.visitor(), `guest.${++addresses}@mail.test`];
    await stranger.api('POST', '/api/Account/Guest', { displayName: 'Gus', email });
    const slot = await publishOne(host);
    await stranger.api('PUT', `/api/Appointment/Book?id=${slot.id}`);
    const booked = await mailServer.got(email, bookedSubject);
    expect(entryIn(booked)?.method).toBe('REQUEST');
    const [, , key] = pathIn(booked, '/booking/').split('/');
    const own = await daybook.visitor().api('GET', `/api/Public/Booking?key=${key}`);
    expect([own.status, own.json]).toEqual([200, expect.objectContaining({ id: slot.id })]);
  });
});

describe('a mail server', () => {
  /** The mails about bookings that somebody got. */
  const bookedMails = ({ email }: { email: string }) =>
    mailServer.arrived.filter(({ to, mail }) => to === email && /^Booked: /.test(mail.subject ?? ''));

  test('that refuses for now gets the mail later, once', async () => {
    const [host, guest] = [await newProvider(), await withAddress(await newConsumer())];
    mailServer.behave('refuse for now');
    await book(guest, await publishOne(host));
    await mailServer.isTried();
    expect(await becomes(guest.email, 'booked', 'due')).toBe(1);
    mailServer.behave('take');
    await tryAgain();
    await mailServer.got(guest.email, bookedSubject);
    expect(await becomes(guest.email, 'booked', 'sent')).toBe(2);
    await tryAgain();
    expect(mailServer.arrived.filter(({ to }) => to === guest.email)).toHaveLength(2);
  });

  test('that refuses for good is asked once; the operator reads it in the log, and the provider in the news', async () => {
    expectConsoleError(/given up/);
    const [host, guest] = [await newProvider(), await withAddress(await newConsumer({ displayName: 'Gone Guest' }))];
    const slot = await publishOne(host);
    await book(guest, slot);
    await becomes(guest.email, 'booked', 'sent');
    mailServer.behave('refuse for good');
    await cancel(host, slot);
    expect(await becomes(guest.email, 'canceled', 'dead')).toBe(1);
    mailServer.behave('take');
    await tryAgain();
    const news = (await host.api('GET', '/api/Account/GetNews')).json as { kind: string; text: string }[];
    expect(news.find(({ kind }) => kind === 'undelivered')?.text).toMatch(
      /^A mail to Gone Guest about the appointment on .*, 09:00 to 09:30, UTC did not arrive\.$/,
    );
    expect((await host.browser.visit('/news')).text).toContain('did not arrive');
  });

  test.each([
    ['in the middle', 'hang up', 2],
    ['after it has the mail', 'take and hang up', 3],
  ] as const)('that hangs up %s gets it again, with the same Message-ID', async (_, manner, mails) => {
    const [host, guest] = [await newProvider(), await withAddress(await newConsumer())];
    mailServer.behave(manner);
    await book(guest, await publishOne(host));
    await mailServer.isTried();
    expect(await becomes(guest.email, 'booked', 'due')).toBe(1);
    mailServer.behave('take');
    await tryAgain();
    await becomes(guest.email, 'booked', 'sent');
    const own = mailServer.arrived.filter(({ to }) => to === guest.email);
    expect(own).toHaveLength(mails);
    expect(new Set(own.map(({ mail }) => mail.messageId)).size).toBe(2);
  });

  test('that lets nobody in is asked for a few mails only, and gets all of them once it does', async () => {
    const host = await withAddress(await newProvider());
    const guest = await newConsumer();
    const slots = await publish(host, { start: '06:00', end: '12:00' });
    expect(slots.length).toBe(12);
    mailServer.behave('closed');
    for (const slot of slots) expect((await book(guest, slot)).status).toBe(200);
    await mailServer.isTried();
    await expect.poll(beingSent, { timeout: 10_000 }).toBe(0);
    expect(mailServer.tries()).toBeLessThanOrEqual(5);
    mailServer.behave('take');
    await daybook.scheduled();
    for (let attempt = 0; attempt < 400 && bookedMails(host).length < slots.length; attempt++) await sleep(50);
    expect(new Set(bookedMails(host).map(({ mail }) => mail.messageId)).size).toBe(slots.length);
  });

  test('that is slow or gone delays no booking, and all are told after it', async () => {
    const host = await withAddress(await newProvider());
    const guest = await newConsumer();
    const bookAt = async (start: string, end: string) => book(guest, await publishOne(host, { start, end }));
    mailServer.behave('dawdle');
    for (const [start, end] of [
      ['09:00', '09:30'],
      ['10:00', '10:30'],
    ] as const)
      expect((await bookAt(start, end)).status).toBe(200);
    await mailServer.isTried();
    expect(await beingSent()).toBeGreaterThan(0);
    mailServer.behave('refuse for now');
    expect((await bookAt('11:00', '11:30')).status).toBe(200);
    mailServer.behave('take');
    for (let attempt = 0; attempt < 50 && bookedMails(host).length < 3; attempt++) {
      await sleep(100);
      await tryAgain();
    }
    expect(new Set(bookedMails(host).map(({ mail }) => mail.messageId)).size).toBe(3);
  });
});
