import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectConsoleError } from '../support/console';
import { type Person, password, publishOne, registerConsumer, registerProvider, rowsOf } from '../support/factories';
import { useServer } from '../support/use-server';
import {
  arrive,
  browsersAt,
  button,
  descriptionOf,
  follow,
  link,
  pathOf,
  phone,
  press,
  see,
  seeInView,
  takenOver,
  title,
} from './browser';
import { chooseDays, dayOf, fullName, ticked, turnTo } from './calendar';

const served = useServer();
const { open } = browsersAt(served);

const wrongRegistration = [
  'Username can have only letters, digits, dots, underscores and hyphens.',
  'City is missing.',
  'Password needs at least 8 characters.',
  'Password needs at least one capital letter.',
  'Password needs at least one number.',
];

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

describe.each([
  ['off', false],
  ['on', true],
])('with scripts %s', (_, script) => {
  test('a registration with several faults says them all, keeps what was typed, and its dialog closes', async () => {
    const page = await open({ script });
    await registerWrongly(page);
    const dialog = page.getByRole('dialog', { name: 'Invalid Password' });
    await dialog.waitFor();
    expect(await dialog.getByRole('listitem').allInnerTexts()).toEqual(expect.arrayContaining(wrongRegistration));
    expect(await dialog.getByRole('listitem').count()).toBe(wrongRegistration.length);

    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(pathOf(page)).toBe('/register');
    expect(await descriptionOf(page.getByLabel('Username'))).toContain(wrongRegistration[0]);
    expect(await descriptionOf(page.getByLabel('City'))).toContain(wrongRegistration[1]);
    for (const message of wrongRegistration.slice(2)) {
      expect(await descriptionOf(page.getByLabel('Password', { exact: true }))).toContain(message);
      expect(await beside(page, message).isVisible()).toBe(true);
    }

    expect(await page.getByLabel('Full name or company name').inputValue()).toBe('Ada & Söhne');
    expect(await page.getByLabel('Username').inputValue()).toBe('ada lovelace');
    expect(await page.getByRole('radio', { name: 'Provider' }).isChecked()).toBe(true);
    expect(await page.getByLabel('Description').inputValue()).toBe('First line\nSecond line');
    expect(await page.getByLabel('Time zone').inputValue()).toBe('Asia/Colombo');
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('');
  });

  test('a wrong login is answered by the dialog, keeps the name, and the right password then works', async () => {
    const { username } = await registerConsumer(served);
    const page = await open({ script });
    await page.goto('/login');
    expectConsoleError(/status of 401/);
    await logIn(page, username, 'Wrong horse 1');
    const dialog = page.getByRole('dialog', { name: 'Invalid Password' });
    await dialog.getByRole('listitem').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    expect(await page.getByLabel('Username').inputValue()).toBe(username);
    await logIn(page, username);
    await arrive(page, '/profile');
  });

  test('after login, whoever was sent away comes back to where they were going', async () => {
    const slot = await publishOne(await registerProvider(served));
    const { username } = await registerConsumer(served);
    const page = await open({ script });
    await page.goto(`/details/${slot.id}?from=a+friend`);
    await arrive(page, '/not-logged-in');
    await page.getByRole('main').getByRole('link', { name: 'Log In' }).click();
    await arrive(page, '/login');
    await logIn(page, username);
    await arrive(page, `/details/${slot.id}`);
    expect(pathOf(page)).toBe(`/details/${slot.id}?from=a+friend`);
    await title(page, 'Book an Appointment');
  });

  test('a form that is sent after a logout in another tab asks for the login, and is sent as it was typed', async () => {
    const provider = await registerProvider(served);
    const page = await open({ script, as: provider });
    await fillPublication(page, { end: '10:00' });
    await page.context().clearCookies();
    expectConsoleError(/status of 401/);
    await press(page, 'Create appointments');
    await title(page, 'You are logged out');
    await see(page, 'Ring twice.');
    await page.getByLabel('Username').fill(provider.username);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await press(page, 'Log in and send it');
    await arrive(page, '/');
    await see(page, '4 appointments are open for booking.');
  });

  test('another site is never gone to after login', async () => {
    const { username } = await registerConsumer(served);
    const page = await open({ script });
    const asked = new Set<string>();
    page.on('request', (request) => asked.add(new URL(request.url()).origin));
    for (const elsewhere of ['//evil.example', '/\\evil.example', 'https://evil.example', '/.//evil.example']) {
      const query = `?to=${encodeURIComponent(elsewhere)}`;
      await page.goto(`/not-logged-in${query}`);
      expect(await link(page, 'Log In').getAttribute('href')).not.toContain('evil');
      await page.goto(`/login${query}`);
      await logIn(page, username);
      await arrive(page, '/profile');
      await page.context().clearCookies();
    }
    expect([...asked]).toEqual([served.url]);
  });

  test('Enter in a field of the publication publishes, and does not turn the month', async () => {
    const provider = await registerProvider(served);
    const page = await open({ script, as: provider });
    await fillPublication(page, { end: '10:00' });
    await page.getByLabel('Length in minutes').press('Enter');
    await arrive(page, '/');
    await see(page, '4 appointments are open for booking.');
  });

  test('a publication that ends before it starts says so, and keeps days, times and words', async () => {
    const provider = await registerProvider(served);
    const page = await open({ script, as: provider });
    await fillPublication(page, { end: '08:00' });
    expectConsoleError(/status of 400/);
    await press(page, 'Create appointments');
    await see(page, 'The end time must be after the start time.');
    expect(await descriptionOf(page.getByLabel('Range end time'))).toContain('The end time must be after the start');
    expect(await page.getByLabel('Range start time').inputValue()).toBe('09:00');
    expect(await page.getByLabel('Range end time').inputValue()).toBe('08:00');
    expect(await page.getByLabel('Notes').inputValue()).toBe('Ring twice.\nThen wait.');
    expect(await ticked(page)).toEqual([fullName(dayOf(2, 5))]);
    await turnTo(page, dayOf(1, 10));
    expect(await ticked(page)).toEqual([fullName(dayOf(1, 10))]);
    await page.getByLabel('Range end time').fill('10:00');
    await press(page, 'Create appointments');
    await see(page, '4 appointments are open for booking.');
  });

  test('what is wrong is in view on a phone, wherever the button was', async () => {
    const page = await open({ script, as: await registerProvider(served), viewport: phone });
    await page.goto('/create');
    expectConsoleError(/status of 400/);
    await press(page, 'Create appointments');
    await seeInView(page, 'Choose at least one day.');
  });

  test('the first field that is wrong in a long form has the focus and is in view', async () => {
    const page = await open({ script, as: await registerProvider(served), viewport: phone });
    await page.goto('/create-party');
    await page.getByLabel('Title').fill('Garden party');
    await page.getByLabel('Date', { exact: true }).fill('2030-06-01');
    await page.getByLabel('Capacity').fill('0');
    await page.getByLabel('Plus-ones').fill('99');
    expectConsoleError(/status of 400/);
    await press(page, 'Create party');
    await seeInView(page, 'Capacity must be a whole number from 1 to 100,000.');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('capacity');
  });

  test('a double click on Create publishes once', async () => {
    const provider = await registerProvider(served);
    const page = await open({ script, as: provider });
    await fillPublication(page, { end: '10:00' });
    await button(page, 'Create appointments').dblclick();
    await see(page, '4 appointments are open for booking.');
    await arrive(page, '/');
    expect(await page.getByText('left out').count()).toBe(0);
    expect(rowsOf(await provider.api('GET', `/api/Appointment/GetPage?provider=${provider.username}`))).toHaveLength(4);
  });

  test('a double click on Book books once, and going back does not book again', async () => {
    const slot = await publishOne(await registerProvider(served));
    const consumer = await registerConsumer(served);
    const page = await open({ script, as: consumer });
    await page.goto(`/details/${slot.id}`);
    await button(page, 'Book this appointment').dblclick();
    await see(page, /^Booked: /);
    await arrive(page, '/view');
    expect(await idsBooked(consumer)).toEqual([slot.id]);

    await page.goBack();
    await arrive(page, `/details-cancel/${slot.id}`);
    await button(page, 'Cancel Appointment').waitFor();
    expect(await idsBooked(consumer)).toEqual([slot.id]);
  });
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

async function registerWrongly(page: Page): Promise<void> {
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

async function logIn(page: Page, username: string, word = password): Promise<void> {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(word);
  await press(page, 'Log in');
}

/** Two days of two months from nine o'clock, in halves of an hour. */
async function fillPublication(page: Page, { end }: { end: string }): Promise<void> {
  await page.goto('/create');
  await chooseDays(page, dayOf(1, 10), dayOf(2, 5));
  await page.getByLabel('Range start time').fill('09:00');
  await page.getByLabel('Range end time').fill(end);
  await page.getByLabel('Notes').fill('Ring twice.\nThen wait.');
}

/** A message where it stays: in the form, not in the dialog. */
const beside = (page: Page, message: string) => page.locator('form').getByText(message);

const idsBooked = async (consumer: Person) =>
  rowsOf(await consumer.api('GET', '/api/Appointment/GetBooked')).map(({ id }) => id);
