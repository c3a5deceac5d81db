import MailComposer from 'nodemailer/lib/mail-composer';
import type { Mail, Sender } from '../domain/messages/mail';
import { headersOf } from './headers';

/** Line breaks in a header would start another header. */
const oneLine = (text: string) => text.replaceAll(/[\r\n\t\0]+/g, ' ').trim();

/** The mail as MIME (RFC 5322): plain text and HTML, and where it has one the calendar entry, as part and as file. */
export function compose(mail: Mail, from: Sender): Promise<Buffer> {
  const { calendar } = mail;
  const { 'Message-ID': messageId, ...headers } = headersOf(mail, from);
  const composer = new MailComposer({
    from: { name: oneLine(from.name), address: from.address },
    to: { name: '', address: mail.to },
    subject: oneLine(mail.subject),
    messageId,
    text: mail.text,
    html: mail.html,
    headers,
    ...(calendar && { icalEvent: { method: calendar.method, content: calendar.content, filename: 'daybook.ics' } }),
    // Nothing that somebody typed may name a file or an address to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}
