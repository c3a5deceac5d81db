import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { isFormula, readCsv } from '../../support/csv';
import { dayAhead, peopleAt } from '../../support/factories';
import { linkPath } from '../../support/letters';
import { hosted, remove } from '../../support/party-calls';
import {
  answersIn,
  createMeetup,
  createParty,
  full,
  type Invitation,
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
const { host, rival, maya } = useWorld(daybook, {
  host: { timeZone: 'Asia/Colombo' },
  rival: {},
  maya: { username: 'maya.l' },
});

const picked = `${dayAhead(8).slice(6)}-${dayAhead(8).slice(0, 5)}`;
const manage = ({ id }: { id: string }, more = '') => host.browser.get(`/manage-meetup/${id}${more}`);
const guestsFile = ({ id }: Party) => `/view-party/${id}/guests.csv`;
const namesFile = ({ id }: Party) => `/manage-meetup/${id}/attendees.csv`;

describe('a meetup of 500 names', () => {
  const [first, last] = [
    'Maya June Ana Rui Tomás Zoë Bernd Çelik Dvořák Elisabeth Maximilian Kofi Aditi Noor Wei Sofia Liam Olivia Aisha Juan',
    'Lindqvist Reis Okafor Sharma Nakamura Featherstone Silva Müller Petrov García Haddad Kowalski Nguyen Adeyemi Rossi Svensson Berg Smith Chowdhury Papadopoulos Ivanova Fernández Mbeki Tan Lopez',
  ].map((names) => names.split(' ')) as [string[], string[]];
  const crowd = first.flatMap((given) => last.map((family) => `${given} ${family}`));
  let meetup: Party;
  beforeAll(async () => {
    meetup = await createMeetup(host, { ...full, attendees: crowd });
    for (const [place, invitation] of meetup.invitations.slice(0, 60).entries()) {
      await reply(daybook.visitor(), invitation, { accepted: place < 40 });
    }
  });
  const personal = (invitation: Invitation) => `${daybook.url}${linkPath(invitation)}`;

  test('is one page of less than 60 KB after one trip, with each name, its answer and link, accepted first', async () => {
    const page = await manage(meetup);
    expect([tripsOf(page), gzipSync(page.text, { level: 9 }).length < 60_000]).toEqual([1, true]);
    const listed = page.$$('main tbody tr').map((row) => ({
      name: row.querySelector('th')?.text,
      answer: row.querySelector('td')?.text.match(/Yes|Not Answered|No/)?.[0],
      link: row.querySelector('input[readonly]')?.getAttribute('value'),
    }));
    const answer = (accepted: boolean | null) => (accepted === null ? 'Not Answered' : accepted ? 'Yes' : 'No');
    const { invitations } = await partyOf(host, meetup);
    expect(listed).toEqual(
      invitations.map((one) => ({ name: one.username, answer: answer(one.accepted), link: personal(one) })),
    );
    expect([listed.length, listed.findLastIndex((row) => row.answer === 'Yes')]).toEqual([500, 39]);
    // All links in one text.
    const text = (await manage(meetup, '?links=all')).$$('textarea[readonly]').at(-1)?.text ?? '';
    for (const one of meetup.invitations) expect(text).toContain(`${one.username}: ${personal(one)}`);
  });

  test('has the list as a table file, as spreadsheets know UTF-8, with who answered when', async () => {
    const before = Date.now() - 600_000;
    const file = await host.browser.get(namesFile(meetup));
    expect([file.status, tripsOf(file), file.headers.get('content-type')]).toEqual([200, 1, 'text/csv; charset=utf-8']);
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="attendees.csv"');
    expect([file.text.startsWith('\uFEFF'), file.text.endsWith('\r\n')]).toEqual([true, true]);
    const [head, ...rows] = readCsv(file.text);
    expect(head).toEqual(['Name', 'Accepted', 'Answered at', 'Link', 'E-mail', 'Phone']);
    expect(rows.map(([, accepted]) => accepted).join()).toMatch(/^(Yes,){40}(No,){20}(Not Answered,?){440}$/);
    for (const [, accepted, at] of rows) {
      if (accepted === 'Not Answered') expect(at).toBe('');
      else expect(Date.parse(at ?? '')).toBeGreaterThan(before);
    }
    expect(rows.map(([, , , link]) => link).sort()).toEqual(meetup.invitations.map(personal).sort());
  });
});

describe('a form that is sent twice', () => {
  test('has one effect for a meetup and its names, and is a 404 where that was deleted meanwhile', async () => {
    const blank = await host.browser.get('/view-meetups');
    const typed = { title: 'Twice', date: picked, attendees: 'Ada\n\n  Ben \n' };
    const create = () => blank.submit('Create meetup', typed);
    const [one, two] = [await create(), await create()];
    expect([one.status, two.status, two.path]).toEqual([200, 200, one.path]);
    const add = () => one.submit('Add names', { attendees: 'Cem' });
    expect([(await add()).status, (await add()).status]).toEqual([200, 200]);
    const id = new URL(one.url).pathname.split('/').at(-1) ?? '';
    expect((await answersIn(host, { id })).map(([name]) => name)).toEqual(['Ada', 'Ben', 'Cem']);

    await host.api('DELETE', `/api/meetup/DeleteMeetup?id=${id}`);
    for (const late of [await create(), await add()]) {
      expect([late.status, new URL(late.url).pathname]).toEqual([404, `/manage-meetup/${id}`]);
      for (const words of ['Welcome, Hanna Host', 'There is no such meetup.']) expect(late.words).toContain(words);
    }
  });

  test('has one effect for a party and an answer, and none where the party was deleted meanwhile', async () => {
    const ana = await newProvider();
    const create = await ana.browser.get('/create-party');
    const submit = () => create.submit('Create party', { title: 'Twice', date: picked });
    for (const page of [await submit(), await submit()]) {
      expect([page.status, page.words.includes('Twice is ready to be shared.')]).toEqual([200, true]);
    }
    const [party, ...more] = (await hosted(ana)) as [Party];
    expect(more).toEqual([]);
    expect(party).toMatchObject({ title: 'Twice', startTime: '19:00', endTime: '23:00' });
    const letter = await maya.browser.get(`/party/${party.id}`);
    for (const _ of ['once', 'twice']) {
      expect((await letter.submit('RSVP')).words).toContain('You are going to Twice.');
    }
    expect((await partyOf(ana, party)).invitations).toHaveLength(1);

    await remove(ana, party);
    const late = await submit();
    expect([late.status, new URL(late.url).pathname, late.words.includes('ready to be shared')]).toEqual([
      200,
      '/',
      false,
    ]);
    expect(await hosted(ana)).toEqual([]);
  });

  test('by a button has one effect and leads where it led; sent anew for what is gone, it is a 404', async () => {
    const [own, party] = [await createMeetup(host), await createParty(host)];
    const [ada = '', ben = ''] = own.invitations.map(({ id }) => id);
    const [meetupPage, partyPage] = [`/manage-meetup/${own.id}`, `/view-party/${party.id}`];
    const meetups = async () => (await host.api('GET', '/api/meetup/GetMyMeetups')).text;
    for (const [path, typed, to, said] of [
      [meetupPage, { replace: ada }, `${meetupPage}?done=replaced&name=Ada`, 'Ada has a new link. Send it to them.'],
      [meetupPage, { remove: ben }, `${meetupPage}?done=removed&name=Ben`, 'Ben is removed.'],
      [meetupPage, { intent: 'delete' }, '/view-meetups?deleted=yes', 'The meetup is deleted.'],
      [partyPage, {}, '/view-parties?deleted=yes', 'The party is deleted.'],
    ] as const) {
      const send = (once: string, who = host) => who.browser.post(path, { ...typed, once });
      expect((await send('a', rival)).status).toBe(404);
      const twice = await Promise.all([send('a'), send('a')]);
      const before = await meetups();
      for (const { status, location } of [...twice, await send('a')]) expect([status, location]).toEqual([303, to]);
      expect(await meetups()).toBe(before);
      expect((await host.browser.get(to)).$('[role=status]')?.text).toContain(said);
      const gone = await send('b');
      expect([path, typed, gone.status, (await send('a', rival)).status]).toEqual([path, typed, 404, 404]);
      expect(gone.words).toContain('Welcome, Hanna Host');
      // To send it once more would be of no use.
      expect(gone.$$('main form').length).toBe(0);
    }
  });
});

describe('a form that is refused', () => {
  test('says all that is wrong with a party or meetup, a past date among it, and keeps what was typed', async () => {
    const past = { title: 'Kept', date: '2020-01-01' };
    const names = { attendees: 'Ada\nADA' };
    const meetup = await (await host.browser.get('/view-meetups')).submit('Create meetup', { ...past, ...names });
    expect([meetup.status, meetup.$('input[name=title]')?.getAttribute('value')]).toEqual([400, 'Kept']);
    expect(meetup.$('textarea[name=attendees]')?.text).toBe('Ada\r\nADA');
    for (const words of ['“ADA” is there twice.', 'not in the past']) expect(meetup.words).toContain(words);
    const party = await (await host.browser.get('/create-party')).submit('Create party', { ...past, title: ' ' });
    expect(party.status).toBe(400);
    for (const words of ['Title is missing.', 'not in the past']) expect(party.words).toContain(words);
  });

  test.each([
    ['a name that is there already', 409, 'Cem\nBEN', '“Ben” is invited already.'],
    ['more than 500', 400, Array.from({ length: 499 }, (_, n) => `N ${n}`).join('\n'), 'can have at most 500 names.'],
  ])('adds no names with %s, keeps what was typed and says why', async (_, status, attendees, why) => {
    const own = await createMeetup(host);
    const refused = await (await manage(own)).submit('Add names', { attendees });
    expect([refused.status, refused.words.includes(why)]).toEqual([status, true]);
    expect(refused.words).toContain('Welcome, Hanna Host');
    expect(refused.$('textarea[name=attendees]')?.text.replaceAll('\r\n', '\n')).toBe(attendees);
    expect(await partyOf(host, own)).toEqual(own);
  });
});

describe('the page of a meetup', () => {
  test('says what was done, by a form on top and by a button of the list where it was pressed', async () => {
    const own = await createMeetup(host, { attendees: ['Ada', 'Ben', 'Cem <1>', 'Dora'] });
    for (const [button, fields, said] of [
      ['Save meetup', { title: 'Another title' }, 'The meetup is saved.'],
      ['Add names', { attendees: 'Zoë' }, 'The names are added. Send everyone their link.'],
    ] as const) {
      const page = await (await manage(own)).submit(button, { ...fields });
      expect(page.$('[role=status]')?.text).toContain(said);
      expect(page.words).toContain(Object.values(fields)[0]);
    }
    const press = async (button: string) => {
      const page = await (await manage(own)).submit(button);
      expect([page.status, new URL(page.url).hash]).toEqual([200, '#done']);
      return page.$$('main tbody tr').map((row) => (row.id === 'done' ? row.text : row.querySelector('th')?.text));
    };
    const replaced = 'Ben has a new link. Send it to them.';
    expect(await press('Replace the link of Ben')).toEqual(['Ada', replaced, 'Ben', 'Cem <1>', 'Dora', 'Zoë']);
    expect(await press('Remove Cem <1>')).toEqual(['Ada', 'Ben', 'Cem <1> is removed.', 'Dora', 'Zoë']);
    expect(await press('Remove Zoë')).toEqual(['Ada', 'Ben', 'Dora', 'Zoë is removed.']);
    const page = await manage(own, '?done=__proto__&at=-1&name=x');
    expect([page.status, page.$('[role=status]')]).toEqual([200, null]);
  });

  test('at a made up address writes nothing of it into a header', async () => {
    const [ada = ''] = (await createMeetup(host)).invitations.map(({ id }) => id);
    const page = await host.browser.post('/manage-meetup/a%0d%0aSet-Cookie:%20x=1', { replace: ada, once: 'header' });
    const there = '/manage-meetup/a%0D%0ASet-Cookie%3A%20x%3D1?done=replaced&name=Ada';
    expect([page.status, page.location]).toEqual([303, there]);
    expect(page.headers.get('set-cookie') ?? '').not.toContain('x=1');
  });
});

test('a hall full of guests is shown 200 at a time, and told whole by the file', async () => {
  const party = await createParty(host);
  const guest = `printf('guest%03d', value)`;
  await daybook.d1.batch([
    daybook.d1.prepare(`WITH RECURSIVE numbers (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM numbers LIMIT 401)
      INSERT INTO accounts (id, username, username_folded, display_name, display_folded, display_sort_key, role, password_hash, time_zone, created_at)
      SELECT ${guest}, ${guest}, ${guest}, ${guest}, ${guest}, 'alike', 'Consumer', '', 'UTC', 0 FROM numbers`),
    daybook.d1
      .prepare(`INSERT INTO invitations
          (party_id, invitee, id, account_id, username, name, name_sort_key, accepted, answered_at, created_at)
        SELECT ?, id, printf('of %03d', 402 - substr(id, 6)), id, username, display_name, display_sort_key, 1, 1, 1
        FROM accounts WHERE username LIKE 'guest%'`)
      .bind(party.id),
  ]);
  const read = async (query: string) => {
    const page = await host.browser.get(`/view-party/${party.id}${query}`);
    return {
      status: page.status,
      names: page.$$('main tbody th').map(({ text }) => text.split(' ')[0]),
      links: page.$$('main nav a').map((link) => link.getAttribute('href')),
    };
  };
  const to = (page: number) => `/view-party/${party.id}?page=${page}#rsvps`;
  // Names that are sorted alike stand in the order of their ids, here from the last guest to the first.
  const all = Array.from({ length: 401 }, (_, place) => `guest${String(401 - place).padStart(3, '0')}`);
  expect(await read('')).toEqual({ status: 200, names: all.slice(0, 200), links: [to(1)] });
  expect(await read('?page=1')).toEqual({ status: 200, names: all.slice(200, 400), links: [to(0), to(2)] });
  expect(await read('?page=2')).toEqual({ status: 200, names: all.slice(400), links: [to(1)] });
  expect((await read('?page=x')).status).toBe(400);
  // What was done is said once.
  const saved = await host.browser.get(`/view-party/${party.id}?saved=yes`);
  expect(saved.words).toContain('The party is saved.');
  expect((await saved.click('Next page')).words).not.toContain('The party is saved.');
  expect(readCsv((await host.browser.get(guestsFile(party))).text)).toHaveLength(402);
});

describe('a table file', () => {
  test('of a party has all that guests said, and no formula in names, questions and answers', async () => {
    const questions = ['=1+1?', 'Two, "or" three?'].map((questionText) => ({ questionText, questionType: openEnded }));
    const party = await createParty(host, { template: await publishQuestions(host, questions), plusOnes: 2 });
    const guest = await newConsumer({ displayName: '=cmd|calc' });
    const lines = 'One "two"\nthree, four';
    const sent = [
      { question: '=1+1?', answer: '@evil' },
      { question: 'Two, "or" three?', answer: lines },
    ];
    expect((await rsvp(guest, party, { guests: 2 }, sent)).status).toBe(200);
    await rsvp(maya, party, { accepted: false });
    const file = await host.browser.get(guestsFile(party));
    expect(tripsOf(file)).toBe(1);
    const [head, yes, no] = readCsv(file.text);
    const [at, none] = [expect.any(String), ''];
    expect(head?.slice(-2)).toEqual(["'=1+1?", 'Two, "or" three?']);
    expect(yes).toEqual(["'=cmd|calc", guest.username, 'Yes', '2', at, none, none, "'@evil", lines]);
    expect(no).toEqual(['Maya Lindqvist', 'maya.l', 'No', '0', at, none, none, none, none]);
  });

  test('opened with commas or semicolons between cells has no formula, nor rows of a guest', async () => {
    const nasty = ['Bo;=1+1;c', 'Bo;"@x"', 'Bo, Anna; -1', '=HYPERLINK("http://evil.example","x")', '＝1+1'];
    const template = await publishQuestions(host, [{ questionText: 'Food;=1+1?', questionType: openEnded }]);
    const party = await createParty(host, { template });
    for (const displayName of nasty) {
      const guest = await newConsumer({ displayName });
      const answer = [{ question: 'Food;=1+1?', answer: 'vegan\n=1+1\r\n+2;=3' }];
      expect((await rsvp(guest, party, {}, answer)).status).toBe(200);
    }
    const meetup = await createMeetup(host, { attendees: nasty });
    for (const path of [guestsFile(party), namesFile(meetup)]) {
      const { text } = await host.browser.get(path);
      expect(readCsv(text)).toHaveLength(1 + nasty.length);
      expect([...readCsv(text), ...readCsv(text, ';')].flat().filter(isFormula)).toEqual([]);
    }
  });

  test('is for the host alone', async () => {
    const [party, meetup] = await Promise.all([createParty(host), createMeetup(host)]);
    for (const path of [guestsFile(party), namesFile(meetup)]) {
      expect((await daybook.visitor().get(path)).status).toBe(302);
      expect((await maya.browser.get(path)).status).toBe(403);
      expect((await rival.browser.get(path)).status).toBe(404);
    }
  });
});
