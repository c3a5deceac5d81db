import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectConsoleError } from '../support/console';
import { type Person, password, publishOne, registerConsumer, registerProvider, rowsOf } from '../support/factories';
import { useServer } from '../support/use-server';
import { arrive, browsersAt, button, descriptionOf, pathOf, press, see, seen, title } from './browser';
import { chooseDays, dayOf, fullName, ticked, turnTo } from './calendar';
import { beside, registerWrongly } from './registration';
import { scriptsFirst } from './ways';

const served = useServer();
const { keepOpen } = browsersAt(served);

const wrongRegistration = [
  'Username can have only letters, digits, dots, underscores and hyphens.',
  'City is missing.',
  'Password needs at least 8 characters.',
  'Password needs at least one capital letter.',
  'Password needs at least one number.',
];

describe.each(scriptsFirst)('with scripts %s', (_, script) => {
  test('a registration with several faults says them all, keeps what was typed, and its dialog closes', async () => {
    const page = await keepOpen({ script });
    await registerWrongly(page);
    const dialog = page.getByRole('dialog', { name: 'Invalid Password' });
    await seen(dialog);
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
    const page = await keepOpen({ script });
    await page.goto('/login');
    expectConsoleError(/status of 401/);
    await logIn(page, username, 'Wrong horse 1');
    const dialog = page.getByRole('dialog', { name: 'Invalid Password' });
    await seen(dialog.getByRole('listitem'));
    await dialog.getByRole('button', { name: 'Close' }).click();
    expect(await page.getByLabel('Username').inputValue()).toBe(username);
    await logIn(page, username);
    await arrive(page, '/profile');
  });

  test('after login, whoever was sent away comes back to where they were going', async () => {
    const slot = await publishOne(await registerProvider(served));
    const { username } = await registerConsumer(served);
    const page = await keepOpen({ script });
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
    const page = await keepOpen({ script, as: provider });
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
    const page = await keepOpen({ script });
    const asked = new Set<string>();
    page.on('request', (request) => asked.add(new URL(request.url()).origin));
    // doors/ asks about each link and about more of these; here is what a browser and its scripts make of two.
    for (const elsewhere of ['/\\evil.example', '/.//evil.example']) {
      await page.goto(`/login?to=${encodeURIComponent(elsewhere)}`);
      await logIn(page, username);
      await arrive(page, '/profile');
      await page.context().clearCookies();
    }
    expect([...asked]).toEqual([served.url]);
  });

  test('a publication that ends before it starts says so, keeps days, times and words, and Enter sends it anew', async () => {
    const provider = await registerProvider(served);
    const page = await keepOpen({ script, as: provider });
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
    // Enter presses the form's first button, and that of the calendar turns the month.
    await page.getByLabel('Length in minutes').press('Enter');
    await arrive(page, '/');
    await see(page, '4 appointments are open for booking.');
  });

  test('a double click on Create publishes once', async () => {
    const provider = await registerProvider(served);
    const page = await keepOpen({ script, as: provider });
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
    const page = await keepOpen({ script, as: consumer });
    await page.goto(`/details/${slot.id}`);
    await button(page, 'Book this appointment').dblclick();
    await see(page, /^Booked: /);
    await arrive(page, '/view');
    expect(await idsBooked(consumer)).toEqual([slot.id]);

    await page.goBack();
    await arrive(page, `/details-cancel/${slot.id}`);
    await seen(button(page, 'Cancel Appointment'));
    expect(await idsBooked(consumer)).toEqual([slot.id]);
  });
});

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

const idsBooked = async (consumer: Person) =>
  rowsOf(await consumer.api('GET', '/api/Appointment/GetBooked')).map(({ id }) => id);
