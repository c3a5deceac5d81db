

----------------------------------------------------------------------------------------------------------------------
-- Triggers and views: `npm run structure` writes them here from db/behaviour.

DROP TRIGGER invitations_are_sent;

DROP TRIGGER invitations_are_sent_again;

DROP VIEW fits;

CREATE VIEW sent_invitations AS SELECT id, party_id, email, email_hash, email_at FROM invitations;

CREATE TRIGGER sent_invitations_are_told INSTEAD OF INSERT ON sent_invitations BEGIN
  INSERT INTO notices (kind, once, invitation_id, party_id, at, email, email_hash)
    VALUES ('invited', NEW.id || ':' || coalesce(NEW.email_hash, lower(NEW.email)), NEW.id, NEW.party_id, NEW.email_at, NEW.email,
      NEW.email_hash);
END;

CREATE TRIGGER invitations_are_sent AFTER INSERT ON invitations WHEN NEW.email IS NOT NULL AND NEW.account_id IS NULL BEGIN
  INSERT INTO sent_invitations (id, party_id, email, email_hash, email_at)
    VALUES (NEW.id, NEW.party_id, NEW.email, NEW.email_hash, NEW.email_at);
END;

CREATE TRIGGER invitations_are_sent_again AFTER UPDATE OF email_at ON invitations
WHEN NEW.email IS NOT NULL AND NEW.account_id IS NULL AND NEW.mail_ended_at IS NULL BEGIN
  INSERT INTO sent_invitations (id, party_id, email, email_hash, email_at)
    VALUES (NEW.id, NEW.party_id, NEW.email, NEW.email_hash, NEW.email_at);
END;

CREATE VIEW fits AS
  SELECT slots.provider_id, slots.wish_id, slots.wish_state, slots.asked_at, slots.asked_by, slots.account_id, slots.people, slots.phone,
    slots.instead_of, slots.reader_clock, slots.wish_ends_at, slots.starts_at, slots.id AS slot_id, slots.local_date, slots.time_zone, slots.city,
    slots.notes, iif(slots.seats = 1, slots.id, (slots.provider_id || printf('%013d', slots.starts_at) || lower(hex(randomblob(6))))) AS booking_id, iif(slots.seats = 1, NULL, slots.id) AS class_id, iif(old.id IS NOT NULL, iif(slots.service_id IS old.service_id, slots.ends_at, slots.starts_at + old.ends_at - old.starts_at), iif(slots.service_id IS NULL, coalesce((slots.starts_at + service.minutes * 60000), slots.ends_at), slots.ends_at)) AS ends_at,
    iif(old.id IS NOT NULL, iif(slots.service_id IS old.service_id, slots.ends_at, slots.starts_at + (old.taken_until - old.starts_at)), iif(slots.service_id IS NULL, coalesce(((slots.starts_at + service.minutes * 60000) + service.gap * 60000), slots.ends_at), slots.ends_at)) AS taken_until,
    iif(slots.service_id IS NULL, coalesce(service.template_id, slots.template_id), slots.template_id) AS template_id, iif(old.id IS NOT NULL, old.service_id, service.id) AS service_id, iif(old.id IS NOT NULL, old.service_name, service.name) AS service_name, iif(old.id IS NOT NULL, old.price, service.price) AS price,
    iif(old.id IS NOT NULL, old.deposit, service.deposit) AS deposit,
    iif(old.id IS NOT NULL, old.place_kind, nullif(service.place_kind, 'here')) AS place_kind, iif(old.id IS NOT NULL, old.place, NULL) AS place,
    ruler.notice, ruler.horizon_days, ruler.per_person, ruler.cancel_until,
    min(slots.wish_ends_at - 1, (slots.starts_at - max(1, ruler.notice * 60000))) AS closes_at, slots.suits, slots.was_offered
  FROM accounts AS ruler CROSS JOIN wished_slots AS slots ON slots.provider_id = ruler.id LEFT JOIN services AS service ON service.provider_id = slots.provider_id AND service.id = coalesce(slots.service_id, slots.wished_service)
    
    LEFT JOIN bookings AS old ON old.provider_id = slots.provider_id AND old.starts_at = CAST(substr(slots.instead_of, -25, 13) AS INTEGER)
      AND old.id = slots.instead_of AND old.status = 1
  WHERE slots.state = 0 AND slots.is_busy = 0
    
    AND slots.made_by <> 2 AND slots.withdrawn_at IS NULL
    AND ruler.waitlist = 'on'
    AND (slots.instead_of IS NOT NULL OR (ruler.open_to = 'anyone' OR EXISTS (SELECT 1 FROM accounts AS booker WHERE booker.id = slots.account_id AND booker.username IS NOT NULL)))
    AND (((slots.taken > 0 AND slots.seats > 1) OR (ruler.per_day IS NULL OR NOT EXISTS ( SELECT 1 FROM full_days WHERE full_days.provider_id = ruler.id AND full_days.local_date = slots.local_date)))
      
      OR slots.instead_of IS NOT NULL
        AND ruler.per_day > (SELECT count(DISTINCT ifnull(taken.slot_id, taken.id)) FROM bookings AS taken WHERE taken.provider_id = slots.provider_id AND taken.starts_at BETWEEN slots.starts_at - 172800000 AND slots.starts_at + 172800000 AND taken.status < 2 AND taken.local_date = slots.local_date AND taken.id <> slots.instead_of))
    AND coalesce( iif(slots.state = 1 AND slots.seats > 1, 'full', iif(NOT slots.state = 0, 'taken', NULL)), iif(slots.is_busy = 0, NULL, 'busy'), iif(old.id IS NOT NULL, iif(slots.service_id IS old.service_id, iif(slots.service_id IS NULL OR service.is_offered OR 1, NULL, 'service'), iif(slots.service_id IS NOT NULL OR old.service_id IS NULL, 'service', iif(slots.seats > 1 OR old.people > 1 OR old.slot_id IS NOT NULL OR NOT (SELECT min(iif(run.starts_at < (slots.starts_at + old.ends_at - old.starts_at), (run.state = 0 AND run.is_busy = 0 AND run.seats = 1 AND run.service_id IS NULL OR 0) AND (run.ends_at >= (slots.starts_at + old.ends_at - old.starts_at) OR ifnull((SELECT next.starts_at - run.ends_at FROM slots AS next WHERE next.provider_id = run.provider_id AND next.starts_at >= run.ends_at ORDER BY next.starts_at LIMIT 1) <= coalesce((SELECT plan ->> 'gap' FROM hours WHERE hours.provider_id = run.provider_id) * 60000, 0), 0)), run.state = 2 OR (run.state = 0 AND run.is_busy = 0 AND run.seats = 1 AND run.service_id IS NULL OR 0))) AND max(iif(run.starts_at < (slots.starts_at + old.ends_at - old.starts_at), run.ends_at, 0)) >= (slots.starts_at + old.ends_at - old.starts_at) FROM slots AS run WHERE run.provider_id = slots.provider_id AND run.starts_at >= slots.starts_at AND run.starts_at < (slots.starts_at + (old.taken_until - old.starts_at))), 'length', NULL))), iif(slots.wished_service IS NULL, iif(slots.service_id IS NULL, NULL, iif(NOT service.is_offered, 'service', NULL)), iif(service.id IS NOT slots.wished_service OR NOT service.is_offered, 'service', iif(slots.service_id IS NULL AND (slots.seats > 1 OR service.seats > 1), 'service', iif(slots.service_id IS NULL AND NOT (SELECT min(iif(run.starts_at < (slots.starts_at + service.minutes * 60000), (run.state = 0 AND run.is_busy = 0 AND run.seats = 1 AND run.service_id IS NULL OR 0) AND (run.ends_at >= (slots.starts_at + service.minutes * 60000) OR ifnull((SELECT next.starts_at - run.ends_at FROM slots AS next WHERE next.provider_id = run.provider_id AND next.starts_at >= run.ends_at ORDER BY next.starts_at LIMIT 1) <= coalesce((SELECT plan ->> 'gap' FROM hours WHERE hours.provider_id = run.provider_id) * 60000, 0), 0)), run.state = 2 OR (run.state = 0 AND run.is_busy = 0 AND run.seats = 1 AND run.service_id IS NULL OR 0))) AND max(iif(run.starts_at < (slots.starts_at + service.minutes * 60000), run.ends_at, 0)) >= (slots.starts_at + service.minutes * 60000) FROM slots AS run WHERE run.provider_id = slots.provider_id AND run.starts_at >= slots.starts_at AND run.starts_at < ((slots.starts_at + service.minutes * 60000) + service.gap * 60000)), 'length', NULL))))), iif(slots.taken + slots.people > slots.seats, 'places', NULL)) IS NULL
    
    AND iif(old.id IS NOT NULL, iif(slots.service_id IS old.service_id, slots.ends_at, slots.starts_at + old.ends_at - old.starts_at), iif(slots.service_id IS NULL, coalesce((slots.starts_at + service.minutes * 60000), slots.ends_at), slots.ends_at)) <= slots.ends_at
    AND NOT EXISTS (SELECT 1 FROM bookings AS mine WHERE mine.booker_id = slots.account_id AND mine.status < 2
      AND mine.starts_at = slots.starts_at AND mine.provider_id = slots.provider_id)
    AND (slots.instead_of IS NULL OR old.starts_at > slots.starts_at);
