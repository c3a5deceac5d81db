import { beforeAll, describe, expect, test } from 'vitest';
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
const codeOf = (doing: Promise<unknown>) =>
  doing.catch((error: unknown) => (error instanceof DomainError ? error.code : error));

describe.each<[how: string, username: string, end: (actor: Actor) => Promise<unknown>]>([
  ['ended', 'gone', (actor) => closeSession(db, actor)],
  ['expired', 'away', ({ sessionId }) => stored('UPDATE sessions SET expires_at = ? WHERE id = ?', start, sessionId)],
])('a session that has %s', (_, username, end) => {
  let gone: Actor;
  beforeAll(async () => {
    gone = await join(db, { username, displayName: 'Gone', timeZone: 'UTC', role: 'Provider', location: 'Lisbon' });
    await end(gone);
  });

  // A session that has ended writes by no call: see every-route.test.ts.
  test.each<[what: string, write: () => Promise<unknown>]>([
    ['publish slots', () => publishSlots(db, gone, slots, once)],
    ['publish a template', () => createTemplate(db, gone, { displayName: 'Intake', questions: [] }, once)],
    ['mark a whole day', () => markAll(db, gone, [{ id: 'none', as: 'seen' }], start)],
    ['edit a profile', () => editProfile(db, gone, { displayName: 'Here', timeZone: 'UTC' }, start)],
  ])('does not %s', async (_, write) => {
    expect(await codeOf(write())).toBe('unauthenticated');
    const left = await stored(
      `SELECT (SELECT count(*) FROM slots) + (SELECT count(*) FROM templates) AS made,
        (SELECT display_name FROM accounts WHERE username = ?) AS name`,
      username,
    );
    expect(left).toEqual([{ made: 0, name: 'Gone' }]);
  });
});

describe('whoever acts in a booking', () => {
  test.each<[who: string, code: string]>([
    ['is logged out', 'unauthenticated'],
    ['has a link that was replaced', 'not_found'],
  ])('and %s neither cancels nor moves it, and is told so', async (why, code) => {
    const details = { displayName: 'Here', timeZone: 'UTC' };
    const username = code.replace('_', '.');
    const provider = await join(db, { ...details, username: `host.${username}`, role: 'Provider', location: 'Lisbon' });
    const actor = await join(db, { ...details, username, role: 'Consumer' });
    await publishSlots(db, provider, slots, { ...once, key: why });
    const [slot, other] = await stored<{ id: string }>(
      'SELECT id FROM slots WHERE provider_id = ? AND state = 0 ORDER BY starts_at',
      provider.accountId,
    );
    const [id, to] = [slot?.id ?? '', other?.id ?? ''];
    await bookAppointment(db, actor, { id, submitted: null }, start);
    if (code === 'unauthenticated') await closeSession(db, actor);
    const who =
      code === 'unauthenticated' ? actor : { accountId: actor.accountId, bookingId: id, linkSeed: 'of a link before' };
    expect(await codeOf(cancelAppointment(db, who, { id, reason: null }, start))).toBe(code);
    expect(await codeOf(moveAppointment(db, who, { id, to, submitted: null, reason: null }, start))).toBe(code);
    const states = await stored('SELECT state FROM slots WHERE provider_id = ? ORDER BY starts_at', provider.accountId);
    expect(states).toEqual([{ state: 1 }, { state: 0 }]);
  });
});

describe('the cookies of a login', () => {
  const secrets = 'a secret of the test';
  const kept = sessionCookies(new Request('http://daybook.test/'), secrets);
  const reading = (cookie: string, signedWith = secrets) =>
    sessionCookies(new Request('http://daybook.test/', { headers: { Cookie: cookie } }), signedWith).read();

  test('are checked once as long as they come alone, and each time where more comes with them than we set', async () => {
    const actor: Actor = { accountId: 'an-account', sessionId: 'a-session', role: 'Consumer', timeZone: 'UTC' };
    const [cookie = ''] = (await kept.keep(actor)).split(';');
    const said = await reading(cookie);
    expect(said.actor).toEqual(actor);
    expect(await reading(cookie)).toBe(said);
    expect((await reading(cookie, 'another secret')).actor).toBeNull();
    const both = `a newer secret, ${secrets}`;
    expect((await reading(cookie, both)).actor).toEqual(actor);
    const [anew = ''] = (await sessionCookies(new Request('http://daybook.test/'), both).keep(actor)).split(';');
    expect((await reading(anew, 'a newer secret')).actor).toEqual(actor);
    const longer = `${cookie}; other=${'x'.repeat(4000)}`;
    const saidAgain = await reading(longer);
    expect(saidAgain).toEqual(said);
    expect(await reading(longer)).not.toBe(saidAgain);
  });
});
