import { describe, expect, test } from 'vitest';
import { mark } from '../../support/appointment-calls';
import { book, dayAhead, type Person, password, peopleAt, publish, type Row, writeSlot } from '../../support/factories';
import { newGuest } from '../../support/guests';
import { type Card, cardOf, cardsOf, createCard, editCard, mergeCards } from '../../support/people';
import { useServer } from '../../support/use-server';
import { askedOf } from '../../support/visit';

/* The people of a provider: a card each, which is the provider's own. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

const names = async (who: Person, q?: string) => (await cardsOf(who, q)).map(({ name }) => name);
const get = async (who: Person, { id }: { id: string }) =>
  (await who.api('GET', `/api/People/Get?id=${id}`)).json as Card & { appointments: Row[] };
const leave = (who: Person, body: object = {}) => who.api('DELETE', '/api/Account/Delete', body);
const guest = (displayName: string, email?: string) => newGuest(daybook, { displayName, email });
const namedMaya = () => newConsumer({ displayName: 'Maya' });

async function providerWithSlots(): Promise<{ provider: Person; slots: [Row, Row, Row, Row, ...Row[]] }> {
  const provider = await newProvider();
  const slots = await publish(provider, { end: '12:00' });
  return { provider, slots: slots as [Row, Row, Row, Row, ...Row[]] };
}

describe('a card', () => {
  test('is one for all guests with one address, however they write it, and nothing that they type changes it', async () => {
    const { provider, slots } = await providerWithSlots();
    await book(await guest('Zoë', 'zoë@müller.example'), slots[0]);
    await book(await guest('Someone else', 'ZOË@MÜLLER.example'), slots[1]);
    // The same letters as a base and a mark.
    await book(await guest('Zoe', 'Zoe\u0308@mu\u0308ller.EXAMPLE'), slots[2]);
    await book(await guest('Zoë'), slots[3]);
    expect(await names(provider)).toEqual(['Zoë', 'Zoë']);
    const [card] = (await cardsOf(provider)).filter(({ email }) => email !== null) as [Card];
    expect(card).toMatchObject({ email: 'zoë@müller.example', booked: 3, came: 0, missed: 0, note: null, last: null });
    expect(card.next).toBe(slots[0].startsAt);
    const { appointments } = await get(provider, card);
    expect(appointments.map(({ bookerName }) => bookerName)).toEqual(['Zoe', 'Someone else', 'Zoë']);
    const again = await provider.api('POST', '/api/People/Create', { name: 'New', email: 'ZOË@müller.example' });
    expect([again.status, again.json]).toEqual([409, 'Zoë already has this e-mail address.']);
  });

  test('of an account is its own until it is merged, whatever guests type', async () => {
    const { provider, slots } = await providerWithSlots();
    const email = 'maya@example.com';
    await book(await guest('Maya', email), slots[0]);
    await book(await newConsumer({ displayName: 'Maya', email }), slots[1]);
    const both = (await cardsOf(provider)).map(({ name, email, booked }) => [name, email, booked]);
    const expected = [email, null].map((one) => ['Maya', one, 1]);
    expect(both).toEqual(expect.arrayContaining(expected));
  });

  test('is the provider’s own: two who have the same person see nothing of each other', async () => {
    const [anas, ruis, maya] = [await providerWithSlots(), await providerWithSlots(), await namedMaya()];
    const [ana, rui] = [anas.provider, ruis.provider];
    await book(maya, anas.slots[0]);
    await book(maya, ruis.slots[1]);
    const [hers, his] = [await cardOf(ana, 'Maya'), await cardOf(rui, 'Maya')];
    expect(his.id).toBe(hers.id);
    const change = { name: 'Maya from the corner', phone: '+351 912 345 678', note: 'Likes tea' };
    expect((await editCard(ana, hers, change)).json).toMatchObject(change);
    expect(await get(rui, his)).toMatchObject({ name: 'Maya', phone: null, note: null, booked: 1 });
    expect((await maya.api('GET', '/api/Account/Profile')).json).toMatchObject({ displayName: 'Maya' });
    expect((await maya.api('GET', '/api/Account/Export')).text).not.toContain('Likes tea');
    expect((await ana.api('GET', '/api/Account/Export')).text).toContain('Likes tea');
  });

  test('is found by name, e-mail or phone number, however these are written', async () => {
    const provider = await newProvider();
    await createCard(provider, { name: 'Zoë Ünal', email: 'Zoe@Example.com', phone: '+351 912-345 678' });
    await createCard(provider, { name: 'Bob', phone: '(0351) 700/1' });
    for (const q of ['zoë', 'ÜNA', 'zoe@EX', '912345', '912 345', '+351 912', '00351912']) {
      expect([q, await names(provider, q)]).toEqual([q, ['Zoë Ünal']]);
    }
    expect(await names(provider, '3517001')).toEqual(['Bob']);
    for (const q of ['nobody', '% _']) expect(await names(provider, q)).toEqual([]);
  });

  test('is written down once, and says what is wrong', async () => {
    const provider = await newProvider();
    const create = (card: object) =>
      provider.browser.api('POST', '/api/People/Create', card, { 'Idempotency-Key': 'the same' });
    const wanda = { name: 'Wanda', email: 'wanda@example.com', phone: '912', note: 'Short' };
    const [one, two] = await Promise.all([create(wanda), create(wanda)]);
    expect([one.status, two.json]).toEqual([201, one.json]);
    const wrong = await create({ name: ' ', email: 'x', phone: 'call me' });
    expect([wrong.status, (wrong.json as string[]).length]).toEqual([400, 3]);
    const card = one.json as Card;
    const cleared = await editCard(provider, card, { phone: null, note: '' });
    expect(cleared.json).toMatchObject({ phone: null, note: null, name: 'Wanda' });
    expect((await editCard(provider, card, { name: '' })).status).toBe(400);
    expect(await names(provider)).toEqual(['Wanda']);
  });

  test('that stands costs a booking no row, and one that does not costs its own', async () => {
    const { provider, slots } = await providerWithSlots();
    const [maya, zoe] = [await newConsumer(), await newConsumer()];
    const written = async (who: Person, slot: Row) => askedOf((await book(who, slot)).headers).written;
    const [made, stood] = [await written(maya, slots[0]), await written(maya, slots[1])];
    expect(made - stood).toBe(2);
    await mergeCards(provider, await cardOf(provider, maya.displayName), await createCard(provider, { name: 'M' }));
    expect(await written(zoe, slots[2])).toBe(made);
    const [nextDay] = (await publish(provider, { dates: [dayAhead(2)] })) as [Row];
    // The day counts one, and so does the index of those that are not on a card of their booker's own.
    expect(await written(maya, nextDay)).toBe(stood + 2);
    expect(await names(provider)).toEqual(['M', zoe.displayName].sort());
  });
});

describe('merging', () => {
  /** Two cards with a coming booking each: a guest's, and an account's, who came once before. */
  async function twoCards() {
    const [{ provider, slots }, maya, wanda] = [
      await providerWithSlots(),
      await namedMaya(),
      await guest('Wanda', 'wanda@example.com'),
    ];
    await book(maya, slots[0]);
    await book(wanda, slots[1]);
    const past = await writeSlot(daybook.d1, provider, { startsIn: -2000, booker: maya });
    await mark(provider, past, 'seen');
    const [hers, guests] = [await cardOf(provider, 'Maya'), await cardOf(provider, 'Wanda')];
    await editCard(provider, hers, { note: 'One' });
    await editCard(provider, guests, { note: 'Two', phone: '912' });
    return { provider, slots, maya, wanda, hers, guests, past };
  }

  test('makes one card of two: counts add up, and whoever was on either is on it from then on', async () => {
    const { provider, slots, maya, wanda, hers, guests, past } = await twoCards();
    const merged = await mergeCards(provider, guests, hers);
    expect(merged.json).toMatchObject({
      ...{ id: hers.id, name: 'Maya', email: 'wanda@example.com', phone: '912', note: 'One\nTwo' },
      ...{ booked: 3, came: 1, missed: 0 },
    });
    expect((await mergeCards(provider, guests, hers)).json).toEqual(merged.json);
    expect((await get(provider, guests)).id).toBe(hers.id);
    const comers = [wanda, await guest('W', 'Wanda@example.com'), maya];
    for (const [place, who] of comers.entries()) await book(who, slots[place + 2] as Row);
    await mark(provider, past, 'missed');
    expect(await cardsOf(provider)).toMatchObject([{ id: hers.id, booked: 6, came: 0, missed: 1 }]);
  });

  test('in two tabs crosswise comes to one card', async () => {
    const { provider, hers, guests } = await twoCards();
    const both = await Promise.all([mergeCards(provider, hers, guests), mergeCards(provider, guests, hers)]);
    const [left, ...more] = await cardsOf(provider);
    expect([more.length, left?.booked, left?.came]).toEqual([0, 3, 1]);
    expect(both.map(({ status, json }) => [status, (json as Card).id])).toEqual(Array(2).fill([200, left?.id]));
  });

  test('keeps every address by which guests came', async () => {
    const { provider, slots } = await providerWithSlots();
    const addresses = ['a@example.com', 'b@example.com', 'c@example.com'];
    const made: Card[] = [];
    for (const email of addresses) made.push(await createCard(provider, { name: email, email }));
    const [a, b, c] = made as [Card, Card, Card];
    await mergeCards(provider, a, b);
    await mergeCards(provider, b, c);
    for (const [place, email] of addresses.entries()) await book(await guest('G', email), slots[place] as Row);
    expect(await cardsOf(provider)).toMatchObject([{ id: c.id, email: 'c@example.com', booked: 3 }]);
  });

  test('by hand cards of the same name, address or number are suggested, and no others', async () => {
    const provider = await newProvider();
    const ada = await createCard(provider, { name: 'Ada Byron', phone: '+351 912 000 111' });
    const namesake = await createCard(provider, { name: 'ADA BYRON' });
    const sameNumber = await createCard(provider, { name: 'Countess', phone: '351912000111' });
    const stranger = await createCard(provider, { name: 'Ada', phone: '912' });
    const { text } = await provider.browser.get(`/people/${ada.id}`);
    for (const { id } of [namesake, sameNumber]) expect(text).toContain(`/people/${id}/merge?into=${ada.id}`);
    expect(text).not.toContain(stranger.id);
  });

  test('is refused where the two notes are too long for one card', async () => {
    const { provider, hers, guests } = await twoCards();
    for (const card of [hers, guests]) await editCard(provider, card, { note: 'n'.repeat(1500) });
    expect((await mergeCards(provider, hers, guests)).status).toBe(409);
    expect(await cardsOf(provider)).toHaveLength(2);
  });
});

test('a stranger who types somebody’s address sees the same page as with any other, and nothing of the card', async () => {
  const { provider, slots } = await providerWithSlots();
  const secret = { name: 'Bob the known', phone: '912 777', note: `Secret ${crypto.randomUUID()}` };
  const bob = await createCard(provider, { ...secret, email: 'bob@example.com' });
  const bookAs = async (slot: Row, email: string) => {
    const stranger = daybook.visitor();
    const form = await stranger.get(`/with/${provider.username}/${slot.id}`);
    const done = await form.submit('Book', { displayName: 'X', email });
    const mine = (await stranger.api('GET', '/api/Account/Export')).text;
    for (const text of [form.text, done.text, mine]) {
      for (const one of Object.values(secret)) expect(text).not.toContain(one);
    }
    const words = done.words.replaceAll(email, 'ADDRESS').replace(/\/booking\/\S+/, 'LINK');
    return words.replaceAll(/\d\d:\d\d/g, 'TIME');
  };
  expect(await bookAs(slots[0], 'bob@example.com')).toBe(await bookAs(slots[1], 'new@example.com'));
  expect(await get(provider, bob)).toMatchObject({ ...secret, booked: 1 });
});

describe('a guest who has booked', () => {
  async function wandasCard() {
    const { provider, slots } = await providerWithSlots();
    const wanda = await guest('Wanda', 'wanda@example.com');
    await book(wanda, slots[0]);
    return { provider, slots, wanda, card: await cardOf(provider, 'Wanda') };
  }

  test('registers: the card stays, and what they book is on it', async () => {
    const { provider, slots, wanda, card } = await wandasCard();
    const other = await createCard(provider, { name: 'Other' });
    await mergeCards(provider, card, other);
    const account = { role: 'Consumer', password, username: 'wanda', displayName: 'Wanda W' };
    expect((await wanda.api('POST', '/api/Account/Register', account)).status).toBe(201);
    await book(wanda, slots[1]);
    expect(await cardsOf(provider)).toMatchObject([{ id: other.id, name: 'Other', booked: 2 }]);
  });

  test('logs in: what they had as a guest is on the account’s card, with the provider’s note', async () => {
    const [{ provider, slots, wanda, card }, maya] = [await wandasCard(), await namedMaya()];
    await book(maya, slots[1]);
    await book(wanda, slots[2]);
    await editCard(provider, card, { note: 'Was a guest' });
    const login = { username: maya.username, password };
    expect((await wanda.api('POST', '/api/Account/Login?join=true', login)).status).toBe(200);
    expect(await cardsOf(provider)).toMatchObject([{ name: 'Maya', booked: 3, note: 'Was a guest', email: null }]);
  });

  test('leaves: the card is emptied, and a stranger who typed the address empties none', async () => {
    const { provider, slots, wanda, card } = await wandasCard();
    await editCard(provider, card, { note: 'Private', phone: '912' });
    const kept = { name: 'Bob', email: 'bob@example.com', note: 'Tall' };
    const bob = await createCard(provider, kept);
    const stranger = await guest('X', 'bob@example.com');
    await book(stranger, slots[1]);
    for (const one of [wanda, stranger]) expect((await leave(one)).status).toBe(204);
    expect(await get(provider, card)).toMatchObject({ name: 'Former guest', email: null, phone: null, note: null });
    expect(await get(provider, bob)).toMatchObject(kept);
  });

  test('leaves a card that others share: only what was theirs goes', async () => {
    const [{ provider, slots, wanda, card }, maya] = [await wandasCard(), await namedMaya()];
    await book(maya, slots[1]);
    await mergeCards(provider, await cardOf(provider, 'Maya'), card);
    await editCard(provider, card, { note: 'Kept' });
    await leave(wanda);
    expect(await get(provider, card)).toMatchObject({ name: 'Maya', email: null, note: 'Kept' });
    await leave(maya, { password });
    expect(await get(provider, card)).toMatchObject({ name: 'Former guest', note: null });
  });
});
