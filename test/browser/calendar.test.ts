import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { publish, registerConsumer, registerProvider } from '../support/factories';
import { describeFirst } from '../support/matrix';
import { useServer, useWorld } from '../support/use-server';
import { bottomOf, browsersAt, button, follow, holdScripts, phone, press, see, takenOver } from './browser';
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

/** The days that can be chosen on the page. */
const free = (page: Page) =>
  page.getByRole('checkbox', { disabled: false }).evaluateAll((boxes) => boxes.map((one) => one.ariaLabel));

describe.each(scriptsFirst)('with scripts %s', (_, script) => {
  test('days read as full dates, none is in the past, and what is chosen is kept across the year', async () => {
    const page = await publishing(await keepOpen({ script, as: ana }), script);
    const today = new Date().toISOString().slice(0, 10);
    const coming = daysOf(today).filter((date) => date >= today);
    expect(await free(page)).toEqual(coming.map(fullName));
    const december = 11 - new Date().getUTCMonth() || 12;
    const [silvester, newYear] = [dayOf(december, 31), dayOf(december + 1, 1)];
    await chooseDays(page, silvester, newYear);
    await turnTo(page, silvester);
    expect(await ticked(page)).toEqual([fullName(silvester)]);
    await box(page, silvester).uncheck();
    await turnTo(page, newYear);
    expect(await ticked(page)).toEqual([fullName(newYear)]);
    await turnTo(page, silvester);
    expect(await ticked(page)).toEqual([]);
  });

  test("whoever books can choose a provider's free days only, far down a page on a phone, and finds them again", async () => {
    const [first, second, third] = [dayOf(1, 10), dayOf(1, 20), dayOf(2, 5)];
    const provider = await registerProvider(served, { description: 'A line about me.\n'.repeat(60) });
    await publish(provider, { dates: [first, second, third].map(wire) });
    const page = await open({ script, as: await registerConsumer(served), viewport: phone });
    await page.goto(`/view?provider=${provider.username}`);
    if (script) await takenOver(page);
    await shown(page, first);
    expect(await free(page)).toEqual([fullName(first), fullName(second)]);
    await chooseDays(page, second, third);
    // The other month is where the one before was.
    await expect.poll(() => bottomOf(later(page))).toBeLessThan(phone.height);
    expect(await bottomOf(later(page))).toBeGreaterThan(0);
    expect(await free(page)).toEqual([fullName(third)]);
    expect(await later(page).isDisabled()).toBe(true);
    await press(page, 'Show times');
    await see(page, `${shortName(second)} · ${shortName(third)}`);
    await follow(page, 'Days');
    await shown(page, second);
    expect(await ticked(page)).toEqual([fullName(second)]);
    await see(page, `Also chosen: ${shortName(third)}`);
  });
});

describeFirst('with scripts on', () => {
  const month = daysOf(dayOf(1, 1));
  const daysOn = (weekday: number) => month.filter((date) => new Date(date).getUTCDay() === weekday);

  test('a whole week or every Monday is taken at once, beside what was chosen, and given back', async () => {
    const page = await publishing(await keepOpen({ as: ana }), true);
    await turnTo(page, dayOf(1, 1));
    const [, monday = ''] = daysOn(1);
    const sunday = month.indexOf(daysOn(0)[0] ?? '');
    const whole = button(page, `All of the week of ${fullName(month[sunday] ?? '')}`);
    await whole.click();
    expect(await ticked(page)).toEqual(month.slice(sunday, sunday + 7).map(fullName));
    await whole.click();
    expect(await ticked(page)).toEqual([]);
    await box(page, monday).check();
    await press(page, `Mon: every Monday in ${monthName(monday)}`);
    expect(await ticked(page)).toEqual(daysOn(1).map(fullName));
    await turnTo(page, dayOf(2, 1));
    expect(await ticked(page)).toEqual([]);
  });

  test('the month turns without loading the page, and the focus stays on its button or near it', async () => {
    const page = await publishing(await keepOpen({ as: ana }), true);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await later(page).press('Enter');
    await shown(page, dayOf(1, 1));
    expect(await isFocused(later(page))).toBe(true);
    await earlier(page).press('Enter');
    // There is no earlier month to turn to.
    await shown(page, dayOf(0, 1));
    expect(await isFocused(page.locator('body'))).toBe(false);
    expect(requests).toEqual([]);
    page.removeAllListeners('request');
  });

  test('the month before this one can not be turned to', async () => {
    const page = await publishing(await keepOpen({ as: ana }), true);

    await earlier(page).press('Enter');

    // What is turned to comes at once, so the month after it would be another one.
    await later(page).press('Enter');
    await shown(page, dayOf(1, 1));
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
    expect(await ticked(page)).toEqual([...new Set([...daysOn(0), dayOf(1, 10)])].sort().map(fullName));
    expect(await page.getByLabel('Notes').inputValue()).toBe('Written early.');
  });
});
