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
      role, time_zone, city, created_at) VALUES (?1, ?1, ?1, ?1, ?1, ?1, ?1, ?2, 'UTC', ?3, 0)`,
    ...[id, role, role === 'Provider' ? 'lisbon' : null],
  );
/** An account without a login. */
const guest = (id: string) =>
  run(
    `INSERT INTO accounts (id, display_name, display_folded, display_sort_key, role, time_zone, created_at)
      VALUES (?1, ?1, ?1, ?1, 'Consumer', 'UTC', 0)`,
    id,
  );
const party = (id: string, capacity: number | null = null) =>
  run(
    `INSERT INTO parties (id, kind, provider_id, title, starts_at, ends_at, local_date, time_zone, capacity, plus_ones, created_at)
      VALUES (?1, 'party', 'host', ?1, 1, 2, '2030-01-07', 'UTC', ?2, 5, 0)`,
    ...[id, capacity],
  );
const rsvp = (to: string, id: string, accepted: number, plusOnes: number, account: string | null = id) =>
  run(
    `INSERT INTO invitations (party_id, invitee, id, account_id, name, name_sort_key, accepted, plus_ones, answered_at, created_at)
      VALUES (?1, ?2, ?1 || ?2, ?3, ?2, ?2, ?4, ?5, 1, 0)`,
    ...[to, id, account, accepted, plusOnes],
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
type Booking = { status?: number; from?: string; by?: string; of?: string };
/** Books the slot of this name and start. */
const take = (name: string, at: number, booker: string, details: Booking = {}) => {
  const { status = 1, from = null, by = 'provider', of = provider } = details;
  const [id, starts, ends] = [idOf(name, at, of), base + at * hour, base + (at + 1) * hour];
  return run(
    `INSERT INTO bookings (provider_id, starts_at, id, ends_at, kept_until, local_date, time_zone, city, status, booker_id, person_id,
        booked_at, moved_from, moved_by)
      VALUES (?1, ?2, ?3, ?4, ?4, '2030-01-07', 'UTC', 'lisbon', ?5, ?6, ?6, 1, ?7, ?8)`,
    ...[of, starts, id, ends, status, booker, from, from && by],
  );
};
const cancel = (name: string, at: number, more = '') =>
  run(`UPDATE bookings SET status = 2, canceled_at = 1, canceled_by = 'consumer'${more} WHERE id = ?`, idOf(name, at));
const stateAt = (at: number) =>
  env.DB.prepare('SELECT state FROM slots WHERE provider_id = ? AND starts_at = ?')
    .bind(provider, base + at * hour)
    .first('state');
const countedAt = (id: string) => env.DB.prepare('SELECT going, invited FROM parties WHERE id = ?').bind(id).first();

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

  test('have the tables and columns of the migrations', async () => {
    const { results } = await env.DB.prepare(
      `SELECT tables.name || '.' || columns.name AS name, columns.type, columns."notnull" AS is_required
        FROM sqlite_schema AS tables, pragma_table_xinfo(tables.name) AS columns
        WHERE tables.type = 'table' AND tables.name NOT GLOB '_*' AND tables.name NOT GLOB 'sqlite*' AND tables.name <> 'd1_migrations'`,
    ).all<{ name: string }>();
    const coded = tables.flatMap(({ name, columns }) =>
      columns.map((column) => ({
        name: `${name}.${column.name}`,
        type: column.getSQLType().toUpperCase(),
        is_required: column.notNull || column.primary ? 1 : 0,
      })),
    );
    const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1);
    expect(coded.sort(byName)).toEqual(results.sort(byName));
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
    const asking = run("UPDATE slots SET template_id = 't' WHERE id = ?", id);
    await expect(asking).rejects.toThrow(/slot_keeps_its_questions/);
    await cancel('e', 40);
    for (const change of ['status = 1, canceled_at = NULL, canceled_by = NULL', 'status = 2, canceled_at = 2']) {
      await expect(run(`UPDATE bookings SET ${change} WHERE id = ?`, id)).rejects.toThrow(/booking_lives_once/);
    }
  });

  describe('is a row that', () => {
    const [taken, open] = [`id = '${idOf('f', 50)}'`, `id = '${idOf('g', 52)}'`];
    beforeAll(async () => {
      await run(
        `INSERT INTO templates (id, provider_id, display_name, questions, listed_at, created_at)
          VALUES ('t2', 'host', 'T', '[]', 0, 0)`,
      );
      await slot('f', 50, 51);
      await take('f', 50, 'ana');
      await slot('g', 52, 53);
      for (const name of ['q', 'o']) {
        await party(name);
        await rsvp(name, 'ana', 1, 0);
      }
      await run("UPDATE invitations SET link_hash = 'h' WHERE party_id = 'o'");
      await run("INSERT INTO one_time_keys VALUES ('ana', 'k', 'c', NULL, 0)");
    });

    const [ana, gus, other] = ["id = 'ana'", "id = 'gus'", "id = 'other'"];
    const [t2, q, ofQ] = ["id = 't2'", "id = 'q'", "party_id = 'q'"];
    test.each([
      ['cities', "folded = 'lisbon'", 'providers >= 0', ['providers = -1']],
      ['accounts', ana, 'half_a_login', ['username = NULL', 'username_folded = NULL', 'password_hash = NULL']],
      ['accounts', gus, 'half_a_login', ["password_hash = 'x'"]],
      ['accounts', gus, 'username_folded', ["username = 'bo', username_folded = 'bo', password_hash = 'x'"]],
      ['accounts', gus, 'provider_has_login', ["role = 'Provider', city = 'lisbon'"]],
      ['accounts', ana, /provider_has_city|unknown_role/, ["city = 'lisbon'", "role = 'Admin'"]],
      ['accounts', other, /provider_has_city|unknown_open_to/, ['city = NULL', "open_to = 'friends'"]],
      ['accounts', other, /unknown_ask_(email|phone)/, ["ask_email = 'please'", "ask_phone = 'please'"]],
      ['accounts', other, /(notice|cancel_until) >= 0/, ['notice = -1', 'cancel_until = -1']],
      ['accounts', other, /(horizon_days|per_\w+) > 0/, ['horizon_days = 0', 'per_person = 0', 'per_day = 0']],
      ['one_time_keys', "key = 'k'", 'json_valid(replay)', ["replay = '{'"]],
      ['slots', open, /slot_state_is_true|slot_lives_once/, ['state = 3', 'state = 1', "id = 'g'"]],
      ['slots', open, /slot_has_room|seats > 0/, ['taken = 2', 'taken = -1', 'seats = 0']],
      ['slots', open, /(notes|reason) <>/, ["notes = ''", "reason = ''"]],
      ['slots', open, 'slot_keeps_its_time', ["provider_id = 'other'", 'starts_at = 1', 'ends_at = ends_at + 1']],
      ['slots', open, 'slot_keeps_its_time', ["local_date = '2030-01-08'", "time_zone = 'Europe/Lisbon'"]],
      ['bookings', taken, 'booking_keeps_its_time', ["id = 'again'", 'starts_at = 1', 'ends_at = 1', 'people = 2']],
      ['bookings', taken, /status BETWEEN|booking_lives_once/, ['status = 3', 'status = 0']],
      ['bookings', taken, /json_type|reason <>|unknown_att/, ["answers = '{}'", "reason = ''", "attendance = 'late'"]],
      ['bookings', taken, 'booking_says_who_canceled', ['status = 2, canceled_at = 1', 'canceled_at = 1']],
      ['bookings', taken, 'booking_says_who_canceled', ["status = 2, canceled_by = 'consumer'"]],
      ['bookings', taken, /booking_(moved|keeps)/, ["moved_to = 'e'", "moved_from = 'e'", "calendar_id = 'e'"]],
      ['templates', t2, 'template_is_published', ["id = 't3'", "provider_id = 'other'"]],
      ['templates', t2, 'template_is_published', ["display_name = 'U'", "questions = '[1]'"]],
      ['parties', q, /unknown_(kind|open_to)/, ["kind = 'wake'", "open_to = 'friends'"]],
      ['parties', q, /> starts_at|local_date GLOB/, ['ends_at = starts_at', "local_date = '01-07-2030'"]],
      ['parties', q, 'party_closing', ["rsvp_by = '2030-01-07'", 'rsvp_closes_at = 1']],
      ['parties', q, /(plus_ones|going|invited) >= 0/, ['plus_ones = -1', 'going = -1', 'invited = -1']],
      ['invitations', ofQ, /unknown_rsvp|plus_ones >= 0/, ['accepted = 2', 'plus_ones = -1']],
      ['invitations', ofQ, 'invitation_keeps_its_account', ["account_id = 'bo', invitee = 'bo'"]],
      ['invitations', ofQ, /json_type|invitation_of_one/, ["answers = 'null'", "invitee = 'bo'"]],
      ['invitations', ofQ, 'invitation_answered', ['answered_at = NULL', 'accepted = NULL']],
      ['invitations', ofQ, 'link_hash', ["link_hash = 'h'"]],
    ])('in %s where %s keeps %s: never %j', async (table, where, rule, changes) => {
      for (const set of changes)
        await expect(run(`UPDATE ${table} SET ${set} WHERE ${where}`), set).rejects.toThrow(rule);
    });
  });

  test('never has more people coming than a party has room for', async () => {
    await party('p', 3);
    const answer = (id: string, accepted: number, plusOnes: number) => rsvp('p', id, accepted, plusOnes);
    await answer('ana', 1, 1);
    await expect(answer('bo', 1, 1)).rejects.toThrow(/party_has_room/);
    await answer('bo', 1, 0);
    await expect(run("UPDATE invitations SET plus_ones = 2 WHERE id = 'pana'")).rejects.toThrow(/party_has_room/);
    await expect(run("UPDATE parties SET capacity = 2 WHERE id = 'p'")).rejects.toThrow(/party_has_room/);
    await run("UPDATE invitations SET accepted = 0, plus_ones = 0 WHERE id = 'pana'");
    await run("UPDATE invitations SET plus_ones = 2 WHERE id = 'pbo'");
    expect(await countedAt('p')).toEqual({ going: 3, invited: 2 });
    await run("DELETE FROM invitations WHERE id = 'pbo'");
    expect(await countedAt('p')).toEqual({ going: 0, invited: 1 });
    // The names of a meetup are counted by the statement that brings them, but for those that come with an answer.
    await run("UPDATE parties SET invited = 2 WHERE id = 'p'");
    await rsvp('p', 'cy', 1, 1, null);
    expect(await countedAt('p')).toEqual({ going: 2, invited: 2 });
  });

  test('lets what a guest has booked and answered go along to an account, and nobody else’s', async () => {
    await slot('g', 60, 61);
    await take('g', 60, 'gus');
    await cancel('g', 60);
    await party('r');
    await rsvp('r', 'gus', 1, 1);
    await run("UPDATE bookings SET booker_id = 'bo', person_id = 'bo' WHERE booker_id = 'gus'");
    await run("UPDATE invitations SET account_id = 'bo', invitee = 'bo' WHERE account_id = 'gus'");
    const back = run("UPDATE bookings SET booker_id = 'gus' WHERE id = ?", idOf('g', 60));
    await expect(back).rejects.toThrow(/booking_keeps_its_holder/);
    const ofGus = run("UPDATE invitations SET account_id = 'gus', invitee = 'gus' WHERE party_id = 'r'");
    await expect(ofGus).rejects.toThrow(/invitation_keeps_its_account/);
    expect(await countedAt('r')).toEqual({ going: 2, invited: 1 });
  });

  test('lets a booking move with its provider and its booker alone, and says who moved it', async () => {
    await slot('from', 80, 81);
    await slot('to', 82, 83);
    await slot('theirs', 84, 85, 'other');
    await take('from', 80, 'gus');
    const from = idOf('from', 80);
    await expect(take('theirs', 84, 'gus', { from, of: 'other' })).rejects.toThrow(/booking_moves_whole/);
    await expect(take('to', 82, 'ana', { from })).rejects.toThrow(/booking_moves_whole/);
    await expect(take('to', 82, 'gus', { from, by: 'nobody' })).rejects.toThrow(/booking_moves_whole/);
    await expect(take('to', 82, 'gus', { from: idOf('theirs', 84, 'other') })).rejects.toThrow(/booking_moves_whole/);
    await take('to', 82, 'gus', { from });
    await cancel('from', 80, `, moved_to = '${idOf('to', 82)}'`);
    expect([await stateAt(80), await stateAt(82)]).toEqual([0, 1]);
  });
});
