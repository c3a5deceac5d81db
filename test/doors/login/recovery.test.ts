import { describe, expect, test } from 'vitest';
import { newsKinds, profileOf } from '../../support/account-calls';
import { book, type Person, password, peopleAt, publishOne } from '../../support/factories';
import { bookedSubject, countMails, mailTo, newAddress } from '../../support/mails';
import { useServer } from '../../support/use-server';

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

const mailOf = (address: string, subject: RegExp) => mailTo(daybook.visitor(), address, subject);
/** How many mails that address has got. */
const mailCountOf = (address: string) => countMails(daybook.visitor(), address);
const askForLink = (body: object) => daybook.visitor().api('POST', '/api/Account/ForgotPassword', body);
const resetPassword = (body: object) => daybook.visitor().api('PUT', '/api/Account/ResetPassword', body);
const put = (who: Person, call: string, body: object) => who.api('PUT', `/api/Account/${call}`, body);

const confirmationOf = async (address: string) =>
  (await mailOf(address, /Is this your address/)).link('/confirm-email/');
const confirm = async (address: string, browser = daybook.visitor()) =>
  (await browser.visit(await confirmationOf(address))).submit('Yes, this is my address');

const setEmail = (who: Person, email: string | null, word = password) =>
  put(who, 'SetEmail', { email, password: word });
const newPassword = 'Better horse 2';

/** Gives somebody an address that they have confirmed by the link of the mail. */
async function confirmedAddress(who: Person): Promise<string> {
  const email = newAddress();
  expect((await setEmail(who, email)).status).toBe(200);
  await confirm(email, who.browser);
  return email;
}

describe('an address that nobody has confirmed', () => {
  test('is not confirmed by a program that follows the link of the mail', async () => {
    const provider = await newProvider();
    const email = newAddress();
    await setEmail(provider, email);

    expect((await daybook.visitor().get(await confirmationOf(email))).status).toBe(200);

    expect((await provider.browser.visit('/email')).text).toContain('is not confirmed yet');
  });

  test('gets no mail but the question whether it is theirs', async () => {
    const [provider, consumer] = [await newProvider(), await newConsumer()];
    const email = newAddress();
    await setEmail(provider, email);
    await book(consumer, await publishOne(provider));

    await confirm(email, provider.browser);
    await book(consumer, await publishOne(provider, { start: '10:00', end: '10:30' }));

    expect((await mailOf(email, /^Booked: /)).text).toContain(', 10:00 to 10:30, UTC.');
    expect(await mailCountOf(email)).toBe(2);
  });

  test('is confirmed by the button of its page', async () => {
    const provider = await newProvider();
    const email = newAddress();
    await setEmail(provider, email);

    expect((await confirm(email, provider.browser)).text).toContain('Your address is confirmed.');
  });
});

describe('an address at registration', () => {
  const rosa = (username: string) => ({ displayName: 'Rosa', username, password, role: 'Consumer' });

  test('must be an address', async () => {
    const screen = await daybook.visitor().visit('/register');

    const wrong = await screen.submit('Register', { ...rosa('rosa.wrong'), email: 'rosa at home' });

    expect(wrong.status).toBe(400);
    expect(wrong.words).toContain('That is no e-mail address.');
  });

  test('is asked whether it is theirs', async () => {
    const email = newAddress();
    const screen = await daybook.visitor().visit('/register');

    expect((await screen.submit('Register', { ...rosa('rosa.way'), email })).path).toBe('/profile');

    expect((await confirm(email)).status).toBe(200);
  });

  test('may be left out', async () => {
    expect(await profileOf(await newConsumer({ email: '' }))).toMatchObject({ email: null });
  });
});

describe('an address that is confirmed without a session', () => {
  /** A consumer with two bookings of the time before, and the page on which their address was confirmed. */
  async function confirmedElsewhere() {
    const [provider, consumer] = [await newProvider(), await newConsumer()];
    const email = newAddress();
    const slots = [await publishOne(provider), await publishOne(provider, { start: '10:00', end: '10:30' })];
    for (const slot of slots) await book(consumer, slot);
    await setEmail(consumer, email);
    return { provider, consumer, email, slots, page: await confirm(email) };
  }

  test('says so, and what is next', async () => {
    const { page, slots } = await confirmedElsewhere();

    expect(page.words).toMatch(/Your address is confirmed\..*Your next appointment is with/s);
    expect(page.$(`main a[href="/details-cancel/${slots[0]?.id}"]`)).not.toBeNull();
  });

  test('says so again when the link is opened again', async () => {
    const { page } = await confirmedElsewhere();

    const { words } = await daybook.visitor().get(page.path);

    expect(words).toMatch(/Your address is confirmed\..*Your next appointment is with/s);
  });

  test('gets no mail of what was before', async () => {
    const { provider, consumer, email } = await confirmedElsewhere();

    await book(consumer, await publishOne(provider, { start: '11:00', end: '11:30' }));

    await mailOf(email, bookedSubject);
    expect(await mailCountOf(email)).toBe(2);
  });
});

describe('a changed address', () => {
  test('is told at the address before', async () => {
    const who = await newConsumer();
    const email = await confirmedAddress(who);

    await setEmail(who, newAddress());

    expect((await mailOf(email, /^Your e-mail address was changed/)).text).not.toBe('');
  });

  test('is told in the news', async () => {
    const who = await newConsumer();
    await confirmedAddress(who);

    await setEmail(who, newAddress());

    expect(await newsKinds(who)).toEqual(['email', 'email', 'confirm-email', 'confirm-email']);
  });
});

test('a new password is told in the news', async () => {
  const who = await newConsumer();

  await (await who.browser.visit('/profile')).submit('Change password', { password, newPassword });

  expect(await newsKinds(who)).toEqual(['password']);
});

describe('removing an address', () => {
  const remove = 'Remove my address';

  test('by its form needs the password', async () => {
    const provider = await newProvider();
    await confirmedAddress(provider);
    const screen = await provider.browser.visit('/email');

    const refused = await screen.submit(remove, { email: '', password: 'Wrong horse 1' });

    expect(refused.status).toBe(400);
  });

  test('by its form leaves none', async () => {
    const provider = await newProvider();
    await confirmedAddress(provider);
    const screen = await provider.browser.visit('/email');

    const done = await screen.submit(remove, { email: '', password });

    expect(done.words).toContain('You have given no address.');
  });

  test('is told in the last mail there', async () => {
    const [provider, consumer] = [await newProvider(), await newConsumer()];
    const email = await confirmedAddress(provider);
    await setEmail(provider, null);

    await mailOf(email, /^Your e-mail address was changed/);
    await book(consumer, await publishOne(provider));

    expect(await mailCountOf(email)).toBe(2);
  });

  test('by a call may be repeated', async () => {
    const consumer = await newConsumer();
    await confirmedAddress(consumer);

    const responses = [await setEmail(consumer, null), await setEmail(consumer, null)];

    for (const { json } of responses) expect(json).toMatchObject({ email: null });
  });

  test('ends the link that asks about it', async () => {
    const consumer = await newConsumer();
    const link = await confirmationOf(await confirmedAddress(consumer));
    await setEmail(consumer, null);

    const late = await (await consumer.browser.visit(link)).submit('Yes, this is my address');

    expect(late.status).toBe(409);
    expect(late.words).toContain('was changed since this mail');
  });
});

describe('setting an address', () => {
  test('needs the password', async () => {
    const who = await newConsumer();

    const refused = await setEmail(who, newAddress(), 'Wrong horse 1');

    expect(refused.status).toBe(400);
    expect(refused.json).toEqual(['That is not your current password.']);
  });

  test.each([
    ['no text', undefined],
    ['a blank', ''],
    ['a host without a dot', 'a@b'],
    ['two addresses', 'a@b.com, c@d.com'],
    ['an address of 256 characters', `${'a'.repeat(250)}@b.com`],
    ['a second line', 'a@b.com\r\nBcc: c@d.com'],
  ])('is refused for %s', async (_, email) => {
    const who = await newConsumer();

    expect((await put(who, 'SetEmail', { email, password })).status).toBe(400);
  });
});

describe('a link for a new password', () => {
  const set = 'Set the new password';

  /** The page of the link in the mail, which somebody asked for on the screens. */
  async function passwordPage() {
    const who = await newConsumer();
    const email = await confirmedAddress(who);
    const stranger = daybook.visitor();
    const login = await stranger.visit('/login');
    await (await login.click('Forgotten your password?')).submit('Send me a link', { username: who.username });
    const path = (await mailOf(email, /^A new password/)).link('/reset-password/');
    return { who, stranger, path, page: await stranger.visit(path) };
  }

  test('sets it', async () => {
    const { who, stranger, page } = await passwordPage();

    const done = await page.submit(set, { password: newPassword });

    expect(done.text).toContain('Your new password is set.');
    const credentials = { username: who.username, password: newPassword };
    expect((await stranger.api('POST', '/api/Account/Login', credentials)).status).toBe(200);
  });

  test('takes no weak password, and a better one after it', async () => {
    const { page } = await passwordPage();

    const weak = await page.submit(set, { password: 'short' });

    expect(weak.status).toBe(400);
    expect((await weak.submit(set, { password: newPassword })).text).toContain('Your new password is set.');
  });

  test('sets it once', async () => {
    const { page } = await passwordPage();
    await page.submit(set, { password: newPassword });

    const again = await page.submit(set, { password: 'Third horse 3' });

    expect(again.status).toBe(400);
    expect(again.words).toContain('It was used already');
  });

  test('says that it was used', async () => {
    const { stranger, path, page } = await passwordPage();
    await page.submit(set, { password: newPassword });

    const spent = await stranger.visit(path);

    expect(spent.words).toContain('good no more');
    expect(spent.$('input[type=password]')).toBeNull();
  });

  test('logs every device out', async () => {
    const { who, page } = await passwordPage();

    await page.submit(set, { password: newPassword });

    expect((await who.api('GET', '/api/Account/Profile')).status).toBe(400);
  });

  test('is mailed three times at most, and once for a form that is sent twice', async () => {
    const email = await confirmedAddress(await newConsumer());
    const page = await daybook.visitor().visit('/forgot-password');

    for (const _ of [1, 2]) await page.submit('Send me a link', { username: email });
    for (const _ of [2, 3, 4]) await askForLink({ email });

    // A mail that is asked for later, so that those before it have gone out.
    const other = await confirmedAddress(await newConsumer());
    await askForLink({ email: other });
    await mailOf(other, /^A new password/);
    const questions = 1;
    await expect.poll(() => mailCountOf(email)).toBe(questions + 3);
  });

  const tokenTo = async (email: string) => {
    await askForLink({ email });
    return (await mailOf(email, /^A new password/)).link('/reset-password/').slice(16);
  };

  test('is good while the account keeps its address', async () => {
    const token = await tokenTo(await confirmedAddress(await newConsumer()));

    expect((await resetPassword({ token, password: newPassword })).status).toBe(200);
  });

  test('is not good once the account has another address', async () => {
    const who = await newConsumer();
    const token = await tokenTo(await confirmedAddress(who));

    await confirmedAddress(who);

    expect((await resetPassword({ token, password: newPassword })).status).toBe(400);
  });

  test('is not good once its address is set again and not confirmed again', async () => {
    const who = await newConsumer();
    const email = await confirmedAddress(who);
    const token = await tokenTo(email);
    await confirmedAddress(who);

    await setEmail(who, email);

    expect((await resetPassword({ token, password: newPassword })).status).toBe(400);
  });

  test('is promised to everybody in the same words', async () => {
    const { username } = await newConsumer();
    const known = await askForLink({ username });

    expect(known.status).toBe(202);
    for (const body of [{ username: 'nobody-here' }, { email: 'nobody@example.com' }]) {
      const { status, text } = await askForLink(body);
      expect({ status, text }).toEqual({ status: 202, text: known.text });
    }
  });

  test('is not asked for by nobody', async () => {
    expect((await askForLink({})).status).toBe(400);
  });

  test('of another purpose sets no password', async () => {
    const who = await newConsumer();
    const email = newAddress();
    await setEmail(who, email);
    const token = (await confirmationOf(email)).split('/').at(-1);

    expect((await resetPassword({ token, password: newPassword })).status).toBe(400);
  });

  test('that is cut off sets no password', async () => {
    const token = await tokenTo(await confirmedAddress(await newConsumer()));

    expect((await resetPassword({ token: token.slice(0, -1), password: newPassword })).status).toBe(400);
  });

  test.each(['', 'x', 'a.b', 'QUJD.QUJDREVGR0hJSktMTU5PUA'])('made up as "%s" sets no password', async (token) => {
    expect((await resetPassword({ token, password: newPassword })).status).toBe(400);
  });
});

describe('recovery codes', () => {
  const makeCodes = async (who: Person) =>
    (await who.api('POST', '/api/Account/MakeRecoveryCodes', { password })).json as string[];

  test('are ten that differ', async () => {
    const codes = await makeCodes(await newConsumer());

    expect(codes).toHaveLength(10);
    expect(new Set(codes).size).toBe(10);
  });

  test('set a new password, however they are typed', async () => {
    const who = await newConsumer();
    const [code = ''] = await makeCodes(who);
    const page = await daybook.visitor().visit('/reset-password');

    const typed = { username: who.username.toUpperCase(), code: ` ${code.toLowerCase().replace('-', ' ')} ` };
    const done = await page.submit('Set the new password', { ...typed, password: newPassword });

    expect(done.text).toContain('Your new password is set.');
  });

  test('set a new password once each', async () => {
    const who = await newConsumer();
    const { username } = who;
    const [code, other] = await makeCodes(who);
    await resetPassword({ username, code, password: newPassword });

    expect((await resetPassword({ username, code, password: 'Third horse 3' })).status).toBe(400);
    expect((await resetPassword({ username, code: other, password: 'Third horse 3' })).status).toBe(200);
  });

  test('are made for the password alone', async () => {
    const who = await newConsumer();

    const refused = await who.api('POST', '/api/Account/MakeRecoveryCodes', { password: 'Wrong horse 1' });

    expect(refused.status).toBe(400);
  });

  test('are good for their own account alone, and tell nobody which accounts there are', async () => {
    const [who, another] = [await newConsumer(), await newConsumer()];
    const [code = ''] = await makeCodes(who);

    const wrong = await resetPassword({ username: another.username, code, password: newPassword });
    const unknown = await resetPassword({ username: 'nobody-here', code, password: newPassword });

    expect(wrong.status).toBe(400);
    expect({ status: wrong.status, text: wrong.text }).toEqual({ status: unknown.status, text: unknown.text });
  });

  test('are good until others are made', async () => {
    const who = await newConsumer();
    const [code = ''] = await makeCodes(who);

    await makeCodes(who);

    expect((await resetPassword({ username: who.username, code, password: newPassword })).status).toBe(400);
  });
});
