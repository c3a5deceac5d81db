import { hostname, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type { SharedOptions, WorkerdStructuredLog, WorkerOptions } from 'miniflare';
import type { Secrets } from './folder';
import { mailbox } from './mailbox';
import { root } from './root';
import { importWrangler } from './wrangler';

export type LogLine = Pick<WorkerdStructuredLog, 'level' | 'message'>;

/** Settings that a deployed Worker doesn't take. */
export type Vars = {
  RATE_LIMIT?: string | undefined; // 'off' lifts the rate limits
  MAIL_LIMITS?: string | undefined; // 'off' lifts the mail limits
  TIMING?: string | undefined; // 'on' adds figures of D1 to Server-Timing
  MAIL_URL?: string | undefined; // without one each mail is kept as a file
  MAIL_KEY?: string | undefined;
  MAIL_FROM?: string | undefined;
  PUBLIC_URL?: string | undefined; // the origin of links in mails
  /** 'on' prints a line of JSON for each request, as the deployed Worker does */
  LOG?: string | undefined;
  ISOLATES?: string | undefined; // 'many' keeps pages as at the edge, for other isolates too
  READER_ZONE?: string | undefined; // the time zone that the edge reports
  ASK_LOOPBACK?: string | undefined; // 'on' allows calendars at addresses of this machine
};

function ownHosts(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((some = []) =>
    some.map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address)),
  );
  const name = hostname().toLowerCase();
  return ['localhost', '127.0.0.1', '[::1]', name, `${name}.local`, ...addresses].join(' ');
}

// Ranges that are not public, beside those which the runtime knows as private. IPv6 is public in 2000::/3.
const notPublic = [
  ...['0.0.0.0/8', '192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '198.18.0.0/15', '198.51.100.0/24'],
  ...['203.0.113.0/24', '224.0.0.0/3', '::/3', '4000::/2', '8000::/1', '2001::/23', '2001:db8::/32', '2002::/16'],
  '3fff::/20',
];

// A public name may resolve to an address that this machine has.
const ownAddresses = () =>
  Object.values(networkInterfaces()).flatMap((some = []) =>
    some.filter(({ internal }) => !internal).map(({ address, family }) => `${address}/${family === 'IPv6' ? 128 : 32}`),
  );

/**
 * Takes the Worker's options from wrangler.toml, by wrangler itself, and adds the built bundle and this machine's
 * values.
 * @param before the text of a module that stands before the Worker
 * @param isPrivate only this machine can reach the server
 * @param address the server's own, once it listens
 */
export async function workerOf(
  { READER_ZONE: _, MAIL_LIMITS: __, ...vars }: Vars,
  secrets: Secrets,
  {
    before,
    dataDir,
    isPrivate = true,
    address,
    isFull,
  }: { before?: string; dataDir?: string; isPrivate?: boolean; address?: Promise<string>; isFull?: boolean } = {},
): Promise<WorkerOptions> {
  const { unstable_getMiniflareWorkerOptions } = await importWrangler();
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(root, 'wrangler.toml'));
  const settings = Object.entries(vars).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return {
    ...workerOptions,
    name: 'daybook',
    modules: [
      ...(before ? [{ type: 'ESModule', path: join(root, 'dist/before.js'), contents: before } as const] : []),
      { type: 'ESModule', path: join(root, 'dist/worker.js') },
    ],
    modulesRoot: join(root, 'dist'),
    serviceBindings: {
      // Refuses names that resolve to this machine or to no public address.
      OUTSIDE: {
        network: {
          allow: vars.ASK_LOOPBACK === 'on' ? ['public', 'local'] : ['public'],
          deny: [...notPublic, ...ownAddresses()],
          tlsOptions: { trustBrowserCas: true },
        },
      },
      ...(address && { OWN_ADDRESS: async () => new Response(await address) }),
      ...(dataDir && !vars.MAIL_URL && { MAILBOX: mailbox(dataDir) }),
    },
    bindings: {
      ...workerOptions.bindings,
      LOG: 'off',
      PLAIN_HTTP: 'on',
      ISOLATES: 'one',
      OWN_HOSTS: ownHosts(),
      ...(isPrivate && { CLIENT_ADDRESS: '127.0.0.1' }),
      ...(isFull && { DISK: 'full' }),
      ...Object.fromEntries(settings),
      ...secrets,
    },
  };
}

// The runtime logs an error if a client leaves during a response or sends bad chunks. There is nothing to mend.
const clientNoise = [
  /^kj::getCaughtExceptionAsKj\(\) = kj\/async-io-\w+\.c\+\+:\d+: disconnected: /,
  /^e = kj\/compat\/http\.c\+\+:\d+: (failed: invalid HTTP chunk|disconnected: )/,
];

// The runtime logs the host of a calendar that can't be reached. The provider gets a message about it.
const calendarNoise = /^e = kj\/async-io(-unix)?\.c\+\+:\d+: (failed|disconnected): (DNS lookup failed|connect\(\))/;

/** The options of all Workers on this data folder. `log` gets the Worker's lines, and failures. */
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
    // Without this, miniflare says that every reader sits in Austin.
    cf: READER_ZONE ? { timezone: READER_ZONE } : {},
    // The layout that `wrangler --persist-to` reads.
    defaultPersistRoot: join(dataDir, 'v3'),
  };
}
