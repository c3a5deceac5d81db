-- The questions of an open slot can be changed by its provider. Once it is booked they stay: whoever books with answers names
-- the questions that these are for.
DROP TRIGGER slots_keep_their_time;
CREATE TRIGGER slots_keep_their_time
BEFORE UPDATE OF id, provider_id, starts_at, ends_at, local_date, time_zone ON slots BEGIN
  SELECT RAISE(ABORT, 'slot_keeps_its_time');
END;
CREATE TRIGGER slots_keep_their_questions BEFORE UPDATE OF template_id ON slots
WHEN OLD.status <> 0 AND NEW.template_id IS NOT OLD.template_id BEGIN
  SELECT RAISE(ABORT, 'slot_keeps_its_questions');
END;
