import { msg, plural } from '@lingui/core/macro';
import * as z from 'zod/mini';
import { DomainError, type Fault } from '../errors';
import { characters, excerpt, fault, hasControls, tidyLines } from '../input/fields';
import { fold, lowerCased } from '../input/fold';
import { limits } from '../input/limits';
import type { Words } from '../words/words';
import { type Answer, type Question, questionType, separator, valuesOf } from './questions';

/** Reads the answers of a form, whose fields are named by question, so reading it takes the questions. */
export type SubmittedAnswers = (questions: Question[]) => Answer[];

/** Answers to questions. If a question is answered twice, the later answer counts. */
export const answerList = z.array(
  z.object(
    {
      question: z.string(fault(msg`A question must be text.`)),
      answer: z.string(fault(msg`An answer must be text.`)).check(z.meta({ maxLength: limits.answer })),
    },
    fault(msg`An answer needs a question and an answer.`),
  ),
  fault(msg`The body must be a list of answers.`),
);

// A blank answer is no answer.
function readAnswer(question: Question, input: string): { answer: string } | { wrong: Words[] } {
  const text = tidyLines(input);
  const { questionText: asked } = question;
  const { answer: most } = limits;
  if (question.questionType === questionType.openEnded) {
    const wrong = [
      ...(characters(text) > most
        ? [
            msg`“${asked}” can be answered in at most ${plural({ most }, { one: '# character', other: '# characters' })}.`,
          ]
        : []),
      ...(hasControls(text) ? [msg`“${asked}” is answered with characters that can't be shown.`] : []),
    ];
    return wrong.length > 0 ? { wrong } : { answer: text };
  }
  if (text === '') return { answer: '' };
  // Options are compared folded and stored in lower case: STRASSE for Straße becomes straße.
  const options = new Map((question.options ?? []).map((option) => [fold(option), lowerCased(option)]));
  const values = valuesOf(question, lowerCased(text)).map((value) => value.trim());
  const unknown = new Set(values.filter((value) => !options.has(fold(value))));
  if (unknown.size > 0) {
    return { wrong: [...unknown].map(excerpt).map((option) => msg`“${asked}” has no option “${option}”.`) };
  }
  return { answer: [...new Set(values.map((value) => options.get(fold(value))))].join(separator) };
}

const noQuestion = (text: string): Fault => ({ field: null, message: msg`“${text}” is not one of the questions.` });

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
    else faults.push(noQuestion(excerpt(question)));
  }
  const answers = questions.flatMap((question) => {
    const read = readAnswer(question, answersById.get(question.id) ?? '');
    const { questionText: asked } = question;
    const complain = (message: Words) => faults.push({ field: question.id, message });
    if ('wrong' in read) for (const words of read.wrong) complain(words);
    else if (read.answer !== '') return [{ question: asked, answer: read.answer }];
    else if (question.required) complain(msg`“${asked}” needs an answer.`);
    return [];
  });
  return { answers, faults };
}

/** Checks answers. @throws DomainError invalid */
export function answersOrThrow(questions: Question[], input: Answer[]): Answer[] {
  const { answers, faults } = checkAnswers(questions, input);
  if (faults.length > 0) throw new DomainError('invalid', faults);
  return answers;
}
