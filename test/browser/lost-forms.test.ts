import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { cancel, dayAhead, peopleAt, publishOne } from '../support/factories';
import { share } from '../support/matrix';
import { createMeetup, createParty, linkOf, publishQuestions } from '../support/party-factories';
import { createService } from '../support/services';
import { openEnded } from '../support/template-factories';
import { useServer, useWorld } from '../support/use-server';
import { add, fullyBooked, only } from '../support/waitlist';
import { browsersAt, button, untilSeen } from './browser';

/* A guest's form on a bad network: nothing that they typed is gone, and they are known as who they are. */

const served = useServer();
const { ana, host } = useWorld(served, { ana: {}, host: {} });
const people = peopleAt(served);
const { open } = browsersAt(served);

let days = 1;
const questions = [{ questionText: 'Why?', questionType: openEnded, required: true }];

async function bookingPath(): Promise<string> {
  const { id } = await publishOne(ana, { dates: [dayAhead(++days)] });
  return `/with/${ana.username}/${id}`;
}

async function partyPath(): Promise<string> {
  const { id } = await createParty(host, { openTo: 'anyone' });
  return `/party/${id}`;
}

async function meetupPath(): Promise<string> {
  const { id } = linkOf(await createMeetup(host, { askPhone: 'optional' }), 'Ada');
  return `/meetup-rsvp/${id}`;
}

/** The page of a time that came free for somebody who waited. */
async function offerPath(): Promise<string> {
  const { host: barber, booked, booker } = await fullyBooked(people);
  const templateId = await publishQuestions(barber, questions);
  const { id } = await createService(barber, { templateId });
  const waiting = await people.newConsumer();
  expect((await add(waiting, barber, { service: id })).status).toBe(201);
  await cancel(booker, booked);
  return (await only(waiting)).offer?.link ?? '';
}

type Form = { path: () => Promise<string>; button: string; field: string };

/** The forms of guests, with a field of each. */
const forms: [string, Form][] = [
  ['a booking', { path: bookingPath, button: 'Book', field: 'Your name' }],
  ['a wish', { path: async () => `/with/${ana.username}/wait`, button: 'Tell me', field: 'Your name' }],
  ['a paper code', { path: async () => '/claim', button: 'Show my appointment', field: 'Code' }],
  ['an RSVP to a party', { path: partyPath, button: 'RSVP', field: 'Your name' }],
  ['an RSVP to a meetup', { path: meetupPath, button: 'Accept', field: 'Phone' }],
  ['answers to an offer', { path: offerPath, button: 'Take it', field: 'Why?' }],
];

/** Sends the form while nothing is reached, until the browser has said so. */
async function sendOffline(page: Page, words: string): Promise<void> {
  await page.context().setOffline(true);
  await button(page, words).click();
  await page.waitForURL('chrome-error://chromewebdata/');
  await page.context().setOffline(false);
}

const scripts = share<[string, boolean][]>([['off', false]], [['on', true]]);

describe.each(scripts)('with scripts %s', (_, script) => {
  test.each(forms)(
    '%s that never arrived is there when one goes back',
    async (_name, { path, button: words, field }) => {
      const page = await open({ script });
      await page.goto('/');
      await page.goto(await path());
      await page.getByRole('textbox', { name: field }).fill('Zoë');
      // The browser notes once a second what a form holds, and nobody is back from an error page sooner than that.
      await page.waitForTimeout(1_500);

      await sendOffline(page, words);
      await page.goBack();

      // The browser fills it in after the page is there.
      await expect.poll(() => page.getByRole('textbox', { name: field }).inputValue(), { timeout: 10_000 }).toBe('Zoë');
    },
  );
});

/** As slow as a telephone out of town. */
async function slowDown(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const slow = { offline: false, latency: 1500, downloadThroughput: 50_000, uploadThroughput: 50_000 };
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', slow);
}

/** Lets forms arrive and no response to them. */
const loseResponses = (page: Page) =>
  page.route('**/with/**', async (route) => {
    const request = route.request();
    if (request.method() !== 'POST') return route.continue();
    const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
    const headers = { ...request.headers(), cookie };
    await fetch(request.url(), { method: 'POST', headers, body: request.postData(), redirect: 'manual' });
    await route.abort('connectionreset');
  });

/** A free time's form with a name in it. */
async function filledIn(): Promise<Page> {
  const page = await open({ script: false });
  await page.goto(await bookingPath());
  await page.getByLabel('Your name').fill('Zoë');
  return page;
}

describe('a guest who taps Book twice on a slow network', () => {
  async function tapTwice(): Promise<Page> {
    const page = await filledIn();
    const box = await button(page, 'Book').boundingBox();
    if (!box) throw new Error('There is no button to tap.');
    await slowDown(page);
    // By the mouse, because Playwright would wait for the first response.
    const tap = () => page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await tap();
    await page.waitForTimeout(500);
    await tap();
    await untilSeen(page.getByText('Booked for Zoë.'));
    return page;
  }

  test('is known at the next form', async () => {
    const page = await tapTwice();

    await page.goto(await bookingPath());

    await untilSeen(page.getByText('You book as Zoë.'));
  });

  test('finds their own booking when they go back', async () => {
    const page = await tapTwice();

    await page.goBack();

    await untilSeen(page.getByText('Booked for Zoë.'));
  });
});

test('a guest who hears nothing of a booking finds it when they go back', async () => {
  const page = await filledIn();
  await loseResponses(page);
  await button(page, 'Book').click();
  await page.waitForURL('chrome-error://chromewebdata/');

  await page.goBack();

  await untilSeen(page.getByText('Booked for Zoë.'));
});
