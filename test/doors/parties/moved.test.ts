import { describe, expect, test } from 'vitest';
import { readCalendar } from '../../support/calendars';
import { dayAhead, type Person, peopleAt } from '../../support/factories';
import { linkPath, partyPath } from '../../support/letters';
import { confirmAddress, mailTo, newAddress } from '../../support/mails';
import * as meetups from '../../support/meetup-calls';
import { edit } from '../../support/party-calls';
import {
  createMeetup,
  createParty,
  type Invitation,
  linkOf,
  type Party,
  partyOf,
  reply,
  rsvp,
} from '../../support/party-factories';
import { useServer, useWorld } from '../../support/use-server';
import type { Page, Visitor } from '../../support/visit';

/* What guests, their weeks and their calendars read of a party or meetup that its host moves. */

const daybook = useServer();
const { newConsumer } = peopleAt(daybook);
const { host, maya, june } = useWorld(daybook, {
  host: { timeZone: 'Asia/Colombo' },
  maya: { timeZone: 'Asia/Colombo' },
  june: { timeZone: 'Asia/Colombo' },
});
const newGuest = () => newConsumer({ timeZone: 'Asia/Colombo' });

/** What a letter says it was, when its reader said yes; undefined where it says nothing of that. */
const formerTimeOn = (page: Page) =>
  /This (?:party|meetup) has moved since you said yes\. It was (.*?)When and where it is now/s
    .exec(page.words)?.[1]
    ?.trim();
const formerTimeFor = async (reader: Visitor, party: Party) => formerTimeOn(await reader.get(partyPath(party)));
const openLink = (invitation: Invitation) => daybook.visitor().get(linkPath(invitation));

/** The line of a party among somebody's invitations. */
const lineOf = async ({ browser }: Person, title: string) =>
  (await browser.get('/invitations')).$$('main li').find((line) => line.text.includes(title))?.structuredText;

/** How many former times are kept of a party. */
const formerTimesKept = ({ id }: Party) =>
  daybook.d1.prepare('SELECT count(*) AS n FROM party_moves WHERE party_id = ?').bind(id).first('n');

/** The subjects of the mails that are kept for an address. */
async function subjectsTo(address: string): Promise<string[]> {
  const { text } = await daybook.visitor().get('/mail');
  const mails = [...text.matchAll(/<li><a href="[^"]+">([^<]*)<\/a>, to ([^,]*),/g)];
  return mails.flatMap(([, subject = '', to]) => (to === address ? [subject] : []));
}

describe('a party that has moved', () => {
  const asPublished = /18:00 to 22:00, Colombo time at 5 Elm Street$/;
  const first = { title: 'Wandering feast', address: '5 Elm Street' };
  const change = { startTime: '19:30', address: '7 Oak Street' };

  test('says what it was to whoever said yes to that', async () => {
    const party = await createParty(host, first);
    await rsvp(maya, party);

    await edit(host, party, change);

    expect(await formerTimeFor(maya.browser, party)).toMatch(asPublished);
  });

  test('says nothing of it to anybody else', async () => {
    const party = await createParty(host, first);
    await rsvp(maya, party);
    await rsvp(june, party, { accepted: false });

    await edit(host, party, change);

    for (const reader of [june.browser, daybook.visitor(), host.browser]) {
      expect(await formerTimeFor(reader, party)).toBeUndefined();
    }
  });

  test('stands with both times among the invitations of whoever said yes', async () => {
    const party = await createParty(host, { ...first, title: 'Line of both' });
    await rsvp(maya, party);
    await rsvp(june, party, { accepted: false });

    await edit(host, party, change);

    const line = /19:30 to 22:00.*7 Oak Street.*It was .*18:00 to 22:00.*5 Elm Street.*It has moved/s;
    expect(await lineOf(maya, 'Line of both')).toMatch(line);
    expect(await lineOf(june, 'Line of both')).not.toContain('It was');
  });

  test('says to each guest what they said yes to, where it has moved twice', async () => {
    const party = await createParty(host, first);
    const late = await newGuest();
    await rsvp(maya, party);
    await edit(host, party, change);
    await rsvp(late, party);

    await edit(host, party, { date: dayAhead(9) });

    expect(await formerTimeFor(maya.browser, party)).toMatch(asPublished);
    expect(await formerTimeFor(late.browser, party)).toMatch(/19:30 to 22:00, Colombo time at 7 Oak Street$/);
  });

  test('says nothing of it any more to whoever answers anew', async () => {
    const party = await createParty(host, first);
    await rsvp(maya, party);
    await edit(host, party, change);

    await rsvp(maya, party, { accepted: false });
    await rsvp(maya, party);

    expect(await formerTimeFor(maya.browser, party)).toBeUndefined();
  });

  test('says nothing of it where it has moved back', async () => {
    const party = await createParty(host, first);
    await rsvp(maya, party);
    await edit(host, party, { ...change, date: dayAhead(9) });

    await edit(host, party, { date: party.date, startTime: '18:00', address: '5 Elm Street' });

    expect(await formerTimeFor(maya.browser, party)).toBeUndefined();
  });

  test('has not moved by another title or more room', async () => {
    const party = await createParty(host, first);
    await rsvp(maya, party);

    await edit(host, party, { title: 'Wandering feast II', capacity: 40 });

    expect(await formerTimeFor(maya.browser, party)).toBeUndefined();
  });

  test('stands at its new time in the week of a guest', async () => {
    const guest = await newGuest();
    const party = await createParty(host, { title: 'Moved by weeks', date: dayAhead(7) });
    await rsvp(guest, party);

    await edit(host, party, { date: dayAhead(28), startTime: '19:30' });

    const itemsFrom = async (date: string) =>
      (await guest.browser.get(`/week?from=${date}`)).$$('.week-item').map((item) => item.getAttribute('aria-label'));
    expect(await itemsFrom(dayAhead(26))).toEqual(['19:30 Moved by weeks, to 22:00, Party']);
    expect(await itemsFrom(dayAhead(5))).toEqual([]);
  });

  test('stands at its new time in the feed of a guest whose calendar had the old one', async () => {
    const guest = await newGuest();
    const party = await createParty(host, { date: dayAhead(7) });
    await rsvp(guest, party);
    const { link } = (await guest.api('POST', '/api/Account/MakeFeed')).json as { link: string };
    const { headers } = await daybook.visitor().get(link);

    await edit(host, party, { date: dayAhead(28) });

    const feed = await daybook.visitor().get(link, { 'if-none-match': headers.get('etag') });
    const { startsAt, endsAt } = await partyOf(guest, party);
    expect(feed.status).toBe(200);
    expect([...readCalendar(feed.text).events.values()]).toMatchObject([{ startsAt, endsAt }]);
  });
});

describe('a meetup that has moved', () => {
  test('says what it was behind the link of whoever accepted', async () => {
    const meetup = await createMeetup(host);
    await reply(daybook.visitor(), linkOf(meetup, 'Ada'));

    await meetups.edit(host, meetup, { endTime: '23:00' });

    expect(formerTimeOn(await openLink(linkOf(meetup, 'Ada')))).toMatch(/18:00 to 22:00, Colombo time$/);
    expect(formerTimeOn(await openLink(linkOf(meetup, 'Ben')))).toBeUndefined();
  });

  test('is mailed to whoever accepted or has not answered, and to nobody who declined', async () => {
    const sender = await confirmAddress(daybook.d1, host);
    const [ada, ben, cem] = [newAddress(), newAddress(), newAddress()];
    const names = { Ada: ada, Ben: ben, Cem: cem };
    const attendees = Object.entries(names).map(([name, email]) => ({ name, email }));
    const meetup = await createMeetup(sender, { attendees });
    await reply(daybook.visitor(), linkOf(meetup, 'Ada'));
    await reply(daybook.visitor(), linkOf(meetup, 'Ben'), { accepted: false });

    await meetups.edit(sender, meetup, { startTime: '19:30' });

    for (const address of [ada, cem]) await mailTo(daybook.visitor(), address, /^Changed: /);
    await mailTo(daybook.visitor(), ben, /^Your answer: /);
    await daybook.scheduled();
    const subjects = (await subjectsTo(ben)).sort();
    expect(subjects).toEqual([expect.stringMatching(/^An invitation/), expect.stringMatching(/^Your answer: /)]);
  });
});

describe('a former time', () => {
  test('is not kept where nobody had said yes to it', async () => {
    const party = await createParty(host);

    await edit(host, party, { startTime: '19:00' });

    expect(await formerTimesKept(party)).toBe(0);
  });

  test('is not kept of an edit that was refused', async () => {
    const party = await createParty(host);
    await rsvp(maya, party);

    const refused = await edit(host, party, { startTime: '20:00', template: 'none' });

    expect(refused.status).toBe(404);
    expect(await formerTimesKept(party)).toBe(0);
  });

  test('is kept once of the same edit sent twice at once', async () => {
    const party = await createParty(host);
    await rsvp(maya, party);

    await Promise.all([1, 2].map(() => edit(host, party, { startTime: '20:00' })));

    expect(await formerTimesKept(party)).toBe(1);
  });
});
