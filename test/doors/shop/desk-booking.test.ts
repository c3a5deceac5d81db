import { describe, expect, test } from 'vitest';
import { agenda } from '../../support/appointment-calls';
import { complaints, nothing } from '../../support/complaints';
import { book, dayAhead, type Person, peopleAt, type Row, several } from '../../support/factories';
import { bringIn, shopWith } from '../../support/shops';
import { useServer } from '../../support/use-server';

/* The desk of a shop books for somebody who stands there, with whoever is free. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const gus = { displayName: 'Gus', phone: '+351 912 345 678' };

/** Two colleagues with the same half hours, and somebody at the desk. */
async function aShop() {
  const house = await shopWith((await several(2, () => newProvider())) as [Person, ...Person[]], {
    end: '10:00',
    dates: [dayAhead(2)],
  });
  const desk = await newProvider();
  await bringIn(house.people[0], [desk], 'desk');
  return { ...house, desk };
}
type House = Awaited<ReturnType<typeof aShop>>;

const bookWithAnyone = (who: Person, { shop, startsAt }: House, body: object = gus, sent?: Record<string, string>) =>
  who.api('POST', `/api/Appointment/BookFor?${new URLSearchParams({ shop, startsAt })}`, body, sent);

describe('booking for somebody with whoever is free', () => {
  test.each([
    ['the desk', ({ desk }: House) => desk],
    ['an owner', ({ people }: House) => people[0]],
  ])('is done by %s, who read with whom and why', async (_, by) => {
    const house = await aShop();

    const booked = await bookWithAnyone(by(house), house);

    expect(booked.status).toBe(201);
    const [first] = house.people;
    expect(booked.json).toMatchObject({
      ...{ provider: first.username, asked: 'anyone', why: expect.stringContaining('nothing of that day') },
      ...{ bookerName: 'Gus', link: expect.stringContaining('/booking/') },
    });
    expect(await agenda(first)).toMatchObject([{ bookerName: 'Gus' }]);
  });

  test('goes to the one of whose day the smallest part is taken', async () => {
    const house = await aShop();
    await book(await newConsumer(), house.slots[0]?.[1] as Row);

    const booked = await bookWithAnyone(house.desk, house);

    expect(booked.json).toMatchObject({ provider: house.people[1]?.username });
  });

  test('sent twice books once', async () => {
    const house = await aShop();
    const key = { 'idempotency-key': 'gus-at-the-desk' };

    const [first, second] = await Promise.all([
      bookWithAnyone(house.desk, house, gus, key),
      bookWithAnyone(house.desk, house, gus, key),
    ]);

    expect((second.json as Row).id).toBe((first.json as Row).id);
    expect((await Promise.all(house.people.map(agenda))).flat()).toHaveLength(1);
  });

  test('is refused only when nobody is free', async () => {
    const house = await aShop();

    const responses = await several(3, (place) => bookWithAnyone(house.desk, house, { displayName: `Gus ${place}` }));

    expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, 409]);
  });

  test.each([
    ['a colleague without the desk', async ({ people }: House) => people[1] as Person],
    ['a stranger', () => newProvider()],
  ])('is nothing that %s may do', async (_, by) => {
    const house = await aShop();

    const refused = await bookWithAnyone(await by(house), house);

    expect(refused).toMatchObject(nothing);
    expect((await Promise.all(house.people.map(agenda))).flat()).toEqual([]);
  });

  test('takes a name, since each colleague has cards of their own', async () => {
    const house = await aShop();

    const refused = await bookWithAnyone(house.desk, house, { personId: 'some-card' });

    expect(complaints(refused)).toEqual(['Each colleague has cards of their own. Give the name of the person.']);
  });

  test('makes a card in the book of whoever got it', async () => {
    const house = await aShop();

    await bookWithAnyone(house.desk, house);

    const cards = await Promise.all(house.people.map((who) => who.api('GET', '/api/People/GetPage')));
    expect(cards.map(({ json }) => (json as { name: string }[]).map(({ name }) => name))).toEqual([['Gus'], []]);
  });
});
