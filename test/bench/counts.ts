import { startServer } from '../../app/local/server';
import { type Reading, rowsOfEveryAnswer } from './rows';
import { findTargets, logIn } from './scenarios';
import { copyOfWorld } from './world-folder';
import type { WorldSize } from './world-plan';
import { costOfWrites, type Writing } from './writes';

/** The rows of all answers and writes in a world of so many slots. */
export type Counts = { slots: number; reads: Reading[]; writes: Writing[] };

/** Counts once over, on a copy of the kept world. */
export async function countSize(size: WorldSize, say: (line: string) => void): Promise<Counts> {
  const now = Date.now();
  const { dataDir, remove } = await copyOfWorld(size, 'counts', say);
  try {
    const server = await startServer({ dataDir, vars: { RATE_LIMIT: 'off', TIMING: 'on' }, log: () => {} });
    try {
      const sessions = await logIn(server.url, 0);
      const targets = await findTargets(server.d1, server.url, sessions, now);
      const reads = await rowsOfEveryAnswer(server.url, targets, sessions);
      const writes = await costOfWrites(server.url, { size, sessions, now });
      return { slots: size.slots, reads, writes };
    } finally {
      await server.stop();
    }
  } finally {
    await remove();
  }
}
