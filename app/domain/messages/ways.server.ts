import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { hasId } from '../../../db/ids';
import { bookings } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import { lastOfChain } from '../bookings/moves.server';
import { bookingOfKey } from '../links.server';
import type { Kind } from './messages';
import type { Way, Ways } from './ways';

/**
 * SQL: the same rules as the triggers messages_go_by_mail and messages_keep_to_the_limits.
 * @param own an address for this one booking, in place of the account's
 */
const wayTo = (
  accountId: string,
  kind: Kind,
  hasMail: Placeholder,
  own = sql.raw('NULL'),
  ownHash = sql.raw('NULL'),
) => {
  const [mailOff, username, role] = ['mail_off', 'username', 'role'].map((name) => sql.raw(`${accountId}.${name}`));
  const account = (name: string) => sql.raw(`${accountId}.${name}`);
  const email = sql`coalesce(${own}, ${account('email')})`;
  const hash = sql`iif(${own} IS NULL, ${account('email_hash')}, ${ownHash})`;
  const typedBy = sql`iif(${own} IS NULL, ${account('email_by')}, NULL)`;
  return sql<Way>`CASE
  WHEN ${hasMail} = 1 AND ${email} IS NOT NULL AND instr(${mailOff}, ${sql.raw(`'"${kind}"'`)}) = 0
    AND (${own} IS NULL AND ${account('email_confirmed_at')} IS NOT NULL OR ${role} = 'Consumer'
      AND NOT EXISTS (SELECT 1 FROM refused_addresses WHERE email_hash = ${hash})
      AND NOT EXISTS (SELECT 1 FROM mail_contacts
        WHERE sender_id = ${typedBy} AND email_hash = ${hash} AND ended_at IS NOT NULL)
      AND (EXISTS (SELECT 1 FROM lifted_limits WHERE name = 'mail') OR NOT EXISTS (SELECT 1 FROM throttles
          WHERE bucket = 'mail:' || ${hash} AND tries >= 10 AND ends_at > unixepoch() * 1000)
        AND (${typedBy} IS NULL
          OR EXISTS (SELECT 1 FROM accounts WHERE id = ${typedBy} AND email_confirmed_at IS NOT NULL))))
    THEN 'mail'
  WHEN ${username} IS NOT NULL THEN 'news' WHEN ${email} IS NULL THEN 'call' ELSE 'blocked' END`;
};

export const wayToBooker = (hasMail: Placeholder) =>
  wayTo('booker', 'canceled', hasMail, sql.raw('bookings.email'), sql.raw('bookings.email_hash'));

const selectWays = (from: SQL, condition: SQL, hasMail: Placeholder) =>
  orm
    .select({
      toBooker: wayToBooker(hasMail).as('to_booker'),
      bookedWay: wayTo('booker', 'booked', hasMail, sql.raw('bookings.email'), sql.raw('bookings.email_hash')).as(
        'booked_way',
      ),
      toProvider: wayTo('provider', 'canceled', hasMail).as('to_provider'),
      bookerEmail: sql<string | null>`coalesce(bookings.email, booker.email)`.as('written_to'),
    })
    .from(sql`${from} CROSS JOIN accounts AS booker ON booker.id = booker_id
      CROSS JOIN accounts AS provider ON provider.id = provider_id`)
    .where(condition);

const waysById = statement<{ id: string; hasMail: number }>()(({ id, hasMail }) =>
  selectWays(sql`${bookings}`, hasId(bookings, id), hasMail),
);
const waysByLink = statement<{ id: string; hasMail: number }>()(({ id, hasMail }) =>
  selectWays(sql`${lastOfChain(id)} CROSS JOIN ${bookings}`, hasId(bookings, sql`last_id`), hasMail),
);

export async function findWays(db: Db, id: string, hasMail: boolean): Promise<Ways | undefined> {
  const [[found]] = await db.run(waysById({ id, hasMail: hasMail ? 1 : 0 }));
  return found;
}

export async function findWaysByLink(db: Db, key: string, hasMail: boolean): Promise<Ways | undefined> {
  const [[found]] = await db.run(waysByLink({ id: bookingOfKey(key), hasMail: hasMail ? 1 : 0 }));
  return found;
}
