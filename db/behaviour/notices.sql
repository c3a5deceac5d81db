-- A procedure, and the one door by which anybody is told of something: a message and its mail are one row. Nobody reads this view; it is
-- inserted into, so only the names of its columns count. Who reads a notice, by what it has:
--   account_id                      that account, as news and by mail
--   account_id, email, email_hash   that account, with the mail to the address of this booking or RSVP alone
--   account_id, email               that account, with the mail to an address that is its own or was
--   invitation_id                   the name of a meetup, by mail alone
--   email, and no party             somebody whom the actor invites into a shop, by mail alone
-- `once` says what it is about, and whom it tells where several are told of that. A second notice with the same is none, except that
-- RSVPs are counted and missed dates are listed in the first. What readers did themselves is for its mail alone (is_for_mail): it
-- begins as read, and without an address there is no row. Any other notice begins as unread, unless its is_read says otherwise: a wish
-- is in the news without an address too, and the mail with a lost link is no news.
CREATE VIEW notices AS
  SELECT kind, id AS once, account_id, invitation_id, booking_id, party_id, actor_id, data, created_at AS at, is_read AS is_for_mail, is_read,
    email, email_hash
  FROM messages;

-- The mail goes to the address of the notice, else to the reader's own. The host typed the address of a meetup's name, unless whoever has
-- the link did. Who is mailed, and what is withheld, says app/domain/messages/mail-policy.server.ts. A LIMIT has SQLite find each fact
-- once, where it would otherwise write it out at each place that asks for it.
CREATE TRIGGER notices_become_messages INSTEAD OF INSERT ON notices
WHEN NEW.email IS NOT NULL OR NEW.account_id IS NOT NULL AND (
  NEW.is_for_mail IS NOT 1 OR EXISTS (SELECT 1 FROM accounts WHERE id = NEW.account_id AND email IS NOT NULL))
BEGIN
  INSERT INTO messages (id, account_id, kind, booking_id, party_id, invitation_id, actor_id, data, created_at, is_read,
      email, email_hash, sender_id, is_limited, mail_state, reason, due_at)
    SELECT NEW.kind || ':' || NEW.once, account_id, kind, booking_id, party_id, iif(is_to_name, NEW.invitation_id, NULL), actor_id,
      json_patch('{}', ifnull(NEW.data, '{}')), NEW.at, iif(is_to_name, [[readState.noNews]], coalesce(NEW.is_read, NEW.is_for_mail IS 1)),
      iif(is_mailed, email, NULL), iif(is_mailed, email_hash, NULL), iif(is_mailed, sender_id, NULL), is_mailed AND is_limited,
      iif(is_mailed, [[stateOf(why)]], NULL), why, iif(is_mailed, [[dueAt(why, mail)]], NULL)
    FROM (
      SELECT *, iif(is_mailed AND is_limited, [[whyWithheld(mail)]], NULL) AS why FROM (
        -- The message to a name is its host's, who doesn't see it.
        SELECT accounts.id AS account_id, NEW.account_id IS NULL AS is_to_name,
          NEW.kind AS kind, NEW.booking_id AS booking_id, NEW.party_id AS party_id, NEW.actor_id AS actor_id,
          coalesce(NEW.email, accounts.email) AS email,
          coalesce(NEW.email_hash, iif(NEW.account_id IS NULL, lower(NEW.email), [[hashOf(accounts)]])) AS email_hash,
          coalesce(iif(names.email_is_own = 0 OR NEW.account_id IS NULL AND NEW.party_id IS NULL, accounts.id, NULL),
            iif(NEW.account_id IS NOT NULL AND NEW.email_hash IS NULL, accounts.email_by, NULL)) AS sender_id,
          NEW.account_id IS NULL OR NEW.email IS NOT NULL AND NEW.email_hash IS NULL AND accounts.email IS NOT NULL
            OR [[isMailed(NEW.kind, NEW.email_hash IS NOT NULL, accounts)]] AS is_mailed,
          NEW.account_id IS NULL OR NOT [[isConfirmed(NEW.email_hash IS NOT NULL, accounts)]] AS is_limited,
          NEW.at + [[gatheringTime(NEW.kind)]] AS due_at
        FROM accounts LEFT JOIN invitations AS names ON names.id = NEW.invitation_id AND NEW.account_id IS NULL
        WHERE accounts.id = coalesce(NEW.account_id, iif(NEW.party_id IS NULL, NEW.actor_id, (SELECT provider_id FROM parties WHERE id = NEW.party_id)))
        LIMIT 1) AS mail
      LIMIT 1) AS mail
    WHERE true
    ON CONFLICT (id) DO UPDATE SET is_read = [[readState.unread]],
      data = iif(kind = 'rsvps', json_set(data, '$.count', (data ->> 'count') + (excluded.data ->> 'count')), json_insert(data, '$.dates[#]', excluded.data -> '$.dates[0]'))
    WHERE kind = 'rsvps' OR kind = 'missed';
END;
