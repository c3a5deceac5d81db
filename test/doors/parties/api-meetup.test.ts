import { beforeAll, describe, expect, test } from 'vitest';
import { complaints, refusal } from '../../support/complaints';
import { dayAhead, peopleAt, several } from '../../support/factories';
import { linkPath } from '../../support/letters';
import * as meetups from '../../support/meetup-calls';
import { addNames, attendee, create, crowd, edit, hosted, unfound } from '../../support/meetup-calls';
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
} from '../../support/party-factories';
import { useServer, useWorld } from '../../support/use-server';
import type { ApiResponse, Visitor } from '../../support/visit';

const daybook = useServer();
const { newProvider: newHost } = peopleAt(daybook);
const { host, rival, maya } = useWorld(daybook, { host: {}, rival: {}, maya: {} });
let stranger: Visitor;
beforeAll(() => {
  stranger = daybook.visitor();
});

const answersOf = async (meetup: Party) => Object.fromEntries(await answersIn(host, meetup));
const inShort = ({ status, text }: ApiResponse) => ({ status, text });

describe('a meetup', () => {
  test('has these nineteen keys, and a link for every name', async () => {
    const year = dayAhead(370).slice(-4);
    const ana = await newHost({ displayName: 'Ana Dias', timeZone: 'Asia/Colombo' });
    const given = { date: `01-15-${year}`, address: '5 Elm Street', locationUrl: 'https://maps.example.org/5' };
    const times = { startTime: undefined, endTime: undefined, start: '19:00', end: '01:00' };
    const texts = { title: ' Book club ', description: 'Chapter\r\nfive', attendees: [' Zoë ', 'ada', 'Ben & Co'] };
    const answer = await create(ana, { ...given, ...times, ...texts });
    expect(answer.status).toBe(201);
    const { invitations, attendees, ...row } = answer.json as Party;
    const id = expect.stringMatching(/^[\w-]{22}$/);
    expect(row).toStrictEqual({
      ...given,
      id,
      title: 'Book club',
      description: 'Chapter\nfive',
      provider: ana.username,
      providerName: 'Ana Dias',
      startTime: '19:00',
      endTime: '01:00',
      startsAt: `${year}-01-15T13:30:00.000Z`,
      endsAt: `${year}-01-15T19:30:00.000Z`,
      timeZone: 'Asia/Colombo',
      template: null,
      formData: [],
      meetupId: row.id,
      going: 0,
    });
    const names = ['ada', 'Ben & Co', 'Zoë'];
    expect(invitations).toStrictEqual(names.map((username) => ({ id, meetupId: row.id, username, accepted: null })));
    expect(attendees).toStrictEqual(invitations.map(({ meetupId: _, ...rest }) => rest));
    expect(new Set(invitations.map((invitation) => invitation.id)).size).toBe(3);

    await createParty(ana);
    expect(await hosted(ana)).toStrictEqual([answer.json]);
    expect((await readParty(ana, row)).json).toStrictEqual(answer.json);
    expect(refusal(await readParty(stranger, invitations[0] as Invitation))).toBe(404);
    // An edit keeps what is not given, and the names with their answers.
    await reply(stranger, linkOf(answer.json as Party, 'Zoë'));
    const before = await partyOf(ana, row);
    const edited = await edit(ana, row, { title: 'Film club', end: '02:00', attendees: ['Eve'] });
    const endsAt = `${year}-01-15T20:30:00.000Z`;
    expect(edited.json).toStrictEqual({ ...before, title: 'Film club', endTime: '02:00', endsAt });
    expect(complaints(await edit(ana, row, { description: 'New', title: null }))).toHaveLength(1);
    expect(await partyOf(ana, row)).toStrictEqual(edited.json);
  });

  test('tells anyone but its host no names', async () => {
    const meetup = await createMeetup(host, { attendees: ['Secret Ada', 'Secret Ben'] });
    await reply(stranger, linkOf(meetup, 'Secret Ada'));
    for (const who of [stranger, maya, rival]) {
      const hidden = { invitations: [], attendees: [], going: 1 };
      expect(await partyOf(who, meetup)).toStrictEqual({ ...meetup, ...hidden });
    }
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

  test('may be up to 512 KiB of JSON', async () => {
    const more = (kibibytes: number) => ({ more: 'x'.repeat(kibibytes * 1024) });
    expect((await create(host, more(500))).status).toBe(201);
    expect(refusal(await create(host, more(512)))).toBe(413);
  });
});

test('one Idempotency-Key creates and adds once, also at once, and answers the same after a change or the deletion', async () => {
  const [ana, other] = await Promise.all([newHost(), createMeetup(host)]);
  const sent = { 'idempotency-key': 'pressed often' };
  const details = { ...full, attendees: ['Zoë', 'ada', ...crowd(490)] };
  const made = async () => inShort(await create(ana, details, sent));
  const [first, ...others] = await several(4, made);
  const meetup = JSON.parse(first?.text ?? '') as Party;
  expect([first?.status, meetup]).toStrictEqual([201, await partyOf(ana, meetup)]);
  expect(others).toEqual([first, first, first]);
  const added = async () => inShort(await addNames(ana, meetup, ['Cem', 'Abe'], sent));
  const [more, ...again] = await several(4, added);
  const longer = JSON.parse(more?.text ?? '') as Party;
  expect([more?.status, longer]).toStrictEqual([201, await partyOf(ana, meetup)]);
  expect(again).toEqual([more, more, more]);
  // The key belongs to this meetup and its host.
  expect((await addNames(host, other, ['Cem'], sent)).status).toBe(201);
  expect(refusal(await addNames(rival, meetup, ['Cem', 'Abe'], sent))).toBe(404);
  await reply(stranger, linkOf(meetup, 'Zoë'));
  await meetups.removeName(ana, linkOf(longer, 'Abe'));
  await edit(ana, meetup, { title: 'Edited' });
  expect([await made(), await added()]).toEqual([first, more]);
  expect((await partyOf(ana, meetup)).invitations).toHaveLength(493);
  await meetups.remove(ana, meetup);
  expect([await made(), await added()]).toEqual([first, more]);
  expect(await hosted(ana)).toEqual([]);
});

describe('AddAttendees', () => {
  test('gives more names a link and keeps the others’ answers', async () => {
    const meetup = await createMeetup(host);
    await reply(stranger, linkOf(meetup, 'Ada'));
    const { status, json } = await addNames(host, meetup, [' Cem ', 'Dora']);
    expect([status, json]).toStrictEqual([201, await partyOf(host, meetup)]);
    expect(await answersOf(meetup)).toEqual({ Ada: true, Ben: null, Cem: null, Dora: null });
    expect(linkOf(json as Party, 'Ada').id).toBe(linkOf(meetup, 'Ada').id);
    expect((await reply(stranger, linkOf(json as Party, 'Cem'))).status).toBe(200);
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
  for (const dead of [await attendee(stranger, ada), await reply(stranger, ada)]) expect(dead).toMatchObject(unfound);
  const letter = await stranger.get(linkPath(ada));
  expect([letter.status, letter.words.includes('Book club')]).toEqual([404, false]);
  expect((await addNames(host, meetup, ['Ada'])).status).toBe(201);
  expect(await answersOf(meetup)).toEqual({ Ada: null, Ben: null });
});

test('ReplaceLink keeps the answer, and the old link is dead', async () => {
  const meetup = await createMeetup(host);
  const old = linkOf(meetup, 'Ada');
  await reply(stranger, old);
  const { status, json } = await meetups.replaceLink(host, old);
  const fresh = json as Invitation;
  const id = expect.not.stringMatching(old.id);
  expect([status, fresh]).toStrictEqual([200, { id, meetupId: meetup.id, username: 'Ada', accepted: true }]);
  for (const dead of [await attendee(stranger, old), await reply(stranger, old)]) expect(dead).toMatchObject(unfound);
  const letter = await stranger.get(linkPath(old));
  expect([letter.status, letter.words]).toEqual([404, expect.stringContaining('This link was replaced by')]);
  expect((await attendee(stranger, fresh)).json).toStrictEqual(fresh);
  expect(await partyOf(host, meetup)).toMatchObject({ going: 1, invitations: [fresh, {}] });
  expect((await reply(stranger, fresh, { accepted: false })).status).toBe(200);
});

describe('ChangeRsvp', () => {
  test('answers for the name of the link alone, without a login and whatever name is sent; the latest counts', async () => {
    const [meetup, other] = await Promise.all([createMeetup(host), createMeetup(host)]);
    const ada = linkOf(meetup, 'Ada');
    for (const [accepted, name] of [[true, 'Ben'] as const, [false, 'Ada'] as const, [true, 'Nobody'] as const]) {
      const { status, json } = await reply(daybook.visitor(), ada, { accepted, name });
      expect([status, json]).toStrictEqual([200, { ...ada, accepted }]);
      expect(await answersOf(meetup)).toEqual({ Ada: accepted, Ben: null });
      expect(await goingTo(host, meetup)).toBe(accepted ? 1 : 0);
    }
    expect(await reply(stranger, ada, { meetupid: other.id, accepted: false })).toMatchObject(unfound);
    expect(await answersOf(meetup)).toEqual({ Ada: true, Ben: null });
  });

  test('by many at once keeps every answer', async () => {
    const meetup = await createMeetup(host, { attendees: crowd(40) });
    const wishes = meetup.invitations.map((invitation, index) => ({ ...invitation, accepted: index % 2 === 0 }));
    await Promise.all([...wishes, ...wishes].map((one) => reply(stranger, one, { accepted: one.accepted })));
    const { going, invitations } = await partyOf(host, meetup);
    expect([going, invitations]).toEqual([20, expect.arrayContaining(wishes)]);
  });
});
