import { beforeAll, describe, expect, test } from 'vitest';
import { newsKinds } from '../../support/account-calls';
import { book, cancel, dayAhead, type Person, password, peopleAt, publish, type Row } from '../../support/factories';
import { newGuest } from '../../support/guests';
import { bookedSubject, confirmAddress, countMails, mailTo, newAddress } from '../../support/mails';
import { createMeetup, createParty } from '../../support/party-factories';
import { useServer } from '../../support/use-server';
import { type Page, typedIn } from '../../support/visit';

/* What an address that nobody has confirmed gets, and who says what of mail that is withheld. RATE_LIMIT is off here. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

const mails = (address: string, subject: RegExp) => mailTo(daybook.visitor(), address, subject);
const mailsTo = (address: string) => countMails(daybook.visitor(), address);

describe('“This was not me”', () => {
  /** Gus has booked the first of four times as a guest; the link in that mail ends all mail to the address. */
  async function bookAsGus() {
    const [karla, email] = [await newProvider(), newAddress()];
    const gus = await newGuest(daybook, { displayName: 'Gus', email });
    const [first, second, third] = (await publish(karla, { end: '10:30' })) as [Row, Row, Row];
    await book(gus, first);
    const booked = await mails(email, bookedSubject);
    return { karla, gus, email, first, second, third, booked };
  }
  const refuse = async (link: string) =>
    (await daybook.visitor().visit(link)).submit('This was not me: send no more mail');
  /** Waits until all mail before this is kept. */
  async function waitForMail(slot: Row) {
    const witness = newAddress();
    await book(await newGuest(daybook, { email: witness }), slot);
    await mails(witness, bookedSubject);
  }

  test('is in the mail that a guest has at once', async () => {
    const { booked } = await bookAsGus();

    expect(booked.text).toContain('Hello Gus,');
    expect(booked.link('/not-me/')).toMatch(/^\/not-me\//);
  });

  test('ends nothing where its page is only opened', async () => {
    const { gus, email, second, booked } = await bookAsGus();

    await daybook.visitor().visit(booked.link('/not-me/'));
    await book(gus, second);

    await expect.poll(() => mailsTo(email), { timeout: 10_000 }).toBe(2);
  });

  test('says that the address gets no more mail', async () => {
    const { booked } = await bookAsGus();

    expect((await refuse(booked.link('/not-me/'))).words).toContain('This address gets no more mail');
  });

  test('ends the mail of other guests who type the address', async () => {
    const { email, second, third, booked } = await bookAsGus();
    await refuse(booked.link('/not-me/'));

    await book(await newGuest(daybook, { email: email.toUpperCase() }), second);

    await waitForMail(third);
    expect(await mailsTo(email)).toBe(1);
  });

  test('ends the mail of what was booked before', async () => {
    const { karla, email, first, second, booked } = await bookAsGus();
    await refuse(booked.link('/not-me/'));

    await cancel(karla, first, 'ill');

    await waitForMail(second);
    expect(await mailsTo(email)).toBe(1);
  });

  test('has no page at a link that nobody made', async () => {
    const page = await daybook.visitor().get('/not-me/bm90aGluZw.QUJDREVGR0hJSktMTU5PUA');

    expect(page.status).toBe(404);
  });
});

describe('mail that is withheld from who waits', () => {
  type Waiting = { link: string; mailHeld?: string };
  const noMail = 'This address takes no mail from here.';

  async function waitAt(karla: Person, email: string, days: number) {
    const [provider, day] = [karla.username, dayAhead(days)];
    const wish = { provider, displayName: 'Gus', email, from: day, to: day };
    return (await daybook.visitor().api('POST', '/api/Waitlist/Add', wish)).json as Waiting;
  }
  /** Gus waits for tomorrow, refuses mail, and waits for the day after that. */
  async function waitRefused() {
    const [karla, email] = [await newProvider(), newAddress()];
    const mailed = await waitAt(karla, email, 1);
    const mail = await mails(email, /You are on the waitlist/);
    await (await daybook.visitor().visit(mail.link('/not-me/'))).submit('This was not me: send no more mail');
    return { karla, email, mailed, refused: await waitAt(karla, email, 2) };
  }

  test('is said in the answer to the call', async () => {
    const { mailed, refused } = await waitRefused();

    expect(mailed).not.toHaveProperty('mailHeld');
    expect(refused.mailHeld).toBe('refused');
  });

  test('is said in the provider’s list by a call', async () => {
    const { karla } = await waitRefused();

    const list = (await karla.api('GET', '/api/Waitlist/GetPage')).json as Waiting[];

    expect(list.map(({ mailHeld }) => mailHeld)).toEqual([undefined, 'refused']);
  });

  test('is said at the place in line, with what to do instead', async () => {
    const { refused } = await waitRefused();

    const place = await daybook.visitor().get(refused.link);

    expect(place.words).toContain(`${noMail} Please keep this link, and look here.`);
  });

  test('is said in the provider’s list on the screen', async () => {
    const { karla } = await waitRefused();

    expect((await karla.browser.get('/waitlist')).words).toContain(noMail);
  });

  test('keeps no time from being held for them', async () => {
    const { karla, email } = await waitRefused();

    await publish(karla, { end: '09:30', dates: [dayAhead(1)] });

    expect((await karla.browser.get('/waitlist')).words).toContain('Held:');
    expect(await mailsTo(email)).toBe(1);
  });
});

describe('who is booked by a provider without a confirmed address', () => {
  const bookFor = (provider: Person, { id }: Row, email: string) =>
    provider.api('POST', `/api/Appointment/BookFor?id=${id}`, { displayName: 'Wil', email });
  /** Wil is booked; the page of the booking offers to send what was withheld. */
  async function bookWil() {
    const [karla, email] = [await newProvider(), newAddress()];
    const [slot, other] = (await publish(karla, { end: '10:00' })) as [Row, Row];
    const response = await bookFor(karla, slot, email);
    const path = `/details-provider/${slot.id}`;
    return { karla, email, other, response, path, page: await karla.browser.visit(path) };
  }

  test('is not mailed, which the call answers', async () => {
    const { response } = await bookWil();

    expect(response).toMatchObject({ status: 201, json: { mailHeld: 'sender' } });
  });

  test('is not mailed, which is news to the provider', async () => {
    const { karla } = await bookWil();

    expect(await newsKinds(karla)).toEqual(['undelivered']);
  });

  test('is not mailed, which the page of the booking says', async () => {
    const { page } = await bookWil();

    expect(page.words).toContain('Not mailed: confirm your own e-mail address first.');
  });

  test('is not mailed by a button before that is confirmed', async () => {
    const { page, email } = await bookWil();

    expect((await page.submit('Send it now')).words).toContain('It does not go out now.');

    expect(await mailsTo(email)).toBe(0);
  });

  test('is mailed by a button once it is confirmed', async () => {
    const { karla, page, email } = await bookWil();
    await confirmAddress(daybook.d1, karla);

    const sent = await page.submit('Send it now');

    expect(sent.words).toContain('The mail to Wil is on its way.');
    expect(sent.words).not.toContain('Not mailed');
    await mails(email, bookedSubject);
  });

  test('is mailed once, where the button is pressed in another tab too', async () => {
    const { karla, page, email } = await bookWil();
    await confirmAddress(daybook.d1, karla);
    await page.submit('Send it now');
    await mails(email, bookedSubject);

    await page.submit('Send it now');

    expect(await mailsTo(email)).toBe(1);
  });

  test('is mailed by no other provider', async () => {
    const { path } = await bookWil();
    const rui = await newProvider();

    expect((await rui.browser.post(path, { intent: 'send-mail' })).status).toBe(404);
  });

  test('is mailed at once by the next booking, once it is confirmed', async () => {
    const { karla, other } = await bookWil();
    const email = newAddress();
    await confirmAddress(daybook.d1, karla);

    const response = await bookFor(karla, other, email);

    expect(response.json).not.toHaveProperty('mailHeld');
    expect((await mails(email, bookedSubject)).link('/booking/')).toMatch(/^\/booking\//);
  });
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

/** Books as a guest eleven times with one address, on the screen. */
async function elevenBookings(email: string): Promise<Page[]> {
  const karla = await newProvider();
  const slots = await publish(karla, { end: '15:00' }, 'len=30');
  const pages = [];
  for (const slot of slots.slice(0, 11)) {
    const form = await daybook.visitor().visit(`/with/${karla.username}/${slot.id}`);
    pages.push(await form.submit('Book', { displayName: 'Gus', email }));
  }
  return pages;
}

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
async function elevenRsvps(email: string): Promise<Page[]> {
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

const goesTo = (email: string) => `Mail about this goes to ${email}.`;
const isMailedTo = (email: string) => `The appointment with this link is mailed to ${email}.`;

describe.each([
  ['a booking', elevenBookings, isMailedTo],
  ['an RSVP to a party', elevenRsvps, goesTo],
  ['a name of a meetup', elevenNames, goesTo],
])('the page of %s', (_, elevenPages, mailedWords) => {
  const email = newAddress();
  const isMailed = mailedWords(email);
  let pages: Page[];
  beforeAll(async () => {
    pages = await elevenPages(email);
  });

  test('says of the ninth and tenth mail to an address that they go there', () => {
    expect(pages[8]?.words).toContain(isMailed);
    expect(pages[9]?.words).toContain(isMailed);
  });

  test('says the same of the tenth once it is sent', async () => {
    const tenth = pages[9] as Page;

    await expect.poll(() => mailsTo(email), { timeout: 10_000 }).toBe(10);
    expect((await daybook.visitor().get(tenth.path)).words).toContain(isMailed);
  });

  test('says of the eleventh that the day’s limit withholds it', () => {
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

describe('a name of a meetup whose host has confirmed no address', () => {
  async function inviteAda() {
    const [hanna, ada] = [await newProvider(), newAddress()];
    const { id, attendees } = await createMeetup(hanna, { attendees: [{ name: 'Ada', email: ada }, 'Cem'] });
    return { hanna, ada, attendees, list: await hanna.browser.visit(`/manage-meetup/${id}`) };
  }

  test('is answered with why it is not mailed', async () => {
    const { attendees } = await inviteAda();

    expect(attendees[0]).toMatchObject({ mailHeld: 'sender' });
  });

  test('is answered with nothing of the kind without an address', async () => {
    const { attendees } = await inviteAda();

    expect(attendees[1]).not.toHaveProperty('mailHeld');
  });

  test('is listed with why it is not mailed', async () => {
    const { list } = await inviteAda();

    expect(list.words).toContain('Not mailed: confirm your own e-mail address first.');
  });

  test('is not mailed by a button before that is confirmed', async () => {
    const { ada, list } = await inviteAda();

    expect((await list.submit('Send it now: the mail to Ada')).words).toContain('The mail to Ada does not go out now');

    expect(await mailsTo(ada)).toBe(0);
  });

  test('is mailed by the button once it is confirmed', async () => {
    const { hanna, ada, list } = await inviteAda();
    await confirmAddress(daybook.d1, hanna);

    const sent = await list.submit('Send it now: the mail to Ada');

    expect(sent.words).toContain('The mail to Ada is on its way.');
    expect(sent.words).not.toContain('Not mailed');
    await mails(ada, /^An invitation/);
  });
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

describe('of four people who set one address in a day', () => {
  async function setByFour() {
    const email = newAddress();
    const people = [await newConsumer(), await newProvider(), await newConsumer(), await newConsumer()] as const;
    const responses = [];
    for (const { api } of people) responses.push(await api('PUT', '/api/Account/SetEmail', { email, password }));
    return { email, responses, fourth: people[3] };
  }

  test('three are asked whether it is theirs', async () => {
    const { email, responses } = await setByFour();

    expect(responses[2]?.json).not.toHaveProperty('mailHeld');
    await expect.poll(() => mailsTo(email), { timeout: 10_000 }).toBe(3);
  });

  test('the fourth is told that the question waits', async () => {
    const { responses } = await setByFour();

    expect(responses[3]?.json).toMatchObject({ mailHeld: 'questions' });
  });

  test('each has it set all the same', async () => {
    const { email, responses, fourth } = await setByFour();

    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await fourth.api('GET', '/api/Account/Profile')).json).toMatchObject({ email });
  });
});

describe('of a mailbox that strangers have filled, the owner', () => {
  const email = newAddress();
  beforeAll(() => fillMailbox(email));

  test('can set the address', async () => {
    const maya = await newConsumer();

    const set = await maya.api('PUT', '/api/Account/SetEmail', { email, password });

    expect(set).toMatchObject({ status: 200, json: { email, mailHeld: 'full' } });
  });

  test('can register with it', async () => {
    expect(await register(email)).toMatchObject({ status: 201, json: { email, mailHeld: 'full' } });
  });

  test('can keep what they booked as a guest by registering', async () => {
    const guest = await newGuest(daybook, { email });

    expect(await register(email, guest.browser)).toMatchObject({ status: 201, json: { email, mailHeld: 'full' } });
  });
});

describe('the question that waits for the day to end', () => {
  async function registerOnScreen() {
    const email = newAddress();
    await fillMailbox(email);
    const form = await daybook.visitor().visit('/register');
    const typed = { displayName: 'New', username: `new.person.${++names}`, password, role: 'Consumer', email };
    return { email, page: await form.submit('Register', typed) };
  }

  test('is said where one registers', async () => {
    const { page } = await registerOnScreen();

    expect(page.path).toMatch(/^\/email/);
    expect(page.words).toContain('this address has had as many mails today');
    expect(page.words).not.toContain('A mail is on its way.');
  });

  test('is sent the next day, by a button', async () => {
    const { email, page } = await registerOnScreen();

    const waiting = await page.submit('Send it tomorrow');
    expect(waiting.words).toContain('it goes out tomorrow.');
    await nextDay(email);

    const mail = await mails(email, /address/);
    expect(mail.link('/confirm-email/')).toBeTruthy();
  });
});
