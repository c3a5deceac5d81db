import { beforeEach, expect, test } from 'vitest';
import { bookAppointment } from '../../../app/domain/bookings/book.server';
import type { Actor } from '../../../app/domain/profile/accounts';
import { editProfile } from '../../../app/domain/profile/accounts.server';
import { createService } from '../../../app/domain/services/services.server';
import { editService } from '../../../app/domain/slots/edit-service.server';
import { listOpenSlots } from '../../../app/domain/slots/open-slots.server';
import type { Db } from '../../../db/client';
import { join, newBook, once, publishTimes, start, stored, year } from '../../support/history';

/* What becomes of a class in the book when its service gets other seats. */

let db: Db;
let host: Actor;
let yoga: string;
beforeEach(async () => {
  const { guest: maya, ...book } = await newBook();
  ({ db, host } = book);
  const tomas = await join(db, { username: 'tomas', displayName: 'Tomas', timeZone: 'UTC', role: 'Consumer' });
  const nothing = { price: null, deposit: null, description: null, templateId: null, link: null };
  const ofClass = { name: 'Yoga', minutes: 60, gap: 0, seats: 2, where: 'here', isOffered: true } as const;
  ({ id: yoga } = await createService(db, host, { ...nothing, ...ofClass }, once(start)));
  const evening = { start: '18:00', end: '19:00', dates: [`${year}-03-12`], len: 60 };
  const { ids } = await publishTimes(db, host, { ...evening, serviceId: yoga });
  for (const person of [maya, tomas])
    await bookAppointment(db, person, { id: ids[0] as string, submitted: null }, start);
});

const moveTo = (location: string) =>
  editProfile(db, host, { displayName: 'Host', timeZone: undefined, location }, start);
const setSeats = (seats: number) => editService(db, host, { id: yoga, change: { seats } }, start);
const listedIn = async (location: string) => {
  const filter = { provider: undefined, location, q: undefined, dates: undefined, page: 0 };
  return (await listOpenSlots(db, filter, start)).rows.length;
};

test('a full class with more seats is open', async () => {
  await setSeats(3);

  expect(await stored('SELECT state, taken, seats FROM slots')).toEqual([{ state: 0, taken: 2, seats: 3 }]);
});

test('an open class with no more seats than people is full', async () => {
  await setSeats(3);

  await setSeats(2);

  expect(await stored('SELECT state, taken, seats FROM slots')).toEqual([{ state: 1, taken: 2, seats: 2 }]);
});

test('a class that opens is listed in the city to which its provider has moved', async () => {
  await moveTo('Porto');

  await setSeats(3);

  expect(await listedIn('Porto')).toBe(1);
});

test('a class that opens is no longer listed in the city that its provider has left', async () => {
  await moveTo('Porto');

  await setSeats(3);

  expect(await listedIn('Lisbon')).toBe(0);
});
