import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { newsOf } from '../../support/account-calls';
import { nothing } from '../../support/complaints';
import { book, look, type Person, peopleAt, type Row, writeSlot } from '../../support/factories';
import {
  type Draft,
  formOf,
  idOf,
  intakeAnswers,
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

/* What becomes of answers: who reads them, how they read, and after how many days they are deleted. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { rival, maya, june } = useWorld(daybook, { rival: {}, maya: {}, june: {} });

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
    const said = (question: string) => kept.find((one) => one.question === question)?.answer ?? '';
    const spelt = (value: string) => some.find((option) => option.toLowerCase() === value) ?? value;
    const shown = kept.map(({ question, answer }) => {
      if (question === 'Which ones?') return { question, answer: answer.split('|').map(spelt).join(', ') };
      return { question, answer: question === 'Which?' ? spelt(answer) : answer };
    });
    const booker = await maya.browser.get(`/details-cancel/${slot.id}`);
    expect(tableOf(booker)).toEqual(shown);
    for (const screen of ['details-provider', 'view-provider'])
      expect(tableOf(await provider.browser.get(`/${screen}/${slot.id}`))).toEqual(shown);
    const typed = booker.$$('textarea:not([name=reason])').map((field) => field.text.replace(/^\n/, ''));
    expect(typed).toEqual(open.map(({ questionText }) => said(questionText)));
    const ticked = booker.$$('input[checked]').map((field) => field.getAttribute('value')?.toLowerCase());
    const chosen = ['Which?', 'Which ones?'].flatMap((question) => said(question).split('|').filter(Boolean));
    expect(ticked.sort()).toEqual(chosen.sort());
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
    expect((await june.browser.get(`/details-cancel/${slot.id}`)).status).toBe(404);
    expect((await rival.browser.get(`/details-provider/${slot.id}`)).status).toBe(404);
    for (const path of [`/details-cancel/${slot.id}`, `/details-provider/${slot.id}`]) {
      expect((await daybook.visitor().get(path)).status).toBe(302);
    }
  });
});

describe('what is owed', () => {
  const owed = 'not answered yet';
  const pageOf = async (provider: Person, { id }: Row) =>
    (await provider.browser.visit(`/details-provider/${id}`)).words;

  test('is said to the provider, and asked of the booker, until it is answered', async () => {
    const provider = await newProvider();
    const slot = await publishAsking(provider, idOf(await writeTemplate(provider)));
    const booker = async () => (await maya.browser.get(`/details-cancel/${slot.id}`)).words;
    expect(await pageOf(provider, slot)).not.toContain(owed);
    await book(maya, slot);
    expect(await pageOf(provider, slot)).toContain(owed);
    expect(await booker()).toContain('Please answer these questions');
    await submitForm(maya, slot, intakeAnswers);
    expect(await pageOf(provider, slot)).not.toContain(owed);
    expect(await booker()).toContain('Change your answers');
  });
});

describe('answers of the past', () => {
  const day = 24 * 60;
  const keep = (who: Person, keepAnswersDays: unknown) => who.api('PUT', '/api/Account/SetRules', { keepAnswersDays });

  /** A provider, and what was answered to them before so many days, in order. */
  async function answered(...daysAgo: number[]) {
    const [provider, booker] = [await newProvider(), await newConsumer()];
    const template = idOf(await writeTemplate(provider, one()));
    const past: { id: string }[] = [];
    for (const days of daysAgo) {
      const slot = await writeSlot(daybook.d1, provider, { startsIn: -days * day - 60, template, booker });
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
    return { provider, booker, left };
  }

  test('are kept, unless a provider says how long: older ones go at once, others when their time has come', async () => {
    const { provider, booker, left } = await answered(100, 31, 29, 1);
    await daybook.scheduled();
    expect(await left(provider)).toEqual(['100 days ago', '31 days ago', '29 days ago', '1 days ago']);
    expect((await keep(provider, 30)).json).toMatchObject({ keepAnswersDays: 30 });
    expect(await left(booker)).toEqual(['29 days ago', '1 days ago']);
    const sooner = daybook.d1.prepare('UPDATE accounts SET keep_answers_days = 28 WHERE username = ?');
    await sooner.bind(provider.username).run();
    await daybook.scheduled();
    await daybook.scheduled();
    expect(await left(provider)).toEqual(['1 days ago']);
    const news = await newsOf(provider);
    expect(news.filter(({ kind }) => kind === 'answers')).toEqual([]);
    expect((await keep(provider, null)).json).toMatchObject({ keepAnswersDays: null });
  });
});
