import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, test } from 'vitest';
import { bookAppointment, cancelAppointment } from '../../../app/domain/bookings/book.server';
import { type Delivery, deliverDue } from '../../../app/domain/messages/delivery.server';
import type { Mail, Outcome } from '../../../app/domain/messages/mail';
import { listNews } from '../../../app/domain/messages/news.server';
import { lease } from '../../../app/domain/messages/outbox.server';
import { remind } from '../../../app/domain/messages/reminders.server';
import type { Actor } from '../../../app/domain/profile/accounts';
import { addDays, day, hour, minute } from '../../../app/domain/time/clock';
import { instantOf, todayIn } from '../../../app/domain/time/zones';
import type { Db } from '../../../db/client';
import { newBook, publishTimes, start, stored } from '../../support/history';

/* Mail that is due, with a mail server that does as the test says and a clock that the test moves. */

let db: Db;
let host: Actor;
let ana: Actor;
let now: number;
let sent: Mail[];
let reported: { reason: string }[];
let answers: (mail: Mail) => Promise<Outcome>;

const date = addDays(todayIn('UTC', start), 20);
const nine = instantOf(date, '09:00', 'UTC');
const taken: Outcome = { isSent: true };
const later: Outcome = { isSent: false, isFinal: false, reason: '451' };
const gone: Outcome = { isSent: false, isFinal: false, isUnreachable: true, reason: 'ECONNECTION' };
const unreachable = { mail: 'unreachable', reason: 'ECONNECTION' };
const never: Outcome = { isSent: false, isFinal: true, reason: '550' };

beforeEach(async () => {
  ({ db, host, guest: ana } = await newBook());
  await env.DB.prepare(
    "UPDATE accounts SET email = 'ana@mail.test', email_confirmed_at = 1, time_zone = 'Asia/Colombo' WHERE id = ?",
  )
    .bind(ana.accountId)
    .run();
  [now, sent, reported] = [start, [], []];
  answers = async () => taken;
});

const delivery: Delivery = {
  transport: async (mail) => {
    const outcome = await answers(mail);
    if (outcome.isSent) sent.push(mail);
    return outcome;
  },
  linkOf: () => 'https://daybook.test/',
  unsubscribeOf: () => null,
  notMeOf: () => null,
  calendarOf: () => undefined,
  clock: () => now,
  report: (line) => reported.push(line),
};
/** Sends what is due to a mail server that can be reached. @returns when the next mail is due */
async function deliver(): Promise<number | null> {
  const next = await deliverDue(db, delivery);
  if (next === 'unreachable') throw new Error('The mail server was to be reached.');
  return next;
}

/** Publishes times of the host's from nine o'clock on, and returns their ids. */
const publish = async (end: string, len: number) =>
  (await publishTimes(db, host, { start: '09:00', end, dates: [date], len })).ids;
const book = (id: string, at = start) => bookAppointment(db, ana, { id, submitted: null }, at);
/** Ana has booked nine o'clock. */
async function booked(): Promise<string> {
  const [id = ''] = await publish('09:30', 30);
  await book(id);
  return id;
}
const states = async () =>
  (await stored<{ mail_state: string | null }>('SELECT mail_state FROM messages')).map((row) => row.mail_state);

describe('a mail', () => {
  test('is sent once, also where two look for it at once', async () => {
    await booked();
    await Promise.all([deliver(), deliver(), deliver()]);
    await deliver();
    expect(sent.map(({ to, subject }) => [to, subject])).toEqual([['ana@mail.test', 'Host: Fri 29 Mar, 09:00 (UTC)']]);
    expect(sent[0]?.text).toContain('Your appointment with Host is on Friday, 29 March 2030, 09:00 to 09:30, UTC.');
    expect(sent[0]?.text).toContain('On your clock: Friday, 29 March 2030, 14:30 to 15:00, Colombo time.');
  });

  test('that the server refuses for now is tried with growing pauses for two days, then given up', async () => {
    await booked();
    answers = async () => later;
    const pauses: number[] = [];
    for (let next = await deliver(); next !== null; next = await deliver()) {
      pauses.push((next - now) / minute);
      now = next;
    }
    const rest = pauses.splice(9);
    expect([pauses, new Set(rest)]).toEqual([[1, 2, 4, 8, 16, 32, 64, 128, 240], new Set([240])]);
    expect([now - start > 2 * day, now - start <= 2 * day + 4 * hour]).toEqual([true, true]);
    expect(await states()).toContain('dead');
    expect(reported).toEqual([{ mail: 'given up', kind: 'booked', tries: 9 + rest.length + 1, reason: '451' }]);
  });

  test('waits untried while nobody is there, and all of them arrive once somebody is, none twice', async () => {
    const slots = await publish('12:00', 5);
    let asked = 0;
    answers = async () => {
      asked += 1;
      return gone;
    };
    for (const [place, id] of slots.entries()) {
      now = start + place * 100_000;
      await book(id, now);
      if (place % 5 === 0) await cancelAppointment(db, host, { id, reason: null }, now + 1);
      now += 1;
    }
    const mails = slots.length + Math.ceil(slots.length / 5);
    for (let minutes = 0; minutes < 60; minutes += 5) {
      asked = 0;
      expect(await deliverDue(db, delivery)).toBe('unreachable');
      expect(asked).toBeLessThanOrEqual(5);
      now += 5 * minute;
    }
    expect((await states()).filter((state) => state === 'due')).toHaveLength(mails);
    answers = async () => taken;
    expect(await deliver()).toBeNull();
    expect([sent.length, new Set(sent.map(({ id }) => id)).size]).toEqual([mails, mails]);
    // Each try that finds no server is said to the operator.
    expect(reported).toEqual(Array(12).fill(unreachable));
  });

  test('that fails while others leave is tried again by itself, and arrives once', async () => {
    const id = await booked();
    await env.DB.prepare("UPDATE accounts SET email = 'host@mail.test', email_confirmed_at = 1 WHERE id = ?")
      .bind(host.accountId)
      .run();
    await cancelAppointment(db, ana, { id, reason: null }, start + 1);
    now = start + 1;
    answers = async ({ to }) => (to === 'ana@mail.test' ? gone : taken);
    expect(await deliver()).toBe(now + minute);
    answers = async () => taken;
    now += minute;
    expect(await deliver()).toBeNull();
    now += day;
    await deliver();
    // Ana's are about the booking and its end.
    expect(sent.map(({ to }) => to)).toEqual(['host@mail.test', 'ana@mail.test', 'ana@mail.test']);
    expect(new Set(sent.map(({ id }) => id)).size).toBe(3);
  });

  test('that the server refuses for good is not tried again, and its provider reads that it did not arrive', async () => {
    const id = await booked();
    await deliver();
    await cancelAppointment(db, host, { id, reason: null }, start + 1);
    now += minute;
    answers = async () => never;
    expect(await deliver()).toBeNull();
    const newsOf = async (who: Actor) => (await listNews(db, who, 0)).rows.map(({ kind, other }) => `${kind} ${other}`);
    expect(await newsOf(host)).toContain('undelivered Guest');
    expect((await newsOf(ana)).join()).not.toContain('undelivered');
  });

  test('whose sender was stopped before it was noted is sent again, with the same Message-ID', async () => {
    await booked();
    answers = async (mail) => {
      sent.push(mail);
      throw new Error('The process was stopped.');
    };
    await expect(deliver()).rejects.toThrow('stopped');
    answers = async () => taken;
    await deliver();
    now += lease;
    await deliver();
    expect([sent.length, new Set(sent.map(({ id }) => id)).size]).toEqual([2, 1]);
  });

  test('that was written while no mail was set up is not sent weeks later', async () => {
    await booked();
    now += 7 * day;
    await deliver();
    expect(sent).toEqual([]);
    expect(await states()).toContain('dropped');
  });

  test('that reminds is not sent once the appointment is canceled, or has begun', async () => {
    const first = await booked();
    await deliver();
    await remind(db, nine - day);
    await cancelAppointment(db, ana, { id: first, reason: null }, nine - day + 1);
    const [again = ''] = (await stored<{ id: string }>('SELECT id FROM slots WHERE state = 0')).map(({ id }) => id);
    await book(again, start + 1);
    now = start + 2;
    await deliver();
    now = nine - day + 2;
    await deliver();
    await remind(db, nine - day + 3);
    now = nine;
    await deliver();
    expect(sent.filter(({ subject }) => subject.startsWith('Soon:'))).toEqual([]);
    expect((await states()).filter((state) => state === 'dropped')).toHaveLength(2);
  });
});
