import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { asHtml, asText, type MailText } from '../../app/domain/messages/mail-text';
import { english } from '../../app/domain/words/english';
import { expectConsoleError } from '../support/console';
import { useServer, useWorld } from '../support/use-server';
import { bottomOf, browsersAt, desk, phone, press } from './browser';
import { dayOf, wire } from './calendar';
import { violations } from './sight';

/* What readers see who have set their browser otherwise: colours, motion, size of letters, a screen on its side, a mail program. */

const served = useServer();
const { host } = useWorld(served, { host: {} });
const { open, openShared } = browsersAt(served);

describe('on a phone laid on its side', () => {
  const side = { width: 640, height: 300 };

  /** A registration of which all is missing, and the dialog that says it. */
  async function refusedRegistration(): Promise<{ page: Page; dialog: Locator }> {
    const page = await openShared({ script: false, viewport: side });
    expectConsoleError(/status of 400/);
    await page.goto('/register');
    await press(page, 'Register');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    return { page, dialog };
  }

  test('a dialog of many faults can be closed', async () => {
    const { dialog } = await refusedRegistration();
    expect(await bottomOf(dialog)).toBeLessThanOrEqual(side.height);

    await dialog.getByRole('button', { name: 'Close' }).click();

    await dialog.waitFor({ state: 'hidden' });
  });

  test('the cover does not stay', async () => {
    const page = await openShared({ script: false, viewport: side });
    await page.goto('/register');

    await page.getByRole('button', { name: 'Register' }).scrollIntoViewIfNeeded();

    expect(await bottomOf(page.getByRole('banner'))).toBeLessThan(0);
  });
});

describe('in the few colours that a reader has chosen', () => {
  async function pageInFewColours(path: string): Promise<Page> {
    const page = await openShared({ as: host, forcedColors: 'active' });
    await page.goto(path);
    return page;
  }

  const groundOf = (page: Page) => page.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor);

  test('a ticked day looks ticked', async () => {
    // On the last day of a month, that month has no other to choose.
    const page = await pageInFewColours(`/create?date=${wire(dayOf(1, 10))}`);
    const days = page.getByRole('checkbox', { disabled: false });

    await days.first().check();

    const grounds = await days.evaluateAll((boxes) =>
      boxes.slice(0, 2).map((one) => one.parentElement && getComputedStyle(one.parentElement).backgroundColor),
    );
    expect(new Set(grounds).size).toBe(2);
  });

  test('a button has an edge', async () => {
    const page = await pageInFewColours('/rules');

    const ground = await groundOf(page);
    const edges = await page
      .locator('.pressable')
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).border.split(/ solid /)));
    expect(edges).not.toEqual([]);
    for (const [width, colour] of edges) {
      expect(Number.parseFloat(width ?? '')).toBeGreaterThanOrEqual(1);
      expect(colour).not.toBe(ground);
    }
  });

  test.each([
    ['a link of the menu', '.drawer a'],
    ['a field', 'main input:not([type=hidden])'],
    ['a button', 'main button'],
  ])('the focus has a ring on %s', async (_, stop) => {
    const page = await pageInFewColours('/rules');

    await page.keyboard.press('Tab');
    await page.locator(stop).last().focus();

    const ring = await page.evaluate(() => {
      const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(document.activeElement as Element);
      return { style: outlineStyle, width: Number.parseFloat(outlineWidth), colour: outlineColor };
    });
    expect(ring.style).toBe('solid');
    expect(ring.width).toBeGreaterThanOrEqual(2);
    expect(ring.colour).not.toContain(await groundOf(page));
  });
});

describe('motion', () => {
  const runningOn = (page: Page) =>
    page.evaluate(() => document.getAnimations().filter(({ playState }) => playState === 'running').length);

  test.each([
    ['desk', desk, 4],
    ['phone', phone, 1],
  ])('goes on until it is paused, on a %s', async (_, viewport, many) => {
    const page = await openShared({ script: false, reducedMotion: 'no-preference', viewport });
    await page.goto('/');
    await expect.poll(() => runningOn(page)).toBe(many);

    await page.getByLabel('Pause the motion').check();

    await expect.poll(() => runningOn(page)).toBe(0);
  });

  test('is nowhere for whoever prefers less', async () => {
    const page = await openShared({ script: false, reducedMotion: 'no-preference', viewport: phone });
    await page.emulateMedia({ reducedMotion: 'reduce' });

    await page.goto('/');

    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
  });
});

describe('with larger letters, set in the browser,', () => {
  type Layout = { path: string; width: number; top: number; left: number; room: number; isMenuThere: boolean };
  const layouts: Layout[] = [];

  /** How the page lies at this width; `room` is negative where it is wider than the screen. */
  async function layoutAt(page: Page, path: string, width: number): Promise<Layout> {
    await page.setViewportSize({ width, height: 900 });
    const main = await page.getByRole('main').boundingBox();
    const room = await page.evaluate(() => document.documentElement.clientWidth - document.documentElement.scrollWidth);
    const isMenuThere = await page.getByRole('navigation', { name: 'Main' }).isVisible();
    return { path, width, top: main?.y ?? Number.NaN, left: main?.x ?? Number.NaN, room, isMenuThere };
  }

  beforeAll(async () => {
    const page = await open({ as: host });
    const session = await page.context().newCDPSession(page);
    await session.send('Page.setFontSizes', { fontSizes: { standard: 24 } });
    for (const path of ['/', '/create', '/view-meetups']) {
      await page.goto(path);
      for (const width of [360, 590, 610, 740, 990, 1010, 1200, 1260, 1320, 1490, 1510])
        layouts.push(await layoutAt(page, path, width));
    }
  });

  test('a page begins at its top on screens of every width', () => {
    expect(layouts).toHaveLength(33);
    expect(layouts.filter(({ top }) => !(top <= 300))).toEqual([]);
  });

  test('a page fits screens of every width', () => {
    expect(layouts).toHaveLength(33);
    expect(layouts.filter(({ room }) => room < 0)).toEqual([]);
  });

  test('a page makes room for its menu on screens of every width', () => {
    expect(layouts).toHaveLength(33);
    expect(layouts.filter(({ left, isMenuThere }) => isMenuThere !== (left === 250))).toEqual([]);
  });
});

/** Each colour that letters have, on each ground that they stand on. */
const lettersOn: [letters: string, ground: string][] = [
  ...['ink', 'muted', 'accent', 'good', 'warn', 'blue', 'plum'].flatMap((letters): [string, string][] => [
    [letters, 'paper'],
    [letters, 'card'],
  ]),
  // What is booked and what is over, in the tone of its service.
  ...['good-wash', 'warn-wash', 'blue-wash', 'plum-wash'].flatMap((ground): [string, string][] => [
    ['ink', ground],
    ['muted', ground],
  ]),
  ['ink', 'wash'],
  ['accent', 'wash'],
  ['good', 'good-wash'],
  ['warn', 'warn-wash'],
  ['blue', 'blue-wash'],
  ['plum', 'plum-wash'],
  ['on-cover', 'cover'],
  ['on-accent', 'accent'],
];

/** How light a colour such as '#1f2430' or '#fff' is, as WCAG reckons it: from 0 to 1. */
function luminanceOf(colour: string): number {
  const digits = colour.length === 4 ? colour.replace(/\w/g, '$&$&') : colour;
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(digits.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrastOf(letters: string, ground: string): number {
  const [dark = 0, light = 0] = [luminanceOf(letters), luminanceOf(ground)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

test.each(['light', 'dark'] as const)(
  'in %s all letters contrast with the ground they stand on',
  async (colorScheme) => {
    const page = await openShared();
    await page.emulateMedia({ colorScheme });
    await page.goto('/register');

    const colourOf = (token: string) =>
      page.evaluate((name) => getComputedStyle(document.documentElement).getPropertyValue(name), `--color-${token}`);
    const tooFaint: string[] = [];
    for (const [letters, ground] of lettersOn) {
      const [colour, under] = [await colourOf(letters), await colourOf(ground)];
      const contrast = contrastOf(colour, under);
      if (!(contrast >= 4.5)) tooFaint.push(`${letters} on ${ground}: ${contrast.toFixed(2)} (${colour} on ${under})`);
    }

    expect(tooFaint).toEqual([]);
  },
);

const mailText: MailText = {
  subject: 'Atelier Sousa: Tue 24 Nov, 09:30',
  paragraphs: ['Your appointment with Atelier Sousa is on Tuesday, 09:30 to 10:00, Lisbon time.', 'A\nnote'],
  button: { label: 'Change or cancel', href: 'https://book.example.org/details-cancel/1' },
  again: null,
  small: 'Sent by Daybook because you gave this address.',
  notMe: 'https://book.example.org/not-me/1',
  unsubscribe: 'https://book.example.org/unsubscribe/1',
};

describe('a mail', () => {
  /** The mail on a phone, and what it asks for. */
  async function mailOnPhone(): Promise<{ page: Page; asked: string[] }> {
    const page = await open({ viewport: phone });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.setContent(asHtml(mailText, english));
    return { page, asked };
  }

  test.each([
    ['light', 'rgb(246, 241, 230)'],
    ['dark', 'rgb(29, 26, 23)'],
  ] as const)('can be read in %s', async (colorScheme, background) => {
    const { page } = await mailOnPhone();

    await page.emulateMedia({ colorScheme });

    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(background);
    const rules = ['color-contrast', 'link-in-text-block', 'document-title', 'html-has-lang'];
    expect(await violations(page, rules)).toEqual([]);
  });

  test('fits a phone', async () => {
    const { page } = await mailOnPhone();

    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  });

  test('says what its plain text says', async () => {
    const { page } = await mailOnPhone();

    const wordsOf = (text: string) => text.split(/:?\s+/).filter(Boolean);
    const plain = asText(mailText, english).replace(/https:\S+|-- |:(?= https)/g, '');
    expect(wordsOf(await page.locator('body').innerText())).toEqual(wordsOf(plain));
  });

  test('loads nothing in light or dark', async () => {
    const { page, asked } = await mailOnPhone();

    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.evaluate(() => document.body.getBoundingClientRect());
    }

    expect(asked).toEqual([]);
  });
});
