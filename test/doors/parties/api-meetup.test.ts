import { beforeAll, describe, expect, test } from 'vitest';
import { complaints, refusal } from '../../support/complaints';
import { dayAhead, peopleAt, several } from '../../support/factories';
import * as meetups from '../../support/meetup-calls';
import { addNames, attendee, create, crowd, edit, hosted, nothing, unfound } from '../../support/meetup-calls';
import {
  answersIn,
  createMeetup,
  createParty,
  full,
  goingTo,
  type Invitation,
  linkOf,
  type Party,
  partyOf,
  readParty,
  reply,
  rsvp,
} from '../../support/party-factories';
import { useServer, useWorld } from '../../support/use-server';
import type { ApiResponse, Visitor } from '../../support/visit';

const daybook = useServer();
const { newProvider: newHost } = peopleAt(daybook);
const { host, rival, maya } = useWorld(daybook, { host: {}, rival: {}, maya: {} });
let stranger: Visitor;
beforeAll(async () => {
  stranger = daybook.visitor();
});

/** The invitation of somebody who answers a party, which is no name of a meetup. */
const guestOf = async (party: Party) => (await rsvp(maya, party)).json as Invitation;
const answersOf = async (meetup: Party) => Object.fromEntries(await answersIn(host, meetup));
const inShort = ({ status, text }: ApiResponse) => ({ status, text });

describe('a meetup', () => {
  test('has these nineteen keys, and a link for every name', async () => {
    const year = dayAhead(370).slice(-4);
    const ana = await newHost({ displayName: 'Ana Dias', timeZone: 'Asia/Colombo' });
    const answer = await create(ana, {
      title: ' Book club ',
      description: 'Chapter\r\nfive',
      date: `01-15-${year}`,
      startTime: undefined,
      endTime: undefined,
      start: '19:00',
      end: '01:00',
      address: '5 Elm Street',
      locationUrl: 'https://maps.example.org/5',
      attendees: [' Zoë ', 'ada', 'Ben & Co'],
    });
    const { invitations, attendees, ...row } = answer.json as Party;
    const id = expect.stringMatching(/^[\w-]{22}$/);
    const when = { date: `01-15-${year}`, startTime: '19:00', endTime: '01:00', timeZone: 'Asia/Colombo' };
    const instants = { startsAt: `${year}-01-15T13:30:00.000Z`, endsAt: `${year}-01-15T19:30:00.000Z` };
    const place = { address: '5 Elm Street', locationUrl: 'https://maps.example.org/5' };
    const words = {
      title: 'Book club',
      description: 'Chapter\nfive',
      provider: ana.username,
      providerName: 'Ana Dias',
    };
    const usual = { template: null, formData: [], meetupId: row.id, going: 0 };
    expect([answer.status, row]).toStrictEqual([201, { id, ...when, ...instants, ...place, ...words, ...usual }]);
    const names = ['ada', 'Ben & Co', 'Zoë'];
    expect(invitations).toStrictEqual(names.map((username) => ({ id, meetupId: row.id, username, accepted: null })));
    expect(attendees).toStrictEqual(invitations.map(({ meetupId: _, ...rest }) => rest));
    expect(new Set(invitations.map((invitation) => invitation.id)).size).toBe(3);

    expect((await edit(ana, row, {})).json).toStrictEqual(answer.json);
    await createParty(ana);
    expect(await hosted(ana)).toStrictEqual([answer.json]);
    expect((await readParty(ana, row)).json).toStrictEqual(answer.json);
    expect(refusal(await readParty(stranger, invitations[0] as Invitation))).toBe(404);
  });

  test('tells anyone but its host no names', async () => {
    const meetup = await createMeetup(host, { attendees: ['Secret Ada', 'Secret Ben'] });
    await reply(stranger, linkOf(meetup, 'Secret Ada'));
    for (const who of [stranger, maya, rival]) {
      expect((await readParty(who, meetup)).json).toStrictEqual({
        ...meetup,
        invitations: [],
        attendees: [],
        going: 1,
      });
    }
  });

  test('that is edited keeps what is not given, and the names and their answers', async () => {
    const meetup = await createMeetup(host, { description: 'Chapter five', address: '5 Elm Street' });
    await reply(stranger, linkOf(meetup, 'Ada'), { accepted: false });
    const before = await partyOf(host, meetup);
    const edited = await edit(host, meetup, { title: 'Film club', end: '23:00', attendees: ['Eve'] });
    const endsAt = before.endsAt.replace('T22', 'T23');
    expect(edited.json).toStrictEqual({ ...before, title: 'Film club', endTime: '23:00', endsAt });
    expect(complaints(await edit(host, meetup, { description: 'New', title: null }))).toHaveLength(1);
    expect(await partyOf(host, meetup)).toStrictEqual(edited.json);
  });
});

describe('CreateMeetup', () => {
  test.each<[string, fault: RegExp, ...lists: unknown[]]>([
    ['no names', /name/i, undefined, [], 'Ada'],
    ['a name that is no text, blank or too long', /name/i, [5], [' '], ['x'.repeat(81)]],
    ['a name twice, in any case or bytes', /twice/, ['Ada', ' ADA '], ['Straße', 'STRASSE'], ['Zo\u00eb', 'Zoe\u0308']],
    ['501 names', /at most 500/, crowd(501)],
  ])('with %s is refused, and nothing is created', async (_, fault, ...lists) => {
    for (const attendees of lists) {
      const faults = complaints(await create(rival, { attendees }));
      expect([attendees, faults]).toEqual([attendees, [expect.stringMatching(fault)]]);
    }
    expect(await hosted(rival)).toEqual([]);
  });

  test('with one Idempotency-Key creates once, also at once, and answers the same after a change or the deletion', async () => {
    const ana = await newHost();
    const details = { ...full, attendees: ['Zoë', 'ada', ...crowd(498)] };
    const again = async () => inShort(await create(ana, details, { 'idempotency-key': 'pressed often' }));
    const [first, ...others] = await several(4, again);
    const meetup = JSON.parse(first?.text ?? '') as Party;
    expect([first?.status, meetup]).toStrictEqual([201, await partyOf(ana, meetup)]);
    expect(others).toEqual([first, first, first]);
    await reply(stranger, linkOf(meetup, 'Zoë'));
    await meetups.removeName(ana, linkOf(meetup, 'ada'));
    await edit(ana, meetup, { title: 'Edited' });
    expect(await again()).toEqual(first);
    await meetups.remove(ana, meetup);
    expect(await again()).toEqual(first);
    expect(await hosted(ana)).toEqual([]);
  });

  test('may be up to 512 KiB of JSON', async () => {
    const more = (kibibytes: number) => ({ more: 'x'.repeat(kibibytes * 1024) });
    expect((await create(host, more(500))).status).toBe(201);
    expect(refusal(await create(host, more(512)))).toBe(413);
  });
});

describe('AddAttendees', () => {
  test('gives more names a link and keeps the others’ answers', async () => {
    const meetup = await createMeetup(host);
    await reply(stranger, linkOf(meetup, 'Ada'));
    const answer = await addNames(host, meetup, [' Cem ', 'Dora']);
    const row = answer.json as Party;
    expect([answer.status, row]).toStrictEqual([201, await partyOf(host, meetup)]);
    expect(await answersOf(meetup)).toEqual({ Ada: true, Ben: null, Cem: null, Dora: null });
    for (const name of ['Ada', 'Ben']) expect(linkOf(row, name).id).toBe(linkOf(meetup, name).id);
    expect((await reply(stranger, linkOf(row, 'Cem'))).status).toBe(200);
  });

  test('adds nobody where one is there already, one is wrong, or they are more than 500', async () => {
    const meetup = await createMeetup(host);
    expect(refusal(await addNames(host, meetup, ['Cem', ' BEN ', 'Dora']))).toBe(409);
    for (const names of [['Cem', 'CEM'], crowd(499)]) {
      expect(complaints(await addNames(host, meetup, names))).toHaveLength(1);
    }
    expect((await readParty(host, meetup)).json).toStrictEqual(meetup);
    expect((await addNames(host, meetup, crowd(498))).status).toBe(201);
  });

  test('with one Idempotency-Key adds once, also at once, and answers the same after a change or the deletion', async () => {
    const [meetup, other] = await Promise.all([createMeetup(host), createMeetup(host)]);
    await reply(stranger, linkOf(meetup, 'Ben'));
    const sent = { 'idempotency-key': 'pressed often' };
    const again = async () => inShort(await addNames(host, meetup, ['Cem', 'Abe'], sent));
    const [first, ...others] = await several(4, again);
    const added = JSON.parse(first?.text ?? '') as Party;
    expect([first?.status, added]).toStrictEqual([201, await partyOf(host, meetup)]);
    expect(others).toEqual([first, first, first]);
    // The key belongs to this meetup.
    expect((await addNames(host, other, ['Cem'], sent)).status).toBe(201);
    await meetups.removeName(host, linkOf(added, 'Abe'));
    expect(await again()).toEqual(first);
    expect(await answersOf(meetup)).toEqual({ Ada: null, Ben: true, Cem: null });
    await meetups.remove(host, meetup);
    expect(await again()).toEqual(first);
    expect(refusal(await addNames(rival, meetup, ['Cem', 'Abe'], sent))).toBe(404);
  });

  test('by several at once for one name adds it once', async () => {
    const meetup = await createMeetup(host);
    const answers = await several(5, (index) => addNames(host, meetup, ['Cem', `Other ${index}`]));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    expect(meetups.namesIn(await partyOf(host, meetup))).toHaveLength(4);
  });
});

test('RemoveAttendee takes the name off the list, and its link is dead', async () => {
  const meetup = await createMeetup(host);
  const ada = linkOf(meetup, 'Ada');
  await reply(stranger, ada);
  expect(inShort(await meetups.removeName(host, ada))).toEqual({ status: 204, text: '' });
  expect([await goingTo(host, meetup), await answersOf(meetup)]).toEqual([0, { Ben: null }]);
  expect(await attendee(stranger, ada)).toMatchObject(unfound);
  expect(await reply(stranger, ada)).toMatchObject(unfound);
  expect((await addNames(host, meetup, ['Ada'])).status).toBe(201);
  expect(await answersOf(meetup)).toEqual({ Ada: null, Ben: null });
});

test('ReplaceLink keeps the answer, and the old link is dead', async () => {
  const meetup = await createMeetup(host);
  const old = linkOf(meetup, 'Ada');
  await reply(stranger, old);
  const { status, json } = await meetups.replaceLink(host, old);
  const fresh = json as Invitation;
  const id = expect.stringMatching(/^[\w-]{22}$/);
  expect([status, fresh]).toStrictEqual([200, { id, meetupId: meetup.id, username: 'Ada', accepted: true }]);
  expect(fresh.id).not.toBe(old.id);
  expect(await attendee(stranger, old)).toMatchObject(unfound);
  expect(await reply(stranger, old, { accepted: false })).toMatchObject(unfound);
  expect((await attendee(stranger, fresh)).json).toStrictEqual(fresh);
  expect(await partyOf(host, meetup)).toMatchObject({ going: 1, invitations: [fresh, {}] });
  expect((await reply(stranger, fresh, { accepted: false })).status).toBe(200);
  expect(await answersOf(meetup)).toEqual({ Ada: false, Ben: null });
});

describe('ChangeRsvp', () => {
  test('answers for the name of the link, without a login and whatever name is sent; the latest counts', async () => {
    const meetup = await createMeetup(host);
    const ada = linkOf(meetup, 'Ada');
    for (const [accepted, name] of [
      [true, 'Ben'],
      [false, 'Somebody else'],
      [true, 'Ada'],
    ] as const) {
      const answer = await reply(daybook.visitor(), ada, { accepted, name });
      expect([answer.status, answer.json]).toStrictEqual([200, { ...ada, accepted }]);
      expect(await answersOf(meetup)).toEqual({ Ada: accepted, Ben: null });
      expect(await goingTo(host, meetup)).toBe(accepted ? 1 : 0);
    }
  });

  test('with the id of something else, or as a party’s guest, is a 404 and changes nothing', async () => {
    const [meetup, other, party] = await Promise.all([createMeetup(host), createMeetup(host), createParty(host)]);
    const [ada, guest] = [linkOf(meetup, 'Ada'), await guestOf(party)];
    for (const [invitation, meetupid] of [
      [ada, other.id],
      [ada, party.id],
      [{ ...ada, ...nothing }, meetup.id],
      [guest, party.id],
    ] as const) {
      expect(await reply(stranger, invitation, { meetupid, accepted: false })).toMatchObject(unfound);
    }
    expect(await answersOf(meetup)).toEqual({ Ada: null, Ben: null });
    expect((await partyOf(host, party)).invitations).toEqual([guest]);
  });

  test('by many at once keeps every answer', async () => {
    const meetup = await createMeetup(host, { attendees: crowd(40) });
    const wishes = meetup.invitations.map((invitation, index) => ({ ...invitation, accepted: index % 2 === 0 }));
    await Promise.all([...wishes, ...wishes].map((one) => reply(stranger, one, { accepted: one.accepted })));
    const { going, invitations } = await partyOf(host, meetup);
    expect([going, invitations]).toEqual([20, expect.arrayContaining(wishes)]);
  });
});
