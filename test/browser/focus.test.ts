import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectConsoleError } from '../support/console';
import { isoAhead, publish } from '../support/factories';
import { testFirst } from '../support/matrix';
import { createParty } from '../support/party-factories';
import { idOf, writeTemplate } from '../support/template-factories';
import { useServer, useWorld } from '../support/use-server';
import { arrive, bottomOf, browsersAt, button, choose, follow, phone, press, see, seen, takenOver } from './browser';
import { dayOf, isFocused, wire } from './calendar';
import { smallness, violations } from './sight';
import { scriptsFirst } from './ways';

/* Where the keyboard goes on, what is heard there, and the menu. */

const served = useServer();
const { karla, host, maya } = useWorld(served, {
  karla: { location: 'Focusville' },
  host: { displayName: 'Wolfeschlegelsteinhausenbergerdorff & Töchter' },
  maya: { displayName: 'Hubert Blaine Wolfeschlegelsteinhausen' },
});
const { open, keepOpen } = browsersAt(served);
const day = dayOf(1, 10);
const menuOf = (page: Page) => page.getByRole('navigation', { name: 'Main' });
/** What has the focus, by its name. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLInputElement | null;
    const name = element?.getAttribute('aria-label') ?? element?.labels?.[0]?.textContent ?? element?.textContent ?? '';
    return `${element?.localName}: ${name.trim()}`;
  });
const expectFocus = (page: Page, what: string) => expect.poll(() => focused(page), { timeout: 5_000 }).toBe(what);

beforeAll(async () => {
  await publish(karla, { dates: [wire(day)], start: '09:00', end: '12:00' }, 'len=5');
});

testFirst('with scripts on, another page, another step and another page of a list begin at their title', async () => {
  const page = await keepOpen({ viewport: phone, as: maya });
  await page.goto('/profile');
  await takenOver(page);
  await choose(page, 'Appointments: Search');
  await arrive(page, '/view');
  await expectFocus(page, 'h1: Choose a city');
  await follow(page, 'Focusville');
  await see(page, 'Who in Focusville?');
  await expectFocus(page, 'h1: Choose a provider');
  await page.goto(`/view?provider=${karla.username}&dates=${wire(day)}`);
  await takenOver(page);
  await follow(page, 'Next page');
  await expectFocus(page, 'h1: Choose a time');
  // What was just done comes before the title.
  await choose(page, 'Account: Profile');
  await arrive(page, '/profile');
  await page.getByText('Edit profile').click();
  await press(page, 'Save profile');
  await expectFocus(page, 'section: Your profile is saved.');
});

describe.each(scriptsFirst)('with scripts %s,', (_, script) => {
  test('the first fault of a long form has the focus and is in view, and the summary leads to the others', async () => {
    const page = await keepOpen({ script, viewport: phone, as: host });
    await page.goto('/create-party');
    await page.getByLabel('Title').fill('Garden party');
    await page.getByLabel('Date', { exact: true }).fill(isoAhead(60));
    await page.getByLabel('Capacity').fill('0');
    await page.getByLabel('Plus-ones').fill('99');
    expectConsoleError(/status of 400/);
    await press(page, 'Create party');
    const summary = page.getByRole('alert').filter({ hasText: 'There is a problem' });
    await seen(summary);
    const fault = page.getByText('Capacity must be a whole number from 1 to 100,000.').last();
    const isInView = () =>
      fault.evaluate((said) => {
        const { left, top } = said.getBoundingClientRect();
        return said.contains(document.elementFromPoint(left + 1, top + 1));
      });
    await expect.poll(isInView).toBe(true);
    const field = () => page.evaluate(() => document.activeElement?.getAttribute('name'));
    expect([await field(), await page.title()]).toEqual(['capacity', 'Error: Create Party · Daybook']);
    await summary.getByRole('link').last().click();
    await expect.poll(field).toBe('plusOnes');
  });

  test('the keyboard stays on a question that is moved, and what was done is said', async () => {
    const page = await keepOpen({ script, viewport: phone, as: host });
    const questions = ['One?', 'Two?', 'Three?'].map((questionText) => ({ questionText, questionType: 2 }));
    const template = await writeTemplate(host, questions, 'T');
    await page.goto(`/edit-template/${idOf(template)}`);
    if (script) await takenOver(page);
    const steps: [name: RegExp, focus: string, said: string][] = [
      [/^Up\s*: Two/, 'button: Down: Two?', '“Two?” is question 1 of 3 now.'],
      [/^Down\s*: One/, 'button: Up: One?', '“One?” is question 3 of 3 now.'],
      [/^Remove\s*: Three/, 'button: Remove: One?', '“Three?” is removed.'],
    ];
    for (const [name, focus, said] of steps) {
      await button(page, name).press('Enter');
      await seen(page.getByRole('status').filter({ hasText: said }));
      await expectFocus(page, focus);
    }
  });

  test('the question before a deletion has the focus, and Escape gives it back', async () => {
    const page = await keepOpen({ script, viewport: phone, as: host });
    const party = await createParty(host);
    await page.goto(`/view-party/${party.id}`);
    if (script) await takenOver(page);
    await button(page, 'Delete').focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await seen(dialog);
    expect(await focused(page)).toBe('button: Close');
    // Tab does not leave it, and nothing behind it is heard.
    for (const stop of script ? ['textarea: Reason (optional)', 'button: Delete', 'button: Close'] : []) {
      await page.keyboard.press('Tab');
      if ((await focused(page)).startsWith('body')) await page.keyboard.press('Tab');
      await expectFocus(page, stop);
    }
    expect(await dialog.evaluate((box) => box.matches(':modal'))).toBe(script);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await focused(page)).toBe('button: Delete');
  });
});

describe.each(scriptsFirst)('the menu with scripts %s', (_, script) => {
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

  test('fills a phone, reads well there, closes when something is chosen, and what is opened most is at the thumb', async () => {
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
    const tabs = page.getByRole('navigation', { name: 'Opened most' });
    expect(await bottomOf(tabs)).toBe(phone.height);
    await tabs.getByRole('link', { name: 'Booked' }).click();
    await arrive(page, '/view-booked');
    await tabs.getByRole('button', { name: 'Menu' }).click();
    await menuOf(page).getByRole('link', { name: 'Profile' }).click();
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
    await button(page, 'Menu').press('Enter');
    await expect.poll(() => isIn('nav')).toBe(true);
    const links = await menuOf(page).getByRole('link').count();
    for (let stop = 0; stop < links + 3; stop++) {
      await page.keyboard.press('Tab');
      expect([stop, await isIn('main, header')]).toEqual([stop, false]);
    }
    await button(page, 'Close').press('Escape');
    await menuOf(page).waitFor({ state: 'hidden' });
    expect(await isFocused(button(page, 'Menu'))).toBe(true);
    await expect.poll(() => page.locator('[inert]').count()).toBe(0);
  },
);
