import { beforeAll, describe, expect, test } from 'vitest';
import { complaints, refusal } from '../../support/complaints';
import { dayAhead, peopleAt, several } from '../../support/factories';
import {
  attendee,
  create,
  crowd,
  edit,
  hosted,
  namesIn,
  nothing,
  remove,
  removeName,
  unfound,
} from '../../support/meetup-calls';
import {
  createMeetup,
  createParty,
  endParty,
  full,
  linkOf,
  type Party,
  partiesOf,
  partyOf,
  readParty,
  reply,
} from '../../support/party-factories';
import { useServer } from '../../support/use-server';
import type { Visitor } from '../../support/visit';
import { useWorld } from '../../support/world';

const daybook = useServer();
const { newProvider: newHost } = peopleAt(daybook);
const { host, rival, maya } = useWorld(daybook, { host: {}, rival: {}, maya: {} });
let stranger: Visitor;
beforeAll(async () => {
  stranger = daybook.visitor();
});

describe('a meetup', () => {
  test('has these nineteen keys, and a link for every name', async () => {
    const year = dayAhead(370).slice(-4);
    const ana = await newHost({ displayName: 'Ana Dias', timeZone: 'Asia/Colombo' });
    const answer = await create(ana, {
      title: ' Book club ',
      description: 'Chapter\r\nfive',
      date: `01-15-${year}`,
      startTime: '19:00',
      endTime: '01:00',
      address: '5 Elm Street',
      locationUrl: 'https://maps.example.org/5',
      attendees: [' Zoë ', 'ada', 'Ben & Co'],
    });
    expect(answer.status).toBe(201);
    const { invitations, attendees, ...row } = answer.json as Party;
    expect(row).toStrictEqual({
      id: expect.stringMatching(/^[\w-]{22}$/),
      title: 'Book club',
      description: 'Chapter\nfive',
      provider: ana.username,
      providerName: 'Ana Dias',
      date: `01-15-${year}`,
      startTime: '19:00',
      endTime: '01:00',
      startsAt: `${year}-01-15T13:30:00.000Z`,
      endsAt: `${year}-01-15T19:30:00.000Z`,
      timeZone: 'Asia/Colombo',
      template: null,
      formData: [],
      address: '5 Elm Street',
      locationUrl: 'https://maps.example.org/5',
      meetupId: row.id,
      going: 0,
    });
    const id = expect.stringMatching(/^[\w-]{22}$/);
    const names = ['ada', 'Ben & Co', 'Zoë'];
    expect(invitations).toStrictEqual(names.map((username) => ({ id, meetupId: row.id, username, accepted: null })));
    expect(attendees).toStrictEqual(invitations.map(({ meetupId: _, ...rest }) => rest));
    expect(new Set(invitations.map((invitation) => invitation.id)).size).toBe(3);

    expect((await edit(ana, row, {})).json).toStrictEqual(answer.json);
    expect(await hosted(ana)).toStrictEqual([answer.json]);
    expect((await readParty(ana, row)).json).toStrictEqual(answer.json);
  });

  test('tells anyone but its host no names', async () => {
    const meetup = await createMeetup(host, { attendees: ['Secret Ada', 'Secret Ben'] });
    await reply(stranger, linkOf(meetup, 'Secret Ada'));
    const mine = await createMeetup(rival, { attendees: ['Somebody'] });
    expect(linkOf(mine, 'Somebody').meetupId).toBe(mine.id);
    for (const who of [stranger, maya, rival]) {
      const answer = await readParty(who, meetup);
      expect(answer.json).toStrictEqual({ ...meetup, invitations: [], attendees: [], going: 1 });
      expect(answer.text).not.toContain('Secret');
    }
  });

  test('tells its host who accepted first, and nothing once they are logged out', async () => {
    const ana = await newHost();
    const meetup = await createMeetup(ana, { attendees: ['Ada', 'Ben', 'Cem', 'Dora'] });
    await reply(stranger, linkOf(meetup, 'Ada'), { accepted: false });
    await reply(stranger, linkOf(meetup, 'Cem'));
    const read = await partyOf(ana, meetup);
    expect(read.attendees.map(({ username, accepted }) => [username, accepted])).toEqual([
      ['Cem', true],
      ['Ada', false],
      ['Ben', null],
      ['Dora', null],
    ]);
    expect(await hosted(ana)).toStrictEqual([read]);
    const cookie = ana.browser.cookies.get('daybook') ?? '';
    await ana.api('DELETE', '/api/Account/Logout');
    ana.browser.cookies.set('daybook', cookie);
    expect((await readParty(ana, meetup)).json).toStrictEqual({ ...read, invitations: [], attendees: [] });
    expect(refusal(await ana.api('GET', '/api/meetup/GetMyMeetups'))).toBe(401);
  });
});

describe('CreateMeetup', () => {
  test.each([
    ['no names', { attendees: undefined }],
    ['names that are null', { attendees: null }],
    ['an empty list of names', { attendees: [] }],
    ['names that are no list', { attendees: 'Ada' }],
    ['a name that is no text', { attendees: ['Ada', 5] }],
    ['a blank name', { attendees: ['Ada', ' '] }],
    ['a name of 81', { attendees: ['Ada', 'x'.repeat(81)] }],
    ['a name of two lines', { attendees: ['Ada\nBen'] }],
    ['a name with a NUL', { attendees: ['Ada\u0000'] }],
    ['a name twice', { attendees: ['Ada', 'Ben', 'Ada'] }],
    ['a name twice, in another case', { attendees: ['Ada', 'ADA'] }],
    ['a name twice, in another case beyond ASCII', { attendees: ['Ärmel', 'äRMEL'] }],
    ['a name twice, in another case that is longer', { attendees: ['Straße', 'STRASSE'] }],
    ['a name twice, in other bytes', { attendees: ['Zo\u00eb', 'Zoe\u0308'] }],
    ['a name twice, with spaces around', { attendees: ['Ada', ' Ada '] }],
    ['501 names', { attendees: crowd(501) }],
    ['no title', { title: undefined }],
    ['yesterday', { date: dayAhead(-1) }],
  ])('with %s is refused, and nothing is created', async (_, details) => {
    const before = await hosted(rival);
    expect(complaints(await create(rival, details))).toHaveLength(1);
    expect(await hosted(rival)).toEqual(before);
  });

  test('names every fault at once', async () => {
    const broken = { title: '', date: 'someday', startTime: 'nine', endTime: 'ten', attendees: [] };
    expect(complaints(await create(host, broken))).toHaveLength(5);
  });

  test.each<[string, object, RegExp[]]>([
    ['a past date and a blank title', { title: '', date: dayAhead(-1) }, [/Title/, /not in the past/]],
    ['a past date and a name twice', { date: dayAhead(-1), attendees: ['Ada', 'ada'] }, [/twice/, /not in the past/]],
    ['a name twice and a blank one', { attendees: ['Ada', 'ada', ''] }, [/A name is missing/, /twice/]],
    ['501 names and one of two lines', { attendees: [...crowd(500), 'a\nb'] }, [/can't be shown/, /at most 500/]],
  ])('names %s', async (_, details, messages) => {
    const said = messages.map((message) => expect.stringMatching(message));
    expect(complaints(await create(host, details))).toEqual(said);
  });

  test('names a past date and a name twice on the screen too', async () => {
    const page = await host.browser.get('/view-meetups');
    const typed = { title: 'Book club', date: '2020-01-01', attendees: 'Ada\nada' };
    const refused = await page.submit('Create meetup', typed);
    expect(refused.status).toBe(400);
    for (const message of ['“ada” is there twice.', 'not in the past']) expect(refused.words).toContain(message);
  });

  test('takes 500 names of 80, as people count', async () => {
    const attendees = crowd(500).map((name) => `${name} ${'𝒯'.repeat(79 - name.length)}`);
    const meetup = await createMeetup(host, { attendees });
    expect(namesIn(meetup)).toEqual([...attendees].sort());
    expect(new Set(meetup.invitations.map(({ id }) => id)).size).toBe(500);
    expect(await hosted(host)).toContainEqual(meetup);
  });

  test('takes the times by their short names, and makes a map search of the address', async () => {
    const times = { startTime: undefined, endTime: undefined, start: '20:15', end: '21:45' };
    const meetup = await createMeetup(host, { ...times, address: 'Rua da Rosa 5 & 7' });
    expect(meetup).toMatchObject({ startTime: '20:15', endTime: '21:45' });
    expect([...new URL(meetup.locationUrl ?? '').searchParams.values()]).toEqual(['Rua da Rosa 5 & 7']);
    expect(await createMeetup(host)).toMatchObject({ address: null, locationUrl: null, description: null });
  });

  test('with one Idempotency-Key creates one meetup, again and many times at once', async () => {
    const ana = await newHost();
    const sent = { 'idempotency-key': 'pressed often' };
    const answers = [...(await several(4, () => create(ana, {}, sent))), await create(ana, {}, sent)];
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(201));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await hosted(ana)).toHaveLength(1);
    await create(ana, {}, { 'idempotency-key': 'another' });
    expect(await hosted(ana)).toHaveLength(2);
  });

  test('again with the same Idempotency-Key answers the same when the meetup was changed or deleted meanwhile', async () => {
    const ana = await newHost();
    const details = { ...full, attendees: ['Zoë', 'ada', ...crowd(498)] };
    const sent = { 'idempotency-key': 'the first answer' };
    const again = async () => {
      const { status, json } = await create(ana, details, sent);
      return { status, json };
    };
    const first = await again();
    const meetup = first.json as Party;
    expect(first.status).toBe(201);
    expect(first.json).toStrictEqual(await partyOf(ana, meetup));
    await reply(stranger, linkOf(meetup, 'Zoë'));
    await removeName(ana, linkOf(meetup, 'ada'));
    await edit(ana, meetup, { title: 'Edited' });
    expect(await again()).toStrictEqual(first);
    await remove(ana, meetup);
    expect(await again()).toStrictEqual(first);
    expect(await hosted(ana)).toEqual([]);
  });

  test('may be up to 512 KiB of JSON', async () => {
    const more = (kibibytes: number) => ({ more: 'x'.repeat(kibibytes * 1024) });
    expect((await create(host, more(500))).status).toBe(201);
    expect(refusal(await create(host, more(512)))).toBe(413);
    expect(refusal(await create(host, {}, { 'content-type': 'text/plain' }))).toBe(415);
  });
});

describe('EditMeetup', () => {
  const full = { description: 'Chapter five', address: '5 Elm Street', locationUrl: 'https://maps.example.org/5' };

  test.each<[string, object, Partial<Party>]>([
    ['nothing', {}, {}],
    ['the title', { title: 'Film club' }, { title: 'Film club' }],
    ['the end, by its short name', { end: '23:00' }, { endTime: '23:00' }],
    ['the names, which stay', { attendees: ['Eve'] }, {}],
  ])('of %s changes that and nothing else', async (_, change, changed) => {
    const meetup = await createMeetup(host, full);
    await reply(stranger, linkOf(meetup, 'Ada'), { accepted: false });
    const before = await partyOf(host, meetup);
    const { startsAt, endsAt, ...row } = (await edit(host, meetup, change)).json as Party;
    const { startsAt: from, endsAt: until, ...kept } = before;
    expect(row).toStrictEqual({ ...kept, ...changed });
    const day = from.slice(0, 10);
    expect([startsAt, endsAt]).toEqual(
      ['startTime', 'endTime'].map((time) => `${day}T${row[time as 'startTime']}:00.000Z`),
    );
    expect([from, until]).toEqual([`${day}T18:00:00.000Z`, `${day}T22:00:00.000Z`]);
    expect(await partyOf(host, meetup)).toStrictEqual({ ...row, startsAt, endsAt });
  });

  test('of the link by null makes a map search of the address', async () => {
    const meetup = await createMeetup(host, full);
    const { locationUrl } = (await edit(host, meetup, { locationUrl: null })).json as Party;
    expect(locationUrl).toContain(encodeURIComponent('5 Elm Street'));
  });

  test('refuses a past date where it is changed, and only there', async () => {
    const meetup = await createMeetup(host);
    expect((await edit(host, meetup, { date: dayAhead(9) })).json).toMatchObject({ date: dayAhead(9) });
    expect(complaints(await edit(host, meetup, { date: dayAhead(-1) }))).toHaveLength(1);
    await endParty(daybook.d1, meetup);
    const { date } = await partyOf(host, meetup);
    expect((await edit(host, meetup, { date, title: 'It was good' })).json).toMatchObject({ title: 'It was good' });
  });

  test.each([['a title that is null', { title: null }]])(
    'with %s is refused, and nothing changes',
    async (_, change) => {
      const meetup = await createMeetup(host, full);
      expect(complaints(await edit(host, meetup, { description: 'New', ...change }))).toHaveLength(1);
      expect((await readParty(host, meetup)).json).toStrictEqual(meetup);
    },
  );

  test('of another’s, of a party and of nothing is the same 404', async () => {
    const [meetup, party] = await Promise.all([createMeetup(host), createParty(host)]);
    const missing = await edit(host, nothing, { title: 'Mine' });
    expect(refusal(missing)).toBe(404);
    for (const answer of [await edit(rival, meetup, { title: 'Mine' }), await edit(host, party, { title: 'Mine' })]) {
      expect([answer.status, answer.text]).toEqual([404, missing.text]);
    }
    expect((await readParty(host, meetup)).json).toStrictEqual(meetup);
    expect((await readParty(host, party)).json).toStrictEqual(party);
  });
});

describe('DeleteMeetup', () => {
  test('deletes the meetup, and the calls know its links no more', async () => {
    const meetup = await createMeetup(host);
    const ada = linkOf(meetup, 'Ada');
    const answer = await remove(host, meetup);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(refusal(await readParty(host, meetup))).toBe(404);
    expect(await attendee(stranger, ada)).toMatchObject(unfound);
    expect(await reply(stranger, ada)).toMatchObject(unfound);
    expect([204, 404]).toContain((await remove(host, meetup)).status);
  });

  test('of another’s, of a party and of nothing is the same 404, and nothing is deleted', async () => {
    const [meetup, party] = await Promise.all([createMeetup(host), createParty(host)]);
    const missing = await remove(host, nothing);
    expect(refusal(missing)).toBe(404);
    for (const answer of [await remove(rival, meetup), await remove(host, party)]) {
      expect([answer.status, answer.text]).toEqual([404, missing.text]);
    }
    expect((await readParty(host, meetup)).json).toStrictEqual(meetup);
    expect((await readParty(host, party)).json).toStrictEqual(party);
    expect(complaints(await host.api('DELETE', '/api/meetup/DeleteMeetup'))).toHaveLength(1);
  });
});

describe('GetParty', () => {
  test('of what there is not, and of an invitation’s id, is a 404', async () => {
    const meetup = await createMeetup(host);
    for (const party of [nothing, linkOf(meetup, 'Ada'), { id: 'x' }]) {
      expect(refusal(await readParty(stranger, party))).toBe(404);
    }
  });
});

describe('GetMyMeetups', () => {
  test('gives the meetups one hosts by start, and no parties', async () => {
    const ana = await newHost();
    await createMeetup(ana, { title: 'third', date: dayAhead(12) });
    await createMeetup(ana, { title: 'first', date: dayAhead(10), startTime: '17:00' });
    await createMeetup(ana, { title: 'second', date: dayAhead(10), startTime: '18:00' });
    await createParty(ana, { title: 'a party' });
    expect((await hosted(ana)).map(({ title }) => title)).toEqual(['first', 'second', 'third']);
    expect(partiesOf(await ana.api('GET', '/api/Party/GetMy')).map(({ title }) => title)).toEqual(['a party']);
    expect(await hosted(await newHost())).toEqual([]);
  });
});
