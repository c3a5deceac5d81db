import { HtmlValidate } from 'html-validate';
import { beforeAll, describe, expect, test } from 'vitest';
import { isFile, makeRouteWorld, more, type Reader, type RouteWorld, screens } from '../../support/every-route';
import { share, testFirst } from '../../support/matrix';
import { useServer } from '../../support/use-server';
import type { Page } from '../../support/visit';

/* Every screen against the rules of HTML: what may stand in what, which attributes there are, what each id names. */

const daybook = useServer();
let world: RouteWorld;
beforeAll(async () => {
  world = await makeRouteWorld(daybook);
});

const rules = new HtmlValidate({ root: true, extends: ['html-validate:standard'] });

/** What is wrong with the markup of a page, each fault a line. */
async function faultsOf(page: Page): Promise<string[]> {
  const { results } = await rules.validateString(page.text);
  const faults = results.flatMap(({ messages }) =>
    messages.map((one) => `${one.ruleId}: ${one.message} (${one.selector})`),
  );
  // A dialog has a focus of its own, when it opens.
  const focused = page.$$('[autofocus]').filter((one) => !one.closest('dialog, [popover]')).length;
  return focused > 1 ? [...faults, `${focused} elements want the focus`] : faults;
}

describe.each(share<Reader[]>(['provider'], ['stranger', 'consumer', 'rival']))('to a %s', (reader) => {
  test('every screen is HTML as the standard has it', async () => {
    const { browser } = reader === 'stranger' ? { browser: daybook.visitor() } : world[reader];
    const faults: Record<string, string[]> = {};
    for (const [path, , where] of [...screens, ...more].filter(([path]) => !isFile(path))) {
      const page = await browser.get(where(world));
      if (page.text === '') expect([path, page.status]).toEqual([path, 302]);
      const found = page.text === '' ? [] : await faultsOf(page);
      if (found.length > 0) faults[path] = found;
    }
    expect(faults).toEqual({});
  });
});

testFirst.each([
  ['stranger', '/register', {}],
  ['stranger', '/login', {}],
  ['provider', '/create', {}],
  ['provider', '/create-party', {}],
  ['provider', '/rules', { cancelUntil: '-1' }],
  ['provider', '/profile', { intent: 'profile' }],
  ['provider', '/view-meetups', {}],
  ['consumer', '/email', {}],
] as const)('what a %s is shown when %s is refused is too', async (reader, path, fields) => {
  const browser = reader === 'stranger' ? daybook.visitor() : world[reader].browser;
  const page = await browser.post(path, fields);
  expect([page.status, await faultsOf(page)]).toEqual([400, []]);
});
