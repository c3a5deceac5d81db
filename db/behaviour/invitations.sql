-- A procedure: fails unless the invitation is whole.
CREATE VIEW whole_invitations AS SELECT invitee, account_id, accepted, rsvp_at FROM invitations;

CREATE TRIGGER invitations_are_whole INSTEAD OF INSERT ON whole_invitations BEGIN
  SELECT RAISE(ABORT, 'invitation_of_one') WHERE NEW.account_id <> NEW.invitee;
  SELECT RAISE(ABORT, 'unknown_rsvp') WHERE NEW.accepted NOT BETWEEN 0 AND 1;
  SELECT RAISE(ABORT, 'invitation_has_rsvp') WHERE (NEW.accepted IS NULL) <> (NEW.rsvp_at IS NULL);
END;

CREATE TRIGGER invitations_begin_whole BEFORE INSERT ON invitations BEGIN
  INSERT INTO whole_invitations (invitee, account_id, accepted, rsvp_at)
    VALUES (NEW.invitee, NEW.account_id, NEW.accepted, NEW.rsvp_at);
END;

CREATE TRIGGER invitations_stay_whole BEFORE UPDATE OF invitee, account_id, accepted, rsvp_at ON invitations BEGIN
  INSERT INTO whole_invitations (invitee, account_id, accepted, rsvp_at)
    VALUES (NEW.invitee, NEW.account_id, NEW.accepted, NEW.rsvp_at);
END;

-- A guest's RSVP goes along to the account that they log in to.
CREATE TRIGGER invitations_keep_their_account BEFORE UPDATE OF account_id ON invitations WHEN NEW.account_id IS NOT OLD.account_id BEGIN
  SELECT RAISE(ABORT, 'invitation_keeps_its_account') WHERE NOT EXISTS (
    SELECT 1 FROM accounts WHERE id = OLD.account_id AND username IS NULL);
END;

-- party_has_room decides who was too late. The statement that adds names to a meetup counts them itself.
CREATE TRIGGER invitations_are_counted AFTER INSERT ON invitations WHEN NEW.account_id IS NOT NULL OR NEW.accepted = 1 BEGIN
  UPDATE parties SET invited = invited + (NEW.account_id IS NOT NULL),
    going = going + iif(NEW.accepted = 1, 1 + NEW.plus_ones, 0)
  WHERE id = NEW.party_id;
END;

CREATE TRIGGER invitations_join_feeds AFTER INSERT ON invitations WHEN NEW.account_id IS NOT NULL BEGIN
  UPDATE feeds SET version = version + 1 WHERE account_id = NEW.account_id;
END;

-- A procedure: the RSVP that is inserted here is told to the host, who hears of those to one party or meetup once a day of UTC, with how
-- many people they were of: in the news at once, and by mail an hour after the first (gatheringTime).
CREATE VIEW given_rsvps AS SELECT id, party_id, rsvp_at, rsvp_at AS before FROM invitations;

CREATE TRIGGER given_rsvps_are_told INSTEAD OF INSERT ON given_rsvps BEGIN
  INSERT INTO notices (kind, once, account_id, party_id, data, at)
    SELECT 'rsvps', id || ':' || (NEW.rsvp_at / [[time.day]]) || ':' || provider_id, provider_id, id,
      json_object('count', ifnull(NEW.before / [[time.day]] <> NEW.rsvp_at / [[time.day]], 1)), NEW.rsvp_at
    FROM parties WHERE id = NEW.party_id;
  INSERT INTO program_news (kind, provider_id, party_id, invitation_id, at)
    VALUES ('rsvps', (SELECT provider_id FROM parties WHERE id = NEW.party_id), NEW.party_id, NEW.id, NEW.rsvp_at);
END;

CREATE TRIGGER rsvps_are_told AFTER INSERT ON invitations WHEN NEW.accepted IS NOT NULL BEGIN
  INSERT INTO given_rsvps (id, party_id, rsvp_at) VALUES (NEW.id, NEW.party_id, NEW.rsvp_at);
END;

CREATE TRIGGER changed_rsvps_are_told AFTER UPDATE OF accepted ON invitations
WHEN NEW.accepted IS NOT NULL AND NEW.accepted IS NOT OLD.accepted BEGIN
  INSERT INTO given_rsvps (id, party_id, rsvp_at, before) VALUES (NEW.id, NEW.party_id, NEW.rsvp_at, OLD.rsvp_at);
END;

-- A procedure: whoever said what is inserted here, and left an address, has that by mail, and each change of it. The data say what the
-- RSVP was before, since only who said yes has an entry in the calendar to take out. A name of a meetup brings nobody.
CREATE VIEW own_rsvps AS
  SELECT id, account_id, party_id, accepted, accepted AS was_accepted, plus_ones, rsvp_at, email, email_hash FROM invitations;

CREATE TRIGGER own_rsvps_are_mailed INSTEAD OF INSERT ON own_rsvps BEGIN
  INSERT INTO notices (kind, once, account_id, invitation_id, party_id, data, at, is_for_mail, email, email_hash)
    VALUES ('answered', NEW.id || ':' || NEW.rsvp_at, NEW.account_id, NEW.id, NEW.party_id,
      json_object('isComing', NEW.accepted, 'wasComing', NEW.was_accepted IS 1, 'brings', iif(NEW.account_id IS NULL, 0, NEW.plus_ones)),
      NEW.rsvp_at, 1, NEW.email, NEW.email_hash);
END;

CREATE TRIGGER own_rsvps_are_told AFTER INSERT ON invitations WHEN NEW.accepted IS NOT NULL AND NEW.account_id IS NOT NULL BEGIN
  INSERT INTO own_rsvps (id, account_id, party_id, accepted, plus_ones, rsvp_at, email, email_hash)
    VALUES (NEW.id, NEW.account_id, NEW.party_id, NEW.accepted, NEW.plus_ones, NEW.rsvp_at, NEW.email, NEW.email_hash);
END;

CREATE TRIGGER changed_own_rsvps_are_told AFTER UPDATE OF rsvp_at ON invitations
WHEN NEW.accepted IS NOT NULL AND NEW.rsvp_at IS NOT OLD.rsvp_at AND (NEW.account_id IS NOT NULL OR NEW.mail_ended_at IS NULL) BEGIN
  INSERT INTO own_rsvps (id, account_id, party_id, accepted, was_accepted, plus_ones, rsvp_at, email, email_hash)
    VALUES (NEW.id, NEW.account_id, NEW.party_id, NEW.accepted, OLD.accepted, NEW.plus_ones, NEW.rsvp_at, NEW.email, NEW.email_hash);
END;

-- A procedure: the name with an address that is inserted here is sent its invitation. One link goes to one address once, however often
-- the host takes it away and gives it again.
CREATE VIEW sent_invitations AS SELECT id, party_id, email, email_hash, email_at FROM invitations;

CREATE TRIGGER sent_invitations_are_told INSTEAD OF INSERT ON sent_invitations BEGIN
  INSERT INTO notices (kind, once, invitation_id, party_id, at, email, email_hash)
    VALUES ('invited', NEW.id || ':' || coalesce(NEW.email_hash, lower(NEW.email)), NEW.id, NEW.party_id, NEW.email_at, NEW.email,
      NEW.email_hash);
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

CREATE TRIGGER invitations_count_anew AFTER UPDATE OF accepted, plus_ones ON invitations
WHEN NEW.accepted IS NOT OLD.accepted OR NEW.plus_ones <> OLD.plus_ones BEGIN
  UPDATE parties SET going = going
    - iif(OLD.accepted = 1, 1 + OLD.plus_ones, 0)
    + iif(NEW.accepted = 1, 1 + NEW.plus_ones, 0)
  WHERE id = NEW.party_id;
END;

CREATE TRIGGER invitations_stay_in_feeds AFTER UPDATE OF accepted, account_id ON invitations WHEN NEW.account_id IS NOT NULL BEGIN
  UPDATE feeds SET version = version + 1 WHERE account_id = NEW.account_id;
END;

-- A party about to be deleted has none, and counts no more.
CREATE TRIGGER invitations_count_no_more AFTER DELETE ON invitations BEGIN
  UPDATE parties SET invited = invited - 1, going = going - iif(OLD.accepted = 1, 1 + OLD.plus_ones, 0)
  WHERE id = OLD.party_id AND invited > 0;
END;

CREATE TRIGGER invitations_leave_feeds AFTER DELETE ON invitations WHEN OLD.account_id IS NOT NULL BEGIN
  UPDATE feeds SET version = version + 1 WHERE account_id = OLD.account_id;
END;
