import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { share, testFirst } from '../support/matrix';
import { useServer, useWorld } from '../support/use-server';
import { browsersAt, desk, phone } from './browser';
import { smallness } from './sight';

/* How large things are on each screen, and what whoever has set larger letters in the browser sees. */

const served = useServer();
const { keepOpen } = browsersAt(served);
const { host } = useWorld(served, { host: {} });

/** Sets the size of letters where the browser's own settings have it. */
async function setLetters(page: Page, standard: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Page.setFontSizes', { fontSizes: { standard } });
}

const widths = [360, 590, 610, 740, 990, 1010, 1200, 1260, 1320, 1490, 1510];

test.each(share([24], [20]))(
  'with letters of %i px the page begins at its top on screens of every width, and fits them',
  async (size) => {
    const page = await keepOpen({ as: host });
    await setLetters(page, size);
    const found = [];
    for (const path of ['/', '/create', '/view-meetups']) {
      await page.goto(path);
      expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe(`${size}px`);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        const main = await page.getByRole('main').boundingBox();
        const room = await page.evaluate(
          () => document.documentElement.clientWidth - document.documentElement.scrollWidth,
        );
        const isMenuThere = await page.getByRole('navigation', { name: 'Main' }).isVisible();
        const isBeside = main?.x === 250;
        if ((main?.y ?? 900) > 300 || room < 0 || isMenuThere !== isBeside) found.push({ path, width, main, room });
      }
    }
    await page.setViewportSize(desk);
    await setLetters(page, 16);
    expect(found).toEqual([]);
  },
);

testFirst('with letters twice as large the header takes a fourth of a phone, and goes with the page', async () => {
  const page = await keepOpen({ as: host, viewport: phone });
  await setLetters(page, 32);
  for (const path of ['/', '/create', '/week', `/with/${host.username}`]) {
    await page.goto(path);
    const header = page.getByRole('banner');
    expect([path, (await header.boundingBox())?.height]).toEqual([path, expect.toSatisfy((height) => height <= 185)]);
    await page.evaluate(() => scrollTo(0, 400));
    const place = await header.evaluate((box) => box.getBoundingClientRect().top + scrollY);
    expect([path, place]).toEqual([path, 0]);
  }
  await setLetters(page, 16);
});

testFirst('the content and its title are smaller on small screens', async () => {
  const page = await keepOpen();
  await page.goto('/login');
  for (const [width, zoom] of [
    [360, { content: 0.7, title: 0.8 }],
    [600, { content: 0.7, title: 0.8 }],
    [601, { content: 0.8, title: 1 }],
    [1300, { content: 0.8, title: 1 }],
    [1301, { content: 1, title: 1 }],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    const found = { content: await zoomOf(page, 'main'), title: await zoomOf(page, 'h1') };
    expect([width, found, await smallness(page)]).toEqual([width, zoom, []]);
  }
  await page.setViewportSize(desk);
});

const zoomOf = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => Number(getComputedStyle(element).zoom));
