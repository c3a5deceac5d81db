import { describe, expect, test } from 'vitest';
import { dump } from '../../../app/local/database';
import { newsTexts, profileOf } from '../../support/account-calls';
import { agenda, idsOf } from '../../support/appointment-calls';
import { complaints } from '../../support/complaints';
import {
  book,
  cancel,
  dayAhead,
  look,
  type Person,
  password,
  peopleAt,
  publishOne,
  several,
} from '../../support/factories';
import { newGuest, openGuest, type Profile } from '../../support/guests';
import { useServer, useWorld } from '../../support/use-server';

/* Guests: who they are, and how they come to an account. */

const daybook = useServer();
const { newConsumer } = peopleAt(daybook);
const { ana } = useWorld(daybook, { ana: {} });

let days = 1;
/** A slot of Ana's that nobody else looks at. */
const freshSlot = () => publishOne(ana, { dates: [dayAhead(++days)] });
/** A guest who has booked a time of Ana's. */
async function guestWithSlot(details: object = {}) {
  const [guest, slot] = [await newGuest(daybook, details), await freshSlot()];
  await book(guest, slot);
  return { guest, slot, cookie: guest.browser.cookies.get('daybook') ?? '' };
}
const register = (who: Person, details: object = {}) => {
  const account = { displayName: who.displayName, username: `kept-${Math.random()}`, password, role: 'Consumer' };
  return who.api('POST', '/api/Account/Register', { ...account, ...details });
};
const logIn = (who: Person, username: string, query = '') =>
  who.api('POST', `/api/Account/Login${query}`, { username, password });
async function expectEnded(cookie: string): Promise<void> {
  const left = daybook.visitor();
  left.cookies.set('daybook', cookie);
  expect((await left.api('GET', '/api/Account/Profile')).status).toBe(400);
}

describe('a guest', () => {
  test('is a consumer without a username, and has a session', async () => {
    const browser = daybook.visitor();
    const given = { email: 'zoe@example.org', timeZone: 'Asia/Tokyo' };
    const response = await openGuest(browser, { displayName: '  Zoë  ', ...given });
    const none = { username: null, location: null, description: null, address: null, phone: null };
    const profile: Profile = { displayName: 'Zoë', role: 'Consumer', isGuest: true, ...given, ...none };
    expect([response.status, response.json]).toEqual([201, profile]);
    expect(await profileOf(browser)).toEqual(profile);
    expect(await profileOf(await newConsumer())).toMatchObject({ email: null, isGuest: false });
  });

  test.each([
    [{}],
    [{ displayName: 'x'.repeat(81) }],
    [{ displayName: 'Zoë', email: 'zoe@example.org, you@example.org' }],
    [{ displayName: 'Zoë', email: `${'z'.repeat(250)}@example.org` }],
    [{ displayName: 'Zoë', timeZone: 'Nowhere/Else' }],
  ])('is not made of %j', async (details) => {
    const browser = daybook.visitor();
    expect(complaints(await openGuest(browser, details))).toHaveLength(1);
    expect((await browser.api('GET', '/api/Account/Profile')).status).toBe(400);
  });

  test('is nobody who is here already, but somebody whose session has ended', async () => {
    const { guest, cookie } = await guestWithSlot();
    for (const who of [guest, ana]) expect((await openGuest(who.browser, { displayName: 'Again' })).status).toBe(409);
    await guest.api('DELETE', '/api/Account/Logout');
    guest.browser.cookies.set('daybook', cookie);
    expect((await openGuest(guest.browser, { displayName: 'Anew' })).status).toBe(201);
  });
});

describe('registering as a guest', () => {
  test('keeps the account and what it has booked', async () => {
    const { guest, slot } = await guestWithSlot({ displayName: 'Zoë', email: 'zoe@example.org' });
    const response = await register(guest, { displayName: 'Zoë Z.', username: 'zoe.kept', timeZone: 'Asia/Tokyo' });
    const kept = { displayName: 'Zoë Z.', username: 'zoe.kept', isGuest: false, email: 'zoe@example.org' };
    expect(response).toMatchObject({ status: 201, json: { ...kept, role: 'Consumer', timeZone: 'Asia/Tokyo' } });
    expect(await profileOf(guest)).toMatchObject(kept);
    expect((await look(ana, slot)).json).toMatchObject({ username: 'zoe.kept', bookerName: 'Zoë Z.' });
    const elsewhere = daybook.visitor();
    await elsewhere.api('POST', '/api/Account/Login', { username: 'ZOE.kept', password });
    expect(idsOf(await agenda(elsewhere))).toEqual([slot.id]);
  });

  test('as a provider, under a name that is taken, or with a bad password is refused, and they stay a guest', async () => {
    const guest = await newGuest(daybook);
    const asProvider = await register(guest, { role: 'Provider', location: 'Lisbon' });
    expect([asProvider.status, asProvider.json]).toEqual([409, expect.stringContaining('guest')]);
    const taken = await register(guest, { username: ana.username.toUpperCase() });
    expect(complaints(taken, 409)).toEqual([expect.stringContaining('taken')]);
    expect(complaints(await register(guest, { password: 'short' }))).not.toHaveLength(0);
    expect(await profileOf(guest)).toMatchObject({ isGuest: true });
  });

  test('is one of many who want one name', async () => {
    const username = `wanted-${Math.random()}`;
    const crowd = await several(6, () => newGuest(daybook));
    const answers = await Promise.all(crowd.map((guest) => register(guest, { username })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
  });
});

describe('logging in as a guest', () => {
  test('with join=true takes the bookings and their links along, and the guest is gone', async () => {
    const maya = await newConsumer();
    const { guest, slot, cookie } = await guestWithSlot({ displayName: 'Wilhelmina Solo', email: 'mina@example.org' });
    const canceled = await freshSlot();
    await book(guest, canceled);
    await cancel(guest, canceled);
    const [{ link } = { link: null }] = await agenda(guest);
    const { status, json } = await logIn(guest, maya.username, '?join=true');
    expect([status, json]).toMatchObject([200, { username: maya.username, isGuest: false }]);
    expect(await agenda(maya)).toMatchObject([{ id: slot.id, link }]);
    expect((await daybook.visitor().get(link ?? '')).status).toBe(200);
    expect((await look(ana, slot)).json).toMatchObject({ username: maya.username, bookerName: maya.displayName });
    expect((await look(maya, canceled)).json).toMatchObject({ status: 2, username: maya.username });
    expect((await newsTexts(ana)).filter((text) => text.includes(maya.displayName))).toHaveLength(3);
    await expectEnded(cookie);
    expect(JSON.stringify(await dump(daybook.d1))).not.toMatch(/Wilhelmina Solo|mina@example\.org/i);
  });

  test('without join just ends the guest’s session; the bookings stay theirs, as those of an account do', async () => {
    const [maya, june, hers] = [await newConsumer(), await newConsumer(), await freshSlot()];
    await book(june, hers);
    expect((await logIn(june, maya.username, '?join=true')).status).toBe(200);
    expect((await look(ana, hers)).json).toMatchObject({ username: june.username });
    const { guest, slot, cookie } = await guestWithSlot();
    expect((await logIn(guest, maya.username)).status).toBe(200);
    expect(await agenda(maya)).toEqual([]);
    expect((await look(ana, slot)).json).toMatchObject({ username: null, bookerName: guest.displayName });
    await expectEnded(cookie);
  });

  test('to a provider can’t join, nor with a wrong password, and moves and ends nothing', async () => {
    const [maya, guest] = [await newConsumer(), await newGuest(daybook)];
    const wrong = { username: maya.username, password: 'Wrong horse 1' };
    expect((await guest.api('POST', '/api/Account/Login?join=true', wrong)).status).toBe(401);
    expect(await logIn(guest, ana.username, '?join=true')).toMatchObject({ status: 409, json: expect.any(String) });
    expect(await profileOf(guest)).toMatchObject({ isGuest: true });
  });

  test('names in the form what would go along, ticked, and sends it back unticked as it was sent', async () => {
    const maya = await newConsumer();
    const { guest, slot } = await guestWithSlot();
    const form = await guest.browser.get('/login');
    expect(form.words).toContain('Ana Costa');
    expect(form.$('input[name=join]')?.hasAttribute('checked')).toBe(true);
    const refused = await form.submit('Log in', { username: maya.username, password: 'Wrong horse 1', join: false });
    expect([refused.status, refused.$('input[name=join]')?.hasAttribute('checked')]).toEqual([401, false]);
    await refused.submit('Log in', { username: maya.username, password, join: true });
    expect(idsOf(await agenda(maya))).toEqual([slot.id]);
  });
});
