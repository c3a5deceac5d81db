import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureChromium } from '../support/chromium';
import { type Person, registerProvider } from '../support/factories';
import { share } from '../support/matrix';
import { useServer } from '../support/use-server';

/* What whoever has set larger letters in the browser sees. Its size is a setting of the browser, so each has its own. */

const served = useServer();
const sizes = share([24], [20]);
/** Twice the usual size. */
const double = 32;
const browsers = new Map<number, Browser>();
let provider: Person;
beforeAll(async () => {
  provider = await registerProvider(served);
  for (const size of [...sizes, double]) {
    const args = ['--no-sandbox', '--disable-gpu', `--blink-settings=defaultFontSize=${size}`];
    browsers.set(size, await chromium.launch({ executablePath: ensureChromium(), args }));
  }
});
afterAll(() => Promise.all([...browsers.values()].map((browser) => browser.close())));

const widths = [360, 590, 610, 740, 990, 1010, 1200, 1260, 1320, 1490, 1510];

test.each(sizes)(
  'with letters of %i px the page begins at its top on screens of every width, and fits them',
  async (size) => {
    const page = await browsers.get(size)?.newPage({ baseURL: served.url });
    if (!page) throw new Error('There is no such browser.');
    const value = provider.browser.cookies.get('daybook') ?? '';
    await page.context().addCookies([{ name: 'daybook', value, url: served.url }]);
    const found = [];
    for (const path of ['/', '/create', '/view-meetups']) {
      await page.goto(path);
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
    expect(found).toEqual([]);
  },
);

test('with letters twice as large the header takes a fourth of a phone, and goes with the page', async () => {
  const context = await browsers
    .get(double)
    ?.newContext({ baseURL: served.url, viewport: { width: 360, height: 740 } });
  if (!context) throw new Error('There is no such browser.');
  await context.addCookies([
    { name: 'daybook', value: provider.browser.cookies.get('daybook') ?? '', url: served.url },
  ]);
  const page = await context.newPage();
  for (const path of ['/', '/create', '/week', `/with/${provider.username}`]) {
    await page.goto(path);
    const header = page.getByRole('banner');
    expect([path, (await header.boundingBox())?.height]).toEqual([path, expect.toSatisfy((height) => height <= 185)]);
    await page.evaluate(() => scrollTo(0, 400));
    const place = await header.evaluate((box) => box.getBoundingClientRect().top + scrollY);
    expect([path, place]).toEqual([path, 0]);
  }
});
