import { existsSync } from 'node:fs';
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { copyProduct } from '../../support/copy';
import { endGroup, fetchNode, runOn, testedNodes } from '../../support/nodes';
import { addressOf } from '../../support/process';
import { visitor } from '../../support/visit';

/** What of the tests depends on Node most: transforms, files, hashing, sockets, and what the local server does with HTTP. */
const chosen = [
  'test/domain/db/migrations.test.ts',
  'test/domain/db/schema.test.ts',
  'test/domain/db/statement.test.ts',
  'test/doors/busy/outside.test.ts',
  'test/doors/http/bodies.test.ts',
  'test/doors/local/front.test.ts',
  'test/doors/local/health.test.ts',
  'test/doors/local/settings.test.ts',
  'test/doors/login/hashing.test.ts',
  'test/doors/messages/mail-service.test.ts',
  'test/pure/http/secrets.test.ts',
  'test/pure/input/texts.test.ts',
  'test/pure/time/clock.test.ts',
];

/** A folder that is removed after the tests that use it. */
const newFolder = async () => realpath(await mkdtemp(join(tmpdir(), 'daybook-')));

test('without the registry, the words say what could not be fetched', async () => {
  const folder = await newFolder();
  onTestFinished(() => rm(folder, { recursive: true }));
  const nobody = { npm_config_registry: 'http://127.0.0.1:9', npm_config_fetch_retries: '0' };

  const fetched = fetchNode('24.0.0', folder, { ...nobody, npm_config_cache: join(folder, 'cache') });

  await expect(fetched).rejects.toThrow(/^Node 24\.0\.0 is not here, and npm could not fetch node\S+@24\.0\.0\. /);
  expect(existsSync(join(folder, '24.0.0/node'))).toBe(false);
});

describe.each(testedNodes)('on Node %s', { timeout: 900_000, retry: 0 }, (version) => {
  let folder = '';
  let node = '';
  const within = (path: string) => join(folder, path);

  /** Runs a command in the copy to its end. @throws Error with its output if it fails */
  const ran = async (settings: Record<string, string>, ...words: [string, ...string[]]) => {
    const running = runOn(node, within('copy'), settings, ...words);
    onTestFinished(() => endGroup(running, 'SIGKILL'));
    const { code, stdout, stderr } = await running.ended;
    if (code !== 0)
      throw new Error(`${words.join(' ')} ended with ${code}:\n${stdout.slice(-4_000)}${stderr.slice(-4_000)}`);
    return { stdout, stderr };
  };

  beforeAll(async () => {
    node = await fetchNode(version);
    folder = await newFolder();
    await copyProduct(within('copy'), 'test', 'vitest.config.ts');
  }, 120_000);

  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('is what runs npm and its scripts', async () => {
    const { stdout } = await ran({}, 'npm', 'version', '--json');

    expect(JSON.parse(stdout).node).toBe(version);
  });

  test('the build warns of nothing, in any of its processes', async () => {
    const warnings = within('warnings');

    const { stderr } = await ran({ NODE_OPTIONS: `--redirect-warnings=${warnings}` }, 'npm', 'run', 'build');

    expect(stderr).toBe('');
    expect(existsSync(warnings) ? await readFile(warnings, 'utf8') : '').toBe('');
    expect(existsSync(within('copy/dist/worker.js'))).toBe(true);
  });

  test('npm start opens the demo book, and warns of nothing until it is stopped', async () => {
    const running = runOn(node, within('copy'), { PORT: '0', DATA_DIR: within('data') }, 'npm', 'start');
    onTestFinished(() => endGroup(running, 'SIGKILL'));
    const reader = visitor(await addressOf(running));
    await running.shows(/Log in with the demo data/);

    const page = await reader.get('/with/atelier.sousa');
    expect(page.status).toBe(200);
    expect(page.words).toContain('Atelier Sousa');

    endGroup(running, 'SIGTERM');

    expect((await running.ended).stderr).toBe('');
  });

  test('the book of that start is backed up, and restored into a new folder', async () => {
    const [file, again] = [within('book.sql'), within('again.sql')];
    const backup = await ran({ DATA_DIR: within('data') }, 'npm', 'run', 'backup', '--', file);
    const restore = await ran({ DATA_DIR: within('restored') }, 'npm', 'run', 'restore', '--', file);
    await ran({ DATA_DIR: within('restored') }, 'npm', 'run', 'backup', '--', again);

    expect([backup.stderr, restore.stderr]).toEqual(['', '']);
    const book = await readFile(file, 'utf8');
    expect(book).toContain('atelier.sousa');
    expect(await readFile(again, 'utf8')).toBe(book);
  });

  test('the chosen tests pass', async () => {
    const projects = ['pure', 'domain', 'doors', 'matrix'].map((name) => `--project=${name}`);
    const report = ['--reporter=dot', '--reporter=json', `--outputFile=${within('report.json')}`];

    await ran({}, 'npx', 'vitest', 'run', ...projects, ...report, ...chosen);

    const { testResults } = JSON.parse(await readFile(within('report.json'), 'utf8')) as {
      testResults: { name: string }[];
    };
    const files = new Set(testResults.map(({ name }) => relative(within('copy'), name)));
    expect([...files].sort()).toEqual(chosen);
  });
});
