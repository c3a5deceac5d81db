import { beforeEach, describe, expect, test } from 'vitest';
import { bookAppointment, cancelAppointment } from '../../../app/domain/bookings/book.server';
import { forgetExpired } from '../../../app/domain/housekeeping.server';
import { listNews } from '../../../app/domain/messages/news.server';
import type { Actor } from '../../../app/domain/profile/accounts';
import { sealsBy } from '../../../app/domain/seals.server';
import { addDays, day, hour, minute } from '../../../app/domain/time/clock';
import { todayIn } from '../../../app/domain/time/zones';
import {
  deliverDue,
  listProvidersToDeliver,
  type Outcome,
  type Sending,
} from '../../../app/domain/webhooks/deliver.server';
import { hookKinds } from '../../../app/domain/webhooks/kinds';
import { listDeliveries, listWebhooks, makeWebhook } from '../../../app/domain/webhooks/webhooks.server';
import type { Db } from '../../../db/client';
import { newBook, publishTimes, start } from '../../support/history';

/* What is told of a provider's book, with a program that does as the test says and a clock that the test moves. */

const seals = sealsBy('a secret');
const date = addDays(todayIn('UTC', start), 20);

let db: Db;
let host: Actor;
let ana: Actor;
let hookId: string;
let now: number;
let sent: Sending[];
let takeUp: (sending: Sending) => Outcome;

const taken: Outcome = { status: 200 };
const refused: Outcome = { status: 500 };

const deliver = () =>
  deliverDue(db, host.accountId, {
    seals,
    send: async (sending) => {
      sent.push(sending);
      return takeUp(sending);
    },
    clock: () => now,
  });
/** Moves the clock to each next try, until nothing is to be sent. @returns how often something was */
async function deliverUntilOver(): Promise<number> {
  for (;;) {
    const { next } = await deliver();
    if (next === null) return sent.length;
    now = Math.max(next, now + 1);
  }
}

beforeEach(async () => {
  ({ db, host, guest: ana } = await newBook());
  [now, sent, takeUp] = [start, [], () => taken];
  const hook = { url: 'https://program.example.org/hook', kinds: [...hookKinds] };
  ({ id: hookId } = await makeWebhook(db, host, hook, { now, seals }));
});

const publish = async (many: number) => {
  const end = `${String(9 + many).padStart(2, '0')}:00`;
  return (await publishTimes(db, host, { start: '09:00', end, dates: [date], len: 60 })).ids;
};
const book = (id: string) => bookAppointment(db, ana, { id, submitted: null }, now);
const typesSent = () => sent.map(({ body }) => JSON.parse(body).type);
const listed = async () => (await listDeliveries(db, host, { id: hookId, page: 0 })).rows;
const states = async () => (await listed()).map(({ state }) => state);
const newsOfHook = async () =>
  (await listNews(db, host, 0)).rows.flatMap((message) => (message.kind === 'webhook' ? [message.data.what] : []));

describe('a delivery', () => {
  test('waits until its provider’s sender takes it up', async () => {
    const [id = ''] = await publish(1);
    await book(id);

    expect(await listProvidersToDeliver(db)).toEqual([host.accountId]);
    await deliver();

    expect(await listProvidersToDeliver(db)).toEqual([]);
    expect(await states()).toEqual(['delivered']);
  });

  test('is tried after growing pauses for two days, and then given up', async () => {
    takeUp = () => refused;
    const [id = ''] = await publish(1);
    await book(id);

    const tries = await deliverUntilOver();

    expect(await states()).toEqual(['failed']);
    expect(now - start).toBeGreaterThanOrEqual(2 * day);
    expect(now - start).toBeLessThan(2 * day + 5 * hour);
    expect(tries).toBeGreaterThan(12);
    expect(tries).toBeLessThan(25);
  });

  test('that fails is news when that begins and when it is given up', async () => {
    takeUp = () => refused;
    const [id = ''] = await publish(1);
    await book(id);

    await deliverUntilOver();

    expect((await newsOfHook()).sort()).toEqual(['failing', 'given-up']);
  });

  test('is taken in the end, which ends the failure', async () => {
    takeUp = () => (now - start < day ? refused : taken);
    const [id = ''] = await publish(1);
    await book(id);

    await deliverUntilOver();

    expect(await states()).toEqual(['delivered']);
    expect((await listWebhooks(db, host, seals))[0]?.failingSince).toBeNull();
  });

  test('has the same id each time', async () => {
    takeUp = () => (sent.length < 3 ? refused : taken);
    const [id = ''] = await publish(1);
    await book(id);

    await deliverUntilOver();

    expect(sent).toHaveLength(3);
    expect(new Set(sent.map((sending) => sending.id)).size).toBe(1);
  });

  test('is forgotten after thirty days, once it is over', async () => {
    const [one = '', other = ''] = await publish(2);
    await book(one);
    await deliver();
    await book(other);

    // Each hour tidies the accounts whose ids begin with one of 64 characters.
    for (let past = 0; past < 64; past++) await forgetExpired(db, now + 31 * day + past * hour);

    expect(await states()).toEqual(['waiting']);
  });
});

describe('what is told of one booking', () => {
  test('waits for what was told before, even while that fails for two days', async () => {
    takeUp = () => refused;
    const [id = ''] = await publish(1);
    await book(id);
    now += minute;
    await cancelAppointment(db, ana, { id, reason: null }, now);
    takeUp = ({ body }) => (JSON.parse(body).type === 'booked' ? refused : taken);

    await deliverUntilOver();

    expect(typesSent().indexOf('canceled')).toBe(sent.length - 1);
    expect(await states()).toEqual(['delivered', 'failed']);
  });

  test('does not keep others waiting', async () => {
    const [one = '', other = ''] = await publish(2);
    takeUp = ({ body }) => (JSON.parse(body).data.id === one ? refused : taken);
    await book(one);
    await deliver();
    await book(other);
    now += 5 * minute;

    await deliver();

    expect((await states()).sort()).toEqual(['delivered', 'waiting']);
  });
});

test('a program that takes nothing is sent a few at a time, and left alone for a while', async () => {
  takeUp = () => refused;
  for (const id of await publish(6)) await book(id);

  const { next } = await deliver();
  await deliver();

  expect(sent).toHaveLength(2);
  expect(next).toBe(now + minute);
  expect(await listProvidersToDeliver(db)).toEqual([]);
});

test('a program that was away for a day gets all of it', async () => {
  takeUp = () => (now - start < day ? refused : taken);
  for (const id of await publish(6)) await book(id);

  await deliverUntilOver();

  expect(await states()).toEqual(Array(6).fill('delivered'));
});

test('a program whose address can no longer be read is sent nothing', async () => {
  const [id = ''] = await publish(1);
  await book(id);

  await deliverDue(db, host.accountId, { seals: sealsBy('another'), send: async () => taken, clock: () => now });

  expect(await listed()).toMatchObject([{ state: 'waiting', failure: 'sealed' }]);
});
