import { describe, expect, test } from 'vitest';
import { expectConsoleError } from '../../support/console';
import { registerConsumer } from '../../support/factories';
import { createParty } from '../../support/party-factories';
import { useServer, useWorld } from '../../support/use-server';
import type { Page, Sent } from '../../support/visit';

/* What a page of a refusal has around it: the reader's own menu, and the headers that a refusal of the API has. */

const daybook = useServer();
const { host, maya } = useWorld(daybook, { host: {}, maya: {} });

const menuOf = (page: Page) => page.$$('nav[aria-label=Main] li a').map((link) => link.getAttribute('href'));
const consumers = ['/', '/view', '/view-booked', '/waitlist', '/week', '/news', '/invitations', '/profile', '/logout'];
const fromElsewhere = { 'sec-fetch-site': 'cross-site' };
const guestsOf = async () => `/view-party/${(await createParty(host)).id}/guests.csv`;
const tooLarge = { intent: 'profile', displayName: 'x'.repeat(3 * 512 * 1024) };
const undeclared: Sent = { 'content-length': null, 'transfer-encoding': 'chunked' };
const notLikeThis = 'This page does not take this kind of request.';
const isTooLarge = 'This form is larger than we can take, so nothing was done.';

test.each<[what: string, ask: () => Promise<Page>, status: number, name: string, words: string]>([
  ['nothing', () => maya.browser.get('/nowhere'), 404, 'Nothing here', ''],
  ['no file', () => maya.browser.get('/appointments/none/daybook.ics'), 404, 'Nothing here', ''],
  ['a file of a host', async () => maya.browser.get(await guestsOf()), 403, 'Not for this account', ''],
  ['a read page', () => maya.browser.post('/view-booked'), 405, 'Not like this', notLikeThis],
  ['a read file', () => maya.browser.post('/party/none/daybook.ics'), 405, 'Not like this', notLikeThis],
  ['the list of calls', () => maya.browser.post('/API//'), 405, 'Not like this', notLikeThis],
  ['another method', () => maya.browser.put('/profile'), 405, 'Not like this', notLikeThis],
  ['another site', () => maya.browser.post('/profile', {}, fromElsewhere), 403, 'Sent from elsewhere', 'another site'],
  ['a large form', () => maya.browser.post('/profile', tooLarge), 413, 'Too much at once', isTooLarge],
  ['one undeclared', () => maya.browser.post('/profile', tooLarge, undeclared), 413, 'Too much at once', isTooLarge],
])('a refusal of %s is called by what went wrong, in the shell of its reader', async (_, ask, status, name, words) => {
  const page = await ask();
  expect([page.status, page.$('h1')?.getAttribute('aria-label')]).toEqual([status, name]);
  expect(page.$('title')?.text).toBe(`${name} · Daybook`);
  expect(page.words).toContain(words);
  expect(menuOf(page)).toEqual(consumers);
  if (status === 405) expect(page.headers.get('allow')).toMatch(/^GET, (HEAD|POST)$/);
});

describe('a form', () => {
  test.each([
    ['another type', 'application/json', '{"username":"x"}'],
    ['no type', '', 'x'],
    ['parts that are cut off', 'multipart/form-data; boundary=b', '--b\r\nContent-Disposition: form-data; name="a"'],
  ])('of %s is a 400 in words, and one of nothing is an empty one', async (_, type, text) => {
    const headers = { 'content-type': type, cookie: maya.browser.cookies.header('/') ?? '' };
    for (const body of [text, '']) {
      const answer = await fetch(`${daybook.url}/profile`, { method: 'POST', body, redirect: 'manual', headers });
      const isUnread = (await answer.text()).includes('We could not read this form, so nothing was done.');
      expect([body, answer.status, isUnread]).toEqual([body, 400, body !== '']);
    }
  });

  test('of fields that are called like what every object has is read as any other', async () => {
    const page = await maya.browser.post('/profile', { intent: 'profile', constructor: 'x', toString: 'y' });
    expect([page.status, page.words.includes(' is missing.')]).toEqual([400, true]);
  });

  test('may have all that the rules allow, in any writing', async () => {
    const texts = Array.from({ length: 19 }, (_, number) => String(number).padEnd(500, '字'));
    const question = texts
      .slice(0, 10)
      .map((questionText) => JSON.stringify({ questionText, questionType: 1, options: texts }));
    const full = { templateName: 'Full', question, press: 'save' };
    expect((await host.browser.post('/create-template', full)).status).toBe(303);
  });
});

const broken = useServer();
test('while the storage is down a page says when to try again, and has the menu of whoever the cookie names', async () => {
  const { browser } = await registerConsumer(broken);
  await broken.d1.prepare('ALTER TABLE sessions RENAME TO elsewhere').run();
  expectConsoleError(/storage unavailable/);
  for (const page of [await browser.get('/view-booked'), await browser.post('/logout')]) {
    expect([page.status, page.words]).toEqual([503, expect.stringContaining('Try Again?')]);
    expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(menuOf(page)).toEqual(consumers);
  }
  await broken.d1.prepare('ALTER TABLE elsewhere RENAME TO sessions').run();
});
