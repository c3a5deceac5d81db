import type { Db } from '../../../db/client';
import { isChangeable } from '../bookings/deadline';
import { dateWords, type Instant, localDateOf, localTimeOf, zoneWords } from '../time/clock';
import { asHtml, asText, letterOf } from './letter';
import type { Mail, Outcome, Transport } from './mail';
import { leaseDue, nextDue, noteDropped, noteFailure, noteSent, noteUnreachable, type Outgoing } from './outbox.server';

export type Delivery = {
  transport: Transport;
  linkOf: (outgoing: Outgoing) => string;
  /** Where the reader books another time; null for mail that offers none. */
  againOf: (outgoing: Outgoing) => string | null;
  /** A POST there ends this kind of mail for this reader; null for mail that can't be ended. */
  unsubscribeOf: (outgoing: Outgoing) => string | null;
  /** A POST there ends all mail to this address; null for a confirmed one. */
  notMeOf: (outgoing: Outgoing) => string | null;
  calendarOf: (outgoing: Outgoing) => Mail['calendar'];
  clock: () => Instant;
  report: (line: Reported) => void;
};

type Reported =
  | { mail: 'given up'; kind: string; tries: number; reason: string }
  | { mail: 'unreachable'; reason: string };

const momentIn = (at: Instant, zone: string) => {
  const { short, year } = dateWords(localDateOf(at, zone));
  return `${short} ${year}, ${localTimeOf(at, zone)}`;
};

/** Sent side by side: a Worker may have six connections open. */
const atOnce = 5;

function mailOf(outgoing: Outgoing, { linkOf, againOf, unsubscribeOf, notMeOf, calendarOf, clock }: Delivery): Mail {
  const { message, readerName, readerZone, to, replyTo, booking, several, senderId } = outgoing;
  const unsubscribe = unsubscribeOf(outgoing);
  const letter = letterOf(message, {
    readerName,
    readerZone,
    place: message.isOwn || !booking || booking.isCanceled ? null : placeWords(booking),
    notes: message.isOwn || !booking || booking.isCanceled ? null : booking.notes,
    dates: several.length > 1 ? datesWords(several, message.subject?.timeZone ?? 'UTC') : null,
    canChange: booking === null || isChangeable(booking, clock()),
    href: linkOf(outgoing),
    again: againOf(outgoing),
    unsubscribe,
    notMe: notMeOf(outgoing),
    isHosts: senderId !== null,
  });
  // A message whose count grows, such as a day's RSVPs, becomes another mail each time.
  const id = `${message.id}:${message.count}`.replaceAll(/[^\w.-]/g, '.');
  return {
    id,
    to,
    replyTo,
    subject: letter.subject,
    text: asText(letter),
    html: asHtml(letter),
    unsubscribe,
    calendar: calendarOf(outgoing),
  };
}

const datesWords = (several: { startsAt: Instant }[], zone: string) =>
  [`All of them (${zoneWords(zone)}):`, ...several.map(({ startsAt }) => momentIn(startsAt, zone))].join('\n');

const placeWords = ({ address, phone }: Pick<NonNullable<Outgoing['booking']>, 'address' | 'phone'>) =>
  [address && `Where: ${address}`, phone && `Phone: ${phone}`].filter(Boolean).join('\n') || null;

/** Undefined if its subject is over. */
async function send(db: Db, outgoing: Outgoing, delivery: Delivery): Promise<Outcome | undefined> {
  if (!outgoing.isOver) return delivery.transport(mailOf(outgoing, delivery));
  await noteDropped(db, outgoing.message.id);
  return undefined;
}

/**
 * If the mail server is down, the rest waits untried. A mail that was sent before a crash is sent again with the same
 * Message-ID.
 * @returns when the next message is due, or null; `unreachable` if the mail server is
 */
export async function deliverDue(db: Db, delivery: Delivery): Promise<Instant | null | 'unreachable'> {
  const { clock, report } = delivery;
  for (;;) {
    const { leased, next } = await leaseDue(db, atOnce, clock());
    if (leased.length === 0) return next;
    const tried: { outgoing: Outgoing; outcome: Outcome }[] = [];
    await Promise.all(
      leased.map(async (outgoing) => {
        const outcome = await send(db, outgoing, delivery);
        if (outcome?.isSent) await noteSent(db, outgoing.message.id);
        if (outcome) tried.push({ outgoing, outcome });
      }),
    );
    const failed = tried.flatMap(({ outgoing, outcome }) => (outcome.isSent ? [] : [{ outgoing, outcome }]));
    const [first] = failed;
    if (first && failed.length === tried.length && failed.every(({ outcome }) => outcome.isUnreachable)) {
      const { reason } = first.outcome;
      const waiting = failed.map(({ outgoing }) => outgoing);
      const givenUp = await noteUnreachable(db, waiting, reason, clock());
      report({ mail: 'unreachable', reason });
      for (const { kind, tries } of givenUp) report({ mail: 'given up', kind, tries, reason });
      return 'unreachable';
    }
    await Promise.all(
      failed.map(async ({ outgoing, outcome }) => {
        const isGivenUp = await noteFailure(db, outgoing, outcome, clock());
        const { message, tries } = outgoing;
        if (isGivenUp) report({ mail: 'given up', kind: message.kind, tries, reason: outcome.reason });
      }),
    );
    if (leased.length < atOnce) return nextDue(db);
  }
}
