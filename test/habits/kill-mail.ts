import { deepStrictEqual, ok } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from '../../app/local/server';
import type { Arrived } from '../support/mail-server';

/** SQL: the message of each booking, move and cancellation, and its reader. Everybody here has an address. */
const told = `SELECT
  (SELECT 2 * count(*) FROM bookings WHERE moved_from IS NULL) AS booked,
  (SELECT coalesce(sum(iif(canceled_by = 'provider', 1, 2)), 0) FROM bookings WHERE status = 2 AND moved_to IS NULL) AS canceled,
  (SELECT coalesce(sum(iif(canceled_by = 'provider', 1, 2)), 0) FROM bookings WHERE moved_to IS NOT NULL) AS moved`;

/** Give up after so many rounds without a mail. */
const idleFor = 100;

/**
 * Checks that each effect has its messages, and that each arrived once; at most twice, as the same mail, if a kill came between sending
 * and noting. First it lets the waiting mail leave.
 */
export async function checkMail(
  { d1, scheduled }: Server,
  arrived: Arrived[],
): Promise<{ mails: number; twice: number }> {
  const { results } = await d1
    .prepare("SELECT kind, count(*) AS many FROM messages WHERE kind <> 'reminder' GROUP BY kind")
    .all<{ kind: string; many: number }>();
  const written = Object.fromEntries(results.map(({ kind, many }) => [kind, many]));
  deepStrictEqual({ booked: 0, canceled: 0, moved: 0, ...written }, { ...(await d1.prepare(told).first()) });
  // Hundreds of kills leave thousands of mails, and each wake sends some, so it ends when no more leave.
  let [left, idle] = [Number.POSITIVE_INFINITY, 0];
  for (let tries = 0; idle < idleFor; tries++) {
    await d1
      .prepare("UPDATE messages SET due_at = 1 WHERE mail_state = 'due' OR mail_state = 'leased' AND ?")
      .bind(tries === 0 ? 1 : 0)
      .run();
    await scheduled();
    const waiting = await d1
      .prepare("SELECT count(*) AS many FROM messages WHERE mail_state IN ('due', 'leased')")
      .first<number>('many');
    if (!waiting) break;
    idle = waiting < left ? 0 : idle + 1;
    left = waiting;
    await sleep(200);
  }
  const unsent =
    "SELECT mail_state, reason, count(*) AS many FROM messages WHERE mail_state IS NOT 'sent' GROUP BY 1, 2";
  deepStrictEqual((await d1.prepare(unsent).all()).results, [], 'a message was not sent');
  const messages = await d1.prepare('SELECT count(*) AS many FROM messages').first<number>('many');
  const copies = new Map<string, number>();
  for (const { mail } of arrived) copies.set(mail.messageId ?? '', (copies.get(mail.messageId ?? '') ?? 0) + 1);
  deepStrictEqual(copies.size, messages, 'as many mails came as were written');
  const twice = [...copies.values()].filter((many) => many > 1);
  ok(
    twice.every((many) => many === 2),
    'a mail came more than twice',
  );
  return { mails: copies.size, twice: twice.length };
}
