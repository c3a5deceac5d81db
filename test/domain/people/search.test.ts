import { beforeEach, describe, expect, test } from 'vitest';
import { bookAppointment } from '../../../app/domain/bookings/book.server';
import { linksBy } from '../../../app/domain/links.server';
import { createPerson } from '../../../app/domain/people/edit.server';
import { listPeople } from '../../../app/domain/people/people.server';
import type { Actor } from '../../../app/domain/profile/accounts';
import { referenceFrom } from '../../../app/domain/services/references';
import type { Db } from '../../../db/client';
import { forgetAll, join, joinHost, newDb, publishTimes, start, stored, year } from '../../support/history';

/* What a search among a provider's people finds, in which order, and what it reads. */

const names = ['Zoé', 'Zoe', 'Elan', 'Élan', 'Emma Zoë', 'Łukasz', 'Lukas', 'Maria José da Silva', 'Bob'];
const links = linksBy('a secret of this test');
let db: Db;
let host: Actor;
beforeEach(async () => {
  await forgetAll();
  db = newDb();
  host = await joinHost(db);
  for (const [place, name] of names.entries()) {
    const card = { name, email: null, phone: null, note: null, key: `card-${place}` };
    await createPerson(db, links, host, card, start);
  }
});
const found = async (q?: string) => (await listPeople(db, host, { q, page: 0 }, start)).rows.map(({ name }) => name);

test('people are listed from A to Z, accents beside their letters', async () => {
  expect(await found()).toEqual([
    'Bob',
    'Elan',
    'Élan',
    'Emma Zoë',
    'Lukas',
    'Łukasz',
    'Maria José da Silva',
    'Zoe',
    'Zoé',
  ]);
});

test.each([
  ['zoe', ['Emma Zoë', 'Zoe', 'Zoé']],
  ['ZÖE', ['Emma Zoë', 'Zoe', 'Zoé']],
  ['lukas', ['Lukas', 'Łukasz']],
  ['jose maria', ['Maria José da Silva']],
  ['Silva, José', ['Maria José da Silva']],
  ['zoe emma bob', []],
  [' , ', names.toSorted()],
])('%j finds %j', async (q, expected) => {
  expect((await found(q)).sort()).toEqual(expected);
});

test.each([
  ['MULLER', 'Jörg Müller'],
  ['strasse', 'Ida Straße'],
  ['νικος', 'Νίκος Παππάς'],
  ['ΠΑΠΠΑΣ', 'Νίκος Παππάς'],
  ['иван', 'Иван Ёлкин'],
  ['الزهراء', 'فاطمة الزهراء'],
  ['פרץ', 'נועה פרץ'],
])('%j finds %s', async (q, name) => {
  await createPerson(db, links, host, { name, email: null, phone: null, note: null, key: 'of-a-script' }, start);

  expect(await found(q)).toEqual([name]);
});

describe('a search', () => {
  const rowsReadBy = async (q: string) => {
    const before = db.tally.rowsRead;
    await found(q);
    return db.tally.rowsRead - before;
  };

  test.each(['nobody', 'nobody of four words'])('for %j reads a row for each card', async (q) => {
    expect(await rowsReadBy(q)).toBeLessThanOrEqual(names.length + 1);
  });

  test('for a reference reads two rows more than one for a name, whatever is booked', async () => {
    const { ids } = await publishTimes(db, host, { start: '09:00', end: '15:00', dates: [`${year}-03-12`] });
    const client = await join(db, { username: 'client', displayName: 'Client', timeZone: 'UTC', role: 'Consumer' });
    for (const id of ids) await bookAppointment(db, client, { id, submitted: null }, start);
    await stored("UPDATE bookings SET deposit = '10 €'");

    expect(await rowsReadBy(referenceFrom(ids[0] ?? ''))).toBeLessThanOrEqual((await rowsReadBy('Client')) + 2);
  });
});
