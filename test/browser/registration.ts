import type { Page } from 'playwright-core';
import { expectConsoleError } from '../support/console';
import { press } from './browser';

/** Sends a registration with several faults. */
export async function registerWrongly(page: Page): Promise<void> {
  await page.goto('/register');
  await page.getByLabel('Full name or company name').fill('Ada & Söhne');
  await page.getByLabel('Username').fill('ada lovelace');
  await page.getByRole('radio', { name: 'Provider' }).check();
  await page.getByLabel('Description').fill('First line\nSecond line');
  await page.getByLabel('Time zone').selectOption('Asia/Colombo');
  await page.getByLabel('Password', { exact: true }).fill('short');
  expectConsoleError(/status of 400/);
  await press(page, 'Register');
}

/** A message where it stays: in the form, not in the dialog. */
export const beside = (page: Page, message: string) => page.locator('form').getByText(message);
