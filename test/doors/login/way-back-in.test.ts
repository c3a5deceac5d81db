import { describe, expect, test } from 'vitest';
import { newsKinds, profileOf } from '../../support/account-calls';
import { book, type Person, password, peopleAt, publishOne } from '../../support/factories';
import { bookedSubject, countMails, mailTo, newAddress } from '../../support/mails';
import { useServer } from '../../support/use-server';

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

const mails = (address: string, subject: RegExp) => mailTo(daybook.visitor(), address, subject);
/** How many mails that address has got. */
const mailsTo = (address: string) => countMails(daybook.visitor(), address);
const askAnew = (body: object) => daybook.visitor().api('POST', '/api/Account/ForgotPassword', body);
const reset = (body: object) => daybook.visitor().api('PUT', '/api/Account/ResetPassword', body);
const put = (who: Person, call: string, body: object) => who.api('PUT', `/api/Account/${call}`, body);

const confirmationOf = async (address: string) =>
  (await mails(address, /Is this your address/)).link('/confirm-email/');
const confirm = async (address: string, browser = daybook.visitor()) =>
  (await browser.visit(await confirmationOf(address))).submit('Yes, this is my address');

/** Gives somebody an address that they have confirmed by the link of the mail. */
async function confirmed(who: Person): Promise<string> {
  const email = newAddress();
  expect((await put(who, 'SetEmail', { email, password })).status).toBe(200);
  await confirm(email, who.browser);
  return email;
}

describe('an e-mail address', () => {
  test('gets nothing but the question whether it is its account’s, until that is answered by a button', async () => {
    const [provider, consumer] = [await newProvider(), await newConsumer()];
    const email = newAddress();
    await put(provider, 'SetEmail', { email, password });
    // Programs that look at mails follow their links.
    expect((await daybook.visitor().get(await confirmationOf(email))).status).toBe(200);
    await book(consumer, await publishOne(provider));
    expect((await provider.browser.visit('/email')).text).toContain('is not confirmed yet');
    expect((await confirm(email, provider.browser)).text).toContain('Your address is confirmed.');
    await book(consumer, await publishOne(provider, { start: '10:00', end: '10:30' }));
    expect((await mails(email, /^Booked: /)).text).toContain(', 10:00 to 10:30, UTC.');
    expect(await mailsTo(email)).toBe(2);
  });

  test('is asked for at registration, where it may be left out, and is asked there whether it is theirs', async () => {
    const typed = { displayName: 'Rosa', username: 'rosa.way', password, role: 'Consumer' };
    const screen = await daybook.visitor().visit('/register');
    const wrong = await screen.submit('Register', { ...typed, email: 'rosa at home' });
    expect([wrong.status, wrong.words]).toEqual([400, expect.stringContaining('That is no e-mail address.')]);
    const email = newAddress();
    expect((await wrong.submit('Register', { ...typed, email })).path).toBe('/profile');
    expect((await confirm(email)).status).toBe(200);
    expect(await profileOf(await newConsumer({ email: '' }))).toMatchObject({ email: null });
  });

  test('is confirmed without a session: the page says so and what is next, and no earlier mail is sent', async () => {
    const [provider, consumer] = [await newProvider(), await newConsumer()];
    const email = newAddress();
    const slots = [await publishOne(provider), await publishOne(provider, { start: '10:00', end: '10:30' })];
    for (const slot of slots) await book(consumer, slot);
    await put(consumer, 'SetEmail', { email, password });
    const page = await confirm(email);
    for (const { words } of [page, await daybook.visitor().get(page.path)])
      expect(words).toMatch(/Your address is confirmed\..*Your next appointment is with/s);
    expect(page.$(`main a[href="/details-cancel/${slots[0]?.id}"]`)).not.toBeNull();
    await book(consumer, await publishOne(provider, { start: '11:00', end: '11:30' }));
    await mails(email, bookedSubject);
    expect(await mailsTo(email)).toBe(2);
  });

  test('that is changed is told of in the news and at the address before, and a new password as well', async () => {
    const who = await newConsumer();
    const email = await confirmed(who);
    await put(who, 'SetEmail', { email: newAddress(), password });
    await mails(email, /^Your e-mail address was changed/);
    await (await who.browser.visit('/profile')).submit('Change password', { password, newPassword: 'Better horse 2' });
    expect(await newsKinds(who)).toEqual(['password', 'email', 'email', 'confirm-email', 'confirm-email']);
  });

  test('is removed by its form, and by a call with null; it is told, and gets no mail after that', async () => {
    const [provider, consumer] = [await newProvider(), await newConsumer()];
    const email = await confirmed(provider);
    const screen = await provider.browser.visit('/email');
    const refused = await screen.submit('Remove my address', { email: '', password: 'Wrong horse 1' });
    expect(refused.status).toBe(400);
    expect((await refused.submit('Remove my address', { password })).words).toContain('You have given no address.');
    await mails(email, /^Your e-mail address was changed/);
    await book(consumer, await publishOne(provider));
    expect(await mailsTo(email)).toBe(2);

    const link = await confirmationOf(await confirmed(consumer));
    const remove = () => put(consumer, 'SetEmail', { email: null, password });
    for (const { json } of [await remove(), await remove()]) expect(json).toMatchObject({ email: null });
    const late = await (await consumer.browser.visit(link)).submit('Yes, this is my address');
    expect([late.status, late.words]).toEqual([409, expect.stringContaining('was changed since this mail')]);
  });

  test('needs the password, and to be one address', async () => {
    const who = await newConsumer();
    const refused = await put(who, 'SetEmail', { email: newAddress(), password: 'Wrong horse 1' });
    expect([refused.status, refused.json]).toEqual([400, ['That is not your current password.']]);
    const long = `${'a'.repeat(250)}@b.com`;
    for (const email of [undefined, '', 'a@b', 'a@b.com, c@d.com', long, 'a@b.com\r\nBcc: c@d.com']) {
      expect((await put(who, 'SetEmail', { email, password })).status, email).toBe(400);
    }
  });
});

describe('a forgotten password', () => {
  test('is set anew by the link of a mail, once; every device is logged out', async () => {
    const who = await newConsumer();
    const email = await confirmed(who);
    const stranger = daybook.visitor();
    const login = await stranger.visit('/login');
    await (await login.click('Forgotten your password?')).submit('Send me a link', { username: who.username });
    const path = (await mails(email, /^A new password/)).link('/reset-password/');
    const weak = await (await stranger.visit(path)).submit('Set the new password', { password: 'short' });
    expect(weak.status).toBe(400);
    const set = await weak.submit('Set the new password', { password: 'Better horse 2' });
    expect(set.text).toContain('Your new password is set.');
    const again = await weak.submit('Set the new password', { password: 'Third horse 3' });
    expect([again.status, again.words]).toEqual([400, expect.stringContaining('It was used already')]);
    const spent = await stranger.visit(path);
    expect([spent.words, spent.$('input[type=password]')]).toEqual([expect.stringContaining('good no more'), null]);
    expect((await who.api('GET', '/api/Account/Profile')).status).toBe(400);
    const credentials = { username: who.username, password: 'Better horse 2' };
    expect((await stranger.api('POST', '/api/Account/Login', credentials)).status).toBe(200);
  });

  test('that is asked for again is mailed again, three times at most; the same form sent twice mails once', async () => {
    const who = await newConsumer();
    const email = await confirmed(who);
    const page = await daybook.visitor().visit('/forgot-password');
    for (const _ of [1, 2]) await page.submit('Send me a link', { username: email });
    for (const _ of [2, 3, 4]) await askAnew({ email });
    const other = await confirmed(await newConsumer());
    await askAnew({ email: other });
    await mails(other, /^A new password/);
    // Beside the question whether the address is theirs.
    await expect.poll(() => mailsTo(email)).toBe(1 + 3);
  });

  test('is not set by a link whose address the account has no more', async () => {
    const [who, other] = [await newConsumer(), await newConsumer()];
    const [email, kept] = [await confirmed(who), await confirmed(other)];
    for (const address of [email, kept]) await askAnew({ email: address });
    const tokenTo = async (address: string) =>
      (await mails(address, /^A new password/)).link('/reset-password/').slice(16);
    const [dead, good] = [await tokenTo(email), await tokenTo(kept)];
    const resetBy = async (token: string) => (await reset({ token, password: 'Better horse 2' })).status;
    await confirmed(who);
    expect(await resetBy(dead)).toBe(400);
    // The same address again, and not confirmed again.
    await put(who, 'SetEmail', { email, password });
    expect([await resetBy(dead), await resetBy(good)]).toEqual([400, 200]);
  });

  test('is asked for with the same answer, whoever it is', async () => {
    const { username } = await newConsumer();
    const bodies = [{ username }, { username: 'nobody-here' }, { email: 'nobody@example.com' }];
    const answers = (await Promise.all(bodies.map(askAnew))).map(({ status, text }) => [status, text]);
    expect(answers).toEqual(Array(3).fill([202, answers[0]?.[1]]));
    expect((await askAnew({})).status).toBe(400);
  });

  test('is not set by a link that is cut off, changed, or of another purpose', async () => {
    for (const token of ['', 'x', 'a.b', 'QUJD.QUJDREVGR0hJSktMTU5PUA']) {
      expect((await reset({ token, password: 'Better horse 2' })).status, token).toBe(400);
    }
  });
});

describe('recovery codes', () => {
  const makeCodes = async (who: Person) =>
    (await who.api('POST', '/api/Account/MakeRecoveryCodes', { password })).json as string[];

  test('are ten that differ, and each sets a new password once', async () => {
    const who = await newConsumer();
    const codes = await makeCodes(who);
    expect(new Set(codes).size).toBe(10);
    const [code = '', other = ''] = codes;
    const page = await daybook.visitor().visit('/reset-password');
    const typed = { username: who.username.toUpperCase(), code: ` ${code.toLowerCase().replace('-', ' ')} ` };
    const set = await page.submit('Set the new password', { ...typed, password: 'Better horse 2' });
    expect(set.text).toContain('Your new password is set.');
    expect((await reset({ username: who.username, code, password: 'Third horse 3' })).status).toBe(400);
    expect((await reset({ username: who.username, code: other, password: 'Third horse 3' })).status).toBe(200);
  });

  test('are made for the password, are good for their own account only, and not after new ones were made', async () => {
    const [who, another] = [await newConsumer(), await newConsumer()];
    const [old = ''] = await makeCodes(who);
    const wrong = await reset({ username: another.username, code: old, password: 'Better horse 2' });
    const unknown = await reset({ username: 'nobody-here', code: old, password: 'Better horse 2' });
    expect([wrong.status, wrong.text]).toEqual([unknown.status, unknown.text]);
    expect((await who.api('POST', '/api/Account/MakeRecoveryCodes', { password: 'Wrong horse 1' })).status).toBe(400);
    await makeCodes(who);
    expect((await reset({ username: who.username, code: old, password: 'Better horse 2' })).status).toBe(400);
  });
});
