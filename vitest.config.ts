import { readdirSync, readFileSync } from 'node:fs';
import { cloudflareTest } from '@cloudflare/vitest-pool-workers';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { messageMacros } from './app/local/macros';
import { batchOf, journal, migrationsAfter } from './app/local/migrations';
import { LongestFirst } from './test/support/longest-first';

// Wrangler reports each file it reads otherwise.
process.env.WRANGLER_LOG ??= 'error';

const report = process.env.TEST_REPORT;
// `npm run test:quick`: while somebody works. It takes the build of a start, and leaves out browsers, random requests and
// histories, weights and whole servers.
const isQuick = process.env.QUICK === 'on';
const notQuick = [
  'domain/**/*-history',
  'domain/http/deployed',
  'doors/http/fuzz',
  'doors/http/cost',
  'doors/local/*',
].map((name) => `test/${name}.test.ts`);
// How many random cases a property with a slow reference is held to; .ci/run has more.
const cases = process.env.CASES ?? '250';

/** What the local server would apply to a new database. */
const migrations = async () => {
  const files = migrationsAfter([]).map(async (file) => ({ name: file.name, statements: await batchOf(file) }));
  return [{ name: 'journal', statements: [journal] }, ...(await Promise.all(files))];
};

// On a busy machine a Chromium or a server sometimes stops answering. A check by hand has no second try, so that a fault is seen at
// once. .ci/run gives two more, and names each test that needed one.
const retries = Number(process.env.RETRIES ?? 0);

const inBrowsers: TestProjectInlineConfiguration['test'] = {
  setupFiles: ['test/support/console.ts'],
  globalSetup: ['test/support/build-setup.ts', 'test/support/browser-setup.ts'],
  // Each worker has a Chromium of its own, which takes more than half a core.
  maxWorkers: 2,
  isolate: false,
  testTimeout: 60_000,
  hookTimeout: 120_000,
  retry: retries,
  sequence: { groupOrder: 2 },
};

/** What takes longest and breaks least: in the matrix alone. */
const onlyInMatrix = [
  'local/bench',
  'local/data-folder',
  'local/full-disk',
  'local/kill',
  'local/nodes',
  'local/seventh-language',
  'login/hashing',
  'messages/mail-gathering',
].map((name) => `test/doors/${name}.test.ts`);

/** The files that do one part in `npm test` and the rest in the matrix: see test/support/matrix.ts. */
const inMatrix = ['test/doors', 'test/browser']
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`))
  .filter((file) => file.endsWith('.test.ts') && /(support\/matrix|\.\/journeys)'/.test(readFileSync(file, 'utf8')));

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    projects: [
      {
        // What touches no table: in workerd, without a build, a book or the migrations.
        plugins: [
          messageMacros(),
          cloudflareTest({
            miniflare: {
              compatibilityDate: '2026-04-24',
              compatibilityFlags: ['nodejs_compat'],
              bindings: { CASES: cases },
            },
          }),
        ],
        test: {
          name: 'pure',
          include: ['test/pure/**/*.test.{ts,tsx}'],
          setupFiles: ['test/support/console.ts'],
          maxWorkers: 2,
          isolate: false,
          testTimeout: 30_000,
        },
      },
      {
        // The rules and the tables: in workerd, on a D1 that each file finds empty.
        plugins: [
          messageMacros(),
          cloudflareTest(async () => ({
            main: './app/worker.ts',
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              cf: {},
              // Beside the book of the product: one that a test migrates by itself.
              d1Databases: { EMPTY: 'empty' },
              bindings: {
                SESSION_SECRETS: 'test-secret',
                PASSWORD_PEPPER: 'test-pepper',
                TIMING: 'on',
                CASES: cases,
                // How many steps a random history of the tables takes, and the seed that repeats one.
                STEPS: process.env.STEPS ?? '600',
                SEED: process.env.SEED ?? '',
                TEST_MIGRATIONS: await migrations(),
                LOG: 'off',
              },
            },
          })),
        ],
        test: {
          name: 'domain',
          include: ['test/domain/**/*.test.{ts,tsx}'],
          exclude: isQuick ? notQuick : [],
          globalSetup: ['test/support/build-setup.ts'],
          setupFiles: ['test/support/domain-setup.ts', 'test/support/console.ts'],
          maxWorkers: 2,
          isolate: false,
          testTimeout: 30_000,
          hookTimeout: 120_000,
          deps: { optimizer: { ssr: { enabled: true, include: ['@remix-run/cloudflare'] } } },
        },
      },
      {
        // The built Worker over HTTP, as a browser without scripts and a program see it.
        plugins: [messageMacros()],
        test: {
          name: 'doors',
          include: ['test/doors/**/*.test.ts'],
          exclude: [...onlyInMatrix, ...(isQuick ? notQuick : [])],
          globalSetup: ['test/support/build-setup.ts'],
          setupFiles: ['test/support/console.ts'],
          // Each has the usual servers for all its files (servers.ts). What starts one takes seconds to import.
          maxWorkers: 2,
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 120_000,
          retry: retries,
          sequence: { groupOrder: 1 },
        },
      },
      {
        // The built Worker in a real Chromium.
        plugins: [messageMacros()],
        test: { name: 'browser', include: ['test/browser/**/*.test.ts'], ...inBrowsers },
      },
      {
        // What `npm test` leaves out, for `npm run test:matrix`.
        plugins: [messageMacros()],
        test: { name: 'matrix', include: [...inMatrix, ...onlyInMatrix], env: { MATRIX: 'rest' }, ...inBrowsers },
      },
      {
        // What the sources promise about themselves.
        plugins: [messageMacros()],
        test: {
          name: 'house',
          include: ['test/documents.test.ts', 'test/house.test.ts', 'test/security.test.ts', 'test/words.test.ts'],
          globalSetup: ['test/support/build-setup.ts'],
          setupFiles: ['test/support/console.ts'],
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
