import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectConsoleError } from '../support/console';
import { book, password, publishOne, rowsOf } from '../support/factories';
import { createMeetup, createParty, linkOf } from '../support/party-factories';
import { useServer, useWorld } from '../support/use-server';
import { arrive, browsersAt, button, follow, holdScripts, press, see, takenOver, title } from './browser';
import { dayOf, wire } from './calendar';
import { beside, registerWrongly } from './registration';

const served = useServer();
const { host, maya } = useWorld(served, { host: {}, maya: {} });
const { open, keepOpen } = browsersAt(served);

const day = dayOf(1, 20);

/* What only a script can do for a form, a link or a letter. */

test('a password can be looked at while it is typed, and is not kept all the same', async () => {
  const page = await keepOpen();
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
  const page = await open({ as: host });
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
  expect(rowsOf(await host.api('GET', '/api/Party/GetMy'))).toHaveLength(1);
});

test("a dialog of faults closes after two seconds and by Escape, but not under the reader's pointer or focus", async () => {
  const twoSeconds = 2_000;
  const page = await keepOpen();
  await page.clock.install();
  await registerWrongly(page);
  const dialog = page.getByRole('dialog', { name: 'Invalid Password' });
  const close = dialog.getByRole('button', { name: 'Close' });
  const username = page.getByLabel('Username');
  const isRefused = async () => {
    await dialog.waitFor();
    await page.mouse.move(0, 0);
  };
  const staysUntil = async (leave: () => Promise<void>) => {
    await page.clock.runFor(3 * twoSeconds);
    expect(await dialog.isVisible()).toBe(true);
    await leave();
    await page.clock.runFor(twoSeconds);
    await dialog.waitFor({ state: 'hidden' });
  };

  await isRefused();
  await page.clock.runFor(twoSeconds);
  await dialog.waitFor({ state: 'hidden' });
  expect(await beside(page, 'City is missing.').isVisible()).toBe(true);
  for (const focused of [username, close]) {
    await press(page, 'Register');
    await isRefused();
    await focused.focus();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  }
  await press(page, 'Register');
  await isRefused();
  await dialog.hover();
  await staysUntil(() => page.mouse.move(0, 0));
  await press(page, 'Register');
  await isRefused();
  await close.focus();
  await staysUntil(() => username.focus());
});

test('a booking link is copied by one press and its button says so for two seconds, or it is selected, or has no button', async () => {
  const page = await open({ as: host, permissions: ['clipboard-read', 'clipboard-write'] });
  await page.clock.install();
  await page.goto('/view-open');
  await press(page, 'Copy link');
  await button(page, 'Copied!').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${served.url}/with/${host.username}`);
  await page.clock.runFor(2_000);
  await button(page, 'Copy link').waitFor();

  await refuseToCopy(page);
  await press(page, 'Copy link');
  const linkField = page.locator('input[readonly]');
  const selected = () =>
    linkField.evaluate((field: HTMLInputElement) =>
      field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0),
    );
  await expect.poll(selected).toBe(await linkField.inputValue());
  expect(await linkField.evaluate((field) => field === document.activeElement)).toBe(true);
  expect(await button(page, 'Copied!').count()).toBe(0);

  // As over plain http.
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await page.reload();
  await takenOver(page);
  expect(await linkField.count()).toBe(1);
  expect(await button(page, 'Copy link').count()).toBe(0);
});

test('a personal link is copied by one press, or selected, and handed to another app by one where there are any', async () => {
  const { link } = (await book(maya, await publishOne(host))).json as { link: string };
  const page = await open({ permissions: ['clipboard-read', 'clipboard-write'] });
  await page.clock.install();
  await page.goto(link);
  // Chromium without a screen has no list of apps.
  expect(await button(page, 'Share link').isVisible()).toBe(false);
  // This notes what it would be asked to share.
  const shared = new Promise((resolve) => page.exposeFunction('noteShared', resolve));
  await page.addInitScript('navigator.share = async (what) => noteShared(what)');
  await page.reload();
  await press(page, 'Copy link');
  await button(page, 'Copied!').waitFor();
  const whole = `${served.url}${link}`;
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(whole);
  await page.clock.runFor(2_000);
  await button(page, 'Copy link').waitFor();
  await press(page, 'Share link');
  expect(await shared).toEqual({ url: whole, title: `Appointment with ${host.displayName}` });

  await refuseToCopy(page);
  await press(page, 'Copy link');
  await expect.poll(() => page.evaluate(() => `${getSelection()}`.trim())).toBe(whole);
});

const refuseToCopy = (page: Page) =>
  page.evaluate(() => {
    navigator.clipboard.writeText = () =>
      Promise.reject(new DOMException('Write permission denied.', 'NotAllowedError'));
  });

test('a letter says so while an answer is being saved, and takes no second one for ten seconds', async () => {
  const [party, meetup] = await Promise.all([
    createParty(host, { date: wire(day) }),
    createMeetup(host, { date: wire(day) }),
  ]);
  const page = await open({ as: maya });
  await page.clock.install();
  // An answer without content leaves the page as it is.
  await page.route('**/*', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 204 }) : route.continue(),
  );
  for (const [path, name] of [
    [`/party/${party.id}`, 'RSVP'],
    [`/meetup-rsvp/${linkOf(meetup, 'Ada').id}`, 'Accept'],
  ] as const) {
    await page.goto(path);
    const buttons = page.getByRole('main').getByRole('button');
    expect(await buttons.evaluateAll((all) => all.map((one) => one.matches(':enabled')))).toEqual([true, true]);
    await press(page, name);
    await button(page, 'Saving…').first().waitFor();
    expect(await buttons.evaluateAll((all) => all.map((one) => one.matches(':enabled')))).toEqual([false, false]);
    await page.clock.fastForward(10_000);
    expect(await buttons.evaluateAll((all) => all.map((one) => one.matches(':enabled')))).toEqual([true, true]);
    expect(await button(page, name).isVisible()).toBe(true);
  }
});

test('a password that is typed before they arrive is kept, and a closed dialog stays closed', async () => {
  const party = await createParty(host, { date: wire(day) });
  const page = await open();
  const letScriptsCome = await holdScripts(page);
  await page.goto(`/party/${party.id}`);
  await page.getByLabel('Username').fill(maya.username);
  await page.getByLabel('Password').fill('Wrong horse 1');
  expectConsoleError(/status of 401/);
  await press(page, 'Log in');
  const dialog = page.getByRole('dialog', { name: 'Invalid Password' });
  await dialog.getByRole('button', { name: 'Close' }).click();
  const word = page.getByLabel('Password', { exact: true });
  await word.fill(password);
  letScriptsCome();
  await takenOver(page);
  expect([await word.inputValue(), await dialog.isVisible()]).toEqual([password, false]);
  await page.getByRole('main').getByRole('button', { name: 'Log in' }).click();
  await arrive(page, `/party/${party.id}`);
});
