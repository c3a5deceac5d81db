import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectConsoleError } from '../support/console';
import { isoAhead, publish } from '../support/factories';
import { describeFirst } from '../support/matrix';
import { createParty } from '../support/party-factories';
import { idOf, writeTemplate } from '../support/template-factories';
import { useServer, useWorld } from '../support/use-server';
import {
  arrive,
  bottomOf,
  browsersAt,
  button,
  choose,
  follow,
  phone,
  press,
  see,
  takenOver,
  untilSeen,
} from './browser';
import { dayOf, isFocused, wire } from './calendar';
import { scriptsFirst } from './journeys';
import { smallness, violations } from './sight';

/* Where the keyboard goes on, what is heard there, and the menu. */

const served = useServer();
const { karla, host, maya } = useWorld(served, {
  karla: { location: 'Focusville' },
  host: { displayName: 'Wolfeschlegelsteinhausenbergerdorff & Töchter' },
  maya: { displayName: 'Hubert Blaine Wolfeschlegelsteinhausen' },
});
const { openShared } = browsersAt(served);
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

describeFirst('with scripts on', () => {
  /** A page of a client's, on a phone, which the scripts have taken over. */
  async function pageAt(path: string): Promise<Page> {
    const page = await openShared({ viewport: phone, as: maya });
    await page.goto(path);
    await takenOver(page);
    return page;
  }

  test('another page begins at its title', async () => {
    const page = await pageAt('/profile');

    await choose(page, 'Appointments: Search');
    await arrive(page, '/view');

    await expectFocus(page, 'h1: Choose a city');
  });

  test('another step begins at its title', async () => {
    const page = await pageAt('/view');

    await follow(page, 'Focusville');
    await see(page, 'Who in Focusville?');

    await expectFocus(page, 'h1: Choose a provider');
  });

  test('another page of a list begins at its title', async () => {
    const page = await pageAt(`/view?provider=${karla.username}&dates=${wire(day)}`);

    await follow(page, 'Next page');

    await expectFocus(page, 'h1: Choose a time');
  });

  test('what was just done has the focus before the title', async () => {
    const page = await pageAt('/profile');
    await page.getByText('Edit profile').click();

    await press(page, 'Save profile');

    await expectFocus(page, 'section: Your profile is saved.');
  });
});

describe.each(scriptsFirst)('a long form that was refused, with scripts %s,', (_, script) => {
  /** A party of which the capacity and the plus-ones are wrong, and the summary of its faults. */
  async function refusedParty(): Promise<{ page: Page; summary: Locator }> {
    const page = await openShared({ script, viewport: phone, as: host });
    await page.goto('/create-party');
    await page.getByLabel('Title').fill('Garden party');
    await page.getByLabel('Date', { exact: true }).fill(isoAhead(60));
    await page.getByLabel('Capacity').fill('0');
    await page.getByLabel('Plus-ones').fill('99');
    expectConsoleError(/status of 400/);
    await press(page, 'Create party');
    const summary = page.getByRole('alert').filter({ hasText: 'There is a problem' });
    await untilSeen(summary);
    return { page, summary };
  }

  const focusedField = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('name'));

  test('leads the keyboard to its first fault', async () => {
    const { page } = await refusedParty();

    await expect.poll(() => focusedField(page)).toBe('capacity');
    const fault = page.getByText('Capacity must be a whole number from 1 to 100,000.').last();
    const isInView = () =>
      fault.evaluate((said) => {
        const { left, top } = said.getBoundingClientRect();
        return said.contains(document.elementFromPoint(left + 1, top + 1));
      });
    await expect.poll(isInView).toBe(true);
  });

  test('says so in the title of its page', async () => {
    const { page } = await refusedParty();

    await expect.poll(() => page.title()).toBe('Error: Create Party · Daybook');
  });

  test('leads from its summary to another fault', async () => {
    const { page, summary } = await refusedParty();
    await expect.poll(() => focusedField(page)).toBe('capacity');

    await summary.getByRole('link').last().click();

    await expect.poll(() => focusedField(page)).toBe('plusOnes');
  });
});

describe.each(scriptsFirst)('with scripts %s,', (_, script) => {
  /** The page on which the questions One?, Two? and Three? are edited. */
  async function threeQuestions(): Promise<Page> {
    const page = await openShared({ script, viewport: phone, as: host });
    const questions = ['One?', 'Two?', 'Three?'].map((questionText) => ({ questionText, questionType: 2 }));
    const template = await writeTemplate(host, questions, 'T');
    await page.goto(`/edit-template/${idOf(template)}`);
    if (script) await takenOver(page);
    return page;
  }

  test('the keyboard stays near a question that is moved', async () => {
    const page = await threeQuestions();

    await button(page, /^Up\s*: Two/).press('Enter');
    await expectFocus(page, 'button: Down: Two?');
    await button(page, /^Down\s*: One/).press('Enter');
    await expectFocus(page, 'button: Up: One?');
  });

  test('the keyboard goes on to the question after one that is removed', async () => {
    const page = await threeQuestions();

    await button(page, /^Remove\s*: Two/).press('Enter');

    await expectFocus(page, 'button: Remove: Three?');
  });

  test('what is done to a question is said', async () => {
    const page = await threeQuestions();
    const saidOf = (words: string) => page.getByRole('status').filter({ hasText: words });

    await button(page, /^Up\s*: Two/).press('Enter');
    await untilSeen(saidOf('“Two?” is question 1 of 3 now.'));
    await button(page, /^Down\s*: One/).press('Enter');
    await untilSeen(saidOf('“One?” is question 3 of 3 now.'));
    await button(page, /^Remove\s*: Three/).press('Enter');
    await untilSeen(saidOf('“Three?” is removed.'));
  });
});

/** The question before a party is deleted, opened by the keyboard. */
async function deletionAsked(script: boolean): Promise<{ page: Page; dialog: Locator }> {
  const page = await openShared({ script, viewport: phone, as: host });
  const party = await createParty(host);
  await page.goto(`/view-party/${party.id}`);
  if (script) await takenOver(page);
  await button(page, 'Delete').focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await untilSeen(dialog);
  return { page, dialog };
}

describe.each(scriptsFirst)('the question before a deletion, with scripts %s,', (_, script) => {
  test('has the focus', async () => {
    const { page } = await deletionAsked(script);

    expect(await focused(page)).toBe('button: Close');
  });

  test(`is ${script ? 'modal' : 'a popover'}`, async () => {
    const { dialog } = await deletionAsked(script);

    expect(await dialog.evaluate((box) => box.matches(':modal'))).toBe(script);
  });

  test('gives the focus back at Escape', async () => {
    const { page, dialog } = await deletionAsked(script);

    await page.keyboard.press('Escape');

    await dialog.waitFor({ state: 'hidden' });
    expect(await focused(page)).toBe('button: Delete');
  });
});

describeFirst('the question before a deletion, with scripts on,', () => {
  test('is not left by Tab', async () => {
    const { page } = await deletionAsked(true);

    for (const stop of ['textarea: Reason (optional)', 'button: Delete', 'button: Close']) {
      await page.keyboard.press('Tab');
      // Between the last stop and the first is the browser's own bar.
      if ((await focused(page)).startsWith('body')) await page.keyboard.press('Tab');
      await expectFocus(page, stop);
    }
  });
});

describe.each(scriptsFirst)('the menu with scripts %s', (_, script) => {
  const standing = { x: 0, y: 0, width: 250, height: 700 };

  /** A provider's page on a screen of this size. */
  async function screenOf(width: number, height = 700): Promise<Page> {
    const page = await openShared({ script, as: host, viewport: { width, height } });
    await page.goto('/hours');
    return page;
  }

  /** A screen of 999 px whose drawer is open. */
  async function openDrawer(): Promise<Page> {
    const page = await screenOf(999);
    expect(await menuOf(page).isVisible()).toBe(false);
    await press(page, 'Menu');
    await menuOf(page).waitFor();
    return page;
  }

  test('is a drawer up to 999 px', async () => {
    const page = await openDrawer();

    expect(await menuOf(page).boundingBox()).toEqual(standing);
  });

  test('is a drawer that opens again after Close', async () => {
    const page = await openDrawer();
    await press(page, 'Close');
    await menuOf(page).waitFor({ state: 'hidden' });

    await press(page, 'Menu');

    await menuOf(page).waitFor();
    expect(await menuOf(page).boundingBox()).toEqual(standing);
  });

  test('is a drawer that gives the focus back at Escape', async () => {
    const page = await openDrawer();

    await page.keyboard.press('Escape');

    await menuOf(page).waitFor({ state: 'hidden' });
    expect(await isFocused(button(page, 'Menu'))).toBe(true);
  });

  test('stands beside a page of 1000 px', async () => {
    const page = await screenOf(999);

    await page.setViewportSize({ width: 1000, height: 700 });

    await menuOf(page).waitFor();
    expect(await button(page, 'Menu').isVisible()).toBe(false);
    expect(await menuOf(page).boundingBox()).toEqual(standing);
    expect((await page.getByRole('main').boundingBox())?.x).toBeGreaterThanOrEqual(250);
  });

  test('shows all of itself at 1280x720', async () => {
    const page = await screenOf(1280, 720);

    expect(await menuOf(page).evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBe(0);
  });

  /** The open menu of a client who looks for a time, on a phone. */
  async function menuOnPhone(): Promise<Page> {
    const page = await openShared({ script, as: maya, viewport: phone });
    await page.goto(`/view?provider=${host.username}`);
    await press(page, 'Menu');
    await menuOf(page).waitFor();
    return page;
  }

  test('fills a phone', async () => {
    const page = await menuOnPhone();

    expect(await menuOf(page).boundingBox()).toEqual({ x: 0, y: 0, ...phone });
    expect(await smallness(page)).toEqual([]);
  });

  test('closes when another state of the same page is chosen', async () => {
    const page = await menuOnPhone();

    await menuOf(page)
      .getByRole('link', { name: /^Search\b/ })
      .click();

    await page.waitForURL(`${served.url}/view`);
    await menuOf(page).waitFor({ state: 'hidden' });
    await see(page, 'Which city?');
  });

  test('closes when another page is chosen', async () => {
    const page = await menuOnPhone();

    await menuOf(page).getByRole('link', { name: 'Profile' }).click();

    await arrive(page, '/profile');
    await menuOf(page).waitFor({ state: 'hidden' });
  });

  /** What a client opens most, on a phone. */
  async function tabsOnPhone(): Promise<{ page: Page; tabs: Locator }> {
    const page = await openShared({ script, as: maya, viewport: phone });
    await page.goto('/view');
    return { page, tabs: page.getByRole('navigation', { name: 'Opened most' }) };
  }

  test('has what is opened most at the thumb', async () => {
    const { page, tabs } = await tabsOnPhone();

    expect(await bottomOf(tabs)).toBe(phone.height);
    await tabs.getByRole('link', { name: 'Booked' }).click();
    await arrive(page, '/view-booked');
  });

  test('is opened at the thumb', async () => {
    const { page, tabs } = await tabsOnPhone();

    await tabs.getByRole('button', { name: 'Menu' }).click();

    await menuOf(page).waitFor();
  });
});

describeFirst('an open drawer, with scripts on,', () => {
  async function openDrawer(): Promise<Page> {
    const page = await openShared({ as: maya, viewport: phone });
    await page.goto('/profile');
    await takenOver(page);
    await button(page, 'Menu').press('Enter');
    await expect.poll(() => isFocusIn(page, 'nav')).toBe(true);
    return page;
  }

  const isFocusIn = (page: Page, selector: string) =>
    page.evaluate((around) => document.activeElement?.closest(around) !== null, selector);

  test('keeps to WCAG', async () => {
    const page = await openDrawer();

    expect(await violations(page)).toEqual([]);
  });

  test('keeps Tab in the menu', async () => {
    const page = await openDrawer();

    const links = await menuOf(page).getByRole('link').count();
    const strayed: number[] = [];
    for (let stop = 0; stop < links + 3; stop++) {
      await page.keyboard.press('Tab');
      if (await isFocusIn(page, 'main, header')) strayed.push(stop);
    }

    expect(strayed).toEqual([]);
  });

  test('gives the page back when it closes', async () => {
    const page = await openDrawer();

    await button(page, 'Close').press('Escape');

    await menuOf(page).waitFor({ state: 'hidden' });
    expect(await isFocused(button(page, 'Menu'))).toBe(true);
    await expect.poll(() => page.locator('[inert]').count()).toBe(0);
  });
});
