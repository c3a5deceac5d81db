import { env } from 'cloudflare:test';
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as schema from '../../../db/schema';

const hour = 60 * 60 * 1000;
const base = Date.UTC(2030, 0, 7, 9);
const run = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();

const account = (id: string, role: 'Consumer' | 'Provider') =>
  run(
    `INSERT INTO accounts (id, username, username_folded, display_name, display_plain, display_sort_key, password_hash,
      role, time_zone, city, created_at) VALUES (?1, ?1, ?1, ?1, ?1, ?1, ?1, ?2, 'UTC', ?3, 0)`,
    ...[id, role, role === 'Provider' ? 'lisbon' : null],
  );
/** An account without a login. */
const guest = (id: string) =>
  run(
    `INSERT INTO accounts (id, display_name, display_plain, display_sort_key, role, time_zone, created_at)
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
    `INSERT INTO invitations (party_id, invitee, id, account_id, name, name_sort_key, accepted, plus_ones, rsvp_at, created_at)
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
    `INSERT INTO bookings (provider_id, starts_at, id, ends_at, taken_until, local_date, time_zone, city, status, booker_id, person_id,
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

  test('have four indexes of slots, which hold open ones or full classes alone', async () => {
    const { results } = await env.DB.prepare(
      "SELECT sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'slots' AND sql IS NOT NULL",
    ).all<{ sql: string }>();

    expect(results.map(({ sql }) => sql.slice(sql.indexOf('WHERE')))).toEqual([
      'WHERE state = 0',
      'WHERE state = 1 AND seats > 1',
      'WHERE state = 0 AND is_busy = 0',
      'WHERE state = 0 AND is_busy = 0',
    ]);
  });
});

describe('a booking', () => {
  /** A slot of its own for each test, by the hour that it starts. */
  let hourOfSlot = 40;
  let id: string;
  beforeEach(async () => {
    hourOfSlot += 1;
    id = idOf('slot', hourOfSlot);
    await slot('slot', hourOfSlot, hourOfSlot + 1);
  });
  const bookSlot = () => take('slot', hourOfSlot, 'ana');

  test('never begins as a canceled one', async () => {
    const canceled = take('slot', hourOfSlot, 'ana', { status: 2 });

    await expect(canceled).rejects.toThrow(/booking_says_who_canceled|booking_begins_live/);
  });

  test('is not deleted while it stands', async () => {
    await bookSlot();

    await expect(run('DELETE FROM bookings WHERE id = ?', id)).rejects.toThrow(/booking_is_live/);
  });

  test('keeps its slot', async () => {
    await bookSlot();

    await expect(run('DELETE FROM slots WHERE id = ?', id)).rejects.toThrow(/slot_is_taken/);
  });

  test('keeps the questions of its slot', async () => {
    await bookSlot();

    const asking = run("UPDATE slots SET template_id = 't' WHERE id = ?", id);

    await expect(asking).rejects.toThrow(/slot_keeps_its_questions/);
  });

  test.each([
    ['stands again', 'status = 1, canceled_at = NULL, canceled_by = NULL'],
    ['is canceled at another time', 'canceled_at = 2'],
  ])('that is canceled never %s', async (_, change) => {
    await bookSlot();
    await cancel('slot', hourOfSlot);

    const changed = run(`UPDATE bookings SET ${change} WHERE id = ?`, id);

    await expect(changed).rejects.toThrow(/booking_lives_once/);
  });
});

describe('a row', () => {
  const [booked, open] = [`id = '${idOf('f', 20)}'`, `id = '${idOf('g', 22)}'`];
  beforeAll(async () => {
    await run(
      `INSERT INTO templates (id, provider_id, display_name, questions, listed_at, created_at)
        VALUES ('t2', 'host', 'T', '[]', 0, 0)`,
    );
    await slot('f', 20, 21);
    await take('f', 20, 'ana');
    await slot('g', 22, 23);
    for (const name of ['q', 'o']) {
      await party(name);
      await rsvp(name, 'ana', 1, 0);
    }
    await run("UPDATE invitations SET link_hash = 'h' WHERE party_id = 'o'");
    await run("INSERT INTO one_time_keys VALUES ('ana', 'k', 'c', NULL, 0)");
  });

  const [ana, guestRow, otherProvider] = ["id = 'ana'", "id = 'gus'", "id = 'other'"];
  const [templateRow, partyRow, invitationRow] = ["id = 't2'", "id = 'q'", "party_id = 'q'"];
  test.each([
    ['cities', "folded = 'lisbon'", 'providers = -1', 'providers >= 0'],

    ['accounts', ana, 'username = NULL', 'half_a_login'],
    ['accounts', ana, 'username_folded = NULL', 'half_a_login'],
    ['accounts', ana, 'password_hash = NULL', 'half_a_login'],
    ['accounts', guestRow, "password_hash = 'x'", 'half_a_login'],
    ['accounts', guestRow, "username = 'bo', username_folded = 'bo', password_hash = 'x'", 'username_folded'],
    ['accounts', guestRow, "role = 'Provider', city = 'lisbon'", 'provider_has_login'],
    ['accounts', ana, "city = 'lisbon'", 'provider_has_city'],
    ['accounts', ana, "role = 'Admin'", 'unknown_role'],
    ['accounts', otherProvider, 'city = NULL', 'provider_has_city'],
    ['accounts', otherProvider, "open_to = 'friends'", 'unknown_open_to'],
    ['accounts', otherProvider, "ask_email = 'please'", 'unknown_ask_email'],
    ['accounts', otherProvider, "ask_phone = 'please'", 'unknown_ask_phone'],
    ['accounts', otherProvider, 'notice = -1', 'notice >= 0'],
    ['accounts', otherProvider, 'cancel_until = -1', 'cancel_until >= 0'],
    ['accounts', otherProvider, 'horizon_days = 0', 'horizon_days > 0'],
    ['accounts', otherProvider, 'per_person = 0', 'per_person > 0'],
    ['accounts', otherProvider, 'per_day = 0', 'per_day > 0'],

    ['one_time_keys', "key = 'k'", "replay = '{'", 'json_valid(replay)'],

    ['slots', open, 'state = 3', /slot_state_is_true|slot_lives_once/],
    ['slots', open, 'state = 1', /slot_state_is_true|slot_lives_once/],
    ['slots', open, "id = 'g'", /slot_state_is_true|slot_lives_once/],
    ['slots', open, 'taken = 2', 'slot_has_room'],
    ['slots', open, 'taken = -1', /slot_has_room|seats > 0/],
    ['slots', open, 'seats = 0', /slot_has_room|seats > 0/],
    ['slots', open, "notes = ''", 'notes <>'],
    ['slots', open, "reason = ''", 'reason <>'],
    ['slots', open, "provider_id = 'other'", 'slot_keeps_its_time'],
    ['slots', open, 'starts_at = 1', 'slot_keeps_its_time'],
    ['slots', open, 'ends_at = ends_at + 1', 'slot_keeps_its_time'],
    ['slots', open, "local_date = '2030-01-08'", 'slot_keeps_its_time'],
    ['slots', open, "time_zone = 'Europe/Lisbon'", 'slot_keeps_its_time'],

    ['bookings', booked, "id = 'again'", 'booking_keeps_its_time'],
    ['bookings', booked, 'starts_at = 1', 'booking_keeps_its_time'],
    ['bookings', booked, 'ends_at = 1', 'booking_keeps_its_time'],
    ['bookings', booked, 'people = 2', 'booking_keeps_its_time'],
    ['bookings', booked, 'status = 3', /status BETWEEN|booking_lives_once/],
    ['bookings', booked, 'status = 0', /status BETWEEN|booking_lives_once/],
    ['bookings', booked, "answers = '{}'", 'json_type'],
    ['bookings', booked, "reason = ''", 'reason <>'],
    ['bookings', booked, "attendance = 'late'", 'unknown_att'],
    ['bookings', booked, 'status = 2, canceled_at = 1', 'booking_says_who_canceled'],
    ['bookings', booked, "status = 2, canceled_by = 'consumer'", 'booking_says_who_canceled'],
    ['bookings', booked, 'canceled_at = 1', 'booking_says_who_canceled'],
    ['bookings', booked, "moved_to = 'e'", /booking_(moved|keeps)/],
    ['bookings', booked, "moved_from = 'e'", /booking_(moved|keeps)/],
    ['bookings', booked, "calendar_id = 'e'", /booking_(moved|keeps)/],

    ['templates', templateRow, "id = 't3'", 'template_is_published'],
    ['templates', templateRow, "provider_id = 'other'", 'template_is_published'],
    ['templates', templateRow, "display_name = 'U'", 'template_is_published'],
    ['templates', templateRow, "questions = '[1]'", 'template_is_published'],

    ['parties', partyRow, "kind = 'wake'", 'unknown_kind'],
    ['parties', partyRow, "open_to = 'friends'", 'unknown_open_to'],
    ['parties', partyRow, 'ends_at = starts_at', '> starts_at'],
    ['parties', partyRow, "local_date = '01-07-2030'", 'local_date GLOB'],
    ['parties', partyRow, "rsvp_by = '2030-01-07'", 'party_closing'],
    ['parties', partyRow, 'rsvp_closes_at = 1', 'party_closing'],
    ['parties', partyRow, 'plus_ones = -1', 'plus_ones >= 0'],
    ['parties', partyRow, 'going = -1', 'going >= 0'],
    ['parties', partyRow, 'invited = -1', 'invited >= 0'],

    ['invitations', invitationRow, 'accepted = 2', 'unknown_rsvp'],
    ['invitations', invitationRow, 'plus_ones = -1', 'plus_ones >= 0'],
    ['invitations', invitationRow, "account_id = 'bo', invitee = 'bo'", 'invitation_keeps_its_account'],
    ['invitations', invitationRow, "answers = 'null'", 'json_type'],
    ['invitations', invitationRow, "invitee = 'bo'", 'invitation_of_one'],
    ['invitations', invitationRow, 'rsvp_at = NULL', 'invitation_has_rsvp'],
    ['invitations', invitationRow, 'accepted = NULL', 'invitation_has_rsvp'],
    ['invitations', invitationRow, "link_hash = 'h'", 'link_hash'],
  ])('of %s, where %s, never has %s', async (table, where, change, rule) => {
    await expect(run(`UPDATE ${table} SET ${change} WHERE ${where}`)).rejects.toThrow(rule);
  });
});

describe('a party with room for three', () => {
  let name = 'room';
  /** Ana comes with somebody. */
  beforeEach(async () => {
    name += '-';
    await party(name, 3);
    await rsvp(name, 'ana', 1, 1);
  });
  const change = (invitee: string, set: string) =>
    run(`UPDATE invitations SET ${set} WHERE party_id = ? AND invitee = ?`, name, invitee);
  const setCapacity = (capacity: number) => run('UPDATE parties SET capacity = ? WHERE id = ?', capacity, name);

  test('takes no fourth', async () => {
    await expect(rsvp(name, 'bo', 1, 1)).rejects.toThrow(/party_has_room/);
  });

  test('takes no fourth by an RSVP that is changed', async () => {
    await rsvp(name, 'bo', 1, 0);

    await expect(change('ana', 'plus_ones = 2')).rejects.toThrow(/party_has_room/);
  });

  test('never has less room than people who come', async () => {
    await rsvp(name, 'bo', 1, 0);

    await expect(setCapacity(2)).rejects.toThrow(/party_has_room/);
  });

  test('has the room again of those who cancel', async () => {
    await rsvp(name, 'bo', 1, 0);

    await change('ana', 'accepted = 0, plus_ones = 0');
    await change('bo', 'plus_ones = 2');

    expect(await countedAt(name)).toEqual({ going: 3, invited: 2 });
  });

  test('no longer counts an invitation that is deleted', async () => {
    await rsvp(name, 'bo', 1, 0);

    await run("DELETE FROM invitations WHERE party_id = ? AND invitee = 'ana'", name);

    expect(await countedAt(name)).toEqual({ going: 1, invited: 1 });
  });

  // The statement that brings the names of a meetup counts them itself.
  test('counts the people of a name that comes with an RSVP, and not the name', async () => {
    await change('ana', 'accepted = 0, plus_ones = 0');

    await rsvp(name, 'cy', 1, 1, null);

    expect(await countedAt(name)).toEqual({ going: 2, invited: 1 });
  });
});

describe('what a guest has', () => {
  let id: string;
  beforeAll(async () => {
    id = idOf('g', 70);
    await slot('g', 70, 71);
    await take('g', 70, 'gus');
    await cancel('g', 70);
    await party('r');
    await rsvp('r', 'gus', 1, 1);

    await run("UPDATE bookings SET booker_id = 'bo', person_id = 'bo' WHERE booker_id = 'gus'");
    await run("UPDATE invitations SET account_id = 'bo', invitee = 'bo' WHERE account_id = 'gus'");
  });

  test('booked goes along to an account', async () => {
    expect(await env.DB.prepare('SELECT booker_id FROM bookings WHERE id = ?').bind(id).first('booker_id')).toBe('bo');
  });

  test('answered goes along to an account', async () => {
    const invitee = await env.DB.prepare("SELECT invitee FROM invitations WHERE party_id = 'r'").first('invitee');

    expect(invitee).toBe('bo');
    expect(await countedAt('r')).toEqual({ going: 2, invited: 1 });
  });

  test('booked does not go back from an account', async () => {
    const back = run("UPDATE bookings SET booker_id = 'gus' WHERE id = ?", id);

    await expect(back).rejects.toThrow(/booking_keeps_its_booker/);
  });

  test('answered does not go back from an account', async () => {
    const back = run("UPDATE invitations SET account_id = 'gus', invitee = 'gus' WHERE party_id = 'r'");

    await expect(back).rejects.toThrow(/invitation_keeps_its_account/);
  });
});

test('a provider’s note about a guest goes along from their own card', async () => {
  await guest('lou');
  await slot('n', 90, 91);
  await slot('n', 92, 93, 'other');
  await take('n', 90, 'lou');
  await take('n', 92, 'lou', { of: 'other' });
  await run("UPDATE people SET note = 'of ' || provider_id WHERE id = 'lou'");

  await run("UPDATE bookings SET booker_id = 'bo', person_id = 'bo' WHERE booker_id = 'lou' AND provider_id = 'other'");

  const card = env.DB.prepare("SELECT note FROM people WHERE provider_id = 'other' AND id = 'bo'");
  expect(await card.first('note')).toBe('of other');
});

describe('a booking that moves', () => {
  const from = idOf('from', 80);
  beforeAll(async () => {
    await slot('from', 80, 81);
    await slot('to', 82, 83);
    await slot('theirs', 84, 85, 'other');
    await take('from', 80, 'gus');
  });

  test('stays with its provider, or in their shop', async () => {
    await expect(take('theirs', 84, 'gus', { from, of: 'other' })).rejects.toThrow(/booking_stays_in_shop/);
  });

  test('stays with its booker', async () => {
    await expect(take('to', 82, 'ana', { from })).rejects.toThrow(/booking_moves_whole/);
  });

  test('says who moved it', async () => {
    await expect(take('to', 82, 'gus', { from, by: 'nobody' })).rejects.toThrow(/booking_moves_whole/);
  });

  test('comes from a booking that its provider has', async () => {
    const ofOther = idOf('theirs', 84, 'other');

    await expect(take('to', 82, 'gus', { from: ofOther })).rejects.toThrow(/booking_moves_whole/);
  });

  test('takes its new slot, whose old one is free', async () => {
    await take('to', 82, 'gus', { from });
    await cancel('from', 80, `, moved_to = '${idOf('to', 82)}'`);

    expect(await stateAt(80)).toBe(0);
    expect(await stateAt(82)).toBe(1);
  });
});
