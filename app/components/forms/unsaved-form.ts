import type { FormEvent } from 'react';
import type { UnsavedForm } from '../../domain/errors';
import { passwordInputs } from './controls';

// If the network fails, the error page offers to send the form again. The server's own page does the same if the
// database is down.

let unsaved: UnsavedForm | undefined;

export function rememberForm({ currentTarget: form, nativeEvent }: FormEvent<HTMLFormElement>): void {
  const { pathname, search } = new URL(form.action);
  const passwords = passwordsOf(form);
  const button = (nativeEvent as SubmitEvent).submitter;
  const pressed = button instanceof HTMLButtonElement && button.name ? [[button.name, button.value]] : [];
  unsaved = { action: pathname + search, typed: typedIn(form, pressed), passwords };
}

const passwordsOf = (form: HTMLFormElement) => [...passwordInputs(form)].map(({ name }) => name);

function typedIn(form: HTMLFormElement, pressed: string[][] = []): Record<string, string[]> {
  const typed: Record<string, string[]> = {};
  const passwords = passwordsOf(form);
  for (const [name, value] of [...new FormData(form), ...pressed] as [string, FormDataEntryValue][]) {
    if (typeof value === 'string' && !passwords.includes(name)) typed[name] = [...(typed[name] ?? []), value];
  }
  return typed;
}

export function forgetForm(): void {
  unsaved = undefined;
}

/** The form that was sent last; undefined once a response has come. */
export const unsavedForm = (): UnsavedForm | undefined => unsaved;
