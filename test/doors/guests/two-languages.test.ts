import { beforeAll, describe, expect, test } from 'vitest';
import { readCalendar } from '../../support/calendars';
import { dayAhead, localDate, type Person, peopleAt, publish, type Row } from '../../support/factories';
import { turnedBy } from '../../support/names-beside';
import { createService } from '../../support/services';
import { useServer } from '../../support/use-server';
import type { Page } from '../../support/visit';

/* What two people read of their booking who have no language in common. */

const daybook = useServer();
const { newProvider } = peopleAt(daybook);

const guestsName = 'ليلى';
const english = /\b(your|you|booked|appointment|cancel|phone|time|by|called|call)\b/i;

describe('a booking by phone of a guest who reads Arabic with a provider who reads German', () => {
  let karla: Person;
  let booked: Row;
  let letter: Page;
  beforeAll(async () => {
    karla = await newProvider({ displayName: 'Karla' });
    await karla.api('PUT', '/api/Account/SetProfile', { lang: 'de' });
    const service = await createService(karla, { name: 'Rat', where: 'phone' });
    [booked] = (await publish(karla, { dates: [dayAhead(3)] })) as [Row];
    const guest = daybook.visitor();
    guest.headers['accept-language'] = 'ar-EG';
    const form = await guest.get(`/with/${karla.username}/${booked.id}?service=${service.id}`);
    letter = await form.submit('حجز', { displayName: guestsName, phone: '+20 2 555 01' });
  });

  const entryIn = async (page: Page, link: string) => {
    const href = page.$(`a[href*="${link}"]`)?.getAttribute('href') ?? '';
    const [entry] = readCalendar((await page.reader.get(href)).text).events.values();
    return entry;
  };

  describe('is for the guest', () => {
    test('a letter in Arabic, from right to left', () => {
      expect(letter.text).toContain('<html lang="ar-EG" dir="rtl">');
      expect(letter.words).toContain('الهاتف');
      expect(letter.words).not.toMatch(english);
    });

    test('a letter whose sentences the provider’s name does not turn around', () => {
      expect(letter.words).toContain('Karla');
      expect(turnedBy(letter, 'Karla')).toEqual([]);
    });

    test('an entry of their calendar, in Arabic', async () => {
      const entry = await entryIn(letter, 'daybook.ics');

      expect(entry?.summary).toBe('\u2068Rat\u2069، \u2068Karla\u2069');
      expect(entry?.location).toMatch(/^\p{Script=Arabic}/u);
    });
  });

  describe('is for the provider', () => {
    let appointment: Page;
    let sheet: Page;
    beforeAll(async () => {
      appointment = await karla.browser.get(`/details-provider/${booked.id}`);
      sheet = await karla.browser.get(`/day?date=${localDate(booked)}`);
    });

    test('a page in German', () => {
      expect(appointment.text).toContain('<html lang="de">');
      expect(appointment.words).toContain('Termin');
      expect(appointment.words).not.toMatch(english);
    });

    test('a line in German on the sheet of the day', () => {
      expect(sheet.words).toContain(guestsName);
      expect(sheet.words).not.toMatch(english);
    });

    test.each([
      ['a page', () => appointment],
      ['a sheet', () => sheet],
    ])('%s whose sentences the guest’s name does not turn around', (_, page) => {
      expect(page().words).toContain(guestsName);
      expect(turnedBy(page(), guestsName)).toEqual([]);
    });

    test('an entry of their calendar, in German', async () => {
      const entry = await entryIn(appointment, 'daybook.ics');

      expect(entry).toMatchObject({ summary: `Rat, \u2068${guestsName}\u2069`, location: 'Telefonisch: Sie rufen an' });
    });
  });
});
