-- Calendars: the feed that a person's own calendar reads, whether somebody came, and whom a provider has had as guests.

-- The address of an account's feed. Of its key only the SHA-256 is kept, in hexadecimal; the key is made of the seed and a
-- secret that the book does not hold. The version rises with each change of what the feed holds, so that a calendar that
-- asks again costs two rows where nothing has changed.
CREATE TABLE feeds (
  account_id TEXT PRIMARY KEY REFERENCES accounts (id),
  key_hash TEXT NOT NULL UNIQUE,
  seed TEXT NOT NULL,
  version INTEGER NOT NULL DEFAULT 0,
  made_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER feeds_follow_slots AFTER UPDATE OF status ON slots WHEN NEW.status = 1 OR OLD.status = 1 BEGIN
  UPDATE feeds SET version = version + 1
  WHERE account_id IN (NEW.provider_id, (SELECT booker_id FROM bookings WHERE slot_id = NEW.id AND number = 0));
END;
CREATE TRIGGER feeds_follow_holders AFTER UPDATE OF booker_id ON bookings WHEN NEW.booker_id <> OLD.booker_id BEGIN
  UPDATE feeds SET version = version + 1
  WHERE account_id IN (NEW.booker_id, (SELECT provider_id FROM slots WHERE id = NEW.slot_id));
END;
CREATE TRIGGER feeds_follow_new_parties AFTER INSERT ON parties BEGIN
  UPDATE feeds SET version = version + 1 WHERE account_id = NEW.provider_id;
END;
CREATE TRIGGER feeds_follow_parties
AFTER UPDATE OF title, description, starts_at, ends_at, address, location_url, deleted_at ON parties BEGIN
  UPDATE feeds SET version = version + 1 WHERE account_id = NEW.provider_id;
  UPDATE feeds SET version = version + 1
  WHERE account_id IN (SELECT account_id FROM invitations WHERE party_id = NEW.id AND accepted = 1);
END;
CREATE TRIGGER feeds_follow_new_rsvps AFTER INSERT ON invitations WHEN NEW.account_id IS NOT NULL BEGIN
  UPDATE feeds SET version = version + 1 WHERE account_id = NEW.account_id;
END;
CREATE TRIGGER feeds_follow_rsvps AFTER UPDATE OF accepted, account_id ON invitations WHEN NEW.account_id IS NOT NULL BEGIN
  UPDATE feeds SET version = version + 1 WHERE account_id = NEW.account_id;
END;
CREATE TRIGGER feeds_follow_gone_rsvps AFTER DELETE ON invitations WHEN OLD.account_id IS NOT NULL BEGIN
  UPDATE feeds SET version = version + 1 WHERE account_id = OLD.account_id;
END;

-- Whether the booker came, as the provider has marked it: 'seen', 'excused', 'missed', or null while nobody knows.
ALTER TABLE bookings ADD COLUMN attendance TEXT;
CREATE TRIGGER bookings_have_known_attendance BEFORE UPDATE OF attendance ON bookings
WHEN NEW.attendance <> 'seen' AND NEW.attendance <> 'excused' AND NEW.attendance <> 'missed' BEGIN
  SELECT RAISE(ABORT, 'unknown_attendance');
END;

-- Whoever has ever booked with a provider, found by name, with how often they came and how often not. Triggers keep it.
CREATE TABLE people (
  provider_id TEXT NOT NULL REFERENCES accounts (id),
  person_id TEXT NOT NULL REFERENCES accounts (id),
  name_folded TEXT NOT NULL,
  seen INTEGER NOT NULL DEFAULT 0 CHECK (seen >= 0),
  excused INTEGER NOT NULL DEFAULT 0 CHECK (excused >= 0),
  missed INTEGER NOT NULL DEFAULT 0 CHECK (missed >= 0),
  PRIMARY KEY (provider_id, person_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX people_by_name ON people (provider_id, name_folded, person_id);
CREATE INDEX people_by_person ON people (person_id);

INSERT INTO people (provider_id, person_id, name_folded)
  SELECT DISTINCT slots.provider_id, booker_id, display_folded
  FROM bookings JOIN slots ON slots.id = slot_id JOIN accounts ON accounts.id = booker_id;

CREATE TRIGGER bookings_make_people AFTER INSERT ON bookings BEGIN
  INSERT INTO people (provider_id, person_id, name_folded)
    SELECT slots.provider_id, accounts.id, display_folded FROM slots, accounts
    WHERE slots.id = NEW.slot_id AND accounts.id = NEW.booker_id
    ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER bookings_count_attendance AFTER UPDATE OF attendance ON bookings
WHEN NEW.attendance IS NOT OLD.attendance BEGIN
  UPDATE people SET
    seen = seen + (NEW.attendance IS 'seen') - (OLD.attendance IS 'seen'),
    excused = excused + (NEW.attendance IS 'excused') - (OLD.attendance IS 'excused'),
    missed = missed + (NEW.attendance IS 'missed') - (OLD.attendance IS 'missed')
  WHERE provider_id = (SELECT provider_id FROM slots WHERE id = NEW.slot_id) AND person_id = NEW.booker_id;
END;
-- A guest's bookings go along, all of them, to the account that they log in to.
CREATE TRIGGER people_follow_holders AFTER UPDATE OF booker_id ON bookings WHEN NEW.booker_id <> OLD.booker_id BEGIN
  INSERT INTO people (provider_id, person_id, name_folded)
    SELECT slots.provider_id, accounts.id, display_folded FROM slots, accounts
    WHERE slots.id = NEW.slot_id AND accounts.id = NEW.booker_id
    ON CONFLICT DO NOTHING;
  UPDATE people SET seen = seen + (NEW.attendance IS 'seen'), excused = excused + (NEW.attendance IS 'excused'),
    missed = missed + (NEW.attendance IS 'missed')
  WHERE provider_id = (SELECT provider_id FROM slots WHERE id = NEW.slot_id) AND person_id = NEW.booker_id;
  DELETE FROM people
  WHERE provider_id = (SELECT provider_id FROM slots WHERE id = NEW.slot_id) AND person_id = OLD.booker_id;
END;
CREATE TRIGGER people_follow_names AFTER UPDATE OF display_folded ON accounts
WHEN NEW.display_folded <> OLD.display_folded BEGIN
  UPDATE people SET name_folded = NEW.display_folded WHERE person_id = NEW.id;
END;
CREATE TRIGGER accounts_take_people_along BEFORE DELETE ON accounts BEGIN
  DELETE FROM people WHERE provider_id = OLD.id;
  DELETE FROM people WHERE person_id = OLD.id;
  DELETE FROM feeds WHERE account_id = OLD.id;
END;
