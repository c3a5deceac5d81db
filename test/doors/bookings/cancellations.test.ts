import { describe, expect, test } from 'vitest';
import { ask, create, openSlotsOf } from '../../support/appointment-calls';
import { complaints, nothing, personalLink, started } from '../../support/complaints';
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
  rowsOf,
  writeSlot,
} from '../../support/factories';
import { words } from '../../support/forms';
import { cancelBeforeStart } from '../../support/stored-bookings';
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
const booked = async (who: Person): Promise<Row> => (await book(who, await freshSlot())).json as Row;

describe('a cancellation', () => {
  test('by the booker publishes the time again under a new id, notes and all; the old one stays, with its first reason', async () => {
    const [ana, reader] = [await newProvider(), await newConsumer()];
    const slot = await publishOne(ana, { notes: 'Ring twice' });
    await book(reader, slot);
    for (const stranger of [rival, june]) expect(await cancel(stranger, slot, 'Mine')).toMatchObject(nothing);
    const canceled = await cancel(reader, slot, '  I am ill. ');
    const { username, displayName: bookerName } = reader;
    const had = { free: 0, people: 1, username, bookerName, link: personalLink };
    const off = { status: 2, canceledBy: 'consumer', cancelReason: 'I am ill.' };
    expect(canceled).toMatchObject({ status: 200, json: { ...slot, ...had, ...off } });
    expect((await cancel(reader, slot, 'Second')).json).toEqual(canceled.json);
    const [again, ...more] = await openSlotsOf(maya, ana);
    expect(more).toEqual([]);
    expect(again).toStrictEqual({ ...slot, id: expect.any(String), slotId: again?.id });
    expect(again?.id).not.toBe(slot.id);
    const row = canceled.json as Row;
    expect(rowsOf(await ask(reader, 'GetDash'))).toStrictEqual([row]);
    expect(rowsOf(await ask(ana, 'GetDash'))).toStrictEqual([{ ...row, link: null }]);
  });

  test('by the provider, of what is booked or open, does not publish it again, once or twice', async () => {
    const ana = await newProvider();
    const [taken, open] = (await publish(ana, { end: '10:00' })) as [Row, Row];
    await book(maya, taken);
    const canceled = { status: 2, free: 0, canceledBy: 'provider' };
    const told = { ...canceled, id: taken.id, username: maya.username, cancelReason: 'I am ill.' };
    for (const reason of ['I am ill.', 'Second']) {
      expect((await cancel(ana, taken, reason)).json).toMatchObject(told);
      expect((await cancel(ana, open)).json).toMatchObject({ ...open, ...canceled });
    }
    expect(await cancel(maya, taken)).toMatchObject({ status: 200, json: told });
    expect(await openSlotsOf(maya, ana)).toEqual([]);
    expect((await create(ana)).json).toStrictEqual({ created: 1, skipped: 0 });
  });

  test('after the start is a 409 that says so; what was canceled before answers the same when it is sent again', async () => {
    const running = await writeSlot(daybook.d1, rival, { startsIn: -10, booker: maya });
    for (const who of [maya, rival]) expect(await cancel(who, running)).toMatchObject(started);
    await daybook.d1.prepare(cancelBeforeStart).bind(running.id).run();
    for (const who of [rival, maya]) expect((await cancel(who, running)).json).toMatchObject({ status: 2 });
  });

  test('with a reason that is too long or no text is refused, and nothing is canceled', async () => {
    const row = await booked(maya);
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
