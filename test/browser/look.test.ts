import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectConsoleError } from '../support/console';
import { registerProvider } from '../support/factories';
import { createMeetup, linkOf } from '../support/party-factories';
import { useServer } from '../support/use-server';
import { arrive, browsersAt, button, desk, phone, press, see, takenOver } from './browser';
import { dayOf, wire } from './calendar';
import { makeSmallWorld } from './look-world';

const served = useServer();
const { open, keepOpen } = browsersAt(served);

let world: Awaited<ReturnType<typeof makeSmallWorld>>;
beforeAll(async () => {
  world = await makeSmallWorld(served);
});

describe('on a phone', () => {
  test('what is to be ticked keeps its size, however many words are beside it', async () => {
    const page = await keepOpen();
    await page.setViewportSize(phone);
    await page.goto('/register');
    const sizes = await page.getByRole('radio').evaluateAll((all) => all.map((one) => one.getBoundingClientRect()));
    expect(new Set(sizes.flatMap(({ width, height }) => [Math.round(width), Math.round(height)])).size).toBe(1);
    await page.setViewportSize(desk);
  });

  test('a link to pass on has its line for itself, and the heading of what is booked leads to all of it', async () => {
    const page = await keepOpen({ as: world.newProvider, viewport: phone });
    await page.goto('/');
    const field = await page.getByLabel('Your booking link').boundingBox();
    const copy = await button(page, 'Copy link').boundingBox();
    expect(bottom(field)).toBeLessThanOrEqual(copy?.y ?? Number.NaN);
    await page.getByRole('heading', { name: 'Booked', exact: true }).click();
    await arrive(page, '/view-booked');
  });

  test('the next booking is offered above the list of those that are, and their notes are cut to two lines', async () => {
    const page = await keepOpen({ as: world.consumer, viewport: phone });
    await page.goto('/');
    const next = await page.getByRole('link', { name: 'Book another' }).boundingBox();
    const list = await page.locator('ul.lines').first().boundingBox();
    expect(bottom(next)).toBeLessThan(list?.y ?? Number.NaN);
    await page.goto('/view-booked');
    const notes = page.getByText('Second door on the left').first();
    const [lines, isCut] = await notes.evaluate((box) => [
      Math.round(box.clientHeight / Number.parseFloat(getComputedStyle(box).lineHeight)),
      box.scrollHeight > box.clientHeight,
    ]);
    expect([lines, isCut]).toEqual([2, true]);
  });

  test('laid on its side, the cover does not stay and a dialog of many faults can be closed', async () => {
    const page = await keepOpen({ script: false, viewport: { width: 640, height: 300 } });
    expectConsoleError(/status of 400/);
    await page.goto('/register');
    await press(page, 'Register');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    expect(bottom(await dialog.boundingBox())).toBeLessThanOrEqual(300);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Register' }).scrollIntoViewIfNeeded();
    expect(bottom(await page.getByRole('banner').boundingBox())).toBeLessThan(0);
  });
});

test('fields beside one that is wrong keep their height', async () => {
  const page = await keepOpen({ as: world.newProvider, script: false });
  expectConsoleError(/status of 400/);
  await page.goto('/create-party');
  await press(page, 'Create party');
  await see(page, 'Date is missing.');
  const heights = await Promise.all(
    ['Date', 'Start time', 'End time'].map(async (label) => (await page.getByLabel(label).boundingBox())?.height),
  );
  expect(new Set(heights.map((height) => Math.round(height ?? 0))).size).toBe(1);
});

test('who comes to a party is read without scrolling on a phone, and on paper nothing of it is cut off', async () => {
  const page = await keepOpen({ as: world.provider });
  await page.goto(`/view-party/${world.party}`);
  const hint = page.getByText('Slide the table to the left to read the answers.');
  expect(await hint.isVisible()).toBe(false);
  await page.setViewportSize(phone);
  expect(await hint.isVisible()).toBe(true);
  const table = page.getByRole('region', { name: 'RSVPs' });
  const answer = await page.getByRole('cell', { name: 'Yes' }).boundingBox();
  expect(right(answer)).toBeLessThanOrEqual(right(await table.boundingBox()));
  await page.setViewportSize({ width: 794, height: 1123 });
  await page.emulateMedia({ media: 'print' });
  const [whole, seen] = await table.evaluate(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth]);
  expect(whole).toBe(seen);
  await page.setViewportSize(desk);
  await page.emulateMedia({ media: 'screen' });
});

test('a row of the meetups is a target as a whole, but for its map, and names its zone once on one line', async () => {
  const page = await keepOpen({ as: world.provider });
  await page.goto('/view-meetups');
  const columns = ['Date', 'Meetup', 'Provider', 'Start', 'End', 'Description', 'Location'];
  expect(await page.getByRole('columnheader').allTextContents()).toEqual(columns);
  const row = page.getByRole('row').filter({ hasText: 'Spring planning' });
  const map = row.getByRole('link', { name: 'Room 4' });
  /** What lies under the middle of the map's link, and under the corner of the provider's cell. */
  const under = async () => {
    const isMap = await map.evaluate((link) => {
      const { x, y, width, height } = link.getBoundingClientRect();
      return link.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    });
    const isRow = await row
      .getByRole('cell')
      .nth(1)
      .evaluate((cell) => {
        const { x, y } = cell.getBoundingClientRect();
        return document
          .elementFromPoint(x + 2, y + 2)
          ?.closest('a')
          ?.getAttribute('href');
      });
    return [isMap, isRow];
  };
  const manage = `/manage-meetup/${world.meetup.id}`;
  expect(await under()).toEqual([true, manage]);
  await page.setViewportSize(phone);
  expect(await under()).toEqual([true, manage]);
  const boxOf = (time: RegExp) => row.getByRole('cell', { name: time }).boundingBox();
  const [start, end] = [await boxOf(/^10:00/), await boxOf(/11:30/)];
  expect(end?.y).toBe(start?.y);
  expect(end?.x).toBeGreaterThanOrEqual(right(start));
  expect(await row.getByText('Colombo time').count()).toBe(1);
  await page.setViewportSize(desk);
});

test('the names of a meetup have room beside their links, and a question before a deletion stands out', async () => {
  const page = await keepOpen({ as: world.provider });
  await page.goto(`/manage-meetup/${world.meetup.id}`);
  const name = page.getByRole('rowheader', { name: 'Grace Hopper' });
  const lines = await name.evaluate((cell) => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    return new Set([...range.getClientRects()].map(({ y }) => y)).size;
  });
  expect(lines).toBe(1);
  // And each button says aloud whose link it copies.
  await page
    .getByRole('button', { name: /^Copy link ?: .*Grace Hopper/ })
    .first()
    .waitFor();
  await takenOver(page);
  await button(page, /^Delete/)
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  const behind = await dialog.evaluate((box) => getComputedStyle(box, '::backdrop').backgroundColor);
  expect(behind).not.toMatch(/^rgba\(0, 0, 0, 0(\.1)?\)$/);
});

test('the buttons of a template being written stand in its card', async () => {
  const page = await keepOpen({ as: world.provider });
  await page.goto('/create-template');
  const card = await page
    .locator('section')
    .filter({ has: page.getByLabel('Title') })
    .boundingBox();
  expect(bottom(await button(page, 'Submit').boundingBox())).toBeLessThan(bottom(card));
});

test('a letter is printed without its cover, its login and its buttons', async () => {
  const stranger = await open();
  await stranger.goto(`/party/${world.party}`);
  await stranger.emulateMedia({ media: 'print' });
  expect(await stranger.getByRole('heading', { name: 'A housewarming' }).isVisible()).toBe(true);
  for (const name of ['Username', 'Password']) expect(await stranger.getByLabel(name).isVisible()).toBe(false);
  expect(await stranger.getByRole('banner').isVisible()).toBe(false);
  const guest = await open({ as: world.consumer });
  for (const path of [`/party/${world.party}?step=questions`, `/meetup-rsvp/${world.meetup.yes}`]) {
    await guest.goto(path);
    await guest.emulateMedia({ media: 'print' });
    expect(await guest.getByRole('button').count()).toBe(0);
    expect(await guest.getByText('Add to calendar').isVisible()).toBe(false);
  }
});

test('a letter lies in the middle, however wide the screen', async () => {
  const page = await keepOpen();
  await page.setViewportSize({ width: 1600, height: 900 });
  await page.goto(`/meetup-rsvp/${world.meetup.open}`);
  const letter = await page.getByRole('article').boundingBox();
  expect(Math.round((letter?.x ?? Number.NaN) + (letter?.width ?? 0) / 2)).toBe(800);
  await page.setViewportSize(desk);
});

describe('in the few colours that a reader has chosen', () => {
  const colours = (page: Page, selector: string, side: string) =>
    page
      .locator(selector)
      .evaluateAll((all, side) => all.map((one) => getComputedStyle(one).getPropertyValue(side)), side);

  test('a ticked day looks ticked', async () => {
    const page = await keepOpen({ as: world.provider, forcedColors: 'active' });
    await page.goto('/create');
    const days = page.getByRole('checkbox', { disabled: false });
    await days.first().check();
    const grounds = await days.evaluateAll((boxes) =>
      boxes.slice(0, 2).map((one) => one.parentElement && getComputedStyle(one.parentElement).backgroundColor),
    );
    expect(new Set(grounds).size).toBe(2);
  });

  test('a button has an edge, and what has the focus a ring', async () => {
    const page = await keepOpen({ as: world.provider, forcedColors: 'active' });
    await page.goto('/rules');
    const [ground] = await colours(page, 'body', 'background-color');
    const edges = await page
      .locator('.pressable')
      .evaluateAll((all) =>
        all.map((one) => [getComputedStyle(one).borderTopColor, getComputedStyle(one).borderTopWidth]),
      );
    for (const [colour, width] of edges)
      expect([colour === ground, Number.parseFloat(width ?? '') >= 1]).toEqual([false, true]);
    for (const stop of [
      page.locator('.drawer a').first(),
      page.locator('main input:not([type=hidden])').first(),
      page.locator('main button').last(),
    ]) {
      await page.keyboard.press('Tab');
      await stop.focus();
      const ring = await stop.evaluate((one) => {
        const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(one);
        return [outlineStyle, outlineWidth, outlineColor];
      });
      expect([ring[0], Number.parseFloat(ring[1] ?? '') >= 2]).toEqual(['solid', true]);
      expect(ring[2]).not.toBe(ground);
    }
  });

  test('the mark of the menu is on the present screen alone, the week has no colour of ours, and a chosen day an edge', async () => {
    const page = await keepOpen({ as: world.provider, forcedColors: 'active' });
    await page.goto(`/week?from=${wire(dayOf(1, 9))}`);
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      const [ground] = await colours(page, 'body', 'background-color');
      expect(await colours(page, '.drawer [aria-current]', 'border-left-color')).not.toContain(ground);
      expect(new Set(await colours(page, '.drawer a:not([aria-current])', 'border-left-color'))).toEqual(
        new Set([ground]),
      );
    }
    const [ground] = await colours(page, 'body', 'background-color');
    const fills = await colours(page, '.week-item rect', 'fill');
    expect(fills.length).toBeGreaterThan(5);
    expect(new Set(fills)).toEqual(new Set([ground]));
    await page.goto(`/with/${world.provider.username}?dates=${wire(dayOf(1, 11))}`);
    const chosen = await colours(page, '.month [aria-current]', 'border-top-width');
    expect(await colours(page, '.month a:not([aria-current])', 'border-top-width')).not.toContain(chosen[0]);
  });
});

test('words that run from right to left leave the sentence around them as it is', async () => {
  const host = await registerProvider(served, { displayName: 'مركز الشفاء' });
  const meetup = await createMeetup(host, { attendees: ['דוד'] });
  const page = await keepOpen();
  await page.goto(`/meetup-rsvp/${linkOf(meetup, 'דוד').id}`);
  const places = await page.getByText('would love to see you').evaluate((sentence) =>
    ['Hi', 'דוד', 'مركز الشفاء', 'would'].map((words) => {
      const texts = document.createTreeWalker(sentence, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        const start = text.textContent?.indexOf(words) ?? -1;
        if (start < 0) continue;
        const range = document.createRange();
        range.setStart(text, start);
        range.setEnd(text, start + words.length);
        return range.getBoundingClientRect().left;
      }
      return Number.NaN;
    }),
  );
  expect(places).toEqual([...places].sort((one, other) => one - other));
});

describe('motion', () => {
  test('brings the page in from above over 0.7 s, and the letters of its title 0.05 s apart', async () => {
    const page = await keepOpen({ reducedMotion: 'no-preference' });
    await page.goto('/register');
    const [slide] = await animationsOf(page, 'main', true);
    expect(slide).toMatchObject({ duration: 700, delay: 0, iterations: 1 });
    expect(slide?.from).toMatch(/^translateY\(-/);
    // What is invisible at first is painted late.
    expect(await page.getByRole('main').evaluate((main) => getComputedStyle(main).opacity)).toBe('1');
    const letters = await animationsOf(page, 'h1', true);
    expect(letters.map(({ delay }) => delay)).toEqual([0, 50, 100, 150, 200, 250, 300, 350]);
    // And the title is not taken apart for whoever hears or copies it.
    await page.goto('/not-logged-in?to=%2Fview');
    await page.getByRole('heading', { level: 1, name: 'Not logged in', exact: true }).waitFor();
    const copied = await page.locator('h1').evaluate((heading) => {
      getSelection()?.selectAllChildren(heading);
      return getSelection()?.toString();
    });
    expect(copied).toBe('Not logged in');
  });

  test('there is none for whoever prefers less', async () => {
    const page = await keepOpen();
    for (const path of ['/register', '/']) {
      await page.goto(path);
      expect(await animationsOf(page, 'html')).toEqual([]);
    }
    await page.setViewportSize(phone);
    expect(await animationsOf(page, 'html')).toEqual([]);
    await page.setViewportSize(desk);
  });
});

test.each([
  ['a screen', '/login'],
  ['a letter', ({ party }: typeof world) => `/party/${party}`],
])('the first thing that Tab shows on %s is the way past the menu', async (_, path) => {
  const page = await keepOpen({ script: false });
  await page.goto(typeof path === 'string' ? path : path(world));
  const skip = page.getByRole('link', { name: 'Skip to the page' });
  expect((await skip.boundingBox())?.width).toBe(1);
  await page.keyboard.press('Tab');
  expect(await skip.evaluate((focused) => focused === document.activeElement)).toBe(true);
  expect((await skip.boundingBox())?.width).toBeGreaterThan(100);
});

/** Without scripts: all of it is the style sheet's. */
describe('the landing page', () => {
  const adverbs = ['effortlessly.', 'instantly.', 'reliably.', 'anywhere.'];

  test('says another adverb every two seconds on a large screen, until it is paused', async () => {
    const page = await keepOpen({ script: false, reducedMotion: 'no-preference' });
    await page.goto('/');
    const said = [];
    for (const seconds of [1, 3, 5, 7, 9]) said.push(await adverbAt(page, seconds));
    expect(said).toEqual([...adverbs, adverbs[0]]);
    expect(await runningOf(page, '.adverbs')).toHaveLength(4);
    await page.getByLabel('Pause the motion').check();
    expect(await runningOf(page, '.adverbs')).toEqual([]);
    await page.getByLabel('Pause the motion').uncheck();
    expect(await runningOf(page, '.adverbs')).toHaveLength(4);
  });

  test('pulses every 1.5 s on a phone, until it is paused', async () => {
    const page = await keepOpen({ script: false, viewport: phone, reducedMotion: 'no-preference' });
    await page.goto('/');
    const pulse = await runningOf(page, '.pulses');
    expect(pulse).toMatchObject([{ duration: 1500, iterations: Number.POSITIVE_INFINITY }]);
    expect(await runningOf(page, '.adverbs')).toEqual([]);
    await page.getByLabel('Pause the motion').check();
    expect(await runningOf(page, '.pulses')).toEqual([]);
  });

  test('folds its reasons open and shut', async () => {
    const page = await keepOpen({ script: false, viewport: phone });
    await page.goto('/');
    const words = page.getByText('No trial, no tiers, no card.');
    expect(await words.isVisible()).toBe(false);
    await page.getByText('Completely free').click();
    await words.waitFor();
    await page.getByText('Completely free').click();
    await words.waitFor({ state: 'hidden' });
  });
});

type Box = { x: number; y: number; width: number; height: number } | null;
const right = (box: Box) => (box ? box.x + box.width : Number.NaN);
const bottom = (box: Box) => (box ? box.y + box.height : Number.NaN);

/**
 * The animations of an element and what is in it, by their beginning, however far they are. What has ended is not listed:
 * begun anew, they are seen however long ago the page has come.
 */
const animationsOf = (page: Page, selector: string, isAnew = false) =>
  page.locator(selector).evaluate((element, isAnew) => {
    if (isAnew) {
      const { style } = element as HTMLElement;
      style.display = 'none';
      getComputedStyle(element).getPropertyValue('display');
      style.display = '';
    }
    return element.getAnimations({ subtree: true }).map((animation) => {
      const effect = animation.effect as KeyframeEffect;
      const { duration, delay, iterations } = effect.getTiming();
      return { duration, delay, iterations, state: animation.playState, from: effect.getKeyframes()[0]?.transform };
    });
  }, isAnew);

const runningOf = async (page: Page, selector: string) =>
  (await animationsOf(page, selector)).filter(({ state }) => state === 'running');

/** Which adverb is to be read so many seconds after the page has come. */
const adverbAt = (page: Page, seconds: number) =>
  page.locator('.adverbs').evaluate((element, at) => {
    for (const animation of element.getAnimations({ subtree: true })) animation.currentTime = at * 1000;
    const seen = [...element.children].filter((word) => Number(getComputedStyle(word).opacity) > 0.5);
    return seen.map((word) => word.textContent).join(' and ');
  }, seconds);
