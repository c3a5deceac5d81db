-- What a standing time would have of each slot, and why it can't, by the conditions of every booking. No rule of the hour or of the day
-- binds a provider who books for somebody. Whoever reads it names the standing time and the start.
CREATE VIEW standing_slots AS
  SELECT standing.id AS standing_id, standing.person_id, standing.booker_id, slots.state,
    [[columnsOfStanding()]], [[whyNotInView(standing.service_id, 1)]] AS why
  FROM standing_times AS standing CROSS JOIN slots ON slots.provider_id = standing.provider_id [[withService(standing.service_id)]];

-- A procedure: the standing time that is inserted here is booked on that date, unless the person has or had something there: a date that
-- was canceled or moved is not booked again, nor one that is booked for a standing time that has ended. starts_at is null where the
-- clocks skip the time. It is no claim of all dates at once: SQLite chooses all rows of an INSERT before the triggers of the first one
-- run, so two standing times that want the same seat or stretch would both be let in, and fail the batch. Here each date finds what the
-- one before has left.
CREATE VIEW standing_dates AS
  SELECT provider_id, id AS standing_id, from_date AS local_date, set_at AS starts_at, set_at AS now, id AS told_with, NULL AS acted_by
  FROM standing_times;

-- Procedures: a date of a standing time is booked, and counted in the message about all of them, or it can't be, though it is
-- published, which its provider is told once.
CREATE VIEW booked_dates AS SELECT * FROM standing_dates;

CREATE TRIGGER booked_dates_are_counted INSTEAD OF INSERT ON booked_dates BEGIN
  UPDATE messages SET data = json_set(data, '$.count', ifnull(data ->> 'count', 0) + 1, '$.last', max(ifnull(data ->> 'last', 0), NEW.starts_at))
    WHERE id IN ('booked:' || NEW.told_with || ':' || (
      SELECT booker_id FROM standing_times WHERE provider_id = NEW.provider_id AND id = NEW.standing_id),
      iif(NEW.acted_by IS NULL, NULL, 'booked:' || NEW.told_with || ':' || NEW.provider_id));
  UPDATE standing_times SET missed = (SELECT json_group_array(json(value)) FROM json_each(missed) WHERE value ->> 'date' <> NEW.local_date)
    WHERE provider_id = NEW.provider_id AND id = NEW.standing_id AND instr(missed, NEW.local_date) > 0;
END;

CREATE VIEW missed_dates AS SELECT * FROM standing_dates;

CREATE TRIGGER missed_dates_are_told INSTEAD OF INSERT ON missed_dates BEGIN
  INSERT INTO notices (kind, once, account_id, actor_id, data, at)
    SELECT 'missed', id || ':' || NEW.told_with, provider_id, booker_id,
      json_object('person', person_id, 'dates', json_array(json_object('date', NEW.local_date, 'why', ifnull((
        SELECT iif([[isWithdrawn(had)]], 'closed', iif(why = 'full', 'taken', why)) FROM standing_slots AS had WHERE had.provider_id = NEW.provider_id AND standing_id = NEW.standing_id
          AND had.starts_at = NEW.starts_at), iif(NEW.starts_at IS NULL, 'skipped', 'closed')), 'start', NEW.starts_at))), NEW.now
    FROM standing_times
    WHERE provider_id = NEW.provider_id AND id = NEW.standing_id AND instr(missed, NEW.local_date) = 0
      AND (EXISTS (SELECT 1 FROM slots WHERE slots.provider_id = NEW.provider_id AND slots.ends_at > NEW.starts_at
          AND slots.starts_at > NEW.starts_at - [[longest.slot]] AND slots.starts_at <= NEW.starts_at)
        OR EXISTS (SELECT 1 FROM hours WHERE hours.provider_id = NEW.provider_id AND carried_to >= NEW.local_date));
  UPDATE standing_times SET missed = json_insert((
        SELECT json_group_array(json(value)) FROM json_each(missed) WHERE value ->> 'date' >= date(NEW.now / 1000, 'unixepoch', '-1 day')),
      '$[#]', (SELECT data -> '$.dates[#-1]' FROM messages WHERE id = 'missed:' || NEW.standing_id || ':' || NEW.told_with))
    WHERE provider_id = NEW.provider_id AND id = NEW.standing_id AND instr(missed, NEW.local_date) = 0 AND EXISTS (
      SELECT 1 FROM messages WHERE id = 'missed:' || NEW.standing_id || ':' || NEW.told_with AND data ->> '$.dates[#-1].date' = NEW.local_date);
END;

-- The index of bookings by their booker has the status before the start, so SQLite searches it for the days only if each status is named.
CREATE TRIGGER standing_dates_are_booked INSTEAD OF INSERT ON standing_dates
WHEN (NEW.starts_at IS NULL OR NEW.starts_at > NEW.now) AND NOT EXISTS (
  SELECT 1 FROM standing_times AS standing CROSS JOIN bookings_on_cards AS own
    ON own.provider_id = standing.provider_id AND own.card_id = standing.person_id
      AND own.status IN ([[bookingStatus.held]], [[bookingStatus.booked]], [[bookingStatus.ended]])
      AND own.starts_at BETWEEN unixepoch(NEW.local_date) * 1000 - [[time.day]] AND unixepoch(NEW.local_date) * 1000 + 2 * [[time.day]]
  WHERE standing.provider_id = NEW.provider_id AND standing.id = NEW.standing_id AND (
    own.starts_at = NEW.starts_at AND [[stands(own)]]
    OR own.local_date = NEW.local_date AND own.standing_id IS NOT NULL AND (own.standing_id = NEW.standing_id OR NOT EXISTS (
      SELECT 1 FROM standing_times AS other WHERE other.provider_id = own.provider_id AND other.id = own.standing_id))))
BEGIN
  INSERT INTO bookings ([[columnsByTime()]],
      status, booker_id, booker_name, person_id, series_id, standing_id, told_with, booked_at, cancel_until, link_seed, code_hash, phone, shop_id, acted_by)
    SELECT [[columnsByTime()]],
      [[bookingStatus.booked]], booker_id, [[nameOf(booker_id)]], person_id, standing_id, standing_id, NEW.told_with, NEW.now,
      (SELECT cancel_until FROM accounts WHERE id = provider_id), lower(hex(randomblob(11))),
      -- Of no code: it says that the provider has made the booking for somebody.
      'standing', (SELECT phone FROM people WHERE people.provider_id = had.provider_id AND people.id = person_id),
      [[shopOf(had.provider_id)]], NEW.acted_by
    FROM standing_slots AS had WHERE provider_id = NEW.provider_id AND standing_id = NEW.standing_id AND starts_at = NEW.starts_at AND why IS NULL;
  INSERT INTO booked_dates (provider_id, standing_id, local_date, starts_at, now, told_with, acted_by)
    SELECT NEW.provider_id, NEW.standing_id, NEW.local_date, NEW.starts_at, NEW.now, NEW.told_with, NEW.acted_by WHERE EXISTS (
      SELECT 1 FROM bookings AS own WHERE own.provider_id = NEW.provider_id AND own.starts_at = NEW.starts_at AND own.standing_id = NEW.standing_id);
  INSERT INTO missed_dates (provider_id, standing_id, local_date, starts_at, now, told_with)
    SELECT NEW.provider_id, NEW.standing_id, NEW.local_date, NEW.starts_at, NEW.now, NEW.told_with WHERE NOT EXISTS (
      SELECT 1 FROM bookings AS own WHERE own.provider_id = NEW.provider_id AND own.starts_at = NEW.starts_at AND own.standing_id = NEW.standing_id);
END;
