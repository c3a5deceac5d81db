import fc from 'fast-check';
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
  several,
  writeSlot,
} from '../../support/factories';
import {
  type Answer,
  bookWith,
  type Draft,
  formOf,
  idOf,
  intakeAnswers,
  intakeKept,
  multipleChoice,
  one,
  openEnded,
  publishAsking,
  singleChoice,
  submitForm,
  writeTemplate,
} from '../../support/template-factories';
import { useServer, useWorld } from '../../support/use-server';
import type { Page } from '../../support/visit';

/* Answers: given with a booking or after it, read by its two sides alone, and deleted after so many days. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { rival, maya, june } = useWorld(daybook, { rival: {}, maya: {}, june: {} });

const wrong = [
  { question: 'Which side hurts?', answer: 'up' },
  { question: 'Shoe size?', answer: '42' },
];

describe('Book with answers', () => {
  let provider: Person;
  let slots: Row[];
  beforeAll(async () => {
    provider = await newProvider();
    const template = idOf(await writeTemplate(provider));
    slots = await publish(provider, { end: '10:40' }, `templateId=${template}&len=5`);
  });

  test('books and keeps them in one step; again, it answers the same', async () => {
    const [slot] = slots as [Row];
    const { username, displayName: bookerName } = maya;
    const booked = { ...slot, status: 1, username, bookerName, formData: intakeKept, people: 1, free: 0 };
    for (const answers of [intakeAnswers, intakeAnswers, [], [{ question: 'Nonsense', answer: 'x' }]]) {
      const { status, json } = await bookWith(maya, slot, answers);
      expect({ status, json }).toStrictEqual({ status: 200, json: { ...booked, link: personalLink } });
    }
    expect((await look(maya, slot)).json).toStrictEqual({ ...booked, link: personalLink });
    expect((await look(provider, slot)).json).toStrictEqual(booked);
  });

  test('that are wrong is refused with one message for each fault, and leaves the slot open', async () => {
    const [, slot] = slots as [Row, Row];
    const faults = complaints(await bookWith(maya, slot, wrong));
    const about = ['Shoe size?', 'What brings you here?', 'Which side hurts?', 'متى'];
    expect(faults.sort()).toEqual(about.map((words) => expect.stringContaining(words)));
    expect((await look(june, slot)).json).toStrictEqual(slot);
  });

  test('of a slot that asks nothing takes none', async () => {
    const slot = await publishOne(await newProvider());
    expect(complaints(await bookWith(maya, slot, intakeAnswers))).toHaveLength(intakeAnswers.length);
    expect((await bookWith(maya, slot, [])).json).toMatchObject({ status: 1, formData: [] });
  });

  test('by several at once is won by one, with their own answers', async () => {
    const [, , slot] = slots as [Row, Row, Row];
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
  test('is the booker’s alone, and what breaks a rule leaves the answers as they were', async () => {
    const provider = await newProvider();
    const slot = await publishAsking(provider, idOf(await writeTemplate(provider)));
    for (const who of [maya, provider]) expect(await submitForm(who, slot, intakeAnswers)).toMatchObject(nothing);
    await bookWith(maya, slot, intakeAnswers);
    for (const who of [june, provider, rival]) expect(await submitForm(who, slot, [])).toMatchObject(nothing);
    expect(complaints(await submitForm(maya, slot, wrong))).toHaveLength(4);
    for (const body of [null, [null], [{ question: 'Is it urgent?' }]]) {
      expect(complaints(await submitForm(maya, slot, body))).toHaveLength(1);
    }
    for (const who of [maya, provider]) expect(await formOf(who, slot)).toStrictEqual(intakeKept);
  });

  test('of what was canceled, has begun, or asks nothing is a 409', async () => {
    const provider = await newProvider();
    const template = idOf(await writeTemplate(provider));
    const lost = await publishAsking(provider, template);
    await bookWith(maya, lost, intakeAnswers);
    await cancel(provider, lost);
    const begun = await writeSlot(daybook.d1, provider, { template, startsIn: -1, booker: maya });
    const silent = await publishOne(provider, { dates: [dayAhead(4)] });
    await book(maya, silent);
    for (const one of [lost, silent]) {
      expect(await submitForm(maya, one, [])).toMatchObject({ status: 409, json: expect.any(String) });
    }
    expect(await submitForm(maya, begun, intakeAnswers)).toMatchObject(started);
    expect([await formOf(maya, lost), await formOf(maya, begun)]).toEqual([intakeKept, []]);
  });
});

/** The table of question and answer of a page. */
const tableOf = (page: Page) =>
  page.$$('main table tbody tr').map((row) => ({
    question: row.querySelector('th')?.text ?? '',
    answer: row.querySelector('td')?.text ?? '',
  }));

describe('what was answered', () => {
  const open = ['First?', 'אַחַר? "|"'].map((questionText) => ({ questionText, questionType: openEnded }));
  const some = ['ÉTÉ', 'مساءً', '"A" & <b>', '🦷'];
  const questions: Draft[] = [
    ...open,
    { questionText: 'Which?', questionType: singleChoice, options: some },
    { questionText: 'Which ones?', questionType: multipleChoice, options: some },
  ];
  let provider: Person;
  let slot: Row;
  beforeAll(async () => {
    provider = await newProvider();
    slot = await publishAsking(provider, idOf(await writeTemplate(provider, questions)));
    await book(maya, slot);
  });

  /** What is kept, read back over the API and on the pages of both. */
  async function readBack() {
    const kept = await formOf(maya, slot);
    expect(await formOf(provider, slot)).toEqual(kept);
    const spelt = (value: string) => some.find((option) => option.toLowerCase() === value) ?? value;
    const shown = kept.map(({ question, answer }) => {
      if (question === 'Which ones?') return { question, answer: answer.split('|').map(spelt).join(', ') };
      return { question, answer: question === 'Which?' ? spelt(answer) : answer };
    });
    expect(tableOf(await maya.browser.get(`/details-cancel/${slot.id}`))).toEqual(shown);
    for (const screen of ['details-provider', 'view-provider'])
      expect(tableOf(await provider.browser.get(`/${screen}/${slot.id}`))).toEqual(shown);
    return kept;
  }

  test('reads back the same, whatever it is', async () => {
    const anyLine = fc.string({ unit: 'binary', maxLength: 30 }).map((text) => text.replace(/\p{Cc}/gu, ''));
    const anyText = fc
      .array(anyLine, { minLength: 1, maxLength: 3 })
      .map((lines) => lines.join('\n').normalize('NFC').trim());
    const choices = fc.subarray(some).map((chosen) => chosen.join('|'));
    const form = fc.tuple(anyText, anyText, fc.constantFrom('', 'ÉTÉ', '"a" & <B>'), choices);
    await fc.assert(
      fc.asyncProperty(form, async (values) => {
        const sent = values.map((answer, at) => ({ question: questions[at]?.questionText ?? '', answer }));
        expect((await submitForm(maya, slot, sent)).status).toBe(200);
        const expected = sent
          .map(({ question, answer }, at) => ({ question, answer: at < 2 ? answer : answer.toLowerCase() }))
          .filter(({ answer }) => answer !== '');
        expect(await readBack()).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  });

  test('is nobody else’s to read', async () => {
    for (const who of [june, rival]) expect(await look(who, slot)).toMatchObject(nothing);
    const [client, host] = [`/details-cancel/${slot.id}`, `/details-provider/${slot.id}`];
    const strangers = [await june.browser.get(client), await rival.browser.get(host)];
    expect(strangers.map(({ status }) => status)).toEqual([404, 404]);
  });
});

test('what is owed is said to the provider, and asked of the booker, until it is answered', async () => {
  const provider = await newProvider();
  const slot = await publishAsking(provider, idOf(await writeTemplate(provider)));
  expect((await book(maya, slot)).json).toMatchObject({ status: 1, formData: [] });
  const ofProvider = async () => (await provider.browser.visit(`/details-provider/${slot.id}`)).words;
  const ofBooker = async () => (await maya.browser.get(`/details-cancel/${slot.id}`)).words;
  expect(await ofProvider()).toContain('not answered yet');
  expect(await ofBooker()).toContain('Please answer these questions');
  await submitForm(maya, slot, intakeAnswers);
  expect(await ofProvider()).not.toContain('not answered yet');
  expect(await ofBooker()).toContain('Change your answers');
});

test('answers of the past are kept, unless a provider says how long: then they go at once, or when their time has come', async () => {
  const [provider, booker] = [await newProvider(), await newConsumer()];
  const template = idOf(await writeTemplate(provider, one()));
  const past: { id: string }[] = [];
  for (const days of [100, 31, 29, 1]) {
    const slot = await writeSlot(daybook.d1, provider, { startsIn: -days * 24 * 60 - 60, template, booker });
    await daybook.d1
      .prepare('UPDATE bookings SET answers = ?, answered_at = 1 WHERE id = ?')
      .bind(JSON.stringify([{ question: 'How are you?', answer: `${days} days ago` }]), slot.id)
      .run();
    past.push(slot);
  }
  const left = async (who: Person) => {
    const forms = await Promise.all(past.map((slot) => formOf(who, slot)));
    return forms.flat().map(({ answer }) => answer);
  };
  await daybook.scheduled();
  expect(await left(provider)).toEqual(['100 days ago', '31 days ago', '29 days ago', '1 days ago']);
  await provider.api('PUT', '/api/Account/SetRules', { keepAnswersDays: 30 });
  expect(await left(booker)).toEqual(['29 days ago', '1 days ago']);
  const sooner = daybook.d1.prepare('UPDATE accounts SET keep_answers_days = 28 WHERE username = ?');
  await sooner.bind(provider.username).run();
  await daybook.scheduled();
  expect(await left(provider)).toEqual(['1 days ago']);
});
