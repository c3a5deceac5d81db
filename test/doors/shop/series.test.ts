import { describe, expect, test } from 'vitest';
import { setRules } from '../../support/account-calls';
import { agenda } from '../../support/appointment-calls';
import {
  book,
  dayAhead,
  localDate,
  type Person,
  peopleAt,
  publishOne,
  type Row,
  rowsOf,
  several,
} from '../../support/factories';
import { newGuest } from '../../support/guests';
import { houseService, leave, offer, shopWith } from '../../support/shops';
import { useServer } from '../../support/use-server';

/* A series with anyone in a shop: one colleague keeps it. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const dates = [3, 10, 17].map((days) => dayAhead(days));
const until = dates.at(-1) as string;

/** So many colleagues, each with a half hour at nine on three days, a week apart. */
const aShop = async (many: number) =>
  shopWith((await several(many, () => newProvider())) as [Person, ...Person[]], { dates });
type House = Awaited<ReturnType<typeof aShop>>;

const startsIn = ({ slots }: House) => slots[0]?.map(({ startsAt }) => startsAt) ?? [];
const previewIn = (who: Person, { shop, startsAt }: House) =>
  who.api('GET', `/api/Appointment/PreviewSeries?${new URLSearchParams({ shop, startsAt, every: '7', until })}`);
const bookIn = (who: Person, house: House, starts = startsIn(house), more: object = {}) =>
  who.api('POST', '/api/Appointment/BookSeries', { shop: house.shop, starts, ...more });
/** Somebody books what this colleague has on the date with this number. */
const take = async ({ slots }: House, colleague: number, date: number) =>
  book(await newConsumer(), slots[colleague]?.[date] as Row);

describe('a series with anyone', () => {
  test('is shown with the one who can keep most of the dates', async () => {
    const house = await aShop(2);
    await take(house, 0, 1);

    const shown = await previewIn(await newConsumer(), house);

    const second = house.people[1]?.username;
    expect(shown.json).toMatchObject(dates.map((date) => ({ date, provider: second, why: null })));
  });

  test('says which dates nobody can keep', async () => {
    const house = await aShop(2);
    await take(house, 0, 1);
    await take(house, 1, 1);

    const shown = await previewIn(await newConsumer(), house);

    expect((shown.json as { why: string | null }[]).map(({ why }) => why)).toEqual([null, 'It is taken.', null]);
  });

  test('is with one who can have its first time', async () => {
    const house = await aShop(2);
    await take(house, 0, 0);
    await take(house, 1, 1);
    await take(house, 1, 2);

    const shown = await previewIn(await newConsumer(), house);

    expect(shown.json).toMatchObject([{ provider: house.people[1]?.username }, {}, {}]);
  });

  test('is kept by one, who is told why', async () => {
    const house = await aShop(2);
    await take(house, 0, 1);
    const maya = await newConsumer();

    const booked = await bookIn(maya, house);

    expect(booked.status).toBe(201);
    const second = house.people[1] as Person;
    const why = `${second.displayName}, because all 3 dates were free.`;
    const row = { provider: second.username, asked: 'anyone', why };
    expect(rowsOf(booked)).toMatchObject([row, row, row]);
    expect(new Set(rowsOf(booked).map(({ seriesId }) => seriesId)).size).toBe(1);
  });

  test('goes to whoever has the turn if several can keep all', async () => {
    const house = await aShop(3);
    await take(house, 0, 0);

    const booked = await bookIn(await newConsumer(), house, startsIn(house).slice(1));

    expect(rowsOf(booked)[0]?.provider).toBe(house.people[0]?.username);
  });

  test('is refused as a whole if nobody can keep all dates', async () => {
    const house = await aShop(2);
    await take(house, 0, 1);
    await take(house, 1, 2);
    const maya = await newConsumer();

    const refused = await bookIn(maya, house);

    expect(refused).toMatchObject({ status: 409, json: expect.stringContaining('Nobody there is free on all') });
    expect(await agenda(maya)).toEqual([]);
  });

  test('sent twice at once is with one', async () => {
    const house = await aShop(3);
    const maya = await newConsumer();

    const [first, second] = await Promise.all([bookIn(maya, house), bookIn(maya, house)]);

    expect([first.status, second.status]).toEqual([201, 201]);
    expect(rowsOf(second).map(({ id }) => id)).toEqual(rowsOf(first).map(({ id }) => id));
    expect(await agenda(maya)).toHaveLength(3);
  });

  test('of many at once goes to as many as colleagues', async () => {
    const house = await aShop(3);
    const crowd = await several(5, () => newConsumer());

    const responses = await Promise.all(crowd.map((who) => bookIn(who, house)));

    expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409]);
    const won = responses.filter(({ status }) => status === 201);
    const keepers = won.map((response) => [...new Set(rowsOf(response).map(({ provider }) => provider))]);
    expect(keepers.sort()).toEqual(house.people.map(({ username }) => [username]).sort());
  });

  test('is with nobody who has left', async () => {
    const house = await aShop(2);
    await leave(house.people[1] as Person);
    await take(house, 0, 1);

    const refused = await bookIn(await newConsumer(), house);

    expect(refused.status).toBe(409);
  });

  test.each<[string, object, () => Promise<Person>]>([
    ['takes one appointment of each person', { perPerson: 1 }, () => newConsumer()],
    ['asks for a phone number', { askPhone: 'required' }, () => newConsumer()],
    ['takes people with an account only', { openTo: 'accounts' }, () => newGuest(daybook)],
  ])('is kept by the next where the first %s', async (_, rules, reader) => {
    const house = await aShop(2);
    await setRules(house.people[0], rules);

    const booked = await bookIn(await reader(), house);

    expect(booked.status, booked.text).toBe(201);
    const second = house.people[1]?.username;
    expect(booked.json).toMatchObject(dates.map(() => ({ provider: second })));
  });

  test('says why the first may not keep it if nobody else can', async () => {
    const house = await aShop(2);
    for (const colleague of house.people) await setRules(colleague, { perPerson: 1 });

    const refused = await bookIn(await newConsumer(), house);

    expect(refused.status).toBe(409);
    expect(refused.text).toContain('at most 1 coming appointment');
  });

  test('is not booked by a provider', async () => {
    const house = await aShop(1);

    const refused = await bookIn(house.people[0], house);

    expect(refused.status).toBe(403);
  });

  test.each([
    ['no shop or ids', {}, 400],
    ['no starts', { shop: 'x' }, 400],
    ['a shop that is not', { shop: 'nobody-here', starts: [`${localDate({ date: until })}T09:00:00Z`] }, 409],
  ])('with %s is refused', async (_, body, status) => {
    const refused = await (await newConsumer()).api('POST', '/api/Appointment/BookSeries', body);

    expect(refused.status).toBe(status);
  });
});

describe('on its page, a series with anyone', () => {
  const twoPrices = async () => {
    const house = await aShop(2);
    const [owner, other] = house.people;
    const { id } = await houseService(owner, house.shop, [owner], { minutes: 30, price: '30 €', where: 'theirs' });
    await offer(owner, house.shop, { id }, other as Person, { price: '25 €' });
    const form = `/with/${house.shop}/at/${house.startsAt}?service=${id}`;
    return { house, other: other as Person, form, page: form.replace('?', '/again?') };
  };
  const address = 'Long Lane 4';

  test('is found from the form of its first time, by whoever is logged in', async () => {
    const { form, page } = await twoPrices();
    const hrefs = async (who: Pick<Person, 'browser'>) =>
      (await who.browser.get(form)).$$('main a').map((link) => decodeURIComponent(link.getAttribute('href') ?? ''));

    expect(await hrefs(await newConsumer())).toContain(page);
    expect(await hrefs({ browser: daybook.visitor() })).not.toContain(page);
  });

  test('is kept by one who does it for the price that the page says', async () => {
    const { house, page } = await twoPrices();
    const client = await newConsumer();

    const shown = await (await client.browser.get(page)).submit('Show the dates', { times: '3' });
    const done = await shown.submit('Book these 3', { address });

    expect(shown.words).toContain('30 €');
    expect(done.words).toContain('All 3 appointments are booked.');
    expect(done.words).toContain('30 €');
    expect(done.words).toContain(address);
    expect((await agenda(client)).map(({ provider }) => provider)).toEqual(dates.map(() => house.people[0].username));
  });

  test('keeps what was typed when nobody can keep it any more', async () => {
    const { house, page } = await twoPrices();
    const shown = await (await (await newConsumer()).browser.get(page)).submit('Show the dates', { times: '3' });
    await take(house, 0, 1);

    const refused = await shown.submit('Book these 3', { address });

    expect(refused.status).toBe(409);
    expect(refused.words).toContain('Nobody there is free on all of these dates.');
    expect(refused.text).toContain(address);
  });

  test('asks for the address where it takes place', async () => {
    const { page } = await twoPrices();
    const client = await newConsumer();
    const shown = await (await client.browser.get(page)).submit('Show the dates', { times: '3' });

    const refused = await shown.submit('Book these 3');

    expect(refused.status).toBe(400);
    expect(refused.words).toContain('Please give the address');
    expect(await agenda(client)).toEqual([]);
  });

  test('says the limit of appointments that is in the way', async () => {
    const { house, page } = await twoPrices();
    const client = await newConsumer();
    const shown = await (await client.browser.get(page)).submit('Show the dates', { times: '3' });
    for (const colleague of house.people) await setRules(colleague, { perPerson: 1 });
    await book(client, (await publishOne(house.people[0])) as Row);

    const [again, refused] = [
      await client.browser.get(`${page}&every=7&times=3`),
      await shown.submit('Book these 3', { address }),
    ];

    for (const { words } of [again, refused])
      expect(words).toContain('You can have at most one coming appointment with');
  });

  test('gives a guest their personal link', async () => {
    const { page } = await twoPrices();
    const guest = await newGuest(daybook);
    const shown = await (await guest.browser.get(page)).submit('Show the dates', { times: '3' });

    const done = await shown.submit('Book these 3', { address });

    expect(done.path).toMatch(/^\/booking\//);
    expect(done.words).toContain('All 3 appointments are booked.');
  });

  test('says that nobody is free for the first time', async () => {
    const { house, page } = await twoPrices();
    await take(house, 0, 0);
    await take(house, 1, 0);

    const shown = await (await newConsumer()).browser.get(`${page}&every=7&ends=times&times=3`);

    expect(shown.words).toContain('Nobody is free at this time any more.');
  });
});
