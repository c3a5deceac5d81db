import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import { columnOf, type Of } from './column-of';

type At = Placeholder | SQL | number;

/** SQL: the row begins at `from` or later, and before `until`. */
export const startsIn = ({ from, until }: { from: At; until: At }, row?: Of<'startsAt'>): SQL => {
  const startsAt = columnOf(row, 'startsAt');
  return sql`${startsAt} >= ${from} AND ${startsAt} < ${until}`;
};
