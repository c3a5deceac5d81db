import { expect } from 'vitest';
import { readState } from '../../../db/states';
import { hour, start, stored } from '../../support/history';
import { consumer, party, provider } from '../../support/trigger-people';
import { keeps, put } from '../../support/triggers';

keeps('notices_become_messages', 'a message and its mail are one row', async () => {
  await consumer('ana', { email: 'ana@example.com', email_confirmed_at: 1 });

  await put('notices', { kind: 'canceled', once: 'b', account_id: 'ana', at: start });
  await put('notices', { kind: 'canceled', once: 'b', account_id: 'ana', at: start + 1 });

  expect(await stored('SELECT id, email, mail_state, due_at FROM messages')).toEqual([
    { id: 'canceled:b', email: 'ana@example.com', mail_state: 'due', due_at: start },
  ]);
});

keeps('notices_become_messages', 'the RSVPs of a day are one unread line', async () => {
  await provider('host');
  await party('p');
  const notice = { kind: 'rsvps', once: 'p', account_id: 'host', party_id: 'p', data: '{"count":1}', at: start };

  await put('notices', { ...notice, is_read: 1 });
  await put('notices', { ...notice, at: start + hour });

  expect(await stored('SELECT is_read, data FROM messages')).toEqual([{ is_read: 0, data: '{"count":2}' }]);
});

keeps(
  'notices_become_messages',
  'what is written for its mail alone is read, and nothing without an address',
  async () => {
    await consumer('ana');
    await consumer('bo', { email: 'bo@example.com', email_confirmed_at: 1 });
    const notice = { kind: 'booked', at: start, is_for_mail: 1 };

    await put('notices', { ...notice, once: 'a', account_id: 'ana' });
    await put('notices', { ...notice, once: 'b', account_id: 'bo' });

    expect(await stored('SELECT id, is_read FROM messages')).toEqual([{ id: 'booked:b', is_read: 1 }]);
  },
);

keeps('notices_become_messages', 'a notice that says how it begins is a row without an address too', async () => {
  await consumer('ana');
  const notice = { account_id: 'ana', at: start };

  await put('notices', { ...notice, kind: 'wish', once: 'w', is_read: readState.read });
  await put('notices', { ...notice, kind: 'booked', once: 'b', is_read: readState.noNews });

  expect(await stored('SELECT id, is_read FROM messages ORDER BY id')).toEqual([
    { id: 'booked:b', is_read: readState.noNews },
    { id: 'wish:w', is_read: readState.read },
  ]);
});
