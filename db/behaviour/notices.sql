-- A procedure, and the one door by which triggers tell somebody of something. `once` says what it is about, and whom it tells where
-- several are told of that: nobody is told twice, but of how many RSVPs there are, and of which dates. The reader is an account, or
-- without one the name of a meetup in an invitation. What readers did themselves (is_own), and what goes to names, is no news: it is
-- written only if it can go by mail. An address that comes with a notice is for this one thing, and goes before the account's.
CREATE VIEW notices AS
  SELECT kind, id AS once, account_id, invitation_id, booking_id, party_id, actor_id, data, created_at AS at, is_read AS is_own, email, email_hash
  FROM messages;

CREATE TRIGGER notices_become_messages INSTEAD OF INSERT ON notices
WHEN NEW.email IS NOT NULL OR NEW.account_id IS NOT NULL AND (
  NEW.is_own IS NOT 1 OR EXISTS (SELECT 1 FROM accounts WHERE id = NEW.account_id AND email IS NOT NULL))
BEGIN
  INSERT INTO messages (id, account_id, kind, booking_id, party_id, invitation_id, actor_id, data, created_at, is_read, email, email_hash)
    VALUES (NEW.kind || ':' || NEW.once,
      -- The message to a name is its host's, who doesn't see it.
      coalesce(NEW.account_id, (SELECT provider_id FROM parties WHERE id = NEW.party_id)),
      NEW.kind, NEW.booking_id, NEW.party_id, iif(NEW.account_id IS NULL, NEW.invitation_id, NULL), NEW.actor_id,
      json_patch('{}', ifnull(NEW.data, '{}')), NEW.at, iif(NEW.account_id IS NULL, 2, NEW.is_own IS 1), NEW.email, NEW.email_hash)
    ON CONFLICT (id) DO UPDATE SET is_read = 0,
      data = iif(kind = 'rsvps', json_set(data, '$.count', (data ->> 'count') + 1), json_insert(data, '$.dates[#]', excluded.data -> '$.dates[0]'))
    WHERE kind = 'rsvps' OR kind = 'missed';
END;
