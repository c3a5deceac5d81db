import { sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { orm } from '../../../db/statement';
import { isBooked } from '../../../db/states';
import type { Instant } from '../time/clock';

// Nothing queues reminders: a job finds those that are due and not written yet. So a moved appointment gets a new one,
// and a canceled one gets none.

const times = sql`(SELECT 1440 AS minutes UNION SELECT minutes FROM reminder_times)`;

/** SQL: a reminder that is late by more than half a day is dropped. */
const isDue = (startsAt: ReturnType<typeof sql>, now: Instant) => sql`${startsAt} <= ${now} + times.minutes * 60000
  AND ${startsAt} > ${now} + max(0, times.minutes * 60000 - 43200000)`;
const isChosen = sql`EXISTS (SELECT 1 FROM json_each(accounts.reminders) WHERE value = times.minutes)`;

/** Leaves out bookings that were made after the reminder was due. */
const bookers = (now: Instant) => sql`
  INSERT INTO notices (kind, once, account_id, booking_id, email, email_hash, at)
  SELECT 'reminder', bookings.id || ':' || times.minutes, booker_id, bookings.id, bookings.email, bookings.email_hash, ${now}
  FROM accounts CROSS JOIN ${times} AS times ON ${isChosen} CROSS JOIN bookings ON bookings.provider_id = accounts.id
  WHERE accounts.role = 'Provider' AND ${isBooked('bookings')} AND ${isDue(sql`bookings.starts_at`, now)}
    AND bookings.booked_at < bookings.starts_at - times.minutes * 60000`;

const dueInvitations = (now: Instant) => sql`${times} AS times CROSS JOIN parties
    CROSS JOIN accounts ON accounts.id = parties.provider_id
    CROSS JOIN invitations ON invitations.party_id = parties.id
  WHERE parties.deleted_at IS NULL AND ${isDue(sql`parties.starts_at`, now)} AND ${isChosen}`;

/** A party that moves has another start, and so another reminder. */
const guests = (now: Instant) => sql`
  INSERT INTO notices (kind, once, account_id, party_id, email, email_hash, at)
  SELECT 'reminder', parties.id || ':' || parties.starts_at || ':' || times.minutes || ':' || account_id, account_id, parties.id,
    invitations.email, invitations.email_hash, ${now}
  FROM ${dueInvitations(now)} AND account_id IS NOT NULL AND accepted = 1
    AND rsvp_at < parties.starts_at - times.minutes * 60000`;

/** Reminds names that come, and once those that have not answered. */
const names = (now: Instant) => sql`
  INSERT INTO notices (kind, once, party_id, invitation_id, data, at, email, email_hash)
  SELECT 'reminder', iif(accepted IS NULL, 'unanswered', parties.starts_at || ':' || times.minutes) || ':' || invitations.id, parties.id,
    invitations.id, iif(accepted IS NULL, '{"isWithoutRsvp":true}', '{}'), ${now}, invitations.email, invitations.email_hash
  FROM ${dueInvitations(now)} AND account_id IS NULL AND invitations.email IS NOT NULL AND mail_ended_at IS NULL AND accepted IS NOT 0
    AND max(ifnull(email_at, 0), ifnull(rsvp_at, 0)) < parties.starts_at - times.minutes * 60000`;

export async function remind(db: Db, now: Instant): Promise<void> {
  await db.run(orm.run(bookers(now)), orm.run(guests(now)), orm.run(names(now)));
}

/** Null without coming appointments and parties. */
export async function nextReminder(db: Db, now: Instant): Promise<Instant | null> {
  const [[next]] = await db.run(
    orm
      .select({
        at: sql<Instant | null>`min(first - minutes * 60000)`.as('next_reminder'),
      })
      .from(
        sql`(SELECT times.minutes, (SELECT min(starts_at) FROM bookings
            WHERE provider_id = accounts.id AND ${isBooked()} AND starts_at > ${now} + times.minutes * 60000) AS first
          FROM accounts CROSS JOIN ${times} AS times ON ${isChosen} WHERE accounts.role = 'Provider'
          UNION ALL SELECT times.minutes, (SELECT min(starts_at) FROM parties
            WHERE deleted_at IS NULL AND starts_at > ${now} + times.minutes * 60000) FROM ${times} AS times)`,
      ),
  );
  return next?.at ?? null;
}
