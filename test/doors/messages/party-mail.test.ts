import { afterEach, describe, expect, test } from 'vitest';
import { dump } from '../../../app/local/database';
import { newsOf } from '../../support/account-calls';
import { book, type Person, password, peopleAt, publishOne } from '../../support/factories';
import { newGuest } from '../../support/guests';
import { calendarIn, confirmAddress, entryAt, newAddress } from '../../support/mails';
import * as meetupCalls from '../../support/meetup-calls';
import * as partyCalls from '../../support/party-calls';
import { createMeetup, createParty, linkOf, reply, rsvp } from '../../support/party-factories';
import { useMail } from '../../support/use-mail';

/* Mail about one's own RSVP to a party or meetup, and about those that are changed or called off. */

const { mailServer, daybook } = useMail();
const { newProvider, newConsumer } = peopleAt(daybook);

afterEach(() => mailServer.behave('take'));

const newHost = async (details?: object) => confirmAddress(daybook.d1, await newProvider(details));
const newReader = async () => confirmAddress(daybook.d1, await newConsumer());

const mailsTo = (address: string) => mailServer.arrived.filter(({ to }) => to === address);
const subjectsTo = (address: string) => mailsTo(address).map(({ mail }) => mail.subject?.split(':')[0]);
const rsvpMailTo = (address: string, after = 0) => mailServer.got(address, /^Your answer: /, after);
const atPath = (path: string) => entryAt(daybook.visitor(), path);
const rsvpPath = /Change your answer: https?:\/\/[^/]+(\S+)/;

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

describe('one’s own RSVP to a party is mailed', () => {
  /** Ada comes to a party by a form and brings two; `sayNo` takes it back by the same form. */
  async function rsvpAsAda() {
    const host = await newHost({ displayName: 'Hanna Host' });
    const draft = { title: 'Lanterns', openTo: 'anyone', plusOnes: 3, address: 'Rua da Rosa 5' };
    const party = await createParty(host, draft);
    const email = newAddress();
    const form = await daybook.visitor().get(`/party/${party.id}`);
    const comes = { displayName: 'Ada', email, guests: '2' };
    const page = await form.submit('RSVP', comes);
    const yes = await rsvpMailTo(email);
    const sayNo = async () => {
      const already = mailServer.arrived.length;
      await page.submit("I can't come");
      return rsvpMailTo(email, already);
    };
    return { party, email, path: page.path, yes, sayYesAgain: () => form.submit('RSVP', comes), sayNo };
  }

  test('with what, where and when it is, and how many more come', async () => {
    const { yes } = await rsvpAsAda();

    expect(yes.mail.subject).toMatch(/^Your answer: Hanna Host, Lanterns, \w{3} \d+ \w{3}, 18:00/);
    expect(yes.mail.text).toMatch(
      /Hello Ada,\s+You said that you are coming to Lanterns, hosted by Hanna Host, on .*, 18:00 to 22:00, UTC, at Rua da Rosa 5\. You bring 2 more people\./,
    );
  });

  test('with the link that changes this RSVP', async () => {
    const { path, yes } = await rsvpAsAda();

    expect(rsvpPath.exec(yes.mail.text ?? '')?.[1]).toBe(path);
  });

  test('with the link of its reader where others have answered since', async () => {
    const { party, path, sayNo } = await rsvpAsAda();
    const form = await daybook.visitor().get(`/party/${party.id}`);
    for (const displayName of ['Ben', 'Cem']) await form.submit('RSVP', { displayName });

    const no = await sayNo();

    expect(rsvpPath.exec(no.mail.text ?? '')?.[1]).toBe(path);
  });

  test('with the link that ends all mail to the address', async () => {
    const { yes } = await rsvpAsAda();

    expect(yes.mail.text).toContain('This was not me');
  });

  test('with the entry of the file at the link of this RSVP', async () => {
    const { path, yes } = await rsvpAsAda();

    const calendar = calendarIn(yes);

    expect(calendar?.method).toBe('REQUEST');
    expect(calendar?.entry).toEqual(await atPath(path));
    expect(new URL(calendar?.entry.url ?? '').pathname).toBe(path);
  });

  test('once, where the same RSVP is given again', async () => {
    const { email, sayYesAgain, sayNo } = await rsvpAsAda();

    await sayYesAgain();

    await sayNo();
    expect(mailsTo(email)).toHaveLength(2);
  });

  test('for each change, and a no after a yes takes the entry out', async () => {
    const { path, yes, sayNo } = await rsvpAsAda();
    const uid = calendarIn(yes)?.entry.uid;

    const no = await sayNo();

    expect(no.mail.text).toMatch(/You said that you are not coming to/);
    expect(calendarIn(no)).toMatchObject({ method: 'CANCEL', entry: { uid, status: 'CANCELLED' } });
    expect(await atPath(path)).toMatchObject({ uid, status: 'CANCELLED' });
  });

  test('without an entry, where nobody had said yes', async () => {
    const party = await createParty(await newHost(), { openTo: 'anyone' });
    const email = newAddress();

    await rsvp(await newGuest(daybook, { email }), party, { accepted: false });

    expect(calendarIn(await rsvpMailTo(email))).toBeNull();
    expect(mailsTo(email)).toHaveLength(1);
  });

  test('with the time by the clock of whoever answers', async () => {
    const party = await createParty(await newHost(), { openTo: 'anyone' });
    const email = newAddress();

    await rsvp(await newGuest(daybook, { email, timeZone: 'Asia/Kolkata' }), party, { accepted: false });

    expect((await rsvpMailTo(email)).mail.text).toMatch(/On your clock: .*23:30/);
  });
});

describe('a party that is changed', () => {
  /** A party to which Maya comes and Noor does not, and the entry of its file. */
  async function withGuests() {
    const host = await newProvider({ displayName: 'Hanna, "H"; Host' });
    const [maya, noor] = [await newReader(), await newReader()];
    const party = await createParty(host, { title: 'Lanterns', address: 'Rua da Rosa 5, Lisboa' });
    const fileEntry = () => atPath(`/party/${party.id}`);
    await rsvp(maya, party);
    await rsvp(noor, party, { accepted: false });
    return { host, maya, noor, party, fileEntry };
  }

  test('is mailed as the same entry, which is later than the one before', async () => {
    const { host, maya, party, fileEntry } = await withGuests();
    const before = await fileEntry();

    await partyCalls.edit(host, party, { startTime: '19:30', title: 'Lanterns at night' });

    const moved = await fileEntry();
    expect(moved).toMatchObject({ uid: before.uid, status: 'CONFIRMED', summary: 'Lanterns at night' });
    expect(moved.sequence).toBeGreaterThan(before.sequence);
    expect(calendarIn(await mailServer.got(maya.email, /^Changed: /))).toEqual({
      method: 'REQUEST',
      attendee: maya.email,
      entry: moved,
    });
  });

  test('is called off with the reason', async () => {
    const { host, maya, party } = await withGuests();

    await partyCalls.remove(host, party, { reason: 'The lanterns are wet' });

    const { mail } = await mailServer.got(maya.email, /^Called off: /);
    expect(mail.text).toMatch(/called off Lanterns on .*: The lanterns are wet\./s);
  });

  test('is called off as the same entry', async () => {
    const { host, maya, party, fileEntry } = await withGuests();
    const before = await fileEntry();

    await partyCalls.remove(host, party);

    const after = await fileEntry();
    expect(after).toMatchObject({ uid: before.uid, status: 'CANCELLED' });
    expect(after.sequence).toBeGreaterThan(before.sequence);
    expect(calendarIn(await mailServer.got(maya.email, /^Called off: /))).toMatchObject({
      method: 'CANCEL',
      entry: after,
    });
  });

  test('is not mailed to who has declined', async () => {
    const { host, maya, noor, party } = await withGuests();
    // A mail about a party that is called off by then would not leave.
    await rsvpMailTo(noor.email);

    await partyCalls.edit(host, party, { startTime: '19:30' });
    await partyCalls.remove(host, party);

    await mailServer.got(maya.email, /^Called off: /);
    expect(subjectsTo(noor.email)).toEqual(['Your answer']);
  });

  describe('and called off before its mail has left', () => {
    /** The mails that Maya gets once the mail server takes mail again. */
    async function mailsAfterOutage() {
      const { host, maya, party } = await withGuests();
      await rsvpMailTo(maya.email);
      mailServer.behave('refuse for now');
      await partyCalls.edit(host, party, { startTime: '20:30' });
      await mailServer.isTried();
      await partyCalls.remove(host, party);
      mailServer.behave('take');
      await tryAgain();
      return {
        changed: await mailServer.got(maya.email, /^Changed: /),
        calledOff: await mailServer.got(maya.email, /^Called off: /),
      };
    }

    test('is in no calendar by the mail of the change', async () => {
      const { changed, calledOff } = await mailsAfterOutage();

      expect(calendarIn(changed)).toBeNull();
      expect(calendarIn(calledOff)?.method).toBe('CANCEL');
    });
  });
});

describe('a changed map link', () => {
  const [before, after] = ['https://maps.test/old-gate', 'https://maps.test/new-gate'];
  const sentence = `Its map link was ${before}, and is now ${after}.`;

  /** A party with the old link, whose host gives it the new one after somebody has answered. */
  async function changeAfter(reader: Person, accepted: boolean) {
    const host = await newHost();
    const party = await createParty(host, { title: 'Lanterns', locationUrl: before });
    await rsvp(reader, party, { accepted });
    await partyCalls.edit(host, party, { locationUrl: after });
  }

  test('of a party is told by mail to who comes', async () => {
    const maya = await newReader();

    await changeAfter(maya, true);

    const { mail } = await mailServer.got(maya.email, /^Changed: /);
    expect(mail.text?.replaceAll(/\s+/g, ' ')).toContain(sentence);
  });

  test('of a party is told in the news to who comes', async () => {
    const maya = await newReader();

    await changeAfter(maya, true);

    expect((await newsOf(maya)).map(({ text }) => text)).toContainEqual(expect.stringContaining(sentence));
  });

  test('of a party is told to nobody who has declined', async () => {
    const noor = await newReader();

    await changeAfter(noor, false);

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

describe('the RSVP of a name to a meetup', () => {
  test('is mailed with the link of that name', async () => {
    const { emails, letter } = await meetupWithMail(await newHost(), 'Club');

    const { mail } = await rsvpMailTo(emails.Ada);

    expect(rsvpPath.exec(mail.text ?? '')?.[1]).toBe(letter);
  });

  test('is mailed with the entry of the file at that link', async () => {
    const { emails, letter } = await meetupWithMail(await newHost(), 'Club');

    expect(calendarIn(await rsvpMailTo(emails.Ada))).toMatchObject({ method: 'REQUEST', entry: await atPath(letter) });
  });

  test('is mailed without an entry where it is a no', async () => {
    const { emails } = await meetupWithMail(await newHost(), 'Club');

    expect(calendarIn(await rsvpMailTo(emails.Ben))).toBeNull();
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

  describe('with a meetup', () => {
    /** Hanna's meetup, whose names have answered; her words are hard to find anywhere else. */
    async function meetupOf(word: string) {
      const host = await newHost({ username: word, displayName: `Hanna ${word}`, location: `Port ${word}` });
      const { emails, letter, meetup } = await meetupWithMail(host, `Club ${word}`);
      await rsvpMailTo(emails.Ada);
      await rsvpMailTo(emails.Ben);
      await meetupCalls.edit(host, meetup, { description: `Bring ${word}` });
      await meetupCalls.addNames(host, meetup, [`Uncle ${word}`]);
      return { host, emails, letter };
    }

    test('is named in the mail that calls it off, to who has not declined', async () => {
      const { host, emails } = await meetupOf('wombatmoss');

      await leave(host);

      const { mail } = await mailServer.got(emails.Ada, /^Called off: /);
      expect(mail.text).toMatch(/Hanna wombatmoss called off Club wombatmoss on .*, 18:00 to 22:00, UTC\./);
      await mailServer.got(emails.Cem, /^Called off: /);
      expect(subjectsTo(emails.Ben).sort()).toEqual(['An invitation', 'Your answer']);
    });

    test('leaves the entry that it was, canceled', async () => {
      const { host, emails, letter } = await meetupOf('numbatfern');
      const { uid } = await atPath(letter);

      await leave(host);

      const { sequence } = await atPath(letter);
      expect(calendarIn(await mailServer.got(emails.Ada, /^Called off: /))).toMatchObject({
        method: 'CANCEL',
        entry: { uid, status: 'CANCELLED', sequence },
      });
    });

    test('leaves a page for each link that says it is called off', async () => {
      const { host, letter } = await meetupOf('biliclover');

      await leave(host);

      const page = await daybook.visitor().get(letter);
      expect(page.status).toBe(404);
      expect(page.words).toContain('has called off this meetup');
    });

    test('leaves the host’s words in the mail alone that still has to leave', async () => {
      const word = 'dunnartsedge';
      const { host } = await meetupOf(word);
      mailServer.behave('refuse for now');

      await leave(host);

      await mailServer.isTried();
      const tables = await tablesWith(word);
      expect(tables).toHaveLength(1);
      expect(tables[0]).toMatch(/^messages: /);
      expect(tables[0]?.split(`club ${word}`)).toHaveLength(3);
      mailServer.behave('take');
      await tryAgain();
    });

    test('leaves neither the host’s words nor an address of a name once the mail has left', async () => {
      const word = 'potoroomint';
      const { host, emails } = await meetupOf(word);

      await leave(host);

      await expectForgotten(word);
      for (const email of Object.values(emails)) await expectForgotten(email);
    });
  });

  describe('who was booked and had a party', () => {
    async function leaveAfterMaya(word: string) {
      const [host, maya] = [await newProvider({ displayName: `Hanna ${word}` }), await newReader()];
      await book(maya, await publishOne(host));
      await rsvp(maya, await createParty(host, { title: `Feast of ${word}` }));
      await leave(host);
      return maya;
    }

    test('is named in the mail that cancels the appointment', async () => {
      const maya = await leaveAfterMaya('quollbramble');

      const canceled = await mailServer.got(maya.email, /^Canceled: /);

      expect(canceled.mail.text).toContain('Hanna quollbramble canceled the appointment on ');
      expect(calendarIn(canceled)?.method).toBe('CANCEL');
    });

    test('is named in the mail that calls off the party', async () => {
      const maya = await leaveAfterMaya('bettongreed');

      const { mail } = await mailServer.got(maya.email, /^Called off: /);

      expect(mail.text).toContain('Hanna bettongreed called off Feast of bettongreed on ');
    });

    test('is named nowhere once these have left', async () => {
      const maya = await leaveAfterMaya('kowarirush');

      await mailServer.got(maya.email, /^Canceled: /);
      await mailServer.got(maya.email, /^Called off: /);

      await expectForgotten('kowarirush');
    });
  });
});
