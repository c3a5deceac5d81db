import { describe, expect, test } from 'vitest';
import { look, password, publish, type Row } from '../support/factories';
import { testFirst } from '../support/matrix';
import { useServer, useWorld } from '../support/use-server';
import { arrive, browsersAt, follow, pathOf, phone, press, see, seen, title } from './browser';
import { dayOf, wire } from './calendar';
import { noScriptsFirst } from './ways';

/* The jobs of every day on a phone, in as few taps as was promised. To type into a field that is there is no tap. */

const served = useServer();
const { karla } = useWorld(served, { karla: {} });
const { open } = browsersAt(served);

let tries = 0;

describe.each(noScriptsFirst)('with scripts %s, on a phone', (_, script) => {
  test('a stranger books in three screens and four taps, and moves and cancels by the link on another device', async () => {
    const slots = await publish(karla, { dates: [wire(dayOf(1, 10))], start: '09:00', end: '10:30' });
    const [first, second] = slots as [Row, Row];
    const page = await open({ script, viewport: phone });
    await page.goto(`/with/${karla.username}`);
    await page.locator(`.slots a[href$="${first.id}"]`).click();
    await page.getByLabel('Your name').fill('Zoë');
    await press(page, 'Book');
    await see(page, 'Booked for Zoë.');
    const shown = page.locator('[data-link]');
    const address = (await shown.textContent()) ?? '';
    expect(address).toBe(`${served.url}${pathOf(page)}`);
    await shown.click();
    expect(await page.evaluate(() => `${getSelection()}`.trim())).toBe(address);

    const other = await open({ script, viewport: phone });
    await other.goto(address);
    await follow(other, 'Change the time');
    await other.locator(`[formaction$="/${second.id}"]`).click();
    await see(other, 'It is moved. This is the new time.');
    expect((await look(karla, second)).json).toMatchObject({ status: 1, bookerName: 'Zoë' });
    await other.goto(address);
    await follow(other, 'Cancel');
    await press(other, 'Yes, cancel it');
    await see(other, 'This appointment is canceled.');
    expect((await look(karla, second)).json).toMatchObject({ status: 2, canceledBy: 'consumer' });
    await page.reload();
    await see(page, 'This appointment is canceled.');
  });
});

testFirst('from registration to a page to share is five taps, a name and a length', async () => {
  const name = `taps-${++tries}-${Date.now().toString(36)}`;
  const page = await open({ viewport: phone });
  await page.goto('/register');
  await page.getByLabel('Full name or company name').fill('Corner Barber');
  await page.getByLabel('Username').fill(name);
  await page.getByRole('radio', { name: 'Provider' }).check();
  await page.getByLabel('City').fill('Lisbon');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await press(page, 'Register');
  await arrive(page, '/profile');
  await page.getByRole('navigation', { name: 'Opened most' }).getByRole('link', { name: 'Today' }).click();
  await follow(page, 'Begin: what you offer');
  await page.getByLabel('Name', { exact: true }).fill('Cut');
  await page.getByLabel('Length in minutes').fill('30');
  await press(page, 'Add service');
  await see(page, 'Your services are saved.');
  await follow(page, 'Next: when');
  await title(page, 'Hours');
  await press(page, 'Save');
  await arrive(page, '/your-page');
  expect(await page.getByLabel('Your booking link').inputValue()).toBe(`${served.url}/with/${name}`);
  const guest = await open({ viewport: phone });
  await guest.goto(`/with/${name}`);
  await seen(guest.locator('.slots a').first());
});
