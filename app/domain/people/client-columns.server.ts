import { type SQLWrapper, sql } from 'drizzle-orm';
import { bookings } from '../../../db/schema';

/** SQL: the first booking of a chain of moves. Its id is the id of the calendar entry. */
export const entryOf = sql<string>`coalesce(${bookings.calendarId}, ${bookings.id})`;

/** SQL: what the personal link is made of, as bookingKeyOf takes it. */
export const linkSourceOf = sql<string | null>`${bookings.linkSeed} || ' ' || ${entryOf}`;

/** SQL: the same for a guest; null for an account, whose link is its owner's alone. @param client who has booked */
export const guestLinkSourceOf = ({ username }: { username: SQLWrapper }) =>
  sql<string | null>`iif(${username} IS NULL, ${linkSourceOf}, NULL)`;

/** SQL: the language that a client chose, or else last read a page in. */
export const languageOfClient = ({ lang, readIn }: { lang: SQLWrapper; readIn: SQLWrapper }) =>
  sql<string | null>`coalesce(${lang}, ${readIn})`;
