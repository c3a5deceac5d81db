import { mkdirSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type { SharedOptions, WorkerdStructuredLog, WorkerOptions } from 'miniflare';
import type { Secrets } from './folder';
import { gate } from './gate';
import { mailbox } from './mailbox';
import { root } from './root';
import { importWrangler } from './wrangler';
import './steady-wait';

export type LogLine = Pick<WorkerdStructuredLog, 'level' | 'message'>;

/** Settings of the local server, which a deployed Worker doesn't have. */
export type Vars = {
  RATE_LIMIT?: string | undefined; // 'off' lifts the rate limits
  MAIL_LIMITS?: string | undefined; // 'off' lifts the mail limits
  TIMING?: string | undefined; // 'on' adds figures of D1 to Server-Timing
  MAIL_URL?: string | undefined; // without it, each mail is kept as a file
  MAIL_KEY?: string | undefined;
  MAIL_FROM?: string | undefined;
  PUBLIC_URL?: string | undefined; // the origin of the links in mails
  /** 'on' prints a line of JSON for each request, as the deployed Worker does */
  LOG?: string | undefined;
  ISOLATES?: string | undefined; // 'many' caches pages as the edge does, for other isolates too
  READER_ZONE?: string | undefined; // the time zone that the edge reports
  ASK_LOOPBACK?: string | undefined; // 'on' allows calendars at this machine's addresses
};

// Ranges that are not public, besides those that the runtime calls private. In IPv6 only 2000::/3 is public.
const notPublic = [
  ...['0.0.0.0/8', '192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '198.18.0.0/15', '198.51.100.0/24'],
  ...['203.0.113.0/24', '224.0.0.0/3', '::/3', '4000::/2', '8000::/1', '2001::/23', '2001:db8::/32', '2002::/16'],
  '3fff::/20',
];

// A public name may lead to an address of this machine.
const ownAddresses = () =>
  Object.values(networkInterfaces()).flatMap((some = []) =>
    some.filter(({ internal }) => !internal).map(({ address, family }) => `${address}/${family === 'IPv6' ? 128 : 32}`),
  );

/**
 * The options of the Worker. wrangler reads them from wrangler.toml; this adds the built bundle and the settings of
 * this machine.
 * @param before the text of a module that runs before the Worker
 * @param address the server's own address, once it listens
 * @param key what only the front and the runtime know: requests and mail come with it
 */
export async function workerOf(
  { READER_ZONE: _, MAIL_LIMITS: __, ...vars }: Vars,
  secrets: Secrets,
  {
    before,
    dataDir,
    address,
    isFull,
    key = '',
  }: { before?: string; dataDir?: string; address?: Promise<string>; isFull?: boolean; key?: string } = {},
): Promise<WorkerOptions> {
  const { unstable_getMiniflareWorkerOptions } = await importWrangler();
  // Wrangler asks for the folder of the assets, also where a build has yet to fill it.
  mkdirSync(join(root, 'build/client'), { recursive: true });
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(root, 'wrangler.toml'));
  const settings = Object.entries(vars).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return {
    ...workerOptions,
    name: 'daybook',
    modules: [
      {
        type: 'ESModule',
        path: join(root, 'dist/gate.js'),
        contents: gate(before ? './before.js' : './worker.js', key),
      },
      ...(before ? [{ type: 'ESModule', path: join(root, 'dist/before.js'), contents: before } as const] : []),
      { type: 'ESModule', path: join(root, 'dist/worker.js') },
    ],
    modulesRoot: join(root, 'dist'),
    serviceBindings: {
      // Refuses a name that leads to this machine or to no public address.
      OUTSIDE: {
        network: {
          allow: vars.ASK_LOOPBACK === 'on' ? ['public', 'local'] : ['public'],
          deny: [...notPublic, ...ownAddresses()],
          tlsOptions: { trustBrowserCas: true },
        },
      },
      ...(address && { OWN_ADDRESS: async () => new Response(await address) }),
      ...(dataDir && !vars.MAIL_URL && { MAILBOX: mailbox(dataDir, key) }),
    },
    bindings: {
      ...workerOptions.bindings,
      LOG: 'off',
      PLAIN_HTTP: 'on',
      ISOLATES: 'one',
      MAILBOX_KEY: key,
      ...(isFull && { DISK: 'full' }),
      ...Object.fromEntries(settings),
      ...secrets,
    },
  };
}

// The runtime logs an error if a client leaves during a response or sends bad chunks. We can't mend that.
const clientNoise = [
  /^kj::getCaughtExceptionAsKj\(\) = kj\/async-io-\w+\.c\+\+:\d+: disconnected: /,
  /^e = kj\/compat\/http\.c\+\+:\d+: (failed: invalid HTTP chunk|disconnected: )/,
];

// The runtime logs the host of a calendar that can't be reached. The provider gets a message, so we drop the line.
const calendarNoise = /^e = kj\/async-io(-unix)?\.c\+\+:\d+: (failed|disconnected): (DNS lookup failed|connect\(\))/;

/** The options for all Workers on this data folder. `log` gets what the Worker prints, and failures. */
export async function runtimeOf(
  dataDir: string,
  { READER_ZONE }: Vars,
  log: (line: LogLine) => void,
): Promise<SharedOptions> {
  const { NoOpLog } = await import('miniflare');
  return {
    log: new NoOpLog(),
    handleStructuredLogs(line: LogLine) {
      if (![...clientNoise, calendarNoise].some((noise) => noise.test(line.message))) log(line);
    },
    // Without this, miniflare says that every reader is in Austin.
    cf: READER_ZONE ? { timezone: READER_ZONE } : {},
    // The layout of folders that `wrangler --persist-to` uses.
    defaultPersistRoot: join(dataDir, 'v3'),
  };
}
