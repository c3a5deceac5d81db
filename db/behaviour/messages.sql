-- A chain of the waitlist is one line of its provider's news: the latest.
CREATE TRIGGER chains_are_one_line_of_news AFTER INSERT ON messages WHEN NEW.data ->> 'after' IS NOT NULL BEGIN
  UPDATE messages SET is_read = [[readState.noNews]] WHERE id = NEW.data ->> 'after';
END;

-- Mail with limits: once it is judged, and when somebody asks for it once more.
CREATE TRIGGER new_mail_is_judged AFTER INSERT ON messages WHEN NEW.is_limited BEGIN
  INSERT INTO judged_mail SELECT * FROM messages WHERE id = NEW.id;
END;

CREATE TRIGGER mail_keeps_its_limits AFTER UPDATE OF mail_state ON messages WHEN NEW.mail_state = 'asked' BEGIN
  UPDATE messages SET (mail_state, reason, due_at) = (
    SELECT [[stateOf(why)]], why, [[dueAt(why, NEW)]] FROM (SELECT [[whyWithheld(NEW)]] AS why))
  WHERE id = NEW.id;
  INSERT INTO judged_mail SELECT * FROM messages WHERE id = NEW.id;
END;

-- A procedure: what follows from what the limits have said of the mail that is inserted here.
CREATE VIEW judged_mail AS SELECT * FROM messages;

CREATE TRIGGER mail_that_goes_out_is_counted INSTEAD OF INSERT ON judged_mail WHEN NEW.mail_state = 'due' BEGIN
  INSERT INTO throttles (bucket, tries, ends_at)
    SELECT bucket, 1, NEW.due_at + span FROM [[countedIn(NEW)]] WHERE bucket IS NOT NULL
    ON CONFLICT (bucket) DO UPDATE SET tries = iif(ends_at <= NEW.due_at, 1, tries + 1),
      ends_at = iif(ends_at <= NEW.due_at, excluded.ends_at, ends_at);
  INSERT INTO mail_contacts (sender_id, email_hash, first_at)
    SELECT NEW.sender_id, NEW.email_hash, NEW.due_at WHERE NEW.sender_id IS NOT NULL
    ON CONFLICT DO NOTHING;
END;

-- A host sees beside a name that its mail is withheld.
CREATE TRIGGER names_show_withheld_mail INSTEAD OF INSERT ON judged_mail WHEN NEW.invitation_id IS NOT NULL BEGIN
  UPDATE invitations SET withheld_mail = iif(NEW.mail_state = 'withheld', NEW.id, NULL)
  WHERE id = NEW.invitation_id AND withheld_mail IS NOT iif(NEW.mail_state = 'withheld', NEW.id, NULL);
END;

-- Where no screen shows it beside a name, whoever caused the mail reads it in their news. This is within a notice, and SQLite runs no
-- trigger within itself, so the message is written here.
CREATE TRIGGER news_tell_of_withheld_mail INSTEAD OF INSERT ON judged_mail
WHEN NEW.mail_state = 'withheld' AND NEW.sender_id IS NOT NULL AND NEW.invitation_id IS NULL BEGIN
  INSERT INTO messages (id, account_id, kind, booking_id, party_id, actor_id, data, created_at)
    VALUES ('undelivered:' || NEW.id, NEW.sender_id, 'undelivered', NEW.booking_id, NEW.party_id, NEW.account_id,
      json_object('withheld', NEW.reason), NEW.created_at)
    ON CONFLICT DO NOTHING;
END;

-- When a mail is given up, due_at says when that was.
CREATE TRIGGER news_tell_of_dead_mail AFTER UPDATE OF mail_state ON messages
WHEN NEW.mail_state = 'dead' AND OLD.mail_state <> 'dead' BEGIN
  INSERT INTO notices (kind, once, account_id, booking_id, party_id, actor_id, data, at)
    SELECT 'undelivered', NEW.id, id, NEW.booking_id, NEW.party_id,
      iif(NEW.invitation_id IS NULL, NEW.account_id, NULL),
      iif(NEW.invitation_id IS NULL, '{}', json_object('name', coalesce((SELECT name FROM invitations WHERE id = NEW.invitation_id), (
        SELECT email FROM shop_invitations WHERE shop_id = [[shopOf(NEW.account_id)]]
          AND id = NEW.invitation_id)))),
      NEW.due_at
    FROM accounts WHERE role = 'Provider' AND id = iif(NEW.invitation_id IS NULL, NEW.actor_id, NEW.account_id)
      AND (NEW.invitation_id IS NOT NULL OR NEW.actor_id <> NEW.account_id);
END;
