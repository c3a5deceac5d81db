import { spawnSync } from 'node:child_process';
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
