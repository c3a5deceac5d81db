-- Lists look no further back than a day for what is still going on.
CREATE TRIGGER slots_begin_open BEFORE INSERT ON slots BEGIN
  SELECT RAISE(ABORT, 'slot_begins_open') WHERE NEW.state <> [[slotState.open]] OR NEW.taken <> 0
    OR NEW.withdrawn_at IS NOT NULL AND NEW.made_by <> [[madeBy.formerHours]];
  SELECT RAISE(ABORT, 'slot_lasts_a_day_at_most') WHERE NEW.ends_at - NEW.starts_at > [[longest.slot]];
END;

-- New time is skipped, not refused, where it overlaps time that is open or full, and replaces withdrawn time under it.
CREATE TRIGGER slots_begin_free BEFORE INSERT ON slots BEGIN
  SELECT RAISE(IGNORE) WHERE EXISTS (
    SELECT 1 FROM slots WHERE [[isOverlapping(NEW.provider_id, NEW.starts_at, NEW.ends_at)]] AND [[isPublished()]]);
  -- Nor is there anything else in the time that a provider keeps free after a service.
  SELECT RAISE(IGNORE) WHERE (
    SELECT taken_until > NEW.starts_at FROM bookings WHERE provider_id = NEW.provider_id AND [[stands()]]
      AND starts_at BETWEEN NEW.starts_at - [[longest.appointmentWithGap]] AND NEW.starts_at - 1
    ORDER BY starts_at DESC LIMIT 1);
  DELETE FROM slots WHERE [[isOverlapping(NEW.provider_id, NEW.starts_at, NEW.ends_at)]];
END;

-- Procedures: the slot that is inserted here is open from now on, or is no longer. A day knows its first and last open slot, and the last
-- that isn't busy.
CREATE VIEW opened_slots AS SELECT provider_id, local_date, starts_at, is_busy FROM slots;

CREATE TRIGGER days_open_with_their_slots INSTEAD OF INSERT ON opened_slots BEGIN
  INSERT INTO open_days (provider_id, local_date, first_at, last_at, free_at)
    VALUES (NEW.provider_id, NEW.local_date, NEW.starts_at, NEW.starts_at, iif(NEW.is_busy, 0, NULL))
    ON CONFLICT DO UPDATE SET first_at = min(first_at, NEW.starts_at), last_at = max(last_at, NEW.starts_at),
      free_at = iif(NEW.is_busy, ifnull(free_at, last_at), max(free_at, NEW.starts_at))
    WHERE NEW.starts_at NOT BETWEEN first_at AND last_at OR iif(NEW.is_busy, free_at IS NULL, free_at < NEW.starts_at);
END;

CREATE VIEW closed_slots AS SELECT provider_id, local_date, starts_at FROM slots;

CREATE TRIGGER days_close_with_their_slots INSTEAD OF INSERT ON closed_slots BEGIN
  DELETE FROM open_days WHERE provider_id = NEW.provider_id AND local_date = NEW.local_date AND last_at = NEW.starts_at AND NOT EXISTS (
    SELECT 1 FROM slots WHERE provider_id = NEW.provider_id AND [[isOpen()]]
      AND starts_at BETWEEN first_at AND NEW.starts_at AND slots.local_date = NEW.local_date);
  UPDATE open_days SET last_at = iif(last_at <> NEW.starts_at, last_at, (
      SELECT starts_at FROM slots WHERE provider_id = NEW.provider_id AND [[isOpen()]]
        AND starts_at < NEW.starts_at AND slots.local_date = NEW.local_date
      ORDER BY starts_at DESC LIMIT 1)),
    free_at = iif(free_at IS NOT NEW.starts_at, free_at, ifnull((
      SELECT starts_at FROM slots WHERE provider_id = NEW.provider_id AND [[isOpen()]] AND [[isNotBusy()]]
        AND starts_at BETWEEN first_at AND NEW.starts_at AND slots.local_date = NEW.local_date
      ORDER BY starts_at DESC LIMIT 1), 0))
  WHERE provider_id = NEW.provider_id AND local_date = NEW.local_date AND (last_at = NEW.starts_at OR free_at = NEW.starts_at);
END;

-- A slot is marked busy only after its day is there, whose last free time that changes. Nothing more is read where nothing overlaps it.
CREATE TRIGGER slots_open_their_day AFTER INSERT ON slots BEGIN
  INSERT INTO opened_slots (provider_id, local_date, starts_at, is_busy) VALUES (NEW.provider_id, NEW.local_date, NEW.starts_at, 0);
  UPDATE slots SET is_busy = 1 WHERE provider_id = NEW.provider_id AND starts_at = (
    SELECT NEW.starts_at FROM busy_times WHERE provider_id = NEW.provider_id AND starts_at > NEW.starts_at - [[longest.busyTime]]
      AND starts_at < NEW.ends_at AND ends_at > NEW.starts_at LIMIT 1);
END;

-- A procedure: a city has slots from the first to the last of those that are inserted here.
CREATE VIEW slots_of_cities AS SELECT city, local_date, starts_at FROM slots;

CREATE TRIGGER city_days_reach_their_slots INSTEAD OF INSERT ON slots_of_cities BEGIN
  INSERT INTO city_days VALUES (NEW.city, NEW.local_date, NEW.starts_at, NEW.starts_at)
    ON CONFLICT DO UPDATE SET first_at = min(first_at, NEW.starts_at), last_at = max(last_at, NEW.starts_at)
    WHERE NEW.starts_at NOT BETWEEN first_at AND last_at;
END;

CREATE TRIGGER slots_begin_in_their_city AFTER INSERT ON slots BEGIN
  INSERT INTO slots_of_cities (city, local_date, starts_at) VALUES (NEW.city, NEW.local_date, NEW.starts_at);
END;

CREATE TRIGGER slots_open_in_their_city AFTER UPDATE OF state, city ON slots
WHEN [[isOpen(NEW)]] AND (OLD.state <> [[slotState.open]] OR NEW.city <> OLD.city) BEGIN
  INSERT INTO slots_of_cities (city, local_date, starts_at) VALUES (NEW.city, NEW.local_date, NEW.starts_at);
END;

-- Whoever books with answers names the questions that these are for, so a slot keeps them once it is not open.
CREATE TRIGGER slots_stay_where_they_are
BEFORE UPDATE OF provider_id, starts_at, id, ends_at, local_date, time_zone, template_id, state ON slots BEGIN
  SELECT RAISE(ABORT, 'slot_keeps_its_time') WHERE NEW.provider_id <> OLD.provider_id OR NEW.starts_at <> OLD.starts_at
    OR NEW.ends_at <> OLD.ends_at OR NEW.local_date <> OLD.local_date OR NEW.time_zone <> OLD.time_zone;
  SELECT RAISE(ABORT, 'slot_keeps_its_questions') WHERE OLD.state <> [[slotState.open]] AND NEW.template_id IS NOT OLD.template_id;
  -- Its booking has moved onto later or earlier slots, or it has ended: no slot keeps the id of what somebody had. A hold has no row
  -- of its own when it is over, so a held time that is withdrawn keeps its id.
  SELECT RAISE(ABORT, 'slot_lives_once') WHERE OLD.seats = 1 AND iif(NEW.id = OLD.id,
    OLD.state <> [[slotState.open]] AND NEW.state <> OLD.state AND (NEW.state <> [[slotState.withdrawn]] OR NEW.withdrawn_at IS NULL),
    [[isOpen(OLD)]] OR NEW.state = OLD.state AND NEW.part_of IS OLD.part_of);
END;

CREATE TRIGGER slots_close AFTER UPDATE OF state ON slots WHEN [[isOpen(OLD)]] AND NEW.state <> [[slotState.open]] BEGIN
  INSERT INTO closed_slots (provider_id, local_date, starts_at) VALUES (OLD.provider_id, OLD.local_date, OLD.starts_at);
END;

-- What hours want no longer is open to nobody. What its provider is about to withdraw stays to be seen as withdrawn.
CREATE TRIGGER slots_open_again AFTER UPDATE OF state ON slots WHEN OLD.state <> [[slotState.open]] AND [[isOpen(NEW)]] BEGIN
  INSERT INTO opened_slots (provider_id, local_date, starts_at, is_busy)
    VALUES (NEW.provider_id, NEW.local_date, NEW.starts_at, NEW.is_busy);
  DELETE FROM slots WHERE NEW.made_by = [[madeBy.formerHours]] AND NEW.taken = 0 AND NEW.withdrawn_at IS NULL
    AND provider_id = NEW.provider_id AND starts_at = NEW.starts_at;
END;

-- A class that hours no longer want goes too, once its last person has left.
CREATE TRIGGER slots_go_with_the_last_person AFTER UPDATE OF taken ON slots
WHEN NEW.taken = 0 AND OLD.taken > 0 AND NEW.made_by = [[madeBy.formerHours]] AND [[isOpen(NEW)]] AND [[isOpen(OLD)]] AND NEW.withdrawn_at IS NULL BEGIN
  DELETE FROM slots WHERE provider_id = NEW.provider_id AND starts_at = NEW.starts_at;
END;

CREATE TRIGGER slots_become_busy AFTER UPDATE OF is_busy ON slots WHEN NEW.is_busy <> OLD.is_busy AND [[isOpen(NEW)]] BEGIN
  UPDATE open_days SET free_at = iif(NEW.is_busy, ifnull((
      SELECT starts_at FROM slots WHERE provider_id = NEW.provider_id AND [[isOpen()]] AND [[isNotBusy()]]
        AND starts_at BETWEEN first_at AND last_at AND slots.local_date = NEW.local_date
      ORDER BY starts_at DESC LIMIT 1), 0), max(free_at, NEW.starts_at))
  WHERE provider_id = NEW.provider_id AND local_date = NEW.local_date
    AND iif(NEW.is_busy, free_at IS NULL OR free_at = NEW.starts_at, free_at < NEW.starts_at);
END;

CREATE TRIGGER slots_go_free BEFORE DELETE ON slots WHEN OLD.taken > 0 BEGIN
  SELECT RAISE(ABORT, 'slot_is_taken');
END;

-- Open slots that hours take back are deleted: no list of what was withdrawn shows them.
CREATE TRIGGER slots_leave_their_day AFTER DELETE ON slots WHEN [[isOpen(OLD)]] BEGIN
  INSERT INTO closed_slots (provider_id, local_date, starts_at) VALUES (OLD.provider_id, OLD.local_date, OLD.starts_at);
END;
