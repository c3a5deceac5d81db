import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../../../app/domain/errors';
import { fold } from '../../../app/domain/input/fold';
import {
  type DialogState,
  type EditorState,
  edited,
  editorState,
  keepDialog,
} from '../../../app/domain/templates/editor';
import { type QuestionType, questionType } from '../../../app/domain/templates/questions';
import type { QuestionDraft } from '../../../app/domain/templates/templates';
import { faultsOf } from '../../support/complaints';

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

/** Presses one button after another. */
const press = (state: EditorState, ...buttons: string[]) => buttons.reduce(edited, state);
/** The same state, with something else typed in its dialog. */
const typing = (state: EditorState, typed: Partial<DialogState>): EditorState => ({
  ...state,
  dialog: { ...(state.dialog ?? blank), ...typed },
});
const textsOf = ({ questions }: EditorState) => questions.map(({ questionText }) => questionText);

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

describe('adding a question', () => {
  test('opens a blank dialog, and closing it again changes nothing; it is over at fifty', () => {
    expect(press(editor([name, side]), 'add')).toEqual(editor([name, side], blank));
    expect(press(editor([name], { text: 'Half wri' }), 'close')).toEqual(editor([name]));
    const many = (count: number) =>
      Array.from({ length: count }, (_, place) => ({ ...name, questionText: `Question ${place}` }));
    expect(press(editor(many(49)), 'add').dialog).toEqual(blank);
    expect(press(editor(many(50)), 'add')).toEqual(editor(many(50)));
  });

  test.each<[string, Partial<DialogState>, QuestionDraft]>([
    ['a short response', { text: ' Why? ', required: true }, { ...name, questionText: 'Why?' }],
    [
      'a single choice',
      { text: 'Eye?', type: singleChoice, choices: ['Brown', ' Blue '] },
      { questionText: 'Eye?', questionType: singleChoice, options: ['Brown', 'Blue'], required: false },
    ],
    [
      'a multiple choice with choices left blank',
      { text: 'Pets?', type: multipleChoice, required: true, choices: ['', 'Cat', ' ', 'Dog', ''] },
      { questionText: 'Pets?', questionType: multipleChoice, options: ['Cat', 'Dog'], required: true },
    ],
  ])('keeps %s at the end of the list', (_, dialog, kept) => {
    expect(press(editor([side], dialog), 'keep')).toEqual(editor([side, kept]));
  });
});

describe('a question that breaks a rule is not kept', () => {
  const few = 'Choice questions must have at least 2 options.';
  const noBar = "An option can't have the sign | in it.";

  test.each<[string, Partial<DialogState>, string[]]>([
    ['one choice', { type: singleChoice, choices: ['', 'Only one', '  '] }, [few]],
    ['a text that is asked already', { text: '  NAME? ' }, ['"NAME?" is asked already.']],
    [
      'all that is wrong at once',
      { text: 'x'.repeat(501), type: singleChoice, choices: ['a|b', 'c'] },
      ['A question can have at most 500 characters.', noBar],
    ],
    [
      'what is wrong with its choices, their number and its text at once',
      { text: ' NAME? ', type: singleChoice, choices: ['a|b', ''] },
      [noBar, few, '"NAME?" is asked already.'],
    ],
  ])('and says so: %s', (_, dialog, messages) => {
    const state = editor([name, side], { text: 'Which?', ...dialog });
    expect(faultsOf(() => press(state, 'keep'))).toEqual(messages);
    expect(faultsOf(() => keepDialog(state))).toEqual(messages);
  });
});

describe('the choices of the dialog', () => {
  const choosing = editor([name], { text: 'Pets?', type: multipleChoice, choices: ['Cat', 'Dog'] });

  test('get one more, or lose the one that is named, and never fall under two to fill in', () => {
    const choices = (...buttons: string[]) => press(choosing, ...buttons).dialog?.choices;
    expect(choices('add-choice', 'add-choice')).toEqual(['Cat', 'Dog', '', '']);
    expect(choices('add-choice', 'remove-choice:0')).toEqual(['Dog', '']);
    expect(choices('remove-choice:1')).toEqual(['Cat', '']);
    expect(choices('remove-choice:1', 'remove-choice:0', 'remove-choice:0')).toEqual(['', '']);
    expect(press(choosing, 'remove-choice:7')).toEqual(choosing);
  });
});

describe('changing a question', () => {
  test('opens it as it is, with two choices to fill in at least', () => {
    const opened = (place: number) => press(editor([name, days]), `change:${place}`).dialog;
    const choices = ['Mon', 'Tue', 'Wed'];
    expect(opened(1)).toEqual({ place: 1, text: 'Days?', type: multipleChoice, required: true, choices });
    expect(opened(0)).toEqual({ place: 0, text: 'Name?', type: openEnded, required: true, choices: ['', ''] });
  });
});

describe('the order of the questions', () => {
  const list = editor([name, side, days]);

  test.each([
    ['up:1', ['Side?', 'Name?', 'Days?']],
    ['down:1', ['Name?', 'Days?', 'Side?']],
    ['remove:0', ['Side?', 'Days?']],
  ])('%s makes it %j', (button, order) => {
    expect(textsOf(press(list, button))).toEqual(order);
  });
});

describe('a dialog that is open while something else is pressed', () => {
  test('goes on with the question it is about, when another moves into its place', () => {
    const state = press(editor([name, side, days]), 'change:1', 'up:2');
    const texts = textsOf(press(typing(state, { text: 'Which side?' }), 'keep'));
    expect(texts).toEqual(['Name?', 'Days?', 'Which side?']);
  });

  test('closes when its own question is removed', () => {
    expect(press(editor([name, side]), 'change:1', 'remove:1')).toEqual(editor([name]));
  });
});

/** Any state of the editor that can be come to. */
const anyText = fc
  .oneof(fc.string({ unit: 'grapheme', maxLength: 12 }), fc.string({ unit: 'binary', maxLength: 12 }))
  .filter((text) => !/\p{Cc}/u.test(text));
const typedText = anyText.map((text) => text.normalize('NFC').trim()).filter((text) => text !== '');
const anyType = fc.constantFrom<QuestionType>(openEnded, multipleChoice, singleChoice);
const byCase = { selector: fold };
const anyOptions = fc.uniqueArray(
  typedText.map((text) => text.replaceAll('|', '/').trim()),
  { ...byCase, minLength: 2, maxLength: 4 },
);
const anyQuestion = fc.tuple(typedText, anyType, anyOptions, fc.boolean()).map(
  ([questionText, type, options, required]): QuestionDraft => ({
    questionText,
    questionType: type,
    options: type === openEnded ? null : options,
    required,
  }),
);
const anyState = fc
  .tuple(
    anyText,
    fc.uniqueArray(anyQuestion, { selector: ({ questionText }) => fold(questionText), maxLength: 5 }),
    fc.option(
      fc.record({
        text: anyText,
        type: anyType,
        required: fc.boolean(),
        choices: fc.array(anyText, { minLength: 2, maxLength: 5 }),
      }),
    ),
  )
  .chain(([displayName, questions, dialog]) =>
    fc.option(fc.nat({ max: Math.max(0, questions.length - 1) })).map(
      (place): EditorState => ({
        displayName,
        questions,
        dialog: dialog && { ...dialog, place: questions.length > 0 ? place : null },
      }),
    ),
  );

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
      { numRuns: 300 },
    );
  });

  test('in the questions, by any button but that which removes one', () => {
    fc.assert(
      fc.property(anyState, anyButton, (state, button) => {
        const { questions, dialog } = state;
        const next = attempt(state, button);
        const [kind, place] = button.split(':');
        const removed = kind === 'remove' ? questions[Number(place)] : undefined;
        const changed = isKept(kind) && dialog?.place != null ? questions[dialog.place] : undefined;
        for (const question of questions) {
          if (question !== removed && question !== changed) expect(next.questions).toContainEqual(question);
        }
        const added = isKept(kind) && dialog?.place === null && next.questions.length > questions.length ? 1 : 0;
        expect(next.questions).toHaveLength(questions.length + added - (removed ? 1 : 0));
        expect(next.displayName).toBe(state.displayName);
      }),
      { numRuns: 500 },
    );
  });

  test('in the dialog, by any button but Close and that which removes its question or a choice', () => {
    fc.assert(
      fc.property(anyState, anyButton, (state, button) => {
        const [kind = '', place] = button.split(':');
        const { dialog } = state;
        if (!dialog || ['close', 'add'].includes(kind)) return;
        if (kind === 'remove' && Number(place) === dialog.place) return;
        const next = attempt(state, button);
        if (isKept(kind)) {
          const texts = [...textsOf(next), next.dialog?.text];
          if (dialog.text.trim() !== '')
            expect(texts.join('\n').normalize('NFC')).toContain(dialog.text.normalize('NFC').trim());
          return;
        }
        expect(next.dialog).toMatchObject({ text: dialog.text, type: dialog.type, required: dialog.required });
        const left = kind === 'remove-choice' ? dialog.choices.filter((_, at) => at !== Number(place)) : dialog.choices;
        expect(next.dialog?.choices.slice(0, left.length)).toEqual(left);
      }),
      { numRuns: 500 },
    );
  });
});

/** What is written in the dialog may go into the list by these. */
const isKept = (button = '') => ['keep', 'change'].includes(button);

/** Presses a button; what is refused stays as it is. */
function attempt(state: EditorState, button: string): EditorState {
  try {
    return edited(state, button);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return state;
  }
}
