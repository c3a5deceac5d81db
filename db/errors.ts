/** A constraint, trigger or refusal failed the batch. `rule` is its name; for UNIQUE it is the columns. */
export class RuleBroken extends Error {
  constructor(readonly rule: string) {
    super(`Refused by the database: ${rule}`);
  }
}

/** The database did not respond. A batch is one transaction, so it wrote everything or nothing. */
export class StorageUnavailable extends Error {}

/** D1 refused a statement. The fault is ours, and another try would fail in the same way. */
export class StatementFailed extends Error {}

/** A value was larger than D1's limit of 2 MB: an input, or many rows as one text. */
export class ValueTooLarge extends StatementFailed {}

/** D1's documentation says that a batch may be sent again after these messages. */
const transient = [
  'Network connection lost',
  'storage caused object to be reset',
  'reset because its code was updated',
  'Cannot resolve D1 DB due to transient issue on remote node',
  'Internal error in D1 DB storage',
];

// A repeat would not help: D1 is overloaded, has exceeded a limit, or is broken. If a table is missing, the migrations
// are.
const outage = /overloaded|exceeded|internal error|no such table|SQLITE_(FULL|IOERR|BUSY|LOCKED|CANTOPEN)/i;

/** The text of the real error, which is in `cause`. Drizzle's own text contains the bound values. */
function innermost(error: unknown): string {
  let inner = error;
  while (inner instanceof Error && inner.cause !== undefined) inner = inner.cause;
  return inner instanceof Error ? inner.message : String(inner);
}

export function isTransient(error: unknown): boolean {
  const message = innermost(error);
  return transient.some((words) => message.includes(words));
}

/**
 * True if D1 can't read from a bookmark, because somebody made it up or the database was restored to an earlier time.
 */
export const isBookmarkRefused = (error: unknown) => /bookmark/i.test(innermost(error));

export function storageError(error: unknown): RuleBroken | StorageUnavailable | StatementFailed {
  const message = innermost(error);
  const constraint = /(?:UNIQUE|CHECK|NOT NULL) constraint failed: ([\w., ]+)/.exec(message)?.[1];
  if (constraint) return new RuleBroken(constraint.trim());
  if (message.includes('FOREIGN KEY constraint failed')) return new RuleBroken('foreign_key');
  const raised = /^(?:D1_ERROR: )?([a-z_]+): SQLITE_CONSTRAINT/.exec(message)?.[1];
  if (raised) return new RuleBroken(raised);
  if (message.includes('SQLITE_TOOBIG')) return new ValueTooLarge(message);
  return isTransient(error) || outage.test(message) ? new StorageUnavailable(message) : new StatementFailed(message);
}
