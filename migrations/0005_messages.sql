-- Messages: what people are told of. Each is a line in its reader's news, and where they have a confirmed address and want
-- it, a mail. A message is written by the trigger of the change that it tells of, so that none is forgotten and none is
-- told of what did not happen.

-- Until email_confirmed_at is set the address gets nothing but the question whether it is theirs. mail_off is a JSON list of
-- the kinds of message that are not to come by mail.
ALTER TABLE accounts ADD COLUMN email_confirmed_at INTEGER;
ALTER TABLE accounts ADD COLUMN mail_off TEXT NOT NULL DEFAULT '[]';

-- When a party was changed last: each change is told at its time.
ALTER TABLE parties ADD COLUMN changed_at INTEGER;

CREATE INDEX accounts_by_email ON accounts (lower(email)) WHERE email IS NOT NULL;

-- What lets somebody back in who has lost the password and has no e-mail: each good once. Of a code only its HMAC is kept.
CREATE TABLE recovery_codes (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  code_hash TEXT NOT NULL,
  PRIMARY KEY (account_id, code_hash)
) STRICT, WITHOUT ROWID;

-- The id says what, whom and which change, so that nobody is told the same thing twice. What is not for the news is written
-- as read. mail_state is null (no mail), due, leased (somebody is sending it, until due_at), sent or dead (given up).
CREATE TABLE messages (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  kind TEXT NOT NULL,
  slot_id TEXT,
  party_id TEXT,
  actor_id TEXT,
  data TEXT NOT NULL DEFAULT '{}' CHECK (json_type(data) = 'object'),
  created_at INTEGER NOT NULL,
  is_read INTEGER NOT NULL DEFAULT 0,
  email TEXT,
  mail_state TEXT,
  tries INTEGER NOT NULL DEFAULT 0,
  due_at INTEGER,
  reason TEXT
) STRICT, WITHOUT ROWID;
-- Unread first, then the newest: the order of the list, and how the unread are counted.
CREATE INDEX messages_by_reader ON messages (account_id, is_read, created_at DESC);
CREATE INDEX messages_due ON messages (due_at) WHERE mail_state IN ('due', 'leased');

CREATE TRIGGER messages_go_by_mail AFTER INSERT ON messages WHEN NEW.mail_state IS NULL AND EXISTS (
  SELECT 1 FROM accounts WHERE id = NEW.account_id AND email_confirmed_at IS NOT NULL
    AND instr(mail_off, '"' || NEW.kind || '"') = 0) BEGIN
  UPDATE messages SET email = (SELECT email FROM accounts WHERE id = NEW.account_id), mail_state = 'due',
    due_at = NEW.created_at + iif(NEW.kind = 'rsvps', 3600000, 0)
  WHERE id = NEW.id;
END;

-- Whoever books tells the provider, and has it by mail themselves.
CREATE TRIGGER bookings_tell_the_provider AFTER INSERT ON bookings BEGIN
  INSERT INTO messages (id, account_id, kind, slot_id, actor_id, created_at)
    SELECT 'booked:' || slots.id || '.' || NEW.number || ':' || provider_id, provider_id, 'booked', slots.id, NEW.booker_id, NEW.booked_at
    FROM slots WHERE slots.id = NEW.slot_id AND NEW.claim_hash IS NULL;
  INSERT INTO messages (id, account_id, kind, slot_id, created_at, is_read)
    SELECT 'booked:' || NEW.slot_id || '.' || NEW.number || ':' || id, id, 'booked', NEW.slot_id, NEW.booked_at, 1
    FROM accounts WHERE id = NEW.booker_id AND email_confirmed_at IS NOT NULL;
END;

-- A booking that is canceled tells the other side; whoever canceled it as the booker has it by mail, for their calendar.
CREATE TRIGGER slots_tell_of_their_cancellation AFTER UPDATE OF status ON slots WHEN OLD.status = 1 AND NEW.status = 2 BEGIN
  INSERT INTO messages (id, account_id, kind, slot_id, actor_id, created_at)
    SELECT 'canceled:' || NEW.id || ':' || NEW.provider_id, NEW.provider_id, 'canceled', NEW.id, NEW.canceled_by, NEW.canceled_at
    WHERE NEW.canceled_by <> NEW.provider_id;
  INSERT INTO messages (id, account_id, kind, slot_id, actor_id, created_at, is_read)
    SELECT 'canceled:' || NEW.id || '.' || number || ':' || booker_id, booker_id, 'canceled', NEW.id,
      iif(NEW.canceled_by = booker_id, NULL, NEW.canceled_by), NEW.canceled_at, NEW.canceled_by = booker_id
    FROM bookings JOIN accounts ON accounts.id = booker_id
    WHERE slot_id = NEW.id AND (NEW.canceled_by <> booker_id OR email_confirmed_at IS NOT NULL);
END;

CREATE TRIGGER bookings_tell_of_new_answers AFTER UPDATE OF answers ON bookings
WHEN OLD.answered_at IS NOT NULL AND NEW.answers <> OLD.answers BEGIN
  INSERT INTO messages (id, account_id, kind, slot_id, actor_id, created_at)
    SELECT 'answers:' || id || ':' || NEW.answered_at || ':' || provider_id, provider_id, 'answers', id, NEW.booker_id,
      NEW.answered_at
    FROM slots WHERE id = NEW.slot_id
    ON CONFLICT DO NOTHING;
END;

-- A host hears of the answers to one party or meetup once a day, with how many they were.
CREATE TRIGGER invitations_tell_the_host AFTER UPDATE OF accepted ON invitations
WHEN NEW.accepted IS NOT NULL AND NEW.accepted IS NOT OLD.accepted BEGIN
  INSERT INTO messages (id, account_id, kind, party_id, data, created_at)
    SELECT 'rsvps:' || id || ':' || NEW.answered_at / 86400000 || ':' || provider_id, provider_id, 'rsvps', id,
      '{"count":1}', NEW.answered_at
    FROM parties WHERE id = NEW.party_id
    ON CONFLICT (id) DO UPDATE SET data = json_set(data, '$.count', (data ->> 'count') + 1), is_read = 0;
END;
CREATE TRIGGER invitations_tell_the_host_first AFTER INSERT ON invitations WHEN NEW.accepted IS NOT NULL BEGIN
  INSERT INTO messages (id, account_id, kind, party_id, data, created_at)
    SELECT 'rsvps:' || id || ':' || NEW.answered_at / 86400000 || ':' || provider_id, provider_id, 'rsvps', id,
      '{"count":1}', NEW.answered_at
    FROM parties WHERE id = NEW.party_id
    ON CONFLICT (id) DO UPDATE SET data = json_set(data, '$.count', (data ->> 'count') + 1), is_read = 0;
END;

-- Whoever has not declined hears what was and what is.
CREATE TRIGGER parties_tell_of_changes AFTER UPDATE OF title, starts_at, ends_at, address ON parties
WHEN NEW.changed_at IS NOT NULL AND (NEW.starts_at <> OLD.starts_at OR NEW.ends_at <> OLD.ends_at
  OR NEW.address IS NOT OLD.address OR NEW.title <> OLD.title) BEGIN
  INSERT INTO messages (id, account_id, kind, party_id, actor_id, data, created_at)
    SELECT 'changed:' || NEW.id || ':' || NEW.sequence || ':' || account_id, account_id, 'changed', NEW.id, NEW.provider_id,
      json_patch(
        json_patch(iif(NEW.title <> OLD.title, json_object('title', OLD.title), '{}'),
          iif(NEW.address IS NOT OLD.address, json_object('address', ifnull(OLD.address, '')), '{}')),
        iif(NEW.starts_at <> OLD.starts_at OR NEW.ends_at <> OLD.ends_at,
          json_object('startsAt', OLD.starts_at, 'endsAt', OLD.ends_at), '{}')),
      NEW.changed_at
    FROM invitations WHERE party_id = NEW.id AND account_id IS NOT NULL AND accepted IS NOT 0
    ON CONFLICT DO NOTHING;
END;
