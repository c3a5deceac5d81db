import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Chance } from '../../habits/chance';
import { kill, kinds } from '../../habits/kill';
import { killWithSeries } from '../../habits/kill-series';
import { killWhileWaiting } from '../../habits/kill-waitlist';
import { startMailServer } from '../../support/mail-server';

/* The beginning of what `npm run kill` does for longer, and with another seed each time. */

test('a server that is killed at any moment keeps what it acknowledged, doubles nothing, and sends each mail', {
  timeout: 180_000,
}, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'daybook-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const mailServer = await startMailServer();
  onTestFinished(() => mailServer.stop());
  const { kills, acknowledged, mails } = await kill({ dataDir, under: kinds, chance: new Chance(22), mailServer });
  expect(kills).toBe(kinds.length);
  for (const what of ['book', 'move', 'cancel', 'hours']) expect(acknowledged[`${what} 200`]).toBeGreaterThan(0);
  expect(mails).toBeGreaterThan(10);
});

test('a server that is killed while people cancel what others wait for loses no wish, and offers nothing twice', {
  timeout: 180_000,
}, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'daybook-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const { canceled } = await killWhileWaiting({ dataDir, rounds: 3, chance: new Chance(36) });
  expect(canceled).toBeGreaterThan(0);
});

test('a server that is killed while people book and cancel series has each whole or not at all', {
  timeout: 180_000,
}, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'daybook-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const { booked } = await killWithSeries({ dataDir, rounds: 3, chance: new Chance(33) });
  expect(booked).toBeGreaterThan(0);
});
