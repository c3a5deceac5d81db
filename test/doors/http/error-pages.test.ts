import { describe, expect, test } from 'vitest';
import { expectConsoleError } from '../../support/console';
import { password, registerConsumer, registerProvider, several } from '../../support/factories';
import { createMeetup, createParty, linkOf } from '../../support/party-factories';
import { useServer } from '../../support/use-server';
import type { Page, Sent } from '../../support/visit';
import { useWorld } from '../../support/world';

/* What a page of a refusal has around it: the reader's own menu, and the headers that a refusal of the API has. */

const daybook = useServer();
const { host, maya } = useWorld(daybook, { host: {}, maya: {} });

const menuOf = (page: Page) => page.$$('nav[aria-label=Main] li a').map((link) => link.getAttribute('href'));
const consumers = ['/', '/view', '/view-booked', '/waitlist', '/week', '/news', '/invitations', '/profile', '/logout'];
const strangers = ['/', '/register', '/login'];

describe('a file that is refused', () => {
  test('is a page in the shell, with the right status and nothing for a script to do', async () => {
    const [party, meetup] = await Promise.all([createParty(host), createMeetup(host, { attendees: ['Ada'] })]);
    const { id } = linkOf(meetup, 'Ada');
    const refused = [
      ['/appointments/none/daybook.ics', 404],
      ['/party/none/daybook.ics', 404],
      [`/party/${meetup.id}/daybook.ics`, 404],
      [`/meetup-rsvp/${'x'.repeat(22)}/daybook.ics`, 404],
      [`/view-party/${party.id}/guests.csv`, 403],
      [`/manage-meetup/${meetup.id}/attendees.csv`, 403],
    ] as const;
    for (const [path, status] of refused) {
      const page = await maya.browser.get(path);
      expect([path, page.status]).toEqual([path, status]);
      expect(page.headers.get('content-type')).toMatch(/^text\/html/);
      expect(page.$('h1')?.getAttribute('aria-label')).toBe(status === 404 ? 'Nothing here' : 'Not for this account');
      expect(menuOf(page)).toEqual(consumers);
      expect(page.$$('script')).toEqual([]);
      const data = await maya.browser.get(`${path}?_data=routes%2Fmissing`);
      expect(data.status).toBeGreaterThanOrEqual(400);
    }
    const other = await registerProvider(daybook);
    expect((await other.browser.get(`/view-party/${party.id}/guests.csv`)).status).toBe(404);
    const stranger = await daybook.visitor().get(`/view-party/${party.id}/guests.csv`);
    expect(stranger.location).toBe(`/not-logged-in?to=${encodeURIComponent(`/view-party/${party.id}/guests.csv`)}`);
    for (const path of [`/party/${party.id}/daybook.ics`, `/meetup-rsvp/${id}/daybook.ics`]) {
      expect((await daybook.visitor().get(path)).headers.get('content-type')).toMatch(/^text\/calendar/);
    }
  });
});

test('a refusal is called by what went wrong in the title of its page, too', async () => {
  const party = await createParty(host);
  const letter = await daybook.visitor().get(`/party/${'x'.repeat(22)}`);
  const pages = [await maya.browser.get('/nowhere'), letter, await maya.browser.get(`/view-party/${party.id}`)];
  expect(pages.map((page) => page.$('title')?.text)).toEqual([
    'Nothing here · Daybook',
    'Nothing here · Daybook',
    'Not for this account · Daybook',
  ]);
});

describe('what a page does not take', () => {
  test('is a 405 that says what it takes, in the words of the page', async () => {
    for (const path of [
      '/',
      '/?index',
      '/view-booked',
      '/view',
      '/view/',
      '/party/none/daybook.ics',
      '/api',
      '/api/',
      '/API//',
      '/.//',
    ]) {
      const page = await maya.browser.post(path);
      expect([page.$('h1')?.getAttribute('aria-label'), menuOf(page)]).toEqual(['Not like this', consumers]);
      expect([path, page.status, page.headers.get('allow')]).toEqual([path, 405, 'GET, HEAD']);
      expect(page.words).toContain('This page does not take this kind of request.');
    }
    const page = await maya.browser.put('/profile');
    expect([page.status, page.headers.get('allow')]).toEqual([405, 'GET, POST']);
    expect(page.words).toContain('This page does not take this kind of request.');
    expect(menuOf(page)).toEqual(consumers);
  });
});

describe('a form', () => {
  const longest = 3 * 512 * 1024;

  test('that is too large is a 413 in plain words, whether it says how large it is or not', async () => {
    const displayName = 'x'.repeat(longest);
    const undeclared: Sent = { 'content-length': null, 'transfer-encoding': 'chunked' };
    for (const sent of [{}, undeclared]) {
      const page = await maya.browser.post('/profile', { intent: 'profile', displayName }, sent);
      expect([page.status, page.$('h1')?.getAttribute('aria-label')]).toEqual([413, 'Too much at once']);
      expect(page.words).toContain('This form is larger than we can take, so nothing was done.');
      expect(menuOf(page)).toEqual(consumers);
    }
    const page = await maya.browser.post('/profile', { intent: 'profile', displayName: displayName.slice(100) });
    expect(page.status).toBe(400);
    expect((await daybook.visitor().post('/login', { username: displayName })).status).toBe(413);
  });

  test.each([
    ['another type', 'application/json', '{"username":"x"}'],
    ['no type', '', 'x'],
    ['parts without a boundary', 'multipart/form-data', 'x'],
    ['parts that are cut off', 'multipart/form-data; boundary=b', '--b\r\nContent-Disposition: form-data; name="a"'],
  ])('of %s is a 400 in words, and one of nothing is an empty one', async (_, type, text) => {
    for (const path of ['/login', '/register', '/profile']) {
      const send = (body: string) =>
        fetch(`${daybook.url}${path}`, {
          method: 'POST',
          body,
          redirect: 'manual',
          headers: { 'content-type': type, cookie: maya.browser.cookies.header('/') ?? '' },
        });
      const refused = await send(text);
      expect([path, refused.status]).toEqual([path, 400]);
      expect(await refused.text()).toContain('We could not read this form, so nothing was done.');
      const empty = await send('');
      expect([path, empty.status]).toEqual([path, 400]);
      expect(await empty.text()).not.toContain('We could not read this form');
    }
  });

  test('in parts is read as any other, and a file in one of them is nothing', async () => {
    const send = (name: string, ...files: string[]) => {
      const body = new FormData();
      for (const field of files) body.append(field, new File([name], 'name.txt'));
      if (files.length === 0) body.append('username', name);
      body.append('password', password);
      return fetch(`${daybook.url}/login`, { method: 'POST', body, redirect: 'manual' });
    };
    expect((await send(maya.username)).status).toBe(303);
    const refused = await send(maya.username, 'username', 'once');
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
    const body = 'a&'.repeat(999);
    expect((await fetch(`${daybook.url}/logout`, { method: 'POST', body: new URLSearchParams(body) })).status).toBe(
      200,
    );
  });

  test('may have all that the rules allow, in any writing', async () => {
    const text = (number: number) => String(number).padEnd(500, '字');
    const questions = Array.from({ length: 10 }, (_, at) => ({
      questionText: text(at),
      questionType: 1,
      options: Array.from({ length: 19 }, (_, option) => text(option)),
    }));
    const question = questions.map((one) => JSON.stringify(one));
    const { status } = await host.browser.post('/create-template', { templateName: 'Full', question, press: 'save' });
    expect(status).toBe(303);
  });
});

describe('what was sent by another site', () => {
  test('is refused in words', async () => {
    const page = await maya.browser.post('/profile', {}, { 'sec-fetch-site': 'cross-site' });
    expect([page.status, page.$('h1')?.getAttribute('aria-label')]).toEqual([403, 'Sent from elsewhere']);
    expect(page.words).toContain('A page of another site sent this form');
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

describe('with rate limits on', () => {
  const limited = useServer({ vars: { RATE_LIMIT: undefined } });

  test('a form that was sent too often says when it can be sent again', async () => {
    const { username } = await registerConsumer(limited);
    const login = { username, password: 'Wrong password 1' };
    await several(10, () => limited.visitor().post('/login', login));
    const page = await limited.visitor().post('/login', login);
    expect(page.status).toBe(429);
    expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(menuOf(page)).toEqual(strangers);
    expect(page.$('input[name=username]')?.getAttribute('value')).toBe(username);
  });

  test('a template that was stopped is told so, and not that its question is wrong', async () => {
    const provider = await registerProvider(limited);
    const form = await provider.browser.visit('/create-template');
    const write = () => provider.api('DELETE', '/api/Checkin/DeleteTemplate?id=none');
    const sendWhenStopped = async () => {
      while ((await several(60, write)).every(({ status }) => status !== 429));
      return form.submit('Submit', { templateName: 'Kept' });
    };
    let page = await sendWhenStopped();
    // The minute may have turned in between.
    if (page.status === 200) page = await sendWhenStopped();
    expect([page.status, page.$('dialog h2')?.text]).toEqual([429, 'Not saved']);
    expect(page.$('input[name=templateName]')?.getAttribute('value')).toBe('Kept');
  });
});
