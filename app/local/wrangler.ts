import { spawnSync } from 'node:child_process';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { Refusal } from './refusal';
import { root } from './root';

/** @returns stdout @throws Refusal with wrangler's own words */
export function wrangler(...words: string[]): string {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/wrangler/bin/wrangler.js'), ...words],
    { cwd: root, encoding: 'utf8', stdio: ['inherit', 'pipe', 'pipe'], env: { ...process.env, WRANGLER_LOG: 'log' } },
  );
  if (status !== 0) throw new Refusal(`wrangler ${words.slice(0, 2).join(' ')} failed.\n${stderr}${stdout}`);
  return stdout;
}

/** wrangler as a library. It names no file it reads, and needs no home folder for its log, which a system's user may not have. */
export function importWrangler() {
  // wrangler reads both when it is imported.
  process.env.WRANGLER_LOG ??= 'error';
  process.env.WRANGLER_LOG_PATH ??= join(tmpdir(), `daybook-${userInfo().uid}.log`);
  return import('wrangler');
}
