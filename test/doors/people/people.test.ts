import { describe, expect, test } from 'vitest';
import { askedOf } from '../../support/asked';
import {
  book,
  dayAhead,
  type Person,
  peopleAt,
  publish,
  publishOne,
  type Row,
  writeSlot,
} from '../../support/factories';
import { newGuest } from '../../support/guests';
import { useServer } from '../../support/use-server';
import type { ApiResponse } from '../../support/visit';

/* The people of a provider: a card each, which is the provider's own. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

type Card = {
  id: string;
  name: string;
  email: string | null;
  phone: string | null;
  note: string | null;
  booked: number;
  came: number;
  missed: number;
  next: string | null;
  last: string | null;
};
const cards = async (who: Person, q = '') =>
  (await who.api('GET', `/api/People/GetPage?q=${encodeURIComponent(q)}`)).json as Card[];
const names = async (who: Person, q?: string) => (await cards(who, q)).map(({ name }) => name);
const cardOf = async (who: Person, name: string) => (await cards(who, name))[0] as Card;
const get = async (who: Person, id: string) =>
  (await who.api('GET', `/api/People/Get?id=${id}`)).json as Card & { appointments: Row[] };
const edit = (who: Person, id: string, change: object) => who.api('PUT', `/api/People/Edit?id=${id}`, change);
const create = async (who: Person, card: object) => (await who.api('POST', '/api/People/Create', card)).json as Card;
const merge = (who: Person, id: string, into: string) => who.api('PUT', `/api/People/Merge?id=${id}&into=${into}`);
const mark = (who: Person, id: string, as: string) => who.api('PUT', `/api/Appointment/Mark?id=${id}&as=${as}`);
const dayOf = async (provider: Person, many: number, days = 1): Promise<Row[]> => {
  const end = `${String(9 + Math.ceil(many / 2)).padStart(2, '0')}:00`;
  return publish(provider, { end, dates: [dayAhead(days)] });
};
const guest = (displayName: string, email?: string) => newGuest(daybook, { displayName, email });

describe('a card', () => {
  test('is one for all guests with one address, letter case aside, and nothing that they type changes it', async () => {
    const provider = await newProvider();
    const [first, second, third] = (await dayOf(provider, 4)) as [Row, Row, Row];
    await book(await guest('Maria', 'maria@example.com'), first);
    await book(await guest('Someone else', 'MARIA@example.com'), second);
    await book(await guest('Maria'), third);
    expect(await names(provider)).toEqual(['Maria', 'Maria']);
    const [card] = (await cards(provider)).filter(({ email }) => email !== null) as [Card];
    expect(card).toMatchObject({ email: 'maria@example.com', booked: 2, came: 0, missed: 0, note: null, last: null });
    expect(card.next).toBe(first.startsAt);
    const { appointments } = await get(provider, card.id);
    expect(appointments.map(({ bookerName }) => bookerName)).toEqual(['Someone else', 'Maria']);
  });

  test('is one for an address with letters beyond ASCII too, in whatever case they are', async () => {
    const provider = await newProvider();
    const slots = (await dayOf(provider, 4)) as Row[];
    await book(await guest('Zoë', 'zoë@müller.example'), slots[0] as Row);
    await book(await guest('Z', 'ZOË@MÜLLER.example'), slots[1] as Row);
    // The same letters as a base and a mark.
    await book(await guest('Zoe', 'Zoe\u0308@mu\u0308ller.EXAMPLE'), slots[2] as Row);
    expect(await cards(provider)).toMatchObject([{ name: 'Zoë', email: 'zoë@müller.example', booked: 3 }]);
    expect(
      (await provider.api('POST', '/api/People/Create', { name: 'New', email: 'ZOË@müller.example' })).status,
    ).toBe(409);
  });

  test('of an account is its own until it is merged, whatever guests type', async () => {
    const [provider, maya] = [
      await newProvider(),
      await newConsumer({ displayName: 'Maya', email: 'maya@example.com' }),
    ];
    const [first, second] = (await dayOf(provider, 2)) as [Row, Row];
    await book(maya, first);
    await book(await guest('Maya', 'maya@example.com'), second);
    const both = await cards(provider);
    expect(both.map(({ name, email, booked }) => [name, email, booked])).toEqual(
      expect.arrayContaining([
        ['Maya', null, 1],
        ['Maya', 'maya@example.com', 1],
      ]),
    );
  });

  test('is the provider’s own: two who have the same person see nothing of each other', async () => {
    const [ana, rui, maya] = [await newProvider(), await newProvider(), await newConsumer({ displayName: 'Maya' })];
    await book(maya, await publishOne(ana));
    await book(maya, await publishOne(rui, { dates: [dayAhead(2)] }));
    const [hers, his] = [await cardOf(ana, 'Maya'), await cardOf(rui, 'Maya')];
    expect(his.id).toBe(hers.id);
    const note = 'Likes tea';
    const edited = await edit(ana, hers.id, { name: 'Maya from the corner', phone: '+351 912 345 678', note });
    expect(edited.json).toMatchObject({ name: 'Maya from the corner', phone: '+351 912 345 678', note });
    expect(await get(rui, his.id)).toMatchObject({ name: 'Maya', phone: null, note: null, booked: 1 });
    expect((await maya.api('GET', '/api/Account/Profile')).json).toMatchObject({ displayName: 'Maya' });
    expect(JSON.stringify((await maya.api('GET', '/api/Account/Export')).json)).not.toContain(note);
    expect(JSON.stringify((await ana.api('GET', '/api/Account/Export')).json)).toContain(note);
    const other = await create(ana, { name: 'Nobody else’s' });
    for (const answer of [await edit(rui, other.id, { note: 'x' }), await merge(rui, other.id, his.id)]) {
      expect(answer.status).toBe(404);
    }
    expect((await rui.api('GET', `/api/People/Get?id=${other.id}`)).status).toBe(404);
  });

  test('is found by name, e-mail or phone number, however these are written', async () => {
    const provider = await newProvider();
    await create(provider, { name: 'Zoë Ünal', email: 'Zoe@Example.com', phone: '+351 912-345 678' });
    await create(provider, { name: 'Bob', phone: '(0351) 700/1' });
    for (const q of ['zoë', 'ÜNA', 'zoe@EX', '912345', '912 345', '+351 912', '00351912']) {
      expect([q, await names(provider, q)]).toEqual([q, ['Zoë Ünal']]);
    }
    expect(await names(provider, '3517001')).toEqual(['Bob']);
    expect(await names(provider, 'nobody')).toEqual([]);
    expect(await names(provider, '% _')).toEqual([]);
  });

  test('is written down once, and says what is wrong', async () => {
    const provider = await newProvider();
    const sent = { 'Idempotency-Key': 'the same' };
    const wanda = { name: 'Wanda', email: 'wanda@example.com', phone: '912', note: 'Short' };
    const twice = [1, 2].map(() => provider.browser.api('POST', '/api/People/Create', wanda, sent));
    const [one, two] = (await Promise.all(twice)) as [ApiResponse, ApiResponse];
    expect([one.status, two.json]).toEqual([201, one.json]);
    expect((await provider.api('POST', '/api/People/Create', { name: 'W', email: 'WANDA@example.com' })).json).toBe(
      'Wanda already has this e-mail address.',
    );
    const wrong = await provider.api('POST', '/api/People/Create', { name: ' ', email: 'x', phone: 'call me' });
    expect([wrong.status, (wrong.json as string[]).length]).toEqual([400, 3]);
    const { id } = one.json as Card;
    expect((await edit(provider, id, { phone: null, note: '' })).json).toMatchObject({
      phone: null,
      note: null,
      name: 'Wanda',
    });
    expect((await edit(provider, id, { name: '' })).status).toBe(400);
    expect(await names(provider)).toEqual(['Wanda']);
  });

  test('that stands costs a booking no row, and one that does not costs its own', async () => {
    const provider = await newProvider();
    const [first, second, third] = (await dayOf(provider, 4)) as [Row, Row, Row];
    const maya = await newConsumer();
    const written = async (who: Person, slot: Row) => askedOf((await book(who, slot)).headers).written;
    const [made, stood] = [await written(maya, first), await written(maya, second)];
    expect(made - stood).toBe(2);
    const zoe = await newConsumer();
    await merge(provider, (await cardOf(provider, maya.displayName)).id, (await create(provider, { name: 'M' })).id);
    expect(await written(zoe, third)).toBe(made);
    expect(await written(maya, (await dayOf(provider, 1, 2))[0] as Row)).toBeLessThanOrEqual(stood + 1);
    expect(await names(provider)).toEqual(['M', zoe.displayName].sort());
  });
});

describe('merging', () => {
  /** Two cards: a guest's, who missed once, and an account's, who came once; each with a coming booking. */
  async function twoCards() {
    const [provider, maya] = [await newProvider(), await newConsumer({ displayName: 'Maya' })];
    const [first, second, third, fourth] = (await dayOf(provider, 4)) as [Row, Row, Row, Row];
    const wanda = await guest('Wanda', 'wanda@example.com');
    await book(maya, first);
    await book(wanda, second);
    const past = await writeSlot(daybook.d1, provider, { startsIn: -2000, booker: maya });
    await mark(provider, past.id, 'seen');
    const [hers, guests] = [await cardOf(provider, 'Maya'), await cardOf(provider, 'Wanda')];
    await edit(provider, hers.id, { note: 'One' });
    await edit(provider, guests.id, { note: 'Two', phone: '912' });
    return { provider, maya, wanda, first, second, third, fourth, hers, guests, past };
  }

  test('makes one card of two: counts add up, and whoever was on either is on it from then on', async () => {
    const { provider, maya, wanda, third, fourth, hers, guests, past } = await twoCards();
    const merged = await merge(provider, guests.id, hers.id);
    expect(merged.json).toMatchObject({
      ...{ id: hers.id, name: 'Maya', email: 'wanda@example.com', phone: '912', note: 'One\nTwo' },
      ...{ booked: 3, came: 1, missed: 0 },
    });
    expect((await merge(provider, guests.id, hers.id)).json).toEqual(merged.json);
    expect((await get(provider, guests.id)).id).toBe(hers.id);
    await book(wanda, third);
    await book(await guest('W', 'Wanda@example.com'), fourth);
    await book(maya, (await dayOf(provider, 1, 3))[0] as Row);
    await mark(provider, past.id, 'missed');
    expect(await cards(provider)).toMatchObject([{ id: hers.id, booked: 6, came: 0, missed: 1 }]);
  });

  test('in two tabs crosswise comes to one card', async () => {
    const { provider, hers, guests } = await twoCards();
    const both = await Promise.all([merge(provider, hers.id, guests.id), merge(provider, guests.id, hers.id)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    const [left, ...more] = await cards(provider);
    expect([more.length, left?.booked, left?.came]).toEqual([0, 3, 1]);
    expect(both.map(({ json }) => (json as Card).id)).toEqual([left?.id, left?.id]);
  });

  test('keeps every address by which guests came', async () => {
    const provider = await newProvider();
    const [a, b, c] = [
      await create(provider, { name: 'A', email: 'a@example.com' }),
      await create(provider, { name: 'B', email: 'b@example.com' }),
      await create(provider, { name: 'C', email: 'c@example.com' }),
    ];
    await merge(provider, a.id, b.id);
    await merge(provider, b.id, c.id);
    const slots = await dayOf(provider, 3);
    for (const [place, address] of ['a', 'b', 'c'].entries()) {
      await book(await guest('G', `${address}@example.com`), slots[place] as Row);
    }
    expect(await cards(provider)).toMatchObject([{ id: c.id, name: 'C', email: 'c@example.com', booked: 3 }]);
  });

  test('by hand cards of the same name, address or number are suggested, and no others', async () => {
    const provider = await newProvider();
    const ada = await create(provider, { name: 'Ada Byron', phone: '+351 912 000 111' });
    const others = [
      await create(provider, { name: 'ADA BYRON' }),
      await create(provider, { name: 'Countess', phone: '351912000111' }),
    ];
    const stranger = await create(provider, { name: 'Ada', phone: '912' });
    const { text } = await provider.browser.get(`/people/${ada.id}`);
    for (const { id } of others) expect(text).toContain(`/people/${id}/merge?into=${ada.id}`);
    expect(text).not.toContain(stranger.id);
  });

  test('is refused where the two notes are too long for one card, and for cards of others', async () => {
    const { provider, hers, guests } = await twoCards();
    const rival = await newProvider();
    for (const { id } of [hers, guests]) await edit(provider, id, { note: 'n'.repeat(1500) });
    expect((await merge(provider, hers.id, guests.id)).status).toBe(409);
    expect((await merge(provider, hers.id, 'none')).status).toBe(404);
    expect((await merge(rival, hers.id, guests.id)).status).toBe(404);
    expect(await cards(provider)).toHaveLength(2);
  });
});

describe('a stranger who types somebody’s address', () => {
  test('sees the same page as with any other address, and nothing of the card', async () => {
    const provider = await newProvider();
    const [first, second] = (await dayOf(provider, 2)) as [Row, Row];
    const note = `Secret ${crypto.randomUUID()}`;
    const bob = await create(provider, { name: 'Bob the known', email: 'bob@example.com', phone: '912 777', note });
    const bookAs = async (slot: Row, email: string) => {
      const stranger = daybook.visitor();
      const form = await stranger.get(`/with/${provider.username}/${slot.id}`);
      const done = await form.submit('Book', { displayName: 'X', email });
      const mine = (await stranger.api('GET', '/api/Account/Export')).text;
      for (const text of [form.text, done.text, mine]) {
        for (const secret of [note, 'Bob the known', '912 777']) expect(text).not.toContain(secret);
      }
      return done.words
        .replaceAll(email, 'ADDRESS')
        .replace(/\/booking\/\S+/, 'LINK')
        .replaceAll(/\d\d:\d\d/g, 'TIME');
    };
    expect(await bookAs(first, 'bob@example.com')).toBe(await bookAs(second, 'new@example.com'));
    expect(await get(provider, bob.id)).toMatchObject({ name: 'Bob the known', phone: '912 777', note, booked: 1 });
  });
});

describe('somebody who comes and goes', () => {
  const accountOf = async (who: Person, body: object) => who.api('POST', '/api/Account/Register', body);

  test('registers: the card stays, and what they book is on it', async () => {
    const provider = await newProvider();
    const slots = await dayOf(provider, 2);
    const wanda = await guest('Wanda', 'wanda@example.com');
    await book(wanda, slots[0] as Row);
    const { id } = await cardOf(provider, 'Wanda');
    const other = await create(provider, { name: 'Other' });
    await merge(provider, id, other.id);
    const role = { role: 'Consumer', password: 'Correct horse 1', username: 'wanda', displayName: 'Wanda W' };
    expect((await accountOf(wanda, role)).status).toBe(201);
    await book(wanda, slots[1] as Row);
    expect(await cards(provider)).toMatchObject([{ id: other.id, name: 'Other', booked: 2 }]);
  });

  test('logs in: what they had as a guest is on the account’s card, with the provider’s note', async () => {
    const [provider, maya] = [await newProvider(), await newConsumer({ displayName: 'Maya' })];
    const slots = await dayOf(provider, 3);
    await book(maya, slots[0] as Row);
    const wanda = await guest('Wanda', 'wanda@example.com');
    await book(wanda, slots[1] as Row);
    await book(wanda, slots[2] as Row);
    await edit(provider, (await cardOf(provider, 'Wanda')).id, { note: 'Was a guest' });
    const login = { username: maya.username, password: 'Correct horse 1' };
    expect((await wanda.api('POST', '/api/Account/Login?join=true', login)).status).toBe(200);
    expect(await cards(provider)).toMatchObject([{ name: 'Maya', booked: 3, note: 'Was a guest', email: null }]);
  });

  test('leaves: the card is emptied, and a stranger who typed the address empties none', async () => {
    const provider = await newProvider();
    const slots = await dayOf(provider, 4);
    const [wanda, stranger] = [await guest('Wanda', 'wanda@example.com'), await guest('X', 'bob@example.com')];
    await book(wanda, slots[0] as Row);
    const { id } = await cardOf(provider, 'Wanda');
    await edit(provider, id, { note: 'Private', phone: '912' });
    const bob = await create(provider, { name: 'Bob', email: 'bob@example.com', note: 'Tall' });
    await book(stranger, slots[1] as Row);
    for (const one of [wanda, stranger]) {
      expect((await one.api('DELETE', '/api/Account/Delete', {})).status).toBe(204);
    }
    expect(await get(provider, id)).toMatchObject({ name: 'Former guest', email: null, phone: null, note: null });
    expect(await get(provider, bob.id)).toMatchObject({ name: 'Bob', email: 'bob@example.com', note: 'Tall' });
  });

  test('leaves a card that others share: only what was theirs goes', async () => {
    const [provider, maya] = [await newProvider(), await newConsumer({ displayName: 'Maya' })];
    const slots = await dayOf(provider, 3);
    const wanda = await guest('Wanda', 'wanda@example.com');
    await book(wanda, slots[0] as Row);
    await book(maya, slots[1] as Row);
    const [guests, hers] = [await cardOf(provider, 'Wanda'), await cardOf(provider, 'Maya')];
    await merge(provider, hers.id, guests.id);
    await edit(provider, guests.id, { note: 'Kept' });
    await wanda.api('DELETE', '/api/Account/Delete', {});
    expect(await get(provider, guests.id)).toMatchObject({ name: 'Maya', email: null, note: 'Kept' });
    await maya.api('DELETE', '/api/Account/Delete', { password: 'Correct horse 1' });
    expect(await get(provider, guests.id)).toMatchObject({ name: 'Former guest', note: null });
  });
});
