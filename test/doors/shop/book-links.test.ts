import { beforeAll, describe, expect, test } from 'vitest';
import { bookPaths } from '../../../app/book-paths';
import { bookPages } from '../../support/book-pages';
import { type BookWorld, makeBookWorld } from '../../support/every-book';
import { entriesOf } from '../../support/forms';
import { useServer } from '../../support/use-server';
import type { Page } from '../../support/visit';

/* Whoever works in a colleague's book stays in it: each link and each form of a page of it leads to that book. */

const daybook = useServer();
let world: BookWorld;
beforeAll(async () => {
  world = await makeBookWorld(daybook);
});

const escaped = (text: string) => text.replace(/[.+]/g, '\\$&');
const patterns = (Object.values(bookPaths()) as unknown as ((...ids: string[]) => string)[]).map(
  (path) => new RegExp(`^${escaped(path('ID', 'ID').split('?')[0] ?? '').replaceAll('ID', '[^/]+')}$`),
);
/** What an address is, where it leads to a page of a book that is not the colleague's. */
function strayed(address: string | undefined): string[] {
  const { pathname, searchParams } = new URL(address || '/', daybook.url);
  const isOfBook = patterns.some((pattern) => pattern.test(pathname));
  return isOfBook && searchParams.get('of') !== world.provider.username ? [address ?? ''] : [];
}

const pages = Object.entries(bookPages);
const screens = pages.filter(([name]) => !name.endsWith('File'));
const open = (pathOf: (typeof pages)[number][1]) =>
  world.people['the desk'].browser.get(pathOf(world, bookPaths(world.provider.username)));
const addressesOn = (page: Page) =>
  page
    .$$('main a[href]')
    .flatMap((link) => link.getAttribute('href') ?? [])
    .filter((href) => !href.startsWith('#'));

describe.each(screens)('the page %s of a colleague', (_, pathOf) => {
  test('names them in its heading', async () => {
    const page = await open(pathOf);

    expect(page.$('header')?.text).toContain(`The book of ${world.provider.displayName}`);
  });

  test('has links into their book alone', async () => {
    const page = await open(pathOf);

    expect(addressesOn(page).flatMap(strayed)).toEqual([]);
  });

  test('has forms of their book alone', async () => {
    const page = await open(pathOf);

    const forms = page.$$('main form');
    const isGet = (form: (typeof forms)[number]) => form.getAttribute('method')?.toLowerCase() !== 'post';
    const actions = forms.filter((form) => !isGet(form)).map((form) => form.getAttribute('action') || page.path);
    const buttons = page.$$('main [formaction]').map((button) => button.getAttribute('formaction'));
    expect([...actions, ...buttons].flatMap(strayed)).toEqual([]);
    const lost = forms.filter(isGet).filter((form) => {
      const book = form.querySelector('[name=of]')?.getAttribute('value');
      const at = new URL(form.getAttribute('action') || page.path, daybook.url);
      return book !== world.provider.username && strayed(at.pathname).length > 0;
    });
    expect(lost.map((form) => form.getAttribute('action') ?? page.path)).toEqual([]);
  });

  test('has no link to what there is not for them', async () => {
    const page = await open(pathOf);

    const own = addressesOn(page).filter((href) => href.startsWith('/'));
    const gone: string[] = [];
    for (const href of new Set(own)) {
      const { status } = await world.people['the desk'].browser.get(href);
      if (status >= 400) gone.push(`${status} ${href}`);
    }
    expect(gone).toEqual([]);
  });
});

// Last, because it books, moves, cancels and deletes.
describe.each(screens)('what is sent on the page %s of a colleague', (_, pathOf) => {
  test('leads back into their book', async () => {
    const page = await open(pathOf);
    const desk = world.people['the desk'].browser;
    const wrong: string[] = [];
    for (const form of page.$$('main form[method=post]')) {
      if (form.getAttribute('enctype')?.startsWith('multipart')) continue;
      for (const button of form.querySelectorAll('button:not([type=button]):not([disabled])')) {
        const body = new URLSearchParams(entriesOf(page.root, form, button, {}));
        const action = button.getAttribute('formaction') || form.getAttribute('action') || page.path;
        const { status, location } = await desk.post(action, body);
        if (status === 404 || status >= 500) wrong.push(`${status} ${action} ${body}`);
        if (location) wrong.push(...strayed(location));
      }
    }
    expect(wrong).toEqual([]);
  });
});
