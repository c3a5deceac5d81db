import { eq, type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Db } from '../../../db/client';
import { accounts, cities } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { invalid, notLoggedIn } from '../errors';
import { fold, sortKey } from '../input/fold';
import { keepNamesForMail } from '../messages/last-mails.server';
import type { Instant } from '../time/clock';
import type { Actor } from './accounts';
import { callOff, forgetHosting, forgetPublishing, isLastMail, type Leaving } from './forgetting-provider.server';
import { formerName } from './guests';
import { triesByAccount } from './login-tries.server';
import type { Passwords } from './passwords.server';
import { isLoggedIn, selectOwner } from './sessions.server';
import type { Origin } from './throttles.server';

/** What a deletion takes; a guest has no password. */
export const accountDeletion = z.object({ password: z.optional(z.string()) });

/** What the actor has booked: coming ones are canceled and their times open again, as a cancellation does it. */
const forgetBookings = ({ me, now, here }: Leaving): SQL[] => [
  sql`UPDATE slots SET status = 2, was_booked = 1, canceled_at = ${now}, canceled_by = ${me}
    WHERE id IN (SELECT slot_id FROM bookings WHERE booker_id = ${me} AND is_canceled = 0 AND starts_at > ${now})
      AND status = 1 AND ${here}`,
  sql`INSERT INTO slots (id, provider_id, city, starts_at, ends_at, local_date, time_zone, notes, template_id, publication)
    SELECT lower(hex(randomblob(16))), provider_id, (SELECT city FROM accounts WHERE id = provider_id), starts_at, ends_at,
      local_date, time_zone, notes, template_id, publication
    FROM slots WHERE id IN (SELECT slot_id FROM bookings WHERE booker_id = ${me} AND starts_at > ${now})
      AND canceled_by = ${me} AND canceled_at = ${now} AND ${here}`,
  sql`UPDATE slots SET cancel_reason = NULL
    WHERE id IN (SELECT slot_id FROM bookings WHERE booker_id = ${me}) AND canceled_by = ${me} AND ${here}`,
  sql`UPDATE bookings SET answers = '[]', answered_at = NULL, private_note = NULL, link_hash = NULL, link_seed = NULL,
      claim_hash = NULL
    WHERE booker_id = ${me} AND ${here}`,
];

/** What the actor has answered: they come to nothing any more, and what they answered is forgotten. */
const forgetAnswers = ({ me, now, here }: Leaving): SQL[] => [
  sql`UPDATE invitations SET accepted = 0, plus_ones = 0, answered_at = ${now}
    WHERE account_id = ${me} AND accepted = 1 AND party_id IN (SELECT id FROM parties WHERE id = party_id AND ends_at > ${now})
      AND ${here}`,
  sql`UPDATE invitations SET answers = '[]', username = NULL, link_hash = NULL WHERE account_id = ${me} AND ${here}`,
];

/** All rows under names that begin with the account's: one-time keys, and counters of tries. */
const forgetKeys = (name: string, { me, here }: Leaving): SQL[] => [
  sql`DELETE FROM one_time_keys
    WHERE (caller IN (${me}, ${`Register:${name}`}) OR caller > ${`${me}:`} AND caller < ${`${me};`}) AND ${here}`,
  sql`DELETE FROM throttles
    WHERE (bucket IN (${`email:${me}`}, ${`login:${name}`}, ${`lost:${name}`})
        OR bucket > ${`login:${name} `} AND bucket < ${`login:${name}!`}
        OR bucket = 'lost:' || (SELECT lower(email) FROM accounts WHERE id = ${me}))
      AND ${here}`,
];

/** What others were told by the actor: the words that the messages keep, not that there was something. */
const forgetTold = ({ me, here }: Leaving): SQL[] => [
  sql`UPDATE messages SET data = json_remove(data, '$.reason', '$.title', '$.address')
    WHERE account_id IN (
        SELECT provider_id FROM bookings JOIN slots ON slots.id = slot_id WHERE booker_id = ${me}
        UNION SELECT booker_id FROM slots JOIN bookings ON slot_id = slots.id WHERE provider_id = ${me}
        UNION SELECT account_id FROM parties JOIN invitations ON party_id = parties.id WHERE provider_id = ${me})
      AND actor_id = ${me} AND ${here}`,
  sql`DELETE FROM messages WHERE account_id = ${me} AND NOT (${isLastMail}) AND ${here}`,
];

/** The account itself, last: an empty row, to which the past of others refers. */
const forgetAccount = ({ me, here }: Leaving): SQL[] => [
  sql`DELETE FROM feeds WHERE account_id = ${me} AND ${here}`,
  sql`DELETE FROM recovery_codes WHERE account_id = ${me} AND ${here}`,
  sql`DELETE FROM second_factors WHERE account_id = ${me} AND ${here}`,
  sql`UPDATE accounts SET username = NULL, username_folded = NULL, password_hash = NULL, role = 'Consumer', city = NULL,
      display_name = ${formerName}, display_folded = ${fold(formerName)}, display_sort_key = ${sortKey(formerName)},
      description = NULL, email = NULL, email_confirmed_at = NULL, mail_off = '[]', time_zone = 'UTC', open_to = 'anyone',
      ask_email = 'optional', open_slots_at_most = 0, notice = 0, cancel_until = 0,
      horizon_days = NULL, per_person = NULL, per_day = NULL, keep_answers_days = NULL
    WHERE id = ${me} AND ${here}`,
];

/** The city of the last provider there, unless a past slot of somebody else was in it. */
const forgetCity = (city: string): SQL[] => {
  const isNobodys = sql`NOT EXISTS (SELECT 1 FROM accounts WHERE city = ${city} AND role = 'Provider')
    AND NOT EXISTS (SELECT 1 FROM slots WHERE city = ${city})`;
  return [
    sql`DELETE FROM city_days WHERE city = ${city} AND ${isNobodys}`,
    sql`DELETE FROM cities WHERE folded = ${city} AND ${isNobodys}`,
  ];
};

/**
 * Deletes the actor's account. Coming bookings are canceled first, and those concerned are told. What others need stays
 * under the name `Former guest`, without answers; nothing else about the actor stays anywhere. All in one transaction; it
 * ends every session.
 * @throws DomainError unauthenticated, invalid (the password), too_many
 */
export async function deleteAccount(
  db: Db,
  passwords: Passwords,
  actor: Actor,
  { password }: z.output<typeof accountDeletion>,
  { now, origin }: { now: Instant; origin: Origin },
): Promise<void> {
  const me = actor.accountId;
  const tries = triesByAccount(me, origin, now);
  const [[account], [owner], ...counted] = (await db.run(
    orm
      .select({
        passwordHash: accounts.passwordHash,
        usernameFolded: accounts.usernameFolded,
        role: accounts.role,
        city: accounts.city,
        inCity: cities.providers,
      })
      .from(accounts)
      .leftJoin(cities, eq(cities.folded, accounts.city))
      .where(eq(accounts.id, me)),
    selectOwner(actor, now),
    ...tries.count,
  )) as [Found[], { isLoggedIn: number }[], ...unknown[]];
  if (!account || !owner?.isLoggedIn) throw notLoggedIn();
  if (account.passwordHash !== null) {
    tries.check(counted);
    if (!password) throw invalid('password', 'Password is missing.');
    if (!(await passwords.verify(password, account.passwordHash)).right) {
      throw invalid('password', 'That is not your current password.');
    }
  }
  const leaving = { me, now, here: isLoggedIn(actor, now) };
  const isProvider = account.role === 'Provider';
  const isLastThere = account.city !== null && account.inCity === 1;
  const statements = [
    ...forgetBookings(leaving),
    ...forgetAnswers(leaving),
    ...(isProvider
      ? [...callOff(leaving), keepNamesForMail(leaving), ...forgetPublishing(leaving), ...forgetHosting(leaving)]
      : []),
    ...forgetTold(leaving),
    ...forgetKeys(account.usernameFolded ?? '', leaving),
    ...forgetAccount(leaving),
    sql`DELETE FROM sessions WHERE account_id = ${me} AND ${leaving.here}`,
    ...(isLastThere ? forgetCity(account.city as string) : []),
  ];
  const results = await db.run(
    ...statements.map((statement) => orm.run(statement)),
    orm.select({ name: accounts.displayName, username: accounts.username }).from(accounts).where(eq(accounts.id, me)),
  );
  // The session ended between the password and this: by a new password, or by another device.
  const [left] = results.at(-1) as { name: string; username: string | null }[];
  if (left?.name !== formerName || left.username !== null) throw notLoggedIn();
  db.changedPages.add(me);
}

/** What has to be known of an account before it is deleted. */
type Found = {
  passwordHash: string | null;
  usernameFolded: string | null;
  role: 'Consumer' | 'Provider';
  city: string | null;
  inCity: number | null;
};
