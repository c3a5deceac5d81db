import { describe, expect, test } from 'vitest';
import { look, password, publish, type Row } from '../support/factories';
import { testFirst } from '../support/matrix';
import { useServer, useWorld } from '../support/use-server';
import {
  arrive,
  browsersAt,
  choose,
  follow,
  link,
  newName,
  pathOf,
  phone,
  press,
  registerByHand,
  see,
  seen,
  title,
} from './browser';
import { box, chooseDays, dayOf, fullName, shortName, wire } from './calendar';
import { waysOfAJob } from './ways';

/* Each from start to end; on a phone in as few taps as was promised. To type into a field that is there is no tap. */

const served = useServer();
const { karla } = useWorld(served, { karla: {} });
const { open } = browsersAt(served);

/** Two days of one month and one of the next, all to come. */
const [first, second, third] = [dayOf(1, 10), dayOf(1, 12), dayOf(2, 5)] as const;

describe.each(waysOfAJob)('with scripts %s at %i px', (_, __, setting) => {
  test('a provider publishes, a consumer books and cancels, and both see what has become of it', async () => {
    const [clinic, ana] = [newName('clinic'), newName('ana')];
    const desk = await open({ ...setting, timezoneId: 'Asia/Colombo' });
    await desk.goto('/');
    await follow(desk, 'Register Now');
    await registerByHand(desk, clinic, { city: 'Colombo', timeZone: 'Asia/Colombo' });
    await arrive(desk, '/profile');
    await choose(desk, 'Appointments: Create');
    await title(desk, 'Create Appointments');
    await chooseDays(desk, first, second, third);
    await desk.getByLabel('Range start time').fill('09:30');
    await desk.getByLabel('Range end time').fill('10:30');
    await desk.getByLabel('Notes').fill('Bring a towel.');
    await press(desk, 'Create appointments');
    await see(desk, '6 appointments are open for booking.');
    await choose(desk, 'Logout');
    await seen(desk.getByRole('dialog', { name: 'Log out of this device?' }));
    await press(desk, 'Logout');
    await seen(link(desk, 'Register Now'));

    const chair = await open({ ...setting, timezoneId: 'Europe/Lisbon' });
    await chair.goto('/view');
    await arrive(chair, '/not-logged-in');
    await chair.getByRole('main').getByRole('link', { name: 'Register' }).click();
    await registerByHand(chair, ana, { timeZone: 'Europe/Lisbon' });
    await arrive(chair, '/view');
    await chair.goto(`/view?provider=${clinic}`);
    expect(await box(chair, dayOf(1, 11)).isEnabled()).toBe(false);
    await chooseDays(chair, first, third);
    await press(chair, 'Show times');
    await see(chair, `${shortName(first)} · ${shortName(third)}`);
    await chair.getByRole('link', { name: `${fullName(first)}, 09:30 to 10:00` }).click();
    await title(chair, 'Book an Appointment');
    const id = pathOf(chair).replace('/details/', '');
    await see(chair, 'Colombo time');
    // In the reader's own time, summer or winter.
    await see(chair, /^0[45]:00 to 0[45]:30/);
    await see(chair, 'Bring a towel.');
    await press(chair, 'Book this appointment');
    await see(chair, `Booked: ${clinic}, ${fullName(first)}, 09:30`);

    await choose(chair, 'Home');
    // The next appointment stands above the list of all.
    await link(chair, clinic).first().click();
    await title(chair, 'Your appointment');
    await press(chair, 'Cancel Appointment');
    const asked = chair.getByRole('dialog');
    await asked.getByLabel('Reason').fill('I am ill.');
    await asked.getByRole('button', { name: 'Cancel Appointment' }).click();
    await see(chair, `Canceled: ${clinic}`);
    await see(chair, 'No booked appointments');

    await choose(desk, 'Login');
    await desk.getByLabel('Username').fill(clinic);
    await desk.getByLabel('Password', { exact: true }).fill(password);
    await press(desk, 'Log in');
    await arrive(desk, '/profile');
    await choose(desk, 'Home');
    await follow(desk, ana);
    await arrive(desk, `/view-provider/${id}`);
    await see(desk, 'I am ill.');
  });

  test('a stranger books in three screens and four taps, and moves and cancels by the link on another device', async () => {
    const slots = await publish(karla, { dates: [wire(first)], start: '09:00', end: '10:30' });
    const [free, later] = slots as [Row, Row];
    const page = await open(setting);
    await page.goto(`/with/${karla.username}`);
    await page.locator(`.slots a[href$="${free.id}"]`).click();
    await page.getByLabel('Your name').fill('Zoë');
    await press(page, 'Book');
    await see(page, 'Booked for Zoë.');
    const shown = page.locator('[data-link]');
    const address = (await shown.textContent()) ?? '';
    expect(address).toBe(`${served.url}${pathOf(page)}`);
    await shown.click();
    expect(await page.evaluate(() => `${getSelection()}`.trim())).toBe(address);

    const other = await open(setting);
    await other.goto(address);
    await follow(other, 'Change the time');
    await other.locator(`[formaction$="/${later.id}"]`).click();
    await see(other, 'It is moved. This is the new time.');
    expect((await look(karla, later)).json).toMatchObject({ status: 1, bookerName: 'Zoë' });
    await other.goto(address);
    await follow(other, 'Cancel');
    await press(other, 'Yes, cancel it');
    await see(other, 'This appointment is canceled.');
    await page.reload();
    await see(page, 'This appointment is canceled.');
  });
});

testFirst('from registration to a page to share is five taps, a name and a length', async () => {
  const name = newName('taps');
  const page = await open({ viewport: phone });
  await page.goto('/register');
  await registerByHand(page, name, { city: 'Lisbon' });
  await arrive(page, '/profile');
  await page.getByRole('navigation', { name: 'Opened most' }).getByRole('link', { name: 'Today' }).click();
  await follow(page, 'Begin: what you offer');
  await page.getByLabel('Name', { exact: true }).fill('Cut');
  await page.getByLabel('Length in minutes').fill('30');
  await press(page, 'Add service');
  await follow(page, 'Next: when');
  await title(page, 'Hours');
  await press(page, 'Save');
  await arrive(page, '/your-page');
  const address = `${served.url}/with/${name}`;
  expect(await page.getByLabel('Your booking link').inputValue()).toBe(address);
  const guest = await open({ viewport: phone });
  await guest.goto(address);
  await seen(guest.locator('.slots a').first());
});
