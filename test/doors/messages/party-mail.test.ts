import { describe, expect, test } from 'vitest';
import { dump } from '../../../app/local/database';
import { readCalendar } from '../../support/calendars';
import { confirmAddress } from '../../support/confirmed';
import { book, type Person, password, peopleAt, publishOne } from '../../support/factories';
import type { Arrived } from '../../support/mail-server';
import { bookedSubject } from '../../support/mails';
import { createParty, linkOf, type Party, partiesOf, reply, rsvp } from '../../support/party-factories';
import { useMail } from '../../support/use-mail';

/* Mail about parties and meetups that are changed or called off, as a real mail server gets it. */

const { mailServer, daybook } = useMail();
const { newProvider, newConsumer } = peopleAt(daybook);

let addresses = 0;
const newAddress = () => `reader.${++addresses}@mail.test`;
const pathIn = ({ mail }: Arrived, path: string) => {
  const [found] = new RegExp(`https?://[^/\\s]+(${path}\\S+)`).exec(mail.text ?? '')?.slice(1) ?? [];
  if (!found) throw new Error(`There is no link to ${path} in this mail:\n${mail.text}`);
  return found;
};

async function withAddress(who: Person): Promise<Person & { email: string }> {
  const email = newAddress();
  await who.api('PUT', '/api/Account/SetEmail', { email, password });
  const asked = await mailServer.got(email, /Is this your address/);
  await (await who.browser.visit(pathIn(asked, '/confirm-email/'))).submit('Yes, this is my address');
  return { ...who, email };
}

/** Lets the time of the next try come, once it is noted how the last one went. */
async function tryAgain(): Promise<void> {
  const beingSent = () =>
    daybook.d1.prepare("SELECT count(*) AS n FROM messages WHERE mail_state = 'leased'").first<number>('n');
  await expect.poll(beingSent, { timeout: 10_000 }).toBe(0);
  await daybook.d1.prepare("UPDATE messages SET due_at = 1 WHERE mail_state = 'due'").run();
  await daybook.scheduled();
}

/** The calendar of a mail; null where it has none. */
function calendarIn({ mail }: Arrived) {
  const texts = new Set(
    mail.attachments.filter(({ contentType }) => /calendar|ics/.test(contentType)).map(({ content }) => `${content}`),
  );
  expect(texts.size).toBeLessThan(2);
  const [text] = texts;
  return text === undefined
    ? null
    : { ...readCalendar(text), attendee: /mailto:(reader\S+)/.exec(text.replaceAll('\r\n ', ''))?.[1] };
}

const mailsBut = (address: string, subject: RegExp) =>
  mailServer.arrived.filter(({ to, mail }) => to === address && !subject.test(mail.subject ?? ''));
const fileAt = async (path: string) => readCalendar((await daybook.visitor().get(`${path}/daybook.ics`)).text);

/** A meetup whose names have addresses: who accepts, who declines, who says nothing. */
async function meetupWithMail(host: Person, title: string) {
  const emails = { Ada: newAddress(), Ben: newAddress(), Cem: newAddress() };
  const attendees = Object.entries(emails).map(([name, email]) => `${name} <${email}>`);
  const form = await host.browser.visit('/view-meetups');
  const date = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
  const typed = { title, date, startTime: '18:00', endTime: '21:00', address: 'Rua da Rosa 5; Lisboa' };
  await form.submit('Create meetup', { ...typed, attendees: attendees.join('\n') });
  for (const email of Object.values(emails)) await mailServer.got(email, /^An invitation/);
  const all = partiesOf(await host.api('GET', '/api/meetup/GetMyMeetups'));
  const meetup = all.find((one) => one.title === title) as Party;
  await reply(daybook.visitor(), linkOf(meetup, 'Ada'));
  await reply(daybook.visitor(), linkOf(meetup, 'Ben'), { accepted: false });
  return { meetup, emails, letter: `/meetup-rsvp/${linkOf(meetup, 'Ada').id}` };
}

describe('a party that is changed, then called off', () => {
  test('is the same entry in the calendars of those who come, as the file has it', async () => {
    const host = await newProvider({ displayName: 'Hanna, "H"; Host' });
    const [maya, noor] = [await withAddress(await newConsumer()), await withAddress(await newConsumer())];
    const party = await createParty(host, { title: 'Lanterns', address: 'Rua da Rosa 5, Lisboa' });
    await rsvp(maya, party);
    await rsvp(noor, party, { accepted: false });
    const before = await fileAt(`/party/${party.id}`);
    const [uid = ''] = [...before.events.keys()];

    await host.api('PUT', `/api/Party/EditParty/${party.id}`, { startTime: '19:30', title: 'Lanterns at night' });
    const changed = calendarIn(await mailServer.got(maya.email, /^Changed: /));
    const moved = await fileAt(`/party/${party.id}`);
    expect([changed?.method, changed?.events, changed?.attendee]).toEqual(['REQUEST', moved.events, maya.email]);
    expect(changed?.events.get(uid)).toMatchObject({ status: 'CONFIRMED', summary: 'Lanterns at night' });
    expect(changed?.events.get(uid)?.sequence).toBeGreaterThan(before.events.get(uid)?.sequence ?? 0);

    await host.api('DELETE', `/api/Party/DeleteParty?id=${party.id}`, { reason: 'The lanterns are wet' });
    const mail = await mailServer.got(maya.email, /^Called off: /);
    expect(mail.mail.text).toMatch(/called off Lanterns at night on .*: The lanterns are wet\./s);
    const off = calendarIn(mail);
    const gone = await fileAt(`/party/${party.id}`);
    expect([off?.method, off?.events]).toEqual(['CANCEL', gone.events]);
    expect(off?.events.get(uid)?.status).toBe('CANCELLED');
    expect(off?.events.get(uid)?.sequence).toBeGreaterThan(moved.events.get(uid)?.sequence ?? 0);
    expect(mailsBut(noor.email, /^Your answer/)).toHaveLength(1);
  });

  test('tells by mail what stands by then: a change that was called off meanwhile carries no entry', async () => {
    const host = await newProvider();
    const maya = await withAddress(await newConsumer());
    const party = await createParty(host);
    await rsvp(maya, party);
    mailServer.behave('refuse for now');
    await host.api('PUT', `/api/Party/EditParty/${party.id}`, { startTime: '19:30' });
    await mailServer.isTried();
    await host.api('DELETE', `/api/Party/DeleteParty?id=${party.id}`);
    mailServer.behave('take');
    await tryAgain();
    expect(calendarIn(await mailServer.got(maya.email, /^Called off: /))?.method).toBe('CANCEL');
    expect(calendarIn(await mailServer.got(maya.email, /^Changed: /))).toBeNull();
  });
});

describe('a meetup that is changed, then called off', () => {
  test('is an entry for the names that come; who has not answered reads of it', async () => {
    const host = await confirmAddress(daybook.d1, await newProvider());
    const { meetup, emails, letter } = await meetupWithMail(host, 'Chess');
    const before = await fileAt(letter);
    const [uid = ''] = [...before.events.keys()];
    await host.api('PUT', `/api/meetup/EditMeetup/${meetup.id}`, { address: 'Rua Nova 1' });
    const changed = calendarIn(await mailServer.got(emails.Ada, /^Changed: /));
    const moved = await fileAt(letter);
    expect([changed?.method, changed?.events, changed?.attendee]).toEqual(['REQUEST', moved.events, emails.Ada]);
    expect(changed?.events.get(uid)?.sequence).toBeGreaterThan(before.events.get(uid)?.sequence ?? 0);
    expect(calendarIn(await mailServer.got(emails.Cem, /^Changed: /))).toBeNull();

    await host.api('DELETE', `/api/meetup/DeleteMeetup?id=${meetup.id}`, { reason: 'No boards' });
    const mail = await mailServer.got(emails.Ada, /^Called off: /);
    expect(mail.mail.text).toMatch(/called off Chess on .*: No boards\./s);
    const off = calendarIn(mail);
    expect([off?.method, off?.events]).toEqual(['CANCEL', (await fileAt(letter)).events]);
    expect(calendarIn(await mailServer.got(emails.Cem, /^Called off: /))).toBeNull();
    expect(mailsBut(emails.Ben, /^Your answer/)).toHaveLength(1);
  });
});

describe('a host who deletes the account', () => {
  const tablesWith = async (word: string) =>
    Object.entries(await dump(daybook.d1))
      .map(([name, rows]) => `${name}: ${JSON.stringify(rows)}`)
      .filter((text) => text.toLowerCase().includes(word));

  test('leaves names that are told, and nothing else', async () => {
    const word = 'wombatmoss';
    const host = await newProvider({ username: word, displayName: `Hanna ${word}`, location: `Port ${word}` });
    await confirmAddress(daybook.d1, host);
    const { emails, letter, meetup } = await meetupWithMail(host, `Club ${word}`);
    await host.api('PUT', `/api/meetup/EditMeetup/${meetup.id}`, { description: `Bring ${word}` });
    const [{ uid = '', sequence = 0 } = {}] = [...(await fileAt(letter)).events.values()];
    await host.api('POST', `/api/meetup/AddAttendees?id=${meetup.id}`, [`Uncle ${word}`]);
    mailServer.behave('refuse for now');
    expect((await host.browser.api('DELETE', '/api/Account/Delete', { password })).status).toBe(204);
    await mailServer.isTried();
    // The mail that still has to leave says it, and the news do not.
    const held = await tablesWith(word);
    expect([held.length, held[0]?.startsWith('messages: ')]).toEqual([1, true]);
    expect(held[0]?.toLowerCase().split(`club ${word}`)).toHaveLength(3);

    mailServer.behave('take');
    await tryAgain();
    const mail = await mailServer.got(emails.Ada, /^Called off: /);
    expect(mail.mail.text).toMatch(/Hanna wombatmoss called off Club wombatmoss on .*, 18:00 to 21:00, UTC\./);
    expect(mail.mail.text).toContain('because Hanna wombatmoss gave this address');
    const off = calendarIn(mail);
    expect(off?.method).toBe('CANCEL');
    expect(off?.events.get(uid)?.sequence).toBeGreaterThan(sequence);
    const stands = (await fileAt(letter)).events.get(uid);
    expect(off?.events.get(uid)).toMatchObject({ status: 'CANCELLED', sequence: stands?.sequence });
    expect(off?.events.get(uid)?.summary).toContain(`Club ${word}`);
    await mailServer.got(emails.Cem, /^Called off: /);
    expect(mailsBut(emails.Ben, /^Your answer/)).toHaveLength(1);
    const page = await daybook.visitor().get(letter);
    expect([page.status, page.words.includes('has called off this meetup')]).toEqual([404, true]);

    for (let attempt = 0; attempt < 100 && (await tablesWith('@mail.test')).join().includes(emails.Cem); attempt++) {
      await daybook.visitor().get('/');
    }
    const left = (await tablesWith('@mail.test')).join();
    for (const address of Object.values(emails)) expect(left).not.toContain(address);
    for (let attempt = 0; attempt < 100 && (await tablesWith(word)).length > 0; attempt++) {
      await daybook.visitor().get('/');
    }
    expect(await tablesWith(word)).toEqual([]);
  });

  test('is named to whoever had booked, in the last mail; the news say that somebody has left', async () => {
    const word = 'quollbramble';
    const host = await newProvider({ displayName: `Hanna ${word}` });
    const maya = await withAddress(await newConsumer());
    await book(maya, await publishOne(host));
    const party = await createParty(host, { title: `Feast of ${word}` });
    await rsvp(maya, party);
    await mailServer.got(maya.email, bookedSubject);
    expect((await host.browser.api('DELETE', '/api/Account/Delete', { password })).status).toBe(204);
    const canceled = await mailServer.got(maya.email, /^Canceled: /);
    expect(canceled.mail.text).toContain(`Hanna ${word} canceled the appointment on `);
    expect(calendarIn(canceled)?.method).toBe('CANCEL');
    const off = await mailServer.got(maya.email, /^Called off: /);
    expect(off.mail.text).toContain(`Hanna ${word} called off Feast of ${word} on `);
    const news = (await maya.api('GET', '/api/Account/GetNews')).json as { text: string }[];
    expect(news.map(({ text }) => text).join()).toMatch(
      /A provider who has left called off a party on .*A provider who has left canceled/s,
    );
    for (let attempt = 0; attempt < 100 && (await tablesWith(word)).length > 0; attempt++) {
      await daybook.visitor().get('/');
    }
    expect(await tablesWith(word)).toEqual([]);
  });
});
