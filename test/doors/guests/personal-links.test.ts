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
import { held, useServer, useWorld } from '../../support/use-server';
import { keyOf } from '../../support/waitlist';

/*
 * Guests: who they are, and how they come to an account; and personal links: whoever has one sees that one booking, and may do with
 * it what its booker may.
 */

const daybook = useServer();
const { newConsumer } = peopleAt(daybook);
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
  const response = await openGuest(browser, { displayName: '  Zoë  ', ...given });
  const none = { username: null, location: null, description: null, address: null, phone: null };
  const profile: Profile = { displayName: 'Zoë', role: 'Consumer', isGuest: true, ...given, ...none };
  expect([response.status, response.json]).toEqual([201, profile]);
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
  test('keeps the account and what it has booked', async () => {
    const { guest, slot } = await guestWithSlot({ displayName: 'Zoë', email: 'zoe@example.org' });
    const response = await register(guest, { displayName: 'Zoë Z.', username: 'zoe.kept', timeZone: 'Asia/Tokyo' });
    const kept = { displayName: 'Zoë Z.', username: 'zoe.kept', isGuest: false, email: 'zoe@example.org' };
    expect(response).toMatchObject({ status: 201, json: { ...kept, role: 'Consumer', timeZone: 'Asia/Tokyo' } });
    expect((await look(ana, slot)).json).toMatchObject({ username: 'zoe.kept', bookerName: 'Zoë Z.' });
    const elsewhere = daybook.visitor();
    await elsewhere.api('POST', '/api/Account/Login', { username: 'ZOE.kept', password });
    expect(idsOf(await agenda(elsewhere))).toEqual([slot.id]);
  });

  test('as a provider, under a name that is taken, or with a bad password is refused, and they stay a guest', async () => {
    const guest = await newGuest(daybook);
    expect(refusal(await register(guest, { role: 'Provider', location: 'Lisbon' }))).toBe(409);
    expect(complaints(await register(guest, { username: ana.username.toUpperCase() }), 409)).toHaveLength(1);
    expect(complaints(await register(guest, { password: 'short' }))).not.toHaveLength(0);
    expect(await profileOf(guest)).toMatchObject({ isGuest: true });
  });
});

describe('logging in as a guest', () => {
  test('with join=true takes the bookings and their links along, and the guest is gone', async () => {
    const mia = await newConsumer();
    const { guest, slot, cookie } = await guestWithSlot({ displayName: 'Wilhelmina Solo', email: 'mina@example.org' });
    const canceled = await freshSlot();
    await book(guest, canceled);
    await cancel(guest, canceled);
    const [{ link } = { link: null }] = await agenda(guest);
    const { status, json } = await logIn(guest, mia.username, '?join=true');
    expect([status, json]).toMatchObject([200, { username: mia.username, isGuest: false }]);
    expect(await agenda(mia)).toMatchObject([{ id: slot.id, link }]);
    expect((await daybook.visitor().get(link ?? '')).status).toBe(200);
    expect((await look(ana, slot)).json).toMatchObject({ username: mia.username, bookerName: mia.displayName });
    expect((await look(mia, canceled)).json).toMatchObject({ status: 2, username: mia.username });
    expect((await newsTexts(ana)).filter((text) => text.includes(mia.displayName))).toHaveLength(3);
    await expectEnded(cookie);
    expect(JSON.stringify(await dump(daybook.d1))).not.toMatch(/Wilhelmina Solo|mina@example\.org/i);
  });

  test('without join just ends the guest’s session; the bookings stay theirs, as those of an account do', async () => {
    const [mia, june, hers] = [await newConsumer(), await newConsumer(), await freshSlot()];
    await book(june, hers);
    expect((await logIn(june, mia.username, '?join=true')).status).toBe(200);
    expect((await look(ana, hers)).json).toMatchObject({ username: june.username });
    const { guest, slot, cookie } = await guestWithSlot();
    expect((await logIn(guest, mia.username)).status).toBe(200);
    expect(await agenda(mia)).toEqual([]);
    expect((await look(ana, slot)).json).toMatchObject({ username: null, bookerName: guest.displayName });
    await expectEnded(cookie);
    expect((await openGuest(mia.browser, { displayName: 'Again' })).status).toBe(409);
    guest.browser.cookies.set('daybook', cookie);
    expect((await openGuest(guest.browser, { displayName: 'Anew' })).status).toBe(201);
  });

  test('to a provider can’t join, nor with a wrong password; the form names what would go along, and keeps its tick', async () => {
    const mia = await newConsumer();
    const { guest, slot } = await guestWithSlot();
    const wrong = { username: mia.username, password: 'Wrong horse 1' };
    expect((await guest.api('POST', '/api/Account/Login?join=true', wrong)).status).toBe(401);
    expect(refusal(await logIn(guest, ana.username, '?join=true'))).toBe(409);
    expect(await profileOf(guest)).toMatchObject({ isGuest: true });
    const form = await guest.browser.get('/login');
    expect(form.words).toContain('Ana Costa');
    expect(form.$('input[name=join]')?.hasAttribute('checked')).toBe(true);
    const refused = await form.submit('Log in', { ...wrong, join: false });
    expect([refused.status, refused.$('input[name=join]')?.hasAttribute('checked')]).toEqual([401, false]);
    await refused.submit('Log in', { username: mia.username, password, join: true });
    expect(idsOf(await agenda(mia))).toEqual([slot.id]);
  });
});

/** A booking of Ana's time, as its booker has it. */
async function booked(who: Person): Promise<Row> {
  const { json, status } = await book(who, await freshSlot());
  expect(status).toBe(200);
  return json as Row;
}
const stranger = () => daybook.visitor();
const byLink = (key: string) => stranger().api('GET', `/api/Public/Booking?key=${key}`);
const cancelBy = (key: string) => stranger().api('PUT', `/api/Public/CancelBooking?key=${key}`);

describe('a personal link', () => {
  test('is in every row of its booker, guest or not, and in nobody else’s, nor in the book', async () => {
    for (const who of [await newGuest(daybook), maya]) {
      const row = await booked(who);
      expect(row.link).toEqual(personalLink);
      expect(JSON.stringify(await held(daybook))).not.toContain(keyOf(row.link));
      for (const call of [`Get?id=${row.id}`, 'GetBooked', 'GetDash']) {
        const linkFor = async (reader: Person) =>
          [(await reader.api('GET', `/api/Appointment/${call}`)).json as Row | Row[]]
            .flat()
            .find(({ id }) => id === row.id)?.link;
        expect([call, await linkFor(who), await linkFor(ana)]).toEqual([call, row.link, null]);
      }
    }
  });

  test('shows the booking to whoever has it, and nothing of the provider’s own', async () => {
    const row = await booked(await newGuest(daybook, { email: 'zoe@example.org' }));
    await ana.api('PUT', `/api/Appointment/SetNote?id=${row.id}`, { note: 'Comes late' });
    expect(await byLink(keyOf(row.link))).toMatchObject({ status: 200, json: row });
    expect(row).toMatchObject({ bookerEmail: null, privateNote: null });
  });

  test('cancels, once and for all, and the time is free again; but nothing that has begun', async () => {
    const row = await booked(await newGuest(daybook));
    const [once, again] = [await cancelBy(keyOf(row.link)), await cancelBy(keyOf(row.link))];
    expect([once.status, once.json]).toEqual([200, { ...row, status: 2, canceledBy: 'consumer' }]);
    expect([again.status, again.json]).toEqual([200, once.json]);
    const open = await openSlotsOf(maya, ana, { dates: row.date });
    expect(startsOf(open)).toEqual([row.startTime]);
    const begun = await writeSlot(daybook.d1, ana, { startsIn: -1, booker: maya });
    await daybook.d1.prepare("UPDATE bookings SET link_seed = 'seed' WHERE id = ?").bind(begun.id).run();
    const { link } = (await look(maya, begun)).json as Row;
    expect(await cancelBy(keyOf(link))).toMatchObject(started);
  });
});

describe('a new link', () => {
  const renew = (who: Person, { id }: { id: string }) => who.api('PUT', `/api/Appointment/NewLink?id=${id}`);

  test('takes the place of the old one, which says by whom, and is shown to the provider once', async () => {
    const row = await booked(maya);
    const { link } = (await renew(ana, row)).json as Row;
    expect(link).toEqual(personalLink);
    const replaced = `This link was replaced by ${ana.displayName}.`;
    const old = await stranger().get(row.link as string);
    expect([old.status, old.words]).toEqual([404, expect.stringContaining(replaced)]);
    expect(await byLink(keyOf(row.link))).toMatchObject({ status: 404, json: expect.stringContaining(replaced) });
    expect((await stranger().get(`/booking/${'x'.repeat(22)}`)).words).not.toContain('replaced');
    expect((await byLink(keyOf(link))).json).toMatchObject({ id: row.id });
    expect((await look(maya, row)).json).toMatchObject({ link });
    expect((await look(ana, row)).json).toMatchObject({ link: null });
  });

  test('is made of a slot that is booked; one is good, however often it is made', async () => {
    const row = await booked(maya);
    expect(refusal(await renew(ana, await freshSlot()))).toBe(404);
    const made = await several(3, () => renew(ana, row));
    const codes = await Promise.all(made.map(async ({ json }) => (await byLink(keyOf((json as Row).link))).status));
    expect(codes.sort()).toEqual([200, 404, 404]);
    await cancel(ana, row);
    expect(refusal(await renew(ana, row))).toBe(409);
  });
});

describe('a key', () => {
  /** The keys of all kinds of links, of a guest who has one of each, and what only looks like one. */
  async function keysOfAll() {
    const guest = await newGuest(daybook);
    const booking = await booked(guest);
    const party = await createParty(ana, { openTo: 'anyone' });
    const { link: answer = '', id: invitation } = (await rsvp(guest, party)).json as { id: string; link?: string };
    const { link: feed } = (await guest.api('POST', '/api/Account/MakeFeed')).json as { link: string };
    const keyIn = (link: string) => link.replace(/^.*\/|\.ics$/g, '');
    return {
      booking: keyOf(booking.link),
      answer: keyIn(answer),
      meetup: linkOf(await createMeetup(ana), 'Ada').id,
      feed: keyIn(feed),
      'slot id': booking.id,
      'party id': party.id,
      'id of an answer': invitation,
      'cut off': keyOf(booking.link).slice(1),
      'with more': `${keyOf(booking.link)}A`,
      'in another case': keyOf(booking.link).toLowerCase(),
    };
  }

  test('opens what it was made for, and neither reads nor sends a form of another kind of thing', async () => {
    const keys = await keysOfAll();
    const to = (await freshSlot()).id;
    const before = await held(daybook);
    const pages: [kind: string, path: string, typed?: Record<string, string>][] = [
      ['booking', '/booking/KEY', { intent: 'cancel' }],
      ['booking', '/booking/KEY/move'],
      ['booking', '/booking/KEY/daybook.ics'],
      ['answer', '/answer/KEY', { accepted: 'false' }],
      ['meetup', '/meetup-rsvp/KEY', { accepted: 'false' }],
      ['meetup', '/meetup-rsvp/KEY/daybook.ics'],
      ['feed', '/calendar/KEY.ics'],
      ['party id', '/party/KEY'],
    ];
    for (const [name, key] of Object.entries(keys)) {
      for (const [kind, pattern, typed] of pages) {
        const path = pattern.replace('KEY', key);
        expect([path, name, (await stranger().visit(path)).status === 200]).toEqual([path, name, name === kind]);
        if (!typed || name === kind) continue;
        const { status } = await stranger().post(path, { ...typed, id: keys['slot id'], key: keys.booking });
        expect([path, name, status >= 400 && status < 500]).toEqual([path, name, true]);
      }
      expect([name, (await byLink(key)).status]).toEqual([name, name === 'booking' ? 200 : 404]);
      const calls = [`meetup/ChangeRsvp?id=${key}&meetupid=${keys['party id']}&accepted=false`];
      if (name !== 'booking') calls.push(`Public/CancelBooking?key=${key}`, `Public/MoveBooking?key=${key}&to=${to}`);
      for (const call of calls)
        expect([call, (await stranger().api('PUT', `/api/${call}`)).status]).toEqual([call, 404]);
    }
    expect((await byLink('%20')).status).toBe(400);
    expect(await held(daybook)).toEqual(before);
  });

  test('names its thing alone, whatever else its form is sent with, and takes no time of another provider', async () => {
    const [one, other] = [await booked(maya), await booked(await newGuest(daybook))];
    const [key, otherKey] = [keyOf(one.link), keyOf(other.link)];
    const typed = { intent: 'cancel', id: other.id, key: otherKey, slotId: other.id };
    expect((await stranger().post(`/booking/${key}?id=${other.id}&key=${otherKey}`, typed)).status).toBe(303);
    const theirs = await publishOne(rival, { dates: [dayAhead(2)] });
    expect((await stranger().post(`/booking/${otherKey}/move/${theirs.id}`, {})).status).toBe(404);
    const rows = [(await byLink(key)).json, (await byLink(otherKey)).json];
    expect(rows).toMatchObject([{ status: 2 }, { status: 1 }]);
  });
});
