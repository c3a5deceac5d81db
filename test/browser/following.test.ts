import type { Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectConsoleError } from '../support/console';
import { dayAhead, publish, publishOne, registerConsumer, registerProvider } from '../support/factories';
import { createParty, rsvp } from '../support/party-factories';
import { useServer, useWorld } from '../support/use-server';
import { arrive, browsersAt, link, pathOf, press, see, takenOver, title, writeParty } from './browser';

/* A link to another screen, followed with script: without a new document, by one request. */

const served = useServer();
const { open, keepOpen } = browsersAt(served);
const { host, maya } = useWorld(served, { host: {}, maya: {} });

const inMenu = (page: Page, name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });
const isCutOff = /ERR_FAILED|Failed to fetch/;
const cutOff = (page: Page) => page.route(/_data=/, (route) => route.abort());
const reconnect = (page: Page) => page.unroute(/_data=/);

test('a link to another screen asks the server once, and the menu is still the reader’s, without a network too', async () => {
  const page = await keepOpen({ as: maya });
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

  expectConsoleError(isCutOff);
  await cutOff(page);
  await inMenu(page, 'Booked').click();
  await title(page, 'Back in a moment');
  await see(page, 'No Appointments');
  await inMenu(page, 'Profile').waitFor();
  await press(page, 'Try Again?');
  await title(page, 'Booked appointments');
  await reconnect(page);
});

test('what was taken is shown, and a link leads on, where the code of the next screen can not be had any more', async () => {
  const page = await keepOpen({ as: host });
  await writeParty(page);
  expectConsoleError(/status of 404|Error loading route module|dynamically imported module/);
  const gone = (name: string) => {
    const was = (route: Route) => route.fulfill({ status: 404, body: 'A new version was deployed.' });
    return page.route(`**/assets/${name}-*.js`, was, { times: 1 });
  };
  await gone('home');
  await press(page, 'Create party');
  await see(page, 'Garden party is ready to be shared.');
  await takenOver(page);
  await gone('profile');
  await inMenu(page, 'Profile').click();
  await title(page, 'Profile');
});

test('a form that could not be sent is sent again with all that was typed', async () => {
  const page = await keepOpen({ as: host });
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

test('a click with a key opens a page beside this one, and a file is saved, and the page stays as it is', async () => {
  const page = await keepOpen({ as: host });
  await writeParty(page);
  const [beside] = await Promise.all([
    page.context().waitForEvent('page'),
    inMenu(page, 'Profile').click({ modifiers: ['Control'] }),
  ]);
  await title(beside, 'Profile');
  await beside.close();
  expect([pathOf(page), await page.getByLabel('Title').inputValue()]).toEqual(['/create-party', 'Garden party']);
  const party = await createParty(host);
  await rsvp(maya, party);
  await page.goto(`/view-party/${party.id}`);
  await takenOver(page);
  const file = page.locator('a[href$=".csv"]');
  const [saved] = await Promise.all([page.waitForEvent('download'), file.click()]);
  expect([saved.suggestedFilename(), pathOf(page)]).toEqual([
    expect.stringMatching(/\.csv$/),
    `/view-party/${party.id}`,
  ]);
});

test('a registration that somebody on the way answers shows what came, and keeps what was typed', async () => {
  const page = await keepOpen();
  expectConsoleError(/status of 502/);
  await page.goto('/register');
  await takenOver(page);
  const name = page.getByLabel('Full name or company name');
  await name.fill('Maya');
  for (const [body, shown] of [
    ['<h1>Bad gateway</h1>', '<h1>Bad gateway</h1>'],
    ['', 'The answer was empty.'],
  ] as const) {
    const answer = (route: Route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 502, contentType: 'text/html', body })
        : route.continue();
    await page.route(/\/register\?.*_data=/, answer, { times: 1 });
    await press(page, 'Register');
    const dialog = page.getByRole('dialog', { name: 'Invalid Password' });
    await dialog.getByText(shown, { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await name.inputValue()).toBe('Maya');
  }
});
