import { beforeEach, describe, expect, test } from 'vitest';
import { isoAhead, type Person, password, registerProvider } from '../../support/factories';
import { useServer, useWorld } from '../../support/use-server';
import { type Page, titleOf, typedIn, type Visitor } from '../../support/visit';

/* A form that is sent when whoever opened it is not logged in any more, or somebody else is. */

const daybook = useServer();

const { rival } = useWorld(daybook, { rival: {} });
let host: Person;
beforeEach(async () => {
  host = await registerProvider(daybook);
});

/** It was done neither for whoever opened the form nor for whoever sent it, who is shown nothing of it. */
async function expectNothingOf(page: Page): Promise<void> {
  expect(page.status).toBe(403);
  expect(titleOf(page)).toBe('Not for this account');
  expect(page.text).not.toContain('Half');
  for (const who of [host, rival]) expect(await partiesOf(who)).toEqual([]);
}

const title = 'Half <written> & kept';
const send = 'Log in and send it';
const loginFields = ({ username }: Person, word = password) => ({ 'login-username': username, 'login-password': word });
async function newBrowserOf({ username }: Person): Promise<Visitor> {
  const browser = daybook.visitor();
  await browser.post('/login', { username, password });
  return browser;
}

const partiesOf = async (who: Person) =>
  ((await (await newBrowserOf(who)).api('GET', '/api/Party/GetMy')).json as { title: string }[]).map(
    ({ title }) => title,
  );

/** The form of a party, filled in; `meanwhile` is what happens to the login before it is sent. */
async function sendLate(meanwhile: (browser: Visitor) => Promise<unknown>): Promise<Page> {
  const form = await host.browser.visit('/create-party');
  await meanwhile(host.browser);
  return form.submit('Create party', { title, date: isoAhead(30), plusOnes: '3' });
}
const loggedOut = (browser: Visitor) => browser.post('/logout');
const endedElsewhere = async () => (await newBrowserOf(host)).post('/profile', { intent: 'everywhere' });

describe.each([
  ['here', loggedOut],
  ['on another device', endedElsewhere],
])('a form that is sent after a logout %s', (_, meanwhile) => {
  test('asks for the login', async () => {
    const page = await sendLate(meanwhile);

    expect(page.status).toBe(401);
    expect(titleOf(page)).toBe('You are logged out');
  });

  test('shows what was typed', async () => {
    expect((await sendLate(meanwhile)).words).toContain(title);
  });

  test('is not sent by a wrong password', async () => {
    const wrong = await (await sendLate(meanwhile)).submit(send, loginFields(host, 'Wrong horse 1'));

    expect(wrong.status).toBe(401);
    expect(wrong.words).toContain('Wrong username or password.');
    expect(wrong.headers.getSetCookie().join()).not.toContain('daybook=');
    expect(await partiesOf(host)).toEqual([]);
  });

  test('keeps the username after a wrong password, and not the password', async () => {
    const wrong = await (await sendLate(meanwhile)).submit(send, loginFields(host, 'Wrong horse 1'));

    expect(typedIn(wrong, 'login-username')).toBe(host.username);
    expect(wrong.text).not.toContain('Wrong horse');
  });

  test('is sent as it was typed by the login', async () => {
    const wrong = await (await sendLate(meanwhile)).submit(send, loginFields(host, 'Wrong horse 1'));

    const done = await wrong.submit(send, loginFields(host));

    expect(done.words).toContain(`${title} is ready to be shared.`);
    expect(await partiesOf(host)).toEqual([title]);
  });

  test('is sent once, however often the login is sent', async () => {
    const page = await sendLate(meanwhile);
    await page.submit(send, loginFields(host));

    await page.submit(send, loginFields(host));

    expect(await partiesOf(host)).toEqual([title]);
  });
});

test('a form that is sent after a logout does nothing for somebody else', async () => {
  const refused = await (await sendLate(loggedOut)).submit(send, loginFields(rival));

  expect(refused.words).toContain(`Welcome, ${rival.displayName}`);
  await expectNothingOf(refused);
});

test('a form does nothing for whoever has logged in meanwhile in the same browser', async () => {
  const page = await sendLate((browser) => browser.post('/login', { username: rival.username, password }));

  expect(page.words).toContain('Someone else opened this form');
  await expectNothingOf(page);
});
