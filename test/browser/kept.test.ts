import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectConsoleError } from '../support/console';
import { registerProvider } from '../support/factories';
import { useServer, useWorld } from '../support/use-server';
import { arrive, browsersAt, choose, follow, link, press, see, seen, takenOver, title } from './browser';
import { chooseDays, dayOf, fullName, ticked, turnTo } from './calendar';
import { addQuestion, line } from './questions';

/* With scripts on; without them the browser does the same by itself. */

const served = useServer();
const { open, keepOpen } = browsersAt(served);
const { host } = useWorld(served, { host: {} });

const [first, second] = [dayOf(1, 10), dayOf(2, 5)];

/** A publication on two days in two months, of which the end time is wrong. */
async function refusedPublication(): Promise<Page> {
  const page = await open({ as: await registerProvider(served) });
  await page.goto('/create');
  await takenOver(page);
  await chooseDays(page, first, second);
  await page.getByLabel('Range end time').fill('08:00');
  await page.getByLabel('Notes').fill('Ring twice.');
  expectConsoleError(/status of 400/);
  await press(page, 'Create appointments');
  await see(page, 'The end time must be after the start time.');
  return page;
}

async function requireAnswers(page: Page, end: string): Promise<void> {
  await expect.poll(() => page.getByLabel('Notes').inputValue()).toBe('Ring twice.');
  expect(await page.getByLabel('Range end time').inputValue()).toBe(end);
  expect(await ticked(page)).toEqual([fullName(second)]);
  await turnTo(page, first);
  expect(await ticked(page)).toEqual([fullName(first)]);
}

/** Somebody else logs in, in another tab. */
async function logInElsewhere(page: Page): Promise<void> {
  const { browser } = await registerProvider(served);
  const value = browser.cookies.get('daybook') ?? '';
  await page.context().addCookies([{ name: 'daybook', value, url: served.url }]);
}

test('a form that was refused or left half-filled is there when its page comes again, and blank once it was taken', async () => {
  const page = await refusedPublication();
  await page.reload();
  await see(page, 'The end time must be after the start time.');
  await requireAnswers(page, '08:00');
  await page.getByLabel('Range end time').fill('10:00');
  await turnTo(page, second);
  await follow(page, 'Write questions');
  await title(page, 'Create Template');
  await page.goBack();
  await title(page, 'Create Appointments');
  await requireAnswers(page, '10:00');
  // Enter presses the form's first button, and that of the calendar turns the month.
  await page.getByLabel('Length in minutes').press('Enter');
  await arrive(page, '/');
  await see(page, '4 appointments are open for booking.');
  await page.goBack();
  await title(page, 'Create Appointments');
  expect(await page.getByLabel('Notes').inputValue()).toBe('');
  expect(await ticked(page)).toEqual([]);
});

test('the week of hours and a template are as they were for whoever comes back or loads them anew', async () => {
  const page = await keepOpen({ as: host });
  await page.goto('/hours');
  await takenOver(page);
  const monday = page.getByLabel('Monday, from');
  const leaveAndComeBack = async () => {
    await follow(page, 'Write questions');
    await title(page, 'Create Template');
    await page.goBack();
    await title(page, 'Hours');
  };
  await page.getByRole('checkbox', { name: 'Sunday' }).check();
  await leaveAndComeBack();
  expect(await page.getByRole('checkbox', { name: 'Sunday' }).isChecked()).toBe(true);
  await press(page, 'Show what changes');
  await see(page, 'What will change');
  await leaveAndComeBack();
  await see(page, 'What will change');
  await monday.fill('06:00');
  await leaveAndComeBack();
  await see(page, 'What will change');
  await expect.poll(() => monday.inputValue()).toBe('06:00');

  await follow(page, 'Write questions');
  await title(page, 'Create Template');
  await page.getByLabel('Title').fill('Kept');
  await addQuestion(page, { questionText: 'Why?' });
  await page.reload();
  await seen(line(page, 'Why?'));
  expect(await page.getByLabel('Title').inputValue()).toBe('Kept');
});

test('passwords are not kept, and nothing of a form is shown to another reader', async () => {
  const page = await open();
  expectConsoleError(/status of 400/);
  await page.goto('/register');
  await takenOver(page);
  const [name, word] = [page.getByLabel('Username'), page.getByLabel('Password', { exact: true })];
  await name.fill('ada lovelace');
  await word.fill('Secret horse 1');
  await press(page, 'Register');
  await see(page, 'Username can have only');
  await word.fill('Secret horse 1');
  await choose(page, 'Login');
  await title(page, 'Login');
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Secret horse');
  await page.goBack();
  await expect.poll(() => name.inputValue()).toBe('ada lovelace');
  expect(await word.inputValue()).toBe('');
  await logInElsewhere(page);
  await page.reload();
  await takenOver(page);
  expect(await name.inputValue()).toBe('');
});

test('a form that was open or refused leaves nothing in the tab after a logout, and is shown to no other account', async () => {
  const page = await refusedPublication();
  const stored = () => page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }));
  expect(await stored()).toContain('Ring twice.');
  await choose(page, 'Logout');
  await press(page, 'Logout');
  await seen(link(page, 'Register Now'));
  await expect.poll(stored).not.toContain('Ring twice.');
  await page.goBack();
  await arrive(page, '/logout');
  await page.goBack();
  await title(page, 'Not logged in');
  expect(await page.content()).not.toContain('Ring twice.');
  await logInElsewhere(page);
  await page.goto('/create');
  await takenOver(page);
  expect(await page.getByLabel('Notes').inputValue()).toBe('');
  expect(await stored()).not.toContain('Ring twice.');
});

test('a form that stays on its page, saved twice with one thing changed each time, saves both', async () => {
  const page = await keepOpen({ as: host });
  await page.goto('/profile');
  await takenOver(page);
  await page.getByText('Edit profile').click();
  await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
  await press(page, 'Save profile');
  await see(page, 'Your profile is saved.');
  await expect.poll(() => page.getByLabel('Time zone').inputValue()).toBe('Asia/Tokyo');
  await page.getByLabel('Description').fill('Two chairs');
  await press(page, 'Save profile');
  await seen(page.locator('dd').getByText('Two chairs'));
  const { json } = await host.api('GET', '/api/Account/Profile');
  expect(json).toMatchObject({ timeZone: 'Asia/Tokyo', description: 'Two chairs' });
});
