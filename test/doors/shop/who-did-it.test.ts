import { describe, expect, test } from 'vitest';
import { newsOf } from '../../support/account-calls';
import {
  book,
  dayAhead,
  isoAhead,
  look,
  type Person,
  peopleAt,
  publish,
  type Row,
  rowsOf,
} from '../../support/factories';
import { createParty } from '../../support/party-factories';
import { bringIn, openShop } from '../../support/shops';
import { useServer } from '../../support/use-server';

/* A colleague reads who of the shop booked, moved or canceled in their book; a client is told as if the colleague had. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

async function aShop() {
  const [ana, desk, maya] = await Promise.all([
    newProvider({ displayName: 'Ana' }),
    newProvider({ displayName: 'Dora Desk' }),
    newConsumer({ displayName: 'Maya' }),
  ]);
  const owner = await newProvider();
  await openShop(owner);
  await bringIn(owner, [ana]);
  await bringIn(owner, [desk], 'desk');
  const [first, second] = (await publish(ana, { end: '10:00', dates: [dayAhead(2)] })) as [Row, Row];
  return { ana, desk, maya, first, second };
}
type Shop = Awaited<ReturnType<typeof aShop>>;

const inBookOf = ({ username }: Person, call: string) => `/api/Appointment/${call}&of=${username}`;
const bookGus = ({ ana, desk, first }: Shop) =>
  desk.api('POST', inBookOf(ana, `BookFor?id=${first.id}`), { displayName: 'Gus' });
const moveMaya = async ({ ana, desk, maya, first, second }: Shop) => {
  await book(maya, first);
  return desk.api('PUT', inBookOf(ana, `Move?id=${first.id}&to=${second.id}`));
};
const cancelMaya = async ({ ana, desk, maya, first }: Shop) => {
  await book(maya, first);
  return desk.api('PUT', inBookOf(ana, `Cancel?id=${first.id}`), { reason: 'She is ill' });
};

const acts = [
  ['booked', bookGus, /^Dora Desk booked Gus with you: \w+, .*\.$/],
  ['moved', moveMaya, /^Dora Desk moved the appointment with Maya from \w+, .* to \w+, .*\.$/],
  ['canceled', cancelMaya, /^Dora Desk canceled the appointment with Maya: \w+, .*\. She is ill\.$/],
] as const;

describe.each(acts)('what the desk %s', (kind, act, words) => {
  test('says in the row who did it', async () => {
    const shop = await aShop();

    const { json } = await act(shop);

    expect(json).toMatchObject({ by: { username: shop.desk.username, displayName: 'Dora Desk' } });
    expect((await look(shop.ana, json as Row)).json).toMatchObject({ by: { displayName: 'Dora Desk' } });
  });

  test('is news to the colleague, which names the desk', async () => {
    const shop = await aShop();

    await act(shop);

    const [latest] = await newsOf(shop.ana);
    expect(latest).toMatchObject({ kind, isRead: false, text: expect.stringMatching(words) });
  });

  test('is no news to the desk', async () => {
    const shop = await aShop();

    await act(shop);

    expect((await newsOf(shop.desk)).filter((one) => one.kind === kind)).toEqual([]);
  });

  test('is on the page of the appointment', async () => {
    const shop = await aShop();

    const { id } = (await act(shop)).json as Row;

    const page = await shop.ana.browser.visit(`/details-provider/${id}`);
    expect(page.$('main')?.text).toContain('Dora Desk');
  });
});

test('a client is told of a move by the desk as if the colleague had moved it', async () => {
  const shop = await aShop();

  const { id } = (await moveMaya(shop)).json as Row;

  const [latest] = await newsOf(shop.maya);
  expect(latest).toMatchObject({ kind: 'moved', text: expect.stringMatching(/^Ana moved the appointment/) });
  expect((await look(shop.maya, { id })).json).toMatchObject({ by: null });
});

test('a client reads nowhere who of the shop canceled', async () => {
  const shop = await aShop();

  const { id } = (await cancelMaya(shop)).json as Row;

  const list = rowsOf(await shop.maya.api('GET', '/api/Appointment/GetDash'));
  expect(list.find((one) => one.id === id)).toMatchObject({ by: null });
  for (const path of [`/details-cancel/${id}`, '/view-dash', '/news'])
    expect((await shop.maya.browser.visit(path)).words).not.toContain('Dora');
});

test('the day sheet says who booked', async () => {
  const shop = await aShop();

  await bookGus(shop);

  const sheet = await shop.ana.browser.visit(`/day?date=${dayAhead(2)}`);
  expect(sheet.words).toMatch(/Gus.*by Dora Desk/s);
});

test('the list of canceled appointments says who did it, to the colleague and at the desk', async () => {
  const shop = await aShop();

  await cancelMaya(shop);

  expect((await shop.ana.browser.visit('/view-dash')).words).toContain('Canceled by Dora Desk');
  const atDesk = await shop.desk.browser.visit(`/view-dash?of=${shop.ana.username}`);
  expect(atDesk.words).toContain('Canceled by Dora Desk');
});

test('a free time that the desk removes says to nobody that they did it', async () => {
  const { ana, desk, first } = await aShop();
  await desk.api('PUT', inBookOf(ana, `Cancel?id=${first.id}`));

  for (const [who, query] of [
    [ana, ''],
    [desk, `?of=${ana.username}`],
  ] as const) {
    const page = await who.browser.visit(`/details-provider/${first.id}${query}`);
    expect(page.words).toMatch(/Removed, \w/);
    expect(page.words).not.toMatch(/Removed by/);
  }
});

test('what the colleague does alone is by nobody else, and no news to them', async () => {
  const { ana, first } = await aShop();

  const { json } = await ana.api('POST', `/api/Appointment/BookFor?id=${first.id}`, { displayName: 'Gus' });

  expect(json).toMatchObject({ by: null });
  expect(await newsOf(ana)).toEqual([]);
});

test('who moved back what the desk had booked is by nobody else again', async () => {
  const shop = await aShop();
  const { id } = (await bookGus(shop)).json as Row;

  const moved = await shop.ana.api('PUT', `/api/Appointment/Move?id=${id}&to=${shop.second.id}`);

  expect(moved.json).toMatchObject({ by: null });
});

describe('what a colleague does besides is busy time without a name at the desk', () => {
  const on = { date: dayAhead(2), startTime: '09:00', endTime: '10:00', title: 'Secret party' };

  test.each([
    `/week?from=${dayAhead(2)}`,
    `/day?date=${dayAhead(2)}`,
    `/view-open?day=${isoAhead(2)}`,
    `/hours?date=${isoAhead(2)}&time=09:00`,
    `/book-at?day=${isoAhead(2)}`,
  ])('at %s', async (path) => {
    const { ana, desk } = await aShop();
    await createParty(ana, on);

    const [own, atDesk] = [await ana.browser.visit(path), await desk.browser.visit(`${path}&of=${ana.username}`)];

    expect(own.text).toContain('Secret party');
    expect(atDesk.status).toBe(200);
    expect(atDesk.text).not.toContain('Secret party');
  });

  test('where a time over it is refused', async () => {
    const { ana, desk } = await aShop();
    await createParty(ana, { ...on, startTime: '15:00', endTime: '16:00' });

    const at = { displayName: 'Gus', date: dayAhead(2), start: '15:00', minutes: 30 };
    const { status, json } = await desk.api('POST', `/api/Appointment/BookFor?of=${ana.username}`, at);

    expect(status).toBe(409);
    expect(JSON.stringify(json)).toContain('They have something else then.');
  });
});
