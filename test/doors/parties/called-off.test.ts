import ICAL from 'ical.js';
import { describe, expect, test } from 'vitest';
import { tripsOf } from '../../support/asked';
import { refusal } from '../../support/complaints';
import { dayAhead, type Person, password, peopleAt } from '../../support/factories';
import { buttonsOf, linkPath, partyPath } from '../../support/letters';
import * as meetups from '../../support/meetup-calls';
import { all, edit, hosted, remove } from '../../support/party-calls';
import {
  createMeetup,
  createParty,
  endParty,
  linkOf,
  partyOf,
  publishQuestions,
  readParty,
  reply,
  rsvp,
} from '../../support/party-factories';
import { useServer } from '../../support/use-server';
import type { Page, Visitor } from '../../support/visit';
import { useWorld } from '../../support/world';

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { host, maya, june } = useWorld(daybook, {
  host: { timeZone: 'Asia/Colombo' },
  maya: { timeZone: 'Asia/Colombo' },
  june: { timeZone: 'Asia/Colombo' },
});

/** Deletes a party, and says why. */
const callOff = (who: Person, { id }: { id: string }, reason: string | null) =>
  who.api('DELETE', `/api/Party/DeleteParty?id=${id}`, { reason });

/** The line of a party among somebody's invitations; undefined where it is not there. */
const lineOf = async ({ browser }: Person, title: string) =>
  (await browser.get('/invitations')).$$('main li').find((line) => line.text.includes(title));

const linksOn = (page: Page) => page.$$('main a').map(({ text }) => text);

/** What a calendar reads of a file: what is to be done, with which entry. */
async function entryOf(who: Visitor, path: string) {
  const calendar = new ICAL.Component(ICAL.parse((await who.get(`${path}/daybook.ics`)).text));
  const event = calendar.getFirstSubcomponent('vevent');
  const value = (name: string) => event?.getFirstPropertyValue(name);
  return {
    method: calendar.getFirstPropertyValue('method'),
    status: value('status'),
    uid: value('uid'),
    sequence: Number(value('sequence')),
    isOrganized: Boolean(value('organizer')),
  };
}

describe('a party that its host deletes', () => {
  test('stays with its guests, by whom it was called off and what it was to be', async () => {
    const party = await createParty(host, { title: 'Lantern night', address: '5 Elm Street' });
    await rsvp(maya, party);
    await rsvp(june, party, { accepted: false });
    const before = await entryOf(maya.browser, partyPath(party));
    expect((await remove(host, party)).status).toBe(204);
    for (const who of [maya, june]) {
      const line = await lineOf(who, 'Lantern night');
      expect(line?.structuredText).toMatch(/18:00 to 22:00.*Colombo time.*5 Elm Street.*Called off by Hanna Host/s);
    }
    for (const who of [maya.browser, june.browser, host.browser, daybook.visitor()]) {
      const letter = await who.get(partyPath(party));
      expect([letter.status, tripsOf(letter), buttonsOf(letter)]).toEqual([404, 1, []]);
      expect(letter.words).toMatch(
        /Lantern night.*Hanna Host has called off this party.*18:00 to 22:00, Colombo time/s,
      );
      expect(letter.words).toContain('5 Elm Street');
      expect(letter.$('title')?.text).toBe('Called off · Lantern night · Daybook');
      expect(linksOn(letter).includes('Remove from calendar')).toBe(who === maya.browser);
    }
    const after = await entryOf(maya.browser, partyPath(party));
    expect(before).toMatchObject({ method: 'PUBLISH', status: 'CONFIRMED' });
    expect(after).toMatchObject({ method: 'CANCEL', status: 'CANCELLED', uid: before.uid, isOrganized: true });
    expect(after.sequence).toBeGreaterThan(before.sequence);
  });

  test('tells why, on top of the invitations until each guest has seen it, then at its link', async () => {
    const [guest, other] = [await newConsumer({ timeZone: 'Asia/Colombo' }), await newConsumer()];
    const [first, second] = [
      await createParty(host, { title: 'Lantern night' }),
      await createParty(host, { title: 'Kite day' }),
    ];
    for (const who of [guest, other]) for (const party of [first, second]) await rsvp(who, party);
    expect((await callOff(host, first, '  Rain, all week. ')).status).toBe(204);
    expect((await callOff(host, second, null)).status).toBe(204);
    const page = await guest.browser.get('/invitations');
    const notices = (of: typeof page) => of.$$('main section[role=status] h2').map(({ text }) => text);
    expect(tripsOf(page)).toBe(1);
    expect(notices(page).sort()).toEqual(['Called off by Hanna Host', 'Called off by Hanna Host: Rain, all week.']);
    const seen = page
      .$$('main form[action="/news"] input[name=seen]')
      .map((input) => input.getAttribute('value') ?? '');
    // Nobody else's press takes it away.
    for (const id of seen) await other.browser.post('/news', { seen: id, from: 'invitations' });
    expect(notices(await guest.browser.get('/invitations'))).toHaveLength(2);
    for (const id of [seen[0], seen[0]] as string[]) {
      const done = await guest.browser.post('/news', { seen: id, from: 'invitations' });
      expect([done.status, done.location]).toEqual([303, '/invitations']);
    }
    const after = await (await guest.browser.get('/invitations')).submit('Mark as read');
    expect([after.path, notices(after)]).toEqual(['/invitations', []]);
    for (const who of [guest, other]) {
      expect((await lineOf(who, 'Lantern night'))?.text).toMatch(/Called off by Hanna Host, [^:]*:\d\d Colombo time/);
      expect((await lineOf(who, 'Kite day'))?.text).not.toContain('Rain');
      expect((await who.browser.get('/news')).words).toMatch(
        /Hanna Host called off Lantern night on .*: Rain, all week\./,
      );
      const letter = await who.browser.get(partyPath(first));
      expect(letter.words).toContain('Hanna Host has called off this party. We are sorry. Rain, all week.');
    }
    expect(notices(await other.browser.get('/invitations'))).toHaveLength(2);
  });

  test('takes a reason from its screen, where what is too long or no text is refused and nothing is deleted', async () => {
    const party = await createParty(host, { title: 'Long story' });
    await rsvp(maya, party);
    for (const reason of ['x'.repeat(501), 5, 'a\u0000b']) {
      const answer = await host.api('DELETE', `/api/Party/DeleteParty?id=${party.id}`, { reason });
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
    const bare = await createParty(host);
    for (const body of [{}, { reason: null }]) {
      const kept = await createParty(host);
      expect((await host.api('DELETE', `/api/Party/DeleteParty?id=${kept.id}`, body)).status).toBe(204);
    }
    expect((await remove(host, bare)).status).toBe(204);
  });

  test('that has changed stands on top too, until it is seen', async () => {
    const guest = await newConsumer({ timeZone: 'Asia/Colombo' });
    const party = await createParty(host, { title: 'Moving feast' });
    await rsvp(guest, party);
    await edit(host, party, { startTime: '19:30' });
    const page = await guest.browser.get('/invitations');
    expect(page.$('main section[role=status]')?.text).toMatch(
      /Changed by Hanna Host.*18:00 to 22:00.*now on.*19:30 to 22:00/s,
    );
    expect((await page.submit('Mark as read')).$('main section[role=status]')).toBeNull();
  });

  test('keeps no reason of a host who has left', async () => {
    const leaving = await newProvider();
    const party = await createParty(leaving);
    await rsvp(maya, party);
    await callOff(leaving, party, 'My own words');
    await leaving.api('DELETE', '/api/Account/Delete', { password: password });
    const kept = await daybook.d1.prepare('SELECT cancel_reason FROM parties WHERE id = ?').bind(party.id).first();
    expect(kept).toEqual({ cancel_reason: null });
    expect((await maya.browser.get('/news')).words).not.toContain('My own words');
  });

  test('says so to whoever answers on a letter that was open', async () => {
    const party = await createParty(host, { title: 'Open letter' });
    const letter = await maya.browser.get(partyPath(party));
    await remove(host, party);
    for (const button of ['RSVP', "I can't come"]) {
      const page = await letter.submit(button);
      expect([page.status, page.path]).toEqual([404, partyPath(party)]);
      expect(page.words).toContain('Hanna Host has called off this party');
    }
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

  test('leaves the invitations when it has passed, and the book thirty days later', async () => {
    const party = await createParty(host, { title: 'Long gone' });
    await rsvp(maya, party);
    await edit(host, party, { startTime: '19:00' });
    await remove(host, party);
    const rows = async () => {
      const count = (table: string, id: string) =>
        daybook.d1.prepare(`SELECT count(*) AS rows FROM ${table} WHERE ${id} = ?`).bind(party.id).first('rows');
      return [
        await count('parties', 'id'),
        await count('invitations', 'party_id'),
        await count('party_moves', 'party_id'),
      ];
    };
    const ended = (days: number) =>
      daybook.d1
        .prepare('UPDATE parties SET starts_at = ?1 - 60000, ends_at = ?1 WHERE id = ?2')
        .bind(Date.now() - days * 24 * 60 * 60_000, party.id)
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
  });

  test('leaves one that stands alone, however long ago it was', async () => {
    const party = await createParty(host, { title: 'Remembered' });
    await rsvp(maya, party);
    await endParty(daybook.d1, party);
    await daybook.d1.prepare('UPDATE parties SET starts_at = 1, ends_at = 2 WHERE id = ?').bind(party.id).run();
    await daybook.scheduled();
    expect((await partyOf(host, party)).invitations).toHaveLength(1);
  });
});

describe('a meetup that its host deletes', () => {
  test('says so behind each personal link, to whoever answers too', async () => {
    const meetup = await createMeetup(host, { title: 'Chess club' });
    const [ada, ben] = [linkOf(meetup, 'Ada'), linkOf(meetup, 'Ben')];
    await reply(daybook.visitor(), ada);
    const open = await daybook.visitor().get(linkPath(ben));
    expect((await meetups.remove(host, meetup)).status).toBe(204);
    for (const [link, canRemove] of [
      [ada, true],
      [ben, false],
    ] as const) {
      const letter = await daybook.visitor().get(linkPath(link));
      expect([letter.status, tripsOf(letter), buttonsOf(letter)]).toEqual([404, 1, []]);
      expect(letter.words).toMatch(/Chess club.*Hanna Host has called off this meetup.*18:00 to 22:00, Colombo time/s);
      expect(linksOn(letter).includes('Remove from calendar')).toBe(canRemove);
      expect(await meetups.attendee(daybook.visitor(), link)).toMatchObject(meetups.unfound);
      expect(await reply(daybook.visitor(), link)).toMatchObject(meetups.unfound);
    }
    expect((await open.submit('Accept')).words).toContain('has called off this meetup');
    expect(await entryOf(daybook.visitor(), linkPath(ada).replace(/\?.*/, ''))).toMatchObject({ method: 'CANCEL' });
  });

  test('says why behind each link, to whomever it invites, and takes the reason from its screen', async () => {
    const [one, other] = [await createMeetup(host, { title: 'Go club' }), await createMeetup(host)];
    expect(
      (await host.api('DELETE', `/api/meetup/DeleteMeetup?id=${one.id}`, { reason: 'x'.repeat(501) })).status,
    ).toBe(400);
    await host.api('DELETE', `/api/meetup/DeleteMeetup?id=${one.id}`, { reason: 'No room' });
    const screen = await host.browser.get(`/manage-meetup/${other.id}`);
    const refused = await screen.submit('Delete', { reason: 'y'.repeat(501) });
    expect([refused.status, refused.$('textarea[name=reason]')?.text]).toEqual([400, 'y'.repeat(501)]);
    await refused.submit('Delete', { reason: 'No room' });
    for (const meetup of [one, other]) {
      const letter = await daybook.visitor().get(linkPath(linkOf(meetup, 'Ada')));
      expect(letter.words).toContain('Hanna Host has called off this meetup. We are sorry. No room');
    }
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

  test('says so behind the personal link of who accepted', async () => {
    const meetup = await createMeetup(host);
    const [ada, ben] = [linkOf(meetup, 'Ada'), linkOf(meetup, 'Ben')];
    await reply(daybook.visitor(), ada);
    await meetups.edit(host, meetup, { endTime: '23:00' });
    const read = async (link: typeof ada) => moved(await daybook.visitor().get(linkPath(link)));
    expect(await read(ada)).toMatch(/18:00 to 22:00, Colombo time$/);
    expect(await read(ben)).toBeUndefined();
  });

  test('keeps nothing of what nobody had said yes to, nor of an edit that was refused', async () => {
    const party = await createParty(host);
    const rows = () =>
      daybook.d1.prepare('SELECT count(*) AS n FROM party_moves WHERE party_id = ?').bind(party.id).first('n');
    await edit(host, party, { startTime: '19:00' });
    expect(await rows()).toBe(0);
    await rsvp(maya, party);
    expect((await edit(host, party, { startTime: '20:00', template: 'none' })).status).toBe(404);
    expect(await rows()).toBe(0);
    await Promise.all([edit(host, party, { startTime: '20:00' }), edit(host, party, { startTime: '20:00' })]);
    expect(await rows()).toBe(1);
  });
});
