import { eachAlone, type Outcome, type Sender, type Transport } from '../domain/messages/mail';
import { compose } from './compose';

/** The part of Cloudflare's `send_email` binding that we use. */
export type SendEmail = { send(message: unknown): Promise<unknown> };

/** Sends mail by Cloudflare's binding. @param EmailMessage the class of `cloudflare:email` */
export function platformTransport(
  binding: SendEmail,
  EmailMessage: new (from: string, to: string, raw: string) => unknown,
  from: Sender,
): Transport {
  return eachAlone(async (mail): Promise<Outcome> => {
    try {
      await binding.send(new EmailMessage(from.address, mail.to, compose(mail, from)));
      return { isSent: true };
    } catch (error) {
      // The binding's errors have no codes, only texts.
      const isFinal = /destination address|not allowed|invalid/i.test(String(error));
      return { isSent: false, isFinal, reason: isFinal ? 'refused by send_email' : 'send_email failed' };
    }
  });
}
