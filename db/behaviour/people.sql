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

-- A procedure: a booking goes from one card to another, with whether its person came, the provider's note and the phone number.
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

-- A procedure: the card goes, with its other names, unless something of anybody is still on it.
CREATE VIEW left_cards AS SELECT provider_id, id FROM people;

CREATE TRIGGER left_cards_go INSTEAD OF INSERT ON left_cards BEGIN
  DELETE FROM people WHERE provider_id = NEW.provider_id AND id = NEW.id
    AND NOT EXISTS (SELECT 1 FROM bookings_on_cards WHERE provider_id = NEW.provider_id AND card_id = NEW.id)
    AND NOT EXISTS (SELECT 1 FROM standing_times AS standing WHERE standing.provider_id = NEW.provider_id AND standing.person_id = NEW.id);
  DELETE FROM person_aliases WHERE provider_id = NEW.provider_id AND person_id = NEW.id
    AND NOT EXISTS (SELECT 1 FROM people WHERE provider_id = NEW.provider_id AND id = NEW.id);
END;

CREATE TRIGGER people_keep_their_standing_times AFTER UPDATE OF booker_id ON people
WHEN NEW.booker_id IS NOT NULL AND NEW.booker_id IS NOT OLD.booker_id BEGIN
  UPDATE standing_times SET booker_id = NEW.booker_id WHERE provider_id = NEW.provider_id AND person_id = NEW.id;
END;
