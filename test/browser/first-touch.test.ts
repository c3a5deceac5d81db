import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeFirst } from '../support/matrix';
import { useServer } from '../support/use-server';
import { browsersAt, takenOver } from './browser';

/* A stranger's first page works without script, and starts its own when it is touched. */

const served = useServer();
const { open } = browsersAt(served);

/** Whether the page's scripts have been started, once the browser has nothing else to do with it. */
async function isStarted(page: Page): Promise<boolean> {
  await page.waitForLoadState('networkidle');
  return (await page.locator('script[type=waiting]').count()) === 0;
}

describeFirst('a stranger’s first page', () => {
  test.each(['/register', '/login', '/forgot-password'])('%s starts its scripts when it is touched', async (path) => {
    const page = await open();
    await page.goto(path);

    expect(await isStarted(page)).toBe(false);

    await page.getByRole('textbox').first().focus();
    await takenOver(page);

    expect(await isStarted(page)).toBe(true);
  });

  test('keeps what is typed before they have come', async () => {
    const page = await open();
    await page.goto('/register');
    await page.getByLabel('Username').pressSequentially('zoe.martins');
    await takenOver(page);

    expect(await page.getByLabel('Username').inputValue()).toBe('zoe.martins');
  });

  test('starts them at once in a tab that has had a page with scripts', async () => {
    const page = await open();
    await page.goto('/login');
    await takenOver(page);
    await page.goto('/register');

    expect(await isStarted(page)).toBe(true);
  });
});
