import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { password, publishOne } from '../../support/factories';
import { useServer, useWorld } from '../../support/use-server';

/* The commands of the page about the API, run as they stand there. */

const daybook = useServer();
const { karla } = useWorld(daybook, { karla: {} });
const run = promisify(execFile);

let folder: string;
let commands: string[];
const names: Record<string, string> = {};
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'daybook-tour-'));
  await publishOne(karla);
  commands = (await daybook.visitor().get('/api')).$$('pre').map(({ text }) => text);
  Object.assign(names, { USERNAME: karla.username, PASSWORD: password });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Thing = { id: string; key: string; username: string; status: number };
/** Runs a command of the page in a shell, and reads its answer. */
async function answerOf(command = ''): Promise<Thing | Thing[]> {
  const env = { PATH: process.env.PATH, ...names };
  const { stdout } = await run('sh', ['-c', command], { cwd: folder, env });
  return JSON.parse(stdout);
}
const thingOf = async (command?: string) => [await answerOf(command)].flat()[0] as Thing;

test('each command of the tour does what the page says, one after the other', async () => {
  const [login, makeKey, list, book, cancel] = commands;

  expect((await thingOf(login)).username).toBe(karla.username);
  names.KEY = (await thingOf(makeKey)).key;
  names.SLOT = (await thingOf(list)).id;
  names.BOOKING = (await thingOf(book)).id;
  expect(await thingOf(cancel)).toMatchObject({ id: names.BOOKING, status: 2 });
});

test('the tour ends with a webhook', async () => {
  const webhook = commands.at(-1) ?? '';

  const made = await thingOf(webhook);

  expect(webhook).toContain('/api/Account/MakeWebhook');
  expect(made).toHaveProperty('secret');
});
