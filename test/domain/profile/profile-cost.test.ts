import { beforeAll, expect, test } from 'vitest';
import type { Actor } from '../../../app/domain/profile/accounts';
import { editProfile } from '../../../app/domain/profile/accounts.server';
import { addDays } from '../../../app/domain/time/clock';
import { todayIn } from '../../../app/domain/time/zones';
import type { Db } from '../../../db/client';
import { join, newDb, publishTimes, start } from '../../support/history';

/* What is kept by triggers is written only where it changes: the names by which a provider is found, and a city's days. */

let db: Db;
let host: Actor;
beforeAll(async () => {
  db = newDb();
  const profile = { username: 'host', displayName: 'Host', timeZone: 'UTC', location: 'Lisbon' };
  host = await join(db, { ...profile, role: 'Provider' });
  for (const username of ['one', 'two', 'three']) {
    await join(db, { ...profile, username: `${username}.of.porto`, location: 'Porto', role: 'Provider' });
  }
  const dates = [1, 2].map((later) => addDays(todayIn('UTC', start), later));
  await publishTimes(db, host, { start: '09:00', end: '17:00', dates, len: 60 });
});

const save = async (change: { displayName?: string; location?: string }) => {
  const { rowsRead, rowsWritten } = db.tally;
  await editProfile(db, host, { displayName: 'Host', location: 'Lisbon', timeZone: undefined, ...change }, start);
  return { read: db.tally.rowsRead - rowsRead, written: db.tally.rowsWritten - rowsWritten };
};

test('a profile that is saved writes what it changes, and reads of nobody else', async () => {
  const named = {
    unchanged: await save({}),
    renamed: await save({ displayName: 'Hostess' }),
    'named as before': await save({}),
  };
  expect(named).toEqual({
    unchanged: { read: 23, written: 3 },
    renamed: { read: 65, written: 18 },
    'named as before': { read: 62, written: 10 },
  });
  await save({ location: 'Porto' });
  // Two rows for each of 16 slots, and none for their days, which Lisbon has already.
  expect(await save({})).toEqual({ read: 41, written: 39 });
});
