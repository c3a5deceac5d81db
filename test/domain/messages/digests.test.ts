import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, test } from 'vitest';
import { rsvpByLink } from '../../../app/domain/parties/attendees.server';
import { createMeetup, createParty } from '../../../app/domain/parties/hosting.server';
import { inviteesFromLines } from '../../../app/domain/parties/parties';
import { rsvpToParty } from '../../../app/domain/parties/rsvps.server';
import type { Actor } from '../../../app/domain/profile/accounts';
import { addDays, day, hour } from '../../../app/domain/time/clock';
import { todayIn } from '../../../app/domain/time/zones';
import type { Db } from '../../../db/client';
import { forgetAll, join, newDb, start, stored } from '../../support/history';

let db: Db;
let hanna: Actor;
let rui: Actor;
let ana: Actor;
let bo: Actor;
beforeEach(async () => {
  await forgetAll();
  db = newDb();
  const host = { timeZone: 'UTC', role: 'Provider', location: 'Lisbon' } as const;
  const guest = { timeZone: 'UTC', role: 'Consumer' } as const;
  [hanna, rui, ana, bo] = await Promise.all([
    join(db, { ...host, username: 'hanna', displayName: 'Hanna' }),
    join(db, { ...host, username: 'rui', displayName: 'Rui' }),
    join(db, { ...guest, username: 'ana', displayName: 'Ana' }),
    join(db, { ...guest, username: 'bo', displayName: 'Bo' }),
  ]);
});

const facts = { description: 'Come', address: null, locationUrl: null };
const at = (days: number) => ({ date: addDays(todayIn('UTC', start), days), startTime: '18:00', endTime: '22:00' });
const party = (host: Actor, title: string) =>
  createParty(
    db,
    host,
    { ...facts, ...at(20), title, templateId: null, capacity: null, rsvpBy: null, plusOnes: 0, hideGoing: false },
    { now: start, key: title },
  );
const digests = (host: Actor) =>
  stored<{ title: string; count: number; at: number; email: string | null }>(
    `SELECT title, data ->> 'count' AS count, messages.created_at AS at, email FROM messages JOIN parties ON parties.id = party_id
      WHERE account_id = ? AND messages.kind = 'rsvps' ORDER BY messages.created_at, title`,
    host.accountId,
  );

describe('each host hears of the answers', () => {
  test('to each of their parties and meetups, once a day', async () => {
    await env.DB.prepare(
      "UPDATE accounts SET email = id || '@mail.test', email_confirmed_at = 1 WHERE role = 'Provider'",
    ).run();
    const [lanterns, chess] = [await party(hanna, 'Lanterns'), await party(rui, 'Chess')];
    const input = { ...facts, ...at(21), title: 'Walk', attendees: inviteesFromLines(['Ada', 'Ben']) };
    const walk = await createMeetup(db, hanna, input, { now: start, key: 'walk' });
    const links = await stored<{ id: string }>('SELECT id FROM invitations WHERE party_id = ? ORDER BY name', walk.id);
    const answer = (who: Actor, { id }: { id: string }, accepted: boolean, now: number) =>
      rsvpToParty(db, who, { id, accepted, guests: 0 }, () => [], now);

    await answer(ana, lanterns, true, start);
    await answer(bo, lanterns, true, start + hour);
    await answer(ana, chess, true, start + hour);
    await rsvpByLink(db, { id: links[0]?.id ?? '', accepted: true }, start + hour);
    await answer(ana, lanterns, false, start + day);
    await answer(bo, chess, false, start + day);
    await rsvpByLink(db, { id: links[1]?.id ?? '', accepted: false }, start + day);

    const told = async (host: Actor) => (await digests(host)).map(({ title, count, at }) => [title, count, at]);
    expect(await told(hanna)).toEqual([
      ['Lanterns', 2, start],
      ['Walk', 1, start + hour],
      ['Lanterns', 1, start + day],
      ['Walk', 1, start + day],
    ]);
    expect(await told(rui)).toEqual([
      ['Chess', 1, start + hour],
      ['Chess', 1, start + day],
    ]);
    // Each to its own host.
    for (const host of [hanna, rui]) {
      expect(new Set((await digests(host)).map(({ email }) => email))).toEqual(
        new Set([`${host.accountId}@mail.test`]),
      );
    }
  });
});
