import { createHmac } from 'node:crypto';
import { Secret, TOTP } from 'otpauth/bare';
import type { Instant } from '../time/clock';

/* Codes by time, RFC 6238: six digits, a new one each half a minute. The library brings no cryptography of its own here. */

const period = 30;

const hmac = (algorithm: string, key: Uint8Array, message: Uint8Array) =>
  new Uint8Array(createHmac(algorithm, key).update(message).digest());

const totp = (secret: Uint8Array, username: string) =>
  new TOTP({
    issuer: 'Daybook',
    label: username,
    // A copy: the library reads the whole buffer behind it.
    secret: new Secret({ buffer: Uint8Array.from(secret).buffer }),
    period,
    hmac,
  });

/** The secret as people type it, and as a link that programs read. */
export function secretInWords(secret: Uint8Array, username: string): { text: string; link: string } {
  const made = totp(secret, username);
  return { text: made.secret.base32, link: made.toString() };
}

/** The step of time of this moment. */
export const stepOf = (now: Instant): number => Math.floor(now / 1000 / period);

/** The step of time whose code this is, one early or late at most; undefined where it is none. */
export function stepOfCode(secret: Uint8Array, code: string, now: Instant): number | undefined {
  const delta = totp(secret, '').validate({ token: code, timestamp: now, window: 1 });
  return delta === null ? undefined : stepOf(now) + delta;
}
