import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { accounts } from '../../../db/schema';
import { orm } from '../../../db/statement';
import type { Actor } from '../accounts/accounts';
import { isLoggedIn } from '../accounts/sessions.server';
import { notLoggedIn } from '../errors';
import type { Instant } from '../time/clock';

/*
 * Reminders are queued by nothing: a job finds those that are due and that nobody has had. So what is moved is reminded of
 * anew, what is canceled is not, and no way to book can forget one.
 */

/** The numbers of minutes before the start at which anybody wants to be reminded. */
const times = sql`(SELECT 1440 AS minutes UNION SELECT minutes FROM reminder_times)`;

/** SQL: a reminder that is late by more than half a day is dropped. */
const isDue = (startsAt: ReturnType<typeof sql>, now: Instant) => sql`${startsAt} <= ${now} + times.minutes * 60000
  AND ${startsAt} > ${now} + max(0, times.minutes * 60000 - 43200000)`;
const isChosen = sql`EXISTS (SELECT 1 FROM json_each(accounts.reminders) WHERE value = times.minutes)`;

/** Whoever has booked. A booking that was made later than its reminder was due needs none. */
const bookers = (now: Instant) => sql`
  INSERT INTO messages (id, account_id, kind, slot_id, created_at)
  SELECT 'reminder:' || bookings.slot_id || '.' || number || ':' || times.minutes, booker_id, 'reminder', bookings.slot_id, ${now}
  FROM ${times} AS times CROSS JOIN bookings CROSS JOIN slots ON slots.id = bookings.slot_id
    CROSS JOIN accounts ON accounts.id = slots.provider_id
  WHERE bookings.is_canceled = 0 AND ${isDue(sql`bookings.starts_at`, now)} AND slots.status = 1 AND ${isChosen}
    AND bookings.booked_at < bookings.starts_at - times.minutes * 60000
  ON CONFLICT DO NOTHING`;

const standing = (now: Instant) => sql`${times} AS times CROSS JOIN parties
    CROSS JOIN accounts ON accounts.id = parties.provider_id
    CROSS JOIN invitations ON invitations.party_id = parties.id
  WHERE parties.deleted_at IS NULL AND ${isDue(sql`parties.starts_at`, now)} AND ${isChosen}`;

/** Whoever comes to a party. One that moves has another start, and is reminded of anew. */
const guests = (now: Instant) => sql`
  INSERT INTO messages (id, account_id, kind, party_id, created_at)
  SELECT 'reminder:' || parties.id || ':' || parties.starts_at || ':' || times.minutes || ':' || account_id, account_id, 'reminder',
    parties.id, ${now}
  FROM ${standing(now)} AND account_id IS NOT NULL AND accepted = 1
    AND answered_at < parties.starts_at - times.minutes * 60000
  ON CONFLICT DO NOTHING`;

/** The names of a meetup whose host has given an address: those who come, and once those who have not answered. */
const names = (now: Instant) => sql`
  INSERT INTO messages (id, account_id, kind, party_id, invitation_id, data, created_at, is_read, email, mail_state, due_at)
  SELECT 'reminder:' || iif(accepted IS NULL, 'unanswered', parties.starts_at || ':' || times.minutes) || ':' || invitations.id,
    parties.provider_id, 'reminder', parties.id, invitations.id, iif(accepted IS NULL, '{"isUnanswered":true}', '{}'), ${now}, 2,
    invitations.email, 'due', ${now}
  FROM ${standing(now)} AND account_id IS NULL AND invitations.email IS NOT NULL AND mail_ended_at IS NULL AND accepted IS NOT 0
    AND max(email_at, ifnull(answered_at, 0)) < parties.starts_at - times.minutes * 60000
  ON CONFLICT DO NOTHING`;

/** Writes the reminders that are due and that nobody has had. Doing it again writes none. */
export async function remind(db: Db, now: Instant): Promise<void> {
  await db.run(orm.run(bookers(now)), orm.run(guests(now)), orm.run(names(now)));
}

/** When the next reminder may be due; null where nothing is to come. */
export async function nextReminder(db: Db, now: Instant): Promise<Instant | null> {
  const first = (table: string, isStanding: string) => sql`(SELECT min(starts_at) FROM ${sql.raw(table)}
    WHERE ${sql.raw(isStanding)} AND starts_at > ${now} + times.minutes * 60000)`;
  const [[next]] = await db.run(
    orm
      .select({
        at: sql<Instant | null>`min(min(ifnull(${first('bookings', 'is_canceled = 0')}, 1e15),
          ifnull(${first('parties', 'deleted_at IS NULL')}, 1e15)) - times.minutes * 60000)`.as('next_reminder'),
      })
      .from(sql`${times} AS times`),
  );
  return next?.at != null && next.at < 1e14 ? next.at : null;
}

const selectReminders = (actor: Actor, now: Instant) =>
  orm
    .select({ reminders: accounts.reminders })
    .from(accounts)
    .where(and(eq(accounts.id, actor.accountId), isLoggedIn(actor, now)));

/** How many minutes before the start the provider's clients and guests are reminded. @throws DomainError unauthenticated */
export async function getReminders(db: Db, actor: Actor, now: Instant): Promise<number[]> {
  const [[found]] = await db.run(selectReminders(actor, now));
  if (!found) throw notLoggedIn();
  return found.reminders;
}

/** Sets when they are reminded, from now on; left out it stays. @throws DomainError unauthenticated */
export async function setReminders(
  db: Db,
  actor: Actor,
  { reminders }: { reminders: number[] | undefined },
  now: Instant,
): Promise<number[]> {
  if (!reminders) return getReminders(db, actor, now);
  const [, [found]] = await db.run(
    orm
      .update(accounts)
      .set({ reminders })
      .where(and(eq(accounts.id, actor.accountId), isLoggedIn(actor, now))),
    selectReminders(actor, now),
  );
  if (!found) throw notLoggedIn();
  return found.reminders;
}
