import { type ChildProcess, spawn } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { basename } from 'node:path';

// workerd goes on running if its parent is killed, and would keep the port and the data. So a shell beside each runtime
// waits at a pipe that only this process holds open. When the pipe closes, the shell kills workerd. `lost` resolves if
// workerd is killed, which a server would not notice. Call `renew` after each start of a runtime, `release` before it
// stops, and `end` after the last one.
export function guardRuntime(): { renew: () => void; release: () => void; end: () => void; lost: Promise<void> } {
  const children: ChildProcess[] = [];
  const guards: ChildProcess[] = [];
  let watched: ChildProcess | undefined;
  let lose: () => void;
  const lost = new Promise<void>((resolve) => {
    lose = resolve;
  });
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
    for (const child of children.splice(0)) {
      const { pid, spawnfile, exitCode, signalCode } = child;
      if (pid === undefined || exitCode !== null || signalCode !== null || !basename(spawnfile).includes('workerd'))
        continue;
      watched = child;
      child.once('exit', () => child === watched && lose());
      const guard = spawn('sh', ['-c', 'read -r _; kill -9 "$1" 2>/dev/null', 'sh', String(pid)], {
        stdio: ['pipe', 'ignore', 'ignore'],
        detached: true,
      });
      guard.unref();
      guards.push(guard);
    }
  };
  const release = () => {
    watched = undefined;
  };
  const end = () => {
    unsubscribe('child_process', notice);
    dismiss();
  };
  return { renew, release, end, lost };
}
