import { beforeAll, describe, expect, test } from 'vitest';
import { type CalendarEvent, readCalendar } from '../../support/calendars';
import { complaints, refusal } from '../../support/complaints';
import { type Person, peopleAt } from '../../support/factories';
import { newGuest } from '../../support/guests';
import { buttonsOf, linkPath, linksOn, partyPath } from '../../support/letters';
import { confirmAddress, newAddress } from '../../support/mails';
import * as meetups from '../../support/meetup-calls';
import { all, edit, hosted, remove } from '../../support/party-calls';
import {
  createMeetup,
  createParty,
  type Invitation,
  linkOf,
  movePartyTo,
  type Party,
  partyOf,
  publishQuestions,
  readParty,
  reply,
  rsvp,
} from '../../support/party-factories';
import { useServer, useWorld } from '../../support/use-server';
import type { Page, Visitor } from '../../support/visit';

/* What guests and their calendars read of a party or meetup that its host deletes, and what the host reads before. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { host, maya, june } = useWorld(daybook, {
  host: { timeZone: 'Asia/Colombo' },
  maya: { timeZone: 'Asia/Colombo' },
  june: { timeZone: 'Asia/Colombo' },
});

/** The line of a party among somebody's invitations; undefined where it is not there. */
const lineOf = async ({ browser }: Person, title: string) =>
  (await browser.get('/invitations')).$$('main li').find((line) => line.text.includes(title))?.structuredText;

const openLink = (invitation: Invitation) => daybook.visitor().get(linkPath(invitation));
const noticesOn = (page: Page) => page.$$('main section[role=status] h2').map(({ text }) => text);
/** How many rows a table has of a party. */
const rowsIn = (table: string, { id }: { id: string }, column = 'party_id') =>
  daybook.d1.prepare(`SELECT count(*) AS n FROM ${table} WHERE ${column} = ?`).bind(id).first('n');

/** A calendar file beside a page. */
async function fileBeside(path: string, who: Visitor = daybook.visitor()) {
  const { status, headers, text } = await who.get(`${path}/daybook.ics`);
  expect(status).toBe(200);
  return { headers, text };
}

/** The one entry of a calendar file, and what is to be done with it, as another program reads it. */
async function entryOf(path: string, who?: Visitor) {
  const { method, events } = readCalendar((await fileBeside(path, who)).text);
  expect(events.size).toBe(1);
  return { ...([...events.values()][0] as CalendarEvent), method };
}

describe('the file of a meetup', () => {
  const title = 'Ünïcode, semi; colon\\ & 🎉';
  const description = `Two lines,\nand ${'more; '.repeat(40)}`;
  let meetup: Party;
  let path: string;
  beforeAll(async () => {
    const details = { title, description, address: '5 Elm Street, Kandy', startTime: '20:00', endTime: '02:00' };
    meetup = await createMeetup(host, details);
    path = `/meetup-rsvp/${linkOf(meetup, 'Ada').id}`;
  });

  test('is a calendar with lines of at most 75 bytes', async () => {
    const { headers, text } = await fileBeside(path);

    expect(headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    for (const line of text.split('\r\n')) {
      expect(line).not.toContain('\n');
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    }
  });

  test('has all that other programs read', async () => {
    expect(await entryOf(path)).toEqual({
      method: 'PUBLISH',
      uid: expect.stringMatching(/.{20,}/),
      sequence: 0,
      summary: title,
      description: description.trim(),
      location: '5 Elm Street, Kandy',
      url: `${daybook.url}${path}`,
      status: 'CONFIRMED',
      startsAt: meetup.startsAt,
      endsAt: meetup.endsAt,
      alarms: [],
    });
  });

  test('stays as it is with an edit that changes nothing', async () => {
    const before = await entryOf(path);

    await meetups.edit(host, meetup, { title });

    expect(await entryOf(path)).toEqual(before);
  });

  test('has a higher SEQUENCE and the same UID after an edit', async () => {
    const before = await entryOf(path);

    await meetups.edit(host, meetup, { startTime: '21:00' });

    const startsAt = meetup.startsAt.replace('T14:', 'T15:');
    expect(await entryOf(path)).toEqual({ ...before, sequence: before.sequence + 1, startsAt });
  });
});

describe('a party that its host deletes', () => {
  const words = /Lantern night.*Hanna Host has called off this party.*18:00 to 22:00, Colombo time.*5 Elm Street/s;
  let party: Party;
  let entryBefore: CalendarEvent;
  let openLetter: Page;
  beforeAll(async () => {
    party = await createParty(host, { title: 'Lantern night', address: '5 Elm Street' });
    await rsvp(maya, party);
    await rsvp(june, party, { accepted: false });
    entryBefore = await entryOf(partyPath(party), maya.browser);
    openLetter = await maya.browser.get(partyPath(party));
    expect((await remove(host, party)).status).toBe(204);
  });

  test('stays among the invitations of its guests, by whom it was called off', async () => {
    const line = /18:00 to 22:00.*Colombo time.*5 Elm Street.*Called off by Hanna Host/s;

    expect(await lineOf(maya, 'Lantern night')).toMatch(line);
    expect(await lineOf(june, 'Lantern night')).toMatch(line);
  });

  test('says on its letter that it is called off, and what it was to be', async () => {
    for (const reader of [maya.browser, june.browser, daybook.visitor()]) {
      const letter = await reader.get(partyPath(party));
      expect(letter.status).toBe(404);
      expect(letter.words).toMatch(words);
    }
  });

  test('has no button on its letter', async () => {
    expect(buttonsOf(await maya.browser.get(partyPath(party)))).toEqual([]);
  });

  test('offers to leave the calendar to whoever had said yes', async () => {
    expect(linksOn(await maya.browser.get(partyPath(party)))).toContain('Remove from calendar');
    for (const reader of [june.browser, daybook.visitor()]) {
      expect(linksOn(await reader.get(partyPath(party)))).not.toContain('Remove from calendar');
    }
  });

  test('takes no RSVP from a letter that was open', async () => {
    const late = await openLetter.submit("I can't come");

    expect(late.status).toBe(404);
    expect(late.words).toMatch(words);
  });

  test('is a canceled entry in its file', async () => {
    const after = await entryOf(partyPath(party), maya.browser);

    expect(after).toMatchObject({ method: 'CANCEL', status: 'CANCELLED', uid: entryBefore.uid });
    expect(after.sequence).toBeGreaterThan(entryBefore.sequence);
  });

  test('is gone for the calls', async () => {
    expect(refusal(await readParty(host, party))).toBe(404);
    expect(refusal(await rsvp(maya, party))).toBe(404);
    expect(refusal(await edit(host, party, { title: 'Back' }))).toBe(404);
    expect(refusal(await remove(host, party))).toBe(404);
  });

  test('is in no list of the calls', async () => {
    for (const list of [await hosted(host), await all(host), await all(maya)]) {
      expect(list.map(({ id }) => id)).not.toContain(party.id);
    }
  });

  test('has no file of guests for its host any more', async () => {
    expect((await host.browser.get(`/view-party/${party.id}/guests.csv`)).status).toBe(404);
  });
});

test('the answers and phone numbers of a party go when its host deletes it', async () => {
  const template = await publishQuestions(host, [{ questionText: 'Allergies?' }]);
  const party = await createParty(host, { template, askPhone: 'optional' });
  await rsvp(maya, party, {}, { formData: [{ question: 'Allergies?', answer: 'Nuts' }], phone: '555 01' });
  const kept = daybook.d1.prepare('SELECT answers, phone FROM invitations WHERE party_id = ?').bind(party.id);
  expect(await kept.first()).toEqual({ answers: expect.stringContaining('Nuts'), phone: '555 01' });

  await remove(host, party);

  expect(await kept.first()).toEqual({ answers: '[]', phone: null });
});

describe('the reason why a party is called off', () => {
  const reason = '  Rain, all week. ';

  test.each([
    ['a reason of 501 letters', 'x'.repeat(501)],
    ['a number', 5],
  ])('can’t be %s by the call', async (_, wrong) => {
    const party = await createParty(host);

    expect(complaints(await remove(host, party, { reason: wrong }))).toHaveLength(1);
    expect((await readParty(host, party)).status).toBe(200);
  });

  test('is kept on the screen where it is too long', async () => {
    const { id } = await createParty(host);

    const refused = await (await host.browser.get(`/view-party/${id}`)).submit('Delete', { reason: 'y'.repeat(501) });

    expect(refused.status).toBe(400);
    expect(refused.$('textarea[name=reason]')?.text).toBe('y'.repeat(501));
  });

  test('stands on top of the invitations until it is read', async () => {
    const guest = await newConsumer();
    const party = await createParty(host);
    await rsvp(guest, party);

    await (await host.browser.get(`/view-party/${party.id}`)).submit('Delete', { reason });

    const page = await guest.browser.get('/invitations');
    expect(noticesOn(page)).toEqual(['Called off by Hanna Host: Rain, all week.']);
    expect(noticesOn(await page.submit('Mark as read'))).toEqual([]);
  });

  test('stands at the link', async () => {
    const party = await createParty(host);
    await rsvp(maya, party);

    await remove(host, party, { reason });

    expect((await maya.browser.get(partyPath(party))).words).toContain('We are sorry. Rain, all week.');
  });
});

describe('a party that was called off', () => {
  /** A party that was moved, then called off, and would have ended so many days ago. */
  async function calledOff(title: string, daysAgo: number) {
    const party = await createParty(host, { title });
    await rsvp(maya, party);
    await edit(host, party, { startTime: '19:00' });
    await remove(host, party);
    await endedDaysAgo(party, daysAgo);
    await daybook.scheduled();
    return party;
  }
  const endedDaysAgo = (party: Party, days: number) =>
    movePartyTo(daybook.d1, party, -days * 24 * 60 - 1, -days * 24 * 60);
  const rowsOf = (party: Party) =>
    Promise.all([rowsIn('parties', party, 'id'), rowsIn('invitations', party), rowsIn('party_moves', party)]);

  test('leaves the invitations when it would have ended', async () => {
    await calledOff('Long gone', 1);

    expect(await lineOf(maya, 'Long gone')).toBeUndefined();
  });

  test('says so at its link for thirty days', async () => {
    const party = await calledOff('Not yet forgotten', 29.9);

    expect((await maya.browser.get(partyPath(party))).words).toContain('has called off this party');
    expect(await rowsOf(party)).toEqual([1, 1, 1]);
  });

  test('leaves the book after thirty days', async () => {
    expect(await rowsOf(await calledOff('Forgotten', 30.1))).toEqual([0, 0, 0]);
  });

  test('is forgotten alone: one that took place stays', async () => {
    const standing = await createParty(host);
    await rsvp(maya, standing);
    await endedDaysAgo(standing, 30.1);

    await daybook.scheduled();

    expect((await partyOf(host, standing)).invitations).toHaveLength(1);
  });
});

describe('a meetup that its host deletes', () => {
  const words = /Hanna Host has called off this meetup\. We are sorry\. No room.*18:00 to 22:00, Colombo time/s;
  let ada: Invitation;
  let ben: Invitation;
  let meetup: Party;
  let openLetter: Page;
  beforeAll(async () => {
    meetup = await createMeetup(host, { title: 'Chess club' });
    ada = linkOf(meetup, 'Ada');
    ben = linkOf(meetup, 'Ben');
    await reply(daybook.visitor(), ada);
    openLetter = await openLink(ben);
    await (await host.browser.get(`/manage-meetup/${meetup.id}`)).submit('Delete', { reason: 'No room' });
  });

  test('says so, and why, behind each personal link', async () => {
    for (const link of [ada, ben]) {
      const letter = await openLink(link);
      expect(letter.status).toBe(404);
      expect(letter.words).toMatch(words);
      expect(buttonsOf(letter)).toEqual([]);
    }
  });

  test('offers to leave the calendar to whoever had accepted', async () => {
    expect(linksOn(await openLink(ada))).toContain('Remove from calendar');
    expect(linksOn(await openLink(ben))).not.toContain('Remove from calendar');
  });

  test('is a canceled entry in its file', async () => {
    expect(await entryOf(`/meetup-rsvp/${ada.id}`)).toMatchObject({ method: 'CANCEL' });
  });

  test('takes no RSVP by the call', async () => {
    for (const link of [ada, ben]) expect(await reply(daybook.visitor(), link)).toMatchObject(meetups.unfound);
  });

  test('takes no RSVP from a letter that was open', async () => {
    expect((await openLetter.submit('Accept')).words).toMatch(words);
  });

  test('is changed by its host no more', async () => {
    expect(refusal(await meetups.addNames(host, meetup, ['Zoë']))).toBe(404);
    expect(refusal(await meetups.replaceLink(host, ada))).toBe(404);
  });
});

test('a reason of 501 letters deletes no meetup', async () => {
  const meetup = await createMeetup(host);

  expect((await meetups.remove(host, meetup, { reason: 'x'.repeat(501) })).status).toBe(400);
  expect((await readParty(host, meetup)).status).toBe(200);
});

describe('before a host tells the guests of a party,', () => {
  const wordsOn = async (path: string) => (await host.browser.get(path)).words;
  const guestNamed = (displayName: string, more = {}) => newGuest(daybook, { displayName, ...more });
  const forAnyone = () => createParty(host, { openTo: 'anyone', askPhone: 'optional' });

  test('the screen says that nobody is told where nobody comes', async () => {
    expect(await wordsOn(`/edit-party/${(await forAnyone()).id}`)).toContain('so nobody is told');
  });

  test.each(['edit-party', 'view-party'])('/%s says how many are told in which way', async (screen) => {
    const party = await forAnyone();
    await rsvp(await newConsumer(), party);
    await rsvp(await guestNamed('Full', { email: newAddress() }), party);

    const words = 'One person is told by mail; one person reads it in their news, and by mail where';
    expect(await wordsOn(`/${screen}/${party.id}`)).toContain(words);
  });

  test.each(['edit-party', 'view-party'])('/%s names whoever has no address', async (screen) => {
    const party = await forAnyone();
    await rsvp(await guestNamed('Zoë'), party, {}, { phone: '555 01' });

    expect(await wordsOn(`/${screen}/${party.id}`)).toContain('Zoë (555 01) has no e-mail here: please call.');
  });

  test.each(['edit-party', 'view-party'])('/%s names nobody who said no', async (screen) => {
    const party = await forAnyone();
    await rsvp(await guestNamed('Zoë'), party);
    await rsvp(await guestNamed('Never'), party, { accepted: false });

    expect(await wordsOn(`/${screen}/${party.id}`)).not.toMatch(/Never (\(|has|and)/);
  });

  /** A party with a guest whose address has had all its mails of today. */
  async function partyOfFullAddress() {
    const party = await forAnyone();
    const email = newAddress();
    await rsvp(await guestNamed('Full', { email }), party, {}, { phone: '555 02' });
    await daybook.d1
      .prepare(`INSERT INTO throttles (bucket, tries, ends_at)
        SELECT 'mail:' || email_hash, 10, ?1 FROM accounts WHERE email = ?2 ON CONFLICT DO UPDATE SET tries = 10`)
      .bind(Date.now() + 3_600_000, email)
      .run();
    return { party, email };
  }

  test('the screen names whoever gets no mail because of a limit', async () => {
    const { party } = await partyOfFullAddress();

    expect(await wordsOn(`/edit-party/${party.id}`)).toContain('Full (555 02) gets no mail: please call.');
  });

  test('the screen says what then happens: that mail is withheld', async () => {
    const { party, email } = await partyOfFullAddress();

    await edit(host, party, { startTime: '19:00' });

    const withheld = "SELECT reason FROM messages WHERE email = ? AND mail_state = 'withheld' AND kind = 'changed'";
    expect(await daybook.d1.prepare(withheld).bind(email).first('reason')).toBe('full');
  });
});

describe('before a host tells the names of a meetup,', () => {
  const wordsOn = async (who: Person, { id }: Party) => (await who.browser.get(`/manage-meetup/${id}`)).words;
  const attendees = [{ name: 'Ada', email: 'ada@mail.test' }, 'Ben'];

  test('the screen says who is told, and who has no address', async () => {
    const known = await confirmAddress(daybook.d1, await newProvider());

    const words = 'One person is told by mail, with your reason. Ben has no e-mail here: please call.';
    expect(await wordsOn(known, await createMeetup(known, { attendees }))).toContain(words);
  });

  test('the screen of a host without a confirmed address promises no mail that is withheld, and no reason in it', async () => {
    const unproven = await newProvider();
    const meetup = await createMeetup(unproven, { attendees });
    await (await openLink(linkOf(meetup, 'Ben'))).submit('Accept', { email: 'ben@mail.test' });

    const bare = 'Your reason is at the link in the mail; to have it in the mail, confirm your own e-mail address.';
    const words = `One person is told by mail. ${bare} Ada gets no mail: please call.`;
    expect(await wordsOn(unproven, meetup)).toContain(words);
  });
});
