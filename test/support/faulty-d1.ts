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
