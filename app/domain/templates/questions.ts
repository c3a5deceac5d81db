import { invalid } from '../errors';
import { fold } from '../input/fold';

/** The types of questions, in the API's numbers. */
export const questionType = { multipleChoice: 0, singleChoice: 1, openEnded: 2 } as const;
export type QuestionType = (typeof questionType)[keyof typeof questionType];

/** One question of a published template. `options` is null for an open question. */
export type Question = {
  id: string;
  questionText: string;
  questionType: QuestionType;
  options: string[] | null;
  required: boolean;
};

/** The name of a template without a name. */
export const untitled = 'Untitled Template';

/** A question and its answer, as texts. */
export type Answer = { question: string; answer: string };

/** A published version of a set of check-in questions. */
export type Template = {
  id: string;
  displayName: string;
  provider: string;
  questions: Question[];
  /** False for an earlier version and for a deleted template. */
  isCurrent: boolean;
};

/** Joins the selected values of a multiple-choice answer. */
export const separator = '|';

/** The values of a stored answer: several where the question is multiple-choice. */
export const valuesOf = ({ questionType: type }: Question, answer: string): string[] =>
  type === questionType.multipleChoice ? answer.split(separator) : [answer];

/** An answer for people: commas between the values of a multiple-choice answer, any other answer unchanged. */
export function answerInWords(questions: Question[], { question, answer }: Answer): string {
  const asked = questions.find(({ questionText }) => questionText === question);
  return asked ? valuesOf(asked, answer).join(', ') : answer;
}

/** The same, but a choice as its option is spelt: choices are stored in lower case. */
export function answerAsOffered(questions: Question[], { question, answer }: Answer): string {
  const asked = questions.find(({ questionText }) => questionText === question);
  if (!asked) return answer;
  const spelt = (value: string) => asked.options?.find((option) => fold(option) === fold(value)) ?? value;
  return valuesOf(asked, answer).map(spelt).join(', ');
}

const fieldStart = 'answer-';

/** The name of the form field for a question. */
export const answerField = ({ id }: Pick<Question, 'id'>) => fieldStart + id;

/**
 * Reads answers from the fields of a form. Ticked values of one question are joined by `separator`.
 * @throws DomainError invalid where a field answers a question that has been reworded since
 */
export function answersFromForm(questions: Question[], typed: Record<string, string[]>): Answer[] {
  const asked = new Set(questions.map(answerField));
  const isOther = ([name, values]: [string, string[]]) =>
    name.startsWith(fieldStart) && !asked.has(name) && values.some((value) => value.trim() !== '');
  if (asked.size > 0 && Object.entries(typed).some(isOther)) {
    throw invalid(null, 'The questions have been changed meanwhile. Please answer them as they are now.');
  }
  return questions.flatMap((question) => {
    const values = typed[answerField(question)];
    return values ? [{ question: question.questionText, answer: values.join(separator) }] : [];
  });
}

/** The values of the answer to a question; none where there is no answer. */
export function answeredValues(question: Question, answers: Answer[]): string[] {
  const found = answers.find(({ question: text }) => text === question.questionText);
  return found ? valuesOf(question, found.answer) : [];
}
