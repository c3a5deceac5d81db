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
import { describeFirst, describeRest, testFirst, testRest } from '../../support/matrix';
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

  testRest.each([
    ['the product', {}, [], 'daybook'],
    ['staging', { CLOUDFLARE_ENV: 'staging' }, ['--config', config], 'daybook-staging'],
  ])(
    'of %s without a database of its own is refused with the command that makes one',
    async (_, environment, words, name) => {
      const { code, stderr } = await check(environment, ...words);

      expect(code).toBe(1);
      expect(stderr).toContain(`npx wrangler d1 create ${name}`);
      expect(asked).toEqual([]);
    },
  );

  testRest.each<[string, string[] | 'no Worker', string[]]>([
    ['all of its secrets', 'no Worker', ['SESSION_SECRETS', 'PASSWORD_PEPPER']],
    ['one of its secrets', ['SESSION_SECRETS'], ['PASSWORD_PEPPER']],
  ])('without %s is refused with the command for each that is missing', async (_, has, missing) => {
    secrets = has;

    const { code, stdout, stderr } = await check({}, '--config', config);

    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect([...stderr.matchAll(/secret put (\w+)/g)].map(([, name]) => name)).toEqual(missing);
  });

  describeRest('with database and secrets', () => {
    let checked: Awaited<ReturnType<typeof check>>;

    beforeAll(async () => {
      secrets = ['SESSION_SECRETS', 'PASSWORD_PEPPER'];
      checked = await check({}, '--config', config);
    });

    test('passes the check', () => {
      expect(checked.code).toBe(0);
    });

    test('is told the bookmark to go back to', () => {
      expect(checked.stdout).toContain(`d1 time-travel restore DB --bookmark=${bookmark}`);
    });

    test('is checked without a change to the account', () => {
      expect(asked.length).toBeGreaterThan(0);
      expect(asked.filter((line) => !line.startsWith('GET '))).toEqual([]);
    });
  });
});

describeRest('the migrations of a deployment', { timeout: 300_000 }, () => {
  const book = join(folder, 'book');
  const place = ['--local', '--persist-to', book];
  const migrate = () => run('migrate', {}, ...place).ended;
  let first: Awaited<ReturnType<typeof migrate>>;

  beforeAll(async () => {
    first = await migrate();
  });

  test('are all applied to a new database', () => {
    const names = readdirSync(join(root, 'migrations')).sort();

    expect(first).toMatchObject({ code: 0, stdout: names.map((name) => `${name} is applied.\n`).join('') });
  });

  test('are applied once', async () => {
    expect(await migrate()).toMatchObject({ code: 0, stdout: '' });
  });

  test('are noted where wrangler looks', () => {
    const wrangler = join(root, 'node_modules/wrangler/bin/wrangler.js');
    const env = { ...process.env, WRANGLER_LOG: 'log' };

    const list = spawnSync(process.execPath, [wrangler, 'd1', 'migrations', 'list', 'DB', ...place], {
      encoding: 'utf8',
      env,
    });

    expect(list.stdout).toContain('No migrations to apply');
  });

  test('stop at a database of another history', async () => {
    await atDesk(book, (d1) => d1.prepare('DROP INDEX invitations_by_account').run());

    const stderr = expect.stringContaining('index invitations_by_account differs');
    expect(await migrate()).toMatchObject({ code: 1, stdout: '', stderr });
  });
});

describeFirst('wrangler.toml', () => {
  const read = (environment?: string) =>
    unstable_readConfig({ config: join(root, 'wrangler.toml'), ...(environment && { env: environment }) });
  const [production, staging] = [read(), read('staging')];

  test('keeps the addresses of requests out of the logs, where they may be keys', () => {
    expect(production.observability?.logs).toEqual({ enabled: true, invocation_logs: false });
  });

  describe('of the addresses that ask the Worker without looking for a file', () => {
    const rules = production.assets?.run_worker_first as string[];
    const prefixes = rules.filter((rule) => rule.endsWith('*')).map((rule) => rule.slice(0, -1));

    test('has each page', () => {
      const paths = routes.flatMap(({ path }) => (path === undefined || path === '*' ? [] : [`/${path}`]));

      expect(paths.length).toBeGreaterThan(60);
      expect(paths.filter((path) => !prefixes.some((prefix) => path.startsWith(prefix)))).toEqual([]);
    });

    test('has no asset', () => {
      expect(prefixes.filter((prefix) => '/assets/'.startsWith(prefix))).toEqual([]);
    });
  });

  test.each(['assets', 'secrets', 'durable_objects', 'migrations', 'triggers', 'observability'] as const)(
    'gives staging the same %s as the product',
    (part) => {
      expect(staging[part]).toEqual(production[part]);
    },
  );

  test('gives staging the same bindings as the product', () => {
    const bindingsOf = ({ d1_databases, ratelimits }: typeof staging) =>
      [...d1_databases, ...ratelimits].map((one) => ('binding' in one ? one.binding : one.name));

    expect(bindingsOf(staging)).toEqual(bindingsOf(production));
  });

  test.each([
    ['the product', production, 'daybook', '1001'],
    ['staging', staging, 'daybook-staging', '1002'],
  ])('gives %s a name, a database and counters of its own', (_, { name, d1_databases, ratelimits }, own, counters) => {
    expect(name).toBe(own);
    expect(d1_databases[0]?.database_name).toBe(own);
    expect(ratelimits[0]?.namespace_id).toBe(counters);
  });

  test('has Cloudflare refuse a deployment without the secrets that nothing works without', () => {
    expect(production.secrets?.required).toEqual(['SESSION_SECRETS', 'PASSWORD_PEPPER']);
  });

  const all = ['SESSION_SECRETS', 'PASSWORD_PEPPER', 'MAIL_URL', 'MAIL_KEY', 'MAIL_FROM', 'PUBLIC_URL'];

  test('has an example of every secret beside it', () => {
    const example = readFileSync(join(root, '.dev.vars.example'), 'utf8');

    expect([...example.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name)).toEqual(all);
  });

  test('has a description of every secret, which Cloudflare shows as it asks for them', () => {
    const { cloudflare } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      cloudflare: { bindings: Record<string, { description: string }> };
    };

    expect(Object.keys(cloudflare.bindings)).toEqual(all);
  });
});
