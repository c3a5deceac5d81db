import { print } from './lines';
import type { Server } from './server';

const hour = 60 * 60 * 1000;

/** Runs the hourly job, because a local server has no schedule of Cloudflare's and may run for weeks. */
export function runHourly(server: Pick<Server, 'scheduled' | 'isFull'>): void {
  const run = async () => {
    // The job publishes slots and writes reminders, which takes room on the disk.
    if (server.isFull()) return;
    await server.scheduled().catch((error: unknown) => {
      print(`The hourly job failed: ${String(error)}`, 'error');
    });
  };
  void run();
  setInterval(run, hour).unref();
}
