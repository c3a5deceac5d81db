-- A procedure: fails unless the words about guests are ones that are known, of an account or of a party.
CREATE VIEW rules_for_guests AS SELECT open_to, ask_email, ask_phone FROM accounts;

CREATE TRIGGER rules_for_guests_are_known INSTEAD OF INSERT ON rules_for_guests BEGIN
  SELECT RAISE(ABORT, 'unknown_open_to') WHERE NEW.open_to <> 'anyone' AND NEW.open_to <> 'accounts';
  SELECT RAISE(ABORT, 'unknown_ask_email') WHERE NEW.ask_email <> 'no' AND NEW.ask_email <> 'optional' AND NEW.ask_email <> 'required';
  SELECT RAISE(ABORT, 'unknown_ask_phone') WHERE NEW.ask_phone <> 'no' AND NEW.ask_phone <> 'optional' AND NEW.ask_phone <> 'required';
END;

-- A procedure: fails unless the account is whole.
CREATE VIEW whole_accounts AS SELECT role, username, username_folded, password_hash, city, open_to, ask_email, ask_phone, waitlist FROM accounts;

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

CREATE TRIGGER accounts_begin_whole BEFORE INSERT ON accounts BEGIN
  INSERT INTO whole_accounts (role, username, username_folded, password_hash, city, open_to, ask_email, ask_phone, waitlist)
    VALUES (NEW.role, NEW.username, NEW.username_folded, NEW.password_hash, NEW.city, NEW.open_to, NEW.ask_email, NEW.ask_phone, NEW.waitlist);
END;

CREATE TRIGGER accounts_stay_whole
BEFORE UPDATE OF role, username, username_folded, password_hash, city, open_to, ask_email, ask_phone, waitlist ON accounts BEGIN
  INSERT INTO whole_accounts (role, username, username_folded, password_hash, city, open_to, ask_email, ask_phone, waitlist)
    VALUES (NEW.role, NEW.username, NEW.username_folded, NEW.password_hash, NEW.city, NEW.open_to, NEW.ask_email, NEW.ask_phone, NEW.waitlist);
END;

CREATE TRIGGER providers_arrive_in_their_city AFTER INSERT ON accounts WHEN NEW.role <> 'Consumer' BEGIN
  UPDATE cities SET providers = providers + 1 WHERE folded = NEW.city;
END;

CREATE TRIGGER providers_move AFTER UPDATE OF city ON accounts WHEN NEW.city IS NOT OLD.city BEGIN
  UPDATE cities SET providers = providers - 1 WHERE folded = OLD.city;
  UPDATE cities SET providers = providers + 1 WHERE folded = NEW.city;
END;

-- A procedure: the provider is found by each ending of the name that is inserted here. The array has an element for each character,
-- its keys count from 0.
CREATE VIEW names_to_find AS SELECT id AS provider_id, display_plain AS name FROM accounts;

CREATE TRIGGER providers_are_found_by_each_ending INSTEAD OF INSERT ON names_to_find BEGIN
  INSERT INTO provider_names
    SELECT substr(NEW.name, key + 1), NEW.provider_id
    FROM json_each('[' || substr(replace(hex(zeroblob(length(NEW.name))), '00', ',0'), 2) || ']')
    WHERE true ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER providers_are_found_by_their_names AFTER INSERT ON accounts WHEN NEW.role <> 'Consumer' BEGIN
  INSERT INTO names_to_find (provider_id, name) VALUES (NEW.id, NEW.display_plain);
  INSERT INTO names_to_find (provider_id, name) SELECT NEW.id, NEW.username_folded WHERE NEW.username_folded <> NEW.display_plain;
END;

-- The username has some of the endings too.
CREATE TRIGGER providers_are_found_by_their_new_name AFTER UPDATE OF display_plain ON accounts
WHEN NEW.role <> 'Consumer' AND NEW.display_plain <> OLD.display_plain BEGIN
  DELETE FROM provider_names WHERE provider_id = NEW.id AND ending IN (
    SELECT substr(OLD.display_plain, key + 1)
    FROM json_each('[' || substr(replace(hex(zeroblob(length(OLD.display_plain))), '00', ',0'), 2) || ']'));
  INSERT INTO names_to_find (provider_id, name) VALUES (NEW.id, NEW.display_plain);
  INSERT INTO names_to_find (provider_id, name) VALUES (NEW.id, NEW.username_folded);
END;

CREATE TRIGGER invitations_show_the_new_name AFTER UPDATE OF display_name ON accounts WHEN NEW.display_name <> OLD.display_name BEGIN
  UPDATE invitations SET name = NEW.display_name, name_sort_key = NEW.display_sort_key WHERE account_id = NEW.id;
END;

CREATE TRIGGER bookings_show_the_new_name AFTER UPDATE OF display_name ON accounts WHEN NEW.display_name <> OLD.display_name BEGIN
  UPDATE bookings SET booker_name = NEW.display_name WHERE booker_id = NEW.id;
END;

CREATE TRIGGER people_are_found_by_their_new_name AFTER UPDATE OF display_sort_key ON accounts
WHEN NEW.display_sort_key <> OLD.display_sort_key BEGIN
  UPDATE people SET name_sort_key = NEW.display_sort_key
    WHERE provider_id IN (SELECT provider_id FROM bookings WHERE booker_id = NEW.id) AND id = NEW.id AND name IS NULL;
END;

CREATE TRIGGER accounts_choose_reminders AFTER UPDATE OF reminders ON accounts BEGIN
  INSERT INTO reminder_times (minutes) SELECT value FROM json_each(NEW.reminders) WHERE true ON CONFLICT DO NOTHING;
END;

-- Whoever confirms an address wants mail there again.
CREATE TRIGGER accounts_lift_refusals AFTER UPDATE OF email_confirmed_at ON accounts
WHEN OLD.email_confirmed_at IS NULL AND NEW.email_confirmed_at IS NOT NULL BEGIN
  DELETE FROM refused_addresses WHERE email_hash = NEW.email_hash;
END;

-- Whoever can log in is who the provider books for: on a card that their own bookings made while it has no address, and on any card
-- that they have booked on once its address is confirmed as theirs.
CREATE TRIGGER accounts_get_their_cards AFTER UPDATE OF username, email_confirmed_at ON accounts
WHEN NEW.username IS NOT NULL AND (OLD.username IS NULL OR OLD.email_confirmed_at IS NULL AND NEW.email_confirmed_at IS NOT NULL) BEGIN
  UPDATE people SET booker_id = NEW.id
    WHERE (provider_id, id) IN (SELECT provider_id, person_id FROM bookings WHERE booker_id = NEW.id)
      AND (email IS NULL AND id = NEW.id OR NEW.email_confirmed_at IS NOT NULL AND email_folded = lower(NEW.email))
      AND NOT EXISTS (SELECT 1 FROM accounts AS other WHERE other.id = people.booker_id AND other.username IS NOT NULL);
END;

-- Days that are over are not looked at.
CREATE TRIGGER providers_limit_their_days AFTER UPDATE OF per_day ON accounts WHEN NEW.per_day IS NOT OLD.per_day BEGIN
  DELETE FROM full_days WHERE provider_id = NEW.id;
  INSERT INTO full_days SELECT provider_id, local_date FROM bookings
    WHERE NEW.per_day IS NOT NULL AND provider_id = NEW.id AND [[stands()]] AND starts_at > unixepoch() * 1000 - 2 * [[time.day]]
    GROUP BY local_date HAVING count(DISTINCT ifnull(slot_id, id)) >= NEW.per_day;
END;

-- Answers that a provider keeps no longer go at once. The job looks only at those whose time has come since.
CREATE TRIGGER providers_forget_answers AFTER UPDATE OF keep_answers_days ON accounts
WHEN NEW.keep_answers_days < OLD.keep_answers_days OR OLD.keep_answers_days IS NULL AND NEW.keep_answers_days IS NOT NULL BEGIN
  UPDATE bookings SET answers = '[]', answered_at = NULL
    WHERE provider_id = NEW.id AND answers <> '[]' AND starts_at <= unixepoch() * 1000 - NEW.keep_answers_days * [[time.day]]
      AND ends_at <= unixepoch() * 1000 - NEW.keep_answers_days * [[time.day]];
END;

-- Parties that are over are not looked at.
CREATE TRIGGER providers_let_parties_block AFTER UPDATE OF parties_block ON accounts WHEN NEW.parties_block <> OLD.parties_block BEGIN
  DELETE FROM busy_times WHERE NEW.parties_block = 0 AND provider_id = NEW.id
    AND source IN (SELECT id FROM parties WHERE parties.provider_id = NEW.id);
  INSERT INTO times_of_parties (provider_id, id, starts_at, ends_at)
    SELECT provider_id, id, starts_at, ends_at
    FROM parties WHERE provider_id = NEW.id AND deleted_at IS NULL AND ends_at > unixepoch() * 1000;
END;

-- A feed is in the language of its account, or in the one that they last read.
CREATE TRIGGER accounts_speak_in_feeds AFTER UPDATE OF lang, read_in ON accounts
WHEN coalesce(NEW.lang, NEW.read_in) IS NOT coalesce(OLD.lang, OLD.read_in) BEGIN
  UPDATE feeds SET version = version + 1 WHERE account_id = NEW.id;
END;
