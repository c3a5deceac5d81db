import { expect } from 'vitest';
import { hour, start, stored } from '../../support/history';
import { booking, city, consumer, guest, invitation, party, provider } from '../../support/trigger-people';
import { changesOf, feed, keeps, put, run, valuesOf } from '../../support/triggers';

const set = (id: string, change: string) => run(`UPDATE accounts SET ${change} WHERE id = ?`, id);
const endings = () => valuesOf('SELECT ending FROM provider_names ORDER BY ending');
const places = () => stored('SELECT folded, providers FROM cities ORDER BY folded');
const day = 24 * hour;

keeps('rules_for_guests_are_known', 'a rule for guests is a known word', async () => {
  const rules = { open_to: 'anyone', ask_email: 'optional', ask_phone: 'no' };
  const insert = (wrong: object) => put('rules_for_guests', { ...rules, ...wrong });

  await expect(insert({ open_to: 'friends' })).rejects.toThrow('unknown_open_to');
  await expect(insert({ ask_email: 'please' })).rejects.toThrow('unknown_ask_email');
  await expect(insert({ ask_phone: 'please' })).rejects.toThrow('unknown_ask_phone');
});

keeps('accounts_are_whole', 'an account has all that its role needs', async () => {
  const login = { username: 'ana', username_folded: 'ana', password_hash: 'hash' };
  const withoutLogin = { username: null, username_folded: null, password_hash: null };
  const account = { ...login, role: 'Consumer', city: null, waitlist: 'on' };
  const rules = { open_to: 'anyone', ask_email: 'optional', ask_phone: 'no' };
  const insert = (wrong: object) => put('whole_accounts', { ...account, ...rules, ...wrong });

  await expect(insert({ role: 'Admin' })).rejects.toThrow('unknown_role');
  await expect(insert({ username: null })).rejects.toThrow('half_a_login');
  await expect(insert({ ...withoutLogin, role: 'Provider' })).rejects.toThrow('provider_has_login');
  await expect(insert({ role: 'Provider' })).rejects.toThrow('provider_has_city');
  await expect(insert({ open_to: 'friends' })).rejects.toThrow('unknown_open_to');
  await expect(insert({ waitlist: 'maybe' })).rejects.toThrow('unknown_waitlist');
});

keeps('accounts_begin_whole', 'nobody begins with half a login', async () => {
  await expect(consumer('ana', { password_hash: null })).rejects.toThrow('half_a_login');
});

keeps('accounts_stay_whole', 'nobody loses half of their login', async () => {
  await consumer('ana');

  await expect(set('ana', 'password_hash = NULL')).rejects.toThrow('half_a_login');
});

keeps('providers_arrive_in_their_city', 'a city counts its new providers', async () => {
  await provider('host');

  expect(await places()).toEqual([{ folded: 'lisbon', providers: 1 }]);
});

keeps('providers_move', 'both cities count a provider who moves', async () => {
  await provider('host');
  await city('oslo');

  await set('host', "city = 'oslo'");

  expect(await places()).toEqual([
    { folded: 'lisbon', providers: 0 },
    { folded: 'oslo', providers: 1 },
  ]);
});

keeps('providers_are_found_by_each_ending', 'a name is found by each of its endings', async () => {
  await consumer('ana');

  await put('names_to_find', { provider_id: 'ana', name: 'zoë🦷' });

  expect(await endings()).toEqual(['oë🦷', 'zoë🦷', 'ë🦷', '🦷']);
});

keeps('providers_are_found_by_their_names', 'a new provider is found by name and username', async () => {
  await provider('al', { display_plain: 'bo' });

  expect(await endings()).toEqual(['al', 'bo', 'l', 'o']);
});

keeps('providers_are_found_by_their_new_name', 'a renamed provider is found by the new name alone', async () => {
  await provider('al', { display_plain: 'bol' });

  await set('al', "display_plain = 'cy'");

  expect(await endings()).toEqual(['al', 'cy', 'l', 'y']);
});

keeps('invitations_show_the_new_name', 'a party shows the new name of who is invited', async () => {
  await provider('host');
  await consumer('ana');
  await party('p');
  await invitation('p', 'ana');

  await set('ana', "display_name = 'Zoë', display_sort_key = 'zoe'");

  expect(await stored('SELECT name, name_sort_key FROM invitations')).toEqual([{ name: 'Zoë', name_sort_key: 'zoe' }]);
});

keeps('bookings_show_the_new_name', 'a booking shows the new name of its client', async () => {
  await provider('host');
  await consumer('ana');
  await consumer('bea');
  await booking('host', 'ana', start);
  await booking('host', 'bea', start + hour);

  await set('ana', "display_name = 'Zoë', display_sort_key = 'zoe'");

  expect(await stored("SELECT booker_name FROM bookings WHERE booker_id = 'ana'")).toEqual([{ booker_name: 'Zoë' }]);
  expect(await stored("SELECT booker_name FROM bookings WHERE booker_id = 'bea'")).not.toEqual([
    { booker_name: 'Zoë' },
  ]);
});

keeps('people_are_found_by_their_new_name', 'a card is sorted by its new name', async () => {
  await provider('host');
  await consumer('ana');
  await booking('host', 'ana', start);

  await set('ana', "display_sort_key = 'zoe'");

  expect(await valuesOf('SELECT name_sort_key FROM people')).toEqual(['zoe']);
});

keeps('accounts_choose_reminders', 'the job knows each chosen time of reminders', async () => {
  await consumer('ana');

  await set('ana', "reminders = '[30,60]'");

  expect(await valuesOf('SELECT minutes FROM reminder_times ORDER BY minutes')).toEqual([30, 60]);
});

keeps('accounts_lift_refusals', 'mail goes again to an address that is confirmed', async () => {
  await consumer('ana', { email: 'ana@example.com', email_hash: 'hash' });
  await put('refused_addresses', { email_hash: 'hash', refused_at: 0 });

  await set('ana', 'email_confirmed_at = 1');

  expect(await stored('SELECT * FROM refused_addresses')).toEqual([]);
});

keeps('accounts_get_their_cards', 'a guest who gets a login has their card', async () => {
  await provider('host');
  await guest('gus');
  await booking('host', 'gus', start);

  await set('gus', "username = 'gus', username_folded = 'gus', password_hash = 'hash'");

  expect(await valuesOf('SELECT booker_id FROM people')).toEqual(['gus']);
});

keeps('accounts_get_their_cards', 'a confirmed address gives the card that has it', async () => {
  await provider('host');
  await consumer('ana', { email: 'Ana@example.com' });
  const address = { email: 'ana@example.com', email_folded: 'ana@example.com' };
  await put('people', { provider_id: 'host', id: 'card', name: 'Ana', name_sort_key: 'ana', ...address });
  await booking('host', 'ana', start, { person_id: 'card' });

  await set('ana', 'email_confirmed_at = 1');

  expect(await valuesOf('SELECT booker_id FROM people')).toEqual(['ana']);
});

keeps('providers_limit_their_days', 'a new limit closes the days that have reached it', async () => {
  await provider('host');
  await consumer('ana');
  await booking('host', 'ana', start);

  await set('host', 'per_day = 1');

  const date = new Date(start).toISOString().slice(0, 10);
  expect(await stored('SELECT * FROM full_days')).toEqual([{ provider_id: 'host', local_date: date }]);
});

keeps('providers_limit_their_days', 'days open again without the limit', async () => {
  await provider('host', { per_day: 1 });
  await consumer('ana');
  await booking('host', 'ana', start);

  await set('host', 'per_day = NULL');

  expect(await stored('SELECT * FROM full_days')).toEqual([]);
});

keeps('providers_forget_answers', 'answers that are kept no longer go at once', async () => {
  await provider('host');
  await consumer('ana');
  const answers = { answers: '["yes"]', answered_at: 1 };
  await booking('host', 'ana', Date.now() - 3 * day, answers);
  await booking('host', 'ana', Date.now() - day, answers);

  await set('host', 'keep_answers_days = 2');

  expect(await valuesOf('SELECT answers FROM bookings ORDER BY starts_at')).toEqual(['[]', '["yes"]']);
});

keeps('providers_let_parties_block', 'parties block from when their host says so', async () => {
  await provider('host', { parties_block: 0 });
  await party('p');

  await set('host', 'parties_block = 1');

  expect(await valuesOf('SELECT source FROM busy_times')).toEqual(['p']);
});

keeps('providers_let_parties_block', 'parties block no more when their host says so', async () => {
  await provider('host');
  await party('p');

  await set('host', 'parties_block = 0');

  expect(await stored('SELECT * FROM busy_times')).toEqual([]);
});

keeps('accounts_speak_in_feeds', 'a feed changes with the language of its account', async () => {
  await consumer('ana', { read_in: 'en' });
  await feed('ana');

  await set('ana', "lang = 'de'");

  expect(await changesOf('ana')).toBe(1);
});
