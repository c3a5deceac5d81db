import { hostname, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type { SharedOptions, WorkerdStructuredLog, WorkerOptions } from 'miniflare';
import type { Secrets } from './folder';
import { mailbox } from './mailbox';
import { root } from './root';

export type LogLine = Pick<WorkerdStructuredLog, 'level' | 'message'>;

/** Settings that a local server takes and a deployed one does not. */
export type Vars = {
  /** 'off': no rate limits. */
  RATE_LIMIT?: string | undefined;
  /** 'off': no limits of how much mail an address gets, or a sender causes. */
  MAIL_LIMITS?: string | undefined;
  /** 'on': D1 figures in Server-Timing. */
  TIMING?: string | undefined;
  /** A mail server or service; without one each mail is kept as a file. */
  MAIL_URL?: string | undefined;
  MAIL_KEY?: string | undefined;
  MAIL_FROM?: string | undefined;
  /** The origin of links in mails. */
  PUBLIC_URL?: string | undefined;
  /** 'on': a line of JSON for each request, as the deployed Worker writes them; unset, none. */
  LOG?: string | undefined;
  /** 'many': pages are kept as at the edge, for other isolates too; unset, in memory alone. */
  ISOLATES?: string | undefined;
  /** The time zone that the edge reports; unset, none. */
  READER_ZONE?: string | undefined;
  /** 'on': calendars may be at addresses of this machine. */
  ASK_LOOPBACK?: string | undefined;
};

/** The names and addresses of this machine in URLs. A request could name any other. */
function ownHosts(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((some = []) =>
    some.map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address)),
  );
  const name = hostname().toLowerCase();
  return ['localhost', '127.0.0.1', '[::1]', name, `${name}.local`, ...addresses].join(' ');
}

/**
 * Reads the Worker's options from wrangler.toml, with wrangler itself, and adds the built bundle and this machine's
 * values.
 * @param before the text of a module that stands before the Worker
 * @param dataDir for mail that can't be delivered
 * @param isPrivate only this machine can reach the server, so no front names the client
 * @param address the server's own, once it listens
 * @param isFull the disk is full
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
  // Stops wrangler from reporting each file it reads; it looks at this when it is imported.
  process.env.WRANGLER_LOG ??= 'error';
  const { unstable_getMiniflareWorkerOptions } = await import('wrangler');
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
      // This network refuses names that resolve to this machine or its neighbours.
      OUTSIDE: {
        network: {
          allow: vars.ASK_LOOPBACK === 'on' ? ['public', 'local'] : ['public'],
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

/**
 * The runtime logs an error if a client leaves in the middle of a response (someone
 * closed a browser) or sends bad chunks. There is nothing to mend.
 */
const clientNoise = [
  /^kj::getCaughtExceptionAsKj\(\) = kj\/async-io-\w+\.c\+\+:\d+: disconnected: /,
  /^e = kj\/compat\/http\.c\+\+:\d+: (failed: invalid HTTP chunk|disconnected: )/,
];

/** The runtime logs the host of a calendar that can't be reached; the provider gets a message about it. */
const calendarNoise = /^e = kj\/async-io(-unix)?\.c\+\+:\d+: (failed|disconnected): (DNS lookup failed|connect\(\))/;

/** The options that all Workers on this data folder share. `log` gets the lines of the Worker, and failures. */
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
