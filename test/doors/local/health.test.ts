import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
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

  expect(status).toBe(200);
  expect(json).toEqual({ ok: true, version, migration, mailWaiting: 0, warnings: [] });
});

const hoursAgo = (hours: number) => Date.now() - hours * 3_600_000;

describe('mail that waits', () => {
  beforeAll(async () => {
    const { visitor } = daybook;
    const email = 'rosa@mail.test';
    await registerConsumer({ visitor }, { email });
    await mailTo(visitor(), email, /Is this your address/);
  });

  test('is no reason to warn where it is for later', async () => {
    await daybook.d1.prepare("UPDATE messages SET mail_state = 'due', due_at = ?").bind(hoursAgo(-1)).run();

    expect((await health()).json).toMatchObject({ mailWaiting: 0, warnings: [] });
  });

  const failMail = () =>
    daybook.d1
      .prepare("UPDATE messages SET mail_state = 'due', tries = 2, created_at = ?1, due_at = ?2")
      .bind(hoursAgo(1), hoursAgo(-1))
      .run();

  test('is warned of where it has failed', async () => {
    await failMail();

    const waits = { mailWaiting: 1, warnings: [expect.stringContaining('1 mail waits')] };
    expect((await health()).json).toMatchObject(waits);
  });

  test('leaves the rest well where it has failed', async () => {
    await failMail();

    expect((await health()).json).toMatchObject({ ok: true });
  });

  test('is not warned of once it is sent', async () => {
    await daybook.d1.prepare("UPDATE messages SET mail_state = 'sent'").run();

    expect((await health()).json).toMatchObject({ mailWaiting: 0, warnings: [] });
  });
});

describe('what the hourly job has left lying', () => {
  const leaveOld = () =>
    daybook.d1
      .prepare("INSERT OR REPLACE INTO one_time_keys (caller, key, use, created_at) VALUES ('ana', 'old', 'Book', ?)")
      .bind(hoursAgo(24 + 5))
      .run();

  test('is warned of', async () => {
    await leaveOld();

    const warnings = ['The hourly job has left what was over 5 hours ago.'];
    expect((await health()).json).toMatchObject({ mailWaiting: 0, warnings });
  });

  test('leaves the rest well', async () => {
    await leaveOld();

    expect((await health()).json).toMatchObject({ ok: true });
  });

  test('is not warned of once the job has run', async () => {
    await leaveOld();

    await daybook.scheduled();

    expect((await health()).json).toMatchObject({ warnings: [] });
  });
});

describe('a database', () => {
  test('that is ahead of the code is well', async () => {
    await daybook.d1.prepare('INSERT OR IGNORE INTO d1_migrations (name) VALUES (?)').bind('9999_later.sql').run();

    expect((await health()).json).toMatchObject({ ok: true, version, migration: '9999_later.sql' });
  });

  test('that is behind the code is a 503 that says when to ask again', async () => {
    expectConsoleError(/storage unavailable/);
    await daybook.d1.prepare('DELETE FROM d1_migrations WHERE name >= ?').bind(migration).run();

    const behind = await health();

    expect(behind.status).toBe(503);
    expect(behind.json).toEqual(expect.any(String));
    expect(behind.headers.has('retry-after')).toBe(true);
  });

  test('without a journal of migrations is a 503', async () => {
    expectConsoleError(/storage unavailable/);
    await daybook.d1.prepare('DROP TABLE IF EXISTS d1_migrations').run();

    expect((await health()).status).toBe(503);
  });
});
