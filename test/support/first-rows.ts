/*
 * A book as the first version kept it, in plain SQL: one of each kind of row, in each state that it can be in. What later
 * versions keep of it is compared with this, so it is never changed; rows that a later version has for the first time are
 * added under the name of its migration.
 */

const account = (id: string, role: string, city: string | null, login = true) => {
  const text = (value: string | null) => (value === null ? 'NULL' : `'${value}'`);
  const own = (value: string) => text(login ? value : null);
  return `INSERT INTO accounts (id, username, username_folded, display_name, display_folded, display_sort_key,
      password_hash, role, time_zone, city, description, created_at)
    VALUES ('${id}', ${own(id.toUpperCase())}, ${own(id)}, 'Name of ${id}', 'name of ${id}', 'name of ${id}',
      ${own('scrypt$')}, '${role}', 'Europe/Lisbon', ${text(city)}, ${text(city && 'What I do')}, 1)`;
};

const slot = (id: string, startsAt: number, template: string | null = null) =>
  `INSERT INTO slots (id, provider_id, city, starts_at, ends_at, local_date, time_zone, notes, template_id, publication)
    VALUES ('${id}', 'host', 'lisbon', ${startsAt}, ${startsAt + 10}, '2030-01-07', 'Europe/Lisbon', 'Ring twice',
      ${template === null ? 'NULL' : `'${template}'`}, 'publication')`;

const booked = (id: string, booker: string, answers = '[]') => [
  `INSERT INTO bookings (slot_id, booker_id, starts_at, booked_at, answers, answered_at)
    SELECT id, '${booker}', starts_at, 5, '${answers}', ${answers === '[]' ? 'NULL' : 6} FROM slots WHERE id = '${id}'`,
  `UPDATE slots SET status = 1 WHERE id = '${id}'`,
];

const canceled = (id: string, by: string) =>
  `UPDATE slots SET status = 2, canceled_at = 7, canceled_by = '${by}' WHERE id = '${id}'`;

const party = (id: string, kind: 'party' | 'meetup') =>
  `INSERT INTO parties (id, kind, provider_id, title, description, starts_at, ends_at, local_date, time_zone, address,
      location_url, template_id, capacity, rsvp_by, rsvp_closes_at, plus_ones, hide_going, created_at)
    VALUES ('${id}', '${kind}', 'host', 'Title', 'Text', 1000, 2000, '2030-01-07', 'Europe/Lisbon', 'Here', 'https://a.b',
      'second', 20, '2030-01-06', 900, 2, 1, 1)`;

const invitation = (to: string, invitee: string, account: string | null, accepted: 0 | 1 | null) =>
  `INSERT INTO invitations (party_id, invitee, id, account_id, username, name, name_sort_key, accepted, plus_ones, answers,
      answered_at, created_at)
    VALUES ('${to}', '${invitee}', '${to} ${invitee}', ${account && `'${account}'`}, ${account && `'${account}'`}, 'Name',
      'name', ${accepted}, ${accepted ?? 0}, '[{"question":"Why?","answer":"Fun"}]', ${accepted === null ? null : 8}, 1)`;

const questions = '[{"id":"q","questionText":"Why?","questionType":2,"options":null,"required":true}]';

/** The statements that add rows once a migration has been applied, by its name. */
export const rowsOf: Record<string, string[]> = {
  '0001_first_schema.sql': [
    "INSERT INTO cities (folded, name) VALUES ('lisbon', 'Lisbon'), ('oslo', 'Oslo')",
    account('host', 'Provider', 'lisbon'),
    account('other', 'Provider', 'oslo'),
    account('ana', 'Consumer', null),
    account('gus', 'Consumer', null, false),
    "INSERT INTO sessions (id, account_id, created_at, expires_at) VALUES ('s', 'ana', 1, 2)",
    `INSERT INTO one_time_keys (caller, key, claim, replay, created_at) VALUES ('c', 'k', 'm', '{"id":1}', 1),
      ('c', 'l', 'm', NULL, 1)`,
    "INSERT INTO throttles (bucket, tries, ends_at) VALUES ('login:ana', 3, 4)",
    `INSERT INTO templates (id, provider_id, display_name, questions, listed_at, replaces, created_at, retired_at)
      VALUES ('first', 'host', 'T', '${questions}', 1, NULL, 1, 2), ('second', 'host', 'T', '${questions}', 1, 'first', 2, NULL)`,
    slot('open', 100),
    slot('booked', 200),
    slot('answered', 300, 'second'),
    slot('withdrawn', 400),
    slot('called off', 500),
    slot('by a guest', 600),
    ...booked('booked', 'ana'),
    ...booked('answered', 'ana', '[{"question":"Why?","answer":"Fun"}]'),
    ...booked('called off', 'ana'),
    ...booked('by a guest', 'gus'),
    canceled('withdrawn', 'host'),
    canceled('called off', 'ana'),
    party('party', 'party'),
    party('meetup', 'meetup'),
    invitation('party', 'ana', 'ana', 1),
    invitation('party', 'gus', 'gus', 0),
    invitation('meetup', 'a name', null, null),
    invitation('meetup', 'another', null, 1),
    "UPDATE parties SET invited = 2 WHERE id = 'meetup'",
  ],
  '0002_guests.sql': [
    "UPDATE accounts SET email = 'gus@mail.test' WHERE id = 'gus'",
    "UPDATE accounts SET open_to = 'accounts', ask_email = 'required' WHERE id = 'other'",
    "UPDATE bookings SET link_hash = 'a', private_note = 'Limps', claim_hash = 'b' WHERE booker_id = 'gus'",
    "UPDATE invitations SET link_hash = 'c' WHERE account_id = 'gus'",
    "UPDATE parties SET open_to = 'anyone', show_on_page = 1 WHERE id = 'party'",
  ],
  '0003_links.sql': ["UPDATE bookings SET link_seed = 'e' WHERE booker_id = 'gus'"],
  '0005_messages.sql': [
    "UPDATE accounts SET email_confirmed_at = 5, mail_off = '[\"reminder\"]' WHERE id = 'gus'",
    "INSERT INTO recovery_codes (account_id, code_hash) VALUES ('ana', 'd')",
    "INSERT INTO messages (id, account_id, kind, slot_id, created_at) VALUES ('m', 'host', 'booked', 'booked', 1)",
    `INSERT INTO messages (id, account_id, kind, party_id, actor_id, created_at, email, mail_state, due_at, reason)
      VALUES ('n', 'gus', 'changed', 'party', 'host', 1, 'gus@mail.test', 'due', 2, 'The server is away.')`,
    "UPDATE parties SET changed_at = 5 WHERE id = 'party'",
  ],
  '0006_cancellations.sql': [
    "UPDATE slots SET status = 2, was_booked = 1, canceled_at = 9, canceled_by = 'host' WHERE id = 'answered'",
  ],
  '0007_called_off.sql': [
    "UPDATE parties SET deleted_at = 9 WHERE id = 'meetup'",
    `INSERT INTO party_moves (party_id, moved_at, starts_at, ends_at, local_date, address, location_url)
      VALUES ('party', 9, 900, 1900, '2030-01-06', 'There', 'https://maps.test/there')`,
  ],
  '0009_rules.sql': [
    "UPDATE accounts SET notice = 60, cancel_until = 120, horizon_days = 30, per_person = 2, per_day = 8 WHERE id = 'host'",
    slot('moved', 700),
    slot('moved to', 800),
    ...booked('moved', 'ana'),
    `INSERT INTO bookings (slot_id, booker_id, starts_at, booked_at, cancel_until, moved_from, moved_by, calendar_id, sequence)
      VALUES ('moved to', 'ana', 800, 9, 60, 'moved', 'provider', 'moved', 1)`,
    "UPDATE slots SET status = 1 WHERE id = 'moved to'",
    `UPDATE slots SET status = 2, was_booked = 1, moved_to = 'moved to', cancel_reason = 'Ill', canceled_at = 9,
      canceled_by = 'host' WHERE id = 'moved'`,
  ],
  '0010_hours.sql': [
    `INSERT INTO hours (provider_id, plan, notes, template_id, version, carried_to, next_at)
      VALUES ('host', '{"hours":[],"except":[],"len":30,"gap":0,"ahead":56}', 'Ring twice', 'second', 'v', '2030-01-07', 9)`,
  ],
  '0011_reminders.sql': [
    "UPDATE accounts SET reminders = '[60,2880]' WHERE id = 'host'",
    "UPDATE invitations SET email = 'a@mail.test', email_at = 8, mail_ended_at = 9 WHERE invitee = 'another'",
    "UPDATE messages SET invitation_id = 'none' WHERE id = 'm'",
  ],
  '0012_calendar.sql': [
    "INSERT INTO feeds (account_id, key_hash, seed, made_at) VALUES ('ana', 'f', 's', 1)",
    "UPDATE bookings SET attendance = 'seen' WHERE slot_id = 'booked'",
  ],
  '0013_sessions.sql': ["UPDATE sessions SET last_used_at = 3, device = 'Firefox on Android' WHERE id = 's'"],
  '0019_deletion.sql': ["UPDATE accounts SET keep_answers_days = 90 WHERE id = 'host'"],
  '0022_accounts.sql': [
    "INSERT INTO feeds (account_id, key_hash, seed, made_at, busy_hash) VALUES ('host', 'h', 't', 1, 'b')",
    "INSERT INTO second_factors (account_id, seed, last_step) VALUES ('ana', 'e', 7)",
  ],
  '0025_reasons_and_times.sql': ["UPDATE parties SET cancel_reason = 'Rain' WHERE id = 'meetup'"],
};
