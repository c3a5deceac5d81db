import type { Db } from '../../../db/client';
import type { Instant } from '../time/clock';
import { asHtml, asText, letterOf } from './letter';
import type { Mail, Outcome, Transport } from './mail';
import { leaseDue, nextDue, noteDropped, noteFailure, noteSent, noteUnreachable, type Outgoing } from './outbox.server';

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

/** What became of one mail; undefined where it was about something that is over. */
async function send(db: Db, outgoing: Outgoing, delivery: Delivery): Promise<Outcome | undefined> {
  if (!outgoing.isOver) return delivery.transport(mailOf(outgoing, delivery));
  await noteDropped(db, outgoing.message.id);
  return undefined;
}

/**
 * Sends what is due, until nothing is, or nothing can leave: then the rest waits untried, so that a mail server that is
 * down costs a few tries and not one for each mail. A message is noted as sent after the mail server has taken it, so one
 * that a crash leaves in between is sent again, with the same Message-ID: at least once, and seldom twice.
 * @returns when the next message is due, or null; `unreachable` where the mail server is
 */
export async function deliverDue(db: Db, delivery: Delivery): Promise<Instant | null | 'unreachable'> {
  const { clock, report } = delivery;
  for (;;) {
    const taken = await leaseDue(db, handful, clock());
    if (taken.length === 0) return nextDue(db);
    const tried: { outgoing: Outgoing; outcome: Outcome }[] = [];
    await Promise.all(
      taken.map(async (outgoing) => {
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
  }
}
