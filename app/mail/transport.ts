import { EmailMessage } from 'cloudflare:email';
import addressparser from 'nodemailer/lib/addressparser';
import type { Sender, Transport } from '../domain/messages/mail';
import { jsonTransport } from './json-api';
import { platformTransport, type SendEmail } from './platform';
import { smtpTransport } from './smtp';

/** What turns e-mail on: a server or a service, and who the mail is from. */
export type MailSettings = { MAIL_URL?: string; MAIL_KEY?: string; MAIL_FROM?: string; EMAIL?: SendEmail };

/** Who mail is from, as MAIL_FROM says; undefined where that is no address. */
export function senderOf(from: string | undefined): Sender | undefined {
  const [first] = addressparser(from ?? '');
  if (!first || !('address' in first) || !first.address?.includes('@')) return undefined;
  return { name: first.name || 'Daybook', address: first.address };
}

/** The way that mail leaves by; undefined where none is set up: then no screen speaks of e-mail. */
export function transportOf({ MAIL_URL, MAIL_KEY = '', MAIL_FROM, EMAIL }: MailSettings): Transport | undefined {
  const from = senderOf(MAIL_FROM);
  if (!from) return undefined;
  if (!MAIL_URL) return EMAIL && platformTransport(EMAIL, EmailMessage, from);
  const url = URL.canParse(MAIL_URL) ? new URL(MAIL_URL) : undefined;
  if (url?.protocol === 'smtp:' || url?.protocol === 'smtps:') return smtpTransport(url, from);
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return jsonTransport(url, MAIL_KEY, from);
  return undefined;
}
