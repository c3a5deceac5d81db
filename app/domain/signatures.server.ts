import { createHmac, timingSafeEqual } from 'node:crypto';

/*
 * A signature proves that we made a value, so the value need not be stored: a link in a mail, a form that was shown. The
 * purpose is signed too, so that a value made for one thing is good for nothing else.
 */

export type Signatures = ReturnType<typeof signatures>;

const length = 16;
const mac = (secret: string, purpose: string, value: string) =>
  createHmac('sha256', secret).update(`${purpose}\n${value}`).digest().subarray(0, length);

/** Signs and verifies values. @param secrets comma-separated: the first signs, all are accepted */
export function signatures(secrets: string) {
  const all = secrets.split(',').map((secret) => secret.trim());
  return {
    /** The value, readable, with its signature of 128 bits, as URL-safe text. */
    sign(purpose: string, value: string): string {
      const signature = mac(all[0] ?? '', purpose, value);
      return `${Buffer.from(value).toString('base64url')}.${signature.toString('base64url')}`;
    },
    /** The value of a token that we signed for this purpose; undefined for any other. */
    verify(purpose: string, token: string): string | undefined {
      const [encoded = '', signature = ''] = token.split('.');
      const value = Buffer.from(encoded, 'base64url').toString();
      const expected = Buffer.from(signature, 'base64url');
      const isOurs =
        expected.length === length && all.some((secret) => timingSafeEqual(mac(secret, purpose, value), expected));
      return isOurs ? value : undefined;
    },
  };
}
