import { beforeEach, describe, expect, test } from 'vitest';
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

describe('a key that created a meetup, stored by another version,', () => {
  /** The meetup as the key made it, and as the key replays it after its title was changed. */
  async function replayedMeetup() {
    const details = { title: 'Chess', date: addDays(todayIn('UTC', start), 7), startTime: '19:00', endTime: '21:00' };
    const attendees = inviteesFromLines(['Ada', 'Bo']);
    const none = { description: null, address: null, locationUrl: null };
    const create = () => createMeetup(db, host, { ...details, ...none, attendees }, { now: start, key: 'pressed' });
    const first = await create();
    await editParty(db, host, 'meetup', { id: first.id, change: { title: 'Go' } }, start);
    // With a column less, and one that was called otherwise.
    await stored(`UPDATE one_time_keys SET replay = json_object('version', 0, 'id', replay ->> 'id', 'party', json('[{"name":"x"}]'))
      WHERE caller LIKE '%:Create-meetup'`);
    return { first, replayed: await create() };
  }

  test('replays it as it is now', async () => {
    const { first, replayed } = await replayedMeetup();

    expect(replayed).toMatchObject({ ...first, title: 'Go', sequence: 1, invitations: [{}, {}], capacity: null });
  });

  test('makes no second one', async () => {
    const { first } = await replayedMeetup();

    expect(await stored('SELECT id FROM parties')).toEqual([{ id: first.id }]);
  });
});

// A change of the columns fails here, so that whoever makes it counts the version up with them.
test('the replays of a party have a version for what they have', () => {
  const columns = [
    ...['id', 'kind', 'providerId', 'provider', 'providerName', 'title', 'description', 'startsAt', 'endsAt', 'date'],
    ...['timeZone', 'address', 'locationUrl', 'templateId', 'capacity', 'rsvpBy', 'rsvpClosesAt', 'plusOnes'],
    ...['hideGoing', 'openTo', 'showOnPage', 'askEmail', 'askPhone', 'going', 'invited', 'sequence'],
  ];

  expect({ version, columns: Object.keys(partyColumns) }).toEqual({ version: 4, columns });
});
