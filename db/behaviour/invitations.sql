CREATE TRIGGER invitations_begin_whole BEFORE INSERT ON invitations BEGIN
  SELECT RAISE(ABORT, 'invitation_of_one') WHERE NEW.account_id <> NEW.invitee;
  SELECT RAISE(ABORT, 'unknown_rsvp') WHERE NEW.accepted NOT BETWEEN 0 AND 1;
  SELECT RAISE(ABORT, 'invitation_answered') WHERE (NEW.accepted IS NULL) <> (NEW.answered_at IS NULL);
END;

-- What a guest has answered goes along to the account that they log in to.
CREATE TRIGGER invitations_stay_whole
BEFORE UPDATE OF invitee, account_id, accepted, answered_at ON invitations BEGIN
  SELECT RAISE(ABORT, 'invitation_of_one') WHERE NEW.account_id <> NEW.invitee;
  SELECT RAISE(ABORT, 'unknown_rsvp') WHERE NEW.accepted NOT BETWEEN 0 AND 1;
  SELECT RAISE(ABORT, 'invitation_answered') WHERE (NEW.accepted IS NULL) <> (NEW.answered_at IS NULL);
  SELECT RAISE(ABORT, 'invitation_keeps_its_account') WHERE NEW.account_id IS NOT OLD.account_id AND NOT EXISTS (
    SELECT 1 FROM accounts WHERE id = OLD.account_id AND username IS NULL);
END;

-- party_has_room decides who was too late. The statement that adds names to a meetup counts them itself. A host hears of the
-- answers to one party or meetup once a day, with how many they were; a name with an address is sent its invitation. Whoever answers
-- and left an address has their own answer by mail.
CREATE TRIGGER invitations_begin AFTER INSERT ON invitations BEGIN
  UPDATE parties SET invited = invited + (NEW.account_id IS NOT NULL),
    going = going + iif(NEW.accepted = 1, 1 + NEW.plus_ones, 0)
  WHERE id = NEW.party_id AND (NEW.account_id IS NOT NULL OR NEW.accepted = 1);
  UPDATE invitations SET party_starts_at = (SELECT starts_at FROM parties WHERE id = NEW.party_id)
  WHERE party_id = NEW.party_id AND invitee = NEW.invitee AND NEW.account_id IS NOT NULL AND NEW.party_starts_at IS NULL;
  UPDATE feeds SET version = version + 1 WHERE account_id = NEW.account_id;
  INSERT INTO messages (id, account_id, kind, party_id, data, created_at)
    SELECT 'rsvps:' || id || ':' || (NEW.answered_at / 86400000) || ':' || provider_id, provider_id, 'rsvps', id,
      '{"count":1}', NEW.answered_at
    FROM parties WHERE id = NEW.party_id AND NEW.accepted IS NOT NULL
    ON CONFLICT (id) DO UPDATE SET data = json_set(data, '$.count', (data ->> 'count') + 1), is_read = 0;
  INSERT INTO messages (id, account_id, kind, party_id, invitation_id, created_at, is_read, email)
    SELECT 'invited:' || NEW.id || ':' || coalesce(NEW.email_hash, lower(NEW.email)), provider_id, 'invited', id, NEW.id,
      NEW.email_at, 2, NEW.email
    FROM parties WHERE id = NEW.party_id AND NEW.email IS NOT NULL AND NEW.account_id IS NULL
    ON CONFLICT DO NOTHING;
  INSERT INTO messages (id, account_id, kind, party_id, data, created_at, is_read, email, email_hash)
    SELECT 'answered:' || NEW.id || ':' || NEW.answered_at, id, 'answered', NEW.party_id,
      json_object('isComing', NEW.accepted, 'wasComing', 0, 'brings', NEW.plus_ones), NEW.answered_at, 1, NEW.email,
      NEW.email_hash
    FROM accounts WHERE NEW.accepted IS NOT NULL AND id = NEW.account_id AND (NEW.email IS NOT NULL OR email IS NOT NULL)
    ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER invitations_count_anew AFTER UPDATE OF accepted, plus_ones ON invitations
WHEN NEW.accepted IS NOT OLD.accepted OR NEW.plus_ones <> OLD.plus_ones BEGIN
  UPDATE parties SET going = going
    - iif(OLD.accepted = 1, 1 + OLD.plus_ones, 0)
    + iif(NEW.accepted = 1, 1 + NEW.plus_ones, 0)
  WHERE id = NEW.party_id;
  INSERT INTO messages (id, account_id, kind, party_id, data, created_at)
    SELECT 'rsvps:' || id || ':' || (NEW.answered_at / 86400000) || ':' || provider_id, provider_id, 'rsvps', id,
      '{"count":1}', NEW.answered_at
    FROM parties WHERE id = NEW.party_id AND NEW.accepted IS NOT NULL AND NEW.accepted IS NOT OLD.accepted
    ON CONFLICT (id) DO UPDATE SET data = json_set(data, '$.count', (data ->> 'count') + 1), is_read = 0;
END;

CREATE TRIGGER invitations_stay_in_feeds AFTER UPDATE OF accepted, account_id ON invitations WHEN NEW.account_id IS NOT NULL BEGIN
  UPDATE feeds SET version = version + 1 WHERE account_id = NEW.account_id;
END;

-- Each change of one's own answer comes by mail too. The data say what the
-- answer was before, since only who said yes has an entry in the calendar to take out.
CREATE TRIGGER invitations_tell_whoever_answers AFTER UPDATE OF answered_at ON invitations
WHEN NEW.accepted IS NOT NULL AND NEW.answered_at IS NOT OLD.answered_at BEGIN
  INSERT INTO messages (id, account_id, kind, party_id, data, created_at, is_read, email, email_hash)
    SELECT 'answered:' || NEW.id || ':' || NEW.answered_at, id, 'answered', NEW.party_id,
      json_object('isComing', NEW.accepted, 'wasComing', OLD.accepted IS 1, 'brings', NEW.plus_ones), NEW.answered_at, 1, NEW.email,
      NEW.email_hash
    FROM accounts WHERE id = NEW.account_id AND (NEW.email IS NOT NULL OR email IS NOT NULL)
    ON CONFLICT DO NOTHING;
  INSERT INTO messages (id, account_id, kind, party_id, invitation_id, data, created_at, is_read, email)
    SELECT 'answered:' || NEW.id || ':' || NEW.answered_at, provider_id, 'answered', id, NEW.id,
      json_object('isComing', NEW.accepted, 'wasComing', OLD.accepted IS 1, 'brings', 0), NEW.answered_at, 2, NEW.email
    FROM parties WHERE id = NEW.party_id AND NEW.account_id IS NULL AND NEW.email IS NOT NULL AND NEW.mail_ended_at IS NULL
    ON CONFLICT DO NOTHING;
END;

-- One link goes to one address once, however often the host takes it away and gives it again.
CREATE TRIGGER invitations_are_sent_again AFTER UPDATE OF email_at ON invitations
WHEN NEW.email IS NOT NULL AND NEW.account_id IS NULL AND NEW.mail_ended_at IS NULL BEGIN
  INSERT INTO messages (id, account_id, kind, party_id, invitation_id, created_at, is_read, email)
    SELECT 'invited:' || NEW.id || ':' || coalesce(NEW.email_hash, lower(NEW.email)), provider_id, 'invited', id, NEW.id,
      NEW.email_at, 2, NEW.email
    FROM parties WHERE id = NEW.party_id
    ON CONFLICT DO NOTHING;
END;

-- A party about to be deleted has none, and counts no more.
CREATE TRIGGER invitations_go AFTER DELETE ON invitations BEGIN
  UPDATE parties SET invited = invited - 1, going = going - iif(OLD.accepted = 1, 1 + OLD.plus_ones, 0)
  WHERE id = OLD.party_id AND invited > 0;
  UPDATE feeds SET version = version + 1 WHERE account_id = OLD.account_id;
END;
