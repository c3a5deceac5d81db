import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Server, type ServerOptions, startServer } from '../../app/local/server';
import { passwordCost } from '../support/servers';
import { type Visitor, visitor } from '../support/visit';
import { seedOf } from './chance';

/* What the commands of this folder have in common. */

/** Prints a line. */
export const say = (line: string) => void process.stdout.write(`${line}\n`);

/** How often, with which seed, and what else a command was told. */
export function told(what: string, usual: number): { many: number; seed: number; rest: string[] } {
  const [given, chosen, ...rest] = process.argv.slice(2);
  const [many, seed] = [Number(given ?? usual), seedOf(chosen)];
  if (!Number.isInteger(many) || many < 1 || !Number.isInteger(seed))
    throw new Error(`${what} and seed are whole numbers.`);
  return { many, seed, rest };
}

/** Gives a folder of its own, which is removed afterwards. */
export async function inFolder<Result>(use: (dataDir: string) => Promise<Result>): Promise<Result> {
  const dataDir = await mkdtemp(join(tmpdir(), 'daybook-'));
  try {
    return await use(dataDir);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

type Options = Pick<ServerOptions, 'dataDir' | 'vars' | 'log'>;
export type Open = Server & { visitor: () => Visitor };

/** Serves a folder without rate limits, and with cheap passwords. */
export async function serving<Result>(options: Options, use: (server: Open) => Promise<Result>): Promise<Result> {
  const server = await startServer({ ...options, vars: { RATE_LIMIT: 'off', ...options.vars }, passwordCost });
  try {
    return await use({ ...server, visitor: () => visitor(server.url) });
  } finally {
    await server.stop();
  }
}

/** Counts what happened. */
export type Counts = Record<string, number>;
export const count = (counts: Counts, what: string) => {
  counts[what] = (counts[what] ?? 0) + 1;
};
