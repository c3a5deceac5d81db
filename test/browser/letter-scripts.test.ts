import { expect, test } from 'vitest';
import { expectConsoleError } from '../support/console';
import { book, type Person, password, publishOne, registerConsumer, registerProvider } from '../support/factories';
import { createMeetup, createParty, linkOf } from '../support/party-factories';
import { useServer } from '../support/use-server';
import { arrive, browsersAt, button, holdScripts, press, takenOver } from './browser';
import { dayOf, wire } from './calendar';

const served = useServer();
const { open } = browsersAt(served);

const day = dayOf(1, 20);

test('with scripts on, a letter says so while an answer is being saved, and takes no second one for ten seconds', async () => {
  const host = await registerProvider(served);
  const [party, meetup, guest] = await Promise.all([
    createParty(host, { date: wire(day) }),
    createMeetup(host, { date: wire(day) }),
    registerConsumer(served),
  ]);
  const page = await open({ as: guest });
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

test('with scripts on, a password that is typed before they arrive is kept, and a closed dialog stays closed', async () => {
  const [host, guest] = (await Promise.all([registerProvider(served), registerConsumer(served)])) as [Person, Person];
  const party = await createParty(host, { date: wire(day) });
  const page = await open();
  const letScriptsCome = await holdScripts(page);
  await page.goto(`/party/${party.id}`);
  await page.getByLabel('Username').fill(guest.username);
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

test('with scripts on, a personal link is copied by one press and handed to another app by one', async () => {
  const provider = await registerProvider(served);
  const { link } = (await book(await registerConsumer(served), await publishOne(provider))).json as { link: string };
  const page = await open({ permissions: ['clipboard-read', 'clipboard-write'] });
  await page.clock.install();
  // Chromium without a screen has no list of apps. This notes what it would be asked to share.
  const shared = new Promise((resolve) => page.exposeFunction('noteShared', resolve));
  await page.addInitScript('navigator.share = async (what) => noteShared(what)');
  await page.goto(link);
  await press(page, 'Copy link');
  await button(page, 'Copied!').waitFor();
  const whole = `${served.url}${link}`;
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(whole);
  await page.clock.runFor(2_000);
  await button(page, 'Copy link').waitFor();
  await press(page, 'Share link');
  expect(await shared).toEqual({ url: whole, title: `Appointment with ${provider.displayName}` });
});

test('with scripts on, a personal link is selected where the browser refuses to copy, and no button is there that can do nothing', async () => {
  const provider = await registerProvider(served);
  const { link } = (await book(await registerConsumer(served), await publishOne(provider))).json as { link: string };
  const page = await open();
  await page.addInitScript(() => {
    navigator.clipboard.writeText = () =>
      Promise.reject(new DOMException('Write permission denied.', 'NotAllowedError'));
    Object.defineProperty(navigator, 'share', { value: undefined });
  });
  await page.goto(link);
  expect(await button(page, 'Share link').isVisible()).toBe(false);
  await press(page, 'Copy link');
  await expect.poll(() => page.evaluate(() => `${getSelection()}`.trim())).toBe(`${served.url}${link}`);
});
