import { describe, expect, test } from 'vitest';
import { book, cancel, dayAhead, type Person, peopleAt, publish, type Row, writeSlot } from '../../support/factories';
import { createService } from '../../support/services';
import { bringIn, leave, setTakes, shopWith } from '../../support/shops';
import { storedRows, useServer } from '../../support/use-server';
import type { Page } from '../../support/visit';

/* The day of all: what desk and owners see of a day in the books of all their colleagues. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

const date = dayAhead(2);

/** Ana, the owner, and Ben with two free half hours each; Dora is at the desk, and takes no appointments. */
async function aShop() {
  const ana = await newProvider({ displayName: 'Ana Owner' });
  const ben = await newProvider({ displayName: 'Ben Barber' });
  const dora = await newProvider({ displayName: 'Dora Desk' });
  const { slots } = await shopWith([ana, ben], { end: '10:00', dates: [date] });
  await bringIn(ana, [dora], 'desk');
  await setTakes(ana, dora, false);
  const [[anas], [bens, bensNext]] = slots as [Row[], Row[]] as [[Row], [Row, Row]];
  return { ana, ben, dora, anas, bens, bensNext, karla: await newConsumer({ displayName: 'Karla Keller' }) };
}

const dayOf = (who: Person, query = '') => who.browser.get(`/shop/day?date=${date}${query}`);
const names = (page: Page) => page.$$('.team thead .name').map(({ text }) => text);
const changes = (page: Page) => page.$$('.changes li').map(({ structuredText }) => structuredText.replace(/\s+/g, ' '));
const linkIn = (page: Page, words: string) =>
  page
    .$$('a')
    .find(({ text }) => text.includes(words))
    ?.getAttribute('href');

describe('the day of all', () => {
  test('has a column for each colleague who takes appointments, which leads to their day', async () => {
    const { dora, ben } = await aShop();

    const page = await dayOf(dora);

    expect(page.status).toBe(200);
    expect(names(page)).toEqual(['Ana Owner', 'Ben Barber']);
    expect(linkIn(page, 'Ben Barber')).toBeDefined();
    expect(page.$(`.team thead a[href="/day?date=${date}&of=${ben.username}"]`)).not.toBeNull();
  });

  test('is also the owner’s, whose own times lead to their own book', async () => {
    const { ana, anas } = await aShop();

    const page = await dayOf(ana);

    expect(page.$(`a[href="/details-provider/${anas.id}#for-someone"]`)).not.toBeNull();
  });

  test.each([
    ['a colleague without the desk', ({ ben }: Awaited<ReturnType<typeof aShop>>) => ben],
    ['somebody in no shop', () => newProvider()],
  ])('is nothing for %s', async (_, by) => {
    const shop = await aShop();

    expect((await dayOf(await by(shop))).status).toBe(404);
  });

  test('has nothing of another shop', async () => {
    await aShop();
    const other = await newProvider({ displayName: 'Olga Other' });
    await shopWith([other], { dates: [date] });

    expect(names(await dayOf(other))).toEqual(['Olga Other']);
  });

  test('leads from each free time to booking somebody into that book', async () => {
    const { dora, ben, bens } = await aShop();

    const page = await dayOf(dora);

    const link = page.$(`a[href="/details-provider/${bens.id}?of=${ben.username}#for-someone"]`);
    expect(link?.text).toContain('book for someone with Ben Barber');
    expect((await dora.browser.get(link?.getAttribute('href') ?? '')).words).toContain('Book for someone');
  });

  test('opens each appointment in the book that it is in', async () => {
    const { dora, ben, bens, karla } = await aShop();
    await book(karla, bens);

    const link = linkIn(await dayOf(dora, `&with=${ben.username}`), 'Karla Keller') ?? '';

    expect(link).toContain(`of=${ben.username}`);
    expect((await dora.browser.get(link)).words).toContain('Karla Keller');
  });

  test('says how many seats of a class are taken', async () => {
    const { dora, ana, karla } = await aShop();
    const yoga = await createService(ana, { name: 'Yoga', minutes: 60, seats: 8 });
    const [slot] = (await publish(ana, { start: '12:00', end: '13:00', dates: [date], serviceId: yoga.id })).slice(-1);
    expect((await dayOf(dora)).words).toContain('0 of 8 seats taken');

    await book(karla, slot as Row);

    expect((await dayOf(dora)).words).toContain('1 of 8 seats taken');
    expect((await dayOf(dora)).words).not.toContain('Karla Keller 1');
  });

  test('keeps whoever takes none for as long as they have an appointment then', async () => {
    const { dora, ana, ben, bens, karla } = await aShop();
    await book(karla, bens);
    await setTakes(ana, ben, false);

    expect(names(await dayOf(dora))).toContain('Ben Barber');
    expect(names(await dora.browser.get(`/shop/day?date=${dayAhead(3)}`))).toEqual(['Ana Owner']);
  });

  test('says who is closed and who has published nothing', async () => {
    const { dora, ben } = await aShop();
    const everyDay = [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, start: '09:00', end: '10:00' }));
    const except = [{ date: dayAhead(5), hours: [] }];
    await ben.api('PUT', '/api/Appointment/SetHours', { hours: everyDay, except, len: 30 });

    const heads = (await dora.browser.get(`/shop/day?date=${dayAhead(5)}`)).$$('.team thead th');

    expect(heads[0]?.text).toContain('Nothing published');
    expect(heads[1]?.text).toContain('Closed');
  });

  test('shows what is over as past', async () => {
    const { dora, ben, karla } = await aShop();
    const { id } = await writeSlot(daybook.d1, ben, { startsIn: -60, booker: karla });
    const [, on] = /(\d{4}-\d\d-\d\d)/.exec(new Date(Date.now() - 60 * 60_000).toISOString()) ?? [];

    const page = await dora.browser.get(`/shop/day?date=${on}`);

    expect(page.$(`a.is-past[href*="${id}"]`)?.text).toContain('Karla Keller');
  });

  test('can be that of one colleague, and keeps them from day to day', async () => {
    const { dora, ben } = await aShop();

    const page = await dayOf(dora, `&with=${ben.username}`);

    expect(names(page)).toEqual(['Ben Barber']);
    expect(
      page.$$('nav.steps a').filter((link) => link.getAttribute('href')?.includes(`with=${ben.username}`)),
    ).toHaveLength(3);
    expect(page.$('form[method=get] input[name=with]')?.getAttribute('value')).toBe(ben.username);
  });

  test('leads to handing over the day of somebody who is ill', async () => {
    const { dora, ben } = await aShop();

    expect((await dayOf(dora)).$(`.team a[href="/shop/hand-over?of=${ben.username}&date=${date}"]`)?.text).toContain(
      'ill',
    );
  });
});

describe('what is new since the desk looked', () => {
  test('is what was booked, moved and canceled in any book', async () => {
    const { dora, ana, anas, bens, bensNext, karla } = await aShop();
    await book(karla, anas);
    await cancel(ana, anas);
    await book(karla, bens);
    const moved = await karla.api('PUT', `/api/Appointment/Move?id=${bens.id}&to=${bensNext.id}`);
    expect(moved.status).toBe(200);

    const lines = changes(await dayOf(dora));

    expect(lines.filter((line) => line.includes('Canceled'))).toHaveLength(1);
    expect(lines.filter((line) => line.includes('Moved'))).toHaveLength(1);
    expect(lines.every((line) => line.includes('Karla Keller with'))).toBe(true);
  });

  test('names who of the shop did it, to all but them', async () => {
    const { dora, ana, ben, bens, karla } = await aShop();
    await book(karla, bens);
    await dora.api('PUT', `/api/Appointment/Cancel?id=${bens.id}&of=${ben.username}`);

    expect(changes(await dayOf(ana))).toEqual([expect.stringMatching(/Canceled: .* · by Dora Desk$/)]);
    expect(changes(await dayOf(dora))).toEqual([]);
  });

  test('is gone once they say that they have seen it, and still new to the owner', async () => {
    const { dora, ana, bens, bensNext, karla } = await aShop();
    await book(karla, bens);

    const after = await (await dayOf(dora)).submit('I have seen this');

    expect(after.path).toBe(`/shop/day?date=${date}`);
    expect(changes(after)).toEqual([]);
    expect(changes(await dayOf(ana))).toHaveLength(1);
    await book(await newConsumer(), bensNext);
    expect(changes(await dayOf(dora))).toHaveLength(1);
  });

  test('stays new until they say so: looking writes nothing', async () => {
    const { dora, bens, karla } = await aShop();
    await book(karla, bens);
    const before = await storedRows(daybook);

    await dayOf(dora);

    expect(changes(await dayOf(dora))).toHaveLength(1);
    expect(await storedRows(daybook)).toEqual(before);
  });

  test('is not made old again by a page that was opened before', async () => {
    const { dora, bens, bensNext, karla } = await aShop();
    await book(karla, bens);
    const older = await dayOf(dora);
    await book(await newConsumer(), bensNext);

    await (await dayOf(dora)).submit('I have seen this');
    const after = await older.submit('I have seen this');

    expect(changes(after)).toEqual([]);
  });

  test('leaves out the book of whoever has left', async () => {
    const { dora, ben, bens, karla } = await aShop();
    await book(karla, bens);
    await leave(ben);

    expect(changes(await dayOf(dora))).toEqual([]);
  });

  test('is nothing that a colleague without the desk can mark', async () => {
    const { ben } = await aShop();
    const { once } = await ben.browser.get('/profile').then((page) => ({ once: page.$('input[name=once]') }));
    const before = await storedRows(daybook);

    const response = await ben.browser.post('/shop/day', { once: once?.getAttribute('value') ?? '', until: '9' });

    expect(response.status).toBe(404);
    expect(await storedRows(daybook)).toEqual(before);
  });
});

describe('the ways to it', () => {
  test('are on Today, in the menu and on the page of the shop, for desk and owners', async () => {
    const { dora, ben } = await aShop();

    for (const path of ['/', '/shop']) {
      expect((await dora.browser.get(path)).$$('main a[href="/shop/day"]')).toHaveLength(1);
      expect((await ben.browser.get(path)).$$('a[href="/shop/day"]')).toEqual([]);
    }
    expect((await dora.browser.get('/')).$$('a[href="/shop/day"]').length).toBeGreaterThan(1);
  });

  test('lead from the page of the shop to the book of each colleague', async () => {
    const { dora, ana, ben } = await aShop();

    const page = await dora.browser.get('/shop');

    for (const { username } of [ana, ben]) expect(page.$(`main a[href="/day?of=${username}"]`)).not.toBeNull();
    expect(page.$(`main a[href="/day?of=${dora.username}"]`)).toBeNull();
  });
});
