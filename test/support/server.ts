import { join, resolve } from 'node:path';
import type { Miniflare, MiniflareOptions, WorkerdStructuredLog } from 'miniflare';
import { prepareDatabase } from './database';
import { claimFolder, secretsOf } from './folder';
import { checkPort, portRefusal } from './port';
import { systemCode } from './refusal';
import { root } from './root';
import { guardRuntime } from './runtime-guard';

/** One line that the Worker wrote. */
export type LogLine = Pick<WorkerdStructuredLog, 'level' | 'message'>;

export type ServerOptions = {
  dataDir: string;
  /** 0, the default, is any free one. */
  port?: number;
  host?: string;
  /** Puts the demo data into a database without accounts. */
  seed?: boolean;
  vars?: {
    /** 'off': no brakes. */
    RATE_LIMIT?: string | undefined;
    /** 'on': D1 figures in Server-Timing. */
    TIMING?: string | undefined;
    /** Where the edge would say the reader is; unset, it doesn't know. */
    READER_ZONE?: string | undefined;
  };
  /** Runs once port and folder are known to be free: the place for a build. */
  prepare?: () => Promise<void>;
  log?: (line: LogLine) => void;
};

export type D1 = Awaited<ReturnType<Miniflare['getD1Database']>>;

export type Server = {
  url: string;
  port: number;
  d1: D1;
  secrets: ReturnType<typeof secretsOf>;
  /** Whether this start put the demo data in. */
  seeded: boolean;
  /** Runs the Worker's hourly job. */
  scheduled: () => Promise<void>;
  /** Takes a new build, and new migrations, without letting go of port and data. */
  reload: () => Promise<void>;
  stop: () => Promise<void>;
};

/**
 * Serves the built Worker as Cloudflare would: workerd, static files first, D1 and Durable Objects kept in `dataDir`.
 * @throws Refusal where the port or the folder can't be had
 */
export async function startServer({ port = 0, host = '127.0.0.1', ...options }: ServerOptions): Promise<Server> {
  const dataDir = resolve(options.dataDir);
  await checkPort(port, host);
  const releaseFolder = await claimFolder(dataDir);
  const guard = guardRuntime();
  let miniflare: Miniflare | undefined;
  const stop = async () => {
    await miniflare?.dispose();
    guard.end();
    releaseFolder();
  };
  try {
    await options.prepare?.();
    const secrets = secretsOf(dataDir);
    const configure = (at: number) => configuration({ ...options, dataDir, host, port: at }, secrets);

    const { Miniflare } = await import('miniflare');
    // At a port that nobody knows: while the tables and the demo data are being made, there is nothing to visit.
    const runtime = new Miniflare(await configure(0));
    miniflare = runtime;
    await runtime.ready;
    guard.renew();
    const seeded = await prepareDatabase(await runtime.getD1Database('DB'), secrets, options.seed ?? false);
    if (port !== 0) await runtime.setOptions(await configure(port));
    const address = await runtime.ready;
    guard.renew();
    const server: Server = {
      url: `http://${host === '0.0.0.0' || host === '::' ? 'localhost' : address.hostname}:${address.port}`,
      port: Number(address.port),
      d1: await runtime.getD1Database('DB'),
      secrets,
      seeded,
      scheduled: async () => {
        const { outcome } = await (await runtime.getWorker()).scheduled({ cron: '17 * * * *' });
        if (outcome !== 'ok') throw new Error(`The hourly job ended with: ${outcome}`);
      },
      reload: async () => {
        await runtime.setOptions(await configure(server.port));
        guard.renew();
        server.d1 = await runtime.getD1Database('DB');
        await prepareDatabase(server.d1, secrets, false);
      },
      stop,
    };
    return server;
  } catch (error) {
    await stop();
    throw systemCode(error) === 'ERR_ADDRESS_IN_USE' ? portRefusal(port, host, 'EADDRINUSE') : error;
  }
}

/** wrangler.toml, read by wrangler itself, with the built bundle and this machine's values. */
async function configuration(
  { dataDir, port, host, vars = {}, log = print }: ServerOptions,
  secrets: Server['secrets'],
): Promise<MiniflareOptions> {
  // Before the import: it is read there.
  process.env.WRANGLER_LOG ??= 'error';
  const [{ NoOpLog }, { unstable_getMiniflareWorkerOptions }] = await Promise.all([
    import('miniflare'),
    import('wrangler'),
  ]);
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(root, 'wrangler.toml'));
  const { READER_ZONE, ...texts } = vars;
  const given = Object.entries(texts).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return {
    host,
    port,
    log: new NoOpLog(),
    handleStructuredLogs: log,
    // Without one, miniflare would say that every reader sits in Austin.
    cf: READER_ZONE ? { timezone: READER_ZONE } : {},
    // The layout that `wrangler --persist-to` reads.
    defaultPersistRoot: join(dataDir, 'v3'),
    workers: [
      {
        ...workerOptions,
        name: 'daybook',
        modules: [{ type: 'ESModule', path: join(root, 'dist/worker.js') }],
        modulesRoot: join(root, 'dist'),
        bindings: { ...workerOptions.bindings, ...Object.fromEntries(given), ...secrets },
      },
    ],
  };
}

function print({ level, message }: LogLine): void {
  (level === 'error' || level === 'warn' ? process.stderr : process.stdout).write(`${message}\n`);
}
