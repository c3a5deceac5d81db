import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { hasId } from '../../../db/ids';
import { bookings } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import { lastOfChain } from '../bookings/moves.server';
import { bookingOfKey } from '../links.server';
import { day } from '../time/clock';
import { heldMail } from './held-mail';
import type { Kind } from './messages';
import type { Way, Ways } from './ways';

const [bookingEmail, bookingHash] = ['bookings.email', 'bookings.email_hash'].map((name) => sql.raw(name));

/** SQL: the provider's own words go along, because somebody has confirmed an address; the same rule as the outbox's. */
const hasWords = sql`(booker.email_confirmed_at IS NOT NULL
    AND (${bookingEmail} IS NULL OR ${bookingHash} IS coalesce(booker.email_hash, lower(booker.email)))
  OR (SELECT email_confirmed_at FROM accounts WHERE id = bookings.provider_id) IS NOT NULL)`;

const now = sql.raw('unixepoch() * 1000');
const week = sql.raw(String(7 * day));
const isLifted = sql`EXISTS (SELECT 1 FROM lifted_limits WHERE name = 'mail')`;

const isRefused = (hash: SQL) => sql`EXISTS (SELECT 1 FROM refused_addresses WHERE email_hash = ${hash})`;

/** SQL: mail to an address that nobody has confirmed is refused or held back. @param sender who typed it, or null */
export const isHeld = (hash: SQL, sender: SQL) => sql`(${isRefused(hash)}
  OR NOT ${isLifted} AND (EXISTS (SELECT 1 FROM accounts WHERE id = ${sender} AND email_confirmed_at IS NULL)
    OR EXISTS (SELECT 1 FROM throttles WHERE bucket = 'mail:' || ${hash} AND ends_at > ${now} AND tries >= 10))
  OR coalesce((SELECT ended_at IS NOT NULL FROM mail_contacts WHERE sender_id = ${sender} AND email_hash = ${hash}),
    NOT ${isLifted} AND EXISTS (SELECT 1 FROM throttles WHERE bucket = 'mail-new:' || ${sender} AND ends_at > ${now} AND tries >= iif(
      ${now} < (SELECT created_at FROM accounts WHERE id = ${sender}) + ${week}, 30, 100))))`;

/**
 * SQL: the same rules as the triggers messages_go_by_mail and messages_go_or_are_told_of.
 * @param own an address for this one booking, in place of the account's
 */
const wayTo = (
  accountId: string,
  kind: Kind | Placeholder,
  hasMail: Placeholder,
  { own = sql.raw('NULL'), ownHash = sql.raw('NULL'), byMail = sql`'mail'` } = {},
) => {
  const [mailOff, username, role] = ['mail_off', 'username', 'role'].map((name) => sql.raw(`${accountId}.${name}`));
  const account = (name: string) => sql.raw(`${accountId}.${name}`);
  const email = sql`coalesce(${own}, ${account('email')})`;
  const hash = sql`iif(${own} IS NULL, ${account('email_hash')}, ${ownHash})`;
  const typedBy = sql`iif(${own} IS NULL, ${account('email_by')}, NULL)`;
  return sql<Way>`CASE
  WHEN ${hasMail} = 1 AND ${email} IS NOT NULL AND instr(${mailOff}, '"' || ${typeof kind === 'string' ? sql.raw(`'${kind}'`) : kind} || '"') = 0
    AND (${own} IS NULL AND ${account('email_confirmed_at')} IS NOT NULL OR ${role} = 'Consumer'
      AND NOT ${isHeld(hash, typedBy)})
    THEN ${byMail}
  WHEN ${username} IS NOT NULL THEN 'news' WHEN ${email} IS NULL THEN 'call' ELSE 'blocked' END`;
};

const ownAddress = { own: bookingEmail, ownHash: bookingHash };

/** @param kind what they would be told */
export const wayToBooker = (hasMail: Placeholder, kind: Kind | Placeholder = 'canceled') =>
  wayTo('booker', kind, hasMail, { ...ownAddress, byMail: sql`iif(${hasWords}, 'mail', 'bare')` });

/**
 * SQL: what the triggers decided about a mail, and not what they would decide about the next.
 * @param ids the ids of its message, of which there is one
 * @param hash its reader's address. It may have been changed or refused since, and then nothing was decided.
 */
export function decisionOn(ids: SQL, hash: SQL) {
  const mail = sql`FROM messages AS told
    WHERE told.id IN ${ids} AND told.email_hash = ${hash} AND NOT ${isRefused(hash)}`;
  return {
    id: sql`(SELECT told.id ${mail})`,
    state: sql`(SELECT told.mail_state ${mail})`,
    held: sql<
      string | null
    >`(SELECT told.mail_state || ' ' || told.reason ${mail} AND told.mail_state IN ('held', 'waiting'))`,
  };
}

/** SQL: how the reader was told by that mail. @param next how they are told if nothing was decided */
export const wayTold = ({ state }: Pick<ReturnType<typeof decisionOn>, 'state'>, hasNews: SQL, next: SQL<Way>) =>
  sql<Way>`CASE WHEN ${state} IS NULL THEN ${next}
    WHEN ${state} IN ('due', 'leased', 'sent') THEN 'mail' WHEN ${hasNews} THEN 'news' ELSE 'blocked' END`;

const bookerHash = sql`iif(${bookingEmail} IS NULL, coalesce(booker.email_hash, lower(booker.email)), ${bookingHash})`;

/** SQL: the ids of the messages to the client that the booking was made or moved, of which there is one. */
export const idsOfBookedMail = (bookerId: SQL) =>
  sql`('booked:' || coalesce(bookings.told_with, bookings.id) || ':' || ${bookerId}, 'moved:' || bookings.id || ':' || ${bookerId})`;

const bookedMail = decisionOn(idsOfBookedMail(sql`booker.id`), bookerHash);
const toldBooker = (hasMail: Placeholder) =>
  wayTold(
    { state: sql`iif(${hasMail} = 0, NULL, ${bookedMail.state})` },
    sql`booker.username IS NOT NULL`,
    wayTo('booker', 'booked', hasMail, ownAddress),
  );

const selectWays = (from: SQL, condition: SQL, { hasMail, kind }: { hasMail: Placeholder; kind: Placeholder }) =>
  orm
    .select({
      toBooker: wayToBooker(hasMail, kind).as('to_booker'),
      bookedWay: wayTo('booker', 'booked', hasMail, ownAddress).as('booked_way'),
      toldBooker: toldBooker(hasMail).as('told_booker'),
      held: sql`iif(${hasMail} = 0, NULL, ${bookedMail.held})`.mapWith(heldMail).as('held_mail'),
      toProvider: wayTo('provider', kind, hasMail).as('to_provider'),
      bookerEmail: sql<string | null>`coalesce(bookings.email, booker.email)`.as('written_to'),
    })
    .from(sql`${from} CROSS JOIN accounts AS booker ON booker.id = booker_id
      CROSS JOIN accounts AS provider ON provider.id = provider_id`)
    .where(condition);

type Told = 'canceled' | 'moved';
type WaysParams = { id: string; hasMail: number; kind: Told };
const waysById = statement<WaysParams>()(({ id, hasMail, kind }) =>
  selectWays(sql`${bookings}`, hasId(bookings, id), { hasMail, kind }),
);
const waysByLink = statement<WaysParams>()(({ id, hasMail, kind }) =>
  selectWays(sql`${lastOfChain(id)} CROSS JOIN ${bookings}`, hasId(bookings, sql`last_id`), { hasMail, kind }),
);

/** @param kind what both sides would be told */
export async function findWays(
  db: Db,
  id: string,
  hasMail: boolean,
  kind: Told = 'canceled',
): Promise<Ways | undefined> {
  const [[found]] = await db.run(waysById({ id, hasMail: hasMail ? 1 : 0, kind }));
  return found;
}

export async function findWaysByLink(
  db: Db,
  key: string,
  hasMail: boolean,
  kind: Told = 'canceled',
): Promise<Ways | undefined> {
  const [[found]] = await db.run(waysByLink({ id: bookingOfKey(key), hasMail: hasMail ? 1 : 0, kind }));
  return found;
}
