import type { Locator, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectConsoleError } from '../support/console';
import { book, dayAhead, publish, publishOne, registerConsumer, registerProvider } from '../support/factories';
import { createMeetup, createParty, rsvp } from '../support/party-factories';
import { useServer } from '../support/use-server';
import { arrive, browsersAt, link, pathOf, press, see, takenOver, title } from './browser';

/* A link to another screen, followed with script: without a new document, by one request. */

const served = useServer();
const { open } = browsersAt(served);

test("a link to another screen asks the server once, and the menu is still the reader's", async () => {
  const page = await open({ as: await registerConsumer(served) });
  await page.goto('/');
  await title(page, 'Home');
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (['document', 'fetch'].includes(request.resourceType())) asked.push(`${pathname} ${searchParams.get('_data')}`);
  });
  const menu = page.getByRole('navigation', { name: 'Main' });
  await menu.getByRole('link', { name: 'Booked' }).click();
  await arrive(page, '/view-booked');
  await menu.getByRole('link', { name: 'Profile' }).click();
  await arrive(page, '/profile');
  expect(asked).toEqual(['/view-booked routes/appointments/booked', '/profile routes/account/profile']);
});

test('without a network the page says so, the menu stays, and the same link works when it is back', async () => {
  const page = await open({ as: await registerConsumer(served) });
  const menu = page.getByRole('navigation', { name: 'Main' });
  const booked = menu.getByRole('link', { name: 'Booked' });
  await page.goto('/');
  await booked.click();
  await arrive(page, '/view-booked');
  await menu.getByRole('link', { name: 'Home' }).click();
  await arrive(page, '/');
  expectConsoleError(/ERR_FAILED|Failed to fetch/);
  await page.route(/_data=/, (route) => route.abort());
  await booked.click();
  await title(page, 'Back in a moment');
  await menu.getByRole('link', { name: 'Profile' }).waitFor();
  await page.unroute(/_data=/);
  await booked.click();
  await title(page, 'Booked appointments');
});

test('what was taken is shown, and a link leads on, where the code of the next screen can not be had any more', async () => {
  const page = await open({ as: await registerProvider(served) });
  await page.goto('/create-party');
  await takenOver(page);
  await page.getByLabel('Title').fill('Garden party');
  await page.getByLabel('Date', { exact: true }).fill('2030-06-01');
  expectConsoleError(/status of 404|Error loading route module|dynamically imported module/);
  const gone = async (name: string) => {
    const was = (route: Route) => route.fulfill({ status: 404, body: 'A new version was deployed.' });
    await page.route(`**/assets/${name}-*.js`, was, { times: 1 });
  };
  await gone('home');
  await press(page, 'Create party');
  await see(page, 'Garden party is ready to be shared.');
  await takenOver(page);
  await gone('profile');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Profile' }).click();
  await title(page, 'Profile');
});

test('a form that could not be sent is sent again with all that was typed', async () => {
  const page = await open({ as: await registerProvider(served) });
  await page.goto('/create-party');
  await page.getByLabel('Title').fill('Garden party');
  await page.getByLabel('Date', { exact: true }).fill('2030-06-01');
  await page.getByLabel('Start time').fill('18:00');
  await page.getByLabel('End time').fill('22:00');
  expectConsoleError(/ERR_FAILED|Failed to fetch/);
  await page.route(/_data=/, (route) => route.abort());
  await press(page, 'Create party');
  await see(page, "We can't be reached from here right now.");
  await see(page, 'Garden party');
  await press(page, 'Try Again?');
  await see(page, 'Garden party is ready to be shared.');
});

test('a form that was answered is not offered again when the network fails later', async () => {
  const slot = await publishOne(await registerProvider(served));
  const page = await open({ as: await registerConsumer(served) });
  await page.goto(`/details/${slot.id}`);
  await book(await registerConsumer(served), slot);
  expectConsoleError(/status of 409/);
  await press(page, 'Book this appointment');
  await see(page, 'This appointment has just been booked by someone else.');
  expectConsoleError(/ERR_FAILED|Failed to fetch/);
  await page.route(/_data=/, (route) => route.abort());
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Booked' }).click();
  await see(page, "We can't be reached from here right now.");
  expect(await page.locator('main form[method=post]').count()).toBe(0);
});

test('a list that could not be fetched says so, and can be tried again', async () => {
  const page = await open({ as: await registerConsumer(served) });
  const booked = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Booked' });
  await page.goto('/view-booked');
  await page.getByRole('link', { name: 'Home' }).click();
  await arrive(page, '/');
  expectConsoleError(/ERR_FAILED|Failed to fetch/);
  await page.route(/_data=/, (route) => route.abort());
  await booked.click();
  await see(page, 'No Appointments');
  await press(page, 'Try Again?');
  await title(page, 'Booked appointments');
});

test('what takes long is seen to be under way, and reading then begins at the title of the new page', async () => {
  await publishOne(await registerProvider(served, { location: 'Slowtown' }));
  const page = await open({ as: await registerConsumer(served) });
  await page.goto('/view');
  await page.route(/_data=/, async (route) => {
    await new Promise((resume) => setTimeout(resume, 1000));
    await route.continue();
  });
  await link(page, 'Slowtown').click();
  await page.getByRole('progressbar', { name: 'Loading' }).waitFor();
  await see(page, 'Who in Slowtown?');
  await page.getByRole('progressbar').waitFor({ state: 'detached' });
  await page.waitForFunction(() => document.activeElement?.localName === 'h1');
});

test('times that were fetched ahead are shown to whoever fetched them only', async () => {
  const host = await registerProvider(served);
  await publish(host, { start: '08:00', end: '20:00', dates: [dayAhead(5)] }, 'len=15');
  const page = await open({ as: await registerConsumer(served) });
  const ahead = page.waitForResponse((response) => response.url().includes('page=2') && response.ok());
  await page.goto(`/view?provider=${host.username}&dates=${dayAhead(5)}`);
  await ahead;
  const next = `${await link(page, 'Next page').getAttribute('href')}`;
  await page.getByRole('link', { name: 'Profile' }).click();
  await page.getByText('Edit profile').click();
  await page.getByLabel('Full name or company name').fill('Renamed Reader');
  await press(page, 'Save profile');
  await see(page, 'Welcome, Renamed Reader');
  await page.evaluate((href) => {
    const later = document.createElement('a');
    later.href = href;
    document.getElementById('content')?.appendChild(later);
    later.click();
  }, next);
  await see(page, 'Page 2');
  await see(page, 'Welcome, Renamed Reader');
});

test('nothing is fetched ahead for whoever saves data', async () => {
  const host = await registerProvider(served);
  await publish(host, { start: '08:00', end: '20:00', dates: [dayAhead(5)] }, 'len=15');
  const page = await open({ as: await registerConsumer(served) });
  await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }));
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).searchParams.get('page') ?? ''));
  await page.goto(`/view?provider=${host.username}&dates=${dayAhead(5)}`);
  await takenOver(page);
  // The browser is idle only when it has nothing else to do; the network then gets half a second.
  await page.waitForTimeout(500);
  expect(asked.filter(Boolean)).toEqual([]);
  await link(page, 'Next page').click();
  await see(page, 'Page 2');
  expect(asked.filter(Boolean)[0]).toBe('1');
});

test('a form that stays on the page is empty again when it was taken', async () => {
  const host = await registerProvider(served);
  const meetup = await createMeetup(host, { attendees: ['Ada'] });
  const page = await open({ as: host });
  await page.goto(`/manage-meetup/${meetup.id}`);
  await page.getByText('Add names').first().click();
  await page.getByRole('textbox', { name: 'Names' }).fill('Cid');
  await press(page, 'Add names');
  await see(page, 'Cid');
  await page.waitForFunction(() => document.querySelector('textarea')?.value === '');
});

test("a guest's letter is opened as a document of its own", async () => {
  const host = await registerProvider(served);
  const guest = await registerConsumer(served);
  const party = await createParty(host, { title: 'Lantern night' });
  await rsvp(guest, party, { accepted: 'true' });
  const page = await open({ as: guest });
  await page.goto('/invitations');
  const opened = page.waitForRequest((request) => request.isNavigationRequest());
  await page.getByRole('link', { name: 'Lantern night' }).click();
  expect(new URL((await opened).url()).pathname).toBe(`/party/${party.id}`);
  await title(page, "You're Invited!");
});

test.each<[string, Parameters<Locator['click']>[0]]>([
  ['a click with Ctrl', { modifiers: ['Control'] }],
  ['a click with Shift', { modifiers: ['Shift'] }],
  ['a middle click', { button: 'middle' }],
])('%s opens a page beside this one, which stays as it is', async (_, how) => {
  const page = await open({ as: await registerProvider(served) });
  await page.goto('/create-party');
  await takenOver(page);
  await page.getByLabel('Title').fill('Half a ti');
  const [beside] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Profile' }).click(how),
  ]);
  await arrive(beside, '/profile');
  await title(beside, 'Profile');
  expect([pathOf(page), await page.getByLabel('Title').inputValue()]).toEqual(['/create-party', 'Half a ti']);
});

test('a click with Alt saves what the link leads to, and the page stays as it is', async () => {
  const page = await open({ as: await registerConsumer(served) });
  await page.goto('/profile');
  await takenOver(page);
  const booked = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Booked' });
  const [saved] = await Promise.all([page.waitForEvent('download'), booked.click({ modifiers: ['Alt'] })]);
  expect([new URL(saved.url()).pathname, pathOf(page)]).toEqual(['/view-booked', '/profile']);
});

test('a file is saved by a plain click, and the page stays as it is', async () => {
  const host = await registerProvider(served);
  const party = await createParty(host);
  await rsvp(await registerConsumer(served), party);
  const page = await open({ as: host });
  await page.goto(`/view-party/${party.id}`);
  await takenOver(page);
  const file = page.locator('a[href$=".csv"]');
  const [saved] = await Promise.all([page.waitForEvent('download'), file.click()]);
  expect([saved.suggestedFilename(), pathOf(page)]).toEqual([
    expect.stringMatching(/\.csv$/),
    `/view-party/${party.id}`,
  ]);
});

test('while a party is on its way the page says so, and nothing moves', async () => {
  const [host, maya] = await Promise.all([registerProvider(served), registerConsumer(served)]);
  const party = await createParty(host);
  await rsvp(maya, party);
  const page = await open({ as: maya });
  await page.goto('/invitations');
  await takenOver(page);
  // Nothing asks a page on its way out: it notes by itself what it says then, and where the link stands.
  await page.evaluate(() => {
    const place = () => JSON.stringify(document.querySelector('main li a')?.getBoundingClientRect());
    const before = place();
    new MutationObserver(() => {
      const said = document.querySelector('body > [role=status]')?.textContent;
      if (said) sessionStorage.setItem('said', JSON.stringify([said, place() === before]));
    }).observe(document.body, { childList: true });
  });
  await page.getByRole('link', { name: 'Garden party' }).click();
  await title(page, "You're Invited!");
  expect(JSON.parse((await page.evaluate(() => sessionStorage.getItem('said'))) ?? '[]')).toEqual(['Loading...', true]);
  expect(await page.getByText('Loading...').count()).toBe(0);
  await page.goBack();
  await title(page, 'My invitations');
  expect(await page.getByText('Loading...').count()).toBe(0);
});

test.each([
  ['<h1>Bad gateway</h1>', 'text/html', '<h1>Bad gateway</h1>'],
  ['{"error":"overloaded"}', 'application/json', '{"error":"overloaded"}'],
  ['', 'text/plain', 'The answer was empty.'],
])('a registration that somebody on the way answers with %j shows what came', async (body, contentType, shown) => {
  const page = await open();
  expectConsoleError(/status of 502/);
  await page.goto('/register');
  await takenOver(page);
  await page.getByLabel('Full name or company name').fill('Maya');
  await page.route(/\/register\?.*_data=/, (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 502, contentType, body }) : route.continue(),
  );
  await press(page, 'Register');
  const dialog = page.getByRole('dialog', { name: 'Invalid Password' });
  await dialog.getByText(shown, { exact: true }).waitFor();
  expect(await page.getByLabel('Full name or company name').inputValue()).toBe('Maya');
});
