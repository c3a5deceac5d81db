import { beforeAll, describe, expect, test } from 'vitest';
import { complaints, refusal } from '../../support/complaints';
import { dayAhead, type Person, peopleAt } from '../../support/factories';
import * as meetups from '../../support/meetup-calls';
import { all, create, edit, hosted, remove } from '../../support/party-calls';
import {
  closeAnswers,
  createMeetup,
  createParty,
  endParty,
  goingTo,
  type Invitation,
  linkOf,
  type Party,
  partyOf,
  publishQuestions,
  readParty,
  rsvp,
} from '../../support/party-factories';
import { deleteTemplate } from '../../support/template-factories';
import { useServer, useWorld } from '../../support/use-server';
import type { ApiResponse } from '../../support/visit';

const daybook = useServer();
const { newProvider: newHost, newConsumer: newGuest } = peopleAt(daybook);
const { host, rival, maya, june } = useWorld(daybook, { host: {}, rival: {}, maya: { username: 'maya.l' }, june: {} });

const titlesOf = (parties: Party[]) => parties.map(({ title }) => title);

test('a call that needs an id is a 400 without one', async () => {
  for (const [method, path, body] of [
    ['DELETE', 'Party/DeleteParty?id='],
    ['PUT', 'Party/BookRsvp?accepted=true'],
    ['POST', 'meetup/AddAttendees', ['Cem']],
    ['DELETE', 'meetup/RemoveAttendee'],
  ] as const) {
    expect(complaints(await host.api(method, `/api/${path}`, body))).toHaveLength(1);
  }
});

describe('what is of the other kind, or not there', () => {
  let party: Party;
  let meetup: Party;
  beforeAll(async () => {
    [party, meetup] = await Promise.all([createParty(host), createMeetup(host)]);
    await rsvp(maya, party);
    party = await partyOf(host, party);
  });

  type Call = (who: Person, thing: { id: string }) => Promise<ApiResponse>;
  test.each<[string, Call]>([
    ['EditParty', (who, thing) => edit(who, thing, { title: 'Mine' })],
    ['DeleteParty', remove],
    ['EditMeetup', (who, thing) => meetups.edit(who, thing, { title: 'Mine' })],
    ['DeleteMeetup', meetups.remove],
    // Nor does it tell a stranger who is invited.
    ['AddAttendees', (who, thing) => meetups.addNames(who, thing, ['Ada'])],
    ['RemoveAttendee', meetups.removeName],
    ['ReplaceLink', meetups.replaceLink],
  ])('is the same 404 to %s as what is another’s, and nothing changes', async (name, call) => {
    const [ada, guest] = [linkOf(meetup, 'Ada'), party.invitations[0] as Invitation];
    const isOfName = ['RemoveAttendee', 'ReplaceLink'].includes(name);
    const [own, other] = isOfName ? [ada, guest] : name.endsWith('Party') ? [party, meetup] : [meetup, party];
    const missing = await call(host, meetups.nothing);
    expect(refusal(missing)).toBe(404);
    for (const answer of [await call(rival, own), await call(host, other)]) {
      expect([answer.status, answer.text]).toEqual([404, missing.text]);
    }
    expect([await partyOf(host, party), await partyOf(host, meetup)]).toStrictEqual([party, meetup]);
  });
});

describe('a party', () => {
  const year = Number(dayAhead(370).slice(-4));

  test('has these twenty keys at every call, with null for what is optional, and none that was made up', async () => {
    const ana = await newHost({ displayName: 'Ana Dias', timeZone: 'America/New_York' });
    const template = await publishQuestions(ana, [{ questionText: 'Bringing?' }]);
    const answer = await create(ana, {
      title: '  Winter ball ',
      description: 'Warm\r\nclothes',
      date: `01-15-${year}`,
      startTime: '19:00',
      endTime: '23:30',
      template,
      address: '5 Elm Street & Co',
      capacity: 40,
      rsvpBy: `01-10-${year}`,
      plusOnes: 2,
      ...{ id: 'mine', going: 7, provider: 'maya.l', meetupId: 'x', invitations: [{ accepted: true }] },
    });
    expect(answer.status).toBe(201);
    expect(answer.json).toStrictEqual({
      id: expect.stringMatching(/^[\w-]{22}$/),
      title: 'Winter ball',
      description: 'Warm\nclothes',
      provider: ana.username,
      providerName: 'Ana Dias',
      date: `01-15-${year}`,
      startTime: '19:00',
      endTime: '23:30',
      startsAt: `${year}-01-16T00:00:00.000Z`,
      endsAt: `${year}-01-16T04:30:00.000Z`,
      timeZone: 'America/New_York',
      template,
      invitations: [],
      formData: [],
      address: '5 Elm Street & Co',
      locationUrl: expect.stringMatching(/^https:\/\//),
      attendees: [],
      meetupId: null,
      going: 0,
      openTo: 'accounts',
    });
    const party = answer.json as Party;
    expect((await edit(ana, party, { title: 'Winter ball' })).json).toStrictEqual(party);
    expect([await hosted(ana), await all(ana)]).toStrictEqual([[party], [party]]);
    expect((await readParty(daybook.visitor(), party)).json).toStrictEqual(party);
    const optional = { description: null, template: null, address: null, locationUrl: null };
    expect(await createParty(host)).toMatchObject(optional);
  });

  test('shows its host who answered, and what', async () => {
    const template = await publishQuestions(host, [{ questionText: 'Bringing?' }, { questionText: 'Staying?' }]);
    const party = await createParty(host, { template });
    const answers = [{ question: 'Bringing?', answer: 'Cake' }];
    const yes = (await rsvp(maya, party, {}, answers)).json as Invitation;
    const no = (await rsvp(june, party, { accepted: false })).json as Invitation;
    const row = { ...party, invitations: [yes, no], formData: [answers], going: 1 };
    expect((await readParty(host, party)).json).toStrictEqual(row);
    for (const list of [await hosted(host), await all(host)]) {
      expect(list.find(({ id }) => id === party.id)).toStrictEqual(row);
    }
    expect((await edit(host, party, {})).json).toStrictEqual(row);
  });

  test('is in the lists of its host, and of whoever has answered it, by start', async () => {
    const [ana, rui, zoe] = await Promise.all([newHost(), newHost(), newGuest()]);
    const make = (who: Person, title: string, days: number, startTime = '18:00') =>
      createParty(who, { title, date: dayAhead(days), startTime });
    await make(ana, 'third', 12);
    await make(ana, 'first', 10, '17:00');
    await createMeetup(ana, { title: 'a meetup', date: dayAhead(11) });
    await make(rui, 'unanswered', 12);
    const [yes, no] = await Promise.all([make(rui, 'second', 11), make(rui, 'fourth', 13)]);
    for (const who of [ana, zoe]) {
      await rsvp(who, yes);
      await rsvp(who, no, { accepted: false });
    }
    expect(titlesOf(await hosted(ana))).toEqual(['first', 'third']);
    expect(titlesOf(await all(ana))).toEqual(['first', 'second', 'third', 'fourth']);
    expect(titlesOf(await all(zoe))).toEqual(['second', 'fourth']);
  });
});

describe('EditParty', () => {
  /** A party with everything a party can have. */
  const fullParty = async () =>
    createParty(host, {
      description: 'In the garden',
      address: '5 Elm Street',
      locationUrl: 'https://maps.example.org/5',
      template: await publishQuestions(host, [{ questionText: 'Bringing?' }]),
      capacity: 10,
      rsvpBy: dayAhead(6),
      plusOnes: 3,
      hideGoing: true,
    });
  const limitsOf = ({ id }: Party) =>
    daybook.d1.prepare('SELECT capacity, rsvp_by, plus_ones, hide_going FROM parties WHERE id = ?').bind(id).first();
  const at = (days: number, time: string) => `${dayAhead(days).slice(6)}-${dayAhead(days).slice(0, 5)}T${time}:00.000Z`;

  test('changes what is given and nothing else', async () => {
    const party = await fullParty();
    const before = await limitsOf(party);
    const template = await publishQuestions(host, [{ questionText: 'Singing?' }]);
    let row = party;
    for (const [change, more] of [
      [{ title: 'Street party', description: 'Outside' }],
      [{ address: '6 Elm Street' }],
      [{ locationUrl: 'http://other.example/' }],
      [{ date: dayAhead(9) }, { startsAt: at(9, '18:00'), endsAt: at(9, '22:00') }],
      [{ startTime: '17:00' }, { startsAt: at(9, '17:00') }],
      [{ endTime: '23:00' }, { endsAt: at(9, '23:00') }],
      [{ template }],
      [{ template: null }],
    ] as [Partial<Party>, Partial<Party>?][]) {
      row = { ...row, ...change, ...more };
      expect(await edit(host, party, change)).toMatchObject({ status: 200, json: row });
      expect((await readParty(host, party)).json).toStrictEqual(row);
    }
    expect((await edit(host, party, { id: 'x', going: 9, nothing: true })).json).toStrictEqual(row);
    // Neither the room, nor the deadline, nor the plus-ones, nor what is hidden.
    expect(await limitsOf(party)).toEqual(before);
  });

  test('with null clears what is optional', async () => {
    const party = await fullParty();
    const search = expect.stringContaining(encodeURIComponent('5 Elm Street'));
    expect((await edit(host, party, { locationUrl: null })).json).toMatchObject({ locationUrl: search });
    const cleared = { address: null, description: null };
    expect((await edit(host, party, cleared)).json).toMatchObject({ ...cleared, locationUrl: null });
    await edit(host, party, { capacity: 1 });
    await closeAnswers(daybook.d1, party);
    expect(refusal(await rsvp(maya, party))).toBe(409);
    await edit(host, party, { rsvpBy: null });
    expect(refusal(await rsvp(maya, party, { guests: 3 }))).toBe(409);
    await edit(host, party, { capacity: null });
    expect((await rsvp(maya, party, { guests: 3 })).status).toBe(200);
    await edit(host, party, { plusOnes: null });
    expect(complaints(await rsvp(june, party, { guests: 1 }))).toHaveLength(1);
    expect(await goingTo(june, party)).toBeNull();
    await edit(host, party, { hideGoing: null });
    expect(await goingTo(june, party)).toBe(4);
  });

  test('takes its row back: a search follows the address, a link of the host’s stays', async () => {
    const party = await createParty(host, { address: '5 Elm Street' });
    expect((await edit(host, party, party)).json).toStrictEqual(party);
    const moved = (await edit(host, party, { ...party, address: '6 Elm Street' })).json as Party;
    expect(moved.locationUrl).toBe(party.locationUrl?.replace(/=.*/, '=6%20Elm%20Street'));
    const linked = await fullParty();
    expect((await edit(host, linked, linked)).json).toStrictEqual(linked);
    expect((await edit(host, linked, { ...linked, address: null })).json).toStrictEqual({ ...linked, address: null });
  });

  test('with what is wrong is refused, and nothing changes', async () => {
    const party = await fullParty();
    for (const change of [
      { title: null },
      { startTime: null },
      { openTo: 'friends' },
      { date: dayAhead(-1) },
      { rsvpBy: dayAhead(400) },
      { date: dayAhead(1) }, // before the last day to answer
    ]) {
      expect([change, complaints(await edit(host, party, { description: 'New', ...change })).length]).toEqual([
        change,
        1,
      ]);
    }
    expect((await readParty(host, party)).json).toStrictEqual(party);
  });

  test('hides how many are coming by true or false, as such or as text', async () => {
    const party = await createParty(host);
    for (const [hideGoing, going] of [
      [true, null],
      ['false', 0],
      ['on', null],
      [false, 0],
    ]) {
      expect((await edit(host, party, { hideGoing })).status).toBe(200);
      expect([hideGoing, await goingTo(maya, party)]).toEqual([hideGoing, going]);
    }
  });

  test('may end the answers by a day that is past, and leave a date that is past as it is', async () => {
    const party = await fullParty();
    expect((await edit(host, party, { rsvpBy: dayAhead(-1) })).status).toBe(200);
    expect(refusal(await rsvp(maya, party))).toBe(409);
    await endParty(daybook.d1, party);
    const { date } = await partyOf(host, party);
    const good = { title: 'It was good', date };
    expect((await edit(host, party, good)).json).toMatchObject(good);
    expect(complaints(await edit(host, party, { date: dayAhead(-3) }))).toHaveLength(1);
  });

  test('with less room than people coming is a 400, with just enough is not', async () => {
    const party = await createParty(host, { plusOnes: 2 });
    await rsvp(maya, party, { guests: 2 });
    await rsvp(june, party);
    expect(complaints(await edit(host, party, { capacity: 3, title: 'Smaller' }))).toHaveLength(1);
    expect(await partyOf(host, party)).toMatchObject({ title: party.title, going: 4 });
    expect((await edit(host, party, { capacity: 4 })).status).toBe(200);
    expect(refusal(await rsvp(await newGuest(), party))).toBe(409);
  });

  test('with a template that is not a current one of one’s own is a 404, but may leave a deleted one', async () => {
    const party = await fullParty();
    const [theirs, gone] = await Promise.all(
      [rival, host].map((who) => publishQuestions(who, [{ questionText: 'Singing?' }])),
    );
    await deleteTemplate(host, gone as string);
    for (const template of [theirs, gone, 'none']) {
      expect(refusal(await edit(host, party, { title: 'New', template }))).toBe(404);
    }
    expect((await readParty(host, party)).json).toStrictEqual(party);
    await deleteTemplate(host, party.template as string);
    const answer = await edit(host, party, { title: 'New', template: party.template });
    expect(answer).toMatchObject({ status: 200, json: { ...party, title: 'New' } });
  });

  test('keeps the zone in which it was created', async () => {
    const ana = await newHost({ timeZone: 'Asia/Colombo' });
    const party = await createParty(ana);
    const move = { intent: 'profile', displayName: 'Ana', location: 'Lima', timeZone: 'America/Lima' };
    await ana.browser.post('/profile', move);
    expect((await ana.api('GET', '/api/Account/Profile')).json).toMatchObject({ timeZone: 'America/Lima' });
    const { startsAt, timeZone } = party;
    expect((await edit(ana, party, { title: 'Far away' })).json).toMatchObject({ startsAt, timeZone });
    const earlier = { startsAt: startsAt.replace('12:30', '11:30') };
    expect((await edit(ana, party, { startTime: '17:00' })).json).toMatchObject(earlier);
  });
});
