import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type LogLine, runtimeOf } from '../support/configuration';
import { type Running, run } from '../support/process';
import { root } from '../support/root';
import { type Visitor, visitor } from '../support/visit';

let folder: string;
let started: Running[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'daybook-'));
  started = [];
});

afterEach(async () => {
  for (const { child } of started) child.kill('SIGKILL');
  await Promise.all(started.map(({ ended }) => ended));
  await rm(folder, { recursive: true, force: true });
});

/** Starts the server as `npm start` does, at any free port, without demo data. */
function start(settings: Record<string, string> = {}): Running {
  const running = run('start', { PORT: '0', DATA_DIR: join(folder, 'data'), SEED: 'off', ...settings });
  started.push(running);
  return running;
}

async function addressOf(running: Running): Promise<string> {
  const [, address] = /open at (http:\S+)/.exec(await running.shows(/open at http:\S+\n/)) ?? [];
  if (!address) throw new Error('No address was printed.');
  return address;
}

async function opened(): Promise<Running> {
  const running = start();
  await addressOf(running);
  return running;
}

async function stop(running: Running): Promise<void> {
  running.child.kill('SIGTERM');
  expect((await running.ended).code).toBe(0);
}

/** What a start that fails prints: one line on stderr, nothing else. */
async function refusalOf(running: Running): Promise<string> {
  const { code, stdout, stderr } = await running.ended;
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^.+\n$/);
  return stderr;
}

const nora = { displayName: 'Nora Quist', username: 'nora.quist', password: 'Correct1horse' };

async function register(reader: Visitor): Promise<void> {
  const page = await (await reader.visit('/register')).submit('Register', nora);
  expect(page.path).toBe('/profile');
}

describe('a start that cannot work says why in one line', () => {
  test('the port is in use', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    expect(await refusalOf(start({ PORT: String(port) }))).toContain(`Port ${port} on 127.0.0.1 is already in use.`);
    expect(existsSync(join(folder, 'data'))).toBe(false);
    await new Promise((resolve) => other.close(resolve));
  });

  test.each(['eighty', '-1', '70000', '80.5'])('PORT=%s is not a port', async (port) => {
    expect(await refusalOf(start({ PORT: port }))).toContain(`PORT must be a number from 0 to 65535, not "${port}".`);
  });

  test.each(['file', 'file/below', '/proc/daybook'])('nothing can be written to DATA_DIR=%s', async (path) => {
    await writeFile(join(folder, 'file'), 'not a folder');
    const dataDir = path.startsWith('/') ? path : join(folder, path);
    expect(await refusalOf(start({ DATA_DIR: dataDir }))).toContain(`Cannot write to the data folder ${dataDir} (`);
  });

  test('another running server has the data folder', async () => {
    const first = start();
    const address = await addressOf(first);
    const line = await refusalOf(start());
    expect(line).toContain(`is in use by another running server (process ${first.child.pid})`);
    expect((await visitor(address).get('/login')).status).toBe(200);
  });

  test('of two that come at once, over the lock of one that crashed, one is refused', async () => {
    const { pid } = spawnSync('true');
    const data = join(folder, 'data');
    await stop(await opened());
    await writeFile(join(data, 'server.lock'), `${pid} 1`);
    const both = [start(), start()];
    const winner = await Promise.any(both.map(async (running) => ({ running, address: await addressOf(running) })));
    const [loser] = both.filter((running) => running !== winner.running);
    if (!loser) throw new Error('Both are the winner.');
    expect(await refusalOf(loser)).toContain('is in use by another running server');
    await stop(winner.running);
    expect(existsSync(join(data, 'server.lock'))).toBe(false);
  });
});

describe('the data folder', () => {
  test('keeps accounts and logins over a restart, and over a crash at the same port', async () => {
    const first = start();
    const reader = visitor(await addressOf(first));
    await register(reader);
    await stop(first);

    const second = start({ PORT: new URL(reader.url).port });
    expect(await addressOf(second)).toBe(reader.url);
    expect((await reader.get('/profile')).words).toContain(nora.displayName);
    second.child.kill('SIGKILL');
    await second.ended;

    const third = start({ PORT: new URL(reader.url).port });
    expect(await addressOf(third)).toBe(reader.url);
    const { username, password } = nora;
    const page = await (await visitor(reader.url).visit('/login')).submit('Log in', { username, password });
    expect(page.words).toContain(nora.displayName);
  });

  test('keeps its secrets in a file that only its owner reads', async () => {
    await stop(await opened());
    const path = join(folder, 'data/secrets.json');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const secrets = JSON.parse(await readFile(path, 'utf8'));
    expect(secrets).toEqual({
      SESSION_SECRETS: expect.stringMatching(/^[\w-]{43}$/),
      PASSWORD_PEPPER: expect.stringMatching(/^[\w-]{43}$/),
    });
    await writeFile(path, '{"SESSION_SECRETS":');
    expect(await refusalOf(start())).toContain('secrets.json is damaged');
  });

  test('stays empty with SEED=off, and is seeded once, with logins that are printed and work', {
    timeout: 120_000,
  }, async () => {
    const first = await opened();
    await stop(first);
    expect((await first.ended).stdout).not.toContain('demo');
    const seed = () => run('seed', { DATA_DIR: join(folder, 'data') });
    const broken = seed();
    started.push(broken);
    await broken.shows(/Making the demo data/);
    broken.child.kill('SIGKILL');
    await broken.ended;
    expect(await seed().ended).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('Log in with') });
    expect(await seed().ended).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^.*has accounts.*\n$/),
    });

    const second = start({ SEED: '' });
    const reader = visitor(await addressOf(second));
    const [, username = '', password = ''] = /^ {2}(\S+) +(\S+) +/m.exec(await second.shows(/Consumer: .+\n/)) ?? [];
    const page = await (await reader.visit('/login')).submit('Log in', { username, password });
    expect(page.path).not.toContain('/login');
  });
});

test('a deployment imports each migration once, as a file, and wrangler finds it noted', {
  timeout: 120_000,
}, async () => {
  const place = ['--local', '--persist-to', folder];
  const migrate = () => run('migrate', {}, ...place).ended;
  expect(await migrate()).toMatchObject({ code: 0, stdout: '0001_first_schema.sql is applied.\n' });
  expect(await migrate()).toMatchObject({ code: 0, stdout: '' });
  const wrangler = join(root, 'node_modules/wrangler/bin/wrangler.js');
  const env = { ...process.env, WRANGLER_LOG: 'log' };
  const listed = [wrangler, 'd1', 'migrations', 'list', 'DB', ...place];
  const list = spawnSync(process.execPath, listed, { encoding: 'utf8', env });
  expect(list.stdout).toContain('No migrations to apply');
});

test('of what the runtime writes, only that a client went away is left out', async () => {
  const heard: LogLine[] = [];
  const { handleStructuredLogs: hear } = await runtimeOf(folder, {}, (line) => heard.push(line));
  const left = 'kj::getCaughtExceptionAsKj() = kj/async-io-unix.c++:186: disconnected: ::write(fd): Broken pipe';
  const lines = [left, `Uncaught Error: ${left}`, left.replace('disconnected', 'failed'), 'Storage is away.'];
  for (const message of lines) hear?.({ timestamp: 0, level: 'error', message });
  expect(heard.map(({ message }) => message)).toEqual(lines.slice(1));
});
