import { env } from 'cloudflare:test';
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import { beforeAll, describe, expect, test } from 'vitest';
import * as schema from '../../db/schema';

const hour = 60 * 60 * 1000;
const base = Date.UTC(2030, 0, 7, 9);
const run = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();

const account = (id: string, role: 'Consumer' | 'Provider') =>
  run(
    'INSERT INTO accounts VALUES (?1, ?1, ?1, ?1, ?1, ?1, ?1, ?2, ?3, ?4, NULL, 0, 0)',
    id,
    role,
    'UTC',
    role === 'Provider' ? 'lisbon' : null,
  );
const slot = (id: string, from: number, to: number, provider = 'host') =>
  run(
    "INSERT INTO slots VALUES (?, ?, 'lisbon', ?, ?, '2030-01-07', 'UTC', 0, NULL, NULL, 'p', NULL, NULL)",
    id,
    provider,
    base + from * hour,
    base + to * hour,
  );
const hold = (id: string, booker: string) => run("INSERT INTO bookings VALUES (?, ?, 0, 0, '[]', NULL, 0)", id, booker);
const count = async (id: string) =>
  (await env.DB.prepare('SELECT id FROM slots WHERE id = ?').bind(id).all()).results.length;

beforeAll(async () => {
  await run("INSERT INTO cities VALUES ('lisbon', 'Lisbon', 0)");
  await account('host', 'Provider');
  await account('other', 'Provider');
  await account('ana', 'Consumer');
  await account('bo', 'Consumer');
});

describe('the tables as the code sees them', () => {
  const tables = Object.values(schema).map((table) => getTableConfig(table as SQLiteTable));

  test.each(tables.map(({ name, columns }) => ({ name, columns })))(
    '$name has the columns of the migrations',
    async ({ name, columns }) => {
      const { results } = await env.DB.prepare('SELECT name, type, "notnull" AS is_required FROM pragma_table_xinfo(?)')
        .bind(name)
        .all();
      const coded = columns.map((column) => ({
        name: column.name,
        type: column.getSQLType().toUpperCase(),
        is_required: column.notNull || column.primary ? 1 : 0,
      }));
      expect(coded).toEqual(results);
    },
  );

  test('leaves no table of the migrations out', async () => {
    const { results } = await env.DB.prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite%' AND name <> 'd1_migrations' ORDER BY name",
    ).all();
    expect(results.map(({ name }) => name)).toEqual(tables.map(({ name }) => name).sort());
  });

  test('has at most three indexes on slots', async () => {
    const { results } = await env.DB.prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'slots'",
    ).all();
    expect(results.length).toBeLessThanOrEqual(3);
  });
});

describe('what the schema makes impossible', () => {
  test('leaves out a slot that overlaps a live one of the same provider, whichever way', async () => {
    await slot('a', 0, 2);
    for (const [id, from, to] of [
      ['in', 0.5, 1],
      ['same', 0, 2],
      ['around', -1, 3],
      ['head', -1, 0.5],
      ['tail', 1.5, 3],
    ] as const) {
      await slot(id, from, to);
      expect(await count(id), id).toBe(0);
    }
    await slot('before', -1, 0);
    await slot('after', 2, 3);
    await slot('theirs', 0, 2, 'other');
    expect([await count('before'), await count('after'), await count('theirs')]).toEqual([1, 1, 1]);
  });

  test('does not overlap a booked slot either, but may take the time of a canceled one', async () => {
    await slot('b', 10, 11);
    await hold('b', 'ana');
    await run("UPDATE slots SET status = 1 WHERE id = 'b'");
    await slot('over-booked', 10, 11);
    expect(await count('over-booked')).toBe(0);
    await run("UPDATE slots SET status = 2, canceled_at = 1, canceled_by = 'ana' WHERE id = 'b'");
    await slot('again', 10, 11);
    expect(await count('again')).toBe(1);
  });

  test('gives a slot one holder, ever', async () => {
    await slot('c', 20, 21);
    await hold('c', 'ana');
    await expect(hold('c', 'bo')).rejects.toThrow();
    await run("UPDATE slots SET status = 1 WHERE id = 'c'");
    await expect(hold('c', 'bo')).rejects.toThrow(/slot_not_open|UNIQUE/);
    await expect(run("UPDATE bookings SET booker_id = 'bo' WHERE slot_id = 'c'")).rejects.toThrow(
      /booking_keeps_its_holder/,
    );
  });

  test('has no booked slot without a holder', async () => {
    await slot('d', 30, 31);
    await expect(run("UPDATE slots SET status = 1 WHERE id = 'd'")).rejects.toThrow(/slot_without_holder/);
  });

  test('lets a slot live once, and keep its time', async () => {
    await slot('e', 40, 41);
    await run("UPDATE slots SET status = 2, canceled_at = 1, canceled_by = 'host' WHERE id = 'e'");
    await expect(
      run("UPDATE slots SET status = 0, canceled_at = NULL, canceled_by = NULL WHERE id = 'e'"),
    ).rejects.toThrow(/slot_lives_once/);
    await expect(run("UPDATE slots SET starts_at = 0 WHERE id = 'e'")).rejects.toThrow(/slot_keeps_its_time/);
    await expect(run("UPDATE slots SET status = 1 WHERE id = 'e'")).rejects.toThrow();
  });

  test('keeps the wording of a published template', async () => {
    await run("INSERT INTO templates VALUES ('t', 'host', 'T', '[]', 0, NULL, 0, NULL)");
    await expect(run("UPDATE templates SET questions = '[1]' WHERE id = 't'")).rejects.toThrow(/template_is_published/);
  });

  test('never has more people coming than a party has room for', async () => {
    await run(
      "INSERT INTO parties VALUES ('p', 'party', 'host', 'P', NULL, 1, 2, '2030-01-07', 'UTC', NULL, NULL, NULL, 3, NULL, NULL, 5, 0, 0, 0, 0, 0)",
    );
    const answer = (id: string, accepted: number, guests: number) =>
      run("INSERT INTO invitations VALUES ('p', ?1, ?1, ?1, ?1, ?1, ?1, ?2, ?3, '[]', 1, 0)", id, accepted, guests);
    await answer('ana', 1, 1);
    await expect(answer('bo', 1, 1)).rejects.toThrow(/party_has_room/);
    await answer('bo', 1, 0);
    await expect(run("UPDATE invitations SET guests = 2 WHERE id = 'ana'")).rejects.toThrow(/party_has_room/);
    await expect(run("UPDATE parties SET capacity = 2 WHERE id = 'p'")).rejects.toThrow(/party_has_room/);
    await run("UPDATE invitations SET accepted = 0, guests = 0 WHERE id = 'ana'");
    await run("DELETE FROM invitations WHERE id = 'bo'");
    expect(await env.DB.prepare("SELECT going FROM parties WHERE id = 'p'").first()).toEqual({ going: 0 });
  });
});
