/** A mistake in an input: its field, or null for the whole input, and a sentence for the person. */
export type Fault = { field: string | null; message: string };

export type ErrorCode =
  | 'invalid' // the input breaks rules; one fault for each
  | 'taken' // someone has the unique name already
  | 'unauthenticated' // no session, or one that no longer stands; also a wrong name or password
  | 'forbidden' // a session of the wrong role
  | 'not_found' // no such thing, or the caller may not see it
  | 'not_taken' // the page does not take this kind of request
  | 'conflict' // the state forbids it
  | 'too_many' // too many tries
  | 'busy'; // too many others ask at the same moment

/** A refusal by the business, in words for a person. `http/` turns the code into a status. */
export class DomainError extends Error {
  readonly faults: Fault[];

  /** @param retryAfter the seconds until another try makes sense */
  constructor(
    readonly code: ErrorCode,
    reason: string | Fault[],
    readonly retryAfter?: number,
  ) {
    const faults = typeof reason === 'string' ? [{ field: null, message: reason }] : reason;
    super(faults.map(({ message }) => message).join(' '));
    this.faults = faults;
  }
}

/** A part that the product needs has failed, so nothing was done. The cause says why. */
export class Unavailable extends Error {}

/** @param field the refused field; null for the whole input @param message a sentence for the person */
export const invalid = (field: string | null, message: string) => new DomainError('invalid', [{ field, message }]);
export const notLoggedIn = () => new DomainError('unauthenticated', 'You are not logged in.');
/** @param what a noun such as 'party'; a missing one and someone else's get the same words */
export const notFound = (what: string) => new DomainError('not_found', `There is no such ${what}.`);
export const notTaken = () => new DomainError('not_taken', 'This page does not take this kind of request.');
/** @param message a sentence for the person: what has happened in between */
export const conflict = (message: string) => new DomainError('conflict', message);

/** A refused form: its faults, and all that was typed except passwords. */
export type Refusal = { faults: Fault[]; typed: Record<string, string[]> };

/** A form for the error page, which can send it again. */
export type UnsavedForm = {
  action: string;
  typed: Record<string, string[]>;
  /** The names of its password fields, which are not in `typed`. */
  passwords: string[];
  /** Set if the form needs a login. `wrong` refuses the one that came along; `needsCode` asks for a code too. */
  login?: { username: string; wrong?: string; needsCode?: boolean };
};

export type Trouble = {
  /** In place of the title of the status. */
  title?: string;
  /** In place of the sentence of the status. */
  message?: string;
  unsaved?: UnsavedForm;
};

/** The fields by which an unsaved form brings a login along. */
export const loginFields = { username: 'login-username', password: 'login-password', code: 'login-code' } as const;
