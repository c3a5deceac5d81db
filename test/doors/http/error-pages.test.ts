import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectConsoleError } from '../../support/console';
import { type Person, registerConsumer } from '../../support/factories';
import { createParty } from '../../support/party-factories';
import { useServer, useWorld } from '../../support/use-server';
import type { Page, Sent } from '../../support/visit';

/* What a page of a refusal has around it: the reader's own menu, and the headers that a refusal of the API has. */

const daybook = useServer();
const { host, maya } = useWorld(daybook, { host: {}, maya: {} });

const menuOf = (page: Page) => page.$$('nav[aria-label=Main] li a').map((link) => link.getAttribute('href'));
const consumers = ['/', '/view', '/view-booked', '/waitlist', '/week', '/news', '/invitations', '/profile', '/logout'];
const fromElsewhere = { 'sec-fetch-site': 'cross-site' };
const pathOfGuests = async () => `/view-party/${(await createParty(host)).id}/guests.csv`;
const tooLarge = { intent: 'profile', displayName: 'x'.repeat(3 * 512 * 1024) };
const undeclared: Sent = { 'content-length': null, 'transfer-encoding': 'chunked' };
const notLikeThis = 'This page does not take this kind of request.';
const isTooLarge = 'This form is larger than we can take, so nothing was done.';

type Refusal = [what: string, ask: () => Promise<Page>, status: number, name: string, words?: string];
const refusals: Refusal[] = [
  ['nothing', () => maya.browser.get('/nowhere'), 404, 'Nothing here'],
  ['no file', () => maya.browser.get('/appointments/none/daybook.ics'), 404, 'Nothing here'],
  ['a file of a host', async () => maya.browser.get(await pathOfGuests()), 403, 'Not for this account'],
  ['a read page', () => maya.browser.post('/view-booked'), 405, 'Not like this', notLikeThis],
  ['a read file', () => maya.browser.post('/party/none/daybook.ics'), 405, 'Not like this', notLikeThis],
  ['the list of calls', () => maya.browser.post('/API//'), 405, 'Not like this', notLikeThis],
  ['another method', () => maya.browser.put('/profile'), 405, 'Not like this', notLikeThis],
  ['another site', () => maya.browser.post('/profile', {}, fromElsewhere), 403, 'Sent from elsewhere', 'another site'],
  ['a large form', () => maya.browser.post('/profile', tooLarge), 413, 'Too much at once', isTooLarge],
  ['one undeclared', () => maya.browser.post('/profile', tooLarge, undeclared), 413, 'Too much at once', isTooLarge],
];

describe.each(refusals)('a refusal of %s', (_, ask, status, name, words = '') => {
  let page: Page;
  beforeAll(async () => {
    page = await ask();
  });

  test(`has status ${status}`, () => {
    expect(page.status).toBe(status);
  });

  test('is called by what went wrong', () => {
    expect(page.$('h1')?.getAttribute('aria-label')).toBe(name);
    expect(page.$('title')?.text).toBe(`${name} · Daybook`);
    expect(page.words).toContain(words);
  });

  test('has the menu of its reader', () => {
    expect(menuOf(page)).toEqual(consumers);
  });
});

const wrongMethods = refusals.filter(([, , status]) => status === 405);
test.each(wrongMethods)('a refusal of %s says which methods are taken', async (_, ask) => {
  expect((await ask()).headers.get('allow')).toMatch(/^GET, (HEAD|POST)$/);
});

describe('a form', () => {
  async function send(type: string, body: string): Promise<{ status: number; text: string }> {
    const headers = { 'content-type': type, cookie: maya.browser.cookies.header('/') ?? '' };
    const response = await fetch(`${daybook.url}/profile`, { method: 'POST', body, redirect: 'manual', headers });
    return { status: response.status, text: await response.text() };
  }
  const isUnread = 'We could not read this form, so nothing was done.';
  const multipart = 'multipart/form-data; boundary=b';

  test.each([
    ['another type', 'application/json', '{"username":"x"}'],
    ['no type', '', 'x'],
    ['parts that are cut off', multipart, '--b\r\nContent-Disposition: form-data; name="a"'],
  ])('of %s is a 400 in words', async (_, type, body) => {
    const { status, text } = await send(type, body);

    expect(status).toBe(400);
    expect(text).toContain(isUnread);
  });

  test.each(['application/json', '', multipart])('of nothing, called %j, is an empty one', async (type) => {
    const { status, text } = await send(type, '');

    expect(status).toBe(400);
    expect(text).not.toContain(isUnread);
  });

  test('of fields that are called like what every object has is read as any other', async () => {
    const page = await maya.browser.post('/profile', { intent: 'profile', constructor: 'x', toString: 'y' });

    expect(page.status).toBe(400);
    expect(page.words).toContain(' is missing.');
  });

  test('may have all that the rules allow, in any writing', async () => {
    const texts = Array.from({ length: 19 }, (_, number) => String(number).padEnd(500, '字'));
    const question = texts
      .slice(0, 10)
      .map((questionText) => JSON.stringify({ questionText, questionType: 1, options: texts }));

    const page = await host.browser.post('/create-template', { templateName: 'Full', question, press: 'save' });

    expect(page.status).toBe(303);
  });
});

const broken = useServer();
describe('while the storage is down', () => {
  let reader: Person;
  beforeAll(async () => {
    reader = await registerConsumer(broken);
    await broken.d1.prepare('ALTER TABLE sessions RENAME TO elsewhere').run();
  });
  afterAll(() => broken.d1.prepare('ALTER TABLE elsewhere RENAME TO sessions').run());
  beforeEach(() => expectConsoleError(/storage unavailable/));

  describe.each<[what: string, ask: () => Promise<Page>]>([
    ['a page', () => reader.browser.get('/view-booked')],
    ['the response to a form', () => reader.browser.post('/logout')],
  ])('%s', (_, ask) => {
    test('asks to try again', async () => {
      const page = await ask();

      expect(page.status).toBe(503);
      expect(page.words).toContain('Try Again?');
    });

    test('says when', async () => {
      const page = await ask();

      expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0);
    });

    test('has the menu of whoever the cookie names', async () => {
      const page = await ask();

      expect(menuOf(page)).toEqual(consumers);
    });
  });

  test('shows of a form what somebody typed, and no field that nobody did', async () => {
    const chosen = { service: 'service-id', terms: '45 30 euros', zone: 'Asia/Tokyo' };

    const page = await reader.browser.post('/profile', { intent: 'profile', displayName: 'Ada Lind', ...chosen });

    const shown = page.$$('main form li').map(({ text }) => text);
    expect(shown).toEqual(['Ada Lind']);
  });
});
