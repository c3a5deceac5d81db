import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectConsoleError } from '../support/console';
import { password, registerProvider } from '../support/factories';
import { useServer, useWorld } from '../support/use-server';
import {
  arrive,
  browsersAt,
  choose,
  delayScripts,
  follow,
  link,
  press,
  see,
  takenOver,
  title,
  untilSeen,
} from './browser';
import { chooseDays, dayOf, fullName, ticked, turnTo } from './calendar';
import { addQuestion, line } from './questions';

/* With scripts on; without them the browser does the same by itself. */

const served = useServer();
const { openShared } = browsersAt(served);
const { host } = useWorld(served, { host: {} });

const first = dayOf(1, 10);
const second = dayOf(2, 5);

/** A publication on two days in two months, of which the end time is wrong. */
async function refusedPublication(): Promise<Page> {
  const page = await openShared({ as: await registerProvider(served) });
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

/** Follows the link to the questions, and goes back from there to the page with this title. */
async function leaveAndComeBack(page: Page, name: string): Promise<void> {
  await follow(page, 'Write questions');
  await title(page, 'Create Template');
  await page.goBack();
  await title(page, name);
}

/** Somebody else logs in, in another tab. */
async function logInElsewhere(page: Page): Promise<void> {
  const { browser } = await registerProvider(served);
  const value = browser.cookies.get('daybook') ?? '';
  await page.context().addCookies([{ name: 'daybook', value, url: served.url }]);
}

/** All that the page has stored in the browser. */
const storedBy = (page: Page) => page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }));

test('a refused form is there after a reload', async () => {
  const page = await refusedPublication();

  await page.reload();

  await see(page, 'The end time must be after the start time.');
  await requireAnswers(page, '08:00');
});

test('what was changed in a refused form is there for whoever comes back', async () => {
  const page = await refusedPublication();
  await page.getByLabel('Range end time').fill('10:00');

  await leaveAndComeBack(page, 'Create Appointments');

  await requireAnswers(page, '10:00');
});

test('what is changed in a refused form while its page still loads is there for whoever comes back', async () => {
  const page = await openShared({ as: await registerProvider(served) });
  await page.goto('/create');
  await takenOver(page);
  await page.route(/_data=/, async (route) => {
    if (route.request().method() === 'GET') await new Promise((resume) => setTimeout(resume, 1000));
    await route.continue();
  });
  expectConsoleError(/status of 400/);
  await press(page, 'Create appointments');
  await see(page, 'There is a problem');

  await page.getByLabel('Notes').fill('Ring twice.');
  await loaded(page);
  await leaveAndComeBack(page, 'Create Appointments');

  await expect.poll(() => page.getByLabel('Notes').inputValue()).toBe('Ring twice.');
});

test('a refused form can be corrected after coming back', async () => {
  const page = await refusedPublication();
  await page.getByLabel('Range end time').fill('10:00');
  await leaveAndComeBack(page, 'Create Appointments');
  await expect.poll(() => page.getByLabel('Range end time').inputValue()).toBe('10:00');

  await press(page, 'Create appointments');

  await see(page, '4 appointments are open for booking.');
});

describe('of what opens an account the tab keeps nothing', () => {
  test('a key that is made, though its form was refused and kept before', async () => {
    const page = await openShared({ as: await registerProvider(served) });
    await page.goto('/keys');
    await takenOver(page);
    await page.getByLabel('What it may do').selectOption('write');
    expectConsoleError(/status of 400/);
    await press(page, 'Make the key');
    await see(page, 'There is a problem');
    await choose(page, 'News');
    await title(page, 'News');
    await page.goBack();
    await expect.poll(() => page.getByLabel('What it may do').inputValue()).toBe('write');
    await page.getByLabel('Name').fill('The till');
    await page.getByLabel('Current password', { exact: true }).fill(password);
    await press(page, 'Make the key');
    await see(page, 'Copy it into your program now');

    const key = await page.getByLabel('Key', { exact: true }).inputValue();

    expect(key).not.toBe('');
    expect(await storedBy(page)).not.toContain(key);
  });

  test('a code that was typed', async () => {
    const page = await openShared({ as: await registerProvider(served) });
    await page.goto('/second-factor');
    await takenOver(page);
    await page.getByLabel('Code').fill('ABCDE-23456');
    expectConsoleError(/status of 400/);
    await press(page, 'Turn it on');
    await see(page, 'There is a problem');
    await choose(page, 'News');
    await title(page, 'News');

    const stored = await storedBy(page);

    expect(stored).toContain('second-factor');
    expect(stored).not.toContain('ABCDE');
  });
});

test('Enter in a field publishes, though the button of a month comes first', async () => {
  const page = await openShared({ as: await registerProvider(served) });
  await page.goto('/create');
  await takenOver(page);
  await chooseDays(page, first);

  await page.getByLabel('Length in minutes').press('Enter');

  await arrive(page, '/');
  await see(page, /appointments? (is|are) open for booking/);
});

test('a form that was taken is blank for whoever comes back', async () => {
  const page = await refusedPublication();
  await page.getByLabel('Range end time').fill('10:00');
  await press(page, 'Create appointments');
  await arrive(page, '/');

  await page.goBack();

  await title(page, 'Create Appointments');
  expect(await page.getByLabel('Notes').inputValue()).toBe('');
  expect(await ticked(page)).toEqual([]);
});

/** The page of the hours, on which Sunday is ticked and not saved. */
async function hoursWithSunday(): Promise<Page> {
  const page = await openShared({ as: host });
  await page.goto('/hours');
  await takenOver(page);
  await page.getByRole('checkbox', { name: 'Sunday' }).check();
  return page;
}

test('a day ticked in the week of hours is ticked for whoever comes back', async () => {
  const page = await hoursWithSunday();

  await leaveAndComeBack(page, 'Hours');

  expect(await page.getByRole('checkbox', { name: 'Sunday' }).isChecked()).toBe(true);
});

test('a preview of the hours is there for whoever comes back', async () => {
  const page = await hoursWithSunday();
  await press(page, 'Show what changes');
  await see(page, 'What will change');

  await leaveAndComeBack(page, 'Hours');

  await see(page, 'What will change');
});

test('what is typed beside a preview of the hours is there for whoever comes back', async () => {
  const page = await hoursWithSunday();
  await press(page, 'Show what changes');
  await see(page, 'What will change');
  await page.getByLabel('Monday, from').fill('06:00');

  await leaveAndComeBack(page, 'Hours');

  await see(page, 'What will change');
  await expect.poll(() => page.getByLabel('Monday, from').inputValue()).toBe('06:00');
});

test('a half-written template is there after a reload', async () => {
  const page = await openShared({ as: host });
  await page.goto('/create-template');
  await takenOver(page);
  await page.getByLabel('Title').fill('Kept');
  await addQuestion(page, { questionText: 'Why?' });

  await page.reload();

  await untilSeen(line(page, 'Why?'));
  expect(await page.getByLabel('Title').inputValue()).toBe('Kept');
});

/** A registration that was refused, and left for the login with a new password in it. */
async function leftRegistration(): Promise<Page> {
  const page = await openShared();
  expectConsoleError(/status of 400/);
  await page.goto('/register');
  await takenOver(page);
  const word = page.getByLabel('Password', { exact: true });
  await page.getByLabel('Username').fill('ada lovelace');
  await word.fill('Secret horse 1');
  await press(page, 'Register');
  await see(page, 'Username can have only');
  await word.fill('Secret horse 1');
  await choose(page, 'Login');
  await title(page, 'Login');
  return page;
}

test('a typed password is not stored in the browser', async () => {
  const page = await leftRegistration();

  expect(await storedBy(page)).not.toContain('Secret horse');
});

test('a typed password is not there for whoever comes back', async () => {
  const page = await leftRegistration();

  await page.goBack();

  await expect.poll(() => page.getByLabel('Username').inputValue()).toBe('ada lovelace');
  expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('');
});

test('what a stranger typed is not shown to an account that has logged in since', async () => {
  const page = await leftRegistration();
  await page.goBack();
  await expect.poll(() => page.getByLabel('Username').inputValue()).toBe('ada lovelace');

  await logInElsewhere(page);
  await page.reload();
  await takenOver(page);

  expect(await page.getByLabel('Username').inputValue()).toBe('');
});

/** Logs out by the menu. */
async function logOut(page: Page): Promise<void> {
  await choose(page, 'Logout');
  await press(page, 'Logout');
  await untilSeen(link(page, 'Register Now'));
}

test('a refused form leaves nothing in the browser after a logout', async () => {
  const page = await refusedPublication();
  expect(await storedBy(page)).toContain('Ring twice.');

  await logOut(page);

  await expect.poll(() => storedBy(page)).not.toContain('Ring twice.');
});

test('going back after a logout does not show a form that was refused before', async () => {
  const page = await refusedPublication();
  await logOut(page);

  await page.goBack();
  await arrive(page, '/logout');
  await page.goBack();

  await title(page, 'Not logged in');
  expect(await page.content()).not.toContain('Ring twice.');
});

test('a refused form is not shown to another account in the same tab', async () => {
  const page = await refusedPublication();

  await logInElsewhere(page);
  await page.goto('/create');
  await takenOver(page);

  expect(await page.getByLabel('Notes').inputValue()).toBe('');
  await expect.poll(() => storedBy(page)).not.toContain('Ring twice.');
});

test('a form that stays on its page, saved twice with one thing changed each time, saves both', async () => {
  const page = await openShared({ as: host });
  await page.goto('/profile');
  await takenOver(page);
  await page.getByText('Edit profile').click();
  await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
  await press(page, 'Save profile');
  await see(page, 'Your profile is saved.');
  await expect.poll(() => page.getByLabel('Time zone').inputValue()).toBe('Asia/Tokyo');

  await page.getByLabel('Description').fill('Two chairs');
  await press(page, 'Save profile');
  await untilSeen(page.locator('dd').getByText('Two chairs'));

  const { json } = await host.api('GET', '/api/Account/Profile');
  expect(json).toMatchObject({ timeZone: 'Asia/Tokyo', description: 'Two chairs' });
});

/** Holds each answer to a form for half a second. */
const slowAnswers = (page: Page) =>
  page.route(/_data=/, async (route) => {
    if (route.request().method() === 'POST') await new Promise((resume) => setTimeout(resume, 500));
    await route.continue().catch(() => undefined);
  });

/** The page of the hours of a new provider, whose answers are slow. */
async function slowHours(): Promise<Page> {
  const page = await openShared({ as: await registerProvider(served) });
  await page.goto('/hours');
  await takenOver(page);
  await slowAnswers(page);
  return page;
}

/** Waits until all of the page is there: a button that is pressed before does nothing. */
const loaded = (page: Page) => page.getByRole('progressbar').waitFor({ state: 'detached' });

const notes = (page: Page) => page.getByLabel('Notes').inputValue();

test('what is typed while a preview is asked for is there for whoever leaves before it comes', async () => {
  const page = await slowHours();
  await press(page, 'Show what changes');
  await page.getByLabel('Notes').fill('Ring twice.');

  await leaveAndComeBack(page, 'Hours');

  await expect.poll(() => notes(page)).toBe('Ring twice.');
});

test('what is typed while a preview is asked for stays beside it, with the focus', async () => {
  const page = await slowHours();
  await press(page, 'Show what changes');
  await page.getByLabel('Notes').fill('Ring');

  await see(page, 'What will change');
  await page.keyboard.type(' twice.');

  expect(await notes(page)).toBe('Ring twice.');
});

test('what is typed into hours stays with them while those before them are removed', async () => {
  const page = await slowHours();
  await press(page, /^Add a break\W+Monday$/);
  await page.getByLabel('Monday, hours 2, to').waitFor();
  await loaded(page);
  await press(page, /^Remove\W+Monday, hours 1$/);
  await page.getByLabel('Monday, hours 2, to').fill('19:30');

  await expect.poll(() => page.getByLabel('Monday, to', { exact: true }).inputValue()).toBe('19:30');
});

test('days of two months are there for whoever loads the page again, leaves it and comes back', async () => {
  const page = await openShared({ as: host });
  await page.goto('/create');
  await takenOver(page);
  await chooseDays(page, first, second);
  await page.reload();
  await takenOver(page);

  await leaveAndComeBack(page, 'Create Appointments');

  await expect.poll(() => ticked(page)).toEqual([fullName(second)]);
  await turnTo(page, first);
  expect(await ticked(page)).toEqual([fullName(first)]);
});

test('a choice that is taken back while the form is sent stays taken back', async () => {
  const page = await openShared({ as: host });
  await page.goto('/create-party');
  await takenOver(page);
  await slowAnswers(page);
  const openTo = page.getByLabel('Who may answer');
  const before = await openTo.inputValue();
  await openTo.selectOption('anyone');
  expectConsoleError(/status of 400/);
  await press(page, 'Create party');
  await openTo.selectOption(before);

  await see(page, 'There is a problem');
  await loaded(page);

  expect(await openTo.inputValue()).toBe(before);
});

test('what is typed into a range stays with it while one before it is removed', async () => {
  const page = await openShared({ as: host });
  await page.goto('/create');
  await takenOver(page);
  await slowAnswers(page);
  await press(page, 'Add a range');
  await page.getByLabel('Range 2 end time').waitFor();
  await loaded(page);
  await press(page, 'Remove range 1');
  await page.getByLabel('Range 2 end time').fill('19:30');

  await expect.poll(() => page.getByLabel('Range end time').inputValue()).toBe('19:30');
});

test('a form that could not be sent is there for whoever loads its page again', async () => {
  const page = await openShared({ as: host });
  await page.goto('/create');
  await takenOver(page);
  await page.getByLabel('Notes').fill('Ring twice.');
  expectConsoleError(/ERR_INTERNET_DISCONNECTED/);
  await page.context().setOffline(true);
  await press(page, 'Create appointments');
  await see(page, "We can't be reached from here right now.");
  await page.context().setOffline(false);

  await page.reload();

  await expect.poll(() => notes(page)).toBe('Ring twice.');
});

test('what is typed while rules are saved stays, and is saved next', async () => {
  const provider = await registerProvider(served);
  const page = await openShared({ as: provider });
  await page.goto('/rules');
  await takenOver(page);
  await slowAnswers(page);
  const perDay = page.getByLabel('Appointments of a day');
  await page.getByLabel('Coming appointments of one person').fill('3');
  await press(page, 'Save rules');
  await perDay.fill('8');

  await see(page, 'Your rules are saved.');
  expect(await perDay.inputValue()).toBe('8');
  await press(page, 'Save rules');

  const saved = async () => (await provider.api('GET', '/api/Account/GetRules')).json;
  await expect.poll(saved).toMatchObject({ perPerson: 3, perDay: 8 });
});

test('what is selected while a card is saved stays selected, so that the next letter takes its place', async () => {
  const { id } = (await host.api('POST', '/api/People/Create', { name: 'Wanda Ek' })).json as { id: string };
  const page = await openShared({ as: host });
  await page.goto(`/people/${id}`);
  await takenOver(page);
  await slowAnswers(page);
  await page.getByText('Edit this card').click();
  const note = page.getByLabel('Note');
  await note.fill('Ring once.');
  await press(page, 'Save card');
  await note.fill('Ring twice.');
  await note.evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(5, 10));

  await see(page, 'The card is saved.');
  await note.press('t');

  expect(await note.inputValue()).toBe('Ring t.');
});

test('a title and a question that no button was pressed for are there for whoever comes back', async () => {
  const page = await openShared({ as: host });
  await page.goto('/create-template');
  await takenOver(page);
  await addQuestion(page, { questionText: 'Why?' });
  await press(page, 'Add new question');
  await page.getByLabel('Field name').fill('How long?');
  await page.getByLabel('Title').fill('First visit');

  await choose(page, 'News');
  await title(page, 'News');
  await page.goBack();

  await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('First visit');
  expect(await page.getByLabel('Field name').inputValue()).toBe('How long?');
  await untilSeen(line(page, 'Why?'));
});

test('what was answered to a form is there though the browser has forgotten what the form held', async () => {
  const provider = await registerProvider(served);
  await provider.api('PUT', '/api/Account/SetProfile', { description: 'Ring twice.' });
  const page = await openShared({ as: provider });
  await page.goto('/profile');
  await takenOver(page);
  await page.getByText('Edit profile').click();
  await page.getByLabel('Description').fill('Two chairs.');
  await press(page, 'Other time zones');
  await page.getByRole('option', { name: 'Asia/Dubai' }).waitFor({ state: 'attached' });
  // Then the browser fills in nothing when the page is loaded again, as where it is loaded while a response comes.
  await page.locator('form:has([name=description])').evaluate((form: HTMLFormElement) => {
    form.autocomplete = 'off';
  });

  await page.reload();
  await takenOver(page);

  await expect.poll(() => page.getByLabel('Description').inputValue()).toBe('Two chairs.');
});

test('what is typed before the scripts come is there for whoever comes back', async () => {
  const page = await openShared({ as: host });
  const letScriptsCome = await delayScripts(page);
  await page.goto('/create', { waitUntil: 'commit' });
  await page.getByLabel('Notes').fill('Ring twice.');
  letScriptsCome();
  await takenOver(page);

  await leaveAndComeBack(page, 'Create Appointments');

  await expect.poll(() => notes(page)).toBe('Ring twice.');
});

test('what is typed after an answer is there for whoever comes back from another document', async () => {
  const page = await refusedPublication();
  await page.getByLabel('Notes').fill('Two chairs');

  await page.goto('/api');
  await page.goBack();
  await takenOver(page);

  await expect.poll(() => notes(page)).toBe('Two chairs');
});
