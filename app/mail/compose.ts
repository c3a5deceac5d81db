import MailComposer from 'nodemailer/lib/mail-composer';
import type { Mail, Sender } from '../domain/messages/mail';

/** Line breaks in a header would start another header. */
const oneLine = (text: string) => text.replaceAll(/[\r\n\t\0]+/g, ' ').trim();

/** The Message-ID of a mail: the same for each try. */
export const messageId = ({ id }: Mail, { address }: Sender) => `<${id}@${address.split('@')[1]}>`;

/** The mail as MIME (RFC 5322): plain text and HTML, and where it has one the calendar entry, as part and as file. */
export function compose(mail: Mail, from: Sender): Promise<Buffer> {
  const { calendar, unsubscribe } = mail;
  const composer = new MailComposer({
    from: { name: oneLine(from.name), address: from.address },
    to: { name: '', address: mail.to },
    subject: oneLine(mail.subject),
    messageId: messageId(mail, from),
    text: mail.text,
    html: mail.html,
    headers: {
      // No out-of-office reply is wanted (RFC 3834).
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribe && {
        'List-Unsubscribe': `<${unsubscribe}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    ...(calendar && { icalEvent: { method: calendar.method, content: calendar.content, filename: 'daybook.ics' } }),
    // Nothing that somebody typed may name a file or an address to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}
