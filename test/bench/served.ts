import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { type Server, type ServerOptions, startServer } from '../../app/local/server';
import { withRuntime } from './runtime-process';
import { benchFolder } from './world-folder';

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

/** A module of this folder that runs before the Worker. */
export const moduleBefore = (name: string) => readFileSync(join(import.meta.dirname, `${name}.mjs`), 'utf8');

/** @throws Error on a system that does not tell what a process takes */
export function known(pid: number | null): number {
  if (pid === null) throw new Error('The processor time and memory of a process are known on Linux only.');
  return pid;
}

/** Bundles a Worker of this folder into a folder of its own. */
export async function bundle(worker: string, name: string, more: BuildOptions = {}) {
  const folder = join(benchFolder, name);
  const path = join(folder, 'worker.js');
  const usual = { bundle: true, minify: true, format: 'esm', target: 'es2022', logLevel: 'error' } as const;
  await build({ entryPoints: [join(import.meta.dirname, worker)], outfile: path, ...usual, ...more });
  return { modules: [{ type: 'ESModule' as const, path }], modulesRoot: folder };
}
