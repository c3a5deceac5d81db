import MailComposer from 'nodemailer/lib/mail-composer';
import type { Mail, Sender } from '../domain/messages/mail';
import { headersOf } from './headers';

// A line break in a header would start another header.
const oneLine = (text: string) => text.replaceAll(/[\r\n\t\0]+/g, ' ').trim();

/** As MIME (RFC 5322): plain text, HTML, and the calendar entry as part and as file. */
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
    // Nothing that somebody typed may name a file or address to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}
