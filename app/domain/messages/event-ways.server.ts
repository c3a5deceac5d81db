import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { ownedBy } from '../../../db/owned-by';
import { invitations } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import type { Actor } from '../profile/accounts';
import { type EventWays, eventWaysOf, type Untold } from './event-ways';
import { carriesHostsWords, hashOf } from './mail-policy.server';
import type { Way } from './ways';
import { decisionOn, wayTold, wouldBeWithheld } from './ways.server';

const mostNamed = sql.raw('5');

/** SQL: something of the account, if it is a guest's. */
const ofGuest = (what: SQL) =>
  sql`(SELECT ${what} FROM accounts WHERE accounts.id = invitations.account_id AND accounts.username IS NULL)`;
/** SQL: the address of an invitation's guest, also where they want no more mail. */
export const guestEmail = sql<string | null>`coalesce(invitations.email, ${ofGuest(sql`accounts.email`)})`;
const hash = sql`coalesce(invitations.email_hash, lower(invitations.email),
  ${ofGuest(hashOf(sql.raw('accounts')))})`;
const isTypedByHost = sql`(invitations.account_id IS NULL AND NOT invitations.email_is_own)`;
const mailOff = sql`ifnull(${ofGuest(sql`accounts.mail_off`)}, '[]')`;
const isEnded = sql`(invitations.mail_ended_at IS NOT NULL
  OR instr(${mailOff}, '"changed"') > 0 OR instr(${mailOff}, '"called-off"') > 0)`;
const hasNews = sql`(invitations.account_id IS NOT NULL AND invitations.username IS NOT NULL)`;

/** SQL: how a guest hears of a change, by the rules of the triggers that write those messages and withhold them. */
const wayOf = (host: Placeholder | SQL, hasMail: Placeholder | SQL) => {
  const mail = { kind: sql.raw("'changed'"), hash, sender: sql`iif(${isTypedByHost}, ${host}, NULL)` };
  return sql<Way>`CASE WHEN ${hasNews} THEN 'news'
  WHEN ${hasMail} = 0 OR ${guestEmail} IS NULL THEN 'call'
  WHEN ${isEnded} OR ${wouldBeWithheld(mail)} THEN 'blocked'
  WHEN ${carriesHostsWords(host, { isFromHost: isTypedByHost })} THEN 'mail' ELSE 'bare' END`;
};

/** SQL: what was decided about the mail of a guest's last RSVP, unless they have ended such mail since. */
export const rsvpMail = decisionOn(
  sql`('answered:' || invitations.id || ':' || invitations.rsvp_at)`,
  sql`iif(${isEnded}, NULL, ${hash})`,
);

/** SQL: how a guest was told of their last RSVP, where mail is set up. */
export const toldGuest = (host: SQL) => wayTold(rsvpMail, hasNews, wayOf(host, sql.raw('1')));

type EventParams = { id: string; me: string; hasMail: number };
const selectEventWays = statement<EventParams>()(({ id, me, hasMail }) => {
  const way = wayOf(me, hasMail);
  const named = (untold: Way) => sql`(SELECT json_group_array(json_object('name', name, 'phone', phone)) FROM (
    SELECT name, phone FROM invitations
    WHERE party_id = ${id} AND accepted IS NOT 0 AND ${way} = ${sql.raw(`'${untold}'`)} LIMIT ${mostNamed}))`;
  return orm
    .select({
      way: way.as('way'),
      count: sql<number>`count(*)`.as('people'),
      named: sql`CASE ${way} WHEN 'call' THEN ${named('call')} WHEN 'blocked' THEN ${named('blocked')} ELSE '[]' END`
        .mapWith((json: string): Untold['named'] => JSON.parse(json))
        .as('named'),
    })
    .from(invitations)
    .where(
      sql`party_id = ${id} AND accepted IS NOT 0
        AND EXISTS (SELECT 1 FROM parties WHERE parties.id = ${id} AND ${ownedBy(me)})`,
    )
    .groupBy(sql`1`);
});

export async function findEventWays(db: Db, { accountId }: Actor, id: string, hasMail: boolean): Promise<EventWays> {
  const { rows } = await db.run({ rows: selectEventWays({ id, me: accountId, hasMail: hasMail ? 1 : 0 }) });
  return eventWaysOf(rows);
}
