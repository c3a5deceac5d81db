import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { publish, registerConsumer, registerProvider } from '../support/factories';
import { describeFirst } from '../support/matrix';
import { useServer, useWorld } from '../support/use-server';
import { arrive, browsersAt, button, follow, holdScripts, phone, press, see, seen, takenOver } from './browser';
import {
  box,
  chooseDays,
  dayOf,
  daysOf,
  earlier,
  fullName,
  isFocused,
  later,
  monthName,
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
const { open, keepOpen } = browsersAt(served);
const { ana } = useWorld(served, { ana: {} });

describe.each(scriptsFirst)('with scripts %s', (_, script) => {
  test('days read as full dates below their weekdays, none is in the past, and what is chosen is kept across the year', async () => {
    const page = await publishing(await keepOpen({ script, as: ana }), script);
    const today = new Date().toISOString().slice(0, 10);
    const days = await page
      .getByRole('checkbox')
      .evaluateAll((boxes) =>
        boxes.map((one) => ({ name: one.getAttribute('aria-label'), isFree: !(one as HTMLInputElement).disabled })),
      );
    expect(days).toEqual(daysOf(today).map((date) => ({ name: fullName(date), isFree: date >= today })));
    expect([await earlier(page).isDisabled(), await later(page).isEnabled()]).toEqual([true, true]);
    const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
    const headings = page.getByRole('columnheader');
    expect(await headings.evaluateAll((all) => all.map((one) => (one as HTMLTableCellElement).abbr))).toEqual(
      script ? [...weekdays, ''] : weekdays,
    );
    if (script) expect(await headings.last().textContent()).toBe('Whole week');
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

  test('the keyboard alone chooses days and turns months', async () => {
    const page = await publishing(await open({ script, as: await registerProvider(served) }), script);
    const [first, second] = [dayOf(1, 3), dayOf(2, 3)];
    await tabTo(page, later(page));
    await page.keyboard.press('Enter');
    await shown(page, first);
    await tabTo(page, box(page, first));
    expect(await outlineOf(box(page, first))).not.toBe('none');
    await page.keyboard.press('Space');
    await tabTo(page, later(page), 'Shift+Tab');
    await page.keyboard.press('Space');
    await shown(page, second);
    await tabTo(page, box(page, second));
    await page.keyboard.press('Space');
    expect(await ticked(page)).toEqual([fullName(second)]);
    await tabTo(page, earlier(page), 'Shift+Tab');
    await page.keyboard.press('Enter');
    await shown(page, first);
    expect(await ticked(page)).toEqual([fullName(first)]);
    await tabTo(page, button(page, 'Create appointments'));
    await page.keyboard.press('Enter');
    await arrive(page, '/');
    await see(page, '32 appointments are open for booking.');
  });

  test("whoever books can choose a provider's free days only, far down a page on a phone, and finds them again", async () => {
    const [first, second, third] = [dayOf(1, 10), dayOf(1, 20), dayOf(2, 5)];
    const provider = await registerProvider(served, { description: 'A line about me.\n'.repeat(60) });
    await publish(provider, { dates: [first, second, third].map(wire) });
    const page = await open({ script, as: await registerConsumer(served), viewport: phone });
    await page.goto(`/view?provider=${provider.username}`);
    if (script) await takenOver(page);
    await shown(page, first);
    const free = () =>
      page.getByRole('checkbox', { disabled: false }).evaluateAll((boxes) => boxes.map((one) => one.ariaLabel));
    expect(await free()).toEqual([fullName(first), fullName(second)]);
    await press(page, 'Show times');
    await see(page, 'Choose at least one day.');
    await chooseDays(page, second, third);
    // The other month is where the one before was.
    const isInView = () => later(page).evaluate((one) => one.getBoundingClientRect().bottom < innerHeight);
    await expect.poll(isInView, { timeout: 5_000 }).toBe(true);
    expect((await later(page).boundingBox())?.y).toBeGreaterThan(0);
    expect(await free()).toEqual([fullName(third)]);
    expect(await later(page).isDisabled()).toBe(true);
    await press(page, 'Show times');
    const times = page.getByRole('link', { name: /09:00 to 09:30/ });
    await seen(times.first());
    expect(await times.count()).toBe(2);
    if (script) {
      await page.goBack();
      await shown(page, third);
      expect(await ticked(page)).toEqual([fullName(third)]);
      await turnTo(page, second);
      expect(await ticked(page)).toEqual([fullName(second)]);
      await press(page, 'Show times');
      await see(page, `${shortName(second)} · ${shortName(third)}`);
    }
    await follow(page, 'Days');
    await shown(page, second);
    expect(await ticked(page)).toEqual([fullName(second)]);
    await see(page, `Also chosen: ${shortName(third)}`);
  });

  test('a month without Sundays, Mondays and noons is published in eight actions', async () => {
    const provider = await registerProvider(served);
    const page = await open({ script, as: provider });
    const weekdayOf = (date: string) => new Date(date).getUTCDay();
    const month = daysOf(dayOf(1, 1));
    const start = month.findIndex((date) => weekdayOf(date) === 0);
    const [sunday, monday, tuesday, ...rest] = month.slice(start, start + 7) as [string, string, string, ...string[]];
    const chooseWeek = script
      ? [
          () => button(page, `All of the week of ${fullName(sunday)}`).click(),
          () => box(page, sunday).uncheck(),
          () => box(page, monday).uncheck(),
        ]
      : rest.map((date) => () => box(page, date).check());
    const actions = [
      // As from a day of the week's picture.
      () => page.goto(`/create?date=${wire(tuesday)}`),
      ...chooseWeek,
      async () => {
        await press(page, 'Add a break');
        await seen(page.getByLabel('Range 2 start time'));
      },
      () => page.getByLabel('The same weekdays until').fill(month.at(-1) as string),
      () => press(page, 'Create appointments'),
    ];
    expect(actions.length).toBeLessThanOrEqual(8);
    for (const act of actions) await act();
    await arrive(page, '/');
    const days = month.filter((date) => weekdayOf(date) > 1 && date >= tuesday);
    await see(page, `${days.length * 14} appointments are open for booking.`);
    const { json } = await provider.api('GET', `/api/Appointment/GetDates?provider=${provider.username}`);
    expect(json).toEqual(days.map(wire));
    await follow(page, 'Publish more like this');
    await arrive(page, '/create');
    await seen(page.getByLabel('Range 2 start time'));
    const valuesOf = (name: string) =>
      page.locator(`input[name=${name}]`).evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));
    expect([await valuesOf('start'), await valuesOf('end')]).toEqual([
      ['09:00', '13:00'],
      ['12:00', '17:00'],
    ]);
  });
});

describeFirst('with scripts on', () => {
  test('a whole week or every Monday is taken at once, beside what was chosen, and given back', async () => {
    const page = await publishing(await keepOpen({ as: ana }), true);
    await turnTo(page, dayOf(1, 1));
    const month = daysOf(dayOf(1, 1));
    const week = month.filter((date) => weekOf(date) === weekOf(dayOf(1, 15)));
    const whole = button(page, `All of the week of ${fullName(week[0] ?? '')}`);
    await whole.click();
    expect(await ticked(page)).toEqual(week.map(fullName));
    await whole.click();
    expect(await ticked(page)).toEqual([]);
    const mondays = month.filter((date) => new Date(date).getUTCDay() === 1);
    await box(page, mondays[1] ?? '').check();
    await press(page, `Mon: every Monday in ${monthName(dayOf(1, 1))}`);
    expect(await ticked(page)).toEqual(mondays.map(fullName));
    await turnTo(page, dayOf(2, 1));
    expect(await ticked(page)).toEqual([]);
    await turnTo(page, dayOf(1, 1));
    expect(await ticked(page)).toEqual(mondays.map(fullName));
  });

  test('the month turns without loading the page, and the focus stays on its button or near it', async () => {
    const page = await publishing(await keepOpen({ as: ana }), true);
    await page.evaluate(() => Object.assign(window, { isSameDocument: true }));
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await later(page).focus();
    await page.keyboard.press('Enter');
    await shown(page, dayOf(1, 1));
    await page.keyboard.press('Enter');
    await shown(page, dayOf(2, 1));
    expect(await isFocused(later(page))).toBe(true);
    await earlier(page).focus();
    await page.keyboard.press('Enter');
    await shown(page, dayOf(1, 1));
    await page.keyboard.press('Enter');
    // There is no earlier month to turn to.
    await shown(page, dayOf(0, 1));
    expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
    expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(true);
    expect(requests).toEqual([]);
    page.removeAllListeners('request');
  });

  test('what is ticked before the scripts arrive is kept', async () => {
    const page = await open({ as: ana });
    const letScriptsCome = await holdScripts(page);
    await page.goto('/create', { waitUntil: 'commit' });
    await press(page, /^Later month/);
    await shown(page, dayOf(1, 1));
    await box(page, dayOf(1, 10)).check();
    await page.getByLabel('Notes').fill('Written early.');
    letScriptsCome();
    await press(page, /^Sun: every Sunday/);
    const sundays = daysOf(dayOf(1, 1)).filter((date) => new Date(date).getUTCDay() === 0);
    expect(await ticked(page)).toEqual([...new Set([...sundays, dayOf(1, 10)])].sort().map(fullName));
    expect(await page.getByLabel('Notes').inputValue()).toBe('Written early.');
  });
});

/** Presses Tab until this has the focus; at the end of the page Tab begins again at its start. */
async function tabTo(page: Page, one: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const most = 150;
  // To look for it by its name at each press takes far longer than the press.
  const sought = await one.elementHandle();
  for (let tries = 0; tries < most; tries++) {
    if (await sought?.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${most} times Tab did not lead to ${one}`);
}

/** How the square around a day's box is outlined. */
const outlineOf = (day: Locator) => day.locator('..').evaluate((square) => getComputedStyle(square).outlineStyle);

/** Which week of its month a day lies in; weeks begin on Sunday. */
function weekOf(date: string): number {
  const first = new Date(`${date.slice(0, 8)}01`).getUTCDay();
  return Math.floor((Number(date.slice(8)) - 1 + first) / 7);
}
