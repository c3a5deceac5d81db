import { describe, expect, test } from 'vitest';
import { expectConsoleError } from '../support/console';
import { look, password, publish, type Row, registerConsumer, registerProvider } from '../support/factories';
import { mailTo } from '../support/mails';
import { testRest } from '../support/matrix';
import { useServer } from '../support/use-server';
import { arrive, browsersAt, button, follow, pathOf, phone, press, see, title } from './browser';
import { dayOf, wire } from './calendar';
import { noScriptsFirst } from './ways';

/*
 * From a shared link to a booking, which is moved and canceled on another device, without an account; and from a lost
 * password back to the profile, whose steps doors/ has one by one.
 */

const served = useServer();
const { open } = browsersAt(served);

describe.each(noScriptsFirst)('with scripts %s, on a phone', (_, script) => {
  test('a stranger books in three screens and four taps, and moves and cancels by the link on another device', async () => {
    const provider = await registerProvider(served);
    const day = dayOf(1, 10);
    const slots = await publish(provider, { dates: [wire(day)], start: '09:00', end: '10:30' });
    const [first, second] = slots as [Row, Row];
    const shared = await open({ script, viewport: phone });
    await shared.goto(`/with/${provider.username}`);
    await shared.locator(`.slots a[href$="${first.id}"]`).click();
    await shared.getByLabel('Your name').fill('Zoë');
    await press(shared, 'Book');
    await see(shared, 'Booked for Zoë.');
    const shown = shared.locator('[data-link]');
    const link = (await shown.textContent()) ?? '';
    await shown.click();
    expect(await shared.evaluate(() => `${getSelection()}`.trim())).toBe(link);
    expect(link).toBe(`${served.url}${pathOf(shared)}`);
    const mail = await shared.getByRole('link', { name: 'Send it to myself by e-mail' }).getAttribute('href');
    const message = await shared.getByRole('link', { name: 'Send it as a text message' }).getAttribute('href');
    for (const [way, scheme] of [
      [mail, /^mailto:\?/],
      [message, /^sms:\?&body=/],
    ] as const) {
      expect(way).toMatch(scheme);
      expect(decodeURIComponent(way ?? '')).toContain(link);
    }
    expect(await shared.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);

    const other = await open({ script, viewport: phone });
    await other.goto(link);
    await follow(other, 'Change the time');
    await other.locator(`[formaction$="/${second.id}"]`).click();
    await see(other, 'It is moved. This is the new time.');
    expect((await look(provider, second)).json).toMatchObject({ status: 1, bookerName: 'Zoë' });
    expect((await look(provider, first)).json).toMatchObject({ status: 2 });
    expect(pathOf(other)).toContain(new URL(link).pathname);

    await other.goto(link);
    await follow(other, 'Cancel');
    await press(other, 'Yes, cancel it');
    await see(other, 'This appointment is canceled.');
    expect((await look(provider, second)).json).toMatchObject({ status: 2, canceledBy: 'consumer' });
    await shared.reload();
    await see(shared, 'This appointment is canceled.');
    // The way back to the times is a page for this reader, who sees at once that both are free again.
    await shared.goto(`/with/${provider.username}`);
    expect(await shared.locator('.slots a').count()).toBe(slots.length);
  });
});

const [second, third] = ['Better horse 2', 'Third horse 3'];

testRest.each([
  ['off', false],
  ['on', true],
])(
  'with scripts %s, whoever has lost the password gets back from the login to the profile, by mail and by code',
  async (_, script) => {
    // The browser notes that the short password is refused.
    expectConsoleError(/status of 400/);
    const who = await registerConsumer(served);
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
