-- Lists name the client of each booking: with its name, they read no account for each.
ALTER TABLE bookings ADD COLUMN booker_name TEXT NOT NULL DEFAULT '';
UPDATE bookings SET booker_name = (SELECT display_name FROM accounts WHERE accounts.id = booker_id);

----------------------------------------------------------------------------------------------------------------------
-- Triggers and views: `npm run structure` writes them here from db/behaviour.

DROP TRIGGER bookings_are_told;

DROP TRIGGER bookings_stay_what_they_are;

DROP TRIGGER taken_holds_are_told;

DROP TRIGGER bookings_give_their_time_back;

DROP TRIGGER cancellations_are_told;

DROP TRIGGER moves_are_told;

DROP TRIGGER bookings_hold_no_more;

DROP TRIGGER cards_follow_their_bookings;

DROP TRIGGER own_rsvps_are_told;

DROP TRIGGER changed_own_rsvps_are_told;

DROP TRIGGER invitations_are_sent;

DROP TRIGGER invitations_are_sent_again;

DROP TRIGGER mail_keeps_its_limits;

DROP TRIGGER mail_that_goes_out_is_counted;

DROP TRIGGER notices_become_messages;

DROP TRIGGER parties_tell_of_changes;

DROP TRIGGER parties_tell_that_they_are_called_off;

DROP TRIGGER slots_begin_open;

DROP TRIGGER slots_begin_free;

DROP TRIGGER standing_dates_are_booked;

DROP TRIGGER offers_are_held;

DROP TRIGGER offers_are_told;

DROP VIEW notices;

DROP VIEW standing_slots;

DROP VIEW fits;

CREATE TRIGGER bookings_show_the_new_name AFTER UPDATE OF display_name ON accounts WHEN NEW.display_name <> OLD.display_name BEGIN
  UPDATE bookings SET booker_name = NEW.display_name WHERE booker_id = NEW.id;
END;

CREATE TRIGGER bookings_name_their_client AFTER INSERT ON bookings WHEN NEW.booker_name = '' BEGIN
  UPDATE bookings SET booker_name = ifnull((SELECT display_name FROM accounts WHERE accounts.id = NEW.booker_id), '')
    WHERE provider_id = NEW.provider_id AND starts_at = NEW.starts_at AND id = NEW.id;
END;

CREATE TRIGGER bookings_name_their_new_client AFTER UPDATE OF booker_id ON bookings
WHEN NEW.booker_id <> OLD.booker_id AND NEW.booker_name = OLD.booker_name BEGIN
  UPDATE bookings SET booker_name = ifnull((SELECT display_name FROM accounts WHERE accounts.id = NEW.booker_id), '')
    WHERE provider_id = NEW.provider_id AND starts_at = NEW.starts_at AND id = NEW.id;
END;

CREATE TRIGGER bookings_are_told AFTER INSERT ON bookings WHEN NEW.status = 1 AND NEW.moved_from IS NULL BEGIN
  INSERT INTO notices (kind, once, account_id, booking_id, actor_id, data, at)
    SELECT 'booked', coalesce(NEW.told_with, NEW.id) || ':' || NEW.provider_id, NEW.provider_id, NEW.id,
      coalesce(NEW.acted_by, NEW.booker_id), json_object('with', NEW.told_with, 'isActed', iif(NEW.acted_by IS NULL, NULL, 1)), NEW.booked_at
    WHERE NOT (NEW.code_hash IS NOT NULL) OR NEW.acted_by IS NOT NULL;
  INSERT INTO notices (kind, once, account_id, booking_id, data, at, is_for_mail, email, email_hash)
    VALUES ('booked', coalesce(NEW.told_with, NEW.id) || ':' || NEW.booker_id, NEW.booker_id, NEW.id,
      json_object('with', NEW.told_with), NEW.booked_at,
      NOT (NEW.code_hash IS NOT NULL) OR (SELECT username IS NULL FROM accounts WHERE id = NEW.booker_id), NEW.email, NEW.email_hash);
  INSERT INTO program_news (kind, provider_id, booking_id, at) VALUES ('booked', NEW.provider_id, NEW.id, NEW.booked_at);
END;

CREATE TRIGGER bookings_keep_their_time
BEFORE UPDATE OF provider_id, starts_at, id, ends_at, taken_until, local_date, time_zone, people ON bookings BEGIN
  SELECT RAISE(ABORT, 'booking_keeps_its_time') WHERE NEW.provider_id <> OLD.provider_id OR NEW.starts_at <> OLD.starts_at
    OR NEW.id <> OLD.id OR NEW.ends_at <> OLD.ends_at OR NEW.taken_until <> OLD.taken_until OR NEW.local_date <> OLD.local_date
    OR NEW.time_zone <> OLD.time_zone OR NEW.people <> OLD.people;
END;

CREATE TRIGGER bookings_live_once BEFORE UPDATE OF status, canceled_at ON bookings BEGIN
  SELECT RAISE(ABORT, 'booking_lives_once') WHERE NEW.status < OLD.status OR OLD.status = 2 AND NEW.canceled_at IS NOT OLD.canceled_at;
END;

CREATE TRIGGER bookings_keep_their_chain BEFORE UPDATE OF moved_from, moved_by, moved_to, calendar_id ON bookings BEGIN
  SELECT RAISE(ABORT, 'booking_keeps_its_chain')
    WHERE OLD.status > 0 AND (NEW.moved_from IS NOT OLD.moved_from OR NEW.moved_by IS NOT OLD.moved_by OR NEW.calendar_id IS NOT OLD.calendar_id);
  SELECT RAISE(ABORT, 'booking_moved') WHERE NEW.moved_to IS NOT OLD.moved_to AND (
    OLD.status <> 1 OR NEW.status <> 2 OR NOT EXISTS (
      SELECT 1 FROM bookings WHERE provider_id = substr(NEW.moved_to, 1, length(NEW.moved_to) - 25) AND starts_at = CAST(substr(NEW.moved_to, -25, 13) AS INTEGER)
        AND id = NEW.moved_to AND moved_from = NEW.id));
END;

CREATE TRIGGER bookings_keep_their_booker BEFORE UPDATE OF booker_id ON bookings BEGIN
  SELECT RAISE(ABORT, 'booking_keeps_its_booker')
    WHERE NEW.booker_id <> OLD.booker_id AND (SELECT username FROM accounts WHERE id = OLD.booker_id) IS NOT NULL;
END;

CREATE TRIGGER bookings_know_who_came BEFORE UPDATE OF attendance ON bookings BEGIN
  SELECT RAISE(ABORT, 'unknown_attendance')
    WHERE NEW.attendance <> 'seen' AND NEW.attendance <> 'excused' AND NEW.attendance <> 'missed';
END;

CREATE TRIGGER taken_holds_are_told AFTER UPDATE OF status ON bookings
WHEN OLD.status = 0 AND NEW.status = 1 AND NEW.moved_from IS NULL BEGIN
  INSERT INTO notices (kind, once, account_id, booking_id, actor_id, data, at)
    SELECT 'booked', id || ':' || provider_id, provider_id, id, NEW.booker_id, json_object('filled', filled, 'after', after), NEW.booked_at
    FROM filled_times WHERE provider_id = NEW.provider_id AND starts_at = NEW.starts_at AND id = NEW.id;
  INSERT INTO notices (kind, once, account_id, booking_id, at, is_for_mail)
    VALUES ('booked', NEW.id || ':' || NEW.booker_id, NEW.booker_id, NEW.id, NEW.booked_at, 1);
  INSERT INTO program_news (kind, provider_id, booking_id, at) VALUES ('booked', NEW.provider_id, NEW.id, NEW.booked_at);
END;

CREATE VIEW ended_times AS SELECT provider_id, starts_at, taken_until, slot_id, people, withdraws, status FROM bookings;

CREATE TRIGGER ended_times_are_given_back INSTEAD OF INSERT ON ended_times BEGIN
  UPDATE slots SET taken = taken - NEW.people
    WHERE provider_id = NEW.provider_id AND starts_at = NEW.starts_at AND id IS NEW.slot_id AND state = 0;
  UPDATE slots SET taken = taken - NEW.people, part_of = NULL,
      state = iif(seats = 1 AND (NEW.withdraws OR withdrawn_at IS NOT NULL), 2, 0),
      id = iif(seats = 1 AND (NEW.status = 2 OR withdrawn_at IS NULL), (provider_id || printf('%013d', starts_at) || lower(hex(randomblob(6)))), id),
      city = ifnull((SELECT city FROM accounts WHERE accounts.id = provider_id), city)
    WHERE provider_id = NEW.provider_id AND starts_at >= NEW.starts_at AND starts_at < NEW.taken_until
      AND state = 1 AND part_of = NEW.starts_at;
END;

CREATE TRIGGER bookings_give_their_time_back AFTER UPDATE OF status ON bookings WHEN OLD.status < 2 AND NEW.status = 2 BEGIN
  INSERT INTO ended_times (provider_id, starts_at, taken_until, slot_id, people, withdraws, status)
    VALUES (NEW.provider_id, NEW.starts_at, NEW.taken_until, NEW.slot_id, NEW.people, NEW.withdraws, NEW.status);
  INSERT INTO roomier_days (provider_id, local_date, starts_at) VALUES (NEW.provider_id, NEW.local_date, NEW.starts_at);
  INSERT INTO freed_times (provider_id, starts_at, taken_until, canceled_at)
    SELECT NEW.provider_id, NEW.starts_at, NEW.taken_until, NEW.canceled_at
    WHERE substr(NEW.moved_to, 1, length(NEW.moved_to) - 25) IS NOT NEW.provider_id;
  INSERT INTO ended_bookings (provider_id, id, starts_at, moved_to, canceled_at)
    VALUES (NEW.provider_id, NEW.id, NEW.starts_at,
      iif(substr(NEW.moved_to, 1, length(NEW.moved_to) - 25) = NEW.provider_id, NEW.moved_to, NULL), NEW.canceled_at);
  INSERT INTO freed_times (provider_id, starts_at, taken_until, moved_to, canceled_at)
    SELECT NEW.provider_id, NEW.starts_at, NEW.taken_until, NEW.moved_to, NEW.canceled_at
    WHERE substr(NEW.moved_to, 1, length(NEW.moved_to) - 25) = NEW.provider_id;
END;

CREATE TRIGGER cancellations_are_told AFTER UPDATE OF status ON bookings
WHEN OLD.status = 1 AND NEW.status = 2 AND NEW.moved_to IS NULL BEGIN
  INSERT INTO notices (kind, once, account_id, booking_id, actor_id, data, at)
    SELECT 'canceled', coalesce(NEW.told_with, NEW.id) || ':' || NEW.provider_id, NEW.provider_id, NEW.id,
      coalesce(NEW.acted_by, NEW.booker_id),
      json_object('reason', NEW.reason, 'with', NEW.told_with, 'isActed', iif(NEW.acted_by IS NULL, NULL, 1)), NEW.canceled_at
    WHERE NEW.canceled_by = 'consumer' OR NEW.acted_by IS NOT NULL;
  INSERT INTO notices (kind, once, account_id, booking_id, actor_id, data, at, is_for_mail, email, email_hash)
    VALUES ('canceled', coalesce(NEW.told_with, NEW.id) || ':' || NEW.booker_id, NEW.booker_id, NEW.id,
      iif(NEW.canceled_by = 'provider', NEW.provider_id, NULL), json_object('reason', NEW.reason, 'with', NEW.told_with), NEW.canceled_at,
      NEW.canceled_by = 'consumer', NEW.email, NEW.email_hash);
  INSERT INTO program_news (kind, provider_id, booking_id, at) VALUES ('canceled', NEW.provider_id, NEW.id, NEW.canceled_at);
END;

CREATE TRIGGER moves_are_told AFTER UPDATE OF status ON bookings
WHEN OLD.status = 1 AND NEW.status = 2 AND NEW.moved_to IS NOT NULL BEGIN
  INSERT INTO notices (kind, once, account_id, booking_id, actor_id, data, at)
    SELECT 'moved', NEW.moved_to || ':' || NEW.provider_id, NEW.provider_id, NEW.moved_to,
      coalesce(NEW.acted_by, NEW.booker_id),
      json_object('startsAt', NEW.starts_at, 'endsAt', NEW.ends_at, 'reason', NEW.reason, 'filled', filled, 'after', after,
        'isActed', iif(NEW.acted_by IS NULL, NULL, 1)), NEW.canceled_at
    FROM (SELECT 1) LEFT JOIN filled_times ON provider_id = NEW.provider_id AND starts_at = CAST(substr(NEW.moved_to, -25, 13) AS INTEGER) AND id = NEW.moved_to
    WHERE (NEW.canceled_by = 'consumer' OR NEW.acted_by IS NOT NULL) AND substr(NEW.moved_to, 1, length(NEW.moved_to) - 25) = NEW.provider_id;
  INSERT INTO notices (kind, once, account_id, booking_id, actor_id, data, at, is_for_mail, email, email_hash)
    VALUES ('moved', coalesce(NEW.told_with, NEW.moved_to) || ':' || NEW.booker_id, NEW.booker_id, NEW.moved_to,
      iif(NEW.canceled_by = 'provider', NEW.provider_id, NULL),
      json_object('startsAt', NEW.starts_at, 'endsAt', NEW.ends_at, 'reason', NEW.reason, 'with', NEW.told_with, 'from',
        iif(substr(NEW.moved_to, 1, length(NEW.moved_to) - 25) = NEW.provider_id, NULL, (SELECT display_name FROM accounts WHERE id = NEW.provider_id))), NEW.canceled_at,
      NEW.canceled_by = 'consumer', NEW.email, NEW.email_hash);
  INSERT INTO program_news (kind, provider_id, booking_id, at)
    SELECT 'moved', NEW.provider_id, NEW.moved_to, NEW.canceled_at WHERE substr(NEW.moved_to, 1, length(NEW.moved_to) - 25) = NEW.provider_id;
END;

CREATE TRIGGER bookings_hold_no_more AFTER DELETE ON bookings WHEN OLD.status = 0 BEGIN
  INSERT INTO ended_times (provider_id, starts_at, taken_until, slot_id, people, withdraws, status)
    VALUES (OLD.provider_id, OLD.starts_at, OLD.taken_until, OLD.slot_id, OLD.people, OLD.withdraws, OLD.status);
  INSERT INTO roomier_days (provider_id, local_date, starts_at) VALUES (OLD.provider_id, OLD.local_date, OLD.starts_at);
  INSERT INTO offers (provider_id, wish_id, now, free_from, free_until, is_by_hand)
    SELECT own.provider_id, own.id, ended.changed_at, iif(own.asked_by = ended.asked_by, own.from_at, OLD.starts_at - own.reach),
      iif(own.asked_by = ended.asked_by, own.until_at, OLD.taken_until), 0
    FROM wishes AS ended CROSS JOIN in_line AS own
    WHERE ended.provider_id = OLD.provider_id AND ended.id = OLD.wish_id AND own.provider_id = OLD.provider_id
      AND (own.asked_by = ended.asked_by OR own.from_at < OLD.taken_until AND own.until_at > OLD.starts_at - own.reach)
    ORDER BY own.asked_at, own.id;
END;

CREATE TRIGGER cards_follow_their_bookings AFTER UPDATE OF booker_id ON bookings WHEN NEW.booker_id <> OLD.booker_id BEGIN
  INSERT INTO people (provider_id, id, booker_id, name_sort_key)
    SELECT NEW.provider_id, NEW.person_id, id, display_sort_key FROM accounts WHERE id = NEW.booker_id
    ON CONFLICT DO NOTHING;
  INSERT INTO changed_cards (provider_id, former_id, person_id, attendance)
    SELECT NEW.provider_id, OLD.person_id, NEW.person_id, OLD.attendance WHERE NEW.person_id <> OLD.person_id;
  INSERT INTO left_cards (provider_id, id) SELECT NEW.provider_id, OLD.person_id WHERE NEW.person_id <> OLD.person_id;
END;

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

CREATE TRIGGER mail_keeps_its_limits AFTER UPDATE OF mail_state ON messages WHEN NEW.mail_state = 'asked' BEGIN
  UPDATE messages SET (mail_state, reason, due_at) = (
    SELECT iif(why IS NULL, 'due', iif(why = 'guests', 'waiting', iif(true, 'withheld', NULL))), why, iif(why IS NULL, NEW.due_at, iif(why = 'questions', (SELECT ends_at FROM throttles WHERE bucket = iif(NEW.kind IN ('confirm-email'), 'mail-question:' || NEW.email_hash, NULL)), iif(why = 'full', (SELECT ends_at FROM throttles WHERE bucket = 'mail:' || NEW.email_hash), iif(why = 'guests', NEW.due_at + 3600000, iif(why = 'often', NEW.due_at + 86400000, iif(why = 'new', NEW.due_at + 86400000, NULL)))))) FROM (SELECT (SELECT iif(NOT NEW.kind IN ('confirm-email') AND EXISTS (SELECT 1 FROM refused_addresses WHERE email_hash = NEW.email_hash), 'refused', iif(contact = 'ended', 'ended', iif(EXISTS (SELECT 1 FROM lifted_limits WHERE name = 'mail'), NULL, iif(EXISTS (SELECT 1 FROM throttles WHERE bucket = iif(NEW.kind IN ('confirm-email'), 'mail-question:' || NEW.email_hash, NULL) AND ends_at > NEW.due_at AND tries >= 3), 'questions', iif(EXISTS (SELECT 1 FROM throttles WHERE bucket = 'mail:' || NEW.email_hash AND ends_at > NEW.due_at AND tries >= 10), 'full', iif(EXISTS (SELECT 1 FROM throttles WHERE bucket = iif(NEW.sender_id IS NULL AND NEW.kind IN ('booked', 'answered', 'wish'), 'mail-guests:' || coalesce(substr(NEW.booking_id, 1, length(NEW.booking_id) - 25), (SELECT provider_id FROM parties WHERE id = NEW.party_id), NEW.actor_id), NULL) AND ends_at > NEW.due_at AND tries >= 100), 'guests', iif(NEW.sender_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM accounts WHERE id = NEW.sender_id AND email_confirmed_at IS NOT NULL), 'sender', iif(EXISTS (SELECT 1 FROM throttles WHERE bucket = iif(NEW.kind IN ('invited', 'join-shop'), 'mail-invited:' || NEW.sender_id || ':' || NEW.email_hash, NULL) AND ends_at > NEW.due_at AND tries >= 3), 'often', iif(EXISTS (SELECT 1 FROM throttles WHERE bucket = iif(contact = 'new', 'mail-new:' || NEW.sender_id, NULL) AND ends_at > NEW.due_at AND tries >= iif(NEW.due_at < (SELECT created_at FROM accounts WHERE id = NEW.sender_id) + 604800000, 30, 100)), 'new', NULL))))))))) FROM (SELECT iif(NEW.sender_id IS NULL, NULL, ifnull(( SELECT iif(ended_at IS NULL, 'known', 'ended') FROM mail_contacts WHERE sender_id = NEW.sender_id AND email_hash = NEW.email_hash), 'new')) AS contact)) AS why))
  WHERE id = NEW.id;
  INSERT INTO judged_mail SELECT * FROM messages WHERE id = NEW.id;
END;

CREATE TRIGGER mail_that_goes_out_is_counted INSTEAD OF INSERT ON judged_mail WHEN NEW.mail_state = 'due' BEGIN
  INSERT INTO throttles (bucket, tries, ends_at)
    SELECT bucket, 1, NEW.due_at + span FROM (SELECT iif(NEW.kind IN ('confirm-email'), 'mail-question:' || NEW.email_hash, NULL) AS bucket, 86400000 AS span UNION ALL SELECT 'mail:' || NEW.email_hash AS bucket, 86400000 AS span UNION ALL SELECT iif(NEW.sender_id IS NULL AND NEW.kind IN ('booked', 'answered', 'wish'), 'mail-guests:' || coalesce(substr(NEW.booking_id, 1, length(NEW.booking_id) - 25), (SELECT provider_id FROM parties WHERE id = NEW.party_id), NEW.actor_id), NULL) AS bucket, 3600000 AS span UNION ALL SELECT iif(NEW.kind IN ('invited', 'join-shop'), 'mail-invited:' || NEW.sender_id || ':' || NEW.email_hash, NULL) AS bucket, 86400000 AS span UNION ALL SELECT iif(iif(NEW.sender_id IS NULL, NULL, ifnull(( SELECT iif(ended_at IS NULL, 'known', 'ended') FROM mail_contacts WHERE sender_id = NEW.sender_id AND email_hash = NEW.email_hash), 'new')) = 'new', 'mail-new:' || NEW.sender_id, NULL) AS bucket, 86400000 AS span) WHERE bucket IS NOT NULL
    ON CONFLICT (bucket) DO UPDATE SET tries = iif(ends_at <= NEW.due_at, 1, tries + 1),
      ends_at = iif(ends_at <= NEW.due_at, excluded.ends_at, ends_at);
  INSERT INTO mail_contacts (sender_id, email_hash, first_at)
    SELECT NEW.sender_id, NEW.email_hash, NEW.due_at WHERE NEW.sender_id IS NOT NULL
    ON CONFLICT DO NOTHING;
END;

CREATE VIEW notices AS
  SELECT kind, id AS once, account_id, invitation_id, booking_id, party_id, actor_id, data, created_at AS at, is_read AS is_for_mail, is_read,
    email, email_hash
  FROM messages;

CREATE TRIGGER notices_become_messages INSTEAD OF INSERT ON notices
WHEN NEW.email IS NOT NULL OR NEW.account_id IS NOT NULL AND (
  NEW.is_for_mail IS NOT 1 OR EXISTS (SELECT 1 FROM accounts WHERE id = NEW.account_id AND email IS NOT NULL))
BEGIN
  INSERT INTO messages (id, account_id, kind, booking_id, party_id, invitation_id, actor_id, data, created_at, is_read,
      email, email_hash, sender_id, is_limited, mail_state, reason, due_at)
    SELECT NEW.kind || ':' || NEW.once, account_id, kind, booking_id, party_id, iif(is_to_name, NEW.invitation_id, NULL), actor_id,
      json_patch('{}', ifnull(NEW.data, '{}')), NEW.at, iif(is_to_name, 2, coalesce(NEW.is_read, NEW.is_for_mail IS 1)),
      iif(is_mailed, email, NULL), iif(is_mailed, email_hash, NULL), iif(is_mailed, sender_id, NULL), is_mailed AND is_limited,
      iif(is_mailed, iif(why IS NULL, 'due', iif(why = 'guests', 'waiting', iif(true, 'withheld', NULL))), NULL), why, iif(is_mailed, iif(why IS NULL, mail.due_at, iif(why = 'questions', (SELECT ends_at FROM throttles WHERE bucket = iif(mail.kind IN ('confirm-email'), 'mail-question:' || mail.email_hash, NULL)), iif(why = 'full', (SELECT ends_at FROM throttles WHERE bucket = 'mail:' || mail.email_hash), iif(why = 'guests', mail.due_at + 3600000, iif(why = 'often', mail.due_at + 86400000, iif(why = 'new', mail.due_at + 86400000, NULL)))))), NULL)
    FROM (
      SELECT *, iif(is_mailed AND is_limited, (SELECT iif(NOT mail.kind IN ('confirm-email') AND EXISTS (SELECT 1 FROM refused_addresses WHERE email_hash = mail.email_hash), 'refused', iif(contact = 'ended', 'ended', iif(EXISTS (SELECT 1 FROM lifted_limits WHERE name = 'mail'), NULL, iif(EXISTS (SELECT 1 FROM throttles WHERE bucket = iif(mail.kind IN ('confirm-email'), 'mail-question:' || mail.email_hash, NULL) AND ends_at > mail.due_at AND tries >= 3), 'questions', iif(EXISTS (SELECT 1 FROM throttles WHERE bucket = 'mail:' || mail.email_hash AND ends_at > mail.due_at AND tries >= 10), 'full', iif(EXISTS (SELECT 1 FROM throttles WHERE bucket = iif(mail.sender_id IS NULL AND mail.kind IN ('booked', 'answered', 'wish'), 'mail-guests:' || coalesce(substr(mail.booking_id, 1, length(mail.booking_id) - 25), (SELECT provider_id FROM parties WHERE id = mail.party_id), mail.actor_id), NULL) AND ends_at > mail.due_at AND tries >= 100), 'guests', iif(mail.sender_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM accounts WHERE id = mail.sender_id AND email_confirmed_at IS NOT NULL), 'sender', iif(EXISTS (SELECT 1 FROM throttles WHERE bucket = iif(mail.kind IN ('invited', 'join-shop'), 'mail-invited:' || mail.sender_id || ':' || mail.email_hash, NULL) AND ends_at > mail.due_at AND tries >= 3), 'often', iif(EXISTS (SELECT 1 FROM throttles WHERE bucket = iif(contact = 'new', 'mail-new:' || mail.sender_id, NULL) AND ends_at > mail.due_at AND tries >= iif(mail.due_at < (SELECT created_at FROM accounts WHERE id = mail.sender_id) + 604800000, 30, 100)), 'new', NULL))))))))) FROM (SELECT iif(mail.sender_id IS NULL, NULL, ifnull(( SELECT iif(ended_at IS NULL, 'known', 'ended') FROM mail_contacts WHERE sender_id = mail.sender_id AND email_hash = mail.email_hash), 'new')) AS contact)), NULL) AS why FROM (
        
        SELECT accounts.id AS account_id, NEW.account_id IS NULL AS is_to_name,
          NEW.kind AS kind, NEW.booking_id AS booking_id, NEW.party_id AS party_id, NEW.actor_id AS actor_id,
          coalesce(NEW.email, accounts.email) AS email,
          coalesce(NEW.email_hash, iif(NEW.account_id IS NULL, lower(NEW.email), coalesce(accounts.email_hash, lower(accounts.email)))) AS email_hash,
          coalesce(iif(names.email_is_own = 0 OR NEW.account_id IS NULL AND NEW.party_id IS NULL, accounts.id, NULL),
            iif(NEW.account_id IS NOT NULL AND NEW.email_hash IS NULL, accounts.email_by, NULL)) AS sender_id,
          NEW.account_id IS NULL OR NEW.email IS NOT NULL AND NEW.email_hash IS NULL AND accounts.email IS NOT NULL
            OR (instr(accounts.mail_off, '"' || NEW.kind || '"') = 0 AND (NEW.email_hash IS NOT NULL OR accounts.email IS NOT NULL AND (accounts.email_confirmed_at IS NOT NULL OR accounts.role = 'Consumer' AND NEW.kind IN ('booked', 'moved', 'canceled', 'answered', 'changed', 'called-off', 'reminder', 'wish', 'offer')))) AS is_mailed,
          NEW.account_id IS NULL OR NOT (NOT (NEW.email_hash IS NOT NULL) AND accounts.email_confirmed_at IS NOT NULL) AS is_limited,
          NEW.at + iif(NEW.kind = 'rsvps', 3600000, 0) AS due_at
        FROM accounts LEFT JOIN invitations AS names ON names.id = NEW.invitation_id AND NEW.account_id IS NULL
        WHERE accounts.id = coalesce(NEW.account_id, iif(NEW.party_id IS NULL, NEW.actor_id, (SELECT provider_id FROM parties WHERE id = NEW.party_id)))
        LIMIT 1) AS mail
      LIMIT 1) AS mail
    WHERE true
    ON CONFLICT (id) DO UPDATE SET is_read = 0,
      data = iif(kind = 'rsvps', json_set(data, '$.count', (data ->> 'count') + (excluded.data ->> 'count')), json_insert(data, '$.dates[#]', excluded.data -> '$.dates[0]'))
    WHERE kind = 'rsvps' OR kind = 'missed';
END;

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
    FROM invitations WHERE party_id = NEW.id AND accepted IS NOT 0 AND (account_id IS NOT NULL OR NEW.kind = 'meetup' AND email IS NOT NULL AND mail_ended_at IS NULL);
END;

CREATE TRIGGER parties_tell_that_they_are_called_off AFTER UPDATE OF deleted_at ON parties
WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL BEGIN
  INSERT INTO notices (kind, once, account_id, invitation_id, party_id, actor_id, email, email_hash, at)
    SELECT 'called-off', iif(account_id IS NULL, id, NEW.id || ':' || account_id), account_id, id, NEW.id, NEW.provider_id, email, email_hash,
      NEW.deleted_at
    FROM invitations WHERE party_id = NEW.id AND accepted IS NOT 0 AND (account_id IS NOT NULL OR NEW.kind = 'meetup' AND email IS NOT NULL AND mail_ended_at IS NULL);
END;

CREATE VIEW changed_cards AS SELECT provider_id, person_id AS former_id, person_id, attendance FROM bookings;

CREATE TRIGGER cards_take_over INSTEAD OF INSERT ON changed_cards BEGIN
  UPDATE people SET seen = seen + (NEW.attendance IS 'seen'), excused = excused + (NEW.attendance IS 'excused'),
    missed = missed + (NEW.attendance IS 'missed'),
    (phone, phone_digits, note) = (
      SELECT coalesce(people.phone, former.phone), coalesce(people.phone_digits, former.phone_digits),
        coalesce(people.note || char(10) || former.note, people.note, former.note)
      FROM (SELECT 1) LEFT JOIN people AS former ON former.provider_id = NEW.provider_id AND former.id = NEW.former_id)
  WHERE provider_id = NEW.provider_id AND id = NEW.person_id;
  UPDATE people SET seen = seen - (NEW.attendance IS 'seen'), excused = excused - (NEW.attendance IS 'excused'),
    missed = missed - (NEW.attendance IS 'missed'), note = NULL
  WHERE provider_id = NEW.provider_id AND id = NEW.former_id;
END;

CREATE VIEW left_cards AS SELECT provider_id, id FROM people;

CREATE TRIGGER left_cards_go INSTEAD OF INSERT ON left_cards BEGIN
  DELETE FROM people WHERE provider_id = NEW.provider_id AND id = NEW.id
    AND NOT EXISTS (SELECT 1 FROM bookings_on_cards WHERE provider_id = NEW.provider_id AND card_id = NEW.id)
    AND NOT EXISTS (SELECT 1 FROM standing_times AS standing WHERE standing.provider_id = NEW.provider_id AND standing.person_id = NEW.id);
  DELETE FROM person_aliases WHERE provider_id = NEW.provider_id AND person_id = NEW.id
    AND NOT EXISTS (SELECT 1 FROM people WHERE provider_id = NEW.provider_id AND id = NEW.id);
END;

CREATE TRIGGER slots_begin_open BEFORE INSERT ON slots BEGIN
  SELECT RAISE(ABORT, 'slot_begins_open') WHERE NEW.state <> 0 OR NEW.taken <> 0
    OR NEW.withdrawn_at IS NOT NULL AND NEW.made_by <> 2;
  SELECT RAISE(ABORT, 'slot_lasts_a_day_at_most') WHERE NEW.ends_at - NEW.starts_at > 86400000;
END;

CREATE TRIGGER slots_begin_free BEFORE INSERT ON slots BEGIN
  SELECT RAISE(IGNORE) WHERE EXISTS (
    SELECT 1 FROM slots WHERE (provider_id = NEW.provider_id AND starts_at < NEW.ends_at AND ends_at > NEW.starts_at AND starts_at >= coalesce((SELECT max(earlier.starts_at) FROM slots AS earlier WHERE earlier.provider_id = NEW.provider_id AND earlier.starts_at <= NEW.starts_at), NEW.starts_at)) AND state < 2);
  
  SELECT RAISE(IGNORE) WHERE (
    SELECT taken_until > NEW.starts_at FROM bookings WHERE provider_id = NEW.provider_id AND status < 2
      AND starts_at BETWEEN NEW.starts_at - 100800000 AND NEW.starts_at - 1
    ORDER BY starts_at DESC LIMIT 1);
  DELETE FROM slots WHERE (provider_id = NEW.provider_id AND starts_at < NEW.ends_at AND ends_at > NEW.starts_at AND starts_at >= coalesce((SELECT max(earlier.starts_at) FROM slots AS earlier WHERE earlier.provider_id = NEW.provider_id AND earlier.starts_at <= NEW.starts_at), NEW.starts_at));
END;

CREATE VIEW standing_slots AS
  SELECT standing.id AS standing_id, standing.person_id, standing.booker_id, slots.state,
    "slots"."provider_id" AS "provider_id", "slots"."starts_at" AS "starts_at", iif(slots.seats = 1, slots.id, (slots.provider_id || printf('%013d', slots.starts_at) || lower(hex(randomblob(6))))) AS "id", iif(slots.service_id IS NULL, coalesce((slots.starts_at + service.minutes * 60000), slots.ends_at), slots.ends_at) AS "ends_at", iif(slots.service_id IS NULL, coalesce(((slots.starts_at + service.minutes * 60000) + service.gap * 60000), slots.ends_at), slots.ends_at) AS "taken_until", "slots"."local_date" AS "local_date", "slots"."time_zone" AS "time_zone", "slots"."city" AS "city", "slots"."notes" AS "notes", iif(slots.service_id IS NULL, coalesce(service.template_id, slots.template_id), slots.template_id) AS "template_id", iif(slots.seats = 1, NULL, slots.id) AS "slot_id", service.id AS "service_id", service.name AS "service_name", service.price AS "price", service.deposit AS "deposit", nullif(service.place_kind, 'here') AS "place_kind", iif(service.place_kind = 'theirs', (SELECT last.place FROM bookings AS last WHERE last.provider_id = standing.provider_id AND last.booker_id = standing.booker_id AND last.place_kind = 'theirs' ORDER BY last.starts_at DESC LIMIT 1), iif(service.place_kind = 'video', service.link, NULL)) AS "place", coalesce( iif(slots.state = 1 AND slots.seats > 1, 'full', iif(NOT slots.state = 0, 'taken', NULL)), iif(slots.is_busy = 0, NULL, 'busy'), iif(standing.service_id IS NULL, iif(slots.service_id IS NULL, NULL, iif(NOT service.is_offered, 'service', NULL)), iif(service.id IS NOT standing.service_id OR NOT service.is_offered, 'service', iif(slots.service_id IS NULL AND (slots.seats > 1 OR service.seats > 1), 'service', iif(slots.service_id IS NULL AND NOT (SELECT min(iif(run.starts_at < (slots.starts_at + service.minutes * 60000), (run.state = 0 AND run.is_busy = 0 AND run.seats = 1 AND run.service_id IS NULL OR 0) AND (run.ends_at >= (slots.starts_at + service.minutes * 60000) OR ifnull((SELECT next.starts_at - run.ends_at FROM slots AS next WHERE next.provider_id = run.provider_id AND next.starts_at >= run.ends_at ORDER BY next.starts_at LIMIT 1) <= coalesce((SELECT plan ->> 'gap' FROM hours WHERE hours.provider_id = run.provider_id) * 60000, 0), 0)), run.state = 2 OR (run.state = 0 AND run.is_busy = 0 AND run.seats = 1 AND run.service_id IS NULL OR 0))) AND max(iif(run.starts_at < (slots.starts_at + service.minutes * 60000), run.ends_at, 0)) >= (slots.starts_at + service.minutes * 60000) FROM slots AS run WHERE run.provider_id = slots.provider_id AND run.starts_at >= slots.starts_at AND run.starts_at < ((slots.starts_at + service.minutes * 60000) + service.gap * 60000)), 'length', NULL)))), iif(slots.taken + 1 > slots.seats, 'places', NULL)) AS why
  FROM standing_times AS standing CROSS JOIN slots ON slots.provider_id = standing.provider_id LEFT JOIN services AS service ON service.provider_id = slots.provider_id AND service.id = coalesce(slots.service_id, standing.service_id);

CREATE TRIGGER standing_dates_are_booked INSTEAD OF INSERT ON standing_dates
WHEN (NEW.starts_at IS NULL OR NEW.starts_at > NEW.now) AND NOT EXISTS (
  SELECT 1 FROM standing_times AS standing CROSS JOIN bookings_on_cards AS own
    ON own.provider_id = standing.provider_id AND own.card_id = standing.person_id
      AND own.status IN (0, 1, 2)
      AND own.starts_at BETWEEN unixepoch(NEW.local_date) * 1000 - 86400000 AND unixepoch(NEW.local_date) * 1000 + 2 * 86400000
  WHERE standing.provider_id = NEW.provider_id AND standing.id = NEW.standing_id AND (
    own.starts_at = NEW.starts_at AND own.status < 2
    OR own.local_date = NEW.local_date AND own.standing_id IS NOT NULL AND (own.standing_id = NEW.standing_id OR NOT EXISTS (
      SELECT 1 FROM standing_times AS other WHERE other.provider_id = own.provider_id AND other.id = own.standing_id))))
BEGIN
  INSERT INTO bookings ("provider_id", "starts_at", "id", "ends_at", "taken_until", "local_date", "time_zone", "city", "notes", "template_id", "slot_id", "service_id", "service_name", "price", "deposit", "place_kind", "place",
      status, booker_id, booker_name, person_id, series_id, standing_id, told_with, booked_at, cancel_until, link_seed, code_hash, phone, shop_id, acted_by)
    SELECT "provider_id", "starts_at", "id", "ends_at", "taken_until", "local_date", "time_zone", "city", "notes", "template_id", "slot_id", "service_id", "service_name", "price", "deposit", "place_kind", "place",
      1, booker_id, (SELECT display_name FROM accounts AS named WHERE named.id = booker_id), person_id, standing_id, standing_id, NEW.told_with, NEW.now,
      (SELECT cancel_until FROM accounts WHERE id = provider_id), lower(hex(randomblob(11))),
      
      'standing', (SELECT phone FROM people WHERE people.provider_id = had.provider_id AND people.id = person_id),
      (SELECT shop_id FROM colleagues WHERE account_id = had.provider_id), NEW.acted_by
    FROM standing_slots AS had WHERE provider_id = NEW.provider_id AND standing_id = NEW.standing_id AND starts_at = NEW.starts_at AND why IS NULL;
  INSERT INTO booked_dates (provider_id, standing_id, local_date, starts_at, now, told_with, acted_by)
    SELECT NEW.provider_id, NEW.standing_id, NEW.local_date, NEW.starts_at, NEW.now, NEW.told_with, NEW.acted_by WHERE EXISTS (
      SELECT 1 FROM bookings AS own WHERE own.provider_id = NEW.provider_id AND own.starts_at = NEW.starts_at AND own.standing_id = NEW.standing_id);
  INSERT INTO missed_dates (provider_id, standing_id, local_date, starts_at, now, told_with)
    SELECT NEW.provider_id, NEW.standing_id, NEW.local_date, NEW.starts_at, NEW.now, NEW.told_with WHERE NOT EXISTS (
      SELECT 1 FROM bookings AS own WHERE own.provider_id = NEW.provider_id AND own.starts_at = NEW.starts_at AND own.standing_id = NEW.standing_id);
END;

CREATE VIEW fits AS
  SELECT slots.wish_id, slots.wish_state, slots.asked_at, slots.asked_by, slots.account_id, slots.people, slots.phone,
    slots.instead_of, slots.reader_clock, slots.wish_ends_at, slots.id AS open_slot_id,
    "slots"."provider_id" AS "provider_id", "slots"."starts_at" AS "starts_at", iif(slots.seats = 1, slots.id, (slots.provider_id || printf('%013d', slots.starts_at) || lower(hex(randomblob(6))))) AS "id", iif(old.id IS NOT NULL, iif(slots.service_id IS old.service_id, slots.ends_at, slots.starts_at + old.ends_at - old.starts_at), iif(slots.service_id IS NULL, coalesce((slots.starts_at + service.minutes * 60000), slots.ends_at), slots.ends_at)) AS "ends_at", iif(old.id IS NOT NULL, iif(slots.service_id IS old.service_id, slots.ends_at, slots.starts_at + (old.taken_until - old.starts_at)), iif(slots.service_id IS NULL, coalesce(((slots.starts_at + service.minutes * 60000) + service.gap * 60000), slots.ends_at), slots.ends_at)) AS "taken_until", "slots"."local_date" AS "local_date", "slots"."time_zone" AS "time_zone", "slots"."city" AS "city", "slots"."notes" AS "notes", iif(slots.service_id IS NULL, coalesce(service.template_id, slots.template_id), slots.template_id) AS "template_id", iif(slots.seats = 1, NULL, slots.id) AS "slot_id", iif(old.id IS NOT NULL, old.service_id, service.id) AS "service_id", iif(old.id IS NOT NULL, old.service_name, service.name) AS "service_name", iif(old.id IS NOT NULL, old.price, service.price) AS "price", iif(old.id IS NOT NULL, old.deposit, service.deposit) AS "deposit", iif(old.id IS NOT NULL, old.place_kind, nullif(service.place_kind, 'here')) AS "place_kind", iif(old.id IS NOT NULL, old.place, NULL) AS "place",
    ruler.notice, ruler.horizon_days, ruler.per_person, ruler.cancel_until,
    min(slots.wish_ends_at - 1, (slots.starts_at - max(1, ruler.notice * 60000))) AS closes_at, slots.suits, slots.was_offered
  FROM accounts AS ruler CROSS JOIN wished_slots AS slots ON slots.provider_id = ruler.id LEFT JOIN services AS service ON service.provider_id = slots.provider_id AND service.id = coalesce(slots.service_id, slots.wished_service)
    
    LEFT JOIN bookings AS old ON old.provider_id = slots.provider_id AND old.starts_at = CAST(substr(slots.instead_of, -25, 13) AS INTEGER)
      AND old.id = slots.instead_of AND old.status = 1
  WHERE slots.state = 0 AND slots.is_busy = 0
    
    AND slots.made_by <> 2 AND slots.withdrawn_at IS NULL
    AND ruler.waitlist = 'on'
    AND (slots.instead_of IS NOT NULL OR (ruler.open_to = 'anyone' OR EXISTS (SELECT 1 FROM accounts AS booker WHERE booker.id = slots.account_id AND booker.username IS NOT NULL)))
    AND ((slots.taken > 0 AND slots.seats > 1) OR (ruler.per_day IS NULL OR NOT EXISTS ( SELECT 1 FROM full_days WHERE full_days.provider_id = ruler.id AND full_days.local_date = slots.local_date) OR (old.local_date IS slots.local_date AND old.provider_id IS ruler.id)))
    AND coalesce( iif(slots.state = 1 AND slots.seats > 1, 'full', iif(NOT slots.state = 0, 'taken', NULL)), iif(slots.is_busy = 0, NULL, 'busy'), iif(old.id IS NOT NULL, iif(slots.service_id IS old.service_id, iif(slots.service_id IS NULL OR service.is_offered OR 1, NULL, 'service'), iif(slots.service_id IS NOT NULL OR old.service_id IS NULL, 'service', iif(slots.seats > 1 OR old.people > 1 OR old.slot_id IS NOT NULL OR NOT (SELECT min(iif(run.starts_at < (slots.starts_at + old.ends_at - old.starts_at), (run.state = 0 AND run.is_busy = 0 AND run.seats = 1 AND run.service_id IS NULL OR 0) AND (run.ends_at >= (slots.starts_at + old.ends_at - old.starts_at) OR ifnull((SELECT next.starts_at - run.ends_at FROM slots AS next WHERE next.provider_id = run.provider_id AND next.starts_at >= run.ends_at ORDER BY next.starts_at LIMIT 1) <= coalesce((SELECT plan ->> 'gap' FROM hours WHERE hours.provider_id = run.provider_id) * 60000, 0), 0)), run.state = 2 OR (run.state = 0 AND run.is_busy = 0 AND run.seats = 1 AND run.service_id IS NULL OR 0))) AND max(iif(run.starts_at < (slots.starts_at + old.ends_at - old.starts_at), run.ends_at, 0)) >= (slots.starts_at + old.ends_at - old.starts_at) FROM slots AS run WHERE run.provider_id = slots.provider_id AND run.starts_at >= slots.starts_at AND run.starts_at < (slots.starts_at + (old.taken_until - old.starts_at))), 'length', NULL))), iif(slots.wished_service IS NULL, iif(slots.service_id IS NULL, NULL, iif(NOT service.is_offered, 'service', NULL)), iif(service.id IS NOT slots.wished_service OR NOT service.is_offered, 'service', iif(slots.service_id IS NULL AND (slots.seats > 1 OR service.seats > 1), 'service', iif(slots.service_id IS NULL AND NOT (SELECT min(iif(run.starts_at < (slots.starts_at + service.minutes * 60000), (run.state = 0 AND run.is_busy = 0 AND run.seats = 1 AND run.service_id IS NULL OR 0) AND (run.ends_at >= (slots.starts_at + service.minutes * 60000) OR ifnull((SELECT next.starts_at - run.ends_at FROM slots AS next WHERE next.provider_id = run.provider_id AND next.starts_at >= run.ends_at ORDER BY next.starts_at LIMIT 1) <= coalesce((SELECT plan ->> 'gap' FROM hours WHERE hours.provider_id = run.provider_id) * 60000, 0), 0)), run.state = 2 OR (run.state = 0 AND run.is_busy = 0 AND run.seats = 1 AND run.service_id IS NULL OR 0))) AND max(iif(run.starts_at < (slots.starts_at + service.minutes * 60000), run.ends_at, 0)) >= (slots.starts_at + service.minutes * 60000) FROM slots AS run WHERE run.provider_id = slots.provider_id AND run.starts_at >= slots.starts_at AND run.starts_at < ((slots.starts_at + service.minutes * 60000) + service.gap * 60000)), 'length', NULL))))), iif(slots.taken + slots.people > slots.seats, 'places', NULL)) IS NULL
    
    AND iif(old.id IS NOT NULL, iif(slots.service_id IS old.service_id, slots.ends_at, slots.starts_at + old.ends_at - old.starts_at), iif(slots.service_id IS NULL, coalesce((slots.starts_at + service.minutes * 60000), slots.ends_at), slots.ends_at)) <= slots.ends_at
    AND NOT EXISTS (SELECT 1 FROM bookings AS mine WHERE mine.booker_id = slots.account_id AND mine.status < 2
      AND mine.starts_at = slots.starts_at AND mine.provider_id = slots.provider_id)
    AND (slots.instead_of IS NULL OR old.starts_at > slots.starts_at);

CREATE TRIGGER offers_are_held INSTEAD OF INSERT ON held_offers BEGIN
  INSERT INTO bookings ("provider_id", "starts_at", "id", "ends_at", "taken_until", "local_date", "time_zone", "city", "notes", "template_id", "slot_id", "service_id", "service_name", "price", "deposit", "place_kind", "place",
      status, people, booker_id, booker_name, person_id, booked_at, cancel_until, phone, wish_id, shop_id, held_until)
    SELECT "provider_id", "starts_at", "id", "ends_at", "taken_until", "local_date", "time_zone", "city", "notes", "template_id", "slot_id", "service_id", "service_name", "price", "deposit", "place_kind", "place",
      0, people, account_id, (SELECT display_name FROM accounts AS named WHERE named.id = account_id), account_id, NEW.now, cancel_until, phone, wish_id, (SELECT shop_id FROM colleagues WHERE account_id = provider_id),
      min(closes_at, waking + (ahead - (SELECT value ->> 1 FROM json_each(reader_clock) WHERE value ->> 0 <= waking ORDER BY key DESC LIMIT 1)) * 60000)
    
    FROM (SELECT *, iif((until / 60000 + ahead) % 1440 BETWEEN 480 AND 1320 - 1, until,
        until - until % 60000 + (1440 - (until / 60000 + ahead - 480) % 1440) * 60000) AS waking
      FROM (SELECT *, (SELECT value ->> 1 FROM json_each(reader_clock) WHERE value ->> 0 <= until ORDER BY key DESC LIMIT 1) AS ahead
        
        FROM (SELECT *, CAST(NEW.now + min(max((starts_at - NEW.now) / 4, 3600000 / 2), 12 * 3600000) AS INTEGER) AS until
          FROM fits
          WHERE provider_id = NEW.provider_id AND wish_id = NEW.wish_id AND wish_state = 0
            AND starts_at >= NEW.free_from AND starts_at < NEW.free_until
            AND (suits OR NEW.is_by_hand) AND NOT was_offered AND (NEW.now < fits.wish_ends_at AND +fits.starts_at >= (NEW.now + max(1, fits.notice * 60000)) AND +fits.starts_at <= coalesce(NEW.now + fits.horizon_days * 86400000, 9007199254740991) AND NOT (fits.per_person IS NOT NULL AND fits.per_person <= (SELECT count(*) FROM bookings AS mine WHERE mine.booker_id = fits.account_id AND (mine.status = 1 AND mine.starts_at > NEW.now) AND (mine.provider_id = fits.provider_id OR mine.shop_id = (SELECT shop_id FROM colleagues WHERE account_id = fits.provider_id)) AND mine.id <> ifnull(fits.instead_of, ''))))
            AND NOT EXISTS (SELECT 1 FROM wishes AS other
              WHERE other.asked_by = fits.asked_by AND other.state = 1 AND other.provider_id = NEW.provider_id)
          ORDER BY starts_at LIMIT 1)));
END;

CREATE TRIGGER offers_are_told INSTEAD OF INSERT ON told_offers BEGIN
  INSERT INTO notices (kind, once, account_id, actor_id, data, at)
    SELECT 'offer', wish_id || ':' || starts_at, account_id, provider_id,
      json_object('wish', wish_id, 'slot', open_slot_id, 'startsAt', starts_at, 'endsAt', ends_at, 'timeZone', time_zone, 'date', local_date), NEW.now
    FROM fits
    WHERE provider_id = NEW.provider_id AND wish_id = NEW.wish_id AND wish_state = 0
      AND starts_at >= NEW.free_from AND starts_at < NEW.free_until
      AND (suits OR NEW.is_by_hand) AND NOT was_offered AND (NEW.now < fits.wish_ends_at AND +fits.starts_at >= (NEW.now + max(1, fits.notice * 60000)) AND +fits.starts_at <= coalesce(NEW.now + fits.horizon_days * 86400000, 9007199254740991) AND NOT (fits.per_person IS NOT NULL AND fits.per_person <= (SELECT count(*) FROM bookings AS mine WHERE mine.booker_id = fits.account_id AND (mine.status = 1 AND mine.starts_at > NEW.now) AND (mine.provider_id = fits.provider_id OR mine.shop_id = (SELECT shop_id FROM colleagues WHERE account_id = fits.provider_id)) AND mine.id <> ifnull(fits.instead_of, ''))));
END;
