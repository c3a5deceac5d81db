-- An account can be deleted: its row stays without anything personal, because what others need refers to it.

-- The text of a template goes with whoever wrote it; the row stays for the slots that ask it.
DROP TRIGGER templates_keep_their_wording;
CREATE TRIGGER templates_keep_their_wording BEFORE UPDATE OF id, provider_id, display_name, questions ON templates
WHEN NEW.id <> OLD.id OR NEW.provider_id <> OLD.provider_id OR NEW.questions <> '[]' OR NEW.display_name <> 'Former template' BEGIN
  SELECT RAISE(ABORT, 'template_is_published');
END;
-- Those that are no longer listed too.
CREATE INDEX templates_by_provider ON templates (provider_id);

-- Answers that are deleted are no new answers.
DROP TRIGGER bookings_tell_of_new_answers;
CREATE TRIGGER bookings_tell_of_new_answers AFTER UPDATE OF answers ON bookings
WHEN OLD.answered_at IS NOT NULL AND NEW.answered_at IS NOT NULL AND NEW.answers <> OLD.answers BEGIN
  INSERT INTO messages (id, account_id, kind, slot_id, actor_id, created_at)
    SELECT 'answers:' || id || ':' || NEW.answered_at || ':' || provider_id, provider_id, 'answers', id, NEW.booker_id,
      NEW.answered_at
    FROM slots WHERE id = NEW.slot_id
    ON CONFLICT DO NOTHING;
END;

-- A city of whoever is gone may go too, so that the slots of the past move to one without a name. Only open slots are looked for by city.
DROP TRIGGER slots_move_to_a_city;
CREATE TRIGGER slots_move_to_a_city AFTER UPDATE OF city ON slots WHEN NEW.status = 0 BEGIN
  INSERT INTO city_days VALUES (NEW.city, NEW.local_date, NEW.starts_at, NEW.starts_at)
    ON CONFLICT DO UPDATE SET first_at = min(first_at, NEW.starts_at), last_at = max(last_at, NEW.starts_at)
    WHERE NEW.starts_at NOT BETWEEN first_at AND last_at;
END;

-- After how many days a provider's answers of past appointments are deleted; null: never.
ALTER TABLE accounts ADD COLUMN keep_answers_days INTEGER;
CREATE INDEX providers_who_forget ON accounts (keep_answers_days) WHERE keep_answers_days IS NOT NULL;
