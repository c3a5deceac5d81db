import { sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { invitations } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import { mailed } from '../parties/invitations.server';
import type { Actor } from '../profile/accounts';
import type { EventWays } from './event-ways';
import type { Way } from './ways';

const named = sql.raw('5');

/** SQL: how a guest hears of a change, by the rules of the triggers that write those messages. */
const way = sql<Way>`CASE WHEN account_id IS NOT NULL AND username IS NOT NULL THEN 'news'
  WHEN ${sql.placeholder('hasMail')} = 1 AND ${mailed} IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM refused_addresses WHERE refused_addresses.email_hash = invitations.email_hash) THEN 'mail'
  ELSE 'call' END`;

type EventParams = { id: string; me: string; hasMail: number };
const selectEventWays = statement<EventParams>()(({ id, me }) =>
  orm
    .select({
      way: way.as('way'),
      count: sql<number>`count(*)`.as('people'),
      untold: sql<string | null>`iif(${way} = 'call', (SELECT json_group_array(json_array(name, phone)) FROM (
        SELECT name, phone FROM invitations WHERE party_id = ${id} AND accepted IS NOT 0 AND ${way} = 'call' LIMIT ${named})), NULL)`.as(
        'untold',
      ),
    })
    .from(invitations)
    .where(
      sql`party_id = ${id} AND accepted IS NOT 0
        AND EXISTS (SELECT 1 FROM parties WHERE parties.id = ${id} AND provider_id = ${me})`,
    )
    .groupBy(sql`1`),
);

export async function findEventWays(db: Db, { accountId }: Actor, id: string, hasMail: boolean): Promise<EventWays> {
  const { rows } = await db.run({ rows: selectEventWays({ id, me: accountId, hasMail: hasMail ? 1 : 0 }) });
  const countOf = (way: Way) => rows.find((row) => row.way === way)?.count ?? 0;
  const toCall = JSON.parse(rows.find((row) => row.way === 'call')?.untold ?? '[]') as [string, string | null][];
  return {
    mail: countOf('mail'),
    news: countOf('news'),
    call: countOf('call'),
    untold: toCall.map(([name, phone]) => ({ name, phone })),
  };
}
