import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { root } from '../../../app/local/root';
import { startServer } from '../../../app/local/server';
import { billOf, timesOf } from '../../bench/bill';
import { type Reading, rowsOfEveryResponse } from '../../bench/rows';
import { findTargets, logIn } from '../../bench/scenarios';
import { mostOfWorker } from '../../bench/worker-size';
import { makeBenchWorld } from '../../bench/world-folder';
import { smallWorld } from '../../bench/world-plan';
import { costOfWrites, type Writing } from '../../bench/writes';
import { fullScans, type Plan, recordPlans } from '../../support/plans';
import { passwordCost } from '../../support/servers';

/*
 * What the product asks of D1: round trips, rows, and the way to them. These are counts, the same on every machine, and
 * may not rise unnoticed. `npm run bench` makes the same tables on worlds of up to a million slots.
 */

type Counted = { reads: Reading[]; writes: Writing[]; plans: Plan[] };

/** Serves a world of so many slots and asks it everything once. */
async function count(slots: number): Promise<Counted> {
  const now = Date.now();
  const size = { ...smallWorld, slots };
  const dataDir = await mkdtemp(join(tmpdir(), 'daybook-cost-'));
  try {
    await makeBenchWorld(dataDir, size, now);
    const { plans, options } = recordPlans();
    const vars = { RATE_LIMIT: 'off', TIMING: 'on' };
    const server = await startServer({ dataDir, vars, passwordCost, ...options });
    try {
      const sessions = await logIn(server.url, 0);
      const targets = await findTargets(server.d1, server.url, sessions, now);
      const reads = await rowsOfEveryResponse(server.url, targets, sessions);
      const writes = await costOfWrites(server.url, { size, sessions, now });
      return { reads, writes, plans };
    } finally {
      await server.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

let few: Counted;
let many: Counted;
beforeAll(async () => {
  few = await count(1_000);
  many = await count(4_000);
}, 180_000);

type Cost = [trips: number, read: number, written: number];
/**
 * Round trips, rows read and rows written. Two trips where something has to be known first. Whoever is told of a write has a message:
 * two rows written. The first booking of somebody with a provider writes two more: from then on they are among the provider's
 * people. Where nobody waits, a cancellation reads two rows to know it; what books, frees or offers time reads up to three to end overdue holds.
 */
const writes: Record<string, Cost> = {
  'publish 1 slot': [1, 36, 10],
  'publish a day of 16 slots': [1, 231, 72],
  'publish 5 days of 16 slots': [1, 1063, 344],
  'publish them again': [1, 503, 4],
  'publish a day with questions': [1, 232, 72],
  book: [1, 44, 7],
  'book again': [1, 20, 0],
  'book another': [1, 44, 5],
  'book the last of a day': [1, 46, 6],
  'book the only one of a day': [1, 45, 6],
  'cancel as the consumer': [1, 28, 9],
  'cancel again': [1, 11, 0],
  'cancel as the provider': [1, 45, 6],
  'withdraw an open slot': [1, 25, 1],
  'preview a series of 26': [2, 139, 0],
  // A booking alone writes 5 rows, and reads 43.
  'book a series of 26': [1, 1346, 81],
  'book it again': [1, 646, 0],
  'cancel it from the second on': [1, 703, 178],
  'book with answers': [2, 53, 5],
  'answer the questions': [2, 16, 1],
  'move again': [1, 30, 0],
  'write a note': [1, 20, 1],
  'replace a booking’s link': [1, 20, 3],
  'change an open slot': [1, 27, 1],
  'change all of its day': [1, 77, 15],
  'change them again': [1, 62, 0],
  'mark who came': [1, 27, 2],
  'set the rules': [1, 23, 1],
  'create a party': [1, 34, 7],
  'create a party with questions': [1, 35, 7],
  'RSVP to a party': [1, 21, 6],
  'RSVP to a party again': [1, 13, 0],
  'change the RSVP': [1, 21, 4],
  'answer its questions': [2, 28, 6],
  'edit a party': [2, 26, 1],
  'move a party with a guest': [2, 56, 10],
  'delete a party': [1, 31, 5],
  'create a meetup of 5': [1, 55, 17],
  'RSVP to a meetup': [1, 12, 4],
  'RSVP to a meetup again': [1, 4, 0],
  'add a name': [1, 41, 6],
  'remove a name': [1, 20, 4],
  'replace a link': [1, 23, 7],
  'edit a meetup': [2, 49, 1],
  'delete a meetup': [1, 49, 5],
  'create a template': [1, 19, 7],
  'edit a template': [1, 25, 5],
  'delete a template': [1, 18, 1],
  'register a consumer': [1, 3, 3],
  'register a provider': [1, 33, 35],
  'log in': [2, 4, 1],
  'repeat a party three times': [2, 49, 15],
  'repeat it again': [1, 6, 0],
  'book for somebody': [1, 47, 7],
  'spend a code from paper': [1, 7, 4],
  'merge two cards': [2, 57, 7],
  'wait behind somebody': [2, 36, 7],
  // What can be offered to nobody now is dropped first.
  'take an offer': [2, 60, 9],
  'create a service': [1, 19, 5],
  'change a service': [1, 19, 1],
  'rename a service': [1, 21, 2],
  'cancel by a link': [2, 33, 9],
  'book as a guest': [1, 48, 9],
  'book as that guest again': [1, 20, 0],
  // The guest's address and that of their card, each in an index; the message, its place in the news and that among the mails; two counters.
  'book as a guest with an address': [1, 54, 16],
  'RSVP to a party as a guest': [2, 22, 9],
  'ask for lost links': [1, 6, 0],
};

/**
 * The most of those whose cost is by chance, as the ids of slots and names are: a day notes when its first open slot begins, and slots are
 * gone through in the order of their ids.
 */
const atMost: Record<string, Cost> = {
  'give four coming times a second seat': [1, 221, 18],
  'bring them back': [1, 170, 110],
  'bring them back again': [1, 82, 0],
  'book any time': [1, 220, 14],
  'book any time again': [1, 56, 0],
  'wait for a time': [2, 33, 7],
  // One look at the slot after it costs two rows, where there is one.
  'move as the consumer': [1, 81, 14],
  'move as the provider': [1, 91, 10],
  'repeat a meetup of 5 three times': [2, 157, 47],
  'set hours of a day of 16 slots': [1, 420, 74],
  'set them for a second day': [1, 836, 74],
  'set them once more': [1, 452, 3],
  'take the second day away': [1, 598, 34],
  'withdraw a day of 16': [1, 138, 51],
  // How long an offer may be held hangs on the hour, and so does what is read to know it.
  'cancel while two wait': [1, 92, 21],
  'pass an offer on': [2, 88, 21],
};

/**
 * A search in an index also reads the row behind the last one that it finds. The id of a new account, slot or meetup is random, so once in
 * a while it is the last of its index and nothing is behind it. A search may then read two rows less, never more, and a write that looks for
 * the names of a meetup twice four.
 */
const differsFrom = (writing: Writing, [trips, read, written]: Cost) =>
  writing.trips !== trips || writing.written !== written || writing.read > read || writing.read < read - 4;
const isDearer = (writing: Writing, [trips, read, written]: Cost) =>
  writing.trips > trips || writing.read > read || writing.written > written;

test('a response reads three rows for each that it shows and thirty-five more, at most, however many slots there are', () => {
  const bounded = [...few.reads, ...many.reads].filter(({ most }) => most !== null);
  expect(bounded.length).toBeGreaterThan(150);
  expect(bounded.filter(({ read, most }) => read > (most ?? 0))).toEqual([]);
});

test('a response takes one round trip, and two for a preview, which looks for the slot first', () => {
  const isLong = ({ trips, what }: Reading) => trips > (what.includes('/PreviewSeries') ? 2 : 1);
  expect([...few.reads, ...many.reads].filter(isLong)).toEqual([]);
});

test('each kind of write has its cost in one of the tables', () => {
  const known = [...Object.keys(writes), ...Object.keys(atMost)].sort();

  expect(few.writes.map(({ what }) => what).sort()).toEqual(known);
  expect(many.writes.map(({ what }) => what).sort()).toEqual(known);
});

test.each(Object.entries(writes))('%s costs what it did: %j', (what, cost) => {
  for (const counted of [few, many])
    expect(counted.writes.filter((writing) => writing.what === what && differsFrom(writing, cost))).toEqual([]);
});

test.each(Object.entries(atMost))('%s costs at most: %j', (what, cost) => {
  expect(many.writes.filter((writing) => writing.what === what && isDearer(writing, cost))).toEqual([]);
});

test('docs/costs.md computes its bill from these rows', () => {
  const text = readFileSync(join(root, 'docs/costs.md'), 'utf8');
  const [, ...lines] = text.slice(text.indexOf('| times a free day |')).split('\n');
  const stated = lines
    .slice(1, lines.indexOf(''))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, what, requests, read, written, times, limit]) => {
      const number = (cell = '') => Number(cell.replaceAll(',', ''));
      const needs = { requests: number(requests), read: number(read), written: number(written) };
      return { what, needs, times: number(times), limit: limit?.replace('rows ', '') };
    });
  // Read is counted in a larger world there.
  const counted = billOf(many).map(({ what, requests, written }) => [what, requests, written]);
  expect(stated.map(({ what, needs }) => [what, needs.requests, needs.written])).toEqual(counted);
  for (const { needs, ...free } of stated) expect(free).toMatchObject(timesOf(needs));
});

/** Counters live a day at most, and an index would cost each of them a row. */
const forgetsCounters = ({ sql }: Plan) => sql.startsWith('delete from "throttles" where "throttles"."ends_at" <= ');

test('every statement finds its rows by a key or an index, but the one that forgets counters', () => {
  expect(many.plans.length).toBeGreaterThan(90);
  expect(many.plans.filter((plan) => fullScans(plan).length > 0 && !forgetsCounters(plan))).toEqual([]);
});

test.each([
  ['the Worker', 'dist', /^worker\.js$/, mostOfWorker],
  ['all scripts of all screens', 'build/client/assets', /\.js$/, 326],
  ['all stylesheets', 'build/client/assets', /\.css$/, 27],
  ['the translations into all languages', 'build/client/words', /\.json$/, 252],
])('what is sent and deployed stays small: %s', (_, folder, files, kibibytes) => {
  const sizes = readdirSync(join(root, folder))
    .filter((name) => files.test(name))
    .map((name) => gzipSync(readFileSync(join(root, folder, name)), { level: 9 }).length);
  expect(sizes.length).toBeGreaterThan(0);
  expect(sizes.reduce((sum, size) => sum + size) / 1024).toBeLessThan(kibibytes);
});
