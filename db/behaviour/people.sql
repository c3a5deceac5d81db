CREATE TRIGGER people_keep_their_standing_times AFTER UPDATE OF booker_id ON people
WHEN NEW.booker_id IS NOT NULL AND NEW.booker_id IS NOT OLD.booker_id BEGIN
  UPDATE standing_times SET booker_id = NEW.booker_id WHERE provider_id = NEW.provider_id AND person_id = NEW.id;
END;
