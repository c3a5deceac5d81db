import { describe, expect, test } from 'vitest';
import { newsKinds } from '../../support/account-calls';
import { agenda, bookFor, mark } from '../../support/appointment-calls';
import {
  book,
  type Person,
  password,
  peopleAt,
  publish,
  publishOne,
  type Row,
  several,
  writeSlot,
} from '../../support/factories';
import { newGuest } from '../../support/guests';
import { type Card, cardOf, cardsOf, createCard, editCard, mergeCards } from '../../support/people';
import { createService } from '../../support/services';
import { useServer } from '../../support/use-server';
import type { Page } from '../../support/visit';

/* The people of a provider: a card each, which is the provider's own, its screens, and booking for them. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

const names = async (who: Person, q?: string) => (await cardsOf(who, q)).map(({ name }) => name);
const get = async (who: Person, { id }: { id: string }) =>
  (await who.api('GET', `/api/People/Get?id=${id}`)).json as Card & { appointments: Row[] };
const leave = (who: Person, body: object = {}) => who.api('DELETE', '/api/Account/Delete', body);
const guest = (displayName: string, email?: string) => newGuest(daybook, { displayName, email });
const namedMaya = () => newConsumer({ displayName: 'Maya' });
const hrefs = (page: Page) => page.$$('main a').map((link) => link.getAttribute('href') ?? '');

type Slots = [Row, Row, Row, Row, ...Row[]];
async function providerWithSlots() {
  const provider = await newProvider();
  return { provider, slots: (await publish(provider, { end: '12:00' })) as Slots };
}

describe('a card', () => {
  test('is one for all guests with one address, however they write it, and nothing that they type changes it', async () => {
    const { provider, slots } = await providerWithSlots();
    await book(await guest('Zoë', 'zoë@müller.example'), slots[0]);
    // The same letters as a base and a mark.
    await book(await guest('Someone else', 'Zoe\u0308@mu\u0308ller.EXAMPLE'), slots[1]);
    // An account's is its own until it is merged.
    await book(await newConsumer({ displayName: 'Zoë', email: 'zoë@müller.example' }), slots[2]);
    expect(await names(provider)).toEqual(['Zoë', 'Zoë']);
    const [card] = (await cardsOf(provider)).filter(({ email }) => email !== null) as [Card];
    const { appointments, ...kept } = await get(provider, card);
    const counts = { booked: 2, came: 0, missed: 0, last: null, next: slots[0].startsAt };
    expect(kept).toMatchObject({ email: 'zoë@xn--mller-kva.example', note: null, ...counts });
    expect(appointments.map(({ bookerName }) => bookerName)).toEqual(['Someone else', 'Zoë']);
    const again = await provider.api('POST', '/api/People/Create', { name: 'New', email: 'ZOË@müller.example' });
    expect([again.status, again.json]).toEqual([409, 'Zoë already has this e-mail address.']);
  });

  test('is the provider’s own: two who have the same person see nothing of each other', async () => {
    const [{ provider: ana, slots }, rui, maya] = [await providerWithSlots(), await newProvider(), await namedMaya()];
    for (const slot of [slots[0], await publishOne(rui)]) await book(maya, slot);
    const hers = await cardOf(ana, 'Maya');
    const change = { name: 'Maya from the corner', phone: '+351 912 345 678', note: 'Likes tea' };
    expect((await editCard(ana, hers, change)).json).toMatchObject(change);
    expect(await get(rui, hers)).toMatchObject({ name: 'Maya', phone: null, note: null, booked: 1 });
    expect((await maya.api('GET', '/api/Account/Profile')).json).toMatchObject({ displayName: 'Maya' });
    expect((await maya.api('GET', '/api/Account/Export')).text).not.toContain('Likes tea');
    expect((await ana.api('GET', '/api/Account/Export')).text).toContain('Likes tea');
  });

  test('is found by name, e-mail or phone number, however these are written', async () => {
    const provider = await newProvider();
    await createCard(provider, { name: 'Zoë Ünal', email: 'Zoe@Example.com', phone: '+351 912-345 678' });
    await createCard(provider, { name: 'Bob', phone: '(0351) 700/1' });
    for (const q of ['ÜNA', 'zoe@EX', '912 345', '00351912']) expect(await names(provider, q), q).toEqual(['Zoë Ünal']);
    expect(await names(provider, '% _')).toEqual([]);
  });

  test('is written once, found and changed on screens, and says how to reach its person', async () => {
    const provider = await newProvider();
    const list = await provider.browser.get('/people');
    const refused = await list.submit('Add them', { name: '', email: 'x', note: 'Tea' });
    expect([refused.status, refused.$('[name=note]')?.text]).toEqual([400, 'Tea']);
    const wanda = { name: 'Wanda', email: 'w@example.com', phone: '912 1', note: 'Tea' };
    const [made] = (await several(2, () => refused.submit('Add them', wanda))) as [Page, Page];
    expect(hrefs(made)).toEqual(expect.arrayContaining(['mailto:w@example.com', 'tel:9121', 'sms:9121']));
    await made.submit('Save card', { name: 'Wanda W', email: '', phone: '', note: '' });
    const found = await (await provider.browser.get('/people')).submit('Search', { q: 'NDA W' });
    expect(found.$$('main li a').map(({ text }) => text)).toEqual(['Wanda W']);
    expect(await cardsOf(provider)).toMatchObject([{ name: 'Wanda W', email: null, phone: null, note: null }]);
  });
});

describe('merging', () => {
  /** Two cards with a coming booking each: a guest's, and an account's, who came once before. */
  async function twoCards() {
    const { provider, slots } = await providerWithSlots();
    const [maya, wanda] = [await namedMaya(), await guest('Wanda', 'wanda@example.com')];
    await book(maya, slots[0]);
    await book(wanda, slots[1]);
    const past = await writeSlot(daybook.d1, provider, { startsIn: -2000, booker: maya });
    await mark(provider, past, 'seen');
    const [hers, guests] = [await cardOf(provider, 'Maya'), await cardOf(provider, 'Wanda')];
    await editCard(provider, guests, { phone: '912' });
    return { provider, slots, maya, wanda, hers, guests, past };
  }

  test('makes one card of two, unless its note would be too long: counts add up, and whoever was on either is on it from then on', async () => {
    const { provider, slots, maya, wanda, hers, guests, past } = await twoCards();
    for (const card of [hers, guests]) await editCard(provider, card, { note: 'n'.repeat(1500) });
    expect((await mergeCards(provider, guests, hers)).status).toBe(409);
    await editCard(provider, hers, { note: 'One' });
    await editCard(provider, guests, { note: 'Two' });
    const merged = await mergeCards(provider, guests, hers);
    const card = { id: hers.id, name: 'Maya', email: 'wanda@example.com', phone: '912', note: 'One\nTwo' };
    expect(merged.json).toMatchObject({ ...card, booked: 3, came: 1, missed: 0 });
    expect((await mergeCards(provider, guests, hers)).json).toEqual(merged.json);
    expect((await provider.browser.get(`/people/${guests.id}`)).location).toBe(`/people/${hers.id}`);
    const comers = [wanda, await guest('W', 'Wanda@example.com'), maya];
    for (const [place, who] of comers.entries()) await book(who, slots[place + 2] as Row);
    await mark(provider, past, 'missed');
    expect(await cardsOf(provider)).toMatchObject([{ id: hers.id, booked: 6, came: 0, missed: 1 }]);
    const third = await createCard(provider, { name: 'Third', email: 'third@example.com' });
    await mergeCards(provider, hers, third);
    await book(await guest('W', 'wanda@example.com'), slots[5] as Row);
    expect(await cardsOf(provider)).toMatchObject([{ id: third.id, email: 'third@example.com', booked: 7 }]);
  });

  test('in two tabs crosswise comes to one card', async () => {
    const { provider, hers, guests } = await twoCards();
    const both = await Promise.all([mergeCards(provider, hers, guests), mergeCards(provider, guests, hers)]);
    const [{ id }] = both.map(({ json }) => json) as [Card, Card];
    for (const { status, json } of both) expect([status, json]).toMatchObject([200, { id }]);
    expect(await cardsOf(provider)).toMatchObject([{ id, booked: 3, came: 1 }]);
  });

  test('on screens is suggested for cards of the same name, address or number, and no others', async () => {
    const provider = await newProvider();
    const ada = await createCard(provider, { name: 'Ada Byron', phone: '+351 912 000 111' });
    const namesake = await createCard(provider, { name: 'ADA BYRON' });
    const sameNumber = await createCard(provider, { name: 'Countess', phone: '351912000111' });
    await createCard(provider, { name: 'Ada', phone: '912' });
    const page = await provider.browser.get(`/people/${ada.id}`);
    const suggested = hrefs(page).filter((path) => path.endsWith(`/merge?into=${ada.id}`));
    const others = [namesake, sameNumber].map(({ id }) => `/people/${id}/merge?into=${ada.id}`);
    expect(suggested.sort()).toEqual(others.sort());
    await (await page.click(`a[href^="/people/${namesake.id}/merge"]`)).submit('Merge them');
    expect(await cardsOf(provider)).toHaveLength(3);
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
    for (const one of Object.values(secret)) expect([form.text, done.text, mine].join()).not.toContain(one);
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

  test('logs in: what they had as a guest is on the account’s card, with the provider’s note', async () => {
    const [{ provider, slots, wanda, card }, maya] = [await wandasCard(), await namedMaya()];
    await book(maya, slots[1]);
    await editCard(provider, card, { note: 'Was a guest' });
    await wanda.api('POST', '/api/Account/Login?join=true', { username: maya.username, password });
    expect(await cardsOf(provider)).toMatchObject([{ name: 'Maya', booked: 2, note: 'Was a guest', email: null }]);
  });

  test('leaves a card that others share: only what was theirs goes', async () => {
    const [{ provider, slots, wanda, card }, maya] = [await wandasCard(), await namedMaya()];
    await book(maya, slots[1]);
    await mergeCards(provider, await cardOf(provider, 'Maya'), card);
    await editCard(provider, card, { note: 'Kept' });
    await leave(wanda);
    expect(await get(provider, card)).toMatchObject({ name: 'Maya', email: null, note: 'Kept' });
  });

  test('leaves: the card is emptied and books nothing, and a stranger who typed the address empties none', async () => {
    const { provider, slots, wanda, card } = await wandasCard();
    await editCard(provider, card, { note: 'Private', phone: '912' });
    const kept = { name: 'Bob', email: 'bob@example.com', note: 'Tall' };
    const bob = await createCard(provider, kept);
    const stranger = await guest('X', 'bob@example.com');
    await book(stranger, slots[1]);
    for (const one of [wanda, stranger]) expect((await leave(one)).status).toBe(204);
    expect(await get(provider, card)).toMatchObject({ name: 'Former guest', email: null, phone: null, note: null });
    expect(await get(provider, bob)).toMatchObject(kept);
    expect((await bookFor(provider, slots[2], { personId: card.id })).status).toBe(409);
  });
});

describe('booking for somebody who was here before', () => {
  test('from their card takes one tap, keeps the service and its length, and tells them', async () => {
    const [{ provider, slots }, maya] = [await providerWithSlots(), await namedMaya()];
    const { id: service } = await createService(provider, { name: 'Colour', minutes: 90 });
    await maya.api('PUT', `/api/Appointment/Book?id=${slots[0].id}&service=${service}`);
    const { id } = await cardOf(provider, 'Maya');
    await (await (await provider.browser.get(`/people/${id}`)).click('Book again')).submit('button[name=slot]');
    const [, next] = await agenda(provider);
    expect(next).toMatchObject({ startTime: '10:30', endTime: '12:00', service: { name: 'Colour' } });
    expect(await cardsOf(provider)).toMatchObject([{ id, booked: 2 }]);
    expect(await newsKinds(maya)).toEqual(['booked']);
  });

  test('by a call books once for the card’s guest, and on the card', async () => {
    const { provider, slots } = await providerWithSlots();
    const wanda = await createCard(provider, { name: 'Wanda', email: 'w@example.com', phone: '912' });
    const key = { 'idempotency-key': 'once' };
    for (const { json } of await several(2, () => bookFor(provider, slots[0], { personId: wanda.id }, key))) {
      expect(json).toMatchObject({ bookerName: 'Wanda', bookerEmail: 'w@example.com', bookerPhone: '912' });
    }
    const other = await createCard(provider, { name: 'Other', email: 'new@example.com' });
    await mergeCards(provider, wanda, other);
    const second = await bookFor(provider, slots[1], { personId: wanda.id });
    expect(second.json).toMatchObject({ bookerEmail: 'new@example.com' });
    expect(await cardsOf(provider)).toMatchObject([{ id: other.id, booked: 2 }]);
  });
});
