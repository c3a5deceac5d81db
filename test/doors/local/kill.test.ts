import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Chance } from '../../habits/chance';
import { kill, kinds } from '../../habits/kill';
import { killWithHandOvers } from '../../habits/kill-hand-over';
import { killWithSeries } from '../../habits/kill-series';
import { killWithShops } from '../../habits/kill-shop';
import { killWhileWaiting } from '../../habits/kill-waitlist';
import { startMailServer } from '../../support/mail-server';

/* The beginning of what `npm run kill` does for longer, and with another seed each time. */

async function newFolder(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'daybook-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  return dataDir;
}

describe('a server that is killed', { timeout: 600_000 }, () => {
  test('at any moment keeps what it acknowledged, doubles nothing, and sends each mail', async () => {
    const dataDir = await newFolder();
    const mailServer = await startMailServer();
    onTestFinished(() => mailServer.stop());
    const rounds = kinds.length;
    const { acknowledged, mails } = await kill({ dataDir, rounds, chance: new Chance(22), mailServer });
    for (const what of ['book', 'move', 'cancel', 'hours']) expect(acknowledged[`${what} 200`]).toBeGreaterThan(0);
    expect(mails).toBeGreaterThan(10);
  });

  test('while people cancel what others wait for loses no wish, and offers nothing twice', async () => {
    const { canceled } = await killWhileWaiting({ dataDir: await newFolder(), rounds: 3, chance: new Chance(36) });
    expect(canceled).toBeGreaterThan(0);
  });

  test('while people book and cancel series has each whole or not at all', async () => {
    const { booked } = await killWithSeries({ dataDir: await newFolder(), rounds: 6, chance: new Chance(33) });
    expect(booked).toBeGreaterThan(0);
  });

  test('while people join and leave shops has each wholly in or wholly out', async () => {
    const { joined, left } = await killWithShops({ dataDir: await newFolder(), rounds: 4, chance: new Chance(57) });
    expect(joined).toBeGreaterThan(0);
    expect(left).toBeGreaterThan(0);
  });

  test('a hand-over of twelve is whole, or nothing', async () => {
    // By this seed the first is killed soon; the others are killed once they are acknowledged: one leaves, one hands over.
    const { handedOver, left } = await killWithHandOvers({
      dataDir: await newFolder(),
      rounds: 3,
      chance: new Chance(93),
    });
    expect(handedOver).toBeGreaterThan(0);
    expect(left).toBeGreaterThan(0);
  });
});
