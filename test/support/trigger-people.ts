import { hour, start } from './history';
import { put, type Row, run } from './triggers';

/* Single rows, written into the tables as they stand: nothing happens but what triggers do. */

export const city = (name: string) =>
  run('INSERT INTO cities (folded, name) VALUES (?1, ?1) ON CONFLICT DO NOTHING', name);

export const consumer = (id: string, details: Row = {}) =>
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
export const guest = (id: string, details: Row = {}) =>
  consumer(id, { username: null, username_folded: null, password_hash: null, ...details });

export async function provider(id: string, details: Row = {}): Promise<void> {
  await city('lisbon');
  await consumer(id, { role: 'Provider', city: 'lisbon', ...details });
}

/** A party of `host` for two hours. */
export const party = (id: string, details: Row = {}) =>
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
export const invitation = (party: string, account: string, details: Row = {}) =>
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
export const name = (meetup: string, called: string, details: Row = {}) =>
  invitation(meetup, called, { account_id: null, ...details });

/** What an RSVP of yes sets. */
export const yes = { accepted: 1, rsvp_at: start };

/** A slot of an hour that somebody has booked, unless said otherwise with their own card. */
export async function booking(provider: string, account: string, at: number, details: Row = {}): Promise<void> {
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
