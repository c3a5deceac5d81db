import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/* Linux's figures of the workerd that a process started; other systems have none. */

/** Whether this process is a running workerd whose parent is that one. */
function isRuntime(pid: string, parent: number): boolean {
  const path = join('/proc', pid, 'stat');
  if (!existsSync(path)) return false;
  const [, name = '', state, of] = /^\d+ \((.*)\) (\S) (\d+)/.exec(readFileSync(path, 'utf8')) ?? [];
  return name.startsWith('workerd') && state !== 'Z' && Number(of) === parent;
}

/** The ids of the running workerds that are children of a process. */
export function runtimes(parent = process.pid): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isRuntime(name, parent))
    .map(Number);
}

/** Starts a server and finds its workerd; null if the system doesn't tell. */
export async function withRuntime<Started>(start: () => Promise<Started>): Promise<Started & { pid: number | null }> {
  const before = new Set(runtimes());
  const started = await start();
  const pid = runtimes().find((one) => !before.has(one)) ?? null;
  return { ...started, pid };
}

/** The processor time of all threads of a process so far, in milliseconds. */
export function processorTime(pid: number): number {
  const threads = join('/proc', String(pid), 'task');
  const nanoseconds = readdirSync(threads).map((thread) =>
    Number(readFileSync(join(threads, thread, 'schedstat'), 'utf8').split(' ')[0]),
  );
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e6;
}

/** Memory in MiB: now, and the most there was. */
export function memoryOf(pid: number): { now: number; most: number } {
  const status = readFileSync(join('/proc', String(pid), 'status'), 'utf8');
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) / 1024;
  return { now: field('VmRSS'), most: field('VmHWM') };
}
