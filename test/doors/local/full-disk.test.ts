import { existsSync } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { LogLine } from '../../../app/local/configuration';
import { giveReserveBack, saysFull } from '../../../app/local/disk';
import { type ServerOptions, startServer } from '../../../app/local/server';
import { dayAhead, type Person, peopleAt, publication, publish } from '../../support/factories';
import { passwordCost } from '../../support/servers';
import { visitor } from '../../support/visit';

/* A disk that becomes full while Daybook serves, and has room again. How much room there is is what the test says. */

const [plenty, little] = [2 ** 30, 2 ** 20];

/** A server of these tests, on a disk with as much room as `roomOf` says. */
function useDisk(roomOf: () => number, more: Partial<ServerOptions> = {}) {
  let dataDir: string;
  let server: Awaited<ReturnType<typeof startServer>>;
  const messages: string[] = [];
  const log = ({ message }: LogLine) => void messages.push(message);

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'daybook-'));
    const vars = { RATE_LIMIT: 'off' };
    server = await startServer({ dataDir, room: roomOf, log, vars, passwordCost, ...more });
  });

  afterAll(async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  return {
    visitor: () => visitor(server.url),
    isFull: () => server.isFull(),
    reserve: () => join(dataDir, 'reserve'),
    messagesOfTheDisk: () => messages.filter((message) => message.includes(dataDir)),
    says: (words: RegExp) =>
      expect.poll(() => messages.some((message) => words.test(message)), { timeout: 30_000 }).toBe(true),
  };
}

/** 0 from a server that may just be starting anew. */
const statusOf = (ask: () => Promise<{ status: number }>) =>
  ask().then(
    ({ status }) => status,
    () => 0,
  );
const eventually = (status: number, ask: () => Promise<{ status: number }>) =>
  vi.waitFor(async () => expect(await statusOf(ask)).toBe(status), { timeout: 30_000 });

describe('a disk that becomes full', () => {
  let room = plenty;
  const daybook = useDisk(() => room, { trustedProxy: { addresses: '127.0.0.1' } });
  let provider: Person;
  const readStatuses: number[] = [];
  let isRead = true;
  let readers: Promise<void>[];

  let dayToPublish = 2;
  /** Publishes a time of a day without any, so that only a full disk refuses it. */
  async function write() {
    const response = await provider.api(
      'POST',
      '/api/Appointment/CreateAppointment',
      publication({ dates: [dayAhead(dayToPublish)] }),
    );
    if (response.status === 201) dayToPublish += 1;
    return response;
  }

  async function fill() {
    room = little;
    await vi.waitFor(() => expect(daybook.isFull()).toBe(true), { timeout: 30_000 });
    await eventually(503, write);
  }

  async function makeRoom() {
    room = plenty;
    await eventually(201, write);
  }

  async function readOn() {
    for (; isRead; await sleep(20)) readStatuses.push(await statusOf(() => daybook.visitor().get('/with/full.house')));
  }

  beforeAll(async () => {
    provider = await peopleAt(daybook).newProvider({ username: 'full.house' });
    await publish(provider);
    readers = [readOn(), readOn(), readOn()];
  });

  afterAll(async () => {
    isRead = false;
    await Promise.all(readers);
  });

  test('has a reserve of 16 MiB before', async () => {
    expect((await stat(daybook.reserve())).size).toBe(16_777_216);
  });

  describe('while it is full', () => {
    beforeAll(fill);

    test('is said once', async () => {
      await daybook.says(/ is full: nothing more is written, and pages that only read still work\./);
      expect(daybook.messagesOfTheDisk()).toHaveLength(1);
    });

    test('has no reserve', () => {
      expect(existsSync(daybook.reserve())).toBe(false);
    });

    test.each(['/view-open', '/profile'])('%s is read', async (path) => {
      expect((await provider.browser.get(path)).status).toBe(200);
    });

    test('a form says that nothing was changed', async () => {
      const profile = { intent: 'profile', displayName: 'Other', timeZone: 'UTC' };

      const form = await provider.browser.post('/profile', profile);

      expect(form.status).toBe(503);
      expect(form.words).toContain('Nothing was changed');
    });
  });

  describe('once it has room again', () => {
    beforeAll(async () => {
      await fill();
      await makeRoom();
    });

    test('is said', () => daybook.says(/has room again/));

    test('has a reserve again', async () => {
      expect((await stat(daybook.reserve())).size).toBe(16_777_216);
    });

    test('has cut off nobody who read meanwhile behind a proxy', () => {
      expect(readStatuses.length).toBeGreaterThan(20);
      expect(new Set(readStatuses)).toEqual(new Set([200]));
    });
  });
});

describe('a start on a full disk', () => {
  const daybook = useDisk(() => little);

  test('says so', () => daybook.says(/ is full: /));

  test('writes nothing more', () => {
    expect(daybook.isFull()).toBe(true);
  });

  test('lays no reserve by', () => {
    expect(existsSync(daybook.reserve())).toBe(false);
  });

  test('serves what is there', async () => {
    expect((await daybook.visitor().get('/login')).status).toBe(200);
  });
});

describe('the reserve of a disk', () => {
  test.each([
    ['with room stays', plenty, true],
    ['without room is given back', little, false],
  ])('%s', async (_, room, isThere) => {
    const folder = await mkdtemp(join(tmpdir(), 'daybook-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'reserve'), 'reserve');

    giveReserveBack(folder, () => room);

    expect(existsSync(join(folder, 'reserve'))).toBe(isThere);
  });
});

test.each([
  ['database or disk is full: SQLITE_FULL', true],
  ['ENOSPC: no space left on device, write', true],
  ['no such table: slots', false],
])('whether “%s” says that a disk is full: %s', (error, isFull) => {
  expect(saysFull(error)).toBe(isFull);
});
