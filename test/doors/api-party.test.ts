import { beforeAll, describe, expect, test } from 'vitest';
import { complaints, refusal } from '../support/complaints';
import { dayAhead, type Person, password, registerConsumer, registerProvider, several } from '../support/factories';
import {
  closeAnswers,
  createMeetup,
  createParty,
  endParty,
  full,
  type Invitation,
  type Party,
  partiesOf,
  partyDraft,
  partyOf,
  publishQuestions,
  readParty,
  rsvp,
} from '../support/party-factories';
import { singleChoice } from '../support/template-factories';
import { useServer } from '../support/use-server';
import type { Sent } from '../support/visit';

const daybook = useServer();

const newHost = (details?: object) => registerProvider(daybook, details);
const newGuest = (details?: object) => registerConsumer(daybook, details);

let host: Person;
let rival: Person;
let maya: Person;
let june: Person;
beforeAll(async () => {
  [host, rival, maya, june] = await Promise.all([
    newHost({ displayName: 'Hanna Host' }),
    newHost(),
    newGuest({ username: 'maya.l', displayName: 'Maya Lindqvist' }),
    newGuest(),
  ]);
});

const create = (who: Person, details: object = {}, sent?: Sent) =>
  who.api('POST', '/api/Party/CreateParty', partyDraft(details), sent);
const edit = (who: Person, { id }: { id: string }, change: unknown) =>
  who.api('PUT', `/api/Party/EditParty/${id}`, change);
const remove = (who: Person, { id }: { id: string }) => who.api('DELETE', `/api/Party/DeleteParty?id=${id}`);
const hosted = async (who: Person) => partiesOf(await who.api('GET', '/api/Party/GetMy'));
const all = async (who: Person) => partiesOf(await who.api('GET', '/api/Party/GetAll'));

const nothing = { id: 'no-such-party-in-here' };
const titlesOf = (parties: Party[]) => parties.map(({ title }) => title);
const answersIn = async (party: { id: string }) =>
  (await partyOf(host, party)).invitations.map(({ username, accepted }) => [username, accepted]);
const goingTo = async (party: { id: string }) => (await partyOf(host, party)).going;

describe('a path', () => {
  test.each(['CreateParty/1', 'DeleteParty/1', 'BookRsvp/1', 'GetMy/1', 'EditParty', 'EditParty/1/2', 'Nothing'])(
    'there is no call %s',
    async (call) => {
      expect(refusal(await host.api('GET', `/api/Party/${call}`))).toBe(404);
    },
  );
});

describe('a party', () => {
  const year = Number(dayAhead(370).slice(-4));

  test('has these nineteen keys at every call', async () => {
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
    });
    const row = {
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
    };
    expect(answer.status).toBe(201);
    expect(answer.json).toStrictEqual(row);
    const party = answer.json as Party;
    expect((await edit(ana, party, { title: 'Winter ball' })).json).toStrictEqual(party);
    expect(await hosted(ana)).toStrictEqual([party]);
    expect(await all(ana)).toStrictEqual([party]);
    expect((await readParty(daybook.visitor(), party)).json).toStrictEqual(party);
  });

  test('without what is optional has null there', async () => {
    expect(await createParty(host)).toMatchObject({
      description: null,
      template: null,
      address: null,
      locationUrl: null,
      meetupId: null,
    });
  });

  test('shows its host who answered, and what', async () => {
    const template = await publishQuestions(host, [{ questionText: 'Bringing?' }, { questionText: 'Staying?' }]);
    const party = await createParty(host, { template });
    const answers = [{ question: 'Bringing?', answer: 'Cake' }];
    const yes = (await rsvp(maya, party, {}, answers)).json as Invitation;
    const no = (await rsvp(june, party, { accepted: false })).json as Invitation;
    const row = { ...party, invitations: [yes, no], formData: [answers], going: 1 };
    expect((await readParty(host, party)).json).toStrictEqual(row);
    expect((await hosted(host)).find(({ id }) => id === party.id)).toStrictEqual(row);
    expect((await all(host)).find(({ id }) => id === party.id)).toStrictEqual(row);
    expect((await edit(host, party, {})).json).toStrictEqual(row);
  });
});

describe('CreateParty', () => {
  test.each([
    ['startTime', 'endTime'],
    ['start', 'endTime'],
    ['startTime', 'end'],
    ['start', 'end'],
  ])('takes the times as %s and %s', async (start, end) => {
    const times = { startTime: undefined, endTime: undefined, [start]: '20:15', [end]: '21:45' };
    expect(await create(host, times)).toMatchObject({ status: 201, json: { startTime: '20:15', endTime: '21:45' } });
  });

  test.each(['template', 'templateId', 'formId'])('takes the template as %s', async (name) => {
    const template = await publishQuestions(host, [{ questionText: 'Bringing?' }]);
    expect(await createParty(host, { [name]: template })).toMatchObject({ template });
  });

  test.each([null, '', undefined])('takes %j for no template', async (template) => {
    expect(await createParty(host, { template })).toMatchObject({ template: null });
  });

  test.each([
    ['no title', { title: undefined }],
    ['a blank title', { title: ' \n ' }],
    ['a title of 201', { title: 'x'.repeat(201) }],
    ['a title of two lines', { title: 'Garden\nparty' }],
    ['a title that is no text', { title: 5 }],
    ['a description of 5,001', { description: 'x'.repeat(5001) }],
    ['a description with a NUL', { description: 'a\u0000b' }],
    ['a description that is no text', { description: ['x'] }],
    ['an address of 501', { address: 'x'.repeat(501) }],
    ['an address that is no text', { address: {} }],
    ['no date', { date: undefined }],
    ['a date that is null', { date: null }],
    ['a blank date', { date: '' }],
    ['a date in ISO form', { date: '2091-05-05' }],
    ['a date that is not real', { date: '02-30-2091' }],
    ['a date that is a number', { date: 20910505 }],
    ['yesterday', { date: dayAhead(-1) }],
    ['no start', { startTime: undefined }],
    ['a start that is no time', { startTime: '24:00' }],
    ['a start with one digit', { startTime: '9:00' }],
    ['a start with seconds', { startTime: '09:00:00' }],
    ['a start that is a number', { startTime: 9 }],
    ['no end', { endTime: undefined }],
    ['an end that is no time', { endTime: 'late' }],
    ['an end that is null', { endTime: null }],
    ['room for nobody', { capacity: 0 }],
    ['room for less than nobody', { capacity: -1 }],
    ['room for half a person', { capacity: 10.5 }],
    ['room for 100,001', { capacity: 100_001 }],
    ['room for many', { capacity: 'many' }],
    ['room for a list', { capacity: [10] }],
    ['a deadline in ISO form', { rsvpBy: '2091-05-05' }],
    ['a deadline that is not real', { rsvpBy: '13-01-2091' }],
    ['a deadline that is a number', { rsvpBy: 5 }],
    ['fewer plus-ones than none', { plusOnes: -1 }],
    ['21 plus-ones', { plusOnes: 21 }],
    ['half a plus-one', { plusOnes: 0.5 }],
    ['plus-ones that are no number', { plusOnes: 'some' }],
    ['hiding that is a number', { hideGoing: 5 }],
    ['hiding that is nonsense', { hideGoing: 'banana' }],
    ['hiding that is blank', { hideGoing: '' }],
    ['hiding that is a list', { hideGoing: [true] }],
    ['a template that is no text', { template: 5 }],
    ['a link that is a script', { locationUrl: 'javascript:alert(1)' }],
    ['a link that is a script in two lines', { locationUrl: 'java\nscript:alert(1)' }],
    ['a link that is a script after a space', { locationUrl: ' JavaScript:alert(1)' }],
    ['a link that is data', { locationUrl: 'data:text/html,hello' }],
    ['a link by FTP', { locationUrl: 'ftp://example.org/map' }],
    ['a link without scheme', { locationUrl: 'example.org' }],
    ['a link without scheme but slashes', { locationUrl: '//example.org' }],
    ['a link within the site', { locationUrl: '/logout' }],
    ['a link without host', { locationUrl: 'https://' }],
    ['a link that is no text', { locationUrl: 5 }],
  ])('with %s is refused, and nothing is created', async (_, details) => {
    expect(complaints(await create(rival, details))).toHaveLength(1);
    expect(await hosted(rival)).toEqual([]);
  });

  test('names every fault at once', async () => {
    const broken = { title: '', date: 'someday', startTime: 'nine', endTime: 'ten', capacity: 0, plusOnes: 99 };
    expect(complaints(await create(host, { ...broken, locationUrl: 'here', rsvpBy: 'soon' }))).toHaveLength(8);
  });

  test('names a past date beside whatever else is wrong, by the calendar of the host', async () => {
    for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      const ana = await newHost({ timeZone });
      const [yesterday, today] = [dayAhead(-1, timeZone), dayAhead(0, timeZone)];
      const both = [expect.stringMatching(/^Title/), expect.stringMatching(/not in the past/)];
      expect(complaints(await create(ana, { title: '', date: yesterday }))).toEqual(both);
      expect(complaints(await create(ana, { title: '', date: today }))).toHaveLength(1);
    }
    const long = { 'idempotency-key': 'k'.repeat(201) };
    expect(complaints(await create(host, { date: dayAhead(-1) }, long))).toHaveLength(2);
  });

  test.each([[null], [[]], ['text'], [5]])('refuses the body %j', async (body) => {
    const noObject = ['Send an object with the fields of this call.'];
    expect(complaints(await host.api('POST', '/api/Party/CreateParty', body))).toEqual(noObject);
  });

  test('takes as much as fits, counted as people count', async () => {
    const most = {
      title: '𝒯'.repeat(200),
      description: '𝒯'.repeat(5000),
      address: '𝒯'.repeat(500),
      capacity: 100_000,
      plusOnes: 20,
    };
    const { title, description, address } = most;
    expect(await create(host, most)).toMatchObject({ status: 201, json: { title, description, address } });
    expect((await create(host, { capacity: 1, plusOnes: 0, hideGoing: false })).status).toBe(201);
  });

  test('ignores what it does not know', async () => {
    const more = { id: 'mine', going: 7, provider: 'maya.l', meetupId: 'x', invitations: [{ accepted: true }] };
    expect(await createParty(host, more)).toMatchObject({
      id: expect.not.stringMatching(/^mine$/),
      going: 0,
      provider: host.username,
      meetupId: null,
      invitations: [],
    });
  });

  test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])('knows the past by the calendar of %s', async (timeZone) => {
    const ana = await newHost({ timeZone });
    expect((await create(ana, { date: dayAhead(0, timeZone) })).status).toBe(201);
    expect(complaints(await create(ana, { date: dayAhead(-1, timeZone) }))).toHaveLength(1);
  });

  test.each([
    ['18:00', '22:00', 4],
    ['18:00', '02:00', 8],
    ['18:00', '00:00', 6],
    ['18:00', '18:00', 24],
    ['00:00', '00:00', 24],
    ['18:00', '17:59', 24 - 1 / 60],
  ])('from %s to %s lasts %d hours', async (startTime, endTime, hours) => {
    const party = await createParty(host, { startTime, endTime });
    expect(party).toMatchObject({ date: dayAhead(7), startTime, endTime });
    expect(Date.parse(party.endsAt) - Date.parse(party.startsAt)).toBeCloseTo(hours * 3_600_000);
  });

  test('lasts as long as the clocks say where they are put forward or back', async () => {
    const ana = await newHost({ timeZone: 'America/New_York' });
    const year = Number(dayAhead(370).slice(-4));
    const sunday = (month: number, nth: number) => {
      const first = new Date(Date.UTC(year, month - 1, 1)).getUTCDay();
      const date = 1 + ((7 - first) % 7) + (nth - 1) * 7;
      return { day: String(date).padStart(2, '0'), month: String(month).padStart(2, '0') };
    };
    const [spring, fall] = [sunday(3, 2), sunday(11, 1)];
    const times = { startTime: '01:00', endTime: '04:00' };
    expect(await createParty(ana, { ...times, date: `${spring.month}-${spring.day}-${year}` })).toMatchObject({
      startsAt: `${year}-03-${spring.day}T06:00:00.000Z`,
      endsAt: `${year}-03-${spring.day}T08:00:00.000Z`,
    });
    expect(await createParty(ana, { ...times, date: `${fall.month}-${fall.day}-${year}` })).toMatchObject({
      startsAt: `${year}-11-${fall.day}T05:00:00.000Z`,
      endsAt: `${year}-11-${fall.day}T09:00:00.000Z`,
    });
    // 02:30 is not there in spring, and is read as an hour later.
    const inGap = { startTime: '02:30', endTime: '04:00', date: `${spring.month}-${spring.day}-${year}` };
    expect(await createParty(ana, inGap)).toMatchObject({ startsAt: `${year}-03-${spring.day}T07:30:00.000Z` });
  });

  test.each(['https://maps.example.org/a?b=c&d=%20#e', 'http://maps.example.org/', 'HTTPS://Maps.Example.Org/x'])(
    'keeps the map link %s as given',
    async (locationUrl) => {
      expect(await createParty(host, { locationUrl, address: '5 Elm Street' })).toMatchObject({ locationUrl });
    },
  );

  test('makes a map search of the address where there is no link', async () => {
    const address = 'Rua da Rosa 5 & 7\n1200-001 Lisboa #2 ½';
    const { locationUrl } = await createParty(host, { address });
    const { protocol, searchParams } = new URL(locationUrl ?? '');
    expect(protocol).toBe('https:');
    expect([...searchParams.values()]).toEqual([address]);
  });

  test('with a template that is not a current one of one’s own is a 404, and nothing is created', async () => {
    const ana = await newHost();
    const question = [{ questionText: 'Bringing?' }];
    const [theirs, gone] = await Promise.all([publishQuestions(rival, question), publishQuestions(ana, question)]);
    expect((await ana.api('DELETE', `/api/Checkin/DeleteTemplate?id=${gone}`)).status).toBe(204);
    const answers = await Promise.all([theirs, gone, 'none'].map((template) => create(ana, { template })));
    expect(answers.map(refusal)).toEqual([404, 404, 404]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await hosted(ana)).toEqual([]);
  });

  test('again with the same Idempotency-Key answers the same, for this caller alone', async () => {
    const [ana, rui] = await several(2, () => newHost());
    const sent = { 'idempotency-key': 'saturday' };
    const first = await create(ana as Person, {}, sent);
    const again = await create(ana as Person, {}, sent);
    const other = await create(rui as Person, {}, sent);
    expect([first.status, again.status, other.status]).toEqual([201, 201, 201]);
    expect(again.json).toStrictEqual(first.json);
    expect(other.json).not.toMatchObject({ id: (first.json as Party).id });
    expect(await hosted(ana as Person)).toHaveLength(1);
    await create(ana as Person, {}, { 'idempotency-key': 'sunday' });
    await create(ana as Person);
    expect(await hosted(ana as Person)).toHaveLength(3);
    expect(complaints(await create(ana as Person, {}, { 'idempotency-key': 'k'.repeat(201) }))).toHaveLength(1);
  });

  test('many times at once with one Idempotency-Key creates one party', async () => {
    const ana = await newHost();
    const answers = await several(5, () => create(ana, {}, { 'idempotency-key': 'pressed five times' }));
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(201));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await hosted(ana)).toHaveLength(1);
  });

  test('again with the same Idempotency-Key answers the same when the day is over meanwhile', async () => {
    const [west, east] = ['Pacific/Pago_Pago', 'Pacific/Kiritimati']; // where it is a day later
    const ana = await newHost({ timeZone: west });
    const today = { date: dayAhead(0, west), startTime: '00:00', endTime: '00:00' };
    const sent = { 'idempotency-key': 'late at night' };
    const first = await create(ana, today, sent);
    expect(first.status).toBe(201);
    await ana.browser.post('/profile', { intent: 'profile', displayName: 'Ana', location: 'Apia', timeZone: east });
    expect(complaints(await create(ana, today))).toHaveLength(1);
    expect(await create(ana, today, sent)).toMatchObject({ status: 201, json: { id: (first.json as Party).id } });
  });

  test('again with the same Idempotency-Key answers the same when the party was edited, answered or deleted meanwhile', async () => {
    const ana = await newHost();
    const details = { ...full, hideGoing: true, template: await publishQuestions(ana, [{ questionText: 'Why?' }]) };
    const sent = { 'idempotency-key': 'the first answer' };
    const again = async () => {
      const { status, json } = await create(ana, details, sent);
      return { status, json };
    };
    const first = await again();
    expect(first).toMatchObject({ status: 201, json: { title: 'Garden party', going: 0, template: details.template } });
    const party = first.json as Party;
    await rsvp(maya, party, { guests: 1 }, [{ question: 'Why?', answer: 'Fun' }]);
    await edit(ana, party, { title: 'Edited', address: null });
    await ana.api('DELETE', `/api/Checkin/DeleteTemplate?id=${details.template}`);
    await ana.browser.post('/profile', {
      intent: 'profile',
      displayName: 'Renamed',
      location: 'Porto',
      timeZone: 'UTC',
    });
    expect(await again()).toStrictEqual(first);
    expect((await hosted(ana)).map(({ title, going }) => [title, going])).toEqual([['Edited', 2]]);
    await remove(ana, party);
    expect(await again()).toStrictEqual(first);
    expect(await hosted(ana)).toEqual([]);
    // Without the key it would be another party, and the template is gone.
    expect(refusal(await create(ana, details))).toBe(404);
  });

  test('knows an Idempotency-Key for a day', async () => {
    const ana = await newHost();
    const sent = { 'idempotency-key': 'yesterday' };
    await create(ana, {}, sent);
    await daybook.d1
      .prepare(`UPDATE one_time_keys SET created_at = created_at - 86400000 WHERE key = 'yesterday'`)
      .run();
    await create(ana, {}, sent);
    await create(ana, {}, sent);
    expect(await hosted(ana)).toHaveLength(2);
  });
});

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
    const row = { ...party, ...changed };
    expect(await edit(host, party, change)).toMatchObject({ status: 200, json: row });
    expect((await readParty(host, party)).json).toStrictEqual(row);
    // Neither the room, nor the deadline, nor the plus-ones, nor what is hidden.
    expect(await partyOf(maya, party)).toMatchObject({ going: null });
    expect(complaints(await rsvp(maya, party, { guests: 4 }))).toHaveLength(1);
    expect((await rsvp(maya, party, { guests: 3 })).status).toBe(200);
    for (const guest of await several(6, () => newGuest())) await rsvp(guest, party);
    expect(refusal(await rsvp(june, party))).toBe(409);
    const stored = await daybook.d1.prepare('SELECT rsvp_by FROM parties WHERE id = ?').bind(party.id).first('rsvp_by');
    expect(stored).toBe(`${dayAhead(6).slice(6)}-${dayAhead(6).slice(0, 5)}`);
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

  test.each([
    ['a title that is null', { title: null }],
    ['a blank title', { title: ' ' }],
    ['a date that is null', { date: null }],
    ['a date that is not real', { date: '02-30-2091' }],
    ['a start that is null', { startTime: null }],
    ['an end that is no time', { end: '25:00' }],
    ['yesterday', { date: dayAhead(-1) }],
    ['a link that is a script', { locationUrl: 'javascript:alert(1)' }],
    ['room for nobody', { capacity: 0 }],
    ['21 plus-ones', { plusOnes: 21 }],
    ['a deadline in ISO form', { rsvpBy: '2091-05-05' }],
    ['a description of 5,001', { description: 'x'.repeat(5001) }],
    ['hiding that is a number', { hideGoing: 5 }],
    ['hiding that is nonsense', { hideGoing: 'banana' }],
  ])('with %s is refused, and nothing changes', async (_, change) => {
    const party = await fullParty();
    expect(complaints(await edit(host, party, { description: 'New', ...change }))).toHaveLength(1);
    expect((await readParty(host, party)).json).toStrictEqual(party);
  });

  test.each([[null], [[]], [[{ title: 'Listed' }]], ['x'], [5]])(
    'refuses the body %j, and nothing changes',
    async (body) => {
      const party = await fullParty();
      expect(complaints(await edit(host, party, body))).toEqual(['Send an object with the fields of this call.']);
      expect((await readParty(host, party)).json).toStrictEqual(party);
    },
  );

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

describe('DeleteParty', () => {
  test('deletes the party with its answers', async () => {
    const party = await createParty(host);
    await rsvp(maya, party);
    const answer = await remove(host, party);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(refusal(await readParty(host, party))).toBe(404);
    expect(refusal(await rsvp(maya, party))).toBe(404);
    for (const who of [host, maya]) expect(titlesOf(await all(who))).not.toContain(party.id);
    const left = await daybook.d1
      .prepare('SELECT count(*) AS many FROM invitations WHERE party_id = ?')
      .bind(party.id)
      .first('many');
    expect(left).toBe(0);
  });

  test('again is a 204 or a 404', async () => {
    const party = await createParty(host);
    expect((await remove(host, party)).status).toBe(204);
    expect([204, 404]).toContain((await remove(host, party)).status);
  });

  test('of another’s, of a meetup and of nothing is the same 404, and nothing is deleted', async () => {
    const [party, meetup] = await Promise.all([createParty(host), createMeetup(host)]);
    await rsvp(maya, party);
    const missing = await remove(host, nothing);
    expect(refusal(missing)).toBe(404);
    for (const answer of [await remove(rival, party), await remove(host, meetup)]) {
      expect([answer.status, answer.text]).toEqual([404, missing.text]);
    }
    expect(await answersIn(party)).toEqual([['maya.l', true]]);
    expect((await readParty(host, meetup)).json).toStrictEqual(meetup);
  });

  test('without an id is a 400', async () => {
    expect(complaints(await host.api('DELETE', '/api/Party/DeleteParty'))).toHaveLength(1);
    expect(complaints(await host.api('DELETE', '/api/Party/DeleteParty?id='))).toHaveLength(1);
  });
});

describe('GetMy and GetAll', () => {
  test('give parties by start: those one hosts, and also those one has answered', async () => {
    const [ana, rui, zoe] = (await Promise.all([newHost(), newHost(), newGuest()])) as [Person, Person, Person];
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
    expect(titlesOf(await hosted(rui))).toEqual(['second', 'unanswered', 'fourth']);
  });

  test('of somebody who has none are empty lists', async () => {
    const [ana, zoe] = (await Promise.all([newHost(), newGuest()])) as [Person, Person];
    expect([await hosted(ana), await all(ana), await all(zoe)]).toEqual([[], [], []]);
  });
});

describe('what a party tells', () => {
  let party: Party;
  beforeAll(async () => {
    party = await createParty(host, {
      plusOnes: 3,
      template: await publishQuestions(host, [{ questionText: 'Secret?' }]),
    });
    await rsvp(maya, party, { guests: 2 }, [{ question: 'Secret?', answer: 'Allergic to bees' }]);
    await rsvp(june, party, { accepted: false });
  });

  /** The party as everybody but its host reads it, the guests themselves included. */
  async function readings(): Promise<Party[]> {
    const loggedOut = await registerConsumer(daybook);
    await loggedOut.api('DELETE', '/api/Account/Logout');
    const readers = [daybook.visitor(), maya, june, rival, await newGuest(), loggedOut];
    const inList = (await all(maya)).filter(({ id }) => id === party.id);
    return [...(await Promise.all(readers.map((who) => partyOf(who, party)))), ...inList];
  }

  test('to anyone but its host is not who was invited, nor what they answered', async () => {
    const rows = await readings();
    expect(rows).toHaveLength(7);
    for (const row of rows) {
      expect(row).toStrictEqual({ ...party, going: 3 });
      for (const secret of ['maya.l', 'Maya Lindqvist', june.username, 'bees']) {
        expect(JSON.stringify(row)).not.toContain(secret);
      }
    }
  });

  test('to anyone but its host is not how many are coming, where that is hidden', async () => {
    await edit(host, party, { hideGoing: true });
    for (const { going } of await readings()) expect(going).toBeNull();
    expect(await goingTo(party)).toBe(3);
    expect((await hosted(host)).find(({ id }) => id === party.id)).toMatchObject({ going: 3 });
    await edit(host, party, { hideGoing: false });
  });

  test('to its host is nothing more once they are logged out', async () => {
    const ana = await newHost();
    const own = await createParty(ana);
    await rsvp(maya, own);
    const cookie = ana.browser.cookies.get('daybook') ?? '';
    expect((await partyOf(ana, own)).invitations).toHaveLength(1);
    await ana.api('DELETE', '/api/Account/Logout');
    ana.browser.cookies.set('daybook', cookie);
    expect((await readParty(ana, own)).json).toStrictEqual({ ...own, going: 1 });
    for (const call of ['GetMy', 'GetAll']) expect(refusal(await ana.api('GET', `/api/Party/${call}`))).toBe(401);
  });

  test('where it is hidden, is in no page that a guest may open, nor in the data behind it', async () => {
    const crowd = await createParty(host, { title: 'Hidden crowd', plusOnes: 20, capacity: 99, hideGoing: true });
    const guest = await newGuest();
    await rsvp(maya, crowd, { guests: 20 });
    await rsvp(june, crowd, { guests: 20 });
    await rsvp(rival, crowd, { guests: 20 });
    await rsvp(guest, crowd, { accepted: false });
    const pages = [
      '/invitations',
      `/?rsvp=${crowd.id}`,
      `/party/${crowd.id}`,
      `/invitations?_data=routes%2Fparties%2Fanswered`,
      `/?rsvp=${crowd.id}&_data=routes%2Fhome`,
      `/party/${crowd.id}?_data=routes%2Fletters%2Fparty`,
    ];
    const telling: string[] = [];
    for (const path of pages) {
      const { status, text } = await guest.browser.get(path);
      expect([path, status, text.includes('Hidden crowd')]).toEqual([path, 200, true]);
      if (/"(going|left)":\s*(63|36)|63 people|36 places|"invited"/.test(text)) telling.push(path);
    }
    expect(telling).toEqual([]);
  });

  test('where it is hidden, is not told by a refusal either', async () => {
    const party = await createParty(host, { capacity: 4, plusOnes: 20, hideGoing: true });
    await rsvp(maya, party, { guests: 1 });
    const refused = [await rsvp(june, party, { guests: 2 }), await rsvp(june, party, { guests: 20 })];
    expect(refused.map(refusal)).toEqual([409, 409]);
    expect(refused[0]?.json).toMatch(/^There is not enough room/);
    expect(refused[1]?.json).toBe(refused[0]?.json);
    expect(refused[0]?.json).not.toMatch(/\d|\b(one|two|places?)\b/);
    const letter = await june.browser.get(`/party/${party.id}`);
    const page = await letter.submit('RSVP', { guests: '2' });
    expect([page.status, page.words.includes(refused[0]?.json as string)]).toEqual([409, true]);
    expect((await rsvp(june, party, { guests: 1 })).status).toBe(200);
    expect((await rsvp(rival, party)).json).toBe('This party is full.');
  });
});

describe('on the screens', () => {
  test('a form that is sent twice has one effect', async () => {
    const ana = await newHost();
    const blank = await ana.browser.get('/create-party');
    const iso = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
    const typed = { title: 'Twice', date: iso };
    const pages = [await blank.submit('Create party', typed), await blank.submit('Create party', typed)];
    for (const page of pages)
      expect([page.status, page.words.includes('Twice is ready to be shared.')]).toEqual([200, true]);
    const [party, ...more] = await hosted(ana);
    expect(more).toEqual([]);
    expect(party).toMatchObject({ title: 'Twice', startTime: '19:00', endTime: '23:00' });

    const gone = await ana.browser.get('/create-party');
    await gone.submit('Create party', { title: 'Deleted', date: iso });
    await remove(ana, (await hosted(ana)).find(({ title }) => title === 'Deleted') as Party);
    const late = await gone.submit('Create party', { title: 'Deleted', date: iso });
    expect([late.status, new URL(late.url).pathname, late.words.includes('Deleted')]).toEqual([200, '/', false]);
    expect(titlesOf(await hosted(ana))).toEqual(['Twice']);

    const letter = await maya.browser.get(`/party/${party?.id}`);
    for (const _ of ['once', 'twice']) {
      expect((await letter.submit('RSVP')).words).toContain('You are going to Twice.');
    }
    expect((await partyOf(ana, party as Party)).invitations).toHaveLength(1);
  });

  test('a form with a past date says so beside whatever else is wrong', async () => {
    const page = await host.browser.get('/create-party');
    const refused = await page.submit('Create party', { title: ' ', date: '2020-01-01' });
    expect(refused.status).toBe(400);
    for (const message of ['Title is missing.', 'not in the past']) expect(refused.words).toContain(message);
  });

  test('a refusal keeps all that was typed and says why', async () => {
    const template = await publishQuestions(host, [
      { questionText: 'Bringing?' },
      { questionText: 'Staying?', questionType: singleChoice, options: ['Yes', 'No'] },
    ]);
    const party = await createParty(host, { capacity: 1, plusOnes: 3, template });
    const guest = await newGuest();
    const asked = await guest.browser.visit(`/party/${party.id}?step=questions`);
    await rsvp(maya, party);
    const fields = asked.$$('textarea, input[type=radio]').map((field) => field.getAttribute('name') ?? '');
    const [bringing = '', staying = ''] = new Set(fields);
    const page = await asked.submit('RSVP', { [bringing]: 'Two <cakes>', [staying]: 'Yes', guests: '2' });
    expect(page.status).toBe(409);
    expect(page.words).toContain('This party is full.');
    expect(page.$('textarea')?.text).toBe('Two <cakes>');
    expect(page.$('input[type=radio][checked]')?.getAttribute('value')).toBe('Yes');
    expect(page.$('input[name=guests]')?.getAttribute('value')).toBe('2');
    // Where there is less room than asked for, how much is left.
    await edit(host, party, { capacity: 2 });
    const less = await page.submit('RSVP');
    expect([less.status, less.words.includes('one place is left')]).toEqual([409, true]);
    expect((await less.submit('RSVP', { guests: '0' })).words).toContain('You are going to Garden party.');
  });

  test('who logs in on the letter comes straight back to it', async () => {
    const party = await createParty(host);
    const stranger = await daybook.visitor().visit(`/party/${party.id}`);
    const page = await stranger.submit('Log in', { username: 'maya.l', password });
    expect([page.status, page.path]).toEqual([200, `/party/${party.id}`]);
    expect((await page.submit('RSVP')).words).toContain('You are going to Garden party.');
  });
});
