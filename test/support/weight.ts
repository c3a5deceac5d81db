import { gzipSync } from 'node:zlib';
import { languageCodes } from '../../app/domain/words/languages';
import type { Page, Sent, Visitor } from './visit';

/**
 * A page in bytes as it travels at its best, with all that it loads; the icon is not counted.
 * @throws Error where something it loads is not there, or loads something itself
 */
async function weightOf(reader: Visitor, page: Page): Promise<{ requests: number; bytes: number }> {
  const loaded = page
    .$$('link[href], script[src], img[src], iframe[src], source[src], object[data], embed[src]')
    .filter((element) => !['icon', 'canonical', 'alternate'].includes(element.getAttribute('rel') ?? ''))
    .map((element) => element.getAttribute('href') ?? element.getAttribute('src') ?? '');
  const parts = await Promise.all(loaded.map((path) => reader.get(path)));
  for (const { status, text } of parts) {
    if (status !== 200 || /@import|url\((?!['"]?data:)/.test(text))
      throw new Error('It loads what is missing, or more.');
  }
  const bytes = [page, ...parts].map(({ text }) => gzipSync(text, { level: 9 }).length);
  return { requests: bytes.length, bytes: bytes.reduce((sum, part) => sum + part, 0) };
}

/** What a page weighs in each language. @param sent with each request */
export const weightsOf = ({ reader, path }: Page, sent: Sent = {}) =>
  Promise.all(
    languageCodes.map(async (language) => {
      const page = await reader.get(path, { ...sent, 'accept-language': language });
      if (page.$('html')?.getAttribute('lang') !== language) throw new Error(`It is not in ${language}.`);
      return { language, ...(await weightOf(reader, page)) };
    }),
  );
