import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { isChangeable } from '../domain/bookings/deadline';
import { bookingEntry, type Entry, entryOfParty } from '../domain/calendar/entries';
import { calendarText } from '../domain/calendar/ics.server';
import { bookingPath, type Links, offerPath, rsvpPath, waitingPath } from '../domain/links.server';
import { resetToken } from '../domain/login/lost-password.server';
import type { BookingFacts } from '../domain/messages/booking-facts.server';
import type { KeyedLinks } from '../domain/messages/kinds/kind';
import type { Mail } from '../domain/messages/mail';
import { sendersMail } from '../domain/messages/mail-settings.server';
import { asHtml, asText, mailTextOf } from '../domain/messages/mail-text';
import { bookAgainOf, calendarEntryOf, keyedLinkOf, linkOf, optional } from '../domain/messages/messages';
import type { Outgoing } from '../domain/messages/outbox.server';
import { confirmationToken } from '../domain/profile/email.server';
import { ibanWords } from '../domain/profile/iban';
import { referenceFrom } from '../domain/services/references';
import { locationOf } from '../domain/services/where';
import type { Signatures } from '../domain/signatures.server';
import { type Instant, localDateOf, timeWords, zoneWords } from '../domain/time/clock';
import { withCommas } from '../domain/words/joined';
import { worded } from '../domain/words/worded';
import type { Words } from '../domain/words/words';
import * as paths from '../paths';

type Composing = {
  secrets: Signatures;
  links: Links;
  origin: string; // such as `https://daybook.example`
  now: Instant;
};

type Keys = Pick<Composing, 'secrets' | 'links'>;

/** Composes the mail of a message: its text, its links and its calendar entry. */
export function composeMail(outgoing: Outgoing, { secrets, links, origin, now }: Composing): Mail {
  const { message, readerName, readerZone, to, replyTo, booking, senderId, i18n } = outgoing;
  const at = (path: string | null) => path && origin + path;
  const unsubscribe = at(unsubscribePath(outgoing, secrets));
  const mailText = mailTextOf(
    message,
    {
      readerName,
      readerZone,
      paragraphs: paragraphsOf(outgoing, now),
      canChange: booking === null || isChangeable(booking, now),
      href: origin + pathOf(outgoing, { secrets, links }),
      again: at(bookAgainOf(message, booking?.serviceId ?? null)),
      unsubscribe,
      notMe: at(notMePath(outgoing, secrets)),
      isHosts: senderId !== null,
    },
    i18n,
  );
  // A message whose count grows, such as a day's RSVPs, becomes another mail each time.
  const id = `${message.id}:${message.count}`.replaceAll(/[^\w.-]/g, '.');
  return {
    id,
    to,
    replyTo,
    subject: mailText.subject,
    text: asText(mailText, i18n),
    html: asHtml(mailText, i18n),
    unsubscribe,
    calendar: calendarOf(outgoing, { links, origin, i18n }),
  };
}

/** What a mail says of its booking besides the sentence: the dates of several, where it is, the deposit, and the provider's notes. */
function paragraphsOf({ message, booking, several, i18n }: Outgoing, now: Instant): string[] {
  const timeZone = message.subject?.timeZone ?? 'UTC';
  const isOfSeveral = several.length > 1;
  const standing = booking?.isCanceled === false ? booking : null;
  const clients = message.isToHost ? null : standing;
  return [
    isOfSeveral && datesWords(several, timeZone, i18n),
    standing && placeWords(standing, message.isToHost, i18n),
    clients && depositWords(isOfSeveral ? several : [clients], { i18n, timeZone, now }),
    clients?.notes,
  ].filter((paragraph) => typeof paragraph === 'string' && paragraph !== '') as string[];
}

const pathOf = (outgoing: Outgoing, keys: Keys): string =>
  keyedLinkOf(outgoing.message, keyedLinks(outgoing, keys)) ??
  ownLink(keys.links, outgoing.booking) ??
  ownRsvpPath(keys.links, outgoing.party) ??
  linkOf(outgoing.message);

function keyedLinks(outgoing: Outgoing, { secrets, links }: Keys): KeyedLinks {
  // A wish that is gone has no key any more.
  const byWish = (pathBy: (linkSeed: string) => string) =>
    outgoing.wishSeed ? pathBy(outgoing.wishSeed) : linkOf(outgoing.message);
  return {
    confirmEmail: () => paths.confirmEmail(confirmationToken(secrets, outgoing)),
    resetPassword: () => paths.resetPasswordBy(resetToken(secrets, outgoing)),
    joinShop: () => paths.join(links.keyOf(outgoing.message.invitationId ?? '')),
    waiting: (id) => byWish((linkSeed) => waitingPath(links, { id, linkSeed })),
    offer: (id, startsAt) => byWish((linkSeed) => offerPath(links, { id, linkSeed, startsAt })),
    bookWith: (slotId) => paths.bookWith(outgoing.providerUsername ?? '', slotId),
  };
}

/** The personal link for the reader of a mail; null unless they made the booking. */
const ownLink = (links: Links, booking: Outgoing['booking']): string | null =>
  booking?.linkSource ? bookingPath(links, booking.linkSource) : null;

function ownRsvpPath(links: Links, party: Outgoing['party']): string | null {
  if (!party?.linkHash || links.make(party.invitationId).hash !== party.linkHash) return null;
  return rsvpPath(links, party.invitationId);
}

/** A POST there ends this kind of mail for this reader; null for mail that can't be ended. */
function unsubscribePath(
  { message: { kind, invitationId }, readerId, emailHash, ...outgoing }: Outgoing,
  secrets: Signatures,
): string | null {
  // A mail to a name of a meetup counts as the host's, even if somebody else typed the address.
  const senderId = outgoing.senderId ?? (invitationId && readerId);
  if (senderId) return paths.unsubscribe(secrets.sign('unsubscribe', sendersMail({ senderId, emailHash })));
  if (!optional.includes(kind)) return null;
  return paths.unsubscribe(secrets.sign('unsubscribe', `${readerId} ${kind}`));
}

/** A POST there ends all mail to this address; null for a confirmed one. */
const notMePath = ({ message: { kind }, isUnconfirmed, emailHash }: Outgoing, secrets: Signatures): string | null =>
  isUnconfirmed && kind !== 'confirm-email' ? paths.notMe(secrets.sign('not-me', emailHash)) : null;

function momentIn(at: Instant, zone: string): Words {
  const date: Words = { date: localDateOf(at, zone), as: 'shortWithYear' };
  const time = timeWords(at, zone);
  return msg`${date}, ${time}`;
}

function datesWords(several: { startsAt: Instant; providerName: string }[], timeZone: string, i18n: I18n): string {
  const zone = zoneWords(timeZone);
  // What was handed over may be with several people.
  const isWithOne = new Set(several.map(({ providerName }) => providerName)).size === 1;
  const lines = [
    msg`All of them (${zone}):`,
    ...several.map(({ startsAt, providerName }) => {
      const moment = momentIn(startsAt, timeZone);
      return isWithOne ? moment : withCommas([moment, providerName]);
    }),
  ];
  return lines.map((line) => worded(i18n, line)).join('\n');
}

/** Asks for the deposits of one booking, or of several that were made together; null if there is nothing to pay. */
function depositWords(about: BookingFacts[], { i18n, timeZone, now }: { i18n: I18n; timeZone: string; now: Instant }) {
  const owed = about.filter(({ deposit, paid, startsAt }) => deposit && !paid && startsAt > now);
  const [first] = owed;
  if (!first?.deposit || !first.payBy) return null;
  const { deposit, payBy } = first;
  const [reference, iban] = [referenceFrom(first.calendarId), 'iban' in payBy ? ibanWords(payBy.iban) : ''];
  const lines: Words[] = [
    ...(about.length > 1
      ? [
          msg`Please pay the deposit of ${deposit} for each of them, with its reference:`,
          ...owed.map(({ startsAt, calendarId }) =>
            withCommas([momentIn(startsAt, timeZone), referenceFrom(calendarId)]),
          ),
        ]
      : [msg`Please pay the deposit of ${deposit} with the reference ${reference}.`]),
    ...('link' in payBy ? [payBy.link] : [msg`Name of the account: ${payBy.name}`, msg`IBAN: ${iban}`]),
  ];
  return lines.map((line) => worded(i18n, line)).join('\n');
}

function placeWords(
  { address, phone, where, place }: Pick<NonNullable<Outgoing['booking']>, 'address' | 'phone' | 'where' | 'place'>,
  isToHost: boolean,
  i18n: I18n,
): string | null {
  const at = locationOf({ where, place }, isToHost ? null : address, isToHost);
  const lines = [at ? msg`Where: ${at}` : null, phone && !isToHost ? msg`Phone: ${phone}` : null];
  return lines.flatMap((line) => (line ? [worded(i18n, line)] : [])).join('\n') || null;
}

type Shown = { links: Links; origin: string; i18n: I18n };

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

/** The same entry as in the file that the invitation offers. */
function partyEntry({ message, party }: Outgoing, { links, origin, i18n }: Shown): Entry | undefined {
  const entry = calendarEntryOf(message);
  const isCanceled = entry === 'canceled';
  if (!party || !entry || (party.isCalledOff && !isCanceled)) return undefined;
  const path = ownRsvpPath(links, party) ?? linkOf(message);
  return entryOfParty(party, { isCanceled, url: origin + path, stampedAt: message.at, i18n });
}
