import { eachAlone, type Mail, type Outcome, type Sender, sendTimeout, type Transport } from '../domain/messages/mail';
import { headersOf } from './headers';

const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64');

const addressOf = ({ name, address }: Sender) => `"${name.replaceAll(/["\\\r\n]/g, '')}" <${address}>`;

// The body of Resend's call: https://resend.com/docs/api-reference/emails/send-email
const asJson = (mail: Mail, from: Sender) => ({
  from: addressOf(from),
  to: [mail.to],
  ...(mail.replyTo && { reply_to: addressOf(mail.replyTo) }),
  subject: mail.subject.replaceAll(/[\r\n]+/g, ' '),
  text: mail.text,
  html: mail.html,
  headers: headersOf(mail, from),
  ...(mail.calendar && {
    attachments: [
      {
        filename: 'daybook.ics',
        content: base64(mail.calendar.content),
        content_type: `text/calendar; charset=utf-8; method=${mail.calendar.method}`,
      },
    ],
  }),
});

/** Sends mail by a call. The mail's key is the call's `Idempotency-Key`, so a second try sends no second mail. */
export function jsonTransport(url: URL, key: string, from: Sender): Transport {
  return eachAlone(async (mail): Promise<Outcome> => {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'Idempotency-Key': mail.id },
        body: JSON.stringify(asJson(mail, from)),
        // A redirect would pass on the mail and the account's key.
        redirect: 'manual',
        signal: AbortSignal.timeout(sendTimeout),
      });
      await response.body?.cancel();
      if (response.ok) return { isSent: true };
      const { status } = response;
      // Codes that are not final. 401 and 403: the key is wrong, which the operator can correct. 409, 425 and 429: we
      // asked too early or too often.
      const isFinal = status >= 400 && status < 500 && ![401, 403, 408, 409, 425, 429].includes(status);
      return { isSent: false, isFinal, isUnreachable: [401, 403, 429].includes(status), reason: `HTTP ${status}` };
    } catch (error) {
      const reason = error instanceof Error ? error.name : 'EUNKNOWN';
      return { isSent: false, isFinal: false, isUnreachable: true, reason };
    }
  });
}
