import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectConsoleError } from '../support/console';
import { dayAhead, password, publishOne, registerConsumer, registerProvider, rowsOf } from '../support/factories';
import { describeFirst } from '../support/matrix';
import { createParty } from '../support/party-factories';
import { useServer, useWorld } from '../support/use-server';
import {
  arrive,
  browsersAt,
  button,
  descriptionOf,
  follow,
  press,
  see,
  seen,
  takenOver,
  title,
  writeParty,
} from './browser';
import { chooseDays, dayOf, wire } from './calendar';
import { scriptsFirst } from './ways';

const served = useServer();
const { host, maya } = useWorld(served, { host: {}, maya: {} });
const { open, keepOpen } = browsersAt(served);

const faults = ['Username can have only letters', 'City is missing.', 'Password needs at least 8 characters.'];

/** Sends a registration with several faults, and waits for the dialog that says them. */
async function registerWrongly(page: Page) {
  await page.goto('/register');
  await page.getByLabel('Username').fill('ada lovelace');
  await page.getByRole('radio', { name: 'Provider' }).check();
  await page.getByLabel('Description').fill('First line\nSecond line');
  await page.getByLabel('Time zone').selectOption('Asia/Colombo');
  await page.getByLabel('Password', { exact: true }).fill('short');
  expectConsoleError(/status of 400/);
  await press(page, 'Register');
  const dialog = page.getByRole('dialog', { name: 'Invalid Password' });
  await seen(dialog);
  return dialog;
}

describe.each(scriptsFirst)('with scripts %s', (_, script) => {
  test('a registration with several faults says them all, keeps what was typed, and its dialog closes', async () => {
    const page = await keepOpen({ script });
    const dialog = await registerWrongly(page);
    for (const fault of faults) await seen(dialog.getByText(fault));
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'hidden' });
    const field = (label: string) => page.getByLabel(new RegExp(`^${label}`));
    for (const fault of faults) expect(await descriptionOf(field(fault.split(' ')[0] ?? ''))).toContain(fault);
    expect(await page.getByRole('radio', { name: 'Provider' }).isChecked()).toBe(true);
    const typed = ['Username', 'Description', 'Time zone', 'Password'].map((label) => field(label).inputValue());
    expect(await Promise.all(typed)).toEqual(['ada lovelace', 'First line\nSecond line', 'Asia/Colombo', '']);
  });

  test('a form that is sent after a logout in another tab asks for the login, and is sent as it was typed', async () => {
    const provider = await registerProvider(served);
    const page = await keepOpen({ script, as: provider });
    await page.goto('/create');
    await chooseDays(page, dayOf(1, 10), dayOf(2, 5));
    await page.getByLabel('Range end time').fill('10:00');
    await page.context().clearCookies();
    expectConsoleError(/status of 401/);
    await press(page, 'Create appointments');
    await title(page, 'You are logged out');
    await page.getByLabel('Username').fill(provider.username);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await press(page, 'Log in and send it');
    await see(page, '4 appointments are open for booking.');
  });

  test('a double click on Book books once, and going back does not book again', async () => {
    const slot = await publishOne(host, { dates: [dayAhead(3)] });
    const consumer = await registerConsumer(served);
    const idsBooked = async () => rowsOf(await consumer.api('GET', '/api/Appointment/GetBooked')).map(({ id }) => id);
    const page = await keepOpen({ script, as: consumer });
    await page.goto(`/details/${slot.id}`);
    await button(page, 'Book this appointment').dblclick();
    await see(page, /^Booked: /);
    await arrive(page, '/view');
    expect(await idsBooked()).toEqual([slot.id]);
    await page.goBack();
    await arrive(page, `/details-cancel/${slot.id}`);
    await seen(button(page, 'Cancel Appointment'));
    expect(await idsBooked()).toEqual([slot.id]);
  });
});

describeFirst('what only a script can do:', () => {
  test('a form whose answer does not come can be sent again after ten seconds, and is done once', async () => {
    const page = await open({ as: host });
    await page.clock.install();
    await writeParty(page);
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
    await page.clock.runFor(9_000);
    expect(await create.isDisabled()).toBe(true);
    await page.clock.runFor(1_000);
    await expect.poll(() => create.isDisabled()).toBe(false);
    await create.click();
    await see(page, 'Garden party');
    expect(rowsOf(await host.api('GET', '/api/Party/GetMy'))).toHaveLength(1);
  });

  test("a dialog of faults closes after two seconds and by Escape, but not under the reader's pointer or focus", async () => {
    const page = await open();
    await page.clock.install();
    const dialog = await registerWrongly(page);
    await page.clock.runFor(2_000);
    await dialog.waitFor({ state: 'hidden' });
    expect(await page.locator('form').getByText('City is missing.').isVisible()).toBe(true);
    const close = dialog.getByRole('button', { name: 'Close' });
    for (const hold of [() => dialog.hover(), () => close.focus()]) {
      await press(page, 'Register');
      await dialog.waitFor();
      await page.mouse.move(0, 0);
      await hold();
      await page.clock.runFor(6_000);
      expect(await dialog.isVisible()).toBe(true);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
    }
  });

  test('a booking link is copied by one press and its button says so for two seconds, or has no button', async () => {
    const page = await open({ as: host, permissions: ['clipboard-read', 'clipboard-write'] });
    await page.clock.install();
    await page.goto('/view-open');
    await press(page, 'Copy link');
    await button(page, 'Copied!').waitFor();
    const address = `${served.url}/with/${host.username}`;
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);
    await page.clock.runFor(2_000);
    await button(page, 'Copy link').waitFor();

    // As over plain http.
    await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await page.reload();
    await takenOver(page);
    expect(await button(page, 'Copy link').count()).toBe(0);
  });

  test('a letter says so while an answer is being saved, and takes no second one for ten seconds', async () => {
    const party = await createParty(host, { date: wire(dayOf(1, 20)) });
    const page = await open({ as: maya });
    await page.clock.install();
    // An answer without content leaves the page as it is.
    await page.route('**/*', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 204 }) : route.continue(),
    );
    await page.goto(`/party/${party.id}`);
    const pressable = () =>
      page
        .getByRole('main')
        .locator('button')
        .evaluateAll((all) => all.map((one) => one.matches(':enabled')));
    await press(page, 'RSVP');
    await button(page, 'Saving…').first().waitFor();
    expect(await pressable()).toEqual([false, false]);
    await page.clock.fastForward(10_000);
    expect(await pressable()).toEqual([true, true]);
  });

  test('a table of some hundreds comes along by itself once it was looked at', async () => {
    const page = await keepOpen({ as: host });
    await page.goto('/people/import');
    await takenOver(page);
    const rows = Array.from({ length: 330 }, (_, row) => `Person ${row},p${row}@mail.test`);
    await page.getByLabel('Or paste it here').fill(`Name,E-mail\n${rows.join('\n')}`);
    await press(page, 'Go on');
    await press(page, 'See what happens');
    await press(page, 'Import all 330');
    await see(page, 'Your clients are here. Nobody was mailed.');
    expect(await page.getByRole('definition').allInnerTexts()).toEqual(['330', '0', '0', '0']);
  });

  test('whoever was here before is found while one types, and booked by one press', async () => {
    await host.api('POST', '/api/People/Create', { name: 'Wanda Ek', phone: '555 123' });
    const slot = await publishOne(host, { dates: [dayAhead(2)] });
    const page = await keepOpen({ as: host });
    await page.goto(`/details-provider/${slot.id}`);
    await takenOver(page);
    const field = page.getByLabel('Somebody who was here before');
    await field.fill('Nobody');
    await see(page, 'Nobody of that name, e-mail or phone. Write them down below.');
    await field.fill('wan');
    await seen(page.getByText('555 123'));
    await press(page, 'Book for Wanda Ek');
    await see(page, 'A link for Wanda Ek');
  });
});

test('a password can be looked at while it is typed, and is not kept all the same', async () => {
  const page = await keepOpen();
  await page.goto('/register');
  await takenOver(page);
  const word = page.getByLabel('Password', { exact: true });
  await word.fill('Secret horse 1');
  expect(await word.getAttribute('type')).toBe('password');
  await page.getByRole('checkbox', { name: 'Show password' }).check();
  expect([await word.getAttribute('type'), await word.inputValue()]).toEqual(['text', 'Secret horse 1']);
  await follow(page, 'Log in');
  await title(page, 'Login');
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Secret horse');
});
