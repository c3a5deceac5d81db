import type { BuildOptions } from 'esbuild';
import { Miniflare } from 'miniflare';
import { runtimeOf, workerOf } from '../../app/local/configuration';
import { secretsOf } from '../../app/local/folder';
import { guardRuntime } from '../../app/local/runtime-guard';
import type { Step } from './bare-booking';
import { withRuntime } from './runtime-process';
import { bundle } from './served';
import { providerId } from './world-plan';

/** As a Worker is: production React. */
const asWorker: BuildOptions = {
  jsx: 'automatic',
  conditions: ['workerd', 'worker', 'browser', 'module'],
  mainFields: ['module', 'main'],
  define: { 'process.env.NODE_ENV': '"production"' },
  external: ['cloudflare:*', 'node:*'],
};

/**
 * Serves the yardsticks as the product is served, static files, bindings and all, on a world's data folder of their own:
 * two runtimes can't share one database.
 */
export async function startYardsticks(dataDir: string, book: Step[]) {
  const bundled = await bundle('yardstick-worker.ts', 'yardsticks', asWorker);
  const secrets = secretsOf(dataDir, { isNew: true });
  const shared = await runtimeOf(dataDir, {}, ({ message }) => void process.stderr.write(`${message}\n`));
  const served = await workerOf({}, secrets);
  const guard = guardRuntime();
  const started = await withRuntime(async () => {
    const runtime = new Miniflare({
      ...shared,
      host: '127.0.0.1',
      port: 0,
      workers: [
        {
          ...served,
          ...bundled,
          bindings: { ...served.bindings, ROW: providerId(0), BOOK: book },
        },
      ],
    } as ConstructorParameters<typeof Miniflare>[0]);
    const { href } = await runtime.ready;
    guard.renew();
    return { runtime, url: href.replace(/\/$/, '') };
  });
  const d1 = await started.runtime.getD1Database('DB');
  await d1.prepare('CREATE TABLE bench_rows (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID').run();
  const stop = async () => {
    await started.runtime.dispose();
    guard.end();
  };
  return { url: started.url, pid: started.pid, d1, stop };
}
