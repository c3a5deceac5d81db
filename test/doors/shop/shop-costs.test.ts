import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { rowsOfShop } from '../../bench/shop-rows';
import { dayAhead, type Person, peopleAt, publish, type Row, several } from '../../support/factories';
import { bringIn, houseService, openShop } from '../../support/shops';
import { useServer } from '../../support/use-server';
import { type Asked, askedOf } from '../../support/visit';

/* What the pages and lists of a shop weigh, and what they ask of D1. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

/** A shop of so many who all do one service, each with two days of twelve free times. */
async function aShop(many: number) {
  const people = await several(many, (place) => newProvider({ displayName: `Dr. Wilhelmina Sousa ${place}` }));
  const [owner, ...others] = people as [Person, ...Person[]];
  const location = `Town of ${many}`;
  const { username: shop } = await openShop(owner, { location, displayName: 'Practice at the Old Bridge' });
  await bringIn(owner, others);
  for (const who of people) await publish(who, { end: '15:00', dates: [dayAhead(2), dayAhead(3)] });
  return { shop, location, service: (await houseService(owner, shop, people)).id };
}

/** A working day of so many colleagues from nine to five, in times of so many minutes, of which every second is booked. */
async function aHalfFullDay(many: number, minutes: number) {
  const people = await several(many, () => newProvider({ displayName: 'Dr. Wilhelmina Sousa' }));
  const [owner, ...others] = people as [Person, ...Person[]];
  await openShop(owner);
  await bringIn(owner, others);
  const date = dayAhead(2);
  for (const who of people) {
    const times = await publish(who, { end: '17:00', dates: [date] }, `len=${minutes}`);
    for (const { id } of times.filter((_, place) => place % 2 === 0)) await bookFor(who, id);
  }
  return { owner, date };
}

async function bookFor(who: Person, id: Row['id']) {
  const { status, text } = await who.api('POST', `/api/Appointment/BookFor?id=${id}`, { displayName: 'Karla Keller' });
  if (status !== 201) throw new Error(`Nobody was booked: ${status} ${text}`);
}

let twenty: Awaited<ReturnType<typeof aShop>>;
let rows: Record<'five' | 'twenty', Record<string, Asked>>;
beforeAll(async () => {
  const five = await aShop(5);
  twenty = await aShop(20);
  const counted = async (shop: typeof five) => {
    const all = await rowsOfShop(daybook.url, await newConsumer(), shop);
    return Object.fromEntries(all.map(({ what, ...asked }) => [what, asked]));
  };
  rows = { five: await counted(five), twenty: await counted(twenty) };
}, 120_000);

describe('the page of a shop of twenty', () => {
  test.each([
    ['en', ''],
    ['en', 'service'],
    ['ar', ''],
    ['ar', 'service'],
  ])('weighs at most 10 kB in %s, %s', async (language, step) => {
    const path = `/with/${twenty.shop}${step && `?service=${twenty.service}`}`;

    const page = await daybook.visitor().get(path, { 'accept-language': language });

    expect(page.status).toBe(200);
    expect(page.text).toContain(`lang="${language}"`);
    expect(gzipSync(page.text).length).toBeLessThanOrEqual(10_000);
  });

  test('loads no script', async () => {
    const page = await daybook.visitor().get(`/with/${twenty.shop}?service=${twenty.service}`);

    expect(page.$$('script[src], link[rel=modulepreload]')).toEqual([]);
  });
});

describe('a half-full day of all', () => {
  test.each([
    [5, 60, 78, 14_000],
    [5, 30, 120, 14_000],
    [20, 30, 450, 28_000],
  ])(
    'of %i colleagues with times of %i minutes asks for at most %i rows in one trip, and weighs at most %i bytes',
    async (many, minutes, rows, bytes) => {
      const { owner, date } = await aHalfFullDay(many, minutes);
      const times = (many * 4 * 60) / minutes;
      const path = `/shop/day?date=${date}`;
      // Of what is new each line is read too.
      await (await owner.browser.get(path)).submit('I have seen this');

      const page = await owner.browser.get(path);

      expect(page.$$('.team .is-booked')).toHaveLength(times);
      expect(page.$$('.team .is-free')).toHaveLength(times);
      const asked = askedOf(page.headers);
      expect(asked.trips).toBe(1);
      expect(asked.read).toBeLessThanOrEqual(rows);
      expect(gzipSync(page.text).length).toBeLessThanOrEqual(bytes);
    },
  );
});

describe('what a shop asks of D1', () => {
  test.each([
    ['BookAnyone', 1, 200],
    // The first trip finds the people.
    ['Public/Times of a day', 2, 150],
  ])('is little for %s with five people: %i trips, %i rows', (what, trips, read) => {
    expect(rows.five[what]?.trips).toBe(trips);
    expect(rows.five[what]?.read).toBeLessThanOrEqual(read);
  });

  test.each([
    ['the page', 2, 260],
    ['the page with a service', 2, 2000],
    ['Public/Dates', 2, 500],
    ['Public/Times', 2, 2000],
    ['Public/Times of a day', 2, 600],
    ['GetProviders', 1, 100],
    ['the form of anyone’s time', 1, 500],
    ['BookAnyone', 1, 610],
  ])('is bounded for %s with twenty people: %i trips, %i rows', (what, trips, read) => {
    expect(rows.twenty[what]?.trips).toBeLessThanOrEqual(trips);
    expect(rows.twenty[what]?.read).toBeLessThanOrEqual(read);
  });
});
