import { gzipSync } from 'node:zlib';
import type { Page, Visitor } from './visit';

/**
 * A page in bytes as it travels at its best, with all that it loads; the icon is not counted.
 * @throws Error where something it loads is not there, or loads something itself
 */
export async function weightOf(reader: Visitor, page: Page): Promise<{ requests: number; bytes: number }> {
  const loaded = page
    .$$('link[href], script[src], img[src], iframe[src], source[src], object[data], embed[src]')
    .filter((element) => !['icon', 'canonical'].includes(element.getAttribute('rel') ?? ''))
    .map((element) => element.getAttribute('href') ?? element.getAttribute('src') ?? '');
  const parts = await Promise.all(loaded.map((path) => reader.get(path)));
  for (const { status, text } of parts) {
    if (status !== 200 || /@import|url\((?!['"]?data:)/.test(text))
      throw new Error('It loads what is missing, or more.');
  }
  const bytes = [page, ...parts].map(({ text }) => gzipSync(text, { level: 9 }).length);
  return { requests: bytes.length, bytes: bytes.reduce((sum, part) => sum + part, 0) };
}
