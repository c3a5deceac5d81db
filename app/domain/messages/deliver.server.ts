import type { Db } from '../../../db/client';
import type { Instant } from '../time/clock';
import type { WordsIn } from '../words/i18n';
import type { Failure, Mail, Outcome, Transport } from './mail';
import { leaseDue, nextDue, noteEnded, noteFailure, noteUnreachable, type Outgoing } from './outbox.server';

export type Delivery = {
  transport: Transport;
  compose: (outgoing: Outgoing) => Mail;
  wordsIn: WordsIn;
  clock: () => Instant;
  report: (line: Reported) => void;
};

type Reported =
  | { mail: 'given up'; kind: string; tries: number; reason: string }
  | { mail: 'unreachable'; reason: string };

/** Sent together: a Worker may have six connections open, and a lease is longer than so many mails take. */
const atOnce = 5;

type Failed = { outgoing: Outgoing; outcome: Failure };

/** Sends mails, and drops what is over. @returns those that didn't leave, and whether any did */
async function send(
  db: Db,
  leased: Outgoing[],
  { transport, compose }: Delivery,
): Promise<{ failed: Failed[]; hasSent: boolean }> {
  const timely = leased.filter(({ isOver }) => !isOver);
  const outcomes = await Promise.all(transport(timely.map(compose)));
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
