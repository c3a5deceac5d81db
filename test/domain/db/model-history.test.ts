import { env, runInDurableObject } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { Chance, seedOf } from '../../habits/chance';
import { everyRule, rules } from '../../habits/rules';
import { type Book, emptyBook, nextStep, type Slot, type Standing } from '../../support/schema-history';

/*
 * Random histories of slots, bookings and standing times against the tables and triggers alone: plain SQL in the SQLite of a Durable Object, and beside it
 * an oracle in loops. STEPS=100000 makes it long, SEED repeats one.
 */

const steps = Number(env.STEPS);
const seed = seedOf(env.SEED || '1');
const providers = ['north', 'south'];
/** Each world begins empty and lasts so many steps, in a day of so many half hours. */
const lifetime = 250;
const units = 24;

const accountSql = `INSERT INTO accounts (id, username, username_folded, display_name, display_plain, display_sort_key, password_hash,
    role, time_zone, city, created_at) VALUES (?1, ?1, ?1, ?1, ?1, ?1, ?1, ?2, 'UTC', ?3, 0)`;
const emptied = [
  "UPDATE bookings SET status = 2, canceled_at = 1, canceled_by = 'provider' WHERE status < 2",
  ...['messages', 'bookings', 'standing_times', 'slots', 'people', 'open_days', 'city_days'].map(
    (table) => `DELETE FROM ${table}`,
  ),
];

type Cells = Record<string, SqlStorageValue>;
const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);

test('any history of slots and bookings is what the oracle says', { timeout: 3_600_000 }, async () => {
  // Of any object with a SQLite of its own; the two packages of types differ.
  const stub = env.HASHERS.get(env.HASHERS.idFromName('model-history')) as unknown as Parameters<
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
    for (const id of ['guest0', 'guest1', 'guest2']) sql.exec(accountSql, id, 'Consumer', null);

    const chance = new Chance(seed);
    let books: Record<string, Book> = {};
    let spent = new Set<string>();
    for (let place = 0; place < steps; place++) {
      const where = `seed ${seed}, step ${place}`;
      if (place % lifetime === 0) {
        for (const statement of emptied) sql.exec(statement);
        books = Object.fromEntries(providers.map((id) => [id, { ...emptyBook }]));
        spent = new Set();
      }
      const provider = chance.of(providers);
      const { name, batch, after } = nextStep(chance, provider, books[provider] as Book, units);
      const isKilled = chance.is(0.1);
      const run = () =>
        storage.transactionSync(() => {
          for (const [statement, ...values] of batch) sql.exec(statement, ...values);
          if (isKilled) sql.exec("INSERT INTO refusals (name) VALUES ('killed')");
        });
      if (after === null || isKilled) {
        expect(run, `${where}: ${name}`).toThrow(
          /slot_not_open|unknown_refusal|slot_state_is_true|UNIQUE constraint failed: bookings/,
        );
        count(isKilled ? 'killed' : `${name}, refused`);
      } else {
        run();
        const before = books[provider] as Book;
        if (after.had.length > before.had.length) count('booked for a standing time');
        if (after.told > before.told) count('told of one missed');
        for (const id of after.ended) spent.add(id);
        books[provider] = after;
        count(name);
      }
      for (const id of providers) {
        const { slots, bookings, standing, told } = books[id] as Book;
        const all = <Row extends object>(select: string) => sql.exec<Row & Cells>(select, id).toArray();
        const said = `${where}: ${name} at ${id}`;
        const stored = all<Slot>(
          `SELECT starts_at AS starts, ends_at AS ends, id, seats, taken, state, part_of AS partOf FROM slots
            WHERE provider_id = ? ORDER BY starts_at`,
        );
        for (const [index, slot] of slots.entries()) {
          const found = stored[index]?.id;
          // One id, one life: what the database has made was nobody's before.
          if (slot.id === null && found && !spent.has(found)) slot.id = found;
        }
        expect(stored, said).toEqual(slots);
        const live = all<{ id: string; starts: number; who: string }>(
          'SELECT id, starts_at AS starts, person_id AS who FROM bookings WHERE provider_id = ? AND status = 1',
        );
        for (const { id: made, starts, who } of live) {
          const booking = bookings.find((one) => one.id === null && one.starts === starts && one.who === who);
          if (booking && !bookings.some((one) => one.id === made)) booking.id = made;
        }
        const known = bookings.map(({ id: made, starts, who }) => ({ id: made ?? '', starts, who }));
        expect(live, said).toEqual(known.sort(byId));
        const times = all<Standing>(
          `SELECT id, person_id AS who, minute * 60000 AS starts, missed ->> '$[0].why' AS missed FROM standing_times
            WHERE provider_id = ? ORDER BY id`,
        );
        expect(times, said).toEqual([...standing].sort(byId));
        const heard = all<{ many: number }>(
          `SELECT total(json_array_length(data -> 'dates')) AS many FROM messages WHERE account_id = ? AND kind = 'missed'`,
        );
        expect(heard, said).toEqual([{ many: told }]);
      }
      if (place % 3 > 0) continue;
      const broken = Object.values(sql.exec(everyRule).one());
      const names = Object.keys(rules).filter((_, rule) => broken[rule] !== 0);
      expect(names, where).toEqual([]);
      count('every rule held');
    }
  });
  console.info(`seed ${seed}: ${JSON.stringify(done)}`);
  const ways = ['publish', 'book', 'book several', 'book a seat', 'cancel', 'move', 'withdraw', 'killed'];
  for (const name of [...ways, 'booked for a standing time', 'told of one missed', 'end a standing time'])
    expect(done[name], name).toBeGreaterThan(0);
});
