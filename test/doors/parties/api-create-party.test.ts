import { describe, expect, test } from 'vitest';
import { complaints, refusal } from '../../support/complaints';
import { dayAhead, peopleAt, several } from '../../support/factories';
import { create, edit, hosted, remove } from '../../support/party-calls';
import { createParty, full, type Party, publishQuestions, rsvp } from '../../support/party-factories';
import { useServer, useWorld } from '../../support/use-server';

const daybook = useServer();
const { newProvider: newHost } = peopleAt(daybook);
const { host, rival, maya } = useWorld(daybook, { host: {}, rival: {}, maya: { username: 'maya.l' } });

const question = [{ questionText: 'Why?' }];

describe('CreateParty', () => {
  test('takes the times and the template by each of their names', async () => {
    const template = await publishQuestions(host, question);
    const noTimes = { startTime: undefined, endTime: undefined };
    const short = { ...noTimes, start: '20:15', end: '21:45' };
    expect(await createParty(host, short)).toMatchObject({ startTime: '20:15', endTime: '21:45' });
    for (const name of ['template', 'templateId', 'formId']) {
      expect(await createParty(host, { [name]: template })).toMatchObject({ template });
    }
    for (const none of [null, '', undefined]) {
      expect(await createParty(host, { template: none })).toMatchObject({ template: null });
    }
  });

  test.each<[string, string, unknown[]]>([
    [
      'a title that is none, too long, of two lines or no text',
      'title',
      [undefined, ' \n ', 'x'.repeat(201), 'a\nb', 5],
    ],
    [
      'a description that is too long, can’t be shown or is no text',
      'description',
      ['x'.repeat(5001), 'a\u0000b', ['x']],
    ],
    ['an address that is too long or no text', 'address', ['x'.repeat(501), {}]],
    ['no date', 'date', [undefined, null, '']],
    ['a date of another form, or that is not real', 'date', ['2091-05-05', '02-30-2091', 20910505]],
    ['yesterday', 'date', [dayAhead(-1)]],
    ['a start that is none, or no time', 'startTime', [undefined, '24:00', '9:00', '09:00:00', 9]],
    ['an end that is none, or no time', 'endTime', [undefined, null, 'late']],
    ['room for nobody, for too many or for no number', 'capacity', [0, -1, 10.5, 100_001, 'many', [10]]],
    ['a deadline of another form, or that is not real', 'rsvpBy', ['2091-05-05', '13-01-2091', 5]],
    ['a deadline that is past, or after the party', 'rsvpBy', [dayAhead(-1), dayAhead(8)]],
    ['plus-ones that are too few, too many or no number', 'plusOnes', [-1, 21, 0.5, 'some']],
    ['hiding that is neither true nor false', 'hideGoing', [5, 'banana', '', [true]]],
    ['a template that is no text', 'template', [5]],
    [
      'a link that is a script',
      'locationUrl',
      ['javascript:alert(1)', 'java\nscript:alert(1)', ' JavaScript:alert(1)'],
    ],
    ['a link that is no web address', 'locationUrl', ['data:text/html,hello', 'ftp://example.org/map', 'https://', 5]],
    [
      'a link without a scheme, or within the site',
      'locationUrl',
      ['example.org', '//example.org', '/x', 'https:logout'],
    ],
    ['a link in two lines', 'locationUrl', ['https://example.org/\r\nmap']],
  ])('with %s is refused, and nothing is created', async (_, field, values) => {
    for (const value of values) {
      const faults = complaints(await create(rival, { [field]: value }));
      expect([value, faults.length]).toEqual([value, 1]);
    }
    expect(await hosted(rival)).toEqual([]);
  });

  test('names every fault at once', async () => {
    const broken = { title: '', date: 'someday', startTime: 'nine', endTime: 'ten', capacity: 0, plusOnes: 99 };
    expect(complaints(await create(host, { ...broken, locationUrl: 'here', rsvpBy: 'soon' }))).toHaveLength(8);
  });

  test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])(
    'knows the past by the calendar of %s, and names it beside whatever else is wrong',
    async (timeZone) => {
      const ana = await newHost({ timeZone });
      const [yesterday, today] = [dayAhead(-1, timeZone), dayAhead(0, timeZone)];
      expect((await create(ana, { date: today })).status).toBe(201);
      expect(complaints(await create(ana, { date: yesterday }))).toHaveLength(1);
      expect(complaints(await create(ana, { title: '', date: today }))).toHaveLength(1);
      expect(complaints(await create(ana, { title: '', date: yesterday }))).toEqual([
        expect.stringMatching(/^Title/),
        expect.stringMatching(/not in the past/),
      ]);
    },
  );

  test('names a wrong last day to answer, and a key that is too long, beside whatever else is wrong', async () => {
    const late = [expect.stringMatching(/^Title/), "The last day to answer can't be after the day of the party."];
    expect(complaints(await create(host, { title: '', rsvpBy: dayAhead(8) }))).toEqual(late);
    expect(complaints(await create(host, { date: dayAhead(-1), rsvpBy: dayAhead(-2) }))).toHaveLength(2);
    const long = { 'idempotency-key': 'k'.repeat(201) };
    expect(complaints(await create(host, { date: dayAhead(-1) }, long))).toHaveLength(2);
  });

  test('takes as much as fits, counted as people count, and as little', async () => {
    const texts = { title: '𝒯'.repeat(200), description: '𝒯'.repeat(5000), address: '𝒯'.repeat(500) };
    expect(await createParty(host, { ...texts, capacity: 100_000, plusOnes: 20, rsvpBy: dayAhead(7) })).toMatchObject(
      texts,
    );
    const least = { capacity: 1, plusOnes: 0, hideGoing: false, rsvpBy: dayAhead(0) };
    expect((await create(host, least, { 'idempotency-key': 'k'.repeat(200) })).status).toBe(201);
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

  test('keeps a map link as given, and makes a search of the address where there is none', async () => {
    const address = 'Rua da Rosa 5 & 7\n1200-001 Lisboa #2 ½';
    for (const locationUrl of [
      'https://maps.example.org/a?b=c&d=%20#e',
      'HTTPS://Maps.Example.Org/x',
      'http://a.example',
    ]) {
      expect(await createParty(host, { locationUrl, address })).toMatchObject({ locationUrl });
    }
    const { protocol, searchParams } = new URL((await createParty(host, { address })).locationUrl ?? '');
    expect([protocol, ...searchParams.values()]).toEqual(['https:', address]);
  });

  test('with a template that is not a current one of one’s own is a 404, and nothing is created', async () => {
    const ana = await newHost();
    const [theirs, gone] = await Promise.all([publishQuestions(rival, question), publishQuestions(ana, question)]);
    expect((await ana.api('DELETE', `/api/Checkin/DeleteTemplate?id=${gone}`)).status).toBe(204);
    const answers = await Promise.all([theirs, gone, 'none'].map((template) => create(ana, { template })));
    expect(answers.map(refusal)).toEqual([404, 404, 404]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await hosted(ana)).toEqual([]);
  });

  test('again, and many times at once, with the same Idempotency-Key creates one party for each caller', async () => {
    const [ana, rui] = await Promise.all([newHost(), newHost()]);
    const sent = { 'idempotency-key': 'saturday' };
    const answers = [...(await several(5, () => create(ana, {}, sent))), await create(ana, {}, sent)];
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(201));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const { status, text } = await create(rui, {}, sent);
    expect([status, text === answers[0]?.text]).toEqual([201, false]);
    await create(ana, {}, { 'idempotency-key': 'sunday' });
    await create(ana);
    expect([(await hosted(ana)).length, (await hosted(rui)).length]).toEqual([3, 1]);
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
    const details = { ...full, hideGoing: true, template: await publishQuestions(ana, question) };
    const again = async () => {
      const { status, json } = await create(ana, details, { 'idempotency-key': 'the first answer' });
      return { status, json };
    };
    const first = await again();
    expect(first).toMatchObject({ status: 201, json: { title: 'Garden party', going: 0, template: details.template } });
    const party = first.json as Party;
    await rsvp(maya, party, { guests: 1 }, [{ question: 'Why?', answer: 'Fun' }]);
    await edit(ana, party, { title: 'Edited', address: null });
    await ana.api('DELETE', `/api/Checkin/DeleteTemplate?id=${details.template}`);
    const renamed = { displayName: 'Renamed', location: 'Porto', timeZone: 'UTC' };
    await ana.browser.post('/profile', { intent: 'profile', ...renamed });
    expect(await again()).toStrictEqual(first);
    expect((await hosted(ana)).map(({ title, going }) => [title, going])).toEqual([['Edited', 2]]);
    await remove(ana, party);
    expect(await again()).toStrictEqual(first);
    expect(await hosted(ana)).toEqual([]);
    // Without the key it would be another party, and the template is gone.
    expect(refusal(await create(ana, details))).toBe(404);
  });
});
