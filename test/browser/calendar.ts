import type { Locator, Page } from 'playwright-core';
import { button, untilSeen } from './browser';

/*
 * Days as tests name them, '2027-01-31', and the calendar of a page. Names of days and months are made here, not taken
 * from the product.
 */

const words = (date: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' }).format(new Date(`${date}T12:00Z`));

/** A day of the month that begins so many months from now. */
export function dayOf(monthsAhead: number, day: number): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + monthsAhead, day)).toISOString().slice(0, 10);
}

/** All days of the month in which this day lies. */
export function daysOf(date: string): string[] {
  const last = new Date(Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)), 0)).getUTCDate();
  return Array.from({ length: last }, (_, at) => `${date.slice(0, 8)}${String(at + 1).padStart(2, '0')}`);
}

/** 'Wednesday, 2 December 2026' */
export const fullName = (date: string) =>
  `${words(date, { weekday: 'long' })}, ${Number(date.slice(8))} ${monthName(date)}`;
/** 'Wed 2 Dec', or 'Wed 20 Jan 2027' in another year than this one */
export const shortName = (date: string) => {
  const day = `${words(date, { weekday: 'long' }).slice(0, 3)} ${Number(date.slice(8))}`;
  const year = date.startsWith(dayOf(0, 1).slice(0, 4)) ? '' : ` ${date.slice(0, 4)}`;
  return `${day} ${words(date, { month: 'long' }).slice(0, 3)}${year}`;
};
/** 'December 2026' */
export const monthName = (date: string) => `${words(date, { month: 'long' })} ${date.slice(0, 4)}`;
/** '12-02-2026' */
export const wire = (date: string) => `${date.slice(5)}-${date.slice(0, 4)}`;

/** The box of a day in the month that is shown. */
export const box = (page: Page, date: string) => page.getByRole('checkbox', { name: fullName(date), exact: true });

/** The days of the shown month that are ticked, by their full names. */
export const ticked = (page: Page): Promise<string[]> =>
  page
    .getByRole('checkbox', { checked: true })
    .evaluateAll((boxes) => boxes.map((one) => one.getAttribute('aria-label') ?? ''));

/** Turns the calendar, month by month, until it shows the month of this day. */
export async function turnTo(page: Page, date: string): Promise<void> {
  const month = page.getByRole('heading', { name: /^[A-Z][a-z]+ \d{4}$/ });
  for (let name = await month.innerText(); name !== monthName(date); name = await month.innerText()) {
    await (new Date(`1 ${name} UTC`) < new Date(date) ? later(page) : earlier(page)).click();
    await untilSeen(month.filter({ hasNotText: name }));
  }
}

/** Chooses days, turning the month where that is needed. */
export async function chooseDays(page: Page, ...dates: string[]): Promise<void> {
  for (const date of dates) {
    await turnTo(page, date);
    await box(page, date).check();
  }
}

/** Waits for the month of a day. */
export const shown = (page: Page, date: string) =>
  untilSeen(page.getByRole('heading', { name: monthName(date), exact: true }));

export const isFocused = (one: Locator) => one.evaluate((element) => element === document.activeElement);

export const later = (page: Page) => button(page, /^Later month/);
export const earlier = (page: Page) => button(page, /^Earlier month/);

/** Goes to the calendar on which a provider publishes, and waits until its scripts have taken over. */
export async function publishing(page: Page, script: boolean): Promise<Page> {
  await page.goto('/create');
  if (script) await untilSeen(button(page, /^Sun: every Sunday/));
  return page;
}
