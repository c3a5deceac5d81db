import { env, runInDurableObject } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { Chance, seedOf } from '../../habits/chance';
import { everyRule, rules } from '../../habits/rules';

/*
 * Random histories of people who wait, against the tables and triggers alone: plain SQL in the SQLite of a Durable Object. STEPS=100000
 * makes it long, SEED repeats one.
 */

const steps = Number(env.STEPS);
const seed = seedOf(env.SEED);
const hour = 3_600_000;
/** A world begins empty and lasts so many steps; its times are in so many half hours. */
const lifetime = 200;
const units = 96;
const [first, unit] = [20_000 * 24 * hour, hour / 2];
const people = ['ana', 'bo', 'cid', 'dee', 'eve', 'finn'];
const providers = ['north', 'south'];

const accountSql = `INSERT INTO accounts (id, username, username_folded, display_name, display_folded, display_sort_key, password_hash,
    role, time_zone, city, created_at, email) VALUES (?1, ?1, ?1, ?1, ?1, ?1, ?1, ?2, 'UTC', ?3, 0, ?1 || '@example.org')`;
const emptied = [
  'UPDATE wishes SET state = 2, offer_id = NULL, held_until = NULL WHERE state < 2',
  "UPDATE bookings SET status = 2, canceled_at = 1, canceled_by = 'provider' WHERE status < 2",
  ...['wishes', 'messages', 'bookings', 'slots', 'people', 'open_days', 'city_days', 'full_days'].map(
    (table) => `DELETE FROM ${table}`,
  ),
];
const publishSql = `INSERT INTO slots (provider_id, starts_at, id, ends_at, city, local_date, time_zone, seats, publication)
  VALUES (?1, ?2, ?1 || printf('%013d', ?2) || lower(hex(randomblob(6))), ?3, 'oslo', date(?2 / 1000, 'unixepoch'), 'UTC', ?4, 'p')`;
const withdrawSql = `UPDATE slots SET state = 2 WHERE provider_id = ?1 AND starts_at >= ?2 AND starts_at < ?3 AND state = 0 AND taken = 0`;
const seatsSql = `UPDATE slots SET seats = seats + 1, state = 0, part_of = NULL
  WHERE provider_id = ?1 AND seats BETWEEN 2 AND 6 AND starts_at > ?2 AND state < 2`;
const offerSql = `INSERT INTO offers (provider_id, wish_id, now, free_from, free_until, is_by_hand)
  SELECT provider_id, id, ?2, max(from_at, ?3), min(until_at, ?4), 0 FROM wishes
  WHERE provider_id = ?1 AND state = 0 AND from_at < ?4 AND until_at > ?3 ORDER BY asked_at, id`;
const bookSql = `INSERT INTO bookings (provider_id, starts_at, id, ends_at, kept_until, local_date, time_zone, city, slot_id, status,
    people, booker_id, person_id, booked_at)
  SELECT provider_id, starts_at, iif(seats = 1, id, ?1 || printf('%013d', ?2) || lower(hex(randomblob(6)))), ends_at, ends_at, local_date,
    time_zone, city, iif(seats = 1, NULL, id), 1, 1, ?3, ?3, ?4
  FROM slots WHERE provider_id = ?1 AND starts_at = ?2 AND state = 0 AND starts_at > ?4`;
const endSql = `UPDATE bookings SET status = 2, canceled_at = ?4, canceled_by = ?5, withdraws = ?6, moved_to = ?7
  WHERE provider_id = ?1 AND starts_at = ?2 AND id = ?3 AND status = 1`;
const moveSql = `INSERT INTO bookings (provider_id, starts_at, id, ends_at, kept_until, local_date, time_zone, city, slot_id, status,
    people, booker_id, person_id, booked_at, moved_from, moved_by, calendar_id, sequence)
  SELECT old.provider_id, slots.starts_at, iif(seats = 1, slots.id, ?5), slots.ends_at, slots.ends_at, slots.local_date, slots.time_zone,
    slots.city, iif(seats = 1, NULL, slots.id), 1, old.people, old.booker_id, old.person_id, ?6, old.id, 'consumer',
    coalesce(old.calendar_id, old.id), old.sequence + 1
  FROM bookings AS old CROSS JOIN slots ON slots.provider_id = old.provider_id AND slots.starts_at = ?4
  WHERE old.provider_id = ?1 AND old.starts_at = ?2 AND old.id = ?3 AND slots.state = 0 AND taken + old.people <= seats
    AND slots.starts_at <> old.starts_at`;
const wishSql = `INSERT INTO wishes (provider_id, id, asked_at, account_id, link_seed, asked, people, from_at, until_at, ends_at, days, after,
    before, clock, reader_clock, instead_of, changed_at)
  VALUES (?1, ?2, ?3, ?4, 'seed', '{}', ?5, ?6, ?7, ?8, ?9, ?10, ?11, '[[0,0]]', '[[0,120]]', ?12, ?3)`;
const isFree = `SELECT starts_at FROM fits WHERE provider_id = ?1 AND wish_id = ?2 AND starts_at >= ?4 AND starts_at < ?5 AND suits
  AND ?3 BETWEEN opens_at AND closes_at`;
const letGo = `UPDATE wishes SET state = iif(let_pass >= 1, 2, 0), let_pass = let_pass + 1, offer_id = NULL, held_until = NULL, changed_at = ?1
  WHERE state = 1`;
const takeSql = `UPDATE bookings SET status = 1, held_until = NULL, booked_at = ?1, moved_from = ?5, moved_by = iif(?5 IS NULL, NULL, 'consumer'),
    calendar_id = ?5
  WHERE provider_id = ?2 AND starts_at = ?3 AND id = ?4 AND status = 0 AND held_until > ?1`;

/** What is done in a step; what is named more often is done more often. */
const acts = 'publish book book book cancel cancel move wish wish earlier take take pass remove seats hours time'.split(
  ' ',
);

type Held = { id: string; starts: number; booker: string };
type Wish = { id: string; offer: string | null; insteadOf: string | null; state: number };

test('who waits gets what comes free, and nobody else', { timeout: 3_600_000 }, async () => {
  const stub = env.HASHERS.get(env.HASHERS.idFromName('waitlist-history')) as unknown as Parameters<
    typeof runInDurableObject
  >[0];
  const done: Record<string, number> = {};
  const count = (what: string) => {
    done[what] = (done[what] ?? 0) + 1;
  };
  await runInDurableObject(stub, (_, { storage }) => {
    const { sql } = storage;
    for (const { statements } of env.TEST_MIGRATIONS) for (const statement of statements) sql.exec(statement);
    sql.exec("INSERT INTO cities (folded, name) VALUES ('oslo', 'Oslo')");
    for (const id of providers) sql.exec(accountSql, id, 'Provider', 'oslo');
    for (const id of people) sql.exec(accountSql, id, 'Consumer', null);

    const chance = new Chance(seed);
    const startOf = (id: string) => Number(id.slice(-25, -12));
    const random = (length: number) => Array.from({ length }, () => chance.below(16).toString(16)).join('');
    let now = first;
    let hasRules = false;
    for (let place = 0; place < steps; place++) {
      const where = `seed ${seed}, step ${place}`;
      if (place % lifetime === 0) {
        for (const statement of emptied) sql.exec(statement);
        now = first;
        hasRules = chance.is(0.3);
        for (const id of providers) {
          const [perDay, perPerson, notice] = hasRules
            ? [chance.of([null, 3, 6]), chance.of([null, 1, 2]), chance.of([0, 30, 180])]
            : [null, null, 0];
          const setRules = 'UPDATE accounts SET per_day = ?, per_person = ?, notice = ? WHERE id = ?';
          sql.exec(setRules, perDay, perPerson, notice, id);
        }
      }
      now += chance.below(10) === 0 ? chance.below(4) * hour : 1 + chance.below(60_000);
      const provider = chance.of(providers);
      const person = chance.of(people);
      const booked = sql
        .exec<Held>(
          `SELECT id, starts_at AS starts, booker_id AS booker FROM bookings
            WHERE status = 1 AND starts_at > ? AND provider_id = ?
            ORDER BY starts_at, booked_at, booker_id`,
          now,
          provider,
        )
        .toArray();
      const openSql = 'SELECT starts_at AS starts FROM slots WHERE state = 0 AND starts_at > ? AND provider_id = ?';
      const open = sql.exec<{ starts: number }>(openSql, now, provider).toArray();
      const wishes = sql
        .exec<Wish>(
          `SELECT id, offer_id AS offer, instead_of AS insteadOf, state FROM wishes
            WHERE provider_id = ? AND state < 2`,
          provider,
        )
        .toArray();
      const offered = wishes.filter(({ state }) => state === 1);
      const offers = () =>
        sql.exec<{ many: number }>("SELECT count(*) AS many FROM messages WHERE kind = 'offer'").one().many;
      const before = offers();
      const name = chance.of(acts);
      const isKilled = chance.is(0.05);
      const act = () => {
        // Whoever books, waits, takes or passes ends what is overdue.
        if (name !== 'publish' && name !== 'cancel') sql.exec(`${letGo} AND held_until <= ?1`, now);
        if (name === 'publish') {
          const starts = first + chance.below(units) * unit;
          const length = (1 + chance.below(2)) * unit;
          if (starts <= now) return;
          sql.exec(publishSql, provider, starts, starts + length, chance.of([1, 1, 1, 3]));
          sql.exec(offerSql, provider, now, starts, starts + 1);
        } else if (name === 'book' && open.length > 0) {
          sql.exec(bookSql, provider, chance.of(open).starts, person, now);
        } else if (name === 'cancel' && booked.length > 0) {
          const { id, starts } = chance.of(booked);
          const by = chance.of(['consumer', 'provider']);
          sql.exec(endSql, provider, starts, id, now, by, Number(by === 'provider' && chance.is(0.5)), null);
        } else if (name === 'move' && booked.length > 0 && open.length > 0) {
          const { id, starts } = chance.of(booked);
          const to = chance.of(open).starts;
          const seat = `${provider}${String(to).padStart(13, '0')}${random(12)}`;
          sql.exec(moveSql, provider, starts, id, to, seat, now);
          const movedSql =
            'SELECT id FROM bookings WHERE provider_id = ? AND starts_at = ? AND moved_from = ? AND status = 1';
          const [moved] = sql.exec<{ id: string }>(movedSql, provider, to, id).toArray();
          if (moved) sql.exec(endSql, provider, starts, id, now, 'consumer', 0, moved.id);
        } else if (name === 'wish' || name === 'earlier') {
          const old = name === 'earlier' ? booked.filter(({ booker }) => booker === person)[0] : undefined;
          if (name === 'earlier' && !old) return;
          const from = now + chance.below(12) * hour;
          const until = Math.min(from + (1 + chance.below(60)) * hour, old?.starts ?? Number.MAX_SAFE_INTEGER);
          if (until <= from) return;
          const narrow = chance.is(0.3);
          const id = provider + random(16);
          const group = old ? 1 : chance.of([1, 1, 1, 2]);
          const fits = narrow ? [chance.below(128), 480, 480 + 60 * (1 + chance.below(10))] : [null, null, null];
          sql.exec(wishSql, provider, id, now, person, group, from, until, until, ...fits, old?.id ?? null);
          if (sql.exec(isFree, provider, id, now, from, until).toArray().length > 0)
            sql.exec('DELETE FROM wishes WHERE id = ?', id);
          else count('waits');
        } else if (name === 'take' && offered.length > 0) {
          const { offer, insteadOf } = chance.of(offered);
          if (!offer) return;
          const taken = sql.exec(`${takeSql} RETURNING id`, now, provider, startOf(offer), offer, insteadOf).toArray();
          if (taken.length === 0) return;
          count('taken');
          if (!insteadOf) return;
          sql.exec(endSql, provider, startOf(insteadOf), insteadOf, now, 'consumer', 0, offer);
          count('taken, moved');
        } else if (name === 'pass' && offered.length > 0) {
          sql.exec(`${letGo} AND id = ?2`, now, chance.of(offered).id);
        } else if (name === 'remove' && wishes.length > 0) {
          const removeSql =
            'UPDATE wishes SET state = 2, offer_id = NULL, held_until = NULL, changed_at = ?1 WHERE id = ?2';
          sql.exec(removeSql, now, chance.of(wishes).id);
        } else if (name === 'hours') {
          // What is open of a stretch of days goes, and other times come, as when somebody changes their hours.
          const from = first + chance.below(units) * unit;
          const until = from + (1 + chance.below(24)) * unit;
          sql.exec(withdrawSql, provider, Math.max(now + 1, from), until);
          const [offset, length] = [chance.below(2) * (unit / 2), unit];
          for (let starts = from + offset; starts + length <= until; starts += length) {
            if (starts > now) sql.exec(publishSql, provider, starts, starts + length, 1);
          }
          sql.exec(offerSql, provider, now, from, until);
        } else if (name === 'seats') {
          sql.exec(seatsSql, provider, now);
          sql.exec(offerSql, provider, now, now, Number.MAX_SAFE_INTEGER);
        }
      };
      const run = () =>
        storage.transactionSync(() => {
          act();
          if (isKilled) sql.exec("INSERT INTO refusals (name) VALUES ('killed')");
        });
      if (isKilled) {
        expect(run, where).toThrow(/unknown_refusal/);
        count('killed');
      } else {
        run();
        count(name);
        for (let more = offers() - before; more > 0; more--) count('offered or told');
      }
      if (name === 'time' && !isKilled) {
        expect(sql.exec('SELECT id FROM wishes WHERE state = 1 AND held_until <= ?', now).toArray(), where).toEqual([]);
      }
      if (!hasRules) {
        // With rules, the end of a booking may free other times than its own: those are told by the hour.
        const left = sql.exec(
          `SELECT w.id, f.starts_at - ?1 FROM wishes AS w CROSS JOIN fits AS f ON f.provider_id = w.provider_id AND f.wish_id = w.id
            WHERE w.state = 0 AND f.starts_at >= max(w.from_at, ?1 + 7200000) AND f.starts_at < w.until_at AND f.suits AND NOT f.was_offered
              AND ?1 BETWEEN f.opens_at AND f.closes_at`,
          now,
        );
        expect(left.toArray(), `${where}: ${name}: free while somebody waits`).toEqual([]);
      }
      const twice = sql.exec(
        'SELECT id FROM bookings WHERE status = 0 GROUP BY provider_id, wish_id HAVING count(*) > 1',
      );
      expect(twice.toArray(), where).toEqual([]);
      if (place % 3 > 0) continue;
      const broken = Object.values(sql.exec(everyRule).one());
      // The times of these worlds are long past for the rule that looks at the clock.
      const names = Object.keys(rules).filter((rule, at) => broken[at] !== 0 && !rule.startsWith('a full day'));
      expect(names, `${where}: ${name}`).toEqual([]);
    }
  });
  console.info(`seed ${seed}: ${JSON.stringify(done)}`);
  // A short history that somebody asked for may lack some of these by chance.
  const mustHappen = steps < 600 ? [] : ['waits', 'taken', 'pass', 'killed', 'offered or told'];
  for (const name of mustHappen) expect(done[name], name).toBeGreaterThan(0);
});
