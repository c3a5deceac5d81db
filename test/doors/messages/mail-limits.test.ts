import { describe, expect, test } from 'vitest';
import { newsKinds } from '../../support/account-calls';
import {
  book,
  cancel,
  dayAhead,
  type Person,
  password,
  peopleAt,
  publish,
  publishOne,
  type Row,
} from '../../support/factories';
import { newGuest } from '../../support/guests';
import { bookedSubject, confirmAddress, countMails, mailTo, newAddress } from '../../support/mails';
import { createMeetup } from '../../support/party-factories';
import { useServer } from '../../support/use-server';

/* What an address that nobody has confirmed gets, and who says what of mail that is held back. RATE_LIMIT is off here. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

const mails = (address: string, subject: RegExp) => mailTo(daybook.visitor(), address, subject);
const mailsTo = (address: string) => countMails(daybook.visitor(), address);

const bookFor = (who: Person, { id }: { id: string }, displayName = 'Wil', email = newAddress()) =>
  who.api('POST', `/api/Appointment/BookFor?id=${id}`, { displayName, email });

test('a guest hears at once, and “This was not me” ends all mail to that address until it is confirmed', async () => {
  const [karla, rui] = [await newProvider({ displayName: 'Karla' }), await newProvider()];
  const email = newAddress();
  const gus = await newGuest(daybook, { displayName: 'Gus', email });
  const [first, second, third] = (await publish(karla, { end: '10:30' })) as [Row, Row, Row];
  await book(gus, first);
  const booked = await mails(email, bookedSubject);
  expect(booked.text).toContain('Hello Gus,');
  const page = await daybook.visitor().visit(booked.link('/not-me/'));
  expect(await mailsTo(email)).toBe(1);
  // Opening it ends nothing.
  await book(gus, second);
  await expect.poll(() => mailsTo(email), { timeout: 10_000 }).toBe(2);
  expect((await page.submit('This was not me: send no more mail')).words).toContain('This address gets no more mail');

  const other = await newGuest(daybook, { email: email.toUpperCase() });
  await book(other, await publishOne(rui));
  await cancel(karla, first, 'ill');
  const witness = newAddress();
  await book(await newGuest(daybook, { email: witness }), third);
  await mails(witness, bookedSubject);
  expect(await mailsTo(email)).toBe(2);
  expect((await daybook.visitor().get('/not-me/bm90aGluZw.QUJDREVGR0hJSktMTU5PUA')).status).toBe(404);
});

test('who waits gets ten mails a day of it; what is held back is said at the place in line, to the provider and by calls', async () => {
  const [karla, email] = [await newProvider(), newAddress()];
  const wait = async (days: number) => {
    const [provider, day] = [karla.username, dayAhead(days)];
    const wish = { provider, displayName: 'Gus', email, from: day, to: day };
    return (await daybook.visitor().api('POST', '/api/Waitlist/Add', wish)).json as Waiting;
  };
  type Waiting = { link: string; mailHeld?: string; offer?: unknown };
  const wishes: Waiting[] = [];
  for (let days = 1; days <= 10; days += 1) wishes.push(await wait(days));
  expect(wishes.filter(({ mailHeld }) => mailHeld)).toEqual([]);
  await publish(karla, { end: '09:30', dates: [dayAhead(3)] });
  const list = (await karla.api('GET', '/api/Waitlist/GetPage')).json as Waiting[];
  expect(list.map(({ mailHeld }) => mailHeld ?? '').join()).toBe(',,full,,,,,,,');
  const why = 'Not mailed: this address has had as many mails today as it may get in a day.';
  expect((await karla.browser.get('/waitlist')).words).toContain(why);
  const place = await daybook.visitor().get(wishes[2]?.link ?? '');
  expect(place.words).toContain(`is held for you until`);
  expect(place.words).toContain(`${why} Please keep this link, and look here.`);
  await expect.poll(() => mailsTo(email)).toBe(10);

  const mail = await mails(email, /You are on the waitlist/);
  await (await daybook.visitor().visit(mail.link('/not-me/'))).submit('This was not me: send no more mail');
  await daybook.d1.prepare("DELETE FROM throttles WHERE bucket LIKE 'mail:%'").run();
  await place.submit('Stop waiting');
  const refused = await wait(11);
  expect(refused).toMatchObject({ mailHeld: 'refused' });
  const letter = await daybook.visitor().get(refused.link);
  expect(letter.words).toContain('This address takes no mail from here. Please keep this link, and look here.');
  const waitlist = await karla.browser.get('/waitlist');
  expect(waitlist.words).toContain('This address takes no mail from here. Take off the list');
  await publish(karla, { end: '09:30', dates: [dayAhead(4)] });
  const after = (await karla.api('GET', '/api/Waitlist/GetPage')).json as Waiting[];
  expect(after.find(({ offer }) => offer)).toMatchObject({ mailHeld: 'refused' });
  expect(await mailsTo(email)).toBe(10);
});

describe('somebody for whom a provider books', () => {
  test('hears of it where the provider has confirmed an address; else the provider reads why not', async () => {
    const [karla, rui] = [await newProvider(), await newProvider()];
    await confirmAddress(daybook.d1, karla);
    const [told, untold] = [newAddress(), newAddress()];
    for (const [who, email] of [
      [karla, told],
      [rui, untold],
    ] as const)
      expect((await bookFor(who, await publishOne(who), 'Wil', email)).status).toBe(201);
    expect((await mails(told, bookedSubject)).link('/booking/')).toMatch(/^\/booking\//);
    expect([await newsKinds(karla), await newsKinds(rui)]).toEqual([[], ['undelivered']]);
    expect(await mailsTo(untold)).toBe(0);
  });

  test('has a mail that was held sent by a button of the appointment, for its provider alone', async () => {
    const [karla, rui] = [await newProvider(), await newProvider()];
    const email = newAddress();
    const { id } = await publishOne(karla);
    const answer = await bookFor(karla, { id }, 'Wil', email);
    expect([answer.status, answer.json]).toEqual([201, expect.objectContaining({ mailHeld: 'sender' })]);
    const path = `/details-provider/${id}`;
    const page = await karla.browser.visit(path);
    expect(page.words).toContain('Not mailed: confirm your own e-mail address first.');
    const still = await page.submit('Send it now');
    expect(still.words).toContain('It does not go out now.');
    expect((await rui.browser.post(path, { intent: 'send-mail' })).status).toBe(404);
    await confirmAddress(daybook.d1, karla);
    const sent = await still.submit('Send it now');
    expect(sent.words).toContain('The mail to Wil is on its way.');
    expect(sent.words).not.toContain('Not mailed');
    await mails(email, bookedSubject);
    // Pressed in another tab that still shows it.
    expect((await still.submit('Send it now')).words).toContain('is on its way');
    expect(await mailsTo(email)).toBe(1);
    const told = await bookFor(karla, await publishOne(karla, { start: '18:00', end: '18:30' }));
    expect([told.status, told.json]).toEqual([201, expect.not.objectContaining({ mailHeld: expect.anything() })]);
  });
});

describe('a meetup’s list', () => {
  test('says beside each name that its mail is held back, and sends it once the host’s address is confirmed', async () => {
    const hanna = await newProvider();
    const ada = newAddress();
    const { id, attendees: names } = await createMeetup(hanna, { attendees: [{ name: 'Ada', email: ada }, 'Cem'] });
    expect(names).toMatchObject([{ username: 'Ada', mailHeld: 'sender' }, { username: 'Cem' }]);
    expect(names[1]).not.toHaveProperty('mailHeld');
    const list = await hanna.browser.visit(`/manage-meetup/${id}`);
    expect(list.words).toContain('Not mailed: confirm your own e-mail address first.');
    const still = await list.submit('Send it now: the mail to Ada');
    expect(still.words).toContain('The mail to Ada does not go out now');
    expect(await mailsTo(ada)).toBe(0);
    await confirmAddress(daybook.d1, hanna);
    const sent = await still.submit('Send it now: the mail to Ada');
    expect(sent.words).toContain('The mail to Ada is on its way.');
    expect(sent.words).not.toContain('Not mailed');
    await mails(ada, /^An invitation/);
  });
});

test('a fourth question in a day is refused to whoever asks, and nothing is changed', async () => {
  const email = newAddress();
  const ask = (who: Person) => who.api('PUT', '/api/Account/SetEmail', { email, password });
  const people = [await newConsumer(), await newProvider(), await newConsumer(), await newConsumer()];
  const answers = [];
  for (const who of people) answers.push(await ask(who));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
  expect(answers[3]?.headers.get('retry-after')).toBe('86400');
  expect((await people[3]?.api('GET', '/api/Account/Profile'))?.json).toMatchObject({ email: null });
  const body = { displayName: 'New', username: 'new.person', password, role: 'Consumer' };
  const visitor = daybook.visitor();
  expect((await visitor.api('POST', '/api/Account/Register', { ...body, email })).status).toBe(429);
  expect((await visitor.api('POST', '/api/Account/Register', body)).status).toBe(201);
  await expect.poll(() => mailsTo(email), { timeout: 10_000 }).toBe(3);
});
