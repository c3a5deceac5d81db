import { describe, expect, test } from 'vitest';
import { dateWords } from '../../../app/domain/time/clock';
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
import { createMeetup, createParty, rsvp } from '../../support/party-factories';
import { useServer, useWorld } from '../../support/use-server';
import { askedOf, type Page, tripsOf } from '../../support/visit';

/* What people read of appointments: a provider's home, the table of their bookings, times on every clock, and the week. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { ana, karla, maya } = useWorld(daybook, { ana: {}, karla: {}, maya: {} });

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

  test('begins with who is next, in one round trip, and marks by one press who came', async () => {
    const ana = await newProvider({ timeZone: 'Europe/Lisbon' });
    const { id } = await writeSlot(daybook.d1, ana, { startsIn: -5, booker: maya });
    const home = await ana.browser.get('/');
    expect(tripsOf(home)).toBe(1);
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
    const file = await fileOf(karla, dayAhead(3), dayAhead(3));
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="bookings.csv"');
    const [head, one, two, ...others] = readCsv(file.text);
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
    for (const [from, to] of [
      [dayAhead(3), dayAhead(2)],
      [dayAhead(0), dayAhead(366)],
      ['yesterday', ''],
    ] as const) {
      expect((await fileOf(karla, from, to)).status).toBe(400);
    }
    expect((await fileOf(maya, dayAhead(3), dayAhead(3))).status).toBe(403);
    expect(readCsv((await fileOf(await newProvider(), dayAhead(3), dayAhead(3))).text)).toHaveLength(1);
  });
});

/* Wherever a time is read, its zone is, and the reader's own time where their clocks show another. */
describe('where the provider and the reader have other clocks', () => {
  /** From nine to half past in Colombo is from half past twelve to one in Tokyo. */
  const nine = () => ({ start: '09:00', end: '09:30', dates: [dayAhead(2, 'Asia/Colombo')] });

  test('what has just been booked is confirmed in both', async () => {
    const host = await newProvider({ timeZone: 'Asia/Colombo' });
    const reader = await newConsumer({ timeZone: 'Asia/Tokyo' });
    const slot = await publishOne(host, nine());
    const page = await (await reader.browser.visit(`/details/${slot.id}`)).submit('Book this appointment');
    const day = dateWords(localDate(slot)).full;
    expect(words(page.$('main [role=status] h2')?.text)).toBe(
      `Booked: ${host.displayName}, ${day}, 09:00 Colombo time, 12:30 for you`,
    );
  });

  test('open slots that were published in another zone are in both for their provider', async () => {
    const provider = await newProvider({ timeZone: 'Asia/Colombo' });
    await publishOne(provider, nine());
    expect((await provider.browser.visit('/view-open')).words).not.toContain('for you');
    const moved = { intent: 'profile', displayName: provider.displayName, location: 'Tokyo', timeZone: 'Asia/Tokyo' };
    expect((await provider.browser.post('/profile', moved)).status).toBe(303);
    const page = await provider.browser.visit('/view-open');
    expect(page.words).toMatch(/09:00 to 09:30 ?12:30 to 13:00 for you/);
    expect(page.words).toContain('Colombo time');
  });
});

/** The items of a week, each with where it leads. */
const labels = (page: Page) =>
  page.$$('.week-item').map((link) => [link.getAttribute('aria-label'), link.getAttribute('href')]);

describe('the week', () => {
  test('of a provider has what is open, booked and hosted, each a link to its page', async () => {
    const [open, booked, off] = (await publish(ana, { end: '10:30', dates: [dayAhead(7)] })) as [Row, Row, Row];
    await book(maya, booked);
    await cancel(ana, off);
    const [party, meetup] = [await createParty(ana), await createMeetup(ana, { startTime: '19:00' })];
    await rsvp(maya, party);
    const page = await ana.browser.get(`/week?from=${dayAhead(5)}`);
    expect(page.status).toBe(200);
    expect(labels(page)).toEqual([
      ['09:00 Free, to 09:30', `/details-provider/${open.id}`],
      ['09:30 Maya Lindqvist, to 10:00, Booked', `/details-provider/${booked.id}`],
      ['18:00 Garden party, to 22:00, Party', `/view-party/${party.id}`],
      ['19:00 Book club, to 22:00, Meetup', `/manage-meetup/${meetup.id}`],
    ]);
    const list = await page.click('As a list');
    expect(list.$$('main section a').map(({ text }) => text)).toEqual(
      expect.arrayContaining(['09:00 to 09:30, Free', '19:00 to 22:00, Book club, Meetup']),
    );
    const hers = await maya.browser.get(`/week?from=${dayAhead(5)}`);
    expect(labels(hers)).toEqual([
      [`09:30 ${ana.displayName}, to 10:00, Booked`, `/details-cancel/${booked.id}`],
      ['18:00 Garden party, to 22:00, Party', `/party/${party.id}`],
    ]);
    expect(hers.$$('.week-free')).toEqual([]);
  });

  test('is shaded where a provider is closed', async () => {
    const provider = await newProvider();
    const hours = [0, 1, 2, 3, 4, 5, 6].flatMap((day) => [
      { day, start: '07:00', end: '12:00' },
      { day, start: '13:30', end: '17:00' },
    ]);
    const except = [{ date: dayAhead(6), hours: [] }];
    await provider.api('PUT', '/api/Appointment/SetHours?len=30', { hours, except, ahead: 2 });
    // From seven to six are eleven hours: closed at noon and after five, and on the second day always.
    const days = (await provider.browser.get(`/week?from=${dayAhead(5)}`)).$$('.week-day');
    expect(days.map((day) => day.querySelectorAll('.week-closed').length)).toEqual([2, 1, 2, 2, 2, 2, 2]);
  });

  test('of a full one reads no more than it shows, however many there are', async () => {
    const provider = await newProvider();
    const dates = Array.from({ length: 120 }, (_, later) => dayAhead(later + 1));
    await provider.api('POST', '/api/Appointment/CreateAppointment?len=30', { start: '09:00', end: '17:00', dates });
    const page = await provider.browser.get(`/week?from=${dayAhead(2)}`);
    expect(labels(page)).toHaveLength(7 * 16);
    const { trips, read } = askedOf(page.headers);
    expect(trips).toBe(1);
    expect(read).toBeLessThan(2 * 8 * 16 + 20);
  });
});
