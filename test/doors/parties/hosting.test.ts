import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { isFormula, readCsv } from '../../support/csv';
import { isoAhead, type Person, peopleAt } from '../../support/factories';
import { linkPath } from '../../support/letters';
import * as meetups from '../../support/meetup-calls';
import { crowd } from '../../support/meetup-calls';
import { hosted, remove } from '../../support/party-calls';
import {
  createMeetup,
  createParty,
  full,
  type Invitation,
  linkOf,
  type Party,
  partyOf,
  publishQuestions,
  reply,
  rsvp,
  rsvpsIn,
} from '../../support/party-factories';
import { openEnded } from '../../support/template-factories';
import { storedRows, useServer, useWorld } from '../../support/use-server';
import { type Page, tripsOf } from '../../support/visit';

/* The screens on which a host has parties and meetups. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { host, maya } = useWorld(daybook, { host: {}, maya: { username: 'maya.l' } });

const manage = ({ id }: { id: string }, more = '') => host.browser.get(`/manage-meetup/${id}${more}`);
const guestsFile = ({ id }: Party) => `/view-party/${id}/guests.csv`;

test.each(['view-party', 'manage-meetup'])('at /%s the time stands once, and its parts are folded', async (screen) => {
  const { id } = screen === 'view-party' ? await createParty(host) : await createMeetup(host);

  const page = await host.browser.get(`/${screen}/${id}`);

  const details = page.$$('main details').find(({ text }) => text.startsWith('All details'));
  const names = details?.querySelectorAll('dt').map(({ text }) => text);
  expect(names).toEqual(['Provider', 'Start', 'End', 'Date', 'Time zone']);
  expect(details?.hasAttribute('open')).toBe(false);
});

describe('a meetup of 500 names', () => {
  let meetup: Party;
  /** The name, the RSVP and the link of each, those who accepted first. */
  let told: [name: string, rsvp: string, link: string][];
  const personal = (invitation: Invitation) => `${daybook.url}${linkPath(invitation)}`;
  const words = (accepted: boolean | null) => (accepted === null ? 'Not Answered' : accepted ? 'Yes' : 'No');

  beforeAll(async () => {
    meetup = await createMeetup(host, { ...full, attendees: crowd(500) });
    for (const name of ['Guest 77', 'Guest 5']) await reply(daybook.visitor(), linkOf(meetup, name));
    await reply(daybook.visitor(), linkOf(meetup, 'Guest 400'), { accepted: false });
    const { invitations } = await partyOf(host, meetup);
    told = invitations.map((one) => [one.username, words(one.accepted), personal(one)]);
  });

  test('is told by the call with those who accepted first', () => {
    expect(told.map(([, rsvp]) => rsvp).join()).toMatch(/^Yes,Yes,No,(Not Answered,?){497}$/);
  });

  test('is one page after one trip to the database', async () => {
    const page = await manage(meetup);

    const listed = page
      .$$('main tbody tr')
      .map((row) => [
        row.querySelector('th')?.text,
        row.querySelector('td')?.text.match(/Yes|Not Answered|No/)?.[0],
        row.querySelector('input[readonly]')?.getAttribute('value'),
      ]);
    expect(listed).toEqual(told);
    expect(tripsOf(page)).toBe(1);
  });

  test('is a page of less than 60 KB', async () => {
    const { text } = await manage(meetup);

    expect(gzipSync(text, { level: 9 }).length).toBeLessThan(60_000);
  });

  test('has all links in one field to copy', async () => {
    const page = await manage(meetup, '?links=all');

    const text = page.$$('textarea[readonly]').at(-1)?.text ?? '';
    for (const [name, , link] of told) expect(text).toContain(`${name}: ${link}`);
  });

  test('is a file after one trip to the database', async () => {
    const file = await manage(meetup, '/attendees.csv');

    const [head, ...rows] = readCsv(file.text);
    expect(head).toEqual(['Name', 'Accepted', 'Answered at', 'Link', 'E-mail', 'Phone']);
    expect(rows.map(([name, accepted, , link]) => [name, accepted, link])).toEqual(told);
    expect(tripsOf(file)).toBe(1);
  });

  test('has in its file when each answered', async () => {
    const [, ...rows] = readCsv((await manage(meetup, '/attendees.csv')).text);

    const rsvpsNow = rows.filter(([, , at]) => Date.now() - Date.parse(at ?? '') < 600_000);
    expect(rsvpsNow).toHaveLength(3);
  });
});

test('the list of meetups is a table that names its columns', async () => {
  const meetup = await createMeetup(host);

  const page = await host.browser.get('/view-meetups');

  const columns = ['Date', 'Meetup', 'Provider', 'Start', 'End', 'Description', 'Location'];
  expect(page.$$('main thead th').map(({ text }) => text)).toEqual(columns);
  expect(page.$(`main tbody th a[href="/manage-meetup/${meetup.id}"]`)).not.toBeNull();
});

describe('a form that is sent twice', () => {
  const typed = { title: 'Twice', date: isoAhead(8), attendees: 'Ada\n\n  Ben \n' };
  const namesOf = async (id: string) => (await rsvpsIn(host, { id })).map(([name]) => name);
  const idIn = ({ url }: Page) => new URL(url).pathname.split('/').at(-1) ?? '';

  test('creates one meetup', async () => {
    const form = await host.browser.get('/view-meetups');

    const first = await form.submit('Create meetup', typed);
    const second = await form.submit('Create meetup', typed);

    expect(first.status).toBe(200);
    expect(second.status).toBe(200);
    expect(second.path).toBe(first.path);
    expect(await namesOf(idIn(first))).toEqual(['Ada', 'Ben']);
  });

  test('adds a name once', async () => {
    const meetup = await createMeetup(host);
    const page = await manage(meetup);

    for (const _ of [1, 2]) expect((await page.submit('Add names', { attendees: 'Cem' })).status).toBe(200);

    expect(await namesOf(meetup.id)).toEqual(['Ada', 'Ben', 'Cem']);
  });

  test('is a 404 where its meetup was deleted meanwhile', async () => {
    const form = await host.browser.get('/view-meetups');
    const page = await form.submit('Create meetup', typed);
    await page.submit('Add names', { attendees: 'Cem' });

    await meetups.remove(host, { id: idIn(page) });

    expect((await form.submit('Create meetup', typed)).status).toBe(404);
    expect((await page.submit('Add names', { attendees: 'Cem' })).status).toBe(404);
  });

  test('creates one party', async () => {
    const ana = await newProvider();
    const form = await ana.browser.get('/create-party');
    const create = () => form.submit('Create party', { title: 'Twice', date: isoAhead(8) });

    for (const { words } of [await create(), await create()]) expect(words).toContain('Twice is ready to be shared.');

    expect(await hosted(ana)).toHaveLength(1);
  });

  test('creates nothing where its party was deleted meanwhile', async () => {
    const ana = await newProvider();
    const form = await ana.browser.get('/create-party');
    const create = () => form.submit('Create party', { title: 'Twice', date: isoAhead(8) });
    await create();
    const [party] = (await hosted(ana)) as [Party];

    await remove(ana, party);

    expect((await create()).words).not.toContain('ready to be shared');
    expect(await hosted(ana)).toEqual([]);
  });

  test('answers a party once', async () => {
    const party = await createParty(host, { title: 'Twice' });
    const letter = await maya.browser.get(`/party/${party.id}`);

    for (const _ of [1, 2]) expect((await letter.submit('RSVP')).words).toContain('You are going to Twice.');

    expect(await rsvpsIn(host, party)).toEqual([['maya.l', true]]);
  });
});

type Press = { path: string; typed: Record<string, string>; to: string; said: string };

describe.each<[string, press: () => Promise<Press>]>([
  [
    'that replaces a link',
    async () => {
      const meetup = await createMeetup(host);
      const page = `/manage-meetup/${meetup.id}`;
      const said = 'Ada has a new link. Send it to them.';
      return { path: page, typed: { replace: linkOf(meetup, 'Ada').id }, to: `${page}?done=replaced&name=Ada`, said };
    },
  ],
  [
    'that removes a name',
    async () => {
      const meetup = await createMeetup(host);
      const page = `/manage-meetup/${meetup.id}`;
      const typed = { remove: linkOf(meetup, 'Ben').id };
      return { path: page, typed, to: `${page}?done=removed&name=Ben`, said: 'Ben is removed.' };
    },
  ],
  [
    'that deletes a meetup',
    async () => {
      const { id } = await createMeetup(host);
      const to = '/view-meetups?deleted=yes';
      return { path: `/manage-meetup/${id}`, typed: { intent: 'delete' }, to, said: 'The meetup is deleted.' };
    },
  ],
  [
    'that deletes a party',
    async () => {
      const { id } = await createParty(host);
      const to = '/view-parties?deleted=yes';
      return { path: `/view-party/${id}`, typed: {}, to, said: 'The party is deleted.' };
    },
  ],
])('a button %s', (_, press) => {
  const send = ({ path, typed }: Press, once: string) => host.browser.post(path, { ...typed, once });

  test('has one effect when it is pressed twice', async () => {
    const pressed = await press();
    await Promise.all([send(pressed, 'a'), send(pressed, 'a')]);
    const before = await storedRows(daybook);

    await send(pressed, 'a');

    expect(await storedRows(daybook)).toEqual(before);
  });

  test('leads to what it has done each time', async () => {
    const pressed = await press();

    const atOnce = await Promise.all([send(pressed, 'a'), send(pressed, 'a')]);

    for (const { status, location } of [...atOnce, await send(pressed, 'a')]) {
      expect(status).toBe(303);
      expect(location).toBe(pressed.to);
    }
    expect((await host.browser.get(pressed.to)).$('[role=status]')?.text).toContain(pressed.said);
  });

  test('is a 404 when it is pressed anew for what is gone', async () => {
    const pressed = await press();

    await send(pressed, 'a');

    expect((await send(pressed, 'b')).status).toBe(404);
  });
});

describe('a party of 401 guests', () => {
  let party: Party;
  // Names that are sorted alike stand in the order of their ids, here from the last guest to the first.
  const all = Array.from({ length: 401 }, (_, place) => `guest${String(401 - place).padStart(3, '0')}`);

  beforeAll(async () => {
    party = await createParty(host);
    await daybook.d1
      .prepare(`WITH RECURSIVE numbers (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM numbers LIMIT 401)
        INSERT INTO invitations (party_id, invitee, id, name, name_sort_key, accepted, rsvp_at, created_at)
        SELECT ?, printf('guest%03d', value), printf('of %03d', 402 - value), printf('guest%03d', value), 'alike', 1, 1, 1
        FROM numbers`)
      .bind(party.id)
      .run();
  });

  test.each([
    ['', 0, [1]],
    ['?page=1', 200, [0, 2]],
    ['?page=2', 400, [1]],
  ])('is shown 200 at a time: “%s”', async (query, from, otherPages) => {
    const page = await host.browser.get(`/view-party/${party.id}${query}`);

    const listed = page.$$('main tbody th').map(({ text }) => text.split(' ')[0]);
    expect(listed).toEqual(all.slice(from, from + 200));
    const links = page.$$('main nav a').map((link) => link.getAttribute('href'));
    expect(links).toEqual(otherPages.map((other) => `/view-party/${party.id}?page=${other}#rsvps`));
  });

  test('is whole in its file', async () => {
    const [, ...rows] = readCsv((await host.browser.get(guestsFile(party))).text);

    expect(rows).toHaveLength(401);
  });
});

describe('a table file', () => {
  const evil = 'Bo;"@x"';
  const questions = ['=1+1?', 'Food;=1+1?'];
  let party: Party;
  let guest: Person;
  beforeAll(async () => {
    const asked = questions.map((questionText) => ({ questionText, questionType: openEnded }));
    party = await createParty(host, { template: await publishQuestions(host, asked), plusOnes: 2 });
    guest = await newConsumer({ displayName: evil });
    const answers = ['@evil', 'One "two"\nthree, four;=3'];
    const sent = questions.map((question, place) => ({ question, answer: answers[place] }));
    await rsvp(guest, party, { guests: 2 }, sent);
    await rsvp(maya, party, { accepted: false });
  });

  const timeOfRsvp = expect.any(String);

  test('has all that a guest said', async () => {
    const [, yes] = readCsv((await host.browser.get(guestsFile(party))).text);

    expect(yes?.slice(1)).toEqual([guest.username, 'Yes', '2', timeOfRsvp, '', '', "'@evil", expect.any(String)]);
  });

  test('has a line for whoever said no', async () => {
    const [, , no] = readCsv((await host.browser.get(guestsFile(party))).text);

    expect(no).toEqual(['Maya Lindqvist', 'maya.l', 'No', '0', timeOfRsvp, '', '', '', '']);
  });

  const formulasIn = (text: string, separator: ',' | ';') => readCsv(text, separator).flat().filter(isFormula);

  test.each([',', ';'] as const)('of a party has no formula where cells end with %s', async (separator) => {
    const { text } = await host.browser.get(guestsFile(party));

    expect(formulasIn(text, separator)).toEqual([]);
  });

  test.each([',', ';'] as const)('of a meetup has no formula where cells end with %s', async (separator) => {
    const meetup = await createMeetup(host, { attendees: [evil, 'Bo, Anna; -1', '=HYPERLINK("http://x")', '＝1+1'] });

    const { text } = await manage(meetup, '/attendees.csv');

    expect(formulasIn(text, separator)).toEqual([]);
  });
});
