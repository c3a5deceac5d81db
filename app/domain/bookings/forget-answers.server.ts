import { and, eq, lte, sql } from 'drizzle-orm';
import { bookings } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { isLoggedIn } from '../login/sessions.server';
import type { Actor } from '../profile/accounts';
import { day, type Instant } from '../time/clock';

/* A provider may say after how many days the answers of past appointments are deleted. */

const forget = () => orm.update(bookings).set({ answers: [], answeredAt: null });
const isAnswered = sql`${bookings.answers} <> '[]'`;

/** The statement that deletes the answers of a provider's appointments that ended by `until`. */
export const forgetAnswersOf = (provider: Actor, until: Instant, now: Instant) =>
  forget().where(
    and(
      eq(bookings.providerId, provider.accountId),
      and(lte(bookings.startsAt, until), lte(bookings.endsAt, until)),
      isAnswered,
      isLoggedIn(provider, now),
    ),
  );

/** How far back the hourly job looks: it may have failed for a while. What is older was deleted when the rule was made. */
const window = 14 * day;

/** The statement that deletes what all providers keep no longer. */
export const forgetOldAnswers = (now: Instant) =>
  forget().where(
    and(
      sql`(provider_id, starts_at, id) IN (
        SELECT old.provider_id, old.starts_at, old.id FROM accounts CROSS JOIN bookings AS old ON old.provider_id = accounts.id
          AND old.starts_at BETWEEN ${now - window} - keep_answers_days * ${day} AND ${now} - keep_answers_days * ${day}
        WHERE keep_answers_days IS NOT NULL AND old.ends_at <= ${now} - keep_answers_days * ${day})`,
      isAnswered,
    ),
  );
