import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from './refusal';
import { root } from './root';

const sources = ['app', 'db', 'public', 'migrations', 'package-lock.json', 'wrangler.toml', 'vite.config.ts'];

/** Builds the product where the build is missing or older than its sources; `say` gets a line before. */
export async function buildIfStale(say: (line: string) => void): Promise<void> {
  const built = join(root, 'dist/worker.js');
  const isFresh = existsSync(built) && existsSync(join(root, 'build/client'));
  if (isFresh && statSync(built).mtimeMs >= Math.max(...sources.map((source) => newest(join(root, source))))) return;
  say('Building Daybook, this takes about ten seconds …');
  const failure = await build();
  if (failure !== undefined) throw new Refusal(`${failure}\nThe build failed; its output is above.`);
}

/** Runs the build. Returns undefined, or all output of a build that failed. */
export function build(): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    // With vitest's own NODE_ENV, React would be the development build.
    const child = spawn('npm', ['run', '--silent', 'build'], {
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

/** The last change of anything below this path. Folders count, so a deleted file counts too. */
function newest(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return 0;
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}
