import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { expectConsoleError } from '../../support/console';
import { book, cancel, password, peopleAt, publishOne } from '../../support/factories';
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

test('each mail about a booking or a party ends by one click; the question whether an address is somebody’s has neither that nor an entry', async () => {
  const [host, guest] = [await newHost(), await newReader()];
  const slot = await publishOne(host);
  await book(guest, slot);
  const party = await createParty(host);
  await rsvp(guest, party);
  await partyCalls.edit(host, party, { address: '5 Elm Street' });
  await cancel(host, slot);
  await partyCalls.remove(host, party);
  for (const subject of [bookedSubject, /^Changed: /, /^Canceled: /, /^Called off: /]) {
    const { mail, raw } = await mailServer.got(guest.email, subject);
    const header = mail.headers.get('list') as { unsubscribe?: { url?: string } } | undefined;
    expect(header?.unsubscribe?.url).toBe(/https?:\S+\/unsubscribe\/\S+/.exec(mail.text ?? '')?.[0]);
    expect(raw).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    expect(mail.html).toContain(header?.unsubscribe?.url);
  }
  await guest.api('PUT', '/api/Account/SetEmail', { email: 'other@mail.test', password });
  const question = await mailServer.got('other@mail.test', /Is this your address/);
  expect([calendarIn(question), question.mail.headers.has('list')]).toEqual([null, false]);
  expect(new Set(mailServer.arrived.map(({ mail }) => mail.messageId)).size).toBe(mailServer.arrived.length);
});

describe('a mail server', () => {
  test.each([
    ['hangs up in the middle gets it again', 'hang up', 'due', 1],
    ['hangs up after it has the mail gets it again, with the same Message-ID', 'take and hang up', 'due', 2],
    ['lets nobody in gets it later', 'closed', 'due', 1],
    ['refuses for good is asked once', 'refuse for good', 'dead', 0],
  ] as const)('that %s, and once it has taken it not again', async (_, manner, state, mails) => {
    if (state === 'dead') expectConsoleError(/given up/);
    const [host, guest] = [await newProvider(), await newReader()];
    const becomes = (wanted: string) =>
      expect
        .poll(
          () =>
            daybook.d1.prepare('SELECT mail_state FROM messages WHERE email = ?').bind(guest.email).first('mail_state'),
          { timeout: 10_000 },
        )
        .toBe(wanted);
    mailServer.behave(manner);
    await book(guest, await publishOne(host));
    await mailServer.isTried();
    await becomes(state);
    mailServer.behave('take');
    await tryAgain();
    await becomes(state === 'due' ? 'sent' : 'dead');
    await tryAgain();
    expect(mailsTo(guest)).toHaveLength(mails);
    expect(new Set(mailsTo(guest).map(({ mail }) => mail.messageId)).size).toBe(Math.min(mails, 1));
  });

  test('that is slow or gone delays no booking, and all are told after it', async () => {
    const [host, guest] = [await newHost(), await newConsumer()];
    const bookAt = async (start: string, end: string) =>
      expect((await book(guest, await publishOne(host, { start, end }))).status).toBe(200);
    mailServer.behave('dawdle');
    await bookAt('09:00', '09:30');
    await bookAt('10:00', '10:30');
    await mailServer.isTried();
    const beingSent = "SELECT count(*) AS n FROM messages WHERE mail_state = 'leased'";
    expect(await daybook.d1.prepare(beingSent).first('n')).toBeGreaterThan(0);
    mailServer.behave('refuse for now');
    await bookAt('11:00', '11:30');
    mailServer.behave('take');
    for (let attempt = 0; attempt < 50 && mailsTo(host).length < 3; attempt++) {
      await sleep(100);
      await tryAgain();
    }
    expect(new Set(mailsTo(host).map(({ mail }) => mail.messageId)).size).toBe(3);
  });
});
