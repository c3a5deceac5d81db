import type { D1Database } from '@cloudflare/workers-types';
import { Db } from '../db/client';
import { confirmationToken } from './domain/accounts/email.server';
import { resetToken } from './domain/accounts/lost-password.server';
import { type Entry, entryOfAppointment, entryOfParty } from './domain/calendar/entries';
import { calendarText } from './domain/calendar/ics.server';
import { bookingPath, type Links, linksBy } from './domain/links.server';
import { deliverDue } from './domain/messages/delivery.server';
import type { Mail, Transport } from './domain/messages/mail';
import { invitationMail } from './domain/messages/mail-settings.server';
import { linkOf, optional } from './domain/messages/messages';
import type { Outgoing } from './domain/messages/outbox.server';
import { nextReminder, remind } from './domain/messages/reminders.server';
import { signatures } from './domain/signatures.server';
import type { Instant } from './domain/time/clock';

/** The personal link of a guest's booking; undefined where it was replaced, and for everybody else. */
function guestsOwnLink(links: Links, booking: Outgoing['booking']): string | undefined {
  if (!booking?.linkSeed || links.make(booking.linkSeed).hash !== booking.linkHash) return undefined;
  return bookingPath(links, booking.linkSeed);
}

/** The entry of a mail about a booking, as it stands now; none where a later mail will say something else. */
function bookingEntry({ message, booking }: Outgoing, origin: string): Entry | undefined {
  const { kind, isOwn, at } = message;
  const isCanceled = kind === 'canceled';
  if (!booking || !(kind === 'booked' || kind === 'moved' || isCanceled) || booking.isCanceled !== isCanceled) {
    return undefined;
  }
  return entryOfAppointment(booking, { isProvider: isOwn, origin, stampedAt: at });
}

/** The same of a mail about a party or meetup to somebody who comes, equal to the file that its letter offers. */
function partyEntry({ message, party }: Outgoing, origin: string): Entry | undefined {
  const { kind, at, invitationId } = message;
  const isCanceled = kind === 'called-off';
  if (!party || party.isCalledOff !== isCanceled) return undefined;
  const url = invitationId ? `${origin}/meetup-rsvp/${invitationId}` : `${origin}/party/${party.id}`;
  return entryOfParty(party, { isCanceled, url, stampedAt: at });
}

/** What the reader's calendar takes over from a mail. */
function calendarOf(outgoing: Outgoing, origin: string): Mail['calendar'] {
  const { booking, party, to } = outgoing;
  const entry = bookingEntry(outgoing, origin) ?? partyEntry(outgoing, origin);
  if (!entry) return undefined;
  const method = entry.isCanceled ? 'CANCEL' : 'REQUEST';
  const attendee = { name: booking?.readerName ?? party?.readerName ?? '', email: to };
  return { method, content: calendarText([{ ...entry, attendee }], method) };
}

type Sending = {
  transport: Transport;
  /** Of the product, such as `https://daybook.example`. */
  origin: string;
  clock: () => Instant;
};

/** Sends the mail that is due. @returns when the next is, or null; `unreachable` where the mail server is */
export function deliverMail(
  { DB, SESSION_SECRETS, PASSWORD_PEPPER }: { DB: D1Database; SESSION_SECRETS: string; PASSWORD_PEPPER: string },
  { transport, origin, clock }: Sending,
): Promise<Instant | null | 'unreachable'> {
  const secrets = signatures(SESSION_SECRETS);
  const pathOf = (outgoing: Outgoing) => {
    const { kind } = outgoing.message;
    if (kind === 'confirm-email') return `/confirm-email/${confirmationToken(secrets, outgoing)}`;
    if (kind === 'reset-password') return `/reset-password/${resetToken(secrets, outgoing)}`;
    return guestsOwnLink(linksBy(PASSWORD_PEPPER), outgoing.booking) ?? linkOf(outgoing.message);
  };
  return deliverDue(new Db(DB, 'first-primary'), {
    transport,
    clock,
    linkOf: (outgoing) => origin + pathOf(outgoing),
    unsubscribeOf({ message: { kind, invitationId }, readerId }) {
      if (!invitationId && !optional.includes(kind)) return null;
      const what = invitationId ? invitationMail(invitationId) : `${readerId} ${kind}`;
      return `${origin}/unsubscribe/${secrets.sign('unsubscribe', what)}`;
    },
    calendarOf: (outgoing) => calendarOf(outgoing, origin),
    report: (line) => console.error(line),
  });
}

/**
 * Writes the reminders that are due, where it is time to look for them.
 * @returns when it is time to look again, or null
 */
export async function remindPeople(
  { DB }: { DB: D1Database },
  { isTime, now }: { isTime: boolean; now: Instant },
): Promise<Instant | null> {
  const db = new Db(DB, 'first-primary');
  if (isTime) await remind(db, now);
  return nextReminder(db, now);
}
