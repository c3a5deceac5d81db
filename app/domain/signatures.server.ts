import { createHmac, timingSafeEqual } from 'node:crypto';

/*
 * A signed value proves that we made it, so nothing of it need be stored: a link in a mail, a form that was shown. The
 * purpose is part of what is signed, so that what was made for one thing is good for nothing else.
 */

/** Makes and reads signed values. */
export type Signatures = ReturnType<typeof signatures>;

const length = 16;
const mac = (secret: string, purpose: string, value: string) =>
  createHmac('sha256', secret).update(`${purpose}\n${value}`).digest().subarray(0, length);

/** @param secrets comma-separated: the first signs, all are accepted */
export function signatures(secrets: string) {
  const all = secrets.split(',').map((one) => one.trim());
  return {
    /** The value with its signature of 128 bits, for a link or a form: URL-safe text in which the value can be read. */
    sign(purpose: string, value: string): string {
      const signature = mac(all[0] ?? '', purpose, value);
      return `${Buffer.from(value).toString('base64url')}.${signature.toString('base64url')}`;
    },
    /** The value of what was signed for this purpose; undefined where it was not signed by us. */
    verify(purpose: string, token: string): string | undefined {
      const [encoded = '', signature = ''] = token.split('.');
      const value = Buffer.from(encoded, 'base64url').toString();
      const given = Buffer.from(signature, 'base64url');
      const isOurs =
        given.length === length && all.some((secret) => timingSafeEqual(mac(secret, purpose, value), given));
      return isOurs ? value : undefined;
    },
  };
}
