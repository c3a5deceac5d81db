import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Person, publish, registerConsumer, registerProvider } from '../support/factories';
import { describeFirst } from '../support/matrix';
import { useServer, useWorld } from '../support/use-server';
import { bottomOf, browsersAt, button, delayScripts, follow, phone, press, see, takenOver } from './browser';
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
import { scriptsFirst } from './journeys';

const served = useServer();
const { open, openShared } = browsersAt(served);
const { ana } = useWorld(served, { ana: {} });

/** The days that can be chosen on the page. */
const free = (page: Page) =>
  page.getByRole('checkbox', { disabled: false }).evaluateAll((boxes) => boxes.map((one) => one.ariaLabel));

describe.each(scriptsFirst)('with scripts %s', (_, script) => {
  test('a provider can choose each day from today on, by its full date', async () => {
    const page = await publishing(await openShared({ script, as: ana }), script);

    const today = new Date().toISOString().slice(0, 10);
    const coming = daysOf(today).filter((date) => date >= today);
    expect(await free(page)).toEqual(coming.map(fullName));
  });

  /** The last day of the year and the first of the next, both chosen; the calendar shows the second. */
  async function chosenAcrossTheYear(): Promise<{ page: Page; silvester: string; newYear: string }> {
    const december = 11 - new Date().getUTCMonth() || 12;
    const [silvester, newYear] = [dayOf(december, 31), dayOf(december + 1, 1)];
    const page = await publishing(await openShared({ script, as: ana }), script);
    await chooseDays(page, silvester, newYear);
    return { page, silvester, newYear };
  }

  test('a day stays chosen across the year', async () => {
    const { page, silvester } = await chosenAcrossTheYear();

    await turnTo(page, silvester);

    expect(await ticked(page)).toEqual([fullName(silvester)]);
  });

  test('a day that is given back leaves the others chosen', async () => {
    const { page, silvester, newYear } = await chosenAcrossTheYear();
    await turnTo(page, silvester);

    await box(page, silvester).uncheck();

    await turnTo(page, newYear);
    expect(await ticked(page)).toEqual([fullName(newYear)]);
    await turnTo(page, silvester);
    expect(await ticked(page)).toEqual([]);
  });

  describe('whoever books', () => {
    const [first, second, third] = [dayOf(1, 10), dayOf(1, 20), dayOf(2, 5)] as const;
    let provider: Person;
    let consumer: Person;
    beforeAll(async () => {
      provider = await registerProvider(served, { description: 'A line about me.\n'.repeat(60) });
      consumer = await registerConsumer(served);
      await publish(provider, { dates: [first, second, third].map(wire) });
    });

    /** The days of a provider with much to say, on a phone. */
    async function daysOnPhone(): Promise<Page> {
      const page = await openShared({ script, as: consumer, viewport: phone });
      await page.goto(`/view?provider=${provider.username}`);
      if (script) await takenOver(page);
      await shown(page, first);
      return page;
    }

    test("can choose a provider's free days only", async () => {
      const page = await daysOnPhone();
      expect(await free(page)).toEqual([fullName(first), fullName(second)]);

      await turnTo(page, third);

      expect(await free(page)).toEqual([fullName(third)]);
    });

    test('finds another month where the one before was', async () => {
      const page = await daysOnPhone();

      await chooseDays(page, second, third);

      await expect.poll(() => bottomOf(later(page))).toBeLessThan(phone.height);
      expect(await bottomOf(later(page))).toBeGreaterThan(0);
    });

    test('can not turn to a month after the last free day', async () => {
      const page = await daysOnPhone();

      await turnTo(page, third);

      expect(await later(page).isDisabled()).toBe(true);
    });

    test('finds the chosen days again after looking at their times', async () => {
      const page = await daysOnPhone();
      await chooseDays(page, second, third);
      await press(page, 'Show times');
      await see(page, `${shortName(second)} · ${shortName(third)}`);

      await follow(page, 'Days');

      await shown(page, second);
      expect(await ticked(page)).toEqual([fullName(second)]);
      await see(page, `Also chosen: ${shortName(third)}`);
    });
  });
});

describeFirst('with scripts on', () => {
  const month = daysOf(dayOf(1, 1));
  const daysOn = (weekday: number) => month.filter((date) => new Date(date).getUTCDay() === weekday);

  /** The calendar of next month, of which nothing is chosen. */
  async function nextMonth(): Promise<Page> {
    const page = await publishing(await openShared({ as: ana }), true);
    await turnTo(page, dayOf(1, 1));
    return page;
  }

  test('a whole week is taken by one press, and given back by another', async () => {
    const page = await nextMonth();
    const monday = month.indexOf(daysOn(1)[0] ?? '');
    const week = button(page, `All of the week of ${fullName(month[monday] ?? '')}`);

    await week.click();
    expect(await ticked(page)).toEqual(month.slice(monday, monday + 7).map(fullName));

    await week.click();
    expect(await ticked(page)).toEqual([]);
  });

  test('every Monday of a month is taken by one press, beside what was chosen', async () => {
    const page = await nextMonth();
    const [, monday = ''] = daysOn(1);
    await box(page, monday).check();

    await press(page, `Mon: every Monday in ${monthName(monday)}`);

    expect(await ticked(page)).toEqual(daysOn(1).map(fullName));
    await turnTo(page, dayOf(2, 1));
    expect(await ticked(page)).toEqual([]);
  });

  test('the month turns without asking the server', async () => {
    const page = await publishing(await openShared({ as: ana }), true);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));

    await later(page).press('Enter');
    await shown(page, dayOf(1, 1));
    await earlier(page).press('Enter');
    await shown(page, dayOf(0, 1));

    expect(requests).toEqual([]);
  });

  test('the focus stays on the button that turns the month', async () => {
    const page = await publishing(await openShared({ as: ana }), true);

    await later(page).press('Enter');

    await shown(page, dayOf(1, 1));
    expect(await isFocused(later(page))).toBe(true);
  });

  test('the focus is not lost with the button of the month before', async () => {
    const page = await nextMonth();

    await earlier(page).press('Enter');

    // There is no earlier month to turn to.
    await shown(page, dayOf(0, 1));
    expect(await isFocused(page.locator('body'))).toBe(false);
  });

  test('the month before this one can not be turned to', async () => {
    const page = await publishing(await openShared({ as: ana }), true);

    await earlier(page).press('Enter');

    // What is turned to comes at once, so the month after it would be another one.
    await later(page).press('Enter');
    await shown(page, dayOf(1, 1));
  });

  test('what is filled in before the scripts arrive is kept', async () => {
    const page = await open({ as: ana });
    const letScriptsCome = await delayScripts(page);
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
