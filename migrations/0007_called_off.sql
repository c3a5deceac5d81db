-- What a host has called off or moved: guests keep it in sight until it has passed.

-- A deleted party or meetup is called off. It keeps its row and its invitations, without answers, until the hourly job forgets
-- it; whatever lists or changes parties asks that this is null.
ALTER TABLE parties ADD COLUMN deleted_at INTEGER;
CREATE INDEX parties_called_off ON parties (ends_at) WHERE deleted_at IS NOT NULL;

-- When and where a party or meetup was before each change of that. The first row from a guest's answer on is what they
-- answered to.
CREATE TABLE party_moves (
  party_id TEXT NOT NULL REFERENCES parties (id),
  moved_at INTEGER NOT NULL,
  starts_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  local_date TEXT NOT NULL,
  address TEXT,
  location_url TEXT,
  PRIMARY KEY (party_id, moved_at)
) STRICT, WITHOUT ROWID;

-- Whoever has not declined hears of it.
CREATE TRIGGER parties_tell_that_they_are_called_off AFTER UPDATE OF deleted_at ON parties
WHEN OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL BEGIN
  INSERT INTO messages (id, account_id, kind, party_id, actor_id, created_at)
    SELECT 'called-off:' || NEW.id || ':' || account_id, account_id, 'called-off', NEW.id, NEW.provider_id, NEW.deleted_at
    FROM invitations WHERE party_id = NEW.id AND account_id IS NOT NULL AND accepted IS NOT 0
    ON CONFLICT DO NOTHING;
END;
