import { hour, year } from './history';
import { put, type Row, run, valuesOf } from './triggers';

/* A small book, written into the tables as it stands: nothing happens but what triggers do. */

const nine = Date.UTC(year, 0, 7, 9);

/** So many hours after nine o'clock of the day of the book. */
export const at = (hours: number) => nine + hours * hour;
export const dateAt = (hours: number) => new Date(at(hours)).toISOString().slice(0, 10);

/** When people book and cancel: the day before. */
export const now = at(-24);

/** The id of the slot that a provider publishes for this hour, and of its booking. */
export const idAt = (hours: number, provider = 'host') =>
  `${provider}${String(at(hours)).padStart(13, '0')}------------`;

const account = (id: string, details: Row) =>
  put('accounts', {
    id,
    display_name: id,
    display_plain: id,
    display_sort_key: id,
    time_zone: 'UTC',
    role: 'Consumer',
    created_at: 0,
    ...details,
  });
const member = (id: string, details: Row = {}) =>
  account(id, { username: id, username_folded: id, password_hash: 'hash', ...details });

/** Two providers, Ana and Bo who have an account, and Gus who is a guest. */
export async function openBook(): Promise<void> {
  for (const name of ['lisbon', 'porto']) await put('cities', { folded: name, name });
  for (const id of ['host', 'other']) await member(id, { role: 'Provider', city: 'lisbon' });
  for (const id of ['ana', 'bo']) await member(id);
  await account('gus', {});
}

/** Both providers work in one shop. */
export async function openShop(): Promise<void> {
  await member('casa', { role: 'Shop', city: 'lisbon', password_hash: null });
  for (const [id, role] of [
    ['host', 'owner'],
    ['other', 'colleague'],
  ] as const)
    await put('colleagues', { shop_id: 'casa', account_id: id, role, joined_at: 0 });
}

const time = (hours: number, provider: string) => ({
  provider_id: provider,
  starts_at: at(hours),
  id: idAt(hours, provider),
  ends_at: at(hours + 1),
  city: 'lisbon',
  local_date: dateAt(hours),
  time_zone: 'UTC',
});

/** Publishes an hour, of the host unless said otherwise. */
export const slot = (hours: number, { provider_id: provider = 'host', ...details }: Row = {}) =>
  put('slots', { ...time(hours, `${provider}`), publication: 'p', ...details });

/** Books the slot of this hour. */
export const book = (
  hours: number,
  booker: string,
  { provider_id: provider = 'host', ends_at = at(hours + 1), ...details }: Row = {},
) =>
  put('bookings', {
    ...time(hours, `${provider}`),
    ends_at,
    taken_until: ends_at,
    status: 1,
    booker_id: booker,
    person_id: booker,
    booked_at: now,
    ...details,
  });

/** Publishes an hour that is booked. */
export async function bookedSlot(hours: number, booker: string, details: Row = {}): Promise<void> {
  await slot(hours);
  await book(hours, booker, details);
}

type Side = 'consumer' | 'provider';

/** Cancels the booking of this hour, as its booker unless said otherwise. */
export const cancel = (hours: number, by: Side = 'consumer') =>
  run('UPDATE bookings SET status = 2, canceled_at = ?, canceled_by = ? WHERE id = ?', now, by, idAt(hours));

type Move = { provider?: string; by?: Side; ends_at?: number };
/** The booking of one hour becomes that of another, maybe with a colleague. */
export async function move(from: number, to: number, booker: string, details: Move = {}): Promise<void> {
  const { provider = 'host', by = 'consumer', ends_at = at(to + 1) } = details;
  await book(to, booker, { provider_id: provider, ends_at, moved_from: idAt(from), moved_by: by });
  await run(
    'UPDATE bookings SET status = 2, canceled_at = ?, canceled_by = ?, moved_to = ? WHERE id = ?',
    ...[now, by, idAt(to, provider), idAt(from)],
  );
}

/** Somebody waits for any time of the host's from nine o'clock on, for a day. Their wish has their id. */
export const wish = (who: string, details: Row = {}) =>
  put('wishes', {
    provider_id: 'host',
    id: who,
    asked_at: now,
    account_id: who,
    asked_by: who,
    link_seed: 'seed',
    asked: '{}',
    from_at: at(0),
    until_at: at(24),
    ends_at: at(24),
    last_at: at(24),
    clock: '[[0,0]]',
    reader_clock: '[[0,0]]',
    changed_at: now,
    ...details,
  });

/** Holds the slot of this hour for a wish. */
export const hold = (hours: number, who: string, wish = who) =>
  book(hours, who, { status: 0, wish_id: wish, held_until: at(hours) - 1 });

/** Somebody waits, and an hour is published and held for them. */
export async function heldSlot(hours: number, who: string): Promise<void> {
  await wish(who);
  await slot(hours);
  await hold(hours, who);
}

/** Whom the time of this hour is held for takes it. */
export const takeHeld = (hours: number) =>
  run('UPDATE bookings SET status = 1, held_until = NULL WHERE id = ?', idAt(hours));

/** 0 is in line, 1 has an offer, 2 is over. */
export const stateOfWish = async (id: string) => (await valuesOf('SELECT state FROM wishes WHERE id = ?', id))[0];

/** 0 is open, 1 is full, 2 is withdrawn; undefined if the host has none. */
export const stateAt = async (hours: number) =>
  (await valuesOf("SELECT state FROM slots WHERE provider_id = 'host' AND starts_at = ?", at(hours)))[0];

/** A program of a provider's that hears of everything. */
export const program = (provider = 'host') =>
  put('webhooks', {
    provider_id: provider,
    id: 'program',
    url: 'https://program.test',
    secret: 'secret',
    kinds: '["booked","canceled","moved","answers","attendance"]',
    made_at: 0,
  });
export const toldPrograms = (provider = 'host') =>
  valuesOf('SELECT kind FROM deliveries WHERE provider_id = ? ORDER BY number', provider);

/** The kinds of what somebody was told. */
export const toldTo = (who: string) => valuesOf('SELECT kind FROM messages WHERE account_id = ? ORDER BY kind', who);
