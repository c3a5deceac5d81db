import ICAL from 'ical.js';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectConsoleError } from '../support/console';
import { book, password, publish, registerConsumer, registerProvider } from '../support/factories';
import { testRest } from '../support/matrix';
import { useServer } from '../support/use-server';
import {
  arrive,
  browsersAt,
  button,
  choose,
  factsOf,
  follow,
  link,
  pathOf,
  press,
  see,
  seeInView,
  seen,
  title,
} from './browser';
import { box, chooseDays, dayOf, fullName, monthName, shortName, ticked, turnTo, wire } from './calendar';
import { waysOfAJob } from './ways';

const served = useServer();
const { open } = browsersAt(served);

/** Two days of one month and one of the next, all to come. */
const [first, second, third] = [dayOf(1, 10), dayOf(1, 12), dayOf(2, 5)] as const;

let tries = 0;

describe.each(waysOfAJob)('with scripts %s at %s', (_, __, setting) => {
  const { script, viewport } = setting;

  test('a provider publishes, a consumer books and cancels, and both see what has become of it', async () => {
    // A second try needs names that the first has not taken.
    const name = `${script ? 'with' : 'without'}-script-${viewport.width}-${++tries}`;
    const provider = { username: `clinic-${name}`, displayName: `Clinic ${name}`, city: `Colombo ${name}` };
    const desk = await open({ ...setting, timezoneId: 'Asia/Colombo' });
    await registerAsProvider(desk, provider);
    await publishByHand(desk);
    await withdrawOne(desk);
    const bookingLink = await desk.getByLabel('Your booking link').inputValue();
    expect(bookingLink).toBe(`${served.url}/with/${provider.username}`);
    await logOut(desk);

    const chair = await open({ ...setting, timezoneId: 'Europe/Lisbon' });
    await chair.goto('/view');
    await registerOnTheWay(chair, `ana-${name}`);
    await chair.goto(`/view?provider=${provider.username}`);
    const id = await bookByHand(chair, provider);

    const [event] = await calendarFile(chair, link(chair, 'Add to calendar'));
    expect(event).toMatchObject({
      uid: `${id}@daybook`,
      sequence: '0',
      status: 'CONFIRMED',
      startsAt: `${first}T04:00:00.000Z`,
      endsAt: `${first}T04:30:00.000Z`,
      summary: provider.displayName,
    });

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

    await chair.goto(`/details-cancel/${id}`);
    const [update] = await calendarFile(chair, link(chair, 'Remove from calendar'));
    expect(update).toEqual({ ...event, sequence: '1', status: 'CANCELLED' });

    await logIn(desk, provider.username);
    await choose(desk, 'Home');
    await section(desk, 'Canceled')
      .getByRole('link', { name: `Ana ana-${name}` })
      .click();
    await arrive(desk, `/view-provider/${id}`);
    await see(desk, 'Canceled');
  });

  testRest('who is too late reads so, and books the nearest time by one tap', async () => {
    const host = await registerProvider(served, { displayName: 'Busy Barber' });
    const slots = await publish(host, { start: '09:00', end: '10:30', dates: [wire(first)] });
    const [page, rival] = await Promise.all([
      registerConsumer(served).then((as) => open({ ...setting, as })),
      registerConsumer(served),
    ]);
    const wanted = slots[1];
    if (!wanted) throw new Error('There is no second slot.');
    await page.goto(`/details/${wanted.id}`);
    expect((await book(rival, wanted)).status).toBe(200);

    expectConsoleError(/status of 409/);
    await press(page, 'Book this appointment');
    await seeInView(page, 'This appointment has just been booked by someone else.');
    await title(page, 'Just gone');
    const nearest = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'Book' }) });
    expect((await nearest.allInnerTexts()).map((text) => text.match(/\d\d:\d\d to \d\d:\d\d/)?.[0])).toEqual([
      '09:00 to 09:30',
      '10:00 to 10:30',
    ]);
    await nearest.last().getByRole('button', { name: 'Book' }).click();
    await arrive(page, '/view');
    await see(page, `Booked: Busy Barber, ${fullName(first)}, 10:00`);
  });
});

type Provider = { username: string; displayName: string; city: string };

async function registerAsProvider(page: Page, { username, displayName, city }: Provider): Promise<void> {
  await page.goto('/');
  await follow(page, 'Register Now');
  await arrive(page, '/register');
  await page.getByLabel('Full name or company name').fill(displayName);
  await page.getByLabel('Username').fill(username);
  await page.getByRole('radio', { name: 'Provider' }).check();
  await page.getByLabel('City').fill(city);
  await page.getByLabel('Description').fill('Teeth, gently.\nMonday to Friday.');
  await page.getByLabel('Time zone').selectOption('Asia/Colombo');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await press(page, 'Register');
  await arrive(page, '/profile');
  for (const words of [displayName, username, 'Provider', city, 'Teeth, gently.', 'Asia/Colombo']) {
    await seen(page.getByRole('definition').filter({ hasText: words }).first());
  }
}

/** Turns the calendar forward and back, and publishes six slots on three days of two months. */
async function publishByHand(page: Page): Promise<void> {
  await choose(page, 'Appointments: Create');
  await title(page, 'Create Appointments');
  await chooseDays(page, first, second, third);
  await see(page, `Also chosen: ${shortName(first)}, ${shortName(second)}`);
  await turnTo(page, first);
  expect(await ticked(page)).toEqual([fullName(first), fullName(second)]);
  await see(page, `Also chosen: ${shortName(third)}`);
  await turnTo(page, third);
  expect(await ticked(page)).toEqual([fullName(third)]);

  await page.getByLabel('Range start time').fill('09:30');
  await page.getByLabel('Range end time').fill('10:30');
  await page.getByLabel('Length in minutes').fill('30');
  await page.getByLabel('Notes').fill('Bring a towel.');
  await press(page, 'Create appointments');
  await arrive(page, '/');
  await see(page, '6 appointments are open for booking.');
}

async function withdrawOne(page: Page): Promise<void> {
  await follow(page, 'See free times');
  await title(page, 'Free times');
  await page
    .getByRole('navigation', { name: 'Days with free times' })
    .getByRole('link', { name: 'Later month' })
    .click();
  const times = page.getByRole('checkbox');
  await seen(link(page, new RegExp(`, ${monthName(third)}: 2 free$`)));
  await times.last().check();
  await press(page, 'Remove what is ticked');
  const asked = page.getByRole('dialog', { name: 'Remove what is ticked?' });
  await asked.getByRole('button', { name: 'Remove what is ticked' }).click();
  await see(page, 'One time is removed.');
  await seen(button(page, /^Undo: bring back one time of /));
  expect(await times.count()).toBe(1);
}

async function logOut(page: Page): Promise<void> {
  await choose(page, 'Logout');
  await seen(page.getByRole('dialog', { name: 'Log out of this device?' }));
  await press(page, 'Logout');
  await arrive(page, '/');
  await seen(link(page, 'Register Now'));
}

async function logIn(page: Page, username: string): Promise<void> {
  await choose(page, 'Login');
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await press(page, 'Log in');
  await arrive(page, '/profile');
}

async function registerOnTheWay(page: Page, username: string): Promise<void> {
  await arrive(page, '/not-logged-in');
  await page.getByRole('main').getByRole('link', { name: 'Register' }).click();
  await arrive(page, '/register');
  await page.getByLabel('Full name or company name').fill(`Ana ${username}`);
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Time zone').selectOption('Europe/Lisbon');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await press(page, 'Register');
  await arrive(page, '/view');
}

/** Days, time, details, book: from the provider's days to the confirmation. Returns the appointment's id. */
async function bookByHand(page: Page, { displayName, username }: Provider): Promise<string> {
  expect(await box(page, first).isEnabled()).toBe(true);
  expect(await box(page, dayOf(1, 11)).isEnabled()).toBe(false);
  await chooseDays(page, first, third);
  await press(page, 'Show times');
  await see(page, `${shortName(first)} · ${shortName(third)}`);
  // The other slot of the third day was withdrawn.
  const times = page.getByRole('link', { name: /\d\d:\d\d to \d\d:\d\d/ });
  expect(await times.count()).toBe(3);
  // In Colombo's time, and the reader's own beside it.
  await page.getByRole('link', { name: `${fullName(first)}, 09:30 to 10:00` }).click();
  await page.waitForURL('**/details/*');
  const id = pathOf(page).replace('/details/', '');
  await title(page, 'Book an Appointment');
  expect(await factsOf(page)).toEqual({
    Provider: `${displayName} (${username})`,
    Start: '09:30',
    End: '10:00',
    Date: fullName(first),
    'Time zone': 'Colombo time',
    'Your time': expect.stringMatching(/^0[45]:00 to 0[45]:30/),
    Notes: 'Bring a towel.',
  });
  await press(page, 'Book this appointment');
  await arrive(page, '/view');
  await see(page, `Booked: ${displayName}, ${fullName(first)}, 09:30`);
  return id;
}

/** The events of the calendar file behind a link, fetched with the page's own login. */
async function calendarFile(page: Page, to: ReturnType<typeof link>) {
  const answer = await page.request.get((await to.getAttribute('href')) ?? '');
  expect(answer.headers()['content-type']).toMatch(/^text\/calendar/);
  const calendar = new ICAL.Component(ICAL.parse(await answer.text()));
  return calendar.getAllSubcomponents('vevent').map((component) => {
    const event = new ICAL.Event(component);
    const text = (name: string) => String(component.getFirstPropertyValue(name));
    return {
      uid: event.uid,
      sequence: text('sequence'),
      status: text('status'),
      startsAt: event.startDate.toJSDate().toISOString(),
      endsAt: event.endDate.toJSDate().toISOString(),
      summary: event.summary,
    };
  });
}

/** The card with this heading. */
const section = (page: Page, name: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) });
