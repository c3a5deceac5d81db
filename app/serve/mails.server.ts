import type { D1Database } from '@cloudflare/workers-types';
import type { I18n } from '@lingui/core';
import { Db } from '../../db/client';
import { endHolds, nextHoldEnd } from '../domain/bookings/holds.server';
import { bookingEntry, type Entry, entryOfParty } from '../domain/calendar/entries';
import { calendarText } from '../domain/calendar/ics.server';
import { bookingPath, type Links, linksBy, offerPath, rsvpPath, waitingPath } from '../domain/links.server';
import { resetToken } from '../domain/login/lost-password.server';
import { deliverDue } from '../domain/messages/deliver.server';
import type { Mail, Transport } from '../domain/messages/mail';
import { sendersMail } from '../domain/messages/mail-settings.server';
import { bookAgainOf, calendarEntryOf, linkOf, optional } from '../domain/messages/messages';
import type { Outgoing } from '../domain/messages/outbox.server';
import { nextReminder, remind } from '../domain/messages/reminders.server';
import { confirmationToken } from '../domain/profile/email.server';
import { signatures } from '../domain/signatures.server';
import type { Instant } from '../domain/time/clock';
import { logFault } from '../http/log.server';
import * as paths from '../paths';
import { type Files, wordsBy } from '../words/catalogs.server';

/** The personal link for the reader of a mail; null unless they made the booking. */
const ownLink = (links: Links, booking: Outgoing['booking']): string | null =>
  booking?.linkSource ? bookingPath(links, booking.linkSource) : null;

type Shown = { links: Links; origin: string; i18n: I18n };

/** The calendar entry of a mail; none if the booking has changed since, because a later mail has the entry. */
function entryOfBooking(
  { message, booking }: Pick<Outgoing, 'message' | 'booking'>,
  { links, origin, i18n }: Shown,
): Entry | undefined {
  const { isToHost, at } = message;
  const entry = calendarEntryOf(message);
  if (!booking || !entry || booking.isCanceled !== (entry === 'canceled')) return undefined;
  const reader = { isProvider: isToHost, origin, stampedAt: at, i18n };
  return bookingEntry({ ...booking, linkPath: ownLink(links, booking) }, reader);
}

function ownRsvpPath(links: Links, party: Outgoing['party']): string | null {
  if (!party?.linkHash || links.make(party.invitationId).hash !== party.linkHash) return null;
  return rsvpPath(links, party.invitationId);
}

/** The same entry as in the file that the invitation offers. */
function partyEntry({ message, party }: Outgoing, { links, origin, i18n }: Shown): Entry | undefined {
  const entry = calendarEntryOf(message);
  const isCanceled = entry === 'canceled';
  if (!party || !entry || (party.isCalledOff && !isCanceled)) return undefined;
  const path = ownRsvpPath(links, party) ?? linkOf(message);
  return entryOfParty(party, { isCanceled, url: origin + path, stampedAt: message.at, i18n });
}

function calendarOf(outgoing: Outgoing, shown: Shown): Mail['calendar'] {
  const { readerName, to, message, several } = outgoing;
  const attendee = { name: readerName || to, email: to };
  if (several.length > 1) {
    const entries = several.flatMap((booking) => entryOfBooking({ message, booking }, shown) ?? []);
    // A request or cancellation must be about a single entry (RFC 5546, 3.2). Several entries are published instead.
    const content = calendarText(
      entries.map((entry) => ({ ...entry, attendee })),
      'PUBLISH',
    );
    return entries.length > 0 ? { method: 'PUBLISH', content } : undefined;
  }
  const entry = entryOfBooking(outgoing, shown) ?? partyEntry(outgoing, shown);
  if (!entry) return undefined;
  const method = entry.isCanceled ? 'CANCEL' : 'REQUEST';
  return { method, content: calendarText([{ ...entry, attendee }], method) };
}

/** The links for somebody who waits: their place in line, an offer, or a free time that is held for nobody. */
function ownWish(links: Links, { message, wishSeed, providerUsername }: Outgoing): string | null {
  if (!wishSeed || !(message.kind === 'wish' || message.kind === 'offer')) return null;
  const named = { id: message.data.wishId, linkSeed: wishSeed };
  if (message.kind === 'wish' || !message.subject || message.data.isOver) return waitingPath(links, named);
  const { heldUntil, slotId } = message.data;
  if (heldUntil === null && slotId) return paths.bookWith(providerUsername ?? '', slotId);
  return offerPath(links, { ...named, startsAt: message.subject.startsAt });
}

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
  const pathOf = (outgoing: Outgoing) => {
    const { kind } = outgoing.message;
    if (kind === 'confirm-email') return paths.confirmEmail(confirmationToken(secrets, outgoing));
    if (kind === 'join-shop') return paths.join(links.keyOf(outgoing.message.invitationId ?? ''));
    if (kind === 'reset-password') return paths.resetPasswordBy(resetToken(secrets, outgoing));
    return (
      ownWish(links, outgoing) ??
      ownLink(links, outgoing.booking) ??
      ownRsvpPath(links, outgoing.party) ??
      linkOf(outgoing.message)
    );
  };
  return deliverDue(new Db(DB, 'first-primary'), {
    transport,
    clock,
    linkOf: (outgoing) => origin + pathOf(outgoing),
    againOf({ message, booking }) {
      const path = bookAgainOf(message, booking?.serviceId ?? null);
      return path && origin + path;
    },
    unsubscribeOf({ message: { kind, invitationId }, readerId, emailHash, ...outgoing }) {
      // A mail to a name of a meetup counts as the host's, even if somebody else typed the address.
      const senderId = outgoing.senderId ?? (invitationId && readerId);
      if (senderId)
        return origin + paths.unsubscribe(secrets.sign('unsubscribe', sendersMail({ senderId, emailHash })));
      if (!optional.includes(kind)) return null;
      return origin + paths.unsubscribe(secrets.sign('unsubscribe', `${readerId} ${kind}`));
    },
    notMeOf: ({ message: { kind }, isUnconfirmed, emailHash }) =>
      isUnconfirmed && kind !== 'confirm-email' ? origin + paths.notMe(secrets.sign('not-me', emailHash)) : null,
    calendarOf: (outgoing) => calendarOf(outgoing, { links, origin, i18n: outgoing.i18n }),
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
