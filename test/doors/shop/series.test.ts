import { describe, expect, test } from 'vitest';
import { agenda } from '../../support/appointment-calls';
import { book, dayAhead, localDate, type Person, peopleAt, type Row, rowsOf, several } from '../../support/factories';
import { leave, shopWith } from '../../support/shops';
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
