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
  return { server, dataDir, lines, said, reserve: join(dataDir, 'reserve') };
}

/** 0 from a server that may just be starting anew. */
const statusOf = (ask: () => Promise<{ status: number }>) =>
  ask().then(
    ({ status }) => status,
    () => 0,
  );
const eventually = (status: number, ask: () => Promise<{ status: number }>) =>
  expect.poll(() => statusOf(ask), { timeout: 30_000 }).toBe(status);

test('a disk that is full is said once, refuses every write, and leaves all reading, without cutting anybody off behind a proxy', {
  timeout: 120_000,
}, async () => {
  let room = plenty;
  const { server, dataDir, lines, said, reserve } = await serve(() => room, {
    trustedProxy: { addresses: '127.0.0.1' },
  });
  const daybook = { url: server.url, visitor: () => visitor(server.url) };
  const provider = await peopleAt(daybook as never).newProvider({ username: 'full.house' });
  await publish(provider);
  expect((await stat(reserve)).size).toBe(2 ** 24);

  const statuses: number[] = [];
  let isOver = false;
  const readOn = async () => {
    for (; !isOver; await sleep(20)) statuses.push(await statusOf(() => daybook.visitor().get('/with/full.house')));
  };
  const readers = [readOn(), readOn(), readOn()];

  room = little;
  await said(/ is full: nothing more is written, and pages that only read still work\./);
  expect(existsSync(reserve)).toBe(false);
  const evening = publication({ start: '18:00', end: '19:00' });
  const write = () => provider.api('POST', '/api/Appointment/CreateAppointment', evening);
  await eventually(503, write);
  for (const path of ['/view-open', '/profile']) expect((await provider.browser.get(path)).status).toBe(200);
  const form = await provider.browser.post('/profile', { intent: 'profile', displayName: 'Other', timeZone: 'UTC' });
  expect([form.status, form.words.includes('Nothing was changed')]).toEqual([503, true]);
  expect(lines.filter(({ message }) => message.includes(dataDir))).toHaveLength(1);

  room = plenty;
  await said(/has room again/);
  await eventually(201, write);
  expect((await stat(reserve)).size).toBe(2 ** 24);
  isOver = true;
  await Promise.all(readers);
  expect([statuses.length > 20, new Set(statuses)]).toEqual([true, new Set([200])]);

  giveReserveBack(dataDir, () => plenty);
  expect(existsSync(reserve)).toBe(true);
  giveReserveBack(dataDir, () => little);
  expect(existsSync(reserve)).toBe(false);
});

test('a start on a full disk says so and serves what is there', { timeout: 120_000 }, async () => {
  const { server, said, reserve } = await serve(() => little);
  await said(/ is full: /);
  expect([server.isFull(), existsSync(reserve)]).toEqual([true, false]);
  expect((await visitor(server.url).get('/login')).status).toBe(200);
});

test('an error says whether a disk is full', () => {
  const full = ['database or disk is full: SQLITE_FULL', 'ENOSPC: no space left on device, write'];
  expect([...full, 'no such table: slots'].map(saysFull)).toEqual([true, true, false]);
});
