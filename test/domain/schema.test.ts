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
const slot = (id: string, from: number, to: number, provider = 'host', status = 0) =>
  run(
    "INSERT INTO slots VALUES (?, ?, 'lisbon', ?, ?, '2030-01-07', 'UTC', ?, NULL, NULL, 'p', NULL, NULL)",
    id,
    provider,
    base + from * hour,
    base + to * hour,
    status,
  );
const hold = (id: string, booker: string) => run("INSERT INTO bookings VALUES (?, ?, 0, 0, '[]', NULL, 0)", id, booker);
const take = async (id: string, booker: string) => {
  await hold(id, booker);
  await run('UPDATE slots SET status = 1 WHERE id = ?', id);
};
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
  test.each([
    ['an open', 200],
    ['a booked', 300],
  ])('leaves out a slot that overlaps %s one of the same provider, whichever way', async (state, at) => {
    const inserted = async (name: string, from: number, to: number, provider?: string) => {
      await slot(name + at, at + from, at + to, provider);
      return count(name + at);
    };
    for (const [name, from, to] of [
      ['earlier', -5, -4],
      ['one', 0, 2],
    ] as const) {
      await inserted(name, from, to);
      if (state === 'a booked') await take(name + at, 'ana');
    }
    for (const [name, from, to] of [
      ['in', 0.5, 1],
      ['same', 0, 2],
      ['around', -1, 3],
      ['head', -1, 0.5],
      ['tail', 1.5, 3],
    ] as const) {
      expect(await inserted(name, from, to), name).toBe(0);
    }
    expect(await inserted('before', -1, 0)).toBe(1);
    expect(await inserted('after', 2, 3)).toBe(1);
    expect(await inserted('theirs', 0, 2, 'other')).toBe(1);
  });

  test('lets a slot take the time of a canceled one', async () => {
    await slot('b', 10, 11);
    await take('b', 'ana');
    await run("UPDATE slots SET status = 2, canceled_at = 1, canceled_by = 'ana' WHERE id = 'b'");
    await slot('again', 10, 11);
    expect(await count('again')).toBe(1);
  });

  test('gives a slot one holder, ever', async () => {
    await slot('c', 20, 21);
    await hold('c', 'ana');
    await expect(hold('c', 'bo')).rejects.toThrow();
    await run("UPDATE slots SET status = 1 WHERE id = 'c'");
    await expect(hold('c', 'bo')).rejects.toThrow(/slot_not_open/);
    await expect(run("UPDATE bookings SET booker_id = 'bo' WHERE slot_id = 'c'")).rejects.toThrow(
      /booking_keeps_its_holder/,
    );
  });

  test('has no booked slot without a holder', async () => {
    await slot('d', 30, 31);
    await expect(run("UPDATE slots SET status = 1 WHERE id = 'd'")).rejects.toThrow(/slot_without_holder/);
  });

  test('begins a slot open, and takes no booking of one that is not', async () => {
    await expect(slot('x', 35, 36, 'host', 1)).rejects.toThrow(/slot_begins_open/);
    await slot('x', 35, 36);
    await run("UPDATE slots SET status = 2, canceled_at = 1, canceled_by = 'host' WHERE id = 'x'");
    await expect(hold('x', 'ana')).rejects.toThrow(/slot_not_open/);
  });

  test('lets a slot last up to a day, and not less than nothing', async () => {
    await slot('day', 100, 124);
    await expect(slot('longer', 130, 154.5)).rejects.toThrow(/slot_has_length/);
    await expect(slot('none', 130, 130)).rejects.toThrow(/slot_has_length/);
  });

  test('lets a slot live once, and keep its time', async () => {
    await slot('e', 40, 41);
    await run("UPDATE slots SET status = 2, canceled_at = 1, canceled_by = 'host' WHERE id = 'e'");
    await expect(run("UPDATE slots SET status = 2, canceled_at = 2 WHERE id = 'e'")).rejects.toThrow(/slot_lives_once/);
    await expect(
      run("UPDATE slots SET status = 0, canceled_at = NULL, canceled_by = NULL WHERE id = 'e'"),
    ).rejects.toThrow(/slot_lives_once/);
    await expect(run("UPDATE slots SET starts_at = 0 WHERE id = 'e'")).rejects.toThrow(/slot_keeps_its_time/);
    await expect(run("UPDATE slots SET status = 1 WHERE id = 'e'")).rejects.toThrow();
    await slot('live', 42, 43);
    await take('live', 'ana');
    for (const earlier of [0, 1]) {
      await expect(run("UPDATE slots SET status = ? WHERE id = 'live'", earlier)).rejects.toThrow(/slot_lives_once/);
    }
  });

  test('keeps the wording of a published template', async () => {
    await run("INSERT INTO templates VALUES ('t', 'host', 'T', '[]', 0, NULL, 0, NULL)");
    await expect(run("UPDATE templates SET questions = '[1]' WHERE id = 't'")).rejects.toThrow(/template_is_published/);
  });

  test('names the refusals that it knows', async () => {
    await expect(run("INSERT INTO refusals VALUES ('too_many_names')")).rejects.toThrow(/too_many_names/);
    await expect(run("INSERT INTO refusals VALUES ('other')")).rejects.toThrow(/unknown_refusal/);
  });

  describe('is a row that', () => {
    beforeAll(async () => {
      await run("INSERT INTO templates VALUES ('t2', 'host', 'T', '[]', 0, NULL, 0, NULL)");
      await slot('f', 50, 51);
      await hold('f', 'ana');
      await run(
        "INSERT INTO parties VALUES ('q', 'party', 'host', 'Q', NULL, 1, 2, '2030-01-07', 'UTC', NULL, NULL, NULL, NULL, NULL, NULL, 5, 0, 0, 0, 0, 0)",
      );
      await run("INSERT INTO invitations VALUES ('q', 'ana', 'i', 'ana', 'ana', 'ana', 'ana', 1, 0, '[]', 1, 0)");
      await run("INSERT INTO one_time_keys VALUES ('ana', 'k', 'c', NULL, 0)");
    });

    test.each([
      ['cities', "folded = 'lisbon'", 'providers = -1', 'providers >= 0'],
      ['accounts', "id = 'ana'", "display_name = ''", 'length(display_name)'],
      ['accounts', "id = 'ana'", "role = 'Admin'", 'role IN'],
      ['accounts', "id = 'ana'", "city = 'lisbon'", 'provider_has_city'],
      ['accounts', "id = 'other'", 'city = NULL', 'provider_has_city'],
      ['accounts', "id = 'ana'", "description = printf('%2001d', 0)", 'length(description)'],
      ['one_time_keys', "key = 'k'", "answer = '{'", 'json_valid(answer)'],
      ['slots', "id = 'f'", 'status = 3', 'status IN'],
      ['slots', "id = 'f'", 'status = 2, canceled_at = 1', 'slot_cancellation'],
      ['slots', "id = 'f'", "status = 2, canceled_by = 'ana'", 'slot_cancellation'],
      ['slots', "id = 'f'", 'canceled_at = 1', 'slot_cancellation'],
      ['slots', "id = 'f'", "notes = ''", 'length(notes)'],
      ['slots', "id = 'f'", "id = 'g'", 'slot_keeps_its_time'],
      ['slots', "id = 'f'", "provider_id = 'other'", 'slot_keeps_its_time'],
      ['slots', "id = 'f'", 'ends_at = ends_at + 1', 'slot_keeps_its_time'],
      ['slots', "id = 'f'", "local_date = '2030-01-08'", 'slot_keeps_its_time'],
      ['slots', "id = 'f'", "time_zone = 'Europe/Lisbon'", 'slot_keeps_its_time'],
      ['slots', "id = 'f'", "template_id = 't2'", 'slot_keeps_its_time'],
      ['bookings', "slot_id = 'f'", "slot_id = 'again'", 'booking_keeps_its_holder'],
      ['bookings', "slot_id = 'f'", 'starts_at = 1', 'booking_keeps_its_holder'],
      ['bookings', "slot_id = 'f'", "answers = '{}'", 'json_type(answers)'],
      ['bookings', "slot_id = 'f'", 'is_canceled = 2', 'is_canceled IN'],
      ['templates', "id = 't2'", "id = 't3'", 'template_is_published'],
      ['templates', "id = 't2'", "provider_id = 'other'", 'template_is_published'],
      ['templates', "id = 't2'", "display_name = 'U'", 'template_is_published'],
      ['parties', "id = 'q'", "kind = 'wake'", 'kind IN'],
      ['parties', "id = 'q'", "title = ''", 'length(title)'],
      ['parties', "id = 'q'", 'ends_at = starts_at', 'ends_at > starts_at'],
      ['parties', "id = 'q'", "local_date = '01-07-2030'", 'local_date GLOB'],
      ['parties', "id = 'q'", 'capacity = 0', 'capacity BETWEEN'],
      ['parties', "id = 'q'", "rsvp_by = '2030-01-07'", 'party_closing'],
      ['parties', "id = 'q'", 'rsvp_closes_at = 1', 'party_closing'],
      ['parties', "id = 'q'", 'plus_ones = 21', 'plus_ones BETWEEN'],
      ['parties', "id = 'q'", 'hide_going = 2', 'hide_going IN'],
      ['parties', "id = 'q'", 'going = -1', 'going >= 0'],
      ['parties', "id = 'q'", 'invited = -1', 'invited >= 0'],
      ['invitations', "id = 'i'", 'accepted = 2', 'accepted IN'],
      ['invitations', "id = 'i'", 'guests = 21', 'guests BETWEEN'],
      ['invitations', "id = 'i'", "answers = 'null'", 'json_type(answers)'],
      ['invitations', "id = 'i'", "invitee = 'bo'", 'invitation_of_one'],
      ['invitations', "id = 'i'", 'answered_at = NULL', 'invitation_answered'],
      ['invitations', "id = 'i'", 'accepted = NULL', 'invitation_answered'],
    ])('in %s where %s has %s: %s', async (table, where, set, rule) => {
      await expect(run(`UPDATE ${table} SET ${set} WHERE ${where}`)).rejects.toThrow(rule);
    });
  });

  test('never has more people coming than a party has room for', async () => {
    await run(
      "INSERT INTO parties VALUES ('p', 'party', 'host', 'P', NULL, 1, 2, '2030-01-07', 'UTC', NULL, NULL, NULL, 3, NULL, NULL, 5, 0, 0, 0, 0, 0)",
    );
    const answer = (id: string, accepted: number, guests: number) =>
      run("INSERT INTO invitations VALUES ('p', ?1, ?1, ?1, ?1, ?1, ?1, ?2, ?3, '[]', 1, 0)", id, accepted, guests);
    const counted = () => env.DB.prepare("SELECT going, invited FROM parties WHERE id = 'p'").first();
    await answer('ana', 1, 1);
    await expect(answer('bo', 1, 1)).rejects.toThrow(/party_has_room/);
    await answer('bo', 1, 0);
    await expect(run("UPDATE invitations SET guests = 2 WHERE id = 'ana'")).rejects.toThrow(/party_has_room/);
    await expect(run("UPDATE parties SET capacity = 2 WHERE id = 'p'")).rejects.toThrow(/party_has_room/);
    await run("UPDATE invitations SET accepted = 0, guests = 0 WHERE id = 'ana'");
    await run("UPDATE invitations SET guests = 2 WHERE id = 'bo'");
    expect(await counted()).toEqual({ going: 3, invited: 2 });
    await run("DELETE FROM invitations WHERE id = 'bo'");
    expect(await counted()).toEqual({ going: 0, invited: 1 });
    // The names of a meetup are counted by the statement that brings them, but for those that come with an answer.
    await run("UPDATE parties SET invited = 2 WHERE id = 'p'");
    await run("INSERT INTO invitations VALUES ('p', 'cy', 'cy', NULL, NULL, 'Cy', 'cy', 1, 1, '[]', 1, 0)");
    expect(await counted()).toEqual({ going: 2, invited: 2 });
  });

  test('finds nobody but providers by a name', async () => {
    await run("UPDATE accounts SET display_name = 'Bea', display_folded = 'bea' WHERE id IN ('bo', 'other')");
    const { results } = await env.DB.prepare("SELECT provider_id FROM provider_names WHERE ending = 'bea'").all();
    expect(results).toEqual([{ provider_id: 'other' }]);
  });
});
