import { and, sql } from 'drizzle-orm';
import { bookings } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { day, type Instant } from '../time/clock';

// How far back the job looks. It may have failed for some days; what is older was deleted when the provider set the
// rule.
const window = 14 * day;

export const forgetOldAnswers = (now: Instant) =>
  orm
    .update(bookings)
    .set({ answers: [], answeredAt: null })
    .where(
      and(
        sql`(provider_id, starts_at, id) IN (
        SELECT old.provider_id, old.starts_at, old.id FROM accounts CROSS JOIN bookings AS old ON old.provider_id = accounts.id
          AND old.starts_at BETWEEN ${now - window} - keep_answers_days * ${day} AND ${now} - keep_answers_days * ${day}
        WHERE keep_answers_days IS NOT NULL AND old.ends_at <= ${now} - keep_answers_days * ${day})`,
        sql`${bookings.answers} <> '[]'`,
      ),
    );
