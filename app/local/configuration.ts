import { hostname, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type { SharedOptions, WorkerdStructuredLog, WorkerOptions } from 'miniflare';
import type { Secrets } from './folder';
import { mailbox } from './mailbox';
import { root } from './root';

/** One line that the Worker wrote. */
export type LogLine = Pick<WorkerdStructuredLog, 'level' | 'message'>;

/** Settings that a local server takes and a deployed one does not. */
export type Vars = {
  /** 'off': no rate limits. */
  RATE_LIMIT?: string | undefined;
  /** 'on': D1 figures in Server-Timing. */
  TIMING?: string | undefined;
  /** A mail server or service; without one each mail is kept as a file. */
  MAIL_URL?: string | undefined;
  MAIL_KEY?: string | undefined;
  MAIL_FROM?: string | undefined;
  /** Where links in mails lead. */
  PUBLIC_URL?: string | undefined;
  /** 'on': a line of JSON for each request, as the deployed Worker writes them; unset, none. */
  LOG?: string | undefined;
  /** The time zone that the edge would report; unset, the edge knows none. */
  READER_ZONE?: string | undefined;
};

/** The names and addresses of this machine, as they stand in a URL. Whoever sends a request can write any other in it. */
function ownHosts(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((some = []) =>
    some.map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address)),
  );
  const name = hostname().toLowerCase();
  return ['localhost', '127.0.0.1', '[::1]', name, `${name}.local`, ...addresses].join(' ');
}

/**
 * Reads the Worker's options from wrangler.toml, with wrangler itself, and adds the built bundle and this machine's
 * values. `before` is the text of a module that stands before the Worker; `dataDir` keeps mail that nobody delivers.
 */
export async function workerOf(
  { READER_ZONE: _, ...vars }: Vars,
  secrets: Secrets,
  before?: string,
  dataDir?: string,
): Promise<WorkerOptions> {
  // wrangler reads this when it is imported; else it would report each file it reads.
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
    ...(dataDir && !vars.MAIL_URL && { serviceBindings: { MAILBOX: mailbox(dataDir) } }),
    bindings: {
      ...workerOptions.bindings,
      LOG: 'off',
      PLAIN_HTTP: 'on',
      OWN_HOSTS: ownHosts(),
      ...Object.fromEntries(given),
      ...secrets,
    },
  };
}

/**
 * The runtime logs, as an error with a stack of addresses, that a client left in the middle of a response (someone
 * closed a browser) or sent bad chunks. There is nothing to mend.
 */
const ofClients = [
  /^kj::getCaughtExceptionAsKj\(\) = kj\/async-io-\w+\.c\+\+:\d+: disconnected: /,
  /^e = kj\/compat\/http\.c\+\+:\d+: (failed: invalid HTTP chunk|disconnected: )/,
];

/** The options that all Workers on this data folder share. `log` gets what the Worker writes and what fails. */
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
    // Without this, miniflare says that every reader sits in Austin.
    cf: READER_ZONE ? { timezone: READER_ZONE } : {},
    // The layout that `wrangler --persist-to` reads.
    defaultPersistRoot: join(dataDir, 'v3'),
  };
}
