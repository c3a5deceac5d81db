import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../../../app/domain/errors';
import { parse } from '../../../app/domain/input/fields';
import { fold } from '../../../app/domain/input/fold';
import { answerList, answersOrThrow } from '../../../app/domain/templates/answers';
import { type Answer, answeredValues, type Question, questionType } from '../../../app/domain/templates/questions';
import { questionList } from '../../../app/domain/templates/templates';
import { inEnglish } from '../../../app/domain/words/english';

const { multipleChoice, singleChoice, openEnded } = questionType;

/** The questions of a template as it is published; the id of each is its place. */
const template = (drafts: unknown[]): Question[] =>
  parse(questionList, drafts).map((draft, place) => ({ id: `question-${place}`, ...draft }));

const open = (questionText: string, required = false) => ({ questionText, questionType: openEnded, required });
const choice = (questionType: number, questionText: string, options: string[]) => ({
  questionText,
  questionType,
  options,
  required: false,
});

/** What is stored of answers, or what is wrong with them. */
function read(questions: Question[], sent: Answer[]) {
  try {
    return { stored: answersOrThrow(questions, sent), faults: [] };
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'invalid') throw error;
    return {
      stored: null,
      faults: error.faults.map(({ field, message }) => ({ field, message: inEnglish(message) })),
    };
  }
}

describe('the message of a fault', () => {
  const asked = template([
    open('Name?', true),
    choice(singleChoice, 'Which side?', ['Left', 'Right']),
    choice(multipleChoice, 'What have you tried?', ['Rest', 'Ice', 'Heat']),
    open('Anything else?'),
  ]);
  const { faults } = read(asked, [
    { question: 'Which side?', answer: 'up' },
    { question: 'Shoe size?', answer: '42' },
    { question: 'What have you tried?', answer: 'ice|magic' },
    { question: 'Anything else?', answer: 'x'.repeat(2001) },
  ]);

  test('is one for each', () => {
    expect(faults).toHaveLength(5);
  });

  test.each([
    ['a question that nobody has asked', null, /Shoe size\?/],
    ['an answer that is missing', 'question-0', /Name\?/],
    ['a choice that is none', 'question-1', /Which side\?.*up/],
    ['one of several choices that is none', 'question-2', /What have you tried\?.*magic/],
    ['an answer that is too long', 'question-3', /Anything else\?.*2,?000/],
  ])('names %s', (_, field, message) => {
    expect(faults).toContainEqual({ field, message: expect.stringMatching(message) });
  });
});

test.each(['x', '🦷'])('a short response has up to 2,000 of %s, counted as people count', (letter) => {
  const most = letter.repeat(2000);

  const answers = answersOrThrow(template([open('Why?')]), [{ question: 'Why?', answer: ` ${most} ` }]);

  expect(answers).toEqual([{ question: 'Why?', answer: most }]);
});

test.each([
  ['Übel?', 'ÜBEL?'],
  ['Größe?', 'GRÖSSE?'],
  ['Πώς;', 'ΠΏΣ;'],
  ['Café?', 'CAFE\u0301?'],
])('the answer to %j is known by %j too', (questionText, question) => {
  const answers = answersOrThrow(template([open(questionText)]), [{ question, answer: 'Yes' }]);

  expect(answers).toEqual([{ question: questionText, answer: 'Yes' }]);
});

describe('the values of an answer', () => {
  const [said, chosen] = template([open('Which side?'), choice(multipleChoice, 'What helped?', ['Rest', 'Ice'])]);
  const answers = [
    { question: 'Which side?', answer: 'left|right' },
    { question: 'What helped?', answer: 'rest|ice' },
  ];

  test.each([
    ['are all that is chosen', chosen, answers, ['rest', 'ice']],
    ['are the whole text that is typed', said, answers, ['left|right']],
    ['are none without an answer', chosen, answers.slice(0, 1), []],
  ])('%s', (_, question, given, values) => {
    expect(answeredValues(question as Question, given)).toEqual(values);
  });
});

test.each([
  [{}, 1],
  [['yes', 'no'], 2],
  [[null], 1],
  [[{ question: 'a' }], 1],
  [[{}], 2],
  [[{ question: 'a', answer: ['b'] }], 1],
])('%j is no list of answers, and has so many faults: %i', (sent, faults) => {
  const refusal = expect.objectContaining({ faults: Array(faults).fill(expect.anything()) });
  expect(() => parse(answerList, sent)).toThrow(refusal);
});

/*
 * Any template and any answers to it. Each question is answered in a way that is known to be right, with what is to be
 * stored of it, or known to be wrong; then the answers are shuffled, spelt otherwise, and preceded by ones they replace.
 */

const isPlain = (text: string) => !/\p{Cc}/u.test(text);
const composed = (text: string) => text.normalize('NFC').trim();
const lower = (text: string) => text.normalize('NFC').toLowerCase().normalize('NFC');
const isSafeToShout = (text: string) => fold(text.toUpperCase()) === fold(text);

/** Any Unicode text of one line, neither blank nor long. */
const anyText = fc
  .oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
    fc.constantFrom('É', 'é', 'ΟΔΟΣ', 'İ', 'straße', 'مساءً', '🧑‍🦽', '"', "'", '\\', 'null', '__proto__', '٣'),
  )
  .filter(isPlain)
  .map(composed)
  .filter((text) => text !== '');

const anyOption = anyText.map((text) => composed(text.replaceAll('|', '/'))).filter((text) => text !== '');
const byCase = { selector: fold, comparator: 'SameValue' } as const;

const common = { questionText: anyText, required: fc.boolean() };
const options = fc.uniqueArray(anyOption, { ...byCase, minLength: 2, maxLength: 6 });
const anyQuestion = fc.oneof(
  fc.record({ ...common, questionType: fc.constant(openEnded) }),
  fc.record({ ...common, questionType: fc.constantFrom(singleChoice, multipleChoice), options }),
);
const anyTemplate = fc
  .uniqueArray(anyQuestion, { selector: ({ questionText }) => fold(questionText), minLength: 1, maxLength: 7 })
  .map(template);

/** The same text spelt otherwise: what a person would still call the same. */
const respelt = (text: string) =>
  fc
    .constantFrom(
      (same: string) => same,
      (same: string) => ` ${same}\u2003`,
      (same: string) => same.normalize('NFD'),
      (same: string) => (isSafeToShout(same) ? same.toUpperCase() : same),
      (same: string) => (isSafeToShout(same) ? same.toLowerCase() : same),
    )
    .map((spell) => spell(text))
    .filter((spelt) => fold(spelt.trim()) === fold(text));

/** What may be sent to a question: with what is stored of it, or wrong. */
type Reply = { question: Question; answer: string | null; stored: string | null; isWrong: boolean };
type Right = [answer: string | null, stored: string | null];

const anyLines = fc
  .array(fc.oneof(anyText, fc.constantFrom('', '|', 'a|b', '"')), { minLength: 1, maxLength: 4 })
  .chain((lines) => fc.constantFrom('\n', '\r\n').map((end): Right => [lines.join(end), composed(lines.join('\n'))]))
  .filter(([, stored]) => stored !== '');
const tooLongOrOdd = fc.constantFrom('x'.repeat(2001), '🦷'.repeat(2001), 'be\u0000fore', 'af\u001bter');
const none = fc.constantFrom(null, '', ' \n ');

function anyReply(question: Question): fc.Arbitrary<Reply> {
  const options = question.options ?? [];
  const noOption = anyOption.filter((text) => !options.some((one) => fold(one) === fold(text)));
  const chosen = (some: string[]) =>
    fc.tuple(...some.map(respelt)).map((sent): Right => [sent.join('|'), some.map(lower).join('|')]);
  const ofType = {
    [openEnded]: () => ({ right: anyLines, wrong: tooLongOrOdd }),
    [singleChoice]: () => ({
      right: fc.constantFrom(...options).chain((one) => chosen([one])),
      wrong: fc.oneof(noOption, fc.constant(options.join('|'))),
    }),
    [multipleChoice]: () => ({
      right: fc.subarray(options, { minLength: 1 }).chain(chosen),
      wrong: fc.tuple(fc.subarray(options), noOption).map(([some, unknown]) => [...some, unknown].join('|')),
    }),
  };
  const { right, wrong } = ofType[question.questionType]();
  const isWrong = question.required;
  return fc.oneof(
    { weight: 9, arbitrary: right.map(([answer, stored]) => ({ question, answer, stored, isWrong: false })) },
    { weight: 1, arbitrary: wrong.map((answer) => ({ question, answer, stored: null, isWrong: true })) },
    { weight: 1, arbitrary: none.map((answer) => ({ question, answer, stored: null, isWrong })) },
  );
}

/** The entry that says a reply, preceded, perhaps, by one that it replaces. */
const entriesOf = ({ question, answer }: Reply) =>
  fc
    .tuple(respelt(question.questionText), respelt(question.questionText), fc.option(anyText))
    .map(([earlier, later, replaced]): Answer[] => {
      if (answer === null) return [];
      const said = { question: later, answer };
      return replaced === null ? [said] : [{ question: earlier, answer: replaced }, said];
    });

/** A template, a reply to each of its questions, what nobody has asked, and all that as it is sent. */
const anyForm = anyTemplate.chain((questions) => {
  const isStrange = (text: string) => questions.every(({ questionText }) => fold(questionText) !== fold(text));
  const strange = fc.uniqueArray(anyText.filter(isStrange), { ...byCase, maxLength: 2 });
  const unknown = fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: strange });
  return fc.tuple(fc.tuple(...questions.map(anyReply)), unknown).chain(([replies, unknown]) =>
    fc
      .tuple(...replies.map(entriesOf))
      .chain((all) => fc.shuffledSubarray(all, { minLength: all.length }))
      .map((entries) => {
        const sent = [...unknown.map((question) => ({ question, answer: 'x' })), ...entries.flat()];
        return { questions, replies, unknown, sent };
      }),
  );
});

test('any answers are stored exactly as the rules say, or refused with one message for each fault', () => {
  let right = 0;
  fc.assert(
    fc.property(anyForm, ({ questions, replies, unknown, sent }) => {
      const wrong = replies.filter(({ isWrong }) => isWrong).map(({ question }) => question.id);
      const { stored, faults } = read(questions, sent);
      const faultyQuestions = faults.flatMap(({ field }) => field ?? []);
      expect(faultyQuestions, 'each wrong answer is a fault of its question').toEqual(wrong);
      const otherFaults = faults.filter(({ field }) => field === null);
      expect(otherFaults, 'each unknown question is a fault').toHaveLength(unknown.length);
      for (const { message } of faults) expect(message.trim(), 'a fault has a message').not.toBe('');
      const wanted = replies.flatMap(({ question, stored: answer }) =>
        answer === null ? [] : [{ question: question.questionText, answer }],
      );
      expect(stored, 'right answers are stored, and none where one is wrong').toEqual(
        wrong.length + unknown.length > 0 ? null : wanted,
      );
      if (stored === null) return;
      right += 1;
      expect(answersOrThrow(questions, stored), 'what is stored is stored the same once more').toEqual(stored);
    }),
    { numRuns: 1000 },
  );
  expect(right).toBeGreaterThan(200);
});
