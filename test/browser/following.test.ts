import { expect, test } from 'vitest';
import { expectConsoleError } from '../support/console';
import { registerConsumer } from '../support/factories';
import { useServer } from '../support/use-server';
import { arrive, browsersAt, title } from './browser';

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
  await title(page, 'Something went wrong');
  await menu.getByRole('link', { name: 'Profile' }).waitFor();
  await page.unroute(/_data=/);
  await booked.click();
  await title(page, 'Booked appointments');
});
