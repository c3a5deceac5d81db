-- A booking that was made before stands. A row is never changed: it is deleted, and another is inserted.
CREATE TRIGGER busy_times_begin AFTER INSERT ON busy_times BEGIN
  UPDATE slots SET is_busy = 1 WHERE provider_id = NEW.provider_id AND starts_at > NEW.starts_at - [[longest.slot]]
    AND starts_at < NEW.ends_at AND ends_at > NEW.starts_at AND [[isNotBusy()]];
END;

CREATE TRIGGER busy_times_stay BEFORE UPDATE ON busy_times BEGIN
  SELECT RAISE(ABORT, 'busy_time_stays');
END;

CREATE TRIGGER busy_times_end AFTER DELETE ON busy_times BEGIN
  UPDATE slots SET is_busy = 0 WHERE provider_id = OLD.provider_id AND starts_at > OLD.starts_at - [[longest.slot]]
    AND starts_at < OLD.ends_at AND ends_at > OLD.starts_at AND [[isBusy()]] AND NOT EXISTS (
      SELECT 1 FROM busy_times AS other WHERE other.provider_id = slots.provider_id AND other.starts_at > slots.starts_at - [[longest.busyTime]]
        AND other.starts_at < slots.ends_at AND other.ends_at > slots.starts_at);
  -- A slot that it overlapped began at most a day before it, and dates differ from UTC's by one.
  UPDATE open_days SET free_at = NULL WHERE provider_id = OLD.provider_id AND free_at IS NOT NULL
    AND local_date BETWEEN date(OLD.starts_at / 1000, 'unixepoch', '-2 days') AND date(OLD.ends_at / 1000, 'unixepoch', '+1 day')
    AND NOT EXISTS (
      SELECT 1 FROM slots WHERE slots.provider_id = open_days.provider_id AND [[isOpen()]] AND [[isBusy()]]
        AND starts_at BETWEEN first_at AND last_at AND slots.local_date = open_days.local_date);
END;
