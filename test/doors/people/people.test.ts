import { describe, expect, test } from 'vitest';
import { newsKinds, setRules } from '../../support/account-calls';
import { agenda, bookFor, mark } from '../../support/appointment-calls';
import {
  book,
  dayAhead,
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
import { type Card, cardOf, cardsOf, createCard, editCard, importTable, mergeCards } from '../../support/people';
import { createService } from '../../support/services';
import { useServer } from '../../support/use-server';
import type { Page } from '../../support/visit';
import { add, only, takeOffer } from '../../support/waitlist';

/* The people of a provider: a card each, which is the provider's own, its screens, and booking for them. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

const namesOf = async (who: Person, q?: string) => (await cardsOf(who, q)).map(({ name }) => name);
const wholeCard = async (who: Person, { id }: { id: string }) =>
  (await who.api('GET', `/api/People/Get?id=${id}`)).json as Card & { appointments: Row[] };
const leave = (who: Person) => who.api('DELETE', '/api/Account/Delete', {});
const newGuestNamed = (displayName: string, email?: string) => newGuest(daybook, { displayName, email });
const namedMaya = () => newConsumer({ displayName: 'Maya' });
const hrefsOn = (page: Page) => page.$$('main a').map((link) => link.getAttribute('href') ?? '');

type Slots = [Row, Row, Row, Row, ...Row[]];
async function providerWithSlots() {
  const provider = await newProvider();
  return { provider, slots: (await publish(provider, { end: '12:00' })) as Slots };
}

describe('a guest’s card', () => {
  /** Zoë has booked twice, her address once written with marks of their own, and in capitals. */
  async function bookedTwice() {
    const { provider, slots } = await providerWithSlots();
    await book(await newGuestNamed('Zoë', 'zoë@müller.example'), slots[0]);
    await book(await newGuestNamed('Someone else', 'Zoe\u0308@mu\u0308ller.EXAMPLE'), slots[1]);
    return { provider, slots };
  }

  test('is one for one address, however it is written', async () => {
    const { provider, slots } = await bookedTwice();

    const counts = { booked: 2, came: 0, missed: 0, last: null, next: slots[0].startsAt };
    expect(await cardsOf(provider)).toMatchObject([{ email: 'zoë@xn--mller-kva.example', ...counts }]);
  });

  test('keeps its name when another is typed with its address', async () => {
    const { provider } = await bookedTwice();

    const cards = await cardsOf(provider);

    expect(cards).toMatchObject([{ name: 'Zoë', note: null }]);
    const { appointments } = await wholeCard(provider, cards[0] as Card);
    expect(appointments.map(({ bookerName }) => bookerName)).toEqual(['Someone else', 'Zoë']);
  });

  test('is not that of an account with the same address', async () => {
    const { provider, slots } = await bookedTwice();

    await book(await newConsumer({ displayName: 'Zoë', email: 'zoë@müller.example' }), slots[2]);

    expect(await cardsOf(provider)).toMatchObject([{ name: 'Zoë' }, { name: 'Zoë' }]);
  });

  test('is not made again by the provider', async () => {
    const { provider } = await bookedTwice();

    const again = await provider.api('POST', '/api/People/Create', { name: 'New', email: 'ZOË@müller.example' });

    expect(again.status).toBe(409);
    expect(again.json).toBe('Zoë already has this e-mail address.');
  });
});

describe('a card of somebody with two providers', () => {
  async function clientOfTwo() {
    const [{ provider: ana, slots }, rui, maya] = [await providerWithSlots(), await newProvider(), await namedMaya()];
    for (const slot of [slots[0], await publishOne(rui)]) await book(maya, slot);
    const card = await cardOf(ana, 'Maya');
    const change = { name: 'Maya from the corner', phone: '+351 912 345 678', note: 'Likes tea' };
    const edited = await editCard(ana, card, change);
    return { ana, rui, maya, card, change, edited };
  }

  test('is changed by the provider', async () => {
    const { edited, change } = await clientOfTwo();

    expect(edited.json).toMatchObject(change);
  });

  test('is not changed by the other provider', async () => {
    const { rui, card } = await clientOfTwo();

    expect(await wholeCard(rui, card)).toMatchObject({ name: 'Maya', phone: null, note: null, booked: 1 });
  });

  test('changes nothing of its person’s profile', async () => {
    const { maya } = await clientOfTwo();

    expect((await maya.api('GET', '/api/Account/Profile')).json).toMatchObject({ displayName: 'Maya' });
  });

  test('is in the provider’s export alone', async () => {
    const { ana, maya } = await clientOfTwo();

    expect((await ana.api('GET', '/api/Account/Export')).text).toContain('Likes tea');
    expect((await maya.api('GET', '/api/Account/Export')).text).not.toContain('Likes tea');
  });
});

describe('a search', () => {
  test.each([
    ['a part of the name', 'ÜNA'],
    ['a part of the address', 'zoe@EX'],
    ['a part of the number', '912 345'],
    ['the number with zeros in front', '00351912'],
    ['the number with dots', '912.345.678'],
    ['the name without its accents', 'unal'],
    ['accents that the name has not', 'żoe'],
    ['the last name first', 'Ünal Zoe'],
    ['the last name and a comma', 'UNAL, z'],
    ['a name and a part of the address', 'example zoe'],
    ['letters that are written in two signs', 'Zoe\u0308'],
  ])('finds somebody by %s', async (_, q) => {
    const provider = await newProvider();
    await createCard(provider, { name: 'Zoë Ünal', email: 'Zoe@Example.com', phone: '+351 912-345 678' });
    await createCard(provider, { name: 'Bob', phone: '(0351) 700/1' });

    expect(await namesOf(provider, q)).toEqual(['Zoë Ünal']);
  });

  test.each([
    ['one of two words', 'Zoë Miller'],
    ['an address of somebody else', 'zoe bob@example.com'],
  ])('finds nobody by %s', async (_, q) => {
    const provider = await newProvider();
    await createCard(provider, { name: 'Zoë Ünal', email: 'zoe@example.com' });
    await createCard(provider, { name: 'Bob', email: 'bob@example.com' });

    expect(await namesOf(provider, q)).toEqual([]);
  });

  test.each<[how: string, act: (provider: Person, slot: Row) => Promise<unknown>]>([
    ['was imported', (provider) => importTable(provider, 'Name;Phone\nŁukasz Żak;12345')],
    ['booked as a guest', async (_, slot) => book(await newGuestNamed('Łukasz Żak'), slot)],
    ['booked with an account', async (_, slot) => book(await newConsumer({ displayName: 'Łukasz Żak' }), slot)],
    [
      'was given another name by the provider',
      async (provider) => editCard(provider, await createCard(provider, { name: 'Bob' }), { name: 'Łukasz Żak' }),
    ],
  ])('without accents finds somebody who %s', async (_, act) => {
    const { provider, slots } = await providerWithSlots();
    await act(provider, slots[0]);

    expect(await namesOf(provider, 'zak lukasz')).toEqual(['Łukasz Żak']);
  });

  test('takes no sign for any letters', async () => {
    const provider = await newProvider();
    await createCard(provider, { name: 'Zoë Ünal' });

    expect(await namesOf(provider, '% _')).toEqual([]);
  });

  test('finds a client who took another name by the new one', async () => {
    const { provider, slots } = await providerWithSlots();
    const maya = await namedMaya();
    await book(maya, slots[0]);

    await maya.api('PUT', '/api/Account/SetProfile', { displayName: 'Änne Lind' });

    expect(await namesOf(provider, 'äNNE')).toEqual(['Änne Lind']);
    expect(await namesOf(provider, 'Maya')).toEqual([]);
  });

  test('finds a client under the provider’s name for them, whatever they call themselves', async () => {
    const { provider, slots } = await providerWithSlots();
    const maya = await namedMaya();
    await book(maya, slots[0]);
    await editCard(provider, await cardOf(provider, 'Maya'), { name: 'Maya from the corner' });

    await maya.api('PUT', '/api/Account/SetProfile', { displayName: 'Änne Lind' });

    expect(await namesOf(provider, 'corner')).toEqual(['Maya from the corner']);
  });
});

describe('a phone number', () => {
  const phone = '+351 (912) 34-56/78';
  const query = new URLSearchParams({ phone });
  const bookWithPhone = (who: Person, { id }: Row) => who.api('PUT', `/api/Appointment/Book?id=${id}&${query}`);

  test.each<[who: string, bookIt: (provider: Person, slot: Row) => Promise<unknown>]>([
    ['an account', async (_, slot) => bookWithPhone(await newConsumer({ displayName: 'Vera' }), slot)],
    ['a guest', async (_, slot) => bookWithPhone(await newGuestNamed('Vera'), slot)],
    ['the provider for somebody', (provider, slot) => bookFor(provider, slot, { displayName: 'Vera', phone })],
  ])('that %s booked with finds the card', async (_, bookIt) => {
    const { provider, slots } = await providerWithSlots();
    await setRules(provider, { askPhone: 'optional' });

    await bookIt(provider, slots[0]);

    for (const q of ['912345678', '00351 912', '+351 (912) 34'])
      expect(await namesOf(provider, q), q).toEqual(['Vera']);
  });

  test('that somebody waited with finds their card once they have the time', async () => {
    const { provider, slots } = await providerWithSlots();
    await setRules(provider, { askPhone: 'optional', waitlist: 'on' });
    const [booker, vera] = [await newConsumer(), await newConsumer({ displayName: 'Vera' })];
    for (const slot of slots) await book(booker, slot);
    await add(vera, provider, { phone });
    await booker.api('PUT', `/api/Appointment/Cancel?id=${slots[0].id}`);

    await takeOffer(daybook.visitor(), (await only(vera)).offer);

    expect(await namesOf(provider, '912345678')).toEqual(['Vera']);
  });
});

describe('the screen of a provider’s people', () => {
  const wanda = { name: 'Wanda', email: 'w@example.com', phone: '912 1', note: 'Tea' };
  const addWanda = async (provider: Person) => (await provider.browser.get('/people')).submit('Add them', wanda);

  test('keeps what was typed where something is wrong', async () => {
    const list = await (await newProvider()).browser.get('/people');

    const refused = await list.submit('Add them', { name: '', email: 'x', note: 'Tea' });

    expect(refused.status).toBe(400);
    expect(refused.$('[name=note]')?.text).toBe('Tea');
  });

  test('makes one card of a form that is sent twice at once', async () => {
    const provider = await newProvider();
    const list = await provider.browser.get('/people');

    await several(2, () => list.submit('Add them', wanda));

    expect(await cardsOf(provider)).toMatchObject([wanda]);
  });

  test('links to ways to reach somebody', async () => {
    const made = await addWanda(await newProvider());

    expect(hrefsOn(made)).toEqual(
      expect.arrayContaining(['mailto:w@example.com', 'tel:9121', expect.stringMatching(/^sms:9121\?/)]),
    );
  });

  test('lists links to call and message everybody with a number', async () => {
    const provider = await newProvider();
    await addWanda(provider);
    await createCard(provider, { name: 'Bob', email: 'bob@example.com' });

    const list = await provider.browser.get('/people');

    expect(hrefsOn(list).filter((href) => /^(tel|sms):/.test(href))).toEqual([
      'tel:9121',
      expect.stringMatching(/^sms:9121\?/),
    ]);
  });

  test('changes and clears the fields of a card', async () => {
    const provider = await newProvider();
    const made = await addWanda(provider);

    await made.submit('Save card', { name: 'Wanda W', email: '', phone: '', note: '' });

    expect(await cardsOf(provider)).toMatchObject([{ name: 'Wanda W', email: null, phone: null, note: null }]);
  });

  test('lists whom a search finds', async () => {
    const provider = await newProvider();
    for (const name of ['Wanda W', 'Bob']) await createCard(provider, { name });

    const found = await (await provider.browser.get('/people')).submit('Search', { q: 'NDA W' });

    expect(found.$$('main li a').map(({ text }) => text)).toEqual(['Wanda W']);
  });
});

describe('merging', () => {
  /** Two cards with a coming booking each: a guest's, and an account's, who came once before. */
  async function twoCards() {
    const { provider, slots } = await providerWithSlots();
    const [maya, wanda] = [await namedMaya(), await newGuestNamed('Wanda', 'wanda@example.com')];
    await book(maya, slots[0]);
    await book(wanda, slots[1]);
    const past = await writeSlot(daybook.d1, provider, { startsIn: -2000, booker: maya });
    await mark(provider, past, 'seen');
    const [mayasCard, wandasCard] = [await cardOf(provider, 'Maya'), await cardOf(provider, 'Wanda')];
    await editCard(provider, wandasCard, { phone: '912' });
    return { provider, slots, maya, wanda, mayasCard, wandasCard, past };
  }
  async function mergedCards() {
    const cards = await twoCards();
    await mergeCards(cards.provider, cards.wandasCard, cards.mayasCard);
    return cards;
  }

  test('joins the details of two cards', async () => {
    const { provider, mayasCard, wandasCard } = await twoCards();
    await editCard(provider, mayasCard, { note: 'One' });
    await editCard(provider, wandasCard, { note: 'Two' });

    const merged = await mergeCards(provider, wandasCard, mayasCard);

    const details = { name: 'Maya', email: 'wanda@example.com', phone: '912', note: 'One\nTwo' };
    expect(merged.json).toMatchObject({ id: mayasCard.id, ...details });
  });

  test('adds up what was counted on two cards', async () => {
    const { provider, mayasCard, wandasCard } = await twoCards();

    const merged = await mergeCards(provider, wandasCard, mayasCard);

    expect(merged.json).toMatchObject({ booked: 3, came: 1, missed: 0 });
  });

  test('says first what is not kept', async () => {
    const { provider, mayasCard, wandasCard } = await twoCards();
    await editCard(provider, mayasCard, { email: 'maya@example.com' });

    const preview = await provider.browser.get(`/people/${wandasCard.id}/merge?into=${mayasCard.id}`);

    expect(preview.words).toContain('Not kept: Wanda, wanda@example.com.');
  });

  test('keeps a second number in the note, and says so first', async () => {
    const { provider, mayasCard, wandasCard } = await twoCards();
    await editCard(provider, mayasCard, { phone: '913', note: 'Likes tea' });

    const preview = await provider.browser.get(`/people/${wandasCard.id}/merge?into=${mayasCard.id}`);
    const merged = await mergeCards(provider, wandasCard, mayasCard);

    expect(preview.words).toMatch(/Likes tea Also: 912.*Not kept: Wanda\./s);
    expect(merged.json).toMatchObject({ phone: '913', note: 'Likes tea\nAlso: 912' });
  });

  test('writes no number twice that is only typed another way', async () => {
    const { provider, mayasCard, wandasCard } = await twoCards();
    await editCard(provider, mayasCard, { phone: '9-1-2' });

    const merged = await mergeCards(provider, wandasCard, mayasCard);

    expect(merged.json).toMatchObject({ phone: '9-1-2', note: null });
  });

  test('is refused where the note would be too long', async () => {
    const { provider, mayasCard, wandasCard } = await twoCards();
    for (const card of [mayasCard, wandasCard]) await editCard(provider, card, { note: 'n'.repeat(1500) });

    const refused = await mergeCards(provider, wandasCard, mayasCard);

    expect(refused.status).toBe(409);
    expect(await cardsOf(provider)).toHaveLength(2);
  });

  test('is refused where the second number has no room in the note', async () => {
    const { provider, mayasCard, wandasCard } = await twoCards();
    await editCard(provider, mayasCard, { phone: '913', note: 'n'.repeat(1995) });

    const refused = await mergeCards(provider, wandasCard, mayasCard);

    expect(refused.status).toBe(409);
    expect(await cardsOf(provider)).toHaveLength(2);
  });

  test('again changes nothing', async () => {
    const { provider, mayasCard, wandasCard } = await twoCards();
    const merged = await mergeCards(provider, wandasCard, mayasCard);

    const again = await mergeCards(provider, wandasCard, mayasCard);

    expect(again.json).toEqual(merged.json);
  });

  test('leads from the page of the merged card to the other', async () => {
    const { provider, mayasCard, wandasCard } = await mergedCards();

    const page = await provider.browser.get(`/people/${wandasCard.id}`);

    expect(page.location).toBe(`/people/${mayasCard.id}`);
  });

  test('puts on the card whatever either person books later', async () => {
    const { provider, slots, maya, wanda, mayasCard } = await mergedCards();

    const bookers = [wanda, await newGuestNamed('W', 'Wanda@example.com'), maya];
    for (const [place, booker] of bookers.entries()) await book(booker, slots[place + 2] as Row);

    expect(await cardsOf(provider)).toMatchObject([{ id: mayasCard.id, booked: 6 }]);
  });

  test('counts a mark of before on the card when it is changed', async () => {
    const { provider, mayasCard, past } = await mergedCards();

    await mark(provider, past, 'missed');

    expect(await cardsOf(provider)).toMatchObject([{ id: mayasCard.id, came: 0, missed: 1 }]);
  });

  test('of a merged card into a third takes everybody along', async () => {
    const { provider, slots, mayasCard } = await mergedCards();
    const third = await createCard(provider, { name: 'Third', email: 'third@example.com' });
    await mergeCards(provider, mayasCard, third);

    await book(await newGuestNamed('W', 'wanda@example.com'), slots[2]);

    expect(await cardsOf(provider)).toMatchObject([{ id: third.id, email: 'third@example.com', booked: 4 }]);
  });

  test('in two tabs crosswise comes to one card', async () => {
    const { provider, mayasCard, wandasCard } = await twoCards();

    const responses = await Promise.all([
      mergeCards(provider, mayasCard, wandasCard),
      mergeCards(provider, wandasCard, mayasCard),
    ]);

    const { id } = responses[0].json as Card;
    for (const response of responses) expect(response).toMatchObject({ status: 200, json: { id } });
    expect(await cardsOf(provider)).toMatchObject([{ id, booked: 3, came: 1 }]);
  });

  /** Ada's card, two that may be hers too, and one that isn't. */
  async function similarCards() {
    const provider = await newProvider();
    const ada = await createCard(provider, { name: 'Ada Byron', phone: '+351 912 000 111' });
    const namesake = await createCard(provider, { name: 'ADA BYRON' });
    const sameNumber = await createCard(provider, { name: 'Countess', phone: '351912000111' });
    await createCard(provider, { name: 'Ada', phone: '912' });
    return { provider, ada, namesake, sameNumber };
  }

  test('is suggested for cards of the same name or number', async () => {
    const { provider, ada, namesake, sameNumber } = await similarCards();

    const page = await provider.browser.get(`/people/${ada.id}`);

    const suggested = hrefsOn(page).filter((path) => path.endsWith(`/merge?into=${ada.id}`));
    const similar = [namesake, sameNumber].map(({ id }) => `/people/${id}/merge?into=${ada.id}`);
    expect(suggested.sort()).toEqual(similar.sort());
  });

  test('is done on the screen by its suggestion', async () => {
    const { provider, ada, namesake } = await similarCards();
    const page = await provider.browser.get(`/people/${ada.id}`);

    await (await page.click(`a[href^="/people/${namesake.id}/merge"]`)).submit('Merge them');

    expect(await cardsOf(provider)).toHaveLength(3);
  });
});

describe('a stranger who types somebody’s address', () => {
  const secret = { name: 'Bob the known', phone: '912 777', note: `Secret ${crypto.randomUUID()}` };
  async function providerWithBob() {
    const { provider, slots } = await providerWithSlots();
    return { provider, slots, bob: await createCard(provider, { ...secret, email: 'bob@example.com' }) };
  }
  async function bookAsStranger(provider: Person, slot: Row, email: string) {
    const stranger = daybook.visitor();
    const form = await stranger.get(`/with/${provider.username}/${slot.id}`);
    const done = await form.submit('Book', { displayName: 'X', email });
    const exported = (await stranger.api('GET', '/api/Account/Export')).text;
    return { form, done, exported };
  }

  test('sees nothing of the card', async () => {
    const { provider, slots } = await providerWithBob();

    const { form, done, exported } = await bookAsStranger(provider, slots[0], 'bob@example.com');

    for (const detail of Object.values(secret)) expect([form.text, done.text, exported].join()).not.toContain(detail);
  });

  test('sees the same page as with any other address', async () => {
    const { provider, slots } = await providerWithBob();
    const wordsAfter = async (slot: Row, email: string) => {
      const { done } = await bookAsStranger(provider, slot, email);
      const words = done.words.replaceAll(email, 'ADDRESS').replace(/\/booking\/\S+/, 'LINK');
      return words.replaceAll(/\d\d:\d\d/g, 'TIME');
    };

    expect(await wordsAfter(slots[0], 'bob@example.com')).toBe(await wordsAfter(slots[1], 'new@example.com'));
  });

  test('books on the card and changes nothing of it', async () => {
    const { provider, slots, bob } = await providerWithBob();

    await bookAsStranger(provider, slots[0], 'bob@example.com');

    expect(await wholeCard(provider, bob)).toMatchObject({ ...secret, booked: 1 });
  });
});

describe('a guest who has booked', () => {
  async function bookedGuest() {
    const { provider, slots } = await providerWithSlots();
    const wanda = await newGuestNamed('Wanda', 'wanda@example.com');
    await book(wanda, slots[0]);
    return { provider, slots, wanda, card: await cardOf(provider, 'Wanda') };
  }

  test('and logs in is on the account’s card, with the provider’s note', async () => {
    const [{ provider, slots, wanda, card }, maya] = [await bookedGuest(), await namedMaya()];
    await book(maya, slots[1]);
    await editCard(provider, card, { note: 'Was a guest' });

    await wanda.api('POST', '/api/Account/Login?join=true', { username: maya.username, password });

    expect(await cardsOf(provider)).toMatchObject([{ name: 'Maya', booked: 2, note: 'Was a guest', email: null }]);
  });

  test('and leaves takes what was theirs off a card that others share', async () => {
    const [{ provider, slots, wanda, card }, maya] = [await bookedGuest(), await namedMaya()];
    await book(maya, slots[1]);
    await mergeCards(provider, await cardOf(provider, 'Maya'), card);
    await editCard(provider, card, { note: 'Kept' });

    await leave(wanda);

    expect(await wholeCard(provider, card)).toMatchObject({ name: 'Maya', email: null, note: 'Kept' });
  });

  test('and leaves empties their card', async () => {
    const { provider, wanda, card } = await bookedGuest();
    await editCard(provider, card, { note: 'Private', phone: '912' });

    expect((await leave(wanda)).status).toBe(204);

    const emptied = { name: 'Former guest', email: null, phone: null, note: null };
    expect(await wholeCard(provider, card)).toMatchObject(emptied);
  });

  test('and left is booked for no more', async () => {
    const { provider, slots, wanda, card } = await bookedGuest();
    await leave(wanda);

    const refused = await bookFor(provider, slots[2], { personId: card.id });

    expect(refused.status).toBe(409);
  });

  test('under somebody’s address and leaves does not empty their card', async () => {
    const { provider, slots } = await providerWithSlots();
    const details = { name: 'Bob', email: 'bob@example.com', note: 'Tall' };
    const bob = await createCard(provider, details);
    const stranger = await newGuestNamed('X', 'bob@example.com');
    await book(stranger, slots[1]);

    expect((await leave(stranger)).status).toBe(204);

    expect(await wholeCard(provider, bob)).toMatchObject(details);
  });
});

describe('booking again from a card', () => {
  /** Maya has booked a service of an hour and a half, and her provider books the next free time for her. */
  async function bookAgain() {
    const [{ provider, slots }, maya] = [await providerWithSlots(), await namedMaya()];
    const { id: service } = await createService(provider, { name: 'Colour', minutes: 90 });
    await maya.api('PUT', `/api/Appointment/Book?id=${slots[0].id}&service=${service}`);
    const card = await cardOf(provider, 'Maya');
    await (await (await provider.browser.get(`/people/${card.id}`)).click('Book again')).submit('button[name=slot]');
    return { provider, maya, card };
  }

  test('keeps the service and its length', async () => {
    const { provider } = await bookAgain();

    const [, next] = await agenda(provider);
    expect(next).toMatchObject({ startTime: '10:30', endTime: '12:00', service: { name: 'Colour' } });
  });

  test('takes three presses for any day, and says who is booked, when', async () => {
    const [provider, maya] = [await newProvider(), await namedMaya()];
    await book(maya, await publishOne(provider));
    const wanted = await publishOne(provider, { dates: [dayAhead(9)] });
    const { id } = await cardOf(provider, 'Maya');
    const choice = await (await provider.browser.get(`/people/${id}`)).click('Book again');

    const day = await choice.click(`a[href*="day=${dayAhead(9)}"]`);
    const made = await day.submit(`button[name=slot][value="${wanted.id}"]`);

    expect(made.words).toContain('Maya is booked');
    expect((await agenda(provider))[1]).toMatchObject({ startsAt: wanted.startsAt, bookerName: 'Maya' });
  });

  test('reaches times that are not published', async () => {
    const provider = await newProvider();
    const { id } = await createCard(provider, { name: 'Wanda' });

    const choice = await provider.browser.get(`/people/${id}/book`);
    const made = await choice.submit('Book this time', { date: dayAhead(9), start: '18:00', long: '30' });

    expect(made.words).toContain('Wanda is booked');
  });

  test('counts on the card', async () => {
    const { provider, card } = await bookAgain();

    expect(await cardsOf(provider)).toMatchObject([{ id: card.id, booked: 2 }]);
  });

  test('tells the client', async () => {
    const { maya } = await bookAgain();

    expect(await newsKinds(maya)).toEqual(['booked']);
  });
});

describe('booking for someone from Today', () => {
  /** Maya has had a service that day, and another time is free nine days off. */
  async function withFreeTime() {
    const [provider, maya] = [await newProvider(), await namedMaya()];
    const { id: service } = await createService(provider, { name: 'Colour', minutes: 30 });
    const { id } = await publishOne(provider);
    await maya.api('PUT', `/api/Appointment/Book?id=${id}&service=${service}`);
    const wanted = await publishOne(provider, { dates: [dayAhead(9)] });
    return { provider, service, wanted };
  }
  const searchFromToday = async ({ browser }: Person, q: string) => (await browser.get('/')).submit('Search', { q });

  test('takes three presses for a known person on any day', async () => {
    const { provider, wanted } = await withFreeTime();

    const choice = await searchFromToday(provider, 'may');
    const day = await choice.click(`a[href*="day=${dayAhead(9)}"]`);
    await day.submit(`button[name=slot][value="${wanted.id}"]`);

    const [, next] = await agenda(provider);
    expect(next).toMatchObject({ startsAt: wanted.startsAt, bookerName: 'Maya', service: { name: 'Colour' } });
  });

  test('lets one choose among all of a name', async () => {
    const { provider, service } = await withFreeTime();
    const other = await createCard(provider, { name: 'May Ek' });
    const maya = await cardOf(provider, 'Maya');

    const found = await searchFromToday(provider, 'may');

    expect(hrefsOn(found)).toContain(`/people/${other.id}/book`);
    expect(hrefsOn(found)).toContain(`/people/${maya.id}/book?service=${service}`);
  });

  test('says that nobody has that name', async () => {
    const { provider } = await withFreeTime();

    const found = await searchFromToday(provider, 'Wanda');

    expect(found.words).toContain('Nobody of that name, e-mail or phone.');
  });

  test('leads somebody new to the form of a time, for a service', async () => {
    const { provider, service, wanted } = await withFreeTime();
    const someoneNew = await (await provider.browser.get('/')).click('Somebody new');

    const forService = await someoneNew.click(`a[href="/book-at?service=${service}"]`);
    const day = await forService.click(`a[href*="day=${dayAhead(9)}"]`);
    const time = await day.click(`a[href^="/details-provider/${wanted.id}"]`);
    const made = await time.submit('Book for them', { displayName: 'Wanda' });

    expect(made.words).toContain('Wanda is booked');
    expect((await agenda(provider))[1]).toMatchObject({ bookerName: 'Wanda', service: { name: 'Colour' } });
  });
});

describe('a call that books for a card', () => {
  const wanda = { name: 'Wanda', email: 'w@example.com', phone: '912' };

  test('gives the booking the details of the card', async () => {
    const { provider, slots } = await providerWithSlots();
    const { id } = await createCard(provider, wanda);

    const { json } = await bookFor(provider, slots[0], { personId: id });

    expect(json).toMatchObject({ bookerName: 'Wanda', bookerEmail: 'w@example.com', bookerPhone: '912' });
  });

  test('twice at once books once', async () => {
    const { provider, slots } = await providerWithSlots();
    const { id } = await createCard(provider, wanda);
    const key = { 'idempotency-key': 'once' };

    const responses = await several(2, () => bookFor(provider, slots[0], { personId: id }, key));

    for (const { json } of responses) expect(json).toMatchObject({ id: slots[0].id, bookerName: 'Wanda' });
    expect(await cardsOf(provider)).toMatchObject([{ id, booked: 1 }]);
  });

  test('of a merged card books on the other, with its address', async () => {
    const { provider, slots } = await providerWithSlots();
    const card = await createCard(provider, wanda);
    await bookFor(provider, slots[0], { personId: card.id });
    const other = await createCard(provider, { name: 'Other', email: 'new@example.com' });
    await mergeCards(provider, card, other);

    const second = await bookFor(provider, slots[1], { personId: card.id });

    expect(second.json).toMatchObject({ bookerEmail: 'new@example.com' });
    expect(await cardsOf(provider)).toMatchObject([{ id: other.id, booked: 2 }]);
  });
});

test('a card that was typed stays when somebody leaves who was merged into it', async () => {
  const { provider, slots } = await providerWithSlots();
  const leaver = await newConsumer({ displayName: 'Lea' });
  await book(leaver, slots[0]);
  const typed = { name: 'Zoe', email: 'zoe@mail.test', note: 'Likes tea' };
  const zoe = await createCard(provider, typed);
  await mergeCards(provider, await cardOf(provider, 'Lea'), zoe);

  await leave(leaver);

  expect(await wholeCard(provider, zoe)).toMatchObject(typed);
});
