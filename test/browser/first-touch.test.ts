import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeFirst } from '../support/matrix';
import { useServer } from '../support/use-server';
import { browsersAt, takenOver } from './browser';

/* Pages that need no script, and start theirs when they are touched. */

const served = useServer();
const { open } = browsersAt(served);

/** Whether the page's scripts have been started, once the browser has nothing else to do with it. */
async function isStarted(page: Page): Promise<boolean> {
  await page.waitForLoadState('networkidle');
  return (await page.locator('script[type^=text]').count()) === 0;
}

describeFirst('a tab’s first page', () => {
  test.each(['/login', '/forgot-password'])('%s starts its scripts when it is touched', async (path) => {
    const page = await open();
    await page.goto(path);

    expect(await isStarted(page)).toBe(false);

    await page.getByRole('textbox').first().focus();
    await takenOver(page);

    expect(await isStarted(page)).toBe(true);
  });

  test('starts them at once where more is typed', async () => {
    const page = await open();
    await page.goto('/register');

    expect(await isStarted(page)).toBe(true);
  });

  test('keeps what is typed before they have come', async () => {
    const page = await open();
    await page.goto('/login');
    await page.getByLabel('Username').pressSequentially('zoe.martins');
    await takenOver(page);

    expect(await page.getByLabel('Username').inputValue()).toBe('zoe.martins');
  });
});

test('a tab that has had a page with scripts starts them at once', async () => {
  const page = await open();
  await page.goto('/login');
  await takenOver(page);
  await page.goto('/forgot-password');

  expect(await isStarted(page)).toBe(true);
});
