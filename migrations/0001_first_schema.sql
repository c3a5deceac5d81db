-- The whole book. Instants are integer milliseconds since 1970 UTC; dates are 'YYYY-MM-DD'; a column named *_folded
-- holds the text as people compare it (NFC, Unicode case folding, made in TypeScript because SQLite folds ASCII only).
-- No table is ever rebuilt and nothing cascades: deletes are written out. A CHECK can't be changed on a table that has
-- rows, so it holds only what follows from the meaning of a column. Rules that a later version may want otherwise are
-- triggers, which a migration can drop and write anew; upper limits stand in the code. They compare with `<>` and
-- BETWEEN, because D1 counts a row read for an IN with three values or more.

-- A city, spelt as first registered, with the number of its providers. The index holds the cities that have some.
CREATE TABLE cities (
  folded TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  providers INTEGER NOT NULL DEFAULT 0 CHECK (providers >= 0)
) STRICT, WITHOUT ROWID;
CREATE INDEX cities_with_providers ON cities (name) WHERE providers > 0;

-- A person or company: a consumer books, a provider publishes. A guest is a consumer who has no login.
CREATE TABLE accounts (
  id TEXT PRIMARY KEY,
  username TEXT,
  username_folded TEXT UNIQUE,
  display_name TEXT NOT NULL CHECK (display_name <> ''),
  display_folded TEXT NOT NULL,
  display_sort_key TEXT NOT NULL,
  password_hash TEXT,
  role TEXT NOT NULL,
  time_zone TEXT NOT NULL,
  city TEXT REFERENCES cities (folded),
  description TEXT,
  created_at INTEGER NOT NULL,
  -- Never less than the coming open slots, so that a publication need not count them: see publishSlots.
  open_slots_at_most INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX providers_by_city ON accounts (city, display_sort_key) WHERE role = 'Provider';
CREATE INDEX providers_by_name ON accounts (display_sort_key) WHERE role = 'Provider';
CREATE TRIGGER accounts_begin_whole BEFORE INSERT ON accounts BEGIN
  SELECT RAISE(ABORT, 'unknown_role') WHERE NEW.role <> 'Consumer' AND NEW.role <> 'Provider';
  SELECT RAISE(ABORT, 'half_a_login')
    WHERE (NEW.username IS NULL) <> (NEW.username_folded IS NULL) OR (NEW.username IS NULL) <> (NEW.password_hash IS NULL);
  SELECT RAISE(ABORT, 'provider_has_login') WHERE NEW.role = 'Provider' AND NEW.username IS NULL;
  SELECT RAISE(ABORT, 'provider_has_city') WHERE (NEW.role = 'Provider') <> (NEW.city IS NOT NULL);
END;
CREATE TRIGGER accounts_stay_whole BEFORE UPDATE OF role, username, username_folded, password_hash, city ON accounts BEGIN
  SELECT RAISE(ABORT, 'unknown_role') WHERE NEW.role <> 'Consumer' AND NEW.role <> 'Provider';
  SELECT RAISE(ABORT, 'half_a_login')
    WHERE (NEW.username IS NULL) <> (NEW.username_folded IS NULL) OR (NEW.username IS NULL) <> (NEW.password_hash IS NULL);
  SELECT RAISE(ABORT, 'provider_has_login') WHERE NEW.role = 'Provider' AND NEW.username IS NULL;
  SELECT RAISE(ABORT, 'provider_has_city') WHERE (NEW.role = 'Provider') <> (NEW.city IS NOT NULL);
END;
CREATE TRIGGER providers_settle AFTER INSERT ON accounts BEGIN
  UPDATE cities SET providers = providers + 1 WHERE folded = NEW.city;
END;
CREATE TRIGGER providers_move AFTER UPDATE OF city ON accounts WHEN NEW.city IS NOT OLD.city BEGIN
  UPDATE cities SET providers = providers - 1 WHERE folded = OLD.city;
  UPDATE cities SET providers = providers + 1 WHERE folded = NEW.city;
END;

-- Each ending of each provider's two names. A name that contains a text has an ending that begins with it, so a search
-- reads only the names that match.
CREATE TABLE provider_names (
  ending TEXT NOT NULL,
  provider_id TEXT NOT NULL REFERENCES accounts (id),
  PRIMARY KEY (ending, provider_id)
) STRICT, WITHOUT ROWID;
-- The array has an element for each character; its keys count from 0.
CREATE TRIGGER providers_get_found AFTER INSERT ON accounts WHEN NEW.role = 'Provider' BEGIN
  INSERT INTO provider_names
    SELECT substr(folded, key + 1), NEW.id
    FROM (SELECT NEW.display_folded AS folded UNION SELECT NEW.username_folded),
      json_each('[' || substr(replace(hex(zeroblob(length(folded))), '00', ',0'), 2) || ']')
    WHERE true ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER providers_get_found_anew AFTER UPDATE OF display_folded ON accounts
WHEN NEW.role = 'Provider' AND NEW.display_folded <> OLD.display_folded BEGIN
  DELETE FROM provider_names WHERE provider_id = NEW.id AND ending IN (
    SELECT substr(OLD.display_folded, key + 1)
    FROM json_each('[' || substr(replace(hex(zeroblob(length(OLD.display_folded))), '00', ',0'), 2) || ']'));
  INSERT INTO provider_names
    SELECT substr(folded, key + 1), NEW.id
    FROM (SELECT NEW.display_folded AS folded UNION SELECT NEW.username_folded),
      json_each('[' || substr(replace(hex(zeroblob(length(folded))), '00', ',0'), 2) || ']')
    WHERE true ON CONFLICT DO NOTHING;
END;

-- A device that is logged in. Deleting the row logs it out.
CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_by_account ON sessions (account_id);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

-- What a form or call with this key was answered, to replay it: sending it again has no second effect.
CREATE TABLE one_time_keys (
  caller TEXT NOT NULL,
  key TEXT NOT NULL,
  claim TEXT NOT NULL,
  replay TEXT CHECK (json_valid(replay)),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (caller, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX one_time_keys_by_age ON one_time_keys (created_at);

-- The number of tries in the window that ends at ends_at.
CREATE TABLE throttles (
  bucket TEXT PRIMARY KEY,
  tries INTEGER NOT NULL,
  ends_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX throttles_by_end ON throttles (ends_at);

-- Always empty: inserting a refusal fails the whole batch under that name.
CREATE TABLE refusals (
  name TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
CREATE TRIGGER refusals_fail_the_batch BEFORE INSERT ON refusals BEGIN
  SELECT RAISE(ABORT, 'too_many_open_slots') WHERE NEW.name = 'too_many_open_slots';
  SELECT RAISE(ABORT, 'too_many_names') WHERE NEW.name = 'too_many_names';
  SELECT RAISE(ABORT, 'unknown_refusal');
END;

-- One published version of a set of check-in questions. An edit adds a row that replaces the old one.
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
CREATE INDEX templates_listed ON templates (provider_id, listed_at) WHERE retired_at IS NULL;
CREATE TRIGGER templates_keep_their_wording BEFORE UPDATE OF id, provider_id, display_name, questions ON templates BEGIN
  SELECT RAISE(ABORT, 'template_is_published');
END;

-- A slot of a provider's time: open (0), then booked (1), then canceled (2), never back.
CREATE TABLE slots (
  id TEXT PRIMARY KEY,
  provider_id TEXT NOT NULL REFERENCES accounts (id),
  city TEXT NOT NULL REFERENCES cities (folded),
  starts_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  local_date TEXT NOT NULL CHECK (local_date GLOB '[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]'),
  time_zone TEXT NOT NULL,
  status INTEGER NOT NULL DEFAULT 0,
  notes TEXT CHECK (notes <> ''),
  template_id TEXT REFERENCES templates (id),
  publication TEXT NOT NULL,
  canceled_at INTEGER,
  canceled_by TEXT REFERENCES accounts (id),
  CONSTRAINT slot_has_length CHECK (ends_at > starts_at)
) STRICT, WITHOUT ROWID;
CREATE INDEX slots_by_provider ON slots (provider_id, status, starts_at);
CREATE INDEX slots_open_by_city ON slots (city, starts_at) WHERE status = 0;
CREATE INDEX slots_open_by_start ON slots (starts_at) WHERE status = 0;

-- A provider's open and booked slots never overlap, so only the last one that starts before the new one ends can
-- overlap it. The trigger skips an overlapping row and does not refuse it: skipped = sent - inserted.
CREATE TRIGGER slots_never_overlap BEFORE INSERT ON slots BEGIN
  SELECT RAISE(IGNORE) WHERE NEW.starts_at < (
    SELECT ends_at FROM slots WHERE provider_id = NEW.provider_id AND status = 0 AND starts_at < NEW.ends_at
    ORDER BY starts_at DESC LIMIT 1);
  SELECT RAISE(IGNORE) WHERE NEW.starts_at < (
    SELECT ends_at FROM slots WHERE provider_id = NEW.provider_id AND status = 1 AND starts_at < NEW.ends_at
    ORDER BY starts_at DESC LIMIT 1);
END;
CREATE TRIGGER slots_begin_open BEFORE INSERT ON slots
WHEN NEW.status <> 0 OR NEW.canceled_at IS NOT NULL OR NEW.canceled_by IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'slot_begins_open');
END;
-- Lists look no further back than a day for what is still going on.
CREATE TRIGGER slots_last_a_day_at_most BEFORE INSERT ON slots WHEN NEW.ends_at - NEW.starts_at > 86400000 BEGIN
  SELECT RAISE(ABORT, 'slot_lasts_a_day_at_most');
END;
CREATE TRIGGER slots_have_a_known_status BEFORE UPDATE OF status ON slots WHEN NEW.status NOT BETWEEN 0 AND 2 BEGIN
  SELECT RAISE(ABORT, 'unknown_status');
END;
CREATE TRIGGER slots_say_who_canceled BEFORE UPDATE OF status, canceled_at, canceled_by ON slots
WHEN (NEW.status = 2) <> (NEW.canceled_at IS NOT NULL) OR (NEW.status = 2) <> (NEW.canceled_by IS NOT NULL) BEGIN
  SELECT RAISE(ABORT, 'slot_cancellation');
END;
CREATE TRIGGER slots_live_once BEFORE UPDATE OF status ON slots WHEN NEW.status <= OLD.status BEGIN
  SELECT RAISE(ABORT, 'slot_lives_once');
END;
CREATE TRIGGER slots_keep_their_time
BEFORE UPDATE OF id, provider_id, starts_at, ends_at, local_date, time_zone, template_id ON slots BEGIN
  SELECT RAISE(ABORT, 'slot_keeps_its_time');
END;

-- The days on which a provider has open slots: a calendar reads one row a day, and a list of chosen days begins where
-- they do. No slot of the day starts before first_at; the last open one starts at last_at.
CREATE TABLE open_days (
  provider_id TEXT NOT NULL REFERENCES accounts (id),
  local_date TEXT NOT NULL,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  PRIMARY KEY (provider_id, local_date)
) STRICT, WITHOUT ROWID;

-- The first and last start of a city's slots on a day. Nothing narrows them, so a booking writes nothing here.
CREATE TABLE city_days (
  city TEXT NOT NULL REFERENCES cities (folded),
  local_date TEXT NOT NULL,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  PRIMARY KEY (city, local_date)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER slots_open_their_day AFTER INSERT ON slots BEGIN
  INSERT INTO open_days VALUES (NEW.provider_id, NEW.local_date, NEW.starts_at, NEW.starts_at)
    ON CONFLICT DO UPDATE SET first_at = min(first_at, NEW.starts_at), last_at = max(last_at, NEW.starts_at)
    WHERE NEW.starts_at NOT BETWEEN first_at AND last_at;
  INSERT INTO city_days VALUES (NEW.city, NEW.local_date, NEW.starts_at, NEW.starts_at)
    ON CONFLICT DO UPDATE SET first_at = min(first_at, NEW.starts_at), last_at = max(last_at, NEW.starts_at)
    WHERE NEW.starts_at NOT BETWEEN first_at AND last_at;
END;
CREATE TRIGGER slots_move_to_a_city AFTER UPDATE OF city ON slots BEGIN
  INSERT INTO city_days VALUES (NEW.city, NEW.local_date, NEW.starts_at, NEW.starts_at)
    ON CONFLICT DO UPDATE SET first_at = min(first_at, NEW.starts_at), last_at = max(last_at, NEW.starts_at)
    WHERE NEW.starts_at NOT BETWEEN first_at AND last_at;
END;
CREATE TRIGGER slots_close_their_day AFTER UPDATE OF status ON slots
WHEN OLD.status = 0 AND OLD.starts_at = (
  SELECT last_at FROM open_days WHERE provider_id = OLD.provider_id AND local_date = OLD.local_date) BEGIN
  DELETE FROM open_days WHERE provider_id = OLD.provider_id AND local_date = OLD.local_date AND NOT EXISTS (
    SELECT 1 FROM slots WHERE provider_id = OLD.provider_id AND status = 0
      AND starts_at BETWEEN first_at AND OLD.starts_at AND slots.local_date = OLD.local_date);
  UPDATE open_days SET last_at = (
    SELECT starts_at FROM slots WHERE provider_id = OLD.provider_id AND status = 0
      AND starts_at < OLD.starts_at AND slots.local_date = OLD.local_date
    ORDER BY starts_at DESC LIMIT 1)
  WHERE provider_id = OLD.provider_id AND local_date = OLD.local_date;
END;

-- Who holds or held a slot, with their answers. A booking is known by its slot and its number there, from 0.
CREATE TABLE bookings (
  slot_id TEXT NOT NULL REFERENCES slots (id),
  number INTEGER NOT NULL DEFAULT 0 CHECK (number >= 0),
  booker_id TEXT NOT NULL REFERENCES accounts (id),
  starts_at INTEGER NOT NULL,
  booked_at INTEGER NOT NULL,
  answers TEXT NOT NULL DEFAULT '[]' CHECK (json_type(answers) = 'array'),
  answered_at INTEGER,
  -- A trigger keeps this equal to the slot's state, so that a list of booked or of canceled slots reads only what it
  -- shows.
  is_canceled INTEGER NOT NULL DEFAULT 0 CHECK (is_canceled BETWEEN 0 AND 1),
  PRIMARY KEY (slot_id, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX bookings_by_booker ON bookings (booker_id, is_canceled, starts_at);

-- A slot has one booking, ever: its number is 0, and the key does the rest. A unique index on the slot would say the same,
-- but be a row more that each booking writes. Where a slot is to have several people, these two triggers are written anew.
CREATE TRIGGER bookings_are_one_per_slot BEFORE INSERT ON bookings WHEN NEW.number <> 0 BEGIN
  SELECT RAISE(ABORT, 'slot_has_one_holder');
END;
CREATE TRIGGER bookings_are_canceled_with_their_slot AFTER UPDATE OF status ON slots WHEN OLD.status = 1 BEGIN
  UPDATE bookings SET is_canceled = 1 WHERE slot_id = NEW.id AND number = 0;
END;
CREATE TRIGGER bookings_take_open_slots BEFORE INSERT ON bookings
WHEN (SELECT status FROM slots WHERE id = NEW.slot_id) IS NOT 0 BEGIN
  SELECT RAISE(ABORT, 'slot_not_open');
END;
CREATE TRIGGER bookings_keep_their_time BEFORE UPDATE OF slot_id, number, starts_at ON bookings BEGIN
  SELECT RAISE(ABORT, 'booking_keeps_its_time');
END;
-- What a guest has booked goes along to the account that they log in to.
CREATE TRIGGER bookings_keep_their_holder BEFORE UPDATE OF booker_id ON bookings
WHEN (SELECT username FROM accounts WHERE id = OLD.booker_id) IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'booking_keeps_its_holder');
END;
CREATE TRIGGER slots_booked_have_a_holder BEFORE UPDATE OF status ON slots
WHEN NEW.status = 1 AND NOT EXISTS (SELECT 1 FROM bookings WHERE slot_id = NEW.id) BEGIN
  SELECT RAISE(ABORT, 'slot_without_holder');
END;

-- An event: a party has one link for all, a meetup a personal link for each name.
CREATE TABLE parties (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  provider_id TEXT NOT NULL REFERENCES accounts (id),
  title TEXT NOT NULL CHECK (title <> ''),
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
  CONSTRAINT party_has_room CHECK (capacity IS NULL OR going <= capacity)
) STRICT, WITHOUT ROWID;
CREATE INDEX parties_by_host ON parties (provider_id, kind, starts_at);
CREATE TRIGGER parties_begin_whole BEFORE INSERT ON parties BEGIN
  SELECT RAISE(ABORT, 'unknown_kind') WHERE NEW.kind <> 'party' AND NEW.kind <> 'meetup';
  SELECT RAISE(ABORT, 'party_closing') WHERE (NEW.rsvp_by IS NULL) <> (NEW.rsvp_closes_at IS NULL);
END;
CREATE TRIGGER parties_stay_whole BEFORE UPDATE OF kind, rsvp_by, rsvp_closes_at ON parties BEGIN
  SELECT RAISE(ABORT, 'unknown_kind') WHERE NEW.kind <> 'party' AND NEW.kind <> 'meetup';
  SELECT RAISE(ABORT, 'party_closing') WHERE (NEW.rsvp_by IS NULL) <> (NEW.rsvp_closes_at IS NULL);
END;

-- An RSVP to a party by an account, or a name's personal link to a meetup. A party's rows are read together, so they
-- lie side by side.
CREATE TABLE invitations (
  party_id TEXT NOT NULL REFERENCES parties (id),
  -- An account's id, or a name folded: each once in a party.
  invitee TEXT NOT NULL,
  id TEXT NOT NULL UNIQUE,
  account_id TEXT REFERENCES accounts (id),
  -- An account's own: invitations_follow_names keeps the name so.
  username TEXT,
  name TEXT NOT NULL,
  name_sort_key TEXT NOT NULL,
  accepted INTEGER,
  plus_ones INTEGER NOT NULL DEFAULT 0 CHECK (plus_ones >= 0),
  answers TEXT NOT NULL DEFAULT '[]' CHECK (json_type(answers) = 'array'),
  answered_at INTEGER,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (party_id, invitee)
) STRICT, WITHOUT ROWID;
CREATE INDEX invitations_by_account ON invitations (account_id) WHERE account_id IS NOT NULL;
CREATE TRIGGER invitations_begin_whole BEFORE INSERT ON invitations BEGIN
  SELECT RAISE(ABORT, 'invitation_of_one') WHERE NEW.account_id <> NEW.invitee;
  SELECT RAISE(ABORT, 'unknown_rsvp') WHERE NEW.accepted NOT BETWEEN 0 AND 1;
  SELECT RAISE(ABORT, 'invitation_answered') WHERE (NEW.accepted IS NULL) <> (NEW.answered_at IS NULL);
END;
CREATE TRIGGER invitations_stay_whole
BEFORE UPDATE OF invitee, account_id, accepted, answered_at ON invitations BEGIN
  SELECT RAISE(ABORT, 'invitation_of_one') WHERE NEW.account_id <> NEW.invitee;
  SELECT RAISE(ABORT, 'unknown_rsvp') WHERE NEW.accepted NOT BETWEEN 0 AND 1;
  SELECT RAISE(ABORT, 'invitation_answered') WHERE (NEW.accepted IS NULL) <> (NEW.answered_at IS NULL);
END;
-- What a guest has answered goes along to the account that they log in to.
CREATE TRIGGER invitations_keep_their_account BEFORE UPDATE OF account_id ON invitations
WHEN NEW.account_id IS NOT OLD.account_id AND NOT EXISTS (
  SELECT 1 FROM accounts WHERE id = OLD.account_id AND username IS NULL) BEGIN
  SELECT RAISE(ABORT, 'invitation_keeps_its_account');
END;
CREATE TRIGGER invitations_follow_names AFTER UPDATE OF display_name ON accounts WHEN NEW.display_name <> OLD.display_name BEGIN
  UPDATE invitations SET name = NEW.display_name, name_sort_key = NEW.display_sort_key WHERE account_id = NEW.id;
END;

-- parties.going counts the people who come, plus-ones included; party_has_room then decides who was too late.
-- parties.invited counts the invitations, so that a list of parties need not read them. The statement that adds names
-- to a meetup counts them itself. A party about to be deleted has none, and counts no more.
CREATE TRIGGER invitations_count_in AFTER INSERT ON invitations WHEN NEW.account_id IS NOT NULL OR NEW.accepted = 1 BEGIN
  UPDATE parties SET invited = invited + (NEW.account_id IS NOT NULL),
    going = going + iif(NEW.accepted = 1, 1 + NEW.plus_ones, 0)
  WHERE id = NEW.party_id;
END;
CREATE TRIGGER invitations_count_anew AFTER UPDATE OF accepted, plus_ones ON invitations
WHEN NEW.accepted IS NOT OLD.accepted OR NEW.plus_ones <> OLD.plus_ones BEGIN
  UPDATE parties SET going = going
    - iif(OLD.accepted = 1, 1 + OLD.plus_ones, 0)
    + iif(NEW.accepted = 1, 1 + NEW.plus_ones, 0)
  WHERE id = NEW.party_id;
END;
CREATE TRIGGER invitations_count_out AFTER DELETE ON invitations
WHEN (SELECT invited FROM parties WHERE id = OLD.party_id) > 0 BEGIN
  UPDATE parties SET invited = invited - 1, going = going - iif(OLD.accepted = 1, 1 + OLD.plus_ones, 0)
  WHERE id = OLD.party_id;
END;
