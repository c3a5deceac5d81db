/*
 * A book of the first version, in plain SQL: each kind of row in each of its states. Tests compare what later
 * versions keep of it, so it never changes; new kinds of rows are
 * added under the name of their migration.
 */

const account = (id: string, role: string, city: string | null, login = true) => {
  const text = (value: string | null) => (value === null ? 'NULL' : `'${value}'`);
  const own = (value: string) => text(login ? value : null);
  return `INSERT INTO accounts (id, username, username_folded, display_name, display_plain, display_sort_key,
      password_hash, role, time_zone, city, description, created_at)
    VALUES ('${id}', ${own(id.toUpperCase())}, ${own(id)}, 'Name of ${id}', 'name of ${id}', 'name of ${id}',
      ${own('scrypt$')}, '${role}', 'Europe/Lisbon', ${text(city)}, ${text(city && 'What I do')}, 1)`;
};

/** The id of a slot or booking of the host with that start and name. */
export const idAt = (startsAt: number, name: string) =>
  `host${String(startsAt).padStart(13, '0')}${name.padEnd(12, '-')}`;

const slot = (name: string, startsAt: number, { template, seats = 1 }: { template?: string; seats?: number } = {}) =>
  `INSERT INTO slots (provider_id, starts_at, id, ends_at, city, local_date, time_zone, notes, template_id, publication, seats,
      service_id)
    VALUES ('host', ${startsAt}, '${idAt(startsAt, name)}', ${startsAt + 10}, 'lisbon', '2030-01-07', 'Europe/Lisbon', 'Ring twice',
      ${template ? `'${template}'` : 'NULL'}, 'publication', ${seats}, ${seats > 1 ? "'class'" : 'NULL'})`;

const booking = (name: string, startsAt: number, booker: string, more: Record<string, unknown> = {}) => {
  const columns = {
    provider_id: 'host',
    starts_at: startsAt,
    id: idAt(startsAt, name),
    ends_at: startsAt + 10,
    taken_until: startsAt + 10,
    local_date: '2030-01-07',
    time_zone: 'Europe/Lisbon',
    city: 'lisbon',
    notes: 'Ring twice',
    status: 1,
    booker_id: booker,
    person_id: booker,
    booked_at: 5,
    ...more,
  };
  const values = Object.values(columns).map((value) => (typeof value === 'number' ? value : `'${value}'`));
  return `INSERT INTO bookings (${Object.keys(columns).join(', ')}) VALUES (${values.join(', ')})`;
};

const cancel = (name: string, startsAt: number, by: string, more = '') =>
  `UPDATE bookings SET status = 2, canceled_at = 7, canceled_by = '${by}'${more} WHERE id = '${idAt(startsAt, name)}'`;

const party = (id: string, kind: 'party' | 'meetup') =>
  `INSERT INTO parties (id, kind, provider_id, title, description, starts_at, ends_at, local_date, time_zone, address,
      location_url, template_id, capacity, rsvp_by, rsvp_closes_at, plus_ones, hide_going, created_at)
    VALUES ('${id}', '${kind}', 'host', 'Title', 'Text', 1000, 2000, '2030-01-07', 'Europe/Lisbon', 'Here', 'https://a.b',
      'second', 20, '2030-01-06', 900, 2, 1, 1)`;

const invitation = (to: string, invitee: string, account: string | null, accepted: 0 | 1 | null) =>
  `INSERT INTO invitations (party_id, invitee, id, account_id, username, name, name_sort_key, accepted, plus_ones, answers,
      rsvp_at, created_at, party_starts_at)
    VALUES ('${to}', '${invitee}', '${to} ${invitee}', ${account && `'${account}'`}, ${account && `'${account}'`}, 'Name',
      'name', ${accepted}, ${accepted ?? 0}, '[{"question":"Why?","answer":"Fun"}]', ${accepted === null ? null : 8}, 1, ${account && 1000})`;

const questions = '[{"id":"q","questionText":"Why?","questionType":2,"options":null,"required":true}]';

/** The statements that add rows once a migration has been applied, by its name. */
export const rowsOf: Record<string, string[]> = {
  '0001_first_schema.sql': [
    "INSERT INTO cities (folded, name) VALUES ('lisbon', 'Lisbon'), ('oslo', 'Oslo')",
    account('host', 'Provider', 'lisbon'),
    account('other', 'Provider', 'oslo'),
    account('ana', 'Consumer', null),
    account('gus', 'Consumer', null, false),
    "UPDATE accounts SET email = 'gus@mail.test', email_confirmed_at = 5, mail_off = '[\"reminder\"]' WHERE id = 'gus'",
    "UPDATE accounts SET open_to = 'accounts', ask_email = 'required', ask_phone = 'optional', address = 'Rua 1', phone = '2' WHERE id = 'other'",
    `UPDATE accounts SET notice = 60, cancel_until = 120, horizon_days = 30, per_person = 2, per_day = 8, keep_answers_days = 90,
      reminders = '[60,2880]', embed_on = '["https://barber.example"]' WHERE id = 'host'`,
    "INSERT INTO sessions (id, account_id, created_at, expires_at, last_used_at, device) VALUES ('s', 'ana', 1, 2, 3, 'Firefox')",
    "INSERT INTO keys (account_id, id, hash, name, scope, made_at, ends_at, used_at) VALUES ('ana', 'k', 'h', 'Till', 'read', 1, 2, 3)",
    `UPDATE accounts SET pay_by = '{"link":"https://pay.example"}' WHERE id = 'host'`,
    "UPDATE accounts SET lang = 'de', read_in = 'pt' WHERE id = 'ana'",
    "INSERT INTO recovery_codes (account_id, code_hash) VALUES ('ana', 'd')",
    "INSERT INTO second_factors (account_id, seed, last_step) VALUES ('ana', 'e', 7)",
    `INSERT INTO one_time_keys (caller, key, use, replay, created_at) VALUES ('c', 'k', 'm', '{"id":1}', 1),
      ('c', 'l', 'm', NULL, 1)`,
    "INSERT INTO throttles (bucket, tries, ends_at) VALUES ('login:ana', 3, 4)",
    `INSERT INTO templates (id, provider_id, display_name, questions, listed_at, replaces, created_at, retired_at)
      VALUES ('first', 'host', 'T', '${questions}', 1, NULL, 1, 2), ('second', 'host', 'T', '${questions}', 1, 'first', 2, NULL)`,
    `INSERT INTO services (provider_id, id, name, name_folded, minutes, gap, price, deposit, description, seats, template_id, lost_template_id, place_kind, link)
      VALUES ('host', 'class', 'Yoga', 'yoga', 60, 15, '12 €', '5 €', 'Slow', 8, 'second', NULL, 'video', 'https://video.test/yoga'),
        ('other', 'cut', 'Cut', 'cut', 30, 0, NULL, NULL, NULL, 1, NULL, 'first', 'here', NULL)`,
    `INSERT INTO hours (provider_id, plan, notes, template_id, lost_template_id, version, carried_to, next_at)
      VALUES ('host', '{"hours":[],"except":[],"len":30,"gap":0,"ahead":56}', 'Ring twice', 'second', 'first', 'v', '2030-01-07', 9)`,
    slot('open', 100),
    slot('booked', 200),
    slot('answered', 300, { template: 'second' }),
    slot('withdrawn', 400),
    slot('called-off', 500),
    slot('by-a-guest', 600),
    slot('moved', 700),
    slot('moved-to', 800),
    slot('class', 900, { seats: 3 }),
    slot('canceled', 950),
    slot('busy', 1100),
    booking('booked', 200, 'ana'),
    booking('answered', 300, 'ana', {
      template_id: 'second',
      answers: '[{"question":"Why?","answer":"Fun"}]',
      answered_at: 6,
    }),
    booking('called-off', 500, 'ana'),
    booking('by-a-guest', 600, 'gus', { link_seed: 'e', private_note: 'Limps', code_hash: 'b' }),
    booking('moved', 700, 'ana'),
    booking('moved-to', 800, 'ana', {
      moved_from: idAt(700, 'moved'),
      moved_by: 'provider',
      calendar_id: idAt(700, 'moved'),
      sequence: 1,
      cancel_until: 60,
    }),
    booking('one', 900, 'ana', {
      slot_id: idAt(900, 'class'),
      people: 2,
      service_id: 'class',
      service_name: 'Yoga',
      price: '12 €',
      deposit: '5 €',
      paid: 1,
      place_kind: 'video',
      place: 'https://video.test/yoga',
      series_id: 'standing',
      standing_id: 'standing',
      told_with: idAt(200, 'booked'),
    }),
    `INSERT INTO standing_times (provider_id, id, person_id, booker_id, day, minute, weeks, from_date, until_date, service_id, set_at, missed)
      VALUES ('host', 'standing', 'ana', 'ana', 1, 540, 2, '2030-01-07', '2030-06-30', 'class', 4, '[["2030-01-21","taken"]]')`,
    `INSERT INTO wishes (provider_id, id, asked_at, account_id, asked_by, link_seed, asked, service_id, from_at, until_at, ends_at, last_at, days, after, before,
        clock, reader_clock, instead_of, phone, changed_at)
      VALUES ('host', 'wish', 4, 'gus', 'gus', 'w', '{"service":"class"}', 'class', 850, 1000, 1000, 1000, 127, 0, 1440, '[[0,0]]', '[[0,60]]',
        '${idAt(600, 'by-a-guest')}', '3', 4)`,
    booking('held', 900, 'gus', { slot_id: idAt(900, 'class'), status: 0, held_until: 800, wish_id: 'wish' }),
    booking('canceled', 950, 'ana'),
    `UPDATE slots SET state = 2, withdrawn_at = 7, reason = 'Ill' WHERE id = '${idAt(400, 'withdrawn')}'`,
    cancel('called-off', 500, 'provider', ", reason = 'Ill', withdraws = 1"),
    cancel('canceled', 950, 'consumer'),
    `UPDATE bookings SET attendance = 'seen' WHERE id = '${idAt(200, 'booked')}'`,
    cancel('moved', 700, 'provider', `, withdraws = 1, moved_to = '${idAt(800, 'moved-to')}'`),
    `UPDATE bookings SET phone = '3', email = 'b@mail.test', email_hash = 'h' WHERE id = '${idAt(200, 'booked')}'`,
    "UPDATE people SET name = 'Ana', email = 'a@mail.test', email_folded = 'a@mail.test', phone = '+1', phone_digits = '1', note = 'Tea', booker_id = 'ana' WHERE id = 'ana'",
    "INSERT INTO person_aliases (provider_id, alias, person_id, email, phone, phone_digits, note) VALUES ('host', 'gus', 'ana', 'g@mail.test', '+3', '3', 'Milk')",
    party('party', 'party'),
    party('meetup', 'meetup'),
    invitation('party', 'ana', 'ana', 1),
    invitation('party', 'gus', 'gus', 0),
    invitation('meetup', 'a name', null, null),
    invitation('meetup', 'another', null, 1),
    "UPDATE invitations SET lang = 'fr' WHERE invitee = 'another'",
    "UPDATE invitations SET link_hash = 'c', phone = '3' WHERE account_id = 'gus'",
    "UPDATE invitations SET email = 'a@mail.test', email_at = 8, mail_ended_at = 9 WHERE invitee = 'another'",
    "UPDATE parties SET invited = 2 WHERE id = 'meetup'",
    "UPDATE parties SET open_to = 'anyone', show_on_page = 1, changed_at = 5 WHERE id = 'party'",
    "UPDATE parties SET deleted_at = 9, cancel_reason = 'Rain' WHERE id = 'meetup'",
    `INSERT INTO party_moves (party_id, moved_at, starts_at, ends_at, local_date, address, location_url)
      VALUES ('party', 9, 900, 1900, '2030-01-06', 'There', 'https://maps.test/there')`,
    `INSERT INTO messages (id, account_id, kind, booking_id, invitation_id, created_at)
      VALUES ('m', 'host', 'booked', '${idAt(200, 'booked')}', 'none', 1)`,
    `INSERT INTO messages (id, account_id, kind, party_id, actor_id, created_at, email, mail_state, due_at, reason)
      VALUES ('n', 'gus', 'changed', 'party', 'host', 1, 'gus@mail.test', 'due', 2, 'The server is away.')`,
    "INSERT INTO full_days (provider_id, local_date) VALUES ('host', '2030-01-07')",
    "INSERT INTO busy_times (provider_id, source, starts_at, ends_at) VALUES ('host', 'calendar', 1105, 1120)",
    `INSERT INTO replaced_links (booking_id, link_seed, forget_at) VALUES ('${idAt(200, 'booked')}', 'old', 9)`,
    "INSERT INTO feeds (account_id, key_hash, seed, made_at) VALUES ('ana', 'f', 's', 1)",
    "INSERT INTO feeds (account_id, key_hash, seed, made_at, busy_hash) VALUES ('host', 'h', 't', 1, 'b')",
    "UPDATE accounts SET email_hash = 'h', email_by = 'host' WHERE id = 'gus'",
    "UPDATE invitations SET email_hash = 'h', withheld_mail = 'm' WHERE invitee = 'another'",
    "UPDATE messages SET email_hash = 'h', sender_id = 'host' WHERE id = 'm'",
    "INSERT INTO refused_addresses (email_hash, refused_at) VALUES ('r', 1)",
    "INSERT INTO mail_contacts (sender_id, email_hash, first_at, ended_at) VALUES ('host', 'h', 1, 2)",
    "INSERT INTO lifted_limits (name) VALUES ('mail')",
    "INSERT INTO replaced_invitations (id, party_id, forget_at) VALUES ('old', 'meetup', 9)",
    `INSERT INTO busy_feeds (provider_id, id, name, place, host, sealed, added_at, etag, last_modified, digest, read_at, full_at,
        events, failure, told_at)
      VALUES ('host', 'calendar', 'Work', 0, 'calendar.test', 's', 1, 'e', 'l', 'd', 2, 2, 3, 'slow', 4)`,
    `INSERT INTO webhooks (provider_id, id, url, secret, kinds, made_at, last_number, failing_since, failures, quiet_until)
      VALUES ('host', 'hook', 'u', 's', '["booked"]', 1, 1, 2, 3, 4)`,
    `INSERT INTO deliveries (provider_id, webhook_id, number, kind, about, data, at, state, due_at, tries, tried_at, status, failure)
      VALUES ('host', 'hook', 1, 'booked', 'b', '{"id":"b"}', 1, 'due', 2, 1, 2, 500, 'slow')`,
    `INSERT INTO accounts (id, username, username_folded, display_name, display_plain, display_sort_key, role, time_zone, city, created_at)
      VALUES ('shop', 'SHOP', 'shop', 'Name of shop', 'name of shop', 'name of shop', 'Shop', 'Europe/Lisbon', 'lisbon', 1)`,
    `INSERT INTO colleagues (shop_id, account_id, role, takes, place, joined_at, seen_at)
      VALUES ('shop', 'other', 'owner', 0, 0, 1, 3), ('shop', 'host', 'colleague', 1, 1, 2, NULL)`,
    "INSERT INTO former_colleagues (shop_id, account_id, left_at) VALUES ('shop', 'ana', 8)",
    `UPDATE accounts SET house_rules = '{"notice":60}' WHERE id = 'shop'`,
    `UPDATE colleagues SET own_rules = '{"notice":15}' WHERE account_id = 'host'`,
    `INSERT INTO shop_invitations (shop_id, id, hash, role, email, made_by, made_at, ends_at, used_by)
      VALUES ('shop', 'used', 'h', 'colleague', 'h@mail.test', 'other', 1, 9, 'host'), ('shop', 'open', 'i', 'desk', NULL, 'other', 2, 9, NULL)`,
    `UPDATE bookings SET shop_id = 'shop', turn = '[30,480]', acted_by = 'other' WHERE id = '${idAt(200, 'booked')}'`,
  ],
};
