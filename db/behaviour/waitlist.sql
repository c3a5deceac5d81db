-- Each wish with the slots of its provider, in whatever state; suits: within the range, on a day and at a time that it asks for.
CREATE VIEW wished_slots AS
  SELECT wish.provider_id, wish.id AS wish_id, wish.state AS wish_state, wish.asked_at, wish.asked_by, wish.account_id, wish.people, wish.phone,
    wish.service_id AS wished_service, wish.instead_of, wish.reader_clock, wish.ends_at AS wish_ends_at,
    slot.starts_at, slot.id AS slot_id, slot.ends_at, slot.state, slot.seats, slot.taken, slot.is_busy, slot.made_by, slot.withdrawn_at,
    slot.local_date, slot.time_zone, slot.city, slot.notes, slot.template_id, slot.service_id,
    slot.starts_at >= wish.from_at AND slot.starts_at < wish.until_at AND (wish.days IS NULL OR (wish.days >> strftime('%w', slot.local_date)) & 1)
      AND (wish.after IS NULL AND wish.before IS NULL OR (slot.starts_at / 60000 + (
          SELECT value ->> 1 FROM json_each(wish.clock) WHERE value ->> 0 <= slot.starts_at ORDER BY key DESC LIMIT 1)) % 1440
        BETWEEN ifnull(wish.after, 0) AND ifnull(wish.before, 1440) - 1) AS suits,
    EXISTS (SELECT 1 FROM json_each(wish.passed) WHERE value = slot.starts_at) AS was_offered
  FROM wishes AS wish CROSS JOIN slots AS slot ON slot.provider_id = wish.provider_id;

-- The open slots that each wish could have by the rules of its provider, from opens_at to closes_at. Whoever reads it names the wish
-- and a range of starts. A wish is for one slot; the gap after its service takes what begins in it, as a booking does. What hours or
-- the provider no longer want is offered to nobody. A wish for an earlier time keeps the service of its booking, though it is
-- switched off.
CREATE VIEW fits AS
  SELECT slot.provider_id, slot.wish_id, slot.wish_state, slot.asked_at, slot.asked_by, slot.account_id, slot.people, slot.phone, slot.instead_of,
    slot.reader_clock, slot.starts_at, slot.slot_id, slot.seats,
    slot.local_date, slot.time_zone, slot.city, slot.notes,
    iif(slot.service_id IS NULL AND service.id IS NOT NULL, slot.starts_at + service.minutes * 60000, slot.ends_at) AS ends_at,
    iif(slot.service_id IS NULL AND service.id IS NOT NULL, slot.starts_at + (service.minutes + service.gap) * 60000, slot.ends_at) AS kept_until,
    iif(slot.service_id IS NULL, coalesce(service.template_id, slot.template_id), slot.template_id) AS template_id,
    service.id AS service_id, service.name AS service_name, service.price, ruler.cancel_until, ruler.per_person,
    iif(ruler.horizon_days IS NULL, 0, slot.starts_at - ruler.horizon_days * 86400000) AS opens_at,
    min(slot.wish_ends_at - 1, slot.starts_at - max(1, ruler.notice * 60000)) AS closes_at,
    slot.suits, slot.was_offered
  FROM accounts AS ruler CROSS JOIN wished_slots AS slot ON slot.provider_id = ruler.id
    LEFT JOIN services AS service ON service.provider_id = slot.provider_id AND service.id = coalesce(slot.service_id, slot.wished_service)
  WHERE [[isOpen(slot)]] AND slot.is_busy = 0 AND slot.taken + slot.people <= slot.seats AND slot.made_by <> 2 AND slot.withdrawn_at IS NULL
    AND ruler.waitlist = 'on'
    AND (ruler.open_to = 'anyone' OR slot.instead_of IS NOT NULL
      OR EXISTS (SELECT 1 FROM accounts AS booker WHERE booker.id = slot.account_id AND booker.username IS NOT NULL))
    AND (slot.taken > 0 OR [[hasRoom(slot.local_date, ruler)]]
      -- An appointment that moves within a full day makes room for itself.
      OR slot.instead_of IS NOT NULL
        AND ruler.per_day > [[countOfDay(slot.provider_id, slot.local_date, slot.starts_at, slot.instead_of)]])
    AND (service.id IS NULL AND slot.wished_service IS NULL OR (service.is_offered OR slot.instead_of IS NOT NULL AND service.id = slot.wished_service) AND (
      slot.service_id IS NOT NULL AND iif(slot.wished_service IS NULL, slot.instead_of IS NULL, slot.service_id = slot.wished_service)
      OR slot.service_id IS NULL AND slot.seats = 1 AND service.seats = 1 AND slot.starts_at + service.minutes * 60000 <= slot.ends_at
        AND [[isFreeThroughout(slot.provider_id, slot.starts_at, (slot.starts_at + service.minutes * 60000),
          (slot.starts_at + (service.minutes + service.gap) * 60000))]]))
    AND NOT EXISTS (SELECT 1 FROM bookings AS mine WHERE mine.booker_id = slot.account_id AND [[stands(mine)]]
      AND mine.starts_at = slot.starts_at AND mine.provider_id = slot.provider_id)
    AND (slot.instead_of IS NULL OR EXISTS (SELECT 1 FROM bookings AS old WHERE old.provider_id = slot.provider_id
      AND old.starts_at = [[startOf(slot.instead_of)]] AND old.id = slot.instead_of
      AND [[isBooked(old)]] AND old.starts_at > slot.starts_at));

-- Who is in line, and how long before a time that comes free their own may begin: as far as the gap of their service reaches.
CREATE VIEW in_line AS
  SELECT wish.*, ifnull((SELECT iif(gap > 0, minutes + gap, 0) * 60000 FROM services
    WHERE services.provider_id = wish.provider_id AND services.id = wish.service_id), 0) AS reach
  FROM wishes AS wish WHERE [[isInLine(wish)]];

-- A procedure: the wishes that the booking inserted here fulfils are over, since their person has a time that they asked for. One that
-- holds another time has lasted until now: the next write ends its hold.
CREATE VIEW fulfilled_wishes AS SELECT provider_id, starts_at, id FROM bookings;

CREATE TRIGGER wishes_are_fulfilled INSTEAD OF INSERT ON fulfilled_wishes BEGIN
  UPDATE wishes SET state = iif([[hasOffer(wishes)]], [[wishState.offered]], [[wishState.over]]), ends_at = booked.booked_at,
      held_until = iif([[hasOffer(wishes)]], booked.booked_at, NULL), changed_at = booked.booked_at
    FROM bookings AS booked
    WHERE booked.provider_id = NEW.provider_id AND booked.starts_at = NEW.starts_at AND booked.id = NEW.id AND booked.moved_from IS NULL
      AND wishes.asked_by = (SELECT asked_by FROM wishes AS theirs WHERE theirs.account_id = booked.booker_id LIMIT 1)
      AND [[isWaiting(wishes)]] AND wishes.provider_id = booked.provider_id AND wishes.people <= booked.people
      AND (wishes.service_id IS NULL OR wishes.service_id = booked.service_id)
      AND (SELECT suits FROM wished_slots WHERE wished_slots.provider_id = wishes.provider_id AND wish_id = wishes.id
        AND wished_slots.starts_at = booked.starts_at);
  UPDATE bookings SET held_until = (
      SELECT wishes.held_until FROM wishes WHERE wishes.provider_id = bookings.provider_id AND wishes.id = bookings.wish_id)
    WHERE [[isHeld()]] AND provider_id = NEW.provider_id AND wish_id IN (
      SELECT id FROM wishes WHERE [[hasOffer()]] AND provider_id = NEW.provider_id AND asked_by = (SELECT asked_by
        FROM bookings AS booked CROSS JOIN wishes AS theirs ON theirs.account_id = booked.booker_id
        WHERE booked.provider_id = NEW.provider_id AND booked.starts_at = NEW.starts_at AND booked.id = NEW.id LIMIT 1));
END;

-- A procedure: the wish that is inserted here gets the first time that fits and is free between two instants, held. With less than two hours left nothing is held: whoever it fits is told,
-- and the first to book has it. By hand a time need not suit. A person holds one time of a provider at once.
CREATE VIEW offers AS
  SELECT provider_id, id AS wish_id, 0 AS now, 0 AS free_from, 0 AS free_until, 0 AS is_by_hand FROM wishes;

CREATE TRIGGER offers_are_held INSTEAD OF INSERT ON offers BEGIN
  INSERT INTO bookings (provider_id, starts_at, id, ends_at, kept_until, local_date, time_zone, city, notes, template_id, slot_id, status,
      people, booker_id, person_id, service_id, service_name, price, booked_at, cancel_until, phone, wish_id, held_until)
    SELECT provider_id, starts_at,
      iif(seats = 1, slot_id, [[freshId(provider_id, starts_at)]]),
      ends_at, kept_until, local_date, time_zone, city, notes, template_id, iif(seats = 1, NULL, slot_id), [[bookingStatus.held]],
      people, account_id, account_id, service_id, service_name, price, NEW.now, cancel_until, phone, wish_id,
      min(closes_at, morning + (ahead - (
        SELECT value ->> 1 FROM json_each(reader_clock) WHERE value ->> 0 <= morning ORDER BY key DESC LIMIT 1)) * 60000)
    -- Nobody is woken: what would end between 22:00 and 8:00 ends at 8:00, though clocks change in that night.
    FROM (SELECT *, until + iif((until / 60000 + ahead) % 1440 BETWEEN 480 AND 1319, 0,
        (1440 - (until / 60000 + ahead - 480) % 1440) * 60000 - until % 60000) AS morning
      FROM (SELECT *, (SELECT value ->> 1 FROM json_each(reader_clock) WHERE value ->> 0 <= until ORDER BY key DESC LIMIT 1) AS ahead
        FROM (SELECT *, CAST(NEW.now + min(max((starts_at - NEW.now) / 4, 1800000), 43200000) AS INTEGER) AS until
          FROM fits
          WHERE provider_id = NEW.provider_id AND wish_id = NEW.wish_id AND wish_state = [[wishState.inLine]]
            AND starts_at >= max(NEW.free_from, NEW.now + 7200000) AND starts_at < NEW.free_until
            AND (suits OR NEW.is_by_hand) AND NOT was_offered AND [[isAllowedNow(NEW.now)]]
            AND NOT EXISTS (SELECT 1 FROM wishes AS other
              WHERE other.asked_by = fits.asked_by AND [[hasOffer(other)]] AND other.provider_id = NEW.provider_id)
          ORDER BY starts_at LIMIT 1)));
  INSERT INTO notices (kind, once, account_id, actor_id, data, at)
    SELECT 'offer', wish_id || ':' || starts_at, account_id, provider_id,
      json_object('wish', wish_id, 'slot', slot_id, 'startsAt', starts_at, 'endsAt', ends_at, 'timeZone', time_zone, 'date', local_date), NEW.now
    FROM fits
    WHERE provider_id = NEW.provider_id AND wish_id = NEW.wish_id AND wish_state = [[wishState.inLine]]
      AND starts_at >= NEW.free_from AND starts_at < min(NEW.free_until, NEW.now + 7200000)
      AND (suits OR NEW.is_by_hand) AND NOT was_offered AND [[isAllowedNow(NEW.now)]];
END;

-- A procedure: a wish for an earlier time than that of the booking inserted here ends with it, or follows it: to where it is moved,
-- without an offer that is no earlier any more.
CREATE VIEW ended_bookings AS SELECT provider_id, id, starts_at, moved_to, canceled_at FROM bookings;

CREATE TRIGGER wishes_follow_their_booking INSTEAD OF INSERT ON ended_bookings BEGIN
  UPDATE wishes SET instead_of = coalesce(NEW.moved_to, instead_of),
      state = iif(NEW.moved_to IS NULL OR from_at >= [[startOf(NEW.moved_to)]], [[wishState.over]],
        iif([[startOf(offer_id)]] >= [[startOf(NEW.moved_to)]], [[wishState.inLine]], state)),
      (offer_id, held_until) = (SELECT offer_id, held_until WHERE NEW.moved_to IS NOT NULL
        AND max(from_at, [[startOf(offer_id)]]) < [[startOf(NEW.moved_to)]]),
      (until_at, ends_at) = (SELECT max(from_at + 1, min(last_at, ifnull(moved.starts_at, last_at))),
          min(last_at, ifnull(moved.starts_at - moved.cancel_until * 60000, last_at))
        FROM (SELECT 1) LEFT JOIN bookings AS moved ON moved.provider_id = NEW.provider_id AND moved.id = NEW.moved_to
          AND moved.starts_at = [[startOf(NEW.moved_to)]]),
      passed = iif(NEW.moved_to IS NULL OR EXISTS (SELECT 1 FROM json_each(passed) WHERE value = NEW.starts_at),
        passed, json_insert(passed, '$[#]', NEW.starts_at)),
      changed_at = NEW.canceled_at
    WHERE instead_of = NEW.id AND [[isWaiting()]];
END;

-- Times that somebody who waited has taken. Where a move by the waitlist had freed the time, it is one chain: filled counts who moved
-- forward in it so far, and after is the message about the one before.
CREATE VIEW filled_times AS
  SELECT taken.provider_id, taken.starts_at, taken.id, 1 + ifnull(before.data ->> 'filled', 0) AS filled, before.id AS after
  FROM bookings AS taken
    LEFT JOIN messages AS before ON before.data ->> 'filled' > 0 AND before.id = (
      SELECT 'moved:' || gone.moved_to || ':' || gone.provider_id FROM bookings AS gone
      WHERE gone.provider_id = taken.provider_id AND gone.starts_at = taken.starts_at AND [[hasEnded(gone)]]
      ORDER BY gone.canceled_at DESC LIMIT 1)
  WHERE taken.wish_id IS NOT NULL;

CREATE TRIGGER wishes_end_once BEFORE UPDATE OF state ON wishes WHEN [[isWishOver(OLD)]] AND NEW.state <> [[wishState.over]] BEGIN
  SELECT RAISE(ABORT, 'wish_ends_once');
END;

-- A wish without its offer gives its hold back.
CREATE TRIGGER wishes_let_go AFTER UPDATE OF offer_id ON wishes WHEN OLD.offer_id IS NOT NULL AND NEW.offer_id IS NULL BEGIN
  DELETE FROM bookings WHERE provider_id = OLD.provider_id AND starts_at = [[startOf(OLD.offer_id)]]
    AND id = OLD.offer_id AND [[isHeld()]];
END;

CREATE TRIGGER wishes_end_before_they_go BEFORE DELETE ON wishes WHEN [[hasOffer(OLD)]] BEGIN
  SELECT RAISE(ABORT, 'wish_has_an_offer');
END;
