import { describe, expect, test } from 'vitest';
import { dump } from '../../../app/local/database';
import { newsTexts, profileOf } from '../../support/account-calls';
import { agenda, idsOf, openSlotsOf, startsOf } from '../../support/appointment-calls';
import { complaints, personalLink, refusal, started } from '../../support/complaints';
import {
  book,
  cancel,
  dayAhead,
  look,
  type Person,
  password,
  peopleAt,
  publishOne,
  type Row,
  several,
  writeSlot,
} from '../../support/factories';
import { newGuest, openGuest, type Profile } from '../../support/guests';
import { createMeetup, createParty, linkOf, rsvp } from '../../support/party-factories';
import { storedRows, useServer, useWorld } from '../../support/use-server';
import type { Page } from '../../support/visit';
import { keyOf } from '../../support/waitlist';

/*
 * Guests: who they are, and how they come to an account; and personal links: whoever has one sees that one booking, and may do with
 * it what its booker may.
 */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { ana, rival, maya } = useWorld(daybook, { ana: {}, rival: {}, maya: {} });

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

test('a guest is a consumer without a username, and has a session', async () => {
  const browser = daybook.visitor();
  const given = { email: 'zoe@example.org', timeZone: 'Asia/Tokyo' };

  const { status, json } = await openGuest(browser, { displayName: '  Zoë  ', ...given });

  const none = {
    username: null,
    location: null,
    description: null,
    address: null,
    phone: null,
    payLink: null,
    payTo: null,
  };
  const profile: Profile = { displayName: 'Zoë', role: 'Consumer', isGuest: true, lang: 'en', ...given, ...none };
  expect(status).toBe(201);
  expect(json).toEqual(profile);
  expect(await profileOf(browser)).toEqual(profile);
});

test.each([
  [{}],
  [{ displayName: 'x'.repeat(81) }],
  [{ displayName: 'Zoë', email: 'zoe@example.org, you@example.org' }],
  [{ displayName: 'Zoë', email: `${'z'.repeat(250)}@example.org` }],
  [{ displayName: 'Zoë', timeZone: 'Nowhere/Else' }],
])('a guest is not made of %j', async (details) => {
  const browser = daybook.visitor();

  expect(complaints(await openGuest(browser, details))).toHaveLength(1);

  expect((await browser.api('GET', '/api/Account/Profile')).status).toBe(400);
});

describe('registering as a guest', () => {
  async function registeredGuest() {
    const { guest, slot } = await guestWithSlot({ displayName: 'Zoë', email: 'zoe@example.org' });
    const username = `zoe.${crypto.randomUUID().slice(0, 8)}`;
    const response = await register(guest, { displayName: 'Zoë Z.', username, timeZone: 'Asia/Tokyo' });
    return { slot, username, response };
  }

  test('makes an account that keeps the address', async () => {
    const { response, username } = await registeredGuest();

    expect(response.status).toBe(201);
    const kept = { displayName: 'Zoë Z.', username, isGuest: false, email: 'zoe@example.org' };
    expect(response.json).toMatchObject({ ...kept, role: 'Consumer', timeZone: 'Asia/Tokyo' });
  });

  test('shows the provider the new name', async () => {
    const { slot, username } = await registeredGuest();

    expect((await look(ana, slot)).json).toMatchObject({ username, bookerName: 'Zoë Z.' });
  });

  test('keeps what was booked', async () => {
    const { slot, username } = await registeredGuest();
    const elsewhere = daybook.visitor();

    await elsewhere.api('POST', '/api/Account/Login', { username: username.toUpperCase(), password });

    expect(idsOf(await agenda(elsewhere))).toEqual([slot.id]);
  });

  test('as a provider is refused', async () => {
    const guest = await newGuest(daybook);

    expect(refusal(await register(guest, { role: 'Provider', location: 'Lisbon' }))).toBe(409);

    expect(await profileOf(guest)).toMatchObject({ isGuest: true });
  });

  test('under a name that is taken is refused', async () => {
    const guest = await newGuest(daybook);

    expect(complaints(await register(guest, { username: ana.username.toUpperCase() }), 409)).toHaveLength(1);

    expect(await profileOf(guest)).toMatchObject({ isGuest: true });
  });

  test('with a bad password is refused', async () => {
    const guest = await newGuest(daybook);

    expect(complaints(await register(guest, { password: 'short' }))).not.toHaveLength(0);

    expect(await profileOf(guest)).toMatchObject({ isGuest: true });
  });
});

describe('a guest who logs in with join=true', () => {
  /** Wilhelmina has booked a time, and another that she canceled, and logs in to Mia's account. */
  async function joinedGuest() {
    const mia = await newConsumer();
    const { guest, slot, cookie } = await guestWithSlot({ displayName: 'Wilhelmina Solo', email: 'mina@example.org' });
    const canceled = await freshSlot();
    await book(guest, canceled);
    await cancel(guest, canceled);
    const [{ link } = { link: null }] = await agenda(guest);
    const response = await logIn(guest, mia.username, '?join=true');
    return { mia, slot, canceled, cookie, link, response };
  }

  test('is in the account', async () => {
    const { mia, response } = await joinedGuest();

    expect(response.status).toBe(200);
    expect(response.json).toMatchObject({ username: mia.username, isGuest: false });
  });

  test('takes bookings along', async () => {
    const { mia, slot } = await joinedGuest();

    expect(idsOf(await agenda(mia))).toEqual([slot.id]);
    expect((await look(ana, slot)).json).toMatchObject({ username: mia.username, bookerName: mia.displayName });
  });

  test('takes a canceled booking along', async () => {
    const { mia, canceled } = await joinedGuest();

    expect((await look(mia, canceled)).json).toMatchObject({ status: 2, username: mia.username });
  });

  test('keeps personal links', async () => {
    const { mia, link } = await joinedGuest();

    expect(await agenda(mia)).toMatchObject([{ link }]);
    expect((await daybook.visitor().get(link ?? '')).status).toBe(200);
  });

  test('has the account’s name in the provider’s news', async () => {
    const { mia } = await joinedGuest();

    expect((await newsTexts(ana)).filter((text) => text.includes(mia.displayName))).toHaveLength(3);
  });

  test('ends the guest’s session', async () => {
    const { cookie } = await joinedGuest();

    await expectEnded(cookie);
  });

  test('leaves nothing of the guest', async () => {
    await joinedGuest();

    expect(JSON.stringify(await dump(daybook.d1))).not.toMatch(/Wilhelmina Solo|mina@example\.org/i);
  });

  test('by a wrong password stays a guest', async () => {
    const [mia, guest] = [await newConsumer(), await newGuest(daybook)];
    const wrong = { username: mia.username, password: 'Wrong horse 1' };

    expect((await guest.api('POST', '/api/Account/Login?join=true', wrong)).status).toBe(401);

    expect(await profileOf(guest)).toMatchObject({ isGuest: true });
  });

  test('to a provider stays a guest', async () => {
    const guest = await newGuest(daybook);

    expect(refusal(await logIn(guest, ana.username, '?join=true'))).toBe(409);

    expect(await profileOf(guest)).toMatchObject({ isGuest: true });
  });
});

test('an account that logs in to another with join=true keeps its bookings', async () => {
  const [mia, june, hers] = [await newConsumer(), await newConsumer(), await freshSlot()];
  await book(june, hers);

  expect((await logIn(june, mia.username, '?join=true')).status).toBe(200);

  expect((await look(ana, hers)).json).toMatchObject({ username: june.username });
});

describe('a guest who logs in without join', () => {
  async function loggedInGuest() {
    const mia = await newConsumer();
    const { guest, slot, cookie } = await guestWithSlot();
    expect((await logIn(guest, mia.username)).status).toBe(200);
    return { mia, guest, slot, cookie };
  }

  test('leaves bookings with the guest', async () => {
    const { mia, guest, slot } = await loggedInGuest();

    expect(await agenda(mia)).toEqual([]);
    expect((await look(ana, slot)).json).toMatchObject({ username: null, bookerName: guest.displayName });
  });

  test('ends the guest’s session', async () => {
    const { cookie } = await loggedInGuest();

    await expectEnded(cookie);
  });

  test('is made a guest anew where only the ended session is left', async () => {
    const { guest, cookie } = await loggedInGuest();
    guest.browser.cookies.set('daybook', cookie);

    expect((await openGuest(guest.browser, { displayName: 'Anew' })).status).toBe(201);
  });
});

test('an account is made no guest', async () => {
  const mia = await newConsumer();

  expect((await openGuest(mia.browser, { displayName: 'Again' })).status).toBe(409);
});

describe('the login form of a guest', () => {
  const isTicked = (form: Page) => form.$('input[name=join]')?.hasAttribute('checked');

  test('names what would go along', async () => {
    const { guest } = await guestWithSlot();

    const form = await guest.browser.get('/login');

    expect(form.words).toContain('Ana Costa');
    expect(isTicked(form)).toBe(true);
  });

  test('keeps its tick after a wrong password', async () => {
    const [{ guest }, mia] = [await guestWithSlot(), await newConsumer()];
    const form = await guest.browser.get('/login');

    const wrong = { username: mia.username, password: 'Wrong horse 1' };
    const refused = await form.submit('Log in', { ...wrong, join: false });

    expect(refused.status).toBe(401);
    expect(isTicked(refused)).toBe(false);
  });

  test('takes bookings along where it is ticked', async () => {
    const [{ guest, slot }, mia] = [await guestWithSlot(), await newConsumer()];
    const form = await guest.browser.get('/login');

    await form.submit('Log in', { username: mia.username, password, join: true });

    expect(idsOf(await agenda(mia))).toEqual([slot.id]);
  });
});

/** A booking of Ana's time, as its booker has it. */
async function bookingOf(who: Person): Promise<Row> {
  const { json, status } = await book(who, await freshSlot());
  expect(status).toBe(200);
  return json as Row;
}
const stranger = () => daybook.visitor();
const readByKey = (key: string) => stranger().api('GET', `/api/Public/Booking?key=${key}`);
const cancelByKey = (key: string) => stranger().api('PUT', `/api/Public/CancelBooking?key=${key}`);

describe.each([
  ['a guest', () => newGuest(daybook)],
  ['an account', () => newConsumer()],
])('the personal link of %s', (_, newBooker) => {
  test.each(['Get', 'GetBooked', 'GetDash'])('is in the rows of %s for its booker alone', async (call) => {
    const [booker, provider] = [await newBooker(), await newProvider()];
    const row = (await book(booker, await publishOne(provider))).json as Row;
    const linkFor = async (reader: Person) => {
      const { json } = await reader.api('GET', `/api/Appointment/${call}${call === 'Get' ? `?id=${row.id}` : ''}`);
      return [json as Row | Row[]].flat().find(({ id }) => id === row.id)?.link;
    };

    expect(row.link).toEqual(personalLink);
    expect(await linkFor(booker)).toBe(row.link);
    expect(await linkFor(provider)).toBeNull();
  });

  test('is not stored', async () => {
    const row = await bookingOf(await newBooker());

    expect(JSON.stringify(await storedRows(daybook))).not.toContain(keyOf(row.link));
  });
});

describe('a personal link', () => {
  test('shows the booking to whoever has it, and nothing of the provider’s own', async () => {
    const row = await bookingOf(await newGuest(daybook, { email: 'zoe@example.org' }));
    await ana.api('PUT', `/api/Appointment/SetNote?id=${row.id}`, { note: 'Comes late' });

    const { status, json } = await readByKey(keyOf(row.link));

    expect(status).toBe(200);
    expect(json).toMatchObject(row);
    expect(json).toMatchObject({ bookerEmail: null, privateNote: null });
  });

  test('cancels the booking', async () => {
    const row = await bookingOf(await newGuest(daybook));

    const canceled = await cancelByKey(keyOf(row.link));

    expect(canceled.status).toBe(200);
    expect(canceled.json).toEqual({ ...row, status: 2, canceledBy: 'consumer' });
  });

  test('cancels once, however often it is sent', async () => {
    const row = await bookingOf(await newGuest(daybook));
    const canceled = await cancelByKey(keyOf(row.link));

    const again = await cancelByKey(keyOf(row.link));

    expect(again.status).toBe(200);
    expect(again.json).toEqual(canceled.json);
  });

  test('makes the time free again', async () => {
    const row = await bookingOf(await newGuest(daybook));

    await cancelByKey(keyOf(row.link));

    expect(startsOf(await openSlotsOf(maya, ana, { dates: row.date }))).toEqual([row.startTime]);
  });

  test('cancels nothing that has begun', async () => {
    const begun = await writeSlot(daybook.d1, ana, { startsIn: -1, booker: maya });
    await daybook.d1.prepare("UPDATE bookings SET link_seed = 'seed' WHERE id = ?").bind(begun.id).run();
    const { link } = (await look(maya, begun)).json as Row;

    expect(await cancelByKey(keyOf(link))).toMatchObject(started);
  });
});

describe('a new link', () => {
  const renew = (who: Person, { id }: { id: string }) => who.api('PUT', `/api/Appointment/NewLink?id=${id}`);
  const replaced = () => `This link was replaced by ${ana.displayName}.`;
  async function renewedLink() {
    const row = await bookingOf(maya);
    const { link } = (await renew(ana, row)).json as Row;
    return { row, link };
  }

  test('opens the booking', async () => {
    const { row, link } = await renewedLink();

    expect(link).toEqual(personalLink);
    expect((await readByKey(keyOf(link))).json).toMatchObject({ id: row.id });
  });

  test('ends the old page, which says by whom', async () => {
    const { row } = await renewedLink();

    const old = await stranger().get(row.link as string);

    expect(old.status).toBe(404);
    expect(old.words).toContain(replaced());
  });

  test('ends the old key, which says by whom', async () => {
    const { row } = await renewedLink();

    const { status, json } = await readByKey(keyOf(row.link));

    expect(status).toBe(404);
    expect(json).toContain(replaced());
  });

  test('is not spoken of at a link that never was', async () => {
    expect((await stranger().get(`/booking/${'x'.repeat(22)}`)).words).not.toContain('replaced');
  });

  test('is shown to the provider once, and to the booker', async () => {
    const { row, link } = await renewedLink();

    expect((await look(maya, row)).json).toMatchObject({ link });
    expect((await look(ana, row)).json).toMatchObject({ link: null });
  });

  test('is made of no free time', async () => {
    expect(refusal(await renew(ana, await freshSlot()))).toBe(404);
  });

  test('is made of no canceled booking', async () => {
    const row = await bookingOf(maya);
    await cancel(ana, row);

    expect(refusal(await renew(ana, row))).toBe(409);
  });

  test('that is made often is good as its last one', async () => {
    const row = await bookingOf(maya);

    const made = await several(3, () => renew(ana, row));

    const codes = await Promise.all(made.map(async ({ json }) => (await readByKey(keyOf((json as Row).link))).status));
    expect(codes.sort()).toEqual([200, 404, 404]);
  });
});

describe('a key', () => {
  /** The keys of all kinds of links, of a guest who has one of each, and what only looks like one. */
  async function keysOfAll() {
    const guest = await newGuest(daybook);
    const booking = await bookingOf(guest);
    const party = await createParty(ana, { openTo: 'anyone' });
    const { link: rsvpPath = '', id: invitation } = (await rsvp(guest, party)).json as { id: string; link?: string };
    const { link: feed } = (await guest.api('POST', '/api/Account/MakeFeed')).json as { link: string };
    const keyIn = (link: string) => link.replace(/^.*\/|\.ics$/g, '');
    return {
      booking: keyOf(booking.link),
      rsvp: keyIn(rsvpPath),
      meetup: linkOf(await createMeetup(ana), 'Ada').id,
      feed: keyIn(feed),
      'slot id': booking.id,
      'party id': party.id,
      'id of an RSVP': invitation,
      'cut off': keyOf(booking.link).slice(1),
      'with more': `${keyOf(booking.link)}A`,
      'in another case': keyOf(booking.link).toLowerCase(),
    };
  }

  const pages: [kind: string, path: string][] = [
    ['booking', '/booking/KEY'],
    ['booking', '/booking/KEY/move'],
    ['booking', '/booking/KEY/daybook.ics'],
    ['rsvp', '/answer/KEY'],
    ['meetup', '/meetup-rsvp/KEY'],
    ['meetup', '/meetup-rsvp/KEY/daybook.ics'],
    ['feed', '/calendar/KEY.ics'],
    ['party id', '/party/KEY'],
  ];
  const forms: [kind: string, path: string, typed: Record<string, string>][] = [
    ['booking', '/booking/KEY', { intent: 'cancel' }],
    ['rsvp', '/answer/KEY', { accepted: 'false' }],
    ['meetup', '/meetup-rsvp/KEY', { accepted: 'false' }],
  ];

  test.each(pages)('of a %s alone opens %s', async (kind, pattern) => {
    for (const [name, key] of Object.entries(await keysOfAll())) {
      const { status } = await stranger().visit(pattern.replace('KEY', key));
      expect(status === 200, name).toBe(name === kind);
    }
  });

  test.each(forms)('of a %s alone sends the form of %s', async (kind, pattern, typed) => {
    const keys = await keysOfAll();
    const others = Object.entries(keys).filter(([name]) => name !== kind);
    const before = await storedRows(daybook);

    for (const [name, key] of others) {
      const also = { id: keys['slot id'], key: keys.booking };
      const { status } = await stranger().post(pattern.replace('KEY', key), { ...typed, ...also });
      expect(status, name).toBeGreaterThanOrEqual(400);
      expect(status, name).toBeLessThan(500);
    }
    expect(await storedRows(daybook)).toEqual(before);
  });

  test('of a booking alone reads it by a call', async () => {
    for (const [name, key] of Object.entries(await keysOfAll()))
      expect((await readByKey(key)).status, name).toBe(name === 'booking' ? 200 : 404);
  });

  test('that is blank is no key', async () => {
    expect((await readByKey('%20')).status).toBe(400);
  });

  test.each(['CancelBooking', 'MoveBooking'])('of a booking alone is taken by %s', async (call) => {
    const { booking, ...others } = await keysOfAll();
    const to = (await freshSlot()).id;
    const before = await storedRows(daybook);

    for (const [name, key] of Object.entries(others)) {
      const { status } = await stranger().api('PUT', `/api/Public/${call}?key=${key}&to=${to}`);
      expect(status, name).toBe(404);
    }
    expect(await storedRows(daybook)).toEqual(before);
  });

  test('answers no meetup by a call with the id of a party', async () => {
    const keys = await keysOfAll();
    const before = await storedRows(daybook);

    for (const [name, key] of Object.entries(keys)) {
      const query = `id=${key}&meetupid=${keys['party id']}&accepted=false`;
      expect((await stranger().api('PUT', `/api/meetup/ChangeRsvp?${query}`)).status, name).toBe(404);
    }
    expect(await storedRows(daybook)).toEqual(before);
  });

  test('names its thing alone, whatever else its form is sent with', async () => {
    const [one, other] = [await bookingOf(maya), await bookingOf(await newGuest(daybook))];
    const [key, otherKey] = [keyOf(one.link), keyOf(other.link)];

    const typed = { intent: 'cancel', id: other.id, key: otherKey, slotId: other.id };
    expect((await stranger().post(`/booking/${key}?id=${other.id}&key=${otherKey}`, typed)).status).toBe(303);

    expect((await readByKey(key)).json).toMatchObject({ status: 2 });
    expect((await readByKey(otherKey)).json).toMatchObject({ status: 1 });
  });

  test('takes no time of another provider', async () => {
    const key = keyOf((await bookingOf(maya)).link);
    const theirs = await publishOne(rival, { dates: [dayAhead(2)] });

    expect((await stranger().post(`/booking/${key}/move/${theirs.id}`, {})).status).toBe(404);

    expect((await readByKey(key)).json).toMatchObject({ status: 1 });
  });
});
