import type { Db } from '../../../db/client';
import type { Instant } from '../time/clock';
import { asHtml, asText, letterOf } from './letter';
import type { Mail, Transport } from './mail';
import { leaseDue, nextDue, noteDropped, noteFailure, noteSent, type Outgoing } from './outbox.server';

/** What delivery needs to know besides the messages. */
export type Delivery = {
  transport: Transport;
  /** Where the button of a mail leads. */
  linkOf: (outgoing: Outgoing) => string;
  /** Where a POST ends this kind of mail for this reader; null where it can't be ended. */
  unsubscribeOf: (outgoing: Outgoing) => string | null;
  /** The calendar entry that goes along; undefined where the message has none. */
  calendarOf: (outgoing: Outgoing) => Mail['calendar'];
  clock: () => Instant;
  /** Is told of each mail that is given up, for the operator. */
  report: (line: { mail: 'given up'; kind: string; tries: number; reason: string }) => void;
};

/** How many messages are taken at a time, and sent side by side: a Worker may have six connections open. */
const handful = 5;

function mailOf(outgoing: Outgoing, { linkOf, unsubscribeOf, calendarOf }: Delivery): Mail {
  const { message, readerZone, to } = outgoing;
  const unsubscribe = unsubscribeOf(outgoing);
  const letter = letterOf(message, { readerZone, href: linkOf(outgoing), unsubscribe });
  // A message that is told anew, such as a day's answers, is another mail.
  const id = `${message.id}:${message.count}`.replaceAll(/[^\w.-]/g, '.');
  return {
    id,
    to,
    subject: letter.subject,
    text: asText(letter),
    html: asHtml(letter),
    unsubscribe,
    calendar: calendarOf(outgoing),
  };
}

/**
 * Sends what is due, until nothing is. A message is noted as sent after the mail server has taken it, so one that a crash
 * leaves in between is sent again, with the same Message-ID: at least once, and seldom twice.
 * @returns when the next message is due, or null
 */
export async function deliverDue(db: Db, delivery: Delivery): Promise<Instant | null> {
  for (;;) {
    const taken = await leaseDue(db, handful, delivery.clock());
    if (taken.length === 0) return nextDue(db);
    await Promise.all(
      taken.map(async (outgoing) => {
        const { message, tries, isOver } = outgoing;
        if (isOver) return noteDropped(db, message.id);
        const outcome = await delivery.transport(mailOf(outgoing, delivery));
        if (outcome.isSent) return noteSent(db, message.id);
        const isGivenUp = await noteFailure(db, outgoing, outcome, delivery.clock());
        if (isGivenUp) delivery.report({ mail: 'given up', kind: message.kind, tries, reason: outcome.reason });
      }),
    );
  }
}
