import { expect, test } from 'vitest';
import { markAll } from '../../../app/domain/bookings/attendance.server';
import { bookAppointment, cancelAppointment } from '../../../app/domain/bookings/book.server';
import { moveAppointment } from '../../../app/domain/bookings/move.server';
import { DomainError } from '../../../app/domain/errors';
import { closeSession } from '../../../app/domain/login/sessions.server';
import type { Actor } from '../../../app/domain/profile/accounts';
import { editProfile } from '../../../app/domain/profile/accounts.server';
import { createTemplate } from '../../../app/domain/templates/templates.server';
import { sessionCookies } from '../../../app/http/session.server';
import type { Db } from '../../../db/client';
import { newBook, once, publishTimes, start, stored } from '../../support/history';

const slots = { start: '09:00', end: '10:00', dates: ['2030-03-12'] };
const codeOf = (doing: Promise<unknown>) =>
  doing.catch((error: unknown) => (error instanceof DomainError ? error.code : error));

// What each call does for a session that has ended: see every-route.test.ts.
test.each<[how: string, end: (db: Db, actor: Actor) => Promise<unknown>]>([
  ['ended', closeSession],
  ['expired', (_, { sessionId }) => stored('UPDATE sessions SET expires_at = ? WHERE id = ?', start, sessionId)],
])('a session that has %s', async (_, end) => {
  const { db, host } = await newBook();
  await end(db, host);
  for (const write of [
    publishTimes(db, host, slots),
    createTemplate(db, host, { displayName: 'Intake', questions: [] }, once(start)),
    markAll(db, host, [{ id: 'none', as: 'seen' }], start),
    editProfile(db, host, { displayName: 'Anew', timeZone: 'UTC' }, start),
  ])
    expect(await codeOf(write)).toBe('unauthenticated');
  const made = '(SELECT count(*) FROM slots) + (SELECT count(*) FROM templates) AS made';
  expect(await stored(`SELECT ${made}, display_name AS name FROM accounts WHERE role = 'Provider'`)).toEqual([
    { made: 0, name: 'Host' },
  ]);
});

test.each(['unauthenticated', 'not_found'])(
  'whoever acts in a booking and is logged out, or by a link that was replaced, neither cancels nor moves it: %s',
  async (code) => {
    const { db, host, guest } = await newBook();
    const [id, to] = (await publishTimes(db, host, slots)).ids as [string, string];
    await bookAppointment(db, guest, { id, submitted: null }, start);
    if (code === 'unauthenticated') await closeSession(db, guest);
    const byLink = { accountId: guest.accountId, bookingId: id, linkSeed: 'of a link before' };
    const who = code === 'unauthenticated' ? guest : byLink;
    expect(await codeOf(cancelAppointment(db, who, { id, reason: null }, start))).toBe(code);
    expect(await codeOf(moveAppointment(db, who, { id, to, submitted: null, reason: null }, start))).toBe(code);
    expect(await stored('SELECT state FROM slots ORDER BY starts_at')).toEqual([{ state: 1 }, { state: 0 }]);
  },
);

const secrets = 'a secret of the test';
const cookiesBy = (signedWith: string, headers = {}) =>
  sessionCookies(new Request('http://daybook.test/', { headers }), signedWith);
const reading = (cookie: string, signedWith = secrets) => cookiesBy(signedWith, { Cookie: cookie }).read();

test('the cookies of a login are checked once as long as they come alone, and each time where more comes with them', async () => {
  const actor: Actor = { accountId: 'an-account', sessionId: 'a-session', role: 'Consumer', timeZone: 'UTC' };
  const keptBy = async (signedWith: string) => (await cookiesBy(signedWith).keep(actor)).split(';')[0] ?? '';
  const cookie = await keptBy(secrets);
  const said = await reading(cookie);
  expect(said.actor).toEqual(actor);
  expect(await reading(cookie)).toBe(said);
  const longer = `${cookie}; other=${'x'.repeat(4000)}`;
  const saidAgain = await reading(longer);
  expect(saidAgain).toEqual(said);
  expect(await reading(longer)).not.toBe(saidAgain);
  // A newer secret signs from now on, and the old one still counts until it is taken away.
  const both = `a newer secret, ${secrets}`;
  expect((await reading(cookie, both)).actor).toEqual(actor);
  expect((await reading(await keptBy(both), 'a newer secret')).actor).toEqual(actor);
  expect((await reading(cookie, 'a newer secret')).actor).toBeNull();
});
