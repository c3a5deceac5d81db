import { describe, expect, test } from 'vitest';
import { nothing } from '../../support/complaints';
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
import { type Page, tripsOf } from '../../support/visit';

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
    for (const reason of ['x'.repeat(501), 5, 'a\u0000b']) {
      const answer = await maya.api('PUT', `/api/Appointment/Cancel?id=${row.id}`, { reason });
      expect([answer.status, (answer.json as string[]).length]).toEqual([400, 1]);
    }
    expect((await look(maya, row)).json).toMatchObject({ status: 1 });
    expect((await cancel(maya, row, 'x'.repeat(500))).status).toBe(200);
  });

  test('is asked for once more by each screen, which says what happens to the time', async () => {
    const row = await booked();
    const ofClient = await maya.browser.get(`/details-cancel/${row.id}`);
    expect(ofClient.$('dialog')?.text).toContain('Its time is free for others again at once.');
    const ofProvider = await karla.browser.get(`/view-provider/${row.id}`);
    expect(ofProvider.$('dialog')?.text).toContain('Offer its time again, so that others can book it');
    const done = await ofProvider.submit('Cancel Appointment', { reason: 'Burst pipe' });
    expect(done.words).toContain('Canceled: ');
    expect((await maya.browser.get(`/details-cancel/${row.id}`)).words).toMatch(/Canceled by Karla, .*: Burst pipe/);
  });
});

/** The lines of the card with that title; undefined where the page has no such card. */
function linesOf(page: Page, title: string): string[] | undefined {
  const card = page.$$('main section').find((section) => words(section.querySelector('h2')?.text) === title);
  return card?.querySelectorAll('.lines > li > div:last-of-type').map((line) => words(line.structuredText));
}

/** The day and time at which somebody does something now, on the clocks of that zone. */
const nowIn = (timeZone: string) =>
  new RegExp(`^\\w{3} \\d+ \\w{3}( \\d{4})?, \\d\\d:\\d\\d ${timeZone === 'UTC' ? 'UTC' : 'Tokyo time'}$`);

describe('what the provider canceled', () => {
  const byProvider = 'Canceled by the provider';

  test('stands on top of the client’s home with the reason, until the client has seen it', async () => {
    const client = await newConsumer();
    const [first, second] = [await booked(client), await booked(client)];
    await cancel(karla, first, 'I am ill.');
    await cancel(karla, second);
    const home = await client.browser.get('/');
    expect(tripsOf(home)).toBe(1);
    const notices = (page: Page) => page.$$('main section[role=status] h2').map(({ text }) => text);
    expect(notices(home).sort()).toEqual(['Canceled by Karla', 'Canceled by Karla: I am ill.']);
    const seen = home.$('main form[action="/news"] input[name=seen]')?.getAttribute('value') as string;
    expect((await june.browser.post('/news', { seen })).status).toBe(303);
    expect(notices(await client.browser.get('/'))).toHaveLength(2);
    expect((await client.browser.post('/news', { seen })).location).toBe('/');
    const after = await client.browser.get('/');
    expect(notices(after)).toEqual(['Canceled by Karla: I am ill.']);
    const all = await after.submit('Mark as read');
    expect(notices(all)).toEqual([]);
  });

  test('is listed on Home and among the booked ones once it is read, with who canceled it and when', async () => {
    const ana = await newProvider({ displayName: 'Ana Costa' });
    const client = await newConsumer({ timeZone: 'Asia/Tokyo' });
    const [kept, taken] = (await publish(ana, { end: '10:00' })) as [Row, Row];
    for (const slot of [kept, taken]) await book(client, slot);
    await cancel(ana, taken);
    const told = await client.browser.visit('/');
    // It is told once: first as a notice, then in the list.
    expect([linesOf(told, byProvider), told.words.split('Canceled by Ana Costa').length]).toEqual([undefined, 2]);
    await told.submit('Mark as read');
    for (const path of ['/', '/view-booked']) {
      const page = await client.browser.get(path);
      const [line, ...more] = linesOf(page, byProvider) ?? [];
      expect([more, tripsOf(page)]).toEqual([[], 1]);
      expect(line).toMatch(/^Ana Costa 09:30 to 10:00 · 30 minutes · UTC ?18:30 to 19:00 for you/);
      expect(line?.split('Canceled by Ana Costa, ')[1]).toMatch(nowIn('Asia/Tokyo'));
      expect((await page.click('Book another time')).path).toBe(`/view?provider=${ana.username}`);
    }
  });
});

describe('a provider', () => {
  test('reads who canceled and when, the newest first, however many slots they withdraw themselves', async () => {
    const ana = await newProvider();
    const [first, second, third] = (await publish(ana, { end: '10:30', dates: [dayAhead(30)] })) as [Row, Row, Row];
    for (const slot of [first, second]) await book(maya, slot);
    await book(june, third);
    await cancel(june, third);
    await cancel(maya, first);
    await cancel(ana, second);
    await publish(ana, { end: '21:00', dates: [dayAhead(1)] });
    expect((await ana.browser.post('/view-open', { all: 'yes' })).status).toBe(303);

    const home = await ana.browser.get('/');
    expect(tripsOf(home)).toBe(1);
    const who = (lines: string[] | undefined) =>
      lines?.map((line) =>
        line.replace(/^(\w+ ?\w*) (\d\d:\d\d) to.*(Canceled|Removed) by ([^,]*), (.*)$/, '$1 $2 $4'),
      );
    const newestFirst = ['Maya Lindqvist 09:30 you', 'Maya Lindqvist 09:00 Maya Lindqvist', 'June 10:00 June'];
    expect(who(linesOf(home, 'Canceled'))).toEqual(newestFirst);
    expect(linesOf(home, 'Canceled')?.[0]?.split('Canceled by you, ')[1]).toMatch(nowIn('UTC'));

    const dash = await home.click('Booked and canceled');
    expect([dash.path, tripsOf(dash)]).toEqual(['/view-dash', 1]);
    expect(who(linesOf(dash, 'Canceled'))).toEqual(newestFirst);
    const removed = who(linesOf(await dash.click('Free times that you have removed'), 'Removed'));
    expect([removed?.length, removed?.[0]]).toEqual([20, 'Free time 09:00 you']);
  });
});
