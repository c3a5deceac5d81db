import { beforeAll, describe, expect, test } from 'vitest';
import { complaints, refusal } from '../../support/complaints';
import { several } from '../../support/factories';
import {
  addNames,
  attendee,
  crowd,
  edit,
  namesIn,
  nothing,
  remove,
  removeName,
  replaceLink,
  unfound,
} from '../../support/meetup-calls';
import {
  createMeetup,
  createParty,
  endParty,
  type Invitation,
  linkOf,
  movePartyTo,
  type Party,
  partyOf,
  readParty,
  reply,
  rsvp,
} from '../../support/party-factories';
import { useServer } from '../../support/use-server';
import type { Visitor } from '../../support/visit';
import { useWorld } from '../../support/world';

const daybook = useServer();
const { host, rival, maya } = useWorld(daybook, { host: {}, rival: {}, maya: {} });
let stranger: Visitor;
beforeAll(async () => {
  stranger = daybook.visitor();
});

const answersIn = async (meetup: Party) =>
  Object.fromEntries((await partyOf(host, meetup)).attendees.map(({ username, accepted }) => [username, accepted]));

describe('AddAttendees', () => {
  test('gives more names a link and keeps the others’ answers', async () => {
    const meetup = await createMeetup(host);
    await reply(stranger, linkOf(meetup, 'Ada'));
    const answer = await addNames(host, meetup, [' Cem ', 'Dora']);
    expect(answer.status).toBe(201);
    const row = answer.json as Party;
    expect(await answersIn(meetup)).toEqual({ Ada: true, Ben: null, Cem: null, Dora: null });
    expect(row).toStrictEqual(await partyOf(host, meetup));
    for (const name of ['Ada', 'Ben']) expect(linkOf(row, name).id).toBe(linkOf(meetup, name).id);
    expect((await reply(stranger, linkOf(row, 'Cem'))).status).toBe(200);
  });

  test.each([['Ada'], ['aDA'], [' BEN ']])('with %j, who is there already, is a 409 and adds nobody', async (name) => {
    const meetup = await createMeetup(host);
    expect(refusal(await addNames(host, meetup, ['Cem', name, 'Dora']))).toBe(409);
    expect((await readParty(host, meetup)).json).toStrictEqual(meetup);
  });

  test.each([
    ['no list', 'Cem'],
    ['a name twice', ['Cem', 'CEM']],
  ])('with %s is refused, and nobody is added', async (_, names) => {
    const meetup = await createMeetup(host);
    expect(complaints(await addNames(host, meetup, names))).toHaveLength(1);
    expect((await readParty(host, meetup)).json).toStrictEqual(meetup);
  });

  test('fills a meetup up to 500, and no further', async () => {
    const meetup = await createMeetup(host);
    expect(namesIn((await addNames(host, meetup, crowd(498))).json as Party)).toHaveLength(500);
    expect(complaints(await addNames(host, meetup, ['One too many']))).toHaveLength(1);
    expect(namesIn(await partyOf(host, meetup))).toHaveLength(500);
  });

  test('with one Idempotency-Key adds once, again and many times at once', async () => {
    const meetup = await createMeetup(host);
    const sent = { 'idempotency-key': 'pressed often' };
    const add = () => addNames(host, meetup, ['Cem'], sent);
    const answers = [...(await several(4, add)), await add()];
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(201));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(namesIn(await partyOf(host, meetup))).toEqual(['Ada', 'Ben', 'Cem']);
    // The key belongs to this meetup.
    const other = await createMeetup(host);
    expect((await addNames(host, other, ['Cem'], sent)).status).toBe(201);
    expect(namesIn(await partyOf(host, other))).toEqual(['Ada', 'Ben', 'Cem']);
  });

  test('again with the same Idempotency-Key answers the same when the meetup was changed or deleted meanwhile', async () => {
    const meetup = await createMeetup(host);
    await reply(stranger, linkOf(meetup, 'Ben'));
    const again = async () => {
      const { status, json } = await addNames(host, meetup, ['Cem', 'Abe'], { 'idempotency-key': 'the first answer' });
      return { status, json };
    };
    const first = await again();
    const added = first.json as Party;
    expect(first.status).toBe(201);
    expect(first.json).toStrictEqual(await partyOf(host, meetup));
    expect(added.attendees.map(({ username, accepted }) => [username, accepted])).toEqual([
      ['Ben', true],
      ['Abe', null],
      ['Ada', null],
      ['Cem', null],
    ]);
    await reply(stranger, linkOf(added, 'Cem'));
    await removeName(host, linkOf(added, 'Abe'));
    await edit(host, meetup, { title: 'Edited' });
    expect(await again()).toStrictEqual(first);
    expect(namesIn(await partyOf(host, meetup))).toEqual(['Ada', 'Ben', 'Cem']);
    await remove(host, meetup);
    expect(await again()).toStrictEqual(first);
    expect(refusal(await addNames(host, meetup, ['Cem']))).toBe(404);
    expect(refusal(await addNames(rival, meetup, ['Cem'], { 'idempotency-key': 'the first answer' }))).toBe(404);
  });

  test('by two at once for one name adds it once', async () => {
    const meetup = await createMeetup(host);
    const answers = await several(5, (index) => addNames(host, meetup, ['Cem', `Other ${index}`]));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    expect(namesIn(await partyOf(host, meetup))).toHaveLength(4);
  });

  test('to another’s, to a party and to nothing is the same 404', async () => {
    const [meetup, party] = await Promise.all([createMeetup(host), createParty(host)]);
    const missing = await addNames(host, nothing, ['Cem']);
    expect(refusal(missing)).toBe(404);
    for (const answer of [await addNames(rival, meetup, ['Cem']), await addNames(host, party, ['Cem'])]) {
      expect([answer.status, answer.text]).toEqual([404, missing.text]);
    }
    // Nor does it tell who is invited.
    expect((await addNames(rival, meetup, ['Ada'])).status).toBe(404);
    expect((await readParty(host, meetup)).json).toStrictEqual(meetup);
    expect((await readParty(host, party)).json).toStrictEqual(party);
    expect(complaints(await host.api('POST', '/api/meetup/AddAttendees', ['Cem']))).toHaveLength(1);
  });
});

describe('RemoveAttendee', () => {
  test('takes the name off the list, and its link is dead', async () => {
    const meetup = await createMeetup(host);
    const ada = linkOf(meetup, 'Ada');
    await reply(stranger, ada);
    expect(await partyOf(host, meetup)).toMatchObject({ going: 1 });
    const answer = await removeName(host, ada);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await partyOf(host, meetup)).toMatchObject({ going: 0 });
    expect(await answersIn(meetup)).toEqual({ Ben: null });
    expect(await attendee(stranger, ada)).toMatchObject(unfound);
    expect(await reply(stranger, ada)).toMatchObject(unfound);
    expect([204, 404]).toContain((await removeName(host, ada)).status);
    expect((await addNames(host, meetup, ['Ada'])).status).toBe(201);
    expect(await answersIn(meetup)).toEqual({ Ada: null, Ben: null });
  });

  test('of another’s, of a party’s guest and of nobody is the same 404', async () => {
    const [meetup, party] = await Promise.all([createMeetup(host), createParty(host)]);
    const guest = (await rsvp(maya, party)).json as Invitation;
    const missing = await removeName(host, nothing);
    expect(refusal(missing)).toBe(404);
    for (const answer of [await removeName(rival, linkOf(meetup, 'Ada')), await removeName(host, guest)]) {
      expect([answer.status, answer.text]).toEqual([404, missing.text]);
    }
    expect((await readParty(host, meetup)).json).toStrictEqual(meetup);
    expect((await partyOf(host, party)).invitations).toEqual([guest]);
    expect(complaints(await host.api('DELETE', '/api/meetup/RemoveAttendee'))).toHaveLength(1);
  });
});

describe('ReplaceLink', () => {
  test.each([true, false, null])('keeps the answer %j, and the old link is dead', async (accepted) => {
    const meetup = await createMeetup(host);
    const old = linkOf(meetup, 'Ada');
    if (accepted !== null) await reply(stranger, old, { accepted });
    const answer = await replaceLink(host, old);
    const ada = { id: expect.stringMatching(/^[\w-]{22}$/), meetupId: meetup.id, username: 'Ada', accepted };
    expect(answer.status).toBe(200);
    expect(answer.json).toStrictEqual(ada);
    const fresh = answer.json as Invitation;
    expect(fresh.id).not.toBe(old.id);
    expect(await attendee(stranger, old)).toMatchObject(unfound);
    expect(await reply(stranger, old, { accepted: !accepted })).toMatchObject(unfound);
    expect((await attendee(stranger, fresh)).json).toStrictEqual(fresh);
    expect(linkOf(await partyOf(host, meetup), 'Ada')).toStrictEqual(fresh);
    expect(await partyOf(host, meetup)).toMatchObject({ going: accepted ? 1 : 0 });
    expect((await reply(stranger, fresh, { accepted: false })).status).toBe(200);
    expect(await answersIn(meetup)).toEqual({ Ada: false, Ben: null });
  });

  test('of another’s, of a party’s guest and of nobody is the same 404', async () => {
    const [meetup, party] = await Promise.all([createMeetup(host), createParty(host)]);
    const guest = (await rsvp(maya, party)).json as Invitation;
    const missing = await replaceLink(host, nothing);
    expect(refusal(missing)).toBe(404);
    for (const answer of [await replaceLink(rival, linkOf(meetup, 'Ada')), await replaceLink(host, guest)]) {
      expect([answer.status, answer.text]).toEqual([404, missing.text]);
    }
    expect((await readParty(host, meetup)).json).toStrictEqual(meetup);
    expect((await partyOf(host, party)).invitations).toEqual([guest]);
    expect(complaints(await host.api('PUT', '/api/meetup/ReplaceLink'))).toHaveLength(1);
  });
});

describe('GetAttendee', () => {
  test('gives the invitation to whoever has its link, with these four keys', async () => {
    const meetup = await createMeetup(host);
    const ada = linkOf(meetup, 'Ada');
    expect((await attendee(stranger, ada)).json).toStrictEqual({ ...ada, accepted: null });
    await reply(stranger, ada);
    expect(await attendee(stranger, ada)).toMatchObject({ status: 200, json: { ...ada, accepted: true } });
  });

  test('of what there is not, of a meetup’s own id and of a party’s guest is a 404 in these words', async () => {
    const [meetup, party] = await Promise.all([createMeetup(host), createParty(host)]);
    const guest = (await rsvp(maya, party)).json as Invitation;
    for (const { id } of [nothing, meetup, party, guest, { id: 'x' }, { id: "'%20OR%201" }]) {
      for (const who of [stranger, host, maya]) expect(await attendee(who, { id })).toMatchObject(unfound);
    }
  });
});

describe('ChangeRsvp', () => {
  test('answers for the name of the link, without a login; the latest counts', async () => {
    const meetup = await createMeetup(host);
    const ada = linkOf(meetup, 'Ada');
    for (const accepted of [true, true, false, false, true]) {
      const answer = await reply(daybook.visitor(), ada, { accepted });
      expect(answer.status).toBe(200);
      expect(answer.json).toStrictEqual({ ...ada, accepted });
      expect(await answersIn(meetup)).toEqual({ Ada: accepted, Ben: null });
      expect(await partyOf(host, meetup)).toMatchObject({ going: accepted ? 1 : 0 });
    }
  });

  test.each(['Ada', 'Ben', 'Somebody else', ''])('does not believe the name “%s” in it', async (name) => {
    const meetup = await createMeetup(host);
    const ada = linkOf(meetup, 'Ada');
    expect(await reply(stranger, ada, { name })).toMatchObject({ status: 200, json: { ...ada, accepted: true } });
    expect(await answersIn(meetup)).toEqual({ Ada: true, Ben: null });
  });

  test('with the id of another meetup, of nothing or of a party is a 404 and changes nothing', async () => {
    const [meetup, other, party] = await Promise.all([createMeetup(host), createMeetup(host), createParty(host)]);
    const ada = linkOf(meetup, 'Ada');
    for (const { id } of [other, party, nothing]) {
      expect(await reply(stranger, ada, { meetupid: id })).toMatchObject(unfound);
    }
    expect(await reply(stranger, { ...ada, ...nothing })).toMatchObject(unfound);
    expect(await reply(stranger, { ...ada, id: meetup.id })).toMatchObject(unfound);
    expect(await answersIn(meetup)).toEqual({ Ada: null, Ben: null });
  });

  test('with the invitation of a party’s guest is a 404: that answer is theirs alone', async () => {
    const party = await createParty(host);
    const guest = (await rsvp(maya, party)).json as Invitation;
    expect(await reply(stranger, guest, { accepted: false })).toMatchObject(unfound);
    expect((await partyOf(host, party)).invitations).toEqual([guest]);
  });

  test.each(['', 'yes', 'True', '1', 'null'])('with accepted=%s is a 400', async (accepted) => {
    const meetup = await createMeetup(host);
    expect(complaints(await reply(stranger, linkOf(meetup, 'Ada'), { accepted }))).toHaveLength(1);
    expect(await answersIn(meetup)).toEqual({ Ada: null, Ben: null });
  });

  test('without what it needs is a 400 with a message for each', async () => {
    expect(complaints(await stranger.api('PUT', '/api/meetup/ChangeRsvp'))).toHaveLength(3);
  });

  test('is taken until the end', async () => {
    const meetup = await createMeetup(host);
    await movePartyTo(daybook.d1, meetup, -60, 5);
    expect((await reply(stranger, linkOf(meetup, 'Ada'))).status).toBe(200);
  });

  test('after the end is a 409, and the answers stay', async () => {
    const meetup = await createMeetup(host, { attendees: ['Ada', 'Ben', 'Cem'] });
    await reply(stranger, linkOf(meetup, 'Ada'));
    await reply(stranger, linkOf(meetup, 'Ben'), { accepted: false });
    await endParty(daybook.d1, meetup);
    expect(refusal(await reply(stranger, linkOf(meetup, 'Ada'), { accepted: false }))).toBe(409);
    expect(refusal(await reply(stranger, linkOf(meetup, 'Ben')))).toBe(409);
    expect(refusal(await reply(stranger, linkOf(meetup, 'Cem')))).toBe(409);
    expect(await answersIn(meetup)).toEqual({ Ada: true, Ben: false, Cem: null });
    expect(await reply(stranger, { ...linkOf(meetup, 'Ada'), ...nothing })).toMatchObject(unfound);
  });

  test('by many at once keeps every answer', async () => {
    const meetup = await createMeetup(host, { attendees: crowd(40) });
    const answers = await Promise.all(
      meetup.invitations.flatMap((invitation, index) => [
        reply(stranger, invitation, { accepted: index % 2 === 0 }),
        reply(stranger, invitation, { accepted: index % 2 === 0 }),
      ]),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const after = await partyOf(host, meetup);
    expect(after.going).toBe(20);
    for (const [index, { username }] of meetup.invitations.entries()) {
      expect(linkOf(after, username).accepted).toBe(index % 2 === 0);
    }
  });
});
