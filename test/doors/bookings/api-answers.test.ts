import { beforeAll, describe, expect, test } from 'vitest';
import { complaints, nothing, personalLink, started, taken } from '../../support/complaints';
import {
  book,
  cancel,
  dayAhead,
  look,
  type Person,
  peopleAt,
  publish,
  publishOne,
  type Row,
  rowsOf,
  several,
  writeSlot,
} from '../../support/factories';
import {
  type Answer,
  bookWith,
  idOf,
  intake,
  intakeAnswers,
  intakeKept,
  publishAsking,
  submitForm,
  type Template,
  writeTemplate,
} from '../../support/template-factories';
import { useServer, useWorld } from '../../support/use-server';

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { ana, maya, june } = useWorld(daybook, { ana: {}, maya: {}, june: {} });

describe('Book with answers', () => {
  let provider: Person;
  let asked: Template;
  let slots: Row[];
  beforeAll(async () => {
    provider = await newProvider();
    asked = await writeTemplate(provider);
    slots = await publish(provider, { end: '10:40' }, `templateId=${idOf(asked)}&len=5`);
  });
  const nextSlot = () => {
    const slot = slots.shift();
    if (!slot) throw new Error('No slot is left.');
    return slot;
  };

  test('books and keeps them in one step; again, it answers the same', async () => {
    const slot = nextSlot();
    const booked = {
      ...slot,
      status: 1,
      username: maya.username,
      bookerName: maya.displayName,
      formData: intakeKept,
      people: 1,
      free: 0,
    };
    for (const answers of [intakeAnswers, intakeAnswers, [], [{ question: 'Nonsense', answer: 'x' }]]) {
      const answer = await bookWith(maya, slot, answers);
      expect(answer.status).toBe(200);
      expect(answer.json).toStrictEqual({ ...booked, link: personalLink });
    }
    const { json: mine } = await look(maya, slot);
    expect(mine).toStrictEqual({ ...booked, link: personalLink });
    expect((await look(provider, slot)).json).toStrictEqual(booked);
    expect(rowsOf(await maya.api('GET', '/api/Appointment/GetBooked'))).toContainEqual(mine);
  });

  test('that are wrong is refused with one message for each fault, and leaves the slot open', async () => {
    const slot = nextSlot();
    const wrong = [
      { question: 'Which side hurts?', answer: 'up' },
      { question: 'Shoe size?', answer: '42' },
    ];
    const faults = complaints(await bookWith(maya, slot, wrong));
    const about = ['Shoe size?', 'What brings you here?', 'Which side hurts?', 'متى'];
    expect(faults.sort()).toEqual(about.map((words) => expect.stringContaining(words)));
    expect((await look(june, slot)).json).toStrictEqual(slot);
    const { results } = await daybook.d1.prepare('SELECT * FROM bookings WHERE id = ?').bind(slot.id).all();
    expect(results).toEqual([]);
    expect((await bookWith(june, slot, intakeAnswers)).status).toBe(200);
  });

  test('without a body books, with the answers owed', async () => {
    const slot = nextSlot();
    expect((await book(maya, slot)).json).toMatchObject({ status: 1, formData: [] });
    expect((await submitForm(maya, slot, intakeAnswers)).json).toMatchObject({ formData: intakeKept });
  });

  test('of a slot that asks nothing takes none', async () => {
    const slot = await publishOne(await newProvider());
    expect(complaints(await bookWith(maya, slot, intakeAnswers))).toHaveLength(intakeAnswers.length);
    expect((await look(maya, slot)).json).toStrictEqual(slot);
    expect((await bookWith(maya, slot, [])).json).toMatchObject({ status: 1, formData: [] });
  });

  test('by several at once is won by one, with their own answers', async () => {
    const slot = nextSlot();
    const crowd = [maya, june, ...(await several(3, () => newConsumer()))];
    const own = ({ username }: Person): Answer[] =>
      intakeAnswers.map((said) => (said.question === 'Anything else?' ? { ...said, answer: username } : said));
    const answers = await Promise.all(crowd.map((who) => bookWith(who, slot, own(who))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    for (const answer of answers) if (answer.status === 409) expect(answer).toMatchObject(taken);
    const row = (await look(provider, slot)).json as Row;
    expect(row.formData.at(-1)).toEqual({ question: 'Anything else?', answer: row.username });
  });
});

describe('SubmitForm', () => {
  let provider: Person;
  let asked: Template;
  let slot: Row;
  beforeAll(async () => {
    provider = await newProvider();
    asked = await writeTemplate(provider);
    slot = await publishAsking(provider, idOf(asked));
    await book(maya, slot);
  });
  const formOf = async (who = maya) => ((await look(who, slot)).json as Row).formData;
  const required = intakeAnswers.filter(({ question }) =>
    intake.some(({ questionText, required }) => required && questionText === question),
  );

  test('sets the answers in the place of all that was answered before; again, it answers the same', async () => {
    for (const _ of ['once', 'twice']) {
      const answer = await submitForm(maya, slot, intakeAnswers);
      expect(answer.status).toBe(200);
      expect(answer.json).toMatchObject({ id: slot.id, status: 1, username: maya.username, formData: intakeKept });
    }
    for (const who of [maya, provider]) expect(await formOf(who)).toStrictEqual(intakeKept);
    await submitForm(maya, slot, required);
    expect((await formOf(provider)).map(({ question }) => question)).toEqual(required.map(({ question }) => question));
  });

  test('that breaks a rule names each fault, and leaves the answers as they were', async () => {
    await submitForm(maya, slot, intakeAnswers);
    const wrong = [
      { question: 'Which side hurts?', answer: 'left|right' },
      { question: 'Shoe size?', answer: '42' },
    ];
    expect(complaints(await submitForm(maya, slot, wrong))).toHaveLength(4);
    for (const body of [null, [null], [{ question: 'Is it urgent?' }]]) {
      expect(complaints(await submitForm(maya, slot, body))).toHaveLength(1);
    }
    expect(await formOf()).toStrictEqual(intakeKept);
  });

  test('is the booker’s alone', async () => {
    for (const who of [june, provider, ana]) expect(await submitForm(who, slot, intakeAnswers)).toMatchObject(nothing);
    const open = await publishAsking(provider, idOf(asked), { dates: [dayAhead(2)] });
    for (const who of [maya, provider]) expect(await submitForm(who, open, intakeAnswers)).toMatchObject(nothing);
  });

  test('of what was canceled, has begun, or asks nothing is a 409', async () => {
    const lost = await publishAsking(provider, idOf(asked), { dates: [dayAhead(3)] });
    await bookWith(maya, lost, intakeAnswers);
    await cancel(provider, lost);
    const begun = await writeSlot(daybook.d1, provider, { template: idOf(asked), startsIn: -1, booker: maya });
    const silent = await publishOne(provider, { dates: [dayAhead(4)] });
    await book(maya, silent);
    for (const answers of [intakeAnswers, [], [{ question: 'Nonsense', answer: 'x' }]]) {
      for (const one of [lost, silent]) {
        expect(await submitForm(maya, one, answers)).toMatchObject({ status: 409, json: expect.any(String) });
      }
      expect(await submitForm(maya, begun, answers)).toMatchObject(started);
    }
    expect((await look(maya, lost)).json).toMatchObject({ formData: intakeKept });
    expect((await look(maya, begun)).json).toMatchObject({ formData: [] });
  });
});
