-- How much mail an address gets, and a sender may cause, is limited where every message passes. An address that nobody has confirmed
-- gets what is about an appointment or invitation; a provider's own gets nothing but the question whether it is theirs. A message that
-- comes with an address goes there; with its hash too, it is one that a guest has typed for that one thing. Where a message goes to a
-- name of a meetup, its host typed the address, unless whoever has the link did.
CREATE TRIGGER messages_go_by_mail AFTER INSERT ON messages WHEN NEW.mail_state IS NULL BEGIN
  UPDATE messages SET (email, email_hash, sender_id, mail_state, due_at) = (
    SELECT coalesce(NEW.email, email), coalesce(NEW.email_hash, email_hash, lower(email)),
      iif(NEW.email_hash IS NULL, email_by, NULL), iif(NEW.email_hash IS NOT NULL OR email_confirmed_at IS NULL, 'asked', 'due'),
      NEW.created_at + iif(NEW.kind = 'rsvps', 3600000, 0)
    FROM accounts WHERE id = NEW.account_id)
  WHERE id = NEW.id AND NEW.invitation_id IS NULL AND EXISTS (
    SELECT 1 FROM accounts WHERE id = NEW.account_id AND (NEW.email_hash IS NOT NULL OR email IS NOT NULL) AND (
      NEW.email IS NOT NULL AND NEW.email_hash IS NULL
      OR instr(mail_off, '"' || NEW.kind || '"') = 0 AND (NEW.email_hash IS NOT NULL OR email_confirmed_at IS NOT NULL
        OR role = 'Consumer'
        AND NEW.kind IN ('booked', 'moved', 'canceled', 'reminder', 'changed', 'called-off', 'answered', 'wish', 'offer'))));
  UPDATE messages SET (sender_id, mail_state, due_at, email_hash) = (
    SELECT iif(email_is_own, NULL, NEW.account_id), 'asked', NEW.created_at, coalesce(email_hash, lower(NEW.email))
    FROM invitations WHERE id = NEW.invitation_id)
  WHERE id = NEW.id AND NEW.invitation_id IS NOT NULL AND NEW.email IS NOT NULL;
  -- A chain of the waitlist is one line of its provider's news: the latest.
  UPDATE messages SET is_read = 2 WHERE id = NEW.data ->> 'after';
END;

-- Whoever caused a mail is told in the news that it is held back, where no screen shows it beside a name, or that it was given up;
-- due_at is when that was.
CREATE TRIGGER messages_go_or_are_told_of AFTER UPDATE OF mail_state ON messages
WHEN NEW.mail_state = 'asked' OR NEW.mail_state = 'dead' AND OLD.mail_state <> 'dead' BEGIN
  UPDATE messages SET (mail_state, reason, due_at) = (
    SELECT iif(why IS NULL, 'due', iif(why = 'guests', 'waiting', 'held')), why,
      iif(why IS NULL, NEW.due_at, iif(why IN ('refused', 'ended', 'sender'), NULL,
        coalesce((SELECT ends_at FROM throttles WHERE bucket = iif(why = 'full', 'mail:', 'mail-question:') || NEW.email_hash
            AND why IN ('full', 'questions')),
          NEW.due_at + iif(why = 'guests', 3600000, 86400000))))
    FROM (SELECT coalesce(
      iif(NEW.kind <> 'confirm-email' AND EXISTS (SELECT 1 FROM refused_addresses WHERE email_hash = NEW.email_hash),
        'refused', NULL),
      iif(EXISTS (SELECT 1 FROM mail_contacts
        WHERE sender_id = NEW.sender_id AND email_hash = NEW.email_hash AND ended_at IS NOT NULL), 'ended', NULL),
      iif(EXISTS (SELECT 1 FROM lifted_limits WHERE name = 'mail'), NULL, coalesce(
        iif(NEW.kind = 'confirm-email' AND EXISTS (SELECT 1 FROM throttles
          WHERE bucket = 'mail-question:' || NEW.email_hash AND ends_at > NEW.due_at AND tries >= 3), 'questions', NULL),
        iif(EXISTS (SELECT 1 FROM throttles
          WHERE bucket = 'mail:' || NEW.email_hash AND ends_at > NEW.due_at AND tries >= 10), 'full', NULL),
        iif(NEW.kind IN ('booked', 'wish', 'answered') AND NEW.sender_id IS NULL AND EXISTS (SELECT 1 FROM throttles
          WHERE bucket = 'mail-guests:' || coalesce(substr(NEW.booking_id, 1, length(NEW.booking_id) - 25),
              (SELECT provider_id FROM parties WHERE id = NEW.party_id), NEW.actor_id)
            AND ends_at > NEW.due_at AND tries >= 100), 'guests', NULL),
        iif(NEW.sender_id IS NULL, NULL, coalesce(
          iif(NOT EXISTS (SELECT 1 FROM accounts WHERE id = NEW.sender_id AND email_confirmed_at IS NOT NULL),
            'sender', NULL),
          iif(NEW.kind = 'invited' AND EXISTS (SELECT 1 FROM throttles
            WHERE bucket = 'mail-invited:' || NEW.sender_id || ':' || NEW.email_hash AND ends_at > NEW.due_at AND tries >= 3),
            'often', NULL),
          iif(NOT EXISTS (SELECT 1 FROM mail_contacts WHERE sender_id = NEW.sender_id AND email_hash = NEW.email_hash)
            AND EXISTS (SELECT 1 FROM throttles
              WHERE bucket = 'mail-new:' || NEW.sender_id AND ends_at > NEW.due_at AND tries >= iif(
                NEW.due_at < (SELECT created_at FROM accounts WHERE id = NEW.sender_id) + 604800000, 30, 100)),
            'new', NULL)))))) AS why))
  WHERE NEW.mail_state = 'asked' AND id = NEW.id;
  -- What goes out is counted.
  INSERT INTO throttles (bucket, tries, ends_at)
    SELECT bucket, 1, NEW.due_at + iif(bucket GLOB 'mail-guests:*', 3600000, 86400000) FROM (
      SELECT 'mail:' || NEW.email_hash AS bucket
      UNION ALL SELECT 'mail-guests:' || coalesce(substr(NEW.booking_id, 1, length(NEW.booking_id) - 25),
          (SELECT provider_id FROM parties WHERE id = NEW.party_id), NEW.actor_id)
        WHERE NEW.kind IN ('booked', 'wish', 'answered') AND NEW.sender_id IS NULL
      UNION ALL SELECT 'mail-question:' || NEW.email_hash WHERE NEW.kind = 'confirm-email'
      UNION ALL SELECT 'mail-invited:' || NEW.sender_id || ':' || NEW.email_hash WHERE NEW.kind = 'invited'
      UNION ALL SELECT 'mail-new:' || NEW.sender_id WHERE NOT EXISTS (
        SELECT 1 FROM mail_contacts WHERE sender_id = NEW.sender_id AND email_hash = NEW.email_hash))
    WHERE NEW.mail_state = 'asked' AND bucket IS NOT NULL AND EXISTS (SELECT 1 FROM messages WHERE id = NEW.id AND mail_state = 'due')
    ON CONFLICT (bucket) DO UPDATE SET tries = iif(ends_at <= NEW.due_at, 1, tries + 1),
      ends_at = iif(ends_at <= NEW.due_at, excluded.ends_at, ends_at);
  INSERT INTO mail_contacts (sender_id, email_hash, first_at)
    SELECT sender_id, email_hash, due_at FROM messages WHERE NEW.mail_state = 'asked' AND id = NEW.id AND mail_state = 'due' AND sender_id IS NOT NULL
    ON CONFLICT DO NOTHING;
  UPDATE invitations SET held_mail = (SELECT id FROM messages WHERE id = NEW.id AND mail_state = 'held')
  WHERE NEW.mail_state = 'asked' AND id = NEW.invitation_id
    AND held_mail IS NOT (SELECT id FROM messages WHERE id = NEW.id AND mail_state = 'held');
  INSERT INTO messages (id, account_id, kind, booking_id, party_id, actor_id, data, created_at)
    SELECT 'undelivered:' || id, sender_id, 'undelivered', booking_id, party_id, account_id, json_object('held', reason), created_at
    FROM messages WHERE NEW.mail_state = 'asked' AND id = NEW.id AND mail_state = 'held' AND sender_id IS NOT NULL AND invitation_id IS NULL
    ON CONFLICT DO NOTHING;
  INSERT INTO messages (id, account_id, kind, booking_id, party_id, actor_id, data, created_at)
    SELECT 'undelivered:' || NEW.id, accounts.id, 'undelivered', NEW.booking_id, NEW.party_id,
      iif(NEW.invitation_id IS NULL, NEW.account_id, NULL),
      iif(NEW.invitation_id IS NULL, '{}',
        json_object('name', (SELECT name FROM invitations WHERE id = NEW.invitation_id))),
      NEW.due_at
    FROM accounts
    WHERE NEW.mail_state = 'dead'
      AND accounts.id = iif(NEW.invitation_id IS NULL, NEW.actor_id, NEW.account_id) AND accounts.role = 'Provider'
      AND (NEW.invitation_id IS NOT NULL OR NEW.actor_id <> NEW.account_id)
    ON CONFLICT DO NOTHING;
END;
