import { type SQLWrapper, sql } from 'drizzle-orm';
import { bookings } from '../../../db/schema';

/** SQL: the first booking of a chain of moves. Its id is the id of the calendar entry. */
export const entryOf = sql<string>`coalesce(${bookings.calendarId}, ${bookings.id})`;

/** SQL: the seed of the personal link, and the id of the booking that it opens. */
export const linkSeedOf = sql<string | null>`${bookings.linkSeed} || ' ' || ${entryOf}`;

/** SQL: the same for a guest; null for an account, whose link is its owner's alone. @param client who has booked */
export const guestSeedOf = ({ username }: { username: SQLWrapper }) =>
  sql<string | null>`iif(${username} IS NULL, ${linkSeedOf}, NULL)`;

/** SQL: the language that a client chose, or else last read a page in. */
export const languageOfClient = ({ lang, readIn }: { lang: SQLWrapper; readIn: SQLWrapper }) =>
  sql<string | null>`coalesce(${lang}, ${readIn})`;
