import { env } from 'cloudflare:test';
import type { D1Database } from '@cloudflare/workers-types';
import { beforeEach, expect, test } from 'vitest';
import { linksBy } from '../../../app/domain/links.server';
import { rsvpAsGuest } from '../../../app/domain/parties/guest-rsvps.server';
import { createParty } from '../../../app/domain/parties/hosting.server';
import { Db } from '../../../db/client';
import { newId } from '../../../db/columns';
import { newBook, newDb, once, start, stored, year } from '../../support/history';

/* A guest and their RSVP are made by one condition. */

let party: string;
beforeEach(async () => {
  const { db, host } = await newBook();
  const details = { title: 'Chess', description: null, date: `${year}-03-12`, startTime: '19:00', endTime: '21:00' };
  const place = { address: null, locationUrl: null };
  const limits = { templateId: null, capacity: null, rsvpBy: null, plusOnes: 2, hideGoing: false };
  party = (await createParty(db, host, { ...details, ...place, ...limits, openTo: 'anyone' }, once(start))).id;
});

/** A database in which the party changes as soon as somebody has read it. */
class ChangingDb extends Db {
  private isChanged = false;

  constructor(private readonly change: string) {
    super(env.DB as unknown as D1Database, 'first-primary');
  }

  protected override async runInOrder(queries: Parameters<Db['runInOrder']>[0]): Promise<unknown[]> {
    const results = await super.runInOrder(queries);
    if (!this.isChanged) await stored(`UPDATE parties SET ${this.change}`);
    this.isChanged = true;
    return results;
  }
}

const say = (db: Db, { id = newId(), accepted = true } = {}) =>
  rsvpAsGuest(
    db,
    {
      ...{ id, sessionId: newId(), edgeZone: null, origin: null },
      rsvp: { id: party, accepted, guests: 2 },
      details: { displayName: 'Gia' },
      submitted: () => [],
      link: linksBy('secret of the links').make(),
    },
    start,
  );
const guests = () => stored("SELECT display_name AS name FROM accounts WHERE username IS NULL AND display_name <> ''");

test('a party that takes the RSVP takes the guest', async () => {
  await say(new ChangingDb('plus_ones = 2'));

  expect(await guests()).toEqual([{ name: 'Gia' }]);
});

test.each([
  ['fewer guests of theirs', 'plus_ones = 1'],
  ['those with a phone number', "ask_phone = 'required'"],
  ['those with an address', "ask_email = 'required'"],
])('a party that meanwhile takes only %s makes no guest of whoever it refuses', async (_, change) => {
  await expect(say(new ChangingDb(change))).rejects.toMatchObject({ code: 'not_found' });

  expect(await guests()).toEqual([]);
});

test('a no that is sent twice is one RSVP, even if the party takes accounts alone in between', async () => {
  const no = { id: newId(), accepted: false };
  const db = newDb();
  const first = await say(db, no);
  await stored("UPDATE parties SET open_to = 'accounts'");

  const again = await say(db, no);

  expect(again.own.id).toBe(first.own.id);
});
