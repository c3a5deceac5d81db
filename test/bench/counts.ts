import { type Reading, rowsOfEveryAnswer } from './rows';
import { findTargets, logIn } from './scenarios';
import { type Say, serving } from './served';
import { withCopy } from './world-folder';
import type { WorldSize } from './world-plan';
import { costOfWrites, type Writing } from './writes';

/** The rows of all answers and writes in a world of so many slots. */
export type Counts = { slots: number; reads: Reading[]; writes: Writing[] };

/** Counts once over, on a copy of the kept world. */
export async function countSize(size: WorldSize, say: Say): Promise<Counts> {
  const now = Date.now();
  return withCopy(size, 'counts', say, (dataDir) =>
    serving(dataDir, { vars: { TIMING: 'on' } }, async ({ d1, url }) => {
      const sessions = await logIn(url, 0);
      const targets = await findTargets(d1, url, sessions, now);
      const reads = await rowsOfEveryAnswer(url, targets, sessions);
      const writes = await costOfWrites(url, { size, sessions, now });
      return { slots: size.slots, reads, writes };
    }),
  );
}
