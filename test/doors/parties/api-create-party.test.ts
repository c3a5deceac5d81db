import { describe, expect, test } from 'vitest';
import { complaints, refusal } from '../../support/complaints';
import { dayAhead, type Person, peopleAt, several } from '../../support/factories';
import { create, edit, hosted, remove } from '../../support/party-calls';
import { createParty, full, type Party, publishQuestions, rsvp } from '../../support/party-factories';
import { useServer } from '../../support/use-server';
import { useWorld } from '../../support/world';

const daybook = useServer();
const { newProvider: newHost } = peopleAt(daybook);
const { host, rival, maya } = useWorld(daybook, { host: {}, rival: {}, maya: { username: 'maya.l' } });

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
    ['a deadline that is past', { rsvpBy: dayAhead(-1) }],
    ['a deadline after the party', { rsvpBy: dayAhead(8) }],
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
    ['a link within the site by its scheme', { locationUrl: 'https:logout' }],
    ['a link in two lines', { locationUrl: 'https://example.org/\r\nmap' }],
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
    const late = [expect.stringMatching(/^Title/), "The last day to answer can't be after the day of the party."];
    expect(complaints(await create(host, { title: '', rsvpBy: dayAhead(8) }))).toEqual(late);
    expect(complaints(await create(host, { date: dayAhead(-1), rsvpBy: dayAhead(-2) }))).toHaveLength(2);
    const long = { 'idempotency-key': 'k'.repeat(201) };
    expect(complaints(await create(host, { date: dayAhead(-1) }, long))).toHaveLength(2);
  });

  test('takes a last day to answer from today to the day of the party', async () => {
    for (const rsvpBy of [dayAhead(0), dayAhead(7)]) expect((await create(host, { rsvpBy })).status).toBe(201);
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
    const ofLength = (length: number) => create(ana as Person, {}, { 'idempotency-key': 'k'.repeat(length) });
    expect((await ofLength(200)).status).toBe(201);
    expect(complaints(await ofLength(201))).toHaveLength(1);
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
