-- The text of a template goes with whoever wrote it; the row stays for the slots that ask it.
CREATE TRIGGER templates_keep_their_wording BEFORE UPDATE OF id, provider_id, display_name, questions ON templates
WHEN NEW.id <> OLD.id OR NEW.provider_id <> OLD.provider_id OR NEW.questions <> '[]' OR NEW.display_name <> '' BEGIN
  SELECT RAISE(ABORT, 'template_is_published');
END;
