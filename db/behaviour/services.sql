CREATE VIEW only_services AS
  SELECT provider_id, min(id) AS id FROM services WHERE is_offered GROUP BY provider_id HAVING count(*) = 1 AND max(seats) = 1;

CREATE TRIGGER only_services_come AFTER INSERT ON services BEGIN
  UPDATE accounts SET only_service_id = (SELECT id FROM only_services WHERE provider_id = NEW.provider_id)
    WHERE id = NEW.provider_id;
END;

CREATE TRIGGER only_services_change AFTER UPDATE OF is_offered, seats ON services
WHEN NEW.is_offered <> OLD.is_offered OR NEW.seats <> OLD.seats BEGIN
  UPDATE accounts SET only_service_id = (SELECT id FROM only_services WHERE provider_id = NEW.provider_id)
    WHERE id = NEW.provider_id;
END;

CREATE TRIGGER only_services_go AFTER DELETE ON services BEGIN
  UPDATE accounts SET only_service_id = (SELECT id FROM only_services WHERE provider_id = OLD.provider_id)
    WHERE id = OLD.provider_id;
END;
