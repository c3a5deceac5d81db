import { limits } from '../input/limits';
import { type QuestionType, questionType } from './questions';
import { isQuestion, type QuestionDraft, readQuestion } from './templates';

// The form carries the editor's whole state, so each button simply sends it and the response shows the next state.
// Nothing typed is lost.

/** The dialog for a question: a new one if `place` is null. */
export type DialogState = {
  place: number | null;
  text: string;
  type: QuestionType;
  required: boolean;
  choices: string[];
  choiceAt?: number; // the choice whose button was pressed, to focus it
};

export type EditorState = { displayName: string; questions: QuestionDraft[]; dialog: DialogState | null };

const blankDialog: DialogState = {
  place: null,
  text: '',
  type: questionType.openEnded,
  required: false,
  choices: ['', ''],
};

// The dialog shows at least two choices.
const padded = (choices: string[]) => [...choices, '', ''].slice(0, Math.max(2, choices.length));

function dialogOf(typed: Record<string, string[]>): DialogState | null {
  if (!typed.dialog) return null;
  const type = Number(typed['question-type']?.[0]) as QuestionType;
  const place = Number.parseInt(typed['question-place']?.[0] ?? '', 10);
  return {
    place: Number.isNaN(place) ? null : place,
    text: typed['question-text']?.[0] ?? '',
    type: Object.values(questionType).includes(type) ? type : questionType.openEnded,
    required: typed['question-required'] !== undefined,
    choices: padded(typed['question-choice'] ?? []),
  };
}

/** Reads the editor's state. @throws DomainError invalid if somebody tampered with the questions */
export function editorState(typed: Record<string, string[]>): EditorState {
  const questions = (typed.question ?? []).map((json) => readQuestion(parsed(json)));
  return { displayName: typed.templateName?.[0] ?? '', questions, dialog: dialogOf(typed) };
}

/** Reads the editor's state, without questions that somebody tampered with. */
export function readableState(typed: Record<string, string[]>): EditorState {
  return editorState({ ...typed, question: (typed.question ?? []).filter((json) => isQuestion(parsed(json))) });
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

const moved = <Item>(list: Item[], from: number, to: number): Item[] => {
  const rest = list.filter((_, place) => place !== from);
  const item = list[from];
  return item === undefined || to < 0 || to > rest.length ? list : [...rest.slice(0, to), item, ...rest.slice(to)];
};

/** Puts the dialog's question into the list, and closes the dialog. @throws DomainError invalid */
export function acceptDialog(state: EditorState): EditorState {
  const { dialog, questions } = state;
  if (!dialog) return state;
  const isChoice = dialog.type !== questionType.openEnded;
  const place = dialog.place ?? questions.length;
  const input = {
    questionText: dialog.text,
    questionType: dialog.type,
    required: dialog.required,
    options: isChoice ? dialog.choices.filter((choice) => choice.trim() !== '') : null,
  };
  const question = readQuestion(
    input,
    questions.filter((_, at) => at !== place),
  );
  return { ...state, questions: [...questions.slice(0, place), question, ...questions.slice(place + 1)], dialog: null };
}

/** True if nothing is typed in the dialog, or it is closed. */
export const isDialogBlank = ({ dialog }: EditorState): boolean =>
  dialog === null ||
  (dialog.place === null && dialog.text.trim() === '' && dialog.choices.every((choice) => choice.trim() === ''));

// The dialog stays with its question, and closes if the question is removed.
function withQuestions({ questions, dialog, ...state }: EditorState, list: QuestionDraft[]): EditorState {
  const edited = dialog?.place == null ? undefined : questions[dialog.place];
  if (!dialog || !edited) return { ...state, questions: list, dialog };
  const place = list.indexOf(edited);
  return { ...state, questions: list, dialog: place < 0 ? null : { ...dialog, place } };
}

// A half-written question goes into the list first.
function withOpen(state: EditorState, place: number): EditorState {
  const question = state.questions[place];
  if (!question || state.dialog?.place === place) return state;
  const current = isDialogBlank(state) ? state : acceptDialog(state);
  const { questionText, questionType: type, required, options } = question;
  return { ...current, dialog: { place, text: questionText, type, required, choices: padded(options ?? []) } };
}

const withChoice = ({ choices, ...dialog }: DialogState): DialogState => ({
  ...dialog,
  choices: [...choices, ''],
  choiceAt: choices.length,
});

function withoutChoice({ choices, ...dialog }: DialogState, place: number): DialogState {
  const remaining = padded(choices.filter((_, index) => index !== place));
  return { ...dialog, choices: remaining, choiceAt: Math.min(place, remaining.length - 1) };
}

/**
 * Changes the state as a button says.
 * @param press `add`, `close`, `keep`, `add-choice`, or one with a place: `remove-choice:1`, `change:2`, `remove:2`,
 * `up:2`, `down:2`; any other changes nothing
 * @throws DomainError invalid if a question to be added breaks a rule
 */
export function edited(state: EditorState, press: string): EditorState {
  const [button, at] = press.split(':');
  const place = /^\d+$/.test(at ?? '') ? Number(at) : -1;
  const { questions, dialog } = state;
  switch (button) {
    case 'add':
      return questions.length < limits.template.questions && !dialog ? { ...state, dialog: blankDialog } : state;
    case 'close':
      return { ...state, dialog: null };
    case 'keep':
      return acceptDialog(state);
    case 'add-choice':
      return dialog ? { ...state, dialog: withChoice(dialog) } : state;
    case 'remove-choice':
      return dialog?.choices[place] === undefined ? state : { ...state, dialog: withoutChoice(dialog, place) };
    case 'change':
      return withOpen(state, place);
    case 'remove':
      return withQuestions(
        state,
        questions.filter((_, index) => index !== place),
      );
    case 'up':
      return withQuestions(state, moved(questions, place, place - 1));
    case 'down':
      return withQuestions(state, moved(questions, place, place + 1));
    default:
      return state;
  }
}
