import { beforeEach, describe, expect, test } from 'vitest';
import { agenda, bookFor } from '../../support/appointment-calls';
import {
  book,
  dayAhead,
  isoAhead,
  type Person,
  password,
  peopleAt,
  publish,
  publishOne,
  type Row,
} from '../../support/factories';
import { newGuest } from '../../support/guests';
import { newAddress } from '../../support/mails';
import { type Card, cardOf, cardsOf, createCard, editCard, importTable, mergeCards } from '../../support/people';
import { bookSeries, weekdayOf } from '../../support/series';
import { useServer } from '../../support/use-server';
import { keyOf } from '../../support/waitlist';

/* Who gets what a provider books for a card: by BookFor, as a series, by a standing time, from a table. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

let address: string;
beforeEach(() => {
  address = newAddress();
});
const guestWhoTyped = (displayName: string) => newGuest(daybook, { displayName, email: address });
const confirm = (email: string) =>
  daybook.d1.prepare('UPDATE accounts SET email_confirmed_at = 1 WHERE email = ? AND username IS NOT NULL').bind(email);
let registered = 0;
async function register(who: Person, details: object = {}) {
  const account = { username: `was.guest.${++registered}`, displayName: who.displayName, role: 'Consumer', password };
  const made = await who.api('POST', '/api/Account/Register', { ...account, ...details });
  expect(made.status).toBe(201);
}

type Slots = [Row, Row, Row, Row, ...Row[]];
async function providerWithSlots() {
  const provider = await newProvider();
  return { provider, slots: (await publish(provider, { end: '12:00' })) as Slots };
}

type World = { provider: Person; slots: Slots; card: Card };
const ways: [string, (world: World) => Promise<unknown>][] = [
  ['BookFor', ({ provider, slots, card }) => bookFor(provider, slots[2], { personId: card.id })],
  ['BookFor by name', ({ provider, slots }) => bookFor(provider, slots[2], { displayName: 'Vera', email: address })],
  ['a series', ({ provider, slots, card }) => bookSeries(provider, [slots[2].id, slots[3].id], { personId: card.id })],
  [
    'a standing time',
    ({ provider, slots, card }) =>
      provider.api('PUT', `/api/People/SetStanding?id=${card.id}`, [
        { day: weekdayOf(slots[2].date), start: slots[2].startTime, every: 7, from: slots[2].date },
      ]),
  ],
  [
    'a table',
    ({ provider }) => importTable(provider, `name,email,date,start,minutes\nVera,${address},${isoAhead(5)},10:00,30`),
  ],
];

describe.each(ways)('what is booked for a card by %s', (_, bookThem) => {
  test('is not a guest’s who had typed the address first', async () => {
    const { provider, slots } = await providerWithSlots();
    const stranger = await guestWhoTyped('Vera');
    await book(stranger, slots[0]);
    const before = await agenda(provider);

    await bookThem({ provider, slots, card: await cardOf(provider, 'Vera') });

    expect((await agenda(provider)).length).toBeGreaterThan(before.length);
    expect(await agenda(stranger)).toMatchObject([{ id: slots[0].id }]);
    expect(await cardsOf(provider)).toHaveLength(1);
  });

  test('is not a guest’s who typed the address later', async () => {
    const { provider, slots } = await providerWithSlots();
    const card = await createCard(provider, { name: 'Vera', email: address });
    const stranger = await guestWhoTyped('X');
    await book(stranger, slots[0]);

    await bookThem({ provider, slots, card });

    expect(await agenda(stranger)).toMatchObject([{ id: slots[0].id }]);
  });
});

describe('what is booked for the card of somebody who typed an address', () => {
  async function typedCard() {
    const { provider, slots } = await providerWithSlots();
    const stranger = await guestWhoTyped('Vera');
    await book(stranger, slots[0]);
    return { provider, slots, stranger, card: await cardOf(provider, 'Vera') };
  }

  test.each([
    ['seen', 'GET', 'Get'],
    ['canceled', 'PUT', 'Cancel'],
  ])('can’t be %s by them', async (_, method, call) => {
    const { provider, slots, stranger, card } = await typedCard();
    const { id } = (await bookFor(provider, slots[1], { personId: card.id })).json as Row;

    expect((await stranger.api(method, `/api/Appointment/${call}?id=${id}`)).status).toBe(404);
  });

  test('can be canceled by its personal link', async () => {
    const { provider, slots, card } = await typedCard();
    const { link } = (await bookFor(provider, slots[1], { personId: card.id })).json as Row;

    const canceled = await daybook.visitor().api('PUT', `/api/Public/CancelBooking?key=${keyOf(link)}`);

    expect(canceled).toMatchObject({ status: 200, json: { status: 2 } });
  });

  test('is one guest’s, whom the provider made', async () => {
    const { provider, slots, card } = await typedCard();
    const bookerOf = async ({ id }: Row) =>
      daybook.d1.prepare('SELECT booker_id AS booker FROM bookings WHERE id = ?').bind(id).first('booker');

    for (const slot of [slots[1], slots[2]]) await bookFor(provider, slot, { personId: card.id });

    expect(await bookerOf(slots[1])).toBe(await bookerOf(slots[2]));
    expect(await bookerOf(slots[1])).not.toBe(await bookerOf(slots[0]));
  });

  test('has the card’s address', async () => {
    const { provider, slots, card } = await typedCard();

    for (const slot of [slots[1], slots[2]]) await bookFor(provider, slot, { personId: card.id });

    expect((await agenda(provider)).map(({ bookerEmail }) => bookerEmail)).toEqual([address, address, address]);
  });

  test('goes to the new address once the provider has corrected it', async () => {
    const { provider, slots, card } = await typedCard();
    await bookFor(provider, slots[1], { personId: card.id });

    await editCard(provider, card, { email: 'right@example.com' });
    await bookFor(provider, slots[2], { personId: card.id });

    const addresses = (await agenda(provider)).map(({ bookerEmail }) => bookerEmail);
    expect(addresses).toEqual([address, 'right@example.com', 'right@example.com']);
  });

  test('is mailed to a corrected address in the name of the provider, whose mail is counted', async () => {
    const { provider, slots, card } = await typedCard();
    await bookFor(provider, slots[1], { personId: card.id });
    const corrected = newAddress();

    await editCard(provider, card, { email: corrected });
    await bookFor(provider, slots[2], { personId: card.id });

    const senders = await daybook.d1
      .prepare('SELECT username FROM messages JOIN accounts ON accounts.id = sender_id WHERE messages.email = ?')
      .bind(corrected)
      .all();
    expect(senders.results).toEqual([{ username: provider.username }]);
  });

  test('is not theirs when they register', async () => {
    const { provider, slots, stranger, card } = await typedCard();
    await register(stranger, { email: address });

    await bookFor(provider, slots[1], { personId: card.id });

    expect(await agenda(stranger)).toHaveLength(1);
  });

  test('is theirs once they have confirmed the address', async () => {
    const { provider, slots, stranger, card } = await typedCard();
    await register(stranger, { email: address });
    await bookFor(provider, slots[1], { personId: card.id });

    await confirm(address).run();
    await bookFor(provider, slots[2], { personId: card.id });

    expect((await agenda(stranger)).map(({ id }) => id)).toEqual([slots[0].id, slots[2].id]);
  });

  test('is not theirs when another address is confirmed', async () => {
    const { provider, slots, stranger, card } = await typedCard();
    await register(stranger, { email: 'own@example.com' });
    await confirm('own@example.com').run();

    await bookFor(provider, slots[1], { personId: card.id });

    expect(await agenda(stranger)).toHaveLength(1);
  });

  test('stands when they leave', async () => {
    const { provider, slots, stranger, card } = await typedCard();
    await bookFor(provider, slots[1], { personId: card.id, note: 'Kept' });

    await stranger.api('DELETE', '/api/Account/Delete', {});

    expect(await agenda(provider)).toMatchObject([{ id: slots[1].id, bookerName: 'Vera', status: 1 }]);
  });
});

describe('what is booked for the card of', () => {
  test('an account is the account’s, whatever address the provider writes on the card', async () => {
    const { provider, slots } = await providerWithSlots();
    const maya = await newConsumer({ displayName: 'Maya' });
    await book(maya, slots[0]);
    const card = await cardOf(provider, 'Maya');
    await editCard(provider, card, { email: address, name: 'Maya E' });

    await bookFor(provider, slots[1], { personId: card.id });

    expect(await agenda(maya)).toHaveLength(2);
  });

  test('a guest without an address is the guest’s, also after they registered and got one', async () => {
    const { provider, slots } = await providerWithSlots();
    const wilma = await newGuest(daybook, { displayName: 'Wilma' });
    await book(wilma, slots[0]);
    const card = await cardOf(provider, 'Wilma');
    await bookFor(provider, slots[1], { personId: card.id });
    await register(wilma);
    await editCard(provider, card, { email: 'wilma@example.com' });

    await bookFor(provider, slots[2], { personId: card.id });

    expect(await agenda(wilma)).toHaveLength(3);
  });

  test('an account that was merged into a guest’s is the account’s', async () => {
    const { provider, slots } = await providerWithSlots();
    const [maya, stranger] = [await newConsumer({ displayName: 'Maya' }), await guestWhoTyped('Vera')];
    await book(maya, slots[0]);
    await book(stranger, slots[1]);
    const card = await cardOf(provider, 'Vera');
    await mergeCards(provider, await cardOf(provider, 'Maya'), card);

    await bookFor(provider, slots[2], { personId: card.id });

    expect(await agenda(maya)).toHaveLength(2);
    expect(await agenda(stranger)).toHaveLength(1);
  });
});

test('a standing time follows the person who has confirmed the card’s address', async () => {
  const provider = await newProvider();
  const [slot] = (await publish(provider, { dates: [dayAhead(3)] })) as [Row];
  const vera = await guestWhoTyped('Vera');
  await book(vera, slot);
  const card = await cardOf(provider, 'Vera');
  const weekly = { day: weekdayOf(slot.date), start: '10:00', every: 7, from: slot.date };
  await provider.api('PUT', `/api/People/SetStanding?id=${card.id}`, [weekly]);
  await register(vera, { email: address });
  await confirm(address).run();

  await publish(provider, { start: '10:00', end: '10:30', dates: [dayAhead(3)] });

  expect(await agenda(vera)).toMatchObject([{ id: slot.id }, { startTime: '10:00' }]);
});

test('a table mails nothing for a card that the provider books for', async () => {
  const provider = await newProvider();
  await importTable(provider, `name,email,date,start,minutes\nVera,${address},${isoAhead(5)},10:00,30`);
  const card = await cardOf(provider, 'Vera');

  await bookFor(provider, await publishOne(provider), { personId: card.id });

  expect((await agenda(provider)).map(({ bookerEmail }) => bookerEmail)).toEqual([address, null]);
});
