import { beforeAll, describe, expect, test } from 'vitest';
import { markAll } from '../../../app/domain/bookings/attendance.server';
import { bookAppointment, cancelAppointment } from '../../../app/domain/bookings/book.server';
import { moveAppointment } from '../../../app/domain/bookings/move.server';
import { DomainError } from '../../../app/domain/errors';
import { forgetExpired } from '../../../app/domain/housekeeping.server';
import { linksBy } from '../../../app/domain/links.server';
import { endKey, findHolder, makeKey } from '../../../app/domain/login/keys.server';
import type { Passwords } from '../../../app/domain/login/passwords.server';
import { closeSession } from '../../../app/domain/login/sessions.server';
import type { Actor } from '../../../app/domain/profile/accounts';
import { editProfile } from '../../../app/domain/profile/accounts.server';
import { createTemplate } from '../../../app/domain/templates/templates.server';
import { day, hour } from '../../../app/domain/time/clock';
import { sessionCookies } from '../../../app/http/session.server';
import type { Db } from '../../../db/client';
import { newBook, once, publishTimes, start, stored, year } from '../../support/history';

const slots = { start: '09:00', end: '10:00', dates: [`${year}-03-12`] };
const codeOf = (doing: Promise<unknown>) =>
  doing.catch((error: unknown) => (error instanceof DomainError ? error.code : error));

const anyPassword: Passwords = { hash: async () => 'none', verify: async () => ({ right: true, outdated: false }) };

/** A program with a new key of this account, as the door lets it in. */
async function programOf(db: Db, actor: Actor): Promise<Actor> {
  const wish = { name: 'Till', scope: 'write', password: 'Correct horse 1' } as const;
  const moment = { now: start, origin: null };
  const { key } = await makeKey(db, anyPassword, linksBy('a secret of this test'), actor, wish, moment);
  const holder = await findHolder(db, key, start);
  if (!holder) throw new Error('The key opens nothing.');
  return holder.actor;
}

test('a key that stands publishes', async () => {
  const { db, host } = await newBook();

  await publishTimes(db, await programOf(db, host), slots);

  expect(await stored('SELECT id FROM slots')).toHaveLength(2);
});

/** The writes of somebody whose request was let in before that ended. */
function writesNothing(letIn: () => Promise<{ db: Db; host: Actor }>): void {
  let db: Db;
  let host: Actor;
  beforeAll(async () => {
    ({ db, host } = await letIn());
  });

  test('publishes nothing', async () => {
    expect(await codeOf(publishTimes(db, host, slots))).toBe('unauthenticated');
    expect(await stored('SELECT id FROM slots')).toEqual([]);
  });

  test('makes no template', async () => {
    const create = createTemplate(db, host, { displayName: 'Intake', questions: [] }, once(start));

    expect(await codeOf(create)).toBe('unauthenticated');
    expect(await stored('SELECT id FROM templates')).toEqual([]);
  });

  test('marks nobody as seen', async () => {
    expect(await codeOf(markAll(db, host, [{ id: 'none', as: 'seen' }], start))).toBe('unauthenticated');
  });

  test('changes no profile', async () => {
    const edit = editProfile(db, host, { displayName: 'Anew', timeZone: 'UTC' }, start);

    expect(await codeOf(edit)).toBe('unauthenticated');
    expect(await stored("SELECT display_name AS name FROM accounts WHERE role = 'Provider'")).toEqual([
      { name: 'Host' },
    ]);
  });
}

// What each call does for a session that has ended: see every-route.test.ts.
describe.each<[how: string, end: (db: Db, actor: Actor) => Promise<unknown>]>([
  ['ended', closeSession],
  ['expired', (_, { sessionId }) => stored('UPDATE sessions SET expires_at = ? WHERE id = ?', start, sessionId)],
])('a session that has %s', (_, end) =>
  writesNothing(async () => {
    const { db, host } = await newBook();
    await end(db, host);
    return { db, host };
  }),
);

describe.each<[how: string, end: (db: Db, host: Actor, id: string) => Promise<unknown>]>([
  ['ended', (db, host, id) => endKey(db, host, id, start)],
  ['over', (_db, _host, id) => stored('UPDATE keys SET ends_at = ? WHERE id = ?', start, id)],
])('a key that is %s since its request was let in', (_, end) =>
  writesNothing(async () => {
    const { db, host } = await newBook();
    const program = await programOf(db, host);
    await end(db, host, program.sessionId);
    return { db, host: program };
  }),
);

test('a session that has expired is deleted within three days', async () => {
  const { db, host, guest } = await newBook();
  await stored('UPDATE sessions SET expires_at = ? WHERE id = ?', start, host.sessionId);

  for (let at = start; at < start + 3 * day; at += hour) await forgetExpired(db, at);

  expect(await stored('SELECT id FROM sessions')).toEqual([{ id: guest.sessionId }]);
});

describe('a booking', () => {
  /** A booking of the guest, and a free time to move it to. */
  async function bookOne() {
    const { db, host, guest } = await newBook();
    const [id, to] = (await publishTimes(db, host, slots)).ids as [string, string];
    await bookAppointment(db, guest, { id, submitted: null }, start);
    return { db, guest, id, to };
  }
  type World = Awaited<ReturnType<typeof bookOne>>;

  const statesOfSlots = () => stored('SELECT state FROM slots ORDER BY starts_at');
  const asBooked = [{ state: 1 }, { state: 0 }];
  const replacedLink = ({ guest, id }: World) => ({
    accountId: guest.accountId,
    bookingId: id,
    linkSource: 'of a link before',
  });

  test('is not canceled by its client once logged out', async () => {
    const { db, guest, id } = await bookOne();
    await closeSession(db, guest);

    const code = await codeOf(cancelAppointment(db, guest, { id, reason: null }, start));

    expect(code).toBe('unauthenticated');
    expect(await statesOfSlots()).toEqual(asBooked);
  });

  test('is not moved by its client once logged out', async () => {
    const { db, guest, id, to } = await bookOne();
    await closeSession(db, guest);

    const code = await codeOf(moveAppointment(db, guest, { id, to, submitted: null, reason: null }, start));

    expect(code).toBe('unauthenticated');
    expect(await statesOfSlots()).toEqual(asBooked);
  });

  test('is not canceled by a link that was replaced', async () => {
    const world = await bookOne();

    const code = await codeOf(cancelAppointment(world.db, replacedLink(world), { id: world.id, reason: null }, start));

    expect(code).toBe('not_found');
    expect(await statesOfSlots()).toEqual(asBooked);
  });

  test('is not moved by a link that was replaced', async () => {
    const world = await bookOne();
    const move = { id: world.id, to: world.to, submitted: null, reason: null };

    const code = await codeOf(moveAppointment(world.db, replacedLink(world), move, start));

    expect(code).toBe('not_found');
    expect(await statesOfSlots()).toEqual(asBooked);
  });
});

describe('the cookies of a login', () => {
  const secrets = 'a secret of the test';
  const actor: Actor = { accountId: 'an-account', sessionId: 'a-session', role: 'Consumer', timeZone: 'UTC' };
  const cookiesBy = (signedWith: string, headers = {}) =>
    sessionCookies(new Request('http://daybook.test/', { headers }), signedWith);
  const read = (cookie: string, signedWith = secrets) => cookiesBy(signedWith, { Cookie: cookie }).read();
  const cookieBy = async (signedWith: string) => (await cookiesBy(signedWith).set(actor)).split(';')[0] ?? '';

  test('say who acts', async () => {
    expect((await read(await cookieBy(secrets))).actor).toEqual(actor);
  });

  test('are checked once while they come alone', async () => {
    const cookie = await cookieBy(secrets);
    const first = await read(cookie);

    expect(await read(cookie)).toBe(first);
  });

  test('are checked each time where much comes with them', async () => {
    const cookie = await cookieBy(secrets);
    const longer = `${cookie}; other=${'x'.repeat(4000)}`;
    const first = await read(longer);

    const second = await read(longer);

    expect(first).toEqual(await read(cookie));
    expect(second).toEqual(first);
    expect(second).not.toBe(first);
  });

  describe('under a newer secret', () => {
    const both = `a newer secret, ${secrets}`;

    test('still count while the old one stands behind it', async () => {
      expect((await read(await cookieBy(secrets), both)).actor).toEqual(actor);
    });

    test('are signed with it', async () => {
      expect((await read(await cookieBy(both), 'a newer secret')).actor).toEqual(actor);
    });

    test('no longer count once the old one is taken away', async () => {
      expect((await read(await cookieBy(secrets), 'a newer secret')).actor).toBeNull();
    });
  });
});
