import type { D1Database } from '@cloudflare/workers-types';
import { Db } from '../../db/client';
import { endHolds, nextHoldEnd } from '../domain/bookings/holds.server';
import { linksBy } from '../domain/links.server';
import { deliverDue } from '../domain/messages/deliver.server';
import type { Transport } from '../domain/messages/mail';
import { nextReminder, remind } from '../domain/messages/reminders.server';
import { signatures } from '../domain/signatures.server';
import type { Instant } from '../domain/time/clock';
import { logFault } from '../http/log.server';
import { type Files, wordsBy } from '../words/catalogs.server';
import { composeMail } from './composed-mail.server';

type Sending = {
  transport: Transport;
  origin: string; // such as `https://daybook.example`
  clock: () => Instant;
};

/**
 * Sends the mail that is due.
 * @returns when the next mail is due, or null; `unreachable` if we can't reach the mail server
 */
export function deliverMail(
  {
    DB,
    ASSETS,
    SESSION_SECRETS,
    PASSWORD_PEPPER,
  }: { DB: D1Database; ASSETS: Files; SESSION_SECRETS: string; PASSWORD_PEPPER: string },
  { transport, origin, clock }: Sending,
): Promise<Instant | null | 'unreachable'> {
  const secrets = signatures(SESSION_SECRETS);
  const links = linksBy(PASSWORD_PEPPER);
  return deliverDue(new Db(DB, 'first-primary'), {
    transport,
    compose: (outgoing) => composeMail(outgoing, { secrets, links, origin, now: clock() }),
    clock,
    wordsIn: wordsBy(ASSETS),
    report: ({ mail, ...line }) => logFault({ message: 'mail', mail, ...line }, mail === 'given up' ? 'error' : 'warn'),
  });
}

/**
 * Writes due reminders, and ends holds that nobody took.
 * @returns when the next reminder is due, as far as bookings are known; null without one
 */
export async function remindPeople({ DB }: { DB: D1Database }, now: Instant): Promise<Instant | null> {
  const db = new Db(DB, 'first-primary');
  const [, , holdEnd] = await Promise.all([remind(db, now), db.run(endHolds(now)), nextHoldEnd(db)]);
  const nextTimes = [await nextReminder(db, now), holdEnd].filter((at) => at !== null);
  return nextTimes.length > 0 ? Math.min(...nextTimes) : null;
}
