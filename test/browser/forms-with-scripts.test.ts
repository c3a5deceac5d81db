import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { registerProvider, rowsOf } from '../support/factories';
import { useServer } from '../support/use-server';
import { browsersAt, button, follow, press, see, takenOver, title } from './browser';
import { beside, registerWrongly } from './registration';

const served = useServer();
const { open } = browsersAt(served);

/* What only a script can do for a form. */

test('a password can be looked at while it is typed, and is not kept all the same', async () => {
  const page = await open();
  await page.goto('/register');
  await takenOver(page);
  const word = page.getByLabel('Password', { exact: true });
  await word.fill('Secret horse 1');
  expect(await word.getAttribute('type')).toBe('password');
  await page.getByRole('checkbox', { name: 'Show password' }).check();
  expect(await word.getAttribute('type')).toBe('text');
  expect(await word.inputValue()).toBe('Secret horse 1');
  await follow(page, 'Log in');
  await title(page, 'Login');
  await page.goBack();
  await title(page, 'Register');
  expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('');
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Secret horse');
});

test('a form whose answer does not come can be sent again after ten seconds, and is done once', async () => {
  const provider = await registerProvider(served);
  const page = await open({ script: true, as: provider });
  await page.clock.install();
  await page.goto('/create-party');
  await takenOver(page);
  await page.getByLabel('Title').fill('Lost on the way');
  await page.getByLabel('Date').fill('2030-06-07');
  await page.getByLabel('Start time').fill('10:00');
  await page.getByLabel('End time').fill('12:00');
  const taken: number[] = [];
  await page.route('**/create-party*', async (route) => {
    if (route.request().method() !== 'POST' || taken.length > 0) return route.fallback();
    // The server has it, the browser never hears of it.
    const answer = await route.fetch({ maxRedirects: 0 });
    taken.push(answer.status());
  });
  const create = button(page, 'Create party');
  await create.click();
  await expect.poll(() => taken).toEqual([204]);
  expect(await create.isDisabled()).toBe(true);
  await page.clock.runFor(9_000);
  expect(await create.isDisabled()).toBe(true);
  await page.clock.runFor(1_000);
  await expect.poll(() => create.isDisabled()).toBe(false);
  await create.click();
  await see(page, 'Lost on the way');
  expect(rowsOf(await provider.api('GET', '/api/Party/GetMy'))).toHaveLength(1);
});

describe("a dialog of faults, with scripts on and the reader's clock in hand", () => {
  const twoSeconds = 2_000;

  async function refused(): Promise<{ page: Page; dialog: Locator }> {
    const page = await open();
    await page.clock.install();
    await registerWrongly(page);
    const dialog = page.getByRole('dialog', { name: 'Invalid Password' });
    await dialog.waitFor();
    await page.mouse.move(0, 0);
    return { page, dialog };
  }

  test('closes by itself after two seconds, and the messages stay', async () => {
    const { page, dialog } = await refused();
    await page.clock.runFor(twoSeconds);
    await dialog.waitFor({ state: 'hidden' });
    expect(await beside(page, 'City is missing.').isVisible()).toBe(true);
  });

  test('closes by Escape, wherever the focus is', async () => {
    const { page, dialog } = await refused();
    for (const focused of [page.getByLabel('Username'), dialog.getByRole('button', { name: 'Close' })]) {
      await focused.focus();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
      await press(page, 'Register');
      await dialog.waitFor();
    }
  });

  test('stays while it is pointed at', async () => {
    const { page, dialog } = await refused();
    await dialog.hover();
    await page.clock.runFor(3 * twoSeconds);
    expect(await dialog.isVisible()).toBe(true);
    await page.mouse.move(0, 0);
    await page.clock.runFor(twoSeconds);
    await dialog.waitFor({ state: 'hidden' });
  });

  test('stays while the focus is in it', async () => {
    const { page, dialog } = await refused();
    await dialog.getByRole('button', { name: 'Close' }).focus();
    await page.clock.runFor(3 * twoSeconds);
    expect(await dialog.isVisible()).toBe(true);
    await page.getByLabel('Username').focus();
    await page.clock.runFor(twoSeconds);
    await dialog.waitFor({ state: 'hidden' });
  });
});

test('a booking link is copied by one press, and its button says so for two seconds', async () => {
  const provider = await registerProvider(served);
  const page = await open({ as: provider, permissions: ['clipboard-read', 'clipboard-write'] });
  await page.clock.install();
  await page.goto('/view-open');
  await press(page, 'Copy link');
  await button(page, 'Copied!').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${served.url}/with/${provider.username}`);
  await page.clock.runFor(2_000);
  await button(page, 'Copy link').waitFor();
});

test('a booking link is selected where the browser refuses to copy it', async () => {
  const page = await open({ as: await registerProvider(served) });
  await page.addInitScript(() => {
    navigator.clipboard.writeText = () =>
      Promise.reject(new DOMException('Write permission denied.', 'NotAllowedError'));
  });
  await page.goto('/view-open');
  await press(page, 'Copy link');
  const linkField = page.locator('input[readonly]');
  const selected = () =>
    linkField.evaluate((field: HTMLInputElement) =>
      field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0),
    );
  await expect.poll(selected).toBe(await linkField.inputValue());
  expect(await linkField.evaluate((field) => field === document.activeElement)).toBe(true);
  expect(await button(page, 'Copied!').count()).toBe(0);
});

test('where a page has no clipboard, as over plain http, no button is there that could not copy', async () => {
  const page = await open({ as: await registerProvider(served) });
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await page.goto('/view-open');
  await takenOver(page);
  expect(await page.locator('input[readonly]').count()).toBe(1);
  expect(await button(page, 'Copy link').count()).toBe(0);
});
