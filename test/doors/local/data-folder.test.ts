import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { atDesk } from '../../../app/local/at-desk';
import type { D1 } from '../../../app/local/d1';
import { lockFolder } from '../../../app/local/folder';
import { migrate } from '../../../app/local/migrations';
import { Refusal } from '../../../app/local/refusal';
import { checkHistory, readDatabaseState } from '../../../app/local/schema';
import { startServer } from '../../../app/local/server';
import type { Row } from '../../support/factories';
import { addressOf, refusalOf, stop, useProcesses } from '../../support/use-processes';
import { visitor } from '../../support/visit';

const { run, start, within } = useProcesses();

const nora = { displayName: 'Nora Quist', username: 'nora.quist', password: 'Correct1horse' };

describe('the data folder', { timeout: 300_000 }, () => {
  test('keeps accounts and logins over a restart, and over a crash at the same port, by secrets that only its owner reads', async () => {
    const first = start();
    const reader = visitor(await addressOf(first));
    expect((await (await reader.visit('/register')).submit('Register', nora)).path).toBe('/profile');
    const path = within('data/secrets.json');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({
      SESSION_SECRETS: expect.stringMatching(/^[\w-]{43}$/),
      PASSWORD_PEPPER: expect.stringMatching(/^[\w-]{43}$/),
    });
    await stop(first);
    // SEED=off
    expect((await first.ended).stdout).not.toContain('demo');

    const second = start({ PORT: new URL(reader.url).port });
    expect(await addressOf(second)).toBe(reader.url);
    expect((await reader.get('/profile')).words).toContain(nora.displayName);
    second.child.kill('SIGKILL');
    await second.ended;

    const third = start({ PORT: new URL(reader.url).port });
    expect(await addressOf(third)).toBe(reader.url);
    const { username, password } = nora;
    const page = await (await visitor(reader.url).visit('/login')).submit('Log in', { username, password });
    expect(page.words).toContain(nora.displayName);
  });

  test('is tidied up at once when it is served again', async () => {
    await (await startServer({ dataDir: within('data') })).stop();
    const left = (d1: D1) => d1.prepare('SELECT bucket FROM throttles').all<{ bucket: string }>();
    await atDesk(within('data'), (d1) =>
      d1.prepare(`INSERT INTO throttles VALUES ('over', 1, 1), ('later', 1, ${Date.now() + 1e9})`).run(),
    );
    async function tidied() {
      const served = start();
      await addressOf(served);
      await sleep(3000);
      await stop(served);
      return (await atDesk(within('data'), left)).results;
    }
    // On a busy machine three seconds may be too few.
    await expect.poll(tidied, { timeout: 90_000 }).toEqual([{ bucket: 'later' }]);
  });

  test('is refused where its secrets are damaged or gone, and gets no new ones', async () => {
    await (await startServer({ dataDir: within('data') })).stop();
    const path = within('data/secrets.json');
    const secrets = await readFile(path, 'utf8');
    await writeFile(path, '{"SESSION_SECRETS":');
    expect(await refusalOf(start())).toContain('secrets.json is damaged');
    expect(await readFile(path, 'utf8')).toBe('{"SESSION_SECRETS":');
    await rm(path);
    expect(await refusalOf(start())).toContain('has a book, but not its secrets');
    const running = start(JSON.parse(secrets));
    await addressOf(running);
    await stop(running);
    await expect(stat(path)).rejects.toThrow('ENOENT');
  });

  test('is for its owner alone, also where it was made by hand, and nothing else lies in it', async () => {
    const modeOf = async (name: string) => (await stat(within(name))).mode & 0o777;
    await mkdir(within('by-hand'), { mode: 0o755 });
    await mkdir(within('home'), { mode: 0o755 });
    await writeFile(within('home/letter.txt'), '');
    for (const name of ['made', 'by-hand', 'home']) (await lockFolder(within(name)))();
    expect([await modeOf('made'), await modeOf('by-hand'), await modeOf('home')]).toEqual([0o700, 0o700, 0o755]);
  });

  test('is seeded once, also where that was broken off before, with logins that are printed and work', async () => {
    const seed = () => run('seed', { DATA_DIR: within('data') });
    const broken = seed();
    await broken.shows(/Making the demo data/);
    broken.child.kill('SIGKILL');
    await broken.ended;
    expect(await seed().ended).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('Log in with') });
    expect(await refusalOf(seed())).toContain('has accounts');

    const second = start({ SEED: '' });
    const reader = visitor(await addressOf(second));
    const [, username = '', password = ''] = /^ {2}(\S+) +(\S+) +/m.exec(await second.shows(/Consumer: .+\n/)) ?? [];
    const page = await (await reader.visit('/login')).submit('Log in', { username, password });
    expect(page.path).not.toContain('/login');
    // It shows what classes are for.
    const { json: slots } = await reader.api('GET', '/api/Public/Slots?provider=asha.yoga&full=true');
    expect((slots as Row[]).some(({ seats }) => seats === 8)).toBe(true);
  });

  test('answers while the demo data is made, and keeps what somebody writes then, also if it is broken off', async () => {
    const first = start({ SEED: '' });
    const early = visitor(await addressOf(first));
    expect((await early.get('/api/health')).status).toBe(200);
    expect((await (await early.visit('/register')).submit('Register', nora)).path).toBe('/profile');
    first.child.kill('SIGKILL');
    await first.ended;

    const { username, password } = nora;
    const later = visitor(await addressOf(start({ SEED: '' })));

    const page = await (await later.visit('/login')).submit('Log in', { username, password });
    expect(page.words).toContain(nora.displayName);
  });
});

/* A database that another version, another copy of the migrations, or somebody by hand has made. */

test('a start with the database of a later version is refused in one line', async () => {
  await atDesk(within('data'), async (d1) => {
    await migrate(d1);
    await d1.prepare("INSERT INTO d1_migrations (name) VALUES ('9999_later.sql')").run();
  });
  const line = await refusalOf(start());
  expect(line).toMatch(/^The database of .*data was made by a later or another version of Daybook.*9999_later.sql/);
});

test('a database fits while it is new and whole, and what differs from the migrations is named', async () => {
  await atDesk(within('data'), async (d1, desk) => {
    const judged = async () =>
      checkHistory('It', await readDatabaseState(desk), desk).then(
        () => 'fits',
        (error: unknown) => (error instanceof Refusal ? error.message : String(error)),
      );
    expect(await judged()).toBe('fits');
    await migrate(d1);
    expect(await judged()).toBe('fits');

    const last = await d1.prepare('SELECT max(name) AS name FROM d1_migrations').first<{ name: string }>();
    await d1.prepare('DELETE FROM d1_migrations WHERE name = ?').bind(last?.name).run();
    expect(await judged()).toContain(' differ');
    await d1.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(last?.name).run();
    expect(await judged()).toBe('fits');

    for (const [statement, part] of [
      ['DROP TRIGGER accounts_begin_whole', 'make: trigger accounts_begin_whole differs.'],
      ['CREATE TABLE notes (text TEXT)', 'make: table notes, trigger'],
      ['DROP INDEX invitations_by_account', 'make: index invitations_by_account, table notes, '],
    ] as const) {
      await d1.prepare(statement).run();
      expect(await judged()).toContain(part);
    }
  });
});
