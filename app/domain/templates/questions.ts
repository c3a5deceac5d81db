import { msg } from '@lingui/core/macro';
import { invalid } from '../errors';
import { fold } from '../input/fold';

// The numbers that the API uses.
export const questionType = { multipleChoice: 0, singleChoice: 1, openEnded: 2 } as const;
export type QuestionType = (typeof questionType)[keyof typeof questionType];

/** `options` is null for an open question. */
export type Question = {
  id: string;
  questionText: string;
  questionType: QuestionType;
  options: string[] | null;
  required: boolean;
};

export const untitled = 'Untitled Template';

export type Answer = { question: string; answer: string };

/** A published version of a provider's check-in questions. */
export type Template = {
  id: string;
  displayName: string;
  provider: string;
  questions: Question[];
  isCurrent: boolean; // false for an earlier version and for a deleted template
};

/** Separates the chosen values of a multiple-choice answer. */
export const separator = '|';

/** The values of an answer; only multiple choice can have several. */
export const valuesOf = ({ questionType: type }: Question, answer: string): string[] =>
  type === questionType.multipleChoice ? answer.split(separator) : [answer];

/**
 * Makes a function that writes an answer for people: each choice as its option is spelt, not in lower case as stored,
 * with commas between several. An answer to an unknown question stays as it is stored.
 */
export function answerWords(questions: Question[]): (answer: Answer) => string {
  const spellings = new Map(
    questions.map((question) => [
      question.questionText,
      { question, options: new Map(question.options?.map((option) => [fold(option), option])) },
    ]),
  );
  return ({ question: text, answer }) => {
    const spelling = spellings.get(text);
    if (!spelling) return answer;
    const { question, options } = spelling;
    if (question.questionType === questionType.openEnded) return answer;
    return valuesOf(question, answer)
      .map((value) => options.get(fold(value)) ?? value)
      .join(', ');
  };
}

/** The answers with each choice as its option is spelt. */
export function answersInWords(questions: Question[], answers: Answer[]): Answer[] {
  const words = answerWords(questions);
  return answers.map((answer) => ({ question: answer.question, answer: words(answer) }));
}

const fieldStart = 'answer-';

export const answerField = ({ id }: Pick<Question, 'id'>) => fieldStart + id;

export const hasAnswers = (typed: Record<string, string[]>): boolean =>
  Object.entries(typed).some(
    ([name, values]) => name.startsWith(fieldStart) && values.some((value) => value.trim() !== ''),
  );

/**
 * Reads answers from a form. The ticked values of a question are joined by `separator`.
 * @throws DomainError invalid if a question was reworded since the form was shown
 */
export function answersFromForm(questions: Question[], typed: Record<string, string[]>): Answer[] {
  const fieldNames = new Set(questions.map(answerField));
  const isOther = ([name, values]: [string, string[]]) =>
    name.startsWith(fieldStart) && !fieldNames.has(name) && values.some((value) => value.trim() !== '');
  if (fieldNames.size > 0 && Object.entries(typed).some(isOther)) {
    throw invalid(null, msg`The questions have been changed meanwhile. Please answer them as they are now.`);
  }
  return questions.flatMap((question) => {
    const values = typed[answerField(question)];
    return values ? [{ question: question.questionText, answer: values.join(separator) }] : [];
  });
}

/** The answers that a form for another time has; null if it asks none. */
export const answersOfMove = (typed: Record<string, string[]>) =>
  typed.template ? (questions: Question[]) => answersFromForm(questions, typed) : null;

/** The chosen values of a question; none if it was not answered. */
export function answeredValues(question: Question, answers: Answer[]): string[] {
  const answer = answers.find(({ question: text }) => text === question.questionText);
  return answer ? valuesOf(question, answer.answer) : [];
}
