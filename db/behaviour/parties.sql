-- A procedure: fails unless the party is whole.
CREATE VIEW whole_parties AS SELECT kind, rsvp_by, rsvp_closes_at, open_to, ask_email, ask_phone FROM parties;

CREATE TRIGGER parties_are_whole INSTEAD OF INSERT ON whole_parties BEGIN
  SELECT RAISE(ABORT, 'unknown_kind') WHERE NEW.kind <> 'party' AND NEW.kind <> 'meetup';
  SELECT RAISE(ABORT, 'party_closing') WHERE (NEW.rsvp_by IS NULL) <> (NEW.rsvp_closes_at IS NULL);
  INSERT INTO rules_for_guests (open_to, ask_email, ask_phone) VALUES (NEW.open_to, NEW.ask_email, NEW.ask_phone);
END;

CREATE TRIGGER parties_begin_whole BEFORE INSERT ON parties BEGIN
  INSERT INTO whole_parties (kind, rsvp_by, rsvp_closes_at, open_to, ask_email, ask_phone)
    VALUES (NEW.kind, NEW.rsvp_by, NEW.rsvp_closes_at, NEW.open_to, NEW.ask_email, NEW.ask_phone);
END;

CREATE TRIGGER parties_stay_whole BEFORE UPDATE OF kind, rsvp_by, rsvp_closes_at, open_to, ask_email, ask_phone ON parties BEGIN
  INSERT INTO whole_parties (kind, rsvp_by, rsvp_closes_at, open_to, ask_email, ask_phone)
    VALUES (NEW.kind, NEW.rsvp_by, NEW.rsvp_closes_at, NEW.open_to, NEW.ask_email, NEW.ask_phone);
END;

-- A procedure: the party that is inserted here is busy time, where the rule of its host says so. It lasts a day at most, and an hour
-- more where the clocks change: two rows.
CREATE VIEW times_of_parties AS SELECT provider_id, id, starts_at, ends_at, deleted_at FROM parties;

CREATE TRIGGER parties_are_busy_time INSTEAD OF INSERT ON times_of_parties WHEN NEW.deleted_at IS NULL BEGIN
  INSERT INTO busy_times (provider_id, source, starts_at, ends_at)
    SELECT accounts.id, NEW.id, NEW.starts_at + value * [[longest.busyTime]], min(NEW.ends_at, NEW.starts_at + (value + 1) * [[longest.busyTime]])
    FROM accounts, json_each('[0,1]')
    WHERE accounts.id = NEW.provider_id AND parties_block = 1 AND NEW.starts_at + value * [[longest.busyTime]] < NEW.ends_at
    ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER parties_block AFTER INSERT ON parties BEGIN
  INSERT INTO times_of_parties (provider_id, id, starts_at, ends_at, deleted_at)
    VALUES (NEW.provider_id, NEW.id, NEW.starts_at, NEW.ends_at, NEW.deleted_at);
END;

CREATE TRIGGER parties_block_anew AFTER UPDATE OF starts_at, ends_at, deleted_at ON parties
WHEN NEW.starts_at <> OLD.starts_at OR NEW.ends_at <> OLD.ends_at OR NEW.deleted_at IS NOT OLD.deleted_at BEGIN
  DELETE FROM busy_times WHERE [[isTimeOfEvent(OLD)]];
  INSERT INTO times_of_parties (provider_id, id, starts_at, ends_at, deleted_at)
    VALUES (NEW.provider_id, NEW.id, NEW.starts_at, NEW.ends_at, NEW.deleted_at);
END;

CREATE TRIGGER parties_block_no_more AFTER DELETE ON parties BEGIN
  DELETE FROM busy_times WHERE [[isTimeOfEvent(OLD)]];
END;

CREATE TRIGGER parties_join_feeds AFTER INSERT ON parties BEGIN
  UPDATE feeds SET version = version + 1 WHERE account_id = NEW.provider_id;
END;

CREATE TRIGGER parties_change_in_feeds
AFTER UPDATE OF title, description, starts_at, ends_at, address, location_url, deleted_at ON parties BEGIN
  UPDATE feeds SET version = version + 1 WHERE account_id = NEW.provider_id;
  UPDATE feeds SET version = version + 1
  WHERE account_id IN (SELECT account_id FROM invitations WHERE party_id = NEW.id AND accepted = 1);
END;

CREATE TRIGGER invitations_know_when_it_starts AFTER UPDATE OF starts_at ON parties WHEN NEW.starts_at <> OLD.starts_at BEGIN
  UPDATE invitations SET party_starts_at = NEW.starts_at WHERE party_id = NEW.id AND account_id IS NOT NULL;
END;

-- Whoever has not declined hears what was and what is: accounts, and the names of a meetup at the address that its host gave.
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
    FROM invitations WHERE [[hearsOfEvent(NEW)]];
END;

CREATE TRIGGER parties_tell_that_they_are_called_off AFTER UPDATE OF deleted_at ON parties
WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL BEGIN
  INSERT INTO notices (kind, once, account_id, invitation_id, party_id, actor_id, email, email_hash, at)
    SELECT 'called-off', iif(account_id IS NULL, id, NEW.id || ':' || account_id), account_id, id, NEW.id, NEW.provider_id, email, email_hash,
      NEW.deleted_at
    FROM invitations WHERE [[hearsOfEvent(NEW)]];
END;
