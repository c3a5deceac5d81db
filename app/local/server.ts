import { randomBytes } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import type { Cost } from '../domain/login/passwords.server';
import { isThisMachine } from '../http/plain.server';
import { publicOrigin } from '../mail/settings';
import { openBackupDoor } from './backup-door';
import type { TrustedProxy } from './client-address';
import { type LogLine, runtimeOf, type Vars, workerOf } from './configuration';
import type { D1 } from './d1';
import { addDemo, discardHalfSeeded, hasAccounts, markHalfSeeded, setMailLimits, unmarkHalfSeeded } from './database';
import { deskD1, deskWorker, openDesk } from './desk';
import { type Disk, fullWords, giveReserveBack, type RoomOf, saysFull, watchDisk } from './disk';
import { lockFolder, type Secrets, secretsOf } from './folder';
import { type Front, openFront, ownNames } from './front';
import { withHashing } from './hashing';
import { print } from './lines';
import { mailPages } from './mailbox';
import { migrate } from './migrations';
import { checkPort, portRefusal } from './port';
import { Refusal, systemCode } from './refusal';
import { guardRuntime } from './runtime-guard';
import { checkHistory, readDatabaseState } from './schema';

export type ServerOptions = {
  dataDir: string;
  port?: number; // any free port by default
  host?: string;
  /** Proxies that may name the client. A server without any, which only this machine can reach, answers to no other name. */
  trustedProxy?: TrustedProxy | undefined;
  secrets?: Secrets | undefined; // used in place of those in the data folder
  seed?: boolean; // adds the demo data to a database without accounts
  vars?: Vars;
  /** Runs once port and folder are ours, for example to build. */
  prepare?: () => Promise<void>;
  log?: (line: LogLine) => void;
  /** The text of a module that runs before the Worker and imports it from './worker.js'. */
  before?: string;
  passwordCost?: Cost; // the cost of a password's hash, for tests only
  /** Gets a line before each step that takes a while. */
  say?: (line: string) => void;
  /** Watches for a full disk: by this function, or by asking the disk if `true`. */
  room?: RoomOf | true;
};

export type Server = {
  url: string;
  port: number;
  d1: D1;
  secrets: Secrets;
  /** Resolves when the demo data is whole: true if this start added it. The server answers before that. */
  demo: Promise<boolean>;
  scheduled: () => Promise<void>;
  /** Loads a new build and new migrations. Port and data stay. */
  reload: () => Promise<void>;
  isFull: () => boolean;
  stop: () => Promise<void>;
  /** Resolves if workerd ends by itself. Then this server no longer answers. */
  lost: Promise<void>;
};

const none: Secrets = { SESSION_SECRETS: '', PASSWORD_PEPPER: '' };

const isLoopback = (host: string) => isThisMachine(isIPv6(host) ? `[${host}]` : host);

/**
 * Serves the built Worker in workerd, as Cloudflare would, with its data in `dataDir`.
 * @throws Refusal if port or folder is in use
 */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { port = 0, host = '127.0.0.1', vars = {} } = options;
  const report = options.log ?? (({ level, message }: LogLine) => print(message, level));
  const dataDir = resolve(options.dataDir);
  const roomOf = options.room === true ? undefined : options.room;
  let disk: Disk | undefined;
  let turn = async () => {};
  const log = (line: LogLine) => {
    report(line);
    if (saysFull(line.message)) disk?.look(true);
  };
  await checkPort(port, host);
  if (options.room) giveReserveBack(dataDir, roomOf);
  const releaseFolder = await lockFolder(dataDir);
  const guard = guardRuntime();
  let dispose: (() => Promise<void>) | undefined;
  let closeDoor: (() => void) | undefined;
  let front: Front | undefined;
  const stop = async () => {
    disk?.stop();
    front?.close();
    closeDoor?.();
    guard.release();
    await dispose?.();
    guard.end();
    releaseFolder();
  };
  try {
    if (options.room) {
      disk = watchDisk(dataDir, () => void turn(), roomOf);
      if (disk.isFull()) report({ level: 'error', message: fullWords(options.dataDir) });
    }
    const openBook = async () => {
      const shared = await runtimeOf(dataDir, vars, log);
      const { Miniflare } = await import('miniflare');
      discardHalfSeeded(dataDir);
      const desk = openDesk(Miniflare, shared, await workerOf(vars, none));
      dispose = desk.dispose;
      await desk.ready();
      guard.renew();
      const state = await readDatabaseState(desk);
      await checkHistory(`The database of ${options.dataDir}`, state, desk);
      const secrets = options.secrets ?? secretsOf(dataDir, { isNew: state.journaled.length === 0 });
      return { shared, Miniflare, desk, secrets };
    };
    // Beside a build, which leaves a core idle. Nothing is migrated for a build that fails, and the port is not open
    // yet, so nobody sees unfinished tables.
    const [{ shared, Miniflare, desk, secrets }] = await Promise.all([openBook(), options.prepare?.()]);
    await migrate(desk.d1);
    await setMailLimits(desk.d1, vars);
    let needsDemo = options.seed === true && !(await hasAccounts(desk.d1));
    if (needsDemo) markHalfSeeded(dataDir);
    guard.release();
    await desk.dispose();

    const isPrivate = isLoopback(host) && !options.trustedProxy;
    const key = randomBytes(32).toString('base64url');
    let open: (url: string) => void = () => undefined;
    const address = new Promise<string>((resolve) => {
      open = resolve;
    });
    const configure = async (at: number) => {
      const worker = await workerOf(vars, secrets, {
        before: options.before,
        dataDir,
        address,
        isFull: disk?.isFull(),
        key,
      });
      const hashing = { pepper: secrets.PASSWORD_PEPPER, cost: options.passwordCost, key };
      return {
        ...shared,
        unsafeProxySharedSecret: key,
        host: '127.0.0.1',
        port: at,
        workers: [...withHashing(worker, hashing), ...(needsDemo ? [deskWorker(key, worker)] : [])],
      };
    };
    const runtime = new Miniflare(await configure(0));
    dispose = () => runtime.dispose();
    const inner = await runtime.ready;
    guard.renew();
    const target = Number(inner.port);
    const origin = publicOrigin(vars.PUBLIC_URL);
    const entrance = await openFront({
      port,
      host,
      target,
      key,
      trusted: options.trustedProxy,
      isNamed: isPrivate ? ownNames(origin) : undefined,
      respond: vars.MAIL_URL ? undefined : mailPages(dataDir, origin),
      onWrite: () => needsDemo && unmarkHalfSeeded(dataDir),
    });
    front = entrance;
    const url = `http://${/^(localhost|0\.0\.0\.0|::)$/.test(host) ? 'localhost' : entrance.address}:${entrance.port}`;
    open(url);
    const restart = async () => {
      // Whoever waits for the demo data is told if it failed. It would break off in a runtime that starts again.
      await Promise.allSettled([server.demo]);
      const goOn = await entrance.hold();
      try {
        guard.release();
        await runtime.setOptions(await configure(target));
        guard.renew();
        server.d1 = await runtime.getD1Database('DB');
      } finally {
        goOn();
      }
    };
    const demo = async () => {
      if (!needsDemo) return false;
      const { fetch } = await runtime.getWorker('desk');
      await addDemo(deskD1(fetch, key), dataDir, secrets, options.say);
      needsDemo = false;
      return true;
    };
    const server: Server = {
      url,
      port: entrance.port,
      d1: await runtime.getD1Database('DB'),
      secrets,
      demo: demo(),
      scheduled: async () => {
        const { outcome } = await (await runtime.getWorker()).scheduled({ cron: '17 * * * *' });
        if (outcome !== 'ok') throw new Error(`The hourly job ended with: ${outcome}`);
      },
      reload: async () => {
        await restart();
        await migrate(server.d1);
      },
      isFull: () => disk?.isFull() === true,
      stop,
      lost: guard.lost,
    };
    closeDoor = await openBackupDoor(dataDir, () => server.d1);
    turn = async () => {
      const isFull = server.isFull();
      const message = isFull ? fullWords(options.dataDir) : `The disk of ${options.dataDir} has room again.`;
      report({ level: isFull ? 'error' : 'info', message });
      await restart().catch((error: unknown) => report({ level: 'error', message: String(error) }));
    };
    return server;
  } catch (error) {
    await stop();
    if (['ERR_ADDRESS_IN_USE', 'EADDRINUSE'].includes(systemCode(error) ?? ''))
      throw portRefusal(port, host, 'EADDRINUSE');
    if (!(error instanceof Refusal) && saysFull(String(error)))
      throw new Refusal(
        `The disk of ${options.dataDir} is full, or that of ${tmpdir()}. Make room there, and start again.`,
      );
    throw error;
  }
}
