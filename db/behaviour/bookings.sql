-- The bookings on each card. Most were made by the account with the card's own id, whose index finds them; only the others cost an
-- entry in an index of cards. SQLite uses both indexes only in a SELECT that is sorted by what it returns and counts nothing, so an
-- aggregate counts the rows of a MATERIALIZED one.
CREATE VIEW bookings_on_cards AS
  SELECT booker_id AS card_id, * FROM bookings INDEXED BY bookings_by_booker WHERE person_id = booker_id
  UNION ALL SELECT person_id, * FROM bookings INDEXED BY bookings_by_person WHERE person_id <> booker_id;

-- What follows a new booking: always, it takes its slots, fills its day and is in feeds; if it is booked, it makes a card and is told
-- of; a move, a hold, and a booking of somebody who waits do one thing more. No trigger here needs another one of its event to run
-- before it, since SQLite promises no order.

-- A booking takes its slots, or the batch fails. The condition is 1 for each slot that has room for it; the least of them is 1 if all
-- have, and null if there is no slot.
CREATE TRIGGER bookings_take_their_slots AFTER INSERT ON bookings BEGIN
  SELECT RAISE(ABORT, 'booking_begins_live') WHERE NEW.status > [[bookingStatus.booked]];
  SELECT RAISE(ABORT, 'slot_not_open') WHERE (
    SELECT min(([[isOpen()]] AND taken + NEW.people <= seats
        OR [[isPartOf(NEW.moved_from)]])
      AND iif(seats = 1, starts_at <> NEW.starts_at OR id = NEW.id, id IS NEW.slot_id AND ends_at = NEW.taken_until))
    FROM slots WHERE [[isInTimeOf(NEW)]]
      AND (state <> [[slotState.withdrawn]] OR starts_at < NEW.ends_at)) IS NOT 1
    OR NOT EXISTS (SELECT 1 FROM slots WHERE provider_id = NEW.provider_id AND starts_at = NEW.starts_at);
  -- What is moved onto a part of its own time keeps that part.
  UPDATE slots SET part_of = NEW.starts_at,
      id = iif(starts_at = NEW.starts_at, id, [[freshId(provider_id, starts_at)]])
    WHERE NEW.moved_from IS NOT NULL AND [[isInTimeOf(NEW)]]
      AND [[isPartOf(NEW.moved_from)]];
  UPDATE slots SET taken = taken + NEW.people, state = [[slotState.full]], part_of = NEW.starts_at
    WHERE [[isInTimeOf(NEW)]]
      AND [[isOpen()]] AND taken + NEW.people = seats;
  UPDATE slots SET taken = taken + NEW.people WHERE provider_id = NEW.provider_id AND starts_at = NEW.starts_at AND [[isOpen()]];
END;

CREATE TRIGGER bookings_move_once AFTER INSERT ON bookings WHEN NEW.moved_from IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'booking_moves_whole') WHERE NEW.moved_by IS NOT 'provider' AND NEW.moved_by IS NOT 'consumer' OR NOT EXISTS (
    SELECT 1 FROM bookings WHERE provider_id = [[providerOf(NEW.moved_from)]] AND starts_at = [[startOf(NEW.moved_from)]]
      AND id = NEW.moved_from AND booker_id = NEW.booker_id AND [[isBooked()]]);
  SELECT RAISE(ABORT, 'booking_stays_in_shop') WHERE [[providerOf(NEW.moved_from)]] <> NEW.provider_id AND NOT EXISTS (
    SELECT 1 FROM colleagues AS former CROSS JOIN colleagues AS taker ON taker.shop_id = former.shop_id
    WHERE former.account_id = [[providerOf(NEW.moved_from)]] AND taker.account_id = NEW.provider_id);
END;

-- Two slots of one date start less than two days apart, wherever the provider was when they were published.
CREATE TRIGGER bookings_fill_their_day AFTER INSERT ON bookings BEGIN
  INSERT INTO full_days SELECT NEW.provider_id, NEW.local_date FROM accounts
    WHERE id = NEW.provider_id AND per_day IS NOT NULL
      AND per_day <= [[countOfDay(NEW.provider_id, NEW.local_date, NEW.starts_at)]]
    ON CONFLICT DO NOTHING;
END;

-- A procedure: there is room again on the day of the booking that is inserted here, if it was the one too many.
CREATE VIEW roomier_days AS SELECT provider_id, local_date, starts_at FROM bookings;

CREATE TRIGGER days_have_room_again INSTEAD OF INSERT ON roomier_days BEGIN
  DELETE FROM full_days WHERE provider_id = NEW.provider_id AND local_date = NEW.local_date
    AND (SELECT per_day FROM accounts WHERE id = NEW.provider_id) > [[countOfDay(NEW.provider_id, NEW.local_date, NEW.starts_at)]];
END;

CREATE TRIGGER bookings_make_cards AFTER INSERT ON bookings WHEN [[isBooked(NEW)]] BEGIN
  INSERT INTO first_bookings (provider_id, person_id, booker_id, code_hash, phone)
    VALUES (NEW.provider_id, NEW.person_id, NEW.booker_id, NEW.code_hash, NEW.phone);
END;

-- The Worker of 1.0.0 knows no booker_name. It runs on these tables between a migration and the deployment, and books and hands over without the name.
CREATE TRIGGER bookings_name_their_client AFTER INSERT ON bookings WHEN NEW.booker_name = '' BEGIN
  UPDATE bookings SET booker_name = ifnull((SELECT display_name FROM accounts WHERE accounts.id = NEW.booker_id), '')
    WHERE provider_id = NEW.provider_id AND starts_at = NEW.starts_at AND id = NEW.id;
END;

CREATE TRIGGER bookings_name_their_new_client AFTER UPDATE OF booker_id ON bookings
WHEN NEW.booker_id <> OLD.booker_id AND NEW.booker_name = OLD.booker_name BEGIN
  UPDATE bookings SET booker_name = ifnull((SELECT display_name FROM accounts WHERE accounts.id = NEW.booker_id), '')
    WHERE provider_id = NEW.provider_id AND starts_at = NEW.starts_at AND id = NEW.id;
END;

CREATE TRIGGER bookings_fulfil_wishes AFTER INSERT ON bookings
WHEN [[isBooked(NEW)]] AND EXISTS (SELECT 1 FROM wishes WHERE account_id = NEW.booker_id AND [[isWaiting()]]) BEGIN
  INSERT INTO fulfilled_wishes (provider_id, starts_at, id) VALUES (NEW.provider_id, NEW.starts_at, NEW.id);
END;

CREATE TRIGGER bookings_join_feeds AFTER INSERT ON bookings BEGIN
  UPDATE feeds SET version = version + 1 WHERE account_id = NEW.provider_id OR account_id = NEW.booker_id;
END;

-- Tells both sides; of several bookings at once, the first one tells of all. Whom the provider booked for reads it as news, unless
-- they are a guest; the provider themselves reads it if a colleague booked for them. A move is told when the old booking ends.
CREATE TRIGGER bookings_are_told AFTER INSERT ON bookings WHEN [[isBooked(NEW)]] AND NEW.moved_from IS NULL BEGIN
  INSERT INTO notices (kind, once, account_id, booking_id, actor_id, data, at)
    SELECT 'booked', coalesce(NEW.told_with, NEW.id) || ':' || NEW.provider_id, NEW.provider_id, NEW.id,
      coalesce(NEW.acted_by, NEW.booker_id), json_object('with', NEW.told_with, 'isActed', iif(NEW.acted_by IS NULL, NULL, 1)), NEW.booked_at
    WHERE NOT [[isMadeForSomebody(NEW)]] OR NEW.acted_by IS NOT NULL;
  INSERT INTO notices (kind, once, account_id, booking_id, data, at, is_for_mail, email, email_hash)
    VALUES ('booked', coalesce(NEW.told_with, NEW.id) || ':' || NEW.booker_id, NEW.booker_id, NEW.id,
      json_object('with', NEW.told_with), NEW.booked_at,
      NOT [[isMadeForSomebody(NEW)]] OR (SELECT username IS NULL FROM accounts WHERE id = NEW.booker_id), NEW.email, NEW.email_hash);
  INSERT INTO program_news (kind, provider_id, booking_id, at) VALUES ('booked', NEW.provider_id, NEW.id, NEW.booked_at);
END;

-- A hold is the offer of a wish.
CREATE TRIGGER holds_are_offers AFTER INSERT ON bookings WHEN [[isHeld(NEW)]] BEGIN
  SELECT RAISE(ABORT, 'hold_is_for_a_wish') WHERE NOT EXISTS (
    SELECT 1 FROM wishes WHERE provider_id = NEW.provider_id AND id = NEW.wish_id AND [[isInLine()]] AND account_id = NEW.booker_id);
  UPDATE wishes SET state = [[wishState.offered]], offer_id = NEW.id, held_until = NEW.held_until, changed_at = NEW.booked_at,
      passed = json_insert(passed, '$[#]', NEW.starts_at)
    WHERE provider_id = NEW.provider_id AND id = NEW.wish_id;
  INSERT INTO notices (kind, once, account_id, booking_id, actor_id, data, at)
    VALUES ('offer', NEW.wish_id || ':' || NEW.starts_at, NEW.booker_id, NEW.id, NEW.provider_id,
      json_object('wish', NEW.wish_id, 'startsAt', NEW.starts_at, 'endsAt', NEW.ends_at, 'timeZone', NEW.time_zone, 'date', NEW.local_date,
        'heldUntil', NEW.held_until), NEW.booked_at);
END;

-- What a booking is never changes, and it ends once. What a guest has booked goes along to the account that they log in to.
CREATE TRIGGER bookings_keep_their_time
BEFORE UPDATE OF provider_id, starts_at, id, ends_at, taken_until, local_date, time_zone, people ON bookings BEGIN
  SELECT RAISE(ABORT, 'booking_keeps_its_time') WHERE NEW.provider_id <> OLD.provider_id OR NEW.starts_at <> OLD.starts_at
    OR NEW.id <> OLD.id OR NEW.ends_at <> OLD.ends_at OR NEW.taken_until <> OLD.taken_until OR NEW.local_date <> OLD.local_date
    OR NEW.time_zone <> OLD.time_zone OR NEW.people <> OLD.people;
END;

CREATE TRIGGER bookings_live_once BEFORE UPDATE OF status, canceled_at ON bookings BEGIN
  SELECT RAISE(ABORT, 'booking_lives_once') WHERE NEW.status < OLD.status OR [[hasEnded(OLD)]] AND NEW.canceled_at IS NOT OLD.canceled_at;
END;

CREATE TRIGGER bookings_keep_their_chain BEFORE UPDATE OF moved_from, moved_by, moved_to, calendar_id ON bookings BEGIN
  SELECT RAISE(ABORT, 'booking_keeps_its_chain')
    WHERE [[wasBooked(OLD)]] AND (NEW.moved_from IS NOT OLD.moved_from OR NEW.moved_by IS NOT OLD.moved_by OR NEW.calendar_id IS NOT OLD.calendar_id);
  SELECT RAISE(ABORT, 'booking_moved') WHERE NEW.moved_to IS NOT OLD.moved_to AND (
    OLD.status <> [[bookingStatus.booked]] OR NEW.status <> [[bookingStatus.ended]] OR NOT EXISTS (
      SELECT 1 FROM bookings WHERE provider_id = [[providerOf(NEW.moved_to)]] AND starts_at = [[startOf(NEW.moved_to)]]
        AND id = NEW.moved_to AND moved_from = NEW.id));
END;

CREATE TRIGGER bookings_keep_their_booker BEFORE UPDATE OF booker_id ON bookings BEGIN
  SELECT RAISE(ABORT, 'booking_keeps_its_booker')
    WHERE NEW.booker_id <> OLD.booker_id AND (SELECT username FROM accounts WHERE id = OLD.booker_id) IS NOT NULL;
END;

CREATE TRIGGER bookings_know_who_came BEFORE UPDATE OF attendance ON bookings BEGIN
  SELECT RAISE(ABORT, 'unknown_attendance')
    WHERE NEW.attendance <> 'seen' AND NEW.attendance <> 'excused' AND NEW.attendance <> 'missed';
END;

CREATE TRIGGER bookings_change_in_feeds AFTER UPDATE OF status ON bookings WHEN NEW.status > OLD.status BEGIN
  UPDATE feeds SET version = version + 1 WHERE account_id = NEW.provider_id OR account_id = NEW.booker_id;
END;

-- A hold that is taken is a booking from then on, of somebody who may have none with this provider so far.
CREATE TRIGGER taken_holds_make_cards AFTER UPDATE OF status ON bookings WHEN [[isHeld(OLD)]] AND [[isBooked(NEW)]] BEGIN
  INSERT INTO first_bookings (provider_id, person_id, booker_id, code_hash, phone)
    VALUES (NEW.provider_id, NEW.person_id, NEW.booker_id, NEW.code_hash, NEW.phone);
END;

-- Their person's other wishes look through all that they ask for, since nothing was kept for them while this one had an offer.
CREATE TRIGGER taken_holds_end_their_wish AFTER UPDATE OF status ON bookings WHEN [[isHeld(OLD)]] AND [[isBooked(NEW)]] BEGIN
  UPDATE wishes SET state = [[wishState.over]], held_until = NULL, changed_at = NEW.booked_at
    WHERE provider_id = NEW.provider_id AND id = NEW.wish_id AND offer_id = NEW.id;
  INSERT INTO fulfilled_wishes (provider_id, starts_at, id) SELECT NEW.provider_id, NEW.starts_at, NEW.id
    WHERE EXISTS (SELECT 1 FROM wishes AS taken CROSS JOIN wishes AS other ON other.asked_by = taken.asked_by
      WHERE taken.provider_id = NEW.provider_id AND taken.id = NEW.wish_id AND [[isWaiting(other)]]);
  INSERT INTO offers (provider_id, wish_id, now, free_from, free_until, is_by_hand)
    SELECT provider_id, id, NEW.booked_at, from_at, until_at, 0
    FROM wishes WHERE [[isInLine()]] AND provider_id = NEW.provider_id AND asked_by = (
      SELECT asked_by FROM wishes AS taken WHERE taken.provider_id = NEW.provider_id AND taken.id = NEW.wish_id)
    ORDER BY asked_at, id;
END;

CREATE TRIGGER taken_holds_are_told AFTER UPDATE OF status ON bookings
WHEN [[isHeld(OLD)]] AND [[isBooked(NEW)]] AND NEW.moved_from IS NULL BEGIN
  INSERT INTO notices (kind, once, account_id, booking_id, actor_id, data, at)
    SELECT 'booked', id || ':' || provider_id, provider_id, id, NEW.booker_id, json_object('filled', filled, 'after', after), NEW.booked_at
    FROM filled_times WHERE provider_id = NEW.provider_id AND starts_at = NEW.starts_at AND id = NEW.id;
  INSERT INTO notices (kind, once, account_id, booking_id, at, is_for_mail)
    VALUES ('booked', NEW.id || ':' || NEW.booker_id, NEW.booker_id, NEW.id, NEW.booked_at, 1);
  INSERT INTO program_news (kind, provider_id, booking_id, at) VALUES ('booked', NEW.provider_id, NEW.id, NEW.booked_at);
END;

-- A procedure: the time of the booking that has ended here is offered to those in line. A wish that followed the booking to a later time
-- looks through all that it asks for, since what lies between was free already.
CREATE VIEW freed_times AS SELECT provider_id, starts_at, taken_until, moved_to, canceled_at FROM bookings;

CREATE TRIGGER freed_times_are_offered INSTEAD OF INSERT ON freed_times BEGIN
  INSERT INTO offers (provider_id, wish_id, now, free_from, free_until, is_by_hand)
    SELECT provider_id, id, NEW.canceled_at, iif(instead_of = NEW.moved_to, from_at, NEW.starts_at - reach),
      iif(instead_of = NEW.moved_to, until_at, NEW.taken_until), 0
    FROM in_line WHERE provider_id = NEW.provider_id AND from_at < NEW.taken_until AND until_at > NEW.starts_at - reach
    ORDER BY asked_at, id;
END;

-- A procedure: the booking or hold that has ended here gives its slots back, where its provider is now: seats of a class in place, a slot
-- of one seat under a new id. That is withdrawn if its provider wants that, or had withdrawn it before. A hold has no row of its own
-- when it is over, so a held time that was withdrawn keeps its id.
CREATE VIEW ended_times AS SELECT provider_id, starts_at, taken_until, slot_id, people, withdraws, status FROM bookings;

CREATE TRIGGER ended_times_are_given_back INSTEAD OF INSERT ON ended_times BEGIN
  UPDATE slots SET taken = taken - NEW.people
    WHERE provider_id = NEW.provider_id AND starts_at = NEW.starts_at AND id IS NEW.slot_id AND [[isOpen()]];
  UPDATE slots SET taken = taken - NEW.people, part_of = NULL,
      state = iif(seats = 1 AND (NEW.withdraws OR withdrawn_at IS NOT NULL), [[slotState.withdrawn]], [[slotState.open]]),
      id = iif(seats = 1 AND ([[hasEnded(NEW)]] OR withdrawn_at IS NULL), [[freshId(provider_id, starts_at)]], id),
      city = [[cityNow()]]
    WHERE [[isInTimeOf(NEW)]]
      AND [[isFull()]] AND part_of = NEW.starts_at;
END;

-- What ends gives its time back. Then wishes for an earlier time follow their booking, and those in line are offered what is free now.
-- Where nothing follows, those in line come first: a wish that ends may let go of a time, and then the other wishes of its person look
-- through all that is free. A booking that goes to a colleague is gone from here: the wish for an earlier time with this provider ends.
CREATE TRIGGER bookings_give_their_time_back AFTER UPDATE OF status ON bookings WHEN [[stands(OLD)]] AND [[hasEnded(NEW)]] BEGIN
  INSERT INTO ended_times (provider_id, starts_at, taken_until, slot_id, people, withdraws, status)
    VALUES (NEW.provider_id, NEW.starts_at, NEW.taken_until, NEW.slot_id, NEW.people, NEW.withdraws, NEW.status);
  INSERT INTO roomier_days (provider_id, local_date, starts_at) VALUES (NEW.provider_id, NEW.local_date, NEW.starts_at);
  INSERT INTO freed_times (provider_id, starts_at, taken_until, canceled_at)
    SELECT NEW.provider_id, NEW.starts_at, NEW.taken_until, NEW.canceled_at
    WHERE [[providerOf(NEW.moved_to)]] IS NOT NEW.provider_id;
  INSERT INTO ended_bookings (provider_id, id, starts_at, moved_to, canceled_at)
    VALUES (NEW.provider_id, NEW.id, NEW.starts_at,
      iif([[providerOf(NEW.moved_to)]] = NEW.provider_id, NEW.moved_to, NULL), NEW.canceled_at);
  INSERT INTO freed_times (provider_id, starts_at, taken_until, moved_to, canceled_at)
    SELECT NEW.provider_id, NEW.starts_at, NEW.taken_until, NEW.moved_to, NEW.canceled_at
    WHERE [[providerOf(NEW.moved_to)]] = NEW.provider_id;
END;

-- The other side is told of a cancellation or a move, and the provider of what a colleague did for them; whoever did it as the booker has
-- it by mail, for their calendar.
CREATE TRIGGER cancellations_are_told AFTER UPDATE OF status ON bookings
WHEN [[isBooked(OLD)]] AND [[hasEnded(NEW)]] AND NEW.moved_to IS NULL BEGIN
  INSERT INTO notices (kind, once, account_id, booking_id, actor_id, data, at)
    SELECT 'canceled', coalesce(NEW.told_with, NEW.id) || ':' || NEW.provider_id, NEW.provider_id, NEW.id,
      coalesce(NEW.acted_by, NEW.booker_id),
      json_object('reason', NEW.reason, 'with', NEW.told_with, 'isActed', iif(NEW.acted_by IS NULL, NULL, 1)), NEW.canceled_at
    WHERE NEW.canceled_by = 'consumer' OR NEW.acted_by IS NOT NULL;
  INSERT INTO notices (kind, once, account_id, booking_id, actor_id, data, at, is_for_mail, email, email_hash)
    VALUES ('canceled', coalesce(NEW.told_with, NEW.id) || ':' || NEW.booker_id, NEW.booker_id, NEW.id,
      iif(NEW.canceled_by = 'provider', NEW.provider_id, NULL), json_object('reason', NEW.reason, 'with', NEW.told_with), NEW.canceled_at,
      NEW.canceled_by = 'consumer', NEW.email, NEW.email_hash);
  INSERT INTO program_news (kind, provider_id, booking_id, at) VALUES ('canceled', NEW.provider_id, NEW.id, NEW.canceled_at);
END;

-- The message about a hand-over of several names them all. Whose it was is said where it went to a colleague.
CREATE TRIGGER moves_are_told AFTER UPDATE OF status ON bookings
WHEN [[isBooked(OLD)]] AND [[hasEnded(NEW)]] AND NEW.moved_to IS NOT NULL BEGIN
  INSERT INTO notices (kind, once, account_id, booking_id, actor_id, data, at)
    SELECT 'moved', NEW.moved_to || ':' || NEW.provider_id, NEW.provider_id, NEW.moved_to,
      coalesce(NEW.acted_by, NEW.booker_id),
      json_object('startsAt', NEW.starts_at, 'endsAt', NEW.ends_at, 'reason', NEW.reason, 'filled', filled, 'after', after,
        'isActed', iif(NEW.acted_by IS NULL, NULL, 1)), NEW.canceled_at
    FROM (SELECT 1) LEFT JOIN filled_times ON provider_id = NEW.provider_id AND starts_at = [[startOf(NEW.moved_to)]] AND id = NEW.moved_to
    WHERE (NEW.canceled_by = 'consumer' OR NEW.acted_by IS NOT NULL) AND [[providerOf(NEW.moved_to)]] = NEW.provider_id;
  INSERT INTO notices (kind, once, account_id, booking_id, actor_id, data, at, is_for_mail, email, email_hash)
    VALUES ('moved', coalesce(NEW.told_with, NEW.moved_to) || ':' || NEW.booker_id, NEW.booker_id, NEW.moved_to,
      iif(NEW.canceled_by = 'provider', NEW.provider_id, NULL),
      json_object('startsAt', NEW.starts_at, 'endsAt', NEW.ends_at, 'reason', NEW.reason, 'with', NEW.told_with, 'from',
        iif([[providerOf(NEW.moved_to)]] = NEW.provider_id, NULL, (SELECT display_name FROM accounts WHERE id = NEW.provider_id))), NEW.canceled_at,
      NEW.canceled_by = 'consumer', NEW.email, NEW.email_hash);
  INSERT INTO program_news (kind, provider_id, booking_id, at)
    SELECT 'moved', NEW.provider_id, NEW.moved_to, NEW.canceled_at WHERE [[providerOf(NEW.moved_to)]] = NEW.provider_id;
END;

-- A client who moves to a colleague: whoever has it now is told, and whoever had it. What the desk moves is told by its statement, which
-- knows who did it. For programs it is gone from one book, and new in the other.
CREATE TRIGGER moves_to_colleagues_are_told AFTER UPDATE OF status ON bookings
WHEN [[isBooked(OLD)]] AND [[hasEnded(NEW)]] AND [[providerOf(NEW.moved_to)]] <> NEW.provider_id BEGIN
  INSERT INTO notices (kind, once, account_id, booking_id, actor_id, data, at)
    SELECT 'moved', NEW.moved_to || ':' || taker.id, taker.id, NEW.moved_to, NEW.booker_id,
      json_object('startsAt', NEW.starts_at, 'endsAt', NEW.ends_at, 'from', former.display_name), NEW.canceled_at
    FROM accounts AS taker CROSS JOIN accounts AS former
    WHERE taker.id = [[providerOf(NEW.moved_to)]] AND former.id = NEW.provider_id AND NEW.canceled_by = 'consumer';
  INSERT INTO notices (kind, once, account_id, booking_id, actor_id, data, at)
    SELECT 'moved', NEW.moved_to || ':' || NEW.provider_id, NEW.provider_id, NEW.id, NEW.booker_id,
      json_object('to', taker.display_name), NEW.canceled_at
    FROM accounts AS taker WHERE taker.id = [[providerOf(NEW.moved_to)]] AND NEW.canceled_by = 'consumer';
  INSERT INTO program_news (kind, provider_id, booking_id, at) VALUES ('canceled', NEW.provider_id, NEW.id, NEW.canceled_at);
  INSERT INTO program_news (kind, provider_id, booking_id, at)
    VALUES ('booked', [[providerOf(NEW.moved_to)]], NEW.moved_to, NEW.canceled_at);
END;

-- The hold of a wish that let its offer go: the time is free again, and offered to those who wait. The wish, and the others of its
-- person, look through all that they ask for, since what came free meanwhile was not kept for them.
CREATE TRIGGER bookings_hold_no_more AFTER DELETE ON bookings WHEN [[isHeld(OLD)]] BEGIN
  INSERT INTO ended_times (provider_id, starts_at, taken_until, slot_id, people, withdraws, status)
    VALUES (OLD.provider_id, OLD.starts_at, OLD.taken_until, OLD.slot_id, OLD.people, OLD.withdraws, OLD.status);
  INSERT INTO roomier_days (provider_id, local_date, starts_at) VALUES (OLD.provider_id, OLD.local_date, OLD.starts_at);
  INSERT INTO offers (provider_id, wish_id, now, free_from, free_until, is_by_hand)
    SELECT own.provider_id, own.id, ended.changed_at, iif(own.asked_by = ended.asked_by, own.from_at, OLD.starts_at - own.reach),
      iif(own.asked_by = ended.asked_by, own.until_at, OLD.taken_until), 0
    FROM wishes AS ended CROSS JOIN in_line AS own
    WHERE ended.provider_id = OLD.provider_id AND ended.id = OLD.wish_id AND own.provider_id = OLD.provider_id
      AND (own.asked_by = ended.asked_by OR own.from_at < OLD.taken_until AND own.until_at > OLD.starts_at - own.reach)
    ORDER BY own.asked_at, own.id;
END;

CREATE TRIGGER bookings_end_before_they_go BEFORE DELETE ON bookings WHEN [[isBooked(OLD)]] OR [[isHeld(OLD)]] AND EXISTS (
  SELECT 1 FROM wishes WHERE provider_id = OLD.provider_id AND id = OLD.wish_id AND offer_id = OLD.id) BEGIN
  SELECT RAISE(ABORT, 'booking_is_live');
END;

-- Answers that are deleted are no new answers.
CREATE TRIGGER bookings_tell_of_new_answers AFTER UPDATE OF answers ON bookings
WHEN OLD.answered_at IS NOT NULL AND NEW.answered_at IS NOT NULL AND NEW.answers <> OLD.answers BEGIN
  INSERT INTO notices (kind, once, account_id, booking_id, actor_id, at)
    VALUES ('answers', NEW.id || ':' || NEW.answered_at || ':' || NEW.provider_id, NEW.provider_id, NEW.id, NEW.booker_id, NEW.answered_at);
END;

-- A program is told of the first answers too, if they come after the booking.
CREATE TRIGGER bookings_tell_programs_of_answers AFTER UPDATE OF answers ON bookings
WHEN NEW.answered_at IS NOT NULL AND (OLD.answered_at IS NULL OR NEW.answers <> OLD.answers) BEGIN
  INSERT INTO program_news (kind, provider_id, booking_id, at) VALUES ('answers', NEW.provider_id, NEW.id, NEW.answered_at);
END;

CREATE TRIGGER bookings_count_attendance AFTER UPDATE OF attendance ON bookings WHEN NEW.attendance IS NOT OLD.attendance BEGIN
  UPDATE people SET
    seen = seen + (NEW.attendance IS 'seen') - (OLD.attendance IS 'seen'),
    excused = excused + (NEW.attendance IS 'excused') - (OLD.attendance IS 'excused'),
    missed = missed + (NEW.attendance IS 'missed') - (OLD.attendance IS 'missed')
  WHERE provider_id = NEW.provider_id AND id = NEW.person_id;
  -- No column says when a mark was set.
  INSERT INTO program_news (kind, provider_id, booking_id, at)
    VALUES ('attendance', NEW.provider_id, NEW.id, CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;

CREATE TRIGGER bookings_change_hands_in_feeds AFTER UPDATE OF booker_id ON bookings WHEN NEW.booker_id <> OLD.booker_id BEGIN
  UPDATE feeds SET version = version + 1 WHERE account_id = NEW.booker_id OR account_id = NEW.provider_id;
END;

-- All bookings of a guest go along to the account that they log in to, with what is on their card.
CREATE TRIGGER cards_follow_their_bookings AFTER UPDATE OF booker_id ON bookings WHEN NEW.booker_id <> OLD.booker_id BEGIN
  INSERT INTO people (provider_id, id, booker_id, name_sort_key)
    SELECT NEW.provider_id, NEW.person_id, id, display_sort_key FROM accounts WHERE id = NEW.booker_id
    ON CONFLICT DO NOTHING;
  INSERT INTO changed_cards (provider_id, former_id, person_id, attendance)
    SELECT NEW.provider_id, OLD.person_id, NEW.person_id, OLD.attendance WHERE NEW.person_id <> OLD.person_id;
  INSERT INTO left_cards (provider_id, id) SELECT NEW.provider_id, OLD.person_id WHERE NEW.person_id <> OLD.person_id;
END;
