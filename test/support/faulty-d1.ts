import type { D1Database } from '@cloudflare/workers-types';

/**
 * A D1 that fails: each batch throws the next message, null for none, and works again once they are used up.
 * `afterwards` lets the batch take effect before it fails, as when the connection is lost on the way back.
 */
export function failing(d1: D1Database, messages: (string | null)[], afterwards = false): D1Database {
  const left = [...messages];
  const session = (from?: string) => {
    const real = d1.withSession(from);
    return {
      prepare: (query: string) => real.prepare(query),
      getBookmark: () => real.getBookmark(),
      batch: async (statements: Parameters<typeof real.batch>[0]) => {
        const message = left.shift();
        if (message === undefined || message === null) return real.batch(statements);
        if (afterwards) await real.batch(statements);
        throw new Error(`D1_ERROR: ${message}`);
      },
    };
  };
  return { withSession: session } as unknown as D1Database;
}

/** A message after which D1 may be asked again, and one after which it may not. */
export const lost = 'Network connection lost.';
export const overloaded = 'D1 DB is overloaded. Requests queued for too long.';

type Session = ReturnType<D1Database['withSession']>;

/** A D1 whose nearest copy is empty: only the primary has rows. */
export function withEmptyReplica(d1: D1Database): D1Database {
  const session = (from?: string) => {
    const real = d1.withSession(from);
    if (from === 'first-primary') return real;
    return {
      prepare: (query: string) => real.prepare(query),
      getBookmark: () => real.getBookmark(),
      batch: async (statements: Parameters<Session['batch']>[0]) =>
        (await real.batch(statements)).map(({ meta, success }) => ({
          results: [],
          success,
          meta: { ...meta, served_by_primary: false },
        })),
    };
  };
  return { withSession: session } as unknown as D1Database;
}

/** A D1 that notes the bookmark of each session, and refuses those of another database. */
export function withKnownBookmarks(d1: D1Database, known: string[] = []): D1Database & { began: string[] } {
  const began: string[] = [];
  const session = (from = 'first-unconstrained') => {
    began.push(from);
    const real = d1.withSession(from);
    const isKnown = from.startsWith('first-') || known.includes(from);
    return {
      prepare: (query: string) => real.prepare(query),
      getBookmark: () => real.getBookmark(),
      batch: async (statements: Parameters<Session['batch']>[0]) => {
        if (isKnown) return real.batch(statements);
        throw new Error('D1_ERROR: Invalid session bookmark.');
      },
    };
  };
  return { withSession: session, began } as unknown as D1Database & { began: string[] };
}
