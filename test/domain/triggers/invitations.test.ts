import { expect } from 'vitest';
import { hour, start, stored } from '../../support/history';
import { consumer, invitation, name, party, provider, yes } from '../../support/trigger-people';
import { changesOf, feed, keeps, put, type Row, run } from '../../support/triggers';

const mailed = { email: 'ana@example.com', email_confirmed_at: 1 };

/** A host, a client who reads mail, and the client's invitation to a party. */
async function invited(details: Row = {}): Promise<void> {
  await hosted();
  await invitation('p', 'ana', details);
}
async function hosted(): Promise<void> {
  await provider('host');
  await consumer('ana', mailed);
  await party('p');
}
const set = (change: string) => run(`UPDATE invitations SET ${change}`);
const counted = () => stored('SELECT going, invited FROM parties');
const newsOfHost = () => stored("SELECT kind, party_id, data FROM messages WHERE account_id = 'host'");
const oneRsvp = [{ kind: 'rsvps', party_id: 'p', data: '{"count":1}' }];
const sent = () => stored('SELECT kind, invitation_id, email FROM messages');

keeps('invitations_are_whole', 'an invitation is of one, with a whole RSVP', async () => {
  const whole = { invitee: 'ana', account_id: 'ana', accepted: 1, rsvp_at: 1 };
  const insert = (wrong: object) => put('whole_invitations', { ...whole, ...wrong });

  await expect(insert({ account_id: 'bo' })).rejects.toThrow('invitation_of_one');
  await expect(insert({ accepted: 2 })).rejects.toThrow('unknown_rsvp');
  await expect(insert({ rsvp_at: null })).rejects.toThrow('invitation_has_rsvp');
});

keeps('invitations_begin_whole', 'an invitation begins with no RSVP but yes and no', async () => {
  await hosted();

  await expect(invitation('p', 'ana', { ...yes, accepted: 2 })).rejects.toThrow('unknown_rsvp');
});

keeps('invitations_stay_whole', 'an RSVP becomes nothing but yes and no', async () => {
  await invited(yes);

  await expect(set('accepted = 2')).rejects.toThrow('unknown_rsvp');
});

keeps('invitations_keep_their_account', 'an RSVP does not go to another account', async () => {
  await invited(yes);
  await consumer('bo');

  await expect(set("account_id = 'bo', invitee = 'bo'")).rejects.toThrow('invitation_keeps_its_account');
});

keeps('invitations_are_counted', 'a party counts who answers, and who comes along', async () => {
  await invited({ ...yes, plus_ones: 2 });

  expect(await counted()).toEqual([{ going: 3, invited: 1 }]);
});

keeps('invitations_join_feeds', 'a feed changes with a new invitation', async () => {
  await hosted();
  await feed('ana');

  await invitation('p', 'ana');

  expect(await changesOf('ana')).toBe(1);
});

const givenRsvp = { id: 'p-ana', party_id: 'p', rsvp_at: start };

keeps('given_rsvps_are_told', 'a host hears how many RSVPs a day brought', async () => {
  await hosted();

  await put('given_rsvps', givenRsvp);
  await put('given_rsvps', { ...givenRsvp, id: 'p-bo', rsvp_at: start + 1 });

  expect(await newsOfHost()).toEqual([{ kind: 'rsvps', party_id: 'p', data: '{"count":2}' }]);
});

keeps('given_rsvps_are_told', 'the programs of a host hear of an RSVP', async () => {
  await hosted();
  await put('webhooks', { provider_id: 'host', id: 'w', url: 'u', secret: 's', kinds: '["rsvps"]', made_at: 0 });

  await put('given_rsvps', givenRsvp);

  expect(await stored('SELECT kind, about FROM deliveries')).toEqual([{ kind: 'rsvps', about: 'p-ana' }]);
});

keeps('rsvps_are_told', 'a host hears of a first RSVP', async () => {
  await invited(yes);

  expect(await newsOfHost()).toEqual(oneRsvp);
});

keeps('changed_rsvps_are_told', 'a host hears of an RSVP that changes', async () => {
  await invited();

  await set(`accepted = 0, rsvp_at = ${start}`);

  expect(await newsOfHost()).toEqual(oneRsvp);
});

keeps('own_rsvps_are_mailed', 'a name of a meetup that says yes brings nobody', async () => {
  await hosted();
  await name('p', 'ben');

  const rsvp = { account_id: null, accepted: 1, was_accepted: null, plus_ones: 2, rsvp_at: start };
  await put('own_rsvps', { id: 'p-ben', party_id: 'p', ...rsvp, email: mailed.email, email_hash: null });

  const data = { isComing: 1, wasComing: 0, brings: 0 };
  expect(await stored("SELECT invitation_id, data FROM messages WHERE kind = 'answered'")).toEqual([
    { invitation_id: 'p-ben', data: JSON.stringify(data) },
  ]);
});

keeps('own_rsvps_are_told', 'whoever says yes has that by mail', async () => {
  await invited({ ...yes, plus_ones: 2 });

  const data = { isComing: 1, wasComing: 0, brings: 2 };
  expect(await stored("SELECT kind, email, data FROM messages WHERE account_id = 'ana'")).toEqual([
    { kind: 'answered', email: mailed.email, data: JSON.stringify(data) },
  ]);
});

keeps('changed_own_rsvps_are_told', 'whoever says no after a yes has that by mail', async () => {
  await invited(yes);

  await set(`accepted = 0, rsvp_at = ${start + hour}`);

  const data = { isComing: 0, wasComing: 1, brings: 0 };
  expect(await stored('SELECT kind, email, data FROM messages WHERE created_at = ?', start + hour)).toEqual([
    { kind: 'answered', email: mailed.email, data: JSON.stringify(data) },
  ]);
});

const address = { email: 'Ben@example.com', email_hash: 'hash', email_at: start };
const oneMail = [{ kind: 'invited', invitation_id: 'p-ben', email: 'Ben@example.com' }];

keeps('sent_invitations_are_told', 'one link goes to one address once', async () => {
  await hosted();
  await name('p', 'ben');

  await put('sent_invitations', { id: 'p-ben', party_id: 'p', ...address });
  await put('sent_invitations', { id: 'p-ben', party_id: 'p', ...address, email_at: start + 1 });

  expect(await sent()).toEqual(oneMail);
});

keeps('invitations_are_sent', 'a name with an address gets its link there', async () => {
  await hosted();

  await name('p', 'ben', address);

  expect(await sent()).toEqual(oneMail);
});

keeps('invitations_are_sent_again', 'a name gets its link at a new address', async () => {
  await hosted();
  await name('p', 'ben');

  await set(`email = 'Ben@example.com', email_at = ${start}`);

  expect(await sent()).toEqual(oneMail);
});

keeps('invitations_count_anew', 'a party no longer counts who says no', async () => {
  await invited({ ...yes, plus_ones: 2 });

  await set('accepted = 0, plus_ones = 0');

  expect(await counted()).toEqual([{ going: 0, invited: 1 }]);
});

keeps('invitations_stay_in_feeds', 'a feed changes with an RSVP', async () => {
  await invited();
  await feed('ana');

  await set(`accepted = 1, rsvp_at = ${start}`);

  expect(await changesOf('ana')).toBe(1);
});

keeps('invitations_count_no_more', 'a party no longer counts who is taken off', async () => {
  await invited({ ...yes, plus_ones: 2 });

  await run('DELETE FROM invitations');

  expect(await counted()).toEqual([{ going: 0, invited: 0 }]);
});

keeps('invitations_leave_feeds', 'a feed changes without its invitation', async () => {
  await invited();
  await feed('ana');

  await run('DELETE FROM invitations');

  expect(await changesOf('ana')).toBe(1);
});
