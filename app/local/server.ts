import { resolve } from 'node:path';
import type { Cost } from '../domain/accounts/passwords.server';
import { type LogLine, runtimeOf, type Vars, workerOf } from './configuration';
import type { D1 } from './d1';
import { discardHalfSeeded, seedIfEmpty } from './database';
import { openDesk } from './desk';
import { claimFolder, type Secrets, secretsOf } from './folder';
import { withHashing } from './hashing';
import { migrate } from './migrations';
import { checkPort, portRefusal } from './port';
import { systemCode } from './refusal';
import { guardRuntime } from './runtime-guard';

export type ServerOptions = {
  dataDir: string;
  /** 0, the default, takes any free port. */
  port?: number;
  host?: string;
  /** Adds the demo data to a database without accounts. */
  seed?: boolean;
  vars?: Vars;
  /** Runs once port and folder are free: the place for a build. */
  prepare?: () => Promise<void>;
  log?: (line: LogLine) => void;
  /** The text of a module that stands before the Worker and imports it from './worker.js'. */
  before?: string;
  /** How much work a hash is; left out, what a password should cost. No setting of `npm start` changes it. */
  passwordCost?: Cost;
  /** Gets a line before each step that takes a while. */
  say?: (line: string) => void;
};

export type Server = {
  url: string;
  port: number;
  d1: D1;
  secrets: Secrets;
  /** True where this start added the demo data. */
  seeded: boolean;
  /** Runs the Worker's hourly job. */
  scheduled: () => Promise<void>;
  /** Loads a new build and new migrations, and keeps port and data. */
  reload: () => Promise<void>;
  stop: () => Promise<void>;
  /** Resolves where workerd ended though nobody stopped it: this server answers no more. */
  lost: Promise<void>;
};

/**
 * Serves the built Worker as Cloudflare would: workerd, static files first, D1 and Durable Objects stored in `dataDir`.
 * @throws Refusal where port or folder is taken
 */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { port = 0, host = '127.0.0.1', vars = {}, log = print } = options;
  const dataDir = resolve(options.dataDir);
  await checkPort(port, host);
  const releaseFolder = await claimFolder(dataDir);
  const guard = guardRuntime();
  let dispose: (() => Promise<void>) | undefined;
  const stop = async () => {
    guard.release();
    await dispose?.();
    guard.end();
    releaseFolder();
  };
  try {
    await options.prepare?.();
    const secrets = secretsOf(dataDir);
    const shared = await runtimeOf(dataDir, vars, log);
    const configure = async (at: number) => ({
      ...shared,
      host,
      port: at,
      workers: withHashing(
        await workerOf(vars, secrets, options.before, dataDir),
        secrets.PASSWORD_PEPPER,
        options.passwordCost,
      ),
    });
    const { Miniflare } = await import('miniflare');

    // The port is still closed: nobody meets half-made tables or demo data.
    discardHalfSeeded(dataDir);
    const desk = openDesk(Miniflare, shared, await workerOf(vars, secrets));
    dispose = desk.dispose;
    await desk.ready();
    guard.renew();
    await migrate(desk.d1);
    const seeded = options.seed === true && (await seedIfEmpty(desk.d1, dataDir, secrets, options.say));
    guard.release();
    await desk.dispose();

    const runtime = new Miniflare(await configure(port));
    dispose = () => runtime.dispose();
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
        guard.release();
        await runtime.setOptions(await configure(server.port));
        guard.renew();
        server.d1 = await runtime.getD1Database('DB');
        await migrate(server.d1);
      },
      stop,
      lost: guard.lost,
    };
    return server;
  } catch (error) {
    await stop();
    throw systemCode(error) === 'ERR_ADDRESS_IN_USE' ? portRefusal(port, host, 'EADDRINUSE') : error;
  }
}

function print({ level, message }: LogLine): void {
  (level === 'error' || level === 'warn' ? process.stderr : process.stdout).write(`${message}\n`);
}
