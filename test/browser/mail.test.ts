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

test('a mail can be read on a phone, light and dark, loads nothing, and says what its plain text says', async () => {
  const page = await open({ viewport: phone });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.setContent(asHtml(letter));
  for (const [colorScheme, background] of [
    ['light', 'rgb(246, 241, 230)'],
    ['dark', 'rgb(29, 26, 23)'],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(background);
    const rules = ['color-contrast', 'link-in-text-block', 'document-title', 'html-has-lang'];
    expect([colorScheme, ...(await violations(page, rules))]).toEqual([colorScheme]);
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  const wordsOf = (text: string) =>
    text
      .split(/\s+/)
      .map((word) => word.replace(/:$/, ''))
      .filter(Boolean);
  const plain = asText(letter).replace(/https:\S+|-- |:(?= https)/g, '');
  expect(wordsOf(await page.locator('body').innerText())).toEqual(wordsOf(plain));
  expect(asked).toEqual([]);
});
