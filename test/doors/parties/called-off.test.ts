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
  partyOf,
  publishQuestions,
  readParty,
  reply,
  rsvp,
} from '../../support/party-factories';
import { useServer, useWorld } from '../../support/use-server';
import { type Page, tripsOf, type Visitor } from '../../support/visit';

/* What guests read of a party or meetup that its host deletes or moves, and what the host reads of it before. */

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

/** What a calendar reads of a file: what is to be done, with which entry. */
async function entryOf(who: Visitor, path: string) {
  const { method, events } = readCalendar((await who.get(`${path}/daybook.ics`)).text);
  return { method, ...([...events.values()][0] as CalendarEvent) };
}

describe('a party that its host deletes', () => {
  test('stays with its guests, by whom it was called off and what it was to be', async () => {
    const party = await createParty(host, { title: 'Lantern night', address: '5 Elm Street' });
    await rsvp(maya, party);
    await rsvp(june, party, { accepted: false });
    const before = await entryOf(maya.browser, partyPath(party));
    const open = await maya.browser.get(partyPath(party));
    expect((await remove(host, party)).status).toBe(204);
    const line = /18:00 to 22:00.*Colombo time.*5 Elm Street.*Called off by Hanna Host/s;
    for (const who of [maya, june]) expect(await lineOf(who, 'Lantern night')).toMatch(line);
    const words = /Lantern night.*Hanna Host has called off this party.*18:00 to 22:00, Colombo time.*5 Elm Street/s;
    for (const who of [maya.browser, june.browser, daybook.visitor()]) {
      const letter = await who.get(partyPath(party));
      expect([letter.status, tripsOf(letter), buttonsOf(letter)]).toEqual([404, 1, []]);
      expect(letter.words).toMatch(words);
      expect(linksOn(letter).includes('Remove from calendar')).toBe(who === maya.browser);
    }
    const late = await open.submit("I can't come");
    expect([late.status, late.path, words.test(late.words)]).toEqual([404, partyPath(party), true]);
    const after = await entryOf(maya.browser, partyPath(party));
    expect(before).toMatchObject({ method: 'PUBLISH', status: 'CONFIRMED' });
    expect(after).toMatchObject({ method: 'CANCEL', status: 'CANCELLED', uid: before.uid });
    expect(after.sequence).toBeGreaterThan(before.sequence);
  });

  test('tells why, on top of the invitations until each guest has seen it, then at its link', async () => {
    const [guest, other] = [await newConsumer(), await newConsumer()];
    const party = await createParty(host, { title: 'Lantern night' });
    for (const who of [guest, other]) await rsvp(who, party);
    await remove(host, party, { reason: '  Rain, all week. ' });
    const page = await guest.browser.get('/invitations');
    const notice = 'Called off by Hanna Host: Rain, all week.';
    expect([tripsOf(page), noticesOn(page)]).toEqual([1, [notice]]);
    // Nobody else's press takes it away.
    const seen = page.$('main form[action="/news"] input[name=seen]')?.getAttribute('value') ?? '';
    await other.browser.post('/news', { seen, from: 'invitations' });
    expect(noticesOn(await guest.browser.get('/invitations'))).toEqual([notice]);
    expect(noticesOn(await page.submit('Mark as read'))).toEqual([]);
    expect(noticesOn(await other.browser.get('/invitations'))).toEqual([notice]);
    const letter = await guest.browser.get(partyPath(party));
    expect(letter.words).toContain('Hanna Host has called off this party. We are sorry. Rain, all week.');
  });

  test('takes a reason from its screen, where what is too long is refused and nothing is deleted', async () => {
    const party = await createParty(host, { title: 'Long story' });
    await rsvp(maya, party);
    for (const reason of ['x'.repeat(501), 5])
      expect(complaints(await remove(host, party, { reason }))).toHaveLength(1);
    const refused = await (await host.browser.get(`/view-party/${party.id}`)).submit('Delete', {
      reason: 'y'.repeat(501),
    });
    expect([refused.status, refused.$('textarea[name=reason]')?.text]).toEqual([400, 'y'.repeat(501)]);
    expect((await readParty(host, party)).status).toBe(200);
    await refused.submit('Delete', { reason: 'A burst pipe' });
    expect((await maya.browser.get('/invitations')).words).toContain('Called off by Hanna Host: A burst pipe');
  });

  test('is gone for the calls and for its host, and its answers for everybody', async () => {
    const template = await publishQuestions(host, [{ questionText: 'Allergies?' }]);
    const party = await createParty(host, { template });
    await rsvp(maya, party, {}, [{ question: 'Allergies?', answer: 'Nuts' }]);
    await remove(host, party);
    for (const answer of [
      await readParty(host, party),
      await rsvp(maya, party),
      await edit(host, party, { title: 'Back again' }),
      await remove(host, party),
    ]) {
      expect(refusal(answer)).toBe(404);
    }
    for (const list of [await hosted(host), await all(host), await all(maya)]) {
      expect(list.map(({ id }) => id)).not.toContain(party.id);
    }
    expect((await host.browser.get(`/view-party/${party.id}/guests.csv`)).status).toBe(404);
    const kept = await daybook.d1.prepare('SELECT answers FROM invitations WHERE party_id = ?').bind(party.id).all();
    expect(kept.results).toEqual([{ answers: '[]' }]);
  });

  test('leaves the invitations when it has passed, and the book thirty days later; one that stands does not', async () => {
    const [party, standing] = [await createParty(host, { title: 'Long gone' }), await createParty(host)];
    for (const one of [party, standing]) await rsvp(maya, one);
    await edit(host, party, { startTime: '19:00' });
    await remove(host, party);
    const rows = async () => [
      await rowsOf('parties', party, 'id'),
      await rowsOf('invitations', party),
      await rowsOf('party_moves', party),
    ];
    const ended = async (days: number) => {
      await daybook.d1
        .prepare('UPDATE parties SET starts_at = ?1 - 60000, ends_at = ?1 WHERE id IN (?2, ?3)')
        .bind(Date.now() - days * 24 * 60 * 60_000, party.id, standing.id)
        .run();
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
  const calledOff = 'Hanna Host has called off this meetup. We are sorry. No room';
  for (const link of [ada, ben]) {
    const letter = await openLink(link);
    expect([letter.status, tripsOf(letter), buttonsOf(letter)]).toEqual([404, 1, []]);
    expect(letter.words).toMatch(new RegExp(`Chess club.*${calledOff}.*18:00 to 22:00, Colombo time`, 's'));
    expect(linksOn(letter).includes('Remove from calendar')).toBe(link === ada);
    expect(await meetups.attendee(daybook.visitor(), link)).toMatchObject(meetups.unfound);
    expect(await reply(daybook.visitor(), link)).toMatchObject(meetups.unfound);
  }
  expect((await open.submit('Accept')).words).toContain(calledOff);
  expect(await entryOf(daybook.visitor(), linkPath(ada).replace(/\?.*/, ''))).toMatchObject({ method: 'CANCEL' });
  for (const answer of [await meetups.addNames(host, meetup, ['Zoë']), await meetups.replaceLink(host, ada)]) {
    expect(refusal(answer)).toBe(404);
  }
});

describe('what moves', () => {
  const notice = /This (?:party|meetup) has moved since you said yes\. It was (.*?)When and where it is now/s;
  const moved = (page: Page) => notice.exec(page.words)?.[1]?.trim();

  test('says what was, to who said yes to that, and to nobody else', async () => {
    const party = await createParty(host, { title: 'Wandering feast', address: '5 Elm Street' });
    await rsvp(maya, party);
    await rsvp(june, party, { accepted: false });
    const read = async (who: Visitor) => moved(await who.get(partyPath(party)));
    await edit(host, party, { title: 'Wandering feast II', capacity: 40 });
    expect(await read(maya.browser)).toBeUndefined();
    await edit(host, party, { startTime: '19:30', address: '7 Oak Street' });
    const first = /18:00 to 22:00, Colombo time at 5 Elm Street$/;
    expect(await read(maya.browser)).toMatch(first);
    for (const who of [june.browser, daybook.visitor(), host.browser]) expect(await read(who)).toBeUndefined();
    const line = /19:30 to 22:00.*7 Oak Street.*It was .*18:00 to 22:00.*5 Elm Street.*It has moved/s;
    expect(await lineOf(maya, 'Wandering feast')).toMatch(line);
    expect(await lineOf(june, 'Wandering feast')).not.toContain('It was');

    // Moved again: each reads what they said yes to.
    const late = await newConsumer({ timeZone: 'Asia/Colombo' });
    await rsvp(late, party);
    await edit(host, party, { date: dayAhead(9) });
    expect(await read(maya.browser)).toMatch(first);
    expect(await read(late.browser)).toMatch(/19:30 to 22:00, Colombo time at 7 Oak Street$/);

    // Whoever answers anew knows; and what has moved back has not moved.
    await rsvp(late, party, { accepted: false });
    await rsvp(late, party);
    expect(await read(late.browser)).toBeUndefined();
    await edit(host, party, { date: party.date, startTime: '18:00', address: '5 Elm Street' });
    expect(await read(maya.browser)).toBeUndefined();

    const meetup = await createMeetup(host);
    await reply(daybook.visitor(), linkOf(meetup, 'Ada'));
    await meetups.edit(host, meetup, { endTime: '23:00' });
    expect(moved(await openLink(linkOf(meetup, 'Ada')))).toMatch(/18:00 to 22:00, Colombo time$/);
    expect(moved(await openLink(linkOf(meetup, 'Ben')))).toBeUndefined();
  });

  test('keeps nothing of what nobody had said yes to, nor of an edit that was refused', async () => {
    const party = await createParty(host);
    await edit(host, party, { startTime: '19:00' });
    await rsvp(maya, party);
    expect((await edit(host, party, { startTime: '20:00', template: 'none' })).status).toBe(404);
    expect(await rowsOf('party_moves', party)).toBe(0);
    await Promise.all([edit(host, party, { startTime: '20:00' }), edit(host, party, { startTime: '20:00' })]);
    expect(await rowsOf('party_moves', party)).toBe(1);
  });
});

describe('what a screen says before a button that tells people', () => {
  /** As if the address had had all its mails of today. */
  const fill = (email: string) =>
    daybook.d1
      .prepare(
        "INSERT INTO throttles (bucket, tries, ends_at) SELECT 'mail:' || email_hash, 10, ?1 FROM accounts WHERE email = ?2 ON CONFLICT DO UPDATE SET tries = 10",
      )
      .bind(Date.now() + 3_600_000, email)
      .run();
  const wordsOn = async (path: string, who: Person = host) => (await who.browser.get(path)).words;

  test('counts the guests of a party by the way that they are told, and names those who are not', async () => {
    const party = await createParty(host, { openTo: 'anyone', askPhone: 'optional' });
    expect(await wordsOn(`/edit-party/${party.id}`)).toContain('so nobody is told');
    await rsvp(await newConsumer(), party);
    const email = 'one@mail.test';
    await rsvp(await newGuest(daybook, { displayName: 'Full', email }), party, {}, { phone: '555 02' });
    await rsvp(await newGuest(daybook, { displayName: 'Zoë' }), party, {}, { phone: '555 01' });
    await rsvp(await newGuest(daybook, { displayName: 'Never' }), party, { accepted: false });
    for (const path of [`/edit-party/${party.id}`, `/view-party/${party.id}`]) {
      const words = await wordsOn(path);
      expect(words).toContain('One person is told by mail; one person reads it in their news, and by mail where');
      expect(words).toContain('Zoë (555 01) has no e-mail here: please call.');
      expect(words).not.toContain('Never (');
    }
    await fill(email);
    expect(await wordsOn(`/edit-party/${party.id}`)).toContain('Full (555 02) gets no mail: please call.');
    await edit(host, party, { startTime: '19:00' });
    const held = "SELECT reason FROM messages WHERE email = ? AND mail_state = 'held' AND kind = 'changed'";
    expect((await daybook.d1.prepare(held).bind(email).all()).results).toEqual([{ reason: 'full' }]);
  });

  test('promises the names of a meetup no mail that is held back, and no reason that stays out of it', async () => {
    const attendees = [{ name: 'Ada', email: 'ada@mail.test' }, 'Ben'];
    const [stranger, known] = [await newProvider(), await confirmAddress(daybook.d1, await newProvider())];
    const told = 'One person is told by mail, with your reason. Ben has no e-mail here: please call.';
    expect(await wordsOn(`/manage-meetup/${(await createMeetup(known, { attendees })).id}`, known)).toContain(told);
    const unproven = await createMeetup(stranger, { attendees });
    await (await openLink(linkOf(unproven, 'Ben'))).submit('Accept', { email: 'ben@mail.test' });
    const bare = 'Your reason is at the link in the mail; to have it in the mail, confirm your own e-mail address.';
    const words = `One person is told by mail. ${bare} Ada gets no mail: please call.`;
    expect(await wordsOn(`/manage-meetup/${unproven.id}`, stranger)).toContain(words);
  });
});
