import { describe, expect, test } from 'vitest';
import { complaints, refusal } from '../../support/complaints';
import { dayAhead, peopleAt } from '../../support/factories';
import { edit, nothing } from '../../support/party-calls';
import {
  closeAnswers,
  createMeetup,
  createParty,
  endParty,
  type Party,
  partyOf,
  publishQuestions,
  readParty,
  rsvp,
} from '../../support/party-factories';
import { useServer } from '../../support/use-server';
import { useWorld } from '../../support/world';

const daybook = useServer();
const { newProvider: newHost, newConsumer: newGuest } = peopleAt(daybook);
const { host, rival, maya, june } = useWorld(daybook, { host: {}, rival: {}, maya: { username: 'maya.l' }, june: {} });

describe('EditParty', () => {
  /** A party with everything a party can have. */
  async function fullParty(): Promise<Party> {
    const template = await publishQuestions(host, [{ questionText: 'Bringing?' }]);
    return createParty(host, {
      description: 'In the garden',
      address: '5 Elm Street',
      locationUrl: 'https://maps.example.org/5',
      template,
      capacity: 10,
      rsvpBy: dayAhead(6),
      plusOnes: 3,
      hideGoing: true,
    });
  }
  const limitsOf = ({ id }: Party) =>
    daybook.d1.prepare('SELECT capacity, rsvp_by, plus_ones, hide_going FROM parties WHERE id = ?').bind(id).first();
  const [year, month, dayOfMonth] = [dayAhead(9).slice(6), dayAhead(9).slice(0, 2), dayAhead(9).slice(3, 5)];
  const inNineDays = `${year}-${month}-${dayOfMonth}`;
  const inAWeek = `${dayAhead(7).slice(6)}-${dayAhead(7).slice(0, 5)}`;

  test.each<[string, object, Partial<Party>]>([
    ['nothing', {}, {}],
    ['the title', { title: 'Street party' }, { title: 'Street party' }],
    ['the description', { description: 'Outside' }, { description: 'Outside' }],
    ['the address', { address: '6 Elm Street' }, { address: '6 Elm Street' }],
    ['the link', { locationUrl: 'http://other.example/' }, { locationUrl: 'http://other.example/' }],
    [
      'the date',
      { date: dayAhead(9) },
      { date: dayAhead(9), startsAt: `${inNineDays}T18:00:00.000Z`, endsAt: `${inNineDays}T22:00:00.000Z` },
    ],
    ['the start', { startTime: '17:00' }, { startTime: '17:00', startsAt: `${inAWeek}T17:00:00.000Z` }],
    ['the start, by its short name', { start: '17:00' }, { startTime: '17:00', startsAt: `${inAWeek}T17:00:00.000Z` }],
    ['the end', { endTime: '23:00' }, { endTime: '23:00', endsAt: `${inAWeek}T23:00:00.000Z` }],
    ['the end, by its short name', { end: '23:00' }, { endTime: '23:00', endsAt: `${inAWeek}T23:00:00.000Z` }],
    ['what is not known', { id: 'x', going: 9, nothing: true }, {}],
  ])('of %s changes that and nothing else', async (_, change, changed) => {
    const party = await fullParty();
    const before = await limitsOf(party);
    const row = { ...party, ...changed };
    expect(await edit(host, party, change)).toMatchObject({ status: 200, json: row });
    expect((await readParty(host, party)).json).toStrictEqual(row);
    // Neither the room, nor the deadline, nor the plus-ones, nor what is hidden.
    expect(await limitsOf(party)).toEqual(before);
  });

  test.each(['template', 'templateId', 'formId'])('takes the template as %s, and null clears it', async (name) => {
    const party = await fullParty();
    const template = await publishQuestions(host, [{ questionText: 'Singing?' }]);
    expect((await edit(host, party, { [name]: template })).json).toStrictEqual({ ...party, template });
    expect((await edit(host, party, { [name]: null })).json).toStrictEqual({ ...party, template: null });
    expect(complaints(await rsvp(maya, party, {}, [{ question: 'Singing?', answer: 'Yes' }]))).toHaveLength(1);
  });

  test('with null clears the description, the address and the link', async () => {
    const party = await fullParty();
    const search = expect.stringContaining(encodeURIComponent('5 Elm Street'));
    expect((await edit(host, party, { locationUrl: null })).json).toMatchObject({ locationUrl: search });
    expect((await edit(host, party, { address: null })).json).toMatchObject({ address: null, locationUrl: null });
    expect((await edit(host, party, { description: null })).json).toMatchObject({ description: null });
  });

  test.each([
    ['an address', '5 Elm Street'],
    ['the longest address', '🌳'.repeat(500)],
  ])('takes the row back, and the search for %s follows the address', async (_, address) => {
    const party = await createParty(host, { address });
    expect((await edit(host, party, party)).json).toStrictEqual(party);
    const moved = (await edit(host, party, { ...party, address: '6 Elm Street' })).json as Party;
    expect(moved.locationUrl).toBe(party.locationUrl?.replace(/=.*/, '=6%20Elm%20Street'));
  });

  test('takes the link of the row back as the one that was given', async () => {
    const party = await fullParty();
    expect((await edit(host, party, party)).json).toStrictEqual(party);
    expect((await edit(host, party, { ...party, address: null })).json).toStrictEqual({ ...party, address: null });
  });

  test('with null clears the room, the deadline, the plus-ones and the hiding', async () => {
    const party = await fullParty();
    await edit(host, party, { capacity: 1 });
    await closeAnswers(daybook.d1, party);
    expect(refusal(await rsvp(maya, party))).toBe(409);
    await edit(host, party, { rsvpBy: null });
    expect(refusal(await rsvp(maya, party, { guests: 3 }))).toBe(409);
    await edit(host, party, { capacity: null });
    expect((await rsvp(maya, party, { guests: 3 })).status).toBe(200);
    await edit(host, party, { plusOnes: null });
    expect(complaints(await rsvp(june, party, { guests: 1 }))).toHaveLength(1);
    expect(await partyOf(june, party)).toMatchObject({ going: null });
    await edit(host, party, { hideGoing: null });
    expect(await partyOf(june, party)).toMatchObject({ going: 4 });
  });

  test('ends the answers by a last day that is past', async () => {
    const party = await fullParty();
    expect((await edit(host, party, { rsvpBy: dayAhead(-1) })).status).toBe(200);
    expect(refusal(await rsvp(maya, party))).toBe(409);
  });

  test.each([
    ['a title that is null', { title: null }],
    ['a date that is null', { date: null }],
    ['a start that is null', { startTime: null }],
    ['yesterday', { date: dayAhead(-1) }],
    ['room for nobody', { capacity: 0 }],
    ['a deadline after the party', { rsvpBy: dayAhead(400) }],
    ['a date before the deadline', { date: dayAhead(1) }],
  ])('with %s is refused, and nothing changes', async (_, change) => {
    const party = await fullParty();
    expect(complaints(await edit(host, party, { description: 'New', ...change }))).toHaveLength(1);
    expect((await readParty(host, party)).json).toStrictEqual(party);
  });

  test('hides how many are coming by true or false, as such, as text, or as a ticked box', async () => {
    const party = await createParty(host);
    for (const hideGoing of [true, false, 'true', 'false', 'on', null]) {
      expect((await edit(host, party, { hideGoing })).status).toBe(200);
      const isHidden = hideGoing === true || hideGoing === 'true' || hideGoing === 'on';
      expect([hideGoing, (await partyOf(maya, party)).going]).toEqual([hideGoing, isHidden ? null : 0]);
    }
    const page = await host.browser.get(`/edit-party/${party.id}`);
    await page.submit('Submit party', { hideGoing: true });
    expect(await partyOf(maya, party)).toMatchObject({ going: null });
    await page.submit('Submit party', { hideGoing: false });
    expect(await partyOf(maya, party)).toMatchObject({ going: 0 });
  });

  test('may leave a date that is past as it is', async () => {
    const party = await fullParty();
    await endParty(daybook.d1, party);
    const { date } = await partyOf(host, party);
    expect((await edit(host, party, { title: 'It was good', date })).json).toMatchObject({
      title: 'It was good',
      date,
    });
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

  test('with a template that is not a current one of one’s own is a 404, and nothing changes', async () => {
    const party = await fullParty();
    const [theirs, gone] = await Promise.all(
      [rival, host].map((who) => publishQuestions(who, [{ questionText: 'Singing?' }])),
    );
    await host.api('DELETE', `/api/Checkin/DeleteTemplate?id=${gone}`);
    for (const template of [theirs, gone, 'none']) {
      expect(refusal(await edit(host, party, { title: 'New', template }))).toBe(404);
    }
    expect((await readParty(host, party)).json).toStrictEqual(party);
  });

  test('may leave a template as it is that was deleted since', async () => {
    const party = await fullParty();
    await host.api('DELETE', `/api/Checkin/DeleteTemplate?id=${party.template}`);
    const answer = await edit(host, party, { title: 'New', template: party.template });
    expect(answer).toMatchObject({ status: 200, json: { ...party, title: 'New' } });
  });

  test('keeps the zone in which it was created', async () => {
    const ana = await newHost({ timeZone: 'Asia/Colombo' });
    const party = await createParty(ana);
    const move = { intent: 'profile', displayName: 'Ana', location: 'Lima', timeZone: 'America/Lima' };
    await ana.browser.post('/profile', move);
    expect((await ana.api('GET', '/api/Account/Profile')).json).toMatchObject({ timeZone: 'America/Lima' });
    expect((await edit(ana, party, { title: 'Far away' })).json).toMatchObject({
      startsAt: party.startsAt,
      timeZone: 'Asia/Colombo',
    });
    expect((await edit(ana, party, { startTime: '17:00' })).json).toMatchObject({
      startsAt: party.startsAt.replace('12:30', '11:30'),
    });
  });

  test('twice answers the same', async () => {
    const party = await fullParty();
    const [once, twice] = [await edit(host, party, { title: 'New' }), await edit(host, party, { title: 'New' })];
    expect([once.status, twice.status]).toEqual([200, 200]);
    expect(twice.json).toStrictEqual(once.json);
  });

  test('of another’s, of a meetup and of nothing is the same 404', async () => {
    const [party, meetup] = await Promise.all([createParty(host), createMeetup(host)]);
    const missing = await edit(host, nothing, { title: 'Mine' });
    expect(refusal(missing)).toBe(404);
    for (const answer of [await edit(rival, party, { title: 'Mine' }), await edit(host, meetup, { title: 'Mine' })]) {
      expect([answer.status, answer.text]).toEqual([404, missing.text]);
    }
    expect((await readParty(host, party)).json).toStrictEqual(party);
    expect((await readParty(host, meetup)).json).toStrictEqual(meetup);
  });
});
