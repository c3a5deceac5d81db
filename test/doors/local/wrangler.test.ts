import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { root } from '../../../app/local/root';
import routes from '../../../app/routes';

describe('wrangler.toml', () => {
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
