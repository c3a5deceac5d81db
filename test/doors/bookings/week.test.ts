import { describe, expect, test } from 'vitest';
import { book, cancel, dayAhead, peopleAt, publish, type Row } from '../../support/factories';
import { createMeetup, createParty, rsvp } from '../../support/party-factories';
import { useServer, useWorld } from '../../support/use-server';
import { askedOf, type Page } from '../../support/visit';

const daybook = useServer();
const { newProvider } = peopleAt(daybook);
const { ana, maya } = useWorld(daybook, { ana: {}, maya: { displayName: 'Maya Ek' } });

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
      ['09:30 Maya Ek, to 10:00, Booked', `/details-provider/${booked.id}`],
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
    expect(page.words).toContain('outside your hours');
    const list = await page.click('As a list');
    expect(list.words).toContain('Your hours: 07:00 to 12:00, 13:30 to 17:00');
    expect(list.words.match(/Closed/g)).toHaveLength(1);
    const [before, after] = [askedOf(bare.headers), askedOf(page.headers)];
    expect([after.trips, after.read - before.read <= 2]).toEqual([1, true]);
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
