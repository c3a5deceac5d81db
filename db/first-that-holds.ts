import { type SQL, sql } from 'drizzle-orm';

/**
 * SQL: the value of the first case whose condition holds, or null; a text stands for itself. It is no CASE, since these expressions
 * stand in triggers too, and the remote D1 takes the first END for the end of a trigger.
 */
export const firstThatHolds = <Value>(...cases: [condition: SQL, value: (Value & string) | SQL][]): SQL<Value | null> =>
  cases.reduceRight<SQL<Value | null>>(
    (rest, [condition, value]) =>
      sql`iif(${condition}, ${typeof value === 'string' ? sql.raw(`'${value}'`) : value}, ${rest})`,
    sql`NULL`,
  );
