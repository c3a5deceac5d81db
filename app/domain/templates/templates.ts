import { msg, plural } from '@lingui/core/macro';
import * as z from 'zod/mini';
import { excerpt, fault, isObject, line, lineOr, listRule, parse, textsAmong } from '../input/fields';
import { fold } from '../input/fold';
import { limits } from '../input/limits';
import type { Words } from '../words/words';
import { type Question, questionType, separator, untitled } from './questions';

const { name: nameLimit, questions: most, options: mostOptions, text: textLimit, all } = limits.template;

const tooFewOptions = msg`Choice questions must have at least 2 options.`;

/** A question as a provider writes it. */
export type QuestionDraft = Omit<Question, 'id'>;

const option = line(msg`An option`, textLimit).check(
  z.regex(/^[^|]*$/, fault(msg`An option can't have the sign ${separator} in it.`)),
);

const options = z.pipe(
  z.optional(
    z.nullable(z.array(option, fault(msg`Options must be a list of texts.`)).check(z.meta({ maxItems: mostOptions }))),
  ),
  z.transform((list): string[] | null => list ?? null),
);

const isRepeated = (texts: string[]) => new Set(texts.map(fold)).size < texts.length;

const questionText = lineOr(msg`A question`, textLimit, 'Default Question');

const type = z.pipe(
  z.optional(z.nullable(z.literal([0, 1, 2], fault(msg`The type of a question is 0, 1 or 2.`)))),
  z.transform((type) => type ?? questionType.openEnded),
);

type QuestionInput = { [Part in keyof QuestionDraft]?: unknown };

// An open question has no options to check.
function withoutUnusedOptions(input: unknown): unknown {
  if (!isObject(input)) return input;
  const type = input.questionType ?? questionType.openEnded;
  return type === questionType.openEnded ? { ...input, options: null } : input;
}

// Checks the options as a list even if some of them are wrong, so that one response names all faults.
const optionsTogether = z.superRefine<QuestionInput>(
  ({ questionText, questionType: type, options }, context) => {
    const list: unknown = options ?? [];
    if (!Array.isArray(list)) return;
    const isChoice = type === questionType.multipleChoice || type === questionType.singleChoice;
    const complain = (message: Words) =>
      context.addIssue({ code: 'custom', message: fault(message), input: options, path: ['options'] });
    if (isChoice && list.length < 2) complain(tooFewOptions);
    if (list.length > mostOptions)
      complain(msg`A question can have at most ${plural({ mostOptions }, { one: '# option', other: '# options' })}.`);
    if (isRepeated(textsAmong(list))) {
      const [text = ''] = textsAmong([questionText]);
      const asked = excerpt(text);
      complain(msg`The options of "${asked}" must differ from one another.`);
    }
  },
  { when: ({ value }) => isObject(value) },
);

/** The type decides whether a question needs options or may have none. */
export const question = z.pipe(
  z.transform(withoutUnusedOptions),
  z
    .object(
      {
        questionText,
        questionType: type,
        options,
        required: z.pipe(
          z.optional(z.nullable(z.boolean(fault(msg`Required is true or false.`)))),
          z.transform((required) => required ?? false),
        ),
      },
      fault(msg`A question must be an object.`),
    )
    .check(optionsTogether),
);

const size = (questions: QuestionInput[]) =>
  [...textsAmong(questions.flatMap(({ questionText, options }) => [questionText, options].flat())).join('')].length;

export const questionList = z.array(question, fault(msg`The body must be a list of questions.`)).check(
  listRule((list, complain) => {
    const questions = list.filter(isObject);
    if (list.length > most)
      complain(msg`At most ${plural({ most }, { one: '# question', other: '# questions' })} can go together.`);
    if (isRepeated(textsAmong(questions.map(({ questionText }) => questionText)))) {
      complain(msg`The questions must differ from one another.`);
    }
    if (size(questions) > all)
      complain(
        msg`The questions can have at most ${plural({ all }, { one: '# character', other: '# characters' })} in all.`,
      );
  }),
  z.meta({ maxItems: most }),
);

/** A blank name is Untitled Template. */
export const templateName = lineOr(msg`The name`, nameLimit, untitled);

export type TemplateDraft = { displayName: string; questions: QuestionDraft[] };

const differsFrom = (others: QuestionDraft[]) =>
  z.superRefine<QuestionInput>(
    ({ questionText: input }, context) => {
      const [text] = textsAmong([input]);
      if (text === undefined) return;
      const isAsked = ({ questionText }: QuestionDraft) => fold(questionText) === fold(text);
      const message = fault(msg`"${text}" is asked already.`);
      if (others.some(isAsked)) context.addIssue({ code: 'custom', message, input, path: ['questionText'] });
    },
    { when: ({ value }) => isObject(value) },
  );

/** Reads a question that will stand beside others. @throws DomainError invalid, with a fault for each broken rule */
export const readQuestion = (input: unknown, others: QuestionDraft[] = []): QuestionDraft =>
  parse(question.check(differsFrom(others)), input);

export const isQuestion = (input: unknown): boolean => z.safeParse(question, input).success;
