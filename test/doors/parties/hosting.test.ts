import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { tripsOf } from '../../support/asked';
import { isFormula, readCsv } from '../../support/csv';
import { dayAhead, peopleAt } from '../../support/factories';
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
} from '../../support/party-factories';
import { openEnded } from '../../support/template-factories';
import { useServer } from '../../support/use-server';
import { useWorld } from '../../support/world';

const daybook = useServer();
const { newConsumer } = peopleAt(daybook);
const { host, rival, maya } = useWorld(daybook, {
  host: { timeZone: 'Asia/Colombo' },
  rival: {},
  maya: { username: 'maya.l' },
});

describe('what the host has of a meetup', () => {
  const [first, last] = [
    'Maya June Ana Rui Tomás Zoë Bernd Çelik Dvořák Elisabeth Maximilian Kofi Aditi Noor Wei Sofia Liam Olivia Aisha Juan',
    'Lindqvist Reis Okafor Sharma Nakamura Featherstone Silva Müller Petrov García Haddad Kowalski Nguyen Adeyemi Rossi Svensson Berg Smith Chowdhury Papadopoulos Ivanova Fernández Mbeki Tan Lopez',
  ].map((names) => names.split(' ')) as [string[], string[]];
  const crowd = first.flatMap((given) => last.map((family) => `${given} ${family}`));
  let meetup: Party;
  beforeAll(async () => {
    meetup = await createMeetup(host, { ...full, attendees: crowd });
    for (const invitation of meetup.invitations.slice(0, 40)) await reply(daybook.visitor(), invitation);
    for (const invitation of meetup.invitations.slice(40, 60)) {
      await reply(daybook.visitor(), invitation, { accepted: false });
    }
  });
  const manage = (path = '') => host.browser.get(`/manage-meetup/${meetup.id}${path}`);
  const personal = ({ id, username }: Invitation) =>
    `${daybook.url}/meetup-rsvp/${id}?name=${encodeURIComponent(username)}`;

  test('with 500 names is one page of less than 60 KB after one trip', async () => {
    expect(crowd).toHaveLength(500);
    const page = await manage();
    expect(tripsOf(page)).toBe(1);
    expect(gzipSync(page.text, { level: 9 }).length).toBeLessThan(60_000);
    const rows = page.$$('main tbody tr');
    expect(rows).toHaveLength(500);
  });

  test('lists every name with its answer and link, accepted first', async () => {
    const page = await manage();
    const { invitations } = await partyOf(host, meetup);
    const listed = page.$$('main tbody tr').map((row) => ({
      name: row.querySelector('th')?.text,
      answer: row.querySelector('td')?.text.match(/Yes|Not Answered|No/)?.[0],
      link: row.querySelector('input[readonly]')?.getAttribute('value'),
    }));
    const answer = (accepted: boolean | null) => (accepted === null ? 'Not Answered' : accepted ? 'Yes' : 'No');
    expect(listed).toEqual(
      invitations.map((one) => ({ name: one.username, answer: answer(one.accepted), link: personal(one) })),
    );
    expect(listed.findLastIndex((row) => row.answer === 'Yes')).toBe(39);
  });

  test('has all links in one text', async () => {
    const text = (await manage('?links=all')).$$('textarea[readonly]').at(-1)?.text ?? '';
    for (const invitation of meetup.invitations) {
      expect(text).toContain(`${invitation.username}: ${personal(invitation)}`);
    }
  });

  test('has the list as a table file, with who answered when', async () => {
    const before = Date.now() - 600_000;
    const file = await manage('/attendees.csv');
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="attendees.csv"');
    expect(tripsOf(file)).toBe(1);
    const [head, ...rows] = readCsv(file.text);
    expect(head).toEqual(['Name', 'Accepted', 'Answered at', 'Link', 'E-mail', 'Phone']);
    expect(rows).toHaveLength(500);
    expect(rows.map(([, accepted]) => accepted).join()).toMatch(/^(Yes,){40}(No,){20}(Not Answered,?){440}$/);
    for (const [, accepted, at] of rows) {
      if (accepted === 'Not Answered') expect(at).toBe('');
      else expect(Date.parse(at ?? '')).toBeGreaterThan(before);
    }
    expect(rows.map(([, , , link]) => link).sort()).toEqual(meetup.invitations.map(personal).sort());
  });

  test('can be copied for a new date with the same names', async () => {
    const source = await createMeetup(host, { ...full, title: 'Monthly', attendees: ['Ada', 'Zoë & Co', 'Ben'] });
    await reply(daybook.visitor(), linkOf(source, 'Ada'));
    const page = await (await host.browser.get(`/manage-meetup/${source.id}`)).click('Copy for a new date');
    expect(page.$('input[name=date]')?.getAttribute('value') ?? '').toBe('');
    const iso = `${dayAhead(30).slice(6)}-${dayAhead(30).slice(0, 5)}`;
    const copied = await page.submit('Create meetup', { date: iso });
    expect(copied.status).toBe(200);
    const id = new URL(copied.url).pathname.split('/').at(-1) ?? '';
    const copy = await partyOf(host, { id });
    expect(copy).toMatchObject({
      title: 'Monthly',
      description: source.description,
      address: full.address,
      date: dayAhead(30),
      startTime: '18:00',
      endTime: '22:00',
    });
    expect(copy.attendees.map(({ username, accepted }) => [username, accepted])).toEqual([
      ['Ada', null],
      ['Ben', null],
      ['Zoë & Co', null],
    ]);
    expect(linkOf(copy, 'Ada').id).not.toBe(linkOf(source, 'Ada').id);
    expect((await rival.browser.get(`/view-meetups?copy=${source.id}`)).status).toBe(404);
  });

  test('sent twice, a form has one effect', async () => {
    const blank = await host.browser.get('/view-meetups');
    const iso = `${dayAhead(8).slice(6)}-${dayAhead(8).slice(0, 5)}`;
    const typed = { title: 'Twice', date: iso, attendees: 'Ada\n\n  Ben \n' };
    const [one, two] = [await blank.submit('Create meetup', typed), await blank.submit('Create meetup', typed)];
    expect([one.status, two.status, two.path]).toEqual([200, 200, one.path]);
    const [added, again] = [
      await one.submit('Add names', { attendees: 'Cem' }),
      await one.submit('Add names', { attendees: 'Cem' }),
    ];
    expect([added.status, again.status]).toEqual([200, 200]);
    const id = new URL(one.url).pathname.split('/').at(-1) ?? '';
    expect((await partyOf(host, { id })).attendees.map(({ username }) => username)).toEqual(['Ada', 'Ben', 'Cem']);

    await host.api('DELETE', `/api/meetup/DeleteMeetup?id=${id}`);
    for (const late of [
      await blank.submit('Create meetup', typed),
      await one.submit('Add names', { attendees: 'Cem' }),
    ]) {
      expect([late.status, new URL(late.url).pathname]).toEqual([404, `/manage-meetup/${id}`]);
      expect(late.words).toContain('Welcome, Hanna Host');
      expect(late.words).toContain('There is no such meetup.');
    }
  });

  test('refused keeps what was typed and says why', async () => {
    const blank = await host.browser.get('/view-meetups');
    const page = await blank.submit('Create meetup', { title: 'Kept', attendees: 'Ada\nADA' });
    expect(page.status).toBe(400);
    expect(page.$('input[name=title]')?.getAttribute('value')).toBe('Kept');
    expect(page.$('textarea[name=attendees]')?.text).toBe('Ada\r\nADA');
    expect(page.words).toContain('“ADA” is there twice.');
    expect(page.words).toContain('Date is missing.');
  });

  test.each([
    ['a name that is there already', 409, 'Cem\nBEN', '“Ben” is invited already.'],
    ['more than 500', 400, crowd.slice(1).join('\n'), 'A meetup can have at most 500 names.'],
  ])('refuses to add %s, keeps what was typed and says why', async (_, status, attendees, why) => {
    const own = await createMeetup(host);
    const page = await host.browser.get(`/manage-meetup/${own.id}`);
    const refused = await page.submit('Add names', { attendees });
    expect([refused.status, refused.words.includes(why)]).toEqual([status, true]);
    expect(refused.words).toContain('Welcome, Hanna Host');
    expect(refused.$('textarea[name=attendees]')?.text.replaceAll('\r\n', '\n')).toBe(attendees);
    expect(await partyOf(host, own)).toEqual(own);
  });

  test.each([
    ['Save meetup', { title: 'Another title' }, 'The meetup is saved.'],
    ['Add names', { attendees: 'Zoë' }, 'The names are added. Send everyone their link.'],
  ])('after "%s" the page says what was done', async (button, fields, said) => {
    const own = await createMeetup(host);
    const page = await (await host.browser.get(`/manage-meetup/${own.id}`)).submit(button, fields);
    expect(page.$('[role=status]')?.text).toContain(said);
    expect(page.words).toContain(Object.values(fields)[0]);
  });

  test('a button of the list says whose link or name it was, where it was pressed', async () => {
    const attendees = ['Ada', 'Ben', 'Cem <1>', 'Dora'];
    const own = await createMeetup(host, { attendees });
    const press = async (button: string) => {
      const page = await (await host.browser.get(`/manage-meetup/${own.id}`)).submit(button);
      expect([page.status, new URL(page.url).hash]).toEqual([200, '#done']);
      return page.$$('main tbody tr').map((row) => (row.id === 'done' ? row.text : row.querySelector('th')?.text));
    };
    expect(await press('Replace the link of Ben')).toEqual([
      'Ada',
      'Ben has a new link. Send it to them.',
      'Ben',
      'Cem <1>',
      'Dora',
    ]);
    expect(await press('Remove Cem <1>')).toEqual(['Ada', 'Ben', 'Cem <1> is removed.', 'Dora']);
    expect(await press('Remove Dora')).toEqual(['Ada', 'Ben', 'Dora is removed.']);
    const page = await host.browser.get(`/manage-meetup/${own.id}?done=__proto__&at=-1&name=x`);
    expect([page.status, page.$('[role=status]')]).toEqual([200, null]);
  });

  test('sent twice, a button has one effect and leads where it led; sent anew for what is gone, it is a 404', async () => {
    const [own, party] = [await createMeetup(host), await createParty(host)];
    const [ada = '', ben = ''] = own.invitations.map(({ id }) => id);
    const [meetupPage, partyPage] = [`/manage-meetup/${own.id}`, `/view-party/${party.id}`];
    for (const [path, typed, to, said] of [
      [meetupPage, { replace: ada }, `${meetupPage}?done=replaced&name=Ada`, 'Ada has a new link. Send it to them.'],
      [meetupPage, { remove: ben }, `${meetupPage}?done=removed&name=Ben`, 'Ben is removed.'],
      [meetupPage, { intent: 'delete' }, '/view-meetups?deleted=yes', 'The meetup is deleted.'],
      [partyPage, {}, '/view-parties?deleted=yes', 'The party is deleted.'],
    ] as const) {
      const send = (once: string, who = host) => who.browser.post(path, { ...typed, once });
      expect((await send('a', rival)).status).toBe(404);
      const twice = await Promise.all([send('a'), send('a')]);
      const meetups = async () => (await host.api('GET', '/api/meetup/GetMyMeetups')).text;
      const before = await meetups();
      for (const { status, location } of [...twice, await send('a')]) expect([status, location]).toEqual([303, to]);
      expect(await meetups()).toBe(before);
      expect((await host.browser.get(to)).$('[role=status]')?.text).toContain(said);
      for (const gone of [await send('b'), await send('a', rival)]) {
        expect([path, typed, gone.status]).toEqual([path, typed, 404]);
      }
      const gone = await send('b');
      expect(gone.words).toContain('Welcome, Hanna Host');
      // To send it once more would be of no use.
      expect(gone.$$('main form').length).toBe(0);
    }
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
  const namesOn = async (query: string) => {
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
  expect(await namesOn('')).toEqual({ status: 200, names: all.slice(0, 200), links: [to(1)] });
  expect(await namesOn('?page=1')).toEqual({
    status: 200,
    names: all.slice(200, 400),
    links: [to(0), to(2)],
  });
  expect(await namesOn('?page=2')).toEqual({ status: 200, names: all.slice(400), links: [to(1)] });
  expect((await namesOn('?page=x')).status).toBe(400);
  // What was done is said once.
  const saved = await host.browser.get(`/view-party/${party.id}?saved=yes`);
  expect(saved.words).toContain('The party is saved.');
  expect((await saved.click('Next page')).words).not.toContain('The party is saved.');
  expect(readCsv((await host.browser.get(`/view-party/${party.id}/guests.csv`)).text)).toHaveLength(402);
});

test('a button pressed at a made up address writes nothing of it into a header', async () => {
  const [ada = ''] = (await createMeetup(host)).invitations.map(({ id }) => id);
  const page = await host.browser.post('/manage-meetup/a%0d%0aSet-Cookie:%20x=1', { replace: ada, once: 'header' });
  expect([page.status, page.location]).toEqual([
    303,
    '/manage-meetup/a%0D%0ASet-Cookie%3A%20x%3D1?done=replaced&name=Ada',
  ]);
  expect(page.headers.get('set-cookie') ?? '').not.toContain('x=1');
});

describe('a table file', () => {
  const formulas = ['=HYPERLINK("http://evil.example","x")', '+1+1', '-2+3', '@SUM(A1)', '＝1+1'];
  const harmless = ['Zoë, "the" reader', "O'Neil", '1-2=3'];

  test('begins as spreadsheets know UTF-8, and ends its last row', async () => {
    const meetup = await createMeetup(host);
    const { text } = await host.browser.get(`/manage-meetup/${meetup.id}/attendees.csv`);
    expect([text.startsWith('\uFEFF'), text.endsWith('\r\n')]).toEqual([true, true]);
  });

  test('of a meetup holds no formula', async () => {
    const meetup = await createMeetup(host, { attendees: [...formulas, ...harmless] });
    const [, ...rows] = readCsv((await host.browser.get(`/manage-meetup/${meetup.id}/attendees.csv`)).text);
    const names = rows.map(([name]) => name ?? '');
    expect(names.sort()).toEqual([...formulas.map((name) => `'${name}`), ...harmless].sort());
  });

  test('of a party holds no formula, in names, questions and answers', async () => {
    const questions = ['=1+1?', 'Two, "or" three?'].map((questionText) => ({ questionText, questionType: openEnded }));
    const template = await publishQuestions(host, questions);
    const party = await createParty(host, { template, plusOnes: 2 });
    const guest = await newConsumer({ displayName: '=cmd|calc' });
    const sent = [
      { question: '=1+1?', answer: '@evil' },
      { question: 'Two, "or" three?', answer: 'One "two"\nthree, four' },
    ];
    expect((await rsvp(guest, party, { guests: 2 }, sent)).status).toBe(200);
    await rsvp(maya, party, { accepted: false });
    const file = await host.browser.get(`/view-party/${party.id}/guests.csv`);
    expect(tripsOf(file)).toBe(1);
    const [head, yes, no] = readCsv(file.text);
    expect(head?.slice(-2)).toEqual(["'=1+1?", 'Two, "or" three?']);
    expect(yes).toEqual([
      "'=cmd|calc",
      guest.username,
      'Yes',
      '2',
      expect.any(String),
      '',
      '',
      "'@evil",
      'One "two"\nthree, four',
    ]);
    expect(no).toEqual(['Maya Lindqvist', 'maya.l', 'No', '0', expect.any(String), '', '', '', '']);
  });

  test('opened with semicolons between cells holds no formula either, nor rows of a guest', async () => {
    const nasty = ['Bo;=1+1;c', 'Bo;"@x"', 'Bo, Anna; -1'];
    const template = await publishQuestions(host, [{ questionText: 'Food;=1+1?', questionType: openEnded }]);
    const party = await createParty(host, { template });
    for (const displayName of nasty) {
      const guest = await newConsumer({ displayName });
      const answer = [{ question: 'Food;=1+1?', answer: 'vegan\n=1+1\r\n+2;=3' }];
      expect((await rsvp(guest, party, {}, answer)).status).toBe(200);
    }
    const meetup = await createMeetup(host, { attendees: nasty });
    const files = [`/view-party/${party.id}/guests.csv`, `/manage-meetup/${meetup.id}/attendees.csv`];
    for (const path of files) {
      const { text } = await host.browser.get(path);
      expect(readCsv(text)).toHaveLength(4);
      expect([...readCsv(text), ...readCsv(text, ';')].flat().filter(isFormula)).toEqual([]);
    }
  });

  test('is for the host alone', async () => {
    const [party, meetup] = await Promise.all([createParty(host), createMeetup(host)]);
    for (const path of [`/view-party/${party.id}/guests.csv`, `/manage-meetup/${meetup.id}/attendees.csv`]) {
      expect((await daybook.visitor().get(path)).status).toBe(302);
      expect((await maya.browser.get(path)).status).toBe(403);
      expect((await rival.browser.get(path)).status).toBe(404);
    }
  });
});
