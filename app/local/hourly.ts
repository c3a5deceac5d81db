import { print } from './lines';
import type { Server } from './server';

const hour = 60 * 60 * 1000;

/** A local server may run for weeks, without Cloudflare's schedule. */
export function runHourly(server: Pick<Server, 'scheduled' | 'isFull'>): void {
  const run = async () => {
    // The job would publish and remind, which takes room.
    if (server.isFull()) return;
    await server.scheduled().catch((error: unknown) => {
      print(`The hourly job failed: ${String(error)}`, 'error');
    });
  };
  void run();
  setInterval(run, hour).unref();
}
