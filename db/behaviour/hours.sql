-- Hours are hours of the provider's clock. They and services ask the questions as they were last edited, and none once they are
-- deleted.
CREATE TRIGGER hours_follow_their_zone AFTER UPDATE OF time_zone ON accounts WHEN NEW.time_zone <> OLD.time_zone BEGIN
  UPDATE hours SET carried_to = '', next_at = 0 WHERE provider_id = NEW.id;
END;

CREATE TRIGGER hours_follow_their_template AFTER INSERT ON templates WHEN NEW.replaces IS NOT NULL BEGIN
  UPDATE hours SET template_id = NEW.id WHERE provider_id = NEW.provider_id AND template_id = NEW.replaces;
  UPDATE services SET template_id = NEW.id WHERE template_id = NEW.replaces
    AND provider_id IN (SELECT NEW.provider_id UNION ALL SELECT provider_id FROM books_of_shops WHERE account_id = NEW.provider_id);
END;

CREATE TRIGGER hours_lose_their_template AFTER UPDATE OF retired_at ON templates WHEN NEW.retired_at IS NOT NULL BEGIN
  UPDATE hours SET template_id = NULL, lost_template_id = NEW.id WHERE provider_id = NEW.provider_id AND template_id = NEW.id;
  UPDATE services SET template_id = NULL, lost_template_id = NEW.id WHERE template_id = NEW.id
    AND provider_id IN (SELECT NEW.provider_id UNION ALL SELECT provider_id FROM books_of_shops WHERE account_id = NEW.provider_id);
END;

-- Hours have the length and gap that their services have now.
CREATE TRIGGER hours_follow_their_services AFTER UPDATE OF minutes, gap ON services
WHEN NEW.minutes <> OLD.minutes OR NEW.gap <> OLD.gap BEGIN
  UPDATE hours SET carried_to = '', next_at = 0
    WHERE provider_id = NEW.provider_id AND instr(plan, '"' || NEW.id || '"') > 0;
END;

-- Where somebody had a time that hours no longer want, hours may want other times in its place, so the job looks again.
CREATE TRIGGER hours_fill_what_comes_free AFTER DELETE ON slots WHEN [[isOpen(OLD)]] AND OLD.made_by = [[madeBy.formerHours]] BEGIN
  UPDATE hours SET carried_to = '', next_at = 0 WHERE provider_id = OLD.provider_id;
END;
