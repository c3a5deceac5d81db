import { beforeEach, expect, test } from 'vitest';
import { createMeetup, editParty } from '../../../app/domain/parties/hosting.server';
import { inviteesFromLines } from '../../../app/domain/parties/parties';
import { version } from '../../../app/domain/parties/replays.server';
import { partyColumns } from '../../../app/domain/parties/select.server';
import type { Actor } from '../../../app/domain/profile/accounts';
import { addDays } from '../../../app/domain/time/clock';
import { todayIn } from '../../../app/domain/time/zones';
import type { Db } from '../../../db/client';
import { newBook, start, stored } from '../../support/history';

/* What a one-time key keeps of a party, where a deployment has come between the first use of the key and the second. */

let db: Db;
let host: Actor;
beforeEach(async () => {
  ({ db, host } = await newBook());
});

test('a key that created a meetup replays it as it is now, where the key was stored by another version', async () => {
  const details = { title: 'Chess', date: addDays(todayIn('UTC', start), 7), startTime: '19:00', endTime: '21:00' };
  const attendees = inviteesFromLines(['Ada', 'Bo']);
  const none = { description: null, address: null, locationUrl: null };
  const create = () => createMeetup(db, host, { ...details, ...none, attendees }, { now: start, key: 'pressed' });
  const first = await create();
  await editParty(db, host, 'meetup', { id: first.id, change: { title: 'Go' } }, start);
  // With a column less, and one that was called otherwise.
  await stored(`UPDATE one_time_keys SET replay = json_object('version', 0, 'id', replay ->> 'id', 'party', json('[{"name":"x"}]'))
    WHERE caller LIKE '%:Create-meetup'`);
  expect(await create()).toMatchObject({ ...first, title: 'Go', sequence: 1, invitations: [{}, {}], capacity: null });
  expect(await stored('SELECT id FROM parties')).toEqual([{ id: first.id }]);
});

test('whoever changes what a party has counts the version of its replays up', () => {
  expect({ version, columns: Object.keys(partyColumns).join(' ') }).toEqual({
    version: 4,
    columns:
      'id kind providerId provider providerName title description startsAt endsAt date timeZone address locationUrl templateId capacity rsvpBy rsvpClosesAt plusOnes hideGoing openTo showOnPage askEmail askPhone going invited sequence',
  });
});
