import { describe, expect, test } from 'vitest';
import { setRules } from '../../support/account-calls';
import { book, cancel, look, type Person, peopleAt, type Row, writeSlot } from '../../support/factories';
import { openShop } from '../../support/shops';
import { useServer } from '../../support/use-server';
import { add, only, takeOffer } from '../../support/waitlist';

/* What a booking keeps when it gets another time, whoever gives it that: its client, its provider, or an offer of the waitlist. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

const bookAlone = (client: Person, slot: { id: string }, _: Person) => book(client, slot);

/** Opens a shop for the provider, and asks there for anyone. */
async function bookAnyone(client: Person, slot: { id: string }, host: Person) {
  const { username: shop } = await openShop(host);
  const { startsAt } = (await look(host, slot)).json as Row;
  return client.api('PUT', `/api/Appointment/BookAnyone?${new URLSearchParams({ shop, startsAt })}`);
}

/** Two times of one provider: `later` is the client's, in three days, and `earlier` somebody else's, in ten hours. */
type Booked = { host: Person; client: Person; later: { id: string }; earlier: { id: string } };

async function booked(rules: object = {}, ask: typeof bookAlone = bookAlone): Promise<Booked> {
  const [host, client, other] = await Promise.all([newProvider(), newConsumer(), newConsumer()]);
  await setRules(host, rules);
  const later = await writeSlot(daybook.d1, host, { startsIn: 3 * 1440 });
  const earlier = await writeSlot(daybook.d1, host, { startsIn: 600 });
  expect((await book(other, earlier)).status).toBe(200);
  expect((await ask(client, later, host)).status).toBe(200);
  return { host, client, later, earlier };
}

/** The provider cancels what another client has at the earlier time, and offers that again. */
const free = ({ host, earlier }: Booked) =>
  host.api('PUT', `/api/Appointment/Cancel?id=${earlier.id}&republish=true`, {});

async function freed(world: Booked): Promise<Row> {
  await free(world);
  const { host } = world;
  const slots = (await host.api('GET', `/api/Appointment/GetPage?provider=${host.username}`)).json as Row[];
  return slots[0] as Row;
}

const moveBy = (who: 'client' | 'provider') => async (world: Booked) => {
  const to = await freed(world);
  const mover = who === 'client' ? world.client : world.host;
  return mover.api('PUT', `/api/Appointment/Move?id=${world.later.id}&to=${to.id}`);
};

async function moveByOffer(world: Booked) {
  await add(world.client, world.host, { insteadOf: world.later.id });
  await free(world);
  const { offer } = await only(world.client);
  return takeOffer(daybook.visitor(), offer);
}

const ways = [
  ['its client', moveBy('client')],
  ['its provider', moveBy('provider')],
  ['an offer of the waitlist', moveByOffer],
] as const;

describe.each(ways)('a booking that is moved by %s', (_, moved) => {
  test('keeps the provider’s private note', async () => {
    const world = await booked();
    await world.host.api('PUT', `/api/Appointment/SetNote?id=${world.later.id}`, { note: 'Brings a dog' });

    const row = (await moved(world)).json as Row;

    expect(row.movedFrom).toBe(world.later.id);
    expect((await look(world.host, row)).json).toMatchObject({ privateNote: 'Brings a dog' });
  });

  test('keeps the deadline that it was booked with, where the rule is milder now', async () => {
    const world = await booked({ cancelUntil: 1440 });
    await setRules(world.host, { cancelUntil: 0 });

    const row = (await moved(world)).json as Row;

    expect(await cancel(world.client, row)).toMatchObject({
      status: 409,
      json: expect.stringContaining('up to 1 day before'),
    });
  });

  test('keeps that its client asked for anyone, and why it was this provider', async () => {
    const world = await booked({}, bookAnyone);
    const { why } = (await look(world.client, world.later)).json as Row;

    const row = (await moved(world)).json as Row;

    expect(why).toContain('nothing of that day was taken');
    expect(row).toMatchObject({ asked: 'anyone', why });
  });

  test('keeps that it was booked without a deadline, where the rule has one now', async () => {
    const world = await booked({ cancelUntil: 0 });
    await setRules(world.host, { cancelUntil: 1440 });

    const row = (await moved(world)).json as Row;

    expect((await cancel(world.client, row)).status).toBe(200);
  });
});
