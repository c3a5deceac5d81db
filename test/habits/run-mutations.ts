import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { noteBuild } from '../../app/local/build';
import { root } from '../../app/local/root';
import { Chance } from './chance';
import { lineOf, type Mutation, mutationsOf, withMutation } from './mutations';
import { say, told } from './tool';

/*
 * `npm run mutations [-- how many] [seed] [part of a path]`: puts small faults into the rules, one at a time and in a copy
 * of the checkout, and runs the tests that could see each: first those of the same noun, for all faults, and then all tests
 * for what those did not see. What survives needs a test, or is code that nothing needs.
 */

const copy = join(root, '.mutations');
/** In milliseconds. A fault may make a loop endless, and all tests take minutes. */
const patience = 30 * 60_000;

type Ended = { isWell: boolean; output: string };

/** Runs a program of Node in the copy. Tests leave out what takes long and sees little, such as histories. */
function run(...args: string[]): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: copy,
      env: { ...process.env, QUICK: 'on' },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    // It has children of its own.
    const timer = setTimeout(() => process.kill(-Number(child.pid), 'SIGKILL'), patience);
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ isWell: code === 0, output });
    });
  });
}

/** Runs tests until one fails twice: a busy machine can be late once. The build of the copy counts as fresh, whatever has changed. */
function test(projects: string[], folders: string[] = []): Promise<Ended> {
  noteBuild(copy);
  const chosen = projects.flatMap((project) => ['--project', project]);
  return run('node_modules/vitest/vitest.mjs', 'run', '--bail=1', '--retry=1', ...chosen, ...folders);
}

const build = () => run('--import', 'tsx', 'app/local/build-now.ts', 'quick');

/** The folder of tests of a noun that has none of its own name. */
const testedWith: Record<string, string> = {
  accounts: 'login',
  'busy-times': 'busy',
  invitations: 'parties',
  notices: 'messages',
  refusals: 'bookings',
  standing: 'series',
  'standing-times': 'series',
};

/** The tests of the same noun, which see most faults. */
function nearest({ file }: Mutation, project: string): string[] {
  const noun = /^(?:app\/domain|db\/behaviour)\/([\w-]+)(?:\/|\.sql$)/.exec(file)?.[1];
  const folder = noun && `test/${project}/${testedWith[noun] ?? noun}`;
  return folder && existsSync(join(root, folder)) ? [folder] : [];
}

/**
 * Writes the fault, and what `npm run structure` makes of it: triggers use rules of the domain too. @returns whether that
 * could be done
 */
async function put(mutation: Mutation): Promise<boolean> {
  await writeFile(join(copy, mutation.file), withMutation(textOf(mutation.file), mutation));
  return (await run('--import', 'tsx', 'app/local/structure.ts')).isWell;
}

/** Runs the tests of the same noun, the cheapest first. @returns what saw the fault; undefined if none did */
async function nearObserverOf(mutation: Mutation): Promise<string | undefined> {
  if (!(await put(mutation))) return 'schema';
  const inWorkerd = ['pure', 'domain'].flatMap((project) => nearest(mutation, project));
  if (inWorkerd.length > 0 && !(await test(['pure', 'domain'], inWorkerd)).isWell) return inWorkerd.join(', ');
  if (!(await build()).isWell) return 'build';
  const atDoors = nearest(mutation, 'doors');
  return atDoors.length > 0 && !(await test(['doors'], atDoors)).isWell ? atDoors.join(', ') : undefined;
}

/** Runs all tests. @returns the file that saw the fault; undefined if it survived */
async function observerOf(mutation: Mutation): Promise<string | undefined> {
  await put(mutation);
  await build();
  const { isWell, output } = await test(['pure', 'domain', 'doors']);
  return isWell ? undefined : (/FAIL .*?(test\/\S+)/.exec(output)?.[1] ?? 'all tests');
}

/** The lines that name failed tests, with what went wrong. */
const failuresIn = (output: string) =>
  output
    .split('\n')
    .filter((line) => /FAIL|Error|❯ test\//.test(line))
    .join('\n');

const { many, seed, rest } = told('Faults', 150);
const [part = ''] = rest;
const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
const files = listed.split('\n').filter((file) => file !== '' && existsSync(join(root, file)));
const texts = new Map<string, string>();
for (const file of files.filter((file) => /^(app\/domain\/.*\.ts|db\/(?!structure).*\.(ts|sql))$/.test(file)))
  if (file.includes(part)) texts.set(file, await readFile(join(root, file), 'utf8'));

const textOf = (file: string) => texts.get(file) ?? '';
const possible = [...texts].flatMap(([file, text]) => mutationsOf(file, text));
say(`${possible.length} faults are possible in ${texts.size} files; ${many} are made, with the seed ${seed}.`);
const chance = new Chance(seed);

await rm(copy, { recursive: true, force: true });
for (const file of files) {
  await mkdir(dirname(join(copy, file)), { recursive: true });
  await cp(join(root, file), join(copy, file));
}
await symlink('../node_modules', join(copy, 'node_modules'));
const built = await build();
const before = built.isWell ? await test(['pure', 'domain', 'doors']) : built;
if (!before.isWell) throw new Error(`The tests fail without a fault:\n${failuresIn(before.output)}`);

/** What `npm run structure` writes. */
const madeOfBehaviour = files.filter((file) => /^(migrations\/.*|db\/structure)\.sql$/.test(file));
// The tests of the same noun run before a fault is built, and must not meet the build of the fault before.
const [builds, kept] = [['build', 'dist'], join(copy, 'build-without-a-fault')];
const copyBuilds = async (from: string, to: string) => {
  for (const folder of builds) {
    await rm(join(to, folder), { recursive: true, force: true });
    await cp(join(from, folder), join(to, folder), { recursive: true });
  }
};
await copyBuilds(copy, kept);

/** Looks for what sees a fault, and takes it out. */
async function lookFor(
  mutation: Mutation,
  number: string,
  look: (mutation: Mutation) => Promise<string | undefined>,
): Promise<boolean> {
  const began = Date.now();
  const observer = await look(mutation);
  for (const file of [mutation.file, ...madeOfBehaviour]) await cp(join(root, file), join(copy, file));
  await copyBuilds(kept, copy);
  const seconds = Math.round((Date.now() - began) / 1000);
  say(
    `${number} ${observer ? `seen by ${observer}` : 'NOT SEEN'} in ${seconds} s: ${lineOf(mutation, textOf(mutation.file))}`,
  );
  return observer !== undefined;
}

const notSeenNearBy: Mutation[] = [];
for (let made = 1; made <= Math.min(many, possible.length); made += 1) {
  const [mutation] = possible.splice(chance.below(possible.length), 1) as [Mutation];
  if (!(await lookFor(mutation, `${made}.`, nearObserverOf))) notSeenNearBy.push(mutation);
}
say(`${notSeenNearBy.length} were not seen by the tests of their noun. All tests look for them now.`);

const survivors: Mutation[] = [];
for (const [index, mutation] of notSeenNearBy.entries())
  if (!(await lookFor(mutation, `${index + 1} of ${notSeenNearBy.length}.`, observerOf))) survivors.push(mutation);
say(`${survivors.length} survived.`);
for (const mutation of survivors) say(lineOf(mutation, textOf(mutation.file)));
await rm(copy, { recursive: true });
