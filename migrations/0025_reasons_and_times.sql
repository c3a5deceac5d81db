-- Why a party or meetup was called off, and invitations in the order of time.

-- In the words of the host who called it off.
ALTER TABLE parties ADD COLUMN cancel_reason TEXT;

-- When the party of an account's own answer begins: a week finds what it shows, however much somebody has answered before.
ALTER TABLE invitations ADD COLUMN party_starts_at INTEGER;
UPDATE invitations SET party_starts_at = (SELECT starts_at FROM parties WHERE parties.id = party_id)
  WHERE account_id IS NOT NULL;
DROP INDEX invitations_by_account;
CREATE INDEX invitations_by_account ON invitations (account_id, party_starts_at) WHERE account_id IS NOT NULL;

CREATE TRIGGER invitations_follow_their_party AFTER UPDATE OF starts_at ON parties
WHEN NEW.starts_at <> OLD.starts_at BEGIN
  UPDATE invitations SET party_starts_at = NEW.starts_at WHERE party_id = NEW.id AND account_id IS NOT NULL;
END;
-- The release before this one leaves it out.
CREATE TRIGGER invitations_know_when AFTER INSERT ON invitations
WHEN NEW.account_id IS NOT NULL AND NEW.party_starts_at IS NULL BEGIN
  UPDATE invitations SET party_starts_at = (SELECT starts_at FROM parties WHERE id = NEW.party_id)
  WHERE party_id = NEW.party_id AND invitee = NEW.invitee;
END;
