import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { isFormula, readCsv } from '../../support/csv';
import { isoAhead, peopleAt } from '../../support/factories';
import { linkPath } from '../../support/letters';
import { crowd } from '../../support/meetup-calls';
import { hosted, remove } from '../../support/party-calls';
import {
  answersIn,
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
} from '../../support/party-factories';
import { openEnded } from '../../support/template-factories';
import { useServer, useWorld } from '../../support/use-server';
import { tripsOf } from '../../support/visit';

/* The screens on which a host has parties and meetups. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { host, maya } = useWorld(daybook, { host: {}, maya: { username: 'maya.l' } });

const manage = ({ id }: { id: string }, more = '') => host.browser.get(`/manage-meetup/${id}${more}`);
const guestsFile = ({ id }: Party) => `/view-party/${id}/guests.csv`;

test('a meetup of 500 names is one page of less than 60 KB, and a file, with each answer and link, accepted first', async () => {
  const meetup = await createMeetup(host, { ...full, attendees: crowd(500) });
  const personal = (invitation: Invitation) => `${daybook.url}${linkPath(invitation)}`;
  for (const [place, name] of ['Guest 77', 'Guest 5', 'Guest 400'].entries()) {
    await reply(daybook.visitor(), linkOf(meetup, name), { accepted: place < 2 });
  }
  const { invitations } = await partyOf(host, meetup);
  const words = (accepted: boolean | null) => (accepted === null ? 'Not Answered' : accepted ? 'Yes' : 'No');
  const expected = invitations.map((one) => [one.username, words(one.accepted), personal(one)]);
  expect(expected.map(([, answer]) => answer).join()).toMatch(/^Yes,Yes,No,(Not Answered,?){497}$/);

  const page = await manage(meetup);
  expect([tripsOf(page), gzipSync(page.text, { level: 9 }).length < 60_000]).toEqual([1, true]);
  const listed = page
    .$$('main tbody tr')
    .map((row) => [
      row.querySelector('th')?.text,
      row.querySelector('td')?.text.match(/Yes|Not Answered|No/)?.[0],
      row.querySelector('input[readonly]')?.getAttribute('value'),
    ]);
  expect(listed).toEqual(expected);
  const text = (await manage(meetup, '?links=all')).$$('textarea[readonly]').at(-1)?.text ?? '';
  for (const one of invitations) expect(text).toContain(`${one.username}: ${personal(one)}`);

  const file = await host.browser.get(`/manage-meetup/${meetup.id}/attendees.csv`);
  const [head, ...rows] = readCsv(file.text);
  expect([tripsOf(file), head]).toEqual([1, ['Name', 'Accepted', 'Answered at', 'Link', 'E-mail', 'Phone']]);
  expect(rows.map(([name, accepted, , link]) => [name, accepted, link])).toEqual(expected);
  expect(rows.filter(([, , at]) => Date.now() - Date.parse(at ?? '') < 600_000)).toHaveLength(3);
});

describe('a form that is sent twice', () => {
  test('has one effect for a meetup and its names, and is a 404 where that was deleted meanwhile', async () => {
    const blank = await host.browser.get('/view-meetups');
    const typed = { title: 'Twice', date: isoAhead(8), attendees: 'Ada\n\n  Ben \n' };
    const create = () => blank.submit('Create meetup', typed);
    const [one, two] = [await create(), await create()];
    expect([one.status, two.status, two.path]).toEqual([200, 200, one.path]);
    const add = () => one.submit('Add names', { attendees: 'Cem' });
    expect([(await add()).status, (await add()).status]).toEqual([200, 200]);
    const id = new URL(one.url).pathname.split('/').at(-1) ?? '';
    expect((await answersIn(host, { id })).map(([name]) => name)).toEqual(['Ada', 'Ben', 'Cem']);
    await host.api('DELETE', `/api/meetup/DeleteMeetup?id=${id}`);
    expect([(await create()).status, (await add()).status]).toEqual([404, 404]);
  });

  test('has one effect for a party and an answer, and none where the party was deleted meanwhile', async () => {
    const ana = await newProvider();
    const blank = await ana.browser.get('/create-party');
    const create = () => blank.submit('Create party', { title: 'Twice', date: isoAhead(8) });
    for (const { words } of [await create(), await create()]) expect(words).toContain('Twice is ready to be shared.');
    const [party, ...more] = (await hosted(ana)) as [Party];
    const letter = await maya.browser.get(`/party/${party.id}`);
    for (const _ of [1, 2]) expect((await letter.submit('RSVP')).words).toContain('You are going to Twice.');
    expect([more, await answersIn(ana, party)]).toEqual([[], [['maya.l', true]]]);
    await remove(ana, party);
    expect((await create()).words).not.toContain('ready to be shared');
    expect(await hosted(ana)).toEqual([]);
  });

  test('by a button has one effect and leads where it led; sent anew for what is gone, it is a 404', async () => {
    const [own, party] = [await createMeetup(host), await createParty(host)];
    const [ada = '', ben = ''] = own.invitations.map(({ id }) => id);
    const page = `/manage-meetup/${own.id}`;
    const meetups = async () => (await host.api('GET', '/api/meetup/GetMyMeetups')).text;
    for (const [path, typed, to, said] of [
      [page, { replace: ada }, `${page}?done=replaced&name=Ada`, 'Ada has a new link. Send it to them.'],
      [page, { remove: ben }, `${page}?done=removed&name=Ben`, 'Ben is removed.'],
      [page, { intent: 'delete' }, '/view-meetups?deleted=yes', 'The meetup is deleted.'],
      [`/view-party/${party.id}`, {}, '/view-parties?deleted=yes', 'The party is deleted.'],
    ] as const) {
      const send = (once: string) => host.browser.post(path, { ...typed, once });
      const twice = await Promise.all([send('a'), send('a')]);
      const before = await meetups();
      for (const { status, location } of [...twice, await send('a')]) expect([status, location]).toEqual([303, to]);
      expect(await meetups()).toBe(before);
      expect((await host.browser.get(to)).$('[role=status]')?.text).toContain(said);
      expect((await send('b')).status).toBe(404);
    }
  });
});

test('a hall full of guests is shown 200 at a time, and told whole by the file', async () => {
  const party = await createParty(host);
  await daybook.d1
    .prepare(`WITH RECURSIVE numbers (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM numbers LIMIT 401)
      INSERT INTO invitations (party_id, invitee, id, name, name_sort_key, accepted, answered_at, created_at)
      SELECT ?, printf('guest%03d', value), printf('of %03d', 402 - value), printf('guest%03d', value), 'alike', 1, 1, 1
      FROM numbers`)
    .bind(party.id)
    .run();
  // Names that are sorted alike stand in the order of their ids, here from the last guest to the first.
  const all = Array.from({ length: 401 }, (_, place) => `guest${String(401 - place).padStart(3, '0')}`);
  for (const [query, from, others] of [
    ['', 0, [1]] as const,
    ['?page=1', 200, [0, 2]] as const,
    ['?page=2', 400, [1]] as const,
  ]) {
    const page = await host.browser.get(`/view-party/${party.id}${query}`);
    expect(page.$$('main tbody th').map(({ text }) => text.split(' ')[0])).toEqual(all.slice(from, from + 200));
    const links = page.$$('main nav a').map((link) => link.getAttribute('href'));
    expect(links).toEqual(others.map((other) => `/view-party/${party.id}?page=${other}#rsvps`));
  }
  expect(readCsv((await host.browser.get(guestsFile(party))).text)).toHaveLength(402);
});

test('a table file has all that guests said, and no formula, opened with commas or semicolons between cells', async () => {
  const questions = ['=1+1?', 'Food;=1+1?'];
  const asked = questions.map((questionText) => ({ questionText, questionType: openEnded }));
  const party = await createParty(host, { template: await publishQuestions(host, asked), plusOnes: 2 });
  const [evil, lines] = ['Bo;"@x"', 'One "two"\nthree, four;=3'];
  const guest = await newConsumer({ displayName: evil });
  const sent = ['@evil', lines].map((answer, place) => ({ question: questions[place], answer }));
  await rsvp(guest, party, { guests: 2 }, sent);
  await rsvp(maya, party, { accepted: false });
  const { text } = await host.browser.get(guestsFile(party));
  const [yes, no] = readCsv(text).slice(1);
  const [at, none] = [expect.any(String), ''];
  expect(yes?.slice(1)).toEqual([guest.username, 'Yes', '2', at, none, none, "'@evil", expect.any(String)]);
  expect(no).toEqual(['Maya Lindqvist', 'maya.l', 'No', '0', at, none, none, none, none]);
  const meetup = await createMeetup(host, { attendees: [evil, 'Bo, Anna; -1', '=HYPERLINK("http://x")', '＝1+1'] });
  const names = (await manage(meetup, '/attendees.csv')).text;
  for (const file of [text, names]) {
    expect([...readCsv(file), ...readCsv(file, ';')].flat().filter(isFormula)).toEqual([]);
  }
});
