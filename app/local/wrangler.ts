import { spawnSync } from 'node:child_process';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { Refusal } from './refusal';
import { root } from './root';

/** Runs wrangler. @returns its stdout @throws Refusal with wrangler's own words */
export function wrangler(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/wrangler/bin/wrangler.js'), ...args],
    { cwd: root, encoding: 'utf8', stdio: ['inherit', 'pipe', 'pipe'], env: { ...process.env, WRANGLER_LOG: 'log' } },
  );
  if (status !== 0) throw new Refusal(`wrangler ${args.slice(0, 2).join(' ')} failed.\n${stderr}${stdout}`);
  return stdout;
}

/**
 * wrangler as a library. Set up so that it doesn't print which files it reads and needs no home folder for its log,
 * because a system's user may have none.
 */
export function importWrangler() {
  // wrangler reads these two when it is imported.
  process.env.WRANGLER_LOG ??= 'error';
  process.env.WRANGLER_LOG_PATH ??= join(tmpdir(), `daybook-${userInfo().uid}.log`);
  return import('wrangler');
}
