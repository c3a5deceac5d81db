import { beforeEach, expect, test } from 'vitest';
import { listCities } from '../../../app/domain/slots/providers.server';
import type { Db } from '../../../db/client';
import { forgetAll, join, newDb } from '../../support/history';

/* In which order a reader finds the cities that have a provider. */

let db: Db;
beforeEach(async () => {
  await forgetAll();
  db = newDb();
  for (const [place, location] of ['Nules', 'Ñora', 'Oslo', 'Århus', 'القاهرة', 'Αθήνα'].entries())
    await join(db, { username: `p${place}`, displayName: 'P', timeZone: 'UTC', role: 'Provider', location });
});

test.each([
  ['en', ['Århus', 'Ñora', 'Nules', 'Oslo', 'Αθήνα', 'القاهرة']],
  ['es', ['Århus', 'Nules', 'Ñora', 'Oslo', 'Αθήνα', 'القاهرة']],
  ['ar', ['القاهرة', 'Århus', 'Ñora', 'Nules', 'Oslo', 'Αθήνα']],
])('cities stand in the order of the alphabet of %s', async (language, expected) => {
  expect(await listCities(db, language)).toEqual(expected);
});
