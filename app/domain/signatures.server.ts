import { createHmac, timingSafeEqual } from 'node:crypto';

// A signature proves that we made a value, such as a link in a mail, so we need not store it. The purpose is signed
// too, so that a value for one purpose can't serve another.

export type Signatures = ReturnType<typeof signatures>;

const length = 16;
const mac = (secret: string, purpose: string, value: string) =>
  createHmac('sha256', secret).update(`${purpose}\n${value}`).digest().subarray(0, length);

/** Makes the functions that sign and verify. @param secrets comma-separated: the first signs, all are accepted */
export function signatures(secrets: string) {
  const all = secrets.split(',').map((secret) => secret.trim());
  return {
    /** Signs a value. The token is safe in a URL: the readable value, and 128 bits of signature. */
    sign(purpose: string, value: string): string {
      const signature = mac(all[0] ?? '', purpose, value);
      return `${Buffer.from(value).toString('base64url')}.${signature.toString('base64url')}`;
    },
    /** The value in a token; undefined if we didn't sign it for this purpose. */
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
