import { join } from 'node:path';
import type { SharedOptions, WorkerdStructuredLog, WorkerOptions } from 'miniflare';
import type { Secrets } from './folder';
import { root } from './root';

/** One line that the Worker wrote. */
export type LogLine = Pick<WorkerdStructuredLog, 'level' | 'message'>;

/** What a local server may be told to do otherwise than the deployed one. */
export type Vars = {
  /** 'off': no rate limits. */
  RATE_LIMIT?: string | undefined;
  /** 'on': D1 figures in Server-Timing. */
  TIMING?: string | undefined;
  /** Where the edge would say the reader is; unset, it doesn't know. */
  READER_ZONE?: string | undefined;
};

/** The Worker of wrangler.toml, read by wrangler itself, with the built bundle and the values of this machine. `before` is a module that stands before it. */
export async function workerOf(
  { READER_ZONE: _, ...vars }: Vars,
  secrets: Secrets,
  before?: string,
): Promise<WorkerOptions> {
  // Read when wrangler is imported; it would report each file it reads.
  process.env.WRANGLER_LOG ??= 'error';
  const { unstable_getMiniflareWorkerOptions } = await import('wrangler');
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(root, 'wrangler.toml'));
  const given = Object.entries(vars).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return {
    ...workerOptions,
    name: 'daybook',
    modules: [
      ...(before ? [{ type: 'ESModule', path: join(root, 'dist/before.js'), contents: before } as const] : []),
      { type: 'ESModule', path: join(root, 'dist/worker.js') },
    ],
    modulesRoot: join(root, 'dist'),
    bindings: { ...workerOptions.bindings, ...Object.fromEntries(given), ...secrets },
  };
}

/**
 * The runtime's own words, as an error and with addresses of its code for a stack: that a client went away while it was being
 * answered, such as a browser that was closed, or that it sent chunks which are none. There is nothing to mend.
 */
const ofClients = [
  /^kj::getCaughtExceptionAsKj\(\) = kj\/async-io-\w+\.c\+\+:\d+: disconnected: /,
  /^e = kj\/compat\/http\.c\+\+:\d+: (failed: invalid HTTP chunk|disconnected: )/,
];

/** What a runtime on this data folder needs besides its Worker. `log` hears what the Worker wrote and what failed. */
export async function runtimeOf(
  dataDir: string,
  { READER_ZONE }: Vars,
  log: (line: LogLine) => void,
): Promise<SharedOptions> {
  const { NoOpLog } = await import('miniflare');
  return {
    log: new NoOpLog(),
    handleStructuredLogs(line: LogLine) {
      if (!ofClients.some((one) => one.test(line.message))) log(line);
    },
    // Without one, miniflare would say that every reader sits in Austin.
    cf: READER_ZONE ? { timezone: READER_ZONE } : {},
    // The layout that `wrangler --persist-to` reads.
    defaultPersistRoot: join(dataDir, 'v3'),
  };
}
