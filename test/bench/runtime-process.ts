import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/* Linux's figures of the workerd that a process started; other systems have none. */

const ticksPerSecond = 100;

/** The fields of /proc/<pid>/stat after the name; undefined for a process that is gone. */
function statOf(pid: number): { name: string; state: string; parent: number; ticks: number } | undefined {
  const path = join('/proc', String(pid), 'stat');
  if (!existsSync(path)) return undefined;
  const text = readFileSync(path, 'utf8');
  const [state = '', parent, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const name = text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'));
  // utime and stime are the 14th and 15th field, the state the third.
  return { name, state, parent: Number(parent), ticks: Number(rest[9]) + Number(rest[10]) };
}

/** The ids of the running workerds that are children of a process. */
export function runtimes(parent = process.pid): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const stat = statOf(pid);
      return stat?.name.startsWith('workerd') && stat.state !== 'Z' && stat.parent === parent;
    });
}

/** Starts a server and finds its workerd; null if the system doesn't tell. */
export async function withRuntime<Started>(start: () => Promise<Started>): Promise<Started & { pid: number | null }> {
  const before = new Set(runtimes());
  const started = await start();
  const pid = runtimes().find((one) => !before.has(one)) ?? null;
  return { ...started, pid };
}

/** Processor time so far in milliseconds: the server's, this process's with its load, the whole machine's. */
export type Reading = { server: number; own: number; machine: number };

/** Reads the processor times, in steps of ten milliseconds; null if the system doesn't tell. */
export function readMeter(pid: number | null): Reading | null {
  const stat = pid === null ? undefined : statOf(pid);
  if (!stat) return null;
  const milliseconds = (ticks: number) => (ticks * 1000) / ticksPerSecond;
  const [first = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
  // user, nice, system, idle, iowait, irq, softirq, steal: all but idle and waiting is work.
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = first.split(/\s+/).slice(1).map(Number);
  const own = process.cpuUsage();
  return {
    server: milliseconds(stat.ticks),
    own: (own.user + own.system) / 1000,
    machine: milliseconds(user + nice + system + irq + softirq + steal),
  };
}

/** The processor time of all threads of a process so far, in milliseconds. Finer than a meter, and only on Linux. */
export function processorTime(pid: number): number {
  const threads = join('/proc', String(pid), 'task');
  const nanoseconds = readdirSync(threads).map((thread) =>
    Number(readFileSync(join(threads, thread, 'schedstat'), 'utf8').split(' ')[0]),
  );
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e6;
}

/** Memory in MiB: now, and the most there was. */
export type Memory = { now: number; most: number };
export function memoryOf(pid: number | null): Memory | null {
  if (pid === null) return null;
  const status = readFileSync(join('/proc', String(pid), 'status'), 'utf8');
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) / 1024;
  return { now: field('VmRSS'), most: field('VmHWM') };
}
