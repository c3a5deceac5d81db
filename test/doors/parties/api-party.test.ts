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
const move = (who: Person, timeZone: string) =>
  who.browser.post('/profile', { intent: 'profile', displayName: 'Moved', location: 'Far away', timeZone });

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
      expect([value, faults.length]).toEqual([value, 1]);
    }
    expect(await hosted(rival)).toEqual([]);
  });

  test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])('knows the past by the calendar of %s', async (timeZone) => {
    const ana = await newHost({ timeZone });
    expect((await create(ana, { date: dayAhead(0, timeZone) })).status).toBe(201);
    expect(complaints(await create(ana, { date: dayAhead(-1, timeZone) }))).toHaveLength(1);
  });

  test('again, and many times at once, with the same Idempotency-Key creates one party for each caller', async () => {
    const [ana, rui] = await Promise.all([newHost(), newHost()]);
    const sent = { 'idempotency-key': 'saturday' };
    const [first, ...others] = await several(5, () => create(ana, {}, sent));
    for (const { status, text } of others) expect([status, text]).toEqual([201, first?.text]);
    const { status, text } = await create(rui, {}, sent);
    expect([status, text === first?.text]).toEqual([201, false]);
    await create(ana, {}, { 'idempotency-key': 'sunday' });
    await create(ana);
    expect([(await hosted(ana)).length, (await hosted(rui)).length]).toEqual([3, 1]);
  });

  test('again with the same Idempotency-Key answers the same whatever became of the party, its questions and its day', async () => {
    const [west, east] = ['Pacific/Pago_Pago', 'Pacific/Kiritimati']; // where it is a day later
    const ana = await newHost({ timeZone: west });
    const wholeDay = { date: dayAhead(0, west), startTime: '00:00', endTime: '00:00', rsvpBy: null };
    const template = await publishQuestions(ana, question);
    const again = async () => {
      const sent = { 'idempotency-key': 'the first answer' };
      const { status, json } = await create(ana, { ...full, ...wholeDay, hideGoing: true, template }, sent);
      return { status, json };
    };
    const first = await again();
    expect(first).toMatchObject({ status: 201, json: { title: 'Garden party', going: 0, template } });
    const party = first.json as Party;
    await rsvp(maya, party, { guests: 1 }, [{ question: 'Why?', answer: 'Fun' }]);
    await edit(ana, party, { title: 'Edited', address: null });
    await deleteTemplate(ana, template);
    await move(ana, east);
    expect(await again()).toStrictEqual(first);
    expect(await hosted(ana)).toMatchObject([{ title: 'Edited', going: 2 }]);
    await remove(ana, party);
    expect([await again(), await hosted(ana)]).toStrictEqual([first, []]);
    // Without the key it would be another party, and its day is over, its template gone.
    expect(complaints(await create(ana, wholeDay))).toHaveLength(1);
    expect(refusal(await create(ana, { template }))).toBe(404);
  });
});

describe('a party', () => {
  const year = Number(dayAhead(370).slice(-4));

  test('has these twenty keys at every call, with null for what is optional, and none that was made up', async () => {
    const ana = await newHost({ displayName: 'Ana Dias', timeZone: 'America/New_York' });
    const given = {
      date: `01-15-${year}`,
      startTime: '19:00',
      endTime: '23:30',
      template: await publishQuestions(ana, question),
      address: '5 Elm Street & Co',
    };
    const texts = { title: '  Winter ball ', description: 'Warm\r\nclothes' };
    const madeUp = { id: 'mine', going: 7, provider: 'maya.l', meetupId: 'x', invitations: [{ accepted: true }] };
    const answer = await create(ana, { ...given, ...texts, ...madeUp, capacity: 40, plusOnes: 2 });
    expect([answer.status, answer.json]).toStrictEqual([
      201,
      {
        ...given,
        id: expect.stringMatching(/^[\w-]{22}$/),
        title: 'Winter ball',
        description: 'Warm\nclothes',
        provider: ana.username,
        providerName: 'Ana Dias',
        startsAt: `${year}-01-16T00:00:00.000Z`,
        endsAt: `${year}-01-16T04:30:00.000Z`,
        timeZone: 'America/New_York',
        invitations: [],
        formData: [],
        locationUrl: expect.stringContaining(encodeURIComponent('5 Elm Street & Co')),
        attendees: [],
        meetupId: null,
        going: 0,
        openTo: 'accounts',
      },
    ]);
    const party = answer.json as Party;
    // It takes its row back.
    expect((await edit(ana, party, party)).json).toStrictEqual(party);
    expect([await hosted(ana), await all(ana)]).toStrictEqual([[party], [party]]);
    expect((await readParty(daybook.visitor(), party)).json).toStrictEqual(party);
    const without = { description: null, template: null, address: null, locationUrl: null };
    expect(await createParty(host)).toMatchObject(without);
  });

  test('is in the lists of its host, and of whoever has answered it, by start', async () => {
    const [ana, rui, zoe] = await Promise.all([newHost(), newHost(), newGuest()]);
    const make = (who: Person, days: number) => createParty(who, { title: `day ${days}`, date: dayAhead(days) });
    await createMeetup(ana, { title: 'a meetup', date: dayAhead(11) });
    for (const [who, days] of [[ana, 12] as const, [ana, 10] as const, [rui, 14] as const]) await make(who, days);
    const [yes, no] = await Promise.all([make(rui, 11), make(rui, 13)]);
    for (const who of [ana, zoe]) {
      await rsvp(who, yes);
      await rsvp(who, no, { accepted: false });
    }
    const titles = [await hosted(ana), await all(ana), await all(zoe)].map((list) => list.map(({ title }) => title));
    const days = (...those: number[]) => those.map((day) => `day ${day}`);
    expect(titles).toEqual([days(10, 12), days(10, 11, 12, 13), days(11, 13)]);
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

  test('changes what is given and nothing else', async () => {
    const party = await fullParty();
    const before = await limitsOf(party);
    const at = (time: string) => `${isoAhead(9)}T${time}:00.000Z`;
    let row = party;
    for (const [change, more] of [
      [{ title: 'Street party', description: 'Outside' }],
      [{ address: '6 Elm Street' }],
      [{ locationUrl: 'http://other.example/' }],
      [{ date: dayAhead(9) }, { startsAt: at('18:00'), endsAt: at('22:00') }],
      [{ startTime: '17:00' }, { startsAt: at('17:00') }],
      [{ endTime: '23:00' }, { endsAt: at('23:00') }],
      [{ template: await publishQuestions(host, question) }],
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
    const search = expect.stringContaining(encodeURIComponent(full.address));
    expect((await edit(host, party, { locationUrl: null })).json).toMatchObject({ locationUrl: search });
    const texts = { address: null, description: null };
    expect((await edit(host, party, texts)).json).toMatchObject({ ...texts, locationUrl: null });
    await edit(host, party, { capacity: null, rsvpBy: null, plusOnes: null, hideGoing: null });
    expect(await limitsOf(party)).toEqual({ capacity: null, rsvp_by: null, plus_ones: 0, hide_going: 0 });
  });

  test('with what is wrong, or a template that is not a current one of one’s own, is refused, and nothing changes', async () => {
    const party = await fullParty();
    for (const change of [
      { title: null },
      { startTime: null },
      { openTo: 'friends' },
      { date: dayAhead(-1) },
      { rsvpBy: dayAhead(400) },
      { date: dayAhead(1) }, // before the last day to answer
    ]) {
      const faults = complaints(await edit(host, party, { description: 'New', ...change }));
      expect([change, faults.length]).toEqual([change, 1]);
    }
    const [theirs, gone] = [await publishQuestions(rival, question), await publishQuestions(host, question)];
    await deleteTemplate(host, gone);
    for (const template of [theirs, gone, 'none']) {
      expect(refusal(await edit(host, party, { title: 'New', template }))).toBe(404);
    }
    expect((await readParty(host, party)).json).toStrictEqual(party);
    // The one that it has may be left, though it was deleted.
    const { template } = party;
    await deleteTemplate(host, template as string);
    expect((await edit(host, party, { title: 'New', template })).json).toEqual({ ...party, title: 'New' });
  });

  test('may end the answers by a day that is past, and leave a date that is past as it is', async () => {
    const party = await fullParty();
    expect((await edit(host, party, { rsvpBy: dayAhead(-1) })).status).toBe(200);
    expect(refusal(await rsvp(maya, party))).toBe(409);
    await endParty(daybook.d1, party);
    const { date } = await partyOf(host, party);
    expect((await edit(host, party, { title: 'It was good', date })).status).toBe(200);
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

  test('keeps the zone in which it was created', async () => {
    const ana = await newHost({ timeZone: 'Asia/Colombo' });
    const party = await createParty(ana);
    expect((await move(ana, 'America/Lima')).status).toBeLessThan(400);
    const { startsAt, timeZone } = party;
    expect((await edit(ana, party, { title: 'Far away' })).json).toMatchObject({ startsAt, timeZone });
    const earlier = { startsAt: startsAt.replace('12:30', '11:30') };
    expect((await edit(ana, party, { startTime: '17:00' })).json).toMatchObject(earlier);
  });
});
