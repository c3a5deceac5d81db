import { beforeAll, describe, expect, test } from 'vitest';
import { Chance } from '../../habits/chance';
import { brokenRules } from '../../habits/invariants';
import { raceForAnyone, raceForAnyoneOfLengths, raceOfHandOver } from '../../habits/shop-races';
import { setRules } from '../../support/account-calls';
import { agenda } from '../../support/appointment-calls';
import {
  book,
  dayAhead,
  type Person,
  peopleAt,
  publish,
  type Row,
  registerCrowd,
  several,
} from '../../support/factories';
import {
  bookAnyone,
  houseService,
  invite,
  join,
  leave,
  offer,
  openShop,
  providersOf,
  setTakes,
  shopWith,
} from '../../support/shops';
import { useServer } from '../../support/use-server';
import type { ApiResponse } from '../../support/visit';

/* Several at once want whoever is free in a shop. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const morning = { end: '11:00', dates: [dayAhead(2)] };

let crowd: Person[];
beforeAll(async () => {
  crowd = await registerCrowd(daybook, 8);
}, 60_000);

/** A shop of so many colleagues, the first its owner, who all have the same free times. */
const aShop = async (many: number, times: object = morning) =>
  shopWith((await several(many, () => newProvider())) as [Person, ...Person[]], times);

const namesOf = (people: Person[]) => people.map(({ username }) => username).sort();
const statusesOf = (responses: ApiResponse[]) => responses.map(({ status }) => status).sort();
const times = (many: number, status: number) => Array(many).fill(status);
const keepsItsRules = async () => expect(await brokenRules(daybook.d1, { texts: false })).toEqual([]);

describe('as many get a time as colleagues are free', () => {
  test('where some name one of them and others nobody', async () => {
    const { people, shop, slots, startsAt } = await aShop(3);
    const named = slots[1]?.[0] as Row;

    const responses = await Promise.all(
      crowd.map((who, place) => (place % 2 ? book(who, named) : bookAnyone(who, shop, startsAt))),
    );

    expect(providersOf(responses)).toEqual(namesOf(people));
    await keepsItsRules();
  });

  test('where an hour takes two half hours', async () => {
    const { people, shop, startsAt } = await aShop(3, { end: '10:00', dates: [dayAhead(2)] });
    const hour = await houseService(people[0], shop, people, { minutes: 60 });

    const responses = await Promise.all(crowd.map((who) => bookAnyone(who, shop, startsAt, { service: hour.id })));

    expect(providersOf(responses)).toEqual(namesOf(people));
    expect(statusesOf(responses)).toEqual([...times(3, 200), ...times(5, 409)]);
    await keepsItsRules();
  });

  test('where some want the second half of the hour of others', async () => {
    const { people, shop, slots, startsAt } = await aShop(2, { end: '10:00', dates: [dayAhead(2)] });
    const hour = await houseService(people[0], shop, people, { minutes: 60 });
    const second = slots[0]?.[1]?.startsAt ?? '';

    const responses = await Promise.all(
      crowd.map((who, place) =>
        place % 2 ? bookAnyone(who, shop, second) : bookAnyone(who, shop, startsAt, { service: hour.id }),
      ),
    );

    expect(providersOf(responses)).toEqual(namesOf(people));
    await keepsItsRules();
  });

  test('where each has a class with two places', async () => {
    const people = (await several(2, () => newProvider())) as [Person, ...Person[]];
    const { shop } = await shopWith(people, { dates: [dayAhead(3)] });
    const yoga = await houseService(people[0], shop, people, { minutes: 60, seats: 2 });
    const classes = { start: '14:00', end: '15:00', dates: [dayAhead(2)], serviceId: yoga.id };
    const [slot] = (await several(2, (place) => publish(people[place] as Person, classes)))[0] as [Row];

    const responses = await Promise.all(crowd.map((who) => bookAnyone(who, shop, slot.startsAt, { service: yoga.id })));

    const both = namesOf(people);
    expect(providersOf(responses)).toEqual([...both, ...both].sort());
    expect(statusesOf(responses)).toEqual([...times(4, 200), ...times(4, 409)]);
    await keepsItsRules();
  });
});

describe('of two forms of one guest', () => {
  const zoe = { displayName: 'Zoë' };

  test('sent at once, the same form books once', async () => {
    const { people, shop, startsAt } = await aShop(2);
    const form = await daybook.visitor().get(`/with/${shop}/at/${startsAt}`);

    const [first, second] = await Promise.all([form.submit('Book', zoe), form.submit('Book', zoe)]);

    expect(second.url).toBe(first.url);
    expect((await Promise.all(people.map(agenda))).flat()).toHaveLength(1);
  });

  test('opened in two tabs, the second books nobody else', async () => {
    const { people, shop, startsAt } = await aShop(2);
    const browser = daybook.visitor();
    const first = await browser.get(`/with/${shop}/at/${startsAt}`);
    const second = await browser.get(`/with/${shop}/at/${startsAt}`);

    await first.submit('Book', zoe);
    await second.submit('Book', zoe);

    expect((await Promise.all(people.map(agenda))).flat()).toHaveLength(1);
  });
});

describe('a price that has changed since the form was shown', () => {
  /** Two colleagues who cut for 20 €, and a form that says so. */
  async function shownForm() {
    const { people, shop, startsAt } = await aShop(2);
    const [owner, other] = people as [Person, Person];
    const cut = await houseService(owner, shop, people, { minutes: 30, price: '20 €' });
    const formFor = async () => (await newConsumer()).browser.visit(`/with/${shop}/at/${startsAt}?service=${cut.id}`);
    return { people, owner, other, shop, startsAt, cut, formFor };
  }

  test('books with who still does it for what the form said', async () => {
    const { owner, other, shop, cut, formFor } = await shownForm();
    const form = await formFor();
    await offer(owner, shop, cut, owner, { price: '30 €' });

    const booked = await form.submit('Book');

    expect(booked.status).toBe(200);
    expect(await agenda(other)).toHaveLength(1);
  });

  test('lets one of two have who still does it for that', async () => {
    const { people, owner, shop, cut, formFor } = await shownForm();
    const forms = [await formFor(), await formFor()];
    await offer(owner, shop, cut, owner, { price: '30 €' });

    const pages = await Promise.all(forms.map((form) => form.submit('Book')));

    expect(pages.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect((await Promise.all(people.map(agenda))).flat()).toHaveLength(1);
  });

  test('books with nobody who does it for another', async () => {
    const { people, owner, other, shop, cut, formFor } = await shownForm();
    const form = await formFor();
    for (const who of [owner, other]) await offer(owner, shop, cut, who, { price: '30 €' });

    const refused = await form.submit('Book');

    expect(refused.status).toBe(400);
    expect(refused.words).toContain('price');
    expect((await Promise.all(people.map(agenda))).flat()).toEqual([]);
  });
});

describe('a colleague', () => {
  test('who is switched off while others book gets nobody afterwards', async () => {
    const { people, shop, startsAt } = await aShop(2);
    const [owner, other] = people as [Person, Person];

    await Promise.all([setTakes(owner, other, false), bookAnyone(crowd[0] as Person, shop, startsAt)]);
    await bookAnyone(crowd[1] as Person, shop, startsAt);
    const late = await bookAnyone(crowd[2] as Person, shop, startsAt);

    expect(late.status).toBe(409);
    expect((await agenda(owner)).length).toBe(1);
  });

  test('who leaves while others book keeps what was booked, and gets no more', async () => {
    const { people, shop, startsAt } = await aShop(2);
    const [, other] = people as [Person, Person];

    const [left, ...responses] = await Promise.all([
      leave(other),
      ...crowd.slice(0, 4).map((who) => bookAnyone(who, shop, startsAt)),
    ]);
    const late = await bookAnyone(crowd[5] as Person, shop, startsAt);

    expect(left.status).toBe(204);
    expect(late.status).toBe(409);
    const got = providersOf(responses).filter((name) => name === other.username);
    expect((await agenda(other)).length).toBe(got.length);
  });

  test('in another time zone cannot join, and is told how to mend it', async () => {
    const [owner, abroad] = await Promise.all([newProvider(), newProvider({ timeZone: 'Asia/Kolkata' })]);
    await openShop(owner);

    const refused = await join(abroad, await invite(owner));

    expect(refused).toMatchObject({
      status: 409,
      json: "The shop's clock is that of UTC, and yours is another. Change your time zone in your profile first.",
    });
  });
});

describe('where one person may have one coming appointment', () => {
  /** Two colleagues who both allow one. */
  async function strictShop() {
    const house = await aShop(2);
    for (const who of house.people) await setRules(who, { perPerson: 1 });
    return house;
  }

  test('of two starts at once with anyone, they get one', async () => {
    const { people, shop, slots, startsAt } = await strictShop();
    const maya = await newConsumer();
    const later = slots[0]?.[1]?.startsAt ?? '';

    const responses = await Promise.all([bookAnyone(maya, shop, startsAt), bookAnyone(maya, shop, later)]);

    expect(statusesOf(responses)).toEqual([200, 409]);
    expect((await Promise.all(people.map(agenda))).flat()).toHaveLength(1);
  });

  test('of two colleagues at once, they get one', async () => {
    const { slots } = await strictShop();
    const maya = await newConsumer();

    const responses = await Promise.all([book(maya, slots[0]?.[0] as Row), book(maya, slots[1]?.[1] as Row)]);

    expect(statusesOf(responses)).toEqual([200, 409]);
  });

  test('one who has left counts on their own', async () => {
    const { people, slots } = await strictShop();
    const maya = await newConsumer();
    await leave(people[1] as Person);

    const responses = [await book(maya, slots[0]?.[0] as Row), await book(maya, slots[1]?.[1] as Row)];

    expect(statusesOf(responses)).toEqual([200, 200]);
  });
});

// `npm run races` has a thousand rounds.
test('anyone and named ones, while colleagues leave, close a day or are switched off, get what they were told', {
  timeout: 120_000,
}, async () => {
  const [host, ...colleagues] = (await several(3, () => newProvider())) as [Person, ...Person[]];

  const counts = await raceForAnyone(daybook.d1, {
    host,
    colleagues,
    crowd: crowd.slice(0, 6),
    rounds: 20,
    chance: new Chance(7),
  });

  expect(counts['anyone 200, nobody else acts']).toBeGreaterThan(10);
  expect(counts['anyone 409, nobody else acts']).toBeGreaterThan(0);
});

test('half hours and hours at once leave nobody free whom a loser could have had', { timeout: 120_000 }, async () => {
  const [host, ...colleagues] = (await several(3, () => newProvider())) as [Person, ...Person[]];

  const counts = await raceForAnyoneOfLengths(daybook.d1, {
    ...{ host, colleagues, crowd: crowd.slice(0, 6) },
    ...{ rounds: 20, chance: new Chance(7) },
  });

  expect(counts['anyone 200, nobody else acts']).toBeGreaterThan(10);
});

test('a hand-over while its clients cancel and move is whole or names them, and each has what they were told', {
  timeout: 120_000,
}, async () => {
  const [host, ...colleagues] = (await several(3, () => newProvider())) as [Person, ...Person[]];

  const counts = await raceOfHandOver(daybook.d1, {
    ...{ host, colleagues, crowd: crowd.slice(0, 4) },
    ...{ rounds: 25, chance: new Chance(58) },
  });

  // Who wins is the machine's to say.
  expect((counts['hand-over 200'] ?? 0) + (counts['hand-over 409'] ?? 0)).toBe(25);
});
