import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../app/local/root';
import { startServer } from '../../app/local/server';
import { type Reading, rowsOfEveryAnswer } from '../bench/rows';
import { findTargets, logIn } from '../bench/scenarios';
import { mostOfWorker } from '../bench/worker-size';
import { makeBenchWorld } from '../bench/world-folder';
import { smallWorld } from '../bench/world-plan';
import { costOfWrites, type Writing } from '../bench/writes';
import { fullScans, type Plan, recordPlans } from '../support/plans';

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
    const server = await startServer({ dataDir, vars: { RATE_LIMIT: 'off', TIMING: 'on' }, ...options });
    try {
      const sessions = await logIn(server.url, 0);
      const targets = await findTargets(server.d1, server.url, sessions, now);
      const reads = await rowsOfEveryAnswer(server.url, targets, sessions);
      const writes = await costOfWrites(server.url, { size, sessions, now });
      return { reads, writes, plans };
    } finally {
      await server.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

let small: Counted;
let large: Counted;
beforeAll(async () => {
  small = await count(1_000);
  large = await count(4_000);
}, 180_000);

/** What a stranger gets without a look into the book. */
const still = [
  '/',
  '/register',
  '/login',
  '/logout',
  '/not-logged-in',
  '/accessibility',
  '/api',
  '/forgot-password',
  '/reset-password',
  '/login/code',
  '/claim',
];

/**
 * Round trips, rows read and rows written of every kind of write. Two trips where something has to be known first. Whoever
 * is told of a write has a message: three rows written. The first booking of somebody with a provider writes three more: from
 * then on they are among the provider's people.
 */
const writes: Record<string, [trips: number, read: number, written: number]> = {
  'publish 1 slot': [1, 22, 10],
  'publish a day of 16 slots': [1, 97, 72],
  'publish 5 days of 16 slots': [1, 417, 344],
  'publish them again': [1, 337, 4],
  'publish a day with questions': [1, 98, 72],
  book: [1, 27, 12],
  'book again': [1, 9, 0],
  'book another': [1, 27, 9],
  'book the last of a day': [1, 31, 10],
  'book the only one of a day': [1, 29, 10],
  'cancel as the consumer': [1, 28, 12],
  'cancel again': [1, 11, 0],
  'cancel as the provider': [1, 30, 9],
  'withdraw an open slot': [1, 18, 2],
  'book with answers': [2, 35, 9],
  'move as the consumer': [1, 58, 22],
  'move again': [1, 22, 0],
  'move as the provider': [1, 63, 17],
  'write a note': [1, 21, 1],
  'replace a booking’s link': [1, 19, 2],
  'change an open slot': [1, 23, 1],
  'change all of its day': [1, 75, 15],
  'change them again': [1, 61, 0],
  'mark who came': [1, 26, 2],
  'set the rules': [1, 16, 1],
  'answer the questions': [2, 20, 1],
  'create a party': [1, 22, 6],
  'answer a party': [1, 16, 6],
  'answer a party again': [1, 13, 0],
  'change the answer': [1, 16, 4],
  'create a party with questions': [1, 24, 6],
  'answer its questions': [2, 23, 6],
  'edit a party': [2, 23, 1],
  'delete a party': [1, 20, 4],
  'create a meetup of 5': [1, 43, 16],
  'answer a meetup': [1, 8, 4],
  'answer a meetup again': [1, 4, 0],
  'add a name': [1, 37, 6],
  'remove a name': [1, 20, 4],
  'replace a link': [1, 19, 5],
  'edit a meetup': [2, 52, 1],
  'delete a meetup': [1, 45, 4],
  'create a template': [1, 18, 7],
  'edit a template': [1, 18, 5],
  'delete a template': [1, 14, 1],
  'register a consumer': [1, 5, 8],
  'register a provider': [1, 36, 40],
  'log in': [2, 4, 3],
  'repeat a party three times': [2, 25, 12],
  'repeat it again': [1, 6, 0],
  'book for somebody': [1, 28, 12],
  'claim a code from paper': [1, 5, 4],
  'cancel by a link': [2, 30, 12],
  'book as a guest': [2, 32, 17],
  'book as that guest again': [2, 15, 3],
  'answer a party as a guest': [2, 14, 12],
};

/**
 * The most of those whose cost is by chance, as the ids of slots and names are: a day notes when its first open slot begins, and slots are
 * gone through in the order of their ids.
 */
const atMost: Record<string, [trips: number, read: number, written: number]> = {
  'bring them back': [1, 170, 110],
  'bring them back again': [1, 21, 0],
  'repeat a meetup of 5 three times': [2, 100, 45],
  'set hours of a day of 16 slots': [1, 210, 75],
  'set them for a second day': [1, 430, 75],
  'set them once more': [1, 240, 3],
  'take the second day away': [1, 354, 35],
  'withdraw a day of 16': [1, 138, 51],
};
const byChance = ({ what }: Writing) => what in atMost;
const costs = ({ trips, read, written }: Writing) => [trips, read, written];

describe('an answer', () => {
  test('takes one round trip, and none where nothing is read', () => {
    const wanted = ({ what, reader }: Reading) => (reader === 'stranger' && still.includes(what) ? 0 : 1);
    expect(large.reads.filter((reading) => reading.trips !== wanted(reading))).toEqual([]);
    expect(large.reads.filter(({ trips }) => trips === 0).map(({ what }) => what)).toEqual(still);
  });

  test('reads three rows for each that it shows and twenty more, at most, however many slots there are', () => {
    const bounded = [...small.reads, ...large.reads].filter(({ most }) => most !== null);
    expect(bounded.length).toBeGreaterThan(150);
    expect(bounded.filter(({ read, most }) => read > (most ?? 0))).toEqual([]);
  });

  test('writes nothing', () => {
    expect(large.reads.filter(({ written }) => written > 0)).toEqual([]);
  });
});

describe('a write', () => {
  test('takes one round trip, or two where something has to be known first, and reads and writes as few rows as the indexes allow', () => {
    const certain = large.writes.filter((writing) => !byChance(writing));
    expect(Object.fromEntries(certain.map((writing) => [writing.what, costs(writing)]))).toEqual(writes);
    const others = large.writes.filter(byChance);
    expect(others.map(({ what }) => what).sort()).toEqual(Object.keys(atMost));
    const most = ({ what }: Writing) => atMost[what] ?? [];
    expect(others.filter((one) => costs(one).some((rows, place) => rows > (most(one)[place] ?? 0)))).toEqual([]);
  });

  test('costs the same however many slots there are', () => {
    const certain = ({ writes }: Counted) => writes.filter((writing) => !byChance(writing));
    expect(certain(large)).toEqual(certain(small));
  });
});

test('every statement finds its rows by a key or an index', () => {
  expect(large.plans.length).toBeGreaterThan(90);
  expect(large.plans.filter((plan) => fullScans(plan).length > 0)).toEqual([]);
});

describe('what is sent and deployed stays small:', () => {
  const assets = join(root, 'build/client/assets');
  const kibibytes = (...paths: string[]) =>
    paths.reduce((sum, path) => sum + gzipSync(readFileSync(path), { level: 9 }).length, 0) / 1024;
  const all = (ending: string) =>
    readdirSync(assets)
      .filter((name) => name.endsWith(ending))
      .map((name) => join(assets, name));

  test.each([
    ['the Worker', () => [join(root, 'dist/worker.js')], mostOfWorker],
    ['all scripts of all screens', () => all('.js'), 200],
    ['all stylesheets', () => all('.css'), 16],
  ] as const)('%s', (_, paths, most) => {
    expect(kibibytes(...paths())).toBeLessThan(most);
  });
});
