import { expect } from 'vitest';
import { hour, start, stored } from '../../support/history';
import { consumer, invitation, name, party, provider, yes } from '../../support/trigger-people';
import { changesOf, feed, keeps, put, type Row, run, valuesOf } from '../../support/triggers';

async function held(details: Row = {}): Promise<void> {
  await provider('host');
  await party('p', details);
}
/** A party to which somebody comes. */
async function attended(details: Row = {}): Promise<void> {
  await held(details);
  await consumer('ana');
  await invitation('p', 'ana', yes);
}
const set = (change: string) => run(`UPDATE parties SET ${change}`);
const busy = () => stored('SELECT source, starts_at, ends_at FROM busy_times ORDER BY starts_at');
const told = () => stored("SELECT account_id, email, data FROM messages WHERE kind IN ('changed', 'called-off')");
const day = 24 * hour;

keeps('parties_are_whole', 'a party is of a known kind, and closes whole', async () => {
  const rules = { open_to: 'anyone', ask_email: 'optional', ask_phone: 'no' };
  const whole = { kind: 'party', rsvp_by: null, rsvp_closes_at: null, ...rules };
  const insert = (wrong: object) => put('whole_parties', { ...whole, ...wrong });

  await expect(insert({ kind: 'wake' })).rejects.toThrow('unknown_kind');
  await expect(insert({ rsvp_closes_at: 1 })).rejects.toThrow('party_closing');
  await expect(insert({ open_to: 'friends' })).rejects.toThrow('unknown_open_to');
});

keeps('parties_begin_whole', 'no party begins as an unknown kind', async () => {
  await provider('host');

  await expect(party('p', { kind: 'wake' })).rejects.toThrow('unknown_kind');
});

keeps('parties_stay_whole', 'no party becomes an unknown kind', async () => {
  await held();

  await expect(set("kind = 'wake'")).rejects.toThrow('unknown_kind');
});

keeps('parties_are_busy_time', 'the longest party is busy time in two rows', async () => {
  await provider('host');

  await put('times_of_parties', { provider_id: 'host', id: 'p', starts_at: start, ends_at: start + day + hour });

  expect(await busy()).toEqual([
    { source: 'p', starts_at: start, ends_at: start + day },
    { source: 'p', starts_at: start + day, ends_at: start + day + hour },
  ]);
});

keeps('parties_block', 'a new party blocks its time', async () => {
  await held();

  expect(await busy()).toEqual([{ source: 'p', starts_at: start, ends_at: start + 2 * hour }]);
});

keeps('parties_block_anew', 'a party that moves blocks its new time alone', async () => {
  await held();

  await set(`starts_at = ${start + hour}`);

  expect(await busy()).toEqual([{ source: 'p', starts_at: start + hour, ends_at: start + 2 * hour }]);
});

keeps('parties_block_anew', 'a party that is called off blocks nothing', async () => {
  await held();

  await set('deleted_at = 1');

  expect(await busy()).toEqual([]);
});

keeps('parties_block_no_more', 'a party that is forgotten blocks nothing', async () => {
  await held();

  await run('DELETE FROM parties');

  expect(await busy()).toEqual([]);
});

keeps('parties_join_feeds', 'the feed of a host changes with a new party', async () => {
  await provider('host');
  await feed('host');

  await party('p');

  expect(await changesOf('host')).toBe(1);
});

keeps('parties_change_in_feeds', 'a party changes for its host and who comes', async () => {
  await attended();
  await feed('host');
  await feed('ana');

  await set("title = 'Picnic'");

  expect(await changesOf('host')).toBe(1);
  expect(await changesOf('ana')).toBe(1);
});

keeps('invitations_know_when_it_starts', 'an invitation knows the new time of its party', async () => {
  await attended();

  await set(`starts_at = ${start + hour}`);

  expect(await valuesOf('SELECT party_starts_at FROM invitations')).toEqual([start + hour]);
});

keeps('parties_tell_of_changes', 'who comes hears what a party was before', async () => {
  await attended({ address: 'Rua da Rosa 5' });

  await set("title = 'Picnic', address = NULL, changed_at = 1");

  const data = { title: 'p', address: 'Rua da Rosa 5' };
  expect(await told()).toEqual([{ account_id: 'ana', email: null, data: JSON.stringify(data) }]);
});

keeps('parties_tell_of_changes', 'a name of a meetup hears it by mail', async () => {
  await held({ kind: 'meetup' });
  await name('p', 'ben', { email: 'ben@example.com', email_at: 1 });

  await set("title = 'Picnic', changed_at = 1");

  expect(await told()).toEqual([{ account_id: 'host', email: 'ben@example.com', data: '{"title":"p"}' }]);
});

keeps('parties_tell_that_they_are_called_off', 'who has not declined hears that it is off', async () => {
  await attended();
  await consumer('bo');
  await invitation('p', 'bo', { ...yes, accepted: 0 });

  await set('deleted_at = 1');

  expect(await told()).toEqual([{ account_id: 'ana', email: null, data: '{}' }]);
});
