import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from './refusal';
import { root } from './root';

const sources = [
  'app',
  'db',
  'public',
  'migrations',
  'package.json',
  'package-lock.json',
  'wrangler.toml',
  'vite.config.ts',
];
/** app/local runs in Node only. */
const isBuilt = (path: string) => path !== 'app/local';

/** The digests of the sources and the results of a build. */
const noteIn = (folder: string) => join(folder, 'dist/contents.sha256');

/** The files below a path, always in the same order. */
function filesBelow(folder: string, path: string): string[] {
  const found = statSync(join(folder, path), { throwIfNoEntry: false });
  if (!found || !isBuilt(path)) return [];
  if (!found.isDirectory()) return [path];
  return readdirSync(join(folder, path))
    .sort()
    .flatMap((name) => filesBelow(folder, `${path}/${name}`));
}

/** A digest, because a checkout or a copy changes the times of files and not their contents. */
function digestOf(folder: string, paths: string[]): string {
  const digest = createHash('sha256');
  for (const path of paths.flatMap((path) => filesBelow(folder, path)))
    digest.update(`${path}\0`).update(readFileSync(join(folder, path)));
  return digest.digest('hex');
}

const digestOfSources = (folder: string) => digestOf(folder, sources);
const digestOfBuild = (folder: string) => digestOf(folder, ['build/client', 'dist/worker.js']);

/** Notes the sources of a folder's build. @param made their digest */
export function noteBuild(folder: string, made = digestOfSources(folder)): void {
  writeFileSync(noteIn(folder), `${made} ${digestOfBuild(folder)}\n`);
}

/** True for a build that was made of the present sources, and that nobody has changed. */
export function isFresh(folder = root): boolean {
  const note = noteIn(folder);
  return existsSync(note) && readFileSync(note, 'utf8') === `${digestOfSources(folder)} ${digestOfBuild(folder)}\n`;
}

/** Builds the product unless its build is fresh; `say` gets a line before. */
export async function buildIfStale(say: (line: string) => void): Promise<void> {
  if (isFresh()) return;
  say('Building Daybook, this takes about ten seconds …');
  const failure = await build();
  if (failure !== undefined) throw new Refusal(`${failure}\nThe build failed; its output is above.`);
}

/** Runs the build. @returns all output of a build that failed, else undefined */
export async function build(): Promise<string | undefined> {
  // Digested before the build: later changes are not in it.
  const made = digestOfSources(root);
  rmSync(noteIn(root), { force: true });
  const failure = await run('npx', 'remix', 'vite:build').then(
    (failed) => failed ?? run('npx', 'wrangler', 'deploy', '--dry-run', '--outdir', 'dist', '--minify'),
  );
  if (failure === undefined) noteBuild(root, made);
  return failure;
}

function run(command: string, ...words: string[]): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    // With vitest's own NODE_ENV, React would be the development build.
    const child = spawn(command, words, {
      cwd: root,
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    child.once('error', reject);
    child.once('close', (code) => resolve(code === 0 ? undefined : output.trim()));
  });
}
