import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { expectConsoleError } from '../../support/console';
import { book, cancel, type Person, password, peopleAt, publishOne } from '../../support/factories';
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

/** Lets the time of the next try come. */
async function tryAgain(): Promise<void> {
  await daybook.d1.prepare("UPDATE messages SET due_at = 1 WHERE mail_state IN ('due', 'leased')").run();
  await daybook.scheduled();
}

/** How a reader's mails stand in the outbox. */
const mailStateOf = ({ email }: { email: string }) =>
  daybook.d1.prepare('SELECT mail_state FROM messages WHERE email = ?').bind(email).first<string>('mail_state');
const messageIds = (who: { email: string }) => new Set(mailsTo(who).map(({ mail }) => mail.messageId));

describe('a mail about a booking or a party', () => {
  const subjects = [bookedSubject, /^Changed: /, /^Canceled: /, /^Called off: /];
  let guest: Awaited<ReturnType<typeof newReader>>;
  beforeAll(async () => {
    const host = await newHost();
    guest = await newReader();
    const slot = await publishOne(host);
    await book(guest, slot);
    const party = await createParty(host);
    await rsvp(guest, party);
    await partyCalls.edit(host, party, { address: '5 Elm Street' });
    await cancel(host, slot);
    await partyCalls.remove(host, party);
    for (const subject of subjects) await mailServer.got(guest.email, subject);
  });

  test.each(subjects)('ends by one click of the mail program: %s', async (subject) => {
    const { mail, raw } = await mailServer.got(guest.email, subject);

    const header = mail.headers.get('list') as { unsubscribe?: { url?: string } } | undefined;

    expect(header?.unsubscribe?.url).toMatch(/^https?:\S+\/unsubscribe\/\S+$/);
    expect(raw).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  });

  test.each(subjects)('has the link that ends it in its text and its page: %s', async (subject) => {
    const { mail } = await mailServer.got(guest.email, subject);

    const header = mail.headers.get('list') as { unsubscribe?: { url?: string } } | undefined;

    expect(/https?:\S+\/unsubscribe\/\S+/.exec(mail.text ?? '')?.[0]).toBe(header?.unsubscribe?.url);
    expect(mail.html).toContain(header?.unsubscribe?.url);
  });

  test('has a Message-ID that no other has', () => {
    expect(mailsTo(guest).length).toBeGreaterThanOrEqual(subjects.length);
    expect(messageIds(guest).size).toBe(mailsTo(guest).length);
  });
});

describe('the question whether an address is somebody’s', () => {
  async function askAt(email: string) {
    const guest = await newReader();
    await guest.api('PUT', '/api/Account/SetEmail', { email, password });
    return mailServer.got(email, /Is this your address/);
  }

  test('has no calendar', async () => {
    expect(calendarIn(await askAt('asked@mail.test'))).toBeNull();
  });

  test('has no list that a mail program could end', async () => {
    expect((await askAt('other@mail.test')).mail.headers.has('list')).toBe(false);
  });
});

test('the guests of a party that is called off are told by one connection', async () => {
  const host = await newProvider();
  const guests = [await newReader(), await newReader()];
  const party = await createParty(host);
  for (const guest of guests) await rsvp(guest, party);

  await partyCalls.remove(host, party);

  const mails = await Promise.all(guests.map(({ email }) => mailServer.got(email, /^Called off: /)));
  expect(new Set(mails.map(({ connection }) => connection)).size).toBe(1);
});

describe('a mail server', () => {
  /** A booking whose mail meets a server that behaves so, until it is noted as that. */
  async function bookAtServer(manner: Parameters<typeof mailServer.behave>[0], state: string) {
    const [host, guest] = [await newProvider(), await newReader()];
    mailServer.behave(manner);
    await book(guest, await publishOne(host));
    await mailServer.isTried();
    await expectState(guest, state);
    return guest;
  }
  const expectState = (guest: { email: string }, state: string) =>
    expect.poll(() => mailStateOf(guest), { timeout: 10_000 }).toBe(state);

  test.each([
    ['hangs up in the middle', 'hang up'],
    ['lets nobody in', 'closed'],
  ] as const)('that %s gets the mail later, once', async (_, manner) => {
    const guest = await bookAtServer(manner, 'due');

    mailServer.behave('take');
    await tryAgain();
    await expectState(guest, 'sent');
    await tryAgain();

    expect(mailsTo(guest)).toHaveLength(1);
  });

  test('that hangs up after it has the mail gets it again with the same Message-ID', async () => {
    const guest = await bookAtServer('take and hang up', 'due');

    mailServer.behave('take');
    await tryAgain();
    await expectState(guest, 'sent');
    await tryAgain();

    expect(mailsTo(guest)).toHaveLength(2);
    expect(messageIds(guest).size).toBe(1);
  });

  test('that refuses for good is not asked again', async () => {
    expectConsoleError(/given up/);
    const guest = await bookAtServer('refuse for good', 'dead');

    mailServer.behave('take');
    await tryAgain();
    await tryAgain();

    await expectState(guest, 'dead');
    expect(mailsTo(guest)).toEqual([]);
  });

  const bookAt = async (host: Person, guest: Person, start: string, end: string) =>
    expect((await book(guest, await publishOne(host, { start, end }))).status).toBe(200);

  test('that is slow delays no booking', async () => {
    const [host, guest] = [await newHost(), await newConsumer()];
    mailServer.behave('dawdle');

    await bookAt(host, guest, '09:00', '09:30');
    await bookAt(host, guest, '10:00', '10:30');

    await mailServer.isTried();
    const beingSent = "SELECT count(*) AS n FROM messages WHERE mail_state = 'leased'";
    expect(await daybook.d1.prepare(beingSent).first('n')).toBeGreaterThan(0);
  });

  test('that refuses for now delays no booking', async () => {
    const [host, guest] = [await newHost(), await newConsumer()];
    mailServer.behave('refuse for now');

    await bookAt(host, guest, '11:00', '11:30');
  });

  test('that was slow and gone is given every mail once it is back', async () => {
    const [host, guest] = [await newHost(), await newConsumer()];
    mailServer.behave('dawdle');
    await bookAt(host, guest, '09:00', '09:30');
    await bookAt(host, guest, '10:00', '10:30');
    await mailServer.isTried();
    mailServer.behave('refuse for now');
    await bookAt(host, guest, '11:00', '11:30');

    mailServer.behave('take');
    for (let attempt = 0; attempt < 50 && mailsTo(host).length < 3; attempt++) {
      await sleep(100);
      await tryAgain();
    }

    expect(messageIds(host).size).toBe(3);
  });
});
