import { beforeAll, describe, expect, test } from 'vitest';
import { nothing } from '../../support/complaints';
import { book, dayAhead, look, type Person, peopleAt, publish, type Row, rowsOf } from '../../support/factories';
import { publishQuestions } from '../../support/party-factories';
import { openEnded, singleChoice } from '../../support/template-factories';
import { useServer } from '../../support/use-server';

/* A provider who cancels or moves a booking can publish its time again; who books for somebody can type their answers. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

let maya: Person;
let rita: Person;
beforeAll(async () => {
  [maya, rita] = await Promise.all([newConsumer({ displayName: 'Maya' }), newProvider({ displayName: 'Rita' })]);
});

type Id = { id: string };
const cancel = (who: Person, { id }: Id, query = '&republish=true') =>
  who.api('PUT', `/api/Appointment/Cancel?id=${id}${query}`);
const move = (who: Person, { id }: Id, to: Id, query = '&republish=true') =>
  who.api('PUT', `/api/Appointment/Move?id=${id}&to=${to.id}${query}`);
const openOf = async (host: Person) =>
  rowsOf(await maya.api('GET', `/api/Appointment/GetPage?provider=${host.username}&dates=${dayAhead(1)}`));
const everyDay = Array.from({ length: 7 }, (_, day) => ({ day, start: '09:00', end: '10:00' }));
const setHours = (who: Person, hours: object[], details: object = {}) =>
  who.api('PUT', '/api/Appointment/SetHours', { hours, ahead: 2, ...details });

/** A provider whose slot of tomorrow at nine Maya has booked; the other one is open. */
async function world(notes: string | null = null) {
  const karla = await newProvider({ displayName: 'Karla' });
  const [slot, free] = (await publish(karla, { end: '10:00', notes })) as [Row, Row];
  const row = (await book(maya, slot)).json as Row;
  return { karla, row, free };
}

/** The same, where hours have published both. */
async function worldOfHours() {
  const karla = await newProvider({ displayName: 'Karla' });
  await setHours(karla, everyDay);
  const [slot, free] = (await openOf(karla)) as [Row, Row];
  const row = (await book(maya, slot)).json as Row;
  return { karla, row, free };
}

describe('a provider who cancels', () => {
  test('publishes the time again under a new id, if they say so, and once', async () => {
    const { karla, row, free } = await world('Ring twice');
    expect(await cancel(karla, row)).toMatchObject({ status: 200, json: { id: row.id, status: 2 } });
    await cancel(karla, row);
    const [again, other, ...more] = await openOf(karla);
    expect(again).toMatchObject({ startsAt: row.startsAt, endsAt: row.endsAt, notes: 'Ring twice', status: 0 });
    expect([again?.id === row.id, other?.id, more]).toEqual([false, free.id, []]);
    expect((await look(maya, row)).json).toMatchObject({ status: 2, canceledBy: 'provider' });
    expect((await book(await newConsumer(), again as Row)).status).toBe(200);
  });

  test('does not without a word, and a stranger can do nothing with it', async () => {
    const { karla, row, free } = await world();
    expect(await cancel(rita, row)).toMatchObject(nothing);
    expect(await cancel(await newConsumer(), row)).toMatchObject(nothing);
    await cancel(karla, row, '&republish=false');
    expect((await openOf(karla)).map(({ id }) => id)).toEqual([free.id]);
  });

  test('leaves the time to the hours, which withdraw it and publish it again', async () => {
    const { karla, row } = await worldOfHours();
    await cancel(karla, row);
    expect(await openOf(karla)).toHaveLength(2);
    await setHours(karla, []);
    expect(await openOf(karla)).toEqual([]);
    await setHours(karla, everyDay);
    expect((await openOf(karla)).map(({ startsAt }) => startsAt)).toContain(row.startsAt);
  });
});

describe('a provider who moves', () => {
  test('publishes the old time again, if they say so', async () => {
    const { karla, row, free } = await world();
    expect(await move(karla, row, free)).toMatchObject({ status: 200, json: { id: free.id, movedFrom: row.id } });
    await move(karla, row, free);
    const [again, ...more] = await openOf(karla);
    expect([again?.startsAt, again?.id === row.id, more]).toEqual([row.startsAt, false, []]);
  });
});

describe('the screens', () => {
  const tick = '[name=republish]';
  const isTicked = (page: { $: (selector: string) => { hasAttribute: (name: string) => boolean } | null }) =>
    page.$(tick)?.hasAttribute('checked');

  test('offer it again by a tick, which is on where hours want the time', async () => {
    const byHours = await worldOfHours();
    const byHand = await world();
    for (const [{ karla, row, free }, isOn] of [
      [byHours, true],
      [byHand, false],
    ] as const) {
      expect(isTicked(await karla.browser.get(`/details-provider/${row.id}`))).toBe(isOn);
      expect(isTicked(await karla.browser.get(`/move/${row.id}/${free.id}`))).toBe(isOn);
      const ofClient = await maya.browser.get(`/details-cancel/${row.id}`);
      expect([ofClient.status, ofClient.$(tick)]).toEqual([200, null]);
    }
    await setHours(byHours.karla, everyDay, { except: [{ date: dayAhead(1) }] });
    expect(isTicked(await byHours.karla.browser.get(`/details-provider/${byHours.row.id}`))).toBe(false);
  });

  test('do what the tick says, and say so afterwards', async () => {
    const [one, other] = [await worldOfHours(), await worldOfHours()];
    const kept = await (await one.karla.browser.get(`/details-provider/${one.row.id}`)).submit('Cancel Appointment');
    expect(kept.words).toContain('Its time is free for others again.');
    expect((await openOf(one.karla)).map(({ startsAt }) => startsAt)).toContain(one.row.startsAt);
    const page = await other.karla.browser.get(`/details-provider/${other.row.id}`);
    const gone = await page.submit('Cancel Appointment', { republish: [] });
    expect(gone.words).toContain('Its time is not published again.');
    expect((await openOf(other.karla)).map(({ id }) => id)).toEqual([other.free.id]);
  });

  test('of a move do the same', async () => {
    const { karla, row, free } = await worldOfHours();
    await (await karla.browser.get(`/move/${row.id}/${free.id}`)).submit('Move it');
    expect((await openOf(karla)).map(({ startsAt }) => startsAt)).toEqual([row.startsAt]);
  });
});

describe('the answers of somebody who calls', () => {
  const questions = [
    { questionText: 'Why?', questionType: openEnded, required: true },
    { questionText: 'Which side?', questionType: singleChoice, options: ['Left', 'Right'], required: false },
  ];

  async function asking() {
    const karla = await newProvider();
    const template = await publishQuestions(karla, questions);
    const [slot] = (await publish(karla, {}, `templateId=${template}`)) as [Row];
    return { karla, slot };
  }
  const bookFor = (who: Person, { id }: Id, body: object) =>
    who.api('POST', `/api/Appointment/BookFor?id=${id}`, { displayName: 'Wanda', ...body });

  test('come with BookFor, by the rules of answers', async () => {
    const { karla, slot } = await asking();
    const wrong = await bookFor(karla, slot, {
      formData: [
        { question: 'Which side?', answer: 'Behind' },
        { question: 'Who?', answer: 'I' },
      ],
    });
    expect([wrong.status, (wrong.json as string[]).length]).toEqual([400, 3]);
    const body = {
      formData: [
        { question: 'WHY?', answer: 'Pain' },
        { question: 'Which side?', answer: 'LEFT' },
      ],
    };
    expect(await bookFor(rita, slot, body)).toMatchObject(nothing);
    expect((await look(karla, slot)).json).toMatchObject({ status: 0 });
    expect(await bookFor(karla, slot, body)).toMatchObject({
      status: 201,
      json: {
        bookerName: 'Wanda',
        formData: [
          { question: 'Why?', answer: 'Pain' },
          { question: 'Which side?', answer: 'left' },
        ],
      },
    });
    expect(await bookFor(karla, slot, body)).toMatchObject({ status: 409 });
  });

  test('are owed without', async () => {
    const { karla, slot } = await asking();
    expect(await bookFor(karla, slot, {})).toMatchObject({ status: 201, json: { formData: [] } });
  });

  test('are typed in the form, and kept where one is wrong', async () => {
    const { karla, slot } = await asking();
    const page = await karla.browser.get(`/details-provider/${slot.id}`);
    const [why, side] = ['textarea', 'input[type=radio]'].map(
      (kind) => page.$(`main ${kind}[name^=answer-]`)?.getAttribute('name') ?? '',
    ) as [string, string];
    const refused = await page.submit('Book for them', { displayName: 'Wanda', [side]: 'Left' });
    expect([refused.status, refused.words]).toEqual([400, expect.stringContaining('“Why?” needs an answer.')]);
    expect(refused.$(`[name="${side}"][value=Left]`)?.hasAttribute('checked')).toBe(true);
    const done = await refused.submit('Book for them', { displayName: 'Wanda', [why]: 'Pain', [side]: 'Left' });
    expect([done.status, done.words]).toEqual([200, expect.stringContaining('Pain')]);
    const empty = await asking();
    await (await empty.karla.browser.get(`/details-provider/${empty.slot.id}`)).submit('Book for them', {
      displayName: 'Wanda',
    });
    expect((await look(empty.karla, empty.slot)).json).toMatchObject({ bookerName: 'Wanda', formData: [] });
  });
});
