import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../../../app/domain/errors';
import { fold } from '../../../app/domain/input/fold';
import {
  type DialogState,
  type EditorState,
  edited,
  editorState,
  isDialogBlank,
  keepDialog,
} from '../../../app/domain/templates/editor';
import { type QuestionType, questionType } from '../../../app/domain/templates/questions';
import type { QuestionDraft } from '../../../app/domain/templates/templates';

const { multipleChoice, singleChoice, openEnded } = questionType;

const name: QuestionDraft = { questionText: 'Name?', questionType: openEnded, options: null, required: true };
const side: QuestionDraft = {
  questionText: 'Side?',
  questionType: singleChoice,
  options: ['Left', 'Right'],
  required: false,
};
const days: QuestionDraft = {
  questionText: 'Days?',
  questionType: multipleChoice,
  options: ['Mon', 'Tue', 'Wed'],
  required: true,
};

const blank: DialogState = { place: null, text: '', type: openEnded, required: false, choices: ['', ''] };
const written = (dialog: Partial<DialogState>): DialogState => ({ ...blank, ...dialog });
const editor = (questions: QuestionDraft[], dialog: Partial<DialogState> | null = null): EditorState => ({
  displayName: 'Before we begin',
  questions,
  dialog: dialog && written(dialog),
});

/** Presses one button after another. */
const press = (state: EditorState, ...buttons: string[]) => buttons.reduce(edited, state);
const textsOf = ({ questions }: EditorState) => questions.map(({ questionText }) => questionText);

/** What refuses a step, message by message. */
function refusal(step: () => unknown): string[] {
  try {
    step();
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'invalid') throw error;
    return error.faults.map(({ message }) => message);
  }
  throw new Error('It was not refused.');
}

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
  test('opens a blank dialog and leaves the rest as it is', () => {
    expect(press(editor([name, side]), 'add')).toEqual(editor([name, side], blank));
  });

  test('is over at fifty', () => {
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
    [
      'one without a text',
      { text: '  ' },
      { questionText: 'Default Question', questionType: openEnded, options: null, required: false },
    ],
    [
      'one in any script',
      { text: 'أين؟ "Где"? 🦷', type: singleChoice, choices: ['هنا', 'E\u0301'] },
      { questionText: 'أين؟ "Где"? 🦷', questionType: singleChoice, options: ['هنا', 'É'], required: false },
    ],
  ])('keeps %s at the end of the list', (_, dialog, kept) => {
    expect(press(editor([side], dialog), 'keep')).toEqual(editor([side, kept]));
  });

  test('and closing it again changes nothing', () => {
    expect(press(editor([name], { text: 'Half wri' }), 'close')).toEqual(editor([name]));
  });
});

describe('a question that breaks a rule is not kept', () => {
  const fewOptions = ['Choice questions must have at least 2 options.'];

  test.each([[[]], [['', '']], [['Only one', '']], [['', 'Only one', '  ']]])(
    'a choice question with the choices %j',
    (choices) => {
      for (const type of [multipleChoice, singleChoice]) {
        expect(refusal(() => press(editor([], { text: 'Which?', type, choices }), 'keep'))).toEqual(fewOptions);
      }
    },
  );

  test.each<[string, Partial<DialogState>]>([
    ['choices that differ by case alone', { type: singleChoice, choices: ['ÉTÉ', 'été'] }],
    ['a choice with the sign |', { type: multipleChoice, choices: ['a', 'b|c'] }],
    ['a choice of 501 characters', { type: multipleChoice, choices: ['a', 'x'.repeat(501)] }],
    ['51 choices', { type: multipleChoice, choices: Array.from({ length: 51 }, (_, at) => `Choice ${at}`) }],
    ['a text of 501 characters', { text: 'x'.repeat(501) }],
    ['a text of two lines', { text: 'one\ntwo' }],
    ['a text that is asked already', { text: 'name?' }],
    ['a text that is asked already, in another case and with spaces around', { text: '  NAME? ' }],
  ])('one with %s', (_, dialog) => {
    const state = editor([name, side], { text: 'Which?', ...dialog });
    expect(refusal(() => press(state, 'keep'))).toHaveLength(1);
    expect(refusal(() => keepDialog(state))).toHaveLength(1);
  });

  test('a second one without a text', () => {
    const state = press(editor([], { text: '' }), 'keep', 'add');
    expect(refusal(() => press(state, 'keep'))).toEqual(['"Default Question" is asked already.']);
  });

  test('and says all that is wrong at once', () => {
    const state = editor([], { text: 'x'.repeat(501), type: singleChoice, choices: ['a|b', 'x'.repeat(501)] });
    expect(refusal(() => press(state, 'keep'))).toHaveLength(3);
  });

  test('of its choices, their number and its text at once', () => {
    const state = editor([name], { text: ' NAME? ', type: singleChoice, choices: ['a|b', ''] });
    expect(refusal(() => press(state, 'keep'))).toEqual([
      "An option can't have the sign | in it.",
      ...fewOptions,
      '"NAME?" is asked already.',
    ]);
  });

  test('but up to the limits it is', () => {
    const choices = Array.from({ length: 50 }, (_, at) => `${'🦷'.repeat(498)}${at + 10}`);
    const state = press(editor([], { text: '🦷'.repeat(500), type: multipleChoice, choices }), 'keep');
    expect(state.questions[0]?.options).toEqual(choices);
  });
});

describe('the choices of the dialog', () => {
  const choosing = editor([name], { text: 'Pets?', type: multipleChoice, choices: ['Cat', 'Dog'] });

  test('get one more by a button, without limit to what is typed in the others', () => {
    expect(press(choosing, 'add-choice', 'add-choice').dialog?.choices).toEqual(['Cat', 'Dog', '', '']);
  });

  test('lose the one that is named, and never fall under two to fill in', () => {
    expect(press(choosing, 'add-choice', 'remove-choice:0').dialog?.choices).toEqual(['Dog', '']);
    expect(press(choosing, 'remove-choice:1').dialog?.choices).toEqual(['Cat', '']);
    expect(press(choosing, 'remove-choice:1', 'remove-choice:0', 'remove-choice:0').dialog?.choices).toEqual(['', '']);
    expect(press(choosing, 'remove-choice:7')).toEqual(choosing);
  });

  test('leave text, type and the rest of the page as they are', () => {
    for (const button of ['add-choice', 'remove-choice:0']) {
      const { displayName, questions, dialog } = press(choosing, button);
      expect({ displayName, questions }).toEqual({ displayName: choosing.displayName, questions: [name] });
      expect(dialog).toMatchObject({ place: null, text: 'Pets?', type: multipleChoice, required: false });
    }
  });

  test('say which one is to be typed next', () => {
    const at = (...buttons: string[]) => press(choosing, ...buttons).dialog?.choiceAt;
    expect([at('add-choice'), at('add-choice', 'remove-choice:0'), at('add-choice', 'remove-choice:2')]).toEqual([
      2, 0, 1,
    ]);
    expect([at('remove-choice:1'), at('remove-choice:7')]).toEqual([1, undefined]);
  });

  test('are nothing without a dialog', () => {
    for (const button of ['add-choice', 'remove-choice:0', 'keep', 'close']) {
      expect(press(editor([name]), button)).toEqual(editor([name]));
    }
  });
});

describe('changing a question', () => {
  test('opens it as it is, with two choices to fill in at least', () => {
    expect(press(editor([name, days]), 'change:1').dialog).toEqual({
      place: 1,
      text: 'Days?',
      type: multipleChoice,
      required: true,
      choices: ['Mon', 'Tue', 'Wed'],
    });
    expect(press(editor([name, days]), 'change:0').dialog).toEqual({
      place: 0,
      text: 'Name?',
      type: openEnded,
      required: true,
      choices: ['', ''],
    });
  });

  test('keeps it in its place', () => {
    const state = press(editor([name, side, days]), 'change:1');
    const changed = { ...state, dialog: { ...(state.dialog ?? blank), text: 'Which side?', required: true } };
    expect(press(changed, 'keep')).toEqual(
      editor([name, { ...side, questionText: 'Which side?', required: true }, days]),
    );
  });

  test('may leave its text as it is, or change its case alone, but not take that of another', () => {
    const state = press(editor([name, side]), 'change:1');
    const said = (text: string) => ({ ...state, dialog: { ...(state.dialog ?? blank), text } });
    expect(press(state, 'keep')).toEqual(editor([name, side]));
    expect(textsOf(press(said('SIDE?'), 'keep'))).toEqual(['Name?', 'SIDE?']);
    expect(refusal(() => press(said('NAME?'), 'keep'))).toEqual(['"NAME?" is asked already.']);
  });

  test('to a short response leaves its choices out; back to a choice it needs them again', () => {
    const state = press(editor([side]), 'change:0');
    const open = press({ ...state, dialog: { ...(state.dialog ?? blank), type: openEnded } }, 'keep');
    expect(open.questions).toEqual([{ ...side, questionType: openEnded, options: null }]);
    const again = press(open, 'change:0');
    const choice = { ...again, dialog: { ...(again.dialog ?? blank), type: multipleChoice } };
    expect(refusal(() => press(choice, 'keep'))).toHaveLength(1);
  });

  test('and closing the dialog leaves it as it was', () => {
    expect(press(editor([name, side]), 'change:0', 'close')).toEqual(editor([name, side]));
  });
});

describe('the order of the questions', () => {
  const list = editor([name, side, days]);

  test.each([
    ['up:1', ['Side?', 'Name?', 'Days?']],
    ['up:2', ['Name?', 'Days?', 'Side?']],
    ['down:0', ['Side?', 'Name?', 'Days?']],
    ['down:1', ['Name?', 'Days?', 'Side?']],
    ['remove:0', ['Side?', 'Days?']],
    ['remove:2', ['Name?', 'Side?']],
  ])('%s makes it %j', (button, order) => {
    expect(textsOf(press(list, button))).toEqual(order);
  });

  test.each(['up:0', 'down:2', 'up:3', 'down:7', 'up:-1', 'remove:3', 'remove:-1', 'change:3'])(
    'is not changed by %s, which there is not',
    (button) => {
      expect(press(list, button)).toEqual(list);
    },
  );

  test('comes back by the opposite way', () => {
    expect(press(list, 'down:0', 'down:1', 'up:2', 'up:1')).toEqual(list);
  });
});

test.each(['', 'save', 'unknown', 'KEEP', 'up', 'up:x', 'change', 'change:x', 'remove', 'remove:x', 'toString'])(
  'the button %j, which there is not, changes nothing',
  (button) => {
    const state = editor([name, side, days], { text: 'Half wri' });
    expect(press(state, button)).toEqual(state);
  },
);

describe('a dialog that is open while something else is pressed', () => {
  test('goes on with the question it is about, wherever that is moved', () => {
    const state = press(editor([name, side, days]), 'change:0', 'down:0', 'down:1');
    const dialog = { ...(state.dialog ?? blank), text: 'Full name?' };
    expect(textsOf(press({ ...state, dialog }, 'keep'))).toEqual(['Side?', 'Days?', 'Full name?']);
  });

  test('goes on with the question it is about, when another moves into its place', () => {
    const state = press(editor([name, side, days]), 'change:1', 'up:2');
    const dialog = { ...(state.dialog ?? blank), text: 'Which side?' };
    expect(textsOf(press({ ...state, dialog }, 'keep'))).toEqual(['Name?', 'Days?', 'Which side?']);
  });

  test('keeps what is written in it when another question is removed', () => {
    const adding = press(editor([name, side], { text: 'Half wri' }), 'remove:0');
    expect(textsOf(adding)).toEqual(['Side?']);
    expect(adding.dialog).toEqual(written({ text: 'Half wri' }));
    const changing = press(editor([name, side, days]), 'change:2', 'remove:0');
    expect(textsOf(press(changing, 'keep'))).toEqual(['Side?', 'Days?']);
  });

  test('does not lose what is written in it when another question is to be changed', () => {
    const state = press(editor([name, side], { text: 'Half wri' }), 'change:0');
    expect(JSON.stringify(state)).toContain('Half wri');
  });

  test('closes when its own question is removed', () => {
    expect(press(editor([name, side]), 'change:1', 'remove:1')).toEqual(editor([name]));
  });
});

describe('a dialog', () => {
  test('is blank where nothing is written in it', () => {
    expect(isDialogBlank(editor([]))).toBe(true);
    expect(isDialogBlank(editor([], {}))).toBe(true);
    expect(isDialogBlank(editor([], { text: ' ', choices: [' ', '', ''], type: singleChoice }))).toBe(true);
  });

  test.each<Partial<DialogState>>([{ text: 'a' }, { choices: ['', 'a'] }, { place: 0 }])(
    'is not blank with %j',
    (dialog) => {
      expect(isDialogBlank(editor([name], dialog))).toBe(false);
    },
  );
});

describe('a form', () => {
  test('is read with what a page leaves out of it', () => {
    expect(editorState({})).toEqual({ displayName: '', questions: [], dialog: null });
    expect(editorState({ dialog: ['open'] }).dialog).toEqual(blank);
    expect(editorState({ dialog: ['open'], 'question-type': ['7'] }).dialog?.type).toBe(openEnded);
  });

  test.each(['', 'no JSON', 'null', '[]', '{"questionType":0}', '{"questionText":7}', '"Name?"'])(
    'that was tampered with is refused: %j',
    (json) => {
      expect(refusal(() => editorState({ question: [json] })).length).toBeGreaterThan(0);
    },
  );
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
