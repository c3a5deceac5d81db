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
const slot = (id: string, from: number, to: number, provider = 'host', status = 0) =>
  run(
    `INSERT INTO slots (id, provider_id, city, starts_at, ends_at, local_date, time_zone, status, publication)
      VALUES (?, ?, 'lisbon', ?, ?, '2030-01-07', 'UTC', ?, 'p')`,
    id,
    provider,
    base + from * hour,
    base + to * hour,
    status,
  );
const hold = (id: string, booker: string, number = 0) =>
  run(
    'INSERT INTO bookings (slot_id, number, booker_id, starts_at, booked_at) VALUES (?, ?, ?, 0, 0)',
    id,
    number,
    booker,
  );
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
      const byName = (one: { name?: unknown }, other: { name?: unknown }) =>
        String(one.name) < String(other.name) ? -1 : 1;
      // In whatever order: a later migration adds its columns at the end, the code beside those that they belong to.
      expect(coded.sort(byName)).toEqual(results.sort(byName));
    },
  );

  test('leaves no table of the migrations out', async () => {
    const { results } = await env.DB.prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite%' AND name <> 'd1_migrations' ORDER BY name",
    ).all();
    expect(results.map(({ name }) => name)).toEqual(tables.map(({ name }) => name).sort());
  });

  test('writes at most three index entries for each open slot', async () => {
    const { results } = await env.DB.prepare(
      "SELECT sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'slots'",
    ).all<{ sql: string }>();
    const ofOpen = results.filter(({ sql }) => !sql.includes('WHERE was_booked = 1'));
    expect([results.length, ofOpen.length]).toEqual([4, 3]);
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
    await run("UPDATE slots SET status = 2, was_booked = 1, canceled_at = 1, canceled_by = 'ana' WHERE id = 'b'");
    await slot('again', 10, 11);
    expect(await count('again')).toBe(1);
  });

  test('gives a slot one holder, ever', async () => {
    await slot('c', 20, 21);
    await hold('c', 'ana');
    await expect(hold('c', 'bo')).rejects.toThrow(/UNIQUE/);
    await expect(hold('c', 'bo', 1)).rejects.toThrow(/slot_has_one_holder/);
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
    await expect(slot('longer', 130, 154.5)).rejects.toThrow(/slot_lasts_a_day_at_most/);
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
    await expect(
      run("UPDATE slots SET status = 2, canceled_at = 1, canceled_by = 'host' WHERE id = 'live'"),
    ).rejects.toThrow(/slot_was_booked/);
    for (const kept of ['e', 'live']) {
      const change = run("UPDATE slots SET template_id = 't' WHERE id = ?", kept);
      await expect(change).rejects.toThrow(/slot_keeps_its_questions/);
    }
    for (const earlier of [0, 1]) {
      await expect(run("UPDATE slots SET status = ? WHERE id = 'live'", earlier)).rejects.toThrow(/slot_lives_once/);
    }
  });

  test('keeps the wording of a published template', async () => {
    await template('t');
    await expect(run("UPDATE templates SET questions = '[1]' WHERE id = 't'")).rejects.toThrow(/template_is_published/);
  });

  test('names the refusals that it knows', async () => {
    await expect(run("INSERT INTO refusals VALUES ('too_many_names')")).rejects.toThrow(/too_many_names/);
    await expect(run("INSERT INTO refusals VALUES ('other')")).rejects.toThrow(/unknown_refusal/);
  });

  describe('is a row that', () => {
    beforeAll(async () => {
      await template('t2');
      await slot('f', 50, 51);
      await hold('f', 'ana');
      await party('q');
      await rsvp('q', 'ana', 1, 0);
      await run("INSERT INTO one_time_keys VALUES ('ana', 'k', 'c', NULL, 0)");
    });

    test.each([
      ['cities', "folded = 'lisbon'", 'providers = -1', 'providers >= 0'],
      ['accounts', "id = 'ana'", "display_name = ''", 'display_name <>'],
      ['accounts', "id = 'ana'", "role = 'Admin'", 'unknown_role'],
      ['accounts', "id = 'ana'", 'username = NULL', 'half_a_login'],
      ['accounts', "id = 'ana'", 'username_folded = NULL', 'half_a_login'],
      ['accounts', "id = 'ana'", 'password_hash = NULL', 'half_a_login'],
      ['accounts', "id = 'gus'", "password_hash = 'x'", 'half_a_login'],
      ['accounts', "id = 'gus'", "username = 'bo', username_folded = 'bo', password_hash = 'x'", 'username_folded'],
      ['accounts', "id = 'gus'", "role = 'Provider', city = 'lisbon'", 'provider_has_login'],
      ['accounts', "id = 'other'", "open_to = 'friends'", 'unknown_open_to'],
      ['accounts', "id = 'other'", "ask_email = 'please'", 'unknown_ask_email'],
      ['accounts', "id = 'ana'", "city = 'lisbon'", 'provider_has_city'],
      ['accounts', "id = 'other'", 'city = NULL', 'provider_has_city'],
      ['one_time_keys', "key = 'k'", "replay = '{'", 'json_valid(replay)'],
      ['slots', "id = 'f'", 'status = 3', 'unknown_status'],
      ['slots', "id = 'f'", 'status = 2, canceled_at = 1', 'slot_cancellation'],
      ['slots', "id = 'f'", "status = 2, canceled_by = 'ana'", 'slot_cancellation'],
      ['slots', "id = 'f'", 'canceled_at = 1', 'slot_cancellation'],
      ['slots', "id = 'f'", 'was_booked = 1', 'slot_was_booked'],
      ['slots', "id = 'f'", "status = 2, was_booked = 1, canceled_at = 1, canceled_by = 'ana'", 'slot_was_booked'],
      ['slots', "id = 'f'", "notes = ''", 'notes <>'],
      ['slots', "id = 'f'", "id = 'g'", 'slot_keeps_its_time'],
      ['slots', "id = 'f'", "provider_id = 'other'", 'slot_keeps_its_time'],
      ['slots', "id = 'f'", 'ends_at = ends_at + 1', 'slot_keeps_its_time'],
      ['slots', "id = 'f'", "local_date = '2030-01-08'", 'slot_keeps_its_time'],
      ['slots', "id = 'f'", "time_zone = 'Europe/Lisbon'", 'slot_keeps_its_time'],
      ['bookings', "slot_id = 'f'", "slot_id = 'again'", 'booking_keeps_its_time'],
      ['bookings', "slot_id = 'f'", 'number = 1', 'booking_keeps_its_time'],
      ['bookings', "slot_id = 'f'", 'starts_at = 1', 'booking_keeps_its_time'],
      ['bookings', "slot_id = 'f'", "answers = '{}'", 'json_type(answers)'],
      ['bookings', "slot_id = 'f'", 'is_canceled = 2', 'is_canceled BETWEEN'],
      ['accounts', "id = 'other'", 'notice = -1', 'notice >= 0'],
      ['accounts', "id = 'other'", 'cancel_until = -1', 'cancel_until >= 0'],
      ['accounts', "id = 'other'", 'horizon_days = 0', 'horizon_days > 0'],
      ['accounts', "id = 'other'", 'per_person = 0', 'per_person > 0'],
      ['accounts', "id = 'other'", 'per_day = 0', 'per_day > 0'],
      ['slots', "id = 'f'", "cancel_reason = ''", 'cancel_reason <>'],
      ['slots', "id = 'f'", "moved_to = 'e'", 'slot_moved'],
      ['bookings', "slot_id = 'f'", "moved_from = 'e'", 'booking_keeps_its_chain'],
      ['bookings', "slot_id = 'f'", "calendar_id = 'e'", 'booking_keeps_its_chain'],
      ['templates', "id = 't2'", "id = 't3'", 'template_is_published'],
      ['templates', "id = 't2'", "provider_id = 'other'", 'template_is_published'],
      ['templates', "id = 't2'", "display_name = 'U'", 'template_is_published'],
      ['parties', "id = 'q'", "kind = 'wake'", 'unknown_kind'],
      ['parties', "id = 'q'", "title = ''", 'title <>'],
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
    await take('g', 'gus');
    await run("UPDATE slots SET status = 2, was_booked = 1, canceled_at = 1, canceled_by = 'gus' WHERE id = 'g'");
    await party('r');
    await rsvp('r', 'gus', 1, 1);
    await run("UPDATE bookings SET booker_id = 'bo' WHERE booker_id = 'gus'");
    await run("UPDATE invitations SET account_id = 'bo', invitee = 'bo' WHERE account_id = 'gus'");
    await run("UPDATE slots SET canceled_by = 'bo' WHERE canceled_by = 'gus'");
    await expect(run("UPDATE bookings SET booker_id = 'gus' WHERE slot_id = 'g'")).rejects.toThrow(
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

  describe('a booking that is moved', () => {
    const link = (id: string) =>
      env.DB.prepare('SELECT link_hash, claim_hash FROM bookings WHERE slot_id = ?').bind(id).first();
    const moveTo = (id: string, from: string, booker = 'gus', by = 'provider') =>
      run(
        `INSERT INTO bookings (slot_id, booker_id, starts_at, booked_at, moved_from, moved_by) VALUES (?, ?, 0, 0, ?, ?)`,
        id,
        booker,
        from,
        by,
      );
    beforeAll(async () => {
      for (const [id, at, provider] of [
        ['from', 80, 'host'],
        ['to', 82, 'host'],
        ['theirs', 84, 'other'],
      ] as const) {
        await slot(id, at, at + 1, provider);
      }
      await take('from', 'gus');
      await run("UPDATE bookings SET link_hash = 'key', claim_hash = 'code' WHERE slot_id = 'from'");
    });

    test('stays with its provider and its booker, and says who moved it', async () => {
      await expect(moveTo('theirs', 'from')).rejects.toThrow(/booking_moves_whole/);
      await expect(moveTo('to', 'from', 'ana')).rejects.toThrow(/booking_moves_whole/);
      await expect(moveTo('to', 'from', 'gus', 'nobody')).rejects.toThrow(/booking_moves_whole/);
      await expect(moveTo('to', 'theirs')).rejects.toThrow(/booking_moves_whole/);
    });

    test('takes its link along', async () => {
      await moveTo('to', 'from');
      await run("UPDATE slots SET status = 1 WHERE id = 'to'");
      await run(
        "UPDATE slots SET status = 2, was_booked = 1, canceled_at = 1, canceled_by = 'host', moved_to = 'to' WHERE id = 'from'",
      );
      expect(await link('to')).toEqual({ link_hash: 'key', claim_hash: 'code' });
      expect(await link('from')).toEqual({ link_hash: null, claim_hash: null });
    });
  });

  test('makes a guest a full account, once, with all of a login', async () => {
    await guest('flo');
    await guest('fay');
    const join = (id: string) =>
      run("UPDATE accounts SET username = 'Flo', username_folded = 'flo', password_hash = 'x' WHERE id = ?", id);
    await join('flo');
    await expect(join('fay')).rejects.toThrow(/UNIQUE/);
  });

  test.each(['bookings', 'invitations'])('gives no two of the %s one link', async (table) => {
    const where = table === 'bookings' ? 'slot_id' : 'party_id';
    if (table === 'bookings')
      for (const [id, at] of [
        ['l', 70],
        ['m', 72],
      ] as const) {
        await slot(id, at, at + 1);
        await hold(id, 'gus');
      }
    else
      for (const id of ['l', 'm']) {
        await party(id);
        await rsvp(id, 'gus', 1, 0);
      }
    const link = (id: string) => run(`UPDATE ${table} SET link_hash = 'h' WHERE ${where} = ?`, id);
    await link('l');
    await expect(link('m')).rejects.toThrow(/UNIQUE/);
  });

  test('finds nobody but providers by a name', async () => {
    await run("UPDATE accounts SET display_name = 'Bea', display_folded = 'bea' WHERE id IN ('bo', 'other')");
    const { results } = await env.DB.prepare("SELECT provider_id FROM provider_names WHERE ending = 'bea'").all();
    expect(results).toEqual([{ provider_id: 'other' }]);
  });
});
