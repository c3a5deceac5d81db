import { type ChildProcess, spawn } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { basename } from 'node:path';

/**
 * workerd outlives a parent that was killed, and would keep the port and the data. So each runtime started from now on
 * gets a shell that waits at a pipe only this process holds open: when that closes, for whatever reason, it ends workerd.
 * `renew` is called whenever a runtime was (re)started, `end` after the last one was stopped.
 */
export function guardRuntime(): { renew: () => void; end: () => void } {
  const children: ChildProcess[] = [];
  const guards: ChildProcess[] = [];
  // The event comes before the child has a name and a pid.
  const notice = (message: unknown) => {
    const { process: child } = message as { process: ChildProcess };
    children.push(child);
  };
  subscribe('child_process', notice);

  const dismiss = () => {
    for (const guard of guards.splice(0)) guard.kill('SIGKILL');
  };
  const renew = () => {
    dismiss();
    for (const { pid, spawnfile, exitCode, signalCode } of children.splice(0)) {
      if (pid === undefined || exitCode !== null || signalCode !== null || !basename(spawnfile).includes('workerd'))
        continue;
      const guard = spawn('sh', ['-c', 'read -r _; kill -9 "$1" 2>/dev/null', 'sh', String(pid)], {
        stdio: ['pipe', 'ignore', 'ignore'],
        detached: true,
      });
      guard.unref();
      guards.push(guard);
    }
  };
  const end = () => {
    unsubscribe('child_process', notice);
    dismiss();
  };
  return { renew, end };
}
