import { existsSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { LogLine } from '../../../app/local/configuration';
import { giveReserveBack, saysFull } from '../../../app/local/disk';
import { type ServerOptions, startServer } from '../../../app/local/server';
import { peopleAt, publication, publish } from '../../support/factories';
import { passwordCost } from '../../support/servers';
import { visitor } from '../../support/visit';

/* A disk that becomes full while Daybook serves, and has room again. How much room there is is what the test says. */

const [plenty, little] = [2 ** 30, 2 ** 20];

async function serve(roomOf: () => number, more: Partial<ServerOptions> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'daybook-'));
  const lines: LogLine[] = [];
  const log = (line: LogLine) => void lines.push(line);
  const server = await startServer({ dataDir, room: roomOf, log, vars: { RATE_LIMIT: 'off' }, passwordCost, ...more });
  onTestFinished(async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  const said = (words: RegExp) =>
    expect.poll(() => lines.some(({ message }) => words.test(message)), { timeout: 30_000 }).toBe(true);
  const door = { url: server.url, visitor: () => visitor(server.url) };
  const register = (username: string) => peopleAt(door as never).newProvider({ username });
  return { server, dataDir, lines, said, register, reserve: join(dataDir, 'reserve') };
}

/** Waits for this answer of a server that may just be starting anew. */
const eventually = (status: number, ask: () => Promise<{ status: number }>) =>
  expect.poll(async () => (await ask().catch(() => ({ status: 0 }))).status, { timeout: 30_000 }).toBe(status);

test('a disk that is full is said once, refuses every write, and leaves all reading', {
  timeout: 120_000,
}, async () => {
  let room = plenty;
  const { dataDir, lines, said, register, reserve } = await serve(() => room);
  const provider = await register('full.house');
  await publish(provider);
  expect((await stat(reserve)).size).toBe(2 ** 24);

  room = little;
  await said(/ is full: nothing more is written, and pages that only read still work\./);
  expect(existsSync(reserve)).toBe(false);
  const write = () =>
    provider.api('POST', '/api/Appointment/CreateAppointment', publication({ start: '18:00', end: '19:00' }));
  await eventually(503, write);
  for (const path of ['/view-open', '/profile', '/with/full.house'])
    expect((await provider.browser.get(path)).status).toBe(200);
  const form = await provider.browser.post('/profile', { intent: 'profile', displayName: 'Other', timeZone: 'UTC' });
  expect([form.status, form.words.includes('Nothing was changed')]).toEqual([503, true]);
  expect(lines.filter(({ message }) => message.includes(dataDir))).toHaveLength(1);

  room = plenty;
  await said(/has room again/);
  await eventually(201, write);
  expect((await stat(reserve)).size).toBe(2 ** 24);

  for (const [room, isKept] of [
    [plenty, true],
    [little, false],
  ] as const) {
    giveReserveBack(dataDir, () => room);
    expect(existsSync(reserve)).toBe(isKept);
  }
});

test('behind a proxy nobody is cut off while it becomes full and has room again', { timeout: 120_000 }, async () => {
  let room = plenty;
  const { server, said, register } = await serve(() => room, { trustedProxy: { addresses: '127.0.0.1' } });
  const provider = await register('held.house');
  const statuses: number[] = [];
  let isOver = false;
  const read = async () => {
    while (!isOver) {
      const page = await visitor(server.url)
        .get('/with/held.house')
        .catch(() => ({ status: 0 }));
      statuses.push(page.status);
      await sleep(20);
    }
  };
  const readers = [read(), read(), read()];
  const write = () => provider.api('PUT', '/api/Account/SetProfile', { displayName: 'Held House' });
  room = little;
  await said(/ is full: /);
  await eventually(503, write);
  room = plenty;
  await said(/has room again/);
  await eventually(200, write);
  isOver = true;
  await Promise.all(readers);
  expect(statuses.length).toBeGreaterThan(20);
  expect(new Set(statuses)).toEqual(new Set([200]));
});

test('a start on a full disk says so and serves what is there', { timeout: 120_000 }, async () => {
  const { server, said, reserve } = await serve(() => little);
  await said(/ is full: /);
  expect([server.isFull(), existsSync(reserve)]).toEqual([true, false]);
  expect((await visitor(server.url).get('/login')).status).toBe(200);
});

test.each([
  ['database or disk is full: SQLITE_FULL', true],
  ['ENOSPC: no space left on device, write', true],
  ['no such table: slots', false],
])('%s: says that a disk is full: %s', (message, isFull) => {
  expect(saysFull(message)).toBe(isFull);
});
