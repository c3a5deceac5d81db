import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { password } from '../support/factories';
import { useServer } from '../support/use-server';
import { arrive, browsersAt, button, choose, follow, link, pathOf, press, see, seen, title } from './browser';
import { box, chooseDays, dayOf, fullName, shortName, ticked, turnTo } from './calendar';
import { waysOfAJob } from './ways';

const served = useServer();
const { open } = browsersAt(served);

/** Two days of one month and one of the next, all to come. */
const [first, second, third] = [dayOf(1, 10), dayOf(1, 12), dayOf(2, 5)] as const;

let tries = 0;

describe.each(waysOfAJob)('with scripts %s at %s', (_, __, setting) => {
  test('a provider publishes, a consumer books and cancels, and both see what has become of it', async () => {
    // A second try needs names that the first has not taken.
    const name = `${setting.script ? 'with' : 'without'}-script-${setting.viewport.width}-${++tries}`;
    const provider = { username: `clinic-${name}`, displayName: `Clinic ${name}` };
    const desk = await open({ ...setting, timezoneId: 'Asia/Colombo' });
    await desk.goto('/');
    await follow(desk, 'Register Now');
    await arrive(desk, '/register');
    await desk.getByRole('radio', { name: 'Provider' }).check();
    await desk.getByLabel('City').fill(`Colombo ${name}`);
    await register(desk, { ...provider, timeZone: 'Asia/Colombo' });
    await arrive(desk, '/profile');
    await publishByHand(desk);
    await follow(desk, 'See free times');
    expect(await desk.getByLabel('Your booking link').inputValue()).toBe(`${served.url}/with/${provider.username}`);
    await logOut(desk);

    const chair = await open({ ...setting, timezoneId: 'Europe/Lisbon' });
    await chair.goto('/view');
    await arrive(chair, '/not-logged-in');
    await chair.getByRole('main').getByRole('link', { name: 'Register' }).click();
    await arrive(chair, '/register');
    await register(chair, { username: `ana-${name}`, displayName: `Ana ${name}`, timeZone: 'Europe/Lisbon' });
    await arrive(chair, '/view');
    const id = await bookByHand(chair, provider);

    await choose(chair, 'Home');
    // The next appointment stands above the list of all.
    await link(chair, provider.displayName).first().click();
    await arrive(chair, `/details-cancel/${id}`);
    await title(chair, 'Your appointment');
    await press(chair, 'Cancel Appointment');
    const asked = chair.getByRole('dialog');
    await asked.getByLabel('Reason').fill('I am ill.');
    await asked.getByRole('button', { name: 'Cancel Appointment' }).click();
    await arrive(chair, '/view-booked');
    await see(chair, `Canceled: ${provider.displayName}`);
    await see(chair, 'No booked appointments');

    await choose(desk, 'Login');
    await desk.getByLabel('Username').fill(provider.username);
    await desk.getByLabel('Password', { exact: true }).fill(password);
    await press(desk, 'Log in');
    await arrive(desk, '/profile');
    await choose(desk, 'Home');
    await follow(desk, `Ana ${name}`);
    await arrive(desk, `/view-provider/${id}`);
    await see(desk, 'Canceled');
    await see(desk, 'I am ill.');
  });
});

type Registration = { username: string; displayName: string; timeZone: string };

async function register(page: Page, { username, displayName, timeZone }: Registration): Promise<void> {
  await page.getByLabel('Full name or company name').fill(displayName);
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Time zone').selectOption(timeZone);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await press(page, 'Register');
}

/** Turns the calendar forward and back, and publishes six slots on three days of two months. */
async function publishByHand(page: Page): Promise<void> {
  await choose(page, 'Appointments: Create');
  await title(page, 'Create Appointments');
  await chooseDays(page, first, second, third);
  await see(page, `Also chosen: ${shortName(first)}, ${shortName(second)}`);
  await turnTo(page, first);
  expect(await ticked(page)).toEqual([fullName(first), fullName(second)]);
  await page.getByLabel('Range start time').fill('09:30');
  await page.getByLabel('Range end time').fill('10:30');
  await page.getByLabel('Notes').fill('Bring a towel.');
  await press(page, 'Create appointments');
  await arrive(page, '/');
  await see(page, '6 appointments are open for booking.');
}

async function logOut(page: Page): Promise<void> {
  await choose(page, 'Logout');
  await seen(page.getByRole('dialog', { name: 'Log out of this device?' }));
  await press(page, 'Logout');
  await arrive(page, '/');
  await seen(link(page, 'Register Now'));
}

/** Days, time, details, book: from the provider's days to the confirmation. Returns the appointment's id. */
async function bookByHand(page: Page, provider: { displayName: string; username: string }): Promise<string> {
  await page.goto(`/view?provider=${provider.username}`);
  expect(await box(page, dayOf(1, 11)).isEnabled()).toBe(false);
  await chooseDays(page, first, third);
  await press(page, 'Show times');
  await see(page, `${shortName(first)} · ${shortName(third)}`);
  // In Colombo's time, and the reader's own beside it.
  await page.getByRole('link', { name: `${fullName(first)}, 09:30 to 10:00` }).click();
  await title(page, 'Book an Appointment');
  const id = pathOf(page).replace('/details/', '');
  await see(page, 'Colombo time');
  await see(page, /^0[45]:00 to 0[45]:30/);
  await see(page, 'Bring a towel.');
  await button(page, 'Book this appointment').click();
  await arrive(page, '/view');
  await see(page, `Booked: ${provider.displayName}, ${fullName(first)}, 09:30`);
  return id;
}
