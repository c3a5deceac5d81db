import type { EditorState } from '../../domain/templates/editor';

/**
 * Words about the last button, to be said aloud, and the button where the keyboard goes on; null for another question.
 */
export type Step = { words: string; next: { place: number; button: RowButton } | null };
export type RowButton = 'up' | 'down' | 'change' | 'remove';

/** The step that `press` made of the state before; null if the reader goes on in the dialog. */
export function stepOf(press: string, before: EditorState, after: EditorState): Step | null {
  const [button, at] = press.split(':');
  const { questions, dialog } = before;
  const last = after.questions.length - 1;
  const place = Number(at);
  const text = questions[place]?.questionText;
  switch (button) {
    case 'up':
    case 'down': {
      const now = button === 'up' ? place - 1 : place + 1;
      if (!text || now < 0 || now > last) return null;
      // At the end of its way a question can only go back.
      const next = now === 0 ? 'down' : now === last ? 'up' : button;
      return { words: `“${text}” is question ${now + 1} of ${last + 1} now.`, next: { place: now, button: next } };
    }
    case 'remove':
      if (!text) return null;
      return {
        words: `“${text}” is removed.`,
        next: last < 0 ? null : { place: Math.min(place, last), button: 'remove' },
      };
    case 'keep': {
      if (!dialog) return null;
      const questionText = after.questions[dialog.place ?? last]?.questionText ?? '';
      if (dialog.place === null) return { words: `“${questionText}” is added.`, next: null };
      return { words: `“${questionText}” is changed.`, next: { place: dialog.place, button: 'change' } };
    }
    case 'close':
      return { words: '', next: dialog?.place == null ? null : { place: dialog.place, button: 'change' } };
    default:
      return null;
  }
}
