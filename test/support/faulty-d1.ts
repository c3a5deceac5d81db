import type { D1Database } from '@cloudflare/workers-types';

type Session = ReturnType<D1Database['withSession']>;
type Batch = (statements: Parameters<Session['batch']>[0]) => Promise<unknown>;

/** A D1 whose sessions run batches in another way. */
const withBatches = (d1: D1Database, batchOf: (real: Session, from?: string) => Batch): D1Database => {
  const withSession = (from?: string) => {
    const real = d1.withSession(from);
    const prepare = (query: string) => real.prepare(query);
    return { prepare, getBookmark: () => real.getBookmark(), batch: batchOf(real, from) };
  };
  return { withSession } as unknown as D1Database;
};

/**
 * A D1 that fails: each batch throws the next message, null for none, and works again once they are used up.
 * `afterwards` lets the batch take effect before it fails, as when the connection is lost on the way back.
 */
export function failing(d1: D1Database, messages: (string | null)[], afterwards = false): D1Database {
  const left = [...messages];
  return withBatches(d1, (real) => async (statements) => {
    const message = left.shift();
    if (message === undefined || message === null) return real.batch(statements);
    if (afterwards) await real.batch(statements);
    throw new Error(`D1_ERROR: ${message}`);
  });
}

/** A D1 whose batches fail at the statement of that place, and which counts the statements of the longest. */
export function failingAt(d1: D1Database, place: number): D1Database & { longest: number } {
  const faulty = withBatches(d1, (real) => async (statements) => {
    counted.longest = Math.max(counted.longest, statements.length);
    const fault = real.prepare("SELECT json('no JSON')");
    return real.batch(place < statements.length ? statements.toSpliced(place, 0, fault) : statements);
  });
  const counted = Object.assign(faulty, { longest: 0 });
  return counted;
}

/** A D1 that counts the queries that it gets. */
export function counting(d1: D1Database): D1Database & { queries: number } {
  const counted = withBatches(d1, (real) => async (statements) => {
    counter.queries += statements.length;
    return real.batch(statements);
  });
  const counter = Object.assign(counted, { queries: 0 });
  return counter;
}

/** A D1 with which something else happens before the batch of this place. */
export function meanwhile(d1: D1Database, place: number, happen: () => Promise<unknown>): D1Database {
  let batches = 0;
  return withBatches(d1, (real) => async (statements) => {
    if (batches++ === place) await happen();
    return real.batch(statements);
  });
}

/** A message after which D1 may be asked again, and one after which it may not. */
export const lost = 'Network connection lost.';
export const overloaded = 'D1 DB is overloaded. Requests queued for too long.';

/** A D1 whose nearest copy is empty: only the primary has rows. */
export const withEmptyReplica = (d1: D1Database): D1Database =>
  withBatches(d1, (real, from) => async (statements) => {
    const results = await real.batch(statements);
    if (from === 'first-primary') return results;
    const meta = { served_by_primary: false };
    return results.map((result) => ({ ...result, results: [], meta: { ...result.meta, ...meta } }));
  });

/** A D1 that notes the bookmark of each session, and refuses those of another database. */
export function withKnownBookmarks(d1: D1Database, known: string[] = []): D1Database & { began: string[] } {
  const began: string[] = [];
  const noting = withBatches(d1, (real, from = 'first-unconstrained') => {
    began.push(from);
    if (from.startsWith('first-') || known.includes(from)) return (statements) => real.batch(statements);
    return () => Promise.reject(new Error('D1_ERROR: Invalid session bookmark.'));
  });
  return Object.assign(noting, { began });
}
