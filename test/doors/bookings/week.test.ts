import type { HTMLElement } from 'node-html-parser';
import { describe, expect, test } from 'vitest';
import { dateWords } from '../../../app/domain/time/clock';
import { book, cancel, dayAhead, type Person, peopleAt, publish, type Row, writeSlot } from '../../support/factories';
import { createMeetup, createParty, rsvp } from '../../support/party-factories';
import { writePast } from '../../support/stored-bookings';
import { useServer, useWorld } from '../../support/use-server';
import { askedOf, type Page } from '../../support/visit';

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { ana, maya } = useWorld(daybook, { ana: {}, maya: { displayName: 'Maya Ek' } });

const labels = (page: Page) =>
  page.$$('.week-item').map((link) => [link.getAttribute('aria-label'), link.getAttribute('href')]);

/** The titles of past parties, the newest first. */
const past = (many: number, newest: number) =>
  Array.from({ length: many }, (_, place) => `Gone ${18_000 + newest - place}`);

describe('the week', () => {
  test.each([
    ['en-US,en;q=0.9', 'Sunday'],
    ['de-DE,de;q=0.9,en-US;q=0.8', 'Monday'],
    ['ar-EG', 'Saturday'],
    ['', 'Sunday'],
  ])('begins where the reader is used to, there and in hours: %s', async (languages, first) => {
    const sent = { 'Accept-Language': languages };
    const week = await ana.browser.get('/week?as=list', sent);
    const href = week.$('a[href*="from="]')?.getAttribute('href') ?? '';
    const [, date = '', year = ''] = /from=(\d\d-\d\d)-(\d{4})/.exec(href) ?? [];
    expect(dateWords(`${year}-${date}`).longWeekday).toBe(first);
    const hours = await ana.browser.get('/hours', sent);
    expect(hours.$('legend.sr-only')?.text).toBe(first);
  });

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
      ['09:30 Maya Ek, to 10:00, Booked', `/details-provider/${booked.id}`],
      ['18:00 Garden party, to 22:00, Party', `/view-party/${party.id}`],
      ['19:00 Book club, to 22:00, Meetup', `/manage-meetup/${meetup.id}`],
    ]);
    expect(page.text).not.toMatch(/\sstyle="/);
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

  test('draws length as height, and what overlaps side by side', async () => {
    const page = await ana.browser.get(`/week?from=${dayAhead(5)}`);
    const boxes = page.$$('.week-item svg').map((box) => {
      const [x, y, width, height] = ['x', 'y', 'width', 'height'].map((name) =>
        Number.parseFloat(box.getAttribute(name) ?? ''),
      ) as [number, number, number, number];
      return { x, y, width, height };
    });
    const half = boxes[0]?.height ?? 0;
    expect((boxes[1]?.y ?? 0) - (boxes[0]?.y ?? 0)).toBeCloseTo(half);
    expect(boxes.map(({ height }) => Math.round(height / half))).toEqual([1, 1, 8, 6]);
    expect(boxes.map(({ x, width }) => [x, width])).toEqual([
      [1, 98],
      [1, 98],
      [1, 48],
      [51, 48],
    ]);
  });

  test('has a link to publish in each empty hour to come, which brings day and hour along', async () => {
    const page = await ana.browser.get(`/week?from=${dayAhead(5)}`);
    const link = page.$(`.week-free[href="/create?date=${dayAhead(6)}&start=11:00"]`);
    expect(link).not.toBeNull();
    expect(page.$(`.week-free[href="/create?date=${dayAhead(7)}&start=09:00"]`)).toBeNull();
    const form = await ana.browser.get(link?.getAttribute('href') ?? '');
    const range = ['start', 'end'].map((name) => form.$(`input[name=${name}]`)?.getAttribute('value'));
    expect(range).toEqual(['11:00', '12:00']);
    expect(form.$(`input[name=dates][value="${dayAhead(6)}"]`)?.hasAttribute('checked')).toBe(true);
  });

  test('is shaded where a provider has set hours, says them in the list, and reads two rows more', async () => {
    const provider = await newProvider();
    const bare = await provider.browser.get(`/week?from=${dayAhead(5)}`);
    expect(bare.$$('.week-closed')).toEqual([]);
    expect(bare.words).not.toContain('outside your hours');
    const hours = [0, 1, 2, 3, 4, 5, 6].flatMap((day) => [
      { day, start: '07:00', end: '12:00' },
      { day, start: '13:30', end: '17:00' },
    ]);
    const away = { date: dayAhead(6), hours: [] };
    await provider.api('PUT', '/api/Appointment/SetHours?len=30', { hours, except: [away], ahead: 2 });
    const page = await provider.browser.get(`/week?from=${dayAhead(5)}`);
    const shades = page.$$('.week-day').map((day) => day.querySelectorAll('.week-closed'));
    // From seven to six are eleven hours: closed at noon and after five, and on the second day always.
    expect(shades.map((day) => day.length)).toEqual([2, 1, 2, 2, 2, 2, 2]);
    const inHours = (name: string) => (box: HTMLElement) => Number.parseFloat(box.getAttribute(name) ?? '') / 5.4;
    expect(shades[0]?.map(inHours('y'))).toEqual([expect.closeTo(5), expect.closeTo(10)]);
    expect(shades[0]?.map(inHours('height'))).toEqual([expect.closeTo(1.5), expect.closeTo(1)]);
    expect(page.words).toContain('outside your hours');
    const list = await page.click('As a list');
    expect(list.words).toContain('Your hours: 07:00 to 12:00, 13:30 to 17:00');
    expect(list.words.match(/Closed/g)).toHaveLength(1);
    const [before, after] = [askedOf(bare.headers), askedOf(page.headers)];
    expect([after.trips, after.read - before.read <= 2]).toEqual([1, true]);
  });

  test('without a good day shows this week, and marks today and now', async () => {
    for (const query of ['', '?from=', '?from=02-30-2030', '?from=x&day=y']) {
      const page = await maya.browser.get(`/week${query}`);
      expect([query, page.status, page.$$('.week-day').length]).toEqual([query, 200, 7]);
      expect(page.$$('.week-strip [aria-current]')).toHaveLength(1);
      expect(page.$('.week-strip [aria-current]')?.text).toMatch(/, today$/);
    }
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

describe('the people of a provider', () => {
  test('are those who have booked, under the name that they have now, and nobody else', async () => {
    const [provider, other, zoe] = [await newProvider(), await newProvider(), await newConsumer()];
    const slots = await publish(provider, { end: '10:30' });
    for (const slot of slots.slice(0, 2)) await book(zoe, slot);
    await book(maya, slots[2] as Row);
    await zoe.browser.post('/profile', { intent: 'profile', displayName: 'Ada' });
    const names = async (who: Person, query = '') =>
      (await who.browser.get(`/people${query}`)).$$('main li a').map(({ text }) => text);
    expect(await names(provider)).toEqual(['Ada', 'Maya Ek']);
    expect(await names(provider, '?q=YA')).toEqual(['Maya Ek']);
    expect(await names(other)).toEqual([]);
  });

  test('have their past and coming appointments, with marks and notes, for their provider only', async () => {
    const [provider, other, consumer] = [await newProvider(), await newProvider(), await newConsumer()];
    const [coming] = (await publish(provider)) as [Row];
    await book(consumer, coming);
    const past = await writeSlot(daybook.d1, provider, { startsIn: -2000, booker: consumer });
    const elsewhere = await writeSlot(daybook.d1, other, { startsIn: -3000, booker: consumer });
    await provider.api('PUT', `/api/Appointment/Mark?id=${past.id}&as=missed`);
    await provider.api('PUT', `/api/Appointment/SetNote?id=${past.id}`, { note: 'Did not call' });
    const page = await (await provider.browser.get('/people')).click(consumer.displayName);
    expect(page.words).toMatch(/Missed once[\s\S]*Did not call/);
    expect(page.$$('main li a').map((link) => link.getAttribute('href'))).toEqual([
      `/details-provider/${coming.id}`,
      `/details-provider/${past.id}`,
    ]);
    expect(page.text).not.toContain(elsewhere.id);
    const stranger = await newProvider();
    expect((await stranger.browser.get(page.path)).status).toBe(404);
  });

  test('of somebody who has accepted 300 parties since gone reads as many rows as with none', async () => {
    const reader = await newConsumer();
    const rowsRead = async () =>
      Promise.all(
        ['/week', '/invitations'].map(async (path) => askedOf((await reader.browser.get(path)).headers).read),
      );
    const host = await newProvider();
    const coming = await createParty(host, { title: 'To come' });
    for (const party of [coming, await createParty(host, { startTime: '19:00' })]) await rsvp(reader, party);
    const [week, invitations = 0] = await rowsRead();
    await daybook.d1.batch([
      daybook.d1
        .prepare(`INSERT INTO parties (id, kind, provider_id, title, starts_at, ends_at, local_date, time_zone, created_at)
          SELECT 'old' || value, 'party', (SELECT provider_id FROM parties WHERE id = ?1), 'Gone ' || value,
            value * 86400000, value * 86400000 + 1, '2020-01-01', 'UTC', 1
          FROM json_each(?2)`)
        .bind(coming.id, JSON.stringify(Array.from({ length: 300 }, (_, place) => 18_000 + place))),
      // As the release before this one did, which knew nothing of when a party is.
      daybook.d1
        .prepare(`INSERT INTO invitations
            (party_id, invitee, id, account_id, username, name, name_sort_key, accepted, answered_at, created_at)
          SELECT parties.id, invitee, parties.id || invitee, account_id, username, name, name_sort_key, 1, 1, 1
          FROM parties, invitations WHERE parties.id GLOB 'old*' AND party_id = ?`)
        .bind(coming.id),
    ]);
    const [weekAfter, invitationsAfter] = await rowsRead();
    expect(weekAfter).toBe(week);
    // The page of past ones: each with its party and its host.
    expect(invitationsAfter).toBeLessThanOrEqual(invitations + 21 * 4);
    const full = await reader.browser.get('/invitations');
    const titles = (page: Page) => page.$$('main li a').map(({ text }) => text);
    expect(titles(full)).toEqual(['To come', 'Garden party', ...past(20, 299)]);
    expect(titles(await full.click('Next page'))).toEqual(['To come', 'Garden party', ...past(20, 279)]);
    // What moves into this week stands there.
    await host.api('PUT', `/api/Party/EditParty/${coming.id}`, { date: dayAhead(1) });
    const moved = await reader.browser.get(`/week?from=${dayAhead(1)}`);
    expect(labels(moved).map(([label]) => label?.slice(6))).toEqual([
      'To come, to 22:00, Party',
      'Garden party, to 22:00, Party',
    ]);
  });

  test('are read without their bookings, however many these are', async () => {
    const [provider, consumer] = [await newProvider(), await newConsumer()];
    const last = await writePast(daybook.d1, provider, consumer, 10_000);
    const people = await provider.browser.get('/people');
    const person = await people.click(consumer.displayName);
    const date = new Date(last - 86_400_000).toISOString();
    const wire = `${date.slice(5, 10)}-${date.slice(0, 4)}`;
    const day = await provider.browser.get(`/day?date=${wire}`);
    expect(day.$$('.sheet tbody tr:not(.walk-in)')).toHaveLength(48);
    const week = await provider.browser.get(`/week?from=${wire}`);
    const hers = await consumer.browser.get(`/week?from=${wire}`);
    expect(labels(hers).length).toBeGreaterThanOrEqual(48);
    for (const [page, most] of [
      [people, 25],
      [person, 90],
      [day, 48 * 4 + 20],
      [week, 2 * 48 * 4 + 20],
      [hers, 2 * 48 * 4 + 20],
    ] as const) {
      const { trips, read } = askedOf(page.headers);
      expect([page.path, trips, read <= most]).toEqual([page.path, 1, true]);
    }
  }, 60_000);
});

describe('the screen of one’s own calendar', () => {
  test('makes a link, shows it again in each form, and makes another in its place', async () => {
    const page = await (await maya.browser.get('/calendar')).submit('Make my calendar link');
    const [link = '', busy = ''] = page.$$('input[readonly]').map((field) => field.getAttribute('value') ?? '');
    for (const one of [link, busy]) expect(one).toMatch(new RegExp(`^${daybook.url}/calendar/[\\w-]{20,}\\.ics$`));
    expect(busy).not.toBe(link);
    expect((await daybook.visitor().get(new URL(busy).pathname)).text).toContain('Daybook: busy');
    expect(page.$(`a[href="${link.replace('http:', 'webcal:')}"]`)).not.toBeNull();
    for (const name of ['Apple', 'Google', 'Outlook']) expect(page.words).toContain(name);
    // To be carried to the phone.
    expect(page.$('main svg[role=img]')).not.toBeNull();
    expect((await daybook.visitor().get(new URL(link).pathname)).status).toBe(200);
    const again = await maya.browser.get('/calendar');
    expect(again.$('input[readonly]')?.getAttribute('value')).toBe(link);
    const other = await again.submit('Make a new link');
    expect(other.$('input[readonly]')?.getAttribute('value')).not.toBe(link);
    expect((await daybook.visitor().get(new URL(link).pathname)).status).toBe(404);
  });
});
