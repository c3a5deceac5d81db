import { env, runInDurableObject } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { Chance, seedOf } from '../habits/chance';
import { everyRule, rules } from '../habits/rules';
import { type Book, nextStep, type Slot } from '../support/schema-history';

/*
 * Random histories of slots and bookings against the tables and triggers alone: plain SQL in the SQLite of a Durable Object, and beside it
 * an oracle in loops. STEPS=100000 makes it long, SEED repeats one.
 */

const steps = Number(env.STEPS);
const seed = seedOf(env.SEED);
const providers = ['north', 'south'];
/** Each world begins empty and lasts so many steps, in a day of so many half hours. */
const lifetime = 250;
const units = 24;

const accountSql = `INSERT INTO accounts (id, username, username_folded, display_name, display_folded, display_sort_key, password_hash,
    role, time_zone, city, created_at) VALUES (?1, ?1, ?1, ?1, ?1, ?1, ?1, ?2, 'UTC', ?3, 0)`;
const emptied = [
  "UPDATE bookings SET status = 2, canceled_at = 1, canceled_by = 'provider' WHERE status < 2",
  ...['messages', 'bookings', 'slots', 'people', 'open_days', 'city_days'].map((table) => `DELETE FROM ${table}`),
];

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
        books = Object.fromEntries(providers.map((id) => [id, { slots: [], bookings: [], ended: [] }]));
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
        for (const id of after.ended) spent.add(id);
        books[provider] = after;
        count(name);
      }
      for (const id of providers) {
        const { slots, bookings } = books[id] as Book;
        const stored = sql
          .exec<Slot>(
            `SELECT starts_at AS starts, ends_at AS ends, id, seats, taken, state, part_of AS partOf FROM slots
              WHERE provider_id = ? ORDER BY starts_at`,
            id,
          )
          .toArray();
        for (const [index, slot] of slots.entries()) {
          const found = stored[index]?.id;
          // One id, one life: what the database has made was nobody's before.
          if (slot.id === null && found && !spent.has(found)) slot.id = found;
        }
        expect(stored, `${where}: ${name} at ${id}`).toEqual(slots);
        const live = sql.exec<{ id: string }>('SELECT id FROM bookings WHERE provider_id = ? AND status = 1', id);
        expect(live.toArray().map((row) => row.id)).toEqual(bookings.map((booking) => booking.id).sort());
      }
      if (place % 3 > 0) continue;
      const broken = Object.values(sql.exec(everyRule).one());
      const names = Object.keys(rules).filter((_, rule) => broken[rule] !== 0);
      expect(names, where).toEqual([]);
      count('every rule held');
    }
  });
  console.info(`seed ${seed}: ${JSON.stringify(done)}`);
  for (const name of ['publish', 'book', 'book several', 'book a seat', 'cancel', 'move', 'withdraw', 'killed'])
    expect(done[name], name).toBeGreaterThan(0);
});
