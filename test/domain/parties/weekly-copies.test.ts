import { beforeEach, expect, test } from 'vitest';
import { closeSession } from '../../../app/domain/login/sessions.server';
import { repeatParty } from '../../../app/domain/parties/copying.server';
import { createParty } from '../../../app/domain/parties/hosting.server';
import type { Actor } from '../../../app/domain/profile/accounts';
import { createTemplate } from '../../../app/domain/templates/templates.server';
import { addDays } from '../../../app/domain/time/clock';
import type { Db } from '../../../db/client';
import { join, newBook, once, start, stored, year } from '../../support/history';

/* Weekly copies of a party: all are made, or none. */

const date = `${year}-03-12`;

let db: Db;
let host: Actor;
let party: { id: string; sequence: number };
beforeEach(async () => {
  ({ db, host } = await newBook());
  const details = { title: 'Chess', description: null, date, startTime: '19:00', endTime: '21:00' };
  const place = { address: null, locationUrl: null };
  const limits = { templateId: null, capacity: null, rsvpBy: null, plusOnes: 0, hideGoing: false };
  party = await createParty(db, host, { ...details, ...place, ...limits }, once(start));
});

const repeat = (templateId: string | null = null) => {
  const dates = [addDays(date, 7), addDays(date, 14)];
  return repeatParty(db, host, party.id, { dates, templateId, sequence: party.sequence, isMailed: false }, once(start));
};
const datesOfParties = async () =>
  (await stored<{ date: string }>('SELECT local_date AS date FROM parties ORDER BY starts_at')).map((row) => row.date);

test('are made for each day', async () => {
  await repeat();

  expect(await datesOfParties()).toEqual([date, addDays(date, 7), addDays(date, 14)]);
});

test('are not made with the questions of another host', async () => {
  const other = await join(db, {
    username: 'other',
    displayName: 'Other',
    timeZone: 'UTC',
    role: 'Provider',
    location: 'Porto',
  });
  const { id } = await createTemplate(db, other, { displayName: 'T', questions: [] }, once(start));

  await expect(repeat(id)).rejects.toMatchObject({ code: 'not_found' });

  expect(await datesOfParties()).toEqual([date]);
});

test('are not made once the host is logged out', async () => {
  await closeSession(db, host);

  await expect(repeat()).rejects.toMatchObject({ code: 'unauthenticated' });

  expect(await datesOfParties()).toEqual([date]);
});
