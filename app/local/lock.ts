import { closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemCode } from './refusal';

const tries = 50;
// In milliseconds. A file that stays empty longer was left by a crash, because writing it takes microseconds.
const graceMs = 2_000;

/**
 * Takes the lock, unless a living process has it.
 * @returns a function that removes the lock, or the pid of its holder (0 if unknown)
 */
export async function takeLock(path: string): Promise<{ release: () => void } | { holder: number }> {
  for (let attempt = 0; attempt < tries; attempt++) {
    if (makeFile(path, `${process.pid} ${birthOf(process.pid)}`)) return { release: releaseOf(path) };
    const holder = holderOf(path);
    if (holder !== undefined) return { holder };
    removeStaleLock(path);
    await sleep(20);
  }
  return { holder: 0 };
}

function releaseOf(path: string): () => void {
  const remove = () => {
    process.off('exit', remove);
    rmSync(path, { force: true });
  };
  process.once('exit', remove);
  return remove;
}

// Done while holding a second file. Otherwise two processes could both remove a stale lock, and one would remove the
// other's new lock.
function removeStaleLock(path: string): void {
  const turn = `${path}.turn`;
  if (!makeFile(turn, '')) {
    if (ageOf(turn) > graceMs) rmSync(turn, { force: true });
    return;
  }
  try {
    if (holderOf(path) === undefined) rmSync(path, { force: true });
  } finally {
    rmSync(turn, { force: true });
  }
}

/** Makes a file. @returns false if it exists */
function makeFile(path: string, content: string): boolean {
  let file: number;
  try {
    file = openSync(path, 'wx');
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
  try {
    writeSync(file, content);
  } catch (error) {
    rmSync(path);
    throw error;
  } finally {
    closeSync(file);
  }
  return true;
}

function holderOf(path: string): number | undefined {
  const content = readIfThere(path);
  if (content === undefined) return undefined;
  if (content === '') return ageOf(path) < graceMs ? 0 : undefined;
  const [pid = '', birth = ''] = content.split(' ');
  return isAlive(Number(pid)) && birthOf(Number(pid)) === birth ? Number(pid) : undefined;
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid < 1) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}

// When the process started, from /proc if there is one: after a restart another process may have the same pid.
function birthOf(pid: number): string {
  const stat = readIfThere(`/proc/${pid}/stat`) ?? '';
  const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return state === 'Z' ? 'over' : (rest[18] ?? '');
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes(systemCode(error) ?? '')) return undefined;
    throw error;
  }
}

function ageOf(path: string): number {
  return Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
}
