import { describe, expect, test } from 'vitest';
import { dump } from '../../../app/local/database';
import { newsOf } from '../../support/account-calls';
import { book, type Person, password, peopleAt, publishOne } from '../../support/factories';
import { newGuest } from '../../support/guests';
import { calendarIn, confirmAddress, entryAt, newAddress } from '../../support/mails';
import * as meetupCalls from '../../support/meetup-calls';
import * as partyCalls from '../../support/party-calls';
import { createMeetup, createParty, linkOf, reply, rsvp } from '../../support/party-factories';
import { useMail } from '../../support/use-mail';

/* Mail about one's own answer to a party or meetup, and about those that are changed or called off. */

const { mailServer, daybook } = useMail();
const { newProvider, newConsumer } = peopleAt(daybook);
const newHost = async (details?: object) => confirmAddress(daybook.d1, await newProvider(details));
const newReader = async () => confirmAddress(daybook.d1, await newConsumer());

const mailsTo = (address: string) => mailServer.arrived.filter(({ to }) => to === address);
const subjectsTo = (address: string) => mailsTo(address).map(({ mail }) => mail.subject?.split(':')[0]);
const answered = (address: string, after = 0) => mailServer.got(address, /^Your answer: /, after);
const atPath = (path: string) => entryAt(daybook.visitor(), path);
const answerPath = /Change your answer: https?:\/\/[^/]+(\S+)/;

/** Lets the time of the next try come, once it is noted how the last one went. */
async function tryAgain(): Promise<void> {
  const beingSent = () =>
    daybook.d1.prepare("SELECT count(*) AS n FROM messages WHERE mail_state = 'leased'").first<number>('n');
  await expect.poll(beingSent, { timeout: 10_000 }).toBe(0);
  await daybook.d1.prepare("UPDATE messages SET due_at = 1 WHERE mail_state = 'due'").run();
  await daybook.scheduled();
}

/** A meetup whose names have addresses: who accepts, who declines, who says nothing. */
async function meetupWithMail(host: Person, title: string) {
  const emails = { Ada: newAddress(), Ben: newAddress(), Cem: newAddress() };
  const attendees = Object.entries(emails).map(([name, email]) => ({ name, email }));
  const meetup = await createMeetup(host, { title, attendees, address: 'Rua da Rosa 5; Lisboa' });
  await reply(daybook.visitor(), linkOf(meetup, 'Ada'));
  await reply(daybook.visitor(), linkOf(meetup, 'Ben'), { accepted: false });
  for (const email of Object.values(emails)) await mailServer.got(email, /^An invitation/);
  return { meetup, emails, letter: `/meetup-rsvp/${linkOf(meetup, 'Ada').id}` };
}

test('one’s own answer to a party is mailed at once, with the entry and the link of this answer, and for each change; after a yes, a no takes the entry out', async () => {
  const host = await newHost({ displayName: 'Hanna Host' });
  const draft = { title: 'Lanterns', openTo: 'anyone', plusOnes: 3, address: 'Rua da Rosa 5' };
  const party = await createParty(host, draft);
  const [ada, ben] = [newAddress(), newAddress()];
  const form = await daybook.visitor().get(`/party/${party.id}`);
  const { path } = await form.submit('RSVP', { displayName: 'Ada', email: ada, guests: '2' });
  const yes = await answered(ada);
  expect(yes.mail.subject).toMatch(/^Your answer: Hanna Host, Lanterns, \w{3} \d+ \w{3}, 18:00/);
  expect(yes.mail.text).toMatch(
    /Hello Ada,\s+You said that you are coming to Lanterns, hosted by Hanna Host, on .*, 18:00 to 22:00, UTC, at Rua da Rosa 5\. You bring 2 more people\./,
  );
  expect(answerPath.exec(yes.mail.text ?? '')?.[1]).toBe(path);
  expect(yes.mail.text).toContain('This was not me');
  const calendar = calendarIn(yes);
  expect(calendar).toMatchObject({ method: 'REQUEST', entry: await atPath(path) });
  expect(new URL(calendar?.entry.url ?? '').pathname).toBe(path);
  // The same again is no change.
  const page = await form.submit('RSVP', { displayName: 'Ada', email: ada, guests: '2' });
  const seen = mailServer.arrived.length;
  await page.submit("I can't come");
  const no = await answered(ada, seen);
  expect(no.mail.text).toMatch(/You said that you are not coming to/);
  const gone = { uid: calendar?.entry.uid, status: 'CANCELLED' };
  expect(calendarIn(no)).toMatchObject({ method: 'CANCEL', entry: gone });
  expect(await atPath(path)).toMatchObject(gone);
  // Who never said yes has nothing to take out.
  const shy = await newGuest(daybook, { email: ben, timeZone: 'Asia/Kolkata' });
  await rsvp(shy, party, { accepted: false });
  const declined = await answered(ben);
  expect([calendarIn(declined), declined.mail.text]).toEqual([null, expect.stringMatching(/On your clock: .*23:30/)]);
  expect([mailsTo(ada).length, mailsTo(ben).length]).toEqual([2, 1]);
});

test('a party that is changed, then called off, is the same entry in the calendars of those who come, as it stands when the mail leaves', async () => {
  const host = await newProvider({ displayName: 'Hanna, "H"; Host' });
  const [maya, noor] = [await newReader(), await newReader()];
  const party = await createParty(host, { title: 'Lanterns', address: 'Rua da Rosa 5, Lisboa' });
  const file = () => atPath(`/party/${party.id}`);
  await rsvp(maya, party);
  await rsvp(noor, party, { accepted: false });
  const before = await file();
  await partyCalls.edit(host, party, { startTime: '19:30', title: 'Lanterns at night' });
  const moved = await file();
  const changed = calendarIn(await mailServer.got(maya.email, /^Changed: /));
  expect(changed).toEqual({ method: 'REQUEST', attendee: maya.email, entry: moved });
  expect(moved).toMatchObject({ uid: before.uid, status: 'CONFIRMED', summary: 'Lanterns at night' });

  const seen = mailServer.arrived.length;
  mailServer.behave('refuse for now');
  await partyCalls.edit(host, party, { startTime: '20:30' });
  await mailServer.isTried();
  await partyCalls.remove(host, party, { reason: 'The lanterns are wet' });
  mailServer.behave('take');
  await tryAgain();
  const mail = await mailServer.got(maya.email, /^Called off: /);
  expect(mail.mail.text).toMatch(/called off Lanterns at night on .*: The lanterns are wet\./s);
  const gone = await file();
  expect(calendarIn(mail)).toMatchObject({ method: 'CANCEL', entry: gone });
  expect(gone).toMatchObject({ uid: before.uid, status: 'CANCELLED' });
  expect([moved.sequence > before.sequence, gone.sequence > moved.sequence]).toEqual([true, true]);
  // The change that was called off meanwhile carries no entry.
  expect(calendarIn(await mailServer.got(maya.email, /^Changed: /, seen))).toBeNull();
  expect(subjectsTo(noor.email)).toEqual(['Your answer']);
});

describe('a changed map link', () => {
  const [before, after] = ['https://maps.test/old-gate', 'https://maps.test/new-gate'];
  const sentence = `Its map link was ${before}, and is now ${after}.`;

  test('of a party is told by mail and in the news to who has not declined', async () => {
    const host = await newHost();
    const [maya, noor] = [await newReader(), await newReader()];
    const party = await createParty(host, { title: 'Lanterns', locationUrl: before });
    await rsvp(maya, party);
    await rsvp(noor, party, { accepted: false });

    await partyCalls.edit(host, party, { locationUrl: after });

    expect((await mailServer.got(maya.email, /^Changed: /)).mail.text?.replaceAll(/\s+/g, ' ')).toContain(sentence);
    expect((await newsOf(maya)).map(({ text }) => text)).toContainEqual(expect.stringContaining(sentence));
    expect((await newsOf(noor)).filter(({ kind }) => kind === 'changed')).toEqual([]);
  });

  test('of a meetup is told at the addresses of its names, where it is taken away too', async () => {
    const host = await newHost();
    const ada = newAddress();
    const attendees = [{ name: 'Ada', email: ada }];
    const meetup = await createMeetup(host, { title: 'Walk', locationUrl: before, attendees });

    await meetupCalls.edit(host, meetup, { locationUrl: null });

    const { mail } = await mailServer.got(ada, /^Changed: /);
    expect(mail.text?.replaceAll(/\s+/g, ' ')).toContain(`Its map link was ${before}, and it has none now.`);
  });

  test('is in no mail of a host without a confirmed address to a reader without one', async () => {
    const host = await newProvider();
    const email = newAddress();
    const reader = await newGuest(daybook, { email });
    const party = await createParty(host, { title: 'Lanterns', locationUrl: before, openTo: 'anyone' });
    await rsvp(reader, party);

    await partyCalls.edit(host, party, { locationUrl: after });

    const { mail } = await mailServer.got(email, /^Changed: /);
    expect(mail.text).toContain('Its page shows what is new.');
    expect(mail.text).not.toContain('maps.test');
  });

  test('is told where nothing else is changed by the form of the host, which says so', async () => {
    const host = await newHost();
    const maya = await newReader();
    const party = await createParty(host, { title: 'Lanterns', locationUrl: before });
    await rsvp(maya, party);
    const form = await host.browser.visit(`/edit-party/${party.id}`);

    await form.submit('Submit party', { locationUrl: after });

    expect(form.words).toContain('If you change the title, the time, the address or the map link: ');
    expect((await newsOf(maya)).filter(({ kind }) => kind === 'changed')).toHaveLength(1);
  });
});

describe('a host who deletes the account', () => {
  const tablesWith = async (word: string) =>
    Object.entries(await dump(daybook.d1))
      .map(([name, rows]) => `${name}: ${JSON.stringify(rows)}`.toLowerCase())
      .filter((text) => text.includes(word));
  const expectForgotten = (word: string) => expect.poll(() => tablesWith(word), { timeout: 10_000 }).toEqual([]);
  const leave = async ({ api }: Person) =>
    expect((await api('DELETE', '/api/Account/Delete', { password })).status).toBe(204);

  test('leaves names that are told, with their own answers before, and nothing else', async () => {
    const word = 'wombatmoss';
    const host = await newHost({ username: word, displayName: `Hanna ${word}`, location: `Port ${word}` });
    const { emails, letter, meetup } = await meetupWithMail(host, `Club ${word}`);
    const answer = await answered(emails.Ada);
    expect(answerPath.exec(answer.mail.text ?? '')?.[1]).toBe(letter);
    expect(calendarIn(answer)).toMatchObject({ method: 'REQUEST', entry: await atPath(letter) });
    expect(calendarIn(await answered(emails.Ben))).toBeNull();
    await meetupCalls.edit(host, meetup, { description: `Bring ${word}` });
    const { uid } = await atPath(letter);
    await meetupCalls.addNames(host, meetup, [`Uncle ${word}`]);
    mailServer.behave('refuse for now');
    await leave(host);
    await mailServer.isTried();
    // The mail that still has to leave says it, and the news do not.
    const held = await tablesWith(word);
    expect([held.length, held[0]?.startsWith('messages: ')]).toEqual([1, true]);
    expect(held[0]?.split(`club ${word}`)).toHaveLength(3);
    mailServer.behave('take');
    await tryAgain();
    const mail = await mailServer.got(emails.Ada, /^Called off: /);
    expect(mail.mail.text).toMatch(/Hanna wombatmoss called off Club wombatmoss on .*, 18:00 to 22:00, UTC\./);
    const { sequence } = await atPath(letter);
    expect(calendarIn(mail)).toMatchObject({ method: 'CANCEL', entry: { uid, status: 'CANCELLED', sequence } });
    await mailServer.got(emails.Cem, /^Called off: /);
    expect(subjectsTo(emails.Ben).sort()).toEqual(['An invitation', 'Your answer']);
    const page = await daybook.visitor().get(letter);
    expect([page.status, page.words.includes('has called off this meetup')]).toEqual([404, true]);
    for (const left of [...Object.values(emails), word]) await expectForgotten(left);
  });

  test('is named to whoever had booked or was coming, in the last mail, and nowhere after it', async () => {
    const word = 'quollbramble';
    const [host, maya] = [await newProvider({ displayName: `Hanna ${word}` }), await newReader()];
    await book(maya, await publishOne(host));
    await rsvp(maya, await createParty(host, { title: `Feast of ${word}` }));
    await leave(host);
    const canceled = await mailServer.got(maya.email, /^Canceled: /);
    expect(canceled.mail.text).toContain(`Hanna ${word} canceled the appointment on `);
    expect(calendarIn(canceled)?.method).toBe('CANCEL');
    const off = await mailServer.got(maya.email, /^Called off: /);
    expect(off.mail.text).toContain(`Hanna ${word} called off Feast of ${word} on `);
    await expectForgotten(word);
  });
});
