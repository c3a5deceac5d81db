import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../app/local/root';
import { version } from '../../package.json';
import { expectConsoleError } from '../support/console';
import { useServer } from '../support/use-server';

const daybook = useServer();
const migration = readdirSync(join(root, 'migrations')).sort().at(-1);
const health = () => daybook.visitor().api('GET', '/api/health');

test('tells the version and the last migration', async () => {
  const { status, json } = await health();
  expect([status, json]).toEqual([200, { ok: true, version, migration }]);
});

test('is refused where the database is behind the code, and not where it is ahead', async () => {
  expectConsoleError(/storage unavailable/);
  await daybook.d1.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind('9999_later.sql').run();
  expect((await health()).json).toEqual({ ok: true, version, migration: '9999_later.sql' });
  await daybook.d1.prepare('DELETE FROM d1_migrations WHERE name >= ?').bind(migration).run();
  const behind = await health();
  expect([behind.status, behind.json, behind.headers.has('retry-after')]).toEqual([503, expect.any(String), true]);
  await daybook.d1.prepare('DROP TABLE d1_migrations').run();
  expect((await health()).status).toBe(503);
});
