import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { testFirst } from '../support/matrix';
import { useServer, useWorld } from '../support/use-server';
import { arrive, bottomOf, browsersAt, button, choose, phone, press, see, takenOver, title } from './browser';
import { isFocused } from './calendar';
import { smallness, violations } from './sight';
import { scriptsFirst } from './ways';

const served = useServer();
const { host, maya } = useWorld(served, {
  host: { displayName: 'Wolfeschlegelsteinhausenbergerdorff & Töchter' },
  maya: { displayName: 'Hubert Blaine Wolfeschlegelsteinhausen' },
});
const { open, keepOpen } = browsersAt(served);

describe.each(scriptsFirst)('the menu with scripts %s', (_, script) => {
  const menuOf = (page: Page) => page.getByRole('navigation', { name: 'Main' });

  test('is a drawer up to 999 px, stands beside the page from 1000 px on, and shows all of it at 1280x720', async () => {
    const page = await open({ script, as: host, viewport: { width: 999, height: 700 } });
    await page.goto('/hours');
    const menu = menuOf(page);
    const standing = { x: 0, y: 0, width: 250, height: 700 };
    expect(await menu.isVisible()).toBe(false);
    for (const close of [() => press(page, 'Close'), () => page.keyboard.press('Escape')]) {
      await press(page, 'Menu');
      await menu.waitFor();
      expect(await menu.boundingBox()).toEqual(standing);
      await close();
      await menu.waitFor({ state: 'hidden' });
    }
    expect(await isFocused(button(page, 'Menu'))).toBe(true);

    await page.setViewportSize({ width: 1000, height: 700 });
    await menu.waitFor();
    expect(await button(page, 'Menu').isVisible()).toBe(false);
    expect(await menu.boundingBox()).toEqual(standing);
    expect((await page.getByRole('main').boundingBox())?.x).toBeGreaterThanOrEqual(250);
    await page.setViewportSize({ width: 1280, height: 720 });
    expect(await menu.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBe(0);
  });

  test('has what is opened most at the thumb of a phone, and the rest behind one tap', async () => {
    const page = await keepOpen({ script, as: host, viewport: phone });
    await page.goto('/rules');
    const tabs = page.getByRole('navigation', { name: 'Opened most' });
    expect(await bottomOf(tabs)).toBe(phone.height);
    expect(await tabs.getByRole('link').count()).toBe(4);
    await tabs.getByRole('link', { name: 'Week' }).click();
    await title(page, 'Week');
    await tabs.getByRole('button', { name: 'Menu' }).click();
    await menuOf(page).getByRole('link', { name: 'Services' }).click();
    await arrive(page, '/services');
  });

  test('fills a phone, reads well there, and closes when something is chosen', async () => {
    const page = await keepOpen({ script, as: maya, viewport: phone });
    await page.goto(`/view?provider=${host.username}`);
    await press(page, 'Menu');
    expect(await menuOf(page).boundingBox()).toEqual({ x: 0, y: 0, ...phone });
    expect([...(await smallness(page)), ...(script ? await violations(page) : [])]).toEqual([]);
    await page.keyboard.press('Escape');
    // Another state of the same page, and another page.
    await choose(page, 'Appointments: Search');
    await page.waitForURL(`${served.url}/view`);
    await menuOf(page).waitFor({ state: 'hidden' });
    await see(page, 'Which city?');
    await choose(page, 'Account: Profile');
    await arrive(page, '/profile');
    await menuOf(page).waitFor({ state: 'hidden' });
  });
});

testFirst(
  'with scripts on, an open drawer keeps Tab in the menu, and gives the focus back when it closes',
  async () => {
    const page = await keepOpen({ script: true, as: maya, viewport: phone });
    await page.goto('/profile');
    await takenOver(page);
    const isIn = (selector: string) =>
      page.evaluate((around) => document.activeElement?.closest(around) !== null, selector);
    await button(page, 'Menu').focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => isIn('nav')).toBe(true);
    const links = await page.getByRole('navigation', { name: 'Main' }).getByRole('link').count();
    for (let stop = 0; stop < links + 3; stop++) {
      await page.keyboard.press('Tab');
      expect([stop, await isIn('main, header')]).toEqual([stop, false]);
    }
    await button(page, 'Close').focus();
    await page.keyboard.press('Escape');
    await page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'hidden' });
    expect(await isFocused(button(page, 'Menu'))).toBe(true);
    await expect.poll(() => page.locator('[inert]').count()).toBe(0);
  },
);
