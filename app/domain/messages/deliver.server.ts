import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Db } from '../../../db/client';
import { isChangeable } from '../bookings/deadline';
import { ibanWords } from '../profile/iban';
import { referenceFrom } from '../services/references';
import { locationOf } from '../services/where';
import { type Instant, localDateOf, timeWords, zoneWords } from '../time/clock';
import type { WordsIn } from '../words/i18n';
import { withCommas } from '../words/joined';
import { worded } from '../words/worded';
import type { Words } from '../words/words';
import type { BookingFacts } from './booking-facts.server';
import type { Failure, Mail, Outcome, Transport } from './mail';
import { asHtml, asText, mailTextOf } from './mail-text';
import { leaseDue, nextDue, noteEnded, noteFailure, noteUnreachable, type Outgoing } from './outbox.server';

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
  wordsIn: WordsIn;
  clock: () => Instant;
  report: (line: Reported) => void;
};

type Reported =
  | { mail: 'given up'; kind: string; tries: number; reason: string }
  | { mail: 'unreachable'; reason: string };

function momentIn(at: Instant, zone: string): Words {
  const date: Words = { date: localDateOf(at, zone), as: 'shortWithYear' };
  const time = timeWords(at, zone);
  return msg`${date}, ${time}`;
}

/** Sent together: a Worker may have six connections open, and a lease is longer than so many mails take. */
const atOnce = 5;

function mailOf(outgoing: Outgoing, { linkOf, againOf, unsubscribeOf, notMeOf, calendarOf, clock }: Delivery): Mail {
  const { message, readerName, readerZone, to, replyTo, booking, several, senderId, i18n } = outgoing;
  const unsubscribe = unsubscribeOf(outgoing);
  const mailText = mailTextOf(
    message,
    {
      readerName,
      readerZone,
      place: !booking || booking.isCanceled ? null : placeWords(booking, message.isToHost, i18n),
      deposit:
        message.isToHost || !booking || booking.isCanceled
          ? null
          : depositWords(several.length > 1 ? several : [booking], {
              i18n,
              timeZone: message.subject?.timeZone ?? 'UTC',
              now: clock(),
            }),
      notes: message.isToHost || !booking || booking.isCanceled ? null : booking.notes,
      dates: several.length > 1 ? datesWords(several, message.subject?.timeZone ?? 'UTC', i18n) : null,
      canChange: booking === null || isChangeable(booking, clock()),
      href: linkOf(outgoing),
      again: againOf(outgoing),
      unsubscribe,
      notMe: notMeOf(outgoing),
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
    calendar: calendarOf(outgoing),
  };
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

type Failed = { outgoing: Outgoing; outcome: Failure };

/** Sends mails, and drops what is over. @returns those that didn't leave, and whether any did */
async function send(db: Db, leased: Outgoing[], delivery: Delivery): Promise<{ failed: Failed[]; hasSent: boolean }> {
  const timely = leased.filter(({ isOver }) => !isOver);
  const outcomes = await Promise.all(delivery.transport(timely.map((outgoing) => mailOf(outgoing, delivery))));
  const sent = timely.filter((_, place) => outcomes[place]?.isSent);
  // In one round trip, which takes more processor time than a mail.
  await noteEnded(db, { sent, dropped: leased.filter(({ isOver }) => isOver) });
  const failed = timely.flatMap((outgoing, place) => {
    const outcome = outcomes[place] as Outcome;
    return outcome.isSent ? [] : [{ outgoing, outcome }];
  });
  return { failed, hasSent: sent.length > 0 };
}

/**
 * If the mail server is down, the rest waits untried. A mail that was sent before a crash is sent again with the same
 * Message-ID.
 * @returns when the next message is due, or null; `unreachable` if the mail server is
 */
export async function deliverDue(db: Db, delivery: Delivery): Promise<Instant | null | 'unreachable'> {
  const { clock, wordsIn, report } = delivery;
  for (;;) {
    const { leased, next } = await leaseDue(db, atOnce, wordsIn, clock());
    if (leased.length === 0) return next;
    const { failed, hasSent } = await send(db, leased, delivery);
    const isDown = !hasSent && failed.every(({ outcome }) => outcome.isUnreachable);
    const untried = failed.filter(({ outcome }) => isDown || outcome.isUntried);
    await Promise.all(
      failed.map(async (one) => {
        if (untried.includes(one)) return;
        const { outgoing, outcome } = one;
        const isGivenUp = await noteFailure(db, outgoing, outcome, clock());
        const { message, tries } = outgoing;
        if (isGivenUp) report({ mail: 'given up', kind: message.kind, tries, reason: outcome.reason });
      }),
    );
    const [first] = untried;
    if (first) {
      const { reason } = first.outcome;
      const waiting = untried.map(({ outgoing }) => outgoing);
      const givenUp = await noteUnreachable(db, waiting, reason, clock());
      report({ mail: 'unreachable', reason });
      for (const { kind, tries } of givenUp) report({ mail: 'given up', kind, tries, reason });
      if (!hasSent) return 'unreachable';
    }
    if (leased.length < atOnce) return nextDue(db);
  }
}
