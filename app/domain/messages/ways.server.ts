import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { hasId } from '../../../db/ids';
import { bookings } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import { lastOfChain } from '../bookings/moves.server';
import { bookingOfKey } from '../links.server';
import { withheldMail } from '../mail/withheld-mail';
import { guestLinkSourceOf } from '../people/client-columns.server';
import {
  carriesHostsWords,
  hashOf,
  isConfirmed,
  isMailed,
  isRefused,
  type LimitedMail,
  whyWithheld,
} from './mail-policy.server';
import type { Kind } from './messages';
import type { Way, Ways } from './ways';

const [bookingEmail, bookingHash] = ['bookings.email', 'bookings.email_hash'].map((name) => sql.raw(name));

const bookerHash = sql`iif(${bookingEmail} IS NULL, ${hashOf(sql.raw('booker'))}, ${bookingHash})`;

const hasWords = carriesHostsWords(sql.raw('bookings.provider_id'), {
  isReaderConfirmed: isConfirmed(sql`${bookerHash} IS NOT ${hashOf(sql.raw('booker'))}`, sql.raw('booker')),
});

const [none, now] = [sql.raw('NULL'), sql.raw('unixepoch() * 1000')];

/** SQL: such a mail would be withheld now. Mail that many guests delay by an hour is promised all the same. */
export const wouldBeWithheld = (mail: Pick<LimitedMail, 'kind' | 'hash' | 'sender'>) =>
  sql`${whyWithheld({ ...mail, host: none, at: now })} IS NOT NULL`;

/** @param own an address for this one booking, in place of the account's */
const wayTo = (
  accountId: string,
  kind: Kind | Placeholder,
  hasMail: Placeholder | SQL | number,
  { own = none, ownHash = none, byMail = sql`'mail'` } = {},
) => {
  const account = sql.raw(accountId);
  const isOwn = sql`${own} IS NOT NULL`;
  const mail = {
    kind: typeof kind === 'string' ? sql.raw(`'${kind}'`) : sql`${kind}`,
    hash: sql`iif(${isOwn}, ${ownHash}, ${hashOf(account)})`,
    sender: sql`iif(${isOwn}, NULL, ${account}.email_by)`,
  };
  return sql<Way>`CASE
  WHEN ${hasMail} = 1 AND ${isMailed(mail.kind, isOwn, account)}
    AND (${isConfirmed(isOwn, account)} OR NOT ${wouldBeWithheld(mail)})
    THEN ${byMail}
  WHEN ${account}.username IS NOT NULL THEN 'news'
  WHEN coalesce(${own}, ${account}.email) IS NULL THEN 'call' ELSE 'blocked' END`;
};

const ownAddress = { own: bookingEmail, ownHash: bookingHash };

/** @param kind what they would be told */
export const wayToBooker = (hasMail: Placeholder | number, kind: Kind | Placeholder = 'canceled') =>
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
    withheld: sql<
      string | null
    >`(SELECT told.mail_state || ' ' || told.reason ${mail} AND told.mail_state IN ('withheld', 'waiting'))`,
  };
}

/** SQL: how the reader was told by that mail. @param next how they are told if nothing was decided */
export const wayTold = ({ state }: Pick<ReturnType<typeof decisionOn>, 'state'>, hasNews: SQL, next: SQL<Way>) =>
  sql<Way>`CASE WHEN ${state} IS NULL THEN ${next}
    WHEN ${state} IN ('due', 'leased', 'sent') THEN 'mail' WHEN ${hasNews} THEN 'news' ELSE 'blocked' END`;

/** SQL: the ids of the messages to the client that the booking was made or moved, of which there is one. */
export const idsOfBookedMail = (bookerId: SQL) =>
  sql`('booked:' || coalesce(bookings.told_with, bookings.id) || ':' || ${bookerId}, 'moved:' || coalesce(bookings.told_with, bookings.id) || ':' || ${bookerId})`;

const bookedMail = decisionOn(idsOfBookedMail(sql`booker.id`), bookerHash);
/** SQL: how the client was told that the booking was made or moved. */
export const toldBooker = (hasMail: Placeholder | SQL) =>
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
      withheld: sql`iif(${hasMail} = 0, NULL, ${bookedMail.withheld})`.mapWith(withheldMail).as('withheld_mail'),
      toProvider: wayTo('provider', kind, hasMail).as('to_provider'),
      bookerEmail: sql<string | null>`coalesce(bookings.email, booker.email)`.as('written_to'),
      lang: sql<string | null>`coalesce(booker.lang, booker.read_in)`.as('booker_lang'),
      linkSource: guestLinkSourceOf({ username: sql`booker.username` }).as('guest_link'),
    })
    .from(sql`${from} CROSS JOIN accounts AS booker ON booker.id = booker_id
      CROSS JOIN accounts AS provider ON provider.id = provider_id`)
    .where(condition);

type Change = 'canceled' | 'moved';
type WaysParams = { id: string; hasMail: number; kind: Change };
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
  kind: Change = 'canceled',
): Promise<Ways | undefined> {
  const [[found]] = await db.run(waysById({ id, hasMail: hasMail ? 1 : 0, kind }));
  return found;
}

export async function findWaysByLink(
  db: Db,
  key: string,
  hasMail: boolean,
  kind: Change = 'canceled',
): Promise<Ways | undefined> {
  const [[found]] = await db.run(waysByLink({ id: bookingOfKey(key), hasMail: hasMail ? 1 : 0, kind }));
  return found;
}
