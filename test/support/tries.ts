import { env } from 'cloudflare:test';
import type { D1Database, D1DatabaseSession, D1PreparedStatement } from '@cloudflare/workers-types';
import { DomainError } from '../../app/domain/errors';
import { Db } from '../../db/client';

/* What a call would do. It runs as always, but the batch that books is undone. */

/** SQL that fails, and so undoes its batch, if that has booked something at this moment. */
const undoBooking = `SELECT json('undone') WHERE EXISTS (
  SELECT 1 FROM bookings WHERE status = 1 AND booked_at = ?1 OR status = 2 AND canceled_at = ?1)`;

const isUndone = (error: unknown) => /malformed JSON/.test(`${error}`);

/**
 * Tries to book, or to move, and leaves the book as it is.
 * @param now a moment at which nothing was booked yet
 * @returns null if it would be done, else why it is refused
 */
export async function refusalOf(call: (db: Db) => Promise<unknown>, now: number): Promise<string | null> {
  let isDone = false;
  const batch = async (session: D1DatabaseSession, statements: D1PreparedStatement[]) => {
    try {
      return await session.batch([...statements, session.prepare(undoBooking).bind(now)]);
    } catch (error) {
      isDone ||= isUndone(error);
      throw error;
    }
  };
  const d1 = env.DB as unknown as D1Database;
  const undoing = {
    withSession(from: string) {
      const session = d1.withSession(from);
      return {
        prepare: (sql: string) => session.prepare(sql),
        batch: (statements: D1PreparedStatement[]) => batch(session, statements),
        getBookmark: () => session.getBookmark(),
      };
    },
  };
  try {
    await call(new Db(undoing as unknown as D1Database, 'first-primary'));
    return 'nothing was booked';
  } catch (error) {
    if (isDone) return null;
    if (error instanceof DomainError) return error.message;
    throw error;
  }
}
