import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { isFresh, noteBuild } from '../../../app/local/build';
import { copyProduct } from '../../support/copy';
import { testFirst, testRest } from '../../support/matrix';
import { runIn } from '../../support/process';
import { addressOf, useProcesses } from '../../support/use-processes';
import { visitor } from '../../support/visit';

const { within } = useProcesses();

/** Writes into a file that is there already, or not, and leaves it as old as a copy or a checkout may make it. */
async function write(path: string, text: string): Promise<void> {
  await writeFile(path, text);
  await utimes(path, 0, 0);
}

/** A folder with sources and what was built of them. */
async function built(): Promise<(name: string) => string> {
  const at = (name: string) => within(join('copy', name));
  for (const folder of ['app/local', 'public', 'build/client', 'dist']) await mkdir(at(folder), { recursive: true });
  const sources = ['app/root.tsx', 'app/local/start.ts', 'public/icon.svg', 'wrangler.toml'];
  for (const name of [...sources, 'dist/worker.js', 'build/client/a.js']) await write(at(name), name);
  noteBuild(at('.'));
  return at;
}

testFirst('a build is fresh until a source or a built file says something else, however old the file is', async () => {
  const at = await built();
  expect(isFresh(at('.'))).toBe(true);
  const changed = ['app/root.tsx', 'public/icon.svg', 'wrangler.toml', 'dist/worker.js', 'build/client/a.js'];
  for (const name of [...changed, 'app/new.tsx', 'package.json']) {
    await write(at(name), 'other');
    expect([name, isFresh(at('.'))]).toEqual([name, false]);
    noteBuild(at('.'));
  }
  // The same contents again, and what runs in Node alone.
  await writeFile(at('wrangler.toml'), 'other');
  await write(at('app/local/start.ts'), 'other');
  expect(isFresh(at('.'))).toBe(true);
  // The sources changed while it was made, or it has no note.
  noteBuild(at('.'), { sources: 'the digest of before' });
  expect([isFresh(at('.')), isFresh(within('nowhere'))]).toEqual([false, false]);
});

testRest('a build that is not fresh is made anew by npm start, and served', { timeout: 300_000 }, async () => {
  const copy = within('copy');
  await copyProduct(copy, 'build', 'dist');
  expect(isFresh(copy)).toBe(true);

  const screen = join(copy, 'app/routes/account/login.tsx');
  const text = await readFile(screen, 'utf8');
  await write(screen, text.replaceAll('Log in', 'Come in'));
  const running = runIn(copy, 'start', { PORT: '0', DATA_DIR: within('data'), SEED: 'off' });
  onTestFinished(() => void running.child.kill('SIGKILL'));
  const page = await visitor(await addressOf(running)).get('/login');
  expect((await running.shows(/open/)).startsWith('Building Daybook')).toBe(true);
  expect(page.words).toContain('Come in');
});
