import { invalid } from '../errors';

/** What a question asks for; the numbers are the API's. */
export const questionType = { multipleChoice: 0, singleChoice: 1, openEnded: 2 } as const;
export type QuestionType = (typeof questionType)[keyof typeof questionType];

/** One question of a published template. `options` is null for an open one. */
export type Question = {
  id: string;
  questionText: string;
  questionType: QuestionType;
  options: string[] | null;
  required: boolean;
};

/** The name of a template that was given none. */
export const untitled = 'Untitled Template';

/** One question and what was answered, as texts. */
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

/** What joins the selected values of a multiple-choice answer. */
export const separator = '|';

/** The values of a stored answer: several where the question is multiple-choice. */
export const valuesOf = ({ questionType: type }: Question, answer: string): string[] =>
  type === questionType.multipleChoice ? answer.split(separator) : [answer];

/** An answer as people read it: the values of a multiple-choice one with commas between, any other as it was given. */
export function answerInWords(questions: Question[], { question, answer }: Answer): string {
  const asked = questions.find(({ questionText }) => questionText === question);
  return asked ? valuesOf(asked, answer).join(', ') : answer;
}

const fieldStart = 'answer-';

/** The name of the form field for a question. */
export const answerField = ({ id }: Pick<Question, 'id'>) => fieldStart + id;

/**
 * A form's fields as answers: several ticked values joined as the rules say.
 * @throws DomainError invalid where a field answers a question that is asked in another wording by now
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

/** The values that were answered to a question, none where it was not. */
export function answeredValues(question: Question, answers: Answer[]): string[] {
  const found = answers.find(({ question: text }) => text === question.questionText);
  return found ? valuesOf(question, found.answer) : [];
}
