-- Written by `npm run structure`: the migrations by their SHA-256, and the schema that they make together.
-- It is for people, who find no whole table in any migration once a later one has altered it, and for tests: that the migrations
-- make this, that none of them has changed unnoticed, and which tables have triggers that change a public page.
-- 858cfb7b13dda54a65cae484ac5d49ab16b50ae6b97effa9a2a5947535cc3cf4 migrations/0001_first_schema.sql
-- dee7f39152fa0ab3bc1b37af4f3c0960568388c7e03d5b6ed2ab06aea4d06ac6 migrations/0002_shared_rules.sql

CREATE TABLE accounts (
  id TEXT PRIMARY KEY,
  username TEXT,
  username_folded TEXT,
  display_name TEXT NOT NULL,
  display_plain TEXT NOT NULL,
  display_sort_key TEXT NOT NULL,
  password_hash TEXT,
  role TEXT NOT NULL,
  time_zone TEXT NOT NULL,
  lang TEXT,
  read_in TEXT,
  city TEXT REFERENCES cities (folded),
  description TEXT,
  address TEXT CHECK (address <> ''),
  phone TEXT CHECK (phone <> ''),
  pay_by TEXT CHECK (json_type(pay_by) = 'object'),
  created_at INTEGER NOT NULL,
  email TEXT,
  email_hash TEXT,
  email_by TEXT,
  email_confirmed_at INTEGER,
  mail_off TEXT NOT NULL DEFAULT '[]',
  open_slots_at_most INTEGER NOT NULL DEFAULT 0,
  open_to TEXT NOT NULL DEFAULT 'anyone',
  ask_email TEXT NOT NULL DEFAULT 'optional',
  ask_phone TEXT NOT NULL DEFAULT 'no',
  notice INTEGER NOT NULL DEFAULT 0 CHECK (notice >= 0),
  cancel_until INTEGER NOT NULL DEFAULT 0 CHECK (cancel_until >= 0),
  horizon_days INTEGER CHECK (horizon_days > 0),
  per_person INTEGER CHECK (per_person > 0),
  per_day INTEGER CHECK (per_day > 0),
  keep_answers_days INTEGER,
  waitlist TEXT NOT NULL DEFAULT 'on',
  parties_block INTEGER NOT NULL DEFAULT 1,
  only_service_id TEXT,
  colour TEXT NOT NULL DEFAULT 'red' CHECK (colour IN ('red', 'blue', 'green', 'plum', 'gold', 'slate')),
  head TEXT NOT NULL DEFAULT 'plain' CHECK (head IN ('plain', 'festive')),
  embed_on TEXT NOT NULL DEFAULT '[]' CHECK (json_type(embed_on) = 'array' AND json_array_length(embed_on) <= 10),
  reminders TEXT NOT NULL DEFAULT '[1440]' CHECK (json_type(reminders) = 'array' AND json_array_length(reminders) <= 3),
  house_rules TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX accounts_by_email_hash ON accounts (email_hash) WHERE email_hash IS NOT NULL;
CREATE UNIQUE INDEX accounts_by_username ON accounts (username_folded) WHERE username_folded IS NOT NULL;
CREATE INDEX providers_by_city ON accounts (city, display_sort_key) WHERE role <> 'Consumer';
CREATE INDEX providers_by_name ON accounts (display_sort_key) WHERE role <> 'Consumer';
CREATE INDEX providers_who_forget ON accounts (keep_answers_days) WHERE keep_answers_days IS NOT NULL;
CREATE TRIGGER accounts_begin_whole BEFORE INSERT ON accounts BEGIN
  INSERT INTO whole_accounts (role, username, username_folded, password_hash, city, open_to, ask_email, ask_phone, waitlist)
    VALUES (NEW.role, NEW.username, NEW.username_folded, NEW.password_hash, NEW.city, NEW.open_to, NEW.ask_email, NEW.ask_phone, NEW.waitlist);
END;
CREATE TRIGGER accounts_choose_reminders AFTER UPDATE OF reminders ON accounts BEGIN
  INSERT INTO reminder_times (minutes) SELECT value FROM json_each(NEW.reminders) WHERE true ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER accounts_get_their_cards AFTER UPDATE OF username, email_confirmed_at ON accounts
WHEN NEW.username IS NOT NULL AND (OLD.username IS NULL OR OLD.email_confirmed_at IS NULL AND NEW.email_confirmed_at IS NOT NULL) BEGIN
  UPDATE people SET booker_id = NEW.id
    WHERE (provider_id, id) IN (SELECT provider_id, person_id FROM bookings WHERE booker_id = NEW.id)
      AND (email IS NULL AND id = NEW.id OR NEW.email_confirmed_at IS NOT NULL AND email_folded = lower(NEW.email))
      AND NOT EXISTS (SELECT 1 FROM accounts AS other WHERE other.id = people.booker_id AND other.username IS NOT NULL);
END;
CREATE TRIGGER accounts_lift_refusals AFTER UPDATE OF email_confirmed_at ON accounts
WHEN OLD.email_confirmed_at IS NULL AND NEW.email_confirmed_at IS NOT NULL BEGIN
  DELETE FROM refused_addresses WHERE email_hash = NEW.email_hash;
END;
CREATE TRIGGER accounts_speak_in_feeds AFTER UPDATE OF lang, read_in ON accounts
WHEN coalesce(NEW.lang, NEW.read_in) IS NOT coalesce(OLD.lang, OLD.read_in) BEGIN
  UPDATE feeds SET version = version + 1 WHERE account_id = NEW.id;
END;
CREATE TRIGGER accounts_stay_whole
BEFORE UPDATE OF role, username, username_folded, password_hash, city, open_to, ask_email, ask_phone, waitlist ON accounts BEGIN
  INSERT INTO whole_accounts (role, username, username_folded, password_hash, city, open_to, ask_email, ask_phone, waitlist)
    VALUES (NEW.role, NEW.username, NEW.username_folded, NEW.password_hash, NEW.city, NEW.open_to, NEW.ask_email, NEW.ask_phone, NEW.waitlist);
END;
CREATE TRIGGER bookings_show_the_new_name AFTER UPDATE OF display_name ON accounts WHEN NEW.display_name <> OLD.display_name BEGIN
  UPDATE bookings SET booker_name = NEW.display_name WHERE booker_id = NEW.id;
END;
CREATE TRIGGER colleagues_keep_their_clock BEFORE UPDATE OF time_zone ON accounts WHEN NEW.time_zone <> OLD.time_zone AND NEW.role = 'Provider' BEGIN
  SELECT RAISE(ABORT, 'shop_has_one_zone') WHERE EXISTS (
    SELECT 1 FROM colleagues AS mine CROSS JOIN colleagues AS other ON other.shop_id = mine.shop_id AND other.account_id <> mine.account_id
    WHERE mine.account_id = NEW.id);
END;
CREATE TRIGGER hours_follow_their_zone AFTER UPDATE OF time_zone ON accounts WHEN NEW.time_zone <> OLD.time_zone BEGIN
  UPDATE hours SET carried_to = '', next_at = 0 WHERE provider_id = NEW.id;
END;
CREATE TRIGGER invitations_show_the_new_name AFTER UPDATE OF display_name ON accounts WHEN NEW.display_name <> OLD.display_name BEGIN
  UPDATE invitations SET name = NEW.display_name, name_sort_key = NEW.display_sort_key WHERE account_id = NEW.id;
END;
CREATE TRIGGER people_are_found_by_their_new_name AFTER UPDATE OF display_sort_key ON accounts
WHEN NEW.display_sort_key <> OLD.display_sort_key BEGIN
  UPDATE people SET name_sort_key = NEW.display_sort_key
    WHERE provider_id IN (SELECT provider_id FROM bookings WHERE booker_id = NEW.id) AND id = NEW.id AND name IS NULL;
END;
CREATE TRIGGER providers_are_found_by_their_names AFTER INSERT ON accounts WHEN NEW.role <> 'Consumer' BEGIN
  INSERT INTO names_to_find (provider_id, name) VALUES (NEW.id, NEW.display_plain);
  INSERT INTO names_to_find (provider_id, name) SELECT NEW.id, NEW.username_folded WHERE NEW.username_folded <> NEW.display_plain;
END;
CREATE TRIGGER providers_are_found_by_their_new_name AFTER UPDATE OF display_plain ON accounts
WHEN NEW.role <> 'Consumer' AND NEW.display_plain <> OLD.display_plain BEGIN
  DELETE FROM provider_names WHERE provider_id = NEW.id AND ending IN (
    SELECT substr(OLD.display_plain, key + 1)
    FROM json_each('[' || substr(replace(hex(zeroblob(length(OLD.display_plain))), '00', ',0'), 2) || ']'));
  INSERT INTO names_to_find (provider_id, name) VALUES (NEW.id, NEW.display_plain);
  INSERT INTO names_to_find (provider_id, name) VALUES (NEW.id, NEW.username_folded);
END;
CREATE TRIGGER providers_arrive_in_their_city AFTER INSERT ON accounts WHEN NEW.role <> 'Consumer' BEGIN
  UPDATE cities SET providers = providers + 1 WHERE folded = NEW.city;
END;
CREATE TRIGGER providers_forget_answers AFTER UPDATE OF keep_answers_days ON accounts
WHEN NEW.keep_answers_days < OLD.keep_answers_days OR OLD.keep_answers_days IS NULL AND NEW.keep_answers_days IS NOT NULL BEGIN
  UPDATE bookings SET answers = '[]', answered_at = NULL
    WHERE provider_id = NEW.id AND answers <> '[]' AND starts_at <= unixepoch() * 1000 - NEW.keep_answers_days * 86400000
      AND ends_at <= unixepoch() * 1000 - NEW.keep_answers_days * 86400000;
END;
CREATE TRIGGER providers_let_parties_block AFTER UPDATE OF parties_block ON accounts WHEN NEW.parties_block <> OLD.parties_block BEGIN
  DELETE FROM busy_times WHERE NEW.parties_block = 0 AND provider_id = NEW.id
    AND source IN (SELECT id FROM parties WHERE parties.provider_id = NEW.id);
  INSERT INTO times_of_parties (provider_id, id, starts_at, ends_at)
    SELECT provider_id, id, starts_at, ends_at
    FROM parties WHERE provider_id = NEW.id AND deleted_at IS NULL AND ends_at > unixepoch() * 1000;
END;
CREATE TRIGGER providers_limit_their_days AFTER UPDATE OF per_day ON accounts WHEN NEW.per_day IS NOT OLD.per_day BEGIN
  DELETE FROM full_days WHERE provider_id = NEW.id;
  INSERT INTO full_days SELECT provider_id, local_date FROM bookings
    WHERE NEW.per_day IS NOT NULL AND provider_id = NEW.id AND status < 2 AND starts_at > unixepoch() * 1000 - 2 * 86400000
    GROUP BY local_date HAVING count(DISTINCT ifnull(slot_id, id)) >= NEW.per_day;
END;
CREATE TRIGGER providers_move AFTER UPDATE OF city ON accounts WHEN NEW.city IS NOT OLD.city BEGIN
  UPDATE cities SET providers = providers - 1 WHERE folded = OLD.city;
  UPDATE cities SET providers = providers + 1 WHERE folded = NEW.city;
END;
CREATE TRIGGER booked_dates_are_counted INSTEAD OF INSERT ON booked_dates BEGIN
  UPDATE messages SET data = json_set(data, '$.count', ifnull(data ->> 'count', 0) + 1, '$.last', max(ifnull(data ->> 'last', 0), NEW.starts_at))
    WHERE id IN ('booked:' || NEW.told_with || ':' || (
      SELECT booker_id FROM standing_times WHERE provider_id = NEW.provider_id AND id = NEW.standing_id),
      iif(NEW.acted_by IS NULL, NULL, 'booked:' || NEW.told_with || ':' || NEW.provider_id));
  UPDATE standing_times SET missed = (SELECT json_group_array(json(value)) FROM json_each(missed) WHERE value ->> 'date' <> NEW.local_date)
    WHERE provider_id = NEW.provider_id AND id = NEW.standing_id AND instr(missed, NEW.local_date) > 0;
END;

CREATE TABLE bookings (
  provider_id TEXT NOT NULL REFERENCES accounts (id),
  starts_at INTEGER NOT NULL,
  id TEXT NOT NULL,
  ends_at INTEGER NOT NULL,
  taken_until INTEGER NOT NULL,
  local_date TEXT NOT NULL,
  time_zone TEXT NOT NULL,
  city TEXT NOT NULL REFERENCES cities (folded),
  notes TEXT CHECK (notes <> ''),
  template_id TEXT REFERENCES templates (id),
  slot_id TEXT,
  status INTEGER NOT NULL CHECK (status BETWEEN 0 AND 2),
  people INTEGER NOT NULL DEFAULT 1 CHECK (people > 0),
  booker_id TEXT NOT NULL REFERENCES accounts (id),
  person_id TEXT NOT NULL,
  service_id TEXT,
  service_name TEXT,
  price TEXT,
  deposit TEXT,
  paid INTEGER NOT NULL DEFAULT 0,
  place_kind TEXT CHECK (place_kind = 'phone' OR place_kind = 'video' OR place_kind = 'theirs'),
  place TEXT CHECK (place <> ''),
  series_id TEXT,
  told_with TEXT,
  standing_id TEXT,
  booked_at INTEGER NOT NULL,
  cancel_until INTEGER NOT NULL DEFAULT 0 CHECK (cancel_until >= 0),
  answers TEXT NOT NULL DEFAULT '[]' CHECK (json_type(answers) = 'array'),
  answered_at INTEGER,
  held_until INTEGER,
  wish_id TEXT,
  canceled_at INTEGER,
  canceled_by TEXT,
  reason TEXT CHECK (reason <> ''),
  withdraws INTEGER NOT NULL DEFAULT 0,
  moved_from TEXT,
  moved_by TEXT,
  moved_to TEXT,
  calendar_id TEXT,
  sequence INTEGER NOT NULL DEFAULT 0 CHECK (sequence >= 0),
  link_seed TEXT,
  code_hash TEXT,
  email TEXT,
  email_hash TEXT,
  private_note TEXT,
  phone TEXT CHECK (phone <> ''),
  attendance TEXT,
  shop_id TEXT,
  turn TEXT CHECK (json_type(turn) = 'array'),
  acted_by TEXT REFERENCES accounts (id), booker_name TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (provider_id, starts_at, id),
  CONSTRAINT booking_id_says_where CHECK (id GLOB provider_id || printf('%013d', starts_at) || '????????????'),
  CONSTRAINT booking_has_length CHECK (ends_at > starts_at AND taken_until >= ends_at),
  CONSTRAINT booking_hold_ends CHECK (status > 0 OR held_until IS NOT NULL),
  CONSTRAINT booking_says_who_canceled CHECK ((status = 2) = (canceled_at IS NOT NULL) AND (status = 2) = (canceled_by IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX bookings_by_booker ON bookings (booker_id, status, starts_at);
CREATE INDEX bookings_by_code ON bookings (code_hash) WHERE code_hash IS NOT NULL;
CREATE INDEX bookings_by_email_hash ON bookings (email_hash) WHERE email_hash IS NOT NULL;
CREATE INDEX bookings_by_person ON bookings (provider_id, person_id, starts_at) WHERE person_id <> booker_id;
CREATE INDEX bookings_by_reference ON bookings (provider_id, substr(coalesce(calendar_id, id), -8)) WHERE deposit IS NOT NULL;
CREATE INDEX bookings_canceled ON bookings (provider_id, canceled_at) WHERE status = 2;
CREATE INDEX bookings_held ON bookings (provider_id, held_until) WHERE status = 0;
CREATE INDEX bookings_of_shop ON bookings (shop_id, booked_at) WHERE shop_id IS NOT NULL;
CREATE TRIGGER bookings_are_told AFTER INSERT ON bookings WHEN NEW.status = 1 AND NEW.moved_from IS NULL BEGIN
  INSERT INTO notices (kind, once, account_id, booking_id, actor_id, data, at)
    SELECT 'booked', coalesce(NEW.told_with, NEW.id) || ':' || NEW.provider_id, NEW.provider_id, NEW.id,
      coalesce(NEW.acted_by, NEW.booker_id), json_object('with', NEW.told_with, 'isActed', iif(NEW.acted_by IS NULL, NULL, 1)), NEW.booked_at
    WHERE NOT (NEW.code_hash IS NOT NULL) OR NEW.acted_by IS NOT NULL;
  INSERT INTO notices (kind, once, account_id, booking_id, data, at, is_for_mail, email, email_hash)
    VALUES ('booked', coalesce(NEW.told_with, NEW.id) || ':' || NEW.booker_id, NEW.booker_id, NEW.id,
      json_object('with', NEW.told_with), NEW.booked_at,
      NOT (NEW.code_hash IS NOT NULL) OR (SELECT username IS NULL FROM accounts WHERE id = NEW.booker_id), NEW.email, NEW.email_hash);
  INSERT INTO program_news (kind, provider_id, booking_id, at) VALUES ('booked', NEW.provider_id, NEW.id, NEW.booked_at);
END;
CREATE TRIGGER bookings_change_hands_in_feeds AFTER UPDATE OF booker_id ON bookings WHEN NEW.booker_id <> OLD.booker_id BEGIN
  UPDATE feeds SET version = version + 1 WHERE account_id = NEW.booker_id OR account_id = NEW.provider_id;
END;
CREATE TRIGGER bookings_change_in_feeds AFTER UPDATE OF status ON bookings WHEN NEW.status > OLD.status BEGIN
  UPDATE feeds SET version = version + 1 WHERE account_id = NEW.provider_id OR account_id = NEW.booker_id;
END;
CREATE TRIGGER bookings_count_attendance AFTER UPDATE OF attendance ON bookings WHEN NEW.attendance IS NOT OLD.attendance BEGIN
  UPDATE people SET
    seen = seen + (NEW.attendance IS 'seen') - (OLD.attendance IS 'seen'),
    excused = excused + (NEW.attendance IS 'excused') - (OLD.attendance IS 'excused'),
    missed = missed + (NEW.attendance IS 'missed') - (OLD.attendance IS 'missed')
  WHERE provider_id = NEW.provider_id AND id = NEW.person_id;
  INSERT INTO program_news (kind, provider_id, booking_id, at)
    VALUES ('attendance', NEW.provider_id, NEW.id, CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;
CREATE TRIGGER bookings_end_before_they_go BEFORE DELETE ON bookings WHEN OLD.status = 1 OR OLD.status = 0 AND EXISTS (
  SELECT 1 FROM wishes WHERE provider_id = OLD.provider_id AND id = OLD.wish_id AND offer_id = OLD.id) BEGIN
  SELECT RAISE(ABORT, 'booking_is_live');
END;
CREATE TRIGGER bookings_fill_their_day AFTER INSERT ON bookings BEGIN
  INSERT INTO full_days SELECT NEW.provider_id, NEW.local_date FROM accounts
    WHERE id = NEW.provider_id AND per_day IS NOT NULL
      AND per_day <= (SELECT count(DISTINCT ifnull(taken.slot_id, taken.id)) FROM bookings AS taken WHERE taken.provider_id = NEW.provider_id AND taken.starts_at BETWEEN NEW.starts_at - 172800000 AND NEW.starts_at + 172800000 AND taken.status < 2 AND taken.local_date = NEW.local_date AND taken.id <> '')
    ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER bookings_fulfil_wishes AFTER INSERT ON bookings
WHEN NEW.status = 1 AND EXISTS (SELECT 1 FROM wishes WHERE account_id = NEW.booker_id AND state < 2) BEGIN
  INSERT INTO fulfilled_wishes (provider_id, starts_at, id) VALUES (NEW.provider_id, NEW.starts_at, NEW.id);
END;
CREATE TRIGGER bookings_give_their_time_back AFTER UPDATE OF status ON bookings WHEN OLD.status < 2 AND NEW.status = 2 BEGIN
  INSERT INTO ended_times (provider_id, starts_at, taken_until, slot_id, people, withdraws, status)
    VALUES (NEW.provider_id, NEW.starts_at, NEW.taken_until, NEW.slot_id, NEW.people, NEW.withdraws, NEW.status);
  INSERT INTO roomier_days (provider_id, local_date, starts_at) VALUES (NEW.provider_id, NEW.local_date, NEW.starts_at);
  INSERT INTO freed_times (provider_id, starts_at, taken_until, canceled_at)
    SELECT NEW.provider_id, NEW.starts_at, NEW.taken_until, NEW.canceled_at
    WHERE substr(NEW.moved_to, 1, length(NEW.moved_to) - 25) IS NOT NEW.provider_id;
  INSERT INTO ended_bookings (provider_id, id, starts_at, moved_to, canceled_at)
    VALUES (NEW.provider_id, NEW.id, NEW.starts_at,
      iif(substr(NEW.moved_to, 1, length(NEW.moved_to) - 25) = NEW.provider_id, NEW.moved_to, NULL), NEW.canceled_at);
  INSERT INTO freed_times (provider_id, starts_at, taken_until, moved_to, canceled_at)
    SELECT NEW.provider_id, NEW.starts_at, NEW.taken_until, NEW.moved_to, NEW.canceled_at
    WHERE substr(NEW.moved_to, 1, length(NEW.moved_to) - 25) = NEW.provider_id;
END;
CREATE TRIGGER bookings_hold_no_more AFTER DELETE ON bookings WHEN OLD.status = 0 BEGIN
  INSERT INTO ended_times (provider_id, starts_at, taken_until, slot_id, people, withdraws, status)
    VALUES (OLD.provider_id, OLD.starts_at, OLD.taken_until, OLD.slot_id, OLD.people, OLD.withdraws, OLD.status);
  INSERT INTO roomier_days (provider_id, local_date, starts_at) VALUES (OLD.provider_id, OLD.local_date, OLD.starts_at);
  INSERT INTO offers (provider_id, wish_id, now, free_from, free_until, is_by_hand)
    SELECT own.provider_id, own.id, ended.changed_at, iif(own.asked_by = ended.asked_by, own.from_at, OLD.starts_at - own.reach),
      iif(own.asked_by = ended.asked_by, own.until_at, OLD.taken_until), 0
    FROM wishes AS ended CROSS JOIN in_line AS own
    WHERE ended.provider_id = OLD.provider_id AND ended.id = OLD.wish_id AND own.provider_id = OLD.provider_id
      AND (own.asked_by = ended.asked_by OR own.from_at < OLD.taken_until AND own.until_at > OLD.starts_at - own.reach)
    ORDER BY own.asked_at, own.id;
END;
CREATE TRIGGER bookings_join_feeds AFTER INSERT ON bookings BEGIN
  UPDATE feeds SET version = version + 1 WHERE account_id = NEW.provider_id OR account_id = NEW.booker_id;
END;
CREATE TRIGGER bookings_keep_their_booker BEFORE UPDATE OF booker_id ON bookings BEGIN
  SELECT RAISE(ABORT, 'booking_keeps_its_booker')
    WHERE NEW.booker_id <> OLD.booker_id AND (SELECT username FROM accounts WHERE id = OLD.booker_id) IS NOT NULL;
END;
CREATE TRIGGER bookings_keep_their_chain BEFORE UPDATE OF moved_from, moved_by, moved_to, calendar_id ON bookings BEGIN
  SELECT RAISE(ABORT, 'booking_keeps_its_chain')
    WHERE OLD.status > 0 AND (NEW.moved_from IS NOT OLD.moved_from OR NEW.moved_by IS NOT OLD.moved_by OR NEW.calendar_id IS NOT OLD.calendar_id);
  SELECT RAISE(ABORT, 'booking_moved') WHERE NEW.moved_to IS NOT OLD.moved_to AND (
    OLD.status <> 1 OR NEW.status <> 2 OR NOT EXISTS (
      SELECT 1 FROM bookings WHERE provider_id = substr(NEW.moved_to, 1, length(NEW.moved_to) - 25) AND starts_at = CAST(substr(NEW.moved_to, -25, 13) AS INTEGER)
        AND id = NEW.moved_to AND moved_from = NEW.id));
END;
CREATE TRIGGER bookings_keep_their_time
BEFORE UPDATE OF provider_id, starts_at, id, ends_at, taken_until, local_date, time_zone, people ON bookings BEGIN
  SELECT RAISE(ABORT, 'booking_keeps_its_time') WHERE NEW.provider_id <> OLD.provider_id OR NEW.starts_at <> OLD.starts_at
    OR NEW.id <> OLD.id OR NEW.ends_at <> OLD.ends_at OR NEW.taken_until <> OLD.taken_until OR NEW.local_date <> OLD.local_date
    OR NEW.time_zone <> OLD.time_zone OR NEW.people <> OLD.people;
END;
CREATE TRIGGER bookings_know_who_came BEFORE UPDATE OF attendance ON bookings BEGIN
  SELECT RAISE(ABORT, 'unknown_attendance')
    WHERE NEW.attendance <> 'seen' AND NEW.attendance <> 'excused' AND NEW.attendance <> 'missed';
END;
CREATE TRIGGER bookings_live_once BEFORE UPDATE OF status, canceled_at ON bookings BEGIN
  SELECT RAISE(ABORT, 'booking_lives_once') WHERE NEW.status < OLD.status OR OLD.status = 2 AND NEW.canceled_at IS NOT OLD.canceled_at;
END;
CREATE TRIGGER bookings_make_cards AFTER INSERT ON bookings WHEN NEW.status = 1 BEGIN
  INSERT INTO first_bookings (provider_id, person_id, booker_id, code_hash, phone)
    VALUES (NEW.provider_id, NEW.person_id, NEW.booker_id, NEW.code_hash, NEW.phone);
END;
CREATE TRIGGER bookings_move_once AFTER INSERT ON bookings WHEN NEW.moved_from IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'booking_moves_whole') WHERE NEW.moved_by IS NOT 'provider' AND NEW.moved_by IS NOT 'consumer' OR NOT EXISTS (
    SELECT 1 FROM bookings WHERE provider_id = substr(NEW.moved_from, 1, length(NEW.moved_from) - 25) AND starts_at = CAST(substr(NEW.moved_from, -25, 13) AS INTEGER)
      AND id = NEW.moved_from AND booker_id = NEW.booker_id AND status = 1);
  SELECT RAISE(ABORT, 'booking_stays_in_shop') WHERE substr(NEW.moved_from, 1, length(NEW.moved_from) - 25) <> NEW.provider_id AND NOT EXISTS (
    SELECT 1 FROM colleagues AS former CROSS JOIN colleagues AS taker ON taker.shop_id = former.shop_id
    WHERE former.account_id = substr(NEW.moved_from, 1, length(NEW.moved_from) - 25) AND taker.account_id = NEW.provider_id);
END;
CREATE TRIGGER bookings_name_their_client AFTER INSERT ON bookings WHEN NEW.booker_name = '' BEGIN
  UPDATE bookings SET booker_name = ifnull((SELECT display_name FROM accounts WHERE accounts.id = NEW.booker_id), '')
    WHERE provider_id = NEW.provider_id AND starts_at = NEW.starts_at AND id = NEW.id;
END;
CREATE TRIGGER bookings_name_their_new_client AFTER UPDATE OF booker_id ON bookings
WHEN NEW.booker_id <> OLD.booker_id AND NEW.booker_name = OLD.booker_name BEGIN
  UPDATE bookings SET booker_name = ifnull((SELECT display_name FROM accounts WHERE accounts.id = NEW.booker_id), '')
    WHERE provider_id = NEW.provider_id AND starts_at = NEW.starts_at AND id = NEW.id;
END;
CREATE TRIGGER bookings_take_their_slots AFTER INSERT ON bookings BEGIN
  SELECT RAISE(ABORT, 'booking_begins_live') WHERE NEW.status > 1;
  SELECT RAISE(ABORT, 'slot_not_open') WHERE (
    SELECT min((state = 0 AND taken + NEW.people <= seats
        OR (state = 1 AND seats = 1 AND part_of IS CAST(substr(NEW.moved_from, -25, 13) AS INTEGER) AND provider_id IS substr(NEW.moved_from, 1, length(NEW.moved_from) - 25)))
      AND iif(seats = 1, starts_at <> NEW.starts_at OR id = NEW.id, id IS NEW.slot_id AND ends_at = NEW.taken_until))
    FROM slots WHERE provider_id = NEW.provider_id AND starts_at >= NEW.starts_at AND starts_at < NEW.taken_until
      AND (state <> 2 OR starts_at < NEW.ends_at)) IS NOT 1
    OR NOT EXISTS (SELECT 1 FROM slots WHERE provider_id = NEW.provider_id AND starts_at = NEW.starts_at);
  UPDATE slots SET part_of = NEW.starts_at,
      id = iif(starts_at = NEW.starts_at, id, (provider_id || printf('%013d', starts_at) || lower(hex(randomblob(6)))))
    WHERE NEW.moved_from IS NOT NULL AND provider_id = NEW.provider_id AND starts_at >= NEW.starts_at AND starts_at < NEW.taken_until
      AND (state = 1 AND seats = 1 AND part_of IS CAST(substr(NEW.moved_from, -25, 13) AS INTEGER) AND provider_id IS substr(NEW.moved_from, 1, length(NEW.moved_from) - 25));
  UPDATE slots SET taken = taken + NEW.people, state = 1, part_of = NEW.starts_at
    WHERE provider_id = NEW.provider_id AND starts_at >= NEW.starts_at AND starts_at < NEW.taken_until
      AND state = 0 AND taken + NEW.people = seats;
  UPDATE slots SET taken = taken + NEW.people WHERE provider_id = NEW.provider_id AND starts_at = NEW.starts_at AND state = 0;
END;
CREATE TRIGGER bookings_tell_of_new_answers AFTER UPDATE OF answers ON bookings
WHEN OLD.answered_at IS NOT NULL AND NEW.answered_at IS NOT NULL AND NEW.answers <> OLD.answers BEGIN
  INSERT INTO notices (kind, once, account_id, booking_id, actor_id, at)
    VALUES ('answers', NEW.id || ':' || NEW.answered_at || ':' || NEW.provider_id, NEW.provider_id, NEW.id, NEW.booker_id, NEW.answered_at);
END;
CREATE TRIGGER bookings_tell_programs_of_answers AFTER UPDATE OF answers ON bookings
WHEN NEW.answered_at IS NOT NULL AND (OLD.answered_at IS NULL OR NEW.answers <> OLD.answers) BEGIN
  INSERT INTO program_news (kind, provider_id, booking_id, at) VALUES ('answers', NEW.provider_id, NEW.id, NEW.answered_at);
END;
CREATE TRIGGER cancellations_are_told AFTER UPDATE OF status ON bookings
WHEN OLD.status = 1 AND NEW.status = 2 AND NEW.moved_to IS NULL BEGIN
  INSERT INTO notices (kind, once, account_id, booking_id, actor_id, data, at)
    SELECT 'canceled', coalesce(NEW.told_with, NEW.id) || ':' || NEW.provider_id, NEW.provider_id, NEW.id,
      coalesce(NEW.acted_by, NEW.booker_id),
      json_object('reason', NEW.reason, 'with', NEW.told_with, 'isActed', iif(NEW.acted_by IS NULL, NULL, 1)), NEW.canceled_at
    WHERE NEW.canceled_by = 'consumer' OR NEW.acted_by IS NOT NULL;
  INSERT INTO notices (kind, once, account_id, booking_id, actor_id, data, at, is_for_mail, email, email_hash)
    VALUES ('canceled', coalesce(NEW.told_with, NEW.id) || ':' || NEW.booker_id, NEW.booker_id, NEW.id,
      iif(NEW.canceled_by = 'provider', NEW.provider_id, NULL), json_object('reason', NEW.reason, 'with', NEW.told_with), NEW.canceled_at,
      NEW.canceled_by = 'consumer', NEW.email, NEW.email_hash);
  INSERT INTO program_news (kind, provider_id, booking_id, at) VALUES ('canceled', NEW.provider_id, NEW.id, NEW.canceled_at);
END;
CREATE TRIGGER cards_follow_their_bookings AFTER UPDATE OF booker_id ON bookings WHEN NEW.booker_id <> OLD.booker_id BEGIN
  INSERT INTO people (provider_id, id, booker_id, name_sort_key)
    SELECT NEW.provider_id, NEW.person_id, id, display_sort_key FROM accounts WHERE id = NEW.booker_id
    ON CONFLICT DO NOTHING;
  INSERT INTO changed_cards (provider_id, former_id, person_id, attendance)
    SELECT NEW.provider_id, OLD.person_id, NEW.person_id, OLD.attendance WHERE NEW.person_id <> OLD.person_id;
  INSERT INTO left_cards (provider_id, id) SELECT NEW.provider_id, OLD.person_id WHERE NEW.person_id <> OLD.person_id;
END;
CREATE TRIGGER holds_are_offers AFTER INSERT ON bookings WHEN NEW.status = 0 BEGIN
  SELECT RAISE(ABORT, 'hold_is_for_a_wish') WHERE NOT EXISTS (
    SELECT 1 FROM wishes WHERE provider_id = NEW.provider_id AND id = NEW.wish_id AND state = 0 AND account_id = NEW.booker_id);
  UPDATE wishes SET state = 1, offer_id = NEW.id, held_until = NEW.held_until, changed_at = NEW.booked_at,
      passed = json_insert(passed, '$[#]', NEW.starts_at)
    WHERE provider_id = NEW.provider_id AND id = NEW.wish_id;
  INSERT INTO notices (kind, once, account_id, booking_id, actor_id, data, at)
    VALUES ('offer', NEW.wish_id || ':' || NEW.starts_at, NEW.booker_id, NEW.id, NEW.provider_id,
      json_object('wish', NEW.wish_id, 'startsAt', NEW.starts_at, 'endsAt', NEW.ends_at, 'timeZone', NEW.time_zone, 'date', NEW.local_date,
        'heldUntil', NEW.held_until), NEW.booked_at);
END;
CREATE TRIGGER moves_are_told AFTER UPDATE OF status ON bookings
WHEN OLD.status = 1 AND NEW.status = 2 AND NEW.moved_to IS NOT NULL BEGIN
  INSERT INTO notices (kind, once, account_id, booking_id, actor_id, data, at)
    SELECT 'moved', NEW.moved_to || ':' || NEW.provider_id, NEW.provider_id, NEW.moved_to,
      coalesce(NEW.acted_by, NEW.booker_id),
      json_object('startsAt', NEW.starts_at, 'endsAt', NEW.ends_at, 'reason', NEW.reason, 'filled', filled, 'after', after,
        'isActed', iif(NEW.acted_by IS NULL, NULL, 1)), NEW.canceled_at
    FROM (SELECT 1) LEFT JOIN filled_times ON provider_id = NEW.provider_id AND starts_at = CAST(substr(NEW.moved_to, -25, 13) AS INTEGER) AND id = NEW.moved_to
    WHERE (NEW.canceled_by = 'consumer' OR NEW.acted_by IS NOT NULL) AND substr(NEW.moved_to, 1, length(NEW.moved_to) - 25) = NEW.provider_id;
  INSERT INTO notices (kind, once, account_id, booking_id, actor_id, data, at, is_for_mail, email, email_hash)
    VALUES ('moved', coalesce(NEW.told_with, NEW.moved_to) || ':' || NEW.booker_id, NEW.booker_id, NEW.moved_to,
      iif(NEW.canceled_by = 'provider', NEW.provider_id, NULL),
      json_object('startsAt', NEW.starts_at, 'endsAt', NEW.ends_at, 'reason', NEW.reason, 'with', NEW.told_with, 'from',
        iif(substr(NEW.moved_to, 1, length(NEW.moved_to) - 25) = NEW.provider_id, NULL, (SELECT display_name FROM accounts WHERE id = NEW.provider_id))), NEW.canceled_at,
      NEW.canceled_by = 'consumer', NEW.email, NEW.email_hash);
  INSERT INTO program_news (kind, provider_id, booking_id, at)
    SELECT 'moved', NEW.provider_id, NEW.moved_to, NEW.canceled_at WHERE substr(NEW.moved_to, 1, length(NEW.moved_to) - 25) = NEW.provider_id;
END;
CREATE TRIGGER moves_to_colleagues_are_told AFTER UPDATE OF status ON bookings
WHEN OLD.status = 1 AND NEW.status = 2 AND substr(NEW.moved_to, 1, length(NEW.moved_to) - 25) <> NEW.provider_id BEGIN
  INSERT INTO notices (kind, once, account_id, booking_id, actor_id, data, at)
    SELECT 'moved', NEW.moved_to || ':' || taker.id, taker.id, NEW.moved_to, NEW.booker_id,
      json_object('startsAt', NEW.starts_at, 'endsAt', NEW.ends_at, 'from', former.display_name), NEW.canceled_at
    FROM accounts AS taker CROSS JOIN accounts AS former
    WHERE taker.id = substr(NEW.moved_to, 1, length(NEW.moved_to) - 25) AND former.id = NEW.provider_id AND NEW.canceled_by = 'consumer';
  INSERT INTO notices (kind, once, account_id, booking_id, actor_id, data, at)
    SELECT 'moved', NEW.moved_to || ':' || NEW.provider_id, NEW.provider_id, NEW.id, NEW.booker_id,
      json_object('to', taker.display_name), NEW.canceled_at
    FROM accounts AS taker WHERE taker.id = substr(NEW.moved_to, 1, length(NEW.moved_to) - 25) AND NEW.canceled_by = 'consumer';
  INSERT INTO program_news (kind, provider_id, booking_id, at) VALUES ('canceled', NEW.provider_id, NEW.id, NEW.canceled_at);
  INSERT INTO program_news (kind, provider_id, booking_id, at)
    VALUES ('booked', substr(NEW.moved_to, 1, length(NEW.moved_to) - 25), NEW.moved_to, NEW.canceled_at);
END;
CREATE TRIGGER taken_holds_are_told AFTER UPDATE OF status ON bookings
WHEN OLD.status = 0 AND NEW.status = 1 AND NEW.moved_from IS NULL BEGIN
  INSERT INTO notices (kind, once, account_id, booking_id, actor_id, data, at)
    SELECT 'booked', id || ':' || provider_id, provider_id, id, NEW.booker_id, json_object('filled', filled, 'after', after), NEW.booked_at
    FROM filled_times WHERE provider_id = NEW.provider_id AND starts_at = NEW.starts_at AND id = NEW.id;
  INSERT INTO notices (kind, once, account_id, booking_id, at, is_for_mail)
    VALUES ('booked', NEW.id || ':' || NEW.booker_id, NEW.booker_id, NEW.id, NEW.booked_at, 1);
  INSERT INTO program_news (kind, provider_id, booking_id, at) VALUES ('booked', NEW.provider_id, NEW.id, NEW.booked_at);
END;
CREATE TRIGGER taken_holds_end_their_wish AFTER UPDATE OF status ON bookings WHEN OLD.status = 0 AND NEW.status = 1 BEGIN
  UPDATE wishes SET state = 2, held_until = NULL, changed_at = NEW.booked_at
    WHERE provider_id = NEW.provider_id AND id = NEW.wish_id AND offer_id = NEW.id;
  INSERT INTO fulfilled_wishes (provider_id, starts_at, id) SELECT NEW.provider_id, NEW.starts_at, NEW.id
    WHERE EXISTS (SELECT 1 FROM wishes AS taken CROSS JOIN wishes AS other ON other.asked_by = taken.asked_by
      WHERE taken.provider_id = NEW.provider_id AND taken.id = NEW.wish_id AND other.state < 2);
  INSERT INTO offers (provider_id, wish_id, now, free_from, free_until, is_by_hand)
    SELECT provider_id, id, NEW.booked_at, from_at, until_at, 0
    FROM wishes WHERE state = 0 AND provider_id = NEW.provider_id AND asked_by = (
      SELECT asked_by FROM wishes AS taken WHERE taken.provider_id = NEW.provider_id AND taken.id = NEW.wish_id)
    ORDER BY asked_at, id;
END;
CREATE TRIGGER taken_holds_make_cards AFTER UPDATE OF status ON bookings WHEN OLD.status = 0 AND NEW.status = 1 BEGIN
  INSERT INTO first_bookings (provider_id, person_id, booker_id, code_hash, phone)
    VALUES (NEW.provider_id, NEW.person_id, NEW.booker_id, NEW.code_hash, NEW.phone);
END;

CREATE TABLE busy_feeds (
  provider_id TEXT NOT NULL REFERENCES accounts (id),
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  place INTEGER NOT NULL,
  host TEXT NOT NULL,
  sealed TEXT NOT NULL,
  added_at INTEGER NOT NULL,
  etag TEXT,
  last_modified TEXT,
  digest TEXT,
  read_at INTEGER,
  full_at INTEGER,
  events INTEGER NOT NULL DEFAULT 0,
  doubts TEXT NOT NULL DEFAULT '[]' CHECK (json_type(doubts) = 'array'),
  failure TEXT,
  told_at INTEGER,
  PRIMARY KEY (provider_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE busy_times (
  provider_id TEXT NOT NULL REFERENCES accounts (id),
  source TEXT NOT NULL,
  starts_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  PRIMARY KEY (provider_id, starts_at, source),
  CONSTRAINT busy_time_has_length CHECK (ends_at > starts_at AND ends_at - starts_at <= 86400000)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER busy_times_begin AFTER INSERT ON busy_times BEGIN
  UPDATE slots SET is_busy = 1 WHERE provider_id = NEW.provider_id AND starts_at > NEW.starts_at - 86400000
    AND starts_at < NEW.ends_at AND ends_at > NEW.starts_at AND is_busy = 0;
END;
CREATE TRIGGER busy_times_end AFTER DELETE ON busy_times BEGIN
  UPDATE slots SET is_busy = 0 WHERE provider_id = OLD.provider_id AND starts_at > OLD.starts_at - 86400000
    AND starts_at < OLD.ends_at AND ends_at > OLD.starts_at AND is_busy = 1 AND NOT EXISTS (
      SELECT 1 FROM busy_times AS other WHERE other.provider_id = slots.provider_id AND other.starts_at > slots.starts_at - 86400000
        AND other.starts_at < slots.ends_at AND other.ends_at > slots.starts_at);
  UPDATE open_days SET free_at = NULL WHERE provider_id = OLD.provider_id AND free_at IS NOT NULL
    AND local_date BETWEEN date(OLD.starts_at / 1000, 'unixepoch', '-2 days') AND date(OLD.ends_at / 1000, 'unixepoch', '+1 day')
    AND NOT EXISTS (
      SELECT 1 FROM slots WHERE slots.provider_id = open_days.provider_id AND state = 0 AND is_busy = 1
        AND starts_at BETWEEN first_at AND last_at AND slots.local_date = open_days.local_date);
END;
CREATE TRIGGER busy_times_stay BEFORE UPDATE ON busy_times BEGIN
  SELECT RAISE(ABORT, 'busy_time_stays');
END;
CREATE TRIGGER cards_take_over INSTEAD OF INSERT ON changed_cards BEGIN
  UPDATE people SET seen = seen + (NEW.attendance IS 'seen'), excused = excused + (NEW.attendance IS 'excused'),
    missed = missed + (NEW.attendance IS 'missed'),
    (phone, phone_digits, note) = (
      SELECT coalesce(people.phone, former.phone), coalesce(people.phone_digits, former.phone_digits),
        coalesce(people.note || char(10) || former.note, people.note, former.note)
      FROM (SELECT 1) LEFT JOIN people AS former ON former.provider_id = NEW.provider_id AND former.id = NEW.former_id)
  WHERE provider_id = NEW.provider_id AND id = NEW.person_id;
  UPDATE people SET seen = seen - (NEW.attendance IS 'seen'), excused = excused - (NEW.attendance IS 'excused'),
    missed = missed - (NEW.attendance IS 'missed'), note = NULL
  WHERE provider_id = NEW.provider_id AND id = NEW.former_id;
END;

CREATE TABLE cities (
  folded TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  providers INTEGER NOT NULL DEFAULT 0 CHECK (providers >= 0)
) STRICT, WITHOUT ROWID;
CREATE INDEX cities_with_providers ON cities (name) WHERE providers > 0;

CREATE TABLE city_days (
  city TEXT NOT NULL REFERENCES cities (folded),
  local_date TEXT NOT NULL,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  PRIMARY KEY (city, local_date)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER days_close_with_their_slots INSTEAD OF INSERT ON closed_slots BEGIN
  DELETE FROM open_days WHERE provider_id = NEW.provider_id AND local_date = NEW.local_date AND last_at = NEW.starts_at AND NOT EXISTS (
    SELECT 1 FROM slots WHERE provider_id = NEW.provider_id AND state = 0
      AND starts_at BETWEEN first_at AND NEW.starts_at AND slots.local_date = NEW.local_date);
  UPDATE open_days SET last_at = iif(last_at <> NEW.starts_at, last_at, (
      SELECT starts_at FROM slots WHERE provider_id = NEW.provider_id AND state = 0
        AND starts_at < NEW.starts_at AND slots.local_date = NEW.local_date
      ORDER BY starts_at DESC LIMIT 1)),
    free_at = iif(free_at IS NOT NEW.starts_at, free_at, ifnull((
      SELECT starts_at FROM slots WHERE provider_id = NEW.provider_id AND state = 0 AND is_busy = 0
        AND starts_at BETWEEN first_at AND NEW.starts_at AND slots.local_date = NEW.local_date
      ORDER BY starts_at DESC LIMIT 1), 0))
  WHERE provider_id = NEW.provider_id AND local_date = NEW.local_date AND (last_at = NEW.starts_at OR free_at = NEW.starts_at);
END;

CREATE TABLE colleagues (
  shop_id TEXT NOT NULL REFERENCES accounts (id),
  account_id TEXT NOT NULL REFERENCES accounts (id),
  role TEXT NOT NULL CHECK (role IN ('owner', 'desk', 'colleague')),
  takes INTEGER NOT NULL DEFAULT 1,
  place INTEGER NOT NULL DEFAULT 0,
  joined_at INTEGER NOT NULL,
  seen_at INTEGER,
  own_rules TEXT NOT NULL DEFAULT '{}',
  PRIMARY KEY (shop_id, account_id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX colleagues_by_account ON colleagues (account_id);
CREATE TRIGGER colleagues_share_a_clock BEFORE INSERT ON colleagues BEGIN
  SELECT RAISE(ABORT, 'colleague_is_provider')
    WHERE NOT EXISTS (SELECT 1 FROM accounts WHERE id = NEW.account_id AND role = 'Provider');
  SELECT RAISE(ABORT, 'shop_has_one_zone')
    WHERE (SELECT time_zone FROM accounts WHERE id = NEW.account_id) <> (SELECT time_zone FROM accounts WHERE id = NEW.shop_id);
END;
CREATE TRIGGER colleagues_take_the_rules_of_the_house AFTER INSERT ON colleagues
WHEN EXISTS (SELECT 1 FROM accounts WHERE id = NEW.shop_id AND house_rules IS NOT NULL) BEGIN
  UPDATE colleagues SET own_rules = (
      SELECT (SELECT json_group_object(own.key, own.value) FROM json_each(json_insert('{}', '$.openTo', accounts.open_to, '$.askEmail', accounts.ask_email, '$.askPhone', accounts.ask_phone, '$.notice', accounts.notice, '$.cancelUntil', accounts.cancel_until, '$.horizonDays', accounts.horizon_days, '$.perPerson', accounts.per_person, '$.perDay', accounts.per_day, '$.keepAnswersDays', accounts.keep_answers_days, '$.waitlist', accounts.waitlist, '$.reminders', accounts.reminders)) AS own WHERE own.key IN (SELECT key FROM json_each(shop.house_rules))) FROM accounts CROSS JOIN accounts AS shop ON shop.id = NEW.shop_id WHERE accounts.id = NEW.account_id)
    WHERE shop_id = NEW.shop_id AND account_id = NEW.account_id;
  UPDATE accounts SET open_to = iif(json_type(shop.house_rules, '$.openTo') IS NULL, accounts.open_to, shop.house_rules ->> '$.openTo'), ask_email = iif(json_type(shop.house_rules, '$.askEmail') IS NULL, accounts.ask_email, shop.house_rules ->> '$.askEmail'), ask_phone = iif(json_type(shop.house_rules, '$.askPhone') IS NULL, accounts.ask_phone, shop.house_rules ->> '$.askPhone'), notice = iif(json_type(shop.house_rules, '$.notice') IS NULL, accounts.notice, shop.house_rules ->> '$.notice'), cancel_until = iif(json_type(shop.house_rules, '$.cancelUntil') IS NULL, accounts.cancel_until, shop.house_rules ->> '$.cancelUntil'), horizon_days = iif(json_type(shop.house_rules, '$.horizonDays') IS NULL, accounts.horizon_days, shop.house_rules ->> '$.horizonDays'), per_person = iif(json_type(shop.house_rules, '$.perPerson') IS NULL, accounts.per_person, shop.house_rules ->> '$.perPerson'), per_day = iif(json_type(shop.house_rules, '$.perDay') IS NULL, accounts.per_day, shop.house_rules ->> '$.perDay'), keep_answers_days = iif(json_type(shop.house_rules, '$.keepAnswersDays') IS NULL, accounts.keep_answers_days, shop.house_rules ->> '$.keepAnswersDays'), waitlist = iif(json_type(shop.house_rules, '$.waitlist') IS NULL, accounts.waitlist, shop.house_rules ->> '$.waitlist'), reminders = iif(json_type(shop.house_rules, '$.reminders') IS NULL, accounts.reminders, shop.house_rules ->> '$.reminders')
    FROM accounts AS shop WHERE shop.id = NEW.shop_id AND accounts.id = NEW.account_id;
END;
CREATE TRIGGER leavers_have_their_own_rules_again AFTER DELETE ON colleagues WHEN OLD.own_rules <> '{}' BEGIN
  UPDATE accounts SET open_to = iif(json_type(OLD.own_rules, '$.openTo') IS NULL, accounts.open_to, OLD.own_rules ->> '$.openTo'), ask_email = iif(json_type(OLD.own_rules, '$.askEmail') IS NULL, accounts.ask_email, OLD.own_rules ->> '$.askEmail'), ask_phone = iif(json_type(OLD.own_rules, '$.askPhone') IS NULL, accounts.ask_phone, OLD.own_rules ->> '$.askPhone'), notice = iif(json_type(OLD.own_rules, '$.notice') IS NULL, accounts.notice, OLD.own_rules ->> '$.notice'), cancel_until = iif(json_type(OLD.own_rules, '$.cancelUntil') IS NULL, accounts.cancel_until, OLD.own_rules ->> '$.cancelUntil'), horizon_days = iif(json_type(OLD.own_rules, '$.horizonDays') IS NULL, accounts.horizon_days, OLD.own_rules ->> '$.horizonDays'), per_person = iif(json_type(OLD.own_rules, '$.perPerson') IS NULL, accounts.per_person, OLD.own_rules ->> '$.perPerson'), per_day = iif(json_type(OLD.own_rules, '$.perDay') IS NULL, accounts.per_day, OLD.own_rules ->> '$.perDay'), keep_answers_days = iif(json_type(OLD.own_rules, '$.keepAnswersDays') IS NULL, accounts.keep_answers_days, OLD.own_rules ->> '$.keepAnswersDays'), waitlist = iif(json_type(OLD.own_rules, '$.waitlist') IS NULL, accounts.waitlist, OLD.own_rules ->> '$.waitlist'), reminders = iif(json_type(OLD.own_rules, '$.reminders') IS NULL, accounts.reminders, OLD.own_rules ->> '$.reminders') WHERE id = OLD.account_id;
END;
CREATE TRIGGER shops_keep_an_owner AFTER UPDATE OF role ON colleagues WHEN OLD.role = 'owner' AND NEW.role <> 'owner' BEGIN
  SELECT RAISE(ABORT, 'shop_has_owner')
    WHERE NOT EXISTS (SELECT 1 FROM colleagues WHERE shop_id = NEW.shop_id AND role = 'owner');
END;
CREATE TRIGGER shops_keep_an_owner_when_one_leaves AFTER DELETE ON colleagues WHEN OLD.role = 'owner' BEGIN
  SELECT RAISE(ABORT, 'shop_has_owner')
    WHERE EXISTS (SELECT 1 FROM colleagues WHERE shop_id = OLD.shop_id)
      AND NOT EXISTS (SELECT 1 FROM colleagues WHERE shop_id = OLD.shop_id AND role = 'owner');
END;

CREATE TABLE deliveries (
  provider_id TEXT NOT NULL REFERENCES accounts (id),
  webhook_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  kind TEXT NOT NULL,
  about TEXT NOT NULL,
  data TEXT NOT NULL CHECK (json_type(data) = 'object'),
  at INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('new', 'due', 'behind', 'sent', 'dead')),
  due_at INTEGER,
  tries INTEGER NOT NULL DEFAULT 0,
  tried_at INTEGER,
  status INTEGER,
  failure TEXT,
  PRIMARY KEY (provider_id, webhook_id, number),
  CHECK ((due_at IS NULL) = (state IN ('sent', 'dead')))
) STRICT, WITHOUT ROWID;
CREATE INDEX deliveries_to_take_up ON deliveries (provider_id) WHERE state = 'new';
CREATE INDEX deliveries_under_way ON deliveries (provider_id, webhook_id, about, number) WHERE due_at IS NOT NULL;
CREATE TRIGGER wishes_follow_their_booking INSTEAD OF INSERT ON ended_bookings BEGIN
  UPDATE wishes SET instead_of = coalesce(NEW.moved_to, instead_of),
      state = iif(NEW.moved_to IS NULL OR from_at >= CAST(substr(NEW.moved_to, -25, 13) AS INTEGER), 2,
        iif(CAST(substr(offer_id, -25, 13) AS INTEGER) >= CAST(substr(NEW.moved_to, -25, 13) AS INTEGER), 0, state)),
      (offer_id, held_until) = (SELECT offer_id, held_until WHERE NEW.moved_to IS NOT NULL
        AND max(from_at, CAST(substr(offer_id, -25, 13) AS INTEGER)) < CAST(substr(NEW.moved_to, -25, 13) AS INTEGER)),
      (until_at, ends_at) = (SELECT max(from_at + 1, min(last_at, ifnull(moved.starts_at, last_at))),
          min(last_at, ifnull(moved.starts_at - moved.cancel_until * 60000, last_at))
        FROM (SELECT 1) LEFT JOIN bookings AS moved ON moved.provider_id = NEW.provider_id AND moved.id = NEW.moved_to
          AND moved.starts_at = CAST(substr(NEW.moved_to, -25, 13) AS INTEGER)),
      passed = iif(NEW.moved_to IS NULL OR EXISTS (SELECT 1 FROM json_each(passed) WHERE value = NEW.starts_at),
        passed, json_insert(passed, '$[#]', NEW.starts_at)),
      changed_at = NEW.canceled_at
    WHERE instead_of = NEW.id AND state < 2;
END;
CREATE TRIGGER ended_times_are_given_back INSTEAD OF INSERT ON ended_times BEGIN
  UPDATE slots SET taken = taken - NEW.people
    WHERE provider_id = NEW.provider_id AND starts_at = NEW.starts_at AND id IS NEW.slot_id AND state = 0;
  UPDATE slots SET taken = taken - NEW.people, part_of = NULL,
      state = iif(seats = 1 AND (NEW.withdraws OR withdrawn_at IS NOT NULL), 2, 0),
      id = iif(seats = 1 AND (NEW.status = 2 OR withdrawn_at IS NULL), (provider_id || printf('%013d', starts_at) || lower(hex(randomblob(6)))), id),
      city = ifnull((SELECT city FROM accounts WHERE accounts.id = provider_id), city)
    WHERE provider_id = NEW.provider_id AND starts_at >= NEW.starts_at AND starts_at < NEW.taken_until
      AND state = 1 AND part_of = NEW.starts_at;
END;

CREATE TABLE feeds (
  account_id TEXT PRIMARY KEY REFERENCES accounts (id),
  key_hash TEXT NOT NULL UNIQUE,
  seed TEXT NOT NULL,
  version INTEGER NOT NULL DEFAULT 0,
  made_at INTEGER NOT NULL,
  busy_hash TEXT
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX feeds_by_busy_hash ON feeds (busy_hash) WHERE busy_hash IS NOT NULL;
CREATE TRIGGER people_get_their_card INSTEAD OF INSERT ON first_bookings BEGIN
  INSERT INTO people (provider_id, id, booker_id, name, name_sort_key, email, email_folded, phone, phone_digits)
    SELECT NEW.provider_id, NEW.person_id, iif(username IS NULL AND NOT (NEW.code_hash IS NOT NULL), NULL, id),
      iif(username IS NULL, display_name, NULL), display_sort_key,
      iif(username IS NULL, email, NULL), iif(username IS NULL, lower(email), NULL), NEW.phone,
      nullif(ltrim(replace(replace(replace(replace(replace(replace(NEW.phone, ' ', ''), '+', ''), '-', ''), '(', ''), ')', ''), '/', ''), '0'), '')
    FROM accounts WHERE id = NEW.booker_id
    ON CONFLICT DO NOTHING;
END;

CREATE TABLE former_colleagues (
  shop_id TEXT NOT NULL REFERENCES accounts (id),
  account_id TEXT NOT NULL REFERENCES accounts (id),
  left_at INTEGER NOT NULL,
  PRIMARY KEY (shop_id, account_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX former_colleagues_by_account ON former_colleagues (account_id);
CREATE TRIGGER freed_times_are_offered INSTEAD OF INSERT ON freed_times BEGIN
  INSERT INTO offers (provider_id, wish_id, now, free_from, free_until, is_by_hand)
    SELECT provider_id, id, NEW.canceled_at, iif(instead_of = NEW.moved_to, from_at, NEW.starts_at - reach),
      iif(instead_of = NEW.moved_to, until_at, NEW.taken_until), 0
    FROM in_line WHERE provider_id = NEW.provider_id AND from_at < NEW.taken_until AND until_at > NEW.starts_at - reach
    ORDER BY asked_at, id;
END;
CREATE TRIGGER wishes_are_fulfilled INSTEAD OF INSERT ON fulfilled_wishes BEGIN
  UPDATE wishes SET state = iif(wishes.state = 1, 1, 2), ends_at = booked.booked_at,
      held_until = iif(wishes.state = 1, booked.booked_at, NULL), changed_at = booked.booked_at
    FROM bookings AS booked
    WHERE booked.provider_id = NEW.provider_id AND booked.starts_at = NEW.starts_at AND booked.id = NEW.id AND booked.moved_from IS NULL
      AND wishes.asked_by = (SELECT asked_by FROM wishes AS theirs WHERE theirs.account_id = booked.booker_id LIMIT 1)
      AND wishes.state < 2 AND wishes.provider_id = booked.provider_id AND wishes.people <= booked.people
      AND (wishes.service_id IS NULL OR wishes.service_id = booked.service_id)
      AND (SELECT suits FROM wished_slots WHERE wished_slots.provider_id = wishes.provider_id AND wish_id = wishes.id
        AND wished_slots.starts_at = booked.starts_at);
  UPDATE bookings SET held_until = (
      SELECT wishes.held_until FROM wishes WHERE wishes.provider_id = bookings.provider_id AND wishes.id = bookings.wish_id)
    WHERE status = 0 AND provider_id = NEW.provider_id AND wish_id IN (
      SELECT id FROM wishes WHERE state = 1 AND provider_id = NEW.provider_id AND asked_by = (SELECT asked_by
        FROM bookings AS booked CROSS JOIN wishes AS theirs ON theirs.account_id = booked.booker_id
        WHERE booked.provider_id = NEW.provider_id AND booked.starts_at = NEW.starts_at AND booked.id = NEW.id LIMIT 1));
END;

CREATE TABLE full_days (
  provider_id TEXT NOT NULL REFERENCES accounts (id),
  local_date TEXT NOT NULL,
  PRIMARY KEY (provider_id, local_date)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER given_rsvps_are_told INSTEAD OF INSERT ON given_rsvps BEGIN
  INSERT INTO notices (kind, once, account_id, party_id, data, at)
    SELECT 'rsvps', id || ':' || (NEW.rsvp_at / 86400000) || ':' || provider_id, provider_id, id,
      json_object('count', ifnull(NEW.before / 86400000 <> NEW.rsvp_at / 86400000, 1)), NEW.rsvp_at
    FROM parties WHERE id = NEW.party_id;
  INSERT INTO program_news (kind, provider_id, party_id, invitation_id, at)
    VALUES ('rsvps', (SELECT provider_id FROM parties WHERE id = NEW.party_id), NEW.party_id, NEW.id, NEW.rsvp_at);
END;
CREATE TRIGGER offers_are_held INSTEAD OF INSERT ON held_offers BEGIN
  INSERT INTO bookings ("provider_id", "starts_at", "id", "ends_at", "taken_until", "local_date", "time_zone", "city", "notes", "template_id", "slot_id", "service_id", "service_name", "price", "deposit", "place_kind", "place",
      status, people, booker_id, booker_name, person_id, booked_at, cancel_until, phone, wish_id, shop_id, held_until)
    SELECT "provider_id", "starts_at", "id", "ends_at", "taken_until", "local_date", "time_zone", "city", "notes", "template_id", "slot_id", "service_id", "service_name", "price", "deposit", "place_kind", "place",
      0, people, account_id, (SELECT display_name FROM accounts AS named WHERE named.id = account_id), account_id, NEW.now, cancel_until, phone, wish_id, (SELECT shop_id FROM colleagues WHERE account_id = provider_id),
      min(closes_at, waking + (ahead - (SELECT value ->> 1 FROM json_each(reader_clock) WHERE value ->> 0 <= waking ORDER BY key DESC LIMIT 1)) * 60000)
    FROM (SELECT *, iif((until / 60000 + ahead) % 1440 BETWEEN 480 AND 1320 - 1, until,
        until - until % 60000 + (1440 - (until / 60000 + ahead - 480) % 1440) * 60000) AS waking
      FROM (SELECT *, (SELECT value ->> 1 FROM json_each(reader_clock) WHERE value ->> 0 <= until ORDER BY key DESC LIMIT 1) AS ahead
        FROM (SELECT *, CAST(NEW.now + min(max((starts_at - NEW.now) / 4, 3600000 / 2), 12 * 3600000) AS INTEGER) AS until
          FROM fits
          WHERE provider_id = NEW.provider_id AND wish_id = NEW.wish_id AND wish_state = 0
            AND starts_at >= NEW.free_from AND starts_at < NEW.free_until
            AND (suits OR NEW.is_by_hand) AND NOT was_offered AND (NEW.now < fits.wish_ends_at AND +fits.starts_at >= (NEW.now + max(1, fits.notice * 60000)) AND +fits.starts_at <= coalesce(NEW.now + fits.horizon_days * 86400000, 9007199254740991) AND NOT (fits.per_person IS NOT NULL AND fits.per_person <= (SELECT count(*) FROM bookings AS mine WHERE mine.booker_id = fits.account_id AND (mine.status = 1 AND mine.starts_at > NEW.now) AND (mine.provider_id = fits.provider_id OR mine.shop_id = (SELECT shop_id FROM colleagues WHERE account_id = fits.provider_id)) AND mine.id <> ifnull(fits.instead_of, ''))))
            AND NOT EXISTS (SELECT 1 FROM wishes AS other
              WHERE other.asked_by = fits.asked_by AND other.state = 1 AND other.provider_id = NEW.provider_id)
          ORDER BY starts_at LIMIT 1)));
END;

CREATE TABLE hours (
  provider_id TEXT PRIMARY KEY REFERENCES accounts (id),
  plan TEXT NOT NULL CHECK (json_type(plan) = 'object'),
  notes TEXT CHECK (notes <> ''),
  template_id TEXT REFERENCES templates (id),
  lost_template_id TEXT REFERENCES templates (id),
  version TEXT NOT NULL,
  created INTEGER NOT NULL DEFAULT 0,
  withdrawn INTEGER NOT NULL DEFAULT 0,
  carried_to TEXT NOT NULL,
  next_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX hours_due ON hours (next_at);

CREATE TABLE invitations (
  party_id TEXT NOT NULL REFERENCES parties (id),
  invitee TEXT NOT NULL,
  id TEXT NOT NULL UNIQUE,
  account_id TEXT REFERENCES accounts (id),
  username TEXT,
  name TEXT NOT NULL,
  name_sort_key TEXT NOT NULL,
  accepted INTEGER,
  plus_ones INTEGER NOT NULL DEFAULT 0 CHECK (plus_ones >= 0),
  answers TEXT NOT NULL DEFAULT '[]' CHECK (json_type(answers) = 'array'),
  rsvp_at INTEGER,
  created_at INTEGER NOT NULL,
  link_hash TEXT,
  email TEXT,
  email_hash TEXT,
  email_at INTEGER,
  email_is_own INTEGER NOT NULL DEFAULT 0,
  mail_ended_at INTEGER,
  phone TEXT,
  lang TEXT,
  withheld_mail TEXT,
  party_starts_at INTEGER,
  PRIMARY KEY (party_id, invitee)
) STRICT, WITHOUT ROWID;
CREATE INDEX invitations_by_account ON invitations (account_id, party_starts_at) WHERE account_id IS NOT NULL;
CREATE INDEX invitations_by_email_hash ON invitations (email_hash) WHERE email_hash IS NOT NULL AND link_hash IS NOT NULL;
CREATE UNIQUE INDEX invitations_by_link ON invitations (link_hash) WHERE link_hash IS NOT NULL;
CREATE TRIGGER changed_own_rsvps_are_told AFTER UPDATE OF rsvp_at ON invitations
WHEN NEW.accepted IS NOT NULL AND NEW.rsvp_at IS NOT OLD.rsvp_at AND (NEW.account_id IS NOT NULL OR NEW.mail_ended_at IS NULL) BEGIN
  INSERT INTO own_rsvps (id, account_id, party_id, accepted, was_accepted, plus_ones, rsvp_at, email, email_hash)
    VALUES (NEW.id, NEW.account_id, NEW.party_id, NEW.accepted, OLD.accepted, NEW.plus_ones, NEW.rsvp_at, NEW.email, NEW.email_hash);
END;
CREATE TRIGGER changed_rsvps_are_told AFTER UPDATE OF accepted ON invitations
WHEN NEW.accepted IS NOT NULL AND NEW.accepted IS NOT OLD.accepted BEGIN
  INSERT INTO given_rsvps (id, party_id, rsvp_at, before) VALUES (NEW.id, NEW.party_id, NEW.rsvp_at, OLD.rsvp_at);
END;
CREATE TRIGGER invitations_are_counted AFTER INSERT ON invitations WHEN NEW.account_id IS NOT NULL OR NEW.accepted = 1 BEGIN
  UPDATE parties SET invited = invited + (NEW.account_id IS NOT NULL),
    going = going + iif(NEW.accepted = 1, 1 + NEW.plus_ones, 0)
  WHERE id = NEW.party_id;
END;
CREATE TRIGGER invitations_are_sent AFTER INSERT ON invitations WHEN NEW.email IS NOT NULL AND NEW.account_id IS NULL BEGIN
  INSERT INTO sent_invitations (id, party_id, email, email_hash, email_at)
    VALUES (NEW.id, NEW.party_id, NEW.email, NEW.email_hash, NEW.email_at);
END;
CREATE TRIGGER invitations_are_sent_again AFTER UPDATE OF email_at ON invitations
WHEN NEW.email IS NOT NULL AND NEW.account_id IS NULL AND NEW.mail_ended_at IS NULL BEGIN
  INSERT INTO sent_invitations (id, party_id, email, email_hash, email_at)
    VALUES (NEW.id, NEW.party_id, NEW.email, NEW.email_hash, NEW.email_at);
END;
CREATE TRIGGER invitations_begin_whole BEFORE INSERT ON invitations BEGIN
  INSERT INTO whole_invitations (invitee, account_id, accepted, rsvp_at)
    VALUES (NEW.invitee, NEW.account_id, NEW.accepted, NEW.rsvp_at);
END;
CREATE TRIGGER invitations_count_anew AFTER UPDATE OF accepted, plus_ones ON invitations
WHEN NEW.accepted IS NOT OLD.accepted OR NEW.plus_ones <> OLD.plus_ones BEGIN
  UPDATE parties SET going = going
    - iif(OLD.accepted = 1, 1 + OLD.plus_ones, 0)
    + iif(NEW.accepted = 1, 1 + NEW.plus_ones, 0)
  WHERE id = NEW.party_id;
END;
CREATE TRIGGER invitations_count_no_more AFTER DELETE ON invitations BEGIN
  UPDATE parties SET invited = invited - 1, going = going - iif(OLD.accepted = 1, 1 + OLD.plus_ones, 0)
  WHERE id = OLD.party_id AND invited > 0;
END;
CREATE TRIGGER invitations_join_feeds AFTER INSERT ON invitations WHEN NEW.account_id IS NOT NULL BEGIN
  UPDATE feeds SET version = version + 1 WHERE account_id = NEW.account_id;
END;
CREATE TRIGGER invitations_keep_their_account BEFORE UPDATE OF account_id ON invitations WHEN NEW.account_id IS NOT OLD.account_id BEGIN
  SELECT RAISE(ABORT, 'invitation_keeps_its_account') WHERE NOT EXISTS (
    SELECT 1 FROM accounts WHERE id = OLD.account_id AND username IS NULL);
END;
CREATE TRIGGER invitations_leave_feeds AFTER DELETE ON invitations WHEN OLD.account_id IS NOT NULL BEGIN
  UPDATE feeds SET version = version + 1 WHERE account_id = OLD.account_id;
END;
CREATE TRIGGER invitations_stay_in_feeds AFTER UPDATE OF accepted, account_id ON invitations WHEN NEW.account_id IS NOT NULL BEGIN
  UPDATE feeds SET version = version + 1 WHERE account_id = NEW.account_id;
END;
CREATE TRIGGER invitations_stay_whole BEFORE UPDATE OF invitee, account_id, accepted, rsvp_at ON invitations BEGIN
  INSERT INTO whole_invitations (invitee, account_id, accepted, rsvp_at)
    VALUES (NEW.invitee, NEW.account_id, NEW.accepted, NEW.rsvp_at);
END;
CREATE TRIGGER own_rsvps_are_told AFTER INSERT ON invitations WHEN NEW.accepted IS NOT NULL AND NEW.account_id IS NOT NULL BEGIN
  INSERT INTO own_rsvps (id, account_id, party_id, accepted, plus_ones, rsvp_at, email, email_hash)
    VALUES (NEW.id, NEW.account_id, NEW.party_id, NEW.accepted, NEW.plus_ones, NEW.rsvp_at, NEW.email, NEW.email_hash);
END;
CREATE TRIGGER rsvps_are_told AFTER INSERT ON invitations WHEN NEW.accepted IS NOT NULL BEGIN
  INSERT INTO given_rsvps (id, party_id, rsvp_at) VALUES (NEW.id, NEW.party_id, NEW.rsvp_at);
END;
CREATE TRIGGER mail_that_goes_out_is_counted INSTEAD OF INSERT ON judged_mail WHEN NEW.mail_state = 'due' BEGIN
  INSERT INTO throttles (bucket, tries, ends_at)
    SELECT bucket, 1, NEW.due_at + span FROM (SELECT iif(NEW.kind IN ('confirm-email'), 'mail-question:' || NEW.email_hash, NULL) AS bucket, 86400000 AS span UNION ALL SELECT 'mail:' || NEW.email_hash AS bucket, 86400000 AS span UNION ALL SELECT iif(NEW.sender_id IS NULL AND NEW.kind IN ('booked', 'answered', 'wish'), 'mail-guests:' || coalesce(substr(NEW.booking_id, 1, length(NEW.booking_id) - 25), (SELECT provider_id FROM parties WHERE id = NEW.party_id), NEW.actor_id), NULL) AS bucket, 3600000 AS span UNION ALL SELECT iif(NEW.kind IN ('invited', 'join-shop'), 'mail-invited:' || NEW.sender_id || ':' || NEW.email_hash, NULL) AS bucket, 86400000 AS span UNION ALL SELECT iif(iif(NEW.sender_id IS NULL, NULL, ifnull(( SELECT iif(ended_at IS NULL, 'known', 'ended') FROM mail_contacts WHERE sender_id = NEW.sender_id AND email_hash = NEW.email_hash), 'new')) = 'new', 'mail-new:' || NEW.sender_id, NULL) AS bucket, 86400000 AS span) WHERE bucket IS NOT NULL
    ON CONFLICT (bucket) DO UPDATE SET tries = iif(ends_at <= NEW.due_at, 1, tries + 1),
      ends_at = iif(ends_at <= NEW.due_at, excluded.ends_at, ends_at);
  INSERT INTO mail_contacts (sender_id, email_hash, first_at)
    SELECT NEW.sender_id, NEW.email_hash, NEW.due_at WHERE NEW.sender_id IS NOT NULL
    ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER names_show_withheld_mail INSTEAD OF INSERT ON judged_mail WHEN NEW.invitation_id IS NOT NULL BEGIN
  UPDATE invitations SET withheld_mail = iif(NEW.mail_state = 'withheld', NEW.id, NULL)
  WHERE id = NEW.invitation_id AND withheld_mail IS NOT iif(NEW.mail_state = 'withheld', NEW.id, NULL);
END;
CREATE TRIGGER news_tell_of_withheld_mail INSTEAD OF INSERT ON judged_mail
WHEN NEW.mail_state = 'withheld' AND NEW.sender_id IS NOT NULL AND NEW.invitation_id IS NULL BEGIN
  INSERT INTO messages (id, account_id, kind, booking_id, party_id, actor_id, data, created_at)
    VALUES ('undelivered:' || NEW.id, NEW.sender_id, 'undelivered', NEW.booking_id, NEW.party_id, NEW.account_id,
      json_object('withheld', NEW.reason), NEW.created_at)
    ON CONFLICT DO NOTHING;
END;

CREATE TABLE keys (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  id TEXT NOT NULL,
  hash TEXT NOT NULL,
  name TEXT NOT NULL,
  scope TEXT NOT NULL CHECK (scope IN ('read', 'write')),
  made_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  used_at INTEGER,
  PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX keys_by_hash ON keys (hash);
CREATE TRIGGER left_cards_go INSTEAD OF INSERT ON left_cards BEGIN
  DELETE FROM people WHERE provider_id = NEW.provider_id AND id = NEW.id
    AND NOT EXISTS (SELECT 1 FROM bookings_on_cards WHERE provider_id = NEW.provider_id AND card_id = NEW.id)
    AND NOT EXISTS (SELECT 1 FROM standing_times AS standing WHERE standing.provider_id = NEW.provider_id AND standing.person_id = NEW.id);
  DELETE FROM person_aliases WHERE provider_id = NEW.provider_id AND person_id = NEW.id
    AND NOT EXISTS (SELECT 1 FROM people WHERE provider_id = NEW.provider_id AND id = NEW.id);
END;

CREATE TABLE lifted_limits (name TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID;

CREATE TABLE mail_contacts (
  sender_id TEXT NOT NULL REFERENCES accounts (id),
  email_hash TEXT NOT NULL,
  first_at INTEGER NOT NULL,
  ended_at INTEGER,
  PRIMARY KEY (sender_id, email_hash)
) STRICT, WITHOUT ROWID;

CREATE TABLE messages (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  kind TEXT NOT NULL,
  booking_id TEXT,
  party_id TEXT,
  invitation_id TEXT,
  actor_id TEXT,
  data TEXT NOT NULL DEFAULT '{}' CHECK (json_type(data) = 'object'),
  created_at INTEGER NOT NULL,
  is_read INTEGER NOT NULL DEFAULT 0,
  email TEXT,
  email_hash TEXT,
  sender_id TEXT,
  is_limited INTEGER NOT NULL DEFAULT 0,
  mail_state TEXT,
  tries INTEGER NOT NULL DEFAULT 0,
  due_at INTEGER,
  reason TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX messages_by_reader ON messages (account_id, is_read, created_at DESC);
CREATE INDEX messages_due ON messages (due_at) WHERE mail_state IN ('due', 'leased');
CREATE INDEX messages_waiting ON messages (due_at) WHERE mail_state = 'waiting';
CREATE TRIGGER chains_are_one_line_of_news AFTER INSERT ON messages WHEN NEW.data ->> 'after' IS NOT NULL BEGIN
  UPDATE messages SET is_read = 2 WHERE id = NEW.data ->> 'after';
END;
CREATE TRIGGER mail_keeps_its_limits AFTER UPDATE OF mail_state ON messages WHEN NEW.mail_state = 'asked' BEGIN
  UPDATE messages SET (mail_state, reason, due_at) = (
    SELECT iif(why IS NULL, 'due', iif(why = 'guests', 'waiting', iif(true, 'withheld', NULL))), why, iif(why IS NULL, NEW.due_at, iif(why = 'questions', (SELECT ends_at FROM throttles WHERE bucket = iif(NEW.kind IN ('confirm-email'), 'mail-question:' || NEW.email_hash, NULL)), iif(why = 'full', (SELECT ends_at FROM throttles WHERE bucket = 'mail:' || NEW.email_hash), iif(why = 'guests', NEW.due_at + 3600000, iif(why = 'often', NEW.due_at + 86400000, iif(why = 'new', NEW.due_at + 86400000, NULL)))))) FROM (SELECT (SELECT iif(NOT NEW.kind IN ('confirm-email') AND EXISTS (SELECT 1 FROM refused_addresses WHERE email_hash = NEW.email_hash), 'refused', iif(contact = 'ended', 'ended', iif(EXISTS (SELECT 1 FROM lifted_limits WHERE name = 'mail'), NULL, iif(EXISTS (SELECT 1 FROM throttles WHERE bucket = iif(NEW.kind IN ('confirm-email'), 'mail-question:' || NEW.email_hash, NULL) AND ends_at > NEW.due_at AND tries >= 3), 'questions', iif(EXISTS (SELECT 1 FROM throttles WHERE bucket = 'mail:' || NEW.email_hash AND ends_at > NEW.due_at AND tries >= 10), 'full', iif(EXISTS (SELECT 1 FROM throttles WHERE bucket = iif(NEW.sender_id IS NULL AND NEW.kind IN ('booked', 'answered', 'wish'), 'mail-guests:' || coalesce(substr(NEW.booking_id, 1, length(NEW.booking_id) - 25), (SELECT provider_id FROM parties WHERE id = NEW.party_id), NEW.actor_id), NULL) AND ends_at > NEW.due_at AND tries >= 100), 'guests', iif(NEW.sender_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM accounts WHERE id = NEW.sender_id AND email_confirmed_at IS NOT NULL), 'sender', iif(EXISTS (SELECT 1 FROM throttles WHERE bucket = iif(NEW.kind IN ('invited', 'join-shop'), 'mail-invited:' || NEW.sender_id || ':' || NEW.email_hash, NULL) AND ends_at > NEW.due_at AND tries >= 3), 'often', iif(EXISTS (SELECT 1 FROM throttles WHERE bucket = iif(contact = 'new', 'mail-new:' || NEW.sender_id, NULL) AND ends_at > NEW.due_at AND tries >= iif(NEW.due_at < (SELECT created_at FROM accounts WHERE id = NEW.sender_id) + 604800000, 30, 100)), 'new', NULL))))))))) FROM (SELECT iif(NEW.sender_id IS NULL, NULL, ifnull(( SELECT iif(ended_at IS NULL, 'known', 'ended') FROM mail_contacts WHERE sender_id = NEW.sender_id AND email_hash = NEW.email_hash), 'new')) AS contact)) AS why))
  WHERE id = NEW.id;
  INSERT INTO judged_mail SELECT * FROM messages WHERE id = NEW.id;
END;
CREATE TRIGGER new_mail_is_judged AFTER INSERT ON messages WHEN NEW.is_limited BEGIN
  INSERT INTO judged_mail SELECT * FROM messages WHERE id = NEW.id;
END;
CREATE TRIGGER news_tell_of_dead_mail AFTER UPDATE OF mail_state ON messages
WHEN NEW.mail_state = 'dead' AND OLD.mail_state <> 'dead' BEGIN
  INSERT INTO notices (kind, once, account_id, booking_id, party_id, actor_id, data, at)
    SELECT 'undelivered', NEW.id, id, NEW.booking_id, NEW.party_id,
      iif(NEW.invitation_id IS NULL, NEW.account_id, NULL),
      iif(NEW.invitation_id IS NULL, '{}', json_object('name', coalesce((SELECT name FROM invitations WHERE id = NEW.invitation_id), (
        SELECT email FROM shop_invitations WHERE shop_id = (SELECT shop_id FROM colleagues WHERE account_id = NEW.account_id)
          AND id = NEW.invitation_id)))),
      NEW.due_at
    FROM accounts WHERE role = 'Provider' AND id = iif(NEW.invitation_id IS NULL, NEW.actor_id, NEW.account_id)
      AND (NEW.invitation_id IS NOT NULL OR NEW.actor_id <> NEW.account_id);
END;
CREATE TRIGGER missed_dates_are_told INSTEAD OF INSERT ON missed_dates BEGIN
  INSERT INTO notices (kind, once, account_id, actor_id, data, at)
    SELECT 'missed', id || ':' || NEW.told_with, provider_id, booker_id,
      json_object('person', person_id, 'dates', json_array(json_object('date', NEW.local_date, 'why', ifnull((
        SELECT iif(had.state = 2, 'closed', iif(why = 'full', 'taken', why)) FROM standing_slots AS had WHERE had.provider_id = NEW.provider_id AND standing_id = NEW.standing_id
          AND had.starts_at = NEW.starts_at), iif(NEW.starts_at IS NULL, 'skipped', 'closed')), 'start', NEW.starts_at))), NEW.now
    FROM standing_times
    WHERE provider_id = NEW.provider_id AND id = NEW.standing_id AND instr(missed, NEW.local_date) = 0
      AND (EXISTS (SELECT 1 FROM slots WHERE slots.provider_id = NEW.provider_id AND slots.ends_at > NEW.starts_at
          AND slots.starts_at > NEW.starts_at - 86400000 AND slots.starts_at <= NEW.starts_at)
        OR EXISTS (SELECT 1 FROM hours WHERE hours.provider_id = NEW.provider_id AND carried_to >= NEW.local_date));
  UPDATE standing_times SET missed = json_insert((
        SELECT json_group_array(json(value)) FROM json_each(missed) WHERE value ->> 'date' >= date(NEW.now / 1000, 'unixepoch', '-1 day')),
      '$[#]', (SELECT data -> '$.dates[#-1]' FROM messages WHERE id = 'missed:' || NEW.standing_id || ':' || NEW.told_with))
    WHERE provider_id = NEW.provider_id AND id = NEW.standing_id AND instr(missed, NEW.local_date) = 0 AND EXISTS (
      SELECT 1 FROM messages WHERE id = 'missed:' || NEW.standing_id || ':' || NEW.told_with AND data ->> '$.dates[#-1].date' = NEW.local_date);
END;
CREATE TRIGGER providers_are_found_by_each_ending INSTEAD OF INSERT ON names_to_find BEGIN
  INSERT INTO provider_names
    SELECT substr(NEW.name, key + 1), NEW.provider_id
    FROM json_each('[' || substr(replace(hex(zeroblob(length(NEW.name))), '00', ',0'), 2) || ']')
    WHERE true ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER notices_become_messages INSTEAD OF INSERT ON notices
WHEN NEW.email IS NOT NULL OR NEW.account_id IS NOT NULL AND (
  NEW.is_for_mail IS NOT 1 OR EXISTS (SELECT 1 FROM accounts WHERE id = NEW.account_id AND email IS NOT NULL))
BEGIN
  INSERT INTO messages (id, account_id, kind, booking_id, party_id, invitation_id, actor_id, data, created_at, is_read,
      email, email_hash, sender_id, is_limited, mail_state, reason, due_at)
    SELECT NEW.kind || ':' || NEW.once, account_id, kind, booking_id, party_id, iif(is_to_name, NEW.invitation_id, NULL), actor_id,
      json_patch('{}', ifnull(NEW.data, '{}')), NEW.at, iif(is_to_name, 2, coalesce(NEW.is_read, NEW.is_for_mail IS 1)),
      iif(is_mailed, email, NULL), iif(is_mailed, email_hash, NULL), iif(is_mailed, sender_id, NULL), is_mailed AND is_limited,
      iif(is_mailed, iif(why IS NULL, 'due', iif(why = 'guests', 'waiting', iif(true, 'withheld', NULL))), NULL), why, iif(is_mailed, iif(why IS NULL, mail.due_at, iif(why = 'questions', (SELECT ends_at FROM throttles WHERE bucket = iif(mail.kind IN ('confirm-email'), 'mail-question:' || mail.email_hash, NULL)), iif(why = 'full', (SELECT ends_at FROM throttles WHERE bucket = 'mail:' || mail.email_hash), iif(why = 'guests', mail.due_at + 3600000, iif(why = 'often', mail.due_at + 86400000, iif(why = 'new', mail.due_at + 86400000, NULL)))))), NULL)
    FROM (
      SELECT *, iif(is_mailed AND is_limited, (SELECT iif(NOT mail.kind IN ('confirm-email') AND EXISTS (SELECT 1 FROM refused_addresses WHERE email_hash = mail.email_hash), 'refused', iif(contact = 'ended', 'ended', iif(EXISTS (SELECT 1 FROM lifted_limits WHERE name = 'mail'), NULL, iif(EXISTS (SELECT 1 FROM throttles WHERE bucket = iif(mail.kind IN ('confirm-email'), 'mail-question:' || mail.email_hash, NULL) AND ends_at > mail.due_at AND tries >= 3), 'questions', iif(EXISTS (SELECT 1 FROM throttles WHERE bucket = 'mail:' || mail.email_hash AND ends_at > mail.due_at AND tries >= 10), 'full', iif(EXISTS (SELECT 1 FROM throttles WHERE bucket = iif(mail.sender_id IS NULL AND mail.kind IN ('booked', 'answered', 'wish'), 'mail-guests:' || coalesce(substr(mail.booking_id, 1, length(mail.booking_id) - 25), (SELECT provider_id FROM parties WHERE id = mail.party_id), mail.actor_id), NULL) AND ends_at > mail.due_at AND tries >= 100), 'guests', iif(mail.sender_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM accounts WHERE id = mail.sender_id AND email_confirmed_at IS NOT NULL), 'sender', iif(EXISTS (SELECT 1 FROM throttles WHERE bucket = iif(mail.kind IN ('invited', 'join-shop'), 'mail-invited:' || mail.sender_id || ':' || mail.email_hash, NULL) AND ends_at > mail.due_at AND tries >= 3), 'often', iif(EXISTS (SELECT 1 FROM throttles WHERE bucket = iif(contact = 'new', 'mail-new:' || mail.sender_id, NULL) AND ends_at > mail.due_at AND tries >= iif(mail.due_at < (SELECT created_at FROM accounts WHERE id = mail.sender_id) + 604800000, 30, 100)), 'new', NULL))))))))) FROM (SELECT iif(mail.sender_id IS NULL, NULL, ifnull(( SELECT iif(ended_at IS NULL, 'known', 'ended') FROM mail_contacts WHERE sender_id = mail.sender_id AND email_hash = mail.email_hash), 'new')) AS contact)), NULL) AS why FROM (
        SELECT accounts.id AS account_id, NEW.account_id IS NULL AS is_to_name,
          NEW.kind AS kind, NEW.booking_id AS booking_id, NEW.party_id AS party_id, NEW.actor_id AS actor_id,
          coalesce(NEW.email, accounts.email) AS email,
          coalesce(NEW.email_hash, iif(NEW.account_id IS NULL, lower(NEW.email), coalesce(accounts.email_hash, lower(accounts.email)))) AS email_hash,
          coalesce(iif(names.email_is_own = 0 OR NEW.account_id IS NULL AND NEW.party_id IS NULL, accounts.id, NULL),
            iif(NEW.account_id IS NOT NULL AND NEW.email_hash IS NULL, accounts.email_by, NULL)) AS sender_id,
          NEW.account_id IS NULL OR NEW.email IS NOT NULL AND NEW.email_hash IS NULL AND accounts.email IS NOT NULL
            OR (instr(accounts.mail_off, '"' || NEW.kind || '"') = 0 AND (NEW.email_hash IS NOT NULL OR accounts.email IS NOT NULL AND (accounts.email_confirmed_at IS NOT NULL OR accounts.role = 'Consumer' AND NEW.kind IN ('booked', 'moved', 'canceled', 'answered', 'changed', 'called-off', 'reminder', 'wish', 'offer')))) AS is_mailed,
          NEW.account_id IS NULL OR NOT (NOT (NEW.email_hash IS NOT NULL) AND accounts.email_confirmed_at IS NOT NULL) AS is_limited,
          NEW.at + iif(NEW.kind = 'rsvps', 3600000, 0) AS due_at
        FROM accounts LEFT JOIN invitations AS names ON names.id = NEW.invitation_id AND NEW.account_id IS NULL
        WHERE accounts.id = coalesce(NEW.account_id, iif(NEW.party_id IS NULL, NEW.actor_id, (SELECT provider_id FROM parties WHERE id = NEW.party_id)))
        LIMIT 1) AS mail
      LIMIT 1) AS mail
    WHERE true
    ON CONFLICT (id) DO UPDATE SET is_read = 0,
      data = iif(kind = 'rsvps', json_set(data, '$.count', (data ->> 'count') + (excluded.data ->> 'count')), json_insert(data, '$.dates[#]', excluded.data -> '$.dates[0]'))
    WHERE kind = 'rsvps' OR kind = 'missed';
END;
CREATE TRIGGER offers_are_held_or_told INSTEAD OF INSERT ON offers BEGIN
  INSERT INTO held_offers (provider_id, wish_id, now, free_from, free_until, is_by_hand)
    VALUES (NEW.provider_id, NEW.wish_id, NEW.now, max(NEW.free_from, NEW.now + 2 * 3600000), NEW.free_until, NEW.is_by_hand);
  INSERT INTO told_offers (provider_id, wish_id, now, free_from, free_until, is_by_hand)
    VALUES (NEW.provider_id, NEW.wish_id, NEW.now, NEW.free_from, min(NEW.free_until, NEW.now + 2 * 3600000), NEW.is_by_hand);
END;

CREATE TABLE one_time_keys (
  caller TEXT NOT NULL,
  key TEXT NOT NULL,
  use TEXT NOT NULL,
  replay TEXT CHECK (json_valid(replay)),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (caller, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX one_time_keys_by_age ON one_time_keys (created_at);

CREATE TABLE open_days (
  provider_id TEXT NOT NULL REFERENCES accounts (id),
  local_date TEXT NOT NULL,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  free_at INTEGER,
  PRIMARY KEY (provider_id, local_date)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER days_open_with_their_slots INSTEAD OF INSERT ON opened_slots BEGIN
  INSERT INTO open_days (provider_id, local_date, first_at, last_at, free_at)
    VALUES (NEW.provider_id, NEW.local_date, NEW.starts_at, NEW.starts_at, iif(NEW.is_busy, 0, NULL))
    ON CONFLICT DO UPDATE SET first_at = min(first_at, NEW.starts_at), last_at = max(last_at, NEW.starts_at),
      free_at = iif(NEW.is_busy, ifnull(free_at, last_at), max(free_at, NEW.starts_at))
    WHERE NEW.starts_at NOT BETWEEN first_at AND last_at OR iif(NEW.is_busy, free_at IS NULL, free_at < NEW.starts_at);
END;
CREATE TRIGGER own_rsvps_are_mailed INSTEAD OF INSERT ON own_rsvps BEGIN
  INSERT INTO notices (kind, once, account_id, invitation_id, party_id, data, at, is_for_mail, email, email_hash)
    VALUES ('answered', NEW.id || ':' || NEW.rsvp_at, NEW.account_id, NEW.id, NEW.party_id,
      json_object('isComing', NEW.accepted, 'wasComing', NEW.was_accepted IS 1, 'brings', iif(NEW.account_id IS NULL, 0, NEW.plus_ones)),
      NEW.rsvp_at, 1, NEW.email, NEW.email_hash);
END;

CREATE TABLE parties (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  provider_id TEXT NOT NULL REFERENCES accounts (id),
  title TEXT NOT NULL,
  description TEXT,
  starts_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL CHECK (ends_at > starts_at),
  local_date TEXT NOT NULL CHECK (local_date GLOB '[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]'),
  time_zone TEXT NOT NULL,
  address TEXT,
  location_url TEXT,
  template_id TEXT REFERENCES templates (id),
  capacity INTEGER,
  rsvp_by TEXT CHECK (rsvp_by GLOB '[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]'),
  rsvp_closes_at INTEGER,
  plus_ones INTEGER NOT NULL DEFAULT 0 CHECK (plus_ones >= 0),
  hide_going INTEGER NOT NULL DEFAULT 0,
  going INTEGER NOT NULL DEFAULT 0 CHECK (going >= 0),
  invited INTEGER NOT NULL DEFAULT 0 CHECK (invited >= 0),
  sequence INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  open_to TEXT NOT NULL DEFAULT 'accounts',
  show_on_page INTEGER NOT NULL DEFAULT 0,
  ask_email TEXT NOT NULL DEFAULT 'optional',
  ask_phone TEXT NOT NULL DEFAULT 'no',
  changed_at INTEGER,
  deleted_at INTEGER,
  cancel_reason TEXT,
  CONSTRAINT party_has_room CHECK (capacity IS NULL OR going <= capacity)
) STRICT, WITHOUT ROWID;
CREATE INDEX parties_by_host ON parties (provider_id, kind, starts_at);
CREATE INDEX parties_called_off ON parties (ends_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX parties_to_remind ON parties (starts_at) WHERE deleted_at IS NULL;
CREATE TRIGGER invitations_know_when_it_starts AFTER UPDATE OF starts_at ON parties WHEN NEW.starts_at <> OLD.starts_at BEGIN
  UPDATE invitations SET party_starts_at = NEW.starts_at WHERE party_id = NEW.id AND account_id IS NOT NULL;
END;
CREATE TRIGGER parties_begin_whole BEFORE INSERT ON parties BEGIN
  INSERT INTO whole_parties (kind, rsvp_by, rsvp_closes_at, open_to, ask_email, ask_phone)
    VALUES (NEW.kind, NEW.rsvp_by, NEW.rsvp_closes_at, NEW.open_to, NEW.ask_email, NEW.ask_phone);
END;
CREATE TRIGGER parties_block AFTER INSERT ON parties BEGIN
  INSERT INTO times_of_parties (provider_id, id, starts_at, ends_at, deleted_at)
    VALUES (NEW.provider_id, NEW.id, NEW.starts_at, NEW.ends_at, NEW.deleted_at);
END;
CREATE TRIGGER parties_block_anew AFTER UPDATE OF starts_at, ends_at, deleted_at ON parties
WHEN NEW.starts_at <> OLD.starts_at OR NEW.ends_at <> OLD.ends_at OR NEW.deleted_at IS NOT OLD.deleted_at BEGIN
  DELETE FROM busy_times WHERE provider_id = OLD.provider_id AND starts_at >= OLD.starts_at AND starts_at < OLD.ends_at AND source = OLD.id;
  INSERT INTO times_of_parties (provider_id, id, starts_at, ends_at, deleted_at)
    VALUES (NEW.provider_id, NEW.id, NEW.starts_at, NEW.ends_at, NEW.deleted_at);
END;
CREATE TRIGGER parties_block_no_more AFTER DELETE ON parties BEGIN
  DELETE FROM busy_times WHERE provider_id = OLD.provider_id AND starts_at >= OLD.starts_at AND starts_at < OLD.ends_at AND source = OLD.id;
END;
CREATE TRIGGER parties_change_in_feeds
AFTER UPDATE OF title, description, starts_at, ends_at, address, location_url, deleted_at ON parties BEGIN
  UPDATE feeds SET version = version + 1 WHERE account_id = NEW.provider_id;
  UPDATE feeds SET version = version + 1
  WHERE account_id IN (SELECT account_id FROM invitations WHERE party_id = NEW.id AND accepted = 1);
END;
CREATE TRIGGER parties_join_feeds AFTER INSERT ON parties BEGIN
  UPDATE feeds SET version = version + 1 WHERE account_id = NEW.provider_id;
END;
CREATE TRIGGER parties_stay_whole BEFORE UPDATE OF kind, rsvp_by, rsvp_closes_at, open_to, ask_email, ask_phone ON parties BEGIN
  INSERT INTO whole_parties (kind, rsvp_by, rsvp_closes_at, open_to, ask_email, ask_phone)
    VALUES (NEW.kind, NEW.rsvp_by, NEW.rsvp_closes_at, NEW.open_to, NEW.ask_email, NEW.ask_phone);
END;
CREATE TRIGGER parties_tell_of_changes AFTER UPDATE OF title, starts_at, ends_at, address, location_url ON parties
WHEN NEW.changed_at IS NOT NULL AND (NEW.starts_at <> OLD.starts_at OR NEW.ends_at <> OLD.ends_at
  OR NEW.address IS NOT OLD.address OR NEW.location_url IS NOT OLD.location_url OR NEW.title <> OLD.title) BEGIN
  INSERT INTO notices (kind, once, account_id, invitation_id, party_id, actor_id, email, email_hash, at, data)
    SELECT 'changed', iif(account_id IS NULL, NEW.sequence || ':' || id, NEW.id || ':' || NEW.sequence || ':' || account_id), account_id, id,
      NEW.id, NEW.provider_id, email, email_hash, NEW.changed_at, (
        SELECT json_group_object(part, was) FROM (
          SELECT 'title' AS part, OLD.title AS was WHERE NEW.title <> OLD.title
          UNION ALL SELECT 'address', ifnull(OLD.address, '') WHERE NEW.address IS NOT OLD.address
          UNION ALL SELECT 'locationUrl', ifnull(OLD.location_url, '') WHERE NEW.location_url IS NOT OLD.location_url
          UNION ALL SELECT 'startsAt', OLD.starts_at WHERE NEW.starts_at <> OLD.starts_at OR NEW.ends_at <> OLD.ends_at
          UNION ALL SELECT 'endsAt', OLD.ends_at WHERE NEW.starts_at <> OLD.starts_at OR NEW.ends_at <> OLD.ends_at))
    FROM invitations WHERE party_id = NEW.id AND accepted IS NOT 0 AND (account_id IS NOT NULL OR NEW.kind = 'meetup' AND email IS NOT NULL AND mail_ended_at IS NULL);
END;
CREATE TRIGGER parties_tell_that_they_are_called_off AFTER UPDATE OF deleted_at ON parties
WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL BEGIN
  INSERT INTO notices (kind, once, account_id, invitation_id, party_id, actor_id, email, email_hash, at)
    SELECT 'called-off', iif(account_id IS NULL, id, NEW.id || ':' || account_id), account_id, id, NEW.id, NEW.provider_id, email, email_hash,
      NEW.deleted_at
    FROM invitations WHERE party_id = NEW.id AND accepted IS NOT 0 AND (account_id IS NOT NULL OR NEW.kind = 'meetup' AND email IS NOT NULL AND mail_ended_at IS NULL);
END;

CREATE TABLE party_moves (
  party_id TEXT NOT NULL REFERENCES parties (id),
  moved_at INTEGER NOT NULL,
  starts_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  local_date TEXT NOT NULL,
  address TEXT,
  location_url TEXT,
  PRIMARY KEY (party_id, moved_at)
) STRICT, WITHOUT ROWID;

CREATE TABLE people (
  provider_id TEXT NOT NULL REFERENCES accounts (id),
  id TEXT NOT NULL,
  name TEXT CHECK (name <> ''),
  name_sort_key TEXT NOT NULL,
  email TEXT,
  email_folded TEXT,
  phone TEXT,
  phone_digits TEXT,
  note TEXT CHECK (note <> ''),
  booker_id TEXT REFERENCES accounts (id),
  seen INTEGER NOT NULL DEFAULT 0 CHECK (seen >= 0),
  excused INTEGER NOT NULL DEFAULT 0 CHECK (excused >= 0),
  missed INTEGER NOT NULL DEFAULT 0 CHECK (missed >= 0),
  PRIMARY KEY (provider_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX people_by_email ON people (provider_id, email_folded) WHERE email_folded IS NOT NULL;
CREATE INDEX people_by_name ON people (provider_id, name_sort_key, id, email_folded, phone_digits);
CREATE INDEX people_by_phone ON people (provider_id, phone_digits) WHERE phone_digits IS NOT NULL;
CREATE TRIGGER people_keep_their_standing_times AFTER UPDATE OF booker_id ON people
WHEN NEW.booker_id IS NOT NULL AND NEW.booker_id IS NOT OLD.booker_id BEGIN
  UPDATE standing_times SET booker_id = NEW.booker_id WHERE provider_id = NEW.provider_id AND person_id = NEW.id;
END;

CREATE TABLE person_aliases (
  provider_id TEXT NOT NULL REFERENCES accounts (id),
  alias TEXT NOT NULL,
  person_id TEXT NOT NULL,
  email TEXT,
  phone TEXT,
  phone_digits TEXT,
  note TEXT CHECK (note <> ''),
  PRIMARY KEY (provider_id, alias)
) STRICT, WITHOUT ROWID;
CREATE INDEX person_aliases_by_person ON person_aliases (provider_id, person_id);
CREATE TRIGGER program_news_become_deliveries INSTEAD OF INSERT ON program_news
WHEN EXISTS (SELECT 1 FROM webhooks WHERE provider_id = NEW.provider_id) BEGIN
  UPDATE webhooks SET last_number = last_number + 1 WHERE provider_id = NEW.provider_id AND instr(kinds, '"' || NEW.kind || '"') > 0;
  INSERT INTO deliveries (provider_id, webhook_id, number, kind, about, data, at, state, due_at)
    SELECT provider_id, id, last_number, NEW.kind, about, data, NEW.at, iif(EXISTS (
        SELECT 1 FROM deliveries AS earlier WHERE earlier.provider_id = NEW.provider_id AND earlier.webhook_id = webhooks.id
          AND earlier.about = facts.about AND earlier.due_at IS NOT NULL), 'behind', 'new'), NEW.at
    FROM (
      SELECT coalesce(calendar_id, id) AS about, json_patch(
          json_object('id', id, 'startsAt', starts_at, 'endsAt', ends_at, 'personId', person_id, 'serviceId', service_id),
          iif(NEW.kind = 'moved', json_object('formerId', moved_from, 'formerStartsAt', CAST(substr(moved_from, -25, 13) AS INTEGER)), '{}')) AS data
      FROM bookings WHERE provider_id = NEW.provider_id AND starts_at = CAST(substr(NEW.booking_id, -25, 13) AS INTEGER) AND id = NEW.booking_id
      UNION ALL
      SELECT NEW.invitation_id, json_object('id', id, 'startsAt', starts_at, 'endsAt', ends_at, 'invitationId', NEW.invitation_id)
      FROM parties WHERE id = NEW.party_id) AS facts
    CROSS JOIN webhooks WHERE webhooks.provider_id = NEW.provider_id AND instr(kinds, '"' || NEW.kind || '"') > 0;
END;

CREATE TABLE provider_names (
  ending TEXT NOT NULL,
  provider_id TEXT NOT NULL REFERENCES accounts (id),
  PRIMARY KEY (ending, provider_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE recovery_codes (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  code_hash TEXT NOT NULL,
  PRIMARY KEY (account_id, code_hash)
) STRICT, WITHOUT ROWID;

CREATE TABLE refusals (
  name TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
CREATE TRIGGER refusals_fail_the_batch BEFORE INSERT ON refusals BEGIN
  SELECT RAISE(ABORT, 'too_many_open_slots') WHERE NEW.name = 'too_many_open_slots';
  SELECT RAISE(ABORT, 'too_many_names') WHERE NEW.name = 'too_many_names';
  SELECT RAISE(ABORT, 'not_as_shown') WHERE NEW.name = 'not_as_shown';
  SELECT RAISE(ABORT, 'unknown_refusal');
END;

CREATE TABLE refused_addresses (
  email_hash TEXT NOT NULL PRIMARY KEY,
  refused_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE reminder_times (minutes INTEGER NOT NULL PRIMARY KEY CHECK (minutes > 0)) STRICT, WITHOUT ROWID;

CREATE TABLE replaced_invitations (
  id TEXT NOT NULL PRIMARY KEY,
  party_id TEXT NOT NULL,
  forget_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX replaced_invitations_by_age ON replaced_invitations (forget_at);

CREATE TABLE replaced_links (
  booking_id TEXT NOT NULL,
  link_seed TEXT NOT NULL,
  forget_at INTEGER NOT NULL,
  PRIMARY KEY (booking_id, link_seed)
) STRICT, WITHOUT ROWID;
CREATE INDEX replaced_links_by_age ON replaced_links (forget_at);
CREATE TRIGGER days_have_room_again INSTEAD OF INSERT ON roomier_days BEGIN
  DELETE FROM full_days WHERE provider_id = NEW.provider_id AND local_date = NEW.local_date
    AND (SELECT per_day FROM accounts WHERE id = NEW.provider_id) > (SELECT count(DISTINCT ifnull(taken.slot_id, taken.id)) FROM bookings AS taken WHERE taken.provider_id = NEW.provider_id AND taken.starts_at BETWEEN NEW.starts_at - 172800000 AND NEW.starts_at + 172800000 AND taken.status < 2 AND taken.local_date = NEW.local_date AND taken.id <> '');
END;
CREATE TRIGGER rules_for_guests_are_known INSTEAD OF INSERT ON rules_for_guests BEGIN
  SELECT RAISE(ABORT, 'unknown_open_to') WHERE NEW.open_to <> 'anyone' AND NEW.open_to <> 'accounts';
  SELECT RAISE(ABORT, 'unknown_ask_email') WHERE NEW.ask_email <> 'no' AND NEW.ask_email <> 'optional' AND NEW.ask_email <> 'required';
  SELECT RAISE(ABORT, 'unknown_ask_phone') WHERE NEW.ask_phone <> 'no' AND NEW.ask_phone <> 'optional' AND NEW.ask_phone <> 'required';
END;

CREATE TABLE second_factors (
  account_id TEXT PRIMARY KEY REFERENCES accounts (id),
  seed TEXT,
  last_step INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TRIGGER sent_invitations_are_told INSTEAD OF INSERT ON sent_invitations BEGIN
  INSERT INTO notices (kind, once, invitation_id, party_id, at, email, email_hash)
    VALUES ('invited', NEW.id || ':' || coalesce(NEW.email_hash, lower(NEW.email)), NEW.id, NEW.party_id, NEW.email_at, NEW.email,
      NEW.email_hash);
END;

CREATE TABLE services (
  provider_id TEXT NOT NULL REFERENCES accounts (id),
  id TEXT NOT NULL,
  name TEXT NOT NULL CHECK (name <> ''),
  name_folded TEXT NOT NULL,
  minutes INTEGER NOT NULL CHECK (minutes > 0),
  gap INTEGER NOT NULL DEFAULT 0 CHECK (gap >= 0),
  price TEXT CHECK (price <> ''),
  deposit TEXT CHECK (deposit <> ''),
  description TEXT CHECK (description <> ''),
  seats INTEGER NOT NULL DEFAULT 1 CHECK (seats > 0),
  place_kind TEXT NOT NULL DEFAULT 'here'
    CHECK (place_kind = 'here' OR place_kind = 'phone' OR place_kind = 'video' OR place_kind = 'theirs'),
  link TEXT CHECK (place_kind <> 'video' OR coalesce(link, '') LIKE 'https://%'),
  template_id TEXT REFERENCES templates (id),
  lost_template_id TEXT REFERENCES templates (id),
  is_offered INTEGER NOT NULL DEFAULT 1,
  place INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (provider_id, id),
  UNIQUE (provider_id, name_folded)
) STRICT, WITHOUT ROWID;
CREATE INDEX services_switched_off ON services (provider_id) WHERE is_offered = 0;
CREATE TRIGGER hours_follow_their_services AFTER UPDATE OF minutes, gap ON services
WHEN NEW.minutes <> OLD.minutes OR NEW.gap <> OLD.gap BEGIN
  UPDATE hours SET carried_to = '', next_at = 0
    WHERE provider_id = NEW.provider_id AND instr(plan, '"' || NEW.id || '"') > 0;
END;
CREATE TRIGGER only_services_change AFTER UPDATE OF is_offered, seats ON services
WHEN NEW.is_offered <> OLD.is_offered OR NEW.seats <> OLD.seats BEGIN
  UPDATE accounts SET only_service_id = (SELECT id FROM only_services WHERE provider_id = NEW.provider_id)
    WHERE id = NEW.provider_id;
END;
CREATE TRIGGER only_services_come AFTER INSERT ON services BEGIN
  UPDATE accounts SET only_service_id = (SELECT id FROM only_services WHERE provider_id = NEW.provider_id)
    WHERE id = NEW.provider_id;
END;
CREATE TRIGGER only_services_go AFTER DELETE ON services BEGIN
  UPDATE accounts SET only_service_id = (SELECT id FROM only_services WHERE provider_id = OLD.provider_id)
    WHERE id = OLD.provider_id;
END;

CREATE TABLE sessions (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL DEFAULT 0,
  device TEXT,
  PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE shop_invitations (
  shop_id TEXT NOT NULL REFERENCES accounts (id),
  id TEXT NOT NULL,
  hash TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('owner', 'desk', 'colleague')),
  email TEXT,
  made_by TEXT NOT NULL,
  made_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  used_by TEXT,
  PRIMARY KEY (shop_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX shop_invitations_by_hash ON shop_invitations (hash);

CREATE TABLE slots (
  provider_id TEXT NOT NULL REFERENCES accounts (id),
  starts_at INTEGER NOT NULL,
  id TEXT NOT NULL,
  ends_at INTEGER NOT NULL,
  state INTEGER NOT NULL DEFAULT 0,
  seats INTEGER NOT NULL DEFAULT 1 CHECK (seats > 0),
  taken INTEGER NOT NULL DEFAULT 0,
  part_of INTEGER,
  city TEXT NOT NULL REFERENCES cities (folded),
  local_date TEXT NOT NULL CHECK (local_date GLOB '[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]'),
  time_zone TEXT NOT NULL,
  service_id TEXT,
  notes TEXT CHECK (notes <> ''),
  template_id TEXT REFERENCES templates (id),
  publication TEXT,
  made_by INTEGER NOT NULL DEFAULT 0,
  withdrawn_at INTEGER,
  reason TEXT CHECK (reason <> ''),
  is_busy INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (provider_id, starts_at),
  CONSTRAINT slot_id_says_where CHECK (id GLOB provider_id || printf('%013d', starts_at) || '????????????'),
  CONSTRAINT slot_has_length CHECK (ends_at > starts_at),
  CONSTRAINT slot_has_room CHECK (taken BETWEEN 0 AND seats),
  CONSTRAINT slot_state_is_true CHECK (iif(state = 2, taken = 0, state = (taken = seats)))
) STRICT, WITHOUT ROWID;
CREATE INDEX slots_full_classes ON slots (provider_id, starts_at) WHERE state = 1 AND seats > 1;
CREATE INDEX slots_open ON slots (provider_id, state, starts_at, is_busy) WHERE state = 0;
CREATE INDEX slots_open_by_city ON slots (city, starts_at) WHERE state = 0 AND is_busy = 0;
CREATE INDEX slots_open_by_start ON slots (starts_at) WHERE state = 0 AND is_busy = 0;
CREATE TRIGGER hours_fill_what_comes_free AFTER DELETE ON slots WHEN OLD.state = 0 AND OLD.made_by = 2 BEGIN
  UPDATE hours SET carried_to = '', next_at = 0 WHERE provider_id = OLD.provider_id;
END;
CREATE TRIGGER slots_become_busy AFTER UPDATE OF is_busy ON slots WHEN NEW.is_busy <> OLD.is_busy AND NEW.state = 0 BEGIN
  UPDATE open_days SET free_at = iif(NEW.is_busy, ifnull((
      SELECT starts_at FROM slots WHERE provider_id = NEW.provider_id AND state = 0 AND is_busy = 0
        AND starts_at BETWEEN first_at AND last_at AND slots.local_date = NEW.local_date
      ORDER BY starts_at DESC LIMIT 1), 0), max(free_at, NEW.starts_at))
  WHERE provider_id = NEW.provider_id AND local_date = NEW.local_date
    AND iif(NEW.is_busy, free_at IS NULL OR free_at = NEW.starts_at, free_at < NEW.starts_at);
END;
CREATE TRIGGER slots_begin_free BEFORE INSERT ON slots BEGIN
  SELECT RAISE(IGNORE) WHERE EXISTS (
    SELECT 1 FROM slots WHERE (provider_id = NEW.provider_id AND starts_at < NEW.ends_at AND ends_at > NEW.starts_at AND starts_at >= coalesce((SELECT max(earlier.starts_at) FROM slots AS earlier WHERE earlier.provider_id = NEW.provider_id AND earlier.starts_at <= NEW.starts_at), NEW.starts_at)) AND state < 2);
  SELECT RAISE(IGNORE) WHERE (
    SELECT taken_until > NEW.starts_at FROM bookings WHERE provider_id = NEW.provider_id AND status < 2
      AND starts_at BETWEEN NEW.starts_at - 100800000 AND NEW.starts_at - 1
    ORDER BY starts_at DESC LIMIT 1);
  DELETE FROM slots WHERE (provider_id = NEW.provider_id AND starts_at < NEW.ends_at AND ends_at > NEW.starts_at AND starts_at >= coalesce((SELECT max(earlier.starts_at) FROM slots AS earlier WHERE earlier.provider_id = NEW.provider_id AND earlier.starts_at <= NEW.starts_at), NEW.starts_at));
END;
CREATE TRIGGER slots_begin_in_their_city AFTER INSERT ON slots BEGIN
  INSERT INTO slots_of_cities (city, local_date, starts_at) VALUES (NEW.city, NEW.local_date, NEW.starts_at);
END;
CREATE TRIGGER slots_begin_open BEFORE INSERT ON slots BEGIN
  SELECT RAISE(ABORT, 'slot_begins_open') WHERE NEW.state <> 0 OR NEW.taken <> 0
    OR NEW.withdrawn_at IS NOT NULL AND NEW.made_by <> 2;
  SELECT RAISE(ABORT, 'slot_lasts_a_day_at_most') WHERE NEW.ends_at - NEW.starts_at > 86400000;
END;
CREATE TRIGGER slots_close AFTER UPDATE OF state ON slots WHEN OLD.state = 0 AND NEW.state <> 0 BEGIN
  INSERT INTO closed_slots (provider_id, local_date, starts_at) VALUES (OLD.provider_id, OLD.local_date, OLD.starts_at);
END;
CREATE TRIGGER slots_go_free BEFORE DELETE ON slots WHEN OLD.taken > 0 BEGIN
  SELECT RAISE(ABORT, 'slot_is_taken');
END;
CREATE TRIGGER slots_go_with_the_last_person AFTER UPDATE OF taken ON slots
WHEN NEW.taken = 0 AND OLD.taken > 0 AND NEW.made_by = 2 AND NEW.state = 0 AND OLD.state = 0 AND NEW.withdrawn_at IS NULL BEGIN
  DELETE FROM slots WHERE provider_id = NEW.provider_id AND starts_at = NEW.starts_at;
END;
CREATE TRIGGER slots_leave_their_day AFTER DELETE ON slots WHEN OLD.state = 0 BEGIN
  INSERT INTO closed_slots (provider_id, local_date, starts_at) VALUES (OLD.provider_id, OLD.local_date, OLD.starts_at);
END;
CREATE TRIGGER slots_open_again AFTER UPDATE OF state ON slots WHEN OLD.state <> 0 AND NEW.state = 0 BEGIN
  INSERT INTO opened_slots (provider_id, local_date, starts_at, is_busy)
    VALUES (NEW.provider_id, NEW.local_date, NEW.starts_at, NEW.is_busy);
  DELETE FROM slots WHERE NEW.made_by = 2 AND NEW.taken = 0 AND NEW.withdrawn_at IS NULL
    AND provider_id = NEW.provider_id AND starts_at = NEW.starts_at;
END;
CREATE TRIGGER slots_open_in_their_city AFTER UPDATE OF state, city ON slots
WHEN NEW.state = 0 AND (OLD.state <> 0 OR NEW.city <> OLD.city) BEGIN
  INSERT INTO slots_of_cities (city, local_date, starts_at) VALUES (NEW.city, NEW.local_date, NEW.starts_at);
END;
CREATE TRIGGER slots_open_their_day AFTER INSERT ON slots BEGIN
  INSERT INTO opened_slots (provider_id, local_date, starts_at, is_busy) VALUES (NEW.provider_id, NEW.local_date, NEW.starts_at, 0);
  UPDATE slots SET is_busy = 1 WHERE provider_id = NEW.provider_id AND starts_at = (
    SELECT NEW.starts_at FROM busy_times WHERE provider_id = NEW.provider_id AND starts_at > NEW.starts_at - 86400000
      AND starts_at < NEW.ends_at AND ends_at > NEW.starts_at LIMIT 1);
END;
CREATE TRIGGER slots_stay_where_they_are
BEFORE UPDATE OF provider_id, starts_at, id, ends_at, local_date, time_zone, template_id, state ON slots BEGIN
  SELECT RAISE(ABORT, 'slot_keeps_its_time') WHERE NEW.provider_id <> OLD.provider_id OR NEW.starts_at <> OLD.starts_at
    OR NEW.ends_at <> OLD.ends_at OR NEW.local_date <> OLD.local_date OR NEW.time_zone <> OLD.time_zone;
  SELECT RAISE(ABORT, 'slot_keeps_its_questions') WHERE OLD.state <> 0 AND NEW.template_id IS NOT OLD.template_id;
  SELECT RAISE(ABORT, 'slot_lives_once') WHERE OLD.seats = 1 AND iif(NEW.id = OLD.id,
    OLD.state <> 0 AND NEW.state <> OLD.state AND (NEW.state <> 2 OR NEW.withdrawn_at IS NULL),
    OLD.state = 0 OR NEW.state = OLD.state AND NEW.part_of IS OLD.part_of);
END;
CREATE TRIGGER city_days_reach_their_slots INSTEAD OF INSERT ON slots_of_cities BEGIN
  INSERT INTO city_days VALUES (NEW.city, NEW.local_date, NEW.starts_at, NEW.starts_at)
    ON CONFLICT DO UPDATE SET first_at = min(first_at, NEW.starts_at), last_at = max(last_at, NEW.starts_at)
    WHERE NEW.starts_at NOT BETWEEN first_at AND last_at;
END;
CREATE TRIGGER standing_dates_are_booked INSTEAD OF INSERT ON standing_dates
WHEN (NEW.starts_at IS NULL OR NEW.starts_at > NEW.now) AND NOT EXISTS (
  SELECT 1 FROM standing_times AS standing CROSS JOIN bookings_on_cards AS own
    ON own.provider_id = standing.provider_id AND own.card_id = standing.person_id
      AND own.status IN (0, 1, 2)
      AND own.starts_at BETWEEN unixepoch(NEW.local_date) * 1000 - 86400000 AND unixepoch(NEW.local_date) * 1000 + 2 * 86400000
  WHERE standing.provider_id = NEW.provider_id AND standing.id = NEW.standing_id AND (
    own.starts_at = NEW.starts_at AND own.status < 2
    OR own.local_date = NEW.local_date AND own.standing_id IS NOT NULL AND (own.standing_id = NEW.standing_id OR NOT EXISTS (
      SELECT 1 FROM standing_times AS other WHERE other.provider_id = own.provider_id AND other.id = own.standing_id))))
BEGIN
  INSERT INTO bookings ("provider_id", "starts_at", "id", "ends_at", "taken_until", "local_date", "time_zone", "city", "notes", "template_id", "slot_id", "service_id", "service_name", "price", "deposit", "place_kind", "place",
      status, booker_id, booker_name, person_id, series_id, standing_id, told_with, booked_at, cancel_until, link_seed, code_hash, phone, shop_id, acted_by)
    SELECT "provider_id", "starts_at", "id", "ends_at", "taken_until", "local_date", "time_zone", "city", "notes", "template_id", "slot_id", "service_id", "service_name", "price", "deposit", "place_kind", "place",
      1, booker_id, (SELECT display_name FROM accounts AS named WHERE named.id = booker_id), person_id, standing_id, standing_id, NEW.told_with, NEW.now,
      (SELECT cancel_until FROM accounts WHERE id = provider_id), lower(hex(randomblob(11))),
      'standing', (SELECT phone FROM people WHERE people.provider_id = had.provider_id AND people.id = person_id),
      (SELECT shop_id FROM colleagues WHERE account_id = had.provider_id), NEW.acted_by
    FROM standing_slots AS had WHERE provider_id = NEW.provider_id AND standing_id = NEW.standing_id AND starts_at = NEW.starts_at AND why IS NULL;
  INSERT INTO booked_dates (provider_id, standing_id, local_date, starts_at, now, told_with, acted_by)
    SELECT NEW.provider_id, NEW.standing_id, NEW.local_date, NEW.starts_at, NEW.now, NEW.told_with, NEW.acted_by WHERE EXISTS (
      SELECT 1 FROM bookings AS own WHERE own.provider_id = NEW.provider_id AND own.starts_at = NEW.starts_at AND own.standing_id = NEW.standing_id);
  INSERT INTO missed_dates (provider_id, standing_id, local_date, starts_at, now, told_with)
    SELECT NEW.provider_id, NEW.standing_id, NEW.local_date, NEW.starts_at, NEW.now, NEW.told_with WHERE NOT EXISTS (
      SELECT 1 FROM bookings AS own WHERE own.provider_id = NEW.provider_id AND own.starts_at = NEW.starts_at AND own.standing_id = NEW.standing_id);
END;

CREATE TABLE standing_times (
  provider_id TEXT NOT NULL REFERENCES accounts (id),
  id TEXT NOT NULL,
  person_id TEXT NOT NULL,
  booker_id TEXT NOT NULL REFERENCES accounts (id),
  day INTEGER NOT NULL CHECK (day BETWEEN 0 AND 6),
  minute INTEGER NOT NULL CHECK (minute BETWEEN 0 AND 1439),
  weeks INTEGER NOT NULL CHECK (weeks > 0),
  from_date TEXT NOT NULL,
  until_date TEXT,
  service_id TEXT,
  set_at INTEGER NOT NULL,
  missed TEXT NOT NULL DEFAULT '[]' CHECK (json_type(missed) = 'array'),
  PRIMARY KEY (provider_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX standing_times_by_booker ON standing_times (booker_id);

CREATE TABLE templates (
  id TEXT PRIMARY KEY,
  provider_id TEXT NOT NULL REFERENCES accounts (id),
  display_name TEXT NOT NULL,
  questions TEXT NOT NULL CHECK (json_type(questions) = 'array'),
  listed_at INTEGER NOT NULL,
  replaces TEXT UNIQUE REFERENCES templates (id),
  created_at INTEGER NOT NULL,
  retired_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX templates_by_provider ON templates (provider_id);
CREATE INDEX templates_listed ON templates (provider_id, listed_at) WHERE retired_at IS NULL;
CREATE TRIGGER hours_follow_their_template AFTER INSERT ON templates WHEN NEW.replaces IS NOT NULL BEGIN
  UPDATE hours SET template_id = NEW.id WHERE provider_id = NEW.provider_id AND template_id = NEW.replaces;
  UPDATE services SET template_id = NEW.id WHERE template_id = NEW.replaces
    AND provider_id IN (SELECT NEW.provider_id UNION ALL SELECT provider_id FROM books_of_shops WHERE account_id = NEW.provider_id);
END;
CREATE TRIGGER hours_lose_their_template AFTER UPDATE OF retired_at ON templates WHEN NEW.retired_at IS NOT NULL BEGIN
  UPDATE hours SET template_id = NULL, lost_template_id = NEW.id WHERE provider_id = NEW.provider_id AND template_id = NEW.id;
  UPDATE services SET template_id = NULL, lost_template_id = NEW.id WHERE template_id = NEW.id
    AND provider_id IN (SELECT NEW.provider_id UNION ALL SELECT provider_id FROM books_of_shops WHERE account_id = NEW.provider_id);
END;
CREATE TRIGGER templates_keep_their_wording BEFORE UPDATE OF id, provider_id, display_name, questions ON templates
WHEN NEW.id <> OLD.id OR NEW.provider_id <> OLD.provider_id OR NEW.questions <> '[]' OR NEW.display_name <> '' BEGIN
  SELECT RAISE(ABORT, 'template_is_published');
END;

CREATE TABLE throttles (
  bucket TEXT PRIMARY KEY,
  tries INTEGER NOT NULL,
  ends_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TRIGGER parties_are_busy_time INSTEAD OF INSERT ON times_of_parties WHEN NEW.deleted_at IS NULL BEGIN
  INSERT INTO busy_times (provider_id, source, starts_at, ends_at)
    SELECT accounts.id, NEW.id, NEW.starts_at + value * 86400000, min(NEW.ends_at, NEW.starts_at + (value + 1) * 86400000)
    FROM accounts, json_each('[0,1]')
    WHERE accounts.id = NEW.provider_id AND parties_block = 1 AND NEW.starts_at + value * 86400000 < NEW.ends_at
    ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER offers_are_told INSTEAD OF INSERT ON told_offers BEGIN
  INSERT INTO notices (kind, once, account_id, actor_id, data, at)
    SELECT 'offer', wish_id || ':' || starts_at, account_id, provider_id,
      json_object('wish', wish_id, 'slot', open_slot_id, 'startsAt', starts_at, 'endsAt', ends_at, 'timeZone', time_zone, 'date', local_date), NEW.now
    FROM fits
    WHERE provider_id = NEW.provider_id AND wish_id = NEW.wish_id AND wish_state = 0
      AND starts_at >= NEW.free_from AND starts_at < NEW.free_until
      AND (suits OR NEW.is_by_hand) AND NOT was_offered AND (NEW.now < fits.wish_ends_at AND +fits.starts_at >= (NEW.now + max(1, fits.notice * 60000)) AND +fits.starts_at <= coalesce(NEW.now + fits.horizon_days * 86400000, 9007199254740991) AND NOT (fits.per_person IS NOT NULL AND fits.per_person <= (SELECT count(*) FROM bookings AS mine WHERE mine.booker_id = fits.account_id AND (mine.status = 1 AND mine.starts_at > NEW.now) AND (mine.provider_id = fits.provider_id OR mine.shop_id = (SELECT shop_id FROM colleagues WHERE account_id = fits.provider_id)) AND mine.id <> ifnull(fits.instead_of, ''))));
END;

CREATE TABLE webhooks (
  provider_id TEXT NOT NULL REFERENCES accounts (id),
  id TEXT NOT NULL,
  url TEXT NOT NULL,
  secret TEXT NOT NULL,
  kinds TEXT NOT NULL CHECK (json_type(kinds) = 'array'),
  made_at INTEGER NOT NULL,
  last_number INTEGER NOT NULL DEFAULT 0,
  failing_since INTEGER,
  failures INTEGER NOT NULL DEFAULT 0,
  quiet_until INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (provider_id, id)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER accounts_are_whole INSTEAD OF INSERT ON whole_accounts BEGIN
  SELECT RAISE(ABORT, 'unknown_role') WHERE NEW.role <> 'Consumer' AND NEW.role <> 'Provider' AND NEW.role <> 'Shop';
  SELECT RAISE(ABORT, 'half_a_login')
    WHERE (NEW.username IS NULL) <> (NEW.username_folded IS NULL)
      OR (NEW.username IS NULL OR NEW.role = 'Shop') <> (NEW.password_hash IS NULL);
  SELECT RAISE(ABORT, 'provider_has_login') WHERE NEW.role <> 'Consumer' AND NEW.username IS NULL;
  SELECT RAISE(ABORT, 'provider_has_city') WHERE (NEW.role <> 'Consumer') <> (NEW.city IS NOT NULL);
  INSERT INTO rules_for_guests (open_to, ask_email, ask_phone) VALUES (NEW.open_to, NEW.ask_email, NEW.ask_phone);
  SELECT RAISE(ABORT, 'unknown_waitlist') WHERE NEW.waitlist <> 'on' AND NEW.waitlist <> 'off';
END;
CREATE TRIGGER invitations_are_whole INSTEAD OF INSERT ON whole_invitations BEGIN
  SELECT RAISE(ABORT, 'invitation_of_one') WHERE NEW.account_id <> NEW.invitee;
  SELECT RAISE(ABORT, 'unknown_rsvp') WHERE NEW.accepted NOT BETWEEN 0 AND 1;
  SELECT RAISE(ABORT, 'invitation_has_rsvp') WHERE (NEW.accepted IS NULL) <> (NEW.rsvp_at IS NULL);
END;
CREATE TRIGGER parties_are_whole INSTEAD OF INSERT ON whole_parties BEGIN
  SELECT RAISE(ABORT, 'unknown_kind') WHERE NEW.kind <> 'party' AND NEW.kind <> 'meetup';
  SELECT RAISE(ABORT, 'party_closing') WHERE (NEW.rsvp_by IS NULL) <> (NEW.rsvp_closes_at IS NULL);
  INSERT INTO rules_for_guests (open_to, ask_email, ask_phone) VALUES (NEW.open_to, NEW.ask_email, NEW.ask_phone);
END;

CREATE TABLE wishes (
  provider_id TEXT NOT NULL REFERENCES accounts (id),
  id TEXT NOT NULL,
  state INTEGER NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 2),
  asked_at INTEGER NOT NULL,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  asked_by TEXT NOT NULL,
  link_seed TEXT NOT NULL,
  asked TEXT NOT NULL CHECK (json_type(asked) = 'object'),
  people INTEGER NOT NULL DEFAULT 1 CHECK (people > 0),
  service_id TEXT,
  from_at INTEGER NOT NULL,
  until_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  days INTEGER,
  after INTEGER,
  before INTEGER,
  clock TEXT NOT NULL CHECK (json_type(clock) = 'array'),
  reader_clock TEXT NOT NULL CHECK (json_type(reader_clock) = 'array'),
  instead_of TEXT,
  phone TEXT CHECK (phone <> ''),
  passed TEXT NOT NULL DEFAULT '[]' CHECK (json_type(passed) = 'array'),
  let_pass INTEGER NOT NULL DEFAULT 0,
  offer_id TEXT,
  held_until INTEGER,
  changed_at INTEGER NOT NULL,
  PRIMARY KEY (provider_id, id),
  CONSTRAINT wish_has_a_range CHECK (until_at > from_at),
  CONSTRAINT wish_offer_is_held CHECK ((state = 1) = (held_until IS NOT NULL) AND (state <> 1 OR offer_id IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX wishes_by_account ON wishes (account_id, state);
CREATE INDEX wishes_by_end ON wishes (ends_at);
CREATE INDEX wishes_by_person ON wishes (asked_by, state);
CREATE INDEX wishes_in_line ON wishes (provider_id, asked_at, id) WHERE state = 0;
CREATE INDEX wishes_instead ON wishes (instead_of) WHERE instead_of IS NOT NULL AND state < 2;
CREATE INDEX wishes_on_offer ON wishes (held_until) WHERE state = 1;
CREATE TRIGGER wishes_end_before_they_go BEFORE DELETE ON wishes WHEN OLD.state = 1 BEGIN
  SELECT RAISE(ABORT, 'wish_has_an_offer');
END;
CREATE TRIGGER wishes_end_once BEFORE UPDATE OF state ON wishes WHEN OLD.state = 2 AND NEW.state <> 2 BEGIN
  SELECT RAISE(ABORT, 'wish_ends_once');
END;
CREATE TRIGGER wishes_let_go AFTER UPDATE OF offer_id ON wishes WHEN OLD.offer_id IS NOT NULL AND NEW.offer_id IS NULL BEGIN
  DELETE FROM bookings WHERE provider_id = OLD.provider_id AND starts_at = CAST(substr(OLD.offer_id, -25, 13) AS INTEGER)
    AND id = OLD.offer_id AND status = 0;
END;
CREATE VIEW booked_dates AS SELECT * FROM standing_dates;
CREATE VIEW bookings_on_cards AS
  SELECT booker_id AS card_id, * FROM bookings INDEXED BY bookings_by_booker WHERE person_id = booker_id
  UNION ALL SELECT person_id, * FROM bookings INDEXED BY bookings_by_person WHERE person_id <> booker_id;
CREATE VIEW books_of_shops AS
  SELECT account_id, shop_id AS provider_id FROM colleagues
  UNION ALL
  SELECT mine.account_id, theirs.account_id FROM colleagues AS mine CROSS JOIN colleagues AS theirs ON theirs.shop_id = mine.shop_id;
CREATE VIEW changed_cards AS SELECT provider_id, person_id AS former_id, person_id, attendance FROM bookings;
CREATE VIEW closed_slots AS SELECT provider_id, local_date, starts_at FROM slots;
CREATE VIEW ended_bookings AS SELECT provider_id, id, starts_at, moved_to, canceled_at FROM bookings;
CREATE VIEW ended_times AS SELECT provider_id, starts_at, taken_until, slot_id, people, withdraws, status FROM bookings;
CREATE VIEW filled_times AS
  SELECT taken.provider_id, taken.starts_at, taken.id, 1 + ifnull(before.data ->> 'filled', 0) AS filled, before.id AS after
  FROM bookings AS taken
    LEFT JOIN messages AS before ON before.data ->> 'filled' > 0 AND before.id = (
      SELECT 'moved:' || gone.moved_to || ':' || gone.provider_id FROM bookings AS gone
      WHERE gone.provider_id = taken.provider_id AND gone.starts_at = taken.starts_at AND gone.status = 2
      ORDER BY gone.canceled_at DESC LIMIT 1)
  WHERE taken.wish_id IS NOT NULL;
CREATE VIEW first_bookings AS SELECT provider_id, person_id, booker_id, code_hash, phone FROM bookings;
CREATE VIEW fits AS
  SELECT slots.wish_id, slots.wish_state, slots.asked_at, slots.asked_by, slots.account_id, slots.people, slots.phone,
    slots.instead_of, slots.reader_clock, slots.wish_ends_at, slots.id AS open_slot_id,
    "slots"."provider_id" AS "provider_id", "slots"."starts_at" AS "starts_at", iif(slots.seats = 1, slots.id, (slots.provider_id || printf('%013d', slots.starts_at) || lower(hex(randomblob(6))))) AS "id", iif(old.id IS NOT NULL, iif(slots.service_id IS old.service_id, slots.ends_at, slots.starts_at + old.ends_at - old.starts_at), iif(slots.service_id IS NULL, coalesce((slots.starts_at + service.minutes * 60000), slots.ends_at), slots.ends_at)) AS "ends_at", iif(old.id IS NOT NULL, iif(slots.service_id IS old.service_id, slots.ends_at, slots.starts_at + (old.taken_until - old.starts_at)), iif(slots.service_id IS NULL, coalesce(((slots.starts_at + service.minutes * 60000) + service.gap * 60000), slots.ends_at), slots.ends_at)) AS "taken_until", "slots"."local_date" AS "local_date", "slots"."time_zone" AS "time_zone", "slots"."city" AS "city", "slots"."notes" AS "notes", iif(slots.service_id IS NULL, coalesce(service.template_id, slots.template_id), slots.template_id) AS "template_id", iif(slots.seats = 1, NULL, slots.id) AS "slot_id", iif(old.id IS NOT NULL, old.service_id, service.id) AS "service_id", iif(old.id IS NOT NULL, old.service_name, service.name) AS "service_name", iif(old.id IS NOT NULL, old.price, service.price) AS "price", iif(old.id IS NOT NULL, old.deposit, service.deposit) AS "deposit", iif(old.id IS NOT NULL, old.place_kind, nullif(service.place_kind, 'here')) AS "place_kind", iif(old.id IS NOT NULL, old.place, NULL) AS "place",
    ruler.notice, ruler.horizon_days, ruler.per_person, ruler.cancel_until,
    min(slots.wish_ends_at - 1, (slots.starts_at - max(1, ruler.notice * 60000))) AS closes_at, slots.suits, slots.was_offered
  FROM accounts AS ruler CROSS JOIN wished_slots AS slots ON slots.provider_id = ruler.id LEFT JOIN services AS service ON service.provider_id = slots.provider_id AND service.id = coalesce(slots.service_id, slots.wished_service)
    LEFT JOIN bookings AS old ON old.provider_id = slots.provider_id AND old.starts_at = CAST(substr(slots.instead_of, -25, 13) AS INTEGER)
      AND old.id = slots.instead_of AND old.status = 1
  WHERE slots.state = 0 AND slots.is_busy = 0
    AND slots.made_by <> 2 AND slots.withdrawn_at IS NULL
    AND ruler.waitlist = 'on'
    AND (slots.instead_of IS NOT NULL OR (ruler.open_to = 'anyone' OR EXISTS (SELECT 1 FROM accounts AS booker WHERE booker.id = slots.account_id AND booker.username IS NOT NULL)))
    AND ((slots.taken > 0 AND slots.seats > 1) OR (ruler.per_day IS NULL OR NOT EXISTS ( SELECT 1 FROM full_days WHERE full_days.provider_id = ruler.id AND full_days.local_date = slots.local_date) OR (old.local_date IS slots.local_date AND old.provider_id IS ruler.id)))
    AND coalesce( iif(slots.state = 1 AND slots.seats > 1, 'full', iif(NOT slots.state = 0, 'taken', NULL)), iif(slots.is_busy = 0, NULL, 'busy'), iif(old.id IS NOT NULL, iif(slots.service_id IS old.service_id, iif(slots.service_id IS NULL OR service.is_offered OR 1, NULL, 'service'), iif(slots.service_id IS NOT NULL OR old.service_id IS NULL, 'service', iif(slots.seats > 1 OR old.people > 1 OR old.slot_id IS NOT NULL OR NOT (SELECT min(iif(run.starts_at < (slots.starts_at + old.ends_at - old.starts_at), (run.state = 0 AND run.is_busy = 0 AND run.seats = 1 AND run.service_id IS NULL OR 0) AND (run.ends_at >= (slots.starts_at + old.ends_at - old.starts_at) OR ifnull((SELECT next.starts_at - run.ends_at FROM slots AS next WHERE next.provider_id = run.provider_id AND next.starts_at >= run.ends_at ORDER BY next.starts_at LIMIT 1) <= coalesce((SELECT plan ->> 'gap' FROM hours WHERE hours.provider_id = run.provider_id) * 60000, 0), 0)), run.state = 2 OR (run.state = 0 AND run.is_busy = 0 AND run.seats = 1 AND run.service_id IS NULL OR 0))) AND max(iif(run.starts_at < (slots.starts_at + old.ends_at - old.starts_at), run.ends_at, 0)) >= (slots.starts_at + old.ends_at - old.starts_at) FROM slots AS run WHERE run.provider_id = slots.provider_id AND run.starts_at >= slots.starts_at AND run.starts_at < (slots.starts_at + (old.taken_until - old.starts_at))), 'length', NULL))), iif(slots.wished_service IS NULL, iif(slots.service_id IS NULL, NULL, iif(NOT service.is_offered, 'service', NULL)), iif(service.id IS NOT slots.wished_service OR NOT service.is_offered, 'service', iif(slots.service_id IS NULL AND (slots.seats > 1 OR service.seats > 1), 'service', iif(slots.service_id IS NULL AND NOT (SELECT min(iif(run.starts_at < (slots.starts_at + service.minutes * 60000), (run.state = 0 AND run.is_busy = 0 AND run.seats = 1 AND run.service_id IS NULL OR 0) AND (run.ends_at >= (slots.starts_at + service.minutes * 60000) OR ifnull((SELECT next.starts_at - run.ends_at FROM slots AS next WHERE next.provider_id = run.provider_id AND next.starts_at >= run.ends_at ORDER BY next.starts_at LIMIT 1) <= coalesce((SELECT plan ->> 'gap' FROM hours WHERE hours.provider_id = run.provider_id) * 60000, 0), 0)), run.state = 2 OR (run.state = 0 AND run.is_busy = 0 AND run.seats = 1 AND run.service_id IS NULL OR 0))) AND max(iif(run.starts_at < (slots.starts_at + service.minutes * 60000), run.ends_at, 0)) >= (slots.starts_at + service.minutes * 60000) FROM slots AS run WHERE run.provider_id = slots.provider_id AND run.starts_at >= slots.starts_at AND run.starts_at < ((slots.starts_at + service.minutes * 60000) + service.gap * 60000)), 'length', NULL))))), iif(slots.taken + slots.people > slots.seats, 'places', NULL)) IS NULL
    AND iif(old.id IS NOT NULL, iif(slots.service_id IS old.service_id, slots.ends_at, slots.starts_at + old.ends_at - old.starts_at), iif(slots.service_id IS NULL, coalesce((slots.starts_at + service.minutes * 60000), slots.ends_at), slots.ends_at)) <= slots.ends_at
    AND NOT EXISTS (SELECT 1 FROM bookings AS mine WHERE mine.booker_id = slots.account_id AND mine.status < 2
      AND mine.starts_at = slots.starts_at AND mine.provider_id = slots.provider_id)
    AND (slots.instead_of IS NULL OR old.starts_at > slots.starts_at);
CREATE VIEW freed_times AS SELECT provider_id, starts_at, taken_until, moved_to, canceled_at FROM bookings;
CREATE VIEW fulfilled_wishes AS SELECT provider_id, starts_at, id FROM bookings;
CREATE VIEW given_rsvps AS SELECT id, party_id, rsvp_at, rsvp_at AS before FROM invitations;
CREATE VIEW held_offers AS SELECT * FROM offers;
CREATE VIEW in_line AS
  SELECT wish.*, ifnull(iif(wish.instead_of IS NULL,
    (SELECT iif(gap > 0, minutes + gap, 0) * 60000 FROM services
      WHERE services.provider_id = wish.provider_id AND services.id = wish.service_id),
    (SELECT iif(old.taken_until > old.ends_at, old.taken_until - old.starts_at, 0) FROM bookings AS old
      WHERE old.provider_id = wish.provider_id AND old.starts_at = CAST(substr(wish.instead_of, -25, 13) AS INTEGER) AND old.id = wish.instead_of)), 0) AS reach
  FROM wishes AS wish WHERE wish.state = 0;
CREATE VIEW judged_mail AS SELECT * FROM messages;
CREATE VIEW left_cards AS SELECT provider_id, id FROM people;
CREATE VIEW missed_dates AS SELECT * FROM standing_dates;
CREATE VIEW names_to_find AS SELECT id AS provider_id, display_plain AS name FROM accounts;
CREATE VIEW notices AS
  SELECT kind, id AS once, account_id, invitation_id, booking_id, party_id, actor_id, data, created_at AS at, is_read AS is_for_mail, is_read,
    email, email_hash
  FROM messages;
CREATE VIEW offers AS
  SELECT provider_id, id AS wish_id, 0 AS now, 0 AS free_from, 0 AS free_until, 0 AS is_by_hand FROM wishes;
CREATE VIEW only_services AS
  SELECT provider_id, min(id) AS id FROM services WHERE is_offered GROUP BY provider_id HAVING count(*) = 1 AND max(seats) = 1;
CREATE VIEW opened_slots AS SELECT provider_id, local_date, starts_at, is_busy FROM slots;
CREATE VIEW own_rsvps AS
  SELECT id, account_id, party_id, accepted, accepted AS was_accepted, plus_ones, rsvp_at, email, email_hash FROM invitations;
CREATE VIEW program_news AS
  SELECT kind, provider_id, about AS booking_id, about AS party_id, about AS invitation_id, at FROM deliveries;
CREATE VIEW roomier_days AS SELECT provider_id, local_date, starts_at FROM bookings;
CREATE VIEW rules_for_guests AS SELECT open_to, ask_email, ask_phone FROM accounts;
CREATE VIEW sent_invitations AS SELECT id, party_id, email, email_hash, email_at FROM invitations;
CREATE VIEW slots_of_cities AS SELECT city, local_date, starts_at FROM slots;
CREATE VIEW standing_dates AS
  SELECT provider_id, id AS standing_id, from_date AS local_date, set_at AS starts_at, set_at AS now, id AS told_with, NULL AS acted_by
  FROM standing_times;
CREATE VIEW standing_slots AS
  SELECT standing.id AS standing_id, standing.person_id, standing.booker_id, slots.state,
    "slots"."provider_id" AS "provider_id", "slots"."starts_at" AS "starts_at", iif(slots.seats = 1, slots.id, (slots.provider_id || printf('%013d', slots.starts_at) || lower(hex(randomblob(6))))) AS "id", iif(slots.service_id IS NULL, coalesce((slots.starts_at + service.minutes * 60000), slots.ends_at), slots.ends_at) AS "ends_at", iif(slots.service_id IS NULL, coalesce(((slots.starts_at + service.minutes * 60000) + service.gap * 60000), slots.ends_at), slots.ends_at) AS "taken_until", "slots"."local_date" AS "local_date", "slots"."time_zone" AS "time_zone", "slots"."city" AS "city", "slots"."notes" AS "notes", iif(slots.service_id IS NULL, coalesce(service.template_id, slots.template_id), slots.template_id) AS "template_id", iif(slots.seats = 1, NULL, slots.id) AS "slot_id", service.id AS "service_id", service.name AS "service_name", service.price AS "price", service.deposit AS "deposit", nullif(service.place_kind, 'here') AS "place_kind", iif(service.place_kind = 'theirs', (SELECT last.place FROM bookings AS last WHERE last.provider_id = standing.provider_id AND last.booker_id = standing.booker_id AND last.place_kind = 'theirs' ORDER BY last.starts_at DESC LIMIT 1), iif(service.place_kind = 'video', service.link, NULL)) AS "place", coalesce( iif(slots.state = 1 AND slots.seats > 1, 'full', iif(NOT slots.state = 0, 'taken', NULL)), iif(slots.is_busy = 0, NULL, 'busy'), iif(standing.service_id IS NULL, iif(slots.service_id IS NULL, NULL, iif(NOT service.is_offered, 'service', NULL)), iif(service.id IS NOT standing.service_id OR NOT service.is_offered, 'service', iif(slots.service_id IS NULL AND (slots.seats > 1 OR service.seats > 1), 'service', iif(slots.service_id IS NULL AND NOT (SELECT min(iif(run.starts_at < (slots.starts_at + service.minutes * 60000), (run.state = 0 AND run.is_busy = 0 AND run.seats = 1 AND run.service_id IS NULL OR 0) AND (run.ends_at >= (slots.starts_at + service.minutes * 60000) OR ifnull((SELECT next.starts_at - run.ends_at FROM slots AS next WHERE next.provider_id = run.provider_id AND next.starts_at >= run.ends_at ORDER BY next.starts_at LIMIT 1) <= coalesce((SELECT plan ->> 'gap' FROM hours WHERE hours.provider_id = run.provider_id) * 60000, 0), 0)), run.state = 2 OR (run.state = 0 AND run.is_busy = 0 AND run.seats = 1 AND run.service_id IS NULL OR 0))) AND max(iif(run.starts_at < (slots.starts_at + service.minutes * 60000), run.ends_at, 0)) >= (slots.starts_at + service.minutes * 60000) FROM slots AS run WHERE run.provider_id = slots.provider_id AND run.starts_at >= slots.starts_at AND run.starts_at < ((slots.starts_at + service.minutes * 60000) + service.gap * 60000)), 'length', NULL)))), iif(slots.taken + 1 > slots.seats, 'places', NULL)) AS why
  FROM standing_times AS standing CROSS JOIN slots ON slots.provider_id = standing.provider_id LEFT JOIN services AS service ON service.provider_id = slots.provider_id AND service.id = coalesce(slots.service_id, standing.service_id);
CREATE VIEW times_of_parties AS SELECT provider_id, id, starts_at, ends_at, deleted_at FROM parties;
CREATE VIEW told_offers AS SELECT * FROM offers;
CREATE VIEW whole_accounts AS SELECT role, username, username_folded, password_hash, city, open_to, ask_email, ask_phone, waitlist FROM accounts;
CREATE VIEW whole_invitations AS SELECT invitee, account_id, accepted, rsvp_at FROM invitations;
CREATE VIEW whole_parties AS SELECT kind, rsvp_by, rsvp_closes_at, open_to, ask_email, ask_phone FROM parties;
CREATE VIEW wished_slots AS
  SELECT wish.provider_id, wish.id AS wish_id, wish.state AS wish_state, wish.asked_at, wish.asked_by, wish.account_id, wish.people, wish.phone,
    wish.service_id AS wished_service, wish.instead_of, wish.reader_clock, wish.ends_at AS wish_ends_at,
    slot.starts_at, slot.id, slot.ends_at, slot.state, slot.seats, slot.taken, slot.is_busy, slot.made_by, slot.withdrawn_at,
    slot.local_date, slot.time_zone, slot.city, slot.notes, slot.template_id, slot.service_id,
    slot.starts_at >= wish.from_at AND slot.starts_at < wish.until_at AND (wish.days IS NULL OR (wish.days >> strftime('%w', slot.local_date)) & 1)
      AND (wish.after IS NULL AND wish.before IS NULL OR (slot.starts_at / 60000 + (SELECT value ->> 1 FROM json_each(wish.clock) WHERE value ->> 0 <= slot.starts_at ORDER BY key DESC LIMIT 1)) % 1440
        BETWEEN ifnull(wish.after, 0) AND ifnull(wish.before, 1440) - 1) AS suits,
    EXISTS (SELECT 1 FROM json_each(wish.passed) WHERE value = slot.starts_at) AS was_offered
  FROM wishes AS wish CROSS JOIN slots AS slot ON slot.provider_id = wish.provider_id;
