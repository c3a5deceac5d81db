import { createHmac } from 'node:crypto';
import { Secret, TOTP } from 'otpauth/bare';
import type { Instant } from '../time/clock';

// Codes by time (RFC 6238): six digits, new every half minute. The library uses the cryptography that we pass in.

const period = 30;

const hmac = (algorithm: string, key: Uint8Array, message: Uint8Array) =>
  new Uint8Array(createHmac(algorithm, key).update(message).digest());

const totp = (secret: Uint8Array, username: string) =>
  new TOTP({
    issuer: 'Daybook',
    label: username,
    // Copied, because the library would read the whole buffer behind this array.
    secret: new Secret({ buffer: Uint8Array.from(secret).buffer }),
    period,
    hmac,
  });

export function secretInWords(secret: Uint8Array, username: string): { text: string; link: string } {
  const code = totp(secret, username);
  return { text: code.secret.base32, link: code.toString() };
}

export const stepOf = (now: Instant): number => Math.floor(now / 1000 / period);

/** Checks a code. @returns its half minute, at most one away from now; undefined for a wrong code */
export function stepOfCode(secret: Uint8Array, typed: string, now: Instant): number | undefined {
  const delta = totp(secret, '').validate({ token: typed, timestamp: now, window: 1 });
  return delta === null ? undefined : stepOf(now) + delta;
}
