import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { publish, registerConsumer, registerProvider } from '../support/factories';
import { useServer } from '../support/use-server';
import { arrive, browsersAt, button, follow, phone, press, see, seen, takenOver } from './browser';
import {
  box,
  chooseDays,
  dayOf,
  daysOf,
  earlier,
  fullName,
  isFocused,
  later,
  monthsToDecember,
  publishing,
  shortName,
  shown,
  ticked,
  turnTo,
  wire,
} from './calendar';
import { scriptsFirst } from './ways';

const served = useServer();
const { open } = browsersAt(served);

/** The calendar on which a new provider publishes, once its scripts have taken over. */
async function blankCalendar(script: boolean): Promise<Page> {
  return publishing(await open({ script, as: await registerProvider(served) }), script);
}

describe.each(scriptsFirst)('with scripts %s', (_, script) => {
  test('days read as full dates; past ones are disabled, today and later ones are not', async () => {
    const page = await blankCalendar(script);
    const today = new Date().toISOString().slice(0, 10);
    const days = await page
      .getByRole('checkbox')
      .evaluateAll((boxes) =>
        boxes.map((one) => ({ name: one.getAttribute('aria-label'), isFree: !(one as HTMLInputElement).disabled })),
      );
    expect(days).toEqual(daysOf(today).map((date) => ({ name: fullName(date), isFree: date >= today })));
    expect(await earlier(page).isDisabled()).toBe(true);
    expect(await later(page).isEnabled()).toBe(true);
  });

  test('another month is shown where the one before was, far down the page too', async () => {
    const provider = await registerProvider(served, { description: 'A line about me.\n'.repeat(60) });
    await publish(provider, { dates: [wire(dayOf(1, 10)), wire(dayOf(2, 10))] });
    const page = await open({ script, as: await registerConsumer(served), viewport: phone });
    await page.goto(`/view?provider=${provider.username}`);
    if (script) await takenOver(page);
    await turnTo(page, dayOf(2, 10));
    const isInView = () => later(page).evaluate((one) => one.getBoundingClientRect().bottom < innerHeight);
    await expect.poll(isInView, { timeout: 5_000 }).toBe(true);
    expect((await later(page).boundingBox())?.y).toBeGreaterThan(0);
  });

  test('the keyboard alone chooses days and turns months', async () => {
    const page = await blankCalendar(script);
    const [first, second] = [dayOf(1, 3), dayOf(2, 28)];
    await tabTo(page, later(page));
    await page.keyboard.press('Enter');
    await shown(page, first);
    await tabTo(page, box(page, first));
    expect(await outlineOf(box(page, first))).not.toBe('none');
    await page.keyboard.press('Space');
    await tabTo(page, later(page));
    await page.keyboard.press('Space');
    await shown(page, second);
    await tabTo(page, box(page, second));
    await page.keyboard.press('Space');
    expect(await ticked(page)).toEqual([fullName(second)]);
    await tabTo(page, earlier(page));
    await page.keyboard.press('Enter');
    await shown(page, first);
    expect(await ticked(page)).toEqual([fullName(first)]);
    await tabTo(page, button(page, 'Create appointments'));
    await page.keyboard.press('Enter');
    await arrive(page, '/');
    await see(page, '32 appointments are open for booking.');
  });

  test('each column has a heading, also the one that takes a whole week', async () => {
    const page = await blankCalendar(script);
    const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
    const headings = page.getByRole('columnheader');
    expect(await headings.evaluateAll((all) => all.map((one) => (one as HTMLTableCellElement).abbr))).toEqual(
      script ? [...days, ''] : days,
    );
    if (script) expect(await headings.last().textContent()).toBe('Whole week');
  });

  test("chosen days are kept across the year's end, there and back", async () => {
    const page = await blankCalendar(script);
    const december = monthsToDecember();
    const [silvester, newYear] = [dayOf(december, 31), dayOf(december + 1, 1)];
    expect([silvester.slice(5), newYear.slice(5)]).toEqual(['12-31', '01-01']);
    await chooseDays(page, silvester, newYear);
    await turnTo(page, silvester);
    expect(await ticked(page)).toEqual([fullName(silvester)]);
    await box(page, silvester).uncheck();
    await turnTo(page, newYear);
    expect(await ticked(page)).toEqual([fullName(newYear)]);
    await turnTo(page, silvester);
    expect(await ticked(page)).toEqual([]);
  });

  test("a provider's free days only can be chosen by whoever books", async () => {
    const [first, second, third] = [dayOf(1, 10), dayOf(1, 20), dayOf(2, 5)];
    const provider = await registerProvider(served);
    await publish(provider, { dates: [first, second, third].map(wire) });
    const page = await open({ script, as: await registerConsumer(served) });
    await page.goto(`/view?provider=${provider.username}`);
    await shown(page, first);
    const free = () =>
      page.getByRole('checkbox', { disabled: false }).evaluateAll((boxes) => boxes.map((one) => one.ariaLabel));
    expect(await free()).toEqual([fullName(first), fullName(second)]);
    await press(page, 'Show times');
    await see(page, 'Choose at least one day.');
    await chooseDays(page, second, third);
    expect(await free()).toEqual([fullName(third)]);
    expect(await later(page).isDisabled()).toBe(true);
    await press(page, 'Show times');
    const times = page.getByRole('link', { name: /09:00 to 09:30/ });
    await seen(times.first());
    expect(await times.count()).toBe(2);
    await follow(page, 'Days');
    await shown(page, second);
    expect(await ticked(page)).toEqual([fullName(second)]);
    await see(page, `Also chosen: ${shortName(third)}`);
  });
});

/** Presses Tab until this has the focus; at the end of the page Tab begins again at its start. */
async function tabTo(page: Page, one: Locator): Promise<void> {
  const most = 150;
  for (let tries = 0; tries < most; tries++) {
    if (await isFocused(one)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${most} times Tab did not lead to ${one}`);
}

/** How the square around a day's box is outlined. */
const outlineOf = (day: Locator) => day.locator('..').evaluate((square) => getComputedStyle(square).outlineStyle);
