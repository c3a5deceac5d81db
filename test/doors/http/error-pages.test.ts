import { describe, expect, test } from 'vitest';
import { expectConsoleError } from '../../support/console';
import { password, registerConsumer, registerProvider } from '../../support/factories';
import { createMeetup, createParty, linkOf } from '../../support/party-factories';
import { useServer, useWorld } from '../../support/use-server';
import type { Page, Sent } from '../../support/visit';

/* What a page of a refusal has around it: the reader's own menu, and the headers that a refusal of the API has. */

const daybook = useServer();
const { host, rival, maya } = useWorld(daybook, { host: {}, rival: {}, maya: {} });

const menuOf = (page: Page) => page.$$('nav[aria-label=Main] li a').map((link) => link.getAttribute('href'));
const consumers = ['/', '/view', '/view-booked', '/waitlist', '/week', '/news', '/invitations', '/profile', '/logout'];

test('a file that is refused is a page in the shell, with the right status and nothing for a script to do', async () => {
  const [party, meetup] = [await createParty(host), await createMeetup(host)];
  const guests = `/view-party/${party.id}/guests.csv`;
  const refused = [
    ['/appointments/none/daybook.ics', 404],
    ['/party/none/daybook.ics', 404],
    [`/party/${meetup.id}/daybook.ics`, 404],
    [`/meetup-rsvp/${'x'.repeat(22)}/daybook.ics`, 404],
    [guests, 403],
    [`/manage-meetup/${meetup.id}/attendees.csv`, 403],
  ] as const;
  for (const [path, status] of refused) {
    const page = await maya.browser.get(path);
    expect([path, page.status]).toEqual([path, status]);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(page.$('title')?.text).toBe(`${status === 404 ? 'Nothing here' : 'Not for this account'} · Daybook`);
    expect(menuOf(page)).toEqual(consumers);
    expect(page.$$('script')).toEqual([]);
    expect((await maya.browser.get(`${path}?_data=routes%2Fmissing`)).status).toBeGreaterThanOrEqual(400);
  }
  expect((await rival.browser.get(guests)).status).toBe(404);
  expect((await daybook.visitor().get(guests)).location).toBe(`/not-logged-in?to=${encodeURIComponent(guests)}`);
  for (const path of [`/party/${party.id}/daybook.ics`, `/meetup-rsvp/${linkOf(meetup, 'Ada').id}/daybook.ics`]) {
    expect((await daybook.visitor().get(path)).headers.get('content-type')).toMatch(/^text\/calendar/);
  }
});

test('a refusal is called by what went wrong, in its heading and in the title of its page', async () => {
  const party = await createParty(host);
  const letter = await daybook.visitor().get(`/party/${'x'.repeat(22)}`);
  const pages = [await maya.browser.get('/nowhere'), letter, await maya.browser.get(`/view-party/${party.id}`)];
  for (const [place, name] of ['Nothing here', 'Nothing here', 'Not for this account'].entries()) {
    const page = pages[place];
    expect([page?.$('h1')?.getAttribute('aria-label'), page?.$('title')?.text]).toEqual([name, `${name} · Daybook`]);
  }
});

test('what a page does not take is a 405 that says what it takes, in the words of the page', async () => {
  const reading = [
    '/',
    '/?index',
    '/view-booked',
    '/view/',
    '/party/none/daybook.ics',
    '/api',
    '/api/',
    '/API//',
    '/.//',
  ];
  const refused = [
    ...(await Promise.all(reading.map((path) => maya.browser.post(path)))).map((page) => [page, 'GET, HEAD'] as const),
    [await maya.browser.put('/profile'), 'GET, POST'] as const,
  ];
  for (const [page, allowed] of refused) {
    expect([page.url, page.status, page.headers.get('allow')]).toEqual([page.url, 405, allowed]);
    expect([page.$('h1')?.getAttribute('aria-label'), menuOf(page)]).toEqual(['Not like this', consumers]);
    expect(page.words).toContain('This page does not take this kind of request.');
  }
});

test('what was sent by another site is refused in words', async () => {
  const page = await maya.browser.post('/profile', {}, { 'sec-fetch-site': 'cross-site' });
  expect([page.status, page.$('h1')?.getAttribute('aria-label')]).toEqual([403, 'Sent from elsewhere']);
  expect(page.words).toContain('A page of another site sent this form');
});

describe('a form', () => {
  test('that is too large is a 413 in plain words, whether it says how large it is or not', async () => {
    const displayName = 'x'.repeat(3 * 512 * 1024);
    const undeclared: Sent = { 'content-length': null, 'transfer-encoding': 'chunked' };
    for (const sent of [{}, undeclared]) {
      const page = await maya.browser.post('/profile', { intent: 'profile', displayName }, sent);
      expect([page.status, page.$('h1')?.getAttribute('aria-label')]).toEqual([413, 'Too much at once']);
      expect(page.words).toContain('This form is larger than we can take, so nothing was done.');
      expect(menuOf(page)).toEqual(consumers);
    }
    const page = await maya.browser.post('/profile', { intent: 'profile', displayName: displayName.slice(100) });
    expect(page.status).toBe(400);
  });

  test.each([
    ['another type', 'application/json', '{"username":"x"}'],
    ['no type', '', 'x'],
    ['parts without a boundary', 'multipart/form-data', 'x'],
    ['parts that are cut off', 'multipart/form-data; boundary=b', '--b\r\nContent-Disposition: form-data; name="a"'],
  ])('of %s is a 400 in words, and one of nothing is an empty one', async (_, type, text) => {
    const headers = { 'content-type': type, cookie: maya.browser.cookies.header('/') ?? '' };
    for (const path of ['/login', '/register', '/profile']) {
      for (const body of [text, '']) {
        const answer = await fetch(daybook.url + path, { method: 'POST', body, redirect: 'manual', headers });
        const isUnread = (await answer.text()).includes('We could not read this form, so nothing was done.');
        expect([path, body, answer.status, isUnread]).toEqual([path, body, 400, body !== '']);
      }
    }
  });

  test('in parts is read as any other, and a file in one of them is nothing', async () => {
    const send = (username: string | File) => {
      const body = new FormData();
      body.append('username', username);
      body.append('password', password);
      return fetch(`${daybook.url}/login`, { method: 'POST', body, redirect: 'manual' });
    };
    expect((await send(maya.username)).status).toBe(303);
    const refused = await send(new File([maya.username], 'name.txt'));
    expect(refused.status).toBe(400);
    const page = await refused.text();
    expect(page).toContain('Username is missing.');
    expect(page).not.toMatch(/\[object|name\.txt/);
  });

  test('of fields that are called like what every object has is read as any other', async () => {
    const page = await maya.browser.post('/profile', { intent: 'profile', constructor: 'x', toString: 'y' });
    expect([page.status, page.words.includes(' is missing.')]).toEqual([400, true]);
  });

  test('of very many fields of one name is read at once', async () => {
    const { status } = await daybook.visitor().post('/logout', new URLSearchParams('a&'.repeat(999)));
    expect(status).toBe(303);
  });

  test('may have all that the rules allow, in any writing', async () => {
    const text = (number: number) => String(number).padEnd(500, '字');
    const options = Array.from({ length: 19 }, (_, option) => text(option));
    const question = Array.from({ length: 10 }, (_, at) =>
      JSON.stringify({ questionText: text(at), questionType: 1, options }),
    );
    const { status } = await host.browser.post('/create-template', { templateName: 'Full', question, press: 'save' });
    expect(status).toBe(303);
  });
});

describe('while the storage is down', () => {
  const broken = useServer();

  test('a page says when to try again, and has the menu of whoever the cookie names', async () => {
    const [reader, writer] = [await registerConsumer(broken), await registerProvider(broken)];
    await broken.d1.prepare('ALTER TABLE sessions RENAME TO elsewhere').run();
    expectConsoleError(/storage unavailable/);
    const pages = [
      await reader.browser.get('/view-booked'),
      await reader.browser.post('/logout'),
      await reader.browser.get('/appointments/none/daybook.ics'),
    ];
    for (const page of pages) {
      expect(page.status).toBe(503);
      expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(menuOf(page)).toEqual(consumers);
      expect(page.words).toContain('Try Again?');
    }
    // This one reads nothing but whose session it is.
    expect((await writer.browser.get('/create-template')).status).toBe(503);
    await broken.d1.prepare('ALTER TABLE elsewhere RENAME TO sessions').run();
  });
});
