import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { type Running, run } from './process';

export { addressOf } from './process';

/**
 * Servers in processes of their own, started like `npm start`. Each test has an empty folder, which is removed afterwards,
 * with every server that still runs there.
 */
export const useProcesses = () => processesBetween(beforeEach, afterEach);

/** The same for a group of tests that only look: they have one folder together, and the servers that it starts there. */
export const useSharedProcesses = () => processesBetween(beforeAll, afterAll);

function processesBetween(first: typeof beforeEach | typeof beforeAll, last: typeof afterEach | typeof afterAll) {
  let folder = '';
  let started: Running[] = [];

  first(async () => {
    folder = await mkdtemp(join(tmpdir(), 'daybook-'));
  });

  last(async () => {
    for (const { child } of started) child.kill('SIGKILL');
    await Promise.all(started.map(({ ended }) => ended));
    started = [];
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs a script of ours. */
  const runHere = (...words: Parameters<typeof run>): Running => {
    const running = run(...words);
    started.push(running);
    return running;
  };

  /** Starts a server as `npm start` does, at any free port, without demo data. */
  const start = (settings: Record<string, string> = {}): Running =>
    runHere('start', { PORT: '0', DATA_DIR: join(folder, 'data'), SEED: 'off', ...settings });

  return {
    /** A path in the folder. */
    within: (path: string) => join(folder, path),
    run: runHere,
    start,
  };
}

/** Ends a server as Ctrl-C does. */
export async function stop(running: Running): Promise<void> {
  running.child.kill('SIGTERM');
  expect((await running.ended).code).toBe(0);
}

/** The one line on stderr of a start that fails. */
export async function refusalOf(running: Running): Promise<string> {
  const { code, stdout, stderr } = await running.ended;
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^.+\n$/);
  return stderr;
}
