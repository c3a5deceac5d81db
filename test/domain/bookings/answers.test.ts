import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../../../app/domain/errors';
import { parse } from '../../../app/domain/input/fields';
import { fold } from '../../../app/domain/input/fold';
import { answerList, readAnswers } from '../../../app/domain/templates/answers';
import { type Answer, type Question, questionType } from '../../../app/domain/templates/questions';
import { questionList } from '../../../app/domain/templates/templates';

const { multipleChoice, singleChoice, openEnded } = questionType;

/** The questions of a template as it is published; the id of each is its place. */
const template = (drafts: unknown[]): Question[] =>
  parse(questionList, drafts).map((draft, place) => ({ id: `question-${place}`, ...draft }));

const open = (questionText: string, required = false) => ({ questionText, questionType: openEnded, required });
const choice =
  (questionType: number) =>
  (questionText: string, options: string[], required = false) => ({ questionText, questionType, options, required });
const [oneOf, someOf] = [choice(singleChoice), choice(multipleChoice)];

/** What is kept of answers, or what is wrong with them. */
function read(questions: Question[], sent: Answer[]) {
  try {
    return { kept: readAnswers(questions, sent), faults: [] };
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'invalid') throw error;
    return { kept: null, faults: error.faults };
  }
}

/** What is kept of one answer to the one question of a template, or the messages that refuse it. */
function readOne(draft: unknown, answer: string): string | null | string[] {
  const questions = template([draft]);
  const { kept, faults } = read(questions, [{ question: questions[0]?.questionText ?? '', answer }]);
  return kept ? (kept[0]?.answer ?? null) : faults.map(({ message }) => message);
}

const side = oneOf('Which side?', ['Left', 'Right']);
const tried = someOf('What have you tried?', ['Rest', 'Ice', 'Heat']);
const words = open('Anything else?');

describe('answers and their questions', () => {
  test('are refused with one message for each fault, which says whose it is', () => {
    const asked = template([open('Name?', true), side, tried, words]);
    const { faults } = read(asked, [
      { question: 'Which side?', answer: 'up' },
      { question: 'Shoe size?', answer: '42' },
      { question: 'What have you tried?', answer: 'ice|magic' },
      { question: 'Anything else?', answer: 'x'.repeat(2001) },
    ]);
    const said = faults.map(({ field, message }) => [field, message]).sort();
    expect(said).toEqual([
      [null, expect.stringContaining('Shoe size?')],
      ['question-0', expect.stringContaining('Name?')],
      ['question-1', expect.stringMatching(/Which side\?.*up/)],
      ['question-2', expect.stringMatching(/What have you tried\?.*magic/)],
      ['question-3', expect.stringMatching(/Anything else\?.*2,?000/)],
    ]);
  });
});

describe('a short response', () => {
  test.each([
    ['letters', 'x'],
    ['emoji', '🦷'],
  ])('has up to 2,000 %s, counted as people count, and not one more', (_, one) => {
    const most = one.repeat(2000 / [...one.normalize('NFC')].length);
    expect(readOne(words, ` ${most} `)).toBe(most.normalize('NFC').trim());
    expect(readOne(words, `x${most.trim()}x${one}`)).toEqual([expect.stringContaining('2000')]);
  });
});

describe('answers as they are sent', () => {
  test.each([
    [{}, 1],
    [['yes', 'no'], 2],
    [[null], 1],
    [[{ question: 'a' }], 1],
    [[{}], 2],
    [[{ question: 'a', answer: ['a', 'b'] }], 1],
  ])('are not %j, which has so many faults: %i', (sent, faults) => {
    const refusal = expect.objectContaining({ faults: Array(faults).fill(expect.anything()) });
    expect(() => parse(answerList, sent)).toThrow(refusal);
  });
});

/*
 * Any template and any answers to it. Each question is answered in a way that is known to be right, with what is to be
 * kept of it, or known to be wrong; then the answers are shuffled, spelt otherwise, and preceded by ones they replace.
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
    fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 12 }),
    fc.constantFrom('É', 'é', 'ΟΔΟΣ', 'İ', 'straße', 'مساءً', '🧑‍🦽', '"', "'", '\\', 'null', '__proto__', '٣'),
  )
  .filter(isPlain)
  .map(composed)
  .filter((text) => text !== '');

const anyOption = anyText.map((text) => composed(text.replaceAll('|', '/'))).filter((text) => text !== '');
const byCase = { selector: fold, comparator: 'SameValue' } as const;

const anyQuestion = fc.oneof(
  fc.record({ questionText: anyText, questionType: fc.constant(openEnded), required: fc.boolean() }),
  fc.record({
    questionText: anyText,
    questionType: fc.constantFrom(singleChoice, multipleChoice),
    options: fc.uniqueArray(anyOption, { ...byCase, minLength: 2, maxLength: 6 }),
    required: fc.boolean(),
  }),
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

type Reply = { question: Question; answer: string | null; kept: string | null; isWrong: boolean };

const anyLines = fc
  .array(fc.oneof(anyText, fc.constantFrom('', '|', 'a|b', '"')), { minLength: 1, maxLength: 4 })
  .chain((lines) => fc.constantFrom('\n', '\r\n').map((end) => ({ sent: lines.join(end), kept: lines.join('\n') })))
  .map(({ sent, kept }) => ({ sent, kept: composed(kept) }));

function rightReply(question: Question): fc.Arbitrary<Reply> {
  const reply = (answer: string | null, kept: string | null): Reply => ({ question, answer, kept, isWrong: false });
  const options = question.options ?? [];
  const right = () => {
    if (question.questionType === openEnded) {
      return anyLines.filter(({ kept }) => kept !== '').map(({ sent, kept }) => reply(sent, kept));
    }
    if (question.questionType === singleChoice) {
      return fc.constantFrom(...options).chain((one) => respelt(one).map((sent) => reply(sent, lower(one))));
    }
    return fc
      .subarray(options, { minLength: 1 })
      .chain((some) => fc.tuple(...some.map(respelt)).map((sent) => reply(sent.join('|'), some.map(lower).join('|'))));
  };
  const none = fc.constantFrom(null, '', ' \n ').map((answer) => reply(answer, null));
  return question.required ? right() : fc.oneof({ weight: 3, arbitrary: right() }, { weight: 1, arbitrary: none });
}

function wrongReply(question: Question): fc.Arbitrary<Reply> {
  const reply = (answer: string | null): Reply => ({ question, answer, kept: null, isWrong: true });
  const options = new Set((question.options ?? []).map(fold));
  const noOption = anyOption.filter((text) => !options.has(fold(text)));
  const wrong = {
    [openEnded]: fc.constantFrom('x'.repeat(2001), '🦷'.repeat(2001), 'be\u0000fore', 'af\u001bter').map(reply),
    [singleChoice]: fc.oneof(noOption, fc.constant([...options].join('|'))).map(reply),
    [multipleChoice]: fc
      .tuple(fc.subarray([...options]), noOption)
      .map(([chosen, unknown]) => reply([...chosen, unknown].join('|'))),
  }[question.questionType];
  const none = fc.constantFrom(null, '', ' \n ').map(reply);
  return question.required ? fc.oneof(wrong, none) : wrong;
}

/** The entries that say these replies: each preceded, perhaps, by one that it replaces. */
const entriesOf = (replies: Reply[]) =>
  fc
    .tuple(
      ...replies.map(({ question, answer }) =>
        fc
          .tuple(respelt(question.questionText), respelt(question.questionText), fc.option(anyText))
          .map(([earlier, later, replaced]): Answer[] => {
            if (answer === null) return [];
            const said = { question: later, answer };
            return replaced === null ? [said] : [{ question: earlier, answer: replaced }, said];
          }),
      ),
    )
    .chain((perQuestion) => fc.shuffledSubarray(perQuestion, { minLength: perQuestion.length }))
    .map((mixed) => mixed.flat());

/** A template, a reply to each of its questions, what nobody has asked, and all that as it is sent. */
const formOf = (replyTo: (question: Question) => fc.Arbitrary<Reply>, mostUnknown: number) =>
  anyTemplate.chain((questions) => {
    const texts = new Set(questions.map(({ questionText }) => fold(questionText)));
    const strange = anyText.filter((text) => !texts.has(fold(text)));
    const replies = fc.tuple(...questions.map(replyTo));
    return fc.tuple(replies, fc.uniqueArray(strange, { ...byCase, maxLength: mostUnknown })).chain(([said, unknown]) =>
      entriesOf(said).map((entries) => {
        const sent = [...unknown.map((question) => ({ question, answer: 'x' })), ...entries];
        return { questions, replies: said, unknown, sent };
      }),
    );
  });

const rightForm = formOf(rightReply, 0);
const mixedForm = formOf((question) => fc.oneof(rightReply(question), wrongReply(question)), 3);

describe('any list of answers', () => {
  test('that is right is kept exactly as the rules say, and the same where what was kept is sent again', () => {
    fc.assert(
      fc.property(rightForm, ({ questions, replies, sent }) => {
        const kept = replies.flatMap(({ question, kept: answer }) =>
          answer === null ? [] : [{ question: question.questionText, answer }],
        );
        expect(read(questions, sent)).toEqual({ kept, faults: [] });
        expect(readAnswers(questions, kept)).toEqual(kept);
      }),
      { numRuns: 500 },
    );
  });

  test('that is wrong is refused with one message for each fault, and nothing else is', () => {
    fc.assert(
      fc.property(mixedForm, ({ questions, replies, unknown, sent }) => {
        const { kept, faults } = read(questions, sent);
        const wrong = replies.filter(({ isWrong }) => isWrong).map(({ question }) => question.id);
        expect(kept === null).toBe(wrong.length + unknown.length > 0);
        expect(faults.map(({ field }) => field).filter((field) => field !== null)).toEqual(wrong);
        expect(faults.filter(({ field }) => field === null)).toHaveLength(unknown.length);
        for (const { message } of faults) expect(message.trim()).not.toBe('');
      }),
      { numRuns: 500 },
    );
  });
});
