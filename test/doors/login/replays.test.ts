import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { profileOf } from '../../support/account-calls';
import { agenda, bookFor } from '../../support/appointment-calls';
import { codeOf, keyOn } from '../../support/authenticator';
import { dayAhead, type Person, password, peopleAt, publishOne, type Row } from '../../support/factories';
import { entriesOf, type Fields, findForm } from '../../support/forms';
import { newGuest, openGuest } from '../../support/guests';
import { createParty } from '../../support/party-factories';
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

  async function expectNothing(stranger: Visitor): Promise<void> {
    const accounts = await count('accounts');
    const sessions = await count('sessions');

    const { status, location } = await send(stranger);

    expect(status).toBe(409);
    expect(location).toBeNull();
    expect(sessionOf(stranger)).toBeUndefined();
    expect(await count('accounts')).toBe(accounts);
    expect(await count('sessions')).toBe(sessions);
  }

  test('opens nothing without that guest’s cookies', async () => {
    expect(link).toMatch(/^\/booking\//);

    await expectNothing(daybook.visitor());
  });

  test('opens nothing in another browser that has such a form open', async () => {
    const stranger = daybook.visitor();
    await stranger.get(`/with/${ana.username}/${(await freshSlot()).id}`);

    await expectNothing(stranger);
  });

  test('opens nothing after the guest has logged out', async () => {
    await guest.api('DELETE', '/api/Account/Logout');

    await expectNothing(daybook.visitor());
  });
});

describe('a guest’s form that the same browser sends again', () => {
  let slot: Row;
  let guest: Visitor;
  let send: (browser: Visitor) => Promise<Page>;
  let link: string;
  let session: string | undefined;
  let filledInAgain: (typed: Fields) => (browser: Visitor) => Promise<Page>;
  beforeEach(async () => {
    slot = await freshSlot();
    guest = daybook.visitor();
    const page = await guest.get(`/with/${ana.username}/${slot.id}`);
    filledInAgain = (typed) => filledIn(page, 'Book', typed);
    send = filledInAgain({ displayName: 'Gus' });
    link = (await send(guest)).location ?? '';
    session = sessionOf(guest);
    // The response never came, so neither did its cookies.
    for (const name of ['daybook', 'daybook-seen']) guest.cookies.clear(name);
  });

  test('leads to its link', async () => {
    expect((await send(guest)).location).toBe(link);
  });

  test('brings the session that it opened', async () => {
    const sessions = await count('sessions');

    await send(guest);

    expect(sessionOf(guest)).toBe(session);
    expect(await count('sessions')).toBe(sessions);
    expect(await agenda(guest)).toMatchObject([{ id: slot.id }]);
  });

  test('brings no session that has ended', async () => {
    const elsewhere = daybook.visitor();
    elsewhere.cookies.set('daybook', session ?? '');
    await elsewhere.api('DELETE', '/api/Account/Logout');

    await send(guest);

    expect(sessionOf(guest)).toBeUndefined();
  });

  test('brings no session of a guest who has registered', async () => {
    const elsewhere = daybook.visitor();
    elsewhere.cookies.set('daybook', session ?? '');
    expect((await register(elsewhere, newName())).status).toBe(201);

    await send(guest);

    expect(sessionOf(guest)).toBeUndefined();
  });

  test('leads to no newer link', async () => {
    await replaceLink(slot);

    expect((await send(guest)).location).toBe(link);
    expect((await daybook.visitor().get(link)).status).toBe(404);
  });

  test('leads to its link with another name', async () => {
    const renamed = filledInAgain({ displayName: 'Gustav' });

    expect((await renamed(guest)).location).toBe(link);
    expect(sessionOf(guest)).toBe(session);
  });

  test('has its link at its address', async () => {
    const opened = await guest.get(`/with/${ana.username}/${slot.id}`);

    expect(opened.location).toBe(link);
    expect(sessionOf(guest)).toBe(session);
  });
});

describe('a guest’s form sent again by a browser that keeps no cookies', () => {
  test('leads to its link, without a session', async () => {
    const slot = await freshSlot();
    const send = filledIn(await daybook.visitor().get(`/with/${ana.username}/${slot.id}`), 'Book', {
      displayName: 'Gus',
    });
    const link = (await send(daybook.visitor())).location;
    const again = daybook.visitor();

    const { location } = await send(again);

    expect(link).toMatch(/^\/booking\//);
    expect(location).toBe(link);
    expect(sessionOf(again)).toBeUndefined();
  });
});

describe('a guest’s RSVP sent again', () => {
  let guest: Visitor;
  let send: (browser: Visitor) => Promise<Page>;
  let link: string;
  let session: string | undefined;
  beforeEach(async () => {
    const party = await createParty(ana, { openTo: 'anyone' });
    guest = daybook.visitor();
    const yes = 'main form[action$="?guest"] [name=accepted][value=true]';
    send = filledIn(await guest.get(`/party/${party.id}`), yes, { displayName: 'Gus' });
    link = (await send(guest)).location ?? '';
    session = sessionOf(guest);
    for (const name of ['daybook', 'daybook-seen']) guest.cookies.clear(name);
  });

  test('by the same browser brings its link and its session', async () => {
    const { location } = await send(guest);

    expect(link).toMatch(/^\/answer\//);
    expect(location).toBe(link);
    expect(sessionOf(guest)).toBe(session);
  });

  test('by another browser is another guest’s', async () => {
    const stranger = daybook.visitor();

    const { location } = await send(stranger);

    expect(location).not.toBe(link);
    expect(sessionOf(stranger)).not.toBe(session);
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
