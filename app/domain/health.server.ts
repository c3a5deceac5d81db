import { sql } from 'drizzle-orm';
import type { Db } from '../../db/client';
import { StatementFailed } from '../../db/errors';
import { messages, oneTimeKeys } from '../../db/schema';
import { orm, statement } from '../../db/statement';
import { Unavailable } from './errors';
import { keyLength } from './one-time-keys.server';
import { hour, type Instant, minute } from './time/clock';

// We warn when mail has waited this long, or a row that the hourly job should have deleted.
const [mailLate, jobLate] = [15 * minute, 2 * hour];
const mostCounted = 100;

type HealthValues = { now: Instant };

const selectHealth = statement<HealthValues>()(({ now }) =>
  orm
    .select({
      // SQLite looks up a maximum, but would sort to find the first.
      migration: sql<string | null>`(SELECT max(name) FROM d1_migrations)`.as('migration'),
      mailWaiting: sql<number>`(SELECT count(*) FROM (SELECT 1 FROM ${messages}
        WHERE mail_state IN ('due', 'leased') AND (due_at < ${now} - ${sql.raw(String(mailLate))}
          OR tries > 0 AND created_at < ${now} - ${sql.raw(String(mailLate))})
        LIMIT ${sql.raw(String(mostCounted))}))`.as('mail_waiting'),
      // Of what the hourly job deletes, these have an index by age.
      oldest: sql<Instant | null>`(SELECT min(created_at) + ${sql.raw(String(keyLength))} FROM ${oneTimeKeys})`.as(
        'oldest',
      ),
    })
    .from(sql`(SELECT 1)`),
);

export type Health = { migration: string; mailWaiting: number; warnings: string[] };

/**
 * Reads how the product is.
 * @returns the last migration, which may be newer than this code; the number of late mails; warnings, which name nobody
 * @throws Unavailable if the database has no tables, or older ones
 */
export async function getHealth(
  db: Db,
  { needed, now, hasMail }: { needed: string; now: Instant; hasMail: boolean },
): Promise<Health> {
  const [[row]] = await db.run(selectHealth({ now })).catch((error) => {
    if (error instanceof StatementFailed) return [[undefined]];
    throw error;
  });
  const migration = row?.migration ?? 'none';
  if (!row || migration === 'none' || migration < needed) {
    throw new Unavailable('storage', { cause: `the last migration is ${migration}, not ${needed}` });
  }
  const { oldest } = row;
  const mailWaiting = hasMail ? row.mailWaiting : 0;
  const warnings = [
    ...(oldest !== null && oldest < now - jobLate
      ? [`The hourly job has left what was over ${Math.floor((now - oldest) / hour)} hours ago.`]
      : []),
    ...(mailWaiting > 0
      ? [
          mailWaiting === 1
            ? '1 mail waits for more than 15 minutes.'
            : `${mailWaiting === mostCounted ? `${mostCounted} or more` : mailWaiting} mails wait for more than 15 minutes.`,
        ]
      : []),
  ];
  return { migration, mailWaiting, warnings };
}
