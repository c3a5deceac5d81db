import { describe, expect, test } from 'vitest';
import { complaints, refusal } from '../../support/complaints';
import { dayAhead, type Person, peopleAt, several } from '../../support/factories';
import { all, create, edit, hosted, remove } from '../../support/party-calls';
import {
  closeAnswers,
  createMeetup,
  createParty,
  full,
  goingTo,
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

const titlesOf = (parties: Party[]) => parties.map(({ title }) => title);

const question = [{ questionText: 'Why?' }];

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
    ['locationUrl', ['javascript:alert(1)', 'java\nscript:alert(1)', 'ftp://example.org/map', '//example.org']],
  ])('with a wrong %s is refused, and nothing is created', async (field, values) => {
    for (const value of values) {
      const faults = complaints(await create(rival, { [field]: value }));
      expect([value, faults.length]).toEqual([value, 1]);
    }
    expect(await hosted(rival)).toEqual([]);
  });

  test('names every fault at once', async () => {
    const broken = { title: '', startTime: 'nine', endTime: 'ten', capacity: 0, plusOnes: 99, locationUrl: 'here' };
    expect(complaints(await create(host, { ...broken, date: 'someday', rsvpBy: 'soon' }))).toHaveLength(8);
    const late = [expect.stringMatching(/^Title/), "The last day to answer can't be after the day of the party."];
    expect(complaints(await create(host, { title: '', rsvpBy: dayAhead(8) }))).toEqual(late);
  });

  test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])('knows the past by the calendar of %s', async (timeZone) => {
    const ana = await newHost({ timeZone });
    expect((await create(ana, { date: dayAhead(0, timeZone) })).status).toBe(201);
    expect(complaints(await create(ana, { date: dayAhead(-1, timeZone) }))).toHaveLength(1);
  });

  test('keeps a map link as given, and makes a search of the address where there is none', async () => {
    const address = 'Rua da Rosa 5 & 7\n1200-001 Lisboa #2 ½';
    const locationUrl = 'HTTPS://Maps.Example.Org/a?b=c&d=%20#e';
    expect(await createParty(host, { locationUrl, address })).toMatchObject({ locationUrl });
    const { protocol, searchParams } = new URL((await createParty(host, { address })).locationUrl ?? '');
    expect([protocol, ...searchParams.values()]).toEqual(['https:', address]);
  });

  test('again, or many times at once, with one Idempotency-Key answers the same whatever became of the party, its questions and its day', async () => {
    const [west, east] = ['Pacific/Pago_Pago', 'Pacific/Kiritimati']; // where it is a day later
    const ana = await newHost({ timeZone: west });
    const wholeDay = { date: dayAhead(0, west), startTime: '00:00', endTime: '00:00', rsvpBy: null };
    const template = await publishQuestions(ana, question);
    const details = { ...full, ...wholeDay, hideGoing: true, template };
    const again = async (who = ana) => {
      const { status, json } = await create(who, details, { 'idempotency-key': 'the first answer' });
      return { status, json };
    };
    const [first, ...others] = await several(5, () => again());
    expect(others).toStrictEqual(Array(4).fill(first));
    expect(first).toMatchObject({ status: 201, json: { title: 'Garden party', going: 0, template } });
    const party = first?.json as Party;
    await rsvp(maya, party, { guests: 1 }, [{ question: 'Why?', answer: 'Fun' }]);
    await edit(ana, party, { title: 'Edited', address: null });
    await deleteTemplate(ana, template);
    const renamed = { displayName: 'Renamed', location: 'Apia', timeZone: east };
    await ana.browser.post('/profile', { intent: 'profile', ...renamed });
    expect(await again()).toStrictEqual(first);
    expect((await hosted(ana)).map(({ title, going }) => [title, going])).toEqual([['Edited', 2]]);
    await remove(ana, party);
    expect(await again()).toStrictEqual(first);
    expect(await hosted(ana)).toEqual([]);
    // By somebody else, or without the key, it would be another party, and its day is over, its template gone.
    expect((await again(host)).status).toBe(404);
    expect(complaints(await create(ana, wholeDay))).toHaveLength(1);
    expect(refusal(await create(ana, { template }))).toBe(404);
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
    const when = { date: `01-15-${year}`, startTime: '19:00', endTime: '23:30', timeZone: 'America/New_York' };
    const instants = { startsAt: `${year}-01-16T00:00:00.000Z`, endsAt: `${year}-01-16T04:30:00.000Z` };
    const words = { title: 'Winter ball', description: 'Warm\nclothes', address: '5 Elm Street & Co' };
    const own = {
      id: expect.stringMatching(/^[\w-]{22}$/),
      provider: ana.username,
      providerName: 'Ana Dias',
      template,
    };
    const usual = { invitations: [], formData: [], attendees: [], meetupId: null, going: 0, openTo: 'accounts' };
    const locationUrl = expect.stringMatching(/^https:\/\//);
    const row = { ...when, ...instants, ...words, ...own, ...usual, locationUrl };
    expect([answer.status, answer.json]).toStrictEqual([201, row]);
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
