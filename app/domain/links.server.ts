import { createHash, createHmac } from 'node:crypto';
import { newId } from '../../db/columns';

/*
 * Personal links. Whoever has the key in one may do what it is for, so the book holds only its SHA-256, by which it is
 * found. The key is made of a seed in the book and a secret outside of it: it can be shown again to whom it belongs, and
 * who reads the book alone can open nothing.
 */

/** A new personal link, as a booking or an RSVP stores it. */
export type NewLink = { seed: string; hash: string };

/** Makes the keys of personal links. */
export type Links = ReturnType<typeof linksBy>;

/** As many characters of base64url as 132 bits are. */
const length = 22;

/** Of a code that is typed from paper: letters and digits of which none looks like another, 49 bits in all. */
const codeLetters = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const codeLength = 10;

/** The SHA-256 of a key, in hexadecimal. */
export const hashOfKey = (key: string): string => createHash('sha256').update(key).digest('hex');

/**
 * @param secrets comma-separated: the last, which was there first and never changes, as long as links are to be shown again
 * and second factors and recovery codes are to be good
 */
export function linksBy(secrets: string) {
  const secret = secrets.split(',').at(-1)?.trim() ?? '';
  const mac = (purpose: string, value: string) =>
    createHmac('sha256', secret).update(`${purpose}\n${value}`).digest('base64url').slice(0, length);
  const keyOf = (seed: string) => mac('personal link', seed);
  const busyKeyOf = (seed: string) => mac('busy link', seed);
  /** The code that stands for the link with that seed on paper. */
  const codeOf = (seed: string) =>
    [...createHmac('sha256', secret).update(`claim code\n${seed}`).digest()]
      .slice(0, codeLength)
      .map((byte) => codeLetters[byte % codeLetters.length])
      .join('');
  /** Of a short code, which a SHA-256 alone would not hide. */
  const hashOfCode = (code: string) => mac('hash of a code', code);
  return {
    /** The key of the link with that seed. */
    keyOf,
    /** The key of the busy feed with that seed, which tells nothing of the other. */
    busyKeyOf,
    /** A link with that seed, or with a new one. */
    make: (seed = newId()): NewLink => ({ seed, hash: hashOfKey(keyOf(seed)) }),
    codeOf,
    hashOfCode,
    /** What is stored of the code for the link with that seed. */
    codeHashOf: (seed: string) => hashOfCode(codeOf(seed)),
    /** The seed of a second factor that is made here and now; the same for the same parts. */
    factorSeedOf: (...parts: string[]) => mac('seed of a second factor', JSON.stringify(parts)),
    /** What the owner's program and we know of the second factor with that seed: 160 bits, as RFC 4226 wants. */
    factorSecretOf: (seed: string) =>
      createHmac('sha256', secret).update(`second factor\n${seed}`).digest().subarray(0, 20),
    /** The id of a guest whom a one-time key has made, so that sent again it makes no other. */
    guestIdOf: (...parts: string[]) => mac('guest', JSON.stringify(parts)),
  };
}

/** The path of the personal link of a guest's answer to a party. */
export const answerPath = (links: Links, id: string): string => `/answer/${links.keyOf(id)}`;

/** The path of a booking's personal link. */
export const bookingPath = (links: Links, seed: string): string => `/booking/${links.keyOf(seed)}`;
