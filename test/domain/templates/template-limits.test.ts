import { describe, expect, test } from 'vitest';
import { parse } from '../../../app/domain/input/fields';
import { questionType } from '../../../app/domain/templates/questions';
import { questionList } from '../../../app/domain/templates/templates';
import { faultsOf } from '../../support/complaints';
import { type Draft, one } from '../../support/template-factories';

const { multipleChoice, singleChoice, openEnded } = questionType;

const choice = (...options: string[]) => one({ questionType: singleChoice, options });

const read = (questions: unknown) => parse(questionList, questions);

/** Fifty questions of this many characters in all. */
function ofSize(total: number, sign: string): Draft[] {
  const text = (place: number) => `${place + 10}${sign.repeat(498)}`;
  const questions = Array.from({ length: 50 }, (_, place) => ({
    questionText: text(place),
    questionType: singleChoice,
    options: [0, 1, 2].map(text),
  }));
  const over = total - 100_000;
  return questions.map((asked, place) =>
    place === 0 && over > 0 ? { ...asked, options: [...asked.options, sign.repeat(over)] } : asked,
  );
}
const many = (count: number) => Array.from({ length: count }, (_, at) => ({ questionText: `Question ${at}` }));
const options = (count: number) => choice(...Array.from({ length: count }, (_, at) => `Option ${at}`));
const [emoji, accents] = ['🦷'.repeat(500), 'e\u0301'.repeat(500)];

describe('questions', () => {
  test('keep their words composed, trimmed and in their order, and nothing that is not known', () => {
    const questions = [
      { questionText: '  Cafe\u0301?  ', questionType: multipleChoice, options: [' z ', 'E\u0301', 'a'], id: 'mine' },
      { questionText: 'أين؟ <b>', questionType: singleChoice, options: ['👍🏽', '👍'], required: true, order: 7 },
      { questionText: 'Why?', questionType: openEnded, options: ['Yes', 'No'] },
    ];
    expect(read(questions)).toEqual([
      { questionText: 'Café?', questionType: multipleChoice, options: ['z', 'É', 'a'], required: false },
      { questionText: 'أين؟ <b>', questionType: singleChoice, options: ['👍🏽', '👍'], required: true },
      { questionText: 'Why?', questionType: openEnded, options: null, required: false },
    ]);
  });

  test.each<[string, Draft[]]>([
    ['fifty questions', many(50)],
    ['fifty options', options(50)],
    ['a question of 500 emoji', one({ questionText: emoji })],
    ['a question of 500 letters with accents', one({ questionText: ` ${accents} ` })],
    ['100,000 letters in all', ofSize(100_000, 'x')],
  ])('may be %s', (_, questions) => {
    const texts = questions.map(({ questionText }) => questionText?.normalize('NFC').trim());
    expect(read(questions).map(({ questionText }) => questionText)).toEqual(texts);
  });

  test.each<[string, unknown, (RegExp | string)[]]>([
    ['fifty-one questions', many(51), [/At most 50/]],
    ['fifty-one options', options(51), [/at most 50/]],
    ['a question of 501 emoji', one({ questionText: `${emoji}🦷` }), [/500/]],
    ['100,001 letters in all', ofSize(100_001, 'x'), [/100,000/]],
    ['a blank option', choice('a', ' ', 'b'), [/missing/]],
    ['options that differ by case alone', choice('Yes', 'YES'), [/must differ/]],
    ['questions that differ by case alone', [{ questionText: 'ÉTÉ?' }, { questionText: 'été?' }], [/must differ/]],
    ['two questions without a text', [{}, {}], [/must differ/]],
    ['a control sign', one({ questionText: 'be\u0000fore' }), [/can't be shown/]],
    ['a type that there is not', one({ questionType: 3 }), [/type/]],
    ['options that are numbers', [{ questionType: 0, options: [1, 2, 'c'] }], [/missing/, /missing/]],
    [
      'a question asked twice, once with one option',
      [...one(), ...choice('a')],
      [/at least 2 options/, /questions.* must differ/],
    ],
    ['no list', { questions: [] }, [/list/]],
  ])('are not %s, and all that is wrong is said at once', (_, questions, messages) => {
    expect(faultsOf(() => read(questions))).toEqual(messages.map((message) => expect.stringMatching(message)));
  });
});
