-- Who is mailed, and what is withheld, says app/domain/messages/mail-policy.server.ts.

-- A message goes to the reader's own address, to one that it brings, or to one that a guest has typed for that one thing: that
-- comes with its hash.
CREATE TRIGGER messages_go_by_mail AFTER INSERT ON messages WHEN NEW.mail_state IS NULL AND NEW.invitation_id IS NULL BEGIN
  UPDATE messages SET (email, email_hash, sender_id, mail_state, due_at) = (
    SELECT coalesce(NEW.email, email), coalesce(NEW.email_hash, [[hashOf(accounts)]]), iif(NEW.email_hash IS NULL, email_by, NULL),
      iif([[isConfirmed(NEW.email_hash IS NOT NULL, accounts)]], 'due', 'asked'), NEW.created_at + [[gatheringTime(NEW.kind)]]
    FROM accounts WHERE id = NEW.account_id)
  WHERE id = NEW.id AND EXISTS (SELECT 1 FROM accounts WHERE id = NEW.account_id AND (
    NEW.email IS NOT NULL AND NEW.email_hash IS NULL AND email IS NOT NULL
    OR [[isMailed(NEW.kind, NEW.email_hash IS NOT NULL, accounts)]]));
END;

-- The host typed the address of a meetup's name, unless whoever has the link did.
CREATE TRIGGER names_get_mail AFTER INSERT ON messages
WHEN NEW.mail_state IS NULL AND NEW.invitation_id IS NOT NULL AND NEW.email IS NOT NULL BEGIN
  UPDATE messages SET (sender_id, mail_state, due_at, email_hash) = (
    SELECT iif(email_is_own, NULL, NEW.account_id), 'asked', NEW.created_at, coalesce(email_hash, lower(NEW.email))
    FROM invitations WHERE id = NEW.invitation_id)
  WHERE id = NEW.id;
END;

-- A chain of the waitlist is one line of its provider's news: the latest.
CREATE TRIGGER chains_are_one_line_of_news AFTER INSERT ON messages WHEN NEW.data ->> 'after' IS NOT NULL BEGIN
  UPDATE messages SET is_read = 2 WHERE id = NEW.data ->> 'after';
END;

CREATE TRIGGER mail_keeps_its_limits AFTER UPDATE OF mail_state ON messages WHEN NEW.mail_state = 'asked' BEGIN
  UPDATE messages SET (mail_state, reason, due_at) = (
    SELECT [[stateOf(why)]], why, [[dueAt(why, NEW)]] FROM (SELECT [[whyWithheld(NEW)]] AS why))
  WHERE id = NEW.id;
END;

CREATE TRIGGER mail_that_goes_out_is_counted AFTER UPDATE OF mail_state ON messages
WHEN OLD.mail_state = 'asked' AND NEW.mail_state = 'due' BEGIN
  INSERT INTO throttles (bucket, tries, ends_at)
    SELECT bucket, 1, NEW.due_at + span FROM [[countedIn(NEW)]] WHERE bucket IS NOT NULL
    ON CONFLICT (bucket) DO UPDATE SET tries = iif(ends_at <= NEW.due_at, 1, tries + 1),
      ends_at = iif(ends_at <= NEW.due_at, excluded.ends_at, ends_at);
  INSERT INTO mail_contacts (sender_id, email_hash, first_at)
    SELECT NEW.sender_id, NEW.email_hash, NEW.due_at WHERE NEW.sender_id IS NOT NULL
    ON CONFLICT DO NOTHING;
END;

-- A host sees beside a name that its mail is withheld.
CREATE TRIGGER names_show_withheld_mail AFTER UPDATE OF mail_state ON messages
WHEN OLD.mail_state = 'asked' AND NEW.invitation_id IS NOT NULL BEGIN
  UPDATE invitations SET withheld_mail = iif(NEW.mail_state = 'withheld', NEW.id, NULL)
  WHERE id = NEW.invitation_id AND withheld_mail IS NOT iif(NEW.mail_state = 'withheld', NEW.id, NULL);
END;

-- Where no screen shows it beside a name, whoever caused the mail reads it in their news.
CREATE TRIGGER news_tell_of_withheld_mail AFTER UPDATE OF mail_state ON messages
WHEN OLD.mail_state = 'asked' AND NEW.mail_state = 'withheld' AND NEW.sender_id IS NOT NULL AND NEW.invitation_id IS NULL BEGIN
  INSERT INTO messages (id, account_id, kind, booking_id, party_id, actor_id, data, created_at)
    VALUES ('undelivered:' || NEW.id, NEW.sender_id, 'undelivered', NEW.booking_id, NEW.party_id, NEW.account_id,
      json_object('withheld', NEW.reason), NEW.created_at)
    ON CONFLICT DO NOTHING;
END;

-- When a mail is given up, due_at says when that was.
CREATE TRIGGER news_tell_of_dead_mail AFTER UPDATE OF mail_state ON messages
WHEN NEW.mail_state = 'dead' AND OLD.mail_state <> 'dead' BEGIN
  INSERT INTO messages (id, account_id, kind, booking_id, party_id, actor_id, data, created_at)
    SELECT 'undelivered:' || NEW.id, id, 'undelivered', NEW.booking_id, NEW.party_id,
      iif(NEW.invitation_id IS NULL, NEW.account_id, NULL),
      iif(NEW.invitation_id IS NULL, '{}', json_object('name', (SELECT name FROM invitations WHERE id = NEW.invitation_id))),
      NEW.due_at
    FROM accounts WHERE role = 'Provider' AND id = iif(NEW.invitation_id IS NULL, NEW.actor_id, NEW.account_id)
      AND (NEW.invitation_id IS NOT NULL OR NEW.actor_id <> NEW.account_id)
    ON CONFLICT DO NOTHING;
END;
