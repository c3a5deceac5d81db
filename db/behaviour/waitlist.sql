-- Each wish with the slots of its provider, in whatever state; suits: within the range, on a day and at a time that it asks for.
CREATE VIEW wished_slots AS
  SELECT wish.provider_id, wish.id AS wish_id, wish.state AS wish_state, wish.asked_at, wish.asked_by, wish.account_id, wish.people, wish.phone,
    wish.service_id AS wished_service, wish.instead_of, wish.reader_clock, wish.ends_at AS wish_ends_at,
    slot.starts_at, slot.id, slot.ends_at, slot.state, slot.seats, slot.taken, slot.is_busy, slot.made_by, slot.withdrawn_at,
    slot.local_date, slot.time_zone, slot.city, slot.notes, slot.template_id, slot.service_id,
    slot.starts_at >= wish.from_at AND slot.starts_at < wish.until_at AND (wish.days IS NULL OR (wish.days >> strftime('%w', slot.local_date)) & 1)
      AND (wish.after IS NULL AND wish.before IS NULL OR (slot.starts_at / 60000 + [[minutesAhead(wish.clock, slot.starts_at)]]) % 1440
        BETWEEN ifnull(wish.after, 0) AND ifnull(wish.before, 1440) - 1) AS suits,
    EXISTS (SELECT 1 FROM json_each(wish.passed) WHERE value = slot.starts_at) AS was_offered
  FROM wishes AS wish CROSS JOIN slots AS slot ON slot.provider_id = wish.provider_id;

-- The open slots that each wish could have, by the conditions of every booking and some of its own. Whoever reads it names the wish and
-- a range of starts, and asks isAllowedNow, which knows the hour. An index finds what is open and not busy, so both stand here as well.
CREATE VIEW fits AS
  SELECT slots.wish_id, slots.wish_state, slots.asked_at, slots.asked_by, slots.account_id, slots.people, slots.phone,
    slots.instead_of, slots.reader_clock, slots.wish_ends_at, slots.id AS open_slot_id,
    [[columnsOfOffer()]],
    ruler.notice, ruler.horizon_days, ruler.per_person, ruler.cancel_until,
    min(slots.wish_ends_at - 1, [[lastMoment(slots.starts_at, ruler)]]) AS closes_at, slots.suits, slots.was_offered
  FROM accounts AS ruler CROSS JOIN wished_slots AS slots ON slots.provider_id = ruler.id [[withService(slots.wished_service)]]
    -- A wish for an earlier time is to move this booking.
    LEFT JOIN bookings AS old ON old.provider_id = slots.provider_id AND old.starts_at = [[startOf(slots.instead_of)]]
      AND old.id = slots.instead_of AND [[isBooked(old)]]
  WHERE [[isOpen(slots)]] AND [[isNotBusy(slots)]]
    -- What hours or the provider no longer want is offered to nobody.
    AND [[isStillWanted(slots)]]
    AND ruler.waitlist = 'on'
    AND (slots.instead_of IS NOT NULL OR [[takesPerson(ruler, slots.account_id)]])
    AND [[hasRoomFor(ruler)]]
    AND [[whyNotOffered(slots.wished_service, slots.people)]] IS NULL
    -- A wish is for one slot. The gap after its service takes what begins in it, as a booking does.
    AND [[endOfOffer()]] <= slots.ends_at
    AND NOT EXISTS (SELECT 1 FROM bookings AS mine WHERE mine.booker_id = slots.account_id AND [[stands(mine)]]
      AND mine.starts_at = slots.starts_at AND mine.provider_id = slots.provider_id)
    AND (slots.instead_of IS NULL OR old.starts_at > slots.starts_at);

-- Who is in line, and how long before a time that comes free their own may begin: as far as the gap of their service reaches, or of the
-- booking that they want to move.
CREATE VIEW in_line AS
  SELECT wish.*, ifnull(iif(wish.instead_of IS NULL,
    (SELECT iif(gap > 0, minutes + gap, 0) * 60000 FROM services
      WHERE services.provider_id = wish.provider_id AND services.id = wish.service_id),
    (SELECT iif(old.taken_until > old.ends_at, old.taken_until - old.starts_at, 0) FROM bookings AS old
      WHERE old.provider_id = wish.provider_id AND old.starts_at = [[startOf(wish.instead_of)]] AND old.id = wish.instead_of)), 0) AS reach
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

-- A procedure: the wish that is inserted here gets the first time that fits and is free between two instants, held. With less than two
-- hours left nothing is held: whoever it fits is told, and the first to book has it. By hand a time need not suit.
CREATE VIEW offers AS
  SELECT provider_id, id AS wish_id, 0 AS now, 0 AS free_from, 0 AS free_until, 0 AS is_by_hand FROM wishes;

-- Procedures: the two kinds of offers, each between two instants of its own.
CREATE VIEW held_offers AS SELECT * FROM offers;
CREATE VIEW told_offers AS SELECT * FROM offers;

-- A wish for which a time is held now is not in line any more, so it is told of no other.
CREATE TRIGGER offers_are_held_or_told INSTEAD OF INSERT ON offers BEGIN
  INSERT INTO held_offers (provider_id, wish_id, now, free_from, free_until, is_by_hand)
    VALUES (NEW.provider_id, NEW.wish_id, NEW.now, max(NEW.free_from, NEW.now + 2 * [[time.hour]]), NEW.free_until, NEW.is_by_hand);
  INSERT INTO told_offers (provider_id, wish_id, now, free_from, free_until, is_by_hand)
    VALUES (NEW.provider_id, NEW.wish_id, NEW.now, NEW.free_from, min(NEW.free_until, NEW.now + 2 * [[time.hour]]), NEW.is_by_hand);
END;

-- Read the steps from the innermost: the time, how long it is held, and how long if nobody is woken. They are one statement, so that
-- what fits is looked for once. A person holds one time of a provider at once.
CREATE TRIGGER offers_are_held INSTEAD OF INSERT ON held_offers BEGIN
  INSERT INTO bookings ([[columnsByTime()]],
      status, people, booker_id, booker_name, person_id, booked_at, cancel_until, phone, wish_id, shop_id, held_until)
    SELECT [[columnsByTime()]],
      [[bookingStatus.held]], people, account_id, [[nameOf(account_id)]], account_id, NEW.now, cancel_until, phone, wish_id, [[shopOf(provider_id)]],
      min(closes_at, waking + (ahead - [[minutesAhead(reader_clock, waking)]]) * 60000)
    -- What would end at night ends in the morning, though clocks change in that night.
    FROM (SELECT *, iif((until / 60000 + ahead) % 1440 BETWEEN [[night.end]] AND [[night.start]] - 1, until,
        until - until % 60000 + (1440 - (until / 60000 + ahead - [[night.end]]) % 1440) * 60000) AS waking
      FROM (SELECT *, [[minutesAhead(reader_clock, until)]] AS ahead
        -- A quarter of what is left, but half an hour at least and twelve hours at most.
        FROM (SELECT *, CAST(NEW.now + min(max((starts_at - NEW.now) / 4, [[time.hour]] / 2), 12 * [[time.hour]]) AS INTEGER) AS until
          FROM fits
          WHERE provider_id = NEW.provider_id AND wish_id = NEW.wish_id AND wish_state = [[wishState.inLine]]
            AND starts_at >= NEW.free_from AND starts_at < NEW.free_until
            AND (suits OR NEW.is_by_hand) AND NOT was_offered AND [[isAllowedNow(NEW.now)]]
            AND NOT EXISTS (SELECT 1 FROM wishes AS other
              WHERE other.asked_by = fits.asked_by AND [[hasOffer(other)]] AND other.provider_id = NEW.provider_id)
          ORDER BY starts_at LIMIT 1)));
END;

CREATE TRIGGER offers_are_told INSTEAD OF INSERT ON told_offers BEGIN
  INSERT INTO notices (kind, once, account_id, actor_id, data, at)
    SELECT 'offer', wish_id || ':' || starts_at, account_id, provider_id,
      json_object('wish', wish_id, 'slot', open_slot_id, 'startsAt', starts_at, 'endsAt', ends_at, 'timeZone', time_zone, 'date', local_date), NEW.now
    FROM fits
    WHERE provider_id = NEW.provider_id AND wish_id = NEW.wish_id AND wish_state = [[wishState.inLine]]
      AND starts_at >= NEW.free_from AND starts_at < NEW.free_until
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
