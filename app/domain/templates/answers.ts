import * as z from 'zod/mini';
import { DomainError, type Fault } from '../errors';
import { characters, excerpt, hasControls, tidyLines } from '../input/fields';
import { fold, lowerCased } from '../input/fold';
import { limits } from '../input/limits';
import { type Answer, type Question, questionType, separator, valuesOf } from './questions';

/** Answers to questions. If a question is answered twice, the later answer counts. */
export const answerList = z.array(
  z.object(
    {
      question: z.string('A question must be text.'),
      answer: z.string('An answer must be text.').check(z.meta({ maxLength: limits.answer })),
    },
    'An answer needs a question and an answer.',
  ),
  'The body must be a list of answers.',
);

// A blank answer is no answer.
function readAnswer(question: Question, input: string): { answer: string } | { wrong: string[] } {
  const text = tidyLines(input);
  if (question.questionType === questionType.openEnded) {
    const wrong = [
      ...(characters(text) > limits.answer ? [`can be answered in at most ${limits.answer} characters.`] : []),
      ...(hasControls(text) ? ["is answered with characters that can't be shown."] : []),
    ];
    return wrong.length > 0 ? { wrong } : { answer: text };
  }
  if (text === '') return { answer: '' };
  // Options are compared folded and stored in lower case: STRASSE for Straße becomes straße.
  const options = new Map((question.options ?? []).map((option) => [fold(option), lowerCased(option)]));
  const values = valuesOf(question, lowerCased(text)).map((value) => value.trim());
  const unknown = new Set(values.filter((value) => !options.has(fold(value))));
  if (unknown.size > 0) return { wrong: [...unknown].map((value) => `has no option “${excerpt(value)}”.`) };
  return { answer: [...new Set(values.map((value) => options.get(fold(value))))].join(separator) };
}

/**
 * Checks a whole form: a question that is left out has no answer. Upper and lower case don't matter for options, which
 * are stored in lower case.
 * @returns the answers without blank ones, in the order and wording of the questions; and a fault for each unknown
 * question, wrong answer and missing required answer, with the question's id as field
 */
export function checkAnswers(questions: Question[], input: Answer[]): { answers: Answer[]; faults: Fault[] } {
  const faults: Fault[] = [];
  const byText = new Map(questions.map((question) => [fold(question.questionText), question]));
  const answersById = new Map<string, string>();
  for (const { question, answer } of input) {
    const match = byText.get(fold(question.trim()));
    if (match) answersById.set(match.id, answer);
    else faults.push({ field: null, message: `“${excerpt(question)}” is not one of the questions.` });
  }
  const answers = questions.flatMap((question) => {
    const read = readAnswer(question, answersById.get(question.id) ?? '');
    const complain = (words: string) =>
      faults.push({ field: question.id, message: `“${question.questionText}” ${words}` });
    if ('wrong' in read) read.wrong.forEach(complain);
    else if (read.answer !== '') return [{ question: question.questionText, answer: read.answer }];
    else if (question.required) complain('needs an answer.');
    return [];
  });
  return { answers, faults };
}

/** Checks answers. @throws DomainError invalid */
export function readAnswers(questions: Question[], input: Answer[]): Answer[] {
  const { answers, faults } = checkAnswers(questions, input);
  if (faults.length > 0) throw new DomainError('invalid', faults);
  return answers;
}
