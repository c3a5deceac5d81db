import { EmailMessage } from 'cloudflare:email';
import type { Transport } from '../domain/messages/mail';
import { jsonTransport } from './json-api';
import { platformTransport, type SendEmail } from './platform';
import { mailUrlFault, senderOf } from './settings';
import { smtpTransport } from './smtp';

export type MailSettings = { MAIL_URL?: string; MAIL_KEY?: string; MAIL_FROM?: string; EMAIL?: SendEmail };

/** How mail is sent; undefined if mail is not set up. Then no screen mentions e-mail. */
export function transportOf({ MAIL_URL, MAIL_KEY = '', MAIL_FROM, EMAIL }: MailSettings): Transport | undefined {
  const from = senderOf(MAIL_FROM);
  if (!from) return undefined;
  if (!MAIL_URL) return EMAIL && platformTransport(EMAIL, EmailMessage, from);
  if (mailUrlFault(MAIL_URL)) return undefined;
  const url = new URL(MAIL_URL);
  return url.protocol.startsWith('smtp') ? smtpTransport(url, from) : jsonTransport(url, MAIL_KEY, from);
}
