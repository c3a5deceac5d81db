import { expect } from 'vitest';
import type { Person } from './factories';
import { Page } from './visit';

export const importPath = '/people/import';

/** Sends a form of the import as a browser does: with the hidden fields and choices of the page, unless others are given. */
export async function submitImport(
  who: Person,
  page: Page | null,
  given: Record<string, string | File>,
): Promise<Page> {
  const form = new FormData();
  for (const field of page?.$$('main form[method=post] :is(input, textarea, select)') ?? []) {
    const name = field.getAttribute('name');
    if (!name || field.getAttribute('type') === 'file' || name in given) continue;
    if (field.getAttribute('type') === 'checkbox' && !field.hasAttribute('checked')) continue;
    const chosen = field.localName === 'select' ? field.querySelector('option[selected]') : field;
    form.append(name, chosen?.getAttribute('value') ?? (field.localName === 'textarea' ? field.text : ''));
  }
  for (const [name, value] of Object.entries(given)) form.append(name, value);
  const cookie = who.browser.cookies.header(importPath) ?? '';
  // What is too large is refused unread, and its connection may be closed before the next form goes over it.
  const headers = { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin', Connection: 'close' };
  const response = await fetch(new URL(importPath, who.browser.url), { method: 'POST', headers, body: form });
  const { status, url } = response;
  return new Page(who.browser, { status, url, headers: response.headers, text: await response.text() });
}
export const fileOf = (text: string) => new File([text], 'clients.csv', { type: 'text/csv' });
export function expectPage(page: Page, status: number, words: string | RegExp) {
  expect(page.words).toMatch(words);
  expect(page.status).toBe(status);
}
