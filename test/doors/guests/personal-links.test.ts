import { describe, expect, test } from 'vitest';
import { dump } from '../../../app/local/database';
import { setRules } from '../../support/account-calls';
import { nothing, personalLink, refusal, started } from '../../support/complaints';
import {
  book,
  cancel,
  dayAhead,
  look,
  type Person,
  peopleAt,
  publishOne,
  type Row,
  rowsOf,
  writeSlot,
} from '../../support/factories';
import { newGuest } from '../../support/guests';
import { createMeetup, createParty, linkOf, rsvp } from '../../support/party-factories';
import { useServer, useWorld } from '../../support/use-server';
import { keyOf } from '../../support/waitlist';

/* Personal links: whoever has one sees that one booking, and may do with it what its booker may. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { ana, rival, maya } = useWorld(daybook, { ana: {}, rival: {}, maya: {} });

let days = 1;
const freshSlot = (details: object = {}) => {
  days += 1;
  return publishOne(ana, { dates: [dayAhead(days)], ...details });
};
/** A booking of Ana's time, as its booker has it. */
async function booked(who: Person, slot?: Row): Promise<Row> {
  const { json, status } = await book(who, slot ?? (await freshSlot()));
  expect(status).toBe(200);
  return json as Row;
}
const stranger = () => daybook.visitor();
const byLink = (key: string) => stranger().api('GET', `/api/Public/Booking?key=${key}`);
const moveBy = (key: string, { id }: Row) => stranger().api('PUT', `/api/Public/MoveBooking?key=${key}&to=${id}`);
const cancelBy = (key: string) => stranger().api('PUT', `/api/Public/CancelBooking?key=${key}`);

describe('a personal link', () => {
  test('is in every row of its booker, guest or not, and in nobody else’s', async () => {
    for (const who of [await newGuest(daybook), await newConsumer()]) {
      const row = await booked(who);
      expect(row.link).toEqual(personalLink);
      expect(row.link).not.toContain(row.id);
      expect((await look(who, row)).json).toMatchObject({ link: row.link });
      for (const list of ['GetBooked', 'GetDash']) {
        expect(rowsOf(await who.api('GET', `/api/Appointment/${list}`))[0]?.link).toBe(row.link);
        const anas = rowsOf(await ana.api('GET', `/api/Appointment/${list}`)).find(({ id }) => id === row.id);
        expect([list, anas?.link]).toEqual([list, null]);
      }
      expect((await look(ana, row)).json).toMatchObject({ link: null });
    }
    expect((await freshSlot()).link).toBeNull();
  });

  test('shows the booking to whoever has it, and nothing of the provider’s own', async () => {
    const guest = await newGuest(daybook, { email: 'zoe@example.org' });
    const row = await booked(guest);
    await ana.api('PUT', `/api/Appointment/SetNote?id=${row.id}`, { note: 'Comes late' });
    const { status, json } = await byLink(keyOf(row.link));
    expect([status, json]).toEqual([200, row]);
    expect(row).toMatchObject({ bookerEmail: null, privateNote: null });
  });

  test('is kept as a hash only: the book opens nothing', async () => {
    const row = await booked(await newGuest(daybook));
    const book = JSON.stringify(await dump(daybook.d1));
    expect(book).toContain(row.id);
    expect(book).not.toContain(keyOf(row.link));
  });

  test('cancels, once and for all, and the time is free again', async () => {
    const slot = await freshSlot();
    const row = await booked(await newGuest(daybook), slot);
    const [once, again] = [await cancelBy(keyOf(row.link)), await cancelBy(keyOf(row.link))];
    expect([once.status, once.json]).toEqual([200, { ...row, status: 2, canceledBy: 'consumer' }]);
    expect([again.status, again.json]).toEqual([200, once.json]);
    const dates = new URLSearchParams({ provider: ana.username, dates: slot.date });
    const open = rowsOf(await stranger().api('GET', `/api/Public/Slots?${dates}`));
    expect(open.map(({ startsAt }) => startsAt)).toEqual([slot.startsAt]);
    expect((await byLink(keyOf(row.link))).json).toMatchObject({ status: 2 });
  });

  test('of a stranger’s making, cut off or blank, opens nothing, by screens or calls', async () => {
    const [row, free] = [await booked(maya), await freshSlot()];
    const key = keyOf(row.link);
    const wrong = [row.id, key.slice(1), key.slice(0, -1), `${key}A`, key.toLowerCase(), 'A'.repeat(22), "' OR 1=1 --"];
    for (const made of wrong.map(encodeURIComponent)) {
      expect([await byLink(made), await cancelBy(made), await moveBy(made, free)]).toMatchObject(
        Array(3).fill(nothing),
      );
      const screens = [
        await stranger().get(`/booking/${made}`),
        await stranger().get(`/booking/${made}/daybook.ics`),
        await stranger().get(`/booking/${made}/move`),
        await stranger().post(`/booking/${made}`, { intent: 'cancel' }),
        await stranger().get(`/answer/${made}`),
        await stranger().post(`/answer/${made}`, { accepted: 'true' }),
      ];
      expect([made, screens.map(({ status }) => status)]).toEqual([made, Array(6).fill(404)]);
    }
    for (const path of ['/api/Public/Booking', '/api/Public/Booking?key=', '/api/Public/Booking?key=%20']) {
      expect((await stranger().api('GET', path)).status).toBe(400);
    }
    expect((await look(maya, row)).json).toMatchObject({ status: 1 });
  });

  test('cancels nothing that has begun, and nothing that the provider canceled comes back', async () => {
    const slot = await writeSlot(daybook.d1, ana, { startsIn: -1, booker: maya });
    await daybook.d1.prepare("UPDATE bookings SET link_seed = 'seed' WHERE id = ?").bind(slot.id).run();
    const begun = (await look(maya, slot)).json as Row;
    expect(await cancelBy(keyOf(begun.link))).toMatchObject({ ...started });
    const other = await booked(maya);
    await cancel(ana, other);
    expect((await cancelBy(keyOf(other.link))).json).toMatchObject({ status: 2 });
  });

  test('goes along where a guest registers, or joins an account', async () => {
    const guest = await newGuest(daybook);
    const row = await booked(guest);
    const join = await newConsumer();
    await guest.api('POST', '/api/Account/Login?join=true', { username: join.username, password: 'Correct horse 1' });
    expect((await byLink(keyOf(row.link))).json).toMatchObject({ username: join.username, link: row.link });
    expect((await look(join, row)).json).toMatchObject({ link: row.link });
  });
});

describe('a new link', () => {
  const renew = (who: Person, { id }: { id: string }) => who.api('PUT', `/api/Appointment/NewLink?id=${id}`);

  test('takes the place of the old one, and is shown to the provider once', async () => {
    const row = await booked(maya);
    const { status, json } = await renew(ana, row);
    const renewed = json as Row;
    expect([status, renewed.link]).toEqual([200, personalLink]);
    expect(renewed.link).not.toBe(row.link);
    expect((await byLink(keyOf(row.link))).status).toBe(404);
    expect((await byLink(keyOf(renewed.link))).json).toMatchObject({ id: row.id });
    expect((await look(maya, row)).json).toMatchObject({ link: renewed.link });
    expect((await look(ana, row)).json).toMatchObject({ link: null });
  });

  test('is what the old one tells its booker of, and by whom; no other address says anything', async () => {
    const row = await booked(maya);
    await renew(ana, row);
    const old = await daybook.visitor().get(row.link as string);
    expect([old.status, old.words]).toEqual([
      404,
      expect.stringContaining(`This link was replaced by ${ana.displayName}.`),
    ]);
    expect((await byLink(keyOf(row.link))).json).toContain('This link was replaced by');
    const guessed = await daybook.visitor().get(`/booking/${'x'.repeat(22)}`);
    expect(guessed.words).toContain('There is no such booking.');
    expect(guessed.words).not.toContain('replaced');
  });

  test('is the provider’s to make, of a slot that is booked', async () => {
    const row = await booked(maya);
    expect(refusal(await renew(rival, row))).toBe(404);
    expect(refusal(await renew(maya, row))).toBe(403);
    expect(refusal(await renew(ana, await freshSlot()))).toBe(404);
    await cancel(ana, row);
    expect(refusal(await renew(ana, row))).toBe(409);
    expect((await byLink(keyOf(row.link))).status).toBe(200);
  });

  test('leaves one good link, however often it is made', async () => {
    const row = await booked(maya);
    const made = await Promise.all([renew(ana, row), renew(ana, row), renew(ana, row)]);
    const codes = await Promise.all(made.map(async ({ json }) => (await byLink(keyOf((json as Row).link))).status));
    expect(codes.sort()).toEqual([200, 404, 404]);
  });
});

describe('the rules of who may book', () => {
  const ruled = async (rules: object) => {
    const eva = await newProvider({ displayName: 'Eva' });
    await setRules(eva, rules);
    return { eva, slot: await publishOne(eva) };
  };

  test('refuse guests where only accounts may, and no account, and the page of the provider says so', async () => {
    const { eva, slot } = await ruled({ openTo: 'accounts' });
    const page = await stranger().api('GET', `/api/Public/Provider?username=${eva.username}`);
    expect(page.json).toMatchObject({ openTo: 'accounts' });
    const guest = await newGuest(daybook);
    const refused = await book(guest, slot);
    expect([refused.status, refused.json]).toEqual([403, expect.stringContaining('account')]);
    expect((await book(maya, slot)).status).toBe(200);
    expect((await book(guest, slot)).status).toBe(403);
  });

  test('refuse guests without the e-mail address that is asked for', async () => {
    const { eva, slot } = await ruled({ askEmail: 'required' });
    expect((await book(await newGuest(daybook), slot)).status).toBe(400);
    const known = await newGuest(daybook, { email: 'zoe@example.org' });
    expect((await book(known, slot)).status).toBe(200);
    expect((await look(eva, slot)).json).toMatchObject({ bookerEmail: 'zoe@example.org' });
    expect((await look(known, slot)).json).toMatchObject({ bookerEmail: null });
  });
});

describe('booking for somebody', () => {
  const bookFor = (who: Person, { id }: { id: string }, body: unknown, sent = {}) =>
    who.api('POST', `/api/Appointment/BookFor?id=${id}`, body, sent);

  test('makes a guest without a session, with a link and a note that only the provider sees', async () => {
    const slot = await freshSlot();
    const body = { displayName: 'Walk-in Wanda', email: 'wanda@example.org', note: 'By telephone' };
    const { status, json } = await bookFor(ana, slot, body);
    const row = json as Row;
    expect(status).toBe(201);
    const seen = { bookerName: 'Walk-in Wanda', bookerEmail: 'wanda@example.org', privateNote: 'By telephone' };
    expect(row).toMatchObject({ ...seen, id: slot.id, status: 1, username: null, link: personalLink });
    expect((await look(ana, slot)).json).toMatchObject({ ...seen, link: null });
    const theirs = { bookerName: 'Walk-in Wanda', link: row.link, bookerEmail: null, privateNote: null };
    expect((await byLink(keyOf(row.link))).json).toMatchObject(theirs);
    expect((await cancelBy(keyOf(row.link))).json).toMatchObject({ status: 2 });
  });

  test('is for the slot’s provider, and for a slot that is open', async () => {
    const slot = await freshSlot();
    const body = { displayName: 'Wanda' };
    expect(refusal(await bookFor(rival, slot, body))).toBe(404);
    expect(refusal(await bookFor(maya, slot, body))).toBe(403);
    expect(refusal(await bookFor(ana, { id: 'none' }, body))).toBe(404);
    await booked(maya, slot);
    expect(refusal(await bookFor(ana, slot, body))).toBe(409);
    const begun = await writeSlot(daybook.d1, ana, { startsIn: -300, length: 5 });
    expect(refusal(await bookFor(ana, begun, body))).toBe(409);
  });

  test('refuses who has no name, and words that are too long or no address', async () => {
    const slot = await freshSlot();
    const long = { displayName: 'W', note: 'x'.repeat(1001) };
    for (const body of [{}, { displayName: ' ' }, { displayName: 'W', email: 'w' }, long]) {
      expect((await bookFor(ana, slot, body)).status).toBe(400);
    }
    expect((await look(ana, slot)).json).toMatchObject({ status: 0 });
  });

  test('twice with one key is one booking, answered the same, but its link once', async () => {
    const slot = await freshSlot();
    const send = () => bookFor(ana, slot, { displayName: 'Wanda' }, { 'idempotency-key': 'walk-in-1' });
    const [one, other] = [await send(), await send()];
    expect([one.status, other.status]).toEqual([201, 201]);
    expect(other.json).toEqual({ ...(one.json as Row), link: null });
    expect((await bookFor(ana, slot, { displayName: 'Wanda' })).status).toBe(409);
  });

  test('goes where only accounts may book by themselves', async () => {
    const eva = await newProvider();
    await setRules(eva, { openTo: 'accounts', askEmail: 'required' });
    expect((await bookFor(eva, await publishOne(eva), { displayName: 'Wanda' })).status).toBe(201);
  });

  test('has a note that can be changed and taken away', async () => {
    const row = await booked(maya);
    const note = (who: Person, text: unknown, { id } = row) =>
      who.api('PUT', `/api/Appointment/SetNote?id=${id}`, { note: text });
    expect((await note(ana, ' Parks outside ')).json).toMatchObject({ privateNote: 'Parks outside' });
    expect((await look(maya, row)).json).toMatchObject({ privateNote: null });
    expect((await note(ana, '')).json).toMatchObject({ privateNote: null });
    expect((await note(ana, 'x'.repeat(1001))).status).toBe(400);
    expect([refusal(await note(rival, 'Mine')), refusal(await note(maya, 'Mine'))]).toEqual([404, 403]);
    expect((await note(ana, 'x', await freshSlot())).status).toBe(404);
  });
});

describe('a key', () => {
  /** The keys of all kinds of links, of a guest who has one of each. */
  async function keysOfAll() {
    const guest = await newGuest(daybook);
    const booking = await booked(guest);
    const party = await createParty(ana, { openTo: 'anyone' });
    const { link: answer = '', id: invitation } = (await rsvp(guest, party)).json as { id: string; link?: string };
    const meetup = await createMeetup(ana);
    const { link: feed } = (await guest.api('POST', '/api/Account/MakeFeed')).json as { link: string };
    const keyIn = (link: string) => link.replace(/^.*\/|\.ics$/g, '');
    return {
      booking: keyOf(booking.link),
      answer: keyIn(answer),
      meetup: linkOf(meetup, 'Ada').id,
      feed: keyIn(feed),
      'slot id': booking.id,
      'party id': party.id,
      'id of an answer': invitation,
    };
  }

  test('opens what it was made for, and no other kind of thing', async () => {
    const keys = await keysOfAll();
    const opens: Record<string, (key: string) => string[]> = {
      booking: (key) => [`/booking/${key}`, `/booking/${key}/move`, `/booking/${key}/daybook.ics`],
      answer: (key) => [`/answer/${key}`],
      meetup: (key) => [`/meetup-rsvp/${key}`, `/meetup-rsvp/${key}/daybook.ics`],
      feed: (key) => [`/calendar/${key}.ics`],
      'party id': (key) => [`/party/${key}`],
    };
    const found: [string, string, number][] = [];
    for (const [kind, paths] of Object.entries(opens)) {
      for (const [name, key] of Object.entries(keys)) {
        for (const path of paths(key)) {
          const { status } = await stranger().visit(path);
          if ((status === 200) !== (name === kind)) found.push([path, name, status]);
        }
      }
    }
    expect(found).toEqual([]);
  });

  test('sends no form of another kind of thing', async () => {
    const keys = await keysOfAll();
    const to = (await freshSlot()).id;
    const before = await dump(daybook.d1);
    const forms: [kind: string, path: (key: string) => string, typed: Record<string, string>][] = [
      ['booking', (key) => `/booking/${key}`, { intent: 'cancel' }],
      ['booking', (key) => `/booking/${key}`, { intent: 'answers' }],
      ['booking', (key) => `/booking/${key}`, { intent: 'seen' }],
      ['booking', (key) => `/booking/${key}/move/${to}`, {}],
      ['answer', (key) => `/answer/${key}`, { accepted: 'false' }],
      ['meetup', (key) => `/meetup-rsvp/${key}`, { accepted: 'false' }],
    ];
    for (const [kind, path, typed] of forms) {
      for (const [name, key] of Object.entries(keys).filter(([name]) => name !== kind)) {
        const { status } = await stranger().post(path(key), { ...typed, id: keys['slot id'], key: keys.booking });
        expect([kind, name, status >= 400 && status < 500]).toEqual([kind, name, true]);
      }
    }
    for (const [name, key] of Object.entries(keys).filter(([name]) => name !== 'booking')) {
      for (const call of [`CancelBooking?key=${key}`, `MoveBooking?key=${key}&to=${to}`]) {
        expect([name, (await stranger().api('PUT', `/api/Public/${call}`)).status]).toEqual([name, 404]);
      }
      const changed = await stranger().api(
        'PUT',
        `/api/meetup/ChangeRsvp?id=${key}&meetupid=${keys['party id']}&accepted=false`,
      );
      expect([name, changed.status]).toEqual([name, 404]);
    }
    expect(await dump(daybook.d1)).toEqual(before);
  });

  test('names its thing alone, whatever else its form is sent with', async () => {
    const one = await booked(await newGuest(daybook, { displayName: 'Mine' }));
    const other = await booked(await newGuest(daybook));
    const rivals = await publishOne(rival);
    const typed = { intent: 'cancel', id: other.id, key: keyOf(other.link), slotId: other.id };
    for (const query of ['?saved=answers', '?step=cancel', `?id=${one.id}`, `?key=${keyOf(one.link)}`]) {
      const page = await stranger().get(`/booking/${keyOf(other.link)}${query}`);
      expect([query, page.status, page.words.includes('Booked for Mine')]).toEqual([query, 200, false]);
    }
    expect(
      (await stranger().post(`/booking/${keyOf(one.link)}?id=${other.id}&key=${keyOf(other.link)}`, typed)).status,
    ).toBe(303);
    expect([(await byLink(keyOf(one.link))).json, (await byLink(keyOf(other.link))).json]).toMatchObject([
      { status: 2 },
      { status: 1 },
    ]);
    // Nor does it take a time of another provider.
    expect((await stranger().post(`/booking/${keyOf(other.link)}/move/${rivals.id}`, {})).status).toBe(404);
    expect((await byLink(keyOf(other.link))).json).toMatchObject({ status: 1 });
  });
});
