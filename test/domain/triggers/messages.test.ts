import { expect } from 'vitest';
import { start, stored } from '../../support/history';
import { consumer, name, party, provider } from '../../support/trigger-people';
import { keeps, put, type Row, run, valuesOf } from '../../support/triggers';

/** A message to `ana`, with a mail that has no limits. */
const message = (id: string, details: Row = {}) =>
  put('messages', {
    id,
    account_id: 'ana',
    kind: 'canceled',
    created_at: start,
    email: 'ana@example.com',
    email_hash: 'hash',
    mail_state: 'due',
    due_at: start,
    ...details,
  });
const judge = (id: string) => run('INSERT INTO judged_mail SELECT * FROM messages WHERE id = ?', id);
async function people(): Promise<void> {
  await provider('host');
  await consumer('ana');
}
const bucket = () => stored("SELECT bucket, tries FROM throttles WHERE bucket = 'mail:hash'");

keeps('chains_are_one_line_of_news', 'only the latest of a chain is news', async () => {
  await people();

  await message('first');
  await message('second', { data: '{"after":"first"}' });

  expect(await valuesOf('SELECT is_read FROM messages ORDER BY id')).toEqual([2, 0]);
});

keeps('new_mail_is_judged', 'a new mail counts if it has limits', async () => {
  await people();

  await message('free');
  await message('limited', { is_limited: 1 });

  expect(await bucket()).toEqual([{ bucket: 'mail:hash', tries: 1 }]);
});

keeps('mail_keeps_its_limits', 'mail that is asked for again is judged anew', async () => {
  await people();
  await message('m', { mail_state: 'withheld', reason: 'sender' });
  await put('refused_addresses', { email_hash: 'hash', refused_at: 0 });

  await run("UPDATE messages SET mail_state = 'asked'");

  expect(await stored('SELECT mail_state, reason FROM messages')).toEqual([
    { mail_state: 'withheld', reason: 'refused' },
  ]);
});

keeps('mail_keeps_its_limits', 'mail that goes out after all counts', async () => {
  await people();
  await message('m', { mail_state: 'withheld', reason: 'full' });

  await run("UPDATE messages SET mail_state = 'asked'");

  expect(await bucket()).toEqual([{ bucket: 'mail:hash', tries: 1 }]);
});

keeps('mail_that_goes_out_is_counted', 'an address counts the mail of a day', async () => {
  await people();
  await put('throttles', { bucket: 'mail:hash', tries: 9, ends_at: start });
  await message('m');

  await judge('m');
  await judge('m');

  expect(await bucket()).toEqual([{ bucket: 'mail:hash', tries: 2 }]);
});

keeps('mail_that_goes_out_is_counted', 'a sender knows to whom they wrote', async () => {
  await people();
  await message('m', { sender_id: 'host' });

  await judge('m');

  expect(await stored('SELECT sender_id, email_hash FROM mail_contacts')).toEqual([
    { sender_id: 'host', email_hash: 'hash' },
  ]);
});

keeps('names_show_withheld_mail', 'a name shows the mail that it did not get', async () => {
  await people();
  await party('p');
  await name('p', 'ben');
  await message('m', { account_id: 'host', invitation_id: 'p-ben', mail_state: 'withheld' });

  await judge('m');

  expect(await valuesOf('SELECT withheld_mail FROM invitations')).toEqual(['m']);
});

keeps('news_tell_of_withheld_mail', 'who caused a mail reads that it is withheld', async () => {
  await people();
  await message('m', { sender_id: 'host', mail_state: 'withheld', reason: 'refused' });

  await judge('m');

  expect(await stored("SELECT kind, actor_id, data FROM messages WHERE account_id = 'host'")).toEqual([
    { kind: 'undelivered', actor_id: 'ana', data: '{"withheld":"refused"}' },
  ]);
});

keeps('news_tell_of_dead_mail', 'who caused a mail reads that it is given up', async () => {
  await people();
  await message('m', { actor_id: 'host' });

  await run("UPDATE messages SET mail_state = 'dead'");

  expect(await stored("SELECT kind, actor_id FROM messages WHERE account_id = 'host'")).toEqual([
    { kind: 'undelivered', actor_id: 'ana' },
  ]);
});

keeps('news_tell_of_dead_mail', 'a host reads whose mail is given up', async () => {
  await people();
  await party('p');
  await name('p', 'ben');
  await message('m', { account_id: 'host', party_id: 'p', invitation_id: 'p-ben' });

  await run("UPDATE messages SET mail_state = 'dead'");

  expect(await stored("SELECT party_id, data FROM messages WHERE kind = 'undelivered'")).toEqual([
    { party_id: 'p', data: '{"name":"ben"}' },
  ]);
});
