-- What times a provider keeps published. The notes and questions are those of the slots to come; a job carries the hours on
-- from the day after carried_to when next_at has come, and begins anew where carried_to is blank.
CREATE TABLE hours (
  provider_id TEXT PRIMARY KEY REFERENCES accounts (id),
  plan TEXT NOT NULL CHECK (json_type(plan) = 'object'),
  notes TEXT CHECK (notes <> ''),
  template_id TEXT REFERENCES templates (id),
  -- Another one after each change by the provider, so that the job writes nothing of hours that it has read before.
  version TEXT NOT NULL,
  carried_to TEXT NOT NULL,
  next_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX hours_due ON hours (next_at);

-- Hours are hours of the provider's clock.
CREATE TRIGGER hours_follow_their_zone AFTER UPDATE OF time_zone ON accounts WHEN NEW.time_zone <> OLD.time_zone BEGIN
  UPDATE hours SET carried_to = '', next_at = 0 WHERE provider_id = NEW.id;
END;

-- Hours ask the questions as they were last edited, and none once they are deleted.
CREATE TRIGGER hours_follow_their_template AFTER INSERT ON templates WHEN NEW.replaces IS NOT NULL BEGIN
  UPDATE hours SET template_id = NEW.id WHERE provider_id = NEW.provider_id AND template_id = NEW.replaces;
END;
CREATE TRIGGER hours_lose_their_template AFTER UPDATE OF retired_at ON templates WHEN NEW.retired_at IS NOT NULL BEGIN
  UPDATE hours SET template_id = NULL WHERE provider_id = NEW.provider_id AND template_id = NEW.id;
END;

-- A slot that hours made has the publication 'hours'; one that is booked while they no longer want it, 'hours once'. When its
-- booker cancels, its time opens again, and the job looks whether it should.
CREATE TRIGGER hours_look_again AFTER INSERT ON slots WHEN NEW.publication = 'hours once' BEGIN
  UPDATE hours SET carried_to = '', next_at = 0 WHERE provider_id = NEW.provider_id;
END;

-- Open slots that hours take back are deleted: nobody had them, and no list of what was canceled shows them.
CREATE TRIGGER slots_leave_their_day AFTER DELETE ON slots
WHEN OLD.status = 0 AND OLD.starts_at = (
  SELECT last_at FROM open_days WHERE provider_id = OLD.provider_id AND local_date = OLD.local_date) BEGIN
  DELETE FROM open_days WHERE provider_id = OLD.provider_id AND local_date = OLD.local_date AND NOT EXISTS (
    SELECT 1 FROM slots WHERE provider_id = OLD.provider_id AND status = 0
      AND starts_at BETWEEN first_at AND OLD.starts_at AND slots.local_date = OLD.local_date);
  UPDATE open_days SET last_at = (
    SELECT starts_at FROM slots WHERE provider_id = OLD.provider_id AND status = 0
      AND starts_at < OLD.starts_at AND slots.local_date = OLD.local_date
    ORDER BY starts_at DESC LIMIT 1)
  WHERE provider_id = OLD.provider_id AND local_date = OLD.local_date;
END;
