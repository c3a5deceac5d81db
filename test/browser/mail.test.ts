import { expect, test } from 'vitest';
import { asHtml, asText, type Letter } from '../../app/domain/messages/letter';
import { useServer } from '../support/use-server';
import { browsersAt, phone } from './browser';
import { violations } from './sight';

const served = useServer();
const { open } = browsersAt(served);

const letter: Letter = {
  subject: 'Atelier Sousa: Tue 24 Nov, 09:30',
  paragraphs: [
    'Your appointment with Atelier Sousa is on Tuesday, 24 November 2026, 09:30 to 10:00, Lisbon time.',
    'A\nnote',
  ],
  button: { label: 'Change or cancel', href: 'https://book.example.org/details-cancel/1' },
  small: 'Sent by Daybook because you gave this address.',
  notMe: 'https://book.example.org/not-me/1',
  unsubscribe: 'https://book.example.org/unsubscribe/1',
};

test.each(['light', 'dark'] as const)(
  'a mail can be read on a phone, %s, loads nothing, and says what its plain text says',
  async (colorScheme) => {
    const page = await open({ viewport: phone });
    await page.emulateMedia({ colorScheme });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.setContent(asHtml(letter));
    const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(background).toBe(colorScheme === 'dark' ? 'rgb(29, 26, 23)' : 'rgb(246, 241, 230)');
    expect(await violations(page, ['color-contrast', 'link-in-text-block', 'document-title', 'html-has-lang'])).toEqual(
      [],
    );
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    const words = (await page.locator('body').innerText()).split(/\s+/);
    const plain = asText(letter)
      .replace(/https:\S+|-- |:(?= https)/g, '')
      .split(/\s+/)
      .map((word) => word.replace(/:$/, ''));
    expect(words.map((word) => word.replace(/:$/, '')).filter(Boolean)).toEqual(plain.filter(Boolean));
    expect(asked).toEqual([]);
  },
);
