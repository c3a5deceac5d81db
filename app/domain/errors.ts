/** One thing that is wrong with what was sent: the field it belongs to, if any, and a sentence for the person. */
export type Fault = { field: string | null; message: string };

export type ErrorCode =
  | 'invalid' // what was sent breaks a rule; one fault per rule
  | 'taken' // a name that must be unique is in use
  | 'unauthenticated' // no session, or one that no longer stands; also a wrong name or password
  | 'forbidden' // a session of the wrong role
  | 'not_found' // no such thing, or one this caller may not see
  | 'not_taken' // something is sent to a page that takes no such thing
  | 'conflict' // the state forbids it
  | 'too_many' // too many tries
  | 'busy'; // too many others at the same moment

/** What the business refuses, in words for a person. The edge turns the code into a status. */
export class DomainError extends Error {
  readonly faults: Fault[];

  /** @param retryAfter seconds until another try makes sense */
  constructor(
    readonly code: ErrorCode,
    said: string | Fault[],
    readonly retryAfter?: number,
  ) {
    const faults = typeof said === 'string' ? [{ field: null, message: said }] : said;
    super(faults.map(({ message }) => message).join(' '));
    this.faults = faults;
  }
}

/** Something that the product needs did not do its work, and what came was not done; the cause says why. */
export class Unavailable extends Error {}

/** @param field whose value is refused; null where it is the whole input @param message a sentence for the person */
export const invalid = (field: string | null, message: string) => new DomainError('invalid', [{ field, message }]);
/** No session, or one that no longer stands. */
export const notLoggedIn = () => new DomainError('unauthenticated', 'You are not logged in.');
/** @param what the noun of a person, such as 'party': one that is not there and one of somebody else are told alike */
export const notFound = (what: string) => new DomainError('not_found', `There is no such ${what}.`);
/** A method that a screen has nothing for. */
export const notTaken = () => new DomainError('not_taken', 'This page does not take this kind of request.');
/** @param message a sentence for the person: what has become of the thing meanwhile */
export const conflict = (message: string) => new DomainError('conflict', message);

/** What a form's screen gets back where its input was refused: what is wrong, and what was typed, but for passwords. */
export type Refusal = { faults: Fault[]; typed: Record<string, string[]> };

/** What the error page is told: a sentence, where it has none for the status, and of a form that could not be saved, what was typed, to send it again. */
export type Trouble = {
  /** Where the status alone would be called something else. */
  title?: string;
  message?: string;
  kept?: {
    action: string;
    typed: Record<string, string[]>;
    passwords: string[];
    /** Where it takes a login to send it; `wrong` is why one that came along was refused. */
    login?: { username: string; wrong?: string };
  };
};

/** The names under which a form that was kept brings a login along. */
export const loginFields = { username: 'login-username', password: 'login-password' } as const;
