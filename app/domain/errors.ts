import { msg } from '@lingui/core/macro';
import { inEnglish } from './words/english';
import type { Words } from './words/words';

/** `field` is null if the whole input is at fault. */
export type Fault = { field: string | null; message: Words };

export type ErrorCode =
  | 'invalid' // the input breaks rules; one fault for each
  | 'taken' // someone has the unique name already
  | 'unauthenticated' // no session, or an ended one; also a wrong name or password
  | 'forbidden' // a session of the wrong role
  | 'not_found' // no such thing, or the caller may not see it
  | 'not_taken' // this page does not accept this kind of request
  | 'conflict' // the state of the thing forbids it
  | 'too_many' // too many tries
  | 'busy'; // too many people ask at the same moment

/** A refusal, described for a person; its own message is English. `http/` turns the code into a status. */
export class DomainError extends Error {
  readonly faults: Fault[];

  /** @param retryAfter seconds */
  constructor(
    readonly code: ErrorCode,
    reason: Words | Fault[],
    readonly retryAfter?: number,
  ) {
    const faults = Array.isArray(reason) ? reason : [{ field: null, message: reason }];
    super(faults.map(({ message }) => inEnglish(message)).join(' '));
    this.faults = faults;
  }
}

/** Something that we need, such as the database, has failed, so nothing was done. */
export class Unavailable extends Error {}

export const invalid = (field: string | null, message: Words) => new DomainError('invalid', [{ field, message }]);
export const notLoggedIn = () => new DomainError('unauthenticated', msg`You are not logged in.`);
export const notTaken = () => new DomainError('not_taken', msg`This page does not take this kind of request.`);
export const conflict = (message: Words) => new DomainError('conflict', message);

/** A fault in the reader's language. */
export type WordedFault = { field: string | null; message: string };

/** A refused form: its faults, and all that was typed except passwords. */
export type Refusal = { faults: WordedFault[]; typed: Record<string, string[]> };

/** A form that the error page can send again. */
export type UnsavedForm = {
  action: string;
  typed: Record<string, string[]>;
  passwords: string[]; // names of the password fields, which are not in `typed`
  /** Set if the form needs a login. `wrong` says why the last try was refused; `needsCode` asks for a code too. */
  login?: { username: string; wrong?: string; needsCode?: boolean };
};

export type Trouble = {
  title?: Words; // replaces the usual title for the status
  message?: Words;
  unsaved?: UnsavedForm;
};

/** The names of the fields with which an unsaved form sends a login along. */
export const loginFields = { username: 'login-username', password: 'login-password', code: 'login-code' } as const;
