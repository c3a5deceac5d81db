import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { atDesk } from '../../../app/local/at-desk';
import { root } from '../../../app/local/root';
import { run } from '../../support/process';

test('a deployment imports each migration once, wrangler finds it noted, and a database of another history stops it', {
  timeout: 300_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'daybook-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const place = ['--local', '--persist-to', folder];
  const migrate = () => run('migrate', {}, ...place).ended;
  const migrations = readdirSync(join(root, 'migrations')).sort();
  expect(await migrate()).toMatchObject({
    code: 0,
    stdout: migrations.map((name) => `${name} is applied.\n`).join(''),
  });
  expect(await migrate()).toMatchObject({ code: 0, stdout: '' });
  const wrangler = join(root, 'node_modules/wrangler/bin/wrangler.js');
  const env = { ...process.env, WRANGLER_LOG: 'log' };
  const listed = [wrangler, 'd1', 'migrations', 'list', 'DB', ...place];
  const list = spawnSync(process.execPath, listed, { encoding: 'utf8', env });
  expect(list.stdout).toContain('No migrations to apply');

  await atDesk(folder, (d1) => d1.prepare('DROP INDEX invitations_by_account').run());
  const stderr = expect.stringContaining('index invitations_by_account differs');
  expect(await migrate()).toMatchObject({ code: 1, stdout: '', stderr });
});
