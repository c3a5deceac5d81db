import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { generate } from 'selfsigned';
import { describe, expect, onTestFinished } from 'vitest';
import { type LogLine, runtimeOf } from '../../../app/local/configuration';
import { claimFolder } from '../../../app/local/folder';
import { Refusal } from '../../../app/local/refusal';
import { runtimes } from '../../bench/runtime-process';
import { registerConsumer } from '../../support/factories';
import { startMailServer } from '../../support/mail-server';
import { testFirst, testRest } from '../../support/matrix';
import { addressOf, refusalOf, stop, useProcesses } from '../../support/use-processes';
import { visitor } from '../../support/visit';

const { start, within } = useProcesses();

describe('a start that cannot work says why in one line', () => {
  testFirst('the port is in use', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    expect(await refusalOf(start({ PORT: String(port) }))).toContain(`Port ${port} on 127.0.0.1 is already in use.`);
    expect(existsSync(within('data'))).toBe(false);
    await new Promise((resolve) => other.close(resolve));
  });

  testFirst.each(['file', 'file/below', '/proc/daybook'])('nothing can be written to DATA_DIR=%s', async (path) => {
    await writeFile(within('file'), 'not a folder');
    const dataDir = path.startsWith('/') ? path : within(path);
    await expect(claimFolder(dataDir)).rejects.toThrow(`the data folder ${dataDir} (`);
    await expect(claimFolder(dataDir)).rejects.toThrow(Refusal);
  });

  testRest('of several at once, over the lock of one that crashed, one has the folder, and keeps it', async () => {
    const lock = within('data/server.lock');
    await mkdir(within('data'));
    await writeFile(lock, `${spawnSync('true').pid} 1`);
    const both = [start(), start()] as const;
    const winner = await Promise.any(both.map((running) => addressOf(running).then(() => running)));
    const loser = both[0] === winner ? both[1] : both[0];
    expect(await refusalOf(loser)).toContain('is in use by another running server');
    expect(await refusalOf(start())).toContain(`is in use by another running server (process ${winner.child.pid})`);
    expect((await visitor(await addressOf(winner)).get('/login')).status).toBe(200);
    await stop(winner);
    expect(existsSync(lock)).toBe(false);
  });
});

testFirst('of what the runtime writes, only that a client went away is left out', async () => {
  const heard: LogLine[] = [];
  const { handleStructuredLogs: hear } = await runtimeOf(within('.'), {}, (line) => heard.push(line));
  const left = 'kj::getCaughtExceptionAsKj() = kj/async-io-unix.c++:186: disconnected: ::write(fd): Broken pipe';
  const lines = [left, `Uncaught Error: ${left}`, left.replace('disconnected', 'failed'), 'Storage is away.'];
  for (const message of lines) hear?.({ timestamp: 0, level: 'error', message });
  expect(heard.map(({ message }) => message)).toEqual(lines.slice(1));
});

testRest('with LOG=on each line of a start, also of one that ends, is JSON, and no home folder is needed', async () => {
  const { stderr } = await start({ LOG: 'on', MAIL_URL: 'mail.example.org', MAIL_FROM: 'book@example.org' }).ended;
  expect(JSON.parse(stderr)).toMatchObject({ level: 'error', message: expect.stringContaining('no scheme') });
  const running = start({ LOG: 'on', HOME: '/dev/null' });
  await running.shows(/is open at http/);
  await stop(running);
  const { stdout, stderr: faults } = await running.ended;
  expect(faults).toBe('');
  for (const line of stdout.trim().split('\n'))
    expect(JSON.parse(line)).toMatchObject({ time: expect.any(String), level: 'info' });
});

testRest('a server whose runtime is killed says so and ends, instead of standing there without an answer', async () => {
  const running = start();
  await addressOf(running);
  for (const runtime of runtimes(running.child.pid)) process.kill(runtime, 'SIGKILL');
  const { code, stderr } = await running.ended;
  expect([code, stderr.includes('workerd, which runs Daybook, has ended unexpectedly')]).toEqual([1, true]);
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
  expect([isEncrypted, login]).toEqual([true, 'me@mail.test:p:w']);
  await stop(running);
});
