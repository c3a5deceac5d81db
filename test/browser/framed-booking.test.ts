import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { questionType } from '../../app/domain/templates/questions';
import { setRules } from '../support/account-calls';
import { launchChromium } from '../support/chromium';
import { expectConsoleError } from '../support/console';
import { book, dayAhead, isoAhead, type Person, peopleAt, publish, type Row, several } from '../support/factories';
import { publishQuestions } from '../support/party-factories';
import { createService } from '../support/services';
import { bringIn, houseService, openShop } from '../support/shops';
import { draft, formOf, intake } from '../support/template-factories';
import { useServer } from '../support/use-server';

/* The whole booking in a frame of another site, in a browser that gives frames neither cookies nor storage. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

let chromium: Browser;
let otherSite: Server;
let maya: Person;
beforeAll(async () => {
  // `localhost` and `127.0.0.1` are two sites.
  otherSite = createServer(({ url }, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end(`<title>A barber</title><iframe src="${daybook.url}${url}" width="380" height="620"></iframe>`);
  });
  await new Promise<void>((listening) => otherSite.listen(0, 'localhost', listening));
  [chromium, maya] = await Promise.all([launchChromium('--test-third-party-cookie-phaseout'), newConsumer()]);
});
afterAll(async () => {
  await chromium.close();
  otherSite.close();
});

const originOfSite = () => `http://localhost:${(otherSite.address() as AddressInfo).port}`;

/** A provider with three free times, whose page the other site may show. */
async function newBarber(): Promise<{ host: Person; slots: Row[] }> {
  const host = await newProvider();
  await setRules(host, { embedOn: [originOfSite()] });
  return { host, slots: await publish(host, { dates: [dayAhead(2)], end: '10:30' }) };
}

const menu = [
  ...[
    'Cut',
    'Cut and beard',
    'Colour',
    'Highlights and toner for long hair, with a cut',
    'Children up to twelve',
    'Shave',
  ],
  ...[
    'Fringe',
    'Neck',
    'Wash',
    'Wash, cut and blow-dry, with a massage of the head',
    'Perm',
    'Curls',
    'Braids',
    'Brows',
  ],
  'Beard, oil and towel',
];

const payTo = { iban: 'DE89 3704 0044 0532 0130 00', name: 'Karla Haar' };

/** A provider with fifteen services, who is free on a day at each quarter of an hour. */
async function newBusyBarber(): Promise<Person> {
  const host = await newProvider();
  await setRules(host, { embedOn: [originOfSite()], waitlist: 'on' });
  await host.api('PUT', '/api/Account/SetProfile', { address: 'Rua da Rosa 7, Lisbon', phone: '+351 21 000 00 00' });
  for (const name of menu) await createService(host, { name, minutes: 15, price: '30 €', deposit: '10 €' });
  await publish(host, { dates: [dayAhead(2)], start: '09:15', end: '15:00' }, 'len=15');
  return host;
}

/** A shop whose page the other site may show; nobody in it has named that site for a page of their own. */
async function newFramedShop(count = 2) {
  const names = ['Clara Nunes, singing lessons', 'Duarte Pires, guitar', ...menu.slice(2, count)];
  const people = await several(count, (place) => newProvider({ displayName: names[place] }));
  const [ana, ...others] = people as [Person, ...Person[]];
  const shop = await openShop(ana, { address: 'Rua da Rosa 7' });
  await bringIn(ana, others);
  await ana.api('PUT', '/api/Shop/Edit', { embedOn: [originOfSite()] });
  const service = await houseService(ana, shop.username, people, {
    ...{
      name: 'Cut',
      minutes: 30,
      price: '30 €',
      description: 'Alone or with a friend, at any hour. Bring a picture.',
    },
  });
  for (const who of people) await publish(who, { dates: [dayAhead(2)], end: '10:30' });
  return { shop, people, service };
}

/** The next month, YYYY-MM, whose days stand in six weeks that begin on Monday. */
function monthOfSixWeeks(): string {
  const first = new Date(`${isoAhead(0).slice(0, 7)}-01`);
  const days = () => new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  do first.setUTCMonth(first.getUTCMonth() + 1);
  while (((first.getUTCDay() + 6) % 7) + days() <= 35);
  return first.toISOString().slice(0, 7);
}

/** Its first 28 days, as the API writes them. */
const daysOf = (month: string) =>
  Array.from({ length: 28 }, (_, day) => `${month.slice(5)}-${String(day + 1).padStart(2, '0')}-${month.slice(0, 4)}`);

type Shown = { page: Page; frame: FrameLocator; cookies: string[] };

/** The other site with a page in its frame, in a browser in which Maya is logged in; `cookies` are those that the frame had or got. */
async function openFramed(path: string, script: boolean): Promise<Shown> {
  const context = await chromium.newContext({
    javaScriptEnabled: script,
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(10_000);
  await context.addCookies([{ name: 'daybook', value: maya.browser.cookies.get('daybook') ?? '', url: daybook.url }]);
  const page = await context.newPage();
  const cookies: string[] = [];
  page.on('request', async (request) => {
    if (request.url().startsWith(daybook.url)) cookies.push((await request.allHeaders()).cookie ?? '');
  });
  page.on('response', async (response) => cookies.push((await response.allHeaders())['set-cookie'] ?? ''));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of (400|409)/.test(message.text())) console.error(message.text());
  });
  await page.goto(`${originOfSite()}${path}`);
  return { page, frame: page.frameLocator('iframe'), cookies };
}

async function bookAs(name: string, frame: FrameLocator): Promise<void> {
  await frame.getByLabel('Your name').fill(name);
  await frame.getByRole('button', { name: 'Book', exact: true }).click();
}

/** How many pixels of the page the frame does not show: across and down. */
const beyondFrame = (frame: FrameLocator) =>
  frame
    .locator('html')
    .evaluate(({ scrollWidth, scrollHeight }) => [
      Math.max(0, scrollWidth - innerWidth),
      Math.max(0, scrollHeight - innerHeight),
    ]);

describe.each([
  ['off', false],
  ['on', true],
])('in a frame of another site, with scripts %s', (_, script) => {
  test('somebody chooses, books, and books another time', async () => {
    const { host } = await newBarber();
    const { page, frame, cookies } = await openFramed(`/with/${host.username}?framed`, script);

    await frame.getByRole('link', { name: /^Next free/ }).click();
    await bookAs('Zoë', frame);
    await frame.getByText('Booked for Zoë.').waitFor();
    await frame.getByRole('link', { name: /^More times with/ }).click();
    await frame.getByRole('link', { name: /^Next free/ }).click();
    await bookAs('Zoë again', frame);
    await frame.getByText('Booked for Zoë again.').waitFor();

    expect(cookies.filter(Boolean)).toEqual([]);
    await page.context().close();
  });

  test('somebody who loses the race books the next time', async () => {
    const { host, slots } = await newBarber();
    const { page, frame } = await openFramed(`/with/${host.username}?framed`, script);
    await frame.getByRole('link', { name: /^Next free/ }).click();
    await frame.getByLabel('Your name').waitFor();
    await book(maya, slots[0] as Row);

    await bookAs('Zoë', frame);
    await frame.getByRole('heading', { name: 'Just gone' }).waitFor();
    expect(await beyondFrame(frame)).toEqual([0, 0]);
    await frame.getByRole('button', { name: 'Book', exact: true }).first().click();

    await frame.getByText('Booked for Zoë.').waitFor();
    await page.context().close();
  });

  test('somebody waits where nothing is free', async () => {
    const { host, slots } = await newBarber();
    for (const slot of slots) await book(maya, slot);
    const { page, frame } = await openFramed(`/with/${host.username}?framed`, script);

    await frame.getByRole('link', { name: 'Tell me if a time comes free' }).click();
    await frame.getByLabel('Your name').fill('Zoë');
    const form = await beyondFrame(frame);
    await frame.getByLabel('E-mail').fill(`zoe-${host.username}@example.org`);
    await frame.getByRole('button', { name: 'Tell me' }).click();

    await frame.getByRole('heading', { name: 'You are waiting' }).waitFor();
    expect({ form, waiting: await beyondFrame(frame) }).toEqual({ form: [0, 0], waiting: [0, 0] });
    await page.context().close();
  });

  test('each step fits the frame', async () => {
    const { host } = await newBarber();
    await host.api('PUT', '/api/Account/SetProfile', { address: 'Rua da Rosa 7, Lisbon', phone: '+351 21 000 00 00' });
    await createService(host, { name: 'Cut', minutes: 30 });
    await createService(host, { name: 'Cut and beard', minutes: 30 });
    const { page, frame } = await openFramed(`/with/${host.username}?framed`, script);
    const beyond = () => beyondFrame(frame);

    const services = await beyond();
    await frame.getByRole('link', { name: /^Cut 30/ }).click();
    const day = frame.locator('.month a[href*=dates]').first();
    await day.waitFor();
    const days = await beyond();
    await day.click();
    const time = frame.getByRole('region', { name: 'Free times' }).getByRole('link').first();
    await time.waitFor();
    const times = await beyond();
    await time.click();
    await frame.getByLabel('Your name').waitFor();
    const form = await beyond();
    await bookAs('Zoë', frame);
    await frame.getByText('Booked for Zoë.').waitFor();

    expect({ services, days, times, form, booked: await beyond() }).toEqual({
      ...{ services: [0, 0], days: [0, 0], times: [0, 0], form: [0, 0], booked: [0, 0] },
    });
    await page.context().close();
  });

  test.each([
    ['', { name: 'Cut' }],
    [' of a service with a long name', { name: menu[3], minutes: 30, price: '30 €', deposit: '10 €' }],
  ])('a full month of six weeks%s fits the frame', async (_, service) => {
    const { host } = await newBarber();
    await setRules(host, { embedOn: [originOfSite()], waitlist: 'on' });
    const { id } = await createService(host, service);
    await createService(host);
    const month = monthOfSixWeeks();
    await publish(host, { dates: daysOf(month), end: '09:30' });
    const { page, frame } = await openFramed(`/with/${host.username}?framed&service=${id}&month=${month}`, script);

    await frame.locator('.month a[href*=dates]').last().waitFor();

    expect(await frame.locator('.month tbody tr').count()).toBe(6);
    expect(await beyondFrame(frame)).toEqual([0, 0]);
    await page.context().close();
  });

  test('a form with an e-mail address and a phone number fits the frame, refused too', async () => {
    expectConsoleError(/^Blocked autofocusing/);
    const host = await newProvider();
    await setRules(host, { embedOn: [originOfSite()], askEmail: 'required', askPhone: 'required' });
    await host.api('PUT', '/api/Account/SetProfile', { address: 'Rua da Rosa 7', phone: '+351 21 000 00 00' });
    const { id } = await createService(host, { price: '30 €', deposit: '10 €', description: 'Bring a picture.' });
    await publish(host, { dates: [dayAhead(2)], end: '10:30', notes: 'Ring twice.' });
    const { page, frame } = await openFramed(`/with/${host.username}?framed&service=${id}`, script);

    await frame.getByRole('link', { name: /^Next free/ }).click();
    await frame.getByLabel('Phone').waitFor();
    const form = await beyondFrame(frame);
    await frame.getByRole('button', { name: 'Book', exact: true }).click();
    await frame.locator('[name=phone][aria-invalid]').waitFor();

    expect({ form, refused: await beyondFrame(frame) }).toEqual({ form: [0, 0], refused: [0, 0] });
    await page.context().close();
  });

  test('a form with many questions fits the frame, and shows the part with the first fault', async () => {
    const host = await newProvider();
    await setRules(host, { embedOn: [originOfSite()], askEmail: 'required', askPhone: 'required' });
    expectConsoleError(/^Blocked autofocusing/);
    const template = await publishQuestions(host, intake);
    await publish(host, { dates: [dayAhead(2)], end: '10:30' }, `templateId=${template}`);
    const { page, frame } = await openFramed(`/with/${host.username}?framed`, script);
    const beyond: number[][] = [];
    const next = async (label: string) => {
      await frame.getByText('Next part').locator('visible=true').click();
      await frame.getByLabel(label).waitFor();
      beyond.push(await beyondFrame(frame));
    };
    const send = () => frame.getByRole('button', { name: 'Book', exact: true }).click();

    await frame.getByRole('link', { name: /^Next free/ }).click();
    await frame.getByLabel('Your name').fill('Zoë');
    await frame.getByLabel('E-mail').fill(`zoe-${host.username}@example.org`);
    await frame.getByLabel('Phone').fill('+351 21 000 00 00');
    beyond.push(await beyondFrame(frame));
    await next('What brings you here?');
    await next('Rest');
    await next('مساءً');
    await next('Anything else?');
    await send();
    await frame.getByLabel('What brings you here?').fill('My back');
    beyond.push(await beyondFrame(frame));
    await frame.getByLabel('Left').check();
    await next('Rest');
    await next('مساءً');
    await frame.getByLabel('مساءً').check();
    await next('Anything else?');
    await send();
    await frame.getByText('Booked for Zoë.').waitFor();

    expect(beyond).toEqual(beyond.map(() => [0, 0]));
    await page.context().close();
  });

  test('what was booked fits the frame, with its answers, a deposit and a place', async () => {
    const host = await newProvider();
    await setRules(host, { embedOn: [originOfSite()], askEmail: 'required', askPhone: 'required' });
    const profile = { address: 'Rua da Rosa 7, 1200-001 Lisbon', phone: '+351 21 000 00 00' };
    await host.api('PUT', '/api/Account/SetProfile', { ...profile, payTo });
    const template = await publishQuestions(host, intake);
    const service = { name: menu[3], price: '90 €', deposit: '10 €', where: 'theirs', templateId: template };
    const { id } = await createService(host, service);
    await publish(host, { dates: [dayAhead(2)], end: '10:30' });
    const { page, frame } = await openFramed(`/with/${host.username}?framed&service=${id}`, script);
    const next = () => frame.locator('label:visible', { hasText: 'Next part' }).click();

    await frame.getByRole('link', { name: /^Next free/ }).click();
    await frame.getByLabel('Your name').fill('Zoë');
    await frame.getByLabel('E-mail').fill(`zoe-${host.username}@example.org`);
    await frame.getByLabel('Phone').fill('+351 21 000 00 00');
    await next();
    await frame.getByLabel(/address/i).fill('Rua do Norte 12, second floor, left, 1200-284 Lisbon');
    await next();
    await frame.getByLabel('What brings you here?').fill('My back, since I have been carrying chairs for a day.');
    await frame.getByLabel('Left').check();
    await next();
    await next();
    await frame.getByLabel('مساءً').check();
    await next();
    await frame.getByRole('button', { name: 'Book', exact: true }).click();
    await frame.getByText('Booked for Zoë.').waitFor();
    await page.screenshot({ path: '/tmp/booked.png' });

    expect(await beyondFrame(frame)).toEqual([0, 0]);
    await page.context().close();
  });

  test('a question with many choices goes over several parts, and all that are ticked are sent', async () => {
    const host = await newProvider();
    await setRules(host, { embedOn: [originOfSite()] });
    expectConsoleError(/^Blocked autofocusing/);
    const choices = Array.from({ length: 30 }, (_, place) => `Choice ${place + 1}`);
    const template = await publishQuestions(host, [draft(questionType.multipleChoice, 'What helps?', true, choices)]);
    const [slot] = await publish(host, { dates: [dayAhead(2)], end: '09:30' }, `templateId=${template}`);
    const { page, frame } = await openFramed(`/with/${host.username}?framed`, script);
    const beyond: number[][] = [];
    const next = async (choice: string) => {
      await frame.getByText('Next part').locator('visible=true').click();
      await frame.getByLabel(choice, { exact: true }).waitFor();
      beyond.push(await beyondFrame(frame));
    };

    await frame.getByRole('link', { name: /^Next free/ }).click();
    await frame.getByLabel('Your name').fill('Zoë');
    for (const choice of ['Choice 12', 'Choice 24', 'Choice 30']) await next(choice);
    await frame.getByRole('button', { name: 'Book', exact: true }).click();
    await frame.getByLabel('Choice 2', { exact: true }).check();
    beyond.push(await beyondFrame(frame));
    await next('Choice 24');
    await next('Choice 30');
    await frame.getByLabel('Choice 29', { exact: true }).check();
    await frame.getByRole('button', { name: 'Book', exact: true }).click();
    await frame.getByText('Booked for Zoë.').waitFor();

    expect(beyond).toEqual(beyond.map(() => [0, 0]));
    expect(await formOf(host, slot as Row)).toEqual([{ question: 'What helps?', answer: 'choice 2|choice 29' }]);
    await page.context().close();
  });

  test('fifteen services, and the quarter hours of a day, stand in parts that fit the frame', async () => {
    const host = await newBusyBarber();
    const { page, frame } = await openFramed(`/with/${host.username}?framed`, script);
    const beyond: number[][] = [];
    /** Walks from the part with one link to that with another. */
    const walk = async (from: RegExp, to: RegExp | string, turn: string) => {
      const place = frame.getByRole('link', { name: to });
      await frame.getByRole('link', { name: from }).waitFor();
      for (beyond.push(await beyondFrame(frame)); !(await place.isVisible()); beyond.push(await beyondFrame(frame))) {
        await frame.getByText(turn).locator('visible=true').click();
      }
      await place.click();
    };

    await walk(/^Cut 30/, /^Beard, oil/, 'Next part');
    await frame.locator('.month a[href*=dates]').first().click();
    await walk(/09:15 to 09:30/, 'Later times', 'Later times');
    await walk(/14:15 to 14:30/, /14:45 to 15:00/, 'Later times');
    await bookAs('Zoë', frame);
    await frame.getByText('Booked for Zoë.').waitFor();

    expect(beyond).toEqual(Array.from({ length: 8 }, () => [0, 0]));
    await page.context().close();
  });

  test('a shop of nine fits the frame, with whom one comes to as well', async () => {
    const { shop, people, service } = await newFramedShop(9);
    const month = monthOfSixWeeks();
    await publish(people[0] as Person, { dates: daysOf(month), end: '09:30' });
    const beyond: number[][] = [];
    /** Looks at the first part, and at the two with the people, among whom the last is chosen. */
    const walk = async (query: string) => {
      const { page, frame } = await openFramed(`/with/${shop.username}?framed${query}`, script);
      const turn = async (to: string) => {
        await frame.locator('label:visible', { hasText: to }).click();
        beyond.push(await beyondFrame(frame));
      };
      await frame.getByRole('radio').first().waitFor({ state: 'attached' });
      beyond.push(await beyondFrame(frame));
      await turn('With whom?');
      await turn('Next part');
      await frame.getByRole('link', { name: people.at(-1)?.displayName }).click();
      await frame.getByRole('link', { name: /^Next free/ }).click();
      await bookAs('Zoë', frame);
      await frame.getByText('Booked for Zoë.').waitFor();
      await page.context().close();
    };

    await walk('');
    await walk(`&service=${service.id}&month=${month}`);

    expect(beyond).toEqual(Array.from({ length: 6 }, () => [0, 0]));
  });

  test('somebody books whoever is free in a shop', async () => {
    const { shop, people } = await newFramedShop();
    const { page, frame } = await openFramed(`/with/${shop.username}?framed`, script);

    await frame.getByRole('link', { name: /^Cut/ }).click();
    await frame.getByRole('link', { name: 'Something else' }).waitFor();
    await frame.locator('label:visible', { hasText: 'With whom?' }).click();
    await frame.getByRole('link', { name: people[1]?.displayName }).click();
    await frame.getByRole('link', { name: shop.displayName }).click();
    await frame.getByRole('link', { name: /^Cut/ }).click();
    const nextFree = frame.getByRole('link', { name: /^Next free/ });
    await nextFree.waitFor();
    const days = await beyondFrame(frame);
    await nextFree.click();
    await bookAs('Zoë', frame);
    await frame.getByText('Booked for Zoë.').waitFor();

    expect({ days, booked: await beyondFrame(frame) }).toEqual({ days: [0, 0], booked: [0, 0] });
    await page.context().close();
  });

  test('the personal link opens a tab of its own', async () => {
    const { host } = await newBarber();
    const { page, frame } = await openFramed(`/with/${host.username}?framed`, script);
    await frame.getByRole('link', { name: /^Next free/ }).click();
    await bookAs('Zoë', frame);

    const [tab] = await Promise.all([
      page.waitForEvent('popup'),
      frame.getByRole('link', { name: 'Change the time' }).click(),
    ]);

    expect(new URL(tab.url()).search).toBe('');
    await page.context().close();
  });
});

test('the screen of the page shows a preview of it, which can be walked through', async () => {
  const { host } = await newBarber();
  const context = await chromium.newContext({ locale: 'en-GB', timezoneId: 'UTC' });
  context.setDefaultTimeout(10_000);
  await context.addCookies([{ name: 'daybook', value: host.browser.cookies.get('daybook') ?? '', url: daybook.url }]);
  const page = await context.newPage();
  await page.goto(`${daybook.url}/your-page`);
  await page.getByText('How it looks in a frame').click();
  const preview = page.frameLocator('iframe');

  await preview.getByRole('link', { name: /^Next free/ }).press('Enter');

  await preview.getByLabel('Your name').waitFor();
  await context.close();
});

test('a page that is addressed without its frame is not shown', async () => {
  const { host } = await newBarber();
  expectConsoleError(/frame-ancestors 'none'/);

  const { page, frame } = await openFramed(`/with/${host.username}`, false);

  expect(await frame.locator('h1').count()).toBe(0);
  await page.context().close();
});
