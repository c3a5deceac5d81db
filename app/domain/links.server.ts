import { createHash, createHmac } from 'node:crypto';
import { newId } from '../../db/columns';
import * as paths from '../paths';

// The key of a personal link is made from a stored seed and a secret outside of the database. So we can show the link
// again, but the database alone opens nothing. The key of a booking or wish contains its id; other keys are found by
// their SHA-256.

/** The seed of a personal link and the hash of its key, as the RSVP to a party stores them. */
export type NewLink = { seed: string; hash: string };

export type Links = ReturnType<typeof linksBy>;

// 132 bits in base64url.
const length = 22;

// People type codes from paper, so no two of these look alike. A code has ten of them, or 49 bits.
const codeLetters = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const codeLength = 10;

export const hashOfKey = (key: string): string => createHash('sha256').update(key).digest('hex');

/**
 * Makes and reads personal links.
 * @param secrets comma-separated; only the last, the oldest, is used here, and it must never change
 */
export function linksBy(secrets: string) {
  const secret = secrets.split(',').at(-1)?.trim() ?? '';
  const mac = (purpose: string, value: string) =>
    createHmac('sha256', secret).update(`${purpose}\n${value}`).digest('base64url').slice(0, length);
  let last = { seed: '', key: '' };
  // Remembers one key, because a link that was just made is usually the next to be shown.
  const keyOf = (seed: string) => {
    if (last.seed !== seed || !last.key) last = { seed, key: mac('personal link', seed) };
    return last.key;
  };
  const busyKeyOf = (seed: string) => mac('busy link', seed);
  const codeOf = (seed: string) =>
    [...createHmac('sha256', secret).update(`paper code\n${seed}`).digest()]
      .slice(0, codeLength)
      .map((byte) => codeLetters[byte % codeLetters.length])
      .join('');
  // A code is short: without the secret, its SHA-256 could be guessed.
  const hashOfCode = (code: string) => mac('hash of a code', code);
  return {
    keyOf,
    // A busy feed's key, from which nobody can work out the full feed's.
    busyKeyOf,
    /** A new link, for links that are found by their hash. */
    make: (seed = newId()): NewLink => ({
      seed,
      get hash() {
        return hashOfKey(keyOf(seed));
      },
    }),
    codeOf,
    hashOfCode,
    codeHashOf: (seed: string) => hashOfCode(codeOf(seed)),
    /** The seed of a second factor; the same parts make the same seed. */
    factorSeedOf: (...parts: string[]) => mac('seed of a second factor', JSON.stringify(parts)),
    /** The 160 bits that we share with an authenticator app, as RFC 4226 wants. */
    factorSecretOf: (seed: string) =>
      createHmac('sha256', secret).update(`second factor\n${seed}`).digest().subarray(0, 20),
    /** Stands for a network where it is stored; an address is short, so its SHA-256 could be guessed. */
    markOfNetwork: (address: string) => mac('network', address),
    /** An id that the same parts always make, so that a form sent twice makes one guest, or one series. */
    repeatableIdOf: (...parts: string[]) => mac('guest', JSON.stringify(parts)),
    /** The id of the session that a form opens, of parts that its browser alone knows. */
    sessionIdOf: (...parts: string[]) => mac('session', JSON.stringify(parts)),
  };
}

export const rsvpPath = (links: Links, id: string): string => paths.rsvp(links.keyOf(id));

// An id is the provider's id, the start in 13 digits, and 12 random digits. A key has these in reverse order, and the
// start is shorter.
const [startLength, randomLength, shortStart] = [13, 12, 9];
const shortened = (id: string): string =>
  id.slice(-randomLength) +
  Number(id.slice(-startLength - randomLength, -randomLength))
    .toString(36)
    .padStart(shortStart, '0') +
  id.slice(0, -startLength - randomLength);

/**
 * The key of a booking's personal link.
 * @param linkSource what the link is made of: its seed, a space, and the id of the booking or of the first in its chain of moves
 */
export function bookingKeyOf(links: Links, linkSource: string): string {
  const [seed = '', id = ''] = linkSource.split(' ');
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

/** The path of a booking's personal link. @param linkSource as in bookingKeyOf */
export const bookingPath = (links: Links, linkSource: string, query?: paths.Query): string =>
  paths.booking(bookingKeyOf(links, linkSource), query);

type NamedWish = { id: string; linkSeed: string };

// The id of a wish is the provider's id and 16 random digits.
const wishDigits = 16;

/** The path of the page that shows somebody their place in line. */
export const waitingPath = (links: Links, { id, linkSeed }: NamedWish): string =>
  paths.waiting(links.keyOf(linkSeed) + id.slice(-wishDigits) + id.slice(0, -wishDigits));

/** Splits a key into the wish's id and the part that only the wish's owner knows. */
export const wishOfKey = (key: string) => ({
  own: key.slice(0, length),
  id: key.slice(length + wishDigits) + key.slice(length, length + wishDigits),
});

/** The path of the page to take or decline one offered time. */
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
