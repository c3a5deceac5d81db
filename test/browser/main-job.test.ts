import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import {
  book,
  cancel,
  look,
  type Person,
  password,
  publish,
  type Row,
  registerConsumer,
  registerProvider,
} from '../support/factories';
import { testFirst } from '../support/matrix';
import { useServer } from '../support/use-server';
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
  title,
  untilSeen,
} from './browser';
import { box, chooseDays, dayOf, fullName, shortName, wire } from './calendar';
import { journeys } from './journeys';

/* Each in as few taps on a phone as was promised. To type into a field that is there is no tap. */

const served = useServer();
const { open, openShared } = browsersAt(served);

/** Two days of one month and one of the next, all to come. */
const [first, second, third] = [dayOf(1, 10), dayOf(1, 12), dayOf(2, 5)] as const;

/** A clinic in Colombo with two times on the first and the third day, and a client in Lisbon. */
async function clinicAndClient(): Promise<{ clinic: Person; ana: Person; slot: Row }> {
  const [clinic, ana] = await Promise.all([
    registerProvider(served, { timeZone: 'Asia/Colombo' }),
    registerConsumer(served, { timeZone: 'Europe/Lisbon' }),
  ]);
  const slots = { dates: [wire(first), wire(third)], start: '09:30', end: '10:30', notes: 'Bring a towel.' };
  const [slot] = await publish(clinic, slots);
  return { clinic, ana, slot: slot as Row };
}

describe.each(journeys)('with scripts %s at %i px', (_, __, setting) => {
  test('whoever registers as a provider can publish times at once', async () => {
    const page = await openShared({ ...setting, timezoneId: 'Asia/Colombo' });
    await page.goto('/');

    await follow(page, 'Register Now');
    await registerByHand(page, newName('clinic'), { city: 'Colombo', timeZone: 'Asia/Colombo' });
    await arrive(page, '/profile');
    await choose(page, 'Appointments: Create');
    await title(page, 'Create Appointments');
    await chooseDays(page, first, second, third);
    await page.getByLabel('Range start time').fill('09:30');
    await page.getByLabel('Range end time').fill('10:30');
    await page.getByLabel('Notes').fill('Bring a towel.');
    await press(page, 'Create appointments');

    await see(page, '6 appointments are open for booking.');
  });

  test('a logout asks first', async () => {
    const page = await openShared({ ...setting, as: await registerConsumer(served) });
    await page.goto('/');

    await choose(page, 'Logout');
    await untilSeen(page.getByRole('dialog', { name: 'Log out of this device?' }));
    await press(page, 'Logout');

    await untilSeen(link(page, 'Register Now'));
  });

  test('whoever registers on the way to a page gets there', async () => {
    const page = await openShared({ ...setting, timezoneId: 'Europe/Lisbon' });
    await page.goto('/view');
    await arrive(page, '/not-logged-in');

    await page.getByRole('main').getByRole('link', { name: 'Register' }).click();
    await registerByHand(page, newName('ana'), { timeZone: 'Europe/Lisbon' });

    await arrive(page, '/view');
  });

  test('a client finds and books a free time of the days they choose', async () => {
    const { clinic, ana, slot } = await clinicAndClient();
    const page = await openShared({ ...setting, as: ana, timezoneId: 'Europe/Lisbon' });
    await page.goto(`/view?provider=${clinic.username}`);

    await chooseDays(page, first, third);
    await press(page, 'Show times');
    await see(page, `${shortName(first)} · ${shortName(third)}`);
    await page.getByRole('link', { name: `${fullName(first)}, 09:30 to 10:00` }).click();
    await title(page, 'Book an Appointment');
    await press(page, 'Book this appointment');

    await see(page, `Booked: ${clinic.displayName}, ${fullName(first)}, 09:30`);
    expect((await look(clinic, slot)).json).toMatchObject({ status: 1, bookerName: ana.displayName });
  });

  test('a day without a free time can not be chosen', async () => {
    const { clinic, ana } = await clinicAndClient();
    const page = await openShared({ ...setting, as: ana });

    await page.goto(`/view?provider=${clinic.username}`);
    await chooseDays(page, first);

    expect(await box(page, dayOf(1, 11)).isEnabled()).toBe(false);
  });

  test("a time is shown in the provider's zone, the reader's own time beside it", async () => {
    const { ana, slot } = await clinicAndClient();
    const page = await openShared({ ...setting, as: ana, timezoneId: 'Europe/Lisbon' });

    await page.goto(`/details/${slot.id}`);

    await see(page, 'Colombo time');
    // Lisbon's summer or winter.
    await see(page, /^0[45]:00 to 0[45]:30/);
  });

  test('whoever books reads the notes of the provider before', async () => {
    const { ana, slot } = await clinicAndClient();
    const page = await openShared({ ...setting, as: ana });

    await page.goto(`/details/${slot.id}`);

    await see(page, 'Bring a towel.');
  });

  test('a client cancels the next appointment from the home page', async () => {
    const { clinic, ana, slot } = await clinicAndClient();
    await book(ana, slot);
    const page = await openShared({ ...setting, as: ana });
    await page.goto('/view');

    await choose(page, 'Home');
    // The next appointment stands above the list of all.
    await link(page, clinic.displayName).first().click();
    await title(page, 'Your appointment');
    await press(page, 'Cancel Appointment');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('I am ill.');
    await dialog.getByRole('button', { name: 'Cancel Appointment' }).click();

    await see(page, `Canceled: ${clinic.displayName}`);
    await see(page, 'No booked appointments');
    expect((await look(clinic, slot)).json).toMatchObject({ status: 2 });
  });

  test('a provider who logs in reads why a client has canceled', async () => {
    const { clinic, ana, slot } = await clinicAndClient();
    await book(ana, slot);
    await cancel(ana, slot, 'I am ill.');
    const page = await openShared(setting);
    await page.goto('/');

    await choose(page, 'Login');
    await page.getByLabel('Username').fill(clinic.username);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await press(page, 'Log in');
    await arrive(page, '/profile');
    await choose(page, 'Home');
    await follow(page, ana.displayName);

    await arrive(page, `/view-provider/${slot.id}`);
    await see(page, 'I am ill.');
  });

  /** Books by the page of a barber, without an account. */
  async function bookAsStranger(): Promise<{ page: Page; barber: Person; free: Row; later: Row }> {
    const barber = await registerProvider(served);
    const slots = await publish(barber, { dates: [wire(first)], start: '09:00', end: '10:30' });
    const [free, later] = slots as [Row, Row];
    const page = await openShared(setting);
    await page.goto(`/with/${barber.username}`);
    await page.locator(`.slots a[href$="${free.id}"]`).click();
    await page.getByLabel('Your name').fill('Zoë');
    await press(page, 'Book');
    await see(page, 'Booked for Zoë.');
    return { page, barber, free, later };
  }

  test('a stranger books with a name and two taps', async () => {
    const { barber, free } = await bookAsStranger();

    expect((await look(barber, free)).json).toMatchObject({ status: 1, bookerName: 'Zoë' });
  });

  test("one tap selects the link of a stranger's booking", async () => {
    const { page } = await bookAsStranger();
    const address = `${served.url}${pathOf(page)}`;
    const shown = page.locator('[data-link]');
    expect(await shown.textContent()).toBe(address);

    await shown.click();

    expect(await page.evaluate(() => `${getSelection()}`.trim())).toBe(address);
  });

  test('a stranger moves a booking by its link on another device', async () => {
    const { page, barber, later } = await bookAsStranger();
    const device = await open(setting);
    await device.goto(page.url());

    await follow(device, 'Change the time');
    await device.locator(`[formaction$="/${later.id}"]`).click();

    await see(device, 'It is moved. This is the new time.');
    expect((await look(barber, later)).json).toMatchObject({ status: 1, bookerName: 'Zoë' });
  });

  test("a stranger's link still cancels a booking that was moved", async () => {
    const { page, later } = await bookAsStranger();
    const address = page.url();
    const device = await open(setting);
    await device.goto(address);
    await follow(device, 'Change the time');
    await device.locator(`[formaction$="/${later.id}"]`).click();
    await see(device, 'It is moved. This is the new time.');

    await device.goto(address);
    await follow(device, 'Cancel');
    await press(device, 'Yes, cancel it');

    await see(device, 'This appointment is canceled.');
    await page.reload();
    await see(page, 'This appointment is canceled.');
  });
});

testFirst('from registration to a page to share is five taps, a name and a length', async () => {
  const name = newName('taps');
  const page = await openShared({ viewport: phone });
  await page.goto('/register');
  await registerByHand(page, name, { city: 'Lisbon' });
  await arrive(page, '/profile');

  await page.getByRole('navigation', { name: 'Opened most' }).getByRole('link', { name: 'Today' }).click();
  await follow(page, 'Set up your page');
  await page.getByLabel('Name', { exact: true }).fill('Cut');
  await page.getByLabel('Length in minutes').fill('30');
  await press(page, 'Add service');
  await follow(page, 'Next: when');
  await title(page, 'Hours');
  await press(page, 'Save');

  await arrive(page, '/your-page');
  const address = `${served.url}/with/${name}`;
  expect(await page.getByLabel('Your booking link').inputValue()).toBe(address);
  const guest = await openShared({ viewport: phone });
  await guest.goto(address);
  await untilSeen(guest.locator('.slots a').first());
});
