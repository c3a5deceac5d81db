import { beforeAll, describe, expect, test } from 'vitest';
import {
  book,
  dayAhead,
  type Person,
  password,
  peopleAt,
  publishOne,
  type Row,
  several,
} from '../../support/factories';
import { bringIn, invite, join, leave, openShop } from '../../support/shops';
import { writePast, writeShop } from '../../support/stored-bookings';
import { useServer } from '../../support/use-server';
import { askedOf } from '../../support/visit';

/* Who has left a shop: its desk reads what they had there until then, and nothing else. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

const listFormer = (who: Person) => who.api('GET', '/api/Shop/GetFormer');
const readPast = (who: Person, { username }: Person, page = 0) =>
  who.api('GET', `/api/Shop/GetPast?username=${username}&page=${page}`);
const pastOf = async (who: Person, whose: Person, page = 0) => (await readPast(who, whose, page)).json as Row[];
const idsOf = (rows: Row[]) => rows.map(({ id }) => id);

/** A shop with a desk and a colleague Ben, and Ana, who had so many appointments in it, which are over. */
async function aShop(many = 3) {
  const [owner, desk, ana, ben] = (await several(4, () => newProvider())) as [Person, Person, Person, Person];
  const client = await newConsumer({ displayName: 'Karla Keller' });
  const { username: shop } = await openShop(owner);
  await bringIn(owner, [desk], 'desk');
  await bringIn(owner, [ana, ben]);
  await writePast(daybook.d1, ana, client, many);
  const past = await writeShop(daybook.d1, ana, shop);
  return { owner, desk, ana, ben, client, shop, past };
}
type House = Awaited<ReturnType<typeof aShop>>;

const write = (statement: string, ...values: unknown[]) =>
  daybook.d1
    .prepare(statement)
    .bind(...values)
    .run();

describe('the past of somebody who has left', () => {
  let house: House;
  let later: Row;
  beforeAll(async () => {
    house = await aShop();
    const [, canceled, before] = house.past;
    await write(
      "UPDATE bookings SET attendance = 'seen', service_name = 'Cut', private_note = 'Limps', phone = '+351 1' WHERE id = ?",
      house.past[0],
    );
    await write(
      "UPDATE bookings SET status = 2, canceled_at = starts_at - 1, canceled_by = 'consumer' WHERE id = ?",
      canceled,
    );
    await write('UPDATE bookings SET shop_id = NULL WHERE id = ?', before);
    later = await publishOne(house.ana, { dates: [dayAhead(2)] });
    await book(house.client, later);
    await leave(house.ana);
  });

  test('lists them to the desk and to owners', async () => {
    const { ana, desk, owner } = house;

    const [first, second] = [await listFormer(desk), await listFormer(owner)];

    expect(first.json).toEqual([
      { username: ana.username, displayName: ana.displayName, leftAt: expect.stringMatching(/Z$/) },
    ]);
    expect(second.json).toEqual(first.json);
  });

  test('is read by the desk and by owners, the latest first', async () => {
    const { ana, desk, owner, past } = house;

    expect(idsOf(await pastOf(desk, ana))).toEqual(past.slice(0, 2));
    expect(idsOf(await pastOf(owner, ana))).toEqual(past.slice(0, 2));
  });

  test('says when, whose, what for and what became of it, and nothing else', async () => {
    const [came, canceled] = await pastOf(house.desk, house.ana);

    expect(came).toEqual({
      ...{ id: house.past[0], date: expect.any(String), timeZone: 'UTC' },
      ...{ startTime: '23:30', endTime: '00:00', startsAt: expect.any(String), endsAt: expect.any(String) },
      ...{ bookerName: 'Karla Keller', service: 'Cut', status: 1, attendance: 'seen' },
    });
    expect(canceled).toMatchObject({ status: 2, attendance: null });
  });

  test('has nothing that was booked outside of the shop', async () => {
    expect(idsOf(await pastOf(house.desk, house.ana))).not.toContain(house.past[2]);
  });

  test('has nothing that begins after they left', async () => {
    const rows = await pastOf(house.desk, house.ana);

    expect(rows).toHaveLength(2);
    expect(rows.every(({ startsAt }) => startsAt < later.startsAt)).toBe(true);
  });

  test('opens no appointment, card or day of theirs', async () => {
    const { desk, ana, past } = house;

    const responses = await Promise.all(
      [`Appointment/GetAppointment?id=${past[0]}&of=`, 'People/GetPage?of=', 'Appointment/GetMy?of='].map((call) =>
        desk.api('GET', `/api/${call}${ana.username}`),
      ),
    );

    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  test('is nothing to a colleague, to another shop, or to whoever left', async () => {
    const elsewhere = await newProvider();
    await openShop(elsewhere);

    for (const who of [house.ben, elsewhere, house.ana]) {
      expect((await readPast(who, house.ana)).status).toBe(404);
      expect((await who.browser.get(`/shop/former/${house.ana.username}`)).status).toBe(404);
    }
    for (const who of [house.ben, house.ana]) expect((await listFormer(who)).status).toBe(404);
    expect((await listFormer(elsewhere)).json).toEqual([]);
  });

  test('is nothing to a client or a stranger', async () => {
    const { ana, client } = house;

    expect((await readPast(client, ana)).status).toBe(403);
    expect((await daybook.visitor().api('GET', `/api/Shop/GetPast?username=${ana.username}`)).status).toBe(401);
  });

  test('is nothing of whoever is still in the shop', async () => {
    expect((await readPast(house.desk, house.ben)).status).toBe(404);
  });

  test('takes one round trip, as its pages and the list do', async () => {
    const { desk, ana } = house;

    const responses = [
      await readPast(desk, ana),
      await listFormer(desk),
      await desk.browser.get('/shop/former'),
      await desk.browser.get(`/shop/former/${ana.username}`),
    ];

    for (const { status, headers } of responses) {
      expect(status).toBe(200);
      expect(askedOf(headers)).toMatchObject({ trips: 1, written: 0 });
    }
  });

  test('is on a page, to which the page of the shop leads the desk', async () => {
    const { desk, ana, ben } = house;

    const shop = await desk.browser.get('/shop');
    const list = await desk.browser.get('/shop/former');
    const page = await desk.browser.get(`/shop/former/${ana.username}`);

    expect(shop.text).toContain('href="/shop/former"');
    expect(list.text).toContain(`href="/shop/former/${ana.username}"`);
    expect(page.$$('main li')).toHaveLength(2);
    expect(page.text).toContain('Karla Keller');
    expect(page.text).not.toContain('Limps');
    expect((await ben.browser.get('/shop')).text).not.toContain('/shop/former');
  });

  test('stands in the file of their own data: the shop that they have left', async () => {
    const { json } = await house.ana.api('GET', '/api/Account/Export');

    expect(json).toMatchObject({ formerShops: [{ username: house.shop, leftAt: expect.any(String) }] });
  });
});

test('the past comes twenty at a time', async () => {
  const { owner, desk, ana, past } = await aShop(21);
  await owner.api('PUT', `/api/Shop/Remove?username=${ana.username}`);

  const first = await readPast(desk, ana);

  expect(idsOf(first.json as Row[])).toEqual(past.slice(0, 20));
  expect(first.headers.get('x-has-more')).toBe('true');
  expect(idsOf(await pastOf(desk, ana, 1))).toEqual(past.slice(20));
  expect((await desk.browser.get(`/shop/former/${ana.username}`)).text).toContain('Next page');
});

test('whoever joins again has not left', async () => {
  const { owner, desk, ana } = await aShop();
  await leave(ana);

  await join(ana, await invite(owner));

  expect((await listFormer(desk)).json).toEqual([]);
  expect((await readPast(desk, ana)).status).toBe(404);
  expect((await desk.browser.get('/shop')).text).not.toContain('/shop/former');
});

test('whoever leaves twice has left once', async () => {
  const { owner, desk, ana } = await aShop();
  await leave(ana);
  await join(ana, await invite(owner));

  await leave(ana);

  expect((await listFormer(desk)).json).toHaveLength(1);
});

test('whoever joins another shop has still left the first', async () => {
  const { desk, ana } = await aShop();
  await leave(ana);
  const other = await newProvider();
  await openShop(other);

  await bringIn(other, [ana]);

  expect(await pastOf(desk, ana)).toHaveLength(3);
  expect((await readPast(other, ana)).status).toBe(404);
});

test('a refused leaving is none', async () => {
  const { owner, desk } = await aShop();

  expect((await leave(owner)).status).toBe(409);

  expect((await listFormer(desk)).json).toEqual([]);
});

const stored = async () =>
  (await daybook.d1.prepare('SELECT shop_id, account_id FROM former_colleagues').all<{ account_id: string }>()).results;

test('the past goes with their account', async () => {
  const { desk, ana } = await aShop();
  const before = await stored();
  await leave(ana);

  await ana.api('DELETE', '/api/Account/Delete', { password });

  expect((await listFormer(desk)).json).toEqual([]);
  expect((await readPast(desk, ana)).status).toBe(404);
  expect(await stored()).toEqual(before);
});

test('whoever deletes their account in the shop has not left it', async () => {
  const { desk, ana } = await aShop();

  await ana.api('DELETE', '/api/Account/Delete', { password });

  expect((await listFormer(desk)).json).toEqual([]);
});

test('nothing of it stays when the shop closes', async () => {
  const { owner, desk, ana, ben } = await aShop();
  const before = await stored();
  for (const who of [desk, ana, ben]) await leave(who);

  const closed = await owner.api('DELETE', '/api/Shop/Close', { password });

  expect(closed.status).toBe(204);
  expect(await stored()).toEqual(before);
});
