import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { publish, registerConsumer, registerProvider } from '../support/factories';
import { useServer } from '../support/use-server';
import { browsersAt, button, holdScripts, press, see, takenOver } from './browser';
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

const served = useServer();
const { open } = browsersAt(served);

/** The calendar on which a new provider publishes, once its scripts have taken over. */
async function blankCalendar(script: boolean): Promise<Page> {
  return publishing(await open({ script, as: await registerProvider(served) }), script);
}

describe('with scripts on', () => {
  test('days that are ticked are there again when the browser goes back to them', async () => {
    const [first, second, third] = [dayOf(1, 10), dayOf(1, 20), dayOf(2, 5)];
    const provider = await registerProvider(served);
    await publish(provider, { dates: [first, second, third].map(wire) });
    const page = await open({ as: await registerConsumer(served) });
    await page.goto(`/view?provider=${provider.username}`);
    await takenOver(page);
    await chooseDays(page, second, third);
    await press(page, 'Show times');
    await see(page, `${shortName(second)} · ${shortName(third)}`);
    await page.goBack();
    await shown(page, third);
    expect(await ticked(page)).toEqual([fullName(third)]);
    await turnTo(page, second);
    expect(await ticked(page)).toEqual([fullName(second)]);
  });

  test('a whole week is taken and given back at once', async () => {
    const page = await blankCalendar(true);
    await turnTo(page, dayOf(1, 1));
    const week = daysOf(dayOf(1, 1)).filter((date) => weekOf(date) === weekOf(dayOf(1, 15)));
    const whole = button(page, `All of the week of ${fullName(week[0] ?? '')}`);
    await whole.click();
    expect(await ticked(page)).toEqual(week.map(fullName));
    await whole.click();
    expect(await ticked(page)).toEqual([]);
  });

  test('every Monday of the month is taken at once, beside what was chosen', async () => {
    const page = await blankCalendar(true);
    await turnTo(page, dayOf(1, 1));
    const mondays = daysOf(dayOf(1, 1)).filter((date) => new Date(date).getUTCDay() === 1);
    await box(page, mondays[1] ?? '').check();
    await press(page, `Mon: every Monday in ${monthName(dayOf(1, 1))}`);
    expect(await ticked(page)).toEqual(mondays.map(fullName));
    await turnTo(page, dayOf(2, 1));
    expect(await ticked(page)).toEqual([]);
    await turnTo(page, dayOf(1, 1));
    expect(await ticked(page)).toEqual(mondays.map(fullName));
  });

  test('the month turns without loading the page, and the focus stays on its button', async () => {
    const page = await blankCalendar(true);
    await page.evaluate(() => Object.assign(window, { isSameDocument: true }));
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await later(page).focus();
    await page.keyboard.press('Enter');
    await shown(page, dayOf(1, 1));
    await page.keyboard.press('Enter');
    await shown(page, dayOf(2, 1));
    expect(await isFocused(later(page))).toBe(true);
    expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(true);
    expect(requests).toEqual([]);
  });

  test('what is ticked before the scripts arrive is kept', async () => {
    const page = await open({ as: await registerProvider(served) });
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

  test('the focus is not lost where there is no earlier month to turn to', async () => {
    const page = await blankCalendar(true);
    await turnTo(page, dayOf(1, 1));
    await earlier(page).focus();
    await page.keyboard.press('Enter');
    await shown(page, dayOf(0, 1));
    expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
  });
});

/** Which week of its month a day lies in; weeks begin on Sunday. */
function weekOf(date: string): number {
  const first = new Date(`${date.slice(0, 8)}01`).getUTCDay();
  return Math.floor((Number(date.slice(8)) - 1 + first) / 7);
}
