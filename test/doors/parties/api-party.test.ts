import { describe, expect, test } from 'vitest';
import { complaints, refusal } from '../../support/complaints';
import { dayAhead, isoAhead, type Person, peopleAt, several } from '../../support/factories';
import { all, create, edit, hosted, remove } from '../../support/party-calls';
import {
  createMeetup,
  createParty,
  endParty,
  full,
  type Party,
  partyOf,
  publishQuestions,
  readParty,
  rsvp,
} from '../../support/party-factories';
import { deleteTemplate } from '../../support/template-factories';
import { useServer, useWorld } from '../../support/use-server';

const daybook = useServer();
const { newProvider: newHost, newConsumer: newGuest } = peopleAt(daybook);
const { host, rival, maya, june } = useWorld(daybook, { host: {}, rival: {}, maya: {}, june: {} });

const question = [{ questionText: 'Why?' }];
/** Moves the account of a host to another time zone. */
async function moveTo(who: Person, timeZone: string): Promise<void> {
  const profile = { intent: 'profile', displayName: 'Moved', location: 'Far away', timeZone };
  expect((await who.browser.post('/profile', profile)).status).toBe(303);
}

describe('CreateParty', () => {
  test.each<[field: string, values: unknown[]]>([
    ['title', [undefined, ' \n ', 'a\nb', 5]],
    ['date', [undefined, '2091-05-05', '02-30-2091', dayAhead(-1)]],
    ['startTime', [undefined, '24:00', '9:00']],
    ['endTime', [null, 'late']],
    ['capacity', [10.5, 'many']],
    ['rsvpBy', ['13-01-2091', dayAhead(-1), dayAhead(8)]],
    ['plusOnes', [0.5, 'some']],
    ['hideGoing', [5, 'banana', '']],
    ['openTo', ['friends']],
    [
      'locationUrl',
      [
        'javascript:alert(1)',
        'java\nscript:alert(1)',
        'ftp://example.org/map',
        '//example.org',
        'https://maps.example.org@evil.example/',
        'https://me:secret@example.org/',
      ],
    ],
  ])('with a wrong %s is refused, and nothing is created', async (field, values) => {
    for (const value of values) {
      const faults = complaints(await create(rival, { [field]: value }));
      expect(faults, `${value}`).toHaveLength(1);
    }
    expect(await hosted(rival)).toEqual([]);
  });

  test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])('knows the past by the calendar of %s', async (timeZone) => {
    const ana = await newHost({ timeZone });

    expect((await create(ana, { date: dayAhead(0, timeZone) })).status).toBe(201);
    expect(complaints(await create(ana, { date: dayAhead(-1, timeZone) }))).toHaveLength(1);
  });
});

describe('CreateParty with an Idempotency-Key', () => {
  const key = { 'idempotency-key': 'saturday' };

  test('creates one party, also at once', async () => {
    const ana = await newHost();

    const [first, ...others] = await several(5, () => create(ana, {}, key));

    expect(first?.status).toBe(201);
    for (const other of others) {
      expect(other.status).toBe(201);
      expect(other.text).toBe(first?.text);
    }
    expect(await hosted(ana)).toHaveLength(1);
  });

  test('creates one for each caller', async () => {
    const [ana, rui] = [await newHost(), await newHost()];
    const first = await create(ana, {}, key);

    const { status, text } = await create(rui, {}, key);

    expect(status).toBe(201);
    expect(text).not.toBe(first.text);
  });

  test('creates another with another key, and without one', async () => {
    const ana = await newHost();
    await create(ana, {}, key);

    await create(ana, {}, { 'idempotency-key': 'sunday' });
    await create(ana);

    expect(await hosted(ana)).toHaveLength(3);
  });

  /** A party of today with questions, in a zone where it is tomorrow elsewhere; `again` sends the same with its key. */
  async function partyOfToday() {
    const timeZone = 'Pacific/Pago_Pago';
    const ana = await newHost({ timeZone });
    const template = await publishQuestions(ana, question);
    const wholeDay = { date: dayAhead(0, timeZone), startTime: '00:00', endTime: '00:00', rsvpBy: null };
    const again = async () => {
      const { status, json } = await create(ana, { ...full, ...wholeDay, hideGoing: true, template }, key);
      return { status, json };
    };
    const first = await again();
    expect(first).toMatchObject({ status: 201, json: { title: 'Garden party', going: 0, template } });
    return { ana, template, wholeDay, again, first, party: first.json as Party };
  }

  test('answers the same after an RSVP and an edit', async () => {
    const { ana, again, first, party } = await partyOfToday();

    await rsvp(maya, party, { guests: 1 }, [{ question: 'Why?', answer: 'Fun' }]);
    await edit(ana, party, { title: 'Edited', address: null });

    expect(await again()).toStrictEqual(first);
    expect(await hosted(ana)).toMatchObject([{ title: 'Edited', going: 2 }]);
  });

  test('answers the same where its questions are gone, as nothing without the key does', async () => {
    const { ana, template, again, first } = await partyOfToday();

    await deleteTemplate(ana, template);

    expect(await again()).toStrictEqual(first);
    expect(refusal(await create(ana, { template }))).toBe(404);
  });

  test('answers the same where its day is over, as nothing without the key does', async () => {
    const { ana, wholeDay, again, first } = await partyOfToday();

    await moveTo(ana, 'Pacific/Kiritimati'); // where it is a day later

    expect(await again()).toStrictEqual(first);
    expect(complaints(await create(ana, wholeDay))).toHaveLength(1);
  });

  test('answers the same after the deletion', async () => {
    const { ana, again, first, party } = await partyOfToday();

    await remove(ana, party);

    expect(await again()).toStrictEqual(first);
    expect(await hosted(ana)).toEqual([]);
  });
});

describe('a party', () => {
  const year = Number(dayAhead(370).slice(-4));

  /** A party of a host in New York, and the answer that created it. */
  async function winterBall(more: object = {}) {
    const ana = await newHost({ displayName: 'Ana Dias', timeZone: 'America/New_York' });
    const template = await publishQuestions(ana, question);
    const response = await create(ana, {
      title: '  Winter ball ',
      description: 'Warm\r\nclothes',
      date: `01-15-${year}`,
      startTime: '19:00',
      endTime: '23:30',
      address: '5 Elm Street & Co',
      template,
      capacity: 40,
      plusOnes: 2,
      ...more,
    });
    return { ana, template, response, party: response.json as Party };
  }

  test('has these twenty keys, and none that was made up', async () => {
    const madeUp = { id: 'mine', going: 7, provider: 'maya.l', meetupId: 'x', invitations: [{ accepted: true }] };

    const { ana, template, response } = await winterBall(madeUp);

    expect(response.status).toBe(201);
    expect(response.json).toStrictEqual({
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
      address: '5 Elm Street & Co',
      locationUrl: expect.stringContaining(encodeURIComponent('5 Elm Street & Co')),
      template,
      invitations: [],
      formData: [],
      attendees: [],
      meetupId: null,
      going: 0,
      openTo: 'accounts',
    });
  });

  test('takes its row back', async () => {
    const { ana, party } = await winterBall();

    expect((await edit(ana, party, party)).json).toStrictEqual(party);
  });

  test('has the same keys in each list and at its link', async () => {
    const { ana, party } = await winterBall();

    expect(await hosted(ana)).toStrictEqual([party]);
    expect(await all(ana)).toStrictEqual([party]);
    expect((await readParty(daybook.visitor(), party)).json).toStrictEqual(party);
  });

  test('has null for what is optional', async () => {
    const without = { description: null, template: null, address: null, locationUrl: null };

    expect(await createParty(host)).toMatchObject(without);
  });
});

describe('the lists of parties', () => {
  const titlesIn = (list: Party[]) => list.map(({ title }) => title);
  const createOn = (who: Person, days: number) => createParty(who, { title: `day ${days}`, date: dayAhead(days) });

  test('of a host have what is hosted, by start', async () => {
    const [ana, rui] = [await newHost(), await newHost()];
    for (const days of [12, 10]) await createOn(ana, days);
    await createOn(rui, 14);
    await createMeetup(ana, { date: dayAhead(11) });

    expect(titlesIn(await hosted(ana))).toEqual(['day 10', 'day 12']);
  });

  test('of a host who is a guest elsewhere have both, by start', async () => {
    const [ana, rui] = [await newHost(), await newHost()];
    for (const days of [12, 10]) await createOn(ana, days);
    await createMeetup(ana, { date: dayAhead(11) });
    const [yes, no] = [await createOn(rui, 11), await createOn(rui, 13)];

    await rsvp(ana, yes);
    await rsvp(ana, no, { accepted: false });

    expect(titlesIn(await all(ana))).toEqual(['day 10', 'day 11', 'day 12', 'day 13']);
  });

  test('of a guest have what they answered, whether yes or no', async () => {
    const [rui, zoe] = [await newHost(), await newGuest()];
    const [no, , yes] = [await createOn(rui, 13), await createOn(rui, 12), await createOn(rui, 11)];

    await rsvp(zoe, yes);
    await rsvp(zoe, no, { accepted: false });

    expect(titlesIn(await all(zoe))).toEqual(['day 11', 'day 13']);
  });
});

describe('EditParty', () => {
  /** A party with everything a party can have. */
  const fullParty = async () =>
    createParty(host, {
      ...full,
      locationUrl: 'https://maps.example.org/5',
      template: await publishQuestions(host, question),
      hideGoing: true,
    });
  const limitsOf = ({ id }: Party) =>
    daybook.d1.prepare('SELECT capacity, rsvp_by, plus_ones, hide_going FROM parties WHERE id = ?').bind(id).first();
  const at = (time: string) => `${isoAhead(9)}T${time}:00.000Z`;

  test.each<[string, change: Partial<Party>, follows?: Partial<Party>]>([
    ['title and description', { title: 'Street party', description: 'Outside' }],
    ['address', { address: '6 Elm Street' }],
    ['map link', { locationUrl: 'http://other.example/' }],
    ['date', { date: dayAhead(9) }, { startsAt: at('18:00'), endsAt: at('22:00') }],
    ['start', { date: dayAhead(9), startTime: '17:00' }, { startsAt: at('17:00'), endsAt: at('22:00') }],
    ['end', { date: dayAhead(9), endTime: '23:00' }, { startsAt: at('18:00'), endsAt: at('23:00') }],
    ['questions', { template: null }],
  ])('changes the %s and nothing else', async (_, change, follows = {}) => {
    const party = await fullParty();
    const limits = await limitsOf(party);

    const edited = await edit(host, party, change);

    expect(edited.status).toBe(200);
    expect(edited.json).toStrictEqual({ ...party, ...change, ...follows });
    expect((await readParty(host, party)).json).toStrictEqual(edited.json);
    expect(await limitsOf(party)).toEqual(limits);
  });

  test('asks other questions', async () => {
    const party = await fullParty();
    const template = await publishQuestions(host, question);

    expect((await edit(host, party, { template })).json).toStrictEqual({ ...party, template });
  });

  test('changes nothing that is made up', async () => {
    const party = await fullParty();

    expect((await edit(host, party, { id: 'x', going: 9, nothing: true })).json).toStrictEqual(party);
  });

  test('with a null map link offers a search for the address', async () => {
    const party = await fullParty();

    const { json } = await edit(host, party, { locationUrl: null });

    expect(json).toMatchObject({ locationUrl: expect.stringContaining(encodeURIComponent(full.address)) });
  });

  test('with null clears address and description', async () => {
    const party = await fullParty();

    const { json } = await edit(host, party, { locationUrl: null, address: null, description: null });

    expect(json).toMatchObject({ locationUrl: null, address: null, description: null });
  });

  test('with null ends each limit', async () => {
    const party = await fullParty();

    await edit(host, party, { capacity: null, rsvpBy: null, plusOnes: null, hideGoing: null });

    expect(await limitsOf(party)).toEqual({ capacity: null, rsvp_by: null, plus_ones: 0, hide_going: 0 });
  });

  test.each([
    ['no title', { title: null }],
    ['no start', { startTime: null }],
    ['unknown guests', { openTo: 'friends' }],
    ['a date that is past', { date: dayAhead(-1) }],
    ['a last day for RSVPs after the party', { rsvpBy: dayAhead(400) }],
    ['a date before the last day for RSVPs', { date: dayAhead(1) }],
  ])('with %s is refused, and nothing changes', async (_, change) => {
    const party = await fullParty();

    expect(complaints(await edit(host, party, { description: 'New', ...change }))).toHaveLength(1);
    expect((await readParty(host, party)).json).toStrictEqual(party);
  });

  test.each<[string, template: () => Promise<string>]>([
    ['of somebody else', () => publishQuestions(rival, question)],
    ['that is not there', async () => 'none'],
    [
      'that was deleted',
      async () => {
        const deleted = await publishQuestions(host, question);
        await deleteTemplate(host, deleted);
        return deleted;
      },
    ],
  ])('with a template %s is refused, and nothing changes', async (_, template) => {
    const party = await fullParty();

    expect(refusal(await edit(host, party, { title: 'New', template: await template() }))).toBe(404);
    expect((await readParty(host, party)).json).toStrictEqual(party);
  });

  test('may leave the template that it has, though that was deleted', async () => {
    const party = await fullParty();
    const { template } = party;
    await deleteTemplate(host, template as string);

    expect((await edit(host, party, { title: 'New', template })).json).toEqual({ ...party, title: 'New' });
  });

  test('ends the answers by a day that is past', async () => {
    const party = await fullParty();

    expect((await edit(host, party, { rsvpBy: dayAhead(-1) })).status).toBe(200);

    expect(refusal(await rsvp(maya, party))).toBe(409);
  });

  /** A party that is over. */
  async function pastParty() {
    const party = await createParty(host);
    await endParty(daybook.d1, party);
    return partyOf(host, party);
  }

  test('may leave a date that is past as it is', async () => {
    const party = await pastParty();

    expect((await edit(host, party, { title: 'It was good', date: party.date })).status).toBe(200);
  });

  test('moves a party that is past to no other day that is past', async () => {
    expect(complaints(await edit(host, await pastParty(), { date: dayAhead(-3) }))).toHaveLength(1);
  });

  /** A party to which four people come. */
  async function partyOfFour() {
    const party = await createParty(host, { plusOnes: 2 });
    await rsvp(maya, party, { guests: 2 });
    await rsvp(june, party);
    return party;
  }

  test('with less room than people coming is refused, and nothing changes', async () => {
    const party = await partyOfFour();

    expect(complaints(await edit(host, party, { capacity: 3, title: 'Smaller' }))).toHaveLength(1);
    expect(await partyOf(host, party)).toMatchObject({ title: party.title, going: 4 });
  });

  test('with just enough room lets nobody else in', async () => {
    const party = await partyOfFour();

    expect((await edit(host, party, { capacity: 4 })).status).toBe(200);

    expect(refusal(await rsvp(await newGuest(), party))).toBe(409);
  });

  test('keeps the zone in which the party was created', async () => {
    const ana = await newHost({ timeZone: 'Asia/Colombo' });
    const party = await createParty(ana);
    await moveTo(ana, 'America/Lima');

    const { startsAt, timeZone } = party;
    expect((await edit(ana, party, { title: 'Far away' })).json).toMatchObject({ startsAt, timeZone });
  });

  test('reads a new time on the clock of that zone', async () => {
    const ana = await newHost({ timeZone: 'Asia/Colombo' });
    const party = await createParty(ana);
    await moveTo(ana, 'America/Lima');

    const { json } = await edit(ana, party, { startTime: '17:00' });

    expect(json).toMatchObject({ startsAt: party.startsAt.replace('12:30', '11:30') });
  });
});
