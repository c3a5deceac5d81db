import { msg } from '@lingui/core/macro';
import type { EditorState } from '../../domain/templates/editor';
import type { Words } from '../../domain/words/words';

/**
 * What a screen reader says after a button, and the button that gets the focus; null if the question changed its place.
 */
export type Step = { words: Words; next: { place: number; button: RowButton } | null };
export type RowButton = 'up' | 'down' | 'change' | 'remove';

/** The result of a button, from the states before and after. Null if the reader goes on in the dialog. */
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
      // At the end of the list, a question can only move the other way.
      const next = now === 0 ? 'down' : now === last ? 'up' : button;
      const [number, count] = [now + 1, last + 1];
      return { words: msg`“${text}” is question ${number} of ${count} now.`, next: { place: now, button: next } };
    }
    case 'remove':
      if (!text) return null;
      return {
        words: msg`“${text}” is removed.`,
        next: last < 0 ? null : { place: Math.min(place, last), button: 'remove' },
      };
    case 'keep': {
      if (!dialog) return null;
      const questionText = after.questions[dialog.place ?? last]?.questionText ?? '';
      if (dialog.place === null) return { words: msg`“${questionText}” is added.`, next: null };
      return { words: msg`“${questionText}” is changed.`, next: { place: dialog.place, button: 'change' } };
    }
    case 'close':
      return { words: '', next: dialog?.place == null ? null : { place: dialog.place, button: 'change' } };
    default:
      return null;
  }
}
