import { beforeAll, describe, expect, test } from 'vitest';
import { profileOf } from '../../support/account-calls';
import { agenda, bookFor } from '../../support/appointment-calls';
import { codeOf, keyOn } from '../../support/authenticator';
import { dayAhead, type Person, password, peopleAt, publishOne, type Row } from '../../support/factories';
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
const statusOf = async (browser: Visitor) => (await browser.api('GET', '/api/Account/Profile')).status;
const count = async (from: string) =>
  (await daybook.d1.prepare(`SELECT count(*) AS n FROM ${from}`).first<number>('n')) ?? 0;

const accountOf = (username: string) => ({ displayName: 'Rosa', username, password, role: 'Consumer' });
const register = (browser: Visitor, username: string, sent = {}) =>
  browser.api('POST', '/api/Account/Register', accountOf(username), sent);

async function secure(browser: Visitor): Promise<void> {
  const page = await browser.visit('/second-factor');
  await page.submit('Turn it on', { code: codeOf(keyOn(page)), password });
}

/** What a form would send, to be sent by anybody, as often as they like. */
function filledIn(page: Page, target: string, typed: Fields) {
  const { form, button } = findForm(page.root, target);
  const body = new URLSearchParams(entriesOf(page.root, form, button, typed));
  const path = form.getAttribute('action') || page.path;
  return (browser: Visitor) => browser.post(path, body);
}

test('a stranger’s call with the key of another makes another guest, also after that guest has logged out or registered', async () => {
  const [first, details] = [daybook.visitor(), { displayName: 'Zoë', email: 'zoe@example.org' }];
  expect((await openGuest(first, details, key)).status).toBe(201);
  await first.api('PUT', `/api/Appointment/Book?id=${(await freshSlot()).id}`);
  const expectAnother = async () => {
    const guests = await count('accounts');
    const other = daybook.visitor();
    expect((await openGuest(other, details, key)).status).toBe(201);
    expect([await agenda(other), await count('accounts')]).toEqual([[], guests + 1]);
    return other;
  };
  const second = await expectAnother();
  await first.api('DELETE', '/api/Account/Logout');
  await expectAnother();
  expect((await register(second, 'zoe.registers')).status).toBe(201);
  expect(await profileOf(await expectAnother())).toMatchObject({ isGuest: true, username: null });
});

test('a guest’s form, sent again by whoever has it, leads to the link of its booking, without a session, and to no newer one', async () => {
  const slot = await freshSlot();
  const guest = daybook.visitor();
  const send = filledIn(await guest.get(`/with/${ana.username}/${slot.id}`), 'Book', { displayName: 'Gus' });
  const { location: link } = await send(guest);
  expect(link).toMatch(/^\/booking\//);
  const expectNoSession = async () => {
    const there = [await count('accounts'), await count('sessions')];
    const other = daybook.visitor();
    expect([(await send(other)).location, sessionOf(other)]).toEqual([link, undefined]);
    expect([await count('accounts'), await count('sessions')]).toEqual(there);
  };
  await expectNoSession();
  await guest.api('DELETE', '/api/Account/Logout');
  await expectNoSession();
  await ana.api('PUT', `/api/Appointment/NewLink?id=${slot.id}`);
  await expectNoSession();
  expect((await daybook.visitor().get(link ?? '')).status).toBe(404);
});

test('a form that registers, sent again, is a login: not with another password, without a code where one is asked, or after a day', async () => {
  const [page, other] = [await daybook.visitor().get('/register'), await daybook.visitor().get('/register')];
  const formOf = (username: string, more = {}, shown = page) =>
    filledIn(shown, 'Register', { ...accountOf(username), ...more });
  const expectNothingBy = async (send: (browser: Visitor) => Promise<Page>) => {
    const other = daybook.visitor();
    expect([(await send(other)).status, sessionOf(other)]).toEqual([409, undefined]);
  };
  const [owner, again] = [daybook.visitor(), daybook.visitor()];
  const [send, yesterday] = [formOf('twice.sent'), formOf('of.yesterday', {}, other)];
  for (const browser of [owner, again]) expect((await send(browser)).location).toBe('/profile');
  expect(await profileOf(again)).toMatchObject({ username: 'twice.sent' });
  await expectNothingBy(formOf('twice.sent', { password: 'Better horse 2' }));
  await secure(owner);
  await expectNothingBy(send);
  expect((await yesterday(daybook.visitor())).location).toBe('/profile');
  await daybook.d1.prepare('UPDATE one_time_keys SET created_at = created_at - 86400000').run();
  await expectNothingBy(yesterday);
});

test('a new password, sent again after its session has ended, asks for the code where a login does', async () => {
  const who = await newConsumer();
  await secure(who.browser);
  const typed = { password, newPassword: 'Better horse 2' };
  const send = filledIn(await who.browser.get('/profile'), 'Change password', typed);
  const old = daybook.visitor();
  old.cookies.set('daybook', sessionOf(who.browser) ?? '');
  expect((await send(who.browser)).status).toBe(303);
  await send(old);
  expect(await statusOf(old)).toBe(400);
});

test('a guest who registers has a new session, and every other of the guest has ended', async () => {
  const guest = await newGuest(daybook, { displayName: 'To be kept' });
  const before = sessionOf(guest.browser) ?? '';
  await daybook.d1
    .prepare(`INSERT INTO sessions (id, account_id, created_at, expires_at, last_used_at)
      SELECT 'elsewhere', account_id, created_at, expires_at, last_used_at FROM sessions
      WHERE account_id = (SELECT id FROM accounts WHERE display_name = 'To be kept')`)
    .run();
  expect((await register(guest.browser, 'kept.anew')).status).toBe(201);
  expect(await profileOf(guest)).toMatchObject({ username: 'kept.anew', isGuest: false });
  const other = daybook.visitor();
  other.cookies.set('daybook', before);
  expect(await statusOf(other)).toBe(400);
  const owned = `sessions WHERE account_id = (SELECT id FROM accounts WHERE username = 'kept.anew')`;
  expect(await count(owned)).toBe(1);
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
    const send = () => bookFor(ana, slot, { displayName: 'Wanda' }, key);
    const first = (await send()).json as Row;
    expect(first.link).toMatch(/^\/booking\//);
    await ana.api('PUT', `/api/Appointment/NewLink?id=${slot.id}`);
    expect(await send()).toMatchObject({ status: 201, json: { ...first, link: null } });
    await daybook.d1.prepare('UPDATE bookings SET booked_at = booked_at - 86400000').run();
    expect((await send()).status).toBe(409);
  });
});
