import { createHash, createHmac } from 'node:crypto';
import { newId } from '../../db/columns';
import * as paths from '../paths';

/*
 * Personal links. The key in a link is all it takes to use it, so the book never holds it. It is made of a seed in the book
 * and a secret outside of it: its owner can be shown it again, and the book alone opens nothing. The key of
 * a booking's link names the booking; any other is found by its SHA-256.
 */

/** The part of a new personal link that a booking or an RSVP stores. */
export type NewLink = { seed: string; hash: string };

export type Links = ReturnType<typeof linksBy>;

/** 132 bits in base64url. */
const length = 22;

/** For codes that are typed from paper: no letter or digit looks like another; 49 bits in all. */
const codeLetters = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const codeLength = 10;

export const hashOfKey = (key: string): string => createHash('sha256').update(key).digest('hex');

/**
 * Makes the keys of personal links, and the secrets of second factors and recovery codes.
 * @param secrets comma-separated; the last is the oldest, is used here and must never change
 */
export function linksBy(secrets: string) {
  const secret = secrets.split(',').at(-1)?.trim() ?? '';
  const mac = (purpose: string, value: string) =>
    createHmac('sha256', secret).update(`${purpose}\n${value}`).digest('base64url').slice(0, length);
  let last = { seed: '', key: '' };
  // A link that was made is shown next.
  const keyOf = (seed: string) => {
    if (last.seed !== seed || !last.key) last = { seed, key: mac('personal link', seed) };
    return last.key;
  };
  const busyKeyOf = (seed: string) => mac('busy link', seed);
  /** The code on paper in place of the link with that seed. */
  const codeOf = (seed: string) =>
    [...createHmac('sha256', secret).update(`claim code\n${seed}`).digest()]
      .slice(0, codeLength)
      .map((byte) => codeLetters[byte % codeLetters.length])
      .join('');
  /** With the secret, because a SHA-256 alone would not hide a short code. */
  const hashOfCode = (code: string) => mac('hash of a code', code);
  return {
    /** The key of the personal link with that seed. */
    keyOf,
    /** The key of the busy feed with that seed, from which no other key follows. */
    busyKeyOf,
    /** A link by that seed or a new one, for links that are found by their hash. */
    make: (seed = newId()): NewLink => ({
      seed,
      get hash() {
        return hashOfKey(keyOf(seed));
      },
    }),
    codeOf,
    hashOfCode,
    /** The stored hash of the code for the link with that seed. */
    codeHashOf: (seed: string) => hashOfCode(codeOf(seed)),
    /** The seed of a new second factor, the same for the same parts. */
    factorSeedOf: (...parts: string[]) => mac('seed of a second factor', JSON.stringify(parts)),
    /** The secret in the owner's authenticator app: 160 bits, as RFC 4226 wants. */
    factorSecretOf: (seed: string) =>
      createHmac('sha256', secret).update(`second factor\n${seed}`).digest().subarray(0, 20),
    /** The id of a new guest, the same for the same parts, so that a repeated form makes no second guest. */
    guestIdOf: (...parts: string[]) => mac('guest', JSON.stringify(parts)),
  };
}

/** The path of the personal link of a guest's answer. */
export const answerPath = (links: Links, id: string): string => paths.answer(links.keyOf(id));

// An id is the provider's id, the start in 13 digits, and 12 random digits. A key has them in reverse order, and shorter.
const [startLength, randomLength, shortStart] = [13, 12, 9];
const shortened = (id: string): string =>
  id.slice(-randomLength) +
  Number(id.slice(-startLength - randomLength, -randomLength))
    .toString(36)
    .padStart(shortStart, '0') +
  id.slice(0, -startLength - randomLength);

/**
 * The key of a booking's personal link.
 * @param linkSeed the seed and the id of the booking, or of the first of its chain of moves, with a space between
 */
export function bookingKeyOf(links: Links, linkSeed: string): string {
  const [seed = '', id = ''] = linkSeed.split(' ');
  return links.keyOf(seed) + shortened(id);
}

/** The id of the booking that a key names. */
export function bookingOfKey(key: string): string {
  const [random, start, provider] = [
    key.slice(length, length + randomLength),
    Number.parseInt(key.slice(length + randomLength, length + randomLength + shortStart), 36),
    key.slice(length + randomLength + shortStart),
  ];
  return provider + String(start).padStart(startLength, '0') + random;
}

/** The path of a booking's personal link. @param linkSeed as bookingKeyOf takes it */
export const bookingPath = (links: Links, linkSeed: string): string => paths.booking(bookingKeyOf(links, linkSeed));

/** A wish as its links name it. */
type NamedWish = { id: string; linkSeed: string };

// The id of a wish is the provider's id and 16 random digits.
const wishDigits = 16;

/** The path of the personal link of somebody who waits. */
export const waitingPath = (links: Links, { id, linkSeed }: NamedWish): string =>
  paths.waiting(links.keyOf(linkSeed) + id.slice(-wishDigits) + id.slice(0, -wishDigits));

/** The id of the wish that the key of such a link names, and what must be its own part of the key. */
export const wishOfKey = (key: string) => ({
  own: key.slice(0, length),
  id: key.slice(length + wishDigits) + key.slice(length, length + wishDigits),
});

/** The path of the link by which one offered time is taken or passed on. */
export const offerPath = (links: Links, { id, linkSeed, startsAt }: NamedWish & { startsAt: number }): string =>
  paths.offer(
    links.keyOf(linkSeed) +
      id.slice(-wishDigits) +
      startsAt.toString(36).padStart(shortStart, '0') +
      id.slice(0, -wishDigits),
  );

/** The wish and the start that the key of an offer names. */
export const offerOfKey = (key: string) => {
  const [digits, start] = [length + wishDigits, length + wishDigits + shortStart];
  return {
    ...wishOfKey(key.slice(0, digits) + key.slice(start)),
    startsAt: Number.parseInt(key.slice(digits, start), 36),
  };
};
