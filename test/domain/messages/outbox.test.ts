import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, test } from 'vitest';
import { bookAppointment, cancelAppointment } from '../../../app/domain/bookings/book.server';
import { linksBy } from '../../../app/domain/links.server';
import { type Delivery, deliverDue } from '../../../app/domain/messages/deliver.server';
import { eachAlone, type Mail, type Outcome } from '../../../app/domain/messages/mail';
import { listNews } from '../../../app/domain/messages/news.server';
import { remind } from '../../../app/domain/messages/reminders.server';
import type { Actor } from '../../../app/domain/profile/accounts';
import { signatures } from '../../../app/domain/signatures.server';
import { addDays, day, hour, minute } from '../../../app/domain/time/clock';
import { instantOf, todayIn } from '../../../app/domain/time/zones';
import { english } from '../../../app/domain/words/english';
import { composeMail } from '../../../app/serve/composed-mail.server';
import type { Db } from '../../../db/client';
import { newBook, publishTimes, start, stored, year } from '../../support/history';

/* Mail that is due, with a mail server that does as the test says and a clock that the test moves. */

let db: Db;
let host: Actor;
let ana: Actor;
let now: number;
let sent: Mail[];
let reported: { reason: string }[];
let takeUp: (mail: Mail) => Promise<Outcome>;

const date = addDays(todayIn('UTC', start), 20);
const nine = instantOf(date, '09:00', 'UTC');
const taken: Outcome = { isSent: true };
const later: Outcome = { isSent: false, isFinal: false, reason: '451' };
const gone: Outcome = { isSent: false, isFinal: false, isUnreachable: true, reason: 'ECONNECTION' };
const never: Outcome = { isSent: false, isFinal: true, reason: '550' };

beforeEach(async () => {
  ({ db, host, guest: ana } = await newBook());
  await env.DB.prepare(
    "UPDATE accounts SET email = 'ana@mail.test', email_confirmed_at = 1, time_zone = 'Asia/Colombo' WHERE id = ?",
  )
    .bind(ana.accountId)
    .run();
  [now, sent, reported] = [start, [], []];
  takeUp = async () => taken;
});

const secrets = signatures('a secret of this test');
const links = linksBy('a secret of this test');

const delivery: Delivery = {
  transport: eachAlone(async (mail) => {
    const outcome = await takeUp(mail);
    if (outcome.isSent) sent.push(mail);
    return outcome;
  }),
  compose: (outgoing) => composeMail(outgoing, { secrets, links, origin: 'https://daybook.test', now }),
  wordsIn: async () => english,
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
async function bookNine(): Promise<string> {
  const [id = ''] = await publish('09:30', 30);
  await book(id);
  return id;
}
const states = async () =>
  (await stored<{ mail_state: string | null }>('SELECT mail_state FROM messages')).map((row) => row.mail_state);
const newsOf = async (who: Actor) => (await listNews(db, who, 0)).rows.map(({ kind, other }) => `${kind} ${other}`);
const sentIds = () => new Set(sent.map(({ id }) => id));
const reminders = () => sent.filter(({ subject }) => subject.startsWith('Soon:'));

describe('a mail', () => {
  test('says with whom and when, by the clock of the appointment and of its reader', async () => {
    await bookNine();

    await deliver();

    expect(sent[0]?.to).toBe('ana@mail.test');
    expect(sent[0]?.subject).toBe('Host: Fri 29 Mar, 09:00 (UTC)');
    expect(sent[0]?.text).toContain(`Your appointment with Host is on Friday, 29 March ${year}, 09:00 to 09:30, UTC.`);
    expect(sent[0]?.text).toContain(`On your clock: Friday, 29 March ${year}, 14:30 to 15:00, Colombo time.`);
  });

  test('is sent once', async () => {
    await bookNine();

    await deliver();
    await deliver();

    expect(sent).toHaveLength(1);
  });

  test('is sent once where several look for it at once', async () => {
    await bookNine();

    await Promise.all([deliver(), deliver(), deliver()]);

    expect(sent).toHaveLength(1);
  });

  test('that was written while no mail was set up is not sent weeks later', async () => {
    await bookNine();
    now += 7 * day;

    await deliver();

    expect(sent).toEqual([]);
    expect(await states()).toContain('dropped');
  });

  test('whose sender was stopped before it was noted is sent again, with the same Message-ID', async () => {
    await bookNine();
    takeUp = async (mail) => {
      sent.push(mail);
      throw new Error('The process was stopped.');
    };
    await expect(deliver()).rejects.toThrow('stopped');
    takeUp = async () => taken;

    now += 2 * minute;
    await deliver();

    expect(sent).toHaveLength(2);
    expect(sentIds().size).toBe(1);
  });

  test('whose sender was stopped is left alone while the sender may still be at it', async () => {
    await bookNine();
    takeUp = async () => {
      throw new Error('The process was stopped.');
    };
    await expect(deliver()).rejects.toThrow('stopped');
    takeUp = async () => taken;

    now += 2 * minute - 1;
    await deliver();

    expect(sent).toEqual([]);
  });
});

describe('a mail that the server refuses for now', () => {
  /** Tries until it is given up, and gives the pauses between the tries in minutes. */
  async function tryToTheEnd(): Promise<number[]> {
    await bookNine();
    takeUp = async () => later;
    const pauses: number[] = [];
    for (let next = await deliver(); next !== null; next = await deliver()) {
      pauses.push((next - now) / minute);
      now = next;
    }
    return pauses;
  }

  test('is tried after a minute, and then with doubled pauses of up to four hours', async () => {
    const pauses = await tryToTheEnd();

    expect(pauses.slice(0, 9)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 240]);
    expect(new Set(pauses.slice(9))).toEqual(new Set([240]));
  });

  test('is given up at the first try after two days', async () => {
    await tryToTheEnd();

    expect(now - start).toBeGreaterThan(2 * day);
    expect(now - start).toBeLessThanOrEqual(2 * day + 4 * hour);
    expect(await states()).toContain('dead');
  });

  test('is reported once to the operator, as it is given up', async () => {
    const pauses = await tryToTheEnd();

    expect(reported).toEqual([{ mail: 'given up', kind: 'booked', tries: pauses.length + 1, reason: '451' }]);
  });
});

describe('a mail that the server refuses for good', () => {
  beforeEach(async () => {
    const id = await bookNine();
    await deliver();
    await cancelAppointment(db, host, { id, reason: null }, start + 1);
    now += minute;
    takeUp = async () => never;
  });

  test('is not tried again', async () => {
    expect(await deliver()).toBeNull();
    expect(await states()).toContain('dead');
  });

  test('is said to the provider, and not to its reader', async () => {
    await deliver();

    expect(await newsOf(host)).toContain('undelivered Guest');
    expect((await newsOf(ana)).join()).not.toContain('undelivered');
  });
});

describe('while no mail server is there', () => {
  /** Books and cancels, so that many mails wait, and gives their number. */
  async function writeMany(): Promise<number> {
    const slots = await publish('12:00', 5);
    for (const [place, id] of slots.entries()) {
      now = start + place * 100_000;
      await book(id, now);
      if (place % 5 === 0) await cancelAppointment(db, host, { id, reason: null }, now + 1);
      now += 1;
    }
    return slots.length + Math.ceil(slots.length / 5);
  }
  const tryInVain = async () => expect(await deliverDue(db, delivery)).toBe('unreachable');

  test('a few mails are tried, and the rest wait untried', async () => {
    const mails = await writeMany();
    let tries = 0;
    takeUp = async () => {
      tries += 1;
      return gone;
    };

    await tryInVain();

    expect(tries).toBeLessThanOrEqual(5);
    expect((await states()).filter((state) => state === 'due')).toHaveLength(mails);
  });

  test('mails wait for an hour of tries, and each arrives once when it is back', async () => {
    const mails = await writeMany();
    takeUp = async () => gone;
    for (let minutes = 0; minutes < 60; minutes += 5) {
      await tryInVain();
      now += 5 * minute;
    }

    takeUp = async () => taken;

    expect(await deliver()).toBeNull();
    expect(sent).toHaveLength(mails);
    expect(sentIds().size).toBe(mails);
  });

  test('each try in vain is reported to the operator', async () => {
    await bookNine();
    takeUp = async () => gone;

    for (let tries = 0; tries < 3; tries++) {
      await tryInVain();
      now += 5 * minute;
    }

    expect(reported).toEqual(Array(3).fill({ mail: 'unreachable', reason: 'ECONNECTION' }));
  });
});

describe('a mail that fails while others leave', () => {
  beforeEach(async () => {
    const id = await bookNine();
    await env.DB.prepare("UPDATE accounts SET email = 'host@mail.test', email_confirmed_at = 1 WHERE id = ?")
      .bind(host.accountId)
      .run();
    await cancelAppointment(db, ana, { id, reason: null }, start + 1);
    now = start + 1;
    takeUp = async ({ to }) => (to === 'ana@mail.test' ? gone : taken);
  });

  test('is tried again by itself after a minute', async () => {
    expect(await deliver()).toBe(now + minute);
    expect(sent.map(({ to }) => to)).toEqual(['host@mail.test']);
  });

  test('arrives once', async () => {
    await deliver();
    takeUp = async () => taken;

    now += minute;
    expect(await deliver()).toBeNull();
    now += day;
    await deliver();

    // Ana's are about the booking and its end.
    expect(sent.map(({ to }) => to)).toEqual(['host@mail.test', 'ana@mail.test', 'ana@mail.test']);
    expect(sentIds().size).toBe(3);
  });
});

describe('a mail whose connection broke before its turn', () => {
  const broken: Outcome = { isSent: false, isFinal: false, isUntried: true, reason: 'ECONNECTION' };
  beforeEach(async () => {
    for (const id of await publish('09:30', 10)) await book(id);
  });
  /** A server that does this with the first mail, and breaks off. */
  const breakAfter = (first: Outcome) => {
    let turn = 0;
    takeUp = async () => (turn++ === 0 ? first : broken);
  };
  const triesOfWaiting = async () =>
    (await stored<{ tries: number }>("SELECT tries FROM messages WHERE mail_state = 'due'")).map(({ tries }) => tries);

  test('is due at once where another has left', async () => {
    breakAfter(taken);

    expect(await deliver()).toBe(start);
    expect(sent).toHaveLength(1);
  });

  test('waits for the server where none has left, and the one that broke it for a minute', async () => {
    breakAfter(later);

    expect(await deliverDue(db, delivery)).toBe('unreachable');
    takeUp = async () => taken;

    expect(await deliver()).toBe(now + minute);
    expect(sent).toHaveLength(2);
  });

  test('counts as not tried', async () => {
    breakAfter(taken);

    await deliver();

    expect(await triesOfWaiting()).toEqual([0, 0]);
  });
});

describe('a reminder', () => {
  const aDayBefore = nine - day;

  test('is mailed a day before the appointment', async () => {
    await bookNine();

    now = aDayBefore;
    await remind(db, now);
    await deliver();

    expect(reminders().map(({ to }) => to)).toEqual(['ana@mail.test']);
  });

  test('is mailed to an address that nobody has confirmed', async () => {
    await env.DB.prepare('UPDATE accounts SET email_confirmed_at = NULL WHERE id = ?').bind(ana.accountId).run();
    await bookNine();

    now = aDayBefore;
    await remind(db, now);
    await deliver();

    expect(reminders().map(({ to }) => to)).toEqual(['ana@mail.test']);
  });

  test('is not mailed once the appointment is canceled', async () => {
    const id = await bookNine();
    await remind(db, aDayBefore);
    await cancelAppointment(db, ana, { id, reason: null }, aDayBefore + 1);

    now = aDayBefore + 2;
    await deliver();

    expect(reminders()).toEqual([]);
    expect(await states()).toContain('dropped');
  });

  test('is not mailed once the appointment has begun', async () => {
    await bookNine();
    await remind(db, aDayBefore);

    now = nine;
    await deliver();

    expect(reminders()).toEqual([]);
    expect(await states()).toContain('dropped');
  });
});
