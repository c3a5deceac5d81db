import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { version } from '../../package.json';
import { Refusal } from './refusal';
import { root } from './root';

const sources = [
  'app',
  'app/local/build-app.ts',
  'db',
  'public',
  'migrations',
  'package.json',
  'package-lock.json',
  'wrangler.toml',
  'vite.config.ts',
];
const isBuilt = (path: string) => path !== 'app/local';

// The file with digests of the sources and of the build.
const noteIn = (folder: string) => join(folder, 'dist/contents.sha256');

// Lists files in an order that never changes.
function filesBelow(folder: string, path: string): string[] {
  const stats = statSync(join(folder, path), { throwIfNoEntry: false });
  if (!stats || !isBuilt(path)) return [];
  if (!stats.isDirectory()) return [path];
  return readdirSync(join(folder, path))
    .sort()
    .flatMap((name) => filesBelow(folder, `${path}/${name}`));
}

// A digest of contents, because a checkout or a copy changes the times of files.
function digestOf(folder: string, paths: string[]): string {
  const digest = createHash('sha256');
  for (const path of paths.flatMap((path) => filesBelow(folder, path)))
    digest.update(`${path}\0`).update(readFileSync(join(folder, path)));
  return digest.digest('hex');
}

const digestOfSources = (folder: string) => digestOf(folder, sources);
const digestOfBuild = (folder: string) => digestOf(folder, ['build/client', 'dist/worker.js']);

/** For this machine alone, in half the time; or what is deployed, tested and measured. */
type Mode = 'quick' | 'production';

/** @param sources their digest */
export function noteBuild(
  folder: string,
  { sources = digestOfSources(folder), mode = 'production' }: { sources?: string; mode?: Mode } = {},
): void {
  writeFileSync(noteIn(folder), `${sources} ${digestOfBuild(folder)} ${mode}\n`);
}

/** True if sources and build have not changed since the digests were noted. What is deployed serves this machine too. */
export function isFresh(folder = root, mode: Mode = 'production'): boolean {
  const note = noteIn(folder);
  if (!existsSync(note)) return false;
  const [sources, built, made] = readFileSync(note, 'utf8').trim().split(' ');
  return (
    sources === digestOfSources(folder) && built === digestOfBuild(folder) && (made === mode || made === 'production')
  );
}

/**
 * Builds if sources or build have changed.
 * @param say gets a line before the build
 * @param mode a server for this machine takes either
 */
export async function buildIfStale(say: (line: string) => void, mode: Mode = 'production'): Promise<void> {
  if (isFresh(root, mode)) return;
  say('Building Daybook …');
  const failure = await build(mode, say);
  if (failure !== undefined) throw new Refusal(`${failure}\nThe build failed; its output is above.`);
}

/**
 * Builds.
 * @param say gets a line at the end, with what each step took
 * @returns the output if the build failed, else undefined
 */
export async function build(mode: Mode, say: (line: string) => void): Promise<string | undefined> {
  const began = Date.now();
  // Taken before the build, so that changes during the build count as later.
  const sources = digestOfSources(root);
  for (const gone of [noteIn(root), join(root, 'build')]) rmSync(gone, { recursive: true, force: true });
  const appFailure = await run('--import', 'tsx', 'app/local/build-app.ts', mode);
  const bundling = Date.now();
  const failure = appFailure ?? (await bundle());
  const seconds = (from: number, to = Date.now()) => ((to - from) / 1000).toFixed(1);
  if (failure === undefined)
    say(
      `Built in ${seconds(began)} s: the app in ${seconds(began, bundling)} s, the Worker in ${seconds(bundling)} s.`,
    );
  if (failure === undefined) noteBuild(root, { sources, mode });
  return failure;
}

/** Bundles the Worker as a deployment does, and writes what describes its calls. */
async function bundle(): Promise<string | undefined> {
  const ended = run('node_modules/wrangler/bin/wrangler.js', 'deploy', '--dry-run', '--outdir', 'dist', '--minify');
  const { openApiDocument } = await import('../routes/api/openapi');
  mkdirSync(join(root, 'build/client/api'), { recursive: true });
  writeFileSync(join(root, 'build/client/api/openapi.json'), JSON.stringify(openApiDocument(version)));
  return ended;
}

/** Runs a program of Node. @returns its output if it failed */
function run(...args: string[]): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    // vitest sets NODE_ENV, and with its value the build would contain React for development.
    const child = spawn(process.execPath, args, {
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
