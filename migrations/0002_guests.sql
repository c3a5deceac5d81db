-- Guests: who may book and answer without a login, and how they come back to what they have booked or answered. Of a key in
-- a link only its SHA-256 is kept, in hexadecimal, so that whoever reads the book can't open a link.

-- Where an account is written to. Of a provider: whether guests may book ('anyone') or accounts only ('accounts'), and
-- whether a guest is asked for an e-mail address ('no', 'optional', 'required').
ALTER TABLE accounts ADD COLUMN email TEXT;
ALTER TABLE accounts ADD COLUMN open_to TEXT NOT NULL DEFAULT 'anyone';
ALTER TABLE accounts ADD COLUMN ask_email TEXT NOT NULL DEFAULT 'optional';

-- Of a party: whether guests may answer, and whether the provider's page shows it.
ALTER TABLE parties ADD COLUMN open_to TEXT NOT NULL DEFAULT 'accounts';
ALTER TABLE parties ADD COLUMN show_on_page INTEGER NOT NULL DEFAULT 0;

-- A guest's personal link, what the provider alone notes, and the code by which somebody booked by the provider takes the
-- booking over.
ALTER TABLE bookings ADD COLUMN link_hash TEXT;
ALTER TABLE bookings ADD COLUMN private_note TEXT;
ALTER TABLE bookings ADD COLUMN claim_hash TEXT;
CREATE UNIQUE INDEX bookings_by_link ON bookings (link_hash) WHERE link_hash IS NOT NULL;
CREATE UNIQUE INDEX bookings_by_claim ON bookings (claim_hash) WHERE claim_hash IS NOT NULL;

ALTER TABLE invitations ADD COLUMN link_hash TEXT;
CREATE UNIQUE INDEX invitations_by_link ON invitations (link_hash) WHERE link_hash IS NOT NULL;

CREATE TRIGGER accounts_begin_with_known_settings BEFORE INSERT ON accounts BEGIN
  SELECT RAISE(ABORT, 'unknown_open_to') WHERE NEW.open_to <> 'anyone' AND NEW.open_to <> 'accounts';
  SELECT RAISE(ABORT, 'unknown_ask_email') WHERE NEW.ask_email <> 'no' AND NEW.ask_email <> 'optional' AND NEW.ask_email <> 'required';
END;
CREATE TRIGGER accounts_keep_to_known_settings BEFORE UPDATE OF open_to, ask_email ON accounts BEGIN
  SELECT RAISE(ABORT, 'unknown_open_to') WHERE NEW.open_to <> 'anyone' AND NEW.open_to <> 'accounts';
  SELECT RAISE(ABORT, 'unknown_ask_email') WHERE NEW.ask_email <> 'no' AND NEW.ask_email <> 'optional' AND NEW.ask_email <> 'required';
END;
CREATE TRIGGER parties_begin_with_known_settings BEFORE INSERT ON parties BEGIN
  SELECT RAISE(ABORT, 'unknown_open_to') WHERE NEW.open_to <> 'anyone' AND NEW.open_to <> 'accounts';
END;
CREATE TRIGGER parties_keep_to_known_settings BEFORE UPDATE OF open_to ON parties BEGIN
  SELECT RAISE(ABORT, 'unknown_open_to') WHERE NEW.open_to <> 'anyone' AND NEW.open_to <> 'accounts';
END;
