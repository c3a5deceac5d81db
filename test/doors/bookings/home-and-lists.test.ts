import { beforeAll, describe, expect, test } from 'vitest';
import { dateWords, wireDate } from '../../../app/domain/time/clock';
import { todayIn } from '../../../app/domain/time/zones';
import { dump } from '../../../app/local/database';
import { readCsv } from '../../support/csv';
import {
  book,
  cancel,
  dayAhead,
  localDate,
  type Person,
  peopleAt,
  publish,
  publishOne,
  type Row,
  writeSlot,
} from '../../support/factories';
import { words } from '../../support/forms';
import { newGuest } from '../../support/guests';
import { useServer, useWorld } from '../../support/use-server';
import { type Page, tripsOf } from '../../support/visit';

/* What people read of appointments: a provider's home, the table of their bookings, and times on every clock. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { karla, maya } = useWorld(daybook, { karla: {}, maya: {} });

const cardOf = (page: Page, title: string) =>
  page.$$('main section').find((section) => section.querySelector('h2')?.text.trim() === title);
const newsOn = (page: Page) =>
  cardOf(page, 'New for you')
    ?.querySelectorAll('li')
    .map(({ text }) => text.trim()) ?? [];

describe("a provider's home", () => {
  test('tells what is new until it is marked as seen, and a visit marks nothing', async () => {
    const ana = await newProvider();
    const [first, second, third] = (await publish(ana, { dates: [dayAhead(3)], end: '11:00' })) as [Row, Row, Row];
    expect(newsOn(await ana.browser.get('/'))).toEqual([]);
    await book(maya, first);
    await book(await newGuest(daybook, { displayName: 'Zoë' }), second);
    await cancel(maya, first);
    // Their own doing is no news to them.
    await cancel(ana, third);
    const before = await dump(daybook.d1);
    const home = await ana.browser.get('/');
    expect(newsOn(home)).toEqual([
      expect.stringMatching(/Maya Lindqvist.*cancel/),
      expect.stringMatching(/Zoë.*booked/),
      expect.stringMatching(/Maya Lindqvist.*booked/),
    ]);
    expect(await dump(daybook.d1)).toEqual(before);
    const seen = await home.submit('Mark as read');
    expect([seen.status, seen.path, newsOn(seen)]).toEqual([200, '/', []]);
    expect((await home.submit('Mark as read')).status).toBe(200);
    expect(newsOn(await ana.browser.get('/'))).toEqual([]);
  });

  test('marks no news that came after the page was made, nor that of others', async () => {
    const [ana, rival] = await Promise.all([newProvider(), newProvider()]);
    const [first, second] = (await publish(ana, { dates: [dayAhead(3)], end: '10:00' })) as [Row, Row];
    const [theirs] = (await publish(rival, { dates: [dayAhead(4)] })) as [Row];
    await book(maya, first);
    await book(maya, theirs);
    const home = await ana.browser.get('/');
    await book(maya, second);
    expect(newsOn(await home.submit('Mark as read'))).toHaveLength(1);
    expect(newsOn(await rival.browser.get('/'))).toHaveLength(1);
  });

  test('has today as a strip, and tomorrow and later as a list, in one round trip', async () => {
    const ana = await newProvider({ timeZone: 'Pacific/Auckland' });
    const days = [1, 2].map((ahead) => wireDate(todayIn('Pacific/Auckland', Date.now() + ahead * 86_400_000)));
    const slots = await publish(ana, { dates: days });
    for (const slot of slots) await book(maya, slot);
    const home = await ana.browser.get('/');
    const groups = cardOf(home, 'Booked')
      ?.querySelectorAll('p.font-semibold')
      .map(({ text }) => text);
    expect(groups).toEqual([`Tomorrow: ${slots.length / 2}`, `Later: ${slots.length / 2}`]);
    expect(tripsOf(home)).toBe(1);
  });

  test('leads whoever is new in three steps to a page that is shared, and each can be skipped', async () => {
    const ana = await newProvider();
    const services = await (await ana.browser.visit('/')).click('Begin: what you offer');
    expect(services.$('.trail [aria-current]')?.text).toBe('1. What you offer');
    const saved = await services.submit('Add service', { name: 'Cut', minutes: '30' });
    expect(saved.path).toBe('/services?saved=yes&start=yes');
    const hours = await saved.click('Next: when');
    expect(hours.$('.trail [aria-current]')?.text).toBe('2. When');
    const page = await hours.click('Skip this for now');
    expect(page.$('.trail [aria-current]')?.text).toBe('3. Your page');
    expect(page.$('main input[readonly]')?.getAttribute('value')).toBe(`${daybook.url}/with/${ana.username}`);
    expect([page.words.includes('Cut'), page.$('main svg title')?.text]).toEqual([true, 'QR code of the link']);
    expect((await page.click('Done: go to today')).path).toBe('/');
  });

  test('begins with who is next, and marks by one press who came', async () => {
    const ana = await newProvider({ timeZone: 'Europe/Lisbon' });
    const { id } = await writeSlot(daybook.d1, ana, { startsIn: -5, booker: maya });
    const home = await ana.browser.get('/');
    const ticket = home.$('.ticket');
    expect(ticket?.querySelector('h2')?.text).toBe('Next: Maya Lindqvist');
    expect(ticket?.querySelector('a')?.getAttribute('href')).toBe(`/view-provider/${id}`);
    expect(home.$(`.strip a[href="/view-provider/${id}"]`)?.text).toContain('Maya Lindqvist');
    const marked = await home.submit('Came');
    expect([marked.status, marked.path]).toEqual([200, '/?marked=1']);
    expect(marked.$('.ticket')).toBeNull();
    expect(marked.$('.strip')?.text).toMatch(/Maya Lindqvist.*came/);
  });
});

describe('the table of bookings', () => {
  const fileOf = (who: Person, from: string, to: string) =>
    who.browser.get(`/view-booked/bookings.csv?from=${from}&to=${to}`);
  const cellsOf = async (from: string, to: string) => readCsv((await fileOf(karla, from, to)).text).slice(1);

  test('has those of the days, canceled or not, and makes no formula', async () => {
    const slots = await publish(karla, { dates: [dayAhead(3), dayAhead(60)], end: '10:00', notes: 'Ring twice.' });
    const [first, second, far] = [slots[0], slots[1], slots.at(-1)] as [Row, Row, Row];
    const evil = await newConsumer({ displayName: '=Maya' });
    for (const slot of [first, second, far]) await book(evil, slot);
    await cancel(karla, second);
    const file = await fileOf(karla, dayAhead(3), dayAhead(3));
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="bookings.csv"');
    const [head, one, two, ...others] = readCsv(file.text);
    expect(head?.slice(0, 6)).toEqual(['Date', 'Start', 'End', 'Time zone', 'Client', 'Username']);
    expect(one?.slice(1, 10)).toEqual(['09:00', '09:30', 'UTC', "'=Maya", evil.username, '', '', '', '1']);
    expect(two?.slice(10, 12)).toEqual(['Canceled', 'You']);
    expect(one).toContain('Ring twice.');
    expect(others).toEqual([]);
    // More than a month is read in parts.
    expect((await cellsOf(dayAhead(1), dayAhead(100))).map((row) => row[10])).toEqual(['Booked', 'Canceled', 'Booked']);
  });

  test('is found from the list, takes no wrong range, and nobody else has it', async () => {
    const page = await karla.browser.get('/view-booked');
    const form = page.$('form[action="/view-booked/bookings.csv"]');
    expect(form?.querySelectorAll('input[type=date]').map((field) => field.getAttribute('value'))).toHaveLength(2);
    expect((await maya.browser.get('/view-booked')).$('form[action="/view-booked/bookings.csv"]')).toBeNull();
    for (const [from, to] of [
      [dayAhead(3), dayAhead(2)],
      [dayAhead(0), dayAhead(366)],
      ['yesterday', ''],
    ] as const) {
      expect((await fileOf(karla, from, to)).status).toBe(400);
    }
    expect((await fileOf(maya, dayAhead(3), dayAhead(3))).status).toBe(403);
    const other = await newProvider();
    expect(readCsv((await fileOf(other, dayAhead(3), dayAhead(3))).text)).toHaveLength(1);
  });
});

/* Wherever a time is read, its zone is, and the reader's own time where their clocks show another. */
describe('where the provider and the reader have other clocks', () => {
  let host: Person;
  let reader: Person;
  beforeAll(async () => {
    host = await newProvider({ timeZone: 'Asia/Colombo', location: 'Kandy' });
    reader = await newConsumer({ timeZone: 'Asia/Tokyo' });
  });
  /** From nine to half past in Colombo is from half past twelve to one in Tokyo. */
  const nine = (days: number) => ({ start: '09:00', end: '09:30', dates: [dayAhead(days, 'Asia/Colombo')] });

  test('what has just been booked is confirmed in both', async () => {
    const slot = await publishOne(host, nine(2));
    const page = await (await reader.browser.visit(`/details/${slot.id}`)).submit('Book this appointment');
    const day = dateWords(localDate(slot)).full;
    expect(words(page.$('main [role=status] h2')?.text)).toBe(
      `Booked: ${host.displayName}, ${day}, 09:00 Colombo time, 12:30 for you`,
    );
  });

  test('open slots that were published in another zone are in both for their provider', async () => {
    const provider = await newProvider({ timeZone: 'Asia/Colombo' });
    await publishOne(provider, nine(5));
    expect((await provider.browser.visit('/view-open')).words).not.toContain('for you');
    const moved = { intent: 'profile', displayName: provider.displayName, location: 'Tokyo', timeZone: 'Asia/Tokyo' };
    expect((await provider.browser.post('/profile', moved)).status).toBe(303);
    const page = await provider.browser.visit('/view-open');
    const label = page.$$('main label').find((one) => one.querySelector('[name=id]'));
    expect(words(label?.text)).toMatch(/09:00 to 09:30 ?12:30 to 13:00 for you/);
    expect(page.words).toContain('Colombo time');
    expect(page.$(`main a[href*="#for-someone"]`)?.text).toContain('09:00 Colombo time');
  });
});
