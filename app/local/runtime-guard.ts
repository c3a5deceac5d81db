import { type ChildProcess, spawn } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { basename } from 'node:path';

/**
 * Ends workerd when this process ends, however it ends. workerd survives a killed parent, and would keep the port and
 * the data. So each new runtime gets a shell that waits at a pipe which only this process holds open; when the pipe
 * closes, the shell kills workerd. Call `renew` after each start of a runtime, and `end` after the last one has
 * stopped.
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
