import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectConsoleError } from '../support/console';
import { look, type Row, registerConsumer, registerProvider } from '../support/factories';
import { bookWith, idOf, intakeAnswers, publishAsking, writeTemplate } from '../support/template-factories';
import { useServer, useWorld } from '../support/use-server';
import { arrive, browsersAt, button, choose, follow, link, press, see, seen, takenOver, title } from './browser';
import { chooseDays, dayOf, fullName, ticked, turnTo } from './calendar';

/* With scripts on; without them the browser does the same by itself. */

const served = useServer();
const { open, keepOpen } = browsersAt(served);
const { host } = useWorld(served, { host: {} });

const [first, second] = [dayOf(1, 10), dayOf(2, 5)];

/** A publication as it is typed, on two days in two months. */
async function publication(end: string): Promise<Page> {
  const page = await open({ as: await registerProvider(served) });
  await page.goto('/create');
  await takenOver(page);
  await chooseDays(page, first, second);
  await page.getByLabel('Range end time').fill(end);
  await page.getByLabel('Notes').fill('Ring twice.\nThen wait.');
  return page;
}

async function requireAnswers(page: Page, end: string): Promise<void> {
  await expect.poll(() => page.getByLabel('Notes').inputValue()).toBe('Ring twice.\nThen wait.');
  expect(await page.getByLabel('Range end time').inputValue()).toBe(end);
  expect(await ticked(page)).toEqual([fullName(second)]);
  await turnTo(page, first);
  expect(await ticked(page)).toEqual([fullName(first)]);
}

test('a form that was refused or left half-filled is there when its page comes again, and blank once it was taken', async () => {
  const page = await publication('08:00');
  expectConsoleError(/status of 400/);
  await press(page, 'Create appointments');
  await see(page, 'The end time must be after the start time.');
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
  await press(page, 'Create appointments');
  await arrive(page, '/');
  await see(page, '4 appointments are open for booking.');
  await page.goBack();
  await title(page, 'Create Appointments');
  expect(await page.getByLabel('Notes').inputValue()).toBe('');
  expect(await ticked(page)).toEqual([]);
});

test('the week of hours is as it was typed for whoever comes back, from before a preview or after it', async () => {
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
  await monday.fill('07:30');
  await page.getByRole('checkbox', { name: 'Sunday' }).check();
  await leaveAndComeBack();
  await expect.poll(() => monday.inputValue()).toBe('07:30');
  expect(await page.getByRole('checkbox', { name: 'Sunday' }).isChecked()).toBe(true);
  await press(page, 'Show what changes');
  await see(page, 'What will change');
  await leaveAndComeBack();
  await see(page, 'What will change');
  expect(await monday.inputValue()).toBe('07:30');
  await monday.fill('06:00');
  await page.getByLabel('Date 1', { exact: true }).fill('2030-01-07');
  await leaveAndComeBack();
  await expect.poll(() => monday.inputValue()).toBe('06:00');
  await press(page, 'Add a break on every open day');
  await seen(page.getByLabel('Sunday, hours 2, from'));
  expect(await page.getByLabel('Monday, hours 1, from').inputValue()).toBe('06:00');
  expect(await page.getByLabel('Date 1', { exact: true }).inputValue()).toBe('2030-01-07');
});

test('a template is there as it was, loaded anew or come back to', async () => {
  const page = await keepOpen({ as: host });
  await page.goto('/create-template');
  await takenOver(page);
  await page.getByLabel('Title').fill('Kept');
  await press(page, 'Add new question');
  await page.getByLabel('Field name').fill('Why?');
  await press(page, 'Add question');
  const listed = button(page, /^Remove *: Why\?$/);
  await seen(listed);
  await page.reload();
  await seen(listed);
  expect(await page.getByLabel('Title').inputValue()).toBe('Kept');
  await choose(page, 'Home');
  await title(page, 'Today');
  await page.goBack();
  await seen(listed);
  await press(page, 'Submit');
  await arrive(page, '/view-templates');
  await see(page, '1 question');
});

test('passwords are not kept, and nothing of a form is shown to another reader', async () => {
  const page = await open();
  expectConsoleError(/status of 400/);
  await page.goto('/register');
  await takenOver(page);
  await page.getByLabel('Username').fill('ada lovelace');
  await page.getByLabel('Password', { exact: true }).fill('Secret horse 1');
  await press(page, 'Register');
  await see(page, 'Username can have only');
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Secret horse');
  await page.getByLabel('Password', { exact: true }).fill('Secret horse 1');
  await choose(page, 'Login');
  await title(page, 'Login');
  await page.goBack();
  await expect.poll(() => page.getByLabel('Username').inputValue()).toBe('ada lovelace');
  expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('');
  await page.reload();
  await see(page, 'Username can have only');
  expect(await page.getByLabel('Username').inputValue()).toBe('ada lovelace');
  expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('');
  const { browser } = await registerProvider(served);
  const value = browser.cookies.get('daybook') ?? '';
  await page.context().addCookies([{ name: 'daybook', value, url: served.url }]);
  await page.reload();
  await takenOver(page);
  expect(await page.getByLabel('Username').inputValue()).toBe('');
});

test('a form that was open or refused leaves nothing in the tab after a logout, and is shown to no other account', async () => {
  const page = await publication('08:00');
  expectConsoleError(/status of 400/);
  await press(page, 'Create appointments');
  await see(page, 'The end time must be after the start time.');
  const stored = () => page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }));
  expect(await stored()).toContain('Ring twice.');
  await choose(page, 'Logout');
  await title(page, 'Logout');
  await press(page, 'Logout');
  await arrive(page, '/');
  await seen(link(page, 'Register Now'));
  await expect.poll(stored).not.toContain('Ring twice.');
  await page.goBack();
  await arrive(page, '/logout');
  await page.goBack();
  await title(page, 'Not logged in');
  expect(await page.content()).not.toContain('Ring twice.');
  const { browser } = await registerProvider(served);
  const value = browser.cookies.get('daybook') ?? '';
  await page.context().addCookies([{ name: 'daybook', value, url: served.url }]);
  await page.goto('/create');
  await takenOver(page);
  expect(await page.getByLabel('Notes').inputValue()).toBe('');
  expect(await stored()).not.toContain('Ring twice.');
});

describe('a form that stays on its page, saved twice with one thing changed each time, saves both:', () => {
  test('the profile', async () => {
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

  test('the answers of an appointment', async () => {
    const [provider, consumer] = [await registerProvider(served), await registerConsumer(served)];
    const slot = await publishAsking(provider, idOf(await writeTemplate(provider)));
    await bookWith(consumer, slot, intakeAnswers);
    const page = await open({ as: consumer });
    await page.goto(`/details-cancel/${slot.id}`);
    await takenOver(page);
    await page.getByText('Change your answers').click();
    await page.getByRole('radio', { name: 'Left' }).check();
    await page.getByRole('checkbox', { name: 'Rest' }).uncheck();
    await page.getByRole('checkbox', { name: 'Ice & heat' }).check();
    await press(page, 'Save answers');
    await see(page, 'Your answers are saved.');
    await page.getByLabel('What brings you here?').fill('Something else');
    await press(page, 'Save answers');
    await seen(page.getByRole('cell', { name: 'Something else' }));
    const saved = ((await look(consumer, slot)).json as Row).formData;
    const answerTo = (words: string) => saved.find(({ question }) => question.startsWith(words))?.answer;
    expect(answerTo('Which side')).toBe('left');
    expect(answerTo('What have you tried')).not.toContain('rest');
    expect(answerTo('What have you tried')).toContain('ice & heat');
    expect(answerTo('What brings')).toBe('Something else');
  });
});
