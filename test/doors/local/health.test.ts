import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../../app/local/root';
import { version } from '../../../package.json';
import { expectConsoleError } from '../../support/console';
import { registerConsumer } from '../../support/factories';
import { mailTo } from '../../support/mails';
import { useServer } from '../../support/use-server';

const daybook = useServer();
const migration = readdirSync(join(root, 'migrations')).sort().at(-1);
const health = () => daybook.visitor().api('GET', '/api/health');

test('tells the version and the last migration', async () => {
  const { status, json } = await health();
  expect([status, json]).toEqual([200, { ok: true, version, migration, mailWaiting: 0, warnings: [] }]);
});

test('warns of mail that waits, and of an hourly job that leaves things lying, and is well all the same', async () => {
  const { d1, visitor } = daybook;
  const hoursAgo = (hours: number) => Date.now() - hours * 3_600_000;
  const email = 'rosa@mail.test';
  await registerConsumer({ visitor }, { email });
  await mailTo(visitor(), email, /Is this your address/);
  await d1.prepare("UPDATE messages SET mail_state = 'due', due_at = ?").bind(hoursAgo(-1)).run();
  // It is for later.
  expect((await health()).json).toMatchObject({ mailWaiting: 0, warnings: [] });
  await d1.prepare('UPDATE messages SET tries = 2, created_at = ?').bind(hoursAgo(1)).run();
  const waits = { ok: true, mailWaiting: 1, warnings: [expect.stringContaining('1 mail waits')] };
  expect((await health()).json).toMatchObject(waits);
  await d1.prepare("UPDATE messages SET mail_state = 'sent'").run();
  await d1.prepare("INSERT INTO throttles (bucket, tries, ends_at) VALUES ('old', 1, ?)").bind(hoursAgo(5)).run();
  const lies = { ok: true, mailWaiting: 0, warnings: ['The hourly job has left what was over 5 hours ago.'] };
  expect((await health()).json).toMatchObject(lies);
  await daybook.scheduled();
  expect((await health()).json).toMatchObject({ warnings: [] });
});

test('is refused where the database is behind the code, and not where it is ahead', async () => {
  expectConsoleError(/storage unavailable/);
  await daybook.d1.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind('9999_later.sql').run();
  expect((await health()).json).toMatchObject({ ok: true, version, migration: '9999_later.sql' });
  await daybook.d1.prepare('DELETE FROM d1_migrations WHERE name >= ?').bind(migration).run();
  const behind = await health();
  expect([behind.status, behind.json, behind.headers.has('retry-after')]).toEqual([503, expect.any(String), true]);
  await daybook.d1.prepare('DROP TABLE d1_migrations').run();
  expect((await health()).status).toBe(503);
});
