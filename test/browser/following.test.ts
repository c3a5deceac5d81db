import type { Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectConsoleError } from '../support/console';
import { dayAhead, publish, publishOne, registerConsumer, registerProvider } from '../support/factories';
import { createParty, rsvp } from '../support/party-factories';
import { useServer, useWorld } from '../support/use-server';
import { arrive, browsersAt, link, pathOf, press, see, takenOver, title, writeParty } from './browser';

/* A link to another screen, followed with script: without a new document, by one request. */

const served = useServer();
const { open, openShared } = browsersAt(served);
const { host, maya } = useWorld(served, { host: {}, maya: {} });

const inMenu = (page: Page, name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });

const isCutOff = /ERR_FAILED|Failed to fetch/;
const cutOff = (page: Page) => page.route(/_data=/, (route) => route.abort());
const reconnect = (page: Page) => page.unroute(/_data=/);

test('a link to another screen asks the server once', async () => {
  const page = await openShared({ as: maya });
  await page.goto('/');
  await takenOver(page);
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (['document', 'fetch'].includes(request.resourceType())) asked.push(`${pathname} ${searchParams.get('_data')}`);
  });

  await inMenu(page, 'Booked').click();
  await arrive(page, '/view-booked');
  await inMenu(page, 'Profile').click();
  await arrive(page, '/profile');

  expect(asked).toEqual(['/view-booked routes/appointments/booked', '/profile routes/account/profile']);
  page.removeAllListeners('request');
});

/** A screen that could not be had, because the network was gone. */
async function screenWithoutNetwork(): Promise<Page> {
  const page = await open({ as: maya });
  await page.goto('/profile');
  await takenOver(page);
  expectConsoleError(isCutOff);
  await cutOff(page);
  await inMenu(page, 'Booked').click();
  await title(page, 'Back in a moment');
  return page;
}

test('without a network the menu is still the reader’s', async () => {
  const page = await screenWithoutNetwork();

  await see(page, 'No Appointments');
  await inMenu(page, 'Profile').waitFor();
});

test('a screen that could not be had is asked for again by one press', async () => {
  const page = await screenWithoutNetwork();

  await press(page, 'Try Again?');

  await title(page, 'Booked appointments');
});

/** Takes the code of a screen from the server, as a new version does. */
async function takeCodeOf(page: Page, screen: string): Promise<void> {
  expectConsoleError(/status of 404|Error loading route module|dynamically imported module/);
  const respond = (route: Route) => route.fulfill({ status: 404, body: 'A new version was deployed.' });
  await page.route(`**/assets/${screen}-*.js`, respond, { times: 1 });
}

test('what was taken is shown, though the code of its screen is gone', async () => {
  const page = await openShared({ as: host });
  await writeParty(page);
  await takeCodeOf(page, 'home');

  await press(page, 'Create party');

  await see(page, 'Garden party is ready to be shared.');
});

test('a link leads on, though the code of its screen is gone', async () => {
  const page = await openShared({ as: host });
  await page.goto('/');
  await takenOver(page);
  await takeCodeOf(page, 'profile');

  await inMenu(page, 'Profile').click();

  await title(page, 'Profile');
});

test('a form that could not be sent is sent again with all that was typed', async () => {
  const page = await openShared({ as: host });
  await writeParty(page);
  expectConsoleError(isCutOff);
  await cutOff(page);
  await press(page, 'Create party');
  await see(page, "We can't be reached from here right now.");

  await press(page, 'Try Again?');

  await see(page, 'Garden party is ready to be shared.');
  await reconnect(page);
});

test('what takes long is seen to be under way', async () => {
  await publishOne(await registerProvider(served, { location: 'Slowtown' }));
  const page = await open({ as: maya });
  await page.goto('/view');
  await page.route(/_data=/, async (route) => {
    await new Promise((resume) => setTimeout(resume, 1000));
    await route.continue();
  });

  await link(page, 'Slowtown').click();

  await page.getByRole('progressbar', { name: 'Loading' }).waitFor();
  await see(page, 'Who in Slowtown?');
  await page.getByRole('progressbar').waitFor({ state: 'detached' });
});

test('times that were fetched ahead are shown to whoever fetched them only', async () => {
  const provider = await registerProvider(served);
  await publish(provider, { start: '08:00', end: '20:00', dates: [dayAhead(5)] }, 'len=15');
  const page = await open({ as: await registerConsumer(served) });
  const ahead = page.waitForResponse((response) => response.url().includes('page=2') && response.ok());
  await page.goto(`/view?provider=${provider.username}&dates=${dayAhead(5)}`);
  await ahead;
  const next = `${await link(page, 'Next page').getAttribute('href')}`;
  await inMenu(page, 'Profile').click();
  await page.getByText('Edit profile').click();
  await page.getByLabel('Full name or company name').fill('Renamed Reader');
  await press(page, 'Save profile');
  await see(page, 'Welcome, Renamed Reader');

  await page.evaluate((href) => {
    const later = Object.assign(document.createElement('a'), { href });
    document.getElementById('content')?.appendChild(later);
    later.click();
  }, next);

  await see(page, 'Page 2');
  await see(page, 'Welcome, Renamed Reader');
});

test('a click with a key opens a page beside this one, which stays as it is', async () => {
  const page = await openShared({ as: host });
  await writeParty(page);

  const [beside] = await Promise.all([
    page.context().waitForEvent('page'),
    inMenu(page, 'Profile').click({ modifiers: ['Control'] }),
  ]);

  await title(beside, 'Profile');
  await beside.close();
  expect(pathOf(page)).toBe('/create-party');
  expect(await page.getByLabel('Title').inputValue()).toBe('Garden party');
});

test('a file is saved without leaving the page', async () => {
  const party = await createParty(host);
  await rsvp(maya, party);
  const page = await openShared({ as: host });
  await page.goto(`/view-party/${party.id}`);
  await takenOver(page);

  const [saved] = await Promise.all([page.waitForEvent('download'), page.locator('a[href$=".csv"]').click()]);

  expect(saved.suggestedFilename()).toMatch(/\.csv$/);
  expect(pathOf(page)).toBe(`/view-party/${party.id}`);
});

/** Sends a registration that somebody on the way to the server answers. */
async function registerThrough(body: string): Promise<Page> {
  const page = await openShared();
  expectConsoleError(/status of 502/);
  await page.goto('/register');
  await takenOver(page);
  await page.getByLabel('Full name or company name').fill('Maya');
  const respond = (route: Route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 502, contentType: 'text/html', body })
      : route.continue();
  await page.route(/\/register\?.*_data=/, respond, { times: 1 });
  await press(page, 'Register');
  return page;
}

test.each([
  ['with a page', '<h1>Bad gateway</h1>', '<h1>Bad gateway</h1>'],
  ['with nothing', '', 'The answer was empty.'],
])('an answer of somebody on the way, %s, is shown', async (_, body, words) => {
  const page = await registerThrough(body);

  const dialog = page.getByRole('dialog', { name: 'Invalid Password' });
  await dialog.getByText(words, { exact: true }).waitFor();
});

test('a form that somebody on the way answers keeps what was typed', async () => {
  const page = await registerThrough('<h1>Bad gateway</h1>');

  const dialog = page.getByRole('dialog', { name: 'Invalid Password' });
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });

  expect(await page.getByLabel('Full name or company name').inputValue()).toBe('Maya');
});
