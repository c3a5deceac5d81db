import type { D1Database } from '@cloudflare/workers-types';

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
