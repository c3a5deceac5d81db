import { describe, expect, test } from 'vitest';
import { partsOfFrame } from '../../../app/components/forms/question-parts';
import { type Question, questionType } from '../../../app/domain/templates/questions';

const { multipleChoice, openEnded } = questionType;

const asking = (questionText: string, count: number | null): Question => ({
  id: questionText,
  questionText,
  questionType: count === null ? openEnded : multipleChoice,
  options: count === null ? null : Array.from({ length: count }, (_, place) => `${place + 1}`),
  required: false,
});

/** Each part as the texts and the numbers of choices of what it asks. */
const shown = (...questions: Question[]) =>
  partsOfFrame(questions).map((part) =>
    part.map(({ questionText, options, isRest }) => [questionText, options?.length ?? 0, ...(isRest ? ['rest'] : [])]),
  );

describe('questions in a frame of another site', () => {
  test.each([
    ['none', [], []],
    [
      'two that fit',
      [asking('a', null), asking('b', 3)],
      [
        [
          ['a', 0],
          ['b', 3],
        ],
      ],
    ],
    [
      'a third that does not',
      [asking('a', null), asking('b', 3), asking('c', 1)],
      [
        [
          ['a', 0],
          ['b', 3],
        ],
        [['c', 1]],
      ],
    ],
    ['as many choices as two columns have', [asking('a', 12)], [[['a', 12]]]],
    ['one choice more', [asking('a', 13)], [[['a', 12]], [['a', 1, 'rest']]]],
    [
      'one that follows the rest',
      [asking('a', 13), asking('b', null)],
      [
        [['a', 12]],
        [
          ['a', 1, 'rest'],
          ['b', 0],
        ],
      ],
    ],
  ] satisfies [string, Question[], unknown[]][])('stand in parts: %s', (_, questions, parts) => {
    expect(shown(...questions)).toEqual(parts);
  });

  test('stand in more parts where choices or questions are long', () => {
    const [long, short] = [asking('a', 4), asking('b', 2)];
    const choices = long.options?.map((option) => option.repeat(200)) ?? null;

    expect(
      shown({ ...long, options: choices }, { ...short, questionText: 'b'.repeat(400) }).map((part) => part.length),
    ).toEqual([...[1, 1, 1, 1, 1]]);
  });

  test('lose no choice', () => {
    const [question] = [asking('a', 50)];

    const choices = partsOfFrame([question as Question]).flatMap((part) => part.flatMap(({ options }) => options));

    expect(choices).toEqual(question?.options);
  });
});
