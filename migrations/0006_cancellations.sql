-- What was taken from somebody is listed until it would have been over, apart from what they gave up themselves.

-- A provider's: booked, then canceled by whomever. The open slots that they withdrew, up to thousands, are not read for it.
ALTER TABLE slots ADD COLUMN was_booked INTEGER NOT NULL DEFAULT 0;
UPDATE slots SET was_booked = 1 WHERE status = 2 AND EXISTS (SELECT 1 FROM bookings WHERE slot_id = slots.id);
-- With all that chooses and orders the list, so that of each row in question only the index is read.
CREATE INDEX slots_canceled ON slots (provider_id, starts_at, ends_at, canceled_at) WHERE was_booked = 1;
CREATE TRIGGER slots_say_whether_they_were_booked BEFORE UPDATE OF status, was_booked ON slots
WHEN NEW.was_booked <> (NEW.status = 2 AND (OLD.status = 1 OR OLD.was_booked = 1)) BEGIN
  SELECT RAISE(ABORT, 'slot_was_booked');
END;

-- A consumer's: canceled by the provider.
ALTER TABLE bookings ADD COLUMN is_called_off INTEGER NOT NULL DEFAULT 0;
UPDATE bookings SET is_called_off = 1 WHERE is_canceled = 1
  AND EXISTS (SELECT 1 FROM slots WHERE id = slot_id AND canceled_by = provider_id);
CREATE INDEX bookings_called_off ON bookings (booker_id, starts_at) WHERE is_called_off = 1;
DROP TRIGGER bookings_are_canceled_with_their_slot;
CREATE TRIGGER bookings_are_canceled_with_their_slot AFTER UPDATE OF status ON slots WHEN OLD.status = 1 BEGIN
  UPDATE bookings SET is_canceled = 1, is_called_off = (NEW.canceled_by IS NEW.provider_id)
  WHERE slot_id = NEW.id AND number = 0;
END;
