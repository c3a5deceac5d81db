-- The rules by which a provider lets people book, what a canceled appointment says of itself, and the moving of one.

-- In minutes: how long before its start a slot can be booked no more, and a booking be canceled or moved by its booker no
-- more. In days: how far ahead slots can be booked; null where there is no end. How many coming appointments one person may
-- have, and how many a day may bring; null where there is no limit.
ALTER TABLE accounts ADD COLUMN notice INTEGER NOT NULL DEFAULT 0 CHECK (notice >= 0);
ALTER TABLE accounts ADD COLUMN cancel_until INTEGER NOT NULL DEFAULT 0 CHECK (cancel_until >= 0);
ALTER TABLE accounts ADD COLUMN horizon_days INTEGER CHECK (horizon_days > 0);
ALTER TABLE accounts ADD COLUMN per_person INTEGER CHECK (per_person > 0);
ALTER TABLE accounts ADD COLUMN per_day INTEGER CHECK (per_day > 0);

-- Why it was canceled, or moved away from here, in the words of whoever did. moved_to: the slot that its booker has instead.
ALTER TABLE slots ADD COLUMN cancel_reason TEXT CHECK (cancel_reason <> '');
ALTER TABLE slots ADD COLUMN moved_to TEXT;

-- The rule as it stood when the time was booked. A booking that was moved: the slot that it was moved from, and by whom
-- ('provider' or 'consumer'). In calendars the bookings of such a chain are one entry: calendar_id is the first one's slot
-- (null: its own), sequence rises with each move and with the cancellation.
ALTER TABLE bookings ADD COLUMN cancel_until INTEGER NOT NULL DEFAULT 0 CHECK (cancel_until >= 0);
ALTER TABLE bookings ADD COLUMN moved_from TEXT;
ALTER TABLE bookings ADD COLUMN moved_by TEXT;
ALTER TABLE bookings ADD COLUMN calendar_id TEXT;
ALTER TABLE bookings ADD COLUMN sequence INTEGER NOT NULL DEFAULT 0 CHECK (sequence >= 0);
UPDATE bookings SET sequence = 1 WHERE is_canceled = 1;

-- What was moved is not listed as canceled.
DROP INDEX slots_canceled;
CREATE INDEX slots_canceled ON slots (provider_id, starts_at, ends_at, canceled_at) WHERE was_booked = 1 AND moved_to IS NULL;
DROP TRIGGER bookings_are_canceled_with_their_slot;
CREATE TRIGGER bookings_are_canceled_with_their_slot AFTER UPDATE OF status ON slots WHEN OLD.status = 1 BEGIN
  UPDATE bookings SET is_canceled = 1, is_called_off = (NEW.canceled_by IS NEW.provider_id AND NEW.moved_to IS NULL),
    sequence = sequence + 1
  WHERE slot_id = NEW.id AND number = 0;
END;

-- A booking moves within one provider's time, and stays that of its booker.
CREATE TRIGGER bookings_move_whole BEFORE INSERT ON bookings WHEN NEW.moved_from IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'booking_moves_whole') WHERE NEW.moved_by IS NOT 'provider' AND NEW.moved_by IS NOT 'consumer'
    OR NOT EXISTS (
      SELECT 1 FROM bookings AS old, slots AS here, slots AS there
      WHERE old.slot_id = NEW.moved_from AND old.number = 0 AND old.booker_id = NEW.booker_id
        AND here.id = NEW.moved_from AND here.status = 1 AND there.id = NEW.slot_id AND there.provider_id = here.provider_id);
END;
CREATE TRIGGER bookings_keep_where_they_came_from BEFORE UPDATE OF moved_from, moved_by, calendar_id ON bookings
WHEN NEW.moved_from IS NOT OLD.moved_from OR NEW.moved_by IS NOT OLD.moved_by OR NEW.calendar_id IS NOT OLD.calendar_id BEGIN
  SELECT RAISE(ABORT, 'booking_keeps_its_chain');
END;
CREATE TRIGGER slots_move_to_a_booking BEFORE UPDATE OF moved_to ON slots WHEN NEW.moved_to IS NOT OLD.moved_to BEGIN
  SELECT RAISE(ABORT, 'slot_moved') WHERE OLD.status <> 1 OR NEW.status <> 2 OR NOT EXISTS (
    SELECT 1 FROM bookings WHERE slot_id = NEW.moved_to AND number = 0 AND moved_from = NEW.id);
END;
-- The personal link leads to where the booking went, and the code to take it over as well. No two bookings have one link,
-- so on the way it is written with a mark before it.
CREATE TRIGGER bookings_take_their_link_along AFTER UPDATE OF moved_to ON slots WHEN NEW.moved_to IS NOT NULL BEGIN
  UPDATE bookings SET
    link_hash = (SELECT 'from ' || link_hash FROM bookings AS old WHERE old.slot_id = NEW.id AND old.number = 0),
    claim_hash = (SELECT 'from ' || claim_hash FROM bookings AS old WHERE old.slot_id = NEW.id AND old.number = 0)
  WHERE slot_id = NEW.moved_to AND number = 0;
  UPDATE bookings SET link_hash = NULL, claim_hash = NULL
  WHERE slot_id = NEW.id AND number = 0 AND (link_hash IS NOT NULL OR claim_hash IS NOT NULL);
  UPDATE bookings SET link_hash = substr(link_hash, 6), claim_hash = substr(claim_hash, 6)
  WHERE slot_id = NEW.moved_to AND number = 0 AND (link_hash IS NOT NULL OR claim_hash IS NOT NULL);
END;

-- A move is told once, as a move: not as a cancellation and a booking. What was canceled is told with the reason.
DROP TRIGGER bookings_tell_the_provider;
CREATE TRIGGER bookings_tell_the_provider AFTER INSERT ON bookings WHEN NEW.moved_from IS NULL BEGIN
  INSERT INTO messages (id, account_id, kind, slot_id, actor_id, created_at)
    SELECT 'booked:' || slots.id || '.' || NEW.number || ':' || provider_id, provider_id, 'booked', slots.id, NEW.booker_id, NEW.booked_at
    FROM slots WHERE slots.id = NEW.slot_id AND NEW.claim_hash IS NULL;
  INSERT INTO messages (id, account_id, kind, slot_id, created_at, is_read)
    SELECT 'booked:' || NEW.slot_id || '.' || NEW.number || ':' || id, id, 'booked', NEW.slot_id, NEW.booked_at, 1
    FROM accounts WHERE id = NEW.booker_id AND email_confirmed_at IS NOT NULL;
END;
DROP TRIGGER slots_tell_of_their_cancellation;
CREATE TRIGGER slots_tell_of_their_cancellation AFTER UPDATE OF status ON slots
WHEN OLD.status = 1 AND NEW.status = 2 AND NEW.moved_to IS NULL BEGIN
  INSERT INTO messages (id, account_id, kind, slot_id, actor_id, data, created_at)
    SELECT 'canceled:' || NEW.id || ':' || NEW.provider_id, NEW.provider_id, 'canceled', NEW.id, NEW.canceled_by,
      iif(NEW.cancel_reason IS NULL, '{}', json_object('reason', NEW.cancel_reason)), NEW.canceled_at
    WHERE NEW.canceled_by <> NEW.provider_id;
  INSERT INTO messages (id, account_id, kind, slot_id, actor_id, data, created_at, is_read)
    SELECT 'canceled:' || NEW.id || '.' || number || ':' || booker_id, booker_id, 'canceled', NEW.id,
      iif(NEW.canceled_by = booker_id, NULL, NEW.canceled_by),
      iif(NEW.cancel_reason IS NULL, '{}', json_object('reason', NEW.cancel_reason)), NEW.canceled_at, NEW.canceled_by = booker_id
    FROM bookings JOIN accounts ON accounts.id = booker_id
    WHERE slot_id = NEW.id AND (NEW.canceled_by <> booker_id OR email_confirmed_at IS NOT NULL);
END;
CREATE TRIGGER slots_tell_of_their_move AFTER UPDATE OF moved_to ON slots WHEN NEW.moved_to IS NOT NULL BEGIN
  INSERT INTO messages (id, account_id, kind, slot_id, actor_id, data, created_at)
    SELECT 'moved:' || NEW.moved_to || ':' || NEW.provider_id, NEW.provider_id, 'moved', NEW.moved_to, NEW.canceled_by,
      json_patch(json_object('startsAt', NEW.starts_at, 'endsAt', NEW.ends_at), json_object('reason', NEW.cancel_reason)),
      NEW.canceled_at
    WHERE NEW.canceled_by <> NEW.provider_id;
  INSERT INTO messages (id, account_id, kind, slot_id, actor_id, data, created_at, is_read)
    SELECT 'moved:' || NEW.moved_to || '.' || number || ':' || booker_id, booker_id, 'moved', NEW.moved_to,
      iif(NEW.canceled_by = booker_id, NULL, NEW.canceled_by),
      json_patch(json_object('startsAt', NEW.starts_at, 'endsAt', NEW.ends_at), json_object('reason', NEW.cancel_reason)),
      NEW.canceled_at, NEW.canceled_by = booker_id
    FROM bookings JOIN accounts ON accounts.id = booker_id
    WHERE slot_id = NEW.id AND (NEW.canceled_by <> booker_id OR email_confirmed_at IS NOT NULL);
END;
