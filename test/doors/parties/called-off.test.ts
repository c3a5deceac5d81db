import { describe, expect, test } from 'vitest';
import { type CalendarEvent, readCalendar } from '../../support/calendars';
import { refusal } from '../../support/complaints';
import { dayAhead, type Person, password, peopleAt } from '../../support/factories';
import { buttonsOf, linkPath, linksOn, partyPath } from '../../support/letters';
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

/* What guests read of a party or meetup that its host deletes or moves. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { host, maya, june } = useWorld(daybook, {
  host: { timeZone: 'Asia/Colombo' },
  maya: { timeZone: 'Asia/Colombo' },
  june: { timeZone: 'Asia/Colombo' },
});

/** The line of a party among somebody's invitations; undefined where it is not there. */
const lineOf = async ({ browser }: Person, title: string) =>
  (await browser.get('/invitations')).$$('main li').find((line) => line.text.includes(title));

const openLink = (invitation: Invitation) => daybook.visitor().get(linkPath(invitation));
const noticesOn = (page: Page) => page.$$('main section[role=status] h2').map(({ text }) => text);
/** How many rows a table has of a party. */
const rowsOf = (table: string, { id }: { id: string }, column = 'party_id') =>
  daybook.d1.prepare(`SELECT count(*) AS n FROM ${table} WHERE ${column} = ?`).bind(id).first('n');

/** What a calendar reads of a file: what is to be done, with which entry. */
async function entryOf(who: Visitor, path: string) {
  const { text } = await who.get(`${path}/daybook.ics`);
  const { method, events } = readCalendar(text);
  return { method, isOrganized: text.includes('ORGANIZER'), ...([...events.values()][0] as CalendarEvent) };
}

describe('a party that its host deletes', () => {
  test('stays with its guests, by whom it was called off and what it was to be', async () => {
    const party = await createParty(host, { title: 'Lantern night', address: '5 Elm Street' });
    await rsvp(maya, party);
    await rsvp(june, party, { accepted: false });
    const before = await entryOf(maya.browser, partyPath(party));
    const open = await maya.browser.get(partyPath(party));
    expect((await remove(host, party)).status).toBe(204);
    for (const who of [maya, june]) {
      const line = await lineOf(who, 'Lantern night');
      expect(line?.structuredText).toMatch(/18:00 to 22:00.*Colombo time.*5 Elm Street.*Called off by Hanna Host/s);
    }
    const words = /Lantern night.*Hanna Host has called off this party.*18:00 to 22:00, Colombo time.*5 Elm Street/s;
    for (const who of [maya.browser, june.browser, host.browser, daybook.visitor()]) {
      const letter = await who.get(partyPath(party));
      expect([letter.status, tripsOf(letter), buttonsOf(letter)]).toEqual([404, 1, []]);
      expect(letter.words).toMatch(words);
      expect(letter.$('title')?.text).toBe('Called off · Lantern night · Daybook');
      expect(linksOn(letter).includes('Remove from calendar')).toBe(who === maya.browser);
    }
    const late = await open.submit("I can't come");
    expect([late.status, late.path, words.test(late.words)]).toEqual([404, partyPath(party), true]);
    const after = await entryOf(maya.browser, partyPath(party));
    expect(before).toMatchObject({ method: 'PUBLISH', status: 'CONFIRMED' });
    expect(after).toMatchObject({ method: 'CANCEL', status: 'CANCELLED', uid: before.uid, isOrganized: true });
    expect(after.sequence).toBeGreaterThan(before.sequence);
  });

  test('tells why, on top of the invitations until each guest has seen it, then at its link', async () => {
    const [guest, other] = [await newConsumer({ timeZone: 'Asia/Colombo' }), await newConsumer()];
    const first = await createParty(host, { title: 'Lantern night' });
    const second = await createParty(host, { title: 'Kite day' });
    for (const who of [guest, other]) for (const party of [first, second]) await rsvp(who, party);
    expect((await remove(host, first, { reason: '  Rain, all week. ' })).status).toBe(204);
    expect((await remove(host, second, { reason: null })).status).toBe(204);
    const page = await guest.browser.get('/invitations');
    expect(tripsOf(page)).toBe(1);
    expect(noticesOn(page).sort()).toEqual(['Called off by Hanna Host', 'Called off by Hanna Host: Rain, all week.']);
    const inputs = page.$$('main form[action="/news"] input[name=seen]');
    const seen = inputs.map((input) => input.getAttribute('value') ?? '');
    // Nobody else's press takes it away.
    for (const id of seen) await other.browser.post('/news', { seen: id, from: 'invitations' });
    expect(noticesOn(await guest.browser.get('/invitations'))).toHaveLength(2);
    for (const id of [seen[0], seen[0]] as string[]) {
      const done = await guest.browser.post('/news', { seen: id, from: 'invitations' });
      expect([done.status, done.location]).toEqual([303, '/invitations']);
    }
    const after = await (await guest.browser.get('/invitations')).submit('Mark as read');
    expect([after.path, noticesOn(after)]).toEqual(['/invitations', []]);
    for (const who of [guest, other]) {
      expect((await lineOf(who, 'Lantern night'))?.text).toMatch(/Called off by Hanna Host, [^:]*:\d\d Colombo time/);
      expect((await lineOf(who, 'Kite day'))?.text).not.toContain('Rain');
      const { words } = await who.browser.get('/news');
      expect(words).toMatch(/Hanna Host called off Lantern night on .*: Rain, all week\./);
      const letter = await who.browser.get(partyPath(first));
      expect(letter.words).toContain('Hanna Host has called off this party. We are sorry. Rain, all week.');
    }
    expect(noticesOn(await other.browser.get('/invitations'))).toHaveLength(2);
  });

  test('takes a reason from its screen, where what is too long or no text is refused and nothing is deleted', async () => {
    const party = await createParty(host, { title: 'Long story' });
    await rsvp(maya, party);
    for (const reason of ['x'.repeat(501), 5, 'a\u0000b']) {
      const answer = await remove(host, party, { reason });
      expect([answer.status, (answer.json as string[]).length]).toEqual([400, 1]);
    }
    const screen = await host.browser.get(`/view-party/${party.id}`);
    expect(screen.$('dialog h2')?.text).toContain('Its link will say that you called it off.');
    const refused = await screen.submit('Delete', { reason: 'y'.repeat(501) });
    expect([refused.status, refused.$('textarea[name=reason]')?.text]).toEqual([400, 'y'.repeat(501)]);
    expect(refused.$('dialog [data-faults]')?.text).toContain('500');
    expect((await readParty(host, party)).status).toBe(200);
    await refused.submit('Delete', { reason: 'A burst pipe' });
    expect((await maya.browser.get('/invitations')).words).toContain('Called off by Hanna Host: A burst pipe');
    expect((await remove(host, await createParty(host), {})).status).toBe(204);
  });

  test('keeps no reason of a host who has left', async () => {
    const leaving = await newProvider();
    const party = await createParty(leaving);
    await rsvp(maya, party);
    await remove(leaving, party, { reason: 'My own words' });
    await leaving.api('DELETE', '/api/Account/Delete', { password });
    const kept = await daybook.d1.prepare('SELECT cancel_reason FROM parties WHERE id = ?').bind(party.id).first();
    expect(kept).toEqual({ cancel_reason: null });
    expect((await maya.browser.get('/news')).words).not.toContain('My own words');
  });

  test('is gone for the calls and for its host, and its answers for everybody', async () => {
    const template = await publishQuestions(host, [{ questionText: 'Allergies?' }]);
    const party = await createParty(host, { template });
    await rsvp(maya, party, {}, [{ question: 'Allergies?', answer: 'Nuts' }]);
    await remove(host, party);
    for (const answer of [
      await readParty(host, party),
      await readParty(maya, party),
      await rsvp(maya, party),
      await rsvp(june, party),
      await edit(host, party, { title: 'Back again' }),
      await remove(host, party),
    ]) {
      expect(refusal(answer)).toBe(404);
    }
    for (const list of [await hosted(host), await all(host), await all(maya)]) {
      expect(list.map(({ id }) => id)).not.toContain(party.id);
    }
    for (const path of [`/view-party/${party.id}`, `/edit-party/${party.id}`, `/view-party/${party.id}/guests.csv`]) {
      expect((await host.browser.get(path)).status).toBe(404);
    }
    expect((await host.browser.get('/view-parties')).text).not.toContain(party.id);
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
    const ended = (days: number) =>
      daybook.d1
        .prepare('UPDATE parties SET starts_at = ?1 - 60000, ends_at = ?1 WHERE id IN (?2, ?3)')
        .bind(Date.now() - days * 24 * 60 * 60_000, party.id, standing.id)
        .run();
    await ended(29.9);
    await daybook.scheduled();
    expect(await rows()).toEqual([1, 1, 1]);
    expect(await lineOf(maya, 'Long gone')).toBeUndefined();
    expect((await maya.browser.get(partyPath(party))).words).toContain('has called off this party');
    await ended(30.1);
    await daybook.scheduled();
    expect(await rows()).toEqual([0, 0, 0]);
    expect((await maya.browser.get(partyPath(party))).words).toContain('There is no such party.');
    expect((await partyOf(host, standing)).invitations).toHaveLength(1);
  });
});

describe('a meetup that its host deletes', () => {
  test('says so, and why, behind each personal link, to whoever answers too', async () => {
    const meetup = await createMeetup(host, { title: 'Chess club' });
    const [ada, ben] = [linkOf(meetup, 'Ada'), linkOf(meetup, 'Ben')];
    await reply(daybook.visitor(), ada);
    const open = await openLink(ben);
    expect((await meetups.remove(host, meetup, { reason: 'x'.repeat(501) })).status).toBe(400);
    const screen = await host.browser.get(`/manage-meetup/${meetup.id}`);
    const refused = await screen.submit('Delete', { reason: 'y'.repeat(501) });
    expect([refused.status, refused.$('textarea[name=reason]')?.text]).toEqual([400, 'y'.repeat(501)]);
    await refused.submit('Delete', { reason: 'No room' });
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
    const other = await createMeetup(host);
    await meetups.remove(host, other, { reason: 'By the call' });
    expect((await openLink(linkOf(other, 'Ada'))).words).toContain('We are sorry. By the call');
  });

  test('can be changed by nobody any more', async () => {
    const meetup = await createMeetup(host);
    await meetups.remove(host, meetup);
    const ada = linkOf(meetup, 'Ada');
    for (const answer of [
      await meetups.edit(host, meetup, { title: 'Back again' }),
      await meetups.addNames(host, meetup, ['Zoë']),
      await meetups.removeName(host, ada),
      await meetups.replaceLink(host, ada),
      await readParty(host, meetup),
    ]) {
      expect(refusal(answer)).toBe(404);
    }
    expect((await meetups.hosted(host)).map(({ id }) => id)).not.toContain(meetup.id);
    expect((await host.browser.get(`/manage-meetup/${meetup.id}`)).status).toBe(404);
  });
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
    expect(await read(maya.browser)).toMatch(/^\w+.*20\d\d, 18:00 to 22:00, Colombo time at 5 Elm Street$/);
    for (const who of [june.browser, daybook.visitor(), host.browser]) expect(await read(who)).toBeUndefined();
    const line = (await lineOf(maya, 'Wandering feast'))?.structuredText;
    expect(line).toMatch(/19:30 to 22:00.*7 Oak Street.*It was .*18:00 to 22:00.*5 Elm Street.*It has moved/s);
    expect((await lineOf(june, 'Wandering feast'))?.text).not.toContain('It was');

    // Moved again: each reads what they said yes to.
    const late = await newConsumer({ timeZone: 'Asia/Colombo' });
    await rsvp(late, party);
    await edit(host, party, { date: dayAhead(9) });
    expect(await read(maya.browser)).toMatch(/18:00 to 22:00, Colombo time at 5 Elm Street$/);
    expect(await read(late.browser)).toMatch(/19:30 to 22:00, Colombo time at 7 Oak Street$/);
    expect(tripsOf(await late.browser.get('/invitations'))).toBe(1);

    // Whoever answers anew knows; and what has moved back has not moved.
    await rsvp(late, party, { accepted: false });
    await rsvp(late, party);
    expect(await read(late.browser)).toBeUndefined();
    await edit(host, party, { date: party.date, startTime: '18:00', address: '5 Elm Street' });
    expect(await read(maya.browser)).toBeUndefined();
    expect(await read(late.browser)).toMatch(/19:30 to 22:00, Colombo time at 7 Oak Street$/);
  });

  test('stands on top of the invitations until it is seen', async () => {
    const guest = await newConsumer({ timeZone: 'Asia/Colombo' });
    const party = await createParty(host, { title: 'Moving feast' });
    await rsvp(guest, party);
    await edit(host, party, { startTime: '19:30' });
    const page = await guest.browser.get('/invitations');
    const changed = /Changed by Hanna Host.*18:00 to 22:00.*now on.*19:30 to 22:00/s;
    expect(page.$('main section[role=status]')?.text).toMatch(changed);
    expect(noticesOn(await page.submit('Mark as read'))).toEqual([]);
  });

  test('says so behind the personal link of who accepted', async () => {
    const meetup = await createMeetup(host);
    const [ada, ben] = [linkOf(meetup, 'Ada'), linkOf(meetup, 'Ben')];
    await reply(daybook.visitor(), ada);
    await meetups.edit(host, meetup, { endTime: '23:00' });
    expect(moved(await openLink(ada))).toMatch(/18:00 to 22:00, Colombo time$/);
    expect(moved(await openLink(ben))).toBeUndefined();
  });

  test('keeps nothing of what nobody had said yes to, nor of an edit that was refused', async () => {
    const party = await createParty(host);
    await edit(host, party, { startTime: '19:00' });
    expect(await rowsOf('party_moves', party)).toBe(0);
    await rsvp(maya, party);
    expect((await edit(host, party, { startTime: '20:00', template: 'none' })).status).toBe(404);
    expect(await rowsOf('party_moves', party)).toBe(0);
    await Promise.all([edit(host, party, { startTime: '20:00' }), edit(host, party, { startTime: '20:00' })]);
    expect(await rowsOf('party_moves', party)).toBe(1);
  });
});
