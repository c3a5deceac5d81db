import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { type Server, type ServerOptions, startServer } from '../../app/local/server';
import { exchange } from '../support/exchange';
import { addressOf, run } from '../support/process';
import { bookSlot } from '../support/stored-bookings';
import { withRuntime } from './runtime-process';

/* Servers while they are measured. */

/** Prints a line of a report. */
export type Say = (line: string) => void;

type Options = Pick<ServerOptions, 'vars' | 'before' | 'log'>;

/** Serves a folder without rate limits, and says nothing unless the options do. */
export async function serving<Result>(
  dataDir: string,
  { vars, ...options }: Options,
  use: (server: Server & { pid: number | null }) => Promise<Result>,
): Promise<Result> {
  const all = { dataDir, vars: { RATE_LIMIT: 'off', ...vars }, log: () => {}, ...options };
  const server = await withRuntime(() => startServer(all));
  try {
    return await use(server);
  } finally {
    await server.stop();
  }
}

// An id says where its row is.
const bookById = `${bookSlot} AND provider_id = substr(?1, 1, 22) AND starts_at = CAST(substr(?1, -25, 13) AS INTEGER)`;

/** A module that runs before the Worker. */
export const yardsticks = () =>
  readFileSync(join(import.meta.dirname, 'yardsticks.mjs'), 'utf8').replace('BOOK', () => JSON.stringify(bookById));

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Gets a page over a connection that is kept, and times the response. */
export const timed = (url: string, path: string, headers: Record<string, string> = {}) =>
  exchange(new URL(path, url), { method: 'GET', headers, agent, patience: 60_000 });

/** @throws Error on a system that does not tell what a process takes */
export function known(pid: number | null): number {
  if (pid === null) throw new Error('The processor time and memory of a process are known on Linux only.');
  return pid;
}

/** From the spawn of `npm start`'s script on existing data to the first answer of the landing page, in milliseconds. */
export async function timeStartUp(dataDir: string): Promise<number> {
  const began = performance.now();
  const running = run('start', { PORT: '0', DATA_DIR: dataDir, SEED: 'off' });
  try {
    const response = await fetch(await addressOf(running));
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`The server answered ${response.status} at first.`);
    return performance.now() - began;
  } finally {
    running.child.kill('SIGTERM');
    await running.ended;
  }
}
