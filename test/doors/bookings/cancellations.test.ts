import { describe, expect, test } from 'vitest';
import { complaints, nothing } from '../../support/complaints';
import {
  book,
  cancel,
  dayAhead,
  look,
  type Person,
  peopleAt,
  publish,
  publishOne,
  type Row,
} from '../../support/factories';
import { words } from '../../support/forms';
import { useServer, useWorld } from '../../support/use-server';
import type { Page } from '../../support/visit';

/* Whoever cancels may say why. The other side reads it, and what was taken stays in sight until it would have been over. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { karla, rival, maya, june } = useWorld(daybook, {
  karla: {},
  rival: {},
  maya: {},
  june: { displayName: 'June' },
});

let days = 1;
const freshSlot = () => publishOne(karla, { dates: [dayAhead(++days)] });
const booked = async (who: Person = maya): Promise<Row> => (await book(who, await freshSlot())).json as Row;

describe('a cancellation', () => {
  test('says who canceled and why, to both, and keeps its first reason', async () => {
    for (const [who, canceledBy] of [
      [maya, 'consumer'],
      [karla, 'provider'],
    ] as const) {
      const row = await booked();
      expect(row).toMatchObject({ canceledBy: null, cancelReason: null, movedFrom: null });
      for (const stranger of [rival, june]) expect(await cancel(stranger, row, 'Mine')).toMatchObject(nothing);
      const wanted = { status: 200, json: { id: row.id, status: 2, canceledBy, cancelReason: 'I am ill.' } };
      expect(await cancel(who, row, '  I am ill. ')).toMatchObject(wanted);
      for (const side of [maya, karla]) {
        expect(await look(side, row)).toMatchObject(wanted);
        expect(await cancel(side, row, 'Second')).toMatchObject(wanted);
      }
    }
  });

  test('with a reason that is too long or no text is refused, and nothing is canceled', async () => {
    const row = await booked();
    for (const reason of ['x'.repeat(501), 5, 'a\u0000b'])
      expect(complaints(await maya.api('PUT', `/api/Appointment/Cancel?id=${row.id}`, { reason }))).toHaveLength(1);
    expect((await look(maya, row)).json).toMatchObject({ status: 1 });
    expect((await cancel(maya, row, 'x'.repeat(500))).status).toBe(200);
  });
});

/** The lines of the card with that title; undefined where the page has no such card. */
function linesOf(page: Page, title: string): string[] | undefined {
  const card = page.$$('main section').find((section) => words(section.querySelector('h2')?.text) === title);
  return card?.querySelectorAll('.lines > li > div:last-of-type').map((line) => words(line.structuredText));
}

describe('what the provider canceled', () => {
  const byProvider = 'Canceled by the provider';

  test('stands on top of the client’s home with the reason, until the client has seen it', async () => {
    const client = await newConsumer();
    const [first, second] = [await booked(client), await booked(client)];
    await cancel(karla, first, 'I am ill.');
    await cancel(karla, second);
    const home = await client.browser.get('/');
    const notices = (page: Page) => page.$$('main section[role=status] h2').map(({ text }) => text);
    expect(notices(home).sort()).toEqual(['Canceled by Karla', 'Canceled by Karla: I am ill.']);
    const seen = home.$('main form[action="/news"] input[name=seen]')?.getAttribute('value') as string;
    await june.browser.post('/news', { seen });
    expect(notices(await client.browser.get('/'))).toHaveLength(2);
    expect((await client.browser.post('/news', { seen })).location).toBe('/');
    const after = await client.browser.get('/');
    expect(notices(after)).toEqual(['Canceled by Karla: I am ill.']);
    expect(notices(await after.submit('Mark as read'))).toEqual([]);
  });

  test('is listed on Home and among the booked ones once it is read, with who canceled it', async () => {
    const client = await newConsumer({ timeZone: 'Asia/Tokyo' });
    const slot = await booked(client);
    await cancel(karla, slot);
    const told = await client.browser.visit('/');
    // It is told once: first as a notice, then in the list.
    expect([linesOf(told, byProvider), told.words.split('Canceled by Karla').length]).toEqual([undefined, 2]);
    await told.submit('Mark as read');
    for (const path of ['/', '/view-booked']) {
      const page = await client.browser.get(path);
      const line =
        /^Karla 09:00 to 09:30 · 30 minutes · UTC ?18:00 to 18:30 for you.*Canceled by Karla, .* Tokyo time$/;
      expect(linesOf(page, byProvider)).toEqual([expect.stringMatching(line)]);
      expect((await page.click('Book another time')).path).toBe(`/view?provider=${karla.username}`);
    }
  });
});

test('a provider reads who canceled, the newest first, however many slots they withdraw themselves', async () => {
  const ana = await newProvider();
  const [first, second, third] = (await publish(ana, { end: '10:30', dates: [dayAhead(30)] })) as [Row, Row, Row];
  for (const slot of [first, second]) await book(maya, slot);
  await book(june, third);
  await cancel(june, third);
  await cancel(maya, first);
  await cancel(ana, second);
  await publish(ana, { end: '21:00', dates: [dayAhead(1)] });
  expect((await ana.browser.post('/view-open', { all: 'yes' })).status).toBe(303);

  const who = (page: Page, title: string) =>
    linesOf(page, title)?.map((line) =>
      line.replace(/^(\w+ ?\w*) (\d\d:\d\d) to.*(Canceled|Removed) by ([^,]*), (.*)$/, '$1 $2 $4'),
    );
  const newestFirst = ['Maya Lindqvist 09:30 you', 'Maya Lindqvist 09:00 Maya Lindqvist', 'June 10:00 June'];
  const home = await ana.browser.get('/');
  expect(who(home, 'Canceled')).toEqual(newestFirst);
  const dash = await home.click('Booked and canceled');
  expect(who(dash, 'Canceled')).toEqual(newestFirst);
  const removed = who(await dash.click('Free times that you have removed'), 'Removed');
  expect([removed?.length, removed?.[0]]).toEqual([20, 'Free time 09:00 you']);
});
