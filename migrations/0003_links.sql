-- Of what the key of a personal link is made, with a secret that the book does not hold: so the link can be shown again to
-- whoever it belongs to, and goes along when a booking is moved. A new one makes a new link.
ALTER TABLE bookings ADD COLUMN link_seed TEXT;
