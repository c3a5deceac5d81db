import { beforeAll, describe, expect, test } from 'vitest';
import { agenda } from '../../support/appointment-calls';
import { type CalendarEvent, readCalendar } from '../../support/calendars';
import { book, cancel, look, type Person, password, peopleAt, publish, type Row } from '../../support/factories';
import { newGuest } from '../../support/guests';
import { bookedSubject, confirmAddress, entryAt, newAddress } from '../../support/mails';
import { bringIn, openShop } from '../../support/shops';
import { useMail } from '../../support/use-mail';
import { titleOf } from '../../support/visit';

/* What a client reads of an appointment in a shop: the colleague and the shop, on every screen, in mail and in calendars. */

const { mailServer, daybook } = useMail();
const { newProvider, newConsumer } = peopleAt(daybook);

const [ana, sol] = ['Ana Lima', 'Salão Sol'];
const both = `${ana}, ${sol}`;
const place = { address: 'Rua do Sol 1', phone: '+351 21 345 67 89' };

/** A colleague in a shop, with times tomorrow. */
async function inShop() {
  const owner = await newProvider();
  const shop = await openShop(owner, { displayName: sol, ...place });
  const colleague = await confirmAddress(daybook.d1, await newProvider({ displayName: ana }));
  await bringIn(owner, [colleague]);
  const slots = await publish(colleague, { end: '11:00' });
  return { owner, shop, colleague, slots: slots as [Row, Row, Row, Row] };
}

const rowOf = async (who: Person, slot: Row) =>
  (await look(who, slot)).json as Row & { shop: unknown; place: string | null };
const closeShop = (owner: Person) => owner.api('DELETE', '/api/Shop/Close', { password });

describe('a client of a colleague in a shop', () => {
  let maya: Person;
  let shop: { username: string };
  let slot: Row;
  beforeAll(async () => {
    maya = await newConsumer();
    const made = await inShop();
    [slot] = made.slots;
    shop = made.shop;
    await book(maya, slot);
  });
  const read = async (path: string) => (await maya.browser.get(path)).words;

  test('reads both in a row', async () => {
    expect(await rowOf(maya, slot)).toMatchObject({
      providerName: ana,
      shop: { username: shop.username, displayName: sol },
    });
  });

  test('reads both in a list', async () => {
    expect(await read('/view-booked')).toContain(both);
  });

  test('reads both on the page of the appointment', async () => {
    expect(await read(`/details-cancel/${slot.id}`)).toContain(both);
  });

  test('reads both at home', async () => {
    expect(await read('/')).toContain(both);
  });

  test('reads both in the calendar entry', async () => {
    expect((await entryAt(maya.browser, `/appointments/${slot.id}`)).summary).toBe(both);
  });

  test('finds the address of the shop in the calendar entry', async () => {
    expect((await entryAt(maya.browser, `/appointments/${slot.id}`)).location).toBe(place.address);
  });

  test('finds the address of the shop in a row', async () => {
    expect((await rowOf(maya, slot)).place).toBe(place.address);
  });

  test('finds both and the address in the feed', async () => {
    const { json } = await maya.api('POST', '/api/Account/MakeFeed');
    const { text } = await daybook.visitor().get((json as { link: string }).link);

    const entry = readCalendar(text).events.get(`${slot.id}@daybook`) as CalendarEvent;

    expect(entry).toMatchObject({ summary: both, location: place.address });
  });

  test('finds the shop in the export', async () => {
    const { text } = await maya.api('GET', '/api/Account/Export');

    expect(text).toContain(sol);
  });
});

test('a client finds the address of a colleague who has one of their own', async () => {
  const { colleague, slots } = await inShop();
  await colleague.api('PUT', '/api/Account/SetProfile', { address: 'Beco 2' });
  const maya = await newConsumer();
  await book(maya, slots[0]);

  expect((await rowOf(maya, slots[0])).place).toBe('Beco 2');
});

test('a list of the API names the shop of each', async () => {
  const { slots } = await inShop();
  const maya = await newConsumer();
  await book(maya, slots[0]);

  expect(await agenda(maya)).toMatchObject([{ shop: { displayName: sol } }]);
});

test('an appointment without a shop names none', async () => {
  const [karla, maya] = [await newProvider(), await newConsumer()];
  const [slot] = (await publish(karla)) as [Row];
  await book(maya, slot);

  expect(await rowOf(maya, slot)).toMatchObject({ shop: null });
});

test('an appointment in a shop that has closed names the colleague alone', async () => {
  const owner = await newProvider({ displayName: ana });
  await openShop(owner, { displayName: sol, ...place });
  const [slot] = (await publish(owner)) as [Row];
  const maya = await newConsumer();
  await book(maya, slot);

  await closeShop(owner);

  expect(await rowOf(maya, slot)).toMatchObject({ providerName: ana, shop: null, place: null });
  expect((await entryAt(maya.browser, `/appointments/${slot.id}`)).summary).toBe(ana);
});

describe('a guest of a colleague in a shop', () => {
  const email = newAddress();
  let slots: Row[];
  let row: Row;
  beforeAll(async () => {
    const made = await inShop();
    slots = made.slots;
    const guest = await newGuest(daybook, { email });
    row = (await book(guest, slots[0] as Row)).json as Row;
    const moved = await book(guest, slots[1] as Row);
    await made.colleague.api('PUT', `/api/Appointment/Move?id=${(moved.json as Row).id}&to=${slots[2]?.id}`);
    await mailServer.got(email, /^Moved: /);
    await cancel(made.colleague, slots[2] as Row, 'ill');
  });

  test('reads both in the mail that it is booked', async () => {
    const { mail } = await mailServer.got(email, bookedSubject);

    expect(mail.subject).toMatch(new RegExp(`^${both}: `));
    expect(mail.text).toContain(`Your appointment with ${both} is on`);
    expect(mail.text).toContain(`Where: ${place.address}`);
    expect(mail.text).toContain(`Phone: ${place.phone}`);
  });

  test.each([/^Moved: /, /^Canceled: /])('reads both in the subject of the mail %s', async (subject) => {
    expect((await mailServer.got(email, subject)).mail.subject).toContain(both);
  });

  test('reads both at the personal link', async () => {
    const page = await daybook.visitor().visit(row.link ?? '');

    expect(page.words).toContain(both);
    expect(titleOf(page)).toBe('Your appointment');
  });

  test('finds the address of the shop at the personal link', async () => {
    expect((await daybook.visitor().get(row.link ?? '')).words).toContain(place.address);
  });
});
