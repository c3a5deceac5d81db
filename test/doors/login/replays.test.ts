import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
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
const replaceLink = ({ id }: Row) => ana.api('PUT', `/api/Appointment/NewLink?id=${id}`);
const sessionOf = (browser: Visitor) => browser.cookies.get('daybook');
const statusOfProfile = async (browser: Visitor) => (await browser.api('GET', '/api/Account/Profile')).status;
const count = async (from: string) =>
  (await daybook.d1.prepare(`SELECT count(*) AS n FROM ${from}`).first<number>('n')) ?? 0;

let names = 0;
const newName = () => `sent.again.${++names}`;
const accountOf = (username: string) => ({ displayName: 'Rosa', username, password, role: 'Consumer' });
const register = (browser: Visitor, username: string) =>
  browser.api('POST', '/api/Account/Register', accountOf(username));

async function turnOnSecondFactor(browser: Visitor): Promise<void> {
  const page = await browser.visit('/second-factor');
  await page.submit('Turn it on', { code: codeOf(keyOn(page)), password });
}

/** A browser with the session that another has now. */
function copyOf(browser: Visitor): Visitor {
  const copy = daybook.visitor();
  copy.cookies.set('daybook', sessionOf(browser) ?? '');
  return copy;
}

/** What a form would send, to be sent by anybody, as often as they like. */
function filledIn(page: Page, target: string, typed: Fields) {
  const { form, button } = findForm(page.root, target);
  const body = new URLSearchParams(entriesOf(page.root, form, button, typed));
  const path = form.getAttribute('action') || page.path;
  return (browser: Visitor) => browser.post(path, body);
}

describe('a stranger’s call with the key of another makes another guest', () => {
  const details = { displayName: 'Zoë', email: 'zoe@example.org' };

  let first: Visitor;
  beforeEach(async () => {
    first = daybook.visitor();
    expect((await openGuest(first, details, key)).status).toBe(201);
    await first.api('PUT', `/api/Appointment/Book?id=${(await freshSlot()).id}`);
  });

  async function expectAnotherGuest(): Promise<void> {
    const accounts = await count('accounts');
    const stranger = daybook.visitor();

    const { status } = await openGuest(stranger, details, key);

    expect(status).toBe(201);
    expect(await count('accounts')).toBe(accounts + 1);
    expect(await profileOf(stranger)).toMatchObject({ isGuest: true, username: null });
    expect(await agenda(stranger)).toEqual([]);
  }

  test('while that guest is there', expectAnotherGuest);

  test('after that guest has logged out', async () => {
    await first.api('DELETE', '/api/Account/Logout');

    await expectAnotherGuest();
  });

  test('after that guest has registered', async () => {
    expect((await register(first, newName())).status).toBe(201);

    await expectAnotherGuest();
  });
});

describe('a guest’s form that is sent again by whoever has it', () => {
  let slot: Row;
  let guest: Visitor;
  let send: (browser: Visitor) => Promise<Page>;
  let link: string;
  beforeEach(async () => {
    slot = await freshSlot();
    guest = daybook.visitor();
    send = filledIn(await guest.get(`/with/${ana.username}/${slot.id}`), 'Book', { displayName: 'Gus' });
    link = (await send(guest)).location ?? '';
  });

  async function expectOnlyTheLink(): Promise<void> {
    const accounts = await count('accounts');
    const sessions = await count('sessions');
    const stranger = daybook.visitor();

    const { location } = await send(stranger);

    expect(location).toBe(link);
    expect(sessionOf(stranger)).toBeUndefined();
    expect(await count('accounts')).toBe(accounts);
    expect(await count('sessions')).toBe(sessions);
  }

  test('leads to the link of its booking, without a session', async () => {
    expect(link).toMatch(/^\/booking\//);

    await expectOnlyTheLink();
  });

  test('does so after the guest has logged out', async () => {
    await guest.api('DELETE', '/api/Account/Logout');

    await expectOnlyTheLink();
  });

  test('leads to no newer link', async () => {
    await replaceLink(slot);

    await expectOnlyTheLink();
    expect((await daybook.visitor().get(link)).status).toBe(404);
  });
});

describe('a form that registers, sent again', () => {
  const filledInFor = async (username: string) => {
    const page = await daybook.visitor().get('/register');
    return (more = {}) => filledIn(page, 'Register', { ...accountOf(username), ...more });
  };
  async function expectNoLogin(send: (browser: Visitor) => Promise<Page>): Promise<void> {
    const stranger = daybook.visitor();

    const { status } = await send(stranger);

    expect(status).toBe(409);
    expect(sessionOf(stranger)).toBeUndefined();
  }

  let username: string;
  let formWith: (more?: object) => (browser: Visitor) => Promise<Page>;
  let owner: Visitor;
  beforeEach(async () => {
    username = newName();
    formWith = await filledInFor(username);
    owner = daybook.visitor();
    expect((await formWith()(owner)).location).toBe('/profile');
  });

  test('is a login', async () => {
    const again = daybook.visitor();

    const { location } = await formWith()(again);

    expect(location).toBe('/profile');
    expect(await profileOf(again)).toMatchObject({ username });
  });

  test('is none with another password', async () => {
    await expectNoLogin(formWith({ password: 'Better horse 2' }));
  });

  test('is none where a code is asked for', async () => {
    await turnOnSecondFactor(owner);

    await expectNoLogin(formWith());
  });

  test('is none a day later', async () => {
    await daybook.d1.prepare('UPDATE one_time_keys SET created_at = created_at - 86400000').run();

    await expectNoLogin(formWith());
  });
});

test('a new password, sent again after its session has ended, asks for the code where a login does', async () => {
  const { browser } = await newConsumer();
  await turnOnSecondFactor(browser);
  const typed = { password, newPassword: 'Better horse 2' };
  const send = filledIn(await browser.get('/profile'), 'Change password', typed);
  const ended = copyOf(browser);
  expect((await send(browser)).status).toBe(303);

  await send(ended);

  expect(await statusOfProfile(ended)).toBe(400);
});

describe('a guest who registers', () => {
  let username: string;
  let guest: Person;
  let before: Visitor;
  beforeAll(async () => {
    username = newName();
    guest = await newGuest(daybook, { displayName: 'To be kept' });
    before = copyOf(guest.browser);
    await daybook.d1
      .prepare(`INSERT INTO sessions (id, account_id, created_at, expires_at, last_used_at)
        SELECT 'elsewhere', account_id, created_at, expires_at, last_used_at FROM sessions
        WHERE account_id = (SELECT id FROM accounts WHERE display_name = 'To be kept')`)
      .run();
    expect((await register(guest.browser, username)).status).toBe(201);
  });

  test('is logged in', async () => {
    expect(await profileOf(guest)).toMatchObject({ username, isGuest: false });
  });

  test('has another session than before', async () => {
    expect(await statusOfProfile(before)).toBe(400);
  });

  test('has no other session', async () => {
    expect(await count(`sessions WHERE account_id = (SELECT id FROM accounts WHERE username = '${username}')`)).toBe(1);
  });
});

describe('the call for recovery codes, sent again', () => {
  let who: Person;
  let first: string[];
  let second: string[];
  const makeCodes = async () =>
    (await who.api('POST', '/api/Account/MakeRecoveryCodes', { password }, key)).json as string[];
  const resetBy = async (code = '') =>
    (await daybook.visitor().api('PUT', '/api/Account/ResetPassword', { username: who.username, code, password }))
      .status;
  beforeAll(async () => {
    who = await newConsumer();
    first = await makeCodes();
    expect(await resetBy(first[0])).toBe(200);
    await who.api('POST', '/api/Account/Login', { username: who.username, password });
    second = await makeCodes();
  });

  test('makes others', () => {
    expect(second.filter((code) => first.includes(code))).toEqual([]);
  });

  test('brings no spent one back', async () => {
    expect(await resetBy(first[0])).toBe(400);
  });

  test('ends those from before', async () => {
    expect(await resetBy(first[1])).toBe(400);
  });
});

describe('the call for a walk-in, sent again', () => {
  let slot: Row;
  let first: Row;
  const send = () => bookFor(ana, slot, { displayName: 'Wanda' }, key);
  beforeEach(async () => {
    slot = await freshSlot();
    first = (await send()).json as Row;
  });

  test('gets the same booking without its link', async () => {
    expect(first.link).toMatch(/^\/booking\//);
    await replaceLink(slot);

    const again = await send();

    expect(again).toMatchObject({ status: 201, json: { ...first, link: null } });
  });

  test('gets nothing a day later', async () => {
    await daybook.d1.prepare('UPDATE bookings SET booked_at = booked_at - 86400000').run();

    const { status } = await send();

    expect(status).toBe(409);
  });
});
