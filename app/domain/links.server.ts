import { createHash, createHmac } from 'node:crypto';
import { newId } from '../../db/columns';
import * as paths from '../paths';

// A personal link's key is made from a stored seed and a secret outside of the database. So its owner can be shown it
// again, and the database alone opens nothing. The key of a booking or wish contains its id; other keys are found by
// their SHA-256.

/** The part of a personal link that an answer to a party stores. */
export type NewLink = { seed: string; hash: string };

export type Links = ReturnType<typeof linksBy>;

// 132 bits in base64url.
const length = 22;

// Codes are typed from paper: no two of these look alike. Ten of them have 49 bits.
const codeLetters = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const codeLength = 10;

export const hashOfKey = (key: string): string => createHash('sha256').update(key).digest('hex');

/** @param secrets comma-separated; the last is the oldest, is used here and must never change */
export function linksBy(secrets: string) {
  const secret = secrets.split(',').at(-1)?.trim() ?? '';
  const mac = (purpose: string, value: string) =>
    createHmac('sha256', secret).update(`${purpose}\n${value}`).digest('base64url').slice(0, length);
  let last = { seed: '', key: '' };
  // The link that was just made is the next to be shown.
  const keyOf = (seed: string) => {
    if (last.seed !== seed || !last.key) last = { seed, key: mac('personal link', seed) };
    return last.key;
  };
  const busyKeyOf = (seed: string) => mac('busy link', seed);
  const codeOf = (seed: string) =>
    [...createHmac('sha256', secret).update(`claim code\n${seed}`).digest()]
      .slice(0, codeLength)
      .map((byte) => codeLetters[byte % codeLetters.length])
      .join('');
  // A SHA-256 without the secret would not hide a short code.
  const hashOfCode = (code: string) => mac('hash of a code', code);
  return {
    keyOf,
    // No other key follows from it.
    busyKeyOf,
    /** For links that are found by their hash. */
    make: (seed = newId()): NewLink => ({
      seed,
      get hash() {
        return hashOfKey(keyOf(seed));
      },
    }),
    codeOf,
    hashOfCode,
    codeHashOf: (seed: string) => hashOfCode(codeOf(seed)),
    /** The same parts get the same seed. */
    factorSeedOf: (...parts: string[]) => mac('seed of a second factor', JSON.stringify(parts)),
    /** The 160 bits that an authenticator app shares, as RFC 4226 wants. */
    factorSecretOf: (seed: string) =>
      createHmac('sha256', secret).update(`second factor\n${seed}`).digest().subarray(0, 20),
    /** The same parts get the same id, so that a form sent twice makes one guest. */
    guestIdOf: (...parts: string[]) => mac('guest', JSON.stringify(parts)),
  };
}

export const answerPath = (links: Links, id: string): string => paths.answer(links.keyOf(id));

// An id is the provider's id, the start in 13 digits, and 12 random digits. A key has them in reverse order, and shorter.
const [startLength, randomLength, shortStart] = [13, 12, 9];
const shortened = (id: string): string =>
  id.slice(-randomLength) +
  Number(id.slice(-startLength - randomLength, -randomLength))
    .toString(36)
    .padStart(shortStart, '0') +
  id.slice(0, -startLength - randomLength);

/** @param linkSeed the seed and, after a space, the id of the booking or of the first in its chain of moves */
export function bookingKeyOf(links: Links, linkSeed: string): string {
  const [seed = '', id = ''] = linkSeed.split(' ');
  return links.keyOf(seed) + shortened(id);
}

export function bookingOfKey(key: string): string {
  const [random, start, provider] = [
    key.slice(length, length + randomLength),
    Number.parseInt(key.slice(length + randomLength, length + randomLength + shortStart), 36),
    key.slice(length + randomLength + shortStart),
  ];
  return provider + String(start).padStart(startLength, '0') + random;
}

/** @param linkSeed as bookingKeyOf takes it */
export const bookingPath = (links: Links, linkSeed: string): string => paths.booking(bookingKeyOf(links, linkSeed));

type NamedWish = { id: string; linkSeed: string };

// The id of a wish is the provider's id and 16 random digits.
const wishDigits = 16;

/** The place in line of somebody who waits. */
export const waitingPath = (links: Links, { id, linkSeed }: NamedWish): string =>
  paths.waiting(links.keyOf(linkSeed) + id.slice(-wishDigits) + id.slice(0, -wishDigits));

/** The wish's id in a key, and the part of the key that only its owner knows. */
export const wishOfKey = (key: string) => ({
  own: key.slice(0, length),
  id: key.slice(length + wishDigits) + key.slice(length, length + wishDigits),
});

/** The link to take or decline one offered time. */
export const offerPath = (links: Links, { id, linkSeed, startsAt }: NamedWish & { startsAt: number }): string =>
  paths.offer(
    links.keyOf(linkSeed) +
      id.slice(-wishDigits) +
      startsAt.toString(36).padStart(shortStart, '0') +
      id.slice(0, -wishDigits),
  );

export const offerOfKey = (key: string) => {
  const [digits, start] = [length + wishDigits, length + wishDigits + shortStart];
  return {
    ...wishOfKey(key.slice(0, digits) + key.slice(start)),
    startsAt: Number.parseInt(key.slice(digits, start), 36),
  };
};
