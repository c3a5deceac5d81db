import { beforeAll, describe, expect, test } from 'vitest';
import { newsKinds } from '../../support/account-calls';
import { book, cancel, dayAhead, password, peopleAt, publish, type Row } from '../../support/factories';
import { newGuest } from '../../support/guests';
import { bookedSubject, confirmAddress, countMails, mailTo, newAddress } from '../../support/mails';
import { createMeetup, createParty } from '../../support/party-factories';
import { useServer } from '../../support/use-server';
import { type Page, typedIn } from '../../support/visit';

/* What an address that nobody has confirmed gets, and who says what of mail that is held back. RATE_LIMIT is off here. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

const mails = (address: string, subject: RegExp) => mailTo(daybook.visitor(), address, subject);
const mailsTo = (address: string) => countMails(daybook.visitor(), address);

test('a guest hears at once, and “This was not me” ends all mail to that address', async () => {
  const [karla, email] = [await newProvider(), newAddress()];
  const gus = await newGuest(daybook, { displayName: 'Gus', email });
  const [first, second, third, fourth] = (await publish(karla, { end: '11:00' })) as [Row, Row, Row, Row];
  await book(gus, first);
  const booked = await mails(email, bookedSubject);
  expect(booked.text).toContain('Hello Gus,');
  const page = await daybook.visitor().visit(booked.link('/not-me/'));
  // Opening it ends nothing.
  await book(gus, second);
  await expect.poll(() => mailsTo(email), { timeout: 10_000 }).toBe(2);
  expect((await page.submit('This was not me: send no more mail')).words).toContain('This address gets no more mail');
  await book(await newGuest(daybook, { email: email.toUpperCase() }), third);
  await cancel(karla, first, 'ill');
  const witness = newAddress();
  await book(await newGuest(daybook, { email: witness }), fourth);
  await mails(witness, bookedSubject);
  expect(await mailsTo(email)).toBe(2);
  expect((await daybook.visitor().get('/not-me/bm90aGluZw.QUJDREVGR0hJSktMTU5PUA')).status).toBe(404);
});

test('mail that is held back from who waits is said at the place in line, to the provider and by calls', async () => {
  type Waiting = { link: string; mailHeld?: string };
  const [karla, email] = [await newProvider(), newAddress()];
  const wait = async (days: number) => {
    const [provider, day] = [karla.username, dayAhead(days)];
    const wish = { provider, displayName: 'Gus', email, from: day, to: day };
    return (await daybook.visitor().api('POST', '/api/Waitlist/Add', wish)).json as Waiting;
  };
  expect(await wait(1)).not.toHaveProperty('mailHeld');
  const mail = await mails(email, /You are on the waitlist/);
  await (await daybook.visitor().visit(mail.link('/not-me/'))).submit('This was not me: send no more mail');
  const { link, ...refused } = await wait(2);
  const list = (await karla.api('GET', '/api/Waitlist/GetPage')).json as Waiting[];
  expect([refused.mailHeld, ...list.map(({ mailHeld }) => mailHeld)]).toEqual(['refused', undefined, 'refused']);
  const noMail = 'This address takes no mail from here.';
  expect((await daybook.visitor().get(link)).words).toContain(`${noMail} Please keep this link, and look here.`);
  expect((await karla.browser.get('/waitlist')).words).toContain(noMail);
  await publish(karla, { end: '09:30', dates: [dayAhead(1)] });
  expect((await karla.browser.get('/waitlist')).words).toContain('Held:');
  expect(await mailsTo(email)).toBe(1);
});

test('who is booked by a provider without a confirmed address is mailed once that is confirmed, by a button of the provider alone', async () => {
  const [karla, rui] = [await newProvider(), await newProvider()];
  const bookFor = ({ id }: Row, email: string) =>
    karla.api('POST', `/api/Appointment/BookFor?id=${id}`, { displayName: 'Wil', email });
  const [slot, other] = (await publish(karla, { end: '10:00' })) as [Row, Row];
  const [email, told] = [newAddress(), newAddress()];
  expect(await bookFor(slot, email)).toMatchObject({ status: 201, json: { mailHeld: 'sender' } });
  expect(await newsKinds(karla)).toEqual(['undelivered']);
  const path = `/details-provider/${slot.id}`;
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
  await still.submit('Send it now');
  expect(await mailsTo(email)).toBe(1);
  expect((await bookFor(other, told)).json).not.toHaveProperty('mailHeld');
  expect((await mails(told, bookedSubject)).link('/booking/')).toMatch(/^\/booking\//);
});

const fullUntilTomorrow =
  'Not mailed: this address has had as many mails today as it may get in a day. Please keep this link.';

/** Lets the day of the limits pass for mail to this address, and sends what waited for that. */
async function nextDay(email: string): Promise<void> {
  await daybook.d1
    .prepare("UPDATE messages SET due_at = 1 WHERE mail_state = 'waiting' AND email = ?")
    .bind(email)
    .run();
  await daybook.d1.prepare("DELETE FROM throttles WHERE bucket GLOB 'mail:*'").run();
  await daybook.scheduled();
}

test('the booked page says of each mail to an address whether it went out or the day’s limit holds it back, and sends that the next day', async () => {
  const [karla, email] = [await newProvider(), newAddress()];
  const slots = await publish(karla, { end: '15:00' }, 'len=30');
  const pages = [];
  for (const slot of slots.slice(0, 11)) {
    const form = await daybook.visitor().visit(`/with/${karla.username}/${slot.id}`);
    pages.push(await form.submit('Book', { displayName: 'Gus', email }));
  }
  const [ninth, tenth, eleventh] = pages.slice(8) as [Page, Page, Page];
  const isMailed = `The appointment with this link is mailed to ${email}.`;

  expect(ninth.words).toContain(isMailed);
  expect(tenth.words).toContain(isMailed);
  expect(eleventh.words).toContain(fullUntilTomorrow);
  for (const { words } of pages) {
    expect(words).toContain('Change the e-mail address');
    expect(words).not.toContain('Add an e-mail address');
  }
  await expect.poll(() => mailsTo(email), { timeout: 10_000 }).toBe(10);
  // The tenth page says the same once all ten are sent.
  expect((await daybook.visitor().get(tenth.path)).words).toContain(isMailed);
  const tomorrow = await eleventh.submit('Send it tomorrow');
  expect(tomorrow.words).toContain('Not mailed yet: it goes out tomorrow. Please keep this link.');
  expect(tomorrow.words).not.toContain('Send it tomorrow');
  await nextDay(email);
  await expect.poll(() => mailsTo(email), { timeout: 10_000 }).toBe(11);
  expect((await daybook.visitor().get(tomorrow.path)).words).toContain(isMailed);
});

test('the provider who moves an appointment reads of the tenth mail that it goes out, and of the eleventh that none does', async () => {
  const [karla, email] = [await newProvider(), newAddress()];
  const slots = (await publish(karla, { start: '09:00', end: '15:00' })) as Row[];
  const gus = await newGuest(daybook, { displayName: 'Gus', email });
  for (const slot of slots.slice(0, 9)) await book(gus, slot);
  const move = async ({ id }: Row) => {
    const times = await (await karla.browser.visit(`/details-provider/${id}`)).click('Move');
    return times.submit('.slots [formaction]');
  };

  const tenth = await move(slots[0] as Row);
  const eleventh = await move(slots[1] as Row);

  expect(tenth.words).toContain('It is moved. Gus is told by mail.');
  expect(eleventh.words).toContain('It is moved. Gus gets no mail: please call');
});

/** Answers a party as eleven guests with one address. */
async function elevenAnswers(email: string): Promise<Page[]> {
  const party = await createParty(await newProvider(), { openTo: 'anyone', askEmail: 'optional' });
  const pages = [];
  for (let guest = 1; guest <= 11; guest++) {
    const letter = await daybook.visitor().visit(`/party/${party.id}`);
    pages.push(await letter.submit('RSVP', { displayName: `Gus ${guest}`, email }));
  }
  return pages;
}

/** Accepts a meetup as eleven names that type one address. */
async function elevenNames(email: string): Promise<Page[]> {
  const names = Array.from({ length: 11 }, (_, place) => `Ada ${place}`);
  const { invitations } = await createMeetup(await newProvider(), { attendees: names, askEmail: 'optional' });
  const pages = [];
  for (const { id } of invitations) {
    const letter = await daybook.visitor().visit(`/meetup-rsvp/${id}`);
    pages.push(await letter.submit('Accept', { email }));
  }
  return pages;
}

describe.each([
  ['an answer to a party', elevenAnswers],
  ['a name of a meetup', elevenNames],
])('the page of %s', (_, elevenPages) => {
  const email = newAddress();
  const isMailed = `Mail about this goes to ${email}.`;
  let pages: Page[];
  beforeAll(async () => {
    pages = await elevenPages(email);
  });

  test('says of the tenth mail to an address that it goes there, also once it is sent', async () => {
    const tenth = pages[9] as Page;

    expect(tenth.words).toContain(isMailed);
    await expect.poll(() => mailsTo(email), { timeout: 10_000 }).toBe(10);
    expect((await daybook.visitor().get(tenth.path)).words).toContain(isMailed);
  });

  test('says of the eleventh that the day’s limit holds it back', () => {
    const eleventh = pages[10] as Page;

    expect(eleventh.words).toContain(fullUntilTomorrow);
    expect(eleventh.words).not.toContain(isMailed);
  });

  test('offers to change the address that is there, and not to add it', () => {
    for (const { words } of pages) {
      expect(words).toContain('Change the e-mail address');
      expect(words).not.toContain('Add an e-mail address');
    }
  });

  test('sends the eleventh the next day, by a button', async () => {
    const waiting = await (pages[10] as Page).submit('Send it tomorrow');
    expect(waiting.words).toContain('Not mailed yet: it goes out tomorrow. Please keep this link.');
    expect(waiting.words).not.toContain('Send it tomorrow');

    await nextDay(email);

    await expect.poll(() => mailsTo(email), { timeout: 10_000 }).toBe(11);
    expect((await daybook.visitor().get(waiting.path)).words).toContain(isMailed);
  });
});

test('a name that wants no more mail is offered to change the address that is there, and not to add it', async () => {
  const [hanna, ada] = [await confirmAddress(daybook.d1, await newProvider()), newAddress()];
  const { invitations } = await createMeetup(hanna, { attendees: [{ name: 'Ada', email: ada }] });
  const letter = await daybook.visitor().visit(`/meetup-rsvp/${invitations[0]?.id}`);
  const accepted = await letter.submit('Accept');
  expect(accepted.words).toContain(`Mail about this goes to ${ada}.`);

  const end = (await mails(ada, /^Your answer/)).link('/unsubscribe/');
  await (await daybook.visitor().visit(end)).submit('No more mails from this sender');

  const ended = await daybook.visitor().visit(accepted.path);
  expect(ended.words).toContain('No mail is sent: keep this link.');
  expect(ended.words).toContain('Change the e-mail address');
  expect(ended.words).not.toContain('Add an e-mail address');
  expect(typedIn(ended, 'email')).toBe(ada);
});

test('a meetup’s list says beside each name that its mail is held back, and sends it once the host’s address is confirmed', async () => {
  const [hanna, ada] = [await newProvider(), newAddress()];
  const { id, attendees } = await createMeetup(hanna, { attendees: [{ name: 'Ada', email: ada }, 'Cem'] });
  expect(attendees).toMatchObject([{ mailHeld: 'sender' }, {}]);
  expect(attendees[1]).not.toHaveProperty('mailHeld');
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

/** Ten mails about guests' bookings, which is what an address gets in a day. */
async function fillMailbox(email: string): Promise<void> {
  const karla = await newProvider();
  const slots = (await publish(karla, { start: '09:00', end: '14:00' })) as Row[];
  for (const slot of slots.slice(0, 10)) await book(await newGuest(daybook, { email }), slot);
}

let names = 0;
const register = (email: string, browser = daybook.visitor()) => {
  const person = { displayName: 'New', username: `new.person.${++names}`, password, role: 'Consumer', email };
  return browser.api('POST', '/api/Account/Register', person);
};

test('a fourth question in a day waits, and the address is set all the same', async () => {
  const email = newAddress();
  const people = [await newConsumer(), await newProvider(), await newConsumer(), await newConsumer()] as const;

  const answers = [];
  for (const { api } of people) answers.push(await api('PUT', '/api/Account/SetEmail', { email, password }));

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(answers[2]?.json).not.toHaveProperty('mailHeld');
  expect(answers[3]?.json).toMatchObject({ email, mailHeld: 'questions' });
  expect((await people[3].api('GET', '/api/Account/Profile')).json).toMatchObject({ email });
  await expect.poll(() => mailsTo(email), { timeout: 10_000 }).toBe(3);
});

test('strangers who fill a mailbox keep its owner from no account and no address', async () => {
  const [email, maya] = [newAddress(), await newConsumer()];
  await fillMailbox(email);

  const set = await maya.api('PUT', '/api/Account/SetEmail', { email, password });
  const registered = await register(email);
  const guest = await newGuest(daybook, { email });
  const kept = await register(email, guest.browser);

  expect(set).toMatchObject({ status: 200, json: { email, mailHeld: 'full' } });
  expect(registered).toMatchObject({ status: 201, json: { email, mailHeld: 'full' } });
  expect(kept).toMatchObject({ status: 201, json: { email, mailHeld: 'full' } });
});

test('the question that waits is said where one registers, and a button sends it when the day is over', async () => {
  const email = newAddress();
  await fillMailbox(email);
  const form = await daybook.visitor().visit('/register');
  const typed = { displayName: 'New', username: 'new.person', password, role: 'Consumer', email };

  const page = await form.submit('Register', typed);
  expect(page.path).toMatch(/^\/email/);
  expect(page.words).toContain('this address has had as many mails today');
  expect(page.words).not.toContain('A mail is on its way.');
  const waiting = await page.submit('Send it tomorrow');
  expect(waiting.words).toContain('it goes out tomorrow.');
  await daybook.d1.batch([
    daybook.d1.prepare("UPDATE throttles SET ends_at = 1 WHERE bucket LIKE 'mail:%'"),
    daybook.d1.prepare("UPDATE messages SET due_at = 1 WHERE mail_state = 'waiting'"),
  ]);
  await daybook.scheduled();

  const mail = await mails(email, /address/);
  expect(mail.link('/confirm-email/')).toBeTruthy();
});
