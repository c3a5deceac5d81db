-- Reminders, mail to the names of a meetup, what becomes of mail that does not arrive, and how messages are found by age.

-- How many minutes before the start a provider's clients and guests are reminded: a JSON list, of three at most.
ALTER TABLE accounts ADD COLUMN reminders TEXT NOT NULL DEFAULT '[1440]'
  CHECK (json_type(reminders) = 'array' AND json_array_length(reminders) <= 3);

-- Every such number that anybody has chosen, so that a reminder that is due is found by the start of what it is about. The
-- one that nobody had to choose, 1440, is not kept here.
CREATE TABLE reminder_times (minutes INTEGER NOT NULL PRIMARY KEY CHECK (minutes > 0)) STRICT, WITHOUT ROWID;
CREATE TRIGGER accounts_choose_reminders AFTER UPDATE OF reminders ON accounts BEGIN
  INSERT INTO reminder_times (minutes) SELECT value FROM json_each(NEW.reminders) WHERE true ON CONFLICT DO NOTHING;
END;
CREATE INDEX bookings_to_remind ON bookings (starts_at) WHERE is_canceled = 0;
CREATE INDEX parties_to_remind ON parties (starts_at) WHERE deleted_at IS NULL;

-- Old messages are deleted.
CREATE INDEX messages_by_age ON messages (created_at);

-- Whoever comes with an address, a guest too, is asked there whether it is theirs.
CREATE TRIGGER accounts_ask_whose_address AFTER INSERT ON accounts
WHEN NEW.email IS NOT NULL AND NEW.email_confirmed_at IS NULL BEGIN
  INSERT INTO messages (id, account_id, kind, created_at, is_read, email, mail_state, due_at)
    VALUES ('confirm-email:' || NEW.created_at || ':' || NEW.id, NEW.id, 'confirm-email', NEW.created_at, 1, NEW.email, 'due',
      NEW.created_at)
    ON CONFLICT DO NOTHING;
END;
-- Once it is theirs, they have what they have booked by mail, for their calendar.
CREATE TRIGGER accounts_get_their_bookings AFTER UPDATE OF email_confirmed_at ON accounts
WHEN OLD.email_confirmed_at IS NULL AND NEW.email_confirmed_at IS NOT NULL BEGIN
  INSERT INTO messages (id, account_id, kind, slot_id, created_at, is_read)
    SELECT 'booked:' || slot_id || '.' || number || ':' || NEW.id, NEW.id, 'booked', slot_id, NEW.email_confirmed_at, 1
    FROM bookings WHERE booker_id = NEW.id AND is_canceled = 0 AND starts_at > NEW.email_confirmed_at
    ORDER BY starts_at LIMIT 20
    ON CONFLICT DO NOTHING;
END;

-- The address of a meetup's name, since when its host has given it, and since when whoever has it wants no more mail. What
-- is told there is a message of the host's (is_read 2: not for the news) with the id of the invitation.
ALTER TABLE invitations ADD COLUMN email TEXT;
ALTER TABLE invitations ADD COLUMN email_at INTEGER;
ALTER TABLE invitations ADD COLUMN mail_ended_at INTEGER;
ALTER TABLE messages ADD COLUMN invitation_id TEXT;

CREATE TRIGGER invitations_are_sent AFTER INSERT ON invitations WHEN NEW.email IS NOT NULL AND NEW.account_id IS NULL BEGIN
  INSERT INTO messages (id, account_id, kind, party_id, invitation_id, created_at, is_read, email, mail_state, due_at)
    SELECT 'invited:' || NEW.id || ':' || NEW.email_at, provider_id, 'invited', id, NEW.id, NEW.email_at, 2, NEW.email, 'due',
      NEW.email_at
    FROM parties WHERE id = NEW.party_id
    ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER invitations_are_sent_again AFTER UPDATE OF email_at ON invitations
WHEN NEW.email IS NOT NULL AND NEW.account_id IS NULL AND NEW.mail_ended_at IS NULL BEGIN
  INSERT INTO messages (id, account_id, kind, party_id, invitation_id, created_at, is_read, email, mail_state, due_at)
    SELECT 'invited:' || NEW.id || ':' || NEW.email_at, provider_id, 'invited', id, NEW.id, NEW.email_at, 2, NEW.email, 'due',
      NEW.email_at
    FROM parties WHERE id = NEW.party_id
    ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER parties_tell_names_of_changes AFTER UPDATE OF title, starts_at, ends_at, address ON parties
WHEN NEW.kind = 'meetup' AND NEW.changed_at IS NOT NULL AND (NEW.starts_at <> OLD.starts_at OR NEW.ends_at <> OLD.ends_at
  OR NEW.address IS NOT OLD.address OR NEW.title <> OLD.title) BEGIN
  INSERT INTO messages (id, account_id, kind, party_id, invitation_id, actor_id, data, created_at, is_read, email, mail_state,
      due_at)
    SELECT 'changed:' || NEW.sequence || ':' || id, NEW.provider_id, 'changed', NEW.id, id, NEW.provider_id,
      json_patch(
        json_patch(iif(NEW.title <> OLD.title, json_object('title', OLD.title), '{}'),
          iif(NEW.address IS NOT OLD.address, json_object('address', ifnull(OLD.address, '')), '{}')),
        iif(NEW.starts_at <> OLD.starts_at OR NEW.ends_at <> OLD.ends_at,
          json_object('startsAt', OLD.starts_at, 'endsAt', OLD.ends_at), '{}')),
      NEW.changed_at, 2, email, 'due', NEW.changed_at
    FROM invitations
    WHERE party_id = NEW.id AND account_id IS NULL AND email IS NOT NULL AND mail_ended_at IS NULL AND accepted IS NOT 0
    ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER parties_tell_names_that_they_are_called_off AFTER UPDATE OF deleted_at ON parties
WHEN NEW.kind = 'meetup' AND OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL BEGIN
  INSERT INTO messages (id, account_id, kind, party_id, invitation_id, actor_id, created_at, is_read, email, mail_state, due_at)
    SELECT 'called-off:' || id, NEW.provider_id, 'called-off', NEW.id, id, NEW.provider_id, NEW.deleted_at, 2, email, 'due',
      NEW.deleted_at
    FROM invitations
    WHERE party_id = NEW.id AND account_id IS NULL AND email IS NOT NULL AND mail_ended_at IS NULL AND accepted IS NOT 0
    ON CONFLICT DO NOTHING;
END;

-- A mail that is given up is told to whoever caused it, as its provider or host. due_at is when that was.
CREATE TRIGGER messages_tell_that_they_did_not_arrive AFTER UPDATE OF mail_state ON messages
WHEN NEW.mail_state = 'dead' AND OLD.mail_state <> 'dead' BEGIN
  INSERT INTO messages (id, account_id, kind, slot_id, party_id, actor_id, data, created_at)
    SELECT 'undelivered:' || NEW.id, accounts.id, 'undelivered', NEW.slot_id, NEW.party_id,
      iif(NEW.invitation_id IS NULL, NEW.account_id, NULL),
      iif(NEW.invitation_id IS NULL, '{}',
        json_object('name', (SELECT name FROM invitations WHERE id = NEW.invitation_id))),
      NEW.due_at
    FROM accounts
    WHERE accounts.id = iif(NEW.invitation_id IS NULL, NEW.actor_id, NEW.account_id) AND accounts.role = 'Provider'
      AND (NEW.invitation_id IS NOT NULL OR NEW.actor_id <> NEW.account_id)
    ON CONFLICT DO NOTHING;
END;
