/** A constraint, a trigger or a refusal failed the batch; `rule` is its name, or the columns of a UNIQUE. */
export class RuleBroken extends Error {
  constructor(readonly rule: string) {
    super(`Refused by the database: ${rule}`);
  }
}

/** The database did not respond. A batch is one transaction, so it wrote all or nothing. */
export class StorageUnavailable extends Error {}

/** A value was larger than the 2 MB that D1 takes: an input, or many rows read as one text. */
export class ValueTooLarge extends StorageUnavailable {}

/** D1's documentation says that a batch may be sent again after these messages. */
const transient = [
  'Network connection lost',
  'storage caused object to be reset',
  'reset because its code was updated',
  'Cannot resolve D1 DB due to transient issue on remote node',
  'Internal error in D1 DB storage',
];

/** The text of an error. The real error is behind `cause`; Drizzle's own text contains the bound values. */
function innermost(error: unknown): string {
  let inner = error;
  while (inner instanceof Error && inner.cause !== undefined) inner = inner.cause;
  return inner instanceof Error ? inner.message : String(inner);
}

/** True where the same batch may be sent again at once. */
export function isTransient(error: unknown): boolean {
  const message = innermost(error);
  return transient.some((words) => message.includes(words));
}

/** Turns an error of D1 into a broken rule by its name, or into storage that is unavailable. */
export function storageError(error: unknown): RuleBroken | StorageUnavailable {
  const message = innermost(error);
  const constraint = /(?:UNIQUE|CHECK|NOT NULL) constraint failed: ([\w., ]+)/.exec(message)?.[1];
  if (constraint) return new RuleBroken(constraint.trim());
  if (message.includes('FOREIGN KEY constraint failed')) return new RuleBroken('foreign_key');
  const raised = /^(?:D1_ERROR: )?([a-z_]+): SQLITE_CONSTRAINT/.exec(message)?.[1];
  if (raised) return new RuleBroken(raised);
  if (message.includes('SQLITE_TOOBIG')) return new ValueTooLarge(message);
  return new StorageUnavailable(message);
}
