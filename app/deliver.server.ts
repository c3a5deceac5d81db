import type { D1Database } from '@cloudflare/workers-types';
import { Db } from '../db/client';
import { confirmationToken } from './domain/accounts/email.server';
import { resetToken } from './domain/accounts/lost-password.server';
import { deliverDue } from './domain/messages/delivery.server';
import type { Transport } from './domain/messages/mail';
import { linkOf, optional } from './domain/messages/messages';
import type { Outgoing } from './domain/messages/outbox.server';
import { signatures } from './domain/signatures.server';
import type { Instant } from './domain/time/clock';

type Sending = {
  transport: Transport /** Of the product, such as `https://daybook.example`. */;
  origin: string;
  clock: () => Instant;
};

/** Sends the mail that is due. @returns when the next is, or null */
export function deliverMail(
  { DB, SESSION_SECRETS }: { DB: D1Database; SESSION_SECRETS: string },
  { transport, origin, clock }: Sending,
): Promise<Instant | null> {
  const secrets = signatures(SESSION_SECRETS);
  const pathOf = (outgoing: Outgoing) => {
    const { kind } = outgoing.message;
    if (kind === 'confirm-email') return `/confirm-email/${confirmationToken(secrets, outgoing)}`;
    if (kind === 'reset-password') return `/reset-password/${resetToken(secrets, outgoing)}`;
    return linkOf(outgoing.message);
  };
  return deliverDue(new Db(DB, 'first-primary'), {
    transport,
    clock,
    linkOf: (outgoing) => origin + pathOf(outgoing),
    unsubscribeOf: ({ message: { kind }, readerId }) =>
      optional.includes(kind) ? `${origin}/unsubscribe/${secrets.sign('unsubscribe', `${readerId} ${kind}`)}` : null,
    calendarOf: () => undefined,
  });
}
