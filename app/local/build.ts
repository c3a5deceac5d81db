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

/** @param made the digest of the sources */
export function noteBuild(folder: string, made = digestOfSources(folder)): void {
  writeFileSync(noteIn(folder), `${made} ${digestOfBuild(folder)}\n`);
}

/** True if sources and build have not changed since the digests were noted. */
export function isFresh(folder = root): boolean {
  const note = noteIn(folder);
  return existsSync(note) && readFileSync(note, 'utf8') === `${digestOfSources(folder)} ${digestOfBuild(folder)}\n`;
}

/** Builds if sources or build have changed. @param say gets a line before the build */
export async function buildIfStale(say: (line: string) => void): Promise<void> {
  if (isFresh()) return;
  say('Building Daybook, this takes about ten seconds …');
  const failure = await build();
  if (failure !== undefined) throw new Refusal(`${failure}\nThe build failed; its output is above.`);
}

/** Builds. @returns the output if the build failed, else undefined */
export async function build(): Promise<string | undefined> {
  // Taken before the build, so that changes during the build count as later.
  const sources = digestOfSources(root);
  rmSync(noteIn(root), { force: true });
  const failure = await run('npx', 'remix', 'vite:build').then(
    (failed) => failed ?? run('npx', 'wrangler', 'deploy', '--dry-run', '--outdir', 'dist', '--minify'),
  );
  if (failure === undefined) noteBuild(root, sources);
  return failure;
}

function run(command: string, ...args: string[]): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    // vitest sets NODE_ENV, and with its value the build would contain React for development.
    const child = spawn(command, args, {
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
