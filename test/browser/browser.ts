import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { launchChromium } from '../support/chromium';
import { isoAhead, type Person, password } from '../support/factories';
import type { Served } from '../support/use-server';

export const phone = { width: 360, height: 740 };
export const desk = { width: 1280, height: 900 };
/** What can be printed on of A4, within margins of 14 mm. */
export const paper = { width: 688, height: 1016 };

/** What a test's browser is like: scripts on, a desk's screen, light and without motion, unless said otherwise. */
type Setting = Omit<BrowserContextOptions, 'javaScriptEnabled' | 'baseURL' | 'viewport'> & {
  viewport?: typeof desk;
  script?: boolean;
  /** Whose login it has. */
  as?: Person;
  /** Whether the test moves the clock of its pages. */
  hasClock?: boolean;
  /** Scripts of the test's own, which each of its pages has before it is read. */
  brings?: string[];
};

/** The name of a window that has gone on to another test, until its next page begins. */
const handedOn = 'handed on';

/** Clears what a page of the last test stored as it was left, which is too late to be cleared on that page. */
function forget(mark: string): void {
  if (window.name !== mark) return;
  window.name = '';
  sessionStorage.clear();
}

/** Opened by the first test of this worker that needs it, and ended with the worker. */
let chromium: Promise<Browser> | undefined;

/**
 * One Chromium for the tests of a worker, and a fresh profile of it with each call of `open`. What the console of its
 * pages calls an error, the policy's refusals included, is an error of the test: see console.ts.
 */
export function browsersAt(served: Served): {
  open: (setting?: Setting) => Promise<Page>;
  /**
   * As `open`, once for each setting, whoever is logged in and however wide the screen: a page that goes from one test to the
   * next without what the last one has left there, until one fails. What a test changes beyond width, media, routes and
   * cookies it gives back. A fresh profile takes longer to open its first page than a test that only looks.
   */
  openShared: (setting?: Setting) => Promise<Page>;
} {
  const contexts: BrowserContext[] = [];
  const shared = new Map<string, Page>();
  const closeShared = async () => {
    await Promise.all([...shared.values()].map((page) => page.context().close()));
    shared.clear();
  };
  beforeAll(async () => {
    chromium ??= launchChromium();
    await chromium;
  });
  afterEach(async ({ task }) => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    if (task.result?.state === 'fail') await closeShared();
  });
  afterAll(closeShared);

  const logIn = async (context: BrowserContext, as: Person | undefined) => {
    const value = as?.browser.cookies.get('daybook');
    if (value) await context.addCookies([{ name: 'daybook', value, url: served.url }]);
  };

  const newPage = async ({ script = true, as, hasClock, brings = [], ...look }: Setting) => {
    chromium ??= launchChromium();
    const context = await (await chromium).newContext({
      viewport: desk,
      locale: 'en-GB',
      timezoneId: 'UTC',
      // A person waits until the page has slid in before they click, and so does Playwright.
      reducedMotion: 'reduce',
      ...look,
      baseURL: served.url,
      javaScriptEnabled: script,
    });
    context.setDefaultTimeout(10_000);
    for (const content of brings) await context.addInitScript({ content });
    await logIn(context, as);
    const page = await context.newPage();
    if (hasClock) await page.clock.install();
    page.on('pageerror', (error) => console.error(`${page.url()}:`, error));
    page.on('console', (message) => {
      if (message.type() === 'error') console.error(`${page.url()}: ${message.text()}`);
    });
    return page;
  };

  return {
    async open(setting = {}) {
      const page = await newPage(setting);
      contexts.push(page.context());
      return page;
    },
    async openShared({ as, viewport = desk, script = true, ...look } = {}) {
      const key = JSON.stringify({ script, ...look });
      const open = shared.get(key);
      const page = open ?? (await newPage({ ...look, script, as, viewport }));
      shared.set(key, page);
      if (!open) {
        await page.addInitScript(forget, handedOn);
        return page;
      }
      page.removeAllListeners('request');
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.setViewportSize(viewport);
      const { colorScheme = 'light', reducedMotion = 'reduce' } = look;
      await page.emulateMedia({ media: null, colorScheme, reducedMotion });
      await page.evaluate((mark) => {
        window.name = mark;
      }, handedOn);
      await page.context().clearCookies();
      await logIn(page.context(), as);
      return page;
    },
  };
}

/** Path and query of what the page shows. */
export function pathOf(page: Page): string {
  const { pathname, search } = new URL(page.url());
  return pathname + search;
}

/**
 * Waits until the page has arrived at a path, whatever its query. After a double click see something there first: without
 * script the second click breaks off the way that the first has taken, and this wait with it.
 */
export async function arrive(page: Page, path: string): Promise<void> {
  await page.waitForURL((url) => url.pathname === path);
  // Scripts change the address before they draw the page: on a busy machine the last one is to be seen until then.
  await page.locator('.pending').waitFor({ state: 'detached' });
}

/** Holds back the scripts of this page until the returned function is called. */
export async function delayScripts(page: Page): Promise<() => void> {
  let letCome = () => {};
  const coming = new Promise<void>((resolve) => {
    letCome = resolve;
  });
  await page.route('**/*.js', async (route) => {
    await coming;
    await route.continue();
  });
  return letCome;
}

/** Waits until this is to be seen, on a page that has arrived to its end: its beginning can be seen before. */
export async function untilSeen(what: Locator): Promise<void> {
  await what.waitFor();
  await what.page().waitForLoadState('domcontentloaded');
}

/** Waits until this is gone from a page that has arrived to its end: of a page that has just begun, all is gone. */
export async function untilGone(what: Locator): Promise<void> {
  await what.waitFor({ state: 'detached' });
  await what.page().waitForLoadState('domcontentloaded');
  await what.waitFor({ state: 'detached' });
}

/** Waits until the page's title says this. */
export const title = (page: Page, name: string) =>
  untilSeen(page.getByRole('heading', { level: 1, name, exact: true }));

/** Waits until these words are to be seen. */
export const see = (page: Page, words: string | RegExp) =>
  untilSeen(page.getByText(words).filter({ visible: true }).first());

/** Waits until the scripts have taken over all of the page, and done at once what they do then. */
export async function takenOver(page: Page): Promise<void> {
  // The scripts of some pages come when they are touched.
  await page.evaluate(() => dispatchEvent(new Event('pointerdown')));
  await page.waitForFunction(() => Object.keys(document.body).some((name) => name.startsWith('__react')));
  // A page that is never idle, as on a busy machine, is taken over too by then.
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 5_000 })));
}

export const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });
export const link = (page: Page, name: string | RegExp) =>
  page.getByRole('link', { name, exact: typeof name === 'string' });
export const press = (page: Page, name: string | RegExp) => button(page, name).click();
export const follow = (page: Page, name: string | RegExp) => link(page, name).click();

/** A username that no earlier try of a test has taken. */
export const newName = (who: string) => `${who}-${Date.now().toString(36)}`;

/** Fills in the registration that the page shows, under a username for a name too: a provider's if there is a city. */
export async function registerByHand(page: Page, name: string, { city = '', timeZone = 'UTC' } = {}): Promise<void> {
  await page.getByLabel('Full name or company name').fill(name);
  await page.getByLabel('Username').fill(name);
  if (city) {
    await page.getByRole('radio', { name: 'Provider' }).check();
    await page.getByLabel('City').fill(city);
  }
  await page.getByLabel('Time zone').selectOption(timeZone);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await press(page, 'Register');
}

/** Writes a party half, once the scripts have taken over its form. */
export async function writeParty(page: Page): Promise<void> {
  await page.goto('/create-party');
  await takenOver(page);
  await page.getByLabel('Title').fill('Garden party');
  await page.getByLabel('Date', { exact: true }).fill(isoAhead(60));
}

/** Deletes what the page shows, and thinks twice, in the dialog. */
export async function deleteByHand(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: /^Delete “.+”.*\? Its links? will say that you called it off\.$/ });
  await press(page, 'Delete');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await press(page, 'Delete');
  await dialog.getByRole('button', { name: 'Delete' }).click();
}

/** Goes somewhere by the menu, by how its link begins, such as 'Home' or 'Appointments: Create'; a drawer is opened first. */
export async function choose(page: Page, where: string): Promise<void> {
  const [name = '', group] = where.split(': ').reverse();
  const opener = button(page, 'Menu');
  if (await opener.isVisible()) await opener.click();
  const menu = page.getByRole('navigation', { name: 'Main' });
  const part = group ? menu.getByRole('region', { name: group }) : menu;
  await part.getByRole('link', { name: new RegExp(`^${name}\\b`) }).click();
}

/** How far down the screen this ends. */
export async function bottomOf(what: Locator): Promise<number> {
  const box = await what.boundingBox();
  return box ? box.y + box.height : Number.NaN;
}

/** What assistive technology adds to a field: the texts its aria-describedby names, where they can be seen. */
export const descriptionOf = (field: Locator) =>
  field.evaluate((element) =>
    (element.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id))
      .filter((found) => found?.checkVisibility())
      .map((found) => found?.textContent)
      .join(' '),
  );
