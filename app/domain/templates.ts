import * as z from 'zod/mini';
import { line, lineOr, parse } from './fields';
import { fold } from './fold';
import { limits } from './limits';
import { type Question, questionType, separator, untitled } from './questions';

const { name: nameLimit, questions: most, options: mostOptions, text: textLimit, all } = limits.template;

export const tooFewOptions = 'Choice questions must have at least 2 options.';

/** A question as it is written: what is left out gets the usual value. */
export type QuestionDraft = Omit<Question, 'id'>;

const option = line('An option', textLimit).check(
  z.refine((text) => !text.includes(separator), `An option can't have the sign ${separator} in it.`),
);

const options = z.pipe(
  z.optional(z.nullable(z.array(option, 'Options must be a list of texts.'))),
  z.transform((list) => list ?? []),
);

const isRepeated = (texts: string[]) => new Set(texts.map(fold)).size < texts.length;

const questionText = lineOr('A question', textLimit, 'Default Question');

const asks = z.pipe(
  z.optional(z.nullable(z.literal([0, 1, 2], 'The type of a question is 0, 1 or 2.'))),
  z.transform((type) => type ?? questionType.openEnded),
);

/** What an open question has for options is not looked at. */
function withoutUnasked(sent: unknown): unknown {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent;
  const type = (sent as { questionType?: unknown }).questionType ?? questionType.openEnded;
  return type === questionType.openEnded ? { ...sent, options: null } : sent;
}

/** The type is judged with the options; an open question has none. */
export const question = z.pipe(
  z.pipe(
    z.transform(withoutUnasked),
    z.object(
      {
        questionText,
        questionType: asks,
        options,
        required: z.pipe(
          z.optional(z.nullable(z.boolean('Required is true or false.'))),
          z.transform((required) => required ?? false),
        ),
      },
      'A question must be an object.',
    ),
  ),
  z.transform((asked, context): QuestionDraft => {
    if (asked.questionType === questionType.openEnded) return { ...asked, options: null };
    const complain = (message: string) => context.issues.push({ code: 'custom', input: asked, message });
    const ofWhich = `of "${[...asked.questionText].slice(0, 60).join('')}"`;
    if (asked.options.length < 2) complain(tooFewOptions);
    if (asked.options.length > mostOptions) complain(`A question can have at most ${mostOptions} options.`);
    if (isRepeated(asked.options)) complain(`The options ${ofWhich} must differ from one another.`);
    return asked;
  }),
);

const size = (questions: QuestionDraft[]) =>
  questions.reduce(
    (sum, { questionText, options }) => sum + [...[questionText, ...(options ?? [])].join('')].length,
    0,
  );

/** The questions of one template, in their order. */
export const questionList = z.pipe(
  z.array(question, 'The body must be a list of questions.'),
  z.transform((questions, context): QuestionDraft[] => {
    const complain = (message: string) => context.issues.push({ code: 'custom', input: questions, message });
    if (questions.length > most) complain(`A template can have at most ${most} questions.`);
    if (isRepeated(questions.map(({ questionText }) => questionText))) {
      complain('The questions of a template must differ from one another.');
    }
    if (size(questions) > all) complain(`A template can have at most ${all.toLocaleString('en')} characters in all.`);
    return questions;
  }),
);

/** A template's name; a blank one is Untitled Template. */
export const templateName = lineOr('The name', nameLimit, untitled);

/** A template as it is written. */
export type TemplateDraft = { displayName: string; questions: QuestionDraft[] };

/** @throws DomainError invalid, with one fault per broken rule */
export const readQuestion = (input: unknown): QuestionDraft => parse(question, input);
