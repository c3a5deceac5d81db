import { describe, expect, test } from 'vitest';
import { dump } from '../../../app/local/database';
import { profileOf } from '../../support/account-calls';
import { agenda } from '../../support/appointment-calls';
import { complaints } from '../../support/complaints';
import { book, dayAhead, look, type Person, password, peopleAt, publishOne, type Row } from '../../support/factories';
import { newGuest, openGuest, type Profile } from '../../support/guests';
import { useServer, useWorld } from '../../support/use-server';
import { titleOf } from '../../support/visit';

/* Guests: who they are, and how they come to an account. */

const daybook = useServer();
const { newConsumer } = peopleAt(daybook);
const { ana } = useWorld(daybook, { ana: {} });

let days = 1;
/** A slot of Ana's that nobody else looks at. */
const freshSlot = () => publishOne(ana, { dates: [dayAhead(++days)] });
const register = (who: Person, details: object = {}) =>
  who.api('POST', '/api/Account/Register', {
    displayName: who.displayName,
    username: `kept-${Math.random()}`,
    password,
    role: 'Consumer',
    ...details,
  });
const logIn = (who: Person, username: string, query = '') =>
  who.api('POST', `/api/Account/Login${query}`, { username, password });
const idsOf = (rows: Row[]) => rows.map(({ id }) => id).sort();

describe('a guest', () => {
  test('is a consumer without a username, and has a session', async () => {
    const browser = daybook.visitor();
    const response = await openGuest(browser, {
      displayName: '  Zoë  ',
      email: 'zoe@example.org',
      timeZone: 'Asia/Tokyo',
    });
    const profile: Profile = {
      displayName: 'Zoë',
      username: null,
      role: 'Consumer',
      location: null,
      description: null,
      address: null,
      phone: null,
      timeZone: 'Asia/Tokyo',
      email: 'zoe@example.org',
      isGuest: true,
    };
    expect([response.status, response.json]).toEqual([201, profile]);
    expect(await profileOf(browser)).toEqual(profile);
    expect((await browser.api('GET', '/api/Account/IsProvider')).json).toBe(false);
  });

  test('needs a name only; an account is none', async () => {
    const guest = await newGuest(daybook, { timeZone: undefined });
    expect(await profileOf(guest)).toMatchObject({ email: null, isGuest: true, timeZone: 'UTC' });
    expect(await profileOf(await newConsumer())).toMatchObject({ email: null, isGuest: false });
    expect(await profileOf(ana)).toMatchObject({ email: null, isGuest: false });
  });

  test.each([
    [{}],
    [{ displayName: '   ' }],
    [{ displayName: 'x'.repeat(81) }],
    [{ displayName: 'Zoë', email: 'zoe@here' }],
    [{ displayName: 'Zoë', email: 'zoe@example.org, you@example.org' }],
    [{ displayName: 'Zoë', email: `${'z'.repeat(250)}@example.org` }],
    [{ displayName: 'Zoë', email: 7 }],
    [{ displayName: 'Zoë', timeZone: 'Nowhere/Else' }],
  ])('is not made of %j', async (details) => {
    const browser = daybook.visitor();
    expect(complaints(await openGuest(browser, details))).toHaveLength(1);
    expect((await browser.api('GET', '/api/Account/Profile')).status).toBe(400);
  });

  test('is nobody who is here already, but somebody whose session has ended', async () => {
    const guest = await newGuest(daybook);
    for (const who of [guest, await newConsumer(), ana]) {
      const response = await openGuest(who.browser, { displayName: 'Again' });
      expect([response.status, response.json]).toEqual([409, expect.any(String)]);
    }
    const cookie = guest.browser.cookies.get('daybook') ?? '';
    await guest.api('DELETE', '/api/Account/Logout');
    guest.browser.cookies.set('daybook', cookie);
    expect((await openGuest(guest.browser, { displayName: 'Anew' })).status).toBe(201);
  });

  test('has a menu of what they may do, and keeps it by registering', async () => {
    const guest = await newGuest(daybook);
    const page = await guest.browser.get('/');
    expect(page.$$('nav[aria-label=Main] a').map(({ text }) => text)).toEqual([
      'Home',
      'Search',
      'Booked',
      'Waitlist',
      'Week',
      'My invitations',
      'Keep this: register',
    ]);
    for (const path of ['/profile', '/register', '/login']) {
      expect([path, (await guest.browser.get(path)).status]).toEqual([path, 200]);
    }
  });

  test('reads of no news and no profile, and no screen leads there', async () => {
    const slot = await freshSlot();
    const { browser } = await newGuest(daybook);
    await browser.api('PUT', `/api/Appointment/Book?id=${slot.id}`);
    const own = [
      '/',
      '/view',
      '/view-booked',
      '/view-dash',
      '/week',
      '/invitations',
      '/email',
      '/devices',
      '/your-data',
    ];
    for (const path of [...own, `/details-cancel/${slot.id}`]) {
      const page = await browser.visit(path);
      expect([path, page.status]).toEqual([path, 200]);
      const links = page.$$('a').map((link) => link.getAttribute('href') ?? '');
      const leads = links.filter((link) => /^\/(news|profile|login|logout)\b/.test(link));
      expect([path, leads, /\b(your|the) news\b|confirm the address/.exec(page.words)]).toEqual([path, [], null]);
    }
    const { words } = await (await browser.visit('/email')).submit('Save and confirm', { email: 'gus@example.org' });
    expect(words).toContain('Your address is saved.');
    expect(words).toContain('gus@example.org gets mail about what you book and answer.');
  });

  test('books and cancels as a consumer does, and is known to the provider by name and address', async () => {
    const guest = await newGuest(daybook, { displayName: 'Zoë', email: 'zoe@example.org' });
    const slot = await freshSlot();
    const booked = await book(guest, slot);
    expect([booked.status, booked.json]).toMatchObject([200, { status: 1, username: null, bookerName: 'Zoë' }]);
    expect(idsOf(await agenda(guest))).toEqual([slot.id]);
    expect((await look(ana, slot)).json).toMatchObject({ username: null, bookerName: 'Zoë' });
    const canceled = await guest.api('PUT', `/api/Appointment/Cancel?id=${slot.id}`);
    expect([canceled.status, canceled.json]).toMatchObject([200, { status: 2, bookerName: 'Zoë' }]);
  });
});

describe('registering as a guest', () => {
  test('keeps the account and what it has booked', async () => {
    const guest = await newGuest(daybook, { displayName: 'Zoë', email: 'zoe@example.org' });
    const slot = await freshSlot();
    await book(guest, slot);
    const response = await register(guest, { displayName: 'Zoë Z.', username: 'zoe.kept', timeZone: 'Asia/Tokyo' });
    const kept = { displayName: 'Zoë Z.', username: 'zoe.kept', isGuest: false, email: 'zoe@example.org' };
    expect([response.status, response.json]).toMatchObject([
      201,
      { ...kept, role: 'Consumer', timeZone: 'Asia/Tokyo' },
    ]);
    expect(await profileOf(guest)).toMatchObject(kept);
    expect((await look(ana, slot)).json).toMatchObject({ username: 'zoe.kept', bookerName: 'Zoë Z.' });
    const elsewhere = daybook.visitor();
    const login = await elsewhere.api('POST', '/api/Account/Login', { username: 'ZOE.kept', password });
    expect(login.status).toBe(200);
    expect(idsOf(await agenda(elsewhere))).toEqual([slot.id]);
  });

  test('as a provider is refused, and changes nothing', async () => {
    const guest = await newGuest(daybook);
    const response = await register(guest, { role: 'Provider', location: 'Lisbon' });
    expect([response.status, response.json]).toEqual([409, expect.stringContaining('guest')]);
    expect(await profileOf(guest)).toMatchObject({ isGuest: true });
  });

  test('under a name that is taken, or with a bad password, is refused, and they stay a guest', async () => {
    const guest = await newGuest(daybook);
    const taken = await register(guest, { username: ana.username.toUpperCase() });
    expect([taken.status, complaints(taken, 409)]).toEqual([409, [expect.stringContaining('taken')]]);
    expect(complaints(await register(guest, { password: 'short' }))).not.toHaveLength(0);
    expect(await profileOf(guest)).toMatchObject({ isGuest: true });
  });

  test('is one of many who want one name', async () => {
    const username = `wanted-${Math.random()}`;
    const crowd = await Promise.all(Array.from({ length: 6 }, () => newGuest(daybook)));
    const codes = (await Promise.all(crowd.map((guest) => register(guest, { username })))).map(({ status }) => status);
    expect(codes.sort()).toEqual([201, 409, 409, 409, 409, 409]);
  });

  test('works through the form, which knows their name and asks for no role', async () => {
    const guest = await newGuest(daybook, { displayName: 'Zoë' });
    const form = await (await guest.browser.get('/')).click('Keep this: register');
    expect(form.$('input[name=displayName]')?.getAttribute('value')).toBe('Zoë');
    expect(form.$$('input[name=role]').map((input) => input.getAttribute('type'))).toEqual(['hidden']);
    const username = `form-${Math.random()}`;
    const page = await form.submit('Register', { username, password });
    expect([page.path, titleOf(page)]).toEqual(['/profile', 'Profile']);
    expect(await profileOf(guest)).toMatchObject({ username, displayName: 'Zoë', isGuest: false });
  });
});

describe('logging in as a guest', () => {
  test('with join=true takes the bookings along, and the guest is gone', async () => {
    const maya = await newConsumer();
    const guest = await newGuest(daybook, { displayName: 'Wilhelmina Solo', email: 'mina@example.org' });
    const [slot, canceled] = [await freshSlot(), await freshSlot()];
    await book(guest, slot);
    await book(guest, canceled);
    await guest.api('PUT', `/api/Appointment/Cancel?id=${canceled.id}`);
    const cookie = guest.browser.cookies.get('daybook') ?? '';
    const response = await logIn(guest, maya.username, '?join=true');
    expect([response.status, response.json]).toMatchObject([200, { username: maya.username, isGuest: false }]);
    expect(idsOf(await agenda(maya))).toEqual([slot.id]);
    expect((await look(ana, slot)).json).toMatchObject({ username: maya.username, bookerName: maya.displayName });
    expect((await look(maya, canceled)).json).toMatchObject({ status: 2, username: maya.username });
    const news = (await ana.api('GET', '/api/Account/GetNews?page=0')).json as { link: string; text: string }[];
    const told = news.filter(({ link }) => link.includes(slot.id) || link.includes(canceled.id));
    expect(told.length).toBe(3);
    for (const { text } of told) expect(text).toContain(maya.displayName);
    const left = daybook.visitor();
    left.cookies.set('daybook', cookie);
    expect((await left.api('GET', '/api/Account/Profile')).status).toBe(400);
    expect(JSON.stringify(await dump(daybook.d1))).not.toMatch(/Wilhelmina Solo|mina@example\.org/i);
  });

  test('without join just ends the guest’s session; the bookings stay theirs', async () => {
    const maya = await newConsumer();
    const guest = await newGuest(daybook);
    const slot = await freshSlot();
    await book(guest, slot);
    const cookie = guest.browser.cookies.get('daybook') ?? '';
    expect((await logIn(guest, maya.username)).status).toBe(200);
    expect(await agenda(maya)).toEqual([]);
    expect((await look(ana, slot)).json).toMatchObject({ username: null, bookerName: guest.displayName });
    const left = daybook.visitor();
    left.cookies.set('daybook', cookie);
    expect((await left.api('GET', '/api/Account/Profile')).status).toBe(400);
  });

  test('with a wrong password moves and ends nothing', async () => {
    const maya = await newConsumer();
    const guest = await newGuest(daybook);
    const body = { username: maya.username, password: 'Wrong horse 1' };
    expect((await guest.api('POST', '/api/Account/Login?join=true', body)).status).toBe(401);
    expect(await profileOf(guest)).toMatchObject({ isGuest: true });
  });

  test('to a provider can’t join, and says so', async () => {
    const guest = await newGuest(daybook);
    const response = await logIn(guest, ana.username, '?join=true');
    expect([response.status, response.json]).toEqual([409, expect.any(String)]);
    expect(await profileOf(guest)).toMatchObject({ isGuest: true });
    expect((await logIn(guest, ana.username)).status).toBe(200);
  });

  test('takes nothing from an account that was logged in before, joined or not', async () => {
    const [maya, june] = [await newConsumer(), await newConsumer()];
    const slot = await freshSlot();
    await book(maya, slot);
    expect((await logIn(maya, june.username, '?join=true')).status).toBe(200);
    expect(await agenda(june)).toEqual([]);
    expect((await logIn(maya, maya.username)).status).toBe(200);
    expect(idsOf(await agenda(maya))).toEqual([slot.id]);
  });

  test('names in the form what would go along, ticked, and sends it back unticked as it was sent', async () => {
    const maya = await newConsumer();
    const guest = await newGuest(daybook);
    const slot = await freshSlot();
    await book(guest, slot);
    const form = await guest.browser.get('/login');
    expect(form.words).toContain('Ana Costa');
    expect(form.$('input[name=join]')?.hasAttribute('checked')).toBe(true);
    const refused = await form.submit('Log in', { username: maya.username, password: 'Wrong horse 1', join: false });
    expect([refused.status, refused.$('input[name=join]')?.hasAttribute('checked')]).toEqual([401, false]);
    await refused.submit('Log in', { username: maya.username, password, join: true });
    expect(idsOf(await agenda(maya))).toEqual([slot.id]);
    expect((await (await newConsumer()).browser.get('/login')).$('input[name=join]')).toBeNull();
  });
});
