import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Secrets } from './folder';
import { Refusal, script } from './refusal';
import { root } from './root';
import { wrangler } from './wrangler';

/*
 * Runs before `npm run deploy` changes anything. It refuses a deployment that lacks its database or a secret, then prints
 * the bookmark that brings the database back to this moment. `--config <file>` names another wrangler.toml.
 */
const words = process.argv.slice(2);
const config = words.includes('--config') ? (words[words.indexOf('--config') + 1] ?? '') : join(root, 'wrangler.toml');

const required: Record<keyof Secrets, string> = {
  SESSION_SECRETS: 'long random texts, comma-separated: the first signs, all are accepted',
  PASSWORD_PEPPER: 'one long random text; never change it',
};

function checkDatabase(): void {
  const [, id = ''] = /^database_id = "(.*?)"/m.exec(readFileSync(config, 'utf8')) ?? [];
  if (/[^0-]/.test(id)) return;
  throw new Refusal(
    'wrangler.toml has no database yet. Run `npx wrangler d1 create daybook` and put its database_id into wrangler.toml.',
  );
}

function secretNames(): string[] {
  try {
    const listed: { name: string }[] = JSON.parse(wrangler('secret', 'list', '--format', 'json', ...words));
    return listed.map(({ name }) => name);
  } catch (error) {
    // Before the first deployment there is no Worker, so it has no secrets.
    if (error instanceof Refusal && /Worker .*not found/.test(error.message)) return [];
    throw error;
  }
}

function checkSecrets(): void {
  const there = secretNames();
  const missing = Object.entries(required).filter(([name]) => !there.includes(name));
  if (missing.length === 0) return;
  const lines = missing.map(([name, what]) => `  npx wrangler secret put ${name}   # ${what}`);
  throw new Refusal(`The Worker lacks ${missing.length === 1 ? 'a secret' : 'secrets'}. Run:\n${lines.join('\n')}`);
}

await script(async () => {
  checkDatabase();
  checkSecrets();
  const { bookmark }: { bookmark: string } = JSON.parse(
    wrangler('d1', 'time-travel', 'info', 'DB', '--json', ...words),
  );
  process.stdout.write(
    `The database is at bookmark ${bookmark}.\n` +
      `To bring it back to this moment: npx wrangler d1 time-travel restore DB --bookmark=${bookmark}\n`,
  );
});
