import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { startServer } from '../../../app/local/server';
import { type Person, password, registerConsumer, several } from '../../support/factories';
import { startMailServer } from '../../support/mail-server';
import { run } from '../../support/process';
import { visitor } from '../../support/visit';

/* Mail of writes that follow each other waits a moment and leaves together; none of it is lost. */

/** Stands before the built Worker and prints each time that the outbox is woken. */
const before = `import worker from './worker.js';
export * from './worker.js';
export default {
  ...worker,
  fetch(request, env, context) {
    const { OUTBOX } = env;
    const get = (id) => ({ wake: (...given) => (console.log('woken'), OUTBOX.get(id).wake(...given)) });
    return worker.fetch(request, { ...env, OUTBOX: { idFromName: (name) => OUTBOX.idFromName(name), get } }, context);
  },
};`;

/** A server with a folder and a mail server of its own, and the addresses that mail came to. */
async function makeBook() {
  const dataDir = await mkdtemp(join(tmpdir(), 'daybook-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const mailServer = await startMailServer();
  onTestFinished(() => mailServer.stop());
  const vars = { RATE_LIMIT: 'off', MAIL_URL: `smtp://localhost:${mailServer.port}`, MAIL_FROM: 'book@daybook.test' };
  const sentTo = () => mailServer.arrived.map(({ to }) => to).sort();
  return { book: { dataDir, vars, passwordCost: { ln: 4, r: 8, p: 1 } }, sentTo };
}
const setEmail = async ({ api }: Person, email: string) =>
  expect((await api('PUT', '/api/Account/SetEmail', { email, password })).status).toBe(200);

test('a burst of writes wakes the outbox a few times, and each of their mails leaves once', async () => {
  const { book, sentTo } = await makeBook();
  let woken = 0;
  const log = ({ message }: { message: string }) => {
    if (message === 'woken') woken += 1;
  };
  const server = await startServer({ ...book, before, log });
  onTestFinished(() => server.stop());
  const people = await several(12, () => registerConsumer({ visitor: () => visitor(server.url) }));
  await sleep(1000);
  woken = 0;
  const began = Date.now();
  const addresses = Array.from('abcdefghijkl', (letter) => `${letter}@mail.test`);
  for (const [place, person] of people.entries()) await setEmail(person, addresses[place] as string);
  const took = Date.now() - began;
  await expect.poll(sentTo, { timeout: 20_000 }).toEqual(addresses);
  expect(woken).toBeGreaterThan(0);
  // One for each quarter of a second; an alarm that comes late lets a few more through.
  expect(woken).toBeLessThanOrEqual(2 + took / 100);
  await sleep(1500);
  expect(sentTo()).toEqual(addresses);
});

test('a kill before the mail has left loses none of it, though nothing is written afterwards', async () => {
  const { book, sentTo } = await makeBook();
  const running = run('start', { ...book.vars, PORT: '0', DATA_DIR: book.dataDir, SEED: 'off' });
  onTestFinished(() => void running.child.kill('SIGKILL'));
  const [, url = ''] = /open at (http:\S+)/.exec(await running.shows(/open at http:\S+\n/)) ?? [];
  await setEmail(await registerConsumer({ visitor: () => visitor(url) }), 'maya@mail.test');
  running.child.kill('SIGKILL');
  await running.ended;
  expect(sentTo()).toEqual([]);
  // Without the hourly job: the alarm itself has outlived the kill.
  const server = await startServer({ ...book, log: () => {} });
  onTestFinished(() => server.stop());
  await expect.poll(sentTo, { timeout: 20_000 }).toEqual(['maya@mail.test']);
});
