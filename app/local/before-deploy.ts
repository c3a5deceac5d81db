import { join } from 'node:path';
import type { Secrets } from './folder';
import { Refusal, script } from './refusal';
import { root } from './root';
import { importWrangler, wrangler } from './wrangler';

// Stops a deployment if its database or a secret is missing. Prints the bookmark that brings the database back to this
// moment. `--config <file>` and CLOUDFLARE_ENV work as in wrangler's own commands.
const args = process.argv.slice(2);
const config = args.includes('--config') ? (args[args.indexOf('--config') + 1] ?? '') : join(root, 'wrangler.toml');

const required: Record<keyof Secrets, string> = {
  SESSION_SECRETS: 'long random texts, comma-separated: the first signs, all are accepted',
  PASSWORD_PEPPER: 'a long random text; see OPERATIONS.md before you change it',
};

async function checkDatabase(): Promise<void> {
  const { unstable_readConfig } = await importWrangler();
  const [database] = unstable_readConfig({ config, env: process.env.CLOUDFLARE_ENV }).d1_databases;
  if (/[^0-]/.test(database?.database_id ?? '')) return;
  const name = database?.database_name ?? 'daybook';
  throw new Refusal(
    `wrangler.toml has no database yet. Run \`npx wrangler d1 create ${name} --location <near your people>\` and put its database_id into wrangler.toml.`,
  );
}

function secretNames(): string[] {
  try {
    const listed: { name: string }[] = JSON.parse(wrangler('secret', 'list', '--format', 'json', ...args));
    return listed.map(({ name }) => name);
  } catch (error) {
    // Before the first deployment there is no Worker that could have secrets.
    if (error instanceof Refusal && /Worker .*not found/.test(error.message)) return [];
    throw error;
  }
}

function checkSecrets(): void {
  const setNames = secretNames();
  const missing = Object.entries(required).filter(([name]) => !setNames.includes(name));
  if (missing.length === 0) return;
  const lines = missing.map(([name, what]) => `  npx wrangler secret put ${name}   # ${what}`);
  throw new Refusal(`The Worker lacks ${missing.length === 1 ? 'a secret' : 'secrets'}. Run:\n${lines.join('\n')}`);
}

await script(async () => {
  await checkDatabase();
  checkSecrets();
  const { bookmark }: { bookmark: string } = JSON.parse(wrangler('d1', 'time-travel', 'info', 'DB', '--json', ...args));
  process.stdout.write(
    `The database is at bookmark ${bookmark}.\n` +
      `To bring it back to this moment: npx wrangler d1 time-travel restore DB --bookmark=${bookmark}\n`,
  );
});
