import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectConsoleError } from '../support/console';
import { madeUpWorker, place } from '../support/made-up-worker';
import { share } from '../support/matrix';
import { useServer } from '../support/use-server';
import { browsersAt, desk, paper, phone, takenOver } from './browser';
import { type LookWorld, makeLookWorld, pathIn } from './look-world';
import { refusable, type Screen, screens, unfold, type Who } from './screens';
import { axe, mismatches, smallness, violations, waste } from './sight';

/* Every screen in other languages than English: it fits, it is taken over by its scripts, and it can be read. */

const served = useServer({ before: madeUpWorker() });
const { openShared } = browsersAt(served);

let world: LookWorld;
beforeAll(async () => {
  world = await makeLookWorld(served);
});

type AnyScreen = Screen & { who: Who };
const screensAsTheyCome = Object.entries(screens).flatMap(([who, list]) =>
  list
    .filter(({ act }) => act === undefined || act === unfold)
    .map((screen) => [`${who}: ${screen.name}`, { ...screen, who: who as Who }] as const),
);
/** Each address once: scripts take a screen over before anything is done there. */
const everyAddress = Object.entries(screens).flatMap(([who, list]) =>
  [
    ...new Map(
      list.map(({ path, status, act }) => [path, { name: path, path, status: act ? undefined : status }]),
    ).values(),
  ].map((screen) => [`${who}: ${screen.path}`, { ...screen, who: who as Who }] as const),
);

/** `npm test` reads these in Arabic and German, the matrix all. */
const readFirst = screensAsTheyCome.filter(([name]) =>
  /^(nobody: (\/|\/with\/:provider\/:asking|:link)|provider: (\/|\/week|\/hours.*|:person)|consumer: \/details\/:asking.*)$/.test(
    name,
  ),
);

/** Letters have no scripts that take them over. */
async function takenOverIfScripted(page: Page): Promise<void> {
  if ((await page.locator('script[src]').count()) > 0) await takenOver(page);
}

/** The screen once its scripts have taken it over. A mismatch is an error of the console, and so of the test. */
async function standOn(locale: string, { who, path, act, status }: AnyScreen, width: typeof phone): Promise<Page> {
  const page = await openShared({ as: who === 'nobody' ? undefined : world[who], locale, brings: [axe] });
  await page.setViewportSize(width);
  if (status) expectConsoleError(new RegExp(`status of ${status}`));
  await page.goto(pathIn(world, path));
  await takenOverIfScripted(page);
  await act?.(page, world);
  return page;
}

const narrow = { width: 320, height: 640 };
/** What is wider than the screen or its box. */
const widthsOf = async (page: Page) =>
  (await smallness(page)).filter((fault) => /^(the page is|sticks out)/.test(fault));

describe.each(share(screensAsTheyCome, []))('in a language of longer words, %s', (_, screen) => {
  test('fits 320 pixels, in both directions', async () => {
    const page = await standOn(place, screen, narrow);
    const fromLeft = await widthsOf(page);
    await page.evaluate(() => {
      document.documentElement.dir = 'rtl';
    });

    expect({ fromLeft, fromRight: await widthsOf(page) }).toEqual({ fromLeft: [], fromRight: [] });
  });
});

/** Sends the first form that can be refused, with each of its fields wrong, whatever the browser says to that. */
async function sendWrong(page: Page): Promise<void> {
  await page.evaluate(() => {
    const typed = 'input:not([type=hidden], [type=checkbox], [type=radio], [type=file], [type=submit]), textarea';
    const form = [...document.querySelectorAll<HTMLFormElement>('main form[method=post]')].find((one) =>
      one.querySelector(typed),
    );
    if (!form) throw new Error('There is no form to be refused.');
    for (const field of form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(typed)) {
      const most = field.maxLength < 0 ? 100 : field.maxLength;
      if (field instanceof HTMLInputElement) field.type = 'text';
      field.value = 'Ω'.repeat(most + 1);
    }
    form.noValidate = true;
    form.requestSubmit(form.querySelector<HTMLButtonElement>('button:not([type=button])'));
  });
  await page.locator('main [data-faults]').first().waitFor();
  await takenOverIfScripted(page);
}

test.each<[Who, string]>([
  ['provider', '/day'],
  ['provider', '/shop/day'],
  ['provider', '/week'],
  ['nobody', ':link'],
])('for a %s %s fits on paper, in both directions', async (who, path) => {
  const page = await standOn(place, { who, name: path, path }, paper);
  await page.emulateMedia({ media: 'print' });
  const fromLeft = await waste(page);
  await page.evaluate(() => {
    document.documentElement.dir = 'rtl';
  });

  expect({ fromLeft, fromRight: await waste(page) }).toEqual({ fromLeft: [], fromRight: [] });
});

const [refusedFirst, refusedLater] = [true, false].map((isFirst) =>
  refusable.filter(([, path]) => path.includes(':asking') === isFirst),
);

describe.each(share(refusedFirst, refusedLater) ?? [])('for a %s at %s', (who, path) => {
  const screen = { who, name: path, path };

  test('a refused form fits 320 pixels and keeps to WCAG, in both directions', async () => {
    expectConsoleError(/status of 4/);
    const page = await standOn(place, screen, narrow);
    await sendWrong(page);
    const found = { left: await widthsOf(page), axe: await violations(page), right: [] as string[] };
    await page.evaluate(() => {
      document.documentElement.dir = 'rtl';
    });
    found.right = await widthsOf(page);

    expect(found).toEqual({ left: [], axe: [], right: [] });
  });
});

const isReadFirst = ([name]: readonly [string, unknown]) => readFirst.some(([first]) => first === name);
const firstAddresses = everyAddress.filter(isReadFirst);
const otherAddresses = everyAddress.filter((address) => !isReadFirst(address));

const readLater = screensAsTheyCome.filter((screen) => !isReadFirst(screen));

describe.each(share(readFirst, readLater))('%s', (_, screen) => {
  test.each(['ar', 'de'])('keeps to WCAG in %s on a phone and on a desk', async (language) => {
    const page = await standOn(language, screen, phone);
    const onPhone = await violations(page);
    await page.setViewportSize(desk);

    expect({ onPhone, onDesk: await violations(page) }).toEqual({ onPhone: [], onDesk: [] });
  });
});

describe.each(share(firstAddresses, otherAddresses))('%s', (_, screen) => {
  test('is taken over in Arabic without a difference', async () => {
    const page = await standOn('ar', screen, phone);

    expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
    expect(await mismatches(page)).toEqual([]);
  });
});

/** What stands in each element that is turned around, and each arrow that is not. */
const turned = (page: Page) =>
  page.locator('body').evaluate((body) => {
    const all = [...body.querySelectorAll('*')];
    const isTurned = (element: Element) => getComputedStyle(element).scale.startsWith('-1');
    const ownText = (element: Element) =>
      [...element.childNodes]
        .flatMap((node) => (node.nodeType === Node.TEXT_NODE ? [node.textContent ?? ''] : []))
        .join('');
    return {
      inside: all.filter(isTurned).map((element) => element.textContent?.trim() ?? ''),
      left: all.filter((element) => /[←→↗]/.test(ownText(element)) && !isTurned(element)).map((one) => one.outerHTML),
    };
  });

test.each<[Who, string]>([
  ['nobody', '/with/:provider'],
  ['provider', '/create'],
  ['provider', '/week'],
])('for a %s at %s in Arabic arrows are turned around, and no time or price is', async (who, path) => {
  const page = await standOn('ar', { who, name: path, path }, phone);

  const { inside, left } = await turned(page);

  expect(inside.length).toBeGreaterThan(0);
  const others = inside.filter((text) => !/^[←→↗]?$/.test(text));
  expect({ others, left }).toEqual({ others: [], left: [] });
});
