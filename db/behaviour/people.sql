-- A procedure: the booking that is inserted here makes the card of somebody whom its provider has not had. A guest has their name and
-- address on it, an account with a login has its own.
CREATE VIEW first_bookings AS SELECT provider_id, person_id, booker_id, code_hash, phone FROM bookings;

CREATE TRIGGER people_get_their_card INSTEAD OF INSERT ON first_bookings BEGIN
  INSERT INTO people (provider_id, id, booker_id, name, name_sort_key, email, email_folded, phone, phone_digits)
    SELECT NEW.provider_id, NEW.person_id, iif(username IS NULL AND NOT [[isMadeForSomebody(NEW)]], NULL, id),
      iif(username IS NULL, display_name, NULL), display_sort_key,
      iif(username IS NULL, email, NULL), iif(username IS NULL, lower(email), NULL), NEW.phone,
      nullif(ltrim(replace(replace(replace(replace(replace(replace(NEW.phone, ' ', ''), '+', ''), '-', ''), '(', ''), ')', ''), '/', ''), '0'), '')
    FROM accounts WHERE id = NEW.booker_id
    ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER people_keep_their_standing_times AFTER UPDATE OF booker_id ON people
WHEN NEW.booker_id IS NOT NULL AND NEW.booker_id IS NOT OLD.booker_id BEGIN
  UPDATE standing_times SET booker_id = NEW.booker_id WHERE provider_id = NEW.provider_id AND person_id = NEW.id;
END;
