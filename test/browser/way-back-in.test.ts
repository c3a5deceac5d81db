import { expect, test } from 'vitest';
import { expectConsoleError } from '../support/console';
import { password, peopleAt } from '../support/factories';
import { mailTo } from '../support/mails';
import { useServer } from '../support/use-server';
import { arrive, browsersAt, button, see, title } from './browser';
import { noScriptsFirst } from './ways';

const served = useServer();
const { newConsumer } = peopleAt(served);
const { open } = browsersAt(served);

const [second, third] = ['Better horse 2', 'Third horse 3'];

test.each(noScriptsFirst)(
  'with scripts %s, whoever has lost the password gets back from the login to the profile, by mail and by code',
  async (_, script) => {
    // The browser notes that the short password is refused.
    expectConsoleError(/status of 400/);
    const who = await newConsumer();
    const email = `${who.username}@mail.test`;
    const mails = (subject: RegExp) => mailTo(served.visitor(), email, subject);

    // Beforehand: an address that is confirmed, and codes that are written down, both found in the profile.
    const page = await open({ script, as: who });
    await page.goto('/profile');
    await page.getByText('If you lose your password').click();
    await page.getByRole('link', { name: 'recovery code' }).click();
    await title(page, 'Recovery codes');
    await page.getByLabel('Current password', { exact: true }).fill(password);
    await button(page, 'Make new codes').click();
    await see(page, 'Your ten codes');
    const codes = await page
      .getByRole('listitem')
      .filter({ hasText: /^\w{5}-\w{5}$/ })
      .allInnerTexts();
    expect(codes).toHaveLength(10);
    await page.goto('/profile');
    await page.getByRole('link', { name: 'Get mail: give an address' }).click();
    await title(page, 'E-mail');
    await page.getByLabel('E-mail address', { exact: true }).fill(email);
    await page.getByLabel('Current password', { exact: true }).fill(password);
    await button(page, 'Save and confirm').click();
    await see(page, 'A mail is on its way.');
    await page.goto((await mails(/Is this your address/)).link('/confirm-email/'));
    await button(page, 'Yes, this is my address').click();
    await see(page, 'Your address is confirmed.');

    const logIn = async (word: string) => {
      await page.getByLabel('Username', { exact: true }).fill(who.username);
      await page.getByLabel('Password', { exact: true }).fill(word);
      await button(page, 'Log in').click();
    };
    const lost = async () => {
      await page.context().clearCookies();
      await page.goto('/login');
      await page.getByRole('link', { name: 'Forgotten your password?' }).click();
      await title(page, 'Forgotten password');
    };

    await lost();
    await page.getByLabel('Username or e-mail address').fill(who.username);
    await button(page, 'Send me a link').click();
    await see(page, 'a mail with a link is on its way');
    await page.goto((await mails(/^A new password/)).link('/reset-password/'));
    await page.getByRole('textbox', { name: 'New password' }).fill('short');
    await button(page, 'Set the new password').click();
    await see(page, /Password needs at least/);
    await page.getByRole('textbox', { name: 'New password' }).fill(second);
    await button(page, 'Set the new password').click();
    await see(page, 'Your new password is set.');
    await logIn(second);
    await title(page, 'Profile');

    await lost();
    await page.getByRole('link', { name: 'Use a recovery code' }).click();
    await title(page, 'New password');
    await page.getByLabel('Username', { exact: true }).fill(who.username);
    await page.getByLabel('Recovery code').fill(codes[0] ?? '');
    await page.getByRole('textbox', { name: 'New password' }).fill(third);
    await button(page, 'Set the new password').click();
    await see(page, 'Your new password is set.');
    await logIn(third);
    await arrive(page, '/profile');
    await title(page, 'Profile');
  },
);
