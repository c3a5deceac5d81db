import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { atDesk } from '../../../app/local/at-desk';
import { migrate } from '../../../app/local/migrations';
import { Refusal } from '../../../app/local/refusal';
import { checkHistory, readBook } from '../../../app/local/schema';
import { refusalOf, useProcesses } from '../../support/use-processes';

const { start, within } = useProcesses();

/* A database that another version, another copy of the migrations, or somebody by hand has made. */

describe('a start with a database of another history is refused in one line', { timeout: 120_000 }, () => {
  const make = (statement: string) =>
    atDesk(within('data'), async (d1) => {
      await migrate(d1);
      await d1.prepare(statement).run();
    });

  test('where a later version has made it, and nothing of it is changed', async () => {
    await make("INSERT INTO d1_migrations (name) VALUES ('9999_later.sql')");
    const line = await refusalOf(start());
    expect(line).toContain(`The database of ${within('data')} was made by a later or another version of Daybook`);
    expect(line).toContain('9999_later.sql');
  });

  test('where a trigger is not the one of the migrations', async () => {
    await make('DROP TRIGGER accounts_begin_whole');
    expect(await refusalOf(start())).toContain('trigger accounts_begin_whole differs');
  });
});

describe('the comparison', { timeout: 120_000 }, () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'daybook-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** The verdict on a whole database after these statements. */
  const judged = (name: string, ...statements: string[]) =>
    atDesk(join(folder, name), async (d1, desk) => {
      if (name !== 'new') await migrate(d1);
      for (const statement of statements) await d1.prepare(statement).run();
      return checkHistory('It', await readBook(desk), desk).then(
        () => 'fits',
        (error: unknown) => (error instanceof Refusal ? error.message : String(error)),
      );
    });

  test('finds nothing in a new database, and in one that is whole', async () => {
    expect(await judged('new')).toBe('fits');
    expect(await judged('whole')).toBe('fits');
  });

  test.each([
    ['a table that is no migration’s', ['CREATE TABLE notes (text TEXT)'], 'table notes'],
    ['a column more', ['ALTER TABLE accounts ADD COLUMN shoe_size INTEGER'], 'table accounts'],
    ['an index less', ['DROP INDEX invitations_by_account'], 'index invitations_by_account'],
    [
      'what a migration made that the journal lacks',
      ['DELETE FROM d1_migrations WHERE name = (SELECT max(name) FROM d1_migrations)'],
      ' differ',
    ],
  ])('finds %s', async (name, statements, part) => {
    expect(await judged(name, ...statements)).toContain(part);
  });
});
