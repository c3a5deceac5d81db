import { expect, test } from 'vitest';
import { markAll } from '../../../app/domain/bookings/attendance.server';
import { bookAppointment, cancelAppointment } from '../../../app/domain/bookings/book.server';
import { moveAppointment } from '../../../app/domain/bookings/move.server';
import { DomainError } from '../../../app/domain/errors';
import { closeSession } from '../../../app/domain/login/sessions.server';
import type { Actor } from '../../../app/domain/profile/accounts';
import { editProfile } from '../../../app/domain/profile/accounts.server';
import { publishSlots } from '../../../app/domain/slots/publish.server';
import { createTemplate } from '../../../app/domain/templates/templates.server';
import { addDays } from '../../../app/domain/time/clock';
import { todayIn } from '../../../app/domain/time/zones';
import { sessionCookies } from '../../../app/http/session.server';
import { join, newDb, start, stored } from '../../support/history';

const db = newDb();
const tomorrow = addDays(todayIn('UTC', start), 1);
const slots = { start: '09:00', end: '10:00', dates: [tomorrow], len: 30, notes: null, templateId: null };
const once = { now: start, key: 'once' };
const here = { displayName: 'Here', timeZone: 'UTC' };
const codeOf = (doing: Promise<unknown>) =>
  doing.catch((error: unknown) => (error instanceof DomainError ? error.code : error));

// What each call does for a session that has ended: see every-route.test.ts.
test.each<[how: string, username: string, end: (actor: Actor) => Promise<unknown>]>([
  ['ended', 'gone', (actor) => closeSession(db, actor)],
  ['expired', 'away', ({ sessionId }) => stored('UPDATE sessions SET expires_at = ? WHERE id = ?', start, sessionId)],
])('a session that has %s', async (_, username, end) => {
  const gone = await join(db, { ...here, username, role: 'Provider', location: 'Lisbon' });
  await end(gone);
  for (const write of [
    () => publishSlots(db, gone, slots, once),
    () => createTemplate(db, gone, { displayName: 'Intake', questions: [] }, once),
    () => markAll(db, gone, [{ id: 'none', as: 'seen' }], start),
    () => editProfile(db, gone, { displayName: 'Anew', timeZone: 'UTC' }, start),
  ]) {
    expect(await codeOf(write())).toBe('unauthenticated');
  }
  const left = await stored(
    `SELECT (SELECT count(*) FROM slots) + (SELECT count(*) FROM templates) AS made,
      (SELECT display_name FROM accounts WHERE username = ?) AS name`,
    username,
  );
  expect(left).toEqual([{ made: 0, name: 'Here' }]);
});

test.each<[who: string, code: string]>([
  ['is logged out', 'unauthenticated'],
  ['has a link that was replaced', 'not_found'],
])('whoever acts in a booking and %s neither cancels nor moves it, and is told so', async (why, code) => {
  const username = code.replace('_', '.');
  const provider = await join(db, { ...here, username: `host.${username}`, role: 'Provider', location: 'Lisbon' });
  const actor = await join(db, { ...here, username, role: 'Consumer' });
  await publishSlots(db, provider, slots, { ...once, key: why });
  const ofProvider = (what: string) =>
    stored(`SELECT ${what} FROM slots WHERE provider_id = ? ORDER BY starts_at`, provider.accountId);
  const [{ id }, { id: to }] = (await ofProvider('id')) as [{ id: string }, { id: string }];
  await bookAppointment(db, actor, { id, submitted: null }, start);
  if (code === 'unauthenticated') await closeSession(db, actor);
  const byLink = { accountId: actor.accountId, bookingId: id, linkSeed: 'of a link before' };
  const who = code === 'unauthenticated' ? actor : byLink;
  expect(await codeOf(cancelAppointment(db, who, { id, reason: null }, start))).toBe(code);
  expect(await codeOf(moveAppointment(db, who, { id, to, submitted: null, reason: null }, start))).toBe(code);
  expect(await ofProvider('state')).toEqual([{ state: 1 }, { state: 0 }]);
});

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
