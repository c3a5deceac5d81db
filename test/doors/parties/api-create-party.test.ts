import { describe, expect, test } from 'vitest';
import { complaints, refusal } from '../../support/complaints';
import { dayAhead, peopleAt, several } from '../../support/factories';
import { create, edit, hosted, remove } from '../../support/party-calls';
import { createParty, full, type Party, publishQuestions, rsvp } from '../../support/party-factories';
import { deleteTemplate } from '../../support/template-factories';
import { useServer, useWorld } from '../../support/use-server';

const daybook = useServer();
const { newProvider: newHost } = peopleAt(daybook);
const { host, rival, maya } = useWorld(daybook, { host: {}, rival: {}, maya: {} });

const question = [{ questionText: 'Why?' }];

describe('CreateParty', () => {
  test('takes the times and the template by each of their names', async () => {
    const template = await publishQuestions(host, question);
    const short = { startTime: undefined, endTime: undefined, start: '20:15', end: '21:45' };
    expect(await createParty(host, short)).toMatchObject({ startTime: '20:15', endTime: '21:45' });
    for (const name of ['template', 'templateId', 'formId']) {
      expect(await createParty(host, { [name]: template })).toMatchObject({ template });
    }
  });

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

  test('again with the same Idempotency-Key answers the same whatever became of the party, its questions and its day', async () => {
    const [west, east] = ['Pacific/Pago_Pago', 'Pacific/Kiritimati']; // where it is a day later
    const ana = await newHost({ timeZone: west });
    const wholeDay = { date: dayAhead(0, west), startTime: '00:00', endTime: '00:00', rsvpBy: null };
    const template = await publishQuestions(ana, question);
    const details = { ...full, ...wholeDay, hideGoing: true, template };
    const again = async () => {
      const { status, json } = await create(ana, details, { 'idempotency-key': 'the first answer' });
      return { status, json };
    };
    const first = await again();
    expect(first).toMatchObject({ status: 201, json: { title: 'Garden party', going: 0, template } });
    const party = first.json as Party;
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
    // Without the key it would be another party, and its day is over, its template gone.
    expect(complaints(await create(ana, wholeDay))).toHaveLength(1);
    expect(refusal(await create(ana, { template }))).toBe(404);
  });
});
