import { describe, expect, test } from 'vitest';
import { setRules } from '../../support/account-calls';
import { book, dayAhead, type Person, peopleAt, type Row, several } from '../../support/factories';
import { bringIn, houseService, leave, type Shop, shopOf, shopWith } from '../../support/shops';
import { useServer } from '../../support/use-server';

/* What clients see of a shop on their own screens, and its desk of a colleague's book. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const date = dayAhead(2);

/** A shop of two in a city of its own, each with the morning in two days free, and a service that both do. */
async function aShop() {
  const city = `Vila ${crypto.randomUUID().slice(0, 8)}`;
  const people = (await several(2, () => newProvider({ location: city }))) as [Person, Person];
  const house = await shopWith(people, { end: '10:00', dates: [date] });
  await people[0].api('PUT', '/api/Shop/Edit', { location: city });
  const service = await houseService(people[0], house.shop, people);
  const { displayName } = (await shopOf(people[0])).json as Shop;
  return { ...house, people, city, service, name: displayName };
}

describe('the list of a city', () => {
  test('says when anybody of a shop is free, and leads to its page', async () => {
    const { city, shop } = await aShop();
    const maya = await newConsumer();

    const list = await maya.browser.visit(`/view?location=${encodeURIComponent(city)}`);

    expect(list.words).not.toContain('Nothing free at the moment');
    expect((await list.click(`[href="/with/${shop}"]`)).path).toBe(`/with/${shop}`);
  });

  test('says in which shop a colleague is', async () => {
    const { city, people, name } = await aShop();
    const maya = await newConsumer();

    const { words } = await maya.browser.get(`/view?location=${encodeURIComponent(city)}`);

    for (const { displayName } of people) expect(words).toContain(`${displayName} ${name} Next free`);
  });
});

test('a client’s own page of a shop is the one where they choose with whom', async () => {
  const { shop, service } = await aShop();
  const maya = await newConsumer();

  const page = await maya.browser.visit(`/view?provider=${shop}&service=${service.id}`);

  expect(page.path).toBe(`/with/${shop}?service=${service.id}`);
});

test('the page of a colleague names the shop, and leads to all of it', async () => {
  const { people, shop, name } = await aShop();

  const page = await (await daybook.visitor().visit(`/with/${people[1].username}`)).click(name);

  expect(page.path).toBe(`/with/${shop}`);
});

test('who booked with anyone reads who it is, and why', async () => {
  const { people, shop, startsAt, service } = await aShop();
  const maya = await newConsumer();
  const form = await maya.browser.visit(`/with/${shop}/at/${startsAt}?service=${service.id}`);

  const booked = await form.submit('Book');

  expect(booked.words).toContain(`With whom ${people[0].displayName}, because nothing of that day was taken yet.`);
});

test('who publishes times for a colleague stays in their book, and can remove them again', async () => {
  const { people } = await aShop();
  const desk = await newProvider({ location: 'Lisbon' });
  await bringIn(people[0], [desk], 'desk');
  const [, colleague] = people;
  const form = await desk.browser.visit(`/create?of=${colleague.username}&date=${dayAhead(5)}`);

  const made = await form.submit('Create appointments', { start: '14:00', end: '15:00' });

  expect(made.path).toContain(`of=${colleague.username}`);
  expect(made.words).toContain('2 appointments are open for booking.');
  expect(made.text).toContain(`/with/${colleague.username}`);
  expect(made.text).not.toContain(`/with/${desk.username}`);
  const undone = await made.submit('Undo: remove them');
  expect(undone.path).toContain(`of=${colleague.username}`);
  expect(undone.words).toContain('2');
});

test('what is written down of a client is said to be seen by the desk', async () => {
  const { people } = await aShop();

  const { words } = await people[1].browser.get('/people');

  expect(words).toContain('In a shop, its desk does.');
});

test('an appointment that is still to come leaves the shop with its provider, with its place in the count', async () => {
  const { people, slots, name } = await aShop();
  const [owner, colleague] = people;
  for (const who of people) await setRules(who, { perPerson: 1 });
  await owner.api('PUT', '/api/Shop/Edit', { address: 'Rua da Bica 40' });
  const maya = await newConsumer();
  const { id } = (await book(maya, slots[1]?.[0] as Row)).json as Row;
  const read = async () => (await maya.browser.get(`/details-cancel/${id}`)).words;
  const entry = async () => (await maya.browser.get(`/appointments/${id}/daybook.ics`)).text;
  const [before, entryBefore] = [await read(), await entry()];

  await leave(colleague);

  expect(before).toContain(name);
  expect(entryBefore).toContain('LOCATION:Rua da Bica 40');
  const after = await read();
  expect(after).toContain(colleague.displayName);
  expect(after).not.toContain(name);
  expect(after).not.toContain('Rua da Bica 40');
  const sequenceOf = (text: string) => Number(/SEQUENCE:(\d+)/.exec(text)?.[1]);
  expect(sequenceOf(await entry())).toBe(sequenceOf(entryBefore) + 1);
  expect((await book(maya, slots[0]?.[0] as Row)).status).toBe(200);
});
