import { execFileSync } from 'node:child_process';
import { copyFile, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { root } from '../../../app/local/root';
import { copyProduct } from '../../support/copy';
import { describeRest } from '../../support/matrix';
import { endGroup, runOn } from '../../support/nodes';
import { visitor } from '../../support/visit';

/* The commands of README.md and OPERATIONS.md, read out of them, and run in a copy of the product as they stand there, or shorter. */

const pages = ['README.md', 'OPERATIONS.md'];
const node = dirname(process.execPath);
const oneFile = 'test/pure/time/clock.test.ts';

/** What takes minutes or hours runs with these words in place of its own. The others that run do so as they are written. */
const shorter: Record<string, string> = {
  'npx vitest run --project pure': `npx vitest run --project pure ${oneFile}`,
  'npm run test:quick': `npm run test:quick -- ${oneFile}`,
  'npm test': `npm test -- ${oneFile}`,
  'npm run test:matrix': 'npm run test:matrix -- test/doors/login/hashing.test.ts',
  'npm run check': `npm run check -- ${oneFile}`,
  'npm run bench': 'npm run bench -- --short',
  'npm run fuzz -- 20000': 'npm run fuzz -- 30',
  // It ends with 1 where a calendar took longer than it may, which says nothing of a busy machine.
  'npm run fuzz -- calendars 500': 'npm run fuzz -- calendars 5 || test $? = 1',
  'npm run kill -- 30': 'npm run kill -- 1',
  'npm run history -- 100000': 'npm run history -- 30',
  'npm run mutations -- 150': 'npm run mutations -- 1 7 domain/time',
  'npm run races -- 1000': 'npm run races -- 1',
};
const served = ['npm start', 'npm run dev'];
const raceAtUrl = 'npm run races -- --against URL';
const [install, seed] = ['npm ci', 'npm run seed'];
const asWritten = ['npm run fix', 'npm run pictures', 'npm run words', 'npm run structure'];
const backups = ['npm run backup -- book.sql', 'npm run backup -- before.sql', 'npm run backup -- daybook.sql'];
const restores = ['npm run restore -- book.sql', 'DATA_DIR=.data-restored npm run restore -- daybook.sql'];

/** What only somebody with an account at Cloudflare can run, or who may change the machine. */
const isOfAccount = (command: string) => /\bwrangler\b|npm run deploy|--remote/.test(command);
const isOfMachine = (command: string) => /^(useradd|git|systemctl|docker) /.test(command);

async function commandsOf(page: string): Promise<string[]> {
  const text = await readFile(join(root, page), 'utf8');
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```/gms)].map(([, lines = '']) => lines.replaceAll(/\\\n\s*/g, ''));
  const lines = blocks.flatMap((block) => block.split('\n').map((line) => line.replace(/\s+#.*/, '').trim()));
  const rows = [...text.matchAll(/^\| `(np[mx] [^`]+)` \|/gm)].map(([, command = '']) => command);
  return [...lines, ...rows].filter(Boolean);
}

test('each command of these pages is run here, or is for an account or a machine', async () => {
  const named = new Set((await Promise.all(pages.map(commandsOf))).flat());
  const run = [...Object.keys(shorter), ...served, raceAtUrl, install, seed, ...asWritten, ...backups, ...restores];

  expect([...named].filter((command) => !isOfAccount(command) && !isOfMachine(command)).sort()).toEqual(run.sort());
});

describeRest('in a copy of the product', { timeout: 900_000, retry: 0 }, () => {
  let folder = '';
  const within = (name: string) => join(folder, name);

  /** Runs a command line to its end. @throws Error with its output if it fails */
  async function ran(line: string, settings: Record<string, string> = {}, at = within('copy')): Promise<string> {
    const running = runOn(node, at, settings, 'sh', '-c', line);
    onTestFinished(() => endGroup(running, 'SIGKILL'));
    const { code, stdout, stderr } = await running.ended;
    if (code !== 0) throw new Error(`${line} ended with ${code}:\n${stdout.slice(-4_000)}${stderr.slice(-4_000)}`);
    return stdout;
  }

  /** Serves by a command, until the test is over. */
  async function serve(line: string, dataDir: string): Promise<string> {
    const running = runOn(node, within('copy'), { PORT: '0', DATA_DIR: dataDir, RATE_LIMIT: 'off' }, 'sh', '-c', line);
    onTestFinished(() => endGroup(running, 'SIGKILL'));
    const told = await running.shows(/open at http:.*Log in with the demo data/s);
    return /open at (http:\S+)/.exec(told)?.[1] ?? '';
  }

  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'daybook-')));
    await copyProduct(within('copy'), 'test', 'vitest.config.ts', 'biome.json', '.gitignore', 'docs', ...pages);
    // Some commands say which commit they ran on, or copy what is in the repository.
    const git = (...words: string[]) => execFileSync('git', words, { cwd: within('copy') });
    git('init', '-q');
    git('add', '-A');
    git('-c', 'user.name=Test', '-c', 'user.email=test@mail.test', 'commit', '-qm', 'Copy');
  }, 120_000);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  test(install, async () => {
    const empty = await realpath(await mkdtemp(join(folder, 'packages-')));
    for (const name of ['package.json', 'package-lock.json']) await copyFile(join(root, name), join(empty, name));

    await ran(`${install} --prefer-offline`, {}, empty);

    expect(JSON.parse(await ran('npm ls --json --depth=0', {}, empty)).dependencies).toHaveProperty('react');
  });

  test.each(served)('%s', async (command) => {
    const address = await serve(command, within(command.replaceAll(' ', '-')));

    expect((await visitor(address).get('/with/atelier.sousa')).words).toContain('Atelier Sousa');
  });

  test(raceAtUrl, async () => {
    const address = await serve('npm start', within('raced'));

    const told = await ran(raceAtUrl.replace('URL', `${address}/with/atelier.sousa`));

    expect(told).toContain('1 of 50 at once were told that they have it, 49 that it is gone.');
  });

  test('the book is seeded, backed up and restored', async () => {
    const settings = { DATA_DIR: within('seeded') };
    await ran(seed, settings);
    for (const line of backups) await ran(line, settings);
    for (const [place, line] of restores.entries()) await ran(line, { DATA_DIR: within(`restored-${place}`) });

    const book = await readFile(within('copy/book.sql'), 'utf8');
    expect(book).toContain('atelier.sousa');
    expect(await readFile(within('copy/daybook.sql'), 'utf8')).toBe(book);
  });

  test.each([...Object.entries(shorter), ...asWritten.map((command) => [command, command] as const)])(
    '%s',
    async (_, line) => {
      await ran(line);
    },
  );
});
