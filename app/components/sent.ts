import type { FormEvent } from 'react';
import type { Trouble } from '../domain/errors';

/*
 * With script: the form that is under way. Where the network lets it down, the page that says so can send it again, as the
 * server's own can where storage was down.
 */

let sent: Trouble['kept'];

/** Remembers a form as it is sent, but for its passwords. */
export function rememberSent({ currentTarget: form, nativeEvent }: FormEvent<HTMLFormElement>): void {
  const { pathname, search } = new URL(form.action);
  const typed: Record<string, string[]> = {};
  const passwords = [...form.querySelectorAll<HTMLInputElement>('[type=password]')].map(({ name }) => name);
  const button = (nativeEvent as SubmitEvent).submitter;
  const pressed = button instanceof HTMLButtonElement && button.name ? [[button.name, button.value]] : [];
  for (const [name, value] of [...new FormData(form), ...pressed] as [string, FormDataEntryValue][]) {
    if (typeof value === 'string' && !passwords.includes(name)) typed[name] = [...(typed[name] ?? []), value];
  }
  sent = { action: pathname + search, typed, passwords };
}

/** Another page is on show: what was sent has arrived, or that page has it. */
export function forgetSent(): void {
  sent = undefined;
}

/** The form that was sent last, if nothing has come back since. */
export const sentLast = (): Trouble['kept'] => sent;
