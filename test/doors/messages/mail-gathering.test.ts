import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
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

/** Undoes what a scene has started, the last first. */
type Later = (end: () => Promise<void>) => void;

/** Where a server can start with a folder and a mail server of its own, and the addresses that mail came to. */
async function makeBook(later: Later) {
  const dataDir = await mkdtemp(join(tmpdir(), 'daybook-'));
  later(() => rm(dataDir, { recursive: true, force: true }));
  const mailServer = await startMailServer();
  later(() => mailServer.stop());
  const vars = { RATE_LIMIT: 'off', MAIL_URL: `smtp://localhost:${mailServer.port}`, MAIL_FROM: 'book@daybook.test' };
  const sentTo = () => mailServer.arrived.map(({ to }) => to).sort();
  return { book: { dataDir, vars, passwordCost: { ln: 4, r: 8, p: 1 } }, sentTo };
}
const setEmail = async ({ api }: Person, email: string) =>
  expect((await api('PUT', '/api/Account/SetEmail', { email, password })).status).toBe(200);

describe('a burst of writes', () => {
  const addresses = Array.from('abcdefghijkl', (letter) => `${letter}@mail.test`);
  const ends: (() => Promise<void>)[] = [];
  let sentTo: () => string[];
  /** Times that the outbox was woken, and the milliseconds that the writes took. */
  let woken = 0;
  let took = 0;
  beforeAll(async () => {
    const made = await makeBook((end) => ends.unshift(end));
    sentTo = made.sentTo;
    const log = ({ message }: { message: string }) => {
      if (message === 'woken') woken += 1;
    };
    const server = await startServer({ ...made.book, before, log });
    ends.unshift(() => server.stop());
    const people = await several(12, () => registerConsumer({ visitor: () => visitor(server.url) }));
    await sleep(1000);
    woken = 0;

    const began = Date.now();
    for (const [place, person] of people.entries()) await setEmail(person, addresses[place] as string);
    took = Date.now() - began;
    await vi.waitFor(() => expect(sentTo().length).toBeGreaterThanOrEqual(addresses.length), { timeout: 20_000 });
  });
  afterAll(async () => {
    for (const end of ends) await end();
  });

  test('sends the mail of each', () => {
    expect([...new Set(sentTo())]).toEqual(addresses);
  });

  test('wakes the outbox a few times', () => {
    expect(woken).toBeGreaterThan(0);
    // One for each quarter of a second; an alarm that comes late lets a few more through.
    expect(woken).toBeLessThanOrEqual(2 + took / 100);
  });

  test('sends no mail twice', async () => {
    await sleep(1500);

    expect(sentTo()).toEqual(addresses);
  });
});

test('a kill before the mail has left loses none of it, though nothing is written afterwards', async () => {
  const { book, sentTo } = await makeBook(onTestFinished);
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
