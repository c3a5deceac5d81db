import MailComposer from 'nodemailer/lib/mail-composer';
import type { Mail, Sender } from '../domain/messages/mail';
import { headersOf } from './headers';

// A line break would begin another header.
const oneLine = (text: string) => text.replaceAll(/[\r\n\t\0]+/g, ' ').trim();

/** Writes a mail as MIME (RFC 5322): plain text, HTML, and the calendar entry as a part and as a file. */
export function compose(mail: Mail, from: Sender): Promise<Buffer> {
  const { calendar, replyTo } = mail;
  const { 'Message-ID': messageId, ...headers } = headersOf(mail, from);
  const composer = new MailComposer({
    from: { name: oneLine(from.name), address: from.address },
    to: { name: '', address: mail.to },
    ...(replyTo && { replyTo: { name: oneLine(replyTo.name), address: replyTo.address } }),
    subject: oneLine(mail.subject),
    messageId,
    text: mail.text,
    html: mail.html,
    headers,
    ...(calendar && { icalEvent: { method: calendar.method, content: calendar.content, filename: 'daybook.ics' } }),
    // Nothing that somebody typed may make us read a file or fetch an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}
