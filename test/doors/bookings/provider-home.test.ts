import { describe, expect, test } from 'vitest';
import { wireDate } from '../../../app/domain/time/clock';
import { todayIn } from '../../../app/domain/time/zones';
import { dump } from '../../../app/local/database';
import { tripsOf } from '../../support/asked';
import { book, cancel, dayAhead, peopleAt, publish, type Row, writeSlot } from '../../support/factories';
import { newGuest } from '../../support/guests';
import { useServer } from '../../support/use-server';
import type { Page } from '../../support/visit';
import { useWorld } from '../../support/world';

/* What a provider needs first, when they come home. */

const daybook = useServer();
const { newProvider } = peopleAt(daybook);
const { maya } = useWorld(daybook, { maya: {} });

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

  test('counts the free times, and shows the page as a link and as a picture', async () => {
    const ana = await newProvider();
    expect((await ana.browser.get('/')).words).toContain('Nothing is open');
    const [first] = await publish(ana, { dates: [dayAhead(2)], start: '09:00', end: '11:00' });
    const home = await ana.browser.get('/');
    expect(cardOf(home, 'Your booking page')?.text).toContain('4 free times');
    expect(home.$('main svg title')?.text).toBe('QR code of the link');
    expect(home.$('main input[readonly]')?.getAttribute('value')).toBe(`${daybook.url}/with/${ana.username}`);
    for (const slot of [first as Row]) await book(maya, slot);
    expect((await ana.browser.get('/')).words).toContain('3 free times');
    const last = home.$$('main h2').at(-1)?.text;
    expect(last).toMatch(/^Release Notes/);
  });
});
