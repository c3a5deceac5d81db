import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'node-html-parser';
import { afterEach, describe, expect, test } from 'vitest';
import { newsOf } from '../../support/account-calls';
import { expectConsoleError } from '../../support/console';
import { book, cancel, password, peopleAt, publish, publishOne } from '../../support/factories';
import type { Arrived } from '../../support/mail-server';
import { bookedSubject, calendarIn, confirmAddress } from '../../support/mails';
import * as partyCalls from '../../support/party-calls';
import { createParty, rsvp } from '../../support/party-factories';
import { useMail } from '../../support/use-mail';

/* A real mail server, and what it gets. */

const { mailServer, daybook } = useMail({ isShared: false });
const { newProvider, newConsumer } = peopleAt(daybook);

afterEach(() => mailServer.behave('take'));

const newHost = async (details?: object) => confirmAddress(daybook.d1, await newProvider(details));
const newReader = async (details?: object) => confirmAddress(daybook.d1, await newConsumer(details));
const mailsTo = ({ email }: { email: string }) => mailServer.arrived.filter(({ to }) => to === email);

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
  await expect.poll(async () => (await stateOf(email, kind))?.mail_state, { timeout: 10_000 }).toBe(state);
  return (await stateOf(email, kind))?.tries ?? 0;
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

test('a mail is one that others can read, with the same words in text and HTML, whatever people have typed', async () => {
  const evil = 'Eve" <eve@evil.test>, <b>& Bcc: x@evil.test';
  const [host, guest] = [await newHost({ displayName: evil }), await newReader({ displayName: evil })];
  const slot = await publishOne(host, { notes: '</p><script>alert(1)</script>\nBcc: x@evil.test' });
  await book(guest, slot);
  const title = `${evil} Ünïcode 🦷 ${'long '.repeat(20)}`;
  const party = await createParty(host, { title, description: evil });
  await rsvp(guest, party);
  await partyCalls.edit(host, party, { address: `5 Elm Street\nBcc: x@evil.test` });
  await cancel(host, slot);
  await partyCalls.remove(host, party);
  for (const subject of [bookedSubject, /^Changed: /, /^Canceled: /, /^Called off: /]) {
    const arrived = await mailServer.got(guest.email, subject);
    expectPlainMail(arrived, guest.email);
    expect(arrived.mail.subject).toContain(evil);
    const header = arrived.mail.headers.get('list') as { unsubscribe?: { url?: string } } | undefined;
    expect(header?.unsubscribe?.url).toBe(/https?:\S+\/unsubscribe\/\S+/.exec(arrived.mail.text ?? '')?.[0]);
    expect(arrived.raw).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  }
  expectPlainMail(await mailServer.got(host.email, /^Booked: /), host.email);
  await guest.api('PUT', '/api/Account/SetEmail', { email: 'other@mail.test', password });
  const question = await mailServer.got('other@mail.test', /Is this your address/);
  expectPlainMail(question, 'other@mail.test');
  expect(calendarIn(question)).toBeNull();
  expect(new Set(mailServer.arrived.map(({ mail }) => mail.messageId)).size).toBe(mailServer.arrived.length);
});

describe('a mail server', () => {
  test.each([
    ['refuses for now', 'refuse for now', 1],
    ['hangs up in the middle', 'hang up', 1],
    ['hangs up after it has the mail', 'take and hang up', 2],
  ] as const)(
    'that %s gets it again, with the same Message-ID, and once it has taken it not again',
    async (_, manner, mails) => {
      const [host, guest] = [await newProvider(), await newReader()];
      mailServer.behave(manner);
      await book(guest, await publishOne(host));
      await mailServer.isTried();
      expect(await becomes(guest.email, 'booked', 'due')).toBe(1);
      mailServer.behave('take');
      await tryAgain();
      expect(await becomes(guest.email, 'booked', 'sent')).toBe(2);
      await tryAgain();
      expect(mailsTo(guest)).toHaveLength(mails);
      expect(new Set(mailsTo(guest).map(({ mail }) => mail.messageId)).size).toBe(1);
    },
  );

  test('that refuses for good is asked once; the operator reads it in the log, and the provider in the news', async () => {
    expectConsoleError(/given up/);
    const [host, guest] = [await newProvider(), await newReader({ displayName: 'Gone Guest' })];
    const slot = await publishOne(host);
    await book(guest, slot);
    await becomes(guest.email, 'booked', 'sent');
    mailServer.behave('refuse for good');
    await cancel(host, slot);
    expect(await becomes(guest.email, 'canceled', 'dead')).toBe(1);
    mailServer.behave('take');
    await tryAgain();
    const news = await newsOf(host);
    expect(news.find(({ kind }) => kind === 'undelivered')?.text).toMatch(
      /^A mail to Gone Guest about the appointment on .*, 09:00 to 09:30, UTC did not arrive\.$/,
    );
    expect((await host.browser.visit('/news')).text).toContain('did not arrive');
  });

  test('that lets nobody in is asked for a few mails only, and gets all of them once it does', async () => {
    const host = await newHost();
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
    await expect.poll(() => mailsTo(host).length, { timeout: 20_000 }).toBe(slots.length);
    expect(new Set(mailsTo(host).map(({ mail }) => mail.messageId)).size).toBe(slots.length);
  });

  test('that is slow or gone delays no booking, and all are told after it', async () => {
    const host = await newHost();
    const guest = await newConsumer();
    const bookAt = async (start: string, end: string) => book(guest, await publishOne(host, { start, end }));
    mailServer.behave('dawdle');
    expect((await bookAt('09:00', '09:30')).status).toBe(200);
    expect((await bookAt('10:00', '10:30')).status).toBe(200);
    await mailServer.isTried();
    expect(await beingSent()).toBeGreaterThan(0);
    mailServer.behave('refuse for now');
    expect((await bookAt('11:00', '11:30')).status).toBe(200);
    mailServer.behave('take');
    for (let attempt = 0; attempt < 50 && mailsTo(host).length < 3; attempt++) {
      await sleep(100);
      await tryAgain();
    }
    expect(new Set(mailsTo(host).map(({ mail }) => mail.messageId)).size).toBe(3);
  });
});
