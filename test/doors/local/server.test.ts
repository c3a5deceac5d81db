import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type LogLine, runtimeOf } from '../../../app/local/configuration';
import { lockFolder } from '../../../app/local/folder';
import { Refusal } from '../../../app/local/refusal';
import { runtimes } from '../../bench/runtime-process';
import { registerConsumer } from '../../support/factories';
import { startMailServer } from '../../support/mail-server';
import { describeFirst, describeRest, testFirst, testRest } from '../../support/matrix';
import type { Running } from '../../support/process';
import { addressOf, refusalOf, stop, useProcesses, useSharedProcesses } from '../../support/use-processes';
import { visitor } from '../../support/visit';

const { start, within } = useProcesses();

describeFirst('a start at a port that is in use', () => {
  const { start, within } = useSharedProcesses();
  const other = createServer();
  let port: number;
  let refusal: string;

  beforeAll(async () => {
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    ({ port } = other.address() as AddressInfo);
    refusal = await refusalOf(start({ PORT: String(port) }));
  });

  afterAll(() => new Promise((resolve) => other.close(resolve)));

  test('is refused in one line that names the port', () => {
    expect(refusal).toContain(`Port ${port} on 127.0.0.1 is already in use.`);
  });

  test('makes no data folder', () => {
    expect(existsSync(within('data'))).toBe(false);
  });
});

testFirst.each(['file', 'file/below', '/proc/daybook'])(
  'DATA_DIR=%s, where nothing can be written, is refused by its name',
  async (path) => {
    await writeFile(within('file'), 'not a folder');
    const dataDir = path.startsWith('/') ? path : within(path);

    const lock = lockFolder(dataDir);

    await expect(lock).rejects.toThrow(Refusal);
    await expect(lock).rejects.toThrow(`the data folder ${dataDir} (`);
  },
);

describeRest('of two starts at once over the lock of a server that crashed', () => {
  const { start, within } = useSharedProcesses();
  let winner: Running;
  let loser: Running;

  beforeAll(async () => {
    await mkdir(within('data'));
    await writeFile(within('data/server.lock'), `${spawnSync('true').pid} 1`);
    const both = [start(), start()] as const;
    winner = await Promise.any(both.map((running) => addressOf(running).then(() => running)));
    loser = both[0] === winner ? both[1] : both[0];
  });

  test('one is refused, as the other has the folder', async () => {
    expect(await refusalOf(loser)).toContain('is in use by another running server');
  });

  test('the one that has the folder serves', async () => {
    expect((await visitor(await addressOf(winner)).get('/login')).status).toBe(200);
  });

  test('the one that has the folder is named to whoever starts another', async () => {
    expect(await refusalOf(start())).toContain(`is in use by another running server (process ${winner.child.pid})`);
  });
});

describeFirst('of what the runtime writes', () => {
  const clientLeft = 'kj::getCaughtExceptionAsKj() = kj/async-io-unix.c++:186: disconnected: ::write(fd): Broken pipe';

  /** What the log has of an error that the runtime writes. */
  async function loggedOf(message: string): Promise<string[]> {
    const logged: LogLine[] = [];
    const { handleStructuredLogs: write } = await runtimeOf(within('.'), {}, (line) => logged.push(line));
    write?.({ timestamp: 0, level: 'error', message });
    return logged.map((line) => line.message);
  }

  test('that a client went away is not logged', async () => {
    expect(await loggedOf(clientLeft)).toEqual([]);
  });

  test.each([
    ['an error that quotes such a line', `Uncaught Error: ${clientLeft}`],
    ['another fault of a connection', clientLeft.replace('disconnected', 'failed')],
    ['any other error', 'Storage is away.'],
  ])('%s is logged', async (_, message) => {
    expect(await loggedOf(message)).toEqual([message]);
  });
});

testRest('with LOG=on a start that is refused says why in a line of JSON', async () => {
  const { stderr } = await start({ LOG: 'on', MAIL_URL: 'mail.example.org', MAIL_FROM: 'book@example.org' }).ended;

  expect(JSON.parse(stderr)).toMatchObject({ level: 'error', message: expect.stringContaining('no scheme') });
});

describeRest('a server with LOG=on, from its start to its end', () => {
  const { start, within } = useSharedProcesses();
  let printed: Awaited<Running['ended']>;

  beforeAll(async () => {
    const running = start({ LOG: 'on', HOME: '/dev/null' });
    await running.shows(/is open at http/);
    await stop(running);
    printed = await running.ended;
  });

  test('prints each line as JSON', () => {
    for (const line of printed.stdout.trim().split('\n'))
      expect(JSON.parse(line)).toMatchObject({ time: expect.any(String), level: 'info' });
  });

  test('has no fault without a home folder', () => {
    expect(printed.stderr).toBe('');
  });

  test('leaves no lock', () => {
    expect(existsSync(within('data/secrets.json'))).toBe(true);
    expect(existsSync(within('data/server.lock'))).toBe(false);
  });
});

testRest('a server whose runtime is killed says so as it ends', async () => {
  const running = start();
  await addressOf(running);

  for (const runtime of runtimes(running.child.pid)) process.kill(runtime, 'SIGKILL');
  const { code, stderr } = await running.ended;

  expect(code).toBe(1);
  expect(stderr).toContain('workerd, which runs Daybook, has ended unexpectedly');
});

testRest('npm start sends mail to a server with TLS and a login, by MAIL_URL', async () => {
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keySize: 2048,
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] },
    ],
  });
  await writeFile(within('ca.pem'), cert);
  const encrypted = await startMailServer({ secure: true, cert, key, authOptional: false });
  onTestFinished(() => encrypted.stop());
  const running = start({
    NODE_EXTRA_CA_CERTS: within('ca.pem'),
    MAIL_URL: `smtps://me%40mail.test:p%3Aw@localhost:${encrypted.port}`,
    MAIL_FROM: 'book@daybook.test',
  });
  const browser = visitor(await addressOf(running));
  const email = 'rosa@mail.test';

  await registerConsumer({ visitor: () => browser }, { email });

  const { isEncrypted, login } = await encrypted.got(email, /Is this your address/);
  expect(isEncrypted).toBe(true);
  expect(login).toBe('me@mail.test:p:w');
  await stop(running);
});
