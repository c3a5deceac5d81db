import { msg } from '@lingui/core/macro';
import { eq, type SQL, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Db } from '../../../db/client';
import { RuleBroken } from '../../../db/errors';
import { accounts, cities } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { bookingStatus, isToCome, isWaiting, literal, wishState } from '../../../db/states';
import { runAfterHolds } from '../bookings/holds.server';
import { invalid, notLoggedIn } from '../errors';
import { triesByAccount } from '../login/login-tries.server';
import type { Passwords } from '../login/passwords.server';
import { isLoggedIn, selectOwner } from '../login/sessions.server';
import type { Origin } from '../login/throttles.server';
import { keepNamesForMail } from '../messages/last-mails.server';
import type { Actor } from '../profile/accounts';
import { formerName } from '../profile/former';
import { forgetShop, lastOwner } from '../shop/shops.server';
import type { Instant } from '../time/clock';
import { forgetCards } from './forget-cards.server';
import {
  callOff,
  forgetHosting,
  forgetPublishing,
  forgottenOfBooking,
  isLastMail,
  type Leaving,
} from './forget-provider.server';

/** A guest has no password. */
export const accountDeletion = z.object({ password: z.optional(z.string()) });

const endBookings = ({ me, now, here }: Leaving): SQL[] => [
  sql`UPDATE wishes SET state = ${literal(wishState.over)}, offer_id = NULL, held_until = NULL, changed_at = ${now}
    WHERE account_id = ${me} AND ${isWaiting()} AND ${here} RETURNING provider_id`,
  sql`DELETE FROM wishes WHERE account_id = ${me} AND ${here}`,
  sql`DELETE FROM standing_times WHERE booker_id = ${me} AND ${here}`,
  sql`UPDATE bookings SET status = ${literal(bookingStatus.ended)}, told_with = NULL, canceled_at = ${now}, canceled_by = 'consumer', acted_by = NULL, sequence = sequence + 1
    WHERE booker_id = ${me} AND ${isToCome(now)} AND ${here} RETURNING provider_id`,
];

const forgetBookings = ({ me, here }: Leaving): SQL[] => [
  sql`UPDATE bookings SET ${forgottenOfBooking}, link_seed = NULL, email = NULL, email_hash = NULL,
      reason = iif(canceled_by = 'consumer', NULL, reason)
    WHERE booker_id = ${me} AND ${here}`,
];

const forgetAnswers = ({ me, now, here }: Leaving): SQL[] => [
  sql`UPDATE invitations SET accepted = 0, plus_ones = 0, rsvp_at = ${now}
    WHERE account_id = ${me} AND accepted = 1 AND party_id IN (SELECT id FROM parties WHERE id = party_id AND ends_at > ${now})
      AND ${here}`,
  sql`UPDATE invitations SET answers = '[]', username = NULL, link_hash = NULL, email = NULL, email_hash = NULL, phone = NULL, lang = NULL
    WHERE account_id = ${me} AND ${here}`,
];

/** Deletes one-time keys and counters, whose names begin with the account's name. */
const forgetKeys = (name: string, { me, here }: Leaving): SQL[] => [
  sql`DELETE FROM one_time_keys
    WHERE (caller IN (${me}, ${`Register:${name}`}) OR caller > ${`${me}:`} AND caller < ${`${me};`}) AND ${here}`,
  sql`DELETE FROM throttles
    WHERE (bucket IN (${`email:${me}`}, ${`login:${name}`}, ${`lost:${name}`})
        OR bucket > ${`login:${name} `} AND bucket < ${`login:${name}!`}
        OR bucket = 'lost:' || (SELECT lower(email) FROM accounts WHERE id = ${me}))
      AND ${here}`,
];

const forgetMessages = ({ me, here }: Leaving): SQL[] => [
  sql`UPDATE messages SET data = json_remove(data, '$.reason', '$.title', '$.address', '$.locationUrl')
    WHERE account_id IN (
        SELECT provider_id FROM bookings WHERE booker_id = ${me}
        UNION SELECT booker_id FROM bookings WHERE provider_id = ${me}
        UNION SELECT account_id FROM parties JOIN invitations ON party_id = parties.id WHERE provider_id = ${me})
      AND actor_id = ${me} AND ${here}`,
  sql`DELETE FROM messages WHERE account_id = ${me} AND NOT (${isLastMail}) AND ${here}`,
];

/** Before anything is canceled, so that no program is told. */
const forgetWebhooks = ({ me, here }: Leaving): SQL[] => [
  sql`DELETE FROM deliveries WHERE provider_id = ${me} AND ${here}`,
  sql`DELETE FROM webhooks WHERE provider_id = ${me} AND ${here}`,
];

/** A shop closes with its last person. Whoever else is in it stays, with an owner: a trigger refuses to let the last one go. */
const leaveColleagues = ({ me, here }: Leaving, shopId: string): SQL[] => {
  const isAlone = sql`(SELECT count(*) FROM colleagues WHERE shop_id = ${shopId}) = 1
    AND EXISTS (SELECT 1 FROM colleagues WHERE shop_id = ${shopId} AND account_id = ${me}) AND ${here}`;
  return [
    ...forgetShop(shopId, isAlone),
    sql`DELETE FROM colleagues WHERE account_id = ${me} AND ${here} RETURNING shop_id AS provider_id`,
  ];
};

/** Empties the account. Its row stays, because other people's past appointments refer to it. */
const forgetAccount = ({ me, here }: Leaving): SQL[] => [
  sql`DELETE FROM former_colleagues WHERE account_id = ${me} AND ${here}`,
  sql`DELETE FROM busy_feeds WHERE provider_id = ${me} AND ${here}`,
  sql`DELETE FROM feeds WHERE account_id = ${me} AND ${here}`,
  sql`DELETE FROM mail_contacts WHERE sender_id = ${me} AND ${here}`,
  sql`DELETE FROM keys WHERE account_id = ${me} AND ${here}`,
  sql`DELETE FROM recovery_codes WHERE account_id = ${me} AND ${here}`,
  sql`DELETE FROM second_factors WHERE account_id = ${me} AND ${here}`,
  sql`UPDATE accounts SET username = NULL, username_folded = NULL, password_hash = NULL, role = 'Consumer', city = NULL,
      display_name = '', display_plain = '', display_sort_key = '', description = NULL, address = NULL, phone = NULL, pay_by = NULL, email = NULL, email_hash = NULL,
      email_by = NULL, email_confirmed_at = NULL, mail_off = '[]', time_zone = 'UTC', lang = NULL, read_in = NULL, open_to = 'anyone',
      ask_email = 'optional', ask_phone = 'no', open_slots_at_most = 0, notice = 0, cancel_until = 0,
      horizon_days = NULL, per_person = NULL, per_day = NULL, keep_answers_days = NULL,
      parties_block = 1, waitlist = 'on', colour = 'red', head = 'plain', embed_on = '[]'
    WHERE id = ${me} AND ${here}`,
];

/** Deletes a city without providers, unless other rows name it. */
const forgetCity = (city: string): SQL[] => {
  const isNobodys = sql`NOT EXISTS (SELECT 1 FROM accounts WHERE city = ${city} AND role <> 'Consumer')
    AND NOT EXISTS (SELECT 1 FROM slots WHERE city = ${city}) AND NOT EXISTS (SELECT 1 FROM bookings WHERE city = ${city})`;
  return [
    sql`DELETE FROM city_days WHERE city = ${city} AND ${isNobodys}`,
    sql`DELETE FROM cities WHERE folded = ${city} AND ${isNobodys}`,
  ];
};

/**
 * Deletes the actor's account. Coming bookings are canceled, with messages. Rows that others need stay under the name
 * `Former guest`, without answers.
 * @throws DomainError unauthenticated, invalid (the password), too_many, conflict (the last owner of a shop with others)
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
  const {
    account: [account],
    owner: [owner],
    counted,
  } = await db.run({
    account: orm
      .select({
        passwordHash: accounts.passwordHash,
        usernameFolded: accounts.usernameFolded,
        role: accounts.role,
        city: accounts.city,
        inCity: cities.providers,
        shopId: sql<string | null>`(SELECT shop_id FROM colleagues WHERE account_id = ${me})`.as('shop_id'),
      })
      .from(accounts)
      .leftJoin(cities, eq(cities.folded, accounts.city))
      .where(eq(accounts.id, me)),
    owner: selectOwner(actor, now),
    counted: tries.count,
  });
  if (!account || !owner?.isLoggedIn) throw notLoggedIn();
  if (account.passwordHash !== null) {
    tries.refuse(counted);
    if (!password) throw invalid('password', msg`Password is missing.`);
    if (!(await passwords.verify(password, account.passwordHash)).right) {
      throw invalid('password', msg`That is not your current password.`);
    }
  }
  const leaving = { me, now, here: isLoggedIn(actor, now) };
  const isProvider = account.role === 'Provider';
  const isLastThere = account.city !== null && account.inCity === 1;
  const statements = [
    ...(isProvider ? forgetWebhooks(leaving) : []),
    ...(account.shopId === null ? [] : leaveColleagues(leaving, account.shopId)),
    ...endBookings(leaving),
    ...forgetCards(leaving), // compares with the numbers that were given with bookings
    ...forgetBookings(leaving),
    ...forgetAnswers(leaving),
    ...(isProvider
      ? [...callOff(leaving), keepNamesForMail(leaving), ...forgetPublishing(leaving), ...forgetHosting(leaving)]
      : []),
    ...forgetMessages(leaving),
    ...forgetKeys(account.usernameFolded ?? '', leaving),
    ...forgetAccount(leaving),
    sql`DELETE FROM sessions WHERE account_id = ${me} AND ${leaving.here}`,
    ...(isLastThere ? forgetCity(account.city as string) : []),
  ];
  const {
    former: [former],
  } = await runAfterHolds(db, now, {
    forgotten: statements.map((statement) => orm.run(statement)),
    former: orm
      .select({ name: accounts.displayName, username: accounts.username })
      .from(accounts)
      .where(eq(accounts.id, me)),
  }).catch((error) => {
    throw error instanceof RuleBroken && error.rule === 'shop_has_owner' ? lastOwner() : error;
  });
  // The session has ended since the password was checked, because of a new password or another device.
  if (former?.name !== formerName || former.username !== null) throw notLoggedIn();
}
