/* What must be true of the book at any moment, in SQL. */

/** SQL that counts the rows which break a rule. */
export const rules: Record<string, string> = {
  'slots of one provider overlap': `SELECT count(*) AS many FROM (
      SELECT starts_at, lag(ends_at) OVER (PARTITION BY provider_id ORDER BY starts_at) AS before FROM slots)
    WHERE before > starts_at`,
  'a slot has other seats taken than are booked': `SELECT count(*) AS many FROM slots WHERE taken <> (
      SELECT coalesce(sum(people), 0) FROM bookings WHERE bookings.provider_id = slots.provider_id AND status < 2
        AND (seats = 1 OR slot_id = slots.id) AND bookings.starts_at BETWEEN slots.starts_at - 86400000 AND slots.starts_at
        AND slots.starts_at < taken_until AND (seats > 1 OR part_of = bookings.starts_at))`,
  'a booked time is not the booking’s': `SELECT count(*) AS many FROM bookings WHERE status < 2 AND NOT EXISTS (
      SELECT 1 FROM slots WHERE slots.provider_id = bookings.provider_id AND slots.starts_at = bookings.starts_at
        AND slots.id = coalesce(bookings.slot_id, bookings.id))
      AND EXISTS (SELECT 1 FROM accounts WHERE accounts.id = bookings.provider_id AND username IS NOT NULL)`,
  'live bookings of one seat overlap': `SELECT count(*) AS many FROM (
      SELECT starts_at, lag(ends_at) OVER (PARTITION BY provider_id ORDER BY starts_at) AS before
      FROM bookings WHERE status < 2 AND slot_id IS NULL) WHERE before > starts_at`,
  'a booking names another than its client': `SELECT count(*) AS many FROM bookings JOIN accounts ON accounts.id = booker_id
    WHERE booker_name <> display_name`,
  'an id has two lives': `SELECT count(*) AS many FROM slots JOIN bookings ON bookings.provider_id = slots.provider_id
      AND bookings.starts_at = slots.starts_at AND bookings.id = slots.id WHERE bookings.status = 2`,
  'what was moved away is not at one other place': `SELECT count(*) AS many FROM bookings AS old
    LEFT JOIN (SELECT moved_from AS old_id, count(*) AS places FROM bookings WHERE moved_from IS NOT NULL GROUP BY moved_from) ON old_id = old.id
    WHERE (moved_to IS NOT NULL) <> ifnull(places, 0) OR moved_to IS NOT NULL AND status <> 2`,
  'a party counts others than come': `SELECT count(*) AS many FROM parties WHERE going <> (
      SELECT coalesce(sum(1 + plus_ones), 0) FROM invitations WHERE party_id = parties.id AND accepted = 1)`,
  'a party counts others than are invited': `SELECT count(*) AS many FROM parties
    WHERE deleted_at IS NULL AND invited <> (SELECT count(*) FROM invitations WHERE party_id = parties.id)`,
  'a party has more people than room': 'SELECT count(*) AS many FROM parties WHERE going > capacity',
  'a city counts others than its providers': `SELECT count(*) AS many FROM cities
    WHERE providers <> (SELECT count(*) FROM accounts WHERE city = folded)`,
  'nobody has to choose another service than the only one': `SELECT count(*) AS many FROM accounts
    WHERE only_service_id IS NOT (SELECT id FROM only_services WHERE provider_id = accounts.id)`,
  'a day with open slots is not found, or one without is': `SELECT count(*) AS many FROM (
      SELECT provider_id, local_date FROM slots WHERE state = 0
      EXCEPT SELECT provider_id, local_date FROM open_days
      UNION ALL SELECT * FROM (SELECT provider_id, local_date FROM open_days
      EXCEPT SELECT provider_id, local_date FROM slots WHERE state = 0))`,
  'a full day is not found, or one with room is': `SELECT count(*) AS many FROM (
      SELECT provider_id, local_date FROM bookings JOIN accounts ON accounts.id = provider_id
      WHERE status < 2 AND starts_at > unixepoch() * 1000 GROUP BY provider_id, local_date
      HAVING count(DISTINCT ifnull(slot_id, bookings.id)) >= per_day
      EXCEPT SELECT provider_id, local_date FROM full_days
      UNION ALL SELECT * FROM (SELECT provider_id, local_date FROM full_days
      EXCEPT SELECT provider_id, local_date FROM bookings JOIN accounts ON accounts.id = provider_id
      WHERE status < 2 GROUP BY provider_id, local_date HAVING count(DISTINCT ifnull(slot_id, bookings.id)) >= per_day))`,
  'a held time is for nobody who waits, or a wish with an offer has none': `SELECT count(*) AS many FROM (
      SELECT provider_id, wish_id, id, booker_id, held_until FROM bookings WHERE status = 0
      EXCEPT SELECT provider_id, id, offer_id, account_id, held_until FROM wishes WHERE state = 1
      UNION ALL SELECT * FROM (SELECT provider_id, id, offer_id, account_id, held_until FROM wishes WHERE state = 1
      EXCEPT SELECT provider_id, wish_id, id, booker_id, held_until FROM bookings WHERE status = 0))`,
  'a hold goes on until its time begins':
    'SELECT count(*) AS many FROM bookings WHERE status = 0 AND held_until >= starts_at',
  'a wish is offered one time twice': `SELECT count(*) AS many FROM wishes
    WHERE json_array_length(passed) <> (SELECT count(DISTINCT value) FROM json_each(passed))`,
  'a wish for an earlier time is for a later one, or for no booking': `SELECT count(*) AS many FROM wishes
    WHERE state < 2 AND instead_of IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM bookings AS old WHERE old.provider_id = wishes.provider_id AND old.id = instead_of AND old.status = 1
        AND wishes.until_at <= old.starts_at AND wishes.ends_at <= old.starts_at - old.cancel_until * 60000
        AND (wishes.offer_id IS NULL OR CAST(substr(wishes.offer_id, -25, 13) AS INTEGER) < old.starts_at))`,
  'the last open slot of a day is another': `SELECT count(*) AS many FROM open_days WHERE last_at <> (
      SELECT max(starts_at) FROM slots
      WHERE slots.provider_id = open_days.provider_id AND slots.local_date = open_days.local_date AND state = 0)`,
  'a slot is busy though nothing is then, or is not though something is': `SELECT count(*) AS many FROM slots WHERE is_busy <> EXISTS (
      SELECT 1 FROM busy_times WHERE busy_times.provider_id = slots.provider_id
        AND busy_times.starts_at < slots.ends_at AND busy_times.ends_at > slots.starts_at)`,
  'the last open slot of a day that is not busy is another': `SELECT count(*) AS many FROM open_days WHERE coalesce(free_at, last_at) <> (
      SELECT coalesce(max(starts_at), 0) FROM slots WHERE slots.provider_id = open_days.provider_id
        AND slots.local_date = open_days.local_date AND state = 0 AND is_busy = 0)`,
  'a party to come blocks though it must not, or does not though it must': `SELECT count(*) AS many FROM parties
    JOIN accounts ON accounts.id = provider_id
    WHERE (parties_block = 1 AND deleted_at IS NULL) <> EXISTS (
      SELECT 1 FROM busy_times WHERE busy_times.provider_id = parties.provider_id AND source = parties.id)
      AND parties.ends_at > unixepoch() * 1000`,
  'an open slot is outside its city’s day': `SELECT count(*) AS many FROM slots WHERE state = 0 AND NOT EXISTS (
      SELECT 1 FROM city_days WHERE city_days.city = slots.city AND city_days.local_date = slots.local_date
        AND slots.starts_at BETWEEN first_at AND last_at)`,
  'somebody’s attendance is counted wrong': `SELECT count(*) AS many FROM people WHERE (seen, excused, missed) <> (
      SELECT count(*) FILTER (WHERE attendance = 'seen'), count(*) FILTER (WHERE attendance = 'excused'),
        count(*) FILTER (WHERE attendance = 'missed')
      FROM bookings WHERE bookings.provider_id = people.provider_id AND person_id = people.id)`,
  'somebody who booked is not among the provider’s people': `SELECT count(*) AS many FROM bookings
    JOIN accounts AS host ON host.id = bookings.provider_id AND host.username IS NOT NULL
    WHERE status > 0 AND NOT EXISTS (SELECT 1 FROM people WHERE people.provider_id = bookings.provider_id AND people.id = person_id)`,
  'a standing time has one date twice': `SELECT count(*) AS many FROM (SELECT 1 FROM bookings WHERE standing_id IS NOT NULL
    GROUP BY provider_id, standing_id, local_date HAVING count(*) > 1)`,
  'a date that a standing time does not keep is booked for it': `SELECT count(*) AS many
    FROM standing_times AS standing CROSS JOIN json_each(missed) AS date JOIN bookings AS own ON own.provider_id = standing.provider_id
      AND own.standing_id = standing.id AND own.local_date = date.value ->> 'date' AND own.status = 1`,
  'a provider is not found by name': `SELECT count(*) AS many FROM accounts WHERE role = 'Provider' AND username IS NOT NULL AND (
      NOT EXISTS (SELECT 1 FROM provider_names WHERE provider_id = id AND ending = display_plain)
      OR NOT EXISTS (SELECT 1 FROM provider_names WHERE provider_id = id AND ending = username_folded))`,
  'a card that others were merged into is gone': `SELECT count(*) AS many FROM person_aliases
    WHERE (provider_id, person_id) NOT IN (SELECT provider_id, id FROM people)`,
  'the wishes of one account are two people’s': `SELECT count(*) AS many FROM (
    SELECT 1 FROM wishes GROUP BY account_id HAVING count(DISTINCT asked_by) > 1)`,
  'somebody who waits has no name': `SELECT count(*) AS many FROM wishes JOIN accounts ON accounts.id = account_id
    WHERE state < 2 AND display_name = ''`,
  'a row refers to nothing': 'SELECT count(*) AS many FROM pragma_foreign_key_check',
};

/** In one statement, because each is a round trip of the test's process. */
export const everyRule = `SELECT ${Object.values(rules).map((rule, place) => `(${rule}) AS rule_${place}`)}`;
