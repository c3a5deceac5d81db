import { env } from 'cloudflare:test';
import { beforeAll, describe, expect, test } from 'vitest';
import { readStructure, type StructurePart, structureOf } from '../../../db/structure';
import written from '../../../db/structure.sql?raw';
import { idAt, rowsOf } from '../../support/first-rows';

/* Each migration is applied to a book that has been filled before it: nothing of what stands there may be lost or changed. */

const { EMPTY: d1, TEST_MIGRATIONS } = env;
const [journal, ...migrations] = TEST_MIGRATIONS;
const all = async (sql: string) => (await d1.prepare(sql).all()).results;
const apply = (statements: string[]) => d1.batch(statements.map((sql) => d1.prepare(sql)));

beforeAll(() => apply(journal?.statements ?? []));

/** All rows of all tables, by the table's name. */
async function dump(): Promise<Record<string, Record<string, unknown>[]>> {
  const tables = await all(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*' AND name <> 'd1_migrations' ORDER BY name",
  );
  const names = tables.map(({ name }) => String(name));
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await all(`SELECT * FROM ${name}`)])));
}

/** Of rows, the columns that those of before have. */
const asBefore = (rows: Record<string, unknown>[] = [], before: Record<string, unknown>[]) =>
  rows.map((row) => Object.fromEntries(Object.keys(before[0] ?? {}).map((name) => [name, row[name]])));

/** The columns that have no value in any row: what is to be compared has to be there first. */
async function unfilled(tables: Awaited<ReturnType<typeof dump>>): Promise<string[]> {
  const columnsOf = (table: string) => all(`SELECT name FROM pragma_table_info('${table}')`);
  const empty = Object.entries(tables).map(async ([table, rows]) => {
    const names = (await columnsOf(table)).map(({ name }) => String(name));
    return names.filter((name) => rows.every((row) => row[name] === null)).map((name) => `${table}.${name}`);
  });
  return (await Promise.all(empty)).flat();
}

describe('a book filled at an earlier version', () => {
  for (const [place, { name, statements }] of migrations.entries()) {
    describe(`at ${name}`, () => {
      if (place === 0)
        test('begins without a table', async () => {
          expect(await dump()).toEqual({});
        });

      test('has all its rows afterwards', async () => {
        const before = await dump();

        await apply(statements);

        const after = await dump();
        for (const [table, rows] of Object.entries(before)) {
          expect(asBefore(after[table], rows), table).toEqual(rows);
        }
      });

      test('is filled for the next one', async () => {
        if (rowsOf[name]) await apply(rowsOf[name]);

        // What is refused is never stored.
        expect(await unfilled(await dump())).toEqual(['refusals.name']);
      });

      test('points to nothing that is not there', async () => {
        expect(await all('PRAGMA foreign_key_check')).toEqual([]);
      });
    });
  }

  test('has the name of the client at each booking', async () => {
    const bookings = await all(
      'SELECT booker_name, display_name FROM bookings JOIN accounts ON accounts.id = booker_id',
    );

    expect(bookings.length).toBeGreaterThan(1);
    for (const booking of bookings) expect(booking.booker_name).toBe(booking.display_name);
  });

  test('has rows of every migration that brings something to fill', () => {
    expect(Object.keys(rowsOf)).toEqual(migrations.map(({ name }) => name).filter((name) => name in rowsOf));
  });

  // Its tables are never rebuilt.
  describe('takes what a later version may want:', () => {
    test.each([
      [
        'a fourth state of attendance',
        'DROP TRIGGER bookings_know_who_came',
        `UPDATE bookings SET attendance = 'late' WHERE id = '${idAt(200, 'booked')}'`,
      ],
      [
        'a third RSVP to a party',
        'DROP TRIGGER invitations_stay_whole',
        "UPDATE invitations SET accepted = 2 WHERE invitee = 'ana'",
      ],
      ['a third role', 'DROP TRIGGER accounts_stay_whole', "UPDATE accounts SET role = 'Assistant' WHERE id = 'ana'"],
      [
        'a third kind of event, with higher limits',
        'DROP TRIGGER parties_stay_whole',
        "UPDATE parties SET kind = 'course', capacity = 1000000, plus_ones = 100 WHERE id = 'party'",
      ],
      [
        'longer texts of an account',
        'DROP TRIGGER IF EXISTS accounts_stay_whole',
        "UPDATE accounts SET display_name = printf('%1000d', 1), description = printf('%100000d', 1) WHERE id = 'ana'",
      ],
      [
        'a slot of more seats and longer notes',
        'DROP TRIGGER slots_begin_open',
        `INSERT INTO slots (provider_id, starts_at, id, ends_at, city, local_date, time_zone, notes, seats)
          VALUES ('host', 2000, '${idAt(2000, 'week')}', 604802000, 'oslo', '2030-01-07', 'UTC', printf('%10000d', 1), 5000)`,
      ],
    ])('%s', async (_, dropTrigger, write) => {
      const [, written] = await apply([dropTrigger, write]);

      expect(written?.meta.changes).toBeGreaterThan(0);
      expect(await all('PRAGMA foreign_key_check')).toEqual([]);
    });
  });
});

test('db/structure.sql is what the migrations make', async () => {
  const { results } = await env.DB.prepare(readStructure).all<StructurePart>();
  const schema = written.slice(written.indexOf('\n\n') + 1);

  expect(structureOf(results), 'npm run structure').toBe(schema);
});
