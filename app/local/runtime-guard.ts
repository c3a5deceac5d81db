import { type ChildProcess, spawn } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export type RuntimeGuard = { renew: () => void; release: () => void; end: () => void };

/**
 * Ends workerd when this process ends, and tells when workerd ends by itself. workerd survives a killed parent, and would
 * keep the port and the data. So each new runtime gets a shell that waits at a pipe which only this process holds open; when
 * the pipe closes, the shell kills workerd. Call `renew` after each start of a runtime, `release` before one is to end, and
 * `end` after the last one has stopped.
 * @param died gets a line where a runtime ended that was not released: nobody answers at its port any more
 */
export function guardRuntime(died: (why: string) => void = () => {}): RuntimeGuard {
  const children: ChildProcess[] = [];
  const guards: ChildProcess[] = [];
  const guarded = new Set<ChildProcess>();
  // The event comes before the child has a name and a pid.
  const notice = (message: unknown) => {
    const { process: child } = message as { process: ChildProcess };
    children.push(child);
  };
  subscribe('child_process', notice);

  const release = () => guarded.clear();
  const dismiss = () => {
    release();
    for (const guard of guards.splice(0)) guard.kill('SIGKILL');
  };
  const renew = () => {
    dismiss();
    for (const child of children.splice(0)) {
      const { pid, spawnfile, exitCode, signalCode } = child;
      if (pid === undefined || exitCode !== null || signalCode !== null || !basename(spawnfile).includes('workerd'))
        continue;
      const guard = spawn('sh', ['-c', 'read -r _; kill -9 "$1" 2>/dev/null', 'sh', String(pid)], {
        stdio: ['pipe', 'ignore', 'ignore'],
        detached: true,
      });
      guard.unref();
      guards.push(guard);
      guarded.add(child);
      child.once('exit', async (code, signal) => {
        // Ctrl-C reaches both of us, and is no accident.
        await sleep(100);
        if (guarded.has(child))
          died(`The runtime, workerd, has ended (${signal ?? `status ${code}`}), and Daybook with it.`);
      });
    }
  };
  const end = () => {
    unsubscribe('child_process', notice);
    dismiss();
  };
  return { renew, release, end };
}
