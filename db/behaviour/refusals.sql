CREATE TRIGGER refusals_fail_the_batch BEFORE INSERT ON refusals BEGIN
  SELECT RAISE(ABORT, 'too_many_open_slots') WHERE NEW.name = 'too_many_open_slots';
  SELECT RAISE(ABORT, 'too_many_names') WHERE NEW.name = 'too_many_names';
  SELECT RAISE(ABORT, 'not_as_shown') WHERE NEW.name = 'not_as_shown';
  SELECT RAISE(ABORT, 'unknown_refusal');
END;
