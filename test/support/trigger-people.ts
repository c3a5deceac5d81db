import { hour, start, stored } from './history';
import { run } from './triggers';

/* Single rows, written into the tables as they stand: nothing happens but what triggers do. */

export type Details = Record<string, string | number | null>;

// D1 binds numbers as REAL, which a table turns into its INTEGER, and a view does not.
const placeOf = (value: unknown) => (typeof value === 'number' ? 'CAST(? AS INTEGER)' : '?');

/** Inserts one row into a table, or into a view that is a procedure. */
export const put = (table: string, row: Details) => {
  const values = Object.values(row);
  return run(`INSERT INTO ${table} (${Object.keys(row)}) VALUES (${values.map(placeOf)})`, ...values);
};

/** The values of the only column that this selects. */
export const valuesOf = async (sql: string, ...values: unknown[]) =>
  (await stored<Details>(sql, ...values)).map((row) => Object.values(row)[0]);

export const city = (name: string) =>
  run('INSERT INTO cities (folded, name) VALUES (?1, ?1) ON CONFLICT DO NOTHING', name);

export const consumer = (id: string, details: Details = {}) =>
  put('accounts', {
    id,
    username: id,
    username_folded: id,
    display_name: id,
    display_plain: id,
    display_sort_key: id,
    password_hash: 'hash',
    role: 'Consumer',
    time_zone: 'UTC',
    created_at: 0,
    ...details,
  });

/** An account without a login. */
export const guest = (id: string, details: Details = {}) =>
  consumer(id, { username: null, username_folded: null, password_hash: null, ...details });

export async function provider(id: string, details: Details = {}): Promise<void> {
  await city('lisbon');
  await consumer(id, { role: 'Provider', city: 'lisbon', ...details });
}

/** A calendar feed of an account, which has not changed yet. */
export const feed = (account: string) =>
  put('feeds', { account_id: account, key_hash: account, seed: 'seed', made_at: 0 });

/** How often the feed of an account has changed. */
export const changesOf = async (account: string) =>
  (await valuesOf('SELECT version FROM feeds WHERE account_id = ?', account))[0];

/** A party of `host` for two hours. */
export const party = (id: string, details: Details = {}) =>
  put('parties', {
    id,
    kind: 'party',
    provider_id: 'host',
    title: id,
    starts_at: start,
    ends_at: start + 2 * hour,
    local_date: '2030-03-09',
    time_zone: 'UTC',
    plus_ones: 5,
    created_at: 0,
    ...details,
  });

/** Somebody with an account in a party, as '{party}-{account}'. */
export const invitation = (party: string, account: string, details: Details = {}) =>
  put('invitations', {
    party_id: party,
    invitee: account,
    id: `${party}-${account}`,
    account_id: account,
    name: account,
    name_sort_key: account,
    created_at: 0,
    ...details,
  });

/** A name in a meetup. */
export const name = (meetup: string, called: string, details: Details = {}) =>
  invitation(meetup, called, { account_id: null, ...details });

/** What an RSVP of yes sets. */
export const yes = { accepted: 1, rsvp_at: start };

/** A slot of an hour that somebody has booked, unless said otherwise with their own card. */
export async function booking(provider: string, account: string, at: number, details: Details = {}): Promise<void> {
  const time = {
    provider_id: provider,
    starts_at: at,
    id: `${provider}${String(at).padStart(13, '0')}${'-'.repeat(12)}`,
    ends_at: at + hour,
    city: 'lisbon',
    local_date: new Date(at).toISOString().slice(0, 10),
    time_zone: 'UTC',
  };
  await put('slots', { ...time, publication: 'p' });
  const booked = { taken_until: at + hour, status: 1, booker_id: account, person_id: account, booked_at: 1 };
  await put('bookings', { ...time, ...booked, ...details });
}
