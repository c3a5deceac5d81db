import { describe, expect, test } from 'vitest';
import { dump } from '../../../app/local/database';
import { readCsv } from '../../support/csv';
import {
  book,
  cancel,
  dayAhead,
  type Person,
  peopleAt,
  publish,
  publishOne,
  type Row,
  writeSlot,
} from '../../support/factories';
import { words } from '../../support/forms';
import { newGuest } from '../../support/guests';
import { createMeetup, createParty, rsvp } from '../../support/party-factories';
import { useServer, useWorld } from '../../support/use-server';
import type { Page } from '../../support/visit';

/* What people read of appointments: a provider's home, the table of their bookings, the week, and what was canceled. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { ana, karla, maya, june } = useWorld(daybook, { ana: {}, karla: {}, maya: {}, june: {} });

/** The lines of the card that tells what is new. */
const newsOn = (page: Page) => {
  const card = page.$$('main section').find(({ text }) => text.includes('New for you'));
  return card?.querySelectorAll('li').map(({ text }) => text.trim()) ?? [];
};

describe("a provider's home", () => {
  test('tells what is new until what it showed is marked as seen, and a visit marks nothing', async () => {
    const [ana, rival] = await Promise.all([newProvider(), newProvider()]);
    const [first, second, third] = (await publish(ana, { dates: [dayAhead(3)], end: '11:00' })) as [Row, Row, Row];
    expect(newsOn(await ana.browser.get('/'))).toEqual([]);
    await book(maya, first);
    await book(maya, await publishOne(rival, { dates: [dayAhead(4)] }));
    await cancel(maya, first);
    // Their own doing is no news to them.
    await cancel(ana, third);
    const before = await dump(daybook.d1);
    const home = await ana.browser.get('/');
    const words = [/Maya Lindqvist.*cancel/, /Maya Lindqvist.*booked/].map((said) => expect.stringMatching(said));
    expect(newsOn(home)).toEqual(words);
    expect(await dump(daybook.d1)).toEqual(before);
    await book(await newGuest(daybook, { displayName: 'Zoë' }), second);
    const seen = await home.submit('Mark as read');
    expect([seen.path, newsOn(seen)]).toEqual(['/', [expect.stringMatching(/Zoë.*booked/)]]);
    expect(newsOn(await rival.browser.get('/'))).toHaveLength(1);
  });

  test('begins with who is next, and marks by one press who came', async () => {
    const ana = await newProvider();
    const { id } = await writeSlot(daybook.d1, ana, { startsIn: -5, booker: maya });
    const home = await ana.browser.get('/');
    expect(home.$('.ticket h2')?.text).toBe('Next: Maya Lindqvist');
    expect(home.$('.ticket a')?.getAttribute('href')).toBe(`/view-provider/${id}`);
    const marked = await home.submit('Came');
    expect(marked.$('.ticket')).toBeNull();
    expect(marked.$('.strip')?.text).toMatch(/Maya Lindqvist.*came/);
  });
});

describe('the table of bookings', () => {
  const fileOf = (who: Person, from: string, to: string) =>
    who.browser.get(`/view-booked/bookings.csv?from=${from}&to=${to}`);

  test('has those of the days, canceled or not, and makes no formula', async () => {
    const slots = await publish(karla, { dates: [dayAhead(3), dayAhead(60)], end: '10:00', notes: 'Ring twice.' });
    const [first, second, far] = [slots[0], slots[1], slots.at(-1)] as [Row, Row, Row];
    const evil = await newConsumer({ displayName: '=Maya' });
    for (const slot of [first, second, far]) await book(evil, slot);
    await cancel(karla, second);
    const [head, one, two, ...others] = readCsv((await fileOf(karla, dayAhead(3), dayAhead(3))).text);
    expect(head?.slice(0, 6)).toEqual(['Date', 'Start', 'End', 'Time zone', 'Client', 'Username']);
    expect(one?.slice(1, 10)).toEqual(['09:00', '09:30', 'UTC', "'=Maya", evil.username, '', '', '', '1']);
    expect(two?.slice(10, 12)).toEqual(['Canceled', 'You']);
    expect(one).toContain('Ring twice.');
    expect(others).toEqual([]);
    // More than a month is read in parts.
    const [, ...rows] = readCsv((await fileOf(karla, dayAhead(1), dayAhead(100))).text);
    expect(rows.map((row) => row[10])).toEqual(['Booked', 'Canceled', 'Booked']);
  });

  test('takes no wrong range, and nobody else has it', async () => {
    const wrong: [string, string][] = [
      [dayAhead(3), dayAhead(2)],
      [dayAhead(0), dayAhead(366)],
      ['yesterday', ''],
    ];
    for (const [from, to] of wrong) expect((await fileOf(karla, from, to)).status).toBe(400);
    expect((await fileOf(maya, dayAhead(3), dayAhead(3))).status).toBe(403);
    expect(readCsv((await fileOf(await newProvider(), dayAhead(3), dayAhead(3))).text)).toHaveLength(1);
  });
});

/** The items of a week, each with where it leads. */
const labels = (page: Page) =>
  page.$$('.week-item').map((link) => [link.getAttribute('aria-label'), link.getAttribute('href')]);

test('the week of a provider has what is open, booked and hosted, each a link to its page', async () => {
  const [open, booked, off] = (await publish(ana, { end: '10:30', dates: [dayAhead(7)] })) as [Row, Row, Row];
  await book(maya, booked);
  await cancel(ana, off);
  const [party, meetup] = [await createParty(ana), await createMeetup(ana, { startTime: '19:00' })];
  await rsvp(maya, party);
  const page = await ana.browser.get(`/week?from=${dayAhead(5)}`);
  expect(labels(page)).toEqual([
    ['09:00 Free, to 09:30', `/details-provider/${open.id}`],
    ['09:30 Maya Lindqvist, to 10:00, Booked', `/details-provider/${booked.id}`],
    ['18:00 Garden party, to 22:00, Party', `/view-party/${party.id}`],
    ['19:00 Book club, to 22:00, Meetup', `/manage-meetup/${meetup.id}`],
  ]);
  const hers = await maya.browser.get(`/week?from=${dayAhead(5)}`);
  expect(labels(hers)).toEqual([
    [`09:30 ${ana.displayName}, to 10:00, Booked`, `/details-cancel/${booked.id}`],
    ['18:00 Garden party, to 22:00, Party', `/party/${party.id}`],
  ]);
  expect(hers.$$('.week-free')).toEqual([]);
});

/** The lines of the card with that title; undefined where the page has no such card. */
function linesOf(page: Page, title: string): string[] | undefined {
  const card = page.$$('main section').find((section) => words(section.querySelector('h2')?.text) === title);
  return card?.querySelectorAll('.lines > li > div:last-of-type').map((line) => words(line.structuredText));
}

test('what the provider canceled stands on top of the client’s home until it is read, and then in their lists', async () => {
  const client = await newConsumer({ timeZone: 'Asia/Tokyo' });
  const [first, second] = (await publish(karla, { dates: [dayAhead(5)], end: '10:00' })) as [Row, Row];
  for (const slot of [first, second]) await book(client, slot);
  await cancel(karla, first);
  await cancel(karla, second, 'I am ill.');
  const home = await client.browser.get('/');
  const notices = (page: Page) => page.$$('main section[role=status] h2').map(({ text }) => text);
  const byProvider = (page: Page) => linesOf(page, 'Canceled by the provider');
  expect(notices(home).sort()).toEqual(['Canceled by Karla', 'Canceled by Karla: I am ill.']);
  expect(byProvider(home)).toBeUndefined();
  const seen = home.$('main form[action="/news"] input[name=seen]')?.getAttribute('value') as string;
  await june.browser.post('/news', { seen });
  expect(notices(await client.browser.get('/'))).toHaveLength(2);
  await client.browser.post('/news', { seen });
  const after = await client.browser.get('/');
  expect([notices(after).length, byProvider(after)?.length]).toEqual([1, 1]);
  expect(notices(await after.submit('Mark as read'))).toEqual([]);
  for (const path of ['/', '/view-booked']) {
    const page = await client.browser.get(path);
    const line = /^Karla 09:00 to 09:30 · 30 minutes · UTC ?18:00 to 18:30 for you.*Canceled by Karla, .* Tokyo time$/;
    expect(byProvider(page)).toEqual([expect.stringMatching(line), expect.stringMatching(/^Karla 09:30 to 10:00/)]);
  }
});

test('a provider reads who canceled, the newest first, however many slots they withdraw themselves', async () => {
  const ana = await newProvider();
  const [first, second] = (await publish(ana, { end: '10:00', dates: [dayAhead(30)] })) as [Row, Row];
  for (const slot of [first, second]) await book(maya, slot);
  await cancel(maya, first);
  await cancel(ana, second);
  await publish(ana, { end: '21:00', dates: [dayAhead(1)] });
  await ana.browser.post('/view-open', { all: 'yes' });

  const newestFirst = [
    /^Maya Lindqvist 09:30 .*Canceled by you, /,
    /^Maya Lindqvist 09:00 .*Canceled by Maya Lindqvist, /,
  ];
  const canceled = newestFirst.map((line) => expect.stringMatching(line));
  const home = await ana.browser.get('/');
  expect(linesOf(home, 'Canceled')).toEqual(canceled);
  const dash = await home.click('Booked and canceled');
  expect(linesOf(dash, 'Canceled')).toEqual(canceled);
  const removed = linesOf(await dash.click('Free times that you have removed'), 'Removed');
  expect([removed?.length, removed?.[0]]).toEqual([20, expect.stringMatching(/^Free time 09:00 .*Removed by you, /)]);
});
