import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { root } from '../../app/local/root';

/** A script of this folder in a process of its own. */
export type Running = {
  child: ChildProcess;
  /** Waits until stdout shows this, and resolves to all of it; rejects if the process ends without. */
  shows: (words: RegExp) => Promise<string>;
  ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
};

// Settings of the server and of the network around it: a server in a test has those of its test alone.
const ofServer =
  'PORT HOST DATA_DIR SEED RATE_LIMIT MAIL_LIMITS TIMING LOG READER_ZONE SESSION_SECRETS PASSWORD_PEPPER';
const ofNetwork = 'MAIL_URL MAIL_KEY MAIL_FROM PUBLIC_URL TRUST_PROXY TRUST_PROXY_HEADER';
const own = `${ofServer} ${ofNetwork}`.split(' ');

/** Runs `app/local/<name>.ts` as `npm start` does, with these settings alone. */
export const run = (name: string, settings: Record<string, string>, ...words: string[]): Running =>
  runIn(root, name, settings, ...words);

/** Runs it in a copy of the product. */
export function runIn(folder: string, name: string, settings: Record<string, string>, ...words: string[]): Running {
  const inherited = Object.entries(process.env).filter(([variable]) => !own.includes(variable));
  const child = spawn(process.execPath, ['--import', 'tsx', join(folder, 'app/local', `${name}.ts`), ...words], {
    cwd: folder,
    env: { ...Object.fromEntries(inherited), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return follow(child);
}

/** Collects what a process prints from its first line on. */
export function follow(child: ChildProcessByStdio<null, Readable, Readable>): Running {
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', (chunk) => {
      printed[name] += String(chunk);
    });
  }
  const ended = new Promise<Awaited<Running['ended']>>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...printed }));
  });
  const shows = (words: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        if (words.test(printed.stdout)) resolve(printed.stdout);
      };
      child.stdout.on('data', look);
      ended.then(
        () => reject(new Error(`It ended without showing ${words}:\n${printed.stdout}${printed.stderr}`)),
        reject,
      );
      look();
    });
  return { child, shows, ended };
}

/** The address that a server prints once it is open. */
export async function addressOf(running: Running): Promise<string> {
  const [, address] = /open at (http:\S+)/.exec(await running.shows(/open at http:\S+\n/)) ?? [];
  if (!address) throw new Error('No address was printed.');
  return address;
}
