import { msg } from '@lingui/core/macro';
import { RuleBroken, StatementFailed, StorageUnavailable } from '../../db/errors';
import { DomainError, type ErrorCode, type Fault, Unavailable } from '../domain/errors';
import type { Words } from '../domain/words/words';
import { logFault } from './log.server';

export const statuses: Record<ErrorCode, number> = {
  invalid: 400,
  taken: 409,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  not_taken: 405,
  conflict: 409,
  too_many: 429,
  busy: 503,
};

/** True for refusals that may have several messages. */
export const isListed = (code: ErrorCode) => code === 'invalid' || code === 'taken';

type Failure = { status: number; faults: Fault[]; isList: boolean; headers: Record<string, string> };

const storageDown = (reference: string) =>
  msg`We can't reach our storage right now. Nothing was changed. Please try again in a moment. If it lasts, its reference is ${reference}.`;
const partDown = msg`This does not work right now. Nothing was changed. Please try again in a moment.`;
const ourFault = (reference: string) =>
  msg`Something went wrong on our side. Please try again. If it happens again, its reference is ${reference}.`;

const failure = (status: number, message: Words, headers = {}): Failure => ({
  status,
  faults: [{ field: null, message }],
  isList: false,
  headers,
});

// Loaders in the same batch get the same error, which is logged once.
const logged = new WeakSet<Error>();

function log(error: unknown, reference: string): void {
  if (error instanceof Error && logged.has(error)) return;
  if (error instanceof Error) logged.add(error);
  logFault({
    message: error instanceof StatementFailed ? 'statement failed' : 'unforeseen',
    reference,
    cause: error instanceof RuleBroken ? error.rule : error instanceof Error ? (error.stack ?? error.message) : error,
  });
}

/** Turns an error into a status and messages. It logs errors that nobody expected. */
export function failureOf(error: unknown, id: string): Failure {
  if (error instanceof DomainError) {
    const { code, faults, retryAfter } = error;
    const headers: Record<string, string> = retryAfter ? { 'Retry-After': String(retryAfter) } : {};
    return { status: statuses[code], faults, isList: isListed(code), headers };
  }
  if (error instanceof StorageUnavailable) {
    logFault({ message: 'storage unavailable', reference: id, cause: error.message });
    return failure(503, storageDown(id), { 'Retry-After': '5' });
  }
  if (error instanceof Unavailable) {
    logFault({ message: `${error.message} unavailable`, reference: id, cause: String(error.cause) });
    return failure(503, partDown, { 'Retry-After': '5' });
  }
  log(error, id);
  return failure(500, ourFault(id));
}
