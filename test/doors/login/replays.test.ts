import { beforeAll, describe, expect, test } from 'vitest';
import { profileOf } from '../../support/account-calls';
import { codeOf, keyOn } from '../../support/authenticator';
import { dayAhead, type Person, password, peopleAt, publishOne, type Row, rowsOf } from '../../support/factories';
import { entriesOf, type Fields, findForm } from '../../support/forms';
import { newGuest, openGuest } from '../../support/guests';
import { useServer } from '../../support/use-server';
import type { Page, Visitor } from '../../support/visit';

/* Nobody gets a session, or what was shown once, by sending again what somebody else has sent. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

let ana: Person;
beforeAll(async () => {
  ana = await newProvider();
});

let days = 1;
const freshSlot = () => publishOne(ana, { dates: [dayAhead(++days)] });
const key = { 'idempotency-key': 'one key of a phone' };
const sessionOf = (browser: Visitor) => browser.cookies.get('daybook');
const sessionsIn = async (browser: Visitor) => (await browser.api('GET', '/api/Account/Profile')).status;
const count = async (from: string) =>
  (await daybook.d1.prepare(`SELECT count(*) AS n FROM ${from}`).first<number>('n')) ?? 0;

const accountOf = (username: string) => ({ displayName: 'Rosa', username, password, role: 'Consumer' });
const register = (browser: Visitor, username: string, sent = {}) =>
  browser.api('POST', '/api/Account/Register', accountOf(username), sent);

/** What a form would send, to be sent by anybody, as often as they like. */
function filledIn(page: Page, target: string, typed: Fields) {
  const { form, button } = findForm(page.root, target);
  const body = new URLSearchParams(entriesOf(page.root, form, button, typed));
  const path = form.getAttribute('action') || page.path;
  return (browser: Visitor) => browser.post(path, body);
}

describe('a stranger’s call with the key of another', () => {
  test('makes another guest, on the same network, after a logout, and after that guest has registered', async () => {
    const [first, details] = [daybook.visitor(), { displayName: 'Zoë', email: 'zoe@example.org' }];
    expect((await openGuest(first, details, key)).status).toBe(201);
    const slot = await freshSlot();
    await first.api('PUT', `/api/Appointment/Book?id=${slot.id}`);
    const expectAnother = async () => {
      const guests = await count('accounts');
      const other = daybook.visitor();
      expect((await openGuest(other, details, key)).status).toBe(201);
      expect(rowsOf(await other.api('GET', '/api/Appointment/GetBooked'))).toEqual([]);
      expect(await count('accounts')).toBe(guests + 1);
      return other;
    };
    const second = await expectAnother();
    await first.api('DELETE', '/api/Account/Logout');
    await expectAnother();
    expect((await register(second, 'zoe.registers')).status).toBe(201);
    expect(await profileOf(await expectAnother())).toMatchObject({ isGuest: true, username: null });
  });
});

describe('a guest’s form, sent again by whoever has it', () => {
  let slot: Row;
  let send: (browser: Visitor) => Promise<Page>;
  let guest: Visitor;
  let link: string | null;
  beforeAll(async () => {
    slot = await freshSlot();
    guest = daybook.visitor();
    send = filledIn(await guest.get(`/with/${ana.username}/${slot.id}`), 'Book', { displayName: 'Gus' });
    link = (await send(guest)).location;
    expect(link).toMatch(/^\/booking\//);
    expect(await sessionsIn(guest)).toBe(200);
  });

  const expectNoSession = async () => {
    const [guests, sessions] = [await count('accounts'), await count('sessions')];
    const other = daybook.visitor();
    const { status, location } = await send(other);
    expect([status, location, sessionOf(other)]).toEqual([303, link, undefined]);
    expect([await count('accounts'), await count('sessions')]).toEqual([guests, sessions]);
  };

  test('leads to the booking that it has made, without a session, then and after a logout', async () => {
    await expectNoSession();
    const registered = guest.cookies.get('daybook') ?? '';
    await guest.api('DELETE', '/api/Account/Logout');
    await expectNoSession();
    guest.cookies.set('daybook', registered);
    expect(await sessionsIn(guest)).toBe(400);
  });

  test('leads to no link that the provider has made since', async () => {
    const renewed = (await ana.api('PUT', `/api/Appointment/NewLink?id=${slot.id}`)).json as Row;
    const page = await send(daybook.visitor());
    expect(page.location).toBe(link);
    expect(page.location).not.toBe(renewed.link);
    expect((await daybook.visitor().get(link ?? '')).status).toBe(404);
  });
});

describe('a form that registers, sent again', () => {
  const formOf = async (username: string) =>
    filledIn(await daybook.visitor().get('/register'), 'Register', accountOf(username));
  const expectNothingBy = async (send: (browser: Visitor) => Promise<Page>) => {
    const other = daybook.visitor();
    expect([(await send(other)).status, sessionOf(other)]).toEqual([409, undefined]);
  };

  test('is a login: with another password it is none', async () => {
    const page = await daybook.visitor().get('/register');
    const send = filledIn(page, 'Register', accountOf('twice.sent'));
    const again = daybook.visitor();
    expect((await send(daybook.visitor())).status).toBe(303);
    expect((await send(again)).location).toBe('/profile');
    expect(await profileOf(again)).toMatchObject({ username: 'twice.sent' });
    await expectNothingBy(filledIn(page, 'Register', { ...accountOf('twice.sent'), password: 'Better horse 2' }));
  });

  test('asks for the code where a login does', async () => {
    const send = await formOf('with.code');
    const owner = daybook.visitor();
    await send(owner);
    const page = await owner.visit('/second-factor');
    await page.submit('Turn it on', { code: codeOf(keyOn(page)), password });
    await expectNothingBy(send);
  });

  test('is nothing after a day', async () => {
    const send = await formOf('of.yesterday');
    await send(daybook.visitor());
    await daybook.d1.prepare('UPDATE one_time_keys SET created_at = created_at - 86400000').run();
    await expectNothingBy(send);
  });
});

test('a new password, sent again after its session has ended, asks for the code where a login does', async () => {
  const who = await newConsumer();
  const factor = await who.browser.visit('/second-factor');
  await factor.submit('Turn it on', { code: codeOf(keyOn(factor)), password });
  const send = filledIn(await who.browser.get('/profile'), 'Change password', {
    password,
    newPassword: 'Better horse 2',
  });
  const old = daybook.visitor();
  old.cookies.set('daybook', sessionOf(who.browser) ?? '');
  expect((await send(who.browser)).status).toBe(303);
  await send(old);
  expect(await sessionsIn(old)).toBe(400);
});

describe('a guest who registers', () => {
  test('has a new session, and every other of the guest has ended', async () => {
    const guest = await newGuest(daybook, { displayName: 'To be kept' });
    const before = sessionOf(guest.browser) ?? '';
    await daybook.d1
      .prepare(`INSERT INTO sessions (id, account_id, created_at, expires_at, last_used_at)
        SELECT 'elsewhere', account_id, created_at, expires_at, last_used_at FROM sessions
        WHERE account_id = (SELECT id FROM accounts WHERE display_name = 'To be kept')`)
      .run();
    expect((await register(guest.browser, 'kept.anew')).status).toBe(201);
    expect(await profileOf(guest)).toMatchObject({ username: 'kept.anew', isGuest: false });
    expect(sessionOf(guest.browser)).not.toBe(before);
    const other = daybook.visitor();
    other.cookies.set('daybook', before);
    expect(await sessionsIn(other)).toBe(400);
    const owned = `sessions WHERE account_id = (SELECT id FROM accounts WHERE username = 'kept.anew')`;
    expect(await count(owned)).toBe(1);
  });
});

describe('what is shown once', () => {
  test('recovery codes: the same call makes others, and a spent one stays spent', async () => {
    const who = await newConsumer();
    const make = async () =>
      (await who.api('POST', '/api/Account/MakeRecoveryCodes', { password }, key)).json as string[];
    const first = await make();
    const reset = (code = '', browser = daybook.visitor()) =>
      browser.api('PUT', '/api/Account/ResetPassword', { username: who.username, code, password });
    expect((await reset(first[0])).status).toBe(200);
    await who.api('POST', '/api/Account/Login', { username: who.username, password });
    const second = await make();
    expect(second.filter((code) => first.includes(code))).toEqual([]);
    for (const code of first.slice(0, 2)) expect((await reset(code)).status).toBe(400);
  });

  test('the link of a walk-in: the same call answers the same booking without it, for a day', async () => {
    const slot = await freshSlot();
    const bookFor = () => ana.api('POST', `/api/Appointment/BookFor?id=${slot.id}`, { displayName: 'Wanda' }, key);
    const { json: first } = await bookFor();
    expect((first as Row).link).toMatch(/^\/booking\//);
    await ana.api('PUT', `/api/Appointment/NewLink?id=${slot.id}`);
    const again = await bookFor();
    expect([again.status, again.json]).toEqual([201, { ...(first as Row), link: null }]);
    await daybook.d1.prepare('UPDATE bookings SET booked_at = booked_at - 86400000').run();
    expect((await bookFor()).status).toBe(409);
  });
});
