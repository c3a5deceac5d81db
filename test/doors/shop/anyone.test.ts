import { describe, expect, test } from 'vitest';
import { setRules } from '../../support/account-calls';
import { agenda } from '../../support/appointment-calls';
import {
  book,
  dayAhead,
  type Person,
  peopleAt,
  publishOne,
  type Row,
  registerCrowd,
  several,
} from '../../support/factories';
import type { Service } from '../../support/services';
import { bookAnyone, houseService, type Shop, setTakes, shopWith } from '../../support/shops';
import { useServer } from '../../support/use-server';
import { askedOf, tripsOf } from '../../support/visit';
import { add, only, takeOffer } from '../../support/waitlist';

/* Booking with whoever is free in a shop. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

const date = dayAhead(2);

/** A shop of so many, each with the morning in two days free, and the first start of it. */
const aShop = async (many: number) =>
  shopWith((await several(many, () => newProvider())) as [Person, ...Person[]], { end: '11:00', dates: [date] });

describe('whoever asks for anyone', () => {
  test('gets somebody who is free, and is told who and why', async () => {
    const { people, shop, startsAt } = await aShop(2);
    const maya = await newConsumer();

    const booked = await bookAnyone(maya, shop, startsAt);

    expect(booked.status).toBe(200);
    expect(booked.json).toMatchObject({
      status: 1,
      startsAt,
      provider: people[0]?.username,
      asked: 'anyone',
      why: expect.stringContaining('nothing of that day was taken'),
    });
  });

  test('gets the one of whose day the smallest part is taken', async () => {
    const { people, shop, slots, startsAt } = await aShop(2);
    await book(await newConsumer(), slots[0]?.[2] as Row);

    const booked = await bookAnyone(await newConsumer(), shop, startsAt);

    expect(booked.json).toMatchObject({ provider: people[1]?.username });
  });

  test('gets the same one for a form that is sent again', async () => {
    const { shop, startsAt } = await aShop(2);
    const maya = await newConsumer();

    const [first, second] = await Promise.all([bookAnyone(maya, shop, startsAt), bookAnyone(maya, shop, startsAt)]);
    const third = await bookAnyone(maya, shop, startsAt);

    expect([first.status, second.status, third.status]).toEqual([200, 200, 200]);
    expect((second.json as Row).id).toBe((first.json as Row).id);
    expect((third.json as Row).id).toBe((first.json as Row).id);
  });

  test('gets nobody else for a start at which they took what the waitlist offered', async () => {
    const { people, shop, slots } = await aShop(2);
    const [owner, last] = [people[0] as Person, slots[0]?.at(-1) as Row];
    const [maya, other] = await Promise.all([newConsumer(), newConsumer()]);
    for (const row of slots[0] as Row[]) await book(other, row);
    await add(maya, owner);
    await owner.api('PUT', `/api/Appointment/Cancel?id=${last.id}&republish=true`, {});
    await takeOffer(daybook.visitor(), (await only(maya)).offer);

    const again = await bookAnyone(maya, shop, last.startsAt);

    expect(again.json).toMatchObject({ provider: owner.username, startsAt: last.startsAt });
  });

  test('is refused only when nobody is free', async () => {
    const { people, shop, startsAt } = await aShop(3);
    const crowd = await registerCrowd(daybook, 6);

    const all = await Promise.all(crowd.map((who) => bookAnyone(who, shop, startsAt)));

    const won = all.filter(({ status }) => status === 200).map(({ json }) => (json as Row).provider);
    expect(won.sort()).toEqual(people.map(({ username }) => username).sort());
    expect(all.map(({ status }) => status).sort()).toEqual([200, 200, 200, 409, 409, 409]);
  });

  test('gets nobody who has left, or takes no appointments', async () => {
    const { people, shop, startsAt } = await aShop(3);
    const [owner, second, third] = people as [Person, Person, Person];
    await second.api('PUT', '/api/Shop/Leave');
    await owner.api('PUT', `/api/Shop/SetColleague?username=${owner.username}`, { takes: false });

    const booked = await bookAnyone(await newConsumer(), shop, startsAt);
    const late = await bookAnyone(await newConsumer(), shop, startsAt);

    expect(booked.json).toMatchObject({ provider: third.username });
    expect(late.status).toBe(409);
  });

  test.each([
    ['there is no such shop', 'nobody-here', 404],
    ['a provider alone is no shop', null, 404],
  ])('is refused where %s', async (_, named, status) => {
    const { people, startsAt } = await aShop(1);

    const refused = await bookAnyone(await newConsumer(), named ?? people[0].username, startsAt);

    expect(refused.status).toBe(status);
  });

  test('costs one trip and at most 200 rows with five colleagues', async () => {
    const { shop, startsAt } = await aShop(5);
    const maya = await newConsumer();

    const booked = await bookAnyone(maya, shop, startsAt);

    expect(tripsOf(booked)).toBe(1);
    expect(askedOf(booked.headers).read).toBeLessThanOrEqual(200);
  });
});

describe('the times of a shop', () => {
  test('have each start once, with those who are free then', async () => {
    const { people, shop, slots, startsAt } = await aShop(2);
    const [owner] = people;
    const cut = await owner.api('POST', `/api/Service/Create?of=${shop}`, { name: 'Cut', minutes: 30 });
    const { id } = cut.json as { id: string };
    for (const { username } of people)
      await owner.api('PUT', `/api/Service/Offer?of=${shop}&id=${id}`, { username, offered: true });
    await book(await newConsumer(), slots[0]?.[1] as Row);

    const times = await daybook.visitor().api('GET', `/api/Public/Times?provider=${shop}&service=${id}`);

    const both = people.map(({ username }) => username);
    expect(times.json).toMatchObject([
      { id: null, provider: shop, startsAt, who: both },
      { id: null, who: [both[1]] },
      { id: null, who: both },
      { id: null, who: both },
    ]);
  });

  test('are booked with whoever does it for what the form said', async () => {
    const { people, shop, startsAt } = await aShop(2);
    const [owner, other] = people as [Person, Person];
    const cut = await owner.api('POST', `/api/Service/Create?of=${shop}`, { name: 'Cut', minutes: 30, price: '20 €' });
    const { id } = cut.json as { id: string };
    await owner.api('PUT', `/api/Service/Offer?of=${shop}&id=${id}`, {
      username: owner.username,
      offered: true,
      price: '30 €',
    });
    await owner.api('PUT', `/api/Service/Offer?of=${shop}&id=${id}`, { username: other.username, offered: true });
    const [maya, june] = [await newConsumer(), await newConsumer()];

    const pathOfForm = `/with/${shop}/at/${startsAt}?service=${id}`;
    const [form, late] = [await maya.browser.visit(pathOfForm), await june.browser.visit(pathOfForm)];
    await form.submit('Book');

    expect(form.words).toMatch(/Cut · 30 €.*With whoever is free then/s);
    expect(await agenda(maya)).toMatchObject([{ provider: owner.username, asked: 'anyone' }]);

    // Who is left does it for another price: the form says so, and books it when it is sent again.
    const changed = await late.submit('Book');
    expect([changed.status, changed.words]).toEqual([400, expect.stringMatching(/has changed.*Cut · 20 €/s)]);
    await changed.submit('Book');
    expect(await agenda(june)).toMatchObject([{ provider: other.username, asked: 'anyone' }]);
  });
});

test('a start that nobody in the shop has is one at which nobody is free', async () => {
  const { shop } = await aShop(1);
  const maya = await newConsumer();

  const refused = await bookAnyone(maya, shop, `${dayAhead(2).slice(6)}-01-01T03:00:00.000Z`);
  const unknown = await bookAnyone(maya, `${shop}-2`, '2030-01-01T03:00:00.000Z');

  expect([refused.status, refused.text]).toEqual([
    409,
    expect.stringContaining('Nobody is free at this time any more.'),
  ]);
  expect(unknown.status).toBe(404);
});

describe('the form of anyone’s time', () => {
  /** A shop of two, of whom so many take one appointment of a person, and somebody who has one with the first. */
  async function someoneWith(many: number) {
    const { people, shop, slots, startsAt } = await aShop(2);
    for (const who of people.slice(0, many)) await setRules(who, { perPerson: 1 });
    const maya = await newConsumer();
    await book(maya, slots[0]?.[1] as Row);
    const { displayName: shopName } = (await people[0].api('GET', '/api/Shop/Get')).json as Shop;
    return { maya, shopName, path: `/with/${shop}/at/${startsAt}` };
  }

  test('says before anything is typed that somebody has as many as they may', async () => {
    const { maya, shopName, path } = await someoneWith(2);

    const form = await maya.browser.get(path);

    expect(form.status).toBe(200);
    expect(form.words).toContain(`You can have at most one coming appointment with ${shopName}, and you have it.`);
  });

  test('says nothing of it where somebody else in the shop may still be booked', async () => {
    const { maya, path } = await someoneWith(1);

    const form = await maya.browser.get(path);

    expect(form.status).toBe(200);
    expect(form.words).not.toContain('at most one coming appointment');
  });

  test('comes back with the limit where it is sent all the same', async () => {
    const { maya, path } = await someoneWith(2);

    const form = await (await maya.browser.visit(path)).submit('Book');

    expect(form.status).toBe(409);
    expect(form.words).toContain('at most one coming appointment');
    expect(form.words).not.toContain('Nobody is free');
  });
});

test('a link to a start at which nobody is free leads to the forms of that day’s other times', async () => {
  const { people, shop, startsAt } = await aShop(1);
  const [owner] = people;
  const { id } = await houseService(owner, shop, people);
  await bookAnyone(await newConsumer(), shop, startsAt, { service: id });

  const late = await daybook.visitor().visit(`/with/${shop}/at/${startsAt}?service=${id}`);
  const form = await late.click('main li a');

  expect(late.status).toBe(409);
  expect(form.status).toBe(200);
  expect(form.$('[name=displayName]')).not.toBeNull();
});

describe('a stranger’s form for anyone’s time', () => {
  type House = { owner: Person; shop: string; service: Service; eight: Row };
  /** What a form says for a start that the second of two has alone, once they have it no more. */
  async function lateForm(end: (second: Person, house: House) => Promise<unknown>) {
    const { people, shop } = await aShop(2);
    const [owner, second] = people as [Person, Person];
    const service = await houseService(owner, shop, people);
    const eight = await publishOne(second, { start: '08:00', end: '08:30', dates: [date] });
    const form = await daybook.visitor().visit(`/with/${shop}/at/${eight.startsAt}?service=${service.id}`);
    await end(second, { owner, shop, service, eight });
    return { owner, late: await form.submit('Book', { displayName: 'Zoë' }) };
  }

  test.each<[what: string, end: Parameters<typeof lateForm>[0], times: number]>([
    [
      'is booked',
      async (_, { eight, service }) =>
        (await newConsumer()).api('PUT', `/api/Appointment/Book?id=${eight.id}&service=${service.id}`),
      4,
    ],
    ['is of somebody who takes no more appointments', (second, { owner }) => setTakes(owner, second, false), 4],
    [
      'is for a service that the house has no more',
      (_, { owner, shop, service }) => owner.api('DELETE', `/api/Service/Delete?of=${shop}&id=${service.id}`),
      0,
    ],
  ])('whose time %s says that nobody is free, with the times of that day', async (_, end, times) => {
    const { late } = await lateForm(end);

    expect(late.status).toBe(409);
    expect(late.$('title')?.text).toBe('Just gone · Daybook');
    expect(late.words).toContain('Nobody is free at this time any more.');
    expect(late.$$('main li form')).toHaveLength(times);
  });

  test('for more places than are left in a class says how many there are', async () => {
    const { people, shop } = await aShop(2);
    const [owner] = people;
    const yoga = await houseService(owner, shop, people, { minutes: 60, seats: 3 });
    const { startsAt } = await publishOne(owner, { start: '06:00', end: '07:00', dates: [date], serviceId: yoga.id });
    const form = await daybook.visitor().visit(`/with/${shop}/at/${startsAt}?service=${yoga.id}`);
    await bookAnyone(await newConsumer(), shop, startsAt, { service: yoga.id, people: '2' });

    const refused = await form.submit('Book', { displayName: 'Zoë', people: '2' });

    expect(refused.status).toBe(409);
    expect(refused.words).toContain('There is only one place left. You can book that one.');
  });

  test('whose time is gone books another of that day with what was typed', async () => {
    const { owner, late } = await lateForm((second, { owner }) => setTakes(owner, second, false));

    await late.submit('main li form');

    expect(await agenda(owner)).toMatchObject([{ bookerName: 'Zoë', asked: 'anyone' }]);
  });
});
