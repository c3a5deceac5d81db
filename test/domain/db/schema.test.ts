import { env } from 'cloudflare:test';
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import { beforeAll, describe, expect, test } from 'vitest';
import * as schema from '../../../db/schema';

const hour = 60 * 60 * 1000;
const base = Date.UTC(2030, 0, 7, 9);
const run = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();

const account = (id: string, role: 'Consumer' | 'Provider') =>
  run(
    `INSERT INTO accounts (id, username, username_folded, display_name, display_folded, display_sort_key, password_hash,
      role, time_zone, city, created_at) VALUES (?1, ?1, ?1, ?1, ?1, ?1, ?1, ?2, ?3, ?4, 0)`,
    id,
    role,
    'UTC',
    role === 'Provider' ? 'lisbon' : null,
  );
/** An account without a login. */
const guest = (id: string) =>
  run(
    `INSERT INTO accounts (id, display_name, display_folded, display_sort_key, role, time_zone, created_at)
      VALUES (?1, ?1, ?1, ?1, 'Consumer', 'UTC', 0)`,
    id,
  );
const template = (id: string) =>
  run(
    `INSERT INTO templates (id, provider_id, display_name, questions, listed_at, created_at)
      VALUES (?, 'host', 'T', '[]', 0, 0)`,
    id,
  );
const party = (id: string, capacity: number | null = null) =>
  run(
    `INSERT INTO parties (id, kind, provider_id, title, starts_at, ends_at, local_date, time_zone, capacity, plus_ones, created_at)
      VALUES (?1, 'party', 'host', ?1, 1, 2, '2030-01-07', 'UTC', ?2, 5, 0)`,
    id,
    capacity,
  );
const rsvp = (to: string, id: string, accepted: number, plusOnes: number, account: string | null = id) =>
  run(
    `INSERT INTO invitations (party_id, invitee, id, account_id, name, name_sort_key, accepted, plus_ones, answered_at, created_at)
      VALUES (?1, ?2, ?1 || ?2, ?3, ?2, ?2, ?4, ?5, 1, 0)`,
    to,
    id,
    account,
    accepted,
    plusOnes,
  );
const provider = 'host';
const idOf = (name: string, from: number, of = provider) =>
  `${of}${String(base + from * hour).padStart(13, '0')}${name.padEnd(12, '-')}`;
const slot = (name: string, from: number, to: number, of = provider) =>
  run(
    `INSERT INTO slots (provider_id, starts_at, id, ends_at, city, local_date, time_zone, publication)
      VALUES (?, ?, ?, ?, 'lisbon', '2030-01-07', 'UTC', 'p')`,
    ...[of, base + from * hour, idOf(name, from, of), base + to * hour],
  );
type Booking = { status?: number; from?: string; by?: string };
/** Books the slot of this name and start. */
const take = (
  name: string,
  at: number,
  booker: string,
  { status = 1, from, by = 'provider' }: Booking = {},
  of = provider,
) =>
  run(
    `INSERT INTO bookings (provider_id, starts_at, id, ends_at, kept_until, local_date, time_zone, city, status, booker_id, person_id,
        booked_at, moved_from, moved_by)
      VALUES (?1, ?2, ?3, ?4, ?4, '2030-01-07', 'UTC', 'lisbon', ?5, ?6, ?6, 1, ?7, ?8)`,
    ...[
      of,
      base + at * hour,
      idOf(name, at, of),
      base + (at + 1) * hour,
      status,
      booker,
      from ?? null,
      from ? by : null,
    ],
  );
const cancel = (name: string, at: number, more = '') =>
  run(`UPDATE bookings SET status = 2, canceled_at = 1, canceled_by = 'consumer'${more} WHERE id = ?`, idOf(name, at));
const stateAt = (at: number) =>
  env.DB.prepare('SELECT state FROM slots WHERE provider_id = ? AND starts_at = ?')
    .bind(provider, base + at * hour)
    .first('state');
beforeAll(async () => {
  await run("INSERT INTO cities VALUES ('lisbon', 'Lisbon', 0)");
  await account('host', 'Provider');
  await account('other', 'Provider');
  await account('ana', 'Consumer');
  await account('bo', 'Consumer');
  await guest('gus');
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
      // In any order: a later migration adds its columns at the end.
      expect(new Set(coded)).toEqual(new Set(results));
    },
  );

  test('leaves no table of the migrations out', async () => {
    const { results } = await env.DB.prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite%' AND name <> 'd1_migrations' ORDER BY name",
    ).all();
    expect(results.map(({ name }) => name)).toEqual(tables.map(({ name }) => name).sort());
  });

  test('writes at most three index entries for each open slot, and none for one that is not', async () => {
    const { results } = await env.DB.prepare(
      "SELECT sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'slots' AND sql IS NOT NULL",
    ).all<{ sql: string }>();
    expect(results.map(({ sql }) => sql.slice(sql.indexOf('WHERE')))).toEqual([
      'WHERE state = 0',
      'WHERE state = 0 AND is_busy = 0',
      'WHERE state = 0 AND is_busy = 0',
    ]);
  });
});

describe('what the schema makes impossible', () => {
  test('lets a booking live once, and keep its slot while it does', async () => {
    await slot('e', 40, 41);
    await expect(take('e', 40, 'ana', { status: 2 })).rejects.toThrow(/booking_says_who_canceled|booking_begins_live/);
    await take('e', 40, 'ana');
    const id = idOf('e', 40);
    await expect(run('DELETE FROM bookings WHERE id = ?', id)).rejects.toThrow(/booking_is_live/);
    await expect(run('DELETE FROM slots WHERE id = ?', id)).rejects.toThrow(/slot_is_taken/);
    await expect(run("UPDATE slots SET template_id = 't' WHERE id = ?", id)).rejects.toThrow(
      /slot_keeps_its_questions/,
    );
    await cancel('e', 40);
    for (const change of ['status = 1, canceled_at = NULL, canceled_by = NULL', 'status = 2, canceled_at = 2']) {
      await expect(run(`UPDATE bookings SET ${change} WHERE id = ?`, id)).rejects.toThrow(/booking_lives_once/);
    }
  });

  describe('is a row that', () => {
    const [taken, open] = [`id = '${idOf('f', 50)}'`, `id = '${idOf('g', 52)}'`];
    beforeAll(async () => {
      await template('t2');
      await slot('f', 50, 51);
      await take('f', 50, 'ana');
      await slot('g', 52, 53);
      await party('q');
      await rsvp('q', 'ana', 1, 0);
      await party('o');
      await rsvp('o', 'ana', 1, 0);
      await run("UPDATE invitations SET link_hash = 'h' WHERE party_id = 'o'");
      await run("INSERT INTO one_time_keys VALUES ('ana', 'k', 'c', NULL, 0)");
    });

    test.each([
      ['cities', "folded = 'lisbon'", 'providers = -1', 'providers >= 0'],
      ['accounts', "id = 'ana'", "role = 'Admin'", 'unknown_role'],
      ['accounts', "id = 'ana'", 'username = NULL', 'half_a_login'],
      ['accounts', "id = 'ana'", 'username_folded = NULL', 'half_a_login'],
      ['accounts', "id = 'ana'", 'password_hash = NULL', 'half_a_login'],
      ['accounts', "id = 'gus'", "password_hash = 'x'", 'half_a_login'],
      ['accounts', "id = 'gus'", "username = 'bo', username_folded = 'bo', password_hash = 'x'", 'username_folded'],
      ['accounts', "id = 'gus'", "role = 'Provider', city = 'lisbon'", 'provider_has_login'],
      ['accounts', "id = 'other'", "open_to = 'friends'", 'unknown_open_to'],
      ['accounts', "id = 'other'", "ask_email = 'please'", 'unknown_ask_email'],
      ['accounts', "id = 'other'", "ask_phone = 'please'", 'unknown_ask_phone'],
      ['accounts', "id = 'ana'", "city = 'lisbon'", 'provider_has_city'],
      ['accounts', "id = 'other'", 'city = NULL', 'provider_has_city'],
      ['one_time_keys', "key = 'k'", "replay = '{'", 'json_valid(replay)'],
      ['slots', open, 'state = 3', 'slot_state_is_true'],
      ['slots', open, 'state = 1', 'slot_state_is_true'],
      ['slots', open, 'taken = 2', 'slot_has_room'],
      ['slots', open, 'taken = -1', 'slot_has_room'],
      ['slots', open, 'seats = 0', 'seats > 0'],
      ['slots', open, "notes = ''", 'notes <>'],
      ['slots', open, "reason = ''", 'reason <>'],
      ['slots', open, "id = 'g'", 'slot_lives_once'],
      ['slots', open, "provider_id = 'other'", 'slot_keeps_its_time'],
      ['slots', open, 'starts_at = starts_at + 1', 'slot_keeps_its_time'],
      ['slots', open, 'ends_at = ends_at + 1', 'slot_keeps_its_time'],
      ['slots', open, "local_date = '2030-01-08'", 'slot_keeps_its_time'],
      ['slots', open, "time_zone = 'Europe/Lisbon'", 'slot_keeps_its_time'],
      ['bookings', taken, "id = 'again'", 'booking_keeps_its_time'],
      ['bookings', taken, 'starts_at = 1', 'booking_keeps_its_time'],
      ['bookings', taken, 'ends_at = ends_at + 1', 'booking_keeps_its_time'],
      ['bookings', taken, 'people = 2', 'booking_keeps_its_time'],
      ['bookings', taken, 'status = 3', 'status BETWEEN'],
      ['bookings', taken, 'status = 0', 'booking_lives_once'],
      ['bookings', taken, "answers = '{}'", 'json_type(answers)'],
      ['bookings', taken, 'status = 2, canceled_at = 1', 'booking_says_who_canceled'],
      ['bookings', taken, "status = 2, canceled_by = 'consumer'", 'booking_says_who_canceled'],
      ['bookings', taken, 'canceled_at = 1', 'booking_says_who_canceled'],
      ['bookings', taken, "reason = ''", 'reason <>'],
      ['bookings', taken, "attendance = 'late'", 'unknown_attendance'],
      ['bookings', taken, "moved_to = 'e'", 'booking_moved'],
      ['bookings', taken, "moved_from = 'e'", 'booking_keeps_its_chain'],
      ['bookings', taken, "calendar_id = 'e'", 'booking_keeps_its_chain'],
      ['accounts', "id = 'other'", 'notice = -1', 'notice >= 0'],
      ['accounts', "id = 'other'", 'cancel_until = -1', 'cancel_until >= 0'],
      ['accounts', "id = 'other'", 'horizon_days = 0', 'horizon_days > 0'],
      ['accounts', "id = 'other'", 'per_person = 0', 'per_person > 0'],
      ['accounts', "id = 'other'", 'per_day = 0', 'per_day > 0'],
      ['templates', "id = 't2'", "id = 't3'", 'template_is_published'],
      ['templates', "id = 't2'", "provider_id = 'other'", 'template_is_published'],
      ['templates', "id = 't2'", "display_name = 'U'", 'template_is_published'],
      ['templates', "id = 't2'", "questions = '[1]'", 'template_is_published'],
      ['parties', "id = 'q'", "kind = 'wake'", 'unknown_kind'],
      ['parties', "id = 'q'", "open_to = 'friends'", 'unknown_open_to'],
      ['parties', "id = 'q'", 'ends_at = starts_at', 'ends_at > starts_at'],
      ['parties', "id = 'q'", "local_date = '01-07-2030'", 'local_date GLOB'],
      ['parties', "id = 'q'", "rsvp_by = '2030-01-07'", 'party_closing'],
      ['parties', "id = 'q'", 'rsvp_closes_at = 1', 'party_closing'],
      ['parties', "id = 'q'", 'plus_ones = -1', 'plus_ones >= 0'],
      ['parties', "id = 'q'", 'going = -1', 'going >= 0'],
      ['parties', "id = 'q'", 'invited = -1', 'invited >= 0'],
      ['invitations', "party_id = 'q'", 'accepted = 2', 'unknown_rsvp'],
      ['invitations', "party_id = 'q'", 'plus_ones = -1', 'plus_ones >= 0'],
      ['invitations', "party_id = 'q'", "account_id = 'bo', invitee = 'bo'", 'invitation_keeps_its_account'],
      ['invitations', "party_id = 'q'", "answers = 'null'", 'json_type(answers)'],
      ['invitations', "party_id = 'q'", "invitee = 'bo'", 'invitation_of_one'],
      ['invitations', "party_id = 'q'", 'answered_at = NULL', 'invitation_answered'],
      ['invitations', "party_id = 'q'", 'accepted = NULL', 'invitation_answered'],
      ['invitations', "party_id = 'q'", "link_hash = 'h'", 'link_hash'],
    ])('in %s where %s has %s: %s', async (table, where, set, rule) => {
      await expect(run(`UPDATE ${table} SET ${set} WHERE ${where}`)).rejects.toThrow(rule);
    });
  });

  test('never has more people coming than a party has room for', async () => {
    await party('p', 3);
    const answer = (id: string, accepted: number, plusOnes: number) => rsvp('p', id, accepted, plusOnes);
    const counted = () => env.DB.prepare("SELECT going, invited FROM parties WHERE id = 'p'").first();
    await answer('ana', 1, 1);
    await expect(answer('bo', 1, 1)).rejects.toThrow(/party_has_room/);
    await answer('bo', 1, 0);
    await expect(run("UPDATE invitations SET plus_ones = 2 WHERE id = 'pana'")).rejects.toThrow(/party_has_room/);
    await expect(run("UPDATE parties SET capacity = 2 WHERE id = 'p'")).rejects.toThrow(/party_has_room/);
    await run("UPDATE invitations SET accepted = 0, plus_ones = 0 WHERE id = 'pana'");
    await run("UPDATE invitations SET plus_ones = 2 WHERE id = 'pbo'");
    expect(await counted()).toEqual({ going: 3, invited: 2 });
    await run("DELETE FROM invitations WHERE id = 'pbo'");
    expect(await counted()).toEqual({ going: 0, invited: 1 });
    // The names of a meetup are counted by the statement that brings them, but for those that come with an answer.
    await run("UPDATE parties SET invited = 2 WHERE id = 'p'");
    await rsvp('p', 'cy', 1, 1, null);
    expect(await counted()).toEqual({ going: 2, invited: 2 });
  });

  test('lets what a guest has booked and answered go along to an account, and nobody else’s', async () => {
    await slot('g', 60, 61);
    await take('g', 60, 'gus');
    await cancel('g', 60);
    await party('r');
    await rsvp('r', 'gus', 1, 1);
    await run("UPDATE bookings SET booker_id = 'bo', person_id = 'bo' WHERE booker_id = 'gus'");
    await run("UPDATE invitations SET account_id = 'bo', invitee = 'bo' WHERE account_id = 'gus'");
    await expect(run("UPDATE bookings SET booker_id = 'gus' WHERE id = ?", idOf('g', 60))).rejects.toThrow(
      /booking_keeps_its_holder/,
    );
    await expect(
      run("UPDATE invitations SET account_id = 'gus', invitee = 'gus' WHERE party_id = 'r'"),
    ).rejects.toThrow(/invitation_keeps_its_account/);
    expect(await env.DB.prepare("SELECT going, invited FROM parties WHERE id = 'r'").first()).toEqual({
      going: 2,
      invited: 1,
    });
  });

  test('lets a booking move with its provider and its booker alone, and says who moved it', async () => {
    await slot('from', 80, 81);
    await slot('to', 82, 83);
    await slot('theirs', 84, 85, 'other');
    await take('from', 80, 'gus');
    const from = idOf('from', 80);
    await expect(take('theirs', 84, 'gus', { from }, 'other')).rejects.toThrow(/booking_moves_whole/);
    await expect(take('to', 82, 'ana', { from })).rejects.toThrow(/booking_moves_whole/);
    await expect(take('to', 82, 'gus', { from, by: 'nobody' })).rejects.toThrow(/booking_moves_whole/);
    await expect(take('to', 82, 'gus', { from: idOf('theirs', 84, 'other') })).rejects.toThrow(/booking_moves_whole/);
    await take('to', 82, 'gus', { from });
    await cancel('from', 80, `, moved_to = '${idOf('to', 82)}'`);
    expect([await stateAt(80), await stateAt(82)]).toEqual([0, 1]);
  });
});
