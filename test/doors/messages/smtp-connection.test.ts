import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Outcome, sendTimeout } from '../../../app/domain/messages/mail';
import { smtpTransport } from '../../../app/mail/smtp';
import { refusedDomain, startMailServer } from '../../support/mail-server';

/* Mails that are due together, and a real mail server. */

let mailServer: Awaited<ReturnType<typeof startMailServer>>;
beforeAll(async () => {
  mailServer = await startMailServer();
});
afterAll(() => mailServer.stop());
beforeEach(() => {
  mailServer.behave('take');
  mailServer.arrived.length = 0;
});

const sender = { name: 'Daybook', address: 'book@daybook.test' };
const mailTo = (to: string) => ({ id: `to-${to}`, to, subject: 'Words', text: 'Words', html: '<p>Words</p>' });
const sendTo = (...addresses: string[]): Promise<Outcome>[] =>
  smtpTransport(new URL(`smtp://127.0.0.1:${mailServer.port}`), sender)(addresses.map(mailTo));
const connections = () => new Set(mailServer.arrived.map(({ connection }) => connection));
const whoGotMail = () => mailServer.arrived.map(({ to }) => to);

const [ana, bo, cem] = ['ana@mail.test', 'bo@mail.test', 'cem@mail.test'] as const;
const sent: Outcome = { isSent: true };
const untried: Outcome = { isSent: false, isFinal: false, isUntried: true, reason: 'ECONNECTION' };

test('mails that are due together leave by one connection, in their order', async () => {
  const outcomes = await Promise.all(sendTo(ana, bo, cem));

  expect(outcomes).toEqual([sent, sent, sent]);
  expect(whoGotMail()).toEqual([ana, bo, cem]);
  expect(connections().size).toBe(1);
});

test('a recipient who is refused stops neither the mails before nor those after, by the same connection', async () => {
  const outcomes = await Promise.all(sendTo(ana, `bo@${refusedDomain}`, cem));

  expect(outcomes).toEqual([sent, expect.objectContaining({ isSent: false, isFinal: true }), sent]);
  expect(whoGotMail()).toEqual([ana, cem]);
  expect(connections().size).toBe(1);
});

test('the outcome of a mail is known before the next is taken', async () => {
  const [first, second] = sendTo(ana, bo);

  expect(await first).toEqual(sent);
  mailServer.behave('refuse for now');

  expect(await second).toMatchObject({ isSent: false, isFinal: false });
});

test('a server that hangs up leaves the rest untried', async () => {
  mailServer.behave('take and hang up');

  const [first, ...rest] = await Promise.all(sendTo(ana, bo, cem));

  expect(first).toMatchObject({ isSent: false, isFinal: false });
  expect(rest).toEqual([untried, untried]);
  expect(whoGotMail()).toEqual([ana]);
});

test('a server that lets nobody in is unreachable for each mail', async () => {
  mailServer.behave('closed');

  const outcomes = await Promise.all(sendTo(ana, bo));

  const unreachable = expect.objectContaining({ isSent: false, isFinal: false, isUnreachable: true });
  expect(outcomes).toEqual([unreachable, unreachable]);
});

describe('a try ends by its timer', () => {
  // The mail server waits a moment before it greets.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true }));
  afterEach(() => {
    vi.useRealTimers();
    mailServer.behave('take');
  });

  /** No timer of the try's libraries, which wait longer, ends it after this. */
  const stopClock = () => vi.useRealTimers();

  test('at a server that never greets, which is unreachable', async () => {
    mailServer.behave('silent');
    const outcomes = sendTo(ana, bo);
    await mailServer.isTried();

    vi.advanceTimersByTime(sendTimeout);
    stopClock();

    const unreachable = { isSent: false, isFinal: false, isUnreachable: true, reason: 'ETIMEDOUT' };
    expect(await Promise.all(outcomes)).toEqual([unreachable, unreachable]);
  });

  test('at a server that falls silent within a mail, and the rest is untried', async () => {
    mailServer.behave('dawdle');
    const outcomes = sendTo(ana, bo);
    await mailServer.isTried();

    vi.advanceTimersByTime(sendTimeout);
    stopClock();

    const silent = { isSent: false, isFinal: false, isUnreachable: false, reason: 'ETIMEDOUT' };
    expect(await Promise.all(outcomes)).toEqual([silent, untried]);
  });

  test('and not before', async () => {
    mailServer.behave('dawdle');
    const [outcome] = sendTo(ana);
    await mailServer.isTried();

    vi.advanceTimersByTime(sendTimeout - 1000);
    mailServer.behave('take');

    expect(await outcome).toEqual(sent);
  });
});
