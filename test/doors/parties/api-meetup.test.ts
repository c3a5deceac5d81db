import { beforeAll, describe, expect, test } from 'vitest';
import { complaints, refusal } from '../../support/complaints';
import { dayAhead, type Person, peopleAt, several } from '../../support/factories';
import { linkPath } from '../../support/letters';
import * as meetups from '../../support/meetup-calls';
import { addNames, attendee, create, crowd, edit, hosted, unfound } from '../../support/meetup-calls';
import {
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
  rsvpsIn,
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

const rsvpsOf = async (meetup: Party) => Object.fromEntries(await rsvpsIn(host, meetup));
const inShort = ({ status, text }: ApiResponse) => ({ status, text });

describe('a meetup', () => {
  const year = dayAhead(370).slice(-4);
  const details = {
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
  };
  const createFull = async (who: Person) => (await create(who, details)).json as Party;
  const newHostAbroad = () => newHost({ displayName: 'Ana Dias', timeZone: 'Asia/Colombo' });

  test('has these nineteen keys', async () => {
    const ana = await newHostAbroad();

    const { status, json } = await create(ana, details);

    const { invitations: _, attendees: __, ...row } = json as Party;
    expect(status).toBe(201);
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
      address: '5 Elm Street',
      locationUrl: 'https://maps.example.org/5',
      template: null,
      formData: [],
      meetupId: row.id,
      going: 0,
    });
  });

  test('has a link of its own for every name, in the order of the alphabet', async () => {
    const { id: meetupId, invitations, attendees } = await createFull(await newHostAbroad());

    const id = expect.stringMatching(/^[\w-]{22}$/);
    const names = ['ada', 'Ben & Co', 'Zoë'];
    expect(invitations).toStrictEqual(names.map((username) => ({ id, meetupId, username, accepted: null })));
    expect(attendees).toStrictEqual(invitations.map(({ meetupId: _, ...rest }) => rest));
    expect(new Set(invitations.map((invitation) => invitation.id)).size).toBe(3);
  });

  test('is the same at its link and in the list of meetups, without the parties', async () => {
    const ana = await newHostAbroad();
    const meetup = await createFull(ana);
    await createParty(ana);

    expect(await hosted(ana)).toStrictEqual([meetup]);
    expect((await readParty(ana, meetup)).json).toStrictEqual(meetup);
  });

  test('is not found by the id of an invitation', async () => {
    const { invitations } = await createFull(await newHostAbroad());

    expect(refusal(await readParty(stranger, invitations[0] as Invitation))).toBe(404);
  });

  test('keeps what an edit doesn’t give, and its names with their answers', async () => {
    const ana = await newHostAbroad();
    const meetup = await createFull(ana);
    await reply(stranger, linkOf(meetup, 'Zoë'));
    const before = await partyOf(ana, meetup);

    const edited = await edit(ana, meetup, { title: 'Film club', end: '02:00', attendees: ['Eve'] });

    const endsAt = `${year}-01-15T20:30:00.000Z`;
    expect(edited.json).toStrictEqual({ ...before, title: 'Film club', endTime: '02:00', endsAt });
    expect(await partyOf(ana, meetup)).toStrictEqual(edited.json);
  });

  test('is not changed by an edit that is wrong', async () => {
    const ana = await newHostAbroad();
    const meetup = await createFull(ana);

    expect(complaints(await edit(ana, meetup, { description: 'New', title: null }))).toHaveLength(1);
    expect(await partyOf(ana, meetup)).toStrictEqual(meetup);
  });

  test('tells anyone but its host no names', async () => {
    const meetup = await createMeetup(host, { attendees: ['Secret Ada', 'Secret Ben'] });
    await reply(stranger, linkOf(meetup, 'Secret Ada'));

    for (const reader of [stranger, maya, rival]) {
      expect(await partyOf(reader, meetup)).toStrictEqual({ ...meetup, invitations: [], attendees: [], going: 1 });
    }
  });
});

describe('CreateMeetup', () => {
  test.each<[string, attendees: unknown, fault: RegExp]>([
    ['no list', undefined, /name/i],
    ['an empty list', [], /name/i],
    ['a name alone', 'Ada', /name/i],
    ['a name that is no text', [5], /name/i],
    ['a blank name', [' '], /name/i],
    ['a name of 81 letters', ['x'.repeat(81)], /name/i],
    ['a name twice in another case', ['Ada', ' ADA '], /twice/],
    ['a name twice in other letters', ['Straße', 'STRASSE'], /twice/],
    ['a name twice in other bytes', ['Zo\u00eb', 'Zoe\u0308'], /twice/],
    ['501 names', crowd(501), /at most 500/],
  ])('with %s is refused', async (_, attendees, fault) => {
    expect(complaints(await create(rival, { attendees }))).toEqual([expect.stringMatching(fault)]);
    expect(await hosted(rival)).toEqual([]);
  });

  const ofKibibytes = (kibibytes: number) => ({ more: 'x'.repeat(kibibytes * 1024) });

  test('takes up to 512 KiB of JSON', async () => {
    expect((await create(host, ofKibibytes(500))).status).toBe(201);
  });

  test('takes no more than 512 KiB of JSON', async () => {
    expect(refusal(await create(host, ofKibibytes(512)))).toBe(413);
  });
});

describe('an Idempotency-Key', () => {
  const key = { 'idempotency-key': 'pressed often' };
  const details = { ...full, attendees: ['Zoë', 'ada', ...crowd(490)] };
  const createWithKey = async (who: Person) => inShort(await create(who, details, key));
  const addWithKey = async (who: Person, meetup: Party) => inShort(await addNames(who, meetup, ['Cem', 'Abe'], key));
  const meetupIn = ({ text }: { text: string }) => JSON.parse(text) as Party;

  test('creates one meetup, also at once', async () => {
    const ana = await newHost();

    const [first, ...others] = await several(4, () => createWithKey(ana));

    expect(first?.status).toBe(201);
    expect(others).toEqual([first, first, first]);
    expect(await hosted(ana)).toStrictEqual([meetupIn(first as ApiResponse)]);
  });

  test('adds names once, also at once', async () => {
    const ana = await newHost();
    const meetup = await createMeetup(ana);

    const [first, ...others] = await several(4, () => addWithKey(ana, meetup));

    expect(first?.status).toBe(201);
    expect(others).toEqual([first, first, first]);
    expect(await partyOf(ana, meetup)).toStrictEqual(meetupIn(first as ApiResponse));
    expect(meetups.namesIn(await partyOf(ana, meetup))).toEqual(['Abe', 'Ada', 'Ben', 'Cem']);
  });

  test('adds names to each meetup of its host', async () => {
    const [meetup, other] = [await createMeetup(host), await createMeetup(host)];

    expect((await addNames(host, meetup, ['Cem'], key)).status).toBe(201);
    expect((await addNames(host, other, ['Cem'], key)).status).toBe(201);
  });

  test('gives a rival nothing', async () => {
    const meetup = await createMeetup(host);
    await addWithKey(host, meetup);

    expect(refusal(await addNames(rival, meetup, ['Cem', 'Abe'], key))).toBe(404);
  });

  test('answers the same after a change', async () => {
    const ana = await newHost();
    const created = await createWithKey(ana);
    const added = await addWithKey(ana, meetupIn(created));
    await reply(stranger, linkOf(meetupIn(created), 'Zoë'));
    await meetups.removeName(ana, linkOf(meetupIn(added), 'Abe'));
    await edit(ana, meetupIn(created), { title: 'Edited' });

    expect(await createWithKey(ana)).toEqual(created);
    expect(await addWithKey(ana, meetupIn(created))).toEqual(added);
    expect((await partyOf(ana, meetupIn(created))).invitations).toHaveLength(493);
  });

  test('answers the same after the deletion', async () => {
    const ana = await newHost();
    const created = await createWithKey(ana);
    const added = await addWithKey(ana, meetupIn(created));
    await meetups.remove(ana, meetupIn(created));

    expect(await createWithKey(ana)).toEqual(created);
    expect(await addWithKey(ana, meetupIn(created))).toEqual(added);
    expect(await hosted(ana)).toEqual([]);
  });
});

describe('AddAttendees', () => {
  test('keeps the others’ links and answers', async () => {
    const meetup = await createMeetup(host);
    await reply(stranger, linkOf(meetup, 'Ada'));

    const { status, json } = await addNames(host, meetup, [' Cem ', 'Dora']);

    expect(status).toBe(201);
    expect(json).toStrictEqual(await partyOf(host, meetup));
    expect(await rsvpsOf(meetup)).toEqual({ Ada: true, Ben: null, Cem: null, Dora: null });
    expect(linkOf(json as Party, 'Ada').id).toBe(linkOf(meetup, 'Ada').id);
  });

  test('gives each new name a link', async () => {
    const { json } = await addNames(host, await createMeetup(host), ['Cem']);

    expect((await reply(stranger, linkOf(json as Party, 'Cem'))).status).toBe(200);
  });

  test('adds nobody where one is there already', async () => {
    const meetup = await createMeetup(host);

    expect(refusal(await addNames(host, meetup, ['Cem', ' BEN ', 'Dora']))).toBe(409);
    expect((await readParty(host, meetup)).json).toStrictEqual(meetup);
  });

  test.each([
    ['one is named twice', ['Cem', 'CEM']],
    ['they would be more than 500', crowd(499)],
  ])('adds nobody where %s', async (_, names) => {
    const meetup = await createMeetup(host);

    expect(complaints(await addNames(host, meetup, names))).toHaveLength(1);
    expect((await readParty(host, meetup)).json).toStrictEqual(meetup);
  });

  test('adds up to 500 in all', async () => {
    expect((await addNames(host, await createMeetup(host), crowd(498))).status).toBe(201);
  });

  test('by several at once for one name adds it once', async () => {
    const meetup = await createMeetup(host);

    const responses = await several(5, (index) => addNames(host, meetup, ['Cem', `Other ${index}`]));

    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    expect(meetups.namesIn(await partyOf(host, meetup))).toHaveLength(4);
  });
});

describe('RemoveAttendee', () => {
  /** A meetup from which Ada was removed, after she had accepted. */
  async function withoutAda() {
    const meetup = await createMeetup(host);
    const ada = linkOf(meetup, 'Ada');
    await reply(stranger, ada);
    return { meetup, ada, removed: await meetups.removeName(host, ada) };
  }

  test('takes the name and its RSVP off the list', async () => {
    const { meetup, removed } = await withoutAda();

    expect(inShort(removed)).toEqual({ status: 204, text: '' });
    expect(await goingTo(host, meetup)).toBe(0);
    expect(await rsvpsOf(meetup)).toEqual({ Ben: null });
  });

  test('ends the link of the name', async () => {
    const { ada } = await withoutAda();

    expect(await attendee(stranger, ada)).toMatchObject(unfound);
    expect(await reply(stranger, ada)).toMatchObject(unfound);
    const letter = await stranger.get(linkPath(ada));
    expect(letter.status).toBe(404);
    expect(letter.words).not.toContain('Book club');
  });

  test('lets the name be added anew, without an RSVP', async () => {
    const { meetup } = await withoutAda();

    expect((await addNames(host, meetup, ['Ada'])).status).toBe(201);
    expect(await rsvpsOf(meetup)).toEqual({ Ada: null, Ben: null });
  });
});

describe('ReplaceLink', () => {
  /** A meetup in which Ada, who has accepted, has got a new link. */
  async function withNewLink() {
    const meetup = await createMeetup(host);
    const old = linkOf(meetup, 'Ada');
    await reply(stranger, old);
    const replaced = await meetups.replaceLink(host, old);
    return { meetup, old, replaced, fresh: replaced.json as Invitation };
  }

  test('gives another link with the same RSVP', async () => {
    const { meetup, old, replaced, fresh } = await withNewLink();

    const id = expect.not.stringMatching(old.id);
    expect(replaced.status).toBe(200);
    expect(fresh).toStrictEqual({ id, meetupId: meetup.id, username: 'Ada', accepted: true });
    expect((await attendee(stranger, fresh)).json).toStrictEqual(fresh);
    expect(await partyOf(host, meetup)).toMatchObject({ going: 1, invitations: [fresh, {}] });
  });

  test('lets the new link answer', async () => {
    const { fresh } = await withNewLink();

    expect((await reply(stranger, fresh, { accepted: false })).status).toBe(200);
  });

  test('ends the old link, which says that it was replaced', async () => {
    const { old } = await withNewLink();

    expect(await attendee(stranger, old)).toMatchObject(unfound);
    expect(await reply(stranger, old)).toMatchObject(unfound);
    const letter = await stranger.get(linkPath(old));
    expect(letter.status).toBe(404);
    expect(letter.words).toContain('This link was replaced by');
  });
});

describe('ChangeRsvp', () => {
  test.each([
    ['the same', 'Ada'],
    ['another', 'Ben'],
    ['an unknown', 'Nobody'],
  ])('answers for the name of the link alone, without a login, where it is sent %s name', async (_, name) => {
    const meetup = await createMeetup(host);
    const ada = linkOf(meetup, 'Ada');

    const { status, json } = await reply(daybook.visitor(), ada, { accepted: true, name });

    expect(status).toBe(200);
    expect(json).toStrictEqual({ ...ada, accepted: true });
    expect(await rsvpsOf(meetup)).toEqual({ Ada: true, Ben: null });
  });

  test('counts the latest RSVP', async () => {
    const meetup = await createMeetup(host);
    const ada = linkOf(meetup, 'Ada');

    for (const accepted of [true, false, true]) {
      expect((await reply(stranger, ada, { accepted })).json).toStrictEqual({ ...ada, accepted });
      expect(await rsvpsOf(meetup)).toEqual({ Ada: accepted, Ben: null });
      expect(await goingTo(host, meetup)).toBe(accepted ? 1 : 0);
    }
  });

  test('finds no invitation to another meetup', async () => {
    const [meetup, other] = [await createMeetup(host), await createMeetup(host)];
    const ada = linkOf(meetup, 'Ada');
    await reply(stranger, ada);

    expect(await reply(stranger, ada, { meetupid: other.id, accepted: false })).toMatchObject(unfound);
    expect(await rsvpsOf(meetup)).toEqual({ Ada: true, Ben: null });
  });

  test('by many at once keeps every RSVP', async () => {
    const meetup = await createMeetup(host, { attendees: crowd(40) });
    const wishes = meetup.invitations.map((invitation, index) => ({ ...invitation, accepted: index % 2 === 0 }));

    await Promise.all([...wishes, ...wishes].map((wish) => reply(stranger, wish, { accepted: wish.accepted })));

    const { going, invitations } = await partyOf(host, meetup);
    expect(going).toBe(20);
    expect(invitations).toEqual(expect.arrayContaining(wishes));
  });
});
