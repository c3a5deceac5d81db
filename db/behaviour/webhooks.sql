-- A procedure, and the one door by which programs are told of a change. Where notices tell people what others did, a program is told
-- whoever did it. It hears of what a booking or an RSVP is now, by ids and times alone.
CREATE VIEW program_news AS
  SELECT kind, provider_id, about AS booking_id, about AS party_id, about AS invitation_id, at FROM deliveries;

-- A booking that was moved is still the same thing: what is told of it stays in order.
CREATE TRIGGER program_news_become_deliveries INSTEAD OF INSERT ON program_news
WHEN EXISTS (SELECT 1 FROM webhooks WHERE provider_id = NEW.provider_id) BEGIN
  UPDATE webhooks SET last_number = last_number + 1 WHERE provider_id = NEW.provider_id AND [[hears(NEW.kind)]];
  INSERT INTO deliveries (provider_id, webhook_id, number, kind, about, data, at, state, due_at)
    SELECT provider_id, id, last_number, NEW.kind, about, data, NEW.at, iif(EXISTS (
        SELECT 1 FROM deliveries AS earlier WHERE earlier.provider_id = NEW.provider_id AND earlier.webhook_id = webhooks.id
          AND earlier.about = facts.about AND earlier.due_at IS NOT NULL), 'behind', 'new'), NEW.at
    FROM (
      SELECT coalesce(calendar_id, id) AS about, json_patch(
          json_object('id', id, 'startsAt', starts_at, 'endsAt', ends_at, 'personId', person_id, 'serviceId', service_id),
          iif(NEW.kind = 'moved', json_object('formerId', moved_from, 'formerStartsAt', [[startOf(moved_from)]]), '{}')) AS data
      FROM bookings WHERE provider_id = NEW.provider_id AND starts_at = [[startOf(NEW.booking_id)]] AND id = NEW.booking_id
      UNION ALL
      SELECT NEW.invitation_id, json_object('id', id, 'startsAt', starts_at, 'endsAt', ends_at, 'invitationId', NEW.invitation_id)
      FROM parties WHERE id = NEW.party_id) AS facts
    CROSS JOIN webhooks WHERE webhooks.provider_id = NEW.provider_id AND [[hears(NEW.kind)]];
END;
