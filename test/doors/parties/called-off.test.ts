import { describe, expect, test } from 'vitest';
import { type CalendarEvent, readCalendar } from '../../support/calendars';
import { complaints, refusal } from '../../support/complaints';
import { dayAhead, type Person, peopleAt } from '../../support/factories';
import { newGuest } from '../../support/guests';
import { buttonsOf, linkPath, linksOn, partyPath } from '../../support/letters';
import { confirmAddress } from '../../support/mails';
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

/* What guests and their calendars read of a party or meetup that its host deletes or moves, and what the host reads before. */

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
const rowsOf = (table: string, { id }: { id: string }, column = 'party_id') =>
  daybook.d1.prepare(`SELECT count(*) AS n FROM ${table} WHERE ${column} = ?`).bind(id).first('n');

/** The one entry of a calendar file, and what is to be done with it, as another program reads it. */
async function entryOf(path: string, who: Visitor = daybook.visitor()) {
  const { status, headers, text } = await who.get(`${path}/daybook.ics`);
  expect([status, headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8']);
  for (const line of text.split('\r\n')) {
    expect([line.includes('\n'), Buffer.byteLength(line) <= 75]).toEqual([false, true]);
  }
  const { method, events } = readCalendar(text);
  expect(events.size).toBe(1);
  return { ...([...events.values()][0] as CalendarEvent), method };
}

test('the file of a meetup opens elsewhere, and an edit raises its SEQUENCE, not its UID', async () => {
  const words = { title: 'Ünïcode, semi; colon\\ & 🎉', description: `Two lines,\nand ${'more; '.repeat(40)}` };
  const details = { ...words, address: '5 Elm Street, Kandy', startTime: '20:00', endTime: '02:00' };
  const meetup = await createMeetup(host, details);
  const page = `/meetup-rsvp/${linkOf(meetup, 'Ada').id}`;
  const first = await entryOf(page);
  expect(first).toEqual({
    method: 'PUBLISH',
    uid: expect.stringMatching(/.{20,}/),
    sequence: 0,
    summary: words.title,
    description: words.description.trim(),
    location: '5 Elm Street, Kandy',
    url: `${daybook.url}${page}`,
    status: 'CONFIRMED',
    startsAt: meetup.startsAt,
    endsAt: meetup.endsAt,
    alarms: [],
  });
  await meetups.edit(host, meetup, { title: words.title });
  expect(await entryOf(page)).toEqual(first);
  await meetups.edit(host, meetup, { startTime: '21:00' });
  expect(await entryOf(page)).toEqual({ ...first, sequence: 1, startsAt: meetup.startsAt.replace('T14:', 'T15:') });
});

describe('a party that its host deletes', () => {
  test('stays with its guests, by whom it was called off and what it was to be', async () => {
    const party = await createParty(host, { title: 'Lantern night', address: '5 Elm Street' });
    await rsvp(maya, party);
    await rsvp(june, party, { accepted: false });
    const before = await entryOf(partyPath(party), maya.browser);
    const open = await maya.browser.get(partyPath(party));
    expect((await remove(host, party)).status).toBe(204);
    const line = /18:00 to 22:00.*Colombo time.*5 Elm Street.*Called off by Hanna Host/s;
    for (const who of [maya, june]) expect(await lineOf(who, 'Lantern night')).toMatch(line);
    const words = /Lantern night.*Hanna Host has called off this party.*18:00 to 22:00, Colombo time.*5 Elm Street/s;
    for (const who of [maya.browser, june.browser, daybook.visitor()]) {
      const letter = await who.get(partyPath(party));
      expect([letter.status, buttonsOf(letter), letter.words]).toEqual([404, [], expect.stringMatching(words)]);
      expect(linksOn(letter).includes('Remove from calendar')).toBe(who === maya.browser);
    }
    const late = await open.submit("I can't come");
    expect([late.status, late.words]).toEqual([404, expect.stringMatching(words)]);
    const after = await entryOf(partyPath(party), maya.browser);
    expect(after).toMatchObject({ method: 'CANCEL', status: 'CANCELLED', uid: before.uid });
    expect(after.sequence).toBeGreaterThan(before.sequence);
  });

  test('tells why, as typed on its screen, on top of the invitations until it was seen, then at its link', async () => {
    const guest = await newConsumer();
    const party = await createParty(host, { title: 'Long story' });
    await rsvp(guest, party);
    for (const reason of ['x'.repeat(501), 5]) {
      expect(complaints(await remove(host, party, { reason }))).toHaveLength(1);
    }
    const reason = 'y'.repeat(501);
    const refused = await (await host.browser.get(`/view-party/${party.id}`)).submit('Delete', { reason });
    expect([refused.status, refused.$('textarea[name=reason]')?.text]).toEqual([400, reason]);
    await refused.submit('Delete', { reason: '  Rain, all week. ' });
    const page = await guest.browser.get('/invitations');
    expect(noticesOn(page)).toEqual(['Called off by Hanna Host: Rain, all week.']);
    expect(noticesOn(await page.submit('Mark as read'))).toEqual([]);
    expect((await guest.browser.get(partyPath(party))).words).toContain('We are sorry. Rain, all week.');
  });

  test('is gone for the calls and for its host, and its answers for everybody', async () => {
    const template = await publishQuestions(host, [{ questionText: 'Allergies?' }]);
    const party = await createParty(host, { template });
    await rsvp(maya, party, {}, [{ question: 'Allergies?', answer: 'Nuts' }]);
    await remove(host, party);
    const answers = [await readParty(host, party), await rsvp(maya, party), await edit(host, party, { title: 'Back' })];
    for (const answer of [...answers, await remove(host, party)]) expect(refusal(answer)).toBe(404);
    for (const list of [await hosted(host), await all(host), await all(maya)]) {
      expect(list.map(({ id }) => id)).not.toContain(party.id);
    }
    expect((await host.browser.get(`/view-party/${party.id}/guests.csv`)).status).toBe(404);
    const kept = daybook.d1.prepare('SELECT answers FROM invitations WHERE party_id = ?').bind(party.id);
    expect(await kept.first('answers')).toBe('[]');
  });

  test('leaves the invitations when it has passed, and the book thirty days later; one that stands does not', async () => {
    const [party, standing] = [await createParty(host, { title: 'Long gone' }), await createParty(host)];
    for (const one of [party, standing]) await rsvp(maya, one);
    await edit(host, party, { startTime: '19:00' });
    await remove(host, party);
    const rows = () =>
      Promise.all([rowsOf('parties', party, 'id'), rowsOf('invitations', party), rowsOf('party_moves', party)]);
    const ended = async (days: number) => {
      const minutes = -days * 24 * 60;
      for (const one of [party, standing]) await movePartyTo(daybook.d1, one, minutes - 1, minutes);
      await daybook.scheduled();
    };
    await ended(29.9);
    expect(await rows()).toEqual([1, 1, 1]);
    expect(await lineOf(maya, 'Long gone')).toBeUndefined();
    expect((await maya.browser.get(partyPath(party))).words).toContain('has called off this party');
    await ended(30.1);
    expect(await rows()).toEqual([0, 0, 0]);
    expect((await partyOf(host, standing)).invitations).toHaveLength(1);
  });
});

test('a meetup that its host deletes says so, and why, behind each personal link, and can be changed by nobody', async () => {
  const meetup = await createMeetup(host, { title: 'Chess club' });
  const [ada, ben] = [linkOf(meetup, 'Ada'), linkOf(meetup, 'Ben')];
  await reply(daybook.visitor(), ada);
  const open = await openLink(ben);
  expect((await meetups.remove(host, meetup, { reason: 'x'.repeat(501) })).status).toBe(400);
  await (await host.browser.get(`/manage-meetup/${meetup.id}`)).submit('Delete', { reason: 'No room' });
  const calledOff = /Hanna Host has called off this meetup\. We are sorry\. No room.*18:00 to 22:00, Colombo time/s;
  for (const link of [ada, ben]) {
    const letter = await openLink(link);
    expect([letter.status, buttonsOf(letter)]).toEqual([404, []]);
    expect(letter.words).toMatch(calledOff);
    expect(linksOn(letter).includes('Remove from calendar')).toBe(link === ada);
    expect(await reply(daybook.visitor(), link)).toMatchObject(meetups.unfound);
  }
  expect((await open.submit('Accept')).words).toMatch(calledOff);
  expect(await entryOf(`/meetup-rsvp/${ada.id}`)).toMatchObject({ method: 'CANCEL' });
  for (const answer of [await meetups.addNames(host, meetup, ['Zoë']), await meetups.replaceLink(host, ada)]) {
    expect(refusal(answer)).toBe(404);
  }
});

test('a button that tells people says before how many guests are told in which way, and names those who are not', async () => {
  const wordsOn = async (path: string) => (await host.browser.get(path)).words;
  const party = await createParty(host, { openTo: 'anyone', askPhone: 'optional' });
  expect(await wordsOn(`/edit-party/${party.id}`)).toContain('so nobody is told');
  const email = 'one@mail.test';
  const guest = (displayName: string, more = {}) => newGuest(daybook, { displayName, ...more });
  await rsvp(await newConsumer(), party);
  await rsvp(await guest('Full', { email }), party, {}, { phone: '555 02' });
  await rsvp(await guest('Zoë'), party, {}, { phone: '555 01' });
  await rsvp(await guest('Never'), party, { accepted: false });
  for (const path of [`/edit-party/${party.id}`, `/view-party/${party.id}`]) {
    const words = await wordsOn(path);
    expect(words).toContain('One person is told by mail; one person reads it in their news, and by mail where');
    expect(words).toContain('Zoë (555 01) has no e-mail here: please call.');
    expect(words).not.toContain('Never (');
  }
  // As if the address had had all its mails of today.
  const fill = `INSERT INTO throttles (bucket, tries, ends_at)
    SELECT 'mail:' || email_hash, 10, ?1 FROM accounts WHERE email = ?2 ON CONFLICT DO UPDATE SET tries = 10`;
  await daybook.d1
    .prepare(fill)
    .bind(Date.now() + 3_600_000, email)
    .run();
  expect(await wordsOn(`/edit-party/${party.id}`)).toContain('Full (555 02) gets no mail: please call.');
  await edit(host, party, { startTime: '19:00' });
  const held = "SELECT reason FROM messages WHERE email = ? AND mail_state = 'held' AND kind = 'changed'";
  expect(await daybook.d1.prepare(held).bind(email).first('reason')).toBe('full');
});

test('a button that tells the names of a meetup promises no mail that is held back, and no reason that stays out of it', async () => {
  const wordsOn = async (who: Person, { id }: Party) => (await who.browser.get(`/manage-meetup/${id}`)).words;
  const attendees = [{ name: 'Ada', email: 'ada@mail.test' }, 'Ben'];
  const [stranger, known] = [await newProvider(), await confirmAddress(daybook.d1, await newProvider())];
  const told = 'One person is told by mail, with your reason. Ben has no e-mail here: please call.';
  expect(await wordsOn(known, await createMeetup(known, { attendees }))).toContain(told);
  const unproven = await createMeetup(stranger, { attendees });
  await (await openLink(linkOf(unproven, 'Ben'))).submit('Accept', { email: 'ben@mail.test' });
  const bare = 'Your reason is at the link in the mail; to have it in the mail, confirm your own e-mail address.';
  const words = `One person is told by mail. ${bare} Ada gets no mail: please call.`;
  expect(await wordsOn(stranger, unproven)).toContain(words);
});
