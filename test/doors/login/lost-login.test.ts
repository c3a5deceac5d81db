import { beforeEach, expect, test } from 'vitest';
import { type Person, password, registerProvider } from '../../support/factories';
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
  expect([page.status, titleOf(page)]).toEqual([403, 'Not for this account']);
  expect(page.text).not.toContain('Half');
  expect([await partiesOf(host), await partiesOf(rival)]).toEqual([[], []]);
}

const title = 'Half <written> & kept';
const send = 'Log in and send it';
const login = ({ username }: Person, word = password) => ({ 'login-username': username, 'login-password': word });
async function elsewhere({ username }: Person): Promise<Visitor> {
  const browser = daybook.visitor();
  await browser.post('/login', { username, password });
  return browser;
}
const partiesOf = async (who: Person) =>
  ((await (await elsewhere(who)).api('GET', '/api/Party/GetMy')).json as { title: string }[]).map(({ title }) => title);

/** The form of a party, filled in; `meanwhile` is what happens to the login before it is sent. */
async function sentLate(meanwhile: (browser: Visitor) => Promise<unknown>): Promise<Page> {
  const form = await host.browser.visit('/create-party');
  await meanwhile(host.browser);
  return form.submit('Create party', { title, date: '2030-02-01', plusOnes: '3' });
}
const loggedOut = (browser: Visitor) => browser.post('/logout');
const endedElsewhere = async () => (await elsewhere(host)).post('/profile', { intent: 'everywhere' });

test.each([
  ['here', loggedOut],
  ['on another device', endedElsewhere],
])(
  'a form that is sent after a logout %s asks for the login on the page that keeps it, and is sent as it was typed, once',
  async (_, meanwhile) => {
    const page = await sentLate(meanwhile);
    expect([page.status, titleOf(page)]).toEqual([401, 'You are logged out']);
    expect(page.words).toContain(title);
    const wrong = await page.submit(send, login(host, 'Wrong horse 1'));
    expect([wrong.status, typedIn(wrong, 'login-username')]).toEqual([401, host.username]);
    expect(wrong.words).toContain('Wrong username or password.');
    expect(wrong.text).not.toContain('Wrong horse');
    expect(wrong.headers.getSetCookie().join()).not.toContain('daybook=');
    expect((await wrong.submit(send, login(host))).words).toContain(`${title} is ready to be shared.`);
    await wrong.submit(send, login(host));
    expect(await partiesOf(host)).toEqual([title]);
  },
);

test('a form that is sent after a logout does nothing for somebody else', async () => {
  const refused = await (await sentLate(loggedOut)).submit(send, login(rival));
  expect(refused.words).toContain(`Welcome, ${rival.displayName}`);
  await expectNothingOf(refused);
});

test('a form does nothing for whoever has logged in meanwhile in the same browser', async () => {
  const page = await sentLate((browser) => browser.post('/login', { username: rival.username, password }));
  expect(page.words).toContain('Someone else opened this form');
  await expectNothingOf(page);
});
