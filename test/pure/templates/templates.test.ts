import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../../../app/domain/errors';
import { parse } from '../../../app/domain/input/fields';
import { fold } from '../../../app/domain/input/fold';
import {
  acceptDialog,
  type DialogState,
  type EditorState,
  edited,
  editorState,
} from '../../../app/domain/templates/editor';
import { type QuestionType, questionType } from '../../../app/domain/templates/questions';
import { type QuestionDraft, questionList } from '../../../app/domain/templates/templates';
import { faultsOf } from '../../support/complaints';
import { type Draft, one } from '../../support/template-factories';

const { multipleChoice, singleChoice, openEnded } = questionType;

const name: QuestionDraft = { questionText: 'Name?', questionType: openEnded, options: null, required: true };
const side = { questionText: 'Side?', questionType: singleChoice, options: ['Left', 'Right'], required: false };
const days = { questionText: 'Days?', questionType: multipleChoice, options: ['Mon', 'Tue', 'Wed'], required: true };

const blank: DialogState = { place: null, text: '', type: openEnded, required: false, choices: ['', ''] };
const written = (dialog: Partial<DialogState>): DialogState => ({ ...blank, ...dialog });
const editor = (questions: QuestionDraft[], dialog: Partial<DialogState> | null = null): EditorState => ({
  displayName: 'Before we begin',
  questions,
  dialog: dialog && written(dialog),
});

/** What the form of a page that shows this state sends. */
function formOf({ displayName, questions, dialog }: EditorState): Record<string, string[]> {
  const question = questions.map((asked) => JSON.stringify(asked));
  const form = { templateName: [displayName], ...(question.length > 0 && { question }) };
  if (!dialog) return form;
  return {
    ...form,
    dialog: ['open'],
    'question-place': [String(dialog.place ?? '')],
    'question-text': [dialog.text],
    'question-type': [String(dialog.type)],
    'question-choice': dialog.choices,
    ...(dialog.required && { 'question-required': ['on'] }),
  };
}

const questions = (count: number) =>
  Array.from({ length: count }, (_, place) => ({ ...name, questionText: `Question ${place}` }));
const ofDays = { text: 'Days?', type: multipleChoice, required: true, choices: ['Mon', 'Tue', 'Wed'] };
const pets = { text: 'Pets?', type: multipleChoice, choices: ['Cat', 'Dog'] };
const choosing = (...choices: string[]) => editor([name], { ...pets, choices });

test.each<[what: string, before: EditorState, buttons: string[], after: EditorState]>([
  ['a blank dialog is opened', editor([name, side]), ['add'], editor([name, side], blank)],
  ['a dialog is closed', editor([name], { text: 'Half wri' }), ['close'], editor([name])],
  ['a dialog opens for the fiftieth question', editor(questions(49)), ['add'], editor(questions(49), blank)],
  ['no dialog opens for a fifty-first question', editor(questions(50)), ['add'], editor(questions(50))],
  [
    'a kept question stands at the end, without the choices left blank',
    editor([side], { ...ofDays, text: ' Days? ', choices: ['', 'Mon', ' ', ' Tue ', 'Wed', ''] }),
    ['keep'],
    editor([side, days]),
  ],
  ['a question is opened as it is', editor([name, days]), ['change:1'], editor([name, days], { ...ofDays, place: 1 })],
  [
    'a question without choices is opened with two to fill in',
    editor([name]),
    ['change:0'],
    editor([name], { place: 0, text: 'Name?', required: true }),
  ],
  ['choices are added', choosing('Cat', 'Dog'), ['add-choice', 'add-choice'], choosing('Cat', 'Dog', '', '')],
  ['the choice that is named is removed', choosing('Cat', 'Dog', ''), ['remove-choice:0'], choosing('Dog', '')],
  [
    'two choices stay to fill in',
    choosing('Cat', 'Dog'),
    ['remove-choice:1', 'remove-choice:0', 'remove-choice:7'],
    choosing('', ''),
  ],
  ['a question moves up', editor([name, side, days]), ['up:1'], editor([side, name, days])],
  ['a question moves down', editor([name, side, days]), ['down:1'], editor([name, days, side])],
  ['a question is removed', editor([name, side, days]), ['remove:0'], editor([side, days])],
  [
    'an open dialog goes on with its question when another takes its place',
    editor([name, side, days], { ...ofDays, text: 'Which days?', place: 2 }),
    ['up:2', 'keep'],
    editor([name, { ...days, questionText: 'Which days?' }, side]),
  ],
  ['a dialog closes when its own question is removed', editor([name, side]), ['change:1', 'remove:1'], editor([name])],
])('%s', (_, before, buttons, after) => {
  expect(buttons.reduce(edited, before)).toMatchObject(after);
});

test.each([
  ['the one after it', 'remove-choice:0', 0],
  ['the one before it, if it was the last', 'remove-choice:2', 1],
])('whoever removes a choice is led to %s', (_, button, place) => {
  const { dialog } = edited(choosing('Cat', 'Dog', 'Hen'), button);

  expect(dialog?.choiceAt).toBe(place);
});

test('whoever adds a choice is led to it', () => {
  const { dialog } = edited(choosing('Cat', 'Dog'), 'add-choice');

  expect(dialog?.choiceAt).toBe(2);
});

const brokenQuestion = () => editor([name, side], { text: ' NAME? ', type: singleChoice, choices: ['a|b', ''] });

test.each<[where: string, keep: () => unknown]>([
  ['by its button', () => edited(brokenQuestion(), 'keep')],
  ['by saving the form', () => acceptDialog(brokenQuestion())],
])('a question that is kept %s is refused with all that is wrong', (_, keep) => {
  expect(faultsOf(keep)).toEqual([
    "An option can't have the sign | in it.",
    'Choice questions must have at least 2 options.',
    '"NAME?" is asked already.',
  ]);
});

/** Any state of the editor that can be come to. */
const anyText = fc
  .oneof(fc.string({ unit: 'grapheme', maxLength: 12 }), fc.string({ unit: 'binary', maxLength: 12 }))
  .filter((text) => !/\p{Cc}/u.test(text));
const typedText = anyText.map((text) => text.normalize('NFC').trim()).filter((text) => text !== '');
const anyType = fc.constantFrom<QuestionType>(openEnded, multipleChoice, singleChoice);
const anyOptions = fc.uniqueArray(
  typedText.map((text) => text.replaceAll('|', '/')),
  { selector: fold, minLength: 2, maxLength: 4 },
);
const anyQuestion = fc.tuple(typedText, anyType, anyOptions, fc.boolean()).map(
  ([questionText, type, options, required]): QuestionDraft => ({
    questionText,
    questionType: type,
    options: type === openEnded ? null : options,
    required,
  }),
);
const anyDialog = fc.record<DialogState>({
  place: fc.option(fc.nat({ max: 4 })),
  text: anyText,
  type: anyType,
  required: fc.boolean(),
  choices: fc.array(anyText, { minLength: 2, maxLength: 5 }),
});
const anyState = fc
  .record<EditorState>({
    displayName: anyText,
    questions: fc.uniqueArray(anyQuestion, { selector: ({ questionText }) => fold(questionText), maxLength: 5 }),
    dialog: fc.option(anyDialog),
  })
  .filter(({ questions, dialog }) => (dialog?.place ?? -1) < questions.length);

const anyButton = fc.oneof(
  fc.constantFrom('add', 'keep', 'add-choice', 'close', 'save'),
  fc
    .tuple(fc.constantFrom('up', 'down', 'change', 'remove', 'remove-choice'), fc.nat({ max: 5 }))
    .map(([button, place]) => `${button}:${place}`),
);

describe('nothing typed is lost', () => {
  test('on its way through the form', () => {
    fc.assert(
      fc.property(anyState, (state) => {
        expect(editorState(formOf(state))).toEqual(state);
      }),
      { numRuns: 1_000 },
    );
  });

  /** Presses any button in any state. What is typed in a dialog is lost in few of them. */
  function anyPress(look: (press: Press) => void): void {
    const press = (state: EditorState, button: string) => look(pressed(state, button));
    fc.assert(fc.property(anyState, anyButton, press), { numRuns: 1_000 });
  }

  test('of the name, by any button', () => {
    anyPress(({ state, next }) => {
      expect(next.displayName).toBe(state.displayName);
    });
  });

  test('of the questions that a button is not for', () => {
    anyPress(({ state, removed, changed, next }) => {
      const others = state.questions.filter((question) => question !== removed && question !== changed);

      expect(next.questions).toEqual(expect.arrayContaining(others));
    });
  });

  test('of the number of questions, but for the one that is added or removed', () => {
    anyPress(({ state, kind, removed, next }) => {
      const isAdding = isKept(kind) && state.dialog?.place === null;
      const added = isAdding && next.questions.length > state.questions.length ? 1 : 0;

      expect(next.questions).toHaveLength(state.questions.length + added - (removed ? 1 : 0));
    });
  });

  test('of the text in the dialog, when it is kept', () => {
    anyPress(({ kind, lasting, next }) => {
      if (!lasting || !isKept(kind)) return;

      const texts = [...next.questions.map(({ questionText }) => questionText), next.dialog?.text];
      expect(texts.join('\n').normalize('NFC')).toContain(lasting.text.normalize('NFC').trim());
    });
  });

  test('of what stands in the dialog, by the other buttons', () => {
    anyPress(({ kind, place, lasting, next }) => {
      if (!lasting || isKept(kind)) return;

      const { text, type, required, choices } = lasting;
      const left = kind === 'remove-choice' ? choices.filter((_, at) => at !== place) : choices;
      expect(next.dialog).toMatchObject({ text, type, required });
      expect(next.dialog?.choices.slice(0, left.length)).toEqual(left);
    });
  });
});

/** What is written in the dialog may go into the list by these. */
const isKept = (button = '') => ['keep', 'change'].includes(button);

type Press = ReturnType<typeof pressed>;

/** What a button does to a state: the questions that it is for, and the dialog where the button does not close it. */
function pressed(state: EditorState, button: string) {
  const { questions, dialog } = state;
  const [kind = '', at] = button.split(':');
  const place = Number(at);
  const isClosing = ['close', 'add'].includes(kind) || button === `remove:${dialog?.place}`;
  return {
    ...{ state, kind, place, next: attempt(state, button) },
    removed: kind === 'remove' ? questions[place] : undefined,
    changed: isKept(kind) && dialog?.place != null ? questions[dialog.place] : undefined,
    lasting: isClosing ? null : dialog,
  };
}

/** Presses a button; what is refused stays as it is. */
function attempt(state: EditorState, button: string): EditorState {
  try {
    return edited(state, button);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return state;
  }
}

/* What a list of questions may hold. */

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
  test('keep their words composed', () => {
    const [question] = read([{ questionText: 'Cafe\u0301?', questionType: multipleChoice, options: ['E\u0301', 'a'] }]);

    expect(question?.questionText).toBe('Café?');
    expect(question?.options).toEqual(['É', 'a']);
  });

  test('lose the blanks around their words', () => {
    const [question] = read([{ questionText: '  Why?  ', questionType: multipleChoice, options: [' z ', 'a'] }]);

    expect(question?.questionText).toBe('Why?');
    expect(question?.options).toEqual(['z', 'a']);
  });

  test('stay in their order', () => {
    const texts = ['Zebra?', 'Ant?', 'Mole?'];

    expect(read(texts.map((questionText) => ({ questionText }))).map(({ questionText }) => questionText)).toEqual(
      texts,
    );
  });

  test('keep their options in order', () => {
    expect(read(choice('z', 'É', 'a'))[0]?.options).toEqual(['z', 'É', 'a']);
  });

  test.each(['أين؟ <b>', '👍🏽', '👍'])('keep a sign of any kind: %s', (sign) => {
    const [question] = read(one({ questionText: sign, questionType: singleChoice, options: [sign, 'b'] }));

    expect(question?.questionText).toBe(sign);
    expect(question?.options).toEqual([sign, 'b']);
  });

  test('have options that differ by the colour of a skin', () => {
    expect(read(choice('👍🏽', '👍'))[0]?.options).toEqual(['👍🏽', '👍']);
  });

  test('keep nothing that is not known', () => {
    const question = { questionText: 'Why?', questionType: singleChoice, options: ['a', 'b'], required: true };

    expect(read([{ ...question, id: 'mine', order: 7 }])).toEqual([question]);
  });

  test('need no answer unless they say so', () => {
    expect(read([{ questionText: 'Why?', questionType: openEnded }])[0]?.required).toBe(false);
  });

  test('keep no options where they have no choices', () => {
    expect(read([{ questionText: 'Why?', questionType: openEnded, options: ['Yes', 'No'] }])[0]?.options).toBeNull();
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
