import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { atDesk } from '../../../app/local/at-desk';
import { root } from '../../../app/local/root';
import routes from '../../../app/routes';
import { describeFirst, testFirst, testRest } from '../../support/matrix';
import { run } from '../../support/process';

/* `npm run deploy` up to the moment it would change something: the real wrangler against a stand-in for Cloudflare's API. */

const bookmark = '00000001-00000002-00004e2f-0a83ea2fceebc654de0640c422be4653';
const folder = mkdtempSync(join(tmpdir(), 'daybook-deploy-'));
const config = join(folder, 'wrangler.toml');
let secrets: string[] | 'no Worker';
let asked: string[] = [];
let api: Server;

const check = (environment: object, ...words: string[]) => {
  asked = [];
  const { port } = api.address() as AddressInfo;
  const account = {
    ...environment,
    CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${port}/client/v4`,
    CLOUDFLARE_API_TOKEN: 'token',
    CLOUDFLARE_ACCOUNT_ID: 'account',
  };
  return run('before-deploy', account, ...words).ended;
};

/** What the API says to each path that the check may ask for. */
function resultOf(path: string): unknown {
  if (path.includes('/secrets')) return secrets === 'no Worker' ? undefined : secrets.map((name) => ({ name }));
  if (path.includes('/time_travel/bookmark')) return { bookmark };
  if (/\/d1\/database\/[^/]+$/.test(path)) return { name: 'daybook', version: 'production' };
  return undefined;
}

beforeAll(async () => {
  const ours = readFileSync(join(root, 'wrangler.toml'), 'utf8');
  writeFileSync(config, ours.replace(/database_id = "[0-]+"/, 'database_id = "11111111-2222-3333-4444-555555555555"'));
  api = createServer(({ method, url = '' }, response) => {
    asked.push(`${method} ${url}`);
    const result = resultOf(url);
    const errors = result === undefined ? [{ code: 10007, message: 'This Worker does not exist.' }] : [];
    response.writeHead(errors.length > 0 ? 404 : 200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ success: errors.length === 0, errors, messages: [], result: result ?? null }));
  });
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
});

afterAll(() => {
  api.close();
  rmSync(folder, { recursive: true });
});

describe('a deployment', { timeout: 120_000 }, () => {
  testFirst('is checked before the database is migrated and the Worker is replaced', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { deploy: string } };
    expect(scripts.deploy).toMatch(/npm run build && .*before-deploy\.ts && .*migrate\.ts --remote && wrangler deploy/);
  });

  testRest('without a database of its own is refused, and says how to make one, also for staging', async () => {
    for (const [environment, words, name] of [
      [{}, [], 'daybook'],
      [{ CLOUDFLARE_ENV: 'staging' }, ['--config', config], 'daybook-staging'],
    ] as const) {
      const { code, stderr } = await check(environment, ...words);
      expect([code, stderr, asked]).toEqual([1, expect.stringContaining(`npx wrangler d1 create ${name}`), []]);
    }
  });

  testRest('without its secrets is refused, and names those that are missing', async () => {
    const both = ['SESSION_SECRETS', 'PASSWORD_PEPPER'];
    for (const [has, missing] of [
      ['no Worker', both],
      [['SESSION_SECRETS'], ['PASSWORD_PEPPER']],
    ] as const) {
      secrets = typeof has === 'string' ? has : [...has];
      const { code, stdout, stderr } = await check({}, '--config', config);
      expect([code, stdout]).toEqual([1, '']);
      expect([...stderr.matchAll(/secret put (\w+)/g)].map(([, name]) => name)).toEqual(missing);
    }
  });

  testRest('with database and secrets prints the bookmark to go back to, and changes nothing', async () => {
    secrets = ['SESSION_SECRETS', 'PASSWORD_PEPPER'];
    const { code, stdout } = await check({}, '--config', config);
    expect([code, stdout]).toEqual([0, expect.stringContaining(`d1 time-travel restore DB --bookmark=${bookmark}`)]);
    expect(asked.filter((line) => !line.startsWith('GET '))).toEqual([]);
  });
});

testRest(
  'a deployment imports each migration once, wrangler finds it noted, and a database of another history stops it',
  {
    timeout: 300_000,
  },
  async () => {
    const book = join(folder, 'book');
    const place = ['--local', '--persist-to', book];
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

    await atDesk(book, (d1) => d1.prepare('DROP INDEX invitations_by_account').run());
    const stderr = expect.stringContaining('index invitations_by_account differs');
    expect(await migrate()).toMatchObject({ code: 1, stdout: '', stderr });
  },
);

describeFirst('wrangler.toml', () => {
  const read = (environment?: string) =>
    unstable_readConfig({ config: join(root, 'wrangler.toml'), ...(environment && { env: environment }) });
  const { secrets: declared } = read();

  test('keeps the addresses of requests out of the logs, where they may be keys', () => {
    expect(read().observability?.logs).toEqual({ enabled: true, invocation_logs: false });
  });

  test('has each page asked for without looking for a file first', () => {
    const { run_worker_first: rules } = read().assets ?? {};
    const prefixes = (rules as string[]).filter((rule) => rule.endsWith('*')).map((rule) => rule.slice(0, -1));
    const paths = routes.flatMap(({ path }) => (path === undefined || path === '*' ? [] : [`/${path}`]));
    expect(paths.length).toBeGreaterThan(60);
    expect(paths.filter((path) => !prefixes.some((prefix) => path.startsWith(prefix)))).toEqual([]);
    expect(prefixes.filter((prefix) => '/assets/'.startsWith(prefix))).toEqual([]);
  });

  test('gives staging all that the product has, and a database, a name and counters of its own', () => {
    const [production, staging] = [read(), read('staging')];
    const alike = ['assets', 'secrets', 'durable_objects', 'migrations', 'triggers', 'observability'] as const;
    for (const same of alike) expect(staging[same], same).toEqual(production[same]);
    const bindings = ({ d1_databases, ratelimits }: typeof staging) =>
      [...d1_databases, ...ratelimits].map((one) => ('binding' in one ? one.binding : one.name));
    expect(bindings(staging)).toEqual(bindings(production));
    const own = ({ name, d1_databases: [database], ratelimits: [limit] }: typeof staging) =>
      [name, database?.database_name, limit?.namespace_id].join();
    expect([own(staging), own(production)]).toEqual(['daybook-staging,daybook-staging,1002', 'daybook,daybook,1001']);
  });

  test('has an example of every secret, which Cloudflare asks for one by one', () => {
    const example = readFileSync(join(root, '.dev.vars.example'), 'utf8');
    const named = [...example.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
    // Without these two Cloudflare is to refuse a deployment.
    expect(declared?.required).toEqual(['SESSION_SECRETS', 'PASSWORD_PEPPER']);
    expect(named).toEqual([...(declared?.required ?? []), 'MAIL_URL', 'MAIL_KEY', 'MAIL_FROM', 'PUBLIC_URL']);
    const { cloudflare } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      cloudflare: { bindings: Record<string, { description: string }> };
    };
    expect(Object.keys(cloudflare.bindings)).toEqual(named);
  });
});
