import { sql } from 'drizzle-orm';
import type { Instant } from '../time/clock';

/** A held mail that is sent: at once if its day is over, else when that is over. The limits are asked again then. */
export function sendWhenItMay(now: Instant) {
  const isTime = sql`ifnull(due_at, 0) <= ${now}`;
  return { mailState: sql`iif(${isTime}, 'asked', 'waiting')`, dueAt: sql`iif(${isTime}, ${now}, due_at)` };
}
