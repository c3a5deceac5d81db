import type { Server } from './server';

const hour = 60 * 60 * 1000;

/** Runs the Worker's hourly job now and each hour, as Cloudflare would: a local server may stand for weeks. */
export function runHourly(server: Pick<Server, 'scheduled'>): void {
  const run = () =>
    server.scheduled().catch((error: unknown) => {
      process.stderr.write(`The hourly job failed: ${String(error)}\n`);
    });
  void run();
  setInterval(run, hour).unref();
}
