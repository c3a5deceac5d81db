import { and, isNull, lte, type SQLWrapper, sql } from 'drizzle-orm';
import type { Db } from '../../db/client';
import { idAlphabet } from '../../db/columns';
import {
  accounts,
  deliveries,
  keys,
  liftedLimits,
  messages,
  oneTimeKeys,
  replacedInvitations,
  replacedLinks,
  sessions,
  shopInvitations,
  throttles,
} from '../../db/schema';
import { orm } from '../../db/statement';
import { readState } from '../../db/states';
import { forgetOldAnswers } from './bookings/forget-answers.server';
import { tidyWaitlist } from './bookings/holds.server';
import { dropUnsent } from './messages/last-mails.server';
import { keyLength } from './one-time-keys.server';
import { forgetCalledOff } from './parties/hosting.server';
import { day, hour, type Instant } from './time/clock';

const newsLength = 183 * day;

// So long its owner reads that a key is over, and what a webhook was told; and whoever has used an invitation may send it again.
const keptAfterEnd = 30 * day;

// An index by age would cost a row for each message and each session. So each hour checks only the accounts whose ids
// begin with one of 64 characters.
function isOfThisHour(accountId: SQLWrapper, now: Instant) {
  const first = idAlphabet[Math.floor(now / hour) % idAlphabet.length] as string;
  return sql`${accountId} >= ${first} AND ${accountId} < ${`${first}~`}`;
}

const forgetOldNews = (now: Instant) =>
  orm.delete(messages).where(
    sql`${messages.id} IN (SELECT old.id FROM accounts CROSS JOIN json_each(${JSON.stringify(Object.values(readState))}) AS state
      CROSS JOIN messages AS old ON old.account_id = accounts.id AND old.is_read = state.value AND old.created_at <= ${now - newsLength}
      WHERE ${isOfThisHour(accounts.id, now)})`,
  );

/** Turns the mail limits on again. A local server may have lifted them before the backup that was restored here. */
export async function setLimitsAgain(db: Db): Promise<void> {
  await db.run(orm.delete(liftedLimits));
}

/** Deletes what has expired, sessions and old news within three days, and gives up mail that has waited too long. */
export async function forgetExpired(db: Db, now: Instant): Promise<void> {
  const others = Promise.all([forgetCalledOff(db, now), dropUnsent(db, now), tidyWaitlist(db, now)]);
  await db.run(
    forgetOldAnswers(now),
    orm.delete(sessions).where(and(isOfThisHour(sessions.accountId, now), lte(sessions.expiresAt, now))),
    orm.delete(keys).where(and(isOfThisHour(keys.accountId, now), lte(keys.endsAt, now - keptAfterEnd))),
    orm
      .delete(shopInvitations)
      .where(and(isOfThisHour(shopInvitations.shopId, now), lte(shopInvitations.endsAt, now - keptAfterEnd))),
    orm
      .delete(deliveries)
      .where(
        and(isOfThisHour(deliveries.providerId, now), lte(deliveries.at, now - keptAfterEnd), isNull(deliveries.dueAt)),
      ),
    orm.delete(oneTimeKeys).where(lte(oneTimeKeys.createdAt, now - keyLength)),
    forgetOldNews(now),
    orm.delete(replacedLinks).where(lte(replacedLinks.forgetAt, now)),
    orm.delete(replacedInvitations).where(lte(replacedInvitations.forgetAt, now)),
    orm.delete(throttles).where(lte(throttles.endsAt, now)),
  );
  await others;
}
